//! Tiles of points for arrays that are read across memory ([`crate::schedule::turned`]).
//!
//! ```text
//! for each tile of points of the block
//!   what is read across memory into shared memory, neighbouring threads along the second loop; barrier
//!   for each point of the thread, neighbouring threads along the first loop: the body, with what is in shared memory
//!   barrier
//! ```
//! What lies behind the last point is replaced by the last one, which the kernel reads anyway, and is thrown away. All branches around barriers
//! depend on sizes and numbers of blocks only.

use super::class::memory;
use super::entry::Entry;
use super::inst::{Arith, Axis, Compare, Inst, Operand, Reg, Space, Special, Ty};
use super::scheduled::TurnedTiles;
use crate::ir::{Op, Stmt, Value};
use crate::schedule::turned::{EACH, PAD, SIDE, Turned};
use megha_base::plan::Grid;

/// Threads of a block along the second loop.
const HIGH: u32 = SIDE / EACH;

/// The kernel's body, and where its tiles are.
struct Nest<'f> {
    tiles: TurnedTiles,
    turned: Turned<'f>,
    stmts: &'f [Stmt],
    /// The thread's place along both loops of the tile.
    place: [Operand; 2],
    staged: Vec<Staged<'f>>,
}

/// A load whose elements lie in shared memory.
struct Staged<'f> {
    /// What it gives.
    value: Value,
    array: usize,
    subs: &'f [Value],
    ty: Ty,
    /// Where the thread's first element goes to, and where that of its first point is.
    to: Reg,
    from: Reg,
}

impl<'f> Entry<'_, 'f> {
    /// A kernel in tiles for what it reads across memory.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn points_in_turned_tiles(&mut self, tiles: &TurnedTiles) -> Result<Grid, String> {
        let nest = self.nest_of_turned(tiles)?;
        let [across, down] = tiles.sides;
        let side = Operand::Int(SIDE.into());
        let [(xs, wide), (ys, high)] = [(Axis::X, across), (Axis::Y, down)]
            .map(|(axis, number)| (self.by_blocks(axis, side), self.count(&[number])));
        let layer = |entry: &mut Self| {
            entry.walk(&ys, high, &mut |entry, y| {
                entry.walk(&xs, wide, &mut |entry, x| entry.turned_tile(&nest, [x, y]))
            })
        };
        if tiles.others.is_empty() {
            layer(self)?;
        } else {
            let (layers, count) = (self.by_blocks(Axis::Z, Operand::Int(1)), self.count(&tiles.others));
            self.walk(&layers, count, &mut |entry, number| {
                entry.take_apart(number, &tiles.others)?;
                layer(entry)
            })?;
        }
        Ok(Grid::Tiles { across, down, others: tiles.others.clone(), tile: [SIDE; 2], threads: [SIDE, HIGH] })
    }

    fn nest_of_turned(&mut self, tiles: &TurnedTiles) -> Result<Nest<'f>, String> {
        let source = self.source;
        let turned = Turned::of(&source.subject, self.memory, tiles.sides).ok_or("nothing is read across memory")?;
        let place = [Axis::X, Axis::Y].map(|axis| self.special(Special::Tid(axis)));
        let stmts = &source.subject.kernel.body.stmts[..];
        let mut staged = Vec::new();
        for stmt in stmts.iter().filter(|stmt| turned.has(&stmt.op)) {
            let Op::Load(mem, subs) = &stmt.op else { continue };
            let array = self.number_of(*mem)?;
            let ty = memory(source.arrays[array].element);
            let room = self.e.shared(u64::from(SIDE * (SIDE + PAD)) * ty.bytes());
            let mut at = |row: Operand, column: Operand| {
                let row = self.e.arith(Arith::Mul, Ty::U32, &[row, Operand::Int((SIDE + PAD).into())]);
                let number = self.e.arith(Arith::Add, Ty::U32, &[row, column]);
                self.shared_at(room, ty, number)
            };
            // a row for each number of the first loop
            let (to, from) = (at(place[1], place[0]), at(place[0], place[1]));
            staged.push(Staged { value: stmt.results[0], array, subs, ty, to, from });
        }
        Ok(Nest { tiles: tiles.clone(), turned, stmts, place, staged })
    }

    /// A tile of points whose first ones have these numbers in the part.
    fn turned_tile(&mut self, nest: &Nest<'f>, [x, y]: [Operand; 2]) -> Result<(), String> {
        let numbers = |entry: &mut Self, along: Operand, apart: Operand, k: u32| {
            let along = entry.e.arith(Arith::Add, Ty::U32, &[along, nest.place[0]]);
            let apart = entry.e.arith(Arith::Add, Ty::U32, &[apart, nest.place[1]]);
            [along, entry.e.arith(Arith::Add, Ty::U32, &[apart, Operand::Int((k * HIGH).into())])]
        };
        let mut loaded = Vec::new();
        for staged in &nest.staged {
            for k in 0..EACH {
                let [down, across] = numbers(self, y, x, k);
                loaded.push(self.load_turned(nest, staged, [across, down])?);
            }
        }
        let places = nest.staged.iter().flat_map(|staged| (0..EACH).map(move |k| (staged, k)));
        for ((staged, k), value) in places.zip(loaded) {
            let away = i64::from(k * HIGH * (SIDE + PAD)) * staged.ty.bytes() as i64;
            self.store_shared(staged.ty, staged.to, away, value);
        }
        self.e.push(Inst::Barrier);
        for k in 0..EACH {
            let [across, down] = numbers(self, x, y, k);
            self.turned_point(nest, [across, down], k)?;
        }
        self.e.push(Inst::Barrier);
        Ok(())
    }

    /// An element that is read across memory, at these numbers in the part.
    fn load_turned(&mut self, nest: &Nest<'f>, staged: &Staged<'f>, at: [Operand; 2]) -> Result<Operand, String> {
        let mut numbers = self.numbers.clone();
        for (axis, at) in nest.tiles.sides.into_iter().zip(at) {
            numbers[axis] = self.number_along(axis, at);
        }
        let mut found = None;
        self.in_place_of(&numbers, &[], &mut |entry| {
            found = Some(entry.address(staged.array, staged.subs)?);
            Ok(())
        })?;
        let (base, offset) = found.ok_or("no address")?;
        let dst = self.e.reg(staged.ty.bank());
        self.e.push(Inst::Load { space: Space::Constant, ty: staged.ty, dst, base, offset });
        Ok(dst.into())
    }

    /// A point of the thread.
    fn turned_point(&mut self, nest: &Nest<'f>, at: [Operand; 2], k: u32) -> Result<(), String> {
        let mut numbers = self.numbers.clone();
        let mut there = Operand::Int(1);
        for (side, (axis, at)) in nest.tiles.sides.into_iter().zip(at).enumerate() {
            let count = self.count(&[axis]);
            let inside = self.e.compare(Compare::Lt, Ty::U32, at, count);
            there = if side == 0 { inside } else { self.e.and(there, inside) };
            numbers[axis] = self.number_along(axis, at);
        }
        let mut known = self.known_at(numbers);
        self.at_point(&mut known, |entry| {
            entry.when(there, &mut |entry| {
                for staged in &nest.staged {
                    let value =
                        entry.load_shared(staged.ty, staged.from, i64::from(k * HIGH) * staged.ty.bytes() as i64);
                    entry.define(staged.value, value);
                }
                let others = nest.stmts.iter().filter(|stmt| !nest.turned.has(&stmt.op));
                others.into_iter().try_for_each(|stmt| entry.stmt(stmt, &mut Vec::new()))
            })
        })
    }
}
