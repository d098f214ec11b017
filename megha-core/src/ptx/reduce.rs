//! Reductions by the fixed tree (`megha_base::tree`): few elements in the plain order; of more, chunks of the reduced extent, lanes in a
//! chunk, lanes folded in halves, chunks by lanes again.
//!
//! Many threads compute the contributions, while only one may add up those of a lane. *Lanes* (`warps`): the warps of a block compute the
//! contributions to a result into shared memory, and the first of them adds them up. *Neighbours* (`neighbours`): the threads of a block take
//! the lanes of neighbouring results, so that they read neighbouring elements.

mod contributions;
mod finish;
mod in_row;
mod neighbours;
mod warps;

use super::class::{element, register};
use super::emit::Emitter;
use super::entry::{Entry, Source};
use super::grid::Stride;
use super::inst::{Arith, Axis, Bank, Compare, Inst, Operand, Reg, SharedArray, Space, Special, Ty};
use super::integer::Kind;
use super::scalar::float;
use super::scheduled::Reduced;
use crate::ir::{Class, Out, ReduceOp};
use megha_base::plan::{Bound, Element, Grid};
use megha_base::tree::{CHUNK, LANES};

/// A reduction of a kernel.
#[derive(Clone, Copy)]
struct Reduction {
    out: usize,
    op: ReduceOp,
    class: Class,
    element: Element,
    ty: Ty,
}

/// The reductions of a kernel, and its loops.
struct Nest {
    reductions: Vec<Reduction>,
    /// The loops that are reduced, first axis first.
    reduced: Vec<usize>,
    /// The others, fastest in the results' memory first.
    kept: Vec<usize>,
}

pub use in_row::Room;

/// What several elements contribute, one after the other: a value for each reduction.
type Values = Vec<Vec<Operand>>;

/// Combines two values.
///
/// # Errors
/// The operation is not defined on the class.
pub fn combine(e: &mut Emitter, op: ReduceOp, class: Class, a: Operand, b: Operand) -> Result<Operand, String> {
    super::scalar::binary(e, op.binary(), class, a, b)?
        .ok_or_else(|| format!("`{}` of class {}", op.name(), class.name()))
}

