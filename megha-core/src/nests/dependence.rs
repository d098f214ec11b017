//! The dependences between the accesses of a nest.

use super::contents::{Contents, Site};
use super::tree::Frame;
use crate::affine::{self, Access, AccessKind, Direction, Domain, LinExpr, Order, Pair, Var};
use crate::hash::HashMap;
use crate::ir::{Binary, Func, Value};
use crate::kernels::accesses::{AffineView, Definitions};
use std::rc::Rc;

/// The variable of times at which statements are done, in the dependence test. It stands for no value.
pub(super) const TIME: Var = Var(u32::MAX);

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
    view.cases_of(&site.loops, &site.guards, access)
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

/// What tells an access from others of a nest: array, kind, the update that it is part of, subscripts, counters of the loops around it, conditions.
type Key = (usize, AccessKind, Option<Binary>, Vec<Value>, Vec<Value>, Vec<(Value, bool)>);

/// An access with the iterations that come to it, in cases.
pub(super) struct Prepared {
    array: usize,
    update: Option<Binary>,
    pub access: Access,
    pub cases: Vec<Domain>,
}

impl Prepared {
    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.array == other.array && (self.access.kind, other.access.kind) != (AccessKind::Read, AccessKind::Read)
    }

    /// Whether, where they touch one element, the one that comes first must stay the first: not if both are parts of updates by one operation.
    pub fn is_ordered_with(&self, other: &Self) -> bool {
        self.conflicts_with(other) && (self.update.is_none() || self.update != other.update)
    }

    /// The same access in the iterations of other cases.
    pub fn with_cases(&self, of: impl Fn(&Domain) -> Domain) -> Self {
        Self { access: self.access.clone(), cases: self.cases.iter().map(of).collect(), ..*self }
    }

    /// Calls `f` on the pair of accesses in each pair of their cases.
    pub fn each_pair(&self, other: &Self, common: usize, f: &mut dyn FnMut(&Pair<'_>)) {
        for one in &self.cases {
            for another in &other.cases {
                f(&Pair::new((one, &self.access), (another, &other.access), common));
            }
        }
    }
}

/// The direction vectors of a pair, and whether all are known.
type Vectors = (Vec<Vec<Direction>>, bool);

/// The accesses and dependences of a nest, each found once, however often its loops are parted and ordered.
pub(super) struct Found<'f> {
    pub view: AffineView<'f>,
    /// For each array one of its states.
    arrays: Vec<Value>,
    numbers: HashMap<Key, usize>,
    accesses: Vec<Rc<Prepared>>,
    /// By two accesses, the number of outer loops and that of common ones.
    vectors: HashMap<[usize; 4], Rc<Vectors>>,
}

impl<'f> Found<'f> {
    /// Nothing is asked yet.
    pub fn new(view: AffineView<'f>, contents: &Contents) -> Self {
        let (numbers, accesses, vectors) = Default::default();
        Self { view, arrays: array_values(contents), numbers, accesses, vectors }
    }

    fn number(&mut self, func: &Func, site: &Site) -> usize {
        let counters = site.loops.iter().map(|l| l.counter).collect();
        let key = (site.array, site.kind, site.update, site.subs.clone(), counters, site.guards.clone());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let access = self.view.access(site.kind, func.ty(self.arrays[site.array]), &site.subs);
        let cases = domains(&mut self.view, site, &access);
        self.numbers.insert(key, self.accesses.len());
        self.accesses.push(Rc::new(Prepared { array: site.array, update: site.update, access, cases }));
        self.accesses.len() - 1
    }

    /// The accesses, in order.
    pub fn prepared(&mut self, func: &Func, sites: &[Site]) -> Vec<Rc<Prepared>> {
        let numbers: Vec<usize> = sites.iter().map(|site| self.number(func, site)).collect();
        numbers.into_iter().map(|number| Rc::clone(&self.accesses[number])).collect()
    }

