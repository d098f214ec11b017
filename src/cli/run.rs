//! `megha run`: scripts in the reference interpreter.

use std::path::Path;

use super::End;

/// Runs a script.
pub fn run(path: &Path) -> End {
    End::Refused(format!("`{}` cannot be run: the interpreter is not part of this build", path.display()))
}
