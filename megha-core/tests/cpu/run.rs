//! The generated functions against plain loops.

use super::generated as g;
use megha_rt::reduce::{Max, Op, tree::reference};
use ndarray::{Array1, Array2, Array3, ShapeBuilder, array};

/// Reproducible values in (-1, 1).
fn noise(len: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..len).map(|_| next()).collect()
}

/// A matrix, rows first and columns first in memory.
fn matrices(m: usize, n: usize, seed: u64) -> [Array2<f64>; 2] {
    let rows = Array2::from_shape_vec((m, n), noise(m * n, seed)).unwrap();
    let mut columns = Array2::zeros((m, n).f());
    columns.assign(&rows);
    [rows, columns]
}

/// Runs `f` in pools of 1 and 3 threads, whose results must be equal, and returns one.
fn on_pools<R: PartialEq + std::fmt::Debug + Send>(f: impl Fn() -> R + Sync) -> R {
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(&f);
    let one = on(1);
    assert_eq!(one, on(3));
    one
}

const SIZES: [(usize, usize); 8] = [(0, 0), (0, 3), (3, 0), (1, 1), (1, 7), (130, 1), (5, 4), (300, 257)];

#[test]
fn element_wise_on_vectors() {
    for n in [0, 1, 7, 300_000] {
        let (x, y) = (Array1::from(noise(n, 1)), Array1::from(noise(n, 2)));
        let got = on_pools(|| g::saxpy(1.5, &x, &y).unwrap());
        assert_eq!(got.shape(), [n, 1]);
        assert!((0..n).all(|i| got[[i, 0]] == 1.5 * x[i] + y[i]));
    }
    let error = g::saxpy(1.0, vec![0.0; 3], vec![0.0; 4]).unwrap_err().to_string();
    assert!(error.starts_with("argument `y0` is 4-by-1, but must be (n,1)"), "{error}");
}

#[test]
fn a_host_loop_with_elements() {
    let x = g::fib(8.0).unwrap();
    assert_eq!(x.column(0).to_vec(), [1.0, 0.0, 1.0, 1.0, 2.0, 3.0, 5.0, 8.0]);
    for bad in [1.0, 2.5, 1001.0] {
        let error = g::fib(bad).unwrap_err().to_string();
        assert!(error.contains("must be a whole number from 2 to 1000"), "{error}");
    }
}

#[test]
fn broadcast_and_rows_sums_in_both_layouts() {
    for (n, m) in SIZES {
        let (v, w) = (Array1::from(noise(n, 5)), Array1::from(noise(m, 6)));
        for x in matrices(n, m, 3) {
            let got = on_pools(|| g::expand(&x, &v, &w).unwrap());
            assert_eq!(got, Array2::from_shape_fn((n, m), |(i, j)| x[[i, j]] + v[i] * w[j]));
            let (y, s) = on_pools(|| g::normal(&x).unwrap());
            assert_eq!(y, &x * &x);
            for i in 0..n {
                assert_eq!(s[[i, 0]], reference(y.row(i).iter().copied(), 0.0, |a, b| a + b));
            }
            assert_eq!(on_pools(|| g::transposed(&x).unwrap()), 2.0 * &x.t());
            let flat = on_pools(|| g::flatten(&x).unwrap());
            assert!(flat.iter().zip(x.t().iter()).all(|(a, b)| *a == 3.0 * b));
        }
    }
}

#[test]
fn reductions_of_a_matrix_count_columns_first() {
    for (n, m) in SIZES {
        for x in matrices(n, m, 4) {
            let (s, big) = on_pools(|| {
                let (s, big) = g::total(&x).unwrap();
                (s.to_bits(), big.to_bits())
            });
            let each = || x.t().iter().copied().collect::<Vec<f64>>();
            assert_eq!(s, reference(each(), 0.0, |a, b| a + b).to_bits());
            assert_eq!(big, reference(each(), f64::NAN, <Max as Op<f64>>::combine).to_bits());
        }
    }
}

