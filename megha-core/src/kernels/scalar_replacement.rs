//! Scalar replacement: elements of out-variables that a kernel's body uses again are kept in scalars
//! (D. Callahan, S. Carr, K. Kennedy, "Improving Register Allocation for Subscripted Variables", PLDI 1990).
//!
//! An element that a sequential inner loop loads and stores under loop-invariant subscripts becomes a carried scalar, with
//! one load before the loop and one put behind it, so that `c(i,j) = c(i,j) + a(i,k)*b(k,j)` accumulates in a register. The loop may read
//! other elements of the array, if they are never this one.
//! Then loads of what was just stored take the stored value, and puts that are overwritten unread go.

use super::accesses::{AffineView, Counted, Definitions, counted_loops};
use super::dead::leaves;
use crate::affine::{Access, AccessKind, LinExpr, Subscript};
use crate::hash::HashMap;
use crate::ir::{Func, Kernel, Loc, Mem, Op, Region, Stmt, Terminator, Type, Value};

/// Replaces elements of a kernel's out-variables by scalars.
pub fn run(func: &mut Func, defs: &Definitions, kernel: &mut Kernel) {
    let mut body = std::mem::take(&mut kernel.body);
    kernel.body.params.clone_from(&body.params);
    let elements = stored_elements(&body);
    let mut pass = Pass { func, defs, kernel, all: elements, loops: Vec::new(), touched: Vec::new() };
    pass.region(&mut body);
    kernel.body = body;
    forward(func, defs, kernel);
}

/// An element of an out-variable in one iteration.
#[derive(Debug, Clone, PartialEq)]
struct Element {
    out: usize,
    subs: Vec<Value>,
}

/// An access to an out-variable with the loops around it inside the kernel.
struct Placed {
    element: Element,
    loops: Vec<Counted>,
}

fn element_of(op: &Op) -> Option<Element> {
    match op {
        Op::Load(Mem::Out(out), subs) | Op::Put(out, subs, _) => Some(Element { out: *out, subs: subs.clone() }),
        _ => None,
    }
}

fn stored_elements(body: &Region) -> Vec<Placed> {
    fn walk(region: &Region, loops: &mut Vec<Counted>, all: &mut Vec<Placed>) {
        for stmt in &region.stmts {
            if let Some(element) = element_of(&stmt.op) {
                all.push(Placed { element, loops: loops.clone() });
            }
            let depth = loops.len();
            loops.extend(counted_loops(&stmt.op));
            stmt.op.regions().into_iter().for_each(|r| walk(r, loops, all));
            loops.truncate(depth);
        }
    }
    let mut all = Vec::new();
    walk(body, &mut Vec::new(), &mut all);
    all
}

/// Whether a statement, or one nested in it, touches an out-variable in one of these ways.
fn touches(stmt: &Stmt, out: usize, loads: bool, puts: bool) -> bool {
    stmt.any(|op| match op {
        Op::Load(Mem::Out(o), _) => loads && *o == out,
        Op::Put(o, ..) => puts && *o == out,
        _ => false,
    })
}

