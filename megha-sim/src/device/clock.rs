//! Time: a host clock that several devices share, and for each device streams and engines.
//!
//! Operations take effect when they are issued, in program order; the clock says when they would have on hardware. An
//! operation starts when its stream, its engine and the host have come to it. What nothing orders is found by vector clocks: every stream
//! counts its operations and knows how far it has seen the others, through events and the host.

use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What executes an operation; operations of one engine follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Kernels, and copies and fills within the device.
    Compute,
    /// Copies from the host or another device.
    In,
    /// Copies to the host.
    Out,
}

/// How far each stream, by number, has been seen.
pub(crate) type Seen = Vec<u64>;

pub(crate) fn merge(into: &mut Seen, other: &Seen) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    for (mine, theirs) in into.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

/// A point in a stream to wait for. Events of one device can be waited for on another.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub(crate) at: Duration,
    pub(crate) seen: Seen,
}

impl Event {
    /// When everything before it is done.
    pub fn time(&self) -> Duration {
        self.at
    }
}

#[derive(Debug, Default)]
pub(crate) struct HostState {
    pub now: Duration,
    pub streams: usize,
    pub seen: Seen,
}

/// The host's clock, which devices made together share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Host(Arc<Mutex<HostState>>);

impl Host {
    pub(crate) fn state(&self) -> std::sync::MutexGuard<'_, HostState> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// One operation in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The entry, or `copy in`, ...
    pub name: String,
    /// The number of the stream.
    pub stream: usize,
    /// What executed it.
    pub engine: Engine,
    /// When it started.
    pub start: Duration,
    /// When it ended.
    pub end: Duration,
}

#[derive(Debug)]
pub(crate) struct StreamState {
    /// Its number among the streams of the host.
    pub number: usize,
    pub ready: Duration,
    pub seen: Seen,
}

/// The streams and engines of a device.
#[derive(Debug)]
pub(crate) struct Clock {
    host: Host,
    pub streams: Vec<StreamState>,
    free: [Duration; 3],
    pub spans: Vec<Span>,
}

impl Clock {
    pub(crate) fn new(host: Host) -> Clock {
        let mut clock = Clock { host, streams: Vec::new(), free: [Duration::ZERO; 3], spans: Vec::new() };
        clock.add_stream();
        clock
    }

    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    /// The number on this device of a new stream.
    pub(crate) fn add_stream(&mut self) -> usize {
        let mut host = self.host.state();
        let number = host.streams;
        host.streams += 1;
        self.streams.push(StreamState { number, ready: Duration::ZERO, seen: Vec::new() });
        self.streams.len() - 1
    }

    /// Lets the host be busy for a while.
    pub(crate) fn pass(&self, time: Duration) {
        self.host.state().now += time;
    }

    /// Issues an operation; its stamp says what it is ordered after.
    pub(crate) fn issue(&mut self, stream: usize, engine: Engine, name: &str, issue: Duration, time: Duration) -> Seen {
        let mut host = self.host.state();
        host.now += issue;
        let state = &mut self.streams[stream];
        merge(&mut state.seen, &host.seen);
        if state.seen.len() <= state.number {
            state.seen.resize(state.number + 1, 0);
        }
        state.seen[state.number] += 1;
        let free = &mut self.free[engine as usize];
        let start = host.now.max(state.ready).max(*free);
        let end = start + time;
        (state.ready, *free) = (end, end);
        self.spans.push(Span { name: name.to_string(), stream, engine, start, end });
        state.seen.clone()
    }

    /// A point is passed when what its stream holds is done, and not before the host has put it there.
    pub(crate) fn record(&self, stream: usize) -> Event {
        let state = &self.streams[stream];
        Event { at: state.ready.max(self.host.state().now), seen: state.seen.clone() }
    }

    pub(crate) fn wait(&mut self, stream: usize, event: &Event) {
        let state = &mut self.streams[stream];
        state.ready = state.ready.max(event.at);
        merge(&mut state.seen, &event.seen);
    }

    /// The host waits for an event.
    pub(crate) fn synchronize(&self, event: &Event) {
        let mut host = self.host.state();
        host.now = host.now.max(event.at);
        merge(&mut host.seen, &event.seen);
    }
}
