//! Bounds of subscripts in a loop that becomes a kernel: proven, tested once before the kernel, or tested in each
//! iteration.

use super::contents::{Check, Contents};
use crate::affine::{LinExpr, Var};
use crate::hash::HashMap;
use crate::ir::{self, Binary, Class, Const, Func, Loc, Op, Size, Stmt, Type, Unary, Value};
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
    least: Vec<(Operand, i64)>,
    greatest: Vec<(Operand, i64)>,
    extent: Size,
    /// Whether the sums may leave 64 bits: then their magnitude is tested too, in `Double`.
    may_wrap: bool,
    /// The nest does nothing unless all of these are positive.
    trips: Vec<Vec<(Operand, i64)>>,
    message: String,
    loc: Loc,
}

/// A factor in a sum.
#[derive(Debug, Clone)]
enum Operand {
    One,
    Value(Value),
    Size(Size),
}

/// Decides for each access of a nest; the nest's own values are those of `scope`.
pub(crate) fn plan(func: &Func, defs: &Definitions, scope: Scope, contents: &Contents) -> Plan {
    let mut plan = Plan::default();
    let mut view = AffineView::new(&func.symbols, defs, [scope]);
    for check in &contents.checks {
        let ty = func.ty(check.array);
        let guards: Vec<LinExpr> = check.guards.iter().flat_map(|(c, taken)| view.guard(*c, *taken)).collect();
        let extents = view.extents(ty, check.subs.len());
        for (axis, (sub, extent)) in check.subs.iter().zip(extents).enumerate() {
            let known = view.expr(*sub).zip(extent);
            if known.as_ref().is_some_and(|(sub, extent)| view.in_bounds(&check.loops, &guards, sub, extent)) {
                continue;
            }
            let size = if check.subs.len() == 1 { ty.numel() } else { ty.dims[axis].clone() };
            let message = message(func, check, axis);
            let hoisted = known
                .filter(|_| !check.conditional)
                .and_then(|(sub, _)| box_test(&mut view, defs, scope, check, &sub, (size.clone(), message.clone())));
            match hoisted {
                Some(test) => plan.hoisted.push(test),
                None => {
                    let tests = plan.in_place.entry(check.key).or_default();
                    tests.push(PointTest { at: *sub, extent: size, message });
                }
            }
        }
    }
    plan
}

/// The test of an affine subscript over a nest: its extreme values, loop after loop from the inside out. `None` if a loop whose length
/// depends on others may be without iterations: then the extreme values need not occur.
fn box_test(
    view: &mut AffineView<'_>,
    defs: &Definitions,
    scope: Scope,
    check: &Check,
    sub: &LinExpr,
    (extent, message): (Size, String),
) -> Option<BoxTest> {
    let (mut least, mut greatest) = (sub.clone(), sub.clone());
    let mut trips = Vec::new();
    let mut small = true;
    // The first iterations, and the last ones, in which loops inside have any.
    let mut first = vec![0; check.loops.len()];
    let mut final_one: Vec<Option<LinExpr>> = vec![None; check.loops.len()];
    for (depth, Counted { counter, extent }) in check.loops.iter().enumerate().rev() {
        let Extent::Trip(trip) = extent else { return None };
        let trip = view.expr(*trip)?;
        let var = view.var(Atom::Value(*counter));
        let (last, start) =
            (earlier(trip.checked_offset(-1)?, final_one[depth].take())?, LinExpr::constant(first[depth]));
        least = at(&least, var, if least.coefficient(var) < 0 { &last } else { &start })?;
        greatest = at(&greatest, var, if greatest.coefficient(var) < 0 { &start } else { &last })?;
        small &= [&least, &greatest, &trip].into_iter().all(|sum| view.is_exact(sum));
        let more = last.checked_sub(&start)?;
        match operands(view, defs, scope, &more.checked_offset(1)?) {
            Some(known) => trips.push(known),
            None if view.never_negative(&check.loops[..depth], &more) => {}
            None => match edge(view, &check.loops[..depth], &more)? {
                (outer, Edge::From(from)) => first[outer] = from.max(first[outer]),
                (outer, Edge::To(to)) => final_one[outer] = Some(earlier(to, final_one[outer].take())?),
            },
        }
    }
    trips.reverse();
    let outside = |expr: &LinExpr| operands(view, defs, scope, expr);
    let (least, greatest) = (outside(&least)?, outside(&greatest)?);
    Some(BoxTest { least, greatest, extent, may_wrap: !small, trips, message, loc: check.loc })
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

/// The smaller of two ends that a constant lies between.
fn earlier(end: LinExpr, other: Option<LinExpr>) -> Option<LinExpr> {
    let Some(other) = other else { return Some(end) };
    let more = other.checked_sub(&end)?.as_constant()?;
    Some(if more < 0 { other } else { end })
}

/// An expression with another in place of a variable.
fn at(expr: &LinExpr, var: Var, value: &LinExpr) -> Option<LinExpr> {
    let coefficient = expr.coefficient(var);
    let rest = expr.checked_sub(&LinExpr::from_terms([(var, coefficient)], 0)?)?;
    rest.checked_add(&value.checked_scale(coefficient)?)
}

/// The terms of an expression over what is known before the nest.
fn operands(view: &AffineView<'_>, defs: &Definitions, scope: Scope, expr: &LinExpr) -> Option<Vec<(Operand, i64)>> {
    let mut terms = vec![(Operand::One, expr.constant_term())];
    for (var, coefficient) in expr.terms() {
        let operand = match view.atom(var) {
            Atom::Value(value) if !defs.is_inside(*value, scope) => Operand::Value(*value),
            Atom::Symbol(sym) => Operand::Size(Size::sym(*sym)),
            Atom::Product(syms) => {
                Operand::Size(syms.iter().fold(Size::constant(1), |product, s| product.mul(&Size::sym(*s))))
            }
            Atom::Value(_) | Atom::Trip(_) | Atom::Quotient(..) => return None,
        };
        terms.push((operand, coefficient));
    }
    Some(terms)
}

/// Appends scalar statements.
struct Emit<'f> {
    func: &'f mut Func,
    stmts: Vec<Stmt>,
    loc: Loc,
}

