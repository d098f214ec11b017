//! Sequential loops that walk along memory while the points of a kernel lie apart, as recurrences along rows do: vectors of points.
//!
//! A vector of points would gather what lies apart, element by element. So a few iterations' elements are transposed first: into a block, in
//! which the points' elements of one iteration are neighbours; what the loop stores is transposed back. Each line of memory is touched once for
//! these iterations, also where lines of neighbouring points share few places in the cache. Each point goes through the iterations in order, so bits
//! do not change.
//!
//! Taken where the loop's body is straight-line arithmetic of one floating-point class, and each access is one of these: the same for all points, and
//! stored by nobody; neighbours for neighbouring points; or neighbours from one iteration to the next. What is stored of an array is either all of the second
//! kind, or all of the third, at one place that moves along, by one statement.

use std::cmp::Ordering;

use super::access::{Access, Affine};
use super::levels::LoopId;
use super::order::{Memory, is_consecutive, is_neighbouring};
use super::straight;
use super::subject::Subject;
use super::sweep::kept;
use crate::ir::{Class, Mem, Op, Region, Value};

/// Iterations of a block: as many elements as a line of memory has doubles.
pub const ITERATIONS: usize = 8;
/// How far apart the accesses of a block are at most, in iterations.
const REACH: i64 = 8;

/// How a loop runs for vectors of points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transposed {
    /// The class of all numbers in it.
    pub class: Class,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// How each load and store is done.
    pub ways: Vec<(*const Op, Way)>,
}

/// Elements of an array, from one iteration to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Of which array.
    pub mem: Mem,
    /// How many elements more than iterations a point has.
    pub reach: usize,
    /// What is transposed into it: the loads, each with the element of the first iteration.
    pub loads: Vec<Load>,
    /// What is transposed back: the store, with the element of the first iteration.
    pub store: Option<(*const Op, usize)>,
}

/// What a load needs of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// The load.
    pub op: *const Op,
    /// The element of the first iteration.
    pub at: usize,
    /// In how many of the first iterations memory has the element, if not in all: later ones read what earlier ones have stored.
    pub first: Option<usize>,
}

/// How a load or store is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// One element for all points.
    Same,
    /// Neighbours in memory.
    Along,
    /// In a block, at the element of the first iteration.
    Block(usize, usize),
}

impl Transposed {
    /// How a loop that stands directly in a kernel's body runs where the loops of the domain stand in this order, if it can.
    pub fn of(subject: &Subject<'_>, memory: Memory, order: &[usize], of: LoopId) -> Option<Self> {
        let direct = subject.direct_loop(of).filter(|direct| direct.is_uniform())?;
        let Op::For { body, .. } = &direct.stmt.op else { return None };
        let (maps, along) = (&subject.maps, *order.last()?);
        let class = class(subject, body).filter(|class| class.is_float())?;
        let is_arithmetic = straight::is_arithmetic(maps, class, body, |_| true);
        let is_box = !maps.is_narrowed() && maps.congruence().is_none();
        let is_plain = subject.reduced().is_none() && is_box && kept(maps, &subject.accesses, body).is_empty();
        let carries = body.params[1..].iter().all(|value| maps.class(*value) == class);
        (is_arithmetic && is_plain && carries).then_some(())?;
        let mut walk =
            Walk { subject, memory, along, counter: direct.counter, body, groups: Vec::new(), ways: Vec::new() };
        for stmt in body.stmts.iter().filter(|stmt| matches!(stmt.op, Op::Load(..) | Op::Put(..))) {
            walk.take(&stmt.op)?;
        }
        (walk.stores_are_alike() && !walk.groups.is_empty()).then(|| walk.finish(class))?
    }

    /// How a load or store is done.
    pub fn way(&self, op: &Op) -> Option<Way> {
        self.ways.iter().find(|(own, _)| std::ptr::eq(*own, op)).map(|(_, way)| *way)
    }
}

/// The class of what a loop's body stores or hands on.
fn class(subject: &Subject<'_>, body: &Region) -> Option<Class> {
    let stored = body.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Put(_, _, value) => Some(*value),
        _ => None,
    });
    stored.or(body.params.get(1).copied()).map(|value| subject.maps.class(value))
}

/// Accesses of one array that are apart by iterations alone.
struct Group {
    mem: Mem,
    /// Whether nothing stores what they load.
    unwritten: bool,
    /// The elements of the first of them, from which the others are counted,
    map: Vec<Affine>,
    /// the dimension along which it moves, and by how much in an iteration,
    moves: (usize, i64),
    /// and all of them, in order, with their distances in iterations.
    all: Vec<(*const Op, i64)>,
    store: Option<(*const Op, i64)>,
}

struct Walk<'s, 'f> {
    subject: &'s Subject<'f>,
    memory: Memory,
    along: usize,
    counter: Value,
    body: &'s Region,
    groups: Vec<Group>,
    /// Accesses that are done otherwise.
    ways: Vec<(*const Op, Way)>,
}

