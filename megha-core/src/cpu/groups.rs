//! A kernel's body cut into groups: loops over points, and sequential loops around them.

use crate::hash::{HashMap, HashSet};

use super::body::Body;
use super::kernel::Nest;
use super::shadow::{fill, shadow};
use super::storage::{Item, Slot};
use crate::ir::{Mem, Op, Region, Stmt, Value};
use crate::schedule::Fission;
use crate::schedule::cost::Form;
use crate::schedule::latency::latency;

/// A part of a kernel's body.
pub enum Group<'a, 'f> {
    /// One loop over the points of a row.
    Points(Vec<&'a Item<'f>>),
    /// A sequential loop that is the same at every point: its counter, number of iterations and body.
    Loop(Value, Value, Vec<Group<'a, 'f>>),
}

/// Cuts items into groups: the loops that the schedule has outside of that over points stay outside.
pub fn group<'a, 'f>(nest: &Nest<'f>, items: impl IntoIterator<Item = &'a Item<'f>>) -> Vec<Group<'a, 'f>>
where
    'f: 'a,
{
    let mut groups = Vec::new();
    let mut points: Vec<&Item<'f>> = Vec::new();
    for item in items {
        match item {
            Item::For(_, counter, trip, inner) if nest.loops.outside.contains(counter) => {
                if !points.is_empty() {
                    groups.push(Group::Points(std::mem::take(&mut points)));
                }
                groups.push(Group::Loop(*counter, *trip, group(nest, nest.without_exit(*counter, inner))));
            }
            Item::Return(_) => {}
            item => points.push(item),
        }
    }
    if !points.is_empty() {
        groups.push(Group::Points(points));
    }
    groups
}

/// Parts stores from what a loop computes that a few points go through together. They stand behind it then, in a loop of their own over the points: before it the compiler
/// of the generated code would have to prove that no point loads what the one before has stored, for vectors of points. Points are independent of each other, so it is
/// enough that the loop loads nothing of the array.
pub fn stores_apart<'a, 'f>(nest: &Nest<'f>, body: &Body<'f>, groups: Vec<Group<'a, 'f>>) -> Vec<Group<'a, 'f>> {
    if nest.checks {
        return groups;
    }
    let inside = nest.maps.inside(nest.kernel);
    let of_loop = |group| match group {
        Group::Loop(counter, trip, inner) if is_of_few_points(nest, counter) => {
            let loads = |out: usize| region_of(inside, counter).is_none_or(|region| loads(region, out));
            Group::Loop(counter, trip, inner.into_iter().flat_map(|group| parted(body, &loads, group)).collect())
        }
        group => group,
    };
    groups.into_iter().map(of_loop).collect()
}

/// The body of the loop with this counter.
pub fn region_of(body: &Region, counter: Value) -> Option<&Region> {
    body.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::For { body, .. } if body.params[0] == counter => Some(&**body),
        _ => None,
    })
}

fn is_of_few_points(nest: &Nest<'_>, counter: Value) -> bool {
    nest.loops.sweep(counter).is_some_and(|sweep| sweep.forms.iter().all(|form| matches!(form, Form::Points(_))))
}

fn loads(region: &Region, out: usize) -> bool {
    region.any(|op| matches!(op, Op::Load(Mem::Out(from), _) if *from == out))
}

fn parted<'a, 'f>(body: &Body<'f>, loads: &dyn Fn(usize) -> bool, group: Group<'a, 'f>) -> Vec<Group<'a, 'f>> {
    let Group::Points(items) = group else { return vec![group] };
    let mut stores = Vec::new();
    let mut rest = Vec::new();
    // What has another value behind the store, and the arrays that are stored to there.
    let mut assigned: HashSet<Slot> = HashSet::default();
    let mut stored: HashSet<usize> = HashSet::default();
    for item in items.into_iter().rev() {
        let mut touched = HashSet::default();
        touch(body, item, &mut touched);
        match item {
            // What is written in place of a value would be computed with the stores.
            Item::Stmt(Stmt { op: Op::Put(out, subs, value), .. })
                if !loads(*out)
                    && !stored.contains(out)
                    && body.inlined.get(*value).is_none()
                    && !subs.iter().any(|sub| is_loaded(body, *sub))
                    && !touched.iter().any(|slot| assigned.contains(slot)) =>
            {
                stores.push(item);
                continue;
            }
            Item::Assign(list, _) => assigned.extend(list.iter().map(|each| each.to)),
            Item::Stmt(stmt) => assigned.extend(stmt.results.iter().filter_map(|result| body.storage.slot(*result))),
            _ => assigned.extend(touched),
        }
        stored_in(item, &mut stored);
        rest.push(item);
    }
    let parts = [rest, stores].into_iter().filter(|items| !items.is_empty());
    parts.map(|items| Group::Points(items.into_iter().rev().collect())).collect()
}

