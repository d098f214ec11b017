//! `if`, `match`, `continue`, `break`, `return`, assertions, deferred and tuple `let`.

use super::{SIZES, all, both, form, same};
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn expressions(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            let sign = if x[i] < 0.3 { -1.0 } else if x[i] < 0.6 { 0.0 } else { 1.0 };
            let scaled = {
                let twice = 2.0 * x[i];
                twice * twice
            };
            y[i] = sign * scaled + if i % 2 == 0 { 1.0 } else { x[i] };
        }
    }

    pub fn matches(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, mode: i32) -> f64 {
        for i in 0..x.len() {
            y[i] = match i % 5 {
                0 => x[i],
                1 | 2 => -x[i],
                3..=3 => {
                    let half = 0.5 * x[i];
                    half * half
                }
                k if k > 100 => 0.0,
                _ => 7.0,
            };
            match (x[i] > 0.5, i % 2) {
                (true, 0) => y[i] += 10.0,
                (true, _) => y[i] += 20.0,
                (false, 1) => {}
                (false, other) => y[i] += other as f64,
            }
        }
        match mode {
            i32::MIN..=-1 => -1.0,
            0 => 0.0,
            1 => return 100.0,
            _ => 1.0,
        }
    }

    /// Loops that end with a value, or several: as values of variables, in expressions, of helpers, out of loops inside.
    pub fn left_with_values(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> (f64, usize) {
        #[inline]
        fn root(of: f64) -> f64 {
            let mut guess = 1.0;
            loop {
                let next = 0.5 * (guess + of / guess);
                if (next - guess).abs() < 1e-9 {
                    break next;
                }
                guess = next;
            }
        }
        let mut rounds = 0;
        for i in 0..x.len() {
            let mut k = 0;
            let steps = loop {
                if k * k >= i {
                    break k;
                }
                k += 1;
            };
            y[i] = root(1.0 + x[i]) + 2.0 * loop {
                rounds += 1;
                if rounds % 3 == i % 3 {
                    break steps as f64;
                }
            };
        }
        let (best, at) = 'found: loop {
            for i in 0..x.len() {
                if x[i] > 0.9 {
                    break 'found (x[i], i);
                }
            }
            loop {
                if rounds > 5 {
                    break;
                }
                rounds += 1;
            }
            break if rounds > 7 { (-1.0, rounds) } else { (-2.0, 0) };
        };
        (best, at)
    }

    /// Blocks with labels, with values and without.
    pub fn blocks(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> (usize, f64) {
        'rows: for i in 0..x.len() {
            'done: {
                if x[i] < 0.3 {
                    y[i] = 0.0;
                    break 'done;
                }
                if x[i] < 0.5 {
                    continue 'rows;
                }
                for k in 0..i {
                    if k == 5 {
                        continue;
                    }
                    if x[k] > 0.9 {
                        break 'done;
                    }
                    y[i] += 0.5;
                }
                y[i] -= 1.0;
            }
            y[i] *= 2.0;
        }
        let at = 'found: {
            for i in 0..x.len() {
                if x[i] > 0.7 {
                    break 'found i;
                }
            }
            x.len()
        };
        let (count, sum) = 'both: {
            if at == 0 {
                break 'both (7, 0.5);
            }
            (at, 1.0 + 'inner: { if at > 3 { break 'inner 2.0; } 3.0 })
        };
        (count, sum)
    }

    /// A loop that only `return` leaves, at the end of a function and of a branch.
    pub fn endless(x: ArrayView1<f64>, limit: f64) -> (usize, f64) {
        let (mut at, mut sum) = (0, 0.0);
        if limit < 0.0 {
            loop {
                at += 1;
                if at > 5 {
                    return (at, limit);
                }
            }
        }
        loop {
            if at == x.len() || sum > limit {
                return (at, sum);
            }
            for _ in 0..3 {
                if sum > 0.8 {
                    break;
                }
                sum += 0.125;
            }
            sum += x[at];
            at += 1;
        }
    }

    pub fn while_there_is_one(mut y: ArrayViewMut1<f64>) -> usize {
        let mut rounds = 0;
        'all: while let Some(i) = y.iter().position(|v| *v > 0.5) {
            rounds += 1;
            y[i] *= 0.25;
            if i % 4 == 3 {
                continue;
            }
            for k in 0..i {
                y[k] += 0.03125;
                if rounds > 60 {
                    break 'all;
                }
            }
        }
        let _ = (rounds, y.len());
        rounds
    }

    /// Conditions of loops that compute scalars read what the loop around them stores, and a local array.
    pub fn searches(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> f64 {
        let mut limits = [0.0; 40];
        for i in 0..40 {
            limits[i] = i as f64;
        }
        let mut least = 0.5;
        while limits[7] > least {
            least = least * 2.0 + 1.0;
        }
        for i in 1..x.len() {
            let mut root = y[i - 1].abs();
            while root * root < y[i] + 9.0 * x[i] {
                root += 0.25;
            }
            y[i] = root;
        }
        least + limits[3]
    }

    pub fn skips(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            if x[i] < 0.5 {
                continue;
            }
            let v = x[i] * 2.0;
            if v > 1.5 {
                y[i] = v;
                continue;
            } else if v > 1.25 {
                y[i] += 1.0;
            } else {
                continue;
            }
            y[i] -= v;
        }
    }

    pub fn first(x: ArrayView1<f64>, limit: f64) -> usize {
        for i in 0..x.len() {
            if x[i] > limit {
                return i;
            }
        }
        x.len()
    }

    pub fn until(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, limit: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            if sum > limit {
                break;
            }
            sum += x[i];
            y[i] = sum;
        }
        sum
    }

    pub fn labels(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) -> usize {
        let mut count = 0;
        'rows: for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                if a[[i, j]] > 1.1 {
                    continue 'rows;
                }
                if i + j > 12 {
                    break 'rows;
                }
                b[[i, j]] = a[[i, j]];
                count += 1;
            }
            b[[i, 0]] = -1.0;
        }
        count
    }

    pub fn early(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, n: usize) -> bool {
        if n == 0 || x.len() < n {
            return false;
        }
        for i in 0..n {
            y[i] = x[i] / n as f64;
        }
        true
    }

    pub fn nothing(mut y: ArrayViewMut1<f64>) {
        if y.is_empty() {
            return;
        }
        for i in 0..y.len() {
            y[i] += 1.0;
        }
        return;
    }

    pub fn deferred(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        let scale;
        if x.len() > 3 {
            scale = 2.0;
        } else {
            scale = 0.5;
        }
        for i in 0..x.len() {
            let v: f64;
            let (mut lo, mut hi) = (x[i], 2.0 * x[i]);
            if i % 2 == 0 {
                v = lo * scale;
                (lo, hi) = (hi, lo);
            } else {
                v = hi;
                lo += 1.0;
            }
            y[i] = v + lo - hi;
        }
    }

    pub fn asserts(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        assert!(x.len() == y.len(), "the sizes differ");
        assert_eq!(x.len(), y.len());
        debug_assert!(x.len() < 1000);
        for i in 0..x.len() {
            assert!(x[i] > 0.0);
            y[i] = 1.0 / x[i];
        }
    }

    pub fn conditions(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> (usize, usize) {
        let (mut tried, mut found) = (0, 0);
        for i in 0..x.len() {
            let large = x[i] > 0.5 && {
                tried += 1;
                x[i] < 0.9
            };
            if large || {
                found += 2;
                i % 3 == 0
            } {
                y[i] += 1.0;
            }
            if i > 0 && (x[i] > 1.0 || { tried += 10; y[i - 1] = 3.0; false }) {
                y[i] -= 1.0;
            }
        }
        let mut i = 0;
        while i < x.len() && {
            found += 1;
            f64::max(x[i], 0.25) < 1.0
        } {
            i += 1;
            if i == 3 {
                continue;
            }
            y[i - 1] *= 2.0;
        }
        let mut z = 0.0;
        while if z > 3.0 { tried += 1; false } else { f64::min(z, 9.0) < 5.0 } {
            z += 1.0;
        }
        (tried, found + z as usize)
    }

    pub fn stops(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, mode: usize) {
        let scale = match mode {
            0 => 1.0,
            1 => 2.0,
            _ => panic!("no such mode"),
        };
        for i in 0..x.len() {
            y[i] = scale * x[i];
        }
    }
}

