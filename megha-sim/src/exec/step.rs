//! The loop over instructions.

use super::tiles::multiply_tiles;
use super::warp::{Path, State, Warp, holds, store};
use super::{Machine, Slip, lanes};
use crate::alu::{Lanes, WARP};
use crate::error::{Fault, FaultKind};
use crate::form::{Inst, Logic, Op, Pred, Program, Slot};

/// How many instructions a warp executes before the others have their turn, so that warps can wait for each other in loops.
const SLICE: u32 = 20_000;

/// What became of an instruction that only computes.
enum Computed {
    Done,
    /// Division by zero in this lane.
    ZeroDivisor(u32),
    /// It does more than compute.
    Other,
}

fn combined(bits: u32, preds: &[u32], combine: Option<(Logic, Pred)>) -> u32 {
    match combine {
        None => bits,
        Some((logic, pred)) => logic_of(logic, bits, holds(preds, pred)),
    }
}

fn logic_of(logic: Logic, a: u32, b: u32) -> u32 {
    match logic {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
    }
}

/// Sets the bits of `value` in the lanes of `mask`.
pub(super) fn set_pred(pred: &mut u32, mask: u32, value: u32) {
    *pred = *pred & !mask | value & mask;
}

impl Machine<'_> {
    /// Runs a warp until it waits, ends or has had its turn.
    pub(super) fn turn(&mut self, warp: &mut Warp) -> Result<(), Box<Fault>> {
        let program = self.program.clone();
        let mut left = SLICE;
        while warp.state == State::Ready && left > 0 {
            let Some(frame) = warp.frames.last_mut() else {
                warp.state = State::Done;
                break;
            };
            match frame.paths.last() {
                None => self.leave(warp),
                Some(path) if path.lanes == 0 || path.pc == path.meet => {
                    frame.paths.pop();
                }
                Some(_) => self.follow(&program, warp, &mut left)?,
            }
        }
        Ok(())
    }

    /// Executes the path on top until it ends, changes or has had its turn.
    fn follow(&mut self, program: &Program, warp: &mut Warp, left: &mut u32) -> Result<(), Box<Fault>> {
        let frame = warp.frames.last().expect("the caller saw it");
        let (function, first_slot, first_pred) = (frame.function, frame.slots, frame.preds);
        let code = &program.functions[function].code;
        let Path { mut pc, meet, lanes } = *frame.paths.last().expect("the caller saw it");
        let allowed = u64::from(*left).min(self.watch.limit.saturating_sub(warp.steps)) as u32;
        let mut executed = 0;
        let mut out = [0; WARP];
        let outcome = loop {
            if pc == meet || executed == allowed {
                warp.top().pc = pc;
                break Ok(());
            }
            let Inst { guard, op } = &code[pc as usize];
            let (slots, preds) = (&mut warp.slots[first_slot..], &mut warp.preds[first_pred..]);
            let active = lanes & holds(preds, *guard);
            executed += 1;
            self.issued += 1;
            self.threads[function][pc as usize] += u64::from(active.count_ones());
            self.warps[function][pc as usize] += 1;
            if active == 0 {
                pc += 1;
                continue;
            }
            match compute(op, active, slots, preds, &mut out) {
                Computed::Done => pc += 1,
                Computed::ZeroDivisor(lane) => break Err((lane, FaultKind::DivisionByZero)),
                Computed::Other => match op {
                    Op::Branch { target, .. } if active == lanes => pc = *target,
                    Op::Branch { .. } | Op::Call { .. } | Op::Return | Op::Exit | Op::Barrier { .. } => {
                        warp.top().pc = pc;
                        break self.transfer(op, active, warp);
                    }
                    _ => match self.effect(op, active, pc, function, warp) {
                        Ok(()) => pc += 1,
                        Err(slip) => break Err(slip),
                    },
                },
            }
        };
        *left -= executed;
        warp.steps += u64::from(executed);
        let endless = || (lanes.trailing_zeros(), FaultKind::Endless { limit: self.watch.limit });
        let outcome = outcome.and_then(|()| if warp.steps >= self.watch.limit { Err(endless()) } else { Ok(()) });
        outcome.map_err(|slip| self.fault(function, pc as usize, warp.number, slip))
    }

    /// Executes an instruction that changes the paths of the warp or makes it wait; the path on top is at the instruction.
    fn transfer(&mut self, op: &Op, active: u32, warp: &mut Warp) -> Result<(), Slip> {
        match op {
            Op::Branch { target, meet, uniform } => {
                let path = *warp.top();
                if *uniform {
                    return Err((active.trailing_zeros(), FaultKind::NotUniform));
                }
                let paths = warp.paths();
                if *meet == path.meet {
                    paths.pop();
                } else {
                    warp.top().pc = *meet;
                }
                let sides = [(path.pc + 1, path.lanes & !active), (*target, active)];
                let sides = sides.into_iter().filter(|(pc, _)| pc != meet);
                warp.paths().extend(sides.map(|(pc, lanes)| Path { pc, meet: *meet, lanes }));
            }
            Op::Call { function, args, .. } => {
                warp.top().pc += 1;
                self.call(warp, *function, args, active)?;
            }
            Op::Return if warp.frames.len() > 1 => {
                warp.top().pc += 1;
                for path in warp.paths() {
                    path.lanes &= !active;
                }
            }
            Op::Return | Op::Exit => {
                warp.top().pc += 1;
                warp.end_lanes(active);
            }
            Op::Barrier { id, count } => {
                self.arrive(warp, *id, *count, active)?;
                warp.top().pc += 1;
            }
            _ => unreachable!("the caller chose the instruction"),
        }
        Ok(())
    }

    /// Executes an instruction with effects outside the registers or that looks across lanes.
    fn effect(&mut self, op: &Op, active: u32, pc: u32, function: usize, warp: &mut Warp) -> Result<(), Slip> {
        let line = || self.program.functions[function].info[pc as usize].line;
        match op {
            Op::LoadParam { element, d, offset } => self.load_param(warp, *element, d, *offset, active),
            Op::Load { space, element, d, address, strong } => {
                let line = line();
                self.load(warp, *space, *element, d, *address, *strong, active, line)?;
            }
            Op::Store { space, element, values, address, strong } => {
                let line = line();
                self.store(warp, *space, *element, values, *address, *strong, active, line)?;
            }
            Op::Atomic { .. } => {
                let line = line();
                self.atomic(warp, op, active, line)?;
            }
            Op::Clock { d, bits } => {
                let mask = if *bits == 64 { u64::MAX } else { u64::from(u32::MAX) };
                let now = [self.issued & mask; WARP];
                store(&mut warp.registers().0[*d as usize], active, &now);
            }
            Op::ActiveMask { d } => store(&mut warp.registers().0[*d as usize], active, &[u64::from(active); WARP]),
            Op::Shuffle { .. } | Op::Vote { .. } | Op::VotePred { .. } | Op::WarpBarrier { .. } => {
                self.exchange(warp, op, active)?;
            }
            Op::CopyAsync { to, from, bytes } => {
                let line = line();
                self.copy_async(warp, [*to, *from], *bytes as usize, active, line)?;
            }
            Op::CommitCopies => warp.copies.commit(),
            Op::WaitCopies { but } => self.wait_for_copies(warp, *but)?,
            Op::MultiplyTiles { .. } => multiply_tiles(warp, op, active, self.tensor_chains)?,
            Op::Fence => warp.fenced = true,
            Op::Trap => return Err((active.trailing_zeros(), FaultKind::Trap)),
            _ => {}
        }
        Ok(())
    }
}

