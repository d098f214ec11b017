//! Arrays that stay where they are between calls.
//!
//! A compiled function `f` has a second form, `f::resident`, which takes and gives [`Resident`] arrays (`megha::Array`). A result that a
//! device made stays there, and the next call that has the same device uses it there; elements come to the host when somebody
//! asks for them. Arguments are only read, so threads may share an array.

#[cfg(feature = "interop")]
mod exchange;
#[cfg(feature = "cust")]
mod pointers;
#[cfg(feature = "cudarc")]
mod slices;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ndarray::{Dim, Dimension, ShapeBuilder};

use super::held::{Held, Share};
use super::session::Session;
use super::table::{Place, Table};
use super::{Device, Moved, Outcome};
use crate::input::{Input, Strided, Vector};
use crate::layout::strides_of;
use crate::memory::Buf;
use crate::{Array, Error, ErrorKind, Layout, Order, Result, Site, View};
#[cfg(feature = "interop")]
pub use exchange::Refused;
#[cfg(feature = "cust")]
pub use pointers::DeviceMemory;

/// An array that stays on the device, if it is there, until its elements are needed. Cloning it copies nothing.
pub struct Resident<T: Copy, const N: usize>(Arc<Inner<T, N>>);

struct Inner<T: Copy, const N: usize> {
    buf: Buf<T>,
    shape: [usize; N],
    order: Order,
    kept: Mutex<Option<Kept>>,
}

/// A copy on a device.
struct Kept {
    device: Arc<dyn Device>,
    held: Held,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.device.free(self.held.address);
    }
}

const SITE: Site = Site { path: "", line: 0, column: 0, text: "a resident array" };

impl<T: Copy, const N: usize> Inner<T, N> {
    fn kept(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self) -> Place {
        Place::new(self.buf.start(), &[self.buf.len()])
    }

    /// Makes the host's elements current; what that moved.
    fn fetch(&self) -> Outcome<Moved> {
        let mut kept = self.kept();
        let Some(kept) = kept.as_mut().filter(|kept| !kept.held.is_on_host()) else { return Ok(Moved::default()) };
        let mut table = Table::new(kept.device.clone());
        table.lend(self.place(), &kept.held, None);
        table.fetch(self.place())?;
        kept.held.is_fetched();
        Ok(table.moved)
    }
}

impl<T: Copy + Send + Sync, const N: usize> Share for Inner<T, N> {
    fn fetch(&self) -> Outcome<Moved> {
        Inner::fetch(self)
    }
}

