//! Calls that are refused, each with its reason.

use super::{compiled, messages};

fn refused(text: &str, signature: &str, message: &str) {
    let found = messages(&compiled(text, signature));
    assert_eq!(found, [message], "{text}");
}

#[test]
fn recursion_without_end() {
    let text = "function y = f(x)\ny = f(x - 1) + 1;\nend";
    refused(text, "fn f(x: f64) -> y", "M0125: `f` calls itself on every way, so it never returns");
    let text =
        "function y = f(x)\ny = g(x) + 1;\nend\nfunction y = g(x)\nif x > 1, y = f(x); return; end\ny = f(x + 1);\nend";
    refused(text, "fn f(x: f64) -> y", "M0125: `f` calls itself on every way, so it never returns");
}

#[test]
fn results_of_different_types() {
    let text = "function y = f(x)\nif x < 1, y = int8(1); else, y = f(x - 1); y = int16(2); end\nend";
    let found = messages(&compiled(text, "fn f(x: f64) -> y"));
    assert!(found[0].contains("int8") && found[0].contains("int16"), "{found:?}");
}

#[test]
fn arguments_whose_types_change_without_end() {
    let text = "function y = f(g, n)\nif n < 1, y = g(n); else, y = f(@(t) g(t) + 1, n - 1); end\nend
        function y = start(n)\ny = f(@(t) t, n);\nend";
    let message = "M0125: `f` would be compiled for too many different types of arguments";
    refused(text, "fn start(n: f64) -> y", message);
}

/// Functions of any number of arguments are expanded at each call: here a quarter of a million times.
#[test]
fn programs_that_become_too_long() {
    let levels = 9;
    let mut text = "function y = f(x)\ny = f1(x);\nend\n".to_owned();
    for level in 1..=levels {
        let sum = vec![format!("f{}(varargin{{:}})", level + 1); 4].join(" + ");
        text += &format!("function y = f{level}(varargin)\ny = {sum};\nend\n");
    }
    text += &format!("function y = f{}(x)\ny = x;\nend\n", levels + 1);
    let message = "M0157: `f` becomes too long: with its calls written out it has more than 20000 statements";
    refused(&text, "fn f(x: f64) -> y", message);
}

#[test]
fn any_number_of_arguments() {
    let text =
        "function y = f(x)\ny = g(x, x);\nend\nfunction y = g(varargin)\ny = 1;\nif nargin > 5, y = g(y); end\nend";
    refused(text, "fn f(x: f64) -> y", "M0154: `varargin` is not supported");
    let text = "function y = f(x)\ny = g(x, x);\nend\nfunction y = g(varargin)\ny = varargin{3};\nend";
    refused(text, "fn f(x: f64) -> y", "M0104: element 3 of a list that has 2");
    let text = "function y = f(x)\nc = {x, 'a'};\ny = x;\nfor k = 1:x, disp(c{k + 1}); end\nend";
    let message = "M0134: which element of the list this is must be known when compiling";
    refused(text, "fn f(x: f64) -> y", message);
    let text = "function varargout = f(x)\nvarargout{1} = x;\nend";
    let found = messages(&compiled(text, "fn f(x: f64)"));
    assert_eq!(found, ["M0154: `varargout` is not supported"]);
}

#[test]
fn questions_about_other_things_than_variables() {
    let text = "function y = f(x)\ny = exist('f') + exist('x') + exist('z');\nend";
    refused(text, "fn f(x: f64) -> y", "M0142: `exist` cannot be compiled here: the name is that of a function");
}

#[test]
fn mistakes_inside_are_reported_once() {
    let text = "function y = f(x)\nif x < 1, y = 0; else, y = f(x - 1) + sum(ones(2, 3) * ones(2, 3)); end\nend
        function [a, b] = start(x)\na = f(x); b = f(2 * x);\nend";
    let found = messages(&compiled(text, "fn start(x: f64) -> (a, b)"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("M0102"), "{found:?}");
}
