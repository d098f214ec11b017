//! Devices: memory, modules, streams, launches.

mod cards;
pub(crate) mod clock;
pub(crate) mod config;
mod deferred;
pub(crate) mod fault;
pub(crate) mod launch;
mod module;
mod order;
pub(crate) mod product;
pub(crate) mod report;
pub(crate) mod transfers;

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clock::{Clock, Engine, Event, Host, Span};
use config::Config;
use fault::{Injection, Operation};
use launch::{Arg, Launch, Ptr, check_geometry, parameters};
use module::Loaded;
pub use module::Module;
use order::{StreamOrder, Touch};
use report::Report;

use crate::Error;
use crate::exec::{Job, Watch};
use crate::memory::Memory;

/// A stream of a device: operations in it follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream(usize);

impl Stream {
    /// The stream that every device has.
    pub const DEFAULT: Stream = Stream(0);
}

/// A simulated GPU. All methods take `&self`; threads may share it.
///
/// Operations take effect when they are called and report their errors then; only their *times* are asynchronous.
#[derive(Debug)]
pub struct Device {
    config: Config,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    memory: Memory,
    /// Bytes of memory that are free from a time on.
    leaving: Vec<(Duration, u64)>,
    modules: Vec<Option<Loaded>>,
    clock: Clock,
    order: StreamOrder,
    injection: Injection,
}

impl Device {
    /// A device with a host clock of its own.
    pub fn new(config: Config) -> Device {
        Device::on_host(config, Host::default())
    }

    /// `count` devices of one host: they share its clock, and events and copies go between them.
    pub fn several(count: usize, config: &Config) -> Vec<Device> {
        let host = Host::default();
        (0..count).map(|_| Device::on_host(config.clone(), host.clone())).collect()
    }

