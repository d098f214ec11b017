//! Iterations on threads: loops over an axis of the grid, numbers taken apart into the digits of several loops, and element-wise kernels.
//!
//! A launch computes a part of the kernel (`megha_base::plan::Part`): threads count the iterations of the part, and a loop's number is that plus the
//! first of the part, so all that follows from it is as in the whole kernel.
//!
//! Numbers of iterations have 32 bits without a sign: a plan is launched only where all extents along the grid are below 2^31
//! (`megha_base::plan::KernelPlan::fits`), and a step is at most 2^28, so a counter that has passed its limit has not wrapped.

use super::entry::Entry;
use super::inst::{Arith, Axis, Bank, Compare, Inst, Operand, Special, Ty};
use super::scheduled::Points;
use crate::ir::Size;
use megha_base::plan::{Bound, Grid};

/// The counter of a loop whose iterations are `start`, `start + step`, .. below a limit.
pub struct Stride {
    /// The first.
    pub start: Operand,
    /// The distance.
    pub step: Operand,
}

impl Entry<'_, '_> {
    /// A special register.
    pub fn special(&mut self, from: Special) -> Operand {
        self.e.pure(Bank::B32, |dst| Inst::Special { dst, from }).into()
    }

    /// The product of two special registers.
    fn special_product(&mut self, a: Special, b: Special) -> Operand {
        let [a, b] = [a, b].map(|from| self.special(from));
        self.e.arith(Arith::Mul, Ty::U32, &[a, b])
    }

    /// The walk of a thread along an axis of the grid whose blocks are as wide as their `threads` axis.
    pub fn grid_stride(&mut self, blocks: Axis, threads: Axis) -> Stride {
        let first = self.special_product(Special::Ctaid(blocks), Special::Ntid(threads));
        let own = self.special(Special::Tid(threads));
        let start = self.e.arith(Arith::Add, Ty::U32, &[first, own]);
        Stride { start, step: self.special_product(Special::Nctaid(blocks), Special::Ntid(threads)) }
    }

    /// A loop over a walk below a limit.
    ///
    /// # Errors
    /// Those of the body.
    pub fn walk(
        &mut self,
        walk: &Stride,
        limit: Operand,
        body: &mut dyn FnMut(&mut Self, Operand) -> Result<(), String>,
    ) -> Result<(), String> {
        if limit == Operand::Int(1) && walk.start == Operand::Int(0) {
            return body(self, Operand::Int(0));
        }
        let counter = self.e.reg(Bank::B32);
        self.e.assign(Ty::U32, counter, walk.start);
        let (head, end) = (self.e.label(), self.e.label());
        self.e.place(head);
        self.e.open();
        let done = self.e.compare(Compare::Ge, Ty::U32, counter.into(), limit);
        self.e.jump_if(done, true, end);
        body(self, counter.into())?;
        let next = self.e.arith(Arith::Add, Ty::U32, &[counter.into(), walk.step]);
        self.e.assign(Ty::U32, counter, next);
        self.e.close();
        self.e.jump(head);
        self.e.place(end);
        Ok(())
    }

    /// What is done only where a condition holds.
    ///
    /// # Errors
    /// Those of the body.
    pub fn when(&mut self, cond: Operand, body: &mut dyn FnMut(&mut Self) -> Result<(), String>) -> Result<(), String> {
        let skip = self.e.label();
        self.e.jump_if(cond, false, skip);
        self.e.open();
        body(self)?;
        self.e.close();
        self.e.place(skip);
        Ok(())
    }

    /// The product of the extents of loops.
    pub fn extent(&self, axes: &[usize]) -> Size {
        axes.iter().fold(Size::constant(1), |n, axis| n.mul(&self.source.subject.kernel.domain[*axis]))
    }

    /// Sets the numbers of loops, the fastest first, from the number that counts their iterations together in the part.
    ///
    /// # Errors
    /// A size that is not known.
    pub fn take_apart(&mut self, number: Operand, loops: &[usize]) -> Result<(), String> {
        let mut extents = Vec::new();
        for at in &loops[..loops.len().saturating_sub(1)] {
            extents.push(self.count(&[*at]));
        }
        let digits = self.digits_by(number, &extents);
        for (at, digit) in loops.iter().zip(digits) {
            let first = self.bound(Bound::First(*at));
            self.numbers[*at] = self.e.arith(Arith::Add, Ty::U32, &[digit, first]);
        }
        Ok(())
    }

