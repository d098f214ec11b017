//! Tiles: copies to shared memory that go on beside a kernel, and products on tensor cores.

use super::modifiers::Modifiers;
use super::{Decoder, Flops, Result};
use crate::form::{Op, Slot};
use crate::ptx::syntax::{Operand, Space};
use crate::ptx::types::Type;

impl Decoder<'_> {
    /// `cp.async`, `cp.async.commit_group`, `cp.async.wait_group` and `cp.async.wait_all`.
    pub(super) fn copy_async(&mut self, m: &mut Modifiers) -> Result<()> {
        if !m.flag("async") {
            return Err(m.error(format!("of the copies only `cp.async` is simulated, not `{}`", m.full_name())));
        }
        let op = match m.one_of(&["commit_group", "wait_group", "wait_all"]) {
            Some("commit_group") => {
                let [] = m.operands()?;
                Op::CommitCopies
            }
            Some("wait_all") => {
                let [] = m.operands()?;
                Op::WaitCopies { but: None }
            }
            Some(_) => match m.operands()? {
                [Operand::Int(but)] => Op::WaitCopies { but: Some(*but) },
                [_] => return Err(m.error("`cp.async.wait_group` takes a number")),
            },
            None => self.copy(m)?,
        };
        self.emit(&m.full_name(), op, Flops::default());
        Ok(())
    }

    fn copy(&mut self, m: &mut Modifiers) -> Result<Op> {
        let past_first_cache = m.required(&["ca", "cg"])? == "cg";
        m.required(&["shared"])?;
        m.required(&["global"])?;
        let [to, from, bytes] = m.operands()?;
        let bytes = match bytes {
            Operand::Int(16) => 16,
            Operand::Int(bytes @ (4 | 8)) if !past_first_cache => *bytes as u32,
            _ => return Err(m.error("`cp.async` copies 4, 8 or 16 bytes, and 16 with `.cg`")),
        };
        Ok(Op::CopyAsync { to: self.address(to, Space::Shared)?, from: self.address(from, Space::Global)?, bytes })
    }

    /// `mma.sync.aligned.{m8n8k4,m16n8k4,m16n8k8,m16n8k16}.row.col.f64.f64.f64.f64`.
    pub(super) fn multiply_tiles(&mut self, m: &mut Modifiers) -> Result<()> {
        for word in ["sync", "aligned", "row", "col"] {
            m.required(&[word])?;
        }
        let (rows, terms) = match m.required(&["m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"])? {
            "m8n8k4" => (8, 4),
            "m16n8k4" => (16, 4),
            "m16n8k8" => (16, 8),
            _ => (16, 16),
        };
        for _ in 0..4 {
            m.required(&["f64"])?;
        }
        if let Some("rm" | "rp" | "rz") = m.one_of(&["rn", "rm", "rp", "rz"]) {
            return Err(m.error("tensor cores round to nearest here"));
        }
        let [d, a, b, c] = m.operands()?;
        let [elements_of_a, elements_of_b, sums] = [rows * terms, terms * 8, rows * 8].map(|elements| elements / 32);
        let d = self.fragment(m, d, sums, Self::target)?;
        let a = self.fragment(m, a, elements_of_a, Self::value)?;
        let b = self.fragment(m, b, elements_of_b, Self::value)?;
        let c = self.fragment(m, c, sums, Self::value)?;
        let flops = Flops { tensor: (2 * rows * 8 * terms) as u32, ..Flops::default() };
        self.emit(&m.full_name(), Op::MultiplyTiles { d, a, b, c }, flops);
        Ok(())
    }

    /// The registers of a tile that each lane has.
    fn fragment(
        &mut self,
        m: &Modifiers,
        operand: &Operand,
        count: usize,
        slot: fn(&mut Self, &Operand, Type) -> Result<Slot>,
    ) -> Result<Box<[Slot]>> {
        let operands = match operand {
            Operand::Vector(operands) => operands,
            other => std::slice::from_ref(other),
        };
        if operands.len() != count {
            return Err(m.error(format!("`{}` has {count} registers here, not {}", m.full_name(), operands.len())));
        }
        operands.iter().map(|operand| slot(self, operand, Type::F64)).collect()
    }
}
