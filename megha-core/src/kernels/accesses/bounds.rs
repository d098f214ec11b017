//! Exact proofs that subscripts are in bounds, and how large linear expressions can be.

use super::definitions::Def;
use super::{AffineView, Atom, Counted, Extent};
use crate::affine::{LinExpr, System};
use crate::ir::bounds::{COUNTED, LARGEST, WHOLE};
use crate::ir::{Binary, Class, Size, Value};

impl AffineView<'_> {
    /// Whether an expression is provably not negative in all iterations of a nest.
    pub fn never_negative(&mut self, loops: &[Counted], expr: &LinExpr) -> bool {
        self.known_of(loops, &[], [expr]).implies(expr) == Some(true)
    }

    /// What holds in all iterations of a nest in which the expressions `guards` are not negative, of what occurs in these and in `exprs`.
    fn known_of<'e>(
        &mut self,
        loops: &[Counted],
        guards: &'e [LinExpr],
        exprs: impl IntoIterator<Item = &'e LinExpr>,
    ) -> System {
        let domain = self.domain(loops, guards.iter().chain(exprs));
        let mut system: System = domain.assumptions.clone();
        for l in &domain.loops {
            system.require_nonnegative(LinExpr::var(l.var));
            if let Some(room) = l.upper.checked_sub(&LinExpr::var(l.var)) {
                system.require_nonnegative(room);
            }
        }
        for guard in guards {
            system.require_nonnegative(guard.clone());
        }
        system
    }

    /// Whether the terms of an expression and their sum stay within 64 bits in whatever iteration is run.
    pub fn is_exact(&self, expr: &LinExpr) -> bool {
        self.stays_within(expr, LARGEST)
    }

    /// Whether the magnitudes of the terms add up to no more than this.
    pub(super) fn stays_within(&self, expr: &LinExpr, limit: u128) -> bool {
        self.magnitude(expr).is_some_and(|sum| sum <= limit)
    }

    /// The sum of the magnitudes of the terms.
    pub(super) fn magnitude(&self, expr: &LinExpr) -> Option<u128> {
        let constant = u128::from(expr.constant_term().unsigned_abs());
        expr.terms().try_fold(constant, |sum, (var, coefficient)| {
            let known = self.locals.get(&var).map(|local| local.magnitude);
            let atom = known.unwrap_or_else(|| self.atom_magnitude(self.atom(var)))?;
            Some(sum.saturating_add(atom.saturating_mul(coefficient.unsigned_abs().into())))
        })
    }

    fn atom_magnitude(&self, atom: &Atom) -> Option<u128> {
        let product = |syms: &[_]| syms.iter().fold(Size::constant(1), |product, s| product.mul(&Size::sym(*s)));
        match atom {
            Atom::Value(value) => match self.defs.symbol_of(*value) {
                Some(sym) => self.size_magnitude(&Size::sym(sym)),
                None => self.value_magnitude(*value),
            },
            Atom::Symbol(sym) => self.size_magnitude(&Size::sym(*sym)),
            Atom::Product(syms) => self.size_magnitude(&product(syms)),
            Atom::Quotient(of, _) => self.magnitude(of),
            Atom::Trip(_) => None,
        }
    }

    pub(super) fn size_magnitude(&self, size: &Size) -> Option<u128> {
        self.symbols.magnitude(size, &|value| self.value_magnitude(value))
    }

    /// How large a value can be whose symbol, if it has one, has no bounds.
    fn value_magnitude(&self, value: Value) -> Option<u128> {
        if let Some(known) = self.known_magnitudes.borrow().get(&value) {
            return *known;
        }
        let found = self.find_value_magnitude(value);
        self.known_magnitudes.borrow_mut().insert(value, found);
        found
    }

    fn find_value_magnitude(&self, value: Value) -> Option<u128> {
        match self.definition(value) {
            Def::Int(number) => Some(number.unsigned_abs().into()),
            Def::Size(size) => self.size_magnitude(size),
            Def::Argument => Some(self.symbols.limits().numbers.unsigned_abs().into()),
            Def::ToIndex(_) => Some(WHOLE),
            Def::Counter(extent) => {
                let trip = match extent {
                    Extent::Size(size) => self.size_magnitude(size),
                    Extent::Trip(trip) => match self.definition(*trip) {
                        Def::Int(number) => Some(number.unsigned_abs().into()),
                        Def::Size(size) => self.size_magnitude(size),
                        _ => None,
                    },
                };
                Some(trip.map_or(COUNTED, |trip| trip.min(COUNTED)))
            }
            Def::Binary(..)
            | Def::Unary(..)
            | Def::Choice(..)
            | Def::Bool(_)
            | Def::Float(_)
            | Def::Convert(_)
            | Def::Fill(_)
            | Def::Element(_)
            | Def::Other => None,
        }
    }

    /// Whether a subscript provably lies in `0 .. extent` in all iterations of a nest in which the expressions `guards` are
    /// not negative.
    pub fn in_bounds(&mut self, loops: &[Counted], guards: &[LinExpr], subscript: &LinExpr, extent: &LinExpr) -> bool {
        let Some(below) = extent.checked_sub(subscript).and_then(|d| d.checked_offset(-1)) else { return false };
        if subscript.as_constant().is_some_and(|at| at >= 0) && below.as_constant().is_some_and(|room| room >= 0) {
            return true;
        }
        let system = self.known_of(loops, guards, [subscript, extent]);
        system.implies(subscript) == Some(true) && system.implies(&below) == Some(true)
    }

    /// Whether a subscript is a remainder by a positive number that is at most the extent, in all such iterations.
    pub fn remainder_in_bounds(
        &mut self,
        loops: &[Counted],
        guards: &[LinExpr],
        subscript: Value,
        extent: &LinExpr,
    ) -> bool {
        let Def::Binary(op @ (Binary::Mod | Binary::Rem | Binary::Remu), a, b) = *self.definition(subscript) else {
            return false;
        };
        if self.defs.class(subscript) != Some(Class::Index) {
            return false;
        }
        let (a, Some(b)) = (self.expr(a), self.expr(b)) else { return false };
        let (Some(room), Some(before)) = (extent.checked_sub(&b), b.checked_offset(-1)) else { return false };
        // What the dividend is made of says something of the divisor: where `i` is below `n`, `n` is positive.
        let system = self.known_of(loops, guards, a.iter().chain([&b, extent]));
        let holds = |expr: &LinExpr| system.implies(expr) == Some(true);
        holds(&before) && holds(&room) && (op != Binary::Rem || a.is_some_and(|a| holds(&a)))
    }
}
