//! Several kernels in one entry, row by row ([`crate::schedule::row_groups`]): loop fusion, with barriers where one loop reads what another has made of the row
//! (as compilers fuse layers of networks; "stitching" of Zheng et al., "AStitch", 2022).
//!
//! A block has one row, or several short ones (`tid.z`), of which it runs the first kernel, passes a barrier, runs the second, and so on. What several
//! kernels touch of a row is in shared memory: it comes from memory before the first one that touches it, if that does not make it, and
//! goes back behind the last, if anything else reads it. So each sector of an array is read and written once, and not at all if only these kernels know the array.

use super::class::register;
use super::entry::{Entry, Kept, Source};
use super::grid::Stride;
use super::inst::{Arith, Axis, Compare, Inst, Label, Operand, Reg, SharedArray, Space, Special, Ty};
use super::print::EntryCode;
use super::reduce::{Room, shared_type};
use super::scheduled::Form;
use crate::ir::{Out, Size, Value};
use crate::schedule::Memory;
use crate::schedule::footprint::expression;
use crate::schedule::row_groups::{Array, Group};
use megha_base::plan::{self, Grid, Role, Share};
use megha_base::tree::LANES;

/// Shared memory of a block in all.
const SHARED: u64 = 48 << 10;
/// Elements that a thread loads at once.
const AHEAD: i64 = 4;
/// Reductions of a kernel at most: more leave no room for rows.
pub const MOST_REDUCTIONS: usize = 2;

/// What a row keeps in shared memory: the bytes of an element, and elements.
type Buffers = Vec<(u64, Size)>;

/// A kernel that is part of the entry.
pub struct Member<'s, 'f> {
    /// The kernel.
    pub source: &'s Source<'f>,
    /// How its loops lie in its own entry.
    pub form: Form,
}

/// The kernels while their entry is written; one of them has the emitter.
struct Phases<'s, 'f> {
    list: Vec<Entry<'s, 'f>>,
    active: usize,
}

impl<'s, 'f> Phases<'s, 'f> {
    /// The kernel at a place, which goes on with what is written.
    fn on(&mut self, place: usize) -> &mut Entry<'s, 'f> {
        if place != self.active {
            let e = std::mem::take(&mut self.list[self.active].e);
            self.list[place].e = e;
            self.active = place;
        }
        &mut self.list[place]
    }
}

/// The most parameters of an entry, of 8 bytes: PTX has room for 4,352 bytes, and refuses the whole module beyond.
const MOST_PARAMETERS: u32 = 512;

/// A thread's place, and its row.
#[derive(Clone, Copy)]
pub struct At {
    /// The thread among those of its row, and how many these are.
    thread: Operand,
    threads: Operand,
    row: Operand,
    /// Whether there is such a row.
    pub inside: Operand,
}

/// Writes the entry of a group for an order of memory: its code and the share of each kernel.
///
/// # Errors
/// What is not carried out.
pub fn write(
    members: &[Member<'_, '_>],
    group: &Group,
    memory: Memory,
    name: &str,
) -> Result<(EntryCode, Vec<Share>), String> {
    let axes = group.axes[memory as usize].as_ref().ok_or("rows in pieces")?;
    let list: Vec<Entry<'_, '_>> = members.iter().map(|member| Entry::new(member.source, memory)).collect();
    let mut phases = Phases { list, active: 0 };
    let reduces = |out: &&Out| matches!(out, Out::Reduce(..));
    let reductions = |member: &Member<'_, '_>| member.source.subject.kernel.outs.iter().filter(reduces).count();
    let most = members.iter().map(reductions).max().unwrap_or(0);
    let pool = SHARED - most as u64 * Room::BYTES;
    let array = phases.on(0).e.shared(pool);
    let room = Room::new(phases.on(0), most);
    let buffers = keep(&mut phases, group, array)?;
    let entry = phases.on(0);
    let [lane, warp, warps] =
        [Special::Tid(Axis::X), Special::Tid(Axis::Y), Special::Ntid(Axis::Y)].map(|from| entry.special(from));
    let before = entry.e.arith(Arith::Mul, Ty::U32, &[warp, Operand::Int(LANES as i64)]);
    let thread = entry.e.arith(Arith::Add, Ty::U32, &[before, lane]);
    let threads = entry.e.arith(Arith::Mul, Ty::U32, &[warps, Operand::Int(LANES as i64)]);
    let (rows, counter, labels) = open_rows(entry, axes[0]);
    let own = entry.special(Special::Tid(Axis::Z));
    let point = entry.e.arith(Arith::Add, Ty::U32, &[counter.into(), own]);
    let (row, inside) = entry.inside(point, rows);
    let at = At { thread, threads, row, inside };
    for (place, member) in members.iter().enumerate() {
        let entry = phases.on(place);
        entry.next = entry.e.label();
        entry.numbers[axes[place]] = row;
        entry.bring(group, place, at)?;
        match &member.form {
            Form::Points(points) => {
                let loops = points.nest.iter().rev().flat_map(|(_, loops)| loops.iter().copied());
                let loops: Vec<usize> = loops.filter(|axis| *axis != axes[place]).collect();
                entry.points_of_row(&loops, at)?;
            }
            Form::Warps(loops) | Form::Neighbours(loops) => entry.reduction_in_row(loops, &room, at)?,
            Form::Neighbouring(_) | Form::Lines(_) | Form::Tiles(_) | Form::Turned(_) | Form::Halos(_) => {
                return Err("kernels that are neither points nor reductions".into());
            }
        }
        entry.e.push(Inst::Barrier);
    }
    let given_back = |array: &&Array| array.is_kept && array.is_needed && !array.is_stored_last;
    for array in group.arrays.iter().filter(given_back) {
        phases.on(*array.kernels.last().ok_or("an array of no kernel")?).give_back(array, at)?;
    }
    let entry = phases.on(0);
    if group.arrays.iter().any(|array| given_back(&array)) {
        // before the next row comes
        entry.e.push(Inst::Barrier);
    }
    close_rows(entry, counter, labels);
    finish(phases, (axes, buffers, pool), name)
}

