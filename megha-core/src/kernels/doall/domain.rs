//! The domain of a nest that becomes a kernel: a box, and bounds within it.
//!
//! The number of iterations of an inner loop may depend on the loops around it (triangles, trapezoids, bands). The kernel's domain is then the
//! box around all iterations, whose sizes are known before the nest, and what the nest does stands in a guard
//! ([`Kernel::guard`]), a conjunction of affine comparisons of the iteration numbers: back ends make bounds of loops of it.
//! An `if` around all that the nest does joins the guard.
//!
//! A loop of the program counts from its own start. Where a subscript is that number and a sum of outer counters (`j` of
//! `for j in i..n`, which is `i + k` with `k` from zero), the kernel's loop counts the subscript instead, so that its steps are steps in memory in any
//! order of the loops. A loop whose length has a constant bound (a band) keeps its own numbers, and the box is small.

use super::nest::{Nest, not_negative};
use crate::affine::LinExpr;
use crate::hash::HashMap;
use crate::ir::size::{SymData, SymDef};
use crate::ir::{Binary, Class, Const, Func, Kernel, Loc, Op, Region, Size, Stmt, Sub, Sym, Terminator, Type, Value};
use crate::kernels::accesses::{AffineView, Atom, Counted, Definitions, Scope, Sum, new_counter, symbol, symbol_of};

/// The first so many numbers of a loop may be without iterations.
const MOST_UNUSED: i64 = 4;

/// A loop whose length depends on loops around it.
#[derive(Debug)]
struct Bounded {
    /// Its place in the nest.
    level: usize,
    counter: Value,
    /// Not negative in exactly its iterations.
    ends: Vec<Sum>,
    /// What is added to its counter.
    shift: Sum,
}

/// What is found of a nest, before anything is rewritten.
#[derive(Debug, Default)]
pub(super) struct Shape {
    bounded: Vec<Bounded>,
    /// Further conditions of all that the nest does.
    guards: Vec<Sum>,
    /// Index values of the body as functions of the counters.
    subscripts: HashMap<Value, Sum>,
}

impl Shape {
    /// Whether a loop can be the next of a nest whose box is known before `scope`; takes note of its bounds.
    pub fn admit(&mut self, func: &Func, defs: &Definitions, scope: Scope, nest: &Nest<'_>, inner: &Counted) -> bool {
        let outer: Vec<Value> = nest.loops().iter().map(|l| l.counter).collect();
        let mut view = AffineView::new(&func.symbols, defs, [scope]);
        let Some(ends) = view.ends_under(inner, &outer, scope) else { return false };
        let own = view.var(Atom::Value(inner.counter));
        let steps = ends.iter().all(|end| end.coefficient(own) == -1);
        let shift = if steps { shift(&mut view, nest, inner.counter, &outer) } else { LinExpr::default() };
        let sum = |e: &LinExpr| Sum::of(&view, e);
        let ends = ends.iter().map(sum).collect();
        self.bounded.push(Bounded { level: nest.depth(), counter: inner.counter, ends, shift: sum(&shift) });
        true
    }

    /// Takes the condition off a body that is one `if`; says whether it was one.
    pub fn unwrap(&mut self, func: &Func, defs: &Definitions, scope: Scope, body: &mut Region) -> bool {
        let Some((last, before)) = body.stmts.split_last() else { return false };
        let Op::If { cond, then, els } = &last.op else { return false };
        let whole = last.results.is_empty()
            && els.stmts.is_empty()
            && [then, els].iter().all(|arm| arm.term == Terminator::Yield(Vec::new()))
            && before.iter().all(|s| s.op.regions().is_empty() && !s.op.has_effect());
        let mut view = AffineView::new(&func.symbols, defs, [scope]);
        let Some(conditions) = whole.then(|| view.conditions(*cond)).flatten() else { return false };
        let params = body.params.clone();
        let known = |view: &AffineView<'_>, e: &LinExpr| {
            e.terms().all(|(var, _)| match view.atom(var) {
                Atom::Value(value) => params.contains(value) || !defs.is_inside(*value, scope),
                Atom::Symbol(_) | Atom::Product(_) => true,
                Atom::Trip(_) | Atom::Quotient(..) => false,
            })
        };
        if !conditions.iter().all(|e| known(&view, e)) {
            return false;
        }
        self.guards.extend(conditions.iter().map(|e| Sum::of(&view, e)));
        let Some(Stmt { op: Op::If { then, .. }, .. }) = body.stmts.pop() else { return false };
        body.stmts.extend(then.stmts);
        true
    }

    /// Whether the kernel's domain is the box alone.
    pub fn is_box(&self) -> bool {
        self.bounded.is_empty() && self.guards.is_empty()
    }

    /// Takes note of the subscripts that are made of counters which will be counted otherwise.
    pub fn look_at(&mut self, func: &Func, defs: &Definitions, scope: Scope, body: &Region) {
        let mut view = AffineView::new(&func.symbols, defs, [scope]);
        let moved: Vec<Value> = self.bounded.iter().filter(|b| !b.shift.terms.is_empty()).map(|b| b.counter).collect();
        if !moved.is_empty() {
            let known = |v: Value| body.params.contains(&v) || !defs.is_inside(v, scope);
            look_at(func, &mut view, (&moved, &known), body, &mut self.subscripts);
        }
    }

    /// The box around the iterations. `extents` are those of the nest's loops; those of bounded ones are not looked at.
    pub fn hull(&self, func: &mut Func, defs: &Definitions, extents: Vec<Size>, params: &[Value]) -> Hull {
        let mut hull = Hull { extents, numbers: params.to_vec(), ..Hull::default() };
        for bounded in &self.bounded {
            hull.add(func, defs, bounded);
        }
        let symbols = hull.symbols(func);
        for guard in &self.guards {
            hull.bounds.push(renamed(&guard.size(func, defs), &symbols));
        }
        for (value, sum) in &self.subscripts {
            hull.subscripts.insert(*value, renamed(&sum.size(func, defs), &symbols));
        }
        hull
    }
}

