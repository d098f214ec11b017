//! Matrix products by cuBLAS, which is loaded when a program first multiplies on the device, if it is there.
//!
//! Declared after NVIDIA's *cuBLAS Library* reference. The library works in the context of the thread, which is ours, and in the stream
//! of the queue; a handle is used by one thread at a time.

use std::ffi::{c_int, c_void};
use std::sync::PoisonError;

use libloading::Library;
use megha_base::plan::Element;

use super::super::{Failure, Outcome, Product, Queue};
use super::driver::{DevicePtr, StreamHandle};
use super::{CudaDevice, State};
use crate::trace::{self, Value};

/// The names of the library, newest first. One for a newer CUDA than the driver's loads, but gives no handle.
const LIBRARIES: &[&str] = if cfg!(windows) {
    &["cublas64_13.dll", "cublas64_12.dll", "cublas64_11.dll"]
} else {
    &["libcublas.so.13", "libcublas.so.12", "libcublas.so.11"]
};

/// `cublasStatus_t`
type Status = c_int;
const SUCCESS: Status = 0;
/// `cublasHandle_t`
type Handle = *mut c_void;
/// `CUBLAS_OP_N`: a factor as it lies.
const AS_IT_LIES: c_int = 0;

type Create = unsafe extern "system" fn(*mut Handle) -> Status;
type Destroy = unsafe extern "system" fn(Handle) -> Status;
type SetStream = unsafe extern "system" fn(Handle, StreamHandle) -> Status;
/// `cublas?gemm`: the handle, how both factors are taken, extents, and `c = alpha * a * b + beta * c` with the distance of each one's columns.
type Gemm<T> = unsafe extern "system" fn(
    Handle,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const T,
    DevicePtr,
    c_int,
    DevicePtr,
    c_int,
    *const T,
    DevicePtr,
    c_int,
) -> Status;

/// The library with a handle in the device's context.
pub(super) struct Cublas {
    handle: Handle,
    destroy: Destroy,
    double: Gemm<f64>,
    single: Gemm<f32>,
    /// Stays loaded: it has state of its own in the driver.
    _library: &'static Library,
}

// SAFETY: the handle may be used from any thread, by one at a time: it is reached through the device's state only.
unsafe impl Send for Cublas {}

/// Whether the library was looked for, and what came of it.
#[derive(Default)]
pub(super) enum Found {
    #[default]
    NotLookedFor,
    Absent,
    Present(Cublas),
}

impl Cublas {
    /// The first library that gives a handle, which puts its work into this stream; or why there is none.
    fn open(stream: StreamHandle) -> Result<Cublas, String> {
        let mut why = "there is no such library".to_owned();
        for name in LIBRARIES {
            // SAFETY: loading cuBLAS runs its initialisers, which have no preconditions.
            let Ok(library) = (unsafe { Library::new(*name) }) else { continue };
            match Cublas::of(Box::leak(Box::new(library)), stream) {
                Ok(cublas) => return Ok(cublas),
                Err(reason) => why = format!("{name}: {reason}"),
            }
        }
        Err(why)
    }

    fn of(library: &'static Library, stream: StreamHandle) -> Result<Cublas, String> {
        // SAFETY: the entries have these signatures in every version of the library that has their names.
        let (create, destroy, set_stream): (Create, Destroy, SetStream) = unsafe {
            (
                entry(library, b"cublasCreate_v2")?,
                entry(library, b"cublasDestroy_v2")?,
                entry(library, b"cublasSetStream_v2")?,
            )
        };
        // SAFETY: as above.
        let (double, single): (Gemm<f64>, Gemm<f32>) =
            unsafe { (entry(library, b"cublasDgemm_v2")?, entry(library, b"cublasSgemm_v2")?) };
        let mut handle = std::ptr::null_mut();
        // SAFETY: `handle` can be written, and the device's context is that of the thread.
        let status = unsafe { create(&raw mut handle) };
        if status != SUCCESS {
            return Err(text(status));
        }
        let cublas = Cublas { handle, destroy, double, single, _library: library };
        // SAFETY: the handle was just made, and the stream lives as long as the device.
        match unsafe { set_stream(handle, stream) } {
            SUCCESS => Ok(cublas),
            status => {
                cublas.close();
                Err(text(status))
            }
        }
    }

