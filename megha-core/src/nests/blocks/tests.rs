//! MATLAB text → all passes: which loops have blocks, and equal results before and after.

use super::BLOCK;
use crate::interp::{self, Datum, Options};
use crate::ir::{FuncId, Module, Op, Size, SymDef};
use crate::kernels::doall::tests::lowered;
use crate::passes::{PassLog, run_passes};

/// Columns that gather from those before, `rows` of each the numbers `from`, and do `then` at the end.
fn columns(rows: &str, from: &str, then: &str) -> String {
    format!(
        "function a = f(a, l)\nn = size(a, 1);\nfor j = 1:n\nfor i = {rows}\nfor k = {from}\n\
         a(i, j) = a(i, j) - a(i, k) * a(j, k);\nend\nend\nfor i = {rows}\na(i, j) = a(i, j) * 0.0625 + l(i, j);\nend\n{then}\nend\nend"
    )
}

/// Whether the text has blocks when compiled; what it computes must not depend on that.
fn has_blocks(text: &str) -> bool {
    let before = Module::of(vec![lowered(text, &["n,n", "n,n"])]);
    let mut after = before.clone();
    run_passes(&mut after, &mut PassLog::default()).unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
    for n in [0, 1, 5, 31, 32, 33, 70] {
        assert_eq!(results(&before, n), results(&after, n), "{n}\n{text}");
    }
    is_blocked(&after)
}

fn is_blocked(module: &Module) -> bool {
    let by = Size::constant(BLOCK);
    module.funcs[0].symbols.iter().any(|(_, data)| matches!(&data.def, SymDef::FloorDiv(_, of) if *of == by))
}

fn results(module: &Module, n: usize) -> Vec<u64> {
    let numbers = [0.5, -0.0, 3.0, -2.25, 0.0, 7.0, -1e-3, 1.0, 2.5];
    let matrix = |by: usize| Datum::doubles(&[n, n], (0..n * n).map(|k| numbers[k * by % 9]).collect()).unwrap();
    let found = interp::run(module, FuncId::new(0), vec![matrix(2), matrix(7)], &Options::default(), &mut Vec::new());
    found.unwrap()[0].to_doubles().unwrap().into_iter().map(f64::to_bits).collect()
}

#[test]
fn columns_that_gather_from_all_before_have_blocks() {
    assert!(has_blocks(&columns("j+1:n", "1:j-1", "")));
    // All rows of each.
    assert!(has_blocks(&columns("1:n", "1:j-1", "")));
}

#[test]
fn what_an_iteration_changes_for_a_later_one_is_not_gathered_before() {
    // Columns before, and the next one.
    assert!(!has_blocks(&columns("j+1:n", "1:j-1", "if j > 1\na(n, j-1) = a(n, j-1) + 1;\nend")));
    assert!(!has_blocks(&columns("j+1:n", "1:j-1", "if j < n\na(n, j+1) = a(n, j+1) + 0.3 * a(n, j);\nend")));
    // The column itself is among those that it gathers from.
    assert!(!has_blocks(&columns("j+1:n", "1:j", "")));
}

#[test]
fn rows_that_share_nothing_have_none() {
    assert!(!has_blocks(&columns("j+1:n", "1:j-1", "").replace("a(j, k)", "0.5")));
}

/// Of the kernels that go through two loops, of which both gather for a block, each has its rows in parallel.
#[test]
fn rows_stay_parallel_beside_another_array() {
    let text = columns("j+1:n", "1:j-1", "l(j, j) = a(j, j) + l(1, 1);").replace("function a =", "function [a, l] =");
    assert!(has_blocks(&text));
    let mut module = Module::of(vec![lowered(&text, &["n,n", "n,n"])]);
    run_passes(&mut module, &mut PassLog::default()).unwrap();
    let mut domains = Vec::new();
    module.funcs[0].body.walk(&mut |stmt| {
        if let Op::Kernel(kernel) = &stmt.op {
            domains.push(kernel.domain.len());
        }
    });
    assert_eq!(domains.iter().filter(|loops| **loops == 2).count(), 2, "{domains:?}");
}

#[test]
fn a_parallel_loop_around_leaves_no_processors_for_more() {
    let text = "function a = f(a, l)\nn = size(a, 1);\nfor p = 1:n\nfor j = 1:n\nfor i = j+1:n\nfor k = 1:j-1\n\
                a(i, j, p) = a(i, j, p) - a(i, k, p) * a(j, k, p);\nend\nend\nfor i = j+1:n\n\
                a(i, j, p) = a(i, j, p) * 0.0625 + l(i, j);\nend\nend\nend\nend";
    let mut module = Module::of(vec![lowered(text, &["n,n,n", "n,n"])]);
    run_passes(&mut module, &mut PassLog::default()).unwrap();
    assert!(!is_blocked(&module));
}