/// The sum of outer counters to which most subscripts add a counter, and a small constant if the first of these adds nothing else: then
/// the loop's box often is that of other loops.
fn shift(view: &mut AffineView<'_>, nest: &Nest<'_>, counter: Value, outer: &[Value]) -> LinExpr {
    let mut subs = Vec::new();
    subscripts(nest.innermost(), &mut subs);
    let own = view.var(Atom::Value(counter));
    let outer: Vec<_> = outer.iter().map(|c| view.var(Atom::Value(*c))).collect();
    let mut counts: Vec<(LinExpr, i64, usize)> = vec![(LinExpr::default(), 0, 0)];
    for sub in subs {
        let Some(expr) = view.expr(sub).filter(|e| e.coefficient(own) == 1) else { continue };
        let terms = expr.terms().filter(|(var, _)| outer.contains(var));
        let Some(sum) = LinExpr::from_terms(terms, 0) else { continue };
        let is_all = expr.terms().all(|(var, _)| var == own || outer.contains(&var));
        match counts.iter_mut().find(|(known, ..)| *known == sum) {
            Some((.., count)) => *count += 1,
            None => counts.push((sum, if is_all { expr.constant_term() } else { 0 }, 1)),
        }
    }
    // Among equals the first.
    let most = counts.into_iter().rev().max_by_key(|(.., count)| *count);
    let Some((sum, constant, _)) = most.filter(|(sum, ..)| *sum != LinExpr::default()) else {
        return LinExpr::default();
    };
    let constant = if (0..=MOST_UNUSED).contains(&constant) { constant } else { 0 };
    sum.checked_offset(constant).unwrap_or(sum)
}

/// The subscripts of all accesses in a region.
fn subscripts(region: &Region, found: &mut Vec<Value>) {
    for stmt in &region.stmts {
        if let Op::Index { subs, .. } | Op::Store { subs, .. } = &stmt.op {
            found.extend(subs.iter().filter_map(Sub::value));
        }
        stmt.op.regions().into_iter().for_each(|r| subscripts(r, found));
    }
}

fn look_at(
    func: &Func,
    view: &mut AffineView<'_>,
    (moved, known): (&[Value], &dyn Fn(Value) -> bool),
    region: &Region,
    found: &mut HashMap<Value, Sum>,
) {
    for stmt in &region.stmts {
        if let (Op::Binary(..) | Op::Size(_), [result]) = (&stmt.op, &stmt.results[..])
            && func.ty(*result).is_scalar()
            && func.ty(*result).class == Class::Index
            && let Some(expr) = view.expr(*result)
        {
            let sum = Sum::of(view, &expr);
            let is_size = sum.terms.iter().all(|(atom, _)| match atom {
                Atom::Value(value) => known(*value),
                Atom::Symbol(_) | Atom::Product(_) => true,
                Atom::Trip(_) | Atom::Quotient(..) => false,
            });
            if is_size && sum.terms.iter().any(|(atom, _)| matches!(atom, Atom::Value(v) if moved.contains(v))) {
                found.insert(*result, sum);
            }
        }
        stmt.op.regions().into_iter().for_each(|r| look_at(func, view, (moved, known), r, found));
    }
}

/// A body over other numbers.
struct Rewrite<'h> {
    /// Values that are written as sizes,
    values: &'h HashMap<Value, Size>,
    /// symbols in sizes,
    symbols: HashMap<Sym, Size>,
    /// and values that are iteration numbers.
    same: HashMap<Value, Value>,
}

