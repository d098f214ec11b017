//! Names for several numbers at once, and what iterators give as tuples under one name.

use super::{SIZES, all, both, form, same};
use ndarray::{ArrayView1, ArrayView2};

both! {
    pub fn best(x: &[f64], y: &[f64]) -> (usize, f64) {
        let mut best = (0, f64::MAX);
        for (i, p) in x.iter().zip(y).enumerate() {
            let d = (p.0 - 0.5).powi(2) + (*p.1 - 0.25).powi(2);
            if d < best.1 {
                best = (i, d);
            }
        }
        best
    }

    pub fn moved(n: u32) -> (u64, u64, u64) {
        let mut pair: (u64, u64) = (0, 1);
        for _ in 0..n {
            pair = (pair.1, pair.0.wrapping_add(pair.1));
        }
        let kept = pair;
        pair.0 += 3;
        pair.1 = pair.0 - 1;
        let (a, b) = kept;
        (a + pair.0, b, pair.1)
    }

    pub fn by_ends(x: &[f64], a: ArrayView2<f64>) -> (f64, f64) {
        let signs = if x.len() > 2 { (1.0, -1.0) } else { (-2.0, 2.0) };
        let shape = a.dim();
        let turned = x.iter().sum::<f64>().sin_cos();
        let extent = x.iter().fold((f64::MAX, f64::MIN), |mut so_far, v| {
            so_far.0 = v.min(so_far.0);
            so_far.1 = f64::max(so_far.1, *v);
            so_far
        });
        for i in 0..shape.0 {
            if i > 3 {
                return extent;
            }
        }
        (signs.0 * extent.0 + turned.0, signs.1 * extent.1 + turned.1 + (shape.0 * shape.1) as f64)
    }

    pub fn as_result(x: &[f64]) -> (f64, f64) {
        x.iter().fold((f64::MAX, f64::MIN), |(low, high), &v| (v.min(low), v.max(high)))
    }

    pub fn by_second(x: ArrayView1<f64>) -> (usize, f64) {
        let at = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|p| p.0).unwrap_or(99);
        let least = x.iter().enumerate().min_by(|a, b| a.1.partial_cmp(b.1).unwrap()).map(|p| p.1 * 2.0).unwrap_or(-1.0);
        (at, if let Some(p) = x.iter().enumerate().find(|p| *p.1 > 0.7) { *p.1 + p.0 as f64 } else { least })
    }

    pub fn lent(x: &mut [f64], y: &[f64]) {
        for p in x.iter_mut().zip(y) {
            *p.0 = 0.5 * *p.0 + p.1;
            let q = p;
            if *q.1 > 0.5 {
                *q.0 -= 1.0;
            }
            let v = q.0;
            *v += 0.25;
        }
        for mut p in x.iter_mut().enumerate() {
            p.0 += 1;
            *p.1 += p.0 as f64;
        }
    }
}

#[test]
fn tuples_under_a_name() {
    same(
        |offloaded, given, n| {
            let (x, y, a) = (given.vector(n, 1).to_vec(), given.vector(n + 1, 2).to_vec(), given.matrix(n, n + 1, 3));
            let (at, best) = form!(offloaded, best(&x, &y));
            let (f, g, h) = form!(offloaded, moved(n as u32));
            let (low, high) = form!(offloaded, by_ends(&x, a.view()));
            let (least, largest) = form!(offloaded, as_result(&x));
            all!([at], [best, low, high, least, largest], [f, g, h])
        },
        &SIZES,
    );
}

#[test]
fn what_iterators_give_under_a_name() {
    same(
        |offloaded, given, n| {
            let (mut x, y) = (given.vector(n, 1).to_vec(), given.vector(n + 1, 2).to_vec());
            let (at, found) = form!(offloaded, by_second(given.vector(n, 3).view()));
            form!(offloaded, lent(&mut x, &y));
            all!(x, [at], [found])
        },
        &SIZES,
    );
}
