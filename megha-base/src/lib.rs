//! The semantics that compiler, interpreter and run-time system share, as pure functions on plain numbers. What one of them
//! folds, another interprets and a third runs vectorised is equal because it is the same code.
//!
//! * [`recursion`]: how deep calls may nest
//! * [`range`]: lengths and elements of `a:s:b` and `linspace`
//! * [`tree`]: the order in which reductions combine
//! * [`scan`]: the order in which running sums add
//! * [`order`]: how `sort` orders
//! * [`int`]: the integer classes (saturating, rounding) and the machine's 64-bit `Index`
//! * [`float`]: remainders, roundings, `sign`, `min`, `max`
//! * [`math`]: `exp`, `log`, `sin`, `pow` and the others
//! * [`format`](mod@format): `fprintf` and `error` templates
//! * [`display`]: `disp` and the display of statements without `;`
//! * [`text`]: `num2str`, `mat2str`
//! * [`random`]: the counter-based generator of random numbers
//! * [`date`]: the calendar
//! * [`dense`]: factorisations of matrices
//! * [`access`]: which elements of an array a kernel touches
//! * [`memory`]: memory that there may not be
//! * [`plan`]: what a device is told of a kernel
//! * [`region`]: sets of elements of an array

pub mod access;
pub mod bytes;
pub mod cause;
pub mod cuts;
pub mod date;
pub mod dense;
pub mod display;
pub mod float;
pub mod format;
pub mod fourier;
pub mod int;
#[expect(clippy::approx_constant, reason = "leading parts of constants that are split into several doubles")]
pub mod math;
pub mod memory;
pub mod order;
pub mod plan;
pub mod random;
pub mod range;
pub mod ranges;
pub mod recursion;
pub mod region;
pub mod scan;
pub mod text;
pub mod tree;
