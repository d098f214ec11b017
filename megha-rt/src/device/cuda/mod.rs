//! NVIDIA GPUs, through the CUDA driver's interface.
//!
//! Three streams stand for the queues; matrix products go to cuBLAS where it is (`cublas.rs`). Copies go through pinned buffers (`staging.rs`), memory comes from a pool (`memory.rs`), points in
//! queues are CUDA events that are used again once they have been passed (`queues.rs`).
//!
//! # What the `unsafe` blocks rely on
//! 1. Every entry of the driver that needs a context is called between `enter` and the end of what that returns.
//! 2. Handles of streams, events, modules and functions come from the driver and are destroyed only when the device is dropped.
//! 3. Host memory that the driver reads or writes after the call returns is pinned memory of `staging.rs`, which is used again only after an
//!    event that follows the operation has been passed.
//! 4. Ranges of device memory that copies and fills touch lie in blocks that the pool has given out, or in memory that others keep for the device (`known`).
//! 5. What kernels do with the addresses that they are given is right because the compiler's PTX is.

mod cublas;
mod driver;
mod fill;
#[cfg(feature = "interop")]
mod foreign;
mod memory;
mod modules;
mod open;
mod params;
mod pool;
mod queues;
mod staging;
mod stamps;

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use megha_base::plan::{Ceilings, Launch};

use super::measure::known_or_measured;
use super::{
    Address, Arg, Device, Download, Event, Failure, Kernels, Module, Outcome, Product, Ptx, Queue, Rates, Rows, Stamp,
};
use cublas::Found;
use driver::{Code, Context, Driver, StreamHandle};
use fill::Write;
#[cfg(feature = "interop")]
pub(crate) use foreign::Coming;
use memory::Memory;
use modules::Modules;
use queues::Queues;
use staging::Staging;
use stamps::Stamps;

/// A CUDA device, its primary context, and all that was made in it.
pub struct CudaDevice {
    /// Never unloaded: the driver has threads of its own.
    driver: &'static Driver,
    number: c_int,
    context: Context,
    name: String,
    ptx: Ptx,
    ceilings: Ceilings,
    kernels: Kernels,
    streams: [StreamHandle; 3],
    state: Mutex<State>,
    /// Who lets the driver translate a module or loads a library. It is taken before that of the state, which stays free meanwhile.
    starting: Mutex<()>,
    /// Why it cannot be used any more.
    lost: OnceLock<String>,
    rates: OnceLock<Rates>,
    /// Whether a thread has begun to measure the rates.
    measuring: AtomicBool,
}

struct State {
    queues: Queues,
    memory: Memory,
    staging: Staging,
    stamps: Stamps,
    modules: Modules,
    cublas: Found,
}

/// While it lives the device's context is that of the thread.
struct Entered<'a>(&'a CudaDevice);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut context = Context::NULL;
        // SAFETY: `context` can be written. The context on top is ours: it was pushed by `enter`, and uses of `Entered` nest.
        unsafe { (self.0.driver.pop_context)(&raw mut context) };
    }
}

impl CudaDevice {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stream(&self, queue: Queue) -> StreamHandle {
        self.streams[queue as usize]
    }

    /// Makes the context that of the thread, unless the device is lost.
    fn enter(&self, operation: &'static str) -> Outcome<Entered<'_>> {
        if let Some(reason) = self.lost.get() {
            return Err(Failure::Lost { operation, reason: reason.clone() });
        }
        // SAFETY: the context is retained until the device is dropped.
        self.check(operation, unsafe { (self.driver.push_context)(self.context) })?;
        Ok(Entered(self))
    }

    /// The failure that a code is; remembers if it loses the device.
    fn check(&self, operation: &'static str, code: Code) -> Outcome<()> {
        self.driver.check(operation, code).inspect_err(|failure| {
            if let Failure::Lost { reason, .. } = failure {
                let _ = self.lost.set(reason.clone());
            }
        })
    }

    /// Refuses ranges outside memory that was given out.
    fn known(&self, state: &State, operation: &'static str, address: Address, bytes: u64) -> Outcome<()> {
        if state.memory.holds(address, bytes) {
            return Ok(());
        }
        let reason = format!("{bytes} bytes at {:#x} were not allocated", address.0);
        Err(Failure::Operation { operation, reason })
    }

    /// Lets `start` put an operation into a queue.
    fn issue(
        &self,
        state: &mut State,
        operation: &'static str,
        queue: Queue,
        start: impl FnOnce(&Driver, StreamHandle) -> Code,
    ) -> Outcome<()> {
        // also where it fails, since a part of it may have been started
        state.queues.has_work(queue);
        self.check(operation, start(self.driver, self.stream(queue)))
    }
}

impl Device for CudaDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn memory(&self) -> Outcome<(u64, u64)> {
        let _entered = self.enter("memory query")?;
        self.memory_use(&self.state())
    }

