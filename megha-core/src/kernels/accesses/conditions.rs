//! Conditions as alternatives of linear constraints, and numbers that are whole.

use super::definitions::Def;
use super::{AffineView, Counted};
use crate::affine::{LinExpr, System};
use crate::ir::bounds::LARGEST;
use crate::ir::{Binary, Class, Unary, Value};

/// Whole numbers up to these are exact in `Double` and in `Single`.
pub(super) const DOUBLE: u128 = 1 << 53;
const SINGLE: u128 = 1 << 24;

/// Alternatives of one condition.
const MOST_ALTERNATIVES: usize = 4;

impl AffineView<'_> {
    /// Expressions that are not negative in those iterations of a nest in which conditions hold, or, if not `taken`, do not hold: comparisons of
    /// whole numbers, as far as all alternatives have them that there can be in the nest. In a loop from 1 on `i ~= 1` says that `i` is 2 or more.
    pub fn guards(&mut self, loops: &[Counted], conditions: &[(Value, bool)]) -> Vec<LinExpr> {
        conditions.iter().flat_map(|(cond, taken)| self.guard(loops, *cond, *taken)).collect()
    }

    /// The same of one condition.
    pub(super) fn guard(&mut self, loops: &[Counted], cond: Value, taken: bool) -> Vec<LinExpr> {
        let Some(mut alternatives) = self.alternatives(cond, taken) else { return Vec::new() };
        if alternatives.len() > 1 {
            alternatives.retain(|system| self.may_hold(loops, system));
        }
        let Some((first, rest)) = alternatives.split_first() else { return vec![LinExpr::constant(-1)] };
        let mut sure = not_negative(first);
        for other in rest.iter().map(not_negative) {
            sure.retain(|expr| other.contains(expr));
        }
        sure
    }

    /// Whether no constraint of a conjunction contradicts the bounds of the loops.
    fn may_hold(&mut self, loops: &[Counted], system: &System) -> bool {
        not_negative(system).iter().all(|expr| {
            let negative = expr.checked_scale(-1).and_then(|less| less.checked_offset(-1));
            !negative.is_some_and(|negative| self.never_negative(loops, &negative))
        })
    }

    /// Constraints of which one conjunction holds exactly where a condition does (or, if not `taken`, where it does not); `None` if
    /// nothing is known. A conjunct of which nothing is known is left out, so together they may cover more.
    pub fn alternatives(&mut self, cond: Value, taken: bool) -> Option<Vec<System>> {
        if let Some(known) = self.known_conditions.get(&(cond, taken)) {
            return known.clone();
        }
        let found = self.find_alternatives(cond, taken);
        self.known_conditions.insert((cond, taken), found.clone());
        found
    }

    fn find_alternatives(&mut self, cond: Value, taken: bool) -> Option<Vec<System>> {
        match *self.definition(cond) {
            Def::Bool(holds) => Some(if holds == taken { vec![System::new()] } else { Vec::new() }),
            Def::Unary(Unary::Not, of) => self.alternatives(of, !taken),
            Def::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let (a, b) = (self.alternatives(a, taken), self.alternatives(b, taken));
                if (op == Binary::And) == taken { both(a, b) } else { either(a, b) }
            }
            Def::Choice(by, a, b) => {
                let [a, b] = [(a, true), (b, false)].map(|(of, is)| {
                    let (by, of) = (self.alternatives(by, is), self.alternatives(of, taken));
                    both(by, of)
                });
                either(a, b)
            }
            Def::Binary(op, a, b) => self.comparison(op, taken, a, b),
            _ => None,
        }
    }

    fn comparison(&mut self, op: Binary, taken: bool, a: Value, b: Value) -> Option<Vec<System>> {
        let (a, b) = (self.whole(a)?, self.whole(b)?);
        let (more, less) = (a.checked_sub(&b)?, b.checked_sub(&a)?);
        let one = |expr: LinExpr| Some(vec![holds(expr)]);
        match (op, taken) {
            (Binary::Ge, true) | (Binary::Lt, false) => one(more),
            (Binary::Gt, true) | (Binary::Le, false) => one(more.checked_offset(-1)?),
            (Binary::Le, true) | (Binary::Gt, false) => one(less),
            (Binary::Lt, true) | (Binary::Ge, false) => one(less.checked_offset(-1)?),
            (Binary::Eq, true) | (Binary::Ne, false) => {
                let mut equal = System::new();
                equal.require_zero(more);
                Some(vec![equal])
            }
            (Binary::Eq, false) | (Binary::Ne, true) => {
                Some(vec![holds(less.checked_offset(-1)?), holds(more.checked_offset(-1)?)])
            }
            _ => None,
        }
    }

    /// A number as a linear expression, where whatever the run computes on the way to it is that whole number: a float rounds beyond
    /// the largest numbers that it holds one by one, and integer classes saturate.
    pub(super) fn whole(&mut self, value: Value) -> Option<LinExpr> {
        let (found, limit) = match self.defs.class(value)? {
            Class::Index => (self.expr(value), LARGEST),
            Class::Double => (self.whole_float(value), DOUBLE),
            Class::Single => (self.whole_float(value), SINGLE),
            _ => return None,
        };
        found.filter(|found| self.stays_within(found, limit))
    }

    fn whole_float(&mut self, value: Value) -> Option<LinExpr> {
        if let Some(known) = self.known_floats.get(&value) {
            return known.clone();
        }
        let found = self.find_whole_float(value);
        self.known_floats.insert(value, found.clone());
        found
    }

    fn find_whole_float(&mut self, value: Value) -> Option<LinExpr> {
        match *self.definition(value) {
            Def::Float(x) if x.fract() == 0.0 && x.abs() <= DOUBLE as f64 => Some(LinExpr::constant(x as i64)),
            Def::Convert(of) if self.defs.class(of) == Some(Class::Index) => self.expr(of),
            Def::Binary(Binary::Add, a, b) => self.whole(a)?.checked_add(&self.whole(b)?),
            Def::Binary(Binary::Sub, a, b) => self.whole(a)?.checked_sub(&self.whole(b)?),
            Def::Binary(..) | Def::Unary(..) | Def::Choice(..) => self.local(value),
            _ => None,
        }
    }
}

fn holds(expr: LinExpr) -> System {
    let mut system = System::new();
    system.require_nonnegative(expr);
    system
}

/// The expressions that a conjunction requires not to be negative; of one that is to be zero also its negative.
fn not_negative(system: &System) -> Vec<LinExpr> {
    let mut found = Vec::new();
    for (expr, zero) in system.constraints() {
        found.extend(expr.checked_scale(-1).filter(|_| zero));
        found.push(expr.clone());
    }
    found
}

fn both(a: Option<Vec<System>>, b: Option<Vec<System>>) -> Option<Vec<System>> {
    match (a, b) {
        (Some(a), Some(b)) if a.len() * b.len() <= MOST_ALTERNATIVES => Some(
            a.iter()
                .flat_map(|one| {
                    b.iter().map(move |other| {
                        let mut joined = one.clone();
                        joined.require(other);
                        joined
                    })
                })
                .collect(),
        ),
        (Some(a), Some(b)) => Some(if a.len() <= b.len() { a } else { b }),
        (a, b) => a.or(b),
    }
}

fn either(a: Option<Vec<System>>, b: Option<Vec<System>>) -> Option<Vec<System>> {
    let all = [a?, b?].concat();
    (all.len() <= MOST_ALTERNATIVES).then_some(all)
}
