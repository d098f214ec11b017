//! Loops of which some iterations are written out, with what they read in front ([`crate::schedule::ahead`]).
//!
//! ```text
//! while as many iterations are left
//!   the reads of the first, of the second, ..
//!   all else of the first, of the second, ..
//! the rest of the iterations one by one
//! ```
//! An element that moves by the same from iteration to iteration has its address from the one before: what is known stands in the
//! instruction, else it is one addition.

use super::entry::{Entry, Known};
use super::inst::{Arith, Compare, Operand, Reg, Ty};
use super::memory::IMMEDIATE;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Size, Stmt, Terminator, Value};
use crate::schedule::ahead::{Ahead, growth};
use crate::schedule::order::Memory;

/// Where iterations that are written out find their elements.
pub struct Steps {
    /// The number of the loop's iterations.
    counter: Value,
    /// What the loop defines.
    inside: HashSet<Value>,
    /// Which of the iterations is written, from zero.
    at: usize,
    /// The elements that the first one touches, by array and subscripts.
    found: HashMap<(usize, Vec<Value>), Moving>,
}

/// An element that moves.
struct Moving {
    /// Its address in each iteration so far,
    at: Vec<Reg>,
    /// and what the instruction adds in the first.
    offset: i64,
    /// By how much it moves in each.
    by: By,
}

enum By {
    /// By so many bytes, which the instruction adds.
    Known(i64),
    /// By a size, in bytes.
    Size(Operand),
    /// In each iteration the address is computed anew.
    Unknown,
}

