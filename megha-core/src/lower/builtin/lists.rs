//! Functions of lists that are known when compiling: `cellfun`, `strjoin`, `strcmp(text, list)`, and functions that give lists:
//! `cell`, `num2cell`, `strsplit`.

mod texts;

use super::{Call, Results, refused, value};
use crate::diag::Code;
use crate::ir::{Class, Size, Value};
use crate::lower::lists::List;
use crate::lower::{Lower, Lowered, Operand};
use crate::matlab::ast::{Expr, ExprKind, Name};
use crate::source::Span;
use texts::{compared, join, member, of_each, split, strcat};

/// Lists that functions make have at most so many elements.
const MAX_MADE: i64 = 1000;
/// `arrayfun` calls its function for at most so many elements if the results are a list.
const MAX_CALLS: i64 = 100;

pub(super) const NAMES: &[&str] =
    &["cell", "cellfun", "cell2mat", "num2cell", "strsplit", "ostrsplit", "strjoin", "iscell", "iscellstr", "cellstr"];

/// The option that says whether results are numbers.
const UNIFORM: &str = "UniformOutput";

/// Whether an expression calls a function that gives a list.
pub(in crate::lower) fn makes_list(expr: &Expr) -> bool {
    let ExprKind::Apply { callee, args } = &expr.kind else { return false };
    let ExprKind::Ident(name) = &callee.kind else { return false };
    let option = |arg: &Expr| matches!(&arg.kind, ExprKind::Str { text, .. } if text.eq_ignore_ascii_case(UNIFORM));
    match name.as_str() {
        "cell" | "num2cell" | "strsplit" | "ostrsplit" | "cellstr" => true,
        "cellfun" | "arrayfun" => args.iter().any(option),
        _ => false,
    }
}

/// Functions of a text that lists of texts have element by element.
const OF_EACH: &[&str] = &["upper", "lower", "toupper", "tolower", "strtrim", "deblank", "strrep", "str2double"];

/// A call with a list, which stands at `list`, among its arguments.
pub(in crate::lower) fn call(
    lower: &mut Lower<'_>,
    name: &str,
    args: &[Expr],
    (list, span): (Span, Span),
    wanted: usize,
) -> Results {
    let call = &Call { name, args, span, wanted };
    match name {
        "cellfun" => cellfun(lower, call),
        "arrayfun" | "cell2mat" | "strjoin" | "iscellstr" | "cellstr" | "strsplit" => made(lower, call),
        "size" if args.len() == 1 && wanted <= 1 => {
            let list = list_argument(lower, &args[0])?;
            let sizes = [list.rows(), list.columns()].map(|n| lower.number(n as f64));
            value(lower.row_of(sizes.to_vec(), span)?)
        }
        "size" if args.len() == 1 => {
            let list = list_argument(lower, &args[0])?;
            let sizes = [list.rows(), list.columns()].into_iter().chain(std::iter::repeat(1)).take(wanted);
            Ok(sizes.map(|n| Operand::Value(lower.number(n as f64))).collect())
        }
        "strcmp" | "strcmpi" | "strncmp" | "strncmpi" => compared(lower, call),
        "ismember" => member(lower, call),
        "isvector" | "isrow" | "iscolumn" | "isscalar" | "ndims" | "ismatrix" => shape_of_list(lower, call),
        "deal" | "isargout" | "numel" => super::call(lower, name, args, span, wanted),
        "horzcat" | "vertcat" => joined(lower, call),
        "fliplr" | "flipud" | "flip" => {
            let mut list = list_argument(lower, &args[0])?;
            if list.column == (name != "fliplr") || name == "flip" {
                list.items.reverse();
            }
            Ok(vec![Operand::List(list)])
        }
        "strcat" => strcat(lower, call),
        _ if OF_EACH.contains(&name) => of_each(lower, call),
        _ => match refused::explain(name, span) {
            Some(diagnostic) => lower.report(diagnostic),
            None => lower.cells_refused(list),
        },
    }
}

