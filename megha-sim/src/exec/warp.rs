//! The state of a warp: registers, call frames, and for each frame a stack of paths.
//!
//! A path is a position with the lanes that are there. When lanes part at a branch, the path below becomes the one that
//! goes on where they meet again (the immediate post-dominator), and each side is a path above it that ends there.

use super::Machine;
use super::tiles::Copies;
use crate::alu::{Lanes, WARP};
use crate::form::{Fixed, NEVER, Pc, Pred, Special};

/// What registers hold before they are written: a NaN in both precisions, and no small integer.
const POISON: u64 = 0x7ff8_dead_7fc0_dead;

#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub pc: Pc,
    /// Where the lanes join the path below.
    pub meet: Pc,
    pub lanes: u32,
}

#[derive(Debug)]
pub(super) struct Frame {
    pub function: usize,
    /// The first slot and predicate of the frame, and the start of its local memory.
    pub slots: usize,
    pub preds: usize,
    pub local: u32,
    /// The lanes that called, and the position of the call in the frame below.
    pub callers: u32,
    pub call: Pc,
    pub paths: Vec<Path>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    Ready,
    /// At a barrier; the position of the instruction is kept for messages.
    Waiting {
        id: u64,
        count: Option<u64>,
        function: usize,
        pc: usize,
        lane: u32,
    },
    Done,
}

#[derive(Debug)]
pub(super) struct Warp {
    pub number: u32,
    pub slots: Vec<Lanes>,
    pub preds: Vec<u32>,
    pub local: Vec<Vec<u8>>,
    pub frames: Vec<Frame>,
    /// Lanes with a thread, and those whose thread has not ended.
    pub lanes: u32,
    pub alive: u32,
    pub state: State,
    pub steps: u64,
    /// `bar.warp.sync` so far.
    pub epoch: u16,
    /// Whether a fence was executed, so that an atomic releases what was written.
    pub fenced: bool,
    /// Copies to shared memory under way.
    pub copies: Copies,
}

impl Warp {
    pub(super) fn new(number: u32, threads: u32) -> Warp {
        let count = (threads - number * WARP as u32).min(WARP as u32);
        Warp {
            number,
            slots: Vec::new(),
            preds: Vec::new(),
            local: vec![Vec::new(); WARP],
            frames: Vec::new(),
            lanes: u32::MAX >> (32 - count),
            alive: 0,
            state: State::Done,
            steps: 0,
            epoch: 0,
            fenced: false,
            copies: Copies::default(),
        }
    }

    /// The registers and predicates of the running function.
    #[inline]
    pub(super) fn registers(&mut self) -> (&mut [Lanes], &mut [u32]) {
        let frame = self.frames.last().expect("a running warp has a frame");
        (&mut self.slots[frame.slots..], &mut self.preds[frame.preds..])
    }

    pub(super) fn paths(&mut self) -> &mut Vec<Path> {
        &mut self.frames.last_mut().expect("a running warp has a frame").paths
    }

    /// The running path.
    pub(super) fn top(&mut self) -> &mut Path {
        self.paths().last_mut().expect("a running frame has a path")
    }

    /// Ends lanes.
    pub(super) fn end_lanes(&mut self, ended: u32) {
        self.alive &= !ended;
        for frame in &mut self.frames {
            for path in &mut frame.paths {
                path.lanes &= !ended;
            }
        }
    }
}

/// The lanes in which a predicate holds.
#[inline]
pub(super) fn holds(preds: &[u32], pred: Pred) -> u32 {
    let bits = preds[pred.index as usize];
    if pred.negated { !bits } else { bits }
}

/// Stores `value` in the lanes of `mask`.
#[inline]
pub(super) fn store(to: &mut Lanes, mask: u32, value: &Lanes) {
    if mask == u32::MAX {
        *to = *value;
        return;
    }
    for l in 0..WARP {
        let keep = u64::from(mask >> l & 1).wrapping_neg();
        to[l] ^= (to[l] ^ value[l]) & keep;
    }
}

impl Machine<'_> {
    /// Makes a warp ready to run the entry for the current block.
    pub(super) fn start(&self, warp: &mut Warp) {
        let first = warp.slots.is_empty();
        warp.frames.clear();
        warp.alive = warp.lanes;
        (warp.state, warp.steps, warp.epoch, warp.fenced) = (State::Ready, 0, 0, false);
        warp.copies = Copies::default();
        self.push_frame(warp, self.entry, warp.lanes, 0, first);
    }

    /// Enters a function with the lanes in `callers`; the constants of the entry are there already from the second block on.
    pub(super) fn push_frame(&self, warp: &mut Warp, function: usize, callers: u32, call: Pc, constants: bool) {
        let form = &self.program.functions[function];
        let (mut slots, mut preds, mut local) = (0, 0, 0);
        if let Some(below) = warp.frames.last() {
            let caller = &self.program.functions[below.function];
            slots = below.slots + caller.slots();
            preds = below.preds + caller.predicates as usize;
            local = (below.local + caller.local).next_multiple_of(16);
        }
        let (slot_end, pred_end) = (slots + form.slots(), preds + form.predicates as usize);
        if warp.slots.len() < slot_end {
            warp.slots.resize(slot_end, [0; WARP]);
        }
        if warp.preds.len() < pred_end {
            warp.preds.resize(pred_end, 0);
        }
        let plain = slots + form.registers as usize;
        warp.slots[slots..plain].fill([POISON; WARP]);
        warp.preds[preds..pred_end].fill(0);
        warp.preds[preds] = u32::MAX;
        for (slot, fixed) in warp.slots[plain..slot_end].iter_mut().zip(&self.fixed[function]) {
            match fixed {
                Fixed::Special(special @ Special::Ctaid(_)) => *slot = [self.special(*special, 0, 0); WARP],
                _ if !constants => {}
                Fixed::Bits(bits) => *slot = [*bits; WARP],
                Fixed::Local(offset) => *slot = [u64::from(local + offset); WARP],
                Fixed::Special(special) => {
                    *slot = std::array::from_fn(|lane| self.special(*special, warp.number, lane as u32));
                }
                Fixed::Variable(_) => unreachable!("addresses of variables are resolved before the launch"),
            }
        }
        if form.local > 0 {
            let end = (local + form.local) as usize;
            for memory in warp.local.iter_mut().filter(|memory| memory.len() < end) {
                memory.resize(end, 0);
            }
        }
        let paths = vec![Path { pc: 0, meet: NEVER, lanes: callers }];
        warp.frames.push(Frame { function, slots, preds, local, callers, call, paths });
    }
}