/// Begins the loop over the rows of blocks: how many rows there are, the number of the block's first one, and the loop's labels.
fn open_rows(entry: &mut Entry<'_, '_>, axis: usize) -> (Operand, Reg, [Label; 2]) {
    let rows = entry.count(&[axis]);
    let width = entry.special(Special::Ntid(Axis::Z));
    let blocks = entry.by_blocks(Axis::X, width);
    let in_reg = entry.e.in_reg(Ty::U32, blocks.step);
    let counter = entry.e.reg(in_reg.bank);
    entry.e.assign(Ty::U32, counter, blocks.start);
    let labels = [entry.e.label(), entry.e.label()];
    entry.e.place(labels[0]);
    entry.e.open();
    let done = entry.e.compare(Compare::Ge, Ty::U32, counter.into(), rows);
    entry.e.jump_if(done, true, labels[1]);
    (rows, counter, labels)
}

fn close_rows(entry: &mut Entry<'_, '_>, counter: Reg, labels: [Label; 2]) {
    let width = entry.special(Special::Ntid(Axis::Z));
    let step = entry.by_blocks(Axis::X, width).step;
    let next = entry.e.arith(Arith::Add, Ty::U32, &[counter.into(), step]);
    entry.e.assign(Ty::U32, counter, next);
    entry.e.close();
    entry.e.jump(labels[0]);
    entry.e.place(labels[1]);
}

/// Finds the room of what is kept of a row, and tells the kernels; for each of them the buffers that it is the first to touch.
fn keep(phases: &mut Phases<'_, '_>, group: &Group, pool: SharedArray) -> Result<Vec<Buffers>, String> {
    let mut buffers = vec![Vec::new(); phases.list.len()];
    let (mut offsets, mut end) = (vec![None; group.arrays.len()], Operand::Int(0));
    for (at, array) in group.arrays.iter().enumerate().filter(|(_, array)| array.is_kept && array.takes_over.is_none())
    {
        let (first, dim) = (array.kernels[0], array.dim.ok_or("rows of an array without rows")?);
        let entry = phases.on(first);
        let (size, bytes) = entry.kept_row(array, dim)?;
        let elements = entry.short_size(&size)?;
        let length = entry.e.arith(Arith::Mul, Ty::U32, &[elements, Operand::Int(bytes as i64)]);
        let more = entry.e.arith(Arith::Add, Ty::U32, &[length, Operand::Int(7)]);
        let whole = match more {
            Operand::Int(more) => Operand::Int(more & !7),
            more => {
                let words = entry.e.arith(Arith::Shr, Ty::U32, &[more, Operand::Int(3)]);
                entry.e.arith(Arith::Shl, Ty::B32, &[words, Operand::Int(3)])
            }
        };
        offsets[at] = Some(end);
        end = entry.e.arith(Arith::Add, Ty::U32, &[end, whole]);
        buffers[first].push((bytes, size));
    }
    let entry = phases.on(0);
    let own = entry.special(Special::Tid(Axis::Z));
    let before = entry.e.arith(Arith::Mul, Ty::U32, &[own, end]);
    for (at, array) in group.arrays.iter().enumerate().filter(|(_, array)| array.is_kept) {
        let Some((dim, offset)) = array.dim.zip(offset(group, &offsets, at)) else { continue };
        let entry = phases.on(0);
        let number = entry.e.arith(Arith::Add, Ty::U32, &[before, offset]);
        let base: Operand = entry.shared_bytes_at(pool, number).into();
        let last = array.kernels.last().filter(|_| array.is_stored_last);
        for (place, entry) in phases.list.iter_mut().enumerate() {
            let goes_to_memory = |number: &usize| Some(&place) == last && entry.source.arrays[*number].role != Role::In;
            let own = entry.numbers_of(array).into_iter().filter(|number| !goes_to_memory(number));
            let own: Vec<usize> = own.collect();
            entry.kept.extend(own.into_iter().map(|number| (number, Kept { base, dim })));
        }
    }
    Ok(buffers)
}

