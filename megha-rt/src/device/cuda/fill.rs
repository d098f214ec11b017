//! How an element is repeated: the driver sets 8, 16 and 32 bits.

/// An operation of the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Write {
    /// So many times these 8 bits.
    Bytes(u8, usize),
    /// So many times these 16 bits.
    Halves(u16, usize),
    /// So many times these 32 bits.
    Words(u32, usize),
    /// So many times these 32 bits, the first so many bytes from the start, with 32 others between each two.
    EverySecondWord(u64, u32, usize),
}

/// The operations that repeat an element of 1, 2, 4 or 8 bytes over so many bytes, a multiple of its length.
pub(super) fn writes(element: &[u8], bytes: usize) -> Vec<Write> {
    match *element {
        [first, ..] if element.iter().all(|byte| *byte == first) => vec![Write::Bytes(first, bytes)],
        [a, b] => vec![Write::Halves(u16::from_ne_bytes([a, b]), bytes / 2)],
        [a, b, c, d] => vec![Write::Words(u32::from_ne_bytes([a, b, c, d]), bytes / 4)],
        [a, b, c, d, e, f, g, h] => {
            let halves = [[a, b, c, d], [e, f, g, h]].map(u32::from_ne_bytes);
            match halves {
                [first, second] if first == second => vec![Write::Words(first, bytes / 4)],
                [first, second] => {
                    [(0, first), (4, second)].map(|(from, word)| Write::EverySecondWord(from, word, bytes / 8)).to_vec()
                }
            }
        }
        _ => Vec::new(),
    }
}
