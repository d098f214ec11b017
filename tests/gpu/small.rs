//! Small kernels in textual form: every class, operation and conversion at the ends of the classes.

use megha_core::interp::{Array, Datum, Elements, Options, run_watched};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ir::{Binary, FuncId, Unary};
use megha_core::ptx::generate;
use megha_core::schedule::Schedules;
use std::sync::Arc;

use super::device::Simulated;

/// Runs a function and holds each of its kernels against the simulated device.
pub fn check(text: &str, args: &[Datum]) -> usize {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check_scheduled(text, args, &Schedules::of(&module))
}

/// The same with these schedules.
pub fn check_scheduled(text: &str, args: &[Datum], schedules: &Schedules) -> usize {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let verified = verify(&module).unwrap_or_else(|v| panic!("{}\n{text}", v[0]));
    let ptx = generate(verified, schedules);
    assert_eq!(ptx.refused, [], "{text}");
    let device = Simulated::new(&ptx);
    let mut ran = 0;
    let mut watch = |event: &megha_core::interp::Event<'_>| {
        let megha_core::interp::Event::Kernel(run) = event else { return };
        ran += 1;
        device.compare(device.plan(&module, run), run).unwrap_or_else(|why| panic!("{why}\n{text}\n{}", ptx.text));
    };
    let options = Options::default();
    let done = run_watched(&module, FuncId::new(0), args.to_vec(), &options, &mut Vec::new(), &mut watch);
    drop(done);
    assert!(ran > 0, "no kernel ran\n{text}");
    ran
}

/// An array as an argument.
pub fn array(dims: &[usize], elements: Elements) -> Datum {
    Datum::Array(Arc::new(Array::new(dims.to_vec(), elements).unwrap()))
}

/// All pairs of some numbers of a class, as two columns.
fn pairs<T: Copy>(list: &[T]) -> [Vec<T>; 2] {
    let all = || list.iter().flat_map(|a| list.iter().map(move |b| (*a, *b)));
    [all().map(|p| p.0).collect(), all().map(|p| p.1).collect()]
}

macro_rules! integers {
    ($($t:ident $class:ident),*) => {
        /// The numbers of each integer class that are worth a test.
        fn integer_pairs() -> Vec<(&'static str, [Elements; 2])> {
            vec![$((stringify!($t), {
                let list = [<$t>::MIN, <$t>::MIN + 1, <$t>::MIN / 2, 0, 1, 2, 3, 7, 11, <$t>::MAX / 2, <$t>::MAX / 2 + 1, <$t>::MAX - 1, <$t>::MAX];
                let signed = list.iter().copied().chain([-7i8, -3, -2, -1].iter().filter_map(|x| <$t>::try_from(*x).ok()));
                pairs(&signed.collect::<Vec<$t>>()).map(Elements::$class)
            })),*]
        }
    };
}
integers!(i8 Int8, i16 Int16, i32 Int32, i64 Int64, u8 UInt8, u16 UInt16, u32 UInt32, u64 UInt64);

fn doubles() -> Vec<f64> {
    let positive = [0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 3.0, 100.7, 5e-324, 1e-300, 1e300, 9.3e18, 4e9, f64::INFINITY];
    positive.iter().flat_map(|x| [*x, -x]).chain([f64::NAN]).collect()
}

/// A kernel with one store of an expression of two columns' elements.
fn kernel(from: &str, to: &str, expression: &str) -> String {
    format!(
        "func @f(%a: {from}[n, 1], %b: {from}[n, 1]) -> (c: {to}[n, 1]) {{
           sym n = dim 0 0, >= 0
           %c: {to}[n, 1] = kernel 0 over [n] into (fresh) |%i| {{
             %x: {from} = load %a[%i]
             %y: {from} = load %b[%i]
             %z: {to} = {expression}
             put out0[%i] = %z
           }}
           return %c
         }}"
    )
}

/// The two columns as arguments.
fn columns([a, b]: [Elements; 2]) -> [Datum; 2] {
    let n = a.len();
    [array(&[n, 1], a), array(&[n, 1], b)]
}

