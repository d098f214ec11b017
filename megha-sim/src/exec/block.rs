//! Blocks, their warps and barriers.

use super::warp::{State, Warp};
use super::{Machine, Slip, coordinates, lanes};
use crate::error::{Fault, FaultKind};
use crate::form::Slot;

/// Barriers of a block.
const BARRIERS: u64 = 16;

impl Machine<'_> {
    pub(super) fn run_blocks(&mut self) -> Result<(), Box<Fault>> {
        let threads = self.block_threads();
        let mut warps: Vec<Warp> = (0..threads.div_ceil(32)).map(|number| Warp::new(number, threads)).collect();
        let blocks: u32 = self.grid.iter().product();
        for number in 0..blocks {
            self.ctaid = coordinates(number, self.grid);
            self.block_number = self.order.first + number;
            self.no_order.first = self.block_number;
            self.epoch = 0;
            self.order.acquired = false;
            self.shared.start_block();
            for warp in &mut warps {
                self.start(warp);
            }
            self.run_block(&mut warps)?;
        }
        Ok(())
    }

    fn run_block(&mut self, warps: &mut [Warp]) -> Result<(), Box<Fault>> {
        loop {
            let mut running = false;
            for warp in warps.iter_mut().filter(|warp| warp.state == State::Ready) {
                self.turn(warp)?;
                running |= warp.state == State::Ready;
            }
            if warps.iter().all(|warp| warp.state == State::Done) {
                return Ok(());
            }
            let released = self.release(warps)?;
            if !running && !released {
                return Err(self.deadlock(warps));
            }
        }
    }

    /// A warp arrives at a barrier.
    pub(super) fn arrive(&self, warp: &mut Warp, id: Slot, count: Option<Slot>, active: u32) -> Result<(), Slip> {
        let first = active.trailing_zeros() as usize;
        let missing = warp.alive & !active;
        if self.watch.barriers && missing != 0 {
            return Err((first as u32, FaultKind::DivergentBarrier { missing: missing.trailing_zeros() }));
        }
        let (slots, _) = warp.registers();
        let (ids, counts) = (slots[id as usize], count.map(|count| slots[count as usize]));
        if let Some(lane) = lanes(active)
            .find(|lane| ids[*lane] != ids[first] || counts.is_some_and(|counts| counts[*lane] != counts[first]))
        {
            return Err((lane as u32, FaultKind::NotUniform));
        }
        let (id, count) = (ids[first], counts.map(|counts| counts[first]));
        let threads = count.unwrap_or(32);
        if id >= BARRIERS || threads == 0 || threads % 32 != 0 {
            return Err((first as u32, FaultKind::BadBarrier { id, count: threads }));
        }
        let frame = warp.frames.last().expect("a running warp has a frame");
        let (function, pc) =
            (frame.function, warp.frames.last().and_then(|frame| frame.paths.last()).map_or(0, |path| path.pc));
        warp.state = State::Waiting { id, count, function, pc: pc as usize, lane: first as u32 };
        Ok(())
    }

    /// Lets the warps go on whose barrier is complete.
    fn release(&mut self, warps: &mut [Warp]) -> Result<bool, Box<Fault>> {
        let mut released = false;
        for barrier in 0..BARRIERS {
            let waits = |warp: &Warp| matches!(warp.state, State::Waiting { id, .. } if id == barrier);
            let Some(&Warp { state: State::Waiting { count, function, pc, lane, .. }, number, .. }) =
                warps.iter().find(|warp| waits(warp))
            else {
                continue;
            };
            let arrived = warps.iter().filter(|warp| waits(warp)).count() as u64;
            let ended = warps.iter().filter(|warp| warp.state == State::Done).count() as u64;
            let complete = match count {
                Some(count) => arrived * 32 >= count,
                None => arrived + ended == warps.len() as u64,
            };
            if !complete {
                continue;
            }
            let exited: u32 = warps.iter().map(|warp| (warp.lanes & !warp.alive).count_ones()).sum();
            if self.watch.barriers && count.is_none() && exited > 0 {
                return Err(self.fault(function, pc, number, (lane, FaultKind::ExitedBarrier { exited })));
            }
            for warp in warps.iter_mut().filter(|warp| waits(warp)) {
                warp.state = State::Ready;
            }
            self.epoch += 1;
            released = true;
        }
        Ok(released)
    }

    fn deadlock(&self, warps: &[Warp]) -> Box<Fault> {
        let at = |warp: &Warp| match warp.state {
            State::Waiting { id, count, function, pc, lane } => Some((id, count, function, pc, lane, warp.number)),
            _ => None,
        };
        let (id, count, function, pc, lane, number) =
            warps.iter().find_map(at).expect("some warp waits, else one could run");
        let waiting = warps.iter().filter(|warp| at(warp).is_some_and(|there| there.0 == id));
        let waiting = waiting.map(|warp| warp.alive.count_ones()).sum();
        let expected = count.map_or(self.block_threads(), |count| count as u32);
        self.fault(function, pc, number, (lane, FaultKind::Deadlock { waiting, expected }))
    }
}
