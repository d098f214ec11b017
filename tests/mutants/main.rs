//! Programs with slips in them: the compiler refuses or compiles them, and neither panics nor runs away; what it compiles
//! means the same before and after the passes. `MEGHA_MUTANTS=first..last` checks others than the usual ones; with
//! `MEGHA_MUTANTS_FOLDER` the code of the accepted ones is written there, for `rustc`.

mod check;
mod mutate;

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use check::{Fate, check};
use mutate::{Dice, mutate};

/// More than any of these programs takes in an unoptimised compiler on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

/// The programs, by name, so that a number means the same mutant everywhere.
fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/matlab");
    let list = |folder: PathBuf| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = list(folder.clone()).chain(list(folder.join("gallery"))).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "m"));
    files.sort();
    files
}

/// The mutants that are checked.
fn numbers() -> std::ops::Range<u64> {
    let asked = env::var("MEGHA_MUTANTS").ok();
    let range = asked.as_deref().and_then(|text| text.split_once(".."));
    range.map_or(0..300, |(first, last)| first.parse().unwrap()..last.parse().unwrap())
}

#[test]
fn slips_are_refused_or_compiled() {
    let (programs, folder) = (programs(), env::var_os("MEGHA_MUTANTS_FOLDER"));
    let (mut wrong, mut accepted) = (String::new(), 0);
    for number in numbers() {
        let mut dice = Dice::new(number);
        let path = &programs[dice.below(programs.len())];
        let name = path.file_name().unwrap().to_string_lossy();
        let text = mutate(&fs::read_to_string(path).unwrap(), &mut dice);
        let start = Instant::now();
        let found = catch_unwind(AssertUnwindSafe(|| check(&name, &text)));
        let complaint = match found {
            Err(_) => Some("it panics".to_owned()),
            Ok(Err(complaint)) => Some(complaint),
            _ if start.elapsed() > LONGEST => Some(format!("it takes {:?}", start.elapsed())),
            Ok(Ok(Fate::Refused)) => None,
            Ok(Ok(Fate::Accepted(code))) => {
                accepted += 1;
                if let Some(folder) = &folder {
                    fs::write(Path::new(folder).join(format!("m{number}.rs")), code).unwrap();
                }
                None
            }
        };
        if let Some(complaint) = complaint {
            let _ = writeln!(wrong, "mutant {number} of {name}: {complaint}\n{text}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(accepted > 0, "no mutant is accepted");
}

/// Texts that the compiler once got wrong. A name says what was wrong with its treatment.
#[test]
fn what_was_found_stays_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants/found");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if let Err(complaint) = check(&path.file_name().unwrap().to_string_lossy(), &text) {
            panic!("{}: {complaint}", path.display());
        }
        count += 1;
    }
    assert!(count > 0);
}
