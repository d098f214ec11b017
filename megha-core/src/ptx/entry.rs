//! An entry while it is written: its emitter, its parameters, and what is known of the kernel's values.

use crate::hash::{HashMap, HashSet};

use super::class;
use super::emit::Emitter;
use super::inst::{Arith, Compare, Label, Operand, Reg, Ty};
use super::print::EntryCode;
use super::scalar;
use super::unrolled::Steps;
use crate::ir::{Loc, Op, Out, ReduceOp, Size, Stmt, Sym, SymDef, Type, Value};
use crate::schedule::footprint::{Footprint, expression, footprint};
use crate::schedule::order::{Memory, strides};
use crate::schedule::{LoopId, Optimisations, Subject};
use megha_base::access::AccessMap;
use megha_base::plan::{Array, Bound, Check, Element, Param, Role, STRIDES, SizeExpr, Stride};

/// A kernel with what its entries share.
pub struct Source<'f> {
    /// The kernel.
    pub subject: Subject<'f>,
    /// What defines the function's values.
    defs: &'f HashMap<Value, &'f Op>,
    /// The values that the body defines.
    inside: HashSet<Value>,
    /// The arrays that it touches, out-variables first.
    pub arrays: Vec<Array>,
    /// Their types.
    pub types: Vec<Type>,
    /// What it does with which of their elements.
    pub accesses: Vec<AccessMap>,
    /// By which their code is made.
    pub optimisations: Optimisations,
}

impl<'f> Source<'f> {
    /// Looks at a kernel. `defs` are the definitions of the function's values.
    ///
    /// # Errors
    /// An array of a class that devices do not have.
    pub fn new(
        subject: Subject<'f>,
        defs: &'f HashMap<Value, &'f Op>,
        optimisations: Optimisations,
    ) -> Result<Self, String> {
        let is_tested = subject.is_tested();
        let Subject { func, stmt, kernel, .. } = subject;
        let mut inside = HashSet::default();
        kernel.body.defined(&mut inside);
        let (arrays, types) = (Vec::new(), Vec::new());
        let Footprint { arrays: values, maps: accesses } = footprint(func, stmt, kernel, defs);
        let mut source = Self { subject, defs, inside, arrays, types, accesses, optimisations };
        for (out, result) in kernel.outs.iter().zip(&stmt.results) {
            let role = match out {
                Out::Fresh => Role::Fresh,
                Out::Update(from) => Role::Update(from.index()),
                Out::Reduce(op, _) if is_tested => Role::Flag(*op == ReduceOp::All),
                Out::Reduce(..) => Role::Reduced,
            };
            source.add_array(*result, role)?;
        }
        values[kernel.outs.len()..].iter().try_for_each(|value| source.add_array(*value, Role::In))?;
        Ok(source)
    }

    fn add_array(&mut self, value: Value, role: Role) -> Result<(), String> {
        let ty = self.subject.func.ty(value);
        self.arrays.push(Array {
            value: value.index(),
            name: self.subject.func.name_of(value),
            element: class::element(ty.class)?,
            dims: ty.dims.iter().map(expression).collect(),
            role,
        });
        self.types.push(ty.clone());
        Ok(())
    }

    /// The number of the in-variable that is this value.
    pub fn in_variable(&self, value: Value) -> Option<usize> {
        self.arrays.iter().position(|a| a.role == Role::In && a.value == value.index())
    }

    /// Whether nothing in the kernel writes the array.
    pub fn is_constant(&self, array: usize) -> bool {
        let updated = |a: &Array| a.role == Role::Update(self.arrays[array].value);
        self.arrays[array].role == Role::In && !self.arrays.iter().any(updated)
    }

    /// Whether a symbol's value is known before the kernel.
    pub fn is_outside(&self, sym: Sym) -> bool {
        sym.index() >= STRIDES || self.subject.func.symbols.is_known(sym, &|value| !self.inside.contains(&value))
    }
}

/// One entry of a kernel.
pub struct Entry<'s, 'f> {
    /// The kernel.
    pub source: &'s Source<'f>,
    /// The order of its arrays in memory.
    pub memory: Memory,
    /// Its instructions.
    pub e: Emitter,
    /// What its parameters are.
    pub params: Vec<Param>,
    /// The places of these among all that the emitter has declared, which may be those of other kernels too.
    pub slots: Vec<u32>,
    /// Arrays of which a row is kept in shared memory, by number.
    pub kept: HashMap<usize, Kept>,
    /// The strides of arrays, which are symbols of its sizes from number [`STRIDES`] on.
    pub strides: Vec<Stride>,
    /// The iteration numbers, in 32 bits (see [`super::grid`]).
    pub numbers: Vec<Operand>,
    /// Where an iteration ends that ends early.
    pub next: Label,
    /// What can fail.
    pub checks: Vec<Check>,
    /// Loops of the body of which some iterations are written out, and how many.
    pub unrolled: Vec<(LoopId, u32)>,
    /// Where the iterations of such a loop find their elements, while they are written.
    pub steps: Option<Steps>,
    /// What loops that are being written have read in front of them ([`crate::schedule::invariant`]).
    pub in_front: Vec<Value>,
    /// While a row of some steps at once is written: the loads whose values are there already, and where what the body stores goes.
    pub held: Option<(Vec<Value>, (Reg, Ty))>,
    /// What the iteration contributes to each out-variable that is reduced.
    pub contributions: HashMap<usize, Operand>,
    values: HashMap<Value, Operand>,
    registers: HashMap<Key, Reg>,
}

