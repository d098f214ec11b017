//! `map`, `filter` and `take_while` in the heads of loops, and iterators that come to an `Option`.

use super::{SIZES, all, both, form, same};
use ndarray::{ArrayView1, ArrayView2};

both! {
    pub fn heads(x: &[f64], y: &mut [f64], m: ArrayView2<f64>, n: usize) -> (f64, f64, f64, usize) {
        let mut sum = 0.0;
        let v = 0.5;
        for u in x.iter().filter(|v| **v > 0.6) {
            sum += u * v;
        }
        for (i, u) in x.iter().enumerate().filter(|(i, _)| i % 3 == 1) {
            y[i] = *u;
        }
        for u in y.iter_mut().filter(|u| **u > 0.5) {
            *u -= 0.25;
        }
        for i in (0..n).filter(|i| i % 2 == 0).map(|i| i + 1).filter(|&i| i < n) {
            if y[i] > 1.0 {
                continue;
            }
            y[i] += x[i];
        }
        let mut last = 0.0;
        for u in x.iter().map(|u| u * 2.0).take_while(|u| *u < 2.1) {
            last = last * 0.5 + u;
        }
        'rows: for row in m.rows() {
            for u in row.iter().filter(|u| **u > 0.7) {
                if *u > 1.05 {
                    break;
                }
                if *u > 1.0 {
                    continue 'rows;
                }
                last += u;
            }
        }
        let mut count = 0;
        for u in m.iter().take_while(|u| **u < 1.0).filter(|u| **u > 0.3) {
            count += 1;
            sum -= u;
        }
        x.iter().zip(y.iter_mut()).filter(|(u, _)| **u < 0.9).for_each(|(u, w)| *w += u);
        let early = x.iter().take_while(|u| **u < 1.0).map(|u| u + 1.0).sum::<f64>();
        (sum, last, early, count)
    }

    pub fn kept(x: &[f64], a: &[i32], v: ArrayView1<f64>) -> (i32, i32, f64, f64, f64, f64) {
        let span = *a.iter().max().unwrap() - a.iter().copied().min().unwrap();
        let least = a.iter().map(|k| k.abs()).filter(|k| k % 2 == 1).min().unwrap_or(77);
        let (low, high) = (
            *x.iter().min_by(|a, b| a.total_cmp(b)).unwrap(),
            x.iter().copied().max_by(f64::total_cmp).unwrap_or(0.0),
        );
        let far = *v.iter().max_by(|a, b| a.abs().partial_cmp(&b.abs()).unwrap()).unwrap();
        let near = v.iter().copied().min_by(|a, b| b.partial_cmp(a).unwrap()).expect("some");
        (span, least, low, high, far, near)
    }

    pub fn places(x: &[f64], a: &[i32], t: f64) -> (usize, usize, usize, usize, bool, bool) {
        let at = x.iter().position(|&u| u >= t).unwrap_or(x.len());
        let largest = x.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(i, _)| i).unwrap();
        let least = x.iter().enumerate().min_by(|(_, a), (_, b)| b.total_cmp(a)).map(|(i, _)| i).unwrap_or(9);
        let last = a.iter().enumerate().max_by(|(_, a), (_, b)| a.cmp(b)).map(|(i, _)| i).unwrap();
        let any = x.iter().position(|&u| u == t).is_some();
        let (i, v) = x.iter().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap();
        let j = x.iter().enumerate().max_by(|(_, a), (_, b)| b.total_cmp(a)).expect("one").0;
        let least = least * 100 + i * 10 + j + usize::from(*v > 0.5);
        let none = x.iter().find(|u| **u > t).is_none();
        (at, largest, least, last, any, none)
    }

    pub fn folded(x: &[f64], t: f64) -> (f64, f64, f64, f64, f64) {
        let largest = x.iter().copied().reduce(f64::max).unwrap_or(-1.0);
        let chained = x.iter().map(|u| u * 2.0).reduce(|a, b| a * 0.5 - b).unwrap_or(0.25);
        let beyond = x.iter().copied().find(|u| *u > t).unwrap_or(t);
        let (first, last) = (x.first().copied().unwrap_or(7.0), x.last().map(|u| u * 2.0).unwrap_or(8.0));
        (largest, chained, beyond, first, last)
    }

    pub fn ends(x: &[f64]) -> f64 {
        x.first().unwrap() - x[1..].last().unwrap()
    }

    pub fn within(m: ArrayView2<f64>, y: &mut [f64]) {
        for (row, v) in m.rows().into_iter().zip(y.iter_mut()) {
            *v = *row.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
        }
        for i in 0..m.nrows() {
            y[i] += m.row(i).iter().position(|u| *u > 1.0).unwrap_or(99) as f64;
        }
    }
}

