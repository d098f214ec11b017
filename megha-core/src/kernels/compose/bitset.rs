//! A set of small integers, one bit each: reachability, used arrays and forbidden partners are all such sets.
//!
//! Words are subscripted in plain loops: the compiler runs unoptimised in a user's build, where each step of an iterator is a chain of
//! calls, and these loops are the innermost ones of the composition.

/// A set of the integers `0..len`; every set that meets another in an operation must have the same `len`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty subset of `0..len`.
    pub(super) fn new(len: usize) -> Self {
        BitSet { words: vec![0; len.div_ceil(64)] }
    }

    pub(super) fn insert(&mut self, bit: usize) {
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    pub(super) fn contains(&self, bit: usize) -> bool {
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    pub(super) fn union_with(&mut self, other: &BitSet) {
        let (a, b) = (self.words.as_mut_slice(), other.words.as_slice());
        let mut at = 0;
        while at < a.len() {
            a[at] |= b[at];
            at += 1;
        }
    }

    pub(super) fn subtract(&mut self, other: &BitSet) {
        let (a, b) = (self.words.as_mut_slice(), other.words.as_slice());
        let mut at = 0;
        while at < a.len() {
            a[at] &= !b[at];
            at += 1;
        }
    }

    pub(super) fn intersects(&self, other: &BitSet) -> bool {
        let (a, b) = (self.words.as_slice(), other.words.as_slice());
        let mut at = 0;
        while at < a.len() && a[at] & b[at] == 0 {
            at += 1;
        }
        at < a.len()
    }

    /// The elements in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        bits(self.words.iter().copied())
    }

    /// The elements of `self` that are not in `other`, in ascending order.
    pub(super) fn minus<'a>(&'a self, other: &'a BitSet) -> impl Iterator<Item = usize> + 'a {
        bits(self.words.iter().zip(&other.words).map(|(a, b)| a & !b))
    }

    /// The smallest element of `(a0 ∪ a1) ∩ (b0 ∪ b1) \ (c0 ∪ c1)`, found without building any of these sets.
    pub(super) fn first_between(a: [&BitSet; 2], b: [&BitSet; 2], c: [&BitSet; 2]) -> Option<usize> {
        let either = |pair: [&BitSet; 2], w: usize| pair[0].words[w] | pair[1].words[w];
        (0..a[0].words.len()).find_map(|w| {
            let word = either(a, w) & either(b, w) & !either(c, w);
            (word != 0).then(|| w * 64 + word.trailing_zeros() as usize)
        })
    }
}

/// The positions of the one bits of a sequence of words.
fn bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(at, word)| {
        std::iter::successors((word != 0).then_some(word), |w| {
            let rest = w & (w - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |w| at * 64 + w.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(bits: &[usize]) -> BitSet {
        let mut s = BitSet::new(200);
        bits.iter().for_each(|&b| s.insert(b));
        s
    }

    #[test]
    fn elements_come_back_in_order_across_words() {
        let s = set(&[199, 0, 63, 64, 127]);
        assert_eq!(s.iter().collect::<Vec<_>>(), [0, 63, 64, 127, 199]);
        assert!(!s.contains(65) && s.contains(63));
        assert_eq!(set(&[1, 65, 130]).minus(&set(&[65])).collect::<Vec<_>>(), [1, 130]);
    }

    #[test]
    fn set_operations() {
        let mut s = set(&[1, 70]);
        s.union_with(&set(&[150]));
        s.subtract(&set(&[1]));
        assert_eq!(s, set(&[70, 150]));
        assert!(s.intersects(&set(&[150])) && !s.intersects(&set(&[1])));
    }

    #[test]
    fn first_between_uses_both_members_of_each_pair() {
        let (e, x) = (set(&[]), set(&[5, 140]));
        assert_eq!(BitSet::first_between([&e, &x], [&x, &e], [&e, &e]), Some(5));
        assert_eq!(BitSet::first_between([&x, &e], [&e, &x], [&e, &set(&[5])]), Some(140));
        assert_eq!(BitSet::first_between([&x, &e], [&e, &x], [&set(&[5]), &set(&[140])]), None);
        assert_eq!(BitSet::first_between([&x, &e], [&e, &e], [&e, &e]), None);
    }
}
