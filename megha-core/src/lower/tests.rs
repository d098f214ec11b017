//! Programs whose sizes only the run knows, against what Octave prints (`tests/make.sh`), and how they are lowered.

use crate::diag::render_all;
use crate::driver::{Job, Outcome, Signature, compile_statements};
use crate::interp::{self, Options};
use crate::ir::{FuncId, Module, Op, Region};
use crate::matlab::ast::Name;
use crate::source::{SourceMap, Span};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower/tests")
}

/// A script as a function of nothing.
fn script(job: Job) -> Outcome {
    let span = Span::new(job.main, 0, 0);
    let function = Name { text: "script".into(), span };
    let (params, results) = (Vec::new(), Some(Vec::new()));
    compile_statements(job, Signature { visibility: String::new(), function, rename: None, params, results, span })
}

fn printed(module: &Module) -> Result<String, String> {
    let mut out = Vec::new();
    interp::run(module, FuncId::new(0), Vec::new(), &Options::default(), &mut out).map_err(|e| e.message)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[test]
fn programs_print_what_octave_prints() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "m") {
            continue;
        }
        count += 1;
        let expected = fs::read_to_string(path.with_extension("txt")).unwrap();
        let outcome = script(Job::file(&path).unwrap());
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !outcome.is_ok() {
            wrong.push(format!("{name}: {}", render_all(&outcome.diags, &outcome.sources, false)));
            continue;
        }
        for (when, module) in [("before", &outcome.lowered), ("after", &outcome.module)] {
            if printed(module).as_ref() != Ok(&expected) {
                wrong.push(format!("{name} {when} the passes: {:?} instead of {expected:?}", printed(module)));
            }
        }
    }
    assert!(count >= 30 && wrong.is_empty(), "{count} programs\n{}", wrong.join("\n"));
}

fn lowered(source: &str) -> Module {
    let mut sources = SourceMap::new();
    let main = sources.add("script.m", source);
    let outcome = script(Job::text(sources, main));
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    outcome.lowered
}

fn inside_loops(region: &Region, holds: &impl Fn(&Op) -> bool) -> bool {
    region.any(|op| match op {
        Op::For { body, .. } | Op::While { body, .. } => body.any(holds),
        _ => false,
    })
}

/// Whether arrays still grow inside loops, and whether a store is still tested there.
fn in_loops(source: &str) -> (bool, bool) {
    let body = &lowered(source).funcs[0].body;
    let grows = inside_loops(body, &|op| matches!(op, Op::Resize(_)));
    (grows, inside_loops(body, &|op| matches!(op, Op::Store { checked: true, .. })))
}

#[test]
fn counted_loops_size_their_arrays_first() {
    let n = "n = numel(find([1 0 1 1]));\n";
    let hoisted = |text: &str| assert_eq!(in_loops(&format!("{n}{text}")), (false, false), "{text}");
    hoisted("for i = 1:n\n x(i) = i;\nend\nfprintf('%g', x);");
    hoisted("for i = 1:n\n for j = 1:4\n A(i, j) = i*j;\n end\nend\nfprintf('%g', A);");
    hoisted("x = [];\nfor i = n:-1:1\n x(i) = i;\nend\nfprintf('%g', x);");
    hoisted("x(1) = 1; x(2) = 1;\nfor i = 3:n\n x(i) = x(i-1) + x(i-2);\nend\nfprintf('%g', x);");
    hoisted("for i = 1:n\n A(i, :) = [i, 2*i];\nend\nfprintf('%g', A);");
    // If n is 1 nothing is stored, so the final size is not n for all n and the stores stay tested.
    assert_eq!(in_loops(&format!("{n}x = [];\nfor i = 2:n\n x(i) = i;\nend\nfprintf('%g', x);")), (false, true));
}