/// Whether a load is written in place of a value, or of a part of it.
fn is_loaded(body: &Body<'_>, value: Value) -> bool {
    body.inlined.get(value).is_some_and(|op| {
        let mut loaded = matches!(op, Op::Load(..));
        op.for_each_operand(&mut |operand| loaded |= is_loaded(body, operand));
        loaded
    })
}

/// The arrays that an item stores to.
fn stored_in(item: &Item<'_>, out: &mut HashSet<usize>) {
    match item {
        Item::Stmt(Stmt { op: Op::Put(array, ..), .. }) => drop(out.insert(*array)),
        Item::If(_, a, b) | Item::While(_, a, _, b) => a.iter().chain(b).for_each(|inner| stored_in(inner, out)),
        Item::For(_, _, _, inner) => inner.iter().for_each(|inner| stored_in(inner, out)),
        _ => {}
    }
}

/// What a value that lives from one loop to the next costs against an instruction: it is stored and loaded.
pub const CROSSING: u32 = 3;
/// What one more loop costs.
pub const ANOTHER: u32 = 6;

/// Cuts long runs of statements, so that each loop over points holds a short chain of dependent operations; what lives from one
/// loop to the next goes through a tile in the first-level cache.
pub fn split<'a, 'f>(nest: &Nest<'f>, body: &Body<'f>, groups: Vec<Group<'a, 'f>>) -> Vec<Group<'a, 'f>> {
    let Some(fission) = nest.loops.fission else { return groups };
    let mut out = Vec::new();
    for group in groups {
        match group {
            Group::Loop(counter, trip, inner) => out.push(Group::Loop(counter, trip, split(nest, body, inner))),
            Group::Points(items) => {
                out.extend(fill(body, fission, cut(body, fission, items)).into_iter().map(Group::Points))
            }
        }
    }
    out
}

/// The parts of a run of statements: those with chains and operations as few as the schedule says, or single
/// statements, between which the fewest values live (shortest paths over the places between statements).
fn cut<'a, 'f>(body: &Body<'f>, fission: Fission, items: Vec<&'a Item<'f>>) -> Vec<Vec<&'a Item<'f>>> {
    let n = items.len();
    let parts: Vec<Part> = items.iter().map(|item| Part::of(body, item)).collect();
    if Chain::default().through(&parts) <= fission.above {
        return vec![items];
    }
    let crossing = crossings(&parts);
    // The least cost of the first statements in whole parts, and where the last of these parts starts.
    let mut best = vec![(u32::MAX, 0); n + 1];
    best[0].0 = 0;
    for start in 0..n {
        let here = best[start].0 + if start > 0 { ANOTHER + CROSSING * crossing[start] } else { 0 };
        let (mut chain, mut operations) = (Chain::default(), 0);
        for end in start + 1..=n {
            operations += parts[end - 1].operations;
            let long = chain.through(&parts[end - 1..end]) > fission.cycles || operations > fission.operations as usize;
            if long && end > start + 1 {
                break;
            }
            if here < best[end].0 {
                best[end] = (here, start);
            }
        }
    }
    let (mut ends, mut at) = (Vec::new(), n);
    while at > 0 {
        ends.push(at);
        at = best[at].1;
    }
    let mut rest = items.into_iter();
    let mut done = 0;
    ends.into_iter().rev().map(|end| rest.by_ref().take(end - std::mem::replace(&mut done, end)).collect()).collect()
}

/// How many variables live across the place in front of each statement.
fn crossings(parts: &[Part]) -> Vec<u32> {
    let mut lives: HashMap<Slot, (usize, usize)> = HashMap::default();
    for (at, part) in parts.iter().enumerate() {
        for slot in &part.touched {
            lives.entry(*slot).or_insert((at, at)).1 = at;
        }
    }
    let mut changes = vec![0_i32; parts.len() + 1];
    for (first, last) in lives.into_values() {
        changes[first + 1] += 1;
        changes[last + 1] -= 1;
    }
    let living = changes.iter().scan(0, |living, change| {
        *living += change;
        Some(*living as u32)
    });
    living.take(parts.len()).collect()
}

