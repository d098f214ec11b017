//! The functions that MATLAB brings along.

mod bits;
mod calling;
mod characters;
mod clock;
mod complex;
mod create;
mod diff;
mod elementwise;
mod error;
mod inline;
mod intrinsic;
mod lists;
mod output;
mod permute;
mod random;
mod reduce;
mod refused;
mod rotate;
mod search;
mod shape;
mod text;

pub(super) use lists::{about_lists, call as of_lists, makes_list};

use super::env::Binding;
use super::facts::Facts;
use super::{Lower, Lowered, Operand, Stop};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Op, Size, Sub, Type, Value};
use crate::matlab::ast::Expr;
use crate::source::Span;

/// A call of a builtin: its name, arguments and how many results are used.
pub(super) struct Call<'e> {
    pub name: &'e str,
    pub args: &'e [Expr],
    pub span: Span,
    pub wanted: usize,
}

/// Arrays have at most so many dimensions where their sizes come as a vector.
const MAX_SIZES: usize = 8;

type Results = Lowered<Vec<Operand>>;
type Handler = fn(&mut Lower<'_>, &Call<'_>) -> Results;

/// Calls the builtin of this name.
pub(super) fn call(lower: &mut Lower<'_>, name: &str, args: &[Expr], span: Span, wanted: usize) -> Results {
    if let Some(results) = lower.builtin_by_dimension(name, args, span, wanted)? {
        return Ok(results);
    }
    match lower.builtin_by_orientation(name, args, span, wanted)? {
        Some(results) => Ok(results),
        None => call_as_it_lies(lower, name, args, span, wanted),
    }
}

/// The same where it is settled how the first argument lies.
pub(super) fn call_as_it_lies(lower: &mut Lower<'_>, name: &str, args: &[Expr], span: Span, wanted: usize) -> Results {
    let call = Call { name, args, span, wanted };
    if let Some(results) = characters::call(lower, &call)? {
        return Ok(results);
    }
    let groups = [
        bits::find,
        calling::find,
        inline::find,
        complex::find,
        create::find,
        elementwise::find,
        diff::find,
        permute::find,
        reduce::find,
        search::find,
        shape::find,
        output::find,
        error::find,
        text::find,
        random::find,
        clock::find,
    ];
    if let Some(handler) = groups.iter().find_map(|find| find(name)).or_else(|| intrinsic::find(&call)) {
        let results = handler(lower, &call)?;
        return Ok(if name == "complex" { results } else { lower.all_computed(results) });
    }
    if let Some(diagnostic) = refused::explain(name, span) {
        return lower.report(diagnostic);
    }
    unknown(lower, &call)
}

fn unknown(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    if lower.waits_for(call.name) {
        return Err(Stop);
    }
    if let Some((function, given)) = lower.without_argument(call.name, call.span) {
        let (name, count) = (&function.name.text, function.inputs.len());
        let message = format!("`{}` has no value here: `{name}` gets {given} of its {count} arguments", call.name);
        let error = Diagnostic::error(Code::ArgumentCount, call.span, message);
        let error = error.note_at(function.signature, "its parameters");
        return lower.report(error.help(format!("pass it, or give it a value where nargin < {count}")));
    }
    if crate::lower::structs::field_of(call.name).is_some() {
        return lower.no_field(call.name, call.span);
    }
    let message = format!("`{}` is neither a variable nor a known function here", call.name);
    let names = lower.env.names().map(str::to_owned).chain(known_names().map(str::to_owned));
    let near = names.filter(|n| distance(n, call.name) <= 1 + call.name.len() / 6);
    let help = match near.min_by_key(|n| distance(n, call.name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a function of your own must be in this file or in a file of its name beside it".to_owned(),
    };
    let diagnostic = Diagnostic::error(Code::UnknownName, call.span, message).help(help);
    if lower.scope.has_late_names(call.span.file) {
        return lower.report_if_reached(diagnostic, "Octave:undefined-function", format!("'{}' undefined", call.name));
    }
    let diagnostic = match lower.is_in_branch() {
        true => diagnostic
            .note("a comment `% megha: late names` makes this an error only if the run gets here, as in Octave"),
        false => diagnostic,
    };
    lower.report(diagnostic)
}

/// The names of all builtins that compile.
pub fn known_names() -> impl Iterator<Item = &'static str> {
    let handlers = [
        bits::NAMES,
        calling::NAMES,
        inline::NAMES,
        lists::NAMES,
        characters::NAMES,
        complex::NAMES,
        create::NAMES,
        elementwise::NAMES,
        intrinsic::NAMES,
        diff::NAMES,
        permute::NAMES,
        reduce::NAMES,
        search::NAMES,
        shape::NAMES,
        output::NAMES,
        error::NAMES,
        text::NAMES,
        random::NAMES,
        clock::NAMES,
    ];
    handlers.into_iter().flatten().copied().chain(super::prelude::names())
}

