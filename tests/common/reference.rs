//! Calls of the reference interpreter with arrays of `ndarray`, for comparison with compiled code.

use std::io::Write;

use megha_core::interp::{self, Datum, Failure, Options, Order, Watch};
use megha_core::ir::{FuncId, Module};
use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder};

/// The results of the module's first function; a parameter is a number where its static type is.
///
/// # Errors
/// As the interpreter.
pub fn interpret(
    module: &Module,
    arguments: &[ArrayViewD<f64>],
    order: Order,
    out: &mut (dyn Write + Send),
) -> Result<Vec<Datum>, Failure> {
    interpret_watched(module, arguments, order, out, &mut |_| {})
}

/// The same; `watch` sees each kernel that has run.
///
/// # Errors
/// As the interpreter.
pub fn interpret_watched(
    module: &Module,
    arguments: &[ArrayViewD<f64>],
    order: Order,
    out: &mut (dyn Write + Send),
    watch: &mut Watch<'_>,
) -> Result<Vec<Datum>, Failure> {
    let func = &module.funcs[0];
    let types = func.params.iter().map(|p| func.ty(p.value));
    let arguments = arguments.iter().zip(types);
    let arguments = arguments.map(|(a, ty)| if ty.is_scalar() { Datum::double(a[[0, 0]]) } else { datum(a) }).collect();
    let options = Options { order, max_steps: MAX_STEPS, max_touched: MAX_TOUCHED, ..Options::default() };
    interp::run_watched(module, FuncId::new(0), arguments, &options, out, watch)
}

/// Enough for every program here, and soon over if one runs in circles.
const MAX_STEPS: u64 = 20_000_000;

/// Accesses of a kernel that are recorded.
const MAX_TOUCHED: usize = 200_000;

/// An array for the interpreter, which counts columns first.
fn datum(array: &ArrayViewD<f64>) -> Datum {
    let elements = array.t().iter().copied().collect();
    Datum::doubles(array.shape(), elements).expect("as many elements as the sizes say")
}

/// An array of the interpreter, which leaves out sizes of 1 at the end, with as many sizes as `rank`.
pub fn array(datum: &Datum, rank: usize) -> ArrayD<f64> {
    let mut sizes = datum.dims().to_vec();
    sizes.resize(rank.max(sizes.len()), 1);
    let elements = datum.to_doubles().expect("a result is no text");
    ArrayD::from_shape_vec(IxDyn(&sizes).f(), elements).expect("as many elements as the sizes say")
}

/// Equal sizes and equal bits, but that one NaN is as good as another.
pub fn equal(got: &ArrayD<f64>, want: &ArrayD<f64>) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    got.shape() == want.shape() && got.iter().zip(want).all(same)
}
