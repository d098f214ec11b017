//! The procedural macros of Megha: a thin shell around `megha_core`. Use them through the crate `megha`.
//!
//! Tokens become plain data with positions, [`megha_core::driver::macros`] decides everything, and its messages go back to
//! the tokens that they are about.

use megha_core::driver::macros::{Expansion, Input, Message, Token, expand, tokens};
use megha_core::source::LineCol;
use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Compiles MATLAB to Rust functions, or to an expression.
///
/// ```text
/// megha::matlab! {                                  // functions with `arguments` blocks: `pub fn saxpy(..)`
///     function y = saxpy(a, x, y0)
///     arguments
///         a  (1,1) double
///         x  (n,1) double
///         y0 (n,1) double
///     end
///     y = a .* x + y0;
///     end
/// }
/// // Statements over Rust variables; the value is a `megha::Result`. Several results: `-> (y, z)`.
/// let y = megha::matlab!(|a: f64, x: f64[n, 1]| -> y { y = exp(-a) .* x; })?;
/// // A file, relative to this one; types from its `arguments` block, from a comment `% megha: fn ..`, or from here.
/// megha::matlab!(file "matlab/fdtd.m", pub fn fdtd as simulate(lx: f64, nx: usize) -> (ex: f64[nx, :], hx));
/// // A string: everything that Rust's own lexer refuses, such as `A'`.
/// megha::matlab!(r#"function c = outer(x) ... c = x * x'; end"#);
/// ```
///
/// Types are `f64`, `f32`, `bool`, `i8` to `i64`, `u8` to `u64` (MATLAB's integer classes) and `usize` (a count: a whole
/// `double`), followed by sizes: `f64[n, 2*m + 1]`, `f64[:, 3]`; `f64[n]` is a column. Arrays are passed by reference, as any
/// `ndarray` array or view.
#[proc_macro]
pub fn matlab(input: TokenStream) -> TokenStream {
    let call = Span::call_site();
    let (tokens, spans): (Vec<Token>, Vec<Span>) =
        tokens(input.clone().into()).into_iter().map(|(token, span)| (token, span.unwrap())).unzip();
    let expansion = expand(&Input {
        call: call.source_text(),
        start: Some(place(call.start())),
        file: call.local_file(),
        name: call.file(),
        tokens,
        printed: input.to_string(),
        package: std::env::var_os("CARGO_MANIFEST_DIR").map(Into::into),
    });
    emit(expansion, &spans)
}

/// Compiles a Rust loop nest over ndarray views. Without the attribute the function means the same.
#[proc_macro_attribute]
pub fn offload(attribute: TokenStream, item: TokenStream) -> TokenStream {
    megha_core::offload::syntax::expand(attribute.into(), item.into()).into()
}

fn place(at: Span) -> LineCol {
    LineCol { line: at.line() as u32, col: at.column() as u32 }
}

/// The code and all messages. The first error stands in the place of what could not be made (a value, or the
/// contents of a module), so that rustc knows that it is missing and does not report what follows from that.
fn emit(expansion: Expansion, spans: &[Span]) -> TokenStream {
    let Expansion { code, messages, expression, missing, editor } = expansion;
    let whole = (Span::call_site(), Span::call_site());
    let place = |m: &Message| m.tokens.and_then(|(a, b)| Some((*spans.get(a)?, *spans.get(b)?))).unwrap_or(whole);
    let (warnings, errors): (Vec<Message>, Vec<Message>) = messages.into_iter().partition(|m| m.warning);
    let mut out: TokenStream = warnings.iter().map(|m| deprecation(&m.text, place(m).0)).collect();
    let mut errors = errors.iter().map(|m| compile_error(&m.text, place(m).0, place(m).1));
    if let Some(editor) = editor {
        return for_editors(&editor, errors.collect(), expression);
    }
    let first = errors.next().unwrap_or_default();
    out.extend(errors);
    match missing {
        Some(module) => {
            out.extend(parse(&format!("mod {module}")));
            out.extend([TokenTree::Group(Group::new(Delimiter::Brace, first))]);
            out.extend(parse(&code));
        }
        None => out.extend([parse(&code), first]),
    }
    if !expression {
        return out;
    }
    TokenStream::from(TokenTree::Group(Group::new(Delimiter::Brace, out)))
}

/// Code for editors, which set `rust_analyzer`, and errors for rustc.
fn for_editors(editor: &str, errors: TokenStream, expression: bool) -> TokenStream {
    let errors = TokenStream::from(TokenTree::Group(Group::new(Delimiter::Brace, errors)));
    let mut out = parse("#[cfg(not(rust_analyzer))]");
    if !expression {
        out.extend([parse("const _: () ="), errors, parse(";"), parse(editor)]);
        return out;
    }
    let value = format!("; #[cfg(rust_analyzer)] let megha_value = {editor}; megha_value");
    out.extend([parse("let megha_value ="), errors, parse(&value)]);
    TokenStream::from(TokenTree::Group(Group::new(Delimiter::Brace, out)))
}

/// Code as tokens; what cannot be read is a mistake in the compiler, which is said.
fn parse(code: &str) -> TokenStream {
    code.parse().unwrap_or_else(|error| {
        let message = format!("Megha made code that Rust cannot read ({error}); please report this");
        compile_error(&message, Span::call_site(), Span::call_site())
    })
}

/// `::core::compile_error! { "message" }` about the tokens from `first` to `last`.
fn compile_error(message: &str, first: Span, last: Span) -> TokenStream {
    let punct = |c, spacing| {
        let mut punct = Punct::new(c, spacing);
        punct.set_span(first);
        TokenTree::Punct(punct)
    };
    let mut text = Literal::string(message);
    text.set_span(last);
    let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
    group.set_span(last);
    [
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        TokenTree::Ident(Ident::new("core", first)),
        punct(':', Spacing::Joint),
        punct(':', Spacing::Alone),
        TokenTree::Ident(Ident::new("compile_error", first)),
        punct('!', Spacing::Alone),
        TokenTree::Group(group),
    ]
    .into_iter()
    .collect()
}

/// A use of something deprecated: the one kind of warning that a macro can give.
fn deprecation(message: &str, place: Span) -> TokenStream {
    let code = format!("const _: () = {{ #[deprecated(note = {message:?})] struct Warning; let _ = Warning; }};");
    located_at(parse(&code), place)
}

/// The same tokens, as if all identifiers stood at this place.
fn located_at(stream: TokenStream, place: Span) -> TokenStream {
    let at = |tree: TokenTree| match tree {
        TokenTree::Ident(mut ident) => {
            ident.set_span(ident.span().located_at(place));
            TokenTree::Ident(ident)
        }
        TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), located_at(group.stream(), place))),
        other => other,
    };
    stream.into_iter().map(at).collect()
}
