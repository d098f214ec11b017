//! Filled arrays of which the program stores elements first: what is left out of the filling is told by nothing.
//!
//! Before each call the memory that its arrays are to get is full of NaN. The oracle is the reference interpreter, before the passes; `results_are_those_of_the_interpreter`
//! has been seen to fail where the run-time system filled nothing at all.

#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;

use std::path::Path;
use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::memory::{recycle, trim};
use megha_core::driver::{Job, compile};
use megha_core::interp::{FailureKind, Order};
use ndarray::{Array, Array2, ArrayD, ArrayView2, Dimension, IxDyn, ShapeBuilder};

/// What a program returns, as doubles.
type Results = megha::Result<Vec<ArrayD<f64>>>;

struct Program {
    name: &'static str,
    call: fn(ArrayView2<f64>, usize) -> Results,
}

/// Programs with their results; all take a matrix and a count.
macro_rules! programs {
    ($($name:ident in $file:tt: $($result:ident),*;)*) => {
        $(megha::matlab!(file $file);)*

        const PROGRAMS: &[Program] = &[$(Program { name: stringify!($name), call: |a, k| {
            #[allow(unused_parens, reason = "some have one result")]
            let ($($result),*) = $name(a, k)?;
            Ok(vec![$($result.doubles()),*])
        } }),*];
    };
}

programs! {
    backwards in "backwards.m": u, v;
    border in "border.m": u, v;
    classes in "classes.m": u, c;
    either in "either.m": u;
    perhaps in "perhaps.m": u, v, s;
    slices in "slices.m": u;
    steps in "steps.m": u;
    string in "string.m": u;
    table in "table.m": u;
}

/// A result as an array of doubles.
trait Doubles {
    fn doubles(self) -> ArrayD<f64>;
}

impl<T: Copy + Into<f64>, D: Dimension> Doubles for Array<T, D> {
    fn doubles(self) -> ArrayD<f64> {
        self.mapv(Into::into).into_dyn()
    }
}

impl Doubles for f64 {
    fn doubles(self) -> ArrayD<f64> {
        ArrayD::from_elem(IxDyn(&[1, 1]), self)
    }
}

fn argument([n, m]: [usize; 2], rows_first: bool) -> Array2<f64> {
    Array2::from_shape_fn((n, m).set_f(!rows_first), |(i, j)| ((i * 37 + j * 11) % 17) as f64 * 0.25 - 1.5)
}

/// Fills what is kept of memory for arrays about as large as these with NaN.
fn spoil([n, m]: [usize; 2], k: usize) {
    for len in [n * m, (n + 1) * (m + 1), (n + 1) * m, n * (m + k), n * m * (k + 1), (2 * n + k) * m] {
        (0..3).for_each(|_| recycle(ndarray::Array1::from_elem(len, f64::NAN)));
        (0..3).for_each(|_| recycle(ndarray::Array1::from_elem(len, f32::NAN)));
        (0..3).for_each(|_| recycle(ndarray::Array1::from_elem(len, i32::MIN)));
    }
}

/// Sizes at which loops have no iterations, one, and many; of the last ones the blocks of memory are those that are kept.
const SIZES: [[usize; 2]; 12] =
    [[0, 0], [0, 3], [1, 1], [1, 2], [2, 1], [2, 2], [3, 3], [2, 300], [300, 2], [3, 180], [33, 20], [64, 96]];

/// What the interpreter makes of a program before the passes; `None` if that is an error.
fn wanted(program: &Program, a: &Array2<f64>, k: usize) -> Option<Vec<ArrayD<f64>>> {
    let path = format!("{}/tests/filled/{}.m", env!("CARGO_MANIFEST_DIR"), program.name);
    let outcome = compile(Job::file(Path::new(&path)).unwrap());
    let k = ArrayD::from_elem(IxDyn(&[1, 1]), k as f64);
    let arguments = [a.view().into_dyn(), k.view()];
    let results = [(&outcome.lowered, Order::Forward), (&outcome.module, Order::Shuffled(3))]
        .map(|(module, order)| reference::interpret(module, &arguments, order, &mut std::io::sink()));
    let [before, after] = results.map(|results| match results {
        Ok(list) => Some(list.iter().map(|datum| reference::array(datum, 2)).collect::<Vec<_>>()),
        Err(failure) if matches!(failure.kind, FailureKind::Error(_)) => None,
        Err(failure) => panic!("{}: {failure}", program.name),
    });
    let same = match (&before, &after) {
        (Some(before), Some(after)) => before.iter().zip(after).all(|(before, after)| reference::equal(before, after)),
        (before, after) => before.is_none() && after.is_none(),
    };
    assert!(same, "{} before and after the passes", program.name);
    before
}

