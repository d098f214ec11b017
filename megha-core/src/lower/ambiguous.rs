//! Variables of which what they hold depends on the way taken and exists only while compiling: texts, functions, lists, structs.

use super::env::Binding;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;

/// What a variable holds that holds no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Function,
    List,
    Struct,
    /// Not always the same of these.
    Any,
}

impl Kind {
    /// Of a binding that is no number.
    pub fn of(binding: &Binding) -> Self {
        match binding {
            Binding::Is(operand) => Self::of_operand(operand),
            Binding::Ambiguous(kind) | Binding::Lost(kind) => *kind,
            _ => Kind::Any,
        }
    }

    pub fn of_operand(operand: &Operand) -> Self {
        match operand {
            Operand::Text(_) | Operand::Message(_) => Kind::Text,
            Operand::Function(_) => Kind::Function,
            Operand::List(_) => Kind::List,
            Operand::Struct(_) => Kind::Struct,
            Operand::Chosen(chosen) => Self::of_operand(&chosen.then).or(Self::of_operand(&chosen.els)),
            Operand::Value(_) => Kind::Any,
        }
    }

    /// The kind of what is of one or the other.
    pub fn or(self, other: Self) -> Self {
        if self == other { self } else { Kind::Any }
    }

    /// What the user calls it.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Function => "function",
            Kind::List => "list",
            Kind::Struct => "struct",
            Kind::Any => "text or function",
        }
    }

    fn way_out(self) -> &'static str {
        match self {
            Kind::Text | Kind::Any => {
                "texts must be known when compiling: use a number in its place, or use it where it is assigned"
            }
            Kind::Function => "functions must be known when compiling: call it where it is assigned",
            Kind::List => {
                "lists must be known when compiling, and so must how often a loop that changes one goes round: use an \
                 array with a row or column for each element"
            }
            Kind::Struct => "a whole struct must be known when compiling: assign its fields one by one, p.a = x",
        }
    }
}

impl Lower<'_> {
    /// Reports the use of a variable of which more must be known.
    pub fn ambiguous<T>(&mut self, name: &str, kind: Kind, span: Span) -> Lowered<T> {
        let assigned = self.env.span(name).unwrap_or(span);
        let what = kind.words();
        let message = match kind {
            Kind::List => format!("which elements the list `{name}` has here depends on what the run does"),
            _ => format!("which {what} `{name}` holds here depends on the way taken"),
        };
        let error = Diagnostic::error(Code::TextValue, span, message);
        self.report(error.note_at(assigned, "assigned here").help(kind.way_out()))
    }

    /// Reports the use of a variable that is a number on some ways only.
    pub fn number_on_some_ways<T>(&mut self, name: &str, kind: Kind, span: Span) -> Lowered<T> {
        let assigned = self.env.span(name).unwrap_or(span);
        let what = kind.words();
        let message = format!("`{name}` is a number on one way that leads here, and a {what} on another");
        let error = Diagnostic::error(Code::TypeConflict, span, message);
        self.report(error.note_at(assigned, "assigned here").help("use different names"))
    }
}
