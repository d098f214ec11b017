use super::*;
use crate::ir::{Class, Module, testing};
use proptest::prelude::*;

const ORDERS: [Order; 4] = [Order::Forward, Order::Reverse, Order::Shuffled(1), Order::Shuffled(2)];

/// The outcome of a kernel program in every order.
fn in_all_orders(text: &str, args: &[Datum]) -> Vec<Result<Vec<Datum>, Failure>> {
    ORDERS
        .iter()
        .map(|order| outcome(text, args.to_vec(), &Options { order: *order, ..Options::default() }).0)
        .collect()
}

fn all_fail(text: &str, args: &[Datum], kind: InternalKind) {
    for result in in_all_orders(text, args) {
        assert_eq!(result.unwrap_err().kind, FailureKind::Internal(kind), "{text}");
    }
}

const NORMAL: &str = "func @normal(%x: f64[n, m]) -> (y: f64[n, m], s: f64[n, 1], t: f64) {
  sym n = dim 0 0
  sym m = dim 0 1
  %y: f64[n, m], %s: f64[n, 1], %t: f64 = kernel 0 over [n, m] into (fresh, reduce sum along [1], reduce max along [0, 1]) |%i, %j| {
    %e = load %x[%i, %j]
    %q = mul %e, %e
    put out0[%i, %j] = %q
    %back: f64 = load out0[%i, %j]
    accumulate out1, %back
    accumulate out2, %q
  }
  return %y, %s, %t
}";

#[test]
fn order_changes_nothing() {
    let x: Vec<f64> = (0..33 * 40).map(|i| f64::from(i).sin()).collect();
    let all = in_all_orders(NORMAL, &[matrix(33, 40, &x)]);
    let first = all[0].clone().unwrap();
    let squares: Vec<f64> = x.iter().map(|x| x * x).collect();
    assert_eq!(first[0], matrix(33, 40, &squares));
    let row0 = (0..40).map(|j| squares[33 * j]);
    assert_eq!(first[1].get(0), Some(Scalar::Double(megha_base::tree::reference(row0, 0.0, |a, b| a + b))));
    assert!(all.iter().all(|r| *r == all[0]));
}

#[test]
fn kernels_agree_with_array_operations() {
    let text = "func @f(%x: f64[n, m]) -> (s: f64[1, m], t: f64) {
      sym n = dim 0 0
      sym m = dim 0 1
      %s = reduce sum %x along [0]
      %t = reduce sum %x along [0, 1]
      return %s, %t
    }";
    let kernel = "func @f(%x: f64[n, m]) -> (s: f64[1, m], t: f64) {
      sym n = dim 0 0
      sym m = dim 0 1
      %s: f64[1, m], %t: f64 = kernel 0 over [n, m] into (reduce sum along [0], reduce sum along [0, 1]) |%i, %j| {
        %e = load %x[%i, %j]
        accumulate out0, %e
        accumulate out1, %e
      }
      return %s, %t
    }";
    let x = matrix(50, 101, &(0..5050).map(|i| 1.0 / (f64::from(i) + 0.7)).collect::<Vec<_>>());
    assert_eq!(results(text, vec![x.clone()]), results(kernel, vec![x]));
}

#[test]
fn empty_domains() {
    let r = results(NORMAL.replace("max", "sum").as_str(), vec![matrix(0, 3, &[])]);
    assert_eq!(r, [matrix(0, 3, &[]), matrix(0, 1, &[]), Datum::double(0.0)]);
    let r = results(NORMAL.replace("max", "sum").as_str(), vec![matrix(2, 0, &[])]);
    assert_eq!(r[1], matrix(2, 1, &[0.0, 0.0]));
}

#[test]
fn updates_keep_the_rest_and_the_old_array() {
    let text = "func @f(%x: f64[n, 1]) -> (f64[n, 1], f64[n, 1]) {
      sym n = dim 0 0
      %y: f64[n, 1] = kernel 0 over [2] into (update %x) |%i| {
        %k = mul %i, 2
        %old: f64 = load out0[%k]
        %in = load %x[%k]
        %new = add %old, %in
        put out0[%k] = %new
      }
      return %x, %y
    }";
    let x = column(&[1.0, 2.0, 3.0, 4.0]);
    for result in in_all_orders(text, std::slice::from_ref(&x)) {
        assert_eq!(result.unwrap(), [x.clone(), column(&[2.0, 2.0, 6.0, 4.0])]);
    }
}

#[test]
fn control_flow_in_bodies() {
    let text = "func @f(%x: f64[n, 1]) -> f64[n, 1] {
      sym n = dim 0 0
      %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
        %zero = const 0.0
        %s: f64 = for %i with %zero |%k, %a| {
          %e = load %x[%k]
          %b = add %a, %e
          yield %b
        }
        put out0[%i] = %s
      }
      return %y
    }";
    assert_eq!(numbers(text, vec![column(&[1.0, 2.0, 3.0])]), [0.0, 1.0, 3.0]);
}

