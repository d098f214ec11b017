//! Bounds of subscripts in a loop that becomes a kernel: proven, tested once before the kernel, or tested in each
//! iteration.

use super::contents::{Check, Contents};
use super::scalar_code::ScalarCode;
use crate::affine::{LinExpr, Polynomial, Var};
use crate::hash::HashMap;
use crate::ir::{self, Binary, Class, Const, Func, Loc, Op, Size, Stmt, Sym, Unary, Value};
use crate::kernels::accesses::{AffineView, Atom, Counted, Definitions, Extent, Scope};

/// How the bounds of the accesses in a nest are kept.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Before the nest.
    pub hoisted: Vec<BoxTest>,
    /// Before the statement with this first result.
    pub in_place: HashMap<Value, Vec<PointTest>>,
}

/// The text of a failed test.
fn message(func: &Func, check: &Check, axis: usize) -> String {
    let (name, ty) = (func.described(check.array), func.ty(check.array));
    if check.subs.len() == 1 {
        let which = func.symbols.tell(&ty.numel()).map(|size| format!(", which has {size} elements,"));
        return format!("a subscript of {name}{} is out of bounds", which.unwrap_or_default());
    }
    let which = func.symbols.tell(&ty.dims[axis]).map(|size| format!(", whose size is {size} there,"));
    format!("subscript {} of {name}{} is out of bounds", axis + 1, which.unwrap_or_default())
}

/// `0 <= at < extent` in one iteration.
#[derive(Debug)]
pub(crate) struct PointTest {
    at: Value,
    extent: Size,
    message: String,
}

/// The extreme values of a subscript over a box of iterations.
#[derive(Debug)]
pub(crate) struct BoxTest {
    least: Vec<Term>,
    greatest: Vec<Term>,
    extent: Size,
    /// Whether the sums may leave 64 bits: then their magnitude is tested too, in `Double`.
    may_wrap: bool,
    /// The nest does nothing unless all of these are positive.
    trips: Vec<Vec<Term>>,
    message: String,
    loc: Loc,
}

/// A product of numbers that are known before the nest.
#[derive(Debug, Clone)]
struct Term {
    factors: Vec<Factor>,
    coefficient: i64,
}

#[derive(Debug, Clone, Copy)]
enum Factor {
    Value(Value),
    Symbol(Sym),
}

/// Decides for each access of a nest; the nest's own values are those of `scope`.
pub(crate) fn plan(func: &Func, defs: &Definitions, scope: Scope, contents: &Contents) -> Plan {
    let mut plan = Plan::default();
    let mut view = AffineView::new(&func.symbols, defs, [scope]);
    let mut tested: Vec<Tested> = Vec::new();
    // What is tested before the nest for all iterations is so for those that come to an `if`.
    let (some, all): (Vec<&Check>, Vec<&Check>) = contents.checks.iter().partition(|check| check.conditional);
    for check in all.into_iter().chain(some) {
        let ty = func.ty(check.array);
        let guards = view.guards(&check.loops, &check.guards);
        let extents = view.extents(ty, check.subs.len());
        for (axis, (sub, extent)) in check.subs.iter().zip(extents).enumerate() {
            if extent.as_ref().is_some_and(|extent| view.remainder_in_bounds(&check.loops, &guards, *sub, extent)) {
                continue;
            }
            let known = view.polynomial(*sub);
            let size = if check.subs.len() == 1 { ty.numel() } else { ty.dims[axis].clone() };
            let linear = view.expr(*sub).zip(extent);
            let range = match &linear {
                Some((sub, extent)) if view.in_bounds(&check.loops, &guards, sub, extent) => continue,
                _ => known.as_ref().and_then(|sum| Range::of(&mut view, (defs, scope), check, sum)),
            };
            if linear.is_none()
                && let (Some(range), Some(sum)) = (&range, &known)
                && view.stays_exact(sum)
                && range.is_inside(&mut view, &size)
            {
                continue;
            }
            if let Some(sum) = &known
                && tested.iter().any(|tested| tested.holds_for(check, sum, &size))
            {
                continue;
            }
            let message = message(func, check, axis);
            let hoisted = range
                .filter(|_| !check.conditional)
                .and_then(|range| range.test(&view, (defs, scope), (size.clone(), message.clone(), check.loc)));
            match hoisted {
                Some(test) => {
                    plan.hoisted.push(test);
                    tested.extend(known.map(|sum| Tested { loops: check.loops.clone(), sum, size }));
                }
                None => {
                    let tests = plan.in_place.entry(check.key).or_default();
                    tests.push(PointTest { at: *sub, extent: size, message });
                }
            }
        }
    }
    plan
}

