//! Lines that are walked along in order: kernels whose iterations each go through neighbouring elements of memory, such as running sums.
//!
//! A thread for each line would read elements that lie a line apart. Here a block takes some lines, a *tile* of which fills its shared
//! memory (a transposition as in Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA", 2009). All threads compute
//! what the elements of a tile contribute, neighbouring threads neighbouring elements, and store it; after a barrier the threads of the first
//! warp, each with a line of its own, combine it in order and leave the running results in its place; after another one all threads do what the body
//! does with these. What the next tile reads is under way meanwhile. So the order of the operations is that of the loop, and memory is
//! read and written in whole sectors.
//!
//! A block has `ntid.x` lines, by `ntid.y` threads for each of them ([`Grid::Rows`]). What a line has computed before its loop the
//! lanes of every warp compute, a lane for each line, and hand over by shuffles.

use super::class::register;
use super::emit::Emitter;
use super::entry::Entry;
use super::grid::Stride;
use super::inst::{Arith, Axis, Bank, Compare, Inst, Operand, Reg, SharedArray, Special, Ty};
use super::reduce::{combine, identity, shared_type};
use super::scalar::float;
use crate::ir::{Mem, Op, ReduceOp, Stmt, Value};
use crate::schedule::lines::{Lines, Start};
use megha_base::plan::{Grid, MOST_ROWS, THREADS, TILE};

/// Elements of a tile that a thread takes.
pub(super) const EACH: usize = (TILE / THREADS) as usize;
/// Elements that a thread combines at once, and the least width of a tile.
const TOGETHER: i64 = 8;

/// What changes no carried value: unlike a reduction's first value, also no negative zero.
///
/// # Errors
/// A class that devices do not have.
fn nothing(walk: &Walk<'_>) -> Result<Operand, String> {
    match walk.lines.op {
        ReduceOp::Sum if walk.ty.is_float() => Ok(float(walk.ty, -0.0)),
        op => identity(op, walk.lines.class),
    }
}

/// What walks along memory.
struct Walk<'f> {
    /// Its loop.
    lines: Lines<'f>,
    /// The type of the registers of what it combines.
    ty: Ty,
}

/// A thread's place in its block, and the tile.
struct Tile {
    /// The line that the lane belongs to, among those of the block.
    lane: Operand,
    /// Whether the lane computes a line of the kernel.
    inside: Operand,
    /// Whether it also combines.
    combines: Operand,
    /// Elements of a line in a tile.
    width: Operand,
    /// The tile; its lines are a number apart that is odd, so that a warp's threads meet different banks.
    array: SharedArray,
}

/// An element of each tile that a thread takes.
struct Cell {
    /// Whether there is one.
    exists: Operand,
    /// Where it lies in the line's part of the tile.
    column: Operand,
    /// The number of elements of its line; none if the thread has no element.
    length: Operand,
    /// Its address in shared memory.
    address: Reg,
    /// The iteration numbers of its line.
    numbers: Vec<Operand>,
    /// What else its line has computed.
    known: Vec<(Value, Operand)>,
    /// What the element contributes.
    term: Reg,
}

