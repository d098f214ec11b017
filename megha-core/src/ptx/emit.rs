//! The emitter: takes instructions in order, numbers registers and labels, and computes nothing twice.
//!
//! Pure instructions are value-numbered: an equal one that dominates is used again. Registers are assigned more than once where
//! control joins (carried values of loops, results of branches) and where a sum is folded. A loop opens a scope after its registers' first
//! assignment and before their first use, and an assignment forgets what was computed of the register before, so a number never
//! outlives the value it stands for.

use crate::hash::{HashMap, HashSet};

use super::inst::{Arith, Bank, Compare, Inst, Label, Operand, Reg, SharedArray, Ty};
use super::print::EntryCode;
use crate::schedule::{Optimisation, Optimisations};
use megha_base::plan::THREADS;

/// An entry while it is written.
#[derive(Default)]
pub struct Emitter {
    /// Threads of a block at most.
    pub threads: u32,
    /// By which the code is made.
    pub optimisations: Optimisations,
    /// Instructions at the start of the entry: parameters.
    head: Vec<Inst>,
    body: Vec<Inst>,
    params: Vec<Ty>,
    shared: Vec<u64>,
    /// The last number of each bank.
    registers: [u32; Bank::ALL.len()],
    labels: u32,
    /// What is computed already; the instructions with the first register of their bank as destination.
    numbered: HashMap<Inst, Reg>,
    /// The same by the registers; some of it may have been forgotten since.
    computed: HashMap<Reg, Inst>,
    /// The registers of what each scope has added to it.
    scopes: Vec<Vec<Reg>>,
    /// The registers that have been assigned.
    assigned: HashSet<Reg>,
    /// The first instruction whose operands do not fit it.
    malformed: Option<Inst>,
}

impl Emitter {
    /// Nothing is written yet.
    pub fn new(optimisations: Optimisations) -> Self {
        Self { threads: THREADS, optimisations, scopes: vec![Vec::new()], ..Self::default() }
    }

    /// The finished entry.
    ///
    /// # Errors
    /// An instruction was malformed: a mistake of the code generator.
    pub fn finish(mut self) -> Result<EntryCode, String> {
        if let Some(inst) = self.malformed {
            return Err(format!("a malformed instruction, which is a mistake in Megha: {inst:?}"));
        }
        self.body.push(Inst::Return);
        self.head.append(&mut self.body);
        let removes = self.optimisations.has(Optimisation::Dead);
        let insts = if removes { super::dead::without(self.head) } else { self.head };
        Ok(EntryCode { params: self.params, shared: self.shared, insts, threads: self.threads })
    }

    /// A new register.
    pub fn reg(&mut self, bank: Bank) -> Reg {
        let number = &mut self.registers[bank as usize];
        *number += 1;
        Reg { bank, number: *number }
    }

    /// A new label, not yet placed.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    /// Appends an instruction.
    pub fn push(&mut self, inst: Inst) {
        if !inst.check() && self.malformed.is_none() {
            self.malformed = Some(inst.clone());
        }
        self.body.push(inst);
    }

    /// A new parameter; its number.
    pub fn declare(&mut self, ty: Ty) -> u32 {
        self.params.push(ty);
        self.params.len() as u32 - 1
    }

    /// How many parameters are declared.
    pub fn declared(&self) -> u32 {
        self.params.len() as u32
    }

    /// Reads a parameter at the start; of an integer of 64 bits also the low half.
    pub fn read(&mut self, ty: Ty, number: u32) -> Reg {
        let dst = self.reg(ty.bank());
        self.head.push(Inst::Param { ty, dst, number });
        dst
    }

    /// A new parameter; its value is read at the start.
    pub fn param(&mut self, ty: Ty) -> Reg {
        let number = self.declare(ty);
        self.read(ty, number)
    }

    /// A new parameter that is an address in global memory.
    pub fn address_param(&mut self) -> Reg {
        let a = self.param(Ty::U64);
        let dst = self.reg(Bank::B64);
        self.head.push(Inst::ToGlobal { dst, a });
        dst
    }

