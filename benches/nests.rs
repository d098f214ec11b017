//! Loop nests of PolyBench as they are naturally written in Rust: offloaded against plain.
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo bench --bench nests [NAME]
//! ```
//! Times are medians of one run in which both forms take turns.

use ndarray::{Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, ArrayViewMut3};

#[macro_use]
#[path = "nests/both.rs"]
mod both;

use both::{in_turns, is_wanted};

both! {
    pub fn gemm_ijk(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                for k in 0..a.ncols() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }
    pub fn gemm_ikj(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for k in 0..a.ncols() {
                for j in 0..c.ncols() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }
    pub fn gemm_jik(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for j in 0..c.ncols() {
            for i in 0..c.nrows() {
                for k in 0..a.ncols() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }
    pub fn gemm_jki(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for j in 0..c.ncols() {
            for k in 0..a.ncols() {
                for i in 0..c.nrows() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }
    pub fn gemm_kij(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for k in 0..a.ncols() {
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }
    pub fn gemm_kji(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for k in 0..a.ncols() {
            for j in 0..c.ncols() {
                for i in 0..c.nrows() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }
    pub fn gemm(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                c[[i, j]] *= 1.2;
            }
            for k in 0..a.ncols() {
                for j in 0..c.ncols() {
                    c[[i, j]] += 1.5 * a[[i, k]] * b[[k, j]];
                }
            }
        }
    }
    pub fn k2mm(a: ArrayView2<f64>, b: ArrayView2<f64>, c: ArrayView2<f64>, mut t: ArrayViewMut2<f64>, mut d: ArrayViewMut2<f64>) {
        for i in 0..t.nrows() {
            for j in 0..t.ncols() {
                t[[i, j]] = 0.0;
                for k in 0..a.ncols() {
                    t[[i, j]] += 1.5 * a[[i, k]] * b[[k, j]];
                }
            }
        }
        for i in 0..d.nrows() {
            for j in 0..d.ncols() {
                d[[i, j]] *= 1.2;
                for k in 0..t.ncols() {
                    d[[i, j]] += t[[i, k]] * c[[k, j]];
                }
            }
        }
    }
    pub fn atax(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, mut tmp: ArrayViewMut1<f64>) {
        for i in 0..a.ncols() {
            y[i] = 0.0;
        }
        for i in 0..a.nrows() {
            tmp[i] = 0.0;
            for j in 0..a.ncols() {
                tmp[i] += a[[i, j]] * x[j];
            }
            for j in 0..a.ncols() {
                y[j] += a[[i, j]] * tmp[i];
            }
        }
    }
    pub fn bicg(a: ArrayView2<f64>, p: ArrayView1<f64>, r: ArrayView1<f64>, mut s: ArrayViewMut1<f64>, mut q: ArrayViewMut1<f64>) {
        for i in 0..a.ncols() {
            s[i] = 0.0;
        }
        for i in 0..a.nrows() {
            q[i] = 0.0;
            for j in 0..a.ncols() {
                s[j] += r[i] * a[[i, j]];
                q[i] += a[[i, j]] * p[j];
            }
        }
    }
    pub fn gesummv(a: ArrayView2<f64>, b: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            let mut t = 0.0;
            let mut u = 0.0;
            for j in 0..a.ncols() {
                t += a[[i, j]] * x[j];
                u += b[[i, j]] * x[j];
            }
            y[i] = 1.5 * t + 1.2 * u;
        }
    }
    pub fn mvt(a: ArrayView2<f64>, y1: ArrayView1<f64>, y2: ArrayView1<f64>, mut x1: ArrayViewMut1<f64>, mut x2: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                x1[i] += a[[i, j]] * y1[j];
            }
        }
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                x2[i] += a[[j, i]] * y2[j];
            }
        }
    }
    pub fn symm(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let mut t = 0.0;
                for k in 0..i {
                    c[[k, j]] += 1.5 * b[[i, j]] * a[[i, k]];
                    t += b[[k, j]] * a[[i, k]];
                }
                c[[i, j]] = 1.2 * c[[i, j]] + 1.5 * b[[i, j]] * a[[i, i]] + 1.5 * t;
            }
        }
    }
    pub fn syrk(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..=i {
                c[[i, j]] *= 1.2;
            }
            for k in 0..a.ncols() {
                for j in 0..=i {
                    c[[i, j]] += 1.5 * a[[i, k]] * a[[j, k]];
                }
            }
        }
    }
    pub fn syr2k(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..=i {
                c[[i, j]] *= 1.2;
            }
            for k in 0..a.ncols() {
                for j in 0..=i {
                    c[[i, j]] += a[[j, k]] * 1.5 * b[[i, k]] + b[[j, k]] * 1.5 * a[[i, k]];
                }
            }
        }
    }
    pub fn trmm(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        for i in 0..b.nrows() {
            for j in 0..b.ncols() {
                for k in i + 1..b.nrows() {
                    b[[i, j]] += a[[k, i]] * b[[k, j]];
                }
                b[[i, j]] *= 1.5;
            }
        }
    }
    pub fn covariance(mut data: ArrayViewMut2<f64>, mut mean: ArrayViewMut1<f64>, mut cov: ArrayViewMut2<f64>) {
        let n = data.nrows() as f64;
        for j in 0..data.ncols() {
            mean[j] = 0.0;
            for i in 0..data.nrows() {
                mean[j] += data[[i, j]];
            }
            mean[j] /= n;
        }
        for i in 0..data.nrows() {
            for j in 0..data.ncols() {
                data[[i, j]] -= mean[j];
            }
        }
        for i in 0..data.ncols() {
            for j in i..data.ncols() {
                cov[[i, j]] = 0.0;
                for k in 0..data.nrows() {
                    cov[[i, j]] += data[[k, i]] * data[[k, j]];
                }
                cov[[i, j]] /= n - 1.0;
                cov[[j, i]] = cov[[i, j]];
            }
        }
    }
    pub fn correlation(mut data: ArrayViewMut2<f64>, mut mean: ArrayViewMut1<f64>, mut dev: ArrayViewMut1<f64>, mut corr: ArrayViewMut2<f64>) {
        let n = data.nrows() as f64;
        for j in 0..data.ncols() {
            mean[j] = 0.0;
            for i in 0..data.nrows() {
                mean[j] += data[[i, j]];
            }
            mean[j] /= n;
        }
        for j in 0..data.ncols() {
            dev[j] = 0.0;
            for i in 0..data.nrows() {
                dev[j] += (data[[i, j]] - mean[j]) * (data[[i, j]] - mean[j]);
            }
            dev[j] /= n;
            dev[j] = dev[j].sqrt();
            dev[j] = if dev[j] <= 0.1 { 1.0 } else { dev[j] };
        }
        for i in 0..data.nrows() {
            for j in 0..data.ncols() {
                data[[i, j]] -= mean[j];
                data[[i, j]] /= n.sqrt() * dev[j];
            }
        }
        for i in 0..data.ncols().max(1) - 1 {
            corr[[i, i]] = 1.0;
            for j in i + 1..data.ncols() {
                corr[[i, j]] = 0.0;
                for k in 0..data.nrows() {
                    corr[[i, j]] += data[[k, i]] * data[[k, j]];
                }
                corr[[j, i]] = corr[[i, j]];
            }
        }
        corr[[data.ncols() - 1, data.ncols() - 1]] = 1.0;
    }
    pub fn doitgen(mut a: ArrayViewMut3<f64>, c4: ArrayView2<f64>, mut sum: ArrayViewMut1<f64>) {
        for r in 0..a.dim().0 {
            for q in 0..a.dim().1 {
                for p in 0..a.dim().2 {
                    sum[p] = 0.0;
                    for s in 0..a.dim().2 {
                        sum[p] += a[[r, q, s]] * c4[[s, p]];
                    }
                }
                for p in 0..a.dim().2 {
                    a[[r, q, p]] = sum[p];
                }
            }
        }
    }
    pub fn lower(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0.0;
                for k in 0..=i {
                    sum += a[[i, k]] * b[[k, j]];
                }
                c[[i, j]] = sum;
            }
        }
    }
    pub fn floyd(mut p: ArrayViewMut2<f64>) {
        for k in 0..p.nrows() {
            for i in 0..p.nrows() {
                for j in 0..p.ncols() {
                    let via = p[[i, k]] + p[[k, j]];
                    if via < p[[i, j]] {
                        p[[i, j]] = via;
                    }
                }
            }
        }
    }
    pub fn lu(mut a: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..i {
                for k in 0..j {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
                a[[i, j]] /= a[[j, j]];
            }
            for j in i..a.nrows() {
                for k in 0..i {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]];
                }
            }
        }
    }
}