/// Edits (insertions, deletions, replacements) between two names, by Wagner and Fischer's recurrence.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (row[j + 1] + 1).min(row[j] + 1).min(corner + usize::from(x != *y));
            corner = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

impl Call<'_> {
    /// Reports a wrong number of arguments.
    pub fn arity(&self, lower: &mut Lower<'_>, least: usize, most: usize) -> Lowered<()> {
        let n = self.args.len();
        if (least..=most).contains(&n) {
            return Ok(());
        }
        let expected = match (least, most) {
            (a, b) if a == b => a.to_string(),
            (a, usize::MAX) => format!("at least {a}"),
            (a, b) => format!("{a} to {b}"),
        };
        let plural = if matches!(expected.as_str(), "1" | "at least 1") { "" } else { "s" };
        lower.stop(
            Code::ArgumentCount,
            self.span,
            format!("`{}` takes {expected} argument{plural}, but {n} are given", self.name),
        )
    }

    /// The arguments as values, all lowered before the first failure counts.
    pub fn values(&self, lower: &mut Lower<'_>) -> Lowered<Vec<Value>> {
        let values: Vec<Lowered<Value>> = self.args.iter().map(|a| lower.expr_value(a)).collect();
        values.into_iter().collect()
    }

    /// Reports that more results are used than there are.
    pub fn one_result(&self, lower: &mut Lower<'_>) -> Lowered<()> {
        if self.wanted <= 1 {
            return Ok(());
        }
        lower.stop(
            Code::ResultCount,
            self.span,
            format!("`{}` with {} results is not supported", self.name, self.wanted),
        )
    }
}

const ONE_DIMENSION: &str = "the dimension must be a known whole number from 1";

/// The dimension of this number, from zero.
fn axis(number: f64) -> Option<usize> {
    (number.fract() == 0.0 && (1.0..=16.0).contains(&number)).then(|| number as usize - 1)
}

