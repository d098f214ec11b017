//! What recursive functions become.

use super::{compiled, messages, row, run};
use megha_core::interp::Datum;

/// Names of the module's functions with the types of parameters and results.
fn heads(outcome: &megha_core::driver::Outcome) -> Vec<String> {
    let text = outcome.lowered.to_string();
    text.lines().filter(|l| l.starts_with("func")).map(|l| l.trim_end_matches(" {").replace("func ", "")).collect()
}

const SUM: &str = "function [s, t] = f(x)
  s = total(x); t = total(3);
end
function s = total(x)
  if numel(x) <= 1, s = 0;
  else, s = x(1) + total(x(2:end)); end
end";

#[test]
fn one_function_for_each_kind_of_arguments() {
    let outcome = compiled(SUM, "fn f(x: f64[1, n]) -> (s, t)");
    assert_eq!(run(&outcome, &[row(&[1.0, 2.0, 4.0, 8.0])]).unwrap(), [7.0, 0.0]);
    // The row of any length serves all its own calls.
    let heads = heads(&outcome);
    assert_eq!(heads.len(), 3, "{heads:?}");
    assert!(heads[1].contains("f64[1, x_2]") && heads[2].contains("(%0:x: f64)"), "{heads:?}");
}

#[test]
fn equal_sizes_stay_equal() {
    let text = "function y = f(a, b, n)
      if n < 1, y = a + b; else, y = f(b, a + b, n - 1); end
    end";
    let outcome = compiled(text, "fn f(a: f64[m, 1], b: f64[m, 1], n: f64) -> y: f64[m, 1]");
    let column = |list: &[f64]| Datum::doubles(&[2, 1], list.to_vec()).unwrap();
    let args = [column(&[1.0, 2.0]), column(&[1.0, 3.0]), Datum::double(3.0)];
    assert_eq!(run(&outcome, &args).unwrap(), [8.0, 21.0]);
    assert!(!outcome.lowered.to_string().contains("same_size"), "{}", outcome.lowered);
}

#[test]
fn the_class_of_a_result_is_that_of_all_ways() {
    // `true` on the way that is known first, a number on the other.
    let text = "function r = f(n)
      if n <= 0, r = true; else, r = 1 + f(n - 1); end
    end";
    let outcome = compiled(text, "fn f(n: f64) -> r: f64");
    assert_eq!(run(&outcome, &[Datum::double(3.0)]).unwrap(), [4.0]);
}

#[test]
fn results_that_are_left_out_and_arguments_that_are_not_given() {
    let text = "function [a, b, c, d] = f(n)
      a = g(n);
      [~, b] = g(n, 2);
      [c, ~] = g(n);
      d = h(n);
    end
    function [p, q] = g(n, step)
      if nargin < 2, step = 1; end
      if n <= 0, p = 0; q = nargout; return; end
      [p, q] = g(n - step, step);
      p = p + n;
    end
    function r = h(~, n)
      if exist('n', 'var'), r = n; else, r = h(1, 5); end
    end";
    let outcome = compiled(text, "fn f(n: f64) -> (a, b, c, d)");
    // What Octave prints for [a, b, c, d] = f(4).
    assert_eq!(run(&outcome, &[Datum::double(4.0)]).unwrap(), [10.0, 2.0, 10.0, 5.0]);
}

#[test]
fn functions_by_name_and_as_values() {
    let text = "function [a, b, c] = f(x)
      k = 3;
      a = apply(@(t) k * t, x, 2);
      b = apply(@double_it, x, 3);
      c = feval('apply', 'double_it', x, 1);
    end
    function y = apply(g, x, times)
      if times < 1, y = x; else, y = apply(g, feval(g, x), times - 1); end
    end
    function y = double_it(x)
      y = 2 * x;
    end";
    let outcome = compiled(text, "fn f(x: f64) -> (a, b, c)");
    assert_eq!(run(&outcome, &[Datum::double(5.0)]).unwrap(), [45.0, 40.0, 10.0]);
}

/// Each function calls the one below four times; expanded in place this would be a million statements.
#[test]
fn code_that_would_grow_without_bound_is_called() {
    let levels = 9;
    let mut text = "function y = f(x)\ny = f1(x);\nend\n".to_owned();
    for level in 1..levels {
        let next = level + 1;
        text += &format!(
            "function y = f{level}(x)\ny = f{next}(x) + f{next}(x + 1) + f{next}(x + 2) + f{next}(x + 3);\nend\n"
        );
    }
    text += &format!("function y = f{levels}(x)\ny = x;\nend\n");
    let outcome = compiled(&text, "fn f(x: f64) -> y");
    assert_eq!(messages(&outcome), [""; 0]);
    assert!(outcome.lowered.to_string().lines().count() < 25_000);
    let calls = f64::from(4_u32.pow(levels - 1));
    let added = 1.5 * calls * f64::from(levels - 1);
    assert_eq!(run(&outcome, &[Datum::double(0.0)]).unwrap(), [added]);
}
#[test]
fn a_size_of_its_own_is_returned_with_the_result() {
    let text = "function y = f(x, n)
      y = pad(x, n);
      y = [y, 0];
    end
    function y = pad(x, n)
      if n <= 0, y = zeros(1, 2*numel(x) + 1); else, y = 1 + pad(x, n - 1); end
    end";
    let outcome = compiled(text, "fn f(x: f64[1, m], n: f64) -> y: f64[1, :]");
    assert_eq!(run(&outcome, &[row(&[5.0]), Datum::double(2.0)]).unwrap(), [2.0, 2.0, 2.0, 0.0]);
}
