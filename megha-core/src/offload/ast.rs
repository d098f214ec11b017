//! The loop AST: what `#[offload]` takes of Rust, as plain data.
//!
//! Positions are numbers into a table that whoever made the AST keeps; nothing here knows how Rust is parsed.

mod children;
mod endless;

pub use children::Child;

use crate::ir::Part;

/// A number into the table of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct SpanId(pub u32);

/// A class of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum Scalar {
    F64,
    F32,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    Bool,
    /// `Complex<f64>` of the crate `num_complex`
    C64,
}

impl Scalar {
    const NAMES: [(Self, &'static str); 14] = [
        (Self::F64, "f64"),
        (Self::F32, "f32"),
        (Self::I8, "i8"),
        (Self::I16, "i16"),
        (Self::I32, "i32"),
        (Self::I64, "i64"),
        (Self::Isize, "isize"),
        (Self::U8, "u8"),
        (Self::U16, "u16"),
        (Self::U32, "u32"),
        (Self::U64, "u64"),
        (Self::Usize, "usize"),
        (Self::Bool, "bool"),
        (Self::C64, "Complex<f64>"),
    ];

    /// The name in Rust.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(scalar, _)| *scalar == self).map_or("f64", |(_, name)| name)
    }

    /// The type of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, n)| *n == name).map(|(scalar, _)| *scalar)
    }

    /// Width and signedness of whole numbers.
    pub fn bits(self) -> Option<(u32, bool)> {
        Some(match self {
            Self::I8 => (8, true),
            Self::I16 => (16, true),
            Self::I32 => (32, true),
            Self::I64 | Self::Isize => (64, true),
            Self::U8 => (8, false),
            Self::U16 => (16, false),
            Self::U32 => (32, false),
            Self::U64 | Self::Usize => (64, false),
            Self::F64 | Self::F32 | Self::Bool | Self::C64 => return None,
        })
    }

    /// The least and the largest whole number.
    pub fn range(self) -> Option<(i128, i128)> {
        self.bits().map(|(bits, signed)| match signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        })
    }

    /// `f64` or `f32`.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F64 | Self::F32)
    }

    /// A type of whole numbers.
    pub fn is_whole(self) -> bool {
        self.bits().is_some()
    }

    /// A type of whole numbers without sign.
    pub fn is_unsigned(self) -> bool {
        self.bits().is_some_and(|(_, signed)| !signed)
    }

    /// The type of whole numbers without sign that is as wide.
    pub fn without_sign(self) -> Self {
        match self {
            Self::I8 => Self::U8,
            Self::I16 => Self::U16,
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            Self::Isize => Self::Usize,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::Usize => self,
            Self::F64 | Self::F32 | Self::Bool | Self::C64 => self,
        }
    }

    /// A type of whole numbers without sign of 64 bits, whose upper half is negative as a number with sign.
    pub fn is_wide_unsigned(self) -> bool {
        self.bits() == Some((64, false))
    }
}

/// A name with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: SpanId,
}

/// A name as the program has it: `#` and a number set names of the front end's own apart.
pub fn shown(name: &str) -> &str {
    name.split('#').next().unwrap_or_default()
}

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// The types of its results: none, one, or those of a tuple.
    pub results: Vec<Scalar>,
    /// Whether it gives them in a `Result`, whose error says what failed.
    pub fallible: bool,
    /// In what its results may differ from the plain function's.
    pub rounding: Rounding,
    /// Its body.
    pub body: Block,
}

/// In what bits may differ from those of a function as it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rounding {
    /// A product that only a sum needs is rounded with it.
    pub contract: bool,
    /// Sums of floats may be added up in another order.
    pub reassociate: bool,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// The expression in Rust that gives its value: its name, or what a constant stands for.
    pub value: String,
    /// Its type.
    pub ty: ParamType,
}

impl Param {
    /// The expression in Rust that gives its value, of a constant with its type, which Rust so checks.
    pub fn rust(&self, class: Scalar) -> String {
        match self.ty {
            ParamType::Constant(_) => {
                format!("{{ let constant: {} = {}; constant }}", class.name(), self.value)
            }
            ParamType::Scalar(..) | ParamType::Array { .. } => self.value.clone(),
        }
    }
}

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamType {
    /// A number; `true` if the function may assign to it.
    Scalar(Scalar, bool),
    /// A constant from outside of the function; its type, unless it is to be inferred.
    Constant(Option<Scalar>),
    /// An array.
    Array {
        /// Its elements.
        class: Scalar,
        /// Number of dimensions, 1 to 4.
        rank: usize,
        /// Whether the function may store into it.
        mutable: bool,
        /// What it is in Rust.
        form: ArrayForm,
    },
}

/// What an array is in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayForm {
    /// An array or view of ndarray.
    Ndarray,
    /// A slice, or what is borrowed as one; of two dimensions one of arrays of a fixed size.
    Slice,
}

/// Statements, and the value of the last one if it has no semicolon.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The value.
    pub value: Option<Box<Expr>>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: SpanId,
}

