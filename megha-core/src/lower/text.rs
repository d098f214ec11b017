//! Texts: constants, and messages that are put together at run time.
//!
//! A text that is known when compiling is an `Operand::Text`; functions of such texts are computed here. One that holds
//! numbers computed at run time, `['n = ', num2str(n)]`, is an `Operand::Message`: it can be printed, raised and
//! put into longer messages. Used as numbers, a text is the row of its characters' codes (`characters.rs`).

use super::facts::Facts;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Const, Op, Size, TextOp, Type, Value};
use crate::matlab::ast::{Expr, ExprKind};
use crate::source::Span;

/// A piece of a message.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// Known when compiling.
    Text(String),
    /// A text made at run time from numbers: it holds neither `%` nor a backslash.
    Made(Value),
}

/// A format for pieces one after the other, and the values for it.
pub(super) fn template(pieces: &[Piece]) -> (String, Vec<Value>) {
    let (mut format, mut values) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Text(text) => format += &text.replace('%', "%%"),
            Piece::Made(value) => {
                format += "%s";
                values.push(*value);
            }
        }
    }
    (format, values)
}

impl Operand {
    /// The pieces of a text; `None` if it is something else.
    pub(super) fn pieces(&self) -> Option<Vec<Piece>> {
        match self {
            Self::Text(text) => Some(vec![Piece::Text(text.clone())]),
            Self::Message(pieces) => Some(pieces.clone()),
            Self::Value(_) | Self::Function(_) | Self::List(_) | Self::Struct(_) | Self::Chosen(_) => None,
        }
    }

    /// A text of these pieces.
    pub(super) fn of_pieces(pieces: Vec<Piece>) -> Self {
        let text = |piece: &Piece| if let Piece::Text(text) = piece { Some(text.clone()) } else { None };
        match pieces.iter().map(text).collect::<Option<String>>() {
            Some(text) => Self::Text(text),
            None => Self::Message(pieces),
        }
    }
}

