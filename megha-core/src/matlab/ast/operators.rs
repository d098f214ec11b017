//! Operators and quotes.

/// The quotes of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// `'abc'`: a char array.
    Single,
    /// `"abc"`: a string.
    Double,
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`, `!`
    Not,
}

/// `&&` or `||`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortCircuitOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A binary operator that evaluates both operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    MatMul,
    /// `.*`
    Mul,
    /// `/`
    MatRightDiv,
    /// `./`
    RightDiv,
    /// `\`
    MatLeftDiv,
    /// `.\`
    LeftDiv,
    /// `^`, `**`
    MatPow,
    /// `.^`, `.**`
    Pow,
    /// `==`
    Eq,
    /// `~=`, `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&`
    And,
    /// `|`
    Or,
}

impl UnaryOp {
    /// The operator as MATLAB writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "~",
        }
    }
}

impl ShortCircuitOp {
    /// The operator as MATLAB writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            ShortCircuitOp::And => "&&",
            ShortCircuitOp::Or => "||",
        }
    }
}

impl BinaryOp {
    /// The operator as MATLAB writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::MatMul => "*",
            BinaryOp::Mul => ".*",
            BinaryOp::MatRightDiv => "/",
            BinaryOp::RightDiv => "./",
            BinaryOp::MatLeftDiv => "\\",
            BinaryOp::LeftDiv => ".\\",
            BinaryOp::MatPow => "^",
            BinaryOp::Pow => ".^",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "~=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
        }
    }
}
