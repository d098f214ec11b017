//! Plane rotations, and singular values and vectors of upper triangular matrices of order two, with LAPACK's choice of signs (Anderson, Safe
//! scaling in the level 1 BLAS, 2017; Demmel and Kahan, Accurate singular values of bidiagonal matrices, 1990; the last two by W. Kahan).

/// Numbers whose squares, and the sums of two of them, neither overflow nor lose digits.
const MODERATE: std::ops::Range<f64> = 1e-150..1e150;

/// A rotation by an angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rotation {
    pub(super) cosine: f64,
    pub(super) sine: f64,
}

impl Rotation {
    /// The rotation that takes (f, g) to (r, 0), and r: the cosine is not negative.
    #[inline(always)]
    pub(super) fn onto_first(f: f64, g: f64) -> (Self, f64) {
        if g == 0.0 {
            return (Self { cosine: 1.0, sine: 0.0 }, f);
        }
        if f == 0.0 {
            return (Self { cosine: 0.0, sine: 1f64.copysign(g) }, g.abs());
        }
        if MODERATE.contains(&f.abs()) && MODERATE.contains(&g.abs()) {
            return Self::moderate(f, g);
        }
        let scale = f.abs().max(g.abs()).clamp(f64::MIN_POSITIVE, 1.0 / f64::MIN_POSITIVE);
        let (rotation, r) = Self::moderate(f / scale, g / scale);
        (rotation, r * scale)
    }

    #[inline(always)]
    fn moderate(f: f64, g: f64) -> (Self, f64) {
        let length = (f * f + g * g).sqrt();
        let r = length.copysign(f);
        (Self { cosine: f.abs() / length, sine: g / r }, r)
    }

    /// The inverse.
    #[inline(always)]
    pub(super) fn back(self) -> Self {
        Self { cosine: self.cosine, sine: -self.sine }
    }
}

/// The magnitude of the smaller singular value of [f g; 0 h].
pub(super) fn smaller_singular_value(f: f64, g: f64, h: f64) -> f64 {
    let (f, g, h) = (f.abs(), g.abs(), h.abs());
    let (small, large) = (f.min(h), f.max(h));
    if small == 0.0 {
        return 0.0;
    }
    let (sum, difference) = (1.0 + small / large, (large - small) / large);
    if g < large {
        let square = (g / large) * (g / large);
        return small * (2.0 / ((sum * sum + square).sqrt() + (difference * difference + square).sqrt()));
    }
    let ratio = large / g;
    if ratio == 0.0 {
        return small * large / g;
    }
    let (sum, difference) = (sum * ratio, difference * ratio);
    let c = 1.0 / ((1.0 + sum * sum).sqrt() + (1.0 + difference * difference).sqrt());
    2.0 * (small * c * ratio)
}

/// The singular value decomposition of [f g; 0 h].
pub(super) struct TwoByTwo {
    /// Singular values up to their signs.
    pub(super) large: f64,
    pub(super) small: f64,
    pub(super) left: Rotation,
    pub(super) right: Rotation,
}

impl TwoByTwo {
    pub(super) fn of(f: f64, g: f64, h: f64) -> Self {
        let swapped = h.abs() > f.abs();
        let (first, last) = if swapped { (h, f) } else { (f, h) };
        let (mut large, mut small, mut left, mut right) = magnitudes(first, g, last);
        if swapped {
            (left, right) = (right.exchanged(), left.exchanged());
        }
        let sign = |x: f64| 1f64.copysign(x);
        let turn = if g.abs() > first.abs() {
            sign(right.sine) * sign(left.cosine) * sign(g)
        } else if swapped {
            sign(right.sine) * sign(left.sine) * sign(h)
        } else {
            sign(right.cosine) * sign(left.cosine) * sign(f)
        };
        large = large.copysign(turn);
        small = small.copysign(turn * sign(f) * sign(h));
        Self { large, small, left, right }
    }
}

impl Rotation {
    fn exchanged(self) -> Self {
        Self { cosine: self.sine, sine: self.cosine }
    }
}

/// Of [f g; 0 h], where h is not larger than f: the magnitudes of the singular values, the larger first, and the rotations.
fn magnitudes(f: f64, g: f64, h: f64) -> (f64, f64, Rotation, Rotation) {
    let (size_f, size_g, size_h) = (f.abs(), g.abs(), h.abs());
    let none = Rotation { cosine: 1.0, sine: 0.0 };
    if size_g == 0.0 {
        return (size_f, size_h, none, none);
    }
    if size_g > size_f && size_f / size_g < f64::EPSILON / 2.0 {
        let small = if size_h > 1.0 { size_f / (size_g / size_h) } else { size_f / size_g * size_h };
        return (size_g, small, Rotation { cosine: 1.0, sine: h / g }, Rotation { cosine: f / g, sine: 1.0 });
    }
    let difference = size_f - size_h;
    let l = if difference == size_f { 1.0 } else { difference / size_f };
    let m = g / f;
    let t = 2.0 - l;
    let square = m * m;
    let s = (t * t + square).sqrt();
    let r = if l == 0.0 { m.abs() } else { (l * l + square).sqrt() };
    let a = 0.5 * (s + r);
    let t = if square != 0.0 {
        (m / (s + t) + m / (r + l)) * (1.0 + a)
    } else if l == 0.0 {
        2f64.copysign(f) * 1f64.copysign(g)
    } else {
        g / difference.copysign(f) + m / t
    };
    let l = (t * t + 4.0).sqrt();
    let right = Rotation { cosine: 2.0 / l, sine: t / l };
    let left = Rotation { cosine: (right.cosine + right.sine * m) / a, sine: (h / f) * right.sine / a };
    (size_f * a, size_h / a, left, right)
}
