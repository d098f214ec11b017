//! Statements and functions: the canonical text of what was parsed.

use super::{parse_correct, without_spans};
use crate::matlab::ast::{ArgumentsKind, ExprKind, Program, StmtKind};
use crate::matlab::print;

/// The text printed back, which must parse to the same tree.
fn printed(text: &str) -> String {
    let program = parse_correct(text);
    let canonical = print(&program);
    assert_eq!(without_spans(&parse_correct(&canonical)), without_spans(&program), "{canonical}");
    canonical
}

#[test]
fn one_line_statements() {
    for (text, expected) in [
        ("x", "x\n"),
        ("x;", "x;\n"),
        ("x = 1, y = 2; z", "x = 1\ny = 2;\nz\n"),
        ("x += 2; x ^= 2, x++; x--", "x += 2;\nx ^= 2\nx += 1;\n+x\nx -= 1;\n"),
        ("[a, ~] = f(b);[q ~]=g", "[a, ~] = f(b);\n[q, ~] = g\n"),
        ("[a] = f(1)", "[a] = f(1)\n"),
        ("[a b] == c", "[a, b] == c\n"),
        ("x(end+1, :) = []", "x(end + 1, :) = []\n"),
        ("s.a(2).b{3}.(n) = 1;", "s.a(2).b{3}.(n) = 1;\n"),
        ("s.end = 1;", "s.end = 1;\n"),
        ("if a, b, end", "if a\n    b\nend\n"),
        ("if a b = 1; end", "if a\n    b = 1;\nend\n"),
        ("if (a) b = 1; else c = 2; end", "if a\n    b = 1;\nelse\n    c = 2;\nend\n"),
        ("for k=1:3 k, end", "for k = 1:3\n    k\nend\n"),
        ("for (k = 1:3) k; endfor", "for k = 1:3\n    k;\nend\n"),
        ("for k = (1:3)', end", "for k = (1:3)'\nend\n"),
        ("parfor (k = 1:3, 4)\nend", "parfor k = 1:3\nend\n"),
        ("while a < 3; a++; endwhile", "while a < 3\n    a += 1;\nend\n"),
        ("do x--; until x < 0", "do\n    x -= 1;\nuntil x < 0\n"),
        ("do = 3; until = do + 1;", "do = 3;\nuntil = do + 1;\n"),
        ("global a b\npersistent n = 0", "global a b;\npersistent n = 0;\n"),
        ("try, a; catch err\n b; end", "try\n    a;\ncatch err\n    b;\nend\n"),
        ("try a; end_try_catch", "try\n    a;\ncatch\nend\n"),
        ("x = @sin; y = @(a, ~) a + 1;", "x = @sin;\ny = @(a, ~) a + 1;\n"),
        ("a.b'", "a.b'\n"),
        ("x.' ; y", "x.';\ny\n"),
        ("return", "return;\n"),
        ("% only a comment\n\n# another", ""),
        ("%{\nx = 1\n%{\nnested\n%}\n%}\ny = 2;", "y = 2;\n"),
        ("x = [1, ... one\n  2]; % two", "x = [1, 2];\n"),
        ("x = 1 + ...\n    2;", "x = 1 + 2;\n"),
        ("\u{feff}x = 1;\r\ny = 2;\r\n", "x = 1;\ny = 2;\n"),
    ] {
        assert_eq!(printed(text), expected, "{text}");
    }
}

