//! Lowering: syntax trees to typed SSA, with inference of classes, ranks, symbolic sizes and constants on the way.
//!
//! MATLAB's meaning depends on types (`a*b`, `a(1)`), so names are resolved, types inferred and SSA built in one walk over the
//! tree: each expression is lowered when the types of its operands are known. A loop body is lowered under an assumption
//! about the types of the values it carries; if the body does not confirm it, the attempt is rolled back and repeated under
//! the join of what was assumed and what came out (`loops`). Functions are specialised for the types of their arguments and
//! expanded where they are called (`call`), so sizes and constants flow through calls.
//!
//! What is inferred beyond types lives in `facts::Facts`, one for each value.

mod append;
mod assign;
mod binary;
mod broadcast;
mod builtin;
mod call;
mod complex;
mod concat;
mod control;
mod correct;
mod edges;
mod entry;
mod env;
mod expr;
mod facts;
mod form;
mod grow;
mod hoist;
mod index;
mod live;
mod loops;
mod prelude;
mod range;
mod report;
mod sizes;
mod stmt;
mod truth;

pub use entry::{DimSpec, EntrySpec, ParamSpec, lower_function};

use crate::diag::Diagnostics;
use crate::ir::{Builder, Class, Loc, Value};
use crate::matlab::ast::Function;
use crate::source::Span;
use env::Env;
use facts::Facts;

/// The functions that a program may call, by name: those of its own file first, then those of the files beside it.
#[derive(Debug, Default)]
pub struct Scope<'a> {
    functions: Vec<&'a Function>,
}

impl<'a> Scope<'a> {
    /// A scope of these functions; of two with one name the first counts.
    pub fn new(functions: impl IntoIterator<Item = &'a Function>) -> Self {
        Self { functions: functions.into_iter().collect() }
    }

    fn find(&self, name: &str) -> Option<&'a Function> {
        self.functions.iter().copied().find(|f| f.name.text == name)
    }
}

/// The source spans behind the IR's locations.
#[derive(Debug, Clone, Default)]
pub struct SpanTable {
    spans: Vec<Span>,
}

impl SpanTable {
    fn loc(&mut self, span: Span) -> Loc {
        if self.spans.is_empty() {
            self.spans.push(Span::default());
        }
        match self.spans.iter().rposition(|s| *s == span) {
            Some(index) if index > 0 => Loc::new(index),
            _ => {
                self.spans.push(span);
                Loc::new(self.spans.len() - 1)
            }
        }
    }

    /// The span of a location; `None` for [`Loc::NONE`].
    pub fn span(&self, loc: Loc) -> Option<Span> {
        self.spans.get(loc.index()).copied().filter(|_| loc != Loc::NONE)
    }
}

/// A statement or expression could not be lowered; the reason has been reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stop;

type Lowered<T> = Result<T, Stop>;

/// What an expression gives.
#[derive(Debug, Clone, PartialEq)]
enum Operand {
    /// A number, logical or array of them.
    Value(Value),
    /// A text, known when compiling.
    Text(String),
    /// A function: its parameters and body, or a name.
    Function(Box<env::Handle>),
}

/// The state of lowering one exported function.
struct Lower<'a> {
    scope: &'a Scope<'a>,
    spans: &'a mut SpanTable,
    diags: &'a mut Diagnostics,
    builder: Builder,
    facts: Vec<Facts>,
    env: Env,
    /// Loops and calls around the current statement, outermost first.
    frames: Vec<control::Frame>,
    /// Arrays that are being indexed around the current expression, for `end`.
    ends: Vec<index::EndContext>,
    /// Names of the functions that are being expanded, outermost first.
    calls: Vec<String>,
    /// The call in the program that led into the prelude's functions: its name and place.
    prelude_call: Option<(String, Span)>,
    /// Functions and their variables that stores may enlarge.
    growing: std::collections::BTreeSet<(String, String)>,
    /// Size equalities that hold where the current statement stands.
    equal: Vec<(crate::ir::Size, crate::ir::Size)>,
    /// For each open region the facts to restore when it closes.
    scoped: Vec<Vec<(Value, Facts)>>,
    /// Roots and logarithms of numbers that may be negative are complex, not an error.
    complex_roots: bool,
    /// The statement that was just lowered ends the function with an error.
    unreachable: bool,
}

impl Lower<'_> {
    fn class(&self, value: Value) -> Class {
        self.builder.func.ty(value).class
    }

    fn is_scalar(&self, value: Value) -> bool {
        self.builder.func.ty(value).is_scalar()
    }
}
