//! Arrays over memory that others own, and memory of arrays for others: what the forms for cudarc and for raw pointers share.
//!
//! An array is on a CUDA device, in the device's primary context. Memory comes and goes without a copy; only an array that is not on a CUDA device is
//! copied there before it is given away. `cuda/foreign.rs` says who waits for what.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::super::cuda::{Coming, CudaDevice};
use super::super::extent::Extent;
use super::super::held::Held;
use super::super::session::failed;
use super::super::{ALIGNMENT, Device, Outcome, Queue, current, unavailable};
use super::{Inner, Kept, Resident};
use crate::layout::elements;
use crate::memory::Buf;
use crate::{Error, ErrorKind, Order, Result, Site};

/// What was not taken or given away, as it was, and why.
///
/// In a function that returns [`Result`], `?` drops the former and goes on with the latter.
pub struct Refused<A> {
    /// What was given.
    pub given: A,
    /// Why it was refused.
    pub error: Error,
}

impl<A> fmt::Display for Refused<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<A> fmt::Debug for Refused<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<A> std::error::Error for Refused<A> {}

impl<A> From<Refused<A>> for Error {
    fn from(refused: Refused<A>) -> Error {
        refused.error
    }
}

/// A demand that was not met.
pub(super) fn unmet(message: &str, site: &Site) -> Error {
    Error::new(ErrorKind::Check { message: message.to_owned() }, site)
}

/// The device that the calling thread is to use, if it is a CUDA device.
pub(super) fn cuda_in_use(site: &Site) -> Result<Arc<dyn Device>> {
    let device = current().map(|(device, _)| device).filter(|device| device.as_cuda().is_some());
    device.ok_or_else(|| {
        let why = unavailable().map(|why| format!(": {why}")).unwrap_or_default();
        Error::new(ErrorKind::NoDevice { reason: format!("no CUDA device is in use{why}") }, site)
    })
}

/// The number of elements of a shape.
pub(super) fn length<T>(shape: &[usize], site: &Site) -> Result<usize> {
    elements(shape).ok_or_else(|| Error::new(ErrorKind::out_of_memory(shape, size_of::<T>()), site))
}

impl<T: Copy + Send + Sync + 'static, const N: usize> Resident<T, N> {
    /// An array over memory of a CUDA device that somebody else owns.
    ///
    /// # Errors
    /// That there is no memory on the host for its elements, the memory of the device is not aligned or in use already, or what the driver says; with the owner.
    ///
    /// # Safety
    /// The memory is as [`CudaDevice::take_over`] demands, and has all elements once its stream has passed what it holds.
    pub(super) unsafe fn over<O: Any + Send>(
        (device, coming): (Arc<dyn Device>, &Coming),
        (shape, order): ([usize; N], Order),
        owner: O,
        site: &Site,
    ) -> std::result::Result<Self, (Error, O)> {
        let refused = |error, owner| Err((error, owner));
        let buf = match length::<T>(&shape, site).map(Buf::<T>::try_uninit) {
            Ok(Some(buf)) => buf,
            Ok(None) => return refused(Error::new(ErrorKind::out_of_memory(&shape, size_of::<T>()), site), owner),
            Err(error) => return refused(error, owner),
        };
        // SAFETY: the elements are the device's copy, which is fetched before the host reads them; without one there are none.
        let inner = Inner { buf: unsafe { buf.assume_init() }, shape, order, kept: Default::default() };
        if coming.bytes > 0 {
            let Some(cuda) = device.as_cuda() else { return refused(unmet("it is no CUDA device", site), owner) };
            if !coming.address.0.is_multiple_of(ALIGNMENT) {
                return refused(unmet("the memory does not begin at a multiple of 256 bytes", site), owner);
            }
            // SAFETY: the caller's promise. Arrays are only read, also on devices.
            if let Err((failure, owner)) = unsafe { cuda.take_over(coming, owner) } {
                return refused(failed(&failure, site), owner);
            }
            let held = Held { stale: Extent::All, device: Extent::All, ..Held::new(coming.address, inner.place(), 0) };
            *inner.kept() = Some(Kept { device, held });
        }
        Ok(Resident(Arc::new(inner)))
    }

    /// Makes sure that a CUDA device has all elements, or memory where there are none, and that nobody else has the array. Then what `give` makes of the device and the
    /// copy there is given, and if it gives something the copy is no longer the array's.
    pub(super) fn give<R>(&mut self, site: &Site, give: impl FnOnce(&CudaDevice, &Held) -> Result<R>) -> Result<R> {
        let Some(inner) = Arc::get_mut(&mut self.0) else {
            return Err(unmet("clones of the array are in use: its memory cannot go to somebody else", site));
        };
        let there = |kept: &Kept| kept.device.as_cuda().is_some() && kept.held.device.is_all();
        if !inner.kept().as_ref().is_some_and(there) {
            let failed = |failure| failed(&failure, site);
            inner.fetch().map_err(failed)?;
            let kept = inner.sent_to(cuda_in_use(site)?).map_err(failed)?;
            *inner.kept() = Some(kept);
        }
        let mut kept = inner.kept();
        let given = kept.as_ref().and_then(|Kept { device, held }| Some(give(device.as_cuda()?, held)));
        let given = given.unwrap_or_else(|| Err(unmet("it is no CUDA device", site)))?;
        // the device knows the address no more, so that nothing is freed
        *kept = None;
        Ok(given)
    }
}

impl<T: Copy, const N: usize> Inner<T, N> {
    /// A copy on a device of elements that are current on the host.
    fn sent_to(&self, device: Arc<dyn Device>) -> Outcome<Kept> {
        let place = self.place();
        let address = device.allocate(place.length())?;
        let kept = Kept { device, held: Held { device: Extent::All, ..Held::new(address, place, 0) } };
        // SAFETY: the elements are current on the host, hence initialised, and nobody writes them as long as the array is borrowed.
        kept.device.upload(Queue::Compute, address, unsafe { place.read() })?;
        Ok(kept)
    }
}
