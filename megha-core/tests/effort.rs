//! Programs whose lines or loops double what the compiler has to do: compiled, or refused with the cause, at once.

use std::time::{Duration, Instant};

use megha_core::diag::{Code, render_all};
use megha_core::driver::{Job, compile, ptx, rust};
use megha_core::source::SourceMap;

/// Unoptimised, and beside other work: each of these took minutes or more memory than there is, where it is not said otherwise.
const AT_ONCE: Duration = Duration::from_secs(6);

/// What came of a function of a vector: nothing to say, or its messages.
fn compiled(body: &str) -> Result<(), String> {
    let text = format!("function y = f(x)\narguments\n    x (n,1) double\nend\n{body}\nend\n");
    let mut sources = SourceMap::default();
    let main = sources.add("f.m", &text);
    let begun = Instant::now();
    let outcome = compile(Job::text(sources, main));
    assert!(begun.elapsed() < AT_ONCE, "{:?} for\n{text}", begun.elapsed());
    if outcome.is_ok() {
        return Ok(());
    }
    assert!(
        outcome.diags.sorted().iter().all(|d| d.code == Code::TooLong),
        "{}",
        render_all(&outcome.diags, &outcome.sources, false)
    );
    Err(render_all(&outcome.diags, &outcome.sources, false))
}

fn refused(body: &str, cause: &str) {
    let messages = compiled(body).expect_err(body);
    assert!(messages.contains(cause), "{messages}");
}

/// A line for each number below 24, between a first and a last one.
fn lines(first: &str, line: impl Fn(usize) -> String, last: &str) -> String {
    let list: Vec<String> = (0..24).map(line).collect();
    format!("{first}\n{}\n{last}", list.join("\n"))
}

#[test]
fn what_each_line_doubles_is_too_large() {
    let too_large = "holds more than 4000 values";
    refused(
        &lines(
            "f = {@(x) x};",
            |k| format!("f{{{}}} = @(x) f{{{k1}}}(x) + f{{{k1}}}(x);", k + 2, k1 = k + 1),
            "y = f{25}(x);",
        ),
        too_large,
    );
    for line in ["c = {c, c};", "c = [c, c];"] {
        refused(&lines("c = {x, x};", |_| line.into(), "y = x;"), too_large);
    }
    refused(&lines("s.a = x;", |_| "s = struct('a', s, 'b', s);".into(), "y = x;"), too_large);
    refused(&lines("s0.a = x;", |k| format!("s{}.a = s{k}; s{}.b = s{k};", k + 1, k + 1), "y = x;"), too_large);
    refused(&lines("s = 'ab';", |_| "s = [s s];".into(), "y = x + length(s);"), too_large);
    refused("f = @(t) t; for i = 1:90, f = @(t) f(t) + 1; end, y = x;", "more than 60 in each other");
    // What does not double is no problem.
    assert_eq!(compiled(&lines("f0 = @(x) x;", |k| format!("f{} = @(x) f{k}(x) + 1;", k + 1), "y = f24(x);")), Ok(()));
}

#[test]
fn calls_and_choices_that_double_are_too_long() {
    refused(
        &lines("f0 = @(x) x;", |k| format!("f{} = @(x) f{k}(x) + f{k}(x);", k + 1), "y = f24(x);"),
        "with its function handles written out where they are called",
    );
    let all: Vec<String> = (0..24).map(|k| format!("a{k}(x)")).collect();
    refused(
        &lines(
            "",
            |k| format!("if x({}) > 0, a{k} = @sin; else a{k} = @cos; end", k + 1),
            &format!("y = {};", all.join(" + ")),
        ),
        "with each statement written out for all texts and functions that it may mention",
    );
}

/// A statement in so many loops around each other.
fn nest(depth: usize, first: &str, head: &str, body: &str) -> String {
    let heads: String = (0..depth).map(|k| head.replace('K', &k.to_string()) + "\n").collect();
    format!("y = 0;\n{first}\n{heads}{body}\n{}", "end\n".repeat(depth))
}

