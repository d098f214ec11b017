//! Points in queues, by number.
//!
//! Events are numbers that nobody gives back, so a device keeps what they stand for only as long as it can matter: operations of a queue
//! end in order, so once a point has been passed, all earlier ones of the queue have been too.

use std::collections::VecDeque;

use super::{Event, Queue};

/// The bits of an event's number that say which queue it is in.
const QUEUE_BITS: u32 = 2;

/// The points of a device's queues that may not have been passed yet.
#[derive(Debug)]
pub(super) struct Points<P> {
    queues: [Line<P>; 3],
}

#[derive(Debug)]
struct Line<P> {
    /// The number of the first kept point.
    first: u64,
    kept: VecDeque<P>,
}

impl<P> Points<P> {
    pub(super) fn new() -> Points<P> {
        Points { queues: std::array::from_fn(|_| Line { first: 0, kept: VecDeque::new() }) }
    }

    /// Numbers a new point.
    pub(super) fn add(&mut self, queue: Queue, point: P) -> Event {
        let line = &mut self.queues[queue as usize];
        line.kept.push_back(point);
        let number = line.first + line.kept.len() as u64 - 1;
        Event(number << QUEUE_BITS | queue as u64)
    }

    /// The point of an event; `None` if it was forgotten because it had been passed, or never was.
    pub(super) fn get(&self, event: Event) -> Option<&P> {
        let line = self.queues.get((event.0 & ((1 << QUEUE_BITS) - 1)) as usize)?;
        let at = (event.0 >> QUEUE_BITS).checked_sub(line.first)?;
        line.kept.get(usize::try_from(at).ok()?)
    }

    /// Takes the earliest points of a queue out, as long as `passed` says so.
    pub(super) fn forget(&mut self, queue: Queue, mut passed: impl FnMut(&P) -> bool) -> Vec<P> {
        let line = &mut self.queues[queue as usize];
        let mut gone = Vec::new();
        while line.kept.front().is_some_and(&mut passed) {
            gone.extend(line.kept.pop_front());
            line.first += 1;
        }
        gone
    }

    /// How many points of a queue are kept.
    pub(super) fn kept(&self, queue: Queue) -> usize {
        self.queues[queue as usize].kept.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_forgotten_in_order() {
        let mut points = Points::new();
        let [a, b, c] = [10, 20, 30].map(|at| points.add(Queue::Upload, at));
        let other = points.add(Queue::Compute, 1);
        assert_eq!(points.forget(Queue::Upload, |at| *at != 20), [10]);
        assert_eq!([a, b, c, other].map(|e| points.get(e).copied()), [None, Some(20), Some(30), Some(1)]);
        assert_eq!(points.kept(Queue::Upload), 2);
        assert_ne!(points.add(Queue::Upload, 40), c);
        assert_eq!(points.get(Event(3)), None);
    }
}
