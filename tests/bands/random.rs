//! Random stencils in one to three dimensions: step by step they make what the interpreter makes, and in bands the same. They are compiled in a
//! crate outside the workspace.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use megha_base::cuts::Cuts;
use megha_core::diag;
use megha_core::driver::{self, Job, Outcome, compile};
use megha_core::interp::Order;
use megha_core::source::SourceMap;
use ndarray::ArrayD;

use super::fields::{digest, filled};
use super::outside;
use super::reference::{array, interpret};

/// How many programs, or as many as the variable says.
fn count() -> u64 {
    env::var("MEGHA_BANDS").ok().and_then(|n| n.parse().ok()).unwrap_or(24)
}

/// Steps of the calls.
const STEPS: [usize; 4] = [0, 1, 2, 7];

/// What the crate needs besides the programs.
const SHOW: &str = r#"#![allow(warnings)]
mod fields;
use fields::{digest, filled};
use megha_rt::bands;
use megha_rt::ndarray::ArrayD;

/// The digest of a call step by step, which all calls in bands must have too, and how many launches ran in bands.
fn check(name: &str, call: &(dyn Fn() -> Vec<ArrayD<f64>> + Sync)) {
    let wanted = digest(&call());
    let mut launches = 0;
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (width, height) in [(1, 1), (2, 2), (3, 1), (1, 4), (5, 3), (40, 40)] {
            let shape = bands::Shape { width, height, inside: height % 2 == 0 };
            let (got, [noted, _]) = pool.install(|| bands::within(shape, || digest(&call())));
            assert_eq!(got, wanted, "{name}: {shape:?} {threads}");
            launches += noted;
        }
    }
    println!("{name} {wanted:x} {launches}");
}
"#;

/// A program that updates some fields in a loop over time.
struct Stencil {
    name: String,
    text: String,
    fields: u64,
    rank: usize,
}

impl Stencil {
    fn new(seed: u64) -> Self {
        let mut cuts = Cuts::new(seed);
        let (rank, fields) = (1 + cuts.below(3) as usize, 1 + cuts.below(3));
        let name = format!("stencil{seed}");
        let names: Vec<String> = (0..fields).map(|field| format!("f{field}")).collect();
        let mut body = String::new();
        for _ in 0..=cuts.below(3) {
            let _ = writeln!(body, "    {}", statement(&mut cuts, rank, fields));
        }
        // Such a loop does not run in bands.
        if seed % 4 == 3 {
            let _ = writeln!(body, "    {}", staggered(&mut cuts, rank, 0));
        }
        let dims = ["n, 1", "n, m", "n, m, k"][rank - 1];
        let typed: Vec<String> = names.iter().map(|name| format!("{name}: f64[{dims}]")).collect();
        let list = names.join(", ");
        let text = format!(
            "function [{list}] = {name}({list}, steps)\n  for t = 1:steps\n{body}  end\nend\n\
             % megha: pub fn {name}({}, steps: f64) -> ({list})\n",
            typed.join(", ")
        );
        Self { name, text, fields, rank }
    }

    fn shapes(&self) -> Vec<Vec<usize>> {
        let all: [&[usize]; 3] = [&[9, 6, 5], &[6, 11, 7], &[2, 3, 2]];
        all.map(|shape| shape[..self.rank].to_vec()).into()
    }

    fn compiled(&self) -> Outcome {
        let mut sources = SourceMap::new();
        let main = sources.add(format!("{}.m", self.name), self.text.clone());
        let outcome = compile(Job::text(sources, main));
        assert!(outcome.is_ok(), "{}\n{}", diag::render_all(&outcome.diags, &outcome.sources, false), self.text);
        outcome
    }

    /// The fields as the program takes them.
    fn arguments(&self, shape: &[usize]) -> Vec<ArrayD<f64>> {
        let shape = if self.rank == 1 { vec![shape[0], 1] } else { shape.to_vec() };
        (0..self.fields).map(|field| filled(&shape, field, false)).collect()
    }

