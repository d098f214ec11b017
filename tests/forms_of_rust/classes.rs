//! Arrays of all classes of numbers.

use super::{all, both, form, same};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

both! {
    pub fn histogram(x: ArrayView1<u8>, mut counts: ArrayViewMut1<u32>) {
        for i in 0..counts.len() {
            counts[i] = 0;
        }
        for i in 0..x.len() {
            counts[(x[i] % 16) as usize] += 1;
        }
    }

    pub fn gather(x: ArrayView1<f32>, at: ArrayView1<usize>, mut y: ArrayViewMut1<f32>) {
        for i in 0..at.len() {
            y[i] = x[at[i]];
        }
    }

    pub fn scatter(at: &[usize], x: &[i64], y: &mut [i64]) {
        for i in 0..at.len() {
            y[at[i]] += x[i];
        }
    }

    pub fn life(cells: ArrayView2<bool>, mut next: ArrayViewMut2<bool>) {
        let (n, m) = cells.dim();
        for i in 0..n {
            for j in 0..m {
                let mut around = 0;
                for di in 0..3 {
                    for dj in 0..3 {
                        let (r, c) = (i + di, j + dj);
                        if (di != 1 || dj != 1) && r > 0 && c > 0 && r <= n && c <= m && cells[[r - 1, c - 1]] {
                            around += 1;
                        }
                    }
                }
                next[[i, j]] = around == 3 || cells[[i, j]] && around == 2;
            }
        }
    }

    pub fn narrow(a: &Array2<i16>, b: &mut Array2<i8>, total: &mut Array1<i64>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                b[[i, j]] = (a[[i, j]] >> 3) as i8;
                total[i] += i64::from(a[[i, j]]) * i64::from(b[[i, j]]);
            }
        }
    }

    pub fn matmul(a: ArrayView2<i32>, b: ArrayView2<i32>, mut c: ArrayViewMut2<i32>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0;
                for k in 0..a.ncols() {
                    sum += a[[i, k]] * b[[k, j]];
                }
                c[[i, j]] = sum;
            }
        }
    }

    pub fn primes(sieve: &mut [bool]) -> usize {
        let n = sieve.len();
        for i in 0..n {
            sieve[i] = i >= 2;
        }
        let mut i = 2;
        while i * i < n {
            if sieve[i] {
                for j in (i * i..n).step_by(i) {
                    sieve[j] = false;
                }
            }
            i += 1;
        }
        let mut count = 0;
        for &is_prime in sieve.iter() {
            if is_prime {
                count += 1;
            }
        }
        count
    }

    pub fn fibonacci(x: &mut [u64]) {
        for i in 0..x.len() {
            x[i] = if i < 2 { i as u64 } else { x[i - 1] + x[i - 2] };
        }
    }
}

#[test]
fn whole_numbers_in_arrays() {
    same(
        |offloaded, given, n| {
            let bytes = given.vector(n, 1).mapv(|x| (x * 200.0) as u8);
            let mut counts = Array1::from_elem(16, 7);
            form!(offloaded, histogram(bytes.view(), counts.view_mut()));
            let at = given.vector(n, 2).mapv(|x| (x * 1000.0) as usize % n.max(1));
            let (x, mut y) = (given.vector(n, 3).mapv(|x| x as f32), Array1::zeros(n));
            form!(offloaded, gather(x.view(), at.view(), y.view_mut()));
            let (z, mut w) = (vec![3; n], vec![-1; n]);
            form!(offloaded, scatter(&at.to_vec(), &z, &mut w));
            all!(counts, y, w)
        },
        &[0, 1, 40],
    );
    same(
        |offloaded, given, n| {
            let a = given.matrix(n, n + 1, 1).mapv(|x| (x * 30000.0) as i16);
            let (mut b, mut total) = (Array2::zeros(a.dim()), Array1::zeros(n));
            form!(offloaded, narrow(&a, &mut b, &mut total));
            let c = a.mapv(|x| i32::from(x) / 64);
            let mut d = Array2::zeros((n, n));
            form!(offloaded, matmul(c.view(), c.t(), d.view_mut()));
            all!(b, total, d)
        },
        &[0, 1, 13],
    );
}

#[test]
fn truth_values_in_arrays() {
    same(
        |offloaded, given, n| {
            let cells = given.matrix(n, n + 2, 1).mapv(|x| x > 0.6);
            let mut next = cells.mapv(|x| !x);
            form!(offloaded, life(cells.view(), next.view_mut()));
            let mut sieve = vec![true; 5 * n];
            let count = form!(offloaded, primes(&mut sieve));
            let mut sequence = vec![0; n.min(90)];
            form!(offloaded, fibonacci(&mut sequence));
            all!(next, sieve, sequence, [count])
        },
        &[0, 1, 20],
    );
}
