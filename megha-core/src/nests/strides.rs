//! Inner loops in steps from a start that depends on the loop around them by a remainder: the points of one colour of a board.
//!
//! `for j .. for i = 2 + mod(j + c, 2):2:n` goes, for each `j`, through the `i` of a row with `i + j + c` even. In terms of its counter `k` from
//! zero a subscript is `by * k + mod(a, by)` and something that stays, with `a` over outer counters. The loop becomes one over all numbers
//! `r` up to the largest of these, in steps of one, with what it does under `mod(r - a, by) == 0`:
//!
//! ```text
//! { by * k + mod(a, by) : 0 <= k < trip }  =  { r : 0 <= r < extent, mod(r - a, by) = 0 }
//! ```
//!
//! since `k = floor(r / by)` is not negative where `r` is not, and `r < extent` is `k < trip` where that says `by * k <= X - mod(a, by)`, or has no
//! remainder. Iterations keep their order. The two loops now have bounds that do not depend on each other, so that any order of memory can have
//! the one along which its elements lie inside; the condition is a congruence of their numbers, by which the loop along vectors takes steps again
//! ([`crate::schedule::domain`]).
//!
//! This is done where both loops are parallel and nothing stands between them: else more would be lost by numbers that do nothing.

use super::Copied;
use super::contents::{contents, is_pure};
use super::dependence::conflict;
use super::scalar_code::ScalarCode;
use crate::affine::{LinExpr, Var};
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Func, Op, Region, Size, Stmt, Sub, Sym, SymDef, Terminator, Value, Walk};
use crate::kernels::accesses::{AffineView, Atom, Definitions, Meaning, Scope, Sum, new_counter, symbol, symbol_of};
use crate::kernels::doall::not_negative;
use crate::schedule::domain::is_coprime;

/// Rewrites such loops of a function; gives the counters that have become others.
pub(super) fn run(func: &mut Func) -> Vec<Copied> {
    if !is_candidate(func, &func.body) {
        return Vec::new();
    }
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    let mut copies = Vec::new();
    body.walk_mut(&mut |stmt| {
        let Some(found) = find(func, &defs, stmt) else { return Walk::Advance };
        copies.push(found.apply(func, &defs, stmt));
        Walk::Skip
    });
    func.body = body;
    copies
}

/// Whether somewhere a loop stands in another, with remainders or quotients.
fn is_candidate(func: &Func, region: &Region) -> bool {
    region.stmts.iter().any(|stmt| match &stmt.op {
        Op::For { body, .. } => inner(body).is_some_and(|_| divides(func, body)) || is_candidate(func, body),
        Op::Kernel(_) => false,
        op => op.regions().into_iter().any(|nested| is_candidate(func, nested)),
    })
}

/// Whether a region divides whole numbers.
fn divides(func: &Func, region: &Region) -> bool {
    let is_index = |value: &Value| func.ty(*value).class == Class::Index;
    let is_quotient = |sym: Sym| matches!(func.symbols.get(sym).def, SymDef::FloorDiv(..));
    region.any(|op| match op {
        Op::Size(size) => size.symbols().any(is_quotient),
        Op::Binary(Binary::Div | Binary::Mod | Binary::Rem, a, _) => is_index(a),
        _ => false,
    })
}

/// The loop that is all of a loop's body but for scalar statements, and has no loop inside.
fn inner(outer: &Region) -> Option<&Stmt> {
    let is_loop = |stmt: &&Stmt| matches!(stmt.op, Op::For { .. });
    let inner = outer.stmts.iter().find(is_loop)?;
    let Op::For { init, body, .. } = &inner.op else { return None };
    let alone = outer.stmts.iter().all(|stmt| std::ptr::eq(stmt, inner) || is_pure(&stmt.op));
    let handed_through = init[..] == outer.params[1..] && outer.term == Terminator::Yield(inner.results.clone());
    let straight = !body.any(|op| matches!(op, Op::For { .. } | Op::While { .. }));
    let ends = matches!(body.term, Terminator::Yield(_)) && !crate::kernels::dead::leaves(body, 0);
    (alone && handed_through && straight && ends).then_some(inner)
}

/// What is found of a loop.
struct Found {
    /// Its counter.
    counter: Value,
    by: i64,
    /// What the remainder is of.
    of: Sum,
    /// The largest number.
    last: Sum,
    /// Subscripts and other numbers: how often the new counter is in them, and what else.
    numbers: HashMap<Value, (i64, Sum)>,
}

