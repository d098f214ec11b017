use super::*;
use crate::ir::parse::parse;

/// How many array copies the code of a function makes: of whole arrays, and around what is stored next.
fn copies_of_both_kinds(text: &str) -> [usize; 2] {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let func = &module.funcs[0];
    let inlined = Inlined::of(func, &func.body);
    let storage = assign(func, &inlined, &HashSet::default());
    [storage.array_copies(), storage.stored.len()]
}

/// How many array copies of either kind.
fn copies(text: &str) -> usize {
    copies_of_both_kinds(text).iter().sum()
}

const LOOP: &str = "%n = size n
    %r: f64[n, 1] = for %n with %a |%i, %b| {
      %v = index %b[%i]
      %w = add %v, 1.0
      %c = store %b[%i] = %w
      yield %c
    }";

#[test]
fn a_store_in_a_loop_is_in_place() {
    let text = format!(
        "func @f(%x: f64[n, 1]) -> (r: f64[n, 1]) {{ sym n = dim 0 0 %a: f64[n, 1] = fill 0.0 {LOOP} return %r }}"
    );
    assert_eq!(copies(&text), 0);
}

#[test]
fn the_callers_array_is_copied_once() {
    let text = format!("func @f(%a: f64[n, 1]) -> (r: f64[n, 1]) {{ sym n = dim 0 0 {LOOP} return %r }}");
    assert_eq!(copies(&text), 1);
}

#[test]
fn the_old_state_that_is_used_again_is_copied_once() {
    let text = format!(
        "func @f(%x: f64[n, 1]) -> (r: f64[n, 1], a: f64[n, 1]) {{ sym n = dim 0 0 %a: f64[n, 1] = fill 0.0 {LOOP} return %r, %a }}"
    );
    assert_eq!(copies(&text), 1);
}

#[test]
fn updates_of_fields_in_a_time_loop_are_in_place() {
    let kernel = |result: &str, out: &str, other: &str| {
        format!(
            "%{result}: f64[n, n] = kernel 0 over [n, n] into (update %{out}) |%i, %j| {{
               %old = load %{out}[%i, %j] %o = load %{other}[%j, %i] %s = add %old, %o put out0[%i, %j] = %s }}"
        )
    };
    let text = format!(
        "func @f(%x: f64[n, n], %t: f64) -> (e: f64[n, n], h: f64[n, n]) {{
           sym n = dim 0 0
           %e0: f64[n, n] = fill 0.0 %h0: f64[n, n] = fill 1.0
           %trip = to_index %t
           %e: f64[n, n], %h: f64[n, n] = for %trip with %e0, %h0 |%k, %e1, %h1| {{
             {} {} yield %e2, %h2
           }}
           return %e, %h
         }}",
        kernel("h2", "h1", "e1"),
        kernel("e2", "e1", "h2")
    );
    assert_eq!(copies(&text), 0);
}

#[test]
fn an_update_that_reads_old_neighbours_works_on_a_copy() {
    let text = "func @f(%x: f64[n, 1]) -> (b: f64[n, 1]) {
        sym n = dim 0 0
        %a: f64[n, 1] = fill 0.0
        %b: f64[n, 1] = kernel 0 over [n - 1] into (update %a) |%i| {
          %j = add %i, 1 %v = load %a[%j] put out0[%i] = %v }
        return %b
      }";
    assert_eq!(copies(text), 1);
}

#[test]
fn reads_of_what_no_point_stores_are_no_reason_for_a_copy() {
    let copies_of = |stored: &str, loaded: &str, more: &str| {
        copies(&format!(
            "func @f(%x: f64[n, n], %t: index, %p: index, %q: index) -> (b: f64[n, n]) {{
               sym n = dim 0 0, >= 0 sym k = value %k, >= 0, <= n - 3
               %a: f64[n, n] = fill 0.0
               %b: f64[n, n] = for %t with %a |%k, %u| {{
                 %k1: index = size k + 1 %k2: index = size k + 2 %m: index = size n - 1
                 %c: f64[n, n] = kernel 0 over [n] into (update %u) |%i| {{
                   %i1: index = add %i, 1 {more} %v: f64 = load %u[{loaded}] put out0[{stored}] = %v }}
                 yield %c
               }}
               return %b
             }}"
        ))
    };
    let one = |stored: &str, loaded: &str| copies_of(stored, loaded, "");
    assert_eq!([one("%i, %k1", "%i, %k2"), one("%i, %k2", "%i, %k"), one("%k, %i", "%k1, %i")], [0; 3], "lines");
    assert_eq!(
        [one("0, %i", "%p, %i"), one("%i, %p", "%i, %q")],
        [0, 0],
        "if they are one line, its elements stay where they are"
    );
    assert_eq!(
        [one("0, %i", "%m, %i1"), one("0, %i", "%p, %i1")],
        [0, 1],
        "the first and the last line, if there are two points"
    );
    assert_eq!(one("%p, %i", "%i, %q"), 1, "a row and a column meet");
    assert_eq!(one("%i1, %k", "%i, %k"), 1, "the next point's element");
    let stored_before = "%w: f64 = load %u[%i, %k1] put out0[%i, %p] = %w";
    assert_eq!(copies_of("%i, %k2", "%i, %k1", "%z: f64 = load %u[%i, %k]"), 0);
    assert_eq!(copies_of("%i, %k2", "%i, %q", stored_before), 1, "stored by the same point before");
}

