//! What of a Rust file Megha compiles: its `#[offload]` functions and its calls of `matlab!`, for the command.
//!
//! The file is parsed whole, and each of them gets what its macro would be given. Those that a macro of the file's own makes are not seen.

use super::file::File;
use super::options::Options;
pub(crate) use super::outer::Given;
use super::{Compiled, Converter, compiled_for};
use crate::diag::{Code, Diagnostic};
use crate::driver::macros::{Input, tokens};
use crate::lower::SpanTable;
use crate::offload::{Body, LoopNote};
use crate::source::{LineCol, SourceFile};
use proc_macro2::{LineColumn, Span, TokenStream};
use quote::ToTokens;
use std::path::Path;
use std::sync::Arc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, ItemFn, Macro, Meta};

/// Something that Megha compiles.
pub enum Found {
    /// A function with the tokens of its attribute.
    Function(Box<(TokenStream, ItemFn)>),
    /// A call of `matlab!`.
    Call(Box<Input>),
}

/// An offloaded function, compiled for one instance of its type parameters.
#[derive(Debug)]
pub struct Offloaded {
    /// Its name.
    pub name: String,
    /// What the type parameters stand for, as in "`T` = f32"; empty without any.
    pub instance: String,
    /// Its forms, the first whose condition holds to be chosen; the last is for all calls.
    pub bodies: Vec<Body>,
    /// The places that locations in them stand for.
    pub spans: SpanTable,
    /// The places of loops and what became of them, in the order of the source.
    pub loops: Vec<(crate::source::Span, LoopNote)>,
}

/// All that Megha compiles of a file, in order.
///
/// # Errors
/// What is no Rust.
pub fn find(source: &SourceFile, path: &Path) -> Result<Vec<Found>, Vec<Diagnostic>> {
    let mut finder = Finder { source, path, found: Vec::new() };
    match syn::parse_file(source.text()) {
        Ok(file) => {
            finder.visit_file(&file);
            Ok(finder.found)
        }
        Err(errors) => Err(errors.into_iter().map(|error| no_rust(source, &error)).collect()),
    }
}

fn no_rust(source: &SourceFile, error: &syn::Error) -> Diagnostic {
    let span = place(source, (error.span(), error.span()));
    Diagnostic::error(Code::UnreadableRust, span, format!("this is no Rust: {error}"))
}

struct Finder<'a> {
    source: &'a SourceFile,
    path: &'a Path,
    found: Vec<Found>,
}

impl Finder<'_> {
    /// Takes a function with the attribute.
    fn function(&mut self, mut function: ItemFn) {
        let Some(at) = function.attrs.iter().position(|attribute| is_last(attribute.path(), "offload")) else { return };
        let attribute = arguments(&function.attrs.remove(at));
        self.found.push(Found::Function(Box::new((attribute, function))));
    }
}

impl<'f> Visit<'f> for Finder<'_> {
    fn visit_item_fn(&mut self, function: &'f ItemFn) {
        self.function(function.clone());
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'f ImplItemFn) {
        // As the macro reads it; one with `default` is none for it either.
        if let Ok(function) = syn::parse2(function.to_token_stream()) {
            self.function(function);
        }
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_macro(&mut self, call: &'f Macro) {
        if !is_last(&call.path, "matlab") {
            return;
        }
        let (start, end) = (call.path.span().start(), call.delimiter.span().close().end());
        let [from, to] = [start, end].map(|at| self.source.offset(line_col(at)).unwrap_or_default());
        let whole = crate::source::Span::new(self.source.id(), from, to);
        self.found.push(Found::Call(Box::new(Input {
            call: Some(self.source.slice(whole).to_owned()),
            start: Some(line_col(start)),
            file: Some(self.path.to_owned()),
            name: self.source.name().to_owned(),
            tokens: tokens(call.tokens.clone()).into_iter().map(|(token, _)| token).collect(),
            printed: call.tokens.to_string(),
            package: None,
        })));
    }
}

/// Whether a path ends in a name: macros are called by any path.
fn is_last(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}

/// What stands in an attribute's brackets.
fn arguments(attribute: &Attribute) -> TokenStream {
    match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    }
}

/// What names in a file mean.
pub(crate) fn given(source: &SourceFile) -> Given {
    Given { name: source.name().to_owned(), file: Arc::new(File::of(source.text().to_owned())) }
}

/// A function compiled for each instance that its attribute names, and what is wrong with it.
pub(crate) fn compiled(
    (attribute, function): &(TokenStream, ItemFn),
    given: &Given,
    source: &SourceFile,
) -> (Vec<Offloaded>, Vec<Diagnostic>) {
    let options = match Options::of(attribute.clone()) {
        Ok(options) => options,
        Err(error) => {
            let span = place(source, (error.span(), error.span()));
            return (Vec::new(), vec![Diagnostic::error(Code::UnsupportedLoop, span, error.to_string())]);
        }
    };
    let (mut done, mut wrong) = (Vec::new(), Vec::new());
    for instance in options.instances() {
        match compiled_for(function, &instance, &options, Some(given)) {
            Ok(Compiled { bodies, converter, .. }) => {
                let (name, spans) = (function.sig.ident.to_string(), converter.places(source));
                let loops = bodies.last().map_or_else(Vec::new, |body| body.loops.clone());
                let at = |note: LoopNote| (place(source, converter.ends(note.span)), note);
                let mut loops: Vec<_> = loops.into_iter().map(at).collect();
                loops.sort_by_key(|(span, _)| *span);
                done.push(Offloaded { name, instance: instance.to_string(), bodies, spans, loops });
            }
            // Other instances likely have the same mistakes.
            Err(converter) => {
                wrong.extend(converter.diagnostics(source));
                break;
            }
        }
    }
    (done, wrong)
}

impl Converter {
    /// The places of all numbers.
    fn places(&self, source: &SourceFile) -> SpanTable {
        SpanTable::of(self.spans.iter().map(|ends| place(source, *ends)).collect())
    }

    /// What is wrong, in order.
    fn diagnostics(&self, source: &SourceFile) -> Vec<Diagnostic> {
        let each = self.problems.iter().map(|problem| {
            let span = place(source, self.ends(problem.span));
            let mut error = Diagnostic::error(problem.code, span, problem.said());
            error.help = problem.help.clone();
            match self.instance.is_empty() {
                true => error,
                false => error.note(format!("with {}", self.instance)),
            }
        });
        each.collect()
    }
}

/// The place from the first token to the last.
fn place(source: &SourceFile, (first, last): (Span, Span)) -> crate::source::Span {
    let [from, to] = [first.start(), last.end()].map(|at| source.offset(line_col(at)).unwrap_or_default());
    crate::source::Span::new(source.id(), from, to.max(from))
}

/// A place as people count: from column 1.
fn line_col(at: LineColumn) -> LineCol {
    LineCol { line: at.line as u32, col: at.column as u32 + 1 }
}
