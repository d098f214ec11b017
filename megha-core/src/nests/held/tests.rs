//! Which elements loops hold, by where their reads and stores stand afterwards.

use crate::ir::parse::parse_func;
use crate::ir::{Module, verify::verify};

/// Where the loads and stores of `%x` stand after the pass, by the loops around them: `BODY` stands in a loop of `i` iterations over `%j` in one over `%i`, and
/// `BESIDE` behind it. An `if` around them counts as a loop.
fn depths(body: &str, beside: &str) -> (Vec<usize>, Vec<usize>) {
    let text = "func @f(%l: f64[n, n], %x: f64[n, 1], %k: index) -> (y: f64[n, 1]) {
      sym n = dim 0 0, >= 0
      sym i = value %i, >= 0, <= n - 1
      sym j = value %j, >= 0, <= i - 1
      %n: index = size n
      %0: index = const 0
      %1: index = const 1
      %y: f64[n, 1] = for %n with %x |%i, %first: f64[n, 1]| {
        %trip: index = size i
        %z: f64[n, 1] = for %trip with %first |%j, %acc: f64[n, 1]| {
          BODY
        }
        BESIDE
      }
      return %y
    }";
    let mut func = parse_func(&text.replace("BODY", body).replace("BESIDE", beside)).unwrap_or_else(|e| panic!("{e}"));
    super::run(&mut func);
    let printed = func.to_string();
    assert!(verify(&Module::of(vec![func])).is_ok(), "{printed}");
    let (mut depth, mut loads, mut stores) = (0, Vec::new(), Vec::new());
    for line in printed.lines() {
        depth -= usize::from(line.trim_start().starts_with('}'));
        if line.contains(": f64 = index ") {
            loads.push(depth - 1);
        }
        if line.contains("= store ") {
            stores.push(depth - 1);
        }
        depth += usize::from(line.ends_with('{'));
    }
    (loads, stores)
}

/// Adds an element of this subscript to that of another one.
fn adds(from: &str, to: &str) -> String {
    format!(
        "%e = index %acc[{from}, %0]\n %s = index %acc[{to}, %0]\n %t = sub %s, %e\n
         %put: f64[n, 1] = store %acc[{to}, %0] = %t\n yield %put"
    )
}

const TOUCHED: &str = "%d = index %z[%i, %0]\n %w: f64[n, 1] = store %z[%i, %0] = %d\n yield %w";

#[test]
fn an_element_that_exists_is_held() {
    assert_eq!(depths(&adds("%j", "%i"), TOUCHED), (vec![1, 2, 1], vec![1, 1]));
}

#[test]
fn one_that_may_not_exist_is_held_where_the_loop_has_iterations() {
    assert_eq!(depths(&adds("%j", "%i"), "yield %z"), (vec![2, 3], vec![2]));
}

#[test]
fn one_that_the_loop_may_also_read_under_another_name_is_not() {
    let as_it_was = (vec![2, 2, 1], vec![2, 1]);
    assert_eq!(depths(&adds("%j", "%k"), TOUCHED), as_it_was, "`k` may be below `i`");
    assert_eq!(depths(&adds("%i", "%j"), TOUCHED), as_it_was, "another element in each iteration");
}

#[test]
fn an_older_state_keeps_the_array() {
    let older = "%s = index %acc[%i, %0]\n %a: f64[n, 1] = store %acc[%i, %0] = %s\n %e = index %acc[%j, %0]
        %put: f64[n, 1] = store %a[%i, %0] = %e\n yield %put";
    assert_eq!(depths(older, "yield %z"), (vec![2, 2], vec![2, 2]));
}
