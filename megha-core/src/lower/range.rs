//! Ranges `a:b`, `a:s:b`, as arrays and as the values of loops.

use super::facts::{Facts, Progression};
use super::{Lower, Lowered};
use crate::diag::Code;
use crate::ir::bounds::LARGEST;
use crate::ir::{Binary, Class, Lib, Op, Size, Type, Unary, Value};
use crate::matlab::ast::{Expr, ExprKind};
use crate::source::Span;

/// A range that has been lowered as far as its bounds.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// The first element, `Double`.
    pub start: Value,
    /// The difference of neighbours, `Double`.
    pub step: Value,
    /// The limit, `Double`.
    pub stop: Value,
    /// Whether the range is one NaN, `Logical`; nothing where it cannot be.
    pub undefined: Option<Value>,
    /// How many elements.
    pub len: Size,
    /// Start and step as whole numbers, where they are known to be.
    pub whole: Option<(Size, i64)>,
    /// The sign of the step, if elements are rounded; zero where only the run knows and sums turn out to be exact.
    pub direction: Option<Value>,
    /// The class of the elements.
    pub class: Class,
}

impl Lower<'_> {
    /// Lowers the bounds of a range expression.
    pub fn range_bounds(&mut self, start: &Expr, step: Option<&Expr>, stop: &Expr, span: Span) -> Lowered<Bounds> {
        let mut parts = Vec::new();
        for part in [Some(start), step, Some(stop)].into_iter().flatten() {
            let Some(part) = self.range_part(part)? else { return Ok(self.no_range()) };
            parts.push(part);
        }
        let class = self.range_class(&parts, span)?;
        let a = self.range_number(parts[0], class, span)?;
        let s = match parts[..] {
            [_, step, _] => self.range_step(step, class, span)?,
            _ => self.number(1.0),
        };
        let b = self.range_number(parts[parts.len() - 1], class, span)?;
        let whole = (self.whole_of(a), self.constant_of(s), self.whole_of(b));
        if let (Some(first), Some(step), Some(last)) = whole
            && step.fract() == 0.0
            && step != 0.0
            && step.abs() < 1e15
        {
            let step = step as i64;
            let span_length = if step > 0 { last.sub(&first) } else { first.sub(&last) };
            let steps = self.size_div(span_length, step.abs());
            let len = self.size_from(steps.add_const(1));
            self.assert_countable(&len, (a, b), span)?;
            let whole = Some((first, step));
            return Ok(Bounds { start: a, step: s, stop: b, undefined: None, len, whole, direction: None, class });
        }
        let len = self.float_range_len(a, s, b, span)?;
        let (a, undefined) = self.undefined_range([a, s, b], span)?;
        let whole = match (self.whole_of(a), self.constant_of(s)) {
            (Some(first), Some(step)) if step.fract() == 0.0 && step.abs() < 1e15 => Some((first, step as i64)),
            _ => None,
        };
        let direction = self.rounding_direction(a, s, span)?;
        let s = self.finite_step(s, span)?;
        Ok(Bounds { start: a, step: s, stop: b, undefined, len, whole, direction, class })
    }

    /// An error at run time if a range has more numbers than 64 bits can count; Octave calls it invalid.
    fn assert_countable(&mut self, len: &Size, (start, stop): (Value, Value), span: Span) -> Lowered<()> {
        if self.builder.func.symbols.stays_small(len) {
            return Ok(());
        }
        let (start, stop) = (self.unary(Unary::Abs, start, span)?, self.unary(Unary::Abs, stop, span)?);
        let sum = self.binary(Binary::Add, start, stop, "range", span)?;
        let limit = self.number(LARGEST as f64);
        let countable = self.binary(Binary::Lt, sum, limit, "range", span)?;
        self.assert_all(countable, "this range has no finite length", span);
        Ok(())
    }

    /// [`Bounds::direction`] of a range: sums of whole numbers are exact, others may pass the limit by a rounding.
    fn rounding_direction(&mut self, start: Value, step: Value, span: Span) -> Lowered<Option<Value>> {
        let (first, by) = (self.facts(start), self.facts(step));
        if first.integral && by.integral {
            return Ok(None);
        }
        let sign = match by.constant {
            Some(step) => self.number(step.signum()),
            None => self.unary(Unary::Sign, step, span)?,
        };
        let fractional = |facts: &Facts| facts.constant.is_some_and(|c| c.fract() != 0.0);
        if fractional(&first) || fractional(&by) {
            return Ok(Some(sign));
        }
        let rounded = self.has_fraction(start, span)?;
        let rounded = if by.integral {
            rounded
        } else {
            let step = self.has_fraction(step, span)?;
            self.binary(Binary::Or, rounded, step, "range", span)?
        };
        let rounded = self.convert(rounded, Class::Double);
        self.binary(Binary::Mul, sign, rounded, "range", span).map(Some)
    }

    fn has_fraction(&mut self, number: Value, span: Span) -> Lowered<Value> {
        let whole = self.unary(Unary::Fix, number, span)?;
        self.binary(Binary::Ne, whole, number, "range", span)
    }

    /// A bound or step; of an array it is the first element, of one that never has any there is none.
    fn range_part(&mut self, expr: &Expr) -> Lowered<Option<Value>> {
        let value = self.expr_value(expr)?;
        if self.is_scalar(value) {
            return Ok(Some(value));
        }
        let none = self.builder.func.ty(value).numel().as_constant() == Some(0);
        Ok((!none).then(|| self.first_element(value, expr.span)))
    }

    /// The range of a bound without elements, which has none.
    fn no_range(&mut self) -> Bounds {
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let (len, whole) = (Size::constant(0), Some((Size::constant(1), 1)));
        Bounds { start: one, step: one, stop: zero, undefined: None, len, whole, direction: None, class: Class::Double }
    }

    /// The class of the elements: an integer class if one of the bounds is of it.
    fn range_class(&mut self, parts: &[Value], span: Span) -> Lowered<Class> {
        let mut class = Class::Double;
        for own in parts.iter().map(|p| self.class(*p)) {
            if matches!(own, Class::Int64 | Class::UInt64) {
                let message = "ranges of 64-bit integers are not supported; convert the bounds with double(..)";
                return self.stop(Code::Unsupported, span, message);
            }
            if own.is_integer() && class.is_integer() && own != class {
                let message = "the bounds of a range are of different integer classes";
                return self.stop(Code::MixedIntegers, span, message);
            }
            if own.is_integer() || (own == Class::Single && !class.is_integer()) {
                class = own;
            }
        }
        Ok(class)
    }

    /// A bound or step as a double. In a range of another class it must be whole, and a number of that class.
    fn range_number(&mut self, part: Value, class: Class, span: Span) -> Lowered<Value> {
        if class == Class::Double {
            return Ok(self.convert(part, class));
        }
        let number = self.convert(part, Class::Double);
        if self.class(part) != class {
            let own = self.convert(part, class);
            let own = self.convert(own, Class::Double);
            let fine = self.binary(Binary::Eq, own, number, "==", span)?;
            self.assert_all(fine, "a bound of a range is not a number of the range's class", span);
        }
        self.whole_double(number, span)
    }

    /// The step as a double; that of unsigned integers may be negative.
    fn range_step(&mut self, step: Value, class: Class, span: Span) -> Lowered<Value> {
        let number = self.convert(step, Class::Double);
        if class == Class::Double { Ok(number) } else { self.whole_double(number, span) }
    }

    fn whole_double(&mut self, number: Value, span: Span) -> Lowered<Value> {
        let whole = self.whole_number(number, "each bound of a range of single numbers or integers", span)?;
        Ok(self.double_of_size(&whole))
    }

    /// The length of a range whose bounds are any numbers, by the rule of the run-time library.
    fn float_range_len(&mut self, a: Value, s: Value, b: Value, span: Span) -> Lowered<Size> {
        let known = (self.constant_of(a), self.constant_of(s), self.constant_of(b));
        if let (Some(a), Some(s), Some(b)) = known {
            return match crate::rules::range_len(a, s, b) {
                Some(len) => Ok(Size::constant(len)),
                None => self.stop(Code::NotWhole, span, "this range has no finite length"),
            };
        }
        let before = self.here(span);
        let len = self.builder.push(Op::Lib(Lib::RangeLen, vec![a, s, b]), Type::scalar(Class::Index));
        self.builder.set_loc(before);
        let size = self.symbol_for(len, vec![Size::constant(0)], Vec::new());
        self.learn(len, Facts::whole(size.clone(), true));
        Ok(size)
    }

    /// The range as a row.
    pub fn range_array(&mut self, bounds: &Bounds) -> Value {
        let row = self.double_range(bounds);
        let row = self.starting_as_written(row, bounds);
        self.convert(row, bounds.class)
    }

    /// Elements of a range, of which the first is `-0` where the range is written so.
    fn starting_as_written(&mut self, elements: Value, bounds: &Bounds) -> Value {
        let Some(start) = self.constant_of(bounds.start).filter(|c| *c == 0.0 && c.is_sign_negative()) else {
            return elements;
        };
        let ty = self.builder.func.ty(elements).clone();
        let (zero, start) = (self.number(0.0), self.number(start));
        let first = self.emit(Op::Binary(Binary::Eq, elements, zero), ty.with_class(Class::Logical), Facts::default());
        self.emit(Op::Select(first, start, elements), ty, Facts::default())
    }

    fn double_range(&mut self, bounds: &Bounds) -> Value {
        let ty = Type::array(Class::Double, vec![Size::constant(1), bounds.len.clone()]);
        if ty.is_scalar() {
            return self.defined_start(bounds);
        }
        let Some((first, step)) = bounds.whole.clone() else {
            let start = self.defined_start(bounds);
            let row = self.emit(Op::Range { start, step: bounds.step }, ty, Facts::default());
            return self.within_limit(row, bounds);
        };
        let start = self.index_value(&first);
        let by = self.builder.int(step);
        let facts = Facts {
            nonnegative: self.never_negative(&first) && step > 0,
            integral: true,
            progression: Some(Progression { start: first, step, len: bounds.len.clone(), undefined: None }),
            ..Facts::default()
        };
        let row = self.emit(Op::Range { start, step: by }, ty, facts);
        self.or_undefined(row, bounds)
    }

    /// Element number `k` (an `Index` scalar with symbol `k_size`, from zero) of a range.
    pub fn range_element(&mut self, bounds: &Bounds, k: Value, k_size: &Size) -> Value {
        let number = self.double_range_element(bounds, k, k_size);
        let number = self.starting_as_written(number, bounds);
        self.convert(number, bounds.class)
    }

    fn double_range_element(&mut self, bounds: &Bounds, k: Value, k_size: &Size) -> Value {
        if let Some((first, step)) = &bounds.whole {
            let size = first.add(&k_size.scale(*step));
            return self.double_of_size(&size);
        }
        if let Some(element) = self.whole_range_element(bounds, k_size) {
            return element;
        }
        let nonnegative = self.facts(bounds.start).nonnegative && self.facts(bounds.step).nonnegative;
        let scalar = Type::scalar(Class::Double);
        let k = self.emit(Op::Convert(k), scalar.clone(), Facts::whole(k_size.clone(), true));
        let offset = self.emit(Op::Binary(Binary::Mul, k, bounds.step), scalar.clone(), Facts::default());
        let facts = Facts { nonnegative, ..Facts::default() };
        let start = self.defined_start(bounds);
        let element = self.emit(Op::Binary(Binary::Add, start, offset), scalar, facts);
        self.within_limit(element, bounds)
    }

    /// Elements of a range as far as its limit: Octave's last element is the limit where rounding would carry it beyond.
    fn within_limit(&mut self, elements: Value, bounds: &Bounds) -> Value {
        let Some(direction) = bounds.direction else { return elements };
        let facts = Facts { nonnegative: self.facts(elements).nonnegative, ..Facts::default() };
        let ty = self.builder.func.ty(elements).clone();
        let scalar = Type::scalar(Class::Double);
        let (ahead, limit) = match self.constant_of(direction) {
            Some(1.0) => (elements, bounds.stop),
            _ => (
                self.emit(Op::Binary(Binary::Mul, elements, direction), ty.clone(), Facts::default()),
                self.emit(Op::Binary(Binary::Mul, bounds.stop, direction), scalar, Facts::default()),
            ),
        };
        let beyond = self.emit(Op::Binary(Binary::Gt, ahead, limit), ty.with_class(Class::Logical), Facts::default());
        self.emit(Op::Select(beyond, bounds.stop, elements), ty, facts)
    }

    /// An element of a range of whole numbers whose step only the run knows, as in `for k = p * p:p:n`: a symbol between
    /// the bounds.
    fn whole_range_element(&mut self, bounds: &Bounds, k_size: &Size) -> Option<Value> {
        let (first, step) = (self.whole_of(bounds.start)?, self.whole_of(bounds.step)?);
        let last = self.whole_of(bounds.stop).into_iter().collect();
        let (low, high) = if self.never_negative(&step.add_const(-1)) {
            (vec![first.clone()], last)
        } else if self.never_negative(&step.scale(-1).add_const(-1)) {
            (last, vec![first.clone()])
        } else {
            return None;
        };
        let element = self.builder.size(&first.add(&k_size.mul(&step)));
        let size = self.symbol_for(element, low, high);
        let nonnegative = self.never_negative(&size);
        self.learn(element, Facts::whole(size.clone(), nonnegative));
        Some(self.double_of_size(&size))
    }

    /// `linspace(a, b, n)`
    pub fn linspace(&mut self, a: Value, b: Value, n: Size) -> Value {
        let ty = Type::array(Class::Double, vec![Size::constant(1), n]);
        if ty.is_scalar() {
            return b;
        }
        let nonnegative = self.facts(a).nonnegative && self.facts(b).nonnegative;
        self.emit(Op::Linspace(a, b), ty, Facts { nonnegative, ..Facts::default() })
    }

    /// Whether an expression is a range that is not written inside brackets.
    pub fn as_range(expr: &Expr) -> Option<(&Expr, Option<&Expr>, &Expr)> {
        match &expr.kind {
            ExprKind::Range { start, step, stop } => Some((start, step.as_deref(), stop)),
            _ => None,
        }
    }
}
