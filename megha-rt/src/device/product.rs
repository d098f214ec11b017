//! Matrix products on a device: by kernels that make the bits of the CPU's (`product/kernels.rs`), or by a library of the device, which adds in another order.
//! Where a product is made is decided with its block; by which, the strict mode and whether there is a library.

mod fused;
mod kernels;
mod tensor;
mod text;
mod vector;

use megha_base::plan::Element;
use megha_base::plan::block::Task;

use super::job::Arrival;
pub use kernels::{Kernels, Ptx, texts};

use super::learn::Timer;
use super::program::Program;
use super::schedule::Side;
use super::session::{Session, failed, kernel_ended};
use super::table::Table;
use super::{Address, Device, Failure, Outcome};
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

/// A product of matrices in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiplication {
    element: Element,
    order: Order,
    /// Rows and columns of the product, and columns of the left factor.
    extents: [i32; 3],
    /// Whether the device's library makes it.
    library: bool,
}

impl Multiplication {
    /// One that a device can make; `None` also where there is nothing to multiply.
    pub fn new(
        element: Element,
        order: Order,
        [[m, p], [q, n]]: [[usize; 2]; 2],
        library: bool,
    ) -> Option<Multiplication> {
        let fits = |extent: usize| i32::try_from(extent).ok().filter(|extent| *extent > 0);
        let extents = [fits(m)?, fits(n)?, fits(p)?];
        (p == q).then_some(Multiplication { element, order, extents, library })
    }

    /// Bytes of the product and of both factors, by their numbers.
    pub fn bytes_of(&self, at: usize) -> u64 {
        let [m, n, p] = self.extents.map(|extent| u64::from(extent.unsigned_abs()));
        [m * n, m * p, p * n][at] * self.element.bytes()
    }

    /// Puts it into the queue of kernels, on the product and the factors at these addresses.
    pub fn issue(&self, device: &dyn Device, arrays: &[Address], timer: Option<&Timer<'_>>) -> Outcome<()> {
        let ([product, a, b], [m, n, p]) = ([0, 1, 2].map(|at| arrays[at]), self.extents);
        let element = self.element;
        let product = match self.order {
            Order::ColMajor => Product { element, extents: [m, n, p], factors: [a, b], product },
            // rows first, the same memory holds the transposed matrices: c.' = b.' * a.'
            Order::RowMajor => Product { element, extents: [n, m, p], factors: [b, a], product },
        };
        let begun = timer.and_then(|timer| timer.begin(device));
        if self.library {
            device.multiply(&product)?;
        } else {
            device.kernels().start(device, &product)?;
        }
        if let Some((timer, begun)) = timer.zip(begun) {
            timer.end(device, begun);
        }
        Ok(())
    }
}

