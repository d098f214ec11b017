//! Running sums, products and extremes: each line in order, and in runs where a sum of floating-point numbers is longer than one.

use megha_base::scan::{RUN, reference};
use megha_core::interp::{Datum, Elements, Options, run, run_watched};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ir::{FuncId, Module, Op};
use megha_core::passes::{PassLog, run_passes};
use megha_core::ptx::generate;
use megha_core::schedule::Schedules;

use super::device::Simulated;
use super::reductions::terms;
use super::small::array;

/// A function that scans an array along an axis. A size is a letter or a number.
pub fn scan(op: &str, class: &str, dims: &[&str], axis: usize) -> Module {
    let named =
        |(axis, d): (usize, &&str)| d.parse::<usize>().is_err().then(|| format!("sym {d} = dim 0 {axis}, >= 0 "));
    let symbols: String = dims.iter().enumerate().filter_map(named).collect();
    let ty = format!("{class}[{}]", dims.join(", "));
    let text = format!("func @f(%a: {ty}) -> (c: {ty}) {{ {symbols} %c: {ty} = scan {op} %a along {axis} return %c }}");
    parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The module after all passes.
pub fn lowered(module: &Module) -> Module {
    let mut module = module.clone();
    run_passes(&mut module, &mut PassLog::default()).unwrap_or_else(|f| panic!("{}", f.violations[0]));
    module
}

/// The iterations of its kernels.
fn domains(module: &Module) -> Vec<String> {
    let func = &module.funcs[0];
    let of = |op: &Op| match op {
        Op::Kernel(kernel) => kernel.domain.iter().map(|d| func.symbols.tell(d).unwrap_or_default()).collect(),
        op => panic!("{op:?} is left"),
    };
    func.body.stmts.iter().map(|stmt| of(&stmt.op)).map(|list: Vec<String>| list.join(" by ")).collect()
}

/// Holds the scan of an array by the interpreter, of which this is the result, against the kernels by the interpreter and on the device.
fn check(module: &Module, argument: Datum) -> Datum {
    let options = Options::default();
    let wanted = run(module, FuncId::new(0), vec![argument.clone()], &options, &mut Vec::new()).unwrap();
    let lowered = lowered(module);
    let ptx = generate(verify(&lowered).unwrap(), &Schedules::of(&lowered));
    assert_eq!(ptx.refused, []);
    let device = Simulated::new(&ptx);
    let mut watch = |event: &megha_core::interp::Event<'_>| {
        let megha_core::interp::Event::Kernel(run) = event else { return };
        device.compare(device.plan(&lowered, run), run).unwrap_or_else(|why| panic!("{why}\n{lowered}"));
    };
    let got = run_watched(&lowered, FuncId::new(0), vec![argument], &options, &mut Vec::new(), &mut watch).unwrap();
    assert_eq!(format!("{got:?}"), format!("{wanted:?}"), "{lowered}");
    wanted.into_iter().next().unwrap()
}

