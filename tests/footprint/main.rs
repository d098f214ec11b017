//! The access maps of every kernel of the programs against brute force: the elements that the reference interpreter touches.

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod common;
#[path = "../common/footprint.rs"]
mod footprint;
#[path = "../common/reference.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod reference;

use std::path::{Path, PathBuf};

use common::golden::Golden;
use footprint::{Counts, Footprints};
use megha_core::driver::{Job, compile};
use megha_core::interp::{Event, Order};
use ndarray::ArrayViewD;

/// The programs of a folder.
fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "m")).collect();
    files.sort();
    files
}

/// Runs the calls of a program that Octave made.
fn check(path: &Path, golden: &str, wrong: &mut Vec<String>) -> Counts {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let outcome = compile(Job::file(path).unwrap());
    assert!(outcome.is_ok(), "{} does not compile", path.display());
    let mut footprints = Footprints::of(&outcome.module);
    for call in Golden::all_in(golden, &name) {
        let inputs: Vec<ArrayViewD<f64>> = call.inputs().map(|a| a.view()).collect();
        let mut watch = |event: &Event<'_>| footprints.watch(&outcome.module, event);
        // What the program itself comes to is checked elsewhere.
        let _ =
            reference::interpret_watched(&outcome.module, &inputs, Order::Forward, &mut std::io::sink(), &mut watch);
    }
    wrong.extend(footprints.wrong.iter().map(|why| format!("{name}: {why}")));
    footprints.counts
}

fn all(folder: &str, golden: impl Fn(&str) -> &'static str) -> Counts {
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    for path in programs(folder) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        counts += check(&path, golden(&name), &mut wrong);
    }
    assert!(wrong.is_empty(), "{} footprints are wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{folder}: {counts:?}");
    counts
}

#[test]
fn the_gallery() {
    let counts = all("examples/matlab/gallery", |_| "tests/golden/gallery");
    assert!(counts.kernels > 300, "{counts:?}");
}

#[test]
fn the_traps() {
    let counts = all("tests/matlab/traps", |_| "tests/golden/gallery");
    assert!(counts.kernels > 20, "{counts:?}");
}

#[test]
fn the_programs() {
    let gallery = ["capr", "crni", "dich", "edit", "fiff", "nb1d"];
    let folder = |name: &str| if gallery.contains(&name) { "tests/golden/gallery" } else { "tests/golden" };
    let counts = all("examples/matlab", folder);
    assert!(counts.kernels > 100, "{counts:?}");
}