struct Pass<'p> {
    func: &'p mut Func,
    defs: &'p Definitions,
    kernel: &'p Kernel,
    /// All accesses to out-variables in the kernel.
    all: Vec<Placed>,
    /// The loops around the current region inside the kernel.
    loops: Vec<Counted>,
    /// The elements that have been touched whenever the current statement runs.
    touched: Vec<Element>,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let touched = self.touched.len();
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            self.touched.extend(element_of(&stmt.op));
            let depth = self.loops.len();
            self.loops.extend(counted_loops(&stmt.op));
            for nested in stmt.op.regions_mut() {
                self.region(nested);
            }
            self.loops.truncate(depth);
            let (mut before, mut after) = (Vec::new(), Vec::new());
            while let Some(element) = self.candidate(&stmt) {
                let (load, put) = self.replace(&mut stmt, element);
                before.push(load);
                after.extend(put);
            }
            stmts.append(&mut before);
            stmts.push(stmt);
            stmts.append(&mut after);
        }
        self.touched.truncate(touched);
        region.stmts = stmts;
    }

    /// An element that the loop can keep in a scalar.
    fn candidate(&self, stmt: &Stmt) -> Option<Element> {
        let Op::For { body, .. } = &stmt.op else { return None };
        if leaves(body, 0) {
            return None;
        }
        let mut found: Vec<Element> = Vec::new();
        elements(body, &mut found);
        let element = found.iter().find(|e| self.is_replaceable(body, e, &found))?;
        Some(self.touched_as(element).unwrap_or(element).clone())
    }

    /// The element as it has been touched before, by values that are known here.
    fn touched_as(&self, element: &Element) -> Option<&Element> {
        let mut before = self.touched.iter().filter(|other| other.out == element.out).peekable();
        before.peek()?;
        let mut view = AffineView::new(&self.func.symbols, self.defs, []);
        let this = exprs(&mut view, element);
        let is_known = this.iter().all(Option::is_some);
        before.find(|other| is_known && exprs(&mut view, other) == this)
    }

    fn is_replaceable(&self, body: &Region, element: &Element, found: &[Element]) -> bool {
        let Some(scope) = self.defs.scope_of(body.params[0]) else { return false };
        if element.subs.iter().any(|s| self.defs.scope_of(*s).is_none()) {
            return false;
        }
        let mut view = AffineView::new(&self.func.symbols, self.defs, [scope]);
        let touched = self.touched_as(element);
        let invariant = touched.is_some() || element.subs.iter().all(|s| !self.defs.is_inside(*s, scope));
        let this = exprs(&mut view, element);
        let same = |view: &mut AffineView<'_>, e: &Element| {
            let other = exprs(view, e);
            other == this && other.iter().all(Option::is_some)
        };
        let of_array = || found.iter().filter(|e| e.out == element.out);
        let one = of_array().all(|e| same(&mut view, e) || self.is_another(body, element, e));
        let in_loop_nests = body
            .stmts
            .iter()
            .any(|s| matches!(s.op, Op::For { .. } | Op::While { .. }) && touches(s, element.out, true, true));
        invariant && one && !in_loop_nests && self.may_move(element)
    }

    /// Whether an element that the loop only reads is never the one that another access in it reaches, which does not move in the loop.
    fn is_another(&self, body: &Region, fixed: &Element, read: &Element) -> bool {
        let is_put = |op: &Op| matches!(op, Op::Put(..)) && element_of(op).as_ref() == Some(read);
        if body.any(is_put) {
            return false;
        }
        let scope = self.kernel.body.params.first().and_then(|v| self.defs.scope_of(*v));
        let mut view = AffineView::new(&self.func.symbols, self.defs, scope);
        let Some(ty) = self.out_type(fixed.out) else { return false };
        let fixed = view.access(AccessKind::Write, ty, &fixed.subs);
        let placed = |p: &&Placed| p.element == *read && p.loops.iter().any(|l| l.counter == body.params[0]);
        let mut reads = self.all.iter().filter(placed).peekable();
        reads.peek().is_some()
            && reads.all(|placed| {
                let other = view.access(AccessKind::Read, ty, &placed.element.subs);
                view.never_in_one_iteration(self.kernel, (&fixed, &self.loops), (&other, &placed.loops))
            })
    }

    /// Whether the element may be loaded and stored where the loop stands, even if the loop does nothing: it exists, and
    /// no other iteration of the kernel touches it.
    fn may_move(&self, element: &Element) -> bool {
        let scope = self.kernel.body.params.first().and_then(|v| self.defs.scope_of(*v));
        let mut view = AffineView::new(&self.func.symbols, self.defs, scope);
        let Some(ty) = self.out_type(element.out) else { return false };
        let moved = view.access(AccessKind::Write, ty, &element.subs);
        let around: Vec<Counted> = kernel_loops(self.kernel).chain(self.loops.iter().cloned()).collect();
        let extents = view.extents(ty, element.subs.len());
        let inside = element.subs.iter().zip(extents).all(|(sub, extent)| {
            view.expr(*sub).zip(extent).is_some_and(|(sub, extent)| view.in_bounds(&around, &[], &sub, &extent))
        });
        (inside || self.touched_as(element).is_some())
            && moved.subscripts.iter().all(|s| matches!(s, Subscript::Affine(_)))
            && self.all.iter().filter(|p| p.element.out == element.out).all(|placed| {
                let other: Access = view.access(AccessKind::Write, ty, &placed.element.subs);
                view.same_iteration_only(self.kernel, (&moved, &self.loops), (&other, &placed.loops)).is_ok()
            })
    }

    /// The subscripts of other elements of the array that a loop reads.
    fn others(&self, body: &Region, element: &Element) -> Vec<Vec<Value>> {
        let scope = self.defs.scope_of(body.params[0]);
        let mut view = AffineView::new(&self.func.symbols, self.defs, scope);
        let this = exprs(&mut view, element);
        let mut found = Vec::new();
        elements(body, &mut found);
        found.retain(|e| e.out == element.out && exprs(&mut view, e) != this);
        found.into_iter().map(|e| e.subs).collect()
    }

    fn out_type(&self, out: usize) -> Option<&Type> {
        self.kernel.outs.get(out)?.updated().map(|array| self.func.ty(array))
    }

    /// Rewrites the loop; gives the load before it, and the put behind it if the loop stores the element.
    fn replace(&mut self, stmt: &mut Stmt, element: Element) -> (Stmt, Option<Stmt>) {
        let class = self.out_type(element.out).map(|ty| ty.class).unwrap_or(crate::ir::Class::Double);
        let stores = touches(stmt, element.out, false, true);
        let first = self.func.new_value(Type::scalar(class));
        let load = Op::Load(Mem::Out(element.out), element.subs.clone());
        let load = Stmt { results: vec![first], op: load, loc: stmt.loc };
        let Op::For { init, body, .. } = &mut stmt.op else { return (load, None) };
        let others = self.others(body, &element);
        let mut rewrite =
            Rewrite { func: self.func, out: element.out, others, class, renamed: HashMap::default(), loc: stmt.loc };
        if !stores {
            rewrite.region(body, first);
            return (load, None);
        }
        let param = rewrite.value();
        let last = rewrite.region(body, param);
        let result = rewrite.value();
        body.params.push(param);
        init.push(first);
        if let Terminator::Yield(values) = &mut body.term {
            values.push(last);
        }
        stmt.results.push(result);
        let put = Op::Put(element.out, element.subs, result);
        (load, Some(Stmt { results: Vec::new(), op: put, loc: stmt.loc }))
    }
}

