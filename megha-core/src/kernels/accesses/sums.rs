//! From the affine framework back to the IR: linear expressions as sizes, with symbols for the values in them.

use super::{AffineView, Atom, Definitions};
use crate::affine::LinExpr;
use crate::ir::size::{SymData, SymDef};
use crate::ir::{Class, Func, Size, Sym, Type, Value};

/// An affine function of counters and of what is known before the nest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sum {
    pub terms: Vec<(Atom, i64)>,
    constant: i64,
}

impl Sum {
    /// Of an expression without quotients.
    pub fn of(view: &AffineView<'_>, expr: &LinExpr) -> Self {
        let terms = expr.terms().map(|(var, c)| (view.atom(var).clone(), c)).collect();
        Self { terms, constant: expr.constant_term() }
    }

    /// The expression again.
    pub fn expr(&self, view: &mut AffineView<'_>) -> Option<LinExpr> {
        let terms: Vec<_> = self.terms.iter().map(|(atom, c)| (view.var(atom.clone()), *c)).collect();
        LinExpr::from_terms(terms, self.constant)
    }

    /// As a size; counters get symbols.
    pub fn size(&self, func: &mut Func, defs: &Definitions) -> Size {
        let mut size = Size::constant(self.constant);
        for (atom, coefficient) in &self.terms {
            let term = match atom {
                Atom::Value(value) | Atom::Trip(value) => Size::sym(symbol_of(func, defs, *value)),
                Atom::Symbol(sym) => Size::sym(*sym),
                Atom::Product(syms) => syms.iter().fold(Size::constant(1), |p, s| p.mul(&Size::sym(*s))),
                Atom::Quotient(..) => unreachable!("what is noted has no quotients"),
            };
            size = size.plus(*coefficient, &term);
        }
        size
    }
}

/// The symbol that stands for a value.
pub(crate) fn symbol_of(func: &mut Func, defs: &Definitions, value: Value) -> Sym {
    let new = |func: &Func| func.symbols.iter().find(|(_, data)| data.def == SymDef::Value(value)).map(|(sym, _)| sym);
    match defs.symbol_of(value).or_else(|| new(func)) {
        Some(sym) => sym,
        None => symbol(func, SymDef::Value(value), Vec::new(), Vec::new()),
    }
}

/// A new counter of so many iterations, with the name of another one, and the symbol for it.
pub(crate) fn new_counter(func: &mut Func, named: Value, extent: &Size) -> (Value, Sym) {
    let counter = func.new_value(Type::scalar(Class::Index));
    func.names[counter.index()] = func.names[named.index()].clone();
    let last = vec![extent.add_const(-1)];
    (counter, symbol(func, SymDef::Value(counter), vec![Size::default()], last))
}

/// A symbol of this definition and with these bounds, with a name that is free.
pub(crate) fn symbol(func: &mut Func, def: SymDef, at_least: Vec<Size>, at_most: Vec<Size>) -> Sym {
    let stem = if matches!(def, SymDef::Value(_)) { "number" } else { "trip" };
    let mut number = func.symbols.len();
    while func.symbols.by_name(&format!("{stem}{number}")).is_some() {
        number += 1;
    }
    func.symbols.define(SymData { name: format!("{stem}{number}"), def, at_least, at_most })
}
