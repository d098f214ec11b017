//! Loops whose bodies are straight-line arithmetic of one floating-point class: additions, subtractions, products, quotients and changes of sign of
//! what they load, carry and know from outside. Vector registers take the place of their numbers, whose operations are rounded one by one.

use super::access::Maps;
use crate::ir::{Binary, Class, Kind, Op, Region, Stmt, Terminator, Unary, Value};

/// Whether a loop's body is such arithmetic: it stores where `may_store` says so, and of what stands outside of it takes only numbers that are the same
/// for all points.
pub fn is_arithmetic(maps: &Maps<'_>, class: Class, body: &Region, may_store: impl Fn(usize) -> bool) -> bool {
    let mut inside: Vec<Value> = body.params.clone();
    for stmt in &body.stmts {
        let fits = |value: Value| {
            let own = maps.class(value);
            own == Class::Index || inside.contains(&value) || own == class && maps.is_uniform(value)
        };
        let mut all = may_stand(maps, class, stmt, &may_store);
        stmt.op.for_each_operand(&mut |value| all &= fits(value));
        if !all {
            return false;
        }
        inside.extend(&stmt.results);
    }
    let Terminator::Yield(yielded) = &body.term else { return false };
    yielded.iter().all(|value| inside.contains(value))
}

fn may_stand(maps: &Maps<'_>, own: Class, stmt: &Stmt, may_store: &impl Fn(usize) -> bool) -> bool {
    let class = stmt.results.first().map(|result| maps.class(*result));
    match &stmt.op {
        Op::Put(out, ..) => may_store(*out),
        op if class == Some(Class::Index) => op.kind() == Kind::Elementwise || matches!(op, Op::Const(_) | Op::Size(_)),
        Op::Load(..) | Op::Const(_) => class == Some(own),
        Op::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Div, ..) => class == Some(own),
        Op::Fma(..) | Op::Unary(Unary::Neg, _) => class == Some(own),
        _ => false,
    }
}
