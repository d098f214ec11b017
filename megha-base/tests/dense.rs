//! Factorisations against what defines them: residuals relative to the matrices, on all shapes around the sizes of blocks.

use megha_base::dense::{
    self, Plain, cholesky, factor, reflect, row_order, singular_values, solve, symmetric_eigenvalues, zero_pivot,
};

/// Rounding errors of a factorisation of order n, at most.
fn tolerance(n: usize) -> f64 {
    4.0 * f64::EPSILON * (n as f64 + 4.0)
}

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

/// The product of an m-by-p and a p-by-n matrix.
fn product(a: &[f64], b: &[f64], [m, p, n]: [usize; 3]) -> Vec<f64> {
    let element = |i: usize, j: usize| (0..p).map(|k| a[k * m + i] * b[j * p + k]).sum();
    (0..n).flat_map(|j| (0..m).map(move |i| (i, j))).map(|(i, j)| element(i, j)).collect()
}

fn transposed(a: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    (0..rows).flat_map(|i| (0..columns).map(move |j| a[j * rows + i])).collect()
}

fn norm(a: &[f64]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
}

fn identity(n: usize) -> Vec<f64> {
    (0..n * n).map(|at| f64::from(at % (n + 1) == 0)).collect()
}

fn orthogonal(blocks: &[dense::Block], rows: usize, columns: usize) -> Vec<f64> {
    let mut q = vec![f64::NAN; rows * columns];
    dense::orthogonal(blocks, rows, &mut q, &Plain);
    q
}

fn least_squares(a: &[f64], b: &[f64], [rows, columns]: [usize; 2]) -> Vec<f64> {
    let mut x = vec![f64::NAN; columns * (b.len() / rows)];
    dense::least_squares(&mut a.to_vec(), &mut b.to_vec(), rows, &mut x, &Plain);
    x
}

const SHAPES: [[usize; 2]; 21] = [
    [1, 1],
    [1, 5],
    [5, 1],
    [3, 3],
    [8, 8],
    [13, 7],
    [7, 13],
    [63, 63],
    [64, 64],
    [65, 65],
    [63, 90],
    [70, 64],
    [64, 70],
    [75, 90],
    [90, 75],
    [97, 97],
    [100, 33],
    [33, 100],
    [131, 131],
    [160, 128],
    [128, 170],
];

#[test]
fn lu_gives_the_matrix_back_with_its_rows_in_order() {
    for [m, n] in SHAPES {
        let a = random(m * n, (m * 1000 + n) as u64);
        let mut f = a.clone();
        let order = row_order(&factor(&mut f, m, &Plain), m);
        let k = m.min(n);
        let l: Vec<f64> = (0..k * m)
            .map(|at| (at % m, at / m))
            .map(|(i, j)| if i > j { f[j * m + i] } else { f64::from(i == j) })
            .collect();
        let u: Vec<f64> =
            (0..k * n).map(|at| (at % k, at / k)).map(|(i, j)| if i <= j { f[j * m + i] } else { 0.0 }).collect();
        assert!(l.iter().all(|l| l.abs() <= 1.0), "{m} by {n}: a pivot is not the largest");
        let permuted: Vec<f64> =
            (0..n).flat_map(|j| order.iter().map(move |&i| (i, j))).map(|(i, j)| a[j * m + i]).collect();
        let error = distance(&product(&l, &u, [m, k, n]), &permuted) / norm(&a);
        assert!(error < tolerance(k), "{m} by {n}: {error:e}");
    }
}

#[test]
fn systems_and_inverses() {
    for n in [1, 2, 3, 7, 8, 9, 31, 63, 64, 65, 95, 96, 130] {
        let a = random(n * n, n as u64);
        let mut f = a.clone();
        let order = row_order(&factor(&mut f, n, &Plain), n);
        assert_eq!(zero_pivot(&f, n), None);
        for sides in [0, 1, 3, 4, 5, 8, 21] {
            let b = random(n * sides, 77);
            let mut x = b.clone();
            solve(&f, &order, &mut x, &Plain);
            let error = distance(&product(&a, &x, [n, n, sides]), &b) / (norm(&a) * norm(&x)).max(1.0);
            assert!(error < tolerance(n), "order {n}, {sides} sides: {error:e}");
        }
        let mut inverse = vec![f64::NAN; n * n];
        dense::inverse(&f, &order, &mut inverse, &Plain);
        let error = distance(&product(&a, &inverse, [n, n, n]), &identity(n)) / (norm(&a) * norm(&inverse));
        assert!(error < tolerance(n), "order {n}: {error:e}");
    }
}

