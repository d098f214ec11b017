//! # The intermediate representation
//!
//! This header is the specification of the IR; [`verify`] enforces it and nothing after it sees a syntax tree.
//!
//! ## Module, function, region, statement
//! A [`Module`] is a list of [`Func`]s. A function has typed parameters, result types and one body [`Region`]. A region is a
//! list of [`Stmt`]s and ends in one [`Terminator`]. A statement defines zero or more [`Value`]s by one [`Op`]; every value is
//! defined exactly once and its definition dominates each use (an outer region dominates the regions nested in its
//! statements). So this is static single assignment form; where Cytron et al. place φ-functions, a region has *parameters*:
//! MATLAB's control flow is structured, hence the values that a join needs are known from the statement that makes the join.
//! A maximal run of statements without [`Op::If`], [`Op::For`] and [`Op::While`] is a **MATLAB basic block** (MEGHA,
//! Definition 1).
//!
//! ## Types
//! A [`Type`] is a [`Class`] and the sizes of the dimensions. No dimensions: a scalar. Otherwise at least two, of which not
//! all are the constant 1. A [`Size`] is a polynomial with integer coefficients over the function's symbols ([`Sym`]), kept in
//! canonical form, so equal polynomials are equal sizes. A symbol stands for the size of an input, for the value of an
//! [`Class::Index`] scalar, or for `max`, `min` or a floored quotient of sizes. What is known of a symbol (bounds) is in its
//! [`SymData`].
//!
//! [`Class::Index`] is the machine's 64-bit two's complement integer. Loop counters, sizes and subscripts are of this class;
//! MATLAB programs cannot name it.
//!
//! [`Class::Complex`] exists only while a function is lowered; see [`complex`]. The verifier refuses it.
//!
//! ## Arithmetic
//! Both operands of a binary operation have the same class. `Double` and `Single` follow IEEE 754, one rounding per
//! operation; a multiply-add is fused only as [`Op::Fma`]. Integer classes saturate and round half away from zero. `Index`
//! wraps; its `Div` and `Mod` floor. Comparisons give `Logical`; NaN compares unequal to everything. On arrays an operation
//! is element-wise: each operand is a scalar or has, in each dimension, the result's size or the constant 1 (implicit
//! expansion).
//!
//! ## Subscripts
//! A subscript that is part of an operation counts **from zero**: an `Index` scalar of [`Sub::At`], [`Sub::Range`], [`Op::Load`] and
//! [`Op::Put`]. What is the contents of an array counts **from one**, as the program sees it: the elements of an index array
//! ([`Sub::Vector`]), which are `Double` or of an integer class and never `Index`, and the numbers that operations of the run-time
//! library take and give in arrays ([`Lib::Find`], [`Lib::SortIndex`], [`Lib::RandPerm`], [`Lib::SumsAt`]). So the class says which it is. One
//! is subtracted where an element of an index array becomes a subscript: in the interpreter (`interp/subscript.rs`), in `megha-rt`, and where
//! kernels read it (`kernels/body.rs`). Axes count from zero.
//!
//! `Index`/`Store` with one [`Sub`] count columns first whatever the layout in memory; otherwise the number of subscripts is the
//! array's rank. `checked` says that bounds are still to be tested when the statement runs (all of them before any element is
//! touched).
//!
//! ## Elements that hold anything
//! An array has a value in each element, but for those in the boxes of an [`Op::FillAround`]. None of these is read, and the array is not handed on, before it has been
//! stored; who makes the statement has proven it, and whoever moves a read or a store keeps their order. The class is one that has a value for each pattern of bits.
//!
//! ## Control flow
//! * `If`: both regions end in `Yield` of the results, or leave (`Break`, `Continue`, `Return`, `Raise`).
//! * `For { trip, init, body }`: the body's parameters are the iteration number (`Index`, 0 .. trip-1) and the carried values.
//!   `Yield` gives the carried values of the next iteration. The results are the carried values after the last one.
//! * `While { init, cond, body }`: both regions have the carried values as parameters; `cond` yields one `Logical` scalar.
//! * `Break(d, values)` leaves the d-th enclosing loop (0 is the innermost) with these results; `Continue(d, values)` goes on
//!   with its next iteration. An `If` does not count as a loop.
//! * `Return(values)` ends the function; `Raise` ends it with an error.
//! * `Call` runs another function. Sizes of its results that the callee states over dimensions of its parameters are those of
//!   the arguments; any other is a new symbol of the caller, of an `Index` result that stands before the array.
//!
//! The values that travel together (parameters of a region, results, what a terminator gives) form a *dependent tuple*: the
//! sizes of an array may mention `Value` symbols of `Index` scalars that stand before it in the same tuple, as in
//! `(k: index, x: f64[1, K])` with K the value of k. An array of a size that is known only at run time crosses a join so. A
//! given tuple agrees with the receiving one if their types are equal when each such symbol of the receiving tuple is
//! replaced by the size that the given index holds: that of the `Op::Size` or constant that defines it, else its own symbol
//! ([`mod@tuple`]).
//!
//! ## Texts and state
//! A value of class `Char` is a whole text and a scalar. Texts are arguments of messages and of other texts. [`Op::Print`],
//! [`Op::Display`], [`Op::Raise`] and [`Op::Ambient`] happen in program order. A random number is a pure function (`philox`) of
//! the key that [`Ambient::Draw`] gives and the number of the element.
//!
//! ## Kernels
//! A [`Kernel`] is a perfect nest of DOALL loops (MEGHA, Definition 2): `domain` gives the extent of each loop, the body's
//! parameters are the iteration numbers, and inside the body **every value is a scalar**. The iterations may run in any order
//! and at once. The statement's results are the kernel's *out-variables*, in the order of `outs`:
//! * [`Out::Fresh`]: a new array, of which each element is stored by exactly one iteration;
//! * [`Out::Update`]: an array of which some elements are stored, the others keep the value of the given array;
//! * [`Out::Reduce`]: `axes` of the domain are combined, the result has the remaining axes as its dimensions, see
//!   [`kernel::Out`].
//!
//! Memory in a kernel body is read by [`Op::Load`] from an array value of the enclosing function (an *in-variable*) or from the
//! current state of an out-variable, and written by [`Op::Put`] and [`Op::Accumulate`]; within one iteration they
//! happen in program order, and no iteration reads or stores an element of an out-variable that another one stores.
//! A kernel of another shape than a box has the box around it as its domain, and all that its body does stands in one `If`, its *guard*
//! ([`Kernel::guard`]). Where the guard compares affine functions of the iteration numbers, back ends turn it into bounds of loops.
//! Arrays that only this kernel uses have been turned into scalars (scalarization), so they do not appear at all.

