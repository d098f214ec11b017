//! Which block of those that share results comes to its end last: it combines what all have left, in the same launch.
//!
//! Each block counts itself when its partial results are written. The counter wraps to 0 with the last one, so the next launch finds it as this one did; launches
//! of a device follow each other, whatever entry of the module they run. A fence before the count and one behind it order the partial results with what the last block
//! reads, as for the other threads of both blocks the barriers do (PTX ISA, memory consistency model: causality order).

use super::super::entry::Entry;
use super::super::inst::{Arith, Axis, Bank, Compare, Inst, Operand, Special, Ty};
use megha_base::plan::Element;

impl Entry<'_, '_> {
    /// What only the last of the blocks does that lie along y, all of its threads.
    ///
    /// # Errors
    /// Those of the body.
    pub(super) fn when_last(&mut self, body: &mut dyn FnMut(&mut Self) -> Result<(), String>) -> Result<(), String> {
        let room = self.e.shared(4);
        let flag = self.shared_at(room, Ty::U32, Operand::Int(0));
        self.e.push(Inst::Barrier);
        let tids = [Axis::X, Axis::Y, Axis::Z].map(|axis| self.special(Special::Tid(axis)));
        let together = tids.into_iter().fold(Operand::Int(0), |all, tid| self.e.arith(Arith::Or, Ty::B32, &[all, tid]));
        let first = self.e.compare(Compare::Eq, Ty::U32, together, Operand::Int(0));
        let [x, z] = [Axis::X, Axis::Z].map(|axis| self.special(Special::Ctaid(axis)));
        let wide = self.special(Special::Nctaid(Axis::X));
        let blocks = self.special(Special::Nctaid(Axis::Y));
        self.when(first, &mut |entry| {
            let before = entry.e.arith(Arith::Mul, Ty::U32, &[z, wide]);
            let number = entry.e.arith(Arith::Add, Ty::U32, &[before, x]);
            let counters = entry.e.reg(Bank::B64);
            entry.e.push(Inst::Counters { dst: counters });
            let (base, _) = entry.nth(counters, Element::U32, number)?;
            let limit = entry.e.arith(Arith::Sub, Ty::U32, &[blocks, Operand::Int(1)]);
            let dst = entry.e.reg(Bank::B32);
            entry.e.push(Inst::Fence);
            entry.e.push(Inst::Count { dst, base, limit });
            entry.e.push(Inst::Fence);
            let last = entry.e.compare(Compare::Eq, Ty::U32, dst.into(), limit);
            let last = entry.e.select(Ty::U32, last, Operand::Int(1), Operand::Int(0));
            entry.store_shared(Ty::U32, flag, 0, last);
            Ok(())
        })?;
        self.e.push(Inst::Barrier);
        let last = self.load_shared(Ty::U32, flag, 0);
        let last = self.e.compare(Compare::Ne, Ty::U32, last, Operand::Int(0));
        self.when(last, body)
    }
}
