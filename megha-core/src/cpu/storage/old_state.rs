//! Which operations read the state that an array had before they update it.

use crate::ir::{Op, Value};
use crate::kernels::old_state::OldState;

/// Whether the operation reads the old state of an array that it updates where its place may hold the new one already.
pub(super) fn reads_old_state(old: &OldState<'_>, op: &Op, array: Value) -> bool {
    match op {
        Op::Store { subs, value, .. } => *value == array || subs.iter().any(|s| s.value() == Some(array)),
        Op::Kernel(kernel) => old.is_read(kernel, array),
        Op::Resize(_) => false,
        Op::Concat(_, parts) => parts[1..].contains(&array),
        _ => true,
    }
}
