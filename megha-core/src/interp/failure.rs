//! Why a run ended before its end.

use crate::ir::{Loc, Size, Symbols, Value};
use std::fmt;

/// What kind of end it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The program's own doing, a run-time error of the language.
    Error(ErrorKind),
    /// The IR promises what does not hold: a mistake of the compiler (or of whoever wrote the IR).
    Internal(InternalKind),
    /// A limit of [`super::Options`] was reached.
    Limit(LimitKind),
    /// The output could not be written.
    Output,
}

/// Run-time errors of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// An argument is not what the function's head declares.
    Argument,
    /// `Op::Assert`.
    Assert,
    /// `Op::SameSize`.
    SizeMismatch,
    /// A checked subscript outside the array.
    OutOfBounds,
    /// A subscript or size that is not a whole number.
    NotWhole,
    /// The program called `error`.
    Raised,
}

/// Broken promises of the IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InternalKind {
    /// A value's class or sizes are not those of its static type.
    Type,
    /// A symbol is outside its stated bounds.
    Bound,
    /// A value, symbol or element is used before it is defined.
    Undefined,
    /// An unchecked subscript outside the array.
    OutOfBounds,
    /// Two iterations of a kernel touch one element of an out-variable, and one of them stores it.
    Race,
    /// An element of a fresh array is not stored, or an iteration does not contribute exactly once to a reduction.
    Coverage,
    /// A statement that has no meaning: operands that do not fit, a number out of range, a broken structure.
    Malformed,
}

/// Limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// [`super::Options::max_steps`].
    Steps,
    /// [`super::Options::max_bytes`].
    Memory,
    /// [`super::Options::max_depth`].
    Depth,
}

/// The end of a run that did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// What is wrong.
    pub message: String,
    /// The identifier that the program gave `error`, or nothing.
    pub identifier: String,
    /// The function of the statement that failed.
    pub function: String,
    /// The source position of the statement that failed.
    pub loc: Loc,
}

impl Failure {
    pub(super) fn error(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::new(FailureKind::Error(kind), message.into())
    }

    pub(super) fn internal(kind: InternalKind, message: impl Into<String>) -> Self {
        Self::new(FailureKind::Internal(kind), message.into())
    }

    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self::internal(InternalKind::Malformed, message)
    }

    pub(super) fn limit(kind: LimitKind, message: impl Into<String>) -> Self {
        Self::new(FailureKind::Limit(kind), message.into())
    }

    pub(super) fn new(kind: FailureKind, message: String) -> Self {
        Self { kind, message, identifier: String::new(), function: String::new(), loc: Loc::NONE }
    }

    /// Says where, unless a statement further inside has said so. Statements of library functions have no place of their own:
    /// who calls them has.
    pub(super) fn at(mut self, function: &str, loc: Loc) -> Self {
        if self.function.is_empty() || self.loc == Loc::NONE {
            self.function = function.to_owned();
            self.loc = loc;
        }
        self
    }

    /// Whether the compiler is to blame, not the program.
    pub fn is_internal(&self) -> bool {
        matches!(self.kind, FailureKind::Internal(_))
    }

    pub(super) fn undefined(value: Value) -> Self {
        Self::internal(InternalKind::Undefined, format!("{value} is used before it is defined"))
    }

    pub(super) fn overflow(symbols: &Symbols, size: &Size) -> Self {
        Self::malformed(format!("the size {} does not fit into 64 bits", symbols.show(size)))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_internal() {
            f.write_str("internal error: ")?;
        }
        write!(f, "{}", self.message)?;
        if !self.function.is_empty() {
            write!(f, " (in `{}`)", self.function)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// The result of a step.
pub(super) type Run<T> = Result<T, Failure>;
