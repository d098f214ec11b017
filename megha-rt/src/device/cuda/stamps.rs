//! Moments in queues: CUDA events that keep their times, which those that only order operations do not.

use std::collections::HashMap;
use std::time::Duration;

use super::super::{Outcome, Queue, Stamp};
use super::driver::EventHandle;
use super::{CudaDevice, State};

/// `CU_EVENT_DEFAULT`
const WITH_TIMING: u32 = 0;

/// The moments that somebody may still ask about, and events to use again.
#[derive(Default)]
pub(super) struct Stamps {
    taken: HashMap<u64, EventHandle>,
    spare: Vec<EventHandle>,
    numbers: u64,
}

impl Stamps {
    /// All CUDA events.
    pub(super) fn take_all(&mut self) -> Vec<EventHandle> {
        self.spare.drain(..).chain(self.taken.drain().map(|(_, event)| event)).collect()
    }
}

impl CudaDevice {
    /// A moment in a queue.
    pub(super) fn take_stamp(&self, state: &mut State, queue: Queue) -> Outcome<Stamp> {
        let event = match state.stamps.spare.pop() {
            Some(event) => event,
            None => {
                let mut event = EventHandle::NULL;
                // SAFETY: reason 1; `event` can be written.
                self.check("stamp", unsafe { (self.driver.create_event)(&raw mut event, WITH_TIMING) })?;
                event
            }
        };
        let stamps = &mut state.stamps;
        let number = stamps.numbers;
        stamps.numbers += 1;
        stamps.taken.insert(number, event);
        // SAFETY: reasons 1 and 2.
        let recorded =
            self.issue(state, "stamp", queue, |driver, stream| unsafe { (driver.record_event)(event, stream) });
        if recorded.is_err() {
            self.give_up(state, Stamp(number));
        }
        recorded.map(|()| Stamp(number))
    }

    fn give_up(&self, state: &mut State, stamp: Stamp) {
        state.stamps.spare.extend(state.stamps.taken.remove(&stamp.0));
    }

    /// The time between two moments, if both are past.
    pub(super) fn time_between(&self, state: &mut State, stamps: [Stamp; 2]) -> Outcome<Option<Duration>> {
        let events = stamps.map(|stamp| state.stamps.taken.get(&stamp.0).copied());
        let mut milliseconds = 0.0f32;
        let measured = match events {
            [Some(from), Some(to)] => self.passed(to).and_then(|passed| {
                // SAFETY: reasons 1 and 2; `milliseconds` can be written.
                let mut ask = || unsafe { (self.driver.elapsed)(&raw mut milliseconds, from, to) };
                if passed { self.check("stamp", ask()).map(|()| true) } else { Ok(false) }
            }),
            // one of them was given up: there is no time between them
            _ => Ok(true),
        };
        if measured != Ok(false) {
            stamps.into_iter().for_each(|stamp| self.give_up(state, stamp));
        }
        let time = Duration::try_from_secs_f32(milliseconds.max(0.0) / 1e3).unwrap_or_default();
        measured.map(|past| past.then_some(time))
    }
}
