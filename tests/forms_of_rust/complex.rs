//! Complex numbers of `num_complex`: the bits of its own formulas, the signs of zeros too.

use super::{SIZES, all, both, form, same};
use crate::twice::Given;
use megha::Result;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, ArrayViewMut3, s};
use num_complex::{Complex, Complex64};

both! {
    pub fn operators(x: ArrayView1<Complex<f64>>, y: &[Complex64], t: ArrayView1<f64>, out: &mut Array2<Complex64>) {
        for i in 0..x.len() {
            let (a, b, r) = (x[i], y[i], t[i]);
            out[[i, 0]] = a + b;
            out[[i, 1]] = a - b;
            out[[i, 2]] = a * b;
            out[[i, 3]] = a / b;
            out[[i, 4]] = a + r;
            out[[i, 5]] = a - r;
            out[[i, 6]] = a * r;
            out[[i, 7]] = a / r;
            out[[i, 8]] = r + a;
            out[[i, 9]] = r - a;
            out[[i, 10]] = r * a;
            out[[i, 11]] = r / a;
            out[[i, 12]] = -a;
            out[[i, 13]] = a.conj();
            out[[i, 14]] = a.inv();
            out[[i, 15]] = a.scale(r) + b.unscale(r);
            out[[i, 16]] = 2.0 * a - Complex::new(1.0, -0.0) / 3.0;
            out[[i, 17]] = if a == b { Complex64::I } else if a != Complex::i() { -b } else { Complex64::ZERO };
            out[[i, 18]] = Complex { re: a.im, im: b.re } + Complex::from(r) * Complex64::ONE;
            out[[i, 19]] = -a * b + a;
        }
    }

    pub fn numbers(x: ArrayView1<Complex64>, out: &mut [f64], is: &mut [bool]) {
        for (i, z) in x.iter().enumerate() {
            out[i] = z.norm_sqr() + z.l1_norm() * z.re - z.im;
            is[i] = z.is_nan() || !z.is_finite() && z.re < 0.0;
        }
    }

    pub fn assigned(mut x: ArrayViewMut1<Complex64>, y: &Vec<Complex64>, r: f64) {
        for i in 0..x.len() {
            x[i] += y[i];
            x[i] *= y[i];
            x[i] -= r;
            x[i] /= y[i] + 1.5;
            x[i] *= r;
            x[i] += 1.0;
            x[i] /= r;
            x[i] -= y[i] * r;
        }
    }

    /// Subscripts that do something do it once, behind the value.
    pub fn stored_once(z: &mut [Complex64], x: &mut [f64], y: &mut [f64]) -> usize {
        let mut n = 0;
        let mut next = || {
            n += 1;
            n - 1
        };
        z[next()].re = 1.0;
        z[next()].im += 2.0;
        z[next()].re -= next() as f64;
        x[next()] *= next() as f64;
        std::mem::swap(&mut x[next() - 6], &mut y[next() - 6]);
        z[next() - 8].im = -0.0;
        n
    }

    pub fn parts(mut a: ArrayViewMut2<Complex64>, r: f64) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                let mut z = a[[i, j]];
                z.re = z.im * r;
                z.im -= 0.5;
                a[[i, j]] = z;
                a[[i, j]].im *= z.re;
                a[[i, j]].re = a[[i, j]].im + r;
            }
        }
    }

    pub fn product(a: ArrayView2<Complex64>, b: ArrayView2<Complex64>, mut c: ArrayViewMut2<Complex64>, alpha: Complex64) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = Complex64::new(0.0, 0.0);
                for k in 0..a.ncols() {
                    sum += a[[i, k]] * b[[k, j]];
                }
                c[[i, j]] = alpha * sum + c[[i, j]];
            }
        }
    }

    pub fn in_order(mut a: ArrayViewMut2<Complex64>) {
        let n = a.nrows();
        for k in 0..n {
            for i in k + 1..n {
                let f = a[[i, k]] / a[[k, k]];
                a[[i, k]] = f;
                for j in k + 1..n {
                    let u = a[[k, j]];
                    a[[i, j]] -= f * u;
                }
            }
        }
    }

    pub fn escapes(c: ArrayView1<Complex64>, counts: &mut [u32]) {
        for i in 0..c.len() {
            let mut z = Complex::new(0.0, 0.0);
            let mut n = 0;
            while n < 30 && z.norm_sqr() <= 4.0 {
                z = z * z + c[i] * 2.0 - 1.0;
                n += 1;
            }
            counts[i] = n;
        }
    }

    pub fn dot(x: &[Complex64], y: &[Complex64]) -> Complex64 {
        let mut sum = Complex64::default();
        for i in 0..x.len() {
            sum += x[i].conj() * y[i];
        }
        sum
    }

    pub fn several(x: ArrayView1<Complex64>, z: Complex<f64>) -> (usize, Complex64, f64, Complex64) {
        let mut largest = 0.0;
        for v in x {
            if v.norm_sqr() > largest {
                largest = v.norm_sqr();
            }
        }
        (x.len(), z * 2.0, largest, -z)
    }

    pub fn fallible(x: ArrayView1<Complex64>, by: usize) -> Result<Complex64> {
        let mut sum = Complex64::ZERO;
        for i in 0..x.len() {
            sum += x[i + by];
        }
        Ok(sum)
    }

    pub fn local(x: ArrayView1<Complex64>, mut y: ArrayViewMut1<Complex64>) {
        for i in 0..x.len() {
            let mut w = [Complex64::ZERO; 3];
            for k in 0..3 {
                w[k] = x[i] * k as f64;
            }
            y[i] = w[0] + w[1] * w[2];
        }
        let mut t = Array1::<Complex64>::zeros(x.len());
        for i in 0..x.len() {
            t[i] = y[i] - x[i];
        }
        for i in 1..x.len() {
            y[i] = t[i - 1];
        }
    }

    pub fn whole(mut x: ArrayViewMut1<Complex64>, mut y: ArrayViewMut3<Complex64>, z: Complex64) {
        x.fill(z);
        for v in y.iter_mut() {
            *v = *v * z - z.conj();
        }
        for i in 1..x.len() {
            x[i] = x[i - 1] * z;
        }
    }

    pub fn exchanged(a: &mut Array1<Complex64>, b: &mut Array1<Complex64>) {
        for i in 0..a.len() {
            a[i] = a[i] + b[i];
        }
        std::mem::swap(a, b);
        for i in 0..a.len() {
            a[i] = a[i] * 2.0;
        }
    }
}

