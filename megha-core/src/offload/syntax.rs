//! From Rust's syntax to the loop AST: `#[offload]`.
//!
//! Nothing is decided here but which syntax the loop AST can hold; what it cannot is reported where it stands, all of it
//! at once. The types of numbers, names and shapes are the compiler's business.

mod around;
mod arrays;
mod attributes;
mod azip;
mod calls;
mod closures;
mod compared;
mod complex;
mod constants;
mod course;
mod describe;
mod elementwise;
mod ends;
mod exchange;
mod expr;
mod file;
#[cfg(test)]
mod footprints;
mod helpers;
mod if_let;
mod instances;
mod items;
mod iterate;
mod local_arrays;
mod locals;
mod made_at_once;
mod matches;
mod names;
mod ndarray_sums;
mod new_arrays;
pub mod of_file;
mod optional;
mod options;
mod order;
mod outer;
mod outer_arrays;
#[cfg(test)]
mod polybench;
mod reduce;
mod scope;
mod signature;
mod slices;
mod stages;
mod stmt;
mod stretches;
#[cfg(test)]
mod strides;
mod tuples;
mod whole;
mod zipped;

use crate::cpu::Position;
use crate::diag::Code;
use crate::offload::ast::{Function, Param, ParamType, SpanId, Stmt};
use crate::offload::{Body, LoopNote, Problem};
use closures::Closure;
use helpers::Helper;
use instances::Instance;
use options::{Options, not_parallel};
use outer::{Given, Outer, Place};
use proc_macro2::{Group, LexError, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use scope::Known;
use syn::ItemFn;

/// The function with a new body; if there are mistakes, they stand in its place.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let options = match Options::of(attribute) {
        Ok(options) => options,
        Err(error) => {
            let message = format!("{error} [{}]", Code::UnsupportedLoop);
            return [quote_spanned!(error.span() => ::core::compile_error! { #message }), item].into_iter().collect();
        }
    };
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let message = format!("`#[offload]` stands before a function ({error}) [{}]", Code::UnsupportedLoop);
            return [quote_spanned!(error.span() => ::core::compile_error! { #message }), item].into_iter().collect();
        }
    };
    let mut compiled = Vec::new();
    for instance in options.instances() {
        match compiled_for(&function, &instance, &options, None) {
            Ok(one) => compiled.push(one),
            Err(converter) => return converter.errors(&function),
        }
    }
    match assemble(&function, &compiled) {
        Ok(tokens) => tokens,
        Err(error) => {
            let message = format!("Megha made code that Rust cannot read ({error}); please report this");
            quote!(::core::compile_error! { #message })
        }
    }
}

/// A function compiled for one instance of its type parameters.
struct Compiled {
    /// Its forms, the first whose condition holds to be chosen.
    bodies: Vec<Body>,
    ast: Function,
    converter: Converter,
}

impl Compiled {
    /// The names of parameters, with where they stand in the signature.
    fn names(&self) -> Vec<(String, Span)> {
        let name = |param: &Param| {
            let name = if let ParamType::Constant(_) = param.ty { &param.value } else { &param.name.text };
            (name.clone(), self.converter.ends(param.name.span).0)
        };
        self.ast.params.iter().map(name).collect()
    }

    /// What became of its loops: the last form is for all calls, and says what others do better.
    fn loops(&self) -> &[LoopNote] {
        self.bodies.last().map_or(&[][..], |body| &body.loops)
    }
}

/// Compiles an instance; of a function that is not in a macro call, the file is given.
///
/// # Errors
/// What was read, with all problems.
fn compiled_for(
    function: &ItemFn,
    instance: &Instance,
    options: &Options,
    given: Option<&Given>,
) -> Result<Compiled, Box<Converter>> {
    let (mut ast, mut converter) = convert_for(function, instance, given);
    ast.rounding = options.rounding;
    if !converter.problems.is_empty() {
        return Err(Box::new(converter));
    }
    let bodies = crate::offload::bodies(&ast, "::megha::rt", &|span| converter.position(span));
    let bodies = match bodies {
        Ok(bodies) => bodies,
        Err(problems) => {
            converter.problems = problems;
            return Err(Box::new(converter));
        }
    };
    let mut compiled = Compiled { bodies, ast, converter };
    if options.parallel {
        let problems = not_parallel(compiled.loops());
        compiled.converter.problems = problems;
        if !compiled.converter.problems.is_empty() {
            return Err(Box::new(compiled.converter));
        }
    }
    if options.explain {
        let checks = compiled.converter.notes(compiled.loops());
        compiled.converter.checks.extend(checks);
    }
    Ok(compiled)
}

/// The function with the generated modules and, for calls that they are not made for, its plain body.
fn assemble(function: &ItemFn, compiled: &[Compiled]) -> Result<TokenStream, LexError> {
    let ItemFn { attrs, vis, sig, block, .. } = function;
    let mut ways = TokenStream::new();
    let forms = compiled.iter().flat_map(|one| one.bodies.iter().map(move |body| (one, body)));
    for (one, body) in forms {
        let (instance, names) = (&one.converter.instance, one.names());
        let module: TokenStream = body.module.parse()?;
        let call = instance.call(at_parameters(body.call.parse()?, &names), one.ast.fallible, &sig.output);
        let condition = body.condition.as_deref().unwrap_or("true");
        let condition = at_parameters(condition.parse()?, &names);
        let condition = instance.condition().map_or_else(|| condition.clone(), |is| quote!(#is && #condition));
        ways.extend(quote!(if #condition { #module #call } else));
    }
    // Of several instances, what is asked and said is the same.
    let checks = compiled.first().map_or(&[][..], |first| &first.converter.checks);
    // Rust sees the plain body in any case, and says what is wrong with it.
    let fallible = compiled.iter().any(|one| one.ast.fallible);
    let plain = if fallible { caught(function) } else { block.to_token_stream() };
    Ok(quote!(#(#attrs)* #vis #sig { #(#checks)* #ways #plain }))
}

/// The plain body of a function that gives a `Result`, whose panics are errors.
fn caught(function: &ItemFn) -> TokenStream {
    let ItemFn { sig, block, .. } = function;
    let (name, output) = (sig.ident.to_string(), &sig.output);
    let site = quote_spanned!(sig.ident.span() => ::megha::rt::Site {
        path: ::core::file!(), line: ::core::line!(), column: ::core::column!(), text: #name
    });
    quote!({
        static MEGHA_SITE: ::megha::rt::Site = #site;
        ::megha::rt::fallback::caught(&MEGHA_SITE, || #output #block)
    })
}

/// Code with the names of parameters as they stand in the signature, which may come from another macro.
fn at_parameters(stream: TokenStream, names: &[(String, Span)]) -> TokenStream {
    let respan = |tree| match tree {
        TokenTree::Ident(mut ident) => {
            if let Some((_, span)) = names.iter().find(|(name, _)| ident == name) {
                ident.set_span(*span);
            }
            TokenTree::Ident(ident)
        }
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), at_parameters(group.stream(), names)))
        }
        other => other,
    };
    stream.into_iter().map(respan).collect()
}

/// The loop AST of a function, as far as there is one, with its positions and what is wrong.
fn convert_for(function: &ItemFn, instance: &Instance, given: Option<&Given>) -> (Function, Converter) {
    let (outer, instance) = (Outer::of(&function.sig.ident, given.cloned()), instance.clone());
    let mut converter = Converter { outer, instance, ..Converter::default() };
    let ast = converter.function(function);
    (ast, converter)
}

#[cfg(test)]
fn convert(function: &ItemFn) -> (Function, Converter) {
    convert_for(function, &Instance::default(), None)
}

/// The state of a conversion.
#[derive(Default)]
struct Converter {
    /// The first and the last token of what each number stands for.
    spans: Vec<(Span, Span)>,
    problems: Vec<Problem>,
    /// What names mean, the innermost last.
    scope: Vec<Known>,
    /// The loops around the current statement.
    around: Vec<around::Around>,
    /// Constants from outside of the function.
    constants: Vec<Param>,
    /// The constant arrays of blocks, by their names in the loop AST.
    constant_arrays: Vec<String>,
    /// The constant arrays of the file that are used, those by paths of several words, and what makes them.
    outer_arrays: Vec<outer_arrays::OuterArray>,
    array_paths: Vec<outer_arrays::ByPath>,
    head: Vec<Stmt>,
    /// The names of the parameters.
    parameters: Vec<String>,
    /// The functions inside of this one.
    helpers: Vec<Helper>,
    /// The closures that have a name.
    closures: Vec<Closure>,
    /// Whether the function gives a `megha::Result`.
    fallible: bool,
    /// How many helper functions and closures are around the current statement.
    within: usize,
    /// How many names have been made.
    fresh: usize,
    /// What Rust is asked beside the function.
    checks: Vec<TokenStream>,
    /// The paths by which the type of complex numbers is named.
    complex_names: Vec<String>,
    /// Parameters that exchange what they refer to.
    exchanges: Vec<exchange::Exchanged>,
    /// Arrays of the function's own whose rows are dense, arrays that are exchanged, and those whose strides something depends on, with where.
    in_order: Vec<String>,
    /// Arrays of one dimension of the function's own whose elements are neighbours, unless one of these goes backwards.
    straight: Vec<(String, Vec<scope::View>)>,
    exchanged_arrays: Vec<String>,
    strides_asked: Vec<(String, (Span, Span))>,
    /// The parameters that are references to views.
    lent_views: Vec<String>,
    /// How often `return` is written, and how many numbers it gives.
    returns: usize,
    result_count: usize,
    /// What the type parameters stand for.
    instance: Instance,
    /// A trait that bounds them and may mean anything.
    unknown_bound: Option<String>,
    /// Whether there are other type parameters: nothing follows from them.
    has_open_types: bool,
    outer: Outer,
    /// Where names are looked up.
    place: Place,
    /// The call of a function of the file that is expanded: its own positions mean nothing.
    call: Option<(Span, Span)>,
}

impl Converter {
    /// A new number for a position.
    fn span(&mut self, at: &impl ToTokens) -> SpanId {
        let mut tokens = at.to_token_stream().into_iter();
        let first = tokens.next().map_or_else(Span::call_site, |token| token.span());
        let last = tokens.last().map_or(first, |token| token.span());
        self.spans.push(self.call.unwrap_or((first, last)));
        SpanId((self.spans.len() - 1) as u32)
    }

    /// Reports something that is not taken.
    fn refuse(&mut self, at: &impl ToTokens, message: impl Into<String>, help: &str) {
        self.problem(Code::UnsupportedLoop, at, message, help);
    }

    fn problem(&mut self, code: Code, at: &impl ToTokens, message: impl Into<String>, help: &str) {
        let span = self.span(at);
        let help = (!help.is_empty()).then(|| help.to_owned());
        self.problems.push(Problem { code, span, message: message.into(), help });
    }

    /// The first and the last token of a position.
    fn ends(&self, span: SpanId) -> (Span, Span) {
        self.spans.get(span.0 as usize).copied().unwrap_or((Span::call_site(), Span::call_site()))
    }

    fn position(&self, span: SpanId) -> Option<Position> {
        let (span, last) = *self.spans.get(span.0 as usize)?;
        let start = span.start();
        let whole = self.outer.text(span, last).or_else(|| span.source_text());
        let text = whole.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let path = self.outer.given_name().map_or_else(|| span.file(), str::to_owned);
        Some(Position { path, line: start.line as u32, column: start.column as u32 + 1, text })
    }

    /// The function with all messages as its body: it is not missing elsewhere, and rustc has nothing to say about what it held.
    fn errors(&self, function: &ItemFn) -> TokenStream {
        let ItemFn { attrs, vis, sig, .. } = function;
        let messages = self.problems.iter().map(|problem| {
            let text = self.instance.said(problem);
            let (first, last) = self.ends(problem.span);
            // From the first token to the last: Rust joins what a macro call begins and ends with.
            let path = quote_spanned!(first => ::core::compile_error!);
            let text = quote_spanned!(last => { #text });
            quote!(#path #text)
        });
        quote!(#(#attrs)* #[allow(unused_variables, unused_mut)] #vis #sig { #(#messages)* ::core::unreachable!() })
    }
}

#[cfg(test)]
mod tests;