impl Lower<'_> {
    /// A constant text as an argument of a message.
    pub fn text_constant(&mut self, text: &str) -> Value {
        self.builder.push(Op::Const(Const::Text(text.to_owned())), Type::scalar(Class::Char))
    }

    /// A text made at run time.
    pub fn make_text(&mut self, op: TextOp, args: Vec<Value>) -> Value {
        self.builder.push(Op::Text(op, args), Type::scalar(Class::Char))
    }

    /// A text as one value: an argument of a format.
    pub fn text_value(&mut self, pieces: &[Piece]) -> Value {
        match pieces {
            [Piece::Text(text)] => self.text_constant(text),
            [Piece::Made(value)] => *value,
            pieces => {
                let (format, values) = template(pieces);
                let format = self.text_constant(&format);
                self.make_text(TextOp::Format, [vec![format], values].concat())
            }
        }
    }

    /// The codes of a text's characters: a number, or a row.
    pub fn codes(&mut self, text: &str, span: Span) -> Lowered<Value> {
        let codes: Vec<Value> = text.chars().map(|c| self.number(f64::from(u32::from(c)))).collect();
        match codes[..] {
            [] => Ok(self.filled(0.0, Class::Double, vec![Size::constant(0), Size::constant(0)])),
            _ => self.row_of(codes, span),
        }
    }

    /// Scalars in a row: at least one.
    pub fn row_of(&mut self, scalars: Vec<Value>, span: Span) -> Lowered<Value> {
        match scalars[..] {
            [one] => Ok(one),
            _ => self.concat(1, scalars, span),
        }
    }

    /// `text(subscripts)`: a text where they are known, else the codes of the characters.
    pub fn text_index(&mut self, text: &str, args: &[Expr], span: Span) -> Lowered<Operand> {
        if let [arg] = args
            && let ExprKind::Number { value, imaginary: false } = arg.kind
            && value.fract() == 0.0
            && value >= 1.0
        {
            return match text.chars().nth(value as usize - 1) {
                Some(c) => Ok(Operand::Text(c.to_string())),
                None => {
                    let message =
                        format!("subscript {value} is outside the text, which has {} characters", text.chars().count());
                    self.stop(Code::IndexOutOfBounds, span, message)
                }
            };
        }
        let codes = self.codes(text, span)?;
        let codes = self.as_characters(codes);
        let picked = self.index(codes, args, span)?;
        Ok(Operand::Value(picked))
    }

    /// Codes of characters that were picked at run time as a text.
    pub fn characters_text(&mut self, codes: Value, span: Span) -> Lowered<Value> {
        if !self.lies_in_one_row(codes) {
            return self.report(
                Diagnostic::error(Code::TextValue, span, "a text of several rows cannot stand here")
                    .help("take its rows one after the other, A(i, :), or all characters in one row, A(:).'"),
            );
        }
        Ok(self.make_text(TextOp::Characters, vec![codes]))
    }

    /// `['text', num2str(x), ..]`, of which at least one part is a text.
    pub fn text_brackets(&mut self, rows: Vec<Vec<Operand>>, span: Span) -> Lowered<Operand> {
        let [row] = &rows[..] else { return self.character_rows(&rows, span) };
        if row.iter().any(|part| matches!(part, Operand::Value(v) if self.facts(*v).characters)) {
            return self.character_brackets(row, span);
        }
        let mut pieces = Vec::new();
        for part in row {
            match (part.pieces(), part) {
                (Some(more), _) => pieces.extend(more),
                (None, Operand::Value(v)) => pieces.push(self.character(*v, span)?),
                (None, _) => return self.stop(Code::FunctionValue, span, "a function cannot stand in a text"),
            }
        }
        Ok(Operand::of_pieces(pieces))
    }

    /// Characters that were picked at run time stand among texts as they are; a known number is the code of a character, `[]` nothing.
    fn character(&mut self, value: Value, span: Span) -> Lowered<Piece> {
        if self.facts(value).characters {
            return self.characters_text(value, span).map(Piece::Made);
        }
        let empty = self.builder.func.ty(value).numel().as_constant() == Some(0);
        let code = self.constant_of(value).filter(|c| c.fract() == 0.0 && *c >= 0.0).map(|c| c as u32);
        match code.and_then(char::from_u32) {
            Some(c) => Ok(Piece::Text(c.to_string())),
            None if empty => Ok(Piece::Text(String::new())),
            None => self.report(
                Diagnostic::error(Code::TextValue, span, "a number that is computed at run time stands among texts")
                    .help("num2str(x) gives its digits"),
            ),
        }
    }

    /// Reports that a message which is put together at run time stands where its characters would be needed.
    pub fn message_refused<T>(&mut self, span: Span) -> Lowered<T> {
        self.report(
            Diagnostic::error(
                Code::TextValue,
                span,
                "this text is put together at run time, but must be known when compiling",
            )
            .note("such texts can be printed, raised, compared, taken apart and put into longer ones"),
        )
    }

    /// A known whole number for a text function.
    pub fn known_whole(&mut self, value: Value, what: &str, span: Span) -> Lowered<i64> {
        match self.constant_of(value) {
            Some(c) if c.fract() == 0.0 && c.abs() < 1e9 => Ok(c as i64),
            _ => self.stop(Code::NotConstant, span, format!("{what} must be a known whole number")),
        }
    }

    /// The name of a value's class as `class(x)` gives it.
    pub fn class_name(&self, value: Value) -> &'static str {
        match self.class(value) {
            _ if self.facts(value).characters => "char",
            Class::Complex => "double",
            class => class.matlab_name(),
        }
    }

    /// Refuses to say of what class a value is that is logical on some ways and double on others.
    pub fn class_is_settled(&mut self, operand: &Operand, span: Span) -> Lowered<()> {
        match operand {
            Operand::Value(v) if self.facts(*v).mixed && !super::prelude::contains(span) => self.report(
                Diagnostic::error(
                    Code::TypeConflict,
                    span,
                    "this may be logical or double here, depending on the way taken",
                )
                .help("give it one class on all ways: true and false, or the numbers 1 and 0"),
            ),
            _ => Ok(()),
        }
    }

    /// A truth that is known when compiling, as the result of a call.
    pub fn known(&mut self, truth: bool) -> Vec<Operand> {
        vec![Operand::Value(self.truth_constant(truth))]
    }

    /// Facts of whole numbers that are not negative.
    pub fn counting() -> Facts {
        Facts { nonnegative: true, integral: true, ..Facts::default() }
    }
}
