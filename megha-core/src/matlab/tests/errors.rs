//! Every kind of syntax error: its number, its place, and that nothing else is reported with it.

use super::{parse_text, without_spans};
use crate::diag::{Code, render_all};

/// `code@line:col` of each diagnostic.
fn found(text: &str) -> String {
    let (_, diagnostics, sources) = parse_text(text);
    let one = |d: &&crate::diag::Diagnostic| {
        format!("{}@{}", d.code.number(), sources.describe(d.span).trim_start_matches("t.m:"))
    };
    diagnostics.sorted().iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn each_mistake_is_reported_once_where_it_is() {
    let mut wrong = String::new();
    for (text, expected) in [
        ("x = 'abc;\ny = 1;", "2@1:5"),
        ("x = \"abc;\ny = 1;", "2@1:5"),
        ("%{\nabc\n", "3@1:1"),
        ("x = 3 $ 4;\ny = 1 $;", "4@1:7 4@2:7"),
        ("x = 3 × 4;", "4@1:7"),
        ("x = ‘abc’;", "4@1:5 4@1:9"),
        ("x = 2x;", "5@1:5"),
        ("x = 1; // one", "6@1:8"),
        ("/* one */ x = 1;", "6@1:1"),
        ("x = foo(bar(1);\ny = 2;", "7@1:8"),
        ("x = [1 2\ny = 3;\n", "7@1:5"),
        ("x = [1 2\nif x\nend\n", "7@1:5"),
        ("x = (1 + [2 3);", "7@1:10"),
        ("x = 1);", "8@1:6"),
        ("x = [1, 2)];", "8@1:10"),
        ("x = 3 + ;", "9@1:9"),
        ("x = 3 +\ny = 1;", "9@1:8"),
        ("x = f(1,,2);", "9@1:9"),
        ("x = f(1,);", "9@1:9"),
        ("x = f(1;2);", "10@1:8"),
        ("x = 3 4;", "10@1:7"),
        ("x = a b;", "10@1:7"),
        ("a + 1 = 3;", "11@1:1"),
        ("[a, 1] = f(x);", "11@1:5"),
        ("if x = 3\n y = 1;\nend", "12@1:6"),
        ("while (x = 3)\nend", "12@1:10"),
        ("x = y(1) = 3;", "12@1:10"),
        ("for i = 1:3\n x = i;\n", "13@1:1"),
        ("if a\n  for i = 1:3\n    b\nend\n", "13@2:3"),
        ("x = 1;\nend\n", "14@2:1"),
        ("for i = 1:3\nendwhile\n", "15@2:1"),
        ("else\nx = 1;", "16@1:1"),
        ("case 3\nx = 1;", "16@1:1"),
        ("x = for + 1;", "16@1:5"),
        ("if a\nelse\nelse\nend", "16@3:1"),
        ("x = end;", "16@1:5"),
        ("x = [1 end];", "18@1:8"),
        ("x = (:);", "19@1:6"),
        ("for (i = 0; i < n; i++)\n x = i;\nend", "20@1:11"),
        ("for i in 1:3\nend", "20@1:7"),
        ("function f(x) = 3\nend", "21@1:15"),
        ("f = @(a, b = 2) a + b;", "21@1:10"),
        ("x = f(1, 2\ny = 3;", "7@1:6"),
        ("x = f(1,\ny = 3;", "7@1:6"),
        ("function = f(x)\nend", "10@1:10"),
        ("function y = f(x)\narguments\n x (1,1) double wrong\nend\ny = x;\nend", "22@3:17"),
        ("function y = f(x)\narguments\n x (n) double\nend\ny = x;\nend", "22@3:6"),
        ("function y = f(x)\narguments\n x.a (1,1) double\nend\ny = x;\nend", "22@3:2"),
        ("% c\nclassdef A\n properties\n x $\n end\nend", "23@2:1"),
        ("x = f(a = 1);", "24@1:9"),
        ("x = a ? b : c;", "25@1:7"),
        ("x = a =< b;\ny = a <> b;", "25@1:7 25@2:7"),
        ("let x = 3;\nint y=3;", "26@1:1 26@2:1"),
        ("x = \"a\\qb\";", "27@1:7"),
        ("spmd\n x = 1;\nend\ny = 2;", "28@1:1"),
        ("if (x) {\n y = 1;\n} else {\n y = 2;\n}\nz = 3;", "8@1:8 8@3:8"),
        ("switch x\n y = 1;\n case 1\nend", "10@2:2"),
        ("function f\nif x\n y = 1;\nend\nfunction g\nz = 1;\nend\nend\nfunction h\nend\n", ""),
    ] {
        if found(text) != expected {
            let (_, diagnostics, sources) = parse_text(text);
            let all = render_all(&diagnostics, &sources, false);
            wrong += &format!("{text}\nexpected {expected}, found {}\n{all}\n", found(text));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn several_mistakes_are_found_in_one_go() {
    let text = "function y = f(x)\n  y = (x + 1;\n  for i = 1:3\n    y = y +* 2;\n  end\n  z = 'open;\n\
                end\nfunction g()\n  a = [1 2;\n  b = 3 3;\nend\n";
    assert_eq!(found(text), "7@2:7 9@4:12 2@6:7 7@9:7 10@10:9");
}

#[test]
fn missing_end_names_the_block_that_its_indentation_betrays() {
    let text = "function y = f(x)\n  for i = 1:3\n    if x\n      y = 1;\n  end\nend\n\
                function z = g(x)\n  z = x;\nend\n";
    assert_eq!(found(text), "13@3:5");
    let (_, diagnostics, _) = parse_text(text);
    assert!(diagnostics.sorted()[0].notes[0].1.contains("outer block"));
    let text = "if a\n  b;\nelse if c\n  d;\nend\n";
    let (_, diagnostics, _) = parse_text(text);
    assert!(diagnostics.sorted()[0].help.as_ref().is_some_and(|help| help.contains("elseif")));
}

#[test]
fn correct_statements_around_a_mistake_are_kept() {
    let (broken, ..) = parse_text("x = 1;\ny = );\nif z = 3\n w = 2;\nend\nv = 4;\n");
    let (correct, ..) = parse_text("x = 1;\nv = 4;\n");
    assert_eq!(without_spans(&broken), without_spans(&correct));
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let deep = 100_000;
    for text in [
        format!("x = {}1{};", "(".repeat(deep), ")".repeat(deep)),
        format!("x = {}1;", "[".repeat(deep)),
        format!("x = {}1;", "-".repeat(deep)),
        format!("x = {}1;", "@(a) ".repeat(deep)),
        format!("x = 1{};", "+1".repeat(deep)),
        format!("x = a{};", "'".repeat(deep)),
        format!("x = a{};", "(1)".repeat(deep)),
        format!("x = 2{};", "^-1".repeat(deep)),
        "if x\n".repeat(deep),
        "if x\nelse ".repeat(deep),
        "function f\n".repeat(deep) + &"end\n".repeat(deep),
        "do\n".repeat(deep),
    ] {
        let (_, diagnostics, _) = parse_text(&text);
        let codes: Vec<Code> = diagnostics.sorted().iter().map(|d| d.code).collect();
        assert_eq!(codes, [Code::NestingTooDeep], "{}", &text[..40]);
    }
}

#[test]
fn an_end_without_an_array_is_named() {
    for text in ["y = [1 2 end];", "y = (end + 1);"] {
        let (_, diagnostics, _) = parse_text(text);
        let codes: Vec<Code> = diagnostics.sorted().iter().map(|d| d.code).collect();
        assert_eq!(codes, [Code::EndOutsideIndex], "{text}");
    }
}

#[test]
fn a_file_may_be_too_large() {
    let (_, diagnostics, _) = parse_text(&"%".repeat((16 << 20) + 1));
    let codes: Vec<Code> = diagnostics.sorted().iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::SourceTooLarge]);
}

#[test]
fn wide_programs_are_no_problem() {
    let wide = 20_000;
    for text in [
        format!("x = [{}];", "1 ".repeat(wide)),
        format!("x = f({}1);", "1, ".repeat(wide)),
        format!("if a\n{}end", "elseif b\n".repeat(wide)),
        "x = 1; ".repeat(wide),
        "(1+2)*3;\n".repeat(wide),
    ] {
        let (_, diagnostics, _) = parse_text(&text);
        assert!(diagnostics.is_empty(), "{:?}", diagnostics.sorted()[0]);
    }
}

#[test]
fn time_grows_linearly_with_hostile_text() {
    let large = 200_000;
    let started = std::time::Instant::now();
    for piece in ["(", ")", "[", "]", "'", "[)", "a=", "if ", "end ", "function ", "%{\n", "...\n", "{\n", "\u{e9} "] {
        let (_, diagnostics, _) = parse_text(&piece.repeat(large));
        assert!(!diagnostics.is_empty() || ["...\n", "'"].contains(&piece), "{piece}");
    }
    let seconds = started.elapsed().as_secs_f64();
    assert!(seconds < 20.0, "{seconds} s: quadratic work");
}
