//! Scalars that gather for one element gather in the element itself.
//!
//! ```text
//! w = a(i, j);  for k { w = w - a(i, k) * a(k, j) }  a(i, j) = w / a(j, j)
//!     becomes   for k { a(i, j) = a(i, j) - a(i, k) * a(k, j) }  w = a(i, j);  a(i, j) = w / a(j, j)
//! ```
//!
//! Two ways to write one nest become the same: a loop that hands on a scalar cannot change places with those around it
//! ([`super::imperfect`]), and in a kernel the element is in a scalar again ([`crate::kernels::scalar_replacement`]). Here it is done where the
//! loop reads other elements of the same array, and the dependence test proves that between the two statements nothing else touches the element;
//! as it is stored at the end whatever happens, no one sees that it changes earlier.

use crate::affine::{AccessKind, Domain, Pair};
use crate::ir::{Func, Op, Region, Stmt, Sub, Terminator, Value, Walk};
use crate::kernels::accesses::{AffineView, Counted, Definitions, counted_loops};
use crate::nests::contents::is_pure;

/// The function with all such scalars in elements; `None` if there are none.
pub(super) fn run(func: &Func) -> Option<Func> {
    let defs = Definitions::of(func);
    let mut search = Search { func, defs: &defs, loops: Vec::new(), found: Vec::new() };
    search.region(&func.body);
    let found = search.found;
    if found.is_empty() {
        return None;
    }
    let mut new = func.clone();
    let mut body = std::mem::take(&mut new.body);
    body.walk_mut(&mut |stmt| {
        stmt.op.regions_mut().into_iter().for_each(|region| rewrite(&mut new, region, &found));
        Walk::Advance
    });
    new.body = body;
    Some(new)
}

/// A scalar that gathers.
struct Gathered {
    /// Its value behind the loop, by which the loop is found again.
    result: Value,
    /// The array in its state before, and the subscripts of the element.
    array: Value,
    subs: Vec<Sub>,
    /// The state that the store at the end makes, if it is of the scalar itself.
    stored: Option<Value>,
}

struct Search<'f> {
    func: &'f Func,
    defs: &'f Definitions,
    loops: Vec<Counted>,
    found: Vec<Gathered>,
}

impl Search<'_> {
    fn region(&mut self, region: &Region) {
        for (at, stmt) in region.stmts.iter().enumerate() {
            self.found.extend(self.gathered(region, at, stmt));
            if matches!(stmt.op, Op::Kernel(_)) {
                continue;
            }
            let depth = self.loops.len();
            self.loops.extend(counted_loops(&stmt.op));
            stmt.op.regions().into_iter().for_each(|nested| self.region(nested));
            self.loops.truncate(depth);
        }
    }

    /// The scalar that a loop, at this place of a region, gathers, if it may be in its element.
    fn gathered(&self, region: &Region, at: usize, stmt: &Stmt) -> Option<Gathered> {
        let Op::For { init, body, .. } = &stmt.op else { return None };
        let ([first], [result]) = (&init[..], &stmt.results[..]) else { return None };
        let start = region.stmts[..at].iter().find(|s| s.results[..] == [*first])?;
        let Op::Index { array, subs, .. } = &start.op else { return None };
        let is_simple = body.stmts.iter().all(|s| self.is_of_scalars(s));
        let reads_it = body.stmts.iter().any(|s| matches!(&s.op, Op::Index { array: other, .. } if other == array));
        if !is_simple || !reads_it || !matches!(body.term, Terminator::Yield(_)) {
            return None;
        }
        let end = at
            + region.stmts[at..]
                .iter()
                .position(|s| matches!(&s.op, Op::Store { array: other, .. } if other == array))?;
        let store = &region.stmts[end];
        let Op::Store { subs: stored, value, .. } = &store.op else { return None };
        let between = &region.stmts[at + 1..end];
        if stored != subs || !between.iter().all(|s| self.is_of_scalars(s)) {
            return None;
        }
        let inside = [&self.loops[..], &counted_loops(&stmt.op)].concat();
        let alone =
            self.is_alone(*array, subs, (&body.stmts, &inside)) && self.is_alone(*array, subs, (between, &self.loops));
        let itself = (value == result).then(|| store.results[0]);
        alone.then(|| Gathered { result: *result, array: *array, subs: subs.clone(), stored: itself })
    }

    /// Whether a statement computes scalars from scalars and single elements: what uses all of an array would see the element change.
    fn is_of_scalars(&self, stmt: &Stmt) -> bool {
        let mut scalar = stmt.results.iter().all(|result| self.func.ty(*result).is_scalar());
        if let Op::Index { subs, .. } = &stmt.op {
            return scalar && subs.iter().all(|sub| matches!(sub, Sub::At(_)));
        }
        stmt.op.for_each_operand(&mut |value| scalar &= self.func.ty(value).is_scalar());
        scalar && is_pure(&stmt.op)
    }

    /// Whether no read of an array among these statements, under these loops, is of the element with these subscripts in the same iteration of the
    /// loops around it.
    fn is_alone(&self, array: Value, subs: &[Sub], (stmts, loops): (&[Stmt], &[Counted])) -> bool {
        let Some(scope) = self.loops.first().and_then(|outermost| self.defs.scope_of(outermost.counter)) else {
            return false;
        };
        let mut view = AffineView::new(&self.func.symbols, self.defs, [scope]).with_locals();
        let ty = self.func.ty(array);
        let mut accessed = |kind, subs: &[Sub], loops: &[Counted]| {
            let subs: Vec<Value> = subs.iter().filter_map(Sub::value).collect();
            let access = view.access(kind, ty, &subs);
            let cases: Vec<Domain> = view.cases_of(loops, &[], &access);
            (access, cases)
        };
        let (element, elements) = accessed(AccessKind::Write, subs, &self.loops);
        stmts.iter().all(|stmt| match &stmt.op {
            Op::Index { array: other, subs, .. } if *other == array => {
                let (read, reads) = accessed(AccessKind::Read, subs, loops);
                let common = self.loops.len();
                reads.iter().all(|one| {
                    elements.iter().all(|other| {
                        Pair::new((one, &read), (other, &element), common).dependences_inside(common).is_empty()
                    })
                })
            }
            _ => true,
        })
    }
}

