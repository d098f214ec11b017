//! Scalar replacement across iterations, outside of kernels: what a loop over elements stores and reads an iteration or two later it hands on in scalars
//! (D. Callahan, S. Carr, K. Kennedy, "Improving Register Allocation for Subscripted Variables", PLDI 1990).
//!
//! ```text
//! for j { a(i, j) = f(a(i, j-1)) }     becomes     t = a(i, -1);  for j, carrying t { t' = f(t); a(i, j) = t'; hand on t' }
//! ```
//!
//! In kernels [`crate::kernels::recurrences`] does it. What is still a loop over elements runs in order, and each of its iterations waits for a load of what was stored just
//! before, which takes longer than the operations. Rows that go together ([`super::skew`]) read each other's elements too: the body has several stores, and a read
//! takes the value of the one that stored its element last. The stores stay. All of them must move in step with the read: of one
//! whose element is not a constant distance away nothing is known.
//!
//! What the first iterations read is loaded before the loop, if there is an iteration: an element exists if accesses that each iteration does have, between them,
//! its subscripts.

use super::tree::is_movable;
use crate::affine::LinExpr;
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Loc, Op, Region, Size, Stmt, Sub, Terminator, Type, Value};
use crate::kernels::accesses::{AffineView, Atom, Definitions, Sum};
use crate::kernels::dead::leaves;
use crate::kernels::recurrences::{Stored, replace};

/// How many iterations an element is handed on at most: each takes a register.
const FARTHEST: i64 = 2;
/// Loops of fewer iterations gain nothing.
const SHORT: i64 = 16;
/// Values that a loop hands on at most: there are not many more registers.
const MOST: usize = 24;

/// Rewrites such loops of a function.
pub(crate) fn run(func: &mut Func) {
    if !func.body.any(|op| matches!(op, Op::For { body, .. } if body.stmts.iter().any(is_store))) {
        return;
    }
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    Pass { func, defs }.region(&mut body);
    func.body = body;
}

fn is_store(stmt: &Stmt) -> bool {
    matches!(stmt.op, Op::Store { .. })
}

struct Pass<'f> {
    func: &'f mut Func,
    defs: Definitions,
}

/// What a loop hands on of one array.
struct Handed {
    /// Which of the values that the loop hands on is the array.
    at: usize,
    chains: Vec<Chain>,
    /// Reads of what the same iteration has stored before, and that value.
    forwarded: Vec<(Value, Value)>,
}

