//! Iterations that keep a loop in order: all its dependences begin or end in the one iteration `e`, a number that does not change in
//! the loop. Without it, before and behind, the loop is parallel ([`super::split`]).
//!
//! In Floyd and Warshall's `d(i, j) = min(d(i, j), d(i, k) + d(k, j))` row `k` is such an iteration of `i`, and column `k` of `j`.
//! Candidates come from equal subscripts of two accesses and from conditions, solved for the loop's counter; that no other
//! iteration is needed, the dependence test proves: with `i < e`, and with `i > e`, in the domains of all accesses nothing is carried
//! (P. Feautrier, "Array Expansion", 1988, calls it index-set splitting; M. Griebl, P. Feautrier, C. Lengauer, "Index Set
//! Splitting", 2000). Only what makes a loop parallel that was not is found; and no point that moves with an outer loop which is parallel
//! itself, as the parts would stay inside of its iterations.

use super::dependence::Prepared;
use super::permute::is_long;
use super::tree::{Frame, Loop, Node};
use crate::affine::{Domain, LinExpr, Subscript, Var};
use crate::ir::{Region, Size};
use crate::kernels::accesses::{AffineView, Atom, Counted, Sum};
use std::rc::Rc;

/// Loops that are split may stand in so many others that are.
const DEEPEST: usize = 1;
/// A loop of more statements is not split,
const MOST_STATEMENTS: usize = 64;
/// nor one of more accesses.
const MOST_SITES: usize = 16;
/// Candidates that are tried.
const MOST_CANDIDATES: usize = 3;

/// Where a loop is split.
#[derive(Debug)]
pub(super) struct Point {
    /// The iteration; perhaps the loop has none of this number.
    pub at: Sum,
    /// Whether it is known not to be negative,
    pub is_begun: bool,
    /// or to be less than the number of iterations.
    pub is_reached: bool,
    /// Whether nothing can come before it,
    pub is_first: bool,
    /// or behind it.
    pub is_last: bool,
}

/// For each of these loops and those inside, outer loops first, where it is to be split.
pub(super) fn points(frame: &Frame<'_>, loops: &[Loop]) -> Vec<Option<Point>> {
    let mut found = Vec::new();
    loops.iter().for_each(|outermost| search(frame, &[outermost], 0, &mut found));
    found
}

/// Of the innermost of these loops, of which so many are split.
fn search(frame: &Frame<'_>, nest: &[&Loop], around: usize, found: &mut Vec<Option<Point>>) {
    let Some(inner) = nest.last() else { return };
    let is_small = || inner.body.iter().map(statements).sum::<usize>() <= MOST_STATEMENTS;
    let point = if around <= DEEPEST && is_long(inner) && is_small() { point(frame, nest, inner) } else { None };
    let around = around + usize::from(point.is_some());
    found.push(point);
    for node in &inner.body {
        if let Node::Loop(nested) = node {
            search(frame, &[nest, &[nested]].concat(), around, found);
        }
    }
}

fn statements(node: &Node) -> usize {
    fn of(region: &Region) -> usize {
        region.stmts.iter().map(|stmt| 1 + stmt.op.regions().into_iter().map(of).sum::<usize>()).sum()
    }
    match node {
        Node::Loop(inner) => 1 + inner.body.iter().map(statements).sum::<usize>(),
        Node::Stmt(stmt) => 1 + stmt.op.regions().into_iter().map(of).sum::<usize>(),
    }
}

/// The point of the innermost loop of a nest.
fn point(frame: &Frame<'_>, nest: &[&Loop], inner: &Loop) -> Option<Point> {
    let here: Vec<Counted> = nest.iter().map(|around| around.counted()).collect();
    let accesses = accesses(frame, inner, &here)?;
    let mut found = frame.found.borrow_mut();
    let own = found.view.var(Atom::Value(inner.counter));
    let mut candidates = Vec::new();
    for (at, first) in accesses.iter().enumerate() {
        for second in accesses[at + 1..].iter().filter(|second| first.conflicts_with(second)) {
            let known = |var| is_known(frame, &found.view, &here[..here.len() - 1], var);
            collect(own, [first, second], &known, &mut candidates);
        }
    }
    candidates.truncate(MOST_CANDIDATES);
    if candidates.is_empty() || !carries(&accesses, here.len()) {
        return None;
    }
    let at = candidates.into_iter().find(|at| {
        let before = LinExpr::var(own).checked_sub(at).and_then(|past| past.checked_scale(-1)?.checked_offset(-1));
        let behind = LinExpr::var(own).checked_sub(at).and_then(|past| past.checked_offset(-1));
        let is_exact = at.checked_scale(4).is_some_and(|sum| found.view.is_exact(&sum));
        is_exact
            && [before, behind].into_iter().all(|side| side.is_some_and(|s| is_parallel(&accesses, here.len(), &s)))
    })?;
    let point = placed(&mut found.view, inner, &here, &at);
    let moves_with = |outer: usize| point.at.terms.iter().any(|(atom, _)| *atom == Atom::Value(here[outer].counter));
    let moving: Vec<usize> = (0..nest.len() - 1).filter(|outer| moves_with(*outer)).collect();
    drop(found);
    let is_in_order = |outer: usize| {
        let around = &here[..=outer];
        self::accesses(frame, nest[outer], around).is_none_or(|accesses| carries(&accesses, around.len()))
    };
    moving.into_iter().all(is_in_order).then_some(point)
}

