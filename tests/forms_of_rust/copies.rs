//! What Rust copies and what it lends: arrays of a fixed size, elements, the numbers of iterators.

use super::{SIZES, all, both, form, same};
use ndarray::{ArrayView1, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn arrays(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        let mut t = [1.0, 2.0, 3.0];
        for i in 0..x.len() {
            let mut u = t;
            u[i % 3] += x[i];
            let (mut v, w) = (u, t);
            v[0] *= 2.0;
            t[2] = u[0];
            y[i] = t[0] + 10.0 * u[1] + 100.0 * v[0] + 1000.0 * w[2];
        }
    }

    pub fn parameters(p: &[f64; 3], q: &mut [f64; 3], r: [f64; 3], mut s: [f64; 3]) -> f64 {
        let mut a = *p;
        a[0] = 7.0;
        let b = *q;
        q[1] = a[0] + b[1];
        s[2] += r[0];
        let lent = &b;
        let again = *lent;
        let same = p;
        a[0] + 10.0 * p[0] + 100.0 * b[1] + 1000.0 * q[1] + s[2] + again[0] * same[1]
    }

    pub fn behind_a_reference(mut y: ArrayViewMut1<f64>) {
        let mut t = [1.0, 2.0];
        let p = &t;
        let u = *p;
        t[0] = 5.0;
        for i in 0..y.len() {
            y[i] += u[0] + 10.0 * t[0];
        }
    }

    pub fn called(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        fn first(mut t: [f64; 2], x: f64) -> f64 {
            t[0] += x;
            t[0] * t[1]
        }
        fn beside(t: [f64; 2], out: &mut [f64; 2]) {
            out[0] = t[1];
            out[1] = t[0];
        }
        let mut t = [0.5, 0.25];
        for i in 0..x.len() {
            y[i] = first(t, x[i]) + t[0];
            beside(t, &mut t);
            y[i] -= t[0];
        }
    }

    pub fn walked(mut y: ArrayViewMut1<f64>) -> usize {
        let mut t = [1.0, 2.0, 3.0, 4.0];
        let mut sum = 0.0;
        for x in t {
            t[3] = 10.0 * x;
            sum += x;
        }
        let m = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let mut count = m.len();
        for row in &m {
            for x in row {
                sum += *x;
                count += 10;
            }
        }
        for (i, _) in m.iter().enumerate() {
            count += 100 * (i + 1);
        }
        for mut row in m {
            row[0] = 0.0;
            sum += row[0] + row[1];
        }
        let mut v = vec![vec![0.5; 3]; 2];
        for row in v.iter_mut() {
            for x in row {
                *x += m[0][0];
            }
        }
        for i in 0..y.len() {
            y[i] += sum + t[3] + v[1][2];
        }
        count + v.len()
    }

    pub fn elements(mut a: ArrayViewMut2<f64>, mut x: ArrayViewMut1<f64>, y: &mut [f64]) -> usize {
        fn grow(x: &mut f64, by: f64) {
            let it = x;
            *it += by;
        }
        let (mut sum, mut total) = (0.0, 0.25);
        for &mut mut v in x.iter_mut() {
            v += 1.0;
            sum += v;
        }
        for v in x.iter_mut() {
            let w = v;
            *w += sum;
            grow(w, 0.5);
            grow(&mut total, *w);
        }
        for v in y {
            *v += total;
        }
        let mut odd = 0;
        for ((mut i, j), v) in a.indexed_iter_mut() {
            i += 7 * j;
            *v += i as f64;
            if i % 2 == 1 {
                odd += i;
            }
        }
        for (mut k, v) in x.iter().enumerate() {
            k *= 2;
            odd += k + *v as usize;
        }
        odd
    }

    pub fn typed(x: ArrayView1<f32>, mut y: ArrayViewMut1<f32>) {
        type_of(x, y.view_mut());
        let m: [[f32; 2]; 2] = [[0.1; 2]; 2];
        let v: Vec<f32> = vec![0.7; 3];
        for i in 0..x.len() {
            y[i] += x[i] * m[1][0] + v[2];
        }
        let third: [f32; 3] = [0.1, 0.2, 0.3];
        let large = third[0] * third[1] + third[2] > 0.32;
        if large && y.len() > 0 {
            y[0] = -1.0;
        }
        #[inline]
        fn type_of(x: ArrayView1<f32>, mut y: ArrayViewMut1<f32>) {
            let row: Row = [0.1; 2];
            let exact = row[0] as f64;
            for i in 0..x.len() {
                y[i] += (exact * 1e9) as f32;
            }
        }
    }
}

type Row = [f32; 2];

#[test]
fn arrays_of_a_fixed_size_are_copied() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            form!(offloaded, arrays(x.view(), y.view_mut()));
            let mut q = [0.5, 1.5, 2.5];
            let sum = form!(offloaded, parameters(&[1.0, 2.0, 3.0], &mut q, [4.0; 3], [5.0; 3]));
            form!(offloaded, behind_a_reference(y.view_mut()));
            form!(offloaded, called(x.view(), y.view_mut()));
            let count = form!(offloaded, walked(y.view_mut()));
            all!(y, q, [sum], [count])
        },
        &SIZES,
    );
}

#[test]
fn elements_are_lent() {
    same(
        |offloaded, given, n| {
            let (mut a, mut x) = (given.matrix(n, n + 1, 1), given.vector(n, 2));
            let mut y = vec![1.0; n];
            let odd = form!(offloaded, elements(a.view_mut(), x.view_mut(), &mut y));
            all!(a, x, y, [odd])
        },
        &SIZES,
    );
}

#[test]
fn classes_of_local_arrays_are_the_declared_ones() {
    same(
        |offloaded, given, n| {
            let x = given.vector(n, 1).mapv(|v| v as f32);
            let mut y = given.vector(n, 2).mapv(|v| v as f32);
            form!(offloaded, typed(x.view(), y.view_mut()));
            all!(y)
        },
        &SIZES,
    );
}
