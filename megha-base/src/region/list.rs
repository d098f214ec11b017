//! A list of sections that holds two without memory from the heap: most regions are no more.

use super::section::Section;
use super::triplet::Triplet;

const INLINE: usize = 2;

/// Sections in order.
#[derive(Debug, Clone)]
pub struct Sections {
    inline: [Section; INLINE],
    /// How many are in `inline`; if there are more than it holds, all are in `heap`.
    len: usize,
    heap: Vec<Section>,
}

impl Sections {
    pub(super) fn new() -> Self {
        Self { inline: [Section::new(&[Triplet::EMPTY]); INLINE], len: 0, heap: Vec::new() }
    }

    pub(super) fn push(&mut self, section: Section) {
        if self.heap.is_empty() && self.len < INLINE {
            self.inline[self.len] = section;
            self.len += 1;
            return;
        }
        if self.heap.is_empty() {
            self.heap.extend_from_slice(&self.inline);
        }
        self.heap.push(section);
    }

    /// Takes one out; the last takes its place.
    pub(super) fn swap_remove(&mut self, at: usize) -> Section {
        if self.heap.is_empty() {
            let section = self.inline[at];
            self.len -= 1;
            self.inline[at] = self.inline[self.len];
            return section;
        }
        let section = self.heap.swap_remove(at);
        if self.heap.len() == INLINE {
            self.inline.copy_from_slice(&self.heap);
            self.heap.clear();
        }
        section
    }

    pub(super) fn set(&mut self, at: usize, section: Section) {
        let list = if self.heap.is_empty() { &mut self.inline[..] } else { &mut self.heap };
        list[at] = section;
    }
}

impl std::ops::Deref for Sections {
    type Target = [Section];

    fn deref(&self) -> &[Section] {
        if self.heap.is_empty() { &self.inline[..self.len] } else { &self.heap }
    }
}