/// What a statement does.
#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    /// `let mut name: ty = value;`
    Let {
        /// The variable.
        name: Ident,
        /// Its declared type.
        ty: Option<Scalar>,
        /// Whether it is `mut`.
        mutable: bool,
        /// Its first value.
        value: Option<Expr>,
    },
    /// `place = value;`, or `place op= value;`
    Assign {
        /// What is assigned to.
        place: Place,
        /// The operation.
        op: Option<BinaryOp>,
        /// The right side.
        value: Expr,
    },
    /// An array of the function's own, all of whose elements are `fill` at first.
    LetArray {
        /// The variable.
        name: Ident,
        /// The declared type of its elements.
        ty: Option<Scalar>,
        /// Whether it is `mut`.
        mutable: bool,
        /// Its sizes.
        dims: Vec<Expr>,
        /// The first value of the elements.
        fill: Expr,
    },
    /// `for variable in from..to { body }`
    For {
        /// The loop variable; `_` is a name like another.
        variable: Ident,
        /// The first value.
        from: Expr,
        /// The end, not included unless `inclusive`.
        to: Expr,
        /// `..=`
        inclusive: bool,
        /// What is done to the range before it is gone through, in order.
        adaptors: Vec<Adaptor>,
        /// What is repeated.
        body: Block,
    },
    /// `while cond { body }`
    While {
        /// The condition.
        cond: Expr,
        /// What is repeated.
        body: Block,
    },
    /// Leaves that many loops and one more.
    Break(u32),
    /// Goes on with the next iteration of the loop that is that many levels out.
    Continue(u32),
    /// Ends the function with these results.
    Return(Vec<Expr>),
    /// Ends the function with an error unless the condition holds.
    Assert {
        /// The condition.
        cond: Expr,
        /// What the error says.
        message: String,
    },
    /// Two extents must be equal, else the plain function is right. The arguments must decide it.
    Alike(Expr, Expr),
    /// Two arrays of one shape exchange their contents. If the arguments decide that shapes differ, the plain function is right.
    Swap(Ident, Ident),
    /// `if cond { then } else { els }`
    If {
        /// The condition.
        cond: Expr,
        /// If it holds.
        then: Block,
        /// If not.
        els: Block,
    },
    /// `{ .. }`
    Block(Block),
}

/// What is done to the range of a loop.
#[derive(Debug, Clone, PartialEq)]
pub enum Adaptor {
    /// `.rev()`
    Rev,
    /// `.step_by(k)`
    StepBy(Expr),
    /// `.take(n)`
    Take(Expr),
    /// `.skip(n)`
    Skip(Expr),
}

/// What can be assigned to.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// A variable.
    Variable(Ident),
    /// An element of an array.
    Element {
        /// The array.
        array: Ident,
        /// Its subscripts.
        subs: Vec<Expr>,
    },
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: SpanId,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A literal with a point or exponent, or a constant such as `f64::MAX`: its value as an `f64` and as an `f32`, of which each is the
    /// nearest to what is written, and its suffix.
    Float(f64, f32, Option<Scalar>),
    /// A whole literal, and its suffix.
    Int(i128, Option<Scalar>),
    /// `true` or `false`.
    Bool(bool),
    /// A variable.
    Variable(String),
    /// An element of an array.
    Element {
        /// The array.
        array: Ident,
        /// Its subscripts.
        subs: Vec<Expr>,
    },
    /// The size of an array along an axis, or (`None`) its number of elements.
    Extent {
        /// The array.
        array: Ident,
        /// The axis, from zero.
        axis: Option<usize>,
    },
    /// `-x`
    Neg(Box<Expr>),
    /// `!x`
    Not(Box<Expr>),
    /// An operator between two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x.method(args)` on a number.
    Method {
        /// The number.
        receiver: Box<Expr>,
        /// The method.
        method: Ident,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `x as ty`
    Cast(Box<Expr>, Scalar),
    /// A complex number by its parts.
    Complex(Box<Expr>, Box<Expr>),
    /// A part of a complex number.
    Part(Part, Box<Expr>),
    /// `if cond { .. } else { .. }` with a value.
    If(Box<Expr>, Block, Block),
    /// `{ .. }` with a value.
    Block(Block),
    /// A value of whatever type, where control does not arrive.
    Never,
    /// A number of the type that its uses tell.
    Neutral(Neutral),
    /// A value that is of this type anyway, so that its literals are too.
    Typed(Box<Expr>, Scalar),
}

/// A number of any type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neutral {
    /// Zero.
    Zero,
    /// One.
    One,
    /// What `Iterator::sum` begins with: zero, of floating-point numbers the negative one.
    Sum,
}

/// An operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the operators' own")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// `&`, of whole numbers or `bool`s.
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// Whether the result is `bool`, the operands being of any one type.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// Whether operands and result are `bool`, and the second may not be evaluated.
    pub fn is_logical(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }

    /// Whether operands and result are whole numbers or `bool`s.
    pub fn is_bitwise(self) -> bool {
        matches!(self, Self::BitAnd | Self::BitOr | Self::BitXor)
    }

    /// Whether the second operand is how far the first is moved, and may be of another type.
    pub fn is_shift(self) -> bool {
        matches!(self, Self::Shl | Self::Shr)
    }
}