/// A subscript that is tested before the nest.
struct Tested {
    loops: Vec<Counted>,
    sum: Polynomial,
    size: Size,
}

impl Tested {
    /// Whether this one is in all of its iterations as well, for a dimension of the same size.
    fn holds_for(&self, check: &Check, sum: &Polynomial, size: &Size) -> bool {
        self.sum == *sum && self.size == *size && check.loops.starts_with(&self.loops)
    }
}

/// Bounds of a subscript over the iterations of a nest.
struct Range {
    least: Polynomial,
    greatest: Polynomial,
    /// Whether what is computed on the way to them cannot leave 64 bits.
    small: bool,
    /// The nest comes to both of them if all of these are positive; `None` if that is not known.
    trips: Option<Vec<Vec<Term>>>,
}

impl Range {
    /// The extreme values of a polynomial, loop after loop from the inside out; `None` if it is not known where it rises.
    fn of(
        view: &mut AffineView<'_>,
        (defs, scope): (&Definitions, Scope),
        check: &Check,
        sum: &Polynomial,
    ) -> Option<Self> {
        let mut range = Self { least: sum.clone(), greatest: sum.clone(), small: true, trips: Some(Vec::new()) };
        // The first iterations, and the last ones, in which loops inside have any.
        let mut first = vec![0; check.loops.len()];
        let mut final_one: Vec<Option<LinExpr>> = vec![None; check.loops.len()];
        for (depth, Counted { counter, extent }) in check.loops.iter().enumerate().rev() {
            let Extent::Trip(trip) = extent else { return None };
            let trip = view.expr(*trip)?;
            let outer = &check.loops[..depth];
            let var = view.var(Atom::Value(*counter));
            let last = earlier(view, outer, trip.checked_offset(-1)?, final_one[depth].take())?;
            let start = LinExpr::constant(first[depth]);
            let ends = [view.expanded(&start)?, view.expanded(&last)?];
            for (extreme, upwards) in [(&mut range.least, false), (&mut range.greatest, true)] {
                let (slope, _) = extreme.split(var);
                let at_last = rises(view, outer, var, &slope)? == upwards;
                *extreme = extreme.substitute(var, &ends[usize::from(at_last)])?;
            }
            let trip_sum = view.expanded(&trip)?;
            range.small &= [&range.least, &range.greatest, &trip_sum].into_iter().all(|sum| view.stays_exact(sum));
            let more = last.checked_sub(&start)?;
            let runs = view.expanded(&more.checked_offset(1)?)?;
            match terms(view, defs, scope, &runs) {
                Some(known) => range.trips.iter_mut().for_each(|trips| trips.push(known.clone())),
                None if view.never_negative(outer, &more) => {}
                None => match edge(view, outer, &more) {
                    Some((outer, Edge::From(from))) => first[outer] = from.max(first[outer]),
                    Some((at, Edge::To(to))) => {
                        final_one[at] = Some(earlier(view, &outer[..at], to, final_one[at].take())?);
                    }
                    None => range.trips = None,
                },
            }
        }
        range.trips.iter_mut().for_each(|trips| trips.reverse());
        Some(range)
    }

    /// Whether it is known that all is in `0 .. extent`.
    fn is_inside(&self, view: &mut AffineView<'_>, extent: &Size) -> bool {
        let last = view.polynomial_of_size(&extent.add_const(-1));
        let room = last.and_then(|last| last.checked_sub(&self.greatest));
        view.is_natural(&self.least) && room.is_some_and(|room| view.is_natural(&room))
    }

