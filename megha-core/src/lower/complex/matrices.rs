//! Products and quotients of complex matrices.

use crate::ir::{Binary, Op, Size, Sub, Type, Unary, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered};
use crate::matlab::ast::BinaryOp;
use crate::source::Span;

impl Lower<'_> {
    /// `A * B`, an operand being complex: up to four real products.
    pub fn complex_matrix_product(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let (pa, pb) = (self.parts(a), self.parts(b));
        let times = |this: &mut Self, x, y| this.matrix_product(x, y, span);
        let (re, im) = match (self.is_complex(a), self.is_complex(b)) {
            (true, true) => {
                let (rr, ii) = (times(self, pa.0, pb.0)?, times(self, pa.1, pb.1)?);
                let (ri, ir) = (times(self, pa.0, pb.1)?, times(self, pa.1, pb.0)?);
                (self.real(Binary::Sub, rr, ii, span)?, self.real(Binary::Add, ri, ir, span)?)
            }
            (true, false) => (times(self, pa.0, b)?, times(self, pa.1, b)?),
            _ => (times(self, a, pb.0)?, times(self, a, pb.1)?),
        };
        self.complex(re, im, span)
    }

    /// `A \ b` and `b / A`, an operand being complex: the real system of twice the size, whose matrix of the parts
    /// `[re, -im; im, re]` (transposed for `/`) does what A does. Least squares are the same for both.
    pub fn complex_matrix_division(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let left = op == BinaryOp::MatLeftDiv;
        let (matrix, other) = if left { (a, b) } else { (b, a) };
        let (along, across) = if left { (0, 1) } else { (1, 0) };
        let (mr, mi) = self.whole_parts(matrix);
        let (or, oi) = self.whole_parts(other);
        let minus = self.unary(Unary::Neg, mi, span)?;
        let first = self.concat(along, vec![mr, mi], span)?;
        let second = self.concat(along, vec![minus, mr], span)?;
        let matrix = self.concat(across, vec![first, second], span)?;
        let other = self.concat(along, vec![or, oi], span)?;
        let x = if left {
            self.matrix_division(op, matrix, other, span)?
        } else {
            self.matrix_division(op, other, matrix, span)?
        };
        let n = self.builder.func.ty(mr).dim(across);
        let (re, im) = (self.half(x, along, &Size::constant(0), &n), self.half(x, along, &n, &n));
        self.complex(re, im, span)
    }

    /// Both parts in the value's own sizes.
    fn whole_parts(&mut self, value: Value) -> (Value, Value) {
        let z = self.convert(value, crate::ir::Class::Complex);
        self.parts(z)
    }

    /// `n` rows or columns from number `from` on.
    fn half(&mut self, x: Value, axis: usize, from: &Size, n: &Size) -> Value {
        let ty = self.builder.func.ty(x).clone();
        let start = self.index_value(from);
        let mut subs = vec![Sub::All; ty.dims.len()];
        subs[axis] = Sub::Range { start, step: 1, len: n.clone() };
        let mut dims = ty.dims.clone();
        dims[axis] = n.clone();
        let op = Op::Index { array: x, subs, checked: false };
        self.emit(op, Type::array(ty.class, dims), Facts::default())
    }
}
