//! Stand-ins for the run-time system's mathematics: branch-free for finite, normal, positive arguments, inlined, and so
//! vectorised by LLVM. They cost about as much as the real ones.

/// e to the `x`, for |x| < 700.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    const SHIFT: f64 = 6755399441055744.0; // 1.5 * 2^52: adding it rounds to an integer
    let shifted = x * std::f64::consts::LOG2_E + SHIFT;
    let n = shifted - SHIFT;
    let r = (x - n * 0.693_147_180_369_123_8) - n * 1.908_214_929_270_587_7e-10;
    let mut p = 1.0 / 479001600.0;
    for c in [39916800.0, 3628800.0, 362880.0, 40320.0, 5040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0] {
        p = p * r + 1.0 / c;
    }
    let scale = f64::from_bits(((shifted.to_bits() as i64) << 52).wrapping_add(1023 << 52) as u64);
    p * scale
}

/// The natural logarithm of a normal positive `x`.
#[inline(always)]
pub fn log(x: f64) -> f64 {
    const HALF_ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
    let k = (x.to_bits().wrapping_sub(HALF_ROOT)) >> 52;
    let m = f64::from_bits(x.to_bits().wrapping_sub(k << 52));
    let exponent = f64::from_bits((k & 0xfff) | 0x4330_0000_0000_0000) - 4503599627370496.0;
    let exponent = if exponent > 2048.0 { exponent - 4096.0 } else { exponent };
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let mut p = 1.0 / 21.0;
    for c in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        p = p * z + 1.0 / c;
    }
    2.0 * s + 2.0 * s * z * p + exponent * std::f64::consts::LN_2
}
