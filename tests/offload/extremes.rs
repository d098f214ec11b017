//! Whole numbers at the ends of their types: what an offloaded function does is what the plain one does, and nothing beside
//! a view is read or changed.

use super::both;
use ndarray::{Array1, Array2, Array3, ArrayView1, ArrayViewMut1, ArrayViewMut2, ArrayViewMut3, s};
use std::panic::{AssertUnwindSafe, catch_unwind};

both! {
    pub fn tail(start: usize, mut y: ArrayViewMut1<f64>) {
        for i in start..y.len() {
            y[i] = 1.0;
        }
    }

    pub fn tail_read(start: usize, x: ArrayView1<f64>) -> f64 {
        let mut sum = 0.0;
        for i in start..x.len() {
            sum += x[i];
        }
        sum
    }

    pub fn shifted(n: usize, p: usize, mut y: ArrayViewMut1<f64>) {
        for i in 0..n {
            y[i + p] = 1.0;
        }
    }

    pub fn spread(n: usize, mut y: ArrayViewMut1<f64>) {
        for i in 0..n {
            y[i * 6148914691236517206] = 1.0;
        }
    }

    pub fn flat(n: usize, m: usize, mut y: ArrayViewMut1<f64>) {
        for i in 0..n {
            for j in 0..m {
                y[i * m + j] = (i * m + j) as f64;
            }
        }
    }

    pub fn rounds(n: usize, m: usize, mut y: ArrayViewMut1<f64>) {
        for i in 0..n {
            for j in 0..m {
                y[j] = y[j] * 0.5 + i as f64;
            }
        }
    }

    pub fn neighbours(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for i in 0..y.len() {
            for d in -1i64..=1 {
                if ((i as i64 + d) as usize) < x.len() {
                    y[i] += x[(i as i64 + d) as usize];
                }
            }
        }
    }

    #[allow(clippy::identity_op, reason = "a divisor like another")]
    pub fn compared(a: i64, b: i64, mut y: ArrayViewMut1<f64>) {
        let p = a as usize;
        let q = b as usize;
        y[0] = if p < q { 1.0 } else { 0.0 };
        y[1] = if p <= q { 1.0 } else { 0.0 };
        y[2] = if p > q { 1.0 } else { 0.0 };
        y[3] = if p >= q { 1.0 } else { 0.0 };
        y[4] = p as f64;
        y[5] = p.max(q) as f64;
        y[6] = p.min(q) as f64;
        y[7] = (p / 7) as f64;
        y[8] = (p % 7) as f64;
        y[9] = p.saturating_sub(q) as f64;
        y[10] = (p / 1) as f64;
        y[11] = if p == q { 1.0 } else { 0.0 };
        y[12] = p as f32 as f64;
        y[13] = a.max(b) as f64;
    }

    pub fn casts(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, mut z: ArrayViewMut1<f64>) {
        for i in 0..x.len() {
            y[i] = x[i] as usize as f64;
            z[i] = x[i] as i64 as f64;
        }
    }

    pub fn below_in_single(first: usize, n: usize, x: ArrayView1<f64>) -> f64 {
        let mut sum = 0.0;
        for i in first..n {
            if (i as f32) <= 16777216.0 {
                sum += x[i];
            }
        }
        sum
    }

    pub fn between(a: usize, b: usize, mut y: ArrayViewMut1<f64>) -> usize {
        let mut count: usize = 0;
        for i in a..b {
            y[0] += i as f64;
            count += 1;
        }
        count
    }

    pub fn below_last(n: usize, mut y: ArrayViewMut1<f64>) {
        if n > 0 {
            for i in 0..n - 1 {
                y[i] += 1.0;
            }
        }
    }

    #[allow(arithmetic_overflow, reason = "Rust may know that it is")]
    pub fn below_zero(mut y: ArrayViewMut1<f64>) {
        let mut end: usize = 0;
        for i in 1..end - 1 {
            y[i] += 1.0;
        }
        end += y.len();
        y[end - 1] = 2.0;
    }

    pub fn diagonals(n: usize, m: usize, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        for j in m..y.len() {
            for k in 0..n {
                y[j] += x[k * n + k];
            }
        }
    }

    pub fn cube(n: usize, m: usize, mut w: ArrayViewMut3<f64>) {
        for i in m..w.dim().0 {
            for j in 0..n {
                for k in 0..n {
                    w[[i, j, k]] = 1.0;
                }
            }
        }
    }

    pub fn triangle(n: usize, mut y: ArrayViewMut2<f64>) {
        for i in 1..n {
            for j in 0..i - 1 {
                y[[i, j]] += 1.0;
            }
        }
    }
}

