//! Eigenvalues and eigenvectors of real matrices, in the order, with the lengths and the signs of LAPACK's `syev` and `geev`.

use super::balance::Balance;
use super::francis::Schur;
use super::hessenberg::hessenberg;
use super::reflection::length;
use super::rotation::Rotation;
use super::square::{Square, length_of, turn};
use super::symmetric_vectors::symmetric_eigenvectors;
use super::triangle_vectors::triangle_vectors;
use super::{Machine, Work, symmetric_eigenvalues};
use crate::memory;

/// The eigenvalues of a matrix of order n: all real parts, then all imaginary parts; `None` if the iterations do not converge.
pub fn eigenvalues(a: &[f64], n: usize, machine: &impl Machine) -> Option<Vec<f64>> {
    let mut a = Square::of(a, n);
    if a.is_symmetric() {
        let factor = a.moderate();
        let mut values = symmetric_eigenvalues(&mut a.elements, n, machine)?;
        values.iter_mut().for_each(|value| *value *= factor);
        memory::reserve(&mut values, n);
        values.resize(2 * n, 0.0);
        return Some(values);
    }
    let mut found = None;
    machine.each(vec![(a, &mut found)], 0, &Values);
    found
}

/// The eigenvectors and eigenvalues of a matrix of order n: the vectors' real parts in columns, their imaginary parts, the values'
/// real parts, their imaginary parts; `None` if the iterations do not converge. The vectors have the length one, and those
/// of complex eigenvalues a largest element that is real.
pub fn eigenvectors(a: &[f64], n: usize, machine: &impl Machine) -> Option<Vec<f64>> {
    let mut found = None;
    machine.each(vec![(Square::of(a, n), &mut found)], 0, &Vectors);
    found
}

struct Values;

impl Work<(Square, &mut Option<Vec<f64>>)> for Values {
    #[inline(always)]
    fn run(&self, (a, found): (Square, &mut Option<Vec<f64>>)) {
        *found = schur(a, false).map(|(schur, _)| memory::gathered(schur.re.into_iter().chain(schur.im)));
    }
}

struct Vectors;

impl Work<(Square, &mut Option<Vec<f64>>)> for Vectors {
    #[inline(always)]
    fn run(&self, (a, found): (Square, &mut Option<Vec<f64>>)) {
        *found = if a.is_symmetric() {
            symmetric_eigenvectors(a).map(|(vectors, values)| packed(&vectors, values, Vec::new()))
        } else {
            general(a)
        };
    }
}

/// Eigenvectors of a matrix that is not symmetric.
#[inline(always)]
fn general(a: Square) -> Option<Vec<f64>> {
    let (schur, balance) = schur(a, true)?;
    let mut vectors = triangle_vectors(&schur.form, schur.vectors.as_ref()?);
    balance.undo(&mut vectors);
    normalize(&mut vectors, &schur.im);
    Some(packed(&vectors, schur.re, schur.im))
}

/// The Schur form of a matrix, and how the matrix was balanced before.
#[inline(always)]
fn schur(mut a: Square, with_vectors: bool) -> Option<(Schur, Balance)> {
    let factor = a.moderate();
    let balance = Balance::of(&mut a);
    let q = hessenberg(&mut a, balance.low, balance.high, with_vectors);
    let mut schur = Schur::of(a, q, balance.low, balance.high)?;
    schur.re.iter_mut().chain(&mut schur.im).for_each(|value| *value *= factor);
    Some((schur, balance))
}

/// Gives vectors the length one, and the largest element of complex ones no imaginary part.
#[inline(always)]
fn normalize(vectors: &mut Square, im: &[f64]) {
    let mut j = 0;
    while j < vectors.n {
        if im[j] == 0.0 {
            let all = length(vectors.column(j));
            vectors.column_mut(j).iter_mut().for_each(|x| *x /= all);
            j += 1;
            continue;
        }
        let (x, y) = vectors.two_columns(j, j + 1);
        let all = length_of(length(x), length(y));
        x.iter_mut().chain(&mut *y).for_each(|x| *x /= all);
        let square = |k: usize| x[k] * x[k] + y[k] * y[k];
        let largest = (1..x.len()).fold(0, |best, k| if square(k) > square(best) { k } else { best });
        turn(x, y, Rotation::onto_first(x[largest], y[largest]).0);
        y[largest] = 0.0;
        j += 2;
    }
}

/// Vectors whose complex pairs share two columns, and values, as they are given to programs.
pub(super) fn packed(vectors: &Square, re: Vec<f64>, mut im: Vec<f64>) -> Vec<f64> {
    let n = vectors.n;
    memory::reserve(&mut im, n);
    im.resize(n, 0.0);
    let mut out = memory::zeros(2 * n * (n + 1));
    let (parts, values) = out.split_at_mut(2 * n * n);
    let (real, imaginary) = parts.split_at_mut(n * n);
    for (j, &part) in im.iter().enumerate() {
        let at = j * n..(j + 1) * n;
        if part < 0.0 {
            real[at.clone()].copy_from_slice(vectors.column(j - 1));
            imaginary[at].iter_mut().zip(vectors.column(j)).for_each(|(to, x)| *to = -x);
        } else {
            real[at.clone()].copy_from_slice(vectors.column(j));
            if part > 0.0 {
                imaginary[at].copy_from_slice(vectors.column(j + 1));
            }
        }
    }
    values[..n].copy_from_slice(&re);
    values[n..].copy_from_slice(&im);
    out
}
