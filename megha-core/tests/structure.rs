//! What the compiler makes of programs: kernels, copies, tests; from MATLAB text.

use megha_core::diag::render_all;
use megha_core::driver::{Job, Outcome, compile, ptx, rust};
use megha_core::interp::{self, Datum, Options};
use megha_core::ir::{Func, FuncId, Module, Op, Region};
use megha_core::kernels::compose::Params;
use megha_core::kernels::form;
use megha_core::kernels::report::{self, BlockReport, Origin, Why};
use megha_core::passes::{PASSES, PassLog};
use megha_core::source::SourceMap;

/// A function `f` of these parameters with types, results and body.
fn compiled(params: &str, results: &str, body: &str) -> Outcome {
    let names: Vec<&str> = params.split(", ").filter_map(|p| Some(p.split_once(": ")?.0)).collect();
    let names = names.join(", ");
    let text = format!("function [{results}] = f({names})\n% megha: fn f({params})\n{body}\nend\n");
    let mut sources = SourceMap::new();
    let main = sources.add("f.m", &text);
    let outcome = compile(Job::text(sources, main));
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    outcome
}

fn kernels(region: &Region) -> usize {
    let nested = |op: &Op| op.regions().into_iter().map(kernels).sum::<usize>();
    region.stmts.iter().map(|s| if matches!(s.op, Op::Kernel(_)) { 1 } else { nested(&s.op) }).sum()
}

/// A loop writes `t(i)`, an array statement reads every element: one kernel.
#[test]
fn loops_over_rows_and_columns_compose_with_array_statements() {
    let programs = [
        ("x: f64[n,1]", "y", "t = zeros(numel(x), 1);\nfor i = 1:numel(x)\nt(i) = x(i)*2;\nend\ny = t + 1;"),
        ("x: f64[1,n]", "y", "t = zeros(1, numel(x));\nfor i = 1:numel(x)\nt(i) = x(i)*2;\nend\ny = sum(t + 1);"),
        ("a: f64[n,1]", "y", "n = numel(a);\nq = zeros(n, 1);\nfor i = 1:n\nq(i) = n + 1 - i;\nend\ny = a(q);"),
        ("x: f64[n,1]", "z", "y = exp(x) + 1;\nz = zeros(numel(x), 1);\nfor i = 1:numel(x)\nz(i) = y(i)*3;\nend"),
    ];
    for (params, results, body) in programs {
        let outcome = compiled(params, results, body);
        assert_eq!(kernels(&outcome.module.funcs[0].body), 1, "{body}\n{}", outcome.module);
    }
}

/// Arguments whose sizes a test has found equal are read where they are.
#[test]
fn arguments_of_equal_sizes_are_not_copied() {
    let programs = [
        ("a: f64[:,:], b: f64[:,:]", "y", "y = exp(a).*2 + b;"),
        ("a: f64[:,:], b: f64[:,:]", "z", "z = (a + b).*b;"),
        ("a: f64[n,m], b: f64[p,q]", "s", "s = sum(a.*b);"),
        ("a: f64[n,m,2], b: f64[p,q,2]", "y", "y = a - b;"),
    ];
    for (params, results, body) in programs {
        let mut outcome = compiled(params, results, body);
        let code = rust(&mut outcome, "rt").unwrap();
        let func = &outcome.module.funcs[0];
        let reshapes = func.body.stmts.iter().filter(|s| matches!(s.op, Op::Reshape(_))).count();
        assert_eq!((kernels(&func.body), reshapes), (1, 0), "{body}\n{}", outcome.module);
        assert!(!code.contains(".reshape("), "{body}");
    }
}

/// Sizes that a test has found equal are one: what is computed from either argument goes over the same points.
#[test]
fn arguments_of_equal_sizes_are_composed() {
    let programs = [
        ("a: f64[:,:], b: f64[:,:]", "c", "c = a.*a + sqrt(b);\nc = c - b;"),
        (
            "s: f64[:,1], k: f64[:,1], t: f64[:,1], r: f64, v: f64[:,1]",
            "c",
            "d = (log(s ./ k) + (r + v.^2 / 2) .* t) ./ (v .* sqrt(t));\nc = s .* erfc(-d) - k .* exp(-r*t) .* erfc(v .* sqrt(t) - d);",
        ),
        (
            "u: f64[:,:], v: f64[:,:], k: f64",
            "u, v",
            "for t = 1:k\nlu = circshift(u, 1, 1) - u;\nlv = circshift(v, 1, 2) - v;\nr = u .* v;\nu = u + lu - r;\nv = v + lv + r;\nend",
        ),
        ("a: f64[:,1], b: f64[:,1]", "s", "s = 0;\nfor t = 1:9\ns = s + sum(exp(a) .* sin(b));\nend"),
    ];
    for (params, results, body) in programs {
        let outcome = compiled(params, results, body);
        assert_eq!(kernels(&outcome.module.funcs[0].body), 1, "{body}\n{}", outcome.module);
    }
}

