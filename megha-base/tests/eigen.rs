//! Eigenvalues and eigenvectors against what defines them: A v = v d, columns of length one, and pairs that are conjugate.

use megha_base::dense::{Plain, eigenvalues, eigenvectors, pair_eigenvalues, pair_eigenvectors};

/// Numbers from -1 to 1 that look random.
fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn norm(a: &[f64]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn matrix(n: usize, element: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..n * n).map(|at| element(at % n, at / n)).collect()
}

/// Matrices of all kinds of eigenvalues.
fn matrices(n: usize) -> Vec<Vec<f64>> {
    let (a, b) = (random(n * n, n as u64), random(n * n, 77 + n as u64));
    let one_if = |condition: bool| f64::from(condition);
    vec![
        a.clone(),
        matrix(n, |i, j| a[i + j * n] + a[j + i * n]),
        matrix(n, |i, j| if i <= j { a[i + j * n] } else { 0.0 }),
        matrix(n, |i, j| if i >= j { a[i + j * n] } else { 0.0 }),
        matrix(n, |i, j| if b[i + j * n] > 0.5 { a[i + j * n] } else { 0.0 }),
        matrix(n, |i, j| if i == 0 { a[j] } else { one_if(i == j + 1) }),
        matrix(n, |i, j| if i == j { 2.0 } else { one_if(j == i + 1) }),
        matrix(n, |i, j| one_if(j == i + 1)),
        matrix(n, |i, j| one_if((i + 1) % n == j)),
        matrix(n, |i, j| one_if(i == j)),
        matrix(n, |i, j| a[i + j * n] - a[j + i * n]),
        vec![1.0; n * n],
        vec![0.0; n * n],
        a.iter().map(|x| x * 1e-250).collect(),
        a.iter().map(|x| x * 1e250).collect(),
    ]
}

/// The largest part of A v - v d, relative to A; checks the lengths.
fn residual(a: &[f64], n: usize, found: &[f64]) -> f64 {
    let (vectors, values) = found.split_at(2 * n * n);
    let (x, y) = vectors.split_at(n * n);
    let (re, im) = values.split_at(n);
    let size = a.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let unit = if size == 0.0 { 1.0 } else { size };
    let mut worst = 0.0_f64;
    for j in 0..n {
        let (x, y) = (&x[j * n..(j + 1) * n], &y[j * n..(j + 1) * n]);
        assert!((norm(x).hypot(norm(y)) - 1.0).abs() < 1e-14, "length of vector {j} of {n}");
        for i in 0..n {
            let times = |v: &[f64]| (0..n).map(|k| a[i + k * n] / unit * v[k]).sum::<f64>();
            let (p, q) = (re[j] / unit, im[j] / unit);
            worst = worst.max((times(x) - (p * x[i] - q * y[i])).abs());
            worst = worst.max((times(y) - (p * y[i] + q * x[i])).abs());
        }
    }
    worst
}

#[test]
fn vectors_belong_to_their_values() {
    for n in [1, 2, 3, 4, 5, 8, 13, 30, 61] {
        for (kind, a) in matrices(n).into_iter().enumerate() {
            let found = eigenvectors(&a, n, &Plain).unwrap();
            let worst = residual(&a, n, &found);
            assert!(worst < 4.0 * f64::EPSILON * (n as f64 + 4.0), "kind {kind} of order {n}: {worst:e}");
            let (vectors, values) = found.split_at(2 * n * n);
            for j in (0..n).filter(|j| values[n + j] > 0.0) {
                assert_eq!((values[j], values[n + j]), (values[j + 1], -values[n + j + 1]));
                let at = |column: usize| n * n + column * n..n * n + (column + 1) * n;
                assert!(vectors[at(j)].iter().zip(&vectors[at(j + 1)]).all(|(x, y)| *x == -*y));
                assert!(vectors[at(j)].contains(&0.0), "the largest element of a complex vector is real");
            }
        }
    }
    assert_eq!(eigenvectors(&[], 0, &Plain).unwrap(), []);
}

