//! A QZ step with two shifts at once, in real arithmetic (C. B. Moler and G. W. Stewart 1973; EISPACK's `qzit`).

use std::ops::Range;

use super::pencil::{Pencil, make_zero_below, turn_rows};
use super::reflection::reflector;
use super::square::Square;

/// The reflection 1 - scale (1, q, r)' (1, q, r).
#[derive(Clone, Copy)]
struct Reflection {
    scale: f64,
    q: f64,
    r: f64,
}

/// One step on rows first to last, at least three, whose last two have complex eigenvalues; `window` holds the first row and the last
/// column that are turned. The sizes are the norms of A and B.
#[inline(always)]
pub(super) fn double_step(pencil: &mut Pencil, first: usize, last: usize, window: Range<usize>, sizes: [f64; 2]) {
    let (top, end) = (window.start, window.end);
    let mut direction = first_direction(pencil, first, last, sizes);
    for j in first..last - 1 {
        if j > first {
            let below = &mut pencil.a.column_mut(j - 1)[j..j + 3];
            direction.copy_from_slice(below);
            below.fill(0.0);
        }
        let (value, scale) = reflector(&mut direction);
        if j > first {
            pencil.a[(j, j - 1)] = value;
        }
        let reflection = Reflection { scale, q: direction[1], r: direction[2] };
        reflect_rows(&mut pencil.a, j, end, reflection);
        reflect_rows(&mut pencil.b, j, end, reflection);
        let reflection = clearing(&pencil.b, j);
        reflect_columns(&mut pencil.a, j, top..last.min(j + 3) + 1, reflection);
        reflect_columns(&mut pencil.b, j, top..j + 3, reflection);
        if let Some(right) = &mut pencil.right {
            reflect_columns(right, j, 0..right.n, reflection);
        }
        pencil.b.column_mut(j)[j + 1..j + 3].fill(0.0);
    }
    let rotation = make_zero_below(&mut pencil.a, last - 1, last - 2);
    turn_rows(&mut pencil.a, last - 1, last - 1..end, rotation);
    turn_rows(&mut pencil.b, last - 1, last - 1..end, rotation);
    pencil.clear_b(last, top, last + 1);
}

/// The first column of (A / B)^2 - c A / B + d, where c and d are the sum and the product of the last two eigenvalues.
#[inline(always)]
fn first_direction(pencil: &Pencil, first: usize, last: usize, [size_a, size_b]: [f64; 2]) -> [f64; 3] {
    let (a, b) = (&pencil.a, &pencil.b);
    let unit = size_b.max(f64::MIN_POSITIVE) / size_a.max(f64::MIN_POSITIVE);
    let over = |i: usize, j: usize, k: usize| a[(i, j)] * unit / b[(k, k)];
    let k = last - 1;
    let (a11, a21, a12, a22) = (over(k, k, k), over(last, k, k), over(k, last, last), over(last, last, last));
    let u = b[(k, last)] / b[(last, last)];
    let (f, g) = (first, first + 1);
    let (b11, b21, b12, b22) = (over(f, f, f), over(g, f, f), over(f, g, g), over(g, g, g));
    let w = b[(f, g)] / b[(g, g)];
    [
        (a11 - b11) * (a22 - b11) - a12 * a21 + a21 * u * b11 + (b12 - b11 * w) * b21,
        ((b22 - b11) - b21 * w - (a11 - b11) - (a22 - b11) + a21 * u) * b21,
        over(f + 2, g, g) * b21,
    ]
}

/// The reflection of three columns that makes the first two elements below the diagonal of B zero.
#[inline(always)]
fn clearing(b: &Square, j: usize) -> Reflection {
    let row = |i: usize| [b[(i, j)], b[(i, j + 1)], b[(i, j + 2)]];
    let (mut first, mut second) = (row(j + 1), row(j + 2));
    let most = |x: &[f64; 3]| x[1].abs().max(x[2].abs());
    if most(&first) < most(&second) {
        std::mem::swap(&mut first, &mut second);
    }
    let (scale, mut x) = if most(&first) < f64::MIN_POSITIVE {
        (0.0, [1.0, 0.0])
    } else {
        let exchanged = first[2].abs() > first[1].abs();
        if exchanged {
            first.swap(1, 2);
            second.swap(1, 2);
        }
        let mut x = null_direction(first, second);
        if exchanged {
            x.1.swap(0, 1);
        }
        x
    };
    let length = (scale * scale + x[0] * x[0] + x[1] * x[1]).sqrt();
    x.iter_mut().for_each(|x| *x *= -1.0 / (scale + length));
    Reflection { scale: 1.0 + scale / length, q: x[0], r: x[1] }
}

/// x and a scale with [first; second] times [-scale; x] zero, of two rows of which the first has its largest element in front.
#[inline(always)]
fn null_direction([u1, w11, w12]: [f64; 3], [u2, w21, w22]: [f64; 3]) -> (f64, [f64; 2]) {
    let factor = w21 / w11;
    let (u2, w22) = (u2 - factor * u1, w22 - factor * w12);
    if w22.abs() < f64::MIN_POSITIVE {
        return (0.0, [-w12 / w11, 1.0]);
    }
    let mut scale = 1.0;
    if w22.abs() < u2.abs() {
        scale = (w22 / u2).abs();
    }
    if w11.abs() < (scale * u1).abs() {
        scale = (w11 / (scale * u1)).abs();
    }
    let x2 = scale * u2 / w22;
    (scale, [(scale * u1 - w12 * x2) / w11, x2])
}

#[inline(always)]
fn reflect_rows(m: &mut Square, j: usize, end: usize, Reflection { scale, q, r }: Reflection) {
    let n = m.n;
    for column in m.elements[j * n..end * n].chunks_exact_mut(n) {
        let x = &mut column[j..j + 3];
        let sum = scale * (x[0] + q * x[1] + r * x[2]);
        x[0] -= sum;
        x[1] -= sum * q;
        x[2] -= sum * r;
    }
}

#[inline(always)]
fn reflect_columns(m: &mut Square, j: usize, rows: Range<usize>, Reflection { scale, q, r }: Reflection) {
    let n = m.n;
    let (x, rest) = m.elements[j * n..].split_at_mut(n);
    let (y, rest) = rest.split_at_mut(n);
    for ((x, y), z) in x[rows.clone()].iter_mut().zip(&mut y[rows.clone()]).zip(&mut rest[rows]) {
        let sum = scale * (*x + q * *y + r * *z);
        *x -= sum;
        *y -= sum * q;
        *z -= sum * r;
    }
}
