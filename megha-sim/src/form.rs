//! The internal form: what [`decode`](crate::decode) makes of a module and [`exec`](crate::exec) runs.
//!
//! Every value operand is a *slot* of the warp's register file, 32 lanes of 64 bits each. Constants, special registers and
//! addresses of variables have slots of their own that are filled before the function runs, so instructions know one kind of
//! operand only. Narrower values stand in the low bits, the others zero. Predicates are bits of 32-bit masks in a file of their own, in
//! which slot 0 is always true.

use crate::alu::{Fn1, Fn2, Fn3, Test};
use crate::ptx::syntax::{Space, Variable};
use crate::ptx::types::Type;

/// A slot of the register file.
pub(crate) type Slot = u32;

/// A position in the code of a function.
pub(crate) type Pc = u32;

/// Where control paths meet only at the end of the function.
pub(crate) const NEVER: Pc = Pc::MAX;

/// A predicate operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pred {
    pub index: u32,
    pub negated: bool,
}

impl Pred {
    /// True in all lanes.
    pub(crate) const TRUE: Pred = Pred { index: 0, negated: false };
}

/// An address operand: the value of a slot plus an offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub base: Slot,
    pub offset: i64,
}

/// How a loaded value fills its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// The type in memory.
    pub ty: Type,
    /// The width of the register in bits, to which signed values are extended.
    pub register: u32,
}

/// How to combine truth values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
}

/// `shfl` modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// `vote` modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// An atomic operation: the new value from the old one and two operands.
pub(crate) type Update = fn(u64, u64, u64) -> u64;

/// A function of four registers, lane by lane.
pub(crate) type Scalar4 = fn(u64, u64, u64, u64) -> u64;

/// Values that a block or a lane has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    Lane,
    Warp,
    Warps,
    /// `%lanemask_lt` and the like: the mask of the lanes from so many to so many after this one.
    LanesBetween(i32, i32),
    /// The same for all lanes of the device, always 0 here: `%smid`, `%gridid`.
    Zero,
    DynamicShared,
}

/// A slot that is filled before a function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fixed {
    Bits(u64),
    /// The address of a variable of the module, by number.
    Variable(usize),
    /// An offset in the local memory of the frame.
    Local(u32),
    Special(Special),
}

/// Where the argument of a call, or a formal parameter, lives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Slot(Slot),
    Local {
        offset: u32,
        bytes: u32,
    },
    /// A result that is not wanted.
    Nowhere,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Map1 {
        f: Fn1,
        d: Slot,
        a: Slot,
    },
    Map2 {
        f: Fn2,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Map3 {
        f: Fn3,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    /// The few instructions of four operands: `bfi`, `lop3`.
    Map4 {
        f: Scalar4,
        d: Slot,
        operands: [Slot; 4],
    },
    /// Integer `div` or `rem`, whose divisor must not be 0.
    Divide {
        f: Fn2,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// `setp`: `p = (a ? b) combine c`, `q = !(a ? b) combine c`.
    Test {
        f: Test,
        a: Slot,
        b: Slot,
        combine: Option<(Logic, Pred)>,
        p: Option<u32>,
        q: Option<u32>,
    },
    /// `set`: `yes` where the test holds, else 0.
    Set {
        f: Test,
        a: Slot,
        b: Slot,
        combine: Option<(Logic, Pred)>,
        d: Slot,
        yes: u64,
    },
    Select {
        d: Slot,
        a: Slot,
        b: Slot,
        p: Pred,
    },
    Logic {
        op: Logic,
        d: u32,
        a: Pred,
        b: Pred,
    },
    /// `mov.b64 d, {a, b}`
    Pack {
        d: Slot,
        parts: Box<[Slot]>,
        bits: u32,
    },
    /// `mov.b64 {a, b}, d`
    Unpack {
        parts: Box<[Option<Slot>]>,
        a: Slot,
        bits: u32,
    },
    Load {
        space: Space,
        element: Element,
        d: Box<[Option<Slot>]>,
        address: Address,
        strong: bool,
    },
    Store {
        space: Space,
        element: Element,
        values: Box<[Slot]>,
        address: Address,
        strong: bool,
    },
    /// A parameter of the entry, the same for all threads.
    LoadParam {
        element: Element,
        d: Box<[Option<Slot>]>,
        offset: u32,
    },
    Atomic {
        space: Space,
        ty: Type,
        update: Update,
        d: Option<Slot>,
        address: Address,
        b: Slot,
        c: Slot,
    },
    Clock {
        d: Slot,
        bits: u32,
    },
    ActiveMask {
        d: Slot,
    },
    Shuffle {
        mode: Shuffle,
        d: Slot,
        p: Option<u32>,
        a: Slot,
        b: Slot,
        c: Slot,
        members: Slot,
    },
    /// `vote.sync.ballot`
    Vote {
        d: Slot,
        a: Pred,
        members: Slot,
    },
    VotePred {
        mode: Vote,
        d: u32,
        a: Pred,
        members: Slot,
    },
    Barrier {
        id: Slot,
        count: Option<Slot>,
    },
    WarpBarrier {
        members: Slot,
    },
    /// `cp.async`: a copy from global to shared memory that `WaitCopies` ends.
    CopyAsync {
        to: Address,
        from: Address,
        bytes: u32,
    },
    /// The copies so far that are in no group become one.
    CommitCopies,
    /// Ends all groups but the newest, or all copies.
    WaitCopies {
        but: Option<u64>,
    },
    /// `mma` of doubles: `d = a * b + c` on tiles that the lanes of a warp share.
    MultiplyTiles {
        d: Box<[Slot]>,
        a: Box<[Slot]>,
        b: Box<[Slot]>,
        c: Box<[Slot]>,
    },
    Fence,
    Branch {
        target: Pc,
        meet: Pc,
        uniform: bool,
    },
    Call {
        function: usize,
        args: Box<[Place]>,
        results: Box<[Place]>,
    },
    Return,
    Exit,
    Trap,
    Nothing,
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Inst {
    pub guard: Pred,
    pub op: Op,
}

/// What reports say of an instruction.
#[derive(Clone, Debug)]
pub(crate) struct Info {
    pub line: u32,
    /// With its modifiers: `fma.rn.f64`.
    pub name: Box<str>,
    /// Floating-point operations of one thread, in single and double precision.
    pub flops32: u32,
    pub flops64: u32,
    /// Of a warp, by tensor cores on doubles.
    pub tensor64: u32,
}

/// A parameter of an entry in its parameter block.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub ty: Type,
    pub offset: u32,
    pub bytes: u32,
}

/// A function or entry.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub entry: bool,
    pub code: Vec<Inst>,
    pub info: Vec<Info>,
    /// Slots of plain registers; the fixed ones follow.
    pub registers: u32,
    pub predicates: u32,
    pub fixed: Vec<Fixed>,
    /// Bytes of local memory of a frame.
    pub local: u32,
    /// Of an entry: its parameter block.
    pub block: Vec<Parameter>,
    /// Of a `.func`.
    pub params: Vec<Place>,
    pub results: Vec<Place>,
    pub required_block: Option<[u32; 3]>,
    pub max_threads: Option<u32>,
    /// The shared variables that it or what it calls uses, by number, in order.
    pub shared: Vec<usize>,
}

impl Function {
    /// All slots.
    pub(crate) fn slots(&self) -> usize {
        self.registers as usize + self.fixed.len()
    }
}

/// A module.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The compute capability that it needs, 70 for `sm_70`.
    pub target: u32,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
}
