//! Operations on whole arrays that are no kernels: made and moved element by element, on one thread.

use std::borrow::Cow;

use megha_base::memory::{copies, gathered, with_room};
use megha_base::range::{linspace_element, range_element};

use crate::element::unravel;
use crate::index::Subscript;
use crate::layout::{ColMajor, Layout, Order};
use crate::reduce::{Op, tree};
use crate::{Array, Domain, Error, ErrorKind, Result, Site, View, subscript};

/// An array whose element at `at`, zero-based, is `f(at)`.
fn from_fn<L: Layout, T: Copy, const N: usize>(
    shape: [usize; N],
    zero: T,
    site: &Site,
    mut f: impl FnMut([usize; N]) -> T,
) -> Result<Array<L, T, N>> {
    let mut out = Array::filled(shape, zero, site)?;
    for (position, slot) in out.as_mut_slice().iter_mut().enumerate() {
        *slot = f(unravel::<L, N>(shape, position));
    }
    Ok(out)
}

/// A number that ranges are made of.
pub trait Ranged: Copy {
    /// Element `k` of a range from `start` by `step`.
    fn element(start: Self, step: Self, k: i64) -> f64;
}

impl Ranged for f64 {
    fn element(start: f64, step: f64, k: i64) -> f64 {
        range_element(start, step, k)
    }
}

impl Ranged for i64 {
    fn element(start: i64, step: i64, k: i64) -> f64 {
        start.wrapping_add(step.wrapping_mul(k)) as f64
    }
}

/// The row `start : step : ..` of this shape.
///
/// # Errors
/// No memory.
pub fn range<L: Layout, T: Ranged>(shape: [usize; 2], start: T, step: T, site: &Site) -> Result<Array<L, f64, 2>> {
    from_fn(shape, 0.0, site, |[_, k]| T::element(start, step, k as i64))
}

/// A row of these numbers.
///
/// # Errors
/// No memory.
pub fn row<L: Layout>(list: &[f64], site: &Site) -> Result<Array<L, f64, 2>> {
    from_fn([1, list.len()], 0.0, site, |[_, k]| list[k])
}

/// The number of elements of `base : step : limit`.
///
/// # Errors
/// [`ErrorKind::BadSize`] if it is not finite.
pub fn range_len(base: f64, step: f64, limit: f64, site: &Site) -> Result<i64> {
    let error = || Error::new(ErrorKind::BadSize { value: (limit - base) / step }, site);
    megha_base::range::range_len(base, step, limit).ok_or_else(error)
}

/// The row of equally spaced numbers from `first` to `last`.
///
/// # Errors
/// No memory.
pub fn linspace<L: Layout>(shape: [usize; 2], first: f64, last: f64, site: &Site) -> Result<Array<L, f64, 2>> {
    from_fn(shape, 0.0, site, |[_, k]| linspace_element(first, last, k as i64, shape[1] as i64))
}

/// The identity matrix.
///
/// # Errors
/// No memory.
pub fn eye<L: Layout, T: Copy>(shape: [usize; 2], zero: T, one: T, site: &Site) -> Result<Array<L, T, 2>> {
    from_fn(shape, zero, site, |[i, j]| if i == j { one } else { zero })
}

/// A block of a concatenation: extents and elements.
#[derive(Clone, Copy)]
pub enum Part<'a, L: Layout, T: Copy, const N: usize> {
    /// One number.
    Number(T),
    /// An array.
    Array(View<'a, L, T, N>),
}