#[test]
fn what_a_kernel_stores_in_a_second_place_is_not_copied_there() {
    let stencil = |domain: &str, body: &str| {
        copies_of_both_kinds(&format!(
            "func @f(%x: f64[n, m], %p: index) -> (b: f64[n, m]) {{
               sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
               %b: f64[n, m] = kernel 0 over [{domain}] into (update %x) |%i, %j| {{
                 %i1: index = add %i, 1 %j1: index = add %j, 1 {body} }}
               return %b
             }}"
        ))
    };
    let put = "%v: f64 = load %x[%i, %j] put out0[%i1, %j1] = %v";
    assert_eq!(stencil("n - 2, m - 2", put), [0, 1]);
    assert_eq!(stencil("n - 2, m - 2", &put.replace("[%i1, %j1]", "[%i1, %p]")), [1, 0], "it is not known where");
    assert_eq!(stencil("n - 2, m - 2", &format!("%u: f64 = load out0[%i1, %j1] {put}")), [1, 0], "it is read before");
    let triangle = format!("%c: bool = lt %i, %j if %c {{ {put} yield }} else {{ yield }}");
    assert_eq!(stencil("n - 2, m - 2", &triangle), [1, 0]);
    assert_eq!(
        stencil("n - 2, m - 2", "%d: index = mul %i, 2 %v: f64 = load %x[%i, %j] put out0[%d, %j1] = %v"),
        [1, 0]
    );
}

#[test]
fn an_order_that_the_body_has_is_kept() {
    let looped = |load: &str, store: &str| {
        copies(&format!(
            "func @f(%x: f64[n, n]) -> (b: f64[n, n]) {{
               sym n = dim 0 0, >= 0
               %a: f64[n, n] = fill 0.0 %m: index = size n - 1
               %b: f64[n, n] = kernel 0 over [n] into (update %a) |%i| {{
                 for %m |%k| {{ %k1: index = add %k, 1 %v: f64 = load %a[{load}] put out0[{store}] = %v yield }}
                 yield }}
               return %b
             }}"
        ))
    };
    assert_eq!(looped("%i, %k1", "%i, %k"), 0, "the element is loaded before a later iteration stores it");
    assert_eq!(looped("%i, %k", "%i, %k"), 0);
    assert_eq!(looped("%i, %k", "%i, %k1"), 1, "the iteration before has stored it");
    assert_eq!(looped("%k, %i", "%i, %k"), 1, "another point stores it");
}

#[test]
fn two_elements_that_an_iteration_reads_and_then_stores_are_in_place() {
    let rotation = |loads: &str| {
        format!(
            "func @f(%x: f64[n, n], %p: index, %q: index) -> (b: f64[n, n]) {{
               sym n = dim 0 0
               %a: f64[n, n] = fill 0.0
               %b: f64[n, n] = kernel 0 over [n] into (update %a) |%i| {{ {loads} }}
               return %b
             }}"
        )
    };
    let old = "%u = load %a[%i, %p] %v = load %a[%i, %q] put out0[%i, %p] = %v put out0[%i, %q] = %u";
    assert_eq!(copies(&rotation(old)), 0);
    let new = "%u: f64 = load out0[%i, %p] put out0[%i, %q] = %u %v: f64 = load out0[%i, %q] put out0[%i, %p] = %v";
    assert_eq!(copies(&rotation(new)), 0);
    let after = "%u = load %a[%i, %p] put out0[%i, %p] = %u %v = load %a[%i, %q] put out0[%i, %q] = %u";
    assert_eq!(copies(&rotation(after)), 1, "a load of what may be stored by then");
    let elsewhere = "%u = load %a[%q, %i] %v = load %a[%i, %q] put out0[%i, %p] = %v put out0[%i, %q] = %u";
    assert_eq!(copies(&rotation(elsewhere)), 1);
}

