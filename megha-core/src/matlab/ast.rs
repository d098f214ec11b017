//! The syntax tree of MATLAB text, before names mean anything.
//!
//! Nothing here is resolved: `a(1)` is an [`ExprKind::Apply`] whether `a` is a variable or a function.
//! Parentheses leave no node behind, since precedence is in the shape of the tree. A program that had
//! syntax errors lacks the statements that were wrong; there is no error node.

mod operators;

pub use self::operators::{BinaryOp, Quote, ShortCircuitOp, UnaryOp};
use crate::source::Span;

/// The contents of one file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Program {
    /// The functions, in source order.
    pub functions: Vec<Function>,
    /// The statements outside every function, in source order; empty for a file that holds functions only.
    pub script: Vec<Stmt>,
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// `function [outputs] = name(inputs) … end`
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The function's name; dots are kept in it (`get.x`).
    pub name: Name,
    /// The parameters; the last may be called `varargin`.
    pub inputs: Vec<Param>,
    /// The results; the last may be called `varargout`.
    pub outputs: Vec<Name>,
    /// The `arguments` blocks, in source order.
    pub arguments: Vec<ArgumentsBlock>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// Functions defined inside this one.
    pub nested: Vec<Function>,
    /// From `function` to the end of the first line (the signature).
    pub signature: Span,
    /// From `function` to its `end`, or to the last statement where `end` is left out.
    pub span: Span,
}

/// One parameter of a function or of an anonymous function.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    /// A name that the body may use.
    Named(Name),
    /// `~`: a value that is passed and not used.
    Ignored(Span),
}

/// `arguments … end`, `arguments (Output) … end`
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentsBlock {
    /// Which arguments are declared.
    pub kind: ArgumentsKind,
    /// One declaration a line.
    pub declarations: Vec<ArgumentDecl>,
    /// From `arguments` to `end`.
    pub span: Span,
}

/// Which arguments an `arguments` block declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentsKind {
    /// `arguments` or `arguments (Input)`
    Input,
    /// `arguments (Output)`
    Output,
    /// `arguments (Repeating)`, `arguments (Input, Repeating)`
    Repeating,
    /// `arguments (Output, Repeating)`
    RepeatingOutput,
}

/// `name (size) class {validators} = default`
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentDecl {
    /// The declared parameter.
    pub name: Name,
    /// One expression for each dimension: a number, a symbol such as `n`, a sum such as `n + 1`, or [`ExprKind::Colon`].
    pub size: Option<Vec<Expr>>,
    /// `double`, `single`, `int32`, …
    pub class: Option<Name>,
    /// Such as `mustBePositive`, written as expressions.
    pub validators: Vec<Expr>,
    /// The value that an argument left out by the caller gets.
    pub default: Option<Expr>,
    /// The whole line.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// True if the value is displayed: an expression or assignment that does not end in `;`. False for all others.
    pub prints: bool,
    /// From its first character to its last, without the `;`.
    pub span: Span,
}

/// What a [`Stmt`] does.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `f(x)`; a value, if there is one, is assigned to `ans`.
    Expr(Expr),
    /// `x = e`, `x(i, j) = e`, `x(i) = []` (deletes), and Octave's `x += e`, `x++` (as `x += 1`).
    Assign {
        /// What is written.
        target: LValue,
        /// The operator of `x += e`; `None` for plain `=`.
        op: Option<BinaryOp>,
        /// The right-hand side.
        value: Expr,
    },
    /// `[a, ~, b(i)] = e`, also with one target.
    MultiAssign {
        /// What is written, in order.
        targets: Vec<OutTarget>,
        /// The right-hand side, a call in correct programs.
        value: Expr,
    },
    /// `if … elseif … else … end`
    If {
        /// `if` and each `elseif`; at least one.
        branches: Vec<IfBranch>,
        /// `else`
        otherwise: Option<Vec<Stmt>>,
    },
    /// `for target = range … end`
    For {
        /// The loop variable.
        target: LValue,
        /// The value whose columns are taken in turn.
        range: Expr,
        /// The statements.
        body: Vec<Stmt>,
        /// `parfor`
        parallel: bool,
    },
    /// `while cond … end`
    While {
        /// Tested before each pass.
        cond: Expr,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// Octave's `do … until cond`
    DoUntil {
        /// The statements.
        body: Vec<Stmt>,
        /// Tested after each pass; true ends the loop.
        cond: Expr,
    },
    /// `switch subject case … otherwise … end`
    Switch {
        /// The value compared.
        subject: Expr,
        /// `case` in source order.
        cases: Vec<SwitchCase>,
        /// `otherwise`
        otherwise: Option<Vec<Stmt>>,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return,
    /// `global a b`
    Global(Vec<Declared>),
    /// `persistent a b`
    Persistent(Vec<Declared>),
    /// `try … catch err … end`
    Try {
        /// What is tried.
        body: Vec<Stmt>,
        /// The variable that gets the error.
        error: Option<Name>,
        /// What runs after an error.
        handler: Vec<Stmt>,
    },
    /// Octave's `unwind_protect … unwind_protect_cleanup … end_unwind_protect`
    UnwindProtect {
        /// What is run first.
        body: Vec<Stmt>,
        /// What runs in any case.
        cleanup: Vec<Stmt>,
    },
    /// `hold on`, `format long`, `clear a b`: a function called with words. At least one word.
    Command {
        /// The function.
        name: Name,
        /// Its words, quotes removed.
        words: Vec<Name>,
    },
}

/// `if cond body` or `elseif cond body`
#[derive(Clone, Debug, PartialEq)]
pub struct IfBranch {
    /// The condition.
    pub cond: Expr,
    /// The statements.
    pub body: Vec<Stmt>,
    /// From the keyword to the end of the last statement.
    pub span: Span,
}

/// `case pattern body`
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchCase {
    /// A value, or a [`ExprKind::Cell`] of values any of which may match.
    pub pattern: Expr,
    /// The statements.
    pub body: Vec<Stmt>,
    /// From the keyword to the end of the last statement.
    pub span: Span,
}

/// One variable of `global` or `persistent`.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// The variable.
    pub name: Name,
    /// Octave's initial value.
    pub value: Option<Expr>,
}