#[test]
fn loops_that_can_tell_the_size_grow_their_arrays() {
    let grows = |text: &str| {
        assert!(in_loops(&format!("n = numel(find([1 0 1 1]));\nx = [];\n{text}\nfprintf('%g', x);")).0, "{text}")
    };
    grows("for i = 1:n\n x(end+1) = i;\nend");
    grows("for i = 1:n\n x(i) = i + numel(x);\nend");
    grows("for i = 1:n\n if i > 2\n x(i) = i;\n end\nend");
    grows("for i = 1:n\n if i > 3, break, end\n x(i) = i;\nend");
    grows("i = 0;\nwhile i < n\n i = i + 1;\n x(i) = i;\nend");
}

#[test]
fn arrays_of_their_final_size_do_not_grow() {
    let fixed = |text: &str| {
        let text = format!("n = numel(find([1 0 1 1]));\nx = zeros(1, n);\n{text}\nfprintf('%g', x);");
        assert!(!in_loops(&text).0, "{text}");
    };
    fixed("for i = 1:n\n x(i) = i;\nend");
    fixed("i = 1;\nwhile i <= n\n x(i) = i;\n i = i + 1;\nend");
    fixed("k = 1;\nfor i = 1:9\n if k > numel(x), break, end\n x(k) = i;\n k = k + 1;\nend");
    fixed("k = sum(x) + 1;\nfor i = 1:n\n x(k) = x(k) + i;\nend");
    fixed("k = sum(x) + 1;\nfor i = 1:n\n t = x(k);\n x(k) = x(i);\n x(i) = t;\nend");
    fixed("p = find([1 0 1 1]);\nfor i = 1:n\n x(p(i)) += i;\nend");
}

#[test]
fn loops_that_stay_inside_are_not_tested() {
    let inside = |text: &str| {
        let text = format!("n = numel(find([1 0 1 1]));\nx = zeros(1, n);\n{text}\nfprintf('%g', x);");
        assert_eq!(in_loops(&text), (false, false), "{text}");
    };
    // Steps that only the run knows.
    inside("for p = 2:n\n for q = p*p:p:n\n x(q) = p;\n end\nend");
    inside("for p = 1:n\n for q = n:-p:1\n x(q) = p;\n end\nend");
    // Quotients that are rounded.
    inside("for k = 1:2:n\n x(k) = k;\nend");
    inside("for k = 2:3:n\n x(k - 1) = x(k);\nend");
    // Bounds that only fall.
    inside("m = n;\nwhile sum(x) < 9\n for k = 1:m - 1\n x(k) = x(k) + x(k + 1) + 1;\n end\n m = m - 1;\nend");
}

/// Several dimensions at once, which Octave does not have: they are as one of the array with these as one. What goes line by line takes one.
#[test]
fn functions_of_the_library_take_several_dimensions_or_say_that_they_do_not() {
    let text = |call: &str| {
        format!("a = reshape(mod((1:24) * 7, 11), 2, 3, 4);\nb = reshape(a, 6, 4);\nfprintf('%.4f ', {call});")
    };
    let print = |call: &str| printed(&lowered(&text(call)));
    for f in
        ["meansq(A, D)", "center(A, D)", "zscore(A, 0, D)", "skewness(A, 0, D)", "kurtosis(A, 0, D)", "std(A, 1, D)"]
    {
        let of = |array: &str, along: &str| print(&f.replace('A', array).replace('D', along));
        assert_eq!(of("a", "[2 1]"), of("b", "1"), "{f}");
    }
    for call in [
        "median(a, [1 2])",
        "median(b, 'all')",
        "mode(a, [1 2])",
        "quantile(a, 0.5, [1 2])",
        "flip(a, [1 2])",
        "circshift(a, 1, [1 2])",
    ] {
        let mut sources = SourceMap::new();
        let main = sources.add("script.m", text(call));
        let outcome = script(Job::text(sources, main));
        let said = render_all(&outcome.diags, &outcome.sources, false);
        assert!(!outcome.is_ok() && said.contains("only one dimension is supported"), "{call}: {said}");
    }
    assert_eq!(print("flip(a, 3)"), print("a(:, :, end:-1:1)"));
    assert_eq!(print("flip(a, 4)"), print("a"));
}

