//! Forms: what a variable is assumed to be where control joins, and the values that carry it there.
//!
//! A size that is the same on all ways keeps its form. One that differs becomes *free*: an `Index` value beside the array says
//! what it is, so the variable crosses the join as a dependent tuple (`ir::tuple`). A scalar that meets an array becomes an
//! array. `[]` that meets another array becomes an empty array of that one's orientation, which only `size` can tell.

use super::Lower;
use super::Operand;
use super::brackets::Hollow;
use super::control::Form;
use super::env::Binding;
use super::facts::Facts;
use super::loops::Alike;
use crate::ir::{Class, Op, Size, Type, Value};

/// Class and sizes of the values that meet at a join.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    pub class: Class,
    /// The size of each dimension, `None` where it is free; empty for a scalar.
    dims: Vec<Option<Size>>,
    /// Whether one of the values is `[]`.
    empty: bool,
    /// The axis along which the program appends to the variable, if it does.
    along: Option<usize>,
    /// The axes along which values of size one meet longer ones: element-wise operations repeat the former (`stretch.rs`).
    ones: Vec<usize>,
    /// Whether there may be no value at all.
    pub maybe: bool,
    /// Whether the values are the characters of a text.
    pub text: bool,
    /// Whether some values are truth values and others numbers.
    pub mixed: bool,
    /// What those without elements are.
    pub hollow: Hollow,
}

impl Shape {
    /// The shape of one value; sizes that are not `known` where control joins are free.
    pub fn of(ty: &Type, known: impl Fn(&Size) -> bool) -> Self {
        let dims = ty.dims.iter().map(|d| known(d).then(|| d.clone())).collect();
        Self {
            class: ty.class,
            dims,
            empty: is_empty_brackets(ty),
            along: None,
            ones: Vec::new(),
            maybe: false,
            text: false,
            mixed: false,
            hollow: if is_empty_brackets(ty) { Hollow::Brackets } else { Hollow::Typed },
        }
    }

    /// The same, where it is known along which axes the value may be of size one only on some ways.
    pub fn with_ones(self, ty: &Type, may_be_one: impl Fn(&Size) -> bool) -> Self {
        let ones = ty.dims.iter().enumerate().filter(|(_, d)| may_be_one(d)).map(|(axis, _)| axis).collect();
        Self { ones, ..self }
    }

    pub fn of_text(self, text: bool) -> Self {
        Self { text, ..self }
    }

    pub fn mixing(self, mixed: bool) -> Self {
        Self { mixed: self.mixed || mixed, ..self }
    }

    pub fn hollow(self, hollow: Hollow) -> Self {
        Self { hollow, ..self }
    }

    pub fn appended(self, along: Option<usize>) -> Self {
        Self { along, ..self }
    }

    /// The same in other words: known sizes as `say` gives them.
    pub fn translated(&self, say: impl Fn(&Size) -> Size) -> Self {
        let dims = self.dims.iter().map(|d| d.as_ref().map(&say)).collect();
        Self { dims, ..self.clone() }
    }

    /// The same, with these sizes free.
    pub fn freed(&self, free: impl Fn(&Size) -> bool) -> Self {
        let dims = self.dims.iter().map(|d| d.clone().filter(|d| !free(d))).collect();
        Self { dims, ..self.clone() }
    }

    /// The same where sizes that do not last and were those of the shape `then` are those of the shape `now`; `None` if there are others.
    pub fn retold(&self, then: Option<&Self>, now: Option<&Self>, lasting: impl Fn(&Size) -> bool) -> Option<Self> {
        let size = |(axis, size): (usize, &Option<Size>)| match size {
            Some(size) if !lasting(size) => {
                let was = then?.dims.get(axis)?.as_ref() == Some(size);
                now?.dims.get(axis).filter(|_| was).cloned()
            }
            size => Some(size.clone()),
        };
        let dims: Option<Vec<_>> = self.dims.iter().enumerate().map(size).collect();
        Some(Self { dims: dims?, ..self.clone() })
    }

