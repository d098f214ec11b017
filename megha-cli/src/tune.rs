//! `megha tune`: lets a program measure which entries of its kernels are the fastest on this machine's device, and writes that to a file that can be shipped.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::End;
use crate::output::{say, tell};

/// Runs a command whose programs write what they find to `out`.
pub fn tune(out: &Path, command: &[OsString]) -> End {
    let [program, arguments @ ..] = command else { return End::Refused("there is no command to run".into()) };
    // The program may have another working directory.
    let out: PathBuf = match std::path::absolute(out) {
        Ok(out) => out,
        Err(error) => return End::Refused(format!("{}: {error}", out.display())),
    };
    let before = std::fs::read_to_string(&out).unwrap_or_default();
    match Command::new(program).args(arguments).env("MEGHA_TUNE", &out).status() {
        Err(error) => return End::Refused(format!("cannot run {}: {error}", program.display())),
        Ok(status) if !status.success() => {
            tell(format_args!("megha: {} ended with {status}\n", program.display()));
            return End::Mistakes;
        }
        Ok(_) => {}
    }
    let after = std::fs::read_to_string(&out).unwrap_or_default();
    if after == before {
        tell(format_args!(
            "megha: nothing was found: no kernel with several entries ran on a device some twenty times with about the same sizes, or all were measured before\n"
        ));
        return End::Mistakes;
    }
    say(format_args!(
        "{0}\n\nPrograms that find MEGHA_TUNED={0} in their environment begin with what is in it.\n",
        out.display()
    ));
    End::Well
}
