//! Which boxes are left out of a filling, and that the results stay: the interpreter puts other numbers into the boxes.

use crate::interp::{self, Datum, Options};
use crate::ir::parse::parse_func;
use crate::ir::{Func, FuncId, Module, Op, verify::verify};

/// A function that fills a matrix, and what it does with it; it gives `%r`.
fn program(body: &str) -> Func {
    let text = format!(
        "func @f(%a: f64, %b: f64) -> (r: f64[n, m]) {{
           sym n = value %n, >= 0 sym m = value %m, >= 0
           %n = to_index %a %m = to_index %b
           %u: f64[n, m] = fill 0.0
           {body}
           return %r }}"
    );
    parse_func(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The module before and after the pass; both give the same, for all small sizes.
#[track_caller]
fn after(func: Func) -> Func {
    let mut new = func.clone();
    super::run(&mut new);
    let [before, after] = [func, new].map(|func| Module::of(vec![func]));
    if let Err(violations) = verify(&after) {
        panic!("{violations:?}\n{after}");
    }
    for (n, m) in (0..6).flat_map(|n| (0..6).map(move |m| (n, m))) {
        let results = [&before, &after].map(|module| {
            let arguments = vec![Datum::double(f64::from(n)), Datum::double(f64::from(m))];
            interp::run(module, FuncId::new(0), arguments, &Options::default(), &mut std::io::sink()).ok()
        });
        let text = results.each_ref().map(|result| format!("{result:?}"));
        assert_eq!(text[0], text[1], "{n} {m}\n{after}");
    }
    after.funcs.into_iter().next().unwrap_or_else(|| panic!("no function"))
}

/// What the pass leaves out of the filling of `%u`.
#[track_caller]
fn left_out(body: &str) -> String {
    let func = after(program(body));
    let text = func.to_string();
    let line = text.lines().find(|line| line.contains("= fill")).unwrap_or_default();
    line.split_once(" around ").map_or(String::new(), |(_, boxes)| boxes.to_owned())
}

/// A nest over the matrix without its first row and column, which stores `EXPRESSION`.
fn nest(expression: &str) -> String {
    NEST.replace("EXPRESSION", expression)
}

const NEST: &str = "%p: index = size n - 1 %q: index = size m - 1
    %r: f64[n, m] = for %q with %u |%j, %v: f64[n, m]| {
      %w: f64[n, m] = for %p with %v |%i, %x: f64[n, m]| {
        %s = add %i, 1 %t = add %j, 1 %c = const 2.0 EXPRESSION
        %y: f64[n, m] = store %x[%s, %t] = %e yield %y }
      yield %w }";

const INNER: &str = "[1, 1] len [n - 1, m - 1]";

#[test]
fn a_nest_that_reads_what_it_has_stored() {
    assert_eq!(left_out(&nest("%e = mul %c, %c")), INNER);
    assert_eq!(left_out(&nest("%o = index %x[%i, %t] %e = add %o, %c")), INNER);
    assert_eq!(left_out(&nest("%o = index %x[%i, %j] %e = add %o, %c")), INNER);
    assert_eq!(left_out(&nest("%o = index %x[%s, %j] %z = index %x[0, %t] %e = add %o, %z")), INNER);
}

#[test]
fn a_read_before_the_store_needs_the_filling() {
    assert_eq!(left_out(&nest("%o = index %x[%s, %t] %e = add %o, %c")), "");
    // The row behind, which the loop comes to later.
    let behind = "%g = size n - 2 %k = min %i, %g %h = add %k, 1 %l = add %h, 0 %o = index %x[%l, %t] %e = add %o, %c";
    assert_eq!(left_out(&nest(behind)), "");
    // The column behind.
    let behind = "%g = size m - 1 %h = add %t, 1 %k = min %h, %g %o = index %x[%i, %k] %e = add %o, %c";
    assert_eq!(left_out(&nest(behind)), "");
    // A column that nobody knows.
    let open = "%d = index %x[0, 0] %k = to_index %d %o = index %x[%s, %k] %e = add %o, %c";
    assert_eq!(left_out(&nest(open)), "");
}

/// What stands under a condition may not be stored.
#[test]
fn a_store_under_a_condition_needs_the_filling() {
    let stores = "%p: index = size n
      %r: f64[n, m] = for %p with %u |%i, %x: f64[n, m]| {
        %z: f64[n, m] = for %m with %x |%j, %v: f64[n, m]| {
          %c = lt %i, %j
          %y: f64[n, m] = if %c { %w: f64[n, m] = store %v[%i, %j] = 1.0 yield %w } else { yield %v }
          yield %y }
        yield %z }";
    assert_eq!(left_out(stores), "");
    let all = stores.replace("%c = lt %i, %j", "%c = lt %i, %j %k: f64[n, m] = store %v[%i, %j] = 3.0");
    assert_eq!(
        left_out(&all.replace(
            "store %v[%i, %j] = 1.0 yield %w } else { yield %v }",
            "store %k[%i, %j] = 1.0 yield %w } else { yield %k }"
        )),
        "[0, 0] len [n, m]"
    );
}

/// An element that each arm stores, by whatever subscripts.
#[test]
fn a_store_in_either_arm() {
    let arms = |first: &str, second: &str| {
        nest(&format!(
            "%o = index %x[%i, %j] %g = gt %o, 1.0 %e = add %o, %c
             %y: f64[n, m] = if %g {{ {first} }} else {{ {second} }} yield %y"
        ))
        .replacen("%y: f64[n, m] = store %x[%s, %t] = %e yield %y }\n", "}\n", 1)
    };
    let [own, again] = [
        "%k: f64[n, m] = store %x[%s, %t] = %e yield %k",
        "%l = add %i, 1 %h: f64[n, m] = store %x[%l, %t] = %c yield %h",
    ];
    assert_eq!(left_out(&arms(own, again)), INNER);
    let three = format!(
        "%less = lt %i, %j %z: f64[n, m] = if %less {{ {again} }} else {{ {} }} yield %z",
        again.replace("%l", "%d").replace("%h", "%f")
    );
    assert_eq!(left_out(&arms(own, &three)), INNER);
    assert_eq!(left_out(&arms(own, "yield %x")), "");
    assert_eq!(left_out(&arms(own, &again.replace("%x[%l, %t]", "%x[%l, %j]"))), "");
    // An arm reads what only the `if` as a whole is known to store.
    let reads = again.replace("%l = add %i, 1", "%l = add %i, 1 %old = index %x[%l, %t]").replace("= %c", "= %old");
    assert_eq!(left_out(&arms(own, &reads)), "");
}

#[test]
fn a_loop_that_ends_early_needs_the_filling() {
    let left = "%r: f64[n, m] = for %n with %u |%i, %x: f64[n, m]| {
        %k = mod %i, 2
        %c = gt %k, %k
        if %c { break %x }
        %z: f64[n, m] = for %m with %x |%j, %v: f64[n, m]| { %y: f64[n, m] = store %v[%i, %j] = 1.0 yield %y }
        yield %z }";
    assert_eq!(left_out(left), "");
    assert_eq!(left_out(&left.replace("if %c { break %x }", "")), "[0, 0] len [n, m]");
    // The end of the function hands on nothing of it, and an error drops it.
    let error = left.replace("if %c { break %x }", "if %c { raise \"no\" unreachable } else { yield }");
    assert_eq!(left_out(&error), "[0, 0] len [n, m]");
    let handed_on = left.replace("break %x", "return %x");
    assert_eq!(left_out(&handed_on), "");
}