impl Rewrite<'_> {
    fn stmts(&self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            stmt.op.for_each_operand_mut(&mut |v| *v = self.same.get(v).copied().unwrap_or(*v));
            if let [result] = stmt.results[..]
                && let Some(size) = self.values.get(&result)
            {
                stmt.op = Op::Size(size.clone());
            }
            if let Op::Size(size) = &mut stmt.op {
                *size = renamed(size, &self.symbols);
            }
            for region in stmt.op.regions_mut() {
                self.stmts(&mut region.stmts);
                region.term.values_mut().iter_mut().for_each(|v| *v = self.same.get(v).copied().unwrap_or(*v));
            }
        }
    }
}

/// The box around the iterations of a nest.
#[derive(Debug, Default)]
pub(super) struct Hull {
    /// The extents of its loops.
    pub extents: Vec<Size>,
    /// The kernel's iteration numbers.
    numbers: Vec<Value>,
    /// The counters that are not iteration numbers any more, as functions of these.
    old: Vec<(Value, Size)>,
    /// Functions of the iteration numbers that are not negative in exactly the iterations of the nest.
    bounds: Vec<Size>,
    /// Index values of the body as functions of the iteration numbers.
    subscripts: HashMap<Value, Size>,
}

impl Hull {
    /// Gives a kernel over the counters of the program the iteration numbers of the box, and its guard.
    pub fn settle(self, func: &mut Func, kernel: &mut Kernel, loc: Loc) {
        let define =
            |(counter, number): &(Value, Size)| Stmt { results: vec![*counter], op: Op::Size(number.clone()), loc };
        let mut stmts: Vec<Stmt> = self.old.iter().map(define).collect();
        stmts.append(&mut kernel.body.stmts);
        let numbers = self.number_symbols(func);
        let same = |(value, size): (&Value, &Size)| {
            let number = numbers.iter().find(|(_, sym)| *size == Size::sym(*sym))?.0;
            Some((*value, number))
        };
        let old = self.old.iter().map(|(counter, number)| (counter, number));
        let same: HashMap<Value, Value> = old.chain(&self.subscripts).filter_map(same).collect();
        let rewrite = Rewrite { values: &self.subscripts, symbols: self.symbols(func), same };
        rewrite.stmts(&mut stmts);
        let mut guard = Guard { func, stmts: Vec::new(), loc };
        if let Some(cond) = guard.all(&self) {
            let arm = |stmts| Box::new(Region { params: Vec::new(), stmts, term: Terminator::Yield(Vec::new()) });
            let op = Op::If { cond, then: arm(stmts), els: arm(Vec::new()) };
            guard.stmts.push(Stmt { results: Vec::new(), op, loc });
            stmts = guard.stmts;
        }
        kernel.body = Region { params: self.numbers, stmts, term: Terminator::Yield(Vec::new()) };
    }

    /// A bounded loop: the extent of its box, its new number and its bounds.
    fn add(&mut self, func: &mut Func, defs: &Definitions, bounded: &Bounded) {
        let own = symbol_of(func, defs, bounded.counter);
        let symbols = self.symbols(func);
        let ends: Vec<Size> = bounded.ends.iter().map(|end| renamed(&end.size(func, defs), &symbols)).collect();
        let longest = self.longest(func, defs, own, &ends, &Size::default());
        let mut shift = renamed(&bounded.shift.size(func, defs), &symbols);
        let mut extent = longest;
        if extent.as_constant().is_some() {
            shift = Size::default();
        } else {
            let least = self.extreme(func, &shift, false);
            if !least.as_constant().is_some_and(|least| (0..=MOST_UNUSED).contains(&least)) {
                shift = shift.sub(&least);
            }
            extent = self.longest(func, defs, own, &ends, &shift);
        }
        let (number, sym) = new_counter(func, bounded.counter, &extent);
        let counter = Size::sym(sym).sub(&shift);
        self.extents[bounded.level] = extent.clone();
        self.numbers[bounded.level] = number;
        if shift != Size::default() {
            self.bounds.push(counter.clone());
        }
        for end in ends {
            let bound = end.substitute(&mut |s| if s == own { counter.clone() } else { Size::sym(s) });
            if bound != extent.add_const(-1).sub(&Size::sym(sym)) {
                self.bounds.push(bound);
            }
        }
        self.old.push((bounded.counter, counter));
    }

