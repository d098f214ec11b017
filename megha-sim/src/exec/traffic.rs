//! What accesses cost: sectors of global memory per warp, passes over the banks of shared memory.

use super::lanes;
use crate::alu::{Lanes, WARP};
use crate::memory::region::SECTOR;

/// Banks of shared memory, each 4 bytes wide.
const BANKS: usize = 32;

/// Memory traffic of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// Bytes that threads loaded from global and constant memory.
    pub global_loaded: u64,
    /// Bytes that threads stored to global memory.
    pub global_stored: u64,
    /// Loads, stores and atomics of global memory by warps.
    pub global_requests: u64,
    /// Sectors of 32 bytes that these took: with coalesced accesses as few as hold the bytes.
    pub sectors: u64,
    /// Those of them that copies to shared memory took, which go on beside the kernel.
    pub sectors_beside: u64,
    /// Different sectors that the launch touched: its traffic with a perfect cache.
    pub unique_sectors: u64,
    /// Bytes that threads loaded from shared memory.
    pub shared_loaded: u64,
    /// Bytes that threads stored to shared memory.
    pub shared_stored: u64,
    /// Loads, stores and atomics of shared memory by warps.
    pub shared_requests: u64,
    /// Passes over the banks that these took.
    pub shared_passes: u64,
    /// Those of them beyond the fewest possible.
    pub bank_conflicts: u64,
    /// Bytes of local memory that threads moved.
    pub local: u64,
    /// Atomic operations of threads.
    pub atomics: u64,
}

/// How many sectors the lanes in `mask` touch with `size` bytes each.
pub(super) fn sectors(addresses: &Lanes, mask: u32, size: usize) -> u64 {
    let sector = SECTOR as u64;
    let (mut count, mut previous, mut sorted) = (0, None, true);
    for lane in lanes(mask) {
        let here = addresses[lane] / sector;
        // an aligned access of at most 16 bytes lies in one sector
        debug_assert!(size <= SECTOR / 2);
        sorted &= previous.is_none_or(|previous| previous <= here);
        count += u64::from(previous != Some(here));
        previous = Some(here);
    }
    if sorted {
        return count;
    }
    let mut all: Vec<u64> = lanes(mask).map(|lane| addresses[lane] / sector).collect();
    all.sort_unstable();
    all.dedup();
    all.len() as u64
}

/// How many passes over the banks the lanes in `mask` take, and how many of them beyond the fewest possible. Accesses of 8 bytes go by half warps and
/// those of 16 by quarters, so that one pass is the best for each part.
pub(super) fn passes(addresses: &Lanes, mask: u32, size: usize) -> (u64, u64) {
    let words = size.div_ceil(4);
    let part = WARP / words;
    let in_part = if part == WARP { u32::MAX } else { (1 << part) - 1 };
    let parts = (0..words).map(|number| mask & in_part << (number * part)).filter(|part| *part != 0);
    let each = parts.map(|part| part_conflicts(addresses, part, words));
    each.fold((0, 0), |(passes, beyond), conflicts| (passes + 1 + conflicts, beyond + conflicts))
}

fn part_conflicts(addresses: &Lanes, mask: u32, words: usize) -> u64 {
    let mut seen = [(u64::MAX, 0u64); BANKS];
    let mut extra: Vec<(usize, u64)> = Vec::new();
    for lane in lanes(mask) {
        for word in addresses[lane] / 4..addresses[lane] / 4 + words as u64 {
            let bank = word as usize % BANKS;
            if seen[bank].1 == 0 {
                seen[bank] = (word, 1);
            } else if seen[bank].0 != word && !extra.contains(&(bank, word)) {
                extra.push((bank, word));
                seen[bank].1 += 1;
            }
        }
    }
    seen.iter().map(|(_, passes)| *passes).max().unwrap_or(0).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(stride: u64) -> Lanes {
        std::array::from_fn(|lane| 4096 + lane as u64 * stride)
    }

    #[test]
    fn sectors_of_strides() {
        assert_eq!(sectors(&strided(4), u32::MAX, 4), 4);
        assert_eq!(sectors(&strided(8), u32::MAX, 8), 8);
        assert_eq!(sectors(&strided(32), u32::MAX, 4), 32);
        assert_eq!(sectors(&strided(0), u32::MAX, 8), 1);
        assert_eq!(sectors(&strided(4), 0xff, 4), 1);
        let mut reversed = strided(4);
        reversed.reverse();
        assert_eq!(sectors(&reversed, u32::MAX, 4), 4);
        assert_eq!(sectors(&std::array::from_fn(|lane| (lane as u64 % 2) * 64), u32::MAX, 4), 2);
    }

    fn bank_conflicts(addresses: &Lanes, mask: u32, size: usize) -> u64 {
        passes(addresses, mask, size).1
    }

    #[test]
    fn passes_of_parts() {
        assert_eq!([4, 8, 16].map(|size| passes(&strided(size), u32::MAX, size as usize)), [(1, 0), (2, 0), (4, 0)]);
        assert_eq!(passes(&strided(8), 0xffff, 8), (1, 0), "half a warp");
        assert_eq!(passes(&strided(128), u32::MAX, 4), (32, 31));
    }

    #[test]
    fn conflicts_of_strides() {
        assert_eq!(bank_conflicts(&strided(4), u32::MAX, 4), 0);
        assert_eq!(bank_conflicts(&strided(8), u32::MAX, 4), 1);
        assert_eq!(bank_conflicts(&strided(128), u32::MAX, 4), 31);
        assert_eq!(bank_conflicts(&strided(132), u32::MAX, 4), 0);
        assert_eq!(bank_conflicts(&strided(0), u32::MAX, 4), 0, "a broadcast");
        assert_eq!(bank_conflicts(&strided(8), u32::MAX, 8), 0);
        assert_eq!(bank_conflicts(&strided(16), u32::MAX, 8), 2, "each half warp in two passes");
        assert_eq!(bank_conflicts(&strided(16), u32::MAX, 16), 0);
    }
}