    /// What the interpreter makes.
    fn interpreted(&self, outcome: &Outcome, shape: &[usize], steps: usize) -> u64 {
        let mut arguments = self.arguments(shape);
        let rank = arguments[0].ndim();
        arguments.push(ArrayD::from_elem(vec![1, 1], steps as f64));
        let views: Vec<_> = arguments.iter().map(|a| a.view()).collect();
        let results = interpret(&outcome.lowered, &views, Order::default(), &mut std::io::sink());
        let results = results.unwrap_or_else(|failure| panic!("{failure}\n{}", self.text));
        digest(&results.iter().map(|datum| array(datum, rank)).collect::<Vec<_>>())
    }

    /// The calls in the crate.
    fn calls(&self) -> String {
        let name = &self.name;
        let (rank, shaped) = (self.rank.max(2), if self.rank == 1 { "[n, 1]" } else { "shape" });
        let mut calls = String::new();
        for shape in self.shapes() {
            for (steps, rows_first) in STEPS.into_iter().flat_map(|steps| [(steps, false), (steps, true)]) {
                let (n, list) = (shape[0], format!("{shape:?}"));
                let fields: Vec<String> = (0..self.fields)
                    .map(|field| format!("filled(&{shaped}, {field}, {rows_first}).into_dimensionality::<megha_rt::ndarray::Ix{rank}>().unwrap()"))
                    .collect();
                let names: Vec<String> = (0..self.fields).map(|field| format!("r{field}")).collect();
                let pattern = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
                let dynamic: Vec<String> = names.iter().map(|name| format!("{name}.into_dyn()")).collect();
                let given: Vec<String> = (0..self.fields).map(|field| format!("given.{field}.view()")).collect();
                let _ = writeln!(
                    calls,
                    "    {{ let (n, shape) = ({n}, {list}); let given = ({},);\n      check(\"{name} {list} {steps}\", &|| {{\n\
                     let {pattern} = {name}::{name}({}, {steps}.0).unwrap(); vec![{}] }}); }}",
                    fields.join(", "),
                    given.join(", "),
                    dynamic.join(", ")
                );
            }
        }
        calls
    }
}

/// Subscripts of all points but some at the edges, moved by these distances.
fn inside(margins: &[(i64, i64)], by: &[i64]) -> String {
    let range = |((low, high), by): (&(i64, i64), &i64)| match (1 + low + by, high - by) {
        (1, 0) => ":".to_owned(),
        (first, 0) => format!("{first}:end"),
        (first, rest) => format!("{first}:end-{rest}"),
    };
    margins.iter().zip(by).map(range).collect::<Vec<_>>().join(", ")
}

fn statement(cuts: &mut Cuts, rank: usize, fields: u64) -> String {
    let to = cuts.below(fields);
    let mut margins: Vec<(i64, i64)> = (0..rank).map(|_| (cuts.below(3) as i64, cuts.below(3) as i64)).collect();
    let other = |cuts: &mut Cuts, margins: &[(i64, i64)]| {
        let by: Vec<i64> = margins.iter().map(|(low, high)| cuts.below((low + high + 1) as u64) as i64 - low).collect();
        format!("f{}({})", cuts.below(fields), inside(margins, &by))
    };
    let own = |margins: &[(i64, i64)]| inside(margins, &vec![0; rank]);
    match cuts.below(8) {
        // All points, each by itself.
        0 => format!("f{to} = 0.5 * f{to} - 0.25 * f{} + 0.01 * t;", cuts.below(fields)),
        // An edge.
        1 if rank > 1 => {
            let axis = cuts.below(rank as u64) as usize;
            let at =
                |place: &str| (0..rank).map(|d| if d == axis { place } else { ":" }).collect::<Vec<_>>().join(", ");
            let (edge, next) = if cuts.below(2) == 0 { ("1", "2") } else { ("end", "end-1") };
            format!("f{to}({}) = 0.5 * f{to}({});", at(edge), at(next))
        }
        2 => {
            margins.fill((1, 1));
            let a = other(cuts, &margins);
            format!("f{to}({}) = 0.5 * {a};", own(&margins))
        }
        terms => {
            let sum = (0..2 + terms % 3).map(|_| format!("0.2 * {}", other(cuts, &margins))).collect::<Vec<_>>();
            format!("f{to}({}) = 0.3 * f{to}({}) + {};", own(&margins), own(&margins), sum.join(" - "))
        }
    }
}

