//! The simulated GPU as a device.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use megha_base::plan::{Ceilings, Element, Launch};
use megha_sim::{Config, Engine, Ptr, Stream, Traffic};

use super::decide::FULL;
use super::events::Points;
use super::{
    Address, Arg, Device, Download, Event, Failure, Kernels, Module, Outcome, Product, Ptx, Queue, Rates, Rows, Span,
    Stamp,
};

/// So many points of a queue are kept for the simulator's check of the order between streams, though they have been passed.
const POINTS: usize = 4096;
/// Host time of an allocation from a pool.
const POOLED: Duration = Duration::from_micros(1);
/// The newest PTX that the simulator reads: 9.0.
const PTX: u32 = 90;

/// A device that executes PTX on this machine's processor and models the time that it would take.
///
/// It takes effect when it is called, so a mistake of a schedule or a kernel comes back as a [`Failure`] of the call that made it;
/// [`SimDevice::mistakes`] keeps them, so that a test sees them although the caller went on on the CPU.
#[derive(Debug)]
pub struct SimDevice {
    simulator: megha_sim::Device,
    name: String,
    streams: [Stream; 3],
    state: Mutex<State>,
    claims: Claims,
    kernels: Kernels,
}

/// What is estimated otherwise than the model has it.
#[derive(Debug)]
struct Claims {
    /// The rates by which the device is estimated, if not those of the model.
    rates: Option<Rates>,
    /// How many times longer than estimated the host works.
    host: f64,
    /// By which name what is learnt is kept.
    identity: Option<String>,
    /// What kernels are placed by, if not by estimates.
    lot: Option<AtomicU64>,
    /// Whether it has a library for matrix products.
    library: bool,
}

#[derive(Debug)]
struct State {
    points: Points<megha_sim::Event>,
    modules: Vec<megha_sim::Module>,
    /// The number of the module of a text, by the address and length of the text.
    loaded: HashMap<(usize, usize), usize>,
    downloads: HashMap<u64, (Vec<u8>, megha_sim::Event)>,
    tickets: u64,
    /// By the numbers of stamps.
    stamps: HashMap<u64, Duration>,
    mistakes: Vec<String>,
    /// The entries that were launched, and the memory traffic of each.
    traffic: Vec<(String, Traffic)>,
    /// Whether failures that are asked for lose the device.
    fragile: bool,
    lost: Option<String>,
}

impl SimDevice {
    /// A device; its queues are streams of the simulator.
    pub fn new(config: Config) -> SimDevice {
        let simulator = megha_sim::Device::new(config);
        let streams = [Stream::DEFAULT, simulator.stream(), simulator.stream()];
        let gibibytes = simulator.config().memory as f64 / f64::from(1 << 30);
        let name = format!("simulated GPU, sm_{}, {gibibytes} GiB", simulator.config().compute_capability);
        let state = State {
            points: Points::new(),
            modules: Vec::new(),
            loaded: HashMap::new(),
            downloads: HashMap::new(),
            tickets: 0,
            stamps: HashMap::new(),
            mistakes: Vec::new(),
            traffic: Vec::new(),
            fragile: false,
            lost: None,
        };
        let claims = Claims { rates: None, host: 1.0, identity: None, lot: None, library: false };
        SimDevice { simulator, name, streams, state: Mutex::new(state), claims, kernels: Kernels::default() }
    }

    /// Lets estimates go by these rates and not by those of the model.
    pub fn claiming(mut self, rates: Rates) -> SimDevice {
        self.claims.rates = Some(rates);
        self
    }

    /// Lets the host work so many times longer than estimated, by the device's clock.
    pub fn beside_host(mut self, slower: f64) -> SimDevice {
        self.claims.host = slower;
        self
    }

    /// Lets kernels be placed by lot, each time anew: results must not depend on it.
    pub fn by_lot(mut self, seed: u64) -> SimDevice {
        self.claims.lot = Some(AtomicU64::new(seed));
        self
    }

    /// Keeps what is learnt of the device across runs, by this name.
    pub fn kept_as(mut self, name: &str) -> SimDevice {
        self.claims.identity = Some(name.to_owned());
        self
    }

    /// Gives it a library for matrix products, which sums in another order than the CPU's.
    pub fn multiplying(mut self) -> SimDevice {
        self.claims.library = true;
        self
    }