#[test]
fn arms_of_a_branch_update_one_variable() {
    let text = "func @f(%x: f64[n, 1], %c: f64) -> (b: f64[n, 1]) {
        sym n = dim 0 0
        %a: f64[n, 1] = fill 0.0
        %p = gt %c, 0.0
        %b: f64[n, 1] = if %p { %t = store %a[0] = 1.0 yield %t } else { yield %a }
        return %b
      }";
    assert_eq!(copies(text), 0);
}

#[test]
fn exchanging_arrays_moves_them() {
    let text = "func @f(%x: f64[n, 1], %c: f64) -> (a: f64[n, 1], b: f64[n, 1]) {
        sym n = dim 0 0
        %p: f64[n, 1] = fill 0.0 %q: f64[n, 1] = fill 1.0
        %trip = to_index %c
        %a: f64[n, 1], %b: f64[n, 1] = for %trip with %p, %q |%k, %u, %v| { yield %v, %u }
        return %a, %b
      }";
    assert_eq!(copies(text), 0);
}

#[test]
fn one_array_carried_twice_is_two() {
    let text = "func @f(%x: f64[n, 1], %c: f64) -> (a: f64[n, 1], b: f64[n, 1]) {
        sym n = dim 0 0
        %p: f64[n, 1] = fill 0.0
        %trip = to_index %c
        %a: f64[n, 1], %b: f64[n, 1] = for %trip with %p, %p |%k, %u, %v| {
          %w = store %u[0] = 1.0 yield %w, %v }
        return %a, %b
      }";
    assert_eq!(copies(text), 1);
}

#[test]
fn a_stored_array_that_is_its_own_source_is_copied() {
    let text = "func @f(%x: f64[n, 1]) -> (b: f64[n, 1]) {
        sym n = dim 0 0
        %a: f64[n, 1] = fill 0.0
        %b = store %a[:, 0] = %a
        return %b
      }";
    assert_eq!(copies(text), 1);
}

/// The variables that are freed, by the names of the first values they hold, in program order.
fn freed(text: &str) -> Vec<String> {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let func = &module.funcs[0];
    let inlined = Inlined::of(func, &func.body);
    let storage = assign(func, &inlined, &HashSet::default());
    let name = |item: &Item<'_>| match item {
        Item::Free(slot) => Some(func.name_of(storage.slots[slot.0].first)),
        _ => None,
    };
    storage.items.iter().filter_map(name).collect()
}

#[test]
fn arrays_die_at_their_last_use() {
    let text = "func @f(%x: f64[n, n]) -> (c: f64[n, n]) {
        sym n = dim 0 0
        %a: f64[n, n] = transpose %x
        %b: f64[n, n] = lib matmul %a, %x
        %c: f64[n, n] = lib matmul %b, %x
        return %c
      }";
    assert_eq!(freed(text), ["a", "b"]);
}

/// A loop that carries a row and its length: `BODY` makes the next row `z` of length `l`, and `AFTER` follows.
const GROWING: &str = "func @f(%a: f64, %c: bool, %n: index) -> (y: f64[1, R]) {
    sym K = value %k, >= 0 sym L = value %l, >= 0 sym R = value %r, >= 0 EXTRA
    %none: f64[1, 0] = fill 0.0
    %r: index, %y: f64[1, R] = for %n with 0, %none |%i, %k, %x: f64[1, K]| { BODY yield %l, %z }
    return %y
  }";

#[test]
fn a_growing_row_stays_in_one_variable() {
    let append = "%l = add %k, 1 %w: f64[1, L] = resize %x %z = store %w[%k] = %a";
    let growing = |body: &str, extra: &str| GROWING.replace("BODY", body).replace("EXTRA", extra);
    assert_eq!(copies(&growing(append, "")), 0);
    let where_needed = "%more = lt %k, 9
        %l: index, %w: f64[1, L] = if %more {
          %m = add %k, 1 %grown: f64[1, M] = resize %x yield %m, %grown
        } else { %same = size K yield %same, %x }
        %z = store %w[%k] = %a";
    assert_eq!(copies(&growing(where_needed, "sym M = value %m")), 0);
    let early = "%l = add %k, 1 %z: f64[1, L] = resize %x if %c { break %l, %z }";
    assert_eq!(copies(&growing(early, "")), 0);
}