/// What one statement stores, handed on.
struct Chain {
    stored: Value,
    /// Reads, and how many iterations ago their element was stored.
    reads: Vec<(Value, i64)>,
    /// The element that would have been stored one iteration before the first, and so on, as far as it is read: a number for each subscript.
    firsts: Vec<Vec<Sum>>,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        for mut stmt in std::mem::take(&mut region.stmts) {
            if !matches!(stmt.op, Op::Kernel(_)) {
                stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
            }
            match self.handed(&stmt) {
                Some(found) => region.stmts.extend(self.rewritten(stmt, &found)),
                None => region.stmts.push(stmt),
            }
        }
    }

    /// What a loop can hand on.
    fn handed(&self, stmt: &Stmt) -> Option<Vec<Handed>> {
        let Op::For { trip, init, body } = &stmt.op else { return None };
        let is_plain = |stmt: &Stmt| is_movable(stmt) && !matches!(stmt.op, Op::For { .. });
        if leaves(body, 0) || !matches!(body.term, Terminator::Yield(_)) || !body.stmts.iter().all(is_plain) {
            return None;
        }
        if self.is_short(*trip) {
            return None;
        }
        let of = |at: usize| {
            let states = [init[at], body.params[at + 1], stmt.results[at]].map(|state| self.func.ty(state));
            let is_one = !states[0].is_scalar() && states.iter().all(|state| *state == states[0]);
            if is_one { Loop::of(self, body, at)?.handed(at) } else { None }
        };
        let found: Vec<Handed> = (0..init.len()).filter_map(of).collect();
        let values: usize = found.iter().flat_map(|handed| &handed.chains).map(|chain| chain.firsts.len()).sum();
        (!found.is_empty() && values <= MOST).then_some(found)
    }

    /// Whether a loop has, as is known, few iterations.
    fn is_short(&self, trip: Value) -> bool {
        let few = |size: &Size| size.as_constant().is_some_and(|trip| trip < SHORT);
        self.defs.trip_size(trip).is_some_and(|size| {
            let most = size.as_sym().map(|sym| &self.func.symbols.get(sym).at_most);
            few(&size) || most.is_some_and(|most| most.iter().any(few))
        })
    }

    /// The statements that take the place of a loop which hands on values.
    fn rewritten(&mut self, mut stmt: Stmt, found: &[Handed]) -> Vec<Stmt> {
        let Op::For { trip, .. } = &stmt.op else { unreachable!("only loops hand on values") };
        let trip = *trip;
        let (mut loads, mut firsts) = (Vec::new(), Vec::new());
        // What is stored to one array may have been read of another one.
        let mut new: HashMap<Value, Value> = HashMap::default();
        for handed in found {
            new.extend(handed.forwarded.iter().copied());
            self.rewrite(&mut stmt, handed, &mut new, (&mut loads, &mut firsts));
        }
        if let Op::For { body, .. } = &mut stmt.op {
            replace(body, &new);
        }
        let mut stmts = self.loaded(trip, firsts, loads);
        stmts.push(stmt);
        stmts
    }

    /// Computes these values by these statements if there is an iteration, and others, which nobody uses, if there is none: the array is no result of
    /// the test, so it stays where it is.
    fn loaded(&mut self, trip: Value, firsts: Vec<(Value, Value)>, loads: Vec<Stmt>) -> Vec<Stmt> {
        if firsts.is_empty() {
            return Vec::new();
        }
        let new = |results: Vec<Value>, op: Op| Stmt { results, op, loc: Loc::NONE };
        let (results, values): (Vec<Value>, Vec<Value>) = firsts.into_iter().unzip();
        let mut constants: Vec<(Class, Value)> = Vec::new();
        let zeros = values.iter().map(|value| {
            let class = self.func.ty(*value).class;
            let known = constants.iter().find(|(known, _)| *known == class).map(|(_, zero)| *zero);
            known.unwrap_or_else(|| {
                let zero = self.func.new_value(Type::scalar(class));
                constants.push((class, zero));
                zero
            })
        });
        let zeros: Vec<Value> = zeros.collect();
        let define = |(class, zero): (Class, Value)| new(vec![zero], Op::Const(zero_of(class)));
        let none = self.func.new_value(Type::scalar(Class::Index));
        let cond = self.func.new_value(Type::scalar(Class::Logical));
        let then = Region { params: Vec::new(), stmts: loads, term: Terminator::Yield(values) };
        let stmts = constants.into_iter().map(define).collect();
        let els = Region { params: Vec::new(), stmts, term: Terminator::Yield(zeros) };
        vec![
            new(vec![none], Op::Const(Const::Int(0))),
            new(vec![cond], Op::Binary(Binary::Lt, none, trip)),
            new(results, Op::If { cond, then: Box::new(then), els: Box::new(els) }),
        ]
    }

    /// Makes a loop hand on what it stores of an array, and notes what takes the place of reads; gives the statements that load what is handed to its first iteration, and the
    /// values that the loop is handed with those that are loaded.
    fn rewrite(
        &mut self,
        stmt: &mut Stmt,
        found: &Handed,
        new: &mut HashMap<Value, Value>,
        (loads, firsts): (&mut Vec<Stmt>, &mut Vec<(Value, Value)>),
    ) {
        let loc = stmt.loc;
        let Op::For { init, body, .. } = &mut stmt.op else { unreachable!("only loops hand on values") };
        let array = init[found.at];
        for chain in &found.chains {
            let scalar = Type::scalar(self.func.ty(array).class);
            for first in &chain.firsts {
                let mut subs = Vec::with_capacity(first.len());
                for sub in first {
                    let value = self.func.new_value(Type::scalar(Class::Index));
                    let size = sub.size(self.func, &self.defs);
                    loads.push(Stmt { results: vec![value], op: Op::Size(size), loc });
                    subs.push(Sub::At(value));
                }
                let [loaded, handed] = [(); 2].map(|()| self.func.new_value(scalar.clone()));
                loads.push(Stmt { results: vec![loaded], op: Op::Index { array, subs, checked: false }, loc });
                firsts.push((handed, loaded));
                init.push(handed);
            }
            let mut like = || self.func.new_value(scalar.clone());
            let handed: Vec<Value> = chain.firsts.iter().map(|_| like()).collect();
            stmt.results.extend(chain.firsts.iter().map(|_| like()));
            body.params.extend(&handed);
            if let Terminator::Yield(values) = &mut body.term {
                values.push(chain.stored);
                values.extend(&handed[..handed.len() - 1]);
            }
            new.extend(chain.reads.iter().map(|(read, distance)| (*read, handed[*distance as usize - 1])));
        }
    }
}

