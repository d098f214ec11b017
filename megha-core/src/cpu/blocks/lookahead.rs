//! What a block knows of loops behind it: how often they run, and which of its arrays their first block takes over.
//!
//! A block by itself would leave its results where they are cheapest to make. If a loop follows that uses them a hundred times, the place that
//! suits the loop is the better one.

use super::{Building, Walk};
use crate::cpu::liveness::used_by;
use crate::cpu::storage::{Item, Slot};
use crate::ir::{Kind, Lib, Op, Stmt, Sym, Value};
use megha_base::plan::SizeExpr;
use megha_base::plan::block::{Data, Following, Next};

impl Walk<'_, '_> {
    /// Whether a statement makes a number that can be computed before the block begins, and nobody sees that it was. One that may end the
    /// call stays behind what may end it first.
    pub(super) fn is_before(&self, stmt: &Stmt, building: &Building) -> bool {
        let [result] = stmt.results[..] else { return false };
        let pure = stmt.op.kind() == Kind::Elementwise;
        let first =
            matches!(stmt.op, Op::Lib(Lib::RangeLen, _)) && !building.block.nodes.iter().any(|node| node.guards);
        let constant = |slot: Slot| !self.storage.slots[slot.0].mutable;
        let mut known = true;
        stmt.op.for_each_operand(&mut |v| known &= self.known_number(v, building));
        (pure || first)
            && known
            && !building.assigned
            && self.func.ty(result).is_scalar()
            && self.storage.slot(result).is_some_and(constant)
    }

    /// Tells the block of the first one in a loop behind it, if that and how often it runs is known when the block begins. Gives the numbers
    /// of iterations of the loops around that one; before the loop so many values were seen.
    pub(super) fn look_ahead(
        &self,
        building: &mut Building,
        before: usize,
        (trip, body): (Value, &[Item<'_>]),
    ) -> Vec<Value> {
        let mut loops = vec![trip];
        let Some((number, arrays)) = self.first_block(body, &mut loops) else { return Vec::new() };
        let known = loops.iter().all(|trip| self.is_fixed(*trip, before) && self.known_number(*trip, building));
        let following = if known { self.handed_on(building, before, (number, arrays)) } else { None };
        building.block.following = following;
        if building.block.following.is_some() { loops } else { Vec::new() }
    }

    /// Which of the block's sizes and arrays are those of a block in a loop.
    fn handed_on(
        &self,
        building: &mut Building,
        before: usize,
        (number, arrays): (usize, &[Slot]),
    ) -> Option<Following> {
        let (next, symbols) = self.kernels.block(number);
        let fixed = |sym: &Sym| {
            let seen = |v: Value| self.is_fixed(v, before) && !building.defined.contains(&v);
            self.func.symbols.is_known(*sym, &seen)
        };
        if !symbols.iter().all(fixed) {
            return None;
        }
        let sizes: Vec<usize> = symbols.iter().map(|sym| building.symbol(*sym)).collect();
        let mut handed = Vec::new();
        for (slot, data) in arrays.iter().zip(next.data.iter().filter(|data| data.before)) {
            let found = building.of.get(slot).copied().unwrap_or_else(|| {
                let dims = data.dims.iter().map(|dim| renamed(dim, &sizes)).collect();
                building.block.data.push(Data { dims, next: Next::Unknown, again: None, ..data.clone() });
                building.before.push(*slot);
                building.of.insert(*slot, building.block.data.len() - 1);
                building.block.data.len() - 1
            });
            handed.push(found);
        }
        Some(Following { block: number, sizes, arrays: handed })
    }

    /// Whether a number is the same in all iterations of a loop before which so many values were seen.
    fn is_fixed(&self, value: Value, before: usize) -> bool {
        match self.inlined.get(value) {
            Some(Op::Size(size)) => {
                let seen = |v: Value| self.seen.get(&v).is_some_and(|at| *at < before);
                size.symbols().all(|sym| self.func.symbols.is_known(sym, &seen))
            }
            Some(op) => {
                let mut fixed = true;
                op.for_each_operand(&mut |v| fixed &= self.is_fixed(v, before));
                fixed
            }
            None => self.seen.get(&value).is_some_and(|at| *at < before),
        }
    }

    /// The block at the beginning of a loop's body and the arrays that exist before it. The numbers of iterations of loops in which it is are
    /// appended to `loops`.
    fn first_block<'i>(&self, body: &'i [Item<'_>], loops: &mut Vec<Value>) -> Option<(usize, &'i [Slot])> {
        for item in body {
            match item {
                Item::Plan { number, arrays, .. } => return Some((*number, arrays)),
                Item::For(_, _, trip, inner) => {
                    loops.push(*trip);
                    return self.first_block(inner, loops);
                }
                Item::Declare(_) | Item::Sizes(_) => {}
                Item::Stmt(stmt) if self.is_of_numbers(stmt) => {}
                _ => return None,
            }
        }
        None
    }

    fn is_of_numbers(&self, stmt: &Stmt) -> bool {
        let (mut operands, mut arrays) = (Vec::new(), Vec::new());
        used_by(&stmt.op, &mut operands);
        operands.iter().for_each(|v| self.reads(*v, &mut arrays));
        arrays.is_empty() && stmt.results.iter().all(|v| self.func.ty(*v).is_scalar())
    }
}

/// A size over the symbols of the block before.
fn renamed(size: &SizeExpr, symbols: &[usize]) -> SizeExpr {
    let name = |(factor, symbols_of): &(i64, Vec<usize>)| (*factor, symbols_of.iter().map(|s| symbols[*s]).collect());
    SizeExpr { terms: size.terms.iter().map(name).collect() }
}
