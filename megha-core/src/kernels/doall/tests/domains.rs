//! Domains with bounds: triangles, trapezoids and bands are kernels of as many loops as the nest has.

use super::*;
use crate::kernels::counters;
use crate::schedule::domain;
use proptest::prelude::*;

/// The domain of the only kernel, and its bounds: functions of the loops' numbers that are not negative.
fn shape(case: &Case) -> (String, Vec<String>) {
    let mut func = case.after.clone();
    counters::run(&mut func);
    let mut found = Vec::new();
    collect(&func, &func.body, &mut found);
    assert_eq!(found.len(), 1, "{func}");
    found.remove(0)
}

fn collect(func: &Func, region: &Region, found: &mut Vec<(String, Vec<String>)>) {
    for stmt in &region.stmts {
        if let Op::Kernel(kernel) = &stmt.op {
            let sizes: Vec<String> = kernel.domain.iter().map(|d| func.symbols.show(d)).collect();
            let bound = |b: &crate::schedule::access::Affine| {
                let numbers = b.coeffs.iter().zip(["i", "j", "k"]).filter(|(c, _)| **c != 0);
                let mut text: Vec<String> = numbers.map(|(c, name)| format!("{c}{name}")).collect();
                text.push(func.symbols.show(&b.size));
                assert!(b.uniform.is_empty());
                text.join(" + ")
            };
            found.push((sizes.join(", "), domain::of(func, kernel).bounds.iter().map(bound).collect()));
        }
        stmt.op.regions().into_iter().for_each(|r| collect(func, r, found));
    }
}

fn has_shape(text: &str, params: &[&str], domain: &str, bounds: &[&str]) -> Case {
    let case = case(text, params);
    let (found, list) = shape(&case);
    assert_eq!((found.as_str(), &list[..]), (domain, &bounds.iter().map(ToString::to_string).collect::<Vec<_>>()[..]));
    case
}

const SIZES: [usize; 5] = [0, 1, 2, 3, 7];

fn squares() -> Vec<Vec<Datum>> {
    SIZES.iter().map(|n| vec![array(&[*n, *n], 3)]).collect()
}

#[test]
fn triangle_is_one_kernel() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
    for j = 1:i
        a(i, j) = 2 * a(i, j);
    end
end
end
";
    case(text, &["n,n"])
        .kernels(&[(2, &[false])])
        .reports(expect![[r#"
            loop over i: parallel, loop 0 of kernel 0
            loop over j: parallel, loop 1 of kernel 0
        "#]])
        .text(expect![[r#"
            func @f(%0:a: f64[n, n]) -> (a: f64[n, n]) {
              sym n = dim 0 0, >= 0
              sym v7 = value %7, >= 0, <= n - 1
              sym v14 = value %14, >= 0, <= v7
              sym number3 = value %24, >= 0, <= n - 1
              %23:a: f64[n, n] = kernel 0 over [n, n] into (update %0) |%7: index, %24: index| !2 {
                %25: index = size v7 + 1 !2
                %26: bool = lt %24, %25 !2
                if %26 !2 {
                  %18: f64 = const 2.0 !3
                  %19: f64 = load out0[%7, %24] !4
                  %20: f64 = mul %18, %19 !5
                  put out0[%7, %24] = %20 !6
                  yield
                }
                yield
              }
              return %23
            }
        "#]])
        .same_results(&squares());
}

/// The loop over `j` counts what the subscript is, not from its start.
/// Of a read whose value nobody uses only the bounds are tested, before the nest.
#[test]
fn reads_for_nothing_do_not_part_a_nest() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
    for j = 1:n
        a(i, j) = 2 * a(i, j);
    end
    t = a(i, 1);
end
end
";
    has_shape(text, &["n,n"], "n, n", &[]).same_results(&squares());
}

/// The loops change places; the read of an element that only iterations of the outer one show to exist stays in that.
#[test]
fn reads_stay_where_their_elements_exist() {
    let text = "function y = f(y, w)
for k = 1:numel(w)
    x = w(1);
    for i = 1:numel(y)
        y(i) = y(i) * 0.5 + x;
    end
end
end
";
    let inputs = [(3, 0), (3, 2), (0, 2), (0, 0)].map(|(n, m)| vec![array(&[n, 1], 1), array(&[m, 1], 2)]);
    case(text, &["n,1", "m,1"]).kernels(&[(1, &[false])]).same_results(&inputs);
}

/// Of an array that the body makes no last value is computed behind the loop.
#[test]
fn last_values_of_arrays_of_the_body() {
    let text = "function [t, y] = f(X, Y, c)
n = numel(X);
y = zeros(n, 1);
t = 0;
for i = 1:n
    if c > i
        B = X;
    else
        B = Y;
    end
    t = B(i);
    y(i) = t;
end
end
";
    case(text, &["n,1", "n,1", "1,1"]).same_results(&[vec![array(&[3, 1], 1), array(&[3, 1], 2), array(&[1, 1], 3)]]);
}

#[test]
fn upper_triangle_is_counted_along_the_array() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
  for j = i:n
    a(i, j) = a(i, j) + i;
  end
end
end";
    has_shape(text, &["n,n"], "n, n", &["-1i + 1j + 0"]).same_results(&squares());
}

#[test]
fn strict_triangles_and_trapezoids() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
  for j = i+1:n
    a(i, j) = a(i, j) + i;
  end
end
end";
    has_shape(text, &["n,n"], "n, n", &["-1i + 1j + -1"]).same_results(&squares());
    let text = "function a = f(a)
for i = 1:size(a, 1)
  for j = 1:2*i+1
    a(i, j) = a(i, j) + i;
  end
end
end";
    let wide: Vec<Vec<Datum>> = SIZES.iter().map(|n| vec![array(&[*n, 2 * n + 1], 3)]).collect();
    has_shape(text, &["n,2*n+1"], "n, 2*n + 1", &["2i + -1j + 2"]).same_results(&wide);
}

/// A band keeps its own numbers: its box is as narrow as the band.
#[test]
fn bands_have_narrow_boxes() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
  for j = i:min(n, i + 3)
    a(i, j) = a(i, j) + i;
  end
end
end";
    has_shape(text, &["n,n"], "n, 4", &["-1i + -1j + n - 1"]).same_results(&squares());
}

/// Every second element, downwards, and a loop that starts behind its end.
#[test]
fn steps_and_directions() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
  for j = i:2:n
    a(i, j) = a(i, j) + i;
  end
end
end";
    has_shape(text, &["n,n"], "n, trip4 + 1", &["-1i + -2j + n - 1"]).same_results(&squares());
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
  for j = n:-1:i
    a(i, j) = a(i, j) + i;
  end
end
end";
    has_shape(text, &["n,n"], "n, n", &["-1i + -1j + n - 1"]).same_results(&squares());
}