#[test]
fn a_sequential_loop_in_a_kernel() {
    for (m, n) in SIZES {
        for p in [0, 1, 9] {
            for (a, b) in matrices(m, p, 1).iter().zip(&matrices(p, n, 2)) {
                let got = on_pools(|| g::matmul(a, b).unwrap());
                let want = Array2::from_shape_fn((m, n), |(i, j)| (0..p).fold(0.0, |s, k| s + a[[i, k]] * b[[k, j]]));
                assert_eq!(got, want);
            }
        }
    }
}

#[test]
fn updates_in_place_of_three_dimensions() {
    for (a, n, m) in [(1, 1, 1), (0, 2, 3), (70, 20, 9), (3, 1, 200)] {
        let h = Array3::from_shape_vec((a, n, m), noise(a * n * m, 1)).unwrap();
        let e = Array3::from_shape_vec((a, n + 1, m), noise(a * (n + 1) * m, 2)).unwrap();
        let mut want = h.clone();
        for _ in 0..3 {
            for ((i, j, k), x) in want.indexed_iter_mut() {
                *x += 0.5 * (e[[i, j + 1, k]] - e[[i, j, k]]);
            }
        }
        assert_eq!(on_pools(|| g::curl(&h, &e, 3.0).unwrap()), want);
        let (mut hf, mut ef) = (Array3::zeros(h.raw_dim().f()), Array3::zeros(e.raw_dim().f()));
        hf.assign(&h);
        ef.assign(&e);
        assert_eq!(on_pools(|| g::curl(&hf, &ef, 3.0).unwrap()), want);
        assert_eq!(g::curl(&hf, &ef, 0.0).unwrap(), h);
    }
}

#[test]
fn branches_and_loops_of_each_point() {
    let x = Array1::from(noise(1000, 9)) * 40.0;
    let got = on_pools(|| g::branches(&x).unwrap());
    for (x, y) in x.iter().zip(&got) {
        let mut want = if *x < 0.0 { (-x).sqrt() } else { *x };
        while want > 1.0 && *x >= 0.0 {
            want *= 0.5;
        }
        assert_eq!(*y, want);
    }
}

#[test]
fn the_first_failing_iteration_is_reported() {
    let x = Array1::from(noise(10, 1));
    let p = array![3.0, 1.0, 10.0];
    assert_eq!(g::gather(&x, &p).unwrap().column(0).to_vec(), [x[2], x[0], x[9]]);
    let mut long = Array1::from_elem(400_000, 1.0);
    long[399_999] = 0.5;
    long[200_000] = 11.0;
    let message = on_pools(|| g::gather(&x, &long).unwrap_err().to_string());
    assert!(message.starts_with("index outside x"), "{message}");
    long[100_000] = 0.5;
    let message = on_pools(|| g::gather(&x, &long).unwrap_err().to_string());
    assert!(message.contains("whole number"), "{message}");
}

#[test]
fn scalar_loops() {
    let x = matrices(6, 6, 1);
    let mut want = 0.0;
    for j in 0..6 {
        for i in 0..=j {
            want += x[0][[i, j]];
        }
    }
    assert_eq!((g::triangle(&x[0]), g::triangle(&x[1])), (Ok(want), Ok(want)));
    assert!((g::newton(2.0).unwrap() - 2f64.sqrt()).abs() < 1e-12);
    let error = g::newton(0.0).map_err(|e| e.to_string());
    assert_eq!(error, Ok(0.0));
}

#[test]
fn arrays_are_exchanged_and_kept() {
    let x = array![1.0, 2.0];
    assert_eq!(g::swap(&x, 0.0).unwrap(), (array![[1.0], [2.0]], array![[0.0], [0.0]]));
    assert_eq!(g::swap(&x, 1.0).unwrap(), (array![[7.0], [0.0]], array![[1.0], [2.0]]));
    assert_eq!(g::swap(&x, 3.0).unwrap(), (array![[7.0], [0.0]], array![[7.0], [2.0]]));
    assert_eq!(g::keep(&x).unwrap(), (array![[1.0], [2.0]], array![[2.0], [2.0]]));
    assert_eq!(x, array![1.0, 2.0]);
}

