//! The arguments, as `octave_times.m` has them.

use ndarray::{Array1, Array2, ShapeBuilder};

/// What the functions are called with, as `octave_times.m` has it.
#[allow(non_snake_case, reason = "the names are those of the functions' parameters")]
pub struct Arguments {
    pub v: Array1<f64>,
    pub u: Array1<f64>,
    pub w: Array1<f64>,
    pub r: Array1<f64>,
    pub c: Array1<f64>,
    pub f: Array1<f64>,
    pub A: Array2<f64>,
    pub B: Array2<f64>,
    pub b: Array1<f64>,
    pub K: Array2<f64>,
    pub g: Array1<f64>,
    pub k5: Array2<f64>,
    pub H: Array2<f64>,
    pub G: Array2<f64>,
    pub S: Array2<f64>,
    pub x: Array1<f64>,
    pub z: Array1<f64>,
    pub y: Array1<f64>,
}

const GOLDEN: f64 = 0.618_033_988_749_895;
const SILVER: f64 = 0.414_213_562_373_095;

impl Arguments {
    /// All of them.
    pub fn new() -> Self {
        let v = vector(1_000_000, GOLDEN);
        Self {
            u: v.map(|v| 1.0 + 1e-6 * v),
            w: vector(1_000_000, SILVER).map(|v| 1.0 + (1000.0 * v).floor()),
            r: v.clone(),
            v,
            c: vector(64, SILVER),
            f: vector(1 << 18, SILVER),
            A: dominant(500),
            B: matrix(200, 200, SILVER),
            b: vector(500, GOLDEN),
            K: matrix(40, 40, GOLDEN),
            g: Array1::from_shape_fn(300, |i| (1 + 7 * i % 500) as f64),
            k5: matrix(5, 5, GOLDEN),
            H: matrix(100_000, 3, GOLDEN),
            G: matrix(100_000, 3, SILVER),
            S: dominant(3),
            x: vector(30, GOLDEN),
            z: Array1::from_shape_fn(30, |i| i as f64 / 29.0),
            y: vector(3, SILVER),
        }
    }
}

/// Numbers below 1 that come in no order.
fn vector(n: usize, step: f64) -> Array1<f64> {
    Array1::from_shape_fn(n, |k| step * ((k + 1) * (k + 1) % 16_777_213) as f64 % 1.0)
}

/// Such numbers, columns first.
fn matrix(rows: usize, columns: usize, step: f64) -> Array2<f64> {
    let numbers = vector(rows * columns, step).to_vec();
    Array2::from_shape_vec((rows, columns).f(), numbers).expect("as many as the matrix has")
}

/// Such a matrix with larger numbers on its diagonal, so that it is far from singular.
fn dominant(order: usize) -> Array2<f64> {
    let mut matrix = matrix(order, order, GOLDEN);
    matrix.diag_mut().map_inplace(|x| *x += 20.0);
    matrix
}
