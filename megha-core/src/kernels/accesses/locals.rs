//! Values that vary within a nest and are no linear function of its counters, but are bound to them by linear constraints:
//! quotients and remainders by constants, extremes, values that a condition chooses, remainders by a size.
//!
//! They are local variables of a domain. A quotient's constraints always hold; of an extreme's or a choice's alternatives one does,
//! so a domain becomes several *cases*, which together cover it. This is index-set splitting in the dependence test: no
//! loop is split.

use super::conditions::DOUBLE;
use super::definitions::Def;
use super::{AffineView, Atom, Counted};
use crate::affine::{Access, Domain, Feasibility, LinExpr, System, Var};
use crate::ir::bounds::LARGEST;
use crate::ir::size::SymDef;
use crate::ir::{Binary, Class, Sym, Unary, Value};

/// Into how many cases a domain is split.
const MOST_CASES: usize = 6;

/// What a local variable stands for.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// The less of two.
    Least([LinExpr; 2]),
    /// The greater of two.
    Greatest([LinExpr; 2]),
    /// The remainder of the first by the second.
    Remainder([LinExpr; 2]),
    /// One or the other.
    Choice([LinExpr; 2]),
}

/// What is known of a local variable.
#[derive(Debug, Clone)]
pub(super) struct LocalValue {
    meaning: Meaning,
    /// Conjunctions of which one holds.
    alternatives: Vec<Alternative>,
    /// No larger than this.
    pub magnitude: Option<u128>,
}

#[derive(Debug, Clone)]
struct Alternative {
    system: System,
    /// Whether it determines the variable.
    determines: bool,
}

