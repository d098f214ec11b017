//! Tiles of points in shared memory: they compute what points alone do, and move as much memory as they should.

use megha_base::plan::{Ceilings, Grid, KernelPlan};
use megha_core::interp::{Datum, Elements};

use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::generate;
use megha_core::schedule::Schedules;
use megha_sim::{Model, Report};

use super::cost::reports_with;
use super::reductions::terms;
use super::small::{array, check};

/// A product of matrices with rows and columns of the factors in any order.
fn product(class: &str, [a, b]: [&str; 2]) -> String {
    let dims = |of: &str| of.replace('i', "n").replace('j', "m").replace('k', "p");
    let subs = |of: &str| of.split(", ").map(|s| format!("%{s}")).collect::<Vec<_>>().join(", ");
    let axis = |of: &str, number: usize, name: &str| {
        let at = of.split(", ").position(|s| s == name);
        at.map(|at| format!("dim {number} {at}, >= 0"))
    };
    let size = |name: &str| axis(a, 0, name).or_else(|| axis(b, 1, name)).unwrap();
    format!(
        "func @f(%a: {class}[{}], %b: {class}[{}]) -> (c: {class}[n, m]) {{
           sym n = {} sym m = {} sym p = {}
           %zero: {class} = const 0.0
           %trip: index = size p
           %c: {class}[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {{
             %s: {class} = for %trip with %zero |%k, %t| {{
               %x: {class} = load %a[{}]
               %y: {class} = load %b[{}]
               %z: {class} = mul %x, %y
               %u: {class} = add %t, %z
               yield %u
             }}
             put out0[%i, %j] = %s
           }}
           return %c
         }}",
        dims(a),
        dims(b),
        size("i"),
        size("j"),
        size("k"),
        subs(a),
        subs(b)
    )
}

fn matrix(class: &str, dims: &[usize]) -> Datum {
    let data = terms(dims.iter().product());
    array(
        dims,
        match class {
            "f64" => Elements::Double(data),
            _ => Elements::Single(data.into_iter().map(|x| x as f32).collect()),
        },
    )
}

/// What stands before the loop is computed for points only, and tiles have places that are none: a subscript from there makes no tiles.
#[test]
fn subscripts_from_before_the_loop() {
    let text = "func @f(%a: f64[n, p], %b: f64[p, m], %w: f64[q, p]) -> (c: f64[n, m]) {
        sym n = dim 0 0, >= 0 sym p = dim 0 1, >= 0 sym m = dim 1 1, >= 0 sym q = dim 2 0, >= 6
        %zero: f64 = const 0.0
        %trip: index = size p
        %c: f64[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {
          %five: index = const 5
          %r: index = min %i, %five
          %s: f64 = for %trip with %zero |%k, %t| {
            %x: f64 = load %a[%i, %k]
            %y: f64 = load %b[%k, %j]
            %v: f64 = load %w[%r, %k]
            %z: f64 = mul %x, %y
            %o: f64 = mul %z, %v
            %u: f64 = add %t, %o
            yield %u
          }
          put out0[%i, %j] = %s
        }
        return %c
      }";
    for [n, m, p] in [[1, 1, 1], [65, 67, 17], [66, 3, 16]] {
        check(text, &[matrix("f64", &[n, p]), matrix("f64", &[p, m]), matrix("f64", &[6, p])]);
    }
}

#[test]
fn products_of_any_layout_and_size() {
    for (class, a, b) in
        [("f64", "i, k", "k, j"), ("f64", "k, i", "k, j"), ("f32", "i, k", "j, k"), ("f32", "k, i", "j, k")]
    {
        let text = product(class, [a, b]);
        for [n, m, p] in [[1, 1, 1], [3, 70, 5], [65, 64, 33], [20, 20, 0], [0, 4, 4], [66, 67, 16]] {
            let size = |of: &str| -> Vec<usize> {
                of.split(", ")
                    .map(|s| match s {
                        "i" => n,
                        "j" => m,
                        _ => p,
                    })
                    .collect()
            };
            check(&text, &[matrix(class, &size(a)), matrix(class, &size(b))]);
        }
    }
}