/// Values alone are those that come with vectors, in the same order.
#[test]
fn values_alone() {
    for n in [1, 2, 3, 6, 20, 61] {
        for (kind, a) in matrices(n).into_iter().enumerate() {
            let (alone, both) = (eigenvalues(&a, n, &Plain).unwrap(), eigenvectors(&a, n, &Plain).unwrap());
            let with = &both[2 * n * n..];
            let size = norm(with).max(f64::MIN_POSITIVE);
            // Those of matrices near a defective one are as far apart as a root of the rounding error.
            let near = alone.iter().zip(with).all(|(x, y)| (x - y).abs() < 1e-7 * size);
            assert!(near, "kind {kind} of order {n}: {alone:?} {with:?}");
        }
    }
    assert_eq!(eigenvalues(&[], 0, &Plain).unwrap(), []);
}

#[test]
fn numbers_that_are_none_do_not_loop() {
    for bad in [f64::NAN, f64::INFINITY] {
        for n in [1, 2, 3, 7] {
            let mut a = random(n * n, 5);
            a[n * n - 1] = bad;
            drop(eigenvalues(&a, n, &Plain));
            drop(eigenvectors(&a, n, &Plain));
        }
    }
}

/// B x for columns x.
fn times(b: &[f64], x: &[f64], n: usize) -> Vec<f64> {
    (0..n * n).map(|at| (0..n).map(|k| b[at % n + k * n] * x[at / n * n + k]).sum()).collect()
}

#[test]
fn vectors_of_pairs_belong_to_their_values() {
    for n in [1, 2, 3, 4, 5, 9, 20, 41] {
        let factor = random(n * n, 3);
        let definite =
            matrix(n, |i, j| (0..n).map(|k| factor[k + i * n] * factor[k + j * n]).sum::<f64>() + f64::from(i == j));
        for (kind, a) in matrices(n).into_iter().take(12).enumerate() {
            for b in [random(n * n, 1000 + n as u64), definite.clone()] {
                let found = pair_eigenvectors(&a, &b, n, &Plain).unwrap();
                let (vectors, values) = found.split_at(2 * n * n);
                let (re, im) = values.split_at(n);
                let (x, y) = vectors.split_at(n * n);
                let products = [times(&a, x, n), times(&a, y, n), times(&b, x, n), times(&b, y, n)];
                for j in 0..n {
                    let [ax, ay, bx, by] = products.each_ref().map(|product| &product[j * n..(j + 1) * n]);
                    // Relative to both sides, since eigenvalues may be large.
                    let size = (norm(&a) + re[j].hypot(im[j]) * norm(&b))
                        * norm(&x[j * n..(j + 1) * n]).hypot(norm(&y[j * n..(j + 1) * n]));
                    for i in 0..n {
                        let real = ax[i] - (re[j] * bx[i] - im[j] * by[i]);
                        let imaginary = ay[i] - (re[j] * by[i] + im[j] * bx[i]);
                        let worst = real.abs().max(imaginary.abs());
                        assert!(worst <= 1e-14 * size, "kind {kind} of order {n}: {worst:e} of {size:e}");
                    }
                }
                let alone = pair_eigenvalues(&a, &b, n, &Plain).unwrap();
                assert_eq!(alone.len(), 2 * n);
            }
        }
    }
    assert_eq!(pair_eigenvectors(&[], &[], 0, &Plain).unwrap(), []);
    // Where B has a row of zeros there is an infinite eigenvalue, and with one of A too one that is no number.
    assert_eq!(pair_eigenvalues(&[2.0, 0.0, 0.0, 1.0], &[1.0, 0.0, 0.0, 0.0], 2, &Plain).unwrap()[1], f64::INFINITY);
    assert!(pair_eigenvalues(&[2.0, 0.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0], 2, &Plain).unwrap()[1].is_nan());
}
