//! Arguments and results: any order and stride in, the same order out; what a call is reported to have done.

#[allow(unsafe_code, missing_docs, dead_code, reason = "as generated code does: it calls unchecked accessors")]
mod generated;

use megha_rt as rt;
use ndarray::{Array1, Array2, Array3, ArrayView2, Axis, ShapeBuilder, s};
use proptest::prelude::*;
use rt::{ColMajor, Input, Layout, Order, RowMajor, Site, StridedMut, Vector};

static SITE: Site = Site { path: "f.m", line: 2, column: 3, text: "y = x" };

fn numbered(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_fn((m, n), |(i, j)| (i * 1000 + j) as f64)
}

/// Views of one array with many strides.
fn views(x: &Array2<f64>) -> Vec<ArrayView2<'_, f64>> {
    let mut flipped = x.view();
    flipped.invert_axis(Axis(0));
    vec![x.view(), x.t(), x.slice(s![..;2, ..;-3]), x.slice(s![1.., ..1]), x.slice(s![..0, ..]), flipped]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn packing_keeps_the_elements(m in 1usize..80, n in 1usize..80, columns in any::<bool>()) {
        let mut x = numbered(m, n);
        if columns {
            let mut copy = Array2::zeros((m, n).f());
            copy.assign(&x);
            x = copy;
        }
        for view in views(&x) {
            prop_assert_eq!(view.strided(Vector::Column).pack::<RowMajor>().into_owned().into_ndarray(), view);
            prop_assert_eq!(view.strided(Vector::Column).pack::<ColMajor>().into_owned().into_ndarray(), view);
        }
    }

    #[test]
    fn three_dimensions_permute(a in 1usize..9, b in 1usize..40, c in 1usize..40) {
        let x = Array3::from_shape_fn((a, b, c), |(i, j, k)| (i * 10_000 + j * 100 + k) as f64);
        let packed = x.strided(Vector::Column).pack::<ColMajor>();
        let turned = packed.view().strided().permuted([2, 0, 1]).pack::<RowMajor>().into_owned().into_ndarray();
        prop_assert_eq!(turned, x.permuted_axes([2, 0, 1]));
    }

    #[test]
    fn reshape_counts_columns_first(m in 1usize..12, n in 1usize..12) {
        fn reshaped<L: Layout>(x: &Array2<f64>) -> Vec<f64> {
            let packed = x.strided(Vector::Column).pack::<L>();
            let row = packed.view().reshape([1, x.len()], &SITE).unwrap();
            row.view().as_slice().to_vec()
        }
        let x = numbered(m, n);
        let want: Vec<f64> = x.t().iter().copied().collect();
        prop_assert_eq!(reshaped::<ColMajor>(&x), want.clone());
        prop_assert_eq!(reshaped::<RowMajor>(&x), want);
    }
}

#[test]
fn dense_arguments_are_borrowed() {
    let rows = numbered(5, 7);
    let mut columns = Array2::zeros((5, 7).f());
    columns.assign(&rows);
    let vector = Array1::<f64>::zeros(9);
    let start = |view: rt::View<'_, ColMajor, f64, 2>| view.as_slice().as_ptr();
    assert_eq!(start(columns.strided(Vector::Column).pack().view()), columns.as_ptr());
    assert_ne!(start(rows.strided(Vector::Column).pack().view()), rows.as_ptr());
    assert_eq!(start(vector.strided(Vector::Row).pack().view()), vector.as_ptr());
    assert_eq!(vector.strided(Vector::Row).shape(), [1, 9]);
}

#[test]
fn the_order_of_an_argument() {
    let rows = numbered(3, 4);
    assert_eq!(rows.strided(Vector::Column).order(), Some(Order::RowMajor));
    assert_eq!(rows.t().strided(Vector::Column).order(), Some(Order::ColMajor));
    assert_eq!(rows.slice(s![.., ..1]).strided(Vector::Column).order(), None);
    let result = rt::Array::<ColMajor, f64, 2>::filled([3, 4], 1.0, &SITE).unwrap().into_ndarray();
    assert_eq!(result.strided(Vector::Column).order(), Some(Order::ColMajor));
}

