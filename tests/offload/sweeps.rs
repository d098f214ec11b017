//! Sequential loops inside kernels, in each form that they take: for a few points, a few iterations at a time, several rows together;
//! with sizes around the numbers of these, and loops of no iterations whose arrays are too short.

use super::both;
use megha::rt::{Level, panels};
use ndarray::{
    Array, Array1, Array2, ArrayView1, ArrayView2, ArrayView3, ArrayViewMut1, ArrayViewMut2, ArrayViewMut3, Dimension,
    ShapeBuilder,
};

both! {
    pub fn row_products(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                y[i] += a[[i, j]] * x[j];
            }
        }
    }

    pub fn two_row_products(a: ArrayView2<f64>, b: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            let mut t = 0.5;
            let mut u = -0.0;
            for j in 0..a.ncols() {
                t += a[[i, j]] * x[j];
                u -= b[[i, j]] * x[j];
            }
            y[i] = 1.5 * t + u;
        }
    }

    /// Two loops keep the same element.
    pub fn sums_into_one(a: ArrayView2<f64>, b: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                y[i] += a[[i, j]] * x[j];
            }
            y[i] *= 0.5;
            for j in 0..b.ncols() {
                y[i] -= b[[i, j]] * x[j];
            }
        }
    }

    pub fn both_ways(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, mut z: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.nrows() {
                y[i] += a[[i, j]] * x[j];
            }
        }
        for i in 0..a.nrows() {
            for j in 0..a.nrows() {
                z[i] += a[[j, i]] * x[j];
            }
        }
    }

    pub fn product(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for k in 0..a.ncols() {
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    c[[i, j]] += 1.5 * a[[i, k]] * b[[k, j]];
                }
            }
        }
    }

    pub fn transposed_product(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                c[[i, j]] *= 0.5;
                for k in 0..a.nrows() {
                    c[[i, j]] += a[[k, i]] * b[[j, k]];
                }
                c[[i, j]] += 1.0;
            }
        }
    }

    /// More than the sum lives from before the loop to behind it.
    pub fn between(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let before = 3.0 * c[[i, j]];
                let mut t = before - 1.0;
                for k in 0..a.ncols() {
                    t += (a[[i, k]] - 0.5) * b[[k, j]] * 2.0;
                }
                c[[i, j]] = t / before;
            }
        }
    }

    pub fn two_products(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                for k in 0..a.nrows() {
                    c[[i, j]] = 2.0 * c[[i, j]] + a[[k, i]] * b[[j, k]] - b[[j, k]] / (a[[k, i]] + 0.25);
                }
            }
        }
    }

    pub fn symmetric(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                for k in 0..a.ncols() {
                    c[[i, j]] += a[[i, k]] * b[[j, k]] + a[[j, k]] * b[[i, k]];
                }
            }
        }
    }

    pub fn lower_half(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..=i {
                c[[i, j]] *= 1.5;
            }
            for k in 0..a.ncols() {
                for j in 0..=i {
                    c[[i, j]] += 0.5 * a[[i, k]] * a[[j, k]];
                }
            }
        }
    }

    pub fn upper_half(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in i..c.ncols() {
                let mut t = 0.0;
                for k in 0..a.nrows() {
                    t += a[[k, i]] * a[[k, j]];
                }
                c[[i, j]] = t;
            }
        }
    }

    pub fn single(a: ArrayView2<f32>, b: ArrayView2<f32>, mut c: ArrayViewMut2<f32>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let mut t = 0.5;
                for k in 0..a.ncols() {
                    t = a[[i, k]] * b[[k, j]] - t;
                }
                c[[i, j]] = t;
            }
        }
    }

    pub fn products_of_each(a: ArrayView3<f64>, b: ArrayView3<f64>, mut c: ArrayViewMut3<f64>) {
        for r in 0..c.dim().0 {
            for q in 0..c.dim().1 {
                for p in 0..c.dim().2 {
                    for s in 0..a.dim().2 {
                        c[[r, q, p]] += a[[r, q, s]] * b[[r, s, p]];
                    }
                }
            }
        }
    }

    pub fn taps(a: ArrayView2<f64>, w: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let mut t = 0.0;
                for p in 0..w.nrows() {
                    for q in 0..w.ncols() {
                        t += a[[i + p, j + q]] * w[[p, q]];
                    }
                }
                c[[i, j]] = t;
            }
        }
    }

    pub fn running(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 1..c.ncols() {
                c[[i, j]] = 0.5 * c[[i, j - 1]] + a[[i, j]];
            }
        }
    }

    pub fn batches(a: ArrayView3<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut3<f64>) {
        for r in 0..c.dim().0 {
            for q in 0..c.dim().1 {
                for p in 0..c.dim().2 {
                    let mut t = c[[r, q, p]];
                    for s in 0..b.nrows() {
                        t += a[[r, q, s]] * b[[s, p]];
                    }
                    c[[r, q, p]] = t;
                }
            }
        }
    }

    pub fn decays(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>, mut z: ArrayViewMut2<f64>, steps: usize) {
        for _ in 0..steps {
            for i in 0..x.nrows() {
                for j in 0..x.ncols() {
                    y[[i, j]] = 0.5 * y[[i, j]] + x[[i, j]];
                }
            }
            for i in 0..x.nrows() {
                for j in 0..x.ncols() {
                    if z[[i, j]] > y[[i, j]] {
                        z[[i, j]] -= 0.25 * y[[i, j]];
                    }
                }
            }
        }
    }

    pub fn clipped(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                if a[[i, j]] > 0.0 {
                    y[i] += a[[i, j]] * x[j];
                }
            }
        }
    }
}

