//! Perfect nests, their extents, and the dependences that their loops carry.

use crate::ir::SymDef;
use crate::ir::{Func, Loc, Op, Region, Size, Stmt, Terminator, Value};
use crate::kernels::accesses::{AffineView, Counted, Definitions, Extent, counted_loops, symbol};
use crate::kernels::dead::leaves;
use crate::nests::checks::Plan;
use crate::nests::contents::{Contents, is_pure};

/// The outer loops of a nest that are to be one kernel.
pub(super) struct Nest<'r> {
    stmts: Vec<&'r Stmt>,
}

impl<'r> Nest<'r> {
    /// The nest of one loop.
    pub fn of(stmt: &'r Stmt) -> Self {
        Self { stmts: vec![stmt] }
    }

    /// How many loops.
    pub fn depth(&self) -> usize {
        self.stmts.len()
    }

    /// The body of the innermost one.
    pub fn innermost(&self) -> &'r Region {
        match self.stmts.last().map(|s| &s.op) {
            Some(Op::For { body, .. }) => body,
            _ => unreachable!("a nest is made of `for` loops only"),
        }
    }

    /// The loops, the outermost first.
    pub fn loops(&self) -> Vec<Counted> {
        self.stmts.iter().flat_map(|s| counted_loops(&s.op)).collect()
    }

    /// Counter and position of each loop.
    pub fn heads(&self) -> Vec<(Value, Loc)> {
        self.stmts.iter().flat_map(|s| counted_loops(&s.op).into_iter().map(|l| (l.counter, s.loc))).collect()
    }

    fn inner(&self) -> Option<&'r Stmt> {
        self.innermost().stmts.iter().find(|s| matches!(s.op, Op::For { .. }))
    }

    /// The loop that fills the innermost body but for scalar statements that may be repeated in each of its iterations,
    /// if there is one.
    pub fn next(&self, plan: &Plan, contents: &Contents) -> Option<Counted> {
        let (outer, inner) = (self.innermost(), self.inner()?);
        let Op::For { init, body, .. } = &inner.op else { return None };
        if leaves(body, 0) {
            // `break` and `continue` need a loop to go to.
            return None;
        }
        let handed_through = init[..] == outer.params[1..] && outer.term == Terminator::Yield(inner.results.clone());
        let movable = |stmt: &Stmt| match &stmt.op {
            Op::Index { array, .. } => {
                let stays = contents.version.contains_key(array) && !contents.unused.contains(&stmt.results[0]);
                !stays && !plan.in_place.contains_key(&stmt.results[0])
            }
            op => is_pure(op),
        };
        let movable = outer.stmts.iter().all(|s| std::ptr::eq(s, inner) || movable(s));
        if handed_through && movable { counted_loops(&inner.op).pop() } else { None }
    }

    /// Adds the loop that [`Nest::next`] has found.
    pub fn enter(&mut self) {
        self.stmts.extend(self.inner());
    }

    /// One body for all loops of the nest, its parameters the counters.
    pub fn body(&self, contents: &Contents) -> Region {
        let bodies = self.stmts.iter().filter_map(|s| if let Op::For { body, .. } = &s.op { Some(body) } else { None });
        let mut stmts = Vec::new();
        for (level, body) in bodies.enumerate() {
            let Some(next) = self.stmts.get(level + 1) else {
                stmts.extend(body.stmts.iter().cloned());
                break;
            };
            // What is read for nothing may be written by now.
            let idle = |s: &Stmt| matches!(s.op, Op::Index { .. }) && contents.unused.contains(&s.results[0]);
            stmts.extend(body.stmts.iter().filter(|s| !std::ptr::eq(*s, *next) && !idle(s)).cloned());
        }
        let params = self.loops().into_iter().map(|l| l.counter).collect();
        Region { params, stmts, term: Terminator::Yield(Vec::new()) }
    }
}

/// The extent of a kernel's loop: the number of iterations, at least zero.
pub(crate) fn extent(func: &mut Func, defs: &Definitions, counted: &Counted) -> Size {
    let size = match &counted.extent {
        Extent::Size(size) => size.clone(),
        Extent::Trip(trip) => match defs.trip_size(*trip) {
            Some(size) => size,
            None => Size::sym(symbol(func, SymDef::Value(*trip), Vec::new(), Vec::new())),
        },
    };
    not_negative(func, defs, size)
}

/// A size, or zero where it is negative.
pub(crate) fn not_negative(func: &mut Func, defs: &Definitions, size: Size) -> Size {
    let zero = Size::default();
    match size.as_constant() {
        Some(number) => Size::constant(number.max(0)),
        None if is_not_negative(func, defs, &size) => size,
        None => {
            let least = vec![zero.clone(), size.clone()];
            Size::sym(symbol(func, SymDef::Max(zero, size), least, Vec::new()))
        }
    }
}

/// Whether a size is proven not to be negative.
pub(crate) fn is_not_negative(func: &Func, defs: &Definitions, size: &Size) -> bool {
    let mut view = AffineView::new(&func.symbols, defs, []);
    let Some(expr) = view.size(size) else { return false };
    view.domain(&[], [&expr]).assumptions.implies(&expr) == Some(true)
}
