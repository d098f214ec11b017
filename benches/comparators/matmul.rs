//! Matrix product.

use ndarray::{Array2, ArrayView2};

/// `a * b` of an (m,k) and a (k,n) matrix by ndarray's own product.
pub fn operators(a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
    a.dot(&b)
}

/// The same by the definition, one element at a time.
pub fn loops(a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
    let mut c = Array2::zeros((a.nrows(), b.ncols()));
    for i in 0..a.nrows() {
        for j in 0..b.ncols() {
            let mut total = 0.0;
            for k in 0..a.ncols() {
                total += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = total;
        }
    }
    c
}
