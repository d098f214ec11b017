//! Deletion: `x(i) = []`, `x(a:b) = []`, `x(:, j) = []`, `x(mask) = []`.
//!
//! Neighbours go by joining what stands before and behind them; any other selection by keeping what a mask leaves.

use super::facts::Facts;
use super::grow::Given;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Binary, Class, Op, Size, Sub, Type, Value};
use crate::matlab::ast::{AccessKind, Expr, ExprKind, LValue};
use crate::source::Span;

/// The subscripts of `target(..) = []`, if that is what the assignment is.
pub(super) fn deletion<'e>(target: &'e LValue, value: &Expr) -> Option<&'e [Expr]> {
    match (target.accesses.as_slice(), &value.kind) {
        ([access], ExprKind::Matrix { rows }) if rows.iter().all(Vec::is_empty) => match &access.kind {
            AccessKind::Paren(args) if !args.is_empty() => Some(args),
            _ => None,
        },
        _ => None,
    }
}

impl Lower<'_> {
    /// `target(args) = []`
    pub fn delete(&mut self, target: &LValue, args: &[Expr]) -> Lowered<()> {
        let name = &target.name.text;
        let array = match self.name(name, target.name.span)? {
            Operand::Value(array) => array,
            Operand::List(list) => return self.delete_from_list(target, list, args),
            Operand::Text(text) => {
                let codes = self.codes(&text, target.span)?;
                self.as_characters(codes)
            }
            _ => return self.stop(Code::TextValue, target.span, "deleting from a text is not supported"),
        };
        let characters = self.facts(array).characters;
        let given = self.subscript_values(array, args)?;
        let before = self.here(target.span);
        let rest = self.without(array, &given, target.span)?;
        self.builder.set_loc(before);
        if characters && rest != array {
            self.as_characters(rest);
        }
        self.give_name(rest, name);
        self.env.set_value(name, rest, target.span);
        Ok(())
    }

    fn without(&mut self, array: Value, given: &Given, span: Span) -> Lowered<Value> {
        let (array, given) = self.matrix_by_mask(array, given, span)?;
        let (array, given) = (self.lying_as_deleted(array, &given), &given);
        let ty = self.builder.func.ty(array).clone();
        let axis = self.deleted_axis(&ty, given, span)?;
        let Some((axis, subscript)) = axis else {
            let mut dims = if given.len() == 1 { Vec::new() } else { ty.dims.clone() };
            dims.resize(dims.len().max(2), Size::constant(0));
            dims[0] = Size::constant(0);
            return Ok(self.filled(0.0, ty.class, dims));
        };
        let extent = ty.dim(axis);
        if self.builder.func.ty(subscript).numel().as_constant() == Some(0) {
            return Ok(array);
        }
        if ty.is_scalar() {
            if self.class(subscript) == Class::Logical && self.is_scalar(subscript) {
                return Ok(self.scalar_unless(array, axis, subscript));
            }
            self.must_be_one(subscript, span)?;
            let dims = [0, 1].map(|other| Size::constant(i64::from(other != axis)));
            return Ok(self.filled(0.0, ty.class, dims.to_vec()));
        }
        if let Some((first, count)) = self.neighbours(subscript, span)? {
            return self.without_neighbours(array, axis, (first, count), span);
        }
        if extent.is_one() {
            let text = "whether the only row or column is deleted is known only when the program runs";
            return self.report(
                Diagnostic::error(Code::Unsupported, span, text)
                    .help("write `if` around the deletion, with a number as the subscript"),
            );
        }
        let mask = self.deletion_mask(subscript, &extent, span)?;
        let keep = self.not(mask);
        let positions = self.true_positions(keep, true, span);
        let len = self.builder.func.ty(positions).numel();
        Ok(self.slice(array, axis, Sub::Vector(positions), len))
    }

    /// A single number without itself where the mask, one truth value, is true.
    fn scalar_unless(&mut self, scalar: Value, axis: usize, mask: Value) -> Value {
        let keep = self.not(mask);
        if self.constant_of(keep).is_some_and(|c| c != 0.0) {
            return scalar;
        }
        let len = self.true_count(keep);
        let dims = [0, 1].map(|other| if other == axis { len.clone() } else { Size::constant(1) });
        let facts = self.facts(scalar);
        let facts = Facts { nonnegative: facts.nonnegative, integral: facts.integral, ..Facts::default() };
        self.emit(Op::Fill(scalar), Type::array(self.class(scalar), dims.to_vec()), facts)
    }

    /// A matrix of which elements are deleted by a mask, and the mask, as the columns that Octave makes of them. It makes a row of what
    /// is left behind the first elements, and leaves a matrix of which nothing is deleted: that neither is so is tested.
    fn matrix_by_mask(&mut self, array: Value, given: &Given, span: Span) -> Lowered<(Value, Vec<Option<Value>>)> {
        let ty = self.builder.func.ty(array).clone();
        let as_it_is = (array, given.to_vec());
        let [Some(mask)] = given[..] else { return Ok(as_it_is) };
        if ty.ndims() != 2 || ty.is_scalar() || ty.is_vector() || self.class(mask) != Class::Logical {
            return Ok(as_it_is);
        }
        let inside = self.call_inner_value("ends_inside", vec![mask], span)?;
        let text = "of a matrix, no element is deleted or just the first ones are: what is left is no column then";
        self.builder.effect(Op::Assert(inside, text.to_owned()));
        self.never_alone(&ty.dim(0), &ty.dim(1), "what is left of a matrix does not lie as what is left of one row");
        let column = |this: &mut Self, value: Value, facts: Facts| {
            let ty = this.builder.func.ty(value).clone();
            let column = Type::array(ty.class, vec![ty.numel(), Size::constant(1)]);
            if ty == column { value } else { this.emit(Op::Reshape(value), column, facts) }
        };
        let old = self.facts(array);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        Ok((column(self, array, facts), vec![Some(column(self, mask, Facts::default()))]))
    }

    /// A matrix of which elements are deleted by one subscript, as the vector that Octave makes of it: what is left without one
    /// element or without neighbours is a row, what is left without other elements a column. That there is a subscript is tested, else
    /// the matrix would stay a matrix; and a matrix that turns out to have one row or column lies as it is.
    fn lying_as_deleted(&mut self, array: Value, given: &Given) -> Value {
        let ty = self.builder.func.ty(array).clone();
        let [Some(subscript)] = given[..] else { return array };
        let some = self.builder.func.ty(subscript).numel().add_const(-1);
        let mask = self.class(subscript) == Class::Logical;
        if ty.is_scalar() || ty.is_vector() || mask || some.as_constant().is_some_and(|c| c < 0) {
            return array;
        }
        if !self.never_negative(&some) {
            let (count, zero) = (self.index_value(&some.add_const(1)), self.builder.int(0));
            let any = self.emit(Op::Binary(Binary::Gt, count, zero), Type::scalar(Class::Logical), Facts::default());
            let text = "a matrix of which no element is deleted stays a matrix, but otherwise a vector is left";
            self.builder.effect(Op::Assert(any, text.to_owned()));
        }
        let range = self.facts(subscript).progression;
        let row = self.is_scalar(subscript) || range.is_some_and(|p| p.step.abs() == 1);
        let (long, other) = if row { (ty.dim(1), ty.dim(0)) } else { (ty.dim(0), ty.dim(1)) };
        self.never_alone(&long, &other, "what is left of a matrix does not lie as what is left of one row or column");
        let (one, all) = (Size::constant(1), ty.numel());
        let vector = Type::array(ty.class, if row { vec![one, all] } else { vec![all, one] });
        let old = self.facts(array);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        self.emit(Op::Reshape(array), vector, facts)
    }

    /// The axis along which elements go and its subscript; none if everything goes.
    fn deleted_axis(&mut self, ty: &Type, given: &Given, span: Span) -> Lowered<Option<(usize, Value)>> {
        let mut chosen = given.iter().enumerate().filter_map(|(axis, v)| v.map(|v| (axis, v)));
        match (chosen.next(), chosen.next()) {
            (None, _) => Ok(None),
            (Some((_, v)), _) if given.len() == 1 && (ty.dim(0).is_one() || ty.is_scalar()) => Ok(Some((1, v))),
            (Some((_, v)), _) if given.len() == 1 && ty.is_vector() => Ok(Some((0, v))),
            (Some(found), None) if given.len() == ty.ndims() => Ok(Some(found)),
            _ => {
                let text = self.type_text(ty);
                self.report(
                    Diagnostic::error(Code::Unsupported, span, format!("elements of a {text} cannot be deleted so"))
                        .help("delete whole rows or columns, x(i, :) = [], or make the array a row first, x(:).'"),
                )
            }
        }
    }

    /// First and number of subscripts that are neighbours and at least one.
    fn neighbours(&mut self, subscript: Value, span: Span) -> Lowered<Option<(Size, Size)>> {
        if self.class(subscript) == Class::Logical {
            return Ok(None);
        }
        if self.is_scalar(subscript) {
            let number = self.whole_number(subscript, "a subscript", span)?;
            return Ok(Some((number, Size::constant(1))));
        }
        let range = self.facts(subscript).progression;
        let some = range.filter(|p| p.step == 1 && self.never_negative(&p.len.add_const(-1)));
        Ok(some.map(|p| (p.start, p.len)))
    }

    fn without_neighbours(
        &mut self,
        array: Value,
        axis: usize,
        (first, count): (Size, Size),
        span: Span,
    ) -> Lowered<Value> {
        let extent = self.builder.func.ty(array).dim(axis);
        let (start, end) = (first.add_const(-1), first.add(&count).add_const(-1));
        self.test_position(array, axis, &start);
        if !count.is_one() {
            self.test_position(array, axis, &end.add_const(-1));
        }
        let zero = self.builder.int(0);
        let before = self.slice(array, axis, Sub::Range { start: zero, step: 1, len: start.clone() }, start);
        let (from, len) = (self.index_value(&end), extent.sub(&end));
        let after = self.slice(array, axis, Sub::Range { start: from, step: 1, len: len.clone() }, len);
        self.concat(axis, vec![before, after], span)
    }

    /// Tests at run time that there is an element at a position (from zero) of an axis.
    fn test_position(&mut self, array: Value, axis: usize, position: &Size) {
        let extent = self.builder.func.ty(array).dim(axis);
        let proven = self.never_negative(position) && self.never_negative(&extent.sub(position).add_const(-1));
        if !proven {
            let at = self.index_value(position);
            self.sliced(array, axis, Sub::At(at), Size::constant(1), true);
        }
    }

    /// Part of an array along one axis, all of it along the others.
    fn slice(&mut self, array: Value, axis: usize, sub: Sub, len: Size) -> Value {
        self.sliced(array, axis, sub, len, false)
    }

    fn sliced(&mut self, array: Value, axis: usize, sub: Sub, len: Size, checked: bool) -> Value {
        let ty = self.builder.func.ty(array).clone();
        let mut subs = Vec::new();
        for (other, dim) in ty.dims.iter().enumerate() {
            subs.push(match dim {
                _ if other == axis => sub.clone(),
                dim if dim.is_one() => Sub::At(self.index_value(&Size::constant(0))),
                _ => Sub::All,
            });
        }
        let mut dims = ty.dims.clone();
        dims[axis] = len;
        let old = self.facts(array);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        self.emit(Op::Index { array, subs, checked }, Type::array(ty.class, dims), facts)
    }

    /// True where an element goes: the mask itself, or a mask of the positions in an index array.
    fn deletion_mask(&mut self, subscript: Value, extent: &Size, span: Span) -> Lowered<Value> {
        let ty = self.builder.func.ty(subscript).clone();
        let row = vec![Size::constant(1), extent.clone()];
        if ty.class != Class::Logical {
            let none = self.filled(0.0, Class::Logical, row);
            let gone = self.truth_constant(true);
            let marked = Op::Store { array: none, subs: vec![Sub::Vector(subscript)], value: gone, checked: true };
            return Ok(self.emit(
                marked,
                Type::array(Class::Logical, vec![Size::constant(1), extent.clone()]),
                Facts::default(),
            ));
        }
        if ty.is_scalar() {
            let none = self.filled(0.0, Class::Logical, row.clone());
            let first = Sub::At(self.index_value(&Size::constant(0)));
            let only = self.index_value(&Size::constant(0));
            let marked = Op::Store { array: none, subs: vec![Sub::At(only), first], value: subscript, checked: true };
            return Ok(self.emit(marked, Type::array(Class::Logical, row), Facts::default()));
        }
        if !ty.is_vector() {
            return self.stop(Code::Unsupported, span, "a mask of what is deleted must be a vector");
        }
        let len = ty.numel();
        let flat = vec![Size::constant(1), if self.same_size(&len, extent) { extent.clone() } else { len.clone() }];
        let wanted = Type::array(Class::Logical, flat);
        let mask = if ty == wanted { subscript } else { self.emit(Op::Reshape(subscript), wanted, Facts::default()) };
        if self.same_size(&len, extent) {
            return Ok(mask);
        }
        // What a shorter mask does not reach stays.
        let none = self.filled(0.0, Class::Logical, row.clone());
        let start = self.builder.int(0);
        let subs = vec![Sub::Range { start, step: 1, len }];
        let stored = Op::Store { array: none, subs, value: mask, checked: true };
        Ok(self.emit(stored, Type::array(Class::Logical, row), Facts::default()))
    }
}
