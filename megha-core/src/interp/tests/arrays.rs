use super::*;

#[test]
fn implicit_expansion() {
    let text = "func @f(%x: f64[n, 1], %y: f64[1, m]) -> f64[n, m] {
      sym n = dim 0 0
      sym m = dim 1 1
      %r = sub %x, %y
      return %r
    }";
    let r = results(text, vec![column(&[10.0, 20.0]), matrix(1, 3, &[1.0, 2.0, 3.0])]);
    assert_eq!(r, [matrix(2, 3, &[9.0, 19.0, 8.0, 18.0, 7.0, 17.0])]);
    let empty = results(text, vec![column(&[]), matrix(1, 3, &[1.0, 2.0, 3.0])]);
    assert_eq!(empty, [matrix(0, 3, &[])]);
}

#[test]
fn broken_types_are_found() {
    // The result is said to be n-by-1, which holds only if n is 3.
    let text = "func @f(%x: f64[n, 1]) -> f64[3, 1] { sym n = dim 0 0  %r: f64[3, 1] = neg %x !6 return %r }";
    assert_eq!(numbers(text, vec![column(&[1.0, 2.0, 3.0])]), [-1.0, -2.0, -3.0]);
    let failed = failure(text, vec![column(&[1.0])]);
    assert_eq!(failed.kind, FailureKind::Internal(InternalKind::Type));
    assert!(failed.message.contains("1-by-1") && failed.message.contains("3-by-1"), "{failed}");
    assert_eq!(failed.loc, crate::ir::Loc::new(6));
}

#[test]
fn select_and_logic() {
    let text = "func @f(%x: f64[n, 1]) -> f64[n, 1] {
      sym n = dim 0 0
      %c = gt %x, 0.0
      %r = select %c, %x, 0.0
      return %r
    }";
    assert_eq!(numbers(text, vec![column(&[-1.0, f64::NAN, 2.0])]), [0.0, 0.0, 2.0]);
}

