//! PTX instructions as data. An instruction says what it is made of; [`Inst::check`] holds the banks of its registers against its type
//! before it is taken into a body, so text that `ptxas` would refuse is not printed.

pub use crate::schedule::Axis;

/// A bank of registers. Classes up to 32 bits live in `B32`, extended by sign or with zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are PTX's")]
pub enum Bank {
    Pred,
    B32,
    B64,
    F32,
    F64,
}

impl Bank {
    /// All banks.
    pub const ALL: [Self; 5] = [Self::Pred, Self::B32, Self::B64, Self::F32, Self::F64];
}

/// A virtual register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg {
    /// Its bank.
    pub bank: Bank,
    /// Its number in the bank, from one.
    pub number: u32,
}

/// The type of an instruction, a parameter or an access to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are PTX's")]
pub enum Ty {
    Pred,
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    B32,
    U64,
    S64,
    B64,
    F32,
    F64,
}

impl Ty {
    /// The bank of registers that holds it.
    pub fn bank(self) -> Bank {
        match self {
            Self::Pred => Bank::Pred,
            Self::U8 | Self::S8 | Self::U16 | Self::S16 | Self::U32 | Self::S32 | Self::B32 => Bank::B32,
            Self::U64 | Self::S64 | Self::B64 => Bank::B64,
            Self::F32 => Bank::F32,
            Self::F64 => Bank::F64,
        }
    }

    /// `double` or `single`.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Whether integer arithmetic is done in it.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::U32 | Self::S32 | Self::U64 | Self::S64)
    }

    /// Whether its numbers have a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::S8 | Self::S16 | Self::S32 | Self::S64)
    }

    /// Whether it names bits without a meaning.
    pub fn is_bits(self) -> bool {
        matches!(self, Self::B32 | Self::B64)
    }

    /// The number that an integer of this type is, of its low bits: a word that wrapped, or is read with another sign, is another number.
    pub fn number(self, known: i64) -> i64 {
        match self {
            Self::S8 => (known as i8).into(),
            Self::U8 => (known as u8).into(),
            Self::S16 => (known as i16).into(),
            Self::U16 => (known as u16).into(),
            Self::S32 => (known as i32).into(),
            Self::U32 => (known as u32).into(),
            Self::Pred | Self::B32 | Self::F32 | Self::F64 | Self::U64 | Self::S64 | Self::B64 => known,
        }
    }

    /// Bytes in memory and among parameters.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Pred | Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::U32 | Self::S32 | Self::B32 | Self::F32 => 4,
            Self::U64 | Self::S64 | Self::B64 | Self::F64 => 8,
        }
    }
}

/// What an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// An integer, or for a predicate 0 or 1.
    Int(i64),
    /// The bits of a double.
    Double(u64),
    /// The bits of a single.
    Single(u32),
}

impl Operand {
    /// Calls `f` on the register, if it is one.
    fn reads(&self, f: &mut dyn FnMut(Reg)) {
        if let Self::Reg(reg) = self {
            f(*reg);
        }
    }

    /// Whether it can stand where a value of this type is read.
    fn fits(self, ty: Ty) -> bool {
        match self {
            Self::Reg(reg) => reg.bank == ty.bank(),
            Self::Int(_) => !ty.is_float(),
            Self::Double(_) => ty == Ty::F64,
            Self::Single(_) => ty == Ty::F32,
        }
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        Self::Reg(reg)
    }
}

/// Arithmetic with registers of one type. Of floats all round to nearest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are PTX's")]
pub enum Arith {
    Add,
    Sub,
    /// The low half of the product of integers.
    Mul,
    /// The high half.
    MulHigh,
    Div,
    Rem,
    Min,
    Max,
    Neg,
    Abs,
    Sqrt,
    Fma,
    And,
    Or,
    Xor,
    Not,
    /// The amount is of 32 bits.
    Shl,
    /// Copies the sign of a signed type.
    Shr,
    /// To a whole number: to the nearest, half to even.
    Rint,
    Floor,
    Ceil,
    Trunc,
}

impl Arith {
    fn operands(self) -> usize {
        match self {
            Self::Neg | Self::Abs | Self::Sqrt | Self::Not => 1,
            Self::Rint | Self::Floor | Self::Ceil | Self::Trunc => 1,
            Self::Fma => 3,
            _ => 2,
        }
    }

