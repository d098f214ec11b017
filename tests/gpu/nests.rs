//! Nests of loops, control flow in the body, checks, and subscripts that are loaded.

use megha_core::interp::{Datum, Elements};

use super::reductions::terms;
use super::small::{array, check};

fn doubles(dims: &[usize], data: Vec<f64>) -> Datum {
    array(dims, Elements::Double(data))
}

#[test]
fn a_failed_check_is_the_first_iterations() {
    let text = "func @f(%a: f64[n, m]) -> (c: f64[n, m]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
        %c: f64[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {
          %x: f64 = load %a[%i, %j]
          %p: bool = lt %x, 7.0
          assert %p, \"seven\"
          %q: bool = ne %x, 5.0
          assert %q, \"five\"
          put out0[%i, %j] = %x
        }
        return %c
      }";
    for first in [[0.0, 1.0, 2.0, 3.0], [0.0, 5.0, 7.0, 5.0], [0.0, 7.0, 5.0, 5.0], [0.0, 5.0, 7.0, 7.0]] {
        check(text, &[doubles(&[2, 2], first.to_vec())]);
    }
}

#[test]
fn one_subscript_of_a_matrix() {
    let text = "func @f(%a: f64[n, m], %b: f64[n, m]) -> (c: f64[n, m]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
        %c: f64[n, m] = kernel 0 over [n * m] into (fresh) |%i| {
          %x: f64 = load %a[%i]
          %k: index = to_index %x
          %y: f64 = load %b[%k]
          put out0[%i] = %y
        }
        return %c
      }";
    let from = (0..35).map(|k| f64::from(k * 11 % 35)).collect();
    check(text, &[doubles(&[5, 7], from), doubles(&[5, 7], terms(35))]);
}

#[test]
fn four_loops_of_any_length() {
    let text = "func @f(%a: f64[n, m, k, l]) -> (c: f64[l, m, k, n]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0 sym k = dim 0 2, >= 0 sym l = dim 0 3, >= 0
        %c: f64[l, m, k, n] = kernel 0 over [n, m, k, l] into (fresh) |%h, %i, %j, %q| {
          %x: f64 = load %a[%h, %i, %j, %q]
          put out0[%q, %i, %j, %h] = %x
        }
        return %c
      }";
    for dims in [[0, 3, 2, 2], [1, 1, 1, 1], [1, 1, 1, 77], [300, 1, 1, 1], [3, 5, 7, 2], [2, 1, 3, 65], [17, 2, 1, 9]]
    {
        check(text, &[doubles(&dims, terms(dims.iter().product()))]);
    }
}

/// A row of partial sums, which is a loop in each thread; it leaves early, goes on early, and has branches.
#[test]
fn loops_and_branches_in_the_body() {
    let text = "func @f(%a: f64[n, m]) -> (c: f64[n, m]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
        %zero: f64 = const 0.0
        %m: index = size m
        %c: f64[n, m] = kernel 0 over [n] into (update %a) |%i| {
          %s: f64 = for %m with %zero |%j, %t| {
            %x: f64 = load out0[%i, %j]
            %p: bool = gt %x, 50.0
            if %p { break %x }
            %q: bool = lt %x, -50.0
            if %q { continue %t }
            %u: f64 = if %q { yield %x } else { %v: f64 = add %t, %x yield %v }
            put out0[%i, %j] = %u
            yield %u
          }
          %e: f64 = while with %s |%w| { %b: bool = gt %w, 1.0 yield %b } do |%w2| { %h: f64 = mul %w2, 0.5 yield %h }
          put out0[%i, 0] = %e
        }
        return %c
      }";
    for n in [0, 1, 31, 257] {
        let ends = [(11, 99.0), (7, -99.0)];
        let data = |k: usize| ends.iter().find(|(by, _)| k % by == by - 1).map_or(1.0 / (k as f64 + 0.3), |(_, x)| *x);
        check(text, &[doubles(&[n, 6], (0..6 * n).map(data).collect())]);
    }
}

/// Stores where a permutation says; what it leaves out keeps its value.
#[test]
fn scatter() {
    let text = "func @f(%a: f64[n, m], %to: f64[k, 1], %x: f64[k, 1]) -> (c: f64[n, m]) {
        sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0 sym k = dim 1 0, >= 0
        %c: f64[n, m] = kernel 0 over [k] into (update %a) |%i| {
          %t: f64 = load %to[%i]
          %j: index = to_index %t
          %v: f64 = load %x[%i]
          put out0[%j] = %v
        }
        return %c
      }";
    for (n, m) in [(1, 1), (7, 5), (5, 61)] {
        let k = n * m / 2;
        let to = (0..k).map(|i| (i * 2) as f64).collect();
        check(text, &[doubles(&[n, m], terms(n * m)), doubles(&[k, 1], to), doubles(&[k, 1], terms(k))]);
    }
}

