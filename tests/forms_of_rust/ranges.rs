//! Ranges and their adaptors, `while` and `loop`.

use super::{SIZES, all, both, form, same};
use ndarray::{Array1, ArrayView1, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn backwards(mut x: ArrayViewMut1<f64>) {
        let n = x.len();
        for i in (1..n).rev() {
            x[i - 1] += 0.5 * x[i];
        }
        for i in (0..=n.saturating_sub(2)).rev() {
            if i + 1 < n {
                x[i] = x[i] * 0.25 + x[i + 1];
            }
        }
    }

    pub fn steps(mut x: ArrayViewMut1<f64>, k: usize) {
        let n = x.len();
        for i in (0..n).step_by(3) {
            x[i] *= 2.0;
        }
        for i in (1..n).step_by(k) {
            x[i] += i as f64;
        }
        for i in (0..n).rev().step_by(2) {
            x[i] -= 1.0;
        }
        for i in (0..n).step_by(4).rev() {
            x[i] /= 3.0;
        }
        for i in (0..=n).step_by(n + 1) {
            if i < n {
                x[i] += 7.0;
            }
        }
    }

    pub fn some(mut x: ArrayViewMut1<f64>, k: usize) {
        let n = x.len();
        for i in (0..n).skip(k) {
            x[i] += 1.0;
        }
        for i in (0..n).take(k) {
            x[i] += 10.0;
        }
        for i in (0..n).rev().skip(1).take(3) {
            x[i] += 100.0;
        }
    }

    pub fn triangles(mut a: ArrayViewMut2<f64>) {
        let (n, m) = a.dim();
        for i in 0..n {
            for j in (0..i.min(m)).rev() {
                a[[i, j]] += 1.0;
            }
            for j in (i..m).step_by(2) {
                a[[i, j]] *= 3.0;
            }
            for j in (i..m).rev().step_by(3) {
                a[[i, j]] -= 0.5;
            }
        }
    }

    pub fn signed(mut x: ArrayViewMut1<f64>) {
        let n = x.len() as i64;
        for i in (-2..n).rev() {
            if i >= 0 {
                x[i as usize] += i as f64;
            }
        }
        for i in (-3..=n).step_by(2) {
            if 0 <= i && i < n {
                x[i as usize] *= 2.0;
            }
        }
    }

    pub fn counting(mut x: ArrayViewMut1<f64>) -> (usize, i32) {
        let n = x.len();
        let mut i = 0;
        while i < n {
            x[i] += 1.0;
            i += 1;
        }
        let mut j = n;
        while j > 0 {
            j -= 1;
            x[j] *= 2.0;
        }
        let mut k = 0;
        while k + 1 < n {
            x[k] -= x[k + 1];
            k += 3;
        }
        let mut down = n as i32 - 1;
        while down >= 0 {
            x[down as usize] += 0.25;
            down -= 2;
        }
        (i + j + k, down)
    }

    pub fn halving(mut x: ArrayViewMut1<f64>) -> usize {
        let mut stride = x.len() / 2;
        let mut rounds = 0;
        while stride > 0 {
            for i in 0..stride {
                x[i] += x[i + stride];
            }
            stride /= 2;
            rounds += 1;
        }
        rounds
    }

    pub fn newton(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            let mut guess = x[i];
            let mut error = 1.0;
            while error > 1e-9 {
                let next = 0.5 * (guess + x[i] / guess);
                error = (next - guess).abs();
                guess = next;
            }
            y[i] = guess;
        }
    }

    pub fn endless(x: &[f64], y: &mut [f64]) -> usize {
        let mut i = 0;
        loop {
            if i >= x.len() {
                break;
            }
            y[i] = x[i] + 1.0;
            i += 1;
        }
        i
    }
}

#[test]
fn ranges_go_backwards() {
    same(
        |offloaded, given, n| {
            let mut x = given.vector(n, 1);
            form!(offloaded, backwards(x.view_mut()));
            all!(x)
        },
        &SIZES,
    );
}

#[test]
fn ranges_have_steps() {
    same(
        |offloaded, given, n| {
            let mut x = given.vector(n, 1);
            for k in [1, 2, 5, 100, usize::MAX] {
                form!(offloaded, steps(x.view_mut(), k));
            }
            all!(x)
        },
        &SIZES,
    );
}

