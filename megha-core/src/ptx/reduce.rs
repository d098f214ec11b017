//! Reductions by the fixed tree (`megha_base::tree`): chunks of the reduced extent, lanes in a chunk, lanes folded in halves, chunks in order.
//!
//! *Lanes*: a warp takes a chunk of a result, its threads are the lanes. *Neighbours*: the threads of a warp take neighbouring
//! results, so that they read neighbouring elements; eight warps of a block share the lanes of a chunk and meet in shared memory.

use super::class::{element, register};
use super::emit::Emitter;
use super::entry::{Entry, Source, expression};
use super::grid::Stride;
use super::inst::{Arith, Axis, Bank, Compare, Inst, Operand, Reg, SharedArray, Space, Special, Ty};
use super::integer::Kind;
use super::scalar::float;
use crate::cpu::order::Memory;
use crate::ir::{Binary, Class, Out, ReduceOp};
use megha_base::plan::{Element, Grid};
use megha_base::tree::{CHUNK, LANES};

/// Warps that share the lanes of a chunk among neighbours.
const WARPS: i64 = 8;

/// A reduction of a kernel.
#[derive(Clone, Copy)]
struct Reduction {
    out: usize,
    op: ReduceOp,
    class: Class,
    element: Element,
    ty: Ty,
}

/// The loops of a kernel that reduces.
struct Loops {
    /// The reduced ones, first axis first.
    reduced: Vec<usize>,
    /// The others, fastest in the results' memory first.
    kept: Vec<usize>,
}

/// Combines two values.
///
/// # Errors
/// The operation is not defined on the class.
pub fn combine(e: &mut Emitter, op: ReduceOp, class: Class, a: Operand, b: Operand) -> Result<Operand, String> {
    let op = match op {
        ReduceOp::Sum => Binary::Add,
        ReduceOp::Prod => Binary::Mul,
        ReduceOp::Min => Binary::Min,
        ReduceOp::Max => Binary::Max,
        ReduceOp::Any => Binary::Or,
        ReduceOp::All => Binary::And,
    };
    super::scalar::binary(e, op, class, a, b)?.ok_or_else(|| format!("`{}` of class {}", op.name(), class.name()))
}

/// What changes nothing, as `megha_base::tree::reference` is given it.
fn identity(op: ReduceOp, class: Class) -> Result<Operand, String> {
    let ty = register(class)?;
    let kind = Kind::of(class);
    let (min, max) = kind.map_or((i64::MIN, i64::MAX), |k| (k.min(), k.max()));
    Ok(match (op, ty.is_float()) {
        (ReduceOp::Sum, true) => float(ty, 0.0),
        (ReduceOp::Prod, true) => float(ty, 1.0),
        (ReduceOp::Min | ReduceOp::Max, true) => float(ty, f64::NAN),
        (ReduceOp::Sum | ReduceOp::Any, _) => Operand::Int(0),
        (ReduceOp::Prod | ReduceOp::All, _) => Operand::Int(1),
        (ReduceOp::Min, _) => Operand::Int(max),
        (ReduceOp::Max, _) => Operand::Int(min),
    })
}

/// The reductions of a kernel.
fn reductions(source: &Source<'_>) -> Result<Vec<Reduction>, String> {
    let mut list = Vec::new();
    for (out, kind) in source.kernel.outs.iter().enumerate() {
        if let Out::Reduce(op, _) = kind {
            let class = source.func.ty(source.stmt.results[out]).class;
            list.push(Reduction { out, op: *op, class, element: element(class)?, ty: register(class)? });
        }
    }
    Ok(list)
}

/// The loops of a kernel that reduces, for an order of memory.
fn loops(source: &Source<'_>, memory: Memory) -> Result<Option<Loops>, String> {
    let mut axes =
        source.kernel.outs.iter().filter_map(|o| if let Out::Reduce(_, axes) = o { Some(axes) } else { None });
    let Some(first) = axes.next() else { return Ok(None) };
    if axes.any(|other| other != first) {
        return Err("reductions along different loops".into());
    }
    let is_long = |axis: &usize| !source.kernel.domain[*axis].is_one();
    let all = (0..source.kernel.domain.len()).filter(is_long);
    let (reduced, mut kept): (Vec<usize>, Vec<usize>) = all.partition(|axis| first.contains(axis));
    if memory == Memory::RowMajor {
        kept.reverse();
    }
    Ok(Some(Loops { reduced, kept }))
}

