//! Order between streams: of each allocation the last writes and the reads since, each of a range of bytes. A copy touches what it copies, a kernel all of an
//! allocation of which it touches something.

use std::collections::HashMap;
use std::ops::Range;

use super::clock::Seen;
use crate::Error;

/// Bytes of an allocation that an operation reads or writes.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    /// Where the allocation begins.
    pub base: u64,
    /// Which of its bytes.
    pub bytes: Range<usize>,
    pub writes: bool,
}

impl Touch {
    /// Of an allocation that begins there, all.
    pub fn all(base: u64, writes: bool) -> Touch {
        Touch { base, bytes: 0..usize::MAX, writes }
    }

    /// So many bytes from an offset on.
    pub fn part(base: u64, (offset, bytes): (usize, usize), writes: bool) -> Touch {
        Touch { base, bytes: offset..offset + bytes, writes }
    }
}

/// An operation on an allocation.
#[derive(Clone, Debug)]
struct Use {
    /// The number of the stream on the host and the operation in it.
    stream: usize,
    tick: u64,
    name: String,
    bytes: Range<usize>,
}

impl Use {
    fn meets(&self, bytes: &Range<usize>) -> bool {
        self.bytes.start < bytes.end && bytes.start < self.bytes.end
    }

    fn is_within(&self, bytes: &Range<usize>) -> bool {
        bytes.start <= self.bytes.start && self.bytes.end <= bytes.end
    }
}

#[derive(Debug, Default)]
struct History {
    writes: Vec<Use>,
    reads: Vec<Use>,
}

/// Who used which allocation.
#[derive(Debug, Default)]
pub(crate) struct StreamOrder {
    allocations: HashMap<u64, History>,
}

impl StreamOrder {
    pub(crate) fn forget(&mut self, address: u64) {
        self.allocations.remove(&address);
    }

    /// Notes that the operation `name`, with the stamp `seen` in `stream`, touches an allocation.
    pub(crate) fn note(&mut self, touch: Touch, name: &str, stream: usize, seen: &Seen) -> Result<(), Error> {
        let Touch { base, bytes, writes } = touch;
        let history = self.allocations.entry(base).or_default();
        let ordered = |earlier: &Use| seen.get(earlier.stream).is_some_and(|tick| earlier.tick <= *tick);
        let reads: &[Use] = if writes { &history.reads } else { &[] };
        let mut met = history.writes.iter().chain(reads).filter(|earlier| earlier.meets(&bytes));
        if let Some(earlier) = met.find(|earlier| !ordered(earlier)) {
            return Err(Error::Unordered {
                operation: name.to_string(),
                stream,
                earlier: earlier.name.clone(),
                earlier_stream: earlier.stream,
                address: base,
            });
        }
        // what is ordered with this one is ordered with those before it in its bytes
        let is_behind = |earlier: &Use| ordered(earlier) && earlier.is_within(&bytes);
        history.reads.retain(|earlier| !is_behind(earlier));
        let this = Use { stream, tick: seen[stream], name: name.to_string(), bytes: bytes.clone() };
        if writes {
            history.writes.retain(|earlier| !is_behind(earlier));
            history.writes.push(this);
        } else {
            history.reads.push(this);
        }
        Ok(())
    }
}