fn doubles(datum: &Datum) -> &[f64] {
    match datum {
        Datum::Array(array) => match &array.elements {
            Elements::Double(list) => list,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn kernels_have_an_iteration_for_each_run_of_each_line() {
    let of = |op: &str, class: &str, dims: &[&str], axis| domains(&lowered(&scan(op, class, dims, axis)));
    let (whole, some) = ("floordiv(n, 1000)", "min(floordiv(n, 1000), 1)".to_owned());
    assert_eq!(of("sum", "f64", &["n", "1"], 0), [whole, &some, &format!("{whole} + 1")]);
    assert_eq!(
        of("sum", "f32", &["n", "m"], 0),
        [format!("{whole} by m"), format!("{some} by m"), format!("{whole} + 1 by m")]
    );
    assert_eq!(of("sum", "f64", &["n", "m", "3"], 1)[1], format!("n by min(floordiv(m, 1000), 1) by 3"));
    // Products and integers are not cut, and what is short needs not be.
    assert_eq!(of("prod", "f64", &["n", "m"], 0), ["m"]);
    assert_eq!(of("sum", "i32", &["n", "m"], 1), ["n"]);
    assert_eq!(of("sum", "f64", &["1000", "m"], 0), ["m"]);
    assert_eq!(of("sum", "f64", &["2500", "1"], 0), ["1"]);
    assert_eq!(of("sum", "f64", &["1", "4001"], 1), ["4", "1", "5"]);
}

#[test]
fn long_sums_in_runs() {
    for n in [0, 1, 2, RUN - 1, RUN, RUN + 1, 2 * RUN, 3 * RUN + 7] {
        let wanted = reference(terms(n), RUN, |a, b| a + b);
        let column = check(&scan("sum", "f64", &["n", "1"], 0), array(&[n, 1], Elements::Double(terms(n))));
        assert_eq!(doubles(&column), wanted);
        let row = check(&scan("sum", "f64", &["1", "n"], 1), array(&[1, n], Elements::Double(terms(n))));
        assert_eq!(doubles(&row), wanted);
        if n > 1 {
            let known = scan("sum", "f64", &[&n.to_string(), "1"], 0);
            assert_eq!(doubles(&check(&known, array(&[n, 1], Elements::Double(terms(n))))), wanted);
        }
    }
    let n = 5 * RUN + 3;
    let known = scan("sum", "f64", &[&n.to_string(), "1"], 0);
    assert_eq!(doubles(&check(&known, array(&[n, 1], Elements::Double(terms(n)))))[n - 1], {
        reference(terms(n), RUN, |a, b| a + b)[n - 1]
    });
    assert_ne!(reference(terms(n), RUN, |a, b| a + b), reference(terms(n), n, |a, b| a + b), "the order matters");
}

#[test]
fn along_each_dimension() {
    for dims in [[0, 3, 2], [3, 0, 2], [1, 1, 1], [5, 7, 3], [2, 2100, 1], [1100, 3, 2], [2, 1, 1003]] {
        for axis in 0..3 {
            let data = Elements::Double(terms(dims.iter().product()));
            check(&scan("sum", "f64", &["n", "m", "k"], axis), array(&dims, data.clone()));
            check(&scan("prod", "f64", &["n", "m", "k"], axis), array(&dims, data));
        }
    }
}

/// In runs or not, extremes are the same: the first of equal ones stays, NaN only where nothing else was.
#[test]
fn extremes_in_runs() {
    for n in [0, 1, 31, RUN, 2 * RUN + 5] {
        let numbers: Vec<f64> =
            (0..n).map(|k| (k * 7919 % 1009) as f64 * if k % 2 == 0 { 0.0 } else { -1.0 }).collect();
        let mut holes = numbers.clone();
        holes.iter_mut().take(n / 2).step_by(3).for_each(|x| *x = f64::NAN);
        let bytes: Vec<i8> = (0..n).map(|k| (k * 7 % 256) as u8 as i8).collect();
        let large: Vec<u64> = (0..n as u64).map(|k| u64::MAX - k * 7919 % 1009).collect();
        for op in ["max", "min"] {
            let pick =
                |a: f64, b: f64| if a.is_nan() || (op == "max" && b > a) || (op == "min" && b < a) { b } else { a };
            for data in [&numbers, &holes] {
                let got = check(&scan(op, "f64", &["n", "1"], 0), array(&[n, 1], Elements::Double(data.clone())));
                let wanted = reference(data.iter().copied(), usize::MAX, pick);
                let bits = |list: &[f64]| {
                    list.iter().map(|x| x.to_bits() & !(u64::from(x.is_nan()) << 63)).collect::<Vec<_>>()
                };
                assert_eq!(bits(doubles(&got)), bits(&wanted));
            }
            check(
                &scan(op, "f64", &["3", "n"], 1),
                array(&[3, n], Elements::Double([&numbers[..], &holes, &numbers].concat())),
            );
            check(&scan(op, "i8", &["n", "1"], 0), array(&[n, 1], Elements::Int8(bytes.clone())));
            check(&scan(op, "u64", &["1", "n"], 1), array(&[1, n], Elements::UInt64(large.clone())));
        }
    }
}

/// The first element stays what it is, also a negative zero; what NaN and infinities come to does not depend on runs.
#[test]
fn special_numbers_and_classes() {
    let mut numbers = vec![-0.0; RUN + 2];
    let zeros = check(&scan("sum", "f64", &["n", "1"], 0), array(&[RUN + 2, 1], Elements::Double(numbers.clone())));
    assert!(doubles(&zeros).iter().all(|x| x.to_bits() == (-0.0f64).to_bits()));
    (numbers[3], numbers[RUN], numbers[RUN + 1]) = (f64::INFINITY, 1.0, f64::NEG_INFINITY);
    let special = check(&scan("sum", "f64", &["n", "1"], 0), array(&[RUN + 2, 1], Elements::Double(numbers)));
    let (last, special) = doubles(&special).split_last().unwrap();
    assert!(last.is_nan() && special[3..].iter().all(|x| *x == f64::INFINITY) && special[2] == 0.0);
    let single: Vec<f32> = terms(2 * RUN + 1).iter().map(|x| *x as f32).collect();
    check(&scan("sum", "f32", &["n", "1"], 0), array(&[single.len(), 1], Elements::Single(single)));
    let bytes: Vec<i8> = (0..1200).map(|k| (k * 7 % 90) as i8 - 40).collect();
    for op in ["sum", "prod"] {
        check(&scan(op, "i8", &["n", "m"], 1), array(&[1, 1200], Elements::Int8(bytes.clone())));
        check(&scan(op, "i8", &["n", "m"], 1), array(&[3, 400], Elements::Int8(bytes.clone())));
    }
    let large: Vec<i64> = (0..40).map(|k| i64::MAX / 7 * (k % 5 - 1)).collect();
    check(&scan("sum", "i64", &["n", "1"], 0), array(&[40, 1], Elements::Int64(large)));
    let none: Vec<u16> = (0..60).map(|k| 3000 * (k % 4)).collect();
    check(&scan("sum", "u16", &["n", "4"], 0), array(&[15, 4], Elements::UInt16(none)));
}