fn number(re: f64, im: f64) -> Complex64 {
    Complex64::new(re, im)
}

fn matrix(given: Given, n: usize, m: usize, seed: usize) -> Array2<Complex64> {
    let (re, im) = (given.matrix(n, m, seed), given.matrix(n, m, seed + 100));
    let mut z = Array2::from_elem(re.raw_dim(), Complex64::ZERO);
    if given.columns_first {
        z = Array2::from_elem((m, n), Complex64::ZERO).reversed_axes();
    }
    z.indexed_iter_mut().for_each(|(at, z)| *z = number(re[at] - 0.6, im[at] - 0.4));
    z
}

fn vector(given: Given, n: usize, seed: usize) -> Array1<Complex64> {
    matrix(given, n, 1, seed).column(0).to_owned()
}

/// Numbers of all kinds: each with each as parts.
fn special() -> Vec<Complex64> {
    let parts = [0.0, -0.0, 1.5, -2.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-320, 1e200];
    parts.iter().flat_map(|re| parts.iter().map(|im| number(*re, *im))).collect()
}

/// The parts of all numbers, the real one first.
fn apart<'a>(z: impl IntoIterator<Item = &'a Complex64>) -> Vec<f64> {
    z.into_iter().flat_map(|z| [z.re, z.im]).collect()
}

#[test]
fn operators_have_the_bits_of_num_complex() {
    let rounds = |offloaded, x: &[Complex64], y: &[Complex64]| {
        let mut out = Array2::from_elem((x.len(), 20), Complex64::ZERO);
        let t: Array1<f64> = x.iter().map(|z| z.im).collect();
        form!(offloaded, operators(ArrayView1::from(x), y, t.view(), &mut out));
        all!(apart(&out))
    };
    let all = special();
    for shift in 0..all.len() {
        let turned = [&all[shift..], &all[..shift]].concat();
        assert_eq!(rounds(false, &all, &turned), rounds(true, &all, &turned), "{shift}");
    }
    same(
        |offloaded, given, n| {
            let (x, y) = (vector(given, n, 1), vector(given, n, 2));
            let mut out = matrix(given, n, 20, 3);
            form!(offloaded, operators(x.view(), &y.to_vec(), given.vector(n, 4).view(), &mut out));
            all!(apart(&out))
        },
        &SIZES,
    );
}

