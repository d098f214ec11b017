//! Neighbouring points of a thread: which kernels have them, what they cost, and results for any number of points, part and window.

use megha_base::plan::{Ceilings, Grid, KernelPlan, Part};
use megha_core::interp::{Datum, Elements};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::{Ptx, generate};
use megha_core::schedule::Schedules;

use super::cost::reports_with;
use super::small::{array, check, classes};

fn compiled(text: &str) -> Ptx {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let verified = verify(&module).unwrap_or_else(|v| panic!("{}\n{text}", v[0]));
    let ptx = generate(verified, &Schedules::of(&module));
    assert_eq!(ptx.refused, [], "{text}");
    ptx
}

/// How many neighbours a thread has; none if there is no such entry.
fn each(text: &str) -> Option<u32> {
    let variant = compiled(text).kernels.remove(0).variants.into_iter().next()?;
    match variant[0].grid {
        Grid::Vectors { each, .. } => Some(each),
        _ => None,
    }
}

/// A kernel over a matrix of this class and one of logicals.
fn over_matrices(class: &str, body: &str) -> String {
    format!(
        "func @f(%a: {class}[n, m], %b: {class}[n, m], %w: {class}[n, 1], %s: {class}) -> (c: {class}[n, m], d: bool[n, m]) {{
           sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
           %i0: index = const 0
           %c: {class}[n, m], %d: bool[n, m] = kernel 0 over [n, m] into (update %a, fresh) |%i, %j| {{ {body} }}
           return %c, %d
         }}"
    )
}

/// So many of some elements, in another order.
fn few(data: &Elements, from: usize, count: usize) -> Elements {
    let mut list = Elements::zeros(data.class(), count).unwrap();
    for k in 0..count {
        assert!(list.set(k, data.get((from + 7 * k) % data.len()).unwrap()));
    }
    list
}

/// All classes, in rows of every length about those of vectors.
#[test]
fn results_of_every_class_and_length() {
    for (class, [a, b]) in classes() {
        let body = match class {
            "bool" => "%x: bool = load out0[%i, %j] %y: bool = load %b[%i, %j] %z: bool = load %w[%i, %i0] %p: bool = xor %x, %z
                %v: bool = and %y, %s %u: bool = or %v, %p put out0[%i, %j] = %u put out1[%i, %j] = %p"
                .to_owned(),
            _ => format!(
                "%x: {class} = load out0[%i, %j] %y: {class} = load %b[%i, %j] %z: {class} = load %w[%i, %i0] %p: bool = lt %x, %z
                 %u: {class} = max %y, %s %v: {class} = select %p, %u, %x put out0[%i, %j] = %v put out1[%i, %j] = %p"
            ),
        };
        let text = over_matrices(class, &body);
        let expected = match class {
            "f64" | "i64" | "u64" => None,
            "f32" | "i32" | "u32" => Some(4),
            "i16" | "u16" => Some(8),
            _ => Some(16),
        };
        assert_eq!(each(&text), expected, "{class}");
        if expected.is_none() {
            continue;
        }
        for (n, m) in
            [(0, 3), (1, 1), (3, 2), (4, 3), (5, 3), (7, 1), (15, 2), (16, 3), (17, 1), (255, 1), (64, 5), (513, 2)]
        {
            check(
                &text,
                &[
                    array(&[n, m], few(&a, 0, n * m)),
                    array(&[n, m], few(&b, 1, n * m)),
                    array(&[n, 1], few(&a, 2, n)),
                    Datum::Scalar(b.get(3).unwrap()),
                ],
            );
        }
    }
}

const SAXPY: &str = "func @f(%a: f32[n, 1], %b: f32[n, 1]) -> (c: f32[n, 1]) {
    sym n = dim 0 0, >= 0
    %i0: index = const 0
    %c: f32[n, 1] = kernel 0 over [n] into (fresh) |%i| {
      %x: f32 = load %a[%i, %i0] %y: f32 = load %b[%i, %i0] %u: f32 = mul %x, 2.5 %v: f32 = add %u, %y
      put out0[%i, %i0] = %v
    }
    return %c
  }";

/// Four singles in one instruction, and a quarter of the threads.
#[test]
fn singles_move_by_fours() {
    let ptx = compiled(SAXPY);
    let plan = &ptx.kernels[0];
    let [neighbours, _] = &plan.variants[0];
    let n = 1 << 16;
    let [flat, wide] = [&plan.entries[0], neighbours].map(|entry| reports_with(&ptx, (plan, entry), &[n]).remove(0));
    let count = |name: &str| wide.instructions.get(name).copied().unwrap_or(0);
    assert_eq!(wide.threads * 4, flat.threads);
    assert_eq!((count("ld.global.nc.v4.f32"), count("st.global.v4.f32")), (wide.threads * 2, wide.threads), "{wide}");
    assert_eq!((count("ld.global.nc.f32"), count("st.global.f32")), (0, 0), "{wide}");
    // as many sectors as hold the elements, each once
    assert_eq!((wide.traffic.sectors, wide.traffic.unique_sectors), (3 * n as u64 / 8, 3 * n as u64 / 8), "{wide}");
    assert!(wide.thread_instructions <= 14 * n as u64, "{wide}");
    assert!(wide.thread_instructions * 2 < flat.thread_instructions, "{flat}\n{wide}");
    // with enough threads to fill the device both take the time of memory
    let [flat, wide] =
        [&plan.entries[0], neighbours].map(|entry| reports_with(&ptx, (plan, entry), &[16 * n]).remove(0));
    assert!(wide.time <= flat.time, "{flat}\n{wide}");
}

