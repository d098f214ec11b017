//! The pass leaves no small array behind and changes no bit, on programs in MATLAB text.

use super::{run, shape};
use crate::interp::{Datum, Options, Scalar};
use crate::ir::{Class, Func, FuncId, Module, ParamFacts, verify::verify};
use crate::{diag, lower, matlab, source};

/// The function of a text, all of whose parameters are numbers.
fn lowered(text: &str) -> Func {
    let mut sources = source::SourceMap::new();
    let id = sources.add("f.m", text);
    let mut diags = diag::Diagnostics::new();
    let program = matlab::parse(sources.get(id).unwrap(), &mut diags);
    let scope = lower::Scope::new(&program.functions);
    let mut spans = lower::SpanTable::default();
    let function = &program.functions[0];
    let param = |_| lower::ParamSpec { class: Class::Double, dims: Vec::new(), facts: ParamFacts::default() };
    let spec = lower::EntrySpec {
        params: function.inputs.iter().map(param).collect(),
        results: vec![None; function.outputs.len()],
    };
    let func =
        lower::lower_function(function, &spec, &scope, &mut lower::Specialisations::after(1), &mut spans, &mut diags);
    func.unwrap_or_else(|| panic!("{}", diag::render_all(&diags, &sources, false))).func
}

fn small_arrays(func: &Func) -> usize {
    let mut defined = crate::hash::HashSet::default();
    func.body.defined(&mut defined);
    defined.iter().filter(|v| shape(func.ty(**v)).is_some()).count()
}

/// Runs the function before and after the pass on these numbers, and gives how many small arrays there were and are.
fn check(text: &str, args: &[&[f64]]) -> (usize, usize) {
    let before = lowered(text);
    let mut after = before.clone();
    run(&mut after);
    crate::simplify::run(&mut after); // lists of subscripts are dead now
    let counts = (small_arrays(&before), small_arrays(&after));
    let modules = [before, after].map(|func| Module::of(vec![func]));
    verify(&modules[1]).unwrap_or_else(|v| panic!("{v:?}\n{}", modules[1]));
    for numbers in args {
        let [expected, found] = modules.each_ref().map(|module| {
            let args = numbers.iter().map(|x| Datum::Scalar(Scalar::Double(*x))).collect();
            let mut printed = Vec::new();
            let values = crate::interp::run(module, FuncId::new(0), args, &Options::default(), &mut printed);
            format!("{values:?} {}", String::from_utf8_lossy(&printed))
        });
        assert_eq!(expected, found, "{numbers:?}\n{}", modules[1]);
        assert!(expected.starts_with("Ok"), "{expected}");
    }
    counts
}

const NUMBERS: &[&[f64]] =
    &[&[1.5, -2.0, 0.25], &[-0.0, -0.0, -0.0], &[f64::NAN, 3.0, f64::INFINITY], &[1e300, 1e-300, 7.0]];

#[test]
fn a_minimum_of_three_needs_no_array() {
    let text = "function [s, t, u] = f(a, b, c)
s = min([a, b, c]); t = sum([a; b; c]); u = prod([a b; c a]) * [b; c];
end";
    let (before, after) = check(text, NUMBERS);
    assert!(before >= 4);
    assert_eq!(after, 0);
}

#[test]
fn a_rotated_vector_goes_round_a_loop_as_scalars() {
    let text = "function [x, y, n] = f(a, b, c)
r = [cos(a), -sin(a); sin(a), cos(a)];
v = [b; c];
for k = 1:5
  v = r * v + 0.5 * v(end:-1:1);
  v(2) = v(2) - 1;
end
x = v(1); y = v(2); n = sqrt(sum(v .^ 2));
end";
    let (before, after) = check(text, &[&[0.3, 1.0, 2.0], &[-1.0, 0.0, 0.5]]);
    assert!(before > 5);
    assert_eq!(after, 0);
}

#[test]
fn a_loop_that_is_left_and_a_choice_carry_scalars_too() {
    let text = "function [p, q] = f(a, b, c)
v = [a, b, c];
k = 0;
while k < 10
  k = k + 1;
  if v(1) > v(2)
    v = v([1 1 1] * 0 + 1) + [3, 2, 1];
  else
    v = [v(2:3), v(1)] * 0.5;
  end
  if k == 7, break; end
end
p = v(1) - v(3);
q = any(v > 2) + all(v < 100);
end";
    check(text, &[&[1.5, -2.0, 0.25], &[5.0, 4.0, 3.0]]);
    let without_gather = text.replace("v([1 1 1] * 0 + 1)", "v");
    let (_, after) = check(&without_gather, &[&[1.5, -2.0, 0.25], &[5.0, 4.0, 3.0]]);
    assert_eq!(after, 0);
}

#[test]
fn rows_of_a_large_array_are_read_and_stored_by_elements() {
    let text = "function [s, t] = f(a, b, c)
x = a + reshape(1:60, 20, 3);
for i = 2:19
  d = x(i + 1, :) - x(i - 1, :);
  x(i, :) = x(i, :) + b * d / (c + sum(d .* d));
end
s = sum(sum(x)); t = x(7, 2);
end";
    let (before, after) = check(text, &[&[0.5, 0.25, 2.0]]);
    assert!(before > 3);
    assert_eq!(after, 1, "sum(x) alone");
}

#[test]
fn what_is_returned_or_indexed_by_data_stays_an_array() {
    let text = "function [v, w] = f(a, b, c)
v = [a, b, c];
k = 1 + (a > b);
w = v(k);
end";
    let (before, after) = check(text, NUMBERS);
    assert_eq!(before, after);
}

#[test]
fn counters_of_short_loops_name_elements() {
    let text = "function [p, q] = f(a, b, c)
x = a + reshape(1:60, 20, 3);
p = 0; q = 0;
for i = 2:19
  d = zeros(1, 3); m = ones(2, 2);
  for k = 1:3
    d(k) = x(i + 1, k) - b * x(i - 1, k);
    if k > 1, d(k) = d(k) * c; end
  end
  for r = 1:2
    for s = 1:2
      m(r, s) = m(r, s) + d(r + s - 1);
    end
  end
  p = p + d(1) - d(3); q = q + m(1, 2) * m(2, 1);
end
end";
    let (before, after) = check(text, &[&[0.5, 0.25, 2.0], &[-1.0, 0.0, 3.0]]);
    assert!(before > 5);
    assert_eq!(after, 0);
}

#[test]
fn loops_that_are_left_or_long_stay() {
    let text = "function s = f(a, b, c)
v = [a, b, c]; s = 0;
for k = 1:3
  if v(k) > 1, break; end
  s = s + v(k);
end
end";
    let (before, after) = check(text, NUMBERS);
    assert_eq!(before, after);
    let long = text.replace("break; end", &format!("{}end", "s = s * 0.5 + v(k); ".repeat(60)));
    let (before, after) = check(&long, &[&[1.5, -2.0, 0.25]]);
    assert_eq!(before, after);
}
