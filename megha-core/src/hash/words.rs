//! The hash of the compiler's own small keys.
//!
//! The standard library's hash resists keys that an adversary has chosen; keys here are numbers of values, registers and names of one
//! program. This one multiplies once for each word, as Firefox's and rustc's tables do (`FxHash`). Factors have 32 bits, so that products
//! have room: rotations and products that may overflow are calls in unoptimised code.

use std::hash::{Hash, Hasher};

/// An odd number whose bits are spread well: 2³² over the golden ratio.
const SPREAD: u64 = 0x9e37_79b9;

/// The hash of the words so far.
#[derive(Default, Clone, Copy)]
pub struct Words(u64);

impl Hasher for Words {
    fn finish(&self) -> u64 {
        // A product has its best bits in the middle; a table takes the number of a slot from the low ones.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (mut at, mut word) = (0, 0);
        while at < bytes.len() {
            word = (word << 8) | bytes[at] as u64;
            at += 1;
            if at % 4 == 0 {
                self.write_u64(word);
                word = 0;
            }
        }
        if word != 0 {
            self.write_u64(word);
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number as u64);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = self.0 ^ number;
        self.0 = ((mixed ^ (mixed >> 32)) & 0xffff_ffff) * SPREAD;
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}

/// The low half of the hash of a key.
pub(super) fn hash<Q: Hash + ?Sized>(key: &Q) -> u32 {
    let mut words = Words(0);
    key.hash(&mut words);
    words.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn neighbouring_numbers_lie_apart() {
        let slots: std::collections::BTreeSet<u32> = (0_u32..4096).map(|key| hash(&key) % 4096).collect();
        assert!(slots.len() > 2400, "{} slots", slots.len());
    }

    #[test]
    fn order_and_length_count() {
        assert_ne!(hash(&(1_u32, 2_u32)), hash(&(2_u32, 1_u32)));
        assert_ne!(hash("value"), hash("values"));
        assert_ne!(hash("abcdefgh"), hash("abcdefgi"));
    }
}