    /// The simulator's standard device, with memory that comes from a pool as that of a CUDA device does.
    pub fn standard() -> Config {
        pooled(Config::default())
    }

    /// The same of a card by its name, one of [`Config::NAMES`].
    pub fn card(name: &str) -> Option<Config> {
        Config::named(name).map(pooled)
    }

    /// The simulator: timeline, use of memory, failures on demand, counts of operations.
    pub fn simulator(&self) -> &megha_sim::Device {
        &self.simulator
    }

    /// Lets failures that are asked for lose the device, as an illegal address loses a CUDA context.
    pub fn make_fragile(&self) {
        self.state().fragile = true;
    }

    /// What callers and kernels did wrong so far: all failures that neither were asked for nor are a lack of memory.
    pub fn mistakes(&self) -> Vec<String> {
        self.state().mistakes.clone()
    }

    /// The entries that were launched, and the memory traffic of each.
    pub fn traffic(&self) -> Vec<(String, Traffic)> {
        self.state().traffic.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stream(&self, queue: Queue) -> Stream {
        self.streams[queue as usize]
    }

    /// Starts a copy of so many bytes to the host.
    fn start(
        &self,
        queue: Queue,
        bytes: usize,
        copy: impl FnOnce(&megha_sim::Device, Stream, &mut [u8]) -> Result<(), megha_sim::Error>,
    ) -> Outcome<Download> {
        let (state, stream) = (&mut *self.state(), self.stream(queue));
        let (values, done) = self.perform("download", state, |sim| {
            let mut values = vec![0; bytes];
            copy(sim, stream, &mut values)?;
            Ok((values, sim.record(stream)?))
        })?;
        let ticket = state.tickets;
        state.tickets += 1;
        state.downloads.insert(ticket, (values, done));
        Ok(Download { ticket, bytes })
    }

    /// Runs an operation unless the device is lost, and says of a failure what it means.
    fn perform<T>(
        &self,
        operation: &'static str,
        state: &mut State,
        run: impl FnOnce(&megha_sim::Device) -> Result<T, megha_sim::Error>,
    ) -> Outcome<T> {
        if let Some(reason) = state.lost.clone() {
            return Err(Failure::Lost { operation, reason });
        }
        run(&self.simulator).map_err(|error| state.failure(operation, &error))
    }
}

impl State {
    fn failure(&mut self, operation: &'static str, error: &megha_sim::Error) -> Failure {
        use megha_sim::Error;
        let reason = error.to_string();
        let lost = match error {
            Error::OutOfMemory { wanted, .. } => return Failure::OutOfMemory { wanted: *wanted },
            Error::Injected { .. } => self.fragile,
            _ => {
                self.mistakes.push(format!("{operation}: {reason}"));
                matches!(error, Error::Kernel(_))
            }
        };
        if lost {
            self.lost = Some(reason.clone());
            return Failure::Lost { operation, reason };
        }
        Failure::Operation { operation, reason }
    }

    /// A use of what the device did not give.
    fn unknown<T>(&mut self, operation: &'static str, what: &str) -> Outcome<T> {
        let reason = format!("the device gave no such {what}");
        self.mistakes.push(format!("{operation}: {reason}"));
        Err(Failure::Operation { operation, reason })
    }
}

fn pooled(mut config: Config) -> Config {
    config.model.allocation = POOLED;
    config
}

fn arg(arg: &Arg) -> megha_sim::Arg {
    use megha_sim::Arg as Sim;
    match *arg {
        Arg::Address(Address(address)) => Sim::Ptr(Ptr(address)),
        Arg::Before(Address(address), bytes) => Sim::Ptr(Ptr(address.wrapping_sub(bytes))),
        Arg::I64(value) => Sim::I64(value),
        Arg::U64(value) => Sim::U64(value),
        Arg::I32(value) => Sim::I32(value),
        Arg::U32(value) => Sim::U32(value),
        Arg::F64(value) => Sim::F64(value),
        Arg::F32(value) => Sim::F32(value),
    }
}

impl Device for SimDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn memory(&self) -> Outcome<(u64, u64)> {
        let free = self.perform("memory query", &mut self.state(), |sim| Ok(sim.memory().available))?;
        Ok((free, self.simulator.config().memory))
    }

    fn budget(&self) -> u64 {
        self.simulator.config().memory
    }

