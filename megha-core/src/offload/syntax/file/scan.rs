//! Items by their first words: where each begins and ends, and its name.

use super::lex::{Lexer, Token};
use super::{Item, Kind, Module};
use std::ops::Range;

/// The modules of a text, the text itself first.
pub fn modules(text: &str) -> Vec<Module> {
    let mut modules = vec![Module { body: 0..text.len(), ..Module::default() }];
    let mut lexer = Lexer { text, at: 0 };
    items(&mut lexer, 0, &mut modules);
    modules
}

/// The items in the first braces of a text's part, as an `impl` has them.
pub fn methods(text: &str, part: Range<usize>) -> Vec<Item> {
    let mut lexer = Lexer { text: &text[..part.end], at: part.start };
    while let Some((token, _)) = lexer.next() {
        match token {
            Token::Open(b'{') => {
                let mut modules = vec![Module::default()];
                items(&mut lexer, 0, &mut modules);
                return modules.swap_remove(0).items;
            }
            Token::Open(_) => lexer.group(),
            Token::Close | Token::Word(_) | Token::Literal | Token::Mark(_) => {}
        }
    }
    Vec::new()
}

/// Items up to the end of the text or of the braces around them.
fn items(lexer: &mut Lexer<'_>, module: usize, modules: &mut Vec<Module>) {
    loop {
        lexer.gap();
        let from = lexer.at;
        let mut head = Head { conditional: false, public: false };
        let Some(first) = attributes(lexer, &mut head) else { return };
        let found = match first {
            (Token::Close, _) => return,
            (Token::Word(word), at) => item(lexer, word, at, module, modules),
            (Token::Open(_), _) => {
                lexer.group();
                continue;
            }
            (Token::Literal | Token::Mark(_), _) => continue,
        };
        let Head { conditional, public } = head;
        let (kind, name, at) = found;
        let text = from..lexer.at;
        modules[module].items.push(Item { kind, name, at, text, conditional, public });
    }
}

/// What stands before an item.
struct Head {
    conditional: bool,
    public: bool,
}

/// Goes past attributes and the visibility, and gives the first token behind them.
fn attributes<'t>(lexer: &mut Lexer<'t>, head: &mut Head) -> Option<(Token<'t>, usize)> {
    loop {
        let (token, at) = lexer.next()?;
        match token {
            Token::Mark(b'#') => {
                let mut next = lexer.next()?;
                if next.0 == Token::Mark(b'!') {
                    next = lexer.next()?;
                }
                if let Token::Open(_) = next.0 {
                    let from = lexer.at;
                    lexer.group();
                    head.conditional |= lexer.text[from..lexer.at].trim_start().starts_with("cfg");
                }
            }
            Token::Word("pub") => {
                head.public = true;
                let before = lexer.clone();
                match lexer.next()? {
                    (Token::Open(b'('), _) => lexer.group(),
                    _ => *lexer = before,
                }
            }
            other => return Some((other, at)),
        }
    }
}

/// An item by its first word: its kind, name and where the name stands.
fn item(
    lexer: &mut Lexer<'_>,
    first: &str,
    at: usize,
    module: usize,
    modules: &mut Vec<Module>,
) -> (Kind, String, usize) {
    match first {
        "const" | "static" | "unsafe" | "async" | "extern" | "fn" => return function_or_constant(lexer, first, at),
        "type" => return named(lexer, Kind::Alias, true),
        "use" => {
            end(lexer, false);
            return (Kind::Import, String::new(), at);
        }
        "impl" => {
            end(lexer, true);
            return (Kind::Methods, String::new(), at);
        }
        "struct" | "enum" | "union" | "trait" => return named(lexer, Kind::Other, false),
        "mod" => {
            let (name, at) = word(lexer);
            if !matches!(lexer.next(), Some((Token::Open(_), _))) {
                return (Kind::Other, name, at);
            }
            let number = modules.len();
            modules.push(Module { parent: Some((module, name.clone())), body: lexer.at..0, items: Vec::new() });
            items(lexer, number, modules);
            modules[number].body.end = lexer.at;
            return (Kind::Module(number), name, at);
        }
        _ => {}
    }
    call(lexer, first, at)
}

/// `const`, `static` and functions, whose first words they share.
fn function_or_constant(lexer: &mut Lexer<'_>, first: &str, at: usize) -> (Kind, String, usize) {
    let mut keyword = first.to_owned();
    loop {
        if keyword == "fn" {
            return named(lexer, Kind::Function, false);
        }
        let before = lexer.clone();
        match (lexer.next(), &keyword[..]) {
            (Some((Token::Word(word @ ("fn" | "unsafe" | "async" | "extern" | "const")), _)), _) => {
                keyword = word.to_owned();
            }
            // The name of an ABI.
            (Some((Token::Literal, _)), _) => {}
            (Some((Token::Word("mut"), _)), "static") => return named(lexer, Kind::Other, true),
            (Some((Token::Word(name), at)), "const" | "static") => {
                end(lexer, false);
                return (Kind::Constant, name.to_owned(), at);
            }
            _ => {
                *lexer = before;
                end(lexer, true);
                return (Kind::Other, String::new(), at);
            }
        }
    }
}

/// A call of a macro, or `macro_rules!`.
fn call(lexer: &mut Lexer<'_>, first: &str, at: usize) -> (Kind, String, usize) {
    let mut name = (first.to_owned(), at);
    let mut kind = Kind::Other;
    loop {
        let before = lexer.clone();
        match lexer.next() {
            Some((Token::Mark(b'!'), _)) if first == "macro_rules" => {
                name = word(lexer);
                kind = Kind::Rules;
            }
            Some((Token::Mark(b'!'), _)) => kind = Kind::Call,
            Some((Token::Mark(b';'), _)) | None => return (kind, name.0, name.1),
            Some((Token::Open(bracket), _)) => {
                lexer.group();
                if bracket == b'{' {
                    return (kind, name.0, name.1);
                }
            }
            Some((Token::Word(word), at)) => name = (word.to_owned(), at),
            Some((Token::Close, _)) => {
                *lexer = before;
                return (kind, name.0, name.1);
            }
            Some((Token::Literal | Token::Mark(_), _)) => {}
        }
    }
}

/// An item whose name comes next; `;` ends it, or (unless it has a value) braces.
fn named(lexer: &mut Lexer<'_>, kind: Kind, has_value: bool) -> (Kind, String, usize) {
    let (name, at) = word(lexer);
    end(lexer, !has_value);
    (kind, name, at)
}

fn word(lexer: &mut Lexer<'_>) -> (String, usize) {
    match lexer.next() {
        Some((Token::Word(word), at)) => (word.to_owned(), at),
        _ => (String::new(), lexer.at),
    }
}

/// Goes to the end of an item.
fn end(lexer: &mut Lexer<'_>, at_braces: bool) {
    loop {
        let before = lexer.clone();
        match lexer.next() {
            Some((Token::Open(b'{'), _)) if at_braces => return lexer.group(),
            Some((Token::Open(_), _)) => lexer.group(),
            Some((Token::Mark(b';'), _)) | None => return,
            // The end of what is around it.
            Some((Token::Close, _)) => {
                *lexer = before;
                return;
            }
            Some((Token::Word(_) | Token::Literal | Token::Mark(_), _)) => {}
        }
    }
}
