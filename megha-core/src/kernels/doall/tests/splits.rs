//! Loops that one iteration keeps in order are split there.

use super::*;
use crate::interp::Scalar;
use proptest::prelude::*;

const FLOYD: &str = "function d = f(d)
n = size(d, 1);
for k = 1:n
    for i = 1:n
        for j = 1:n
            d(i, j) = min(d(i, j), d(i, k) + d(k, j));
        end
    end
end
end
";

fn squares() -> Vec<Vec<Datum>> {
    [0, 1, 2, 3, 7].iter().map(|n| vec![array(&[*n, *n], 3)]).collect()
}

#[test]
fn rows_and_columns_of_floyd_and_warshall() {
    let case = case(FLOYD, &["n,n"]);
    // Before and behind row k three parts each, and the row itself.
    case.kernels(&[
        (2, &[false]),
        (2, &[false]),
        (2, &[false]),
        (1, &[false]),
        (2, &[false]),
        (2, &[false]),
        (2, &[false]),
    ]);
    case.same_results(&squares());
    let update = "            d(i, j) = min(d(i, j), d(i, k) + d(k, j));\n";
    let guarded = "t = d(i, k) + d(k, j);\nif t < d(i, j)\nd(i, j) = t;\nend\n";
    let text = FLOYD.replace(update, guarded);
    assert_eq!(super::case(&text, &["n,n"]).same_results(&squares()).reports.len(), 15);
}

#[test]
fn known_ends_leave_no_empty_parts() {
    let text =
        |pivot: &str| format!("function x = f(x)\nn = numel(x);\nfor i = 1:n\nx(i) = x(i) / x({pivot});\nend\nend\n");
    let lengths = columns(&[0, 1, 2, 9]);
    for (pivot, parts) in [("1", 2), ("n", 2), ("3", 3), ("n - 2", 3)] {
        let case = case(&text(pivot), &["n,1"]);
        assert_eq!(case.reports.len(), parts, "{pivot}: {}", case.after);
        case.kernels(&vec![(1, &[false][..]); parts]).same_results(&lengths);
    }
}

#[test]
fn points_that_move_with_a_parallel_loop_would_win_nothing() {
    let text = "function x = f(x)
for i = 1:size(x, 1)
for j = 1:size(x, 2)
x(i, j) = x(i, j) - x(i, i);
end
end
end
";
    let sizes = [[3, 9], [9, 3], [4, 4], [0, 2], [1, 1]];
    let args: Vec<Vec<Datum>> = sizes.iter().map(|dims| vec![array(dims, 5)]).collect();
    let case = case(text, &["n,m"]);
    assert_eq!(case.kernels(&[(1, &[false])]).same_results(&args).reports.len(), 2);
}

#[test]
fn loops_stay_whole_where_nothing_is_won() {
    let loops = |body: &str| format!("function x = f(x, y)\nn = numel(x);\nfor i = 2:n\n{body}\nend\nend\n");
    // Other iterations depend on each other; there are two points; the condition already keeps the point away; none is kept in order.
    for (body, parts) in [
        ("x(i) = x(i - 1) + x(3);", 1),
        ("x(i) = x(i) + x(3) + x(5);", 1),
        ("if i ~= 3\nx(i) = x(i) + x(3);\nend", 1),
        ("x(i) = x(i) + x(1);", 1),
    ] {
        let case = case(&loops(body), &["n,1", "n,1"]);
        assert_eq!(case.reports.len(), parts, "{body}: {}", case.after);
        case.same_results(&[3, 7].map(|n| vec![array(&[n, 1], 2), array(&[n, 1], 3)]));
    }
    // Three iterations.
    case("function x = f(x)\nfor i = 1:3\nx(i) = x(i) / x(2);\nend\nend\n", &["9,1"]).kernels(&[]);
    // More statements than are repeated.
    let long: String = (0..40).map(|_| "x(i) = x(i) / x(2) + 1;\n").collect();
    case(&loops(&long), &["n,1", "n,1"]).kernels(&[]);
}

/// A subscript within a loop over `%i` and one over `%j`, and the statements that make it.
fn subscript(name: &'static str) -> impl Strategy<Value = (String, String)> {
    let base = prop_oneof![4 => Just("i"), 4 => Just("j"), 3 => Just("e"), 1 => Just("zero"), 1 => Just("back")];
    (base, prop_oneof![3 => Just("zero"), 1 => Just("three")])
        .prop_map(move |(base, more)| (format!("%{name}: index = add %{base}, %{more}"), format!("%{name}")))
}

fn nest() -> impl Strategy<Value = String> {
    let subs = ["a", "b", "c", "d", "p", "q"].map(subscript);
    let (store, first) = (prop::bool::weighted(0.8), prop::bool::weighted(0.5));
    (subs, store, first).prop_map(|([a, b, c, d, p, q], at_own, first_too)| {
        let (own, other) = (("%i".to_owned(), "%j".to_owned()), (p.1.clone(), q.1.clone()));
        let to = if at_own { &own } else { &other };
        let from = if first_too { &own } else { &(a.1.clone(), b.1.clone()) };
        let made: Vec<&str> = [&a, &b, &c, &d, &p, &q].iter().map(|s| s.0.as_str()).collect();
        format!(
            "func @f(%x: f64[12, 12], %e: index, %t: index, %u: index) -> (y: f64[12, 12]) {{
               %zero: index = const 0
               %three: index = const 3
               %y: f64[12, 12] = for %t with %x |%i: index, %v: f64[12, 12]| {{
                 %z: f64[12, 12] = for %u with %v |%j: index, %w: f64[12, 12]| {{
                   %back: index = sub %e, %i
                   {}
                   %r: f64 = index %w[{}, {}] checked
                   %s: f64 = index %w[{}, {}] checked
                   %sum: f64 = add %r, %s
                   %new: f64[12, 12] = store %w[{}, {}] = %sum checked
                   yield %new
                 }}
                 yield %z
               }}
               return %y
             }}",
            made.join("\n"),
            from.0,
            from.1,
            c.1,
            d.1,
            to.0,
            to.1
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// The interpreter finds races; the point lies before, in or behind the loops.
    #[test]
    fn random_points(text in nest(), ends in prop::collection::vec((-4i64..13, -1i64..10, -1i64..10), 8)) {
        let index = |x| Datum::Scalar(Scalar::Index(x));
        let args: Vec<_> = ends.iter().map(|(e, t, u)| vec![array(&[12, 12], 3), index(*e), index(*t), index(*u)]).collect();
        of(crate::ir::parse::parse_func(&text).unwrap()).same_results(&args);
    }
}
