//! Loads and stores. The number of an element is each iteration number times what it moves the access by, plus what is the same in all
//! iterations; the factors are sizes, so the host computes them. It is computed in 32 bits, where sums wrap on the way and are right in the
//! end, because a plan is launched only where arrays have fewer elements than [`megha_base::plan::MOST_ELEMENTS`].

use super::class;
use super::entry::Entry;
use super::inst::{Arith, Compare, Inst, Operand, Reg, Space, Ty};
use crate::ir::{Mem, Size, Value};
use crate::schedule::order::Memory;
use megha_base::plan::Element;

/// The most elements that an instruction adds to the number. Without them it is above -2^20 and, by the limit of arrays, below 2^31.
pub const IMMEDIATE: i64 = 1 << 20;

/// A sum of products.
#[derive(Default)]
struct Offset {
    /// What moves, with its factor.
    moving: Vec<(Operand, Size)>,
    /// What stands still.
    fixed: Size,
}

impl Offset {
    fn add(&mut self, what: Operand, factor: Size) {
        match (what, self.moving.iter_mut().find(|(w, _)| *w == what)) {
            (Operand::Int(known), _) => self.fixed = self.fixed.add(&factor.scale(known)),
            (_, Some((_, so_far))) => *so_far = so_far.add(&factor),
            (_, None) => self.moving.push((what, factor)),
        }
    }
}

impl Entry<'_, '_> {
    /// A load of the body.
    ///
    /// # Errors
    /// A class without elements on devices.
    pub fn load(&mut self, mem: Mem, subs: &[Value]) -> Result<Operand, String> {
        let array = self.number_of(mem)?;
        if let Some(kept) = self.kept.get(&array).copied() {
            return self.load_kept(kept, array, subs);
        }
        let element = self.source.arrays[array].element;
        let space = if self.source.is_constant(array) { Space::Constant } else { Space::Global };
        let (base, offset) = self.address(array, subs)?;
        Ok(self.load_element(space, element, base, offset))
    }

    /// An element at an address in global memory.
    pub fn load_element(&mut self, space: Space, element: Element, base: Reg, offset: i64) -> Operand {
        let ty = class::memory(element);
        let dst = self.e.reg(ty.bank());
        self.e.push(Inst::Load { space, ty, dst, base, offset });
        match element {
            Element::Bool => self.e.compare(Compare::Ne, Ty::U32, dst.into(), Operand::Int(0)),
            _ => dst.into(),
        }
    }

    /// A store of the body.
    ///
    /// # Errors
    /// A class without elements on devices.
    pub fn put(&mut self, out: usize, subs: &[Value], value: Value) -> Result<(), String> {
        let value = self.value(value)?;
        self.put_operand(out, subs, value)
    }

    /// The same of a value that is here.
    ///
    /// # Errors
    /// A class without elements on devices.
    pub fn put_operand(&mut self, out: usize, subs: &[Value], value: Operand) -> Result<(), String> {
        if let Some(kept) = self.kept.get(&out).copied() {
            return self.store_kept(kept, (out, subs), value);
        }
        let (base, offset) = self.address(out, subs)?;
        self.store_element(self.source.arrays[out].element, base, offset, value);
        Ok(())
    }

    /// An element to an address in global memory.
    pub fn store_element(&mut self, element: Element, base: Reg, offset: i64, value: Operand) {
        let value = match (element, value) {
            (Element::Bool, value) => self.e.select(Ty::U32, value, Operand::Int(1), Operand::Int(0)),
            (_, value) => value,
        };
        let ty = class::memory(element);
        let value = self.e.in_reg(ty, value).into();
        self.e.push(Inst::Store { space: Space::Global, ty, base, offset, value });
    }

    /// How many elements further an access gets if a value of its subscripts is one more.
    ///
    /// # Errors
    /// An array without a number.
    pub fn moved_by(&mut self, mem: Mem, subs: &[Value], value: Value) -> Result<Size, String> {
        let array = self.number_of(mem)?;
        let mut moved = Size::default();
        for (sub, stride) in subs.iter().zip(self.strides(array)) {
            let map = self.source.subject.maps.affine(*sub);
            let by =
                map.iter().flat_map(|map| &map.uniform).find(|(known, _)| *known == value).map_or(0, |(_, by)| *by);
            moved = moved.add(&stride.scale(by));
        }
        Ok(moved)
    }