    fn budget(&self) -> u64 {
        self.state().memory.limit()
    }

    fn takes(&self, bytes: u64) -> u64 {
        pool::size_class(bytes)
    }

    fn rates(&self) -> Rates {
        if let Some(rates) = self.rates.get() {
            return *rates;
        }
        // nobody waits for the thread that measures
        if self.measuring.swap(true, Ordering::Relaxed) {
            return self.expected_rates();
        }
        let rates = known_or_measured(self, self.driver_version()).unwrap_or_else(|| self.expected_rates());
        *self.rates.get_or_init(|| rates)
    }

    fn ceilings(&self) -> Ceilings {
        self.ceilings
    }

    fn allocate(&self, bytes: u64) -> Outcome<Address> {
        let _entered = self.enter("allocation")?;
        self.take_memory(&mut self.state(), bytes)
    }

    fn free(&self, address: Address) {
        #[cfg(feature = "interop")]
        if self.release(address) {
            return;
        }
        // a lost device has no memory
        if let Ok(_entered) = self.enter("free") {
            self.return_memory(&mut self.state(), address);
        }
    }

    fn load(&self, ptx: &'static str) -> Outcome<Module> {
        let _entered = self.enter("module load")?;
        self.find_module(ptx)
    }

    fn upload(&self, queue: Queue, to: Address, from: &[u8]) -> Outcome<()> {
        let _entered = self.enter("upload")?;
        self.known(&self.state(), "upload", to, from.len() as u64)?;
        self.send(queue, to, from)
    }

    fn begin_download(&self, queue: Queue, from: Address, bytes: usize) -> Outcome<Download> {
        self.begin_rows(queue, from, Rows::one(bytes))
    }

    fn begin_rows(&self, queue: Queue, from: Address, rows: Rows) -> Outcome<Download> {
        let _entered = self.enter("download")?;
        let state = &mut *self.state();
        self.known(state, "download", from, rows.extent() as u64)?;
        self.start_receiving(state, queue, from, rows)
    }

    fn finish_download(&self, download: Download, to: &mut [u8]) -> Outcome<()> {
        let _entered = self.enter("download")?;
        self.receive(&download, to)
    }

    fn fill(&self, queue: Queue, to: Address, element: &[u8], bytes: u64) -> Outcome<()> {
        if bytes == 0 {
            return Ok(());
        }
        let _entered = self.enter("fill")?;
        let state = &mut *self.state();
        self.known(state, "fill", to, bytes)?;
        for write in fill::writes(element, bytes as usize) {
            self.issue(state, "fill", queue, |driver, stream| match write {
                // SAFETY: reasons 1, 2 and 4.
                Write::Bytes(byte, count) => unsafe { (driver.fill)(to.0, byte, count, stream) },
                // SAFETY: as above.
                Write::Halves(half, count) => unsafe { (driver.fill16)(to.0, half, count, stream) },
                // SAFETY: as above.
                Write::Words(word, count) => unsafe { (driver.fill32)(to.0, word, count, stream) },
                // SAFETY: as above.
                Write::EverySecondWord(first, word, count) => unsafe {
                    (driver.fill_rows32)(to.0 + first, 8, word, 1, count, stream)
                },
            })?;
        }
        Ok(())
    }

