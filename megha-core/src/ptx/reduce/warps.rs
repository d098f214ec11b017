//! Results that the warps of a block share: `ntid` is 32 lanes by the warps of a result by results.
//!
//! In each round the warps compute a *tile*, a row of 32 contributions for each warp (several where the body is light), and store it. After a
//! barrier the first warp of a result adds the rows up in order, a lane for each thread, while the others compute the next tile into the other
//! half of the shared memory: they are past the next barrier only when the first warp is there too. In the end its lanes are folded by
//! shuffles, in halves or, where each has one element at most, in order.

use super::super::entry::Entry;
use super::super::grid::Stride;
use super::super::inst::{Arith, Axis, Bank, Compare, Inst, Operand, Reg, SharedArray, Space, Special, Ty};
use super::contributions::Run;
use super::{Nest, Reduction, Values, combine, shared_type};
use megha_base::plan::{Bound, Grid, THREADS};
use megha_base::tree::LANES;

/// A thread's place in its block, and the tiles.
pub(super) struct Tiles {
    /// `tid.x`, the lane.
    pub(super) lane: Operand,
    /// `tid.y`, the warp among those of the result.
    warp: Operand,
    /// `ntid.y`, the warps of a result.
    warps: Operand,
    /// Rows that each warp adds to a tile.
    ahead: usize,
    /// The tiles of each reduction.
    arrays: Vec<SharedArray>,
    /// The number of the tile's first element for the thread's lane.
    start: Operand,
    /// Where the tile begins: 0 or the length of one.
    side: Reg,
}

impl Entry<'_, '_> {
    /// The first entry.
    ///
    /// # Errors
    /// An operation without PTX, too many reductions.
    pub(super) fn warps(&mut self, nest: &Nest, ahead: usize, finishes: bool) -> Result<Grid, String> {
        let (count, extent) = self.sizes(nest)?;
        let tiles = self.tiles(nest, ahead)?;
        let chunked = self.by_blocks(Axis::Y, Operand::Int(1));
        let chunks = self.bound(Bound::Chunks);
        self.results_of_blocks(nest, &mut |entry, point, inside| {
            entry.walk(&chunked, chunks, &mut |entry, number| {
                let chunk = entry.chunk_of_part(number);
                let range = entry.chunk(chunk, extent);
                entry.digits(range[0], &nest.reduced)?;
                // A thread without a result goes round with the others, but stores nothing on the way.
                let last = entry.e.select(Ty::U32, inside, range[1], Operand::Int(0));
                let sums = entry.sum_of_tiles(nest, &tiles, range, &mut |entry, ahead, run| {
                    entry.contributions(nest, ahead, Run { last, ..run })
                })?;
                let plain = entry.is_plain(extent);
                entry.when(plain, &mut |entry| entry.fold_in_order(nest, &sums, extent))?;
                let by_lanes = entry.e.not(plain);
                entry.when(by_lanes, &mut |entry| entry.fold_in_halves(nest, &sums))?;
                let mine = entry.has_sums(&tiles, inside);
                entry.store_sums(nest, &sums, mine, |entry, r| entry.partial(r, [chunk, count, point]))
            })
        })?;
        if finishes {
            self.when_last(&mut |entry| entry.combine_tiles(nest, &tiles, Space::Volatile))?;
        }
        Ok(Grid::Lanes { kept: nest.kept.clone(), reduced: nest.reduced.clone(), ahead: ahead as u32 })
    }

    /// The entry that combines the partial results of all chunks of a point. There are few blocks, so each has as many loads under way as it
    /// can.
    ///
    /// # Errors
    /// Too many reductions.
    pub(super) fn warps_of_partials(&mut self, nest: &Nest, ahead: usize) -> Result<Grid, String> {
        let tiles = self.tiles(nest, ahead)?;
        self.combine_tiles(nest, &tiles, Space::Constant)?;
        Ok(Grid::Combine { kept: nest.kept.clone(), reduced: nest.reduced.clone() })
    }

    /// Combines the partial results of the block's results.
    fn combine_tiles(&mut self, nest: &Nest, tiles: &Tiles, space: Space) -> Result<(), String> {
        let (count, extent) = self.sizes(nest)?;
        let range = [Operand::Int(0), self.chunks(extent)];
        self.results_of_blocks(nest, &mut |entry, point, inside| {
            let sums = entry.sum_of_tiles(nest, tiles, range, &mut |entry, ahead, run| {
                entry.partial_results(nest, (ahead, space), run, [count, point])
            })?;
            entry.fold_in_halves(nest, &sums)?;
            let mine = entry.has_sums(tiles, inside);
            entry.store_sums(nest, &sums, mine, |entry, r| {
                let result = entry.array(r.out);
                entry.nth(result, r.element, point)
            })
        })
    }

