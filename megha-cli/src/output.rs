//! The standard output, whose reader may leave early, as in `megha check . | head`: then the command ends quietly.

use std::io::{Error, ErrorKind, Result, Write, stdout};

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
        eprintln!("megha: the output cannot be written: {error}");
        std::process::exit(2);
    }
}