#[test]
fn singular_matrices_have_a_zero_pivot() {
    for n in [1, 2, 40, 64, 100] {
        let mut a = random(n * n, 3);
        a[(n - 1) * n..].fill(0.0);
        let mut f = a.clone();
        factor(&mut f, n, &Plain);
        assert_eq!(zero_pivot(&f, n), Some(n - 1));
    }
    let mut ones = vec![1.0; 100 * 100];
    factor(&mut ones, 100, &Plain);
    assert_eq!(zero_pivot(&ones, 100), Some(1));
}

#[test]
fn a_nan_is_a_pivot_before_zeros() {
    let mut a = vec![0.0, f64::NAN, 0.0, 1.0];
    assert_eq!(factor(&mut a, 2, &Plain), [1, 1]);
}

#[test]
fn cholesky_gives_the_matrix_back() {
    for n in [1, 2, 5, 31, 63, 64, 65, 96, 101, 130] {
        let half = random(n * n, n as u64);
        let mut a = product(&transposed(&half, n, n), &half, [n, n, n]);
        (0..n).for_each(|i| a[i * n + i] += 0.1);
        let mut r = a.clone();
        cholesky(&mut r, n, &Plain);
        assert!((0..n * n).all(|at| at % n <= at / n || r[at] == 0.0), "order {n}: not a triangle");
        let error = distance(&product(&transposed(&r, n, n), &r, [n, n, n]), &a) / norm(&a);
        assert!(error < tolerance(n), "order {n}: {error:e}");
    }
}

/// What is found to be negative is where the diagonal is zero; the factor before it is that of the leading square.
#[test]
fn cholesky_stops_where_a_matrix_is_not_positive() {
    for n in [3, 70, 130] {
        for at in [0, 2, 40, 64, 69, 129] {
            let mut a = identity(n);
            (1..n).for_each(|j| a[j * n + j - 1] = 0.25);
            if at >= n {
                continue;
            }
            let mut whole = a.clone();
            cholesky(&mut whole, n, &Plain);
            for bad in [-1.0, 0.0, f64::NAN] {
                let mut r = a.clone();
                r[at * n + at] = bad;
                cholesky(&mut r, n, &Plain);
                let zero = (0..n).position(|k| r[k * n + k] == 0.0);
                assert_eq!(zero, Some(at), "order {n}, {bad}");
                assert!(r[..at * n] == whole[..at * n] && r[at * n..].iter().all(|x| *x == 0.0), "order {n} at {at}");
            }
        }
    }
}

#[test]
fn qr_gives_the_matrix_back_and_q_is_orthogonal() {
    for [m, n] in SHAPES {
        let a = random(m * n, (m + 1000 * n) as u64);
        let mut r = a.clone();
        let blocks = reflect(&mut r, m, &Plain);
        assert!((0..m * n).all(|at| at % m <= at / m || r[at] == 0.0), "{m} by {n}: not a triangle");
        for k in [m, m.min(n)] {
            let q = orthogonal(&blocks, m, k);
            let error = distance(&product(&transposed(&q, m, k), &q, [k, m, k]), &identity(k)) / (k as f64).sqrt();
            assert!(error < tolerance(m), "{m} by {n}, {k} columns: {error:e}");
            let top: Vec<f64> = r.chunks_exact(m).flat_map(|column| &column[..k]).copied().collect();
            let error = distance(&product(&q, &top, [m, k, n]), &a) / norm(&a);
            assert!(error < tolerance(m), "{m} by {n}, {k} columns: {error:e}");
        }
    }
}

