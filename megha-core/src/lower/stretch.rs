//! Arrays that are a single number, row or column on some ways and longer on others: `total = 0` before a loop that adds
//! matrices to it. Likewise what is found in data, which may be one number: `t - t(find(x > 2, 1))`.
//!
//! Such a size is a symbol, that of a join (`form.rs`) or a count. Element-wise operations repeat the array if that turns out to
//! be one: its elements are read through subscripts that then stand still. Matrix products and quotients ask whether the
//! array is a number, and where one number is needed the array is tested to hold one.

use super::control::Joined;
use super::env::{Binding, Env};
use super::facts::Facts;
use super::{Lower, Lowered, Operand};
use crate::ir::build::Suspended;
use crate::ir::{Binary, Class, Op, Size, Sub, Type, Value};
use crate::source::Span;

impl Lower<'_> {
    /// Whether a size may be one only on some ways.
    pub fn stretches(&self, size: &Size) -> bool {
        size.as_sym().is_some_and(|s| self.stretching.contains(&s))
    }

    /// Remembers that a size may be one only on some ways, or of some data.
    pub fn stretch(&mut self, size: &Size) {
        self.stretching.extend(size.as_sym());
    }

    /// The common size of two that differ, if one of them stretches: what the other one is where that is one.
    pub fn common_size(&mut self, a: &Size, b: &Size, what: &str, span: Span) -> Option<Size> {
        let (own, other) = match (self.stretches(a), self.stretches(b)) {
            (false, false) => return None,
            (true, false) => (a, b),
            (_, true) => (b, a),
        };
        let before = self.here(span);
        let common = match self.stretches(other) {
            false => other.clone(),
            true => {
                let size = self.size_unless_one(other, own);
                self.stretching.extend(size.as_sym());
                size
            }
        };
        let tested = self.size_unless_one(own, &common);
        self.check_same(&tested, &common, what, span);
        self.builder.set_loc(before);
        Some(common)
    }

    /// A size, or another one where it is one.
    fn size_unless_one(&mut self, size: &Size, other: &Size) -> Size {
        let single = self.is_one(size);
        self.size_if(single, other, size)
    }

    /// Whether a size is one when it runs.
    pub fn is_one(&mut self, size: &Size) -> Value {
        let (size, one) = (self.index_value(size), self.builder.int(1));
        self.emit(Op::Binary(Binary::Eq, size, one), Type::scalar(Class::Logical), Facts::default())
    }

    /// Whether a size is zero or one.
    pub fn is_at_most_one(&mut self, size: &Size) -> Value {
        let (size, one) = (self.index_value(size), self.builder.int(1));
        self.emit(Op::Binary(Binary::Le, size, one), Type::scalar(Class::Logical), Facts::default())
    }

    /// One of two sizes.
    pub fn size_if(&mut self, cond: Value, then: &Size, els: &Size) -> Size {
        if then == els {
            return then.clone();
        }
        let (then, els) = (self.index_value(then), self.index_value(els));
        let chosen = self.builder.push(Op::Select(cond, then, els), Type::scalar(Class::Index));
        let symbol = self.symbol_for(chosen, vec![Size::constant(0)], Vec::new());
        self.loosen(&symbol);
        self.learn(chosen, Facts::whole(symbol.clone(), true));
        symbol
    }

    /// The array with these sizes, repeated along the axes whose size stretches and is one.
    pub fn stretched(&mut self, value: Value, dims: &[Size]) -> Value {
        let ty = self.builder.func.ty(value).clone();
        let repeats = |own: &Size, wanted: &Size| self.stretches(own) && !self.same_size(own, wanted);
        let axes: Vec<bool> = ty.dims.iter().zip(dims).map(|(own, wanted)| repeats(own, wanted)).collect();
        if !axes.contains(&true) {
            return value;
        }
        let mut result = ty.clone();
        let mut subs = Vec::new();
        for (axis, repeats) in axes.into_iter().enumerate() {
            subs.push(match repeats {
                false if ty.dims[axis].is_one() => Sub::At(self.index_value(&Size::constant(0))),
                false => Sub::All,
                true => {
                    result.dims[axis] = dims[axis].clone();
                    Sub::Vector(self.standing_subscripts(&ty.dims[axis], &dims[axis]))
                }
            });
        }
        let old = self.facts(value);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        self.emit(Op::Index { array: value, subs, checked: true }, result, facts)
    }

    /// As many subscripts as the wanted size: 1, 2, .. or, where the array's size is one, ones.
    fn standing_subscripts(&mut self, own: &Size, wanted: &Size) -> Value {
        let single = self.is_one(own);
        let (zero, one) = (self.builder.int(0), self.builder.int(1));
        let step = self.builder.push(Op::Select(single, zero, one), Type::scalar(Class::Index));
        let ty = Type::array(Class::Double, vec![Size::constant(1), wanted.clone()]);
        let facts = Facts { nonnegative: true, integral: true, ..Facts::default() };
        self.emit(Op::Range { start: one, step }, ty, facts)
    }

    /// Whether an array is a single number when it runs; `None` where it never is, or always.
    pub fn may_be_number(&mut self, value: Value) -> Option<Value> {
        let ty = self.builder.func.ty(value).clone();
        let long = ty.dims.iter().filter(|d| !d.is_one()).cloned().collect::<Vec<_>>();
        if long.is_empty() || !long.iter().all(|d| self.stretches(d)) {
            return None;
        }
        let mut single = self.is_one(&long[0]);
        for size in &long[1..] {
            let one = self.is_one(size);
            let truth = Type::scalar(Class::Logical);
            single = self.emit(Op::Binary(Binary::And, single, one), truth, Facts::default());
        }
        Some(single)
    }

    /// The only element of an array that must have one, if it may have another number of them only when it runs; other arrays
    /// come back as they are. So do arrays with sizes of the signature, but in branches, where `if length(n) == 1` may lead.
    pub fn only_element(&mut self, value: Value, what: &str, span: Span) -> Value {
        let ty = self.builder.func.ty(value).clone();
        let conditional = self.frames.iter().any(|frame| frame.conditions > 0);
        let may_be_one = |d: &Size| d.is_one() || self.is_loose(d) || (conditional && d.as_sym().is_some());
        if ty.is_scalar() || !ty.dims.iter().all(may_be_one) {
            return value;
        }
        for size in &ty.dims {
            self.check_same(size, &Size::constant(1), what, span);
        }
        self.first_element(value, span)
    }

    /// The first element of an array.
    pub fn first_element(&mut self, value: Value, span: Span) -> Value {
        let old = self.facts(value);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        let first = Sub::At(self.index_value(&Size::constant(0)));
        let ty = Type::scalar(self.class(value));
        let before = self.here(span);
        let element = self.emit(Op::Index { array: value, subs: vec![first], checked: true }, ty, facts);
        self.builder.set_loc(before);
        element
    }

    /// Values that are made in one of two ways, and whose sizes may differ.
    pub fn either(
        &mut self,
        cond: Value,
        then: &mut dyn FnMut(&mut Self) -> Lowered<Vec<Value>>,
        els: &mut dyn FnMut(&mut Self) -> Lowered<Vec<Value>>,
        span: Span,
    ) -> Lowered<Vec<Value>> {
        let values = self.builder.func.types.len();
        let (then, then_env) = self.one_way(then, span)?;
        let (els, else_env) = self.one_way(els, span)?;
        let mut joins = Vec::new();
        for name in then_env.names() {
            let shape = self.join_shape(name, then_env.get(name), else_env.get(name), values);
            joins.push(Joined { name: name.to_owned(), shape: shape.map_err(|_| super::Stop)?, at: span });
        }
        let mut results = self.push_joined(cond, (then, &then_env), (els, &else_env), &joins, span).into_iter();
        let mut made = Vec::new();
        for join in &joins {
            let Some(Binding::Is(Operand::Value(value))) = self.receive(&join.shape, &join.name, &mut results) else {
                return Err(super::Stop);
            };
            self.builder.func.names[value.index()] = None;
            made.push(value);
        }
        Ok(made)
    }

    /// One of two ways, and what is made there under names that no variable has.
    fn one_way(
        &mut self,
        make: &mut dyn FnMut(&mut Self) -> Lowered<Vec<Value>>,
        span: Span,
    ) -> Lowered<(Suspended, Env)> {
        let (mark, _) = self.open_region(Vec::new());
        let made = make(self);
        let arm = self.suspend_region(mark);
        let mut env = Env::default();
        for (place, value) in made?.into_iter().enumerate() {
            env.set_value(&format!("({place})"), value, span);
        }
        Ok((arm, env))
    }
}
