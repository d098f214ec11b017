//! The verifier. Code generation accepts a [`Verified`] module and nothing else.
//!
//! ## Invariants
//! **Tables** ([`Rule::Table`]). Every value, symbol and function that is mentioned exists; the tables of types and
//! names have equal length; a function has as many result names as results; the body's parameters are the function's
//! parameters.
//!
//! **Symbols** ([`Rule::Symbol`]). Names are unique. A definition mentions earlier symbols only. `Dim` names an array
//! parameter and one of its dimensions; `Value` names an `Index` scalar.
//!
//! **Types** ([`Rule::Type`]). No dimensions, or at least two, not all the constant one, none beyond the second a
//! trailing constant one, no negative constant. Text is scalar. Nothing is complex.
//!
//! **Definitions** ([`Rule::Definition`], [`Rule::Dominance`], [`Rule::SizeScope`]). A value has one definition, and
//! that dominates every use: it stands earlier in the same region or in one around it. The same holds of the value of
//! a `Value` symbol and every type of a definition and every size in an operation that mention the symbol, also
//! through other symbols. Hence no size that depends on a value from inside a loop leaves it.
//!
//! **Operations** ([`Rule::Arity`], [`Rule::Class`], [`Rule::Shape`]). Number of operands, results and subscripts;
//! classes; scalars where scalars are asked for; sizes of results equal, as polynomials, to those that
//! [`super::typing`] derives. Beyond that:
//! * arithmetic is on floats, integer classes and `Index`, `And`, `Or`, `Xor` on `Logical`, bits on integer classes
//!   and `Index`, shifts on `Index`, transcendental functions on floats; `Sum`, `Prod`, `Min`, `Max` are of numbers,
//!   `Any` and `All` of `Logical`;
//! * constants are in the range of their class, and `Single` ones exact in it;
//! * what is indexed or stored to is an array, not a scalar; a stored array has the sizes of the subscripts (with one
//!   subscript, as many elements); a range's step is not zero; index arrays are `Double` or of an integer class;
//! * what `Fill` repeats has, in each dimension, the size of the result or the constant one; `Fill`, `Range`,
//!   `Linspace`, `Eye` and `Reshape` make arrays (`Reshape`, only of arrays, also scalars), the second and third rows; `Reshape` does
//!   not provably change the number of elements, `Resize` does not provably make a dimension smaller;
//! * arguments of a call have the class and rank of the callee's parameters, equal arguments' sizes for equal
//!   parameters' symbols, results likewise.
//!
//! **Control flow** ([`Rule::Terminator`], and the rules above). `If` arms yield the statement's results, loop bodies
//! the carried values, conditions one `Logical` scalar; initial and carried values and results of a loop agree in
//! class and sizes, as dependent tuples ([`super::tuple`]): an array may have the size that an index before it holds. `Break` and `Continue` name an enclosing loop, within the same kernel body and not across the
//! condition of a `While`. `Return` has the function's result types. `Unreachable` stands after a `Raise` or after an
//! `If` of which no arm goes on. The function's body does not yield.
//!
//! **Pipelines** ([`Rule::Pipeline`], [`Rule::SizeScope`]). What [`Func::pipelined`] has is the counter of a loop outside of kernels, or of one that
//! there is no more. It names a first step and a factor of the work at least, in sizes that are known before the loop in its body, and before itself. Whether its
//! body has as many loops as before is asked when code is generated.
//!
//! **Kernels** ([`Rule::Kernel`]; [`Rule::KernelOp`] for what must not stand in a body or only there). The number is
//! unique in the function. The body's parameters are `Index` scalars, one for each extent. Every value defined inside
//! is a scalar; no array operation, nested kernel, `Return`, `Raise`, `Print`, and only functions that hold to the
//! same are called. Outs are arrays, a reduction's result has the class and sizes of [`super::Out::Reduce`], an
//! updated array the result's type. Loads, puts and contributions name out-variables of the right kind, with matching
//! classes and as many `Index` subscripts as the rank, or one. A fresh array has a `Put`; a reduction has one
//! `Accumulate`, at the top level of the body, and none elsewhere.

