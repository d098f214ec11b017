//! What entries of a kernel cost, by which a launch takes the one that should be fastest.
//!
//! The model is a roofline (Williams et al., 2009) of the device's [`Ceilings`], as the simulated device has it: the longest of what the caches are asked
//! for, of what comes from memory and of what processors compute. Fewer threads than hide how long memory takes have so much less under way, and processors
//! without a block, or with few threads, compute nothing. Only the order of a kernel's entries counts, so what all of them cost alike is left out.

use super::ceilings::Ceilings;
use super::grid::Grid;
use super::part::Part;

/// The part of what is not the longest that a device does not hide behind it.
const HIDDEN: f64 = 1.0 / 16.0;

/// What threads compute, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Computation {
    /// Instructions.
    pub instructions: u64,
    /// Operations on doubles, those counted several times that take so long.
    pub doubles: u64,
    /// The same on singles.
    pub singles: u64,
    /// Bytes of shared memory.
    pub shared: u64,
}

impl Computation {
    /// Picoseconds in which all of a device does it.
    fn time(&self, ceilings: &Ceilings) -> f64 {
        let Computation { instructions, doubles, singles, shared } = *self;
        let terms = [
            (instructions, ceilings.instructions),
            (doubles, ceilings.doubles),
            (singles, ceilings.singles),
            (shared, ceilings.shared),
        ];
        terms.into_iter().map(|(amount, rate)| amount as f64 / rate).fold(0.0, f64::max) / 1000.0
    }
}

/// What the threads of an entry do for a point of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Sixteenths of bytes that the caches are asked for, in whole sectors.
    pub asked: u32,
    /// What is computed.
    pub computed: Computation,
    /// What a thread computes once, beside its points.
    pub begun: Computation,
    /// Doubles that a thread has under way with a request.
    pub under_way: u32,
    /// Whether both are those of one iteration of a loop of the body, beside which it does not count how much different memory there is.
    pub repeated: bool,
}

