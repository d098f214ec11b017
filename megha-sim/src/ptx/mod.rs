//! PTX text to syntax: a lexer, and a parser for modules ([`parser`]) and function bodies ([`body`]).
//!
//! The syntax knows nothing of instructions; [`decode`](crate::decode) does.

pub(crate) mod body;
pub(crate) mod lexer;
pub(crate) mod parser;
pub(crate) mod syntax;
pub(crate) mod types;

/// A mistake in PTX text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("PTX line {line}: {message}")]
pub struct SyntaxError {
    /// The line, counted from 1.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

impl SyntaxError {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> SyntaxError {
        SyntaxError { line, message: message.into() }
    }
}
