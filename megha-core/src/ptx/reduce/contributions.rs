//! What elements contribute: the body of the kernel for one element under a condition, or for several at once where it is light.

use super::super::entry::Entry;
use super::super::inst::{Arith, Compare, Operand, Space, Ty};
use super::{Nest, Values, identity};

/// Elements that a thread takes together: `first`, `first + step`, .. below `last`.
#[derive(Clone, Copy)]
pub struct Run {
    /// An element of the chunk, which stands for those behind the last: a buffer may hold nothing else of an array.
    pub spare: Operand,
    pub first: Operand,
    pub step: Operand,
    pub last: Operand,
}

impl Entry<'_, '_> {
    /// What a run of `ahead` elements contributes to each reduction, element by element.
    ///
    /// # Errors
    /// An operation without PTX.
    pub(super) fn contributions(&mut self, nest: &Nest, ahead: usize, run: Run) -> Result<Values, String> {
        if ahead == 1 { Ok(vec![self.contribution(nest, run)?]) } else { self.light_contributions(nest, ahead, run) }
    }

    /// What one element contributes, unless it is behind the last.
    fn contribution(&mut self, nest: &Nest, run: Run) -> Result<Vec<Operand>, String> {
        let sums = self.open_sums(nest)?;
        let inside = self.e.compare(Compare::Lt, Ty::U32, run.first, run.last);
        self.when(inside, &mut |entry| {
            entry.take_apart(run.first, &nest.reduced)?;
            entry.body()?;
            for (reduction, sum) in nest.reductions.iter().zip(&sums) {
                let value = entry.contributed(reduction.out)?;
                entry.e.assign(reduction.ty, *sum, value);
            }
            entry.e.place(entry.next);
            Ok(())
        })?;
        Ok(sums.into_iter().map(Operand::from).collect())
    }

    fn light_contributions(&mut self, nest: &Nest, ahead: usize, run: Run) -> Result<Values, String> {
        let steps = self.digits(run.step, &nest.reduced)?;
        let spare = self.digits(run.spare, &nest.reduced)?;
        let (mut at, mut digits) = (run.first, self.digits(run.first, &nest.reduced)?);
        let mut values = Vec::new();
        for k in 0..ahead {
            if k > 0 {
                at = self.e.arith(Arith::Add, Ty::U32, &[at, run.step]);
                digits = self.digits_of_sum(&digits, &steps, &nest.reduced)?;
            }
            let inside = self.e.compare(Compare::Lt, Ty::U32, at, run.last);
            for ((axis, digit), spare) in nest.reduced.iter().zip(&digits).zip(&spare) {
                self.numbers[*axis] = self.e.select(Ty::U32, inside, *digit, *spare);
            }
            self.body()?;
            let mut each = Vec::new();
            for reduction in &nest.reductions {
                let (value, nothing) = (self.contributed(reduction.out)?, identity(reduction.op, reduction.class)?);
                each.push(self.e.select(reduction.ty, inside, value, nothing));
            }
            values.push(each);
        }
        Ok(values)
    }

    fn contributed(&self, out: usize) -> Result<Operand, String> {
        self.contributions.get(&out).copied().ok_or_else(|| "an iteration contributes nothing".to_owned())
    }

    /// The partial results of a run of chunks.
    ///
    /// # Errors
    /// None that a verified module gives.
    pub(super) fn partial_results(
        &mut self,
        nest: &Nest,
        (ahead, space): (usize, Space),
        run: Run,
        [count, point]: [Operand; 2],
    ) -> Result<Values, String> {
        let (mut at, mut values) = (run.first, Vec::new());
        for k in 0..ahead {
            if k > 0 {
                at = self.e.arith(Arith::Add, Ty::U32, &[at, run.step]);
            }
            let (chunk, inside) = self.inside(at, run.last);
            let mut each = Vec::new();
            for reduction in &nest.reductions {
                let (base, offset) = self.partial(reduction, [chunk, count, point])?;
                let value = self.load_element(space, reduction.element, base, offset);
                let nothing = identity(reduction.op, reduction.class)?;
                each.push(self.e.select(reduction.ty, inside, value, nothing));
            }
            values.push(each);
        }
        Ok(values)
    }
}