/// A kernel over three iterations that updates a vector of four by this body.
fn update(body: &str) -> String {
    format!(
        "func @f(%x: f64[4, 1]) -> f64[4, 1] {{
           %y: f64[4, 1] = kernel 0 over [3] into (update %x) |%i| {{ %i1 = add %i, 1 %zero = const 0 {body} }}
           return %y
         }}"
    )
}

#[test]
fn races_are_found_in_every_order() {
    let x = [column(&[1.0, 2.0, 3.0, 4.0])];
    all_fail(&update("put out0[%zero] = 1.0"), &x, InternalKind::Race);
    all_fail(&update("%e: f64 = load out0[%i] put out0[%i1] = %e"), &x, InternalKind::Race);
    all_fail(&update("%e: f64 = load out0[%i1] put out0[%i] = %e"), &x, InternalKind::Race);
    all_fail(&update("%e: f64 = load out0[%zero] put out0[%i] = %e"), &x, InternalKind::Race);
    // Reading the array as it was is no race.
    let shifted = in_all_orders(&update("%e = load %x[%i1] put out0[%i] = %e"), &x);
    assert!(shifted.iter().all(|r| *r == Ok(vec![column(&[2.0, 3.0, 4.0, 4.0])])), "{shifted:?}");
}

#[test]
fn coverage_and_bounds() {
    let x = [column(&[1.0, 2.0, 3.0, 4.0])];
    let fresh = |body: &str| update(body).replace("update %x", "fresh");
    all_fail(&fresh("put out0[%i] = 1.0"), &x, InternalKind::Coverage);
    all_fail(&fresh("%e: f64 = load out0[%i] put out0[%i] = %e"), &x, InternalKind::Undefined);
    all_fail(&update("%k = mul %i, 2 put out0[%k] = 1.0"), &x, InternalKind::OutOfBounds);
    let reduce = |body: &str| {
        format!(
            "func @f() -> f64 {{ %s: f64 = kernel 0 over [3] into (reduce sum along [0]) |%i| {{ {body} }} return %s }}"
        )
    };
    assert_eq!(numbers(&reduce("accumulate out0, 2.0"), vec![]), [6.0]);
    all_fail(&reduce("accumulate out0, 1.0 accumulate out0, 1.0"), &[], InternalKind::Coverage);
    all_fail(&reduce("%c = eq %i, 1 if %c { accumulate out0, 1.0 }"), &[], InternalKind::Coverage);
}

#[test]
fn arrays_do_not_belong_in_bodies() {
    let x = [column(&[1.0, 2.0, 3.0, 4.0])];
    all_fail(&update("%v: f64[4, 1] = fill 1.0 put out0[%i] = 1.0"), &x, InternalKind::Malformed);
}

fn run_random(module: &Module, first: f64, order: Order) -> Result<Vec<Datum>, Failure> {
    let args = vec![
        Datum::double(first),
        matrix(2, 3, &[1.0, -2.0, 0.5, f64::NAN, -0.0, 4.0]),
        column(&[2.0, 3.0]),
        matrix(1, 3, &[-1.0, 0.0, 1.0]),
    ];
    let options = Options { order, max_steps: 200_000, ..Options::default() };
    run(module, FuncId::new(1), args, &options, &mut std::io::sink())
}

/// The same up to the bits of NaN.
fn same(a: &Datum, b: &Datum) -> bool {
    let value = |x: f64| if x.is_nan() { None } else { Some(x.to_bits()) };
    let list = |d: &Datum| d.to_doubles().map(|list| list.into_iter().map(value).collect::<Vec<_>>());
    a.dims() == b.dims() && a.class() == Class::Double && list(a) == list(b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Modules that the verifier accepts never surprise the interpreter with a type, a size or an undefined value, and the order
    /// of iterations shows in no result.
    #[test]
    fn random_modules(module in testing::module(), first in prop::sample::select(vec![0.75, 2.0, 1.0])) {
        let forward = run_random(&module, first, Order::Forward);
        if let Err(failure) = &forward {
            let promised = matches!(failure.kind, FailureKind::Internal(InternalKind::Type | InternalKind::Undefined | InternalKind::Race));
            prop_assert!(!promised, "{failure}\n{module}");
        }
        let shuffled = run_random(&module, first, Order::Shuffled(7));
        // Which limit or mistake is met first depends on the order.
        let limited = |r: &Result<_, Failure>| matches!(r, Err(f) if matches!(f.kind, FailureKind::Limit(_)));
        prop_assume!(!limited(&forward) && !limited(&shuffled));
        match (forward, shuffled) {
            (Ok(a), Ok(b)) => prop_assert!(a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same(a, b))),
            (Err(a), Err(b)) => prop_assert_eq!(a.kind, b.kind),
            (a, b) => prop_assert!(false, "{a:?}\n{b:?}"),
        }
    }
}
