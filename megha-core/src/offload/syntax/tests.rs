use super::convert;
use crate::ir::{Func, Op, Region};
use crate::offload::compile;
use syn::parse_str;

/// All messages about a function, each with the source text that it points at.
fn messages(text: &str) -> Vec<(String, String)> {
    let function = parse_str(text).unwrap_or_else(|e| panic!("{e}"));
    let (ast, converter) = convert(&function);
    let problems = match converter.problems.is_empty() {
        true => compile(&ast).err().unwrap_or_default(),
        false => converter.problems.clone(),
    };
    let source = |at| {
        let (first, last) = converter.ends(at);
        first.join(last).and_then(|span| span.source_text()).unwrap_or_default()
    };
    problems.iter().map(|p| (p.to_string(), source(p.span))).collect()
}

/// The only message about a function whose body is `body` around a matrix `a`, a mutable one `c` and a number `x`.
fn message(body: &str) -> (String, String) {
    let text = format!("fn f(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, x: f64, n: usize) {{ {body} }}");
    let mut found = messages(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn refused(body: &str, source: &str, words: &str) {
    let (text, at) = message(body);
    assert_eq!(at, source, "{text}");
    assert!(text.contains(words) && text.contains("[M015"), "{text}");
}

#[test]
fn constructs_that_are_not_taken_are_named_where_they_stand() {
    refused("for v in a.windows((2, 2)) { }", "a.windows((2, 2))", "one dimension");
    refused("for i in 0.. { }", "0..", "a start and an end");
    refused("break;", "break", "no loop that this leaves");
    refused("let y = loop { };", "loop { }", "a `loop` that is never left is not taken");
    refused("for i in 0..n { break 1.0; }", "1.0", "`break` with a value that nothing takes");
    refused("println!(\"x\");", "println!(\"x\");", "macros are not expanded");
    refused("let y = f(x);", "f(x)", "not known here");
    refused("let y = move |z: f64| z;", "move |z: f64| z", "a closure that moves what it uses is not taken");
    refused("let (y, z) = x;", "x", "not taken as a tuple");
    refused("let y = (x, x); c[[0, 0]] = y;", "y", "a tuple is no number");
    refused("let y = a.t().sum();", "a.t().sum()", "a.iter().sum::<f64>()");
    refused("let y = a.dot(&a);", "a.dot(&a)", "ndarray calls a library for some of these");
    refused("let y = a.iter().last_of(x);", "a.iter().last_of(x)", "`last_of` of an iterator");
    refused("for w in a.row(0).windows(2) { c[[0, 0]] += w[x]; }", "x", "usize");
    refused("for w in a.chunks(2) { }", "a.chunks(2)", "one dimension");
    refused("let y = x.gamma();", "gamma", "the method `gamma` is not taken");
    refused("let s = \"text\";", "\"text\"", "literals of this kind");
    refused("let y = unsafe { x };", "unsafe { x }", "`unsafe` is not taken");
    refused("struct S;", "struct S;", "items of this kind");
    refused("let y: char = x;", "char", "a local variable of this type");
    refused("c.mapv(|v| v);", "c.mapv(|v| v)", "not taken as a statement");
    refused("let Some(y) = z;", "Some(y)", "`let` takes a name");
}

#[test]
fn constant_arrays_are_not_stored_into() {
    let stored = |body: &str, source: &str| {
        refused(
            &format!("const W: [f64; 2] = [1.0, 2.0]; {body}"),
            source,
            "`W` is a constant: Rust stores into a copy",
        );
    };
    stored("W[0] = x;", "W[0]");
    stored("W[n] += x;", "W[n]");
    stored("W.fill(x);", "W");
    stored("W.swap(0, 1);", "W");
    stored("for w in W.iter_mut() { *w = x; }", "*w");
    stored("let w = &mut W; w[0] = x;", "w[0]");
    stored("std::mem::swap(&mut W[0], &mut c[[0, 0]]);", "W[0]");
    refused("c[[0, 0]] = FAR[n];", "FAR", "the elements of `FAR` are not known here");
}

#[test]
fn closures_are_refused_where_they_have_no_form() {
    refused("let f = |v: f64| { c[[0, 0]] = v; }; let y = f(x);", "f(x)", "this closure gives no value");
    refused(
        "let f = |(u, v): (f64, f64)| u + v; c[[0, 0]] = f(n);",
        "(u, v)",
        "a parameter of a closure is a plain name",
    );
    refused("let f = |v: &mut f64| *v += x; f(&mut c[[0, 0]]);", "&mut c[[0, 0]]", "lend a variable");
    refused("let f = |v: f64| v; let y = f(x, x);", "f(x, x)", "another number of arguments");
}

/// What of complex numbers is not taken is named, with what to do instead.
#[test]
fn complex_numbers_are_refused_where_they_have_no_form() {
    let refused = |body: &str, source: &str, words: &str| {
        let text = format!("fn f(z: Complex<f64>, w: ArrayView1<Complex64>, x: f64, y: f32, n: usize) {{ {body} }}");
        let found = messages(&text);
        let [(text, at)] = &found[..] else { panic!("{body}: {found:?}") };
        assert!(at == source && text.contains(words) && text.contains("help: "), "{body}: {text}, at {at}");
    };
    refused("let u = z.sqrt();", "sqrt", "the method `sqrt` of complex numbers is not taken");
    refused("let u = w[0].powi(2);", "powi", "the method `powi` of complex numbers is not taken");
    refused("let u = z.scale(y);", "y", "the argument is f32, but must be f64");
    refused("let u = z.conj(x);", "conj", "`conj` takes 0 arguments");
    refused("let u = Complex64::from_polar(x, x);", "Complex64::from_polar(x, x)", "this function of complex numbers");
    refused("let u = z < w[0];", "w[0]", "complex numbers have no order");
    refused("let u = z % w[0];", "w[0]", "not taken of complex numbers");
    refused("let u = z as f64;", "z", "complex numbers are not cast");
    refused("let u = !z;", "z", "`!` is of whole numbers and bool");
    refused("let u = z + y;", "y", "the operand beside a complex number is f32, but must be f64");
    refused("let u = z * n;", "n", "the operand beside a complex number is usize");
    refused("let u = z == x;", "x", "the right operand is f64, but must be Complex<f64>");
    refused("let mut u = x; u += z;", "z", "the value is Complex<f64>, but must be f64");
    refused("let u = Complex::new(x, y);", "y", "a part of a complex number is f32, but must be f64");
    refused("let u = x.im;", "x", "what has this field is f64");
    refused("let u = x.min(z);", "z", "the argument is Complex<f64>, but must be f64");
    refused("let u: Complex<f32> = z;", "Complex<f32>", "a local variable of this type");
}

#[test]
fn names_and_types_are_checked() {
    refused("let y = z;", "z", "`z` is no parameter");
    refused("x = 1.0;", "x", "declare it with `mut`");
    refused("a[[0, 0]] = 1.0;", "a[[0, 0]]", "take it as `mut x: ArrayViewMut2<f64>`");
    refused("let y = x.max(a);", "a", "used as a whole");
    refused("c[[0, 0]] = x + a;", "x + a", "arithmetic of whole arrays");
    refused("let y = x + n;", "n", "is usize, but must be f64");
    refused("let y = a[[0, x]];", "x", "is f64, but must be usize");
    refused("let y = a[0];", "a[0]", "2 dimensions, but 1 subscripts");
    refused("let y = a.shape()[2];", "a.shape()[2]", "no dimension 2");
    refused("if x { }", "x", "must be bool");
    refused("for i in 0..x { }", "x", "is f64, but must be a whole number");
    refused("let y = -n;", "n", "`-` is not defined on usize");
    refused("let y = x & x;", "x", "whole numbers and bool");
    refused("let y = if x > 0.0 { 1.0 } else { n };", "n", "is usize, but must be");
    refused("let y = UNKNOWN as f64;", "UNKNOWN", "nothing tells the type of `UNKNOWN`");
}

#[test]
fn signatures_are_checked() {
    for (text, source) in [
        ("fn f(a: Vec<String>) {}", "Vec<String>"),
        ("fn f(a: ArrayD<f64>) {}", "ArrayD<f64>"),
        ("fn f(a: ArrayView5<f64>) {}", "ArrayView5<f64>"),
        ("fn f(a: ArrayView2<u128>) {}", "ArrayView2<u128>"),
        ("fn f(a: &[[[f64; 2]; 2]]) {}", "&[[[f64; 2]; 2]]"),
        ("fn f(&self) {}", "&self"),
        ("fn f<T: Float>(a: f64) {}", "T: Float"),
        ("async fn f() {}", "async"),
        ("fn f(a: f64) -> Array1<f64> { a }", "Array1<f64>"),
    ] {
        let found = messages(text);
        assert!(found.iter().any(|(t, at)| at == source && t.contains("[M0151]")), "{text}: {found:?}");
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let text = "fn f(a: Vec<String>, n: usize) { for v in n.iter() { let y = g(v); } break; }";
    let codes: Vec<String> = messages(text).into_iter().map(|(_, at)| at).collect();
    assert_eq!(codes, ["Vec<String>", "n.iter()", "g(v)", "break"]);
}

fn compiled(text: &str) -> (Func, Vec<String>) {
    let function = parse_str(text).unwrap_or_else(|e| panic!("{e}"));
    let (ast, converter) = convert(&function);
    assert!(converter.problems.is_empty(), "{:?}", converter.problems);
    let mut compiled = compile(&ast).unwrap_or_else(|e| panic!("{e:?}"));
    let loops = compiled.log.loops.remove(0).1.iter().map(ToString::to_string).collect();
    (compiled.module.funcs.remove(0), loops)
}

/// The sizes of the loops of each kernel.
fn kernels(func: &Func) -> Vec<Vec<String>> {
    fn walk(func: &Func, region: &Region, found: &mut Vec<Vec<String>>) {
        for stmt in &region.stmts {
            if let Op::Kernel(kernel) = &stmt.op {
                found.push(kernel.domain.iter().map(|d| func.symbols.show(d)).collect());
            }
            stmt.op.regions().into_iter().for_each(|r| walk(func, r, found));
        }
    }
    let mut found = Vec::new();
    walk(func, &func.body, &mut found);
    found
}

#[test]
fn a_matrix_product_is_one_kernel_over_its_result() {
    let (func, loops) = compiled(
        "fn matmul(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
            for i in 0..a.nrows() { for j in 0..b.ncols() {
                let mut sum = 0.0;
                for k in 0..a.ncols() { sum += a[[i, k]] * b[[k, j]]; }
                c[[i, j]] = sum;
            } }
        }",
    );
    assert_eq!(kernels(&func), [["a_rows", "b_cols"]]);
    assert_eq!(loops[0], "loop over i: parallel, loop 0 of kernel 0");
    assert_eq!(loops[1], "loop over j: parallel, loop 1 of kernel 0");
    assert!(loops[2].starts_with("loop over k: in order inside kernel 0") && loops[2].contains("`sum`"), "{loops:?}");
}

#[test]
fn a_stencil_is_one_kernel() {
    let (func, _) = compiled(
        "fn jacobi(u: ArrayView2<f64>, mut v: ArrayViewMut2<f64>) {
            for i in 1..u.nrows() - 1 { for j in 1..u.ncols() - 1 {
                v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
            } }
        }",
    );
    assert_eq!(kernels(&func).len(), 1);
    assert_eq!(kernels(&func)[0].len(), 2);
}

#[test]
fn a_sweep_in_place_stays_in_order_and_its_report_names_variables_and_subscripts() {
    let (func, loops) = compiled(
        "fn sweep(u: &mut Array2<f64>) {
            for i in 1..u.nrows() - 1 { for j in 1..u.ncols() - 1 {
                u[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
            } }
        }",
    );
    assert_eq!(kernels(&func), Vec::<Vec<String>>::new());
    assert!(loops[0].starts_with("loop over i: in order"), "{loops:?}");
    assert!(loops[0].contains("i - 1") || loops[0].contains("i + 1"), "{loops:?}");
    assert!(loops[1].starts_with("loop over j: in order"), "{loops:?}");
}

/// The first loop carries a dependence, so the second would come outermost; but `exp` would then be computed for each of its iterations.
#[test]
fn loops_keep_their_order_where_another_repeats_costly_statements() {
    let sweep = |scale: &str| {
        let text = format!(
            "fn sweep(x: ArrayView1<f64>, mut u: ArrayViewMut2<f64>) {{
                for i in 1..u.nrows() {{
                    let e = {scale};
                    for j in 0..u.ncols() {{ u[[i, j]] += e * u[[i - 1, j]]; }}
                }}
            }}"
        );
        compiled(&text).1
    };
    let cheap = sweep("2.0 * x[i]");
    assert_eq!(cheap[0], "loop over j: parallel, loop 0 of kernel 0");
    let costly = sweep("x[i].exp()");
    assert!(costly[0].starts_with("loop over i: in order"), "{costly:?}");
    assert_eq!(costly[1], "loop over j: parallel, loop 0 of kernel 0");
}

