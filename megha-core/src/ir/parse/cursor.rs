//! The position in the list of tokens.

use super::ParseError;
use crate::ir::lex::{Tok, Token};
use crate::ir::{Class, Const};

pub(super) struct Cursor {
    pub tokens: Vec<Token>,
    pub pos: usize,
}

/// How a token is called in messages.
pub(super) fn describe(tok: &Tok) -> String {
    match tok {
        Tok::Word(word) => format!("`{word}`"),
        Tok::Text(_) => "a text".to_owned(),
        Tok::Number(n) => format!("`%{n}`"),
        Tok::Name(name) => format!("`%{name}`"),
        Tok::Func(name) => format!("`@{name}`"),
        Tok::Loc(n) => format!("`!{n}`"),
        Tok::Int { value, .. } => format!("`{value}`"),
        Tok::Float { value, .. } => format!("`{value:?}`"),
        Tok::Punct(p) => format!("`{p}`"),
        Tok::End => "the end of the text".to_owned(),
    }
}

impl Cursor {
    /// `tokens` ends with [`Tok::End`].
    pub fn new(tokens: Vec<Token>) -> Self {
        Self { tokens, pos: 0 }
    }

    pub fn peek(&self) -> &Tok {
        self.peek_at(0)
    }

    pub fn peek_at(&self, ahead: usize) -> &Tok {
        self.tokens.get(self.pos + ahead).map_or(&Tok::End, |t| &t.tok)
    }

    pub fn at_end(&self) -> bool {
        *self.peek() == Tok::End
    }

    pub fn bump(&mut self) {
        self.pos = (self.pos + 1).min(self.tokens.len().saturating_sub(1));
    }

    /// An error at the current token.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        let (line, column) = self.tokens.get(self.pos).map_or((1, 1), |t| (t.line, t.column));
        ParseError { line, column, message: message.into() }
    }

    /// The error that something else stands here.
    pub fn expected(&self, what: &str) -> ParseError {
        self.error(format!("{what} is expected here, not {}", describe(self.peek())))
    }

    pub fn is(&self, punct: &str) -> bool {
        matches!(self.peek(), Tok::Punct(p) if *p == punct)
    }

    pub fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    pub fn expect(&mut self, punct: &str) -> Result<(), ParseError> {
        if self.eat(punct) { Ok(()) } else { Err(self.expected(&format!("`{punct}`"))) }
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Tok::Word(w) if w == word)
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub fn expect_word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// A word or a text in quotes.
    pub fn name(&mut self, what: &str) -> Result<String, ParseError> {
        match self.peek().clone() {
            Tok::Word(name) | Tok::Text(name) => {
                self.bump();
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub fn text(&mut self) -> Result<String, ParseError> {
        match self.peek().clone() {
            Tok::Text(text) => {
                self.bump();
                Ok(text)
            }
            _ => Err(self.expected("a text in quotes")),
        }
    }

    pub fn index(&mut self, what: &str) -> Result<u32, ParseError> {
        match self.peek() {
            Tok::Int { value, class: None, .. } if u32::try_from(*value).is_ok() => {
                let value = *value as u32;
                self.bump();
                Ok(value)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// `#3`, if it is here.
    pub fn number_sign(&mut self) -> Result<Option<u32>, ParseError> {
        if self.eat("#") { self.index("a number").map(Some) } else { Ok(None) }
    }

    pub fn signed(&mut self) -> Result<i64, ParseError> {
        match self.literal()? {
            Some((Const::Int(value), None)) => Ok(value),
            _ => Err(self.expected("an integer")),
        }
    }

    /// A number or truth value with the class of its suffix, if one is here.
    pub fn literal(&mut self) -> Result<Option<(Const, Option<Class>)>, ParseError> {
        let negative = self.eat("-");
        let found = match self.peek().clone() {
            Tok::Int { value, hex, class } => {
                let int = integer(value, hex, negative);
                (Const::Int(int.ok_or_else(|| self.error("this integer does not fit into 64 bits"))?), class)
            }
            Tok::Float { value, class } => (Const::Float(if negative { -value } else { value }), class),
            Tok::Word(word) => match word.as_str() {
                "inf" => (Const::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }), None),
                "nan" if !negative => (Const::Float(self.nan()?), None),
                "true" | "false" if !negative => (Const::Bool(word == "true"), None),
                _ if negative => return Err(self.expected("a number")),
                _ => return Ok(None),
            },
            _ if negative => return Err(self.expected("a number")),
            _ => return Ok(None),
        };
        self.bump();
        Ok(Some(found))
    }

    /// The value of `nan` or `nan(bits)`; stays on the last token of it.
    fn nan(&mut self) -> Result<f64, ParseError> {
        match (self.peek_at(1), self.peek_at(2), self.peek_at(3)) {
            (Tok::Punct("("), Tok::Int { value, .. }, Tok::Punct(")")) if f64::from_bits(*value).is_nan() => {
                let value = f64::from_bits(*value);
                self.pos += 3;
                Ok(value)
            }
            (Tok::Punct("("), ..) => Err(self.error("`nan(..)` takes the 64 bits of a NaN")),
            _ => Ok(f64::NAN),
        }
    }
}

/// The signed value of an integer literal; hexadecimal digits are the bits.
fn integer(value: u64, hex: bool, negative: bool) -> Option<i64> {
    match (hex, negative) {
        (true, false) => Some(value.cast_signed()),
        (false, false) => i64::try_from(value).ok(),
        (_, true) => i64::try_from(-i128::from(value)).ok(),
    }
}
