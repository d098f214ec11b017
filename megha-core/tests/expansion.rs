//! Loops over rows and columns that work on whole rows: what expansion makes of them gives the same bits, in any order of a kernel's points.

use std::fmt::Write;

use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, compile};
use megha_core::interp::{self, Datum, Failure, Options, Order};
use megha_core::ir::{FuncId, Module, Op, Region};
use megha_core::kernels::doall;
use megha_core::source::SourceMap;

fn compiled(text: &str) -> Outcome {
    let mut sources = SourceMap::new();
    let main = sources.add("f.m", text);
    let outcome = compile(Job::text(sources, main));
    assert!(outcome.is_ok(), "{}\n{text}", render_all(&outcome.diags, &outcome.sources, false));
    outcome
}

fn expanded(outcome: &Outcome) -> usize {
    let reports = outcome.log.loops.iter().flat_map(|(_, reports)| reports);
    reports.filter(|report| report.outcome == doall::Outcome::Expanded).count()
}

fn kernels(region: &Region) -> usize {
    let nested = |op: &Op| op.regions().into_iter().map(kernels).sum::<usize>();
    region.stmts.iter().map(|s| if matches!(s.op, Op::Kernel(_)) { 1 } else { nested(&s.op) }).sum()
}

fn has_loops(region: &Region) -> bool {
    region.stmts.iter().any(|stmt| match &stmt.op {
        Op::Kernel(_) => false,
        Op::For { .. } | Op::While { .. } => true,
        op => op.regions().into_iter().any(has_loops),
    })
}

/// Numbers whose sums depend on the order in which they are added.
fn noise(count: usize, salt: usize) -> Vec<f64> {
    (0..count).map(|k| ((k * 7919 + salt * 104_729) % 10_007) as f64 / 997.0 - 4.3).collect()
}

/// The bits of all results, or what went wrong.
fn call(module: &Module, (n, m): (usize, usize), order: Order) -> Result<Vec<Vec<u64>>, Failure> {
    let matrix = |salt| Datum::doubles(&[n, m], noise(n * m, salt)).unwrap();
    let row = Datum::doubles(&[1, m], noise(m, 3)).unwrap();
    let options = Options { order, ..Options::default() };
    let results = interp::run(module, FuncId::new(0), vec![matrix(1), matrix(2), row], &options, &mut Vec::new())?;
    let bits = |datum: &Datum| {
        (0..datum.numel())
            .map(|at| match datum.get(at) {
                Some(interp::Scalar::Double(x)) => x.to_bits(),
                other => panic!("a result of another class: {other:?}"),
            })
            .collect()
    };
    Ok(results.iter().map(bits).collect())
}

/// The module before the passes and after them do the same.
fn agree(outcome: &Outcome, sizes: (usize, usize), text: &str) {
    let before = call(&outcome.lowered, sizes, Order::Forward);
    for order in [Order::Forward, Order::Shuffled(17)] {
        let after = call(&outcome.module, sizes, order);
        match (&before, &after) {
            (Ok(before), Ok(after)) => assert_eq!(before, after, "{sizes:?}\n{text}\n{}", outcome.module),
            (Err(before), Err(after)) => assert_eq!(before.message, after.message, "{sizes:?}\n{text}"),
            _ => panic!("{sizes:?}: {before:?} and {after:?}\n{text}\n{}", outcome.module),
        }
    }
}

const SIZES: [(usize, usize); 6] = [(3, 5), (5, 3), (1, 4), (4, 1), (0, 3), (40, 37)];

/// `f` of two matrices and a row.
fn function(body: &str) -> String {
    format!(
        "function [y, z] = f(a, b, v)\n% megha: fn f(a: f64[n, m], b: f64[n, m], v: f64[1, m])\n\
         [n, m] = size(a);\ny = b;\nz = zeros(n, 1);\n{body}end\n"
    )
}

#[test]
fn rows_are_the_rows_of_matrices() {
    let bodies = [
        // Softmax: the largest, the sum with the powers, the quotient; the row itself is read where it is.
        ("for i = 1:n\nr = a(i, :);\ne = exp(r - max(r));\ny(i, :) = e / sum(e);\nend\n", 1, 3),
        (
            "for i = n:-1:1\ns = sum(a(i, :) .* v);\nif s > 1\ns = 1;\nend\nz(i) = s;\ny(i, :) = a(i, :) - s;\nend\n",
            1,
            3,
        ),
        // Columns.
        ("for j = 1:m\nc = a(:, j) .* b(:, j);\ny(:, j) = c / (1 + sum(c .^ 2));\nend\n", 1, 3),
    ];
    for (body, loops, most) in bodies {
        let text = function(body);
        let outcome = compiled(&text);
        assert_eq!(expanded(&outcome), loops, "{text}\n{}", outcome.module);
        assert!(kernels(&outcome.module.funcs[0].body) <= most, "{text}\n{}", outcome.module);
        assert!(!has_loops(&outcome.module.funcs[0].body), "{text}\n{}", outcome.module);
        SIZES.iter().for_each(|sizes| agree(&outcome, *sizes, &text));
    }
}

