//! Loops of a body that read some iterations ahead: what stands in front of what, and results for any number of iterations.

use megha_core::interp::{Datum, Elements};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::generate;
use megha_core::schedule::Schedules;

use super::reductions::terms;
use super::small::{array, check};

/// A loop down each column of a matrix that is updated, with another that is only read, a row of numbers and a list of rows.
fn kernel(body: &str) -> String {
    format!(
        "func @f(%a: f64[n, m], %b: f64[n, m], %w: f64[n, 1]) -> (c: f64[n, m], d: f64[1, m]) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
           %c: f64[n, m], %d: f64[1, m] = kernel 0 over [m] into (update %a, fresh) |%j| {{
             %i0: index = const 0 %i1: index = const 1 %n: index = size n %last: index = sub %n, %i1
             %s: f64, %r: f64 = for %n with 1.0, 0.5 |%i, %t, %q| {{ {body} }}
             %both: f64 = add %s, %r
             put out1[%i0, %j] = %both
           }}
           return %c, %d
         }}"
    )
}

/// The text of the entry for rows first.
fn rows_first(text: &str) -> String {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let verified = verify(&module).unwrap_or_else(|v| panic!("{}\n{text}", v[0]));
    let ptx = generate(verified, &Schedules::of(&module));
    assert_eq!(ptx.refused, [], "{text}");
    let entry = &ptx.kernels[0].entries[1];
    let from = ptx.text.find(&format!(".entry {}(", entry.name)).expect("the entry");
    ptx.text[from..].split("\n}").next().expect("its end").to_owned()
}

/// The most loads that stand one after the other without a multiplication, addition or store of doubles between them.
fn loads_together(entry: &str) -> usize {
    let (mut most, mut now) = (0, 0);
    for line in entry.lines().map(str::trim) {
        let ends = ["mul.rn", "add.rn", "st.", "bra", "@", "$"].iter().any(|other| line.starts_with(other));
        now = if ends { 0 } else { now + usize::from(line.starts_with("ld.global")) };
        most = most.max(now);
    }
    most
}

fn holds(text: &str) {
    let matrix = |n: usize, m: usize, from: f64| {
        let data = terms(n * m).into_iter().map(|x| x * 0.01 + from).collect();
        array(&[n, m], Elements::Double(data))
    };
    let places =
        |n: usize| -> Datum { array(&[n, 1], Elements::Double((0..n).map(|k| (k * 7 % n.max(1)) as f64).collect())) };
    for n in [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 100] {
        for m in [1, 5] {
            check(text, &[matrix(n, m, 0.9), matrix(n, m, -0.3), places(n)]);
        }
    }
}

/// Each with as many loads as are together for rows first.
#[test]
fn reads_stand_before_what_is_computed() {
    let bodies = [
        // of an array that is only read, and the element that is then stored
        ("%x: f64 = load %b[%i, %j] %u: f64 = mul %t, %x put out0[%i, %j] = %u %v: f64 = sub %q, %u yield %u, %v", 16),
        ("%x: f64 = load out0[%i, %j] %u: f64 = mul %t, %x put out0[%i, %j] = %u yield %u, %q", 16),
        // two of them, one from the end of a line
        (
            "%k: index = sub %last, %i %x: f64 = load %b[%i, %j] %y: f64 = load %b[%k, %j] %u: f64 = mul %x, %y %v: f64 = add %t, %u yield %v, %q",
            16,
        ),
        // what only some iterations store, and read, stands in its place
        (
            "%x: f64 = load %b[%i, %j] %p: bool = lt %x, %t if %p { put out0[%i, %j] = %t yield } else { yield } %u: f64 = add %q, %x yield %x, %u",
            8,
        ),
        // values of one iteration change places
        ("%x: f64 = load %b[%i, %j] %u: f64 = sub %q, %x yield %u, %t", 16),
        // what was written before may be what is read
        ("put out0[%i, %j] = %t %x: f64 = load out0[%i, %j] %u: f64 = mul %x, %q yield %u, %x", 1),
        ("%x: f64 = load out0[%i, %j] %u: f64 = add %x, %t put out0[%last, %j] = %u yield %u, %x", 1),
        ("%x: f64 = load out0[%i0, %j] %u: f64 = add %x, %t put out0[%i0, %j] = %u yield %u, %x", 1),
        // the address is known late
        (
            "%k: index = convert %t %z: index = mul %k, %i0 %x: f64 = load %b[%z, %j] %u: f64 = add %x, %t yield %u, %q",
            1,
        ),
        // an iteration that ends early, or may fail
        (
            "%p: bool = gt %t, 1.0e9 if %p { break %t, %q } else { yield } %x: f64 = load %b[%i, %j] %u: f64 = add %x, %t yield %u, %q",
            1,
        ),
        (
            "%y: f64 = load %w[%i, %i0] %k: index = to_index %y %x: f64 = load %b[%k, %j] %u: f64 = add %x, %t yield %u, %q",
            1,
        ),
    ];
    for (body, together) in bodies {
        let text = kernel(body);
        let entry = rows_first(&text);
        assert_eq!(loads_together(&entry), together, "{body}\n{entry}");
        holds(&text);
    }
}

/// Where elements lie a number of elements apart that is known, the instruction adds it.
#[test]
fn known_steps_are_no_additions() {
    let body = "%x: f64 = load %w[%i, %i0] %u: f64 = mul %t, %x yield %u, %q";
    let entry = rows_first(&kernel(body));
    assert!(entry.contains("+120]") && !entry.contains("+128]"), "{entry}");
}
