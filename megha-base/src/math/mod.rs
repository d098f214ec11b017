//! The math functions of compiled code.
//!
//! One definition serves every processor: each function is a branch-free expression of additions, multiplications, fused
//! multiply-adds (always explicit, never left to the compiler), divisions, square roots, comparisons, selections and integer
//! operations on bit patterns. So a loop over any of them vectorises inside a function that enables AVX2 and FMA or AVX-512,
//! and the results are the same bits on every instruction set. Without FMA hardware [`f64::mul_add`] is a call, correct and slow.
//!
//! Errors are measured in `docs/math.md`; the polynomials come from `docs/math/remez.py`.

mod coefficients;
mod double_double;
mod erf;
mod exp;
mod hyperbolic;
mod inverse_trig;
mod log;
mod pi_reduction;
mod pow;
mod rounding;
mod trig;

pub use erf::{erf, erfc};
pub use exp::{exp, exp2, expm1};
pub use hyperbolic::{cosh, sinh, tanh};
pub use inverse_trig::{acos, asin, atan, atan2};
pub use log::{log, log1p, log2, log10};
pub use pow::pow;
pub use rounding::{fix, hypot, modulo, remainder, round, sign};
pub use trig::{MODERATE_LIMIT, cos, cos_moderate, sin, sin_moderate, tan, tan_moderate};
