//! Roots of unity.

/// Cosine and sine of 2 pi k / n, where k < n: exact at quarters of a turn, so that transforms of whole numbers that are whole stay so.
pub fn root(k: usize, n: usize) -> (f64, f64) {
    let (quarters, rest) = (4 * k / n, 4 * k % n);
    let (sin, cos) = (std::f64::consts::FRAC_PI_2 * rest as f64 / n as f64).sin_cos();
    match quarters {
        0 => (cos, sin),
        1 => (-sin, cos),
        2 => (-cos, -sin),
        _ => (sin, -cos),
    }
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn quarters_are_exact() {
        assert_eq!([0, 1, 2, 3].map(|k| root(k, 4)), [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]);
        for k in 0..37 {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / 37.0).sin_cos();
            let found = root(k, 37);
            assert!((found.0 - cos).abs() < 1e-15 && (found.1 - sin).abs() < 1e-15, "{k}: {found:?}");
        }
    }
}