/// `a * b`, the product of a module with this number: where the decision for its block has it, or on the device if it must be.
///
/// # Errors
/// Those of [`linalg::matmul`]; [`crate::ErrorKind::Device`]: what only the device has cannot be had from it.
#[inline]
pub fn product<L: Layout, T: Real>(
    task: (&'static Program, usize),
    (a, b): (View<'_, L, T, 2>, View<'_, L, T, 2>),
    site: &Site,
) -> Result<Array<L, T, 2>> {
    if super::active() { offered(task, (a, b), site) } else { linalg::matmul(a, b, site) }
}

/// [`product`] of which only comparisons with 0 are asked: the CPU makes numbers that compare so.
///
/// # Errors
/// As [`product`].
#[inline]
pub fn product_to_compare<L: Layout, T: Real>(
    task: (&'static Program, usize),
    (a, b): (View<'_, L, T, 2>, View<'_, L, T, 2>),
    site: &Site,
) -> Result<Array<L, T, 2>> {
    if super::active() { offered(task, (a, b), site) } else { linalg::matmul_to_compare(a, b, site) }
}

#[cold]
fn offered<L: Layout, T: Real>(
    (program, number): (&'static Program, usize),
    (a, b): (View<'_, L, T, 2>, View<'_, L, T, 2>),
    site: &Site,
) -> Result<Array<L, T, 2>> {
    let Some(product) = Multiplication::new(T::ELEMENT, L::ORDER, [a.shape(), b.shape()], uses_library()) else {
        [a, b].iter().try_for_each(|factor| super::fetch(factor.place(), site))?;
        return linalg::matmul(a, b, site);
    };
    let mut fresh = Array::<L, T, 2>::uninit([a.shape()[0], b.shape()[1]], site)?;
    let arrival = Arrival {
        program,
        task: Task::Product(number),
        order: L::ORDER,
        sizes: &[],
        scalars: &[],
        product: Some(product),
        arrays: &[fresh.place(), a.place(), b.place()],
        fault: None,
    };
    if !made(&arrival, product, site)? {
        linalg::multiply(&mut fresh, a.strided(), b.strided());
        kernel_ended();
    }
    // SAFETY: the elements are those that the CPU has written, or the device's copy, which is fetched before the host reads them.
    Ok(unsafe { fresh.assume_init() })
}

/// Whether the device of the call in progress has a library for products.
fn uses_library() -> bool {
    Session::with(|session| session.uses_library()).unwrap_or(false)
}

/// Whether the device of the call in progress has made a product. If not, the factors are ready for the CPU.
fn made(arrival: &Arrival<'_>, product: Multiplication, site: &Site) -> Result<bool> {
    let make = |session: &mut Session| session.multiply(arrival, product).inspect_err(|failure| session.lost(failure));
    Session::with(make).unwrap_or(Ok(false)).map_err(|failure| failed(&failure, site))
}

impl Session {
    /// Whether the device makes a product. If not, the factors are ready for the CPU.
    fn multiply(&mut self, arrival: &Arrival<'_>, product: Multiplication) -> Outcome<bool> {
        if self.comes_to(arrival)? {
            return Ok(true);
        }
        let placed = self.placed(arrival);
        if placed.is_none_or(|placed| placed.side == Side::Gpu) {
            let timer = self.placements.timer(arrival.program, arrival.task);
            let start = &mut |table: &mut Table| start(table, (arrival, product), timer.as_ref());
            let accesses =
                || arrival.arrays.iter().enumerate().map(|(at, place)| (*place, [at > 0, at == 0])).collect();
            let ready = self.table.before_launch(&mut { accesses });
            let outcome = ready.and_then(|()| self.table.with_room(arrival.arrays, 0, start));
            if self.is_done("matrix product", outcome)? {
                self.table.begin_to_spill();
                self.go_on(arrival, Side::Gpu);
                return Ok(true);
            }
        }
        arrival.arrays[1..].iter().try_for_each(|factor| self.table.fetch(*factor))?;
        self.runs_here(arrival, placed);
        Ok(false)
    }
}

/// Starts a product on the device.
fn start(
    table: &mut Table,
    (arrival, product): (&Arrival<'_>, Multiplication),
    timer: Option<&Timer<'_>>,
) -> Outcome<()> {
    let [made, a, b] = [0, 1, 2].map(|at| arrival.arrays[at]);
    let [a, b] = [table.upload(a)?, table.upload(b)?];
    let addresses = [table.room(made)?, a, b];
    product.issue(&**table.device(), &addresses, timer)?;
    table.written_on_device(made);
    table.moved.naive += arrival.arrays.iter().map(|place| place.length()).sum::<u64>();
    Ok(())
}

/// What a device without a library says to those that ask for it.
pub(super) fn no_library<T>() -> Outcome<T> {
    Err(Failure::Operation { operation: "matrix product", reason: "the device has no library for it".into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_products_with_extents_of_32_bits() {
        let extents =
            |a, b| Multiplication::new(Element::F64, Order::ColMajor, [a, b], false).map(|product| product.extents);
        assert_eq!(extents([2, 3], [3, 4]), Some([2, 4, 3]));
        assert_eq!(extents([2, 3], [2, 4]), None);
        assert_eq!(extents([0, 3], [3, 4]), None);
        assert_eq!(extents([1, 0], [0, 1]), None);
        let most = i32::MAX as usize;
        assert_eq!(extents([most, 1], [1, 1]), Some([i32::MAX, 1, 1]));
        assert_eq!(extents([1, 1], [1, most + 1]), None);
    }
}