    /// A shared array of so many bytes.
    pub fn shared(&mut self, bytes: u64) -> SharedArray {
        self.shared.push(bytes);
        SharedArray(self.shared.len() as u32 - 1)
    }

    /// Enters a part of the code that does not dominate what follows it.
    pub fn open(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Leaves it.
    pub fn close(&mut self) {
        for reg in self.scopes.pop().unwrap_or_default() {
            if let Some(inst) = self.computed.get(&reg) {
                self.numbered.remove(inst);
            }
        }
    }

    /// The value of a pure instruction; `make` is given its destination.
    pub fn pure(&mut self, bank: Bank, make: impl Fn(Reg) -> Inst) -> Reg {
        let key = make(Reg { bank, number: 0 });
        if let Some(found) = self.numbered.get(&key).filter(|_| self.optimisations.has(Optimisation::Numbering)) {
            return *found;
        }
        let dst = self.reg(bank);
        self.push(make(dst));
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(dst);
        }
        self.computed.insert(dst, key.clone());
        self.numbered.insert(key, dst);
        dst
    }

    /// The pure instruction that gives a register its value, with operands that still have theirs.
    pub(super) fn definition(&self, a: Operand) -> Option<&Inst> {
        let Operand::Reg(reg) = a else { return None };
        self.computed.get(&reg).filter(|inst| self.numbered.get(*inst) == Some(&reg))
    }

    /// Arithmetic; on known integers it is done here.
    pub fn arith(&mut self, op: Arith, ty: Ty, args: &[Operand]) -> Operand {
        match folded(op, ty, args) {
            Some(known) => known,
            None => self.pure(ty.bank(), |dst| Inst::Arith { op, ty, dst, args: args.to_vec() }).into(),
        }
    }

    /// The full product of 32-bit integers.
    pub fn mul_wide(&mut self, ty: Ty, a: Operand, b: Operand) -> Operand {
        self.pure(Bank::B64, |dst| Inst::MulWide { ty, dst, a, b }).into()
    }

    /// A comparison.
    pub fn compare(&mut self, op: Compare, ty: Ty, a: Operand, b: Operand) -> Operand {
        if let (Operand::Int(a), Operand::Int(b)) = (a, b)
            && (ty.is_signed() || ty == Ty::U32)
        {
            let (a, b) = (ty.number(a), ty.number(b));
            let holds = match op {
                Compare::Eq => a == b,
                Compare::Ne => a != b,
                Compare::Lt => a < b,
                Compare::Le => a <= b,
                Compare::Gt => a > b,
                Compare::Ge => a >= b,
                Compare::Nan => false,
            };
            return Operand::Int(holds.into());
        }
        self.pure(Bank::Pred, |dst| Inst::Compare { op, ty, dst, a, b }).into()
    }

    /// `a` where the condition holds, else `b`; of any type.
    pub fn select(&mut self, ty: Ty, cond: Operand, a: Operand, b: Operand) -> Operand {
        let cond = match cond {
            Operand::Int(holds) => return if holds != 0 { a } else { b },
            Operand::Reg(cond) => cond,
            _ => return self.reject(ty),
        };
        if a == b {
            return a;
        }
        if ty != Ty::Pred {
            return self.pure(ty.bank(), |dst| Inst::Select { ty, dst, a, b, cond }).into();
        }
        let otherwise = self.not(cond.into());
        let yes = self.and(cond.into(), a);
        let no = self.and(otherwise, b);
        self.or(yes, no)
    }

    /// Notes a mistake of the generator.
    fn reject(&mut self, ty: Ty) -> Operand {
        let dst = self.reg(ty.bank());
        let broken = Inst::Select { ty, dst, a: dst.into(), b: dst.into(), cond: Reg { bank: Bank::B32, number: 0 } };
        self.push(broken);
        dst.into()
    }

