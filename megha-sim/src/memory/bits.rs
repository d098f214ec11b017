//! Sets of small numbers: bytes that were written, sectors that were touched.

#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty subset of `0..len`.
    pub(crate) fn new(len: usize) -> Bits {
        Bits { words: vec![0; len.div_ceil(64)] }
    }

    /// Calls `f` with each word that holds numbers from `start` on, `len` of them, and their mask in it.
    #[inline]
    fn words(start: usize, len: usize, mut f: impl FnMut(usize, u64)) {
        let (mut at, end) = (start, start + len);
        while at < end {
            let (word, bit) = (at / 64, at % 64);
            let count = (64 - bit).min(end - at);
            f(word, (u64::MAX >> (64 - count)) << bit);
            at += count;
        }
    }

    #[inline]
    pub(crate) fn insert(&mut self, start: usize, len: usize) {
        Self::words(start, len, |word, mask| self.words[word] |= mask);
    }

    #[inline]
    pub(crate) fn contains(&self, start: usize, len: usize) -> bool {
        let mut all = true;
        Self::words(start, len, |word, mask| all &= self.words[word] & mask == mask);
        all
    }

    pub(crate) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The same subset of the same or a smaller range, moved down by `start`.
    pub(crate) fn slice(&self, start: usize, len: usize) -> Vec<bool> {
        (start..start + len).map(|at| self.words[at / 64] >> (at % 64) & 1 == 1).collect()
    }

    /// Makes the numbers from `start` on members as `flags` say.
    pub(crate) fn assign(&mut self, start: usize, flags: &[bool]) {
        for (at, flag) in (start..).zip(flags) {
            let mask = 1 << (at % 64);
            if *flag {
                self.words[at / 64] |= mask;
            } else {
                self.words[at / 64] &= !mask;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_across_words() {
        let mut bits = Bits::new(200);
        bits.insert(60, 80);
        assert!(bits.contains(60, 80) && !bits.contains(59, 2) && !bits.contains(139, 2));
        assert_eq!(bits.count(), 80);
        assert_eq!(bits.slice(58, 4), [false, false, true, true]);
        bits.assign(60, &[false, true]);
        assert_eq!(bits.count(), 79);
    }
}
