//! Subscripts from data, and bounds that are tested before the kernel or proven by a condition.

use super::*;

#[test]
fn index_array_and_gather() {
    let text = "function y = f(x)
n = length(x);
p = zeros(n, 1);
for i = 1:n
    p(i) = n + 1 - i;
end
y = zeros(n, 1);
for i = 1:n
    y(n + 1 - i) = x(p(i)) + 1;
end
end
";
    case(text, &["n,1"])
        .kernels(&[(1, &[true]), (1, &[true])])
        .text(expect![[r#"
            func @f(%0:x: f64[n, 1]) -> (y: f64[n, 1]) {
              sym n = dim 0 0, >= 0
              sym v9 = value %9, >= 0, <= n - 1
              sym v24 = value %24, >= 0, <= n - 1
              sym v29 = value %29
              %1: index = size n !1
              %2:n: f64 = convert %1 !1
              %17:p: f64[n, 1] = kernel 0 over [n] into (fresh) |%9: index| !3 {
                %11: index = size v9 + 1 !3
                %12:i: f64 = convert %11 !3
                %13: f64 = const 1.0 !3
                %14: f64 = add %2, %13 !4
                %15: f64 = sub %14, %12 !5
                put out0[%9] = %15 !6
                yield
              }
              %39:y: f64[n, 1] = kernel 1 over [n] into (fresh) |%24: index| !8 {
                %28: f64 = load %17[%24] !9
                %29: index = to_index %28 !8
                %30: index = size v29 - 1 !8
                %40: index = const 0 !10
                %41: index = size n !10
                %42: bool = ge %30, %40 !10
                %43: bool = lt %30, %41 !10
                %44: bool = and %42, %43 !10
                assert %44, bounds "a subscript of `x`, which has n elements, is out of bounds" !10
                %31: f64 = load %0[%30] !10
                %32: f64 = const 1.0 !8
                %33: f64 = add %31, %32 !11
                %37: index = size n - v24 - 1 !8
                put out0[%37] = %33 !14
                yield
              }
              return %39
            }
        "#]])
        .same_results(&columns(&[0, 1, 5]));
}

#[test]
fn scatter_is_sequential() {
    let text = "function y = f(x, p)
y = zeros(length(x), 1);
for i = 1:length(x)
    y(p(i)) = x(i);
end
end
";
    let p = Datum::doubles(&[3, 1], vec![2.0, 2.0, 1.0]).unwrap();
    case(text, &["n,1", "n,1"])
        .kernels(&[])
        .reports(expect![[r#"
        loop over i: in order: an iteration uses the size of `y` of the one before
    "#]])
        .same_results(&[vec![array(&[3, 1], 1), p]]);
}

#[test]
fn bounds_that_are_not_known_are_tested_before_the_kernel() {
    let text = "function y = f(x, y)
for i = 1:length(x)
    y(i + 1) = x(i);
end
end
";
    let args = |n: usize, m: usize| vec![array(&[n, 1], 1), array(&[m, 1], 2)];
    case(text, &["n,1", "m,1"])
        .kernels(&[(1, &[false])])
        .text(expect![[r#"
            func @f(%0:x: f64[n, 1], %1:y: f64[m, 1]) -> (y: f64[max3, 1]) {
              sym n = dim 0 0, >= 0
              sym m = dim 1 0, >= 0
              sym v11 = value %11, >= 0, <= n + 1
              sym max3 = max(m, v11), >= m, >= v11
              sym v22 = value %22, >= 0, <= n - 1
              %6: index = size n !1
              %7: index = size n + 1 !1
              %8: index = const 0 !1
              %9: index = const 0 !1
              %10: bool = gt %6, %9 !1
              %11: index = select %10, %7, %8 !1
              %12: index = size m !1
              %13: index = const 1 !1
              %14: bool = le %12, %13 !1
              %15: bool = not %14 !1
              %16: index = size max3 !1
              %17: index = const 1 !1
              %18: bool = le %16, %17 !1
              %19: bool = or %15, %18 !1
              assert %19, "a store past the end with one subscript makes a row of an array of at most one element, but here it has the type of a column: write x(k, 1) = .. to keep it one" !1
              %20:y: f64[max3, 1] = resize %1 !1
              %32: index = const 1 !5
              %33: index = size n !5
              %34: index = const 0 !5
              %35: index = size max3 !5
              %36: bool = ge %32, %34 !5
              %37: bool = lt %33, %35 !5
              %38: bool = and %36, %37 !5
              %39: index = size n !5
              %40: index = const 0 !5
              %41: bool = le %39, %40 !5
              %42: bool = or %41, %38 !5
              assert %42, bounds "a subscript of `y` is out of bounds" !5
              %31:y: f64[max3, 1] = kernel 0 over [n] into (update %20) |%22: index| !2 {
                %26: f64 = load %0[%22] !3
                %29: index = size v22 + 1 !2
                put out0[%29] = %26 !5
                yield
              }
              return %31
            }
        "#]])
        .same_results(&[args(3, 4), args(3, 5), args(0, 0), args(0, 3)]);
}

#[test]
fn a_condition_proves_bounds_in_a_sequential_loop() {
    let text = "function s = f(x)
s = 0;
for i = 1:length(x)
    if i > 1 && i < length(x)
        s = s + x(i - 1) * x(i + 1);
    end
    if i >= 1
        s = s - x(i + 1);
    end
end
end
";
    let mut func = lowered(text, &["n,1"]);
    let checks = |func: &Func| func.to_string().matches("checked").count();
    let before = checks(&func);
    let proven = crate::kernels::bounds::run(&mut func);
    assert_verified(&func);
    assert_eq!((before - checks(&func), checks(&func)), (proven, 1), "{func}");
}

#[test]
fn what_cannot_be_analysed_is_named() {
    let text = "function x = f(x, p)
for i = 1:length(x)
    if p(i) >= 1 && p(i) <= length(x)
        x(i) = 2 * x(p(i));
    end
end
for i = 1:3
    for j = 1:3
        x(i) = x(i) + x(i*j);
    end
end
end
";
    case(text, &["9,1", "9,1"]).kernels(&[]).reports(expect![[r#"
        loop over i: in order: iteration i may read x(?), iteration i' with i' > i may write x(i'): direction < (assumed, because not all subscripts can be analysed): the subscript of `x` comes from an element of `p`
        loop over i: in order: iteration i may read x(?), iteration i' with i' > i may write x(i'): direction < (assumed, because not all subscripts can be analysed): the subscript of `x` is a product of numbers that vary
        loop over j: in order: iteration j reads x(i), iteration j' with j' > j writes it: direction <, for example 1 and 2
    "#]]);
}