/// Forms of products as programs write them: an element that is updated, work around the loop, one matrix in both factors, batches, and what
/// moves with both loops or none.
#[test]
fn other_bodies_than_a_product() {
    let kernel = |outs: &str, body: &str| {
        format!(
            "func @f(%a: f64[n, p], %b: f64[p, m], %c: f64[n, m], %w: f64[p, 1], %q: f64) -> (d: f64[n, m]) {{
               sym n = dim 0 0, >= 0 sym p = dim 0 1, >= 0 sym m = dim 1 1, >= 0
               %zero: f64 = const 0.0
               %i0: index = const 0
               %d: f64[n, m] = kernel 0 over [n, m] into ({outs}) |%i, %j| {{ %trip: index = size p {body} }}
               return %d
             }}"
        )
    };
    let bodies = [
        (
            "update %c",
            "for %trip |%k| {
               %e: f64 = load out0[%i, %j]
               %x: f64 = load %a[%i, %k]
               %y: f64 = load %b[%k, %j]
               %z: f64 = mul %x, %y
               %u: f64 = sub %e, %z
               put out0[%i, %j] = %u
               yield
             }",
        ),
        (
            "update %c",
            "%e: f64 = load out0[%i, %j]
             %f: f64 = mul %e, %q
             put out0[%i, %j] = %f
             %s: f64, %r: f64 = for %trip with %f, %zero |%k, %t, %o| {
               %x: f64 = load %a[%i, %k]
               %y: f64 = load %b[%k, %j]
               %v: f64 = load %w[%k, %i0]
               %z: f64 = mul %x, %v
               %u: f64 = fma %z, %y, %t
               yield %o, %u
             }
             %h: f64 = load out0[%i, %j]
             %g: f64 = add %s, %h
             %l: f64 = mul %g, %r
             put out0[%i, %j] = %l",
        ),
        (
            "update %c",
            "%s: f64 = for %trip with %zero |%k, %t| {
               %x: f64 = load %a[%i, %k]
               %y: f64 = load %b[%k, %j]
               %g: f64 = convert %k
               %e: f64 = load %w[%i0, %i0]
               %z: f64 = mul %x, %y
               %l: f64 = mul %g, %e
               %p: bool = lt %x, %l
               %o: f64 = select %p, %z, %l
               %u: f64 = add %t, %o
               yield %u
             }
             put out0[%i, %j] = %s",
        ),
    ];
    for (outs, body) in bodies {
        let text = kernel(outs, body);
        assert!(super::schedules::variants(&text) > 0, "no tiles:\n{text}");
        for [n, m, p] in [[1, 1, 1], [66, 63, 19], [5, 65, 0], [64, 64, 32]] {
            let of = |n: usize, m: usize| matrix("f64", &[n, m]);
            check(&text, &[of(n, p), of(p, m), of(n, m), of(p, 1), Datum::double(0.7)]);
        }
    }
}

/// One factor is gone through from its end, every second element of the other (the filters of a signal).
#[test]
fn factors_with_other_steps() {
    let text = "func @f(%a: f64[k2, n], %w: f64[h, 1]) -> (c: f64[n, m]) {
        sym k2 = dim 0 0, >= 0 sym n = dim 0 1, >= 0 sym h = dim 1 0, >= 0
        sym p = floordiv(k2, 2) sym m = max(h - p, 0)
        %zero: f64 = const 0.0
        %i0: index = const 0
        %trip: index = size p
        %c: f64[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {
          %s: f64 = for %trip with %zero |%k, %t| {
            %two: index = const 2
            %kk: index = mul %k, %two
            %x: f64 = load %a[%kk, %i]
            %before: index = size p
            %end: index = add %before, %j
            %at: index = sub %end, %k
            %y: f64 = load %w[%at, %i0]
            %z: f64 = mul %x, %y
            %u: f64 = add %t, %z
            yield %u
          }
          put out0[%i, %j] = %s
        }
        return %c
      }";
    assert_eq!(super::schedules::variants(text), 4);
    for (n, m, p) in [(3, 5, 40), (66, 65, 16), (4, 70, 5)] {
        check(text, &[matrix("f64", &[2 * p, n]), matrix("f64", &[m + p, 1])]);
    }
}

/// Both factors are one matrix, of which each layer of the results takes another part.
#[test]
fn layers_of_a_matrix_with_itself() {
    let text = "func @f(%a: f64[n, p, l]) -> (c: f64[l, n, n]) {
        sym n = dim 0 0, >= 0 sym p = dim 0 1, >= 0 sym l = dim 0 2, >= 0
        %zero: f64 = const 0.0
        %trip: index = size p
        %c: f64[l, n, n] = kernel 0 over [l, n, n] into (fresh) |%h, %i, %j| {
          %s: f64 = for %trip with %zero |%k, %t| {
            %x: f64 = load %a[%i, %k, %h]
            %y: f64 = load %a[%j, %k, %h]
            %z: f64 = mul %x, %y
            %u: f64 = add %t, %z
            yield %u
          }
          put out0[%h, %i, %j] = %s
        }
        return %c
      }";
    assert_eq!(super::schedules::variants(text), 4);
    for dims in [[3, 5, 2], [65, 17, 3], [64, 16, 1]] {
        check(text, &[matrix("f64", &dims)]);
    }
}

