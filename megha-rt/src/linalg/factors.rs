//! Factorisations and solutions by `megha_base::dense`, for arrays in both orders.

use megha_base::dense;

use super::in_order_of;
use super::pool::Pool;
use crate::array::Array;
use crate::device::host_multiplies;
use crate::input::Strided;
use crate::layout::{ColMajor, Layout};
use crate::view::View;
use crate::{Result, Site};

type Matrix = Array<ColMajor, f64, 2>;

/// The factors of `P * a = L * U`: U, below its diagonal L without its ones, and in one more column the numbers of the rows of `a` in
/// their new order, from one.
///
/// # Errors
/// No memory for the factors.
pub fn lu<L: Layout>(a: View<'_, L, f64, 2>, site: &Site) -> Result<Array<L, f64, 2>> {
    factoring(a);
    let [rows, columns] = a.shape();
    let mut out = Matrix::filled([rows, columns + 1], 0.0, site)?;
    let (factors, order) = out.as_mut_slice().split_at_mut(rows * columns);
    copy_into(a, factors);
    let pivots = dense::factor(factors, rows, &Pool);
    order.iter_mut().zip(dense::row_order(&pivots, rows)).for_each(|(to, row)| *to = (row + 1) as f64);
    Ok(in_order_of(out))
}

/// The upper triangular R of `R' * R = a`, of which only the upper triangle is read. Where `a` is found not to be positive
/// definite the diagonal of R is zero, and so is all behind it.
///
/// # Errors
/// No memory for the factor.
pub fn cholesky<L: Layout>(a: View<'_, L, f64, 2>, site: &Site) -> Result<Array<L, f64, 2>> {
    factoring(a);
    let mut out = Matrix::filled(a.shape(), 0.0, site)?;
    copy_into(a, out.as_mut_slice());
    let n = out.shape()[0];
    dense::cholesky(out.as_mut_slice(), n, &Pool);
    Ok(in_order_of(out))
}

/// The first columns of Q, as many as `shape` has beyond those of `a`, and next to them all rows of R: `a = Q * R` by
/// reflections with LAPACK's signs.
///
/// # Errors
/// No memory for the factors.
pub fn qr<L: Layout>(a: View<'_, L, f64, 2>, shape: [usize; 2], site: &Site) -> Result<Array<L, f64, 2>> {
    factoring(a);
    let [rows, columns] = a.shape();
    let mut out = Matrix::filled(shape, 0.0, site)?;
    let kept = shape[1] - columns;
    let (q, r) = out.as_mut_slice().split_at_mut(rows * kept);
    copy_into(a, r);
    let blocks = dense::reflect(r, rows, &Pool);
    dense::orthogonal(&blocks, rows, q, &Pool);
    Ok(in_order_of(out))
}

/// The inverse of a square matrix, by LU with partial pivoting. Where a pivot is zero, which a warning says, it is infinite.
///
/// # Errors
/// No memory for the inverse.
pub fn inverse<L: Layout>(a: View<'_, L, f64, 2>, site: &Site) -> Result<Array<L, f64, 2>> {
    factoring(a);
    let mut out = Matrix::filled(a.shape(), 0.0, site)?;
    let mut a = a.strided().copy::<ColMajor>();
    match ordered(&mut a) {
        Some(order) => dense::inverse(a.as_slice(), &order, out.as_mut_slice(), &Pool),
        None => out.as_mut_slice().fill(f64::INFINITY),
    }
    Ok(in_order_of(out))
}

/// The eigenvalues of a square matrix, or of a pair of one size, the real and the imaginary parts in two columns; NaN if they do not
/// converge.
///
/// # Errors
/// No memory for the values.
pub fn eigenvalues<L: Layout>(
    a: View<'_, L, f64, 2>,
    b: Option<View<'_, L, f64, 2>>,
    site: &Site,
) -> Result<Array<L, f64, 2>> {
    let n = a.shape()[0];
    eigen(a, b, [n, 2], site, |a, b| match b {
        Some(b) => dense::pair_eigenvalues(a, b, n, &Pool),
        None => dense::eigenvalues(a, n, &Pool),
    })
}