/// A zero of a class of numbers.
fn zero_of(class: Class) -> Const {
    match class {
        Class::Double | Class::Single => Const::Float(0.0),
        Class::Logical => Const::Bool(false),
        _ => Const::Int(0),
    }
}

/// A loop's accesses to an array that it hands on.
struct Loop<'p> {
    view: AffineView<'p>,
    counter: LinExpr,
    stores: Vec<Access>,
    /// Reads of the newest state, and their results.
    reads: Vec<Access>,
}

/// An access to single elements.
struct Access {
    /// Its place in the body.
    place: usize,
    /// Whether each iteration has it.
    always: bool,
    subs: Vec<LinExpr>,
    /// What is stored, or the result.
    value: Value,
}

impl<'p> Loop<'p> {
    /// `None` if the body does something else with the array than to store single elements, in each iteration, and to read some.
    fn of(pass: &'p Pass<'_>, body: &Region, at: usize) -> Option<Self> {
        let mut view = AffineView::new(&pass.func.symbols, &pass.defs, [pass.defs.scope_of(body.params[0])?]);
        let counter = view.expr(body.params[0])?;
        let mut found = Self { view, counter, stores: Vec::new(), reads: Vec::new() };
        let mut states = vec![body.params[at + 1]];
        for (place, stmt) in body.stmts.iter().enumerate() {
            match &stmt.op {
                Op::Store { array, subs, value, .. } if states.last() == Some(array) => {
                    let subs = found.place(subs)?;
                    found.stores.push(Access { place, always: true, subs, value: *value });
                    states.push(stmt.results[0]);
                }
                _ => found.reads_of(pass, stmt, &states, (place, true))?,
            }
        }
        let handed = body.term.values();
        let is_kept = handed.iter().enumerate().any(|(place, value)| place != at && states.contains(value));
        (!is_kept && states.last() == Some(&handed[at])).then_some(found)
    }

    /// The subscripts of one element.
    fn place(&mut self, subs: &[Sub]) -> Option<Vec<LinExpr>> {
        let at = |sub: &Sub| match sub {
            Sub::At(value) => self.view.expr(*value),
            Sub::All | Sub::Vector(_) | Sub::Range { .. } => None,
        };
        subs.iter().map(at).collect()
    }

    /// Notes the reads of a statement; `None` if it uses the array otherwise.
    fn reads_of(
        &mut self,
        pass: &Pass<'_>,
        stmt: &Stmt,
        states: &[Value],
        (place, always): (usize, bool),
    ) -> Option<()> {
        if let Op::Index { array, subs, .. } = &stmt.op
            && states.last() == Some(array)
        {
            let result = stmt.results[0];
            // A size would go on to mean the number that is read.
            let is_size = pass.defs.symbol_of(result).is_some();
            if let Some(subs) = self.place(subs).filter(|_| !is_size) {
                self.reads.push(Access { place, always, subs, value: result });
            }
            return Some(());
        }
        let mut is_used = false;
        stmt.op.for_each_operand(&mut |value| is_used |= states.contains(&value));
        if is_used {
            return None;
        }
        for region in stmt.op.regions() {
            region.stmts.iter().try_for_each(|stmt| self.reads_of(pass, stmt, states, (place, false)))?;
            if region.term.values().iter().any(|value| states.contains(value)) {
                return None;
            }
        }
        Some(())
    }