/// Where the room of an array begins in that of a row.
fn offset(group: &Group, own: &[Option<Operand>], at: usize) -> Option<Operand> {
    match group.arrays[at].takes_over {
        // each takes over from an earlier one
        Some(before) => offset(group, own, before),
        None => own[at],
    }
}

/// The code, and what each kernel has of the entry.
fn finish(
    mut phases: Phases<'_, '_>,
    (axes, buffers, pool): (&[usize], Vec<Buffers>, u64),
    name: &str,
) -> Result<(EntryCode, Vec<Share>), String> {
    if phases.on(0).e.declared() > MOST_PARAMETERS {
        return Err("more parameters than an entry may have".into());
    }
    let code = std::mem::take(&mut phases.on(0).e).finish()?;
    let shared_bytes = code.shared.iter().sum();
    let shares = phases.list.into_iter().zip(axes).zip(buffers).map(|((entry, axis), buffers)| {
        let others = (0..entry.numbers.len()).filter(|other| other != axis).collect();
        let grid = Grid::Lanes { kept: vec![*axis], reduced: others, ahead: 1 };
        let (params, strides) = (entry.params, entry.strides);
        Share {
            axis: *axis,
            entry: plan::Entry { name: name.to_owned(), params, strides, grid, shared_bytes, cost: None },
            slots: entry.slots.into_iter().map(|slot| slot as usize).collect(),
            buffers: buffers.into_iter().map(|(bytes, size)| (bytes, expression(&size))).collect(),
            pool,
        }
    });
    Ok((code, shares.collect()))
}

impl Entry<'_, '_> {
    /// The numbers of an array among those of this kernel.
    fn numbers_of(&self, array: &Array) -> Vec<usize> {
        let is_it = |number: &usize| array.values.contains(&Value::new(self.source.arrays[*number].value));
        (0..self.source.arrays.len()).filter(is_it).collect()
    }

    /// Elements of a row, and their bytes in shared memory.
    fn kept_row(&self, array: &Array, dim: usize) -> Result<(Size, u64), String> {
        let ty = self.source.subject.func.ty(array.values[0]);
        let others = ty.dims.iter().enumerate().filter(|(other, _)| *other != dim);
        let size = others.fold(Size::constant(1), |product, (_, extent)| product.mul(extent));
        Ok((size, shared_type(register(ty.class)?).bytes()))
    }

    /// An address so many bytes behind the start of a shared array.
    fn shared_bytes_at(&mut self, array: SharedArray, number: Operand) -> Reg {
        let start = self.shared_at(array, Ty::B32, Operand::Int(0));
        let address = self.e.arith(Arith::Add, Ty::U32, &[start.into(), number]);
        self.e.in_reg(Ty::U32, address)
    }

    /// Brings rows that this kernel is the first to touch to shared memory.
    fn bring(&mut self, group: &Group, place: usize, at: At) -> Result<(), String> {
        let mut is_some = false;
        for array in group.arrays.iter().filter(|a| a.is_kept && !a.is_made && a.kernels[0] == place) {
            // Of an array that it updates the state before is where the new one will be.
            let number = self.numbers_of(array).first().copied().ok_or("an array without a number")?;
            self.bring_row(number, array, at)?;
            is_some = true;
        }
        if is_some {
            self.e.push(Inst::Barrier);
        }
        Ok(())
    }

