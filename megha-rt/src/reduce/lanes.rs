//! The elements of one block on their way into a result: in the plain order, or by lanes in registers or in memory of their own.
//!
//! What takes a tile at a time is compiled once for each type and operation, for all instruction sets, and not into each kernel.

use std::marker::PhantomData;

use super::blocks::{BAND, Block};
use super::op::Op;
use super::tree::{LANES, fold};
use crate::isa::{Isa, Work, work_apart};

/// The lanes of one chunk of one reduction, for a reduced extent that a kernel walks element by element.
pub struct Lanes<T, O> {
    lanes: [T; LANES],
    /// Whether elements combine in the plain order: all in the first lane.
    plain: bool,
    op: PhantomData<O>,
}

impl<T: Copy, O: Op<T>> Lanes<T, O> {
    /// Lanes before the first element of a block.
    #[inline(always)]
    pub fn new(block: &Block) -> Self {
        Lanes { lanes: [O::IDENTITY; LANES], plain: block.is_plain(), op: PhantomData }
    }

    /// Adds consecutive elements, the first of which has a logical index divisible by [`LANES`] (as tiles' do).
    #[inline(always)]
    pub fn push<I: Isa>(&mut self, values: &[T]) {
        work_apart::<I, _, _>(&Push, (self, values));
    }

    #[inline(always)]
    fn take(&mut self, values: &[T]) {
        if self.plain {
            self.lanes[0] = values.iter().fold(self.lanes[0], |sum, &value| O::combine(sum, value));
            return;
        }
        let (groups, rest) = values.as_chunks::<LANES>();
        let lanes = self.lanes; // a copy of known size that only whole groups touch stays in registers
        self.lanes = if O::SETTLES && lanes.iter().all(|&lane| O::is_settled(lane)) {
            groups.iter().fold(lanes, |lanes, group| std::array::from_fn(|l| O::combine_settled(lanes[l], group[l])))
        } else {
            groups.iter().fold(lanes, |lanes, group| std::array::from_fn(|l| O::combine(lanes[l], group[l])))
        };
        for (lane, &value) in self.lanes.iter_mut().zip(rest) {
            *lane = O::combine(*lane, value);
        }
    }

    /// The chunk's value.
    #[inline(never)]
    pub fn fold(&mut self) -> T {
        if self.plain { self.lanes[0] } else { fold(&mut self.lanes, O::combine) }
    }
}

/// [`Lanes::push`].
struct Push;

impl<T: Copy, O: Op<T>> Work<(&mut Lanes<T, O>, &[T])> for Push {
    #[inline(always)]
    fn run(&self, (lanes, values): (&mut Lanes<T, O>, &[T])) {
        lanes.take(values);
    }
}

/// Adds to each element of a lane those of some rows, one after the other.
#[inline(always)]
fn enter<T: Copy, O: Op<T>, const COUNT: usize>(lane: &mut [T], rows: [&[T]; COUNT]) {
    let rows = rows.map(|row| &row[..lane.len()]);
    for (i, lane) in lane.iter_mut().enumerate() {
        let mut sum = *lane;
        for row in rows {
            sum = O::combine(sum, row[i]);
        }
        *lane = sum;
    }
}

/// One chunk of neighbouring reductions, for a reduced extent that is not contiguous: the kernel walks along the neighbours and adds one
/// element to each. In the plain order elements go straight into the result. Lanes have memory of their own, which on a thread's
/// stack would be tens of KiB for each reduction; they come to be with their first element.
pub struct LaneRows<'a, T, O> {
    /// A row for each lane that there is, from the first on.
    lanes: Vec<T>,
    /// The chunk's values, one for each of the neighbours.
    out: &'a mut [T],
    plain: bool,
    op: PhantomData<O>,
}

impl<'a, T: Copy, O: Op<T>> LaneRows<'a, T, O> {
    /// Lanes before the first element of a block whose values go to `out`; `None` if there is no memory for them.
    #[inline(always)]
    pub(super) fn new(block: &Block, out: &'a mut [T]) -> Option<Self> {
        let (mut lanes, plain) = (Vec::new(), block.is_plain());
        if plain {
            out.fill(O::IDENTITY);
        } else {
            lanes.try_reserve_exact(LANES * out.len()).ok()?;
        }
        Some(LaneRows { lanes, out, plain, op: PhantomData })
    }

