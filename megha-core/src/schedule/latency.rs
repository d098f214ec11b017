//! How long the results of straight-line code take: the longest chain of dependent operations, in cycles.
//!
//! A processor overlaps the iterations of a loop over points only as far as its window reaches, some 250 instructions. A body whose
//! chain is longer than what it computes in that window leaves the arithmetic units idle, however simple its operations.

use crate::hash::HashMap;

use crate::ir::{Binary, Class, Func, Module, Op, Stmt, Terminator, Unary, Value};
use crate::math::{Definition, Operation, definition};

/// The longest chain of dependent operations that a loop over points may hold, in cycles: what a processor's window of some 250
/// instructions overlaps hides a chain of this length and no longer ones.
pub const LONG: u32 = 90;

/// Cycles from the operands of an operation on doubles to its result; the figures of recent x86 processors. A function that has a
/// definition takes what its definition takes. Operations on singles take as long, their functions no longer.
pub fn latency(op: &Op) -> u32 {
    match op {
        Op::Const(_) | Op::Size(_) => 0,
        Op::Unary(Unary::Sqrt, _) => 20,
        Op::Binary(Binary::Div | Binary::Mod | Binary::Rem | Binary::Divu | Binary::Remu, ..) => 13,
        Op::Binary(Binary::Add | Binary::Sub, ..) => 3,
        Op::Binary(Binary::Mul, ..) | Op::Fma(..) | Op::Load(..) => 4,
        op => costly(op).map_or(1, of_definition),
    }
}

/// The definition of an operation on doubles that is worth cutting into ([`is_costly`]).
pub fn costly(op: &Op) -> Option<Definition> {
    operation(op).and_then(|operation| definition(operation, Class::Double))
}

/// Whether an operation has a definition that is worth cutting into: `exp`, `erf`, `pow` and their like.
pub fn is_costly(op: &Op) -> bool {
    operation(op).is_some()
}

fn operation(op: &Op) -> Option<Operation> {
    match op {
        Op::Unary(op, _) if (Unary::Exp..=Unary::Gamma).contains(op) => Some(Operation::Unary(*op)),
        Op::Binary(op @ (Binary::Pow | Binary::Atan2 | Binary::Hypot), ..) => Some(Operation::Binary(*op)),
        _ => None,
    }
}

fn of_definition(definition: Definition) -> u32 {
    of_function(definition.module, definition.func())
}

fn of_function(module: &Module, func: &Func) -> u32 {
    let mut ready = HashMap::default();
    for stmt in &func.body.stmts {
        let own = if let Op::Call(id, _) = &stmt.op {
            of_function(module, &module.funcs[id.index()])
        } else {
            latency(&stmt.op)
        };
        note(stmt, own, &mut ready);
    }
    let Terminator::Return(results) = &func.body.term else { return 0 };
    results.iter().filter_map(|v| ready.get(v)).copied().max().unwrap_or(0)
}

/// The longest chain through statements without regions.
pub fn chain(stmts: &[Stmt]) -> u32 {
    let mut ready = HashMap::default();
    stmts.iter().for_each(|stmt| note(stmt, latency(&stmt.op), &mut ready));
    ready.into_values().max().unwrap_or(0)
}

/// Notes when the results of a statement are there.
fn note(stmt: &Stmt, own: u32, ready: &mut HashMap<Value, u32>) {
    let mut start = 0;
    stmt.op.for_each_operand(&mut |v| start = start.max(ready.get(&v).copied().unwrap_or(0)));
    ready.extend(stmt.results.iter().map(|r| (*r, start + own)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    #[test]
    fn the_longest_chain_counts() {
        let text = "func @f(%x: f64, %y: f64) -> f64 {
            %a = mul %x, %x
            %b = fma %a, %x, %y
            %c = div %x, %y
            %d = add %c, %b
            return %d
        }";
        let module = parse(text).unwrap();
        assert_eq!(chain(&module.funcs[0].body.stmts), 13 + 3);
    }

    #[test]
    fn functions_take_what_their_definitions_take() {
        let of = |op: Unary| latency(&Op::Unary(op, Value::new(0)));
        assert!(of(Unary::Erf) > of(Unary::Exp), "{} and {}", of(Unary::Erf), of(Unary::Exp));
        assert!((50..100).contains(&of(Unary::Exp)), "{}", of(Unary::Exp));
        assert_eq!(of(Unary::Abs), 1);
    }
}