/// What does not depend on the loop that moves inwards is computed as often as before.
#[test]
fn scalar_statements_stay_outside_of_loops_that_they_do_not_depend_on() {
    let (func, loops) = compiled(
        "fn sweep(x: ArrayView1<f64>, mut u: ArrayViewMut3<f64>) {
            for k in 1..u.dim().0 { for i in 0..u.dim().1 {
                let e = x[i].exp();
                for j in 0..u.dim().2 { u[[k, i, j]] += e * u[[k - 1, i, j]]; }
            } }
        }",
    );
    assert_eq!(loops[0], "loop over i: parallel, loop 0 of kernel 0", "{loops:?}");
    let text = func.to_string();
    let (exp, innermost) = (text.find("exp").expect("exp"), text.rfind(" for ").expect("a loop"));
    assert!(exp < innermost, "{text}");
}

/// Sums gather in their elements where that lets a nest be turned, and in their scalars in another nest of the function.
#[test]
fn sums_are_in_elements_only_where_a_nest_is_turned_then() {
    let (func, loops) = compiled(
        "fn f(mut a: ArrayViewMut2<f64>, mut x: ArrayViewMut1<f64>, n: usize) {
            for i in 0..n {
                for j in 0..i {
                    let mut w = a[[i, j]];
                    for k in 0..j { w -= a[[i, k]] * a[[k, j]]; }
                    a[[i, j]] = w / a[[j, j]];
                }
                for j in i..n {
                    let mut w = a[[i, j]];
                    for k in 0..i { w -= a[[i, k]] * a[[k, j]]; }
                    a[[i, j]] = w;
                }
            }
            for i in 0..n {
                let mut w = x[i];
                for j in 0..i { w -= a[[i, j]] * x[j]; }
                x[i] = w;
            }
        }",
    );
    let text = func.to_string();
    assert!(loops[0].contains("in order") && text.contains("kernel 1"), "{loops:?}\n{text}");
    // The last sum is of eight rows together, of what is left of seven of them, and of the rows that are left.
    assert_eq!(text.matches(": f64| ").count(), 9, "{text}");
}

