//! Arrays all of whose elements a kernel stores: it makes them instead of updating others.

use crate::affine::LinExpr;
use crate::hash::HashMap;
use crate::ir::{Func, Kernel, Mem, Op, Out, Region, Stmt, Type, Value};
use crate::kernels::accesses::{AffineView, Definitions};

/// Makes each updated out-variable fresh that the kernel never loads from and stores by one unconditional `Put` whose
/// subscripts are, in some order, the iteration numbers of all its loops, each upwards or downwards over the extent of
/// that dimension. Loads before the `Put` from an array that starts filled with one scalar become that scalar: no other
/// iteration stores what they load.
pub(crate) fn run(func: &Func, defs: &Definitions, kernel: &mut Kernel, results: &[Value]) {
    for (number, result) in results.iter().enumerate() {
        let puts = kernel.body.count(|op| matches!(op, Op::Put(n, ..) if *n == number));
        let unconditional = kernel.body.stmts.iter().enumerate().find_map(|(at, s)| match &s.op {
            Op::Put(n, subs, _) if *n == number => Some((at, subs.clone())),
            _ => None,
        });
        let Some((at, subs)) = unconditional.filter(|_| puts == 1) else { continue };
        let loads = |op: &Op| matches!(op, Op::Load(Mem::Out(n), _) if *n == number);
        let (before, after) = kernel.body.stmts.split_at(at);
        let filled = kernel.outs[number].updated().and_then(|array| defs.filled_with(array));
        let filled = filled.filter(|element| func.ty(*element).is_scalar());
        let read = |stmts: &[Stmt]| stmts.iter().any(|stmt| stmt.any(loads));
        let unread = !read(after) && (filled.is_some() || !read(before));
        if !unread || !covers(func, defs, kernel, &subs, func.ty(*result)) {
            continue;
        }
        kernel.outs[number] = Out::Fresh;
        if let Some(scalar) = filled {
            let mut renamed = HashMap::default();
            replace_loads(&mut kernel.body, number, scalar, &mut renamed);
        }
    }
}

/// Replaces what is loaded from an out-variable by a scalar.
fn replace_loads(region: &mut Region, out: usize, scalar: Value, renamed: &mut HashMap<Value, Value>) {
    region.stmts.retain_mut(|stmt| {
        stmt.op.for_each_operand_mut(&mut |v| *v = renamed.get(v).copied().unwrap_or(*v));
        if matches!(stmt.op, Op::Load(Mem::Out(n), _) if n == out) {
            renamed.insert(stmt.results[0], scalar);
            return false;
        }
        stmt.op.regions_mut().into_iter().for_each(|r| replace_loads(r, out, scalar, renamed));
        true
    });
    region.term.values_mut().iter_mut().for_each(|v| *v = renamed.get(v).copied().unwrap_or(*v));
}

fn covers(func: &Func, defs: &Definitions, kernel: &Kernel, subs: &[Value], ty: &Type) -> bool {
    let mut view = AffineView::new(&func.symbols, defs, kernel.body.params.first().and_then(|v| defs.scope_of(*v)));
    let extended: Vec<usize> = (0..ty.dims.len()).filter(|axis| !ty.dims[*axis].is_one()).collect();
    let subs: Vec<Value> = match (subs.len(), extended.len()) {
        (1, 1) => subs.to_vec(),
        (1, _) => return false,
        _ => extended.iter().map(|axis| subs[*axis]).collect(),
    };
    let mut free: Vec<usize> = (0..kernel.domain.len()).collect();
    for (axis, sub) in extended.iter().zip(subs) {
        let Some(sub) = view.expr(sub) else { return false };
        let dim = &ty.dims[*axis];
        let by = free.iter().position(|l| {
            let counter = view.expr(kernel.body.params[*l]).unwrap_or_default();
            let last = view.size(dim).and_then(|d| d.checked_offset(-1));
            let downwards = last.and_then(|last: LinExpr| last.checked_sub(&counter));
            kernel.domain[*l] == *dim && (sub == counter || Some(&sub) == downwards.as_ref())
        });
        match by {
            Some(at) => free.remove(at),
            None => return false,
        };
    }
    free.iter().all(|l| kernel.domain[*l].is_one())
}