fn filled<D: Dimension, S: ShapeBuilder<Dim = D>>(shape: S, seed: usize) -> Array<f64, D> {
    let mut number = seed;
    Array::from_shape_simple_fn(shape, || {
        number = (number * 1103 + 12345) % 65536;
        number as f64 / 7.0 - 4000.0
    })
}

fn matrix(rows: usize, cols: usize, columns_first: bool, seed: usize) -> Array2<f64> {
    filled((rows, cols).set_f(columns_first), seed)
}

/// Both forms on copies of an array; the results must have the same bits.
fn same<D: Dimension>(
    what: &str,
    to: &Array<f64, D>,
    plain: impl Fn(&mut Array<f64, D>),
    fast: impl Fn(&mut Array<f64, D>),
) {
    let (mut expected, mut found) = (to.clone(), to.clone());
    plain(&mut expected);
    fast(&mut found);
    let bits = |array: &Array<f64, D>| array.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&expected), bits(&found), "{what}");
}

#[test]
fn products_of_rows_and_columns() {
    for columns_first in [false, true] {
        for (n, m) in [(0, 3), (1, 1), (3, 5), (8, 4), (9, 130), (17, 3), (130, 9), (263, 33), (5, 0)] {
            let (a, b) = (matrix(n, m, columns_first, 1), matrix(n, m, columns_first, 2));
            let (x, y) = (filled(m, 3), filled(n, 4));
            let what = format!("{n} x {m}, columns first: {columns_first}");
            same(
                &what,
                &y,
                |y| plain::row_products(a.view(), x.view(), y.view_mut()),
                |y| fast::row_products(a.view(), x.view(), y.view_mut()),
            );
            same(
                &what,
                &y,
                |y| plain::clipped(a.view(), x.view(), y.view_mut()),
                |y| fast::clipped(a.view(), x.view(), y.view_mut()),
            );
            same(
                &what,
                &y,
                |y| plain::two_row_products(a.view(), b.view(), x.view(), y.view_mut()),
                |y| fast::two_row_products(a.view(), b.view(), x.view(), y.view_mut()),
            );
            same(
                &what,
                &y,
                |y| plain::sums_into_one(a.view(), b.view(), x.view(), y.view_mut()),
                |y| fast::sums_into_one(a.view(), b.view(), x.view(), y.view_mut()),
            );
            let square = matrix(n, n, columns_first, 5);
            let both = filled((2, n), 6);
            let split = |both: &mut Array2<f64>, f: &dyn Fn(ArrayViewMut1<f64>, ArrayViewMut1<f64>)| {
                let (y, z) = both.view_mut().split_at(ndarray::Axis(0), 1);
                f(y.remove_axis(ndarray::Axis(0)), z.remove_axis(ndarray::Axis(0)));
            };
            let x = filled(n, 7);
            same(
                &what,
                &both,
                |to| split(to, &|y, z| plain::both_ways(square.view(), x.view(), y, z)),
                |to| split(to, &|y, z| fast::both_ways(square.view(), x.view(), y, z)),
            );
        }
    }
}

