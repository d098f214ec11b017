//! Kernels: perfect nests of parallel loops with a scalar body.

use super::entity::Value;
use super::op::{Op, ReduceOp};
use super::size::Size;
use super::{Region, Stmt, Terminator};

/// A perfect nest of DOALL loops. See the IR's header for the rules of its body.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// A number, unique in the function, for explanations.
    pub id: u32,
    /// The extent of each loop; the body's parameters are the iteration numbers, in the same order.
    pub domain: Vec<Size>,
    /// One for each result of the statement.
    pub outs: Vec<Out>,
    /// What one iteration does. Ends in an empty `Yield`.
    pub body: Region,
}

/// An out-variable of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Out {
    /// A new array; each element is stored by exactly one iteration.
    Fresh,
    /// This array, of which some elements are stored.
    Update(Value),
    /// The contributions combined along these axes of the domain, given in increasing order. The result's sizes are the domain's with ones at
    /// the axes. The order of combination is fixed, whatever runs the kernel: contributions are numbered along the reduced
    /// axes, first axis fastest. Up to 32 combine one after the other. Of more, chunks of `megha_rt`'s fixed length hold 32 lanes, number
    /// k going to lane k mod 32 in order; the lanes of a chunk combine by a binary tree (lane l with l+16, then l+8, 4, 2, 1); then
    /// the chunks likewise, by lanes.
    Reduce(ReduceOp, Vec<usize>),
}

/// What a load reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mem {
    /// An array of the enclosing function.
    In(Value),
    /// The current state of an out-variable.
    Out(usize),
}

/// A condition around all that a kernel does.
#[derive(Debug, Clone, Copy)]
pub struct Guard<'k> {
    /// What it is computed by: scalar statements without effect.
    pub before: &'k [Stmt],
    /// The condition.
    pub cond: Value,
    /// What the iterations do for which it holds; the others do nothing.
    pub then: &'k Region,
}

impl Kernel {
    /// The guard, if the body has one. It makes a domain of any shape of the box that `domain` is: what it leaves out is not touched.
    pub fn guard(&self) -> Option<Guard<'_>> {
        let (last, before) = self.body.stmts.split_last()?;
        let Op::If { cond, then, els } = &last.op else { return None };
        let computes =
            |stmt: &Stmt| stmt.op.regions().is_empty() && !stmt.op.has_effect() && !matches!(stmt.op, Op::Load(..));
        let whole = last.results.is_empty()
            && els.stmts.is_empty()
            && matches!(els.term, Terminator::Yield(_))
            && matches!(then.term, Terminator::Yield(_))
            && before.iter().all(computes)
            && !self.outs.iter().any(|out| matches!(out, Out::Reduce(..)));
        whole.then_some(Guard { before, cond: *cond, then })
    }
}

impl Out {
    /// The array that an update starts from.
    pub fn updated(&self) -> Option<Value> {
        match self {
            Self::Update(v) => Some(*v),
            Self::Fresh | Self::Reduce(..) => None,
        }
    }

    /// The array that an update starts from, to be rewritten.
    pub fn updated_mut(&mut self) -> Option<&mut Value> {
        match self {
            Self::Update(v) => Some(v),
            Self::Fresh | Self::Reduce(..) => None,
        }
    }
}