    fn rates(&self) -> Rates {
        if let Some(rates) = self.claims.rates {
            return rates;
        }
        let model = &self.simulator.config().model;
        Rates {
            memory: model.memory_bandwidth,
            flops64: model.flops64,
            flops32: model.flops32,
            upload: model.to_device,
            download: model.from_device,
            launch: model.issue + model.launch_latency,
            queued: model.issue.max(model.launch_latency),
            copy: model.issue + model.copy_latency,
        }
    }

    fn ceilings(&self) -> Ceilings {
        let model = &self.simulator.config().model;
        // in picoseconds, of fused multiply-adds
        let [doubles, singles] = [model.flops64, model.flops32].map(|rate| rate / 2e12);
        Ceilings {
            processors: model.processors,
            busy: model.busy_threads,
            resident: model.resident_threads as f64,
            cached: model.cached_threads as f64,
            memory: model.memory_bandwidth / 1e12,
            caches: model.cache_bandwidth / 1e12,
            instructions: model.instructions / 1e12,
            doubles,
            singles,
            shared: model.shared_bandwidth / 1e12,
        }
    }

    fn threads(&self) -> f64 {
        (self.simulator.config().model.resident_threads as f64).min(FULL)
    }

    fn allocate(&self, bytes: u64) -> Outcome<Address> {
        let Ok(length) = usize::try_from(bytes) else { return Err(Failure::OutOfMemory { wanted: bytes }) };
        self.perform("allocation", &mut self.state(), |sim| sim.alloc(length)).map(|Ptr(address)| Address(address))
    }

    fn free(&self, address: Address) {
        // a failure is noted with the mistakes
        let _ = self.perform("free", &mut self.state(), |sim| sim.free_later(Ptr(address.0)));
    }

    fn load(&self, ptx: &'static str) -> Outcome<Module> {
        let state = &mut *self.state();
        let text = (ptx.as_ptr() as usize, ptx.len());
        if let Some(number) = state.loaded.get(&text) {
            return Ok(Module(*number));
        }
        let module = self.perform("module load", state, |sim| sim.load(ptx))?;
        state.modules.push(module);
        let number = state.modules.len() - 1;
        state.loaded.insert(text, number);
        Ok(Module(number))
    }

    fn upload(&self, queue: Queue, to: Address, from: &[u8]) -> Outcome<()> {
        self.perform("upload", &mut self.state(), |sim| sim.copy_in(self.stream(queue), Ptr(to.0), from))
    }

    fn upload_rows(&self, queue: Queue, to: Address, from: &[u8], rows: Rows) -> Outcome<()> {
        let Rows { bytes, count, pitch } = rows;
        let rows = megha_sim::Rows { bytes, count, host_pitch: pitch, device_pitch: pitch };
        let stream = self.stream(queue);
        self.perform("upload", &mut self.state(), |sim| sim.copy_rows_in(stream, Ptr(to.0), from, rows))
    }

    fn begin_rows(&self, queue: Queue, from: Address, rows: Rows) -> Outcome<Download> {
        let Rows { bytes, count, pitch } = rows;
        let packed = megha_sim::Rows { bytes, count, host_pitch: bytes, device_pitch: pitch };
        self.start(queue, rows.length(), |sim, stream, to| sim.copy_rows_out(stream, to, Ptr(from.0), packed))
    }

    fn row(&self) -> Duration {
        self.simulator.config().model.row
    }

    fn begin_download(&self, queue: Queue, from: Address, bytes: usize) -> Outcome<Download> {
        self.start(queue, bytes, |sim, stream, to| sim.copy_out(stream, to, Ptr(from.0)))
    }

    fn finish_download(&self, download: Download, to: &mut [u8]) -> Outcome<()> {
        let state = &mut *self.state();
        let Some((values, done)) = state.downloads.remove(&download.ticket) else {
            return state.unknown("download", "copy");
        };
        if values.len() != to.len() {
            return state.unknown("download", "length");
        }
        self.perform("download", state, |sim| sim.synchronize_event(&done))?;
        to.copy_from_slice(&values);
        Ok(())
    }

    fn fill(&self, queue: Queue, to: Address, element: &[u8], bytes: u64) -> Outcome<()> {
        let (each, count) = ((element, element.len()), bytes as usize / element.len().max(1));
        self.perform("fill", &mut self.state(), |sim| sim.fill_each(self.stream(queue), Ptr(to.0), each, count))
    }

