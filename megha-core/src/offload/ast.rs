//! The loop AST: what `#[offload]` takes of Rust, as plain data.
//!
//! Positions are numbers into a table that whoever made the AST keeps; nothing here knows how Rust is parsed.

use crate::ir::Binary;

/// A number into the table of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct SpanId(pub u32);

/// A class of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum Scalar {
    F64,
    F32,
    I64,
    Usize,
    Bool,
}

impl Scalar {
    /// The name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::I64 => "i64",
            Self::Usize => "usize",
            Self::Bool => "bool",
        }
    }

    /// The type of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::F64, Self::F32, Self::I64, Self::Usize, Self::Bool].into_iter().find(|s| s.name() == name)
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

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// The type of its result, if it has one.
    pub result: Option<Scalar>,
    /// Its body.
    pub body: Block,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: ParamType,
}

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamType {
    /// A number; `true` if the function may assign to it.
    Scalar(Scalar, bool),
    /// An ndarray array or view.
    Array {
        /// Its elements.
        class: Scalar,
        /// Number of dimensions, 1 to 3.
        rank: usize,
        /// Whether the function may store into it.
        mutable: bool,
    },
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
        /// What is repeated.
        body: Block,
    },
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
    /// A literal with a point or exponent, or a constant such as `f64::MAX`, and its suffix.
    Float(f64, Option<Scalar>),
    /// A whole literal, and its suffix.
    Int(i64, Option<Scalar>),
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
    /// `if cond { .. } else { .. }` with a value.
    If(Box<Expr>, Block, Block),
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
    /// The operation of the IR, of numbers that it has as Rust has them.
    pub fn ir(self) -> Binary {
        match self {
            Self::Add => Binary::Add,
            Self::Sub => Binary::Sub,
            Self::Mul => Binary::Mul,
            Self::Div => Binary::Div,
            Self::Rem => Binary::Mod,
            Self::Eq => Binary::Eq,
            Self::Ne => Binary::Ne,
            Self::Lt => Binary::Lt,
            Self::Le => Binary::Le,
            Self::Gt => Binary::Gt,
            Self::Ge => Binary::Ge,
            Self::And => Binary::And,
            Self::Or => Binary::Or,
        }
    }

    /// Whether the result is `bool`, the operands being of any one type.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// Whether operands and result are `bool`.
    pub fn is_logical(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }
}
