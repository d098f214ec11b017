//! Lines that blocks walk along in tiles: along memory, and side by side where neighbouring lines are neighbours in memory.

use megha_base::plan::{Ceilings, Entry, Grid};
use megha_core::interp::{Datum, Elements};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ptx::generate;
use megha_core::schedule::Schedules;

use super::reductions::terms;
use super::small::{array, check};

/// A matrix, given by its subscripts, times a vector: the sum in a value that the loop carries.
fn carried(class: &str, dims: &str, subscripts: &str) -> String {
    function(
        class,
        dims,
        "(fresh)",
        &format!(
            "%zero: {class} = const 0.0
             %s: {class} = for %trip with %zero |%j, %t| {{
               %u: {class} = load %a[{subscripts}] %v: {class} = load %x[%j, %none]
               %w: {class} = mul %u, %v %next: {class} = add %t, %w
               yield %next
             }}
             put out0[%i, %none] = %s"
        ),
    )
}

/// The same in an element that the loop updates.
fn updated(class: &str, dims: &str, subscripts: &str) -> String {
    function(
        class,
        dims,
        "(update %y)",
        &format!(
            "for %trip |%j| {{
               %u: {class} = load %a[{subscripts}] %v: {class} = load %x[%j, %none]
               %w: {class} = mul %u, %v
               %t: {class} = load out0[%i, %none] %next: {class} = add %t, %w
               put out0[%i, %none] = %next
               yield
             }}"
        ),
    )
}

fn function(class: &str, dims: &str, into: &str, body: &str) -> String {
    format!(
        "func @f(%a: {class}[{dims}], %x: {class}[m, 1], %y: {class}[n, 1]) -> (z: {class}[n, 1]) {{
           sym n = dim 2 0, >= 0 sym m = dim 1 0, >= 0
           %trip: index = size m
           %none: index = const 0
           %z: {class}[n, 1] = kernel 0 over [n] into {into} |%i| {{
             {body}
           }}
           return %z
         }}"
    )
}

const SIZES: [[usize; 2]; 7] = [[0, 3], [3, 0], [1, 1], [31, 9], [33, 40], [1100, 7], [5, 1300]];

fn all() -> Vec<String> {
    let forms = [carried, updated].into_iter().flat_map(|form| ["f64", "f32"].map(|class| (form, class)));
    forms.flat_map(|(form, class)| [form(class, "n, m", "%i, %j"), form(class, "m, n", "%j, %i")]).collect()
}

#[test]
fn lines_make_what_threads_alone_make() {
    let numbers = |class: &str, dims: &[usize]| -> Datum {
        let list = terms(dims.iter().product());
        let single = |list: Vec<f64>| Elements::Single(list.into_iter().map(|x| x as f32).collect());
        array(dims, if class == "f64" { Elements::Double(list) } else { single(list) })
    };
    for text in all() {
        let class = if text.contains("f64") { "f64" } else { "f32" };
        for [n, m] in SIZES {
            let matrix = if text.contains("[n, m]") { [n, m] } else { [m, n] };
            check(&text, &[numbers(class, &matrix), numbers(class, &[m, 1]), numbers(class, &[n, 1])]);
        }
    }
    // integers, which saturate
    for (text, [n, m]) in [updated("i32", "n, m", "%i, %j")].iter().flat_map(|text| SIZES.map(|size| (text, size))) {
        let of = |dims: &[usize]| {
            let list = (0..dims.iter().product()).map(|k: usize| (k as i32 % 7 - 3).wrapping_mul(30_011));
            array(dims, Elements::Int32(list.collect()))
        };
        check(text, &[of(&[n, m]), of(&[m, 1]), of(&[n, 1])]);
    }
}

