//! Clears the `checked` flag of accesses whose subscripts are provably in bounds, from the bounds of loop counters, what is
//! known of sizes, and the conditions of the `if`s around them.

use super::accesses::{AffineView, Definitions};
use crate::affine::LinExpr;
use crate::ir::{Func, Op, Region, Stmt, Sub, Symbols, Terminator, Type, Value};

/// Proves what can be proven in a whole function; gives the number of accesses that need no test any more.
pub fn run(func: &mut Func) -> usize {
    let defs = Definitions::of(func);
    let nothing = Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable };
    let mut body = std::mem::replace(&mut func.body, nothing);
    let mut pass = Pass { symbols: &func.symbols, types: &func.types, defs: &defs, guards: Vec::new(), proven: 0 };
    pass.region(&mut body);
    let proven = pass.proven;
    func.body = body;
    proven
}

struct Pass<'f> {
    symbols: &'f Symbols,
    types: &'f [Type],
    defs: &'f Definitions,
    /// Conditions around the current statement, and whether they hold.
    guards: Vec<(Value, bool)>,
    proven: usize,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        for stmt in &mut region.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.op {
            Op::Index { array, subs, checked } | Op::Store { array, subs, checked, .. } if *checked => {
                if self.is_proven(*array, subs) {
                    *checked = false;
                    self.proven += 1;
                }
            }
            Op::If { cond, then, els } => {
                let cond = *cond;
                for (arm, taken) in [(then, true), (els, false)] {
                    self.guards.push((cond, taken));
                    self.region(arm);
                    self.guards.pop();
                }
            }
            op => op.regions_mut().into_iter().for_each(|r| self.region(r)),
        }
    }

    fn is_proven(&self, array: Value, subs: &[Sub]) -> bool {
        Prover { symbols: self.symbols, types: self.types, defs: self.defs }.is_inside(array, subs, &self.guards)
    }
}

/// Proves single accesses.
pub(super) struct Prover<'f> {
    pub symbols: &'f Symbols,
    pub types: &'f [Type],
    pub defs: &'f Definitions,
}

impl Prover<'_> {
    /// Whether the subscripts lie within the array wherever their values exist and the conditions are as `guards` has them.
    pub fn is_inside(&self, array: Value, subs: &[Sub], guards: &[(Value, bool)]) -> bool {
        // At one moment every value is a fixed number, so nothing varies.
        let mut view = AffineView::new(self.symbols, self.defs, []);
        let guards: Vec<LinExpr> = guards.iter().flat_map(|(c, taken)| view.guard(*c, *taken)).collect();
        let extents = view.extents(&self.types[array.index()], subs.len());
        subs.iter().zip(extents).all(|(sub, extent)| match (sub, extent) {
            (Sub::All, _) => true,
            (Sub::At(at), Some(extent)) => view.expr(*at).is_some_and(|at| view.in_bounds(&[], &guards, &at, &extent)),
            _ => false,
        })
    }
}
