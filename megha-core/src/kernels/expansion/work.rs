//! Work arrays: arrays that a loop carries although each iteration stores what it reads of them.
//!
//! The first unit that touches such an array stores, at each of its points, the element that the point's numbers say; all else that an
//! iteration touches is among these elements. So no iteration needs what an earlier one has left (the array is *privatisable*: P. Tu, D.
//! Padua, "Automatic Array Privatization", 1993), and the array is one that the iteration makes for itself. Behind the loop it holds
//! what the last iteration has stored.

use super::legality::Access;
use super::pieces::Pieces;
use crate::ir::{Func, Mem, Op, Out, Size, Value};
use crate::kernels::accesses::{AffineView, Definitions};

/// A carried array that each iteration makes for itself.
pub(super) struct Work {
    /// The unit that makes it, and as which result.
    pub unit: usize,
    pub out: usize,
    /// How many elements an iteration stores along each dimension.
    pub dims: Vec<Size>,
}

/// The carried array of this number as a work array, if it is one; all accesses to it.
pub(super) fn work(
    func: &Func,
    defs: &Definitions,
    pieces: &Pieces<'_>,
    number: usize,
    accesses: &[&Access<'_>],
) -> Option<Work> {
    let first = accesses.iter().map(|access| access.unit).min()?;
    let unit = &pieces.units[first];
    let out = unit.results.iter().position(|result| pieces.states.get(result) == Some(&number))?;
    let params = &pieces.carried[number].params;
    if unit.kernel.outs[out].updated().is_none_or(|array| !params.contains(&array)) {
        return None;
    }
    // The unit's first access is a store, at each point.
    let stmts = &unit.kernel.body.stmts;
    let touches = |op: &Op| match op {
        Op::Put(other, ..) | Op::Load(Mem::Out(other), _) => *other == out,
        _ => false,
    };
    let Op::Put(_, subs, _) = &stmts.iter().find(|stmt| stmt.any(touches))?.op else { return None };
    let dims = stored(&func.ty(unit.results[out]).dims, subs, &unit.kernel.body.params, &unit.kernel.domain)?;
    let uses_old = |op: &Op| matches!(op, Op::Load(Mem::In(array), _) if params.contains(array));
    let updates_old = |out: &&Out| out.updated().is_some_and(|array| params.contains(&array));
    let makes = !pieces.units.iter().any(|unit| unit.kernel.body.any(uses_old))
        && pieces.units.iter().flat_map(|unit| &unit.kernel.outs).filter(updates_old).count() == 1;
    let mut view = AffineView::new(&func.symbols, defs, [pieces.scope]);
    let inside = accesses.iter().all(|access| is_inside(&mut view, access, &dims));
    (makes && inside).then_some(Work { unit: first, out, dims })
}

/// How many elements are stored along each dimension if a store's subscripts are the numbers of a kernel's loops, each once.
fn stored(dims: &[Size], subs: &[Value], params: &[Value], domain: &[Size]) -> Option<Vec<Size>> {
    let mut free: Vec<usize> = (0..params.len()).collect();
    let mut found = Vec::with_capacity(dims.len());
    for (dim, sub) in dims.iter().zip(subs) {
        match free.iter().position(|axis| params[*axis] == *sub) {
            Some(at) => found.push(domain[free.remove(at)].clone()),
            None if dim.is_one() => found.push(dim.clone()),
            None => return None,
        }
    }
    (subs.len() == dims.len() && free.is_empty()).then_some(found)
}

/// Whether an access stays among so many elements.
fn is_inside(view: &mut AffineView<'_>, access: &Access<'_>, dims: &[Size]) -> bool {
    let guards = view.guards(&access.loops, &access.guards);
    let inside = |(sub, dim): (&Value, &Size)| match (view.expr(*sub), view.size(dim)) {
        (Some(sub), Some(extent)) => view.in_bounds(&access.loops, &guards, &sub, &extent),
        _ => false,
    };
    access.subs.len() == dims.len() && access.subs.iter().zip(dims).all(inside)
}
