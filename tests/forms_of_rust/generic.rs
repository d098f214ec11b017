//! Generic functions, compiled for the types that the attribute names; others run the plain body.

use super::{SIZES, all, same};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, LinalgScalar};
use num_traits::{Float, FloatConst, FromPrimitive, One, Signed, ToPrimitive, Zero};
use std::ops::{Add, AddAssign, Mul, Sub};

/// A trait that joins others.
pub trait Real: Float + FloatConst + AddAssign {}
impl<T: Float + FloatConst + AddAssign> Real for T {}

/// The same generic functions twice: as they are, and compiled for some types.
macro_rules! generic {
    ($($item:item)*) => {
        pub mod plain {
            use super::*;
            $($item)*
        }
        pub mod fast {
            use super::*;
            $(#[megha::offload(T = f32, f64)] $item)*
        }
    };
}

generic! {
    pub fn axpy<T: Float>(a: T, x: ArrayView1<T>, mut y: ArrayViewMut1<T>) {
        for i in 0..x.len() {
            y[i] = a * x[i] + y[i];
        }
    }

    pub fn dot<T>(x: &[T], y: &[T]) -> T
    where
        T: Copy + Zero + Mul<Output = T> + AddAssign,
    {
        let mut sum = T::zero();
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }

    pub fn blur<T: Copy + Add<Output = T> + Mul<Output = T> + From<f32>>(x: &Array2<T>, third: T, out: &mut Array2<T>) {
        for i in 0..x.nrows() {
            for j in 1..x.ncols().saturating_sub(1) {
                out[[i, j]] = (x[[i, j - 1]] + x[[i, j]] + x[[i, j + 1]]) * third;
            }
        }
    }

    pub fn jacobi<T: Real>(a: ArrayView2<T>, mut b: ArrayViewMut2<T>) -> T {
        let quarter = T::from(0.25).unwrap();
        let tenth = T::from(0.1).expect("a number");
        let mut most = T::neg_infinity();
        for i in 1..a.nrows().max(1) - 1 {
            for j in 1..a.ncols().max(1) - 1 {
                let next = quarter * (a[[i - 1, j]] + a[[i + 1, j]] + a[[i, j - 1]] + a[[i, j + 1]]) - tenth * a[[i, j]].abs().sqrt();
                most = most.max((next - a[[i, j]]).abs());
                b[[i, j]] = next + T::PI() * T::epsilon();
            }
        }
        most
    }

    pub fn statistics<T: Float + FromPrimitive + ToPrimitive>(x: &Vec<T>) -> (T, usize, f64) {
        let n = T::from_usize(x.len()).unwrap();
        let (mut sum, mut above, mut exact) = (T::zero(), 0, 0.0);
        for v in x.iter() {
            sum = sum + *v / n;
            if *v > T::one() / T::from(2).unwrap() {
                above += 1;
            }
            exact += v.to_f64().unwrap();
        }
        (sum, above, exact)
    }

    pub fn powers<T: LinalgScalar + Signed, const N: usize>(x: ArrayView1<T>, scale: &[T; N], out: &mut [T]) -> megha::Result<T> {
        for i in 0..x.len() {
            let mut p = T::one();
            let mut sum = T::zero();
            for k in 0..N {
                sum = sum + scale[k] * p;
                p = p * x[i];
            }
            out[i] = sum.abs();
        }
        if x.len() > 0 { Ok(out[0] - <T as One>::one()) } else { Ok(T::zero()) }
    }

    pub fn limits<T: Float>(mut a: Array1<T>, low: T, high: T) -> T {
        let mut total = T::zero();
        for v in a.iter_mut() {
            *v = if *v < low { low } else { T::min(*v, high) };
            total = total + *v * T::from(i32::MAX).unwrap() + T::max_value() * T::min_positive_value();
        }
        total
    }

    pub fn matmul<T: Copy + Zero + Mul<Output = T> + Sub<Output = T>>(a: ArrayView2<T>, b: ArrayView2<T>, c: &mut Array2<T>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 0..m {
                let mut sum: T = T::zero();
                for k in 0..a.ncols() {
                    sum = sum - a[[i, k]] * b[[k, j]];
                }
                c[[i, j]] = sum;
            }
        }
    }
}

