//! What it costs to offer kernels to devices where there is none: the twelve programs of MEGHA's Table 3.1, compiled as users get them and
//! without anything that has to do with devices.
//!
//! ```text
//! cargo bench -p megha --bench offered
//! ```
//! Both forms are written into a crate of their own under `target/offered`, which is built and run. They take turns; times are medians from
//! this one run. The calls are short, so that what a call and a launch cost is not lost in the work.
//!
//! What differs between two builds of the same loops, by their places in memory alone, may be more than what offering costs. So that is
//! also counted: a third form counts how often a call asks whether there is a device, and what one such question and the choice of a device
//! at the beginning of a call take is measured by itself.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use megha_core::driver::{Job, Outcome, compile, rust, rust_without_devices};

/// A program, arrays made by `column`, `matrix` and `text` of [`MAIN`], and the arguments of a call.
const PROGRAMS: [[&str; 3]; 12] = [
    ["bscholes", "let x = column(512);", "&x, &x, &x, &x, &x"],
    ["capr", "", "0.5, 0.25, 1.0, 1.0, 16, 1e-4, 1.2"],
    ["clos", "let x = matrix(48, 48);", "&x"],
    ["crni", "", "1.0, 0.1, 1.0, 65, 33"],
    ["dich", "", "2.0, 1.0, 0.1, 1e-3, 60"],
    ["edit", "let (a, b) = (text(120), text(100));", "&a, &b"],
    ["fdtd", "", "0.1, 0.1, 0.1, 10, 10, 10, 20"],
    ["fiff", "", "1.0, 1.0, 2.0, 64, 128"],
    ["filter_bank", "let (x, taps) = (column(512), matrix(16, 4));", "&x, &taps"],
    ["matmul", "let x = matrix(48, 48);", "&x, &x"],
    ["nb1d", "let x = column(9);", "&x, &x, &x, 0.1, 1.0"],
    ["nb3d", "let (x, mass) = (matrix(32, 3), column(32));", "&x, &x, &mass, 0.05, 0.01, 8"],
];

/// The program that times both forms, without its calls.
const MAIN: &str = r#"
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use megha_rt::ndarray::Array2;

fn matrix(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| 0.25 + ((i * columns + j + 1) as f64 * 0.618_034).fract())
}

fn column(rows: usize) -> Array2<f64> {
    matrix(rows, 1)
}

fn text(length: usize) -> Array2<f64> {
    Array2::from_shape_fn((1, length), |(_, i)| (97 + i * i % 7) as f64)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

static ASKED: AtomicU64 = AtomicU64::new(0);

/// Before each statement of the third form that asks whether there is a device.
pub fn ask() {
    ASKED.fetch_add(1, Relaxed);
}

/// How often a call asks whether there is a device.
fn questions(call: &dyn Fn()) -> u64 {
    ASKED.store(0, Relaxed);
    call();
    ASKED.load(Relaxed)
}

/// Seconds of a question, and of choosing a device, which each call does once.
fn costs() -> [f64; 2] {
    let each = |what: &dyn Fn()| {
        let turns = (0..101).map(|_| {
            let begun = Instant::now();
            (0..10_000).for_each(|_| what());
            begun.elapsed().as_secs_f64() / 1e4
        });
        median(turns.collect())
    };
    let nothing = each(&|| (0..64).for_each(|_| _ = black_box(false))) / 64.0;
    let question = each(&|| (0..64).for_each(|_| _ = black_box(megha_rt::device::active()))) / 64.0;
    let choice = each(&|| _ = black_box(megha_rt::device::current().is_none()));
    [(question - nothing).max(0.0), choice]
}

/// Times two forms that take turns of about a millisecond; each goes first as often as the other.
fn compare(name: &str, costs: [f64; 2], [offered, plain, counted]: [&dyn Fn(); 3]) {
    let seconds = |form: &dyn Fn(), calls: u32| {
        let begun = Instant::now();
        (0..calls).for_each(|_| form());
        begun.elapsed().as_secs_f64() / f64::from(calls)
    };
    let calls = (1e-3 / seconds(plain, 8)).clamp(1.0, 1e6) as u32;
    let mut times = [Vec::new(), Vec::new()];
    for turn in 0..802 {
        let order = if turn % 2 == 0 { [0, 1] } else { [1, 0] };
        for form in order {
            let time = seconds([offered, plain][form], calls);
            if turn > 1 {
                times[form].push(time);
            }
        }
    }
    let [offered, plain] = times.map(median);
    let asked = questions(counted);
    let share = (asked as f64 * costs[0] + costs[1]) / plain;
    let more = 100.0 * (offered / plain - 1.0);
    println!("{name:<12}{:>10.2}{:>10.2}{more:>9.1} %{asked:>10}{:>9.2} %", 1e6 * offered, 1e6 * plain, 100.0 * share);
}
"#;

fn main() {
    let folder = root().join("target/offered");
    write_crate(&folder).expect("the crate can be written");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--release", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", root().join("target"))
        .env("RUSTFLAGS", "-Awarnings")
        // a GPU of this machine is not what is measured
        .env("CUDA_VISIBLE_DEVICES", "")
        .status();
    assert!(status.expect("cargo can be run").success());
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn write_crate(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder.join("src"))?;
    let runtime = root().join("megha-rt").display().to_string();
    let manifest = format!(
        "[package]\nname = \"offered\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nmegha-rt = {{ path = {runtime:?} }}\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let (mut modules, mut calls) = (String::new(), String::new());
    for [name, arrays, arguments] in PROGRAMS {
        let offered = rust(&mut compiled(name), "::megha_rt").expect("code");
        let plain = rust_without_devices(&mut compiled(name), "::megha_rt").expect("code");
        let counted = counted(&offered);
        for (form, code) in [("offered", offered), ("plain", plain), ("counted", counted)] {
            std::fs::write(
                folder.join(format!("src/{form}_{name}.rs")),
                code.replacen("use megha_", "pub use megha_", 1),
            )?;
            let _ = writeln!(modules, "mod {form}_{name};");
        }
        let call = |form: &str| format!("&|| drop(black_box({form}_{name}::{name}({arguments}).unwrap()))");
        let _ = writeln!(
            calls,
            "    {{\n    {arrays}\n    compare({name:?}, costs, [{}, {}, {}]);\n    }}",
            call("offered"),
            call("plain"),
            call("counted")
        );
    }
    let names =
        format!("{:<12}{:>10}{:>10}{:>11}{:>10}{:>11}", "", "offered us", "plain us", "more", "questions", "they take");
    let heading = format!(
        "    let costs = costs();\n    println!(\"{{:.2}} ns a question, {{:.0}} ns a choice\\n{names}\", 1e9 * costs[0], 1e9 * costs[1]);"
    );
    std::fs::write(folder.join("src/main.rs"), format!("{modules}{MAIN}\nfn main() {{\n{heading}\n{calls}}}\n"))
}

/// Code with a count before each statement that asks whether there is a device.
fn counted(code: &str) -> String {
    let asks = |line: &str| {
        let statement = ["///", "pub fn", "fn ", "static "].iter().all(|start| !line.trim_start().starts_with(start));
        statement && (line.contains("rt::device::") || line.contains(".fetch_at"))
    };
    code.lines().map(|line| if asks(line) { format!("crate::ask(); {line}\n") } else { format!("{line}\n") }).collect()
}

fn compiled(name: &str) -> Outcome {
    compile(Job::file(&root().join(format!("examples/matlab/{name}.m"))).expect("the program can be read"))
}
