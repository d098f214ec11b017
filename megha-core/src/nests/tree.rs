//! A nest as a tree of loops and statements on memory.
//!
//! In the IR every store makes a new state of its array, and loops hand states on. Here a statement touches arrays by their
//! numbers, so that loops can be moved, exchanged and parted; [`super::emit`] numbers the states again.

use super::contents::{Contents, is_pure};
use super::dependence::Found;
use crate::affine::{AccessKind, LinExpr};
use crate::ir::{Func, Loc, Op, Region, Size, Stmt, Sub, Terminator, Value};
use crate::kernels::accesses::{AffineView, Counted, Definitions, Extent, Scope, symbol_of};
use crate::kernels::dead::leaves;
use crate::nests::contents::Site;
use std::cell::RefCell;

/// A loop that hands on nothing but arrays.
#[derive(Debug, Clone)]
pub(super) struct Loop {
    /// Its counter.
    pub counter: Value,
    /// How often it runs.
    pub trip: Trip,
    pub loc: Loc,
    pub body: Vec<Node>,
    /// Whether the counter and what the body defines are those of another loop too, and so must be named anew.
    pub copied: bool,
}

/// How often a loop runs.
#[derive(Debug, Clone)]
pub(super) enum Trip {
    /// As counters of loops around it and the nest's surroundings say: the number of iterations may be computed wherever these are
    /// known.
    Size(Size),
    /// As a value says, within bounds that are affine in the counters of loops around it: a triangle, a band.
    Bounded(Value),
    /// As a value says that the nest computes.
    Value(Value),
}

impl Trip {
    /// As an expression, if it is one of counters of loops around it and what is known before the nest.
    pub fn expr(&self, view: &mut AffineView<'_>) -> Option<LinExpr> {
        match self {
            Self::Size(size) => view.size(size),
            Self::Bounded(value) => view.expr(*value),
            Self::Value(_) => None,
        }
    }

    /// As a size; a value gets a symbol.
    pub fn size(&self, func: &mut Func, defs: &Definitions) -> Size {
        match self {
            Self::Size(size) => size.clone(),
            Self::Bounded(value) | Self::Value(value) => Size::sym(symbol_of(func, defs, *value)),
        }
    }
}

/// A part of a nest.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// A loop.
    Loop(Loop),
    /// Anything else. What it holds inside stays as it is.
    Stmt(Stmt),
}

/// What all parts of a nest have in common.
pub(super) struct Frame<'f> {
    pub func: &'f Func,
    pub defs: &'f Definitions,
    /// The outermost loop.
    pub scope: Scope,
    pub contents: &'f Contents,
    /// What has been found of its accesses.
    pub found: RefCell<Found<'f>>,
}

impl<'f> Frame<'f> {
    /// Of the nest with this outermost loop, in which all that it defines varies.
    pub fn new(func: &'f Func, defs: &'f Definitions, scope: Scope, contents: &'f Contents) -> Self {
        let view = AffineView::new(&func.symbols, defs, [scope]).with_locals();
        Self { func, defs, scope, contents, found: RefCell::new(Found::new(view, contents)) }
    }

    /// The tree of a loop, which hands on nothing but arrays.
    pub fn tree(&self, stmt: &Stmt) -> Option<Loop> {
        self.tree_inside(stmt, &[])
    }

    /// The same under loops with these counters.
    fn tree_inside(&self, stmt: &Stmt, outer: &[Value]) -> Option<Loop> {
        let Op::For { body, .. } = &stmt.op else { return None };
        if leaves(body, 0) || !matches!(body.term, Terminator::Yield(_)) {
            return None;
        }
        let only_arrays = body.params[1..].iter().all(|p| self.contents.version.contains_key(p));
        let nodes = || self.nodes(body, &[outer, &body.params[..1]].concat());
        only_arrays.then(|| self.head(stmt, outer)).flatten().map(|head| Loop { body: nodes(), ..head })
    }

