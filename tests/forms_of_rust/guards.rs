//! Loops that are parallel where a relation between arguments holds, called where it holds and where it does not.

use super::{all, both, form, same};

both! {
    pub fn rows(a: &mut [f64], n: usize, m: usize, ld: usize) {
        for i in 0..n {
            for j in 0..m {
                a[i * ld + j] = a[i * ld + j] * 0.5 + (i + j) as f64;
            }
        }
    }

    pub fn strided(x: &mut [f64], n: usize, step: usize) {
        for i in 0..n {
            x[i * step] = x[i * step] * 0.5 + 1.0;
        }
    }

    pub fn shifted(a: &mut [f64], n: usize, p: usize) {
        for i in 0..n {
            a[i] = a[i + p] * 0.5 + 1.0;
        }
    }

    pub fn signed(a: &mut [f64], n: i64, p: i64) -> f64 {
        let mut last = 0.0;
        for i in 0..n {
            a[(i + n + p) as usize] = a[i as usize] + 1.0;
            last = a[i as usize];
        }
        last
    }

    pub fn product(a: &[f64], b: &[f64], c: &mut [f64], n: usize, lda: usize, ldb: usize, ldc: usize) {
        for i in 0..n {
            for j in 0..n {
                c[i * ldc + j] *= 0.5;
                for k in 0..n {
                    c[i * ldc + j] += a[i * lda + k] * b[k * ldb + j];
                }
            }
        }
    }
}

#[test]
fn each_form_is_the_plain_one() {
    same(
        |offloaded, given, n| {
            let mut all = Vec::new();
            // with one iteration a step may be any number
            let largest = if n < 2 { usize::MAX } else { n };
            for by in [0, 1, n / 2, n, n + 3, largest] {
                let long = || given.vector((n + 3) * (n + 4) + 1, by.min(n + 3)).to_vec();
                let (mut a, mut b, mut c, mut d, mut e) = (long(), long(), long(), long(), long());
                form!(offloaded, rows(&mut a, n, n, by));
                form!(offloaded, strided(&mut b, n, by));
                form!(offloaded, shifted(&mut c, n, by.min(n + 3)));
                form!(offloaded, product(&a, &b, &mut d, n, n, by, n + 1));
                form!(offloaded, product(&a, &b, &mut d, n, n, n, by));
                let last = form!(offloaded, signed(&mut e, n as i64, by as i64 - n as i64 / 2));
                all.extend(all!(a, b, c, d, e, [last]));
            }
            all
        },
        &[0, 1, 2, 7, 20, 33],
    );
}
