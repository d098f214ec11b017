//! adi, fdtd-2d, heat-3d, jacobi-1d, jacobi-2d, seidel-2d.

use super::{all, both, form, same};
use ndarray::{Array1, Array2, Array3};

both! {
    pub fn adi(tsteps: usize, u: &mut Array2<f64>, v: &mut Array2<f64>, p: &mut Array2<f64>, q: &mut Array2<f64>) {
        let n = u.nrows();
        let dx = 1.0 / n as f64;
        let dy = 1.0 / n as f64;
        let dt = 1.0 / tsteps as f64;
        let (b1, b2) = (2.0, 1.0);
        let mul1 = b1 * dt / (dx * dx);
        let mul2 = b2 * dt / (dy * dy);
        let a = -mul1 / 2.0;
        let b = 1.0 + mul1;
        let c = a;
        let d = -mul2 / 2.0;
        let e = 1.0 + mul2;
        let f = d;
        for _t in 1..=tsteps {
            for i in 1..n - 1 {
                v[[0, i]] = 1.0;
                p[[i, 0]] = 0.0;
                q[[i, 0]] = v[[0, i]];
                for j in 1..n - 1 {
                    p[[i, j]] = -c / (a * p[[i, j - 1]] + b);
                    q[[i, j]] = (-d * u[[j, i - 1]] + (1.0 + 2.0 * d) * u[[j, i]] - f * u[[j, i + 1]]
                        - a * q[[i, j - 1]])
                        / (a * p[[i, j - 1]] + b);
                }
                v[[n - 1, i]] = 1.0;
                for j in (1..n - 1).rev() {
                    v[[j, i]] = p[[i, j]] * v[[j + 1, i]] + q[[i, j]];
                }
            }
            for i in 1..n - 1 {
                u[[i, 0]] = 1.0;
                p[[i, 0]] = 0.0;
                q[[i, 0]] = u[[i, 0]];
                for j in 1..n - 1 {
                    p[[i, j]] = -f / (d * p[[i, j - 1]] + e);
                    q[[i, j]] = (-a * v[[i - 1, j]] + (1.0 + 2.0 * a) * v[[i, j]] - c * v[[i + 1, j]]
                        - d * q[[i, j - 1]])
                        / (d * p[[i, j - 1]] + e);
                }
                u[[i, n - 1]] = 1.0;
                for j in (1..n - 1).rev() {
                    u[[i, j]] = p[[i, j]] * u[[i, j + 1]] + q[[i, j]];
                }
            }
        }
    }

    pub fn fdtd_2d(ex: &mut Array2<f64>, ey: &mut Array2<f64>, hz: &mut Array2<f64>, fict: &Array1<f64>) {
        let (nx, ny) = (hz.nrows(), hz.ncols());
        for t in 0..fict.len() {
            for j in 0..ny {
                ey[[0, j]] = fict[t];
            }
            for i in 1..nx {
                for j in 0..ny {
                    ey[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i - 1, j]]);
                }
            }
            for i in 0..nx {
                for j in 1..ny {
                    ex[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i, j - 1]]);
                }
            }
            for i in 0..nx - 1 {
                for j in 0..ny - 1 {
                    hz[[i, j]] -= 0.7 * (ex[[i, j + 1]] - ex[[i, j]] + ey[[i + 1, j]] - ey[[i, j]]);
                }
            }
        }
    }

    pub fn heat_3d(tsteps: usize, a: &mut Array3<f64>, b: &mut Array3<f64>) {
        let n = a.dim().0;
        for _ in 1..=tsteps {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    for k in 1..n - 1 {
                        b[[i, j, k]] = 0.125 * (a[[i + 1, j, k]] - 2.0 * a[[i, j, k]] + a[[i - 1, j, k]])
                            + 0.125 * (a[[i, j + 1, k]] - 2.0 * a[[i, j, k]] + a[[i, j - 1, k]])
                            + 0.125 * (a[[i, j, k + 1]] - 2.0 * a[[i, j, k]] + a[[i, j, k - 1]])
                            + a[[i, j, k]];
                    }
                }
            }
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    for k in 1..n - 1 {
                        a[[i, j, k]] = 0.125 * (b[[i + 1, j, k]] - 2.0 * b[[i, j, k]] + b[[i - 1, j, k]])
                            + 0.125 * (b[[i, j + 1, k]] - 2.0 * b[[i, j, k]] + b[[i, j - 1, k]])
                            + 0.125 * (b[[i, j, k + 1]] - 2.0 * b[[i, j, k]] + b[[i, j, k - 1]])
                            + b[[i, j, k]];
                    }
                }
            }
        }
    }

    pub fn jacobi_1d(tsteps: usize, a: &mut [f64], b: &mut [f64]) {
        let n = a.len();
        for _ in 0..tsteps {
            for i in 1..n - 1 {
                b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
            }
            for i in 1..n - 1 {
                a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
            }
        }
    }

    pub fn jacobi_2d(tsteps: usize, a: &mut Array2<f64>, b: &mut Array2<f64>) {
        let n = a.nrows();
        for _ in 0..tsteps {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    b[[i, j]] = 0.2 * (a[[i, j]] + a[[i, j - 1]] + a[[i, 1 + j]] + a[[1 + i, j]] + a[[i - 1, j]]);
                }
            }
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    a[[i, j]] = 0.2 * (b[[i, j]] + b[[i, j - 1]] + b[[i, 1 + j]] + b[[1 + i, j]] + b[[i - 1, j]]);
                }
            }
        }
    }

    pub fn seidel_2d(tsteps: usize, a: &mut Array2<f64>) {
        let n = a.nrows();
        for _t in 0..=tsteps - 1 {
            for i in 1..=n - 2 {
                for j in 1..=n - 2 {
                    a[[i, j]] = (a[[i - 1, j - 1]]
                        + a[[i - 1, j]]
                        + a[[i - 1, j + 1]]
                        + a[[i, j - 1]]
                        + a[[i, j]]
                        + a[[i, j + 1]]
                        + a[[i + 1, j - 1]]
                        + a[[i + 1, j]]
                        + a[[i + 1, j + 1]])
                        / 9.0;
                }
            }
        }
    }
}

