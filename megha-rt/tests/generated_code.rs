//! The code that the compiler generates, run on arrays of every order and size and compared with plain loops.

#[allow(unsafe_code, missing_docs, reason = "as generated code does: it calls unchecked accessors")]
mod generated;

use generated::{bscholes, control, fdtd, math, matmul, sums};
use megha_rt as rt;
use ndarray::{Array1, Array2, Array3};
use proptest::prelude::*;
use rt::{ColMajor, Input, Layout, RowMajor, Vector};

/// Reproducible values in (0, 1), different for each `seed`.
fn noise(len: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 + 1e-9
    };
    (0..len).map(|_| next()).collect()
}

fn matrix(m: usize, n: usize, seed: u64) -> Array2<f64> {
    Array2::from_shape_vec((m, n), noise(m * n, seed)).unwrap()
}

/// Runs `f` in pools of 1, 2 and 4 threads and with each instruction set of this machine; the results must be equal; returns one.
fn on_all_pools<R: PartialEq + std::fmt::Debug + Send>(f: impl Fn() -> R + Sync) -> R {
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(&f);
    let one = on(1);
    for level in rt::Level::available() {
        level.limit();
        assert_eq!(one, on(2), "{level:?}");
        assert_eq!(one, on(4), "{level:?}");
    }
    one
}

#[test]
fn bscholes_equals_the_formula_to_the_bit() {
    let n = 20_011;
    let spot = Array1::from(noise(n, 1)) * 80.0 + 20.0;
    let strike = Array1::from(noise(n, 2)) * 80.0 + 20.0;
    let time = Array1::from(noise(n, 3)) * 3.0 + 0.05;
    let (call, put) = on_all_pools(|| bscholes::bscholes(&spot, strike.view(), 0.03, 0.2, &time).unwrap());
    for i in 0..n {
        let (s, x, t) = (spot[i], strike[i], time[i]);
        let root = 0.2 * t.sqrt();
        let d1 = (math::log(s / x) + (0.03 + 0.2 * 0.2 * 0.5) * t) / root;
        let cdf = |d: f64| {
            let v = d.abs();
            let k = 1.0 / (1.0 + 0.2316419 * v);
            let poly =
                k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
            let tail = 0.3989422804014327 * math::exp(-0.5 * v * v) * poly;
            if d > 0.0 { 1.0 - tail } else { tail }
        };
        let (n1, n2, paid) = (cdf(d1), cdf(d1 - root), x * math::exp(-0.03 * t));
        assert_eq!(call[[i, 0]], s * n1 - paid * n2);
        assert_eq!(put[[i, 0]], paid * (1.0 - n2) - s * (1.0 - n1));
    }
    let error = bscholes::bscholes(&spot, noise(3, 1), 0.03, 0.2, &time).unwrap_err().to_string();
    assert!(error.starts_with("argument `strike` is 3-by-1, but must be (n,1), which is 20011-by-1"), "{error}");
}

fn cavity<L: Layout>([nx, ny, nz]: [usize; 3]) -> fdtd::Fields<L> {
    let field = |shape: [usize; 3], seed| {
        let values = Array3::from_shape_vec(shape, noise(shape.iter().product(), seed)).unwrap();
        values.strided(Vector::Column).copy::<L>()
    };
    fdtd::Fields {
        ex: field([nx, ny + 1, nz + 1], 1),
        ey: field([nx + 1, ny, nz + 1], 2),
        ez: field([nx + 1, ny + 1, nz], 3),
        hx: field([nx + 1, ny, nz], 4),
        hy: field([nx, ny + 1, nz], 5),
        hz: field([nx, ny, nz + 1], 6),
    }
}

