//! Element-wise operations and constants.

use super::{Checker, Rule};
use crate::ir::{Class, Const, Op, Stmt, Type, Value, typing};

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
    /// What [`typing::result_type`] does not say of an operation without regions; the number of results is right.
    pub(super) fn op(&mut self, stmt: &'m Stmt) {
        let operand = |v: &Value| self.func.ty(*v);
        let result = || self.func.ty(stmt.results[0]);
        match &stmt.op {
            Op::Const(c) => self.constant(c, result()),
            Op::Unary(op, a) => self.accepts(op.name(), op.accepts(operand(a).class), operand(a)),
            Op::Binary(op, a, b) => {
                self.same_class(&[*a, *b]);
                self.accepts(op.name(), op.accepts(operand(a).class), operand(a));
            }
            Op::Select(c, a, b) => {
                let logical = operand(c).class == Class::Logical;
                self.require(logical, Rule::Class, || "the condition of a selection is not logical".into());
                self.same_class(&[*a, *b]);
            }
            Op::Fma(a, b, c) => {
                self.same_class(&[*a, *b, *c]);
                self.accepts("fma", operand(a).class.is_float(), operand(a));
            }
            Op::Convert(a) => self.convert(operand(a), result()),
            Op::ToIndex(a) => {
                let ty = operand(a);
                self.accepts("to_index", ty.class == Class::Double || ty.class.is_integer(), ty);
                self.require(ty.is_scalar(), Rule::Shape, || "`to_index` is of a scalar".into());
            }
            Op::Bits(a) => self.float(operand(a), "bits"),
            Op::FromBits(a) => {
                self.scalar(*a, Class::Index, "the operand of `from_bits`");
                self.float(result(), "from_bits");
            }
            Op::Fill(a) => self.filled(stmt, *a),
            Op::FillAround { a, boxes } => self.filled_around(stmt, *a, boxes),
            Op::Range { start, step } => self.row(stmt, [*start, *step], true),
            Op::Linspace(a, b) => self.row(stmt, [*a, *b], false),
            Op::Eye => {
                let matrix = result().dims.len() == 2;
                self.require(matrix, Rule::Shape, || "an identity matrix has two dimensions".into());
            }
            Op::Index { array, subs, .. } => self.indexed(*array, subs, result()),
            Op::Store { array, subs, value, .. } => self.stored(*array, subs, operand(value)),
            Op::Transpose(a) => {
                let matrix = operand(a).dims.len() == 2;
                self.require(matrix, Rule::Shape, || "a transposed array has two dimensions".into());
            }
            Op::Reshape(a) => self.reshape(operand(a), result()),
            Op::Resize(a) => self.resize(operand(a), result()),
            Op::Concat(_, parts) => {
                self.require(!parts.is_empty(), Rule::Arity, || "`concat` has no operands".into());
                self.same_class(parts);
                let one = result().is_scalar();
                self.require(!one, Rule::Shape, || "`concat` gives a scalar".into());
            }
            Op::Reduce(op, a, axes) => self.reduction(*op, *a, axes),
            Op::Scan(op, a, axis) => self.scan(*op, *a, *axis, result()),
            Op::Lib(lib, args) => self.lib(*lib, args, result()),
            Op::Call(id, args) => self.call(stmt, *id, args),
            Op::Assert(a, _) => self.scalar(*a, Class::Logical, "what is asserted"),
            Op::Display(look, args) => self.display(look.kind, args),
            Op::Text(op, args) => {
                self.text(*op, args);
                self.scalar(stmt.results[0], Class::Char, "a text");
            }
            Op::Ambient(op, args) => self.ambient(*op, args, &stmt.results),
            Op::Load(mem, subs) => self.load(stmt, *mem, subs),
            Op::Put(out, subs, value) => self.put(*out, subs, *value),
            Op::Accumulate(out, value) => self.accumulate(*out, *value),
            // Sizes are in scope, and complex numbers are refused by their class. Any value may be a part of a message.
            Op::Size(_) | Op::SameSize(..) | Op::Complex(..) | Op::Part(..) | Op::Raise { .. } | Op::Print(..) => {}
            // Those have regions.
            Op::If { .. } | Op::For { .. } | Op::While { .. } | Op::Kernel(_) => {}
        }
        self.result_follows(stmt);
    }

    pub(super) fn accepts(&mut self, what: &str, holds: bool, ty: &Type) {
        if !holds {
            self.fail(Rule::Class, format!("`{what}` is not defined on {}", ty.class.name()));
        }
    }

    /// What a bit pattern stands for.
    fn float(&mut self, ty: &Type, what: &str) {
        self.accepts(what, ty.class.is_float(), ty);
        self.require(ty.is_scalar(), Rule::Shape, || format!("`{what}` is of a scalar"));
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
