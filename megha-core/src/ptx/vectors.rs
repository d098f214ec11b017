//! Neighbouring points of a thread, whose narrow elements move together ([`crate::schedule::vectors`]).
//!
//! ```text
//! while points are left, so many for each thread at a time
//!   if they are all there, and elements lie at multiples of 16 bytes (or less, if they are less)
//!     the reads of all points, each array by one instruction; all else of the first, of the second, ..; the stores
//!   else
//!     the points one by one
//! ```
//! Whether elements lie so is found when the entry runs, from addresses, strides and the first number of the part, so it is right for any of
//! them; the host launches it where they do (`megha_base::plan::KernelPlan::entry_for`).

use super::class;
use super::entry::{Entry, Known};
use super::grid::Stride;
use super::inst::{Arith, Axis, Compare, Inst, Operand, Reg, Space, Ty};
use super::scheduled::Neighbours;
use crate::ir::{Op, Stmt, Value};
use crate::schedule::vectors::Vectors;
use megha_base::plan::{Bound, Element, Grid};

/// A kernel with neighbours for each thread.
struct Nest<'f> {
    vectors: Vectors<'f>,
    /// The loop that they lie along,
    axis: usize,
    /// and how many there are.
    each: u32,
    /// Whether their elements lie at multiples of what they take together.
    aligned: Operand,
}

