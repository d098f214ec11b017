//! What entries of a kernel cost, by which a launch takes the one that should be fastest.
//!
//! The model is a roofline (Williams et al., 2009) with round figures of a large device, as the simulated device has it: the longest of what the caches are asked
//! for, of what comes from memory and of what processors compute. Fewer threads than hide how long memory takes have so much less under way, and processors
//! without a block, or with few threads, compute nothing. Only the order of a kernel's entries counts, so what all of them cost alike is left out.

use super::grid::{Grid, PROCESSORS};
use super::part::Part;

/// Threads that it takes to reach the peaks of a large device's memory.
const RESIDENT: f64 = PROCESSORS as f64 * 1024.0;
/// Threads of a processor that hide how long arithmetic takes.
const BUSY: u64 = 512;
/// Bytes from the caches and from memory in a picosecond.
const CACHES: f64 = 6.0;
const MEMORY: f64 = 3.0;

/// The part of what is not the longest that a device does not hide behind it.
const HIDDEN: f64 = 1.0 / 16.0;

/// What the threads of an entry do for a point of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Sixteenths of bytes that the caches are asked for, in whole sectors.
    pub asked: u32,
    /// Femtoseconds in which a whole device computes it.
    pub computed: u32,
    /// Femtoseconds in which a whole device does what a thread does once, beside its points.
    pub begun: u32,
    /// Doubles that a thread has under way with a request.
    pub under_way: u32,
    /// Whether both are those of one iteration of a loop of the body, beside which it does not count how much different memory there is.
    pub repeated: bool,
}

impl Cost {
    /// Picoseconds of a part, of arrays of so many bytes; `None` if there is nothing to do.
    pub(super) fn time(&self, grid: &Grid, part: &Part, bytes: f64) -> Option<f64> {
        let launch = grid.launch(part)?;
        let product = |of: [u32; 3]| of.iter().map(|n| u64::from(*n)).product::<u64>();
        let (blocks, threads) = (product(launch.grid), product(launch.block));
        let rounds = blocks.div_ceil(PROCESSORS);
        let filled = blocks as f64 / (rounds * PROCESSORS) as f64;
        let computing = filled * ((rounds * threads) as f64 / BUSY as f64).min(1.0);
        let waiting = ((blocks * threads) as f64 * f64::from(self.under_way) / RESIDENT).min(1.0);
        let points = grid.points(part, &launch).map(|points| points as f64);
        let asked = f64::from(self.asked) / 16.0 * points[0] / CACHES;
        let memory = if self.repeated { 0.0 } else { bytes / MEMORY };
        let computed = f64::from(self.computed) * points[1] + f64::from(self.begun) * (blocks * threads) as f64;
        let terms = [asked / waiting, memory / waiting, computed / 1000.0 / computing];
        let longest = terms.iter().copied().fold(0.0, f64::max);
        Some(longest + HIDDEN * (terms.iter().sum::<f64>() - longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of few long rows want many threads, though these ask for whole sectors; of many short ones what each thread does beside adding counts.
    #[test]
    fn few_sums_want_many_threads() {
        let lanes = Grid::Lanes { kept: vec![0], reduced: vec![1], ahead: 4 };
        let beside = Grid::Neighbours { x: 0, others: vec![], reduced: vec![1], ahead: 4 };
        let cost = |asked: u32| Cost { asked: 16 * asked, computed: 500, begun: 4000, under_way: 1, repeated: false };
        let times = |n: i64, m: i64| {
            [(&lanes, 32), (&beside, 8)]
                .map(|(grid, asked)| cost(asked).time(grid, &Part::whole(&[n, m], grid), (8 * n * m) as f64).unwrap())
        };
        let is_lanes = |[lanes, beside]: [f64; 2]| lanes < beside;
        assert!(is_lanes(times(300, 4096)) && !is_lanes(times(4096, 4096)) && !is_lanes(times(1 << 20, 3)));
        let begun = |begun: u32| Cost { begun, ..cost(8) }.time(&beside, &Part::whole(&[1 << 20, 3], &beside), 1.0);
        assert!(begun(4000) > begun(0));
    }

    /// Several points for a thread spare what the caches are asked for, but leave fewer threads.
    #[test]
    fn few_points_want_a_thread_each() {
        let axes = || [vec![0], vec![1], vec![]];
        let cost = |asked: u32| Cost { asked: 16 * asked, computed: 1000, begun: 0, under_way: 1, repeated: false };
        let (one, several) = (Grid::Points(axes()), Grid::Halos { axes: axes(), each: [8, 1], sides: 2 });
        let times = |n: i64| {
            let of = |grid: &Grid, asked| cost(asked).time(grid, &Part::whole(&[n, n], grid), (16 * n * n) as f64);
            [of(&one, 48), of(&several, 18)]
        };
        let [one_each, eight_each] = times(200);
        assert!(one_each < eight_each, "{one_each:?} {eight_each:?}");
        let [one_each, eight_each] = times(2000);
        assert!(eight_each < one_each, "{one_each:?} {eight_each:?}");
        assert_eq!(times(0), [None, None]);
        // beside a loop of the body it does not count how much memory there is
        let repeated = Cost { repeated: true, ..cost(0) };
        let whole = Part::whole(&[2000, 2000], &one);
        assert!(repeated.time(&one, &whole, 1e12) < cost(0).time(&one, &whole, 1e12));
    }
}