#[test]
fn what_a_loop_appends_goes_into_the_row() {
    let body = "%l = add %k, 1 %z: f64[1, K + 1] = concat %x, %a along 1";
    let text = GROWING.replace("BODY", body).replace("EXTRA", "");
    let one_variable = |text: &str| {
        let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
        let func = &module.funcs[0];
        let inlined = Inlined::of(func, &func.body);
        let named = |name: &str| func.names.iter().position(|n| n.as_deref() == Some(name)).map(Value::new).unwrap();
        assign(func, &inlined, &HashSet::default()).shares(named("x"), named("z"))
    };
    assert!(one_variable(&text));
    assert!(!one_variable(&text.replace("%x, %a along", "%x, %x along")));
}

#[test]
fn a_row_that_is_used_after_it_has_grown_is_copied() {
    let kept = "%l = add %k, 1 %w: f64[1, L] = resize %x %s: f64 = reduce sum %x along [1] %z = store %w[%k] = %s";
    assert_eq!(copies(&GROWING.replace("BODY", kept).replace("EXTRA", "")), 1);
}

#[test]
fn rows_of_different_lengths_are_exchanged_by_moves() {
    let text = "func @f(%n: index) -> (x: f64[1, R], y: f64[1, S]) {
        sym K = value %k, >= 0 sym L = value %l, >= 0 sym R = value %r, >= 0 sym S = value %s, >= 0
        %one: f64[1, 2] = fill 1.0 %two: f64[1, 3] = fill 2.0
        %r: index, %s: index, %x: f64[1, R], %y: f64[1, S] =
          for %n with 2, 3, %one, %two |%i, %k, %l, %u: f64[1, K], %v: f64[1, L]| { yield %l, %k, %v, %u }
        return %x, %y
      }";
    assert_eq!(copies(text), 0);
}

#[test]
fn an_array_with_other_sizes_takes_over_memory_that_is_not_used_again() {
    let how = |after: &str, to: &str| {
        let text = format!(
            "func @f(%x: f64[n, 1]) -> (r: f64[{to}], a: f64[n, 1]) {{ sym n = dim 0 0
               %a: f64[n, 1] = fill 1.0 %b: f64[n, 1] = fill 2.0 %r: f64[{to}] = reshape %a return %r, {after} }}"
        );
        let module = parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let func = &module.funcs[0];
        let inlined = Inlined::of(func, &func.body);
        let storage = assign(func, &inlined, &HashSet::default());
        let reshape = func.body.stmts.iter().find(|stmt| matches!(stmt.op, Op::Reshape(_))).expect("there is one");
        (storage.reshapes_variable(reshape), storage.takes_over(reshape.results[0]))
    };
    assert_eq!(how("%b", "1, n"), (true, false), "of as many dimensions, in its variable");
    assert_eq!(how("%b", "1, n, 1"), (false, true), "a variable of another type, in its memory");
    assert_eq!(how("%a", "1, n"), (true, false), "it is handed on, so in a copy");
    assert_eq!(how("%a", "1, n, 1"), (false, false));
}

#[test]
fn arguments_in_other_sizes_are_lent_where_they_are_only_read() {
    let lent = |text: &str| {
        let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
        let func = &module.funcs[0];
        let inlined = Inlined::of(func, &func.body);
        let storage = assign(func, &inlined, &HashSet::default());
        (0..func.types.len())
            .filter(|v| storage.is_borrowed(Value::new(*v)) && func.params.iter().all(|p| p.value.index() != *v))
            .count()
    };
    let of_argument = |rest: &str| {
        lent(
            &format!("func @f(%x: f64[n, 1]) -> {rest}")
                .replace("RESHAPED", "sym n = dim 0 0 %r: f64[1, n] = reshape %x"),
        )
    };
    assert_eq!(of_argument("(s: f64) { RESHAPED %s: f64 = reduce sum %r along [1] return %s }"), 1);
    assert_eq!(of_argument("(r: f64[1, n]) { RESHAPED return %r }"), 0);
    assert_eq!(
        of_argument("(t: f64[1, n]) { RESHAPED %i: index = const 0 %t: f64[1, n] = store %r[%i] = 1.0 return %t }"),
        0
    );
    let under_if = "(s: f64) { sym n = dim 0 0 %c: bool = const true %v: f64 = if %c {
        %r: f64[1, n] = reshape %x %s: f64 = reduce sum %r along [1] yield %s } else { %z: f64 = const 0.0 yield %z } return %v }";
    assert_eq!(of_argument(under_if), 1);
    let own = "func @f(%n: f64) -> (s: f64) { %x: f64[2, 1] = fill 1.0 %r: f64[1, 2] = reshape %x
        %s: f64 = reduce sum %r along [1] return %s }";
    assert_eq!(lent(own), 0);
}
