//! Programs in textual IR, run.

mod arrays;
mod control;
mod kernels;
mod scalars;

use super::*;
use crate::ir::parse::parse;

/// Runs the last function of a module.
fn outcome(text: &str, args: Vec<Datum>, options: &Options) -> (Result<Vec<Datum>, Failure>, String) {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut out = Vec::new();
    let result = run(&module, FuncId::new(module.funcs.len() - 1), args, options, &mut out);
    (result, String::from_utf8(out).unwrap())
}

fn results(text: &str, args: Vec<Datum>) -> Vec<Datum> {
    outcome(text, args, &Options::default()).0.unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The elements of the one result as doubles.
fn numbers(text: &str, args: Vec<Datum>) -> Vec<f64> {
    results(text, args)[0].to_doubles().unwrap()
}

/// The one result of straight-line statements that define `%r`, of this type.
fn expr(ty: &str, body: &str) -> Vec<f64> {
    numbers(&format!("func @f() -> {ty} {{ {body} return %r }}"), Vec::new())
}

fn failure(text: &str, args: Vec<Datum>) -> Failure {
    let result = outcome(text, args, &Options::default()).0;
    result.expect_err(text)
}

fn matrix(rows: usize, columns: usize, elements: &[f64]) -> Datum {
    Datum::doubles(&[rows, columns], elements.to_vec()).unwrap()
}

fn column(elements: &[f64]) -> Datum {
    matrix(elements.len(), 1, elements)
}

fn bits(list: &[f64]) -> Vec<u64> {
    list.iter().map(|x| x.to_bits()).collect()
}
