//! The arguments that programs are called with, what a call gives, and it as text.

use std::fmt::Write;
use std::sync::Arc;

use megha_core::interp::{self, Array, Datum, Elements, Failure, FailureKind, LimitKind, Options, Scalar, Watch};
use megha_core::ir::{self, FuncId, Module};

use super::generate::{Class, Program};

/// The whole numbers that programs are called with.
pub const SIZES: [usize; 2] = [3, 5];

/// Enough for every program here, and soon over if one runs in circles.
const MAX_STEPS: u64 = 20_000_000;

/// An array that a program is called with.
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its class in Rust.
    pub class: &'static str,
    /// Its sizes in a signature.
    pub sizes: &'static str,
    /// Its sizes.
    pub dims: Vec<usize>,
    /// Its elements, columns first; of complex numbers their real and then their imaginary parts.
    pub parts: Vec<Vec<f64>>,
}

/// The arguments after `n`, as `tests/golden/random.m` makes them.
pub fn arguments(program: &Program, n: usize) -> Vec<Argument> {
    type Element = fn(usize) -> f64;
    let new = |name, class, sizes, dims: Vec<usize>, parts: &[Element]| {
        let count = dims.iter().product();
        let parts = parts.iter().map(|f| (1..=count).map(f).collect()).collect();
        Argument { name, class, sizes, dims, parts }
    };
    let mut list = vec![
        new("v", "f64", "1, n", vec![1, n], &[|k| (k * 7 % 11) as f64]),
        new("A", "f64", "n, n", vec![n, n], &[|k| (k * 5 % 13) as f64]),
    ];
    let Some(extra) = &program.extra else { return list };
    list.push(match extra.class {
        Class::Double => new("T", "f64", "n, 2, n", vec![n, 2, n], &[|k| (k * 3 % 10) as f64]),
        Class::Int("uint8") => new("u", "u8", "1, n", vec![1, n], &[|k| (k * 9 % 14) as f64]),
        Class::Int(_) => new("w", "i32", "1, n", vec![1, n], &[|k| (k * 9 % 14) as f64]),
        Class::Single => new("s", "f32", "n, 1", vec![n, 1], &[|k| (k * 5 % 16) as f64 / 2.0]),
        Class::Logical => new("m", "bool", "n, n", vec![n, n], &[|k| f64::from(k % 3 == 0)]),
        Class::Complex => new("z", "c64", "1, n", vec![1, n], &[|k| (k * 7 % 9) as f64, |k| (k * 4 % 5) as f64]),
    });
    list
}

/// The signature of a program.
pub fn signature(program: &Program) -> String {
    let parameter = |a: &Argument| format!("{}: {}[{}]", a.name, a.class, a.sizes);
    let parameters: Vec<String> = arguments(program, 1).iter().map(parameter).collect();
    let results: Vec<&str> = program.results.iter().map(|r| r.name.as_str()).collect();
    format!("pub fn {}(n: usize, {}) -> ({})", program.name, parameters.join(", "), results.join(", "))
}

/// What a call gives and prints.
#[derive(Debug)]
pub struct Ran {
    /// The results, or the message of an error that the program raised itself, or nothing of another error.
    pub results: Result<Vec<Datum>, String>,
    /// What it printed.
    pub printed: String,
}

/// A call by the interpreter; `watch` sees each kernel.
pub fn interpret(module: &Module, program: &Program, n: usize, watch: &mut Watch<'_>) -> Result<Ran, Failure> {
    let func = &module.funcs[0];
    let parts = arguments(program, n).into_iter().flat_map(|a| a.parts.into_iter().map(move |p| (a.dims.clone(), p)));
    let types = func.params[1..].iter().map(|p| func.ty(p.value).class);
    let arrays = parts.zip(types).map(|((dims, elements), class)| array(class, dims, &elements));
    let arguments = std::iter::once(Datum::double(n as f64)).chain(arrays).collect();
    let options = Options { max_steps: MAX_STEPS, max_touched: 50_000, ..Options::default() };
    let mut printed = Vec::new();
    let results = interp::run_watched(module, FuncId::new(0), arguments, &options, &mut printed, watch);
    let printed = String::from_utf8(printed).expect("output is text");
    match results {
        Err(failure) if !matches!(failure.kind, FailureKind::Error(_) | FailureKind::Limit(LimitKind::Depth)) => {
            Err(failure)
        }
        results => {
            let message =
                |failure: Failure| if failure.identifier.starts_with("p:") { failure.message } else { String::new() };
            Ok(Ran { results: results.map_err(message), printed })
        }
    }
}

