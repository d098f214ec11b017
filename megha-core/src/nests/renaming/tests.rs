//! MATLAB text → all passes: which loops become parallel, and equal results before and after.

use crate::interp::{self, Datum, Options};
use crate::ir::{FuncId, Module, Op};
use crate::kernels::doall::tests::lowered;
use crate::passes::{PassLog, run_passes};
use proptest::prelude::*;

/// A triangular product in place, of `a` with the rows that the loop over `k` names.
fn product(rows: &str, columns: &str) -> String {
    format!(
        "function b = f(a, b)\nfor i = 1:size(b, 1)\nfor j = 1:size(b, 2)\nfor k = {rows}\n\
         b(i, j) = b(i, j) + a(k, i) * b(k, {columns});\nend\nb(i, j) = 2 * b(i, j);\nend\nend\nend"
    )
}

fn both(text: &str) -> [Module; 2] {
    let before = Module::of(vec![lowered(text, &["n,n", "n,n"])]);
    let mut after = before.clone();
    run_passes(&mut after, &mut PassLog::default()).unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
    [before, after]
}

/// The most loops that a kernel runs in parallel.
fn parallel(text: &str) -> usize {
    let [_, after] = both(text);
    let mut most = 0;
    after.funcs[0].body.walk(&mut |stmt| {
        if let Op::Kernel(kernel) = &stmt.op {
            most = most.max(kernel.domain.len());
        }
    });
    most
}

fn results(module: &Module, n: usize) -> Vec<u64> {
    let numbers = [0.5, -0.0, 3.0, f64::NAN, -2.25, 0.0, 7.0, -1e-3, 1.0, 2.5];
    let matrix = |by: usize| Datum::doubles(&[n, n], (0..n * n).map(|k| numbers[k * by % 10]).collect()).unwrap();
    let found = interp::run(module, FuncId::new(0), vec![matrix(3), matrix(7)], &Options::default(), &mut Vec::new());
    let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    found.unwrap()[0].to_doubles().unwrap().into_iter().map(bits).collect()
}

#[test]
fn rows_below_are_read_as_they_were() {
    assert_eq!(parallel(&product("i+1:size(b, 1)", "j")), 2);
}

#[test]
fn rows_above_and_the_own_row_are_new_ones() {
    assert_eq!(parallel(&product("1:i-1", "j")), 1);
    assert_eq!(parallel(&product("i:size(b, 1)", "j")), 1);
    // Of the own row the elements behind are old ones, but rows above are new.
    assert_eq!(parallel(&product("1:size(b, 1)", "j")), 1);
}

#[test]
fn a_copy_that_costs_as_much_as_the_loop_is_not_made() {
    let text = "function b = f(a, b)\nfor i = 1:size(b, 1)-1\nfor j = 1:size(b, 2)\n\
                b(i, j) = 0.5 * b(i+1, j) + a(i, j);\nend\nend\nend";
    assert_eq!(parallel(text), 1);
}

proptest! {
    #[test]
    fn results_stay(
        (from, to, by) in (-3..4_i64, -3..4_i64, 1..3_i64),
        (begins, ends) in (any::<bool>(), any::<bool>()),
        columns in prop_oneof![Just("j"), Just("max(j-1, 1)"), Just("min(j+1, size(b, 2))")],
        n in 0..7_usize,
    ) {
        let first = if begins { format!("max(1, i+{from})") } else { "1".to_owned() };
        let last = if ends { format!("min(size(b, 1), i+{to})") } else { "size(b, 1)".to_owned() };
        let text = product(&format!("{first}:{by}:{last}").replace("+-", "-"), columns);
        let [before, after] = both(&text);
        prop_assert_eq!(results(&before, n), results(&after, n), "{}\n{}", text, after);
    }
}