#[test]
fn heads_have_stages() {
    same(
        |offloaded, given, n| {
            let (x, mut y, m) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec(), given.matrix(n, n + 1, 3));
            let (sum, last, early, count) = form!(offloaded, heads(&x, &mut y, m.view(), n));
            all!(y, [sum, last, early], [count])
        },
        &SIZES,
    );
}

/// Whole numbers with equal ones among them.
fn whole(n: usize) -> Vec<i32> {
    (0..n as i32).map(|i| (i * 7 + 3) % 5 - 2).collect()
}

#[test]
fn largest_and_least() {
    same(
        |offloaded, given, n| {
            let (x, v) = (given.vector(n + 1, 1).to_vec(), given.vector(n + 1, 2));
            let (span, least, low, high, far, near) = form!(offloaded, kept(&x, &whole(n + 1), v.view()));
            let more = form!(offloaded, folded(&x[..n], 0.9));
            let more = [more.0, more.1, more.2, more.3, more.4];
            all!([span, least], [low, high, far, near], more)
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let (m, mut y) = (given.matrix(n, n + 1, 1), given.vector(n, 2).to_vec());
            form!(offloaded, within(m.view(), &mut y));
            all!(y)
        },
        &SIZES,
    );
}

#[test]
fn places_of_elements() {
    same(
        |offloaded, given, n| {
            let x = given.vector(n + 1, 1).to_vec();
            let mut found = Vec::new();
            for t in [x[n / 2], 0.9, 3.0] {
                let (at, largest, least, last, any, none) = form!(offloaded, places(&x, &whole(n + 1), t));
                found.extend(all!([at, largest, least, last], [any, none]));
            }
            found
        },
        &SIZES,
    );
}

/// What a call gives, unless it panics.
fn tried<T>(call: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).ok()
}

#[test]
fn all_floats_are_in_order() {
    let odd = [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0, 1e-310];
    for (i, j) in (0..odd.len()).flat_map(|i| (0..odd.len()).map(move |j| (i, j))) {
        for x in [vec![odd[i], odd[j]], vec![odd[j], odd[i], odd[j]]] {
            let whole = [1, 1, 0];
            assert_eq!(plain::places(&x, &whole, 1.0), fast::places(&x, &whole, 1.0), "{x:?}");
            let bits = |found: (i32, i32, f64, f64, f64, f64)| {
                (
                    found.0,
                    found.1,
                    [found.2, found.3, found.4, found.5].map(|u| if u.is_nan() { 1 } else { u.to_bits() }),
                )
            };
            // `partial_cmp` fails of NaN.
            let view = ArrayView1::from(&x[..]);
            let wanted = tried(|| plain::kept(&x, &whole, view)).map(bits);
            assert_eq!(wanted, tried(|| fast::kept(&x, &whole, view)).map(bits), "{x:?}");
            assert_eq!(wanted.is_none(), x.iter().any(|u| u.is_nan()));
        }
    }
}

#[test]
fn what_is_not_there_fails() {
    for n in 0..4 {
        let x = [1.5, -2.0, 0.25][..n.min(3)].to_vec();
        assert_eq!(tried(|| plain::ends(&x)), tried(|| fast::ends(&x)), "{n}");
        let (a, v) = (whole(n), ArrayView1::from(&x[..]));
        assert_eq!(tried(|| plain::kept(&x, &a, v)), tried(|| fast::kept(&x, &a, v)), "{n}");
    }
    assert!(tried(|| fast::ends(&[1.0])).is_none() && tried(|| fast::ends(&[1.0, 2.0])).is_some());
}