/// A reshaped argument is the caller's memory: what is computed from it goes elsewhere.
#[test]
fn a_reshaped_argument_is_not_written_over() {
    let outcome = compiled("a: f64[6,n]", "y", "y = reshape(a, 3, []) + 1;");
    assert!(!outcome.module.to_string().contains("(update"), "{}", outcome.module);
}

/// Sizes that differ by a constant agree where the smaller one is one.
#[test]
fn sizes_that_differ_may_expand() {
    let outcome = compiled("x: f64[n,1], A: f64[n,n+1]", "y", "y = A + x';");
    let call = |n: usize| {
        let x = Datum::doubles(&[n, 1], vec![10.0; n]).unwrap();
        let a = Datum::doubles(&[n, n + 1], (0..n * (n + 1)).map(|k| k as f64).collect()).unwrap();
        let options = Options::default();
        interp::run(&outcome.module, FuncId::new(0), vec![x, a], &options, &mut Vec::new())
    };
    assert_eq!(call(1).unwrap(), [Datum::doubles(&[1, 2], vec![10.0, 11.0]).unwrap()]);
    assert!(call(3).is_err());
}

/// Figure 3.3 of the thesis, from its four lines.
const THESIS: [&str; 3] = [
    "A: f64[100,100], B: f64[100,100], C: f64[100,100]",
    "A, C",
    "tempVar0 = B + C;\ntempVar1 = A + C;\nA = tempVar0 + tempVar1;\nC = A * C;",
];

/// The passes with these parameters of composition; the kernels and why they stay apart.
fn formed(params: &Params) -> (Module, Vec<BlockReport>) {
    let mut module = compiled(THESIS[0], THESIS[1], THESIS[2]).lowered;
    let mut blocks = Vec::new();
    for pass in PASSES {
        match pass.name {
            "kernels" => blocks = form::run(&mut module.funcs[0], params),
            _ => (pass.run)(&mut module, &mut PassLog::default()),
        }
    }
    report::settle(&module.funcs[0], &mut blocks);
    (module, blocks)
}

fn thesis_params() -> Params {
    Params { alpha: 1.0, beta: 0.0, gamma: 100.0, ..Params::default() }
}

/// Figures 3.4 and 3.5: one kernel of three statements, the product apart from it.
#[test]
fn the_example_of_the_thesis() {
    let (module, blocks) = formed(&thesis_params());
    let [block] = &blocks[..] else { panic!("{blocks:?}") };
    let [kernel] = &block.kernels[..] else { panic!("{block:?}") };
    let names = |list: &[Origin]| -> Vec<String> { list.iter().filter_map(|o| o.name.clone()).collect() };
    assert_eq!(names(&kernel.statements), ["tempVar0", "tempVar1", "A"]);
    assert_eq!(names(&kernel.eliminated), ["tempVar0", "tempVar1"]);
    // The thesis's 20,200, and γ for the sibling edge between the two sums, which both read C.
    assert_eq!((kernel.registers, kernel.memory, kernel.benefit), (2, 40_000, 20_300.0));
    assert_eq!(kernels(&module.funcs[0].body), 1, "{module}");
}

/// Equation 3.2.4 with a limit that is one element too low for the three.
#[test]
fn a_limit_on_memory_keeps_kernels_apart() {
    let (module, blocks) = formed(&Params { mem_max: 39_999, ..thesis_params() });
    assert_eq!(blocks[0].kernels.len(), 3, "{blocks:?}");
    let limits = blocks[0].stopped.iter().filter(|s| matches!(s.why, Why::Memory { limit: 39_999, .. })).count();
    assert!(limits > 0, "{blocks:?}");
    assert_eq!(results(&module.funcs[0]), results(&formed(&thesis_params()).0.funcs[0]));
}

fn results(func: &Func) -> Vec<Datum> {
    let matrix = |from: f64| Datum::doubles(&[100, 100], (0..10_000).map(|k| from + f64::from(k)).collect()).unwrap();
    let arguments = vec![matrix(1.0), matrix(-2.5), matrix(0.125)];
    let module = Module::of(vec![func.clone()]);
    interp::run(&module, FuncId::new(0), arguments, &Options::default(), &mut Vec::new()).unwrap()
}