    /// A loop under loops with these counters, without its body.
    pub fn head(&self, stmt: &Stmt, outer: &[Value]) -> Option<Loop> {
        let Op::For { trip, body, .. } = &stmt.op else { return None };
        let (counter, loc) = (body.params[0], stmt.loc);
        Some(Loop { counter, trip: self.trip(*trip, counter, outer), loc, body: Vec::new(), copied: false })
    }

    fn nodes(&self, region: &Region, outer: &[Value]) -> Vec<Node> {
        let node = |s: &Stmt| self.tree_inside(s, outer).map_or_else(|| Node::Stmt(s.clone()), Node::Loop);
        region.stmts.iter().map(node).collect()
    }

    fn trip(&self, trip: Value, counter: Value, outer: &[Value]) -> Trip {
        let size = self.defs.trip_size(trip);
        if let Some(size) = &size
            && !self.defs.size_is_inside(size, &self.func.symbols, self.scope)
        {
            return Trip::Size(size.clone());
        }
        let counted = Counted { counter, extent: Extent::Trip(trip) };
        let mut view = AffineView::new(&self.func.symbols, self.defs, [self.scope]);
        if !outer.is_empty() && view.ends_under(&counted, outer, self.scope).is_some() {
            return Trip::Bounded(trip);
        }
        match size {
            Some(size) if self.is_of_counters(&size) => Trip::Size(size),
            _ => Trip::Value(trip),
        }
    }

    fn is_of_counters(&self, size: &Size) -> bool {
        let is_known = |value| self.defs.is_counter(value) || !self.defs.is_inside(value, self.scope);
        self.func.symbols.is_made_of(size, &is_known)
    }

    /// Whether a loop inside of others may be exchanged with them: it has the same number of iterations in each of theirs, or bounds that
    /// the dependence test knows.
    pub fn may_be_exchanged(&self, inner: &Loop, around: &[Loop]) -> bool {
        let is_free = |value| around.iter().all(|head| head.counter != value);
        match &inner.trip {
            Trip::Size(size) => self.func.symbols.is_made_of(size, &is_free),
            Trip::Bounded(_) => true,
            Trip::Value(_) => false,
        }
    }

    /// The number of the array that a value is a state of.
    pub fn array(&self, value: Value) -> Option<usize> {
        self.contents.version.get(&value).copied()
    }

    /// The accesses of nodes to the nest's arrays, under these loops.
    pub fn sites(&self, nodes: &[Node], loops: &[Counted]) -> Vec<Site> {
        let mut walk = Walk { frame: self, loops: loops.to_vec(), guards: Vec::new(), found: Vec::new() };
        nodes.iter().for_each(|node| walk.node(node));
        walk.found
    }
}

impl Loop {
    /// The loop that stands at these places, each in the body of the one before.
    pub fn inside(&mut self, path: &[usize]) -> Option<&mut Self> {
        let Some((at, rest)) = path.split_first() else { return Some(self) };
        match self.body.get_mut(*at)? {
            Node::Loop(nested) => nested.inside(rest),
            Node::Stmt(_) => None,
        }
    }

    /// The loop as the affine framework counts it.
    pub fn counted(&self) -> Counted {
        let extent = match &self.trip {
            Trip::Size(size) => Extent::Size(size.clone()),
            Trip::Bounded(value) | Trip::Value(value) => Extent::Trip(*value),
        };
        Counted { counter: self.counter, extent }
    }
}

impl Node {
    /// Whether it computes scalars from scalars and from arrays that the nest does not store into: it may be done again, and
    /// anywhere.
    pub fn is_glue(&self, frame: &Frame<'_>) -> bool {
        let Self::Stmt(stmt) = self else { return false };
        match &stmt.op {
            Op::Index { array, checked, .. } => !checked && frame.array(*array).is_none(),
            op => is_pure(op),
        }
    }

