//! Scalar replacement outside of kernels: an element that a loop gathers in is held in a scalar while the loop runs.
//!
//! ```text
//! for j < i { x(i) = x(i) - l(i, j) * x(j) }     becomes     s = x(i);  for j < i { s = s - l(i, j) * x(j) }  x(i) = s
//! ```
//!
//! In kernels that is done as they are made ([`crate::kernels::scalar_replacement`]; D. Callahan, S. Carr, K. Kennedy, "Improving Register Allocation
//! for Subscripted Variables", PLDI 1990). What is still a loop over elements runs in order, and the compiler of the generated code, which does not know that
//! `x(j)` is another element, would store and load the element in each iteration: the chain of these takes two to three times as long as that of the
//! operations. Here the dependence test proves that the loop reads no element under other subscripts that is this one.
//!
//! The loop may have no iterations, and the element exists only if it has some. Where nothing else beside the loop touches it, the new form stands
//! behind a test of that.

use super::tree::is_movable;
use crate::affine::{AccessKind, Domain, LinExpr, Pair};
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Loc, Op, Region, Stmt, Sub, Terminator, Type, Value};
use crate::kernels::accesses::{AffineView, Counted, Definitions, counted_loops};
use crate::kernels::dead::leaves;

/// Rewrites such loops of a function, inner ones first.
pub(crate) fn run(func: &mut Func) {
    if !func.body.any(|op| matches!(op, Op::For { body, .. } if body.stmts.iter().any(is_store))) {
        return;
    }
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    Pass { func, defs, loops: Vec::new() }.region(&mut body);
    func.body = body;
}

fn is_store(stmt: &Stmt) -> bool {
    matches!(stmt.op, Op::Store { .. })
}

/// An element that a loop can hold.
struct Held {
    /// Which of the values that the loop hands on is the array.
    at: usize,
    /// The subscripts in the loop, and what they are before it.
    subs: Vec<Value>,
    outside: Vec<Value>,
    /// What computes those that are not known before the loop.
    computed: Vec<Stmt>,
    /// Whether the element exists also where the loop has no iterations.
    exists: bool,
}

/// A read of an element of the array that a loop hands on, with the loops around it from this one on.
struct Read {
    result: Value,
    subs: Vec<Value>,
    loops: Vec<Counted>,
}