/// A row of an array in shared memory.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// Where it begins.
    pub base: Operand,
    /// The dimension that counts rows.
    pub dim: usize,
}

/// What is known at a point that is computed together with others.
#[derive(Clone)]
pub struct Known {
    numbers: Vec<Operand>,
    values: HashMap<Value, Operand>,
}

/// A finished entry.
pub struct Finished {
    /// Its code.
    pub code: EntryCode,
    /// What its parameters are.
    pub params: Vec<Param>,
    /// The strides that these mention.
    pub strides: Vec<Stride>,
    /// What can fail.
    pub checks: Vec<Check>,
}

/// What a parameter is, as a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Array(usize),
    Partials(usize),
    /// With the type in which it is read.
    Size(SizeExpr, Ty),
    /// What bounds the part that a launch computes.
    Bound(Bound),
    Scalar(Value),
    Fault,
}

impl<'s, 'f> Entry<'s, 'f> {
    /// An entry without instructions.
    pub fn new(source: &'s Source<'f>, memory: Memory) -> Self {
        let mut e = Emitter::new(source.optimisations);
        let next = e.label();
        let numbers = vec![Operand::Int(0); source.subject.kernel.domain.len()];
        Self {
            source,
            memory,
            e,
            params: Vec::new(),
            slots: Vec::new(),
            kept: HashMap::default(),
            strides: Vec::new(),
            numbers,
            next,
            checks: Vec::new(),
            unrolled: Vec::new(),
            steps: None,
            in_front: Vec::new(),
            held: None,
            contributions: HashMap::default(),
            values: HashMap::default(),
            registers: HashMap::default(),
        }
    }

    /// The finished code.
    ///
    /// # Errors
    /// A malformed instruction.
    pub fn finish(self) -> Result<Finished, String> {
        let Self { params, strides, checks, .. } = self;
        Ok(Finished { code: self.e.finish()?, params, strides, checks })
    }

    /// The address of an array.
    pub fn array(&mut self, array: usize) -> Reg {
        self.parameter(Key::Array(array), Param::Array(array), None)
    }

    /// The address of the partial results of a reduction.
    pub fn partials(&mut self, array: usize) -> Reg {
        self.parameter(Key::Partials(array), Param::Partials(array), None)
    }

    /// The address of the word for failed checks.
    fn fault(&mut self) -> Reg {
        self.parameter(Key::Fault, Param::Fault, None)
    }

    /// The register of a parameter; an address if no type is given.
    fn parameter(&mut self, key: Key, param: Param, ty: Option<Ty>) -> Reg {
        if let Some(reg) = self.registers.get(&key) {
            return *reg;
        }
        let reg = match ty {
            Some(ty) => self.e.param(ty),
            None => self.e.address_param(),
        };
        self.note(param);
        self.registers.insert(key, reg);
        reg
    }

    /// Says what the parameter is that was declared last; gives its number.
    fn note(&mut self, param: Param) -> u32 {
        let number = self.e.declared() - 1;
        self.params.push(param);
        self.slots.push(number);
        number
    }

    /// A parameter that is a size, read in this type.
    fn size_parameter(&mut self, size: &Size, ty: Ty) -> Reg {
        let expr = expression(size);
        let key = Key::Size(expr.clone(), ty);
        if let Some(reg) = self.registers.get(&key) {
            return *reg;
        }
        let param = Param::Size(expr);
        let number = match self.params.iter().position(|p| *p == param) {
            Some(number) => self.slots[number],
            None => {
                self.e.declare(Ty::S64);
                self.note(param)
            }
        };
        let reg = self.e.read(ty, number);
        self.registers.insert(key, reg);
        reg
    }

    /// A number that bounds the part which a launch computes, in 32 bits.
    pub fn bound(&mut self, bound: Bound) -> Operand {
        let key = Key::Bound(bound.clone());
        if let Some(reg) = self.registers.get(&key) {
            return (*reg).into();
        }
        self.e.declare(Ty::S64);
        let number = self.note(Param::Bound(bound));
        let reg = self.e.read(Ty::U32, number);
        self.registers.insert(key, reg);
        reg.into()
    }

