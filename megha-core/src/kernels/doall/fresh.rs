//! Arrays all of whose elements a kernel stores: it makes them instead of updating others.

use crate::affine::LinExpr;
use crate::ir::{Func, Kernel, Mem, Op, Out, Region, Type, Value};
use crate::kernels::accesses::{AffineView, Definitions};

/// Makes each updated out-variable fresh that the kernel never loads from and stores by one unconditional `Put` whose
/// subscripts are, in some order, the iteration numbers of all its loops, each upwards or downwards over the extent of
/// that dimension.
pub(super) fn run(func: &Func, defs: &Definitions, kernel: &mut Kernel, results: &[Value]) {
    for (number, result) in results.iter().enumerate() {
        let loads = count(&kernel.body, &|op| matches!(op, Op::Load(Mem::Out(n), _) if *n == number));
        let puts = count(&kernel.body, &|op| matches!(op, Op::Put(n, ..) if *n == number));
        let unconditional = kernel.body.stmts.iter().find_map(|s| match &s.op {
            Op::Put(n, subs, _) if *n == number => Some(subs.clone()),
            _ => None,
        });
        let Some(subs) = unconditional.filter(|_| loads == 0 && puts == 1) else { continue };
        if covers(func, defs, kernel, &subs, func.ty(*result)) {
            kernel.outs[number] = Out::Fresh;
        }
    }
}

fn count(region: &Region, holds: &impl Fn(&Op) -> bool) -> usize {
    let nested = |op: &Op| op.regions().into_iter().map(|r| count(r, holds)).sum::<usize>();
    region.stmts.iter().map(|s| usize::from(holds(&s.op)) + nested(&s.op)).sum()
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