/// Each of three loops within the one around it.
#[test]
fn tetrahedron() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
  for j = i:n
    for k = j:n
      a(i, j, k) = a(i, j, k) + i;
    end
  end
end
end";
    let cubes: Vec<Vec<Datum>> = SIZES.iter().map(|n| vec![array(&[*n, *n, *n], 3)]).collect();
    has_shape(text, &["n,n,n"], "n, n, n", &["-1i + 1j + 0", "-1j + 1k + 0"]).same_results(&cubes);
}

#[test]
fn a_condition_around_all_is_bounds() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
  for j = 1:n
    if j <= i && i > 2
      a(i, j) = a(i, j) + i;
    end
  end
end
end";
    has_shape(text, &["n,n"], "n, n", &["1i + -1j + 0", "1i + -2"]).same_results(&squares());
    // What is no conjunction of affine comparisons, or not all that is done, stays a condition.
    for body in ["if j ~= i\n a(i, j) = 1;\n end", "if j < i\n a(i, j) = 1;\n else\n a(i, j) = 2;\n end"] {
        let text = format!("function a = f(a)\nn = size(a, 1);\nfor i = 1:n\n for j = 1:n\n {body}\n end\nend\nend");
        has_shape(&text, &["n,n"], "n, n", &[]).same_results(&squares());
    }
}

/// The ends of a loop: sums of `i` and a number.
fn end() -> impl Strategy<Value = String> {
    (prop::sample::select(vec!["0", "i", "-i", "2*i", "n", "n - i"]), -2i64..=4)
        .prop_map(|(of, c)| format!("{of} + {c}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Trapezoids, empty ones, lines, downwards and in steps: as the program without kernels, in any order of the iterations.
    #[test]
    fn trapezoids_do_what_the_program_does(
        from in prop::collection::vec(end(), 1..3),
        to in prop::collection::vec(end(), 1..3),
        step in prop::sample::select(vec![1, 2, -1, -2, 3]),
        n in 0usize..6,
        guard in prop::sample::select(vec!["1", "j >= i", "i + j < 7 && j > 2"]),
    ) {
        let pick = |ends: &[String], f: &str| match ends {
            [a, b] => format!("{f}({a}, {b})"),
            _ => ends.concat(),
        };
        let (from, to) = (pick(&from, "max"), pick(&to, "min"));
        let (first, last) = if step > 0 { (from, to) } else { (to, from) };
        let text = format!(
            "function a = f(a, x)\nn = size(x, 1);\nfor i = 1:n\n for j = {first}:{step}:{last}\n if {guard}\n \
             a(i, j + 20) = a(i, j + 20) + i + 10 * j;\n end\n end\nend\nend\n"
        );
        case(&text, &["40,60", "n,1"]).same_results(&[vec![array(&[40, 60], 5), array(&[n, 1], 1)]]);
    }
}
