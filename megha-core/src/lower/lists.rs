//! Lists of operands that are known when compiling: `varargin`, `varargout`, and cells such as `{1, 'two', [3 4]}`.
//!
//! A list exists only while a function is lowered. `c{2}` is its second element, `f(c{:})` a call with all elements; `c{k}` with a
//! `k` that only the run knows is possible where all elements are numbers.

use super::env::Binding;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::Value;
use crate::matlab::ast::{Expr, ExprKind, Function, Name, Param};
use crate::source::Span;

/// Functions that answer for a list what its class is.
pub(super) const ASK_FOR_CLASS: &[&str] = &["class", "ischar", "isa", "isnumeric", "islogical", "isfloat", "isinteger"];

impl Lower<'_> {
    /// `{a, b}`: a list of one row.
    pub fn list(&mut self, rows: &[Vec<Expr>], span: Span) -> Lowered<Operand> {
        match rows {
            [] => Ok(Operand::List(Vec::new())),
            [row] => {
                let row = self.spread_lists(row)?;
                self.arguments(&row).map(Operand::List)
            }
            _ => self.cells_refused(span),
        }
    }

    /// `c{k}`
    pub fn list_element(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Lowered<Operand> {
        let list = match self.list_of(callee) {
            Some(list) => list,
            None => match self.expr(callee)? {
                Operand::List(list) => list,
                _ => return self.cells_refused(span),
            },
        };
        let [subscript] = args else { return self.cells_refused(span) };
        if subscript.kind == ExprKind::End {
            return self.list_entry(&list, list.len() as f64, span);
        }
        let number = self.expr_value(subscript)?;
        match self.constant_of(number) {
            Some(at) => self.list_entry(&list, at, span),
            None => self.picked(&list, args, span),
        }
    }

    fn list_entry(&mut self, list: &[Operand], at: f64, span: Span) -> Lowered<Operand> {
        let entry = (at >= 1.0 && at.fract() == 0.0).then(|| list.get(at as usize - 1)).flatten();
        match entry {
            Some(operand) => Ok(operand.clone()),
            None => {
                let message = format!("element {at} of a list that has {}", list.len());
                self.stop(Code::IndexOutOfBounds, span, message)
            }
        }
    }

    /// An element whose number only the run knows: of a row of numbers.
    fn picked(&mut self, list: &[Operand], args: &[Expr], span: Span) -> Lowered<Operand> {
        let number = |operand: &Operand| match operand {
            Operand::Value(v) if self.is_scalar(*v) && !self.facts(*v).characters => Some(*v),
            _ => None,
        };
        let numbers = list.iter().map(number).collect::<Option<Vec<Value>>>();
        let Some(numbers) = numbers.filter(|n| n.windows(2).all(|w| self.class(w[0]) == self.class(w[1]))) else {
            return self.report(
                Diagnostic::error(Code::Cell, span, "which element of the list this is must be known when compiling")
                    .help("write the number itself, or make all elements numbers of one class"),
            );
        };
        if numbers.is_empty() {
            return self.list_entry(list, 1.0, span);
        }
        let row = self.row_of(numbers, span)?;
        let picked = self.index(row, args, span)?;
        Ok(Operand::Value(picked))
    }

    /// The list that a variable holds.
    fn list_of(&self, expr: &Expr) -> Option<Vec<Operand>> {
        let ExprKind::Ident(name) = &expr.kind else { return None };
        match self.env.get(name) {
            Some(Binding::Is(Operand::List(list))) => Some(list.clone()),
            _ => None,
        }
    }

    /// Whether an argument is a list: a variable, or written.
    pub fn is_list(&self, expr: &Expr) -> bool {
        self.list_of(expr).is_some() || matches!(expr.kind, ExprKind::Cell { .. })
    }

    /// Arguments with `c{:}` replaced by the elements, each under a name that no variable has.
    pub fn spread_lists(&mut self, args: &[Expr]) -> Lowered<Vec<Expr>> {
        let mut all = Vec::new();
        for arg in args {
            let ExprKind::BraceIndex { callee, args } = &arg.kind else {
                all.push(arg.clone());
                continue;
            };
            let (Some(list), [subscript]) = (self.list_of(callee), &args[..]) else {
                all.push(arg.clone());
                continue;
            };
            let Some(first) = self.first_of_many(subscript, list.len())? else {
                all.push(arg.clone());
                continue;
            };
            for (k, operand) in list.into_iter().enumerate().skip(first - 1) {
                let name = format!("{}{{{}}}", crate::matlab::print_expression(callee), k + 1);
                self.env.set(&name, Binding::Is(operand), arg.span);
                all.push(Expr { kind: ExprKind::Ident(name), span: arg.span });
            }
        }
        Ok(all)
    }

    /// The first number that `:` or `n:end` stands for.
    fn first_of_many(&mut self, subscript: &Expr, count: usize) -> Lowered<Option<usize>> {
        match &subscript.kind {
            ExprKind::Colon => Ok(Some(1)),
            ExprKind::Range { start, step: None, stop } if stop.kind == ExprKind::End => {
                let first = self.expr_value(start)?;
                let first = self.known_whole(first, "the first element", start.span)?;
                Ok(usize::try_from(first).ok().map(|first| first.clamp(1, count + 1)))
            }
            _ => Ok(None),
        }
    }

    /// What functions of a list's size give: `numel(varargin)`.
    pub fn measure_of_list(&mut self, name: &str, args: &[Expr]) -> Option<Operand> {
        let list = match &args.first()?.kind {
            ExprKind::Cell { rows } if rows.is_empty() => Vec::new(),
            _ => self.list_of(&args[0])?,
        };
        let axis = args.get(1).map(|axis| matches!(axis.kind, ExprKind::Number { value: 1.0, .. }));
        let measure = match (name, args.len(), axis) {
            ("numel" | "length" | "columns", 1, _) => list.len(),
            ("size", 2, Some(false)) => list.len(),
            ("size", 2, Some(true)) | ("rows", 1, _) => usize::from(!list.is_empty()),
            ("isempty", 1, _) => return Some(Operand::Value(self.truth_constant(list.is_empty()))),
            ("iscell", 1, _) => return Some(Operand::Value(self.truth_constant(true))),
            _ => return None,
        };
        Some(Operand::Value(self.number(measure as f64)))
    }

    /// `c{k} = e` with a known `k`, at most one beyond the end.
    pub fn store_in_list(&mut self, name: &Name, args: &[Expr], operand: Operand, span: Span) -> Lowered<()> {
        let mut list = match self.env.get(&name.text) {
            Some(Binding::Is(Operand::List(list))) => list.clone(),
            None => Vec::new(),
            Some(_) => return self.cells_refused(span),
        };
        let [subscript] = args else { return self.cells_refused(span) };
        let at = match &subscript.kind {
            ExprKind::End => list.len() as i64,
            _ => {
                let at = self.expr_value(subscript)?;
                self.known_whole(at, "the number of the element", subscript.span)?
            }
        };
        match usize::try_from(at - 1) {
            Ok(at) if at < list.len() => list[at] = operand,
            Ok(at) if at == list.len() => list.push(operand),
            _ => return self.stop(Code::Cell, span, "a list grows by one element at a time"),
        }
        self.env.set(&name.text, Binding::Is(Operand::List(list)), name.span);
        Ok(())
    }

    /// So many elements of the list that a variable holds, or all that there are.
    pub fn list_in(&self, name: &str, most: usize) -> Vec<Operand> {
        match self.env.get(name) {
            Some(Binding::Is(Operand::List(list))) => list.iter().take(most).cloned().collect(),
            _ => Vec::new(),
        }
    }

    pub fn cells_refused<T>(&mut self, span: Span) -> Lowered<T> {
        self.report(
            Diagnostic::error(
                Code::Cell,
                span,
                "cell arrays are not supported, but for lists {a, b} known when compiling",
            )
            .help("use numeric arrays; a list of equal-sized vectors can be the columns of a matrix"),
        )
    }
}

/// Whether a function takes any number of arguments: the last one is called `varargin`.
pub(super) fn takes_any(function: &Function) -> bool {
    takes_rest(&function.inputs)
}

/// Whether the last parameter is `varargin`.
pub(super) fn takes_rest(params: &[Param]) -> bool {
    matches!(params.last(), Some(Param::Named(name)) if name.text == "varargin")
}

/// Whether a function gives any number of results: the last one is called `varargout`.
pub(super) fn gives_any(function: &Function) -> bool {
    function.outputs.last().is_some_and(|name| name.text == "varargout")
}