    fn allows(self, ty: Ty) -> bool {
        match self {
            Self::Add | Self::Sub | Self::Mul | Self::Div => ty.is_float() || ty.is_integer(),
            Self::MulHigh | Self::Rem | Self::Min | Self::Max => ty.is_integer(),
            Self::Neg | Self::Abs => ty.is_float() || ty.is_integer() && ty.is_signed(),
            Self::Sqrt | Self::Fma | Self::Rint | Self::Floor | Self::Ceil | Self::Trunc => ty.is_float(),
            Self::And | Self::Or | Self::Xor | Self::Not => ty == Ty::Pred || ty.is_bits(),
            Self::Shl => ty.is_bits(),
            Self::Shr => ty.is_integer(),
        }
    }
}

/// A comparison; of floats `Ne` holds of NaN and the others do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are PTX's")]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// One of the operands is NaN.
    Nan,
}

/// A special register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are PTX's")]
pub enum Special {
    Tid(Axis),
    Ntid(Axis),
    Ctaid(Axis),
    Nctaid(Axis),
}

/// A place in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label(pub u32);

/// A shared array, by its number in the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SharedArray(pub u32);

/// Where memory is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory.
    Global,
    /// Global memory that nobody writes while the kernel runs.
    Constant,
    /// Global memory that other blocks write while the kernel runs.
    Volatile,
    /// A block's shared memory.
    Shared,
}

/// An instruction. `dst` is what it defines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are the operands")]
pub enum Inst {
    /// Arithmetic.
    Arith { op: Arith, ty: Ty, dst: Reg, args: Vec<Operand> },
    /// The whole product of two 32-bit integers (`mul.wide`).
    MulWide { ty: Ty, dst: Reg, a: Operand, b: Operand },
    /// A predicate.
    Compare { op: Compare, ty: Ty, dst: Reg, a: Operand, b: Operand },
    /// `a` where the predicate holds, else `b`.
    Select { ty: Ty, dst: Reg, a: Operand, b: Operand, cond: Reg },
    /// A conversion as PTX has it: integers to floats and doubles to singles to the nearest, floats to integers towards zero.
    Convert { to: Ty, from: Ty, dst: Reg, a: Reg },
    /// A copy, also of the bits between float and integer registers of one size.
    Move { ty: Ty, dst: Reg, a: Operand },
    /// A special register.
    Special { dst: Reg, from: Special },
    /// A parameter of the entry.
    Param { ty: Ty, dst: Reg, number: u32 },
    /// A generic address as one in global memory.
    ToGlobal { dst: Reg, a: Reg },
    /// The address of a shared array.
    SharedAddress { dst: Reg, array: SharedArray },
    /// An element in memory.
    Load { space: Space, ty: Ty, dst: Reg, base: Reg, offset: i64 },
    /// Neighbouring words in global memory, at a multiple of what they take together.
    LoadVector { space: Space, ty: Ty, dsts: Vec<Reg>, base: Reg, offset: i64 },
    /// The same to memory.
    StoreVector { ty: Ty, base: Reg, offset: i64, values: Vec<Reg> },
    /// An element to memory.
    Store { space: Space, ty: Ty, base: Reg, offset: i64, value: Operand },
    /// The least of an unsigned word in global memory and a value, atomically.
    AtomicMin { base: Reg, value: Reg },
    /// The address of the entry's counters, which are 0 when it begins and when it ends.
    Counters { dst: Reg },
    /// What a counter was, which is then one more, or 0 if it was the limit; atomically.
    Count { dst: Reg, base: Reg, limit: Operand },
    /// What the thread has written before is seen by all before what it does behind.
    Fence,
    /// A byte to global memory that other threads may store too.
    Flag { base: Reg, value: Reg },
    /// The value of the lane `offset` further up in the warp.
    ShuffleDown { dst: Reg, a: Reg, offset: u32 },
    /// The value of this lane of the warp.
    ShuffleIndex { dst: Reg, a: Reg, lane: Reg },
    /// The halves of 64 bits.
    Split { low: Reg, high: Reg, a: Reg },
    /// 64 bits of two halves.
    Join { dst: Reg, low: Reg, high: Reg },
    /// Where branches go.
    Label(Label),
    /// A jump, perhaps only if a predicate has this value; `uniform` if all threads of a warp take it alike.
    Branch { to: Label, cond: Option<(Reg, bool)>, uniform: bool },
    /// Waits for all threads of the block.
    Barrier,
    /// The end of the entry.
    Return,
}

