//! Functions that make complex numbers or take them apart.

use super::{Call, Handler, Results, value};
use crate::ir::{Class, Value};
use crate::lower::Lower;
use crate::lower::facts::Facts;

pub(super) const NAMES: &[&str] =
    &["complex", "real", "imag", "conj", "angle", "arg", "isreal", "iscomplex", "i", "j", "I", "J"];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "complex" => complex,
        "real" => |l, c| {
            let z = argument(l, c)?;
            if !l.is_complex(z) {
                return value(l.convert_number(z));
            }
            value(l.parts(z).0)
        },
        "imag" => |l, c| {
            let z = argument(l, c)?;
            if !l.is_complex(z) {
                let ty = l.builder.func.ty(z).clone();
                let class = if ty.class == Class::Logical { Class::Double } else { ty.class };
                return value(l.filled(0.0, class, ty.dims));
            }
            value(l.parts(z).1)
        },
        "conj" => |l, c| {
            let z = argument(l, c)?;
            value(l.conjugate(z, c.span)?)
        },
        "angle" | "arg" => |l, c| {
            let z = argument(l, c)?;
            if !l.is_complex(z) {
                return l.call_inner("angle_of_real", vec![z], c.span, 1);
            }
            value(l.argument(z, c.span)?)
        },
        "isreal" | "iscomplex" => |l, c| {
            let z = argument(l, c)?;
            // `complex(1, 0)` stays complex until something is computed with it.
            let complex = match l.is_complex(z) && l.facts(z).paired {
                true => l.truth_constant(true),
                false => l.has_imaginary(z, c.span)?,
            };
            value(if c.name == "isreal" { l.not(complex) } else { complex })
        },
        "i" | "j" | "I" | "J" => |l, c| {
            c.arity(l, 0, 0)?;
            value(l.imaginary(1.0))
        },
        _ => return None,
    })
}

fn argument(lower: &mut Lower<'_>, call: &Call<'_>) -> super::Lowered<Value> {
    call.arity(lower, 1, 1)?;
    call.one_result(lower)?;
    lower.expr_value(&call.args[0])
}

/// `complex(x)`, `complex(re, im)`
fn complex(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 2)?;
    let v = call.values(lower)?;
    match v[..] {
        [re, im] => made(lower, re, im, call),
        [one] if lower.is_complex(one) => value(one),
        _ => {
            let zero = lower.number(0.0);
            made(lower, v[0], zero, call)
        }
    }
}

fn made(lower: &mut Lower<'_>, re: Value, im: Value, call: &Call<'_>) -> Results {
    let z = lower.complex(re, im, call.span)?;
    lower.learn(z, Facts { paired: true, ..lower.facts(z) });
    value(z)
}