/// Blocks side by side along dimension `axis`.
///
/// # Errors
/// Blocks whose other extents differ from the shape's, or whose extents along `axis` do not add up to it.
pub fn concat<L: Layout, T: Copy, const N: usize>(
    shape: [usize; N],
    axis: usize,
    zero: T,
    parts: &[Part<'_, L, T, N>],
    site: &Site,
) -> Result<Array<L, T, N>> {
    let mut out = Array::<L, T, N>::filled(shape, zero, site)?;
    place(&mut out, axis, 0, parts, site)?;
    Ok(out)
}

/// [`concat()`] of an array and more blocks, in the array's memory where that has room (see [`Array::resize`]).
///
/// # Errors
/// As [`concat()`]; the array is in an undefined state then.
pub fn append<L: Layout, T: Copy, const N: usize>(
    array: &mut Array<L, T, N>,
    shape: [usize; N],
    axis: usize,
    zero: T,
    parts: &[Part<'_, L, T, N>],
    site: &Site,
) -> Result<()> {
    let extents = array.shape();
    if !(0..N).all(|d| if d == axis { extents[d] <= shape[d] } else { extents[d] == shape[d] }) {
        return Err(Error::new(ErrorKind::shapes(&shape, &extents), site));
    }
    array.resize(shape, zero, site)?;
    place(array, axis, extents[axis], parts, site)
}

/// Stores blocks side by side along dimension `axis`, the first at `from`.
fn place<L: Layout, T: Copy, const N: usize>(
    out: &mut Array<L, T, N>,
    axis: usize,
    mut from: usize,
    parts: &[Part<'_, L, T, N>],
    site: &Site,
) -> Result<()> {
    let shape = out.shape();
    for part in parts {
        let extents = match part {
            Part::Number(_) => [1; N],
            Part::Array(view) => view.shape(),
        };
        let fits = (0..N).all(|d| if d == axis { from + extents[d] <= shape[d] } else { extents[d] == shape[d] });
        if !fits {
            let kind = ErrorKind::shapes(&shape, &extents);
            return Err(Error::new(kind, site));
        }
        match part {
            Part::Number(x) => {
                let mut at = [0; N];
                at[axis] = from;
                // SAFETY: checked above to lie within the shape.
                unsafe { out.set_unchecked(at, *x) };
            }
            Part::Array(view) => {
                let (out, by_loop) = (out.out(), L::permute(extents));
                for row in Domain::nest(by_loop).whole().rows(by_loop) {
                    let at = L::permute(row.at);
                    let mut to = at;
                    to[axis] += from;
                    // SAFETY: checked above to lie within the shape; nobody else uses the output.
                    unsafe { out.row(to, row.len).copy_from_slice(view.row(at, row.len)) };
                }
            }
        }
        from += extents[axis];
    }
    Ok(())
}

/// A subscript of a dimension, zero-based, or one-based for a vector.
pub enum Pick<'a> {
    /// All of this extent.
    All(usize),
    /// One.
    One(i64),
    /// `start + k * step` for `len` numbers.
    Range(i64, i64, usize),
    /// The numbers in an index array, from one.
    Vector(Cow<'a, [f64]>),
}

impl<'a> Pick<'a> {
    /// The subscripts in an index array, columns first.
    pub fn vector<L: Layout, T: Subscript, const N: usize>(view: View<'a, L, T, N>) -> Self {
        let is_line = view.shape().iter().filter(|extent| **extent != 1).count() < 2;
        if let (Some(list), true) = (T::doubles(view.as_slice()), is_line || L::ORDER == Order::ColMajor) {
            return Pick::Vector(Cow::Borrowed(list));
        }
        // SAFETY: the numbers of all elements.
        let each = (0..view.len() as i64).map(|k| unsafe { view.at_linear(k) }.value());
        Pick::Vector(Cow::Owned(gathered(each)))
    }

    /// One subscript from one.
    pub fn number(at: impl Subscript) -> Self {
        Pick::Vector(Cow::Owned(vec![at.value()]))
    }

    fn len(&self) -> usize {
        match self {
            Pick::All(n) | Pick::Range(_, _, n) => *n,
            Pick::One(_) => 1,
            Pick::Vector(list) => list.len(),
        }
    }

    /// The zero-based positions, all within `extent`.
    fn resolve(&self, dim: usize, extent: usize, site: &Site) -> Result<Vec<i64>> {
        let check = |at: i64| {
            let error = || Error::new(ErrorKind::outside(at as f64 + 1.0, dim + 1, extent), site);
            if at >= 0 && at < extent as i64 { Ok(at) } else { Err(error()) }
        };
        match self {
            Pick::All(n) => checked(*n, (0..*n as i64).map(check)),
            Pick::One(at) => Ok(vec![check(*at)?]),
            Pick::Range(start, step, n) => checked(*n, (0..*n as i64).map(|k| check(start + k * step))),
            Pick::Vector(list) => {
                let mut at = copies(0, list.len());
                if subscript::places(list, &mut at, extent as i64) {
                    return Ok(at);
                }
                checked(list.len(), list.iter().map(|x| check(subscript::whole(*x, site)? - 1)))
            }
        }
    }
}

/// So many positions, or the error of the first that is none.
fn checked(len: usize, positions: impl Iterator<Item = Result<i64>>) -> Result<Vec<i64>> {
    let mut list = with_room(len);
    for position in positions {
        list.push(position?);
    }
    Ok(list)
}

/// The extents that `M` subscripts address: the shape's, or all elements in one.
fn addressed<const N: usize, const M: usize>(shape: [usize; N]) -> [usize; M] {
    let mut extents = [1; M];
    if M == 1 {
        extents[0] = shape.iter().product();
    } else {
        extents[..M.min(N)].copy_from_slice(&shape[..M.min(N)]);
    }
    extents
}

/// The positions that subscripts pick, columns first, as numbers counted columns first.
fn positions<const N: usize, const M: usize>(
    shape: [usize; N],
    picks: &[Pick<'_>; M],
    site: &Site,
) -> Result<Vec<i64>> {
    let extents = addressed::<N, M>(shape);
    let strides = ColMajor::strides(extents);
    let mut lists = Vec::new();
    for (d, pick) in picks.iter().enumerate() {
        lists.push(pick.resolve(d, extents[d], site)?);
    }
    // From the last dimension on: what stands for the dimensions behind is offset by each position of the next one.
    let mut behind = lists.pop().unwrap_or_default();
    behind.iter_mut().for_each(|at| *at *= strides[M - 1] as i64);
    for (d, list) in lists.iter().enumerate().rev() {
        let stride = strides[d] as i64;
        let mut all = with_room(behind.len().saturating_mul(list.len()));
        all.extend(behind.iter().flat_map(|base| list.iter().map(move |at| base + at * stride)));
        behind = all;
    }
    Ok(behind)
}

/// The elements that subscripts pick, in an array of `shape`.
///
/// # Errors
/// Subscripts out of bounds or not whole.
pub fn gather<L: Layout, T: Copy, const N: usize, const M: usize, const R: usize>(
    array: View<'_, L, T, N>,
    zero: T,
    shape: [usize; R],
    picks: [Pick<'_>; M],
    site: &Site,
) -> Result<Array<L, T, R>> {
    let positions = positions(array.shape(), &picks, site)?;
    let mut out = Array::<L, T, R>::filled(shape, zero, site)?;
    if positions.len() != out.len() {
        let kind = ErrorKind::Reshape { from: vec![positions.len()], to: shape.to_vec() };
        return Err(Error::new(kind, site));
    }
    for (k, at) in positions.into_iter().enumerate() {
        // SAFETY: `positions` are within the array, and there are as many as the result has elements.
        unsafe { out.put_linear(k as i64, array.at_linear(at)) };
    }
    Ok(out)
}

/// What is stored in many elements.
pub enum Source<'a, L: Layout, T, const N: usize> {
    /// The same number in each.
    Number(T),
    /// One element for each, columns first.
    Array(View<'a, L, T, N>),
}

/// Replaces the elements that subscripts pick; a later one wins over an earlier one at the same place.
///
/// # Errors
/// Subscripts out of bounds or not whole; a source with another number of elements. Nothing is stored then.
pub fn scatter<L: Layout, T: Copy, const N: usize, const M: usize, const R: usize>(
    array: &mut Array<L, T, N>,
    picks: [Pick<'_>; M],
    source: Source<'_, L, T, R>,
    site: &Site,
) -> Result<()> {
    let positions = positions(array.shape(), &picks, site)?;
    if let Source::Array(view) = &source
        && view.len() != positions.len()
    {
        let kind = ErrorKind::shapes(&picks.iter().map(Pick::len).collect::<Vec<_>>(), &view.shape());
        return Err(Error::new(kind, site));
    }
    for (k, at) in positions.into_iter().enumerate() {
        // SAFETY: `positions` are within the array, and there are as many as the source has elements.
        unsafe {
            let value = match &source {
                Source::Number(x) => *x,
                Source::Array(view) => view.at_linear(k as i64),
            };
            array.put_linear(at, value);
        }
    }
    Ok(())
}

/// Combines the elements along these dimensions, in the order of [`tree`].
///
/// # Errors
/// No memory.
pub fn reduce<O: Op<T>, L: Layout, T: Copy, const N: usize>(
    array: View<'_, L, T, N>,
    axes: &[usize],
    site: &Site,
) -> Result<Array<L, T, N>> {
    let mut kept = array.shape();
    let mut reduced = [1; N];
    for axis in axes {
        reduced[*axis] = kept[*axis];
        kept[*axis] = 1;
    }
    from_fn(kept, O::IDENTITY, site, |base| {
        let each = (0..reduced.iter().product()).map(|k| {
            let mut at = unravel::<ColMajor, N>(reduced, k);
            for d in 0..N {
                at[d] += base[d];
            }
            // SAFETY: along each dimension one of the two is zero and the other within the extent.
            unsafe { array.get_unchecked(at) }
        });
        tree::reference(each, O::IDENTITY, O::combine)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RowMajor;

    const SITE: Site = Site { path: "test.m", line: 1, column: 1, text: "here" };

    fn blocks<L: Layout>() {
        let part = |shape, x| Array::<L, f64, 2>::filled(shape, x, &SITE).unwrap();
        let mut stack = part([1, 2], 1.0);
        let (two, none) = (part([2, 2], 2.0), part([0, 2], 3.0));
        let below = [Part::Array(two.view()), Part::Array(none.view())];
        append(&mut stack, [3, 2], 0, 0.0, &below, &SITE).unwrap();
        let mut parts = vec![Part::Array(stack.view())];
        let column = part([3, 1], 4.0);
        parts.push(Part::Array(column.view()));
        let all = concat::<L, f64, 2>([3, 3], 1, 0.0, &parts, &SITE).unwrap();
        assert_eq!(all.into_ndarray(), ndarray::array![[1.0, 1.0, 4.0], [2.0, 2.0, 4.0], [2.0, 2.0, 4.0]]);
        let number = [Part::Number(5.0)];
        assert!(append(&mut stack, [4, 2], 0, 0.0, &number, &SITE).is_err());
        assert!(append(&mut part([1, 3], 0.0), [2, 2], 0, 0.0, &[], &SITE).is_err());
        let mut row = part([1, 1], 1.0);
        append(&mut row, [1, 3], 1, 0.0, &[Part::Number(5.0), Part::Number(6.0)], &SITE).unwrap();
        assert_eq!(row.as_slice(), [1.0, 5.0, 6.0]);
    }

    #[test]
    fn blocks_stand_side_by_side() {
        blocks::<ColMajor>();
        blocks::<RowMajor>();
    }
}
