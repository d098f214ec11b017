//! The element of an array expression that belongs to a number: what is computed element by element from slices, by the scalar operations.

use super::{Around, Made, size_of};
use crate::hash::HashMap;
use crate::ir::{Class, Const, Func, Kind, Loc, Op, Size, Stmt, Sub, Sym, Type, Value};

/// Elements that belong to the number of an iteration.
pub(super) struct Elements<'f> {
    func: &'f mut Func,
    made: &'f HashMap<Value, Made>,
    /// Arrays that the loop around the sum makes are not read, but the elements they are made of.
    around: Around<'f>,
    /// The sum or the store.
    loc: Loc,
    counter: Value,
    number: Size,
    elements: HashMap<Value, Value>,
    /// An array whose elements are stored here, and its state then.
    stored: Option<(Value, &'f [Sub], Value)>,
    out: Vec<Stmt>,
    /// Slices whose elements are read.
    selected: Vec<Value>,
}

impl<'f> Elements<'f> {
    /// Those of the iterations that this counter numbers.
    pub fn new(
        func: &'f mut Func,
        made: &'f HashMap<Value, Made>,
        around: Around<'f>,
        (counter, sym): (Value, Sym),
        loc: Loc,
    ) -> Self {
        let (elements, out, selected) = (HashMap::default(), Vec::new(), Vec::new());
        Self { func, made, around, loc, counter, number: Size::sym(sym), elements, stored: None, out, selected }
    }

    /// The number of the iteration.
    pub fn counter(&self) -> Value {
        self.counter
    }

