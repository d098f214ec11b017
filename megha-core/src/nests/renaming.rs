//! Renaming of arrays: a loop that only overwrites what others have read before reads the array as it was before the loop
//! (D. Kuck et al., "Dependence Graphs and Compiler Optimizations", POPL 1981).
//!
//! ```text
//! for i { for j { for k > i { b(i, j) = b(i, j) + a(k, i) * b(k, j) } } }      reads      b0(k, j), the rows below as they were
//! ```
//!
//! Iteration `i` must come before iteration `k`, which stores row `k`, but for no other reason than that the array has one place in memory. With two,
//! the loop is parallel, and what its rows share can be packed. In the IR that is nothing but another operand, as arrays are values; who makes room for both finds out that
//! the array is copied ([`crate::kernels::second_place`]). So it is done where that costs little beside the loop, which stores to about all of the array and reads the element under more loops than that
//! has dimensions, and where no other dependence keeps the loop in order.

use super::contents::{Contents, Site, contents};
use super::dependence::{conflict, domains};
use super::replace_loops;
use crate::affine::{AccessKind, Dependence, Order, Pair};
use crate::ir::{Func, Op, Region, Size, Stmt, Sub, Type, Value};
use crate::kernels::accesses::{AffineView, Counted, Definitions, Extent, counted_loops};
use crate::kernels::second_place::go_through_most;

/// Rewrites the nests of a function.
pub(super) fn run(func: &mut Func) {
    replace_loops(func, |func, defs, stmt| {
        let contents = contents(func, stmt).ok()?;
        let mut stmt = stmt.clone();
        if let Some(reads) = renamed(func, defs, &stmt, &contents) {
            rename(&mut stmt, &contents, &reads);
        }
        Some(vec![stmt])
    });
}

/// The reads of what was there before the loop, if without them it is parallel.
fn renamed(func: &Func, defs: &Definitions, stmt: &Stmt, contents: &Contents) -> Option<Vec<Site>> {
    let Op::For { init, body, .. } = &stmt.op else { return None };
    let counter = body.params[0];
    let deep = |site: &&Site| {
        let dims = func.ty(init[site.array]).dims.iter().filter(|dim| !dim.is_one()).count();
        let is_deep = site.kind == AccessKind::Read && site.update.is_none() && site.loops.len() > dims;
        is_deep
            && contents
                .sites
                .iter()
                .any(|store| store.array == site.array && covers(func, defs, store, init[site.array]))
    };
    let candidates: Vec<&Site> = contents.sites.iter().filter(deep).collect();
    if candidates.is_empty() || conflict(func, defs, counter, contents, 0).is_none() {
        return None;
    }
    let mut view = AffineView::new(&func.symbols, defs, defs.scope_of(counter)).with_locals();
    let is_stored = |site: &Site| site.kind == AccessKind::Write;
    let mut is_old = |read: &Site| {
        let stores = contents.sites.iter().filter(|site| is_stored(site) && site.array == read.array);
        stores.into_iter().all(|store| !may_come_before(&mut view, func.ty(init[read.array]), store, read))
    };
    let (old, sites): (Vec<Site>, Vec<Site>) =
        contents.sites.iter().cloned().partition(|site| deep(&site) && is_old(site));
    // Under another condition it may be the new one.
    if sites.iter().any(|site| old.iter().any(|read| is_alike(site, read))) {
        return None;
    }
    let rest = Contents { sites, version: contents.version.clone(), ..Contents::default() };
    (!old.is_empty() && conflict(func, defs, counter, &rest, 0).is_none()).then_some(old)
}

/// Whether an access stores to about all of an array, as far as the loops around it say.
fn covers(func: &Func, defs: &Definitions, store: &Site, array: Value) -> bool {
    let extent = |counted: &Counted| match &counted.extent {
        Extent::Size(size) => Some(size.clone()),
        Extent::Trip(trip) => defs.trip_size(*trip),
    };
    let loops: Vec<Size> = store.loops.iter().filter_map(extent).collect();
    store.kind == AccessKind::Write && go_through_most(func, &loops, array)
}

/// Whether two accesses differ in their conditions alone.
fn is_alike(a: &Site, b: &Site) -> bool {
    let counters = |site: &Site| site.loops.iter().map(|l| l.counter).collect::<Vec<Value>>();
    (a.array, a.kind, &a.subs) == (b.array, b.kind, &b.subs) && counters(a) == counters(b)
}

/// Whether a store may make what a read sees.
fn may_come_before(view: &mut AffineView<'_>, ty: &Type, store: &Site, read: &Site) -> bool {
    let common = store.loops.iter().zip(&read.loops).take_while(|(a, b)| a.counter == b.counter).count();
    let [stored, seen] = [store, read].map(|site| view.access(site.kind, ty, &site.subs));
    let [stores, reads] = [(store, &stored), (read, &seen)].map(|(site, access)| domains(view, site, access));
    let after = |dependence: Dependence| dependence.order() != Order::SecondThenFirst;
    stores.iter().any(|store| {
        reads
            .iter()
            .any(|read| Pair::new((store, &stored), (read, &seen), common).dependences_inside(0).into_iter().any(after))
    })
}

/// Makes the reads of a loop be of the arrays before it.
fn rename(stmt: &mut Stmt, contents: &Contents, reads: &[Site]) {
    let mut loops: Vec<Counted> = counted_loops(&stmt.op);
    let Op::For { init, body, .. } = &mut stmt.op else { return };
    let init = init.clone();
    Rename { contents, reads, init: &init }.region(body, &mut loops);
}

struct Rename<'r> {
    contents: &'r Contents,
    reads: &'r [Site],
    /// The arrays before the loop.
    init: &'r [Value],
}

impl Rename<'_> {
    fn region(&self, region: &mut Region, loops: &mut Vec<Counted>) {
        for stmt in &mut region.stmts {
            if let Op::Index { array, subs, .. } = &mut stmt.op
                && let Some(number) = self.contents.version.get(array)
                && self.is_old(*number, subs, loops)
            {
                *array = self.init[*number];
            }
            let depth = loops.len();
            loops.extend(counted_loops(&stmt.op));
            stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested, loops));
            loops.truncate(depth);
        }
    }

    fn is_old(&self, array: usize, subs: &[Sub], loops: &[Counted]) -> bool {
        let at = subs.iter().map(Sub::value).collect::<Option<Vec<Value>>>();
        let under = |site: &Site| site.loops.iter().map(|l| l.counter).eq(loops.iter().map(|l| l.counter));
        at.is_some_and(|at| self.reads.iter().any(|site| site.array == array && site.subs == at && under(site)))
    }
}

#[cfg(test)]
mod tests;
