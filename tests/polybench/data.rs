//! correlation, covariance.

use super::{all, both, form, same};
use ndarray::{Array2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn correlation(
        mut data: ArrayViewMut2<f64>,
        mut corr: ArrayViewMut2<f64>,
        mut mean: ArrayViewMut1<f64>,
        mut stddev: ArrayViewMut1<f64>,
    ) {
        let (n, m) = data.dim();
        let float_n = n as f64;
        let eps = 0.1;
        for j in 0..m {
            mean[j] = 0.0;
            for i in 0..n {
                mean[j] += data[[i, j]];
            }
            mean[j] /= float_n;
        }
        for j in 0..m {
            stddev[j] = 0.0;
            for i in 0..n {
                stddev[j] += (data[[i, j]] - mean[j]) * (data[[i, j]] - mean[j]);
            }
            stddev[j] /= float_n;
            stddev[j] = stddev[j].sqrt();
            stddev[j] = if stddev[j] <= eps { 1.0 } else { stddev[j] };
        }
        for i in 0..n {
            for j in 0..m {
                data[[i, j]] -= mean[j];
                data[[i, j]] /= float_n.sqrt() * stddev[j];
            }
        }
        for i in 0..m - 1 {
            corr[[i, i]] = 1.0;
            for j in i + 1..m {
                corr[[i, j]] = 0.0;
                for k in 0..n {
                    corr[[i, j]] += data[[k, i]] * data[[k, j]];
                }
                corr[[j, i]] = corr[[i, j]];
            }
        }
        corr[[m - 1, m - 1]] = 1.0;
    }

    pub fn covariance(data: &mut Array2<f64>, cov: &mut Array2<f64>) {
        let n = data.nrows();
        let m = data.ncols();
        let float_n = n as f64;
        let mut mean = vec![0.0; m];
        for j in 0..m {
            for i in 0..n {
                mean[j] += data[[i, j]];
            }
            mean[j] /= float_n;
        }
        for i in 0..n {
            for j in 0..m {
                data[[i, j]] -= mean[j];
            }
        }
        for i in 0..m {
            for j in i..m {
                cov[[i, j]] = 0.0;
                for k in 0..n {
                    cov[[i, j]] += data[[k, i]] * data[[k, j]];
                }
                cov[[i, j]] /= float_n - 1.0;
                cov[[j, i]] = cov[[i, j]];
            }
        }
    }
}

#[test]
fn statistics() {
    same(
        |offloaded, given, n| {
            let (mut data, mut corr) = (given.matrix(n + 2, n, 1), given.matrix(n, n, 2));
            let (mut mean, mut stddev) = (given.vector(n, 3), given.vector(n, 4));
            form!(offloaded, correlation(data.view_mut(), corr.view_mut(), mean.view_mut(), stddev.view_mut()));
            all!(data, corr, mean, stddev)
        },
        &[1, 5, 21],
    );
    same(
        |offloaded, given, n| {
            let (mut data, mut cov) = (given.matrix(n + 2, n, 1), given.matrix(n, n, 2));
            form!(offloaded, covariance(&mut data, &mut cov));
            all!(data, cov)
        },
        &[0, 1, 5, 21],
    );
}