/// Looks at a loop in whose body another one stands.
fn find(func: &Func, defs: &Definitions, stmt: &Stmt) -> Option<Found> {
    let Op::For { body: outer, .. } = &stmt.op else { return None };
    let Op::For { trip, body, .. } = &inner(outer)?.op else { return None };
    let (around, counter) = (outer.params[0], body.params[0]);
    let scope = defs.scope_of(around)?;
    let mut view = AffineView::new(&func.symbols, defs, [scope]).with_locals();
    let (own, outside) = (view.var(Atom::Value(counter)), view.var(Atom::Value(around)));
    let mut subs = Vec::new();
    subscripts(body, &mut subs);
    let (by, of, quotient) = subs.into_iter().find_map(|sub| remainder(&mut view, sub, own))?;
    // Steps along either loop have to come by all remainders.
    if of.coefficient(own) != 0 || !is_coprime(of.coefficient(outside), by) {
        return None;
    }
    // by * k + mod(of, by)
    let number = LinExpr::from_terms([(own, by), (quotient, -by)], 0)?.checked_add(&of)?;
    let last = last(&mut view, *trip, (own, quotient, by), &number)?;
    let known = Known { func, defs, scope, outside };
    let small = |expr: &LinExpr| expr.checked_scale(4).is_some_and(|expr| view.is_exact(&expr));
    if !known.is(&view, &of, true) || !known.is(&view, &last, false) || !small(&of) || !small(&last) {
        return None;
    }
    let contents = contents(func, stmt).ok()?;
    if (0..2).any(|level| conflict(func, defs, around, &contents, level).is_some()) {
        return None;
    }
    let mut numbers = HashMap::default();
    for stmt in &body.stmts {
        let [result] = stmt.results[..] else { continue };
        let is_number = matches!(stmt.op, Op::Binary(..) | Op::Size(_)) && func.ty(result).class == Class::Index;
        let Some(expr) = is_number.then(|| view.expr(result)).flatten() else { continue };
        let times = expr.coefficient(own) / by;
        let rest = number.checked_scale(times).and_then(|number| expr.checked_sub(&number));
        if let Some(rest) = rest.filter(|rest| times != 0 && known.is(&view, rest, true)) {
            numbers.insert(result, (times, Sum::of(&view, &rest)));
        }
    }
    Some(Found { counter, by, of: Sum::of(&view, &of), last: Sum::of(&view, &last), numbers })
}

/// What may stand in the numbers of the new loop.
struct Known<'f> {
    func: &'f Func,
    defs: &'f Definitions,
    /// The body of the outer loop.
    scope: Scope,
    /// Its counter.
    outside: Var,
}

impl Known<'_> {
    /// Whether an expression is known before the outer loop, or, `in_it`, but for its counter.
    fn is(&self, view: &AffineView<'_>, expr: &LinExpr, in_it: bool) -> bool {
        expr.terms().all(|(var, _)| match view.atom(var) {
            Atom::Value(value) => in_it && var == self.outside || !self.defs.is_inside(*value, self.scope),
            Atom::Symbol(sym) => !self.defs.size_is_inside(&Size::sym(*sym), &self.func.symbols, self.scope),
            Atom::Product(_) => true,
            Atom::Trip(_) | Atom::Quotient(..) => false,
        })
    }
}

/// The subscripts of all accesses in a region.
fn subscripts(region: &Region, found: &mut Vec<Value>) {
    for stmt in &region.stmts {
        if let Op::Index { subs, .. } | Op::Store { subs, .. } = &stmt.op {
            found.extend(subs.iter().filter_map(Sub::value));
        }
        stmt.op.regions().into_iter().for_each(|nested| subscripts(nested, found));
    }
}

/// The step of a subscript, what it has the remainder of, and the variable of the quotient: `by * own + of - by * quotient` is part of it.
fn remainder(view: &mut AffineView<'_>, sub: Value, own: Var) -> Option<(i64, LinExpr, Var)> {
    let expr = view.expr(sub)?;
    let by = Some(expr.coefficient(own)).filter(|by| *by > 1)?;
    expr.terms().find_map(|(var, times)| match view.atom(var) {
        Atom::Quotient(of, divisor) if *divisor == by && times == -by => Some((by, of.clone(), var)),
        _ => None,
    })
}

/// The largest value of `number` in the iterations of a loop, if it is no function of the quotient: of what has the remainder it is the largest
/// that may occur.
fn last(
    view: &mut AffineView<'_>,
    trip: Value,
    (own, quotient, by): (Var, Var, i64),
    number: &LinExpr,
) -> Option<LinExpr> {
    let trip = view.expr(trip)?;
    let trip = without_maximum(view, &trip).unwrap_or(trip);
    let divided = trip.terms().find_map(|(var, times)| match view.atom(var) {
        Atom::Quotient(of, divisor) if var != quotient && times == 1 => Some((var, of.clone(), *divisor)),
        _ => None,
    });
    let last = match divided {
        // k < of / by + more, rounded down: by * (k + 1 - more) <= of, so number <= of + by * (more - 1) - by * k + number
        Some((var, of, divisor)) if divisor == by => {
            let more = trip.checked_sub(&LinExpr::var(var))?.checked_offset(-1)?;
            let rest = number.checked_sub(&LinExpr::from_terms([(own, by)], 0)?)?;
            of.checked_add(&more.checked_scale(by)?)?.checked_add(&rest)?
        }
        Some(_) => return None,
        // number < by * trip
        None => trip.checked_scale(by)?.checked_offset(-1)?,
    };
    (last.coefficient(own) == 0 && last.coefficient(quotient) == 0).then_some(last)
}

