//! Global memory: allocations in an address space that is never used twice, so that stale pointers are always found.

pub(crate) mod bits;
pub(crate) mod region;
pub(crate) mod shadow;

use std::collections::VecDeque;

use region::Region;

/// The first address; 0 and its neighbours are never valid.
const FIRST: u64 = 0x7000_0000_0000;
/// Allocations begin at multiples of this, and count as such multiples of memory.
const GRANULARITY: u64 = 256;
/// How many freed allocations are remembered for messages.
const REMEMBERED: usize = 4096;

#[derive(Debug)]
pub(crate) struct Memory {
    /// In the order of their addresses.
    pub regions: Vec<Region>,
    capacity: u64,
    used: u64,
    peak: u64,
    next: u64,
    freed: VecDeque<(u64, u64)>,
    track_written: bool,
    /// Blocks of all launches.
    blocks: u32,
}

fn footprint(len: u64) -> u64 {
    len.max(1).next_multiple_of(GRANULARITY)
}

impl Memory {
    pub(crate) fn new(capacity: u64, track_written: bool) -> Memory {
        let (regions, freed) = (Vec::new(), VecDeque::new());
        Memory { regions, capacity, used: 0, peak: 0, next: FIRST, freed, track_written, blocks: 0 }
    }

    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    pub(crate) fn available(&self) -> u64 {
        self.capacity - self.used
    }

    /// The address of `len` new bytes; `None` if they do not fit.
    pub(crate) fn allocate(&mut self, len: u64) -> Option<u64> {
        if !self.fits(len) {
            return None;
        }
        self.used += footprint(len);
        self.peak = self.peak.max(self.used);
        Some(self.place(len))
    }

    /// The address of `len` new bytes that lie beside what allocations have, as a module's code does.
    pub(crate) fn place(&mut self, len: u64) -> u64 {
        let base = self.next;
        // a gap keeps the end of one allocation from being the start of the next
        self.next += footprint(len) + GRANULARITY;
        self.regions.push(Region::new(base, len as usize, self.track_written));
        base
    }

    /// Frees the allocation that starts at `base`; `false` if there is none.
    pub(crate) fn free(&mut self, base: u64) -> bool {
        let bytes = self.close(base);
        self.give_back(bytes.unwrap_or(0));
        bytes.is_some()
    }

    /// Makes the allocation that starts at `base` invalid; its memory, so many bytes, stays in use until it is given back.
    pub(crate) fn close(&mut self, base: u64) -> Option<u64> {
        let at = self.regions.binary_search_by_key(&base, |region| region.base).ok()?;
        let len = self.regions.remove(at).bytes.len() as u64;
        if self.freed.len() == REMEMBERED {
            self.freed.pop_front();
        }
        self.freed.push_back((base, len));
        Some(footprint(len))
    }

    /// Counts bytes of closed allocations as free.
    pub(crate) fn give_back(&mut self, bytes: u64) {
        self.used -= bytes;
    }

    /// Whether an allocation of so many bytes fits now.
    pub(crate) fn fits(&self, len: u64) -> bool {
        len <= self.available() && footprint(len) <= self.available()
    }

    /// The allocation that holds `size` bytes from `address` on, looked for first at `hint`.
    #[inline]
    pub(crate) fn locate(&self, address: u64, size: usize, hint: usize) -> Option<(usize, usize)> {
        if let Some(offset) = self.regions.get(hint).and_then(|region| region.offset(address, size)) {
            return Some((hint, offset));
        }
        let at = self.regions.partition_point(|region| region.base <= address).checked_sub(1)?;
        self.regions[at].offset(address, size).map(|offset| (at, offset))
    }

    /// What lies at an address that is not valid, in words.
    pub(crate) fn neighbourhood(&self, address: u64) -> String {
        if let Some((base, len)) =
            self.freed.iter().find(|(base, len)| (*base..base + (*len).max(1)).contains(&address))
        {
            return format!("in the allocation of {len} bytes at {base:#x}, which was freed");
        }
        let at = self.regions.partition_point(|region| region.base <= address);
        let before = at.checked_sub(1).map(|at| &self.regions[at]);
        let after = self.regions.get(at);
        match (before, after) {
            (Some(region), _) if address - region.base < region.bytes.len() as u64 + 4 * GRANULARITY => {
                let (offset, len) = (address - region.base, region.bytes.len());
                format!("at offset {offset} of the allocation of {len} bytes at {:#x}", region.base)
            }
            (_, Some(region)) if region.base - address <= 4 * GRANULARITY => {
                let (offset, len) = (region.base - address, region.bytes.len());
                format!("{offset} bytes before the allocation of {len} bytes at {:#x}", region.base)
            }
            _ => "in no allocation".to_string(),
        }
    }

    /// The number of the first of so many blocks of a launch.
    pub(crate) fn begin_launch(&mut self, blocks: u32) -> u32 {
        if self.blocks.checked_add(blocks).is_none_or(|last| last == u32::MAX) {
            self.regions.iter_mut().for_each(Region::forget_accesses);
            self.blocks = 0;
        }
        let first = self.blocks + 1;
        self.blocks = self.blocks.saturating_add(blocks);
        first
    }

    /// Forgets the accesses of a launch; how many different sectors it moved.
    pub(crate) fn end_launch(&mut self) -> u64 {
        self.regions.iter_mut().map(Region::end_launch).sum()
    }
}
