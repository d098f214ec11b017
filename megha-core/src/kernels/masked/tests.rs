//! MATLAB text → all passes: which loops become masked, and equal results before and after.

use crate::interp::{self, Datum, Options};
use crate::ir::{FuncId, Module};
use crate::kernels::doall::tests::lowered;
use crate::passes::{PassLog, run_passes};
use crate::schedule::subjects;
use proptest::prelude::*;

/// A function of `a` and `b`, both n by m, whose loops over all points hold `body`, which computes `u` and `v`.
fn program(body: &str) -> [Module; 2] {
    let text = format!(
        "function [x, y] = f(a, b)\nx = zeros(size(a)); y = x;\nfor j = 1:size(a, 2)\nfor i = 1:size(a, 1)\n\
         {body}\nx(i, j) = u; y(i, j) = v;\nend\nend\nend"
    );
    let before = Module::of(vec![lowered(&text, &["n,m", "n,m"])]);
    let mut after = before.clone();
    run_passes(&mut after, &mut PassLog::default()).unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
    [before, after]
}

/// How many loops points go through together though each leaves when it likes.
fn masked(body: &str) -> usize {
    let [_, after] = program(body);
    subjects(&after.funcs[0]).iter().flat_map(|subject| &subject.body_loops).filter(|l| l.mark.is_some()).count()
}

/// The results for arguments of all kinds, by their bits; what is no number has no certain ones.
fn results(module: &Module) -> Vec<Vec<u64>> {
    let numbers = [0.5, -0.0, 3.0, f64::NAN, 1e9, f64::INFINITY, -2.25, 0.0, 7.0, -1e-3, 1.0, 2.5];
    let matrix = |by: usize| Datum::doubles(&[4, 6], (0..24).map(|k| numbers[k * by % 12]).collect()).unwrap();
    let args = vec![matrix(1), matrix(5)];
    let found = interp::run(module, FuncId::new(0), args, &Options::default(), &mut Vec::new()).unwrap();
    let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    found.iter().map(|datum| datum.to_doubles().unwrap().into_iter().map(bits).collect()).collect()
}

fn assert_same(body: &str) {
    let [before, after] = program(body);
    assert_eq!(results(&before), results(&after), "{body}\n{after}");
}

const ESCAPE: &str = "u = 0; v = 0;
  for q = 1:50
    if u * u > 4, break; end
    v = v + 1; u = u * u + a(i, j);
  end";
const NEWTON: &str = "u = a(i, j); v = 0;
  while abs(u - v) > 1e-9 && v ~= u
    v = u; u = 0.5 * (u + 3 / u);
    if u > 1e6, break; end
  end";

#[test]
fn loops_with_a_break_and_loops_with_a_condition() {
    for body in [ESCAPE, NEWTON] {
        assert_eq!(masked(body), 1, "{body}");
        assert_same(body);
    }
    let inside = format!("v = 0; w = 0; for t = 1:3\n{ESCAPE}\nw = w + v;\nend\nu = w;");
    assert_eq!(masked(&inside), 1, "in a loop that is the same at all points");
    assert_same(&inside);
}

#[test]
fn iterations_that_points_cut_short() {
    let body = "u = a(i, j); v = 0; w = 0;
      for q = 1:20
        w = w + 1;
        if u < 1, u = u + 0.75; continue; end
        u = u * 0.5 + b(i, j);
        if v > 6, v = -v; break; end
        v = v + w;
      end
      u = u - w;";
    assert_eq!(masked(body), 1);
    assert_same(body);
}

#[test]
fn a_loop_without_ways_out_stays() {
    assert_eq!(masked("u = 0; v = 0; for q = 1:50, u = u * u + a(i, j); end"), 0);
}

/// What points must not do in vain, or at a price.
#[test]
fn other_loops_stay() {
    let other = |body: &str| {
        assert_eq!(masked(body), 0, "{body}");
        assert_same(body);
    };
    let with = |statement: &str| format!("u = a(i, j); v = 0; for q = 1:4, if u > v, break; end; {statement}; end");
    other(&with("u = u + b(q, j)"));
    other(&with("u = exp(u)"));
    other(&with("v = mod(v + 3, 2)"));
    other(&with("for p = 1:3, v = v + u; end"));
    other(&with("if v > 1, if u > 3, break; end, end; v = v + 1"));
    other("u = 0; v = 0; for q = 1:i, if u > b(i, j), break; end; u = u + 1; end");
}

/// A loop body by numbers.
fn random(choices: &[u8]) -> String {
    let mut next = choices.iter().copied().cycle();
    let mut pick = |list: &[&str]| list[next.next().unwrap_or(0) as usize % list.len()].to_owned();
    let operand =
        |pick: &mut dyn FnMut(&[&str]) -> String| pick(&["u", "v", "w", "a(i, j)", "b(i, j)", "0.75", "2", "k"]);
    let mut lines = vec!["u = a(i, j); v = 1; w = 0; k = 0;".to_owned()];
    lines.push(match pick(&["for", "while"]).as_str() {
        "for" => "for q = 1:12, k = k + 1;".into(),
        _ => format!("while k < 12 && {} < 40, k = k + 1;", pick(&["u", "v", "abs(w)"])),
    });
    for _ in 0..5 {
        let (a, b, c) = (operand(&mut pick), operand(&mut pick), operand(&mut pick));
        let value = match pick(&["+", "-", "*", "/", "min", "abs"]).as_str() {
            "min" => format!("min({a}, {b}) - {c}"),
            "abs" => format!("sqrt(abs({a})) + {b}"),
            op => format!("{a} {op} {b} * 0.5 + {c}"),
        };
        let to = pick(&["u", "v", "w"]);
        let test = format!("{a} {} {c}", pick(&[">", "<=", "~="]));
        lines.push(match pick(&["set", "set", "if", "else", "break", "leave", "go on"]).as_str() {
            "if" => format!("if {test}, {to} = {value}; end"),
            "else" => format!("if {test}, {to} = {value}; else {to} = {b}; end"),
            "break" => format!("if {test}, break; end"),
            "go on" => format!("if {test}, {to} = {b}; continue; end"),
            "leave" => format!("if {test}, {to} = {value}; break; end"),
            _ => format!("{to} = {value};"),
        });
    }
    lines.push("end".into());
    if pick(&["no", "yes"]) == "yes" {
        lines.push("v = v + w + k;".into());
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_loops(choices in proptest::collection::vec(any::<u8>(), 40)) {
        assert_same(&random(&choices));
    }
}

#[test]
fn many_random_loops_are_masked() {
    let choices = |seed: u64| {
        (0..40).map(|k| (seed.wrapping_mul(6_364_136_223_846_793_005) >> (k % 50)) as u8 ^ k as u8).collect()
    };
    let found: usize = (1..40).map(|seed| masked(&random(&Vec::from_iter::<Vec<u8>>(choices(seed))))).sum();
    assert!(found > 20, "{found}");
}
