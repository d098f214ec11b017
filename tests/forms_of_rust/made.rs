//! Arrays made element by element, sums in ndarray's order, parts in steps, one thing behind another.

use super::{SIZES, all, both, form, same};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, s};

/// Sizes at which eight sums at once make a difference.
const LONG: [usize; 6] = [0, 1, 7, 8, 30, 67];

both! {
    pub fn collected(x: &[f64], k: usize, y: &mut [f64]) -> f64 {
        let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
        let weights = (1..k + 1).map(|i| 1.0 / i as f64).collect::<Vec<_>>();
        let shifted: Array1<f64> = x.iter().zip(&squares).map(|(a, b)| a - b).collect();
        let signed: Vec<i32> = (-3..k as i32).map(|i| i * i).collect();
        for i in 0..x.len() {
            y[i] += squares[x.len() - 1 - i] + shifted[i];
        }
        weights.iter().sum::<f64>() + signed.iter().sum::<i32>() as f64 + shifted.len() as f64
    }

    pub fn by_function(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> f64 {
        let scaled = Array2::from_shape_fn(a.dim(), |(i, j)| a[[i, j]] * (i + 2 * j) as f64);
        let mut window = Array1::from_shape_fn(x.len(), |i| 1.0 + i as f64);
        let halves = x.mapv(|v| v / 2.0);
        window[0] += halves[0];
        for i in 0..x.len() {
            y[i] = window[i] + halves[i] + scaled[[i, 0]];
        }
        scaled[[0, 0]]
    }

    pub fn summed(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> (f64, f64, i64) {
        let mut own = Array1::<f64>::zeros(x.len());
        for i in 0..x.len() {
            own[i] = x[i] * 3.0 - 1.0;
        }
        for i in 0..a.nrows() {
            y[i] = a.row(i).dot(&x.slice(s![..a.ncols()])) + a.row(i).sum();
        }
        let mut columns = 0.0;
        for j in 0..a.ncols() {
            columns += a.column(j).sum() - a.column(j).dot(&y.slice(s![1..1 + a.nrows()]));
        }
        let whole = Array1::from_elem(5, 2i64);
        (own.sum() + own.dot(&x) - a.sum(), columns, whole.sum())
    }

    pub fn in_steps(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, a: ArrayView2<f64>) -> f64 {
        let (even, odd) = (x.slice(s![..;2]), x.slice(s![1..;2]));
        for i in 0..odd.len() {
            y[i] = even[i] - odd[i];
        }
        let back = x.slice(s![..;-1]);
        let mut sum = 0.0;
        for (v, w) in back.iter().zip(back.slice(s![1..;-3])) {
            sum = 0.5 * sum + v * w;
        }
        y.slice_mut(s![..;-2]).fill(0.5);
        for row in a.slice(s![..;2, 1..;-2]).rows() {
            for v in row {
                sum = v - 0.25 * sum;
            }
        }
        sum
    }

    pub fn arithmetic(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, dt: f64) -> f64 {
        let mut b = &a * 2.0 - &x;
        b += &(-(&a) / (1.0 + dt));
        y.assign(&(&x * &x + dt));
        y -= &(2.0 * &b.column(0));
        let row = &b.row(0) + &y;
        row.iter().fold((0.0, 0.0), |(sum, last), v| (sum + v - last, *v)).0
    }

    pub fn by_methods(a: ArrayView2<f64>, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>, mut b: Array2<f64>) -> f64 {
        b.assign(&a.t());
        y.scaled_add(-0.5, &x);
        y.zip_mut_with(&a.t().row(0), |y, &v| *y = 2.0 * *y - v);
        let centred = &y - 0.25;
        let copy = x.to_owned();
        let mut sum = centred.dot(&centred) + copy.sum();
        for (i, row) in a.t().rows().into_iter().enumerate() {
            sum = row.dot(&b.column(0)) - 0.5 * sum + i as f64;
        }
        sum + b[[0, b.ncols() - 1]]
    }

    pub fn chained(x: &[f64], y: &[f64], i: usize) -> f64 {
        let mut sum = 0.0;
        for j in (0..i).chain(i + 1..x.len()) {
            sum = sum * 0.5 + x[j];
        }
        for (k, v) in x.iter().chain(y.iter().rev()).enumerate() {
            if k == 40 {
                break;
            }
            sum -= v * k as f64;
        }
        sum
    }
}

#[test]
fn element_by_element() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let sum = form!(offloaded, collected(&x, n / 2, &mut y));
            all!(y, [sum])
        },
        &SIZES,
    );
    same(
        |offloaded, given, n| {
            let (a, x, mut y) = (given.matrix(n, n, 1), given.vector(n, 2), given.vector(n, 3));
            let first = form!(offloaded, by_function(a.view(), x.view(), y.view_mut()));
            all!(y, [first])
        },
        &[1, 2, 7, 20],
    );
}

#[test]
fn whole_arrays() {
    same(
        |offloaded, given, n| {
            let (a, x, mut y) = (given.matrix(n, n, 1), given.vector(n, 2), given.vector(n, 3));
            let sum = form!(offloaded, arithmetic(a.view(), x.view(), y.view_mut(), 0.25));
            all!(y, [sum])
        },
        &[1, 2, 7, 20],
    );
}

#[test]
fn methods_of_whole_arrays() {
    same(
        |offloaded, given, n| {
            let (a, x, mut y, b) =
                (given.matrix(n, n, 1), given.vector(n, 2), given.vector(n, 3), given.matrix(n, n, 4));
            let sum = form!(offloaded, by_methods(a.view(), x.view(), y.view_mut(), b.clone()));
            let back = form!(offloaded, by_methods(a.slice(s![..;-1, ..]), x.slice(s![..;-1]), y.view_mut(), b));
            all!(y, [sum], [back])
        },
        &LONG[1..],
    );
}

#[test]
fn in_the_order_of_ndarray() {
    same(
        |offloaded, given, n| {
            let (a, x, mut y) = (given.matrix(n, n + 2, 1), given.vector(n + 2, 2), given.vector(n + 1, 3));
            let (own, columns, whole) = form!(offloaded, summed(a.view(), x.view(), y.view_mut()));
            all!(y, [own], [columns], [whole])
        },
        &LONG,
    );
    // Strides of -1 and others than one.
    same(
        |offloaded, given, n| {
            let (a, x, mut y) = (given.matrix(2 * n, n + 2, 1), given.vector(2 * n + 4, 2), given.vector(n + 1, 3));
            let back = x.slice(s![..n + 2;-1]);
            let (own, columns, whole) = form!(offloaded, summed(a.slice(s![..;-2, ..;-1]), back, y.view_mut()));
            let (other, ..) = form!(offloaded, summed(a.slice(s![..;2, ..]), x.slice(s![..;2]), y.view_mut()));
            all!(y, [own], [columns], [whole], [other])
        },
        &LONG,
    );
}

#[test]
fn parts_in_steps() {
    same(
        |offloaded, given, n| {
            let (x, mut y, a) = (given.vector(n, 1), given.vector(n, 2), given.matrix(n, n + 1, 3));
            let sum = form!(offloaded, in_steps(x.view(), y.view_mut(), a.view()));
            let (x, y) = (x.to_vec(), y.to_vec());
            let behind = form!(offloaded, chained(&x, &y, n / 2));
            all!(y, [sum], [behind])
        },
        &LONG[1..],
    );
}