#[test]
fn branches_with_values() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            form!(offloaded, expressions(x.view(), y.view_mut()));
            all!(y)
        },
        &SIZES,
    );
}

#[test]
fn matches_on_numbers() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            let modes = [-7, 0, 1, 9].map(|mode| form!(offloaded, matches(x.view(), y.view_mut(), mode)));
            all!(y, modes)
        },
        &SIZES,
    );
}

#[test]
fn iterations_that_are_left() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            form!(offloaded, skips(x.view(), y.view_mut()));
            let least = [form!(offloaded, searches(x.view(), y.view_mut()))];
            let found = [0.9, 2.0, 0.0].map(|limit| form!(offloaded, first(x.view(), limit)));
            let sums = [0.0, 2.5, 1e9].map(|limit| form!(offloaded, until(x.view(), y.view_mut(), limit)));
            all!(y, least, found, sums)
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let (a, mut b) = (given.matrix(n, n, 1), given.matrix(n, n, 2));
            let count = form!(offloaded, labels(a.view(), b.view_mut()));
            all!(b, [count])
        },
        &SIZES,
    );
}

#[test]
fn conditions_with_statements() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            let (tried, found) = form!(offloaded, conditions(x.view(), y.view_mut()));
            all!(y, [tried, found])
        },
        &SIZES,
    );
}