const LENGTH: usize = 40;
const GUARD: f64 = -7.25;

/// Numbers at which 64 bits end, signs change, doubles stop being exact, or the compiled code hands over to the plain one.
const SIZES: [usize; 22] = [
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    16,
    (1 << 20) - 1,
    1 << 20,
    1 << 30,
    1 << 35,
    (1 << 40) - 1,
    1 << 40,
    1 << 53,
    usize::MAX / 3,
    (1 << 63) - 2,
    (1 << 63) - 1,
    1 << 63,
    (1 << 63) + 1,
    usize::MAX - 7,
    usize::MAX,
];

/// Runs a function on a view of 8 elements in the middle of 40. Its result, and all 40 afterwards; `None` if it panicked, and
/// then only that nothing outside the view changed is known.
fn on_a_view<T>(run: impl Fn(ArrayViewMut1<f64>) -> T) -> Option<(T, Vec<f64>)> {
    let mut memory = Array1::from_elem(LENGTH, GUARD);
    memory.slice_mut(s![16..24]).fill(0.0);
    let outcome = catch_unwind(AssertUnwindSafe(|| run(memory.slice_mut(s![16..24]))));
    let outside = memory.iter().enumerate().filter(|(at, _)| !(16..24).contains(at));
    assert!(outside.into_iter().all(|(_, x)| *x == GUARD), "written outside of the view: {memory}");
    Some((outcome.ok()?, memory.to_vec()))
}

/// The plain and the offloaded function do the same on a view.
fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    plain: impl Fn(ArrayViewMut1<f64>) -> T,
    fast: impl Fn(ArrayViewMut1<f64>) -> T,
) {
    assert_eq!(on_a_view(fast), on_a_view(plain), "{what}");
}

#[test]
fn ranges_that_start_behind_the_end_touch_nothing() {
    for start in SIZES {
        same(&format!("tail({start})"), |y| plain::tail(start, y), |y| fast::tail(start, y));
        let read = |f: fn(usize, ArrayView1<f64>) -> f64| on_a_view(|y| f(start, y.view()));
        assert_eq!(read(fast::tail_read), read(plain::tail_read), "tail_read({start})");
    }
}

#[test]
fn subscripts_that_wrap_are_out_of_bounds() {
    for n in [0, 1, 2, 3, 4, 8, 9] {
        same(&format!("spread({n})"), |y| plain::spread(n, y), |y| fast::spread(n, y));
        for p in SIZES {
            same(&format!("shifted({n}, {p})"), |y| plain::shifted(n, p, y), |y| fast::shifted(n, p, y));
            same(&format!("flat({n}, {p})"), |y| plain::flat(n, p, y), |y| fast::flat(n, p, y));
        }
    }
}

/// The loops change places: where there are no rounds nothing is gone through.
#[test]
fn no_rounds_through_any_number_of_elements_end_at_once() {
    for n in [0, 1, 3] {
        for m in SIZES {
            same(&format!("rounds({n}, {m})"), |y| plain::rounds(n, m, y), |y| fast::rounds(n, m, y));
        }
    }
}

#[test]
fn negative_numbers_as_usize_are_large() {
    let x: Array1<f64> = (1..=6).map(f64::from).collect();
    same("neighbours", |y| plain::neighbours(x.view(), y), |y| fast::neighbours(x.view(), y));
    let numbers = SIZES.map(|n| n as i64).into_iter().chain([-2, i64::MIN, i64::MIN + 1, i64::MIN + 1025, -1025]);
    let numbers: Vec<i64> = numbers.collect();
    for a in &numbers {
        for b in &numbers {
            let run = |f: fn(i64, i64, ArrayViewMut1<f64>)| {
                let mut y = Array1::zeros(14);
                f(*a, *b, y.view_mut());
                y
            };
            assert_eq!(run(fast::compared), run(plain::compared), "compared({a}, {b})");
        }
    }
}

