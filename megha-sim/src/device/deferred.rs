//! Memory that is freed while streams may still use it, as `cuMemFreeAsync` does: the host does not wait.

use std::time::Duration;

use super::launch::Ptr;
use super::{Device, State};
use crate::Error;

impl Device {
    /// Frees an allocation once all that the streams hold now is done. The host does not wait, and may not use the address any more;
    /// the memory counts as used until then.
    pub fn free_later(&self, ptr: Ptr) -> Result<(), Error> {
        let state = &mut *self.state();
        let Some(bytes) = state.memory.close(ptr.0) else {
            let place = state.memory.neighbourhood(ptr.0);
            return Err(Error::Address { operation: "free", address: ptr.0, bytes: 0, place });
        };
        state.order.forget(ptr.0);
        let streams = 0..state.clock.streams.len();
        let done = streams.map(|stream| state.clock.record(stream).at).max().unwrap_or_default();
        state.leaving.push((done, bytes));
        state.clock.pass(self.config.model.allocation);
        Ok(())
    }
}

impl State {
    /// Counts as free what has left by now.
    pub(super) fn reclaim(&mut self) {
        let now = self.clock.host().state().now;
        self.reclaim_until(now);
    }

    fn reclaim_until(&mut self, time: Duration) {
        let memory = &mut self.memory;
        self.leaving.retain(|(done, bytes)| {
            let left = *done <= time;
            if left {
                memory.give_back(*bytes);
            }
            !left
        });
    }

    /// Lets the host wait for memory that is leaving, where an allocation does not fit before.
    pub(super) fn make_room(&mut self, wanted: u64) {
        self.reclaim();
        while !self.memory.fits(wanted) {
            let Some(next) = self.leaving.iter().map(|(done, _)| *done).min() else { return };
            let now = self.clock.host().state().now;
            self.clock.pass(next.saturating_sub(now));
            self.reclaim_until(next);
        }
    }
}
