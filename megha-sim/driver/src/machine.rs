//! The machine: a device, what was made on it, and the failures that are planned.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use megha_sim::{Config, Device, Module, Stream};

use crate::streams::{Event, Operation};

pub type Code = i32;
pub const SUCCESS: Code = 0;
pub const INVALID_VALUE: Code = 1;
pub const OUT_OF_MEMORY: Code = 2;
pub const INVALID_CONTEXT: Code = 201;
pub const INVALID_PTX: Code = 218;
pub const INVALID_HANDLE: Code = 400;
pub const NOT_FOUND: Code = 500;
pub const NOT_READY: Code = 600;
pub const ILLEGAL_ADDRESS: Code = 700;
pub const LAUNCH_FAILED: Code = 719;

/// The primary context of the first device. Those of the others, which are numbered from there on, have the same memory.
pub const CONTEXT: usize = 0xc0;
/// The stream that every context has. Streams that are made are not ordered with it: all are made so by who calls.
pub const DEFAULT_STREAM: usize = 0;

/// A stream and what has not run yet.
pub struct Queue {
    pub stream: Stream,
    pub waiting: std::collections::VecDeque<Operation>,
}

pub struct Machine {
    pub device: Device,
    pub version: i32,
    pub devices: i32,
    /// Ten times the compute capability.
    pub capability: i32,
    pub retained: i64,
    pub streams: HashMap<usize, Queue>,
    pub events: HashMap<usize, Event>,
    pub modules: HashMap<usize, Module>,
    /// Module and name.
    pub functions: HashMap<usize, (usize, String)>,
    /// Device memory by address: its bytes.
    pub blocks: HashMap<u64, usize>,
    pub pinned: HashMap<usize, Box<[u8]>>,
    /// Handles of cuBLAS and the stream of each.
    pub libraries: HashMap<usize, usize>,
    /// After an exception of a kernel every call returns it.
    pub broken: Code,
    pub mistakes: Vec<String>,
    pub calls: u64,
    /// Kernels and matrix products that were started.
    pub launches: u64,
    pub products: u64,
    /// Copies between host and device.
    pub copies: u64,
    /// The number of a call, and what it returns.
    pub planned: Option<(u64, Code)>,
    handles: usize,
}

static MACHINE: Mutex<Option<Machine>> = Mutex::new(None);

thread_local! {
    pub static CONTEXTS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl Machine {
    pub fn new(memory: u64) -> Machine {
        let config = Config { memory, compute_capability: 90, ..Config::default() };
        let [version, devices, capability] = described_by_environment().unwrap_or([12_040, 1, 90]);
        let default = Queue { stream: Stream::DEFAULT, waiting: Default::default() };
        Machine {
            device: Device::new(config),
            version,
            devices,
            capability,
            retained: 0,
            streams: HashMap::from([(DEFAULT_STREAM, default)]),
            events: HashMap::new(),
            modules: HashMap::new(),
            functions: HashMap::new(),
            blocks: HashMap::new(),
            pinned: HashMap::new(),
            libraries: HashMap::new(),
            broken: SUCCESS,
            mistakes: Vec::new(),
            calls: 0,
            launches: 0,
            products: 0,
            copies: 0,
            planned: planned_by_environment(),
            handles: 0x1000,
        }
    }

    pub fn handle(&mut self) -> usize {
        self.handles += 16;
        self.handles
    }

    /// What was made and not destroyed yet.
    pub fn live(&self) -> usize {
        let events = self.events.values().filter(|event| !event.destroyed).count();
        let made = [self.streams.len() - 1, events, self.modules.len(), self.libraries.len()];
        let memory = [self.blocks.len(), self.pinned.len()];
        made.iter().chain(&memory).sum::<usize>() + self.retained.unsigned_abs() as usize
    }

    /// Whether it is the primary context of a device.
    pub fn has_context(&self, context: usize) -> bool {
        context.checked_sub(CONTEXT).is_some_and(|device| device < self.devices as usize)
    }

    /// Whether memory of the host is pinned.
    pub fn is_pinned(&self, address: usize) -> bool {
        self.pinned.iter().any(|(start, block)| (*start..start + block.len()).contains(&address))
    }

    /// Notes what a caller or a kernel did wrong.
    pub fn mistake(&mut self, what: String) {
        eprintln!("simulated CUDA driver: {what}");
        self.mistakes.push(what);
    }
}

/// `MEGHA_SIM_DRIVER=version:devices:capability` says what the driver tells of itself.
fn described_by_environment() -> Option<[i32; 3]> {
    let text = std::env::var("MEGHA_SIM_DRIVER").ok()?;
    let numbers: Option<Vec<i32>> = text.split(':').map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// `MEGHA_SIM_DRIVER_FAIL=n:code` lets the n-th call of the process fail.
fn planned_by_environment() -> Option<(u64, Code)> {
    let plan = std::env::var("MEGHA_SIM_DRIVER_FAIL").ok()?;
    let (number, code) = plan.split_once(':')?;
    Some((number.parse().ok()?, code.parse().ok()?))
}

pub fn lock() -> MutexGuard<'static, Option<Machine>> {
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs an entry: counts it, fails if that is planned or the device is broken.
pub fn entry(run: impl FnOnce(&mut Machine) -> Result<(), Code>) -> Code {
    let mut guard = lock();
    let machine = guard.get_or_insert_with(|| Machine::new(1 << 30));
    machine.calls += 1;
    if let Some((_, code)) = machine.planned.take_if(|(number, _)| *number == machine.calls) {
        if matches!(code, 700..=719) {
            machine.broken = code;
        }
        return code;
    }
    if machine.broken != SUCCESS {
        return machine.broken;
    }
    run(machine).err().unwrap_or(SUCCESS)
}

/// The same for entries that need a context.
pub fn in_context(run: impl FnOnce(&mut Machine) -> Result<(), Code>) -> Code {
    let current = CONTEXTS.with_borrow(|contexts| contexts.last().copied());
    entry(|machine| match current {
        Some(context) if machine.has_context(context) => run(machine),
        _ => Err(INVALID_CONTEXT),
    })
}
