//! Parts of a kernel's iterations: what one launch of an entry computes (Mekong, Matz 2020, section 4.3, without a kernel for each partition).
//!
//! A part is a box of the loops that are not reduced, and a run of chunks of the reduced ones (`crate::tree`), which are counted first loop
//! fastest. Partial results have the numbers of their chunks, failed checks those of their iterations, and random numbers those of
//! their elements in the whole kernel, so however a kernel is cut into parts, and wherever each runs, they make the same bits.

use super::KernelPlan;
use super::grid::{Grid, chunks};
use crate::access::{Access, Known};
use crate::cuts::Cuts;
use crate::region::Region;
use crate::tree::CHUNK;

/// Some iterations of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Part {
    /// The numbers of each loop of the domain, from the first to before the second; those of reduced loops are always all.
    pub loops: Vec<(i64, i64)>,
    /// The chunks of the reduced loops, from the first to before the second; the first only in a kernel that does not reduce.
    pub chunks: (i64, i64),
}

impl Part {
    /// All of a domain of these extents.
    pub fn whole(extents: &[i64], grid: &Grid) -> Self {
        let mut part = Self { loops: extents.iter().map(|n| (0, (*n).max(0))).collect(), chunks: (0, 1) };
        part.chunks.1 = if grid.reduces() { chunks(part.count(grid.reduced())) } else { 1 };
        part
    }

    /// The iterations of these loops together.
    pub fn count(&self, loops: &[usize]) -> i64 {
        loops.iter().fold(1, |n: i64, at| n.saturating_mul((self.loops[*at].1 - self.loops[*at].0).max(0)))
    }

    /// Cuts a loop that is not reduced before one of its numbers.
    #[must_use]
    pub fn cut_loop(self, at: usize, number: i64) -> [Self; 2] {
        let (low, high) = self.loops[at];
        let number = number.clamp(low, high.max(low));
        let (mut lower, mut upper) = (self.clone(), self);
        (lower.loops[at].1, upper.loops[at].0) = (number, number);
        [lower, upper]
    }

    /// Cuts a reduction before one of its chunks.
    #[must_use]
    pub fn cut_chunks(self, number: i64) -> [Self; 2] {
        let (low, high) = self.chunks;
        let number = number.clamp(low, high.max(low));
        [Self { chunks: (low, number), ..self.clone() }, Self { chunks: (number, high), ..self }]
    }

    /// The results of the part, as what combines their chunks takes them: with one chunk.
    #[must_use]
    pub fn results(&self) -> Self {
        Self { chunks: (0, 1), ..self.clone() }
    }

    /// What an entry is given of the part.
    pub fn bound(&self, bound: &Bound) -> i64 {
        match bound {
            Bound::First(at) => self.loops[*at].0,
            Bound::Count(loops) => self.count(loops),
            Bound::FirstChunk => self.chunks.0,
            Bound::Chunks => self.chunks.1 - self.chunks.0,
        }
    }
}

/// A number that bounds a part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The first number of a loop of the domain.
    First(usize),
    /// The number of iterations of these loops together.
    Count(Vec<usize>),
    /// The number of the first chunk.
    FirstChunk,
    /// The number of chunks.
    Chunks,
}

impl Bound {
    /// In words.
    pub(super) fn text(&self) -> String {
        match self {
            Self::First(at) => format!("first number of loop {at}"),
            Self::Count(loops) => match &loops[..] {
                [at] => format!("iterations of loop {at}"),
                all => {
                    let numbers: Vec<String> = all.iter().map(usize::to_string).collect();
                    format!("iterations of loops {} together", numbers.join(", "))
                }
            },
            Self::FirstChunk => "first chunk".into(),
            Self::Chunks => "chunks".into(),
        }
    }
}

impl KernelPlan {
    /// All iterations, given the values of the symbols.
    pub fn whole(&self, symbol: &dyn Fn(usize) -> i64) -> Part {
        let extents: Vec<i64> = self.domain.iter().map(|size| size.eval(symbol)).collect();
        Part::whole(&extents, &self.entries[0].grid)
    }

    /// The elements of an array that a part accesses in one way.
    pub fn touched_by(&self, (array, access): (usize, Access), part: &Part, known: &Known<'_>) -> Region {
        let numbers = self.iterations(part);
        let region = self.touched((array, access), &numbers, known);
        let reduced = self.entries[0].grid.reduced();
        let elements = reduced.iter().fold(1, |n: i64, at| n.saturating_mul(numbers[*at].1 - numbers[*at].0));
        let (first, end) = self.elements(part);
        if elements == end - first { region } else { region.widened() }
    }

    /// The first of the reduced elements that a part has, and the one behind its last.
    fn elements(&self, part: &Part) -> (i64, i64) {
        let all = part.count(self.entries[0].grid.reduced());
        let [first, end] = [part.chunks.0, part.chunks.1].map(|chunk| chunk.saturating_mul(CHUNK as i64).min(all));
        (first, end)
    }

