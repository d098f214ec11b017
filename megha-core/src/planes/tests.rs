//! The pass parts what it says and changes no bit, on programs in MATLAB text.

use super::{axis_of, run};
use crate::interp::{Datum, Options, Scalar};
use crate::ir::{Class, Func, FuncId, Module, Op, ParamFacts, verify::verify};
use crate::{diag, lower, matlab, source};

/// The function of a text, all of whose parameters are numbers.
fn lowered(text: &str) -> Func {
    let mut sources = source::SourceMap::new();
    let id = sources.add("f.m", text);
    let mut diags = diag::Diagnostics::new();
    let program = matlab::parse(sources.get(id).unwrap(), &mut diags);
    let scope = lower::Scope::new(&program.functions);
    let mut spans = lower::SpanTable::default();
    let function = &program.functions[0];
    let param = |_| lower::ParamSpec { class: Class::Double, dims: Vec::new(), facts: ParamFacts::default() };
    let spec = lower::EntrySpec {
        params: function.inputs.iter().map(param).collect(),
        results: vec![None; function.outputs.len()],
    };
    let func =
        lower::lower_function(function, &spec, &scope, &mut lower::Specialisations::after(1), &mut spans, &mut diags);
    func.unwrap_or_else(|| panic!("{}", diag::render_all(&diags, &sources, false))).func
}

/// How many stores there are into arrays that could be parted.
fn stores(func: &Func) -> usize {
    func.body.count(|op| matches!(op, Op::Store { array, .. } if axis_of(func.ty(*array)).is_some()))
}

/// Runs the function before and after the pass for sizes, small ones and none, and gives how many stores there were and are.
fn check(text: &str) -> (usize, usize) {
    let before = lowered(text);
    let mut after = before.clone();
    run(&mut after);
    crate::simplify::run(&mut after);
    let counts = (stores(&before), stores(&after));
    let modules = [before, after].map(|func| Module::of(vec![func]));
    verify(&modules[1]).unwrap_or_else(|v| panic!("{v:?}\n{}", modules[1]));
    for n in [0.0, 1.0, 2.0, 5.0] {
        let [expected, found] = modules.each_ref().map(|module| {
            let args = vec![Datum::Scalar(Scalar::Double(n))];
            let mut printed = Vec::new();
            let values = crate::interp::run(module, FuncId::new(0), args, &Options::default(), &mut printed);
            format!("{values:?} {}", String::from_utf8_lossy(&printed))
        });
        assert_eq!(expected, found, "{n}\n{}", modules[1]);
        assert!(expected.starts_with("Ok"), "{expected}");
    }
    counts
}

#[test]
fn planes_that_a_loop_carries_are_arrays_of_their_own() {
    let text = "function f = g(n)
        f = reshape(1:3*n*(n+1), n, n+1, 3);
        for t = 1:3
          f(:,:,1) = f(:,:,2) - 2*f(:,:,3);
          f(:,:,3) = f(:,:,1) + t;
        end
        end";
    assert_eq!(check(text), (2, 0));
}

#[test]
fn short_loops_over_planes_are_written_out() {
    let text = "function f = g(n)
        c = [1, -2, 3];
        f = -zeros(n, n, 3);
        for t = 1:3
          for q = 1:3, f(:,:,q) = c(q)*circshift(f(:,:,q), [c(q), -c(q)]) + q; end
          s = sum(f, 3);
          for q = 1:3, f(:,:,q) = f(:,:,q) - c(q)*s; end
        end
        end";
    assert_eq!(check(text), (6, 0));
}

#[test]
fn sums_of_planes_are_no_negative_zeros() {
    let text = "function [s, p, m] = g(n)
        f = zeros(n, 2, n, 1);
        for t = 1:2
          f(:,1,:) = -f(:,2,:);
          f(:,2,:) = -abs(f(:,1,:));
          s = 1 ./ sum(f, 2); p = prod(f, 2); m = max(f, [], 2);
        end
        if n == 0, s = f; p = f; m = f; end
        end";
    assert_eq!(check(text).1, 0);
}

#[test]
fn parts_of_planes_in_loops_and_branches() {
    let text = "function f = g(n)
        f = reshape(1:2*n*n, n, n, 2);
        k = 0;
        while k < 4
          k = k + 1;
          for i = 1:n, f(i,:,1) = f(i,:,2) + k*i; end
          if k == 2, f(:,:,2) = 7; else, f(:,:,2) = f(:,:,1)' + k; end
          if k == 3, break; end
          f(:,:,1) = f(:,:,2) - 1;
        end
        end";
    assert_eq!(check(text), (4, 0));
}

#[test]
fn an_array_that_is_used_whole_in_the_loop_stays() {
    let whole = "function f = g(n)
        f = ones(n, n, 3);
        for t = 1:3, f(:,:,1) = f(:,:,2) + 1; f = 2*f; end
        end";
    assert_eq!(check(whole), (1, 1));
    let unknown = "function f = g(n)
        f = ones(n, n, 3);
        for t = 1:3, f(:,:,t) = f(:,:,1) + f(:,:,mod(t, 3) + 1); end
        for t = 1:min(n, 3), f(:,:,t) = f(:,:,1) + 1; end
        end";
    assert_eq!(check(unknown), (4, 4));
    let inner = "function [f, s] = g(n)
        f = ones(n, n, 3); s = 0;
        for k = 1:2
          for t = 1:3, f(:,:,1) = f(:,:,2) + 1; end
          s = s + sum(f(:));
        end
        end";
    assert_eq!(check(inner), (1, 1));
}

/// An array that a loop takes apart in one branch is whole in the other one, and before and behind the loop.
#[test]
fn what_one_branch_takes_apart_is_whole_elsewhere() {
    let text = "function [f, v] = g(n)
        f = reshape(1:2*n*(n+1), n, n+1, 2);
        v = 0;
        if n > 2
          h = f;
          for t = 1:3
            h(:,:,1) = h(:,:,2) - t;
          end
          v = sum(f(:,1,mod(n,2)+1)) + sum(h(:,1,mod(n,2)+1));
          for t = 1:2
            h(:,:,2) = h(:,:,1) + f(:,:,2);
          end
          f = h;
        else
          v = sum(f(:,1,mod(n,2)+1)) + sum(f(:,1,2));
        end";
    let (before, after) = check(text);
    assert!(after < before, "{before} {after}");
}