/// Sizes of arguments are compared before the work.
#[test]
fn sizes_of_arguments_are_compared_first() {
    let body = "s = 0;\nfor t = 1:1000\ns = s + sum(exp(a*t));\nend\ny = a + b + s;";
    let outcome = compiled("a: f64[n,1], b: f64[m,1]", "y", body);
    let first = &outcome.module.funcs[0].body.stmts[0].op;
    assert!(matches!(first, Op::SameSize(..)), "{}", outcome.module);
}

/// Host code asks for what kernels, also those of functions that it calls, may have left on a device; other functions ask for nothing.
#[test]
fn functions_ask_for_arrays_where_a_device_may_have_them() {
    let text = "function s = outer(x, n)\n% megha: fn outer(x: f64[1, q], n: f64) -> s\ny = inner(x, n);\ns = y(1) - y(end);\nend\n\
                function y = inner(x, n)\nif n <= 0, y = x; else, y = inner(2*x + 1, n - 1); end\nend\n\
                function s = apart(x)\n% megha: fn apart(x: f64[n, 1]) -> s\ns = x(1) - x(end);\nend\n";
    let asks = |text: &str| {
        let mut sources = SourceMap::new();
        let main = sources.add("f.m", text);
        let mut outcome = compile(Job::text(sources, main));
        let code = rust(&mut outcome, "rt")
            .unwrap_or_else(|| panic!("{}", render_all(&outcome.diags, &outcome.sources, false)));
        let body = |name: &str| {
            code.split(&format!("fn body_{name}<")).nth(1).and_then(|rest| rest.split("fn ").next()).map(str::to_owned)
        };
        [body("outer"), body("apart")].map(|body| body.is_some_and(|body| body.contains(".fetch_at(")))
    };
    assert_eq!(asks(text), [true, true], "functions call each other");
    let alone = "function y = f(x)\n% megha: fn f(x: f64[n, 1]) -> y\ny = x + 1;\nend\n";
    let (_, apart) = text.split_once("function s = apart").unwrap();
    assert_eq!(asks(&format!("{alone}function s = apart{apart}")), [false, false]);
}

/// rustc takes it that nothing else reaches the elements of a mutable slice: a written array has slices or subscripts, never both in one
/// loop (results of optimised code were wrong).
#[test]
fn slices_of_written_arrays_are_their_only_way() {
    let code = |params: &str, result: &str, body: &str| rust(&mut compiled(params, result, body), "rt").unwrap();
    // The element that a condition stores again is the iteration's own: by the slice, too.
    let body = "n = numel(t);\ny = zeros(size(t));\nfor i = 1:n\n y(i) = 0;\n t(i) = rem(t(i), p);\n if t(i) < 0, t(i) = p + t(i); end\n \
                if t(i) < 1, y(i) = 3; end\nend";
    let slices = code("p: f64, t: f64[1, n]", "y", body);
    assert!(slices.contains("&mut [f64]") && !slices.contains(".put("), "{slices}");
    // Elements of the whole row beside the first one: by subscripts, all of them.
    let body = "A = zeros(numel(x), m);\nfor i = 1:numel(x)\n A(i, 1) = 1;\n for j = 4:m, A(i, j) = A(i, j - 3) + x(i) * j; end\nend";
    let subscripts = code("x: f64[n, 1], m: usize", "A", body);
    assert!(subscripts.contains(".put(") && !subscripts.contains("&mut [f64]"), "{subscripts}");
}

/// Elements that no iteration stores are no reason to forgo the slice of those that are; a store of what a condition lets through is one of a
/// choice.
#[test]
fn elements_that_nothing_stores_leave_slices_alone() {
    let code = |params: &str, result: &str, body: &str| rust(&mut compiled(params, result, body), "rt").unwrap();
    let halves = code("x: f64[m, 1], n: usize", "x", "for i = 1:n\n x(i) = x(i) + x(i + n);\nend");
    assert!(halves.contains("&mut [f64]") && halves.contains(".unwritten([") && !halves.contains(".put("), "{halves}");
    let meet = code("x: f64[m, 1], n: usize", "x", "for i = 1:n\n x(2*i) = x(2*i) + x(3*n - i);\nend");
    assert!(!meet.contains(".unwritten("), "{meet}");
    let body = "n = size(d, 1);\nfor k = 1:n\nfor i = 1:n\nfor j = 1:n\nvia = d(i,k) + d(k,j);\n\
                if via < d(i,j), d(i,j) = via; end\nend\nend\nend";
    let paths = code("d: f64[n, n]", "d", body);
    assert!(paths.contains("&mut [f64]") && paths.contains("} else { rt::put_back("), "{paths}");
    // Only what numbers may be put back through.
    let body = "for i = 1:numel(x)\n k(i) = merge(x(i) > 0, int32(5), k(i));\nend";
    assert!(!code("x: f64[n, 1], k: i32[n, 1]", "k", body).contains("put_back"));
    // Iterations that are many to an element: what they find there they do not put back.
    let body = "b = a;\nfor i = 1:numel(a)\nfor j = 1:size(x, 2)\nt = b(i);\nv = x(i, j);\nif i == j && v > t, a(i) = v; end\nend\nend";
    let shared = code("a: f64[n, 1], x: f64[n, m]", "a", body);
    assert!(!shared.contains("put_back"), "{shared}");
}