    /// The iterations of a part as a box: of several reduced loops the hull of what the chunks have.
    pub fn iterations(&self, part: &Part) -> Vec<(i64, i64)> {
        let (mut numbers, reduced) = (part.loops.clone(), self.entries[0].grid.reduced());
        let (mut first, end) = self.elements(part);
        let mut last = end - 1;
        for (k, at) in reduced.iter().enumerate().rev() {
            let inside = part.count(&reduced[..k]).max(1);
            numbers[*at] = (first.div_euclid(inside), last.div_euclid(inside) + 1);
            if first.div_euclid(inside) != last.div_euclid(inside) {
                break;
            }
            (first, last) = (first.rem_euclid(inside), last.rem_euclid(inside));
        }
        numbers
    }

    /// Parts that are all iterations together, for tests: in any order, some of them empty.
    pub fn parts(&self, whole: &Part, cuts: &mut Cuts) -> Vec<Part> {
        let kept: Vec<usize> =
            (0..whole.loops.len()).filter(|at| !self.entries[0].grid.reduced().contains(at)).collect();
        let mut axes: Vec<(i64, i64)> = kept.iter().map(|at| whole.loops[*at]).collect();
        if self.entries[0].grid.reduces() {
            axes.push(whole.chunks);
        }
        let part = |numbers: Vec<(i64, i64)>| {
            let mut part = whole.clone();
            kept.iter().zip(&numbers).for_each(|(at, numbers)| part.loops[*at] = *numbers);
            part.chunks = numbers.get(kept.len()).copied().unwrap_or(part.chunks);
            part
        };
        cuts.boxes(&axes).into_iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan of this grid over a domain of so many loops; symbol k is the extent of loop k.
    fn plan_of(grid: Grid, loops: usize) -> KernelPlan {
        let sizes: String = (0..loops).map(|at| format!(" 1*{at}")).collect();
        let text = format!("kernel 0 0 f\nsymbols a b c\ndomain{sizes}\ncolumns f 0 points - - - ;");
        let mut plan = KernelPlan::decode_all(&text).unwrap().remove(0);
        plan.entries.iter_mut().for_each(|entry| entry.grid = grid.clone());
        plan
    }

    #[test]
    fn loops_and_chunks_are_cut() {
        let grid = Grid::Lanes { kept: vec![1], reduced: vec![0], ahead: 1 };
        let whole = Part::whole(&[9000, 7], &grid);
        assert_eq!(whole, Part { loops: vec![(0, 9000), (0, 7)], chunks: (0, 3) });
        assert_eq!((whole.count(&[0, 1]), whole.count(&[])), (63_000, 1));
        let [lower, upper] = whole.clone().cut_loop(1, 3);
        assert_eq!((lower.loops[1], upper.loops[1]), ((0, 3), (3, 7)));
        let [none, all] = upper.cut_loop(1, -1);
        assert_eq!((none.count(&[1]), all.loops[1]), (0, (3, 7)));
        let [lower, upper] = whole.cut_chunks(2);
        assert_eq!((lower.chunks, upper.chunks), ((0, 2), (2, 3)));
        // Nothing is reduced to nothing, and points have one chunk that is not cut.
        assert_eq!(Part::whole(&[0, 7], &grid).chunks, (0, 1));
        assert_eq!(Part::whole(&[9000, -7], &Grid::Points([vec![0], vec![1], vec![]])).chunks, (0, 1));
    }

    /// The box of a part has all its iterations, and is the least that has.
    #[test]
    fn chunks_as_boxes() {
        let grid = Grid::Lanes { kept: vec![1], reduced: vec![0, 2], ahead: 1 };
        let plan = plan_of(grid, 3);
        for extents in [[5000, 3, 4], [3, 2, 9001], [4096, 1, 5], [1, 1, 20_000], [100, 2, 100]] {
            let whole = plan.whole(&|s| extents[s]);
            for (low, high) in
                (0..whole.chunks.1).flat_map(|low| (low + 1..=whole.chunks.1).map(move |high| (low, high)))
            {
                let part = Part { chunks: (low, high), ..whole.clone() };
                let elements = low * CHUNK as i64..(high * CHUNK as i64).min(extents[0] * extents[2]);
                let hull = |number: &dyn Fn(i64) -> i64| {
                    let numbers = elements.clone().map(number);
                    (numbers.clone().min().unwrap(), numbers.max().unwrap() + 1)
                };
                let wanted = vec![hull(&|e| e % extents[0]), (0, extents[1]), hull(&|e| e / extents[0])];
                assert_eq!(plan.iterations(&part), wanted, "{extents:?} {low} {high}");
            }
        }
        let points = plan_of(Grid::Points([vec![0], vec![1], vec![]]), 2);
        let part = Part { loops: vec![(2, 5), (1, 1)], chunks: (0, 1) };
        assert_eq!(points.iterations(&part), part.loops);
    }

    #[test]
    fn parts_are_all_iterations() {
        let grid = Grid::Neighbours { x: 0, others: vec![], reduced: vec![1], ahead: 1 };
        let plan = plan_of(grid, 2);
        for seed in 0..100 {
            let whole = plan.whole(&|s| [10, 30_000][s]);
            let parts = plan.parts(&whole, &mut Cuts::new(seed));
            assert!(parts.iter().all(|part| part.loops[1] == (0, 30_000)));
            let points = |part: &Part| part.count(&[0]) * (part.chunks.1 - part.chunks.0);
            assert_eq!(parts.iter().map(points).sum::<i64>(), points(&whole));
        }
    }
}
