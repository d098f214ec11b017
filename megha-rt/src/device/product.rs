//! Matrix products on a device, by its own library, where that is estimated to be faster with the copies that it takes.

use megha_base::plan::Element;

use super::session::{Session, failed};
use super::table::Place;
use super::{Address, Failure, Outcome};
use crate::layout::{Layout, Order};
use crate::linalg::{self, Real};
use crate::{Array, Result, Site, View};

/// A product of dense matrices that lie columns first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product {
    /// The class of all three: double or single.
    pub element: Element,
    /// Rows of the product, its columns, and columns of the first factor.
    pub extents: [i32; 3],
    /// The factors.
    pub factors: [Address; 2],
    /// The memory of the product, which overlaps neither factor.
    pub product: Address,
}

/// A product in memory of the host.
pub(super) struct Operands {
    element: Element,
    extents: [i32; 3],
    factors: [Place; 2],
    product: Place,
}

/// `a * b`, on the device where that pays or must be, else on the CPU.
///
/// # Errors
/// Those of [`linalg::matmul`]; [`crate::ErrorKind::Device`]: what only the device has cannot be had from it.
#[inline]
pub fn product<L: Layout, T: Real>(a: View<'_, L, T, 2>, b: View<'_, L, T, 2>, site: &Site) -> Result<Array<L, T, 2>> {
    if super::active()
        && let Some(product) = on_device(a, b, site)?
    {
        return Ok(product);
    }
    linalg::matmul(a, b, site)
}

/// The product if a device makes it; if not, the host's factors are current.
#[cold]
fn on_device<L: Layout, T: Real>(
    a: View<'_, L, T, 2>,
    b: View<'_, L, T, 2>,
    site: &Site,
) -> Result<Option<Array<L, T, 2>>> {
    let factors = [a.place(), b.place()];
    let made = match extents(a.shape(), b.shape()) {
        None => None,
        Some([m, n, p]) => {
            let shape = [a.shape()[0], b.shape()[1]];
            let fresh = Array::<L, T, 2>::uninit(shape, site)?;
            let (product, element) = (fresh.place(), T::ELEMENT);
            let operands = match L::ORDER {
                Order::ColMajor => Operands { element, extents: [m, n, p], factors, product },
                // rows first, the same memory holds the transposed matrices: c.' = b.' * a.'
                Order::RowMajor => Operands { element, extents: [n, m, p], factors: [b.place(), a.place()], product },
            };
            let done = Session::with(|s| s.multiply(&operands).inspect_err(|failure| s.lost(failure)));
            let done = done.unwrap_or(Ok(false)).map_err(|failure| failed(&failure, site))?;
            // SAFETY: the elements are the device's copy, which is fetched before the host reads them.
            done.then(|| unsafe { fresh.assume_init() })
        }
    };
    if made.is_none() {
        let fetch =
            |s: &mut Session| factors.iter().try_for_each(|f| s.table.fetch(*f)).inspect_err(|failure| s.lost(failure));
        Session::with(fetch).unwrap_or(Ok(())).map_err(|failure| failed(&failure, site))?;
    }
    Ok(made)
}

/// Rows, columns and inner extent of a product that a library can make; `None` also where there is nothing to multiply.
fn extents([m, p]: [usize; 2], [q, n]: [usize; 2]) -> Option<[i32; 3]> {
    let fits = |extent: usize| i32::try_from(extent).ok().filter(|extent| *extent > 0);
    if p == q { Some([fits(m)?, fits(n)?, fits(p)?]) } else { None }
}

impl Session {
    /// Whether the device made a product.
    fn multiply(&mut self, operands: &Operands) -> Outcome<bool> {
        let (can, must) = self.multiplies();
        if !can || !(must || self.pays(operands)) || !self.table.guard.engage() {
            return Ok(false);
        }
        let outcome = self.start_product(operands);
        self.is_done("matrix product", outcome)
    }

    /// Whether the device is estimated to be done sooner than the CPU.
    fn pays(&mut self, operands: &Operands) -> bool {
        let bytes = |there: &dyn Fn(Place) -> bool| {
            operands.factors.iter().filter(|factor| !there(**factor)).map(|factor| factor.length() as f64).sum::<f64>()
        };
        let missing = [bytes(&|factor| self.table.on_host(factor)), bytes(&|factor| self.table.on_device(factor))];
        let (extents, size) = (operands.extents.map(f64::from), operands.element.bytes() as f64);
        let [cpu, device] = self.basis().product(extents, size, missing);
        device < cpu
    }

    fn start_product(&mut self, operands: &Operands) -> Outcome<()> {
        let [a, b] = operands.factors;
        let factors = [self.table.upload(a)?, self.table.upload(b)?];
        let Operands { element, extents, product, .. } = *operands;
        let made = Product { element, extents, factors, product: self.table.room(product)? };
        self.device.multiply(&made)?;
        self.table.written_on_device(product);
        self.table.moved.naive += [a, b, product].iter().map(|place| place.length()).sum::<u64>();
        Ok(())
    }
}

/// What a device without a library says.
pub(super) fn no_library<T>() -> Outcome<T> {
    Err(Failure::Operation { operation: "matrix product", reason: "the device has no library for it".into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_products_with_extents_of_32_bits() {
        assert_eq!(extents([2, 3], [3, 4]), Some([2, 4, 3]));
        assert_eq!(extents([2, 3], [2, 4]), None);
        assert_eq!(extents([0, 3], [3, 4]), None);
        assert_eq!(extents([1, 0], [0, 1]), None);
        let most = i32::MAX as usize;
        assert_eq!(extents([most, 1], [1, 1]), Some([i32::MAX, 1, 1]));
        assert_eq!(extents([1, 1], [1, most + 1]), None);
    }
}
