//! The order of elements that `sort` makes: ascending, NaN behind everything else; -0 and 0 are equal. Both directions are
//! stable, so equal elements stay in their order.
//!
//! [`permutation`] says so plainly. What sorts much sorts by [`Keyed::key`], unsigned integers that stand in the same order: they
//! compare without branches, several times as fast.

use std::cmp::Ordering;
use std::hint::select_unpredictable;

/// An element that can be sorted.
pub trait Ordered: Copy {
    /// How it stands to another in ascending order.
    fn order(self, other: Self) -> Ordering;
}

macro_rules! floats {
    ($($t:ty),*) => {$(
        impl Ordered for $t {
            fn order(self, other: Self) -> Ordering {
                self.partial_cmp(&other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
            }
        }
    )*};
}
floats!(f64, f32);

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl Ordered for $t {
            fn order(self, other: Self) -> Ordering {
                self.cmp(&other)
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64, bool);

/// The positions of the elements, from zero, in the order that `sort` gives them.
pub fn permutation<T: Ordered>(list: &[T], descending: bool) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..list.len()).collect();
    positions.sort_by(|&a, &b| {
        let ascending = list[a].order(list[b]);
        if descending { ascending.reverse() } else { ascending }
    });
    positions
}

/// How many numbers of an ascending list are not above a limit. Each step halves the list without a branch, so searches for many limits run beside
/// each other. A list in another order gives some number up to its length.
#[inline]
pub fn not_above(list: &[f64], limit: f64) -> usize {
    let (mut first, mut length) = (0, list.len());
    while length > 1 {
        let half = length / 2;
        first = select_unpredictable(list[first + half - 1] <= limit, first + half, first);
        length -= half;
    }
    first + usize::from(list.get(first).is_some_and(|x| *x <= limit))
}

/// Of a table in ascending or descending order: how many elements do not stand behind a number. That are all where it is NaN.
#[inline]
pub fn place(table: &[f64], number: f64) -> usize {
    match table {
        _ if number.is_nan() => table.len(),
        [first, .., last] if first > last => not_behind(table, number),
        _ => not_above(table, number),
    }
}

/// How many numbers of a descending list are not below a limit.
fn not_behind(list: &[f64], limit: f64) -> usize {
    list.partition_point(|x| *x >= limit)
}

/// Where numbers are in a table whose elements are equally spaced: a product says it, to one element.
///
/// The product does not fall where the number rises, as subtraction, multiplication and rounding do not. So if it gives each element its own
/// place, what lies between two neighbours gets the place of one of them, and one comparison says of which.
#[derive(Debug, Clone, Copy)]
pub struct Spaced {
    first: f64,
    per_unit: f64,
    last: f64,
}

impl Spaced {
    /// The table, if it is finite, ascending and so equally spaced.
    pub fn of(table: &[f64]) -> Option<Self> {
        let (Some(first), Some(end)) = (table.first().copied(), table.last().copied()) else { return None };
        let last = (table.len() - 1) as f64;
        let spaced = Self { first, per_unit: last / (end - first), last };
        let fits = table.len() <= i32::MAX as usize && spaced.per_unit.is_finite() && spaced.per_unit > 0.0;
        let own = |(at, x): (usize, &f64)| x.is_finite() && spaced.near(*x) == at as f64;
        (fits && table.iter().enumerate().all(own)).then_some(spaced)
    }

    /// The number of the element that a number is next to, by the product; of NaN zero. It is below the length of the table, whatever the number.
    #[inline(always)]
    pub fn near(self, number: f64) -> f64 {
        // What is NaN is zero behind `max`.
        ((number - self.first) * self.per_unit + 0.5).floor().max(0.0).min(self.last)
    }

    /// As [`place`], for a number that is `near` the number of this element.
    #[inline(always)]
    pub fn place(self, number: f64, near: f64, element: f64) -> f64 {
        let place = near + f64::from(u8::from(element <= number));
        if number.is_nan() { self.last + 1.0 } else { place }
    }
}

/// A number whose order an unsigned integer tells.
pub trait Keyed: Ordered {
    /// Stands to other keys as the number does to others; equal numbers have equal keys.
    fn key(self) -> u64;
    /// A number with this key.
    fn of_key(key: u64) -> Self;
    /// Whether `of_key` gives this very number, to the bit: of NaN, of which there are many, one, and not -0.
    fn is_in_key(self) -> bool {
        true
    }
}

/// The sign of a double.
const SIGN: u64 = 1 << 63;

impl Keyed for f64 {
    fn key(self) -> u64 {
        // Adding 0 makes -0 the other zero. The bits of positive numbers are in order, those of negative ones in reverse.
        let bits = (self + 0.0).to_bits();
        if self.is_nan() {
            u64::MAX
        } else if bits & SIGN == 0 {
            bits | SIGN
        } else {
            !bits
        }
    }

    fn of_key(key: u64) -> Self {
        if key == u64::MAX {
            return Self::NAN;
        }
        Self::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN })
    }

    fn is_in_key(self) -> bool {
        Self::of_key(self.key()).to_bits() == self.to_bits()
    }
}

impl Keyed for f32 {
    fn key(self) -> u64 {
        f64::from(self).key()
    }

    fn of_key(key: u64) -> Self {
        f64::of_key(key) as Self
    }

    fn is_in_key(self) -> bool {
        !self.is_nan() && f64::from(self).is_in_key()
    }
}