#[test]
fn casts_saturate_as_rusts_do() {
    let two_63 = 9_223_372_036_854_775_808.0;
    let numbers = [0.0, -0.0, 0.5, -0.5, -1.0, 1.5, 4503599627370497.5, two_63, 1.5 * two_63, 2.0 * two_63, 1e30];
    let numbers = numbers.into_iter().flat_map(|x: f64| [x, -x, x.next_down(), x.next_up()]);
    let numbers = numbers.chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE]);
    let x: Array1<f64> = numbers.collect();
    let run = |f: fn(ArrayView1<f64>, ArrayViewMut1<f64>, ArrayViewMut1<f64>)| {
        let (mut y, mut z) = (Array1::zeros(x.len()), Array1::zeros(x.len()));
        f(x.view(), y.view_mut(), z.view_mut());
        (y, z)
    };
    assert_eq!(run(fast::casts), run(plain::casts));
}

#[test]
fn ranges_between_large_numbers_have_their_length() {
    for a in SIZES {
        for more in [0, 1, 3] {
            let Some(b) = a.checked_add(more) else { continue };
            same(&format!("between({a}, {b})"), |y| plain::between(a, b, y), |y| fast::between(a, b, y));
            same(&format!("between({b}, {a})"), |y| plain::between(b, a, y), |y| fast::between(b, a, y));
        }
    }
    same("below_zero", plain::below_zero, fast::below_zero);
    for n in 0..=9 {
        same(&format!("below_last({n})"), |y| plain::below_last(n, y), |y| fast::below_last(n, y));
        let run = |f: fn(usize, ArrayViewMut2<f64>)| {
            let mut y = Array2::zeros((8, 8));
            catch_unwind(AssertUnwindSafe(|| f(n, y.view_mut()))).ok().map(|()| y)
        };
        assert_eq!(run(fast::triangle), run(plain::triangle), "triangle({n})");
    }
}

#[test]
fn loops_without_iterations_may_have_long_ones_inside() {
    for n in SIZES {
        for m in [8, 9, 1 << 20] {
            let x = Array1::zeros(8);
            let read = |f: fn(usize, usize, ArrayView1<f64>, ArrayViewMut1<f64>)| on_a_view(|y| f(n, m, x.view(), y));
            assert_eq!(read(fast::diagonals), read(plain::diagonals), "diagonals({n}, {m})");
            let fill = |f: fn(usize, usize, ArrayViewMut3<f64>)| {
                let mut w = Array3::zeros((8, 2, 2));
                catch_unwind(AssertUnwindSafe(|| f(n, m, w.view_mut()))).ok().map(|()| w)
            };
            assert_eq!(fill(fast::cube), fill(plain::cube), "cube({n}, {m})");
        }
    }
}

/// An array that repeats one element has as many elements as one likes.
#[test]
fn arrays_without_end_are_read() {
    let one = Array1::from_elem(1, 2.0);
    for length in [1, 5, 1 << 41, (1 << 62) + 3] {
        let x = one.broadcast(length).expect("one element repeated");
        let run = |f: fn(usize, ArrayView1<f64>) -> f64| f(length - 1, x);
        assert_eq!(run(fast::tail_read), run(plain::tail_read), "{length}");
    }
}

/// 2^24 + 1 is 2^24 in `f32`.
#[test]
fn conditions_that_round_prove_nothing() {
    let one = Array1::from_elem(1, 2.0);
    let x = one.broadcast((1 << 24) + 1).expect("one element repeated");
    let run = |f: fn(usize, usize, ArrayView1<f64>) -> f64, n| catch_unwind(|| f((1 << 24) - 9, n, x)).ok();
    for n in [1 << 24, (1 << 24) + 1, (1 << 24) + 2] {
        assert_eq!(run(fast::below_in_single, n), run(plain::below_in_single, n), "{n}");
    }
}
