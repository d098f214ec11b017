//! Functions about calls: `feval`, `nargin`, `narginchk`, `deal`, `exist`. All are answered when compiling, `exist` where a
//! variable is assigned on some ways only excepted.

use super::{Call, Handler, Results, value};
use crate::diag::{Code, Diagnostic};
use crate::ir::Class;
use crate::lower::env::Binding;
use crate::lower::{Lower, Operand, Stop};
use crate::matlab::ast::{ExprKind, Name};

pub(super) const NAMES: &[&str] =
    &["feval", "nargin", "nargout", "narginchk", "nargchk", "nargoutchk", "deal", "exist"];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "feval" => feval,
        "nargin" | "nargout" => argument_count,
        "narginchk" | "nargchk" | "nargoutchk" => check_argument_count,
        "deal" => deal,
        "exist" => exist,
        _ => return None,
    })
}

fn feval(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, usize::MAX)?;
    let (first, rest) = (&call.args[0], &call.args[1..]);
    match lower.expr(first)? {
        Operand::Function(handle) => lower.call_handle(&handle, rest, call.span, call.wanted),
        // A name that a program passed to the prelude may be that of one of its own functions.
        Operand::Text(text) => {
            let name = Name { text, span: lower.program_span(first.span) };
            lower.call_named(&name, rest, call.span, call.wanted)
        }
        Operand::Message(_) => lower.message_refused(first.span),
        _ => lower.stop(Code::FunctionValue, first.span, "`feval` needs a function or its name"),
    }
}

fn argument_count(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 0, 0)?;
    match lower.call_counts() {
        Some((given, wanted)) => {
            let count = if call.name == "nargin" { given } else { wanted };
            value(lower.number(count as f64))
        }
        None => lower.stop(Code::Unsupported, call.span, format!("`{}` stands outside a function", call.name)),
    }
}

/// `[a, b] = deal(x, y)`, or one argument for all.
fn deal(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let wanted = call.wanted.max(1);
    let given = lower.arguments(call.args)?;
    match given.len() {
        1 => Ok(vec![given[0].clone(); wanted]),
        n if n == wanted => Ok(given),
        n => lower.stop(Code::ResultCount, call.span, format!("`deal` gives {n} values to {wanted} variables")),
    }
}

/// `narginchk(least, most)`, `nargoutchk(least, most)`: how many arguments are given and results wanted is known. The older
/// `nargchk(least, most, count, 'struct')` gives its message in a struct, which is empty here.
fn check_argument_count(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 2, if call.name == "nargchk" { 4 } else { 3 })?;
    let limits = [lower.expr_value(&call.args[0])?, lower.expr_value(&call.args[1])?].map(|v| lower.constant_of(v));
    let results = call.name == "nargoutchk";
    let given = lower.call_counts().map_or(0, |(given, wanted)| if results { wanted } else { given }) as f64;
    match limits {
        // The older of the two gives a message for `error`: none here.
        [Some(least), Some(most)] if (least..=most).contains(&given) => match call.name {
            "nargchk" => Ok(vec![Operand::Text(String::new())]),
            _ => Ok(Vec::new()),
        },
        [Some(_), Some(_)] => {
            let what = if results { "results" } else { "arguments" };
            lower.stop(Code::ArgumentCount, call.span, format!("this function is called with {given} {what} here"))
        }
        _ => lower.stop(Code::NotConstant, call.span, format!("the limits of `{}` must be known numbers", call.name)),
    }
}

/// `exist('x')`, `exist('x', 'var')`: 1 for a variable that has a value here, 0 for a name that means nothing.
fn exist(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let texts: Vec<&str> = call
        .args
        .iter()
        .filter_map(|a| if let ExprKind::Str { text, .. } = &a.kind { Some(text.as_str()) } else { None })
        .collect();
    let (name, variables_only) = match texts[..] {
        [name] if call.args.len() == 1 => (name, false),
        [name, "var"] => (name, true),
        ["OCTAVE_VERSION", "builtin"] => ("OCTAVE_VERSION", false),
        _ => return refused(lower, call, "it asks for something else than a variable"),
    };
    match lower.env.get(name).cloned() {
        Some(Binding::Poison) => Err(Stop),
        Some(Binding::Maybe(_, defined)) => value(lower.convert(defined, Class::Double)),
        Some(_) => value(lower.number(1.0)),
        // Programs ask so whether they run under Octave, whose semantics these are.
        None if name == "OCTAVE_VERSION" && !variables_only => value(lower.number(5.0)),
        None if !variables_only && is_function(lower, call, name) => {
            refused(lower, call, "the name is that of a function")
        }
        None => value(lower.number(0.0)),
    }
}

fn is_function(lower: &Lower<'_>, call: &Call<'_>, name: &str) -> bool {
    lower.own_function(name, call.span).is_some() || super::known_names().any(|known| known == name)
}

fn refused(lower: &mut Lower<'_>, call: &Call<'_>, why: &str) -> Results {
    let error = Diagnostic::error(Code::Exist, call.span, format!("`exist` cannot be compiled here: {why}"));
    lower.report(
        error.help("ask for a variable, exist('x', 'var'), or use nargin to find out which arguments were given"),
    )
}