/// What is said of the loops of a function.
fn notes(text: &str) -> Vec<String> {
    let (ast, converter) = convert(&parse_str(text).unwrap_or_else(|e| panic!("{e}")));
    assert!(converter.problems.is_empty());
    let bodies = crate::offload::bodies(&ast, "::megha::rt", &|_| None).unwrap_or_else(|p| panic!("{}", p[0]));
    bodies.last().map_or_else(Vec::new, |body| body.loops.iter().map(ToString::to_string).collect())
}

#[test]
fn relations_between_arguments_make_loops_parallel() {
    let rows = "fn f(a: &mut [f64], n: usize, m: usize, ld: usize) {
        for i in 0..n { for j in 0..m { a[i * ld + j] += 1.0; } } }";
    let strided = "fn f(x: &mut [f64], n: usize, step: usize) { for i in 0..n { x[i * step] += 1.0; } }";
    let shifted = "fn f(x: &mut [f64], n: usize, p: usize) { for i in 0..n { x[i] = x[i + p]; } }";
    let sweep = "fn f(x: &mut [f64], n: usize, p: usize) { for i in 1..n { x[i] = x[i - 1] + p as f64; } }";
    for (text, relation) in [(rows, "`ld >= m`"), (strided, "`step >= 1`"), (shifted, "`p >= n`")] {
        let found = notes(text);
        assert!(found.iter().any(|note| note.contains(&format!("if {relation}; else in order"))), "{found:?}");
    }
    assert!(notes(sweep)[0].starts_with("loop over i: in order"));
}

