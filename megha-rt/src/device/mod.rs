//! Devices: what can run kernels besides this machine's processors.
//!
//! [`Device`] is what the rest of the run-time system knows of one. Its methods are safe: memory of the host is lent only for the
//! length of a call, addresses are checked or are only ever handed back to the device that gave them, and a failure is a
//! [`Failure`], after which the caller does the work on the CPU.

mod absent;
mod ahead;
mod blank;
mod budget;
mod choose;
mod chosen;
mod copies;
#[cfg(feature = "cuda")]
pub mod cuda;
mod decide;
mod decisions;
mod elements;
#[cfg(any(feature = "cuda", feature = "sim"))]
mod events;
mod evict;
#[cfg(all(test, feature = "sim"))]
mod exercise;
mod job;
mod kept;
mod later;
mod learn;
#[cfg(feature = "cuda")]
pub mod measure;
#[cfg(feature = "sim")]
pub mod sim;

mod extent;
mod future;
mod guard;
mod held;
mod in_rows;
mod placements;
mod pressed;
mod product;
mod program;
mod recipe;
mod recompute;
pub(crate) mod replay;
mod resident;
mod room;
mod run;
pub mod schedule;
mod session;
mod steps;
mod strict;
mod table;
mod tiles;
mod together;
mod traced;
mod tuned;

use std::time::Duration;

pub use blank::{filled, filled_around, zeros};
pub(crate) use choose::may_be_chosen;
pub use choose::{Builder, Chosen, Kind, Placement, Unavailable, abandon, current, unavailable, with};
pub use evict::{Recomputed, Spilled};
pub use in_rows::rows_apart;
pub use kept::notes;
pub(crate) use later::{Later, Turn};
pub use megha_base::bytes::parse as parse_bytes;
pub use megha_base::ranges;
pub use product::{Kernels, Product, Ptx, product, product_to_compare, texts as product_texts};
pub use program::Program;
pub use recompute::recomputed_wherever;
#[cfg(feature = "cust")]
pub use resident::DeviceMemory;
#[cfg(feature = "interop")]
pub use resident::Refused;
pub use resident::{Lent, Resident};
pub use session::{
    Given, Launch as Offer, active, decide, duplicated, duplicated_around, fetch, offer, results_stay, wrote,
};
pub(crate) use session::{
    Session, decide_in_time, fetch_element, forget, guarded, host_multiplies, kernel_ended, offer_step, rest, restore,
    settle, stands_for, within,
};
pub use steps::some_at_once;
pub(crate) use strict::is_strict;
pub use strict::strict;
pub use table::{Moved, Place};
pub(crate) use traced::collect;

use megha_base::plan::{Ceilings, Launch};

/// Allocations begin at multiples of so many bytes.
const ALIGNMENT: u64 = 256;

/// An address in the memory of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address(pub u64);

/// A module that a device has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Module(pub usize);

/// A queue of a device. Operations in one follow each other; those in different ones overlap unless events order them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Queue {
    /// Kernels, fills, and copies within the device.
    Compute,
    /// Copies to the device.
    Upload,
    /// Copies to the host.
    Download,
}

/// A point in a queue, by the number that the device gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event(pub u64);

/// A moment in a queue, when all before it was done, by the number that the device gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp(pub u64);

/// An argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names are the types")]
pub enum Arg {
    Address(Address),
    /// The address so many bytes before one, where an array would begin of which only a part is held.
    Before(Address, u64),
    I64(i64),
    U64(u64),
    I32(i32),
    U32(u32),
    F64(f64),
    F32(f32),
}