    /// Whether it does nothing but compute, and touch elements that are known to exist.
    pub fn is_movable(&self) -> bool {
        matches!(self, Self::Stmt(stmt) if is_movable(stmt))
    }

    /// Whether it is a statement that reads elements.
    pub fn reads(&self) -> bool {
        let reads = |op: &Op| matches!(op, Op::Index { .. });
        matches!(self, Self::Stmt(stmt) if reads(&stmt.op) || stmt.op.regions().iter().any(|region| region.any(reads)))
    }

    /// Calls `f` on each value that it uses and does not define itself, sizes included.
    pub fn uses(&self, func: &Func, f: &mut impl FnMut(Value)) {
        match self {
            Self::Loop(inner) => {
                match &inner.trip {
                    Trip::Bounded(trip) | Trip::Value(trip) => f(*trip),
                    Trip::Size(size) => func.symbols.for_each_value(size, f),
                }
                inner.body.iter().for_each(|node| node.uses(func, f));
            }
            Self::Stmt(stmt) => uses(func, stmt, f),
        }
    }

    /// The values that it defines for what comes behind it.
    pub fn defines(&self) -> &[Value] {
        match self {
            Self::Loop(_) => &[],
            Self::Stmt(stmt) => &stmt.results,
        }
    }
}

/// Whether a statement does nothing but compute, and touch elements that are known to exist.
pub(super) fn is_movable(stmt: &Stmt) -> bool {
    match &stmt.op {
        Op::Index { checked, .. } | Op::Store { checked, .. } => !checked,
        Op::If { then, els, .. } => [then, els].into_iter().all(|arm| arm.stmts.iter().all(is_movable)),
        op => is_pure(op),
    }
}

/// Calls `f` on each value that a statement uses, sizes included.
pub(super) fn uses(func: &Func, stmt: &Stmt, f: &mut impl FnMut(Value)) {
    stmt.op.for_each_operand(&mut *f);
    if let Op::Size(size) = &stmt.op {
        func.symbols.for_each_value(size, f);
    }
    for region in stmt.op.regions() {
        region.stmts.iter().for_each(|s| uses(func, s, f));
        region.term.values().iter().for_each(|v| f(*v));
    }
}

struct Walk<'w, 'f> {
    frame: &'w Frame<'f>,
    loops: Vec<Counted>,
    guards: Vec<(Value, bool)>,
    found: Vec<Site>,
}

impl Walk<'_, '_> {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Loop(inner) => {
                self.loops.push(inner.counted());
                inner.body.iter().for_each(|node| self.node(node));
                self.loops.pop();
            }
            Node::Stmt(stmt) => self.stmt(stmt),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::Index { .. } if self.frame.contents.unused.contains(&stmt.results[0]) => {}
            Op::Index { array, subs, .. } => self.access(stmt, *array, subs, AccessKind::Read),
            Op::Store { array, subs, .. } => self.access(stmt, *array, subs, AccessKind::Write),
            Op::If { cond, then, els } => {
                for (arm, taken) in [(then, true), (els, false)] {
                    self.guards.push((*cond, taken));
                    arm.stmts.iter().for_each(|s| self.stmt(s));
                    self.guards.pop();
                }
            }
            op => {
                let depth = self.loops.len();
                self.loops.extend(crate::kernels::accesses::counted_loops(op));
                for region in op.regions() {
                    region.stmts.iter().for_each(|s| self.stmt(s));
                }
                self.loops.truncate(depth);
            }
        }
    }

    fn access(&mut self, stmt: &Stmt, array: Value, subs: &[Sub], kind: AccessKind) {
        let Some(array) = self.frame.array(array) else { return };
        let subs = subs.iter().filter_map(Sub::value).collect();
        let update = self.frame.contents.updates.get(&stmt.results[0]).copied();
        let (loops, guards) = (self.loops.clone(), self.guards.clone());
        let site = Site { array, kind, subs, loops, guards, update, loc: stmt.loc };
        site.add_to(&mut self.found);
    }
}