struct Pass<'f> {
    func: &'f mut Func,
    defs: Definitions,
    /// The loops around the current region.
    loops: Vec<Counted>,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut rest = std::mem::take(&mut region.stmts).into_iter();
        while let Some(mut stmt) = rest.next() {
            if !matches!(stmt.op, Op::Kernel(_)) {
                let depth = self.loops.len();
                self.loops.extend(counted_loops(&stmt.op));
                stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
                self.loops.truncate(depth);
            }
            let mut after = Vec::new();
            while let Some(held) = self.held(&stmt, (&region.stmts, rest.as_slice())) {
                region.stmts.extend(held.computed.iter().cloned());
                if held.exists {
                    let (load, store) = self.rewrite(&mut stmt, &held);
                    region.stmts.push(load);
                    after.push(store);
                } else {
                    let (test, choice) = self.guarded(stmt, &held);
                    region.stmts.extend(test);
                    stmt = choice;
                }
            }
            region.stmts.push(stmt);
            region.stmts.append(&mut after);
        }
    }

    /// An element that a loop, which stands between these statements, can hold.
    fn held(&mut self, stmt: &Stmt, around: (&[Stmt], &[Stmt])) -> Option<Held> {
        let Op::For { body, .. } = &stmt.op else { return None };
        if leaves(body, 0) || !matches!(body.term, Terminator::Yield(_)) || !body.stmts.iter().all(is_plain) {
            return None;
        }
        (0..body.params.len() - 1).find_map(|at| self.element(stmt, at, around))
    }

    /// The one element that a loop stores of an array that it hands on, if it can be held.
    fn element(&mut self, stmt: &Stmt, at: usize, around: (&[Stmt], &[Stmt])) -> Option<Held> {
        let Op::For { init, body, .. } = &stmt.op else { return None };
        // Nor may the loop hand on another size, which the store behind it would not have.
        let states = [body.params[at + 1], stmt.results[at]];
        let ty = self.func.ty(init[at]);
        if ty.is_scalar() || states.iter().any(|state| self.func.ty(*state) != ty) {
            return None;
        }
        let mut walk = Walk { states: vec![body.params[at + 1]], loops: counted_loops(&stmt.op), reads: Vec::new() };
        let subs = walk.stored(body, at)?;
        // A size would go on to mean the number that is read.
        if walk.reads.iter().any(|read| self.defs.symbol_of(read.result).is_some()) {
            return None;
        }
        let (outside, computed) = self.before(body, &subs)?;
        let scope = self.defs.scope_of(body.params[0])?;
        let known = self.loops.first().map_or(Some(scope), |outermost| self.defs.scope_of(outermost.counter))?;
        let mut view = AffineView::new(&self.func.symbols, &self.defs, [known]).with_locals();
        let ty = self.func.ty(init[at]);
        let mut accessed = |kind, subs: &[Value], loops: &[Counted]| {
            let access = view.access(kind, ty, subs);
            let cases: Vec<Domain> = view.cases_of(loops, &[], &access);
            (access, cases)
        };
        let (element, elements) = accessed(AccessKind::Write, &subs, &self.loops);
        let common = self.loops.len();
        let is_another = walk.reads.iter().filter(|read| read.subs != subs).all(|read| {
            let (read, reads) = accessed(AccessKind::Read, &read.subs, &[&self.loops[..], &read.loops].concat());
            let never =
                |one, other| Pair::new((one, &read), (other, &element), common).dependences_inside(common).is_empty();
            reads.iter().all(|one| elements.iter().all(|other| never(one, other)))
        });
        let exists = self.exists((init[at], &subs), around);
        is_another.then_some(Held { at, subs, outside, computed, exists })
    }

    /// The subscripts as they are before a loop, and the statements that compute them there: they are made of what is known there.
    fn before(&mut self, body: &Region, subs: &[Value]) -> Option<(Vec<Value>, Vec<Stmt>)> {
        let mut computed = Vec::new();
        let mut outside = Vec::with_capacity(subs.len());
        for sub in subs {
            match fixed(self.func, &self.defs, body, *sub)? {
                Fixed::Outside => outside.push(*sub),
                Fixed::By(stmt) => {
                    let new = self.func.new_like(*sub);
                    computed.push(Stmt { results: vec![new], ..stmt.clone() });
                    outside.push(new);
                }
            }
        }
        Some((outside, computed))
    }

    /// Whether a statement before or behind the loop touches the element, untested and whatever the loop does: then it exists.
    fn exists(&self, (array, subs): (Value, &[Value]), (before, after): (&[Stmt], &[Stmt])) -> bool {
        let mut view = AffineView::new(&self.func.symbols, &self.defs, []);
        let mut places = |subs: &[Value]| subs.iter().map(|sub| view.expr(*sub)).collect::<Option<Vec<LinExpr>>>();
        let Some(this) = places(subs) else { return false };
        let mut touches = |stmt: &Stmt| match &stmt.op {
            Op::Index { array: other, subs, checked: false } | Op::Store { array: other, subs, checked: false, .. } => {
                let is_alike = self.func.ty(*other).dims == self.func.ty(array).dims;
                is_alike && element_at(subs).is_some_and(|subs| places(&subs).is_some_and(|place| place == this))
            }
            _ => false,
        };
        let is_step = |stmt: &&Stmt| is_movable(stmt) && !stmt.op.may_have_regions();
        before.iter().any(&mut touches) || after.iter().take_while(is_step).any(touches)
    }

    /// Makes a loop hold an element; gives the read before it and the store behind it.
    fn rewrite(&mut self, stmt: &mut Stmt, held: &Held) -> (Stmt, Stmt) {
        let loc = stmt.loc;
        let Op::For { init, body, .. } = &mut stmt.op else { unreachable!("only loops hold elements") };
        let array = init[held.at];
        let scalar = Type::scalar(self.func.ty(array).class);
        let [first, param, last] = [(); 3].map(|()| self.func.new_value(scalar.clone()));
        let subs: Vec<Sub> = held.outside.iter().map(|sub| Sub::At(*sub)).collect();
        let load = Op::Index { array, subs: subs.clone(), checked: false };
        let load = Stmt { results: vec![first], op: load, loc };
        let mut rewrite =
            Rewrite { array, version: body.params[held.at + 1], subs: &held.subs, new: HashMap::default() };
        body.params[held.at + 1] = param;
        let end = rewrite.body(body, param);
        if let Terminator::Yield(values) = &mut body.term {
            values[held.at] = end;
        }
        init[held.at] = first;
        let result = std::mem::replace(&mut stmt.results[held.at], last);
        let store = Op::Store { array, subs, value: last, checked: false };
        (load, Stmt { results: vec![result], op: store, loc })
    }

    /// A loop that holds an element where it has iterations, and what tests whether it has.
    fn guarded(&mut self, mut stmt: Stmt, held: &Held) -> (Vec<Stmt>, Stmt) {
        let results = stmt.results.clone();
        stmt.results = results.iter().map(|result| self.func.new_like(*result)).collect();
        let handed = stmt.results.clone();
        let Op::For { trip, init, .. } = &stmt.op else { unreachable!("only loops hold elements") };
        let (trip, init) = (*trip, init.clone());
        let zero = self.func.new_value(Type::scalar(Class::Index));
        let cond = self.func.new_value(Type::scalar(Class::Logical));
        let test = vec![
            Stmt { results: vec![zero], op: Op::Const(Const::Int(0)), loc: Loc::NONE },
            Stmt { results: vec![cond], op: Op::Binary(Binary::Lt, zero, trip), loc: Loc::NONE },
        ];
        let (load, store) = self.rewrite(&mut stmt, held);
        let then = Region { params: Vec::new(), stmts: vec![load, stmt, store], term: Terminator::Yield(handed) };
        let els = Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Yield(init) };
        let op = Op::If { cond, then: Box::new(then), els: Box::new(els) };
        (test, Stmt { results, op, loc: Loc::NONE })
    }
}