/// Calls one of the two forms with numbers of a type.
macro_rules! of {
    ($offloaded:expr, $name:ident($($arg:expr),* $(,)?)) => {
        if $offloaded { fast::$name($($arg),*) } else { plain::$name($($arg),*) }
    };
}

macro_rules! cases {
    ($($test:ident: $t:ty;)*) => {$(
        #[test]
        fn $test() {
            same(
                |offloaded, given, n| {
                    let vector = |seed| given.vector(n, seed).mapv(|x| x as $t);
                    let matrix = |n, m, seed| given.matrix(n, m, seed).mapv(|x| x as $t);
                    let (x, mut y) = (vector(1), vector(2));
                    of!(offloaded, axpy(1.5, x.view(), y.view_mut()));
                    let dot = of!(offloaded, dot(x.as_slice().unwrap(), y.as_slice().unwrap()));
                    let (a, mut b, mut c) = (matrix(n, n + 3, 3), matrix(n, n + 3, 4), matrix(n, n, 6));
                    of!(offloaded, blur(&a, 1.0 / 3.0, &mut b));
                    let most = of!(offloaded, jacobi(a.view(), b.view_mut()));
                    let (sum, above, exact) = of!(offloaded, statistics(&x.to_vec()));
                    let mut out = vec![0.0; n];
                    let first = of!(offloaded, powers(x.view(), &[1.0, -0.5, 0.25], &mut out)).unwrap();
                    let total = of!(offloaded, limits(x.clone(), 0.25, 0.75));
                    of!(offloaded, matmul(a.view(), a.t(), &mut c));
                    all!(y, [dot], b, [most], [sum], [above], [exact], out, [first], [total], c)
                },
                &SIZES,
            );
        }
    )*};
}

cases! {
    generic_functions_of_doubles: f64;
    generic_functions_of_singles: f32;
}

mod several {
    use super::*;

    #[megha::offload(T = f32, f64, I = i32, usize)]
    pub fn gather<T, I>(x: &[T], at: &[I], out: &mut [T])
    where
        T: Copy,
        I: Copy + ToPrimitive + Into<i64> + 'static,
    {
        for i in 0..out.len() {
            out[i] = x[at.len() - 1 - i];
        }
    }

    #[megha::offload(T = i32, u8, f64)]
    pub fn counts<T: Copy + PartialOrd + Zero + One + Add<Output = T>>(x: &[T], least: T) -> T {
        let mut count = T::zero();
        for v in x {
            if *v >= least {
                count = count + T::one();
            }
        }
        count
    }
}

/// A number that is none of those that functions are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Own(i16);

impl Add for Own {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Mul for Own {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Zero for Own {
    fn zero() -> Self {
        Self(0)
    }

    fn is_zero(&self) -> bool {
        self.0 == 0
    }
}

impl One for Own {
    fn one() -> Self {
        Self(1)
    }
}

#[test]
fn each_type_is_told() {
    let (mut out, mut singles) = (vec![0.0; 3], vec![0f32; 3]);
    several::gather(&[1.0, 2.0, 4.0], &[0i32, 1, 2], &mut out);
    several::gather(&[1f32, 2.0, 4.0], &[0i64, 1, 2], &mut singles);
    assert_eq!((&out[..], &singles[..]), (&[4.0, 2.0, 1.0][..], &[4f32, 2.0, 1.0][..]));
    assert_eq!(several::counts(&[1, 5, 7], 5), 2);
    assert_eq!(several::counts(&[1u8, 5, 7], 6), 1);
    assert_eq!(several::counts(&[1.5, 5.0, 7.0], 1.0), 3.0);
    assert_eq!(several::counts(&[Own(3), Own(8)], Own(4)), Own(1));
    assert_eq!(several::counts(&[1i64, 5, 7], 5), 2);
}

#[test]
fn compiled_instances_run() {
    let mut short = [0.0];
    let double = fast::powers(Array1::ones(2).view(), &[1.0], &mut short).unwrap_err().to_string();
    let single = fast::powers(Array1::ones(2).view(), &[1f32], &mut [0.0]).unwrap_err().to_string();
    assert!(double.contains("out of bounds") && double.contains("`out`"), "{double}");
    assert!(single.contains("out of bounds") && single.contains("`out`"), "{single}");
}