    /// Both.
    pub fn and(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (Operand::Int(0), _) | (_, Operand::Int(0)) => Operand::Int(0),
            (Operand::Int(_), other) | (other, Operand::Int(_)) => other,
            _ => self.arith(Arith::And, Ty::Pred, &[a, b]),
        }
    }

    /// One or both.
    pub fn or(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (Operand::Int(0), other) | (other, Operand::Int(0)) => other,
            (Operand::Int(_), _) | (_, Operand::Int(_)) => Operand::Int(1),
            _ => self.arith(Arith::Or, Ty::Pred, &[a, b]),
        }
    }

    /// One but not both.
    pub fn xor(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (Operand::Int(0), other) | (other, Operand::Int(0)) => other,
            (Operand::Int(_), other) | (other, Operand::Int(_)) => self.not(other),
            _ => self.arith(Arith::Xor, Ty::Pred, &[a, b]),
        }
    }

    /// The opposite.
    pub fn not(&mut self, a: Operand) -> Operand {
        match a {
            Operand::Int(holds) => Operand::Int((holds == 0).into()),
            _ => self.arith(Arith::Not, Ty::Pred, &[a]),
        }
    }

    /// A conversion as PTX does it.
    pub fn convert(&mut self, to: Ty, from: Ty, a: Operand) -> Operand {
        if to == from {
            return a;
        }
        if let (Operand::Int(known), true, true) = (a, to.is_integer(), from.is_integer()) {
            return Operand::Int(to.number(from.number(known)));
        }
        let a = self.in_reg(from, a);
        self.pure(to.bank(), |dst| Inst::Convert { to, from, dst, a }).into()
    }

    /// The bits of a register in another bank of the same width.
    pub fn reinterpret(&mut self, to: Ty, a: Operand) -> Operand {
        match (a, to) {
            (Operand::Double(bits), Ty::S64) => Operand::Int(bits as i64),
            (Operand::Int(bits), Ty::F64) => Operand::Double(bits as u64),
            (Operand::Single(bits), Ty::U32) => Operand::Int(bits.into()),
            (Operand::Int(bits), Ty::F32) => Operand::Single(bits as u32),
            _ => {
                let ty = if to.bytes() == 8 { Ty::B64 } else { Ty::B32 };
                self.pure(to.bank(), |dst| Inst::Move { ty, dst, a }).into()
            }
        }
    }

    /// A value that is moved between lanes in words of 32 bits.
    pub fn moved(&mut self, ty: Ty, value: Operand, word: &mut dyn FnMut(&mut Self, Reg) -> Reg) -> Operand {
        match ty {
            Ty::Pred => {
                let bit = self.select(Ty::U32, value, Operand::Int(1), Operand::Int(0));
                let bit = self.in_reg(Ty::U32, bit);
                let moved = word(self, bit);
                self.compare(Compare::Ne, Ty::U32, moved.into(), Operand::Int(0))
            }
            ty if ty.bank() == Bank::B32 || ty == Ty::F32 => {
                let bits = if ty == Ty::F32 { self.reinterpret(Ty::U32, value) } else { value };
                let bits = self.in_reg(Ty::U32, bits);
                let moved = word(self, bits).into();
                if ty == Ty::F32 { self.reinterpret(Ty::F32, moved) } else { moved }
            }
            ty => {
                let bits = if ty == Ty::F64 { self.reinterpret(Ty::S64, value) } else { value };
                let a = self.in_reg(Ty::S64, bits);
                let [low, high] = [0, 1].map(|_| self.reg(Bank::B32));
                self.push(Inst::Split { low, high, a });
                let (low, high) = (word(self, low), word(self, high));
                let moved = self.pure(Bank::B64, |dst| Inst::Join { dst, low, high }).into();
                if ty == Ty::F64 { self.reinterpret(Ty::F64, moved) } else { moved }
            }
        }
    }

    /// The value in a register.
    pub fn in_reg(&mut self, ty: Ty, a: Operand) -> Reg {
        match a {
            Operand::Reg(reg) => reg,
            _ => self.pure(ty.bank(), |dst| Inst::Move { ty: plain(ty), dst, a }),
        }
    }

    /// Assigns a register where control joins.
    pub fn assign(&mut self, ty: Ty, dst: Reg, a: Operand) {
        if a == Operand::Reg(dst) {
            return;
        }
        if !self.assigned.insert(dst) {
            self.numbered.retain(|inst, _| !inst.uses(dst));
        }
        self.push(Inst::Move { ty: plain(ty), dst, a });
    }

    /// Adds to an address, in place.
    pub fn advance(&mut self, address: Reg, by: Operand) {
        self.numbered.retain(|inst, _| !inst.uses(address));
        self.push(Inst::Arith { op: Arith::Add, ty: Ty::S64, dst: address, args: vec![address.into(), by] });
    }

    /// Places a label.
    pub fn place(&mut self, at: Label) {
        self.push(Inst::Label(at));
    }

    /// Jumps.
    pub fn jump(&mut self, to: Label) {
        self.push(Inst::Branch { to, cond: None, uniform: true });
    }

    /// Jumps where a predicate has this value.
    pub fn jump_if(&mut self, cond: Operand, value: bool, to: Label) {
        match cond {
            Operand::Int(holds) if (holds != 0) == value => self.jump(to),
            Operand::Int(_) => {}
            _ => {
                let cond = self.in_reg(Ty::Pred, cond);
                self.push(Inst::Branch { to, cond: Some((cond, value)), uniform: false });
            }
        }
    }
}

