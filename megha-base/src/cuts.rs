//! Divisions of boxes at random: how a launch is divided must change no bit of what it makes, and tests divide launches by these.

/// Most cuts of a box.
const MOST: u64 = 6;

/// A source of cuts (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Cuts(u64);

/// A box: along each axis the numbers from the first to before the second.
pub type Numbers = Vec<(i64, i64)>;

impl Cuts {
    /// Cuts that follow from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below a limit, 0 if that is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit.max(1)
    }

    /// The parts of a box in any order; some may be empty.
    pub fn boxes(&mut self, whole: &[(i64, i64)]) -> Vec<Numbers> {
        let mut parts = vec![whole.to_vec()];
        for _ in 0..self.below(MOST + 1).min(MOST * whole.len() as u64) {
            let (which, axis) = (self.below(parts.len() as u64) as usize, self.below(whole.len() as u64) as usize);
            let (low, high) = parts[which][axis];
            let at = low + self.below((high - low).max(0) as u64 + 1) as i64;
            let mut upper = parts[which].clone();
            (parts[which][axis].1, upper[axis].0) = (at, at);
            parts.push(upper);
        }
        for last in (1..parts.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            parts.swap(last, other);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_once() {
        let (mut several, mut empty) = (0, 0);
        for seed in 0..300 {
            let parts = Cuts::new(seed).boxes(&[(0, 5), (-2, 1), (3, 3 + seed as i64 % 3)]);
            let mut seen = std::collections::BTreeMap::new();
            for part in &parts {
                let points = |axis: usize| part[axis].0..part[axis].1;
                for point in points(0).flat_map(|i| points(1).flat_map(move |j| points(2).map(move |k| (i, j, k)))) {
                    *seen.entry(point).or_insert(0) += 1;
                }
                empty += usize::from(part.iter().any(|(low, high)| low == high));
            }
            assert!(seen.len() as u64 == 15 * (seed % 3) && seen.values().all(|n| *n == 1), "{parts:?}");
            several += usize::from(parts.len() > 1);
        }
        assert!(several > 200 && empty > 100, "{several} {empty}");
        assert_eq!(Cuts::new(1).boxes(&[]), [vec![]]);
    }
}