    /// The results of each block, `ntid.z` at a time: all its threads go round alike, those without a result for the first one. `body` gets the
    /// number of the result among all of the kernel.
    fn results_of_blocks(
        &mut self,
        nest: &Nest,
        body: &mut dyn FnMut(&mut Self, Operand, Operand) -> Result<(), String>,
    ) -> Result<(), String> {
        let [own, width] = [Special::Tid(Axis::Z), Special::Ntid(Axis::Z)].map(|s| self.special(s));
        let side = self.by_blocks(Axis::X, width);
        let count = self.count(&nest.kept);
        self.walk(&side, count, &mut |entry, base| {
            let point = entry.e.arith(Arith::Add, Ty::U32, &[base, own]);
            let (point, inside) = entry.inside(point, count);
            entry.take_apart(point, &nest.kept)?;
            let point = entry.result(&nest.kept)?;
            body(entry, point, inside)
        })
    }

    /// Tiles with so many rows for each warp.
    fn tiles(&mut self, nest: &Nest, ahead: usize) -> Result<Tiles, String> {
        let bytes = |r: &Reduction| 2 * u64::from(THREADS) * ahead as u64 * shared_type(r.ty).bytes();
        let arrays = nest.reductions.iter().map(|r| self.e.shared(bytes(r))).collect();
        self.tiles_in(nest, ahead, arrays)
    }

    /// The same in these shared arrays.
    pub(super) fn tiles_in(&mut self, nest: &Nest, ahead: usize, arrays: Vec<SharedArray>) -> Result<Tiles, String> {
        let [lane, warp, own] = [Axis::X, Axis::Y, Axis::Z].map(|axis| self.special(Special::Tid(axis)));
        let warps = self.special(Special::Ntid(Axis::Y));
        let before = self.e.arith(Arith::Mul, Ty::U32, &[own, warps]);
        let rows = self.e.arith(Arith::Mul, Ty::U32, &[before, Operand::Int((ahead * LANES) as i64)]);
        let start = self.e.arith(Arith::Add, Ty::U32, &[rows, lane]);
        let side = self.e.reg(Bank::B32);
        self.e.assign(Ty::U32, side, Operand::Int(0));
        let tiles = Tiles { lane, warp, warps, ahead, arrays, start, side };
        if ahead > 1 {
            // The digits of a step are the same in all rounds.
            let step = self.row_step(&tiles);
            self.digits(step, &nest.reduced)?;
        }
        Ok(tiles)
    }

    /// Elements of a row of each warp.
    fn row_step(&mut self, tiles: &Tiles) -> Operand {
        self.e.arith(Arith::Mul, Ty::U32, &[tiles.warps, Operand::Int(LANES as i64)])
    }

    /// The sums of the lanes of a range, in the first warp of each result.
    pub(super) fn sum_of_tiles(
        &mut self,
        nest: &Nest,
        tiles: &Tiles,
        [first, last]: [Operand; 2],
        values: &mut dyn FnMut(&mut Self, usize, Run) -> Result<Values, String>,
    ) -> Result<Vec<Reg>, String> {
        let sums = self.open_sums(nest)?;
        let step = self.row_step(tiles);
        let row = self.e.arith(Arith::Mul, Ty::U32, &[tiles.warp, Operand::Int(LANES as i64)]);
        let own = self.e.arith(Arith::Add, Ty::U32, &[row, tiles.lane]);
        let whole = self.e.arith(Arith::Mul, Ty::U32, &[step, Operand::Int(tiles.ahead as i64)]);
        self.walk(&Stride { start: first, step: whole }, last, &mut |entry, base| {
            let at = entry.e.arith(Arith::Add, Ty::U32, &[base, own]);
            let values = values(entry, tiles.ahead, Run { spare: first, first: at, step, last })?;
            entry.store_tile(nest, tiles, row, &values);
            entry.e.push(Inst::Barrier);
            let left = entry.e.arith(Arith::Sub, Ty::U32, &[last, base]);
            let used = entry.e.arith(Arith::Min, Ty::U32, &[left, whole]);
            entry.add_tile(nest, tiles, used, &sums)?;
            let other = Operand::Int(i64::from(THREADS) * tiles.ahead as i64);
            let other = entry.e.arith(Arith::Xor, Ty::B32, &[tiles.side.into(), other]);
            entry.e.assign(Ty::U32, tiles.side, other);
            Ok(())
        })?;
        Ok(sums)
    }

