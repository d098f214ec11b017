//! Some steps of a loop over time at once ([`crate::schedule::steps`]).
//!
//! ```text
//! while rows are left, and as many rounds more as the last state is behind the first
//!   state 0: its next row from memory, into the window and to shared memory; the one after it is on its way
//!   for each state 1, 2, .., S, where its row is one that is needed
//!     what the state before has there; where the kernel stores, the body, with what it reads in the windows and in shared memory
//!     into the window and to shared memory, of the last state to memory
//!   barrier
//! ```
//! A row that is all of its strip goes through all states at once, with a barrier before each. Rows of shared memory take turns: one that is written in a round is read in later ones, so a round has one barrier. All branches around it
//! depend on sizes and numbers of blocks only. Threads at the sides of a strip read their own element where a neighbour's would be; what comes of it moves
//! inwards as fast as strips become narrower, and is not stored.

use super::class;
use super::entry::Entry;
use super::inst::{Arith, Axis, Compare, Inst, Operand, Reg, Space, Special, Ty};
use crate::ir::{Op, Value};
use crate::schedule::steps::{Read, Steps};
use megha_base::plan::{Bound, Grid};

/// A kernel's steps, and what is known before the first round.
struct Nest<'s, 'f> {
    tile: &'s Steps,
    count: u32,
    /// The array of the last state, and the type of its elements.
    state: usize,
    ty: Ty,
    /// The subscripts of what the kernel stores.
    subs: &'f [Value],
    /// The thread's point along the loops across, and whether it lies within the array, is one of the kernel's, and is stored.
    point: Vec<Operand>,
    exists: Operand,
    inside: Operand,
    stored: Operand,
    /// Along the walk: the first row and the one behind the last that the block stores, where the array begins, and how many rows it has.
    rows: [Operand; 2],
    first: Operand,
    length: Operand,
    /// The extent of the kernel's loop.
    extent: Operand,
    /// Where the thread's elements lie in shared memory, and those of the others that it reads, in a slot that begins at 0.
    own: Reg,
    others: Vec<([i64; 2], Reg)>,
}

/// What changes from round to round.
struct Walk {
    row: Reg,
    /// The next row of state 0.
    incoming: Reg,
    /// Of each state but the last the latest rows of the thread's column, the last one first.
    windows: Vec<Vec<Reg>>,
    /// The slots of the last rows, the last one first.
    slots: Vec<Reg>,
}

