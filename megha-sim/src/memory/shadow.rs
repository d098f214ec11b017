//! Data races: for every granule of memory the last write and the reads since, with who did them and when.
//!
//! Two accesses of one launch are ordered if one thread makes both, if a barrier of their block lies between them, or (within a warp) if a
//! `bar.warp.sync` does. Blocks are ordered only by the pattern *write, fence, atomic* in the one and *atomic, read* in the other. Two
//! accesses that are not ordered race if one of them is a write and not both are atomic. Writes of the value that is there
//! already are no race.
//!
//! Blocks run one after the other here, so what is found does not depend on luck. Reads are remembered as one representative with the widest
//! relation among the readers, which is exact up to barriers with a stated number of threads (taken to order the whole block)
//! and to blocks that synchronise through atomics (taken to order all that was released before).

use std::collections::HashMap;

/// One access.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Touch {
    /// The number of the block, counted from 1 over all launches; 0 is no access.
    pub block: u32,
    /// Barriers that the block passed before.
    pub epoch: u32,
    pub line: u32,
    pub thread: u16,
    /// `bar.warp.sync` that the warp passed before.
    pub warp_epoch: u16,
    pub atomic: bool,
    pub others: Others,
}

/// Who else read, apart from the thread that a cell names.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(crate) enum Others {
    #[default]
    Nobody,
    SameWarp,
    SameBlock,
    OtherBlocks,
}

/// Order between blocks.
#[derive(Debug, Default)]
pub(crate) struct BlockOrder {
    /// Accesses of blocks before this one belong to earlier launches (for shared memory: other blocks) and are forgotten.
    pub first: u32,
    /// The epoch up to which the writes of a block are released.
    pub released: HashMap<u32, u32>,
    /// Whether the running block has made an atomic access, and so sees what was released.
    pub acquired: bool,
}

impl BlockOrder {
    fn sees(&self, earlier: &Touch) -> bool {
        self.acquired && self.released.get(&earlier.block).is_some_and(|epoch| earlier.epoch <= *epoch)
    }
}

/// Two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Conflict {
    pub earlier: Touch,
    pub earlier_wrote: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    write: Touch,
    read: Touch,
}

/// The accesses to a region. It is kept from launch to launch: what is too old is recognised by the number of the block.
#[derive(Debug)]
pub(crate) struct Shadow {
    /// The size of a granule is 2 to this power: that of the smallest access so far.
    granule: u32,
    cells: Vec<Cell>,
}

fn same_warp(a: &Touch, b: &Touch) -> bool {
    a.thread / 32 == b.thread / 32
}

fn unordered(earlier: &Touch, now: &Touch, order: &BlockOrder) -> bool {
    if earlier.block < order.first || earlier.atomic && now.atomic {
        return false;
    }
    if earlier.block != now.block || earlier.others == Others::OtherBlocks {
        return !order.sees(earlier);
    }
    if earlier.epoch != now.epoch {
        return false;
    }
    match earlier.others {
        Others::SameBlock => true,
        Others::SameWarp if !same_warp(earlier, now) => true,
        Others::SameWarp => earlier.warp_epoch == now.warp_epoch,
        _ => earlier.thread != now.thread && (!same_warp(earlier, now) || earlier.warp_epoch == now.warp_epoch),
    }
}

/// The reads of a cell after one more.
fn merged(earlier: &Touch, now: &Touch, order: &BlockOrder) -> Touch {
    if earlier.block < order.first {
        return *now;
    }
    if earlier.block != now.block || earlier.others == Others::OtherBlocks {
        return Touch { others: Others::OtherBlocks, atomic: earlier.atomic && now.atomic, ..*earlier };
    }
    if earlier.epoch != now.epoch {
        return *now;
    }
    let others = if !same_warp(earlier, now) {
        Others::SameBlock
    } else if earlier.warp_epoch != now.warp_epoch && earlier.others <= Others::SameWarp {
        return *now;
    } else if earlier.thread != now.thread {
        Others::SameWarp
    } else {
        Others::Nobody
    };
    let others = if others > earlier.others { others } else { earlier.others };
    Touch { others, atomic: earlier.atomic && now.atomic, ..*earlier }
}

impl Shadow {
    pub(crate) fn new(bytes: usize) -> Shadow {
        let granule = 3;
        Shadow { granule, cells: vec![Cell::default(); bytes.div_ceil(1 << granule)] }
    }

    #[cold]
    fn refine(&mut self, size: usize) {
        let finer = size.trailing_zeros();
        let copies = 1 << (self.granule - finer);
        self.cells = self.cells.iter().flat_map(|cell| std::iter::repeat_n(*cell, copies)).collect();
        self.granule = finer;
    }

    #[inline]
    fn cells(&mut self, offset: usize, size: usize) -> &mut [Cell] {
        if size < 1 << self.granule {
            self.refine(size);
        }
        let granule = self.granule;
        &mut self.cells[offset >> granule..(offset + size) >> granule]
    }

    /// Notes a read of `size` bytes, a power of two, at a multiple of it.
    #[inline]
    pub(crate) fn read(&mut self, offset: usize, size: usize, now: &Touch, order: &BlockOrder) -> Result<(), Conflict> {
        for cell in self.cells(offset, size) {
            if unordered(&cell.write, now, order) {
                return Err(Conflict { earlier: cell.write, earlier_wrote: true });
            }
            cell.read = merged(&cell.read, now, order);
        }
        Ok(())
    }

    /// Notes a write, likewise; `same` says that it changes nothing.
    #[inline]
    pub(crate) fn write(
        &mut self,
        offset: usize,
        size: usize,
        now: &Touch,
        order: &BlockOrder,
        same: bool,
    ) -> Result<(), Conflict> {
        for cell in self.cells(offset, size) {
            if !same && unordered(&cell.write, now, order) {
                return Err(Conflict { earlier: cell.write, earlier_wrote: true });
            }
            if unordered(&cell.read, now, order) {
                return Err(Conflict { earlier: cell.read, earlier_wrote: false });
            }
            cell.write = *now;
        }
        Ok(())
    }
}