impl Entry<'_, '_> {
    /// A kernel whose iterations walk along memory; the axes count them, fastest first.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn rows(&mut self, axes: &[usize]) -> Result<Grid, String> {
        let lines = Lines::in_tiles(&self.source.subject, self.memory);
        let lines = lines.ok_or_else(|| "lines of a loop that does not walk along them".to_owned())?;
        let ty = register(lines.class)?;
        let walk = Walk { lines, ty };
        let count = self.count(axes);
        let [line, row, rows] =
            [Special::Tid(Axis::Y), Special::Tid(Axis::X), Special::Ntid(Axis::X)].map(|s| self.special(s));
        let before = self.e.arith(Arith::Mul, Ty::U32, &[line, rows]);
        let thread = self.e.arith(Arith::Add, Ty::U32, &[before, row]);
        let width = self.width(&walk, rows)?;
        let bytes = u64::from(TILE + MOST_ROWS) * shared_type(walk.ty).bytes();
        let array = self.e.shared(bytes);
        let blocks = self.by_blocks(Axis::X, rows);
        self.walk(&blocks, count, &mut |entry, base| {
            // Warps are made of threads in this order.
            let lane = entry.e.arith(Arith::And, Ty::B32, &[thread, Operand::Int(31)]);
            let point = entry.e.arith(Arith::Add, Ty::U32, &[base, lane]);
            let exists = entry.e.compare(Compare::Lt, Ty::U32, point, count);
            let own = entry.e.compare(Compare::Lt, Ty::U32, lane, rows);
            let inside = entry.e.and(exists, own);
            let point = entry.e.select(Ty::U32, inside, point, Operand::Int(0));
            let first = entry.e.compare(Compare::Lt, Ty::U32, thread, Operand::Int(32));
            let combines = entry.e.and(first, inside);
            entry.take_apart(point, axes)?;
            let tile = Tile { lane, inside, combines, width, array };
            for stmt in &entry.source.subject.kernel.body.stmts {
                match &stmt.op {
                    Op::For { .. } => entry.line(&walk, &tile, thread)?,
                    Op::Put(out, subs, value) => entry.when(combines, &mut |entry| entry.put(*out, subs, *value))?,
                    _ => entry.stmt(stmt, &mut Vec::new())?,
                }
            }
            Ok(())
        })?;
        Ok(Grid::Rows { lines: axes.to_vec() })
    }

    /// Elements of a line in a tile: what the lines of a block leave of it, but not many more than a line has.
    fn width(&mut self, walk: &Walk<'_>, rows: Operand) -> Result<Operand, String> {
        let longest = self.longest(walk)?;
        let mut width = self.e.arith(Arith::Div, Ty::U32, &[Operand::Int(TILE.into()), rows]);
        let mut enough = i64::from(TILE) / 2;
        while enough >= TOGETHER {
            let less = self.e.arith(Arith::Min, Ty::U32, &[width, Operand::Int(enough)]);
            let fits = self.e.compare(Compare::Le, Ty::U32, longest, Operand::Int(enough));
            width = self.e.select(Ty::U32, fits, less, width);
            enough /= 2;
        }
        Ok(width)
    }

    /// Elements of the longest line.
    fn longest(&mut self, walk: &Walk<'_>) -> Result<Operand, String> {
        let size = &walk.lines.longest;
        if self.source.subject.func.symbols.never_negative(size) {
            return self.short_size(size);
        }
        let size = self.size(size)?;
        let size = self.e.arith(Arith::Max, Ty::S64, &[size, Operand::Int(0)]);
        Ok(self.e.convert(Ty::U32, Ty::U64, size))
    }

    /// The loop of the lines.
    fn line(&mut self, walk: &Walk<'_>, tile: &Tile, thread: Operand) -> Result<(), String> {
        let sum = self.e.reg(walk.ty.bank());
        self.start(walk, tile, sum)?;
        let cells = self.cells(walk, tile, thread)?;
        for cell in &cells {
            self.term(walk, cell, cell.column)?;
        }
        let longest = self.longest(walk)?;
        self.walk(&Stride { start: Operand::Int(0), step: tile.width }, longest, &mut |entry, start| {
            for cell in &cells {
                entry.when(cell.exists, &mut |entry| {
                    entry.store_shared(walk.ty, cell.address, 0, cell.term.into());
                    Ok(())
                })?;
            }
            entry.e.push(Inst::Barrier);
            let next = entry.e.arith(Arith::Add, Ty::U32, &[start, tile.width]);
            for cell in &cells {
                let at = entry.e.arith(Arith::Add, Ty::U32, &[next, cell.column]);
                entry.term(walk, cell, at)?;
            }
            entry.when(tile.combines, &mut |entry| entry.combined(walk, tile, sum))?;
            entry.e.push(Inst::Barrier);
            for cell in cells.iter().filter(|_| !walk.lines.after.is_empty()) {
                let at = entry.e.arith(Arith::Add, Ty::U32, &[start, cell.column]);
                entry.after(walk, cell, at)?;
            }
            Ok(())
        })?;
        match walk.lines.start {
            Start::Value(_) => {
                self.define(walk.lines.stmt.results[0], sum.into());
                Ok(())
            }
            Start::Element(out, subs) => {
                let exists = self.has_element(walk, tile.combines)?;
                self.when(exists, &mut |entry| entry.put_operand(out, subs, sum.into()))
            }
        }
    }

    /// Sets a register to the carried value before the first iteration.
    fn start(&mut self, walk: &Walk<'_>, tile: &Tile, sum: Reg) -> Result<(), String> {
        match walk.lines.start {
            Start::Value(init) => {
                let init = self.value(init)?;
                self.e.assign(walk.ty, sum, init);
                Ok(())
            }
            Start::Element(out, subs) => {
                self.e.assign(walk.ty, sum, nothing(walk)?);
                let exists = self.has_element(walk, tile.combines)?;
                self.when(exists, &mut |entry| {
                    let value = entry.load(Mem::Out(out), subs)?;
                    entry.e.assign(walk.ty, sum, value);
                    Ok(())
                })
            }
        }
    }

    /// Whether a thread combines a line that has iterations.
    fn has_element(&mut self, walk: &Walk<'_>, combines: Operand) -> Result<Operand, String> {
        let trip = self.value(walk.lines.trip)?;
        let some = self.e.compare(Compare::Gt, Ty::S64, trip, Operand::Int(0));
        Ok(self.e.and(combines, some))
    }

    /// The elements of each tile that the thread takes.
    fn cells(&mut self, walk: &Walk<'_>, tile: &Tile, thread: Operand) -> Result<Vec<Cell>, String> {
        let trip = self.value(walk.lines.trip)?;
        let trip = self.e.arith(Arith::Max, Ty::S64, &[trip, Operand::Int(0)]);
        let trip = self.e.convert(Ty::U32, Ty::U64, trip);
        let own = self.e.select(Ty::U32, tile.inside, trip, Operand::Int(0));
        let apart = self.e.arith(Arith::Add, Ty::U32, &[tile.width, Operand::Int(1)]);
        let rows = self.special(Special::Ntid(Axis::X));
        let mut cells = Vec::new();
        for k in 0..EACH {
            let number = self.e.arith(Arith::Add, Ty::U32, &[thread, Operand::Int(k as i64 * i64::from(THREADS))]);
            // Neighbouring threads have neighbours in memory. A tile may have fewer elements than there are numbers.
            let fastest = if walk.lines.along { tile.width } else { rows };
            let [slow, fast] = [Arith::Div, Arith::Rem].map(|op| self.e.arith(op, Ty::U32, &[number, fastest]));
            let (slow, exists) = self.inside(slow, if walk.lines.along { rows } else { tile.width });
            let (row, column) = if walk.lines.along { (slow, fast) } else { (fast, slow) };
            let before = self.e.arith(Arith::Mul, Ty::U32, &[row, apart]);
            let at = self.e.arith(Arith::Add, Ty::U32, &[before, column]);
            let address = self.shared_at(tile.array, walk.ty, at);
            let length = self.of_lane(Ty::U32, own, row);
            let length = self.e.select(Ty::U32, exists, length, Operand::Int(0));
            let numbers = self.numbers.clone().into_iter().map(|n| self.of_lane(Ty::U32, n, row)).collect();
            let known = self.known(walk, row)?;
            let term = self.e.reg(walk.ty.bank());
            cells.push(Cell { exists, column, length, address, numbers, known, term });
        }
        Ok(cells)
    }

    /// What the loop needs of what a line has computed before, from the lane that computed it.
    fn known(&mut self, walk: &Walk<'_>, row: Operand) -> Result<Vec<(Value, Operand)>, String> {
        let mut known = Vec::new();
        for value in &walk.lines.outer {
            let ty = register(self.source.subject.func.ty(*value).class)?;
            let own = self.value(*value)?;
            known.push((*value, self.of_lane(ty, own, row)));
        }
        Ok(known)
    }

    /// Computes what an element contributes; nothing if the line does not have it.
    fn term(&mut self, walk: &Walk<'_>, cell: &Cell, at: Operand) -> Result<(), String> {
        self.e.assign(walk.ty, cell.term, nothing(walk)?);
        self.element(walk, cell, at, &mut |entry| {
            entry.statements(&walk.lines.before)?;
            let value = entry.value(walk.lines.term)?;
            entry.e.assign(walk.ty, cell.term, value);
            Ok(())
        })
    }

    /// What the body does with the running result of an element.
    fn after(&mut self, walk: &Walk<'_>, cell: &Cell, at: Operand) -> Result<(), String> {
        self.element(walk, cell, at, &mut |entry| {
            let result = entry.load_shared(walk.ty, cell.address, 0);
            entry.define(walk.lines.next, result);
            entry.statements(&walk.lines.after)
        })
    }

    fn statements(&mut self, stmts: &[&Stmt]) -> Result<(), String> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt, &mut Vec::new()))
    }

    /// Code for an element of a line, if the line has it.
    fn element(
        &mut self,
        walk: &Walk<'_>,
        cell: &Cell,
        at: Operand,
        body: &mut dyn FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        let exists = self.e.compare(Compare::Lt, Ty::U32, at, cell.length);
        self.when(exists, &mut |entry| {
            entry.in_place_of(&cell.numbers, &cell.known, &mut |entry| {
                let number = entry.e.convert(Ty::S64, Ty::U32, at);
                entry.define(walk.lines.number, number);
                body(entry)
            })
        })
    }

    /// Combines the elements of the tile that belong to the thread's line, in order.
    fn combined(&mut self, walk: &Walk<'_>, tile: &Tile, sum: Reg) -> Result<(), String> {
        let apart = self.e.arith(Arith::Add, Ty::U32, &[tile.width, Operand::Int(1)]);
        let first = self.e.arith(Arith::Mul, Ty::U32, &[tile.lane, apart]);
        let bytes = shared_type(walk.ty).bytes() as i64;
        let steps = Stride { start: Operand::Int(0), step: Operand::Int(TOGETHER) };
        self.walk(&steps, tile.width, &mut |entry, column| {
            let number = entry.e.arith(Arith::Add, Ty::U32, &[first, column]);
            let address = entry.shared_at(tile.array, walk.ty, number);
            let terms: Vec<Operand> = (0..TOGETHER).map(|k| entry.load_shared(walk.ty, address, k * bytes)).collect();
            let mut total: Operand = sum.into();
            for (k, term) in terms.into_iter().enumerate() {
                total = combine(&mut entry.e, walk.lines.op, walk.lines.class, total, term)?;
                if !walk.lines.after.is_empty() {
                    entry.store_shared(walk.ty, address, k as i64 * bytes, total);
                }
            }
            entry.e.assign(walk.ty, sum, total);
            Ok(())
        })
    }

    /// The value that another lane of the warp has.
    fn of_lane(&mut self, ty: Ty, value: Operand, lane: Operand) -> Operand {
        let Operand::Reg(_) = value else { return value };
        let lane = self.e.in_reg(Ty::U32, lane);
        self.e.moved(ty, value, &mut |e: &mut Emitter, a| e.pure(Bank::B32, |dst| Inst::ShuffleIndex { dst, a, lane }))
    }
}