#[test]
fn a_subscript_that_is_no_whole_number() {
    let text = "func @f(%to: f64[k, 1], %x: f64[k, 1]) -> (c: f64[k, 1]) {
        sym k = dim 0 0, >= 0
        %c: f64[k, 1] = kernel 0 over [k] into (fresh) |%i| {
          %t: f64 = load %to[%i]
          %j: index = to_index %t
          %p: bool = lt %j, 4
          assert %p, \"below four\"
          %v: f64 = load %x[%j]
          put out0[%i] = %v
        }
        return %c
      }";
    for wrong in [1.5, f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, 4.0] {
        check(text, &[doubles(&[4, 1], vec![0.0, 3.0, wrong, 0.5]), doubles(&[4, 1], terms(4))]);
    }
}

#[test]
fn random_numbers() {
    let text = "func @f(%key: f64, %a: f64[n, m]) -> (c: f64[n, m]) {
        sym n = dim 1 0, >= 0 sym m = dim 1 1, >= 0
        %k: index = bits %key
        %n: index = size n
        %c: f64[n, m] = kernel 0 over [n, m] into (fresh) |%i, %j| {
          %before: index = mul %j, %n
          %at: index = add %before, %i
          %b: index = philox %k, %at
          %h: index = shru %b, 11
          %x: f64 = convert %h
          put out0[%i, %j] = %x
        }
        return %c
      }";
    check(text, &[Datum::double(0.3), doubles(&[9, 31], terms(279))]);
}

/// Loops of programs that walk along memory (columns first, the first dimension) and combine in order, and some that only look so.
#[test]
fn loops_along_memory() {
    let kernel = |body: &str| {
        format!(
            "func @f(%a: f64[n, m], %w: f64[m, 1]) -> (c: f64[n, m], d: f64[m, 1]) {{
               sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
               %i0: index = const 0
               %c: f64[n, m], %d: f64[m, 1] = kernel 0 over [m] into (update %a, fresh) |%j| {{
                 %n: index = size n
                 %first: f64 = load %w[%j, %i0]
                 %s: f64 = for %n with %first |%i, %t| {{ {body} }}
                 put out1[%j, 0] = %s
               }}
               return %c, %d
             }}"
        )
    };
    let bodies = [
        // in place, with a value of the line and one that is the same for all
        (
            true,
            "%x: f64 = load out0[%i, %j] %y: f64 = mul %x, %first %u: f64 = add %t, %y %v: f64 = sub %u, %first put out0[%i, %j] = %v yield %u",
        ),
        (
            true,
            "%x: f64 = load %w[%j, %i0] %y: f64 = convert %i %z: f64 = mul %x, %y %u: f64 = max %t, %z put out0[%i, %j] = %u yield %u",
        ),
        // what is read was written before
        (false, "%z: f64 = convert %i put out0[%i, %j] = %z %x: f64 = load out0[%i, %j] %u: f64 = add %t, %x yield %u"),
        // the value before goes into a store
        (false, "%x: f64 = load out0[%i, %j] %u: f64 = add %t, %x put out0[%i, %j] = %t yield %u"),
        // an element is stored twice
        (false, "%z: f64 = convert %i %u: f64 = add %t, %z put out0[%i, %j] = %u put out0[0, %j] = %z yield %u"),
    ];
    for (walks, body) in bodies {
        let text = kernel(body);
        let module = megha_core::ir::parse::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let schedules = megha_core::schedule::Schedules::of(&module);
        let ptx = megha_core::ptx::generate(megha_core::ir::verify::verify(&module).unwrap(), &schedules);
        assert_eq!(ptx.text.contains("tiles of them in shared memory"), walks, "{text}");
        for (n, m) in [(1, 1), (7, 40), (1500, 3), (33, 600)] {
            let a = (0..n * m).map(|k| 1.0 / (k as f64 + 0.3) - 0.01).collect();
            check(&text, &[doubles(&[n, m], a), doubles(&[m, 1], (0..m).map(|k| 0.7 * k as f64 - 5.0).collect())]);
        }
    }
}
