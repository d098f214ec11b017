//! Random loop nests: the interpreter reports a race where a loop is wrongly taken for DOALL, and an uncovered element where
//! an array is wrongly taken for fresh.

use super::{array, case};
use proptest::prelude::*;

/// A subscript between 1 and 30, linear in `i` and `j`, both of which run within 1 .. 5.
fn subscript() -> impl Strategy<Value = String> {
    (-2i64..=2, -2i64..=2, 0i64..=4).prop_map(|(a, b, extra)| {
        let offset = 1 + extra + 5 * (a.min(0).abs() + b.min(0).abs());
        format!("{a}*i + {b}*j + {offset}")
    })
}

fn statement() -> impl Strategy<Value = String> {
    let element = |name: &'static str| (subscript(), subscript()).prop_map(move |(r, c)| format!("{name}({r}, {c})"));
    (element("x"), prop_oneof![element("x"), element("y")], 0..4).prop_map(|(to, from, form)| match form {
        0 => format!("{to} = {from} + 1;"),
        1 => format!("{to} = 0.5 * {from} + i;"),
        2 => format!("if {from} > i\n {to} = {from};\nend"),
        _ => format!("{to} = y(i, j);"),
    })
}

fn nest() -> impl Strategy<Value = String> {
    let upper = prop_oneof![Just("5"), Just("3"), Just("i"), Just("size(y, 1) - 26")];
    let lower = prop_oneof![Just("1"), Just("2")];
    (lower, upper, prop::collection::vec(statement(), 1..3), any::<bool>()).prop_map(|(lower, upper, body, before)| {
        let first = if before { "t = y(i, i);\nj = 1;\nx(i, 30) = t;\n" } else { "" };
        let body = body.join("\n");
        format!("function x = f(x, y)\nfor i = 1:5\n{first}for j = {lower}:{upper}\n{body}\nend\nend\nend\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn results_are_the_same(text in nest(), seed in 1u64..100) {
        let args = vec![array(&[30, 30], seed), array(&[30, 30], seed + 1)];
        case(&text, &["30,30", "m,m"]).same_results(&[args]);
    }
}