/// A statement as far as cuts are concerned.
pub struct Part {
    /// The variables that it reads, with the cycles from each to its end.
    reads: Vec<(Slot, u32)>,
    /// The cycles that it takes from constants and memory alone.
    own: u32,
    /// The number of operations.
    pub operations: usize,
    /// How many operations its divisions and roots could hide.
    pub shadow: u32,
    /// What it defines.
    pub defines: Vec<Slot>,
    /// All variables in it.
    pub touched: HashSet<Slot>,
}

impl Part {
    pub fn of(body: &Body<'_>, item: &Item<'_>) -> Self {
        let (reads, defines, touched) = (Vec::new(), Vec::new(), HashSet::default());
        let mut part = Self { reads, own: 0, operations: 0, shadow: 0, defines, touched };
        touch(body, item, &mut part.touched);
        match item {
            Item::Stmt(stmt) => {
                part.op(body, &stmt.op, 0);
                part.defines.extend(stmt.results.iter().filter_map(|r| body.storage.slot(*r)));
            }
            // Branches and loops of a point are not cut, and what they carry is best left in registers: they ask for no cut.
            _ => {
                part.reads.extend(part.touched.iter().map(|slot| (*slot, 0)));
                part.defines.extend(&part.touched);
            }
        }
        part
    }

    /// The chains through an operation and what is written in place of its operands, `after` cycles before the statement's end.
    fn op(&mut self, body: &Body<'_>, op: &Op, after: u32) {
        let cycles = after + latency(op);
        self.own = self.own.max(cycles);
        self.operations += usize::from(latency(op) > 0);
        self.shadow += shadow(op);
        op.for_each_operand(&mut |v| match body.inlined.get(v) {
            Some(op) => self.op(body, op, cycles),
            None => self.reads.extend(body.storage.slot(v).map(|slot| (slot, cycles))),
        });
    }
}

/// When each variable is there, in cycles from the start of a loop's body.
#[derive(Default)]
pub struct Chain {
    ready: HashMap<Slot, u32>,
    longest: u32,
}

impl Chain {
    /// The longest chain up to the end of these statements.
    pub fn through<'p>(&mut self, parts: impl IntoIterator<Item = &'p Part>) -> u32 {
        for part in parts {
            let start = |(slot, cycles): &(Slot, u32)| self.ready.get(slot).copied().unwrap_or(0) + cycles;
            let end = part.reads.iter().map(start).max().unwrap_or(0).max(part.own);
            self.ready.extend(part.defines.iter().map(|slot| (*slot, end)));
            self.longest = self.longest.max(end);
        }
        self.longest
    }
}

/// Calls `f` on the items of each loop over points.
pub fn visit<'a, 'f>(groups: &[Group<'a, 'f>], f: &mut impl FnMut(&[&'a Item<'f>])) {
    for group in groups {
        match group {
            Group::Points(items) => f(items),
            Group::Loop(_, _, inner) => visit(inner, f),
        }
    }
}

/// The variables that an item reads or writes.
pub fn touch(body: &Body<'_>, item: &Item<'_>, out: &mut HashSet<Slot>) {
    let value = |v: Value, out: &mut HashSet<Slot>| {
        let mut read = Vec::new();
        body.inlined.variables(v, &mut read);
        out.extend(read.into_iter().filter_map(|v| body.storage.slot(v)));
    };
    match item {
        Item::Stmt(stmt) => {
            stmt.op.for_each_operand(&mut |v| value(v, out));
            out.extend(stmt.results.iter().filter_map(|r| body.storage.slot(*r)));
        }
        Item::Declare(slot) | Item::Free(slot) => drop(out.insert(*slot)),
        Item::Assign(list, _) => list.iter().for_each(|t| {
            out.insert(t.to);
            value(t.from, out);
        }),
        Item::If(cond, a, b) => {
            value(*cond, out);
            a.iter().chain(b).for_each(|i| touch(body, i, out));
        }
        Item::For(_, _, trip, inner) => {
            value(*trip, out);
            inner.iter().for_each(|i| touch(body, i, out));
        }
        Item::While(_, test, cond, inner) => {
            value(*cond, out);
            test.iter().chain(inner).for_each(|i| touch(body, i, out));
        }
        _ => {}
    }
}
