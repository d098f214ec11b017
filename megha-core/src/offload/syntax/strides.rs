//! Which loops over arrays of one dimension that hold matrices and solids run in parallel, and what is said of the others.

use super::convert;
use super::polybench::shown;
use crate::offload::{Compiled, compile};

fn compiled(text: &str) -> Compiled {
    let function = syn::parse_str(text).expect("Rust");
    let (ast, converter) = convert(&function);
    assert!(converter.problems.is_empty(), "{text}");
    compile(&ast).unwrap_or_else(|p| panic!("{text}: {}", p[0]))
}

/// `fn f` of a body, over these views and numbers.
fn function(body: &str) -> Compiled {
    compiled(&format!("fn f(x: ArrayView1<f64>, mut a: ArrayViewMut1<f64>, n: usize, m: usize, p: usize) {{ {body} }}"))
}

#[track_caller]
fn loops(body: &str, expected: &str) {
    let compiled = function(body);
    let found: Vec<String> = compiled.log.loops[0].1.iter().map(shown).collect();
    assert_eq!(found.join(", "), expected, "{:#?}", compiled.log.loops[0].1);
}

#[test]
fn rows_in_one_array_are_parallel() {
    loops("for i in 0..n { for j in 0..m { a[i * m + j] = 2.0 * x[i * m + j]; } }", "i 0.0, j 0.1");
    loops("for i in 0..n { for j in 0..m { a[i * m + j] += a[i * m + j]; } }", "i 0.0, j 0.1");
    // The column is the outer loop, the rows are padded, the elements are pairs.
    loops("for j in 0..m { for i in 0..n { a[i * m + j] += x[j]; } }", "j 0.0, i 0.1");
    loops("for i in 0..n { for j in 0..m + 2 { a[i * (m + 2) + j] += x[j]; } }", "i 0.0, j 0.1");
    loops("let w = m + 3; for i in 0..n { for j in 0..m { a[i * w + j] += x[j]; } }", "i 0.0, j 0.1");
    loops("for i in 0..n { for j in 0..m { a[2 * (i * m + j) + 1] = a[2 * (i * m + j)]; } }", "i 0.0, j 0.1");
    // A triangle.
    loops("for i in 0..n { for j in i..n { a[i * n + j] = x[j]; } }", "i 0.0, j 0.1");
}

#[test]
fn planes_in_one_array_are_parallel() {
    let body = "for i in 0..n { for j in 0..m { for k in 0..p { a[(i * m + j) * p + k] += x[k]; } } }";
    loops(body, "i 0.0, j 0.1, k 0.2");
    let body = "for i in 0..n { for j in 0..n { for k in 0..n { a[i * n * n + j * n + k] += x[k]; } } }";
    loops(body, "i 0.0, j 0.1, k 0.2");
    let Compiled { entry, .. } =
        function("for i in 0..n { for j in 0..m { for k in 0..p { a[(i * m + j) * p + k] = 0.0; } } }");
    assert!(entry.limits.elements >= 1 << 40, "few elements: {entry:?}");
}

#[test]
fn stencils_in_one_array_carry_what_they_carry() {
    let body = "for i in 1..n { for j in 0..m { a[i * m + j] = a[(i - 1) * m + j]; } }";
    loops(body, "j 0.0, i in 0");
    let body = "for i in 0..n { for j in 1..m { a[i * m + j] = a[i * m + j - 1]; } }";
    loops(body, "i 0.0, j in 0");
    let body = "for i in 1..n { for j in 1..m - 1 { a[i * m + j] = x[i * m + j + 1] + x[(i - 1) * m + j - 1]; } }";
    loops(body, "i 0.0, j 0.1");
    // Sums by rows and a product.
    let body = "for i in 0..n { for j in 0..m { a[i] += x[i * m + j]; } }";
    loops(body, "i 0.0, j in 0");
    let body = "for i in 0..n { for j in 0..m { for k in 0..p { a[i * m + j] += x[i * p + k] * x[k * m + j]; } } }";
    loops(body, "i 0.0, j 0.1, k in 0");
}

#[test]
fn rows_that_may_meet_are_not() {
    // They are longer than their stride, or nothing is known of both.
    loops("for i in 0..n { for j in 0..m + 1 { a[i * m + j] += x[j]; } }", "i alone, j 0.0");
    loops("for i in 0..n { for j in 0..p { a[i * m + j] += x[j]; } }", "i alone, j 0.0");
    loops("for i in 0..n { a[i * m] += x[i]; }", "i alone");
    let compiled = function("for i in 0..n { for j in 0..p { a[i * m + j] += x[j]; } }");
    let said = compiled.log.loops[0].1[0].to_string();
    assert!(said.contains("do not show that what is added stays below that factor"), "{said}");
}
