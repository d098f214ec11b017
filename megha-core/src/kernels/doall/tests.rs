//! MATLAB text → lowering → the pass: structure, reports, and equal results with iterations in shuffled order.

mod random;

use super::{LoopReport, run};
use crate::interp::{self, Datum, Options, Order};
use crate::ir::verify::verify;
use crate::ir::{Func, FuncId, Module, Op, Out, ParamFacts, Region};
use crate::{diag, lower, matlab, source};
use expect_test::{Expect, expect};

/// Lowers the first function of a text; each parameter is given by its sizes, `"n,1"`, or `""` for a scalar.
fn lowered(text: &str, params: &[&str]) -> Func {
    let mut map = source::SourceMap::new();
    let id = map.add("test.m", text);
    let mut diags = diag::Diagnostics::new();
    let program = matlab::parse(map.get(id).unwrap(), &mut diags);
    let scope = lower::Scope::new(&program.functions);
    let mut spans = lower::SpanTable::default();
    let dims = |text: &str| {
        let dims = text.split(',').filter(|d| !d.is_empty());
        dims.map(|d| d.parse().map(lower::DimSpec::constant).unwrap_or_else(|_| lower::DimSpec::name(d))).collect()
    };
    let facts = ParamFacts { integer: false, at_least: None, at_most: None };
    let params = params.iter().map(|p| lower::ParamSpec { class: crate::ir::Class::Double, dims: dims(p), facts });
    let function = &program.functions[0];
    let spec = lower::EntrySpec { params: params.collect(), results: vec![None; function.outputs.len()] };
    let func =
        lower::lower_function(function, &spec, &scope, &mut lower::Specialisations::after(1), &mut spans, &mut diags);
    func.unwrap_or_else(|| panic!("{}", diag::render_all(&diags, &map, false)))
}

/// A function before and after the pass, with its reports.
struct Case {
    before: Func,
    after: Func,
    reports: Vec<LoopReport>,
}

fn case(text: &str, params: &[&str]) -> Case {
    of(lowered(text, params))
}

fn of(before: Func) -> Case {
    assert_verified(&before);
    let mut after = before.clone();
    let reports = run(&mut after);
    assert_verified(&after);
    Case { before, after, reports }
}

fn assert_verified(func: &Func) {
    let module = Module { funcs: vec![func.clone()] };
    if let Err(found) = verify(&module) {
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        panic!("{}\n{func}", found.join("\n"));
    }
}

impl Case {
    /// The reports, one a line.
    fn reports(&self, expected: Expect) -> &Self {
        let lines: Vec<String> = self.reports.iter().map(|r| format!("{r}\n")).collect();
        expected.assert_eq(&lines.concat());
        self
    }

    /// The text after the pass, without the list of unused values.
    fn text(&self, expected: Expect) -> &Self {
        let text = self.after.to_string();
        let lines = text.lines().filter(|l| !l.trim_start().starts_with("unused"));
        expected.assert_eq(&(lines.collect::<Vec<_>>().join("\n") + "\n"));
        self
    }

    /// The kernels: their numbers of loops, and which outs are fresh.
    fn kernels(&self, expected: &[(usize, &[bool])]) -> &Self {
        let mut found = Vec::new();
        kernels(&self.after.body, &mut found);
        let expected: Vec<(usize, Vec<bool>)> = expected.iter().map(|(n, fresh)| (*n, fresh.to_vec())).collect();
        assert_eq!(found, expected, "{}", self.after);
        self
    }

    /// Results are equal, in three orders of iterations; so is whether there is an error.
    fn same_results(&self, args: &[Vec<Datum>]) -> &Self {
        for args in args {
            let expected = eval(&self.before, args, Order::Forward);
            for order in [Order::Forward, Order::Reverse, Order::Shuffled(7)] {
                assert_eq!(eval(&self.after, args, order), expected, "{args:?}\n{}", self.after);
            }
        }
        self
    }
}

