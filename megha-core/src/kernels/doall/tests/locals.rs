//! Subscripts that are no linear function of loop variables: quotients, remainders, extremes, choices.

use super::*;
use proptest::prelude::*;

/// A loop over `%i` from 0 to below `n`, the length of `%x`, which is at least 1, with this body between its head and its end.
fn looped(body: &str) -> Func {
    let text = format!(
        "func @f(%x: f64[n, 1], %y: f64[n, 1]) -> (z: f64[n, 1]) {{
           sym n = dim 0 0, >= 1
           %n: index = size n
           %z: f64[n, 1] = for %n with %x |%i: index, %a: f64[n, 1]| {{
             {body}
             yield %b
           }}
           return %z
         }}"
    );
    crate::ir::parse::parse_func(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn vectors(lengths: &[usize]) -> Vec<Vec<Datum>> {
    lengths.iter().map(|n| vec![array(&[*n, 1], 3), array(&[*n, 1], 4)]).collect()
}

/// `z(sub) = y(i)`, where `sub` is computed by these statements.
fn scattered(statements: &str) -> Case {
    let func = looped(&format!(
        "{statements}
         %v: f64 = index %y[%i, 0]
         %b: f64[n, 1] = store %a[%sub, 0] = %v checked"
    ));
    of(func)
}

#[test]
fn a_remainder_by_the_size_wraps_once() {
    let body = "%next: index = add %i, 1\n%sub: index = mod %next, %n";
    scattered(body).kernels(&[(1, &[false])]).same_results(&vectors(&[1, 2, 7]));
    // From twice the size on the same elements come again.
    let body = "%twice: index = mul %i, 2\n%sub: index = mod %twice, %n";
    scattered(body).kernels(&[]).same_results(&vectors(&[1, 2, 7]));
}

#[test]
fn a_remainder_that_wraps_more_often_may_be_any_element() {
    // It is that of the next iteration.
    let func = looped(
        "%two: index = const 2
         %twice: index = mul %n, %two
         %far: index = add %i, %twice
         %after: index = add %far, 1
         %at: index = mod %after, %n
         %v: f64 = index %a[%at, 0] checked
         %b: f64[n, 1] = store %a[%i, 0] = %v checked",
    );
    of(func).kernels(&[]).same_results(&vectors(&[1, 2, 7]));
}

#[test]
fn quotient_and_remainder_together_are_the_number() {
    let body = "%q: index = div %i, 3\n%r: index = mod %i, 3\n%t: index = mul %q, 3\n%sub: index = add %t, %r";
    scattered(body).kernels(&[(1, &[false])]).same_results(&vectors(&[1, 7]));
    scattered("%sub: index = div %i, 3").kernels(&[]).same_results(&vectors(&[1, 2, 7]));
}

#[test]
fn neighbours_are_exchanged() {
    // 1, 0, 3, 2, ..: where the last has no neighbour, a subscript is out of bounds.
    let body = "%r: index = mod %i, 2
                %zero: index = const 0
                %even: bool = eq %r, %zero
                %up: index = add %i, 1
                %down: index = sub %i, 1
                %sub: index = select %even, %up, %down";
    scattered(body).kernels(&[(1, &[false])]).same_results(&vectors(&[2, 6, 7]));
}

#[test]
fn clamped_subscripts_meet_at_the_border() {
    let body = "%next: index = add %i, 1\n%last: index = size n - 1\n%sub: index = min %next, %last";
    scattered(body).kernels(&[]).same_results(&vectors(&[1, 2, 7]));
    // What is read there may be clamped.
    let func = looped(
        "%next: index = add %i, 1
         %last: index = size n - 1
         %sub: index = min %next, %last
         %v: f64 = index %y[%sub, 0]
         %same: index = min %i, %last
         %b: f64[n, 1] = store %a[%same, 0] = %v checked",
    );
    of(func).kernels(&[(1, &[false])]).same_results(&vectors(&[1, 7]));
}

#[test]
fn a_read_that_is_not_used_is_only_tested() {
    let func = looped(
        "%next: index = add %i, 1
         %unused: f64 = index %a[%next, 0] checked
         %v: f64 = index %y[%i, 0]
         %b: f64[n, 1] = store %a[%i, 0] = %v",
    );
    of(func).kernels(&[(1, &[true])]).same_results(&vectors(&[2, 7]));
}

/// A statement that computes the number `%s{at}` from these.
fn number_of(at: usize, from: &[String], random: (usize, usize, usize, i64)) -> String {
    let (form, a, b, by) = random;
    let (a, b) = (&from[a % from.len()], &from[b % from.len()]);
    match form {
        0 => format!("%s{at}: index = div {a}, {by}"),
        1 => format!("%s{at}: index = mod {a}, {by}"),
        2 => format!("%s{at}: index = min {a}, {b}"),
        3 => format!("%s{at}: index = max {a}, {b}"),
        4 => format!("%s{at}: index = add {a}, {b}"),
        5 => format!("%c{at}: bool = lt {a}, {b}\n%s{at}: index = select %c{at}, {b}, {by}"),
        6 => format!("%s{at}: index = mod {a}, %n"),
        _ => format!("%s{at}: index = mul {a}, {by}"),
    }
}

/// A nest of two loops with two statements, whose subscripts are random numbers of its counters.
fn nest() -> impl Strategy<Value = String> {
    let numbers = prop::collection::vec((0usize..8, 0usize..9, 0usize..9, 1i64..4), 2..5);
    let uses = prop::collection::vec(0usize..9, 8);
    (numbers, uses, any::<bool>()).prop_map(|(numbers, uses, guarded)| {
        let mut names: Vec<String> = vec!["%i".into(), "%j".into()];
        let mut body = String::new();
        for (at, random) in numbers.into_iter().enumerate() {
            body += &(number_of(at, &names, random) + "\n");
            names.push(format!("%s{at}"));
        }
        let name = |at: usize| &names[uses[at] % names.len()];
        let (store, next) = (format!("[{}, {}]", name(0), name(1)), format!("[{}, {}]", name(2), name(3)));
        let stored = if guarded {
            format!(
                "%g: bool = lt {}, {}
                 %d: f64[30, 30] = if %g {{
                   %e: f64[30, 30] = store %c{next} = %w checked
                   yield %e
                 }} else {{
                   yield %c
                 }}",
                name(6),
                name(7)
            )
        } else {
            format!("%d: f64[30, 30] = store %c{next} = %w checked")
        };
        format!(
            "func @f(%x: f64[30, 30], %n: index) -> (z: f64[30, 30]) {{
               sym n = value %n, >= 1
               %five: index = const 5
               %z: f64[30, 30] = for %five with %x |%i: index, %a: f64[30, 30]| {{
                 %y: f64[30, 30] = for %n with %a |%j: index, %b: f64[30, 30]| {{
                   {body}
                   %v: f64 = index %b[{}, {}] checked
                   %c: f64[30, 30] = store %b{store} = %v checked
                   %w: f64 = add %v, %v
                   {stored}
                   yield %d
                 }}
                 yield %y
               }}
               return %z
             }}",
            name(4),
            name(5)
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn results_are_the_same(text in nest(), seed in 1u64..100) {
        let func = crate::ir::parse::parse_func(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let args = |n| vec![array(&[30, 30], seed), Datum::Scalar(interp::Scalar::Index(n))];
        of(func).same_results(&[args(1), args(3), args(5)]);
    }
}