/// A call of a function that is about lists, whether or not an argument is one; `None` of another function.
pub(in crate::lower) fn about_lists(
    lower: &mut Lower<'_>,
    name: &str,
    args: &[Expr],
    span: Span,
    wanted: usize,
) -> Option<Results> {
    let option = |arg: &Expr| matches!(&arg.kind, ExprKind::Str { text, .. } if text.eq_ignore_ascii_case(UNIFORM));
    let known = NAMES.contains(&name) || name == "arrayfun" && args.iter().any(option);
    known.then(|| made(lower, &Call { name, args, span, wanted }))
}

fn made(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    match call.name {
        "cell" => cell(lower, call),
        "cellfun" => cellfun(lower, call),
        "arrayfun" => arrayfun(lower, call),
        "num2cell" => num2cell(lower, call),
        "cell2mat" => {
            call.arity(lower, 1, 1)?;
            let list = list_argument(lower, &call.args[0])?;
            put_together(lower, list, call.span)
        }
        "strsplit" | "ostrsplit" => split(lower, call),
        "strjoin" => join(lower, call),
        "cellstr" => {
            call.arity(lower, 1, 1)?;
            match lower.expr(&call.args[0])? {
                list @ Operand::List(_) => Ok(vec![list]),
                text @ (Operand::Text(_) | Operand::Message(_)) => Ok(vec![Operand::List(vec![text].into())]),
                _ => lower.stop(Code::Cell, call.span, "`cellstr` of a matrix of characters is not supported"),
            }
        }
        _ => {
            call.arity(lower, 1, 1)?;
            let operand = lower.expr(&call.args[0])?;
            let is_text = |operand: &Operand| match operand {
                Operand::Value(v) => lower.facts(*v).characters,
                operand => operand.pieces().is_some(),
            };
            let holds = match &operand {
                Operand::List(list) => call.name == "iscell" || list.items.iter().all(is_text),
                _ => false,
            };
            Ok(lower.known(holds))
        }
    }
}

fn list_argument(lower: &mut Lower<'_>, arg: &Expr) -> Lowered<List> {
    match lower.expr(arg)? {
        Operand::List(list) => Ok(list),
        _ => lower.stop(Code::Cell, arg.span, "a list {a, b} is expected here"),
    }
}

/// A known text.
fn text_argument(lower: &mut Lower<'_>, arg: &Expr, what: &str) -> Lowered<String> {
    match lower.expr(arg)? {
        Operand::Text(text) => Ok(text),
        _ => lower.stop(Code::TextValue, arg.span, format!("{what} must be a text that is known when compiling")),
    }
}

/// `cell(1, n)`, `cell(n, 1)`: so many times `[]`.
fn cell(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 0, 2)?;
    let mut sizes = Vec::new();
    for arg in call.args {
        let size = lower.expr_value(arg)?;
        match lower.constant_of(size) {
            Some(n) if n.fract() == 0.0 && n <= MAX_MADE as f64 => sizes.push(n.max(0.0) as usize),
            _ => {
                return lower.stop(
                    Code::Cell,
                    arg.span,
                    "the size of a cell must be known when compiling, and at most 1000",
                );
            }
        }
    }
    let (rows, columns) = match sizes[..] {
        [] => (0, 0),
        [n] => (n, n),
        [rows, columns, ..] => (rows, columns),
    };
    if rows > 1 && columns > 1 {
        return lower.stop(
            Code::Cell,
            call.span,
            "cells of several rows and columns are not supported: use cell(1, n)",
        );
    }
    let nothing = lower.filled(0.0, Class::Double, vec![Size::constant(0), Size::constant(0)]);
    let items = vec![Operand::Value(nothing); rows * columns];
    Ok(vec![Operand::List(List { items, column: rows > 1 })])
}