    /// What the loop can hand on.
    fn handed(&self, at: usize) -> Option<Handed> {
        let mut handed = Handed { at, chains: Vec::new(), forwarded: Vec::new() };
        let mut by_store: Vec<Vec<(Value, i64)>> = self.stores.iter().map(|_| Vec::new()).collect();
        for read in &self.reads {
            match self.last_store(read) {
                Some((number, 0)) => handed.forwarded.push((read.value, self.stores[number].value)),
                Some((number, distance)) if distance <= FARTHEST => by_store[number].push((read.value, distance)),
                _ => {}
            }
        }
        for (store, mut reads) in self.stores.iter().zip(by_store) {
            let farthest = reads.iter().map(|(_, distance)| *distance).max().unwrap_or(0);
            let firsts: Vec<Vec<Sum>> = (1..=farthest).map_while(|distance| self.first(store, distance)).collect();
            reads.retain(|(_, distance)| *distance <= firsts.len() as i64);
            if !reads.is_empty() {
                handed.chains.push(Chain { stored: store.value, reads, firsts });
            }
        }
        (!handed.chains.is_empty() || !handed.forwarded.is_empty()).then_some(handed)
    }

    /// The store that has written a read's element last, and how many iterations ago.
    fn last_store(&self, read: &Access) -> Option<(usize, i64)> {
        let mut last: Option<(usize, i64)> = None;
        for (number, store) in self.stores.iter().enumerate() {
            match self.stored(store, read) {
                Stored::Unknown => return None,
                // A later store of the same iteration is the newer one.
                Stored::Ago(distance)
                    if (distance > 0 || distance == 0 && store.place < read.place)
                        && last.is_none_or(|(_, known)| distance <= known) =>
                {
                    last = Some((number, distance));
                }
                Stored::Ago(_) | Stored::Never => {}
            }
        }
        last
    }

    fn stored(&self, store: &Access, read: &Access) -> Stored {
        let steps: Vec<i64> = store.subs.iter().map(|sub| self.step(sub)).collect();
        Stored::of(&store.subs, &read.subs, &steps)
    }

    /// By how much a subscript moves from one iteration to the next.
    fn step(&self, sub: &LinExpr) -> i64 {
        self.counter.terms().next().map_or(0, |(var, _)| sub.coefficient(var))
    }

    /// A subscript in the first iteration.
    fn at_first(&self, sub: &LinExpr) -> Option<LinExpr> {
        sub.checked_sub(&self.counter.checked_scale(self.step(sub))?)
    }

    /// Where a store would have stored so many iterations before the first, if the first iteration proves that there is such an element.
    fn first(&self, store: &Access, distance: i64) -> Option<Vec<Sum>> {
        let accesses = || self.stores.iter().chain(&self.reads).filter(|access| access.always);
        let mut subs = Vec::with_capacity(store.subs.len());
        for (number, sub) in store.subs.iter().enumerate() {
            let first = self.at_first(sub)?.checked_offset(-distance.checked_mul(self.step(sub))?)?;
            let is_it = |access: &Access| {
                access.subs.len() == store.subs.len() && self.at_first(&access.subs[number]).as_ref() == Some(&first)
            };
            let is_whole = first.terms().all(|(var, _)| !matches!(self.view.atom(var), Atom::Quotient(..)));
            if !is_whole || !accesses().any(is_it) {
                return None;
            }
            subs.push(Sum::of(&self.view, &first));
        }
        Some(subs)
    }
}

#[cfg(test)]
mod tests;
