//! MATLAB text → all passes: which loops go inside of kernels, and equal results before and after.

use crate::interp::{self, Datum, Options};
use crate::ir::{FuncId, Module, Op, Region};
use crate::kernels::doall::tests::lowered;
use crate::passes::{PassLog, run_passes};
use proptest::prelude::*;

/// A function of two square matrices.
fn program(body: &str) -> [Module; 2] {
    let text = format!("function [x, y] = f(a, b)\nx = a; y = b; z = a;\n{body}\nend");
    let before = Module::of(vec![lowered(&text, &["n,n", "n,n"])]);
    let mut after = before.clone();
    run_passes(&mut after, &mut PassLog::default()).unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
    [before, after]
}

/// Loops around kernels.
fn around(region: &Region) -> usize {
    region.count(|op| matches!(op, Op::For { body, .. } if !body.kernels().is_empty()))
}

fn results(module: &Module) -> Vec<Vec<u64>> {
    let matrix = |by: usize| Datum::doubles(&[4, 4], (0..16).map(|k| (k * by % 7) as f64 - 2.5).collect()).unwrap();
    let args = vec![matrix(3), matrix(5)];
    let found = interp::run(module, FuncId::new(0), args, &Options::default(), &mut Vec::new()).unwrap();
    found.iter().map(|datum| datum.to_doubles().unwrap().into_iter().map(f64::to_bits).collect()).collect()
}

/// The kernels and the loops around kernels that are left of a program, whose results have stayed the same.
fn left(body: &str) -> (usize, usize) {
    let [before, after] = program(body);
    assert_eq!(results(&before), results(&after), "{body}\n{after}");
    let body = &after.funcs[0].body;
    (body.kernels().len(), around(body))
}

#[test]
fn a_loop_whose_points_are_alone_is_one_kernel() {
    assert_eq!(left("for t = 1:9, z = x .* y; x = z - y; y = 0.5 * z; end"), (1, 0));
    assert_eq!(
        left("for t = 1:9, x = x / t + y; z = x; x = y; y = z; end"),
        (1, 0),
        "iterations differ, arrays change places"
    );
    assert_eq!(left("for t = 1:3, for s = 1:t, x = 0.5 * x + y; end; y = y - x; end"), (1, 0), "two loops");
    assert_eq!(left("for t = 1:0, x = x + 1; end"), (0, 0));
    let loops = "for t = 1:9, for j = 1:size(x, 2), for i = 1:size(x, 1), x(i, j) = x(i, j) * 0.5 + y(i, j); end, end, y = y - x; end";
    assert_eq!(left(loops), (1, 0), "loops over points in another order than array statements");
    assert_eq!(
        left("w = 0; for t = 1:9, w = w + 0.25; x = x * w; end"),
        (1, 0),
        "numbers that are the same at all points"
    );
    assert_eq!(left("for t = 1:4, x = 0.5 * x + a'; end"), (1, 0), "arrays from before may be read anywhere");
}

#[test]
fn points_that_choose() {
    let all = |body: &str| format!("for t = 1:9, for j = 1:size(x, 2), for i = 1:size(x, 1), {body}; end, end, end");
    assert_eq!(left(&all("if x(i, j) > 1, x(i, j) = x(i, j) - 0.75; end")), (1, 0));
    assert_eq!(left(&all("if x(i, j) > y(i, j), x(i, j) = x(i, j) * 0.5; else, y(i, j) = y(i, j) - t; end")), (1, 0));
    assert_eq!(left(&all("for s = 1:2, x(i, j) = x(i, j) * 0.5 + y(i, j); end")), (1, 0));
}

#[test]
fn it_composes_with_what_is_around() {
    assert_eq!(left("x = x + 1; for t = 1:9, x = x .* y; end; x = x - 1;"), (1, 0));
    assert_eq!(
        left("for t = 1:9, x = x .* y; end; x = sum(x, 1);"),
        (2, 0),
        "a reduction would have no registers for it"
    );
}

#[test]
fn other_loops_stay() {
    assert_eq!(left("for t = 1:9, x = 0.5 * x' + y; end").1, 1, "other points");
    assert_eq!(left("for t = 1:9, x = 0.5 * x + y; y(2:end, :) = 0.5 * x(1:end - 1, :); end").1, 1, "neighbours");
    assert_eq!(left("for t = 1:9, x = x / (1 + max(abs(x(:)))); end").1, 1, "all points");
    assert_eq!(left("for t = 1:9, x = x * 0.5 + x(1, 1); end").1, 1, "one point");
    assert_eq!(left("for t = 1:9, x = x + y; if x(2, 1) > 40, break; end, end").1, 1, "left when a point says so");
    assert_eq!(left("for t = 1:9, x = x + y; y = x * x; end").1, 1, "products");
    assert_eq!(
        left("w = 1; for t = 1:9, w = exp(w - 3) + log(w + 2); x = x + w; end").1,
        1,
        "numbers that cost more than the points"
    );
}

/// A loop by numbers.
fn random(choices: &[u8]) -> String {
    let mut next = choices.iter().copied().cycle();
    let mut pick = |list: &[&str]| list[next.next().unwrap_or(0) as usize % list.len()].to_owned();
    let mut lines = vec![format!("w = 1; for t = 1:{}", pick(&["4", "1", "0", "7"]))];
    for _ in 0..4 {
        let to = pick(&["x", "y", "z"]);
        let (a, b) = (pick(&["x", "y", "z", "a"]), pick(&["x", "y", "z", "b", "t", "w", "0.5"]));
        lines.push(match pick(&["set", "set", "set", "loops", "choice", "number", "other"]).as_str() {
            "loops" => {
                format!("for j = 1:size(x, 2), for i = 1:size(x, 1), {to}(i, j) = {a}(i, j) * 0.25 - x(i, j); end, end")
            }
            "choice" => format!("for i = 1:size(x, 1), for j = 1:size(x, 2), if {a}(i, j) > x(i, j), {to}(i, j) = y(i, j) * 0.25; end, end, end"),
            "number" => "w = w * 0.5 + t;".into(),
            "other" => format!("{to} = {};", pick(&["x'", "x + y(1, 2)", "x - max(y(:))", "circshift(z, 1)"])),
            _ => format!("{to} = 0.5 * {a} {} {b};", pick(&["+", "-", ".*"])),
        });
    }
    lines.push("end".into());
    lines.push(pick(&["", "x = x + z;", "y = z;"]));
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn random_loops(choices in proptest::collection::vec(any::<u8>(), 32)) {
        left(&random(&choices));
    }
}
