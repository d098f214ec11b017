//! Tiles of points that read neighbours of each other ([`crate::schedule::halos`]).
//!
//! ```text
//! for each tile of points of the block
//!   the rows of the thread's column from memory into registers, those that other threads read to shared memory too; barrier
//!   for each point of the thread, if it is one that the block has: the body, with what is in registers and in shared memory
//!   barrier
//! ```
//! Threads at the sides of a row of the block only bring their columns. What lies beyond all that the kernel reads is replaced by the last row or column
//! that it does read, and not used. All branches around barriers depend on sizes and numbers of blocks only.

mod together;

use super::class;
use super::entry::Entry;
use super::inst::{Arith, Axis, Compare, Inst, Operand, Reg, Space, Special, Ty};
use crate::ir::{Stmt, Value};
use crate::schedule::halos::{Halo, Halos, Read, Tile};
use megha_base::plan::{Bound, Grid, THREADS};

/// A kernel's body, and what is known of its tiles before the first.
struct Nest<'f> {
    halos: Halos<'f>,
    stmts: &'f [Stmt],
    /// The thread in its row of the block, counted from the first one with points, and whether it has points.
    place: Operand,
    has_points: Operand,
    /// Its first point along the second loop, counted from that of the block.
    row: Operand,
    /// Where its own elements lie in shared memory, for each array of which some do.
    own: Vec<Option<Reg>>,
}

/// What a thread has of an array in a tile.
struct Column {
    /// By the distances of rows along both loops of the thread's points, with the place among those in shared memory.
    rows: Vec<([i64; 2], Operand, Option<u32>)>,
}

