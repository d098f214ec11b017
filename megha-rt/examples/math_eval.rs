//! Evaluates a math function on raw doubles: `math_eval NAME < inputs > outputs`, little-endian.
//!
//! The inputs are one double for each point, or two for a function of two arguments. `docs/math/ulp_table.py` drives it.

use std::io::{Read, Write};
use std::process::ExitCode;

use megha_rt::math;

fn unary(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "exp" => math::exp,
        "exp2" => math::exp2,
        "expm1" => math::expm1,
        "log" => math::log,
        "log2" => math::log2,
        "log10" => math::log10,
        "log1p" => math::log1p,
        "sin" => math::sin,
        "cos" => math::cos,
        "tan" => math::tan,
        "asin" => math::asin,
        "acos" => math::acos,
        "atan" => math::atan,
        "sinh" => math::sinh,
        "cosh" => math::cosh,
        "tanh" => math::tanh,
        "asinh" => math::asinh,
        "acosh" => math::acosh,
        "atanh" => math::atanh,
        "gamma" => math::gamma,
        "erf" => math::erf,
        "round" => math::round,
        "erfc" => math::erfc,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "pow" => math::pow,
        "atan2" => math::atan2,
        "hypot" => math::hypot,
        "mod" => math::modulo,
        "rem" => math::remainder,
        _ => return None,
    })
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bytes) {
        eprintln!("math_eval: cannot read the inputs: {error}");
        return ExitCode::FAILURE;
    }
    let doubles: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let results: Vec<f64> = if let Some(f) = unary(&name) {
        doubles.iter().map(|&x| f(x)).collect()
    } else if let Some(f) = binary(&name) {
        doubles.as_chunks::<2>().0.iter().map(|&[x, y]| f(x, y)).collect()
    } else {
        eprintln!("math_eval: no function is called {name:?}");
        return ExitCode::FAILURE;
    };
    let output: Vec<u8> = results.iter().flat_map(|y| y.to_le_bytes()).collect();
    match std::io::stdout().write_all(&output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
