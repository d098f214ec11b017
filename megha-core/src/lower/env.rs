//! Variables and what they are bound to at a point of the program.

use super::Operand;
use crate::ir::{Type, Value};
use crate::matlab::ast::{Expr, Name, Param};
use crate::source::Span;
use std::collections::BTreeMap;

/// A function as a value: `@name` or `@(x) body` with the variables it captured.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Handle {
    /// `@name`
    Named(Name),
    /// `@(params) body`; the bindings of free names when the handle was made.
    Anonymous { params: Vec<Param>, body: Expr, captured: Env },
}

/// What a variable is bound to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Binding {
    /// A value, text or function.
    Is(Operand),
    /// A value that exists only if this `Logical` scalar is true.
    Maybe(Value, Value),
    /// Different types on the paths that lead here; an error where it is used.
    Conflict(Box<(Type, Type)>),
    /// Its size depends on values that exist only inside the loop or branch that assigned it.
    Lost,
    /// A text or function that depends on the way taken; an error where it is used.
    Ambiguous,
    /// Its assignment has been reported as wrong; uses are not reported again.
    Poison,
}

/// The variables of one function.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Env {
    vars: BTreeMap<String, (Binding, Span)>,
}

impl Env {
    pub fn get(&self, name: &str) -> Option<&Binding> {
        self.vars.get(name).map(|(binding, _)| binding)
    }

    /// Where the variable was last assigned.
    pub fn span(&self, name: &str) -> Option<Span> {
        self.vars.get(name).map(|(_, span)| *span)
    }

    pub fn set(&mut self, name: &str, binding: Binding, span: Span) {
        self.vars.insert(name.to_owned(), (binding, span));
    }

    pub fn set_value(&mut self, name: &str, value: Value, span: Span) {
        self.set(name, Binding::Is(Operand::Value(value)), span);
    }

    pub fn remove(&mut self, name: &str) {
        self.vars.remove(name);
    }

    pub fn contains(&self, name: &str) -> bool {
        self.vars.contains_key(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.vars.keys().map(String::as_str)
    }
}