#[test]
fn loops_in_any_direction_by_one_and_none_by_two() {
    let loops = |at: &str| {
        format!(
            "%r: f64[n, m] = for %n with %u |%i, %x: f64[n, m]| {{
               %z: f64[n, m] = for %m with %x |%j, %v: f64[n, m]| {{
                 %l = size n - 1 %k = {at} %y: f64[n, m] = store %v[%k, %j] = 1.0 yield %y }}
               yield %z }}"
        )
    };
    assert_eq!(left_out(&loops("sub %l, %i")), "[0, 0] len [n, m]");
    let half = loops("mul %i, 2").replace("for %n with %u", "for %g with %u").replacen("%r:", "%g = div %n, 2 %r:", 1);
    assert_eq!(left_out(&half), "");
    // Only the diagonal.
    let diagonal = loops("add %i, 0").replace("%v[%k, %j]", "%v[%i, %i]").replace("for %m with %x", "for 1 with %x");
    assert_eq!(left_out(&diagonal.replace("for %n with", "for 0 with")), "");
}

/// A triangle is no box.
#[test]
fn a_loop_as_long_as_another_one_says_stores_no_box() {
    let triangle = "%r: f64[n, m] = for %n with %u |%i, %x: f64[n, m]| {
        %l = min %i, %m
        %z: f64[n, m] = for %l with %x |%j, %v: f64[n, m]| { %y: f64[n, m] = store %v[%i, %j] = 1.0 yield %y }
        yield %z }";
    assert_eq!(left_out(triangle), "");
}

