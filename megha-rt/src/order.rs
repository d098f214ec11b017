//! `find` and `sort`: where elements are, and where they belong.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use megha_base::memory::{gathered, reserve, with_room};
use megha_base::order::{Keyed, Spaced, place};
use rayon::prelude::*;

use crate::element::unravel;
use crate::isa::{Isa, Kernel, dispatch};
use crate::launch::{Chunk, Domain, TILE, is_parallel, share};
use crate::layout::{ColMajor, Layout, Order};
use crate::view::Out;
use crate::{Array, Result, Site, View};

/// Simple operations that an answer takes.
const WEIGHT: u64 = 2;
/// So many numbers or more are looked for by several threads.
const FEW: usize = 256;
/// Answers that are looked at together.
const WORD: usize = u64::BITS as usize;

/// The numbers, from one and columns first, of the elements that are true: as many of them as `shape` has room for.
///
/// # Errors
/// No memory.
pub fn find<L: Layout, const N: usize>(
    mask: View<'_, L, bool, N>,
    shape: [usize; 2],
    site: &Site,
) -> Result<Array<L, f64, 2>> {
    let mut out = Array::<L, f64, 2>::filled(shape, 0.0, site)?;
    let slots = out.as_mut_slice();
    let in_memory_order =
        matches!(L::ORDER, Order::ColMajor) || mask.shape().iter().filter(|&&extent| extent != 1).count() <= 1;
    match in_memory_order {
        true => numbers_of_true(mask.as_slice(), slots),
        false => {
            // Each number is written where the next found one belongs, and stays there if it is one: no branch depends on the mask.
            let (mut found, mut k) = (0, 0);
            while found < slots.len() && k < mask.len() {
                slots[found] = (k + 1) as f64;
                // SAFETY: `k` is the number of an element.
                found += usize::from(unsafe { mask.at_linear(k as i64) });
                k += 1;
            }
            // Without as many, what was written last is none of them.
            slots[found..].fill(0.0);
        }
    }
    Ok(out)
}