#[test]
fn arguments_of_any_stride_are_written_in_place() {
    fn double<L: Layout>(mut x: Array2<f64>) {
        let before = x.clone();
        {
            let target = StridedMut::new(x.slice_mut(s![..;2, 1..]));
            target.with::<L, _>(|view, out| {
                let [m, n] = view.shape();
                for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    // SAFETY: within the shape; one thread; each element is read before it is written.
                    #[allow(unsafe_code, reason = "as generated code does")]
                    unsafe {
                        out.set([i, j], 2.0 * view.get_unchecked([i, j]))
                    };
                }
            });
        }
        for ((i, j), &value) in x.indexed_iter() {
            let factor = if i % 2 == 0 && j > 0 { 2.0 } else { 1.0 };
            assert_eq!(value, factor * before[[i, j]]);
        }
    }
    double::<ColMajor>(numbered(5, 4));
    double::<RowMajor>(numbered(5, 4));
    double::<RowMajor>(numbered(1, 4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Results arrive in arrays of any order and stride, of which nothing else changes.
    #[test]
    fn results_are_put_where_the_caller_has_them(
        shape in [1usize..40, 1usize..40, 1usize..12],
        axes in prop::sample::select(vec![[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1], [0, 2, 1], [1, 2, 0]]),
    ) {
        fn stored<L: Layout>(shape: [usize; 3], axes: [usize; 3]) -> (Array3<f64>, Array3<f64>) {
            let mut place = Array3::<f64>::zeros([2 * shape[axes[0]], shape[axes[1]] + 1, shape[axes[2]]]);
            let values = Array3::from_shape_fn(shape, |(i, j, k)| (1 + i * 10_000 + j * 100 + k) as f64);
            // Dimension `axes[d]` of the place's view is dimension `d` of its memory.
            let order: [usize; 3] = std::array::from_fn(|d| axes.iter().position(|axis| *axis == d).unwrap());
            let view = place.slice_mut(s![..;2, ..-1, ..;-1]).permuted_axes(order);
            StridedMut::new(view).take_back(values.strided(Vector::Column).copy::<L>());
            let found = place.slice(s![..;2, ..-1, ..;-1]).permuted_axes(order).to_owned();
            assert_eq!(place.sum(), values.sum());
            (values, found)
        }
        let (want, found) = stored::<ColMajor>(shape, axes);
        prop_assert_eq!(want, found);
        let (want, found) = stored::<RowMajor>(shape, axes);
        prop_assert_eq!(want, found);
    }
}

#[test]
fn growth_keeps_elements_and_fills_the_rest() {
    fn grown<L: Layout>() -> Array2<f64> {
        let mut x = rt::Array::<L, f64, 2>::filled([2, 2], 1.0, &SITE).unwrap();
        x.store((3, 4), 9.0, 0.0, &SITE).unwrap();
        x.store((1.0, 1.0), 5.0, 0.0, &SITE).unwrap();
        x.into_ndarray()
    }
    let mut y = rt::Array::<ColMajor, f64, 2>::filled([0, 0], 0.0, &SITE).unwrap();
    for i in 1..5000 {
        y.store((i,), i as f64, 0.0, &SITE).unwrap();
    }
    assert_eq!(y.shape(), [1, 4999]);
    assert!(y.as_slice().iter().enumerate().all(|(i, &v)| v == (i + 1) as f64));
    let want = ndarray::array![[5.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 9.0]];
    assert_eq!(grown::<ColMajor>(), want);
    assert_eq!(grown::<RowMajor>(), want);
    let mut x = rt::Array::<ColMajor, f64, 2>::filled([2, 2], 1.0, &SITE).unwrap();
    assert!(x.store((1e17, 1e17), 1.0, 0.0, &SITE).is_err());
    assert!(x.store((1e12, 1e12), 1.0, 0.0, &SITE).unwrap_err().to_string().contains("no memory"));
    assert_eq!(x.shape(), [2, 2]);
}

#[test]
fn a_call_reports_what_it_did() {
    let n = 100_000;
    let x = Array1::from_elem(n, 50.0);
    let (call, _) = generated::bscholes::bscholes(&x, &x, 0.03, 0.2, &x).unwrap();
    assert_eq!(call.dim(), (n, 1));
    let run = rt::last_run().unwrap();
    assert_eq!((run.function, run.kernels, run.points), ("bscholes", 1, n as u64));
    assert!((16 * n as u64..17 * n as u64).contains(&run.bytes_allocated), "{run}");
}
