//! Singular values of a bidiagonal matrix without vectors, by differential quotient-difference steps with shifts: one division for each
//! row where rotations take two roots and four divisions, and small values as accurate as large ones (Fernando and Parlett, Accurate
//! singular values and differential qd algorithms, 1994; the choice of shifts after Parlett and Marques, An implementation of the dqds
//! algorithm, 2000).
//!
//! With the squares q of the diagonal and e of what is beside it, a step with the shift t leads to a bidiagonal matrix B whose B * B' is that
//! of before less t. Shifts up to the smallest eigenvalue keep all numbers positive; one that was too large is taken back.

use crate::memory;
/// Squares relative to which what is beside the diagonal is negligible.
const NEGLIGIBLE: f64 = f64::EPSILON * f64::EPSILON / 4.0;
/// Steps for one value after which there is no hope.
const MOST_STEPS: usize = 100;

/// The singular values of an upper bidiagonal matrix, in no order; `None` if they do not converge. The squares must not overflow.
pub(super) fn qd_values(diagonal: &[f64], beside: &[f64]) -> Option<Vec<f64>> {
    let squares = |x: &[f64]| memory::gathered(x.iter().map(|x| x * x));
    let n = diagonal.len();
    let state = || State { q: squares(diagonal), e: squares(beside), d: memory::zeros(n) };
    let mut steps = Steps { next: state(), now: state(), found: memory::with_room(n) };
    let mut blocks = Vec::new();
    if n > 0 {
        memory::push(&mut blocks, Block { first: 0, last: n - 1, shift: Sum::default() });
    }
    while let Some(block) = blocks.pop() {
        steps.solve(block, &mut blocks)?;
    }
    Some(memory::gathered(steps.found.iter().map(|square| square.sqrt())))
}

/// A sum with what rounding took from it.
#[derive(Clone, Copy, Default)]
struct Sum {
    value: f64,
    rest: f64,
}

impl Sum {
    fn plus(self, x: f64) -> Self {
        let x = x + self.rest;
        let value = self.value + x;
        let taken = value - self.value;
        Self { value, rest: (self.value - (value - taken)) + (x - taken) }
    }
}

/// Rows that nothing connects with others, and the sum of their shifts.
struct Block {
    first: usize,
    last: usize,
    shift: Sum,
}

struct State {
    q: Vec<f64>,
    e: Vec<f64>,
    /// Upper bounds of the smallest eigenvalue.
    d: Vec<f64>,
}

struct Steps {
    now: State,
    next: State,
    /// Squares of the values.
    found: Vec<f64>,
}

