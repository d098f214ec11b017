//! Reads of a loop in a kernel's body that find the same element in each of its iterations, and may stand in front of it where it has one.
//!
//! ```text
//! for j { a = x[i]; b = x[j]; .. }    =>    if there is an iteration { a = x[i]; for j { b = x[j]; .. } }
//! ```
//! A body with `break`, checks or inner loops may end an iteration early. So only what stands before the first statement that can is moved: the first
//! iteration would have read it too (Knoop, Rüthing, Steffen, "Lazy Code Motion", 1992, call such a place down-safe). The CPU leaves this to LLVM.

use super::ahead::{early, words};
use super::subject::Subject;
use crate::hash::HashSet;
use crate::ir::{Kind, Mem, Op, Region, Stmt};

/// The most registers of 32 bits that hold such elements while the loop runs.
const WORDS: u32 = 24;

/// The reads in the order of the program, each behind the statements that its address takes.
pub fn invariant<'f>(subject: &Subject<'_>, body: &'f Region) -> Vec<&'f Stmt> {
    let mut inside = HashSet::default();
    body.defined(&mut inside);
    let is_stored = |out: usize| body.any(|op| matches!(op, Op::Put(to, ..) | Op::Accumulate(to, _) if *to == out));
    let is_same = |stmt: &Stmt| match &stmt.op {
        Op::Load(Mem::In(_), _) => true,
        Op::Load(Mem::Out(out), _) => !is_stored(*out),
        Op::Size(size) => subject.func.symbols.is_made_of(size, &|value| !inside.contains(&value)),
        op => op.kind() == Kind::Elementwise || matches!(op, Op::Const(_)),
    };
    let goes_on = |stmt: &&Stmt| {
        let op = &stmt.op;
        op.kind() == Kind::Elementwise || matches!(op, Op::Const(_) | Op::Size(_) | Op::Load(..) | Op::Put(..))
    };
    let prefix = body.stmts.iter().take_while(goes_on).count();
    let mut reads = early(&body.stmts[..prefix], body.params.iter().copied().collect(), &is_same);
    let mut held = 0;
    let mut fits = |stmt: &&Stmt| {
        let is_read = matches!(stmt.op, Op::Load(..));
        held += if is_read { words(subject.func.ty(stmt.results[0]).class) } else { 0 };
        held <= WORDS
    };
    reads.truncate(reads.iter().take_while(|stmt| fits(stmt)).count());
    reads
}