#[test]
fn products_of_matrices() {
    for columns_first in [false, true] {
        for (n, m, p) in [(0, 3, 2), (1, 1, 1), (4, 4, 4), (5, 131, 7), (9, 6, 0), (131, 5, 6), (13, 260, 9)] {
            let (a, b, c) =
                (matrix(n, p, columns_first, 1), matrix(p, m, columns_first, 2), matrix(n, m, columns_first, 3));
            let what = format!("{n} x {m} x {p}, columns first: {columns_first}");
            same(
                &what,
                &c,
                |c| plain::product(a.view(), b.view(), c.view_mut()),
                |c| fast::product(a.view(), b.view(), c.view_mut()),
            );
            let (a, b) = (matrix(p, n, columns_first, 1), matrix(m, p, columns_first, 2));
            same(
                &what,
                &c,
                |c| plain::transposed_product(a.view(), b.view(), c.view_mut()),
                |c| fast::transposed_product(a.view(), b.view(), c.view_mut()),
            );
            same(
                &what,
                &c,
                |c| plain::running(c.clone().view(), c.view_mut()),
                |c| fast::running(c.clone().view(), c.view_mut()),
            );
            let (a, w) = (matrix(n + 2, m + p.max(1) - 1, columns_first, 4), matrix(3, p.max(1), columns_first, 5));
            same(
                &what,
                &c,
                |c| plain::taps(a.view(), w.view(), c.view_mut()),
                |c| fast::taps(a.view(), w.view(), c.view_mut()),
            );
            let (a, b, c) = (filled((3, n, p), 6), matrix(p, m, columns_first, 7), filled((3, n, m), 8));
            same(
                &what,
                &c,
                |c| plain::batches(a.view(), b.view(), c.view_mut()),
                |c| fast::batches(a.view(), b.view(), c.view_mut()),
            );
        }
    }
}

#[test]
fn loops_over_time() {
    for columns_first in [false, true] {
        for (n, m) in [(0, 3), (1, 1), (3, 5), (9, 130), (31, 33), (130, 9)] {
            for steps in [0, 1, 40] {
                let (x, both) = (matrix(n, m, columns_first, 1), filled((2, n, m), 2));
                let split = |both: &mut Array<f64, ndarray::Ix3>,
                             f: &dyn Fn(ArrayViewMut2<f64>, ArrayViewMut2<f64>)| {
                    let (y, z) = both.view_mut().split_at(ndarray::Axis(0), 1);
                    f(y.remove_axis(ndarray::Axis(0)), z.remove_axis(ndarray::Axis(0)));
                };
                same(
                    &format!("{n} x {m}, {steps} steps, columns first: {columns_first}"),
                    &both,
                    |to| split(to, &|y, z| plain::decays(x.view(), y, z, steps)),
                    |to| split(to, &|y, z| fast::decays(x.view(), y, z, steps)),
                );
            }
        }
    }
}

