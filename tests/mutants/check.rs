//! What must hold of any text: the compiler says what is wrong with it or compiles it, and what the interpreter computes
//! from an accepted program is the same before and after the passes. `fuzz/` uses this too.

use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, compile, rust};
use megha_core::interp::{self, Datum, Elements, Failure, FailureKind, Options, Scalar};
use megha_core::ir::{Ambient, Class, FuncId, Module, Op, Region, Type};
use megha_core::source::SourceMap;

/// What became of a text.
pub enum Fate {
    /// Mistakes were reported.
    Refused,
    /// It was compiled to this code.
    Accepted(String),
}

/// Compiles a text and runs it if it is accepted.
///
/// # Errors
/// What the compiler did that it must not.
pub fn check(name: &str, text: &str) -> Result<Fate, String> {
    let mut sources = SourceMap::new();
    let main = sources.add(name, text);
    let mut outcome = compile(Job::text(sources, main));
    let code = rust(&mut outcome, "::megha_rt");
    let messages = render_all(&outcome.diags, &outcome.sources, false);
    if messages.contains("mistake in Megha") {
        return Err(messages);
    }
    let Some(code) = code else {
        return if messages.is_empty() { Err("no code and no message".into()) } else { Ok(Fate::Refused) };
    };
    same_results(&outcome)?;
    Ok(Fate::Accepted(code))
}

/// Runs the first function before and after the passes.
fn same_results(outcome: &Outcome) -> Result<(), String> {
    let (before, after) = (run(&outcome.lowered), run(&outcome.module));
    let broken = |f: &Failure| matches!(f.kind, FailureKind::Internal(_));
    let limit = |f: &Failure| matches!(f.kind, FailureKind::Limit(_));
    if let Some(failure) = [&before, &after].into_iter().filter_map(|r| r.as_ref().err()).find(|f| broken(f)) {
        return Err(format!("{failure}\n{}", outcome.module));
    }
    match (&before, &after) {
        (Ok(a), Ok(b)) if same(a, b) => Ok(()),
        (Err(_), Err(_)) => Ok(()),
        // The passes change how many steps and bytes a program takes.
        (Err(f), _) | (_, Err(f)) if limit(f) => Ok(()),
        // What a clock says differs from run to run.
        _ if outcome.lowered.funcs.iter().any(|func| tells_time(&func.body)) => Ok(()),
        _ => Err(format!("before the passes: {before:?}\nafter them: {after:?}")),
    }
}

fn tells_time(region: &Region) -> bool {
    region.stmts.iter().any(|stmt| {
        let clock = matches!(stmt.op, Op::Ambient(Ambient::Time | Ambient::CpuTime | Ambient::Tic | Ambient::Toc, _));
        clock || stmt.op.regions().into_iter().any(tells_time)
    })
}

/// Equal but that one NaN is as good as another, and so is one zero.
fn same(a: &[Datum], b: &[Datum]) -> bool {
    let number = |(x, y): (f64, f64)| x == y || (x.is_nan() && y.is_nan());
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| match (a.to_doubles(), b.to_doubles()) {
            (Some(x), Some(y)) => a.dims() == b.dims() && x.into_iter().zip(y).all(number),
            _ => a == b,
        })
}

/// The first function's results for small arguments.
fn run(module: &Module) -> Result<Vec<Datum>, Failure> {
    let func = &module.funcs[0];
    let arguments = func.params.iter().enumerate().map(|(at, p)| argument(func.ty(p.value), at)).collect();
    let options = Options { max_steps: 100_000, max_bytes: 64 << 20, ..Options::default() };
    interp::run(module, FuncId::new(0), arguments, &options, &mut std::io::sink())
}

/// An argument of this type, every symbol of its sizes being 4: whole numbers that are not in order.
fn argument(ty: &Type, at: usize) -> Datum {
    let dims: Vec<usize> = ty.dims.iter().map(|d| d.eval(&|_| 4).clamp(0, 64) as usize).collect();
    if ty.is_scalar() {
        return Datum::Scalar(scalar(ty.class, 4.0 + at as f64));
    }
    let len = dims.iter().product();
    let mut elements = Elements::zeros(ty.class, len).expect("a parameter is no text");
    for k in 0..len {
        assert!(elements.set(k, scalar(ty.class, ((k * 7 + at) % 11) as f64)), "the class is that of the array");
    }
    let array = interp::Array::new(dims, elements).expect("as many elements as the sizes say");
    Datum::Array(array.into())
}

fn scalar(class: Class, value: f64) -> Scalar {
    let whole = value as u8;
    match class {
        Class::Single => Scalar::Single(value as f32),
        Class::Int8 => Scalar::Int8(whole as i8),
        Class::Int16 => Scalar::Int16(whole.into()),
        Class::Int32 => Scalar::Int32(whole.into()),
        Class::Int64 => Scalar::Int64(whole.into()),
        Class::Index => Scalar::Index(whole.into()),
        Class::UInt8 => Scalar::UInt8(whole),
        Class::UInt16 => Scalar::UInt16(whole.into()),
        Class::UInt32 => Scalar::UInt32(whole.into()),
        Class::UInt64 => Scalar::UInt64(whole.into()),
        Class::Logical => Scalar::Logical(whole % 2 == 1),
        Class::Double | Class::Complex | Class::Char => Scalar::Double(value),
    }
}