    fn on_host(config: Config, host: Host) -> Device {
        let state = State {
            memory: Memory::new(config.memory, config.checks.uninitialised_global),
            leaving: Vec::new(),
            modules: Vec::new(),
            clock: Clock::new(host),
            order: StreamOrder::default(),
            injection: Injection::default(),
        };
        Device { config, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // a panic while the lock is held is a bug that has been reported; what is there is still consistent enough to inspect
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the device is like.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Bytes of memory in use, the most that ever were, and those available.
    pub fn memory(&self) -> MemoryUse {
        let state = &mut *self.state();
        state.reclaim();
        MemoryUse { used: state.memory.used(), peak: state.memory.peak(), available: state.memory.available() }
    }

    /// Lets the `nth` operation of a kind from now on fail, 1 being the next. It then has no effect.
    pub fn fail(&self, operation: Operation, nth: u64) {
        self.state().injection.plan(operation, nth);
    }

    /// How many operations of a kind were begun.
    pub fn operations(&self, operation: Operation) -> u64 {
        self.state().injection.count(operation)
    }

    /// Reads PTX text and places the variables of the module in memory.
    pub fn load(&self, ptx: &str) -> Result<Module, Error> {
        let state = &mut *self.state();
        state.injection.begin(Operation::Load)?;
        let loaded = Loaded::new(ptx, &self.config, &mut state.memory)?;
        let module = loaded.handle(state.modules.len());
        state.modules.push(Some(loaded));
        Ok(module)
    }

    /// Forgets a module and frees its variables.
    pub fn unload(&self, module: Module) -> Result<(), Error> {
        let state = &mut *self.state();
        let number = module.number;
        let loaded = state.modules.get_mut(number).and_then(Option::take);
        let loaded = loaded.ok_or(Error::Handle { what: "module", number })?;
        loaded.release(&mut state.memory);
        Ok(())
    }

    /// The address and size in bytes of a `.global` or `.const` variable of a module.
    pub fn symbol(&self, module: &Module, name: &str) -> Option<(Ptr, usize)> {
        let state = self.state();
        state.modules.get(module.number)?.as_ref()?.symbol(name)
    }

    /// The bytes of each parameter in the parameter block of an entry.
    pub fn parameters(&self, module: &Module, entry: &str) -> Option<Vec<Range<usize>>> {
        let state = self.state();
        let (_, function) = state.modules.get(module.number)?.as_ref()?.entry(entry).ok()?;
        let range = |offset: usize, bytes: usize| offset..offset + bytes;
        Some(function.block.iter().map(|param| range(param.offset as usize, param.bytes as usize)).collect())
    }

    /// Allocates; the contents are not initialised.
    pub fn alloc(&self, bytes: usize) -> Result<Ptr, Error> {
        let state = &mut *self.state();
        state.injection.begin(Operation::Allocate)?;
        state.clock.pass(self.config.model.allocation);
        state.make_room(bytes as u64);
        let (wanted, available) = (bytes as u64, state.memory.available());
        let address = state.memory.allocate(wanted);
        address.map(Ptr).ok_or(Error::OutOfMemory { wanted, available, capacity: self.config.memory })
    }

    /// Frees an allocation, after all streams have finished.
    pub fn free(&self, ptr: Ptr) -> Result<(), Error> {
        let state = &mut *self.state();
        if !state.memory.free(ptr.0) {
            let place = state.memory.neighbourhood(ptr.0);
            return Err(Error::Address { operation: "free", address: ptr.0, bytes: 0, place });
        }
        state.order.forget(ptr.0);
        for stream in 0..state.clock.streams.len() {
            state.clock.synchronize(&state.clock.record(stream));
        }
        state.clock.pass(self.config.model.allocation);
        Ok(())
    }

    /// A new stream.
    pub fn stream(&self) -> Stream {
        Stream(self.state().clock.add_stream())
    }

    fn known(state: &State, stream: Stream) -> Result<usize, Error> {
        let known = stream.0 < state.clock.streams.len();
        if known { Ok(stream.0) } else { Err(Error::Handle { what: "stream", number: stream.0 }) }
    }

    /// Runs a kernel.
    pub fn launch(
        &self,
        stream: Stream,
        module: &Module,
        entry: &str,
        launch: Launch,
        args: &[Arg],
    ) -> Result<Report, Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.injection.begin(Operation::Launch)?;
        let loaded = state.modules.get(module.number).and_then(Option::as_ref);
        let loaded = loaded.ok_or(Error::Handle { what: "module", number: module.number })?;
        let (number, function) = loaded.entry(entry)?;
        let params = parameters(function, args)?;
        let layout = loaded.layout(function, launch.shared);
        check_geometry(function, &launch, layout.shared, self.config.shared_per_block)?;
        let program = loaded.program.clone();
        let checks = self.config.checks;
        let job = Job {
            program: program.clone(),
            entry: number,
            grid: launch.grid,
            block: launch.block,
            params,
            shared: layout.shared as usize,
            dynamic_shared: launch.shared,
            addresses: layout.addresses,
            memory: &mut state.memory,
            tensor_chains: self.config.tensor_chains,
            watch: Watch {
                races: checks.races,
                shared_written: checks.uninitialised_shared,
                barriers: checks.barriers,
                limit: self.config.instruction_limit,
            },
        };
        let work = crate::exec::run(job).map_err(Error::Kernel)?;
        let [blocks, of_block] =
            [launch.grid, launch.block].map(|extents| extents.into_iter().map(u64::from).product::<u64>());
        let report = Report::of(entry, &program, &work, [blocks, blocks * of_block], &self.config.model);
        let of = |bases: &[u64], writes| bases.iter().map(|base| Touch::all(*base, writes)).collect::<Vec<_>>();
        let touches = [of(&work.reads, false), of(&work.writes, true)].concat();
        let stamp = state.clock.issue(stream, Engine::Compute, entry, self.config.model.issue, report.time);
        self.note(state, stream, entry, touches, &stamp)?;
        Ok(report)
    }

    /// A point in a stream to wait for.
    pub fn record(&self, stream: Stream) -> Result<Event, Error> {
        let state = self.state();
        Ok(state.clock.record(Self::known(&state, stream)?))
    }

    /// Lets what follows in a stream start after an event, also one of another device.
    pub fn wait(&self, stream: Stream, event: &Event) -> Result<(), Error> {
        let state = &mut *self.state();
        let stream = Self::known(state, stream)?;
        state.clock.wait(stream, event);
        Ok(())
    }

    /// Lets the host wait for a stream.
    pub fn synchronize(&self, stream: Stream) -> Result<(), Error> {
        let state = &mut *self.state();
        state.injection.begin(Operation::Synchronize)?;
        let stream = Self::known(state, stream)?;
        state.clock.synchronize(&state.clock.record(stream));
        Ok(())
    }

    /// Lets the host wait for an event.
    pub fn synchronize_event(&self, event: &Event) -> Result<(), Error> {
        let state = &mut *self.state();
        state.injection.begin(Operation::Synchronize)?;
        state.clock.synchronize(event);
        Ok(())
    }

    /// Lets the host wait for all streams.
    pub fn synchronize_all(&self) -> Result<(), Error> {
        let state = &mut *self.state();
        state.injection.begin(Operation::Synchronize)?;
        for stream in 0..state.clock.streams.len() {
            state.clock.synchronize(&state.clock.record(stream));
        }
        Ok(())
    }

    /// The time on the host's clock.
    pub fn now(&self) -> Duration {
        self.state().clock.host().state().now
    }

    /// Lets the host compute for a while.
    pub fn host_works(&self, time: Duration) {
        self.state().clock.pass(time);
    }

    /// What ran when, in the order of issue.
    pub fn timeline(&self) -> Vec<Span> {
        self.state().clock.spans.clone()
    }

    /// Checks that an operation is ordered with the earlier ones on what it touches.
    fn note(
        &self,
        state: &mut State,
        stream: usize,
        name: &str,
        touches: Vec<Touch>,
        stamp: &clock::Seen,
    ) -> Result<(), Error> {
        if self.config.checks.stream_order {
            let number = state.clock.streams[stream].number;
            for touch in touches {
                state.order.note(touch, name, number, stamp)?;
            }
        }
        Ok(())
    }
}

/// How full a device is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// In use.
    pub used: u64,
    /// The most that ever were in use.
    pub peak: u64,
    /// What is left.
    pub available: u64,
}