    /// Adds element `e` (logical index along the reduced extent) of some neighbours, from number `from` of the block's on. They come in the
    /// order of [`Block::walk`].
    #[inline(always)]
    pub fn push(&mut self, e: usize, from: usize, values: &[T]) {
        let at = if self.plain { from } else { e % LANES * self.out.len() + from };
        if !self.plain && self.lanes.len() == at {
            return self.lanes.extend(values.iter().map(|&value| O::combine(O::IDENTITY, value)));
        }
        let lanes = if self.plain { &mut *self.out } else { &mut self.lanes[..] };
        let lane = &mut lanes[at..at + values.len()];
        for (lane, &value) in lane.iter_mut().zip(values) {
            *lane = O::combine(*lane, value);
        }
    }

    /// Adds elements of one lane, the first with this logical index, of all neighbours: as many as `count`, in the order of [`Block::bands`].
    #[inline(always)]
    pub fn push_band<I: Isa>(&mut self, first: usize, count: usize, rows: [&[T]; BAND]) {
        work_apart::<I, _, _>(&PushBand, (self, first, &rows[..count]));
    }

    #[inline(always)]
    fn take_band(&mut self, first: usize, rows: &[&[T]]) {
        let width = self.out.len();
        let mut begun = 0;
        let at = if self.plain { 0 } else { first % LANES * width };
        if !self.plain && self.lanes.len() == at {
            self.lanes.extend(rows[0][..width].iter().map(|&value| O::combine(O::IDENTITY, value)));
            begun = 1;
        }
        let lanes = if self.plain { &mut *self.out } else { &mut self.lanes[..] };
        let lane = &mut lanes[at..at + width];
        if let (0, Ok(rows)) = (begun, <&[&[T]; BAND]>::try_from(rows)) {
            return enter::<T, O, BAND>(lane, *rows);
        }
        for row in &rows[begun..] {
            enter::<T, O, 1>(lane, [row]);
        }
    }

    /// Puts the chunk's values where they go. Lanes without an element would change nothing and are left out.
    #[inline(always)]
    pub fn fold<I: Isa>(self) {
        if !self.plain {
            work_apart::<I, _, _>(&Fold, self);
        }
    }

    #[inline(always)]
    fn combine(mut self) {
        let width = self.out.len();
        let mut half = LANES / 2;
        while half > 0 {
            let low = self.lanes.len().min(half * width);
            let (low, high) = self.lanes.split_at_mut(low);
            for (a, &b) in low.iter_mut().zip(&*high) {
                *a = O::combine(*a, b);
            }
            self.lanes.truncate(half * width);
            half /= 2;
        }
        self.out.copy_from_slice(&self.lanes);
    }
}

/// [`LaneRows::push_band`].
struct PushBand;

impl<T: Copy, O: Op<T>> Work<(&mut LaneRows<'_, T, O>, usize, &[&[T]])> for PushBand {
    #[inline(always)]
    fn run(&self, (lanes, first, rows): (&mut LaneRows<'_, T, O>, usize, &[&[T]])) {
        lanes.take_band(first, rows);
    }
}

/// [`LaneRows::fold`].
struct Fold;

impl<T: Copy, O: Op<T>> Work<LaneRows<'_, T, O>> for Fold {
    #[inline(always)]
    fn run(&self, lanes: LaneRows<'_, T, O>) {
        lanes.combine();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::reference;
    use super::super::{Max, Min, Space};
    use super::*;
    use crate::Baseline;

    /// Lanes that hold no number yet, and those that do and so take the short way, make what the tree makes, signs of zero and NaN too.
    #[test]
    fn extremes_of_odd_numbers_are_those_of_the_tree() {
        let odd = [f64::NAN, f64::NEG_INFINITY, -0.0, 0.0, -1.5, 2.0, f64::INFINITY, -f64::NAN];
        let check = |values: &[f64]| {
            let space = Space::all(values.len());
            for block in space.blocks(&space.domain().whole()) {
                let (mut least, mut most) = (Lanes::<f64, Min>::new(&block), Lanes::<f64, Max>::new(&block));
                for tile in block.tiles() {
                    least.push::<Baseline>(&values[tile.clone()]);
                    most.push::<Baseline>(&values[tile]);
                }
                let wanted = [
                    reference(values.iter().copied(), f64::NAN, <Min as Op<f64>>::combine),
                    reference(values.iter().copied(), f64::NAN, <Max as Op<f64>>::combine),
                ];
                assert_eq!([least.fold(), most.fold()].map(f64::to_bits), wanted.map(f64::to_bits), "{values:?}");
            }
        };
        for len in [1, 31, 33, 64, 128, 300, 1000] {
            for (seed, kinds) in (1..40).flat_map(|seed| [1, 2, 4, 8].map(|kinds| (seed, kinds))) {
                let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed);
                let mut next = || {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    odd[(state >> 33) as usize % kinds]
                };
                check(&(0..len).map(|_| next()).collect::<Vec<_>>());
            }
        }
    }
}