impl Inst {
    /// The registers that it defines.
    pub fn defines(&self) -> Vec<Reg> {
        let mut list = Vec::new();
        self.for_each_definition(&mut |reg| list.push(reg));
        list
    }

    /// Calls `f` on each register that it defines.
    pub fn for_each_definition(&self, f: &mut dyn FnMut(Reg)) {
        match self {
            Self::Arith { dst, .. }
            | Self::MulWide { dst, .. }
            | Self::Compare { dst, .. }
            | Self::Select { dst, .. }
            | Self::Convert { dst, .. }
            | Self::Move { dst, .. }
            | Self::Special { dst, .. }
            | Self::Param { dst, .. }
            | Self::ToGlobal { dst, .. }
            | Self::SharedAddress { dst, .. }
            | Self::Counters { dst }
            | Self::Count { dst, .. }
            | Self::Load { dst, .. }
            | Self::ShuffleDown { dst, .. }
            | Self::ShuffleIndex { dst, .. }
            | Self::Join { dst, .. } => f(*dst),
            Self::Split { low, high, .. } => {
                f(*low);
                f(*high);
            }
            Self::LoadVector { dsts, .. } => dsts.iter().for_each(|dst| f(*dst)),
            _ => {}
        }
    }

    /// The registers that it reads.
    pub fn reads(&self) -> Vec<Reg> {
        let mut list = Vec::new();
        self.for_each_read(&mut |reg| list.push(reg));
        list
    }

    /// Whether it reads a register.
    pub fn uses(&self, reg: Reg) -> bool {
        let mut found = false;
        self.for_each_read(&mut |other| found |= other == reg);
        found
    }

    /// Calls `f` on each register that it reads.
    pub fn for_each_read(&self, f: &mut dyn FnMut(Reg)) {
        match self {
            Self::Arith { args, .. } => {
                for arg in args {
                    arg.reads(f);
                }
            }
            Self::MulWide { a, b, .. } | Self::Compare { a, b, .. } => {
                a.reads(f);
                b.reads(f);
            }
            Self::Select { a, b, cond, .. } => {
                a.reads(f);
                b.reads(f);
                f(*cond);
            }
            Self::Move { a, .. } => a.reads(f),
            Self::Store { base, value, .. } => {
                f(*base);
                value.reads(f);
            }
            Self::Convert { a, .. }
            | Self::ToGlobal { a, .. }
            | Self::ShuffleDown { a, .. }
            | Self::Split { a, .. } => f(*a),
            Self::Load { base, .. } | Self::LoadVector { base, .. } => f(*base),
            Self::Count { base, limit, .. } => {
                f(*base);
                limit.reads(f);
            }
            Self::StoreVector { base, values, .. } => {
                f(*base);
                values.iter().for_each(|value| f(*value));
            }
            Self::AtomicMin { base, value: other }
            | Self::Flag { base, value: other }
            | Self::ShuffleIndex { a: base, lane: other, .. } => {
                f(*base);
                f(*other);
            }
            Self::Join { low, high, .. } => {
                f(*low);
                f(*high);
            }
            Self::Branch { cond: Some((reg, _)), .. } => f(*reg),
            _ => {}
        }
    }

