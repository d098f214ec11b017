//! Sizes that go round a loop together.
//!
//! Arrays that the body makes shorter or longer by the same steps (`z = z(m); c = c(m);`) keep equal sizes, which no statement says. The assumption
//! is optimistic, as for types: free sizes that are equal before the loop are one size in it and behind it, until an edge brings sizes that
//! differ; then the loop is lowered again without it (congruence by partition, Alpern, Wegman and Zadeck, "Detecting Equality of Variables in Programs").

use std::collections::BTreeMap;

use super::Loop;
use crate::ir::{Size, Value};
use crate::lower::control::{Form, FrameKind, Misfit};
use crate::lower::env::Binding;
use crate::lower::{Lower, Operand};

/// Where more dimensions part from others, one after the other, all do: each costs another attempt at the loop and those in it.
const MOST_APART: usize = 6;

/// A dimension of a variable.
pub(in crate::lower) type Dimension = (String, usize);

/// Dimensions whose sizes are those of others.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::lower) struct Alike {
    others: BTreeMap<Dimension, Dimension>,
    /// The sizes of a join's values, as they are named.
    named: BTreeMap<Dimension, Size>,
}

impl Alike {
    /// The size of a dimension, if it is that of another that has its name already.
    pub fn size(&self, name: &str, axis: usize) -> Option<Size> {
        self.others.get(&(name.to_owned(), axis)).and_then(|other| self.named.get(other)).cloned()
    }

    /// What the size of a dimension is called.
    pub fn name(&mut self, name: &str, axis: usize, size: &Size) {
        if !self.others.is_empty() {
            self.named.insert((name.to_owned(), axis), size.clone());
        }
    }
}

impl Lower<'_> {
    /// The free sizes of a loop's variables that are equal before it and were not found to part.
    pub(super) fn alike_before(&self, lp: &Loop<'_>) -> Alike {
        let mut alike = Alike::default();
        if lp.kind != FrameKind::Loop || lp.is_piece() || lp.apart.len() > MOST_APART {
            return alike;
        }
        let mut firsts: Vec<(Size, Dimension)> = Vec::new();
        for carried in &lp.carried {
            let Form::Value(shape) = &carried.form else { continue };
            for (axis, size) in shape.sizes().into_iter().enumerate() {
                let dimension = (carried.name.clone(), axis);
                if size.is_some() || shape.maybe || lp.apart.contains(&dimension) {
                    continue;
                }
                let Some(size) = self.size_along(&dimension) else { continue };
                match firsts.iter().find(|(first, _)| *first == size) {
                    Some((_, first)) => _ = alike.others.insert(dimension, first.clone()),
                    None => firsts.push((size, dimension)),
                }
            }
        }
        alike
    }

    /// The dimensions of which an edge of the innermost loop brings other sizes than of those that they are taken to be like.
    pub(in crate::lower) fn parted(&self, frame: usize) -> Vec<Misfit> {
        let others = &self.frames[frame].alike.others;
        let differs = |(one, other): &(&Dimension, &Dimension)| {
            let size = self.size_along(one);
            size.is_none() || size != self.size_along(other)
        };
        others.iter().filter(differs).map(|(one, _)| Misfit::Parts(one.clone())).collect()
    }

    /// The size of a variable's value along an axis, unless it is a number.
    fn size_along(&self, (name, axis): &Dimension) -> Option<Size> {
        let value: Value = match self.env.get(name)? {
            Binding::Is(Operand::Value(value)) => *value,
            _ => return None,
        };
        let ty = self.builder.func.ty(value);
        (!ty.is_scalar()).then(|| ty.dim(*axis)).filter(|size| size.as_constant().is_none())
    }
}