impl Entry<'_, '_> {
    /// The first entry of a kernel that reduces; `None` if it does not.
    ///
    /// # Errors
    /// An operation without PTX, reductions along different loops.
    pub fn reduction(&mut self) -> Result<Option<Grid>, String> {
        let Some(loops) = loops(self.source, self.memory)? else { return Ok(None) };
        let reductions = reductions(self.source)?;
        let outermost = self.loop_order().first().copied();
        if outermost.is_some() && outermost == loops.kept.first().copied() {
            return self.neighbours(&loops, &reductions).map(Some);
        }
        self.lanes(&loops, &reductions).map(Some)
    }

    /// A warp for each chunk.
    fn lanes(&mut self, loops: &Loops, reductions: &[Reduction]) -> Result<Grid, String> {
        let (points, elements) = (self.extent(&loops.kept), self.extent(&loops.reduced));
        let (count, extent) = (self.short_size(&points)?, self.short_size(&elements)?);
        let lane = self.special(Special::Tid(Axis::X));
        let along = self.grid_stride(Axis::X, Axis::Y);
        let across = self.grid_stride(Axis::Y, Axis::Z);
        let chunks = self.chunks(extent);
        self.walk(&along, count, &mut |entry, point| {
            entry.take_apart(point, &loops.kept)?;
            entry.walk(&across, chunks, &mut |entry, chunk| {
                let (first, last) = entry.chunk(chunk, extent);
                let first = entry.e.arith(Arith::Add, Ty::U32, &[first, lane]);
                let sums = entry.open_sums(reductions)?;
                entry.elements(first, last, &loops.reduced)?;
                for (reduction, sum) in reductions.iter().zip(&sums) {
                    entry.fold_warp(reduction, *sum)?;
                }
                let is_first = entry.e.compare(Compare::Eq, Ty::U32, lane, Operand::Int(0));
                entry.store_partials(reductions, &sums, is_first, chunk, count, point)
            })
        })?;
        Ok(Grid::Lanes { points: expression(&points), elements: expression(&elements) })
    }

    /// Neighbouring results side by side. Loops that meet a barrier run alike in all threads of a block.
    fn neighbours(&mut self, loops: &Loops, reductions: &[Reduction]) -> Result<Grid, String> {
        let (across, others) = loops.kept.split_at(1);
        let (x, z, elements) = (self.extent(across), self.extent(others), self.extent(&loops.reduced));
        let (width, depth, extent) = (self.short_size(&x)?, self.short_size(&z)?, self.short_size(&elements)?);
        let [column, row] = [Special::Tid(Axis::X), Special::Tid(Axis::Y)].map(|s| self.special(s));
        let [side, chunked, deep] = [(Axis::X, LANES as i64), (Axis::Y, 1), (Axis::Z, 1)].map(|(axis, by)| {
            let [start, step] = [Special::Ctaid(axis), Special::Nctaid(axis)].map(|s| self.special(s));
            let [start, step] = [start, step].map(|n| self.e.arith(Arith::Mul, Ty::U32, &[n, Operand::Int(by)]));
            Stride { start, step }
        });
        let chunks = self.chunks(extent);
        let meeting: Vec<SharedArray> =
            reductions.iter().map(|r| self.e.shared(WARPS as u64 * LANES as u64 * shared_type(r.ty).bytes())).collect();
        self.walk(&side, width, &mut |entry, base| {
            let at = entry.e.arith(Arith::Add, Ty::U32, &[base, column]);
            let inside = entry.e.compare(Compare::Lt, Ty::U32, at, width);
            entry.walk(&deep, depth, &mut |entry, number| {
                entry.numbers[across[0]] = at;
                entry.take_apart(number, others)?;
                let before = entry.e.arith(Arith::Mul, Ty::U32, &[number, width]);
                let point = entry.e.arith(Arith::Add, Ty::U32, &[before, at]);
                let count = entry.e.arith(Arith::Mul, Ty::U32, &[width, depth]);
                entry.walk(&chunked, chunks, &mut |entry, chunk| {
                    let (first, last) = entry.chunk(chunk, extent);
                    let first = entry.e.arith(Arith::Add, Ty::U32, &[first, row]);
                    let sums = entry.quarter(reductions, &loops.reduced, inside, first, last)?;
                    entry.meet(reductions, &meeting, &sums, row, column)?;
                    let top = entry.e.compare(Compare::Eq, Ty::U32, row, Operand::Int(0));
                    let mine = entry.e.and(top, inside);
                    entry.store_partials(reductions, &sums, mine, chunk, count, point)?;
                    entry.e.push(Inst::Barrier);
                    Ok(())
                })
            })
        })?;
        Ok(Grid::Neighbours { x: expression(&x), z: expression(&z), elements: expression(&elements) })
    }