#[test]
fn functions_that_return_early() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            let done = [0, 1, n, n + 1].map(|count| form!(offloaded, early(x.view(), y.view_mut(), count)));
            form!(offloaded, nothing(y.view_mut()));
            all!(y, done)
        },
        &SIZES,
    );
}

#[test]
fn loops_that_give_values() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1).map(|x: &f64| x.abs()), given.vector(n, 2));
            let (best, at) = form!(offloaded, left_with_values(x.view(), y.view_mut()));
            all!(y, [best, at as f64])
        },
        &SIZES,
    );
}

#[test]
fn blocks_and_loops_that_are_left() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            let (at, sum) = form!(offloaded, blocks(x.view(), y.view_mut()));
            let ends = [-1.0, 0.5, 1e9].map(|limit| form!(offloaded, endless(x.view(), limit)));
            let rounds = form!(offloaded, while_there_is_one(y.view_mut()));
            all!(y, [at, rounds], [sum], ends.map(|(at, _)| at), ends.map(|(_, sum)| sum))
        },
        &SIZES,
    );
}

#[test]
fn values_that_come_later() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            form!(offloaded, deferred(x.view(), y.view_mut()));
            form!(offloaded, asserts(x.view(), y.view_mut()));
            form!(offloaded, stops(x.view(), y.view_mut(), n % 2));
            all!(y)
        },
        &SIZES,
    );
}

/// What a function panics with.
fn message(run: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("a panic");
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

#[test]
fn assertions_panic_with_their_text() {
    let (x, mut y) = (ndarray::Array1::zeros(3), ndarray::Array1::zeros(3));
    assert!(message(|| fast::asserts(x.view(), y.view_mut())).contains("assertion failed: x[i] > 0.0"));
    let mut short = ndarray::Array1::zeros(2);
    assert!(message(|| fast::asserts(x.view(), short.view_mut())).contains("the sizes differ"));
    assert!(message(|| fast::stops(x.view(), y.view_mut(), 5)).contains("no such mode"));
}

#[megha::offload]
fn beyond(a: ArrayView2<f64>, x: &[f64], mut y: ArrayViewMut1<f64>) {
    for i in 0..a.nrows() {
        y[i] = a[[i, i + 1]];
    }
    for i in 0..y.len() {
        y[i] += x[i];
    }
}

#[test]
fn subscripts_out_of_bounds_are_named_with_sizes() {
    let (a, mut y) = (ndarray::Array2::zeros((3, 3)), ndarray::Array1::zeros(5));
    let text = message(|| beyond(a.view(), &[0.0; 5], y.view_mut()));
    assert!(text.contains("subscript 2 of `a`, whose size is `a.ncols()` there, is out of bounds"), "{text}");
    let (a, mut y) = (ndarray::Array2::zeros((3, 4)), ndarray::Array1::zeros(5));
    let text = message(|| beyond(a.view(), &[0.0; 4], y.view_mut()));
    assert!(text.contains("subscript 1 of `x`, whose size is `x.len()` there, is out of bounds"), "{text}");
}