/// The driver verifies before the first pass and after the last; here each pass is held to it, on all examples.
#[test]
fn each_pass_leaves_the_examples_well_formed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/matlab");
    let mut programs = 0;
    for folder in [folder.clone(), folder.join("gallery")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "m") {
                continue;
            }
            let outcome = compile(Job { dump: true, ..Job::file(&path).unwrap() });
            assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
            programs += 1;
        }
    }
    assert!(programs > 100, "{programs} programs");
}

/// Bounds of an inner loop that depend on the outer one are bounds of the generated loop, not a test at each point; kernels over the
/// same triangle are one, those over a triangle and its box are two.
#[test]
fn triangles_are_bounds_of_loops() {
    let triangle = |to: &str| format!("for i = 1:n\nfor j = i:n\n{to}(i, j) = 2*{to}(i, j) + a(j, i);\nend\nend\n");
    let (p, q) = ("a: f64[n,n], b: f64[n,n], c: f64[n,n]", "b, c");
    let start = "n = size(a, 1);\n";
    let mut outcome = compiled(p, q, &format!("{start}{}{}", triangle("b"), triangle("c")));
    assert_eq!(kernels(&outcome.module.funcs[0].body), 1, "{}", outcome.module);
    let code = rust(&mut outcome, "rt").unwrap();
    assert!(code.contains("row.clipped(0, j + 1)") && code.contains("row.clipped(i, i64::MAX)"), "{code}");
    assert!(code.contains("rt::launch_within(") && !code.contains("if i <= j") && !code.contains(">= i"), "{code}");
    let rows = code.matches(".along([i, j], len)").count();
    assert_eq!(rows, 2, "both are written along their rows\n{code}");
    let text = format!("{start}{}c = c + 1;", triangle("b"));
    let outcome = compiled(p, q, &text);
    assert_eq!(kernels(&outcome.module.funcs[0].body), 2, "{}", outcome.module);
}

/// A loop that only sums up is a function of its own, so that the sum is in a register; one that stores is not.
#[test]
fn loops_that_only_compute_scalars_stand_apart() {
    let sum = "s = 0;\nfor i = 1:n\ns = mod(s + x(i), 3);\nend\n";
    let code = |body: &str| {
        let mut outcome = compiled("x: f64[n,1]", "s, x", body);
        rust(&mut outcome, "rt").unwrap()
    };
    let apart = code(&format!("n = numel(x);\n{sum}"));
    assert_eq!(apart.matches("s = rt::apart(move || {").count(), 1, "{apart}");
    let within = code(&format!("n = numel(x);\nfor k = 2:n\n{sum}x(k) = x(k-1) + s;\nend"));
    assert_eq!(within.matches("rt::apart").count(), 1, "{within}");
    assert!(within.contains("let x2 = &x2;"), "the loop outside stores\n{within}");
    let asks =
        code("n = numel(x);\ns = 1;\nfor k = 2:n\nt = x(k-1);\nwhile t*t < x(k)\nt = t + 1;\nend\nx(k) = t;\nend");
    assert!(asks.contains("let x2 = &x2;") && asks.contains("t = rt::apart("), "what the condition reads\n{asks}");
    let stores = code("n = numel(x);\ns = 0;\nfor k = 2:n\ns = mod(s + x(k), 3);\nx(k) = x(k-1) + s;\nend");
    assert!(!stores.contains("rt::apart"), "{stores}");
}