fn eval(func: &Func, args: &[Datum], order: Order) -> Result<Vec<Datum>, ()> {
    let module = Module { funcs: vec![func.clone()] };
    let options = Options { order, ..Options::default() };
    let result = interp::run(&module, FuncId::new(0), args.to_vec(), &options, &mut Vec::new());
    result.map_err(|failure| assert!(!failure.is_internal(), "{failure:?}\n{func}"))
}

fn kernels(region: &Region, found: &mut Vec<(usize, Vec<bool>)>) {
    for stmt in &region.stmts {
        if let Op::Kernel(kernel) = &stmt.op {
            found.push((kernel.domain.len(), kernel.outs.iter().map(|o| *o == Out::Fresh).collect()));
        }
        stmt.op.regions().into_iter().for_each(|r| kernels(r, found));
    }
}

/// An array of pseudo-random halves.
fn array(dims: &[usize], seed: u64) -> Datum {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((state >> 58) as u32) / 2.0 - 8.0
    };
    Datum::doubles(dims, (0..dims.iter().product()).map(|_| next()).collect()).unwrap()
}

fn number(value: f64) -> Datum {
    Datum::Scalar(interp::Scalar::Double(value))
}

/// One column of each length.
fn columns(lengths: &[usize]) -> Vec<Vec<Datum>> {
    lengths.iter().map(|n| vec![array(&[*n, 1], *n as u64)]).collect()
}

const MATMUL: &str = "function c = f(a, b)
[m, terms] = size(a);
n = size(b, 2);
c = zeros(m, n);
for i = 1:m
    for j = 1:n
        total = 0;
        for k = 1:terms
            total = total + a(i, k) * b(k, j);
        end
        c(i, j) = total;
    end