/// What is stored before the loop the threads that read ahead would not wait for; the loop may have fewer than no iterations.
#[test]
fn stores_before_and_loops_of_no_iterations() {
    let text = "func @f(%a: f64[n, m], %b: f64[n, 1]) -> (c: f64[n, m], y: f64[n, 1]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
        %trip: index = size m
        %none: index = const 0
        %c: f64[n, m], %y: f64[n, 1] = kernel 0 over [n] into (update %a, fresh) |%i| {
          %zero: f64 = const 0.0
          %first: f64 = load %b[%i, %none]
          put out0[%i, %none] = %first
          %s: f64 = for %trip with %zero |%j, %t| {
            %u: f64 = load out0[%i, %j] %next: f64 = add %t, %u
            yield %next
          }
          put out1[%i, %none] = %s
        }
        return %c, %y
      }";
    for [n, m] in [[3, 1], [40, 300]] {
        let of = |dims: &[usize]| array(dims, Elements::Double(terms(dims.iter().product())));
        check(text, &[of(&[n, m]), of(&[n, 1])]);
    }
    let less = carried("f64", "n, m", "%i, %j").replace("%trip: index = size m", "%trip: index = size m - 1");
    for [n, m] in [[3, 0], [3, 1], [40, 9]] {
        let of = |dims: &[usize]| array(dims, Elements::Double(terms(dims.iter().product())));
        check(&less, &[of(&[n, m]), of(&[m, 1]), of(&[n, 1])]);
    }
}

/// Sums over all of some others, which are read along memory by each point.
const PAIRS: &str = "func @f(%a: f64[n, 1], %b: f64[m, 2]) -> (c: f64[n, 1]) {
    sym n = dim 0 0, >= 0 sym m = dim 1 0, >= 0
    %zero: f64 = const 0.0
    %trip: index = size m
    %none: index = const 0 %one: index = const 1
    %c: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
      %p: f64 = load %a[%i, %none]
      %s: f64 = for %trip with %zero |%j, %t| {
        %x: f64 = load %b[%j, %none] %w: f64 = load %b[%j, %one]
        %d: f64 = sub %x, %p %y: f64 = mul %w, %d %next: f64 = add %t, %y
        yield %next
      }
      put out0[%i, %none] = %s
    }
    return %c
  }";

/// Where all lines read the same elements, many have a thread each; with rows first what they read lies an element apart, and a thread for each point is the only way.
#[test]
fn many_lines_that_read_the_same_have_a_thread_each() {
    let module = parse(PAIRS).unwrap_or_else(|e| panic!("{e}"));
    let ptx = generate(verify(&module).unwrap_or_else(|v| panic!("{}", v[0])), &Schedules::of(&module));
    let plan = &ptx.kernels[0];
    let grid = |both: &[Entry; 2]| matches!(both[0].grid, Grid::Rows { .. });
    assert!(grid(&plan.entries) && plan.variants.len() == 1 && !grid(&plan.variants[0]));
    let way = |n: i64| plan.way_for(&plan.whole(&|_| n), 0, &|_| n, &Ceilings::default());
    assert_eq!([100, 1 << 20].map(way), [0, 1]);
    for [n, m] in SIZES {
        let of = |dims: &[usize]| array(dims, Elements::Double(terms(dims.iter().product())));
        check(PAIRS, &[of(&[n, 1]), of(&[m, 2])]);
    }
}

/// Lines along memory that read elements of their own have no other entry; side by side there is a thread for each line too, where there are many.
#[test]
fn blocks_walk_along_few_lines() {
    for text in all() {
        let module = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let ptx = generate(verify(&module).unwrap_or_else(|v| panic!("{}", v[0])), &Schedules::of(&module));
        let plan = &ptx.kernels[0];
        // Rows of the matrix lie along memory with rows first.
        let along = usize::from(text.contains("[n, m]"));
        let is_lines = |grid: &Grid| matches!(grid, Grid::Rows { .. });
        assert!(is_lines(&plan.entries[along].grid) && is_lines(&plan.variants[0][along].grid), "{text}");
        assert!(!is_lines(&plan.entries[1 - along].grid) && is_lines(&plan.variants[0][1 - along].grid), "{text}");
        let way = |n: i64| {
            let sizes = |_: usize| n;
            plan.way_for(&plan.whole(&sizes), 1 - along, &sizes, &Ceilings::default())
        };
        assert_eq!([300, 1 << 20].map(way), [1, 0], "{text}");
    }
}