    /// The test before the nest. `None` if a loop whose length depends on others may be without iterations: then the extreme values
    /// need not occur.
    fn test(
        self,
        view: &AffineView<'_>,
        (defs, scope): (&Definitions, Scope),
        (extent, message, loc): (Size, String, Loc),
    ) -> Option<BoxTest> {
        let outside = |sum: &Polynomial| terms(view, defs, scope, sum);
        let (least, greatest) = (outside(&self.least)?, outside(&self.greatest)?);
        Some(BoxTest { least, greatest, extent, may_wrap: !self.small, trips: self.trips?, message, loc })
    }
}

/// Whether a factor of a counter is not negative, or, if not, not positive.
fn rises(view: &mut AffineView<'_>, outer: &[Counted], counter: Var, slope: &Polynomial) -> Option<bool> {
    if slope.variables().any(|var| var == counter) {
        return None;
    }
    if let Some(linear) = slope.as_linear() {
        if let Some(number) = linear.as_constant() {
            return Some(number >= 0);
        }
        if view.never_negative(outer, &linear) {
            return Some(true);
        }
        let falls = view.never_negative(outer, &linear.checked_scale(-1)?);
        return falls.then_some(false);
    }
    let natural = slope.variables().collect::<Vec<_>>();
    let natural = natural.into_iter().all(|var| view.never_negative(outer, &LinExpr::var(var)));
    let sign = |positive: bool| slope.terms().all(|(_, c)| (c > 0) == positive);
    match natural {
        true if sign(true) => Some(true),
        true if sign(false) => Some(false),
        _ => None,
    }
}

/// An end of the iterations of a loop in which an expression is not negative.
enum Edge {
    From(i64),
    To(LinExpr),
}

/// The loop that an expression counts, if it is one, and where in it the expression is not negative.
fn edge(view: &mut AffineView<'_>, loops: &[Counted], expr: &LinExpr) -> Option<(usize, Edge)> {
    let counters: Vec<Var> = loops.iter().map(|l| view.var(Atom::Value(l.counter))).collect();
    let mut counted = (0..loops.len()).filter(|at| expr.coefficient(counters[*at]) != 0);
    let (Some(outer), None) = (counted.next(), counted.next()) else { return None };
    let rest = at(expr, counters[outer], &LinExpr::default())?;
    match expr.coefficient(counters[outer]) {
        1 => Some((outer, Edge::From(rest.as_constant()?.checked_neg()?.max(0)))),
        -1 => Some((outer, Edge::To(rest))),
        _ => None,
    }
}

/// The smaller of two ends of a loop inside of these, if it is known which one it is.
fn earlier(view: &mut AffineView<'_>, outer: &[Counted], end: LinExpr, other: Option<LinExpr>) -> Option<LinExpr> {
    let Some(other) = other else { return Some(end) };
    let more = other.checked_sub(&end)?;
    if view.never_negative(outer, &more) {
        return Some(end);
    }
    view.never_negative(outer, &more.checked_scale(-1)?).then_some(other)
}

/// An expression with another in place of a variable.
fn at(expr: &LinExpr, var: Var, value: &LinExpr) -> Option<LinExpr> {
    let coefficient = expr.coefficient(var);
    let rest = expr.checked_sub(&LinExpr::from_terms([(var, coefficient)], 0)?)?;
    rest.checked_add(&value.checked_scale(coefficient)?)
}

/// The terms of an expression over what is known before the nest.
fn terms(view: &AffineView<'_>, defs: &Definitions, scope: Scope, sum: &Polynomial) -> Option<Vec<Term>> {
    let factor = |var: &Var| match view.atom(*var) {
        Atom::Value(value) if !defs.is_inside(*value, scope) => Some(Factor::Value(*value)),
        Atom::Symbol(sym) => Some(Factor::Symbol(*sym)),
        Atom::Value(_) | Atom::Product(_) | Atom::Trip(_) | Atom::Quotient(..) => None,
    };
    let term = |(product, coefficient): (&Vec<Var>, i64)| {
        Some(Term { factors: product.iter().map(factor).collect::<Option<_>>()?, coefficient })
    };
    sum.terms().map(term).collect()
}