    fn bring_row(&mut self, number: usize, array: &Array, at: At) -> Result<(), String> {
        let Kept { dim, base } = self.kept.get(&number).copied().ok_or("an array that is not kept")?;
        let space = if array.is_changed { Space::Global } else { Space::Constant };
        let (size, bytes) = self.kept_row(array, dim)?;
        let ty = register(self.source.types[number].class)?;
        let length = self.short_size(&size)?;
        let limit = self.e.select(Ty::U32, at.inside, length, Operand::Int(0));
        let step = self.e.arith(Arith::Mul, Ty::U32, &[at.threads, Operand::Int(AHEAD)]);
        self.walk(&Stride { start: at.thread, step }, limit, &mut |entry, first| {
            let mut values = Vec::new();
            for k in 0..AHEAD {
                let away = entry.e.arith(Arith::Mul, Ty::U32, &[at.threads, Operand::Int(k)]);
                let element = entry.e.arith(Arith::Add, Ty::U32, &[first, away]);
                let (clamped, exists) = entry.inside(element, limit);
                let (address, offset) = entry.of_row(number, (at.row, dim), clamped)?;
                let class = entry.source.arrays[number].element;
                values.push((element, exists, entry.load_element(space, class, address, offset)));
            }
            for (element, exists, value) in values {
                entry.when(exists, &mut |entry| {
                    let address = entry.kept_at(base, element, bytes);
                    entry.store_shared(ty, address, 0, value);
                    Ok(())
                })?;
            }
            Ok(())
        })
    }

    /// Gives a row of an array back to memory.
    fn give_back(&mut self, array: &Array, at: At) -> Result<(), String> {
        let last = array.values.last().map(|value| value.index());
        let number = self.source.arrays.iter().position(|own| Some(own.value) == last);
        let number = number.ok_or("an array without a number")?;
        let Kept { dim, base } = self.kept.get(&number).copied().ok_or("an array that is not kept")?;
        let (size, bytes) = self.kept_row(array, dim)?;
        let ty = register(self.source.types[number].class)?;
        let length = self.short_size(&size)?;
        let limit = self.e.select(Ty::U32, at.inside, length, Operand::Int(0));
        self.walk(&Stride { start: at.thread, step: at.threads }, limit, &mut |entry, element| {
            let from = entry.kept_at(base, element, bytes);
            let value = entry.load_shared(ty, from, 0);
            let (address, offset) = entry.of_row(number, (at.row, dim), element)?;
            entry.store_element(entry.source.arrays[number].element, address, offset, value);
            Ok(())
        })
    }

    /// The points of a row, which the threads share.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn points_of_row(&mut self, loops: &[usize], at: At) -> Result<(), String> {
        let count = self.count(loops);
        let limit = self.e.select(Ty::U32, at.inside, count, Operand::Int(0));
        self.walk(&Stride { start: at.thread, step: at.threads }, limit, &mut |entry, number| {
            entry.take_apart(number, loops)?;
            entry.body()?;
            let next = entry.next;
            entry.e.place(next);
            Ok(())
        })
    }

    /// The address of an element of a row that is kept.
    pub fn kept_at(&mut self, base: Operand, number: Operand, bytes: u64) -> Reg {
        let away = self.e.arith(Arith::Mul, Ty::U32, &[number, Operand::Int(bytes as i64)]);
        let address = self.e.arith(Arith::Add, Ty::U32, &[base, away]);
        self.e.in_reg(Ty::U32, address)
    }

    /// An element of a row that is kept.
    ///
    /// # Errors
    /// Subscripts that count the elements of several dimensions.
    pub fn load_kept(&mut self, kept: Kept, array: usize, subs: &[Value]) -> Result<Operand, String> {
        let ty = register(self.source.types[array].class)?;
        let number = self.number_in_row(array, subs, kept.dim)?;
        let address = self.kept_at(kept.base, number, shared_type(ty).bytes());
        Ok(self.load_shared(ty, address, 0))
    }

    /// Stores an element of a row that is kept.
    ///
    /// # Errors
    /// Subscripts that count the elements of several dimensions.
    pub fn store_kept(&mut self, kept: Kept, (out, subs): (usize, &[Value]), value: Operand) -> Result<(), String> {
        let ty = register(self.source.types[out].class)?;
        let number = self.number_in_row(out, subs, kept.dim)?;
        let address = self.kept_at(kept.base, number, shared_type(ty).bytes());
        self.store_shared(ty, address, 0, value);
        Ok(())
    }
}