/// What a mask selects is computed in place: one kernel, and no list of places.
#[test]
fn masked_elements_are_selected_in_one_kernel() {
    let params = "x: f64[n,1], y: f64[n,1], s: f64";
    let programs = [
        (params, "x", "m = x < 0;\nx(m) = sqrt(y(m)) .* s - x(m);"),
        (params, "x", "x(x < 0) = 1 - x(x < 0);"),
        (params, "x", "m = y > s;\nx(m) += y(m);\nx(~m) *= 2;"),
        (params, "t, u, c, a", "t = sum(x(y > 0));\nu = mean(x(y > 0));\nc = numel(x(y > 0));\na = any(x(y > 0) > s);"),
        ("x: i16[n,1], s: i16", "x", "m = x > s;\nx(m) = x(m) - s;"),
        ("x: f64[n,m], y: f64[n,m]", "x", "m = x < y;\nx(m) = exp(x(m)) ./ y(m);"),
        ("x: f64[1,n], y: f64[n,1]", "t", "t = sum(x(y > 0));"),
        (params, "x", "w = find(y > s);\nx(w) = x(w) + y(w);"),
    ];
    for (params, results, body) in programs {
        let outcome = compiled(params, results, body);
        let text = outcome.module.to_string();
        let counts = (kernels(&outcome.module.funcs[0].body), text.matches("lib find").count());
        assert_eq!(counts, (1, 0), "{body}\n{text}");
    }
}

/// What a program lists before a loop it does not search again in each iteration: the work there is that for the listed elements.
#[test]
fn a_loop_works_on_what_is_listed_before_it() {
    let body = "w = find(x > s);\nfor t = 1:k\nx(w) = x(w) * 0.5 + t;\nend";
    let text = compiled("x: f64[n,1], s: f64, k: f64", "x", body).module.to_string();
    assert_eq!(text.matches("over [n]").count(), 1, "the mask\n{text}");
    assert_eq!(text.matches("lib find").count(), 1, "{text}");
}

/// Where the elements of two masks meet, or something else is stored, places are listed: once for each mask.
#[test]
fn places_of_a_mask_are_listed_once() {
    let params = "x: f64[n,1], y: f64[n,1], v: f64[k,1]";
    let programs = [
        ("m = x < 0;\nx(m) = y(x > 0);", 2),
        ("m = x < 0;\nx(m) = v;", 1),
        ("m = x < 0;\nx(m) = sort(x(m)) + y(m);", 1),
        ("m = x < 0;\nx(m) = cumsum(x(m));\nx(x < 0) = v;", 2),
    ];
    for (body, places) in programs {
        let outcome = compiled(params, "x", body);
        let text = outcome.module.to_string();
        assert_eq!(text.matches("lib find").count(), places, "{body}\n{text}");
    }
}

/// Equal results of a kernel are one.
#[test]
fn equal_sums_are_added_up_once() {
    let outcome = compiled("x: f64[n,1]", "s, m, x", "s = sum(x);\nm = mean(x);\nx = max(x);");
    let text = outcome.module.to_string();
    assert_eq!((kernels(&outcome.module.funcs[0].body), text.matches("accumulate").count()), (1, 2), "{text}");
}

/// A step of a lattice Boltzmann method moves nine planes and relaxes them: one kernel, which loads and stores each once.
#[test]
fn planes_that_move_and_meet_are_one_kernel() {
    let body = "c = [0, 1, 0, -1]; d = [0, 0, k, 0];
        for t = 1:3
          for q = 1:4, g(:,:,q) = circshift(g(:,:,q), [c(q), d(q)]); end
          s = sum(g, 3);
          for q = 1:4, g(:,:,q) = g(:,:,q) + c(q)*(s - g(:,:,q)); end
        end";
    let mut outcome = compiled("g: f64[n,m,4], k: f64", "g", body);
    let code = rust(&mut outcome, "rt").unwrap();
    let region = &outcome.module.funcs[0].body;
    let Some(Op::For { body, .. }) = region.stmts.iter().map(|s| &s.op).find(|op| matches!(op, Op::For { .. })) else {
        panic!("{}", outcome.module)
    };
    let [(_, kernel)] = &body.kernels()[..] else { panic!("{}", outcome.module) };
    let loads = kernel.body.count(|op| matches!(op, Op::Load(..)));
    let stores = kernel.body.count(|op| matches!(op, Op::Put(..)));
    assert_eq!((loads, stores, kernels(region)), (4, 4, 3), "{}", outcome.module);
    assert_eq!(code.matches(".turned([").count(), 3, "{code}");
}

