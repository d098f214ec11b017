//! Local arrays.

use super::{SIZES, all, both, form, same};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn fixed(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        const TAPS: usize = 3;
        let weights = [0.25, 0.5, 0.25];
        let mut counts = [0usize; 4];
        for i in 0..x.len() {
            let mut window = [0.0; TAPS];
            for k in 0..TAPS {
                let at = (i + k).min(x.len() - 1);
                window[k] = x[at];
            }
            let mut sum = 0.0;
            for k in 0..TAPS {
                sum += weights[k] * window[k];
            }
            y[i] = sum;
            counts[i % 4] += 1;
        }
        for k in 0..counts.len() {
            if k < y.len() {
                y[k] += counts[k] as f64;
            }
        }
    }

    pub fn rotations(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let rotation = [[0.0, -1.0], [1.0, 0.0]];
        for i in 0..a.nrows() {
            let mut product = [[0.0; 2]; 2];
            for r in 0..2 {
                for c in 0..2 {
                    for k in 0..2 {
                        product[r][c] += rotation[r][k] * a[[i, k]] * (c as f64 + 1.0);
                    }
                }
            }
            b[[i, 0]] = product[0][0] + product[1][1];
            b[[i, 1]] = product[0][1] - product[1][0];
        }
    }

    pub fn sized(a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>) {
        let (n, m) = a.dim();
        let mut sums = vec![0.0; m];
        let mut squares = Array2::<f64>::zeros((n, m));
        let mut largest = Array1::from_elem(n, f64::NEG_INFINITY);
        let ones: Array1<f64> = Array1::ones(m);
        for i in 0..n {
            let mut row = Array1::<f64>::zeros(m);
            for j in 0..m {
                row[j] = a[[i, j]] * ones[j];
                sums[j] += row[j];
                squares[[i, j]] = row[j] * row[j];
            }
            for j in 0..m {
                largest[i] = largest[i].max(row[j] + squares[[i, j]]);
            }
        }
        for i in 0..n {
            y[i] = largest[i] + if i < m { sums[i] } else { 0.0 };
        }
    }

    pub fn one(x: ArrayView1<f64>) -> f64 {
        let mut total = [0.0; 1];
        for i in 0..x.len() {
            total[0] += x[i];
        }
        total[0]
    }

    pub fn shadows(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            let x = x[i];
            let y0 = y[i];
            let x = x * y0;
            y[i] = x;
        }
    }
}

#[test]
fn arrays_of_a_fixed_size() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            form!(offloaded, fixed(x.view(), y.view_mut()));
            form!(offloaded, shadows(x.view(), y.view_mut()));
            let sum = form!(offloaded, one(x.view()));
            let (a, mut b) = (given.matrix(n, 2, 3), given.matrix(n, 2, 4));
            form!(offloaded, rotations(a.view(), b.view_mut()));
            all!(y, b, [sum])
        },
        &SIZES,
    );
}

#[test]
fn arrays_whose_size_the_call_says() {
    same(
        |offloaded, given, n| {
            let (a, mut y) = (given.matrix(n, n + 2, 1), given.vector(n, 2));
            form!(offloaded, sized(a.view(), y.view_mut()));
            all!(y)
        },
        &SIZES,
    );
}
