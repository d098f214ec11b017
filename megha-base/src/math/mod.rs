//! The math functions of compiled code.
//!
//! One definition serves every processor: it is written in the compiler's IR (`megha-core/src/math/*.mir`), and every file here but
//! this one is generated from it. Each function is a branch-free expression of additions, multiplications, fused
//! multiply-adds (always explicit, never left to the compiler), divisions, square roots, comparisons, selections and integer
//! operations on bit patterns. So a loop over any of them vectorises inside a function that enables AVX2 and FMA or AVX-512,
//! and the results are the same bits on every instruction set. Without FMA hardware [`f64::mul_add`] is a call, correct and slow.
//!
//! A `single` value is computed as `f(f64::from(x)) as f32`: at most one ulp of `f32`, and nearly always correctly rounded.
//!
//! Errors are measured in `docs/math.md`; the polynomials come from `docs/math/remez.py`.

mod coefficients;
mod double_double;
mod erf;
mod exp;
mod gamma;
mod hyperbolic;
mod inverse_hyperbolic;
mod inverse_trig;
mod log;
mod pi_reduction;
mod power;
mod rounding;
mod trig;

pub use erf::{erf, erfc};
pub use exp::{exp, exp2, expm1};
pub use gamma::gamma;
pub use hyperbolic::{cosh, sinh, tanh};
pub use inverse_hyperbolic::{acosh, asinh, atanh};
pub use inverse_trig::{acos, asin, atan, atan2};
pub use log::{log, log1p, log2, log10};
pub use pi_reduction::MODERATE_LIMIT;
pub use power::pow;
pub use rounding::{fix, hypot, modulo, remainder, round, sign};
pub use trig::{cos, cos_moderate, sin, sin_moderate, tan, tan_moderate};
