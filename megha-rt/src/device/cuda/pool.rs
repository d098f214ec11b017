//! Blocks of memory that are kept for reuse, by size class: bookkeeping only.
//!
//! A block that is given back while queues may still use it *leaves*: it is free once a point (of type `P`) has been passed.

use std::collections::{BTreeMap, VecDeque};

/// Blocks, by address and bytes.
#[derive(Debug)]
pub(super) struct Pool<P> {
    /// By address, so that a range can be looked up.
    used: BTreeMap<u64, u64>,
    free: BTreeMap<u64, Vec<u64>>,
    leaving: VecDeque<Leaving<P>>,
    reserved: u64,
    used_bytes: u64,
}

/// A block that is free once a point has been passed.
#[derive(Debug)]
pub(super) struct Leaving<P> {
    address: u64,
    bytes: u64,
    pub point: P,
}

/// `bytes` rounded up to at most four binary digits before zeros, so at most an eighth more, and few classes.
pub(super) fn size_class(bytes: u64) -> u64 {
    const SMALLEST: u64 = 512;
    if bytes <= SMALLEST {
        return SMALLEST;
    }
    let step = 1 << (bytes.ilog2() - 3);
    bytes.checked_next_multiple_of(step).unwrap_or(u64::MAX)
}

impl<P> Pool<P> {
    pub(super) fn new() -> Pool<P> {
        Pool { used: BTreeMap::new(), free: BTreeMap::new(), leaving: VecDeque::new(), reserved: 0, used_bytes: 0 }
    }

    /// Bytes of all blocks.
    pub(super) fn reserved(&self) -> u64 {
        self.reserved
    }

    /// Bytes of the blocks in use.
    pub(super) fn used(&self) -> u64 {
        self.used_bytes
    }

    /// A free block of a class, now in use.
    pub(super) fn take(&mut self, class: u64) -> Option<u64> {
        let address = self.free.get_mut(&class)?.pop()?;
        self.used.insert(address, class);
        self.used_bytes += class;
        Some(address)
    }

    /// Whether a block of a class is free.
    pub(super) fn has_free(&self, class: u64) -> bool {
        self.free.get(&class).is_some_and(|blocks| !blocks.is_empty())
    }

    /// Adds a new block, in use.
    pub(super) fn add(&mut self, address: u64, class: u64) {
        self.used.insert(address, class);
        self.used_bytes += class;
        self.reserved += class;
    }

    /// Whether a range lies in a block that is in use.
    pub(super) fn holds(&self, address: u64, bytes: u64) -> bool {
        let block = self.used.range(..=address).next_back();
        block.is_some_and(|(start, length)| address - start <= *length && bytes <= length - (address - start))
    }

    /// Ends the use of a block, which is then to leave; its bytes, if it was in use.
    pub(super) fn end_use(&mut self, address: u64) -> Option<u64> {
        let bytes = self.used.remove(&address)?;
        self.used_bytes -= bytes;
        Some(bytes)
    }

    /// Ends the use of a block that nothing was done with: it is free at once.
    pub(super) fn put_back(&mut self, address: u64) {
        if let Some(bytes) = self.end_use(address) {
            self.free.entry(bytes).or_default().push(address);
        }
    }

    /// Lets a block whose use has ended leave.
    pub(super) fn leave(&mut self, address: u64, bytes: u64, point: P) {
        self.leaving.push_back(Leaving { address, bytes, point });
    }

    /// A block whose use has ended is no longer the pool's.
    pub(super) fn lose(&mut self, bytes: u64) {
        self.reserved -= bytes;
    }

    /// Frees the blocks that have left, oldest first up to one that has not.
    pub(super) fn collect<E>(&mut self, mut passed: impl FnMut(&P) -> Result<bool, E>) -> Result<(), E> {
        while let Some(first) = self.leaving.front() {
            if !passed(&first.point)? {
                break;
            }
            if let Some(Leaving { address, bytes, .. }) = self.leaving.pop_front() {
                self.free.entry(bytes).or_default().push(address);
            }
        }
        Ok(())
    }

    /// The point that the last leaving block waits for.
    pub(super) fn last_point(&self) -> Option<&P> {
        self.leaving.back().map(|leaving| &leaving.point)
    }

    /// The point of the oldest leaving block of a class, if at least `most` of the class are leaving.
    pub(super) fn crowded(&self, class: u64, most: usize) -> Option<&P> {
        let mut same = self.leaving.iter().filter(|leaving| leaving.bytes == class);
        let oldest = same.next()?;
        (same.count() + 1 >= most).then_some(&oldest.point)
    }

    /// Takes all free blocks out, to be given back.
    pub(super) fn trim(&mut self) -> Vec<u64> {
        let mut blocks = Vec::new();
        for (bytes, addresses) in std::mem::take(&mut self.free) {
            self.reserved -= bytes * addresses.len() as u64;
            blocks.extend(addresses);
        }
        blocks
    }

    /// All blocks, whatever their state.
    pub(super) fn all(&self) -> Vec<u64> {
        let free = self.free.values().flatten().copied();
        free.chain(self.used.keys().copied()).chain(self.leaving.iter().map(|leaving| leaving.address)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_few_and_close() {
        assert_eq!([0, 1, 512, 513, 1000, 1024, 1025].map(size_class), [512, 512, 512, 576, 1024, 1024, 1152]);
        let mut classes = std::collections::BTreeSet::new();
        for bytes in (1..1 << 20).step_by(if cfg!(miri) { 19_997 } else { 97 }) {
            let class = size_class(bytes);
            assert!(class >= bytes && (class <= 512 || class - bytes <= bytes / 8), "{bytes} {class}");
            assert_eq!(size_class(class), class);
            classes.insert(class);
        }
        assert!(classes.len() <= 8 * 12);
        assert_eq!(size_class(u64::MAX), u64::MAX);
    }

    #[test]
    fn blocks_come_back_in_order() {
        let mut pool = Pool::new();
        for (address, class) in [(10, 512), (20, 512), (30, 1024)] {
            pool.add(address, class);
        }
        assert_eq!((pool.reserved(), pool.used()), (2048, 2048));
        assert!(pool.holds(30, 1024) && pool.holds(1054, 0) && pool.holds(40, 1014));
        assert!(!pool.holds(9, 1) && !pool.holds(40, 1015) && !pool.holds(1055, 0) && !pool.holds(40, u64::MAX));
        for (address, point) in [(20, 5), (30, 7), (10, 9)] {
            let bytes = pool.end_use(address).unwrap();
            pool.leave(address, bytes, point);
        }
        assert_eq!(pool.end_use(20), None, "given back twice");
        assert_eq!((pool.reserved(), pool.used()), (2048, 0));
        assert_eq!((pool.crowded(512, 2), pool.crowded(512, 3), pool.crowded(256, 1)), (Some(&5), None, None));
        assert_eq!(pool.collect(|point| Ok::<_, ()>(*point < 8)), Ok(()));
        assert_eq!((pool.take(512), pool.take(512), pool.take(1024)), (Some(20), None, Some(30)));
        assert_eq!(pool.last_point(), Some(&9));
        assert_eq!(pool.collect(|_| Err("lost")), Err("lost"));
        assert_eq!(pool.collect(|_| Ok::<_, ()>(true)), Ok(()));
        let mut all = pool.all();
        all.sort_unstable();
        assert_eq!((pool.trim(), pool.reserved(), all), (vec![10], 1536, vec![10, 20, 30]));
    }
}
