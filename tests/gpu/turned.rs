//! Kernels that read an array across memory go through square tiles: which do, what they cost, and results for any shape and part.

use megha_base::plan::Grid;
use megha_core::interp::{Datum, Elements};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::{Ptx, generate};
use megha_core::schedule::Schedules;

use super::cost::reports_with;
use super::small::{array, check};

fn compiled(text: &str) -> Ptx {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let verified = verify(&module).unwrap_or_else(|v| panic!("{}\n{text}", v[0]));
    let ptx = generate(verified, &Schedules::of(&module));
    assert_eq!(ptx.refused, [], "{text}");
    ptx
}

/// A kernel over a matrix that reads matrices the same way and the other way round.
fn over_matrices(class: &str, outs: &str, body: &str) -> String {
    format!(
        "func @f(%a: {class}[n, m], %b: {class}[m, n], %w: {class}[m, 1], %s: {class}) -> (c: {class}[n, m]) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
           %i0: index = const 0
           %c: {class}[n, m] = kernel 0 over [n, m] into ({outs}) |%i, %j| {{ {body} }}
           return %c
         }}"
    )
}

const TRANSPOSE: &str = "%x: f64 = load %b[%j, %i] put out0[%i, %j] = %x";

fn has_tiles(text: &str) -> [bool; 2] {
    let plan = compiled(text).kernels.remove(0);
    [0, 1].map(|order| plan.variants.iter().any(|both| matches!(both[order].grid, Grid::Tiles { tile: [32, 32], .. })))
}

fn numbers(class: &str, dims: [usize; 2], seed: usize) -> Datum {
    let data: Vec<f64> = (0..dims[0] * dims[1]).map(|k| ((k * 31 + seed) as f64 * 0.618).sin()).collect();
    let elements = match class {
        "f64" => Elements::Double(data),
        _ => Elements::Single(data.into_iter().map(|x| x as f32).collect()),
    };
    array(&dims, elements)
}

#[test]
fn results_of_every_shape() {
    let bodies = [
        ("fresh", "%x: T = load %b[%j, %i] put out0[%i, %j] = %x"),
        // both ways of two arrays, and what is updated
        (
            "update %a",
            "%x: T = load out0[%i, %j] %y: T = load %b[%j, %i] %v: T = load %w[%j, %i0] %z: T = mul %y, %v %u: T = add %x, %z
             put out0[%i, %j] = %u",
        ),
        // elements that only some points take are read by all, stores in branches stay there
        (
            "update %a",
            "%y: T = load %b[%j, %i] %p: bool = lt %y, %s if %p { put out0[%i, %j] = %y yield } else { yield }",
        ),
        // twice, apart by a row
        (
            "fresh",
            "%i1: index = const 1 %k: index = sub %j, %i1 %h: index = max %k, %i0 %x: T = load %b[%j, %i] %y: T = load %b[%h, %i]
             %u: T = sub %x, %y put out0[%i, %j] = %u",
        ),
    ];
    for (class, (outs, body)) in ["f64", "f32"].into_iter().flat_map(|class| bodies.map(|body| (class, body))) {
        let text = over_matrices(class, outs, &body.replace(": T", &format!(": {class}")));
        assert_eq!(has_tiles(&text), [true; 2], "{text}");
        for [n, m] in [[0, 3], [1, 1], [3, 70], [31, 33], [32, 32], [64, 65], [100, 2], [1, 129]] {
            let scalar = if class == "f64" { Datum::double(0.3) } else { numbers("f32", [1, 1], 3) };
            let scalar = match scalar {
                Datum::Array(one) => Datum::Scalar(one.elements.get(0).unwrap()),
                other => other,
            };
            let args = [numbers(class, [n, m], 1), numbers(class, [m, n], 2), numbers(class, [m, 1], 3), scalar];
            check(&text, &args);
        }
    }
}

/// Stacks of matrices, with their planes and rows exchanged.
#[test]
fn stacks() {
    let text = |subs: &str| {
        format!(
            "func @f(%a: f64[n, m, p]) -> (c: f64[{}]) {{
               sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0 sym p = dim 0 2, >= 0
               %c: f64[{0}] = kernel 0 over [n, m, p] into (fresh) |%i, %j, %k| {{
                 %x: f64 = load %a[%i, %j, %k]
                 put out0[{subs}] = %x
               }}
               return %c
             }}",
            subs.replace("%i", "n").replace("%j", "m").replace("%k", "p")
        )
    };
    for subs in ["%j, %i, %k", "%k, %j, %i", "%k, %i, %j", "%i, %k, %j"] {
        let text = text(subs);
        for dims in [[3, 40, 2], [33, 1, 35], [2, 3, 64], [4, 0, 5]] {
            let data = (0..dims.iter().product()).map(|k: usize| k as f64).collect();
            check(&text, &[array(&dims, Elements::Double(data))]);
        }
    }
    // rows first the last dimension stays the fastest there
    assert_eq!(has_tiles(&text("%j, %i, %k")), [true, false]);
    assert_eq!(has_tiles(&text("%k, %j, %i")), [true; 2]);
}

/// Every sector is read once and written once, and threads meet different banks.
#[test]
fn a_transposition_moves_what_it_must() {
    let ptx = compiled(&over_matrices("f64", "fresh", TRANSPOSE));
    let plan = &ptx.kernels[0];
    let n = 1024;
    let [flat, tiles] =
        [&plan.entries[0], &plan.variants[0][0]].map(|entry| reports_with(&ptx, (plan, entry), &[n, n]).remove(0));
    let least = 2 * (n * n) as u64 * 8 / 32;
    assert_eq!((tiles.traffic.sectors, tiles.traffic.bank_conflicts), (least, 0), "{tiles}");
    assert!(flat.traffic.sectors >= least * 5 / 2, "{flat}");
    assert!(tiles.time < flat.time, "{:?} {:?}", tiles.time, flat.time);
}

/// What gains nothing, or may end an iteration early, has no tiles.
#[test]
fn others_have_none() {
    for body in [
        "%x: f64 = load %a[%i, %j] put out0[%i, %j] = %x",
        "%x: f64 = load %w[%j, %i0] put out0[%i, %j] = %x",
        "%x: f64 = load %b[%j, %i] %p: bool = lt %x, %s assert %p, \"less\" put out0[%i, %j] = %x",
        "%y: f64 = load %w[%j, %i0] %p: bool = lt %y, %s if %p { %x: f64 = load %b[%j, %i] put out0[%i, %j] = %x yield } else { yield }",
    ] {
        assert_eq!(has_tiles(&over_matrices("f64", "fresh", body)), [false; 2], "{body}");
    }
}