/// Whether results are those that are wanted; arrays without elements may differ in their sizes.
fn agree(got: &Results, wanted: &Option<Vec<ArrayD<f64>>>) -> bool {
    let sizes = |array: &ArrayD<f64>| array.shape().iter().copied().filter(|n| *n != 1).collect::<Vec<usize>>();
    let bits = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    let same = |(got, wanted): (&ArrayD<f64>, &ArrayD<f64>)| {
        got.is_empty() && wanted.is_empty() || sizes(got) == sizes(wanted) && got.iter().zip(wanted).all(bits)
    };
    match (got, wanted) {
        (Ok(got), Some(wanted)) => got.len() == wanted.len() && got.iter().zip(wanted).all(same),
        (got, wanted) => got.is_err() && wanted.is_none(),
    }
}

#[test]
fn results_are_those_of_the_interpreter() {
    let mut wrong = Vec::new();
    for (program, sizes) in PROGRAMS.iter().flat_map(|program| SIZES.map(|sizes| (program, sizes))) {
        for k in [0, 1, 2, 7] {
            let wanted = wanted(program, &argument(sizes, false), k);
            for rows_first in [false, true] {
                spoil(sizes, k);
                let got = (program.call)(argument(sizes, rows_first).view(), k);
                if !agree(&got, &wanted) {
                    wrong.push(format!("{} {sizes:?} {k}, rows first {rows_first}", program.name));
                }
            }
        }
    }
    trim();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where a device takes part arrays are filled as before: it has the same, and no byte more is moved than the results.
#[test]
fn a_device_has_the_same() {
    for (program, sizes) in PROGRAMS.iter().flat_map(|program| [[1, 2], [3, 3], [33, 20]].map(|sizes| (program, sizes)))
    {
        let wanted = wanted(program, &argument(sizes, false), 2);
        for (rows_first, placement) in
            [false, true].into_iter().flat_map(|r| [(r, Placement::Gpu), (r, Placement::Auto)])
        {
            spoil(sizes, 2);
            let device = Arc::new(SimDevice::new(SimDevice::standard()));
            let got = with(device.clone(), placement, || (program.call)(argument(sizes, rows_first).view(), 2));
            assert_eq!(device.mistakes(), [""; 0], "{}", program.name);
            assert!(agree(&got, &wanted), "{} {sizes:?}, rows first {rows_first}", program.name);
        }
    }
    trim();
}

/// Large enough that several threads fill what is left, and that the system's memory is taken as it is.
#[test]
fn large_arrays() {
    for (n, m) in [(700, 900), (2050, 2100)] {
        let a = argument([n, m], n == 700);
        spoil([n, m], 0);
        let u = border(&a, 1).unwrap().0;
        let is_border = |i: usize, j: usize| i == 0 || j == 0 || i == n - 1 || j == m - 1;
        for ((i, j), u) in u.indexed_iter() {
            assert!(if is_border(i, j) { u.is_nan() } else { *u == a[[i, j]] - a[[i - 1, j]] + 1.0 }, "{i} {j}");
        }
        let u = table(&a, 1).unwrap();
        assert!(u.iter().all(|x| x.is_finite()));
        assert_eq!((u[[n, 0]], u[[0, m]]), (n as f64, m as f64));
    }
    trim();
}

mod offloaded {
    use ndarray::{Array2, ArrayView2, ArrayViewMut2};

    #[megha::offload]
    pub fn running(a: ArrayView2<f64>, mut r: ArrayViewMut2<f64>) {
        let (n, m) = (a.nrows(), a.ncols());
        let mut u = Array2::<f64>::zeros((n, m));
        for i in 0..n {
            u[[i, 0]] = a[[i, 0]];
        }
        for j in 1..m {
            for i in 1..n {
                u[[i, j]] = u[[i - 1, j - 1]] * 0.5 + a[[i, j]];
            }
        }
        for i in 0..n {
            for j in 0..m {
                r[[i, j]] = u[[i, j]] - u[[n - 1 - i, m - 1 - j]];
            }
        }
    }
}

#[test]
fn arrays_of_rust_are_filled_likewise() {
    for [n, m] in [[1, 1], [2, 300], [300, 2], [33, 20], [64, 96]] {
        for rows_first in [false, true] {
            let a = argument([n, m], rows_first);
            spoil([n, m], 0);
            let mut r = Array2::zeros((n, m));
            offloaded::running(a.view(), r.view_mut());
            let mut wanted = Array2::<f64>::zeros((n, m));
            wanted.column_mut(0).assign(&a.column(0));
            for (i, j) in (1..m).flat_map(|j| (1..n).map(move |i| (i, j))) {
                wanted[[i, j]] = wanted[[i - 1, j - 1]] * 0.5 + a[[i, j]];
            }
            let wanted = Array2::from_shape_fn((n, m), |(i, j)| wanted[[i, j]] - wanted[[n - 1 - i, m - 1 - j]]);
            assert_eq!(r, wanted, "{n} {m}");
        }
    }
    trim();
}