    /// The number of an array.
    ///
    /// # Errors
    /// It has none.
    pub fn number_of(&self, mem: Mem) -> Result<usize, String> {
        match mem {
            Mem::Out(out) => Ok(out),
            Mem::In(value) => self.source.in_variable(value).ok_or_else(|| "an array without a number".into()),
        }
    }

    /// The address of an element, and what is to be added to it in the instruction.
    ///
    /// # Errors
    /// Too few subscripts.
    pub fn address(&mut self, array: usize, subs: &[Value]) -> Result<(Reg, i64), String> {
        match self.steps.take() {
            None => self.plain_address(array, subs),
            Some(mut steps) => {
                let found = self.stepped_address(&mut steps, array, subs);
                self.steps = Some(steps);
                found
            }
        }
    }

    /// The address from the numbers of the iteration.
    ///
    /// # Errors
    /// Too few subscripts.
    pub fn plain_address(&mut self, array: usize, subs: &[Value]) -> Result<(Reg, i64), String> {
        let offset = self.offset(array, subs)?;
        let base = self.array(array);
        self.at(base, self.source.arrays[array].element, &offset)
    }

    /// A base and an offset. The sum wraps on the way; with what stands in the instruction it is the number of an element.
    fn at(&mut self, base: Reg, element: Element, offset: &Offset) -> Result<(Reg, i64), String> {
        let bytes = element.bytes() as i64;
        let known = offset.fixed.terms().filter(|(symbols, _)| symbols.is_empty()).map(|(_, c)| c).sum::<i64>();
        let immediate = if known.unsigned_abs() < IMMEDIATE.unsigned_abs() { known } else { 0 };
        let sum = self.sum(&offset.fixed.sub(&Size::constant(immediate)), &offset.moving)?;
        if sum == Operand::Int(0) {
            return Ok((base, immediate * bytes));
        }
        let sum = self.e.in_reg(Ty::U32, sum);
        let away = match bytes {
            1 => self.e.convert(Ty::S64, Ty::S32, sum.into()),
            bytes => self.e.mul_wide(Ty::S32, sum.into(), Operand::Int(bytes)),
        };
        let address = self.e.arith(Arith::Add, Ty::S64, &[base.into(), away]);
        Ok((self.e.in_reg(Ty::S64, address), immediate * bytes))
    }

    /// A size and what moves, in 32 bits.
    fn sum(&mut self, fixed: &Size, moving: &[(Operand, Size)]) -> Result<Operand, String> {
        let mut sum = self.short_size(fixed)?;
        for (what, factor) in moving {
            let term = match factor.as_constant() {
                Some(by) => self.scaled(*what, by),
                None => {
                    let by = self.short_size(factor)?;
                    self.e.arith(Arith::Mul, Ty::U32, &[*what, by])
                }
            };
            sum = self.e.arith(Arith::Add, Ty::U32, &[sum, term]);
        }
        Ok(sum)
    }

    /// The number of an element in its row, which lies in one piece.
    ///
    /// # Errors
    /// Subscripts that count the elements of several dimensions.
    pub fn number_in_row(&mut self, array: usize, subs: &[Value], row: usize) -> Result<Operand, String> {
        let dims = self.source.types[array].dims.clone();
        let long: Vec<usize> = (0..dims.len()).filter(|dim| !dims[*dim].is_one()).collect();
        let mut offset = Offset::default();
        for dim in long.iter().copied().filter(|dim| *dim != row) {
            let stride = long.iter().filter(|other| **other != row && self.memory.is_faster(**other, dim));
            let stride = stride.fold(Size::constant(1), |product, other| product.mul(&dims[*other]));
            match subs {
                _ if subs.len() == dims.len() => self.subscript(&mut offset, subs[dim], &stride)?,
                [only] if long.len() == 1 => self.subscript(&mut offset, *only, &stride)?,
                _ => return Err("a subscript that counts elements of several rows".into()),
            }
        }
        self.sum(&offset.fixed, &offset.moving)
    }

    /// The address of element `number` of row `row` of an array whose rows lie in one piece.
    ///
    /// # Errors
    /// None that a verified module gives.
    pub fn of_row(
        &mut self,
        array: usize,
        (row, dim): (Operand, usize),
        number: Operand,
    ) -> Result<(Reg, i64), String> {
        let mut offset = Offset::default();
        let stride = self.strides(array)[dim].clone();
        offset.add(row, stride);
        offset.add(number, Size::constant(1));
        let base = self.array(array);
        self.at(base, self.source.arrays[array].element, &offset)
    }

