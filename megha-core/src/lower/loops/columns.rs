//! Loops over the columns of an array, or the characters of a text.

use std::collections::BTreeSet;

use super::Source;
use crate::diag::Code;
use crate::ir::{Op, Size, Sub, Type, Value};
use crate::lower::env::Binding;
use crate::lower::facts::Facts;
use crate::lower::live::assigned;
use crate::lower::{Lower, Lowered, Operand};
use crate::matlab::ast::{Expr, Stmt};

impl Lower<'_> {
    /// The array over whose columns a loop runs, of a text the characters; or a list.
    pub(super) fn loop_columns(&mut self, range: &Expr) -> Lowered<Source> {
        let array = match self.expr(range)? {
            Operand::Text(text) => {
                let codes = self.codes(&text, range.span)?;
                self.learn(codes, Facts { characters: true, ..self.facts(codes) });
                codes
            }
            Operand::Value(array) => array,
            Operand::Message(pieces) => self.message_codes(&pieces, range.span),
            Operand::List(list) => return Ok(Source::List(list)),
            _ => return self.stop(Code::TextValue, range.span, "a loop runs over numbers or a known text"),
        };
        if self.builder.func.ty(array).dims.len() > 2 {
            let message = "a loop over an array of three dimensions is not supported";
            return self.stop(Code::Unsupported, range.span, message);
        }
        Ok(Source::Columns(array))
    }

    /// How often a loop over the columns of an array runs: columns without elements are none.
    pub(super) fn column_count(&mut self, array: Value) -> Size {
        let ty = self.builder.func.ty(array).clone();
        let (rows, columns) = (ty.dim(0), ty.dim(1));
        if rows.is_one() { columns } else { self.size_min(columns.clone(), rows.mul(&columns)) }
    }

    /// Column `k` of a matrix, `x(k)` of a row, the scalar itself.
    pub(super) fn column(&mut self, array: Value, k: Value) -> Value {
        let ty = self.builder.func.ty(array).clone();
        if ty.is_scalar() {
            return array;
        }
        let Facts { nonnegative, integral, characters, .. } = self.facts(array);
        let facts = Facts { nonnegative, integral, characters, ..Facts::default() };
        let subs = vec![Sub::All, Sub::At(k)];
        let result = Type::array(ty.class, vec![ty.dim(0), Size::constant(1)]);
        let subs = if result.is_scalar() { vec![Sub::At(k)] } else { subs };
        self.emit(Op::Index { array, subs, checked: false }, result, facts)
    }

    /// The variable of a loop over characters holds one behind the loop as well, unless the body gives it another value.
    pub(super) fn last_character(&mut self, name: &str, body: &[Stmt]) {
        let mut names = BTreeSet::new();
        assigned(body, &mut names);
        let value = match self.env.get(name) {
            Some(Binding::Is(Operand::Value(value)) | Binding::Maybe(value, _)) => *value,
            _ => return,
        };
        if !names.contains(name) {
            self.learn(value, Facts { characters: true, ..self.facts(value) });
        }
    }
}
