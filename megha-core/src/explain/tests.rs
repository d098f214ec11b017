//! Explanations of the example programs and of single rules, from MATLAB text.

use expect_test::{Expect, expect, expect_file};

use super::{Options, explain};
use crate::ir::{Class, Module, ParamFacts};
use crate::passes::{PassLog, run_passes};
use crate::{diag, lower, matlab, source};

/// A compiled program.
struct Compiled {
    module: Module,
    log: PassLog,
    sources: source::SourceMap,
    spans: lower::SpanTable,
}

impl Compiled {
    /// Compiles the first function of a text. Each parameter is given by its sizes, `n,1`; `f` is a number and `count` a whole one.
    fn of(name: &str, text: &str, params: &[&str]) -> Self {
        let mut sources = source::SourceMap::new();
        let id = sources.add(name, text);
        let mut diags = diag::Diagnostics::new();
        let program = matlab::parse(sources.get(id).unwrap(), &mut diags);
        let scope = lower::Scope::new(&program.functions);
        let mut spans = lower::SpanTable::default();
        let function = &program.functions[0];
        let params = params.iter().map(|p| parameter(p)).collect();
        let spec = lower::EntrySpec { params, results: vec![None; function.outputs.len()] };
        let func = lower::lower_function(
            function,
            &spec,
            &scope,
            &mut lower::Specialisations::after(1),
            &mut spans,
            &mut diags,
        );
        let func = func.unwrap_or_else(|| panic!("{}", diag::render_all(&diags, &sources, false))).func;
        let mut module = Module::of(vec![func]);
        let mut log = PassLog::default();
        run_passes(&mut module, &mut log).unwrap_or_else(|f| panic!("{}: {:?}", f.pass, f.violations));
        Self { module, log, sources, spans }
    }

    fn text(&self, options: Options) -> String {
        let text = explain(&self.module, &self.log, &self.sources, &self.spans, options);
        assert_eq!(text, explain(&self.module, &self.log, &self.sources, &self.spans, options));
        assert_no_inner_names(&text);
        text
    }

    fn full(&self) -> String {
        self.text(Options::default())
    }

    fn brief(&self) -> String {
        self.text(Options { brief: true, bold: false })
    }
}

fn parameter(text: &str) -> lower::ParamSpec {
    let count = text == "count";
    let dims = text.split(',').filter(|_| text.contains(',')).map(|d| match d {
        ":" => lower::DimSpec::Any,
        d => d.parse().map(lower::DimSpec::constant).unwrap_or_else(|_| lower::DimSpec::name(d)),
    });
    let facts = ParamFacts { integer: count, at_least: count.then_some(0), at_most: None };
    lower::ParamSpec { class: Class::Double, dims: dims.collect(), facts }
}

/// Numbers of values, and names that the compiler makes up for sizes: a letter or `max`, `min`, `div` with a number.
fn assert_no_inner_names(text: &str) {
    let source = |line: &&str| !line.contains(" | ");
    for line in text.lines().filter(source) {
        for word in line.split(|c: char| !c.is_alphanumeric() && c != '%' && c != '_') {
            let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
            let front = &word[..word.len() - digits.len()];
            let numbered = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
            assert!(!word.contains('%'), "{line}");
            assert!(!(numbered && ["max", "min", "div", "v"].contains(&front)), "{line}");
        }
    }
}