/// A filter whose second coefficients are one number has the bits of the plain sums, whatever is longer, and no test of a subscript.
#[test]
fn a_filter_without_recursion_is_its_sums() {
    let sums = "y = zeros(1, numel(x));
        for i = 1:numel(x)
          s = 0;
          for k = 1:min(numel(b), i), s = s + b(k) * x(i - k + 1); end
          y(i) = s / a;
        end";
    let [filter, sums] =
        ["y = filter(b, a, x);", sums].map(|body| compiled("b: f64[p,1], a: f64, x: f64[1,n]", "y", body));
    assert!(!filter.module.to_string().contains("assert"), "{}", filter.module);
    let vector = |n: usize, dims: [usize; 2]| Datum::doubles(&dims, (0..n).map(|k| 1.0 / (k as f64 + 0.3)).collect());
    for (p, n) in [(1, 1), (1, 5), (3, 0), (0, 3), (3, 2), (3, 3), (3, 4), (4, 90)] {
        let [filtered, added] = [&filter, &sums].map(|outcome| {
            let args = vec![vector(p, [p, 1]).unwrap(), Datum::double(-0.7), vector(n, [1, n]).unwrap()];
            interp::run(&outcome.module, FuncId::new(0), args, &Options::default(), &mut Vec::new()).unwrap()
        });
        assert_eq!(format!("{filtered:?}"), format!("{added:?}"), "{p} {n}");
    }
}

/// `circshift` moves elements as subscripts say, by known numbers and those of the run, also more than there are elements, and of none.
#[test]
fn rotations_are_what_subscripts_say() {
    let from = |size: &str, k: &str| format!("mod((0:{size}-1) - {k}, {size}) + 1");
    let (rows, columns, pages) = (from("size(x,1)", "k"), from("size(x,2)", "(1-k)"), from("size(x,3)", "(-1)"));
    let programs = [
        ("circshift(x, k)".to_owned(), format!("x({rows}, :, :)")),
        ("circshift(x, [k, 1-k])".to_owned(), format!("x({rows}, {columns}, :)")),
        ("circshift(x, [k, 1-k, -1])".to_owned(), format!("x({rows}, {columns}, {pages})")),
        ("circshift(x, 1-k, 2) + circshift(x, -1, 3)".to_owned(), format!("x(:, {columns}, :) + x(:, :, {pages})")),
        ("circshift(x, k, 4)".to_owned(), "x".to_owned()),
        ("real(circshift(complex(x, -x), k))".to_owned(), format!("x({rows}, :, :)")),
        ("double(circshift(x > 3, k))".to_owned(), format!("double(x({rows}, :, :) > 3)")),
    ];
    for (rotated, indexed) in programs {
        let [a, b] = [rotated, indexed].map(|y| compiled("x: f64[n,m,p], k: f64", "y", &format!("y = {y};")));
        for (dims, k) in [([4, 3, 2], 1.0), ([4, 3, 2], -2.0), ([3, 4, 1], 11.0), ([2, 1, 5], 3.0), ([2, 0, 3], 1.0)] {
            let [found, expected] = [&a, &b].map(|outcome| {
                let n = dims.iter().product();
                let x = Datum::doubles(&dims, (0..n).map(|k: usize| k as f64).collect()).unwrap();
                let args = vec![x, Datum::double(k)];
                interp::run(&outcome.module, FuncId::new(0), args, &Options::default(), &mut Vec::new())
            });
            assert_eq!(found.unwrap(), expected.unwrap(), "{dims:?} {k}\n{}", a.module);
        }
        let args = || vec![Datum::doubles(&[2, 2, 1], vec![0.0; 4]).unwrap(), Datum::double(0.5)];
        let run = |outcome: &Outcome| {
            interp::run(&outcome.module, FuncId::new(0), args(), &Options::default(), &mut Vec::new()).is_err()
        };
        assert_eq!(run(&a), run(&b), "{}", a.module);
    }
}

/// The prices of options in single, by either form of the normal distribution: no instruction on doubles.
#[test]
fn prices_in_single_need_no_doubles() {
    let polynomial = "x = abs(d);\nk = 1 ./ (1 + 0.2316419 * x);\n\
        s = k .* (0.319381530 + k .* (-0.356563782 + k .* (1.781477937 + k .* (-1.821255978 + k * 1.330274429))));\n\
        n = 1 - exp(-0.5 * x .* x) * 0.39894228040143270286 .* s;\nm = d < 0;\nn(m) = 1 - n(m);\n";
    for distribution in
        [polynomial, "n = 0.5 + 0.5 * erf(d * 0.7071067811865476);\n", "n = 0.5 * erfc(-d / sqrt(2));\n"]
    {
        let body = format!(
            "vs = v .* sqrt(t);\nd1 = (log(s ./ k) + (r + 0.5 * v .* v) .* t) ./ vs;\n\
             n1 = cndf(d1);\nn2 = cndf(d1 - vs);\nke = k .* exp(-r .* t);\nc = s .* n1 - ke .* n2;\n\
             p = ke .* (1 - n2) - s .* (1 - n1);\nend\nfunction n = cndf(d)\n{distribution}"
        );
        let vectors = |class: &str| ["s", "k", "r", "v", "t"].map(|name| format!("{name}: {class}[n, 1]")).join(", ");
        let code = |class: &str| ptx(&compiled(&vectors(class), "c, p", &body)).unwrap();
        let (single, double) = (code("f32"), code("f64"));
        assert!(single.refused.is_empty() && single.text.contains("fma.rn.f32"), "{}", single.text);
        assert!(!single.text.contains(".f64") && double.text.contains("fma.rn.f64"), "{}", single.text);
    }
}

