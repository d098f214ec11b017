//! The mathematical functions, defined once, in the compiler's own IR.
//!
//! What `exp`, `sin` or `pow` mean is neither the C library's nor a device's affair: it is the sequence of additions,
//! multiplications, fused multiply-adds and operations on bit patterns written down in the `.mir` files here. The functions are
//! straight-line code, without a branch or a table, so that every processor follows them at full speed and gives the same bits:
//! * [`rust`] makes `megha_base::math` of them, which interpreter, constant folding and compiled CPU code call;
//! * another back end takes [`definition`] and emits it in place, or as a function, with the rest of a kernel.
//!
//! ## The files
//! Textual IR as [`crate::ir::parse`] reads it, with a meaning given to comments: `;!` lines describe a file, `;;` lines the function
//! that follows, and `;` lines the statement that follows. They are carried over to the Rust code. A function without parameters is
//! a named constant. A double-double `x + x_lo` is two values. The form of a function for singles has its name and `_single`; it
//! computes in single throughout, so that a vector holds twice as many and a device needs no units for doubles. The files are one module; a callee stands before its callers.

mod definitions;
pub mod rust;
#[cfg(test)]
mod tests;

use crate::ir::parse::{ParseError, parse};
use crate::ir::{Binary, Class, Func, FuncId, Module, Unary};
use std::sync::OnceLock;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(File { name: $name, text: include_str!(concat!($name, ".mir")) }),*]
    };
}

/// A file of definitions: `name` without its ending, and its text.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// The name, which is that of the Rust module too.
    pub name: &'static str,
    /// The textual IR.
    pub text: &'static str,
}

/// All files, callees before callers.
pub const FILES: [File; 24] = files![
    "coefficients",
    "double_double",
    "exp",
    "log",
    "pi_reduction",
    "trig",
    "inverse_trig",
    "hyperbolic",
    "inverse_hyperbolic",
    "erf",
    "power",
    "rounding",
    "gamma",
    "single_coefficients",
    "single_arithmetic",
    "single_exp",
    "single_log",
    "single_trig",
    "single_inverse_trig",
    "single_hyperbolic",
    "single_inverse_hyperbolic",
    "single_erf",
    "single_power",
    "single_rounding",
];

/// An element-wise operation of the IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Of one operand.
    Unary(Unary),
    /// Of two operands.
    Binary(Binary),
}

impl From<Unary> for Operation {
    fn from(op: Unary) -> Self {
        Self::Unary(op)
    }
}

impl From<Binary> for Operation {
    fn from(op: Binary) -> Self {
        Self::Binary(op)
    }
}

/// A function of the library.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    /// A module with the function and all that it calls.
    pub module: &'static Module,
    /// The function.
    pub id: FuncId,
}

impl Definition {
    /// The function itself.
    pub fn func(self) -> &'static Func {
        &self.module.funcs[self.id.index()]
    }

    /// The class of its operands and of its result.
    pub fn class(self) -> Class {
        self.func().results[0].class
    }
}

/// The module of all definitions.
pub fn library() -> &'static Module {
    static LIBRARY: OnceLock<Module> = OnceLock::new();
    LIBRARY.get_or_init(|| load().expect("the library's text is part of the compiler, and a test parses it"))
}

/// Parses the files as one text.
fn load() -> Result<Module, ParseError> {
    parse(&FILES.map(|file| file.text).join("\n"))
}

/// The function of this name, if the library has it, in a module of it and all that it calls.
pub fn function(name: &str) -> Option<Definition> {
    definitions::of(name)
}

/// What an operation on doubles or singles does; `None` if it is an instruction of every processor (or one of its instructions'
/// plain uses), and so needs no definition. Where singles have no form of their own the definition is that of doubles
/// ([`Definition::class`]): a single is converted to double, and the result rounded to single; but remainders of singles are computed in
/// single.
pub fn definition(operation: impl Into<Operation>, class: Class) -> Option<Definition> {
    let name = match operation.into() {
        Operation::Unary(op) => op.name(),
        Operation::Binary(Binary::Mod) => "modulo",
        Operation::Binary(Binary::Rem) => "remainder",
        Operation::Binary(op) => op.name(),
    };
    function(single_form(name).filter(|_| class == Class::Single).unwrap_or(name))
}

/// The name of the function for singles that goes with one for doubles, if there is one.
pub fn single_form(name: &str) -> Option<&'static str> {
    definitions::named(&format!("{name}_single"))
}
