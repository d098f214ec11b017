//! Implicit expansion: the sizes of element-wise operations.

use super::sizes::Proven;
use super::{Lower, Lowered};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Op, Size, Type, Value};
use crate::source::Span;

impl Lower<'_> {
    /// The sizes of an element-wise operation on these operands. Sizes that cannot be compared when compiling are compared at
    /// run time; the operands come back with the common sizes as their types.
    pub fn expand(&mut self, operands: &mut [Value], what: &str, span: Span) -> Lowered<Vec<Size>> {
        let shapes: Vec<Vec<Size>> = operands.iter().map(|v| self.builder.func.ty(*v).dims.clone()).collect();
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let mut dims: Vec<Size> = vec![Size::constant(1); rank];
        let mut ones: Vec<Size> = Vec::new();
        for shape in shapes.iter().filter(|s| !s.is_empty()) {
            for (axis, size) in shape.iter().enumerate() {
                if dims[axis].is_one() {
                    dims[axis] = size.clone();
                } else if size.is_one() || self.same_size(&dims[axis], size) {
                } else if let Some(common) = self.common_size(&dims[axis].clone(), size, what, span) {
                    dims[axis] = common;
                } else {
                    let single = self.require_same(&dims[axis].clone(), size, what, span, &shapes)?;
                    if single.as_ref() == Some(&dims[axis]) {
                        dims[axis] = size.clone();
                    }
                    ones.extend(single);
                }
            }
        }
        for operand in operands.iter_mut() {
            *operand = self.stretched(*operand, &dims);
            let own = &self.builder.func.ty(*operand).dims;
            let wanted =
                |(own, d): (&Size, &Size)| if ones.contains(own) && own != d { Size::constant(1) } else { d.clone() };
            let wanted: Vec<Size> = own.iter().zip(&dims).map(wanted).collect();
            *operand = self.recast(*operand, &wanted);
        }
        Ok(dims)
    }

    /// Tests at run time that two sizes agree, or reports that they never do. Of sizes that differ by a constant the smaller one
    /// has to be one: it comes back.
    fn require_same(
        &mut self,
        a: &Size,
        b: &Size,
        what: &str,
        span: Span,
        shapes: &[Vec<Size>],
    ) -> Lowered<Option<Size>> {
        let Some(difference) = a.sub(b).as_constant().filter(|d| *d != 0) else {
            self.check_same(a, b, what, span);
            return Ok(None);
        };
        let small = if difference > 0 { b } else { a };
        if small.as_constant().is_none() && !self.never_negative(&small.add_const(-2)) {
            self.check_same(small, &Size::constant(1), what, span);
            return Ok(Some(small.clone()));
        }
        let texts: Vec<String> = shapes.iter().map(|s| self.dims_text(s)).collect();
        let message = format!("the sizes of the operands of {what} never agree: {}", texts.join(" and "));
        self.report(
            Diagnostic::error(Code::SizeMismatch, span, message)
                .note("element-wise operations need equal sizes, or the size 1, in each dimension"),
        )
    }

    /// Tests at run time that two sizes agree; from here on they count as equal.
    pub fn check_same(&mut self, a: &Size, b: &Size, what: &str, span: Span) {
        if !self.same_size(a, b) {
            let before = self.here(span);
            self.builder.effect(Op::SameSize(a.clone(), b.clone(), what.to_owned()));
            self.builder.set_loc(before);
            self.proven.push(Proven::Equal(a.clone(), b.clone()));
        }
    }

    /// The array under the type with these sizes, dimensions of size one kept: sizes that have been found equal get one form,
    /// so that everything later can compare forms.
    pub fn recast(&mut self, value: Value, dims: &[Size]) -> Value {
        let ty = self.builder.func.ty(value).clone();
        if ty.is_scalar() {
            return value;
        }
        let wanted: Vec<Size> =
            ty.dims.iter().zip(dims).map(|(own, d)| if own.is_one() { own.clone() } else { d.clone() }).collect();
        let (mut value, mut dims) = (value, ty.dims);
        // One dimension at a time: a reshape that changes several sizes would be one to kernels, this only renames.
        for (axis, wanted) in wanted.into_iter().enumerate() {
            if wanted != dims[axis] {
                dims[axis] = wanted;
                let facts = self.facts(value);
                value = self.emit(Op::Reshape(value), Type::array(ty.class, dims.clone()), facts);
            }
        }
        value
    }

    /// Sets the source position, and gives the one before.
    pub fn here(&mut self, span: Span) -> crate::ir::Loc {
        let loc = self.spans.loc(self.program_span(span));
        self.builder.set_loc(loc)
    }
}