/// What changes nothing, as `megha_base::tree::reference` is given it.
///
/// # Errors
/// A class that devices do not have.
pub fn identity(op: ReduceOp, class: Class) -> Result<Operand, String> {
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

impl Nest {
    /// The reductions of a kernel with these loops.
    fn of(source: &Source<'_>, loops: &Reduced) -> Result<Self, String> {
        let (mut reductions, mut along) = (Vec::new(), None);
        for (out, kind) in source.subject.kernel.outs.iter().enumerate() {
            let Out::Reduce(op, axes) = kind else { continue };
            if along.is_some_and(|other| other != axes) {
                return Err("reductions along different loops".into());
            }
            along = Some(axes);
            let class = source.subject.func.ty(source.subject.stmt.results[out]).class;
            reductions.push(Reduction { out, op: *op, class, element: element(class)?, ty: register(class)? });
        }
        Ok(Self { reductions, reduced: loops.reduced.clone(), kept: loops.kept.clone() })
    }
}

impl Entry<'_, '_> {
    /// The first entry of a kernel that reduces, by the warps of blocks or by neighbours.
    ///
    /// # Errors
    /// An operation without PTX, reductions along different loops.
    pub fn reduction(&mut self, loops: &Reduced, across: bool) -> Result<Grid, String> {
        let nest = Nest::of(self.source, loops)?;
        if across { self.neighbours(&nest, loops.ahead, false) } else { self.warps(&nest, loops.ahead, false) }
    }

    /// The entry that does the work of both: the last of the blocks that share results combines them.
    ///
    /// # Errors
    /// An operation without PTX, reductions along different loops.
    pub fn finished_reduction(&mut self, loops: &Reduced, across: bool) -> Result<Grid, String> {
        let nest = Nest::of(self.source, loops)?;
        if across { self.neighbours(&nest, loops.ahead, true) } else { self.warps(&nest, loops.ahead, true) }
    }

    /// The second entry: the partial results of each point, combined by lanes.
    ///
    /// # Errors
    /// Reductions along different loops.
    pub fn combination(&mut self, loops: &Reduced) -> Result<Grid, String> {
        let nest = Nest::of(self.source, loops)?;
        self.warps_of_partials(&nest, loops.combine)
    }

    /// Whether so many elements are combined in the plain order.
    fn is_plain(&mut self, extent: Operand) -> Operand {
        self.e.compare(Compare::Le, Ty::U32, extent, Operand::Int(LANES as i64))
    }

    /// How many results there are in the whole kernel, and of how many elements each.
    fn sizes(&mut self, nest: &Nest) -> Result<(Operand, Operand), String> {
        let (points, elements) = (self.extent(&nest.kept), self.extent(&nest.reduced));
        Ok((self.short_size(&points)?, self.short_size(&elements)?))
    }

    /// The number of a chunk, given its number in the part.
    fn chunk_of_part(&mut self, number: Operand) -> Operand {
        let first = self.bound(Bound::FirstChunk);
        self.e.arith(Arith::Add, Ty::U32, &[number, first])
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
    fn chunk(&mut self, chunk: Operand, extent: Operand) -> [Operand; 2] {
        let first = self.e.arith(Arith::Mul, Ty::U32, &[chunk, Operand::Int(CHUNK as i64)]);
        let end = self.e.arith(Arith::Add, Ty::U32, &[first, Operand::Int(CHUNK as i64)]);
        [first, self.e.arith(Arith::Min, Ty::U32, &[end, extent])]
    }

    /// The blocks along an axis of the grid, each of which takes `width` numbers.
    pub fn by_blocks(&mut self, axis: Axis, width: Operand) -> Stride {
        let [start, step] = [Special::Ctaid(axis), Special::Nctaid(axis)].map(|s| {
            let number = self.special(s);
            self.e.arith(Arith::Mul, Ty::U32, &[number, width])
        });
        Stride { start, step }
    }

    /// A number, and whether it is below a limit; 0 if not, so that what is computed of it can be thrown away.
    pub fn inside(&mut self, number: Operand, limit: Operand) -> (Operand, Operand) {
        let inside = self.e.compare(Compare::Lt, Ty::U32, number, limit);
        (self.e.select(Ty::U32, inside, number, Operand::Int(0)), inside)
    }

    /// Registers of sums, which begin with nothing.
    fn open_sums(&mut self, nest: &Nest) -> Result<Vec<Reg>, String> {
        let mut sums = Vec::new();
        for reduction in &nest.reductions {
            let reg = self.e.reg(reduction.ty.bank());
            self.e.assign(reduction.ty, reg, identity(reduction.op, reduction.class)?);
            sums.push(reg);
        }
        Ok(sums)
    }

    /// Combines values with the sums, in order.
    fn add_up(&mut self, nest: &Nest, sums: &[Reg], values: &[Vec<Operand>]) -> Result<(), String> {
        for (k, (reduction, sum)) in nest.reductions.iter().zip(sums).enumerate() {
            let mut total: Operand = (*sum).into();
            for value in values {
                total = combine(&mut self.e, reduction.op, reduction.class, total, value[k])?;
            }
            self.e.assign(reduction.ty, *sum, total);
        }
        Ok(())
    }

    /// Stores the sums where the condition holds: into the arrays themselves, or as partial results.
    fn store_sums(
        &mut self,
        nest: &Nest,
        sums: &[Reg],
        mine: Operand,
        address: impl Fn(&mut Self, &Reduction) -> Result<(Reg, i64), String>,
    ) -> Result<(), String> {
        self.when(mine, &mut |entry| {
            for (reduction, sum) in nest.reductions.iter().zip(sums) {
                let (base, offset) = address(entry, reduction)?;
                entry.store_element(reduction.element, base, offset, (*sum).into());
            }
            Ok(())
        })
    }

    /// The address of a partial result.
    fn partial(&mut self, reduction: &Reduction, [chunk, count, point]: [Operand; 3]) -> Result<(Reg, i64), String> {
        let base = self.partials(reduction.out);
        let before = self.e.arith(Arith::Mul, Ty::U32, &[chunk, count]);
        let number = self.e.arith(Arith::Add, Ty::U32, &[before, point]);
        self.nth(base, reduction.element, number)
    }

    /// The address of element `number` of a shared array.
    pub fn shared_at(&mut self, array: SharedArray, ty: Ty, number: Operand) -> Reg {
        let start = self.e.pure(Bank::B32, |dst| Inst::SharedAddress { dst, array });
        let bytes = self.e.arith(Arith::Mul, Ty::U32, &[number, Operand::Int(shared_type(ty).bytes() as i64)]);
        let address = self.e.arith(Arith::Add, Ty::U32, &[start.into(), bytes]);
        self.e.in_reg(Ty::U32, address)
    }

    /// An element of shared memory.
    pub fn load_shared(&mut self, ty: Ty, base: Reg, offset: i64) -> Operand {
        let held = shared_type(ty);
        let dst = self.e.reg(held.bank());
        self.e.push(Inst::Load { space: Space::Shared, ty: held, dst, base, offset });
        match ty {
            Ty::Pred => self.e.compare(Compare::Ne, Ty::U32, dst.into(), Operand::Int(0)),
            _ => dst.into(),
        }
    }

    /// An element to shared memory.
    pub fn store_shared(&mut self, ty: Ty, base: Reg, offset: i64, value: Operand) {
        let value = match ty {
            Ty::Pred => self.e.select(Ty::U32, value, Operand::Int(1), Operand::Int(0)),
            _ => value,
        };
        self.e.push(Inst::Store { space: Space::Shared, ty: shared_type(ty), base, offset, value });
    }
}

/// What a value is in shared memory.
pub fn shared_type(ty: Ty) -> Ty {
    match ty {
        Ty::F64 | Ty::F32 => ty,
        ty if ty.bank() == Bank::B64 => Ty::B64,
        _ => Ty::B32,
    }
}
