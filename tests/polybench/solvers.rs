//! cholesky, durbin, gramschmidt, lu, ludcmp, trisolv.

use super::{all, both, form, same};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn cholesky(mut a: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[j, k]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for k in 0..i {
                a[[i, i]] -= a[[i, k]] * a[[i, k]];
            }
            a[[i, i]] = a[[i, i]].sqrt();
        }
    }

    pub fn durbin(r: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        let n = r.len();
        let mut z = Array1::<f64>::zeros(n);
        y[0] = -r[0];
        let mut beta = 1.0;
        let mut alpha = -r[0];
        for k in 1..n {
            beta = (1.0 - alpha * alpha) * beta;
            let mut sum = 0.0;
            for i in 0..k {
                sum += r[k - i - 1] * y[i];
            }
            alpha = -(r[k] + sum) / beta;
            for i in 0..k {
                z[i] = y[i] + alpha * y[k - i - 1];
            }
            for i in 0..k {
                y[i] = z[i];
            }
            y[k] = alpha;
        }
    }

    pub fn gramschmidt(a: &mut Array2<f64>, r: &mut Array2<f64>, q: &mut Array2<f64>) {
        let (m, n) = a.dim();
        for k in 0..n {
            let mut nrm = 0.0;
            for i in 0..m {
                nrm += a[[i, k]] * a[[i, k]];
            }
            r[[k, k]] = nrm.sqrt();
            for i in 0..m {
                q[[i, k]] = a[[i, k]] / r[[k, k]];
            }
            for j in (k + 1)..n {
                r[[k, j]] = 0.0;
                for i in 0..m {
                    r[[k, j]] += q[[i, k]] * a[[i, j]];
                }
                for i in 0..m {
                    a[[i, j]] -= q[[i, k]] * r[[k, j]];
                }
            }
        }
    }

    pub fn lu(a: &mut Array2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for j in i..n {
                for k in 0..i {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
        }
    }

    pub fn ludcmp(a: &mut Array2<f64>, b: &Array1<f64>, x: &mut Array1<f64>, y: &mut Array1<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..i {
                let mut w = a[[i, j]];
                for k in 0..j {
                    w -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] = w / a[[j, j]];
            }
            for j in i..n {
                let mut w = a[[i, j]];
                for k in 0..i {
                    w -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] = w;
            }
        }
        for i in 0..n {
            let mut w = b[i];
            for j in 0..i {
                w -= a[[i, j]] * y[j];
            }
            y[i] = w;
        }
        for i in (0..n).rev() {
            let mut w = y[i];
            for j in i + 1..n {
                w -= a[[i, j]] * x[j];
            }
            x[i] = w / a[[i, i]];
        }
    }

    pub fn trisolv(l: ArrayView2<f64>, mut x: ArrayViewMut1<f64>, b: ArrayView1<f64>) {
        for i in 0..l.nrows() {
            x[i] = b[i];
            for j in 0..i {
                x[i] -= l[[i, j]] * x[j];
            }
            x[i] /= l[[i, i]];
        }
    }
}

#[test]
fn factorisations() {
    same(
        |offloaded, given, n| {
            let mut a = given.dominant(n, 1);
            form!(offloaded, cholesky(a.view_mut()));
            all!(a)
        },
        &[0, 1, 5, 23, 70],
    );
    same(
        |offloaded, given, n| {
            let mut a = given.dominant(n, 1);
            form!(offloaded, lu(&mut a));
            all!(a)
        },
        &[0, 1, 5, 23],
    );
    same(
        |offloaded, given, n| {
            let (mut a, mut r, mut q) = (given.matrix(n + 2, n, 1), given.matrix(n, n, 2), given.matrix(n + 2, n, 3));
            form!(offloaded, gramschmidt(&mut a, &mut r, &mut q));
            all!(a, r, q)
        },
        &[0, 1, 5, 17],
    );
}

#[test]
fn systems_of_equations() {
    same(
        |offloaded, given, n| {
            let (mut a, b) = (given.dominant(n, 1), given.vector(n, 2));
            let (mut x, mut y) = (given.vector(n, 3), given.vector(n, 4));
            form!(offloaded, ludcmp(&mut a, &b, &mut x, &mut y));
            all!(a, x, y)
        },
        &[0, 1, 5, 23],
    );
    same(
        |offloaded, given, n| {
            let (l, b, mut x) = (given.dominant(n, 1), given.vector(n, 2), given.vector(n, 3));
            form!(offloaded, trisolv(l.view(), x.view_mut(), b.view()));
            all!(x)
        },
        &[0, 1, 5, 23],
    );
    same(
        |offloaded, given, n| {
            let r = given.vector(n, 1).mapv(|x| 0.3 * x / n as f64);
            let mut y = given.vector(n, 2);
            form!(offloaded, durbin(r.view(), y.view_mut()));
            all!(y)
        },
        &[1, 2, 5, 40],
    );
}