impl<'f> Entry<'_, 'f> {
    /// So many steps of a kernel that is all of a loop over time.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn steps_at_once(&mut self, tile: &Steps, count: u32) -> Result<Grid, String> {
        self.e.threads = tile.threads[0] * tile.threads[1];
        let nest = self.nest_of_steps(tile, count)?;
        let walk = self.walk_of_steps(&nest)?;
        match tile.along {
            Some(_) => self.strip(&nest, &walk)?,
            None => self.piece(&nest, &walk)?,
        }
        let wide = [0, 1].map(|at| tile.threads[at] - if at < tile.across.len() { tile.lost(at, count) } else { 0 });
        let along = tile.along.into_iter().collect();
        let (across, threads, extra) = (tile.across.clone(), tile.threads, tile.extra(count));
        Ok(Grid::Steps { across, along, state: nest.state, steps: count, threads, wide, extra })
    }

    /// All rows of a strip, and the rounds that follow them.
    fn strip(&mut self, nest: &Nest<'_, 'f>, walk: &Walk) -> Result<(), String> {
        let (head, end) = (self.e.label(), self.e.label());
        let limit =
            self.e.arith(Arith::Add, Ty::U32, &[nest.rows[1], Operand::Int(i64::from(nest.count) * nest.tile.lag)]);
        self.e.place(head);
        self.e.open();
        let more = self.e.compare(Compare::Lt, Ty::S32, walk.row.into(), limit);
        self.e.jump_if(more, false, end);
        self.round(nest, walk)?;
        if !walk.slots.is_empty() {
            self.e.push(Inst::Barrier);
        }
        let next = self.e.arith(Arith::Add, Ty::U32, &[walk.row.into(), Operand::Int(1)]);
        self.e.assign(Ty::U32, walk.row, next);
        let slots: Vec<(Reg, Ty)> = walk.slots.iter().map(|slot| (*slot, Ty::U32)).collect();
        let turned: Vec<Operand> = walk
            .slots
            .iter()
            .cycle()
            .skip(walk.slots.len().max(1) - 1)
            .take(walk.slots.len())
            .map(|slot| (*slot).into())
            .collect();
        self.carry(&slots, &turned);
        self.e.close();
        self.e.jump(head);
        self.e.place(end);
        Ok(())
    }

    /// All states of a row that is all of its strip.
    fn piece(&mut self, nest: &Nest<'_, 'f>, walk: &Walk) -> Result<(), String> {
        self.e.assign(nest.ty, walk.windows[0][0], walk.incoming.into());
        self.leave(nest, walk, 0);
        let places = self.places(nest, walk);
        for step in 1..=nest.count {
            if !walk.slots.is_empty() {
                self.e.push(Inst::Barrier);
            }
            self.row_of_state(nest, walk, (step, &places))?;
        }
        Ok(())
    }

    fn nest_of_steps<'s>(&mut self, tile: &'s Steps, count: u32) -> Result<Nest<'s, 'f>, String> {
        let source = self.source;
        let state = source.in_variable(tile.state).ok_or("a state that is not read")?;
        let ty = class::register(source.types[state].class)?;
        let puts = source.subject.accesses.iter().find_map(|access| match access.op {
            Op::Put(_, subs, _) => Some(&subs[..]),
            _ => None,
        });
        let subs = puts.ok_or("nothing is stored")?;
        let tids = [Axis::X, Axis::Y].map(|axis| self.special(Special::Tid(axis)));
        let (mut point, mut all) = (Vec::new(), [Operand::Int(1); 3]);
        for (at, axis) in tile.across.iter().enumerate() {
            let (number, holds) = self.across(tile, count, (at, *axis), tids[at])?;
            point.push(number);
            all = [0, 1, 2].map(|k| self.e.and(all[k], holds[k]));
        }
        let [exists, inside, stored] = all;
        let stored = self.e.and(stored, exists);
        let (rows, first, length, extent) = self.walked(tile)?;
        let bytes = super::reduce::shared_type(ty).bytes();
        let each = i64::from(tile.threads[0] * tile.threads[1]) * bytes as i64;
        let room = (tile.slots() > 0).then(|| self.e.shared(each as u64 * tile.slots() as u64 * u64::from(count)));
        let mut others: Vec<([i64; 2], Reg)> = Vec::new();
        let mut own = Reg { bank: Ty::U32.bank(), number: 0 };
        if let Some(room) = room {
            for by in std::iter::once([0; 2])
                .chain(tile.reads.iter().filter(|r| r.is_of_others()).map(|r| [r.at[0], r.at[1]]))
            {
                if others.iter().any(|(known, _)| *known == by) {
                    continue;
                }
                let number = self.neighbour(tile, tids, by);
                others.push((by, self.shared_at(room, ty, number)));
            }
            own = others[0].1;
        }
        Ok(Nest {
            tile,
            count,
            state,
            ty,
            subs,
            point,
            exists,
            inside,
            stored,
            rows,
            first,
            length,
            extent,
            own,
            others,
        })
    }

    /// The thread's number along a loop across, and whether it is within the array, within the kernel's loop, and one of those that the block stores.
    fn across(
        &mut self,
        tile: &Steps,
        count: u32,
        (at, axis): (usize, usize),
        tid: Operand,
    ) -> Result<(Operand, [Operand; 3]), String> {
        let wide = tile.threads[at] - tile.lost(at, count);
        let before = Operand::Int(i64::from(count) * tile.reach[at][0]);
        let block = self.special(Special::Ctaid([Axis::X, Axis::Y][at]));
        let (first, length) = (self.bound(Bound::First(axis)), self.count(&[axis]));
        let extent = self.short_size(&self.source.subject.kernel.domain[axis])?;
        let start = self.e.arith(Arith::Mul, Ty::U32, &[block, Operand::Int(wide.into())]);
        let own = self.e.arith(Arith::Sub, Ty::U32, &[tid, before]);
        let place = self.e.arith(Arith::Add, Ty::U32, &[start, own]);
        let number = self.e.arith(Arith::Add, Ty::U32, &[first, place]);
        // what lies before the first is a large number without a sign
        let exists = self.e.compare(Compare::Lt, Ty::U32, place, length);
        let inside = self.e.compare(Compare::Lt, Ty::U32, number, extent);
        let stored = self.e.compare(Compare::Lt, Ty::U32, own, Operand::Int(wide.into()));
        Ok((number, [exists, inside, stored]))
    }

    /// The rows of the block, where the array begins and how long it is along the walk, and the kernel's extent.
    fn walked(&mut self, tile: &Steps) -> Result<([Operand; 2], Operand, Operand, Operand), String> {
        let Some(axis) = tile.along else {
            return Ok(([Operand::Int(0), Operand::Int(1)], Operand::Int(0), Operand::Int(1), Operand::Int(1)));
        };
        let (first, length) = (self.bound(Bound::First(axis)), self.count(&[axis]));
        let extent = self.short_size(&self.source.subject.kernel.domain[axis])?;
        let [block, blocks] = [Special::Ctaid(Axis::Z), Special::Nctaid(Axis::Z)].map(|from| self.special(from));
        let more = self.e.arith(Arith::Sub, Ty::U32, &[blocks, Operand::Int(1)]);
        let all = self.e.arith(Arith::Add, Ty::U32, &[length, more]);
        let each = self.e.arith(Arith::Div, Ty::U32, &[all, blocks]);
        let before = self.e.arith(Arith::Mul, Ty::U32, &[block, each]);
        let low = self.e.arith(Arith::Add, Ty::U32, &[first, before]);
        let high = self.e.arith(Arith::Add, Ty::U32, &[low, each]);
        let end = self.e.arith(Arith::Add, Ty::U32, &[first, length]);
        let high = self.e.arith(Arith::Min, Ty::S32, &[high, end]);
        Ok(([low, high], first, length, extent))
    }

    /// The number of the thread that is so far away in the block, or of the last one there.
    fn neighbour(&mut self, tile: &Steps, tids: [Operand; 2], by: [i64; 2]) -> Operand {
        let places = [0, 1].map(|at| {
            let last = i64::from(tile.threads[at]) - 1;
            let there = self.e.arith(Arith::Add, Ty::S32, &[tids[at], Operand::Int(by[at])]);
            match by[at] {
                0 => tids[at],
                1.. => self.e.arith(Arith::Min, Ty::S32, &[there, Operand::Int(last)]),
                _ => self.e.arith(Arith::Max, Ty::S32, &[there, Operand::Int(0)]),
            }
        });
        if tile.across.len() == 1 {
            return places[0];
        }
        let row = self.e.arith(Arith::Mul, Ty::U32, &[places[1], Operand::Int(tile.threads[0].into())]);
        self.e.arith(Arith::Add, Ty::U32, &[row, places[0]])
    }

    /// Registers as they are before the first round.
    fn walk_of_steps(&mut self, nest: &Nest<'_, 'f>) -> Result<Walk, String> {
        let tile = nest.tile;
        let (row, incoming) = (self.e.reg(Ty::U32.bank()), self.e.reg(nest.ty.bank()));
        let start = self.start_of_steps(nest);
        self.incoming(nest, incoming, start)?;
        self.e.assign(Ty::U32, row, start);
        let nothing = zero(nest.ty);
        let mut windows = Vec::new();
        for _ in 0..nest.count {
            let regs: Vec<Reg> = (0..tile.window()).map(|_| self.e.reg(nest.ty.bank())).collect();
            regs.iter().for_each(|reg| self.e.assign(nest.ty, *reg, nothing));
            windows.push(regs);
        }
        let mut slots = Vec::new();
        for at in 0..tile.slots() {
            let reg = self.e.reg(Ty::U32.bank());
            let slot = (tile.slots() - at) % tile.slots();
            self.e.assign(Ty::U32, reg, Operand::Int(slot * nest.slot()));
            slots.push(reg);
        }
        Ok(Walk { row, incoming, windows, slots })
    }

    /// The first row of state 0.
    fn start_of_steps(&mut self, nest: &Nest<'_, 'f>) -> Operand {
        let before = i64::from(nest.count) * nest.tile.reach[2][0];
        self.e.arith(Arith::Sub, Ty::U32, &[nest.rows[0], Operand::Int(before)])
    }

    /// An element of state 0 in this row into a register; nothing where there is none.
    fn incoming(&mut self, nest: &Nest<'_, 'f>, to: Reg, row: Operand) -> Result<(), String> {
        let place = self.e.arith(Arith::Sub, Ty::U32, &[row, nest.first]);
        let exists = self.e.compare(Compare::Lt, Ty::U32, place, nest.length);
        let mut there = self.e.and(exists, nest.exists);
        if nest.tile.along.is_some() {
            let past = self.e.arith(Arith::Sub, Ty::U32, &[row, nest.rows[1]]);
            let needed = i64::from(nest.count) * nest.tile.reach[2][1];
            let needed = self.e.compare(Compare::Lt, Ty::S32, past, Operand::Int(needed));
            there = self.e.and(there, needed);
        }
        self.e.assign(nest.ty, to, zero(nest.ty));
        let mut known = self.known_at(self.numbers_in_row(nest, row));
        self.when(there, &mut |entry| {
            let element = entry.source.arrays[nest.state].element;
            let (base, offset) = entry.at_point(&mut known, |entry| entry.plain_address(nest.state, nest.subs))?;
            let value = entry.load_element(Space::Global, element, base, offset);
            entry.e.assign(nest.ty, to, value);
            Ok(())
        })
    }

    /// The numbers of the loops at the thread's point in a row.
    fn numbers_in_row(&self, nest: &Nest<'_, 'f>, row: Operand) -> Vec<Operand> {
        let mut numbers = self.numbers.clone();
        for (axis, at) in nest.tile.across.iter().zip(&nest.point) {
            numbers[*axis] = *at;
        }
        nest.tile.along.into_iter().for_each(|axis| numbers[axis] = row);
        numbers
    }

    /// A row of each state.
    fn round(&mut self, nest: &Nest<'_, 'f>, walk: &Walk) -> Result<(), String> {
        let tile = nest.tile;
        let start = self.start_of_steps(nest);
        let since = self.e.arith(Arith::Sub, Ty::U32, &[walk.row.into(), start]);
        let past = self.e.arith(Arith::Sub, Ty::U32, &[walk.row.into(), nest.rows[1]]);
        // for all states
        let places = self.places(nest, walk);
        self.shift(nest.ty, &walk.windows[0]);
        self.e.assign(nest.ty, walk.windows[0][0], walk.incoming.into());
        self.leave(nest, walk, 0);
        let next = self.e.arith(Arith::Add, Ty::U32, &[walk.row.into(), Operand::Int(1)]);
        self.incoming(nest, walk.incoming, next)?;
        for step in 1..=nest.count {
            let s = i64::from(step);
            if step < nest.count {
                self.shift(nest.ty, &walk.windows[step as usize]);
            }
            let begun = Operand::Int(s * (tile.lag + tile.reach[2][0]));
            let begun = self.e.compare(Compare::Ge, Ty::U32, since, begun);
            let end = Operand::Int((i64::from(nest.count) - s) * tile.reach[2][1] + s * tile.lag);
            let goes_on = self.e.compare(Compare::Lt, Ty::S32, past, end);
            let there = self.e.and(begun, goes_on);
            self.when(there, &mut |entry| entry.row_of_state(nest, walk, (step, &places)))?;
        }
        Ok(())
    }

    /// The row of a state that is needed.
    fn row_of_state(
        &mut self,
        nest: &Nest<'_, 'f>,
        walk: &Walk,
        (step, places): (u32, &[(Value, Reg)]),
    ) -> Result<(), String> {
        let (tile, before) = (nest.tile, step as usize - 1);
        let row = self.e.arith(Arith::Sub, Ty::U32, &[walk.row.into(), Operand::Int(i64::from(step) * tile.lag)]);
        let to = if step < nest.count { walk.windows[step as usize][0] } else { self.e.reg(nest.ty.bank()) };
        self.e.assign(nest.ty, to, walk.windows[before][tile.lag as usize].into());
        let in_row = self.e.compare(Compare::Lt, Ty::U32, row, nest.extent);
        let inside = self.e.and(nest.inside, in_row);
        let numbers = self.numbers_in_row(nest, row);
        let mut known = self.known_at(numbers.clone());
        self.when(inside, &mut |entry| {
            let mut read = Vec::new();
            for Read { value, at } in &tile.reads {
                let found = match places.iter().find(|(known, _)| known == value) {
                    Some((_, base)) => entry.load_shared(nest.ty, *base, before as i64 * nest.slot() * tile.slots()),
                    None => walk.windows[before][(tile.lag - at[2]) as usize].into(),
                };
                read.push((*value, found));
            }
            entry.held = Some((read.iter().map(|(value, _)| *value).collect(), (to, nest.ty)));
            let done = entry.at_point(&mut known, |entry| {
                read.iter().for_each(|(value, at)| entry.define(*value, *at));
                entry.body()
            });
            entry.held = None;
            done
        })?;
        if step < nest.count {
            self.leave(nest, walk, step);
            return Ok(());
        }
        let mut known = self.known_at(numbers);
        self.when(nest.stored, &mut |entry| {
            entry.at_point(&mut known, |entry| entry.put_operand(0, nest.subs, to.into()))
        })
    }

    /// Where what the kernel reads of other threads lies in this round, but for the state.
    fn places(&mut self, nest: &Nest<'_, 'f>, walk: &Walk) -> Vec<(Value, Reg)> {
        let mut found = Vec::new();
        for Read { value, at } in nest.tile.reads.iter().filter(|read| read.is_of_others()) {
            let Some((_, base)) = nest.others.iter().find(|(by, _)| *by == [at[0], at[1]]) else { continue };
            let slot = walk.slots[(nest.tile.lag - at[2]) as usize];
            let place = self.e.arith(Arith::Add, Ty::U32, &[(*base).into(), slot.into()]);
            found.push((*value, self.e.in_reg(Ty::U32, place)));
        }
        found
    }

    /// Makes room for the next row of a window.
    fn shift(&mut self, ty: Ty, window: &[Reg]) {
        for at in (1..window.len()).rev() {
            self.e.assign(ty, window[at], window[at - 1].into());
        }
    }

    /// Leaves the last row of a state to other threads.
    fn leave(&mut self, nest: &Nest<'_, 'f>, walk: &Walk, step: u32) {
        let Some(slot) = walk.slots.first() else { return };
        let place = self.e.arith(Arith::Add, Ty::U32, &[nest.own.into(), (*slot).into()]);
        let place = self.e.in_reg(Ty::U32, place);
        let value = walk.windows[step as usize][0].into();
        self.store_shared(nest.ty, place, i64::from(step) * nest.slot() * nest.tile.slots(), value);
    }
}

impl Nest<'_, '_> {
    /// Bytes of a row in shared memory.
    fn slot(&self) -> i64 {
        i64::from(self.tile.threads[0] * self.tile.threads[1]) * super::reduce::shared_type(self.ty).bytes() as i64
    }
}

/// The number zero of a type.
fn zero(ty: Ty) -> Operand {
    match ty {
        Ty::F64 => Operand::Double(0),
        Ty::F32 => Operand::Single(0),
        _ => Operand::Int(0),
    }
}
