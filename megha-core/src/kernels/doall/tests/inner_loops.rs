//! Sequential loops inside kernels: what they accumulate, and how the array that they fill begins.

use super::*;

#[test]
fn matrix_product_with_a_scalar() {
    case(MATMUL, &["m,k", "k,n"])
        .kernels(&[(2, &[true])])
        .reports(expect![[r#"
            loop over i: parallel, loop 0 of kernel 0
            loop over j: parallel, loop 1 of kernel 0
            loop over k: in order inside kernel 0: an iteration uses the `total` of the one before
        "#]])
        .text(expect![[r#"
            func @f(%0:a: f64[m, k], %1:b: f64[k, n]) -> (c: f64[m, n]) {
              sym m = dim 0 0, >= 0
              sym k = dim 0 1, >= 0
              sym n = dim 1 1, >= 0
              sym v14 = value %14, >= 0, <= m - 1
              sym v21 = value %21, >= 0, <= n - 1
              sym v29 = value %29, >= 0, <= k - 1
              %40:c: f64[m, n] = kernel 0 over [m, n] into (fresh) |%14: index, %21: index| !3 {
                %25:total: f64 = const 0.0 !4
                %28: index = size k !5
                %37:total: f64 = for %28 with %25 |%29: index, %30:total: f64| !5 {
                  %33: f64 = load %0[%14, %29] !6
                  %34: f64 = load %1[%29, %21] !7
                  %35: f64 = mul %33, %34 !8
                  %36:total: f64 = add %30, %35 !9
                  yield %36
                }
                put out0[%14, %21] = %37 !10
                yield
              }
              return %40
            }
        "#]])
        .same_results(&[vec![array(&[3, 4], 1), array(&[4, 2], 2)], vec![array(&[2, 0], 1), array(&[0, 2], 2)]]);
}

#[test]
fn matrix_product_in_memory_accumulates_in_a_scalar() {
    let text = "function c = f(a, b)
c = zeros(size(a, 1), size(b, 2));
for i = 1:size(a, 1)
    for j = 1:size(b, 2)
        for k = 1:size(a, 2)
            c(i, j) = c(i, j) + a(i, k) * b(k, j);
        end
    end
end
end
";
    case(text, &["m,k", "k,n"])
        .kernels(&[(2, &[true])])
        .text(expect![[r#"
            func @f(%0:a: f64[m, k], %1:b: f64[k, n]) -> (c: f64[m, n]) {
              sym m = dim 0 0, >= 0
              sym k = dim 0 1, >= 0
              sym n = dim 1 1, >= 0
              sym v16 = value %16, >= 0, <= m - 1
              sym v26 = value %26, >= 0, <= n - 1
              sym v36 = value %36, >= 0, <= k - 1
              %8: f64 = const 0.0 !2
              %48:c: f64[m, n] = kernel 0 over [m, n] into (fresh) |%16: index, %26: index| !3 {
                %35: index = size k !5
                %51: f64 = for %35 with %8 |%36: index, %50: f64| !5 {
                  %41: f64 = load %0[%16, %36] !7
                  %42: f64 = load %1[%36, %26] !8
                  %43: f64 = mul %41, %42 !9
                  %44: f64 = add %50, %43 !10
                  yield %44
                }
                put out0[%16, %26] = %51 !5
                yield
              }
              return %48
            }
        "#]])
        .same_results(&[vec![array(&[3, 4], 1), array(&[4, 2], 2)], vec![array(&[2, 0], 1), array(&[0, 2], 2)]]);
}

/// `continue` goes to a loop, so the loop stays one inside the kernel.
#[test]
fn a_loop_that_is_left_early_is_no_loop_of_the_kernel() {
    let text = "function y = f(x, n)
y = zeros(n, n);
for i = 1:n
  for j = 1:n
    if x(j) > 2, continue; end
    y(i, j) = x(i) + x(j);
  end
end
end";
    case(text, &["n,1", ""]).kernels(&[(1, &[false])]);
}

#[test]
fn an_element_set_before_the_inner_loop_makes_the_array_fresh() {
    let text = "function y = f(a)
y = zeros(size(a, 1), 1);
for i = 1:size(a, 1)
    y(i) = 0;
    for k = 1:size(a, 2)
        y(i) = y(i) + a(i, k);
    end
end
end
";
    case(text, &["m,k"])
        .kernels(&[(1, &[true])])
        .text(expect![[r#"
            func @f(%0:a: f64[m, k]) -> (y: f64[m, 1]) {
              sym m = dim 0 0, >= 0
              sym k = dim 0 1, >= 0
              sym v13 = value %13, >= 0, <= m - 1
              sym v25 = value %25, >= 0, <= k - 1
              %34:y: f64[m, 1] = kernel 0 over [m] into (fresh) |%13: index| !3 {
                %17: f64 = const 0.0 !3
                %24: index = size k !5
                %37: f64 = for %24 with %17 |%25: index, %36: f64| !5 {
                  %30: f64 = load %0[%13, %25] !7
                  %31: f64 = add %36, %30 !8
                  yield %31
                }
                put out0[%13] = %37 !5
                yield
              }
              return %34
            }
        "#]])
        .same_results(&[vec![array(&[3, 4], 1)], vec![array(&[3, 0], 1)]]);
}

#[test]
fn filter_bank() {
    let text = include_str!("../../../../../examples/matlab/filter_bank.m");
    case(text, &["n,1", "k,f"])
        .kernels(&[(2, &[true])])
        .reports(expect![[r#"
        loop over f: parallel, loop 0 of kernel 0
        loop over s: parallel, loop 1 of kernel 0
        loop over k: in order inside kernel 0: an iteration uses the `response` of the one before
    "#]])
        .same_results(&[vec![array(&[9, 1], 1), array(&[3, 2], 2)], vec![array(&[3, 1], 1), array(&[5, 2], 2)]]);
}