impl ScalarCode<'_> {
    fn sum(&mut self, terms: &[Term]) -> Value {
        let mut sum: Option<Value> = None;
        for term in terms {
            let scaled = self.term(term);
            sum = Some(match sum {
                None => scaled,
                Some(sum) => self.push(Op::Binary(Binary::Add, sum, scaled), Class::Index),
            });
        }
        sum.unwrap_or_else(|| self.int(0))
    }

    fn term(&mut self, Term { factors, coefficient }: &Term) -> Value {
        let mut values = Vec::new();
        let mut size = Size::constant(1);
        for factor in factors {
            match factor {
                Factor::Value(value) => values.push(*value),
                Factor::Symbol(sym) => size = size.mul(&Size::sym(*sym)),
            }
        }
        if !size.is_one() {
            values.push(self.size(&size));
        }
        if *coefficient != 1 || values.is_empty() {
            values.push(self.int(*coefficient));
        }
        let (first, others) = (values[0], &values[1..]);
        others.iter().fold(first, |product, by| self.push(Op::Binary(Binary::Mul, product, *by), Class::Index))
    }

    /// Whether the sum, and so each sum on the way to it, is exact in 64 bits: the magnitudes of its terms add up to less than 2^62.
    fn is_small(&mut self, terms: &[Term]) -> Value {
        let mut sum = self.double(0.0);
        for Term { factors, coefficient } in terms {
            let mut term = self.double(*coefficient as f64);
            for factor in factors {
                let factor = match factor {
                    Factor::Value(value) => *value,
                    Factor::Symbol(sym) => self.size(&Size::sym(*sym)),
                };
                let factor = self.push(Op::Convert(factor), Class::Double);
                term = self.push(Op::Binary(Binary::Mul, factor, term), Class::Double);
            }
            let term = self.push(Op::Unary(Unary::Abs, term), Class::Double);
            sum = self.push(Op::Binary(Binary::Add, sum, term), Class::Double);
        }
        let largest = self.double((1u64 << 62) as f64);
        self.compare(Binary::Lt, sum, largest)
    }

    fn double(&mut self, value: f64) -> Value {
        self.push(Op::Const(Const::Float(value)), Class::Double)
    }

    /// `0 <= least` and `greatest < extent`.
    fn within(&mut self, least: Value, greatest: Value, extent: &Size) -> Value {
        let (zero, extent) = (self.int(0), self.size(extent));
        let (low, high) = (self.compare(Binary::Ge, least, zero), self.compare(Binary::Lt, greatest, extent));
        self.compare(Binary::And, low, high)
    }

    fn assert(&mut self, cond: Value, message: &str) {
        self.stmts.push(Stmt { results: Vec::new(), op: Op::Assert(cond, ir::Check::bounds(message)), loc: self.loc });
    }
}

/// The statements that test a subscript in place.
pub(crate) fn assertions(func: &mut Func, tests: &[PointTest], loc: Loc) -> Vec<Stmt> {
    let mut emit = ScalarCode::new(func, loc);
    for test in tests {
        let cond = emit.within(test.at, test.at, &test.extent);
        emit.assert(cond, &test.message);
    }
    emit.stmts
}

/// The statements that test a subscript before the nest.
pub(crate) fn hoisted(func: &mut Func, tests: &[BoxTest]) -> Vec<Stmt> {
    let mut emit = ScalarCode::new(func, Loc::NONE);
    for test in tests {
        emit.loc = test.loc;
        let (least, greatest) = (emit.sum(&test.least), emit.sum(&test.greatest));
        let mut holds = emit.within(least, greatest, &test.extent);
        if test.may_wrap {
            for terms in [&test.least, &test.greatest] {
                let small = emit.is_small(terms);
                holds = emit.compare(Binary::And, holds, small);
            }
        }
        for trip in &test.trips {
            let (trip, zero) = (emit.sum(trip), emit.int(0));
            let empty = emit.compare(Binary::Le, trip, zero);
            holds = emit.compare(Binary::Or, empty, holds);
        }
        emit.assert(holds, &test.message);
    }
    emit.stmts
}
