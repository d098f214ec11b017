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
        for shape in shapes.iter().filter(|s| !s.is_empty()) {
            for (axis, size) in shape.iter().enumerate() {
                if dims[axis].is_one() {
                    dims[axis] = size.clone();
                } else if size.is_one() || self.same_size(&dims[axis], size) {
                } else if let Some(common) = self.common_size(&dims[axis].clone(), size, what, span) {
                    dims[axis] = common;
                } else {
                    self.require_same(&dims[axis].clone(), size, what, span, &shapes)?;
                }
            }
        }
        for operand in operands.iter_mut() {
            *operand = self.stretched(*operand, &dims);
            *operand = self.recast(*operand, &dims);
        }
        Ok(dims)
    }

    /// Tests at run time that two sizes agree, or reports that they never do.
    fn require_same(&mut self, a: &Size, b: &Size, what: &str, span: Span, shapes: &[Vec<Size>]) -> Lowered<()> {
        if let Some(difference) = a.sub(b).as_constant()
            && difference != 0
        {
            let texts: Vec<String> = shapes.iter().map(|s| self.dims_text(s)).collect();
            let message = format!("the sizes of the operands of {what} never agree: {}", texts.join(" and "));
            return self.report(
                Diagnostic::error(Code::SizeMismatch, span, message)
                    .note("element-wise operations need equal sizes, or the size 1, in each dimension"),
            );
        }
        self.check_same(a, b, what, span);
        Ok(())
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
        if wanted == ty.dims {
            return value;
        }
        let facts = self.facts(value);
        self.emit(Op::Reshape(value), Type::array(ty.class, wanted), facts)
    }

    /// Sets the source position, and gives the one before.
    pub fn here(&mut self, span: Span) -> crate::ir::Loc {
        let loc = self.spans.loc(self.program_span(span));
        self.builder.set_loc(loc)
    }
}
