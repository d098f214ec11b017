//! Arrays that change their sizes.
//!
//! Where every element keeps its place in memory (vectors in both orders, whole columns in column order, whole rows in row
//! order) an array grows within its capacity, which grows by halves: appending n elements one by one copies each a bounded
//! number of times. Otherwise the elements move to a new array.
//!
//! An array that a device has comes back before its sizes change, and stays there if they are what they were.

use crate::layout::{Layout, elements};
use crate::whole::Part;
use crate::{Array, Domain, Error, ErrorKind, Result, Site, View, device};

impl<L: Layout, T: Copy, const N: usize> Array<L, T, N> {
    /// Changes the extents; elements whose indices exist in both keep their values, others become `fill`.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`]; [`ErrorKind::Device`]: what only a device has cannot be had from it.
    #[inline]
    pub fn resize(&mut self, shape: [usize; N], fill: T, site: &Site) -> Result<()> {
        if device::active() && shape != self.shape {
            device::fetch(self.place(), site)?;
            device::wrote(self.place());
        }
        let (old, new) = (L::strides(self.shape), L::strides(shape));
        if (0..N).all(|d| shape[d] >= self.shape[d] && (self.shape[d] <= 1 || old[d] == new[d])) {
            return self.append(shape, fill, site);
        }
        self.lay_out(shape, fill, site)
    }

    /// [`Array::resize`] where every element keeps its place in memory.
    #[inline]
    fn append(&mut self, shape: [usize; N], fill: T, site: &Site) -> Result<()> {
        match elements(&shape).and_then(|len| self.buf.extend(len, fill)) {
            Some(()) => {
                self.shape = shape;
                Ok(())
            }
            None => Err(Error::new(ErrorKind::out_of_memory(&shape, size_of::<T>()), site)),
        }
    }

    /// [`Array::resize`] where elements move.
    fn lay_out(&mut self, shape: [usize; N], fill: T, site: &Site) -> Result<()> {
        let mut new = Array::<L, T, N>::filled(shape, fill, site)?;
        let common = std::array::from_fn(|d| shape[d].min(self.shape[d]));
        copy_common(self.view(), &mut new, common);
        *self = new;
        Ok(())
    }
}

/// A number, or an array of at most as many dimensions and in none longer, in a new array of `shape`: elements keep their
/// indices, others are `zero`.
///
/// # Errors
/// No memory; a shape with no room.
pub fn enlarged<L: Layout, T: Copy, const N: usize, const R: usize>(
    part: Part<'_, L, T, N>,
    shape: [usize; R],
    zero: T,
    site: &Site,
) -> Result<Array<L, T, R>> {
    let given = match part {
        Part::Number(_) => [1; N],
        Part::Array(view) => view.shape(),
    };
    let extent = |d: usize| given.get(d).copied().unwrap_or(1);
    if N > R || (0..R).any(|d| extent(d) > shape[d]) {
        let kind = ErrorKind::shapes(&shape, &given);
        return Err(Error::new(kind, site));
    }
    let mut extents = [1; R];
    extents[..N].copy_from_slice(&given);
    let number;
    let view = match part {
        Part::Number(x) => {
            number = [x];
            View::<L, T, R>::new(&number, extents)
        }
        Part::Array(view) => View::new(view.as_slice(), extents),
    };
    if view.shape() == shape {
        return Ok(view.to_owned());
    }
    let mut out = Array::<L, T, R>::filled(shape, zero, site)?;
    copy_common(view, &mut out, view.shape());
    Ok(out)
}

/// Copies the elements whose indices lie below `common`, which is at most the extents of both.
fn copy_common<L: Layout, T: Copy, const N: usize>(
    from: View<'_, L, T, N>,
    to: &mut Array<L, T, N>,
    common: [usize; N],
) {
    let (to, by_loop) = (to.out(), L::permute(common));
    for row in Domain::nest(by_loop).whole().rows(by_loop) {
        let at = L::permute(row.at);
        // SAFETY: every index is below the extents common to both arrays, and `to` is borrowed only here.
        unsafe { to.row(at, row.len).copy_from_slice(from.row(at, row.len)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColMajor, RowMajor, memory};

    const SITE: Site = Site { path: "test.m", line: 1, column: 1, text: "here" };

    /// The elements columns first.
    fn elements<L: Layout, const N: usize>(array: &Array<L, f64, N>) -> Vec<f64> {
        // SAFETY: the numbers of all elements.
        (0..array.len() as i64).map(|k| unsafe { array.at_linear(k) }).collect()
    }

    fn counted<L: Layout>(shape: [usize; 2]) -> Array<L, f64, 2> {
        let mut array = Array::filled(shape, 0.0, &SITE).unwrap();
        // SAFETY: the numbers of all elements.
        (0..array.len() as i64).for_each(|k| unsafe { array.put_linear(k, k as f64 + 1.0) });
        array
    }

    fn grows<L: Layout>() {
        for (from, to, want) in [
            ([1, 2], [1, 4], &[1.0, 2.0, 0.0, 0.0][..]),
            ([2, 1], [3, 1], &[1.0, 2.0, 0.0]),
            ([2, 2], [2, 3], &[1.0, 2.0, 3.0, 4.0, 0.0, 0.0]),
            ([2, 2], [3, 2], &[1.0, 2.0, 0.0, 3.0, 4.0, 0.0]),
            ([1, 2], [2, 2], &[1.0, 0.0, 2.0, 0.0]),
            ([2, 1], [2, 2], &[1.0, 2.0, 0.0, 0.0]),
            ([0, 3], [1, 3], &[0.0, 0.0, 0.0]),
            ([3, 0], [3, 1], &[0.0, 0.0, 0.0]),
        ] {
            let mut array = counted::<L>(from);
            let new = enlarged(Part::Array(array.view()), to, 0.0, &SITE).unwrap();
            array.resize(to, 0.0, &SITE).unwrap();
            assert_eq!((array.shape(), elements(&array)), (to, want.to_vec()), "{from:?} to {to:?}");
            assert_eq!((new.shape(), elements(&new)), (to, want.to_vec()), "{from:?} to {to:?}");
        }
    }

    #[test]
    fn elements_keep_their_subscripts() {
        grows::<ColMajor>();
        grows::<RowMajor>();
    }

    #[test]
    fn numbers_and_matrices_get_dimensions() {
        let row = enlarged(Part::<ColMajor, f64, 2>::Number(7.0), [1, 3], 0.0, &SITE).unwrap();
        assert_eq!(elements(&row), [7.0, 0.0, 0.0]);
        let cube = enlarged(Part::Array(counted::<RowMajor>([2, 1]).view()), [2, 2, 2], 0.0, &SITE).unwrap();
        assert_eq!(elements(&cube), [1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert!(enlarged(Part::Array(counted::<RowMajor>([2, 2]).view()), [3, 1], 0.0, &SITE).is_err());
    }

    #[test]
    fn appended_elements_are_copied_a_bounded_number_of_times() {
        let mut row = counted::<ColMajor>([1, 1]);
        let (mut moves, mut last) = (0, std::ptr::null());
        for n in 2..if cfg!(miri) { 300 } else { 20_000 } {
            row.resize([1, n], n as f64, &SITE).unwrap();
            moves += usize::from(row.as_slice().as_ptr() != last);
            last = row.as_slice().as_ptr();
        }
        assert!(moves < 40, "{moves}");
        assert!(elements(&row).iter().enumerate().all(|(k, x)| *x == k as f64 + 1.0));
        assert!(memory::current() >= row.len() * size_of::<f64>());
    }
}
