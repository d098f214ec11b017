//! A loop parted by the remainders of its counter: iterations `s*q + r` for each `r` below `s` become a loop of their own.
//!
//! Where an inner loop begins, or how often it runs, often goes by the parity of an outer counter (`2 + mod(j + c, 2):2:n`, a checkerboard):
//! then neither has a rectangle, and they cannot be exchanged. In `j = s*q + r` the quotient `floor((j + c) / s)` is
//! `q + floor((r + c) / s)`, so what the inner loop does no longer depends on the loop over `q`
//! (index-set splitting by a lattice: P. Feautrier, "Automatic parallelization in the polytope model", 1996, section 5). The parts come one after the
//! other, so the loop must carry nothing; and only for the sake of an inner loop that carries nothing either.

use super::copy::Copy;
use super::dependence::carried;
use super::tree::{Frame, Loop, Node, Trip};
use crate::ir::{Class, Func, Op, Region, Size, Stmt, Sym, SymDef, Symbols, Type};
use crate::kernels::accesses::{Counted, symbol};

/// The largest divisor for which a loop is parted: each remainder has a copy.
const MOST: i64 = 4;

/// The iterations `by * q + rest` of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Residue {
    /// How far they are apart.
    pub by: i64,
    /// The first.
    pub rest: i64,
}

/// The loops that take the place of one under these outer ones; says whether it, or one inside, is parted.
pub(super) fn run(frame: &Frame<'_>, whole: Loop, outer: &[Counted], parted: &mut bool) -> Vec<Loop> {
    let here = [outer, &[whole.counted()]].concat();
    if let Some(by) = divisor(frame, &whole, &here) {
        *parted = true;
        let part = |rest| Loop { residue: Some(Residue { by, rest }), ..whole.clone() };
        return (0..by).map(part).collect();
    }
    let mut body = Vec::with_capacity(whole.body.len());
    for node in whole.body {
        match node {
            Node::Loop(inner) => body.extend(run(frame, inner, &here, parted).into_iter().map(Node::Loop)),
            Node::Stmt(_) => body.push(node),
        }
    }
    vec![Loop { body, ..whole }]
}

/// By what the counter of a loop is divided where a loop inside says how often it runs, if both may run in any order.
fn divisor(frame: &Frame<'_>, whole: &Loop, here: &[Counted]) -> Option<i64> {
    let (Trip::Size(_), None) = (&whole.trip, whole.residue) else { return None };
    let own = frame.defs.symbol_of(whole.counter)?;
    let inner = whole.body.iter().find_map(|node| match node {
        Node::Loop(Loop { trip: Trip::Size(size), .. }) => Some((node, divides(&frame.func.symbols, size, own)?)),
        _ => None,
    });
    let (Node::Loop(inner), by) = inner? else { return None };
    let inside = [here, &[inner.counted()]].concat();
    let carries = |nodes: &[Node], loops: &[Counted]| carried(frame, &frame.sites(nodes, loops), loops.len()).pop();
    let is_free = carries(&whole.body, here) == Some(false) && carries(&inner.body, &inside) == Some(false);
    is_free.then_some(by)
}

/// The small number by which something with this symbol is divided in a size.
fn divides(symbols: &Symbols, size: &Size, own: Sym) -> Option<i64> {
    size.symbols().find_map(|sym| match &symbols.get(sym).def {
        SymDef::FloorDiv(a, by) if a.symbols().any(|sym| sym == own) => {
            by.as_constant().filter(|by| (2..=MOST).contains(by))
        }
        SymDef::FloorDiv(a, b) | SymDef::Max(a, b) | SymDef::Min(a, b) => {
            divides(symbols, a, own).or_else(|| divides(symbols, b, own))
        }
        SymDef::Dim(..) | SymDef::Value(_) => None,
    })
}

/// The part of a loop, given as a statement and its number of iterations, with the statement that computes its own number of these.
pub(super) fn part(copy: &mut Copy<'_>, stmt: Stmt, trip: &Size, Residue { by, rest }: Residue) -> [Stmt; 2] {
    let Op::For { init, body, .. } = stmt.op else { unreachable!("a loop") };
    let Region { params, stmts, term } = *body;
    let counter = params[0];
    let count = copy.quotient(&trip.add_const(by - 1 - rest), by);
    let [trip, number, old] = [0; 3].map(|_| copy.func().new_value(Type::scalar(Class::Index)));
    let names = &mut copy.func().names;
    names[number.index()] = names[counter.index()].clone();
    let last = vec![count.add_const(-1)];
    let own = Size::sym(symbol(copy.func(), SymDef::Value(number), vec![Size::default()], last));
    let counted = own.scale(by).add_const(rest);
    copy.begin(counter, old, counted.clone());
    let define = |value, size| Stmt { results: vec![value], op: Op::Size(size), loc: stmt.loc };
    let mut region = Region { params: params[1..].to_vec(), stmts, term };
    copy.region(&mut region);
    region.params.insert(0, number);
    region.stmts.insert(0, define(old, counted));
    let results = stmt.results.iter().map(|result| copy.define(*result)).collect();
    let op = Op::For { trip, init, body: Box::new(region) };
    [define(trip, count), Stmt { results, op, loc: stmt.loc }]
}

/// The symbol that stands for a counter, if a size mentions it.
pub(super) fn symbol_of_counter(func: &Func, counter: crate::ir::Value) -> Option<Sym> {
    func.symbols.iter().find(|(_, data)| data.def == SymDef::Value(counter)).map(|(sym, _)| sym)
}
