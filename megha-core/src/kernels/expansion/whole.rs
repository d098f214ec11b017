//! Whole arrays: a kernel that stores all elements of an array makes it, and one that does nothing but copy another array is that array.
//!
//! `y(i, :) = e` stores a row; over all rows it stores the array, so what the array was before (zeros, mostly) is not needed.

use crate::hash::HashMap;
use crate::ir::{Func, Kernel, Mem, Op, Out, Type, Value, Walk};
use crate::kernels::accesses::Definitions;
use crate::kernels::doall::fresh;

/// Looks at the kernels that give one of these values; gives what stands for the results of copies, which may go.
pub(super) fn run(func: &mut Func, made: &[Value]) -> HashMap<Value, Value> {
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    let mut copies = HashMap::default();
    body.walk_mut(&mut |stmt| {
        let Op::Kernel(kernel) = &mut stmt.op else { return Walk::Advance };
        if stmt.results.iter().any(|result| made.contains(result)) {
            fresh::run(func, &defs, kernel, &stmt.results);
            if let [result] = stmt.results[..]
                && let Some(source) = copied(func, kernel, func.ty(result))
            {
                copies.insert(result, source);
            }
        }
        Walk::Skip
    });
    func.body = body;
    copies
}

/// The array that a kernel copies, element by element in the same place.
fn copied(func: &Func, kernel: &Kernel, ty: &Type) -> Option<Value> {
    let stmts = kernel.body.stmts.iter().filter(|stmt| !matches!(stmt.op, Op::Const(_)));
    let [load, put] = stmts.collect::<Vec<_>>()[..] else { return None };
    let (Op::Load(Mem::In(source), from), Op::Put(0, to, value)) = (&load.op, &put.op) else { return None };
    let long = |subs: &[Value]| -> Vec<Value> {
        subs.iter().zip(&ty.dims).filter(|(_, dim)| !dim.is_one()).map(|(sub, _)| *sub).collect()
    };
    let own = |subs: &[Value]| subs.len() == ty.dims.len() && long(subs) == kernel.body.params;
    let is_whole = ty.dims.iter().filter(|dim| !dim.is_one()).eq(&kernel.domain);
    let is_copy = load.results == [*value] && kernel.outs == [Out::Fresh] && own(from) && own(to);
    (is_copy && is_whole && func.ty(*source) == ty).then_some(*source)
}