    /// Whether the operands are of the kinds that the instruction takes.
    pub fn check(&self) -> bool {
        let bank = |reg: &Reg, ty: Ty| reg.bank == ty.bank();
        match self {
            Self::Arith { op, ty, dst, args } => {
                let amount = matches!(op, Arith::Shl | Arith::Shr);
                let fits = |(at, a): (usize, &Operand)| a.fits(if amount && at == 1 { Ty::U32 } else { *ty });
                op.allows(*ty) && bank(dst, *ty) && args.len() == op.operands() && args.iter().enumerate().all(fits)
            }
            Self::MulWide { ty, dst, a, b } => {
                matches!(ty, Ty::U32 | Ty::S32) && dst.bank == Bank::B64 && a.fits(*ty) && b.fits(*ty)
            }
            Self::Compare { op, ty, dst, a, b } => {
                let known = if *op == Compare::Nan { ty.is_float() } else { ty.is_float() || ty.is_integer() };
                known && dst.bank == Bank::Pred && a.fits(*ty) && b.fits(*ty)
            }
            Self::Select { ty, dst, a, b, cond } => {
                *ty != Ty::Pred && bank(dst, *ty) && a.fits(*ty) && b.fits(*ty) && cond.bank == Bank::Pred
            }
            Self::Convert { to, from, dst, a } => {
                let wide = |ty: &Ty| !matches!(ty, Ty::Pred | Ty::B32 | Ty::B64);
                wide(to) && wide(from) && to != from && bank(dst, *to) && bank(a, *from)
            }
            Self::Move { ty, dst, a } => match (ty, a) {
                (Ty::B32, Operand::Reg(a)) => half(*dst) && half(*a),
                (Ty::B64, Operand::Reg(a)) => whole(*dst) && whole(*a),
                _ => bank(dst, *ty) && a.fits(*ty),
            },
            Self::Special { dst, .. } | Self::SharedAddress { dst, .. } => dst.bank == Bank::B32,
            Self::Param { ty, dst, .. } => *ty != Ty::Pred && ty.bytes() >= 4 && bank(dst, *ty),
            Self::ToGlobal { dst, a } => dst.bank == Bank::B64 && a.bank == Bank::B64,
            Self::Load { space, ty, dst, base, .. } => addressable(*space, *ty, base) && bank(dst, *ty),
            Self::Store { space, ty, base, value, .. } => {
                matches!(space, Space::Global | Space::Shared) && addressable(*space, *ty, base) && value.fits(*ty)
            }
            Self::LoadVector { space, ty, dsts, base, .. } => {
                *space != Space::Shared && are_words(*ty, dsts) && base.bank == Bank::B64
            }
            Self::StoreVector { ty, base, values, .. } => are_words(*ty, values) && base.bank == Bank::B64,
            Self::AtomicMin { base, value } => base.bank == Bank::B64 && value.bank == Bank::B64,
            Self::Counters { dst } => dst.bank == Bank::B64,
            Self::Count { dst, base, limit } => dst.bank == Bank::B32 && base.bank == Bank::B64 && limit.fits(Ty::U32),
            Self::Flag { base, value } => base.bank == Bank::B64 && value.bank == Bank::B32,
            Self::ShuffleDown { dst, a, offset } => dst.bank == Bank::B32 && a.bank == Bank::B32 && *offset < 32,
            Self::ShuffleIndex { dst, a, lane } => [dst, a, lane].iter().all(|reg| reg.bank == Bank::B32),
            Self::Split { low, high, a } => low.bank == Bank::B32 && high.bank == Bank::B32 && a.bank == Bank::B64,
            Self::Join { dst, low, high } => low.bank == Bank::B32 && high.bank == Bank::B32 && dst.bank == Bank::B64,
            Self::Branch { cond, .. } => cond.is_none_or(|(reg, _)| reg.bank == Bank::Pred),
            Self::Label(_) | Self::Barrier | Self::Fence | Self::Return => true,
        }
    }
}

fn half(reg: Reg) -> bool {
    matches!(reg.bank, Bank::B32 | Bank::F32)
}

fn whole(reg: Reg) -> bool {
    matches!(reg.bank, Bank::B64 | Bank::F64)
}

/// One, two or four words of 32 bits.
fn are_words(ty: Ty, regs: &[Reg]) -> bool {
    let known = matches!(ty, Ty::B32 | Ty::F32) && matches!(regs.len(), 1 | 2 | 4);
    known && regs.iter().all(|reg| reg.bank == ty.bank())
}

fn addressable(space: Space, ty: Ty, base: &Reg) -> bool {
    match space {
        Space::Shared => base.bank == Bank::B32 && ty.bytes() >= 4,
        Space::Global | Space::Constant | Space::Volatile => base.bank == Bank::B64 && ty != Ty::Pred,
    }
}
