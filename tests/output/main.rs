//! What programs print, raise and draw at random: compiled code against GNU Octave and the reference interpreter.

#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;

mod corners;
mod errors;
mod random;
mod shown;

use megha::rt::output::captured;
use megha_core::driver::{Job, Outcome, compile};
use megha_core::interp::{Failure, Order};
use ndarray::{ArrayD, ArrayView2, array};
use std::path::Path;

megha::matlab!(file "report.m");

/// The program as the interpreter takes it.
fn lowered(file: &str) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/output").join(file);
    let outcome = compile(Job::file(&path).expect("the program can be read"));
    assert!(outcome.is_ok(), "{file}");
    outcome
}

/// What a run prints, and how it ends.
type Run = (String, Result<Vec<ArrayD<f64>>, Failure>);

/// What the interpreter prints before and after the passes, and how it ends.
fn interpreted(file: &str, arguments: &[ArrayD<f64>]) -> [Run; 2] {
    let outcome = lowered(file);
    let views: Vec<_> = arguments.iter().map(|a| a.view()).collect();
    [&outcome.lowered, &outcome.module].map(|module| {
        let mut out = Vec::new();
        let results = reference::interpret(module, &views, Order::Forward, &mut out);
        let results = results.map(|list| list.iter().map(|d| reference::array(d, 2)).collect());
        (String::from_utf8(out).expect("output is text"), results)
    })
}

fn number(x: f64) -> ArrayD<f64> {
    ArrayD::from_elem(ndarray::IxDyn(&[1, 1]), x)
}

#[test]
fn a_report_is_printed_as_octave_prints_it() {
    let want = include_str!("report.txt");
    let x = array![[1.5, -2.0], [3.25, 40.0]];
    let (total, text) = captured(|| report(&x, 2.0));
    assert_eq!(total.unwrap(), 42.75);
    assert_eq!(text, want);
    // In the other memory order as well.
    let turned = array![[1.5, 3.25], [-2.0, 40.0]];
    let columns: ArrayView2<f64> = turned.t();
    assert_eq!(captured(|| report(columns, 2.0).unwrap()).1, want);
    for (text, _) in interpreted("report.m", &[x.into_dyn(), number(2.0)]) {
        assert_eq!(text, want);
    }
}
