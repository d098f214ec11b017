//! Functions of arrays and characters, of texts.

use super::{Call, Results, value};
use crate::diag::Code;
use crate::ir::Class;
use crate::lower::env::Binding;
use crate::lower::{Lower, Lowered, Operand};
use crate::matlab::ast::{Expr, ExprKind};

pub(super) const NAMES: &[&str] =
    &["strfind", "isspace", "isdigit", "isletter", "isalpha", "isupper", "islower", "dec2bin", "dec2hex", "dec2base"];

/// The longest text that `repmat` makes.
const LONGEST: usize = 100_000;

/// What the call gives if its first argument is a known text, and the function one of those here.
pub(super) fn call(lower: &mut Lower<'_>, call: &Call<'_>) -> Lowered<Option<Vec<Operand>>> {
    let Some(text) = call.args.first().and_then(|arg| known(lower, arg)) else { return kinds(lower, call) };
    match (call.name, call.args) {
        ("fliplr" | "flip", [_]) => Ok(Some(vec![Operand::Text(text.chars().rev().collect())])),
        ("repmat", [_, counts @ ..]) => repeated(lower, call, &text, counts),
        ("strfind", [_, pattern]) => match known(lower, pattern) {
            Some(pattern) => places(lower, call, &text, &pattern).map(Some),
            None => Ok(None),
        },
        ("isspace", [_]) => which(lower, call, &text, char::is_whitespace).map(Some),
        ("isdigit", [_]) => which(lower, call, &text, |c| c.is_ascii_digit()).map(Some),
        ("isletter" | "isalpha", [_]) => which(lower, call, &text, char::is_alphabetic).map(Some),
        ("isupper", [_]) => which(lower, call, &text, char::is_uppercase).map(Some),
        ("islower", [_]) => which(lower, call, &text, char::is_lowercase).map(Some),
        _ => Ok(None),
    }
}

/// Which characters are of a kind, of a text that is not known when compiling.
fn kinds(lower: &mut Lower<'_>, call: &Call<'_>) -> Lowered<Option<Vec<Operand>>> {
    let inner = match (call.name, call.args) {
        ("isspace", [_]) => "are_blank",
        ("isdigit", [_]) => "are_digits",
        ("isletter" | "isalpha", [_]) => "are_letters",
        ("isupper", [_]) => "are_upper",
        ("islower", [_]) => "are_lower",
        ("dec2bin" | "dec2hex", [_] | [_, _]) | ("dec2base", [_, _] | [_, _, _]) => {
            return digits(lower, call).map(Some);
        }
        _ => return Ok(None),
    };
    let operand = lower.expr(&call.args[0])?;
    match lower.characters_of(&operand, call.span)? {
        Some(codes) => value(lower.call_inner_value(inner, vec![codes], call.span)?).map(Some),
        None => lower.stop(Code::TextValue, call.span, "a text is expected here; char(..) makes one of codes"),
    }
}

/// `dec2bin(n)`, `dec2bin(n, length)`, `dec2hex`, `dec2base(n, base, length)`
fn digits(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let mut args = call.values(lower)?;
    match call.name {
        "dec2bin" => args.insert(1, lower.number(2.0)),
        "dec2hex" => args.insert(1, lower.number(16.0)),
        _ => {}
    }
    if args.len() == 2 {
        args.push(lower.number(1.0));
    }
    let codes = lower.call_inner_value("digits_in_base", args, call.span)?;
    value(lower.as_characters(codes))
}

/// A text that is seen without lowering anything.
fn known(lower: &Lower<'_>, arg: &Expr) -> Option<String> {
    match &arg.kind {
        ExprKind::Str { text, .. } => Some(text.clone()),
        ExprKind::Ident(name) => match lower.env.get(name) {
            Some(Binding::Is(Operand::Text(text))) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// `repmat(text, m, n)`: a known text where it stays in one row, so often as is known.
fn repeated(lower: &mut Lower<'_>, call: &Call<'_>, text: &str, counts: &[Expr]) -> Lowered<Option<Vec<Operand>>> {
    let counts = lower.size_arguments(counts)?;
    let [rows, columns] = counts.as_slice() else { return Ok(None) };
    match (rows.as_constant(), columns.as_constant().and_then(|n| usize::try_from(n).ok())) {
        (Some(1), Some(n)) if n.saturating_mul(text.len()) <= LONGEST => Ok(Some(vec![Operand::Text(text.repeat(n))])),
        (Some(1), Some(_)) => lower.stop(Code::TextValue, call.span, "this text becomes too long when it is repeated"),
        _ => {
            let codes = lower.codes(text, call.span)?;
            let counts = [rows, columns].map(|count| lower.double_of_size(count));
            let args = [&[codes], &counts[..]].concat();
            let repeated = lower.call_inner_value("repeated_codes", args, call.span)?;
            Ok(Some(vec![Operand::Value(lower.as_characters(repeated))]))
        }
    }
}

/// Where a text begins in another one, overlaps included.
fn places(lower: &mut Lower<'_>, call: &Call<'_>, text: &str, pattern: &str) -> Results {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let starts = |window: &[char]| !pattern.is_empty() && window == pattern;
    let found: Vec<f64> = text
        .windows(pattern.len().max(1))
        .enumerate()
        .filter(|(_, window)| starts(window))
        .map(|(place, _)| (place + 1) as f64)
        .collect();
    if found.is_empty() {
        let dims = vec![crate::ir::Size::constant(0); 2];
        return value(lower.filled(0.0, Class::Double, dims));
    }
    let numbers = found.into_iter().map(|place| lower.number(place)).collect();
    value(lower.row_of(numbers, call.span)?)
}

/// Of which characters something holds.
fn which(lower: &mut Lower<'_>, call: &Call<'_>, text: &str, holds: impl Fn(char) -> bool) -> Results {
    if text.is_empty() {
        let dims = vec![crate::ir::Size::constant(0); 2];
        return value(lower.filled(0.0, Class::Logical, dims));
    }
    let truths = text.chars().map(|c| lower.truth_constant(holds(c))).collect();
    value(lower.row_of(truths, call.span)?)
}
