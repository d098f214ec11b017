//! Complex arguments and results: compiled functions compute on separate arrays of real and imaginary parts.

use num_complex::Complex64;

use crate::array::Array;
use crate::input::{Strided, StridedMut};
use crate::layout::Layout;
use crate::memory::Buf;

impl<'a, const N: usize> Strided<'a, Complex64, N> {
    /// The real and the imaginary parts, where they lie: twice as far apart as the numbers.
    pub fn parts(self) -> (Strided<'a, f64, N>, Strided<'a, f64, N>) {
        let strides = self.strides().map(|stride| 2 * stride);
        let start = self.start().cast::<f64>();
        // SAFETY: a `Complex64` is two `f64`, the real part first (`repr(C)`), so the strides reach initialised parts of the
        // same elements. The second start is used only to reach elements, and without one it does not leave the first address.
        unsafe {
            let second = if self.shape().contains(&0) { start } else { start.add(1) };
            (Strided::from_parts(start, self.shape(), strides), Strided::from_parts(second, self.shape(), strides))
        }
    }
}

impl<'a, const N: usize> StridedMut<'a, Complex64, N> {
    /// The memory of the real and of the imaginary parts, which share no element.
    pub fn parts(self) -> (StridedMut<'a, f64, N>, StridedMut<'a, f64, N>) {
        let (re, im) = self.into_place().parts();
        // SAFETY: the elements are ours alone for `'a`, and each part of them is in one of the two.
        unsafe { (StridedMut::of_place(re), StridedMut::of_place(im)) }
    }
}

/// The complex array of these parts, which have one shape.
pub fn joined<L: Layout, const N: usize>(re: Array<L, f64, N>, im: Array<L, f64, N>) -> Array<L, Complex64, N> {
    let mut buf = Buf::filled(re.len(), Complex64::ZERO);
    let parts = re.as_slice().iter().zip(im.as_slice());
    for (z, (re, im)) in buf.as_mut_slice().iter_mut().zip(parts) {
        *z = Complex64::new(*re, *im);
    }
    Array::from_buf(buf, re.shape())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Input, Vector};
    use crate::layout::{ColMajor, RowMajor};

    fn there_and_back<L: Layout>(z: &impl Input<Complex64, 2>) -> ndarray::Array2<Complex64> {
        let (re, im) = z.strided(Vector::Column).parts();
        joined::<L, 2>(re.copy(), im.copy()).into_ndarray()
    }

    #[test]
    fn parts_and_whole() {
        let z = ndarray::Array2::from_shape_fn((3, 4), |(i, j)| Complex64::new(i as f64, -(j as f64)));
        assert_eq!(there_and_back::<ColMajor>(&z), z);
        assert_eq!(there_and_back::<RowMajor>(&z), z);
        let every_second = z.slice(ndarray::s![..;-1, ..;2]);
        assert_eq!(there_and_back::<RowMajor>(&every_second), every_second);
        let none = ndarray::Array2::<Complex64>::zeros((0, 4));
        assert_eq!(there_and_back::<ColMajor>(&none), none);
        assert_eq!(there_and_back::<ColMajor>(&vec![Complex64::I; 2]).shape(), [2, 1]);
    }
}
