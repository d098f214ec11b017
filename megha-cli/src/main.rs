//! The command `megha`: what its subcommands take and what they print.
//!
//! Exit codes: 0 if all is well, 1 if a program has mistakes or fails, 2 if the command itself could not be carried out.
//! A reader of the output that leaves before its end is no failure.

mod assumed;
mod check;
mod error;
mod explain;
mod memory;
mod output;
mod run;
mod tune;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use megha_core::driver::{Job, Wanted, signature};
use megha_core::schedule::{Optimisation, Optimisations};
use megha_core::source::SourceMap;
use memory::Memory;

/// The way to the run-time system in generated code.
const RUNTIME: &str = "::megha::rt";

/// Compiles MATLAB to fast Rust.
#[derive(Parser)]
#[command(name = "megha", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  megha check matlab/                 which functions compile, and why others do not
  megha check price.m --sig 'fn price(spot: f64[n, 1], rate: f64) -> call'
  megha explain price.m               what became of each statement
  megha explain price.m --emit rust   the Rust code
  megha explain src/solve.rs          what became of each loop of `#[offload]` functions
  megha run demo.m                    run a script, slowly and exactly
  megha tune -- target/release/price  find the fastest GPU kernels
  megha error M0101                   what a number means

Types come from an arguments block in the function, from --sig, or from a comment
that MATLAB and Octave skip:
  % megha: fn price(spot: f64[n, 1], rate: f64) -> call
The class is f64, f32, bool, i8 to i64, u8 to u64, or usize for a count; sizes are
sums of products of numbers and names, or : for any.

Exit codes: 0 all is well, 1 mistakes in a program, 2 mistakes in the command.
Colour is used on a terminal unless NO_COLOR is set.";

#[derive(Subcommand)]
enum Command {
    /// Says for each function that it compiles, or every reason why not
    #[command(after_help = "\
Examples:
  megha check price.m
  megha check matlab/
  megha check fdtd.m --sig 'fn fdtd(lx: f64, nx: usize) -> (ex: f64[nx, 1])'")]
    Check {
        /// Files, or folders whose .m files are meant
        #[arg(required = true, value_name = "FILE.m|FOLDER")]
        paths: Vec<PathBuf>,
        /// Types for a function that has none; may be given several times
        #[arg(long, value_name = "SIGNATURE")]
        sig: Vec<String>,
    },
    /// Shows how a program is compiled
    #[command(after_help = "\
Examples:
  megha explain price.m
  megha explain price.m --emit ir
  megha explain price.m --emit rust > price.rs
  megha explain price.m --emit ptx > price.ptx
  megha explain price.m --emit ptx --without vectors,unrolling
  megha explain solve.rs
  megha explain solve.rs --emit nests
  megha explain price.m --memory 8G --sizes n=40000

Of a Rust file the offloaded functions and the calls of `matlab!` are shown.")]
    Explain {
        /// The program, or a Rust file
        #[arg(value_name = "FILE.m|FILE.rs")]
        path: PathBuf,
        /// Print a stage of the compiler instead
        #[arg(long, value_enum)]
        emit: Option<Stage>,
        /// Leave out optimisations of the GPU code (`--emit schedules`, `--emit ptx`); a wrong name lists all
        #[arg(long, value_delimiter = ',', value_name = "NAME[,NAME]")]
        without: Vec<Optimisation>,
        /// Types for a function that has none; may be given several times
        #[arg(long, value_name = "SIGNATURE")]
        sig: Vec<String>,
        #[command(flatten)]
        memory: Memory,
    },
    /// Runs a script with the reference interpreter
    #[command(after_help = "\
A script is a file with statements outside functions; what it prints goes to the
standard output. The interpreter is slow: it says what a program means.")]
    Run {
        /// The script
        #[arg(value_name = "FILE.m")]
        path: PathBuf,
    },
    /// Finds the fastest GPU kernels by running a program, for a file to ship
    #[command(after_help = "\
Kernels have several entries for GPUs, and a model says which one is the fastest. Here
the program tries them all, in its own launches: results are the same, and a launch takes
what it takes. Let it do what it will do, some twenty times. Programs that find
MEGHA_TUNED=FILE in their environment begin with what was found, on the same kind of device.

Examples:
  megha tune --out tuned.txt -- target/release/solver case.toml")]
    Tune {
        /// Where what is found goes, beside what is there
        #[arg(long, value_name = "FILE", default_value = "megha-tuned.txt")]
        out: PathBuf,
        /// The command
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<OsString>,
    },
    /// Explains the number of a message
    #[command(after_help = "Examples:\n  megha error M0101\n  megha error        lists all")]
    Error {
        /// A number as messages show it, such as M0101
        #[arg(value_name = "NUMBER")]
        number: Option<String>,
    },
}

/// A stage of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The program as it was read
    Ast,
    /// The typed form that it is lowered to
    Ir,
    /// The same after each pass that changes it, with the pass's time
    Passes,
    /// The same after all passes: kernels
    Kernels,
    /// Loop nests before they become kernels: bounds, accesses, dependences
    Nests,
    /// The elements of arrays that kernels touch
    Maps,
    /// How kernels run: the order of their loops, tiles, what shares them
    Schedules,
    /// The Rust code
    Rust,
    /// The kernels for GPUs
    Ptx,
}

/// What a command came to.
enum End {
    /// Exit code 0.
    Well,
    /// The program has mistakes, which have been shown: exit code 1.
    Mistakes,
    /// The command could not be carried out, and why: exit code 2.
    Refused(String),
}

/// Runs the command that the arguments name.
fn main() -> ExitCode {
    let end = match Cli::parse().command {
        Command::Check { paths, sig } => check::check(&paths, &sig),
        Command::Explain { path, emit, without, sig, memory } => {
            let optimisations = without.into_iter().fold(Optimisations::ALL, Optimisations::without);
            explain::run(&path, (emit, optimisations, &memory), &sig)
        }
        Command::Run { path } => run::run(&path),
        Command::Tune { out, command } => tune::tune(&out, &command),
        Command::Error { number } => error::error(number.as_deref()),
    };
    match end {
        End::Well => ExitCode::SUCCESS,
        End::Mistakes => ExitCode::from(1),
        End::Refused(why) => {
            output::tell(format_args!("megha: {why}\n"));
            ExitCode::from(2)
        }
    }
}

/// Whether to colour what goes to this stream.
fn colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// The job for a file with the signatures of the command line.
fn job(path: &Path, signatures: &[String]) -> Result<Job, String> {
    let mut job = Job::file(path)?;
    if signatures.is_empty() {
        return Ok(job);
    }
    let mut list = Vec::new();
    for text in signatures {
        list.extend(read_signature(text, &mut job));
    }
    job.wanted = Wanted::Signatures(list);
    Ok(job)
}

fn read_signature(text: &str, job: &mut Job) -> Option<signature::Signature> {
    let sources: &mut SourceMap = &mut job.sources;
    let id = sources.add("--sig", text);
    signature::parse(sources.get(id)?, 0..text.len(), &mut job.diags)
}