macro_rules! keyed_integers {
    ($($t:ty),*) => {$(
        impl Keyed for $t {
            fn key(self) -> u64 {
                (self as i64 as u64) ^ SIGN
            }

            fn of_key(key: u64) -> Self {
                (key ^ SIGN) as i64 as Self
            }
        }
    )*};
}
keyed_integers!(i8, i16, i32, i64, u8, u16, u32);

impl Keyed for u64 {
    fn key(self) -> u64 {
        self
    }

    fn of_key(key: u64) -> Self {
        key
    }
}

impl Keyed for bool {
    fn key(self) -> u64 {
        self.into()
    }

    fn of_key(key: u64) -> Self {
        key != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Keyed, Spaced, not_above, permutation, place};

    #[test]
    fn numbers_that_are_not_above_a_limit_are_counted() {
        for length in 0..20 {
            let list: Vec<f64> = (0..length).map(|k| f64::from(k / 2)).collect();
            for limit in [-1.0, 0.0, 0.5, 1.0, 3.0, 4.5, 100.0, f64::NAN] {
                let expected = list.iter().filter(|x| **x <= limit).count();
                assert_eq!(not_above(&list, limit), expected, "{length} {limit}");
            }
        }
    }

    #[test]
    fn places_in_tables_of_either_order() {
        let down = [5.0, 3.0, 3.0, -1.0];
        let places = [6.0, 5.0, 4.0, 3.0, 0.0, -1.0, -2.0, f64::NAN].map(|x| place(&down, x));
        assert_eq!(places, [0, 1, 1, 3, 3, 4, 4, 4]);
        assert_eq!([1.0, 2.5, f64::NAN].map(|x| place(&[2.0, 2.0, 3.0], x)), [0, 2, 3]);
        assert_eq!([1.0, f64::NAN].map(|x| place(&[], x)), [0, 0]);
    }

    /// At each element, its neighbours among doubles, and between.
    #[test]
    fn a_product_finds_the_places_of_a_search() {
        for (first, last, n) in
            [(0.0, 1.0, 11), (-3.7, 1e6, 1001), (0.1, 0.7, 7), (1e15, 1e15 + 40.0, 21), (0.0, 1e-290, 11)]
        {
            let step = (last - first) / f64::from(n - 1);
            let table: Vec<f64> = (0..n).map(|k| if k == n - 1 { last } else { first + f64::from(k) * step }).collect();
            let spaced = Spaced::of(&table).unwrap_or_else(|| panic!("{first} {last} {n}"));
            let near = table.iter().flat_map(|x| [x.next_down(), *x, x.next_up(), x + 0.5 * step, x + 0.49 * step]);
            for x in near.chain([f64::NAN, f64::INFINITY, -f64::INFINITY, f64::MAX, -f64::MAX, 0.0, -0.0]) {
                let near = spaced.near(x);
                assert_eq!(spaced.place(x, near, table[near as usize]), place(&table, x) as f64, "{x} {table:?}");
            }
        }
        let not_spaced: [&[f64]; 8] = [
            &[],
            &[1.0],
            &[1.0, 1.0],
            &[2.0, 1.0],
            &[0.0, 1.0, 5.0],
            &[0.0, f64::INFINITY],
            &[0.0, f64::NAN, 2.0],
            &[0.0, 5e-324],
        ];
        for table in not_spaced {
            assert!(Spaced::of(table).is_none(), "{table:?}");
        }
    }

    #[test]
    fn nan_is_greatest_and_equal_elements_keep_their_order() {
        let list = [f64::NAN, 1.0, 0.0, -0.0, f64::INFINITY, 1.0];
        assert_eq!(permutation(&list, false), [2, 3, 1, 5, 4, 0]);
        assert_eq!(permutation(&list, true), [0, 4, 1, 5, 2, 3]);
        assert_eq!(permutation(&[true, false], false), [1, 0]);
        assert_eq!(permutation::<u8>(&[], true), []);
    }

    fn keys_are_ordered<T: Keyed + PartialEq + std::fmt::Debug>(list: &[T]) {
        for &a in list {
            for &b in list {
                assert_eq!(a.key().cmp(&b.key()), a.order(b), "{a:?} {b:?}");
            }
            assert_eq!(T::of_key(a.key()).order(a), std::cmp::Ordering::Equal, "{a:?}");
        }
    }

    #[test]
    fn keys_stand_in_the_order_of_numbers() {
        let tiny = f64::from_bits(1);
        let doubles =
            [f64::NAN, -f64::NAN, 0.0, -0.0, 1.0, -1.0, tiny, -tiny, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, 0.1];
        keys_are_ordered(&doubles);
        keys_are_ordered(&doubles.map(|x| x as f32));
        keys_are_ordered(&[i64::MIN, -1, 0, 1, i64::MAX]);
        keys_are_ordered(&[u64::MAX, 0, 1 << 63, (1 << 63) - 1]);
        keys_are_ordered(&[i8::MIN, -1, 0, i8::MAX]);
        keys_are_ordered(&[u32::MAX, 0, 7]);
        keys_are_ordered(&[true, false]);
        let in_keys = doubles.map(|x| (x.is_in_key(), f64::of_key(x.key()).to_bits() == x.to_bits()));
        assert!(in_keys.iter().all(|(told, is)| told == is), "{in_keys:?}");
        assert_eq!(in_keys.iter().filter(|(told, _)| *told).count(), 10);
    }
}
