//! Loops and conditions as conjunctions: expressions that are not negative in exactly those iterations that a loop has, or for which a
//! condition holds.

use super::definitions::Def;
use super::{AffineView, Atom, Counted, Extent, Scope};
use crate::affine::LinExpr;
use crate::hash::HashSet;
use crate::ir::{Binary, Size, SymDef, Value};

/// Of more ends of one loop the tests would cost more than they save.
const MOST: usize = 4;

impl AffineView<'_> {
    /// Where a loop ends, the counters of loops around it given: expressions in these and its own counter that are not negative in exactly
    /// those of the numbers from zero on that are its iterations. `None` if there are no such expressions, or sums in them might wrap.
    pub fn ends(&mut self, counted: &Counted) -> Option<Vec<LinExpr>> {
        let own = LinExpr::var(self.var(Atom::Value(counted.counter)));
        let ends = match &counted.extent {
            Extent::Size(size) => self.below(&own, size, 0),
            Extent::Trip(trip) => self.below_value(&own, *trip, 0),
        }?;
        ends.iter().all(|end| self.has_room(end)).then_some(ends)
    }

    /// The same where all that they are made of is known before `scope`, or is a counter of the loops around it in there.
    pub fn ends_under(&mut self, counted: &Counted, outer: &[Value], scope: Scope) -> Option<Vec<LinExpr>> {
        let ends = self.ends(counted)?;
        let known =
            |value: &Value| outer.contains(value) || *value == counted.counter || !self.defs.is_inside(*value, scope);
        let is_known = |end: &LinExpr| {
            end.terms().all(|(var, _)| match self.atom(var) {
                Atom::Value(value) => known(value),
                Atom::Symbol(_) | Atom::Product(_) => true,
                Atom::Trip(_) | Atom::Quotient(..) => false,
            })
        };
        ends.iter().all(is_known).then_some(ends)
    }

    /// Expressions that are not negative exactly where a condition holds, if it is a conjunction of affine comparisons.
    pub fn conditions(&mut self, cond: Value) -> Option<Vec<LinExpr>> {
        let (mut open, mut seen, mut all) = (vec![cond], HashSet::default(), Vec::new());
        while let Some(cond) = open.pop() {
            // A part of a conjunction may be part of it many times.
            if !seen.insert(cond) {
                continue;
            }
            let Def::Binary(op, a, b) = *self.definition(cond) else { return None };
            let found = match op {
                Binary::And => {
                    open.extend([b, a]);
                    continue;
                }
                Binary::Ge | Binary::Gt | Binary::Le | Binary::Lt | Binary::Eq => self.guard(&[], cond, true),
                _ => return None,
            };
            if found.is_empty() || !found.iter().all(|e| self.has_room(e)) {
                return None;
            }
            all.extend(found);
        }
        Some(all)
    }

    /// Whether an expression stays exact over the box around the iterations, whose sides are sums of its terms.
    fn has_room(&self, expr: &LinExpr) -> bool {
        expr.checked_scale(4).is_some_and(|e| self.is_exact(&e))
    }

    /// The iterations `own < trip`.
    fn below_value(&mut self, own: &LinExpr, trip: Value, depth: usize) -> Option<Vec<LinExpr>> {
        if let Some(trip) = self.expr(trip) {
            return Some(vec![trip.checked_sub(own)?.checked_offset(-1)?]);
        }
        match self.definition(trip) {
            Def::Size(size) => self.below(own, &size.clone(), depth),
            Def::Binary(Binary::Min, a, b) => {
                let (a, b) = (*a, *b);
                self.both(depth, &mut |view, depth| view.below_value(own, a, depth), &mut |view, depth| {
                    view.below_value(own, b, depth)
                })
            }
            Def::Binary(Binary::Max, a, b) => {
                let (a, b) = (*a, *b);
                let no_more_than_zero = |v: Value| matches!(self.definition(v), Def::Int(n) if *n <= 0);
                match (no_more_than_zero(a), no_more_than_zero(b)) {
                    (true, _) => self.below_value(own, b, depth),
                    (_, true) => self.below_value(own, a, depth),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The iterations `own < trip`.
    fn below(&mut self, own: &LinExpr, trip: &Size, depth: usize) -> Option<Vec<LinExpr>> {
        if let Some(trip) = self.size(trip) {
            return Some(vec![trip.checked_sub(own)?.checked_offset(-1)?]);
        }
        let syms: Vec<_> = trip.symbols().collect();
        for sym in syms {
            let Some(factor) = trip.only_factor(sym) else { continue };
            let alone = trip.as_sym().is_some();
            let with = |by: &Size| trip.plus(-factor, &Size::sym(sym)).plus(factor, by);
            let no_more_than_zero = |s: &Size| s.as_constant().is_some_and(|c| c <= 0);
            match self.symbols.get(sym).def.clone() {
                SymDef::Value(value) if alone => return self.below_value(own, value, depth),
                SymDef::Max(a, b) if alone && no_more_than_zero(&a) => return self.below(own, &b, depth),
                SymDef::Max(a, b) if alone && no_more_than_zero(&b) => return self.below(own, &a, depth),
                SymDef::Min(a, b) | SymDef::Max(a, b) if self.varies_with(sym) => {
                    let is_least = matches!(self.symbols.get(sym).def, SymDef::Min(..)) == (factor > 0);
                    return if is_least {
                        self.both(depth, &mut |view, depth| view.below(own, &with(&a), depth), &mut |view, depth| {
                            view.below(own, &with(&b), depth)
                        })
                    } else {
                        None
                    };
                }
                SymDef::FloorDiv(a, by) if factor == 1 && self.varies_with(sym) => {
                    // own < a / by + more, rounded down: by * (own + 1 - more) <= a
                    let by = by.as_constant().filter(|by| *by > 0)?;
                    let more = self.size(&trip.sub(&Size::sym(sym)))?;
                    let reached = own.checked_offset(1)?.checked_sub(&more)?.checked_scale(by)?;
                    return Some(vec![self.size(&a)?.checked_sub(&reached)?]);
                }
                _ => {}
            }
        }
        None
    }

    fn varies_with(&self, sym: crate::ir::Sym) -> bool {
        self.size_varies(&Size::sym(sym))
    }

    fn both(
        &mut self,
        depth: usize,
        first: &mut dyn FnMut(&mut Self, usize) -> Option<Vec<LinExpr>>,
        second: &mut dyn FnMut(&mut Self, usize) -> Option<Vec<LinExpr>>,
    ) -> Option<Vec<LinExpr>> {
        if depth == MOST {
            return None;
        }
        let mut ends = first(self, depth + 1)?;
        ends.extend(second(self, depth + 1)?);
        (ends.len() <= MOST).then_some(ends)
    }
}
