//! What happens after a block to the arrays that it leaves.

use super::Walk;
use crate::cpu::liveness::used_by;
use crate::cpu::storage::{Item, Slot};
use megha_base::plan::block::Next;

impl Walk<'_, '_> {
    /// What happens next to an array that a block leaves in a variable.
    pub(super) fn next(&self, slot: Slot, following: &[Item<'_>]) -> Next {
        for item in following {
            match item {
                Item::Fetch(fetched, _) if *fetched == slot => return Next::Read,
                Item::Return(values) => {
                    let returned = values.iter().any(|(value, _)| self.array(*value) == Some(slot));
                    return if returned { Next::Returned } else { Next::Unknown };
                }
                Item::Stmt(stmt) if self.storage.keeps_memory(stmt) => {}
                Item::Stmt(stmt) => {
                    let (mut operands, mut arrays) = (Vec::new(), Vec::new());
                    used_by(&stmt.op, &mut operands);
                    operands.iter().for_each(|v| self.reads(*v, &mut arrays));
                    if arrays.iter().chain(&stmt.results).any(|v| self.array(*v) == Some(slot)) {
                        return Next::Unknown;
                    }
                }
                Item::Declare(_) | Item::Fetch(..) | Item::FetchElement(..) | Item::Wrote(_) | Item::Sizes(_) => {}
                Item::Free(freed) if *freed != slot => {}
                _ => return Next::Unknown,
            }
        }
        Next::Unknown
    }
}
