//! MATLAB text to syntax tree.

pub mod ast;
pub(crate) mod fields;
mod lexer;
pub(crate) mod mentions;
mod parser;
mod print;
mod token;
pub(crate) mod walk;

pub use parser::parse;
pub(crate) use parser::parse_from;
pub use print::{print, print_expression};

#[cfg(test)]
mod tests;
