//! Forms that meet: references, blocks and loops in each other's places.

use super::{SIZES, all, both, form, same};
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis};

both! {
    pub fn order_of_evaluation(mut y: ArrayViewMut1<f64>) -> (i64, f64) {
        let mut c = 1;
        let a = c + { c += 10; c } * { c *= 2; c };
        let mut t = [1.0, 2.0, 3.0];
        let mut k = 0;
        t[{ k += 1; k }] += { k += 1; k as f64 };
        for i in 0..y.len() {
            let before = y[i] + { y[i] = 5.0; y[i] };
            y[i] += before;
        }
        (a, t[0] + 10.0 * t[1] + 100.0 * t[2] + 1000.0 * k as f64)
    }

    pub fn shadowed(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> usize {
        let n = x.len();
        let x = x.view();
        let mut total = 0;
        for n in 0..n {
            let i = n;
            let x = x[i] + 1.0;
            {
                let i = i + 1;
                total += i;
            }
            let y0 = &y[i];
            let x = x * *y0;
            y[i] = x;
        }
        for i in 0..n {
            for i in i..n {
                total += i;
            }
            total *= 2 + i % 2;
        }
        total
    }

    pub fn nested_closures(mut a: ArrayViewMut2<f64>, x: ArrayView1<f64>) {
        for (i, mut row) in a.rows_mut().into_iter().enumerate() {
            row.iter_mut().zip(x.iter()).for_each(|(v, &x)| {
                *v += x;
                if i % 2 == 0 {
                    *v *= 2.0;
                }
            });
            row[0] -= 1.0;
        }
        for mut column in a.columns_mut() {
            let first = column[0];
            for v in column.iter_mut().rev() {
                *v -= first;
            }
        }
        for (k, row) in a.axis_iter_mut(Axis(0)).enumerate().skip(1).step_by(2) {
            for v in row {
                *v += k as f64;
            }
        }
    }

    pub fn copies_of_parts(a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>) -> f64 {
        let mut b = a.to_owned();
        let row = a.row(0).to_owned();
        let mut sum = 0.0;
        for i in 0..a.nrows() {
            let mut r = b.row_mut(i);
            r += &row;
            let kept = r.to_vec();
            r.fill(1.0);
            sum += kept[0] + r[0];
        }
        b.swap((0, 0), (0, 1));
        let c = b.clone();
        b[[0, 0]] = 100.0;
        for i in 0..y.len() {
            y[i] += c[[i, 0]] + b[[i, 1]];
        }
        sum
    }

    pub fn signs(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> f64 {
        let mut sum = -0.0;
        for i in 0..x.len() {
            y[i] = -(x[i] - x[i]) + -0.0;
            y[i] += 0.0 * -x[i];
            sum += y[i];
        }
        let zero = if x.len() == 0 { -0.0 } else { 0.0 };
        sum.min(zero) + f64::max(sum, -0.0).copysign(sum)
    }

    pub fn whole(n: usize, m: i32, k: u8) -> (usize, i64, u8, i8, u32, i32) {
        let mut down = n;
        let mut steps = 0i64;
        while down > 0 {
            down = down.saturating_sub(3);
            steps += 1;
        }
        let wrapped = k.wrapping_mul(7).wrapping_add(250);
        let narrow = (m as i8).wrapping_sub(100) >> 1;
        let bits = (k as u32).leading_zeros() + (k as u32).count_ones();
        let euclid = (m - 50).rem_euclid(7) + (m - 50) / 7 - (m - 50) % 7;
        (n % 7 + n / 2 - n / 3, steps, wrapped, narrow, bits, euclid)
    }

    pub fn breaks(a: ArrayView2<f64>, mut y: ArrayViewMut1<f64>) -> (usize, f64) {
        let (mut found, mut last) = (usize::MAX, 0.0);
        'outer: for (i, row) in a.outer_iter().enumerate() {
            for (j, v) in row.iter().enumerate() {
                if *v > 1.05 && j > 0 {
                    found = i * 100 + j;
                    break 'outer;
                }
                if *v < 0.2 {
                    continue 'outer;
                }
                last = *v;
            }
            y[i] += last;
        }
        let mut k = 0;
        loop {
            if k * k >= y.len() {
                break;
            }
            k += 1;
        }
        (found, last + k as f64)
    }
}

#[test]
fn values_come_in_order() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            let (a, b) = form!(offloaded, order_of_evaluation(y.view_mut()));
            let total = form!(offloaded, shadowed(x.view(), y.view_mut()));
            all!(y, [a], [b], [total])
        },
        &SIZES,
    );
}

#[test]
fn parts_of_arrays() {
    same(
        |offloaded, given, n| {
            let (mut a, x) = (given.matrix(n + 1, n + 2, 1), given.vector(n + 1, 2));
            form!(offloaded, nested_closures(a.view_mut(), x.view()));
            let b = given.matrix(n + 1, n + 2, 3);
            let mut y = given.vector(n, 4);
            let sum = form!(offloaded, copies_of_parts(b.view(), y.view_mut()));
            let (found, last) = form!(offloaded, breaks(given.matrix(n, n + 1, 5).view(), y.view_mut()));
            all!(a, y, [sum], [found], [last])
        },
        &SIZES,
    );
}

#[test]
fn numbers_of_all_kinds() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            let sign = form!(offloaded, signs(x.view(), y.view_mut()));
            let (a, b, c, d, e, f) = form!(offloaded, whole(n, n as i32 * 3 - 5, n as u8));
            all!(y, [sign], [a], [b], [c], [d], [e], [f])
        },
        &SIZES,
    );
}
