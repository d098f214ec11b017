//! Ranges `a:s:b` and `linspace`: lengths and elements.

/// The number of elements of `base : step : limit`, by Octave's rule: a limit that is missed by a few roundings is reached
/// (comparison tolerance of three units, after Hagerty's tolerant floor), and if bounds say nothing, as in `1:NaN` and `Inf:Inf`, the
/// range is one NaN. `None` if it is not finite.
pub fn range_len(base: f64, step: f64, limit: f64) -> Option<i64> {
    if base.is_nan() || step.is_nan() || limit.is_nan() {
        return Some(1);
    }
    if step == 0.0 || (limit < base && step > 0.0) || (limit > base && step < 0.0) {
        return Some(0);
    }
    let second = base + step;
    if (limit >= base && second > limit) || (limit <= base && second < limit) {
        return Some(1);
    }
    let steps = (limit - base + step) / step;
    if steps.is_nan() {
        return Some(1);
    }
    let count = tolerant_floor(steps).max(0.0);
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

/// Element `k` (from zero) of `base : step`: one product, one sum. The last one may pass the limit of a range by a rounding; the
/// compiler makes it the limit then, as Octave does.
#[inline(always)]
pub fn range_element(base: f64, step: f64, k: i64) -> f64 {
    base + k as f64 * step
}

/// Element `k` (from zero) of `linspace(first, last, n)`, by Octave's rule: the first half counts from the first number, the
/// second half from the last, so both ends are exact and `linspace(-x, x, n)` is antisymmetric; the middle is the mean.
#[inline]
pub fn linspace_element(first: f64, last: f64, k: i64, n: i64) -> f64 {
    let (from_end, delta) = (n - 1 - k, (last - first) / (n - 1) as f64);
    if from_end == 0 {
        last
    } else if k == 0 {
        first
    } else if k == from_end {
        if first == -last { 0.0 } else { (first + last) / 2.0 }
    } else if k < from_end {
        first + k as f64 * delta
    } else {
        last - from_end as f64 * delta
    }
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
    use super::{linspace_element, range_element, range_len};

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
            (0.0, 1.0, 1.0 - f64::EPSILON / 2.0, 1),
            (0.0, 1.0, 2.0 - f64::EPSILON, 3),
            (1.0, f64::INFINITY, 3.0, 1),
            (3.0, f64::NEG_INFINITY, 1.0, 1),
            (1.0, f64::NEG_INFINITY, 3.0, 0),
            (0.0, f64::INFINITY, 0.0, 1),
            (f64::INFINITY, 1.0, f64::INFINITY, 1),
            (f64::NEG_INFINITY, f64::INFINITY, 3.0, 1),
            (1.0, f64::INFINITY, f64::INFINITY, 1),
            (3.0, f64::NEG_INFINITY, f64::NEG_INFINITY, 1),
            (1.0, 1.0, f64::NAN, 1),
            (1.0, f64::NAN, 0.0, 1),
            (f64::NAN, 1.0, 3.0, 1),
        ];
        for (a, s, b, n) in cases {
            assert_eq!(range_len(a, s, b), Some(n), "{a}:{s}:{b}");
        }
        assert_eq!(range_len(0.0, 1.0, f64::INFINITY), None);
    }

    #[test]
    fn linspace_is_octaves() {
        let of = |a, b, n| (0..n).map(|k| linspace_element(a, b, k, n)).collect::<Vec<_>>();
        assert_eq!(of(0.0, 1.0, 4), [0.0, 1.0 / 3.0, 0.6666666666666667, 1.0]);
        let six = [0.1, 0.22, 0.33999999999999997, 0.45999999999999996, 0.58, 0.7];
        assert_eq!(of(0.1, 0.7, 6), six);
        assert_eq!(of(-1.0, 1.0, 5), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(of(1.0, 3.0, 1), [3.0]);
        assert_eq!(of(f64::NEG_INFINITY, f64::INFINITY, 3)[1], 0.0);
    }

    #[test]
    fn elements_round_twice() {
        assert_eq!(range_element(0.0, 0.1, 3), 0.30000000000000004);
    }
}