#[test]
fn operations_on_whole_arrays() {
    for x in matrices(3, 2, 1) {
        let (t, gathered, c, s, q, u, e) = g::wholes(&x, &array![2.0, 1.0, 2.0]).unwrap();
        assert_eq!(t, x.t());
        assert_eq!(gathered, x.select(ndarray::Axis(1), &[1, 0, 1]));
        assert_eq!(c.slice(ndarray::s![.., ..2]), x);
        assert_eq!(c.column(2).to_vec(), [1.0; 3]);
        assert_eq!(s, Array2::from_elem((3, 2), 5.0));
        assert!((&q - &x.dot(&x.t())).iter().all(|d| d.abs() < 1e-15));
        assert_eq!(u.row(0).to_vec(), x.sum_axis(ndarray::Axis(0)).to_vec());
        assert_eq!(e, Array2::<f64>::eye(3));
        let error = g::wholes(&x, &array![3.0]).unwrap_err().to_string();
        assert!(error.contains("index 3 is outside dimension 2"), "{error}");
    }
}

#[test]
fn a_long_body_is_cut_into_loops_over_tiles() {
    use megha_rt::math::{erf, exp, log};
    let n = 1001;
    let [s, x, t] = [1, 2, 3].map(|seed| Array1::from(noise(n, seed)).mapv(|u| 50.0 + 20.0 * u));
    let (call, put) = on_pools(|| g::prices(&s, &x, 0.01, 0.2, &t).unwrap());
    for i in 0..n {
        let (s, x, t) = (s[i], x[i], t[i]);
        let vrt = 0.2 * t.sqrt();
        let d1 = (log(s / x) + (0.01 + 0.5 * (0.2 * 0.2)) * t) / vrt;
        let cdf = |d: f64| 0.5 * (1.0 + erf(std::f64::consts::FRAC_1_SQRT_2 * d));
        let pv = x * exp(-0.01 * t);
        let want = s * cdf(d1) - pv * cdf(d1 - vrt);
        assert_eq!((call[[i, 0]], put[[i, 0]]), (want, want - s + pv));
    }
}

#[test]
fn reductions_along_one_dimension_of_three() {
    for (n, m, k) in [(1, 1, 1), (3, 0, 2), (0, 2, 2), (70, 5, 66), (2, 5000, 3), (1, 40, 2)] {
        let rows = Array3::from_shape_vec((n, m, k), noise(n * m * k, 8)).unwrap();
        let mut columns = Array3::zeros((n, m, k).f());
        columns.assign(&rows);
        for x in [rows, columns] {
            let (s, c) = on_pools(|| {
                let (s, c) = g::middle(&x).unwrap();
                (s, c.mapv(f64::to_bits))
            });
            for l in 0..k {
                for i in 0..n {
                    let each = (0..m).map(|j| x[[i, j, l]] * x[[i, j, l]]);
                    assert_eq!(s[[i, 0, l]], reference(each, 0.0, |a, b| a + b));
                }
                for j in 0..m {
                    let each = (0..n).map(|i| x[[i, j, l]]);
                    assert_eq!(c[[0, j, l]], reference(each, f64::NAN, <Max as Op<f64>>::combine).to_bits());
                }
            }
        }
    }
}

#[test]
fn sizes_of_loop_counters() {
    let (x, w) = (Array1::from(noise(20, 1)), Array1::from(noise(4, 2)));
    let y = g::window(&x, &w).unwrap();
    assert_eq!(y.shape(), [17, 1]);
    for s in 0..17 {
        assert_eq!(y[[s, 0]], (0..4).fold(0.0, |r, t| r + w[t] * x[s + 3 - t]));
    }
    assert_eq!(g::window(&w, &x).unwrap().shape(), [0, 1]);
}

