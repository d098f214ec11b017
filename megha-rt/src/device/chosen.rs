//! The entries that launches of a kernel could take last, the best first, by all that the choice depends on.
//!
//! [`megha_base::plan::KernelPlan::ways_for`] asks a model about every variant, which takes a good part of the host's time for a launch. For all of a kernel the choice is
//! a function of the order of memory, the sizes and the device's ceilings. Whether a launch may take a variant at all (what is on the device) is asked before, each time.
//! A launch never waits here: where another thread looks, it chooses for itself.

use std::sync::{Arc, Mutex, TryLockError};

use megha_base::plan::Ceilings;

use super::tuned::Ways;

/// Choices that are kept for a kernel; a launch of other sizes takes the place of the oldest.
const KEPT: usize = 8;

/// The last choices for a kernel.
#[derive(Debug, Default)]
pub struct Chosen(Mutex<Ring>);

#[derive(Debug, Default)]
struct Ring {
    kept: Vec<Choice>,
    /// The one that was found or made last, with which a search begins.
    last: usize,
    /// The next one to be replaced.
    oldest: usize,
}

#[derive(Debug)]
struct Choice {
    order: usize,
    sizes: Vec<i64>,
    ceilings: Ceilings,
    ways: Arc<Ways>,
}

/// The order of memory, the sizes and the device's ceilings.
type Key<'k> = (usize, &'k [i64], &'k Ceilings);

impl Choice {
    fn is_for(&self, (order, sizes, ceilings): Key<'_>) -> bool {
        self.order == order && self.sizes == sizes && self.ceilings == *ceilings
    }
}

impl Chosen {
    /// The ways that are kept for an order, sizes and a device, or else those that `choose` gives.
    pub fn ways(&self, key: Key<'_>, choose: impl FnOnce() -> Arc<Ways>) -> Arc<Ways> {
        let mut ring = match self.0.try_lock() {
            Ok(ring) => ring,
            // a choice is stored last, so a thread that stopped left whole ones
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return choose(),
        };
        if let Some(ways) = ring.find(key) {
            return ways;
        }
        let ways = choose();
        ring.keep(key, ways.clone());
        ways
    }
}

impl Ring {
    fn find(&mut self, key: Key<'_>) -> Option<Arc<Ways>> {
        if !self.kept.get(self.last)?.is_for(key) {
            self.last = self.kept.iter().position(|choice| choice.is_for(key))?;
        }
        Some(self.kept[self.last].ways.clone())
    }

