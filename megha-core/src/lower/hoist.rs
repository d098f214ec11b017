//! Arrays that loops create or make larger get their sizes before the loop.
//!
//! A store `x(f(i), ..) = v` that every iteration of a counted loop executes, with f affine in the loop variable, makes `x` as
//! large as the largest subscript of the whole loop. If nothing in the loop can tell how large `x` is meanwhile, `x` gets
//! that size at once, and the loop is what it would be behind `x = zeros(..)`. In a nest each loop asks the one around it.
//! A variable that stores create in another way is `[]` before the loop, and grows in it.

use super::brackets::Hollow;
use super::checkpoint::Start;
use super::control::{Carried, Form, FrameKind};
use super::env::Binding;
use super::form::is_empty_brackets;
use super::grow::room;
use super::loops::Loop;
use super::{Lower, Operand};
use crate::ir::{Class, Size, Sym, Type};
use crate::matlab::ast::{AccessKind, Expr, ExprKind, LValue, OutTarget, Stmt, StmtKind};

/// A store in a loop body that needs a larger array.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Growth {
    pub name: String,
    pub class: Class,
    /// For each subscript the size that it needs, `None` if any; empty for an array that is only created.
    pub reach: Vec<Option<Size>>,
    /// The count of iterations that says whether anything is stored, where none would need less.
    pub unless_empty: Option<Size>,
}

impl Lower<'_> {
    /// What is to be done before the loop so that its body needs to do less: for the growths that the attempt met.
    pub fn hoisted(&mut self, lp: &Loop<'_>, growths: &[Growth], before: &Start) -> Vec<Growth> {
        let mut hoisted: Vec<Growth> = Vec::new();
        for growth in growths {
            let whole = self.over_the_loop(lp, growth, before);
            hoisted.extend(whole.filter(|whole| !lp.prepared.contains(whole)));
        }
        hoisted
    }

    /// The growth of all iterations together, if nobody can tell it from what MATLAB does.
    fn over_the_loop(&mut self, lp: &Loop<'_>, growth: &Growth, before: &Start) -> Option<Growth> {
        let (counter, trip) = (lp.counter?, lp.trip()?.clone());
        let name = &growth.name;
        if lp.kind != FrameKind::Loop || jumps(lp.body) || !lp.body.iter().all(|s| stmt_hides_size(s, name)) {
            return None;
        }
        let last = trip.add_const(-1);
        let bound = |size: &Size| {
            let size = greatest(size, counter, &last)?;
            before.checkpoint.knows(&size).then_some(size)
        };
        let reach = growth.reach.iter().map(|r| r.as_ref().map_or(Some(None), |r| bound(r).map(Some)));
        let whole = Growth { reach: reach.collect::<Option<Vec<_>>>()?, ..growth.clone() };
        let old = match before.env.get(name) {
            None => return Some(whole),
            Some(Binding::Is(Operand::Value(v))) => self.builder.func.ty(*v).clone(),
            Some(_) => return None,
        };
        if !self.is_growing(name) && !self.certainly_beyond(&whole.reach, &old) {
            return None;
        }
        let empty = old.numel().as_constant() == Some(0);
        let no_rows = old.dim(0).as_constant() == Some(0);
        let turns = no_rows && !is_empty_brackets(&old) && whole.reach.len() == 1;
        if turns && !self.never_negative(&last) {
            return None;
        }
        let fits = empty || old.class == growth.class;
        let harmless = self.harmless_if_empty(&whole.reach, &old, &trip);
        let unless_empty = (!harmless).then_some(trip);
        fits.then_some(Growth { unless_empty, ..whole })
    }

    /// Whether some subscript is past the end, whatever the sizes are.
    fn certainly_beyond(&self, reach: &[Option<Size>], old: &Type) -> bool {
        reach.iter().enumerate().any(|(axis, r)| {
            let past = |r: &Size| self.never_negative(&r.sub(&room(old, reach.len(), axis)).add_const(-1));
            r.as_ref().is_some_and(past)
        })
    }

    /// Whether a loop of no iterations leaves the array as it is, or without elements.
    fn harmless_if_empty(&self, reach: &[Option<Size>], old: &Type, trip: &Size) -> bool {
        // At least one of these is not above the room when there is no iteration, if it holds for all numbers of them.
        let within = |reach: &Size, room: &Size| {
            [1, 2, 4].into_iter().any(|c| self.never_negative(&room.add(&trip.scale(c)).sub(reach)))
        };
        let known = || reach.iter().enumerate().filter_map(|(axis, r)| r.as_ref().map(|r| (axis, r)));
        let zero = Size::constant(0);
        known().all(|(axis, r)| within(r, &room(old, reach.len(), axis)))
            || (old.numel().as_constant() == Some(0) && known().any(|(_, r)| within(r, &zero)))
            || self.never_negative(&trip.add_const(-1))
    }

    /// Enlarges or creates the arrays before the loop, which carries them from then on.
    pub fn prepare(&mut self, lp: &mut Loop<'_>, growths: Vec<Growth>) {
        for growth in growths {
            let Growth { name, class, reach, unless_empty } = &growth;
            let old = self.env.get(name).cloned();
            let array = match self.spelled_out(old, lp.span) {
                Some(Binding::Is(Operand::Value(v))) => v,
                _ => self.filled(0.0, *class, vec![Size::constant(0), Size::constant(0)]),
            };
            let text = self.facts(array).characters;
            let was_brackets = self.hollow(array) == Hollow::Brackets;
            let array = self.convert(array, *class);
            let mut needed = reach.clone();
            if let Some(count) = unless_empty {
                for largest in needed.iter_mut().flatten() {
                    let reach = self.reach_unless_empty(count, largest);
                    lp.room.push(reach.sub(largest));
                    *largest = reach;
                }
            }
            let array = if reach.is_empty() { array } else { self.enlarged(name, array, &needed) };
            if let (true, Some(trip)) = (was_brackets, lp.trip())
                && self.filled_by_iterations(self.builder.func.ty(array), &growth, &needed, trip)
            {
                lp.brackets.push(name.clone());
            }
            self.give_name(array, name);
            self.env.set_value(name, array, lp.span);
            if text {
                self.as_characters(array);
            }
            let shape = self.shape_of(name, self.builder.func.ty(array), |_| true).of_text(text);
            lp.watched.retain(|n| n != name);
            lp.carried.retain(|c| c.name != *name);
            lp.carried.push(Carried { name: name.clone(), form: Form::Value(shape) });
            lp.prepared.push(growth);
        }
    }
}