    /// Stores the rows of a warp, `ntid.y` apart.
    fn store_tile(&mut self, nest: &Nest, tiles: &Tiles, row: Operand, values: &[Vec<Operand>]) {
        let step = self.row_step(tiles);
        let start = self.e.arith(Arith::Add, Ty::U32, &[tiles.start, tiles.side.into()]);
        let number = self.e.arith(Arith::Add, Ty::U32, &[start, row]);
        for (k, (reduction, array)) in nest.reductions.iter().zip(&tiles.arrays).enumerate() {
            let bytes = Operand::Int(shared_type(reduction.ty).bytes() as i64);
            let away = self.e.arith(Arith::Mul, Ty::U32, &[step, bytes]);
            let mut address = self.shared_at(*array, reduction.ty, number);
            for each in values {
                self.store_shared(reduction.ty, address, 0, each[k]);
                let next = self.e.arith(Arith::Add, Ty::U32, &[address.into(), away]);
                address = self.e.in_reg(Ty::U32, next);
            }
        }
    }

    /// In the first warp of each result: adds up the rows of the tile, of which so many elements count.
    fn add_tile(&mut self, nest: &Nest, tiles: &Tiles, used: Operand, sums: &[Reg]) -> Result<(), String> {
        let first = self.e.compare(Compare::Eq, Ty::U32, tiles.warp, Operand::Int(0));
        self.when(first, &mut |entry| {
            let start = entry.e.arith(Arith::Add, Ty::U32, &[tiles.start, tiles.side.into()]);
            let rows = Stride { start: Operand::Int(0), step: Operand::Int((tiles.ahead * LANES) as i64) };
            entry.walk(&rows, used, &mut |entry, row| {
                let number = entry.e.arith(Arith::Add, Ty::U32, &[start, row]);
                let mut values = vec![Vec::new(); tiles.ahead];
                for (reduction, array) in nest.reductions.iter().zip(&tiles.arrays) {
                    let address = entry.shared_at(*array, reduction.ty, number);
                    for (k, each) in values.iter_mut().enumerate() {
                        let offset = (k * LANES) as i64 * shared_type(reduction.ty).bytes() as i64;
                        each.push(entry.load_shared(reduction.ty, address, offset));
                    }
                }
                entry.add_up(nest, sums, &values)
            })
        })
    }

    /// Whether a thread has the sums of a result once the lanes are folded.
    pub(super) fn has_sums(&mut self, tiles: &Tiles, inside: Operand) -> Operand {
        let first = [tiles.lane, tiles.warp].map(|n| self.e.compare(Compare::Eq, Ty::U32, n, Operand::Int(0)));
        let first = self.e.and(first[0], first[1]);
        self.e.and(first, inside)
    }

    /// Folds the lanes of each sum into the first.
    pub(super) fn fold_in_halves(&mut self, nest: &Nest, sums: &[Reg]) -> Result<(), String> {
        nest.reductions.iter().zip(sums).try_for_each(|(reduction, sum)| self.fold_warp(reduction, *sum))
    }

    /// Combines the elements of so many lanes, one in each, into the first: in each round the elements move on by a lane.
    pub(super) fn fold_in_order(&mut self, nest: &Nest, sums: &[Reg], extent: Operand) -> Result<(), String> {
        let mut moving = Vec::new();
        for (reduction, sum) in nest.reductions.iter().zip(sums) {
            let element = self.e.reg(reduction.ty.bank());
            self.e.assign(reduction.ty, element, (*sum).into());
            moving.push(element);
        }
        let others = Stride { start: Operand::Int(1), step: Operand::Int(1) };
        self.walk(&others, extent, &mut |entry, _| {
            for ((reduction, sum), element) in nest.reductions.iter().zip(sums).zip(&moving) {
                let next = entry.shuffle(reduction.ty, (*element).into(), 1);
                entry.e.assign(reduction.ty, *element, next);
                let total = combine(&mut entry.e, reduction.op, reduction.class, (*sum).into(), next)?;
                entry.e.assign(reduction.ty, *sum, total);
            }
            Ok(())
        })
    }

    /// The lanes of a warp, folded into the first.
    fn fold_warp(&mut self, reduction: &Reduction, sum: Reg) -> Result<(), String> {
        let mut half = LANES as u32 / 2;
        let mut value: Operand = sum.into();
        while half > 0 {
            let other = self.shuffle(reduction.ty, value, half);
            value = combine(&mut self.e, reduction.op, reduction.class, value, other)?;
            half /= 2;
        }
        self.e.assign(reduction.ty, sum, value);
        Ok(())
    }

    /// The value of the lane further up.
    fn shuffle(&mut self, ty: Ty, value: Operand, offset: u32) -> Operand {
        self.e.moved(ty, value, &mut |e, a| {
            let dst = e.reg(Bank::B32);
            e.push(Inst::ShuffleDown { dst, a, offset });
            dst
        })
    }
}