/// The eigenvectors of a square matrix, or of a pair of one size, and their eigenvalues: the real parts of the vectors, their imaginary
/// parts, and the parts of the values in two more columns; NaN if they do not converge.
///
/// # Errors
/// No memory for the vectors.
pub fn eigenvectors<L: Layout>(
    a: View<'_, L, f64, 2>,
    b: Option<View<'_, L, f64, 2>>,
    site: &Site,
) -> Result<Array<L, f64, 2>> {
    let n = a.shape()[0];
    eigen(a, b, [n, 2 * n + 2], site, |a, b| match b {
        Some(b) => dense::pair_eigenvectors(a, b, n, &Pool),
        None => dense::eigenvectors(a, n, &Pool),
    })
}

fn eigen<L: Layout>(
    a: View<'_, L, f64, 2>,
    b: Option<View<'_, L, f64, 2>>,
    shape: [usize; 2],
    site: &Site,
    of: impl FnOnce(&[f64], Option<&[f64]>) -> Option<Vec<f64>>,
) -> Result<Array<L, f64, 2>> {
    factoring(a);
    let mut out = Matrix::filled(shape, f64::NAN, site)?;
    let (a, b) = (a.strided().pack::<ColMajor>(), b.map(|b| b.strided().pack::<ColMajor>()));
    let b = b.as_ref().map(|b| b.view());
    if let Some(found) = of(a.view().as_slice(), b.as_ref().map(|b| b.as_slice())) {
        out.as_mut_slice().copy_from_slice(&found);
    }
    Ok(in_order_of(out))
}

/// The singular values in descending order, in a column. Where it has room for them the columns of U and V of `a = U * S * V'` follow, all
/// or as many as there are values, with LAPACK's signs. All is NaN if an element is not finite or the values do not converge.
///
/// # Errors
/// No memory for the values.
pub fn singular_values<L: Layout>(a: View<'_, L, f64, 2>, shape: [usize; 2], site: &Site) -> Result<Array<L, f64, 2>> {
    factoring(a);
    let mut out = Array::<L, f64, 2>::filled(shape, 0.0, site)?;
    dense::singular_values(a.strided().pack::<ColMajor>().view().as_slice(), a.shape(), out.as_mut_slice(), &Pool);
    Ok(out)
}

/// Says what the host is about to do with a matrix.
fn factoring<L: Layout>(a: View<'_, L, f64, 2>) {
    host_multiplies(|| (a.len() * a.shape()[1]) as u64);
}

/// The solution of `a * x = b`, whose numbers of rows agree.
pub(super) fn solve_columns(a: Strided<'_, f64, 2>, b: Strided<'_, f64, 2>, site: &Site) -> Result<Matrix> {
    let [rows, columns] = a.shape();
    if rows == columns {
        let mut factors: Matrix = a.copy();
        if let Some(order) = ordered(&mut factors) {
            let mut x: Matrix = b.copy();
            dense::solve(factors.as_slice(), &order, x.as_mut_slice(), &Pool);
            return Ok(x);
        }
    }
    let (mut a, mut b): (Matrix, Matrix) = (a.copy(), b.copy());
    let mut x = Matrix::filled([columns, b.shape()[1]], 0.0, site)?;
    dense::least_squares(a.as_mut_slice(), b.as_mut_slice(), rows, x.as_mut_slice(), &Pool);
    Ok(x)
}

/// Factors a square matrix; the order of its rows. `None`, and a warning, where a pivot is zero; a single number divides as numbers do.
fn ordered(a: &mut Matrix) -> Option<Vec<usize>> {
    let n = a.shape()[0];
    let pivots = dense::factor(a.as_mut_slice(), n, &Pool);
    if n > 1 && dense::zero_pivot(a.as_slice(), n).is_some() {
        crate::output::warn("matrix singular to machine precision");
        return None;
    }
    Some(dense::row_order(&pivots, n))
}

/// Puts the elements, columns first, into `out`.
fn copy_into<L: Layout>(a: View<'_, L, f64, 2>, out: &mut [f64]) {
    out.copy_from_slice(a.strided().pack::<ColMajor>().view().as_slice());
}
