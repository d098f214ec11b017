//! Parts of arrays by ranges.

use super::{SIZES, all, both, form, same};
use ndarray::{Array1, ArrayView1, ArrayView2, ArrayViewMut2, s};

both! {
    pub fn of_slices(x: &[f64], y: &mut [f64], k: usize) -> (f64, f64, usize) {
        fn mean(w: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..w.len() {
                sum += w[i];
            }
            sum / w.len() as f64
        }
        for (v, u) in y[k..].iter_mut().zip(&x[..k]) {
            *v += u;
        }
        for v in &mut y[..k] {
            *v *= 2.0;
        }
        let (ends, all, late) = (&x[k..], &x[..], &x[x.len() - k..=x.len() - 1]);
        let mut steps = 0.0;
        for (a, b) in all.iter().zip(ends) {
            steps += (a - b).abs();
        }
        for i in 0..late.len() {
            y[i] += late[i] - all[i];
        }
        for i in k..x.len() {
            y[i] -= ends[i - k];
        }
        for i in 1..x.len() - 1 {
            y[i] = mean(&x[i - 1..i + 2]) + x[i..].iter().sum::<f64>();
        }
        let inner = &mut y[1..];
        let inner = &mut inner[1..];
        inner[0] = 3.0;
        inner[1..].fill(0.25);
        inner.swap(0, 1);
        let sum = x[1..x.len() - 1].iter().sum::<f64>();
        (steps, sum, x[k..].len() + late.len())
    }

    pub fn copied(x: &[f64], y: &mut [f64], k: usize) -> f64 {
        y[..k].copy_from_slice(&x[..k]);
        let own = x[1..].to_vec();
        for c in y[1..].chunks_exact_mut(2) {
            c[0] = c[1] + own[0];
        }
        let (a, b) = y.split_at_mut(k);
        for (u, v) in a.iter_mut().zip(b.iter()) {
            *u -= v;
        }
        b.fill(own.len() as f64);
        let (before, _) = x.split_at(k);
        before.iter().rev().fold(0.0, |so_far, v| so_far * 0.5 + v)
    }

    pub fn of_matrices(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, v: ArrayView1<f64>) -> f64 {
        let inner = a.slice(s![1..-1, 1..-1]);
        let (n, m) = inner.dim();
        let mut target = b.slice_mut(s![1..-1, 1..-1]);
        target.assign(&inner);
        for i in 0..n {
            for j in 0..m {
                target[[i, j]] += inner[[i, j]] * 0.5;
            }
        }
        b.slice_mut(s![0, ..]).fill(2.0);
        b.slice_mut(s![.., -1]).assign(&v);
        for (row, u) in b.slice_mut(s![2.., ..]).rows_mut().into_iter().zip(v.slice(s![2..])) {
            for w in row {
                *w += u;
            }
        }
        let mut sum = 0.0;
        for w in a.slice(s![..1, 1..]) {
            sum = sum * 0.5 + w;
        }
        sum + a.slice(s![.., 1]).iter().sum::<f64>()
    }

    pub fn between(x: &[f64], i: usize, j: usize) -> f64 {
        x[i..j].iter().sum()
    }

    pub fn up_to(x: &[f64], i: usize, j: usize) -> f64 {
        x[i..=j].iter().sum()
    }

    pub fn element(x: &[f64], i: usize, j: usize) -> f64 {
        let part = &x[..i];
        part[j]
    }

    pub fn late(x: &[f64], i: usize, j: usize) -> f64 {
        let part = &x[i..];
        part[j]
    }

    pub fn view_between(x: &Array1<f64>, i: usize, j: usize) -> f64 {
        x.slice(s![i..j]).iter().sum()
    }

    pub fn view_before_the_end(x: &Array1<f64>) -> f64 {
        x.slice(s![2..-3]).iter().sum()
    }
}

#[test]
fn parts_of_slices() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n + 4, 1).to_vec(), given.vector(n + 4, 2).to_vec());
            let mut found = Vec::new();
            for k in [1, 2, n / 2 + 1, n + 4] {
                let (steps, sum, len) = form!(offloaded, of_slices(&x, &mut y, k));
                let rest = form!(offloaded, copied(&x, &mut y, k));
                found.extend(all!(y, [steps, sum, rest], [len]));
            }
            found
        },
        &SIZES,
    );
}

#[test]
fn parts_of_matrices() {
    same(
        |offloaded, given, n| {
            let (a, mut b, v) = (given.matrix(n + 2, n + 3, 1), given.matrix(n + 2, n + 3, 2), given.vector(n + 2, 3));
            let sum = form!(offloaded, of_matrices(a.view(), b.view_mut(), v.view()));
            all!(b, [sum])
        },
        &SIZES,
    );
}

/// What a call gives, unless it panics.
fn tried(call: impl FnOnce() -> f64) -> Option<u64> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).ok().map(f64::to_bits)
}

#[test]
fn ranges_that_leave_arrays_fail() {
    let x: Vec<f64> = (0..6).map(|i| i as f64 - 2.5).collect();
    let view = Array1::from(x.clone());
    let mut failed = 0;
    for (i, j) in (0..9).flat_map(|i| (0..9).map(move |j| (i, j))) {
        for (plain, fast) in [
            (plain::between as fn(&[f64], usize, usize) -> f64, fast::between as fn(&[f64], usize, usize) -> f64),
            (plain::up_to, fast::up_to),
            (plain::element, fast::element),
            (plain::late, fast::late),
        ] {
            let (wanted, found) = (tried(|| plain(&x, i, j)), tried(|| fast(&x, i, j)));
            assert_eq!(wanted, found, "{i}, {j}");
            failed += usize::from(found.is_none());
        }
        let (wanted, found) = (tried(|| plain::view_between(&view, i, j)), tried(|| fast::view_between(&view, i, j)));
        assert_eq!(wanted, found, "{i}, {j}");
    }
    for n in 0..7 {
        let part = Array1::from(x[..n.min(6)].to_vec());
        let ends = [tried(|| plain::view_before_the_end(&part)), tried(|| fast::view_before_the_end(&part))];
        assert_eq!(ends[0], ends[1], "{n}");
        assert_eq!(ends[1].is_none(), n < 3);
    }
    assert!(failed > 100);
}