mod arrays;
mod control;
mod kernel;
mod message;
mod ops;
mod tables;
#[cfg(test)]
mod tests;
mod versions;

use super::tuple::Held;
use super::{Func, Loc, Module, Size, Stmt, Type, Value};
use std::fmt;
use std::ops::Deref;

/// A module that keeps all invariants; only [`verify`] makes one.
#[derive(Debug, Clone, Copy)]
pub struct Verified<'m> {
    module: &'m Module,
}

impl<'m> Verified<'m> {
    /// The module, for as long as it is borrowed.
    pub fn module(self) -> &'m Module {
        self.module
    }
}

impl Deref for Verified<'_> {
    type Target = Module;

    fn deref(&self) -> &Module {
        self.module
    }
}

/// Which kind of invariant is broken; the module's header explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Something is mentioned that is in no table, or the tables do not belong together.
    Table,
    /// A symbol has a bad definition or shares its name.
    Symbol,
    /// A type is not in canonical form.
    Type,
    /// A value has two definitions.
    Definition,
    /// A value is used where its definition does not dominate.
    Dominance,
    /// A size is mentioned where the value that it depends on is not defined.
    SizeScope,
    /// A wrong number of operands, results, parameters or subscripts.
    Arity,
    /// A value of a class that does not fit.
    Class,
    /// A value of sizes that do not fit.
    Shape,
    /// A region ends in a way that it must not.
    Terminator,
    /// A mark of a loop whose iterations overlap is none of a loop, or says too little.
    Pipeline,
    /// The loops, out-variables or memory accesses of a kernel do not belong together.
    Kernel,
    /// An operation that must not stand in a kernel, or only there.
    KernelOp,
}

/// A broken invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The kind.
    pub rule: Rule,
    /// The function's name.
    pub func: String,
    /// The first line of the statement, unless it is about the function's head.
    pub stmt: Option<String>,
    /// The statement's position.
    pub loc: Loc,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} in @{}: {}", self.rule, self.func, self.message)?;
        match &self.stmt {
            Some(stmt) => write!(f, "\n  {stmt}"),
            None => Ok(()),
        }
    }
}

/// Checks all invariants.
///
/// # Errors
/// Every violation found; of a function whose tables are broken, those alone.
pub fn verify(module: &Module) -> Result<Verified<'_>, Vec<Violation>> {
    let mut found = Vec::new();
    for func in &module.funcs {
        found.extend(tables::check(module, func));
    }
    if found.is_empty() {
        let scalar_funcs = kernel::scalar_funcs(module);
        for func in &module.funcs {
            found.extend(Checker::new(module, func, &scalar_funcs).check());
        }
        found.extend(versions::check(module));
    }
    if found.is_empty() { Ok(Verified { module }) } else { Err(found) }
}

/// The walk over one function whose tables are in order.
struct Checker<'m> {
    module: &'m Module,
    func: &'m Func,
    /// For each function of the module, whether a kernel may call it.
    scalar_funcs: &'m [bool],
    /// For each symbol, the values that its definition depends on.
    sym_values: Vec<Vec<Value>>,
    /// What the indices in dependent tuples hold.
    held: Held<'m>,
    defined: Vec<bool>,
    /// Which values' definitions dominate the current position.
    visible: Vec<bool>,
    /// The visible values in order of definition.
    scope: Vec<Value>,
    loops: Vec<control::Loop<'m>>,
    /// The counters of loops outside of kernels.
    counters: Vec<Value>,
    kernel: Option<kernel::Frame<'m>>,
    kernel_ids: Vec<u32>,
    current: Option<&'m Stmt>,
    found: Vec<Violation>,
}

