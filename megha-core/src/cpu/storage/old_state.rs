//! Which operations read the state that an array had before they update it.

use crate::ir::{Mem, Op, Out, Region, Value};

/// Whether the operation reads the old state of an array that it updates, other than the very elements that the same iteration then
/// stores.
pub fn reads_old_state(op: &Op, array: Value) -> bool {
    match op {
        Op::Store { subs, value, .. } => *value == array || subs.iter().any(|s| s.value() == Some(array)),
        Op::Kernel(kernel) => {
            let out = kernel.outs.iter().position(|o| *o == Out::Update(array));
            kernel.outs.iter().filter(|o| **o == Out::Update(array)).count() > 1
                || !out.is_some_and(|out| reads_before_storing(&kernel.body, array, out))
        }
        Op::Resize(_) => false,
        Op::Concat(_, parts) => parts[1..].contains(&array),
        _ => true,
    }
}

/// Whether a kernel's body loads from the old state of `array` only what the same iteration stores in out-variable `out` later: no
/// other iteration stores there. Loads of the out-variable itself see the state that it is in.
fn reads_before_storing(body: &Region, array: Value, out: usize) -> bool {
    if !loads_from(body, array) {
        return true;
    }
    let mut loads: Vec<&Vec<Value>> = Vec::new();
    let mut stored: Vec<&Vec<Value>> = Vec::new();
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Load(Mem::In(from), subs) if *from == array => {
                if !stored.is_empty() {
                    return false;
                }
                loads.push(subs);
            }
            Op::Put(number, subs, _) if *number == out => stored.push(subs),
            op => {
                if op.regions().into_iter().any(|r| loads_from(r, array) || stores_in(r, out)) {
                    return false;
                }
            }
        }
    }
    loads.iter().all(|subs| stored.contains(subs))
}

fn stores_in(region: &Region, out: usize) -> bool {
    region.any(|op| matches!(op, Op::Put(number, ..) if *number == out))
}

fn loads_from(region: &Region, array: Value) -> bool {
    region.any(|op| matches!(op, Op::Load(Mem::In(from), _) if *from == array))
}