impl Arg {
    /// Whether both are the same to the bit.
    pub(crate) fn same(&self, other: &Arg) -> bool {
        match (self, other) {
            (Arg::F64(a), Arg::F64(b)) => a.to_bits() == b.to_bits(),
            (Arg::F32(a), Arg::F32(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        }
    }
}

/// What a device can do at most, measured on it: the basis of estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Bytes a second from and to its memory.
    pub memory: f64,
    /// Operations a second in double precision.
    pub flops64: f64,
    /// Operations a second in single precision.
    pub flops32: f64,
    /// Bytes a second from the host.
    pub upload: f64,
    /// Bytes a second to the host.
    pub download: f64,
    /// From the call of a launch to the start of its kernel on an idle device.
    pub launch: Duration,
    /// By how much a kernel that does nothing delays the end of a full queue.
    pub queued: Duration,
    /// From the call of a copy to its first byte.
    pub copy: Duration,
}

/// Why a device did not do what it was asked to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Too little memory is free.
    #[error("no memory for {wanted} bytes")]
    OutOfMemory {
        /// Bytes asked for.
        wanted: u64,
    },
    /// An operation failed; the device can still be used.
    #[error("{operation} failed: {reason}")]
    Operation {
        /// Which operation.
        operation: &'static str,
        /// What the driver or the simulator said.
        reason: String,
    },
    /// The device cannot be used any more, as CUDA contexts after some errors.
    #[error("{operation} failed and the device is lost: {reason}")]
    Lost {
        /// Which operation.
        operation: &'static str,
        /// What the driver said.
        reason: String,
    },
    /// There is no device.
    #[error("{reason}")]
    Absent {
        /// Why.
        reason: String,
    },
}

impl Failure {
    /// Whether the device cannot be used any more.
    pub fn is_final(&self) -> bool {
        matches!(self, Failure::Lost { .. } | Failure::Absent { .. })
    }
}

/// The result of an operation of a device.
pub type Outcome<T> = Result<T, Failure>;

/// A copy to the host that has begun, to be given to [`Device::finish_download`].
#[derive(Debug)]
pub struct Download {
    /// The device's number for it.
    pub ticket: u64,
    /// Its length.
    pub bytes: usize,
}

/// Rows of bytes, equally far apart: what a two-dimensional copy moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// Bytes of each.
    pub bytes: usize,
    /// How many there are.
    pub count: usize,
    /// Bytes from the beginning of one to that of the next.
    pub pitch: usize,
}

impl Rows {
    /// Bytes that lie side by side.
    pub fn one(bytes: usize) -> Rows {
        Rows { bytes, count: 1, pitch: bytes }
    }

    /// Bytes from the first to the end of the last.
    pub fn extent(&self) -> usize {
        if self.count == 0 { 0 } else { (self.count - 1) * self.pitch + self.bytes }
    }

    /// Bytes of all of them.
    pub fn length(&self) -> usize {
        self.count * self.bytes
    }

    /// Of all of them side by side, a piece: where each of its runs begins among the rows and in the piece, and its length.
    pub fn piece(&self, first: usize, length: usize) -> impl Iterator<Item = (usize, usize, usize)> + use<> {
        let Rows { bytes, pitch, .. } = *self;
        let mut at = first;
        std::iter::from_fn(move || {
            let (row, within) = (at / bytes.max(1), at % bytes.max(1));
            let run = (bytes - within).min(first + length - at);
            let found = (run > 0).then_some((row * pitch + within, at - first, run));
            at += run;
            found
        })
    }

    /// Where they begin.
    pub fn starts(&self) -> impl Iterator<Item = usize> + use<> {
        let pitch = self.pitch;
        (0..self.count).map(move |row| row * pitch)
    }
}

/// An operation of a device in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// A kernel's entry, or what else it is.
    pub name: String,
    /// Where it ran.
    pub queue: Queue,
    /// When it started.
    pub start: Duration,
    /// When it ended.
    pub end: Duration,
}

/// A device. Threads may share it.
pub trait Device: Send + Sync {
    /// Its name, for people.
    fn name(&self) -> &str;

    /// Bytes of memory that are free, and all.
    fn memory(&self) -> Outcome<(u64, u64)>;

    /// Most bytes of its memory that arrays may take, as far as that is known without asking.
    fn budget(&self) -> u64 {
        u64::MAX
    }

    /// Bytes of memory that an allocation of so many takes.
    fn takes(&self, bytes: u64) -> u64 {
        bytes.max(1).next_multiple_of(ALIGNMENT)
    }

    /// What it can do at most.
    fn rates(&self) -> Rates;

    /// Threads that it needs to be busy; with fewer it is slower in proportion.
    fn threads(&self) -> f64 {
        decide::FULL
    }

    /// What the choice among a kernel's entries goes by.
    fn ceilings(&self) -> Ceilings {
        Ceilings::default()
    }

