//! Variance: with which loops of the domain a value varies, and so from thread to thread (Chakrabarti and others, CUDA: Compiling and Optimizing for a GPU
//! Platform, 2012, section 3.2, after Stratton and others).
//!
//! The paper marks what is made of thread numbers, data and control alike. Here it is asked the other way round, from a value to what it is made of, and the
//! answer is finer: the iteration numbers that it takes, so that a value may vary along one loop and be the same along another, whichever of them lies along threads.
//! What is read from memory, and what branches and loops join or carry, counts as varying with everything, but for counters of loops whose number of iterations is a
//! function of the iteration numbers. Parameters of the function, sizes and constants vary with nothing.
//!
//! Whoever lets several points share something asks here: tiles and halos for what is read once for all points ([`crate::schedule::tiles`],
//! [`crate::schedule::halos`]), lines for what each has of its own ([`crate::schedule::lines`]), panels and windows for a processor. A loop of the body is the same at all
//! points if its number of iterations is ([`crate::schedule::BodyLoop::is_uniform`]); only in such a one tiles have barriers.

use super::Maps;
use crate::ir::{Op, Value};
use crate::schedule::axes::Axes;

impl Maps<'_> {
    /// Whether the value is the same in all iterations and computed without memory: from constants, sizes, scalars of the function
    /// and counters of loops.
    pub fn is_uniform(&self, value: Value) -> bool {
        self.numbers_in(value) == Some(Axes::default())
    }

    /// The loops of whose iteration numbers the value is made, if of nothing else that differs from point to point and without memory.
    pub fn numbers_in(&self, value: Value) -> Option<Axes> {
        if self.counters.contains(&value) {
            return Some(Axes::default());
        }
        if let Some(axis) = self.number(value) {
            return Axes::of(axis);
        }
        if self.joined.contains(&value) {
            return None;
        }
        let Some(op) = self.def(value) else { return Some(Axes::default()) };
        let pure = matches!(
            op,
            Op::Const(_) | Op::Size(_) | Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Fma(..) | Op::Convert(_)
        );
        let mut all = pure.then(Axes::default);
        op.for_each_operand(&mut |v| all = all.and_then(|all| Some(all.and(self.numbers_in(v)?))));
        all
    }

    /// Whether the value is the counter of such a loop.
    pub fn is_counter(&self, value: Value) -> bool {
        self.counters.contains(&value)
    }

    /// The counters of loops that a uniform value is made of.
    pub fn counters_in(&self, value: Value, out: &mut Vec<Value>) {
        if self.is_counter(value) {
            out.push(value);
        } else if let Some(op) = self.def(value) {
            op.for_each_operand(&mut |v| self.counters_in(v, out));
        }
    }
}
