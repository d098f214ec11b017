//! The reduction tree: the one definition of the order in which every reduction combines its elements.
//!
//! Elements are numbered by their logical index along the reduced extent (columns first where several dimensions are reduced
//! at once). Up to [`LANES`] elements are combined in the plain order, one after the other, as Octave and a plain loop do: what people write
//! down and compare is of this length. (`1e-200 * 1e200 * 1e-200 * 1e200` is 1 in this order, and 0 times infinity by lanes.) Of more, fixed chunks of [`CHUNK`] elements hold [`LANES`] virtual lanes; element `e` of a chunk goes to lane `e % LANES`, in order.
//! Lanes combine in halves, as a warp's shuffles do: lane `l` takes lane `l + 16`, then `l + 8`, 4, 2 and 1. The results of several chunks are
//! combined by lanes once more, however many there are. The tree depends on the extent alone, so threads, vector registers and
//! memory orders change no bit of a result. What a mask selects of an array, as in `sum(x(m))`, counts at its
//! place in the whole array, where the operation's neutral number stands for what is not selected.

/// Virtual lanes in a chunk: a warp's width, and a multiple of every vector register's.
pub const LANES: usize = 32;

/// Elements in a chunk.
pub const CHUNK: usize = 4096;

/// Whether a reduction of so many elements combines them in the plain order.
#[inline(always)]
pub const fn is_plain(extent: usize) -> bool {
    extent <= LANES
}

/// The value of the tree over `values`, slowly and plainly; `identity` if there are none.
pub fn reference<T: Copy>(values: impl IntoIterator<Item = T>, identity: T, combine: impl Fn(T, T) -> T) -> T {
    let mut values = values.into_iter().peekable();
    let first: Vec<T> = values.by_ref().take(LANES).collect();
    if values.peek().is_none() {
        return first.into_iter().fold(identity, combine);
    }
    let mut values = first.into_iter().chain(values).peekable();
    let mut chunks = Vec::new();
    while values.peek().is_some() {
        chunks.push(by_lanes(values.by_ref().take(CHUNK), identity, &combine));
    }
    match chunks[..] {
        [one] => one,
        _ => by_lanes(chunks, identity, combine),
    }
}

/// Values dealt to the lanes in turn, then the lanes combined.
fn by_lanes<T: Copy>(values: impl IntoIterator<Item = T>, identity: T, combine: impl Fn(T, T) -> T) -> T {
    let mut lanes = [identity; LANES];
    for (e, value) in values.into_iter().enumerate() {
        lanes[e % LANES] = combine(lanes[e % LANES], value);
    }
    fold(&mut lanes, combine)
}

/// The value of the lanes of one chunk, which are folded where they are.
#[inline(always)]
pub fn fold<T: Copy>(lanes: &mut [T; LANES], combine: impl Fn(T, T) -> T) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for l in 0..half {
            lanes[l] = combine(lanes[l], lanes[l + half]);
        }
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of a few elements, written out by hand.
    #[test]
    fn the_tree_is_this_one() {
        let brackets = |n: usize| {
            let name = |e: usize| ["a", "b", "c", "d", "e", "f"][e % 6];
            let combined = std::cell::RefCell::new(vec![String::new()]);
            let leaf = |s: String| {
                combined.borrow_mut().push(s);
                combined.borrow().len() - 1
            };
            let leaves: Vec<usize> = (0..n).map(|e| leaf(name(e).into())).collect();
            let both = |l: usize, r: usize| {
                let (a, b) = (combined.borrow()[l].clone(), combined.borrow()[r].clone());
                match (a.as_str(), b.as_str()) {
                    ("", _) => r,
                    (_, "") => l,
                    _ => leaf(format!("({a}+{b})")),
                }
            };
            let root = reference(leaves, 0, both);
            combined.borrow()[root].clone()
        };
        assert_eq!(brackets(0), "");
        assert_eq!(brackets(2), "(a+b)");
        assert_eq!(brackets(4), "(((a+b)+c)+d)");
        assert!(brackets(32).starts_with(&("(".repeat(31) + "a+b)+c)+d)+e)+f)+a)")));
        let mut with_second_round = brackets(33); // element 32 joins lane 0
        with_second_round.retain(|c| c != '+');
        assert!(with_second_round.starts_with("((((((ac)"), "{with_second_round}");
    }

    /// Octave's: `prod([1e-200 1e200 1e-200 1e200])` is 1.
    #[test]
    fn a_short_product_neither_overflows_nor_vanishes_on_the_way() {
        assert_eq!(reference([1e-200, 1e200, 1e-200, 1e200], 1.0, |a, b| a * b), 1.0);
        assert_eq!(reference([-0.0, -0.0], 0.0, |a: f64, b| a + b).to_bits(), 0);
    }

    #[test]
    fn chunks_combine_by_lanes() {
        let n = 34 * CHUNK + 5;
        let sum = |range: std::ops::Range<usize>| reference(range.map(term), 0.0, |a, b| a + b);
        let mut lanes: Vec<f64> = (0..34).map(|c| sum(c * CHUNK..(c + 1) * CHUNK)).collect();
        lanes.push(sum(34 * CHUNK..n));
        for c in 32..35 {
            lanes[c % 32] += lanes[c];
        }
        for half in [16, 8, 4, 2, 1] {
            for l in 0..half {
                lanes[l] += lanes[l + half];
            }
        }
        assert_eq!(sum(0..n), lanes[0]);
    }

    fn term(e: usize) -> f64 {
        1.0 / (e as f64 + 0.3)
    }
}