/// What an assignment writes: a variable, or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct LValue {
    /// The variable.
    pub name: Name,
    /// How the part is reached, from the variable inwards; empty for the whole variable.
    pub accesses: Vec<Access>,
    /// All of it.
    pub span: Span,
}

/// One step from a variable to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// What kind of step.
    pub kind: AccessKind,
    /// From the bracket or dot to the last character.
    pub span: Span,
}

/// The kind of an [`Access`].
#[derive(Clone, Debug, PartialEq)]
pub enum AccessKind {
    /// `(i, j)`
    Paren(Vec<Expr>),
    /// `{i}`
    Brace(Vec<Expr>),
    /// `.name`
    Field(Name),
    /// `.(expression)`
    DynamicField(Box<Expr>),
}

/// One target of `[…] = e`.
#[derive(Clone, Debug, PartialEq)]
pub enum OutTarget {
    /// Written.
    Place(LValue),
    /// `~`: the output is thrown away.
    Ignored(Span),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// From its first character to its last, parentheses around it included.
    pub span: Span,
}

/// What an [`Expr`] computes.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `1`, `.5`, `1e-3`, `2i`
    Number {
        /// Never negative; infinite if the literal is too large for a double.
        value: f64,
        /// `2i`, `2j`
        imaginary: bool,
    },
    /// `9007199254740993`: digits alone whose number is above 2^53. It is a double like every decimal number, but
    /// `int64(..)` and `uint64(..)` of it keep all digits.
    Wide(u64),
    /// `0x1F`, `0b101u8`: a literal of an integer class.
    Integer {
        /// The bits of the literal.
        value: u64,
        /// 8, 16, 32 or 64.
        bits: u8,
        /// The literal has a suffix such as `s16`.
        signed: bool,
    },
    /// `'abc'` or `"abc"`
    Str {
        /// The characters meant, escapes and doubled quotes resolved.
        text: String,
        /// Which quotes.
        quote: Quote,
    },
    /// A variable or a function without arguments.
    Ident(String),
    /// `:` as an index of its own.
    Colon,
    /// `end` inside an index. It means the innermost enclosing [`ExprKind::Apply`] or [`ExprKind::BraceIndex`]
    /// (or [`Access`]) whose callee is a variable, so a call such as `min(end, 3)` inside `a(…)` passes it outwards.
    End,
    /// `-a`, `+a`, `~a`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: Box<Expr>,
    },
    /// `a + b`, …
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand.
        rhs: Box<Expr>,
    },
    /// `a && b`, `a || b`
    ShortCircuit {
        /// The operator.
        op: ShortCircuitOp,
        /// Left operand.
        lhs: Box<Expr>,
        /// Right operand, evaluated only if the left one does not decide.
        rhs: Box<Expr>,
    },
    /// `a'`, `a.'`
    Transpose {
        /// The operand.
        operand: Box<Expr>,
        /// True for `a'`.
        conjugate: bool,
    },
    /// `start : stop`, `start : step : stop`
    Range {
        /// First element.
        start: Box<Expr>,
        /// Distance of elements; 1 if left out.
        step: Option<Box<Expr>>,
        /// Limit.
        stop: Box<Expr>,
    },
    /// `[a, b; c]`; `[]` has no rows. No row is empty.
    Matrix {
        /// Rows from top to bottom.
        rows: Vec<Vec<Expr>>,
    },
    /// `{a, b; c}`
    Cell {
        /// Rows from top to bottom.
        rows: Vec<Vec<Expr>>,
    },
    /// `a(…)`: an index or a call.
    Apply {
        /// What is indexed or called.
        callee: Box<Expr>,
        /// Indices or arguments.
        args: Vec<Expr>,
    },
    /// `a{…}`
    BraceIndex {
        /// What is indexed.
        callee: Box<Expr>,
        /// Indices.
        args: Vec<Expr>,
    },
    /// `a.name`
    Field {
        /// The structure.
        object: Box<Expr>,
        /// The field.
        name: Name,
    },
    /// `a.(expression)`
    DynamicField {
        /// The structure.
        object: Box<Expr>,
        /// Computes the field's name.
        field: Box<Expr>,
    },
    /// `@(x, y) body`
    AnonFn {
        /// The parameters.
        params: Vec<Param>,
        /// The value.
        body: Box<Expr>,
    },
    /// `@name`
    FuncHandle(Name),
}
