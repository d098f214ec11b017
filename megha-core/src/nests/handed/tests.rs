//! Which reads of a loop go, and what is loaded before it.

use crate::ir::parse::parse_func;
use crate::ir::{Const, Func, Module, Op, Stmt, Sub, Walk, verify::verify};

/// The subscripts of the reads of `%x` before a loop and in it, after the pass. `BODY` stands in the loop, which hands on `%a` and counts `%j`.
fn reads(body: &str) -> (Vec<String>, Vec<String>) {
    let text = "func @f(%x: f64[n, m], %v: f64[m, 1], %k: index) -> (y: f64[n, m]) {
      sym n = dim 0 0, >= 0
      sym m = dim 0 1, >= 0
      sym j = value %j, >= 0, <= m - 1
      sym k = value %k
      %m: index = size m - 2
      %0: index = const 0
      %1: index = const 1
      %y: f64[n, m] = for %m with %x |%j, %a: f64[n, m]| {
        %j1: index = size j + 1
        %j2: index = size j + 2
        BODY
      }
      return %y
    }";
    let mut func = parse_func(&text.replace("BODY", body)).unwrap_or_else(|e| panic!("{e}"));
    super::run(&mut func);
    assert!(verify(&Module::of(vec![func.clone()])).is_ok(), "{func}");
    let (mut before, mut within) = (Vec::new(), Vec::new());
    for stmt in &func.body.stmts {
        let found = if matches!(stmt.op, Op::For { .. }) { &mut within } else { &mut before };
        stmt.walk(&mut |stmt| {
            if let Op::Index { array, subs, .. } = &stmt.op
                && func.ty(*array) == func.ty(func.params[0].value)
            {
                found.push(subs.iter().map(|sub| shown(&func, sub)).collect::<Vec<_>>().join(","));
            }
            Walk::Advance
        });
    }
    (before, within)
}

/// A subscript: the size that it is, or its name.
fn shown(func: &Func, sub: &Sub) -> String {
    let Sub::At(value) = sub else { panic!("a part of an array") };
    let mut text = func.names[value.index()].clone().unwrap_or_default().to_string();
    func.body.stmts.iter().for_each(|stmt| {
        stmt.walk(&mut |stmt| {
            match &stmt.op {
                Op::Size(size) if stmt.results[0] == *value => text = func.symbols.show(size),
                Op::Const(Const::Int(number)) if stmt.results[0] == *value => text = number.to_string(),
                _ => {}
            }
            Walk::Advance
        });
    });
    text
}

fn texts(of: &[&str]) -> Vec<String> {
    of.iter().map(|text| (*text).to_string()).collect()
}

#[test]
fn what_was_stored_one_iteration_ago() {
    let body = "%o = index %a[%0, %j]\n %s: f64 = add %o, %o\n %b: f64[n, m] = store %a[%0, %j1] = %s\n yield %b";
    assert_eq!(reads(body), (texts(&["0,0"]), vec![]));
}

#[test]
fn and_two() {
    let body = "%o = index %a[%0, %j]\n %p = index %a[%0, %j1]\n %s: f64 = add %o, %p\n
        %b: f64[n, m] = store %a[%0, %j2] = %s\n yield %b";
    assert_eq!(reads(body), (texts(&["0,1", "0,0"]), vec![]));
}

/// The element of the iteration before is not proven to exist.
#[test]
fn two_alone_may_not_exist() {
    let body = "%o = index %a[%0, %j]\n %s: f64 = add %o, %o\n %b: f64[n, m] = store %a[%0, %j2] = %s\n yield %b";
    assert_eq!(reads(body), (vec![], texts(&["0,j"])));
}

/// Rows that go together: the second reads what the first has stored in the iteration before, and in the same one.
#[test]
fn the_store_that_came_last() {
    let body = "%o = index %a[%0, %j]\n %s: f64 = add %o, %o\n %b: f64[n, m] = store %a[%0, %j1] = %s\n
        %q = index %b[%0, %j]\n %r = index %b[%0, %j1]\n %t: f64 = add %q, %r\n %c: f64[n, m] = store %b[%1, %j1] = %t\n yield %c";
    assert_eq!(reads(body), (texts(&["0,0"]), vec![]));
    // The second store replaces what the first has stored.
    let body = "%o = index %a[%0, %j]\n %s: f64 = add %o, %o\n %b: f64[n, m] = store %a[%0, %j1] = %s\n
        %t: f64 = add %s, %s\n %c: f64[n, m] = store %b[%0, %j1] = %t\n yield %c";
    let text = reads(body);
    assert_eq!(text, (texts(&["0,0"]), vec![]));
}

/// A read that only some iterations have proves nothing, but what it reads is handed on if others prove it.
#[test]
fn what_some_iterations_read() {
    let some = |also: &str| {
        format!(
            "{also} %v0 = index %v[%j, %0]\n %w: bool = lt %v0, %v0\n %i: f64 = if %w {{\n %o = index %a[%0, %j]\n yield %o\n }} else {{\n yield %v0\n }}\n
             %b: f64[n, m] = store %a[%0, %j1] = %i\n yield %b"
        )
    };
    assert_eq!(reads(&some("")), (vec![], texts(&["0,j"])));
    let (before, within) = reads(&some("%p = index %a[%1, %j]\n"));
    assert_eq!((before, within), (texts(&["0,0"]), texts(&["1,j"])));
}

/// A store whose distance is not known, one to the same element in all iterations, a row that is read, and an array that is handed on as it was.
#[test]
fn what_may_have_changed_is_read() {
    for (body, read) in [
        (
            "%o = index %a[%0, %j]\n %b: f64[n, m] = store %a[%0, %j1] = %o\n %c: f64[n, m] = store %b[%0, %k] = %o\n yield %c",
            "0,j",
        ),
        ("%o = index %a[%0, %j]\n %b: f64[n, m] = store %a[%0, %0] = %o\n yield %b", "0,j"),
        ("%o = index %a[%0, %j1]\n %b: f64[n, m] = store %a[%0, %j] = %o\n yield %b", "0,j + 1"),
    ] {
        assert_eq!(reads(body), (vec![], texts(&[read])), "{body}");
    }
}

/// What is stored to one array was read of another, and the other way round.
#[test]
fn two_arrays() {
    let text = "func @f(%x: f64[n, 1], %w: f64[n, 1]) -> (y: f64[n, 1], z: f64[n, 1]) {
      sym n = dim 0 0, >= 0
      sym j = value %j, >= 0, <= n - 2
      %m: index = size n - 1
      %0: index = const 0
      %y: f64[n, 1], %z: f64[n, 1] = for %m with %x, %w |%j, %a: f64[n, 1], %b: f64[n, 1]| {
        %j1: index = size j + 1
        %o = index %a[%j, %0]
        %p = index %b[%j, %0]
        %c: f64[n, 1] = store %a[%j1, %0] = %p
        %d: f64[n, 1] = store %b[%j1, %0] = %o
        yield %c, %d
      }
      return %y, %z
    }";
    let mut func = parse_func(text).unwrap_or_else(|e| panic!("{e}"));
    super::run(&mut func);
    assert!(verify(&Module::of(vec![func.clone()])).is_ok(), "{func}");
    let inside = |stmt: &Stmt| match &stmt.op {
        Op::For { body, .. } => body.count(|op| matches!(op, Op::Index { .. })),
        _ => 0,
    };
    assert_eq!(func.body.stmts.iter().map(inside).sum::<usize>(), 0, "{func}");
}
