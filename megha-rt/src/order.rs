//! `find` and `sort`: where elements are, and where they belong.

use megha_base::order::{Ordered, permutation};

use crate::element::unravel;
use crate::layout::{ColMajor, Layout};
use crate::{Array, Result, Site, View};

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
    // SAFETY: the numbers of all elements.
    let found = (0..mask.len()).filter(|&k| unsafe { mask.at_linear(k as i64) });
    for (slot, k) in out.as_mut_slice().iter_mut().zip(found) {
        *slot = (k + 1) as f64;
    }
    Ok(out)
}

/// The array with the elements along `axis` in order.
///
/// # Errors
/// No memory.
pub fn sort<L: Layout, T: Ordered + Default, const N: usize>(
    array: View<'_, L, T, N>,
    axis: i64,
    descending: bool,
    site: &Site,
) -> Result<Array<L, T, N>> {
    sorted(array, axis, descending, |lane, from| lane[from], site)
}

/// For each element of the sorted array where it was along `axis`, from one.
///
/// # Errors
/// No memory.
pub fn sort_index<L: Layout, T: Ordered, const N: usize>(
    array: View<'_, L, T, N>,
    axis: i64,
    descending: bool,
    site: &Site,
) -> Result<Array<L, f64, N>> {
    sorted(array, axis, descending, |_, from| (from + 1) as f64, site)
}

/// Sorts each line of elements along `axis`; `pick` says what stands for the element that was at a position of its line.
fn sorted<L: Layout, T: Ordered, U: Copy + Default, const N: usize>(
    array: View<'_, L, T, N>,
    axis: i64,
    descending: bool,
    pick: impl Fn(&[T], usize) -> U,
    site: &Site,
) -> Result<Array<L, U, N>> {
    let (axis, shape) = (axis as usize, array.shape());
    let mut out = Array::<L, U, N>::filled(shape, U::default(), site)?;
    let mut starts = shape;
    // Beyond the last dimension every line has one element.
    let length = if axis < N { std::mem::replace(&mut starts[axis], 1) } else { 1 };
    let mut lane = Vec::with_capacity(length);
    for line in 0..starts.iter().product() {
        let start = unravel::<ColMajor, N>(starts, line);
        let at = |k: usize| {
            let mut at = start;
            if axis < N {
                at[axis] = k;
            }
            at
        };
        lane.clear();
        // SAFETY: `start` lies within the array, and `k` below the extent of its axis.
        lane.extend((0..length).map(|k| unsafe { array.get_unchecked(at(k)) }));
        for (k, from) in permutation(&lane, descending).into_iter().enumerate() {
            // SAFETY: as above; the result has the array's shape.
            unsafe { out.set_unchecked(at(k), pick(&lane, from)) };
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{find, sort, sort_index};
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

    #[test]
    fn lines_are_sorted_in_either_memory_order() {
        along_both_axes::<ColMajor>();
        along_both_axes::<RowMajor>();
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
