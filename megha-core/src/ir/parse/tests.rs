use super::*;
use crate::ir::testing;
use crate::ir::{Class, Const, Loc, Op, Type, Value};
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn show(text: &str, expected: Expect) {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let printed = module.to_string();
    expected.assert_eq(&printed);
    assert_eq!(parse(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}")), module);
    crate::ir::verify::verify(&module).unwrap_or_else(|e| panic!("{e:?}\n{printed}"));
}

fn wrong(text: &str, line: usize, column: usize, message: &str) {
    let error = parse(text).expect_err(text);
    assert_eq!((error.line, error.column), (line, column), "{error}");
    assert!(error.message.contains(message), "{error}");
}

#[test]
fn saxpy() {
    show(
        "func @saxpy(%a: f64, %x: f64[n, 1], %y0: f64[n, 1]) -> (y: f64[n, 1]) {
           sym n = dim 1 0, >= 0
           %t = mul %a, %x !3
           %y = add %t, %y0 !3
           return %y
         }",
        expect![[r#"
            func @saxpy(%0:a: f64, %1:x: f64[n, 1], %2:y0: f64[n, 1]) -> (y: f64[n, 1]) {
              sym n = dim 1 0, >= 0
              %3:t: f64[n, 1] = mul %0, %1 !3
              %4:y: f64[n, 1] = add %3, %2 !3
              return %4
            }
        "#]],
    );
}

#[test]
fn loop_with_carried_stores() {
    show(
        "func @fib(%k: f64 (integer, >= 2, <= 1000)) -> (x: f64[m, 1]) {
           sym m = value %n, >= 2, <= 1000
           %n = to_index %k !1
           %zero = const 0.0
           %x0: f64[m, 1] = fill %zero !2
           %x1 = store %x0[0] = 1.0 !3
           %trip = sub %n, 2
           %x: f64[m, 1] = for %trip with %x1 |%i, %acc| !4 {
             %i1 = add %i, 1
             %i2 = add %i, 2
             %a = index %acc[%i1]
             %b = index %acc[%i, 0] checked
             %c = add %a, %b
             %next = store %acc[%i2] = %c checked !5
             %big = gt %c, 1e300
             if %big { break %next }
             yield %next
           }
           return %x
         }",
        expect![[r#"
            func @fib(%0:k: f64 (integer, >= 2, <= 1000)) -> (x: f64[m, 1]) {
              sym m = value %1, >= 2, <= 1000
              %1:n: index = to_index %0 !1
              %2:zero: f64 = const 0.0
              %3:x0: f64[m, 1] = fill %2 !2
              %5: index = const 0 !3
              %6: f64 = const 1.0 !3
              %4:x1: f64[m, 1] = store %3[%5] = %6 !3
              %8: index = const 2
              %7:trip: index = sub %1, %8
              %9:x: f64[m, 1] = for %7 with %4 |%10:i: index, %11:acc: f64[m, 1]| !4 {
                %13: index = const 1
                %12:i1: index = add %10, %13
                %15: index = const 2
                %14:i2: index = add %10, %15
                %16:a: f64 = index %11[%12]
                %18: index = const 0
                %17:b: f64 = index %11[%10, %18] checked
                %19:c: f64 = add %16, %17
                %20:next: f64[m, 1] = store %11[%14] = %19 checked !5
                %22: f64 = const 1e300
                %21:big: bool = gt %19, %22
                if %21 {
                  break %20
                }
                yield %20
              }
              return %9
            }
        "#]],
    );
}

#[test]
fn a_filling_around_boxes() {
    show(
        "func @f(%x: f64[n, m], %k: index) -> (r: f64[n, m]) {
           sym n = dim 0 0
           sym m = dim 0 1
           sym steps = value %k
           %r: f64[n, m] = fill 0.0 around [1, 0] len [n - 2, m] around [0, 0] len [1, 1] rounds [steps, n] !3
           return %r
         }",
        expect![[r#"
            func @f(%0:x: f64[n, m], %1:k: index) -> (r: f64[n, m]) {
              sym n = dim 0 0
              sym m = dim 0 1
              sym steps = value %1
              %3: f64 = const 0.0 !3
              %2:r: f64[n, m] = fill %3 around [1, 0] len [n - 2, m] around [0, 0] len [1, 1] rounds [steps, n] !3
              return %2
            }
        "#]],
    );
}

#[test]
fn kernel_with_reduction() {
    show(
        "func @normal(%x: f64[n, m]) -> (y: f64[n, m], s: f64[n, 1]) {
           sym n = dim 0 0
           sym m = dim 0 1
           %y: f64[n, m], %s: f64[n, 1] = kernel 0 over [n, m] into (fresh, reduce sum along [1]) |%i, %j| !7 {
             %e = load %x[%i, %j]
             %q = mul %e, %e
             put out0[%i, %j] = %q
             accumulate out1, %q
           }
           return %y, %s
         }",
        expect![[r#"
            func @normal(%0:x: f64[n, m]) -> (y: f64[n, m], s: f64[n, 1]) {
              sym n = dim 0 0
              sym m = dim 0 1
              %1:y: f64[n, m], %2:s: f64[n, 1] = kernel 0 over [n, m] into (fresh, reduce sum along [1]) |%3:i: index, %4:j: index| !7 {
                %5:e: f64 = load %0[%3, %4]
                %6:q: f64 = mul %5, %5
                put out0[%3, %4] = %6
                accumulate out1, %6
                yield
              }
              return %1, %2
            }
        "#]],
    );
}

#[test]
fn scalar_code_by_hand() {
    show(
        r#"; Newton's method, and a call
         func @root(%a: f64) -> f64 {
           %r = while with %a |%x| {
             %err = fma %x, %x, -0x1p1     // exact
             %big = gt %err, 1e-12
             yield %big
           } do |%y| {
             %q = div 2.0, %y
             %t = add %q, %y
             %h = mul 0.5, %t
             yield %h
           }
           return %r
         }
         func @odd(%x: f32) -> bool {
           %d: f64 = convert %x !2
           %r = call @root(%d)
           %p = eq %r, 1
           if %p !3 { return %p } else { raise "no root of %g" , %d unreachable }
           unreachable
         }"#,
        expect![[r#"
            func @root(%0:a: f64) -> (f64) {
              %1:r: f64 = while with %0 |%2:x: f64| {
                %4: f64 = const -2.0
                %3:err: f64 = fma %2, %2, %4
                %6: f64 = const 1e-12
                %5:big: bool = gt %3, %6
                yield %5
              } do |%7:y: f64| {
                %9: f64 = const 2.0
                %8:q: f64 = div %9, %7
                %10:t: f64 = add %8, %7
                %12: f64 = const 0.5
                %11:h: f64 = mul %12, %10
                yield %11
              }
              return %1
            }

            func @odd(%0:x: f32) -> (bool) {
              %1:d: f64 = convert %0 !2
              %2:r: f64 = call @root(%1)
              %4: f64 = const 1.0
              %3:p: bool = eq %2, %4
              if %3 !3 {
                return %3
              } else {
                raise "no root of %g", %1
                unreachable
              }
              unreachable
            }
        "#]],
    );
}

#[test]
fn texts_and_state() {
    show(
        r#"
         func @f(%x: f64[1, n]) {
           sym n = dim 0 1
           %seed = const 3.0
           ambient seed, %seed
           %key: index = ambient draw
           %o: f64[1, n] = lib randperm %key
           %t: char = text number %x
           %four = const 4
           %m: char = text matrix %o, %four
           print "%s\n", %t
           print to error "%s", %m
           display "x", %x
           display long as range "", %x, %seed
           display as pairs "z", %seed, %seed
           raise as "a:b" "%s", %t
           unreachable
         }"#,
        expect![[r#"
            func @f(%0:x: f64[1, n]) -> () {
              sym n = dim 0 1
              %1:seed: f64 = const 3.0
              ambient seed, %1
              %2:key: index = ambient draw
              %3:o: f64[1, n] = lib randperm %2
              %4:t: char = text number %0
              %5:four: index = const 4
              %6:m: char = text matrix %3, %5
              print "%s\n", %4
              print to error "%s", %6
              display "x", %0
              display long as range "", %0, %1
              display as pairs "z", %1, %1
              raise as "a:b" "%s", %4
              unreachable
            }
        "#]],
    );
}

#[test]
fn floats_keep_their_bits() {
    for bits in [
        0,
        1 << 63,
        1,
        0x7ff0 << 48,
        0xfff0 << 48,
        0x7ff8 << 48,
        0xfff8 << 48,
        0x7ff0_0000_0000_0001,
        0x3fb9_9999_9999_999a,
    ] {
        let value = f64::from_bits(bits);
        let mut module = parse("func @f() -> f64 { %0 = const 1.0 return %0 }").unwrap();
        module.funcs[0].body.stmts[0].op = Op::Const(Const::Float(value));
        let text = module.to_string();
        let back = parse(&text).unwrap();
        let Op::Const(Const::Float(read)) = back.funcs[0].body.stmts[0].op else { panic!("{text}") };
        assert_eq!(read.to_bits(), bits, "{text}");
    }
}

#[test]
fn literals_take_the_class_of_their_neighbour() {
    let module =
        parse("func @f(%x: f32) { %y = add %x, 0.1 %z = mul 2, %x %i = size 3 %j = shr %i, 1 %b = const 7u8 }")
            .unwrap();
    let func = &module.funcs[0];
    let constants: Vec<_> = (func.body.stmts.iter())
        .filter_map(|s| match &s.op {
            Op::Const(c) => Some((c.clone(), func.ty(s.results[0]).class)),
            _ => None,
        })
        .collect();
    let expected = [
        (Const::Float(f64::from(0.1f32)), Class::Single),
        (Const::Float(2.0), Class::Single),
        (Const::Int(1), Class::Index),
        (Const::Int(7), Class::UInt8),
    ];
    assert_eq!(constants, expected);
}

#[test]
fn table_entries_without_definition_stay() {
    let mut module = parse("func @f(%x: f64) -> f64 { %y = neg %x !1 return %x }").unwrap();
    module.funcs[0].body.stmts.clear();
    module.funcs[0].names[1] = Some("a \"b\"".into());
    module.funcs[0].params[0].name = "other\n".into();
    let text = module.to_string();
    assert!(text.contains("unused %1:\"a \\\"b\\\"\": f64"), "{text}");
    assert_eq!(parse(&text).unwrap(), module);
}

#[test]
fn functions_of_one_name_have_numbers() {
    let module = parse(
        "func @f#0(%x: f64) -> f64 { return %x } func @f#1() -> f64 { %r = call @f#0(1) %s = call @#0(%r) return %s }",
    )
    .unwrap();
    assert_eq!(module.funcs[0].name, module.funcs[1].name);
    assert_eq!(parse(&module.to_string()).unwrap(), module);
    assert_eq!(parse_func(&module.funcs[0].to_string()).unwrap(), module.funcs[0]);
    wrong("func @f() {} func @f#1() {}", 1, 6, "several functions");
    wrong("func @f() { call @g() }", 1, 18, "no function `@g`");
}

#[test]
fn show_stmt_is_one_statement() {
    let module = parse("func @f(%x: f64[n, 1]) { sym n = dim 0 0 %y = neg %x !4 }").unwrap();
    let func = &module.funcs[0];
    assert_eq!(func.show_stmt(&func.body.stmts[0]), "%1:y: f64[n, 1] = neg %0 !4");
    assert_eq!(func.body.stmts[0].loc, Loc::new(4));
    assert_eq!(
        (func.ty(Value::new(1)), func.show_type(&Type::scalar(Class::Index)).as_str()),
        (func.ty(Value::new(0)), "index")
    );
}

#[test]
fn errors_say_where_and_what() {
    wrong("func f() {}", 1, 6, "the function's name");
    wrong("func @f() {\n  %x = frob 1\n}", 2, 8, "no operation `frob`");
    wrong("func @f(%x: f65) {}", 1, 13, "a type is expected here, not `f65`");
    wrong("func @f(%x: f64[n]) {}", 1, 17, "no symbol `n`");
    wrong("func @f() { %x = add %x, %y }", 1, 18, "does not follow from the operands");
    wrong("func @f() { %y: f64 = neg %x }", 1, 27, "uses `%x` but never defines it");
    wrong("func @f(%0: f64) { %9 = neg %0 }", 1, 20, "leaves a gap");
    wrong("func @f(%x: f64) { %y = fill %x }", 1, 25, "does not follow");
    wrong("func @f() { %y: f64 = const 1 %y: f32 = const 1 }", 1, 49, "differ in type");
    wrong("func @f() { sym n = dim 0 0 sym n = dim 0 1 }", 1, 29, "defined twice");
    wrong("func @f() {", 1, 12, "the end of the text");
    wrong("func @f() { %x = const 9223372036854775808 }", 1, 24, "64 bits");
    wrong("func @f() { %x = const nan(1) }", 1, 24, "64 bits of a NaN");
    let deep = "if %c {".repeat(5000);
    wrong(&format!("func @f(%c: bool) {{ {deep}"), 1, 21 + 7 * 200, "too deeply");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn printed_modules_parse_back(module in testing::module()) {
        let text = module.to_string();
        let back = parse(&text);
        prop_assert_eq!(back.as_ref().map_err(|e| format!("{e}\n{text}")), Ok(&module));
        let verified = crate::ir::verify::verify(&module);
        prop_assert!(verified.is_ok(), "{:?}\n{}", verified.err(), text);
    }

    #[test]
    fn mangled_text_does_not_panic(module in testing::module(), edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5)) {
        let mut words: Vec<String> = module.to_string().split_inclusive([' ', '\n', '[', ']', ',']).map(str::to_owned).collect();
        for (from, to) in edits {
            let word = words[from.index(words.len())].clone();
            let at = to.index(words.len());
            words[at] = word;
        }
        if let Ok(module) = parse(&words.concat()) {
            // Whatever parses can be printed and judged.
            let again = parse(&module.to_string());
            prop_assert!(again.is_ok(), "{:?}\n{}", again, module);
            let _ = crate::ir::verify::verify(&module);
        }
    }
}
