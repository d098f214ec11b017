//! The entry points of the CUDA driver that we use, found in its library when the program runs.
//!
//! Declared by us, after NVIDIA's *CUDA Driver API* reference: results stay plain numbers, so one that a newer driver adds is not undefined
//! behaviour, and a missing entry is a reason and not a panic. ARCHITECTURE (Devices) says what speaks against the bindings of cudarc here; arrays go
//! from and to a user's own cudarc all the same (`resident/slices.rs`).

use std::ffi::{CStr, OsStr, c_char, c_int, c_uint, c_void};

use super::super::{Failure, Unavailable};

/// `CUresult`
pub(super) type Code = c_int;
pub(super) const SUCCESS: Code = 0;
pub(super) const OUT_OF_MEMORY: Code = 2;
pub(super) const NOT_READY: Code = 600;
/// The driver's version that the entries below need: CUDA 11.0.
const OLDEST: c_int = 11_000;

/// `CUdeviceptr`
pub(super) type DevicePtr = u64;

/// A handle of the driver; the driver allows its use from any thread.
macro_rules! handle {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(transparent)]
        pub(super) struct $name(pub *mut c_void);

        impl $name {
            pub(super) const NULL: $name = $name(std::ptr::null_mut());
        }

        // SAFETY: only the driver follows the pointer, and its functions may be called from any thread.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    )*};
}

handle! {
    /// `CUcontext`
    Context
    /// `CUstream`
    StreamHandle
    /// `CUevent`
    EventHandle
    /// `CUmodule`
    ModuleHandle
    /// `CUfunction`
    FunctionHandle
}

