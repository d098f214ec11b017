//! Instructions that look across the lanes of a warp: `shfl`, `vote`, `bar.warp.sync`.

use super::step::set_pred;
use super::warp::{Warp, holds, store};
use super::{Machine, Slip, lanes};
use crate::alu::{Lanes, WARP};
use crate::error::FaultKind;
use crate::form::{Op, Shuffle, Slot, Vote};

impl Machine<'_> {
    pub(super) fn exchange(&self, warp: &mut Warp, op: &Op, active: u32) -> Result<(), Slip> {
        match op {
            Op::Shuffle { mode, d, p, a, b, c, members } => {
                self.agree(warp, *members, active)?;
                let (slots, preds) = warp.registers();
                let [a, b, c] = [a, b, c].map(|slot| slots[*slot as usize]);
                let mut out = a;
                let mut inside = 0;
                for lane in lanes(active) {
                    let (from, valid) = source(*mode, lane as u32, b[lane] as u32, c[lane] as u32);
                    inside |= u32::from(valid) << lane;
                    if active >> from & 1 == 0 {
                        return Err((lane as u32, FaultKind::InactiveLane { from }));
                    }
                    out[lane] = a[from as usize];
                }
                store(&mut slots[*d as usize], active, &out);
                if let Some(p) = p {
                    set_pred(&mut preds[*p as usize], active, inside);
                }
            }
            Op::Vote { d, a, members } => {
                self.agree(warp, *members, active)?;
                let (slots, preds) = warp.registers();
                let ballot = u64::from(holds(preds, *a) & active);
                store(&mut slots[*d as usize], active, &[ballot; WARP]);
            }
            Op::VotePred { mode, d, a, members } => {
                self.agree(warp, *members, active)?;
                let (_, preds) = warp.registers();
                let yes = holds(preds, *a) & active;
                let holds = match mode {
                    Vote::All => yes == active,
                    Vote::Any => yes != 0,
                    _ => yes == 0 || yes == active,
                };
                set_pred(&mut preds[*d as usize], active, if holds { u32::MAX } else { 0 });
            }
            Op::WarpBarrier { members } => {
                self.agree(warp, *members, active)?;
                if active == warp.alive {
                    warp.epoch += 1;
                }
            }
            _ => unreachable!("the caller chose the instruction"),
        }
        Ok(())
    }

    /// The lanes that execute a `.sync` instruction must be those of its mask that have not ended.
    fn agree(&self, warp: &mut Warp, members: Slot, active: u32) -> Result<(), Slip> {
        let alive = warp.alive;
        let masks: Lanes = warp.registers().0[members as usize];
        for lane in lanes(active) {
            let mask = masks[lane] as u32;
            if mask & alive != active {
                return Err((lane as u32, FaultKind::Members { mask, active }));
            }
        }
        Ok(())
    }
}

/// The lane that a lane takes its value from, and whether that is the one asked for.
fn source(mode: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (clamp, segment) = (c & 31, c >> 8 & 31);
    let last = lane & segment | clamp & !segment;
    let first = lane & segment;
    let (from, valid) = match mode {
        Shuffle::Up => {
            let from = lane.wrapping_sub(b & 31) as i32;
            (from as u32, from >= last as i32)
        }
        Shuffle::Down => (lane + (b & 31), lane + (b & 31) <= last),
        Shuffle::Butterfly => (lane ^ (b & 31), (lane ^ (b & 31)) <= last),
        Shuffle::Index => {
            let from = first | (b & 31) & !segment;
            (from, from <= last)
        }
    };
    if valid { (from, true) } else { (lane, false) }
}
