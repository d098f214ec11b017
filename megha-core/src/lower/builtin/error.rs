//! Errors that the program raises.

use super::output::format_of;
use super::{Call, Handler, Results};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Op, Region, Terminator, Value};
use crate::lower::text::template;
use crate::lower::{Lower, Lowered};
use crate::matlab::ast::{Expr, ExprKind};
use crate::matlab::print_expression;
use crate::source::Span;

pub(super) const NAMES: &[&str] = &["error", "assert", "print_usage"];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "error" => error,
        "assert" => assert,
        "print_usage" => |lower, call| {
            let function = lower.calls.last().cloned().unwrap_or_default();
            invalid_call(lower, &function, call.span)
        },
        _ => return None,
    })
}

/// An identifier in front of a format: `part:part`, without blanks.
pub(super) fn without_identifier(args: &[Expr]) -> (String, &[Expr]) {
    if let [id, rest @ ..] = args
        && !rest.is_empty()
        && let ExprKind::Str { text, .. } = &id.kind
        && text.contains(':')
        && !text.ends_with(':')
        && !text.contains([' ', '\t', '\n', '%'])
    {
        return (text.clone(), rest);
    }
    (String::new(), args)
}

/// A text without arguments is the message as it is, not a format: its template and values.
pub(super) fn message_as_it_is(lower: &mut Lower<'_>, args: &[Expr]) -> Lowered<Option<(String, Vec<Value>)>> {
    let [only] = args else { return Ok(None) };
    Ok(lower.expr(only)?.pieces().map(|pieces| template(&pieces)))
}

/// What `error` with these arguments does.
fn raised(lower: &mut Lower<'_>, args: &[Expr], span: Span) -> Lowered<Op> {
    let (identifier, args) = without_identifier(args);
    if identifier.is_empty()
        && let Some((format, args)) = message_as_it_is(lower, args)?
    {
        // A line break at the end only keeps Octave from naming the place.
        let format = format.strip_suffix('\n').unwrap_or(&format).to_owned();
        return Ok(Op::Raise { identifier, format, args });
    }
    let message = format_of(lower, args, span)?;
    let format = message.format.strip_suffix('\n').unwrap_or(&message.format).to_owned();
    Ok(Op::Raise { identifier, format, args: message.values })
}

/// Raises what Octave says of a call without the arguments that it needs.
fn invalid_call(lower: &mut Lower<'_>, function: &str, span: Span) -> Results {
    let identifier = "Octave:invalid-fun-call".to_owned();
    raise(lower, Op::Raise { identifier, format: format!("Invalid call to {function}"), args: Vec::new() }, span)
}

fn raise(lower: &mut Lower<'_>, op: Op, span: Span) -> Results {
    let before = lower.here(span);
    lower.builder.effect(op);
    lower.builder.set_loc(before);
    lower.unreachable = true;
    Ok(Vec::new())
}

/// `error(format, ..)`, `error(id, format, ..)`
fn error(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    if call.args.is_empty() {
        return invalid_call(lower, "error", call.span);
    }
    let op = raised(lower, call.args, call.span)?;
    if matches!(&op, Op::Raise { identifier, format, .. } if identifier.is_empty() && format.is_empty()) {
        // No message, no error: `error(nargchk(1, 2, nargin))` relies on it.
        return Ok(Vec::new());
    }
    raise(lower, op, call.span)
}

/// `assert(cond)`, `assert(cond, format, ..)`
fn assert(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    let cond = lower.asserted(&call.args[0])?;
    let Some(second) = call.args.get(1) else {
        let text = format!("assert ({}) failed", print_expression(&call.args[0]));
        lower.assert_all(cond, &text, call.span);
        return Ok(Vec::new());
    };
    if lower.constant_of(cond).is_some_and(|c| c != 0.0) {
        return Ok(Vec::new());
    }
    if lower.expr(second)?.pieces().is_none() {
        return lower.report(
            Diagnostic::error(Code::Unsupported, call.span, "`assert` with two values to compare is not supported")
                .help("compare them yourself: assert(all(abs(a(:) - b(:)) < tol))"),
        );
    }
    let fails = lower.not(cond);
    let (mark, _) = lower.open_region(Vec::new());
    let op = raised(lower, &call.args[1..], call.span);
    let before = lower.here(call.span);
    op.map(|op| lower.builder.effect(op)).unwrap_or_default();
    let then = lower.close_region(mark, Terminator::Unreachable);
    let els = Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Yield(Vec::new()) };
    lower.builder.effect(Op::If { cond: fails, then: Box::new(then), els: Box::new(els) });
    lower.builder.set_loc(before);
    Ok(Vec::new())
}
