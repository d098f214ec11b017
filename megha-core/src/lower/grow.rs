//! Stores that create an array or make it larger: `x(end + 1) = v`, `x(i, :) = r`, `x(k) = v` of an `x` without a value.
//!
//! A store beyond the end enlarges the array first (`Op::Resize`, the sizes are the larger of the old ones and the subscripts)
//! and is then within it. Which stores may do so is decided per variable: those of a variable that has no value, is `[]` or a
//! scalar, or of which one store with scalar or equally spaced subscripts is not seen to stay inside. What is seen (`Proven`)
//! includes the conditions and reads that led to the store. Arrays which have been created with their final size so keep a
//! size that is known. `docs/sizes.md` has the rules as a user sees them.

use super::control::Frame;
use super::facts::Facts;
use super::hoist::Growth;
use super::{Lower, Lowered, prelude};
use crate::ir::{Binary, Class, Op, ReduceOp, Size, Type, Value};
use crate::source::Span;

/// Subscripts that have been lowered; `None` for `:`.
pub(super) type Given = [Option<Value>];

impl Lower<'_> {
    /// The array in the sizes that a store of this value needs, if it is one that may grow.
    pub fn grown(
        &mut self,
        name: &str,
        array: Value,
        given: &Given,
        value: Value,
        span: Span,
    ) -> Lowered<Option<Value>> {
        let ty = self.builder.func.ty(array).clone();
        let old: Vec<Size> = (0..given.len().max(ty.ndims())).map(|axis| ty.dim(axis)).collect();
        let certain = self.is_growing(name) || ty.is_scalar() || is_empty(&ty);
        let places = given.iter().enumerate();
        let reach = places.map(|(axis, v)| self.reach(*v, certain, &room(&ty, given.len(), axis), span));
        let reach = reach.collect::<Lowered<Vec<Option<Size>>>>()?;
        let grows = self.may_grow(name, &ty, given, &reach, span);
        let fits = |(axis, r): (usize, &Option<Size>)| {
            r.as_ref().is_some_and(|r| self.not_negative_here(&room(&ty, reach.len(), axis).sub(r)))
        };
        let grows = grows && !reach.iter().enumerate().all(fits);
        let reach = if reach.len() == 1 || !grows { reach } else { self.with_colons(array, given, reach, value) };
        if grows {
            let stays = |size: &Size| size.is_one() && reach.len() > 1 && !self.grows_freely(name);
            let reach: Vec<Option<Size>> =
                reach.iter().zip(&old).map(|(r, size)| r.clone().filter(|_| !stays(size))).collect();
            let before = self.here(span);
            let enlarged = self.enlarged(name, array, &reach);
            self.builder.set_loc(before);
            return Ok(Some(enlarged));
        }
        self.tell_loop(name, ty.class, &reach);
        Ok(None)
    }

    /// Masks that may mark elements behind the end of an array that may grow become the numbers of the marked elements, of
    /// which the last says how large the array must be.
    pub fn numbers_for_masks(
        &mut self,
        name: &str,
        array: Value,
        given: Vec<Option<Value>>,
        span: Span,
    ) -> Vec<Option<Value>> {
        let ty = self.builder.func.ty(array).clone();
        if !(self.is_growing(name) || ty.is_scalar() || is_empty(&ty)) {
            return given;
        }
        let count = given.len();
        let number = |(axis, subscript): (usize, Option<Value>)| {
            let mask = subscript?;
            let numel = self.builder.func.ty(mask).numel();
            let inside = |this: &Self| this.not_negative_here(&room(&ty, count, axis).sub(&numel));
            if self.class(mask) != Class::Logical || inside(self) {
                return subscript;
            }
            Some(if self.is_scalar(mask) { self.one_or_none(mask) } else { self.true_positions(mask, false, span) })
        };
        given.into_iter().enumerate().map(number).collect()
    }

    /// The array in the sizes that these subscripts need. The loop around hears of it.
    pub fn enlarged(&mut self, name: &str, array: Value, reach: &[Option<Size>]) -> Value {
        let ty = self.builder.func.ty(array).clone();
        let old: Vec<Size> = (0..reach.len().max(ty.ndims())).map(|axis| ty.dim(axis)).collect();
        let sizes = match reach {
            [reach] => self.linear_sizes(name, &old, reach.as_ref()),
            _ => self.sizes_to(&old, reach),
        };
        let array = if reach.len() == 1 { self.without_rows(array) } else { array };
        let wanted = Type::array(ty.class, sizes);
        if wanted == ty {
            return array;
        }
        self.tell_loop(name, ty.class, reach);
        self.resized(array, wanted)
    }

    /// Tells the loop around which sizes a store needs, if each iteration executes it.
    fn tell_loop(&mut self, name: &str, class: Class, reach: &[Option<Size>]) {
        if let Some(frame) = self.frames.last_mut().filter(|f| f.conditions == 0) {
            frame.growths.push(Growth { name: name.to_owned(), class, reach: reach.to_vec(), unless_empty: None });
        }
    }

    /// Remembers that stores may enlarge a variable of the current function: in all directions, or a vector only in its own.
    pub fn grows(&mut self, name: &str, freely: bool) {
        let function = self.calls.last().cloned().unwrap_or_default();
        *self.growing.entry((function, name.to_owned())).or_default() |= freely;
    }

    /// Whether stores may turn a vector of the current function into a matrix.
    fn grows_freely(&self, name: &str) -> bool {
        let function = self.calls.last().cloned().unwrap_or_default();
        self.growing.get(&(function, name.to_owned())).is_some_and(|freely| *freely)
    }

    /// Whether stores may enlarge a variable of the current function.
    pub fn is_growing(&self, name: &str) -> bool {
        let function = self.calls.last().cloned().unwrap_or_default();
        self.growing.contains_key(&(function, name.to_owned()))
    }

    fn may_grow(&mut self, name: &str, ty: &Type, given: &Given, reach: &[Option<Size>], span: Span) -> bool {
        let inside = prelude::contains(span) || self.replaced_store;
        let ndims = reach.len();
        let others_are_colons = |axis| (0..ndims).all(|other| other == axis || reach[other].is_none());
        for (axis, reach) in reach.iter().enumerate() {
            let Some(reach) = reach else { continue };
            let room = room(ty, ndims, axis);
            if ty.is_scalar() && !reach.is_one() || self.never_negative(&reach.sub(&room).add_const(-1)) {
                self.grows(name, true);
            } else if !inside && axis >= ty.ndims() && !self.not_negative_here(&room.sub(reach)) {
                // A further dimension, whose size is not the type's.
                self.grows(name, true);
            } else if !inside && !room.is_one() && !self.not_negative_here(&room.sub(reach)) {
                self.wish_inside(given, axis, reach, &room);
                self.grows(name, false);
            } else if !inside
                && ndims > 1
                && others_are_colons(axis)
                && !self.is_meant_inside(given[axis], &room)
                && !self.not_negative_here(&room.sub(reach))
            {
                // A row stored into `x(k, :)`: rows are added below it.
                self.wish_inside(given, axis, reach, &room);
                self.grows(name, true);
            }
        }
        if is_empty(ty) {
            self.grows(name, true);
        }
        self.is_growing(name)
    }

    /// Whether a subscript is a remainder or a minimum that is meant to lie inside, as `mod(k, 3) + 1` of three rows. The store is still tested.
    fn is_meant_inside(&self, subscript: Option<Value>, room: &Size) -> bool {
        let Some(subscript) = subscript else { return false };
        let facts = self.facts(subscript);
        let most = match facts.offset {
            Some((size, false, rest)) => self.facts(rest).at_most.map(|most| size.add_const(most)),
            _ => facts.at_most.map(Size::constant),
        };
        most.is_some_and(|most| self.never_negative(&room.sub(&most)))
    }

    /// The largest subscript; `None` where it does not say how large the array must be, or only a search for the largest
    /// element would, and it is not `certain` that the array may grow.
    fn reach(&mut self, subscript: Option<Value>, certain: bool, room: &Size, span: Span) -> Lowered<Option<Size>> {
        let Some(subscript) = subscript else { return Ok(None) };
        if self.is_scalar(subscript) {
            if self.class(subscript) == Class::Logical {
                return Ok(None);
            }
            return self.whole_number(subscript, "a subscript", span).map(Some);
        }
        let facts = self.facts(subscript);
        // Of `v([i j]) = v([j i])` nothing says that it leaves the array: a swap must not make it one that grows.
        if let Some(largest) = facts.elements.and_then(|elements| self.largest_known(&elements))
            && (certain || self.never_negative(&largest.sub(room).add_const(-1)))
        {
            return Ok(Some(largest));
        }
        let Some(range) = facts.progression else {
            return if certain { self.largest(subscript, span) } else { Ok(None) };
        };
        let last = range.start.add(&range.len.add_const(-1).scale(range.step));
        let largest = if range.step > 0 { last } else { range.start };
        if self.never_negative(&range.len.add_const(-1)) || largest.as_constant().is_some_and(|c| c <= 0) {
            return Ok(Some(largest));
        }
        Ok(Some(self.reach_unless_empty(&range.len, &largest)))
    }

    /// The largest of the whole numbers that a vector was put together from.
    fn largest_known(&mut self, elements: &[Value]) -> Option<Size> {
        let number = |v: &Value| self.whole_of(*v).filter(|_| self.class(*v) != Class::Logical);
        let sizes: Vec<Size> = elements.iter().map(number).collect::<Option<_>>()?;
        sizes.into_iter().reduce(|a, b| self.size_max(a, b))
    }

    /// The largest element of a vector of subscripts, zero if there is none.
    fn largest(&mut self, subscript: Value, span: Span) -> Lowered<Option<Size>> {
        let ty = self.builder.func.ty(subscript).clone();
        if ty.class == Class::Logical {
            return Ok(None);
        }
        if !self.never_negative(&ty.numel().add_const(-1)) {
            let largest = self.call_inner_value("largest_or_zero", vec![subscript], span)?;
            return self.whole_number(largest, "a subscript", span).map(Some);
        }
        let axes = (0..ty.dims.len()).collect();
        let facts = Facts { integral: true, ..Facts::default() };
        let max = self.emit(Op::Reduce(ReduceOp::Max, subscript, axes), Type::scalar(ty.class), facts);
        self.whole_number(max, "a subscript", span).map(Some)
    }

    /// What a largest subscript needs, where a count says whether there is one: no element, no reach.
    pub fn reach_unless_empty(&mut self, count: &Size, largest: &Size) -> Size {
        let zero = Size::constant(0);
        let nonempty = self.nonempty(count);
        let bound = match count.as_sym() {
            Some(sym) => largest.substitute(&mut |s| if s == sym { nonempty.clone() } else { Size::sym(s) }),
            None => largest.clone(),
        };
        let bound = self.size_max(bound, zero.clone());
        self.size_unless_empty(count, largest, &zero, vec![bound])
    }

    /// One size where another is positive, else a third one.
    pub(super) fn size_unless_empty(&mut self, count: &Size, some: &Size, none: &Size, at_most: Vec<Size>) -> Size {
        let (count, some, none) = (self.index_value(count), self.index_value(some), self.index_value(none));
        let zero = self.builder.int(0);
        let any = self.builder.push(Op::Binary(Binary::Gt, count, zero), Type::scalar(Class::Logical));
        let size = self.builder.push(Op::Select(any, some, none), Type::scalar(Class::Index));
        let symbol = self.symbol_for(size, vec![Size::constant(0)], at_most);
        self.learn(size, Facts::whole(symbol.clone(), true));
        symbol
    }

    /// One subscript: a row stays a row, a column a column, what has no rows becomes a row, `zeros(0, 1)` too. A matrix keeps
    /// its sizes, and a subscript beyond its end is an error at run time.
    fn linear_sizes(&mut self, name: &str, old: &[Size], reach: Option<&Size>) -> Vec<Size> {
        let Some(reach) = reach.cloned() else { return old.to_vec() };
        let one = Size::constant(1);
        match old {
            [rows, columns] if rows.as_constant() == Some(0) => {
                let size = self.size_from(reach);
                let turns = columns.as_constant() != Some(0) || self.append_axis(name) == Some(0);
                let turns = turns && self.may_stay_away();
                vec![one, if turns { self.opaque(&size) } else { size }]
            }
            [rows, columns] if rows.is_one() => vec![one, self.size_max(columns.clone(), reach)],
            [rows, columns] if columns.is_one() => {
                let size = self.size_max(rows.clone(), reach);
                self.never_turns(rows, &size);
                vec![size, one]
            }
            [rows, columns] if self.is_loose(rows) && self.is_loose(columns) => {
                self.sizes_as_it_lies(rows, columns, reach)
            }
            _ => old.to_vec(),
        }
    }

    /// Whether the current statement is executed on some ways only, so that an array may also be what it was before.
    pub fn may_stay_away(&self) -> bool {
        self.frames.iter().any(Frame::is_of_loop) || self.frames.last().is_some_and(|f| f.conditions > 0)
    }

    /// The same size under a name of its own: joined with the constant one it is free. A row so does not pass for the column that
    /// the array was before, where both are of one column.
    pub fn opaque(&mut self, size: &Size) -> Size {
        let value = self.index_value(size);
        let symbol = self.symbol_for(value, vec![Size::constant(0), size.clone()], vec![size.clone()]);
        self.loosen(&symbol);
        symbol
    }

    /// Tests that a column is not one of at most one element, of which more elements make a row.
    fn never_turns(&mut self, rows: &Size, enlarged: &Size) {
        if rows == enlarged || self.not_negative_here(&rows.add_const(-2)) {
            return;
        }
        let few = self.is_at_most_one(rows);
        let many = self.not(few);
        let fits = self.is_at_most_one(enlarged);
        let fine = self.emit(Op::Binary(Binary::Or, many, fits), Type::scalar(Class::Logical), Facts::default());
        let text = "a store past the end with one subscript makes a row of an array of at most one element, but here it has the \
                    type of a column: write x(k, 1) = .. to keep it one";
        self.builder.effect(Op::Assert(fine, text.into()));
    }

    /// The same where only the run knows which of these the array is.
    fn sizes_as_it_lies(&mut self, rows: &Size, columns: &Size, reach: Size) -> Vec<Size> {
        let (row, column) = (self.is_at_most_one(rows), self.is_one(columns));
        // What has no rows has no columns either (`without_rows`).
        let numel = rows.mul(columns);
        let (wide, tall) = (self.size_max(numel, reach.clone()), self.size_max(rows.clone(), reach));
        let tall = self.size_if(column, &tall, rows);
        vec![self.size_if(row, &Size::constant(1), &tall), self.size_if(row, &wide, columns)]
    }

    /// A matrix of which only the run knows the sizes: one without rows as 1-by-0, so that a row is larger.
    fn without_rows(&mut self, array: Value) -> Value {
        let ty = self.builder.func.ty(array).clone();
        match ty.dims.as_slice() {
            [rows, columns] if !rows.is_one() && self.is_loose(rows) && self.is_loose(columns) => {
                let (one, none) = (Size::constant(1), Size::constant(0));
                let some = [
                    self.size_unless_empty(rows, rows, &one, Vec::new()),
                    self.size_unless_empty(rows, columns, &none, Vec::new()),
                ];
                self.retyped(array, some.to_vec())
            }
            _ => array,
        }
    }

    /// Several subscripts: each dimension holds its largest.
    fn sizes_to(&mut self, old: &[Size], reach: &[Option<Size>]) -> Vec<Size> {
        let mut sizes = old.to_vec();
        for (size, reach) in sizes.iter_mut().zip(reach) {
            if let Some(reach) = reach {
                *size = self.size_max(size.clone(), reach.clone());
            }
        }
        sizes
    }

    /// What `:` needs: in an array without elements it takes the size of the stored value. Where as many subscripts are no
    /// scalars as the value has dimensions, each stands for the dimension at its place, else `:` for the next size that is not 1.
    fn with_colons(
        &mut self,
        array: Value,
        given: &Given,
        reach: Vec<Option<Size>>,
        value: Value,
    ) -> Vec<Option<Size>> {
        let ty = self.builder.func.ty(array).clone();
        let old: Vec<Size> = (0..given.len().max(ty.ndims())).map(|axis| ty.dim(axis)).collect();
        let stored = self.builder.func.ty(value).clone();
        let long = |v: &Option<Value>| v.is_none_or(|v| !self.is_scalar(v));
        let exact = given.iter().filter(|v| long(v)).count() == stored.ndims();
        let takes: Vec<bool> = given.iter().map(|v| if exact { long(v) } else { v.is_none() }).collect();
        let mut sources = stored.dims.iter().filter(|d| exact || !d.is_one());
        // Zero if the array is `[]`: in others without elements `:` is what it says. What goes round a loop may have been `[]`,
        // which then has the other sizes of what it became.
        let tells = match self.facts(array).brackets || self.facts(array).was_brackets {
            true => ty.numel(),
            false if ty.is_scalar() => Size::constant(1),
            false => ty.dims.iter().fold(Size::constant(0), |sum, d| sum.add(d)),
        };
        let mut sizes = Vec::new();
        for ((old, reach), takes) in old.iter().zip(reach).zip(takes) {
            let source = takes.then(|| sources.next().cloned().unwrap_or(Size::constant(1)));
            let size = source.filter(|_| reach.is_none());
            sizes.push(reach.or_else(|| self.colon_size(old, &size?, &tells, stored.is_scalar())));
        }
        sizes
    }

    fn colon_size(&mut self, old: &Size, stored: &Size, tells: &Size, scalar: bool) -> Option<Size> {
        match tells.as_constant() {
            Some(0) => return Some(stored.clone()),
            Some(_) => return None,
            None => {}
        }
        let never = self.never_negative(&old.add_const(-1)) || self.never_negative(&tells.add_const(-1));
        if never || scalar && !self.is_loose(old) || self.same_size(old, stored) {
            return None;
        }
        Some(self.size_unless_empty(tells, old, stored, Vec::new()))
    }

    /// The array enlarged to this type.
    fn resized(&mut self, array: Value, ty: Type) -> Value {
        let own = self.builder.func.ty(array).clone();
        if is_empty(&own) {
            return self.filled(0.0, own.class, ty.dims);
        }
        let old = self.facts(array);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        self.emit(Op::Resize(array), ty, facts)
    }
}

/// How large an array is along one of so many subscripts.
pub(super) fn room(array: &Type, subscripts: usize, axis: usize) -> Size {
    if subscripts == 1 { array.numel() } else { array.dim(axis) }
}

/// Whether the type says that there are no elements.
fn is_empty(ty: &Type) -> bool {
    ty.dims.iter().any(|d| d.as_constant() == Some(0))
}
