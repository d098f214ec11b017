//! `#[offload]` functions equal the plain ones, by `==`: on random sizes, in both memory orders, on strided and transposed views.

mod beside;
mod chains;
mod device;
mod domains;
mod eliminations;
mod extremes;
mod gathering;
mod lengths;
mod literals;
mod little;
mod names;
mod partings;
mod points;
mod recurrences;
mod short;
mod shrinking;
mod solves;
mod sweeps;
mod turns;
mod updates;
mod windows;

use ndarray::{
    Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3, ShapeBuilder, s,
};
use proptest::prelude::*;

/// The same functions twice: as they are, and offloaded.
macro_rules! both {
    ($($item:item)*) => {
        mod plain {
            #[allow(unused_imports, reason = "functions of slices and numbers need none")]
            use super::*;
            $($item)*
        }
        mod fast {
            #[allow(unused_imports, reason = "functions of slices and numbers need none")]
            use super::*;
            $(#[megha::offload] $item)*
        }
    };
}
use both;

both! {
    pub fn matmul(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0.0;
                for k in 0..a.ncols() {
                    sum += a[[i, k]] * b[[k, j]];
                }
                c[[i, j]] = sum;
            }
        }
    }

    pub fn matmul_single(a: &Array2<f32>, b: &Array2<f32>, c: &mut Array2<f32>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0.0;
                for k in 0..a.shape()[1] {
                    sum += a[[i, k]] * b[[k, j]];
                }
                c[[i, j]] = sum;
            }
        }
    }

    pub fn accumulate(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                for k in 0..a.ncols() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }

    pub fn jacobi(u: ArrayView2<f64>, mut v: ArrayViewMut2<f64>) {
        for i in 1..u.nrows().saturating_sub(1) {
            for j in 1..u.ncols().saturating_sub(1) {
                v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
            }
        }
    }

    pub fn relax(u: &mut Array2<f64>, v: &mut Array2<f64>, steps: usize) {
        for _ in 0..steps {
            for i in 1..u.nrows().saturating_sub(1) {
                for j in 1..u.ncols().saturating_sub(1) {
                    v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
                }
            }
            for i in 1..u.nrows().saturating_sub(1) {
                for j in 1..u.ncols().saturating_sub(1) {
                    u[[i, j]] = v[[i, j]];
                }
            }
        }
    }

    pub fn heat(u: ArrayView3<f64>, mut v: ArrayViewMut3<f64>, c: f64) {
        for i in 1..u.dim().0.max(1) - 1 {
            for j in 1..u.dim().1.max(1) - 1 {
                for k in 1..u.dim().2.max(1) - 1 {
                    let middle = u[[i, j, k]];
                    let around = u[[i - 1, j, k]] + u[[i + 1, j, k]] + u[[i, j - 1, k]] + u[[i, j + 1, k]]
                        + u[[i, j, k - 1]] + u[[i, j, k + 1]];
                    v[[i, j, k]] = middle + c * (around - 6.0 * middle);
                }
            }
        }
    }

    pub fn triangle(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows().min(a.ncols()) {
            for j in 0..=i {
                c[[i, j]] = 2.0 * a[[j, i]];
            }
        }
    }

    pub fn both(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, mut d: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                c[[i, j]] += a[[i, j]];
                d[[i, j]] -= 2.0 * a[[i, j]];
            }
        }
        for i in 0..a.nrows().min(a.ncols()) {
            for j in 0..=i {
                d[[i, j]] += c[[j, i]] * a[[i, j]];
            }
        }
    }

    pub fn chase(x: ArrayView1<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                c[[i, j]] += 1.5;
            }
        }
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let k = (x[j].abs() * 3.0) as usize;
                c[[i, j]] += x[k];
            }
        }
    }

    pub fn sweep(u: &mut Array2<f64>) {
        for i in 1..u.nrows().saturating_sub(1) {
            for j in 1..u.ncols().saturating_sub(1) {
                u[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
            }
        }
    }

    pub fn clip(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, low: f64) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                let x = a[[i, j]];
                if x < low {
                    c[[i, j]] = low;
                } else if j > 0 && a[[i, j - 1]] < 0.0 {
                    c[[i, j]] -= x.abs().sqrt();
                } else {
                    c[[i, j]] = if i % 2 == 0 { x.powi(3) } else { x.mul_add(2.0, i as f64) };
                }
            }
        }
    }

    pub fn dot(x: ArrayView1<f64>, y: ArrayView1<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len().min(y.len()) {
            sum += x[i] * y[i];
        }
        sum
    }

    pub fn count(x: &Array1<f64>, above: f64) -> usize {
        let mut n: usize = 0;
        for i in 0..x.len() {
            if x[i] > above {
                n += 1;
            }
        }
        n
    }

    pub fn prefix(x: &mut Array1<f64>, from: usize) {
        for i in from.max(1)..x.len() {
            x[i] += x[i - 1];
        }
    }

    pub fn scale(mut x: ndarray::ArrayViewMut1<f64>, by: f64, times: usize) {
        let mut by = by;
        for _ in 0..times {
            by *= 0.5;
            for i in 0..x.len() {
                x[i] *= by;
            }
        }
    }
}