impl Emit<'_> {
    fn push(&mut self, op: Op, class: Class) -> Value {
        let result = self.func.new_value(Type::scalar(class));
        self.stmts.push(Stmt { results: vec![result], op, loc: self.loc });
        result
    }

    fn int(&mut self, value: i64) -> Value {
        self.push(Op::Const(Const::Int(value)), Class::Index)
    }

    fn size(&mut self, size: &Size) -> Value {
        match size.as_constant() {
            Some(value) => self.int(value),
            None => self.push(Op::Size(size.clone()), Class::Index),
        }
    }

    fn sum(&mut self, terms: &[(Operand, i64)]) -> Value {
        let mut sum: Option<Value> = None;
        for (operand, coefficient) in terms {
            let factor = match operand {
                Operand::One if *coefficient == 0 => continue,
                Operand::One => self.int(*coefficient),
                Operand::Value(value) => *value,
                Operand::Size(size) => self.size(size),
            };
            let scaled = match (operand, coefficient) {
                (Operand::One, _) | (_, 1) => factor,
                (_, by) => {
                    let by = self.int(*by);
                    self.push(Op::Binary(Binary::Mul, factor, by), Class::Index)
                }
            };
            sum = Some(match sum {
                None => scaled,
                Some(sum) => self.push(Op::Binary(Binary::Add, sum, scaled), Class::Index),
            });
        }
        sum.unwrap_or_else(|| self.int(0))
    }

    /// Whether the sum, and so each sum on the way to it, is exact in 64 bits: the magnitudes of its terms add up to less than 2^62.
    fn is_small(&mut self, terms: &[(Operand, i64)]) -> Value {
        let mut sum = self.double(0.0);
        for (operand, coefficient) in terms {
            let factor = match operand {
                Operand::One => self.int(1),
                Operand::Value(value) => *value,
                Operand::Size(size) => self.size(size),
            };
            let factor = self.push(Op::Convert(factor), Class::Double);
            let by = self.double(*coefficient as f64);
            let term = self.push(Op::Binary(Binary::Mul, factor, by), Class::Double);
            let term = self.push(Op::Unary(Unary::Abs, term), Class::Double);
            sum = self.push(Op::Binary(Binary::Add, sum, term), Class::Double);
        }
        let largest = self.double((1u64 << 62) as f64);
        self.compare(Binary::Lt, sum, largest)
    }

    fn double(&mut self, value: f64) -> Value {
        self.push(Op::Const(Const::Float(value)), Class::Double)
    }

    fn compare(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.push(Op::Binary(op, a, b), Class::Logical)
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
    let mut emit = Emit { func, stmts: Vec::new(), loc };
    for test in tests {
        let cond = emit.within(test.at, test.at, &test.extent);
        emit.assert(cond, &test.message);
    }
    emit.stmts
}

/// The statements that test a subscript before the nest.
pub(crate) fn hoisted(func: &mut Func, tests: &[BoxTest]) -> Vec<Stmt> {
    let mut emit = Emit { func, stmts: Vec::new(), loc: Loc::NONE };
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
