//! Parameters and results of all kinds.

use super::{SIZES, all, both, form, same};
use ndarray::{
    Array, Array1, Array2, Array3, Array4, ArrayView, ArrayView1, ArrayView4, ArrayViewMut, ArrayViewMut4, Ix1, Ix2,
    Ix3,
};

type Real = f64;
type Matrix<'a> = ArrayView<'a, Real, Ix2>;
type Column = Array1<f64>;

const SCALE: f64 = 1.5;
const SHIFT: usize = 2;
mod constants {
    pub const OFFSET: i32 = -3;
}

both! {
    pub fn slices(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len().min(y.len()) {
            y[i] += 2.0 * x[i];
        }
    }

    pub fn vectors(x: &Vec<f64>, y: &mut Vec<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            y[i] -= x[i];
            sum += y[i];
        }
        sum
    }

    pub fn priced(call: &mut [f64], put: &mut [f64], run: f64) {
        for i in 0..call.len().min(put.len()) {
            call[i] += run * put[i];
            put[i] -= call[i];
        }
    }

    pub fn fixed(weights: &[f64; 3], x: &[f64], y: &mut [f64]) {
        for i in 1..x.len().max(1) - 1 {
            y[i] = weights[0] * x[i - 1] + weights[1] * x[i] + weights[2] * x[i + 1];
        }
    }

    pub fn dimensions(a: ArrayView<f64, Ix2>, mut b: ArrayViewMut<f64, Ix2>, c: &Array<f64, Ix1>, d: &mut Array<f64, Ix3>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                b[(i, j)] = a[(i, j)] + c[j];
                d[(i, j, 0)] = b[[i, j]] * 0.5;
            }
        }
    }

    pub fn four(a: ArrayView4<f64>, mut b: ArrayViewMut4<f64>) {
        let (n, m, p, q) = a.dim();
        for i in 0..n {
            for j in 0..m {
                for k in 0..p {
                    for l in 0..q {
                        b[[i, j, k, l]] = a[[i, j, k, l]] + (i + j + k + l) as f64;
                    }
                }
            }
        }
    }

    pub fn aliases(a: Matrix, x: &Column, y: &mut Column, scale: Real) {
        for i in 0..a.nrows() {
            let mut sum: Real = 0.0;
            for j in 0..a.ncols() {
                sum += a[[i, j]] * x[j];
            }
            y[i] = scale * sum;
        }
    }

    pub fn owned(a: Array2<f64>, mut x: Array1<f64>, y: &mut [f64]) {
        for i in 0..a.nrows() {
            x[i] += a[[i, i]];
            y[i] = x[i];
        }
    }

    pub fn outside(x: ArrayView1<f64>, y: &mut [f64]) -> i32 {
        const LOCAL: f64 = 0.25;
        for i in 0..x.len() {
            if i + SHIFT < y.len() {
                y[i + SHIFT] = SCALE * x[i] + LOCAL + std::f64::consts::PI + f64::EPSILON;
            }
        }
        constants::OFFSET * 2
    }

    pub fn sizes(a: &Array2<f64>, x: &[f64], v: ArrayView4<f64>) -> (usize, usize, bool, bool, usize) {
        let n = a.len_of(ndarray::Axis(1)) + a.shape()[0] + a.len();
        (n, v.dim().3 + v.shape()[2], x.is_empty(), a.is_empty(), x.len())
    }

    pub fn pair(a: f64, b: i32, c: bool) -> (f64, i32, bool) {
        if c {
            return (a, b, c);
        }
        (a + 1.0, b + 1, !c)
    }
}

#[test]
fn slices_and_vectors() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            form!(offloaded, slices(&x, &mut y));
            let sum = form!(offloaded, vectors(&x, &mut y));
            let mut z = y.clone();
            form!(offloaded, priced(&mut y, &mut z, 0.5));
            form!(offloaded, fixed(&[0.25, 0.5, -0.25], &x, &mut y));
            all!(y, [sum])
        },
        &SIZES,
    );
}

#[test]
fn dimensions_by_their_types() {
    same(
        |offloaded, given, n| {
            let (a, mut b, c) = (given.matrix(n, n + 2, 1), given.matrix(n, n + 2, 2), given.vector(n + 2, 3));
            let mut d: Array3<f64> = given.solid([n, n + 2, 1], 4);
            form!(offloaded, dimensions(a.view(), b.view_mut(), &c, &mut d));
            all!(b, d)
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let a = given.solid([n, 2, 3], 1).insert_axis(ndarray::Axis(1));
            let mut b = Array4::zeros(a.dim());
            form!(offloaded, four(a.view(), b.view_mut()));
            all!(b)
        },
        &[0, 1, 4],
    );
}

#[test]
fn aliases_of_types_and_owned_arrays() {
    same(
        |offloaded, given, n| {
            let (a, x, mut y) = (given.matrix(n, n, 1), given.vector(n, 2), given.vector(n, 3));
            form!(offloaded, aliases(a.view(), &x, &mut y, 0.5));
            let mut z = vec![0.0; n];
            form!(offloaded, owned(a.clone(), x.clone(), &mut z));
            all!(y, z)
        },
        &SIZES,
    );
}

#[test]
fn constants_from_outside() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), vec![0.0; n]);
            let offset = form!(offloaded, outside(x.view(), &mut y));
            all!(y, [offset])
        },
        &SIZES,
    );
}

#[test]
fn sizes_and_several_results() {
    same(
        |offloaded, given, n| {
            let (a, v) = (given.matrix(n, n + 1, 1), Array4::<f64>::zeros((1, n, 2, 3)));
            let (b, c, d, e, f) = form!(offloaded, sizes(&a, &vec![0.0; n], v.view()));
            let (g, h, i) = form!(offloaded, pair(2.5, n as i32, n % 2 == 0));
            all!([b, c, f], [d, e], [g], [h], [i])
        },
        &SIZES,
    );
}