impl<'f> Entry<'_, 'f> {
    /// A kernel in tiles with halos.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn points_with_halos(&mut self, each: [u32; 2]) -> Result<Grid, String> {
        let halos =
            Halos::of(&self.source.subject, self.memory, each).ok_or("nothing is read at constant distances")?;
        let nest = self.nest_with_halos(halos)?;
        let tile = nest.halos.tile.clone();
        let sides = (tile.sides[0] + tile.sides[1]) as u32;
        let wide = self.special(Special::Ntid(Axis::X));
        let wide = self.e.arith(Arith::Sub, Ty::U32, &[wide, Operand::Int(sides.into())]);
        let high = self.special(Special::Ntid(Axis::Y));
        let high = self.e.arith(Arith::Mul, Ty::U32, &[high, Operand::Int(each[0].into())]);
        let down: Vec<usize> = tile.down.into_iter().collect();
        let xs = self.by_blocks(Axis::X, wide);
        let ys = self.by_blocks(Axis::Y, high);
        let zs = self.by_blocks(Axis::Z, Operand::Int(each[1].into()));
        let counts = [&[tile.across][..], &down, &tile.others].map(|loops| self.count(loops));
        let layer = |entry: &mut Self, z: Operand| {
            entry.walk(&ys, counts[1], &mut |entry, y| {
                entry.walk(&xs, counts[0], &mut |entry, x| entry.tile_with_halos(&nest, [x, y, z]))
            })
        };
        if tile.others.is_empty() {
            layer(self, Operand::Int(0))?;
        } else {
            self.walk(&zs, counts[2], &mut |entry, z| {
                if each[1] == 1 {
                    entry.take_apart(z, &tile.others)?;
                }
                layer(entry, z)
            })?;
        }
        Ok(Grid::Halos { axes: [vec![tile.across], down, tile.others], each, sides })
    }

    fn nest_with_halos(&mut self, halos: Halos<'f>) -> Result<Nest<'f>, String> {
        let tile = &halos.tile;
        let [x, y] = [Axis::X, Axis::Y].map(|axis| self.special(Special::Tid(axis)));
        let wide = self.special(Special::Ntid(Axis::X));
        let inner = self.e.arith(Arith::Sub, Ty::U32, &[wide, Operand::Int(tile.sides[0] + tile.sides[1])]);
        let place = self.e.arith(Arith::Sub, Ty::U32, &[x, Operand::Int(tile.sides[0])]);
        let has_points = self.e.compare(Compare::Lt, Ty::U32, place, inner);
        let row = self.e.arith(Arith::Mul, Ty::U32, &[y, Operand::Int(tile.each[0].into())]);
        let before = self.e.arith(Arith::Mul, Ty::U32, &[y, wide]);
        let number = self.e.arith(Arith::Add, Ty::U32, &[before, x]);
        let mut own = Vec::new();
        for halo in &halos.list {
            let ty = self.type_of_halo(halo)?;
            let rows = halo.rows(tile).iter().filter(|(_, shared)| *shared).count() as i64;
            own.push((rows > 0).then(|| {
                let room = self.e.shared((rows * row_bytes(ty)) as u64);
                self.shared_at(room, ty, number)
            }));
        }
        let stmts = &self.source.subject.kernel.body.stmts[..];
        Ok(Nest { halos, stmts, place, has_points, row, own })
    }

    /// The registers of an array's elements.
    fn type_of_halo(&self, halo: &Halo<'_>) -> Result<Ty, String> {
        class::register(self.source.subject.func.ty(halo.array).class)
    }

    /// A tile whose first point has these numbers in the part; of loops that are taken apart the last is one.
    fn tile_with_halos(&mut self, nest: &Nest<'f>, [x, y, z]: [Operand; 3]) -> Result<(), String> {
        let x = self.e.arith(Arith::Add, Ty::U32, &[x, nest.place]);
        let y = self.e.arith(Arith::Add, Ty::U32, &[y, nest.row]);
        let mut columns = Vec::new();
        for halo in &nest.halos.list {
            columns.push(self.column(&nest.halos.tile, halo, [x, y, z])?);
        }
        for ((halo, own), column) in nest.halos.list.iter().zip(&nest.own).zip(&columns) {
            let (Some(own), ty) = (own, self.type_of_halo(halo)?) else { continue };
            for (_, value, slot) in &column.rows {
                if let Some(slot) = slot {
                    self.store_shared(ty, *own, i64::from(*slot) * row_bytes(ty), *value);
                }
            }
        }
        let shares = nest.own.iter().any(Option::is_some);
        if shares {
            self.e.push(Inst::Barrier);
        }
        if nest.halos.has_loops {
            self.points_together(nest, &columns, [x, y, z])?;
        } else {
            for point in nest.halos.tile.points() {
                self.point_with_halos(nest, &columns, ([x, y, z], point))?;
            }
        }
        if shares {
            self.e.push(Inst::Barrier);
        }
        Ok(())
    }

    /// The elements of a thread's column that its points, or others beside it, read.
    fn column(&mut self, tile: &Tile, halo: &Halo<'f>, [x, y, z]: [Operand; 3]) -> Result<Column, String> {
        let array = self.source.in_variable(halo.array).ok_or("an array that is not read")?;
        let element = self.source.arrays[array].element;
        let space = if self.source.is_constant(array) { Space::Constant } else { Space::Global };
        let mut numbers = self.numbers.clone();
        numbers[tile.across] = self.clamped(tile.across, x, halo.reach[0]);
        let zeros: Vec<(Value, Operand)> = halo.counters.iter().map(|counter| (*counter, Operand::Int(0))).collect();
        let (mut rows, mut slots) = (Vec::new(), 0..);
        for (row, shared) in halo.rows(tile) {
            let mut place = |entry: &mut Self, axis: Option<usize>, from: Operand, k: usize| {
                let Some(axis) = axis else { return };
                let at = entry.e.arith(Arith::Add, Ty::U32, &[from, Operand::Int(row[k])]);
                numbers[axis] = entry.clamped(axis, at, halo.reach[k + 1]);
            };
            place(self, tile.down, y, 0);
            if tile.each[1] > 1 {
                place(self, tile.others.first().copied(), z, 1);
            }
            let mut found = None;
            self.in_place_of(&numbers, &zeros, &mut |entry| {
                found = Some(entry.address(array, halo.subs)?);
                Ok(())
            })?;
            let (base, offset) = found.ok_or("no address")?;
            let value = self.load_element(space, element, base, offset);
            rows.push((row, value, if shared { slots.next() } else { None }));
        }
        Ok(Column { rows })
    }

    /// The number of a loop at an iteration of the part, or at the nearest of those from which elements at these distances begin.
    fn clamped(&mut self, axis: usize, at: Operand, [low, high]: [i64; 2]) -> Operand {
        let (count, first) = (self.count(&[axis]), self.bound(Bound::First(axis)));
        let last = self.e.arith(Arith::Add, Ty::U32, &[count, Operand::Int(high - 1)]);
        let at = self.e.arith(Arith::Min, Ty::S32, &[at, last]);
        let at = self.e.arith(Arith::Max, Ty::S32, &[at, Operand::Int(low)]);
        self.e.arith(Arith::Add, Ty::U32, &[at, first])
    }

    /// A point of the thread.
    fn point_with_halos(
        &mut self,
        nest: &Nest<'f>,
        columns: &[Column],
        ([x, y, z], point): ([Operand; 3], [i64; 2]),
    ) -> Result<(), String> {
        let Halos { tile, list, .. } = &nest.halos;
        let deep = tile.others.first().copied().filter(|_| tile.each[1] > 1);
        let places = [(Some(tile.across), x, 0), (tile.down, y, point[0]), (deep, z, point[1])];
        let (mut numbers, mut there) = (self.numbers.clone(), nest.has_points);
        for (axis, from, by) in places {
            let Some(axis) = axis else { continue };
            let at = self.e.arith(Arith::Add, Ty::U32, &[from, Operand::Int(by)]);
            let (count, first) = (self.count(&[axis]), self.bound(Bound::First(axis)));
            let inside = self.e.compare(Compare::Lt, Ty::U32, at, count);
            there = self.e.and(there, inside);
            numbers[axis] = self.e.arith(Arith::Add, Ty::U32, &[at, first]);
        }
        let mut known = self.known_at(numbers);
        self.when(there, &mut |entry| {
            entry.at_point(&mut known, |entry| {
                for (at, halo) in list.iter().enumerate() {
                    for read in &halo.reads {
                        let value = entry.read_of_halo(nest, (at, read), (&columns[at], point))?;
                        entry.define(read.value, value);
                    }
                }
                let others = nest.stmts.iter().filter(|stmt| nest.halos.read(&stmt.op).is_none());
                others.into_iter().try_for_each(|stmt| entry.stmt(stmt, &mut Vec::new()))
            })
        })
    }

    /// What a load of an array gives at a point of the thread.
    fn read_of_halo(
        &mut self,
        nest: &Nest<'f>,
        (at, read): (usize, &Read<'f>),
        (column, point): (&Column, [i64; 2]),
    ) -> Result<Operand, String> {
        let (halo, tile) = (&nest.halos.list[at], &nest.halos.tile);
        let ty = self.type_of_halo(halo)?;
        let row = halo.row_of(point, read);
        let (mut offset, mut base) = (read.at[0] * element_bytes(ty), nest.own[at]);
        if read.counters.is_empty() {
            let found = column.rows.iter().find(|(known, ..)| *known == row);
            let (_, held, slot) = found.ok_or("a row that is not there")?;
            let Some(slot) = slot.filter(|_| read.at[0] != 0) else { return Ok(*held) };
            offset += i64::from(slot) * row_bytes(ty);
        } else {
            let apart = halo.apart(tile);
            let from = [0, 1].map(|k| row[k] - halo.reach[k + 1][0]);
            offset += (from[0] * apart[0] + from[1] * apart[1]) * row_bytes(ty);
            for (k, counter, by) in &read.counters {
                let each = if *k == 0 { element_bytes(ty) } else { apart[k - 1] * row_bytes(ty) };
                match self.value(*counter)? {
                    Operand::Int(known) => offset += known * by * each,
                    counter => {
                        let counter = self.e.convert(Ty::U32, Ty::U64, counter);
                        let away = self.e.arith(Arith::Mul, Ty::U32, &[counter, Operand::Int(by * each)]);
                        let own = base.ok_or("nothing is shared")?;
                        let moved = self.e.arith(Arith::Add, Ty::U32, &[own.into(), away]);
                        base = Some(self.e.in_reg(Ty::U32, moved));
                    }
                }
            }
        }
        Ok(self.load_shared(ty, base.ok_or("nothing is shared")?, offset))
    }
}

/// Bytes of an element in shared memory,
fn element_bytes(ty: Ty) -> i64 {
    super::reduce::shared_type(ty).bytes() as i64
}

/// and of those of a row of all threads.
fn row_bytes(ty: Ty) -> i64 {
    i64::from(THREADS) * element_bytes(ty)
}
