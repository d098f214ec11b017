//! Eigenvalues of two rows of a pair whose B is triangular (LAPACK's `lag2`).

/// The eigenvalues are `first / scale` and `second / scale`, or the conjugate numbers `(first ± im i) / scale`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Two {
    pub scale: f64,
    /// Where both are real, that nearer to the last element of A / B.
    pub first: f64,
    pub second: f64,
    pub im: f64,
}

/// Of [a11, a12; a21, a22] and [b11, b12; 0, b22].
pub(super) fn eigenvalues_of_two([a11, a12, a21, a22]: [f64; 4], [b11, b12, b22]: [f64; 3]) -> Two {
    let scale_a = 1.0 / (a11.abs() + a21.abs()).max(a12.abs() + a22.abs()).max(f64::MIN_POSITIVE);
    let [a11, a12, a21, a22] = [a11, a12, a21, a22].map(|x| x * scale_a);
    let root = f64::MIN_POSITIVE.sqrt();
    let least = root * b11.abs().max(b12.abs()).max(b22.abs()).max(root);
    let away = |b: f64| if b.abs() < least { least.copysign(b) } else { b };
    let (b11, b22) = (away(b11), away(b22));
    let size_b = b11.abs().max(b22.abs());
    let [b11, b12, b22] = [b11, b12, b22].map(|x| x / size_b);
    let (s1, s2) = (a11 / b11, a22 / b22);
    let ss = a21 / (b11 * b22);
    // The shift is the smaller of the quotients on the diagonal.
    let (shift, qq, pp, last) = if s1.abs() <= s2.abs() {
        let last = (a22 - s1 * b22) / b22 - ss * b12;
        (s1, ss * (a12 - s1 * b12), last / 2.0, last)
    } else {
        let last = -ss * b12;
        (s2, ss * (a12 - s2 * b12), ((a11 - s2 * b11) / b11 + last) / 2.0, last)
    };
    let scale = scale_a * size_b;
    let discriminant = pp * pp + qq;
    let root = discriminant.abs().sqrt();
    if discriminant < 0.0 && root != 0.0 {
        return Two { scale, first: shift + pp, second: shift + pp, im: root };
    }
    let large = shift + (pp + root.copysign(pp));
    let mut small = shift + (pp - root.copysign(pp));
    if large.abs() / 2.0 > small.abs().max(f64::MIN_POSITIVE) {
        small = (a11 * a22 - a12 * a21) / (b11 * b22) / large;
    }
    let (first, second) =
        if pp > last { (large.min(small), large.max(small)) } else { (large.max(small), large.min(small)) };
    Two { scale, first, second, im: 0.0 }
}