impl Cost {
    /// Picoseconds of a part on a device, of arrays of so many bytes; `None` if there is nothing to do.
    pub(super) fn time(&self, grid: &Grid, part: &Part, bytes: f64, ceilings: &Ceilings) -> Option<f64> {
        let launch = grid.launch(part)?;
        let product = |of: [u32; 3]| of.iter().map(|n| u64::from(*n)).product::<u64>();
        let (blocks, threads) = (product(launch.grid), product(launch.block));
        let processors = ceilings.processors.max(1);
        let rounds = blocks.div_ceil(processors);
        let filled = blocks as f64 / (rounds * processors) as f64;
        let computing = filled * ((rounds * threads) as f64 / ceilings.busy as f64).min(1.0);
        let waiting = |most: f64| ((blocks * threads) as f64 * f64::from(self.under_way) / most).min(1.0);
        let points = grid.points(part, &launch).map(|points| points as f64);
        let asked = f64::from(self.asked) / 16.0 * points[0] / ceilings.caches;
        let memory = if self.repeated { 0.0 } else { bytes / ceilings.memory };
        let begun = self.begun.time(ceilings) * (blocks * threads) as f64;
        let computed = self.computed.time(ceilings) * points[1] + begun;
        let terms = [asked / waiting(ceilings.cached), memory / waiting(ceilings.resident), computed / computing];
        let longest = terms.iter().copied().fold(0.0, f64::max);
        if longest.is_infinite() {
            // something that the device cannot do
            return Some(longest);
        }
        Some(longest + HIDDEN * (terms.iter().sum::<f64>() - longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instructions that a large device does in so many femtoseconds.
    fn work(femtoseconds: u64) -> Computation {
        Computation { instructions: 28 * femtoseconds, ..Computation::default() }
    }

    fn time(cost: Cost, grid: &Grid, sizes: &[i64], bytes: f64) -> Option<f64> {
        cost.time(grid, &Part::whole(sizes, grid), bytes, &Ceilings::default())
    }

    /// Sums of few long rows want many threads, though these ask for whole sectors; of many short ones what each thread does beside adding counts.
    #[test]
    fn few_sums_want_many_threads() {
        let lanes = Grid::Lanes { kept: vec![0], reduced: vec![1], ahead: 4 };
        let beside = Grid::Neighbours { x: 0, others: vec![], reduced: vec![1], ahead: 4 };
        let cost = |asked: u32| Cost {
            asked: 16 * asked,
            computed: work(500),
            begun: work(4000),
            under_way: 1,
            repeated: false,
        };
        let times = |n: i64, m: i64| {
            [(&lanes, 32), (&beside, 8)]
                .map(|(grid, asked)| time(cost(asked), grid, &[n, m], (8 * n * m) as f64).unwrap())
        };
        let is_lanes = |[lanes, beside]: [f64; 2]| lanes < beside;
        assert!(is_lanes(times(300, 4096)) && !is_lanes(times(4096, 4096)) && !is_lanes(times(1 << 20, 3)));
        let begun = |begun: u64| time(Cost { begun: work(begun), ..cost(8) }, &beside, &[1 << 20, 3], 1.0);
        assert!(begun(4000) > begun(0));
    }

    /// Several points for a thread spare what the caches are asked for, but leave fewer threads.
    #[test]
    fn few_points_want_a_thread_each() {
        let axes = || [vec![0], vec![1], vec![]];
        let cost = |asked: u32| Cost {
            asked: 16 * asked,
            computed: work(1000),
            begun: Computation::default(),
            under_way: 1,
            repeated: false,
        };
        let (one, several) = (Grid::Points(axes()), Grid::Halos { axes: axes(), each: [8, 1], sides: 2 });
        let times = |n: i64| {
            let of = |grid: &Grid, asked| time(cost(asked), grid, &[n, n], (16 * n * n) as f64);
            [of(&one, 48), of(&several, 18)]
        };
        let [one_each, eight_each] = times(200);
        assert!(one_each < eight_each, "{one_each:?} {eight_each:?}");
        let [one_each, eight_each] = times(2000);
        assert!(eight_each < one_each, "{one_each:?} {eight_each:?}");
        assert_eq!(times(0), [None, None]);
        // a device without the operations is not the first
        let without = Ceilings { instructions: 0.0, ..Ceilings::default() };
        let part = Part::whole(&[200, 200], &one);
        assert_eq!(cost(48).time(&one, &part, 1.0, &without), Some(f64::INFINITY));
        // beside a loop of the body it does not count how much memory there is
        let repeated = Cost { repeated: true, ..cost(0) };
        assert!(time(repeated, &one, &[2000, 2000], 1e12) < time(cost(0), &one, &[2000, 2000], 1e12));
    }

    /// Where doubles are slow, an entry that computes points twice to spare memory is none for doubles, and still one for singles.
    #[test]
    fn slow_doubles_are_not_computed_twice() {
        let axes = || [vec![0], vec![1], vec![]];
        let grid = Grid::Points(axes());
        let graphics = Ceilings { doubles: 0.24, ..Ceilings::default() };
        let prefers_less_memory = |ceilings: &Ceilings, operations: &dyn Fn(u64) -> Computation| {
            let of = |asked: u32, each: u64| {
                let cost = Cost {
                    asked,
                    computed: operations(each),
                    begun: Computation::default(),
                    under_way: 1,
                    repeated: true,
                };
                cost.time(&grid, &Part::whole(&[4096, 4096], &grid), 0.0, ceilings).unwrap()
            };
            of(16 * 16, 10_000) < of(16 * 40, 5000)
        };
        let doubles = |doubles: u64| Computation { doubles, ..Computation::default() };
        let singles = |singles: u64| Computation { singles, ..Computation::default() };
        assert!(prefers_less_memory(&Ceilings::default(), &doubles));
        assert!(!prefers_less_memory(&graphics, &doubles) && prefers_less_memory(&graphics, &singles));
    }
}