    /// Four lanes of a thread, 8 apart: those 16 apart combine first, as the fold of lanes has it.
    fn quarter(
        &mut self,
        reductions: &[Reduction],
        reduced: &[usize],
        inside: Operand,
        first: Operand,
        last: Operand,
    ) -> Result<Vec<Reg>, String> {
        let [pairs, quads] = [0, 1].map(|_| reductions.iter().map(|r| self.e.reg(r.ty.bank())).collect::<Vec<_>>());
        for (reduction, (pair, quad)) in reductions.iter().zip(pairs.iter().zip(&quads)) {
            let identity = identity(reduction.op, reduction.class)?;
            self.e.assign(reduction.ty, *pair, identity);
            self.e.assign(reduction.ty, *quad, identity);
        }
        let pass = |step: i64| Stride { start: Operand::Int(0), step: Operand::Int(step) };
        self.walk(&pass(WARPS), Operand::Int(2 * WARPS), &mut |entry, low| {
            entry.walk(&pass(2 * WARPS), Operand::Int(4 * WARPS), &mut |entry, high| {
                let lane = entry.e.arith(Arith::Add, Ty::U32, &[low, high]);
                let from = entry.e.arith(Arith::Add, Ty::U32, &[first, lane]);
                let until = entry.e.select(Ty::U32, inside, last, Operand::Int(0));
                let sums = entry.open_sums(reductions)?;
                entry.elements(from, until, reduced)?;
                entry.take(reductions, &pairs, &sums, high)
            })?;
            entry.take(reductions, &quads, &pairs, low)
        })?;
        Ok(quads)
    }

    /// Takes the values as they are in the first pass of a loop, and combines with them afterwards.
    fn take(&mut self, reductions: &[Reduction], to: &[Reg], from: &[Reg], pass: Operand) -> Result<(), String> {
        self.e.open();
        for (reduction, (to, from)) in reductions.iter().zip(to.iter().zip(from)) {
            let both = combine(&mut self.e, reduction.op, reduction.class, (*to).into(), (*from).into())?;
            let is_first = self.e.compare(Compare::Eq, Ty::U32, pass, Operand::Int(0));
            let value = self.e.select(reduction.ty, is_first, (*from).into(), both);
            self.e.assign(reduction.ty, *to, value);
        }
        self.e.close();
        Ok(())
    }

    /// The values of the eight warps, combined in the first one.
    fn meet(
        &mut self,
        reductions: &[Reduction],
        meeting: &[SharedArray],
        sums: &[Reg],
        row: Operand,
        column: Operand,
    ) -> Result<(), String> {
        let mut at = Vec::new();
        for ((reduction, array), sum) in reductions.iter().zip(meeting).zip(sums) {
            let ty = shared_type(reduction.ty);
            let start = self.e.pure(Bank::B32, |dst| Inst::SharedAddress { dst, array: *array });
            let rows = self.e.arith(Arith::Mul, Ty::U32, &[row, Operand::Int(LANES as i64)]);
            let number = self.e.arith(Arith::Add, Ty::U32, &[rows, column]);
            let bytes = self.e.arith(Arith::Mul, Ty::U32, &[number, Operand::Int(ty.bytes() as i64)]);
            let address = self.e.arith(Arith::Add, Ty::U32, &[start.into(), bytes]);
            let base = self.e.in_reg(Ty::U32, address);
            let value = match reduction.ty {
                Ty::Pred => self.e.select(Ty::U32, (*sum).into(), Operand::Int(1), Operand::Int(0)),
                _ => (*sum).into(),
            };
            self.e.push(Inst::Store { space: Space::Shared, ty, base, offset: 0, value });
            at.push(base);
        }
        self.e.push(Inst::Barrier);
        for ((reduction, base), sum) in reductions.iter().zip(at).zip(sums) {
            self.fold_shared(reduction, base, *sum)?;
        }
        Ok(())
    }

