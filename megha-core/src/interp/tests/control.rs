use super::*;

const FIBONACCI: &str = "func @fib(%k: f64 (integer, >= 2, <= 1000)) -> (x: f64[m, 1]) {
  sym m = value %n, >= 2, <= 1000
  %n = to_index %k
  %x0: f64[m, 1] = fill 0.0
  %x1 = store %x0[0] = 1.0
  %trip = sub %n, 2
  %x: f64[m, 1] = for %trip with %x1 |%i, %acc| {
    %i1 = add %i, 1
    %i2 = add %i, 2
    %a = index %acc[%i1]
    %b = index %acc[%i]
    %c = add %a, %b
    %next = store %acc[%i2] = %c checked
    %big = gt %c, 20.0
    if %big { break %next }
    yield %next
  }
  return %x
}";

#[test]
fn loops_carry_and_break() {
    assert_eq!(numbers(FIBONACCI, vec![Datum::double(5.0)]), [1.0, 0.0, 1.0, 1.0, 2.0]);
    let long = numbers(FIBONACCI, vec![Datum::double(12.0)]);
    assert_eq!(long, [1.0, 0.0, 1.0, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 0.0, 0.0]);
}

#[test]
fn a_loop_of_stores_works_in_place() {
    let text = "func @f(%n: f64) -> f64[m, 1] {
      sym m = value %k, >= 0
      %k = to_index %n
      %x: f64[m, 1] = fill 0.0
      %r: f64[m, 1] = for %k with %x |%i, %a| {
        %old = index %a[%i]
        %v = add %old, 1.0
        %b = store %a[%i] = %v
        yield %b
      }
      return %r
    }";
    // Quadratic copying would take minutes.
    let r = numbers(text, vec![Datum::double(100_000.0)]);
    assert_eq!(r.iter().sum::<f64>(), 100_000.0);
}

#[test]
fn facts_of_parameters() {
    for (bad, word) in [(2.5, "whole"), (1.0, "at least 2"), (1001.0, "at most 1000"), (f64::NAN, "whole")] {
        let failed = failure(FIBONACCI, vec![Datum::double(bad)]);
        assert_eq!(failed.kind, FailureKind::Error(ErrorKind::Argument));
        assert!(failed.message.contains(word), "{failed}");
    }
    let failed = failure(FIBONACCI, vec![]);
    assert!(failed.message.contains("1 arguments are needed, 0 are given"), "{failed}");
}

#[test]
fn shapes_of_parameters() {
    let text = "func @f(%x: f64[n, 1], %y: f64[n, 1]) { sym n = dim 0 0 return }";
    let failed = failure(text, vec![column(&[1.0, 2.0]), column(&[1.0])]);
    let want = "argument `y` is 1-by-1 of class double, but must be (n,1) of class double, which is 2-by-1 here";
    assert_eq!((failed.kind, failed.message.as_str()), (FailureKind::Error(ErrorKind::Argument), want));
    assert_eq!(results(text, vec![Datum::double(1.0), Datum::double(1.0)]), []);
}

#[test]
fn while_and_continue() {
    // The sum of the odd numbers up to 9.
    let text = "func @f() -> f64 {
      %a = const 0.0 %b = const 0.0
      %i: f64, %s: f64 = while with %a, %b |%i1, %s1| {
        %go = lt %i1, 9.0
        yield %go
      } do |%i2, %s2| {
        %i3 = add %i2, 1.0
        %m = mod %i3, 2.0
        %even = eq %m, 0.0
        if %even { continue %i3, %s2 }
        %s3 = add %s2, %i3
        yield %i3, %s3
      }
      return %s
    }";
    assert_eq!(numbers(text, vec![]), [25.0]);
}

#[test]
fn leaving_two_loops() {
    let text = "func @f() -> index {
      %n = const 10 %z = const 0
      %r: index = for %n with %z |%i, %a| {
        %s: index = for %n with %a |%j, %b| {
          %c = add %b, 1
          %stop = eq %c, 17
          if %stop { break #1 %c }
          yield %c
        }
        yield %s
      }
      return %r
    }";
    assert_eq!(numbers(text, vec![]), [17.0]);
    let early = "func @f() -> index {
      %n = const 10
      for %n |%i| { %stop = eq %i, 3  if %stop { return %i } }
      unreachable
    }";
    assert_eq!(numbers(early, vec![]), [3.0]);
    assert!(numbers(&early.replace("const 10", "const 5"), vec![]) == [3.0]);
    let not_reached = failure(&early.replace("const 10", "const -1"), vec![]);
    assert_eq!(not_reached.kind, FailureKind::Internal(InternalKind::Malformed));
}

const FACTORIAL: &str = "func @fact(%n: f64) -> f64 {
  %base = le %n, 1.0
  %r: f64 = if %base { %one = const 1.0 yield %one } else {
    %m = sub %n, 1.0
    %f: f64 = call @fact(%m)
    %p = mul %n, %f
    yield %p
  }
  return %r
}";

#[test]
fn calls_and_their_limit() {
    assert_eq!(numbers(FACTORIAL, vec![Datum::double(5.0)]), [120.0]);
    assert_eq!(numbers(FACTORIAL, vec![Datum::double(200.0)]), [f64::INFINITY]);
    let failed = failure(FACTORIAL, vec![Datum::double(1000.0)]);
    assert_eq!(failed.kind, FailureKind::Limit(LimitKind::Depth));
}