impl Steps {
    fn solve(&mut self, mut block: Block, blocks: &mut Vec<Block>) -> Option<()> {
        let mut fresh = true;
        for _ in 0..MOST_STEPS * (block.last - block.first + 1) {
            let before = block.last;
            if self.deflate(&mut block) {
                return Some(());
            }
            fresh |= self.split(&mut block, blocks);
            if std::mem::take(&mut fresh) {
                self.turn(&block);
                self.advance(&block, 0.0)?;
            } else {
                let deflated = block.last < before;
                self.step(&mut block, deflated)?;
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }
        None
    }

    /// Steps bring the smallest value down, so the smaller end is to be below.
    fn turn(&mut self, &Block { first, last, .. }: &Block) {
        if 1.5 * self.now.q[first] < self.now.q[last] {
            self.now.q[first..=last].reverse();
            self.now.e[first..last].reverse();
        }
    }

    /// Takes values off the end of a block; whether nothing is left.
    fn deflate(&mut self, block: &mut Block) -> bool {
        loop {
            let (first, last, shift) = (block.first, block.last, block.shift);
            let State { q, e, .. } = &self.now;
            let taken = if last == first || e[last - 1] <= NEGLIGIBLE * (shift.value + q[last]) {
                memory::push(&mut self.found, shift.plus(q[last]).value);
                1
            } else if last - 1 == first || e[last - 2] <= NEGLIGIBLE * (shift.value + q[last - 1]) {
                let pair = pair(q[last - 1], e[last - 1], q[last]);
                memory::extend(&mut self.found, pair.map(|q| shift.plus(q).value));
                2
            } else {
                return false;
            };
            if last + 1 - first == taken {
                return true;
            }
            block.last -= taken;
        }
    }

    /// Leaves the lower part of a block that is in two.
    fn split(&mut self, block: &mut Block, blocks: &mut Vec<Block>) -> bool {
        let State { q, e, .. } = &self.now;
        let negligible = |i: &usize| e[*i] <= NEGLIGIBLE * block.shift.value.max(q[*i]);
        let Some(at) = (block.first..block.last).rev().find(negligible) else { return false };
        // Until its turn comes it has to be in both matrices, which change places.
        self.next.q[block.first..=at].copy_from_slice(&q[block.first..=at]);
        self.next.e[block.first..=at].copy_from_slice(&e[block.first..=at]);
        memory::push(blocks, Block { last: at, ..*block });
        block.first = at + 1;
        true
    }

    /// A step whose shift is not too large.
    fn step(&mut self, block: &mut Block, deflated: bool) -> Option<()> {
        let mut shift = self.shift(block, deflated);
        for attempt in 0.. {
            if attempt > 2 {
                shift = 0.0;
            }
            let least = self.advance(block, shift);
            if least.is_some() {
                break;
            }
            if shift == 0.0 {
                return None;
            }
            let (end, others) = self.next.d[block.first..=block.last].split_last()?;
            // Where only the last bound is negative it says by how much the shift was too large.
            let late = attempt == 0 && others.iter().all(|d| *d > 0.0) && *end > -shift;
            shift = if late { (shift + end) * (1.0 - 2.0 * f64::EPSILON) } else { shift / 4.0 };
        }
        block.shift = block.shift.plus(shift);
        Some(())
    }

    /// The next matrix, less a shift; `None` if a number becomes negative.
    fn advance(&mut self, &Block { first, last, .. }: &Block, shift: f64) -> Option<()> {
        let (now, next) = (&self.now, &mut self.next);
        let mut d = now.q[first] - shift;
        let mut least = d;
        next.d[first] = d;
        let rows = now.e[first..last].iter().zip(&now.q[first + 1..=last]);
        let out = next.q[first..last].iter_mut().zip(&mut next.e[first..last]).zip(&mut next.d[first + 1..=last]);
        for ((e, q), ((next_q, next_e), next_d)) in rows.zip(out) {
            *next_q = d + e;
            let ratio = q / *next_q;
            *next_e = e * ratio;
            d = d * ratio - shift;
            *next_d = d;
            least = least.min(d);
        }
        next.q[last] = d;
        // A minimum does not tell of NaN, the last number does.
        (least >= 0.0 && d >= 0.0).then_some(())
    }

    /// An estimate from below of the smallest eigenvalue.
    fn shift(&self, &Block { first, last, .. }: &Block, deflated: bool) -> f64 {
        let State { q, e, d } = &self.now;
        let smallest = |d: &[f64]| d.iter().fold(f64::INFINITY, |least, d| least.min(*d));
        let above = smallest(&d[first..last - 1]);
        let (before, end) = (d[last - 1], d[last]);
        let least = above.min(before).min(end);
        if least == end && above >= before {
            return gap_bound(q, e, last, above, end);
        }
        if least == end || deflated {
            return least * 0.5;
        }
        least * 0.25
    }
}

/// What the last three rows say, if those above have no eigenvalue near theirs.
fn gap_bound(q: &[f64], e: &[f64], last: usize, above: f64, end: f64) -> f64 {
    let near = (q[last] * e[last - 1]).sqrt();
    let far = (q[last - 1] * e[last - 2]).sqrt();
    let middle = q[last - 1] + e[last - 1];
    let gap = 0.75 * above - middle;
    let gap = middle - end - if gap > 0.0 && gap > far { far / gap * far } else { near + far };
    if gap > 0.0 && gap > near {
        return (end - near / gap * near).max(0.5 * end);
    }
    let mut bound = (end - near).max(0.0);
    if middle > near + far {
        bound = bound.min(middle - (near + far));
    }
    bound.max(end / 3.0)
}

/// Both eigenvalues of two rows.
fn pair(q: f64, e: f64, last: f64) -> [f64; 2] {
    let (large, small) = if last > q { (last, q) } else { (q, last) };
    let half = 0.5 * ((large - small) + e);
    if e <= small * NEGLIGIBLE || half == 0.0 {
        return [large, small];
    }
    let s = small * (e / half);
    let s = if s <= half {
        small * (e / (half * (1.0 + (1.0 + s / half).sqrt())))
    } else {
        small * (e / (half + half.sqrt() * (half + s).sqrt()))
    };
    let first = large + (s + e);
    [first, small * (large / first)]
}