/// The classes with their pairs.
pub fn classes() -> Vec<(&'static str, [Elements; 2])> {
    let mut all = integer_pairs();
    all.push(("f64", pairs(&doubles()).map(Elements::Double)));
    all.push(("f32", pairs(&doubles()).map(|l| Elements::Single(l.iter().map(|x| *x as f32).collect()))));
    all.push(("bool", pairs(&[false, true]).map(Elements::Logical)));
    all
}

#[test]
fn binary_operations() {
    let mut ran = 0;
    for (class, data) in classes() {
        for (op, name) in Binary::NAMES {
            let to = if op.is_logical() { "bool" } else { class };
            let text = kernel(class, to, &format!("{name} %x, %y"));
            // What the operation is not defined on, the verifier refuses.
            if parse(&text).is_ok_and(|module| verify(&module).is_ok()) {
                ran += check(&text, &columns(data.clone()));
            }
        }
    }
    assert!(ran > 150, "{ran}");
}

#[test]
fn index_operations() {
    let numbers = [0, 1, 2, 3, 7, 63, 64, 65, 1 << 40, -1, -2, -7, i64::MAX, i64::MIN + 1];
    for (op, name) in Binary::NAMES {
        let to = if op.is_logical() { "bool" } else { "index" };
        let text = kernel("index", to, &format!("{name} %x, %y"));
        if !parse(&text).is_ok_and(|module| verify(&module).is_ok()) {
            continue;
        }
        let [a, b] = pairs(&numbers);
        let allowed = |b: i64| match op {
            Binary::Div | Binary::Mod | Binary::Rem | Binary::Divu | Binary::Remu => b != 0,
            Binary::Pow => (0..1 << 32).contains(&b),
            _ => true,
        };
        let (a, b): (Vec<i64>, Vec<i64>) = a.into_iter().zip(b).filter(|(_, b)| allowed(*b)).unzip();
        check(&text, &columns([a, b].map(Elements::Index)));
    }
}

#[test]
fn unary_operations() {
    for (class, data) in classes() {
        for (op, name) in Unary::NAMES {
            let to = if op.is_logical() { "bool" } else { class };
            let text = kernel(class, to, &format!("{name} %x"));
            if parse(&text).is_ok_and(|module| verify(&module).is_ok()) {
                check(&text, &columns(data.clone()));
            }
        }
    }
}

#[test]
fn conversions() {
    for (from, data) in classes() {
        for (to, _) in classes() {
            check(&kernel(from, to, "convert %x"), &columns(data.clone()));
        }
    }
}

#[test]
fn random_numbers_and_bits() {
    let doubles = pairs(&doubles().into_iter().filter(|x| !x.is_nan()).collect::<Vec<_>>()).map(Elements::Double);
    check(&kernel("f64", "index", "bits %x"), &columns(doubles));
    let indices = pairs(&[0, 1, i64::MAX, -1, 0x4000_0000_0000_0001]).map(Elements::Index);
    check(&kernel("index", "f64", "from_bits %x"), &columns(indices));
}

/// By a power of two a product with its inverse is the quotient, if that is a normal number.
#[test]
fn division_by_powers_of_two() {
    let powers = [2.0, -0.25, 2f64.powi(40), 2f64.powi(127), 2f64.powi(-126), 2f64.powi(1023), 2f64.powi(-1022), 3.0];
    let values = [0.0, -0.0, 1.0, -3.5, 5e-324, 1.5e-323, 2.3e-308, 1.7e308, 1e-45, 1.2e-38, f64::INFINITY, f64::NAN];
    let singles = values.map(|x| x as f32).to_vec();
    for (class, data) in [("f64", Elements::Double(values.to_vec())), ("f32", Elements::Single(singles))] {
        for power in powers {
            let text = format!(
                "func @f(%a: {class}[n, 1]) -> (c: {class}[n, 1]) {{
                   sym n = dim 0 0, >= 0
                   %i0: index = const 0
                   %p: {class} = const {power:?}
                   %c: {class}[n, 1] = kernel 0 over [n] into (fresh) |%i| {{
                     %x: {class} = load %a[%i, %i0] %y: {class} = div %x, %p
                     put out0[%i, %i0] = %y
                   }}
                   return %c
                 }}"
            );
            check(&text, &[array(&[values.len(), 1], data.clone())]);
        }
    }
}