    fn vectors_of(&mut self, [a, b]: [usize; 2], outer: usize, common: usize) -> Rc<Vectors> {
        let key = [a, b, outer, common];
        if let Some(known) = self.vectors.get(&key) {
            return Rc::clone(known);
        }
        let (mut found, mut known): Vectors = (Vec::new(), true);
        self.accesses[a].each_pair(&self.accesses[b], common, &mut |pair| {
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
        let vectors = Rc::new((found, known));
        self.vectors.insert(key, Rc::clone(&vectors));
        vectors
    }
}

/// The pairs of accesses that conflict, those of one list once.
pub(super) fn pairs<'a>(
    first: &'a [Rc<Prepared>],
    second: &'a [Rc<Prepared>],
    is_same: bool,
) -> impl Iterator<Item = (&'a Prepared, &'a Prepared)> {
    let from = move |at: usize| if is_same { at } else { 0 };
    let each = first.iter().enumerate();
    let all = each.flat_map(move |(at, a)| second[from(at)..].iter().map(move |b| (&**a, &**b)));
    all.filter(|(a, b)| a.conflicts_with(b))
}

/// Whether some of the second accesses comes, in an earlier iteration of the innermost of so many common loops, before one of
/// the first, and must.
pub(super) fn leads_back(frame: &Frame<'_>, first: &[Site], second: &[Site], common: usize) -> bool {
    any_pair(frame, first, second, common, &|pair| pair.carried_backwards(common - 1).is_some())
}

/// Whether some of the first accesses comes, in an earlier or the same iteration of the innermost of so many common loops, before one of
/// the second, and must.
pub(super) fn leads_forwards(frame: &Frame<'_>, first: &[Site], second: &[Site], common: usize) -> bool {
    any_pair(frame, first, second, common, &|pair| pair.forwards(common - 1).is_some())
}

/// Whether this is true of a pair of two accesses whose order matters.
fn any_pair(
    frame: &Frame<'_>,
    first: &[Site],
    second: &[Site],
    common: usize,
    holds: &dyn Fn(&Pair<'_>) -> bool,
) -> bool {
    let mut found = frame.found.borrow_mut();
    let (first, second) = (found.prepared(frame.func, first), found.prepared(frame.func, second));
    let some = |a: &Prepared, b: &Prepared| {
        let mut some = false;
        a.each_pair(b, common, &mut |pair| some = some || holds(pair));
        some
    };
    first.iter().any(|a| second.iter().any(|b| a.is_ordered_with(b) && some(a, b)))
}

/// For each of so many common loops whether it carries a dependence.
pub(super) fn carried(frame: &Frame<'_>, sites: &[Site], common: usize) -> Vec<bool> {
    let mut carries = vec![false; common];
    let all = frame.found.borrow_mut().prepared(frame.func, sites);
    for (at, first) in all.iter().enumerate() {
        for second in all[at..].iter().filter(|second| first.conflicts_with(second)) {
            first.each_pair(second, common, &mut |pair| {
                for (level, carries) in carries.iter_mut().enumerate() {
                    *carries = *carries || pair.carried_by(level).is_some();
                }
            });
        }
    }
    carries
}

/// The direction vectors of all dependences between accesses in the same iteration of `outer` loops, over the next ones up to
/// `common` in all, each beginning with `<`; `None` if one is not known.
pub(super) fn vectors(frame: &Frame<'_>, sites: &[Site], outer: usize, common: usize) -> Option<Vec<Vec<Direction>>> {
    let mut found = frame.found.borrow_mut();
    let numbers: Vec<usize> = sites.iter().map(|site| found.number(frame.func, site)).collect();
    let mut all: Vec<Vec<Direction>> = Vec::new();
    for (at, a) in numbers.iter().enumerate() {
        for b in &numbers[at..] {
            if !found.accesses[*a].conflicts_with(&found.accesses[*b]) {
                continue;
            }
            let vectors = found.vectors_of([*a, *b], outer, common);
            if !vectors.1 {
                return None;
            }
            let new = vectors.0.iter().filter(|v| !all.contains(v)).cloned().collect::<Vec<_>>();
            all.extend(new);
        }
    }
    Some(all)
}

/// Whether this is true of the directions of no dependence between two accesses, over so many loops.
pub(super) fn none(a: &Prepared, b: &Prepared, common: usize, is_true: &dyn Fn(&[Direction]) -> bool) -> bool {
    let mut none = true;
    a.each_pair(b, common, &mut |pair| {
        none &= pair.dependences_inside(0).iter().all(|dependence| !is_true(&dependence.directions));
    });
    none
}

/// The iterations of an access with those of the outermost loop as its time.
pub(super) fn with_time(case: &Domain, row: Var) -> Domain {
    let mut case = case.clone();
    let own = LinExpr::var(row);
    case.loops.insert(1, affine::Loop { var: TIME, lower: own.clone(), upper: own });
    case
}

/// The iterations of an access in which the innermost loop ends as it does in an earlier iteration of the outermost one, which is its time.
pub(super) fn of_earlier(case: &Domain, row: Var) -> Domain {
    let mut case = case.clone();
    if let [_, .., columns] = &mut case.loops[..] {
        let longer = columns.upper.coefficient(row);
        let ended =
            LinExpr::from_terms([(TIME, longer), (row, -longer)], 0).and_then(|by| columns.upper.checked_add(&by));
        columns.upper = ended.unwrap_or_else(|| columns.upper.clone());
    }
    let before = LinExpr::from_terms([(row, 1)], -1).unwrap_or_else(|| LinExpr::var(row));
    case.loops.insert(1, affine::Loop { var: TIME, lower: LinExpr::constant(0), upper: before });
    case
}
