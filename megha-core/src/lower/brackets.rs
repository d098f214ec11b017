//! `[]` where the type says otherwise.
//!
//! `y = []; for k = 1:n, y(k) = k; end` makes a row of `y`, but with no iterations it stays 0-by-0. The type says 1-by-n, and a
//! fact beside it that the array is `[]` if it has no elements. Whoever asks for its sizes is told those of Octave.

use super::hoist::Growth;
use super::{Lower, form};
use crate::ir::{Binary, Op, Size, Type, Value};
use crate::source::Span;

/// What a value without elements is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hollow {
    /// It has elements.
    Never,
    /// `[]`.
    Brackets,
    /// What its type says, as far as is known.
    Typed,
}

impl Hollow {
    /// What a value is that may be the one or the other.
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Hollow::Never, x) | (x, Hollow::Never) => x,
            (Hollow::Brackets, Hollow::Brackets) => Hollow::Brackets,
            _ => Hollow::Typed,
        }
    }
}

impl Lower<'_> {
    /// What the value is if it has no elements.
    pub fn hollow(&self, value: Value) -> Hollow {
        match self.facts(value).brackets {
            true => Hollow::Brackets,
            false => self.hollow_type(self.builder.func.ty(value)),
        }
    }

    /// The same of a value of which only the type is known.
    pub fn hollow_type(&self, ty: &Type) -> Hollow {
        match ty {
            ty if form::is_empty_brackets(ty) => Hollow::Brackets,
            ty if self.never_negative(&ty.numel().add_const(-1)) => Hollow::Never,
            _ => Hollow::Typed,
        }
    }

    /// Records that a value without elements is `[]`.
    pub fn is_brackets_if_empty(&mut self, value: Value) {
        if self.hollow(value) == Hollow::Typed {
            let facts = self.facts(value);
            self.learn(value, super::facts::Facts { brackets: true, ..facts });
        }
    }

    /// The sizes of an array as Octave has them.
    pub fn sizes_of(&mut self, array: Value) -> Vec<Size> {
        let ty = self.builder.func.ty(array).clone();
        let numel = ty.numel();
        let mut sizes: Vec<Size> = (0..ty.ndims()).map(|axis| ty.dim(axis)).collect();
        if !self.facts(array).brackets || self.hollow_type(&ty) == Hollow::Never {
            return sizes;
        }
        for size in &mut sizes {
            // That one is zero where there are no elements.
            let tells = (1..64).any(|factor| size.scale(factor) == numel);
            if !tells {
                *size = self.size_unless_empty(&numel, size, &Size::constant(0), vec![size.clone()]);
            }
        }
        sizes
    }

    /// The array under a type with the sizes that Octave has, for what shows them.
    pub fn in_octave_sizes(&mut self, array: Value) -> Value {
        let sizes = self.sizes_of(array);
        if self.is_scalar(array) { array } else { self.retyped(array, sizes) }
    }

    /// Tests that a matrix is not `[]`, of which a sum is one number and not one for each column.
    pub fn never_brackets(&mut self, array: Value, name: &str, span: Span) {
        let ty = self.builder.func.ty(array).clone();
        let matrix = ty.dims.iter().filter(|d| !d.is_one()).count() > 1;
        if matrix && self.facts(array).brackets && self.hollow_type(&ty) == Hollow::Typed {
            let (numel, zero) = (self.index_value(&ty.numel()), self.builder.int(0));
            let fine = self.builder.push(Op::Binary(Binary::Gt, numel, zero), Type::scalar(crate::ir::Class::Logical));
            let text = format!(
                "`{name}` of [] gives one number where a matrix has one for each column: test it with isempty(..)"
            );
            self.assert_all(fine, text.as_str(), span);
        }
    }

    /// Whether an array that was `[]` and is created before a loop, for a growth that needs these sizes, has elements as soon as
    /// there is an iteration.
    pub fn filled_by_iterations(&self, array: &Type, growth: &Growth, needed: &[Option<Size>], trip: &Size) -> bool {
        let follows = |size: &Size| {
            let mut reaches = growth.reach.iter().zip(needed);
            reaches.any(|(reach, needed)| match (reach, needed) {
                (Some(reach), Some(needed)) => needed == size && self.never_negative(&reach.sub(trip)),
                _ => false,
            })
        };
        array.dims.iter().all(|size| self.never_negative(&size.add_const(-1)) || follows(size))
    }
}
