//! `azip!` and `Zip` over arrays of one shape.

use super::{SIZES, all, both, form, same};
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, ArrayViewMut3, Zip, azip};

both! {
    pub fn updates(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>, mut c: ArrayViewMut2<f64>) {
        azip!((b in &mut b, &a in &a) *b += 2.0 * a);
        azip!((index (i, j), b in &mut b, c in &mut c, a in a) {
            let twice = 2.0 * *a;
            *c = twice + *b;
            if i > j {
                *b -= (i + 3 * j) as f64;
            }
        });
        Zip::from(&mut c).and(&b).and(&a).for_each(|c, &b, a| *c = *c * b + a);
        Zip::indexed(b.view_mut()).and(&c).for_each(|(i, j), b, c| {
            *b = if i == j { *c } else { *b * 0.5 };
        });
    }

    /// Elements of another array, of which each point has its own.
    pub fn rates(temperature: ArrayView2<f64>, mut rate: ArrayViewMut3<f64>) {
        Zip::indexed(&temperature).for_each(|(i, j), &t| {
            for s in 0..3 {
                rate[[i, s, j]] = t * s as f64;
                if s > 0 {
                    rate[[i, s, j]] += rate[[i, s - 1, j]];
                }
            }
        });
    }

    pub fn vectors(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        azip!((y in &mut y, x in &x) *y -= x * 0.25);
        azip!((index i, y in &mut y) *y += i as f64);
        ndarray::Zip::indexed(&mut y).for_each(|mut i, y| {
            i += 1;
            *y *= i as f64;
        });
    }
}

#[test]
fn elements_of_several_arrays() {
    same(
        |offloaded, given, n| {
            let a = given.matrix(n, n + 1, 1);
            let (mut b, mut c) = (given.matrix(n, n + 1, 2), given.matrix(n, n + 1, 3));
            form!(offloaded, updates(a.view(), b.view_mut(), c.view_mut()));
            let (x, mut y) = (given.vector(n, 4), given.vector(n, 5));
            form!(offloaded, vectors(x.view(), y.view_mut()));
            let mut rate = given.solid([n, 3, n + 1], 6);
            form!(offloaded, rates(a.view(), rate.view_mut()));
            all!(b, c, y, rate)
        },
        &SIZES,
    );
}

#[test]
fn arrays_of_other_shapes_panic_as_ndarray_has_it() {
    let (x, mut y) = (ndarray::Array1::<f64>::ones(4), ndarray::Array1::<f64>::zeros(5));
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fast::vectors(x.view(), y.view_mut())));
    assert!(outcome.is_err() && y.iter().all(|y| *y == 0.0));
}
