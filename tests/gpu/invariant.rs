//! Reads that a loop of the body has alike in all iterations: which of them stand in front of it, and results for any number of iterations.

use megha_core::interp::{Datum, Elements};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::generate;
use megha_core::schedule::Schedules;

use super::reductions::terms;
use super::small::{array, check};

/// A loop along each row of a matrix, with a column of numbers and a list of columns.
fn kernel(body: &str) -> String {
    format!(
        "func @f(%a: f64[n, m], %w: f64[n, 1], %list: f64[m, 1]) -> (c: f64[n, 1]) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
           %c: f64[n, 1] = kernel 0 over [n] into (update %w) |%i| {{
             %i0: index = const 0 %m: index = size m
             %s: f64 = for %m with 1.0 |%j, %t| {{ {body} }}
             put out0[%i, %i0] = %s
           }}
           return %c
         }}"
    )
}

/// How many loads of doubles stand between the label of the last loop and the jump to it: the iterations that are written one by one.
fn loads_of_an_iteration(text: &str) -> usize {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let verified = verify(&module).unwrap_or_else(|v| panic!("{}\n{text}", v[0]));
    let ptx = generate(verified, &Schedules::of(&module));
    assert_eq!(ptx.refused, [], "{text}");
    let entry = &ptx.kernels[0].entries[0];
    let from = ptx.text.find(&format!(".entry {}(", entry.name)).expect("the entry");
    let lines: Vec<&str> = ptx.text[from..].split("\n}").next().expect("its end").lines().map(str::trim).collect();
    let target =
        |line: &str| line.starts_with('@').then(|| line.split("bra ").nth(1)).flatten().map(|l| l.replace(';', ":"));
    let is_loop = |at: usize| target(lines[at]).and_then(|label| lines[..at].iter().position(|line| **line == label));
    let (at, head) = (0..lines.len()).rev().find_map(|at| Some((at, is_loop(at)?))).expect("a loop");
    lines[head..at].iter().filter(|line| line.starts_with("ld.global") && line.contains(".f64")).count()
}

fn holds(text: &str) {
    let doubles = |shape: [usize; 2], from: f64| {
        let data = terms(shape[0] * shape[1]).into_iter().map(|x| x * 0.01 + from).collect();
        array(&shape, Elements::Double(data))
    };
    let places =
        |m: usize| -> Datum { array(&[m, 1], Elements::Double((0..m).map(|k| (k * 7 % m.max(1)) as f64).collect())) };
    for m in [0, 1, 2, 3, 8, 17, 33] {
        for n in [1, 5, 40] {
            check(text, &[doubles([n, m], 0.9), doubles([n, 1], -0.3), places(m)]);
        }
    }
}

#[test]
fn what_is_alike_is_read_in_front() {
    let bodies = [
        // the first element of the row does not exist where there is no column
        ("%x: f64 = load %a[%i, %j] %y: f64 = load %a[%i, %i0] %u: f64 = mul %x, %y %v: f64 = add %t, %u yield %v", 1),
        ("%y: f64 = load %a[%i, %i0] %u: f64 = mul %t, %y yield %u", 0),
        // of the array that the kernel updates behind the loop
        (
            "%x: f64 = load %a[%i, %j] %y: f64 = load out0[%i, %i0] %u: f64 = mul %x, %y %v: f64 = add %t, %u yield %v",
            1,
        ),
        // or in it
        ("%y: f64 = load out0[%i, %i0] %u: f64 = mul %t, %y put out0[%i, %i0] = %u yield %u", 1),
        // before a check, and behind it
        (
            "%y: f64 = load %a[%i, %i0] %p: bool = lt %t, 1.0e9 assert %p, \"large\" %z: f64 = load %w[%i, %i0] %u: f64 = mul %z, %y yield %u",
            1,
        ),
        // before an iteration may be the last one, and behind it
        (
            "%y: f64 = load %a[%i, %i0] %p: bool = gt %t, 1.5 if %p { break %t } else { yield } %z: f64 = load %w[%i, %i0] %u: f64 = add %z, %y %v: f64 = add %t, %u yield %v",
            1,
        ),
        // at a place that is itself read alike
        (
            "%y: f64 = load %list[%i0, %i0] %k: index = to_index %y %z: f64 = load %a[%i, %k] %u: f64 = mul %t, %z yield %u",
            1,
        ),
        // in front of a loop in the loop
        (
            "%y: f64 = load %a[%i, %i0] %r: f64 = for %j with %t |%k, %q| { %z: f64 = load %a[%i, %j] %b: f64 = mul %y, %z %d: f64 = add %q, %b yield %d } yield %r",
            1,
        ),
    ];
    for (body, loads) in bodies {
        let text = kernel(body);
        assert_eq!(loads_of_an_iteration(&text), loads, "{body}");
        holds(&text);
    }
}

/// A body at each point reads four elements of every other one, not the three of its own again.
#[test]
fn a_pair_of_bodies_takes_four_reads() {
    let text = "func @f(%x: f64[n, 1], %y: f64[n, 1], %z: f64[n, 1], %m: f64[n, 1]) -> (c: f64[n, 1]) {
       sym n = dim 0 0, >= 0
       %c: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
         %i0: index = const 0 %n: index = size n
         %s: f64 = for %n with 0.0 |%j, %t| {
           %xj: f64 = load %x[%j, %i0] %xi: f64 = load %x[%i, %i0] %dx: f64 = sub %xj, %xi
           %yj: f64 = load %y[%j, %i0] %yi: f64 = load %y[%i, %i0] %dy: f64 = sub %yj, %yi
           %zj: f64 = load %z[%j, %i0] %zi: f64 = load %z[%i, %i0] %dz: f64 = sub %zj, %zi
           %mj: f64 = load %m[%j, %i0]
           %xx: f64 = mul %dx, %dx %yy: f64 = mul %dy, %dy %zz: f64 = mul %dz, %dz
           %p: f64 = add %xx, %yy %r: f64 = add %p, %zz
           %far: bool = ge %r, 0.0 assert %far, \"a distance\"
           %d: f64 = sqrt %r %e: f64 = add %d, 1.0 %f: f64 = div %mj, %e %u: f64 = add %t, %f
           yield %u
         }
         put out0[%i, %i0] = %s
       }
       return %c
     }";
    assert_eq!(loads_of_an_iteration(text), 4);
    let column = |from: f64| array(&[50, 1], Elements::Double(terms(50).into_iter().map(|x| x * from).collect()));
    check(text, &[column(0.1), column(0.2), column(-0.3), column(1.0)]);
}