/// The host takes that entry where there are many points in rows of whole vectors, and the part begins with one.
#[test]
fn the_host_takes_it_where_rows_are_whole_vectors() {
    let text = over_matrices(
        "i16",
        "%x: i16 = load %b[%i, %j] put out0[%i, %j] = %x %p: bool = lt %x, %s put out1[%i, %j] = %p",
    );
    let ptx = compiled(&text);
    let plan = &ptx.kernels[0];
    let takes = |plan: &KernelPlan, order: usize, sizes: [i64; 2], first: [i64; 2]| {
        let symbol = |at: usize| sizes[at];
        let mut part: Part = plan.whole(&symbol);
        part.loops.iter_mut().zip(first).for_each(|(numbers, first)| numbers.0 = first);
        match plan.entry_for(&part, order, &symbol, &Ceilings::default()).grid {
            Grid::Vectors { each, .. } => Some(each),
            _ => None,
        }
    };
    assert_eq!([takes(plan, 0, [1024, 1001], [0, 0]), takes(plan, 1, [1001, 1024], [0, 0])], [Some(8); 2]);
    assert_eq!([takes(plan, 0, [1001, 1024], [0, 0]), takes(plan, 1, [1024, 1001], [0, 0])], [None; 2], "rows of 1001");
    assert_eq!(takes(plan, 0, [1020, 1001], [0, 0]), Some(4), "rows of 1020");
    assert_eq!(takes(plan, 0, [1024, 100], [0, 0]), None, "few points");
    assert_eq!([[8, 3], [12, 0]].map(|first| takes(plan, 0, [1024, 1001], first)), [Some(8), Some(4)], "parts");
}

/// What gains nothing has one entry.
#[test]
fn what_gains_nothing_has_no_such_entry() {
    let bodies = [
        // doubles move with the singles, or the singles do not lie side by side
        ("f64", "%x: f64 = load %b[%i, %j] put out0[%i, %j] = %x %p: bool = lt %x, %s put out1[%i, %j] = %p"),
        (
            "f32",
            "%k: index = add %j, %j %x: f32 = load %b[%j, %i] %y: f32 = load %b[%j, %k] put out0[%j, %j] = %x %t: bool = lt %x, %s put out1[%i, %j] = %t",
        ),
        // an iteration may fail
        (
            "f32",
            "%x: f32 = load %b[%i, %j] %p: bool = lt %x, %s assert %p, \"less\" put out0[%i, %j] = %x %t: bool = lt %x, %s put out1[%i, %j] = %t",
        ),
        // much is computed
        (
            "f32",
            "%x: f32 = load %b[%i, %j] %y: f32 = exp %x %z: f32 = sin %y %u: f32 = pow %z, %y put out0[%i, %j] = %u %t: bool = lt %x, %s put out1[%i, %j] = %t",
        ),
    ];
    for (class, body) in bodies {
        assert_eq!(each(&over_matrices(class, body)), None, "{body}");
    }
}

/// Elements that do not begin a row, branches, stores that only some points make, and what is read behind a store, stay apart.
#[test]
fn what_does_not_lie_together_is_apart() {
    let bodies = [
        "%i1: index = const 1 %k: index = sub %i, %i1 %k: index = max %k, %i0 %x: f32 = load %b[%i, %j] %y: f32 = load %b[%k, %j]
         %u: f32 = add %x, %y put out0[%i, %j] = %u %t: bool = lt %x, %s put out1[%i, %j] = %t",
        "%x: f32 = load %b[%i, %j] %y: f32 = load %w[%i, %i0] %p: bool = lt %x, %y if %p { put out0[%i, %j] = %y yield } else { yield }
         put out1[%i, %j] = %p",
        "%x: f32 = load %b[%i, %j] %y: f32 = load out0[%i, %j] %u: f32 = add %x, %y put out0[%i, %j] = %u %z: f32 = load out0[%i, %j]
         %p: bool = lt %z, %s put out1[%i, %j] = %p",
    ];
    let floats = |count: usize| Elements::Single((0..count).map(|k| (k * 37 % 101) as f32 - 50.0).collect());
    for body in bodies {
        let body = body.replacen("%k: index = max %k", "%h: index = max %k", 1).replace("%b[%k, %j]", "%b[%h, %j]");
        let text = over_matrices("f32", &body);
        assert_eq!(each(&text), Some(4), "{body}");
        for (n, m) in [(1, 2), (4, 4), (7, 3), (64, 5), (130, 2)] {
            let matrix = |n: usize, m: usize| array(&[n, m], floats(n * m));
            check(&text, &[matrix(n, m), matrix(n, m), matrix(n, 1), Datum::Scalar(floats(9).get(8).unwrap())]);
        }
    }
}