/// What a product costs, by a thread for each point and by tiles, columns first; `sizes` are n, m and p.
fn costs(class: &str, factors: [&str; 2], sizes: [i64; 3]) -> Vec<Report> {
    let module = parse(&product(class, factors)).unwrap_or_else(|e| panic!("{e}"));
    let ptx = generate(verify(&module).unwrap_or_else(|v| panic!("{}", v[0])), &Schedules::of(&module));
    let plan = &ptx.kernels[0];
    let entries = [&plan.entries].into_iter().chain(&plan.variants);
    entries.map(|[entry, _]| reports_with(&ptx, (plan, entry), &sizes).remove(0)).collect()
}

/// The share of the peak of arithmetic that multiplications and additions which are not fused reach, half of it at most.
fn share(report: &Report, peak: f64) -> f64 {
    let time = report.time - Model::default().launch_latency;
    (report.flops32 + report.flops64) as f64 / time.as_secs_f64() / peak
}

/// Tiles load an element once for all points of the tile that share it, and wait for each other twice for each tile of iterations.
#[test]
fn tiles_load_shared_elements_once() {
    let Model { flops32, flops64, .. } = Model::default();
    let sizes = [512, 512, 64];
    let steps = (sizes[0] * sizes[1] * sizes[2]) as u64;
    for (class, factors, peak) in [("f64", ["i, k", "k, j"], flops64), ("f32", ["k, i", "j, k"], flops32)] {
        let all = costs(class, factors, sizes);
        // lines have the place of the larger tiles of doubles
        let large = if class == "f64" { None } else { Some(&all[1]) };
        let (flat, small) = (&all[0], &all[1 + usize::from(large.is_some())]);
        let count = |report: &Report, name: &str| report.instructions.get(name).copied().unwrap_or(0);
        let loads = |report: &Report| count(report, &format!("ld.global.nc.{class}"));
        assert_eq!((loads(flat), loads(small)), (2 * steps, 2 * steps / 64), "{small}");
        if let Some(large) = large {
            assert_eq!(loads(large), 2 * steps / 128, "{large}");
        }
        for (report, depth) in large.into_iter().map(|large| (large, 8)).chain([(small, 16)]) {
            assert_eq!(count(report, "bar.sync"), report.threads * 2 * sizes[2] as u64 / depth, "{report}");
            assert_eq!(count(report, &format!("st.global.{class}")), (sizes[0] * sizes[1]) as u64, "{report}");
            // What is not turned meets no bank twice, and what is turned once at most.
            assert!(report.traffic.bank_conflicts * 10 <= report.traffic.shared_passes, "{report}");
        }
        assert!(small.thread_instructions * 2 < flat.thread_instructions, "{small}");
        assert!(share(small, peak) > 1.5 * share(flat, peak), "{flat}\n{small}");
    }
}

/// Doubles whose lines lie along memory have the larger tiles, those whose lines lie side by side the lines in their place: where results are few these are the fastest.
#[test]
fn lines_have_the_place_of_larger_tiles() {
    let plan = |factors: [&str; 2]| {
        let module = parse(&product("f64", factors)).unwrap_or_else(|e| panic!("{e}"));
        generate(verify(&module).unwrap_or_else(|v| panic!("{}", v[0])), &Schedules::of(&module)).kernels.remove(0)
    };
    let (along, beside) = (plan(["k, i", "k, j"]), plan(["i, k", "k, j"]));
    let grids = |plan: &KernelPlan| -> Vec<Grid> {
        [&plan.entries].into_iter().chain(&plan.variants).map(|[entry, _]| entry.grid.clone()).collect()
    };
    let is_lines = |grid: &Grid| matches!(grid, Grid::Rows { .. });
    let is_large = |grid: &Grid| matches!(grid, Grid::Tiles { tile: [128, 64] | [64, 128], .. });
    let all = grids(&along);
    assert!(is_lines(&all[0]) && is_large(&all[1]) && all.len() == 5, "{all:?}");
    let all = grids(&beside);
    assert!(!all.iter().any(is_large) && is_lines(&all[4]) && all.len() == 5, "{all:?}");
    let way = |n: i64| beside.way_for(&beside.whole(&|_| n), 0, &|_| n, &Ceilings::default());
    assert_eq!([30, 128, 200, 384, 2048].map(way), [4, 4, 3, 2, 1]);
}