    fn copy(&self, queue: Queue, to: Address, from: Address, bytes: u64) -> Outcome<()> {
        if bytes == 0 {
            return Ok(());
        }
        let _entered = self.enter("copy")?;
        let state = &mut *self.state();
        self.known(state, "copy", to, bytes)?;
        self.known(state, "copy", from, bytes)?;
        self.issue(state, "copy", queue, |driver, stream| {
            // SAFETY: reasons 1, 2 and 4.
            unsafe { (driver.copy_within)(to.0, from.0, bytes as usize, stream) }
        })
    }

    fn launch(&self, queue: Queue, module: Module, entry: &str, launch: Launch, args: &[Arg]) -> Outcome<()> {
        let _entered = self.enter("launch")?;
        let state = &mut *self.state();
        for arg in args {
            // 0 stands for an array without elements
            if let Arg::Address(address @ Address(1..)) | Arg::Before(address, _) = arg {
                self.known(state, "launch", *address, 0)?;
            }
        }
        let function = self.find_function(state, module, entry)?;
        let mut block = params::pack(args);
        let mut bytes = block.len();
        let [buffer, size] = [block.as_mut_ptr().cast::<c_void>(), (&raw mut bytes).cast()];
        let mut extra = [PARAMETERS, buffer, PARAMETERS_BYTES, size, std::ptr::null_mut()];
        let extra = if args.is_empty() { std::ptr::null_mut() } else { extra.as_mut_ptr() };
        let (Launch { grid: g, block: b }, none) = (launch, std::ptr::null_mut());
        self.issue(state, "launch", queue, |driver, stream| {
            // SAFETY: reasons 1, 2 and 5. The driver copies the parameters before it returns, and knows how many bytes there are.
            unsafe { (driver.launch)(function, g[0], g[1], g[2], b[0], b[1], b[2], 0, stream, none, extra) }
        })
    }

    fn ptx(&self) -> Ptx {
        self.ptx
    }

    fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    fn library(&self) -> bool {
        let Ok(_entered) = self.enter("matrix product") else { return false };
        self.has_library()
    }

    fn multiply(&self, product: &Product) -> Outcome<()> {
        let _entered = self.enter("matrix product")?;
        self.has_library();
        self.start_product(&mut self.state(), product)
    }

    fn record(&self, queue: Queue) -> Outcome<Event> {
        let _entered = self.enter("record")?;
        self.point(&mut self.state().queues, queue)
    }

    fn wait(&self, queue: Queue, event: Event) -> Outcome<()> {
        let _entered = self.enter("wait")?;
        let state = &mut *self.state();
        let Some(point) = state.queues.get(event) else { return Ok(()) };
        self.issue(state, "wait", queue, |driver, stream| {
            // SAFETY: reasons 1 and 2; the flags must be 0.
            unsafe { (driver.wait_for_event)(stream, point, 0) }
        })
    }

    fn synchronize(&self, event: Event) -> Outcome<()> {
        let _entered = self.enter("synchronisation")?;
        let point = self.state().queues.get(event);
        // without the lock: other threads go on. An event that has meanwhile been passed and used again makes this wait for longer.
        point.map_or(Ok(()), |point| self.await_point("synchronisation", point))
    }

    fn stamp(&self, queue: Queue) -> Outcome<Stamp> {
        let _entered = self.enter("stamp")?;
        self.take_stamp(&mut self.state(), queue)
    }

    fn between(&self, from: Stamp, to: Stamp) -> Outcome<Option<Duration>> {
        let _entered = self.enter("stamp")?;
        self.time_between(&mut self.state(), [from, to])
    }

    fn identity(&self) -> Option<String> {
        Some(format!("{}-{}", self.name, self.driver_version()))
    }

    #[cfg(feature = "interop")]
    fn as_cuda(&self) -> Option<&CudaDevice> {
        Some(self)
    }
}

/// `CU_LAUNCH_PARAM_BUFFER_POINTER`
const PARAMETERS: *mut c_void = std::ptr::without_provenance_mut(1);
/// `CU_LAUNCH_PARAM_BUFFER_SIZE`
const PARAMETERS_BYTES: *mut c_void = std::ptr::without_provenance_mut(2);

#[cfg(all(test, feature = "sim"))]
mod tests;
