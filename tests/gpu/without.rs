//! The code for devices without some of its optimisations: what is left out is gone from the text, and results are the same.

use std::collections::BTreeMap;
use std::path::Path;

use megha_core::driver::{Job, Outcome, compile, ptx_with};
use megha_core::ir::parse::parse;
use megha_core::ir::verify::verify;
use megha_core::ir::{FuncId, Module};
use megha_core::ptx::{Ptx, generate};
use megha_core::schedule::{Memory, Optimisation, Optimisations, Schedules, Target};
use megha_core::source::SourceMap;

use super::forced::arguments;
use super::model::kernels;
use super::small::check_scheduled;

/// What is made of a module.
struct Made {
    schedules: Schedules,
    ptx: Ptx,
}

impl Made {
    fn with(module: &Module, optimisations: Optimisations) -> Self {
        let schedules = Schedules::with(module, optimisations);
        let ptx = generate(verify(module).unwrap_or_else(|v| panic!("{}", v[0])), &schedules);
        assert_eq!(ptx.refused, []);
        Self { schedules, ptx }
    }

    /// The first kernel's schedules on a device for one order of memory.
    fn texts(&self, memory: Memory) -> String {
        let all = self.schedules.all((FuncId::new(0), 0), Target::Gpu, memory);
        all.iter().map(ToString::to_string).collect()
    }

    fn count(&self, what: &str) -> usize {
        self.ptx.text.matches(what).count()
    }
}

/// A kernel of `tests/gpu/model`.
fn kernel(name: &str) -> Module {
    let case = kernels::all().into_iter().find(|case| case.name == name).expect("a kernel of this name");
    parse(&case.text).unwrap()
}

fn program(text: &str) -> Outcome {
    let mut sources = SourceMap::new();
    let main = sources.add("program.m", text);
    compile(Job::text(sources, main))
}

const HEAT: &str = "
function u = heat(u, steps)
    % megha: fn heat(u: f64[n, m], steps: usize) -> u
    for t = 1:steps
        u(2:end-1,2:end-1) = u(2:end-1,2:end-1) + 0.1 * ((u(1:end-2,2:end-1) + u(3:end,2:end-1)) + (u(2:end-1,1:end-2) + u(2:end-1,3:end)));
    end
end
";
const SOFTMAX: &str = "
function y = softmax(a)
    % megha: fn softmax(a: f64[n, m]) -> y
    e = exp(a - max(a, [], 2));
    y = e ./ sum(e, 2);
end
";
const SINGLES: &str = "
function y = f(x)
    % megha: fn f(x: f32[n, 1]) -> y
    y = exp(x);
end
";
/// An element of each row of a vector that all iterations of the loop read.
const ROWS: &str = "func @f(%a: f64[n, m], %w: f64[n, 1]) -> (c: f64[n, 1]) {
    sym n = dim 0 0, >= 0 sym m = dim 0 1, >= 0
    %c: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
      %i0: index = const 0 %m: index = size m
      %s: f64 = for %m with 1.0 |%j, %t| {
        %x: f64 = load %a[%i, %j] %y: f64 = load %w[%i, %i0] %u: f64 = mul %x, %y %v: f64 = add %t, %u
        yield %v
      }
      put out0[%i, %i0] = %s
    }
    return %c
  }";

/// How often the sign of an optimisation is there.
type Sign = fn(&Made) -> usize;

/// A module in which an optimisation does something, and its sign.
fn sign(of: Optimisation) -> (Module, Sign) {
    let shared: Sign = |made| made.count(".shared ");
    match of {
        Optimisation::Coalescing => {
            (kernel("matrix and row"), |made| made.texts(Memory::RowMajor).matches("thread.x j").count())
        }
        Optimisation::Tiles => (kernel("product, doubles"), |made| {
            Memory::ALL.map(|m| made.texts(m).matches("stage    array").count()).iter().sum()
        }),
        Optimisation::Turned => (kernel("transposition"), shared),
        Optimisation::Halos => (kernel("5 points"), shared),
        Optimisation::Vectors => (kernel("saxpy, singles"), |made| made.count(".v4") + made.count(".v2")),
        Optimisation::Lines => (kernel("matrix and vector"), shared),
        Optimisation::Forms => (kernel("sums of rows"), |made| made.ptx.kernels[0].variants.len()),
        Optimisation::Terms => {
            (kernel("sums of rows"), |made| Memory::ALL.map(|m| made.texts(m).matches("jam").count()).iter().sum())
        }
        Optimisation::OneLaunch => (kernel("sums of rows"), |made| made.count("_finish")),
        Optimisation::Unrolling => {
            (kernel("bodies"), |made| Memory::ALL.map(|m| made.texts(m).matches("unroll").count()).iter().sum())
        }
        Optimisation::Invariant => (parse(ROWS).unwrap(), |made| loads_in_front(&made.ptx.text)),
        Optimisation::Numbering => (kernel("saxpy, doubles"), |made| usize::from(computes_once(&made.ptx.text))),
        Optimisation::LowHalves => (program(SINGLES).module, |made| made.count("shl.b32")),
        Optimisation::Dead => (kernel("product, doubles"), |made| usize::from(all_are_read(&made.ptx.text))),
        Optimisation::Steps => (program(HEAT).module, |made| made.count("_s1")),
        Optimisation::Rows => (program(SOFTMAX).module, |made| made.count("_rows_")),
    }
}

