//! Functions of the library that are called rather than expanded.

use super::{compiled, messages, run};
use megha_core::interp::{self, Datum, Options};
use megha_core::ir::FuncId;

fn matrix(n: usize, elements: &[f64]) -> Datum {
    Datum::doubles(&[n, n], elements.to_vec()).unwrap()
}

/// Matrices of any size, and known to be square or not: one function for all of them.
#[test]
fn code_of_the_library_stands_once() {
    let signature = |results: &str| format!("fn f(A: f64[n, n], B: f64[m, m]) -> {results}");
    let once = compiled("function a = f(A, B)\na = eig(A);\nend", &signature("a"));
    let text = "function [a, b, c, d] = f(A, B)
      a = eig(A);
      b = eig(2 * B);
      c = eig([1 2 0; 2 1 0; 0 0 7]);
      d = eig(A + A');
    end";
    let often = compiled(text, &signature("(a, b, c, d)"));
    let args = [matrix(2, &[3.0, 0.0, 0.0, 1.0]), matrix(1, &[4.0])];
    let found = run(&often, &args).unwrap();
    let wanted = [1.0, 3.0, 8.0, -1.0, 3.0, 7.0, 2.0, 6.0];
    assert!(found.len() == 8 && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
    let lines = |outcome: &megha_core::driver::Outcome| outcome.lowered.to_string().lines().count();
    assert!(lines(&often) < lines(&once) + 200, "{} and {} lines", lines(&once), lines(&often));
}

#[test]
fn what_goes_wrong_in_the_library_goes_wrong_at_the_call() {
    let outcome = compiled(
        "function [a, b] = f(A, B)\na = eig(A);\nb = eig(B);\nend",
        "fn f(A: f64[n, n], B: f64[n, n]) -> (a, b)",
    );
    assert_eq!(messages(&outcome), [""; 0]);
    let args = vec![matrix(2, &[1.0, 0.0, 0.0, 1.0]), matrix(2, &[0.0, -1.0, 1.0, 0.0])];
    for module in [&outcome.lowered, &outcome.module] {
        let done = interp::run(module, FuncId::new(0), args.clone(), &Options::default(), &mut std::io::sink());
        let failure = done.unwrap_err();
        assert!(failure.message.contains("these eigenvalues are complex"), "{failure}");
        let span = outcome.spans.span(failure.loc).unwrap();
        assert_eq!((failure.function.as_str(), outcome.sources.get(span.file).unwrap().slice(span)), ("f", "eig(B)"));
    }
}
