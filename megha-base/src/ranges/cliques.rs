//! Which arrays are on the device together: the maximal cliques of the interval graph (MEGHA, section 4.1.4 and Algorithm 4).

use super::{Gap, Program};

/// Arrays that are live together, and their bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clique {
    /// A point at which they are.
    pub point: usize,
    /// The arrays.
    pub arrays: Vec<usize>,
    /// Their bytes and what the point takes beside them.
    pub bytes: u64,
}

/// An interval of points in which an array is on the device, from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interval {
    pub array: usize,
    pub first: usize,
    pub last: usize,
}

/// The intervals of all arrays, without the gaps in which they are spilled: uses, joined where the gap between them is none of those.
pub(super) fn intervals(program: &Program, spills: &[Gap]) -> Vec<Interval> {
    let mut all = Vec::new();
    for (array, _) in program.arrays.iter().enumerate() {
        let there = program.there(array, spills);
        let mut first = None;
        for point in 0..=there.len() {
            match (there.get(point).copied().unwrap_or(false), first) {
                (true, None) => first = Some(point),
                (false, Some(begun)) => {
                    all.push(Interval { array, first: begun, last: point - 1 });
                    first = None;
                }
                (true, Some(_)) | (false, None) => {}
            }
        }
    }
    all.sort_unstable_by_key(|interval| (interval.first, interval.array));
    all
}

/// The maximal cliques of a program in which arrays leave in these gaps, by one sweep: a set is maximal where an interval ends and one has begun since
/// the last end.
pub fn cliques(program: &Program, spills: &[Gap]) -> Vec<Clique> {
    let intervals = intervals(program, spills);
    let (mut found, mut active, mut next): (Vec<Clique>, Vec<Interval>, usize) = Default::default();
    let mut grown = false;
    for point in 0..program.points() {
        while let Some(begun) = intervals.get(next).filter(|interval| interval.first == point) {
            active.push(*begun);
            (next, grown) = (next + 1, true);
        }
        if grown && active.iter().any(|interval| interval.last == point) {
            let bytes = active.iter().map(|interval| program.arrays[interval.array].bytes).sum();
            let mut arrays: Vec<usize> = active.iter().map(|interval| interval.array).collect();
            arrays.sort_unstable();
            found.push(Clique { point, arrays, bytes });
            grown = false;
        }
        active.retain(|interval| interval.last > point);
    }
    found
}