    /// The iterations of loops together in the part that a launch computes.
    pub fn count(&mut self, loops: &[usize]) -> Operand {
        if loops.is_empty() { Operand::Int(1) } else { self.bound(Bound::Count(loops.to_vec())) }
    }

    /// How far apart neighbours along each dimension of an array lie: numbers that are known, or strides.
    pub fn strides(&mut self, array: usize) -> Vec<Size> {
        let dims = &self.source.types[array].dims;
        let known = strides(&self.source.types[array], self.memory);
        let stride = |(axis, size): (usize, Size)| {
            if size.as_constant().is_some() || dims[axis].is_one() {
                return size;
            }
            let faster = match self.memory {
                Memory::ColumnMajor => &dims[..axis],
                Memory::RowMajor => &dims[axis + 1..],
            };
            let faster = Stride { faster: faster.iter().filter(|d| !d.is_one()).map(expression).collect() };
            let number = self.strides.iter().position(|own| *own == faster).unwrap_or_else(|| {
                self.strides.push(faster);
                self.strides.len() - 1
            });
            Size::sym(Sym::new(STRIDES + number))
        };
        known.into_iter().enumerate().map(stride).collect()
    }

    /// The low 32 bits of a size.
    ///
    /// # Errors
    /// A symbol that is not defined here.
    pub fn short_size(&mut self, size: &Size) -> Result<Operand, String> {
        if size.as_constant().is_none() && size.symbols().all(|s| self.source.is_outside(s)) {
            return Ok(self.size_parameter(size, Ty::U32).into());
        }
        let wide = self.size(size)?;
        Ok(self.e.convert(Ty::U32, Ty::U64, wide))
    }

    /// The number of an iteration along an axis of the domain.
    fn number(&mut self, axis: usize) -> Operand {
        let number = self.numbers[axis];
        self.e.convert(Ty::S64, Ty::U32, number)
    }

    /// The value of a size: a number, a parameter, or computed where symbols stand for values of the body.
    ///
    /// # Errors
    /// A symbol that is not defined here.
    pub fn size(&mut self, size: &Size) -> Result<Operand, String> {
        if let Some(known) = size.as_constant() {
            return Ok(Operand::Int(known));
        }
        if size.symbols().all(|s| self.source.is_outside(s)) {
            return Ok(self.size_parameter(size, Ty::S64).into());
        }
        let mut outer = Size::default();
        let mut inner: Vec<(Vec<Sym>, Size)> = Vec::new();
        for (monomial, coefficient) in size.terms() {
            let (known, own): (Vec<Sym>, Vec<Sym>) = monomial.iter().partition(|s| self.source.is_outside(**s));
            let factor = known.iter().fold(Size::constant(coefficient), |p, s| p.mul(&Size::sym(*s)));
            match inner.iter_mut().find(|(symbols, _)| *symbols == own) {
                _ if own.is_empty() => outer = outer.add(&factor),
                Some((_, so_far)) => *so_far = so_far.add(&factor),
                None => inner.push((own, factor)),
            }
        }
        let mut sum = self.size(&outer)?;
        for (symbols, factor) in inner {
            let mut product = self.size(&factor)?;
            for symbol in symbols {
                let value = self.symbol(symbol)?;
                product = self.e.arith(Arith::Mul, Ty::S64, &[value, product]);
            }
            sum = self.e.arith(Arith::Add, Ty::S64, &[product, sum]);
        }
        Ok(sum)
    }

    /// The value of a symbol that the body defines.
    fn symbol(&mut self, sym: Sym) -> Result<Operand, String> {
        let (op, a, b) = match &self.source.subject.func.symbols.get(sym).def {
            SymDef::Value(value) => return self.value(*value),
            SymDef::Dim(..) => return self.size(&Size::sym(sym)),
            SymDef::Max(a, b) => (crate::ir::Binary::Max, a, b),
            SymDef::Min(a, b) => (crate::ir::Binary::Min, a, b),
            SymDef::FloorDiv(a, b) => (crate::ir::Binary::Div, a, b),
        };
        let (a, b) = (self.size(a)?, self.size(b)?);
        super::integer::index_binary(&mut self.e, op, a, b).ok_or_else(|| "a size that is not computed".into())
    }

