//! 2mm, 3mm, atax, bicg, doitgen, mvt.

use super::{all, both, form, same};
use ndarray::{Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn two_products(alpha: f64, beta: f64, a: &Array2<f64>, b: &Array2<f64>, c: &Array2<f64>, d: &mut Array2<f64>) {
        let (ni, nk, nj, nl) = (a.nrows(), a.ncols(), b.ncols(), d.ncols());
        let mut tmp = Array2::<f64>::zeros((ni, nj));
        for i in 0..ni {
            for j in 0..nj {
                for k in 0..nk {
                    tmp[[i, j]] += alpha * a[[i, k]] * b[[k, j]];
                }
            }
        }
        for i in 0..ni {
            for j in 0..nl {
                d[[i, j]] *= beta;
                for k in 0..nj {
                    d[[i, j]] += tmp[[i, k]] * c[[k, j]];
                }
            }
        }
    }

    pub fn three_products(
        a: ArrayView2<f64>,
        b: ArrayView2<f64>,
        c: ArrayView2<f64>,
        d: ArrayView2<f64>,
        mut e: ArrayViewMut2<f64>,
        mut f: ArrayViewMut2<f64>,
        mut g: ArrayViewMut2<f64>,
    ) {
        let (ni, nj) = e.dim();
        let (_, nl) = f.dim();
        for i in 0..ni {
            for j in 0..nj {
                e[[i, j]] = 0.0;
                for k in 0..a.ncols() {
                    e[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
        for i in 0..nj {
            for j in 0..nl {
                f[[i, j]] = 0.0;
                for k in 0..c.ncols() {
                    f[[i, j]] += c[[i, k]] * d[[k, j]];
                }
            }
        }
        for i in 0..ni {
            for j in 0..nl {
                g[[i, j]] = 0.0;
                for k in 0..nj {
                    g[[i, j]] += e[[i, k]] * f[[k, j]];
                }
            }
        }
    }

    pub fn atax(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, mut tmp: ArrayViewMut1<f64>) {
        let (m, n) = a.dim();
        for i in 0..n {
            y[i] = 0.0;
        }
        for i in 0..m {
            tmp[i] = 0.0;
            for j in 0..n {
                tmp[i] += a[[i, j]] * x[j];
            }
            for j in 0..n {
                y[j] += a[[i, j]] * tmp[i];
            }
        }
    }

    pub fn bicg(a: &Array2<f64>, s: &mut Array1<f64>, q: &mut Array1<f64>, p: &Array1<f64>, r: &Array1<f64>) {
        let (n, m) = (a.nrows(), a.ncols());
        s.fill(0.0);
        for i in 0..n {
            q[i] = 0.0;
            for j in 0..m {
                s[j] += r[i] * a[[i, j]];
                q[i] += a[[i, j]] * p[j];
            }
        }
    }

    pub fn doitgen(a: &mut Array3<f64>, c4: &Array2<f64>) {
        let (nr, nq, np) = a.dim();
        let mut sum = Array1::<f64>::zeros(np);
        for r in 0..nr {
            for q in 0..nq {
                for p in 0..np {
                    sum[p] = 0.0;
                    for s in 0..np {
                        sum[p] += a[[r, q, s]] * c4[[s, p]];
                    }
                }
                for p in 0..np {
                    a[[r, q, p]] = sum[p];
                }
            }
        }
    }

    pub fn mvt(x1: &mut [f64], x2: &mut [f64], y1: &[f64], y2: &[f64], a: &Array2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..n {
                x1[i] += a[[i, j]] * y1[j];
            }
        }
        for i in 0..n {
            for j in 0..n {
                x2[i] += a[[j, i]] * y2[j];
            }
        }
    }
}

#[test]
fn chains_of_products() {
    same(
        |offloaded, given, n| {
            let (a, b) = (given.matrix(n, n + 2, 1), given.matrix(n + 2, n + 1, 2));
            let (c, mut d) = (given.matrix(n + 1, n + 3, 3), given.matrix(n, n + 3, 4));
            form!(offloaded, two_products(1.5, 1.2, &a, &b, &c, &mut d));
            all!(d)
        },
        &[0, 1, 5, 21],
    );
    same(
        |offloaded, given, n| {
            let (a, b) = (given.matrix(n, n + 2, 1), given.matrix(n + 2, n + 1, 2));
            let (c, d) = (given.matrix(n + 1, n + 4, 3), given.matrix(n + 4, n + 3, 4));
            let (mut e, mut f, mut g) =
                (given.matrix(n, n + 1, 5), given.matrix(n + 1, n + 3, 6), given.matrix(n, n + 3, 7));
            form!(
                offloaded,
                three_products(a.view(), b.view(), c.view(), d.view(), e.view_mut(), f.view_mut(), g.view_mut())
            );
            all!(e, f, g)
        },
        &[0, 1, 5, 21],
    );
}

#[test]
fn a_matrix_and_its_transposed() {
    same(
        |offloaded, given, n| {
            let (a, x) = (given.matrix(n + 2, n, 1), given.vector(n, 2));
            let (mut y, mut tmp) = (given.vector(n, 3), given.vector(n + 2, 4));
            form!(offloaded, atax(a.view(), x.view(), y.view_mut(), tmp.view_mut()));
            all!(y, tmp)
        },
        &[0, 1, 5, 23],
    );
    same(
        |offloaded, given, n| {
            let (a, p, r) = (given.matrix(n + 2, n, 1), given.vector(n, 2), given.vector(n + 2, 3));
            let (mut s, mut q) = (given.vector(n, 4), given.vector(n + 2, 5));
            form!(offloaded, bicg(&a, &mut s, &mut q, &p, &r));
            all!(s, q)
        },
        &[0, 1, 5, 23],
    );
    same(
        |offloaded, given, n| {
            let a = given.matrix(n, n, 1);
            let [mut x1, mut x2, y1, y2] = [2, 3, 4, 5].map(|seed| given.vector(n, seed).to_vec());
            form!(offloaded, mvt(&mut x1, &mut x2, &y1, &y2, &a));
            all!(x1, x2)
        },
        &[0, 1, 5, 23],
    );
}

#[test]
fn products_along_the_last_dimension() {
    same(
        |offloaded, given, n| {
            let (mut a, c4) = (given.solid([n, n + 1, n + 2], 1), given.matrix(n + 2, n + 2, 2));
            form!(offloaded, doitgen(&mut a, &c4));
            all!(a)
        },
        &[0, 1, 3, 9],
    );
}