/// Writes the numbers of the true elements, from one, as many as there are slots. Several threads count those of a part each first, so that all know where theirs begin.
fn numbers_of_true(mask: &[bool], slots: &mut [f64]) {
    let threads = if is_parallel(WEIGHT * mask.len() as u64) { rayon::current_num_threads() } else { 1 };
    // Of a few the last may be among the first answers.
    if threads == 1 || slots.len() < FEW {
        return numbers_behind(0, mask, slots);
    }
    let each = mask.len().div_ceil(threads).next_multiple_of(WORD);
    let parts = gathered(mask.chunks(each));
    let counts = gathered(parts.iter().map(|_| AtomicUsize::new(0)));
    share(parts.len(), threads, &|at| {
        counts[at].store(parts[at].iter().filter(|answer| **answer).count(), Ordering::Relaxed);
    });
    let mut rest = slots;
    let places = gathered(counts.into_iter().map(|count| {
        let all = std::mem::take(&mut rest);
        let (own, behind) = all.split_at_mut(count.into_inner().min(all.len()));
        rest = behind;
        Mutex::new(own)
    }));
    share(parts.len(), threads, &|at| {
        numbers_behind(at * each, parts[at], &mut places[at].lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// Writes the numbers of the true elements behind so many others: a word of 64 answers at a time, of which only those that are true are looked at.
fn numbers_behind(before: usize, mask: &[bool], slots: &mut [f64]) {
    let mut slots = slots.iter_mut();
    for (word, answers) in mask.chunks(WORD).enumerate() {
        let mut left = bits(answers);
        while left != 0 {
            let Some(slot) = slots.next() else { return };
            *slot = (before + WORD * word + left.trailing_zeros() as usize + 1) as f64;
            left &= left - 1;
        }
    }
}

/// The answers as bits, the first one lowest.
fn bits(answers: &[bool]) -> u64 {
    /// Moves the lowest bit of each of eight bytes to a byte of its own: product and sum of the shifts that do not meet (H. Warren, "Hacker's Delight", 7.3).
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (eights, rest) = answers.as_chunks::<8>();
    let mut bits = 0;
    for (at, eight) in eights.iter().enumerate() {
        let bytes = u64::from_le_bytes(eight.map(u8::from));
        bits |= (bytes.wrapping_mul(GATHER) >> 56) << (8 * at);
    }
    for (at, answer) in rest.iter().enumerate() {
        bits |= u64::from(*answer) << (8 * eights.len() + at);
    }
    bits
}

/// The array with the elements along `axis` in order.
///
/// # Errors
/// No memory.
pub fn sort<L: Layout, T: Keyed + Default, const N: usize>(
    array: View<'_, L, T, N>,
    axis: i64,
    descending: bool,
    site: &Site,
) -> Result<Array<L, T, N>> {
    let line = |line: &[T], out: &mut Vec<T>| {
        if line.iter().all(|x| x.is_in_key()) {
            let mut keys = gathered(line.iter().map(|x| directed(x.key(), descending)));
            in_order(&mut keys);
            out.extend(keys.into_iter().map(|key| T::of_key(directed(key, descending))));
        } else {
            out.extend(positions(line, descending).map(|from| line[from]));
        }
    };
    along_lines(array, axis, line, site)
}

/// For each element of the sorted array where it was along `axis`, from one.
///
/// # Errors
/// No memory.
pub fn sort_index<L: Layout, T: Keyed, const N: usize>(
    array: View<'_, L, T, N>,
    axis: i64,
    descending: bool,
    site: &Site,
) -> Result<Array<L, f64, N>> {
    let line = |line: &[T], out: &mut Vec<f64>| out.extend(positions(line, descending).map(|from| (from + 1) as f64));
    along_lines(array, axis, line, site)
}

/// The two elements in the middle of the order of each line along `axis`, that in the middle twice where their number is odd; NaN twice where one is
/// NaN or there is none. By quickselect (Hoare, Algorithm 65: Find, 1961).
///
/// # Errors
/// No memory.
pub fn middle<L: Layout, T: Keyed + Default, const N: usize>(
    array: View<'_, L, T, N>,
    axis: i64,
    site: &Site,
) -> Result<Array<L, T, N>> {
    let mut keys = Vec::new();
    let line = |line: &[T], out: &mut Vec<T>| {
        keys.clear();
        reserve(&mut keys, line.len());
        keys.extend(line.iter().map(|x| x.key()));
        // The key of NaN, which is above all others.
        if keys.is_empty() || keys.contains(&u64::MAX) {
            return out.extend([T::of_key(u64::MAX); 2]);
        }
        let half = keys.len() / 2;
        let (below, upper, _) = keys.select_nth_unstable(half);
        let upper = *upper;
        let lower = if line.len() % 2 == 1 { upper } else { below.iter().copied().max().unwrap_or(upper) };
        out.extend([lower, upper].map(T::of_key));
    };
    let mut shape = array.shape();
    shape[axis as usize] = 2;
    lines_of(array, axis, shape, line, site)
}

/// For each of the `values` how many elements of the ascending or descending `table` do not stand behind it.
///
/// # Errors
/// No memory.
pub fn lookup<L: Layout, const M: usize, const N: usize>(
    table: View<'_, L, f64, M>,
    values: View<'_, L, f64, N>,
    site: &Site,
) -> Result<Array<L, f64, N>> {
    /// Searches that a thread takes at once.
    const MANY: usize = 1 << 13;
    // A table is a vector: in memory its elements lie in their order.
    let (table, numbers) = (table.as_slice(), values.as_slice());
    let mut out = Array::<L, f64, N>::uninit(values.shape(), site)?;
    let places = out.fill();
    // To test the table pays where many numbers are looked for.
    let spaced = if numbers.len() / 4 >= table.len() { Spaced::of(table) } else { None };
    let weight = WEIGHT * if spaced.is_some() { 1 } else { u64::from(table.len().max(2).ilog2()) };
    let threads = if is_parallel(weight * numbers.len() as u64) { rayon::current_num_threads() } else { 1 };
    share(numbers.len().div_ceil(MANY), threads, &|part| {
        let first = part * MANY;
        let numbers = &numbers[first..numbers.len().min(first + MANY)];
        let looking = Looking { table, spaced, numbers, first, places };
        dispatch(&looking, &Domain::flat(numbers.len()).whole());
    });
    // SAFETY: each place has been stored.
    Ok(unsafe { out.assume_init() })
}

/// Some numbers that are looked for, from one of all numbers on.
struct Looking<'a, L: Layout, const N: usize> {
    table: &'a [f64],
    spaced: Option<Spaced>,
    numbers: &'a [f64],
    first: usize,
    places: Out<'a, L, f64, N>,
}

impl<L: Layout, const N: usize> Kernel for Looking<'_, L, N> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        let mut near = [0_i32; TILE];
        for tile in chunk.tiles() {
            let numbers = &self.numbers[tile.clone()];
            // SAFETY: there is a place for each number, and these are nobody else's.
            let places = unsafe { self.places.flat(self.first + tile.start, numbers.len()) };
            let Some(spaced) = self.spaced else {
                places.iter_mut().zip(numbers).for_each(|(to, x)| *to = place(self.table, *x) as f64);
                continue;
            };
            for (near, x) in near.iter_mut().zip(numbers) {
                // SAFETY: it is a whole number from zero on, and below the length of the table, which an `i32` holds.
                *near = unsafe { spaced.near(*x).to_int_unchecked() };
            }
            for ((to, x), near) in places.iter_mut().zip(numbers).zip(near) {
                // SAFETY: as above.
                let element = unsafe { *self.table.get_unchecked(near as usize) };
                *to = spaced.place(*x, f64::from(near), element);
            }
        }
    }
}

/// A key for an ascending or a descending order, and back.
fn directed(key: u64, descending: bool) -> u64 {
    if descending { !key } else { key }
}

/// The positions of a line's elements in order, those of equal ones as they are.
fn positions<T: Keyed>(line: &[T], descending: bool) -> impl Iterator<Item = usize> {
    let mut keys: Vec<(u64, usize)> = gathered(line.iter().map(|x| directed(x.key(), descending)).zip(0..));
    in_order(&mut keys);
    keys.into_iter().map(|(_, from)| from)
}

/// Sorts, long lists in parallel; equal keys are the same, so the order is one whatever does it.
fn in_order<K: Ord + Send>(keys: &mut [K]) {
    /// Below this many two threads gain nothing.
    const LONG: usize = 1 << 15;
    if keys.len() < LONG { keys.sort_unstable() } else { keys.par_sort_unstable() }
}

/// Makes of each line of elements along `axis` a line of the result that is as long.
fn along_lines<L: Layout, T: Copy, U: Copy + Default, const N: usize>(
    array: View<'_, L, T, N>,
    axis: i64,
    sorted: impl FnMut(&[T], &mut Vec<U>),
    site: &Site,
) -> Result<Array<L, U, N>> {
    lines_of(array, axis, array.shape(), sorted, site)
}

/// Makes of each line of elements along `axis` a line of the result, which has this shape.
fn lines_of<L: Layout, T: Copy, U: Copy + Default, const N: usize>(
    array: View<'_, L, T, N>,
    axis: i64,
    result: [usize; N],
    mut sorted: impl FnMut(&[T], &mut Vec<U>),
    site: &Site,
) -> Result<Array<L, U, N>> {
    let (axis, shape) = (axis as usize, array.shape());
    let mut out = Array::<L, U, N>::filled(result, U::default(), site)?;
    let mut starts = shape;
    // Beyond the last dimension every line has one element.
    let length = if axis < N { std::mem::replace(&mut starts[axis], 1) } else { 1 };
    let (mut line, mut made) = (with_room(length), with_room(length));
    for number in 0..starts.iter().product() {
        let start = unravel::<ColMajor, N>(starts, number);
        let at = |k: usize| {
            let mut at = start;
            if axis < N {
                at[axis] = k;
            }
            at
        };
        line.clear();
        made.clear();
        // SAFETY: `start` lies within the array, and `k` below the extent of its axis.
        line.extend((0..length).map(|k| unsafe { array.get_unchecked(at(k)) }));
        sorted(&line, &mut made);
        for (k, value) in made.drain(..).enumerate() {
            // SAFETY: as above; the result has the array's shape.
            unsafe { out.set_unchecked(at(k), value) };
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{find, lookup, middle, sort, sort_index};
    use crate::{Array, ColMajor, Layout, RowMajor, Site};

    const SITE: Site = Site { path: "f.m", line: 1, column: 1, text: "sort(x)" };

    fn matrix<L: Layout>() -> Array<L, f64, 2> {
        let mut out = Array::<L, f64, 2>::filled([2, 3], 0.0, &SITE).unwrap();
        for (k, x) in [3.0, 1.0, f64::NAN, 2.0, 1.0, 1.0].into_iter().enumerate() {
            // SAFETY: six elements.
            unsafe { out.put_linear(k as i64, x) };
        }
        out
    }

    fn columns_first<L: Layout, T: Copy>(array: &Array<L, T, 2>) -> Vec<T> {
        // SAFETY: the numbers of all elements.
        (0..array.len()).map(|k| unsafe { array.view().at_linear(k as i64) }).collect()
    }

    fn along_both_axes<L: Layout>() {
        let array = matrix::<L>();
        let columns = sort(array.view(), 0, false, &SITE).unwrap();
        assert_eq!(format!("{:?}", columns_first(&columns)), "[1.0, 3.0, 2.0, NaN, 1.0, 1.0]");
        let rows = sort_index(array.view(), 1, true, &SITE).unwrap();
        assert_eq!(columns_first(&rows), [2.0, 2.0, 1.0, 1.0, 3.0, 3.0]);
        assert_eq!(columns_first(&sort_index(array.view(), 2, true, &SITE).unwrap()), [1.0; 6]);
    }

    /// By one thread and by several, into as many slots as there are true answers, fewer and more.
    #[test]
    fn true_answers_are_numbered_in_order() {
        for len in [0, 1, 63, 64, 1000, if cfg!(miri) { 300 } else { 300_001 }] {
            let mask: Vec<bool> = (0..len).map(|k| k % 7 == 3 || k % 1000 < 5).collect();
            let numbers: Vec<f64> =
                (1..).zip(&mask).filter(|(_, answer)| **answer).map(|(k, _)| f64::from(k)).collect();
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                for slots in [numbers.len(), numbers.len() / 2, numbers.len() + 5] {
                    let mut found = vec![0.0; slots];
                    pool.install(|| super::numbers_of_true(&mask, &mut found));
                    let wanted: Vec<f64> = numbers.iter().copied().chain([0.0; 5]).take(slots).collect();
                    assert!(found == wanted, "{len} answers, {threads} threads");
                }
            }
        }
    }

    #[test]
    fn lines_are_sorted_in_either_memory_order() {
        along_both_axes::<ColMajor>();
        along_both_axes::<RowMajor>();
    }

    #[test]
    fn long_and_odd_lines_are_sorted_as_the_plain_rule_says() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let odd = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-310];
        let long = if cfg!(miri) { 400 } else { 40_000 };
        for (length, kinds) in [(0, 1), (1, 1), (50, 6), (50, 1), (long, 7), (long, 2)] {
            let mut line = Array::<ColMajor, f64, 2>::filled([length, 1], 0.0, &SITE).unwrap();
            for x in line.as_mut_slice() {
                let kind = next() % kinds;
                *x = if kind == 0 { next() as f64 / 1e3 - 1e6 } else { odd[(kind as usize - 1) % odd.len()] };
            }
            for descending in [false, true] {
                let expected = megha_base::order::permutation(line.as_slice(), descending);
                let places = sort_index(line.view(), 0, descending, &SITE).unwrap();
                assert!(
                    places.as_slice().iter().map(|x| *x as usize - 1).eq(expected.iter().copied()),
                    "{length} {kinds}"
                );
                let values = sort(line.view(), 0, descending, &SITE).unwrap();
                let expected = expected.iter().map(|&k| line.as_slice()[k].to_bits());
                assert!(values.as_slice().iter().map(|x| x.to_bits()).eq(expected), "{length} {kinds}");
            }
        }
    }

    #[test]
    fn true_elements_are_found_in_either_memory_order() {
        fn of<L: Layout>(shape: [usize; 2], every: usize) {
            let mut mask = Array::<L, bool, 2>::filled(shape, false, &SITE).unwrap();
            let is_true = |k: usize| k.wrapping_mul(0x9E37_79B9) >> 7 & 0xFF < every;
            for k in 0..mask.len() {
                // SAFETY: the number of an element.
                unsafe { mask.put_linear(k as i64, is_true(k)) };
            }
            let numbers: Vec<f64> = (0..mask.len()).filter(|&k| is_true(k)).map(|k| (k + 1) as f64).collect();
            for slots in [numbers.len(), numbers.len() + 3, numbers.len() / 2] {
                let found = find(mask.view(), [slots, 1], &SITE).unwrap();
                let expected = numbers.iter().copied().chain([0.0; 3]).take(slots);
                assert!(found.as_slice().iter().copied().eq(expected), "{shape:?} {every} {slots}");
            }
        }
        for shape in [[0, 1], [1, 1], [7, 1], [1, 64], [65, 1], [13, 17], [200, 3]] {
            for every in [0, 1, 30, 128, 256] {
                of::<ColMajor>(shape, every);
                of::<RowMajor>(shape, every);
            }
        }
    }

    #[test]
    fn the_middle_of_lines_in_either_memory_order() {
        fn of<L: Layout>() {
            let array = matrix::<L>();
            let columns = middle(array.view(), 0, &SITE).unwrap();
            assert_eq!(format!("{:?}", columns_first(&columns)), "[1.0, 3.0, NaN, NaN, 1.0, 1.0]");
            assert_eq!(
                format!("{:?}", columns_first(&middle(array.view(), 1, &SITE).unwrap())),
                "[NaN, 1.0, NaN, 1.0]"
            );
        }
        of::<ColMajor>();
        of::<RowMajor>();
        let line = |list: &[f64]| {
            let mut line = Array::<ColMajor, f64, 2>::filled([list.len(), 1], 0.0, &SITE).unwrap();
            line.as_mut_slice().copy_from_slice(list);
            middle(line.view(), 0, &SITE).unwrap().as_slice().to_vec()
        };
        assert_eq!(line(&[4.0, -1.0, 3.0, f64::INFINITY]), [3.0, 4.0]);
        assert_eq!(line(&[5.0]), [5.0, 5.0]);
        let long: Vec<f64> = (0..1001).map(|k| f64::from(k * 617 % 1001) - 500.0).collect();
        assert_eq!(line(&long), [0.0, 0.0]);
        assert_eq!(line(&long[1..]), [-1.0, 0.0].map(|x| if long[0] > x { x } else { x + 1.0 }));
        assert!(line(&[]).iter().all(|x| x.is_nan()));
    }

    #[test]
    fn values_are_looked_up_in_parallel_as_alone() {
        let mut table = Array::<ColMajor, f64, 2>::filled([1, 11], 0.0, &SITE).unwrap();
        table.as_mut_slice().iter_mut().zip(0u8..).for_each(|(x, k)| *x = k.into());
        let mut values = Array::<ColMajor, f64, 2>::filled([40_001, 1], 0.0, &SITE).unwrap();
        values.as_mut_slice().iter_mut().enumerate().for_each(|(k, x)| *x = (k * 7919 % 1300) as f64 / 100.0 - 1.0);
        let places = lookup(table.view(), values.view(), &SITE).unwrap();
        let expected = values.as_slice().iter().map(|x| (x.floor() + 1.0).clamp(0.0, 11.0));
        assert!(places.as_slice().iter().copied().eq(expected));
    }

    #[test]
    fn found_elements_are_counted_columns_first() {
        let mut mask = Array::<RowMajor, bool, 2>::filled([2, 2], true, &SITE).unwrap();
        // SAFETY: two rows and columns.
        unsafe { mask.set_unchecked([1, 0], false) };
        assert_eq!(find(mask.view(), [3, 1], &SITE).unwrap().as_slice(), [1.0, 3.0, 4.0]);
        assert_eq!(find(mask.view(), [1, 2], &SITE).unwrap().as_slice(), [1.0, 3.0]);
    }
}
