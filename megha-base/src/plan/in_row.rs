//! Kernels of one function that one entry runs one after the other, row by row: a block takes some rows, and what the kernels make of a row and read again
//! stays in its shared memory (`docs/gpu.md`, *Rows*). Each of the kernels is launched as any other; one after the other they are what the entry does, and if they come so
//! it is launched in their place.

use super::encode::{entry, entry_words, list, numbers, size, size_word};
use super::grid::{Launch, lanes};
use super::{Entry, KernelPlan, SizeExpr};
use crate::tree::{CHUNK, LANES};

/// Elements of a row for each of its threads, in a block that has several rows.
const EACH: i64 = 4;

/// Blocks at most: eight for each processor of a large device, which has four at once. With more rows a block takes several, one after the other.
const MOST_BLOCKS: u32 = 8 * 132;

/// What a kernel does in such an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InRow {
    /// The place of the kernel among those of the entry,
    pub place: usize,
    /// and how many there are.
    pub of: usize,
    /// The numbers of its arrays in the entry, in the order of the plan: those in the same memory have the same.
    pub arrays: Vec<usize>,
    /// The arrays, by that number, that any of the kernels changes.
    pub changed: Vec<usize>,
    /// Where arrays lie columns first, and where they lie rows first, if there is an entry.
    pub orders: [Option<Share>; 2],
}

/// A kernel's share of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The loop over rows.
    pub axis: usize,
    /// The entry with the parameters that are this kernel's,
    pub entry: Entry,
    /// and their places among all of its parameters.
    pub slots: Vec<usize>,
    /// What a row keeps in shared memory of arrays that this kernel is the first to touch: the bytes of an element, and elements.
    pub buffers: Vec<(u64, SizeExpr)>,
    /// Bytes of shared memory for the rows of a block.
    pub pool: u64,
}

/// What is known of the rows of a launch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rows {
    /// How many there are.
    pub rows: i64,
    /// The most elements that a kernel goes through in one.
    pub elements: i64,
    /// Bytes of shared memory that one takes.
    pub bytes: u64,
}

impl Share {
    /// Bytes of shared memory of a row, in words of eight.
    fn bytes(&self, symbol: &dyn Fn(usize) -> i64) -> u64 {
        let buffer = |(bytes, size): &(u64, SizeExpr)| {
            let elements = size.eval(symbol).max(0).unsigned_abs();
            elements.saturating_mul(*bytes).checked_next_multiple_of(8).unwrap_or(u64::MAX)
        };
        self.buffers.iter().map(buffer).fold(0, u64::saturating_add)
    }

    /// The launch for rows of which all kernels are known; `None` if a row does not fit.
    pub fn launch(&self, of: Rows) -> Option<Launch> {
        if of.bytes > self.pool || of.elements > (CHUNK * LANES) as i64 {
            return None;
        }
        let most = (self.pool / of.bytes.max(8)).min(u64::from(u32::MAX)) as u32;
        // with fewer warps for a row there are more rows, and what one thread or warp does alone for a row it does for several at once
        let Launch { grid: [blocks, ..], block } =
            lanes(of.rows, (of.elements.min(CHUNK as i64) + EACH - 1) / EACH, (1, most))?;
        Some(Launch { grid: [blocks.min(MOST_BLOCKS), 1, 1], block })
    }
}

impl KernelPlan {
    /// The rows of the kernels up to this one in an entry that runs them together, given those of the kernels before; `None` if it does not fit them.
    pub fn rows_with(&self, order: usize, before: Option<Rows>, symbol: &dyn Fn(usize) -> i64) -> Option<Rows> {
        let in_row = self.in_row.as_ref()?;
        let share = in_row.orders[order].as_ref()?;
        let extents: Vec<i64> = self.domain.iter().map(|size| size.eval(symbol).max(0)).collect();
        let others = extents.iter().enumerate().filter(|(at, _)| *at != share.axis);
        let own = Rows {
            rows: *extents.get(share.axis)?,
            elements: others.fold(1, |n: i64, (_, extent)| n.saturating_mul(*extent)),
            bytes: share.bytes(symbol),
        };
        let all = match before {
            None => own,
            Some(before) if before.rows != own.rows => return None,
            Some(before) => Rows {
                rows: own.rows,
                elements: own.elements.max(before.elements),
                bytes: own.bytes.saturating_add(before.bytes),
            },
        };
        (own.elements > 0 && share.launch(all).is_some()).then_some(all)
    }
}

impl InRow {
    /// Lines of the plan's text.
    pub(super) fn encode(&self) -> String {
        let (arrays, changed) = (list(&self.arrays), list(&self.changed));
        let mut text = format!("in-row {} {} {arrays} {changed}\n", self.place, self.of);
        for (word, share) in ["in-columns", "in-rows"].into_iter().zip(&self.orders) {
            let Some(share) = share else { continue };
            let buffers: String = share.buffers.iter().map(|(n, size)| format!("{n}:{} ", size_word(size))).collect();
            let (slots, entry) = (list(&share.slots), entry_words(&share.entry));
            text += &format!("{word} {} {} {slots} {buffers}| {entry}\n", share.axis, share.pool);
        }
        text
    }

    /// Its first line.
    pub(super) fn decode(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let mut number = || words.next()?.parse().ok();
        let (place, of) = (number()?, number()?);
        let (arrays, changed) = (numbers(words.next()?)?, numbers(words.next()?)?);
        Some(Self { place, of, arrays, changed, orders: [None, None] })
    }
}

impl Share {
    pub(super) fn decode(text: &str) -> Option<Self> {
        let (own, text) = text.split_once('|')?;
        let mut words = own.split_ascii_whitespace();
        let (axis, pool) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let slots = numbers(words.next()?)?;
        let buffer = |word: &str| {
            let (bytes, elements) = word.split_once(':')?;
            Some((bytes.parse().ok()?, size(elements)?))
        };
        let buffers = words.map(buffer).collect::<Option<_>>()?;
        let entry = entry(text)?;
        (entry.params.len() == slots.len()).then_some(Self { axis, entry, slots, buffers, pool })
    }
}