    /// Where a value is.
    ///
    /// # Errors
    /// It is an array, or text.
    pub fn value(&mut self, value: Value) -> Result<Operand, String> {
        if let Some(found) = self.values.get(&value) {
            return Ok(*found);
        }
        if let Some(axis) = self.source.subject.maps.number(value) {
            return Ok(self.number(axis));
        }
        let class = self.source.subject.func.ty(value).class;
        match self.source.defs.get(&value) {
            Some(Op::Const(known)) => return scalar::constant(known, class),
            Some(Op::Size(size)) => return self.size(size),
            _ => {}
        }
        let element = class::element(class)?;
        let ty = class::parameter(element);
        let reg = self.parameter(Key::Scalar(value), Param::Scalar(value.index(), element), Some(ty));
        Ok(match element {
            Element::Bool => self.e.compare(Compare::Ne, ty, reg.into(), Operand::Int(0)),
            _ => reg.into(),
        })
    }

    /// Says where a value is.
    pub fn define(&mut self, value: Value, at: Operand) {
        self.values.insert(value, at);
    }

    /// What is known now, with these numbers of loops.
    pub fn known_at(&self, numbers: Vec<Operand>) -> Known {
        Known { numbers, values: self.values.clone() }
    }

    /// Code of a point, which knows what it has computed before.
    pub fn at_point<T>(&mut self, point: &mut Known, body: impl FnOnce(&mut Self) -> T) -> T {
        let mut swap = |entry: &mut Self| {
            std::mem::swap(&mut entry.numbers, &mut point.numbers);
            std::mem::swap(&mut entry.values, &mut point.values);
        };
        swap(self);
        let done = body(self);
        swap(self);
        done
    }

    /// Code of another iteration, with its numbers and these of its values; what the body defines is forgotten.
    ///
    /// # Errors
    /// Those of the body.
    pub fn in_place_of(
        &mut self,
        numbers: &[Operand],
        known: &[(Value, Operand)],
        body: &mut dyn FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        let own = (std::mem::replace(&mut self.numbers, numbers.to_vec()), self.values.clone());
        self.values.extend(known.iter().copied());
        let done = body(self);
        (self.numbers, self.values) = own;
        done
    }

    /// Emits a pure scalar operation.
    ///
    /// # Errors
    /// The operation has no PTX.
    pub fn scalar(&mut self, stmt: &Stmt) -> Result<Operand, String> {
        let func = self.source.subject.func;
        let mut operands = Vec::new();
        stmt.op.for_each_operand(&mut |v| operands.push(v));
        let mut known = HashMap::default();
        for value in operands {
            known.insert(value, self.value(value)?);
        }
        let get = |v: Value| known.get(&v).copied().ok_or_else(|| "an operand is missing".to_owned());
        scalar::operation(&mut self.e, func, &stmt.op, func.ty(stmt.results[0]).class, &get)
    }

    /// What an iteration says of whether something holds for all or for any: it stores the opposite of what the flag begins as, if it decides. All that
    /// do store the same, so their order cannot matter.
    pub fn flag(&mut self, out: usize, start: bool, holds: Operand) {
        let (goes_on, base) = (self.e.label(), self.array(out));
        self.e.jump_if(holds, start, goes_on);
        self.e.open();
        let value = self.e.in_reg(Ty::U32, Operand::Int(i64::from(!start)));
        self.e.push(super::inst::Inst::Flag { base, value });
        self.e.close();
        self.e.place(goes_on);
    }

    /// Ends the iteration with a fault unless the condition holds.
    ///
    /// # Errors
    /// More checks than can be numbered.
    pub fn check(&mut self, holds: Operand, loc: Loc, text: &str) -> Result<(), String> {
        let id = self.checks.len() as i64;
        if id >= 1 << ID_BITS {
            return Err(format!("more than {} checks in one kernel", 1 << ID_BITS));
        }
        self.checks.push(Check { place: loc.index(), text: text.to_owned() });
        let (fine, word) = (self.e.label(), self.fault());
        self.e.jump_if(holds, true, fine);
        self.e.open();
        let mut number = Operand::Int(0);
        let mut stride = Size::constant(1);
        for axis in 0..self.numbers.len() {
            let by = self.size(&stride)?;
            let at = self.number(axis);
            let term = self.e.arith(Arith::Mul, Ty::S64, &[at, by]);
            number = self.e.arith(Arith::Add, Ty::S64, &[term, number]);
            stride = stride.mul(&self.source.subject.kernel.domain[axis]);
        }
        let high = self.e.arith(Arith::Mul, Ty::S64, &[number, Operand::Int(1 << ID_BITS)]);
        let both = self.e.arith(Arith::Add, Ty::S64, &[high, Operand::Int(id)]);
        let value = self.e.in_reg(Ty::S64, both);
        self.e.push(super::inst::Inst::AtomicMin { base: word, value });
        self.e.jump(self.next);
        self.e.close();
        self.e.place(fine);
        Ok(())
    }
}

/// Bits that number the checks of one kernel, as `megha_rt::fault` has them.
const ID_BITS: u32 = 12;
