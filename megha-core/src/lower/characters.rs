//! Texts whose characters are known only at run time: rows of codes that print as characters (`Facts::characters`).
//!
//! A text known when compiling becomes one where it goes round a loop, is stored into, or stands in brackets beside one. So does
//! a message: `num2str(x)`, `sprintf('%g', x)`.

use super::env::Binding;
use super::facts::Facts;
use super::text::Piece;
use super::{Lower, Lowered, Operand};
use crate::diag::Code;
use crate::ir::{Class, Lib, Op, Size, Type, Value};
use crate::source::Span;

impl Lower<'_> {
    /// The characters of a text, as values; `None` of a number or a function.
    pub fn characters_of(&mut self, operand: &Operand, span: Span) -> Lowered<Option<Value>> {
        match operand {
            Operand::Value(v) => Ok(self.facts(*v).characters.then_some(*v)),
            Operand::Text(text) => {
                let codes = self.codes(text, span)?;
                Ok(Some(self.as_characters(codes)))
            }
            Operand::Message(pieces) => Ok(Some(self.message_codes(pieces, span))),
            Operand::Function(_) | Operand::List(_) | Operand::Struct(_) | Operand::Chosen(_) => Ok(None),
        }
    }

    /// Marks codes, which nothing else uses, as characters.
    pub fn as_characters(&mut self, codes: Value) -> Value {
        self.learn(codes, Facts { characters: true, ..self.facts(codes) });
        codes
    }

    /// The codes of a message's characters, of which only the run knows how many there are.
    pub fn message_codes(&mut self, pieces: &[Piece], span: Span) -> Value {
        let before = self.here(span);
        let text = self.text_value(pieces);
        let count = self.builder.push(Op::Lib(Lib::TextLength, vec![text]), Type::scalar(Class::Index));
        let size = self.symbol_for(count, vec![Size::constant(0)], Vec::new());
        self.learn(count, Facts::whole(size.clone(), true));
        self.loosen(&size);
        let row = Type::array(Class::Double, vec![Size::constant(1), size]);
        let codes = self.emit(Op::Lib(Lib::TextCodes, vec![text]), row, Self::counting());
        self.builder.set_loc(before);
        self.as_characters(codes)
    }

    /// What a function of the prelude gives for these arguments.
    pub fn call_inner_value(&mut self, name: &str, args: Vec<Value>, span: Span) -> Lowered<Value> {
        match self.call_inner(name, args, span, 1)?.pop() {
            Some(Operand::Value(value)) => Ok(value),
            _ => self.stop(Code::Internal, span, format!("the prelude's `{name}` gives no number")),
        }
    }

    /// The binding of a variable that carries characters, with a text known when compiling taken apart.
    pub fn spelled_out(&mut self, binding: Option<Binding>, span: Span) -> Option<Binding> {
        match binding {
            Some(Binding::Is(operand @ (Operand::Text(_) | Operand::Message(_)))) => {
                let codes = self.characters_of(&operand, span).ok().flatten()?;
                Some(Binding::Is(Operand::Value(codes)))
            }
            other => other,
        }
    }

    /// The type that a text has as codes.
    pub fn text_type(text: &str) -> Type {
        let long = |n: usize| Size::constant(n as i64);
        match text.chars().count() {
            0 => Type::array(Class::Double, vec![long(0), long(0)]),
            1 => Type::scalar(Class::Double),
            n => Type::array(Class::Double, vec![long(1), long(n)]),
        }
    }

    /// Whether a text is known to be one row of characters.
    pub fn lies_in_one_row(&self, codes: Value) -> bool {
        let ty = self.builder.func.ty(codes);
        ty.is_scalar() || (ty.dims.len() == 2 && ty.dims[0].is_one())
    }

    /// `['text'; s]`: rows of the same length below each other.
    pub fn character_rows(&mut self, rows: &[Vec<Operand>], span: Span) -> Lowered<Operand> {
        let mut lines = Vec::new();
        for row in rows {
            if let Operand::Value(line) = self.character_brackets(row, span)? {
                lines.push(line);
            }
        }
        let codes = self.concat(0, lines, span)?;
        Ok(Operand::Value(self.as_characters(codes)))
    }

    /// Prints the rows of a text one after the other.
    pub fn print_rows(&mut self, codes: Value, span: Span) -> Lowered<()> {
        self.call_inner("print_rows", vec![codes], span, 0).map(|_| ())
    }

    /// `['text', s, num2str(n)]` with characters that are values.
    pub fn character_brackets(&mut self, row: &[Operand], span: Span) -> Lowered<Operand> {
        let mut parts = Vec::new();
        for part in row {
            match (self.characters_of(part, span)?, part) {
                (Some(codes), _) => parts.push(codes),
                (None, Operand::Value(v)) => parts.push(*v),
                (None, _) => return self.stop(Code::FunctionValue, span, "a function cannot stand in a text"),
            }
        }
        let codes = self.concat(1, parts, span)?;
        Ok(Operand::Value(self.as_characters(codes)))
    }
}
