//! The loads of a kernel in groups whose elements are at constant distances from each other.

use super::super::access::{Access, Affine};
use super::super::order::{Memory, is_consecutive};
use super::super::subject::Subject;
use super::{Halo, Read};
use crate::ir::{Mem, Op, Value};
use crate::kernels::old_state::OldState;

/// How far elements that a kernel reads of an array may be from each other along a loop.
const FARTHEST: i64 = 8;

/// A load of an array whose elements are at constant distances.
struct Load<'f> {
    op: &'f Op,
    value: Value,
    subs: &'f [Value],
    /// By how much its subscripts differ from those of the first load, and with which counters they move.
    at: Vec<i64>,
    counters: Vec<(usize, Value, i64)>,
    /// How far that reaches beyond `at` in each dimension.
    beyond: Vec<[i64; 2]>,
}

impl Load<'_> {
    fn reach(&self, dim: usize) -> [i64; 2] {
        self.beyond[dim].map(|by| self.at[dim] + by)
    }
}

/// Such loads.
pub(super) struct Group<'f> {
    array: Value,
    loads: Vec<Load<'f>>,
    /// The subscripts of the first one.
    first: Vec<Affine>,
}

impl<'f> Group<'f> {
    /// The dimension that moves with a loop.
    fn dim(&self, axis: usize) -> Option<usize> {
        self.first.iter().position(|affine| affine.coeffs[axis] != 0)
    }

    /// How far elements are from each other along a loop.
    pub(super) fn reach(&self, axis: usize) -> i64 {
        let Some(dim) = self.dim(axis) else { return 0 };
        let all = || self.loads.iter().map(|load| load.reach(dim));
        all().map(|[_, high]| high).max().unwrap_or(0) - all().map(|[low, _]| low).min().unwrap_or(0)
    }

    /// The load from which distances are counted, along this dimension the one in whose column most loads are, and of several the one in the middle.
    fn origin(&self, dim: Option<usize>) -> Option<&Load<'f>> {
        let column = |load: &Load<'_>| dim.map_or(0, |dim| load.at[dim]);
        let in_column = |own: i64| self.loads.iter().filter(|load| column(load) == own).count();
        let all = || self.loads.iter().map(column);
        let middle = all().max().unwrap_or(0) + all().min().unwrap_or(0);
        let off = |load: &Load<'_>| (2 * column(load) - middle).abs();
        self.loads.iter().max_by_key(|load| (in_column(column(load)), std::cmp::Reverse(off(load))))
    }

    /// The distances along three loops.
    pub(super) fn along(&self, loops: [Option<usize>; 3]) -> Option<Halo<'f>> {
        let dims = loops.map(|axis| axis.and_then(|axis| self.dim(axis)));
        let origin = self.origin(dims[0])?;
        // along all other dimensions the subscripts of all loads are the same, or this entry cannot tell them apart
        let is_placed = |load: &Load<'_>| {
            let mut others = (0..load.at.len()).filter(|dim| !dims.contains(&Some(*dim)));
            others.all(|dim| load.at[dim] == origin.at[dim] && load.counters.iter().all(|(moved, ..)| *moved != dim))
        };
        if !self.loads.iter().all(is_placed) {
            return None;
        }
        let read = |load: &Load<'f>| {
            let by = |of: &dyn Fn(usize) -> i64| dims.map(|dim| dim.map_or(0, of));
            let [low, high] = [0, 1].map(|end| by(&|dim| load.reach(dim)[end] - origin.at[dim]));
            let place = |dim: usize| dims.iter().position(|own| *own == Some(dim));
            let counters = load.counters.iter().filter_map(|(dim, value, by)| Some((place(*dim)?, *value, *by)));
            Read {
                op: load.op,
                value: load.value,
                at: by(&|dim| load.at[dim] - origin.at[dim]),
                counters: counters.collect(),
                reach: [0, 1, 2].map(|k| [low[k], high[k]]),
            }
        };
        let reads: Vec<Read<'f>> = self.loads.iter().map(read).collect();
        let reach = [0, 1, 2].map(|k| {
            let all = |end: usize| reads.iter().map(move |read| read.reach[k][end]);
            [all(0).min().unwrap_or(0), all(1).max().unwrap_or(0)]
        });
        let mut counters: Vec<Value> = reads.iter().flat_map(|read| &read.counters).map(|(_, own, _)| *own).collect();
        counters.sort_unstable();
        counters.dedup();
        let moves = [dims[1].is_some(), dims[2].is_some()];
        Some(Halo { array: self.array, subs: origin.subs, reads, reach, counters, moves })
    }
}

