//! The prelude: functions of MATLAB that are plain numeric code, written in MATLAB (`megha-core/src/prelude`).
//!
//! A call is expanded like a call of the program's own functions, so sizes and constants flow through it and it fuses with
//! what surrounds it; some long functions are called ([`CALLED`]). Inside the prelude names mean MATLAB's functions, whatever the program calls its own. A function is parsed
//! when it is first called. Mistakes and run-time errors inside point at the call in the program: the
//! prelude's files have ids of their own, by which their spans are told from the program's.

mod files;

use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::Value;
use crate::matlab::ast::Function;
use crate::source::{FileId, Span};
use files::{CALLED, FILES, FOR_COMPLEX, SOURCES, Source};

/// The place of what is no program's: the statements of a function that several calls share.
pub(super) const NOWHERE: Span = Span { file: FileId(u32::MAX - FILES as u32), start: 0, end: 0 };

fn number_of(span: Span) -> Option<usize> {
    Some((u32::MAX - span.file.0) as usize).filter(|n| *n < SOURCES.len())
}

/// Whether a place is in the prelude.
pub(super) fn contains(span: Span) -> bool {
    number_of(span).is_some()
}

/// Whether a function is one of the prelude that is called rather than expanded.
pub(super) fn is_called(function: &Function) -> bool {
    contains(function.span) && CALLED.contains(&function.name.text.as_str())
}

/// The function of this name for a caller at this place.
pub(super) fn find(name: &str, caller: Span) -> Option<&'static Function> {
    let own = number_of(caller);
    let shared = |s: &Source| s.names.contains(&name) || own.is_some() && s.inner.contains(&name);
    let number = SOURCES.iter().position(shared).or(own)?;
    SOURCES[number].function(number, name)
}

/// The function of this name for a builtin written in Rust.
fn find_inner(name: &str) -> Option<&'static Function> {
    let number = SOURCES.iter().position(|s| s.inner.contains(&name) || s.names.contains(&name))?;
    SOURCES[number].function(number, name)
}

/// The names that programs may call.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().flat_map(|s| s.names).copied()
}

/// The name by which recursion of anonymous functions and those of the prelude is seen: it is no limit to them.
pub(super) const NO_NAME: &str = "@";

/// The name by which recursion of a function is seen while it is expanded. In the prelude it ends by itself: at each level the
/// types or the number of arguments are others.
pub(super) fn recursion_name(function: &Function) -> &str {
    if contains(function.span) { NO_NAME } else { &function.name.text }
}

/// A call in the program that led into the prelude's functions.
pub(super) struct Call {
    function: String,
    at: Span,
    /// Whether a condition decides that it is made.
    pub conditional: bool,
}

impl Call {
    /// A call that stands for all: each says where what goes wrong in it stands.
    pub fn anywhere(function: &Function) -> Self {
        Self { function: function.name.text.clone(), at: NOWHERE, conditional: false }
    }
}

impl<'a> Lower<'a> {
    /// Expands a call of a function of the prelude.
    pub fn call_prelude(
        &mut self,
        function: &'static Function,
        args: Vec<Operand>,
        span: Span,
        wanted: usize,
    ) -> Lowered<Vec<Operand>> {
        if contains(span) {
            return self.prelude_by_orientation(function, args, span, wanted);
        }
        let name = &function.name.text;
        let complex = args.iter().any(|arg| matches!(arg, Operand::Value(v) if self.is_complex(*v)));
        if complex && !FOR_COMPLEX.contains(&name.as_str()) {
            return self.not_for_complex(&format!("`{name}`"), "use real(..), imag(..) or abs(..)", span);
        }
        let outer = self.prelude_call.replace(Call {
            function: function.name.text.clone(),
            at: span,
            conditional: self.is_conditional(),
        });
        let results = self.prelude_by_orientation(function, args, span, wanted);
        self.prelude_call = outer;
        results
    }

    /// Expands a call of a function that the prelude has for a builtin written in Rust.
    pub fn call_inner(&mut self, name: &str, args: Vec<Value>, span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        let Some(function) = find_inner(name) else {
            return self.stop(Code::Internal, span, format!("the prelude has no `{name}`"));
        };
        self.call_prelude(function, args.into_iter().map(Operand::Value).collect(), span, wanted)
    }

    /// Names a value after the variable that holds it; in the prelude also after the function that the program calls, so that
    /// nobody takes the variable for one of the program's.
    pub fn give_name(&mut self, value: Value, name: &str) {
        let function = self.prelude_call.as_ref().filter(|_| self.in_prelude()).map(|call| &call.function);
        let name = function.map_or_else(|| name.replace('.', "_"), |function| format!("{function}.{name}"));
        self.builder.func.names[value.index()] = Some(name);
    }

    /// Whether a value has no name yet; in the program's own code one from the prelude counts as none.
    pub fn is_nameless(&self, value: Value) -> bool {
        let func = &self.builder.func;
        if self.in_prelude() { func.names[value.index()].is_none() } else { func.variable(value).is_none() }
    }

    /// Whether the innermost function that is being expanded is one of the prelude (or an anonymous one, which names nothing).
    fn in_prelude(&self) -> bool {
        self.calls.last().is_some_and(|function| function == NO_NAME)
    }

    /// The place in the program that a place stands for: in the prelude that of the call that led there.
    pub fn program_span(&self, span: Span) -> Span {
        match &self.prelude_call {
            Some(call) if contains(span) => call.at,
            _ => span,
        }
    }

    /// A mistake in the prelude's code as one of the call that led there. What its code could do instead helps nobody.
    pub fn at_program(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.notes.retain(|(place, _)| !place.is_some_and(contains));
        let Some(Call { function: name, at, .. }) = self.prelude_call.as_ref().filter(|_| contains(diagnostic.span))
        else {
            return diagnostic;
        };
        // A name that only the compiler calls says nothing to who wrote the call under the caret.
        let who = if find_inner(name).is_some() { "this call".to_owned() } else { format!("`{name}`") };
        let message = format!("{who} cannot take these arguments: {}", diagnostic.message);
        Diagnostic { span: *at, message, notes: Vec::new(), help: None, ..diagnostic }
    }
}
