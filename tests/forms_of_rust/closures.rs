//! Closures under a name, iterators that are brought to one number, constant arrays.

use super::{SIZES, all, both, form, same};
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1};

both! {
    pub fn sums(x: &[f64], a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>) -> (f64, f64, f64) {
        let all: f64 = x.iter().sum();
        let squares = x.iter().map(|v| v * v).sum::<f64>();
        let product = a.iter().filter(|v| **v > 0.25).map(|v| v + 0.5).product::<f64>();
        for (i, row) in a.rows().into_iter().enumerate() {
            y[i] = row.iter().zip(x).map(|(u, v)| u * v).sum::<f64>() / x.len() as f64;
        }
        (all, squares, product)
    }

    pub fn whole_sums(x: &[i32], b: &[u8]) -> (i32, usize, u32, i64) {
        let odd = x.iter().filter(|v| *v % 2 != 0).count();
        let first = x.iter().copied().skip(1).step_by(2).sum::<i32>();
        let bits = b.iter().map(|v| v.count_ones()).sum::<u32>();
        let numbers = (0..x.len() as i64).filter(|&i| i % 3 == 1).map(|i| i * i).sum::<i64>();
        (first, odd, bits, numbers)
    }

    pub fn folded(x: &[f64], s: &[f64]) -> (f64, f64, f64, f64) {
        let horner = x.iter().rev().fold(0.0, |acc, v| acc * 0.5 + v);
        let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = x.iter().fold(f64::INFINITY, |a, &b| a.min(b));
        // The name of what has come is that of the array.
        let shadowed = s.iter().fold(1.0, |s, v| s + v);
        (horner, largest, least, shadowed)
    }

    pub fn staged(x: &[f64], limit: f64) -> (f64, f64, f64, usize) {
        // Each closure sees its own names and those around all of them.
        let v = limit;
        let above = x.iter().map(|v| v * 2.0).filter(|u| *u > v).sum::<f64>();
        let s = 0.5;
        let scaled = x.iter().map(|s| s * s).fold(0.0, |a, t| a + t * s);
        let wide = (0..70_000).map(|i: i64| (i * i) as f64).sum::<f64>();
        let even = x.iter().enumerate().filter(|&(i, v)| i % 2 == 0 && *v > 0.25).count();
        (above, scaled, wide, even)
    }

    pub fn counted_all(x: &[f64], idx: &[usize]) -> (usize, usize) {
        let mut calls = 0;
        let n = idx.iter().map(|&i| { calls += 1; x[i] }).count();
        (n, calls)
    }

    pub fn decided(x: &[f64], y: &[f64]) -> (bool, bool, bool) {
        // Behind the first negative number nothing is looked at: its subscript would be out of bounds.
        let early = x.iter().enumerate().any(|(i, v)| *v < 0.0 || i > y.len() || y[i] < 0.0);
        let none = x.iter().all(|v| !v.is_nan());
        let same = x.iter().zip(y.iter()).all(|(a, b)| a == b);
        (early, none, same)
    }

    pub fn left_early(x: &[f64], at: &[usize], a: ArrayView2<f64>, y: &mut [f64]) -> (bool, bool, bool, usize) {
        // Subscripts behind the element that decides may be out of bounds.
        let any = at.iter().any(|&k| x[k] > 0.5);
        let every = at.iter().all(|&k| x[k] <= 0.5);
        let mut calls = 0;
        let deep = a.iter().filter(|v| **v > 0.25).any(|v| {
            calls += 1;
            *v > 0.75
        });
        for (v, row) in y.iter_mut().zip(a.rows()) {
            if row.iter().zip(x).all(|(a, b)| a >= b) {
                *v += 1.0;
            }
        }
        (any, every, deep, calls)
    }

    pub fn without_values(x: &mut [f64], m: &mut [f64]) -> (f64, usize, f64, f64) {
        let mut count = 0;
        let mut put = |k: usize, v: f64| {
            x[k] = v;
            count += 1;
        };
        put(1, 2.0);
        for k in 0..3 {
            put(k, k as f64 + 0.5);
        }
        let add = |t: &mut f64, d: f64| *t += d;
        let exchange = |a: &mut f64, b: &mut f64| {
            let c = *a;
            *a = *b;
            *b = c;
        };
        let (mut p, mut q) = (1.0, 3.0);
        add(&mut p, 0.25);
        exchange(&mut p, &mut q);
        let set = |a: &mut [f64], k: usize, v: f64| a[k] = v;
        set(m, 0, p);
        let clip = |v: &mut f64| {
            if *v > 0.75 {
                *v = 0.75;
            } else {
                add(v, 0.125)
            }
        };
        for v in m.iter_mut() {
            clip(v);
        }
        let mut values = 0;
        let mut valued = |d: usize| {
            values += d;
            values
        };
        valued(2);
        valued(3);
        (p, count + valued(0), q, m[0])
    }

    pub fn named(x: &[f64], y: &mut [f64], c: [f64; 3]) -> f64 {
        let p = |t: f64| c[0] + t * (c[1] + t * c[2]);
        let scale = 2.0;
        let twice = |t: f64, by| -> f64 { let u = p(t) * scale; u + by };
        // A name that hides what the closure uses is another one.
        let scale = 100.0;
        let mut calls = 0;
        let mut counted = |v: f64| {
            calls += 1;
            v - 1.0
        };
        for i in 0..x.len() {
            let t = x[i];
            y[i] = twice(t, scale) + p(p(t));
        }
        let last = counted(1.5) + counted(2.5);
        last + calls as f64
    }

    pub fn of_rows(a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>) {
        let norm = |row: ArrayView1<f64>| row.iter().map(|v| v * v).sum::<f64>().sqrt();
        for i in 0..a.nrows() {
            y[i] = norm(a.row(i));
        }
    }

    pub fn constants(x: &[f64], y: &mut [f64]) {
        const WEIGHTS: [f64; TAPS] = [0.25, 0.5, 0.25];
        const TAPS: usize = 3;
        const GRID: [[i32; 2]; 2] = [[1, -1], [2, 3]];
        for i in 1..x.len().max(2) - 1 {
            let mut sum = 0.0;
            for k in 0..TAPS {
                sum += WEIGHTS[k] * x[i + k - 1];
            }
            y[i] = sum + GRID[i % 2][(i / 2) % 2] as f64;
        }
    }
}

