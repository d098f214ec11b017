//! Element-wise operations and constants.

use super::{Checker, Rule};
use crate::ir::{Binary, Class, Const, Op, Stmt, Type, Unary, Value, typing};

fn is_number(class: Class) -> bool {
    class.is_float() || class.is_integer() || class == Class::Index
}

fn is_bits(class: Class) -> bool {
    class.is_integer() || class == Class::Index
}

/// Whether the operation is defined on a class.
pub(crate) fn unary_accepts(op: Unary, class: Class) -> bool {
    match op {
        Unary::Not | Unary::IsNan | Unary::IsInf | Unary::IsFinite => class != Class::Char,
        Unary::Neg | Unary::Abs | Unary::Sign => is_number(class),
        Unary::Floor | Unary::Ceil | Unary::Round | Unary::Fix | Unary::Rint => is_number(class),
        Unary::Sqrt | Unary::Exp | Unary::Expm1 | Unary::Log | Unary::Log1p | Unary::Log2 | Unary::Log10 => {
            class.is_float()
        }
        Unary::Sin | Unary::Cos | Unary::Tan | Unary::Asin | Unary::Acos | Unary::Atan => class.is_float(),
        Unary::Sinh | Unary::Cosh | Unary::Tanh | Unary::Asinh | Unary::Acosh | Unary::Atanh => class.is_float(),
        Unary::Erf | Unary::Erfc | Unary::Gamma => class.is_float(),
    }
}

/// Whether the operation is defined on a class.
pub(crate) fn binary_accepts(op: Binary, class: Class) -> bool {
    match op {
        Binary::Atan2 | Binary::Hypot => class.is_float(),
        Binary::And | Binary::Or | Binary::Xor => class == Class::Logical,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor => is_bits(class),
        Binary::Shl | Binary::Shr | Binary::Shru | Binary::Philox => class == Class::Index,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => class != Class::Char,
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Pow => is_number(class),
        Binary::Mod | Binary::Rem | Binary::Min | Binary::Max => is_number(class),
    }
}

/// Whether a constant is a value of the class.
fn constant_fits(c: &Const, class: Class) -> bool {
    match c {
        Const::Float(x) if class == Class::Single => x.is_nan() || f64::from(*x as f32) == *x,
        Const::Float(_) => class == Class::Double,
        Const::Int(i) => match class.int_bits() {
            Some((64, false)) => *i >= 0,
            Some((bits, false)) => (0..1i64 << bits).contains(i),
            Some((bits, true)) => bits == 64 || (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(i),
            None => class == Class::Index,
        },
        Const::Bool(_) => class == Class::Logical,
        Const::Text(_) => class == Class::Char,
    }
}

impl<'m> Checker<'m> {
    /// An operation without regions; the number of results is right.
    pub(super) fn op(&mut self, stmt: &'m Stmt) {
        let operand = |v: &Value| self.func.ty(*v);
        match &stmt.op {
            Op::Const(c) => self.constant(c, self.ty(stmt.results[0])),
            Op::Unary(op, a) => self.accepts(op.name(), unary_accepts(*op, operand(a).class), operand(a)),
            Op::Binary(op, a, b) => {
                self.same_class(&[*a, *b]);
                self.accepts(op.name(), binary_accepts(*op, operand(a).class), operand(a));
            }
            Op::Select(c, a, b) => {
                let logical = operand(c).class == Class::Logical;
                self.require(logical, Rule::Class, || "the condition of a selection is not logical".into());
                self.same_class(&[*a, *b]);
            }
            Op::Fma(a, b, c) => {
                self.same_class(&[*a, *b, *c]);
                self.accepts("fma", operand(a).class.is_float(), operand(a));
                let scalars = [a, b, c].iter().all(|v| operand(v).is_scalar());
                self.require(scalars, Rule::Shape, || "`fma` is of scalars".into());
            }
            Op::Convert(a) => return self.convert(operand(a), self.ty(stmt.results[0])),
            Op::ToIndex(a) => {
                let ty = operand(a);
                self.accepts("to_index", ty.class == Class::Double || ty.class.is_integer(), ty);
                self.require(ty.is_scalar(), Rule::Shape, || "`to_index` is of a scalar".into());
            }
            Op::Bits(a) => self.scalar(*a, Class::Double, "the operand of `bits`"),
            Op::FromBits(a) => self.scalar(*a, Class::Index, "the operand of `from_bits`"),
            Op::Assert(a, _) => return self.scalar(*a, Class::Logical, "what is asserted"),
            _ => self.array_op(stmt),
        }
        self.result_follows(stmt);
    }

    pub(super) fn accepts(&mut self, what: &str, holds: bool, ty: &Type) {
        if !holds {
            self.fail(Rule::Class, format!("`{what}` is not defined on {}", ty.class.name()));
        }
    }

    pub(super) fn same_class(&mut self, values: &[Value]) {
        let classes: Vec<Class> = values.iter().map(|v| self.ty(*v).class).collect();
        let same = classes.windows(2).all(|pair| pair[0] == pair[1]);
        self.require(same, Rule::Class, || "the operands differ in class".into());
    }

    fn constant(&mut self, c: &Const, ty: &Type) {
        self.require(ty.is_scalar(), Rule::Shape, || "a constant is a scalar".into());
        self.require(constant_fits(c, ty.class), Rule::Class, || {
            format!("this constant is no value of the class {}", ty.class.name())
        });
    }

    fn convert(&mut self, from: &Type, to: &Type) {
        self.accepts("convert", from.class != Class::Char && to.class != Class::Char, from);
        self.require(from.dims == to.dims, Rule::Shape, || "a conversion keeps the sizes".into());
    }

    /// The written type of the result is the one that the operands give, where they give one.
    fn result_follows(&mut self, stmt: &'m Stmt) {
        let [result] = stmt.results.as_slice() else { return };
        // A single subscript of an index operation leaves the orientation open; its own check looks at the result.
        let open = matches!(&stmt.op, Op::Const(_)) || matches!(&stmt.op, Op::Index { subs, .. } if subs.len() == 1);
        let determined = matches!(stmt.op, Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Concat(..));
        match typing::result_type(&stmt.op, &|v| Some(self.func.ty(v))) {
            Some(ty) if !open => self.agree(&[*result], std::iter::once(&ty), "what the operands give"),
            None if determined => self.fail(Rule::Shape, "the sizes of the operands do not fit together".into()),
            _ => {}
        }
    }
}
