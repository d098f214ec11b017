//! The dependences between the accesses of a nest.

use super::contents::{Contents, Site};
use super::tree::Frame;
use crate::affine::{Access, AccessKind, Direction, Domain, Order, Pair};
use crate::ir::{Func, Value};
use crate::kernels::accesses::{AffineView, Definitions, affine_subscripts};

/// Two accesses to one carried array that conflict in different iterations of a loop.
pub(crate) struct Conflict {
    /// The number of the array.
    pub array: usize,
    /// A state of it.
    pub value: Value,
    pub first: Site,
    pub second: Site,
}

/// A conflict that the loop so many levels inside the nest with this outermost counter carries.
pub(crate) fn conflict(
    func: &Func,
    defs: &Definitions,
    outermost: Value,
    contents: &Contents,
    level: usize,
) -> Option<Conflict> {
    let mut view = AffineView::new(&func.symbols, defs, defs.scope_of(outermost)).with_locals();
    let mut prepared = Vec::with_capacity(contents.sites.len());
    let values = array_values(contents);
    for site in &contents.sites {
        let access = view.access(site.kind, func.ty(values[site.array]), &site.subs);
        for domain in domains(&mut view, site, &access) {
            prepared.push((site, access.clone(), domain));
        }
    }
    for (at, (first, access, domain)) in prepared.iter().enumerate() {
        for (second, other_access, other_domain) in &prepared[at..] {
            if first.array != second.array || (first.kind, second.kind) == (AccessKind::Read, AccessKind::Read) {
                continue;
            }
            let pair = Pair::new((domain, access), (other_domain, other_access), level + 1);
            if pair.carried_by(level).is_some() {
                let value = values[first.array];
                return Some(Conflict {
                    array: first.array,
                    value,
                    first: (*first).clone(),
                    second: (*second).clone(),
                });
            }
        }
    }
    None
}

/// The iterations that come to an access, in cases that together cover them.
pub(crate) fn domains(view: &mut AffineView<'_>, site: &Site, access: &Access) -> Vec<Domain> {
    view.cases(&site.loops, &site.guards, affine_subscripts(access))
}

/// A state of each carried array; all have one type.
fn array_values(contents: &Contents) -> Vec<Value> {
    let count = contents.version.values().max().map_or(0, |n| n + 1);
    let mut values: Vec<Option<Value>> = vec![None; count];
    for (value, number) in &contents.version {
        values[*number] = Some(*value);
    }
    values.into_iter().flatten().collect()
}

/// The accesses with the iterations that come to them.
fn prepared(frame: &Frame<'_>, view: &mut AffineView<'_>, sites: &[Site]) -> Vec<(usize, Access, Vec<Domain>)> {
    let values = array_values(frame.contents);
    let mut all = Vec::with_capacity(sites.len());
    for site in sites {
        let access = view.access(site.kind, frame.func.ty(values[site.array]), &site.subs);
        let cases = domains(view, site, &access);
        all.push((site.array, access, cases));
    }
    all
}

/// Whether two accesses may conflict.
fn conflicts(first: &(usize, Access, Vec<Domain>), second: &(usize, Access, Vec<Domain>)) -> bool {
    first.0 == second.0 && (first.1.kind, second.1.kind) != (AccessKind::Read, AccessKind::Read)
}

/// Whether some of the second accesses comes, in an earlier iteration of the innermost of so many common loops, before one of
/// the first that it conflicts with.
pub(super) fn leads_back(frame: &Frame<'_>, first: &[Site], second: &[Site], common: usize) -> bool {
    let mut view = frame.view();
    let (first, second) = (prepared(frame, &mut view, first), prepared(frame, &mut view, second));
    let back = |a: &(usize, Access, Vec<Domain>), b: &(usize, Access, Vec<Domain>)| {
        a.2.iter().any(|one| {
            b.2.iter().any(|other| {
                let pair = Pair::new((one, &a.1), (other, &b.1), common);
                pair.carried_backwards(common - 1).is_some()
            })
        })
    };
    first.iter().any(|a| second.iter().any(|b| conflicts(a, b) && back(a, b)))
}

/// For each of so many common loops whether it carries a dependence.
pub(super) fn carried(frame: &Frame<'_>, sites: &[Site], common: usize) -> Vec<bool> {
    let mut found = vec![false; common];
    each_pair(frame, sites, common, &mut |pair| {
        for (level, carries) in found.iter_mut().enumerate() {
            *carries = *carries || pair.carried_by(level).is_some();
        }
    });
    found
}

/// The direction vectors of all dependences between accesses in the same iteration of `outer` loops, over the next ones up to
/// `common` in all, each beginning with `<`; `None` if one is not known.
pub(super) fn vectors(frame: &Frame<'_>, sites: &[Site], outer: usize, common: usize) -> Option<Vec<Vec<Direction>>> {
    let (mut found, mut known): (Vec<Vec<Direction>>, bool) = (Vec::new(), true);
    each_pair(frame, sites, common, &mut |pair| {
        for dependence in pair.dependences_inside(outer) {
            let directed = match dependence.order() {
                Order::FirstThenSecond => dependence,
                Order::SecondThenFirst => dependence.reversed(),
                Order::SameIteration => continue,
                Order::Undetermined => {
                    known = false;
                    continue;
                }
            };
            let vector = directed.directions[outer..].to_vec();
            known &= !vector.contains(&Direction::Any);
            if !found.contains(&vector) {
                found.push(vector);
            }
        }
    });
    known.then_some(found)
}

fn each_pair(frame: &Frame<'_>, sites: &[Site], common: usize, f: &mut dyn FnMut(&Pair<'_>)) {
    let mut view = frame.view();
    let all = prepared(frame, &mut view, sites);
    for (at, first) in all.iter().enumerate() {
        for second in all[at..].iter().filter(|second| conflicts(first, second)) {
            for one in &first.2 {
                for other in &second.2 {
                    f(&Pair::new((one, &first.1), (other, &second.1), common));
                }
            }
        }
    }
}
