//! Products of which only comparisons with zero are asked: products of bits.
//!
//! Of factors without negative elements an element of the product is positive if one of its terms is, so where `a * b > 0` is all that a program asks (the
//! reachable nodes of a graph, say) elements are packed to bits: a line of the result is the union, by `or`, of the lines of one factor that the other one's bits name. That is an
//! operation for 512 multiplications, and a line that is full already needs no more.
//!
//! The result has 1 where the product is positive, else 0. That the factors allow it is found out as they are packed: each element is a zero of either
//! sign, or positive, finite and not so small that a term of two of them may round to zero.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Real;
use super::matrix::Lines;
use crate::isa::{Isa, Kernel};
use crate::launch::{Chunk, Domain, launch, repeated};

/// Bits of a word.
const WORD: usize = u64::BITS as usize;
/// Words of a strip: what is worked on at a time is one register.
const WORDS: usize = 8;
/// Lines of a strip.
const STRIP: usize = WORD * WORDS;
/// Elements that are packed at a time.
const LANES: usize = 8;
/// Lines and terms below which a product is as fast.
const LEAST: usize = 64;

/// Bits of [`STRIP`] lines for one term.
type Strip = [u64; WORDS];

/// Writes 1 to the elements that the product of the lines of `tall` and of `wide`, which have `inner` elements each, has positive, and 0 to the others, if
/// the factors allow it and it is worth it; whether it did. `out` has the lines of `tall` for the first line of `wide` first.
///
/// # Safety
/// The factors reach all their elements; `out` has room for all of the product, overlaps no factor, and nothing else refers to it.
pub unsafe fn multiply<T: Real>(out: *mut T, tall: Lines<T>, wide: Lines<T>, inner: usize) -> bool {
    if [tall.count, wide.count, inner].into_iter().min() < Some(LEAST) {
        return false;
    }
    let strips = tall.count.div_ceil(STRIP);
    let words = inner.div_ceil(WORD);
    let (Some(mut bits), Some(mut named)) = (room::<Strip>(strips, words * WORD), room::<u64>(wide.count, words))
    else {
        return false;
    };
    let fits = AtomicBool::new(true);
    let terms = Lines { start: tall.start, count: inner, apart: tall.inward, inward: tall.apart };
    let to = bits.as_mut_ptr().cast();
    let pack = Pack { lines: terms, inward: tall.count, group: WORDS, groups: words * WORD, to, fits: &fits };
    launch(&pack, Domain::nest([inner, 1]), repeated(1, tall.count));
    let pack = Pack { lines: wide, inward: inner, group: words, groups: 1, to: named.as_mut_ptr(), fits: &fits };
    launch(&pack, Domain::nest([wide.count, 1]), repeated(1, inner));
    if !fits.into_inner() {
        return false;
    }
    let union = Union { bits: &bits, named: &named, lines: tall.count, columns: wide.count, words, out };
    launch(&union, Domain::nest([strips * wide.count, 1]), repeated(1, STRIP + inner));
    true
}

/// So many zeros, if there is memory.
fn room<E: Copy + Default>(lines: usize, each: usize) -> Option<Vec<E>> {
    let count = lines.checked_mul(each)?;
    let mut room = Vec::new();
    room.try_reserve_exact(count).ok()?;
    room.resize(count, E::default());
    Some(room)
}

/// The bits of up to 64 elements, and whether all of them are such as have bits.
#[inline(always)]
fn word<T: Real>(elements: &[T; WORD]) -> (u64, bool) {
    let (mut bits, mut fits) = ([0u64; LANES], [true; LANES]);
    for (first, part) in (0..).step_by(LANES).zip(elements.as_chunks::<LANES>().0) {
        for l in 0..LANES {
            let element = part[l];
            bits[l] |= if element > T::ZERO { 1 << (first + l) } else { 0 };
            fits[l] &= (element == T::ZERO) | ((element >= T::LEAST_TERM) & (element <= T::MOST));
        }
    }
    (bits.into_iter().fold(0, |all, some| all | some), fits.into_iter().all(|fits| fits))
}

