//! Inner loops in steps from a start that depends on the loop around them: two loops over a box and a congruence.

use super::*;
use crate::kernels::compose::Params;
use crate::kernels::{counters, form};
use crate::schedule::access::Maps;
use crate::schedule::domain::Steps;
use proptest::prelude::*;

/// The congruence of the only kernel: its number, and the steps along each loop.
fn steps(case: &Case) -> Option<(i64, Vec<i64>)> {
    let mut func = case.after.clone();
    counters::run(&mut func);
    let kernels = func.body.kernels();
    assert_eq!(kernels.len(), 1, "{func}");
    let (_, kernel) = kernels[0];
    let maps = Maps::of(&func, kernel);
    let congruence = maps.congruence()?;
    Some((congruence.by, (0..kernel.domain.len()).map(|axis| congruence.step(axis)).collect()))
}

/// Counts the visits of each element of the first columns of an array.
fn visits(first: &str, by: i64, last: &str) -> String {
    format!(
        "function a = f(a, x)\nn = size(x, 1);\nfor j = 1:n\n for i = {first}:{by}:{last}\n \
         a(i, j) = a(i, j) + 1 + 100 * i;\n end\nend\nend\n"
    )
}

fn visited(first: &str, by: i64, last: &str) -> Case {
    let case = case(&visits(first, by, last), &["60,60", "n,1"]);
    let inputs: Vec<Vec<Datum>> = (0..9).map(|n| vec![array(&[60, 60], 5), array(&[n, 1], 1)]).collect();
    case.same_results(&inputs);
    case
}

const RED_BLACK: &str = "function u = f(u, s)
[n, m] = size(u);
for t = 1:numel(s)
  for c = 0:1
    for j = 2:m-1
      for i = 2 + mod(j + c, 2):2:n-1
        u(i,j) = u(i,j) + 0.5 * ((u(i-1,j) + u(i+1,j)) + (u(i,j-1) + u(i,j+1)) - 4 * u(i,j));
      end
    end
  end
end
end
";

#[test]
fn colours_of_a_board_are_a_box_and_a_congruence() {
    let case = case(RED_BLACK, &["n,m", "k,1"]);
    assert_eq!(steps(&case), Some((2, vec![2, 2])), "{}", case.after);
    let sizes = [(0, 0), (1, 4), (2, 2), (3, 3), (4, 5), (7, 4), (8, 9)];
    let inputs = sizes.map(|(n, m)| vec![array(&[n, m], 3), array(&[2, 1], 1)]);
    case.kernels(&[(2, &[false])]).same_results(&inputs);
}

/// Updates of two colours over one box stay two kernels: their points are not the same.
#[test]
fn colours_do_not_fuse() {
    let update = |name: &str, first: &str| {
        format!("for j = 1:n\n for i = 1 + mod({first}, 2):2:n\n {name}(i,j) = {name}(i,j) + a(i,j);\n end\nend\n")
    };
    for (second, kernels) in [("j", 1), ("j + 1", 2)] {
        let text =
            format!("function [a, b] = f(a, b)\nn = size(a, 1);\n{}{}end\n", update("a", "j"), update("b", second));
        let case = case(&text, &["n,n", "n,n"]);
        let inputs: Vec<Vec<Datum>> = [0, 1, 2, 5, 8].map(|n| vec![array(&[n, n], 3), array(&[n, n], 4)]).into();
        let mut fused = case.after.clone();
        counters::run(&mut fused);
        form::run(&mut fused, &Params::default());
        assert_eq!(fused.body.kernels().len(), kernels, "{second}\n{fused}");
        Case { after: fused, ..case }.same_results(&inputs);
    }
}

