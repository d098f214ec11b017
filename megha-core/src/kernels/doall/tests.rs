//! MATLAB text → lowering → the pass: structure, reports, and equal results with iterations in shuffled order.

mod dependences;
mod domains;
mod inner_loops;
mod locals;
mod meetings;
mod random;
mod splits;
mod strides;
mod subscripts;
mod triangles;

use super::{LoopReport, run};
use crate::interp::{self, Datum, Options, Order};
use crate::ir::verify::verify;
use crate::ir::{Func, FuncId, Module, Op, Out, ParamFacts, Region};
use crate::{diag, lower, matlab, source};
use expect_test::{Expect, expect};

/// Lowers the first function of a text; each parameter is given by its sizes, `"n,1"`, or `""` for a scalar.
pub(crate) fn lowered(text: &str, params: &[&str]) -> Func {
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
    func.unwrap_or_else(|| panic!("{}", diag::render_all(&diags, &map, false))).func
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
    let module = Module::of(vec![func.clone()]);
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
    let module = Module::of(vec![func.clone()]);
    let options = Options { order, ..Options::default() };
    let result = interp::run(&module, FuncId::new(0), args.to_vec(), &options, &mut Vec::new());
    result.map_err(|failure| assert!(!failure.is_internal(), "{failure:?}\n{func}"))
}

fn kernels(region: &Region, found: &mut Vec<(usize, Vec<bool>)>) {
    for (_, kernel) in region.kernels() {
        found.push((kernel.domain.len(), kernel.outs.iter().map(|o| *o == Out::Fresh).collect()));
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