impl AffineView<'_> {
    /// The same view, in which such values are local variables; where nothing varies, all are.
    pub fn with_locals(mut self) -> Self {
        self.has_locals = true;
        self
    }

    /// A value that is no linear expression, where it varies.
    pub(super) fn local(&mut self, value: Value) -> Option<LinExpr> {
        if !self.has_locals || !self.varying.is_empty() && !self.varies(value) {
            return None;
        }
        if let Some(known) = self.known_locals.get(&value) {
            return known.clone();
        }
        self.known_locals.insert(value, None);
        let found = self.find_local(value);
        self.known_locals.insert(value, found.clone());
        found
    }

    fn find_local(&mut self, value: Value) -> Option<LinExpr> {
        let is_index = self.defs.class(value)? == Class::Index;
        match *self.definition(value) {
            Def::Binary(Binary::Div, a, b) if is_index => self.quotient_by(a, b),
            Def::Binary(Binary::Divu, a, b) => {
                let of = self.whole(a)?;
                if self.is_never_negative(&of) { self.quotient_by(a, b) } else { None }
            }
            Def::Binary(op @ (Binary::Mod | Binary::Rem | Binary::Remu), a, b) => self.remainder(value, op, a, b),
            Def::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                let (a, b) = (self.whole(a)?, self.whole(b)?);
                self.extreme(Atom::Value(value), op == Binary::Max, &a, &b)
            }
            Def::Unary(Unary::Floor, of) => match *self.definition(of) {
                Def::Binary(Binary::Div, a, b) => self.quotient_by(a, b),
                _ => self.whole(of),
            },
            Def::Unary(Unary::Fix, of) => match *self.definition(of) {
                Def::Binary(Binary::Div, a, b) => {
                    let by = self.whole(a)?;
                    if self.is_never_negative(&by) { self.quotient_by(a, b) } else { None }
                }
                _ => self.whole(of),
            },
            Def::Choice(by, a, b) => self.choice(value, by, a, b),
            _ => None,
        }
    }

    /// A symbol that varies.
    pub(super) fn local_symbol(&mut self, sym: Sym) -> Option<LinExpr> {
        if !self.has_locals {
            return None;
        }
        match self.symbols.get(sym).def.clone() {
            SymDef::Max(a, b) | SymDef::Min(a, b) => {
                let is_max = matches!(self.symbols.get(sym).def, SymDef::Max(..));
                let (a, b) = (self.size(&a)?, self.size(&b)?);
                self.extreme(Atom::Symbol(sym), is_max, &a, &b)
            }
            SymDef::FloorDiv(a, by) => {
                let (a, by) = (self.size(&a)?, by.as_constant().filter(|by| *by > 0)?);
                self.quotient(&a, by)
            }
            SymDef::Dim(..) | SymDef::Value(_) => None,
        }
    }

    fn quotient_by(&mut self, a: Value, b: Value) -> Option<LinExpr> {
        let by = self.whole(b)?.as_constant().filter(|by| *by > 0)?;
        let of = self.whole(a)?;
        self.quotient(&of, by)
    }

    /// `floor(of / by)`: what is a multiple leaves the quotient.
    fn quotient(&mut self, of: &LinExpr, by: i64) -> Option<LinExpr> {
        let multiples = of.terms().filter(|(_, c)| c % by == 0).map(|(var, c)| (var, c / by));
        let others = of.terms().filter(|(_, c)| c % by != 0);
        let whole = LinExpr::from_terms(multiples, of.constant_term().div_euclid(by))?;
        let rest = LinExpr::from_terms(others, of.constant_term().rem_euclid(by))?;
        if rest.as_constant().is_some() {
            return Some(whole);
        }
        whole.checked_add(&LinExpr::var(self.var(Atom::Quotient(rest, by))))
    }

    fn remainder(&mut self, value: Value, op: Binary, a: Value, b: Value) -> Option<LinExpr> {
        let (a, b) = (self.whole(a)?, self.whole(b)?);
        let keeps_sign = op == Binary::Mod || self.is_never_negative(&a);
        if !keeps_sign || op == Binary::Remu && !self.is_never_negative(&b) {
            return None;
        }
        if let Some(by) = b.as_constant() {
            let quotient = self.quotient(&a, Some(by).filter(|by| *by > 0)?)?;
            return a.checked_sub(&quotient.checked_scale(by)?);
        }
        self.wrapped(value, &without_multiples(a, &b)?, &b)
    }

    /// `mod(a, n)`, known where `a` is within `-n .. 2n`.
    fn wrapped(&mut self, value: Value, a: &LinExpr, n: &LinExpr) -> Option<LinExpr> {
        let var = self.var(Atom::Value(value));
        let this = LinExpr::var(var);
        let (below, above) = (a.checked_add(n)?, a.checked_sub(n)?);
        let mut alternatives = Vec::new();
        for equal in [a, &above, &below] {
            let mut system = System::new();
            system.require_zero(this.checked_sub(equal)?).require_nonnegative(equal.clone());
            system.require_nonnegative(n.checked_sub(equal)?.checked_offset(-1)?);
            alternatives.push(Alternative { system, determines: true });
        }
        // Elsewhere it is not known.
        let not_positive = n.checked_scale(-1)?;
        let (far, before) = (above.checked_sub(n)?, below.checked_scale(-1)?.checked_offset(-1)?);
        for outside in [far, before, not_positive] {
            let mut system = System::new();
            system.require_nonnegative(outside);
            alternatives.push(Alternative { system, determines: false });
        }
        // By zero the remainder is the number itself.
        let magnitude = self.magnitude(n).zip(self.magnitude(a)).map(|(n, a)| n.max(a));
        let meaning = Meaning::Remainder([a.clone(), n.clone()]);
        self.locals.insert(var, LocalValue { meaning, alternatives, magnitude });
        Some(this)
    }

    fn extreme(&mut self, atom: Atom, is_max: bool, a: &LinExpr, b: &LinExpr) -> Option<LinExpr> {
        let difference = if is_max { a.checked_sub(b)? } else { b.checked_sub(a)? };
        match difference.as_constant() {
            Some(0..) => return Some(a.clone()),
            Some(_) => return Some(b.clone()),
            None => {}
        }
        let var = self.var(atom);
        let this = LinExpr::var(var);
        let (mut first, mut second) = (System::new(), System::new());
        first.require_zero(this.checked_sub(a)?).require_nonnegative(difference.clone());
        second.require_zero(this.checked_sub(b)?);
        second.require_nonnegative(difference.checked_scale(-1)?.checked_offset(-1)?);
        let magnitude = self.magnitude(a).zip(self.magnitude(b)).map(|(a, b)| a.max(b));
        let alternatives = [first, second].map(|system| Alternative { system, determines: true }).to_vec();
        let both = [a.clone(), b.clone()];
        let meaning = if is_max { Meaning::Greatest(both) } else { Meaning::Least(both) };
        self.locals.insert(var, LocalValue { meaning, alternatives, magnitude });
        Some(this)
    }

    fn choice(&mut self, value: Value, by: Value, a: Value, b: Value) -> Option<LinExpr> {
        let sides = [self.whole(a)?, self.whole(b)?];
        if sides[0] == sides[1] {
            return Some(sides[0].clone());
        }
        let var = self.var(Atom::Value(value));
        let this = LinExpr::var(var);
        let mut alternatives = Vec::new();
        for (side, taken) in sides.iter().zip([true, false]) {
            let conditions = self.alternatives(by, taken);
            // Which of the two it is decides itself by something else than the loops.
            let determines = conditions.is_some();
            for mut system in conditions.unwrap_or_else(|| vec![System::new()]) {
                system.require_zero(this.checked_sub(side)?);
                alternatives.push(Alternative { system, determines });
            }
        }
        let magnitude = self.magnitude(&sides[0]).zip(self.magnitude(&sides[1])).map(|(a, b)| a.max(b));
        let limit = if self.defs.class(value)? == Class::Index { LARGEST } else { DOUBLE };
        magnitude.filter(|m| *m <= limit)?;
        self.locals.insert(var, LocalValue { meaning: Meaning::Choice(sides), alternatives, magnitude });
        Some(this)
    }

    /// Whether what is known of its variables says so.
    fn is_never_negative(&mut self, expr: &LinExpr) -> bool {
        self.domain(&[], [expr]).assumptions.implies(expr) == Some(true)
    }

    /// What a variable stands for, if it is a local one but no quotient.
    pub fn meaning(&self, var: Var) -> Option<&Meaning> {
        self.locals.get(&var).map(|local| &local.meaning)
    }

    /// Whether a condition holds in whatever iterations of these loops some others do, or never does; `None` if neither is known.
    pub fn settled(&mut self, (loops, others): (&[Counted], &[(Value, bool)]), cond: Value) -> Option<bool> {
        self.alternatives(cond, true)?;
        [false, true].into_iter().find(|answer| {
            let conditions = [others, &[(cond, !answer)]].concat();
            self.cases(loops, &conditions, []).iter().all(is_empty)
        })
    }

    /// Whether a variable has its own value in each iteration, loops not counted.
    pub(super) fn is_local(&self, var: Var) -> bool {
        self.locals.contains_key(&var) || matches!(self.atom(var), Atom::Quotient(..))
    }

    /// The iterations of a nest that come to an access where all these conditions hold, in cases that together cover them.
    pub fn cases_of(&mut self, loops: &[Counted], conditions: &[(Value, bool)], access: &Access) -> Vec<Domain> {
        let known: Vec<LinExpr> = access.variables().map(LinExpr::var).collect();
        self.cases(loops, conditions, &known)
    }

    /// The iterations of a nest that come to where all these conditions hold, in cases that together cover them; in each the local
    /// variables of the expressions have their meaning.
    pub fn cases<'e>(
        &mut self,
        loops: &[Counted],
        conditions: &[(Value, bool)],
        exprs: impl IntoIterator<Item = &'e LinExpr>,
    ) -> Vec<Domain> {
        let mut exprs: Vec<LinExpr> = exprs.into_iter().cloned().collect();
        let mut guards: Vec<Vec<Alternative>> = Vec::new();
        for (cond, taken) in conditions {
            let Some(alternatives) = self.alternatives(*cond, *taken) else { continue };
            exprs.extend(alternatives.iter().flat_map(|s| s.constraints().map(|(expr, _)| expr.clone())));
            guards.push(alternatives.into_iter().map(|system| Alternative { system, determines: true }).collect());
        }
        // The local variables that occur, also in what is known of others.
        let mut domain = self.domain(loops, &exprs);
        let mut at = 0;
        while let Some(local) = domain.locals.get(at).copied() {
            at += 1;
            let Some(known) = self.locals.get(&local.var) else { continue };
            let more = known.alternatives.iter().flat_map(|a| a.system.constraints().map(|(expr, _)| expr.clone()));
            let before = exprs.len();
            exprs.extend(more);
            if exprs[before..].iter().any(|e| e.terms().any(|(var, _)| self.is_new(&domain, var))) {
                domain = self.domain(loops, &exprs);
            }
        }
        let mut cases = vec![domain];
        for alternatives in guards {
            cases = split(cases, &alternatives, None);
        }
        let locals: Vec<Var> = cases.first().map(|d| d.locals.iter().map(|l| l.var).collect()).unwrap_or_default();
        for var in locals {
            if let Some(known) = self.locals.get(&var) {
                cases = split(cases, &known.alternatives, Some(var));
            }
        }
        cases
    }

    /// Whether a domain says nothing of a variable yet.
    fn is_new(&self, domain: &Domain, var: Var) -> bool {
        let is_loop = domain.loops.iter().any(|l| l.var == var);
        !is_loop && !domain.locals.iter().any(|l| l.var == var) && !domain.assumptions.variables().contains(&var)
    }
}

