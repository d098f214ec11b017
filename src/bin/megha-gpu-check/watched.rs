//! A device whose operations are counted and, if asked for, timed one by one.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use megha::device::sim::SimDevice;
use megha::device::{Address, Arg, Device, Download, Event, Kernels, Module, Outcome, Ptx, Queue, Rates, Rows, Stamp};
use megha_base::plan::{Ceilings, Launch};

/// What was done.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// Kernels, and their time if they were timed.
    pub launches: u64,
    /// Their time one by one, in seconds.
    pub kernels: f64,
    /// Bytes of the arrays that they were given, each once a kernel: what must at least be moved where all of them is used.
    pub touched: u64,
    /// Bytes to the device.
    pub up: u64,
    /// Bytes to the host.
    pub down: u64,
    /// Kernels by name, if they were timed: how often, seconds, bytes touched.
    pub each: BTreeMap<String, (u64, f64, u64)>,
}

#[derive(Default)]
struct State {
    log: Log,
    alone: bool,
    sizes: HashMap<Address, u64>,
}

/// A device and what was done with it.
pub struct Watched {
    device: Arc<dyn Device>,
    /// The same device, if it is simulated: then its clock counts.
    sim: Option<Arc<SimDevice>>,
    start: Instant,
    state: Mutex<State>,
}

impl Watched {
    pub fn new(device: Arc<dyn Device>, sim: Option<Arc<SimDevice>>) -> Watched {
        Watched { device, sim, start: Instant::now(), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what was done. From now on kernels run alone and are timed, or not.
    pub fn restart(&self, alone: bool) {
        let mut state = self.state();
        (state.log, state.alone) = (Log::default(), alone);
    }

    pub fn log(&self) -> Log {
        self.state().log.clone()
    }

    /// The time on the clock that counts.
    pub fn now(&self) -> Duration {
        self.sim.as_ref().map_or_else(|| self.start.elapsed(), |sim| sim.simulator().now())
    }

    fn drain(&self) -> Outcome<()> {
        self.device.synchronize(self.device.record(Queue::Compute)?)
    }
}

impl Device for Watched {
    fn name(&self) -> &str {
        self.device.name()
    }

    fn memory(&self) -> Outcome<(u64, u64)> {
        self.device.memory()
    }

    fn ceilings(&self) -> Ceilings {
        self.device.ceilings()
    }

    fn rates(&self) -> Rates {
        self.device.rates()
    }

    fn ptx(&self) -> Ptx {
        self.device.ptx()
    }

    fn kernels(&self) -> &Kernels {
        self.device.kernels()
    }

    fn allocate(&self, bytes: u64) -> Outcome<Address> {
        let address = self.device.allocate(bytes)?;
        self.state().sizes.insert(address, bytes);
        Ok(address)
    }

    fn free(&self, address: Address) {
        self.state().sizes.remove(&address);
        self.device.free(address);
    }

    fn load(&self, ptx: &'static str) -> Outcome<Module> {
        self.device.load(ptx)
    }

    fn upload(&self, queue: Queue, to: Address, from: &[u8]) -> Outcome<()> {
        self.state().log.up += from.len() as u64;
        self.device.upload(queue, to, from)
    }

    fn upload_rows(&self, queue: Queue, to: Address, from: &[u8], rows: Rows) -> Outcome<()> {
        self.state().log.up += rows.length() as u64;
        self.device.upload_rows(queue, to, from, rows)
    }

    fn begin_rows(&self, queue: Queue, from: Address, rows: Rows) -> Outcome<Download> {
        self.state().log.down += rows.length() as u64;
        self.device.begin_rows(queue, from, rows)
    }

    fn row(&self) -> Duration {
        self.device.row()
    }

    fn begin_download(&self, queue: Queue, from: Address, bytes: usize) -> Outcome<Download> {
        self.state().log.down += bytes as u64;
        self.device.begin_download(queue, from, bytes)
    }

    fn finish_download(&self, download: Download, to: &mut [u8]) -> Outcome<()> {
        self.device.finish_download(download, to)
    }

    fn fill(&self, queue: Queue, to: Address, element: &[u8], bytes: u64) -> Outcome<()> {
        self.device.fill(queue, to, element, bytes)
    }

    fn copy(&self, queue: Queue, to: Address, from: Address, bytes: u64) -> Outcome<()> {
        self.device.copy(queue, to, from, bytes)
    }

    fn launch(&self, queue: Queue, module: Module, entry: &str, launch: Launch, args: &[Arg]) -> Outcome<()> {
        let (alone, touched) = {
            let mut state = self.state();
            state.log.launches += 1;
            let mut arrays: Vec<Address> = args.iter().filter_map(address).collect();
            arrays.sort_by_key(|address| address.0);
            arrays.dedup();
            let touched: u64 = arrays.iter().filter_map(|address| state.sizes.get(address)).sum();
            state.log.touched += touched;
            (state.alone, touched)
        };
        if !alone {
            return self.device.launch(queue, module, entry, launch, args);
        }
        self.drain()?;
        let start = self.device.stamp(queue)?;
        self.device.launch(queue, module, entry, launch, args)?;
        let end = self.device.stamp(queue)?;
        self.drain()?;
        let time = self.device.between(start, end)?.unwrap_or_default().as_secs_f64();
        let mut state = self.state();
        state.log.kernels += time;
        let kernel = state.log.each.entry(entry.to_owned()).or_default();
        *kernel = (kernel.0 + 1, kernel.1 + time, kernel.2 + touched);
        Ok(())
    }

    fn record(&self, queue: Queue) -> Outcome<Event> {
        self.device.record(queue)
    }

    fn wait(&self, queue: Queue, event: Event) -> Outcome<()> {
        self.device.wait(queue, event)
    }

    fn synchronize(&self, event: Event) -> Outcome<()> {
        self.device.synchronize(event)
    }

    fn stamp(&self, queue: Queue) -> Outcome<Stamp> {
        self.device.stamp(queue)
    }

    fn between(&self, from: Stamp, to: Stamp) -> Outcome<Option<Duration>> {
        self.device.between(from, to)
    }

    fn host_worked(&self, estimate: Duration) -> Option<Duration> {
        self.device.host_worked(estimate)
    }
}

fn address(arg: &Arg) -> Option<Address> {
    match arg {
        Arg::Address(address) => Some(*address),
        _ => None,
    }
}