    /// More than the largest number of a loop, to whose counter `shift` is added: of several bounds a constant, or one that is known
    /// not to be larger than others.
    fn longest(&self, func: &mut Func, defs: &Definitions, own: Sym, ends: &[Size], shift: &Size) -> Size {
        let mut best: Option<Size> = None;
        for end in ends {
            let Some(by) = end.only_factor(own).filter(|by| *by < 0) else { continue };
            let rest = end.plus(-by, &Size::sym(own)).plus(-by, shift);
            let most = self.extreme(func, &rest, true);
            let most = match by {
                -1 => most,
                _ => quotient(func, most, -by),
            };
            let extent = not_negative(func, defs, most.add_const(1));
            let better = match &best {
                None => true,
                Some(best) if best.as_constant().is_some() => false,
                Some(best) => extent.as_constant().is_some() || func.symbols.never_negative(&best.sub(&extent)),
            };
            if better {
                best = Some(extent);
            }
        }
        best.unwrap_or_default()
    }

    /// The greatest (or the least) value of an affine function in the box.
    fn extreme(&self, func: &Func, of: &Size, greatest: bool) -> Size {
        let mut value = of.clone();
        for (number, sym) in self.number_symbols(func) {
            let at = self.numbers.iter().position(|n| *n == number);
            let Some(extent) = at.and_then(|at| self.extents.get(at)) else { continue };
            let Some(by) = value.only_factor(sym) else { continue };
            value = value.plus(-by, &Size::sym(sym));
            if (by > 0) == greatest {
                value = value.plus(by, &extent.add_const(-1));
            }
        }
        value
    }

    /// The iteration numbers that symbols stand for.
    fn number_symbols(&self, func: &Func) -> Vec<(Value, Sym)> {
        let of = |(sym, data): (Sym, &SymData)| match data.def {
            SymDef::Value(value) if self.numbers.contains(&value) => Some((value, sym)),
            _ => None,
        };
        let mut found: Vec<(Value, Sym)> = func.symbols.iter().filter_map(of).collect();
        found.sort_by_key(|(value, _)| self.numbers.iter().position(|n| n == value));
        found
    }

    /// The symbols of counters that are not iteration numbers any more.
    fn symbols(&self, func: &Func) -> HashMap<Sym, Size> {
        let of = |value: &Value| func.symbols.iter().find(|(_, d)| d.def == SymDef::Value(*value)).map(|(sym, _)| sym);
        self.old.iter().filter_map(|(counter, size)| Some((of(counter)?, size.clone()))).collect()
    }
}

/// A size over counters of the program as one over iteration numbers.
fn renamed(size: &Size, symbols: &HashMap<Sym, Size>) -> Size {
    size.substitute(&mut |sym| symbols.get(&sym).cloned().unwrap_or_else(|| Size::sym(sym)))
}

fn quotient(func: &mut Func, of: Size, by: i64) -> Size {
    match of.as_constant() {
        Some(number) => Size::constant(number.div_euclid(by)),
        None => Size::sym(symbol(func, SymDef::FloorDiv(of, Size::constant(by)), Vec::new(), Vec::new())),
    }
}

/// Writes the condition of a guard.
struct Guard<'f> {
    func: &'f mut Func,
    stmts: Vec<Stmt>,
    loc: Loc,
}

impl Guard<'_> {
    /// The conjunction of all bounds; `None` if there are none.
    fn all(&mut self, hull: &Hull) -> Option<Value> {
        let numbers = hull.number_symbols(self.func);
        hull.bounds.iter().fold(None, |all, bound| {
            let one = self.one(bound, &numbers);
            Some(match all {
                None => one,
                Some(all) => self.push(Op::Binary(Binary::And, all, one), Class::Logical),
            })
        })
    }

    /// One bound, as a comparison of the innermost number in it.
    fn one(&mut self, bound: &Size, numbers: &[(Value, Sym)]) -> Value {
        let inner = numbers.iter().rev().find_map(|(number, sym)| Some((*number, *sym, bound.only_factor(*sym)?)));
        let (op, a, b) = match inner {
            Some((number, sym, 1)) => (Binary::Ge, number, Size::sym(sym).sub(bound)),
            Some((number, sym, -1)) => (Binary::Lt, number, bound.add(&Size::sym(sym)).add_const(1)),
            _ => (Binary::Ge, self.size(bound), Size::default()),
        };
        let b = match numbers.iter().find(|(_, sym)| b == Size::sym(*sym)) {
            Some((number, _)) => *number,
            None => self.size(&b),
        };
        self.push(Op::Binary(op, a, b), Class::Logical)
    }

    fn size(&mut self, size: &Size) -> Value {
        let op = match size.as_constant() {
            Some(number) => Op::Const(Const::Int(number)),
            None => Op::Size(size.clone()),
        };
        self.push(op, Class::Index)
    }

    fn push(&mut self, op: Op, class: Class) -> Value {
        let result = self.func.new_value(Type::scalar(class));
        self.stmts.push(Stmt { results: vec![result], op, loc: self.loc });
        result
    }
}