/// Executes an instruction that only reads and writes registers; `out` is scratch space.
#[inline]
fn compute(op: &Op, active: u32, slots: &mut [Lanes], preds: &mut [u32], out: &mut Lanes) -> Computed {
    let at = |slot: &Slot| *slot as usize;
    let d = match op {
        Op::Map1 { f, d, a } => {
            f(&slots[at(a)], out);
            d
        }
        Op::Map2 { f, d, a, b } => {
            f(&slots[at(a)], &slots[at(b)], out);
            d
        }
        Op::Map3 { f, d, a, b, c } => {
            f(&slots[at(a)], &slots[at(b)], &slots[at(c)], out);
            d
        }
        Op::Map4 { f, d, operands } => {
            let [a, b, c, e] = operands.map(|slot| &slots[slot as usize]);
            for l in 0..WARP {
                out[l] = f(a[l], b[l], c[l], e[l]);
            }
            d
        }
        Op::Divide { f, d, a, b } => {
            if let Some(lane) = lanes(active).find(|lane| slots[at(b)][*lane] == 0) {
                return Computed::ZeroDivisor(lane as u32);
            }
            f(&slots[at(a)], &slots[at(b)], out);
            d
        }
        Op::Test { f, a, b, combine, p, q } => {
            let bits = f(&slots[at(a)], &slots[at(b)]);
            let (yes, no) = (combined(bits, preds, *combine), combined(!bits, preds, *combine));
            for (target, value) in [(p, yes), (q, no)] {
                if let Some(target) = target {
                    set_pred(&mut preds[at(target)], active, value);
                }
            }
            return Computed::Done;
        }
        Op::Set { f, a, b, combine, d, yes } => {
            let bits = combined(f(&slots[at(a)], &slots[at(b)]), preds, *combine);
            for (l, out) in out.iter_mut().enumerate() {
                *out = if bits >> l & 1 == 1 { *yes } else { 0 };
            }
            d
        }
        Op::Select { d, a, b, p } => {
            *out = slots[at(b)];
            store(out, holds(preds, *p), &slots[at(a)]);
            d
        }
        Op::Logic { op, d, a, b } => {
            let value = logic_of(*op, holds(preds, *a), holds(preds, *b));
            set_pred(&mut preds[at(d)], active, value);
            return Computed::Done;
        }
        Op::Pack { d, parts, bits } => {
            *out = [0; WARP];
            for (place, part) in parts.iter().enumerate() {
                for (out, part) in out.iter_mut().zip(&slots[at(part)]) {
                    *out |= part << (place as u32 * bits);
                }
            }
            d
        }
        Op::Unpack { parts, a, bits } => {
            let whole = slots[at(a)];
            for (place, part) in parts.iter().enumerate() {
                if let Some(part) = part {
                    let mask = u64::MAX >> (64 - bits);
                    let value = whole.map(|whole| whole >> (place as u32 * bits) & mask);
                    store(&mut slots[at(part)], active, &value);
                }
            }
            return Computed::Done;
        }
        Op::Nothing => return Computed::Done,
        _ => return Computed::Other,
    };
    store(&mut slots[*d as usize], active, out);
    Computed::Done
}