#[test]
fn command_syntax_follows_matlabs_rule() {
    for (text, expected) in [
        ("hold on", "hold on;\n"),
        ("format long; x = 1;", "format long;\nx = 1;\n"),
        ("clear a b, close all % c", "clear a b;\nclose all;\n"),
        ("clear -all", "clear -all;\n"),
        ("disp 'two words' x", "disp 'two words' x;\n"),
        (r#"disp "a\nb""#, "disp \"a\\nb\";\n"),
        ("a -1", "a -1;\n"),
        ("a - 1", "a - 1\n"),
        ("variable s(n, 1), x = 1;", "variable 's(n, 1)';\nx = 1;\n"),
        ("close all) b", "close 'all)' b;\n"),
        ("a -1; a = 2;", "a -1;\na = 2;\n"),
        ("a = 2; a -1", "a = 2;\na - 1\n"),
        ("a = 2; a (1)", "a = 2;\na(1)\n"),
        ("[p, q] = f(1); q -1", "[p, q] = f(1);\nq - 1\n"),
        ("f (1)", "f(1)\n"),
        ("f ==1", "f '==1';\n"),
        ("f == 1", "f == 1\n"),
        ("a ;", "a;\n"),
        ("if x, hold on, end", "if x\n    hold on;\nend\n"),
        ("try hold on, catch, end", "try\n    hold on;\ncatch\nend\n"),
        ("clc", "clc\n"),
    ] {
        assert_eq!(printed(text), expected, "{text}");
    }
    let function = printed("function y = f(x)\ny = 1;\nx -1\nend");
    assert_eq!(function, "function y = f(x)\n    y = 1;\n    x - 1\nend\n");
}

#[test]
fn switch_and_unwind() {
    let text = "switch x\n\n% c\ncase {1, 'a'}\n y = 1;\ncase 2, y = 2;\notherwise\n y = 3;\nendswitch";
    let expected = "switch x\n    case {1, 'a'}\n        y = 1;\n    case 2\n        y = 2;\n    \
                    otherwise\n        y = 3;\nend\n";
    assert_eq!(printed(text), expected);
    let text = "unwind_protect\n a;\nunwind_protect_cleanup\n b;\nend_unwind_protect";
    assert_eq!(printed(text), "unwind_protect\n    a;\nunwind_protect_cleanup\n    b;\nend_unwind_protect\n");
}

#[test]
fn functions_with_and_without_end() {
    let expected = "function [a, b] = f(x, ~, varargin)\n    a = x;\nend\n\nfunction g()\n    h(1);\nend\n";
    for text in [
        "function [a, b] = f (x, ~, varargin)\na = x;\nend\nfunction g\nh(1);\nend",
        "function [a b] = f(x,~,varargin) % doc\na = x;\n\nfunction g()\nh(1);\n",
        "function [a, b] = f(x, ~, varargin)\na = x;\nendfunction\nfunction g h(1);\nendfunction\n",
    ] {
        assert_eq!(printed(text), expected, "{text}");
    }
}

#[test]
fn script_statements_and_nested_functions_are_told_apart() {
    let program = parse_correct("x = f(1);\nfunction y = f(a)\ny = g();\nfunction z = g()\nz = a;\nend\nend\ndisp(x)");
    let Program { functions, script } = &program;
    assert_eq!((functions.len(), script.len(), functions[0].nested.len()), (1, 2, 1));
    assert!(script[1].prints && !script[0].prints);
}

#[test]
fn arguments_blocks() {
    let text = "function y = f(a, x, o)\n% doc\narguments\n  a  (1,1) double\n  x  (n+1,:) double {mustBePositive, \
                mustBeMember(x, [1 2])} = 3 % c\n  o\nend\narguments (Output)\n  y (:,1) single\nend\narguments = 3;\ny = a;\nend";
    let expected = "function y = f(a, x, o)\n    arguments\n        a (1, 1) double\n        x (n + 1, :) double \
                    {mustBePositive, mustBeMember(x, [1, 2])} = 3\n        o\n    end\n    arguments (Output)\n        \
                    y (:, 1) single\n    end\n    arguments = 3;\n    y = a;\nend\n";
    assert_eq!(printed(text), expected);
    let blocks = &parse_correct(text).functions[0].arguments;
    assert_eq!([blocks[0].kind, blocks[1].kind], [ArgumentsKind::Input, ArgumentsKind::Output]);
    let plain = printed("function f(n)\narguments\n n double\n m uint8 = 3\nend\nend");
    assert!(plain.contains("n double\n        m uint8 = 3\n"), "{plain}");
}

#[test]
fn spans_cover_their_text() {
    let text = "yy = (a + b) * c(end);";
    let program = parse_correct(text);
    let slice = |span: crate::source::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(slice(program.script[0].span), "yy = (a + b) * c(end)");
    let StmtKind::Assign { target, value, .. } = &program.script[0].kind else { panic!("{program:?}") };
    assert_eq!(slice(target.span), "yy");
    let ExprKind::Binary { lhs, rhs, .. } = &value.kind else { panic!("{value:?}") };
    assert_eq!((slice(value.span), slice(lhs.span), slice(rhs.span)), ("(a + b) * c(end)", "(a + b)", "c(end)"));
}

#[test]
fn two_hundred_lines_parse_quickly() {
    let text = "y(2:end-1) = a .* (x(3:end) - 2*x(2:end-1) + x(1:end-2))' + exp(-b);\n".repeat(200);
    let started = std::time::Instant::now();
    let program = parse_correct(&text);
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    assert_eq!(program.script.len(), 200);
    assert!(milliseconds < 100.0, "{milliseconds} ms");
}