fn matrix(rows: usize, cols: usize, seed: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, cols), |(i, j)| {
        ((i * 7 + j * 13 + seed * 5) % 31) as f64 / 31.0 + if i == j { 9.0 } else { 0.0 }
    })
}

fn vector(n: usize, seed: usize) -> Array1<f64> {
    Array1::from_shape_fn(n, |i| ((i * 11 + seed) % 17) as f64 / 17.0)
}

/// Prints the times of both forms.
fn row<S: Clone + PartialEq>(name: &str, state: &S, plain: &dyn Fn(&mut S), fast: &dyn Fn(&mut S)) {
    if is_wanted(name) {
        let enough = |seconds, turns| turns >= 3 && (seconds >= 1.0 || turns >= 31);
        let [plain, fast] = in_turns(name, state, [plain, fast], enough);
        println!("{name:<14}{:>10.3} ms{:>10.3} ms{:>8.2}", 1e3 * plain, 1e3 * fast, plain / fast);
    }
}

fn main() {
    let n = 512;
    println!("{:<14}{:>13}{:>13}{:>8}", "", "plain", "offloaded", "ratio");
    let (a, b, c) = (matrix(n, n, 1), matrix(n, n, 2), matrix(n, n, 3));
    macro_rules! products {
        ($($name:ident)*) => { $(
            row(stringify!($name), &c,
                &|c| plain::$name(a.view(), b.view(), c.view_mut()),
                &|c| fast::$name(a.view(), b.view(), c.view_mut()));
        )* };
    }
    products!(gemm_ijk gemm_ikj gemm_jik gemm_jki gemm_kij gemm_kji gemm);
    row(
        "2mm",
        &(c.clone(), matrix(n, n, 4)),
        &|(t, d)| plain::k2mm(a.view(), b.view(), c.view(), t.view_mut(), d.view_mut()),
        &|(t, d)| fast::k2mm(a.view(), b.view(), c.view(), t.view_mut(), d.view_mut()),
    );
    let m = 2048;
    let (large, other) = (matrix(m, m, 1), matrix(m, m, 2));
    let (x, y) = (vector(m, 1), vector(m, 2));
    let two = (vector(m, 3), vector(m, 4));
    macro_rules! vectors {
        ($name:ident, |$u:ident, $v:ident| $($arg:expr),*) => {
            row(stringify!($name), &two, &|($u, $v)| { let _ = &$v; plain::$name($($arg),*) }, &|($u, $v)| { let _ = &$v; fast::$name($($arg),*) });
        };
    }
    vectors!(atax, |u, v| large.view(), x.view(), u.view_mut(), v.view_mut());
    vectors!(bicg, |u, v| large.view(), x.view(), y.view(), u.view_mut(), v.view_mut());
    vectors!(gesummv, |u, v| large.view(), other.view(), x.view(), u.view_mut());
    vectors!(mvt, |u, v| large.view(), x.view(), y.view(), u.view_mut(), v.view_mut());
    row("symm", &c, &|c| plain::symm(a.view(), b.view(), c.view_mut()), &|c| {
        fast::symm(a.view(), b.view(), c.view_mut())
    });
    row("lower", &c, &|c| plain::lower(a.view(), b.view(), c.view_mut()), &|c| {
        fast::lower(a.view(), b.view(), c.view_mut())
    });
    row("syrk", &c, &|c| plain::syrk(a.view(), c.view_mut()), &|c| fast::syrk(a.view(), c.view_mut()));
    row("syr2k", &c, &|c| plain::syr2k(a.view(), b.view(), c.view_mut()), &|c| {
        fast::syr2k(a.view(), b.view(), c.view_mut())
    });
    row("trmm", &c, &|c| plain::trmm(a.view(), c.view_mut()), &|c| fast::trmm(a.view(), c.view_mut()));
    row(
        "covariance",
        &(a.clone(), vector(n, 1), c.clone()),
        &|(d, m, c)| plain::covariance(d.view_mut(), m.view_mut(), c.view_mut()),
        &|(d, m, c)| fast::covariance(d.view_mut(), m.view_mut(), c.view_mut()),
    );
    row(
        "correlation",
        &(a.clone(), (vector(n, 1), vector(n, 2)), c.clone()),
        &|(d, (m, s), c)| plain::correlation(d.view_mut(), m.view_mut(), s.view_mut(), c.view_mut()),
        &|(d, (m, s), c)| fast::correlation(d.view_mut(), m.view_mut(), s.view_mut(), c.view_mut()),
    );
    let cube = Array3::from_shape_fn((64, 64, 128), |(r, q, p)| ((r * 3 + q * 5 + p * 7) % 13) as f64);
    let c4 = matrix(128, 128, 5);
    row("doitgen", &(cube, vector(128, 1)), &|(a, s)| plain::doitgen(a.view_mut(), c4.view(), s.view_mut()), &|(
        a,
        s,
    )| {
        fast::doitgen(a.view_mut(), c4.view(), s.view_mut())
    });
    row("floyd", &c, &|p| plain::floyd(p.view_mut()), &|p| fast::floyd(p.view_mut()));
    row("lu", &c, &|a| plain::lu(a.view_mut()), &|a| fast::lu(a.view_mut()));
}