#[test]
fn all_elements_of_a_column_are_the_column() {
    let copies = |of: &str| {
        let script = format!("x = rand({of});\nfprintf('%g', sort(x(:)));");
        lowered(&script).funcs[0].body.any(|op| matches!(op, Op::Index { .. } | Op::Reshape(_)))
    };
    assert!(!copies("20, 1"));
    assert!(copies("1, 20") && copies("20, 20"));
}

#[test]
fn mistakes_end_the_program_where_it_reaches_them() {
    let count = "n = numel(find([5 0]));\n";
    let branch = "if n > 1, y = 2; else y = [1 2 3] * [4 5 6]; end\ndisp(y)\n";
    let condition = "if n > 3 || sum([1 2 3] + [1 2]) > 0, disp(1), end\n";
    let fails = |text: &str| printed(&lowered(&format!("{count}{text}"))).unwrap_err();
    assert_eq!(fails(branch), "the inner sizes of this matrix product differ: 1-by-3 times 1-by-3");
    assert_eq!(fails(condition), "the sizes of the operands of `+` never agree: 1-by-3 and 1-by-2");
}

#[test]
fn an_element_behind_the_end_of_a_list_is_an_error() {
    let source = "c = {'a', 'bb'};\nk = 2 + numel(find([1 0]));\ndisp(c{k})\n";
    let error = printed(&lowered(source)).unwrap_err();
    assert_eq!(error, "`k` is no number of an element: the list has 2");
}

#[test]
fn a_column_of_one_element_is_no_row() {
    let source = "x = find([0; 1; 0]);\nx(end + 1) = 7;\ndisp(x)\n";
    let error = printed(&lowered(source)).unwrap_err();
    assert!(error.contains("one subscript makes a row of an array of at most one element"), "{error}");
    let source = "x = find([0; 1; 1]);\nx(end + 1) = 7;\nfprintf('%d ', x)\n";
    assert_eq!(printed(&lowered(source)).unwrap(), "2 3 7 ");
}

#[test]
fn what_has_no_meaning_here_is_refused_with_its_reason() {
    let cases = [
        ("x = kron(rand(2, 2, 2), [1 2])", "`kron` takes matrices"),
        ("x = interp1([1 2], [3 4], int32(1))", "convert them with double"),
        ("x = interp1([1 2], [3 4], 1 + 2i)", "places between points are real numbers"),
        ("x = 1:3; m = rand() > 2; x(m, :) = []", "whether the only row or column is deleted"),
        ("x = mat2str('abc')", "`mat2str` writes numbers"),
    ];
    for (source, reason) in cases {
        let mut sources = SourceMap::new();
        let main = sources.add("script.m", source);
        let outcome = script(Job::text(sources, main));
        let text = render_all(&outcome.diags, &outcome.sources, false);
        assert!(!outcome.is_ok() && text.contains(reason), "{source}: {text}");
    }
}

/// Each line of `failing.lines` is a program that fails, when it runs or before, after it has printed what Octave prints.
#[test]
fn programs_fail_where_octave_does() {
    let programs = fs::read_to_string(folder().join("failing.lines")).unwrap();
    let expected = fs::read_to_string(folder().join("failing.txt")).unwrap();
    assert_eq!(programs.lines().count(), expected.lines().count());
    let mut wrong = String::new();
    for (program, expected) in programs.lines().zip(expected.lines()) {
        let mut sources = SourceMap::new();
        let main = sources.add("script.m", program);
        let outcome = script(Job::text(sources, main));
        let ends = |module: &Module| {
            let mut out = Vec::new();
            let result = interp::run(module, FuncId::new(0), Vec::new(), &Options::default(), &mut out);
            let printed = String::from_utf8_lossy(&out).replace('\n', "\\n");
            match result {
                Ok(_) => format!("goes on \"{printed}\""),
                Err(failure) if failure.is_internal() => failure.to_string(),
                Err(_) => format!("fails \"{printed}\""),
            }
        };
        let found = if outcome.is_ok() {
            [&outcome.lowered, &outcome.module].map(ends)
        } else {
            [(); 2].map(|()| "fails \"\"".to_owned())
        };
        if found != [expected; 2] {
            wrong += &format!("{program}\n  {found:?} instead of {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