    /// The shape that holds the values of both without a change; `None` if their classes do not allow one.
    pub fn join(&self, other: &Self) -> Option<Self> {
        let class = join_classes(self.class, other.class)?;
        let dims = match (self.only_brackets(), other.only_brackets()) {
            (true, false) if !other.never_filled() => other.dims.clone(),
            (false, true) if !self.never_filled() => self.dims.clone(),
            (true, true) => self.dims.clone(),
            _ => joined_dims(&self.dims, &other.dims),
        };
        let (empty, maybe) = (self.empty || other.empty, self.maybe || other.maybe);
        let ones = (0..dims.len()).filter(|axis| self.stretches(other, *axis, &dims[*axis])).collect();
        let text = (self.text || self.only_brackets()) && (other.text || other.only_brackets());
        let truths = |shape: &Self| shape.class == Class::Logical;
        let mixed = self.mixed || other.mixed || truths(self) != truths(other);
        let (along, hollow) = (self.along.or(other.along), self.hollow.join(other.hollow));
        Some(Self { class, dims, empty, along, ones, maybe, text, mixed, hollow })
    }

    /// Whether along an axis one of two values is of size one and the other is not, or that was so before.
    fn stretches(&self, other: &Self, axis: usize, joined: &Option<Size>) -> bool {
        let one = |shape: &Self| shape.dims.get(axis).is_none_or(|d| d.as_ref().is_some_and(Size::is_one));
        let met = joined.is_none() && !self.only_brackets() && !other.only_brackets() && one(self) != one(other);
        met || self.ones.contains(&axis) || other.ones.contains(&axis)
    }

    /// The same, where some ways have no value yet and stores will create it: `[]` there.
    pub fn or_brackets(self) -> Self {
        let hollow = self.hollow.join(Hollow::Brackets);
        Self { empty: true, hollow, ..self }
    }

    pub fn or_nothing(self) -> Self {
        Self { maybe: true, ..self }
    }

    /// Whether all values are `[]`.
    fn only_brackets(&self) -> bool {
        let zero = |d: &Option<Size>| d.as_ref().and_then(Size::as_constant) == Some(0);
        self.empty && self.dims.len() == 2 && self.dims.iter().all(zero)
    }

    /// Whether the sizes say that there are no elements.
    fn never_filled(&self) -> bool {
        self.dims.iter().flatten().any(|d| d.as_constant() == Some(0))
    }

    /// The size of each dimension, `None` where it is free. `[]` needs a dimension that can be zero: the one that the
    /// program appends along, else that of a row or column, else the first one.
    pub fn sizes(&self) -> Vec<Option<Size>> {
        let mut dims = self.dims.clone();
        let can_be_zero = |d: &Option<Size>| d.as_ref().is_none_or(|d| d.as_constant() == Some(0));
        if self.empty && !dims.iter().any(can_be_zero) {
            dims.resize(dims.len().max(2), Some(Size::constant(1)));
            let one = |axis: usize| dims[axis].as_ref().is_some_and(Size::is_one);
            let axis = self.along.unwrap_or(usize::from(one(0)));
            dims[axis] = None;
        }
        dims
    }

    /// The types of the values that carry it: a size for each free dimension, the array, whether there is a value. Free
    /// dimensions of the array's type are filled in by [`Lower::receive`].
    pub fn types(&self) -> Vec<Type> {
        let sizes = self.sizes();
        let mut types: Vec<Type> = sizes.iter().filter(|d| d.is_none()).map(|_| Type::scalar(Class::Index)).collect();
        types.push(Type { class: self.class, dims: sizes.into_iter().map(Option::unwrap_or_default).collect() });
        types.extend(self.maybe.then(|| Type::scalar(Class::Logical)));
        types
    }
}

/// The types of the IR values that carry a variable of this form.
pub(super) fn form_types(form: &Form) -> Vec<Type> {
    match form {
        Form::Whole { .. } => vec![Type::scalar(Class::Index)],
        Form::Value(shape) => shape.types(),
    }
}

/// `[]`: zero by zero.
pub(super) fn is_empty_brackets(ty: &Type) -> bool {
    ty.dims.len() == 2 && ty.dims.iter().all(|d| d.as_constant() == Some(0))
}