/// The elements of a vector one by one.
fn num2cell(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let array = lower.expr_value(&call.args[0])?;
    let items = elements(lower, array, MAX_MADE, call.span)?;
    let ty = lower.builder.func.ty(array).clone();
    if !ty.is_scalar() && !ty.dims.iter().any(Size::is_one) {
        return lower.stop(Code::Cell, call.span, "cells of several rows and columns are not supported");
    }
    let column = !ty.is_scalar() && !ty.dim(0).is_one();
    Ok(vec![Operand::List(List { items: items.into_iter().map(Operand::Value).collect(), column })])
}

/// The elements of an array of which it is known how many it has.
fn elements(lower: &mut Lower<'_>, array: Value, most: i64, span: Span) -> Lowered<Vec<Value>> {
    let Some(count) = lower.builder.func.ty(array).numel().as_constant().filter(|n| *n <= most) else {
        let message = format!("how many elements this has must be known when compiling, and at most {most}");
        return lower.stop(Code::Cell, span, message);
    };
    let number = |k: i64| Expr { kind: ExprKind::Number { value: k as f64, imaginary: false }, span };
    (1..=count).map(|k| lower.index(array, &[number(k)], span)).collect()
}

/// The arguments without a trailing `'UniformOutput', truth`, and that truth.
fn uniform<'e>(lower: &mut Lower<'_>, call: &Call<'e>) -> Lowered<(&'e [Expr], bool)> {
    let Some((rest, [option, truth])) = call.args.split_last_chunk::<2>() else { return Ok((call.args, true)) };
    match &option.kind {
        ExprKind::Str { text, .. } if text.eq_ignore_ascii_case(UNIFORM) => {
            let truth = lower.expr_value(truth)?;
            match lower.constant_of(truth) {
                Some(truth) => Ok((rest, truth != 0.0)),
                None => lower.stop(
                    Code::NotConstant,
                    option.span,
                    "whether the output is uniform must be known when compiling",
                ),
            }
        }
        ExprKind::Str { text, .. } if text.eq_ignore_ascii_case("errorhandler") => {
            lower.stop(Code::Try, option.span, "an error handler is not supported: errors reach the Rust caller")
        }
        _ => Ok((call.args, true)),
    }
}

/// `cellfun(f, c, ..)`: a row of numbers, or a list.
fn cellfun(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (args, numbers) = uniform(lower, call)?;
    let [function, lists @ ..] = args else { return call.arity(lower, 2, usize::MAX).map(|()| Vec::new()) };
    if lists.is_empty() {
        call.arity(lower, 2, usize::MAX)?;
    }
    let lists = lists.iter().map(|arg| list_argument(lower, arg)).collect::<Lowered<Vec<List>>>()?;
    let len = lists.first().map_or(0, List::len);
    if lists.iter().any(|list| list.len() != len) {
        return lower.stop(Code::SizeMismatch, call.span, "the lists of `cellfun` have different numbers of elements");
    }
    let column = lists.first().is_some_and(|list| list.column);
    let rows = (0..len).map(|k| lists.iter().map(|list| list.items[k].clone()).collect()).collect();
    called_for_each(lower, call, function, (rows, column), numbers)
}

/// `arrayfun(f, x, .., 'UniformOutput', truth)`
fn arrayfun(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let (args, numbers) = uniform(lower, call)?;
    if numbers {
        return lower.call_name("arrayfun", args, call.span, call.wanted);
    }
    let [function, arrays @ ..] = args else { return call.arity(lower, 2, usize::MAX).map(|()| Vec::new()) };
    let mut columns = Vec::new();
    let mut column = false;
    for arg in arrays {
        let array = lower.expr_value(arg)?;
        let ty = lower.builder.func.ty(array);
        column = !ty.is_scalar() && !ty.dim(0).is_one();
        columns.push(elements(lower, array, MAX_CALLS, arg.span)?);
    }
    let len = columns.first().map_or(0, Vec::len);
    if columns.iter().any(|c| c.len() != len) {
        return lower.stop(
            Code::SizeMismatch,
            call.span,
            "the arrays of `arrayfun` have different numbers of elements",
        );
    }
    let rows = (0..len).map(|k| columns.iter().map(|c| Operand::Value(c[k])).collect()).collect();
    called_for_each(lower, call, function, (rows, column), false)
}

