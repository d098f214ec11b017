//! Loops over the elements, rows and columns of arrays.

use super::{SIZES, all, both, form, same};
use ndarray::{Array2, Array3, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn elements(mut a: ArrayViewMut2<f64>, x: &mut [f64]) -> f64 {
        for v in a.iter_mut() {
            *v = *v * 2.0 + 1.0;
        }
        for v in x.iter_mut() {
            *v -= 0.5;
        }
        let mut sum = 0.0;
        for v in a.iter() {
            sum += v;
        }
        for &v in x.iter() {
            sum -= v;
        }
        for v in &a {
            sum += v.sqrt();
        }
        sum
    }

    pub fn numbered(x: &[f64], mut y: ArrayViewMut1<f64>, mut a: ArrayViewMut2<f64>) {
        for (i, v) in x.iter().enumerate() {
            if i < y.len() {
                y[i] += *v * i as f64;
            }
        }
        for (i, v) in y.iter_mut().enumerate().skip(1).step_by(2) {
            *v += i as f64;
        }
        for (k, v) in a.iter_mut().enumerate() {
            *v += k as f64;
        }
        for ((i, j), v) in a.indexed_iter_mut() {
            *v *= (i + 2 * j) as f64;
        }
    }

    pub fn zipped(x: &[f64], y: &[f64], z: &mut [f64], a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) -> f64 {
        let mut dot = 0.0;
        for (u, v) in x.iter().zip(y.iter()) {
            dot += u * v;
        }
        for ((w, u), &v) in z.iter_mut().zip(x.iter()).zip(y.iter().rev()) {
            *w = u - v;
        }
        for (i, (u, v)) in x.iter().skip(1).zip(y).enumerate() {
            dot += u * v * i as f64;
        }
        for (v, u) in b.iter_mut().zip(a.iter()) {
            *v += *u;
        }
        for (i, u) in (0..x.len()).zip(y.iter()) {
            dot -= u * i as f64;
        }
        dot
    }

    pub fn by_rows(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, mut y: ArrayViewMut1<f64>) {
        for (i, row) in a.rows().into_iter().enumerate() {
            let mut sum = 0.0;
            for v in row.iter() {
                sum += v;
            }
            y[i] = sum;
        }
        for mut row in b.rows_mut() {
            for v in row.iter_mut() {
                *v += 1.0;
            }
        }
        for (mut row, source) in b.outer_iter_mut().zip(a.outer_iter()) {
            for j in 0..source.len() {
                row[j] -= source[j];
            }
        }
        for column in a.columns() {
            for (i, v) in column.iter().enumerate() {
                y[i] += v;
            }
        }
        for mut line in b.axis_iter_mut(ndarray::Axis(1)) {
            line.fill(3.0);
        }
    }

    pub fn each(x: &[f64], y: &mut [f64], a: &mut Array2<f64>) {
        y.iter_mut().for_each(|v| *v += 1.0);
        y.iter_mut().zip(x.iter()).for_each(|(v, u)| {
            let t = u * 2.0;
            *v -= t;
        });
        a.iter_mut().for_each(|v| {
            if *v < 0.5 {
                *v = 0.0;
            }
        });
    }

    pub fn backwards(x: &[f64], y: &mut [f64]) -> f64 {
        let mut last = 0.0;
        for v in x.iter().rev() {
            last = last * 0.5 + v;
        }
        for v in y.iter_mut().rev().take(2) {
            *v = last;
        }
        last
    }

    pub fn searched(a: &Array3<f64>, x: ArrayView1<f64>) -> (usize, f64) {
        let mut count = 0;
        for &v in a.iter() {
            if v < 0.2 {
                continue;
            }
            if v > 1.0 {
                break;
            }
            count += 1;
        }
        let mut largest = f64::NEG_INFINITY;
        for &v in x {
            largest = largest.max(v);
        }
        (count, largest)
    }
}

#[test]
fn all_elements() {
    same(
        |offloaded, given, n| {
            let (mut a, mut x) = (given.matrix(n, n + 1, 1), given.vector(n, 2).to_vec());
            let sum = form!(offloaded, elements(a.view_mut(), &mut x));
            all!(a, x, [sum])
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let (x, mut y, mut a) = (given.vector(n, 1).to_vec(), given.vector(n, 2), given.matrix(n, n + 2, 3));
            form!(offloaded, numbered(&x, y.view_mut(), a.view_mut()));
            all!(y, a)
        },
        &SIZES,
    );
}

#[test]
fn several_at_once() {
    same(
        |offloaded, given, n| {
            let [x, y, mut z] = [(n + 2, 1), (n, 2), (n + 1, 3)].map(|(n, seed)| given.vector(n, seed).to_vec());
            let (a, mut b) = (given.matrix(n, n + 1, 4), given.matrix(n, n + 1, 5));
            let dot = form!(offloaded, zipped(&x, &y, &mut z, a.view(), b.view_mut()));
            form!(offloaded, each(&x, &mut z, &mut b));
            let last = form!(offloaded, backwards(&x, &mut z));
            all!(z, b, [dot, last])
        },
        &SIZES,
    );
}

#[test]
fn rows_and_columns() {
    same(
        |offloaded, given, n| {
            let (a, mut b, mut y) = (given.matrix(n, n + 1, 1), given.matrix(n, n + 1, 2), given.vector(n, 3));
            form!(offloaded, by_rows(a.view(), b.view_mut(), y.view_mut()));
            let (count, largest) = form!(offloaded, searched(&given.solid([n, 2, 2], 4), y.view()));
            all!(b, y, [count], [largest])
        },
        &SIZES,
    );
}
