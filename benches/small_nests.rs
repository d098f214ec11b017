//! Small loop nests inside of sequential loops, where each launch counts: offloaded against plain, for loops of 4 to 64 iterations.
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo bench --bench small_nests [NAME]
//! ```
//! Times are medians of one run in which both forms take turns.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

#[macro_use]
#[path = "nests/both.rs"]
mod both;

use both::{in_turns, is_wanted};

both! {
    pub fn jacobi(steps: usize, mut a: ArrayViewMut1<f64>, mut b: ArrayViewMut1<f64>) {
        for _t in 0..steps {
            for i in 1..a.len() - 1 {
                b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
            }
            for i in 1..a.len() - 1 {
                a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
            }
        }
    }
    pub fn decay(steps: usize, k: ArrayView1<f64>, mut a: ArrayViewMut1<f64>, mut b: ArrayViewMut1<f64>) {
        for t in 0..steps {
            for i in 0..a.len() {
                a[i] += k[i] * b[0];
            }
            b[0] = 0.5 * b[0] + a[t % 4];
        }
    }
    pub fn heat(steps: usize, mut a: ArrayViewMut2<f64>, mut b: ArrayViewMut2<f64>) {
        for _t in 0..steps {
            for i in 1..a.nrows() - 1 {
                for j in 1..a.ncols() - 1 {
                    b[[i, j]] = 0.2 * (a[[i, j]] + a[[i, j - 1]] + a[[i, j + 1]] + a[[i + 1, j]] + a[[i - 1, j]]);
                }
            }
            for i in 1..a.nrows() - 1 {
                for j in 1..a.ncols() - 1 {
                    a[[i, j]] = b[[i, j]];
                }
            }
        }
    }
    pub fn power(steps: usize, a: ArrayView2<f64>, mut x: ArrayViewMut1<f64>, mut y: ArrayViewMut1<f64>) {
        for _t in 0..steps {
            for i in 0..a.nrows() {
                y[i] = 0.0;
                for j in 0..a.ncols() {
                    y[i] += a[[i, j]] * x[j];
                }
            }
            for i in 0..a.nrows() {
                x[i] = 0.01 * y[i];
            }
        }
    }
    pub fn products(steps: usize, a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, mut c: ArrayViewMut2<f64>) {
        for _t in 0..steps {
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    c[[i, j]] = 0.0;
                    for k in 0..a.ncols() {
                        c[[i, j]] += a[[i, k]] * b[[k, j]];
                    }
                }
            }
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    b[[i, j]] = 0.001 * c[[i, j]];
                }
            }
        }
    }
    pub fn lower(steps: usize, a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, mut c: ArrayViewMut2<f64>) {
        for _t in 0..steps {
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    c[[i, j]] = 0.0;
                    for k in 0..=i {
                        c[[i, j]] += a[[i, k]] * b[[k, j]];
                    }
                }
            }
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    b[[i, j]] = 0.001 * c[[i, j]];
                }
            }
        }
    }
    pub fn eliminate(mut a: ArrayViewMut2<f64>) {
        for k in 0..a.nrows() {
            for i in k + 1..a.nrows() {
                for j in k + 1..a.nrows() {
                    a[[i, j]] -= a[[i, k]] * a[[k, j]] / a[[k, k]];
                }
            }
        }
    }
    pub fn solve(steps: usize, l: ArrayView2<f64>, mut x: ArrayViewMut1<f64>) {
        for _t in 0..steps {
            for i in 0..x.len() {
                for j in 0..i {
                    x[i] -= l[[i, j]] * x[j];
                }
                x[i] /= l[[i, i]];
            }
        }
    }
}

fn matrix(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j)| ((i * 7 + j * 13) % 31) as f64 / 31.0 + if i == j { 9.0 } else { 0.0 })
}

fn vector(n: usize) -> Array1<f64> {
    Array1::from_shape_fn(n, |i| ((i * 11) % 17) as f64 / 17.0)
}

/// Prints the times of both forms.
fn row<S: Clone + PartialEq>(name: &str, n: usize, state: &S, plain: &dyn Fn(&mut S), fast: &dyn Fn(&mut S)) {
    if is_wanted(name) {
        let [plain, fast] = in_turns(name, state, [plain, fast], |seconds, _| seconds >= 0.2);
        println!("{name:<12}{n:>4}{:>12.3} us{:>12.3} us{:>8.2}", 1e6 * plain, 1e6 * fast, plain / fast);
    }
}

fn main() {
    println!("{:<16}{:>15}{:>15}{:>8}", "", "plain", "offloaded", "ratio");
    for n in [4, 8, 16, 32, 64] {
        let (m, v, steps) = (matrix(n), vector(n), 200);
        let two = (v.clone(), v.clone());
        let both = (m.clone(), m.clone());
        row("jacobi", n, &two, &|(a, b)| plain::jacobi(steps, a.view_mut(), b.view_mut()), &|(a, b)| {
            fast::jacobi(steps, a.view_mut(), b.view_mut())
        });
        row("decay", n, &two, &|(a, b)| plain::decay(steps, v.view(), a.view_mut(), b.view_mut()), &|(a, b)| {
            fast::decay(steps, v.view(), a.view_mut(), b.view_mut())
        });
        row("heat", n, &both, &|(a, b)| plain::heat(steps, a.view_mut(), b.view_mut()), &|(a, b)| {
            fast::heat(steps, a.view_mut(), b.view_mut())
        });
        row("power", n, &two, &|(x, y)| plain::power(steps, m.view(), x.view_mut(), y.view_mut()), &|(x, y)| {
            fast::power(steps, m.view(), x.view_mut(), y.view_mut())
        });
        row("products", n, &both, &|(b, c)| plain::products(steps, m.view(), b.view_mut(), c.view_mut()), &|(b, c)| {
            fast::products(steps, m.view(), b.view_mut(), c.view_mut())
        });
        row("lower", n, &both, &|(b, c)| plain::lower(steps, m.view(), b.view_mut(), c.view_mut()), &|(b, c)| {
            fast::lower(steps, m.view(), b.view_mut(), c.view_mut())
        });
        row("eliminate", n, &m, &|a| plain::eliminate(a.view_mut()), &|a| fast::eliminate(a.view_mut()));
        row("solve", n, &v, &|x| plain::solve(steps, m.view(), x.view_mut()), &|x| {
            fast::solve(steps, m.view(), x.view_mut())
        });
    }
}
