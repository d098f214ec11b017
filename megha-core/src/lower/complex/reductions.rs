//! Reductions of complex arrays.

use crate::ir::{Binary, Class, Op, ReduceOp, Sub, Terminator, Type, Value};
use crate::lower::facts::Facts;
use crate::lower::{Lower, Lowered};
use crate::source::Span;

impl Lower<'_> {
    /// Sums and products along the axes.
    pub fn complex_reduce(&mut self, op: ReduceOp, z: Value, axes: &[usize], span: Span) -> Lowered<Value> {
        match op {
            ReduceOp::Prod => axes.iter().try_fold(z, |z, axis| self.complex_prod(z, *axis, span)),
            ReduceOp::Sum | ReduceOp::Any | ReduceOp::All => Ok(self.reduce(op, z, axes)),
            ReduceOp::Min | ReduceOp::Max => {
                self.not_for_complex(&format!("`{}`", op.name()), "compare real parts or abs(..)", span)
            }
        }
    }

    /// The sum along the axes, part by part.
    pub fn complex_sum_along(&mut self, z: Value, axes: &[usize]) -> Value {
        let (re, im) = self.parts(z);
        let (re, im) = (self.reduce(ReduceOp::Sum, re, axes), self.reduce(ReduceOp::Sum, im, axes));
        self.paired(re, im)
    }

    /// The product along one axis: a loop over its slices, since the parts of a product mix.
    fn complex_prod(&mut self, z: Value, axis: usize, span: Span) -> Lowered<Value> {
        let ty = self.builder.func.ty(z).clone();
        if ty.dim(axis).is_one() {
            return Ok(z);
        }
        let mut dims = ty.dims.clone();
        dims[axis] = crate::ir::Size::constant(1);
        let slice = Type::array(Class::Complex, dims);
        let ones = self.filled(1.0, Class::Complex, slice.dims.clone());
        let trip = self.index_value(&ty.dim(axis));
        let (mark, params) = self.open_region(vec![Type::scalar(Class::Index), slice.clone()]);
        let (k, so_far) = (params[0], params[1]);
        let mut subs = vec![Sub::All; ty.dims.len()];
        subs[axis] = Sub::At(k);
        if slice.is_scalar() {
            subs = vec![Sub::At(k)];
        }
        let part = self.emit(Op::Index { array: z, subs, checked: false }, slice.clone(), Facts::default());
        let product = self.complex_binary(Binary::Mul, so_far, part, "`prod`", span);
        let body = self.close_region(mark, Terminator::Yield(product.into_iter().collect()));
        product?;
        Ok(self.emit(Op::For { trip, init: vec![ones], body: Box::new(body) }, slice, Facts::default()))
    }

    /// Cumulative sums along an axis.
    pub fn complex_cumsum(&mut self, z: Value, axis: usize) -> Value {
        let (re, im) = self.parts(z);
        let ty = self.builder.func.ty(re).clone();
        let [re, im] =
            [re, im].map(|part| self.emit(Op::Scan(ReduceOp::Sum, part, axis), ty.clone(), Facts::default()));
        self.paired(re, im)
    }
}