/// Where a number that does not change in a loop comes from.
pub(super) enum Fixed<'b> {
    /// Before the loop.
    Outside,
    /// This statement of its body, which is made of what is known before.
    By(&'b Stmt),
}

/// Where a number comes from, if it is the same in all iterations of a loop with this body.
pub(super) fn fixed<'b>(func: &Func, defs: &Definitions, body: &'b Region, number: Value) -> Option<Fixed<'b>> {
    let scope = defs.scope_of(body.params[0])?;
    if !defs.is_inside(number, scope) {
        return Some(Fixed::Outside);
    }
    let stmt = body.stmts.iter().find(|stmt| stmt.results[..] == [number])?;
    let is_known = match &stmt.op {
        Op::Const(_) => true,
        Op::Size(size) => !defs.size_is_inside(size, &func.symbols, scope),
        _ => false,
    };
    is_known.then_some(Fixed::By(stmt))
}

/// Whether a statement, with all in it, computes, and touches elements that exist.
fn is_plain(stmt: &Stmt) -> bool {
    match &stmt.op {
        Op::For { body, .. } => matches!(body.term, Terminator::Yield(_)) && body.stmts.iter().all(is_plain),
        _ => is_movable(stmt),
    }
}

/// The subscripts of one element.
fn element_at(subs: &[Sub]) -> Option<Vec<Value>> {
    let at = |sub: &Sub| match sub {
        Sub::At(value) => Some(*value),
        Sub::All | Sub::Vector(_) | Sub::Range { .. } => None,
    };
    subs.iter().map(at).collect()
}