/// A sum to which something is added, or that changes otherwise, between two loops is no sum over both.
#[test]
fn reassociation_leaves_what_goes_on_between_two_loops() {
    let between = [
        "t += x[i]; for k in 0..x.len() { t += a[k] * x[i]; }",
        "t = 0.5 * t; for k in 0..4 { t += a[k] * x[i]; }",
        "let u = t - x[i]; t = u; for k in 0..x.len() { t -= a[k]; }",
        "for k in 0..x.len() { t += a[k]; } t += x[i];",
    ];
    for body in between {
        let text = format!(
            "fn f(a: ArrayView1<f64>, x: ArrayView1<f64>) -> f64 {{
               let mut t = 0.0;
               for i in 0..x.len() {{ {body} }}
               t }}"
        );
        let (mut ast, converter) = convert(&parse_str(&text).unwrap_or_else(|e| panic!("{e}")));
        assert!(converter.problems.is_empty());
        ast.rounding.reassociate = true;
        compile(&ast).unwrap_or_else(|problems| panic!("{body}: {}", problems[0]));
    }
}

#[test]
fn closures_hand_on_no_references_to_elements() {
    for stage in ["map(|v| v)", "map(|v| { *v += 1.0; v })", "enumerate().map(|(_, v)| v)"] {
        let found = messages(&format!("fn f(y: &mut [f64]) {{ for mut v in y.iter_mut().{stage} {{ *v = 1.0; }} }}"));
        assert!(found[0].0.contains("hands on a reference to an element"), "{stage}: {found:?}");
    }
}

/// Names of a block that are called as parameters are names of their own: what they refer to is exchanged in the block only.
#[test]
fn exchanges_of_names_in_blocks_are_not_taken() {
    let block = "{ let mut a = a.view_mut(); let mut b = b.view_mut(); std::mem::swap(&mut a, &mut b); a[0] = 1.0; }";
    let function =
        |body: &str| format!("fn f(mut a: ArrayViewMut1<f64>, mut b: ArrayViewMut1<f64>) {{ {body} a[0] = 7.0; }}");
    let found = messages(&function(block));
    assert!(found.iter().any(|(text, _)| text.contains("not taken as arrays that are exchanged")), "{found:?}");
    assert_eq!(messages(&function("std::mem::swap(&mut a, &mut b);")), []);
}
