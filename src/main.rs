//! The command line of Megha.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
