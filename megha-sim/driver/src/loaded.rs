//! The library as tests control it, once it is loaded: the functions of `control`, found by name.

use std::ffi::OsStr;

use libloading::Library;

/// The library under some name, with the one machine of the process.
pub struct Loaded(Library);

impl Loaded {
    /// The library of this name.
    ///
    /// # Panics
    /// If there is none.
    pub fn open(name: impl AsRef<OsStr>) -> Loaded {
        let name = name.as_ref();
        // SAFETY: the library has no initialisers.
        let library = unsafe { Library::new(name) };
        Loaded(library.unwrap_or_else(|error| panic!("{}: {error}", name.display())))
    }

    /// The function of this name, which has no arguments.
    fn count(&self, name: &[u8]) -> u64 {
        // SAFETY: all such functions of `control` have this signature.
        unsafe { self.0.get::<extern "C" fn() -> u64>(name) }.expect("the simulated driver")()
    }

    /// A new machine with one device, of 1 GiB.
    pub fn reset(&self) {
        self.reset_to(1 << 30, 12_040, 1, 90);
    }

    /// A new machine: bytes of memory, the driver's version, the number of devices and ten times their compute capability.
    pub fn reset_to(&self, memory: u64, version: i32, devices: i32, capability: i32) {
        // SAFETY: the signature is that in `control`.
        let reset = unsafe { self.0.get::<extern "C" fn(u64, i32, i32, i32)>(b"simulated_reset") };
        reset.expect("the simulated driver")(memory, version, devices, capability);
    }

    /// Lets the `nth` call from now on return `code` and do nothing, 1 being the next.
    pub fn fail(&self, nth: u64, code: i32) {
        // SAFETY: as above.
        let fail = unsafe { self.0.get::<extern "C" fn(u64, i32)>(b"simulated_fail") };
        fail.expect("the simulated driver")(nth, code);
    }

    /// How many calls there were.
    pub fn calls(&self) -> u64 {
        self.count(b"simulated_calls")
    }

    /// How many kernels were started.
    pub fn launches(&self) -> u64 {
        self.count(b"simulated_launches")
    }

    /// How many matrix products were started.
    pub fn products(&self) -> u64 {
        self.count(b"simulated_products")
    }

    /// How many copies there were between host and device.
    pub fn copies(&self) -> u64 {
        self.count(b"simulated_copies")
    }

    /// How many things were made and not destroyed.
    pub fn live(&self) -> u64 {
        self.count(b"simulated_live")
    }

    /// How many mistakes callers and kernels made; their texts are on standard error.
    pub fn mistakes(&self) -> u64 {
        self.count(b"simulated_mistakes")
    }
}
