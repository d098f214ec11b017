//! The standard output and error, whose reader may leave early, as in `megha check . 2>&1 | head`: then the command ends quietly.

use std::io::{Error, ErrorKind, Result, Write, stderr, stdout};

/// The standard output; a reader that has left ends the process.
pub struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        stdout().write(bytes).map_err(left)
    }

    fn flush(&mut self) -> Result<()> {
        stdout().flush().map_err(left)
    }
}

fn left(error: Error) -> Error {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    error
}

/// Writes text; that it cannot be written to another place than a pipe is told.
pub fn say(text: std::fmt::Arguments<'_>) {
    if let Err(error) = Output.write_fmt(text) {
        tell(format_args!("megha: the output cannot be written: {error}\n"));
        std::process::exit(2);
    }
}

/// Writes a message to the standard error. That nobody reads it is no reason to fail: the exit code says how the command ended.
pub fn tell(text: std::fmt::Arguments<'_>) {
    drop(stderr().write_fmt(text));
}
