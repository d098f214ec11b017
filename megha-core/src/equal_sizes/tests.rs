use crate::ir::parse::parse;
use crate::ir::verify::verify;

/// A function of two matrices with this body, after the pass.
fn united(results: &str, body: &str) -> String {
    let text = format!(
        "func @f(%a: f64[a_1, a_2], %b: f64[b_1, b_2], %k: index, %c: bool) -> ({results}) {{
           sym a_1 = dim 0 0, >= 0
           sym a_2 = dim 0 1, >= 0
           sym b_1 = dim 1 0, >= 0
           sym b_2 = dim 1 1, >= 0
           {body}
         }}"
    );
    let mut module = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    super::run(&mut module.funcs[0]);
    if let Err(wrong) = verify(&module) {
        panic!("{wrong:?}\n{module}");
    }
    module.to_string()
}

const SAME: &str = "same_size a_1, b_1, \"+\" same_size a_2, b_2, \"+\"";

#[test]
fn what_follows_has_the_first_sizes() {
    let text = united(
        "y: f64[a_1, a_2]",
        &format!(
            "{SAME} %e: f64[b_1, b_2] = exp %b %r: f64[a_1, b_2] = reshape %e %s: f64[a_1, a_2] = reshape %r
             %y: f64[a_1, a_2] = add %a, %s return %y"
        ),
    );
    assert!(text.contains("f64[a_1, a_2] = exp"), "{text}");
    // the argument is written in the new sizes, one after the other, and nothing else is
    assert_eq!(text.matches("reshape").count(), 2, "{text}");
}

#[test]
fn results_keep_their_sizes() {
    let early = "if %c { %d: f64[b_1, b_2] = sin %b return %d } else { yield }";
    let text = united("y: f64[b_1, b_2]", &format!("{SAME} {early} %y: f64[b_1, b_2] = exp %b return %y"));
    assert!(text.contains("f64[a_1, a_2] = sin") && text.contains("f64[a_1, a_2] = exp"), "{text}");
    // in, and out at both ends
    assert_eq!(text.matches("reshape").count(), 6, "{text}");
    // what a function returns before the test is left alone
    let text = united("y: f64[b_1, b_2]", &format!("{early} {SAME} %y: f64[b_1, b_2] = exp %b return %y"));
    assert!(text.contains("f64[b_1, b_2] = sin"), "{text}");
}

/// A round of a loop that begins with a statement and the tests.
fn round(first: &str) -> String {
    format!(
        "%r: f64[b_1, b_2] = for %k with %b |%t: index, %s: f64[b_1, b_2]| {{
           {first} {SAME} %w: f64[a_1, b_2] = reshape %s %x: f64[a_1, a_2] = reshape %w %y: f64[a_1, a_2] = add %a, %x
           %v: f64[b_1, a_2] = reshape %y %z: f64[b_1, b_2] = reshape %v yield %z
         }}
         return %r"
    )
}

#[test]
fn a_loop_that_may_have_no_round_is_tested_under_an_if() {
    let text = united("r: f64[b_1, b_2]", &round("%e: f64[b_1, b_2] = exp %s"));
    let [test, inside, of_loop] = ["if ", "same_size", "= for "].map(|what| text.find(what).expect(what));
    assert!(test < inside && inside < of_loop, "{text}");
    assert!(text.contains(":s: f64[a_1, a_2]|"), "{text}");
    // in before the loop, out behind it
    assert_eq!(text.matches("reshape").count(), 4, "{text}");
    // with rounds there is no question
    let text = united("r: f64[b_1, b_2]", &format!("%n: index = const 3 {}", round("").replace("for %k", "for %n")));
    assert!(!text.contains("if ") && text.contains(":s: f64[a_1, a_2]|"), "{text}");
}

#[test]
fn a_test_stays_behind_what_can_be_seen() {
    for first in ["assert %c, \"other\"", "print \"round\"", "if %c { break %s } else { yield }"] {
        let text = united("r: f64[b_1, b_2]", &round(first));
        assert!(text.find("same_size") > text.find("= for "), "{text}");
        assert!(text.contains(":s: f64[b_1, b_2]|"), "{text}");
    }
    let text = united("r: f64[b_1, b_2]", &round("assert %c, complex \"root\""));
    assert!(text.find("same_size") < text.find("= for "), "{text}");
}

#[test]
fn maxima_are_of_the_first_sizes() {
    let text = united(
        "y: f64[m, 1]",
        "sym m = max(b_1 - 1, 0), >= 0
         same_size a_1, b_1, \"+\" %y: f64[m, 1] = fill 1.0 return %y",
    );
    assert!(text.contains("max(a_1 - 1, 0)"), "{text}");
}