/// The class that holds the values of both without a change.
pub(super) fn join_classes(a: Class, b: Class) -> Option<Class> {
    match (a, b) {
        (x, y) if x == y => Some(x),
        (Class::Logical, y) if y.is_float() => Some(y),
        (x, Class::Logical) if x.is_float() => Some(x),
        (Class::Complex, Class::Double | Class::Logical) | (Class::Double | Class::Logical, Class::Complex) => {
            Some(Class::Complex)
        }
        _ => None,
    }
}

/// Dimension by dimension the size that both have, or none. A missing dimension is of size one.
fn joined_dims(a: &[Option<Size>], b: &[Option<Size>]) -> Vec<Option<Size>> {
    let rank = match a.len().max(b.len()) {
        0 => return Vec::new(),
        rank => rank.max(2),
    };
    let one = Some(Size::constant(1));
    let dim = |dims: &[Option<Size>], axis: usize| dims.get(axis).unwrap_or(&one).clone();
    (0..rank).map(|axis| dim(a, axis).filter(|d| dim(b, axis).as_ref() == Some(d))).collect()
}

impl Lower<'_> {
    /// The axis along which the current function appends to a variable.
    pub fn append_axis(&self, name: &str) -> Option<usize> {
        self.liveness().and_then(|l| l.appends.get(name).copied())
    }

    /// The shape of a variable's value; sizes that are not `known` where control joins are free.
    pub fn shape_of(&self, name: &str, ty: &Type, known: impl Fn(&Size) -> bool) -> Shape {
        self.shape_from(name, ty, known, self.hollow_type(ty))
    }

    /// The same of a type from an attempt that has been undone: nothing can be asked about its sizes.
    pub fn shape_from(&self, name: &str, ty: &Type, known: impl Fn(&Size) -> bool, hollow: Hollow) -> Shape {
        let shape = Shape::of(ty, known).with_ones(ty, |size| self.stretches(size)).appended(self.append_axis(name));
        shape.hollow(hollow)
    }

    /// The values that carry a variable with this binding; `None` if it does not fit.
    pub fn carry(&mut self, binding: Option<&Binding>, shape: &Shape) -> Option<Vec<Value>> {
        let (value, flag) = match binding {
            Some(Binding::Is(Operand::Value(v))) => (Some(*v), None),
            Some(Binding::Maybe(v, flag)) => (Some(*v), Some(*flag)),
            _ => (None, None),
        };
        if !shape.maybe && (value.is_none() && !shape.empty || flag.is_some()) {
            return None;
        }
        let mut values = match value {
            Some(value) => self.fit(value, shape)?,
            None => self.no_value(shape),
        };
        if shape.maybe {
            values.push(match flag {
                Some(flag) => flag,
                None => self.truth_constant(value.is_some()),
            });
        }
        Some(values)
    }

    /// A value in this shape: its free sizes, and the array.
    fn fit(&mut self, value: Value, shape: &Shape) -> Option<Vec<Value>> {
        let own = self.builder.func.ty(value).clone();
        let characters = self.facts(value).characters || is_empty_brackets(&own);
        if join_classes(own.class, shape.class) != Some(shape.class) || (shape.text && !characters) {
            return None;
        }
        let sizes = shape.sizes();
        if sizes.is_empty() {
            return own.is_scalar().then(|| vec![self.convert(value, shape.class)]);
        }
        if is_empty_brackets(&own) && own.dims.iter().map(Some).ne(sizes.iter().map(Option::as_ref)) {
            let zero = |d: &Option<Size>| d.as_ref().is_none_or(|d| d.as_constant() == Some(0));
            return sizes.iter().any(zero).then(|| self.no_value(shape));
        }
        if own.dims.len() > sizes.len() {
            return None;
        }
        let mut dims = Vec::new();
        for (axis, size) in sizes.iter().enumerate() {
            let dim = own.dim(axis);
            match size {
                Some(size) if self.same_size(size, &dim) => dims.push(size.clone()),
                Some(_) => return None,
                None => dims.push(dim),
            }
        }
        self.hide_one(&sizes, &mut dims);
        let mut values = self.free_sizes(&sizes, &dims);
        let converted = self.convert(value, shape.class);
        values.push(self.retyped(converted, dims));
        Some(values)
    }

    /// Sizes that are all the constant one, or end in it beyond the second, are no array's: one of them gets a symbol.
    fn hide_one(&mut self, sizes: &[Option<Size>], dims: &mut [Size]) {
        let trailing = dims.len() > 2 && dims.last().is_some_and(Size::is_one);
        if let Some(axis) = sizes.iter().rposition(Option::is_none)
            && (trailing || dims.iter().all(Size::is_one))
        {
            let one = self.builder.int(1);
            dims[axis] = self.symbol_for(one, vec![Size::constant(1)], vec![Size::constant(1)]);
        }
    }

    fn free_sizes(&mut self, sizes: &[Option<Size>], dims: &[Size]) -> Vec<Value> {
        let free: Vec<Size> = sizes.iter().zip(dims).filter(|(s, _)| s.is_none()).map(|(_, d)| d.clone()).collect();
        free.iter().map(|d| self.index_value(d)).collect()
    }

    /// The same elements under a type with these sizes.
    pub fn retyped(&mut self, value: Value, dims: Vec<Size>) -> Value {
        let own = self.builder.func.ty(value).clone();
        let ty = Type { class: own.class, dims };
        if own == ty {
            return value;
        }
        let facts = Facts { progression: None, ..self.facts(value) };
        let facts = Facts { constant: None, whole: None, quotient: None, offset: None, ..facts };
        let op = if own.is_scalar() { Op::Fill(value) } else { Op::Reshape(value) };
        self.emit(op, ty, facts)
    }

    /// Stands in where there is no value or `[]`: zeros, none along free dimensions.
    fn no_value(&mut self, shape: &Shape) -> Vec<Value> {
        let sizes = shape.sizes();
        let dims: Vec<Size> = sizes.iter().map(|d| d.clone().unwrap_or_default()).collect();
        let mut values = self.free_sizes(&sizes, &dims);
        values.push(self.filled(0.0, shape.class, dims));
        values
    }

    /// What a join received: names the free sizes and gives the array its type; the binding of the variable.
    pub fn receive(&mut self, shape: &Shape, name: &str, next: &mut impl Iterator<Item = Value>) -> Option<Binding> {
        self.receive_alike(shape, name, next, &mut Alike::default())
    }

    /// The same, where some sizes are those of what has been received before.
    pub fn receive_alike(
        &mut self,
        shape: &Shape,
        name: &str,
        next: &mut impl Iterator<Item = Value>,
        alike: &mut Alike,
    ) -> Option<Binding> {
        let mut dims = Vec::new();
        for (axis, size) in shape.sizes().into_iter().enumerate() {
            dims.push(match size {
                Some(size) => size,
                None => {
                    let index = next.next()?;
                    let size = match alike.size(name, axis) {
                        Some(size) => size,
                        None => {
                            let size = self.symbol_for(index, vec![Size::constant(0)], Vec::new());
                            self.loosen(&size);
                            size
                        }
                    };
                    alike.name(name, axis, &size);
                    self.learn(index, Facts::whole(size.clone(), true));
                    if shape.ones.contains(&axis) && !self.is_growing(name) {
                        self.stretch(&size);
                    }
                    size
                }
            });
        }
        let value = next.next()?;
        self.builder.func.types[value.index()].dims = dims;
        self.give_name(value, name);
        if shape.text {
            self.as_characters(value);
        }
        if shape.hollow == Hollow::Brackets {
            self.is_brackets_if_empty(value);
        }
        if shape.empty {
            self.learn(value, Facts { was_brackets: true, ..self.facts(value) });
        }
        if shape.mixed {
            self.learn(value, Facts { mixed: true, ..self.facts(value) });
        }
        Some(match shape.maybe {
            true => Binding::Maybe(value, next.next()?),
            false => Binding::Is(Operand::Value(value)),
        })
    }
}