fn program(name: &str, params: &[&str], kernels: usize) -> String {
    let path = format!("{}/../examples/matlab/{name}.m", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let compiled = Compiled::of(&format!("{name}.m"), &text, params);
    assert_eq!(compiled.brief().matches(": line").count(), kernels, "{}", compiled.brief());
    let text = compiled.full();
    for number in 1..=kernels {
        assert_eq!(text.matches(&format!("kernel {number}: ")).count(), 1, "{text}");
    }
    text
}

#[test]
fn bscholes() {
    let column = "n,1";
    expect_file!["tests/bscholes.txt"].assert_eq(&program("bscholes", &[column; 5], 1));
}

#[test]
fn fdtd() {
    let text = program("fdtd", &["f", "f", "f", "count", "count", "count", "count"], 18);
    expect_file!["tests/fdtd.txt"].assert_eq(&text);
}

#[test]
fn clos() {
    expect_file!["tests/clos.txt"].assert_eq(&program("clos", &["n,n"], 2));
}

#[test]
fn nb3d() {
    let text = program("nb3d", &["n,3", "n,3", "n,1", "f", "f", "count"], 6);
    expect_file!["tests/nb3d.txt"].assert_eq(&text);
}

#[test]
fn filter_bank() {
    expect_file!["tests/filter_bank.txt"].assert_eq(&program("filter_bank", &["n,1", "k,f"], 1));
}

#[test]
fn matmul() {
    expect_file!["tests/matmul.txt"].assert_eq(&program("matmul", &["m,k", "k,n"], 1));
}

fn check(text: &str, params: &[&str], expected: Expect) {
    expected.assert_eq(&Compiled::of("f.m", text, params).full());
}

/// MEGHA, sections 3.2.1.4 and 3.2.2: the index array `2:Nz+1` disappears; the loop with all consecutive references is innermost on the CPU
/// and outermost on the GPU. The thesis stores three-dimensional arrays as stacked rows, so there it is the loop j; with
/// columns first it is i, and with rows first k.
#[test]
fn the_example_of_the_thesis() {
    let text = "function t = f(Ey, Nz)\nt = Ey(:,:,2:Nz+1);\nend\n";
    check(
        text,
        &["Sx,Sy,m", "count"],
        expect![[r#"
            f  (f.m)

              takes    Ey  Sx by Sy by m
                       Nz  whole number, 0 or more
              returns  t  Sx by Sy by Nz

            Below, i, j, k, ... are the loops of a kernel: along its first, second, third, ... size.

            line 2: tested once, before what follows: it is an error if a subscript is out of bounds, in `Ey(:,:,2:Nz+1)`

            kernel 1: all of t, Sx by Sy by Nz points
                  2 | t = Ey(:,:,2:Nz+1);
              reads    Ey
              writes   t (new)
              saves    the index array 2:Nz+1 (computed point by point)
              loops    k, j, i on the CPU (outermost first): along i, 2 of 2 accesses step to the next element in memory
                       i, j, k if arrays are stored by rows: along k, 2 of 2 accesses step to the next element in memory
                       i, k, j on the GPU: neighbouring threads take neighbouring i
              costs    per point 8 bytes read, 8 written, 0 operations; about 2 registers
        "#]],
    );
}

#[test]
fn a_chain_of_temporaries_and_a_reduction() {
    let text =
        "function [y, s] = f(x)\nt = x + 1;\nu = t .* t;\ny = u - x;\ns = sum(y);\nz = y / s;\ny = z + s;\nend\n";
    check(
        text,
        &["n,1"],
        expect![[r#"
            f  (f.m)

              takes    x  n by 1
              returns  y  n by 1
                       s  number

            kernel 1: n points
                  2 | t = x + 1;
                  3 | u = t .* t;
                  4 | y = u - x;
                  5 | s = sum(y);
              reads    x
              writes   s (sum along all points)
              saves    memory for 2 intermediate arrays: t and u
              costs    per point 8 bytes read, 0 written, 4 operations; about 2 registers

            kernel 2: all of y, n points
                  2 | t = x + 1;
                  3 | u = t .* t;
                  4 | y = u - x;
                  6 | z = y / s;
                  7 | y = z + s;
              reads    x
              writes   y (new)
              saves    memory for 1 intermediate array: z
              costs    per point 8 bytes read, 8 written, 5 operations (of which 1 division); about 3 registers

            Kernels that share arrays and stay apart
              kernels 1 and 2: s is complete only when every point has been added
        "#]],
    );
}

#[test]
fn undeclared_sizes_are_asked_of_the_array() {
    check(
        "function y = f(x)\ny = x(2:end, :) + 1;\nend\n",
        &[":,:"],
        expect![[r#"
        f  (f.m)

          takes    x  size(x,1) by size(x,2)
          returns  y  size(x,1)-1 by size(x,2)

        Below, i, j, k, ... are the loops of a kernel: along its first, second, third, ... size.

        kernel 1: all of y, size(x,1)-1 by size(x,2) points
              2 | y = x(2:end, :) + 1;
          reads    x
          writes   y (new)
          saves    memory for 1 intermediate array
                   the index array 2:end (computed point by point)
          loops    j, i on the CPU (outermost first): along i, 2 of 2 accesses step to the next element in memory
                   i, j if arrays are stored by rows: along j, 2 of 2 accesses step to the next element in memory
                   i, j on the GPU: neighbouring threads take neighbouring i
          costs    per point 8 bytes read, 8 written, 1 operation; about 3 registers

        A size such as n-1 stands for 0 where it would be negative.
    "#]],
    );
}

#[test]
fn headings_can_be_bold_and_brief_is_one_line_for_each_kernel() {
    let compiled = Compiled::of("f.m", "function y = f(x)\ny = sqrt(abs(x)) + 1;\nend\n", &["n,1"]);
    let bold = compiled.text(Options { brief: true, bold: true });
    assert_eq!(bold.replace("\x1b[1m", "").replace("\x1b[0m", ""), compiled.brief());
    expect![[r#"
        f  (f.m)
        kernel 1: line 2: all of y, n points; per point 8 bytes read, 8 written, 3 operations (of which 1 sqrt)
    "#]]
    .assert_eq(&compiled.brief());
}

/// Variables of the functions that `std`, `conv` and `median` are made of are none of the program's, whatever they are called there.
#[test]
fn calls_of_the_prelude_are_named_by_the_call() {
    let text = "function [s, m, c] = f(x, y)\ns = std(x);\nm = median(y);\nc = conv(y, y);\nfor k = 1:3\n  c = cumsum(c) / norm(c, 3);\nend\nend\n";
    let compiled = Compiled::of("f.m", text, &[":,:", "n,1"]);
    let dotted: Vec<&str> = compiled.module.funcs[0].names.iter().flatten().map(String::as_str).collect();
    for inner in ["std.d", "conv.s"] {
        assert!(dotted.contains(&inner), "{dotted:?}");
    }
    expect_file!["tests/prelude.txt"].assert_eq(&compiled.full());
}

#[test]
fn why_kernels_stay_apart() {
    let text = "function [z, w] = f(x)\ny = x + 1;\nz = y .* y(end:-1:1);\nw = y(2:end) - y(1:end-1);\nend\n";
    check(
        text,
        &["n,1"],
        expect![[r#"
            f  (f.m)

              takes    x  n by 1
              returns  z  n by 1
                       w  n-1 by 1

            kernel 1: all of y, n points
                  2 | y = x + 1;
              reads    x
              writes   y (new)
              costs    per point 8 bytes read, 8 written, 1 operation; about 2 registers

            kernel 2: all of z, n points
                  3 | z = y .* y(end:-1:1);
              reads    y (2 elements)
              writes   z (new)
              saves    memory for 1 intermediate array
                       the index array end:-1:1 (computed point by point)
              costs    per point 16 bytes read, 8 written, 1 operation; about 3 registers

            kernel 3: all of w, n-1 points
                  4 | w = y(2:end) - y(1:end-1);
              reads    y (2 elements)
              writes   w (new)
              saves    memory for 2 intermediate arrays
                       the index arrays 2:end and 1:end-1 (computed point by point)
              costs    per point 16 bytes read, 8 written, 1 operation; about 4 registers

            Kernels that share arrays and stay apart
              because they run over different numbers of points: 1 from 3, 2 from 3
              kernels 1 and 2: a point of the second needs elements of y from other points of the first

            A size such as n-1 stands for 0 where it would be negative.
        "#]],
    );
}

/// Each loop says what became of it: what the next iteration needs from the one before, or that it is parallel.
#[test]
fn loops_say_what_keeps_them_in_order() {
    let text = "function [s, x, y] = loops(a, n)
s = 0;
for i = 1:n
  s = s + a(i) * a(i);
end
x = zeros(n, 1);
for i = 2:n
  x(i) = x(i-1) + a(i);
end
y = zeros(n, n);
for i = 1:n
  for j = 2:n
    y(i, j) = y(i, j-1) + a(i) * a(j);
  end
end
while s > 1
  s = sqrt(s);
end
for i = 1:n
  if a(i) > 3
    disp(a(i));
  end
end
t = 0;
for i = 1:n
  t = t + a(i);
  if t > 9
    break
  end
end
s = s + t;
end";
    let compiled = Compiled::of("loops.m", text, &["n,1", "count"]);
    let page = compiled.full();
    let said: Vec<&str> = page.lines().map(str::trim).filter(|l| l.contains("because ")).collect();
    expect![[r#"
        [
            "because each iteration goes on from the s of the one before",
            "because iteration i writes x(i), iteration i + 1 reads it: distance 1",
            "for j = 2:n: in order inside each point, because iteration j writes y(i, j), iteration j + 1 reads",
            "because each iteration decides whether there is another",
            "because it prints",
            "because each iteration goes on from the t of the one before, which may also be the last",
        ]
    "#]]
    .assert_debug_eq(&said);
}

/// Which loops over time run band by band, and why others do not.
#[test]
fn loops_over_time_say_how_they_run() {
    let loops = |text: &str, params: &[&str]| {
        let compiled = Compiled::of("f.m", text, params);
        let table = crate::schedule::Schedules::of(&compiled.module);
        let text = super::schedules(&compiled.module, &table, &compiled.sources, &compiled.spans);
        text.lines().skip_while(|line| !line.starts_with("loop")).map(|line| format!("{line}\n")).collect::<String>()
    };
    let heat = "function u = f(u, t)
      for k = 1:t
        u(2:end-1,2:end-1) = u(1:end-2,2:end-1) + u(3:end,2:end-1) - u(2:end-1,1:end-2) + u(2:end-1,3:end);
      end
    end";
    expect![[r#"
        loop in line 2 of f
          columns first: in bands, each step 1 behind the one before
          rows first: in bands, each step 1 behind the one before
    "#]]
    .assert_eq(&loops(heat, &["n,m", "f"]));
    let behind = "function [a, b] = f(a, b, t)
      for k = 1:t
        a(:,1:end-1) = 0.5 * a(:,1:end-1) + b(:,2:end);
        b(:,1:end-2) = 0.5 * b(:,1:end-2) + a(:,3:end);
      end
    end";
    expect![[r#"
        loop in line 2 of f
          columns first: in bands, each step 3 behind the one before; in a step kernel 2 by 2
          rows first: in bands, which go through all steps apart
    "#]]
    .assert_eq(&loops(behind, &["n,m", "n,m", "f"]));
    let edge = "function u = f(u, t)
      for k = 1:t
        u(:,1) = u(:,2);
        u(2:end-1,2:end-1) = u(1:end-2,2:end-1) + u(2:end-1,3:end);
      end
    end";
    expect![[r#"
        loop in line 2 of f
          columns first: not in bands, because a step makes states of an array other than by one kernel
          rows first: not in bands, because a step makes states of an array other than by one kernel
    "#]]
    .assert_eq(&loops(edge, &["n,m", "f"]));
    let turned = "function u = f(u, t)
      for k = 1:t
        u = u + 0.5 * u(:, end:-1:1);
        s = sum(u(:));
        u(1) = s;
      end
    end";
    expect![[r#"
        loop in line 2 of f
          columns first: not in bands, because kernel 2 combines elements
          rows first: not in bands, because kernel 2 combines elements
    "#]]
    .assert_eq(&loops(turned, &["n,m", "f"]));
    let moving = "function u = f(u)
      for k = 2:size(u, 2)
        u(:, k) = u(:, k) + u(:, k - 1);
        u(1, k) = 0;
      end
    end";
    expect![[r#"
        loop in line 2 of f
          columns first: not in bands, because it does more than launch kernels and compute numbers
          rows first: not in bands, because it does more than launch kernels and compute numbers
    "#]]
    .assert_eq(&loops(moving, &["n,m"]));
}

/// Which launches run strip by strip.
#[test]
fn launches_that_share_rows_say_so() {
    let strips = |text: &str, params: &[&str]| {
        let compiled = Compiled::of("f.m", text, params);
        let table = crate::schedule::Schedules::of(&compiled.module);
        let text = super::schedules(&compiled.module, &table, &compiled.sources, &compiled.spans);
        text.lines().filter(|line| line.starts_with("kernels ")).map(str::to_owned).collect::<Vec<_>>().join("; ")
    };
    let of = |body: &str| strips(&format!("function y = f(a, b)\n{body}\nend"), &["n,m", "n,m"]);
    assert_eq!(of("d = a - mean(a, 2); y = d ./ sqrt(mean(d .* d, 2));"), "kernels 1, 2, 3, 4, 5 of f");
    // Along the other dimension too.
    assert_eq!(of("e = exp(a - max(a, [], 1)); y = e ./ sum(e, 1);"), "kernels 1, 2, 3 of f");
    // Sums of columns are complete only when all rows are.
    assert_eq!(of("y = (a - sum(a, 2)) ./ sum(b, 1);"), "");
    assert_eq!(of("d = a - sum(a, 2); y = d - sum(d, 1);"), "kernels 2, 3 of f");
    // The row behind is that of another strip.
    assert_eq!(of("s = sum(a, 2); y = a .* s([2:end 1]);"), "");
    // A number that is read from what the first makes.
    assert_eq!(
        of("d = a - sum(a, 2); t = 2 * d(1); e = d .* b; y = t * e - max(e, [], 2);"),
        "kernels 1, 2 of f; kernels 3, 4 of f"
    );
    // Results that share no large array gain nothing.
    assert_eq!(of("s = sum(a, 2); y = s .* sum(s);"), "");
    // A number that all rows are made of.
    assert_eq!(of("s = sum(a(:)); d = a ./ s; y = d - max(d, [], 2);"), "kernels 2, 3 of f");
}

/// Loops of which several iterations go together say it, and what an iteration does is said once.
#[test]
fn iterations_that_go_together_say_so() {
    let sweep = "function a = f(a)
    [n, m] = size(a);
    for i = 2:n-1
      for j = 2:m-1
        a(i, j) = (a(i-1, j) + a(i, j-1) + a(i, j+1) + a(i+1, j)) / 4;
      end
    end
    end";
    let solve = "function x = f(l, x)
    for i = 1:numel(x)
      for j = 1:i-1
        x(i) = x(i) - l(i, j) * x(j);
      end
      x(i) = x(i) / l(i, i);
    end
    end";
    for (text, params, how) in [
        (
            sweep,
            &["n,m"][..],
            "6 iterations together, each an iteration of the loop in it behind the one before, in strips of that loop, which run on several threads",
        ),
        (solve, &["n,n", "n,1"], "8 iterations together"),
    ] {
        let said = Compiled::of("f.m", text, params).full();
        let headings: Vec<&str> = said.lines().filter(|line| line.trim_start().starts_with("for i")).collect();
        let [heading] = headings[..] else { panic!("{said}") };
        assert!(heading.ends_with(&format!(": in order, {how}")), "{said}");
        assert_eq!(said.matches("for j").count(), 1, "{said}");
    }
}