    /// Gives the handle back. The device's context is that of the thread.
    pub(super) fn close(self) {
        // SAFETY: the handle came from the library, and `self` is the last that has it.
        unsafe { (self.destroy)(self.handle) };
    }

    fn start(&self, product: &Product) -> Status {
        let Product { element, extents: [m, n, p], factors: [a, b], product: c } = *product;
        let (how, handle) = (AS_IT_LIES, self.handle);
        // SAFETY: the device's context is that of the thread; the caller has checked that the matrices lie in memory that was given out; the
        // numbers that scale are read before the call returns, as they are the host's.
        unsafe {
            if element == Element::F32 {
                let (one, zero) = (1f32, 0f32);
                (self.single)(handle, how, how, m, n, p, &raw const one, a.0, m, b.0, p, &raw const zero, c.0, m)
            } else {
                let (one, zero) = (1f64, 0f64);
                (self.double)(handle, how, how, m, n, p, &raw const one, a.0, m, b.0, p, &raw const zero, c.0, m)
            }
        }
    }
}

/// An entry of the library.
///
/// # Safety
/// `F` is a pointer to a function of its signature.
unsafe fn entry<F: Copy>(library: &'static Library, name: &[u8]) -> Result<F, String> {
    // SAFETY: the caller's promise.
    unsafe { library.get::<F>(name) }.map(|entry| *entry).map_err(|error| error.to_string())
}

impl CudaDevice {
    /// Looks for the library, if nobody has; whether it is there. Loading it may take a second, in which other threads go on.
    pub(super) fn has_library(&self) -> bool {
        let found = || match self.state().cublas {
            Found::NotLookedFor => None,
            Found::Absent => Some(false),
            Found::Present(_) => Some(true),
        };
        if let Some(is_there) = found() {
            return is_there;
        }
        let _alone = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        found().unwrap_or_else(|| {
            let opened = Cublas::open(self.stream(Queue::Compute));
            if let Err(why) = &opened {
                let name = "no cuBLAS: matrix products run on the CPU";
                trace::note("decision", name, &[("reason", Value::Text(why))]);
            }
            let is_there = opened.is_ok();
            self.state().cublas = opened.map_or(Found::Absent, Found::Present);
            is_there
        })
    }

    /// Starts a product whose matrices lie in memory that was given out, by the library that was looked for.
    pub(super) fn start_product(&self, state: &mut State, product: &Product) -> Outcome<()> {
        let operation = "matrix product";
        let [m, n, p] = product.extents.map(|extent| u64::from(extent.unsigned_abs()));
        let ranges = [(product.factors[0], m * p), (product.factors[1], p * n), (product.product, m * n)];
        for (address, elements) in ranges {
            let bytes = elements.saturating_mul(product.element.bytes());
            self.known(state, operation, address, bytes)?;
        }
        // also where it fails, since a part of it may have been started
        state.queues.has_work(Queue::Compute);
        let Found::Present(cublas) = &state.cublas else { return super::super::product::no_library() };
        match cublas.start(product) {
            SUCCESS => Ok(()),
            status => Err(Failure::Operation { operation, reason: text(status) }),
        }
    }
}

/// What a status means, by the reference's names.
fn text(status: Status) -> String {
    let name = match status {
        1 => "CUBLAS_STATUS_NOT_INITIALIZED",
        3 => "CUBLAS_STATUS_ALLOC_FAILED",
        7 => "CUBLAS_STATUS_INVALID_VALUE",
        8 => "CUBLAS_STATUS_ARCH_MISMATCH",
        11 => "CUBLAS_STATUS_MAPPING_ERROR",
        13 => "CUBLAS_STATUS_EXECUTION_FAILED",
        14 => "CUBLAS_STATUS_INTERNAL_ERROR",
        15 => "CUBLAS_STATUS_NOT_SUPPORTED",
        _ => return format!("cuBLAS status {status}"),
    };
    name.to_owned()
}
