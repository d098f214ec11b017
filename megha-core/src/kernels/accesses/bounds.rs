//! Exact proofs that subscripts are in bounds, and how large linear expressions can be.

use super::definitions::Def;
use super::{AffineView, Atom, Counted, Extent};
use crate::affine::{LinExpr, System};
use crate::ir::bounds::{COUNTED, LARGEST, WHOLE};
use crate::ir::{Binary, Class, Size, Value};

/// Whole numbers up to these are exact in `Double` and in `Single`.
const DOUBLE: u128 = 1 << 53;
const SINGLE: u128 = 1 << 24;

/// Into how many cases conditions are split.
const MOST_CASES: usize = 4;

impl AffineView<'_> {
    /// Whether the terms of an expression and their sum stay within 64 bits in whatever iteration is run.
    pub fn is_exact(&self, expr: &LinExpr) -> bool {
        self.stays_within(expr, LARGEST)
    }

    /// Whether the magnitudes of the terms add up to no more than this.
    fn stays_within(&self, expr: &LinExpr, limit: u128) -> bool {
        let constant = u128::from(expr.constant_term().unsigned_abs());
        let sum = expr.terms().try_fold(constant, |sum, (var, coefficient)| {
            let term = self.atom_magnitude(self.atom(var))?.saturating_mul(coefficient.unsigned_abs().into());
            Some(sum.saturating_add(term))
        });
        sum.is_some_and(|sum| sum <= limit)
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
            Atom::Trip(_) => None,
        }
    }

    fn size_magnitude(&self, size: &Size) -> Option<u128> {
        self.symbols.magnitude(size, &|value| self.value_magnitude(value))
    }

    /// How large a value can be whose symbol, if it has one, has no bounds.
    fn value_magnitude(&self, value: Value) -> Option<u128> {
        match self.definition(value) {
            Def::Int(number) => Some(number.unsigned_abs().into()),
            Def::Size(size) => self.size_magnitude(size),
            Def::Argument => Some(self.symbols.limit().unsigned_abs().into()),
            Def::ToIndex => Some(WHOLE),
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
            Def::Binary(..) | Def::Float(_) | Def::Convert(_) | Def::Fill(_) | Def::Other => None,
        }
    }

    /// Whether a subscript provably lies in `0 .. extent` in all iterations of a nest in which the expressions `guards` are
    /// not negative.
    pub fn in_bounds(&mut self, loops: &[Counted], guards: &[LinExpr], subscript: &LinExpr, extent: &LinExpr) -> bool {
        let Some(below) = extent.checked_sub(subscript).and_then(|d| d.checked_offset(-1)) else { return false };
        if subscript.as_constant().is_some_and(|at| at >= 0) && below.as_constant().is_some_and(|room| room >= 0) {
            return true;
        }
        let domain = self.domain(loops, guards.iter().chain([subscript, extent]));
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
        system.implies(subscript) == Some(true) && system.implies(&below) == Some(true)
    }

    /// Whether an expression is provably not negative in all iterations of a nest.
    pub fn never_negative(&mut self, loops: &[Counted], expr: &LinExpr) -> bool {
        let domain = self.domain(loops, [expr]);
        let mut system: System = domain.assumptions.clone();
        for l in &domain.loops {
            system.require_nonnegative(LinExpr::var(l.var));
            if let Some(room) = l.upper.checked_sub(&LinExpr::var(l.var)) {
                system.require_nonnegative(room);
            }
        }
        system.implies(expr) == Some(true)
    }

    /// Expressions that are not negative where a condition holds (or, if not `taken`, where it does not hold): comparisons of
    /// whole numbers, joined by `and` (or `or`).
    pub fn guard(&mut self, cond: Value, taken: bool) -> Vec<LinExpr> {
        let Def::Binary(op, a, b) = *self.definition(cond) else { return Vec::new() };
        match (op, taken) {
            (Binary::And, true) | (Binary::Or, false) => {
                let mut both = self.guard(a, taken);
                both.extend(self.guard(b, taken));
                both
            }
            _ => self.comparison(op, taken, a, b).unwrap_or_default(),
        }
    }

    /// As [`AffineView::guard`] of several conditions that all hold, where one may be an inequality: the cases that together
    /// cover it, at most `MOST_CASES`.
    pub fn guard_cases(&mut self, conditions: &[(Value, bool)]) -> Vec<Vec<LinExpr>> {
        let mut cases = vec![Vec::new()];
        for (cond, taken) in conditions {
            let sure = self.guard(*cond, *taken);
            cases.iter_mut().for_each(|case| case.extend(sure.iter().cloned()));
            let Some(sides) = self.unequal(*cond, *taken).filter(|_| 2 * cases.len() <= MOST_CASES) else { continue };
            cases = sides
                .iter()
                .flat_map(|side| cases.iter().map(|case| [&case[..], std::slice::from_ref(side)].concat()))
                .collect();
        }
        cases
    }

    /// Of a condition that says that two numbers differ: that the first is less, or that it is greater.
    fn unequal(&mut self, cond: Value, taken: bool) -> Option<[LinExpr; 2]> {
        let ((Def::Binary(Binary::Ne, a, b), true) | (Def::Binary(Binary::Eq, a, b), false)) =
            (self.definition(cond), taken)
        else {
            return None;
        };
        let (a, b) = (self.whole(*a)?, self.whole(*b)?);
        Some([b.checked_sub(&a)?.checked_offset(-1)?, a.checked_sub(&b)?.checked_offset(-1)?])
    }

    fn comparison(&mut self, op: Binary, taken: bool, a: Value, b: Value) -> Option<Vec<LinExpr>> {
        let (a, b) = (self.whole(a)?, self.whole(b)?);
        let (a_minus_b, b_minus_a) = (a.checked_sub(&b)?, b.checked_sub(&a)?);
        let found = match (op, taken) {
            (Binary::Ge, true) | (Binary::Lt, false) => vec![a_minus_b],
            (Binary::Gt, true) | (Binary::Le, false) => vec![a_minus_b.checked_offset(-1)?],
            (Binary::Le, true) | (Binary::Gt, false) => vec![b_minus_a],
            (Binary::Lt, true) | (Binary::Ge, false) => vec![b_minus_a.checked_offset(-1)?],
            (Binary::Eq, true) | (Binary::Ne, false) => vec![a_minus_b, b_minus_a],
            _ => Vec::new(),
        };
        Some(found)
    }

    /// A number as a linear expression, where whatever the run computes on the way to it is that whole number: a float rounds beyond
    /// the largest numbers that it holds one by one, and integer classes saturate.
    fn whole(&mut self, value: Value) -> Option<LinExpr> {
        let limit = match self.defs.class(value)? {
            Class::Index => LARGEST,
            Class::Double => DOUBLE,
            Class::Single => SINGLE,
            _ => return None,
        };
        let found = match *self.definition(value) {
            Def::Float(x) if x.fract() == 0.0 && x.abs() <= DOUBLE as f64 => Some(LinExpr::constant(x as i64)),
            Def::Float(_) | Def::Fill(_) | Def::Other | Def::Argument | Def::ToIndex => None,
            Def::Convert(of) => match self.definition(of) {
                Def::Size(_) | Def::Int(_) | Def::Counter(_) => self.expr(of),
                _ => None,
            },
            Def::Binary(op, a, b) => {
                let (a, b) = (self.whole(a)?, self.whole(b)?);
                match op {
                    Binary::Add => a.checked_add(&b),
                    Binary::Sub => a.checked_sub(&b),
                    _ => None,
                }
            }
            Def::Int(_) | Def::Size(_) | Def::Counter(_) => self.expr(value),
        };
        found.filter(|found| self.stays_within(found, limit))
    }
}