/// `e`, which a loop runs as often for as for `max(0, e)`.
fn without_maximum(view: &AffineView<'_>, trip: &LinExpr) -> Option<LinExpr> {
    let (var, _) = trip.terms().next()?;
    let Some(Meaning::Greatest([a, b])) = view.meaning(var).filter(|_| *trip == LinExpr::var(var)) else { return None };
    let is_none = |expr: &LinExpr| expr.as_constant().is_some_and(|number| number <= 0);
    if is_none(a) { Some(b.clone()) } else { is_none(b).then(|| a.clone()) }
}

impl Found {
    /// Rewrites the loop inside of this one.
    fn apply(self, func: &mut Func, defs: &Definitions, stmt: &mut Stmt) -> Copied {
        let mut copied = Copied::default();
        let Op::For { body: outer, .. } = &mut stmt.op else { return copied };
        let Some(at) = outer.stmts.iter().position(|inner| matches!(inner.op, Op::For { .. })) else { return copied };
        let loc = outer.stmts[at].loc;
        let extent = self.last.size(func, defs).add_const(1);
        let extent = not_negative(func, defs, extent);
        let (number, symbol) = new_counter(func, self.counter, &extent);
        let symbol = Size::sym(symbol);
        let mut emit = ScalarCode::new(func, loc);
        let trip = emit.size(&extent);
        if let Op::For { trip: own, body, .. } = &mut outer.stmts[at].op {
            *own = trip;
            self.body(&mut emit, defs, body, (number, &symbol), &mut copied);
        }
        let trip = emit.stmts;
        outer.stmts.splice(at..at, trip);
        copied
    }

    /// Puts what the loop does under the condition.
    fn body(
        &self,
        emit: &mut ScalarCode<'_>,
        defs: &Definitions,
        body: &mut Region,
        (number, symbol): (Value, &Size),
        copied: &mut Copied,
    ) {
        let before = std::mem::take(&mut emit.stmts);
        let of = self.of.size(emit.func, defs);
        let cond = emit.congruent(symbol.sub(&of), self.by);
        let head = std::mem::replace(&mut emit.stmts, before);
        let counter = quotient(emit.func, symbol, self.by);
        copied.values.insert(self.counter, number);
        copied.symbols.insert(symbol_of(emit.func, defs, self.counter), counter.clone());
        let mut stmts = vec![Stmt { results: vec![self.counter], op: Op::Size(counter), loc: emit.loc }];
        for mut stmt in std::mem::take(&mut body.stmts) {
            if let [result] = stmt.results[..]
                && let Some((times, rest)) = self.numbers.get(&result)
            {
                stmt.op = Op::Size(rest.size(emit.func, defs).plus(*times, symbol));
            }
            stmts.push(stmt);
        }
        let params: Vec<Value> = body.params[1..].to_vec();
        let results: Vec<Value> = params.iter().map(|param| emit.func.new_like(*param)).collect();
        let term = std::mem::replace(&mut body.term, Terminator::Yield(results.clone()));
        let arm = |stmts, term| Box::new(Region { params: Vec::new(), stmts, term });
        let els = arm(Vec::new(), Terminator::Yield(params));
        let op = Op::If { cond, then: arm(stmts, term), els };
        body.params[0] = number;
        body.stmts = head;
        body.stmts.push(Stmt { results, op, loc: emit.loc });
    }
}

/// A number divided and rounded down, as a symbol.
fn quotient(func: &mut Func, of: &Size, by: i64) -> Size {
    let def = SymDef::FloorDiv(of.clone(), Size::constant(by));
    Size::sym(symbol(func, def, vec![Size::default()], vec![of.clone()]))
}

impl ScalarCode<'_> {
    /// Whether a number is a multiple of another.
    fn congruent(&mut self, number: Size, by: i64) -> Value {
        let (number, by) = (self.size(&number), self.int(by));
        let rest = self.push(Op::Binary(Binary::Mod, number, by), Class::Index);
        let zero = self.int(0);
        self.compare(Binary::Eq, rest, zero)
    }
}
