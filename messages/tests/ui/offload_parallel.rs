//! `#[offload(parallel)]` and `#[offload(explain)]`: what became of each loop.

use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

#[megha::offload(parallel)]
fn carries(mut y: ArrayViewMut1<f64>) {
    for i in 1..y.len() {
        y[i] += 0.5 * y[i - 1];
    }
}

#[megha::offload(parallel)]
fn steps(mut y: ArrayViewMut1<f64>, mut z: ArrayViewMut1<f64>, times: usize) {
    for _ in 0..times {
        for i in 1..y.len() - 1 {
            z[i] = y[i - 1] + y[i + 1];
        }
        for i in 1..y.len() - 1 {
            y[i] = 0.5 * z[i];
        }
    }
}

#[megha::offload(parallel)]
fn scatters(p: &[usize], x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
    for i in 0..p.len() {
        let by = x[i];
        y[p[i]] += by;
    }
}

#[megha::offload(parallel)]
fn searches(x: ArrayView1<f64>) -> usize {
    let mut i = 0;
    while i < x.len() && x[i] < 1.0 {
        i += 1;
    }
    i
}

// This one is fine.
#[megha::offload(parallel, explain)]
fn multiplies(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
    for i in 0..c.nrows() {
        for j in 0..c.ncols() {
            let mut sum = 0.0;
            for k in 0..a.ncols() {
                sum += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = sum;
        }
    }
}

#[megha::offload(explain)]
fn sweeps(mut a: ArrayViewMut2<f64>) {
    for i in 1..a.nrows() {
        for j in 1..a.ncols() {
            a[[i, j]] += a[[i, j - 1]];
            a[[i, j]] += a[[i - 1, j]];
        }
    }
}

#[megha::offload(fast)]
fn asks_for_what_there_is_not(_x: f64) {}

fn main() {
    let _ = (multiplies, sweeps);
}