impl<'s, 'f> Walk<'s, 'f> {
    fn take(&mut self, op: &Op) -> Option<()> {
        let subject = self.subject;
        let access = subject.accesses.iter().find(|access| std::ptr::eq(access.op, op))?;
        let map = access.map.as_ref().filter(|_| !access.conditional)?;
        let dims = subject.ty(access.mem).dims;
        let is_vector = dims.iter().filter(|size| !size.is_one()).count() <= 1;
        (map.len() == dims.len() || map.len() == 1 && is_vector).then_some(())?;
        // What a subscript counts with stands outside of the loop, but for its counter.
        let inside = |value: Value| self.body.stmts.iter().any(|stmt| stmt.results.contains(&value));
        let uniform = map.iter().flat_map(|affine| &affine.uniform);
        (!uniform.clone().any(|(value, _)| inside(*value))).then_some(())?;
        let (points, steps) = (access.step(self.along)?, access.body_step(self.counter)?);
        let way = match () {
            () if points.iter().all(|by| *by == 0) => Way::Same,
            () if is_consecutive(&points, &dims, self.memory) => Way::Along,
            () if is_neighbouring(&steps, &dims, self.memory) => return self.group(access, &steps),
            () => return None,
        };
        self.ways.push((std::ptr::from_ref(op), way));
        Some(())
    }

    /// Takes an access that moves along memory from one iteration to the next.
    fn group(&mut self, access: &Access<'_>, steps: &[i64]) -> Option<()> {
        let dim = steps.iter().position(|by| *by != 0)?;
        let map: Vec<Affine> = access.map.iter().flatten().map(|a| self.subject.maps.in_sizes(a.clone())).collect();
        let is_near = |group: &Group| (group.mem, group.unwritten) == (access.mem, access.unwritten);
        let found = self.groups.iter().position(|group| is_near(group) && group.distance(&map).is_some());
        let at = found.unwrap_or(self.groups.len());
        if found.is_none() {
            let (mem, unwritten, map) = (access.mem, access.unwritten, map.clone());
            self.groups.push(Group { mem, unwritten, map, moves: (dim, steps[dim]), all: Vec::new(), store: None });
        }
        let group = &mut self.groups[at];
        let one = (std::ptr::from_ref(access.op), group.distance(&map)?);
        group.all.push(one);
        if matches!(access.op, Op::Put(..)) && group.store.replace(one).is_some() {
            return None;
        }
        Some(())
    }

    /// Whether all that touches elements which the loop stores does so in one way.
    fn stores_are_alike(&self) -> bool {
        let of = |op: *const Op| self.subject.accesses.iter().find(|access| std::ptr::eq(access.op, op));
        let others: Vec<(&Access<'_>, Way)> = self
            .ways
            .iter()
            .filter_map(|(op, way)| Some((of(*op)?, *way)))
            .filter(|(access, _)| !access.unwritten)
            .collect();
        let stored = |access: &Access<'_>| matches!(access.op, Op::Put(..));
        let in_blocks = self.groups.iter().filter(|group| group.store.is_some()).all(|group| {
            let alone = |other: &Group| other.mem != group.mem || other.unwritten;
            let one = self.groups.iter().filter(|other| !std::ptr::eq(*other, group)).all(alone);
            one && others.iter().all(|(access, _)| access.mem != group.mem)
        });
        let along = others.iter().filter(|(access, _)| stored(access)).all(|(put, _)| {
            let same = others.iter().filter(|(access, _)| access.mem == put.mem).all(|(_, way)| *way == Way::Along);
            same && self.groups.iter().all(|group| group.mem != put.mem || group.unwritten)
        });
        in_blocks && along
    }

    fn finish(self, class: Class) -> Option<Transposed> {
        let mut found = Transposed { class, blocks: Vec::new(), ways: self.ways };
        for (number, group) in self.groups.into_iter().enumerate() {
            let ats = || group.all.iter().map(|(_, at)| *at);
            let (least, most) = (ats().min()?, ats().max()?);
            (most.checked_sub(least)? <= REACH).then_some(())?;
            let element = |at: i64| (at - least) as usize;
            let ways = group.all.iter().map(|(op, at)| (*op, Way::Block(number, element(*at))));
            found.ways.extend(ways);
            let loads = group.loads().map(|(op, at, first)| Load { op, at: element(at), first }).collect();
            let store = group.store.map(|(op, at)| (op, element(at)));
            found.blocks.push(Block { mem: group.mem, reach: element(most), loads, store });
        }
        Some(found)
    }
}

impl Group {
    /// By how many iterations an access is ahead of the first, if by iterations alone.
    fn distance(&self, map: &[Affine]) -> Option<i64> {
        let (dim, by) = self.moves;
        let mut distance = 0;
        for (at, (a, b)) in self.map.iter().zip(map).enumerate() {
            let apart = b.size.sub(&a.size).as_constant().filter(|d| *d == 0 || at == dim)?;
            (a.coeffs == b.coeffs && a.uniform == b.uniform).then_some(())?;
            distance += apart * by;
        }
        Some(distance)
    }

    /// The loads that need what memory has, and in how many of the first iterations.
    fn loads(&self) -> impl Iterator<Item = (*const Op, i64, Option<usize>)> {
        let mut stored = false;
        self.all.iter().filter_map(move |(op, at)| {
            let Some((store, stores)) = self.store else { return Some((*op, *at, None)) };
            if *op == store {
                stored = true;
                return None;
            }
            match at.cmp(&stores) {
                Ordering::Less => Some((*op, *at, Some((stores - at) as usize))),
                Ordering::Equal if stored => None,
                Ordering::Equal | Ordering::Greater => Some((*op, *at, None)),
            }
        })
    }
}

#[cfg(test)]
mod tests;
