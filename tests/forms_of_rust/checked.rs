//! `checked_add` and its like, orderings of two numbers, comparisons of several at once, elements of rows, methods that give another type.

use super::{SIZES, all, both, form, same};
use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3};
use std::cmp::Ordering;

macro_rules! of_class {
    ($name:ident, $t:ty) => {
        pub mod $name {
            use super::both;

            both! {
                /// All operations, by all ways that take the value out.
                pub fn checked(x: &[$t], y: &[$t], z: &mut [$t]) -> usize {
                    let mut none = 0;
                    for i in 0..x.len() {
                        let (a, b) = (x[i], y[i]);
                        let sum = a.checked_add(b).unwrap_or(1);
                        let difference = match a.checked_sub(b) {
                            Some(d) => d,
                            None => 2,
                        };
                        let product = if let Some(p) = a.checked_mul(b) { p } else { 3 };
                        if a.checked_mul(b).is_none() {
                            none += 1;
                        }
                        let (_, wraps) = a.overflowing_mul(b);
                        let over = a.overflowing_sub(b);
                        none += usize::from(wraps) + if over.1 { 3 } else { 0 };
                        z[i] = sum ^ difference.wrapping_mul(5) ^ product.wrapping_mul(7);
                        match a.checked_rem(b) {
                            None => z[i] ^= 64,
                            Some(rest) => z[i] ^= rest,
                        }
                        let Some(quotient) = a.checked_div(b).map(|q| q.wrapping_mul(3)) else { continue };
                        z[i] ^= quotient;
                    }
                    none
                }

                /// Methods that move bits.
                pub fn bits(x: &[$t], y: &[$t], z: &mut [$t]) -> u64 {
                    let mut sum = 0u64;
                    for i in 0..x.len() {
                        z[i] = x[i].reverse_bits() ^ y[i].swap_bytes();
                        sum = sum.wrapping_mul(31).wrapping_add(x[i].abs_diff(y[i]) as u64);
                    }
                    sum
                }
            }
        }
    };
}
of_class!(bytes, u8);
of_class!(shorts, i16);
of_class!(words, u32);
of_class!(signed_words, i32);
of_class!(longs, i64);
of_class!(unsigned_longs, u64);
of_class!(sizes, usize);
of_class!(small, i8);

both! {
    pub fn absolute(x: &[i8], y: &[i64]) -> (u32, u64) {
        let (mut a, mut b) = (0, 0);
        for i in 0..x.len() {
            a += u32::from(x[i].unsigned_abs());
            b ^= y[i].unsigned_abs();
        }
        (a, b)
    }

    /// Neighbours where there are some.
    pub fn neighbours(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                let above = match i.checked_sub(1) {
                    Some(up) => a[[up, j]],
                    None => 0.0,
                };
                b[[i, j]] = above + if let Some(left) = j.checked_sub(1) { a[[i, left]] } else { 1.0 };
            }
        }
    }

    pub fn orderings(x: &[f64], y: &[i32], z: &mut [f64]) -> i32 {
        let mut balance = 0;
        for i in 0..x.len() {
            z[i] = match x[i].total_cmp(&0.5) {
                Ordering::Less => -x[i],
                Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => x[i],
            };
            balance += y[i].cmp(&3) as i32;
            if x[i].partial_cmp(&z[i]).unwrap() == Ordering::Equal && y[i].cmp(&5) != Ordering::Less {
                z[i] += 1.0;
            }
        }
        balance
    }

    /// Shapes under a name, compared at once, and elements of rows, columns and parts.
    pub fn shapes(a: ArrayView3<f64>, mut b: ArrayViewMut3<f64>, m: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) -> f64 {
        assert_eq!(a.dim(), b.dim());
        assert!(m.raw_dim() == c.raw_dim(), "matrices of two shapes");
        let s = a.shape();
        let shape = m.shape();
        if a.shape() == [0, 0, 0] || m.dim() == (0, 0) {
            return -1.0;
        }
        for i in 0..s[0] {
            for j in 0..s[1] {
                for k in 0..s[2] {
                    if (i, k) != (k, j) {
                        b[[i, j, k]] = 2.0 * a[[i, j, k]];
                    }
                }
            }
        }
        for i in 0..shape[0] {
            c.row_mut(i)[0] += m.row(i)[shape[1] - 1];
            let mut k = i;
            c.column_mut(k % shape[1])[k - 1] = {
                k += 1;
                m.column(0)[i] + k as f64
            };
        }
        m.row(0)[0]
    }

    /// Elements that there may be, and functions that are imported.
    pub fn got(x: &[f64], a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, r: usize) -> f64 {
        use std::cmp::{max, min};
        for i in 0..b.nrows() {
            for j in 0..b.ncols() {
                let right = *a.get((i, j + 1)).unwrap_or(&0.5);
                let down = if let Some(&v) = a.get([i + 1, j]) { v } else { 0.0 };
                let mut sum = right - down;
                for k in max(i, r) - r..min(i + r + 1, x.len()) {
                    sum += x.get(k + 1).copied().unwrap_or(2.0) * *x.get(k.wrapping_sub(1)).unwrap_or(&0.25);
                }
                b[[i, j]] = sum;
            }
        }
        match x.get(r) {
            Some(v) => *v,
            None => -1.0,
        }
    }

    /// Elements of parts of a slice.
    pub fn parts(x: &[f64], y: &mut [f64]) -> f64 {
        let half = x.len() / 2;
        let mut sum = 0.0;
        for i in 0..half {
            sum += x[half..][i] - x[..half][half - 1 - i];
            y[half..][i] = sum;
        }
        sum
    }
}

