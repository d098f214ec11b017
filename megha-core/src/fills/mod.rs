//! Filled arrays of which the program stores elements before it reads them: those need not be filled.
//!
//! `u = zeros(n, m)` is how MATLAB asks for memory; the statements behind it then store most of the array, or all. Of an array in which a scalar is repeated the
//! pass finds boxes of elements whose filling nobody can tell, and makes the statement an [`Op::FillAround`]:
//!
//! * The states of the array are followed through the statements behind the filling (`chain`), as long as these touch single elements of the newest state
//!   alone. What uses the array in another way, or an older state of it, ends the chain.
//! * A store in counted loops, by subscripts each of which follows at most one of them by steps of one, stores a box (`boxes`): all of it, since no condition
//!   stands around it, or each arm of the `if` has such a store, and no `break` or `continue` leaves these loops. The box is made of sizes that are known at the filling; that a loop has no
//!   iterations shows in them. An error on the way ends the function, and the array is dropped with it.
//! * No read of an element comes before its store (`order`): by the dependence test of [`crate::affine`], no anti-dependence leads from a read in the chain to
//!   the first store of the element.
//!
//! So elements of a box hold what was stored from when the chain ends, and before that nothing reads them: what was in the memory cannot be told. An update that needs a
//! second place for its array would copy the elements that it does not store, so it ends the chain too. An array of `Logical` stays filled: not each
//! pattern of bits is a value, and compiled code may load what it then does not use. The passes behind this one keep the order of a read and a store of one element, as of all
//! dependences.
//!
//! The interpreter puts other numbers into the boxes, so whatever compares a module before and after the passes checks all this.

mod boxes;
mod chain;
mod order;

use crate::hash::{HashMap, HashSet};
use crate::ir::{Class, Func, Op, Region, Value, Written};
use crate::kernels::accesses::{AffineView, Definitions};
use crate::kernels::old_state::OldState;
use chain::Chain;

/// More boxes of one array are left to the filling.
const MOST_BOXES: usize = 8;
/// Chains of more accesses than this are not looked into: each store is compared with each read.
const MOST_TOUCHES: usize = 200;

/// Leaves out of each filling what need not be filled.
pub fn run(func: &mut Func) {
    if !func.body.any(|op| matches!(op, Op::Fill(_))) {
        return;
    }
    let found = {
        let (defs, old) = (Definitions::of(func), OldState::new(func));
        let mut search = Search { func, defs: &defs, old: &old, known: HashSet::default(), found: HashMap::default() };
        search.known.extend(func.params.iter().map(|param| param.value));
        search.region(&func.body);
        search.found
    };
    func.body.walk_mut(&mut |stmt| {
        if let (Op::Fill(a), [result]) = (&stmt.op, &stmt.results[..])
            && let Some(boxes) = found.get(result)
        {
            stmt.op = Op::FillAround { a: *a, boxes: boxes.clone() };
        }
    });
}

struct Search<'f> {
    func: &'f Func,
    defs: &'f Definitions,
    old: &'f OldState<'f>,
    /// The values that are defined at this place.
    known: HashSet<Value>,
    /// The boxes by the filled array.
    found: HashMap<Value, Vec<Written>>,
}

impl Search<'_> {
    fn region(&mut self, region: &Region) {
        let before = self.known.clone();
        self.known.extend(&region.params);
        for (at, stmt) in region.stmts.iter().enumerate() {
            match &stmt.op {
                Op::Fill(of) => {
                    let boxes = self.boxes(region, at, *of, stmt.results[0]);
                    self.found.extend(boxes.map(|boxes| (stmt.results[0], boxes)));
                }
                Op::Kernel(_) => {}
                op => op.regions().into_iter().for_each(|inner| self.region(inner)),
            }
            self.known.extend(&stmt.results);
        }
        self.known = before;
    }

    /// The boxes of an array, filled at this place of a region, that need not be filled, if they are worth it.
    fn boxes(&self, region: &Region, at: usize, of: Value, array: Value) -> Option<Vec<Written>> {
        let ty = self.func.ty(array);
        if !self.func.ty(of).is_scalar() || ty.class == Class::Logical {
            return None;
        }
        let chain = Chain::behind(self.func, self.old, &region.stmts[at + 1..], array)?;
        if chain.touches.len() > MOST_TOUCHES {
            return None;
        }
        let scopes = chain.touches.iter().filter_map(|touch| self.defs.scope_of(touch.loops.first()?.counter));
        let mut view = AffineView::new(&self.func.symbols, self.defs, scopes).with_locals();
        let mut found: Vec<Written> = Vec::new();
        for store in chain.stores() {
            let Some((stored, rounds)) = boxes::stored(self, &mut view, ty, store) else { continue };
            if !found.contains(&stored) && order::is_first(&mut view, ty, &chain, store, &rounds) {
                found.push(stored);
            }
        }
        found.sort_by_key(|stored| !boxes::is_large(stored, &ty.dims));
        found.truncate(MOST_BOXES);
        found.first().is_some_and(|stored| boxes::is_large(stored, &ty.dims)).then_some(found)
    }
}

#[cfg(test)]
mod tests;