/// The way through a loop's body.
struct Walk {
    /// The states of an array, the newest last.
    states: Vec<Value>,
    loops: Vec<Counted>,
    reads: Vec<Read>,
}

impl Walk {
    fn is_newest(&self, value: Value) -> bool {
        self.states.last() == Some(&value)
    }

    /// The subscripts under which the body stores, always the same ones, if it does nothing else to the array but read elements of its newest state.
    fn stored(&mut self, body: &Region, at: usize) -> Option<Vec<Value>> {
        let mut stored: Option<Vec<Value>> = None;
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Store { array, subs, .. } if self.is_newest(*array) => {
                    let subs = element_at(subs)?;
                    if stored.as_ref().is_some_and(|known| *known != subs) {
                        return None;
                    }
                    stored = Some(subs);
                    self.states.push(stmt.results[0]);
                }
                _ => self.reads_only(stmt)?,
            }
        }
        let handed = body.term.values();
        let others = handed.iter().enumerate().filter(|(place, _)| *place != at);
        let is_kept = others.into_iter().any(|(_, value)| self.states.contains(value));
        stored.filter(|_| self.is_newest(handed[at]) && !is_kept)
    }

    /// Notes the reads of a statement; `None` if it uses the array otherwise.
    fn reads_only(&mut self, stmt: &Stmt) -> Option<()> {
        match &stmt.op {
            Op::Index { array, subs, .. } if self.is_newest(*array) => {
                let subs = element_at(subs)?;
                self.reads.push(Read { result: stmt.results[0], subs, loops: self.loops.clone() });
                return Some(());
            }
            _ => {}
        }
        let mut is_used = false;
        stmt.op.for_each_operand(&mut |value| is_used |= self.states.contains(&value));
        if is_used {
            return None;
        }
        let depth = self.loops.len();
        self.loops.extend(counted_loops(&stmt.op));
        for region in stmt.op.regions() {
            region.stmts.iter().try_for_each(|stmt| self.reads_only(stmt))?;
            if region.term.values().iter().any(|value| self.states.contains(value)) {
                return None;
            }
        }
        self.loops.truncate(depth);
        Some(())
    }
}

/// Puts a scalar in the place of an element.
struct Rewrite<'r> {
    /// The array before the loop, which has all other elements.
    array: Value,
    /// Its state where we are.
    version: Value,
    subs: &'r [Value],
    new: HashMap<Value, Value>,
}

impl Rewrite<'_> {
    /// The body, given the element's value on entry; gives that at the end.
    fn body(&mut self, body: &mut Region, mut current: Value) -> Value {
        let mut stmts = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            if let Op::Store { array, value, .. } = &stmt.op
                && *array == self.version
            {
                current = self.renamed(*value);
                self.version = stmt.results[0];
                continue;
            }
            if self.keeps(&mut stmt, current) {
                stmts.push(stmt);
            }
        }
        body.stmts = stmts;
        body.term.values_mut().iter_mut().for_each(|value| *value = self.renamed(*value));
        current
    }

    fn renamed(&self, value: Value) -> Value {
        self.new.get(&value).copied().unwrap_or(value)
    }

    /// Rewrites a statement that does not store the element; whether it is still needed.
    fn keeps(&mut self, stmt: &mut Stmt, current: Value) -> bool {
        if let Op::Index { array, subs, .. } = &mut stmt.op
            && *array == self.version
        {
            let is_it = subs.iter().zip(self.subs).all(|(sub, fixed)| sub.value() == Some(*fixed));
            if is_it {
                self.new.insert(stmt.results[0], current);
                return false;
            }
            *array = self.array;
        }
        stmt.op.for_each_operand_mut(&mut |value| *value = self.renamed(*value));
        for region in stmt.op.regions_mut() {
            let inner = std::mem::take(&mut region.stmts);
            region.stmts = inner.into_iter().filter_map(|mut s| self.keeps(&mut s, current).then_some(s)).collect();
            region.term.values_mut().iter_mut().for_each(|value| *value = self.renamed(*value));
        }
        true
    }
}

#[cfg(test)]
mod tests;
