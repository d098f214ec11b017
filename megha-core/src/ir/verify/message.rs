//! Texts, output, and the state beyond a function.

use super::{Checker, Rule};
use crate::ir::{Ambient, Class, Lib, ShownKind, Size, TextOp, Type, Value};

impl<'m> Checker<'m> {
    pub(super) fn display(&mut self, kind: ShownKind, args: &'m [Value]) {
        let expected = match kind {
            ShownKind::Plain | ShownKind::Diagonal | ShownKind::Permutation => 1,
            ShownKind::Range | ShownKind::Complex | ShownKind::Pairs => 2,
        };
        let fits = args.len() == expected;
        if !self.require(fits, Rule::Arity, || format!("`display as {}` takes {expected} operands", kind.name())) {
            return;
        }
        match kind {
            ShownKind::Range => self.scalar(args[1], Class::Double, "the limit of a range"),
            ShownKind::Complex | ShownKind::Pairs => {
                let fits = self.ty(args[0]).class == Class::Double && self.ty(args[0]) == self.ty(args[1]);
                self.require(fits, Rule::Shape, || "the parts of complex numbers are not alike".into());
            }
            ShownKind::Plain | ShownKind::Diagonal | ShownKind::Permutation => {}
        }
    }

    pub(super) fn text(&mut self, op: TextOp, args: &'m [Value]) {
        let fits = match op {
            TextOp::Format | TextOp::Trimmed => !args.is_empty(),
            TextOp::Number => matches!(args.len(), 1 | 2),
            TextOp::Matrix => args.len() == 2,
            TextOp::Characters => args.len() == 1,
            TextOp::Pair => matches!(args.len(), 2 | 3),
        };
        if !self.require(fits, Rule::Arity, || format!("`text {}` does not take {} operands", op.name(), args.len())) {
            return;
        }
        match op {
            TextOp::Format | TextOp::Trimmed => self.scalar(args[0], Class::Char, "a format"),
            TextOp::Pair => {
                args.iter().take(2).for_each(|a| self.scalar(*a, Class::Double, "a part of a complex number"));
                args.iter().skip(2).for_each(|a| self.scalar(*a, Class::Index, "the number of digits"));
            }
            TextOp::Number | TextOp::Matrix | TextOp::Characters => {
                args.iter().skip(1).for_each(|a| self.scalar(*a, Class::Index, "the number of digits"));
            }
        }
    }

    pub(super) fn ambient(&mut self, op: Ambient, args: &'m [Value], results: &'m [Value]) {
        let expected = usize::from(op == Ambient::Seed);
        self.require(args.len() == expected, Rule::Arity, || format!("`{}` takes {expected} operands", op.name()));
        args.iter().for_each(|a| self.scalar(*a, Class::Double, "the seed"));
        if let (Some(class), Some(result)) = (op.class(), results.first()) {
            self.scalar(*result, class, "the result");
        }
    }

    /// Library operations that make or read a row; false for the others.
    pub(super) fn row_lib(&mut self, lib: Lib, args: &'m [Value], result: &'m Type) -> bool {
        let is_row = result.class == Class::Double && result.dim(0).is_one() && result.ndims() == 2;
        let (operand, row) = match lib {
            Lib::RandPerm => (Class::Index, is_row),
            Lib::TextCodes => (Class::Char, is_row),
            Lib::TextLength => (Class::Char, *result == Type::scalar(Class::Index)),
            Lib::DateVector => {
                (Class::Double, *result == Type::array(Class::Double, [1, 6].map(Size::constant).to_vec()))
            }
            Lib::DateSeconds => (Class::Double, *result == Type::scalar(Class::Double)),
            _ => return false,
        };
        self.require(row, Rule::Shape, || format!("this is no result of `{}`", lib.name()));
        if self.require(args.len() == 1, Rule::Arity, || format!("`{}` takes one operand", lib.name())) {
            let class = self.ty(args[0]).class == operand;
            self.require(class, Rule::Class, || format!("the operand of `{}` is not {}", lib.name(), operand.name()));
        }
        true
    }
}