    fn keep(&mut self, (order, sizes, ceilings): Key<'_>, ways: Arc<Ways>) {
        let choice = Choice { order, sizes: sizes.to_vec(), ceilings: *ceilings, ways };
        if self.kept.len() < KEPT {
            self.last = self.kept.len();
            self.kept.push(choice);
        } else {
            self.last = self.oldest;
            self.oldest = (self.oldest + 1) % KEPT;
            self.kept[self.last] = choice;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::time::Instant;

    use megha_base::plan::KernelPlan;

    use super::*;

    /// The words of a grid with what a point asks for, the femtoseconds in which a large device computes it, and what is under way.
    fn costing((grid, computed, under_way): (&str, u32, u32)) -> String {
        format!("{grid},{}:0:0:0,0:0:0:0,{under_way},0", 28 * computed)
    }

    /// A kernel over a matrix with a plain entry and four variants in either order.
    fn plan() -> KernelPlan {
        let stride = "; a0 ; 1*0";
        let ways =
            [("vectors 0 1 - 4 170", 900, 4), ("halos 0 1 - 8,1,2 160", 1000, 1), ("halos 0 1 - 4,1,2 190", 980, 1)];
        let ways = ways.map(costing);
        let rows = [("tiles 0,1 32,32 32,8 - 200", 970, 1), ("points 1 0 - 500", 900, 1)].map(costing);
        let variants = [&ways[0], &ways[1], &ways[2], &rows[0]].map(|way| format!("variant v 0 {way} {stride}"));
        let own =
            format!("columns f 0 {} {stride}\nrows g 0 {} {stride}", costing(("points 0 1 - 384", 900, 1)), rows[1]);
        let array = "array f64 in 0 a 1*0 1*1";
        let text = format!("kernel 0 0 f\nsymbols n m\ndomain 1*0 1*1\n{array}\n{own}\n{}", variants.join("\n"));
        KernelPlan::decode_all(&text).unwrap().remove(0)
    }

    /// Numbers below a bound that look random.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    fn afresh(plan: &KernelPlan, (order, sizes, ceilings): Key<'_>) -> Arc<Ways> {
        let symbol = |symbol: usize| sizes[symbol];
        Arc::new(Ways { by_time: plan.ways_for(&plan.whole(&symbol), order, &symbol, ceilings), bytes: 0 })
    }

    fn only(way: usize) -> Arc<Ways> {
        Arc::new(Ways { by_time: vec![(way, 1.0)], bytes: 0 })
    }

    /// Sizes come back at random, more of them than are kept, and differ in one size or the order only.
    #[test]
    fn what_is_kept_is_what_would_be_chosen() {
        let (plan, chosen, mut random) = (plan(), Chosen::default(), Random(5));
        let devices = [Ceilings::default(), Ceilings { instructions: 1.0, processors: 58, ..Ceilings::default() }];
        let mut taken = [0; 5];
        for sides in [[30, 31], [64, 1000], [2048, 2047], [4, 4096]] {
            for _ in 0..600 {
                let mut side = || sides[random.below(2) as usize] + random.below(2) as i64;
                let sizes = [side(), side()];
                let key = (random.below(2) as usize, &sizes[..], &devices[random.below(2) as usize]);
                let ways = chosen.ways(key, || afresh(&plan, key));
                assert_eq!(ways, afresh(&plan, key), "{key:?}");
                taken[ways.first()] += 1;
            }
        }
        assert!(taken.iter().filter(|times| **times > 0).count() > 2, "{taken:?}");
        assert_eq!(chosen.0.lock().unwrap().kept.len(), KEPT);
    }

    #[test]
    fn only_other_sizes_choose_anew() {
        let (chosen, mut asked) = (Chosen::default(), Vec::new());
        let mut way = |(order, sizes): (usize, &[i64]), way: usize| {
            let ways = chosen.ways((order, sizes, &Ceilings::default()), || {
                asked.push(way);
                only(way)
            });
            ways.first()
        };
        assert_eq!([way((0, &[3, 5]), 1), way((0, &[3, 5]), 9)], [1, 1]);
        assert_eq!([way((1, &[3, 5]), 2), way((0, &[5, 3]), 3), way((0, &[3, 6]), 4)], [2, 3, 4]);
        assert_eq!([way((1, &[3, 5]), 9), way((0, &[3, 5]), 9), way((0, &[5, 3]), 9)], [2, 1, 3]);
        assert_eq!(asked, [1, 2, 3, 4]);
    }

    #[test]
    fn nobody_waits() {
        let chosen = Chosen::default();
        let held = chosen.0.lock().unwrap();
        assert_eq!(chosen.ways((0, &[3], &Ceilings::default()), || only(7)), only(7));
        assert!(held.kept.is_empty());
    }

    /// Nanoseconds of a choice among four variants, afresh and where the sizes come back, in release: printed, not judged, since machines differ.
    #[test]
    #[ignore = "a measurement: run it with --release and --nocapture"]
    fn time_of_a_choice() {
        let (plan, chosen) = (plan(), Chosen::default());
        let nanoseconds = |choose: &dyn Fn(&[i64]) -> Arc<Ways>, sizes: &[[i64; 2]]| {
            let mut times: Vec<f64> = (0..51)
                .map(|_| {
                    let begin = Instant::now();
                    (0..1000).for_each(|call| {
                        black_box(choose(black_box(&sizes[call % sizes.len()])));
                    });
                    begin.elapsed().as_secs_f64() * 1e6
                })
                .collect();
            times.sort_by(f64::total_cmp);
            times[25]
        };
        let ceilings = Ceilings::default();
        let anew = |sizes: &[i64]| afresh(&plan, (0, sizes, &ceilings));
        let kept = |sizes: &[i64]| chosen.ways((0, sizes, &ceilings), || anew(sizes));
        let (one, four) = ([[1000, 1000]], [[1000, 1000], [500, 500], [250, 250], [125, 125]]);
        println!("afresh {:.0} ns, the same sizes {:.0} ns", nanoseconds(&anew, &one), nanoseconds(&kept, &one));
        println!(
            "four sizes in turn: afresh {:.0} ns, kept {:.0} ns",
            nanoseconds(&anew, &four),
            nanoseconds(&kept, &four)
        );
    }
}