/// Rows that share what they read at their points, in panels and beside them.
#[test]
fn products_in_panels() {
    let sizes = [(0, 3, 2), (4, 4, 1), (7, 33, 9), (12, 70, 17), (33, 7, 5), (70, 12, 8), (64, 64, 0), (131, 41, 3)];
    in_panels(&sizes);
    // Sums of several blocks of iterations.
    in_panels(&[(20, 35, 600)]);
}

/// Neither blocks of iterations, rows and points of any size nor instruction sets change a bit.
#[test]
fn blocks_of_any_size() {
    for level in Level::available() {
        level.limit();
        for blocks in [[1, 1, 1], [2, 6, 64], [3, 13, 1], [5, 1, 33], [16, 24, 8], [1000, 6, 1000]] {
            panels::within(blocks, || in_panels(&[(12, 70, 17), (33, 7, 5), (23, 67, 16), (5, 9, 0)]));
        }
    }
    Level::Avx512.limit();
}

fn in_panels(sizes: &[(usize, usize, usize)]) {
    for columns_first in [false, true] {
        for &(n, m, p) in sizes {
            let what = format!("{n} x {m} x {p}, columns first: {columns_first}");
            let (a, b, c) =
                (matrix(n, p, columns_first, 1), matrix(p, m, columns_first, 2), matrix(n, m, columns_first, 3));
            same(
                &what,
                &c,
                |c| plain::product(a.view(), b.view(), c.view_mut()),
                |c| fast::product(a.view(), b.view(), c.view_mut()),
            );
            same(
                &what,
                &c,
                |c| plain::between(a.view(), b.view(), c.view_mut()),
                |c| fast::between(a.view(), b.view(), c.view_mut()),
            );
            let (a, b) = (matrix(p, n, columns_first, 1), matrix(m, p, columns_first, 2));
            same(
                &what,
                &c,
                |c| plain::transposed_product(a.view(), b.view(), c.view_mut()),
                |c| fast::transposed_product(a.view(), b.view(), c.view_mut()),
            );
            same(
                &what,
                &c,
                |c| plain::two_products(a.view(), b.view(), c.view_mut()),
                |c| fast::two_products(a.view(), b.view(), c.view_mut()),
            );
            let (a, b, square) =
                (matrix(n, p, columns_first, 4), matrix(n, p, columns_first, 5), matrix(n, n, columns_first, 6));
            same(
                &what,
                &square,
                |c| plain::symmetric(a.view(), b.view(), c.view_mut()),
                |c| fast::symmetric(a.view(), b.view(), c.view_mut()),
            );
            same(
                &what,
                &square,
                |c| plain::lower_half(a.view(), c.view_mut()),
                |c| fast::lower_half(a.view(), c.view_mut()),
            );
            let turned = matrix(p, n, columns_first, 8);
            same(
                &what,
                &square,
                |c| plain::upper_half(turned.view(), c.view_mut()),
                |c| fast::upper_half(turned.view(), c.view_mut()),
            );
            let [x, y, mut z] = [&a, &matrix(p, m, columns_first, 7), &c].map(|of| of.mapv(|x| x as f32));
            let mut found = z.clone();
            plain::single(x.view(), y.view(), z.view_mut());
            fast::single(x.view(), y.view(), found.view_mut());
            assert_eq!(z, found, "{what}");
            let (a, b, c) = (filled((3, n, p), 6), filled((3, p, m), 7), filled((3, n, m), 8));
            same(
                &what,
                &c,
                |c| plain::products_of_each(a.view(), b.view(), c.view_mut()),
                |c| fast::products_of_each(a.view(), b.view(), c.view_mut()),
            );
        }
    }
}

/// An element that a loop of no iterations would keep need not exist.
#[test]
fn loops_of_no_iterations_touch_nothing() {
    for rows in [1, 9, 140] {
        let (a, x) = (Array2::zeros((rows, 0)), Array1::zeros(0));
        let mut y = Array1::zeros(0);
        fast::row_products(a.view(), x.view(), y.view_mut());
        fast::clipped(a.view(), x.view(), y.view_mut());
    }
}
