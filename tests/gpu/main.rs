//! The PTX of every kernel on the simulated device, held against the reference interpreter bit by bit, in both memory orders.

mod ahead;
#[path = "../common/forced.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod at_random;
#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod common;
mod cost;
mod device;
mod forced;
mod forms;
mod halos;
mod invariant;
mod lines;
mod model;
mod neighbours;
mod nests;
#[path = "../common/processors.rs"]
mod processors;
mod reductions;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;
mod scans;
mod schedules;
mod small;
mod tiles;
mod turned;
mod without;
mod worth;

use std::path::{Path, PathBuf};

use common::golden::Golden;
use megha_core::driver::{Job, Outcome, compile, ptx};
use megha_core::interp::{Event, Order};
use megha_core::ptx::Ptx;
use ndarray::ArrayViewD;

/// How often each kernel is run for a call of its program.
const RUNS: usize = 2;
/// Most iterations of a kernel that are simulated.
const MOST_POINTS: i64 = 30_000;

/// The programs of a folder.
fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "m")).collect();
    files.sort();
    files
}

fn compiled(path: &Path) -> (Outcome, Ptx) {
    let outcome = compile(Job::file(path).unwrap());
    let ptx = ptx(&outcome).unwrap_or_else(|| panic!("{} does not compile", path.display()));
    assert_eq!(ptx.refused, [], "{}", path.display());
    (outcome, ptx)
}

/// What became of a program's kernels.
struct Checked {
    /// How many ran.
    ran: usize,
    /// How many of their arrays were windows.
    windows: device::Counts,
    /// What went wrong.
    wrong: Vec<String>,
}

impl Checked {
    /// That of several programs.
    fn all(programs: impl Iterator<Item = Checked>) -> Checked {
        programs.reduce(Checked::and).unwrap()
    }

    fn and(mut self, other: Checked) -> Checked {
        self.ran += other.ran;
        self.windows.windows += other.windows.windows;
        self.windows.results += other.windows.results;
        self.wrong.extend(other.wrong);
        self
    }

    /// At least so many kernels ran, on so many windows, of which so many are results, and all made what they should.
    fn judge(self, ran: usize, windows: usize, results: usize) {
        assert!(self.wrong.is_empty(), "{} kernels are wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert!(self.ran >= ran, "{} kernels ran", self.ran);
        assert!(self.windows.windows >= windows && self.windows.results >= results, "{:?}", self.windows);
    }
}

/// Runs the calls of a program that Octave made.
fn check(path: &Path, folder: &str) -> Checked {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    check_made(&name, folder, &compiled(path))
}

/// The same with this PTX.
fn check_made(name: &str, folder: &str, (outcome, ptx): &(Outcome, Ptx)) -> Checked {
    let device = device::Simulated::new(ptx);
    let (mut ran, mut wrong) = (0, Vec::new());
    for call in Golden::all_in(folder, name) {
        let inputs: Vec<ArrayViewD<f64>> = call.inputs().map(|a| a.view()).collect();
        let mut runs = vec![0; device.kernels()];
        let mut watch = |event: &Event<'_>| {
            let Event::Kernel(run) = event else { return };
            let plan = device.plan(&outcome.module, run);
            let count = &mut runs[plan];
            let points = run.kernel.domain.iter().map(|d| (run.size)(d).unwrap_or(0)).product::<i64>();
            if *count == RUNS || points > MOST_POINTS {
                return;
            }
            *count += 1;
            ran += 1;
            wrong.extend(device.compare(plan, run).err().map(|why| format!("{}: {why}", call.name)));
        };
        // What the program itself comes to is checked elsewhere.
        let _ =
            reference::interpret_watched(&outcome.module, &inputs, Order::Forward, &mut std::io::sink(), &mut watch);
    }
    Checked { ran, windows: device.windows(), wrong }
}

fn all(folder: &str, golden: &str) -> Checked {
    Checked::all(programs(folder).iter().map(|path| check(path, golden)))
}

#[test]
fn the_gallery() {
    all("examples/matlab/gallery", "tests/golden/gallery").judge(301, 900, 500);
}

#[test]
fn the_traps() {
    all("tests/matlab/traps", "tests/golden/gallery").judge(21, 200, 100);
}

#[test]
fn the_programs() {
    let programs = programs("examples/matlab").into_iter().map(|path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let gallery = ["capr", "crni", "dich", "edit", "fiff", "nb1d"].contains(&name.as_str());
        check(&path, if gallery { "tests/golden/gallery" } else { "tests/golden" })
    });
    Checked::all(programs).judge(101, 400, 180);
}
