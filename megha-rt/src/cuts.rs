//! Launches that are divided at random, for tests: results must not depend on how a launch is divided.

use std::cell::RefCell;

use megha_base::cuts::Cuts;

use crate::launch::Chunk;
use crate::watch::{self, Watch};

thread_local! {
    static DRAWN: RefCell<Option<Cuts>> = const { RefCell::new(None) };
}

/// Runs `body`, in which all launches of this thread, on processors and on devices, are divided into parts by this seed: for tests. Results do
/// not change.
pub fn within<R>(seed: u64, body: impl FnOnce() -> R) -> R {
    struct Restore(Option<Cuts>, bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            DRAWN.replace(self.0.take());
            watch::replace(Watch::Cuts, self.1);
        }
    }
    let _restore = Restore(DRAWN.replace(Some(Cuts::new(seed))), watch::replace(Watch::Cuts, true));
    body()
}

/// What launches are divided by, if they are.
pub(crate) fn drawn<R>(divide: impl FnOnce(&mut Cuts) -> R) -> Option<R> {
    DRAWN.with(|drawn| drawn.borrow_mut().as_mut().map(divide))
}

/// The parts of chunks.
pub(crate) fn chunks(cuts: &mut Cuts, list: &[Chunk]) -> Vec<Chunk> {
    let whole = |chunk: &Chunk| [&chunk.outer, &chunk.inner].map(|r| (r.start as i64, r.end as i64));
    let range = |(low, high): (i64, i64)| low as usize..high as usize;
    let parts = list.iter().flat_map(|chunk| cuts.boxes(&whole(chunk)));
    parts.map(|part| Chunk { outer: range(part[0]), inner: range(part[1]) }).collect()
}
