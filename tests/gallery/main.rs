//! The programs of `examples/matlab/gallery`, in the styles of many authors, and those of `examples/matlab` that
//! `tests/programs` leaves out, and the traps of MATLAB (`tests/matlab/traps`), one to a program: the reference interpreter against GNU Octave, compiled code against the interpreter.

#[path = "../common/mod.rs"]
mod common;
mod compiled;
#[cfg(target_os = "linux")]
mod cuda;
mod device;
#[cfg(target_os = "linux")]
#[path = "../common/driver.rs"]
mod driver;
#[path = "../common/failing.rs"]
mod failing;
mod interpreted;
#[path = "../common/parts.rs"]
mod parting;
mod parts;
mod programs;
#[path = "../common/reference.rs"]
mod reference;
#[path = "../common/swept.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod sweeping;
mod swept;
#[path = "../common/transfers.rs"]
mod transfers;
mod traps;

use std::fs;
use std::path::{Path, PathBuf};

use common::golden::Golden;

/// Programs that do not compile yet, by the diagnostic that says why.
const REFUSED: &[(&str, &[&str])] = &[];

/// The diagnostic with which a program is refused.
fn refused(program: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(_, programs)| programs.contains(&program)).map(|(code, _)| *code)
}

/// All programs that have golden results, by name.
fn all_programs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/gallery");
    let files = fs::read_dir(folder).expect("the golden results can be listed");
    let files = files.map(|file| file.expect("the golden results can be listed").file_name());
    let mut names: Vec<String> = files.filter_map(|file| Some(file.to_str()?.split_once('-')?.0.to_owned())).collect();
    names.sort();
    names.dedup();
    names
}

/// Octave's calls of a program.
fn golden(program: &str) -> Vec<Golden> {
    Golden::all_in("tests/golden/gallery", program)
}

/// The file of a program.
fn path(program: &str) -> PathBuf {
    let folders = ["examples/matlab", "examples/matlab/gallery", "tests/matlab/traps"];
    let files = folders.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(format!("{program}.m")));
    files.into_iter().find(|file| file.exists()).unwrap_or_else(|| panic!("there is no program `{program}`"))
}