impl<'f> Entry<'_, 'f> {
    /// Iterations of a loop, whose counter is zero, as far as they are written out; whether some may be left, or it is not written out at all.
    ///
    /// # Errors
    /// An operation without PTX.
    pub(super) fn written_out(
        &mut self,
        stmt: &Stmt,
        (trip, counter): (Operand, Reg),
        carried: &[(Reg, Ty)],
    ) -> Result<bool, String> {
        let subject = &self.source.subject;
        let is_this = |id| subject.body_loop(id).is_some_and(|l| std::ptr::eq(l.stmt, stmt));
        let Some((id, times)) = self.unrolled.iter().copied().find(|(id, _)| is_this(*id)) else { return Ok(false) };
        let ahead = Ahead::of(subject, id).ok_or("iterations that cannot read ahead")?;
        let (head, rest) = (self.e.label(), self.e.label());
        let times_of = Operand::Int(times.into());
        let few = self.e.compare(Compare::Lt, Ty::S64, trip, times_of);
        self.e.jump_if(few, true, rest);
        self.e.open();
        let last = self.e.arith(Arith::Sub, Ty::S64, &[trip, times_of]);
        self.e.place(head);
        self.e.open();
        self.iterations(&ahead, (counter, times), carried)?;
        self.e.close();
        let next = self.e.arith(Arith::Add, Ty::S64, &[counter.into(), times_of]);
        self.e.assign(Ty::S64, counter, next);
        let more = self.e.compare(Compare::Le, Ty::S64, counter.into(), last);
        self.e.jump_if(more, true, head);
        self.e.close();
        self.e.place(rest);
        Ok(true)
    }

    /// Some iterations one after the other.
    fn iterations(
        &mut self,
        ahead: &Ahead<'f>,
        (counter, times): (Reg, u32),
        carried: &[(Reg, Ty)],
    ) -> Result<(), String> {
        let body = ahead.body;
        let mut inside = HashSet::default();
        body.defined(&mut inside);
        let outer = self.steps.replace(Steps { counter: body.params[0], inside, at: 0, found: HashMap::default() });
        let mut points: Vec<Known> = Vec::new();
        for k in 0..times {
            let number = self.e.arith(Arith::Add, Ty::S64, &[counter.into(), Operand::Int(k.into())]);
            let mut known = self.known_at(self.numbers.clone());
            self.at_point(&mut known, |entry| entry.define(body.params[0], number));
            points.push(known);
        }
        for early in &ahead.early {
            for (k, known) in points.iter_mut().enumerate() {
                self.step_to(k);
                self.at_point(known, |entry| entry.stmt(early, &mut Vec::new()))?;
            }
        }
        let mut values: Vec<Operand> = carried.iter().map(|(reg, _)| (*reg).into()).collect();
        for (k, known) in points.iter_mut().enumerate() {
            self.step_to(k);
            values = self.at_point(known, |entry| {
                body.params[1..].iter().zip(&values).for_each(|(value, now)| entry.define(*value, *now));
                ahead.late.iter().try_for_each(|late| entry.stmt(late, &mut Vec::new()))?;
                let Terminator::Yield(next) = &body.term else { return Err("a loop that is left".to_owned()) };
                entry.all(next)
            })?;
        }
        self.carry(carried, &values);
        self.steps = outer;
        Ok(())
    }

    fn step_to(&mut self, at: usize) {
        self.steps.iter_mut().for_each(|steps| steps.at = at);
    }

    /// The address of an element in an iteration that is written out.
    ///
    /// # Errors
    /// Too few subscripts.
    pub(super) fn stepped_address(
        &mut self,
        steps: &mut Steps,
        array: usize,
        subs: &[Value],
    ) -> Result<(Reg, i64), String> {
        let key = (array, subs.to_vec());
        if steps.at == 0 {
            let (address, offset) = self.plain_address(array, subs)?;
            let by = self.moves_by(steps, array, subs)?;
            steps.found.insert(key, Moving { at: vec![address], offset, by });
            return Ok((address, offset));
        }
        let Some(moving) = steps.found.get_mut(&key) else { return self.plain_address(array, subs) };
        let (Moving { at, offset, by }, k) = (moving, steps.at);
        match by {
            By::Known(bytes) => Ok((at[0], *offset + *bytes * k as i64)),
            By::Unknown => self.plain_address(array, subs),
            By::Size(bytes) => {
                while at.len() <= k {
                    let next = self.e.arith(Arith::Add, Ty::S64, &[at[at.len() - 1].into(), *bytes]);
                    at.push(self.e.in_reg(Ty::S64, next));
                }
                Ok((at[k], *offset))
            }
        }
    }

    /// By how much an element moves from one iteration to the next.
    fn moves_by(&mut self, steps: &Steps, array: usize, subs: &[Value]) -> Result<By, String> {
        let Some(moved) = self.elements_moved(steps, array, subs) else { return Ok(By::Unknown) };
        let bytes = self.source.arrays[array].element.bytes() as i64;
        match moved.as_constant() {
            Some(known) if known.unsigned_abs() < IMMEDIATE.unsigned_abs() / 64 => Ok(By::Known(known * bytes)),
            Some(_) => Ok(By::Unknown),
            // Between two elements of an array lie less than 2^31.
            None => {
                let moved = self.short_size(&moved)?;
                Ok(By::Size(self.e.mul_wide(Ty::S32, moved, Operand::Int(bytes))))
            }
        }
    }

    /// The same in elements.
    fn elements_moved(&mut self, steps: &Steps, array: usize, subs: &[Value]) -> Option<Size> {
        let subject = &self.source.subject;
        let is_inside = |value: Value| steps.inside.contains(&value);
        let by = |sub: &Value| growth(subject, &subject.maps.affine(*sub)?, (steps.counter, &is_inside));
        let grown: Vec<i64> = subs.iter().map(by).collect::<Option<_>>()?;
        let dims = &self.source.types[array].dims;
        if let ([one], true) = (&grown[..], dims.len() > 1) {
            let long = dims.iter().filter(|dim| !dim.is_one()).count();
            return (self.memory == Memory::ColumnMajor || long <= 1).then(|| Size::constant(*one));
        }
        let strides = self.strides(array);
        let moved = grown.iter().zip(&strides).enumerate().filter(|(axis, _)| !dims[*axis].is_one());
        let moved = moved.fold(Size::default(), |sum, (_, (by, stride))| sum.add(&stride.scale(*by)));
        let is_outside = moved.symbols().all(|symbol| self.source.is_outside(symbol));
        is_outside.then_some(moved)
    }
}