/// LAPACK's signs: the diagonal of R is of the other sign than what was there, or that of a column with nothing below.
#[test]
fn signs_are_those_of_lapack() {
    let mut a = vec![0.0, 1.0, 1.0, 0.0];
    let blocks = reflect(&mut a, 2, &Plain);
    assert_eq!(a, [-1.0, 0.0, 0.0, -1.0]);
    assert_eq!(orthogonal(&blocks, 2, 2), [0.0, -1.0, -1.0, 0.0].map(|x: f64| if x == 0.0 { 0.0 } else { x }));
    let mut a = vec![-2.0, 0.0, 1.0, -3.0];
    reflect(&mut a, 2, &Plain);
    assert_eq!(a, [-2.0, 0.0, 1.0, -3.0]);
}

#[test]
fn lengths_neither_overflow_nor_vanish() {
    for scale in [1e200, 1e-200, 1e-310] {
        let mut a = vec![3.0 * scale, 4.0 * scale];
        reflect(&mut a, 2, &Plain);
        assert!((a[0] / scale + 5.0).abs() < 1e-10, "{a:?}");
    }
}

/// The residual is orthogonal to the columns, and the solution to what the matrix maps to zero.
#[test]
fn least_squares_are_shortest_and_so_are_solutions() {
    for [m, n] in SHAPES.into_iter().filter(|[m, n]| m != n) {
        for rank in [m.min(n), m.min(n).div_ceil(2)] {
            let a = product(&random(m * rank, 5), &random(rank * n, 6), [m, rank, n]);
            let b = random(m * 3, 7);
            let x = least_squares(&a, &b, [m, n]);
            let residual: Vec<f64> = product(&a, &x, [m, n, 3]).iter().zip(&b).map(|(ax, b)| ax - b).collect();
            let gradient = product(&transposed(&a, m, n), &residual, [n, m, 3]);
            let scale = norm(&a) * (norm(&a) * norm(&x) + norm(&b));
            assert!(
                norm(&gradient) < 20.0 * tolerance(m + n) * scale,
                "{m} by {n} of rank {rank}: {:e}",
                norm(&gradient) / scale
            );
            // Orthogonal to the kernel: in the space of the rows, which their least squares reach.
            let rows = transposed(&a, m, n);
            let y = least_squares(&rows, &x, [n, m]);
            let error = distance(&product(&rows, &y, [n, m, 3]), &x) / norm(&x);
            assert!(error < 1e-9, "{m} by {n} of rank {rank}: {error:e}");
        }
    }
}

#[test]
fn nothing_is_factored_to_nothing() {
    assert!(factor(&mut [], 0, &Plain).is_empty() && factor(&mut [], 3, &Plain).is_empty());
    cholesky(&mut [], 0, &Plain);
    assert!(reflect(&mut [], 0, &Plain).is_empty());
    let blocks = reflect(&mut [], 2, &Plain);
    assert_eq!(orthogonal(&blocks, 2, 2), identity(2));
    solve(&[], &[], &mut [], &Plain);
    dense::inverse(&[], &[], &mut [], &Plain);
    dense::least_squares(&mut [], &mut [], 0, &mut [], &Plain);
    let mut x = [1.0, 1.0];
    dense::least_squares(&mut [], &mut [], 0, &mut x, &Plain);
    assert_eq!(x, [0.0, 0.0]);
    assert_eq!(least_squares(&[], &[1.0, 2.0], [2, 0]), [] as [f64; 0]);
}

/// A symmetric matrix with these eigenvalues, by reflections.
fn with_eigenvalues(values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let mut r = random(n * n, n as u64);
    let q = orthogonal(&reflect(&mut r, n, &Plain), n, n);
    let scaled: Vec<f64> = (0..n * n).map(|at| q[at] * values[at / n]).collect();
    let a = product(&scaled, &transposed(&q, n, n), [n, n, n]);
    (0..n * n).map(|at| (a[at] + a[at % n * n + at / n]) / 2.0).collect()
}

fn near(found: &[f64], want: &[f64]) -> f64 {
    let size = want.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
    found.iter().zip(want).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / size
}

