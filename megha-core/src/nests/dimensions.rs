//! The dimensions of arrays that loops go through, which decide whether memory is read along them.

use super::imperfect::Leaf;
use super::tree::{Frame, Loop, Node};
use crate::affine::Var;
use crate::hash::HashMap;
use crate::ir::{Op, Stmt, Value};
use crate::kernels::accesses::{AffineView, Atom};

/// Whether each loop of a leaf that is not its time, of several, goes through one dimension of all arrays, the same everywhere: then in any
/// order of memory all of them can be read along it. A subscript belongs to the innermost loop in it.
pub(super) fn keeps_dimensions(frame: &Frame<'_>, leaf: &Leaf, time: usize) -> bool {
    let others: Vec<&Loop> = leaf.loops.iter().enumerate().filter(|(at, _)| *at != time).map(|(_, l)| l).collect();
    if others.len() < 2 {
        return true;
    }
    let mut found = frame.found.borrow_mut();
    let counters = others.iter().map(|l| found.view.var(Atom::Value(l.counter))).collect();
    let mut dimensions = Dimensions { view: &mut found.view, counters, of_counter: HashMap::default() };
    leaf.nodes.iter().all(|node| match node {
        Node::Stmt(stmt) => dimensions.add(stmt),
        Node::Loop(_) => false,
    })
}

struct Dimensions<'d, 'f> {
    view: &'d mut AffineView<'f>,
    counters: Vec<Var>,
    /// The dimension that each counter goes through.
    of_counter: HashMap<Var, usize>,
}

impl Dimensions<'_, '_> {
    /// Takes note of the accesses of a statement; says whether they agree with those before.
    fn add(&mut self, stmt: &Stmt) -> bool {
        let agree = match &stmt.op {
            Op::Index { subs, .. } | Op::Store { subs, .. } => subs
                .iter()
                .enumerate()
                .all(|(dimension, sub)| sub.value().is_none_or(|sub| self.agrees(dimension, sub))),
            _ => true,
        };
        agree && stmt.op.regions().into_iter().all(|region| region.stmts.iter().all(|stmt| self.add(stmt)))
    }

    fn agrees(&mut self, dimension: usize, sub: Value) -> bool {
        let Some(expr) = self.view.expr(sub) else { return false };
        let counter = self.counters.iter().rev().find(|counter| expr.coefficient(**counter) != 0);
        counter.is_none_or(|counter| {
            expr.coefficient(*counter) == 1 && *self.of_counter.entry(*counter).or_insert(dimension) == dimension
        })
    }
}

/// The dimensions of matrices that a counter goes through in the subscripts of statements; `None` if one is not known.
pub(super) fn dimensions(frame: &Frame<'_>, nodes: &[Node], counter: Value) -> Option<Vec<usize>> {
    let mut found = frame.found.borrow_mut();
    let counter = found.view.var(Atom::Value(counter));
    let (mut dimensions, mut are_known) = (Vec::new(), true);
    let mut note = |stmt: &Stmt| {
        let (Op::Index { array, subs, .. } | Op::Store { array, subs, .. }) = &stmt.op else { return };
        if frame.func.ty(*array).dims.iter().filter(|dim| !dim.is_one()).count() < 2 {
            return;
        }
        for (dimension, sub) in subs.iter().enumerate() {
            match sub.value().and_then(|sub| found.view.expr(sub)) {
                Some(sub) if sub.coefficient(counter) == 0 || dimensions.contains(&dimension) => {}
                Some(_) => dimensions.push(dimension),
                None => are_known = false,
            }
        }
    };
    for node in nodes {
        if let Node::Stmt(stmt) = node {
            stmt.walk(&mut note);
        }
    }
    are_known.then_some(dimensions)
}