#[test]
fn limits() {
    let endless = "func @f() { while with |  | { %c = const true yield %c } do |  | { yield } return }"
        .replace("with |  |", "")
        .replace("do |  |", "do");
    let options = Options { max_steps: 10_000, max_bytes: 1 << 20, ..Options::default() };
    let failed = outcome(&endless, vec![], &options).0.unwrap_err();
    assert_eq!(failed.kind, FailureKind::Limit(LimitKind::Steps));
    let big = "func @f(%n: f64) -> f64 {
      sym m = value %k
      %k = to_index %n
      %x: f64[m, m] = fill 1.0
      %s = reduce sum %x along [0, 1]
      return %s
    }";
    let failed = outcome(big, vec![Datum::double(1e9)], &options).0.unwrap_err();
    assert_eq!(failed.kind, FailureKind::Limit(LimitKind::Memory));
    assert_eq!(outcome(big, vec![Datum::double(30.0)], &options).0.unwrap(), [Datum::double(900.0)]);
}

#[test]
fn output_and_errors() {
    let text = "func @f(%x: f64[1, n]) {
      sym n = dim 0 1
      %name = const \"x\"
      print \"%s:\", %name
      print \" %d\", %x
      print \"\\n\"
      raise \"bad value %g of %s\", %x, %name !4
      unreachable
    }";
    let (result, out) = outcome(text, vec![matrix(1, 3, &[1.0, 2.5, -3.0])], &Options::default());
    assert_eq!(out, "x: 1 2.5 -3\n");
    let failed = result.unwrap_err();
    assert_eq!(failed.kind, FailureKind::Error(ErrorKind::Raised));
    // The template is used again; a fraction is no character.
    assert_eq!(failed.message, "bad value 1 of 2.5bad value -3 of x");
    assert_eq!((failed.function.as_str(), failed.loc), ("f", crate::ir::Loc::new(4)));
}

#[test]
fn assertions() {
    let text = "func @f(%x: f64, %v: f64[n, 1], %w: f64[m, 1]) {
      sym n = dim 1 0
      sym m = dim 2 0
      %ok = ge %x, 0.0
      assert %ok, \"sqrt of a negative number\" !3
      same_size n, m, \"`v + w`\" !5
      return
    }";
    let (one, two) = (column(&[1.0]), column(&[1.0, 2.0]));
    let failed = failure(text, vec![Datum::double(-1.0), one.clone(), one.clone()]);
    assert_eq!(failed.kind, FailureKind::Error(ErrorKind::Assert));
    assert_eq!(failed.message, "sqrt of a negative number");
    let failed = failure(text, vec![Datum::double(1.0), one, two]);
    assert_eq!(failed.kind, FailureKind::Error(ErrorKind::SizeMismatch));
    assert!(failed.message.contains("`v + w`") && failed.message.contains("1 and 2"), "{failed}");
}

#[test]
fn promised_bounds_are_held_against_values() {
    let text = "func @f(%x: f64) { sym k = value %n, >= 0, <= 9  %n = to_index %x !2 return }";
    assert_eq!(results(text, vec![Datum::double(9.0)]), []);
    for bad in [-1.0, 10.0] {
        assert_eq!(failure(text, vec![Datum::double(bad)]).kind, FailureKind::Internal(InternalKind::Bound));
    }
}

#[test]
fn an_array_without_elements_gets_a_last_size_of_one() {
    let text = "func @f(%n: f64) -> (y: f64[1, 4, P]) {
      sym P = value %p, >= 0  sym Q = value %q, >= 0
      %q = size 0
      %p = to_index %n
      %none: f64[0, 0, Q] = fill 2.0
      %y: f64[1, 4, P] = resize %none
      return %y
    }";
    assert_eq!(results(text, vec![Datum::double(1.0)]), [matrix(1, 4, &[0.0; 4])]);
}

#[test]
fn a_row_grows_in_a_loop() {
    let text = "func @f(%n: f64) -> (y: f64[1, R]) {
      sym K = value %k, >= 0  sym R = value %r, >= 0  sym L = value %l
      %m = to_index %n
      %zero = size 0
      %none: f64[1, 0] = fill 0.0
      %r: index, %y: f64[1, R] = for %m with %zero, %none |%i, %k, %x: f64[1, K]| {
        %l = add %k, 1
        %z: f64[1, L] = resize %x
        %v: f64 = convert %i
        %s = store %z[%k] = %v
        %full = gt %l, 3
        if %full { break %k, %x }
        yield %l, %s
      }
      return %y
    }";
    let module = parse(text).unwrap();
    crate::ir::verify::verify(&module).unwrap();
    assert_eq!(parse(&module.to_string()).as_ref(), Ok(&module));
    assert_eq!(results(text, vec![Datum::double(2.0)]), [matrix(1, 2, &[0.0, 1.0])]);
    assert_eq!(results(text, vec![Datum::double(9.0)]), [matrix(1, 3, &[0.0, 1.0, 2.0])]);
    assert_eq!(results(text, vec![Datum::double(0.0)]), [matrix(1, 0, &[])]);
}
