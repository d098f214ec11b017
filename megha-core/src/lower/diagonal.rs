//! Which matrices Octave stores as their diagonal. Their elements are those of any other matrix, but their display names them so.
//!
//! `eye(n)` and `diag(v)` are such matrices. Transposes, negatives, sums, products and quotients of them are, products with a number
//! too; element-wise operators make others of them, and so does whatever leads round a loop or through a branch.

use super::facts::Facts;
use super::{Lower, Operand};
use crate::ir::{Class, Value};
use crate::matlab::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Lower<'_> {
    /// Remembers that a matrix is stored as its diagonal.
    pub fn is_stored_as_diagonal(&mut self, value: Value) {
        let ty = self.builder.func.ty(value);
        let some = ty.dims.len() == 2 && ty.dims.iter().all(|d| d.as_constant() != Some(0));
        if some && ty.class.is_float() {
            self.learn(value, Facts { diagonal: true, ..self.facts(value) });
        }
    }

    /// The result of a binary operator: it is stored as its diagonal if it is made of such matrices.
    pub fn diagonal_of_binary(&mut self, op: BinaryOp, a: Value, b: Value, result: Value) {
        let [x, y] = [a, b].map(|v| self.facts(v).diagonal);
        let number = |v: Value| self.is_scalar(v) && matches!(self.class(v), Class::Double | Class::Logical);
        let stays = match op {
            BinaryOp::Add | BinaryOp::Sub => x && y,
            BinaryOp::MatMul => x && (y || number(b)) || number(a) && y,
            BinaryOp::MatRightDiv => x && (y || number(b)),
            BinaryOp::MatLeftDiv => (x || number(a)) && y,
            BinaryOp::MatPow => x && number(b),
            _ => false,
        };
        if stays {
            self.is_stored_as_diagonal(result);
        }
    }

    /// The result of a sign or, without one, of a transpose.
    pub fn diagonal_of_unary(&mut self, op: Option<UnaryOp>, operand: Value, result: Value) {
        if self.facts(operand).diagonal && op != Some(UnaryOp::Not) {
            self.is_stored_as_diagonal(result);
        }
    }

    /// The result of subscripts: the first rows and columns are stored so too, unless they are one number.
    pub fn diagonal_of_index(&mut self, array: Value, args: &[Expr], result: Value) {
        let [rows, columns] = args else { return };
        if self.facts(array).diagonal && starts_at_one(rows) && starts_at_one(columns) && !self.is_scalar(result) {
            self.is_stored_as_diagonal(result);
        }
    }

    /// The result of a call: `diag` of a vector, or the inverse of such a matrix.
    pub fn diagonal_of_call(&mut self, name: &str, args: &[Operand], results: &[Operand]) {
        let ([Operand::Value(argument)], [Operand::Value(result)]) = (args, results) else { return };
        let made = match name {
            "diag" => self.builder.func.ty(*argument).is_vector() && !self.is_scalar(*argument),
            "inv" => self.facts(*argument).diagonal,
            _ => false,
        };
        if made {
            self.is_stored_as_diagonal(*result);
        }
    }
}

/// `:`, `1` or `1:n`
fn starts_at_one(subscript: &Expr) -> bool {
    match &subscript.kind {
        ExprKind::Colon => true,
        ExprKind::Number { value, imaginary: false } => *value == 1.0,
        ExprKind::Range { start, step: None, .. } => starts_at_one(start),
        _ => false,
    }
}
