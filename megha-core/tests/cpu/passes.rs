//! The passes keep what programs compute.

use megha_core::interp::{self, Datum, Options};
use megha_core::ir::{FuncId, Module, parse::parse};
use megha_core::passes::{PassLog, run_passes};

/// A function of `programs.ir`, in a module of its own.
fn program(name: &str) -> Module {
    let head = format!("func @{name}(");
    let text = include_str!("programs.ir").split("\n----\n").find(|text| text.trim_start().starts_with(&head));
    parse(text.unwrap_or_else(|| panic!("there is no program `{name}`"))).unwrap_or_else(|e| panic!("{e}"))
}

fn interpreted(module: &Module, arguments: &[Datum]) -> Vec<Datum> {
    let run = interp::run(module, FuncId::new(0), arguments.to_vec(), &Options::default(), &mut std::io::sink());
    run.unwrap_or_else(|failure| panic!("{failure}\n{module}"))
}

#[track_caller]
fn kept(name: &str, arguments: &[Datum]) {
    same(&program(name), arguments);
}

#[track_caller]
fn same(before: &Module, arguments: &[Datum]) {
    let mut after = before.clone();
    if let Err(failure) = run_passes(&mut after, &mut PassLog::default()) {
        panic!("{}: {:?}\n{after}", failure.pass, failure.violations);
    }
    assert_eq!(interpreted(before, arguments), interpreted(&after, arguments), "{after}");
}

#[test]
fn of_arrays_whose_sizes_only_the_run_knows() {
    let column = |values: &[f64]| Datum::doubles(&[values.len(), 1], values.to_vec()).unwrap();
    kept("select", &[column(&[1.0, -2.0, 3.0, 0.5]), Datum::double(0.0)]);
    kept("select", &[column(&[1.0]), Datum::double(2.0)]);
    for steps in 0..5 {
        kept("exchange", &[Datum::double(f64::from(steps))]);
    }
    kept("stack", &[Datum::doubles(&[2, 3], (1..7).map(f64::from).collect()).unwrap()]);
    kept("chain", &[Datum::double(7.0), Datum::double(100.0)]);
    kept("chain", &[Datum::double(7.0), Datum::double(4.0)]);
}

/// A loop over rows, in a function of `%n: f64`; `BODY` makes the next row `z` of length `l` from `x` of length `k`.
const ROWS: &str = "func @f(%n: f64) -> (y: f64[1, R]) {
    sym N = value %trip sym K = value %k, >= 0 sym L = value %l, >= 0 sym R = value %r, >= 0
    %trip = to_index %n
    %start: f64[1, 2] = fill 1.0
    %r: index, %y: f64[1, R] = for %trip with 2, %start |%i, %k, %x: f64[1, K]| { BODY }
    return %y
  }";

#[test]
fn of_sizes_that_nothing_else_uses() {
    for body in [
        // The length is what the iteration number says, and nothing reads the carried one.
        "%l = add %i, 3 %z: f64[1, L] = resize %x yield %l, %z",
        // The loop hands the length on as it is.
        "%l = add %k, 1 %t = store %x[0] = 2.0 yield %k, %t",
        // Two names for one number.
        "%m = add %k, 1 %l = add %k, 1 %w: f64[1, L] = resize %x %c: f64 = convert %m %z = store %w[%k] = %c yield %l, %z",
        "%l = add %k, 1 %w: f64[1, L] = resize %x %e = lt %i, 3 if %e { break %l, %w } yield %l, %w",
    ] {
        let before = parse(&ROWS.replace("BODY", body)).unwrap_or_else(|e| panic!("{e}\n{body}"));
        for n in 0..4 {
            same(&before, &[Datum::double(f64::from(n))]);
        }
    }
}
