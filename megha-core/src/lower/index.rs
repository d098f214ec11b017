//! Subscripts: reading parts of arrays, and what stores share with reads.

use super::facts::Facts;
use super::grow::Given;
use super::sizes::Proven;
use super::{Lower, Lowered};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Binary, Class, Op, Size, Sub, Type, Value};
use crate::matlab::ast::{Expr, ExprKind};
use crate::source::Span;

/// What `end` means where it stands.
#[derive(Debug, Clone)]
pub(super) struct EndContext {
    /// The array that is indexed.
    pub array: Value,
    /// Which subscript, from zero.
    pub position: usize,
    /// Out of how many.
    pub of: usize,
}

/// Lowered subscripts.
pub(super) struct Subs {
    pub subs: Vec<Sub>,
    /// How many elements each one selects; 1 and `scalar` for a single element.
    pub lens: Vec<Size>,
    pub scalar: Vec<bool>,
    /// Sizes of a subscript array that is not a vector (only with a single subscript).
    pub matrix: Option<Vec<Size>>,
    /// The only subscript, if it was a logical mask.
    pub mask: Option<Value>,
    /// Whether bounds must be tested at run time.
    pub checked: bool,
}

impl Lower<'_> {
    /// `array(args)` as a value.
    pub fn index(&mut self, array: Value, args: &[Expr], span: Span) -> Lowered<Value> {
        if args.is_empty() {
            return Ok(array);
        }
        let ty = self.builder.func.ty(array).clone();
        if ty.is_scalar() {
            return self.index_scalar(array, args);
        }
        let args = self.without_ones(array, args, span)?;
        let array = self.with_rank(array, args.len(), span)?;
        let given = self.subscript_values(array, args)?;
        if let Some(element) = self.known_element(array, &given) {
            return Ok(element);
        }
        let subs = self.subscripts_of(array, args, &given, Purpose::Read)?;
        let ty = self.builder.func.ty(array).clone();
        let dims = if args.len() == 1 { self.linear_dims(&ty, &subs) } else { subs.lens.clone() };
        let result = Type::array(ty.class, dims);
        let old = self.facts(array);
        let Facts { nonnegative, integral, characters, .. } = old;
        let facts = Facts { nonnegative, integral, characters, ..Facts::default() };
        let before = self.here(span);
        let all = args.iter().all(|a| matches!(a.kind, ExprKind::Colon));
        // `x(:)` of a column is the column, but never `[]`.
        let value = if all && (args.len() > 1 || ty == result) {
            let brackets = args.len() == 1 && old.brackets;
            if brackets { self.emit(Op::Reshape(array), result, Facts { brackets: false, ..old }) } else { array }
        } else {
            // Sizes that the run chooses have no product in closed form.
            let chosen = subs.matrix.is_none() && args.len() == 1 && result.numel() != subs.lens[0];
            let read = if chosen { row_of(&result, &subs.lens[0]) } else { result.clone() };
            let read = self.emit(Op::Index { array, subs: subs.subs, checked: subs.checked }, read, facts.clone());
            if chosen { self.emit(Op::Reshape(read), result, facts) } else { read }
        };
        self.builder.set_loc(before);
        Ok(value)
    }

    /// An element that the vector was put together from.
    fn known_element(&self, array: Value, given: &Given) -> Option<Value> {
        let [Some(number)] = given[..] else { return None };
        let at = self.whole_of(number).filter(|_| self.class(number) == Class::Double)?.as_constant()?;
        let facts = self.facts(array);
        facts.elements.filter(|_| !facts.characters)?.get(usize::try_from(at - 1).ok()?).copied()
    }

    /// A scalar indexed by ones: the scalar, or repeated as often as there are ones. Other subscripts fail.
    fn index_scalar(&mut self, scalar: Value, args: &[Expr]) -> Lowered<Value> {
        let mut dims = Vec::new();
        let mut repeats = false;
        for (arg, sub) in args.iter().zip(self.subscript_values(scalar, args)?) {
            let Some(sub) = sub else {
                dims.push(Size::constant(1));
                continue;
            };
            let sub = match (self.class(sub) == Class::Logical, self.is_scalar(sub)) {
                (true, true) => self.one_or_none(sub),
                (true, false) => self.true_positions(sub, true, arg.span),
                _ => sub,
            };
            if self.is_scalar(sub) {
                self.must_be_one(sub, arg.span)?;
                dims.push(Size::constant(1));
                continue;
            }
            self.all_ones(sub, arg.span)?;
            repeats = true;
            let ty = self.builder.func.ty(sub).clone();
            dims.extend(if args.len() == 1 { ty.dims } else { vec![ty.numel()] });
        }
        if !repeats {
            return Ok(self.computed(scalar));
        }
        let facts = Facts { progression: None, whole: None, constant: None, ..self.facts(scalar) };
        Ok(self.emit(Op::Fill(scalar), Type::array(self.class(scalar), dims), facts))
    }

    /// Tests that a subscript along a dimension of size one is 1.
    pub fn must_be_one(&mut self, subscript: Value, span: Span) -> Lowered<()> {
        let (number, one) = (self.whole_number(subscript, "a subscript", span)?, Size::constant(1));
        if let Some(n) = number.as_constant().filter(|n| *n != 1) {
            let why = if n < 1 { "subscripts count from 1" } else { "there is 1 element" };
            return self.stop(Code::IndexOutOfBounds, span, format!("subscript {n} is out of bounds: {why}"));
        }
        if !self.same_size(&number, &one) {
            let fine = self.is_one(&number);
            self.assert_all(fine, "a subscript along a dimension of size 1 is not 1", span);
            self.proven.push(Proven::Equal(number, one));
        }
        Ok(())
    }

    /// Whether a subscript is a number that is 1 as far as is known.
    fn may_be_one(&self, subscript: Value) -> bool {
        let number = self.is_scalar(subscript) && self.class(subscript) != Class::Logical;
        number && self.constant_of(subscript).is_none_or(|c| c == 1.0)
    }

    /// The subscripts without those behind the last dimension, which must be 1.
    fn without_ones<'e>(&mut self, array: Value, args: &'e [Expr], span: Span) -> Lowered<&'e [Expr]> {
        let ty = self.builder.func.ty(array).clone();
        let (count, rank) = (args.len(), ty.ndims());
        if count <= rank.max(2) {
            return Ok(args);
        }
        let mut values = vec![None; rank];
        values.extend(self.subscript_values_from(rank, array, args)?);
        self.only_ones(&ty, args, &values, span)?;
        Ok(&args[..rank])
    }

    /// Tests that subscripts behind the last dimension of an array are 1.
    pub fn only_ones(&mut self, ty: &Type, args: &[Expr], given: &Given, span: Span) -> Lowered<()> {
        let rank = ty.ndims();
        for (arg, subscript) in args.iter().zip(given).skip(rank) {
            match subscript {
                None => {}
                Some(subscript) if self.may_be_one(*subscript) => self.must_be_one(*subscript, arg.span)?,
                Some(_) => {
                    let (count, text) = (args.len(), self.type_text(ty));
                    let message = format!("{count} subscripts for an array of {rank} dimensions ({text})");
                    return self.stop(Code::TooManySubscripts, span, message);
                }
            }
        }
        Ok(())
    }

    /// Tests that a scalar is indexed within its one element.
    fn all_ones(&mut self, subs: Value, span: Span) -> Lowered<()> {
        if let Some(range) = self.facts(subs).progression
            && range.len.as_constant().is_some_and(|n| n > 1)
        {
            return self.report(
                Diagnostic::error(Code::IndexOutOfBounds, span, "a scalar can be indexed by 1 only")
                    .help("use repmat(x, ..) or x*ones(..) to repeat it"),
            );
        }
        let one = self.number(1.0);
        let fine = self.binary(Binary::Eq, subs, one, "==", span)?;
        self.assert_all(fine, "a scalar is indexed beyond its one element", span);
        Ok(())
    }

    /// The array with so many dimensions as there are subscripts: with fewer, the last subscript runs over all remaining
    /// dimensions; with more, the further ones are of size one.
    pub fn with_rank(&mut self, array: Value, count: usize, span: Span) -> Lowered<Value> {
        let ty = self.builder.func.ty(array).clone();
        let rank = ty.dims.len();
        if count == 1 || count == rank {
            return Ok(array);
        }
        if count > rank {
            return self.stop(
                Code::TooManySubscripts,
                span,
                format!("{count} subscripts for an array of {rank} dimensions ({})", self.type_text(&ty)),
            );
        }
        let mut dims = ty.dims[..count].to_vec();
        for d in &ty.dims[count..] {
            dims[count - 1] = dims[count - 1].mul(d);
        }
        let facts = self.facts(array);
        Ok(self.emit(Op::Reshape(array), Type { class: ty.class, dims }, facts))
    }

    /// The values of subscripts; `None` for `:`.
    pub fn subscript_values(&mut self, array: Value, args: &[Expr]) -> Lowered<Vec<Option<Value>>> {
        self.subscript_values_from(0, array, args)
    }

    fn subscript_values_from(&mut self, from: usize, array: Value, args: &[Expr]) -> Lowered<Vec<Option<Value>>> {
        let mut given = Vec::new();
        for (position, arg) in args.iter().enumerate().skip(from) {
            if matches!(arg.kind, ExprKind::Colon) {
                given.push(None);
                continue;
            }
            self.ends.push(EndContext { array, position, of: args.len() });
            let value = self.expr_value(arg);
            self.ends.pop();
            let value = value?;
            if self.facts(value).mixed && !self.is_scalar(value) {
                return self.mask_or_numbers(arg.span);
            }
            let value = self.as_subscript(value, arg.span);
            given.push(Some(self.subscript_number(value)));
        }
        Ok(given)
    }

    fn mask_or_numbers<T>(&mut self, span: Span) -> Lowered<T> {
        let message = "this subscript may be logical or double here, depending on the way taken: a mask or numbers";
        self.report(
            Diagnostic::error(Code::TypeConflict, span, message)
                .help("write logical(..) around a mask, or make the variable logical from the start, as with true(..)"),
        )
    }

    /// A subscript of a class that subscripts of the IR have.
    fn subscript_number(&mut self, value: Value) -> Value {
        match self.class(value) {
            Class::Complex | Class::Single => self.convert(value, Class::Double),
            _ => value,
        }
    }

    /// Subscripts, which have these values, of an array whose rank fits their number.
    pub fn subscripts_of(&mut self, array: Value, args: &[Expr], given: &Given, purpose: Purpose) -> Lowered<Subs> {
        let ty = self.builder.func.ty(array).clone();
        let mut out =
            Subs { subs: Vec::new(), lens: Vec::new(), scalar: Vec::new(), matrix: None, mask: None, checked: false };
        for (position, (arg, value)) in args.iter().zip(given).enumerate() {
            let extent = if args.len() == 1 { ty.numel() } else { ty.dim(position) };
            match value {
                Some(value) => {
                    self.subscript(&extent, (arg, *value), purpose, (args.len() == 1).then_some(array), &mut out)?
                }
                None => self.colon(extent, args.len() == 1, &mut out),
            }
        }
        Ok(out)
    }

    /// `:`; of a dimension of size one it is the one element.
    fn colon(&mut self, extent: Size, linear: bool, out: &mut Subs) {
        let single = extent.is_one() && !linear;
        out.subs.push(if single { Sub::At(self.index_value(&Size::constant(0))) } else { Sub::All });
        out.lens.push(extent);
        out.scalar.push(single);
    }

    fn subscript(
        &mut self,
        extent: &Size,
        (arg, given): (&Expr, Value),
        purpose: Purpose,
        linear: Option<Value>,
        out: &mut Subs,
    ) -> Lowered<()> {
        let marks = linear.is_some_and(|array| self.covers(given, array));
        let linear = linear.is_some();
        let mask = self.class(given) == Class::Logical;
        let single = mask && self.is_scalar(given);
        let value = match mask {
            true if single => self.one_or_none(given),
            true => self.true_positions(given, linear && purpose == Purpose::Read && !marks, arg.span),
            false => given,
        };
        let ty = self.builder.func.ty(value).clone();
        if ty.is_scalar() {
            return self.scalar_subscript(extent, value, arg, purpose, out);
        }
        out.lens.push(ty.numel());
        out.scalar.push(false);
        let mut value = value;
        if linear && (!ty.is_vector() || single) {
            out.matrix = Some(ty.dims.clone());
        } else if !ty.is_vector() {
            // Among others a matrix counts as its elements, columns first.
            let column = Type::array(ty.class, vec![ty.numel(), Size::constant(1)]);
            value = self.emit(Op::Reshape(value), column, Facts { progression: None, ..self.facts(value) });
        }
        let facts = self.facts(value);
        let proven = facts.progression.as_ref().is_some_and(|p| {
            // Of an empty range no element is used.
            let last = p.start.add(&self.nonempty(&p.len).add_const(-1).scale(p.step));
            let (low, high) = if p.step > 0 { (p.start.clone(), last) } else { (last, p.start.clone()) };
            self.never_negative(&low.add_const(-1)) && self.never_negative(&extent.sub(&high))
        });
        out.checked |= !(proven || mask && self.same_size(extent, &self.builder.func.ty(given).numel()));
        out.mask = (mask && linear).then_some(given);
        out.subs.push(Sub::Vector(value));
        Ok(())
    }

    /// The subscripts that one truth value stands for: 1 or none, 1-by-1 or 0-by-0.
    pub fn one_or_none(&mut self, mask: Value) -> Value {
        let count = self.true_count(mask);
        let one = self.number(1.0);
        self.emit(Op::Fill(one), Type::array(Class::Double, vec![count.clone(), count]), Facts::default())
    }

    fn scalar_subscript(
        &mut self,
        extent: &Size,
        value: Value,
        arg: &Expr,
        purpose: Purpose,
        out: &mut Subs,
    ) -> Lowered<()> {
        let number = self.whole_number(value, "a subscript", arg.span)?;
        let zero_based = number.add_const(-1);
        let room = extent.sub(&number);
        if let Some(n) = number.as_constant().filter(|n| *n < 1) {
            return self.report(Diagnostic::error(
                Code::IndexOutOfBounds,
                arg.span,
                format!("subscript {n} is out of bounds: subscripts count from 1"),
            ));
        }
        if room.as_constant().is_some_and(|r| r < 0) {
            let (number, extent) = (self.size_text(&number), self.size_text(extent));
            let (code, message) = match purpose {
                Purpose::Read => (
                    Code::IndexOutOfBounds,
                    format!("subscript {number} is out of bounds: there are {extent} elements"),
                ),
                Purpose::Store => (
                    Code::Growth,
                    format!(
                        "this assignment to subscript {number} would make the array grow beyond its {extent} elements"
                    ),
                ),
            };
            return self.report(
                Diagnostic::error(code, arg.span, message)
                    .help("make the array large enough first, for example with zeros(..)"),
            );
        }
        out.checked |= !(self.never_negative(&zero_based) && self.never_negative(&room));
        self.passed(room);
        let at = self.index_value(&zero_based);
        out.subs.push(Sub::At(at));
        out.lens.push(Size::constant(1));
        out.scalar.push(true);
        Ok(())
    }

    /// The number that `end` stands for.
    pub fn end_value(&mut self, span: Span) -> Lowered<Value> {
        let Some(EndContext { array, position, of }) = self.ends.last().cloned() else {
            return self.stop(Code::EndOutside, span, "`end` has a meaning only inside the subscripts of an array");
        };
        let ty = self.builder.func.ty(array).clone();
        let size = if of == 1 { ty.numel() } else { ty.dim(position) };
        Ok(self.double_of_size(&size))
    }
}

/// A row of so many elements, of the class of another array.
fn row_of(ty: &Type, len: &Size) -> Type {
    Type::array(ty.class, vec![Size::constant(1), len.clone()])
}

/// What subscripts are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Elements are read.
    Read,
    /// Elements are replaced.
    Store,
}