impl<'m> Checker<'m> {
    fn new(module: &'m Module, func: &'m Func, scalar_funcs: &'m [bool]) -> Self {
        Self {
            module,
            func,
            scalar_funcs,
            sym_values: tables::sym_values(&func.symbols),
            held: Held::new(func),
            defined: vec![false; func.types.len()],
            visible: vec![false; func.types.len()],
            scope: Vec::new(),
            loops: Vec::new(),
            counters: Vec::new(),
            kernel: None,
            kernel_ids: Vec::new(),
            current: None,
            found: Vec::new(),
        }
    }

    fn check(mut self) -> Vec<Violation> {
        for ty in &self.func.results {
            self.well_formed(ty, "a result of the function");
        }
        self.region(&self.func.body, control::End::Func);
        self.marked_loops();
        self.found
    }

    fn fail(&mut self, rule: Rule, message: String) {
        let stmt = self.current.map(|s| self.func.show_stmt(s).lines().next().unwrap_or_default().to_owned());
        let loc = self.current.map_or(Loc::NONE, |s| s.loc);
        self.found.push(Violation { rule, func: self.func.name.clone(), stmt, loc, message });
    }

    /// Reports a violation unless `holds`; gives back `holds`.
    fn require(&mut self, holds: bool, rule: Rule, message: impl FnOnce() -> String) -> bool {
        if !holds {
            self.fail(rule, message());
        }
        holds
    }

    fn ty(&self, value: Value) -> &'m Type {
        self.func.ty(value)
    }

    fn show(&self, ty: &Type) -> String {
        self.func.show_type(ty)
    }

    /// A use of a value here.
    fn used(&mut self, value: Value) {
        if !self.visible[value.index()] {
            self.fail(Rule::Dominance, format!("{value} is used where no definition of it dominates"));
        }
    }

    /// A definition of a value here.
    fn define(&mut self, value: Value) {
        let first = !std::mem::replace(&mut self.defined[value.index()], true);
        self.require(first, Rule::Definition, || format!("{value} is defined more than once"));
        let ty = self.ty(value);
        self.well_formed(ty, &value.to_string());
        ty.dims.iter().for_each(|d| self.size_in_scope(d));
        if self.kernel.is_some() {
            self.require(ty.is_scalar(), Rule::KernelOp, || format!("{value} is an array, inside a kernel"));
        }
        if !self.visible[value.index()] {
            self.visible[value.index()] = true;
            self.scope.push(value);
        }
    }

    /// A size that is mentioned here.
    fn size_in_scope(&mut self, size: &Size) {
        self.size_in_scope_with(size, &[]);
    }

    /// A size that is mentioned where these values are defined too.
    fn size_in_scope_with(&mut self, size: &Size, more: &[Value]) {
        let is_hidden = |v: &&Value| !self.visible[v.index()] && !more.contains(v);
        let hidden = size.symbols().flat_map(|s| self.sym_values[s.index()].iter()).find(is_hidden);
        if let Some(value) = hidden.copied() {
            let size = self.func.show_size(size);
            self.fail(
                Rule::SizeScope,
                format!("the size {size} depends on {value}, which no definition dominates here"),
            );
        }
    }

    fn well_formed(&mut self, ty: &Type, what: &str) {
        let dims = &ty.dims;
        let ones = dims.iter().all(|d| d.is_one());
        let trailing = dims.len() > 2 && dims.last().is_some_and(Size::is_one);
        let negative = dims.iter().any(|d| d.as_constant().is_some_and(|c| c < 0));
        let text = ty.class == super::Class::Char;
        self.require(ty.class != super::Class::Complex, Rule::Class, || {
            format!("{what} is complex: it has not been split")
        });
        let array = dims.len() >= 2 && !ones && !trailing && !negative && !text;
        if !dims.is_empty() && !array {
            self.fail(Rule::Type, format!("{what} has the malformed type {}", self.show(ty)));
        }
    }
}
