//! gemm, gemver, gesummv, symm, syr2k, syrk, trmm.

use super::{all, both, form, same};
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn gemm(alpha: f64, beta: f64, mut c: ArrayViewMut2<f64>, a: ArrayView2<f64>, b: ArrayView2<f64>) {
        let (ni, nj) = c.dim();
        let nk = a.ncols();
        for i in 0..ni {
            for j in 0..nj {
                c[[i, j]] *= beta;
            }
            for k in 0..nk {
                for j in 0..nj {
                    c[[i, j]] += alpha * a[[i, k]] * b[[k, j]];
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "PolyBench's own")]
    pub fn gemver(
        alpha: f64,
        beta: f64,
        mut a: ArrayViewMut2<f64>,
        u1: ArrayView1<f64>,
        v1: ArrayView1<f64>,
        u2: ArrayView1<f64>,
        v2: ArrayView1<f64>,
        mut w: ArrayViewMut1<f64>,
        mut x: ArrayViewMut1<f64>,
        y: ArrayView1<f64>,
        z: ArrayView1<f64>,
    ) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..n {
                a[[i, j]] = a[[i, j]] + u1[i] * v1[j] + u2[i] * v2[j];
            }
        }
        for i in 0..n {
            for j in 0..n {
                x[i] += beta * a[[j, i]] * y[j];
            }
        }
        for i in 0..n {
            x[i] += z[i];
        }
        for i in 0..n {
            for j in 0..n {
                w[i] += alpha * a[[i, j]] * x[j];
            }
        }
    }

    pub fn gesummv(
        alpha: f64,
        beta: f64,
        a: ArrayView2<f64>,
        b: ArrayView2<f64>,
        mut tmp: ArrayViewMut1<f64>,
        x: ArrayView1<f64>,
        mut y: ArrayViewMut1<f64>,
    ) {
        let n = a.nrows();
        for i in 0..n {
            tmp[i] = 0.0;
            y[i] = 0.0;
            for j in 0..n {
                tmp[i] += a[[i, j]] * x[j];
                y[i] += b[[i, j]] * x[j];
            }
            y[i] = alpha * tmp[i] + beta * y[i];
        }
    }

    pub fn symm(alpha: f64, beta: f64, mut c: ArrayViewMut2<f64>, a: ArrayView2<f64>, b: ArrayView2<f64>) {
        let (m, n) = c.dim();
        for i in 0..m {
            for j in 0..n {
                let mut temp = 0.0;
                for k in 0..i {
                    c[[k, j]] += alpha * b[[i, j]] * a[[i, k]];
                    temp += b[[k, j]] * a[[i, k]];
                }
                c[[i, j]] = beta * c[[i, j]] + alpha * b[[i, j]] * a[[i, i]] + alpha * temp;
            }
        }
    }

    pub fn syr2k(alpha: f64, beta: f64, mut c: ArrayViewMut2<f64>, a: ArrayView2<f64>, b: ArrayView2<f64>) {
        let (n, m) = a.dim();
        for i in 0..n {
            for j in 0..=i {
                c[[i, j]] *= beta;
            }
            for k in 0..m {
                for j in 0..=i {
                    c[[i, j]] += a[[j, k]] * alpha * b[[i, k]] + b[[j, k]] * alpha * a[[i, k]];
                }
            }
        }
    }

    pub fn syrk(alpha: f64, beta: f64, mut c: ArrayViewMut2<f64>, a: ArrayView2<f64>) {
        let (n, m) = a.dim();
        for i in 0..n {
            for j in 0..=i {
                c[[i, j]] *= beta;
            }
            for k in 0..m {
                for j in 0..=i {
                    c[[i, j]] += alpha * a[[i, k]] * a[[j, k]];
                }
            }
        }
    }

    pub fn trmm(alpha: f64, a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let (m, n) = b.dim();
        for i in 0..m {
            for j in 0..n {
                for k in i + 1..m {
                    b[[i, j]] += a[[k, i]] * b[[k, j]];
                }
                b[[i, j]] *= alpha;
            }
        }
    }
}

#[test]
fn products() {
    same(
        |offloaded, given, n| {
            let (a, b, mut c) = (given.matrix(n, n + 2, 1), given.matrix(n + 2, n + 1, 2), given.matrix(n, n + 1, 3));
            form!(offloaded, gemm(1.5, 1.2, c.view_mut(), a.view(), b.view()));
            all!(c)
        },
        &[0, 1, 5, 23],
    );
    same(
        |offloaded, given, n| {
            let (a, b, mut c) = (given.matrix(n, n, 1), given.matrix(n, n + 1, 2), given.matrix(n, n + 1, 3));
            form!(offloaded, symm(1.5, 1.2, c.view_mut(), a.view(), b.view()));
            all!(c)
        },
        &[1, 4, 19],
    );
    same(
        |offloaded, given, n| {
            let (a, b, mut c) = (given.matrix(n, n + 3, 1), given.matrix(n, n + 3, 2), given.matrix(n, n, 3));
            form!(offloaded, syr2k(1.5, 1.2, c.view_mut(), a.view(), b.view()));
            form!(offloaded, syrk(0.5, 0.7, c.view_mut(), a.view()));
            all!(c)
        },
        &[1, 4, 19],
    );
    same(
        |offloaded, given, n| {
            let (a, mut b) = (given.matrix(n, n, 1), given.matrix(n, n + 2, 2));
            form!(offloaded, trmm(1.5, a.view(), b.view_mut()));
            all!(b)
        },
        &[1, 4, 19],
    );
}

#[test]
fn products_with_vectors() {
    same(
        |offloaded, given, n| {
            let [u1, v1, u2, v2, y, z] = [1, 2, 3, 4, 5, 6].map(|seed| given.vector(n, seed));
            let (mut a, mut w, mut x) = (given.matrix(n, n, 7), given.vector(n, 8), given.vector(n, 9));
            form!(
                offloaded,
                gemver(
                    1.5,
                    1.2,
                    a.view_mut(),
                    u1.view(),
                    v1.view(),
                    u2.view(),
                    v2.view(),
                    w.view_mut(),
                    x.view_mut(),
                    y.view(),
                    z.view()
                )
            );
            all!(a, w, x)
        },
        &[0, 1, 5, 23],
    );
    same(
        |offloaded, given, n| {
            let (a, b, x) = (given.matrix(n, n, 1), given.matrix(n, n, 2), given.vector(n, 3));
            let (mut tmp, mut y) = (given.vector(n, 4), given.vector(n, 5));
            form!(offloaded, gesummv(1.5, 1.2, a.view(), b.view(), tmp.view_mut(), x.view(), y.view_mut()));
            all!(tmp, y)
        },
        &[0, 1, 5, 23],
    );
}
