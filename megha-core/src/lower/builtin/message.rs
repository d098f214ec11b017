//! Messages: errors and printing.

use super::{Call, Handler, Results};
use crate::diag::Code;
use crate::ir::{Op, Value};
use crate::lower::{Lower, Lowered, Operand};
use crate::matlab::ast::Expr;
use crate::source::Span;

pub(super) const NAMES: &[&str] = &["error", "fprintf", "printf", "disp", "display", "assert", "warning", "toc"];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "error" => error,
        "fprintf" | "printf" => print,
        "disp" | "display" => disp,
        "assert" => assert,
        "warning" | "toc" => |_, _| Ok(Vec::new()),
        _ => return None,
    })
}

/// A format and the values for it; a text argument takes its place in the format.
fn format(lower: &mut Lower<'_>, args: &[Expr], span: Span) -> Lowered<(String, Vec<Value>)> {
    let Some((first, rest)) = args.split_first() else {
        return lower.stop(Code::ArgumentCount, span, "a message is missing");
    };
    let Operand::Text(mut format) = lower.expr(first)? else {
        return lower.stop(Code::TextValue, first.span, "the first argument must be a text");
    };
    let mut values = Vec::new();
    for arg in rest {
        match lower.expr(arg)? {
            Operand::Value(v) => values.push(v),
            Operand::Text(text) => match format.find("%s") {
                Some(at) => format.replace_range(at..at + 2, &text.replace('%', "%%")),
                None => return lower.stop(Code::Unsupported, arg.span, "a text here needs its %s in the format"),
            },
            Operand::Function(_) => return lower.stop(Code::FunctionValue, arg.span, "a function cannot be printed"),
        }
    }
    Ok((megha_base::format::unescape(&format), values))
}

/// `error(format, ..)`, `error(id, format, ..)`
fn error(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let mut args = call.args;
    if let [id, rest @ ..] = args
        && !rest.is_empty()
        && let crate::matlab::ast::ExprKind::Str { text, .. } = &id.kind
        && text.contains(':')
        && !text.contains([' ', '%'])
    {
        args = rest;
    }
    let (format, values) = format(lower, args, call.span)?;
    let before = lower.here(call.span);
    lower.builder.effect(Op::Raise(format, values));
    lower.builder.set_loc(before);
    lower.unreachable = true;
    Ok(Vec::new())
}

fn print(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    // A leading 1 or 2 is the standard output or error.
    let mut args = call.args;
    if let [first, rest @ ..] = args
        && let crate::matlab::ast::ExprKind::Number { value, imaginary: false } = first.kind
        && (value == 1.0 || value == 2.0)
        && !rest.is_empty()
    {
        args = rest;
    }
    let (format, values) = format(lower, args, call.span)?;
    let before = lower.here(call.span);
    lower.builder.effect(Op::Print(format, values));
    lower.builder.set_loc(before);
    Ok(Vec::new())
}

fn disp(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let before = lower.here(call.span);
    match lower.expr(&call.args[0])? {
        Operand::Text(text) => lower.builder.effect(Op::Print(text.replace('%', "%%") + "\n", Vec::new())),
        Operand::Value(v) if lower.is_scalar(v) => lower.builder.effect(Op::Print("%g\n".into(), vec![v])),
        _ => {
            return lower.stop(
                Code::Unsupported,
                call.span,
                "`disp` prints texts and single numbers; use fprintf for arrays",
            );
        }
    }
    lower.builder.set_loc(before);
    Ok(Vec::new())
}

fn assert(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    let cond = lower.condition(&call.args[0])?;
    let text = match call.args.get(1) {
        Some(_) => format(lower, &call.args[1..], call.span)?.0,
        None => "assertion failed".to_owned(),
    };
    lower.assert_all(cond, &text, call.span);
    Ok(Vec::new())
}

impl Lower<'_> {
    /// Displays the value of a statement that does not end in `;`.
    pub fn display(&mut self, name: &str, value: Value, span: Span) {
        let before = self.here(span);
        if self.is_scalar(value) {
            self.builder.effect(Op::Print(format!("{name} = %g\n"), vec![value]));
        }
        self.builder.set_loc(before);
    }
}