    /// Folds the rows of a column of shared memory; only the first row's result counts, and its threads alone read all rows.
    fn fold_shared(&mut self, reduction: &Reduction, base: Reg, sum: Reg) -> Result<(), String> {
        let ty = shared_type(reduction.ty);
        let row = self.special(Special::Tid(Axis::Y));
        let top = self.e.compare(Compare::Eq, Ty::U32, row, Operand::Int(0));
        let skip = self.e.label();
        self.e.jump_if(top, false, skip);
        self.e.open();
        let mut values = Vec::new();
        for k in 0..WARPS {
            let dst = self.e.reg(ty.bank());
            let offset = k * LANES as i64 * ty.bytes() as i64;
            self.e.push(Inst::Load { space: Space::Shared, ty, dst, base, offset });
            values.push(match reduction.ty {
                Ty::Pred => self.e.compare(Compare::Ne, Ty::U32, dst.into(), Operand::Int(0)),
                _ => dst.into(),
            });
        }
        while values.len() > 1 {
            let upper = values.split_off(values.len() / 2);
            for (low, high) in values.iter_mut().zip(upper) {
                *low = combine(&mut self.e, reduction.op, reduction.class, *low, high)?;
            }
        }
        self.e.assign(reduction.ty, sum, values[0]);
        self.e.close();
        self.e.place(skip);
        Ok(())
    }

    /// The number of chunks: at least one.
    fn chunks(&mut self, extent: Operand) -> Operand {
        let least = self.e.arith(Arith::Max, Ty::U32, &[extent, Operand::Int(1)]);
        let last = self.e.arith(Arith::Add, Ty::U32, &[least, Operand::Int(CHUNK as i64 - 1)]);
        let shift = Operand::Int(CHUNK.trailing_zeros().into());
        match last {
            Operand::Int(last) => Operand::Int(last >> CHUNK.trailing_zeros()),
            last => self.e.arith(Arith::Shr, Ty::U32, &[last, shift]),
        }
    }

    /// The first element of a chunk, and the one behind its last.
    fn chunk(&mut self, chunk: Operand, extent: Operand) -> (Operand, Operand) {
        let first = self.e.arith(Arith::Mul, Ty::U32, &[chunk, Operand::Int(CHUNK as i64)]);
        let end = self.e.arith(Arith::Add, Ty::U32, &[first, Operand::Int(CHUNK as i64)]);
        (first, self.e.arith(Arith::Min, Ty::U32, &[end, extent]))
    }

    /// Registers of the sums of one lane, which begin with nothing.
    fn open_sums(&mut self, reductions: &[Reduction]) -> Result<Vec<Reg>, String> {
        let mut sums = Vec::new();
        for reduction in reductions {
            let reg = self.e.reg(reduction.ty.bank());
            self.e.assign(reduction.ty, reg, identity(reduction.op, reduction.class)?);
            self.accumulators.insert(reduction.out, reg);
            sums.push(reg);
        }
        Ok(sums)
    }

