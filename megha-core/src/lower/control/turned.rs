//! Arrays that one arm of a branch turns, `if size(x, 1) == 1, x = x'; end`: where what led to an arm says that they have at
//! most one element there, they are rows as well as columns, and take the sizes of the other arm. (Of an array without
//! elements, where only the run knows that, the orientation is lost; only `size` can tell.)

use std::collections::BTreeSet;

use crate::ir::Size;
use crate::ir::build::Suspended;
use crate::lower::env::{Binding, Env};
use crate::lower::sizes::Proven;
use crate::lower::{Lower, Operand};

impl Lower<'_> {
    /// Gives the variables of an arm that have at most one element there, by what is `known` in it, their sizes in the other.
    pub(super) fn turn(
        &mut self,
        arm: Suspended,
        env: &mut Env,
        other: &Env,
        known: &[Proven],
        (names, values): (&BTreeSet<String>, usize),
    ) -> Suspended {
        let mark = self.proven.len();
        self.proven.extend_from_slice(known);
        let turned: Vec<(&String, Vec<Size>)> = names
            .iter()
            .filter_map(|name| Some((name, self.turned_dims(env.get(name)?, other.get(name)?, values)?)))
            .collect();
        self.proven.truncate(mark);
        if turned.is_empty() {
            return arm;
        }
        self.builder.resume(arm);
        for (name, dims) in turned {
            if let (Some(Binding::Is(Operand::Value(value))), Some(at)) = (env.get(name).cloned(), env.span(name)) {
                let value = self.retyped(value, dims);
                env.set_value(name, value, at);
            }
        }
        self.builder.suspend()
    }

    /// The sizes of the other arm's value, if this one has as many elements in other sizes, and at most one.
    fn turned_dims(&self, own: &Binding, other: &Binding, values: usize) -> Option<Vec<Size>> {
        let (Binding::Is(Operand::Value(own)), Binding::Is(Operand::Value(other))) = (own, other) else { return None };
        let (own, other) = (self.builder.func.ty(*own), self.builder.func.ty(*other));
        let lies_otherwise = own.class == other.class && own.dims != other.dims && own.numel() == other.numel();
        let outside = other.dims.iter().all(|d| self.outer_size(d, values));
        let none = own.numel().as_constant() == Some(0);
        let at_most_one = || self.not_negative_here(&Size::constant(1).sub(&own.numel()));
        (lies_otherwise && outside && !none && at_most_one()).then(|| other.dims.clone())
    }
}