#[test]
fn eigenvalues_of_symmetric_matrices() {
    for n in [1, 2, 3, 4, 9, 17, 18, 33, 64, 100] {
        let spectra: [Vec<f64>; 6] = [
            random(n, 9),
            (0..n).map(|i| i as f64 - (n / 2) as f64).collect(),
            vec![1.0; n],
            vec![0.0; n],
            (0..n).map(|i| 10f64.powi(-(i as i32 % 30))).collect(),
            (0..n).map(|i| if i % 3 == 0 { 1.0 + 1e-15 * i as f64 } else { -1.0 }).collect(),
        ];
        for mut want in spectra {
            let a = with_eigenvalues(&want);
            want.sort_by(f64::total_cmp);
            let mut lower = a.clone();
            (0..n).for_each(|j| lower[j * n..j * n + j].fill(f64::NAN));
            let found = symmetric_eigenvalues(&mut lower, n, &Plain).unwrap();
            assert!(
                found.is_sorted() && near(&found, &want) < 10.0 * tolerance(n),
                "order {n}: {:e}",
                near(&found, &want)
            );
        }
    }
    assert_eq!(symmetric_eigenvalues(&mut [], 0, &Plain).unwrap(), []);
    for [a, b, c] in [[0.0, 1.0, 0.0], [2.0, 1.0, 2.0], [1.0, 0.0, -1.0]] {
        let found = symmetric_eigenvalues(&mut [a, b, b, c], 2, &Plain).unwrap();
        assert!(
            near(&found, &[(a + c) / 2.0 - (a - c).hypot(2.0 * b) / 2.0, (a + c) / 2.0 + (a - c).hypot(2.0 * b) / 2.0])
                < 1e-15
        );
    }
    // Tridiagonal with zeros on the diagonal: plus and minus in pairs.
    for n in [3, 8, 51] {
        let mut a = vec![0.0; n * n];
        (1..n).for_each(|i| a[(i - 1) * n + i] = 1.0);
        let want: Vec<f64> =
            (0..n).map(|k| 2.0 * (std::f64::consts::PI * (n - k) as f64 / (n + 1) as f64).cos()).collect();
        assert!(near(&symmetric_eigenvalues(&mut a, n, &Plain).unwrap(), &want) < tolerance(n));
    }
}

/// The singular values, all of U and all of V.
fn decomposition(a: &[f64], [m, n]: [usize; 2]) -> [Vec<f64>; 3] {
    let count = m.min(n);
    let mut out = vec![f64::INFINITY; count + m * m + n * n];
    singular_values(a, [m, n], &mut out, &Plain);
    let v = out.split_off(count + m * m);
    let u = out.split_off(count);
    [out, u, v]
}

#[test]
fn singular_values_and_vectors() {
    for [m, n] in SHAPES {
        let k = m.min(n);
        let spectra: [Vec<f64>; 4] = [
            random(k, 4),
            vec![2.0; k],
            (0..k).map(|i| if i % 2 == 0 { 0.0 } else { i as f64 }).collect(),
            (0..k).map(|i| 10f64.powi(-(i as i32 % 20))).collect(),
        ];
        let all = if m * n < 8000 { 4 } else { 1 };
        for mut want in spectra.into_iter().take(all) {
            let (mut left, mut right) = (random(m * k, 1), random(n * k, 2));
            let u = orthogonal(&reflect(&mut left, m, &Plain), m, k);
            let v = orthogonal(&reflect(&mut right, n, &Plain), n, k);
            let scaled: Vec<f64> = (0..m * k).map(|at| u[at] * want[at / m]).collect();
            let a = product(&scaled, &transposed(&v, n, k), [m, k, n]);
            want.iter_mut().for_each(|x| *x = x.abs());
            want.sort_by(|a, b| b.total_cmp(a));
            let [values, u, v] = decomposition(&a, [m, n]);
            assert!(near(&values, &want) < 10.0 * tolerance(m.max(n)), "{m} by {n}: {:e}", near(&values, &want));
            for (q, n) in [(&u, m), (&v, n)] {
                let error = distance(&product(&transposed(q, n, n), q, [n, n, n]), &identity(n));
                assert!(error < 10.0 * tolerance(n), "{m} by {n}: {error:e}");
            }
            let scaled: Vec<f64> = (0..m * k).map(|at| u[at] * values[at / m]).collect();
            let error = distance(&product(&scaled, &transposed(&v[..n * k], n, k), [m, k, n]), &a);
            assert!(error <= 10.0 * tolerance(m.max(n)) * norm(&a), "{m} by {n}: {error:e}");
            parts_are_the_same(&a, [m, n], &[values, u, v]);
        }
    }
}

