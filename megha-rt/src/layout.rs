//! Memory orders of dense arrays.

/// A memory order, as a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The first index varies fastest: MATLAB's and Fortran's order, ndarray's `F`.
    ColMajor,
    /// The last index varies fastest: ndarray's default, `C`.
    RowMajor,
}

/// A memory order, as a type: host code and kernels are generic over it and are compiled for both.
pub trait Layout: Copy + Send + Sync + 'static {
    /// The order this type stands for.
    const ORDER: Order;
    /// Whether that is columns first. Of a condition on this constant alone only one side is compiled.
    const COLUMNS_FIRST: bool = matches!(Self::ORDER, Order::ColMajor);

    /// Distance, in elements, between neighbours along each dimension of a dense array of `shape`; meaningless, but no panic, for a
    /// shape with more elements than memory can hold.
    fn strides<const N: usize>(shape: [usize; N]) -> [usize; N];

    /// Turns an array indexed by dimension into one indexed by loop, outermost first, for the loop order that walks memory
    /// in sequence; the same function turns it back.
    fn permute<X: Copy, const N: usize>(by_dim: [X; N]) -> [X; N];

    /// The dimension whose neighbours are next to each other in memory.
    #[inline(always)]
    fn inner<const N: usize>() -> usize {
        match Self::ORDER {
            Order::ColMajor => 0,
            Order::RowMajor => N - 1,
        }
    }

    /// Position in memory of the element at zero-based `at`.
    #[inline(always)]
    fn offset<const N: usize>(shape: [usize; N], at: [usize; N]) -> usize {
        let strides = Self::strides(shape);
        let mut offset = 0;
        for d in 0..N {
            offset += at[d] * strides[d];
        }
        offset
    }
}

/// [`Order::ColMajor`] as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColMajor;
/// [`Order::RowMajor`] as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowMajor;

impl Layout for ColMajor {
    const ORDER: Order = Order::ColMajor;

    #[inline(always)]
    fn strides<const N: usize>(shape: [usize; N]) -> [usize; N] {
        let mut strides = [1usize; N];
        for d in 1..N {
            strides[d] = strides[d - 1].wrapping_mul(shape[d - 1]);
        }
        strides
    }

    #[inline(always)]
    fn permute<X: Copy, const N: usize>(by_dim: [X; N]) -> [X; N] {
        let mut by_loop = by_dim;
        by_loop.reverse();
        by_loop
    }
}

impl Layout for RowMajor {
    const ORDER: Order = Order::RowMajor;

    #[inline(always)]
    fn strides<const N: usize>(shape: [usize; N]) -> [usize; N] {
        let mut strides = [1usize; N];
        for d in (1..N).rev() {
            strides[d - 1] = strides[d].wrapping_mul(shape[d]);
        }
        strides
    }

    #[inline(always)]
    fn permute<X: Copy, const N: usize>(by_dim: [X; N]) -> [X; N] {
        by_dim
    }
}

/// The order of a function's results: that of the first argument that has one (see [`crate::Strided::order`]), else
/// column-major, in which `A(:)` and `reshape` copy nothing.
#[inline]
pub fn decide<const N: usize>(votes: [Option<Order>; N]) -> Order {
    votes.into_iter().flatten().next().unwrap_or(Order::ColMajor)
}

/// Strides of a dense array whose order is a value.
#[inline]
pub(crate) fn strides_of<const N: usize>(order: Order, shape: [usize; N]) -> [usize; N] {
    match order {
        Order::ColMajor => ColMajor::strides(shape),
        Order::RowMajor => RowMajor::strides(shape),
    }
}

/// The number of elements of a shape, if strides and offsets can be told: the product of the extents that are not zero must not overflow.
#[inline]
pub(crate) fn elements(shape: &[usize]) -> Option<usize> {
    let most = shape.iter().try_fold(1usize, |len, &extent| len.checked_mul(extent.max(1)));
    most.filter(|len| *len <= isize::MAX as usize).map(|len| if shape.contains(&0) { 0 } else { len })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_agree_with_ndarray() {
        use ndarray::ShapeBuilder;
        let shape = [3, 4, 5];
        let c: Vec<isize> = ndarray::Array3::<u8>::zeros(shape).strides().to_vec();
        let f: Vec<isize> = ndarray::Array3::<u8>::zeros(shape.f()).strides().to_vec();
        assert_eq!(RowMajor::strides(shape).map(|s| s as isize).to_vec(), c);
        assert_eq!(ColMajor::strides(shape).map(|s| s as isize).to_vec(), f);
        assert_eq!(ColMajor::offset(shape, [2, 3, 4]), 59);
        assert_eq!(RowMajor::offset(shape, [1, 0, 2]), 22);
    }

    #[test]
    fn the_first_argument_with_an_order_decides() {
        assert_eq!(decide([None, Some(Order::RowMajor), Some(Order::ColMajor)]), Order::RowMajor);
        assert_eq!(decide([None, None]), Order::ColMajor);
    }
}
