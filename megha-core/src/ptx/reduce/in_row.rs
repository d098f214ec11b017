//! The reduction of a row by the threads that have it, in an entry that runs several kernels row by row ([`super::super::in_rows`]). Where the terms are in the row itself
//! warps add them up from there, one for each chunk; else they go chunk after chunk through tiles, as [`super::warps`] has it. Then the results of the chunks are combined by lanes.

use super::super::entry::Entry;
use super::super::grid::Stride;
use super::super::in_rows::At;
use super::super::inst::Arith;
use super::super::inst::{Axis, Compare, Inst, Operand, Reg, SharedArray, Special, Ty};
use super::super::scheduled::Reduced;
use super::contributions::Run;
use super::{Nest, Reduction, identity, shared_type};
use crate::ir::{Op, Value};
use megha_base::plan::THREADS;
use megha_base::tree::LANES;

/// Shared memory for the reductions of any kernel.
pub struct Room {
    /// Tiles of terms, for each reduction of a kernel,
    tiles: Vec<SharedArray>,
    /// and the results of each row's chunks.
    parts: Vec<SharedArray>,
}

/// The results of a row's chunks.
struct Parts {
    /// Elements of the row.
    extent: Operand,
    /// Those of the rows before in the block.
    before: Operand,
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

/// Rows of lanes of which a warp reads elements at once.
const AHEAD: usize = 4;

impl Entry<'_, '_> {
    /// Reduces the block's rows, of which a thread has one or none; the results are in the rows that are kept when all threads have passed a barrier.
    ///
    /// # Errors
    /// An operation without PTX, a result that is not kept.
    pub fn reduction_in_row(&mut self, loops: &Reduced, room: &Room, at: At) -> Result<(), String> {
        let nest = Nest::of(self.source, loops)?;
        let extent = self.extent(&nest.reduced);
        let extent = self.short_size(&extent)?;
        let chunks = self.chunks(extent);
        let [lane, warp, own] = [Axis::X, Axis::Y, Axis::Z].map(|axis| self.special(Special::Tid(axis)));
        let before = self.e.arith(Arith::Mul, Ty::U32, &[own, Operand::Int(LANES as i64)]);
        let is_first = [lane, warp].map(|n| self.e.compare(Compare::Eq, Ty::U32, n, Operand::Int(0)));
        let shared = Parts { extent, before };
        match self.terms_in_row(&nest) {
            Some(terms) => {
                if nest.reductions.len() < self.source.subject.kernel.outs.len() {
                    self.points_of_row(&nest.reduced, at)?;
                    self.e.push(Inst::Barrier);
                }
                let warps = self.special(Special::Ntid(Axis::Y));
                self.walk(&Stride { start: warp, step: warps }, chunks, &mut |entry, chunk| {
                    let range = entry.chunk(chunk, extent);
                    let sums = entry.sum_of_terms(&nest, &terms, (range, lane), at.inside)?;
                    entry.leave_part(&nest, room, (&sums, chunk, is_first[0]), &shared)
                })?;
            }
            None => {
                let tiles = self.tiles_in(&nest, 1, room.tiles[..nest.reductions.len()].to_vec())?;
                let mine = self.e.and(is_first[0], is_first[1]);
                self.walk(&Stride { start: Operand::Int(0), step: Operand::Int(1) }, chunks, &mut |entry, chunk| {
                    let range = entry.chunk(chunk, extent);
                    let last = entry.e.select(Ty::U32, at.inside, range[1], Operand::Int(0));
                    let sums = entry.sum_of_tiles(&nest, &tiles, range, &mut |entry, ahead, run| {
                        entry.contributions(&nest, ahead, Run { last, ..run })
                    })?;
                    entry.when(is_first[1], &mut |entry| entry.leave_part(&nest, room, (&sums, chunk, mine), &shared))
                })?;
            }
        }
        self.e.push(Inst::Barrier);
        self.when(is_first[1], &mut |entry| entry.combine_parts(&nest, room, ([before, lane, chunks], is_first[0])))
    }

