//! Which function a name means where it stands, and which functions call themselves.
//!
//! As in MATLAB, the functions of a file see each other; of another file they see the first one only.

use super::persistent;
use crate::matlab::ast::Function;
use crate::matlab::mentions;
use crate::source::{FileId, Span};
use std::collections::BTreeSet;

/// The functions of a program.
#[derive(Debug, Default)]
pub struct Scope<'a> {
    functions: Vec<&'a Function>,
    /// The names of the functions that may call themselves, directly or through others.
    recursive: BTreeSet<Span>,
    /// Where persistent variables are declared that keep constants (`persistent.rs`).
    constants: BTreeSet<Span>,
    /// The files where names that nothing defines are errors only when the run gets there.
    late_names: BTreeSet<FileId>,
}

impl<'a> Scope<'a> {
    /// A scope of these functions; of two with one name the first counts.
    pub fn new(functions: impl IntoIterator<Item = &'a Function>) -> Self {
        let mut scope = Self { functions: functions.into_iter().collect(), ..Self::default() };
        let calls: Vec<Vec<Span>> = scope.functions.iter().map(|f| scope.callees(f)).collect();
        let recursive = scope.functions.iter().zip(&calls);
        let recursive = recursive.filter(|(f, own)| scope.reaches(&calls, own, f.name.span));
        scope.recursive = recursive.map(|(f, _)| f.name.span).collect();
        scope.constants = persistent::constants(&scope, &scope.functions);
        scope
    }

    /// The same with files where names that nothing defines are errors only when the run gets there.
    pub fn with_late_names(mut self, files: impl IntoIterator<Item = FileId>) -> Self {
        self.late_names = files.into_iter().collect();
        self
    }

    /// Whether names that nothing defines are errors only when the run gets there.
    pub(super) fn has_late_names(&self, file: FileId) -> bool {
        self.late_names.contains(&file)
    }

    /// The function that a name means in this file.
    pub fn find(&self, name: &str, from: FileId) -> Option<&'a Function> {
        let named = |f: &&&'a Function| f.name.text == name;
        let own = |f: &&&'a Function| f.name.span.file == from;
        let mut same = self.functions.iter().filter(named);
        same.clone().find(own).or_else(|| same.find(|f| self.is_first(f))).copied()
    }

    /// Whether a persistent variable, which is declared here, keeps a constant.
    pub(super) fn keeps_constant(&self, declared: Span) -> bool {
        self.constants.contains(&declared)
    }

    /// Whether a function is the first of its file, which other files see.
    fn is_first(&self, function: &Function) -> bool {
        let file = function.name.span.file;
        let first = self.functions.iter().find(|f| f.name.span.file == file);
        first.is_some_and(|f| f.name.span == function.name.span)
    }

    /// Whether a function may call itself: it, or a function that it mentions, mentions it.
    pub fn is_recursive(&self, function: &Function) -> bool {
        self.recursive.contains(&function.name.span)
    }

    fn callees(&self, function: &Function) -> Vec<Span> {
        let file = function.name.span.file;
        let names = mentions::of_function(function);
        names.iter().filter_map(|n| self.find(n, file)).map(|f| f.name.span).collect()
    }

    /// Whether one of these functions is the wanted one, or calls it.
    fn reaches(&self, calls: &[Vec<Span>], from: &[Span], wanted: Span) -> bool {
        let mut seen: BTreeSet<Span> = from.iter().copied().collect();
        let mut open: Vec<Span> = from.to_vec();
        while let Some(next) = open.pop() {
            let at = self.functions.iter().position(|f| f.name.span == next);
            open.extend(at.iter().flat_map(|at| &calls[*at]).copied().filter(|s| seen.insert(*s)));
        }
        seen.contains(&wanted)
    }
}