/// In the first iteration of a loop around the store its elements are stored first, if at all.
#[test]
fn a_loop_over_time_stores_again() {
    let steps = |read: &str| {
        format!(
            "%h = const 3 %steps = mod %n, %h
             %r: f64[n, m] = for %steps with %u |%k, %x: f64[n, m]| {{
               %z: f64[n, m] = kernel 0 over [n, m] into (update %x) |%i, %j| {{ put out0[%i, %j] = 1.0 }}
               {read}
               yield %z }}"
        )
        .replace("%h = const 3", "%h = const 3 ")
    };
    // Its number of iterations is no size that is known at the filling.
    assert_eq!(left_out(&steps("")), "");
    let known = |read: &str| steps(read).replace("for %steps", "for %m");
    assert_eq!(left_out(&known("")), "[0, 0] len [n, m] rounds [m]");
    let old = known("")
        .replace("put out0[%i, %j] = 1.0", "%o: f64 = load out0[%i, %j] %e = add %o, 1.0 put out0[%i, %j] = %e");
    assert_eq!(left_out(&old), "");
}

#[test]
fn kernels_store_boxes_too() {
    let kernels = |second: &str| {
        format!(
            "%v: f64[n, m] = kernel 0 over [n] into (update %u) |%i| {{ put out0[%i, 0] = 1.0 }}
             %p: index = size m - 1
             %r: f64[n, m] = for %p with %v |%k, %x: f64[n, m]| {{
               %t = add %k, 1
               %z: f64[n, m] = kernel 1 over [n] into (update %x) |%l| {{ {second} }}
               yield %z }}"
        )
    };
    let boxes = "[0, 1] len [n, m - 1] around [0, 0] len [n, 1]";
    assert_eq!(left_out(&kernels("%o: f64 = load out0[%l, %k] put out0[%l, %t] = %o")), boxes);
    assert_eq!(left_out(&kernels("%o: f64 = load %x[%l, %k] put out0[%l, %t] = %o")), boxes);
    // The first column is a box, but not worth it alone.
    assert_eq!(left_out(&kernels("%o: f64 = load out0[%l, %t] put out0[%l, %t] = %o")), "");
    assert_eq!(left_out(&kernels("%o: f64 = load %x[%l, %t] put out0[%l, %t] = %o")), "");
    let some = "%o: f64 = load out0[%l, %k] %c = gt %o, 0.0 if %c { put out0[%l, %t] = %o yield } else { yield }";
    assert_eq!(left_out(&kernels(some)), "");
}

/// Who needs all of an older state gets it.
#[test]
fn other_uses_end_the_chain() {
    let stores = "%v: f64[n, m] = kernel 0 over [n, m] into (update %u) |%i, %j| { put out0[%i, %j] = 1.0 }";
    assert_eq!(left_out(&format!("{stores} %r: f64[n, m] = add %v, %v")), "[0, 0] len [n, m]");
    assert_eq!(left_out(&format!("{stores} %r: f64[n, m] = add %v, %u")), "");
    assert_eq!(left_out(&format!("%s: f64[n, m] = neg %u {stores} %r: f64[n, m] = add %v, %s")), "");
    let shown = stores.replace("%v:", "display \"u\", %u %v:");
    assert_eq!(left_out(&format!("{shown} %r: f64[n, m] = add %v, %v")), "");
}

/// An array of truths is filled: not each byte is one.
#[test]
fn other_classes() {
    for (class, one, boxes) in [("f32", "1.0", "[0] len"), ("i16", "1", "[0] len"), ("bool", "true", "")] {
        let text = format!(
            "func @f(%a: f64, %b: f64) -> (r: {class}[n, 1]) {{
               sym n = value %n, >= 0
               %n = to_index %a
               %z: {class} = const {one} %u: {class}[n, 1] = fill %z
               %r: {class}[n, 1] = kernel 0 over [n] into (update %u) |%i| {{ put out0[%i, 0] = %z }}
               return %r }}"
        );
        let func = after(parse_func(&text).unwrap_or_else(|error| panic!("{error}\n{text}")));
        assert_eq!(func.body.any(|op| matches!(op, Op::FillAround { .. })), !boxes.is_empty(), "{func}");
    }
}