/// One iteration stores what another reads or stores, an array would grow beyond all that the loop touches, or errors would change places.
#[test]
fn other_loops_stay_loops() {
    let bodies = [
        "for i = 2:n\nr = y(i - 1, :);\ny(i, :) = r / (1 + sum(abs(r)));\nend\n",
        "for i = 1:n\nr = a(i, :);\ny(1, :) = r / (1 + sum(abs(r)));\nend\n",
        "for i = 1:n\ne = a * i;\ne = e ./ sum(e(:) .^ 2);\nz(i) = e(1) + max(e(:));\nend\n",
    ];
    for body in bodies {
        let text = function(body);
        let outcome = compiled(&text);
        assert_eq!(expanded(&outcome), 0, "{text}\n{}", outcome.module);
        SIZES[..4].iter().for_each(|sizes| agree(&outcome, *sizes, &text));
    }
}

/// A generator of numbers (D. E. Knuth's MMIX).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }
}

/// A loop over rows with a few statements about the row `r`, the number `s` and what is stored of them.
fn random_body(seed: u64) -> String {
    const RANGES: [&str; 6] = ["1:n", "1:n", "1:n", "2:n", "n:-1:1", "1:n-1"];
    const STARTS: [&str; 5] = ["a(i, :)", "a(i, :)", "y(i, :)", "b(i, :) + i", "v * a(i, 1)"];
    const STATEMENTS: [&str; 18] = [
        "r = exp(r / 8);",
        "r = r .* v + s;",
        "r = r / (1 + abs(s));",
        "r = r - a(i, :) * 0.5;",
        "r(1) = s;",
        "r(m) = r(1) * 0.25;",
        "r(1:m-1) = r(2:m);",
        "q = r; r = v; r(1) = q(m);",
        "s = sum(r);",
        "s = s + max(r) * mean(r);",
        "s = r(1) + i;",
        "s = s * b(i, m) + z(i);",
        "if s > 2\ns = 0.5;\nelse\ns = s + 1;\nend",
        "for k = 1:3\ns = s * 0.5 + k;\nend",
        "r = fliplr(r) + y(i, :);",
        "w = r' * 2; r = w';",
        "r = min(r, b(i, :));",
        "s = sum(r .* v) + sum(a(i, :) > 0);",
    ];
    const STORES: [&str; 9] = [
        "y(i, :) = r;",
        "y(i, :) = y(i, :) + r;",
        "y(i, :) = r * s;",
        "y(i, 1) = s;",
        "z(i) = s;",
        "z(i) = sum(r);",
        "y(1, :) = r;",
        "z(1) = z(1) + s;",
        "y(n + 1 - i, :) = r;",
    ];
    let mut random = Random(seed);
    (0..3).for_each(|_| _ = random.below(2));
    let mut body = format!("for i = {}\nr = {};\ns = i;\n", random.pick(&RANGES), random.pick(&STARTS));
    for _ in 0..1 + random.below(4) {
        _ = writeln!(body, "{}", random.pick(&STATEMENTS));
    }
    let likely = 5 + 4 * usize::from(random.below(6) == 0);
    for _ in 0..1 + random.below(2) {
        _ = writeln!(body, "{}", random.pick(&STORES[..likely]));
    }
    body + "end\n"
}

/// Columns for rows.
fn transposed(body: &str) -> String {
    let mut text =
        body.replace("(i, :)", "(:, i)").replace("(1, :)", "(:, 1)").replace("(n + 1 - i, :)", "(:, n + 1 - i)");
    text = text.replace("(i, 1)", "(1, i)").replace("b(i, m)", "b(m, i)").replace("fliplr", "flipud");
    text.replace("v ", "v' ").replace("= v;", "= v';").replace(".* v)", ".* v')")
}

fn check_random(seeds: std::ops::Range<u64>) -> usize {
    let mut found = 0;
    for seed in seeds {
        let rows = random_body(seed);
        // Of square matrices, whose rows are as long as their columns.
        let text = match seed % 3 {
            0 => function(&transposed(&rows)).replace("f64[n, m]", "f64[n, n]").replace("f64[1, m]", "f64[1, n]"),
            _ => function(&rows),
        };
        let outcome = compiled(&text);
        found += expanded(&outcome);
        let sizes: &[(usize, usize)] = if seed % 3 == 0 { &[(4, 4), (1, 1), (35, 35)] } else { &SIZES };
        sizes.iter().for_each(|sizes| agree(&outcome, *sizes, &text));
    }
    found
}

#[test]
fn random_loops_over_rows_keep_their_bits() {
    // The halves at the same time.
    let found = std::thread::scope(|scope| {
        let first = scope.spawn(|| check_random(0..125));
        check_random(125..250) + first.join().expect("the first half panics on its own")
    });
    assert!(found > 35, "{found} loops of 250 were expanded");
}

#[test]
#[ignore = "takes minutes; more seeds of the same"]
fn many_random_loops_over_rows_keep_their_bits() {
    println!("{} loops were expanded", check_random(250..6000));
}
