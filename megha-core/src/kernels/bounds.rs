//! Clears the `checked` flag of accesses whose subscripts are provably in bounds, from the bounds of loop counters, what is
//! known of sizes, and the conditions of the `if`s around them.

use super::accesses::{AffineView, Definitions};
use crate::affine::LinExpr;
use crate::hash::HashMap;
use crate::ir::{Func, Op, Region, Size, Stmt, Sub, Symbols, Type, Value};

/// Proves what can be proven in a whole function; gives the number of accesses that need no test any more.
pub fn run(func: &mut Func) -> usize {
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    let prover = Prover::new(&func.symbols, &func.types, &defs);
    let mut pass = Pass { prover, guards: Vec::new(), proven: 0 };
    pass.region(&mut body);
    let proven = pass.proven;
    func.body = body;
    proven
}

struct Pass<'f> {
    prover: Prover<'f>,
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
                if self.prover.is_inside(*array, subs, &self.guards) {
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
}

/// Proves single accesses, each kind once.
pub(super) struct Prover<'f> {
    pub symbols: &'f Symbols,
    pub types: &'f [Type],
    /// At one moment every value is a fixed number, so nothing varies.
    view: AffineView<'f>,
    /// What has been asked: a subscript, the extent that it should be below, what is not negative; and the answer.
    asked: HashMap<(LinExpr, LinExpr, Vec<LinExpr>), bool>,
}

impl<'f> Prover<'f> {
    /// For the values of a function.
    pub fn new(symbols: &'f Symbols, types: &'f [Type], defs: &'f Definitions) -> Self {
        Self { symbols, types, view: AffineView::new(symbols, defs, []), asked: HashMap::default() }
    }

    /// Whether the subscripts lie within the array wherever their values exist and the conditions are as `guards` has them.
    pub fn is_inside(&mut self, array: Value, subs: &[Sub], guards: &[(Value, bool)]) -> bool {
        let guards = self.view.guards(&[], guards);
        let extents = self.view.extents(&self.types[array.index()], subs.len());
        subs.iter().zip(extents).all(|(sub, extent)| match (sub, extent) {
            (Sub::All, _) => true,
            (Sub::At(at), Some(extent)) => {
                self.view.remainder_in_bounds(&[], &guards, *at, &extent)
                    || self.view.expr(*at).is_some_and(|at| self.is_below(at, extent, &guards))
            }
            (Sub::Range { start, step, len }, Some(extent)) => {
                self.range((*start, *step, len), &extent, &guards).is_some()
            }
            _ => false,
        })
    }

    /// That both ends of a range are below the extent, where it has elements.
    fn range(&mut self, (start, step, len): (Value, i64, &Size), extent: &LinExpr, guards: &[LinExpr]) -> Option<()> {
        let start = self.view.expr(start)?;
        let behind = self.view.size(len)?.checked_offset(-1)?;
        let last = start.checked_add(&behind.checked_scale(step)?)?;
        let guards: Vec<LinExpr> = guards.iter().cloned().chain([behind]).collect();
        [start, last].into_iter().all(|end| self.is_below(end, extent.clone(), &guards)).then_some(())
    }

    fn is_below(&mut self, subscript: LinExpr, extent: LinExpr, guards: &[LinExpr]) -> bool {
        let question = (subscript, extent, guards.to_vec());
        if let Some(answer) = self.asked.get(&question) {
            return *answer;
        }
        let answer = self.view.in_bounds(&[], guards, &question.0, &question.1);
        self.asked.insert(question, answer);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_func;

    #[test]
    fn what_is_asked_of_several_arrays_is_proven_once() {
        let text = "func @f(%a: f64[n, 1], %b: f64[n, 1], %c: f64[n, 1]) -> (y: f64) {
          sym n = dim 0 0, >= 0
          %n: index = size n
          %zero = const 0.0
          %y: f64 = for %n with %zero |%i, %sum: f64| {
            %x: f64 = index %a[%i, 0] checked
            %z: f64 = index %b[%i, 0] checked
            %w: f64 = index %c[%i, 0] checked
            %xz: f64 = add %x, %z
            %all: f64 = add %xz, %w
            %next: f64 = add %sum, %all
            yield %next
          }
          return %y
        }";
        let func = parse_func(text).unwrap_or_else(|e| panic!("{e}"));
        let defs = Definitions::of(&func);
        let mut prover = Prover::new(&func.symbols, &func.types, &defs);
        let Some(Op::For { body, .. }) = func.body.stmts.iter().map(|s| &s.op).find(|op| matches!(op, Op::For { .. }))
        else {
            panic!("the function has a loop");
        };
        let mut reads = 0;
        for stmt in &body.stmts {
            if let Op::Index { array, subs, .. } = &stmt.op {
                assert!(prover.is_inside(*array, subs, &[]));
                reads += 1;
            }
        }
        // One is about the rows, one about the single column.
        assert_eq!((reads, prover.asked.len()), (3, 2));
    }
}
