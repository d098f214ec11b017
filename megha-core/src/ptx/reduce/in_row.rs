//! The reduction of a row by the threads that have it, in an entry that runs several kernels row by row ([`super::super::in_rows`]): chunk after chunk
//! through tiles as [`super::warps`] does it, and the results of the chunks, which are in shared memory, by lanes.

use super::super::entry::Entry;
use super::super::grid::Stride;
use super::super::inst::{Axis, Compare, Inst, Operand, SharedArray, Special, Ty};
use super::super::scheduled::Reduced;
use super::Nest;
use super::contributions::Run;
use crate::ptx::inst::Arith;
use megha_base::plan::THREADS;
use megha_base::tree::LANES;

/// Shared memory for the reductions of any kernel.
pub struct Room {
    /// Tiles of terms, for each reduction of a kernel,
    tiles: Vec<SharedArray>,
    /// and the results of each row's chunks.
    parts: Vec<SharedArray>,
}

impl Room {
    /// Bytes for each reduction of a kernel.
    pub const BYTES: u64 = Self::TILES + Self::PARTS;
    /// Two tiles with an element for each thread,
    const TILES: u64 = 2 * 8 * THREADS as u64;
    /// and a lane for each thread.
    const PARTS: u64 = 8 * THREADS as u64;

    /// Room for kernels that have so many.
    pub fn new(entry: &mut Entry<'_, '_>, reductions: usize) -> Self {
        let mut arrays = |bytes: u64| (0..reductions).map(|_| entry.e.shared(bytes)).collect();
        Self { tiles: arrays(Self::TILES), parts: arrays(Self::PARTS) }
    }
}

impl Entry<'_, '_> {
    /// Reduces the block's rows, of which a thread has one or none; the results are in the rows that are kept when all threads have passed a barrier.
    ///
    /// # Errors
    /// An operation without PTX, a result that is not kept.
    pub fn reduction_in_row(&mut self, loops: &Reduced, room: &Room, inside: Operand) -> Result<(), String> {
        let nest = Nest::of(self.source, loops)?;
        let extent = self.extent(&nest.reduced);
        let extent = self.short_size(&extent)?;
        let tiles = self.tiles_in(&nest, 1, room.tiles[..nest.reductions.len()].to_vec())?;
        let chunks = self.chunks(extent);
        let own = self.special(Special::Tid(Axis::Z));
        let before = self.e.arith(Arith::Mul, Ty::U32, &[own, Operand::Int(LANES as i64)]);
        let first = self.has_sums(&tiles, Operand::Int(1));
        self.walk(&Stride { start: Operand::Int(0), step: Operand::Int(1) }, chunks, &mut |entry, chunk| {
            let range = entry.chunk(chunk, extent);
            let last = entry.e.select(Ty::U32, inside, range[1], Operand::Int(0));
            let sums = entry.sum_of_tiles(&nest, &tiles, range, &mut |entry, ahead, run| {
                entry.contributions(&nest, ahead, Run { last, ..run })
            })?;
            let plain = entry.is_plain(extent);
            entry.when(plain, &mut |entry| entry.fold_in_order(&nest, &sums, extent))?;
            let by_lanes = entry.e.not(plain);
            entry.when(by_lanes, &mut |entry| entry.fold_in_halves(&nest, &sums))?;
            entry.when(first, &mut |entry| {
                let at = entry.e.arith(Arith::Add, Ty::U32, &[before, chunk]);
                for ((reduction, parts), sum) in nest.reductions.iter().zip(&room.parts).zip(&sums) {
                    let address = entry.shared_at(*parts, reduction.ty, at);
                    entry.store_shared(reduction.ty, address, 0, (*sum).into());
                }
                Ok(())
            })
        })?;
        self.e.push(Inst::Barrier);
        self.combine_parts(&nest, room, ([before, tiles.lane, chunks], first))
    }

    /// Combines the results of a row's chunks, if there are several.
    fn combine_parts(
        &mut self,
        nest: &Nest,
        room: &Room,
        ([before, lane, chunks], first): ([Operand; 3], Operand),
    ) -> Result<(), String> {
        let load = |entry: &mut Self, at: Operand| {
            let parts = nest.reductions.iter().zip(&room.parts);
            let values = parts.map(|(reduction, parts)| {
                let address = entry.shared_at(*parts, reduction.ty, at);
                entry.load_shared(reduction.ty, address, 0)
            });
            values.collect::<Vec<Operand>>()
        };
        let sums = self.open_sums(nest)?;
        let several = self.e.compare(Compare::Gt, Ty::U32, chunks, Operand::Int(1));
        self.when(several, &mut |entry| {
            let has_part = entry.e.compare(Compare::Lt, Ty::U32, lane, chunks);
            entry.when(has_part, &mut |entry| {
                let at = entry.e.arith(Arith::Add, Ty::U32, &[before, lane]);
                let values = load(entry, at);
                entry.add_up(nest, &sums, &[values])
            })?;
            entry.fold_in_halves(nest, &sums)
        })?;
        let one = self.e.not(several);
        self.when(one, &mut |entry| {
            let values = load(entry, before);
            for ((reduction, sum), value) in nest.reductions.iter().zip(&sums).zip(values) {
                entry.e.assign(reduction.ty, *sum, value);
            }
            Ok(())
        })?;
        self.when(first, &mut |entry| {
            for (reduction, sum) in nest.reductions.iter().zip(&sums) {
                let kept = entry.kept.get(&reduction.out).copied().ok_or("a result that is not kept")?;
                let address = entry.e.in_reg(Ty::U32, kept.base);
                entry.store_shared(reduction.ty, address, 0, (*sum).into());
            }
            Ok(())
        })
    }
}
