//! Calls: arguments into the new frame, results back.

use super::warp::{Warp, store};
use super::{CALL_LIMIT, Machine, Slip, lanes};
use crate::error::FaultKind;
use crate::form::{Op, Place};

impl Machine<'_> {
    /// Calls a function with the lanes in `active`; the running path is after the call.
    pub(super) fn call(&self, warp: &mut Warp, function: usize, args: &[Place], active: u32) -> Result<(), Slip> {
        if warp.frames.len() >= CALL_LIMIT {
            return Err((active.trailing_zeros(), FaultKind::Calls { limit: CALL_LIMIT }));
        }
        let call = warp.top().pc - 1;
        let from = warp.frames.len() - 1;
        self.push_frame(warp, function, active, call, true);
        for (arg, param) in args.iter().zip(&self.program.functions[function].params) {
            pass(warp, (from, *arg), (from + 1, *param), active);
        }
        Ok(())
    }

    /// Leaves the running function, in which no lane is left.
    pub(super) fn leave(&self, warp: &mut Warp) {
        let callee = warp.frames.len() - 1;
        let frame = &warp.frames[callee];
        let (function, call, back) = (frame.function, frame.call, frame.callers & warp.alive);
        if callee > 0 && back != 0 {
            let caller = warp.frames[callee - 1].function;
            let Op::Call { results, .. } = &self.program.functions[caller].code[call as usize].op else {
                unreachable!("frames above the first are entered by calls")
            };
            for (result, formal) in results.iter().zip(&self.program.functions[function].results) {
                pass(warp, (callee, *formal), (callee - 1, *result), back);
            }
        }
        warp.frames.pop();
    }
}

/// Copies a value from a place of one frame to a place of another.
fn pass(warp: &mut Warp, (from_frame, from): (usize, Place), (to_frame, to): (usize, Place), mask: u32) {
    let start = |warp: &Warp, frame: usize, offset: u32| (warp.frames[frame].local + offset) as usize;
    let slot = |warp: &Warp, frame: usize, slot: u32| warp.frames[frame].slots + slot as usize;
    match (from, to) {
        (Place::Slot(a), Place::Slot(d)) => {
            let value = warp.slots[slot(warp, from_frame, a)];
            let d = slot(warp, to_frame, d);
            store(&mut warp.slots[d], mask, &value);
        }
        (Place::Slot(a), Place::Local { offset, bytes }) => {
            let value = warp.slots[slot(warp, from_frame, a)];
            let (at, len) = (start(warp, to_frame, offset), bytes as usize);
            for lane in lanes(mask) {
                warp.local[lane][at..at + len].copy_from_slice(&value[lane].to_le_bytes()[..len]);
            }
        }
        (Place::Local { offset, bytes }, Place::Slot(d)) => {
            let (at, len) = (start(warp, from_frame, offset), bytes as usize);
            let d = slot(warp, to_frame, d);
            for lane in lanes(mask) {
                let mut value = [0; 8];
                value[..len].copy_from_slice(&warp.local[lane][at..at + len]);
                warp.slots[d][lane] = u64::from_le_bytes(value);
            }
        }
        (Place::Local { offset, bytes }, Place::Local { offset: to, .. }) => {
            let (at, to, len) = (start(warp, from_frame, offset), start(warp, to_frame, to), bytes as usize);
            for lane in lanes(mask) {
                warp.local[lane].copy_within(at..at + len, to);
            }
        }
        (Place::Nowhere, _) | (_, Place::Nowhere) => {}
    }
}