    /// Says that each iteration stores the element of this array at these subscripts, in this state of it.
    pub fn store(&mut self, stored: (Value, &'f [Sub], Value)) {
        self.stored = Some(stored);
    }

    /// Gives the number a name: that of a variable that counts from one.
    pub fn call(&mut self, name: Option<String>) {
        let place = self.push(Op::Size(self.number.add_const(1)), Class::Index, self.loc);
        let variable = self.push(Op::Convert(place), Class::Double, self.loc);
        self.func.names[variable.index()] = name;
    }

    /// The statements that compute them, and the slices that they are elements of.
    pub fn into_stmts(self) -> (Vec<Stmt>, Vec<Value>) {
        (self.out, self.selected)
    }

    /// The element of a vector, counted from its first one; a scalar as it is. `None` for what has no such form.
    pub fn element(&mut self, array: Value) -> Option<Value> {
        let ty = self.func.ty(array);
        if ty.is_scalar() {
            return Some(array);
        }
        if !ty.is_vector() {
            return None;
        }
        if let Some(element) = self.elements.get(&array) {
            return Some(*element);
        }
        let class = ty.class;
        let made = self.made.get(&array).filter(|_| self.around.inside.contains(&array));
        let element = match made {
            None => {
                let subs = vec![Sub::At(self.counter)];
                self.push(Op::Index { array, subs, checked: false }, class, self.loc)
            }
            Some(Made { op, loc }) => self.computed(array, op, class, *loc)?,
        };
        self.elements.insert(array, element);
        Some(element)
    }

    fn computed(&mut self, array: Value, op: &Op, class: Class, loc: Loc) -> Option<Value> {
        match op {
            Op::Reshape(a) | Op::Transpose(a) => self.element(*a),
            Op::Range { start, step } if self.func.ty(*start).class == Class::Index => {
                let number = self.of_range(*start, *step, 0, loc)?;
                Some(self.push(Op::Convert(number), class, loc))
            }
            // What is tested is read where it stands, not only under some condition.
            Op::Index { array: of, subs, checked } if !checked || self.around.here.contains(&array) => {
                if *checked && !self.stay_inside(*of, subs) {
                    return None;
                }
                let of = self.state(*of, subs)?;
                self.selected.push(array);
                let subs = self.subscripts(array, subs, loc)?;
                Some(self.push(Op::Index { array: of, subs, checked: *checked }, class, loc))
            }
            op if op.kind() == Kind::Elementwise => {
                let (mut op, mut all) = (op.clone(), true);
                op.for_each_operand_mut(&mut |v| match self.element(*v) {
                    Some(element) => *v = element,
                    None => all = false,
                });
                all.then(|| self.push(op, class, loc))
            }
            _ => None,
        }
    }

    /// Whether the subscripts that are the same for all elements are known to be inside: a slice of no elements, too, is an error where they are not.
    fn stay_inside(&mut self, array: Value, subs: &[Sub]) -> bool {
        let dims = self.func.ty(array).dims.clone();
        subs.iter().enumerate().all(|(axis, sub)| {
            let Sub::At(at) = sub else { return true };
            let at = size_of(self.func, self.made, *at);
            let room = dims.get(axis).map(|size| size.add_const(-1).sub(&at));
            let inside = |size: &Size| self.func.symbols.never_negative(size);
            subs.len() >= dims.len() && inside(&at) && room.is_some_and(|room| inside(&room))
        })
    }

    /// The state of an array that is read at these subscripts. Of the one that is stored only the element that is stored next is as it was.
    fn state(&mut self, array: Value, subs: &[Sub]) -> Option<Value> {
        let Some((_, stored, state)) = self.stored.filter(|(stored, ..)| *stored == array) else { return Some(array) };
        let same = stored.len() == subs.len() && stored.iter().zip(subs).all(|(a, b)| self.are_same(a, b));
        same.then_some(state)
    }

    fn are_same(&mut self, a: &Sub, b: &Sub) -> bool {
        let [a, b] = [a, b].map(|sub| match sub {
            Sub::At(at) => Some((size_of(self.func, self.made, *at), 0)),
            Sub::Range { start, step, .. } => Some((size_of(self.func, self.made, *start), *step)),
            Sub::Vector(list) => match self.made.get(list).map(|made| &made.op) {
                Some(Op::Range { start, step }) if self.func.ty(*start).class == Class::Index => {
                    let step = size_of(self.func, self.made, *step).as_constant()?;
                    Some((size_of(self.func, self.made, *start).add_const(-1), step))
                }
                _ => None,
            },
            Sub::All => None,
        });
        a.is_some() && a == b
    }

    /// The subscripts of the element of a slice.
    fn subscripts(&mut self, slice: Value, subs: &[Sub], loc: Loc) -> Option<Vec<Sub>> {
        let alone = subs.len() == 1;
        let moves = |this: &Self, axis: usize| alone || !this.func.ty(slice).dim(axis).is_one();
        let all = subs.iter().enumerate().map(|(axis, sub)| match sub {
            Sub::At(_) => self.place(sub, loc),
            _ if moves(self, axis) => self.place(sub, loc),
            _ => None,
        });
        all.collect()
    }

    /// The subscripts of the element that is stored.
    pub fn places(&mut self, subs: &[Sub]) -> Option<Vec<Sub>> {
        subs.iter().map(|sub| self.place(sub, self.loc)).collect()
    }

    fn place(&mut self, sub: &Sub, loc: Loc) -> Option<Sub> {
        Some(Sub::At(match sub {
            Sub::At(at) => *at,
            Sub::All => self.counter,
            Sub::Range { start, step, .. } => {
                let start = size_of(self.func, self.made, *start);
                self.push(Op::Size(start.plus(*step, &self.number)), Class::Index, loc)
            }
            Sub::Vector(list) => self.listed(*list, loc)?,
        }))
    }

    /// What an index array gives as a subscript from zero.
    fn listed(&mut self, list: Value, loc: Loc) -> Option<Value> {
        if let Some(Made { op: Op::Range { start, step }, .. }) = self.made.get(&list)
            && self.func.ty(*start).class == Class::Index
        {
            return self.of_range(*start, *step, -1, loc);
        }
        let element = self.element(list)?;
        if self.func.ty(element).class == Class::Logical {
            return None;
        }
        let place = self.push(Op::ToIndex(element), Class::Index, loc);
        let place = size_of(self.func, self.made, place);
        Some(self.push(Op::Size(place.add_const(-1)), Class::Index, loc))
    }

    /// The element of a range of whole numbers, and so much more.
    fn of_range(&mut self, start: Value, step: Value, more: i64, loc: Loc) -> Option<Value> {
        let Some(Op::Const(Const::Int(step))) = self.made.get(&step).map(|made| &made.op) else { return None };
        let start = size_of(self.func, self.made, start);
        let number = start.plus(*step, &self.number).add_const(more);
        Some(self.push(Op::Size(number), Class::Index, loc))
    }

    fn push(&mut self, op: Op, class: Class, loc: Loc) -> Value {
        let result = self.func.new_value(Type::scalar(class));
        self.out.push(Stmt { results: vec![result], op, loc });
        result
    }
}
