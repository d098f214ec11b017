//! Lists of operands that are known when compiling: `varargin`, `varargout`, and cells such as `{1, 'two', [3 4]}`.
//!
//! A list exists only while a function is lowered. `c{2}` is its second element, `f(c{:})` a call with all elements; `c{k}` with a
//! `k` that only the run knows is possible where all elements are numbers, or the statement is one that can be lowered for each
//! element (`picks.rs`). Functions of lists are in `builtin/lists.rs`.

mod stores;

use super::env::Binding;
use super::index::EndContext;
use super::{Lower, Lowered, Operand, builtin};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Size, Value};
use crate::matlab::ast::{Expr, ExprKind, Function, Param};
use crate::source::Span;

/// Functions that answer for a list what its class is.
pub(super) const ASK_FOR_CLASS: &[&str] = &[
    "class",
    "ischar",
    "isa",
    "isnumeric",
    "islogical",
    "isfloat",
    "isinteger",
    "is_function_handle",
    "isstruct",
    "isreal",
];
/// A list has at most so many elements.
const MAX_ELEMENTS: i64 = 1000;

/// Operands in a row, or below each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct List {
    pub items: Vec<Operand>,
    pub column: bool,
}

impl From<Vec<Operand>> for List {
    fn from(items: Vec<Operand>) -> Self {
        Self { items, column: false }
    }
}

impl List {
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// How many rows Octave says that it has.
    pub fn rows(&self) -> usize {
        if self.column { self.len() } else { usize::from(!self.items.is_empty()) }
    }

    /// How many columns Octave says that it has.
    pub fn columns(&self) -> usize {
        if self.column { usize::from(!self.items.is_empty()) } else { self.len() }
    }
}

