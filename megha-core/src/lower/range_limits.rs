//! Ranges whose bounds are not finite. Octave's `1:NaN` is one NaN, and so is `1:Inf:Inf`; `1:Inf:3` is 1.
//!
//! Which of its numbers is NaN only the run knows. As a number, the elements of a range are then NaN; as a subscript that is an error;
//! and as a loop too if the loop counts whole numbers, since its variable is a number of class `Index` everywhere in the loop.

use super::facts::{Facts, Progression, Undefined};
use super::range::Bounds;
use super::{Lower, Lowered};
use crate::ir::{Binary, Op, Unary, Value};
use crate::source::Span;

impl Lower<'_> {
    /// The start of a range, NaN if the range is known to be that, and whether it is where only the run knows: where its number of
    /// elements is none, unless that follows for the elements from start and step.
    pub(super) fn undefined_range(&mut self, bounds: [Value; 3], span: Span) -> Lowered<(Value, Option<Value>)> {
        let [start, step, stop] = bounds;
        if let [Some(a), Some(s), Some(b)] = bounds.map(|v| self.constant_of(v)) {
            return Ok((if ((b - a) / s).is_nan() { self.number(f64::NAN) } else { start }, None));
        }
        let [a, s, b] = bounds.map(|v| self.is_finite(v));
        if b && (a || s) {
            return Ok((start, None));
        }
        let mut steps = stop;
        if !(a && s) {
            let length = self.binary(Binary::Sub, stop, start, "range", span)?;
            steps = self.binary(Binary::Div, length, step, "range", span)?;
        }
        Ok((start, Some(self.unary(Unary::IsNan, steps, span)?)))
    }

    fn is_finite(&self, number: Value) -> bool {
        self.constant_of(number).map_or_else(|| self.whole_of(number).is_some(), f64::is_finite)
    }

    /// The step, or zero if it is infinite: then there is no second element.
    pub(super) fn finite_step(&mut self, step: Value, span: Span) -> Lowered<Value> {
        if self.is_finite(step) {
            return Ok(step);
        }
        let infinite = self.unary(Unary::IsInf, step, span)?;
        if let Some(infinite) = self.constant_of(infinite) {
            return Ok(if infinite != 0.0 { self.number(0.0) } else { step });
        }
        let (none, ty) = (self.number(0.0), self.builder.func.ty(step).clone());
        let facts = Facts { nonnegative: self.facts(step).nonnegative, ..Facts::default() };
        Ok(self.emit(Op::Select(infinite, none, step), ty, facts))
    }

    /// The first element of a range, NaN if the range is undefined.
    pub(super) fn defined_start(&mut self, bounds: &Bounds) -> Value {
        let Some(is_nan) = bounds.undefined else { return bounds.start };
        let (nan, ty) = (self.number(f64::NAN), self.builder.func.ty(bounds.start).clone());
        let facts = Facts { nonnegative: self.facts(bounds.start).nonnegative, ..Facts::default() };
        self.emit(Op::Select(is_nan, nan, bounds.start), ty, facts)
    }

    /// A row of whole numbers as the range that it is, which may be undefined.
    pub(super) fn or_undefined(&mut self, row: Value, bounds: &Bounds) -> Value {
        let Some(is_nan) = bounds.undefined else { return row };
        let mut facts = self.facts(row);
        if let Some(progression) = &mut facts.progression {
            progression.undefined = Some(Undefined { is_nan, otherwise: row });
        }
        let (nan, ty) = (self.number(f64::NAN), self.builder.func.ty(row).clone());
        self.emit(Op::Select(is_nan, nan, row), ty, facts)
    }

    /// The same operation on the rows of numbers that are equally spaced where no limit is NaN.
    pub(super) fn moved_likewise(&mut self, result: Value, op: Binary, operands: [Value; 2]) {
        let mut facts = self.facts(result);
        let Some(Progression { undefined: Some(undefined), .. }) = &mut facts.progression else { return };
        let otherwise = operands.map(|v| match self.facts(v).progression {
            Some(Progression { undefined: Some(of), .. }) => of.otherwise,
            _ => v,
        });
        let ty = self.builder.func.ty(result).clone();
        undefined.otherwise = self.builder.push(Op::Binary(op, otherwise[0], otherwise[1]), ty);
        self.learn(result, facts);
    }

    /// A subscript as equally spaced whole numbers, if it is that or else one NaN, which is tested.
    pub(super) fn as_subscript(&mut self, subscript: Value, span: Span) -> Value {
        let mut facts = self.facts(subscript);
        let Some(undefined) = facts.progression.as_mut().and_then(|p| p.undefined.take()) else { return subscript };
        self.never(undefined.is_nan, "a subscript must be a whole number, but is NaN", span);
        self.learn(undefined.otherwise, facts);
        undefined.otherwise
    }

    /// Tests that a range of whole numbers, over which a loop goes, is not NaN.
    pub(super) fn counts(&mut self, bounds: &Bounds, span: Span) {
        let whole =
            bounds.whole.is_some() || self.whole_of(bounds.start).is_some() && self.whole_of(bounds.step).is_some();
        if let Some(is_nan) = bounds.undefined.filter(|_| whole) {
            self.never(is_nan, "the limit of this range of whole numbers is NaN", span);
        }
    }

    fn never(&mut self, truth: Value, message: &str, span: Span) {
        let fine = self.not(truth);
        self.assert_all(fine, message, span);
    }
}