#[test]
fn numbers_of_complex_numbers() {
    let all = special();
    let [plain, offloaded] = [false, true].map(|offloaded| {
        let (mut out, mut is) = (vec![0.0; all.len()], vec![false; all.len()]);
        form!(offloaded, numbers(ArrayView1::from(&all), &mut out, &mut is));
        all!(out, is)
    });
    assert_eq!(plain, offloaded);
}

#[test]
fn complex_numbers_are_assigned() {
    same(
        |offloaded, given, n| {
            let mut x = vector(given, n, 1);
            form!(offloaded, assigned(x.view_mut(), &vector(given, n, 2).to_vec(), 0.75));
            let mut a = matrix(given, n, n + 1, 3);
            form!(offloaded, parts(a.view_mut(), -0.3));
            all!(apart(&x), apart(&a))
        },
        &SIZES,
    );
}

#[test]
fn loop_nests_over_complex_numbers() {
    same(
        |offloaded, given, n| {
            let (a, b, mut c) = (matrix(given, n, n + 2, 1), matrix(given, n + 2, n, 2), matrix(given, n, n, 3));
            form!(offloaded, product(a.view(), b.view(), c.view_mut(), number(0.5, -2.0)));
            let mut d = matrix(given, n, n, 4);
            form!(offloaded, in_order(d.view_mut()));
            let mut counts = vec![0; n];
            form!(offloaded, escapes(vector(given, n, 5).view(), &mut counts));
            all!(apart(&c), apart(&d), counts)
        },
        &SIZES,
    );
}

#[test]
fn complex_numbers_are_results() {
    same(
        |offloaded, given, n| {
            let (x, y) = (vector(given, n, 1), vector(given, n, 2));
            let sum = form!(offloaded, dot(x.as_slice().unwrap(), y.as_slice().unwrap()));
            let (count, twice, largest, less) = form!(offloaded, several(x.view(), number(-0.0, 3.0)));
            let all_of = form!(offloaded, fallible(x.view(), 0)).unwrap();
            all!(apart(&[sum, twice, less, all_of]), [count], [largest])
        },
        &SIZES,
    );
    let error = fast::fallible(ArrayView1::from(&[Complex64::I; 3]), 1).unwrap_err();
    assert!(error.to_string().contains("in `x[i + by]`"), "{error}");
}

#[test]
fn complex_arrays_of_a_function_and_whole_ones() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (vector(given, n, 1), vector(given, n, 2));
            form!(offloaded, local(x.view(), y.view_mut()));
            let mut u = vector(given, n, 3);
            let mut v = ndarray::Array3::from_elem((2, n, 3), number(0.5, -1.0));
            form!(offloaded, whole(u.view_mut(), v.view_mut(), number(0.9, 0.1)));
            let (mut a, mut b) = (vector(given, n, 4), vector(given, n, 5));
            form!(offloaded, exchanged(&mut a, &mut b));
            all!(apart(&y), apart(&u), apart(&v), apart(&a), apart(&b))
        },
        &SIZES,
    );
}

/// What lies between the elements of a view stays as it is.
#[test]
fn views_of_complex_arrays_leave_what_is_around_them() {
    same(
        |offloaded, given, n| {
            let mut a = matrix(given, 2 * n + 1, 3 * n + 2, 1);
            form!(offloaded, parts(a.slice_mut(s![1..;2, ..;-3]), 1.5));
            let b = matrix(given, 2 * n + 4, n + 4, 2);
            let mut c = matrix(given, 9, 7, 3);
            let (x, y) = (b.slice(s![..4, ..;2]), b.slice(s![..;2, 1..3]));
            let k = x.ncols().min(y.nrows()).min(3);
            form!(
                offloaded,
                product(x.slice(s![.., ..k]), y.slice(s![..k, ..]), c.slice_mut(s![1..5, 2..4]), Complex64::I)
            );
            all!(apart(&a), apart(&c))
        },
        &SIZES,
    );
}

#[test]
fn subscripts_are_computed_once() {
    same(
        |offloaded, given, n| {
            let mut z: Vec<Complex64> = (0..n + 6).map(|k| Complex64::new(k as f64, 0.5)).collect();
            let [mut x, mut y] = [1, 2].map(|seed| given.vector(n + 6, seed).to_vec());
            let count = form!(offloaded, stored_once(&mut z, &mut x, &mut y));
            let (re, im): (Vec<f64>, Vec<f64>) = z.iter().map(|z| (z.re, z.im)).unzip();
            all!(re, im, x, y, [count])
        },
        &SIZES,
    );
}