fn kernel_loops(kernel: &Kernel) -> impl Iterator<Item = Counted> {
    use super::accesses::Extent;
    let loops = kernel.body.params.iter().zip(&kernel.domain);
    loops.map(|(counter, size)| Counted { counter: *counter, extent: Extent::Size(size.clone()) })
}

/// The subscripts of an element, as far as they are linear.
fn exprs(view: &mut AffineView<'_>, element: &Element) -> Vec<Option<LinExpr>> {
    element.subs.iter().map(|s| view.expr(*s)).collect()
}

/// Collects the elements of out-variables that a region touches.
fn elements(region: &Region, found: &mut Vec<Element>) {
    region.walk(&mut |stmt| found.extend(element_of(&stmt.op)));
}

/// Replaces the one element of an out-variable that a region stores by scalars.
struct Rewrite<'f> {
    func: &'f mut Func,
    out: usize,
    /// The subscripts of other elements, which stay in memory.
    others: Vec<Vec<Value>>,
    class: crate::ir::Class,
    renamed: HashMap<Value, Value>,
    loc: Loc,
}

impl Rewrite<'_> {
    fn value(&mut self) -> Value {
        self.func.new_value(Type::scalar(self.class))
    }

    /// Given the element's value on entry; gives its value at the end.
    fn region(&mut self, region: &mut Region, mut current: Value) -> Value {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            stmt.op.for_each_operand_mut(&mut |v| *v = self.renamed.get(v).copied().unwrap_or(*v));
            let chooses = matches!(stmt.op, Op::If { .. }) && touches(&stmt, self.out, false, true);
            match &mut stmt.op {
                Op::Load(Mem::Out(out), subs) if *out == self.out && !self.others.contains(subs) => {
                    self.renamed.insert(stmt.results[0], current);
                    continue;
                }
                Op::Put(out, _, value) if *out == self.out => {
                    current = *value;
                    continue;
                }
                Op::If { .. } if chooses => current = self.arms(&mut stmt, current),
                op => {
                    for nested in op.regions_mut() {
                        self.region(nested, current);
                    }
                }
            }
            stmts.push(stmt);
        }
        region.stmts = stmts;
        region.term.values_mut().iter_mut().for_each(|v| *v = self.renamed.get(v).copied().unwrap_or(*v));
        current
    }

    fn arms(&mut self, stmt: &mut Stmt, current: Value) -> Value {
        for arm in stmt.op.regions_mut() {
            let last = self.region(arm, current);
            if let Terminator::Yield(values) = &mut arm.term {
                values.push(last);
            }
        }
        let result = self.value();
        stmt.results.push(result);
        stmt.loc = if stmt.loc == Loc::NONE { self.loc } else { stmt.loc };
        result
    }
}

