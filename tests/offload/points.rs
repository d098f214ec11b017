//! Loops that one iteration keeps in order, and so are split there: wherever it lies, all bits are those of the plain loops.

use super::{Lay, base, both, cut_mut, lay};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, ArrayViewMut2};
use proptest::prelude::*;

both! {
    pub fn floyd(mut d: ArrayViewMut2<f64>) {
        for k in 0..d.nrows() {
            for i in 0..d.nrows() {
                for j in 0..d.ncols() {
                    let via = d[[i, k]] + d[[k, j]];
                    if via < d[[i, j]] {
                        d[[i, j]] = via;
                    }
                }
            }
        }
    }

    pub fn shortest(mut d: ArrayViewMut2<f64>) {
        for k in 0..d.nrows() {
            for i in 0..d.nrows() {
                for j in 0..d.ncols() {
                    d[[i, j]] = d[[i, j]].min(d[[i, k]] + d[[k, j]]);
                }
            }
        }
    }

    /// The pivot may lie before the first row, among the rows, or behind the last.
    pub fn without_pivot(mut d: ArrayViewMut2<f64>, from: usize, to: usize, pivot: usize) {
        for i in from..to {
            for j in 0..d.ncols() {
                d[[i, j]] -= 0.5 * d[[pivot, j]];
            }
        }
    }

    /// Likewise, and backwards.
    pub fn over_element(mut x: ArrayViewMut1<f64>, from: usize, to: usize, at: usize) {
        let last = x.len() - 1;
        for i in from..to {
            x[last - i] = x[at] / (x[last - i] + 2.0);
        }
    }

    /// Stores under a condition, of singles and of whole numbers.
    pub fn clipped(mut a: ArrayViewMut2<f32>, mut k: ArrayViewMut2<i32>, limit: f32) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                if a[[i, j]] > limit {
                    a[[i, j]] = limit;
                }
                if k[[i, j]] > 3 {
                    k[[i, j]] = 3;
                }
            }
        }
    }

    /// Many iterations look at an element, and one of them may store it.
    pub fn diagonal(mut a: ArrayViewMut1<f64>, x: ArrayView2<f64>, mut s: ArrayViewMut2<f64>) {
        for i in 0..x.nrows() {
            for j in 0..x.ncols() {
                s[[i, j]] = a[i] * x[[i, j]];
            }
        }
        for i in 0..x.nrows() {
            for j in 0..x.ncols() {
                if i == j && x[[i, j]] > 0.0 {
                    a[i] = 5.0;
                }
            }
        }
    }

    /// The first column and the last row are points of their loops.
    pub fn along_edges(mut d: ArrayViewMut2<f64>) {
        for i in 0..d.nrows() {
            for j in 0..d.ncols() {
                d[[i, j]] = d[[i, 0]] - d[[d.nrows() - 1, j]];
            }
        }
    }
}

/// An array in which some elements are NaN, infinite or zeros of either sign.
fn odd(n: usize, m: usize, lay: Lay, seed: u64) -> Array2<f64> {
    let mut array = base(n, m, lay, seed);
    let special = [f64::NAN, f64::INFINITY, -0.0, 0.0, f64::NEG_INFINITY];
    for (at, x) in array.iter_mut().enumerate().filter(|(at, _)| (*at as u64 * 7 + seed).is_multiple_of(11)) {
        *x = special[at % special.len()];
    }
    array
}

/// Which NaN it is, Rust leaves open.
fn bits(x: &f64) -> u64 {
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}

fn same_bits(of: &Array2<f64>, lay: Lay, plain: impl Fn(ArrayViewMut2<f64>), fast: impl Fn(ArrayViewMut2<f64>)) {
    let (mut want, mut got) = (of.clone(), of.clone());
    plain(cut_mut(&mut want, lay));
    fast(cut_mut(&mut got, lay));
    assert_eq!(want.map(bits), got.map(bits));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shortest_paths(n in 0..40usize, more in 0..3usize, lay in lay(), seed in 0..100u64) {
        let (tame, wild) = (base(n, n + more, lay, seed), odd(n, n + more, lay, seed));
        for d in [&tame, &wild] {
            same_bits(d, lay, plain::floyd, fast::floyd);
            same_bits(d, lay, plain::shortest, fast::shortest);
        }
    }

    #[test]
    fn pivots(ends in (0..30usize, 0..30usize, 0..30usize), m in 0..20usize, lay in lay(), seed in 0..100u64) {
        let (from, to, at) = ends;
        let d = odd(30, m, lay, seed);
        same_bits(&d, lay, |d| plain::without_pivot(d, from, to, at), |d| fast::without_pivot(d, from, to, at));
        let line: Array1<f64> = odd(30, 1, Lay::Rows, seed).column(0).to_owned();
        let (mut want, mut got) = (line.clone(), line);
        plain::over_element(want.view_mut(), from, to, at);
        fast::over_element(got.view_mut(), from, to, at);
        prop_assert_eq!(want.map(bits), got.map(bits));
    }

    #[test]
    fn diagonals(n in 0..40usize, m in 0..40usize, lay in lay(), seed in 0..100u64) {
        let x = odd(n, m, lay, seed);
        let a: Array1<f64> = (0..x.nrows()).map(|i| i as f64 - 3.5).collect();
        let run = |f: fn(ArrayViewMut1<f64>, ArrayView2<f64>, ArrayViewMut2<f64>)| {
            let (mut a, mut s) = (a.clone(), x.clone());
            f(a.view_mut(), x.view(), s.view_mut());
            (a.map(bits), s.map(bits))
        };
        prop_assert_eq!(run(plain::diagonal), run(fast::diagonal));
    }

    #[test]
    fn clips(n in 0..40usize, m in 0..40usize, lay in lay(), seed in 0..100u64, limit in -0.5..0.5f32) {
        let a = odd(n, m, lay, seed).mapv(|x| x as f32);
        let k = a.mapv(|x| (x * 10.0) as i32);
        let run = |f: fn(ArrayViewMut2<f32>, ArrayViewMut2<i32>, f32)| {
            let (mut a, mut k) = (a.clone(), k.clone());
            f(a.view_mut(), k.view_mut(), limit);
            (a.mapv(|x| if x.is_nan() { 0 } else { x.to_bits() }), k)
        };
        prop_assert_eq!(run(plain::clipped), run(fast::clipped));
    }

    #[test]
    fn edges(n in 0..30usize, m in 0..30usize, lay in lay(), seed in 0..100u64) {
        same_bits(&odd(n, m, lay, seed), lay, plain::along_edges, fast::along_edges);
    }
}

#[test]
fn on_several_threads() {
    for lay in [Lay::Rows, Lay::Columns] {
        same_bits(&base(300, 300, lay, 1), lay, plain::floyd, fast::floyd);
        let d = odd(900, 700, lay, 2);
        same_bits(&d, lay, |d| plain::without_pivot(d, 0, 900, 450), |d| fast::without_pivot(d, 0, 900, 450));
        same_bits(&d, lay, plain::along_edges, fast::along_edges);
    }
}
