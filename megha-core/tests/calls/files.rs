//! Functions in several files, and scripts.

use super::{compiled, compiled_file, messages, row, run};
use megha_core::diag::render_all;
use megha_core::interp::Datum;

#[test]
fn a_file_sees_its_own_functions_and_the_first_of_others() {
    let outcome = compiled_file("main_fn.m", "fn main_fn(x: f64[1, n]) -> (y, z)");
    let names: Vec<String> =
        outcome.units.iter().map(|u| u.path.as_ref().unwrap().file_name().unwrap().display().to_string()).collect();
    assert_eq!(names, ["main_fn.m", "beside.m", "other_name.m"]);
    assert_eq!(run(&outcome, &[row(&[1.0, 2.0])]).unwrap(), [103.0, 205.0, -3.0]);
}

#[test]
fn mistakes_in_other_files_are_shown_there() {
    let outcome = compiled_file("failing.m", "fn failing(x: f64[1, 2]) -> r");
    let text = render_all(&outcome.diags, &outcome.sources, false);
    assert!(text.contains("beside_failing.m:2:"), "{text}");
    // A function behind the first is not seen from another file.
    let outcome = compiled("function y = f(x)\ny = helper(x);\nend\n", "fn f(x: f64) -> y");
    assert!(messages(&outcome)[0].starts_with("M0111"), "{:?}", messages(&outcome));
}

#[test]
fn a_script_is_a_function_of_what_the_signature_names() {
    let outcome = compiled_file("script.m", "fn script(x: f64[1, n]) -> (y: f64[1, n], total)");
    assert_eq!(run(&outcome, &[row(&[1.0, 2.0])]).unwrap(), [4.0, 8.0, 25.0]);
    let outcome = compiled_file("script.m", "fn any_name(x: f64[1, n], offset: f64) -> total");
    assert_eq!(run(&outcome, &[row(&[1.0, 2.0]), Datum::double(0.5)]).unwrap(), [25.5]);
    // Its functions can be named too; then the statements are not meant.
    let outcome = compiled_file("script.m", "fn twice(x: f64) -> r");
    assert_eq!(run(&outcome, &[Datum::double(4.0)]).unwrap(), [8.0]);
}

#[test]
fn two_functions_of_one_name() {
    let outcome = compiled("function y = f(x)\ny = x;\nend\nfunction y = f(x)\ny = 2;\nend\n", "fn f(x: f64) -> y");
    assert_eq!(messages(&outcome), ["M0208: `f` is defined twice"]);
}