/// The word of elements that lie at a distance from each other, of which there may be fewer than 64.
///
/// # Safety
/// There are so many elements.
#[inline(always)]
unsafe fn word_at<T: Real>(start: *const T, apart: isize, count: usize) -> (u64, bool) {
    if apart == 1 && count == WORD {
        // SAFETY: the caller's promise: 64 neighbours.
        return word(unsafe { &*start.cast::<[T; WORD]>() });
    }
    let mut elements = [T::ZERO; WORD];
    for (l, element) in elements.iter_mut().enumerate().take(count) {
        // SAFETY: the caller's promise.
        *element = unsafe { *start.offset(l as isize * apart) };
    }
    word(&elements)
}

/// Packs lines, so many words of each after the other.
struct Pack<'p, T> {
    lines: Lines<T>,
    /// Elements of a line.
    inward: usize,
    /// Words of a line that lie together,
    group: usize,
    /// and how many such groups are from one of a line to its next.
    groups: usize,
    to: *mut u64,
    fits: &'p AtomicBool,
}

// SAFETY: the factor is only read, and each point writes the words of a line of its own.
unsafe impl<T: Real> Sync for Pack<'_, T> {}

impl<T: Real> Kernel for Pack<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        for line in chunk.outer.clone() {
            let mut all = true;
            for (word, first) in (0..self.inward).step_by(WORD).enumerate() {
                let count = (self.inward - first).min(WORD);
                // SAFETY: lines and elements are below their numbers.
                let (bits, fits) = unsafe { word_at(self.lines.at(line, first), self.lines.inward, count) };
                all &= fits;
                let place = (word / self.group * self.groups + line) * self.group + word % self.group;
                // SAFETY: there is room for all groups, and this point has those of the line.
                unsafe { *self.to.add(place) = bits };
            }
            if !all {
                return self.fits.store(false, Ordering::Relaxed);
            }
        }
    }
}

/// The product.
struct Union<'u, T> {
    bits: &'u [Strip],
    named: &'u [u64],
    /// Elements of a column of the result.
    lines: usize,
    columns: usize,
    /// Of each column's terms.
    words: usize,
    out: *mut T,
}

// SAFETY: each point writes a strip of the result of its own.
unsafe impl<T: Real> Sync for Union<'_, T> {}

impl<T: Real> Kernel for Union<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        for point in chunk.outer.clone() {
            let (strip, column) = (point / self.columns, point % self.columns);
            let first = strip * STRIP;
            let count = (self.lines - first).min(STRIP);
            let union = self.union(strip, column);
            // SAFETY: the result has so many elements there, which this point alone writes.
            let out = unsafe { self.out.add(column * self.lines + first).cast::<MaybeUninit<T>>() };
            // SAFETY: as above.
            let out = unsafe { std::slice::from_raw_parts_mut(out, count) };
            for (elements, bits) in out.chunks_mut(WORD).zip(union) {
                for (l, element) in elements.iter_mut().enumerate() {
                    element.write(if bits >> l & 1 == 1 { T::ONE } else { T::ZERO });
                }
            }
        }
    }
}

impl<T: Real> Union<'_, T> {
    /// The bits of a strip of a column.
    #[inline(always)]
    fn union(&self, strip: usize, column: usize) -> Strip {
        let terms = self.words * WORD;
        let bits = &self.bits[strip * terms..][..terms];
        let named = &self.named[column * self.words..][..self.words];
        let mut union = [0; WORDS];
        for (terms, &named) in bits.as_chunks::<WORD>().0.iter().zip(named) {
            let mut named = named;
            while named != 0 {
                let term = &terms[named.trailing_zeros() as usize];
                union = std::array::from_fn(|w| union[w] | term[w]);
                named &= named - 1;
            }
            // Full, as it mostly is soon or not at all.
            if union == [u64::MAX; WORDS] {
                break;
            }
        }
        union
    }
}

#[cfg(test)]
mod tests;
