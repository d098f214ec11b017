//! What becomes of loops in order and of elements at a distance, with the values that the program has before all passes.

use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, compile, rust};
use megha_core::interp::{self, Datum, Options};
use megha_core::ir::{FuncId, Module};
use megha_core::kernels::doall::Outcome as Loop;
use megha_core::passes::{PASSES, PassLog};
use megha_core::source::SourceMap;

/// A function `f` of these parameters with types, results and body.
fn compiled(params: &str, results: &str, body: &str) -> Outcome {
    let names: Vec<&str> = params.split(", ").filter_map(|p| Some(p.split_once(": ")?.0)).collect();
    let names = names.join(", ");
    let text = format!("function [{results}] = f({names})\n% megha: fn f({params})\n{body}\nend\n");
    let mut sources = SourceMap::new();
    let main = sources.add("f.m", &text);
    let outcome = compile(Job::text(sources, main));
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    outcome
}

fn run(module: &Module, args: &[Datum]) -> String {
    let found = interp::run(module, FuncId::new(0), args.to_vec(), &Options::default(), &mut Vec::new());
    // Not by `==`, for which NaN is another than NaN, and -0 the same as 0.
    format!("{found:?}")
}

/// Which loops of a function, in the order of the text, have several iterations together.
fn together(outcome: &Outcome) -> Vec<bool> {
    let (mut module, mut log) = (outcome.lowered.clone(), PassLog::default());
    PASSES.iter().for_each(|pass| (pass.run)(&mut module, &mut log));
    log.loops[0].1.iter().map(|report| matches!(report.outcome, Loop::Jammed { .. })).collect()
}

fn noise(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|k| ((k * 7919 + seed * 104_729) % 13) as f64 - 6.0).collect()
}

fn vector(dims: [usize; 2], seed: usize) -> Datum {
    Datum::doubles(&dims, noise(dims[0] * dims[1], seed)).unwrap()
}

/// Loops of a recurrence change places if memory order is known and they go across it, which no argument that is a matrix leaves open, unless a dependence
/// would lead backwards then.
#[test]
fn rows_of_a_recurrence_go_along_memory() {
    let distance = "n = numel(a); m = numel(b);\nc = zeros(n+1, m+1);\nfor i = 1:n\nfor j = 1:m\n\
                    if a(i) == b(j)\nd = c(i, j);\nelse\nd = c(i, j) + 1;\nend\n\
                    c(i+1, j+1) = min([d, c(i, j+1) + 1, c(i+1, j) + 2]);\nend\nend";
    let columns = distance.replace("for i = 1:n\nfor j = 1:m\n", "for j = 1:m\nfor i = 1:n\n");
    let from_above = "n = numel(a); m = numel(b);\nc = a' * b;\nfor i = 2:n\nfor j = 2:m-1\n\
                      c(i, j) = 0.5 * c(i-1, j+1) + c(i, j-1) - c(i-1, j);\nend\nend";
    for (body, params, expected) in [
        (distance, "a: f64[1,n], b: f64[1,m]", [false, true]),
        (&columns, "a: f64[1,n], b: f64[1,m]", [true, false]),
        (distance, "a: f64[1,n], b: f64[1,m], x: f64[p,q]", [true, false]),
        (from_above, "a: f64[1,n], b: f64[1,m]", [true, false]),
    ] {
        let outcome = compiled(params, "c", body);
        assert_eq!(together(&outcome), expected, "{params}\n{body}\n{}", outcome.module);
        for (n, m) in [(0, 3), (1, 1), (3, 9), (8, 8), (9, 3), (17, 20), (30, 11)] {
            let mut args = vec![vector([1, n], 1), vector([1, m], 2), vector([2, 2], 3)];
            args.truncate(params.split(", ").count());
            assert_eq!(run(&outcome.module, &args), run(&outcome.lowered, &args), "{n} {m}\n{body}");
        }
    }
}

