//! Reassociation: sums that loops add up term by term become sums of arrays, which have one fixed tree ([`crate::ir::kernel::Out::Reduce`]).
//!
//! ```text
//! for i { s = s + e(i) }   →   for i { t(i) = e(i) }; s = s + sum(t)
//! ```
//!
//! It changes last bits, so it runs only where the program allows it (`#[offload(reassociate)]`), on functions as they are lowered. From there on the loop
//! is what a loop over an array is: parallel if nothing else carries it, and one kernel with the sum, so that no `t` takes memory. A sum
//! over two perfect loops is one over a matrix, if the inner loop is as long in each iteration.
//!
//! A sum is left in its order if its loop would not be parallel without it, and inside of a parallel loop, whose points run side by side anyway: so products of matrices keep
//! their register tiles. Which loops are parallel is found by trying. If in the end some `t` would take memory ([`stores_terms`]), the front end leaves all sums of the function in order.

use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Binary, Class, Const, Func, Loc, Module, Op, ReduceOp, Region, Size, Stmt, Sub, Terminator, Type, Unary, Value,
};
use crate::kernels::accesses::{Counted, Definitions, Extent};
use crate::kernels::doall::{self, Outcome};
use crate::passes::before_loops;

/// The most loops that one sum goes through.
const DEEPEST: usize = 2;
/// What names of arrays of terms end in.
const TERMS: &str = "'s terms";

/// Makes sums of arrays of a function's sums.
pub fn run(func: &mut Func) {
    let parallel = parallel_loops(func);
    let mut tried = func.clone();
    let changed = Pass::of(&tried, &parallel, None).function(&mut tried);
    if changed.is_empty() {
        return;
    }
    let after = parallel_loops(&tried);
    let kept: HashSet<Loc> = changed.into_iter().filter(|loc| after.contains(loc)).collect();
    Pass::of(func, &parallel, Some(kept)).function(func);
}

/// Whether a function, after all passes, still stores the terms of a sum.
pub fn stores_terms(func: &Func) -> bool {
    let is_terms = |value: &Value| func.names[value.index()].as_ref().is_some_and(|name| name.ends_with(TERMS));
    let mut found = false;
    func.body.walk(&mut |stmt| found |= stmt.results.iter().any(is_terms));
    found
}

/// The loops whose iterations are independent.
fn parallel_loops(func: &Func) -> HashSet<Loc> {
    let mut module = Module::of(vec![func.clone()]);
    before_loops(&mut module);
    let reports = module.funcs.iter_mut().flat_map(doall::run);
    let parallel = |outcome: &Outcome| matches!(outcome, Outcome::Parallel { .. } | Outcome::Expanded);
    reports.filter(|report| parallel(&report.outcome)).map(|report| report.loc).collect()
}

struct Pass<'p> {
    defs: Definitions,
    uses: HashMap<Value, usize>,
    parallel: &'p HashSet<Loc>,
    /// The loops to change, if not all.
    only: Option<HashSet<Loc>>,
    changed: Vec<Loc>,
}

impl<'p> Pass<'p> {
    fn of(func: &Func, parallel: &'p HashSet<Loc>, only: Option<HashSet<Loc>>) -> Self {
        let mut uses = HashMap::default();
        func.body.for_each_use(&mut |value| *uses.entry(value).or_insert(0) += 1);
        Self { defs: Definitions::of(func), uses, parallel, only, changed: Vec::new() }
    }

    /// Changes a function; gives the outermost loops of the sums.
    fn function(mut self, func: &mut Func) -> Vec<Loc> {
        let mut body = std::mem::take(&mut func.body);
        self.region(func, &mut body);
        func.body = body;
        self.changed
    }

    fn region(&mut self, func: &mut Func, region: &mut Region) {
        for mut stmt in std::mem::take(&mut region.stmts) {
            let mut after = Vec::new();
            if let Op::For { init, .. } = &stmt.op {
                if self.parallel.contains(&stmt.loc) {
                    region.stmts.push(stmt);
                    continue;
                }
                if self.only.as_ref().is_none_or(|only| only.contains(&stmt.loc)) {
                    for carried in 0..init.len() {
                        self.sum(func, (&mut stmt, carried), &mut region.stmts, &mut after);
                    }
                }
            }
            stmt.op.regions_mut().into_iter().for_each(|inner| self.region(func, inner));
            region.stmts.push(stmt);
            region.stmts.extend(after);
        }
    }

    /// Makes a carried value of a loop an array of terms, if it is a sum: with statements before and after.
    fn sum(
        &mut self,
        func: &mut Func,
        (stmt, carried): (&mut Stmt, usize),
        before: &mut Vec<Stmt>,
        after: &mut Vec<Stmt>,
    ) {
        let Some(inner) = self.extents(func, stmt, carried, DEEPEST) else { return };
        let Op::For { trip, init, body } = &stmt.op else { return };
        let (start, counter, loc) = (init[carried], body.params[0], stmt.loc);
        let outermost = doall::extent(func, &self.defs, &Counted { counter, extent: Extent::Trip(*trip) });
        let dims: Vec<Size> = std::iter::once(outermost).chain(inner).collect();
        let axes: Vec<usize> = (0..dims.len()).collect();
        let class = func.ty(start).class;
        let ty = Type::array(class, dims);
        if ty.is_scalar() {
            return;
        }
        let [zero, none, terms] =
            [Type::scalar(class), Type::scalar(Class::Index), ty.clone()].map(|ty| func.new_value(ty));
        let new = |results, op| Stmt { results: vec![results], op, loc };
        before.push(new(zero, Op::Const(Const::Float(0.0))));
        before.push(new(none, Op::Const(Const::Int(0))));
        before.push(new(terms, Op::Fill(zero)));
        let total = stmt.results[carried];
        let name = func.names[total.index()].clone().unwrap_or_else(|| "sum".into()) + TERMS;
        let stored = Terms { ty, name, none }.store(func, (stmt, carried), terms, Vec::new());
        let sum = func.new_value(Type::scalar(class));
        after.push(new(sum, Op::Reduce(ReduceOp::Sum, stored, axes)));
        after.push(new(total, Op::Binary(Binary::Add, start, sum)));
        self.changed.push(loc);
    }

