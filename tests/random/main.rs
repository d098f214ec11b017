//! Random programs: GNU Octave, the reference interpreter before and after the passes, compiled code, and kernels on the simulated
//! device agree.
//!
//! The programs come from numbers (`generate`). All their arithmetic is exact, so results compare with `==`, and so does what
//! they print. Octave's results are in `tests/golden/random.txt`, which `tests/golden/random.m` makes from what the ignored test
//! `write_programs` writes. The usual run has 800 programs, of which 200 are compiled; `MEGHA_RANDOM_SIMULATED=2000
//! MEGHA_RANDOM_PROGRAMS=400` has more.

#[path = "../gpu/device.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod device;

mod call;
mod compiled;
#[path = "../common/footprint.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod footprint;
#[path = "../common/forced.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod forced;
mod generate;
#[path = "../common/outside.rs"]
mod outside;
#[path = "../common/processors.rs"]
mod processors;
mod scheduled;
mod simulated;
mod unnamed;

use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;
use std::{env, fs};

use call::{Ran, SIZES};
use generate::Program;
use megha_core::diag;
use megha_core::driver::{self, Job, Outcome};
use megha_core::source::SourceMap;
use processors::on_all_processors;

/// Programs that Octave has run.
const GOLDEN: usize = 500;
/// Programs that are compiled to Rust, or as many as the variable says.
fn compiled_count() -> usize {
    let count = env::var("MEGHA_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok());
    count.unwrap_or(200)
}
/// The number of the first program that is compiled or runs on the simulated device: 0, or as the variable says.
fn first_seed() -> u64 {
    env::var("MEGHA_RANDOM_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}
/// Programs whose kernels run on the simulated device, or as many as the variable says, at least those of Octave.
fn simulated_count() -> usize {
    let count = env::var("MEGHA_RANDOM_SIMULATED").ok().and_then(|n| n.parse().ok());
    count.unwrap_or(800).max(GOLDEN)
}

/// A program and what came of it.
struct Checked {
    program: Program,
    /// Its calls by the interpreter, before the passes.
    calls: [Ran; 2],
    /// How many kernels ran on the simulated device, or what differs there or after the passes.
    device: Result<usize, String>,
    /// Its Rust code.
    code: Option<String>,
}

impl Checked {
    /// Of `contracted` programs products are rounded with sums.
    fn new(seed: u64, compiled: bool, contracted: bool) -> Result<Self, String> {
        let program = generate::program(seed);
        let mut outcome = compile_program(&program, contracted)?;
        let call = |n| call::interpret(&outcome.lowered, &program, n, &mut |_| {});
        let call = |n| call(n).map_err(|failure| format!("{failure}\n{}", program.text));
        let calls = [call(SIZES[0])?, call(SIZES[1])?];
        let device = simulated::check(&outcome, &program, &calls);
        let code = if compiled { driver::rust(&mut outcome, "::megha_rt") } else { None };
        Ok(Self { program, calls, device, code })
    }
}

/// All programs, compiled and run once for all tests.
fn checked() -> &'static [Checked] {
    static LIST: OnceLock<Result<Vec<Checked>, String>> = OnceLock::new();
    LIST.get_or_init(check_all).as_ref().unwrap_or_else(|why| panic!("{why}"))
}

/// Checks the programs; the complaint about the first that cannot be run.
fn check_all() -> Result<Vec<Checked>, String> {
    let list = on_all_processors(simulated_count().max(compiled_count()), |number| {
        let seed = first_seed() + number as u64;
        let contracted = seed >= GOLDEN as u64 && seed % 2 == 1;
        Checked::new(seed, number < compiled_count(), contracted)
    });
    list.into_iter().collect()
}

/// Compiles a program with the signature that Rust gives it.
fn compile_program(program: &Program, contracted: bool) -> Result<Outcome, String> {
    let contract = if contracted { "% megha: contract\n" } else { "" };
    compile(program, &format!("{contract}% megha: {}", call::signature(program)))
}

/// Compiles a program with what stands behind it.
fn compile(program: &Program, behind: &str) -> Result<Outcome, String> {
    let text = format!("{}{behind}\n", program.text);
    let mut sources = SourceMap::new();
    let main = sources.add(format!("{}.m", program.name), text);
    let outcome = driver::compile(Job::text(sources, main));
    if outcome.is_ok() {
        return Ok(outcome);
    }
    Err(format!("{}\n{}", diag::render_all(&outcome.diags, &outcome.sources, false), program.text))
}

#[test]
fn octave_agrees() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/random.txt");
    let text = fs::read_to_string(path).expect("Octave's results are there");
    let mut expected = text.lines();
    let mut wrong = String::new();
    for Checked { program, calls, .. } in &checked()[..GOLDEN] {
        for (n, ran) in SIZES.iter().zip(calls) {
            let found = format!("{} {n}: {}", program.name, call::line(program, ran));
            let octave = expected.next();
            if octave != Some(&found) {
                let _ = writeln!(wrong, "{found}\n  Octave: {octave:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Numbers of programs: those of `octave_agrees`, or as `MEGHA_RANDOM_SEEDS` says: `1000-5000`.
fn seeds() -> Range<u64> {
    let given = env::var("MEGHA_RANDOM_SEEDS").ok();
    let ends = given.as_deref().and_then(|text| text.split_once('-'));
    let ends = ends.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    ends.map_or(0..GOLDEN as u64, |(first, last)| first..last)
}

/// Writes programs to the folder that `MEGHA_RANDOM` names, for `tests/golden/random.m`.
#[test]
#[ignore = "makes input for Octave, checks nothing"]
fn write_programs() {
    let Some(folder) = env::var_os("MEGHA_RANDOM") else { return };
    for seed in seeds() {
        let program = generate::program(seed);
        let path = Path::new(&folder).join(format!("{}.m", program.name));
        fs::write(path, &program.text).expect("the program can be written");
    }
}

/// The interpreter and the simulated device against what Octave said of programs, in the file that `MEGHA_RANDOM_RESULTS` names: so
/// many more programs than those of `octave_agrees` can be tried.
#[test]
#[ignore = "needs results of Octave"]
fn octave_agrees_on_more() {
    let Some(path) = env::var_os("MEGHA_RANDOM_RESULTS") else { return };
    let text = fs::read_to_string(path).expect("Octave's results are there");
    let mut wrong = String::new();
    for seed in seeds() {
        let checked = match Checked::new(seed, false, false) {
            Ok(checked) => checked,
            Err(why) => {
                let _ = writeln!(wrong, "{why}");
                continue;
            }
        };
        let Checked { program, calls, device, .. } = &checked;
        for (n, ran) in SIZES.iter().zip(calls) {
            let found = format!("{} {n}: {}", program.name, call::line(program, ran));
            let octave = text.lines().find(|line| line.starts_with(&format!("{} {n}: ", program.name)));
            if octave != Some(&found) {
                let _ = writeln!(wrong, "{found}\n  Octave: {octave:?}");
            }
        }
        if let Err(why) = device {
            let _ = writeln!(wrong, "{}: {why}", program.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
