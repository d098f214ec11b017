//! Discrete Fourier transforms.

use super::array::array;
use super::datum::{Datum, Elements};
use super::failure::{Failure, Run};
use megha_base::fourier::root;

/// A complex number: real and imaginary part.
type Pair = (f64, f64);

/// The transforms of the lines of elements along an axis of the matrix with these parts, each line cut or filled with zeros to
/// the length that `dims`, the sizes of the result, say. The parts of the result lie behind each other in its third dimension.
pub(super) fn transform(parts: [&Datum; 2], axis: usize, inverse: bool, dims: Vec<usize>) -> Run<Datum> {
    let malformed = || Failure::malformed("this is no transform of the lines of a matrix");
    let (&[rows, columns], &[new_rows, new_columns, 2], 0 | 1) = (parts[0].dims(), dims.as_slice(), axis) else {
        return Err(malformed());
    };
    let [Some(re), Some(im)] = parts.map(Datum::to_doubles) else { return Err(malformed()) };
    let (given, lines, n) = if axis == 0 { (rows, columns, new_rows) } else { (columns, rows, new_columns) };
    let place = |k: usize, line: usize, rows: usize| if axis == 0 { k + line * rows } else { line + k * rows };
    if parts[1].dims() != [rows, columns] || lines != if axis == 0 { new_columns } else { new_rows } {
        return Err(malformed());
    }
    let plane = new_rows * new_columns;
    let mut out = vec![0.0; 2 * plane];
    for line in 0..lines {
        let element = |k: usize| match k < given {
            true => (re[place(k, line, rows)], im[place(k, line, rows)]),
            false => (0.0, 0.0),
        };
        let transformed = transformed((0..n).map(element).collect(), if inverse { 1.0 } else { -1.0 });
        for (k, (re, im)) in transformed.into_iter().enumerate() {
            let at = place(k, line, new_rows);
            (out[at], out[plane + at]) = (re, im);
        }
    }
    array(dims, Elements::Double(out))
}

/// The transform of one line. That of real numbers is symmetric to the last bit, and that of such a symmetric line is real.
fn transformed(line: Vec<Pair>, sign: f64) -> Vec<Pair> {
    let n = line.len();
    let real = line.iter().all(|z| z.1 == 0.0);
    let symmetric = (0..n).all(|k| line[k].0 == line[(n - k) % n].0 && line[k].1 == -line[(n - k) % n].1);
    let mut out = stockham(line, sign);
    for k in 0..n {
        let other = (n - k) % n;
        if real && other < k {
            out[k] = (out[other].0, -out[other].1);
        }
        if symmetric || real && other == k {
            out[k].1 = 0.0;
        }
    }
    out
}

/// Stockham's transform for factors of any size: no permutation, one pass over the data for each prime factor p of n, in which
/// groups of p elements are transformed as they are by definition.
fn stockham(mut line: Vec<Pair>, sign: f64) -> Vec<Pair> {
    let n = line.len();
    let roots: Vec<Pair> = (0..n).map(|k| root(k, n)).map(|(cos, sin)| (cos, sign * sin)).collect();
    let (mut left, mut stride) = (n, 1);
    while left > 1 {
        let p = smallest_factor(left);
        let m = left / p;
        let mut next = vec![(0.0, 0.0); n];
        for k in 0..m {
            for (r, q) in (0..p).flat_map(|r| (0..stride).map(move |q| (r, q))) {
                let terms = (0..p).map(|j| times(line[q + stride * (k + m * j)], roots[j * r % p * (n / p)]));
                let sum = terms.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
                next[q + stride * (p * k + r)] = times(sum, roots[k * r * stride % n]);
            }
        }
        line = next;
        left = m;
        stride *= p;
    }
    line
}

fn times(a: Pair, b: Pair) -> Pair {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn smallest_factor(n: usize) -> usize {
    (2..).take_while(|d| d * d <= n).find(|d| n.is_multiple_of(*d)).unwrap_or(n)
}