pub mod bounds;
pub mod build;
mod calls;
mod check;
pub mod complex;
pub mod declare;
mod effects;
pub mod entity;
pub mod kernel;
mod lex;
pub mod numbering;
pub mod op;
mod operands;
pub mod parse;
pub mod print;
pub mod size;
#[cfg(test)]
pub mod testing;
pub mod tuple;
pub mod types;
pub mod typing;
pub mod verify;
pub mod version;
pub mod walk;
mod written;

pub use build::Builder;
pub use check::{Cause, Check};
pub use complex::Part;
pub use declare::{Effect, Kind, Place, Results};
pub use entity::{FuncId, Loc, Sym, Value};
pub use kernel::{Guard, Kernel, Mem, Out};
pub use op::{Ambient, Binary, Const, Lib, Look, Op, ReduceOp, ShownKind, Stream, Sub, TextOp, Unary};
pub use size::{Size, SymData, SymDef, Symbols};
pub use types::{Class, Classes, Type};
pub use version::{Assumptions, Condition, Quantity, Version};
pub use walk::Walk;
pub use written::Written;

use crate::hash::HashMap;

/// A whole program: the functions reachable from the exported ones, callees before callers unless recursive.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Module {
    /// All functions; [`FuncId`] is an index into this list.
    pub funcs: Vec<Func>,
    /// Functions of which there is a more general form.
    pub versions: Vec<Version>,
}

