//! A macro's input as plain tokens.

use super::Token;
use crate::source::LineCol;
use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};

/// All tokens in order, with what the compiler knows of their places; brackets are tokens too.
pub fn tokens(stream: TokenStream) -> Vec<(Token, Span)> {
    let mut found = Vec::new();
    flatten(stream, &mut found);
    found
}

fn flatten(stream: TokenStream, found: &mut Vec<(Token, Span)>) {
    for tree in stream {
        let TokenTree::Group(group) = tree else {
            found.push(token(tree.to_string(), tree.span()));
            continue;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => {
                flatten(group.stream(), found);
                continue;
            }
        };
        found.push(token(open.into(), group.span_open()));
        flatten(group.stream(), found);
        found.push(token(close.into(), group.span_close()));
    }
}

fn token(text: String, span: Span) -> (Token, Span) {
    (Token { text, start: place(span.start()), end: place(span.end()) }, span)
}

/// A place as people count: from column 1.
fn place(at: LineColumn) -> LineCol {
    LineCol { line: at.line as u32, col: at.column as u32 + 1 }
}
