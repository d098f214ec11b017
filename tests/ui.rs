//! Messages as users see them: every program in `tests/ui` fails to compile with the text beside it.
//!
//! `TRYBUILD=overwrite cargo test -p megha --test ui` writes the texts anew.

use std::env;
use std::process::Command;

use megha_core::diag::Code;

/// Kinds that no program here can show: a file of more than 16 MiB, a macro that stands in no file, an operation without code, a mistake of the compiler, a failure of a script that runs,
/// and what the command says of a file that rustc would not read either.
const NOT_SHOWN: [Code; 6] =
    [Code::SourceTooLarge, Code::NoFolder, Code::NoCode, Code::Internal, Code::Failed, Code::UnreadableRust];

#[test]
fn every_kind_of_mistake_is_shown() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui")).unwrap();
    let files = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "stderr"));
    let shown: String = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for code in Code::ALL {
        assert_eq!(shown.contains(&format!("[{code}]")), !NOT_SHOWN.contains(code), "{code} {}", code.title());
    }
}

/// In a process whose settings are those of all crates outside the workspace (`common/outside.rs`), so that `trybuild` finds the compiler built.
#[test]
fn mistakes_are_explained() {
    const SETTING: (&str, &str) = ("CARGO_PROFILE_DEV_DEBUG", "0");
    if env::var(SETTING.0).as_deref() != Ok(SETTING.1) {
        let mut process = Command::new(env::current_exe().unwrap());
        process.args(["--exact", "mistakes_are_explained", "--nocapture"]).env(SETTING.0, SETTING.1);
        assert!(process.status().unwrap().success(), "messages differ");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