/// The accesses in the innermost of these loops, if they are not too many.
fn accesses(frame: &Frame<'_>, inner: &Loop, here: &[Counted]) -> Option<Vec<Rc<Prepared>>> {
    let sites = frame.sites(&inner.body, here);
    (sites.len() <= MOST_SITES).then(|| frame.found.borrow_mut().prepared(frame.func, &sites))
}

/// Whether a variable has one value in all iterations of a loop inside these.
pub(super) fn is_known(frame: &Frame<'_>, view: &AffineView<'_>, outer: &[Counted], var: Var) -> bool {
    let is_outside = |size: &Size| !frame.defs.size_is_inside(size, &frame.func.symbols, frame.scope);
    match view.atom(var) {
        Atom::Value(value) => {
            outer.iter().any(|around| around.counter == *value) || !frame.defs.is_inside(*value, frame.scope)
        }
        Atom::Symbol(sym) => is_outside(&Size::sym(*sym)),
        Atom::Product(syms) => syms.iter().all(|sym| is_outside(&Size::sym(*sym))),
        Atom::Trip(_) | Atom::Quotient(..) => false,
    }
}

/// Adds the known numbers that the counter `own` of one access must equal if both are to touch one element.
fn collect(own: Var, pair: [&Prepared; 2], known: &dyn Fn(Var) -> bool, found: &mut Vec<LinExpr>) {
    let mut equal = Vec::new();
    for (first, second) in pair[0].access.subscripts.iter().zip(&pair[1].access.subscripts) {
        if let (Subscript::Affine(first), Subscript::Affine(second)) = (first, second) {
            let counting = [first, second].map(|sub| sub.coefficient(own) != 0);
            if counting[0] != counting[1] {
                equal.extend(first.checked_sub(second));
            }
        }
    }
    for case in pair.iter().flat_map(|access| &access.cases) {
        equal.extend(case.assumptions.constraints().filter(|(_, zero)| *zero).map(|(expr, _)| expr.clone()));
    }
    for sum in equal {
        let by = sum.coefficient(own);
        if !matches!(by, 1 | -1) || !sum.terms().all(|(var, _)| var == own || known(var)) {
            continue;
        }
        // own * by + rest = 0
        let rest = sum.checked_scale(-by).and_then(|sum| sum.checked_add(&LinExpr::var(own)));
        found.extend(rest.filter(|at| !found.contains(at)));
    }
}

/// Whether the innermost of so many common loops carries a dependence.
fn carries(accesses: &[Rc<Prepared>], common: usize) -> bool {
    let mut carries = false;
    for (at, first) in accesses.iter().enumerate() {
        for second in accesses[at..].iter().filter(|second| first.conflicts_with(second)) {
            first.each_pair(second, common, &mut |pair| carries = carries || pair.carried_by(common - 1).is_some());
            if carries {
                return true;
            }
        }
    }
    false
}

/// Whether it carries none where an expression is not negative.
fn is_parallel(accesses: &[Rc<Prepared>], common: usize, side: &LinExpr) -> bool {
    let on_side = |case: &Domain| case.clone().assuming(side.clone());
    let narrowed: Vec<_> = accesses.iter().map(|access| Rc::new(access.with_cases(on_side))).collect();
    !carries(&narrowed, common)
}

/// What is known of where a point lies in its loop.
fn placed(view: &mut AffineView<'_>, inner: &Loop, here: &[Counted], at: &LinExpr) -> Point {
    let (outer, level) = (&here[..here.len() - 1], here.len() - 1);
    let last = view.domain(here, [at]).loops.get(level).map(|own| own.upper.clone());
    let trip = inner.trip.expr(view);
    let mut never_negative = |expr: Option<LinExpr>| expr.is_some_and(|expr| view.never_negative(outer, &expr));
    let is_begun = never_negative(Some(at.clone()));
    let is_first = never_negative(at.checked_scale(-1));
    let is_reached = never_negative(last.and_then(|last| last.checked_sub(at)));
    let is_last = never_negative(trip.and_then(|trip| at.checked_offset(1)?.checked_sub(&trip)));
    Point { at: Sum::of(view, at), is_begun, is_reached, is_first, is_last }
}
