//! What is known of values beyond their types.

use std::rc::Rc;

use super::Lower;
use crate::ir::{Op, Size, Type, Value};

/// Facts about one value.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Facts {
    /// A scalar whose value is known.
    pub constant: Option<f64>,
    /// A scalar whose value is a whole number: this polynomial over the function's symbols.
    pub whole: Option<Size>,
    /// A scalar that is this whole number divided by this positive one.
    pub quotient: Option<(Size, i64)>,
    /// A scalar that is this whole number and, if `true`, less than that by the scalar, else more by it.
    pub offset: Option<(Size, bool, Value)>,
    /// A scalar that, where it is a whole number, is at most this, but for remainders of numbers above 2^53, which Octave computes with
    /// rounding: it tells what a program means and proves nothing.
    pub at_most: Option<i64>,
    /// No element is negative (NaN and -0 may occur).
    pub nonnegative: bool,
    /// An array whose elements are all zero.
    pub zero: bool,
    /// All elements are whole numbers (or infinite or NaN).
    pub integral: bool,
    /// A row of equally spaced whole numbers.
    pub progression: Option<Progression>,
    /// A complex value, itself named first, that was made of these parts. Of no other value the fact says anything.
    pub parts: Option<(Value, Value, Value)>,
    /// The limit of the range that an array is as it was written, `Double`: it decides how the range is displayed.
    pub limit: Option<Value>,
    /// How Octave stores a matrix, which it says where it displays it.
    pub stored: Stored,
    /// Complex numbers that were made by `complex(..)`: they are displayed as such even where they are real.
    pub paired: bool,
    /// The scalars that a vector was put together from: `s(1)` of `s = size(A)` is a size, of which more is known than of an element.
    pub elements: Option<Rc<[Value]>>,
    /// The numbers are codes of characters.
    pub characters: bool,
    /// If it has no elements, it is `[]`, whatever the type says (`brackets.rs`).
    pub brackets: bool,
    /// It may come from `[]`, which has the other sizes of what it met where control joined.
    pub was_brackets: bool,
    /// Octave has truth values here on some ways and numbers on others: as a subscript they mean different things.
    pub mixed: bool,
}

/// How Octave stores a matrix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stored {
    /// All elements.
    #[default]
    Full,
    /// As its diagonal.
    Diagonal,
    /// As an order of rows.
    Permutation,
}

/// `start, start + step, …`: `len` whole numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Progression {
    pub start: Size,
    pub step: i64,
    pub len: Size,
    /// What it is instead, in some runs.
    pub undefined: Option<Undefined>,
}

/// A row that is one NaN where the limit of its range is NaN, and else equally spaced.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Undefined {
    /// Whether it is NaN, `Logical`.
    pub is_nan: Value,
    /// The row of the equally spaced numbers.
    pub otherwise: Value,
}

impl Facts {
    /// The facts of a known number.
    pub fn constant(value: f64) -> Self {
        let exact = value.fract() == 0.0 && value.abs() < 2f64.powi(53);
        // -0.0 is no whole number here: as an integer it would lose its sign.
        let whole = exact && !(value == 0.0 && value.is_sign_negative());
        Self {
            constant: Some(value),
            whole: whole.then(|| Size::constant(value as i64)),
            nonnegative: value >= 0.0,
            integral: value.fract() == 0.0,
            ..Self::default()
        }
    }

    /// The facts of a whole number.
    pub fn whole(size: Size, nonnegative: bool) -> Self {
        let constant = size.as_constant().map(|c| c as f64);
        Self { constant, whole: Some(size), nonnegative, integral: true, ..Self::default() }
    }
}

impl Lower<'_> {
    /// What is known of a value.
    pub fn facts(&self, value: Value) -> Facts {
        self.facts.get(value.index()).cloned().unwrap_or_default()
    }

    /// Appends a statement with one result and records what is known of it.
    pub fn emit(&mut self, op: Op, ty: Type, facts: Facts) -> Value {
        let op = match op {
            // One number, in an array of which only the run knows that it has one element.
            Op::Reshape(from) if !ty.is_scalar() && self.builder.func.ty(from).is_scalar() => Op::Fill(from),
            op => op,
        };
        let value = self.builder.push(op, ty);
        self.learn(value, facts);
        value
    }

    /// The known number that a scalar is.
    pub fn constant_of(&self, value: Value) -> Option<f64> {
        self.facts.get(value.index()).and_then(|f| f.constant)
    }

    /// The whole number that a scalar is, as a polynomial.
    pub fn whole_of(&self, value: Value) -> Option<Size> {
        self.facts.get(value.index()).and_then(|f| f.whole.clone())
    }
}
