//! The elements of one operation's result, from the elements of its operands.

use super::shape;
use crate::ir::{Binary, Class, Const, Func, Loc, Op, ReduceOp, Size, Stmt, Type, Value};
use megha_base::tree::is_plain;

/// Appends scalar statements.
pub(super) struct Scalars<'s> {
    pub func: &'s mut Func,
    pub out: &'s mut Vec<Stmt>,
    pub loc: Loc,
}

impl Scalars<'_> {
    pub fn emit(&mut self, op: Op, class: Class) -> Value {
        let result = self.func.new_value(Type::scalar(class));
        self.out.push(Stmt { results: vec![result], op, loc: self.loc });
        result
    }

    /// One value for all elements, which are few enough for the plain order (`megha_base::tree`).
    pub fn combined(&mut self, op: ReduceOp, values: &[Value], class: Class) -> Value {
        let binary = match op {
            ReduceOp::Sum => Binary::Add,
            ReduceOp::Prod => Binary::Mul,
            ReduceOp::Min => Binary::Min,
            ReduceOp::Max => Binary::Max,
            ReduceOp::Any => Binary::Or,
            ReduceOp::All => Binary::And,
        };
        debug_assert!(is_plain(values.len()));
        let mut combined = values[0];
        for value in &values[1..] {
            combined = self.emit(Op::Binary(binary, combined, *value), class);
        }
        if op == ReduceOp::Sum { self.started_at_zero(combined, class) } else { combined }
    }

    /// A sum whose first addition was to +0: of negative zeros it is +0.
    pub fn started_at_zero(&mut self, sum: Value, class: Class) -> Value {
        if !class.is_float() {
            return sum;
        }
        let zero = self.emit(Op::Const(Const::Float(0.0)), class);
        self.emit(Op::Binary(Binary::Add, zero, sum), class)
    }

    /// The array with these elements, columns first.
    pub fn array(&mut self, elements: &[Value], ty: &Type, result: Value) {
        let Some([rows, columns]) = shape(ty) else { return };
        let mut parts = Vec::new();
        for column in elements.chunks(rows) {
            if columns == 1 || rows == 1 {
                parts.extend_from_slice(column);
                continue;
            }
            let column_ty = Type::array(ty.class, vec![ty.dim(0), Size::constant(1)]);
            let part = self.func.new_value(column_ty);
            self.out.push(Stmt { results: vec![part], op: Op::Concat(0, column.to_vec()), loc: self.loc });
            parts.push(part);
        }
        let axis = usize::from(columns > 1);
        self.out.push(Stmt { results: vec![result], op: Op::Concat(axis, parts), loc: self.loc });
    }
}

/// The number of the element of an operand of shape `from` that belongs to element (i, j) of an element-wise result.
pub(super) fn expanded([rows, columns]: [usize; 2], i: usize, j: usize) -> usize {
    let i = if rows == 1 { 0 } else { i };
    let j = if columns == 1 { 0 } else { j };
    j * rows + i
}