/// Rewrites the loops of a region that gather.
fn rewrite(func: &mut Func, region: &mut Region, found: &[Gathered]) {
    let mut stmts: Vec<Stmt> = Vec::with_capacity(region.stmts.len());
    // States up to the store at the end, before and behind the loop. What knows the old state behind that means the old one.
    let mut open: Vec<(Value, Value)> = Vec::new();
    for mut stmt in std::mem::take(&mut region.stmts) {
        if let Some(gathered) = found.iter().find(|g| stmt.results[..] == [g.result]) {
            let after = gathered.stored.unwrap_or_else(|| func.new_like(gathered.array));
            let (loc, subs) = (stmt.loc, gathered.subs.clone());
            in_element(func, &mut stmt, gathered, after);
            stmts.push(stmt);
            let op = Op::Index { array: after, subs, checked: false };
            stmts.push(Stmt { results: vec![gathered.result], op, loc });
            open.push((gathered.array, after));
            continue;
        }
        let known = |value: Value| open.iter().find(|(old, _)| *old == value).map_or(value, |(_, new)| *new);
        stmt.op.for_each_operand_mut(&mut |value| *value = known(*value));
        if let Op::Store { array, .. } = &stmt.op {
            open.retain(|(_, new)| new != array);
            // The element has the value already.
            if found.iter().any(|g| g.stored.is_some_and(|stored| stmt.results[..] == [stored])) {
                continue;
            }
        }
        stmts.push(stmt);
    }
    region.stmts = stmts;
}

/// Makes a loop that hands on a scalar one that hands on the array.
fn in_element(func: &mut Func, stmt: &mut Stmt, gathered: &Gathered, after: Value) {
    let Op::For { init, body, .. } = &mut stmt.op else { return };
    let state = func.new_like(gathered.array);
    let next = func.new_like(gathered.array);
    let scalar = body.params[1];
    body.stmts.iter_mut().for_each(|s| {
        s.op.for_each_operand_mut(&mut |v| {
            if *v == gathered.array {
                *v = state;
            }
        });
    });
    let (subs, checked, loc) = (gathered.subs.clone(), false, stmt.loc);
    let op = Op::Index { array: state, subs: subs.clone(), checked };
    body.stmts.insert(0, Stmt { results: vec![scalar], op, loc });
    let value = body.term.values()[0];
    body.stmts.push(Stmt { results: vec![next], op: Op::Store { array: state, subs, value, checked }, loc });
    body.term = Terminator::Yield(vec![next]);
    body.params[1] = state;
    *init = vec![gathered.array];
    stmt.results = vec![after];
}
