//! Messages as users see them: every program in `ui` fails to compile with the text beside it.
//!
//! `TRYBUILD=overwrite cargo test -p megha-messages` writes the texts anew.

use std::env;
use std::process::Command;

/// In a process whose settings are those of all crates outside the workspace (`common/outside.rs` of the facade's tests), so that `trybuild` finds the compiler built.
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