fn array(class: ir::Class, dims: Vec<usize>, from: &[f64]) -> Datum {
    let mut elements = Elements::zeros(class, from.len()).expect("a parameter is no text");
    for (k, x) in from.iter().enumerate() {
        let scalar = match class {
            ir::Class::Single => Scalar::Single(*x as f32),
            ir::Class::Int32 => Scalar::Int32(*x as i32),
            ir::Class::UInt8 => Scalar::UInt8(*x as u8),
            ir::Class::Logical => Scalar::Logical(*x != 0.0),
            _ => Scalar::Double(*x),
        };
        assert!(elements.set(k, scalar), "the class is that of the array");
    }
    Datum::Array(Arc::new(Array::new(dims, elements).expect("as many elements as the sizes say")))
}

/// The real and perhaps imaginary parts of each result.
pub fn parts<'r>(program: &Program, results: &'r [Datum]) -> Vec<&'r [Datum]> {
    let mut rest = results;
    let mut list = Vec::new();
    for result in &program.results {
        let (own, more) = rest.split_at(if result.class == Class::Complex { 2 } else { 1 });
        list.push(own);
        rest = more;
    }
    assert!(rest.is_empty(), "results that nobody expects");
    list
}

/// The sizes of a result as text.
pub fn sizes(datum: &Datum) -> String {
    let mut dims = datum.dims().to_vec();
    dims.resize(dims.len().max(2), 1);
    dims.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
}

/// All of a call but the message of an error: each element by its bits, so that a zero's sign counts; NaN is NaN.
pub fn exact(ran: &Ran) -> String {
    let part = |datum: &Datum| {
        let elements = datum.to_doubles().expect("a result is no text");
        let bits = |x: &f64| if x.is_nan() { "nan".to_owned() } else { format!("{:x}", x.to_bits()) };
        format!("{} {}", sizes(datum), elements.iter().map(bits).collect::<Vec<_>>().join(" "))
    };
    let results = match &ran.results {
        Ok(list) => list.iter().map(part).collect::<Vec<_>>().join(" | "),
        Err(_) => "error".into(),
    };
    format!("{results} {:?}", ran.printed)
}

/// A call in a line: each result by its sizes, the sum of its finite numbers, the same weighted by the elements' numbers, and the sums of
/// the numbers of special elements; then the text.
pub fn line(program: &Program, ran: &Ran) -> String {
    let results = match &ran.results {
        Ok(list) => parts(program, list).into_iter().map(digest).collect::<Vec<_>>().join(" | "),
        Err(message) if message.is_empty() => "error".to_owned(),
        Err(message) => format!("error: {message}"),
    };
    let mut line = results;
    if !ran.printed.is_empty() {
        let _ = write!(line, " \"{}\"", ran.printed.replace('\\', "\\\\").replace('\n', "\\n"));
    }
    line
}

type Question = fn(f64) -> bool;

/// Numbers that sums do not tell apart, by their names.
const SPECIAL: [(&str, Question); 4] = [
    ("nan", f64::is_nan),
    ("inf", |x| x == f64::INFINITY),
    ("-inf", |x| x == f64::NEG_INFINITY),
    ("-0", |x| x == 0.0 && x.is_sign_negative()),
];

fn digest(parts: &[Datum]) -> String {
    let mut text = sizes(&parts[0]);
    for (k, part) in parts.iter().enumerate() {
        let elements = part.to_doubles().expect("a result is no text");
        // Octave drops imaginary parts that are all zero.
        if k == 0 || elements.iter().any(|x| *x != 0.0) {
            let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
            let sum = elements.iter().fold(0.0, |sum, x| sum + finite(*x));
            let weighted = elements.iter().zip(1..).fold(0.0, |sum, (x, k)| sum + finite(*x) * f64::from(k));
            let _ = write!(text, " {} {}", bits(sum), bits(weighted));
            for (name, is) in SPECIAL {
                let at: usize = elements.iter().zip(1..).filter(|(x, _)| is(**x)).map(|(_, k)| k).sum();
                if at > 0 {
                    let _ = write!(text, " {name}:{at}");
                }
            }
        }
    }
    text
}

/// The hexadecimal digits of a number's bits, without zeros at the end: as `num2hex` writes it.
fn bits(x: f64) -> String {
    format!("{:016x}", x.to_bits()).trim_end_matches('0').to_owned()
}