impl Lower<'_> {
    /// `{a, b}`, `{a; b}`: a list.
    pub fn list(&mut self, rows: &[Vec<Expr>], span: Span) -> Lowered<Operand> {
        let column = rows.len() > 1;
        let mut items = Vec::new();
        for row in rows {
            let row = self.spread_lists(row)?;
            if column && row.len() != 1 {
                return self.report(
                    Diagnostic::error(Code::Cell, span, "cells of several rows and columns are not supported")
                        .help("use one list for each row, {a, b}, or a matrix of numbers"),
                );
            }
            items.extend(self.arguments(&row)?);
        }
        Ok(Operand::List(List { items, column }))
    }

    /// `c{k}`
    pub fn list_element(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Lowered<Operand> {
        let list = self.list_operand(callee, span)?;
        let subscript = self.list_subscript(&list, args, span)?;
        if let [number] = &subscript[..]
            && self.constant_of(*number).is_none()
        {
            return self.picked(&list, args, span);
        }
        let at = self.known_place(&list, &subscript, span)?;
        match at.and_then(|at| list.items.get(at)) {
            Some(operand) => Ok(operand.clone()),
            None => self.outside_list(&list, &subscript, span),
        }
    }

    fn outside_list<T>(&mut self, list: &List, subscripts: &[Value], span: Span) -> Lowered<T> {
        let numbers: Vec<String> =
            subscripts.iter().filter_map(|v| self.constant_of(*v)).map(|c| c.to_string()).collect();
        let which =
            if numbers.is_empty() { "no element".to_owned() } else { format!("element {}", numbers.join(", ")) };
        self.stop(Code::IndexOutOfBounds, span, format!("{which} of a list that has {}", list.len()))
    }

    /// `[c, d]`, `[c; d]`: one list. What is no list is an element.
    pub fn lists_joined(&mut self, rows: Vec<Vec<Operand>>, span: Span) -> Lowered<List> {
        let column = rows.len() > 1;
        if column && rows.iter().any(|row| row.len() > 1) {
            return self.stop(Code::Cell, span, "cells of several rows and columns are not supported");
        }
        let mut all = List { items: Vec::new(), column };
        for part in rows.into_iter().flatten() {
            match part {
                Operand::List(list) if list.items.is_empty() => {}
                Operand::List(list) if list.len() > 1 && list.column != column => {
                    return self.stop(Code::Cell, span, "cells of several rows and columns are not supported");
                }
                Operand::List(list) => all.items.extend(list.items),
                Operand::Value(v) if self.builder.func.ty(v).numel().as_constant() == Some(0) => {
                    return self.stop(
                        Code::Cell,
                        span,
                        "`[]` beside a list is not supported: write {[]} for an element",
                    );
                }
                operand => all.items.push(operand),
            }
        }
        Ok(all)
    }

    /// The list that an expression gives.
    fn list_operand(&mut self, expr: &Expr, span: Span) -> Lowered<List> {
        match self.list_of(expr) {
            Some(list) => Ok(list),
            None => match self.expr(expr)? {
                Operand::List(list) => Ok(list),
                _ => self.report(
                    Diagnostic::error(Code::Cell, span, "only lists {a, b} have elements in braces; this is none")
                        .help("an element of an array is x(k)"),
                ),
            },
        }
    }

    /// The values of the subscripts of a list, `end` being its size.
    fn list_subscript(&mut self, list: &List, args: &[Expr], span: Span) -> Lowered<Vec<Value>> {
        if !matches!(args.len(), 1 | 2) {
            return self.stop(Code::Cell, span, "a list has two dimensions");
        }
        let dims = [list.rows(), list.columns()].map(|n| Size::constant(n as i64));
        let sizes =
            if args.len() == 1 { vec![Size::constant(1), Size::constant(list.len() as i64)] } else { dims.to_vec() };
        let array = match sizes.iter().all(Size::is_one) {
            true => self.number(0.0),
            false => self.filled(0.0, Class::Double, sizes),
        };
        let mut values = Vec::new();
        for (position, arg) in args.iter().enumerate() {
            self.ends.push(EndContext { array, position, of: args.len() });
            let value = match arg.kind {
                ExprKind::Colon => self.all_of(array, position, args.len()),
                _ => self.expr_value(arg),
            };
            self.ends.pop();
            values.push(value?);
        }
        Ok(values)
    }

    fn all_of(&mut self, array: Value, position: usize, of: usize) -> Lowered<Value> {
        let ty = self.builder.func.ty(array).clone();
        let count = if of == 1 { ty.numel() } else { ty.dim(position) };
        let all = (1..=count.as_constant().unwrap_or(0)).map(|k| self.number(k as f64)).collect::<Vec<_>>();
        match all[..] {
            [] => Ok(self.filled(0.0, Class::Double, vec![Size::constant(1), Size::constant(0)])),
            _ => self.row_of(all, Span::default()),
        }
    }

    /// Which element subscripts name, from zero; `None` if there is none.
    fn known_place(&mut self, list: &List, subscripts: &[Value], span: Span) -> Lowered<Option<usize>> {
        let mut known = Vec::new();
        for value in subscripts {
            let Some(number) = self.constant_of(*value).filter(|c| c.fract() == 0.0 && c.abs() < 1e9) else {
                return self.which_element(span);
            };
            known.push(number as i64);
        }
        Ok(match known[..] {
            [at] => usize::try_from(at - 1).ok(),
            [row, column] => {
                let (along, across) = if list.column { (row, column) } else { (column, row) };
                usize::try_from(along - 1).ok().filter(|_| across == 1)
            }
            _ => None,
        })
    }

    /// `c(2:3)`: the list of these elements.
    pub fn part_of_list(&mut self, list: &List, args: &[Expr], span: Span) -> Lowered<List> {
        if args.is_empty() {
            return Ok(list.clone());
        }
        let mut items = Vec::new();
        for at in self.places(list, args, span)? {
            match list.items.get(at) {
                Some(operand) => items.push(operand.clone()),
                None => return self.outside_list(list, &[], span),
            }
        }
        Ok(List { items, column: list.column })
    }

    /// Which elements the only subscript of a list selects, from zero.
    fn places(&mut self, list: &List, args: &[Expr], span: Span) -> Lowered<Vec<usize>> {
        let subscripts = self.list_subscript(list, args, span)?;
        let numbers = self.known_elements(subscripts[subscripts.len() - 1]).filter(|_| subscripts.len() == 1);
        let Some(numbers) = numbers else {
            return self.report(
                Diagnostic::error(
                    Code::Cell,
                    span,
                    "which elements of the list these are must be known when compiling",
                )
                .help("use c{k} for one element, or known numbers, c(2:3)"),
            );
        };
        let place = |number: f64| {
            (number >= 1.0 && number.fract() == 0.0 && number <= MAX_ELEMENTS as f64).then_some(number as usize - 1)
        };
        match numbers.into_iter().map(place).collect::<Option<Vec<usize>>>() {
            Some(places) => Ok(places),
            None => self.outside_list(list, &subscripts, span),
        }
    }

    /// The elements of a row that are all known when compiling.
    pub fn known_elements(&self, value: Value) -> Option<Vec<f64>> {
        if let Some(number) = self.constant_of(value).filter(|_| self.is_scalar(value)) {
            return (self.class(value) != Class::Logical).then(|| vec![number]);
        }
        let facts = self.facts(value);
        if let Some(range) = facts.progression {
            let (start, len) = (range.start.as_constant()?, range.len.as_constant()?);
            return (len <= MAX_ELEMENTS).then(|| (0..len).map(|k| (start + k * range.step) as f64).collect());
        }
        if self.builder.func.ty(value).numel().as_constant() == Some(0) {
            return Some(Vec::new());
        }
        facts.elements?.iter().map(|v| self.constant_of(*v).filter(|_| self.class(*v) != Class::Logical)).collect()
    }

    /// Where a variable says which element it is, the statement is compiled for each (`picked.rs`).
    fn name_the_number<T>(&mut self, span: Span) -> Lowered<T> {
        self.report(
            Diagnostic::error(Code::Cell, span, "which element of the list this is must be known when compiling")
                .help("assign its number to a variable first: k = …; c{k}"),
        )
    }

    fn which_element<T>(&mut self, span: Span) -> Lowered<T> {
        self.report(
            Diagnostic::error(Code::Cell, span, "which element of the list this is must be known when compiling")
                .help("use an array with a row or column for each element"),
        )
    }

    /// An element whose number only the run knows: of a row of numbers.
    fn picked(&mut self, list: &List, args: &[Expr], span: Span) -> Lowered<Operand> {
        let number = |operand: &Operand| match operand {
            Operand::Value(v) if self.is_scalar(*v) && !self.facts(*v).characters => Some(*v),
            _ => None,
        };
        let numbers = list.items.iter().map(number).collect::<Option<Vec<Value>>>();
        let Some(numbers) = numbers.filter(|n| n.windows(2).all(|w| self.class(w[0]) == self.class(w[1]))) else {
            let named = matches!(args, [Expr { kind: ExprKind::Ident(_), .. }]);
            return if named { self.which_element(span) } else { self.name_the_number(span) };
        };
        if numbers.is_empty() {
            return self.outside_list(list, &[], span);
        }
        let row = self.row_of(numbers, span)?;
        let picked = self.index(row, args, span)?;
        Ok(Operand::Value(picked))
    }

    /// The list that a variable holds, or that is an element of one.
    pub fn list_of(&self, expr: &Expr) -> Option<List> {
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
            match self.spread_elements(arg)? {
                None => all.push(arg.clone()),
                Some(list) => all.extend(self.under_names(arg, list.items)),
            }
        }
        Ok(all)
    }

    /// Arguments with calls that give lists, and lists in lists, under names that no variable has.
    pub fn name_lists(&mut self, args: &[Expr]) -> Lowered<Vec<Expr>> {
        let mut all = Vec::new();
        for arg in args {
            let element = matches!(&arg.kind, ExprKind::BraceIndex { callee, .. } if self.list_of(callee).is_some_and(holds_list));
            if !element && !builtin::makes_list(arg) {
                all.push(arg.clone());
                continue;
            }
            let operand = self.expr(arg)?;
            all.extend(self.under_names(arg, vec![operand]));
        }
        Ok(all)
    }

    /// Names that no variable has for operands, which are bound to them.
    pub fn under_names(&mut self, from: &Expr, operands: Vec<Operand>) -> Vec<Expr> {
        let text = crate::matlab::print_expression(from);
        let mut names = Vec::new();
        for (k, operand) in operands.into_iter().enumerate() {
            let name = format!("{text} {}", k + 1);
            self.env.set(&name, Binding::Is(operand), from.span);
            names.push(Expr { kind: ExprKind::Ident(name), span: from.span });
        }
        names
    }

    /// The elements that `c{:}`, `c{2:end}` stand for; `None` of anything else.
    pub fn spread_elements(&mut self, arg: &Expr) -> Lowered<Option<List>> {
        let ExprKind::BraceIndex { callee, args } = &arg.kind else { return Ok(None) };
        let [subscript] = &args[..] else { return Ok(None) };
        if !matches!(subscript.kind, ExprKind::Colon | ExprKind::Range { .. } | ExprKind::Matrix { .. }) {
            return Ok(None);
        }
        let list = self.list_operand(callee, arg.span)?;
        self.part_of_list(&list, args, arg.span).map(Some)
    }

    /// What functions of a list's size give: `numel(varargin)`.
    pub fn measure_of_list(&mut self, name: &str, args: &[Expr]) -> Option<Operand> {
        let list = match &args.first()?.kind {
            ExprKind::Cell { rows } if rows.is_empty() => List::default(),
            _ => self.list_of(&args[0])?,
        };
        let axis = args.get(1).map(|axis| matches!(axis.kind, ExprKind::Number { value: 1.0, .. }));
        let measure = match (name, args.len(), axis) {
            ("numel" | "length", 1, _) => list.len(),
            ("columns", 1, _) | ("size", 2, Some(false)) => list.columns(),
            ("rows", 1, _) | ("size", 2, Some(true)) => list.rows(),
            ("isempty", 1, _) => return Some(Operand::Value(self.truth_constant(list.items.is_empty()))),
            ("iscell", 1, _) => return Some(Operand::Value(self.truth_constant(true))),
            _ => return None,
        };
        Some(Operand::Value(self.number(measure as f64)))
    }

    /// So many elements of the list that a variable holds, or all that there are.
    pub fn list_in(&self, name: &str, most: usize) -> Vec<Operand> {
        match self.env.get(name) {
            Some(Binding::Is(Operand::List(list))) => list.items.iter().take(most).cloned().collect(),
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

/// Whether an element of a list is a list.
fn holds_list(list: List) -> bool {
    list.items.iter().any(|item| matches!(item, Operand::List(_)))
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