    /// The elements of one lane: the body for every 32nd element from the first to below the last.
    fn elements(&mut self, first: Operand, last: Operand, reduced: &[usize]) -> Result<(), String> {
        let digits = if reduced.len() > 1 { Some(self.digits(first, LANES as i64, reduced)?) } else { None };
        let walk = Stride { start: first, step: Operand::Int(LANES as i64) };
        self.walk(&walk, last, &mut |entry, number| {
            if let [axis] = reduced {
                entry.numbers[*axis] = number;
            }
            entry.body()?;
            let next = entry.next;
            entry.e.place(next);
            if let Some(digits) = &digits {
                entry.e.open();
                entry.advance(digits)?;
                entry.e.close();
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
        let word = |e: &mut Emitter, a: Reg| {
            let dst = e.reg(Bank::B32);
            e.push(Inst::ShuffleDown { dst, a, offset });
            dst
        };
        let e = &mut self.e;
        match ty {
            Ty::Pred => {
                let bit = e.select(Ty::U32, value, Operand::Int(1), Operand::Int(0));
                let bit = e.in_reg(Ty::U32, bit);
                let moved = word(e, bit);
                e.compare(Compare::Ne, Ty::U32, moved.into(), Operand::Int(0))
            }
            ty if ty.bytes() == 4 => {
                let bits = if ty == Ty::F32 { e.reinterpret(Ty::U32, value) } else { value };
                let bits = e.in_reg(Ty::U32, bits);
                let moved = word(e, bits).into();
                if ty == Ty::F32 { e.reinterpret(Ty::F32, moved) } else { moved }
            }
            ty => {
                let bits = if ty == Ty::F64 { e.reinterpret(Ty::S64, value) } else { value };
                let a = e.in_reg(Ty::S64, bits);
                let [low, high] = [0, 1].map(|_| e.reg(Bank::B32));
                e.push(Inst::Split { low, high, a });
                let (low, high) = (word(e, low), word(e, high));
                let moved = e.pure(Bank::B64, |dst| Inst::Join { dst, low, high }).into();
                if ty == Ty::F64 { e.reinterpret(Ty::F64, moved) } else { moved }
            }
        }
    }

    /// Stores the partial results of a chunk where the condition holds.
    fn store_partials(
        &mut self,
        reductions: &[Reduction],
        sums: &[Reg],
        mine: Operand,
        chunk: Operand,
        count: Operand,
        point: Operand,
    ) -> Result<(), String> {
        let skip = self.e.label();
        self.e.jump_if(mine, false, skip);
        self.e.open();
        let before = self.e.arith(Arith::Mul, Ty::U32, &[chunk, count]);
        let number = self.e.arith(Arith::Add, Ty::U32, &[before, point]);
        for (reduction, sum) in reductions.iter().zip(sums) {
            let base = self.partials(reduction.out);
            let (base, offset) = self.nth(base, reduction.element, number)?;
            self.store_element(reduction.element, base, offset, (*sum).into());
        }
        self.e.close();
        self.e.place(skip);
        Ok(())
    }

    /// The second entry: the partial results of each point, combined in order.
    ///
    /// # Errors
    /// Reductions along different loops.
    pub fn combination(&mut self) -> Result<Grid, String> {
        let Some(loops) = loops(self.source, self.memory)? else { return Err("nothing is reduced".into()) };
        let (points, elements) = (self.extent(&loops.kept), self.extent(&loops.reduced));
        let (count, extent) = (self.short_size(&points)?, self.short_size(&elements)?);
        let chunks = self.chunks(extent);
        let walk = self.grid_stride(Axis::X, Axis::X);
        let reductions = reductions(self.source)?;
        self.walk(&walk, count, &mut |entry, point| {
            for reduction in &reductions {
                let (partials, element) = (entry.partials(reduction.out), reduction.element);
                let sum = entry.e.reg(reduction.ty.bank());
                let (base, offset) = entry.nth(partials, element, point)?;
                let first = entry.load_element(Space::Global, element, base, offset);
                entry.e.assign(reduction.ty, sum, first);
                let rest = Stride { start: Operand::Int(1), step: Operand::Int(1) };
                entry.walk(&rest, chunks, &mut |entry, chunk| {
                    let before = entry.e.arith(Arith::Mul, Ty::U32, &[chunk, count]);
                    let number = entry.e.arith(Arith::Add, Ty::U32, &[before, point]);
                    let (base, offset) = entry.nth(partials, element, number)?;
                    let value = entry.load_element(Space::Global, element, base, offset);
                    let both = combine(&mut entry.e, reduction.op, reduction.class, sum.into(), value)?;
                    entry.e.assign(reduction.ty, sum, both);
                    Ok(())
                })?;
                let result = entry.array(reduction.out);
                let (base, offset) = entry.nth(result, element, point)?;
                entry.store_element(element, base, offset, sum.into());
            }
            Ok(())
        })?;
        Ok(Grid::Combine(expression(&points)))
    }
}

/// What a value is in shared memory.
fn shared_type(ty: Ty) -> Ty {
    match ty {
        Ty::F64 | Ty::F32 => ty,
        ty if ty.bank() == Bank::B64 => Ty::B64,
        _ => Ty::B32,
    }
}
