//! Order between streams: the last write of each allocation and the reads since.

use std::collections::HashMap;

use super::clock::Seen;
use crate::Error;

/// An operation on an allocation.
#[derive(Clone, Debug)]
struct Use {
    /// The number of the stream on the host and the operation in it.
    stream: usize,
    tick: u64,
    name: String,
}

#[derive(Debug, Default)]
struct History {
    write: Option<Use>,
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

    /// Notes that the operation `name`, with the stamp `seen` in `stream`, reads or writes an allocation.
    pub(crate) fn note(
        &mut self,
        address: u64,
        writes: bool,
        name: &str,
        stream: usize,
        seen: &Seen,
    ) -> Result<(), Error> {
        let history = self.allocations.entry(address).or_default();
        let ordered = |earlier: &Use| seen.get(earlier.stream).is_some_and(|tick| earlier.tick <= *tick);
        let reads: &[Use] = if writes { &history.reads } else { &[] };
        if let Some(earlier) = history.write.iter().chain(reads).find(|earlier| !ordered(earlier)) {
            return Err(Error::Unordered {
                operation: name.to_string(),
                stream,
                earlier: earlier.name.clone(),
                earlier_stream: earlier.stream,
                address,
            });
        }
        let this = Use { stream, tick: seen[stream], name: name.to_string() };
        if writes {
            history.reads.clear();
            history.write = Some(this);
        } else {
            history.reads.retain(|earlier| !ordered(earlier));
            history.reads.push(this);
        }
        Ok(())
    }
}
