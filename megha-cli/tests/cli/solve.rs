//! Loops of several kinds.
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

/// The rows of a flat array are apart where `ld >= m`.
#[megha::offload]
pub fn rows(a: &mut [f64], n: usize, m: usize, ld: usize) {
    for i in 0..n {
        for j in 0..m {
            a[i * ld + j] += 1.0;
        }
    }
}

#[megha::offload]
pub fn sweep(mut u: ArrayViewMut2<f64>) {
    for i in 1..u.nrows() {
        for j in 0..u.ncols() {
            u[[i, j]] = 0.5 * (u[[i, j]] + u[[i - 1, j]]);
        }
    }
}

mod inner {
    use super::*;
    #[offload(T = f32, f64)]
    fn sums<T: Float>(a: ArrayView2<T>, mut y: ArrayViewMut1<T>) -> T {
        let mut total = T::zero();
        for i in 0..a.nrows() {
            let mut s = T::zero();
            for j in 0..a.ncols() {
                s += a[[i, j]];
            }
            y[i] = s;
        }
        for i in 0..y.len() {
            total += y[i];
        }
        total
    }
}

#[megha::offload]
fn count(x: &[i64], g: &mut [i64], idx: &[usize]) -> (i64, i64) {
    let mut s = 0;
    let mut m = i64::MIN;
    for i in 0..x.len() {
        s += x[i];
        m = m.max(x[i]);
    }
    for i in 0..x.len() {
        g[idx[i]] += x[i];
    }
    (s, m)
}

fn main() {
    let x = ndarray::Array1::<f64>::zeros(10);
    let y = megha::matlab!(|x: f64[n, 1]| -> y {
        y = zeros(size(x));
        for i = 2:numel(x)
            y(i) = y(i-1) + x(i);
        end
    }).unwrap();
}
