//! One piece of memory: an allocation, or the shared memory of a block.

use super::bits::Bits;
use super::shadow::{BlockOrder, Conflict, Shadow, Touch};

/// Bytes that one transaction of global memory moves.
pub(crate) const SECTOR: usize = 32;

#[derive(Debug)]
pub(crate) struct Region {
    /// The address of its first byte.
    pub base: u64,
    pub bytes: Vec<u8>,
    /// `.const` variables.
    pub constant: bool,
    /// Accesses of the running launch.
    pub read: bool,
    pub wrote: bool,
    /// Which bytes hold a value.
    pub written: Option<Bits>,
    shadow: Option<Shadow>,
    sectors: Option<Bits>,
}

/// Why an access is wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrong {
    Unwritten,
    Race(Conflict),
}

impl Region {
    pub(crate) fn new(base: u64, len: usize, track_written: bool) -> Region {
        Region {
            base,
            bytes: vec![0; len],
            constant: false,
            read: false,
            wrote: false,
            written: track_written.then(|| Bits::new(len)),
            shadow: None,
            sectors: None,
        }
    }

    /// Whether `size` bytes from `address` on lie inside; where.
    #[inline]
    pub(crate) fn offset(&self, address: u64, size: usize) -> Option<usize> {
        let offset = address.wrapping_sub(self.base);
        let inside = size <= self.bytes.len() && offset <= (self.bytes.len() - size) as u64;
        inside.then_some(offset as usize)
    }

    /// Reads a value of `size` bytes, which lie inside.
    #[inline]
    pub(crate) fn get(&self, offset: usize, size: usize) -> u64 {
        let at = &self.bytes[offset..];
        match size {
            8 => u64::from_le_bytes(at[..8].try_into().expect("eight bytes")),
            4 => u64::from(u32::from_le_bytes(at[..4].try_into().expect("four bytes"))),
            2 => u64::from(u16::from_le_bytes([at[0], at[1]])),
            _ => u64::from(at[0]),
        }
    }

    /// Writes a value of `size` bytes, which lie inside.
    #[inline]
    pub(crate) fn put(&mut self, offset: usize, size: usize, value: u64) {
        let at = &mut self.bytes[offset..];
        match size {
            8 => at[..8].copy_from_slice(&value.to_le_bytes()),
            4 => at[..4].copy_from_slice(&(value as u32).to_le_bytes()),
            2 => at[..2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => at[0] = value as u8,
        }
    }

    /// Notes that a thread reads.
    #[inline]
    pub(crate) fn note_read(
        &mut self,
        offset: usize,
        size: usize,
        now: &Touch,
        order: &BlockOrder,
        races: bool,
    ) -> Result<(), Wrong> {
        self.read = true;
        if let Some(written) = &self.written
            && !written.contains(offset, size)
        {
            return Err(Wrong::Unwritten);
        }
        if races && !self.constant {
            self.shadow().read(offset, size, now, order).map_err(Wrong::Race)?;
        }
        Ok(())
    }

    /// Notes that a thread writes `value`, before it does.
    #[inline]
    pub(crate) fn note_write(
        &mut self,
        offset: usize,
        size: usize,
        value: u64,
        now: &Touch,
        order: &BlockOrder,
        races: bool,
    ) -> Result<(), Wrong> {
        self.wrote = true;
        if races {
            let same = self.get(offset, size) == value;
            self.shadow().write(offset, size, now, order, same).map_err(Wrong::Race)?;
        }
        if let Some(written) = &mut self.written {
            written.insert(offset, size);
        }
        Ok(())
    }

    /// Notes that a thread may write any value from now on.
    pub(crate) fn note_claim(
        &mut self,
        offset: usize,
        size: usize,
        now: &Touch,
        order: &BlockOrder,
    ) -> Result<(), Wrong> {
        self.shadow().write(offset, size, now, order, false).map_err(Wrong::Race)
    }

    fn shadow(&mut self) -> &mut Shadow {
        self.shadow.get_or_insert_with(|| Shadow::new(self.bytes.len()))
    }

    /// Notes that the launch moves the sector that holds this byte.
    #[inline]
    pub(crate) fn note_sector(&mut self, offset: usize, size: usize) {
        let (first, last) = (offset / SECTOR, (offset + size - 1) / SECTOR);
        let len = self.bytes.len().div_ceil(SECTOR);
        self.sectors.get_or_insert_with(|| Bits::new(len)).insert(first, last - first + 1);
    }

    /// Forgets the accesses of a launch; how many different sectors it moved.
    pub(crate) fn end_launch(&mut self) -> u64 {
        (self.read, self.wrote) = (false, false);
        self.sectors.take().map_or(0, |sectors| sectors.count())
    }

    /// Makes shared memory ready for another block, which finds no value there.
    pub(crate) fn start_block(&mut self) {
        if let Some(written) = &mut self.written {
            *written = Bits::new(self.bytes.len());
        }
    }

    /// Forgets who accessed it.
    pub(crate) fn forget_accesses(&mut self) {
        self.shadow = None;
    }
}
