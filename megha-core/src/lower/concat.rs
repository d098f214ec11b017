//! Matrices in brackets, products and quotients of matrices.

use std::rc::Rc;

use super::brackets::Hollow;
use super::facts::{Facts, Stored};
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Binary, Class, Lib, Op, Size, Type, Value};
use crate::matlab::ast::{BinaryOp, Expr};
use crate::source::Span;

/// Ranges of so many elements are known one by one in brackets.
const MAX_ELEMENTS: i64 = 16;

/// What to do where a function stands among numbers.
pub(super) const CALL_HELP: &str = "store the number that a call gives; a function itself can only be a variable";

impl Lower<'_> {
    /// `[a, b; c, d]`
    pub fn matrix(&mut self, rows: &[Vec<Expr>], span: Span) -> Lowered<Operand> {
        let nothing = |this: &mut Self| {
            let none = Size::constant(0);
            Ok(Operand::Value(this.filled(0.0, Class::Double, vec![none.clone(), none])))
        };
        // All parts are lowered before the first failure counts.
        let parts: Vec<Lowered<Vec<Operand>>> =
            rows.iter().map(|row| self.spread_lists(row).and_then(|row| self.arguments(&row))).collect();
        let mut parts = parts.into_iter().collect::<Lowered<Vec<_>>>()?;
        // A list without elements leaves nothing.
        parts.retain(|row| !row.is_empty());
        if parts.is_empty() {
            return nothing(self);
        }
        if parts.iter().flatten().any(|part| matches!(part, Operand::List(_))) {
            return self.lists_joined(parts, span).map(Operand::List);
        }
        if parts.iter().flatten().any(|part| part.pieces().is_some()) {
            return self.text_brackets(parts, span);
        }
        let mut blocks = Vec::new();
        for row in parts {
            let value = |part| if let Operand::Value(value) = part { Some(value) } else { None };
            match row.into_iter().map(value).collect::<Option<Vec<Value>>>() {
                Some(values) => blocks.push(values),
                None => {
                    return self.report(
                        Diagnostic::error(Code::FunctionValue, span, "a function cannot be an element of a matrix")
                            .help(CALL_HELP),
                    );
                }
            }
        }
        let characters = blocks.iter().flatten().any(|v| self.facts(*v).characters);
        let class = self.concat_class(&blocks.concat());
        let before = self.here(span);
        let mut lines = Vec::new();
        for parts in blocks {
            let parts = parts.into_iter().map(|v| self.convert(v, class)).collect();
            lines.push(self.concat(1, parts, span)?);
        }
        let result = self.concat(0, lines, span);
        self.builder.set_loc(before);
        let result = result?;
        if characters {
            self.learn(result, Facts { characters, ..self.facts(result) });
        }
        Ok(Operand::Value(result))
    }

    /// The class of blocks put together.
    pub fn concat_class(&self, parts: &[Value]) -> Class {
        let classes: Vec<Class> = parts.iter().map(|v| self.class(*v)).collect();
        // Of several integer classes it is the first.
        if let Some(first) = classes.iter().find(|c| c.is_integer()) {
            return *first;
        }
        if classes.contains(&Class::Single) {
            Class::Single
        } else if classes.contains(&Class::Complex) {
            Class::Complex
        } else if classes.iter().all(|c| *c == Class::Logical) {
            Class::Logical
        } else {
            Class::Double
        }
    }

    /// Blocks side by side along an axis (0: below each other, 1: beside each other). `[]` is left out, and beside blocks that have
    /// elements any vector without that does not fit.
    pub fn concat(&mut self, axis: usize, parts: Vec<Value>, span: Span) -> Lowered<Value> {
        let empty = |this: &Self, v: Value, most: i64| {
            let dims = &this.builder.func.ty(v).dims;
            let sizes: Vec<Option<i64>> = dims.iter().map(Size::as_constant).collect();
            matches!(sizes[..], [Some(0), Some(b)] if b <= most) || matches!(sizes[..], [Some(a), Some(0)] if a <= most)
        };
        let most = if parts.iter().all(|v| empty(self, *v, 1)) { 0 } else { 1 };
        let (left_out, mut parts): (Vec<Value>, Vec<Value>) = if parts.iter().all(|v| empty(self, *v, most)) {
            (Vec::new(), parts.into_iter().take(1).collect())
        } else {
            // `[zeros(0, 2), zeros(0, 1)]` has three columns: what fits is not left out.
            let across = |v: Value| self.builder.func.ty(v).dim(axis ^ 1).as_constant().filter(|_| axis < 2);
            let room = parts.iter().find(|v| !empty(self, **v, most)).and_then(|v| across(*v));
            let adds = |v: Value| self.builder.func.ty(v).dim(axis).as_constant() != Some(0);
            let fits = |v: Value| !empty(self, v, 0) && adds(v) && room.is_some() && across(v) == room;
            parts.into_iter().partition(|v| empty(self, *v, most) && !fits(*v))
        };
        if parts.len() == 1 {
            return Ok(self.unlike(axis, parts[0], &left_out));
        }
        self.fit_brackets(axis, &mut parts);
        let class = self.class(parts[0]);
        let rank = parts.iter().map(|v| self.builder.func.ty(*v).ndims()).max().unwrap_or(2).max(axis + 1);
        let shape =
            |this: &Self, v: Value| -> Vec<Size> { (0..rank).map(|a| this.builder.func.ty(v).dim(a)).collect() };
        let mut dims = shape(self, parts[0]);
        for part in parts.iter().skip(1) {
            let own = shape(self, *part);
            for other in (0..rank).filter(|a| *a != axis) {
                if dims[other].sub(&own[other]).as_constant().is_some_and(|d| d != 0) {
                    let (a, b) = (self.dims_text(&dims), self.dims_text(&own));
                    let direction = if axis == 0 { "below each other" } else { "beside each other" };
                    let message = format!("blocks of different sizes stand {direction}: {a} and {b}");
                    return self.report(Diagnostic::error(Code::ConcatMismatch, span, message));
                }
                self.check_same(&dims[other], &own[other], "brackets", span);
                // Of two equal sizes the older one, which is known at more places.
                if own[other].symbols().max() < dims[other].symbols().max() {
                    dims[other] = own[other].clone();
                }
            }
            dims[axis] = dims[axis].add(&own[axis]);
        }
        for part in &mut parts {
            let mut wanted = dims.clone();
            wanted[axis] = self.builder.func.ty(*part).dim(axis);
            *part = self.recast(*part, &wanted);
        }
        let all = |this: &Self, f: &dyn Fn(&Facts) -> bool| parts.iter().all(|v| f(&this.facts(*v)));
        let facts = Facts {
            nonnegative: all(self, &|f| f.nonnegative),
            integral: all(self, &|f| f.integral),
            characters: parts.iter().any(|v| self.facts(*v).characters),
            elements: self.joined_elements(axis, &parts),
            ..Facts::default()
        };
        let hollow = parts.iter().map(|v| self.hollow(*v)).fold(Hollow::Never, Hollow::join);
        let joined = self.emit(Op::Concat(axis, parts), Type::array(class, dims), facts);
        if hollow == Hollow::Brackets {
            self.is_brackets_if_empty(joined);
        }
        Ok(joined)
    }

    /// The scalars that blocks along a vector were put together from, where there are few.
    fn joined_elements(&mut self, axis: usize, parts: &[Value]) -> Option<Rc<[Value]>> {
        let mut all = Vec::new();
        for part in parts {
            let lies_along = axis < 2 && self.builder.func.ty(*part).dim(axis ^ 1).is_one();
            let facts = self.facts(*part);
            match (facts.elements, facts.progression) {
                _ if self.is_scalar(*part) => all.push(*part),
                (Some(elements), _) if lies_along => all.extend(elements.iter()),
                (None, Some(range)) if lies_along => {
                    let (start, len) = (range.start.as_constant()?, range.len.as_constant()?);
                    if len > MAX_ELEMENTS {
                        return None;
                    }
                    all.extend((0..len).map(|k| self.number((start + k * range.step) as f64)));
                }
                _ => return None,
            }
        }
        Some(all.into())
    }

    /// One block beside vectors without elements that lie otherwise: where control joins, it may be one of those, which its type
    /// must not hide.
    fn unlike(&mut self, axis: usize, block: Value, left_out: &[Value]) -> Value {
        let mut dims = self.builder.func.ty(block).dims.clone();
        dims.resize(dims.len().max(2), Size::constant(1));
        let across = 1 - axis.min(1);
        let ty = |v: &Value| self.builder.func.ty(*v).clone();
        let other =
            left_out.iter().any(|v| !super::form::is_empty_brackets(&ty(v)) && ty(v).dim(across) != dims[across]);
        if !other || axis > 1 || dims.len() > 2 || !self.may_stay_away() {
            return block;
        }
        dims[axis] = self.opaque(&dims[axis]);
        self.retyped(block, dims)
    }

    /// Where only the run knows whether a block is a vector without elements, as in `x = [x, v]` in a loop, it gets the sizes in
    /// which it adds nothing to the others if it is.
    fn fit_brackets(&mut self, axis: usize, parts: &mut [Value]) {
        let across = 1 - axis.min(1);
        let dims = |this: &Self, v: Value| this.builder.func.ty(v).dims.clone();
        let open = |this: &Self, v: Value| {
            let dims = dims(this, v);
            dims.len() == 2 && dims.iter().all(|d| this.is_loose(d) && !this.never_negative(&d.add_const(-1)))
        };
        if axis > 1 || parts.iter().any(|v| dims(self, *v).len() > 2) {
            return;
        }
        let Some(pattern) = parts.iter().copied().find(|v| !open(self, *v)) else { return };
        let wanted = self.builder.func.ty(pattern).dim(across);
        for part in parts.iter_mut() {
            let mut own = dims(self, *part);
            if !open(self, *part) || self.same_size(&own[across], &wanted) {
                continue;
            }
            let any = own[0].add(&own[1]).add_const(-1);
            own[across] = self.size_unless_empty(&any, &own[across], &wanted, Vec::new());
            own[axis] = self.size_unless_empty(&any, &own[axis], &Size::constant(0), Vec::new());
            *part = self.retyped(*part, own);
        }
    }

    /// An array with every element the same known number.
    pub fn filled(&mut self, value: f64, class: Class, dims: Vec<Size>) -> Value {
        let ty = Type::array(class, dims);
        let double = self.number(value);
        let element = if class == Class::Logical { self.logical(double) } else { self.convert(double, class) };
        if ty.is_scalar() {
            return element;
        }
        let facts =
            Facts { zero: value == 0.0, nonnegative: value >= 0.0, integral: value.fract() == 0.0, ..Facts::default() };
        self.emit(Op::Fill(element), ty, facts)
    }

    /// `A * B` of matrices.
    pub fn matrix_product(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        if self.is_complex(a) || self.is_complex(b) {
            return self.complex_matrix_product(a, b, span);
        }
        let (a, b) = (self.float_matrix(a, span)?, self.float_matrix(b, span)?);
        let (ta, tb) = (self.builder.func.ty(a).clone(), self.builder.func.ty(b).clone());
        let (inner_a, inner_b) = (ta.dim(1), tb.dim(0));
        if inner_a.sub(&inner_b).as_constant().is_some_and(|d| d != 0) {
            let (x, y) = (self.dims_text(&ta.dims), self.dims_text(&tb.dims));
            let message = format!("the inner sizes of this matrix product differ: {x} times {y}");
            return self.report(
                Diagnostic::error(Code::InnerSizes, span, message).help("use .* for the element-wise product"),
            );
        }
        let diagonal = (self.is_square_diagonal(a), self.is_square_diagonal(b));
        let (a, b) = self.meeting((a, 1), (b, 0), "the matrix product `*`", span);
        if self.is_scalar(a) || self.is_scalar(b) {
            return self.binary(Binary::Mul, a, b, "the matrix product `*`", span);
        }
        let class = if ta.class == Class::Single || tb.class == Class::Single { Class::Single } else { Class::Double };
        let (a, b) = (self.convert(a, class), self.convert(b, class));
        match diagonal {
            (true, false) => return self.call_inner_value("diagonal_times", vec![a, b], span),
            (false, true) => return self.call_inner_value("times_diagonal", vec![a, b], span),
            _ => {}
        }
        let nonnegative = self.facts(a).nonnegative && self.facts(b).nonnegative;
        let integral = self.facts(a).integral && self.facts(b).integral;
        let ty = Type::array(class, vec![self.builder.func.ty(a).dim(0), self.builder.func.ty(b).dim(1)]);
        let before = self.here(span);
        let value =
            self.emit(Op::Lib(Lib::MatMul, vec![a, b]), ty, Facts { nonnegative, integral, ..Facts::default() });
        self.builder.set_loc(before);
        Ok(value)
    }

    /// Whether Octave stores the matrix as its diagonal, and it is known to be square.
    fn is_square_diagonal(&self, matrix: Value) -> bool {
        let ty = self.builder.func.ty(matrix);
        self.facts(matrix).stored == Stored::Diagonal && ty.ndims() == 2 && self.same_size(&ty.dims[0], &ty.dims[1])
    }

    /// Two matrices whose sizes along an axis of each are tested to be equal and then have one form. A size that is the
    /// constant one decides, so a vector may come back as a scalar.
    fn meeting(&mut self, a: (Value, usize), b: (Value, usize), what: &str, span: Span) -> (Value, Value) {
        let size = |this: &Self, (value, axis): (Value, usize)| this.builder.func.ty(value).dim(axis);
        let (x, y) = (size(self, a), size(self, b));
        self.check_same(&x, &y, what, span);
        if y.is_one() { (self.with_size(a, y), b.0) } else { (a.0, self.with_size(b, x)) }
    }

    fn with_size(&mut self, (value, axis): (Value, usize), size: Size) -> Value {
        let ty = self.builder.func.ty(value).clone();
        if ty.dim(axis) == size {
            return value;
        }
        let mut dims = ty.dims;
        dims[axis] = size;
        let facts = self.facts(value);
        self.emit(Op::Reshape(value), Type::array(ty.class, dims), facts)
    }

    fn float_matrix(&mut self, value: Value, span: Span) -> Lowered<Value> {
        let value = self.convert_number(value);
        let ty = self.builder.func.ty(value).clone();
        if ty.class.is_integer() {
            return self.stop(
                Code::Unsupported,
                span,
                "matrix products of integer classes are not supported; convert with double(..)",
            );
        }
        if ty.dims.len() > 2 {
            let text = self.type_text(&ty);
            let message = format!("a matrix product needs matrices, but this is {text}");
            return self.report(
                Diagnostic::error(Code::NotMatrix, span, message)
                    .help("multiply page by page, as in A(:, :, k) * B, or element by element with `.*`"),
            );
        }
        Ok(value)
    }

    /// `A \ b`, `b / A`
    pub fn matrix_division(&mut self, op: BinaryOp, a: Value, b: Value, span: Span) -> Lowered<Value> {
        if self.is_complex(a) || self.is_complex(b) {
            return self.complex_matrix_division(op, a, b, span);
        }
        let (a, b) = (self.float_matrix(a, span)?, self.float_matrix(b, span)?);
        let (ta, tb) = (self.builder.func.ty(a).clone(), self.builder.func.ty(b).clone());
        let left = op == BinaryOp::MatLeftDiv;
        let axis = usize::from(!left);
        let (x, y) = (ta.dim(axis), tb.dim(axis));
        if x.sub(&y).as_constant().is_some_and(|d| d != 0) {
            let (x, y) = (self.dims_text(&ta.dims), self.dims_text(&tb.dims));
            let message = format!("the sizes of this matrix division do not fit: {x} and {y}");
            return self.report(
                Diagnostic::error(Code::InnerSizes, span, message).help("use ./ or .\\ to divide by each element"),
            );
        }
        let class = if ta.class == Class::Single || tb.class == Class::Single { Class::Single } else { Class::Double };
        let (a, b) = (self.convert(a, Class::Double), self.convert(b, Class::Double));
        let (a, b) = self.meeting((a, axis), (b, axis), "matrix division", span);
        let (matrix, other) = if left { (a, b) } else { (b, a) };
        if self.is_scalar(matrix) {
            let value = self.binary(Binary::Div, other, matrix, "matrix division", span)?;
            return Ok(self.convert(value, class));
        }
        if self.is_scalar(other) {
            let column = if left { self.transpose(matrix, span)? } else { matrix };
            let row = self.call_inner_value("number_by_column", vec![other, column], span)?;
            let shortest = if left { self.transpose(row, span)? } else { row };
            return Ok(self.convert(shortest, class));
        }
        let (lib, kept) = if left { (Lib::LeftDivide, 1) } else { (Lib::RightDivide, 0) };
        let dims = [a, b].map(|v| self.builder.func.ty(v).dim(kept)).to_vec();
        let before = self.here(span);
        let value = self.emit(Op::Lib(lib, vec![a, b]), Type::array(Class::Double, dims), Facts::default());
        self.builder.set_loc(before);
        Ok(self.convert(value, class))
    }

    fn inverse(&mut self, a: Value, span: Span) -> Lowered<Value> {
        let results = match super::prelude::find("inv", span) {
            Some(function) => self.call_prelude(function, vec![Operand::Value(a)], span, 1)?,
            None => Vec::new(),
        };
        match results[..] {
            [Operand::Value(inverse)] => Ok(inverse),
            _ => self.stop(Code::Internal, span, "the prelude has no `inv`"),
        }
    }

    /// `A ^ k` for a whole k: repeated squaring, of the inverse if k is negative.
    pub fn matrix_power(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let known = self.constant_of(b).filter(|k| k.fract() == 0.0 && (1.0..=1024.0).contains(&k.abs()));
        let Some(k) = known else {
            return self.unknown_power(a, b, span);
        };
        let a = if k < 0.0 { self.inverse(a, span)? } else { a };
        let (mut k, mut base, mut result) = (k.abs() as u32, a, None);
        while k > 0 {
            if k & 1 == 1 {
                result = Some(match result {
                    None => base,
                    Some(r) => self.matrix_product(r, base, span)?,
                });
            }
            k >>= 1;
            if k > 0 {
                base = self.matrix_product(base, base, span)?;
            }
        }
        Ok(result.unwrap_or(a))
    }

    /// The same for a k that only the run knows, or that is not positive.
    fn unknown_power(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        if self.is_complex(b) && self.is_scalar(b) || self.is_complex(a) && self.is_scalar(a) {
            let what = "powers with matrices and complex numbers are not supported";
            return self
                .report(Diagnostic::error(Code::Unsupported, span, what).help("use .^ for element-wise powers"));
        }
        match (self.is_scalar(a), self.is_scalar(b)) {
            (false, true) => {}
            (true, false) => {
                let number = self.convert(a, Class::Double);
                return self.call_inner_value("power_of_number", vec![number, b], span);
            }
            _ => {
                let what = "a power takes a matrix and a number, not two matrices";
                return self
                    .report(Diagnostic::error(Code::Unsupported, span, what).help("use .^ for element-wise powers"));
            }
        }
        if self.constant_of(b).is_some_and(|k| k.fract() != 0.0) {
            return self.call_inner_value("fractional_power", vec![a, b], span);
        }
        let exponent = self.convert(b, Class::Double);
        self.call_inner_value("whole_power", vec![a, exponent], span)
    }
}
