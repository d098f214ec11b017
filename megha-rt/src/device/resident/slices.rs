//! Arrays from and to slices of cudarc.
//!
//! Only what makes and reads slices is asked of cudarc, in the user's own context and stream; events and memory are the business of the device's own entries
//! of the driver, which cannot panic where cudarc's do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceRepr, DriverError};

use super::super::Address;
use super::super::cuda::{Coming, CudaDevice};
use super::super::held::Held;
use super::super::session::failed;
use super::Resident;
use super::exchange::{Refused, cuda_in_use, length, unmet};
use crate::{Error, ErrorKind, Order, Result, Site};

const FROM: Site = Site { path: "", line: 0, column: 0, text: "Array::from_cudarc" };
const INTO: Site = Site { path: "", line: 0, column: 0, text: "Array::into_cudarc" };
const ANOTHER: &str = "another context than that of the CUDA device in use, which is the device's primary one";

fn refused_by(error: &DriverError, site: &Site) -> Error {
    Error::new(ErrorKind::Device { reason: error.to_string() }, site)
}

impl<T: Copy + Send + Sync + DeviceRepr + 'static, const N: usize> Resident<T, N> {
    /// The array whose elements a slice has, in this memory order; nothing is copied.
    ///
    /// The slice must be in the primary context of the CUDA device that is in use (`CudaContext::new` gives that) and hold as many elements as the shape. The device waits for what the
    /// slice's own stream holds now, and for what cudarc knows of uses in other streams; the host does not wait. The array keeps the slice and only
    /// reads it. When the array and its clones are dropped the slice is dropped too, which frees the memory in the slice's stream, after the device's work. [`Resident::into_cudarc`] gives the same slice back.
    ///
    /// # Errors
    /// With the slice, [`ErrorKind::NoDevice`]: no CUDA device is in use; [`ErrorKind::Reshape`]: the number of elements is another one;
    /// [`ErrorKind::Check`]: another context, or memory that does not begin at a multiple of 256 bytes, as all that cudarc allocates does;
    /// [`ErrorKind::OutOfMemory`]: the host has none; [`ErrorKind::Device`]: the driver fails.
    ///
    /// ```no_run
    /// use megha_rt::Order;
    /// use megha_rt::cudarc::driver::CudaContext;
    /// use megha_rt::device::Resident as Array;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let stream = CudaContext::new(0)?.default_stream();
    /// let slice = stream.clone_htod(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let array = Array::from_cudarc(slice, [2, 3], Order::RowMajor)?;
    /// // let product = matmul_resident(&array, ..)?;
    /// let slice = array.into_cudarc(&stream)?;
    /// assert_eq!(stream.clone_dtoh(&slice)?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    /// # Ok(()) }
    /// ```
    pub fn from_cudarc(
        slice: CudaSlice<T>,
        shape: [usize; N],
        order: Order,
    ) -> std::result::Result<Self, Refused<CudaSlice<T>>> {
        let prepared = cuda_in_use(&FROM).and_then(|device| {
            let coming = coming(&slice, &shape, device.as_cuda())?;
            Ok((device, coming))
        });
        let (device, coming) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return Err(Refused { given: slice, error }),
        };
        // SAFETY: a slice is memory with so many elements, which its stream has ready when it has passed what it holds now and which live as long as the slice.
        // It keeps its stream. Nobody else has it.
        let array = unsafe { Resident::over((device, &coming), (shape, order), slice, &FROM) };
        array.map_err(|(error, given)| Refused { given, error })
    }

    /// The elements as a slice that belongs to `stream`, in the array's memory order ([`Resident::order`]); nothing is copied unless no CUDA device has
    /// them.
    ///
    /// What `stream` holds from now on, and every other stream by cudarc's own events, comes after all that the device's queues hold; the host does not wait. The
    /// memory leaves the device's pool and is freed when the slice is dropped (CUDA has it again when the slice's stream is next synchronised). An array that was made of a slice gives that one
    /// back, with the stream that it belongs to. An array that only the host has, or a device of another kind, is copied to the CUDA device in use.
    ///
    /// # Errors
    /// With the array, [`ErrorKind::Check`]: clones of it are in use, the stream is in another context, or the memory was taken over from somebody
    /// else than cudarc; [`ErrorKind::NoDevice`]: only the host has the elements and no CUDA device is in use; [`ErrorKind::Device`]: the driver fails.
    ///
    /// The example is that of [`Resident::from_cudarc`].
    pub fn into_cudarc(mut self, stream: &Arc<CudaStream>) -> std::result::Result<CudaSlice<T>, Refused<Self>> {
        let elements = self.0.buf.len();
        let given = self.give(&INTO, |cuda, held| given(cuda, held, elements, stream));
        given.map_err(|error| Refused { given: self, error })
    }
}

/// The memory of a slice, for the device.
fn coming<T>(slice: &CudaSlice<T>, shape: &[usize], cuda: Option<&CudaDevice>) -> Result<Coming> {
    if length::<T>(shape, &FROM)? != slice.len() {
        return Err(Error::new(ErrorKind::Reshape { from: vec![slice.len()], to: shape.to_vec() }, &FROM));
    }
    let (stream, context) = (slice.stream(), slice.context());
    if !cuda.is_some_and(|cuda| cuda.has_context(context.cu_ctx().cast())) {
        return Err(unmet(&format!("the slice is in {ANOTHER}"), &FROM));
    }
    // the slice's stream waits for what others have written
    let (pointer, read) = slice.device_ptr(stream);
    drop(read);
    context.check_err().map_err(|error| refused_by(&error, &FROM))?;
    let (address, bytes) = (Address(pointer), slice.num_bytes() as u64);
    Ok(Coming { address, bytes, stream: stream.cu_stream().cast(), is_freed_in_stream: true })
}

/// The device's copy as a slice.
fn given<T>(cuda: &CudaDevice, held: &Held, elements: usize, stream: &Arc<CudaStream>) -> Result<CudaSlice<T>>
where
    T: Send + Sync + 'static,
{
    if !cuda.has_context(stream.context().cu_ctx().cast()) {
        return Err(unmet(&format!("the stream is in {ANOTHER}"), &INTO));
    }
    let raw = stream.cu_stream().cast();
    let mut slice = match cuda.is_owned_by::<CudaSlice<T>>(held.address) {
        Some(false) => return Err(unmet("the memory was taken over from somebody else than cudarc", &INTO)),
        Some(true) => {
            // SAFETY: the stream is one of the device's context.
            let owner = unsafe { cuda.hand_over(held.address, raw) }.map_err(|failure| failed(&failure, &INTO))?;
            let slice = owner.and_then(|owner| owner.value.downcast::<CudaSlice<T>>().ok());
            *slice.ok_or_else(|| unmet("the memory is somebody else's", &INTO))?
        }
        None => {
            // SAFETY: the memory has so many elements, and is nobody else's once it has been handed over; without that the slice is taken apart again.
            let make = || unsafe { stream.upgrade_device_ptr::<T>(held.address.0, elements) };
            let made = catch_unwind(AssertUnwindSafe(make));
            let slice = made.map_err(|_| unmet("cudarc could not make a slice: the driver gives no events", &INTO))?;
            // SAFETY: as above.
            if let Err(failure) = unsafe { cuda.hand_over(held.address, raw) } {
                slice.leak();
                return Err(failed(&failure, &INTO));
            }
            slice
        }
    };
    // for cudarc the slice has just been written, so that its other streams wait for this one
    let own = slice.stream().clone();
    let (_, written) = slice.device_ptr_mut(&own);
    drop(written);
    Ok(slice)
}