/// An update of points that lie elsewhere in every other step: along one of the dimensions, or as the colours of a board do.
fn staggered(cuts: &mut Cuts, rank: usize, to: u64) -> String {
    let moved = cuts.below(rank as u64) as usize;
    let at = |by: &[i64]| {
        let subs = by.iter().enumerate().map(|(d, by)| format!("i{d}{by:+}{}", if d == moved { "+p" } else { "" }));
        subs.collect::<Vec<_>>().join(", ")
    };
    let terms: Vec<String> = (0..2)
        .map(|_| {
            let by: Vec<i64> = (0..rank).map(|_| cuts.below(3) as i64 - 1).collect();
            format!("0.3 * f{to}({})", at(&by))
        })
        .collect();
    let board = rank > 1 && cuts.below(2) == 0;
    let open = (0..rank).rev().map(|d| {
        let first = if board && d == 0 { "2+mod(i1+t, 2):2" } else { "2" };
        format!("for i{d} = {first}:size(f{to}, {})-2, ", d + 1)
    });
    let open: Vec<String> = open.collect();
    let store = format!("g({}) = {};", at(&vec![0; rank]), terms.join(" - "));
    format!("p = mod(t, 2); g = f{to}; {}{store} {}f{to} = g;", open.concat(), "end, ".repeat(rank))
}

#[test]
fn random_stencils_in_bands_equal_the_interpreter() {
    let folder = env::temp_dir().join(format!("megha-bands-{}", std::process::id()));
    fs::create_dir_all(folder.join("src")).unwrap();
    let fields = include_str!("fields.rs").replace("use ndarray", "use megha_rt::ndarray");
    fs::write(folder.join("src/fields.rs"), fields).unwrap();
    let (mut main, mut calls) = (SHOW.to_owned(), String::new());
    let mut expected = Vec::new();
    for seed in 0..count() {
        let stencil = Stencil::new(seed);
        let mut outcome = stencil.compiled();
        let code = driver::rust(&mut outcome, "::megha_rt").expect("code for a program without mistakes");
        fs::write(folder.join(format!("src/{}.rs", stencil.name)), code).unwrap();
        let _ = writeln!(main, "mod {};", stencil.name);
        calls += &stencil.calls();
        for shape in stencil.shapes() {
            for steps in STEPS {
                let line =
                    format!("{} {shape:?} {steps} {:x}", stencil.name, stencil.interpreted(&outcome, &shape, steps));
                expected.extend([line.clone(), line].map(|line| (line, stencil.text.clone())));
            }
        }
    }
    fs::write(folder.join("src/main.rs"), format!("{main}fn main() {{\n{calls}}}\n")).unwrap();
    let printed = run(&folder);
    fs::remove_dir_all(&folder).unwrap();
    let (mut launches, mut calls) = (0, 0);
    assert_eq!(printed.lines().count(), expected.len());
    for (line, (wanted, text)) in printed.lines().zip(&expected) {
        let (found, noted) = line.rsplit_once(' ').unwrap();
        assert_eq!(found, wanted, "\n{text}");
        calls += u32::from(!found.contains("] 0 "));
        launches += u32::from(noted != "0");
    }
    // A quarter is staggered.
    assert!(launches * 3 > calls, "{launches} of {calls} calls in bands");
}

/// What the crate prints.
fn run(folder: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!(
        "[package]\nname = \"bands\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nrayon = \"1\"\n\
         megha-rt = {{ path = {:?}, default-features = false, features = [\"cuda\", \"fourier\"] }}\n\n[profile.dev]\nopt-level = 0\ndebug = 0\nincremental = false\n",
        root.join("megha-rt").display().to_string()
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let output = outside::cargo(folder, ["run", "--quiet"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