impl<'f> Entry<'_, 'f> {
    /// An element-wise kernel with neighbours for each thread.
    ///
    /// # Errors
    /// An operation without PTX.
    pub fn neighbouring_points(&mut self, Neighbours { nest, axis, each }: &Neighbours) -> Result<Grid, String> {
        let (axis, each) = (*axis, *each);
        let vectors = Vectors::of(&self.source.subject, self.memory, axis).ok_or("points that are no neighbours")?;
        let aligned = self.aligned(&vectors, (axis, each))?;
        let along = |of: Axis| nest.iter().find(|(at, _)| *at == of).map_or_else(Vec::new, |(_, list)| list.clone());
        let outer: Vec<(Axis, Vec<usize>)> = nest.iter().filter(|(at, _)| *at != Axis::X).cloned().collect();
        self.rows_of_neighbours(&outer, &Nest { vectors, axis, each, aligned })?;
        Ok(Grid::Vectors { axes: [vec![axis], along(Axis::Y), along(Axis::Z)], each })
    }

    /// Whether the part, the rows of arrays and their addresses begin at multiples of what neighbours take.
    fn aligned(&mut self, vectors: &Vectors<'f>, (axis, each): (usize, u32)) -> Result<Operand, String> {
        let source = self.source;
        let mut all = self.bound(Bound::First(axis));
        for access in source.subject.accesses.iter().filter(|access| vectors.are_together(access.op)) {
            let array = self.number_of(access.mem)?;
            let (address, bytes) = (self.array(array), source.arrays[array].element.bytes());
            let address = self.e.convert(Ty::U32, Ty::U64, address.into());
            let place = self.e.arith(Arith::Shr, Ty::U32, &[address, Operand::Int(bytes.trailing_zeros().into())]);
            all = self.e.arith(Arith::Or, Ty::B32, &[all, place]);
            let dims = &source.types[array].dims;
            let is_counted = access.map.as_ref().is_none_or(|map| map.len() < dims.len());
            let strides = if is_counted { Vec::new() } else { self.strides(array) };
            let slower =
                strides.iter().zip(dims).filter(|(stride, dim)| !dim.is_one() && stride.as_constant() != Some(1));
            for (stride, _) in slower {
                let stride = self.short_size(stride)?;
                all = self.e.arith(Arith::Or, Ty::B32, &[all, stride]);
            }
        }
        let rest = self.e.arith(Arith::And, Ty::B32, &[all, Operand::Int((each - 1).into())]);
        Ok(self.e.compare(Compare::Eq, Ty::U32, rest, Operand::Int(0)))
    }

    /// The loops around rows of points, from the outermost inwards.
    fn rows_of_neighbours(&mut self, outer: &[(Axis, Vec<usize>)], nest: &Nest<'f>) -> Result<(), String> {
        let Some(((axis, list), inner)) = outer.split_first() else { return self.row_of_neighbours(nest) };
        let walk = self.grid_stride(*axis, *axis);
        let limit = self.count(list);
        self.walk(&walk, limit, &mut |entry, number| {
            entry.take_apart(number, list)?;
            entry.rows_of_neighbours(inner, nest)
        })
    }

    /// A thread's points of a row.
    fn row_of_neighbours(&mut self, nest: &Nest<'f>) -> Result<(), String> {
        let each = Operand::Int(nest.each.into());
        let Stride { start, step } = self.grid_stride(Axis::X, Axis::X);
        let [start, step] = [start, step].map(|n| self.e.arith(Arith::Mul, Ty::U32, &[n, each]));
        let limit = self.count(&[nest.axis]);
        self.walk(&Stride { start, step }, limit, &mut |entry, first| {
            let end = entry.e.arith(Arith::Add, Ty::U32, &[first, each]);
            let there = entry.e.compare(Compare::Le, Ty::U32, end, limit);
            let together = entry.e.and(there, nest.aligned);
            let (apart, done) = (entry.e.label(), entry.e.label());
            entry.e.jump_if(together, false, apart);
            entry.e.open();
            entry.take_apart(first, &[nest.axis])?;
            entry.neighbours_together(nest)?;
            entry.e.close();
            entry.e.jump(done);
            entry.e.place(apart);
            entry.e.open();
            let end = entry.e.arith(Arith::Min, Ty::U32, &[end, limit]);
            entry.walk(&Stride { start: first, step: Operand::Int(1) }, end, &mut |entry, number| {
                entry.take_apart(number, &[nest.axis])?;
                entry.body()
            })?;
            entry.e.close();
            entry.e.place(done);
            Ok(())
        })
    }

    /// Points whose first one has the present numbers.
    fn neighbours_together(&mut self, nest: &Nest<'f>) -> Result<(), String> {
        let point = |k: u32| {
            let mut numbers = self.numbers.clone();
            numbers[nest.axis] = self.e.arith(Arith::Add, Ty::U32, &[numbers[nest.axis], Operand::Int(k.into())]);
            self.known_at(numbers)
        };
        let mut points: Vec<Known> = (0..nest.each).map(point).collect();
        for stmt in &nest.vectors.early {
            self.early_of_neighbours(nest, &mut points, stmt)?;
        }
        let mut stores: Vec<(&Op, Vec<Operand>)> = Vec::new();
        for (k, known) in points.iter_mut().enumerate() {
            let mut number = 0;
            for stmt in &nest.vectors.late {
                match &stmt.op {
                    Op::Put(_, _, value) if nest.vectors.are_together(&stmt.op) => {
                        let value = self.at_point(known, |entry| entry.value(*value))?;
                        if k == 0 {
                            stores.push((&stmt.op, Vec::new()));
                        }
                        stores[number].1.push(value);
                        number += 1;
                    }
                    _ => self.at_point(known, |entry| entry.stmt(stmt, &mut Vec::new()))?,
                }
            }
        }
        for (op, values) in stores {
            let Op::Put(out, subs, _) = op else { continue };
            self.put_together((*out, subs), &values)?;
        }
        Ok(())
    }

    /// A statement that stands in front, at all points.
    fn early_of_neighbours(&mut self, nest: &Nest<'f>, points: &mut [Known], stmt: &'f Stmt) -> Result<(), String> {
        let values = match &stmt.op {
            Op::Load(mem, subs) if nest.vectors.are_together(&stmt.op) => {
                let array = self.number_of(*mem)?;
                let space = if self.source.is_constant(array) { Space::Constant } else { Space::Global };
                let (base, offset) = self.at_point(&mut points[0], |entry| entry.address(array, subs))?;
                self.load_together((space, self.source.arrays[array].element, nest.each), (base, offset))
            }
            Op::Load(mem, subs) if nest.vectors.are_alike(&stmt.op) => {
                let value = self.at_point(&mut points[0], |entry| entry.load(*mem, subs))?;
                vec![value; nest.each as usize]
            }
            _ => {
                let mut each = points.iter_mut();
                return each.try_for_each(|known| self.at_point(known, |entry| entry.stmt(stmt, &mut Vec::new())));
            }
        };
        for (known, value) in points.iter_mut().zip(values) {
            self.at_point(known, |entry| entry.define(stmt.results[0], value));
        }
        Ok(())
    }

    /// Neighbouring elements.
    fn load_together(
        &mut self,
        (space, element, each): (Space, Element, u32),
        (base, offset): (Reg, i64),
    ) -> Vec<Operand> {
        let ty = class::memory(element);
        let word = if ty == Ty::F32 { Ty::F32 } else { Ty::B32 };
        let in_word = (word.bytes() / ty.bytes()) as u32;
        let dsts: Vec<Reg> = (0..each / in_word).map(|_| self.e.reg(word.bank())).collect();
        self.e.push(Inst::LoadVector { space, ty: word, dsts: dsts.clone(), base, offset });
        let part = |k: u32| self.part_of_word((ty, element), dsts[(k / in_word) as usize].into(), k % in_word);
        (0..each).map(part).collect()
    }

    /// An element of a word of 32 bits.
    fn part_of_word(&mut self, (ty, element): (Ty, Element), word: Operand, number: u32) -> Operand {
        let bits = 8 * ty.bytes() as u32;
        if bits == 32 {
            return word;
        }
        let at = number * bits;
        let value = if ty.is_signed() {
            let top = self.e.arith(Arith::Shl, Ty::B32, &[word, Operand::Int((32 - bits - at).into())]);
            self.e.arith(Arith::Shr, Ty::S32, &[top, Operand::Int((32 - bits).into())])
        } else {
            let low = self.e.arith(Arith::Shr, Ty::U32, &[word, Operand::Int(at.into())]);
            if at + bits == 32 { low } else { self.e.arith(Arith::And, Ty::B32, &[low, Operand::Int((1 << bits) - 1)]) }
        };
        match element {
            Element::Bool => self.e.compare(Compare::Ne, Ty::U32, value, Operand::Int(0)),
            _ => value,
        }
    }

    /// Stores values of neighbouring points, of which the present numbers are the first.
    fn put_together(&mut self, (out, subs): (usize, &[Value]), values: &[Operand]) -> Result<(), String> {
        let element = self.source.arrays[out].element;
        let (base, offset) = self.address(out, subs)?;
        let ty = class::memory(element);
        let word = if ty == Ty::F32 { Ty::F32 } else { Ty::B32 };
        let in_word = (word.bytes() / ty.bytes()) as usize;
        let mut words = Vec::new();
        for parts in values.chunks(in_word) {
            let joined = self.word_of_parts((ty, element), parts);
            words.push(self.e.in_reg(word, joined));
        }
        self.e.push(Inst::StoreVector { ty: word, base, offset, values: words });
        Ok(())
    }

    /// A word of 32 bits of elements, the first of them lowest.
    fn word_of_parts(&mut self, (ty, element): (Ty, Element), parts: &[Operand]) -> Operand {
        let bits = 8 * ty.bytes() as u32;
        if bits == 32 {
            return parts[0];
        }
        let mut word = Operand::Int(0);
        for (k, part) in parts.iter().enumerate() {
            let part = match element {
                Element::Bool => self.e.select(Ty::U32, *part, Operand::Int(1), Operand::Int(0)),
                _ if ty.is_signed() && k + 1 < parts.len() => {
                    self.e.arith(Arith::And, Ty::B32, &[*part, Operand::Int((1 << bits) - 1)])
                }
                _ => *part,
            };
            let at = Operand::Int(i64::from(bits) * k as i64);
            let placed = self.e.arith(Arith::Shl, Ty::B32, &[part, at]);
            word = if k == 0 { placed } else { self.e.arith(Arith::Or, Ty::B32, &[word, placed]) };
        }
        word
    }
}
