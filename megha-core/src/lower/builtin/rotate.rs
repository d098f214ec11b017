//! `rotated_lines(x, a, b, c)`, what `circshift` is made of: the elements of an array moved along its first three dimensions, those that leave it
//! coming in at the other end.
//!
//! It is one kernel that reads each element where it was, so it fuses with what uses the result. A subscript `i - s`, 0 <= s < n, is negative for
//! the elements that come in and then stands for `i - s + n`: the form that code generation knows ([`crate::schedule::access`]) as two runs
//! of memory.

use super::{Call, Results, value};
use crate::ir::{Binary, Class, Kernel, Mem, Op, Out, Size, Terminator, Type, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered};
use crate::source::Span;

pub(super) fn rotated(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    let v = call.values(lower)?;
    let (array, ty) = (v[0], lower.builder.func.ty(v[0]).clone());
    let before = lower.here(call.span);
    let mut shifts = Vec::new();
    for (shift, extent) in v[1..].iter().zip(&ty.dims) {
        shifts.push(lower.shift(*shift, extent, call.span)?);
    }
    let result = if shifts.iter().all(Option::is_none) {
        array
    } else {
        let Facts { nonnegative, integral, zero, characters, .. } = lower.facts(array);
        let facts = Facts { nonnegative, integral, zero, characters, ..Facts::default() };
        let kernel = lower.rotation(array, &ty, &shifts);
        lower.emit(Op::Kernel(Box::new(kernel)), ty, facts)
    };
    lower.builder.set_loc(before);
    value(result)
}

impl Lower<'_> {
    /// By how much, from 0 and less than the extent, elements move along a dimension of this extent; `None` if they stay.
    fn shift(&mut self, by: Value, extent: &Size, span: Span) -> Lowered<Option<Value>> {
        let known = self.whole_of(by);
        if known.as_ref().and_then(Size::as_constant) == Some(0) {
            return Ok(None);
        }
        let shift = match known {
            Some(size) => {
                // Of an array without elements no shift is used, but none may fail.
                let (by, n, one) = (self.index_value(&size), self.builder.size(extent), self.builder.int(1));
                let n = self.scalar_op(Op::Binary(Binary::Max, n, one), Class::Index);
                self.scalar_op(Op::Binary(Binary::Mod, by, n), Class::Index)
            }
            None => {
                let by = self.convert(by, Class::Double);
                let n = self.builder.size(extent);
                let n = self.scalar_op(Op::Convert(n), Class::Double);
                let shift = self.scalar_op(Op::Binary(Binary::Mod, by, n), Class::Double);
                let whole = self.whole_number(shift, "a shift", span)?;
                self.index_value(&whole)
            }
        };
        Ok((!extent.is_one()).then_some(shift))
    }

    fn rotation(&mut self, array: Value, ty: &Type, shifts: &[Option<Value>]) -> Kernel {
        let domain: Vec<Size> = ty.dims.iter().filter(|d| !d.is_one()).cloned().collect();
        let (mark, params) = self.open_region(domain.iter().map(|_| Type::scalar(Class::Index)).collect());
        let mut numbers = params.into_iter();
        let (mut own, mut from) = (Vec::new(), Vec::new());
        for (axis, dim) in ty.dims.iter().enumerate() {
            let number = if dim.is_one() { None } else { numbers.next() };
            let number = number.unwrap_or_else(|| self.builder.int(0));
            own.push(number);
            from.push(match shifts.get(axis) {
                Some(Some(shift)) => self.turned_back(number, *shift, dim),
                _ => number,
            });
        }
        let element = self.scalar_op(Op::Load(Mem::In(array), from), ty.class);
        self.builder.effect(Op::Put(0, own, element));
        let body = self.close_region(mark, Terminator::Yield(Vec::new()));
        self.kernels += 1;
        Kernel { id: self.kernels, domain, outs: vec![Out::Fresh], body }
    }

    /// Where the element with this number was before it moved.
    fn turned_back(&mut self, number: Value, shift: Value, extent: &Size) -> Value {
        let was = self.scalar_op(Op::Binary(Binary::Sub, number, shift), Class::Index);
        let zero = self.builder.int(0);
        let negative = self.scalar_op(Op::Binary(Binary::Lt, was, zero), Class::Logical);
        let n = self.builder.size(extent);
        let wrapped = self.scalar_op(Op::Binary(Binary::Add, was, n), Class::Index);
        self.scalar_op(Op::Select(negative, wrapped, was), Class::Index)
    }

    fn scalar_op(&mut self, op: Op, class: Class) -> Value {
        self.builder.push(op, Type::scalar(class))
    }
}