/// The groups of loads that move along memory with a loop, of several elements each.
pub(super) fn groups<'f>(subject: &Subject<'f>, memory: Memory, across: usize) -> Vec<Group<'f>> {
    let mut found: Vec<Group<'f>> = Vec::new();
    for access in subject.accesses.iter().filter(|access| !access.conditional) {
        let (Mem::In(array), Op::Load(_, subs), Some(value)) = (access.mem, access.op, access.result) else { continue };
        let Some((map, counters, beyond)) = moved(subject, access, (memory, across)) else { continue };
        let known = found.iter_mut().filter(|group| group.array == array);
        let found_in = known.into_iter().find_map(|group| Some((distances(&group.first, &map)?, group)));
        let load = |at: Vec<i64>| Load { op: access.op, value, subs, at, counters, beyond };
        match found_in {
            Some((by, group)) => group.loads.push(load(by)),
            None => found.push(Group { array, loads: vec![load(vec![0; map.len()])], first: map }),
        }
    }
    let depth = subject.depth();
    let is_near = |group: &Group<'_>| {
        let reaches: Vec<i64> = (0..depth).map(|axis| group.reach(axis)).collect();
        reaches.iter().any(|by| *by > 0) && reaches.iter().all(|by| *by <= FARTHEST)
    };
    found.retain(is_near);
    // asked last, as it takes the dependence test
    let old = OldState::new(subject.func);
    found.retain(|group| subject.is_constant(group.array) || old.is_read(subject.kernel, group.array));
    found
}

/// Subscripts without the counters of loops in the body, those counters, and how far they reach in each dimension.
type Moved = (Vec<Affine>, Vec<(usize, Value, i64)>, Vec<[i64; 2]>);

/// The subscripts of a load each of which moves with one loop at most, by one, if it moves along memory with this one, and with nothing else that only the body knows but
/// counters of loops of a known number of iterations.
fn moved(subject: &Subject<'_>, access: &Access<'_>, (memory, across): (Memory, usize)) -> Option<Moved> {
    let Op::Load(_, subs) = access.op else { return None };
    let dims = subject.ty(access.mem).dims;
    let mut map: Vec<Affine> = subs.iter().map(|sub| subject.maps.sized(*sub)).collect::<Option<_>>()?;
    let single = |affine: &Affine| {
        let mut moving = affine.coeffs.iter().filter(|by| **by != 0);
        moving.next().is_none_or(|by| *by == 1) && moving.next().is_none()
    };
    let once = (0..subject.depth()).all(|axis| map.iter().filter(|affine| affine.coeffs[axis] != 0).count() <= 1);
    let step: Vec<i64> = map.iter().map(|affine| affine.coeffs[across]).collect();
    let is_line = map.len() == 1 && dims.iter().filter(|dim| !dim.is_one()).count() <= 1;
    let has_shape = (map.len() == dims.len() || is_line) && map.iter().all(single) && once;
    if !has_shape || !is_consecutive(&step, &dims, memory) {
        return None;
    }
    let (mut counters, mut beyond) = (Vec::new(), vec![[0; 2]; map.len()]);
    for (dim, affine) in map.iter_mut().enumerate() {
        for (value, by) in std::mem::take(&mut affine.uniform) {
            if !subject.maps.is_counter(value) {
                affine.uniform.push((value, by));
                continue;
            }
            let body_loop = subject.body_loop(subject.loop_counted_by(value)?)?;
            let farthest = by * (subject.maps.fixed_trips(body_loop.trip)? - 1);
            beyond[dim][usize::from(farthest > 0)] += farthest;
            counters.push((dim, value, by));
        }
    }
    let outside = |value: Value| subject.maps.def(value).is_none() && subject.maps.number(value).is_none();
    let is_known = |affine: &Affine| {
        affine.uniform.iter().all(|(value, _)| outside(*value) && subject.maps.is_uniform(*value))
            && subject.func.symbols.is_made_of(&affine.size, &outside)
    };
    let moves = |(dim, ..): &(usize, Value, i64)| map[*dim].coeffs.iter().any(|by| *by != 0);
    (map.iter().all(is_known) && counters.iter().all(moves)).then_some((map, counters, beyond))
}

/// By how much subscripts differ in each dimension, if by numbers, and only in dimensions that move.
fn distances(a: &[Affine], b: &[Affine]) -> Option<Vec<i64>> {
    let by = |(a, b): (&Affine, &Affine)| {
        let by = b.size.sub(&a.size).as_constant()?;
        let moves = a.coeffs.iter().any(|by| *by != 0);
        (a.coeffs == b.coeffs && a.uniform == b.uniform && (moves || by == 0)).then_some(by)
    };
    a.iter().zip(b).map(by).collect()
}