#[test]
fn alternating_directions() {
    same(
        |offloaded, given, n| {
            let [mut u, mut v, mut p, mut q] = [1, 2, 3, 4].map(|seed| given.matrix(n, n, seed));
            form!(offloaded, adi(3, &mut u, &mut v, &mut p, &mut q));
            all!(u, v, p, q)
        },
        &[2, 5, 19],
    );
}

#[test]
fn electromagnetic_waves() {
    same(
        |offloaded, given, n| {
            let [mut ex, mut ey, mut hz] = [1, 2, 3].map(|seed| given.matrix(n, n + 3, seed));
            form!(offloaded, fdtd_2d(&mut ex, &mut ey, &mut hz, &given.vector(4, 4)));
            all!(ex, ey, hz)
        },
        &[1, 5, 19],
    );
}

#[test]
fn two_arrays_in_turns() {
    same(
        |offloaded, given, n| {
            let (mut a, mut b) = (given.solid([n, n, n], 1), given.solid([n, n, n], 2));
            form!(offloaded, heat_3d(3, &mut a, &mut b));
            all!(a, b)
        },
        &[2, 3, 8],
    );
    same(
        |offloaded, given, n| {
            let (mut a, mut b) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            form!(offloaded, jacobi_1d(5, &mut a, &mut b));
            all!(a, b)
        },
        &[2, 3, 40],
    );
    same(
        |offloaded, given, n| {
            let (mut a, mut b) = (given.matrix(n, n, 1), given.matrix(n, n, 2));
            form!(offloaded, jacobi_2d(5, &mut a, &mut b));
            all!(a, b)
        },
        &[2, 3, 21],
    );
}

#[test]
fn one_array_in_place() {
    same(
        |offloaded, given, n| {
            let mut a = given.matrix(n, n, 1);
            form!(offloaded, seidel_2d(3, &mut a));
            all!(a)
        },
        &[3, 4, 21],
    );
}