macro_rules! entries {
    ($($(#[$doc:meta])* $field:ident = $symbol:literal ($($arg:ident: $ty:ty),*);)*) => {
        /// The driver. Its library stays loaded as long as this lives.
        pub(super) struct Driver {
            $($(#[$doc])* pub $field: unsafe extern "system" fn($($ty),*) -> Code,)*
            _library: libloading::Library,
        }

        impl Driver {
            /// Looks all entries up.
            fn of(library: libloading::Library) -> Result<Driver, Unavailable> {
                Ok(Driver {
                    $($field: {
                        // SAFETY: the entry has this signature in every version of the driver's interface that has this name.
                        let entry = unsafe { library.get::<unsafe extern "system" fn($($ty),*) -> Code>($symbol) };
                        *entry.map_err(|_| Unavailable(missing($symbol)))?
                    },)*
                    _library: library,
                })
            }
        }
    };
}

fn missing(symbol: &[u8]) -> String {
    format!("the CUDA driver is too old: it has no `{}`", String::from_utf8_lossy(symbol))
}

entries! {
    init = b"cuInit"(flags: c_uint);
    version = b"cuDriverGetVersion"(version: *mut c_int);
    error_name = b"cuGetErrorName"(code: Code, name: *mut *const c_char);
    error_text = b"cuGetErrorString"(code: Code, text: *mut *const c_char);
    device_count = b"cuDeviceGetCount"(count: *mut c_int);
    device = b"cuDeviceGet"(device: *mut c_int, ordinal: c_int);
    device_name = b"cuDeviceGetName"(name: *mut c_char, length: c_int, device: c_int);
    device_attribute = b"cuDeviceGetAttribute"(value: *mut c_int, attribute: c_int, device: c_int);
    retain_context = b"cuDevicePrimaryCtxRetain"(context: *mut Context, device: c_int);
    release_context = b"cuDevicePrimaryCtxRelease_v2"(device: c_int);
    push_context = b"cuCtxPushCurrent_v2"(context: Context);
    pop_context = b"cuCtxPopCurrent_v2"(context: *mut Context);
    memory_info = b"cuMemGetInfo_v2"(free: *mut usize, total: *mut usize);
    allocate = b"cuMemAlloc_v2"(address: *mut DevicePtr, bytes: usize);
    free = b"cuMemFree_v2"(address: DevicePtr);
    allocate_host = b"cuMemHostAlloc"(start: *mut *mut c_void, bytes: usize, flags: c_uint);
    free_host = b"cuMemFreeHost"(start: *mut c_void);
    copy_to_device = b"cuMemcpyHtoDAsync_v2"(to: DevicePtr, from: *const c_void, bytes: usize, stream: StreamHandle);
    copy_to_host = b"cuMemcpyDtoHAsync_v2"(to: *mut c_void, from: DevicePtr, bytes: usize, stream: StreamHandle);
    copy_within = b"cuMemcpyDtoDAsync_v2"(to: DevicePtr, from: DevicePtr, bytes: usize, stream: StreamHandle);
    fill = b"cuMemsetD8Async"(to: DevicePtr, byte: u8, bytes: usize, stream: StreamHandle);
    fill16 = b"cuMemsetD16Async"(to: DevicePtr, value: u16, count: usize, stream: StreamHandle);
    fill32 = b"cuMemsetD32Async"(to: DevicePtr, value: c_uint, count: usize, stream: StreamHandle);
    fill_rows32 = b"cuMemsetD2D32Async"(
        to: DevicePtr,
        pitch: usize,
        value: c_uint,
        width: usize,
        height: usize,
        stream: StreamHandle
    );
    create_stream = b"cuStreamCreate"(stream: *mut StreamHandle, flags: c_uint);
    destroy_stream = b"cuStreamDestroy_v2"(stream: StreamHandle);
    synchronize_stream = b"cuStreamSynchronize"(stream: StreamHandle);
    wait_for_event = b"cuStreamWaitEvent"(stream: StreamHandle, event: EventHandle, flags: c_uint);
    create_event = b"cuEventCreate"(event: *mut EventHandle, flags: c_uint);
    destroy_event = b"cuEventDestroy_v2"(event: EventHandle);
    record_event = b"cuEventRecord"(event: EventHandle, stream: StreamHandle);
    query_event = b"cuEventQuery"(event: EventHandle);
    synchronize_event = b"cuEventSynchronize"(event: EventHandle);
    elapsed = b"cuEventElapsedTime"(milliseconds: *mut f32, start: EventHandle, end: EventHandle);
    load_module = b"cuModuleLoadDataEx"(module: *mut ModuleHandle, image: *const c_void, count: c_uint, options: *mut c_int, values: *mut *mut c_void);
    unload_module = b"cuModuleUnload"(module: ModuleHandle);
    function = b"cuModuleGetFunction"(function: *mut FunctionHandle, module: ModuleHandle, name: *const c_char);
    launch = b"cuLaunchKernel"(
        function: FunctionHandle,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: StreamHandle,
        params: *mut *mut c_void,
        extra: *mut *mut c_void
    );
}

impl Driver {
    /// Loads and initialises the driver from the first of these libraries that there is.
    pub(super) fn load(libraries: &[&OsStr]) -> Result<Driver, Unavailable> {
        // SAFETY: loading the CUDA driver runs its initialisers, which have no preconditions.
        let load = |name: &&OsStr| unsafe { libloading::Library::new(*name) }.ok();
        // Miri cannot.
        let library = libraries.iter().filter(|_| !cfg!(miri)).find_map(load);
        let library = library.ok_or_else(|| Unavailable("there is no CUDA driver on this machine".into()))?;
        let driver = Driver::of(library)?;
        let mut version = 0;
        // SAFETY: 1. the flags must be 0; 2. `version` can be written. Neither needs an initialised driver.
        let codes = unsafe { [(driver.version)(&raw mut version), (driver.init)(0)] };
        for code in codes {
            driver.check("initialisation of the driver", code)?;
        }
        if version < OLDEST {
            let [has, needs] = [version, OLDEST].map(|v| format!("{}.{}", v / 1000, v % 1000 / 10));
            return Err(Unavailable(format!("the driver is for CUDA {has}; {needs} is needed")));
        }
        Ok(driver)
    }

    /// The driver's version as CUDA numbers it, 12040 for 12.4.
    pub(super) fn version_number(&self) -> c_int {
        let mut version = 0;
        // SAFETY: `version` can be written.
        let code = unsafe { (self.version)(&raw mut version) };
        if code == SUCCESS { version } else { 0 }
    }

    /// What a code means, by the driver's name and words.
    pub(super) fn text(&self, code: Code) -> String {
        let say = |entry: unsafe extern "system" fn(Code, *mut *const c_char) -> Code| {
            let mut text = std::ptr::null();
            // SAFETY: `text` can be written; it is null or a constant of the driver afterwards.
            let known = unsafe { entry(code, &raw mut text) } == SUCCESS && !text.is_null();
            // SAFETY: the driver's texts end with a zero and live as long as its library.
            known.then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
        };
        match (say(self.error_name), say(self.error_text)) {
            (Some(name), Some(text)) => format!("{name}: {text}"),
            (Some(name), None) => name,
            _ => format!("CUDA error {code}"),
        }
    }

    /// The failure that a code is.
    pub(super) fn check(&self, operation: &'static str, code: Code) -> Result<(), Failure> {
        if code == SUCCESS {
            return Ok(());
        }
        let reason = self.text(code);
        Err(if loses(code) { Failure::Lost { operation, reason } } else { Failure::Operation { operation, reason } })
    }
}

/// Whether the context is of no use after this code, by the reference's description of each.
pub(super) fn loses(code: Code) -> bool {
    const DEINITIALIZED: Code = 4;
    const ECC_UNCORRECTABLE: Code = 214;
    const NVLINK_UNCORRECTABLE: Code = 220;
    const CONTAINED: Code = 221;
    // illegal address, .. 702 time-out, 709 context destroyed, 710 assertion, 714 to 719 exceptions of kernels
    let exceptions = matches!(code, 700 | 702 | 709 | 710 | 714..=719 | 721 | 999);
    exceptions || [DEINITIALIZED, ECC_UNCORRECTABLE, NVLINK_UNCORRECTABLE, CONTAINED].contains(&code)
}
