//! Rules of MATLAB's arithmetic on plain numbers that compiler and run-time system share.

/// The number of elements of `base : step : limit`, by Octave's rule: a limit that is missed by a few roundings is reached
/// (comparison tolerance of three units, after Hagerty's tolerant floor). `None` if it is not finite.
pub fn range_len(base: f64, step: f64, limit: f64) -> Option<i64> {
    if base.is_nan() || step.is_nan() || limit.is_nan() {
        return Some(1);
    }
    if step == 0.0 || (limit < base && step > 0.0) || (limit > base && step < 0.0) {
        return Some(0);
    }
    let count = tolerant_floor((limit - base + step) / step).max(0.0);
    let reached = |n: f64| nearly_equal(base + (n - 1.0) * step, limit);
    let count = if reached(count) {
        count
    } else if reached(count - 1.0) {
        count - 1.0
    } else if reached(count + 1.0) {
        count + 1.0
    } else {
        count
    };
    (count.is_finite() && count < 2f64.powi(53)).then_some(count as i64)
}

const TOLERANCE: f64 = 3.0 * f64::EPSILON;

fn nearly_equal(a: f64, b: f64) -> bool {
    (a - b).abs() < a.abs().max(b.abs()) * TOLERANCE || a == b
}

/// The largest whole number not above `x`, or the next one if `x` is below it by no more than the tolerance.
fn tolerant_floor(x: f64) -> f64 {
    let q = if x < 0.0 { 1.0 - TOLERANCE } else { 1.0 };
    let most = q / (2.0 - TOLERANCE);
    let slack = ((TOLERANCE / q) * (1.0 + x.floor()).abs()).min(most).max(TOLERANCE);
    let raised = (x + slack).floor();
    if x <= 0.0 || raised - x < most { raised } else { raised - 1.0 }
}

#[cfg(test)]
mod tests {
    use super::range_len;

    #[test]
    fn lengths_are_octaves() {
        // Each checked with Octave: numel(a:s:b).
        let cases = [
            (0.0, 0.1, 1.0, 11),
            (0.0, 0.1, 0.3, 4),
            (1.0, 1.0, 0.0, 0),
            (0.0, 0.3, 1.0, 4),
            (10.0, -3.0, 1.0, 4),
            (0.0, 1.0 / 3.0, 1.0, 4),
            (1.0, 0.2, 2.0, 6),
            (0.0, 0.05, 1.0, 21),
            (5.0, 0.0, 6.0, 0),
            (2.5, 1.0, 2.5, 1),
        ];
        for (a, s, b, n) in cases {
            assert_eq!(range_len(a, s, b), Some(n), "{a}:{s}:{b}");
        }
        assert_eq!(range_len(0.0, 1.0, f64::INFINITY), None);
    }
}