#[test]
fn arrays_of_sizes_that_only_the_run_knows() {
    let v = Array1::from(noise(2000, 3));
    let kept: Vec<f64> = v.iter().copied().filter(|e| *e > 0.25).collect();
    let (y, s) = on_pools(|| g::select(&v, 0.25).unwrap());
    assert_eq!(y.row(0).to_vec(), kept.iter().map(|e| 2.0 * e).collect::<Vec<f64>>());
    assert_eq!(s, reference(kept, 0.0, |a, b| a + b));
    assert_eq!(g::select(&v, 2.0).unwrap().0.shape(), [1, 0]);
}

#[test]
fn rows_of_different_lengths_are_exchanged() {
    for steps in 0..7 {
        let (mut x, mut y) = (vec![1.0; 2], vec![2.0; 3]);
        for _ in 0..steps {
            let z = [x, y.clone()].concat();
            (x, y) = (y.iter().map(|e| e + 1.0).collect(), z);
        }
        let (gx, gy) = g::exchange(f64::from(steps)).unwrap();
        assert_eq!((gx.row(0).to_vec(), gy.row(0).to_vec()), (x, y));
    }
}

#[test]
fn a_matrix_grows_by_rows_and_by_a_dimension() {
    for (n, m) in [(0, 3), (1, 1), (1, 4), (5, 3), (4, 1)] {
        for x in matrices(n, m, 3) {
            let (y, z) = g::stack(&x).unwrap();
            assert_eq!(y, x);
            assert_eq!(z.shape(), [n, m, n + 2]);
            assert!(z.indexed_iter().all(|((i, j, k), e)| *e == if k == 0 { x[[i, j]] } else { 0.0 }));
        }
    }
}

#[test]
fn a_condition_reads_the_current_size() {
    let mut want = vec![7.0, 7.0];
    while want[want.len() - 1] != 1.0 {
        let v = want[want.len() - 1];
        want.push(if v % 2.0 == 0.0 { v / 2.0 } else { 3.0 * v + 1.0 });
    }
    let (x, steps) = g::chain(7.0, 1000.0).unwrap();
    assert_eq!((x.row(0).to_vec(), steps as usize), (want.clone(), want.len()));
    let (x, steps) = g::chain(7.0, 5.0).unwrap();
    assert_eq!((x.row(0).to_vec(), steps), (want[..5].to_vec(), 5));
    assert_eq!(g::chain(1.0, 5.0).unwrap().1, 2);
}

/// `schedules.txt`: other vector loops, tiles, parts and forms of reductions; the bits of the default schedules.
#[test]
fn schedules_written_by_hand_compute_the_same() {
    for (m, n) in SIZES {
        for p in [0, 1, 9] {
            for (a, b) in matrices(m, p, 1).iter().zip(&matrices(p, n, 2)) {
                let want = g::matmul(a, b).unwrap();
                assert_eq!(on_pools(|| g::matmul_in_points_of_8(a, b).unwrap()), want);
                assert_eq!(on_pools(|| g::matmul_in_steps(a, b).unwrap()), want);
                assert_eq!(on_pools(|| g::matmul_in_bands(a, b).unwrap()), want);
                assert_eq!(on_pools(|| g::matmul_in_panels_of_columns(a, b).unwrap()), want);
                assert_eq!(on_pools(|| g::matmul_across(a, b).unwrap()), want);
                assert_eq!(on_pools(|| g::matmul_point_by_point(a, b).unwrap()), want);
            }
        }
        let (v, w) = (Array1::from(noise(m, 5)), Array1::from(noise(n, 6)));
        for x in matrices(m, n, 3) {
            assert_eq!(on_pools(|| g::expand_across(&x, &v, &w).unwrap()), g::expand(&x, &v, &w).unwrap());
            assert_eq!(on_pools(|| g::normal_by_tiles(&x).unwrap()), g::normal(&x).unwrap());
        }
    }
    let x = Array3::from_shape_vec((7, 5000, 3), noise(7 * 5000 * 3, 1)).unwrap();
    let mut columns = Array3::zeros((7, 5000, 3).f());
    columns.assign(&x);
    for x in [x, columns] {
        assert_eq!(on_pools(|| g::middle_by_tiles(&x).unwrap().0), g::middle(&x).unwrap().0);
    }
    let [s, x, t] = [1, 2, 3].map(|seed| Array1::from(noise(1001, seed)).mapv(|u| 50.0 + 20.0 * u));
    let want = g::prices(&s, &x, 0.01, 0.2, &t).unwrap();
    assert_eq!(on_pools(|| g::prices_whole(&s, &x, 0.01, 0.2, &t).unwrap()), want);
    assert_eq!(on_pools(|| g::prices_in_short_parts(&s, &x, 0.01, 0.2, &t).unwrap()), want);
}

