//! Arrays from and to device pointers, as cust has them.
//!
//! cust itself needs the CUDA toolkit to build, so only `cust_core` is asked for, which says what elements may be.

use std::any::Any;
use std::ffi::c_void;

use cust_core::DeviceCopy;

use super::super::Address;
use super::super::cuda::Coming;
use super::super::session::failed;
use super::Resident;
use super::exchange::{Refused, cuda_in_use, length};
use crate::{Order, Site};

const FROM: Site = Site { path: "", line: 0, column: 0, text: "Array::from_device_ptr" };
const INTO: Site = Site { path: "", line: 0, column: 0, text: "Array::into_device_ptr" };

/// Memory of a device that an array has given away.
#[derive(Debug)]
pub struct DeviceMemory {
    /// `CUdeviceptr` of the first element.
    pub pointer: u64,
    /// Who owns the memory and frees it when dropped, if the array was made by [`Resident::from_device_ptr`] or of a slice of cudarc. `None`: the
    /// memory is the receiver's, who frees it with `cuMemFree` or `cuMemFreeAsync`.
    pub owner: Option<Box<dyn Any + Send>>,
}

impl<T: Copy + Send + Sync + DeviceCopy + 'static, const N: usize> Resident<T, N> {
    /// The array whose elements are in memory of the device, in this memory order; nothing is copied.
    ///
    /// The device waits for what `stream` (`CUstream`, null for the default one) holds now; the host does not wait. The array keeps `owner` until it and its clones are
    /// dropped; then the host waits for the device's work, and drops `owner` with the device's context as that of the thread. [`Resident::into_device_ptr`]
    /// gives `owner` back.
    ///
    /// # Errors
    /// With the owner, [`ErrorKind::NoDevice`](crate::ErrorKind::NoDevice): no CUDA device is in use; [`ErrorKind::Check`](crate::ErrorKind::Check): the memory does not begin at a
    /// multiple of 256 bytes, as all that CUDA allocates does; [`ErrorKind::OutOfMemory`](crate::ErrorKind::OutOfMemory): the host has none;
    /// [`ErrorKind::Device`](crate::ErrorKind::Device): the driver fails, or another array has the memory.
    ///
    /// # Safety
    /// - From `pointer` on there are as many elements as the shape has, in memory of the primary context of the CUDA device that is in use
    ///   (of which cust's contexts are). They are all written when `stream` has passed what it holds now.
    /// - Until `owner` is dropped or given back the memory stays allocated and nobody writes there.
    /// - `stream` is one of that context, and lives during the call.
    ///
    /// ```no_run
    /// use megha_rt::device::Resident as Array;
    /// use megha_rt::{Order, Result};
    ///
    /// // With cust: `let buffer = DeviceBuffer::from_slice(&[1.0, 2.0, 3.0, 4.0])?;`, and for these three
    /// // `buffer.as_device_ptr().as_raw()`, `stream.as_inner().cast()` and `buffer`.
    /// fn twice<B: Send + 'static>(pointer: u64, stream: *mut std::ffi::c_void, buffer: B) -> Result<(u64, B)> {
    ///     // SAFETY: the buffer owns four doubles at the pointer, which the stream has written.
    ///     let array: Array<f64, 2> = unsafe { Array::from_device_ptr(pointer, [4, 1], Order::ColMajor, stream, buffer) }?;
    ///     // .. calls of compiled functions: `let sum = f_resident(&array)?;`
    ///     // SAFETY: as above.
    ///     let memory = unsafe { array.into_device_ptr(stream) }?;
    ///     let buffer = memory.owner.and_then(|owner| owner.downcast().ok()).expect("it is the same buffer");
    ///     Ok((memory.pointer, *buffer))
    /// }
    /// ```
    pub unsafe fn from_device_ptr<O: Any + Send>(
        pointer: u64,
        shape: [usize; N],
        order: Order,
        stream: *mut c_void,
        owner: O,
    ) -> Result<Self, Refused<O>> {
        let prepared = cuda_in_use(&FROM).and_then(|device| Ok((device, length::<T>(&shape, &FROM)?)));
        let (device, elements) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return Err(Refused { given: owner, error }),
        };
        let bytes = (elements * size_of::<T>()) as u64;
        let coming = Coming { address: Address(pointer), bytes, stream, is_freed_in_stream: false };
        // SAFETY: the caller's promise.
        let array = unsafe { Resident::over((device, &coming), (shape, order), owner, &FROM) };
        array.map_err(|(error, given)| Refused { given, error })
    }

    /// The memory of the array, in its memory order ([`Resident::order`]); nothing is copied unless no CUDA device has the elements, which are then copied to
    /// the CUDA device in use.
    ///
    /// What `stream` (`CUstream`, null for the default one) holds from now on comes after all that the device's queues hold; the host does not wait. The memory leaves the
    /// device's pool: it belongs to the receiver, or to the owner that is given back with it ([`DeviceMemory`]).
    ///
    /// # Errors
    /// With the array, [`ErrorKind::Check`](crate::ErrorKind::Check): clones of it are in use; [`ErrorKind::NoDevice`](crate::ErrorKind::NoDevice): only the
    /// host has the elements and no CUDA device is in use; [`ErrorKind::Device`](crate::ErrorKind::Device): the driver fails.
    ///
    /// # Safety
    /// `stream` is one of the primary context of the device that has the array. The memory is used in it, or in what is ordered after it.
    ///
    /// ```no_run
    /// use megha_rt::Result;
    /// use megha_rt::device::Resident as Array;
    ///
    /// fn give(array: Array<f64, 2>, stream: *mut std::ffi::c_void) -> Result<u64> {
    ///     // SAFETY: the stream is one of the device's context.
    ///     let memory = unsafe { array.into_device_ptr(stream) }?;
    ///     assert!(memory.owner.is_none(), "the array is the result of a compiled function");
    ///     // With cust, the buffer that frees it:
    ///     // `unsafe { DeviceBuffer::from_raw_parts(DevicePointer::<f64>::from_raw(memory.pointer), n) }`
    ///     Ok(memory.pointer)
    /// }
    /// ```
    pub unsafe fn into_device_ptr(mut self, stream: *mut c_void) -> Result<DeviceMemory, Refused<Self>> {
        let given = self.give(&INTO, |cuda, held| {
            // SAFETY: the caller's promise.
            let owner = unsafe { cuda.hand_over(held.address, stream) }.map_err(|failure| failed(&failure, &INTO))?;
            Ok(DeviceMemory { pointer: held.address.0, owner: owner.map(|owner| owner.value) })
        });
        given.map_err(|error| Refused { given: self, error })
    }
}