impl Lower<'_> {
    /// A dimension argument, from zero.
    fn axis_argument(&mut self, expr: &Expr) -> Lowered<usize> {
        match self.axes_argument(expr)?[..] {
            [axis] => Ok(axis),
            _ => self.stop(Code::NotConstant, expr.span, ONE_DIMENSION),
        }
    }

    /// A dimension argument that may be a row of several, from zero.
    fn axes_argument(&mut self, expr: &Expr) -> Lowered<Vec<usize>> {
        let value = self.expr_value(expr)?;
        let given = self.constant_of(value).map(|one| vec![one]).or_else(|| self.known_elements(value));
        let axes: Option<Vec<usize>> = given.and_then(|given| given.into_iter().map(axis).collect());
        match axes.filter(|axes| !axes.is_empty()) {
            Some(axes) => Ok(axes),
            None => self.stop(Code::NotConstant, expr.span, ONE_DIMENSION),
        }
    }

    /// Size arguments: `f(n)` (square), `f(m, n, ..)`, `f([m, n])`, `f(size(x))`.
    fn size_arguments(&mut self, args: &[Expr]) -> Lowered<Vec<Size>> {
        if args.is_empty() {
            return Ok(Vec::new());
        }
        if let [arg] = args {
            if let Some(dims) = self.size_vector(arg)? {
                return Ok(dims);
            }
            let value = self.expr_value(arg)?;
            if let Some(dims) = self.sizes_in(value, arg.span)? {
                return Ok(dims);
            }
            let number = self.whole_number(value, "a size", arg.span)?;
            let size = self.size_from(number);
            return Ok(vec![size.clone(), size]);
        }
        let mut dims = Vec::new();
        for arg in args {
            let value = self.expr_value(arg)?;
            let number = self.whole_number(value, "a size", arg.span)?;
            dims.push(self.size_from(number));
        }
        Ok(dims)
    }

    /// The sizes in a vector that is a value: `dims` after `dims = size(x)`, or `2 * dims`.
    fn sizes_in(&mut self, vector: Value, span: Span) -> Lowered<Option<Vec<Size>>> {
        let ty = self.builder.func.ty(vector).clone();
        let count = ty.numel().as_constant().and_then(|n| usize::try_from(n).ok());
        let Some(count) = count.filter(|n| ty.is_vector() && (2..=MAX_SIZES).contains(n)) else { return Ok(None) };
        let mut dims = Vec::new();
        for at in 0..count {
            let known = self.facts(vector).elements.and_then(|elements| elements.get(at).copied());
            let element = known.unwrap_or_else(|| self.element_at(vector, at));
            let number = self.whole_number(element, "a size", span)?;
            dims.push(self.size_from(number));
        }
        Ok(Some(dims))
    }

    /// An element of a vector that has so many.
    fn element_at(&mut self, vector: Value, at: usize) -> Value {
        let ty = Type::scalar(self.class(vector));
        let old = self.facts(vector);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        let at = self.builder.int(at as i64);
        self.emit(Op::Index { array: vector, subs: vec![Sub::At(at)], checked: false }, ty, facts)
    }

    /// The sizes in an argument that is written as a vector: `[m, n]` or `size(x)`.
    fn size_vector(&mut self, arg: &Expr) -> Lowered<Option<Vec<Size>>> {
        use crate::matlab::ast::ExprKind;
        match &arg.kind {
            ExprKind::Matrix { rows } if rows.len() == 1 && rows[0].len() > 1 => {
                let mut dims = Vec::new();
                for element in &rows[0] {
                    // `[size(x), n]`: vectors of sizes may stand among them.
                    dims.extend(match self.size_vector(element)? {
                        Some(sizes) => sizes,
                        None => self.sizes_of_element(element)?,
                    });
                }
                Ok(Some(dims))
            }
            ExprKind::Apply { callee, args } if args.len() == 1 && self.is_builtin_name(callee, "size") => {
                let array = self.expr_value(&args[0])?;
                let ty = self.builder.func.ty(array).clone();
                Ok(Some((0..ty.ndims()).map(|a| ty.dim(a)).collect()))
            }
            _ => Ok(None),
        }
    }

    /// The sizes that an element of such a vector is: one number, or several in a vector.
    fn sizes_of_element(&mut self, element: &Expr) -> Lowered<Vec<Size>> {
        let value = self.expr_value(element)?;
        if let Some(sizes) = self.sizes_in(value, element.span)? {
            return Ok(sizes);
        }
        let number = self.whole_number(value, "a size", element.span)?;
        Ok(vec![self.size_from(number)])
    }

    fn is_builtin_name(&self, callee: &Expr, name: &str) -> bool {
        matches!(&callee.kind, crate::matlab::ast::ExprKind::Ident(n) if n == name)
            && !self.env.contains(name)
            && self.own_function(name, callee.span).is_none()
    }

    /// The text that an argument is: a literal, a variable that holds one, or `class(x)`.
    fn class_text(&mut self, arg: &Expr) -> Lowered<Option<String>> {
        use crate::matlab::ast::ExprKind;
        let text = match &arg.kind {
            ExprKind::Str { text, .. } => return Ok(Some(text.clone())),
            ExprKind::Ident(name) => matches!(self.env.get(name), Some(Binding::Is(Operand::Text(_)))),
            ExprKind::Apply { callee, .. } => self.is_builtin_name(callee, "class"),
            _ => false,
        };
        Ok(match text {
            true => {
                if let Operand::Text(text) = self.expr(arg)? {
                    Some(text)
                } else {
                    None
                }
            }
            false => None,
        })
    }

    /// A class at the end, as in `zeros(n, 'int32')` or `zeros(n, 'like', x)`, and the arguments before it.
    fn trailing_class<'e>(&mut self, args: &'e [Expr]) -> Lowered<(&'e [Expr], Option<Class>)> {
        use crate::matlab::ast::ExprKind;
        if let [rest @ .., like, model] = args
            && matches!(&like.kind, ExprKind::Str { text, .. } if text == "like")
        {
            let model = self.expr_value(model)?;
            return Ok((rest, Some(self.class(model))));
        }
        let Some((last, rest)) = args.split_last() else { return Ok((args, None)) };
        let Some(text) = self.class_text(last)? else { return Ok((args, None)) };
        match Class::from_matlab_name(&text) {
            Some(class) => Ok((rest, Some(class))),
            None => self.stop(Code::UnknownClass, last.span, format!("`{text}` is not the name of a class")),
        }
    }
}

fn value(v: Value) -> Results {
    Ok(vec![Operand::Value(v)])
}