    fn copy(&self, queue: Queue, to: Address, from: Address, bytes: u64) -> Outcome<()> {
        let (to, from) = (Ptr(to.0), Ptr(from.0));
        self.perform("copy", &mut self.state(), |sim| sim.copy_within(self.stream(queue), to, from, bytes as usize))
    }

    fn launch(&self, queue: Queue, module: Module, entry: &str, launch: Launch, args: &[Arg]) -> Outcome<()> {
        let state = &mut *self.state();
        let Some(module) = state.modules.get(module.0).cloned() else { return state.unknown("launch", "module") };
        let Launch { grid, block } = launch;
        let launch = megha_sim::Launch { grid, block, shared: 0 };
        let args: Vec<megha_sim::Arg> = args.iter().map(arg).collect();
        let report =
            self.perform("launch", state, |sim| sim.launch(self.stream(queue), &module, entry, launch, &args))?;
        state.traffic.push((report.kernel, report.traffic));
        Ok(())
    }

    fn ptx(&self) -> Ptx {
        Ptx { target: self.simulator.config().compute_capability, version: PTX }
    }

    fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    fn library(&self) -> bool {
        self.claims.library
    }

    fn multiply(&self, product: &Product) -> Outcome<()> {
        let extents = product.extents.map(|extent| usize::try_from(extent).unwrap_or(0));
        let [a, b, product_at] =
            [product.factors[0], product.factors[1], product.product].map(|address| Ptr(address.0));
        let single = product.element == Element::F32;
        let made = megha_sim::Product { single, extents, factors: [a, b], product: product_at };
        self.perform("matrix product", &mut self.state(), |sim| sim.multiply(self.stream(Queue::Compute), &made))
    }

    fn record(&self, queue: Queue) -> Outcome<Event> {
        let state = &mut *self.state();
        let point = self.perform("record", state, |sim| sim.record(self.stream(queue)))?;
        if state.points.kept(queue) >= POINTS {
            let now = self.simulator.now();
            state.points.forget(queue, |point| point.time() <= now);
        }
        Ok(state.points.add(queue, point))
    }

    fn wait(&self, queue: Queue, event: Event) -> Outcome<()> {
        let state = &mut *self.state();
        let point = state.points.get(event).cloned();
        self.perform("wait", state, |sim| point.map_or(Ok(()), |point| sim.wait(self.stream(queue), &point)))
    }

    fn synchronize(&self, event: Event) -> Outcome<()> {
        let state = &mut *self.state();
        let point = state.points.get(event).cloned();
        self.perform("synchronisation", state, |sim| point.map_or(Ok(()), |point| sim.synchronize_event(&point)))
    }

    fn stamp(&self, queue: Queue) -> Outcome<Stamp> {
        let state = &mut *self.state();
        let time = self.perform("stamp", state, |sim| sim.record(self.stream(queue)))?.time();
        let number = state.tickets;
        state.tickets += 1;
        state.stamps.insert(number, time);
        Ok(Stamp(number))
    }

    fn between(&self, from: Stamp, to: Stamp) -> Outcome<Option<Duration>> {
        let state = &mut *self.state();
        let (Some(start), Some(end)) = (state.stamps.get(&from.0).copied(), state.stamps.get(&to.0).copied()) else {
            return state.unknown("stamp", "moment");
        };
        if end > self.simulator.now() {
            return Ok(None);
        }
        [from, to].iter().for_each(|stamp| _ = state.stamps.remove(&stamp.0));
        Ok(Some(end.saturating_sub(start)))
    }

    fn identity(&self) -> Option<String> {
        self.claims.identity.clone()
    }

    fn lot(&self) -> Option<u64> {
        self.claims.lot.as_ref().map(|lot| lot.fetch_add(0xd134_2543_de82_ef95, Ordering::Relaxed))
    }

    fn timeline(&self, skip: usize) -> Option<Vec<Span>> {
        let queue = |engine| match engine {
            Engine::Compute => Queue::Compute,
            Engine::In => Queue::Upload,
            Engine::Out => Queue::Download,
        };
        let spans = self.simulator.timeline().into_iter().skip(skip);
        Some(spans.map(|s| Span { name: s.name, queue: queue(s.engine), start: s.start, end: s.end }).collect())
    }

    fn host_worked(&self, estimate: Duration) -> Option<Duration> {
        let time = estimate.mul_f64(self.claims.host);
        self.simulator.host_works(time);
        Some(time)
    }
}

#[cfg(test)]
mod tests;
