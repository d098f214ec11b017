//! Which minima are comparisons after the pass.

use crate::ir::parse::parse_func;
use crate::ir::{Module, verify::verify};

/// The statements of a function of `%x`, a number, `%v`, a vector, and `%n`, a count.
fn after(body: &str) -> String {
    let text = format!(
        "func @f(%x: f64, %v: f64[n, 1], %c: bool) -> (y: f64) {{\n sym n = dim 1 0, >= 0\n %n: index = size n\n %0: index = const 0\n
         %one: f64 = const 1.0\n %zero: f64 = const 0.0\n {body} }}"
    );
    let mut func = parse_func(&text).unwrap_or_else(|e| panic!("{e}"));
    super::run(&mut func);
    let printed = func.to_string();
    assert!(verify(&Module::of(vec![func])).is_ok(), "{printed}");
    printed
}

/// How many extremes are left, and how many are comparisons.
fn counts(body: &str) -> (usize, usize) {
    let printed = after(body);
    (printed.matches(" = min ").count() + printed.matches(" = max ").count(), printed.matches(" = select ").count())
}

#[test]
fn the_first_operand_decides() {
    assert_eq!(counts("%y: f64 = min %x, %one\n return %y"), (1, 0));
    assert_eq!(counts("%y: f64 = min %one, %x\n return %y"), (0, 1));
    // what is the smaller of one and a number is a number
    assert_eq!(counts("%a: f64 = max %x, %zero\n %y: f64 = min %a, %one\n return %y"), (1, 1));
    let printed = after("%y: f64 = max %one, %x\n return %y");
    assert!(printed.contains(" = gt %1, ") && printed.contains(" = select "), "{printed}");
}

#[test]
fn sums_and_products_with_constants() {
    let of = |number: &str, op: &str| counts(&format!("{number} %a: f64 = {op}\n %y: f64 = min %a, %x\n return %y"));
    let count = "%k: f64 = convert %n\n %l: f64 = convert %0\n";
    for (op, is_number) in [
        ("add %k, %one", true),
        ("sub %one, %k", true),
        ("mul %k, %one", true),
        ("div %k, %one", true),
        ("exp %k", true),
        // infinity less infinity, zero times infinity, a number that may be NaN
        ("add %k, %l", false),
        ("mul %k, %zero", false),
        ("div %one, %k", false),
        ("add %x, %one", false),
        ("sqrt %k", false),
    ] {
        assert_eq!(of(count, op), if is_number { (0, 1) } else { (1, 0) }, "{op}");
    }
}

/// Through loops, their arrays and choices.
#[test]
fn what_loops_hand_on() {
    let looped = |next: &str| {
        counts(&format!(
            "%s: f64[n, 1] = fill %zero\n %r: f64[n, 1], %q: f64 = for %n with %s, %one |%j, %a: f64[n, 1], %b: f64| {{\n
               %e = index %a[%j, %0]\n %m: f64 = min %e, %b\n %i: f64 = if %c {{\n yield %m\n }} else {{\n yield %b\n }}\n
               {next}\n %t: f64[n, 1] = store %a[%j, %0] = %p\n yield %t, %p\n }}\n return %q"
        ))
    };
    assert_eq!(looped("%p: f64 = add %i, %one"), (0, 1));
    assert_eq!(looped("%p: f64 = add %i, %x"), (1, 0));
    assert_eq!(looped("%p: f64 = add %i, %i"), (1, 0));
}

/// What a kernel stores counts; its own minima stay.
#[test]
fn kernels() {
    let kernel = |stored: &str| {
        counts(&format!(
            "%s: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {{\n %k: f64 = convert %i\n %w = load %v[%i, %0]\n %m: f64 = min %k, %one\n
               put out0[%i, %0] = {stored}\n yield\n }}\n %e = index %s[%0, %0]\n %y: f64 = min %e, %x\n return %y"
        ))
    };
    assert_eq!(kernel("%m"), (1, 1));
    assert_eq!(kernel("%w"), (2, 0));
}
