//! Programs for the reference interpreter.

use std::path::Path;

use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, Wanted, compile, signature};
use megha_core::interp::{self, Datum, Options, Order};
use megha_core::ir::{FuncId, Module, Op, Region};
use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder};

use super::Program;

/// The modules of a program before and after the passes.
pub fn lowered(program: &Program) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/matlab/{}.m", program.name));
    let mut job = Job::file(&path).unwrap();
    let text = job.sources.add("signature", program.signature);
    let file = job.sources.get(text).unwrap();
    let signature = signature::parse(file, 0..program.signature.len(), &mut job.diags);
    let outcome = compile(Job { wanted: Wanted::Signatures(signature.into_iter().collect()), ..job });
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    outcome
}

/// The results of the module's one function; a parameter is a number where its static type is.
///
/// # Panics
/// If the run fails.
pub fn interpret(module: &Module, arguments: &[ArrayViewD<f64>], order: Order) -> Vec<Datum> {
    let func = &module.funcs[0];
    let types = func.params.iter().map(|p| func.ty(p.value));
    let arguments = arguments.iter().zip(types);
    let arguments = arguments.map(|(a, ty)| if ty.is_scalar() { Datum::double(a[[0, 0]]) } else { datum(a) }).collect();
    let options = Options { order, ..Options::default() };
    match interp::run(module, FuncId::new(0), arguments, &options, &mut std::io::sink()) {
        Ok(results) => results,
        Err(failure) => panic!("{}: {failure}", func.name),
    }
}

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

/// The number of kernels in a region, and how many of these are inside loops.
pub fn kernels(region: &Region) -> (usize, usize) {
    let mut count = (0, 0);
    for stmt in &region.stmts {
        if matches!(stmt.op, Op::Kernel(_)) {
            count.0 += 1;
            continue;
        }
        for (all, in_loops) in stmt.op.regions().into_iter().map(kernels) {
            count.0 += all;
            count.1 += if matches!(stmt.op, Op::For { .. } | Op::While { .. }) { all } else { in_loops };
        }
    }
    count
}