/// A sequential loop that only computes is a function of its own, unless it is known to run a few times.
#[test]
fn loops_of_few_iterations_are_no_functions_of_their_own() {
    let apart = |times: &str| {
        let body = format!("s = x(1);\nfor k = 1:{times}\nif s > 10\ns = s / 3;\nelse\ns = s * s + 1;\nend\nend");
        rust(&mut compiled("x: f64[n,1]", "s", &body), "rt").unwrap().contains("rt::apart(")
    };
    assert_eq!(["8", "9", "numel(x)"].map(apart), [false, true, true]);
}

/// A power of a double with an exponent in single is single, also where it is a product or a root; with one of whole numbers it is of their class.
#[test]
fn the_exponent_takes_part_in_the_class_of_a_power() {
    for exponent in ["1", "2", "3", "4", "-1", "0.5", "1.5", "1.7"] {
        for (class, wanted) in [("single", "f32"), ("double", "f64")] {
            let outcome = compiled("x: f64[n,1]", "y", &format!("y = abs(x) .^ {class}({exponent});"));
            let result = outcome.module.funcs[0].body.term.values()[0];
            let text = outcome.module.to_string();
            assert_eq!(outcome.module.funcs[0].ty(result).class.name(), wanted, "{class}({exponent})\n{text}");
        }
    }
}

/// A product of slices in a loop over elements, whose length the iteration decides, is a loop of the nest: nothing is copied, and no library is called.
#[test]
fn products_of_slices_are_loops_of_the_nest() {
    // What the loop makes: kernels, sequential loops outside of them that hold such a product.
    let programs = [
        // Each row has its own elements.
        (
            "first: u32[r,1], col: u32[m,1], val: f64[m,1], x: f64[n,1]",
            "y",
            "y = zeros(numel(first) - 1, 1);\nfor i = 1:numel(first) - 1\nc = col(first(i) + 1:first(i + 1)) + 1;\n\
             v = val(first(i) + 1:first(i + 1));\ny(i) = v.' * x(c);\nend",
            (1, 0),
        ),
        ("a: f64[n,n], x: f64[n,1]", "x", "for i = 1:numel(x)\nx(i) = x(i) - a(i, 1:i-1) * x(1:i-1);\nend", (0, 1)),
        (
            "a: f64[n,n]",
            "a",
            "for i = 1:size(a, 1)\nfor j = i:size(a, 1)\na(i, j) = a(i, j) - dot(a(i, 1:i-1), a(1:i-1, j));\nend\nend",
            (1, 0),
        ),
        (
            "x: f64[1,n], w: f64[n,1]",
            "y",
            "y = x;\nfor i = 1:numel(x)\nif x(i) > 0\ny(i) = x(i:-1:1) * (w(1:i) + 1);\nend\nend",
            (1, 0),
        ),
        ("x: f64[1,n]", "y", "y = x;\nfor i = 1:numel(x)\ny(i) = sum(x(i:end) .* x(1:end-i+1));\nend", (1, 0)),
        // What is stored beside them into slices is stored by elements.
        (
            "c: f64[m,n], a: f64[m,m], b: f64[m,n]",
            "c, t",
            "t = zeros(size(c));\nfor i = 1:size(c, 1)\nfor j = 1:size(c, 2)\nc(1:i-1, j) = c(1:i-1, j) + b(i, j) * a(i, 1:i-1)';\n\
             t(i, j) = a(i, 1:i-1) * b(1:i-1, j);\nend\nend",
            (1, 0),
        ),
    ];
    for (params, results, body, expected) in programs {
        let outcome = compiled(params, results, body);
        let func = &outcome.module.funcs[0];
        let sums =
            func.body.count(|op| matches!(op, Op::For { init, .. } if init.iter().any(|v| func.ty(*v).is_scalar())));
        let inside: usize =
            func.body.kernels().iter().map(|(_, kernel)| kernel.body.count(|op| matches!(op, Op::For { .. }))).sum();
        let whole = func.body.any(|op| matches!(op, Op::Lib(..) | Op::Reduce(..) | Op::Reshape(_)));
        let rows = usize::from(sums > inside);
        assert_eq!((kernels(&func.body), rows, whole), (expected.0, expected.1, false), "{body}\n{}", outcome.module);
    }
}

