//! Iterators within iterators, what they leave out at first, lists that are written where they are gone through, and steps beside other things.

use super::{SIZES, all, both, form, same};
use ndarray::{ArrayView2, ArrayViewMut2};

both! {
    pub fn flat(a: ArrayView2<f64>, x: &[f64], limit: f64) -> (f64, usize, f64, bool) {
        let n = x.len();
        let above: f64 = (0..a.nrows()).flat_map(|i| (i + 1..a.ncols()).map(move |j| a[[i, j]])).sum();
        let i = 3;
        let close = (0..n).flat_map(|i| x[..i].iter().map(move |v| (v - x[i]).abs())).filter(|d| *d < limit + i as f64).count();
        let mut last = 0.0;
        let mut count = 0;
        for v in (0..n).flat_map(|k| (0..k).map(move |j| k * j)) {
            last += v as f64;
            count += 1;
            if count % 3 == 0 {
                continue;
            }
            if count > 40 {
                break;
            }
        }
        let found = (0..n).flat_map(|i| x.iter().skip(i).take_while(|v| **v < 0.9)).any(|v| *v > limit);
        (above, close, last, found)
    }

    pub fn skipped(x: &[f64], y: &mut [f64]) -> (f64, f64) {
        let from = x.iter().skip_while(|v| **v < 0.5).map(|v| v * 2.0).sum::<f64>();
        let middle = x.iter().rev().skip_while(|v| **v > 0.3).take_while(|v| **v <= 0.9).fold(0.0, |a, v| a * 0.5 + v);
        for v in y.iter_mut().skip_while(|v| **v < 0.4) {
            *v += 1.0;
        }
        (from, middle)
    }

    pub fn lists(u: ArrayView2<f64>, mut out: ArrayViewMut2<f64>, weight: f64) -> f64 {
        let (h, w) = u.dim();
        for i in 0..h {
            for j in 0..w {
                let mut s = 0.0;
                for (di, dj, c) in [(0usize, 1usize, weight), (1, 0, 0.5), (1, 2, -0.25), (2, 1, weight + 1.0)] {
                    if i + di > 0 && j + dj > 0 && i + di <= h && j + dj <= w {
                        s += c * u[[i + di - 1, j + dj - 1]];
                    }
                }
                for k in [w, 0, 1] {
                    s += (k + j) as f64;
                }
                out[[i, j]] = s;
            }
        }
        [(1.0, weight), (2.0, 3.0)].iter().map(|(a, b)| a * b).sum::<f64>() + [1.5, weight].into_iter().fold(0.0, |a, b| a * 2.0 + b)
    }

    pub fn steps(x: &[f64], y: &mut [f64], k: usize) -> (f64, f64) {
        for (i, v) in x.iter().step_by(k).enumerate() {
            y[i] += *v;
        }
        for (o, v) in y.iter_mut().skip(1).step_by(2).zip(x.iter().rev().step_by(3)) {
            *o -= v;
        }
        let mirrored = x.iter().zip(x.iter().skip(1)).rev().fold(0.0, |acc, (a, b)| acc * 0.5 + a - b);
        let table: Vec<f64> = (1..=k).map(|k| 1.0 / (k * k) as f64).collect();
        (mirrored, table.iter().sum::<f64>() + (0..=k).rev().zip(x).map(|(i, v)| i as f64 * v).sum::<f64>())
    }
}

#[test]
fn iterators_within_iterators() {
    same(
        |offloaded, given, n| {
            let (a, x) = (given.matrix(n, n + 1, 1), given.vector(n, 2).to_vec());
            let (above, close, last, found) = form!(offloaded, flat(a.view(), &x, 0.2));
            all!([above, last], [close], [found])
        },
        &SIZES,
    );
}

#[test]
fn what_is_skipped_at_first() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let (from, middle) = form!(offloaded, skipped(&x, &mut y));
            all!(y, [from, middle])
        },
        &SIZES,
    );
}

#[test]
fn lists_in_their_places() {
    same(
        |offloaded, given, n| {
            let (u, mut out) = (given.matrix(n, n + 1, 1), given.matrix(n, n + 1, 2));
            let sum = form!(offloaded, lists(u.view(), out.view_mut(), 0.75));
            all!(out, [sum])
        },
        &SIZES,
    );
}

#[test]
fn steps_beside_other_things() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let found = [1, 2, 5, n + 1].map(|k| form!(offloaded, steps(&x, &mut y, k)));
            all!(y, found.map(|(a, _)| a), found.map(|(_, b)| b))
        },
        &SIZES,
    );
}