/// The lines of each entry.
fn entries(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.split(".entry ")
        .skip(1)
        .map(|entry| entry.split("\n}").next().unwrap_or(entry).lines().map(str::trim).collect())
}

/// Loads of the first entry that stand in a loop over points and in no other: `$a: .. ld .. $b: .. bra $b; .. bra $a;`.
fn loads_in_front(text: &str) -> usize {
    let lines = entries(text).next().expect("an entry");
    let label = |line: &str| line.strip_suffix(':').filter(|line| line.starts_with('$')).map(str::to_owned);
    let is_head = |at: usize| {
        let jump = |label: String| lines[at..].iter().any(|line| line.ends_with(&format!(" {label};")));
        label(lines[at]).is_some_and(jump)
    };
    let heads: Vec<usize> = (0..lines.len()).filter(|at| is_head(*at)).collect();
    let [points, inner, ..] = heads[..] else { panic!("loops in {text}") };
    lines[points..inner].iter().filter(|line| line.starts_with("ld.global")).count()
}

/// Whether no two instructions of the first entry compute the same from the same.
fn computes_once(text: &str) -> bool {
    let mut seen = Vec::new();
    let pure = |line: &str| ["mul", "add", "mad", "shl", "cvt"].iter().any(|op| line.starts_with(op));
    entries(text).next().expect("an entry").into_iter().filter(|line| pure(line)).all(|line| {
        let (op, of) = line.split_once(' ').unwrap_or((line, ""));
        let computed = (op, of.split_once(", ").map(|(_, operands)| operands));
        let is_new = !seen.contains(&computed);
        seen.push(computed);
        is_new
    })
}

/// Whether each register of each entry is named more than once.
fn all_are_read(text: &str) -> bool {
    entries(text).all(|lines| {
        let mut named: BTreeMap<&str, u32> = BTreeMap::new();
        let code = lines.iter().filter(|line| !line.starts_with('.'));
        let words = code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '%'));
        let is_register = |word: &&str| word.starts_with('%') && word.ends_with(|c: char| c.is_ascii_digit());
        words.filter(is_register).for_each(|word| *named.entry(word).or_default() += 1);
        named.values().all(|count| *count > 1)
    })
}

#[test]
fn what_is_left_out_is_gone() {
    for one in Optimisation::ALL {
        let (module, sign) = sign(one);
        let with = sign(&Made::with(&module, Optimisations::ALL));
        let without = sign(&Made::with(&module, Optimisations::ALL.without(one)));
        assert!(with > 0 && without == 0, "{one}: {with} signs of it, and {without} without it");
    }
}

/// Of entries that run other launches at once the rest stays as it is.
#[test]
fn entries_beside_the_others_leave_these_alone() {
    for (one, text, names) in [(Optimisation::Steps, HEAT, "_s"), (Optimisation::Rows, SOFTMAX, "_rows_")] {
        let module = program(text).module;
        let entries = |made: &Made| {
            let all: Vec<String> = made.ptx.text.split(".visible ").skip(1).map(str::to_owned).collect();
            all.into_iter().filter(|entry| !entry.lines().next().unwrap_or_default().contains(names)).count()
        };
        let made = [Optimisations::ALL, Optimisations::ALL.without(one)].map(|on| Made::with(&module, on));
        assert!(made[0].ptx.text.len() > made[1].ptx.text.len());
        assert_eq!(entries(&made[0]), entries(&made[1]), "{one}");
    }
}

/// Kernels of each kind, in both orders of memory, whole, in parts, among guards and on windows, as the interpreter runs them.
#[test]
fn results_are_the_same() {
    let sets = Optimisation::ALL.map(|one| Optimisations::ALL.without(one));
    let others = [SINGLES, SOFTMAX].map(|text| program(text).module.to_string());
    let texts = kernels::all().into_iter().map(|case| case.text).chain(others).chain([ROWS.to_owned()]);
    let mut changed = [0; Optimisation::ALL.len() + 1];
    for text in texts {
        let module = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let plain = Made::with(&module, Optimisations::ALL).ptx.text;
        for (number, optimisations) in sets.into_iter().chain([Optimisations::NONE]).enumerate() {
            let made = Made::with(&module, optimisations);
            if made.ptx.text == plain {
                continue;
            }
            changed[number] += 1;
            for sizes in [[5, 40, 7], [33, 6, 36]] {
                check_scheduled(&text, &arguments(&module, &sizes), &made.schedules);
            }
        }
    }
    // loops over time are whole programs (`tests/steps`)
    let unchanged = Optimisation::ALL.into_iter().filter(|one| changed[*one as usize] == 0);
    assert_eq!(unchanged.collect::<Vec<_>>(), [Optimisation::Steps], "{changed:?}");
}

/// Whole programs, none of whose kernels is optimised.
#[test]
fn programs_without_any() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/matlab");
    for (name, ran) in [("bscholes", 1), ("fdtd", 6), ("nb3d", 3), ("filter_bank", 1), ("clos", 1)] {
        let outcome = compile(Job::file(&folder.join(format!("{name}.m"))).unwrap());
        let ptx = ptx_with(&outcome, Optimisations::NONE).unwrap_or_else(|| panic!("{name} does not compile"));
        super::check_made(name, "tests/golden", &(outcome, ptx)).judge(ran, 0, 0);
    }
}