impl<T: Copy + Send + Sync + 'static, const N: usize> Resident<T, N> {
    /// Extent of each dimension.
    pub fn shape(&self) -> [usize; N] {
        self.0.shape
    }

    /// Whether a device has a current copy.
    pub fn is_on_device(&self) -> bool {
        self.0.kept().is_some()
    }

    /// The memory order, for [`crate::decide`]; `None` for vectors, which have none.
    pub fn order(&self) -> Option<Order> {
        let long = self.0.shape.iter().filter(|extent| **extent > 1).count();
        (long > 1).then_some(self.0.order)
    }

    /// Any array with ndarray's owner or view, copied.
    pub fn of(array: &impl Input<T, N>) -> Resident<T, N> {
        let strided = array.strided(Vector::Column);
        match strided.order() {
            Some(Order::RowMajor) => Self::from_array(strided.copy::<crate::RowMajor>()),
            _ => Self::from_array(strided.copy::<crate::ColMajor>()),
        }
    }

    fn from_array<L: Layout>(array: Array<L, T, N>) -> Resident<T, N> {
        let shape = array.shape();
        let inner = Inner { buf: array.into_buf(), shape, order: L::ORDER, kept: Mutex::new(None) };
        Resident(Arc::new(inner))
    }

    /// A result of a compiled function, which leaves the call with what the device has of it.
    #[doc(hidden)]
    pub fn keep<L: Layout>(array: Array<L, T, N>) -> Resident<T, N> {
        let kept = Session::take(array.place()).map(|(device, held)| Kept { device, held });
        let resident = Self::from_array(array);
        *resident.0.kept() = kept;
        resident
    }

    /// The argument of a compiled function in the order of `L`.
    ///
    /// # Errors
    /// [`ErrorKind::Device`]: the elements are needed on the host, and the device does not give them.
    #[doc(hidden)]
    pub fn pack<L: Layout>(&self) -> Result<Lent<'_, L, T, N>> {
        if self.order().is_some_and(|order| order != L::ORDER) {
            return Ok(Lent { resident: self, copy: Some(self.strided()?.copy::<L>()) });
        }
        let kept = self.0.kept();
        let lent = kept.as_ref().is_some_and(|kept| {
            let share: Arc<dyn Share> = self.0.clone();
            Session::lend(self.0.place(), (&kept.device, &kept.held), share)
        });
        drop(kept);
        if !lent {
            self.fetch()?;
        }
        Ok(Lent { resident: self, copy: None })
    }

    fn fetch(&self) -> Result<()> {
        self.0.fetch().map(drop).map_err(|failure| Error::new(ErrorKind::Device { reason: failure.to_string() }, &SITE))
    }

    fn strided(&self) -> Result<Strided<'_, T, N>> {
        self.fetch()?;
        let strides = strides_of(self.0.order, self.0.shape).map(|s| s as isize);
        // SAFETY: the buffer is dense in its order, current since `fetch`, and is not written as long as `self` lives.
        Ok(unsafe { Strided::from_parts(self.0.buf.start(), self.0.shape, strides) })
    }

    /// The elements on the host, in the array's memory order.
    ///
    /// # Errors
    /// [`ErrorKind::Device`]: the device does not give them.
    pub fn to_ndarray(&self) -> Result<ndarray::Array<T, Dim<[usize; N]>>>
    where
        Dim<[usize; N]>: Dimension,
        [usize; N]: ndarray::IntoDimension<Dim = Dim<[usize; N]>>,
    {
        self.fetch()?;
        let shape = self.0.shape.set_f(matches!(self.0.order, Order::ColMajor));
        let elements = self.0.buf.as_slice().to_vec();
        // SAFETY: the vector holds exactly the product of the extents, and both orders are dense.
        Ok(unsafe { ndarray::Array::from_shape_vec_unchecked(shape, elements) })
    }
}

impl<T: Copy, const N: usize> Clone for Resident<T, N> {
    fn clone(&self) -> Self {
        Resident(self.0.clone())
    }
}

impl<T: Copy + Send + Sync + 'static, const N: usize> fmt::Debug for Resident<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.is_on_device() { ", on the device" } else { "" };
        write!(f, "Array({:?}{place})", self.0.shape)
    }
}

/// A resident argument during a call. When the call ends, what it put on the device stays there.
#[doc(hidden)]
pub struct Lent<'r, L: Layout, T: Copy + Send + Sync + 'static, const N: usize> {
    resident: &'r Resident<T, N>,
    copy: Option<Array<L, T, N>>,
}

impl<L: Layout, T: Copy + Send + Sync + 'static, const N: usize> Lent<'_, L, T, N> {
    /// The elements, which may be on the device only.
    pub fn view(&self) -> View<'_, L, T, N> {
        match &self.copy {
            Some(copy) => copy.view(),
            // SAFETY: the buffer is dense in the order of `L`, or has at most one long dimension, and lives as long as `self`.
            None => unsafe { View::from_raw(self.resident.0.buf.start(), self.resident.0.shape) },
        }
    }
}

impl<L: Layout, T: Copy + Send + Sync + 'static, const N: usize> Drop for Lent<'_, L, T, N> {
    fn drop(&mut self) {
        if self.copy.is_none()
            && let Some((device, held)) = Session::take(self.resident.0.place())
        {
            let mut kept = self.resident.0.kept();
            // another call may have put its copy first; one of the two is enough
            let new = Kept { device, held };
            if kept.is_none() {
                *kept = Some(new);
            }
        }
    }
}
