//! Results that the caller's own memory receives: kernels store into the array that they replace.
//!
//! A kernel that stores every element of an array needs none of its old ones and makes a new array. Here the old array is
//! the caller's view, where the result must arrive anyway; so such a kernel updates it instead, which saves the new
//! memory and a copy.

use super::ast::{Function, ParamType};
use super::complex::owners;
use super::swap::swaps;
use super::types::Types;
use crate::ir::{Func, Op, Out, Stmt, Terminator, Value};

/// Makes the kernels that define the final states of mutable arrays update the parameters themselves.
pub(super) fn run(func: &mut Func, function: &Function, types: &Types) {
    let Terminator::Return(results) = func.body.term.clone() else { return };
    let params = owners(function, &|number| types.class(number)).into_iter().zip(&func.params);
    let is_mutable = |number: usize| matches!(function.params[number].ty, ParamType::Array { mutable: true, .. });
    let mutable = params.filter(|(number, _)| is_mutable(*number));
    let arrays: Vec<(usize, Value)> = mutable.map(|(number, param)| (number, param.value)).collect();
    let mut pairs = Vec::new();
    swaps(&function.body, &mut pairs);
    // Of what is exchanged the states are not those of one array.
    let exchanged: Vec<usize> = pairs.iter().flat_map(|(a, b)| [a, b]).map(|name| types.variable(name.span)).collect();
    for ((number, param), result) in arrays.into_iter().zip(results) {
        if !exchanged.contains(&number) {
            update(&mut func.body.stmts, param, result);
        }
    }
}

/// Follows the states of an array backwards to a kernel that makes it anew.
fn update(stmts: &mut [Stmt], param: Value, mut state: Value) {
    for stmt in stmts.iter_mut().rev() {
        let Some(number) = stmt.results.iter().position(|r| *r == state) else { continue };
        let Op::Kernel(kernel) = &mut stmt.op else { return };
        match &mut kernel.outs[number] {
            Out::Update(before) => state = *before,
            out @ Out::Fresh => {
                *out = Out::Update(param);
                return;
            }
            Out::Reduce(..) => return,
        }
    }
}