/// The largest value of a size while the counter goes from zero to `last`; `None` if it is not affine in it.
fn greatest(size: &Size, counter: Sym, last: &Size) -> Option<Size> {
    let mut slope = 0;
    for (monomial, coefficient) in size.terms().filter(|(m, _)| m.contains(&counter)) {
        if monomial.len() > 1 {
            return None;
        }
        slope = coefficient;
    }
    let at = if slope > 0 { last.clone() } else { Size::constant(0) };
    Some(size.substitute(&mut |s| if s == counter { at.clone() } else { Size::sym(s) }))
}

/// Whether an iteration may be left before its end.
pub(super) fn jumps(body: &[Stmt]) -> bool {
    fn any(body: &[Stmt], inner: bool) -> bool {
        body.iter().any(|stmt| match &stmt.kind {
            StmtKind::Return => true,
            StmtKind::Break | StmtKind::Continue => !inner,
            StmtKind::If { branches, otherwise } => {
                branches.iter().any(|b| any(&b.body, inner)) || otherwise.as_deref().is_some_and(|b| any(b, inner))
            }
            StmtKind::Switch { cases, otherwise, .. } => {
                cases.iter().any(|c| any(&c.body, inner)) || otherwise.as_deref().is_some_and(|b| any(b, inner))
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoUntil { body, .. } => {
                any(body, true)
            }
            _ => false,
        })
    }
    any(body, false)
}

/// Whether a statement mentions the variable only as `x(..)` with subscripts that do not depend on how large it is.
fn stmt_hides_size(stmt: &Stmt, name: &str) -> bool {
    let hides = |e: &Expr| hides_size(e, name);
    let all = |body: &[Stmt]| body.iter().all(|s| stmt_hides_size(s, name));
    let rest = |body: &Option<Vec<Stmt>>| body.as_deref().is_none_or(all);
    if stmt.prints && shows(stmt, name) {
        return false;
    }
    match &stmt.kind {
        StmtKind::Expr(e) => hides(e),
        StmtKind::Assign { target, op, value } => op.is_none() && place_hides_size(target, name) && hides(value),
        StmtKind::MultiAssign { targets, value } => {
            let place = |t: &OutTarget| if let OutTarget::Place(l) = t { place_hides_size(l, name) } else { true };
            targets.iter().all(place) && hides(value)
        }
        StmtKind::If { branches, otherwise } => {
            branches.iter().all(|b| hides(&b.cond) && all(&b.body)) && rest(otherwise)
        }
        StmtKind::Switch { subject, cases, otherwise } => {
            hides(subject) && cases.iter().all(|c| hides(&c.pattern) && all(&c.body)) && rest(otherwise)
        }
        StmtKind::For { target, range, body, .. } => target.name.text != name && hides(range) && all(body),
        StmtKind::While { cond, body } | StmtKind::DoUntil { body, cond } => hides(cond) && all(body),
        StmtKind::Break | StmtKind::Continue => true,
        _ => false,
    }
}

/// Whether a statement without `;` displays the whole variable.
fn shows(stmt: &Stmt, name: &str) -> bool {
    match &stmt.kind {
        StmtKind::Assign { target, .. } => target.name.text == name,
        StmtKind::MultiAssign { targets, .. } => {
            targets.iter().any(|t| matches!(t, OutTarget::Place(l) if l.name.text == name))
        }
        _ => false,
    }
}

fn place_hides_size(target: &LValue, name: &str) -> bool {
    if target.accesses.is_empty() {
        return target.name.text != name;
    }
    target.accesses.iter().all(|access| match &access.kind {
        AccessKind::Paren(args) => subscripts_hide_size(args, target.name.text == name, true, name),
        _ => false,
    })
}

/// Subscripts, of the variable itself if `own`. In a store `:` may stand for what the stored value says.
fn subscripts_hide_size(args: &[Expr], own: bool, store: bool, name: &str) -> bool {
    args.iter().all(|arg| match arg.kind {
        ExprKind::Colon => !own || (store && args.len() > 1),
        _ => hides_size(arg, name) && !(own && has_end(arg)),
    })
}

fn hides_size(expr: &Expr, name: &str) -> bool {
    match &expr.kind {
        ExprKind::Ident(n) => n != name,
        ExprKind::Apply { callee, args } => {
            let own = matches!(&callee.kind, ExprKind::Ident(n) if n == name);
            (own || hides_size(callee, name)) && subscripts_hide_size(args, own, false, name)
        }
        ExprKind::AnonFn { body, .. } => hides_size(body, name),
        _ => {
            let mut hides = true;
            super::live::each_child(expr, &mut |e| hides &= hides_size(e, name));
            hides
        }
    }
}

fn has_end(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::End);
    super::live::each_child(expr, &mut |e| found |= has_end(e));
    found
}
