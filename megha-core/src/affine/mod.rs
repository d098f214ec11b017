//! Exact integer constraint systems and the dependence test.
//!
//! Everything here is independent of the IR: variables are numbers, expressions are linear with integer coefficients.
//!
//! # Questions and answers
//! 1. *Does a conjunction of linear equalities and inequalities have an integer solution?*
//!    [`System::feasibility`], and on top of it [`System::implies`], [`System::bounds`] and [`System::sample`].
//! 2. *Which pairs of iterations of a loop nest touch the same array element?* [`Pair::dependences`] lists the direction
//!    vectors, [`Pair::carried_by`] decides whether one loop is DOALL, [`same_iteration_only`] whether two kernels over
//!    one iteration domain may be composed without anything but the order inside an iteration.
//!
//! An answer is exact or it is not given. Arithmetic is checked 128-bit; where it overflows, or where the work limit is reached,
//! the answer is [`Feasibility::Unknown`], which the dependence test treats as "dependent".
//!
//! # Feasibility: the Omega test
//! W. Pugh, "The Omega Test: a fast and practical integer programming algorithm for dependence analysis",
//! Supercomputing 1991, sections 2.1 to 2.3.
//!
//! * *Normalisation.* A row is divided by the gcd `g` of its coefficients. An equality whose constant is no multiple of
//!   `g` has no solution; the constant of an inequality is rounded down, which cuts off no integer point. Of parallel
//!   rows the tightest remains; opposite rows that meet become an equality, and those that miss each other refute.
//! * *Equalities.* Where a coefficient is ±1 the variable is substituted. Otherwise let `a_k` be the smallest
//!   coefficient; the unimodular change `x_k = y - Σ round(a_i / a_k) x_i` leaves all others at most `|a_k| / 2`, so that
//!   a unit coefficient appears after logarithmically many steps. (Pugh reaches the same with a new variable per step;
//!   the unimodular form is U. Banerjee, "Loop Transformations for Restructuring Compilers", 1993, chapter 3.)
//! * *Inequalities.* A variable without lower or without upper bounds is dropped with its rows. Otherwise
//!   Fourier–Motzkin combines each lower bound `b x ≥ β` with each upper bound `a x ≤ α` into the real shadow
//!   `a β ≤ b α`, which is exact when all `a` or all `b` are 1. If it is not, an empty real shadow refutes, and a nonempty
//!   dark shadow `b α - a β ≥ (a - 1)(b - 1)` confirms. Between the two every solution lies close to a bound: either
//!   `b x = β + i` for some lower bound and `0 ≤ i ≤ (a b - a - b) / a` with `a` the largest upper coefficient, or the
//!   mirror image, or in any strip `l ≤ e ≤ u` the system contains; whichever has the fewest cases is enumerated.
//! * *Lattice reduction.* Before anything inexact is done, columns are made short by unimodular changes (`lattice`),
//!   which turns the skewed systems that large coefficients leave behind into ones with exact or nearly exact shadows.
//!
//! # The dependence test
//! A pair of accesses, at iteration `i` of the first and `i'` of the second, conflicts when both iterations lie in their
//! domains and all subscripts agree. With `i' = i + δ` for the common loops the subscript equations are
//! linear in `i`, `δ` and the parameters, and a loop's direction is the sign of its `δ`.
//!
//! Quotients, remainders, and whatever else is no linear function of loop variables but is bound to them by linear constraints,
//! are *local* variables, of which each access has its own.
//!
//! * *Symbolic strides*, as in `a[i*m + j]`, are taken apart where the bounds of loops prove that this may be done (`delinearise`).
//! * *Front tests* settle the common cases before any projection: a row without variables (ZIV), a row with one `δ`
//!   (strong SIV), the gcd of a row, and Gauss–Jordan elimination of all rows together, which does for coupled
//!   subscripts what the Delta test does (G. Goff, K. Kennedy, C.-W. Tseng, "Practical Dependence Testing", PLDI 1991).
//! * *Direction vectors* are found by refining `*` to `<`, `=`, `>` loop by loop, outermost first, pruning a subtree once
//!   its system is infeasible (M. Burke, R. Cytron, "Interprocedural Dependence Analysis and Parallelization", SIGPLAN
//!   1986). Each leaf is decided exactly, so no vector is spurious unless it says that it is assumed.
//!
//! Parameters are existentially quantified: a dependence is reported when it exists for *some* value of the parameters
//! that the domain's assumptions allow.

mod access;
mod conflicts;
mod delinearise;
mod dependence;
mod equalities;
mod explain;
mod expr;
mod lattice;
mod layout;
mod omega;
mod pair;
mod polynomial;
mod problem;
mod query;
mod range;
mod relevant;
mod system;

pub use access::{Access, AccessKind, Domain, Local, Loop, Subscript};
pub use dependence::{Certainty, Dependence, Direction, Order};
pub use explain::{Explanation, Names};
pub use expr::{LinExpr, Var};
pub use pair::{Pair, same_iteration_only};
pub use polynomial::Polynomial;
pub use query::Bounds;
pub use system::{Feasibility, System};