    /// A product with a known number.
    fn scaled(&mut self, what: Operand, by: i64) -> Operand {
        match by {
            by if by > 1 && by & (by - 1) == 0 && by < 1 << 31 && !matches!(what, Operand::Int(_)) => {
                self.e.arith(Arith::Shl, Ty::B32, &[what, Operand::Int(by.trailing_zeros().into())])
            }
            by => self.e.arith(Arith::Mul, Ty::U32, &[what, Operand::Int(i64::from(by as u32))]),
        }
    }

    /// The offset in elements.
    fn offset(&mut self, array: usize, subs: &[Value]) -> Result<Offset, String> {
        let ty = &self.source.types[array];
        let long: Vec<usize> = (0..ty.dims.len()).filter(|d| !ty.dims[*d].is_one()).collect();
        let mut offset = Offset::default();
        match subs {
            [one] if ty.dims.len() > 1 && (self.memory == Memory::ColumnMajor || long.len() <= 1) => {
                self.subscript(&mut offset, *one, &Size::constant(1))?;
            }
            [one] if ty.dims.len() > 1 => {
                // Counted columns first in an array that lies rows first.
                let strides = self.strides(array);
                let mut rest = self.short(*one)?;
                for (k, axis) in long.iter().enumerate() {
                    let extent = self.short_size(&ty.dims[*axis])?;
                    let last = k + 1 == long.len();
                    let digit = if last { rest } else { self.e.arith(Arith::Rem, Ty::U32, &[rest, extent]) };
                    offset.add(digit, strides[*axis].clone());
                    rest = if last { rest } else { self.e.arith(Arith::Div, Ty::U32, &[rest, extent]) };
                }
            }
            _ => {
                let strides = self.strides(array);
                for axis in long {
                    let Some(sub) = subs.get(axis) else { return Err("too few subscripts".into()) };
                    self.subscript(&mut offset, *sub, &strides[axis])?;
                }
            }
        }
        Ok(offset)
    }

    /// Adds a subscript times a stride: by the access map where it has one.
    fn subscript(&mut self, offset: &mut Offset, sub: Value, stride: &Size) -> Result<(), String> {
        let Some(map) = self.source.subject.maps.affine(sub) else {
            let at = self.short(sub)?;
            offset.add(at, stride.clone());
            return Ok(());
        };
        for (axis, coefficient) in map.coeffs.iter().enumerate().filter(|(_, c)| **c != 0) {
            let (number, further) = self.number_and_rest(self.numbers[axis]);
            let factor = stride.scale(*coefficient);
            match factor.as_constant() {
                Some(_) => {
                    offset.add(number, factor.clone());
                    offset.fixed = offset.fixed.add(&factor.scale(further));
                }
                None => offset.add(self.numbers[axis], factor),
            }
        }
        for (value, coefficient) in &map.uniform {
            let at = self.short(*value)?;
            offset.add(at, stride.scale(*coefficient));
        }
        offset.fixed = offset.fixed.add(&stride.mul(&map.size));
        Ok(())
    }

    /// A number as another one and what is added to it, so that neighbours differ by what stands in the instruction.
    fn number_and_rest(&self, number: Operand) -> (Operand, i64) {
        match self.e.definition(number) {
            Some(Inst::Arith { op: Arith::Add, ty: Ty::U32, args, .. }) => match args[..] {
                [a @ Operand::Reg(_), Operand::Int(by)] => (a, by),
                _ => (number, 0),
            },
            _ => (number, 0),
        }
    }

    /// The low 32 bits of an index, or the index if it is known.
    fn short(&mut self, value: Value) -> Result<Operand, String> {
        if let Some(axis) = self.source.subject.maps.number(value) {
            return Ok(self.numbers[axis]);
        }
        match self.value(value)? {
            Operand::Int(known) => Ok(Operand::Int(known)),
            wide => Ok(self.e.convert(Ty::U32, Ty::U64, wide)),
        }
    }

    /// The address of element `number` behind an address.
    ///
    /// # Errors
    /// None that a verified module gives.
    pub fn nth(&mut self, base: Reg, element: Element, number: Operand) -> Result<(Reg, i64), String> {
        let mut offset = Offset::default();
        offset.add(number, Size::constant(1));
        self.at(base, element, &offset)
    }
}
