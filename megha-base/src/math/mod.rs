//! The math functions of compiled code.
//!
//! One definition serves every processor: it is written in the compiler's IR (`megha-core/src/math/*.mir`), and every file here but
//! this one is generated from it. Each function is a branch-free expression of additions, multiplications, fused
//! multiply-adds (always explicit, never left to the compiler), divisions, square roots, comparisons, selections and integer
//! operations on bit patterns. So a loop over any of them vectorises inside a function that enables AVX2 and FMA or AVX-512,
//! and the results are the same bits on every instruction set. Without FMA hardware [`f64::mul_add`] is a call, correct and slow.
//!
//! The functions whose names end in `_single` are those of `single` values, computed in `f32` throughout, within two ulp. Where there is none
//! a `single` value is computed as `f(f64::from(x)) as f32`: at most one ulp of `f32`, and nearly always correctly rounded.
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
mod single_arithmetic;
mod single_coefficients;
mod single_erf;
mod single_exp;
mod single_hyperbolic;
mod single_inverse_hyperbolic;
mod single_inverse_trig;
mod single_log;
mod single_power;
mod single_rounding;
mod single_trig;
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
pub use single_erf::{erf_single, erfc_single};
pub use single_exp::{exp_single, expm1_single};
pub use single_hyperbolic::{cosh_single, sinh_single, tanh_single};
pub use single_inverse_hyperbolic::{acosh_single, asinh_single, atanh_single};
pub use single_inverse_trig::{acos_single, asin_single, atan_single, atan2_single};
pub use single_log::{log_single, log1p_single, log2_single, log10_single};
pub use single_power::pow_single;
pub use single_rounding::{fix_single, hypot_single, round_single, sign_single};
pub use single_trig::{
    MODERATE_LIMIT_SINGLE, cos_moderate_single, cos_single, sin_moderate_single, sin_single, tan_moderate_single,
    tan_single,
};
pub use trig::{cos, cos_moderate, sin, sin_moderate, tan, tan_moderate};
