//! Loops that are parallel, and those that a dependence or an exit keeps in order.

use super::*;

#[test]
fn jacobi_is_parallel() {
    let text = "function v = f(u)
[m, n] = size(u);
v = u;
for i = 2:m-1
    for j = 2:n-1
        v(i, j) = 0.25 * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1));
    end
end
end
";
    case(text, &["m,n"])
        .kernels(&[(2, &[false])])
        .reports(expect![[r#"
            loop over i: parallel, loop 0 of kernel 0
            loop over j: parallel, loop 1 of kernel 0
        "#]])
        .same_results(&[vec![array(&[5, 4], 3)], vec![array(&[2, 3], 4)], vec![array(&[1, 3], 4)]]);
}

#[test]
fn gauss_seidel_is_sequential() {
    let text = "function u = f(u)
[m, n] = size(u);
for i = 2:m-1
    for j = 2:n-1
        u(i, j) = 0.25 * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1));
    end
end
end
";
    case(text, &["m,n"])
        .kernels(&[])
        .reports(expect![[r#"
        loop over i: in order: iteration i writes u(i, j), iteration i + 1 reads u(i, j'): distance 1
        loop over j: in order: iteration j writes u(i, j), iteration j + 1 reads it: distance 1
    "#]])
        .same_results(&[vec![array(&[5, 4], 3)]]);
}

#[test]
fn prefix_sum_is_sequential() {
    let text = "function x = f(x)
for i = 2:length(x)
    x(i) = x(i) + x(i-1);
end
end
";
    case(text, &["n,1"])
        .kernels(&[])
        .reports(expect![[r#"
        loop over i: in order: iteration i writes x(i), iteration i + 1 reads it: distance 1
    "#]])
        .same_results(&columns(&[0, 1, 5]));
}

#[test]
fn sum_stays_in_order() {
    let text = "function s = f(x)
s = 0;
for i = 1:length(x)
    s = s + x(i);
end
end
";
    case(text, &["n,1"])
        .kernels(&[])
        .reports(expect![[r#"
        loop over i: in order: an iteration uses the `s` of the one before
    "#]])
        .same_results(&columns(&[0, 1, 5]));
}

#[test]
fn two_elements_in_each_iteration() {
    let text = "function a = f(x)
n = length(x);
a = zeros(2 * n, 1);
for i = 1:n
    a(2*i) = x(i);
    a(2*i - 1) = -x(i);
end
end
";
    case(text, &["n,1"])
        .kernels(&[(1, &[false])])
        .reports(expect![[r#"
        loop over i: parallel, loop 0 of kernel 0
    "#]])
        .same_results(&columns(&[0, 1, 5]));
}

#[test]
fn conditional_stores() {
    let text = "function [y, i] = f(x)
y = zeros(length(x), 1);
for i = 1:length(x)
    if x(i) > 0
        y(i) = x(i);
    elseif i > 1
        y(i) = x(i - 1);
    end
end
end
";
    case(text, &["n,1"])
        .kernels(&[(1, &[false])])
        .reports(expect![[r#"
            loop over i: parallel, loop 0 of kernel 0
        "#]])
        .text(expect![[r#"
            func @f(%0:x: f64[n, 1]) -> (y: f64[n, 1], i: f64) {
              sym n = dim 0 0, >= 0
              sym v13 = value %13, >= 0, <= n - 1
              %4: f64 = const 0.0 !2
              %5:y: f64[n, 1] = fill %4 !2
              %10: f64 = const 0.0 !1
              %11: bool = const false !1
              %12: index = size n !3
              %34:y: f64[n, 1] = kernel 0 over [n] into (update %5) |%13: index| !3 {
                %17: index = size v13 + 1 !3
                %18:i: f64 = convert %17 !3
                %19: f64 = load %0[%13] !4
                %20: f64 = const 0.0 !3
                %21: bool = gt %19, %20 !5
                if %21 !12 {
                  %22: f64 = load %0[%13] !6
                  put out0[%13] = %22 !7
                  yield
                } else {
                  %24: f64 = const 1.0 !3
                  %25: bool = gt %18, %24 !8
                  if %25 !12 {
                    %28: index = size v13 - 1 !3
                    %29: f64 = load %0[%28] !10
                    put out0[%13] = %29 !11
                    yield
                  }
                  yield
                }
                yield
              }
              %37: bool = const true !3
              %38: index = const 0 !3
              %39: bool = gt %12, %38 !3
              %36: bool = select %39, %37, %11 !3
              %40: index = size n !3
              %41: f64 = convert %40 !3
              %42: index = const 0 !3
              %43: bool = gt %12, %42 !3
              %35:i: f64 = select %43, %41, %10 !3
              assert %36, undefined "`i` has no value here: it was not assigned on the way" !13
              return %34, %35
            }
        "#]])
        .same_results(&columns(&[1, 5]));
}

#[test]
fn time_steps_around_a_parallel_loop() {
    let text = "function u = f(u, steps)
for t = 1:3
    v = u;
    for i = 2:length(u)-1
        u(i) = v(i-1) + v(i+1);
    end
end
end
";
    case(text, &["n,1", ""])
        .kernels(&[(1, &[false])])
        .reports(expect![[r#"
            loop over t: in order: it uses an older state of `u`
            loop over i: parallel, loop 0 of kernel 0
        "#]])
        .same_results(&[vec![array(&[6, 1], 1), number(3.0)]]);
}

#[test]
fn leaving_a_loop_early_keeps_it_sequential() {
    let text = "function y = f(x)
y = zeros(length(x), 1);
for i = 1:length(x)
    if x(i) > 3
        break
    end
    y(i) = x(i);
end
end
";
    case(text, &["n,1"])
        .kernels(&[])
        .reports(expect![[r#"
        loop over i: in order: `break` leaves an iteration before its end
    "#]])
        .same_results(&columns(&[0, 5, 9]));
}