/// What is as long in each iteration, what goes on from a number, and what stands beside operations on arrays is left to the library.
#[test]
fn other_products_in_loops_stay() {
    let programs = [
        ("a: f64[n,n], x: f64[n,1]", "y", "y = x;\nfor i = 1:numel(x)\ny(i) = a(i, :) * x;\nend"),
        ("x: f64[1,n]", "y, s", "s = 0;\ny = x;\nfor i = 1:numel(x)\ns = s + x(1:i) * y(1:i)';\ny(i) = s;\nend"),
        ("x: f64[1,n]", "y", "y = x;\nfor i = 2:numel(x)\nt = y(1:i-1);\ny(i-1) = 1;\ny(i) = t * t';\nend"),
        ("x: f64[1,n]", "y", "y = x;\nfor i = 2:numel(x)\ny(2:i) = y(1:i-1) + x(1:i) * x(1:i)';\nend"),
    ];
    for (params, results, body) in programs {
        let outcome = compiled(params, results, body);
        let products = outcome.module.funcs[0].body.count(|op| matches!(op, Op::Lib(..)));
        assert_eq!(products, 1, "{body}\n{}", outcome.module);
    }
}

/// Their terms are added in the order of the place, from +0 on, before the passes as behind them.
#[test]
fn products_of_slices_add_up_in_order() {
    let body = "y = zeros(1, numel(x));\nfor i = 1:numel(x)\ny(i) = dot(x(1:i), w(1:i)) + x(i:-1:1) * w(1:i)';\nend";
    let outcome = compiled("x: f64[1,n], w: f64[1,n]", "y", body);
    let n = 70;
    let x: Vec<f64> = (0..n).map(|i| ((i * 37 % 23) as f64 - 11.0) / 7.0 * 10f64.powi(i % 5)).collect();
    let w: Vec<f64> = (0..n).map(|i| ((i * 29 % 31) as f64 - 15.0) / 11.0).collect();
    let wanted: Vec<u64> = (0..x.len())
        .map(|i| {
            let forth = (0..=i).fold(0.0, |sum, k| sum + x[k] * w[k]);
            let back = (0..=i).fold(0.0, |sum, k| sum + x[i - k] * w[k]);
            f64::to_bits(forth + back)
        })
        .collect();
    for module in [&outcome.lowered, &outcome.module] {
        let given = [&x, &w].map(|list| Datum::doubles(&[1, list.len()], list.clone()).unwrap());
        let run = interp::run(module, FuncId::new(0), given.to_vec(), &Options::default(), &mut Vec::new()).unwrap();
        let got: Vec<u64> = run[0].to_doubles().unwrap().into_iter().map(f64::to_bits).collect();
        assert_eq!(got, wanted);
    }
}

/// Slices that reach beyond an array, places that are none, and lengths that differ are the mistakes that they were.
#[test]
fn products_of_slices_are_tested() {
    let cases = [
        ("y(i) = x(1:i+1) * w(1:i+1)';", "out"),
        ("y(i) = x(p(1:i)) * w(1:i)';", "out"),
        ("y(i) = x(p(1:i) / 2) * w(1:i)';", "whole"),
        ("y(i) = x(1:i) * w(1:q(i))';", "the matrix product"),
    ];
    for (stmt, said) in cases {
        let body = format!("y = zeros(1, numel(x));\nfor i = 1:numel(x)\n{stmt}\nend");
        let outcome = compiled("x: f64[1,n], w: f64[1,n], p: f64[1,n], q: f64[1,n]", "y", &body);
        for module in [&outcome.lowered, &outcome.module] {
            let list = |list: [f64; 3]| Datum::doubles(&[1, 3], list.to_vec()).unwrap();
            let given =
                vec![list([1.0, 2.0, 3.0]), list([4.0, 5.0, 6.0]), list([3.0, 5.0, 4.0]), list([1.0, 2.0, 2.0])];
            let run = interp::run(module, FuncId::new(0), given, &Options::default(), &mut Vec::new());
            let message = run.map(|_| ()).unwrap_err().message;
            assert!(message.contains(said), "{stmt} {message}");
        }
    }
}
