//! The syntax of a module, with names still as text.

use super::types::Type;

/// A state space of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Global,
    Const,
    Shared,
    Local,
    Param,
    /// An address without a stated space.
    Generic,
}

impl Space {
    pub(crate) fn named(word: &str) -> Option<Space> {
        Some(match word {
            "global" => Space::Global,
            "const" => Space::Const,
            "shared" => Space::Shared,
            "local" => Space::Local,
            "param" => Space::Param,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Const => "const",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Param => "param",
            Space::Generic => "generic",
        }
    }
}

/// A variable declaration, also of parameters.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub space: Space,
    pub ty: Type,
    pub align: usize,
    /// Bytes; 0 for `.extern .shared` arrays without a size.
    pub bytes: usize,
    /// The initial bytes; what they do not reach is zero.
    pub data: Vec<u8>,
    pub line: u32,
}

/// The type of a declared register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterType {
    Pred,
    Value(Type),
}

/// A formal parameter or result of a function.
#[derive(Clone, Debug)]
pub(crate) enum Formal {
    Register { name: String, ty: Type },
    Memory(Variable),
}

/// An operand as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    /// A register, variable, label, function or special register (`%tid.x`).
    Name(String),
    /// `!p`
    Not(String),
    Int(u64),
    Float(f64),
    Single(f32),
    /// `name + offset` outside brackets.
    Offset(String, i64),
    /// `[name + offset]`
    Address(String, i64),
    /// `[4096]`
    Absolute(u64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `(a, b)` of a call.
    List(Vec<Operand>),
    /// `p|q`
    Pair(String, String),
}

/// An instruction as written.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// The predicate register and whether it is negated.
    pub guard: Option<(String, bool)>,
    pub name: String,
    pub modifiers: Vec<String>,
    pub operands: Vec<Operand>,
    pub line: u32,
}

/// One statement of a body.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Open,
    Close,
    Label(String, u32),
    Registers { names: Vec<String>, ty: RegisterType, line: u32 },
    Variable(Variable),
    Instruction(Instruction),
}

/// A function or entry.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub entry: bool,
    pub results: Vec<Formal>,
    pub params: Vec<Formal>,
    /// `.reqntid`: the block that a launch must have.
    pub required_block: Option<[u32; 3]>,
    /// `.maxntid`: a launch may have at most this many threads in a block.
    pub max_threads: Option<u32>,
    /// `None`: declared only.
    pub body: Option<Vec<Statement>>,
    pub line: u32,
}

/// A module.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    /// The compute capability of `.target`, 70 for `sm_70`.
    pub target: u32,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
}