#[test]
fn ranges_begin_late_and_end_early() {
    same(
        |offloaded, given, n| {
            let mut x = given.vector(n, 1);
            for k in [0, 1, 5, 100, usize::MAX] {
                form!(offloaded, some(x.view_mut(), k));
            }
            all!(x)
        },
        &SIZES,
    );
}

#[test]
fn ranges_depend_on_loops() {
    same(
        |offloaded, given, n| {
            let (mut a, mut b) = (given.matrix(n, n, 1), given.matrix(n, n + 3, 2));
            form!(offloaded, triangles(a.view_mut()));
            form!(offloaded, triangles(b.view_mut()));
            all!(a, b)
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let mut x = given.vector(n, 1);
            form!(offloaded, signed(x.view_mut()));
            all!(x)
        },
        &SIZES,
    );
}

#[test]
fn loops_with_conditions() {
    same(
        |offloaded, given, n| {
            let mut x = given.vector(n, 1);
            let (count, down) = form!(offloaded, counting(x.view_mut()));
            let rounds = form!(offloaded, halving(x.view_mut()));
            all!(x, [count], [down], [rounds])
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), Array1::zeros(n));
            form!(offloaded, newton(x.view(), y.view_mut()));
            let mut z = vec![0.0; n];
            let count = form!(offloaded, endless(&y.to_vec(), &mut z));
            all!(y, z, [count])
        },
        &SIZES,
    );
}

/// Loops that pass the least or the largest number of their types, where numbers begin anew as in a release build.
mod wrapping {
    #[megha::offload]
    pub fn down(from: i8) -> (i8, usize) {
        let (mut i, mut steps) = (from, 0);
        while i > -127 {
            i -= 3;
            steps += 1;
        }
        (i, steps)
    }

    #[megha::offload]
    pub fn down_to(from: i16) -> (i16, usize) {
        let (mut i, mut steps) = (from, 0);
        while i >= -32766 {
            i -= 5;
            steps += 1;
        }
        (i, steps)
    }

    #[megha::offload]
    pub fn up(from: i8) -> (i8, usize) {
        let (mut i, mut steps) = (from, 0);
        while i < 127 {
            i += 3;
            steps += 1;
        }
        (i, steps)
    }
}

#[test]
fn numbers_that_begin_anew() {
    for from in [-128i8, -127, -126, -120, 0, 126, 127] {
        let (mut i, mut steps) = (from, 0);
        while i > -127 {
            i = i.wrapping_sub(3);
            steps += 1;
        }
        assert_eq!(wrapping::down(from), (i, steps), "{from}");
        let (mut i, mut steps) = (i16::from(from) - 32640, 0);
        while i >= -32766 {
            i = i.wrapping_sub(5);
            steps += 1;
        }
        assert_eq!(wrapping::down_to(i16::from(from) - 32640), (i, steps), "{from}");
        let (mut i, mut steps) = (from, 0);
        while i < 127 {
            i = i.wrapping_add(3);
            steps += 1;
        }
        assert_eq!(wrapping::up(from), (i, steps), "{from}");
    }
}

#[test]
fn a_range_of_all_numbers_is_not_empty() {
    #[megha::offload]
    fn all(from: i64, to: i64) -> usize {
        let mut count = 0;
        for i in from..=to {
            count += 1;
            if i > from + 9 {
                break;
            }
        }
        count
    }
    assert_eq!(all(3, 3), 1);
    assert_eq!(all(3, 2), 0);
    assert_eq!(all(0, i64::MAX - 1), 11);
    // It runs in full or not at all.
    let outcome = std::panic::catch_unwind(|| all(i64::MIN, i64::MAX));
    assert!(outcome.map_or(true, |count| count == 11));
}

#[test]
fn a_step_of_zero_panics() {
    for offloaded in [false, true] {
        let mut x = Array1::<f64>::zeros(4);
        let outcome =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| form!(offloaded, steps(x.view_mut(), 0))));
        assert!(outcome.is_err(), "{offloaded}");
    }
}
