//! The form of Hessenberg: zeros below the subdiagonal, by reflections (Golub and Van Loan, Matrix Computations, 4th edition, 7.4.2).

use super::reflection::{reflect, reflector};
use super::square::Square;
use crate::memory;

/// Reduces rows and columns low to high, and gives the product of the reflections if it is wanted. Without it nothing but the block
/// in these rows and columns is right afterwards.
#[inline(always)]
pub(super) fn hessenberg(a: &mut Square, low: usize, high: usize, with_vectors: bool) -> Option<Square> {
    let n = a.n;
    let (top, end) = if with_vectors { (0, n) } else { (low, (high + 1).min(n)) };
    let mut reflections = Vec::new();
    let mut sums = memory::zeros(n);
    for k in low..high.saturating_sub(1) {
        let (column, rest) = a.column_and_rest(k);
        let direction = &mut column[k + 1..=high];
        let (value, scale) = reflector(direction);
        if scale != 0.0 {
            multiply_right(&mut rest[..(high - k) * n], n, top..high + 1, direction, scale, &mut sums);
            rest[..(end - k - 1) * n]
                .chunks_exact_mut(n)
                .for_each(|column| reflect(direction, scale, &mut column[k + 1..=high]));
        }
        if with_vectors {
            memory::push(&mut reflections, (k, memory::copied(direction), scale));
        }
        direction.fill(0.0);
        direction[0] = value;
    }
    with_vectors.then(|| product(reflections, n))
}

/// Applies a reflection to columns from the right, in these rows.
#[inline(always)]
pub(super) fn multiply_right(
    columns: &mut [f64],
    n: usize,
    rows: std::ops::Range<usize>,
    direction: &[f64],
    scale: f64,
    sums: &mut [f64],
) {
    let sums = &mut sums[rows.clone()];
    sums.fill(0.0);
    for (column, &v) in columns.chunks_exact(n).zip(direction) {
        sums.iter_mut().zip(&column[rows.clone()]).for_each(|(sum, x)| *sum += x * v);
    }
    for (column, &v) in columns.chunks_exact_mut(n).zip(direction) {
        let factor = scale * v;
        column[rows.clone()].iter_mut().zip(&*sums).for_each(|(x, sum)| *x -= sum * factor);
    }
}

/// The product of reflections whose directions begin in the row after their number.
#[inline(always)]
fn product(reflections: Vec<(usize, Vec<f64>, f64)>, n: usize) -> Square {
    let mut q = Square::identity(n);
    for (k, direction, scale) in reflections.iter().rev().filter(|(_, _, scale)| *scale != 0.0) {
        let rows = k + 1..k + 1 + direction.len();
        q.elements[(k + 1) * n..(rows.end) * n]
            .chunks_exact_mut(n)
            .for_each(|column| reflect(direction, *scale, &mut column[rows.clone()]));
    }
    q
}
