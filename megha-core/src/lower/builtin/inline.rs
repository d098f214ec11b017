//! Functions whose bodies are written as texts: `inline('x^2 + a', 'x', 'a')`, `str2func('@(x) x^2')`, and `func2str`.

use super::{Call, Handler, Results, output};
use crate::diag::{Code, Diagnostics};
use crate::lower::env::{Env, Handle};
use crate::lower::{Lower, Lowered, Operand, live};
use crate::matlab::ast::{Expr, ExprKind, Name, Param, StmtKind};
use crate::matlab::parse;
use crate::source::SourceFile;

pub(super) const NAMES: &[&str] = &["inline", "str2func", "func2str"];

/// Names in the text of `inline` that are no parameters.
const CONSTANTS: &[&str] = &["i", "j", "pi", "e", "eps", "Inf", "inf", "NaN", "nan", "NA"];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "inline" => inline,
        "str2func" => from_text,
        "func2str" => to_text,
        _ => return None,
    })
}

/// `inline(text)`, `inline(text, names, ..)`: without names the variables of the text in alphabetical order.
fn inline(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    let body = parsed(lower, call)?;
    let mut names = Vec::new();
    for arg in &call.args[1..] {
        match &arg.kind {
            ExprKind::Str { text, .. } => names.push(text.clone()),
            _ => return lower.stop(Code::TextValue, arg.span, "the name of a parameter is expected here"),
        }
    }
    if names.is_empty() {
        names = variables(&body);
    }
    if names.is_empty() {
        names.push("x".to_owned());
    }
    let params = names.into_iter().map(|text| Param::Named(Name { text, span: call.span })).collect();
    let handle = Handle::Anonymous { params, body, captured: Env::default() };
    Ok(vec![Operand::Function(Box::new(handle))])
}

/// `str2func(text)`: of a name, or of an anonymous function.
fn from_text(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let body = parsed(lower, call)?;
    let handle = match body.kind {
        ExprKind::Ident(text) => Handle::Named(Name { text, span: call.span }),
        ExprKind::AnonFn { params, body } => Handle::Anonymous { params, body: *body, captured: Env::default() },
        _ => return lower.stop(Code::Eval, call.span, "`str2func` needs the name of a function, or '@(x) ..'"),
    };
    Ok(vec![Operand::Function(Box::new(handle))])
}

fn to_text(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    match lower.expr(&call.args[0])? {
        Operand::Function(handle) => Ok(vec![Operand::Text(output::function_text(&handle))]),
        _ => lower.stop(Code::FunctionValue, call.span, "`func2str` needs a function"),
    }
}

/// The expression that the first argument says. Its places are those of the text in the program.
fn parsed(lower: &mut Lower<'_>, call: &Call<'_>) -> Lowered<Expr> {
    let arg = &call.args[0];
    let ExprKind::Str { text, .. } = &arg.kind else {
        let message = format!("the text of `{}` is not known here", call.name);
        return lower.stop(Code::Eval, arg.span, message);
    };
    let before = " ".repeat(arg.span.start as usize);
    let file = SourceFile::new(arg.span.file, String::new(), format!("{before}({text})"));
    let mut mistakes = Diagnostics::new();
    let program = parse(&file, &mut mistakes);
    match program.script.into_iter().next().map(|stmt| stmt.kind) {
        Some(StmtKind::Expr(body)) if mistakes.is_empty() => Ok(body),
        _ => lower.stop(Code::ExpectedExpression, arg.span, "this text is no expression"),
    }
}

/// The variables of an expression in alphabetical order.
fn variables(body: &Expr) -> Vec<String> {
    let mut names = live::Names::new();
    variables_of(body, &mut names);
    names.into_iter().filter(|name| !CONSTANTS.contains(&name.as_str())).collect()
}

fn variables_of(expr: &Expr, names: &mut live::Names) {
    match &expr.kind {
        ExprKind::Ident(name) => drop(names.insert(name.clone())),
        // What has arguments is a function.
        ExprKind::Apply { args, .. } => args.iter().for_each(|arg| variables_of(arg, names)),
        _ => live::each_child(expr, &mut |e| variables_of(e, names)),
    }
}