end
end
";

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
    let text = include_str!("../../../../examples/matlab/filter_bank.m");
    case(text, &["n,1", "k,f"])
        .kernels(&[(2, &[true])])
        .reports(expect![[r#"
        loop over f: parallel, loop 0 of kernel 0
        loop over s: parallel, loop 1 of kernel 0
        loop over k: in order inside kernel 0: an iteration uses the `response` of the one before
    "#]])
        .same_results(&[vec![array(&[9, 1], 1), array(&[3, 2], 2)], vec![array(&[3, 1], 1), array(&[5, 2], 2)]]);
}

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
fn triangle_has_a_sequential_loop_inside() {
    let text = "function a = f(a)
n = size(a, 1);
for i = 1:n
    for j = 1:i
        a(i, j) = 2 * a(i, j);
    end
end
end
";
    case(text, &["n,n"])
        .kernels(&[(1, &[false])])
        .reports(expect![[r#"
            loop over i: parallel, loop 0 of kernel 0
            loop over j: in order inside kernel 0: it is not perfectly nested in the loop around it, with bounds that are known before
        "#]])
        .text(expect![[r#"
            func @f(%0:a: f64[n, n]) -> (a: f64[n, n]) {
              sym n = dim 0 0, >= 0
              sym v7 = value %7, >= 0, <= n - 1
              sym v14 = value %14, >= 0, <= v7
              %23:a: f64[n, n] = kernel 0 over [n] into (update %0) |%7: index| !2 {
                %13: index = size v7 + 1 !3
                for %13 |%14: index| !3 {
                  %18: f64 = const 2.0 !3
                  %19: f64 = load out0[%7, %14] !4
                  %20: f64 = mul %18, %19 !5
                  put out0[%7, %14] = %20 !6
                  yield
                }
                yield
              }
              return %23
            }
        "#]])
        .same_results(&[vec![array(&[4, 4], 3)]]);
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
              assert %36, "`i` has no value here: it was not assigned on the way" !13
              return %34, %35
            }
        "#]])
        .same_results(&columns(&[1, 5]));
}

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
            assert %44, "a subscript of `x`, which has n elements, is out of bounds" !10
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
    case(text, &["n,1", "n,1"]).kernels(&[]).reports(expect![[r#"
        loop over i: in order: an iteration uses the `%14` of the one before
    "#]]).same_results(&[vec![array(&[3, 1], 1), p]]);
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
              sym v14 = value %14, >= 0, <= n - 1
              %6: index = size n !1
              %7: index = size n + 1 !1
              %8: index = const 0 !1
              %9: index = const 0 !1
              %10: bool = gt %6, %9 !1
              %11: index = select %10, %7, %8 !1
              %12:y: f64[max3, 1] = resize %1 !1
              %24: index = const 1 !5
              %25: index = size n !5
              %26: index = const 0 !5
              %27: index = size max3 !5
              %28: bool = ge %24, %26 !5
              %29: bool = lt %25, %27 !5
              %30: bool = and %28, %29 !5
              %31: index = size n !5
              %32: index = const 0 !5
              %33: bool = le %31, %32 !5
              %34: bool = or %33, %30 !5
              assert %34, "a subscript of `y`, which has max3 elements, is out of bounds" !5
              %23:y: f64[max3, 1] = kernel 0 over [n] into (update %12) |%14: index| !2 {
                %18: f64 = load %0[%14] !3
                %21: index = size v14 + 1 !2
                put out0[%21] = %18 !5
                yield
              }
              return %23
            }
        "#]])
        .same_results(&[args(3, 4), args(3, 5), args(0, 0), args(0, 3)]);
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
fn textual_ir_in_iteration_numbers() {
    let func = crate::ir::parse::parse_func(
        "func @f(%x: f64[n, 1], %t: index) -> (y: f64[n, 1]) {
           sym n = dim 0 0, >= 0
           %y: f64[n, 1] = for %t with %x |%i: index, %a: f64[n, 1]| {
             %j: index = mul %i, 2
             %k: index = add %j, 1
             %v: f64 = index %a[%j] checked
             %b: f64[n, 1] = store %a[%k] = %v checked
             yield %b
           }
           return %y
         }",
    );
    let args = |n: usize, t: i64| vec![array(&[n, 1], 5), Datum::Scalar(interp::Scalar::Index(t))];
    of(func.unwrap()).kernels(&[(1, &[false])]).same_results(&[args(6, 3), args(6, -1), args(5, 3), args(5, 2)]);
}

#[test]
fn kernels_are_compared_iteration_by_iteration() {
    use crate::affine::AccessKind;
    use crate::kernels::accesses::{AffineView, Definitions};
    let func = crate::ir::parse::parse_func(
        "func @f(%x: f64[n, 1]) -> (z: f64[n, 1]) {
           sym n = dim 0 0, >= 0
           %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i: index| {
             %v: f64 = load %x[%i]
             put out0[%i] = %v
           }
           %z: f64[n, 1] = kernel 1 over [n] into (fresh) |%j: index| {
             %m: index = sub %j, 1
             %w: f64 = load %y[%j]
             put out0[%j] = %w
           }
           return %z
         }",
    );
    let func = func.unwrap();
    let kernel = |at: usize| match &func.body.stmts[at].op {
        Op::Kernel(kernel) => kernel,
        op => panic!("{op:?}"),
    };
    let (defs, ty) = (Definitions::of(&func), func.ty(func.params[0].value));
    let mut view = AffineView::of_two_kernels(&func, &defs, kernel(0), kernel(1));
    let (i, j) = (kernel(0).body.params[0], kernel(1).body.params[0]);
    let before = kernel(1).body.stmts.iter().flat_map(|s| &s.results).find(|v| func.name_of(**v) == "m");
    let stored = view.access(AccessKind::Write, ty, &[i]);
    let same = view.access(AccessKind::Read, ty, &[j]);
    let shifted = view.access(AccessKind::Read, ty, &[*before.unwrap()]);
    assert!(view.same_iteration_only(kernel(0), (&stored, &[]), (&same, &[])).is_ok());
    let found = view.same_iteration_only(kernel(0), (&stored, &[]), (&shifted, &[])).unwrap_err();
    assert_eq!(found.distance, [Some(1)]);
}