/// Numbers of all sizes, the ends of the type among them.
fn numbers<T: Copy>(n: usize, seed: u64, ends: &[T], of: impl Fn(u64) -> T) -> Vec<T> {
    let mut next = super::random(seed);
    (0..n)
        .map(|_| (next(), next()))
        .map(|(x, by)| if by % 4 == 0 { ends[(x % ends.len() as u64) as usize] } else { of(x >> (by >> 3) % 64) })
        .collect()
}

#[test]
fn checked_operations_of_all_classes() {
    macro_rules! class {
        ($name:ident, $t:ty) => {
            same(
                |offloaded, _, n| {
                    let ends = [<$t>::MIN, <$t>::MAX, 0, 1, (0 as $t).wrapping_sub(1), <$t>::MAX / 2 + 1, 7];
                    let [x, y] = [1, 2].map(|seed| numbers(n, seed, &ends, |x| x as $t));
                    let (mut z, mut w) = (vec![0; n], vec![0; n]);
                    let (none, sum) = if offloaded {
                        ($name::fast::checked(&x, &y, &mut z), $name::fast::bits(&x, &y, &mut w))
                    } else {
                        ($name::plain::checked(&x, &y, &mut z), $name::plain::bits(&x, &y, &mut w))
                    };
                    all!(z, w, [none as u64], [sum])
                },
                &[0, 7, 400],
            );
        };
    }
    class!(bytes, u8);
    class!(small, i8);
    class!(shorts, i16);
    class!(words, u32);
    class!(signed_words, i32);
    class!(longs, i64);
    class!(unsigned_longs, u64);
    // Beyond these the plain function runs.
    same(
        |offloaded, _, n| {
            let [x, y] = [1, 2].map(|seed| numbers(n, seed, &[0, 1, 7, usize::MAX >> 1], |x| (x >> 1) as usize));
            let (mut z, mut w) = (vec![0; n], vec![0; n]);
            let (none, sum) = if offloaded {
                (sizes::fast::checked(&x, &y, &mut z), sizes::fast::bits(&x, &y, &mut w))
            } else {
                (sizes::plain::checked(&x, &y, &mut z), sizes::plain::bits(&x, &y, &mut w))
            };
            all!(z, w, [none], [sum])
        },
        &[0, 7, 400],
    );
}

#[test]
fn numbers_without_their_sign() {
    same(
        |offloaded, _, n| {
            let x = numbers(n, 1, &[i8::MIN, i8::MAX, 0, -1], |x| x as i8);
            let y = numbers(n, 2, &[i64::MIN, i64::MAX, 0, -1], |x| x as i64);
            let (a, b) = form!(offloaded, absolute(&x, &y));
            all!([a], [b])
        },
        &[0, 7, 200],
    );
}

#[test]
fn orders_and_neighbours() {
    same(
        |offloaded, given, n| {
            let (x, mut z) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let y: Vec<i32> = given.vector(n, 3).iter().map(|v| (v * 9.0) as i32).collect();
            let balance = form!(offloaded, orderings(&x, &y, &mut z));
            let (a, mut b) = (given.matrix(n, n + 1, 4), given.matrix(n, n + 1, 5));
            form!(offloaded, neighbours(a.view(), b.view_mut()));
            all!(z, b, [balance])
        },
        &SIZES,
    );
}

#[test]
fn shapes_and_elements_of_rows() {
    same(
        |offloaded, given, n| {
            let (a, mut b): (Array3<f64>, Array3<f64>) = (given.solid([n, 3, 2], 1), given.solid([n, 3, 2], 2));
            let (m, mut c): (Array2<f64>, Array2<f64>) = (given.matrix(n, n, 3), given.matrix(n, n, 4));
            let first = form!(offloaded, shapes(a.view(), b.view_mut(), m.view(), c.view_mut()));
            let (x, mut y) = (given.vector(n, 5).to_vec(), given.vector(n, 6).to_vec());
            let sum = form!(offloaded, parts(&x, &mut y));
            let found = form!(offloaded, got(&x, m.view(), c.view_mut(), 2));
            all!(b, c, y, [first], [sum], [found])
        },
        &SIZES,
    );
}