/// One function, specialised for the types of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Func {
    /// The name in the source program.
    pub name: String,
    /// Parameters with the names that the source gives them.
    pub params: Vec<Param>,
    /// Names of the results, in order.
    pub result_names: Vec<String>,
    /// Types of the results; their sizes are over the function's symbols.
    pub results: Vec<Type>,
    /// The statements.
    pub body: Region,
    /// The type of each value, indexed by [`Value`].
    pub types: Vec<Type>,
    /// A name for each value that has one, for explanations and readable output: that of a variable of the program, or, for a
    /// variable of a function of the prelude, the function's name, a dot and its name, as in `std.m`.
    pub names: Vec<Option<String>>,
    /// The symbols that sizes are made of.
    pub symbols: Symbols,
    /// The loops whose iterations may overlap, by their counters. They mean the same if they do not.
    pub pipelined: HashMap<Value, Pipelined>,
}

/// A loop whose body computes scalars and goes through other loops, one after the other, in *steps*, which are their iterations. An iteration may go through a step as soon as
/// the one before has gone through those with the same number and below (a DOACROSS loop: R. Cytron, "Doacross: beyond vectorization for multiprocessors", 1986).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipelined {
    /// The number of the first step of each loop in the body, ascending.
    pub starts: Vec<Size>,
    /// The product of these is about how many statements run in all iterations.
    pub work: Vec<Size>,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// The value that holds the argument.
    pub value: Value,
    /// The name in the source.
    pub name: String,
    /// What must hold of the argument besides its type, checked on entry.
    pub facts: ParamFacts,
}

/// What a declaration promises of a scalar parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParamFacts {
    /// The value has no fractional part and is finite.
    pub integer: bool,
    /// A lower bound (inclusive).
    pub at_least: Option<i64>,
    /// An upper bound (inclusive).
    pub at_most: Option<i64>,
}

/// A list of statements with parameters (see the module's header).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Region {
    /// Values defined on entry.
    pub params: Vec<Value>,
    /// The statements in order.
    pub stmts: Vec<Stmt>,
    /// How control leaves.
    pub term: Terminator,
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stmt {
    /// The values it defines.
    pub results: Vec<Value>,
    /// What it does.
    pub op: Op,
    /// Where it comes from: a key into the front end's table of source spans.
    pub loc: Loc,
}

/// The end of a region.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// Results of an `If` arm, carried values of the next loop iteration, the condition of a `While`; empty in a kernel body.
    Yield(Vec<Value>),
    /// Leave the loop that many levels out with these results.
    Break(u32, Vec<Value>),
    /// Start the next iteration of the loop that many levels out.
    Continue(u32, Vec<Value>),
    /// End the function.
    Return(Vec<Value>),
    /// Not reached: a statement before it ([`Op::Raise`]) has ended the function.
    Unreachable,
}

impl Func {
    /// The type of a value.
    pub fn ty(&self, value: Value) -> &Type {
        &self.types[value.index()]
    }

    /// The name of the program's variable that holds the value.
    pub fn variable(&self, value: Value) -> Option<&str> {
        self.names[value.index()].as_deref().filter(|name| !name.contains('.'))
    }

    /// A value in a sentence for the program's author.
    pub fn described(&self, value: Value) -> String {
        self.variable(value).map_or_else(|| "an intermediate result".to_owned(), |name| format!("`{name}`"))
    }

    /// The source name of a value, or its number.
    pub fn name_of(&self, value: Value) -> String {
        self.names[value.index()].clone().unwrap_or_else(|| value.to_string())
    }

    /// A new value of this type, not yet defined by a statement.
    pub fn new_value(&mut self, ty: Type) -> Value {
        self.types.push(ty);
        self.names.push(None);
        Value::new(self.types.len() - 1)
    }

    /// A new value of the type and name of another: a new state of a variable.
    pub fn new_like(&mut self, value: Value) -> Value {
        let new = self.new_value(self.types[value.index()].clone());
        self.names[new.index()] = self.names[value.index()].clone();
        new
    }
}

impl Terminator {
    /// The values that leave the region here.
    pub fn values(&self) -> &[Value] {
        match self {
            Self::Yield(v) | Self::Break(_, v) | Self::Continue(_, v) | Self::Return(v) => v,
            Self::Unreachable => &[],
        }
    }

    /// The values that leave the region here, to be rewritten.
    pub fn values_mut(&mut self) -> &mut [Value] {
        match self {
            Self::Yield(v) | Self::Break(_, v) | Self::Continue(_, v) | Self::Return(v) => v,
            Self::Unreachable => &mut [],
        }
    }
}