/// The type of a move.
fn plain(ty: Ty) -> Ty {
    match ty {
        Ty::Pred | Ty::F32 | Ty::F64 => ty,
        ty if ty.bank() == Bank::B64 => Ty::B64,
        _ => Ty::B32,
    }
}

/// Arithmetic on integers that are known, the sign of floats that are, and what changes nothing.
fn folded(op: Arith, ty: Ty, args: &[Operand]) -> Option<Operand> {
    match (op, args) {
        (Arith::Neg, [Operand::Double(bits)]) => return Some(Operand::Double(bits ^ 1 << 63)),
        (Arith::Neg, [Operand::Single(bits)]) => return Some(Operand::Single(bits ^ 1 << 31)),
        _ => {}
    }
    if !matches!(ty, Ty::S64 | Ty::B64 | Ty::U32) {
        return None;
    }
    // Of sums and products the low half is that of the halves; which of two numbers is the greater takes both as this type has them.
    let int = |x: i64| Some(Operand::Int(ty.number(x)));
    let number = |x: &i64| ty.number(*x);
    match (op, args) {
        (Arith::Add, [Operand::Int(a), Operand::Int(b)]) => int(a.wrapping_add(*b)),
        (Arith::Sub, [Operand::Int(a), Operand::Int(b)]) => int(a.wrapping_sub(*b)),
        (Arith::Mul, [Operand::Int(a), Operand::Int(b)]) => int(a.wrapping_mul(*b)),
        (Arith::Min, [Operand::Int(a), Operand::Int(b)]) => int(number(a).min(number(b))),
        (Arith::Max, [Operand::Int(a), Operand::Int(b)]) => int(number(a).max(number(b))),
        (Arith::Neg, [Operand::Int(a)]) => int(a.wrapping_neg()),
        (Arith::And, [Operand::Int(a), Operand::Int(b)]) => int(a & b),
        (Arith::Or, [Operand::Int(a), Operand::Int(b)]) => int(a | b),
        (Arith::Xor, [Operand::Int(a), Operand::Int(b)]) => int(a ^ b),
        (Arith::Add, [a, Operand::Int(0)] | [Operand::Int(0), a]) => Some(*a),
        (Arith::Sub | Arith::Shl | Arith::Shr, [a, Operand::Int(0)]) => Some(*a),
        (Arith::Mul, [a, Operand::Int(1)] | [Operand::Int(1), a]) => Some(*a),
        (Arith::Mul, [_, Operand::Int(0)] | [Operand::Int(0), _]) => int(0),
        _ => None,
    }
}