#[test]
fn starts_of_several_kinds() {
    for (first, by, last, wanted) in [
        ("1 + mod(j, 2)", 2, "n", Some((2, vec![2, 2]))),
        ("3 + mod(j + 1, 3)", 3, "2*n + 1", Some((3, vec![3, 3]))),
        ("1 + mod(2*j + n, 5)", 5, "40", Some((5, vec![5, 5]))),
        ("1 + rem(j, 2)", 2, "n", Some((2, vec![2, 2]))),
        // the length depends on the outer loop, or its step has a factor in common with that of the inner one
        ("1 + mod(j, 2)", 2, "n + j", None),
        ("1 + mod(2*j, 4)", 4, "n", None),
        // the start has another remainder than the steps
        ("1 + mod(j, 3)", 2, "n", None),
    ] {
        let case = visited(first, by, last);
        assert_eq!(steps(&case), wanted, "{first} {by} {last}\n{}", case.after);
    }
}

/// A row at a time in order, or an element of the row before: no loop changes.
#[test]
fn what_is_in_order_stays() {
    for body in ["a(i, j) = a(i-1, j) + 1;", "a(i, j) = a(i, j) + a(i, j-1);"] {
        let text = format!(
            "function a = f(a)\nn = size(a, 1);\nfor j = 2:n\n for i = 2 + mod(j, 2):2:n\n {body}\n end\nend\nend\n"
        );
        let inputs: Vec<Vec<Datum>> = [0, 1, 2, 5, 8].map(|n| vec![array(&[n, n], 3)]).into();
        case(&text, &["n,n"]).same_results(&inputs);
    }
}

/// The counter itself is used, as a number and in a subscript.
#[test]
fn other_uses_of_the_counter() {
    let text = "function a = f(a, y)
n = size(y, 1);
for j = 1:n
  for k = 0:floor((n - mod(j, 2) - 1) / 2)
    a(2*k + mod(j, 2) + 1, j) = y(k + 1) + k;
  end
end
end
";
    let inputs: Vec<Vec<Datum>> = (0..9).map(|n| vec![array(&[60, 60], 5), array(&[n, 1], 1)]).collect();
    case(text, &["60,60", "n,1"]).same_results(&inputs);
}

#[test]
fn steps_of_a_congruence_are_those_of_its_numbers() {
    use crate::schedule::access::Affine;
    use crate::schedule::domain::Congruence;
    let value = |form: &Affine, at: [i64; 2]| {
        form.coeffs[0] * at[0] + form.coeffs[1] * at[1] + form.size.as_constant().unwrap_or(i64::MAX)
    };
    for (by, a, b, rest) in
        (2..8).flat_map(|by| (-7..8).flat_map(move |a| [(by, a, 1, 3), (by, a, -1, -4), (by, a, by, 1)]))
    {
        let fits = |own: i64| own % by == 0 || crate::schedule::domain::is_coprime(own, by);
        let form = Affine { coeffs: vec![a, b], uniform: Vec::new(), size: crate::ir::Size::constant(rest) };
        let congruence = Congruence { form: form.clone(), by };
        if !fits(a) || !fits(b) {
            continue;
        }
        for (axis, at) in
            [0, 1].into_iter().flat_map(|axis| (-9..9).flat_map(move |x| (0..4).map(move |y| (axis, [x, y]))))
        {
            let holds = value(&form, at).rem_euclid(by) == 0;
            let found = match congruence.steps(axis) {
                Steps::All(c) => value(&c.form, at).rem_euclid(by) == 0,
                Steps::From(c) => (at[axis] - value(&c.form, at)).rem_euclid(by) == 0,
            };
            assert_eq!(found, holds, "{by} {a} {b} {rest} {at:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// The elements that are visited, how often, and with what number, for any start, step and end.
    #[test]
    fn the_same_elements_are_visited(
        (start, times, more) in (1i64..5, -3i64..4, -2i64..4),
        (by, of) in (1i64..5, 1i64..5),
        last in prop::sample::select(vec!["n", "2*n - 3", "40", "n + j", "min(n, 7)"]),
    ) {
        visited(&format!("{start} + mod({times}*j + {more}, {of})"), by, last);
    }
}