    /// Memory of at least so many bytes, aligned to 256. Its contents are not defined. May come from a pool.
    fn allocate(&self, bytes: u64) -> Outcome<Address>;

    /// Gives memory back; operations already in its queues may still use it, so it is not given to another queue before they end.
    fn free(&self, address: Address);

    /// Loads PTX text. The same text is loaded once.
    fn load(&self, ptx: &'static str) -> Outcome<Module>;

    /// Copies from the host. The values are taken before the call returns; the copy itself may be later.
    fn upload(&self, queue: Queue, to: Address, from: &[u8]) -> Outcome<()>;

    /// Copies rows from the host, as far apart there as here; `from` begins with the first and ends with the last. As [`Device::upload`].
    fn upload_rows(&self, queue: Queue, to: Address, from: &[u8], rows: Rows) -> Outcome<()> {
        let mut starts = rows.starts();
        starts.try_for_each(|at| self.upload(queue, Address(to.0 + at as u64), &from[at..at + rows.bytes]))
    }

    /// Starts a copy of rows to the host, which arrive side by side.
    fn begin_rows(&self, queue: Queue, from: Address, rows: Rows) -> Outcome<Download>;

    /// What a copy of rows takes for each of them, beside the time of their bytes.
    fn row(&self) -> Duration {
        self.rates().copy
    }

    /// Starts a copy to the host.
    fn begin_download(&self, queue: Queue, from: Address, bytes: usize) -> Outcome<Download>;

    /// Waits for a copy to the host and delivers it.
    fn finish_download(&self, download: Download, to: &mut [u8]) -> Outcome<()>;

    /// Repeats an element of 1, 2, 4 or 8 bytes over so many bytes, which are a multiple of its length.
    fn fill(&self, queue: Queue, to: Address, element: &[u8], bytes: u64) -> Outcome<()>;

    /// Copies within the device; the ranges do not overlap.
    fn copy(&self, queue: Queue, to: Address, from: Address, bytes: u64) -> Outcome<()>;

    /// Starts a kernel.
    fn launch(&self, queue: Queue, module: Module, entry: &str, launch: Launch, args: &[Arg]) -> Outcome<()>;

    /// The newest PTX that it takes.
    fn ptx(&self) -> Ptx {
        Ptx::OLDEST
    }

    /// What is known of its kernels for matrix products.
    fn kernels(&self) -> &Kernels;

    /// Whether it has a library for matrix products.
    fn library(&self) -> bool {
        false
    }

    /// Starts a matrix product by its library, in the queue of kernels.
    fn multiply(&self, product: &Product) -> Outcome<()> {
        let _ = product;
        product::no_library()
    }

    /// The point in a queue after all that it holds.
    fn record(&self, queue: Queue) -> Outcome<Event>;

    /// Lets what follows in a queue wait for an event.
    fn wait(&self, queue: Queue, event: Event) -> Outcome<()>;

    /// Lets the host wait for an event.
    fn synchronize(&self, event: Event) -> Outcome<()>;

    /// A moment in a queue, to be given to [`Device::between`].
    fn stamp(&self, queue: Queue) -> Outcome<Stamp>;

    /// The time between two stamps, which are then given up; `None`, and nothing is given up, if the second was not reached yet.
    fn between(&self, from: Stamp, to: Stamp) -> Outcome<Option<Duration>>;

    /// By which name what was learnt of it is kept across runs; `None` if it is not kept.
    fn identity(&self) -> Option<String> {
        None
    }

    /// A number by which kernels are to be placed, and not by estimates: so tests see a simulated device beside the CPU in all mixtures.
    fn lot(&self) -> Option<u64> {
        None
    }

    /// The CUDA device that it is, for who exchanges memory with others there.
    #[cfg(feature = "interop")]
    #[doc(hidden)]
    fn as_cuda(&self) -> Option<&cuda::CudaDevice> {
        None
    }

    /// What ran when by the device's own clock, without the first so many; `None` if it keeps no such list.
    fn timeline(&self, skip: usize) -> Option<Vec<Span>> {
        let _ = skip;
        None
    }

    /// Tells the clock of a simulated device that the host does what is estimated to take so long. Gives the time that it takes by
    /// that clock; `None` if that of the host counts.
    fn host_worked(&self, estimate: Duration) -> Option<Duration> {
        let _ = estimate;
        None
    }
}