/// All took two to six seconds at 12 loops and were refused, for their calls, at 15.
#[test]
fn loops_around_each_other_are_compiled_at_once() {
    for head in ["for iK = 1:2", "for iK = 1:numel(x)", "while numel(y) < x(K + 1)"] {
        for (first, body) in [
            ("y = 1;", "y = [y; 1];"),
            ("y = [];", "y = [y, x(1)];"),
            ("y = 0 > 1;", "y = y + 0.5;"),
            ("y = 1;", "y = y * x;"),
            ("y = 1;", "if y > 2, y = y / 2; end"),
        ] {
            assert_eq!(compiled(&nest(15, first, head, body)), Ok(()), "{head} {body}");
        }
    }
}

#[test]
fn loops_whose_iterations_are_written_out_are_too_long() {
    refused(&nest(15, "c = {};", "for iK = 1:3", "c{end + 1} = x;"), "with the iterations of its loops written out");
    refused(
        &nest(15, "y = 1;", "for iK = 1:2", "y = int8(y) + 1;"),
        "with what its nested loops are compiled again for",
    );
}

/// The code for processors and devices of a program, made at once.
fn has_code(text: &str) {
    let mut sources = SourceMap::default();
    let main = sources.add("f.m", text);
    let begun = Instant::now();
    let mut outcome = compile(Job::text(sources, main));
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    assert!(ptx(&outcome).is_some() && rust(&mut outcome, "rt").is_some());
    assert!(begun.elapsed() < AT_ONCE, "{:?} for\n{text}", begun.elapsed());
}

#[test]
fn domains_of_any_size_and_depth_have_code() {
    has_code(
        "function y = f(x)\narguments\n    x (:,:,:,:,:,:) double\nend\ny = zeros(numel(x), 1);\n\
         for i = 1:numel(x)\n    if i >= 3\n        y(i) = x(i) + 1;\n    end\nend\nend\n",
    );
    has_code(
        "function s = f(x)\narguments\n    x (1,1) double\nend\n\
         s = sum(zeros(4000000000, 3, 4000000000) + x, 2);\nend\n",
    );
    let names: Vec<String> = (0..10).map(|k| format!("v{k}")).collect();
    let loops: String =
        names.iter().enumerate().map(|(k, v)| format!("for {v} = 1:{}\n", if k == 1 { "v0" } else { "n" })).collect();
    let subscripts = names.join(", ");
    has_code(&format!(
        "function y = f(n)\narguments\n    n (1,1) double\nend\ny = zeros({});\n{loops}y({subscripts}) = 1;\n{}end\n",
        ["n"; 10].join(", "),
        "end\n".repeat(10)
    ));
}

/// Each line uses the one before it twice. At 16 lines these took one to twelve seconds, and with each further one twice as long.
#[test]
fn conditions_and_numbers_of_loops_that_double_are_compiled_at_once() {
    for (first, line, last) in [
        ("c0 = i > j;", "cNEXT = cTHIS & cTHIS;", "if c24, y(i) = y(j) + 1; end"),
        ("c0 = i > j;", "cNEXT = cTHIS && cTHIS;", "if c24, y(i) = y(j) + 1; end"),
        ("t0 = i*numel(x) + j;", "tNEXT = mod(tTHIS + tTHIS, 7);", "if t24 > 3, y(i) = y(j) + 1; end"),
        ("t0 = i*numel(x) + j;", "tNEXT = min(tTHIS + j, tTHIS + i);", "if t24 > 3, y(i) = y(j) + 1; end"),
    ] {
        let step = |k: usize| line.replace("NEXT", &(k + 1).to_string()).replace("THIS", &k.to_string());
        let body = lines(first, step, last);
        assert_eq!(
            compiled(&format!("y = x;\nfor i = 1:numel(x)\nfor j = 1:numel(x)\n{body}\nend\nend")),
            Ok(()),
            "{line}"
        );
    }
}
