//! Neighbouring results side by side: `tid.x` is the result, `tid.y` the lane. Each thread adds up its lane; the lanes of a result meet in
//! shared memory. Where few elements are combined in the plain order, there is one thread for each result.

use super::super::entry::Entry;
use super::super::grid::Stride;
use super::super::inst::{Arith, Axis, Compare, Inst, Operand, Reg, SharedArray, Space, Special, Ty};
use super::contributions::Run;
use super::{Nest, Reduction, shared_type};
use megha_base::plan::{Bound, Grid, THREADS};
use megha_base::tree::LANES;

/// A thread's place in its block.
struct Place {
    /// `tid.x`, the result.
    column: Operand,
    /// `ntid.x`.
    columns: Operand,
    /// `tid.y`, the lane.
    lane: Operand,
    /// `ntid.y`: 1 where elements are combined in the plain order.
    lanes: Operand,
    /// From one element of a thread to its next.
    step: Operand,
    /// Where the lanes of each reduction meet.
    meeting: Vec<SharedArray>,
}

impl Entry<'_, '_> {
    /// The first entry. Loops that meet a barrier run alike in all threads of a block.
    ///
    /// # Errors
    /// An operation without PTX.
    pub(super) fn neighbours(&mut self, nest: &Nest, ahead: usize, finishes: bool) -> Result<Grid, String> {
        let Some((across, others)) = nest.kept.split_first() else { return Err("no neighbours".into()) };
        let (count, extent) = self.sizes(nest)?;
        let (width, depth) = (self.count(&[*across]), self.count(others));
        let place = self.place(nest, extent);
        let side = self.by_blocks(Axis::X, place.columns);
        let [chunked, deep] = [Axis::Y, Axis::Z].map(|axis| self.by_blocks(axis, Operand::Int(1)));
        let chunks = self.bound(Bound::Chunks);
        // The digits of a step are the same in all rounds.
        self.digits(place.step, &nest.reduced)?;
        let results = |entry: &mut Self, body: &mut dyn FnMut(&mut Self, Operand, Operand) -> Result<(), String>| {
            entry.walk(&side, width, &mut |entry, base| {
                let at = entry.e.arith(Arith::Add, Ty::U32, &[base, place.column]);
                let (at, inside) = entry.inside(at, width);
                entry.walk(&deep, depth, &mut |entry, number| {
                    entry.take_apart(at, &[*across])?;
                    entry.take_apart(number, others)?;
                    let point = entry.result(&nest.kept)?;
                    body(entry, point, inside)
                })
            })
        };
        results(self, &mut |entry, point, inside| {
            entry.walk(&chunked, chunks, &mut |entry, number| {
                let chunk = entry.chunk_of_part(number);
                let [first, last] = entry.chunk(chunk, extent);
                let last = entry.e.select(Ty::U32, inside, last, Operand::Int(0));
                let sums = entry.sum_of_lane(nest, &place, ahead, [first, last])?;
                entry.meet(nest, &place, &sums)?;
                let top = entry.e.compare(Compare::Eq, Ty::U32, place.lane, Operand::Int(0));
                let mine = entry.e.and(top, inside);
                entry.store_sums(nest, &sums, mine, |entry, r| entry.partial(r, [chunk, count, point]))?;
                entry.e.push(Inst::Barrier);
                Ok(())
            })
        })?;
        if finishes {
            let all = self.chunks(extent);
            self.when_last(&mut |entry| {
                results(entry, &mut |entry, point, inside| {
                    let last = entry.e.select(Ty::U32, inside, all, Operand::Int(0));
                    let sums = entry.open_sums(nest)?;
                    let step = Operand::Int(LANES as i64);
                    entry.walk(&Stride { start: place.lane, step }, last, &mut |entry, first| {
                        let run = Run { spare: Operand::Int(0), first, step, last };
                        let values = entry.partial_results(nest, (1, Space::Volatile), run, [count, point])?;
                        entry.add_up(nest, &sums, &values)
                    })?;
                    entry.meet(nest, &place, &sums)?;
                    let top = entry.e.compare(Compare::Eq, Ty::U32, place.lane, Operand::Int(0));
                    let mine = entry.e.and(top, inside);
                    entry.store_sums(nest, &sums, mine, |entry, r| {
                        let result = entry.array(r.out);
                        entry.nth(result, r.element, point)
                    })?;
                    entry.e.push(Inst::Barrier);
                    Ok(())
                })
            })?;
        }
        Ok(Grid::Neighbours { x: *across, others: others.to_vec(), reduced: nest.reduced.clone(), ahead: ahead as u32 })
    }