    /// Where the terms of each reduction are in the row, if they are kept there: the kernel stores them, or does nothing but reduce what is there.
    fn terms_in_row(&self, nest: &Nest) -> Option<Vec<Operand>> {
        let [axis] = nest.reduced[..] else { return None };
        let subject = &self.source.subject;
        let only_reduces = nest.reductions.len() == subject.kernel.outs.len();
        let stmts = &subject.kernel.body.stmts;
        let is_stored_once =
            |out: usize| subject.kernel.body.count(|op| matches!(op, Op::Put(to, ..) if *to == out)) == 1;
        let place = |term: Value| {
            stmts.iter().find_map(|stmt| match &stmt.op {
                Op::Load(mem, subs) if only_reduces && stmt.results[0] == term => {
                    Some((self.number_of(*mem).ok()?, subs))
                }
                Op::Put(out, subs, value) if *value == term && is_stored_once(*out) => Some((*out, subs)),
                _ => None,
            })
        };
        let base = |reduction: &Reduction| {
            let term = stmts.iter().find_map(|stmt| match stmt.op {
                Op::Accumulate(out, term) if out == reduction.out => Some(term),
                _ => None,
            });
            let (array, subs) = place(term?)?;
            let (kept, ty) = (self.kept.get(&array)?, &self.source.types[array]);
            let mut others = (0..ty.dims.len()).filter(|dim| *dim != kept.dim && !ty.dims[*dim].is_one());
            let sub = others.next().and_then(|dim| subs.get(dim)).filter(|_| subs.len() == ty.dims.len())?;
            let is_own = others.next().is_none() && subject.maps.affine(*sub)?.is_number(axis);
            (is_own && ty.class == reduction.class).then_some(kept.base)
        };
        nest.reductions.iter().map(base).collect()
    }

    /// The sums of the lanes of a chunk of terms that are in the row.
    fn sum_of_terms(
        &mut self,
        nest: &Nest,
        terms: &[Operand],
        ([first, last], lane): ([Operand; 2], Operand),
        inside: Operand,
    ) -> Result<Vec<Reg>, String> {
        let sums = self.open_sums(nest)?;
        let last = self.e.select(Ty::U32, inside, last, first);
        let count = self.e.arith(Arith::Sub, Ty::U32, &[last, first]);
        let group = (AHEAD * LANES) as i64;
        let whole = self.e.arith(Arith::And, Ty::B32, &[count, Operand::Int(-group)]);
        let start = self.e.arith(Arith::Add, Ty::U32, &[first, lane]);
        let load = |entry: &mut Self, number: Operand, ahead: usize| {
            let mut values = vec![Vec::new(); ahead];
            for (reduction, base) in nest.reductions.iter().zip(terms) {
                let bytes = shared_type(reduction.ty).bytes();
                let address = entry.kept_at(*base, number, bytes);
                for (k, each) in values.iter_mut().enumerate() {
                    each.push(entry.load_shared(reduction.ty, address, (k * LANES) as i64 * bytes as i64));
                }
            }
            values
        };
        let rows = Stride { start: Operand::Int(0), step: Operand::Int(group) };
        self.walk(&rows, whole, &mut |entry, row| {
            let number = entry.e.arith(Arith::Add, Ty::U32, &[start, row]);
            let values = load(entry, number, AHEAD);
            entry.add_up(nest, &sums, &values)
        })?;
        let rows = Stride { start: whole, step: Operand::Int(LANES as i64) };
        self.walk(&rows, count, &mut |entry, row| {
            let number = entry.e.arith(Arith::Add, Ty::U32, &[start, row]);
            let (number, exists) = entry.inside(number, last);
            let mut values = load(entry, number, 1);
            for (reduction, value) in nest.reductions.iter().zip(&mut values[0]) {
                let nothing = identity(reduction.op, reduction.class)?;
                *value = entry.e.select(reduction.ty, exists, *value, nothing);
            }
            entry.add_up(nest, &sums, &values)
        })?;
        Ok(sums)
    }

    /// Folds the lanes of a chunk's sums, in one warp, of which one thread leaves the result; that of a row that does not exist is nothing.
    fn leave_part(
        &mut self,
        nest: &Nest,
        room: &Room,
        (sums, chunk, mine): (&[Reg], Operand, Operand),
        parts: &Parts,
    ) -> Result<(), String> {
        let plain = self.is_plain(parts.extent);
        self.when(plain, &mut |entry| entry.fold_in_order(nest, sums, parts.extent))?;
        let by_lanes = self.e.not(plain);
        self.when(by_lanes, &mut |entry| entry.fold_in_halves(nest, sums))?;
        self.when(mine, &mut |entry| {
            let at = entry.e.arith(Arith::Add, Ty::U32, &[parts.before, chunk]);
            for ((reduction, parts), sum) in nest.reductions.iter().zip(&room.parts).zip(sums) {
                let address = entry.shared_at(*parts, reduction.ty, at);
                entry.store_shared(reduction.ty, address, 0, (*sum).into());
            }
            Ok(())
        })
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