    /// The extents of the loops inside of a loop through which a carried value goes to be added to; `None` if it is no sum.
    fn extents(&self, func: &Func, stmt: &Stmt, carried: usize, depth: usize) -> Option<Vec<Size>> {
        let (sum, next, made) = carried_by(stmt, carried)?;
        let once = |value: Value| self.uses.get(&value) == Some(&1);
        let is_number = func.ty(sum).is_scalar() && func.ty(sum).class.is_float();
        (is_number && once(sum) && once(next)).then_some(())?;
        match &made.op {
            Op::Binary(Binary::Add, a, b) if *a == sum || *b == sum => Some(Vec::new()),
            Op::Binary(Binary::Sub, a, _) if *a == sum => Some(Vec::new()),
            Op::Fma(.., c) if *c == sum => Some(Vec::new()),
            Op::For { trip, init, .. } if depth > 1 => {
                let size = self.defs.trip_size(*trip)?;
                func.symbols.is_made_of(&size, &|_| false).then_some(())?;
                let at = made.results.iter().position(|result| *result == next)?;
                // What is added between the loops would have no place in the array.
                (init[at] == sum).then_some(())?;
                let deeper = self.extents(func, made, at, depth - 1)?;
                Some(std::iter::once(size).chain(deeper).collect())
            }
            _ => None,
        }
    }
}

/// A carried value at the beginning of an iteration and at its end, with the statement that makes the second.
fn carried_by(stmt: &Stmt, carried: usize) -> Option<(Value, Value, &Stmt)> {
    let Op::For { body, .. } = &stmt.op else { return None };
    let Terminator::Yield(yielded) = &body.term else { return None };
    let (sum, next) = (*body.params.get(carried + 1)?, *yielded.get(carried)?);
    let made = body.stmts.iter().find(|made| made.results.contains(&next))?;
    Some((sum, next, made))
}

/// The array of a sum's terms.
struct Terms {
    ty: Type,
    name: String,
    /// The subscript zero.
    none: Value,
}

impl Terms {
    fn state(&self, func: &mut Func) -> Value {
        let value = func.new_value(self.ty.clone());
        func.names[value.index()] = Some(self.name.clone());
        value
    }

    /// Lets a loop carry the array where it carried the sum; gives its state behind the loop.
    fn store(&self, func: &mut Func, (stmt, carried): (&mut Stmt, usize), begun: Value, mut at: Vec<Value>) -> Value {
        let (state, next, done) = (self.state(func), self.state(func), self.state(func));
        let found = carried_by(stmt, carried).map(|(sum, old, _)| (sum, old));
        let (Op::For { init, body, .. }, Some((sum, old))) = (&mut stmt.op, found) else { return begun };
        init[carried] = begun;
        body.params[carried + 1] = state;
        at.push(body.params[0]);
        let mut next = next;
        for mut made in std::mem::take(&mut body.stmts) {
            match made.results.iter().position(|result| *result == old) {
                None => body.stmts.push(made),
                Some(inner) if matches!(made.op, Op::For { .. }) => {
                    next = self.store(func, (&mut made, inner), state, at.clone());
                    body.stmts.push(made);
                }
                Some(_) => self.term(func, made, (sum, state, next, &at), &mut body.stmts),
            }
        }
        if let Terminator::Yield(yielded) = &mut body.term {
            yielded[carried] = next;
        }
        stmt.results[carried] = done;
        done
    }

    /// Stores a term in the place of adding it.
    fn term(
        &self,
        func: &mut Func,
        made: Stmt,
        (sum, state, next, at): (Value, Value, Value, &[Value]),
        into: &mut Vec<Stmt>,
    ) {
        let Stmt { op, loc, .. } = made;
        let term = match op {
            Op::Binary(Binary::Add, a, b) => Ok(if a == sum { b } else { a }),
            Op::Binary(_, _, b) => Err(Op::Unary(Unary::Neg, b)),
            Op::Fma(a, b, _) => Err(Op::Binary(Binary::Mul, a, b)),
            other => Err(other),
        };
        let value = term.unwrap_or_else(|op| {
            let value = func.new_value(Type::scalar(self.ty.class));
            into.push(Stmt { results: vec![value], op, loc });
            value
        });
        let place = at.iter().chain(std::iter::once(&self.none)).take(self.ty.dims.len());
        let subs = place.map(|sub| Sub::At(*sub)).collect();
        let op = Op::Store { array: state, subs, value, checked: false };
        into.push(Stmt { results: vec![next], op, loc });
    }
}
