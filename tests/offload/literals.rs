//! Numbers of the program that stand where nothing beside them says of which class they are.

#![allow(clippy::excessive_precision, reason = "digits that decide how a literal rounds")]

use ndarray::{Array1, ArrayViewMut1};

use super::both;

both! {
    #[allow(clippy::unnecessary_cast, reason = "the cast of a literal is what is tested")]
    pub fn wide(mut y: ArrayViewMut1<f64>, m: usize) {
        for j in 0..1 {
            y[j + j] = 1099511627776i64 as f64;
            if y[m] < 1.0 {
                y[m - 2 - j] = 7.0f64;
            }
        }
        for j in 1..y.len() {
            y[j] = 9007199254740993i64 as f64 + (0.1f32 as f64);
        }
    }
    #[allow(clippy::unnecessary_cast, reason = "as above")]
    pub fn single(mut y: ArrayViewMut1<f32>) {
        for j in 0..y.len() {
            y[j] = y[j] + (2000000011i64 as f32) + (0.1f64 as f32);
            // Just above what lies between two numbers: as an `f64` it is between them.
            y[j] *= 1.00000005960464477539062500001;
            y[j] += 1.00000005960464477539062500001f32 - 1.0;
        }
    }
}

#[test]
fn literals_have_their_class() {
    let start = Array1::from_shape_fn(70, |k| k as f64 / 7.0);
    let (mut want, mut found) = (start.clone(), start.clone());
    plain::wide(want.view_mut(), 0);
    fast::wide(found.view_mut(), 0);
    assert_eq!(want, found);
    let (mut want, mut found) = (start.mapv(|x| x as f32), start.mapv(|x| x as f32));
    plain::single(want.view_mut());
    fast::single(found.view_mut());
    assert_eq!(want, found);
}
