//! Crates outside the workspace, which use Megha by path as a crate of a user does: the compiler is unoptimised in them.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where all of them are built, that of `trybuild` too: what they depend on is built once if it has the same features and settings. It is
/// not where this test was built, so that no build waits for the one that runs the test.
pub fn target() -> PathBuf {
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the folder of the build");
    own.join("tests/trybuild")
}

/// Runs cargo in a crate.
pub fn cargo<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Output {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(folder).env("CARGO_TARGET_DIR", target()).env_remove("RUSTFLAGS");
    command.output().expect("cargo runs")
}