#[test]
fn iterators_come_to_numbers() {
    same(
        |offloaded, given, n| {
            let (x, a, mut y) = (given.vector(n, 1).to_vec(), given.matrix(n, n, 2), given.vector(n, 3));
            let (all, squares, product) = form!(offloaded, sums(&x, a.view(), y.view_mut()));
            // Of no numbers the sum of floats is the negative zero.
            all!(y, [all, squares, product], [all.to_bits()])
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let x: Vec<i32> = given.vector(n, 1).iter().map(|v| (v * 100.0) as i32 - 30).collect();
            let b: Vec<u8> = given.vector(n, 2).iter().map(|v| (v * 255.0) as u8).collect();
            let (first, odd, bits, numbers) = form!(offloaded, whole_sums(&x, &b));
            all!([first], [odd], [bits], [numbers])
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let (x, s) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let (horner, largest, least, shadowed) = form!(offloaded, folded(&x, &s));
            all!([horner, largest, least, shadowed])
        },
        &SIZES,
    );
}

#[test]
fn stages_have_names_of_their_own() {
    same(
        |offloaded, given, n| {
            let x = given.vector(n, 1).to_vec();
            let (above, scaled, wide, even) = form!(offloaded, staged(&x, 0.6));
            let idx: Vec<usize> = (0..n).rev().collect();
            let (count, calls) = form!(offloaded, counted_all(&x, &idx));
            all!([above, scaled, wide], [even, count, calls])
        },
        &SIZES,
    );
}

#[test]
fn tests_of_elements_end_early() {
    same(
        |offloaded, given, n| {
            let mut x = given.vector(2 * n + 3, 1).mapv(f64::abs).to_vec();
            let y = given.vector(n + 1, 1).mapv(f64::abs).to_vec();
            x[n / 2] = -1.0;
            let (early, none, same) = form!(offloaded, decided(&x, &y));
            x[n / 2] = f64::NAN;
            let (later, nan, _) = form!(offloaded, decided(&x[..n + 1], &y));
            all!([early, none, same, later, nan])
        },
        &SIZES,
    );
}

#[test]
fn what_decides_is_the_last_that_is_looked_at() {
    same(
        |offloaded, given, n| {
            let (x, a, mut y) =
                (given.vector(n + 3, 1).to_vec(), given.matrix(n, n + 1, 2), given.vector(n, 3).to_vec());
            let large = x.iter().position(|v| *v > 0.5);
            // The last is out of bounds, and reached by neither; without the large one by none.
            let at: Vec<usize> = large.map_or_else(Vec::new, |k| vec![k, k + 1, usize::MAX, n + 3]);
            let (any, every, deep, calls) = form!(offloaded, left_early(&x, &at, a.view(), &mut y));
            all!(y, [any, every, deep], [calls])
        },
        &SIZES,
    );
}

#[test]
fn closures_may_give_no_value() {
    same(
        |offloaded, given, n| {
            let (mut x, mut m) = (given.vector(n + 3, 1).to_vec(), given.vector(n + 1, 2).to_vec());
            let (p, count, q, first) = form!(offloaded, without_values(&mut x, &mut m));
            all!(x, m, [p, q, first], [count])
        },
        &SIZES,
    );
}

#[test]
fn closures_have_names() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let last = form!(offloaded, named(&x, &mut y, [0.5, -1.5, 0.25]));
            let (a, mut z) = (given.matrix(n, n + 1, 3), given.vector(n, 4));
            form!(offloaded, of_rows(a.view(), z.view_mut()));
            all!(y, z, [last])
        },
        &SIZES,
    );
}

#[test]
fn arrays_are_constants() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            form!(offloaded, constants(&x, &mut y));
            all!(y)
        },
        &SIZES,
    );
}
