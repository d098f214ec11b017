//! Access maps: which elements of an array a kernel touches in a box of its iterations, as plain data in the sizes of the launch.
//!
//! A subscript is affine in the numbers of the kernel's loops and of the loops in its body; constants, trips and factors are known at the
//! launch. So the elements that a box touches are, per dimension, `constant + Σ c·[low, high) + Σ d·[0, trip)`, which is Mekong's parametric
//! solution (Matz 2020, section 4.5) in closed form, without a library for polyhedra at run time: see `evaluate`. Must and may are
//! Mekong's (section 4.4), but what is only perhaps touched is known as such here.

mod delinearise;
mod encode;
mod evaluate;
mod text;

pub use evaluate::touched;
pub use text::Names;

use crate::plan::SizeExpr;

/// A whole number that is known at the launch: a size and multiples of scalars, which are values of the function.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Number {
    /// The part that is a size.
    pub size: SizeExpr,
    /// Factors and the scalars that they stand before.
    pub scalars: Vec<(i64, usize)>,
}

/// An affine function of the loops' numbers: those of the kernel's domain, then those of an access's own loops.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Linear {
    /// The value where all numbers are zero.
    pub constant: Number,
    /// Loops, each once, with the factors of their numbers.
    pub factors: Vec<(usize, SizeExpr)>,
}

/// What an access does with the element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Reads it.
    Read,
    /// Stores it.
    Write,
    /// Contributes to it: a reduction.
    Accumulate,
}

/// Where one reference in the body of a kernel goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccessMap {
    /// The array, by its number among the kernel's.
    pub array: usize,
    /// What is done.
    pub access: Access,
    /// Whether every iteration does it; else it stands in a branch, or in a loop that may be left.
    pub must: bool,
    /// The loops of the body around it, outermost first: each runs from zero to before the least of these, which may mention loops before
    /// it. Without any, how often it runs is not known.
    pub loops: Vec<Vec<Linear>>,
    /// A subscript for each dimension of the array, at most [`MAX_RANK`](crate::region::MAX_RANK), or one that counts its elements columns
    /// first; `None` may be any: it depends on data.
    pub subscripts: Vec<Option<Linear>>,
}

/// What is known at a launch.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    /// The values of the symbols.
    pub symbol: &'k dyn Fn(usize) -> i64,
    /// The values of scalars.
    pub scalar: &'k dyn Fn(usize) -> i64,
}

impl Known<'_> {
    fn size(&self, size: &SizeExpr) -> i64 {
        size.eval(self.symbol)
    }

    fn number(&self, number: &Number) -> i64 {
        let scalars = number.scalars.iter().map(|(c, value)| c.saturating_mul((self.scalar)(*value)));
        scalars.fold(self.size(&number.size), i64::saturating_add)
    }
}

impl From<SizeExpr> for Number {
    fn from(size: SizeExpr) -> Self {
        Self { size, scalars: Vec::new() }
    }
}

impl Linear {
    /// The value where all numbers are zero, and the factors of the loops.
    pub(crate) fn evaluated(&self, known: &Known<'_>) -> (i64, Vec<(usize, i64)>) {
        let factors = self.factors.iter().map(|(at, factor)| (*at, known.size(factor)));
        (known.number(&self.constant), factors.collect())
    }
}

impl AccessMap {
    /// The functions that it is made of.
    fn linears(&self) -> impl Iterator<Item = &Linear> {
        self.loops.iter().flatten().chain(self.subscripts.iter().flatten())
    }

    /// The sizes that it mentions, to be rewritten.
    pub(crate) fn sizes_mut(&mut self) -> impl Iterator<Item = &mut SizeExpr> {
        let linears = self.loops.iter_mut().flatten().chain(self.subscripts.iter_mut().flatten());
        linears.flat_map(|l| std::iter::once(&mut l.constant.size).chain(l.factors.iter_mut().map(|(_, size)| size)))
    }

    /// The scalars that it mentions.
    pub fn scalars(&self) -> impl Iterator<Item = usize> + '_ {
        self.linears().flat_map(|l| &l.constant.scalars).map(|(_, value)| *value)
    }

    /// Whether a subscript depends on data.
    pub fn depends_on_data(&self) -> bool {
        self.subscripts.iter().any(Option::is_none)
    }
}

#[cfg(test)]
mod tests;
