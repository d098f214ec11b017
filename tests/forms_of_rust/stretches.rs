//! Windows and chunks of arrays of one dimension, and other iterators as they are written.

use super::{SIZES, all, both, form, same};
use ndarray::{Array1, ArrayView1, ArrayView2, ArrayViewMut1};

both! {
    pub fn windows(s: &[f64], y: &mut [f64], k: usize) -> (f64, f64, bool, f64) {
        let steps = s.windows(2).map(|w| (w[1] - w[0]).abs()).sum::<f64>();
        let rising = s.windows(2).all(|w| w[0] <= w[1]);
        let widest = s.windows(3).map(|w| w.iter().sum::<f64>()).fold(f64::NEG_INFINITY, f64::max);
        for (v, w) in y.iter_mut().zip(s.windows(3)) {
            *v = (w[0] + w[1] + w[2]) / 3.0;
        }
        for (i, w) in s.windows(2).enumerate() {
            y[i] += w[0] - 2.0 * w[1];
        }
        let mut last = 0.0;
        for w in s.windows(4).rev().skip(1) {
            last = last * 0.5 + w[3];
        }
        for (w, v) in s.windows(k).zip(y.iter_mut()) {
            for j in 0..k {
                *v += w[j] * w[w.len() - 1 - j];
            }
        }
        (steps, widest, rising, last)
    }

    pub fn views(a: ArrayView1<f64>, m: ArrayView2<f64>, mut y: ArrayViewMut1<f64>) -> f64 {
        let inner = a.windows(2).into_iter().map(|w| w[1] * w[0]).sum::<f64>();
        for (i, row) in m.rows().into_iter().enumerate() {
            for w in row.windows(2) {
                y[i] += w[1] - w[0];
            }
        }
        for w in m.column(0).windows(3) {
            let t = w[0] + w[2];
            y[0] -= t;
        }
        inner
    }

    pub fn chunks(s: &[f64], y: &mut [f64], k: usize) -> (f64, f64, f64, usize) {
        for (v, c) in y.iter_mut().zip(s.chunks_exact(2)) {
            *v = c[0] * c[1];
        }
        for c in y.chunks_exact_mut(4) {
            let t = c[0];
            c[0] = c[3];
            c[3] = t;
            c.swap(1, 2);
        }
        for c in y.chunks_mut(3) {
            for v in c.iter_mut() {
                *v += 1.0;
            }
            let n = c.len();
            c[n - 1] *= 2.0;
        }
        let largest = s.chunks_exact(k).map(|c| c.iter().sum::<f64>()).fold(0.0, f64::max);
        let firsts = s.chunks(k).map(|c| c[0]).sum::<f64>();
        let deep = s.chunks(5).map(|c| c.windows(2).map(|w| w[0] - w[1]).sum::<f64>()).sum::<f64>();
        (largest, firsts, deep, s.chunks(3).count())
    }

    pub fn beyond(s: &[f64], j: usize) -> f64 {
        // The subscript is in bounds of the array and not of the window.
        let mut sum = 0.0;
        for w in s.windows(2) {
            sum += w[j];
        }
        sum
    }

    pub fn beyond_a_chunk(s: &[f64], k: usize) -> f64 {
        s.chunks(k).map(|c| c[k - 1]).sum()
    }

    pub fn by_windows(s: &[f64], k: usize) -> (f64, usize) {
        let mut sum = 0.0;
        for (i, w) in s.windows(k).enumerate() {
            sum = sum * 0.5 + w[0] + w[k - 1] * i as f64;
        }
        (sum, s.windows(k).count())
    }

    pub fn by_exact_chunks(s: &[f64], k: usize) -> (f64, usize) {
        let mut sum = 0.0;
        for c in s.chunks_exact(k) {
            sum = sum * 0.5 + c[0] + c[c.len() - 1];
        }
        (sum, s.chunks_exact(k).count())
    }

    pub fn by_chunks(s: &[f64], k: usize) -> (f64, usize) {
        let mut sum = 0.0;
        for (c, i) in s.chunks(k).zip(0..s.len()) {
            sum = sum * 0.5 + c[0] + c[c.len() - 1] * (i + c.len()) as f64;
        }
        (sum, s.chunks(k).count())
    }

    pub fn into_exact_chunks(y: &mut [f64], k: usize) {
        for (i, c) in y.chunks_exact_mut(k).enumerate() {
            c[0] += i as f64;
            for j in 1..c.len() {
                c[j] += c[j - 1] * 0.5;
            }
        }
    }

    pub fn into_chunks(y: &mut [f64], k: usize) {
        for c in y.chunks_mut(k) {
            let first = c[0];
            c.fill(first);
            c[c.len() - 1] -= 1.0;
        }
    }

    pub fn of_views(a: ArrayView1<f64>, b: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, k: usize) -> f64 {
        let mut sum = 0.0;
        for (w, c) in a.windows(k).into_iter().zip(b.exact_chunks(k)) {
            sum = sum * 0.5 + w[0] - c[k - 1];
        }
        for mut c in y.exact_chunks_mut(k) {
            c[0] += 1.0;
            c *= 2.0;
        }
        sum
    }

    pub fn in_nests(m: ArrayView2<f64>, s: &[f64], y: &mut [f64], k: usize) {
        for i in 0..m.nrows() {
            for c in m.row(i).exact_chunks(k) {
                for w in c.windows(2) {
                    y[i] += w[0] * w[1];
                }
            }
        }
        for (row, c) in m.rows().into_iter().zip(s.chunks(k)) {
            for (v, (a, b)) in y.iter_mut().zip(row.iter().zip(c)) {
                *v -= a * b;
            }
        }
        for t in 0..3 {
            for c in y.chunks_mut(k) {
                for v in c {
                    *v = *v * 0.5 + t as f64;
                }
            }
        }
        for (i, w) in s.windows(k).enumerate().skip(1).step_by(2) {
            y[i] += w.iter().rev().fold(0.0, |so_far, v| so_far * 0.5 + v);
        }
        for (v, w) in y.iter_mut().rev().zip(s.windows(2).skip(1)) {
            *v += w[1];
        }
    }

    pub fn written(x: &[f64], y: &[f64], z: &[f64]) -> (f64, f64, f64, f64, f64) {
        let triple = x.iter().zip(y).zip(z).map(|((a, b), c)| a * b * c).sum::<f64>();
        let weighted = x.iter().enumerate().map(|(i, v)| i as f64 * v).sum::<f64>();
        let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = x.iter().cloned().fold(f64::INFINITY, f64::min);
        let horner = x.iter().rev().fold(0.0, |so_far, &c| so_far * 2.0 + c);
        (triple, weighted, largest, least, horner)
    }
}