    /// The digits of a number that counts several loops, the fastest first.
    ///
    /// # Errors
    /// A size that is not known.
    pub fn digits(&mut self, number: Operand, axes: &[usize]) -> Result<Vec<Operand>, String> {
        if axes.is_empty() {
            return Ok(Vec::new());
        }
        let mut extents = Vec::new();
        for axis in &axes[..axes.len() - 1] {
            let extent = self.short_size(&self.source.subject.kernel.domain[*axis])?;
            // An empty loop has no digits, but a thread may take a number apart before it sees that there is nothing to do.
            extents.push(self.e.arith(Arith::Max, Ty::U32, &[extent, Operand::Int(1)]));
        }
        Ok(self.digits_by(number, &extents))
    }

    /// The digits of a number to these bases, the fastest first, and what is left.
    fn digits_by(&mut self, number: Operand, extents: &[Operand]) -> Vec<Operand> {
        let (mut rest, mut digits) = (number, Vec::new());
        for extent in extents {
            digits.push(self.e.arith(Arith::Rem, Ty::U32, &[rest, *extent]));
            rest = self.e.arith(Arith::Div, Ty::U32, &[rest, *extent]);
        }
        digits.push(rest);
        digits
    }

    /// The number of a result among all of the kernel, its loops' numbers being set; the fastest first.
    ///
    /// # Errors
    /// A size that is not known.
    pub fn result(&mut self, loops: &[usize]) -> Result<Operand, String> {
        let mut number = Operand::Int(0);
        for (k, at) in loops.iter().enumerate() {
            let stride = self.short_size(&self.extent(&loops[..k]))?;
            let away = self.e.arith(Arith::Mul, Ty::U32, &[self.numbers[*at], stride]);
            number = self.e.arith(Arith::Add, Ty::U32, &[away, number]);
        }
        Ok(number)
    }

    /// The digits of a sum, without a division.
    ///
    /// # Errors
    /// A size that is not known.
    pub fn digits_of_sum(&mut self, a: &[Operand], b: &[Operand], axes: &[usize]) -> Result<Vec<Operand>, String> {
        let (mut carry, mut digits) = (Operand::Int(0), Vec::new());
        for (k, axis) in axes.iter().enumerate() {
            let both = self.e.arith(Arith::Add, Ty::U32, &[a[k], b[k]]);
            let both = self.e.arith(Arith::Add, Ty::U32, &[both, carry]);
            if k + 1 == axes.len() {
                digits.push(both);
                break;
            }
            let extent = self.short_size(&self.source.subject.kernel.domain[*axis])?;
            let over = self.e.compare(Compare::Ge, Ty::U32, both, extent);
            let wrapped = self.e.arith(Arith::Sub, Ty::U32, &[both, extent]);
            digits.push(self.e.select(Ty::U32, over, wrapped, both));
            carry = self.e.select(Ty::U32, over, Operand::Int(1), Operand::Int(0));
        }
        Ok(digits)
    }

    /// An element-wise kernel.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn points(&mut self, Points { nest, unrolled }: &Points) -> Result<Grid, String> {
        let along =
            |axis: Axis| nest.iter().find(|(at, _)| *at == axis).map_or_else(Vec::new, |(_, list)| list.clone());
        self.unrolled.clone_from(unrolled);
        self.nest(nest)?;
        Ok(Grid::Points([Axis::X, Axis::Y, Axis::Z].map(along)))
    }

    /// The loops from the outermost inwards.
    fn nest(&mut self, nest: &[(Axis, Vec<usize>)]) -> Result<(), String> {
        let Some(((axis, list), inner)) = nest.split_first() else {
            self.body()?;
            let next = self.next;
            self.e.place(next);
            return Ok(());
        };
        let walk = self.grid_stride(*axis, *axis);
        let limit = self.count(list);
        self.walk(&walk, limit, &mut |entry, number| {
            entry.take_apart(number, list)?;
            entry.nest(inner)
        })
    }
}
