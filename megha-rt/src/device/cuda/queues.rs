//! Points in queues: CUDA events.

use super::super::events::Points;
use super::super::{Event, Outcome, Queue};
use super::CudaDevice;
use super::driver::{EventHandle, NOT_READY, SUCCESS};

/// `CU_EVENT_DISABLE_TIMING`
pub(super) const WITHOUT_TIMING: u32 = 2;
/// From so many points in a queue on it is looked which have been passed.
const MANY: usize = 16;
const ALL: [Queue; 3] = [Queue::Compute, Queue::Upload, Queue::Download];

/// The points that may not have been passed yet, and events to use again.
pub(super) struct Queues {
    points: Points<EventHandle>,
    spare: Vec<EventHandle>,
    /// The point at the end of each queue, if nothing came after it.
    ends: [Option<Event>; 3],
    /// Whether anything was ever put into each queue.
    used: [bool; 3],
}

/// The ends of the queues at a time; `None` for those that never held anything.
pub(super) type Ends = [Option<Event>; 3];

impl Queues {
    pub(super) fn new() -> Queues {
        Queues { points: Points::new(), spare: Vec::new(), ends: [None; 3], used: [false; 3] }
    }

    /// Something is put into a queue.
    pub(super) fn has_work(&mut self, queue: Queue) {
        self.ends[queue as usize] = None;
        self.used[queue as usize] = true;
    }

    /// The point of an event, if it may not have been passed yet.
    pub(super) fn get(&self, event: Event) -> Option<EventHandle> {
        self.points.get(event).copied()
    }

    /// All CUDA events.
    pub(super) fn take_all(&mut self) -> Vec<EventHandle> {
        let mut all = std::mem::take(&mut self.spare);
        for queue in ALL {
            all.extend(self.points.forget(queue, |_| true));
        }
        all
    }
}

impl CudaDevice {
    /// The point at the end of a queue.
    pub(super) fn point(&self, queues: &mut Queues, queue: Queue) -> Outcome<Event> {
        if let Some(end) = queues.ends[queue as usize] {
            return Ok(end);
        }
        let event = self.unused_event(queues, queue)?;
        // SAFETY: reasons 1 and 2.
        let recorded = self.check("record", unsafe { (self.driver.record_event)(event, self.stream(queue)) });
        if let Err(failure) = recorded {
            queues.spare.push(event);
            return Err(failure);
        }
        let end = queues.points.add(queue, event);
        queues.ends[queue as usize] = Some(end);
        Ok(end)
    }

    /// The points at the ends of all queues.
    pub(super) fn ends(&self, queues: &mut Queues) -> Outcome<Ends> {
        let mut ends = [None; 3];
        for queue in ALL {
            if queues.used[queue as usize] {
                ends[queue as usize] = Some(self.point(queues, queue)?);
            }
        }
        Ok(ends)
    }

    fn unused_event(&self, queues: &mut Queues, queue: Queue) -> Outcome<EventHandle> {
        if queues.points.kept(queue) >= MANY {
            let passed = queues.points.forget(queue, |point| matches!(self.passed(*point), Ok(true)));
            queues.spare.extend(passed);
        }
        if let Some(event) = queues.spare.pop() {
            return Ok(event);
        }
        let mut event = EventHandle::NULL;
        // SAFETY: reason 1; `event` can be written.
        self.check("record", unsafe { (self.driver.create_event)(&raw mut event, WITHOUT_TIMING) })?;
        Ok(event)
    }

    /// Whether a point has been passed.
    pub(super) fn passed(&self, point: EventHandle) -> Outcome<bool> {
        // SAFETY: reasons 1 and 2.
        match unsafe { (self.driver.query_event)(point) } {
            SUCCESS => Ok(true),
            NOT_READY => Ok(false),
            code => self.check("event query", code).map(|()| false),
        }
    }

    /// Whether an event has been passed.
    pub(super) fn has_passed(&self, queues: &Queues, event: Event) -> Outcome<bool> {
        queues.get(event).map_or(Ok(true), |point| self.passed(point))
    }

    /// Lets the host wait for a point.
    pub(super) fn await_point(&self, operation: &'static str, point: EventHandle) -> Outcome<()> {
        // SAFETY: reasons 1 and 2.
        self.check(operation, unsafe { (self.driver.synchronize_event)(point) })
    }

    /// Lets the host wait for an event.
    pub(super) fn await_event(&self, operation: &'static str, queues: &Queues, event: Event) -> Outcome<()> {
        queues.get(event).map_or(Ok(()), |point| self.await_point(operation, point))
    }
}
