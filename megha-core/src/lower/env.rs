//! Variables and what they are bound to at a point of the program.

use super::Operand;
use super::ambiguous::Kind;
use super::live::Names;
use super::structs::{field_of, mentioned_in};
use crate::ir::Value;
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
    /// Different types, in words, on the paths that lead here; an error where it is used.
    Conflict(Box<(String, String)>),
    /// A number on one way, this on another; an error where it is used.
    Lost(Kind),
    /// No number, and another one depending on the way taken; an error where it is used.
    Ambiguous(Kind),
    /// Its assignment has been reported as wrong; uses are not reported again.
    Poison,
}

/// The variables of one function.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Env {
    vars: BTreeMap<String, (Binding, Span)>,
    /// The structs and their fields, in the order of creation.
    structs: BTreeMap<String, Vec<String>>,
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
        if self.structs.contains_key(name) {
            self.remove(name);
        }
        self.has_field(name);
        self.vars.insert(name.to_owned(), (binding, span));
    }

    pub fn set_value(&mut self, name: &str, value: Value, span: Span) {
        self.set(name, Binding::Is(Operand::Value(value)), span);
    }

    pub fn remove(&mut self, name: &str) {
        self.vars.remove(name);
        for field in self.structs.remove(name).unwrap_or_default() {
            self.remove(&format!("{name}.{field}"));
        }
    }

    /// Whether the variable is a struct.
    pub fn is_struct(&self, name: &str) -> bool {
        self.structs.contains_key(name)
    }

    /// Makes the variable a struct without fields.
    pub fn new_struct(&mut self, name: &str) {
        self.has_field(name);
        self.structs.insert(name.to_owned(), Vec::new());
    }

    /// The names of a struct's fields that exist, in the order of their creation.
    pub fn fields(&self, name: &str) -> Vec<String> {
        let exists = |field: &&String| {
            let variable = format!("{name}.{field}");
            self.vars.contains_key(&variable) || self.structs.contains_key(&variable)
        };
        self.structs.get(name).into_iter().flatten().filter(exists).cloned().collect()
    }

    /// The variables that hold the fields of a struct, nested ones included; of another variable itself.
    pub fn parts(&self, name: &str) -> Vec<String> {
        if !self.is_struct(name) {
            return vec![name.to_owned()];
        }
        self.fields(name).iter().flat_map(|field| self.parts(&format!("{name}.{field}"))).collect()
    }

    /// Notes which structs exist if a variable of this name does.
    fn has_field(&mut self, name: &str) {
        let Some((root, field)) = field_of(name) else { return };
        self.has_field(root);
        let fields = self.structs.entry(root.to_owned()).or_default();
        if fields.iter().all(|f| f != field) {
            fields.push(field.to_owned());
        }
    }

    pub fn contains(&self, name: &str) -> bool {
        self.vars.contains_key(name)
    }

    /// What the variables are bound to, the fields of structs included.
    pub fn bindings(&self) -> impl Iterator<Item = &Binding> {
        self.vars.values().map(|(binding, _)| binding)
    }

    /// What the fields of a struct are bound to, nested ones included.
    pub fn bindings_in(&self, name: &str) -> impl Iterator<Item = &Binding> {
        let fields = format!("{name}.");
        let of_struct = move |(variable, _): &(&String, _)| variable.starts_with(&fields);
        self.vars.range(format!("{name}.")..).take_while(of_struct).map(|(_, (binding, _))| binding)
    }

    /// The variables of these names, structs with all fields.
    pub fn only(&self, names: &Names) -> Self {
        let kept = |name: &str| mentioned_in(names, name);
        let vars = self.vars.iter().filter(|(name, _)| kept(name)).map(|(name, var)| (name.clone(), var.clone()));
        let structs =
            self.structs.iter().filter(|(name, _)| kept(name)).map(|(name, list)| (name.clone(), list.clone()));
        Self { vars: vars.collect(), structs: structs.collect() }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.vars.keys().map(String::as_str)
    }
}