/// What a function gives for each row of arguments: numbers, or a list.
fn called_for_each(
    lower: &mut Lower<'_>,
    call: &Call<'_>,
    function: &Expr,
    (rows, column): (Vec<Vec<Operand>>, bool),
    numbers: bool,
) -> Results {
    let callee = lower.expr(function)?;
    let wanted = call.wanted.max(1);
    let mut results: Vec<Vec<Operand>> = vec![Vec::new(); wanted];
    for operands in rows {
        let args = lower.under_names(function, operands);
        let given = match &callee {
            Operand::Function(handle) => lower.call_handle(handle, &args, call.span, wanted)?,
            Operand::Text(text) => {
                let name = Name { text: text.clone(), span: function.span };
                lower.call_named(&name, &args, call.span, wanted)?
            }
            _ => {
                return lower.stop(
                    Code::FunctionValue,
                    function.span,
                    format!("`{}` needs a function or its name", call.name),
                );
            }
        };
        if given.len() < wanted {
            return lower.stop(
                Code::ResultCount,
                call.span,
                format!("`{}` needs a function that gives a value", call.name),
            );
        }
        results.iter_mut().zip(given).for_each(|(all, one)| all.push(one));
    }
    results
        .into_iter()
        .map(|items| {
            if numbers { row_of_results(lower, items, column, call) } else { Ok(Operand::List(List { items, column })) }
        })
        .collect()
}

/// Results that are numbers of one class, in a row or column.
fn row_of_results(lower: &mut Lower<'_>, items: Vec<Operand>, column: bool, call: &Call<'_>) -> Lowered<Operand> {
    let mut values = Vec::new();
    for item in &items {
        match item {
            Operand::Value(v) if lower.is_scalar(*v) => values.push(*v),
            _ => {
                return lower.stop(
                    Code::Cell,
                    call.span,
                    format!(
                        "`{}` gives a matrix if each result is one number; for others write 'UniformOutput', false",
                        call.name
                    ),
                );
            }
        }
    }
    let Some(first) = values.first().copied() else {
        let none = lower.filled(0.0, Class::Double, vec![Size::constant(0), Size::constant(0)]);
        return Ok(Operand::Value(none));
    };
    if values.iter().any(|v| lower.class(*v) != lower.class(first)) {
        let message = format!("the results of `{}` are of different classes, which is an error", call.name);
        return lower.stop(Code::TypeConflict, call.span, message);
    }
    let row = match column && values.len() > 1 {
        true => lower.concat(0, values, call.span)?,
        false => lower.row_of(values, call.span)?,
    };
    Ok(Operand::Value(row))
}

/// `cell2mat(c)`, `[c{:}]`
fn put_together(lower: &mut Lower<'_>, list: List, span: Span) -> Results {
    let from = Expr { kind: ExprKind::Cell { rows: Vec::new() }, span };
    let column = list.column;
    let parts = lower.under_names(&from, list.items);
    let rows = if column { parts.into_iter().map(|part| vec![part]).collect() } else { vec![parts] };
    lower.matrix(&rows, span).map(|whole| vec![whole])
}

fn shape_of_list(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let list = list_argument(lower, &call.args[0])?;
    let holds = match call.name {
        "ndims" => return value(lower.number(2.0)),
        "isrow" => list.rows() == 1,
        "iscolumn" => list.columns() == 1,
        "isscalar" => list.len() == 1,
        "isvector" => list.len() >= 1,
        _ => true,
    };
    Ok(lower.known(holds))
}

/// `horzcat(c, d)` of lists.
fn joined(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    lower.matrix(&[call.args.to_vec()], call.span).map(|whole| vec![whole])
}