/// Reproducible values in (-1, 1).
fn noise(len: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..len).map(|_| next()).collect()
}

/// How a matrix lies in memory.
#[derive(Debug, Clone, Copy)]
enum Lay {
    Rows,
    Columns,
    Strided,
    Reversed,
}

fn lay() -> impl Strategy<Value = Lay> {
    prop_oneof![Just(Lay::Rows), Just(Lay::Columns), Just(Lay::Strided), Just(Lay::Reversed)]
}

/// A base array, of which [`cut`] gives the view.
fn base(n: usize, m: usize, lay: Lay, seed: u64) -> Array2<f64> {
    match lay {
        Lay::Rows => Array2::from_shape_vec((n, m), noise(n * m, seed)).unwrap(),
        Lay::Columns => Array2::from_shape_vec((n, m).f(), noise(n * m, seed)).unwrap(),
        Lay::Strided | Lay::Reversed => Array2::from_shape_vec((2 * n, 3 * m), noise(6 * n * m, seed)).unwrap(),
    }
}

fn cut(base: &Array2<f64>, lay: Lay) -> ArrayView2<'_, f64> {
    match lay {
        Lay::Rows | Lay::Columns => base.view(),
        Lay::Strided => base.slice(s![..;2, ..;3]),
        Lay::Reversed => base.slice(s![..;-2, base.ncols().min(1)..;3]),
    }
}

fn cut_mut(base: &mut Array2<f64>, lay: Lay) -> ArrayViewMut2<'_, f64> {
    let from = base.ncols().min(1);
    match lay {
        Lay::Rows | Lay::Columns => base.view_mut(),
        Lay::Strided => base.slice_mut(s![..;2, ..;3]),
        Lay::Reversed => base.slice_mut(s![..;-2, from..;3]),
    }
}

