//! The order of elements that `sort` makes: ascending, NaN behind everything else; -0 and 0 are equal. Both directions are
//! stable, so equal elements stay in their order.

use std::cmp::Ordering;

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

#[cfg(test)]
mod tests {
    use super::permutation;

    #[test]
    fn nan_is_greatest_and_equal_elements_keep_their_order() {
        let list = [f64::NAN, 1.0, 0.0, -0.0, f64::INFINITY, 1.0];
        assert_eq!(permutation(&list, false), [2, 3, 1, 5, 4, 0]);
        assert_eq!(permutation(&list, true), [0, 4, 1, 5, 2, 3]);
        assert_eq!(permutation(&[true, false], false), [1, 0]);
        assert_eq!(permutation::<u8>(&[], true), []);
    }
}
