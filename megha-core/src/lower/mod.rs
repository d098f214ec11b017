//! Lowering: syntax trees to typed SSA, with inference of classes, ranks, symbolic sizes and constants on the way.
//!
//! MATLAB's meaning depends on types (`a*b`, `a(1)`), so names are resolved, types inferred and SSA built in one walk over the
//! tree: each expression is lowered when the types of its operands are known. A loop body is lowered under an assumption
//! about the types of the values it carries; if the body does not confirm it, the attempt is rolled back and repeated under
//! the join of what was assumed and what came out (`loops`). Functions are specialised for the types of their arguments and
//! expanded where they are called (`call`), so sizes and constants flow through calls; functions that call themselves, and long
//! ones of the library, are specialised for the types alone and called (`specialise`).
//!
//! What is inferred beyond types lives in `facts::Facts`, one for each value.

mod ambiguous;
mod append;
mod assign;
mod assume;
mod becoming;
mod binary;
mod brackets;
mod broadcast;
mod builtin;
mod call;
mod characters;
mod checkpoint;
mod chosen;
mod complex;
mod concat;
mod contractions;
mod control;
mod correct;
mod delete;
mod dimension;
mod edges;
mod effort;
mod entry;
mod env;
mod expr;
mod facts;
mod form;
mod grow;
mod hoist;
mod index;
mod lists;
mod live;
mod loops;
mod masks;
mod options;
mod orient;
mod parts;
mod persistent;
mod picked;
mod prelude;
mod range;
mod range_limits;
mod reached;
mod report;
mod scope;
mod sizes;
mod slices;
mod specialise;
mod stmt;
mod stored;
mod stretch;
mod structs;
#[cfg(test)]
mod tests;
mod text;
mod truth;
mod versions;
mod weight;
mod wide;

pub(crate) use complex::split;
pub use entry::{DimSpec, EntrySpec, ParamSpec, lower_function};
pub use scope::Scope;
pub use specialise::Specialisations;

use crate::diag::Diagnostics;
use crate::hash::HashMap;
use crate::ir::{Builder, Class, Loc, Value};
use crate::source::Span;
use env::Env;
use facts::Facts;

/// The source spans behind the IR's locations.
#[derive(Debug, Clone, Default)]
pub struct SpanTable {
    spans: Vec<Span>,
    /// Where each span stands in the table.
    numbers: HashMap<Span, usize>,
}

impl SpanTable {
    /// A table in which the location with the number of a span in the list, counted from one, stands for it.
    pub(crate) fn of(spans: Vec<Span>) -> Self {
        Self { spans: std::iter::once(Span::default()).chain(spans).collect(), numbers: HashMap::default() }
    }

    /// The location of a span.
    pub(crate) fn loc(&mut self, span: Span) -> Loc {
        if span == prelude::NOWHERE {
            return Loc::NONE;
        }
        if self.spans.is_empty() {
            self.spans.push(Span::default());
        }
        let spans = &mut self.spans;
        let number = self.numbers.entry(span).or_insert_with(|| {
            spans.push(span);
            spans.len() - 1
        });
        Loc::new(*number)
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
    /// A text with parts that are made at run time.
    Message(Vec<text::Piece>),
    /// A function: its parameters and body, or a name.
    Function(Box<env::Handle>),
    /// Operands in a row or column: `varargin`, `{a, b}`.
    List(lists::List),
    /// A struct: its fields.
    Struct(structs::Struct),
    /// A text or function that depends on the way taken.
    Chosen(Box<chosen::Chosen>),
}

/// How statements display numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum NumberFormat {
    #[default]
    Short,
    Long,
    /// One that is not supported, in the program's words.
    Other(String),
}

