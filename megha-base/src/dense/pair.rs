//! Generalised eigenvalues and eigenvectors, A v = B v d, in the order, with the lengths and the signs of LAPACK's `sygv`, where A is symmetric
//! and B positive definite, and of `ggev`.

use super::eigen::packed;
use super::pencil::Pencil;
use super::pencil_vectors::pencil_vectors;
use super::qz::Qz;
use super::square::Square;
use super::symmetric_vectors::symmetric_eigenvectors;
use super::{Machine, Work, cholesky};
use crate::memory;

/// The generalised eigenvalues of matrices of order n: all real parts, then all imaginary parts; `None` if the iterations do not
/// converge. They are infinite or not a number where B is singular.
pub fn pair_eigenvalues(a: &[f64], b: &[f64], n: usize, machine: &impl Machine) -> Option<Vec<f64>> {
    let found = pair(a, b, n, false, machine)?;
    Some(memory::copied(&found[2 * n * n..]))
}

/// The generalised eigenvectors and eigenvalues of matrices of order n: the vectors' real parts in columns, their imaginary parts, the
/// values' real parts, their imaginary parts; `None` if the iterations do not converge. Where A is symmetric and B positive definite the
/// vectors have the length one as B measures it, else their largest element has the size one.
pub fn pair_eigenvectors(a: &[f64], b: &[f64], n: usize, machine: &impl Machine) -> Option<Vec<f64>> {
    pair(a, b, n, true, machine)
}

fn pair(a: &[f64], b: &[f64], n: usize, with_vectors: bool, machine: &impl Machine) -> Option<Vec<f64>> {
    let (a, b) = (Square::of(a, n), Square::of(b, n));
    if n == 0 {
        return Some(Vec::new());
    }
    let mut found = None;
    if a.is_symmetric() && b.is_symmetric() {
        let mut factor = Square::of(&b.elements, n);
        cholesky(&mut factor.elements, n, machine);
        if (0..n).all(|k| factor[(k, k)] > 0.0) {
            machine.each(vec![(a, factor, &mut found)], 0, &Definite);
            return found;
        }
    }
    machine.each(vec![(a, b, &mut found)], 0, &General { with_vectors });
    found
}

/// A symmetric matrix and the upper factor of a positive definite one.
struct Definite;

impl Work<(Square, Square, &mut Option<Vec<f64>>)> for Definite {
    #[inline(always)]
    fn run(&self, (mut a, factor, found): (Square, Square, &mut Option<Vec<f64>>)) {
        let n = a.n;
        solve_transposed(&factor, &mut a);
        (0..n).for_each(|j| (0..j).for_each(|i| a.elements.swap(i + j * n, j + i * n)));
        solve_transposed(&factor, &mut a);
        (0..n).for_each(|j| (0..j).for_each(|i| a[(j, i)] = a[(i, j)]));
        if let Some((mut vectors, values)) = symmetric_eigenvectors(a) {
            solve(&factor, &mut vectors);
            *found = Some(packed(&vectors, values, Vec::new()));
        }
    }
}

/// Replaces columns x by the solution of `factor' * y = x`.
#[inline(always)]
fn solve_transposed(factor: &Square, x: &mut Square) {
    let n = x.n;
    for x in x.elements.chunks_exact_mut(n) {
        for i in 0..n {
            let (known, rest) = x.split_at_mut(i);
            let sum: f64 = factor.column(i)[..i].iter().zip(known).map(|(u, x)| u * *x).sum();
            rest[0] = (rest[0] - sum) / factor[(i, i)];
        }
    }
}

/// Replaces columns x by the solution of `factor * y = x`.
#[inline(always)]
fn solve(factor: &Square, x: &mut Square) {
    let n = x.n;
    for x in x.elements.chunks_exact_mut(n) {
        for i in (0..n).rev() {
            x[i] /= factor[(i, i)];
            let last = x[i];
            x[..i].iter_mut().zip(factor.column(i)).for_each(|(x, u)| *x -= last * u);
        }
    }
}

/// Any two matrices.
struct General {
    with_vectors: bool,
}

impl Work<(Square, Square, &mut Option<Vec<f64>>)> for General {
    #[inline(always)]
    fn run(&self, (mut a, mut b, found): (Square, Square, &mut Option<Vec<f64>>)) {
        let n = a.n;
        let ratio = a.moderate() / b.moderate();
        let Some(qz) = Qz::of(Pencil::reduced(a, b, self.with_vectors)) else { return };
        let mut vectors = match &qz.pencil.right {
            Some(right) => pencil_vectors(&qz.pencil, right),
            None => Square::identity(n),
        };
        qz.pencil.undo(&mut vectors);
        let re = memory::gathered(qz.re.iter().zip(&qz.beta).map(|(x, beta)| x / beta * ratio));
        let imaginary = |(x, beta): (&f64, &f64)| if *x == 0.0 { 0.0 } else { x / beta * ratio };
        let im = memory::gathered(qz.im.iter().zip(&qz.beta).map(imaginary));
        *found = Some(packed(&vectors, re, im));
    }
}