/// Wide rows are cut into strips, which run as a pipeline: with the same columns of each row if no dependence leads to a column before, else with the same times. Constant sizes
/// that are too small for two strips are not cut. Whatever the sizes, each element is computed once and behind all that it reads.
#[test]
fn rows_of_a_recurrence_are_cut_into_strips() {
    let sweep = |update: &str| format!("for i = 3:size(u, 1)-1\nfor j = 2:size(u, 2)-2\n{update}\nend\nend");
    let straight = "u(i, j) = u(i-1, j) + u(i, j-1) - 3 * u(i-1, j-1) + u(i+1, j) + i - j;";
    let slanted = "u(i, j) = u(i-1, j+1) + u(i, j-1) - 3 * u(i-2, j+1) + u(i, j+1) + i - j;";
    let farther = "u(i, j) = u(i-1, j+2) - u(i, j-1) + i;";
    for (update, first) in [(straight, "pipelined [0, "), (slanted, "pipelined [trip"), (farther, "pipelined [trip")] {
        let mut outcome = compiled("u: f64[n,m]", "u", &sweep(update));
        let text = outcome.module.to_string();
        assert!(text.contains(first), "{update}\n{text}");
        let code = rust(&mut outcome, "rt").unwrap();
        assert_eq!(code.matches(".begin(").count(), 2, "{code}");
        assert_eq!(code.matches(".next()").count(), 2, "{code}");
        for (n, m) in [(0, 0), (3, 3), (5, 2060), (16, 1030), (40, 9)] {
            let args = [vector([n, m], 1)];
            assert_eq!(run(&outcome.module, &args), run(&outcome.lowered, &args), "{n} by {m}: {update}");
        }
        let outcome = compiled("u: f64[n,1000]", "u", &sweep(update));
        let text = outcome.module.to_string();
        assert_eq!((text.contains("pipelined"), together(&outcome)), (false, vec![true, false]), "{update}\n{text}");
    }
}

/// In a loop from 1 on `i == 1` does not hold from 2 on, where the element before exists.
#[test]
fn borders_by_conditions_keep_no_test() {
    let body = "n = numel(a); m = numel(b);\nu = a' * b;\nfor i = 1:n-1\nfor j = 1:m-1\n\
                if i == 1\nleft = u(2, j);\nelse\nleft = u(i-1, j);\nend\n\
                if j ~= 1\nbelow = u(i, j-1);\nelse\nbelow = u(i, 2);\nend\n\
                u(i, j) = (left + u(i+1, j) + below + u(i, j+1)) / 4;\nend\nend";
    let outcome = compiled("a: f64[1,n], b: f64[1,m]", "u", body);
    assert_eq!(together(&outcome), [false, true], "{}", outcome.module);
    for (n, m) in [(2, 2), (9, 10), (12, 30), (30, 12)] {
        let args = [vector([1, n], 1), vector([1, m], 2)];
        assert_eq!(run(&outcome.module, &args), run(&outcome.lowered, &args), "{n} {m}");
    }
}

/// Sizes that are numbers plus something are the sizes of loops to them, too: no store in these enlarges the array.
#[test]
fn loops_to_a_size_that_was_a_number_enlarge_nothing() {
    let body = "n = round(a / h) + 1;\nu = zeros(n, n);\nfor j = 2:n-1\nfor i = 2:n-1\nu(i, j) = u(i-1, j) + u(i, j-1) + 1;\nend\nend";
    let outcome = compiled("a: f64, h: f64", "u", body);
    let text = outcome.lowered.to_string();
    assert!(!text.contains("resize") && !text.contains("rangelen"), "{text}");
    for (a, h) in [(0.0, 1.0), (1.0, 1.0), (5.2, 0.5)] {
        let args = [Datum::double(a), Datum::double(h)];
        assert_eq!(run(&outcome.module, &args), run(&outcome.lowered, &args), "{a} {h}");
    }
}

/// Elements under subscripts that are put together from ranges are read range by range, where the array of results is there already.
#[test]
fn rings_are_read_in_pieces() {
    let around = |update: &str| format!("n = numel(x); y = x; w = 2 * x;\nfor k = 1:n-1\n{update}\nend");
    let programs = [
        ("y = y + x([k+1:n, 1:k]) .* x;", true),
        ("g = x([k+1:n, 1:k]) - x; y = y + w([k+1:n, 1:k]) .* g ./ (g .^ 2 + 1) .^ 1.5;", true),
        ("q = [n-k+1:n, 1:n-k]; g = x(q); y = y - g; w = w + g .* y;", true),
        ("y = y + x([1:k, k+1:n-1, n]);", false),
        ("y = x([k+1:n, 1:k]);", false),
        // Elements of what is itself computed in pieces are read from all of it.
        ("q = [k+1:n, 1:k]; y = y + x(q); w = w + y(q);", true),
        ("g = w + x([k+1:n, 1:k]); y = y + g([k+1:n, 1:k]);", true),
        ("q = [k+1:n, 1:k]; w = w - x(q); y = w(q) .* y; w = y(q) + w;", true),
    ];
    for (update, in_pieces) in programs {
        for ty in ["f64[n,1]", "f64[1,n]"] {
            let outcome = compiled(&format!("x: {ty}"), "y, w", &around(update));
            let text = outcome.module.to_string();
            assert_eq!(!text.contains(" concat "), in_pieces, "{update}\n{text}");
            for n in [0, 1, 2, 5, 12] {
                let dims = if ty == "f64[n,1]" { [n, 1] } else { [1, n] };
                let args = [vector(dims, 4)];
                assert_eq!(run(&outcome.module, &args), run(&outcome.lowered, &args), "{n} {update}");
            }
        }
    }
}