/// Splits cases by alternatives, of `of` if they are those of a local variable. What is empty goes; if too many are left, the
/// alternatives are forgotten.
fn split(cases: Vec<Domain>, alternatives: &[Alternative], of: Option<Var>) -> Vec<Domain> {
    let several = alternatives.len() != 1;
    let mut new = Vec::new();
    for case in &cases {
        for alternative in alternatives {
            let mut narrowed = case.clone();
            narrowed.assumptions.require(&alternative.system);
            if several && is_empty(&narrowed) {
                continue;
            }
            let this = |l: &&mut crate::affine::Local| Some(l.var) == of && !alternative.determines;
            narrowed.locals.iter_mut().filter(this).for_each(|l| l.determined = false);
            new.push(narrowed);
        }
    }
    if new.len() <= MOST_CASES {
        return new;
    }
    let mut kept = cases;
    let locals = kept.iter_mut().flat_map(|case| &mut case.locals);
    locals.filter(|l| Some(l.var) == of).for_each(|l| l.determined = false);
    kept
}

fn is_empty(domain: &Domain) -> bool {
    let mut system = domain.assumptions.clone();
    for l in &domain.loops {
        let this = LinExpr::var(l.var);
        let bounds = [this.checked_sub(&l.lower), l.upper.checked_sub(&this)];
        for bound in bounds.into_iter().flatten() {
            system.require_nonnegative(bound);
        }
    }
    system.feasibility() == Feasibility::Infeasible
}

/// A dividend without the multiples of the divisor that it is a sum with: `i + n - 1` leaves what `i - 1` does.
fn without_multiples(a: LinExpr, n: &LinExpr) -> Option<LinExpr> {
    let mut terms = n.terms();
    let (Some((var, 1)), None, 0) = (terms.next(), terms.next(), n.constant_term()) else { return Some(a) };
    a.checked_sub(&n.checked_scale(a.coefficient(var))?)
}
