//! The standard form of two rows of a real Schur form (Z. Bai and J. Demmel 1993; LAPACK's `lanv2`).

use super::rotation::Rotation;
use super::square::length_of;

/// [a, b; c, d] with c zero, or with a = d and b and c of opposite signs: then the eigenvalues are a conjugate pair.
pub(super) struct Standard {
    /// a, b, c and d.
    pub block: [f64; 4],
    /// What leads there.
    pub turning: Rotation,
}

/// The standard form of [a, b; c, d].
pub(super) fn standard(block: [f64; 4]) -> Standard {
    let [a, b, c, d] = block;
    if c == 0.0 || a == d && b != 0.0 && sign(b) != sign(c) {
        return Standard { block, turning: turning(1.0, 0.0) };
    }
    if b == 0.0 {
        return Standard { block: [d, -c, 0.0, a], turning: turning(0.0, 1.0) };
    }
    let difference = a - d;
    let p = difference / 2.0;
    let most = b.abs().max(c.abs());
    let least = b.abs().min(c.abs()) * sign(b) * sign(c);
    let scale = p.abs().max(most);
    let z = (p / scale) * p + (most / scale) * least;
    if z >= 4.0 * f64::EPSILON {
        let z = p + (scale.sqrt() * z.sqrt()).copysign(p);
        let length = length_of(c, z);
        let block = [d + z, b - c, 0.0, d - (most / z) * least];
        return Standard { block, turning: turning(z / length, c / length) };
    }
    equal_diagonal(block, difference)
}

/// The form where the eigenvalues are complex, or real and almost equal: the diagonal's elements are made equal first.
fn equal_diagonal([a, b, c, d]: [f64; 4], difference: f64) -> Standard {
    let sigma = b + c;
    let length = length_of(sigma, difference);
    let cosine = (0.5 * (1.0 + sigma.abs() / length)).sqrt();
    let sine = -(difference / 2.0 / (length * cosine)) * sign(sigma);
    let (aa, bb) = (a * cosine + b * sine, b * cosine - a * sine);
    let (cc, dd) = (c * cosine + d * sine, d * cosine - c * sine);
    let (a, b) = (aa * cosine + cc * sine, bb * cosine + dd * sine);
    let (c, d) = (cc * cosine - aa * sine, dd * cosine - bb * sine);
    let middle = (a + d) / 2.0;
    if c != 0.0 && b == 0.0 {
        return Standard { block: [middle, -c, 0.0, middle], turning: turning(-sine, cosine) };
    }
    if c == 0.0 || sign(b) != sign(c) {
        return Standard { block: [middle, b, c, middle], turning: turning(cosine, sine) };
    }
    let (root_b, root_c) = (b.abs().sqrt(), c.abs().sqrt());
    let p = (root_b * root_c).copysign(c);
    let scale = 1.0 / (b + c).abs().sqrt();
    let (cosine_2, sine_2) = (root_b * scale, root_c * scale);
    Standard {
        block: [middle + p, b - c, 0.0, middle - p],
        turning: turning(cosine * cosine_2 - sine * sine_2, cosine * sine_2 + sine * cosine_2),
    }
}

fn sign(x: f64) -> f64 {
    1.0_f64.copysign(x)
}

fn turning(cosine: f64, sine: f64) -> Rotation {
    Rotation { cosine, sine }
}