/// Runs both functions on equal arrays; everything of the base must be equal afterwards, what lies between the elements too.
fn same(out: &Array2<f64>, lay: Lay, plain: impl Fn(ArrayViewMut2<f64>), fast: impl Fn(ArrayViewMut2<f64>)) {
    let (mut want, mut got) = (out.clone(), out.clone());
    plain(cut_mut(&mut want, lay));
    fast(cut_mut(&mut got, lay));
    assert_eq!(want, got);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn products((n, m, p) in (0..20usize, 0..20usize, 0..9usize), la in lay(), lb in lay(), lc in lay()) {
        let (a, b, c) = (base(n, p, la, 1), base(p, m, lb, 2), base(n, m, lc, 3));
        let (a, b) = (cut(&a, la), cut(&b, lb));
        same(&c, lc, |c| plain::matmul(a, b, c), |c| fast::matmul(a, b, c));
        same(&c, lc, |c| plain::accumulate(a, b, c), |c| fast::accumulate(a, b, c));
        same(&c, lc, |c| plain::matmul(b.t(), a.t(), c.reversed_axes()), |c| fast::matmul(b.t(), a.t(), c.reversed_axes()));
        let (a, b) = (a.mapv(|x| x as f32), b.mapv(|x| x as f32));
        let (mut want, mut got) = (Array2::zeros((n, m)), Array2::zeros((n, m).f()));
        plain::matmul_single(&a, &b, &mut want);
        fast::matmul_single(&a, &b, &mut got);
        prop_assert_eq!(want, got);
    }

    #[test]
    fn stencils_and_branches((n, m) in (0..40usize, 0..40usize), lu in lay(), lv in lay()) {
        let (u, v) = (base(n, m, lu, 4), base(n, m, lv, 5));
        let u = cut(&u, lu);
        same(&v, lv, |v| plain::jacobi(u, v), |v| fast::jacobi(u, v));
        same(&v, lv, |v| plain::clip(u, v, -0.5), |v| fast::clip(u, v, -0.5));
        same(&v, lv, |v| plain::triangle(u, v), |v| fast::triangle(u, v));
        let (mut want, mut got) = (u.to_owned(), u.to_owned());
        plain::sweep(&mut want);
        fast::sweep(&mut got);
        prop_assert_eq!(want, got);
    }

    #[test]
    fn three_dimensions((n, m, k) in (0..9usize, 0..9usize, 0..9usize), columns: bool) {
        let shape = (n, m, k).set_f(columns);
        let u = Array3::from_shape_vec(shape, noise(n * m * k, 6)).unwrap();
        let (mut want, mut got) = (Array3::zeros((n, m, k)), Array3::zeros((n, m, k).f()));
        plain::heat(u.view(), want.view_mut(), 0.1);
        fast::heat(u.view(), got.view_mut(), 0.1);
        prop_assert_eq!(&want, &got);
        plain::heat(u.view().permuted_axes([2, 0, 1]), want.view_mut().permuted_axes([2, 0, 1]), 0.2);
        fast::heat(u.view().permuted_axes([2, 0, 1]), got.view_mut().permuted_axes([2, 0, 1]), 0.2);
        prop_assert_eq!(want, got);
    }

    #[test]
    fn vectors(n in 0..300usize, k in 0..300usize, from in 0..5usize) {
        let (x, y) = (Array1::from(noise(n, 7)), Array1::from(noise(k, 8)));
        prop_assert_eq!(plain::dot(x.view(), y.view()), fast::dot(x.view(), y.view()));
        let (back, third) = (x.slice(s![..;-1]), y.slice(s![..;3]));
        prop_assert_eq!(plain::dot(back, third), fast::dot(back, third));
        prop_assert_eq!(plain::count(&x, 0.25), fast::count(&x, 0.25));
        let (mut want, mut got) = (x.clone(), x.clone());
        plain::prefix(&mut want, from);
        fast::prefix(&mut got, from);
        prop_assert_eq!(&want, &got);
        plain::scale(want.slice_mut(s![..;2]), 3.0, from);
        fast::scale(got.slice_mut(s![..;2]), 3.0, from);
        prop_assert_eq!(want, got);
    }
}

#[test]
fn a_large_product_runs_in_parallel_with_the_same_bits() {
    let (a, b) = (base(150, 120, Lay::Rows, 1), base(120, 170, Lay::Rows, 2));
    let c = Array2::zeros((150, 170));
    same(&c, Lay::Rows, |c| plain::matmul(a.view(), b.view(), c), |c| fast::matmul(a.view(), b.view(), c));
}

/// The text of the panic.
fn panics(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(f).expect_err("a panic");
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn what_is_out_of_bounds_panics_before_any_work_and_names_array_and_subscript() {
    let message = panics(|| {
        let (a, b, mut c) = (Array2::zeros((3, 4)), Array2::zeros((2, 5)), Array2::zeros((3, 5)));
        fast::matmul(a.view(), b.view(), c.view_mut());
    });
    assert!(
        message.contains("`b`") && message.contains("out of bounds") && message.contains("tests/offload/main.rs"),
        "{message}"
    );
    let mut u = Array2::from_elem((3, 5), 1.0);
    let message = panics(std::panic::AssertUnwindSafe(|| {
        fast::matmul(Array2::ones((4, 4)).view(), Array2::ones((4, 5)).view(), u.view_mut());
    }));
    assert!(message.contains("`c`"), "{message}");
    assert_eq!(u, Array2::from_elem((3, 5), 1.0));
}