/// The state of lowering one exported function.
struct Lower<'a> {
    scope: &'a Scope<'a>,
    spans: &'a mut SpanTable,
    diags: &'a mut Diagnostics,
    /// The functions that are called rather than expanded.
    specialisations: &'a mut Specialisations,
    builder: Builder,
    facts: Vec<Facts>,
    /// What was known before of values of which something else has been learned since, oldest first.
    known_before: Vec<(Value, Facts)>,
    env: Env,
    /// Loops and calls around the current statement, outermost first.
    frames: Vec<control::Frame>,
    /// Arrays that are being indexed around the current expression, for `end`.
    ends: Vec<index::EndContext>,
    /// Names of the functions that are being expanded, outermost first.
    calls: Vec<String>,
    /// The call in the program that led into the prelude's functions.
    prelude_call: Option<prelude::Call>,
    /// The value of a store through a mask is being lowered: how the elements lie that masks select in it does not matter.
    masked_store: bool,
    /// The value of the store that is being lowered reads the element that it replaces.
    replaced_store: bool,
    /// Functions and their variables that stores may enlarge; false: vectors, in their own direction only.
    growing: std::collections::BTreeMap<(String, String), bool>,
    /// Symbols of sizes that are one on some ways and another number on others (`stretch.rs`).
    stretching: std::collections::BTreeSet<crate::ir::Sym>,
    /// Symbols of sizes that the program computes (`orient.rs`).
    loose: std::collections::BTreeSet<crate::ir::Sym>,
    /// What has been proven of sizes where the current statement stands.
    proven: Vec<sizes::Proven>,
    /// For each open region the facts to restore when it closes.
    scoped: Vec<Vec<(Value, Facts)>>,
    /// Roots and logarithms of numbers that may be negative are complex, not an error.
    complex_roots: bool,
    /// Calls of `eig` whose results may be complex though the program is real (`parts.rs`).
    asked_in_parts: std::collections::BTreeSet<Span>,
    /// As the last `format` says.
    number_format: NumberFormat,
    /// The number of the last kernel that was made here.
    kernels: u32,
    /// The statement that was just lowered ends the function with an error, or calls a function of which no way to return is
    /// known yet.
    unreachable: bool,
    /// The error that ends the way which is `unreachable`, if the run may take it.
    ending: Option<reached::Ending>,
    /// A function of which no way to return is known yet has been called.
    unsettled: bool,
    /// Statements that expanded calls of the program's functions have brought in.
    expanded: usize,
    /// Loops around the current statement whose first iteration stands apart.
    peeled: usize,
    /// What is known of the loops inside the outermost one around the current statement.
    nest: Option<loops::Nest>,
    /// Loops around the current statement that are being lowered again.
    again: usize,
    /// Statements around the current one, or it itself, that are lowered for each text or function that they may mention.
    choosing: usize,
    /// What is assumed of the arguments.
    versions: versions::Versions,
}

impl<'a> Lower<'a> {
    /// The start of a function of this name.
    fn new(
        name: &str,
        scope: &'a Scope<'a>,
        spans: &'a mut SpanTable,
        diags: &'a mut Diagnostics,
        specialisations: &'a mut Specialisations,
    ) -> Self {
        Self {
            scope,
            spans,
            diags,
            specialisations,
            builder: Builder::new(name),
            facts: Vec::new(),
            known_before: Vec::new(),
            env: Env::default(),
            frames: Vec::new(),
            ends: Vec::new(),
            calls: Vec::new(),
            growing: Default::default(),
            prelude_call: None,
            masked_store: false,
            replaced_store: false,
            stretching: Default::default(),
            loose: Default::default(),
            proven: Vec::new(),
            scoped: Vec::new(),
            complex_roots: false,
            asked_in_parts: Default::default(),
            number_format: NumberFormat::default(),
            kernels: 0,
            unreachable: false,
            ending: None,
            unsettled: false,
            expanded: 0,
            peeled: 0,
            nest: None,
            again: 0,
            choosing: 0,
            versions: Default::default(),
        }
    }

    fn class(&self, value: Value) -> Class {
        self.builder.func.ty(value).class
    }

    fn is_scalar(&self, value: Value) -> bool {
        self.builder.func.ty(value).is_scalar()
    }
}