#[test]
fn fdtd_is_the_same_in_both_layouts_and_on_any_number_of_threads() {
    fn ran<L: Layout>(n: [usize; 3]) -> [Array3<f64>; 6] {
        let mut f = cavity::<L>(n);
        fdtd::steps(&mut f, n, 0.1, 0.2, 0.3, 3);
        [f.ex, f.ey, f.ez, f.hx, f.hy, f.hz].map(rt::Array::into_ndarray)
    }
    let n = [70, 40, 30];
    let columns = on_all_pools(|| ran::<ColMajor>(n));
    assert_eq!(columns, on_all_pools(|| ran::<RowMajor>(n)));
    // One point by hand: hx after the first update.
    let before = cavity::<ColMajor>(n);
    let mut after = cavity::<ColMajor>(n);
    fdtd::steps(&mut after, n, 0.1, 0.2, 0.3, 1);
    let run = rt::last_run().unwrap();
    assert_eq!((run.kernels, run.bytes_allocated), (6, 0), "in place: {run}");
    let at = |f: &rt::Array<ColMajor, f64, 3>, i: usize, j: usize, k: usize| {
        let site = rt::Site { path: "t", line: 1, column: 1, text: "f(i, j, k)" };
        f.view().get((i + 1, j + 1, k + 1), &site).unwrap()
    };
    let (ey, ez) = (&before.ey, &before.ez);
    let want =
        at(&before.hx, 3, 4, 5) + 0.3 * (at(ey, 3, 4, 6) - at(ey, 3, 4, 5)) - 0.2 * (at(ez, 3, 5, 5) - at(ez, 3, 4, 5));
    assert_eq!(at(&after.hx, 3, 4, 5), want);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn naive_matmul_equals_its_loops(m in 0usize..70, p in 0usize..20, n in 0usize..70) {
        let (a, b) = (matrix(m, p, 1), matrix(p, n, 2));
        let want = Array2::from_shape_fn((m, n), |(i, j)| {
            let mut s = 0.0;
            for k in 0..p {
                s += a[[i, k]] * b[[k, j]];
            }
            s
        });
        let columns = (a.strided(Vector::Column).pack::<ColMajor>(), b.strided(Vector::Column).pack::<ColMajor>());
        prop_assert_eq!(&matmul::matmul(columns.0.view(), columns.1.view()).unwrap().into_ndarray(), &want);
        let rows = (a.strided(Vector::Column).pack::<RowMajor>(), b.strided(Vector::Column).pack::<RowMajor>());
        prop_assert_eq!(&matmul::matmul(rows.0.view(), rows.1.view()).unwrap().into_ndarray(), &want);
    }

    #[test]
    fn reductions_equal_the_reference(m in 0usize..200, n in 0usize..100, tall in any::<bool>()) {
        let (m, n) = if tall { (m * 50, n / 30) } else { (m, n) };
        let (x, y) = (matrix(m, n, 1), matrix(m, n, 2));
        check_distance::<ColMajor>(&x, &y);
        check_distance::<RowMajor>(&x, &y);
        for dim in 0..2 {
            check_squares::<ColMajor>(&x, dim);
            check_squares::<RowMajor>(&x, dim);
        }
    }
}

/// The elements with columns first.
fn linear(x: &Array2<f64>) -> Vec<f64> {
    x.t().iter().copied().collect()
}

fn check_distance<L: Layout>(x: &Array2<f64>, y: &Array2<f64>) {
    use rt::reduce::{Max, Op, tree::reference};
    let d: Vec<f64> = linear(x).iter().zip(linear(y)).map(|(a, b)| a - b).collect();
    let s = reference(d.iter().map(|d| d * d), 0.0, |a, b| a + b);
    let m = reference(d.iter().map(|d| d.abs()), f64::NAN, <Max as Op<f64>>::combine);
    let (x, y) = (x.strided(Vector::Column).pack::<L>(), y.strided(Vector::Column).pack::<L>());
    let got = on_all_pools(|| {
        let (s, m) = sums::distance(x.view(), y.view());
        (s.to_bits(), m.to_bits())
    });
    assert_eq!(got, (s.to_bits(), m.to_bits()));
}

fn check_squares<L: Layout>(x: &Array2<f64>, dim: usize) {
    use rt::reduce::tree::reference;
    let want: Vec<f64> = x
        .lanes(ndarray::Axis(dim))
        .into_iter()
        .map(|lane| reference(lane.iter().map(|v| v * v), 0.0, |a, b| a + b))
        .collect();
    let packed = x.strided(Vector::Column).pack::<L>();
    let got = on_all_pools(|| sums::sum_squares(packed.view(), dim).as_slice().to_vec());
    assert_eq!(got, want);
}

#[test]
fn a_strided_sum_of_several_chunks() {
    let x = matrix(9000, 70, 5);
    check_squares::<RowMajor>(&x, 0);
    check_squares::<ColMajor>(&x.t().as_standard_layout().into_owned(), 1);
}

#[test]
fn host_control_code() {
    let y = control::steps([1.0, 7.0, 27.0]).unwrap();
    assert_eq!(y, ndarray::array![[0.0, 16.0, 111.0]]);
    let error = control::steps([3.0, 0.0]).unwrap_err();
    assert_eq!(error.to_string(), "element 2 is 0\n  in `error('collatz:order', ..)` at collatz.m:3:9");
}