#[test]
fn constructors() {
    assert_eq!(expr("f64[2, 2]", "%r: f64[2, 2] = eye"), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(expr("f64[1, 3]", "%r: f64[1, 3] = range 0.5, 0.25"), [0.5, 0.75, 1.0]);
    assert_eq!(expr("f64[1, 3]", "%a = const 5 %b = const -2 %r: f64[1, 3] = range %a, %b"), [5.0, 3.0, 1.0]);
    assert_eq!(expr("f64[1, 4]", "%r: f64[1, 4] = linspace 0.0, 1.0"), [0.0, 1.0 / 3.0, 0.6666666666666667, 1.0]);
    assert_eq!(expr("i8[1, 2]", "%r: i8[1, 2] = fill 7i8"), [7.0, 7.0]);
    assert_eq!(expr("f64[1, 0]", "%r: f64[1, 0] = range 1.0, 1.0"), [] as [f64; 0]);
}

const MATRIX: &str = "%v: f64[1, 6] = range 1.0, 1.0  %a: f64[2, 3] = reshape %v ";

#[test]
fn rearrangements() {
    assert_eq!(expr("f64[3, 2]", &format!("{MATRIX} %r = transpose %a")), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    let down = expr("f64[3, 3]", &format!("{MATRIX} %z: f64[1, 3] = fill 0.0 %r = concat %a, %z along 0"));
    assert_eq!(down, [1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 5.0, 6.0, 0.0]);
    let beside = expr("f64[2, 4]", &format!("{MATRIX} %z: f64[2, 1] = fill 9.0 %r = concat %z, %a along 1"));
    assert_eq!(beside, [9.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let deep = expr("f64[2, 3, 2]", &format!("{MATRIX} %b = neg %a %r = concat %a, %b along 2"));
    assert_eq!(deep[5..8], [6.0, -1.0, -2.0]);
}

#[test]
fn reading() {
    let read = |ty: &str, sub: &str| {
        expr(ty, &format!("{MATRIX} %i = const 1 %w: f64[1, 2] = range 3.0, -2.0 %r = index %a[{sub}]"))
    };
    assert_eq!(read("f64", "%i, %i"), [4.0]);
    assert_eq!(read("f64", "%i"), [2.0]);
    assert_eq!(read("f64[1, 3]", "%i, :"), [2.0, 4.0, 6.0]);
    assert_eq!(read("f64[6, 1]", ":"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(read("f64[2, 2]", ":, vector %w"), [5.0, 6.0, 1.0, 2.0]);
    assert_eq!(read("f64[2, 2]", ":, %i step 1 len 2"), [3.0, 4.0, 5.0, 6.0]);
    assert_eq!(read("f64[1, 2]", "vector %w"), [3.0, 1.0]);
    assert_eq!(read("f64[1, 3]", "%i step 2 len 3"), [2.0, 4.0, 6.0]);
    assert_eq!(read("f64[1, 0]", "%i step 9 len 0"), [] as [f64; 0]);
}

#[test]
fn writing() {
    let write = |sub: &str| {
        expr(
            "f64[2, 3]",
            &format!(
                "{MATRIX} %i = const 1 %w: f64[1, 2] = range 2.0, 0.0 %z: f64[1, 2] = range 8.0, 1.0 %r = store %a[{sub}"
            ),
        )
    };
    assert_eq!(write("%i, %i] = 0.0"), [1.0, 2.0, 3.0, 0.0, 5.0, 6.0]);
    assert_eq!(write(":] = 7.0"), [7.0; 6]);
    assert_eq!(write("%i, :] = 0.0"), [1.0, 0.0, 3.0, 0.0, 5.0, 0.0]);
    // Of two values for one element the later counts.
    assert_eq!(write("vector %w] = %z"), [1.0, 9.0, 3.0, 4.0, 5.0, 6.0]);
    let wrong =
        format!("func @f() -> f64[2, 3] {{ {MATRIX} %z: f64[1, 2] = fill 0.0 %r = store %a[:] = %z return %r }}");
    assert_eq!(failure(&wrong, vec![]).kind, FailureKind::Internal(InternalKind::Malformed));
}

#[test]
fn a_stored_array_leaves_the_old_one() {
    let text = "func @f(%x: f64[n, 1]) -> (f64[n, 1], f64[n, 1]) {
      sym n = dim 0 0
      %a = store %x[0] = 5.0
      %b = store %x[0] = 6.0
      %c = add %a, %x
      return %c, %b
    }";
    let r = results(text, vec![column(&[1.0, 2.0])]);
    assert_eq!(r, [column(&[6.0, 4.0]), column(&[6.0, 2.0])]);
}

#[test]
fn bounds() {
    let at = |checked: &str, i: f64| {
        let text = format!(
            "func @f(%x: f64[n, 1], %k: f64) -> f64 {{ sym n = dim 0 0  %i = to_index %k  %r = index %x[%i] {checked} return %r }}"
        );
        outcome(&text, vec![column(&[4.0, 5.0]), Datum::double(i)], &Options::default()).0
    };
    assert_eq!(at("", 1.0).unwrap(), [Datum::double(5.0)]);
    for bad in [-1.0, 2.0] {
        assert_eq!(at("checked", bad).unwrap_err().kind, FailureKind::Error(ErrorKind::OutOfBounds));
        assert_eq!(at("", bad).unwrap_err().kind, FailureKind::Internal(InternalKind::OutOfBounds));
    }
    assert!(at("checked", 2.0).unwrap_err().message.contains("index 3 is outside an array with 2 elements"));
    let gather = "func @f(%x: f64[n, 1], %v: f64[m, 1]) -> f64[m, 1] {
      sym n = dim 0 0
      sym m = dim 1 0
      %r = index %x[vector %v] checked
      return %r
    }";
    let failed = failure(gather, vec![column(&[4.0, 5.0]), column(&[1.5])]);
    assert_eq!(failed.kind, FailureKind::Error(ErrorKind::NotWhole));
}

#[test]
fn reductions() {
    let sum = |axes: &str, ty: &str| expr(ty, &format!("{MATRIX} %r = reduce sum %a along [{axes}]"));
    assert_eq!(sum("0", "f64[1, 3]"), [3.0, 7.0, 11.0]);
    assert_eq!(sum("1", "f64[2, 1]"), [9.0, 12.0]);
    assert_eq!(sum("0, 1", "f64"), [21.0]);
    let of = |op: &str, list: &[f64]| {
        let text =
            format!("func @f(%x: f64[n, 1]) -> f64 {{ sym n = dim 0 0  %r = reduce {op} %x along [0] return %r }}");
        outcome(&text, vec![column(list)], &Options::default()).0.map(|r| r[0].to_doubles().unwrap()[0])
    };
    assert_eq!(of("sum", &[]).unwrap(), 0.0);
    assert_eq!(of("prod", &[]).unwrap(), 1.0);
    assert_eq!(of("max", &[f64::NAN, -3.0]).unwrap(), -3.0);
    assert!(of("min", &[f64::NAN]).unwrap().is_nan());
    assert!(of("min", &[]).unwrap_err().is_internal());
    let list: Vec<f64> = (0..9000).map(|i| 1.0 / (f64::from(i) + 0.3)).collect();
    assert_eq!(of("sum", &list).unwrap(), megha_base::tree::reference(list, 0.0, |a, b| a + b));
    assert_eq!(expr("bool", &format!("{MATRIX} %c = gt %a, 5.0 %r = reduce any %c along [0, 1]")), [1.0]);
    assert_eq!(expr("i8", "%v: i8[1, 3] = fill 100i8 %r = reduce sum %v along [0, 1]"), [127.0]);
}

#[test]
fn running_sums() {
    let across = format!("{MATRIX} %r: f64[2, 3] = scan sum %a along 1");
    assert_eq!(expr("f64[2, 3]", &across), [1.0, 2.0, 4.0, 6.0, 9.0, 12.0]);
    assert_eq!(
        expr("f64[2, 3]", &format!("{MATRIX} %r: f64[2, 3] = scan prod %a along 0")),
        [1.0, 2.0, 3.0, 12.0, 5.0, 30.0]
    );
    assert_eq!(
        expr("index", "%a = const 0.0 %s = const 0.1 %b = const 0.3 %r: index = lib rangelen %a, %s, %b"),
        [4.0]
    );
}

#[test]
fn products_and_systems() {
    let square = "func @f(%a: f64[2, 2], %b: f64[2, 1]) -> f64[2, 1] { %r: f64[2, 1] = lib OP %a, %b return %r }";
    let (a, b) = (matrix(2, 2, &[0.0, 2.0, 1.0, 1.0]), column(&[3.0, 7.0]));
    assert_eq!(numbers(&square.replace("OP", "matmul"), vec![a.clone(), b.clone()]), [7.0, 13.0]);
    assert_eq!(numbers(&square.replace("OP", "mldivide"), vec![a, b]), [2.0, 3.0]);
    let singular =
        numbers(&square.replace("OP", "mldivide"), vec![matrix(2, 2, &[1.0, 2.0, 2.0, 4.0]), column(&[1.0, 3.0])]);
    assert!((singular[0] - 0.28).abs() < 1e-15 && (singular[1] - 0.56).abs() < 1e-15, "{singular:?}");
    let right = "func @f(%b: f64[1, 2], %a: f64[2, 2]) -> f64[1, 2] { %r: f64[1, 2] = lib mrdivide %b, %a return %r }";
    assert_eq!(numbers(right, vec![matrix(1, 2, &[3.0, 7.0]), matrix(2, 2, &[0.0, 1.0, 2.0, 1.0])]), [2.0, 3.0]);
}

#[test]
fn a_product_may_be_a_scalar() {
    let text =
        "func @f(%a: f64[1, n], %b: f64[n, 1]) -> f64 { sym n = dim 0 1  %r: f64 = lib matmul %a, %b return %r }";
    assert_eq!(results(text, vec![matrix(1, 2, &[1.0, 2.0]), column(&[3.0, 4.0])]), [Datum::double(11.0)]);
    assert_eq!(results(text, vec![matrix(1, 0, &[]), column(&[])]), [Datum::double(0.0)]);
}

#[test]
fn least_squares_as_octave() {
    let text = "func @f(%a: f64[n, m], %b: f64[n, 1]) -> f64[m, 1] {
      sym n = dim 0 0
      sym m = dim 0 1
      %r: f64[m, 1] = lib mldivide %a, %b
      return %r
    }";
    let close = |got: Vec<f64>, want: &[f64]| {
        assert!(got.len() == want.len() && got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-14), "{got:?}");
    };
    // A line through (0, 1), (1, 3), (2, 4): 7/6 + 3/2 x.
    close(
        numbers(text, vec![matrix(3, 2, &[1.0, 1.0, 1.0, 0.0, 1.0, 2.0]), column(&[1.0, 3.0, 4.0])]),
        &[7.0 / 6.0, 1.5],
    );
    // x + 2y + 2z = 9 with the least norm: (1, 2, 2).
    close(numbers(text, vec![matrix(1, 3, &[1.0, 2.0, 2.0]), column(&[9.0])]), &[1.0, 2.0, 2.0]);
}

#[test]
fn resizing_keeps_elements_at_their_subscripts() {
    let body = "%x: f64[2, 2] = resize 5.0  %y = store %x[1, 0] = 7.0  %r: f64[3, 4] = resize %y";
    assert_eq!(expr("f64[3, 4]", body), [5.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}