/// Sums over the elements below the diagonal: each row has as many iterations as it has.
#[test]
fn rows_of_a_triangle() {
    for [m, n] in [[0, 3], [1, 1], [6, 32], [7, 33], [40, 70], [300, 65]] {
        for (a, b) in matrices(m, m, 9).iter().zip(&matrices(m, n, 10)) {
            let below = |i: usize, j: usize| (i + 1..m).fold(0.0, |sum, k| sum + a[[k, i]] * b[[k, j]]);
            let want = Array2::from_shape_fn((m, n), |(i, j)| below(i, j));
            assert_eq!(on_pools(|| g::sums_below(a, b).unwrap()), want, "{m} by {n}, strides {:?}", a.strides());
        }
    }
}

/// The code is what the schedules say, and nothing else.
#[test]
fn the_code_follows_the_schedule() {
    let code = include_str!("generated.rs");
    let of = |name: &str| {
        let module = code.split(&format!("mod megha_{name} {{")).nth(1).unwrap();
        module.split("\nmod megha_").next().unwrap()
    };
    let steps = |name: &str, rows: u32, steps: u32| {
        of(name).contains(&format!("::<L, ROWS, {steps}>(")) && of(name).contains(&format!(".banded({rows})"))
    };
    assert!(steps("matmul_in_bands", 4, 4) && steps("matmul_in_steps", 3, 7) && steps("matmul_in_steps", 3, 2));
    let panels = |name: &str| of(name).matches("rt::panels::Panels::<f64>::new").count();
    assert_eq!((panels("matmul"), panels("matmul_in_panels_of_columns"), panels("matmul_in_bands")), (2, 1, 0));
    // rows of unequal lengths: sums of the loop for all rows are not in an array
    assert!(
        of("sums_below").contains("l_numbers.pack_some(")
            && of("sums_below").contains("let [mut ")
            && !of("matmul").contains("let [mut ")
    );
    let points = of("matmul_in_points_of_8");
    assert!(points.contains(".pieces(8)") && points.contains(".pieces(40)") && !points.contains("ROWS"));
    assert!(!of("matmul_point_by_point").contains("tile("));
    let loops = |name: &str| of(name).matches("for l in 0..len").count();
    assert_eq!((loops("prices"), loops("prices_whole")), (7, 1));
    assert!(loops("prices_in_short_parts") > 7, "{}", loops("prices_in_short_parts"));
    assert!(of("expand").contains("L::permute([rt::extent(n), rt::extent(m)])"));
    assert!(
        of("expand_across").contains("rt::Order::ColMajor => [rt::extent(n), rt::extent(m)], rt::Order::RowMajor => [")
    );
    let columns = |name: &str| {
        of(name).contains("rt::Order::ColMajor => rt::reduce::Space::new(rt::extent(n), rt::extent(m), 1)")
    };
    assert!(columns("normal_by_tiles") && !columns("normal"));
}