    fn place(&mut self, nest: &Nest, extent: Operand) -> Place {
        let [column, columns] = [Special::Tid(Axis::X), Special::Ntid(Axis::X)].map(|s| self.special(s));
        let [lane, lanes] = [Special::Tid(Axis::Y), Special::Ntid(Axis::Y)].map(|s| self.special(s));
        let bytes = |r: &Reduction| u64::from(THREADS) * shared_type(r.ty).bytes();
        let meeting = nest.reductions.iter().map(|r| self.e.shared(bytes(r))).collect();
        let plain = self.is_plain(extent);
        let step = self.e.select(Ty::U32, plain, Operand::Int(1), Operand::Int(LANES as i64));
        Place { column, columns, lane, lanes, step, meeting }
    }

    /// The sums of a thread's lane.
    fn sum_of_lane(
        &mut self,
        nest: &Nest,
        place: &Place,
        ahead: usize,
        [first, last]: [Operand; 2],
    ) -> Result<Vec<Reg>, String> {
        let sums = self.open_sums(nest)?;
        self.digits(first, &nest.reduced)?;
        let step = place.step;
        let start = self.e.arith(Arith::Add, Ty::U32, &[first, place.lane]);
        let far = self.e.arith(Arith::Mul, Ty::U32, &[step, Operand::Int(ahead as i64)]);
        let walk = Stride { start, step: far };
        self.walk(&walk, last, &mut |entry, at| {
            let values = entry.contributions(nest, ahead, Run { spare: first, first: at, step, last })?;
            entry.add_up(nest, &sums, &values)
        })?;
        Ok(sums)
    }

    /// Folds the lanes of each result in halves, as many as there are, into the first.
    fn meet(&mut self, nest: &Nest, place: &Place, sums: &[Reg]) -> Result<(), String> {
        let mut half = LANES as i64 / 2;
        while half > 0 {
            let exist = self.e.compare(Compare::Gt, Ty::U32, place.lanes, Operand::Int(half));
            self.when(exist, &mut |entry| entry.take_upper_half(nest, place, sums, half))?;
            half /= 2;
        }
        Ok(())
    }

    /// Lets the lanes below `half` take those that are `half` further up. What one step reads no thread writes before the next barrier.
    fn take_upper_half(&mut self, nest: &Nest, place: &Place, sums: &[Reg], half: i64) -> Result<(), String> {
        let row = self.e.arith(Arith::Mul, Ty::U32, &[place.lane, place.columns]);
        let own = self.e.arith(Arith::Add, Ty::U32, &[row, place.column]);
        let below = |e: &mut Self, limit: i64| e.e.compare(Compare::Lt, Ty::U32, place.lane, Operand::Int(limit));
        let (low, not_above) = (below(self, half), below(self, 2 * half));
        let high = self.e.not(low);
        let upper = self.e.and(high, not_above);
        self.when(upper, &mut |entry| {
            for ((reduction, array), sum) in nest.reductions.iter().zip(&place.meeting).zip(sums) {
                let address = entry.shared_at(*array, reduction.ty, own);
                entry.store_shared(reduction.ty, address, 0, (*sum).into());
            }
            Ok(())
        })?;
        self.e.push(Inst::Barrier);
        self.when(low, &mut |entry| {
            let away = entry.e.arith(Arith::Mul, Ty::U32, &[place.columns, Operand::Int(half)]);
            let other = entry.e.arith(Arith::Add, Ty::U32, &[own, away]);
            let mut values = Vec::new();
            for (reduction, array) in nest.reductions.iter().zip(&place.meeting) {
                let address = entry.shared_at(*array, reduction.ty, other);
                values.push(entry.load_shared(reduction.ty, address, 0));
            }
            entry.add_up(nest, sums, &[values])
        })
    }
}
