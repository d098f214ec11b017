//! Registers as small numbers, for tables and sets of bits.

use super::inst::{Bank, Inst, Reg};

/// The numbers of an entry's registers.
pub struct Numbering {
    /// The first number of each bank.
    first: [usize; Bank::ALL.len()],
    /// How many numbers there are.
    pub len: usize,
}

impl Numbering {
    /// Numbers the registers that instructions read and define.
    pub fn of(insts: &[Inst]) -> Self {
        let mut counts = [0; Bank::ALL.len()];
        for inst in insts {
            let mut see = |reg: Reg| {
                let count = &mut counts[reg.bank as usize];
                *count = (*count).max(reg.number as usize + 1);
            };
            inst.for_each_definition(&mut see);
            inst.for_each_read(&mut see);
        }
        let mut len = 0;
        let first = counts.map(|count| {
            let first = len;
            len += count;
            first
        });
        Self { first, len }
    }

    /// The number of a register.
    pub fn at(&self, reg: Reg) -> usize {
        self.first[reg.bank as usize] + reg.number as usize
    }
}

/// A set of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set(Vec<u64>);

impl Set {
    /// The empty set of numbers below a limit.
    pub fn new(limit: usize) -> Self {
        Self(vec![0; limit.div_ceil(64)])
    }

    /// Adds a number; whether it is new.
    pub fn insert(&mut self, at: usize) -> bool {
        let (word, bit) = (&mut self.0[at / 64], 1 << (at % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes a number out; whether it was in.
    pub fn remove(&mut self, at: usize) -> bool {
        let (word, bit) = (&mut self.0[at / 64], 1 << (at % 64));
        let was = *word & bit != 0;
        *word &= !bit;
        was
    }

    /// Whether a number is in it.
    pub fn contains(&self, at: usize) -> bool {
        self.0[at / 64] & 1 << (at % 64) != 0
    }

    /// Adds another set of the same limit but for what a third one holds; whether that adds anything.
    pub fn add_but(&mut self, other: &Self, but: Option<&Self>) -> bool {
        let mut new = false;
        for (k, (word, add)) in self.0.iter_mut().zip(&other.0).enumerate() {
            let both = *word | add & !but.map_or(0, |b| b.0[k]);
            new |= both != *word;
            *word = both;
        }
        new
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(k, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize);
                rest &= rest.wrapping_sub(1);
                bit.map(|bit| 64 * k + bit)
            })
        })
    }
}
