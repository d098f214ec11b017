use super::*;

#[test]
fn floats() {
    assert_eq!(expr("f64", "%r = add 1.5, 2.25"), [3.75]);
    assert_eq!(expr("f64", "%r = mod -1.0, 3.0"), [2.0]);
    assert_eq!(expr("f64", "%r = rem -7.0, 3.0"), [-1.0]);
    assert_eq!(expr("f64", "%r = min nan, 1.0"), [1.0]);
    assert_eq!(bits(&expr("f64", "%r = round -0.3")), bits(&[-0.0]));
    assert_eq!(bits(&expr("f64", "%r = sign -0.0")), bits(&[0.0]));
    assert_eq!(expr("f64", "%r = rint 2.5"), [2.0]);
    assert_eq!(expr("f64", "%r = fma 3.0, 4.0, -0.5"), [11.5]);
    assert_eq!(expr("f64", "%r = exp 0.0"), [1.0]);
    assert_eq!(expr("f64", "%r = pow 2.0, 10.0"), [1024.0]);
    assert_eq!(expr("f32", "%r = add 16777216f32, 1f32"), [16777216.0]);
    assert_eq!(expr("f32", "%r = exp 1f32"), [f64::from(std::f32::consts::E)]);
}

#[test]
fn nan_compares_unequal() {
    let cases = [("eq", 0.0), ("ne", 1.0), ("lt", 0.0), ("le", 0.0), ("gt", 0.0), ("ge", 0.0)];
    for (op, want) in cases {
        assert_eq!(expr("bool", &format!("%r = {op} nan, nan")), [want], "{op}");
    }
}

#[test]
fn integer_classes_saturate() {
    assert_eq!(expr("i8", "%r = add 100i8, 100i8"), [127.0]);
    assert_eq!(expr("u8", "%r = sub 3u8, 5u8"), [0.0]);
    assert_eq!(expr("i32", "%r = div 7i32, 2i32"), [4.0]);
    assert_eq!(expr("i32", "%r = div -5i32, 0i32"), [i32::MIN.into()]);
    assert_eq!(expr("i8", "%x = const -128i8 %r = neg %x"), [127.0]);
    assert_eq!(expr("u8", "%r = bitxor 5u8, 3u8"), [6.0]);
}

#[test]
fn index_wraps_and_floors() {
    assert_eq!(expr("index", "%a = const -7 %r = div %a, 2"), [-4.0]);
    assert_eq!(expr("index", "%a = const -7 %r = mod %a, 2"), [1.0]);
    let text = "func @f() -> index { %a = const 9223372036854775807 %r = add %a, 1 return %r }";
    assert_eq!(results(text, vec![]), [Datum::Scalar(Scalar::Index(i64::MIN))]);
    assert_eq!(expr("index", "%a = const -1 %r = shru %a, 63"), [1.0]);
    let by_zero = failure("func @f() -> index { %a = const 1 %r = div %a, 0 return %r }", vec![]);
    assert_eq!(by_zero.kind, FailureKind::Internal(InternalKind::Malformed));
}

#[test]
fn conversions() {
    let convert = |from: &str, to: &str| expr(to, &format!("%a = const {from} %r: {to} = convert %a"))[0];
    assert_eq!(convert("2.5", "i8"), 3.0);
    assert_eq!(convert("nan", "i8"), 0.0);
    assert_eq!(convert("-inf", "i16"), -32768.0);
    assert_eq!(convert("300u16", "u8"), 255.0);
    assert_eq!(convert("-0.0", "bool"), 0.0);
    assert_eq!(convert("nan", "bool"), 1.0);
    assert_eq!(convert("-2.9", "index"), -2.0);
    assert_eq!(convert("inf", "index"), i64::MAX as f64);
    assert_eq!(convert("-inf", "index"), i64::MIN as f64);
    assert_eq!(convert("0.1", "f32"), f64::from(0.1f32));
}

#[test]
fn bits_and_back() {
    assert_eq!(expr("f64", "%a = const 1.0 %b = bits %a %c = add %b, 1 %r: f64 = from_bits %c"), [1.0 + f64::EPSILON]);
    let single = "%a = const -1.0f32 %b = bits %a %c = add %b, 0x700000001 %r: f32 = from_bits %c";
    assert_eq!(expr("f32", single), [f64::from(-1.0 - f32::EPSILON)]);
}

#[test]
fn subscripts_from_numbers() {
    let text = "func @f(%x: f64) -> index { %r = to_index %x !7 return %r }";
    assert_eq!(results(text, vec![Datum::double(-3.0)]), [Datum::Scalar(Scalar::Index(-3))]);
    for bad in [1.5, f64::NAN, 2f64.powi(53)] {
        let failed = failure(text, vec![Datum::double(bad)]);
        assert_eq!((failed.kind, failed.loc), (FailureKind::Error(ErrorKind::NotWhole), crate::ir::Loc::new(7)));
    }
}

#[test]
fn mixed_classes_are_the_compilers_mistake() {
    let failed = failure(
        "func @f(%x: f64, %y: f32) -> f64 { %r: f64 = add %x, %y return %r }",
        vec![Datum::double(1.0), Datum::Scalar(Scalar::Single(1.0))],
    );
    assert_eq!(failed.kind, FailureKind::Internal(InternalKind::Malformed));
    let failed = failure("func @f(%x: f64) -> f32 { %r: f32 = neg %x return %r }", vec![Datum::double(1.0)]);
    assert_eq!(failed.kind, FailureKind::Internal(InternalKind::Type));
}
