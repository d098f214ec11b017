//! The reference interpreter: what a module means, executed slowly and plainly.
//!
//! It runs both levels of the IR (array operations and kernels) on [`Datum`] values, statement by statement, and checks
//! everything that the static side promises: after each statement the classes and sizes of the results against their types,
//! the bounds of symbols, subscripts that are said to need no test, and in kernels the rules of DOALL loops. A broken
//! promise is an internal error ([`FailureKind::Internal`]): the compiler's mistake, never the program's.
//!
//! Arithmetic is `megha_base`'s, as in compiled code. Deliberate choices where the IR leaves one:
//! * matrix products are chains of fused multiply-adds in the order of the inner index, from zero, and by eight lanes with a vector;
//! * a square system is solved by LU with partial pivoting; one whose pivot is exactly zero, and any other, by least squares;
//! * functions of `single` numbers are those of `double` rounded once.

mod arguments;
mod array;
pub mod datum;
mod elementwise;
mod eval;
mod failure;
mod fourier;
mod frame;
mod kernel;
mod linear;
mod message;
mod ops;
mod order;
mod reduce;
mod subscript;
#[cfg(test)]
mod tests;

pub use datum::{Array, Datum, Elements, Scalar};
pub use failure::{ErrorKind, Failure, FailureKind, InternalKind, LimitKind};

use crate::ir::{Func, FuncId, Kernel, Mem, Module, Region, Size, Stmt, Value};
use megha_base::access::Access;
use std::io::Write;

/// The order in which a kernel's iterations run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The first loop's number fastest, upwards.
    #[default]
    Forward,
    /// The same, downwards.
    Reverse,
    /// A pseudo-random permutation from this seed.
    Shuffled(u64),
}

/// How to run, and how far.
#[derive(Debug, Clone)]
pub struct Options {
    /// The order of a kernel's iterations.
    pub order: Order,
    /// Statements executed plus elements computed.
    pub max_steps: u64,
    /// Bytes of all arrays that values of active functions hold (an estimate: sharing is not seen).
    pub max_bytes: u64,
    /// Calls within calls.
    pub max_depth: usize,
    /// The seed of random numbers, until the program seeds them itself.
    pub seed: u64,
    /// Most accesses of a kernel that are recorded for [`KernelRun::touched`].
    pub max_touched: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            order: Order::Forward,
            max_steps: 2_000_000_000,
            max_bytes: 4 << 30,
            max_depth: megha_base::recursion::MAX_DEPTH,
            seed: 0,
            max_touched: 0,
        }
    }
}

/// Runs a function of a module with these arguments; what it prints goes to `out`.
///
/// # Errors
/// See [`FailureKind`].
pub fn run(
    module: &Module,
    func: FuncId,
    args: Vec<Datum>,
    options: &Options,
    out: &mut (dyn Write + Send),
) -> Result<Vec<Datum>, Failure> {
    run_watched(module, func, args, options, out, &mut |_| {})
}

/// A kernel that has run.
pub struct KernelRun<'r> {
    /// The function.
    pub func: &'r Func,
    /// The kernel.
    pub kernel: &'r Kernel,
    /// The statement.
    pub stmt: &'r Stmt,
    /// The value of a scalar or array of the function, before the kernel.
    pub value: &'r dyn Fn(Value) -> Option<Datum>,
    /// The value of a size; `None` if it depends on what is not known outside the kernel.
    pub size: &'r dyn Fn(&Size) -> Option<i64>,
    /// Its out-variables, or why it failed.
    pub results: Result<&'r [Datum], &'r Failure>,
    /// What its iterations accessed, in the order in which they ran, up to [`Options::max_touched`] of it; `None` if there was more.
    pub touched: Option<&'r [Touched]>,
}

/// An access of an iteration of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touched {
    /// The number of the iteration, the first loop's fastest.
    pub iteration: usize,
    /// The array.
    pub mem: Mem,
    /// What was done.
    pub access: Access,
    /// The number of the element, columns first.
    pub element: usize,
}

/// What happens in a run, in its order; of what happens inside kernels nothing is told.
pub enum Event<'r> {
    /// A kernel has run.
    Kernel(KernelRun<'r>),
    /// Another statement without regions has run, with these results.
    Ran(&'r Stmt, &'r [Datum]),
    /// A statement with regions begins.
    Begins(&'r Stmt),
    /// A region begins, with these values of its parameters.
    Enters(&'r Region, &'r [Datum]),
    /// A region ends.
    Leaves(&'r Region),
    /// A statement with regions has ended, with these results.
    Ends(&'r Stmt, &'r [Datum]),
}

/// Who is told of what happens.
pub type Watch<'w> = dyn FnMut(&Event<'_>) + Send + 'w;

/// The same, `watch` being told of what happens: so another way to run kernels can be held against this one, and what a program would
/// cost can be counted.
///
/// # Errors
/// See [`FailureKind`].
pub fn run_watched(
    module: &Module,
    func: FuncId,
    args: Vec<Datum>,
    options: &Options,
    out: &mut (dyn Write + Send),
    watch: &mut Watch<'_>,
) -> Result<Vec<Datum>, Failure> {
    let run = || eval::Machine::new(module, options, out, watch).call(func, args);
    if module.may_recurse(func) { megha_base::recursion::on_deep_stack(run) } else { run() }
}