/// Numbers with zeros of both signs and NaN among them.
fn odd(x: &mut [f64]) {
    for (k, v) in x.iter_mut().enumerate() {
        match k % 5 {
            1 => *v = -0.0,
            3 if k > 8 => *v = f64::NAN,
            4 => *v = -*v,
            _ => {}
        }
    }
}

#[test]
fn windows_of_slices() {
    same(
        |offloaded, given, n| {
            let (mut x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let found: Vec<Vec<u64>> = [1, 2, n + 3]
                .into_iter()
                .flat_map(|k| {
                    let (steps, widest, rising, last) = form!(offloaded, windows(&x, &mut y, k));
                    odd(&mut x);
                    all!(y, [steps, widest, last], [rising])
                })
                .collect();
            found
        },
        &SIZES,
    );
}

#[test]
fn windows_of_views() {
    same(
        |offloaded, given, n| {
            let (x, m, mut y) = (given.vector(2 * n, 1), given.matrix(n, n, 2), given.vector(n + 1, 3));
            let m = if n == 0 { given.matrix(0, 1, 2) } else { m };
            let strided = x.slice(ndarray::s![..;2]);
            let inner = form!(offloaded, views(strided, m.view(), y.view_mut()));
            all!(y, [inner])
        },
        &SIZES,
    );
}

#[test]
fn chunks_of_slices() {
    same(
        |offloaded, given, n| {
            let (mut x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let found: Vec<Vec<u64>> = [1, 3, n + 3]
                .into_iter()
                .flat_map(|k| {
                    let (largest, firsts, deep, count) = form!(offloaded, chunks(&x, &mut y, k));
                    odd(&mut x);
                    all!(y, [largest, firsts, deep], [count])
                })
                .collect();
            found
        },
        &SIZES,
    );
}

#[test]
fn iterators_as_they_are_written() {
    same(
        |offloaded, given, n| {
            let [mut x, y, z] = [(n, 1), (n + 1, 2), (n, 3)].map(|(n, seed)| given.vector(n, seed).to_vec());
            odd(&mut x);
            let (triple, weighted, largest, least, horner) = form!(offloaded, written(&x, &y, &z));
            all!([triple, weighted, largest, least, horner])
        },
        &SIZES,
    );
}

/// Whether a call panics.
fn fails(call: impl FnOnce() -> f64) -> bool {
    tried(call).is_none()
}

/// What a call gives, unless it panics.
fn tried<T>(call: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).ok()
}

/// All lengths around all sizes, the size of zero among them, which panics.
#[test]
fn sizes_around_lengths() {
    let sizes = [0, 1, 2, 3, 4, 5, 6, 7, 8, usize::MAX - 1, usize::MAX];
    for (n, k) in (0..9).flat_map(|n| sizes.map(|k| (n, k))) {
        let numbers = |seed: usize| (0..n).map(move |i| ((i * 7 + seed) % 11) as f64 - 4.5).collect::<Vec<f64>>();
        let x = numbers(1);
        let bits = |(sum, count): (f64, usize)| (sum.to_bits(), count);
        for (plain, fast) in [
            (plain::by_windows as fn(&[f64], usize) -> _, fast::by_windows as fn(&[f64], usize) -> _),
            (plain::by_exact_chunks, fast::by_exact_chunks),
            (plain::by_chunks, fast::by_chunks),
        ] {
            let (wanted, found) = (tried(|| plain(&x, k)), tried(|| fast(&x, k)));
            assert_eq!(wanted.map(bits), found.map(bits), "{n}, {k}");
            assert_eq!(found.is_none(), k == 0);
        }
        for (plain, fast) in [
            (plain::into_exact_chunks as fn(&mut [f64], usize), fast::into_exact_chunks as fn(&mut [f64], usize)),
            (plain::into_chunks, fast::into_chunks),
        ] {
            let (mut wanted, mut found) = (numbers(2), numbers(2));
            let ends = [tried(|| plain(&mut wanted, k)), tried(|| fast(&mut found, k))];
            assert_eq!(ends, [(k > 0).then_some(()); 2], "{n}, {k}");
            assert_eq!(wanted, found, "{n}, {k}");
        }
        // Chunks of views that go backwards overflow in ndarray itself, in a debug build.
        let given = Array1::from(numbers(3));
        let (back, strided) = (given.slice(ndarray::s![..;-2]), given.slice(ndarray::s![..;2]));
        let views = |offloaded: bool| {
            let mut y = Array1::from(numbers(4));
            let sum = tried(|| form!(offloaded, of_views(back, strided, y.slice_mut(ndarray::s![1.min(n)..;3]), k)));
            (sum.map(f64::to_bits), y)
        };
        assert_eq!(views(false), views(true), "{n}, {k}");
    }
}

#[test]
fn stretches_in_nests() {
    same(
        |offloaded, given, n| {
            let (m, x, mut y) =
                (given.matrix(n, n + 1, 1), given.vector(n, 2).to_vec(), given.vector(n + 1, 3).to_vec());
            for k in [1, 2, 3, 8] {
                form!(offloaded, in_nests(m.view(), &x, &mut y, k));
            }
            all!(y)
        },
        &SIZES,
    );
}

#[test]
fn subscripts_behind_the_end_of_a_window_fail() {
    for (x, j) in [([1.0; 6].as_slice(), 1), (&[1.0; 6], 2), (&[1.0; 6], 5), (&[1.0], 7), (&[], 7)] {
        assert_eq!(fails(|| plain::beyond(x, j)), fails(|| fast::beyond(x, j)), "{x:?}, {j}");
        assert_eq!(fails(|| plain::beyond_a_chunk(x, j)), fails(|| fast::beyond_a_chunk(x, j)), "{x:?}, {j}");
    }
    assert!(fails(|| fast::beyond(&[1.0; 6], 2)) && fails(|| fast::beyond_a_chunk(&[1.0; 6], 5)));
    // A size of zero is refused at once, whatever the array.
    let zero = |offloaded: bool| fails(move || form!(offloaded, windows(&[], &mut [], 0)).0);
    assert!(zero(false) && zero(true));
}