/// Subscripts, comparable: linear expressions, or values where they are none.
type Key = (usize, Vec<Result<LinExpr, Value>>);

/// Takes stored values from where they were computed, and removes puts that another put makes superfluous.
fn forward(func: &Func, defs: &Definitions, kernel: &mut Kernel) {
    let scope = kernel.body.params.first().and_then(|v| defs.scope_of(*v));
    let mut forward = Forward { view: AffineView::new(&func.symbols, defs, scope), renamed: HashMap::default() };
    forward.region(&mut kernel.body, &HashMap::default());
}

struct Forward<'f> {
    view: AffineView<'f>,
    renamed: HashMap<Value, Value>,
}

impl Forward<'_> {
    fn key(&mut self, element: &Element) -> Key {
        (element.out, element.subs.iter().map(|s| self.view.expr(*s).ok_or(*s)).collect())
    }

    fn region(&mut self, region: &mut Region, outside: &HashMap<Key, Value>) {
        let mut known = outside.clone();
        for stmt in &mut region.stmts {
            stmt.op.for_each_operand_mut(&mut |v| *v = self.renamed.get(v).copied().unwrap_or(*v));
            if let Some(element) = element_of(&stmt.op) {
                let key = self.key(&element);
                match (&stmt.op, stmt.results.first()) {
                    (Op::Put(out, _, value), _) => {
                        known.retain(|(o, _), _| o != out);
                        known.insert(key, *value);
                    }
                    (_, Some(result)) => match known.get(&key) {
                        Some(value) => {
                            self.renamed.insert(*result, *value);
                        }
                        None => {
                            known.insert(key, *result);
                        }
                    },
                    _ => {}
                }
            }
            let is_loop = matches!(stmt.op, Op::For { .. } | Op::While { .. });
            let mut inside = known.clone();
            inside.retain(|(out, _), _| !is_loop || !touches(stmt, *out, false, true));
            let kept: Vec<Key> = known.keys().filter(|(out, _)| !stores_nested(&stmt.op, *out)).cloned().collect();
            for nested in stmt.op.regions_mut() {
                self.region(nested, &inside);
            }
            known.retain(|key, _| kept.contains(key));
        }
        region.term.values_mut().iter_mut().for_each(|v| *v = self.renamed.get(v).copied().unwrap_or(*v));
        self.drop_loads(region);
        self.drop_puts(region);
    }

    fn drop_loads(&self, region: &mut Region) {
        region.stmts.retain(|s| {
            let replaced = s.results.first().is_some_and(|r| self.renamed.contains_key(r));
            !(replaced && matches!(s.op, Op::Load(..)))
        });
    }

    /// Removes each put that a later one of the same region overwrites, with no load of the out-variable between.
    fn drop_puts(&mut self, region: &mut Region) {
        let mut overwritten: Vec<Key> = Vec::new();
        let mut kept = Vec::with_capacity(region.stmts.len());
        for stmt in std::mem::take(&mut region.stmts).into_iter().rev() {
            if let (Op::Put(..), Some(element)) = (&stmt.op, element_of(&stmt.op)) {
                let key = self.key(&element);
                if overwritten.contains(&key) {
                    continue;
                }
                overwritten.push(key);
            } else {
                overwritten.retain(|(out, _)| !touches(&stmt, *out, true, false));
            }
            kept.push(stmt);
        }
        kept.reverse();
        region.stmts = kept;
    }
}

fn stores_nested(op: &Op, out: usize) -> bool {
    op.regions().into_iter().any(|region| region.any(|op| matches!(op, Op::Put(o, ..) if *o == out)))
}