/// With fewer vectors the results are those with all; values without vectors come by other steps.
fn parts_are_the_same(a: &[f64], [m, n]: [usize; 2], [values, u, v]: &[Vec<f64>; 3]) {
    let k = m.min(n);
    let mut out = vec![f64::NAN; k];
    singular_values(a, [m, n], &mut out, &Plain);
    assert!(near(&out, values) < 10.0 * tolerance(m.max(n)), "{m} by {n}: {:e}", near(&out, values));
    let mut out = vec![f64::NAN; k * (1 + m + n)];
    singular_values(a, [m, n], &mut out, &Plain);
    assert_eq!(&out[..k], values, "{m} by {n}");
    let error = distance(&out[k..k + k * m], &u[..k * m]).max(distance(&out[k + k * m..], &v[..k * n]));
    assert!(error < tolerance(m.max(n)), "{m} by {n}: {error:e}");
}

#[test]
fn small_singular_values_of_bidiagonal_matrices_have_all_digits() {
    // Falling, rising, with rows that nothing connects with others, and with zeros.
    let graded = |i: usize| 10f64.powi(-3 * i as i32);
    for name in ["falling", "rising", "in the middle", "equal"] {
        let diagonal = |i: usize| match name {
            "falling" => graded(i),
            "rising" => graded(11 - i),
            "in the middle" => graded(i.abs_diff(5)),
            _ => 1.0,
        };
        for apart in [0, 4, 7] {
            let n = 12;
            let mut a = vec![0.0; n * n];
            (0..n).for_each(|i| a[i * n + i] = diagonal(i));
            (1..n).filter(|&i| i != apart).for_each(|i| a[i * n + i - 1] = 0.7 * diagonal(i - 1));
            let mut values = vec![0.0; n];
            singular_values(&a, [n, n], &mut values, &Plain);
            let [wanted, ..] = decomposition(&a, [n, n]);
            let error = values.iter().zip(&wanted).map(|(x, y)| (x / y - 1.0).abs()).fold(0.0, f64::max);
            assert!(error < 1e-13, "{name}, apart at {apart}: {error:e}");
            // The product of all values is that of the diagonal.
            let product: f64 = values.iter().zip(0..n).map(|(x, i)| x / diagonal(i)).product();
            assert!((product - 1.0).abs() < 1e-13, "{name}, apart at {apart}: {product}");
        }
    }
    let mut zeros = vec![0.0; 16];
    (1..4).for_each(|i| zeros[i * 4 + i - 1] = graded(i));
    let mut values = vec![f64::NAN; 4];
    singular_values(&zeros, [4, 4], &mut values, &Plain);
    assert!(near(&values[..3], &[graded(1), graded(2), graded(3)]) < 1e-20 && values[3] == 0.0, "{values:?}");
}

#[test]
fn special_singular_value_decompositions() {
    // Nothing to do: no sign changes, and equal values keep their order.
    assert_eq!(decomposition(&identity(3), [3, 3]), [vec![1.0; 3], identity(3), identity(3)]);
    let signs = [-2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0];
    let turned = vec![0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let kept = vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    assert_eq!(decomposition(&signs, [3, 3]), [vec![3.0, 2.0, 0.0], kept, turned]);
    assert_eq!(decomposition(&[-3.0], [1, 1]), [vec![3.0], vec![1.0], vec![-1.0]]);
    assert_eq!(decomposition(&[], [0, 2]), [vec![], vec![], identity(2)]);
    assert_eq!(decomposition(&[0.0; 6], [2, 3]), [vec![0.0; 2], identity(2), identity(3)]);
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(decomposition(&[1.0, bad, 2.0, 3.0], [2, 2]).iter().flatten().all(|x| x.is_nan()));
    }
    // Neither overflow nor underflow, and the vectors do not depend on the scale.
    let a = random(20, 9);
    let [values, u, v] = decomposition(&a, [5, 4]);
    for scale in [2f64.powi(1000), 2f64.powi(-1000)] {
        let scaled: Vec<f64> = a.iter().map(|a| a * scale).collect();
        let wanted = [values.iter().map(|x| x * scale).collect(), u.clone(), v.clone()];
        assert_eq!(decomposition(&scaled, [5, 4]), wanted);
    }
}
