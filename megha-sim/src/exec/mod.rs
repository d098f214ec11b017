//! Execution of a launch: block by block, warp by warp, an instruction for 32 lanes at a time.
//!
//! | file | does |
//! |---|---|
//! | `warp` | registers, call frames and the reconvergence stack |
//! | `step` | the loop over instructions |
//! | `access` | loads and stores of all spaces, with their checks |
//! | `atomics` | `atom` and `red` |
//! | `exchange` | `shfl`, `vote` |
//! | `block` | warps of a block and their barriers |
//! | `tiles` | `cp.async`, `mma` |
//! | `traffic` | transactions and bank conflicts |

mod access;
mod atomics;
mod block;
mod call;
mod exchange;
mod step;
mod tiles;
pub(crate) mod traffic;
mod warp;

use std::sync::Arc;

use crate::error::{Fault, FaultKind};
use crate::form::{Fixed, Function, Program, Special};
use crate::memory::Memory;
use crate::memory::region::Region;
use crate::memory::shadow::BlockOrder;
use traffic::Traffic;

/// Generic addresses from here on are shared memory.
pub(crate) const SHARED_WINDOW: u64 = 1 << 56;
/// Generic addresses from here on are local memory.
pub(crate) const LOCAL_WINDOW: u64 = 1 << 57;
/// Bytes of local memory of a thread.
pub(crate) const LOCAL_LIMIT: u32 = 512 * 1024;
/// Bytes of parameters of an entry.
pub(crate) const PARAMETER_LIMIT: u32 = 4096;
/// Nested calls.
const CALL_LIMIT: usize = 1024;

/// Which mistakes are looked for while a kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Watch {
    pub races: bool,
    pub shared_written: bool,
    pub barriers: bool,
    pub limit: u64,
}

/// What a launch runs.
pub(crate) struct Job<'a> {
    pub program: Arc<Program>,
    pub entry: usize,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub params: Vec<u8>,
    /// Bytes of shared memory, and where each variable lies in it.
    pub shared: usize,
    pub dynamic_shared: u32,
    /// The address of each variable of the module, in its space.
    pub addresses: Vec<u64>,
    pub memory: &'a mut Memory,
    /// Whether `mma` adds one product after the other.
    pub tensor_chains: bool,
    pub watch: Watch,
}

/// What a launch did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    /// For each function and instruction, how often threads and warps executed it.
    pub threads: Vec<Vec<u64>>,
    pub warps: Vec<Vec<u64>>,
    pub traffic: Traffic,
    /// Regions that were read and written.
    pub reads: Vec<u64>,
    pub writes: Vec<u64>,
}

/// Runs a launch to its end, or to the first mistake.
pub(crate) fn run(job: Job) -> Result<Work, Box<Fault>> {
    let mut machine = Machine::new(job);
    let outcome = machine.run_blocks();
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for region in &machine.memory.regions {
        if region.read {
            reads.push(region.base);
        }
        if region.wrote {
            writes.push(region.base);
        }
    }
    machine.traffic.unique_sectors = machine.memory.end_launch();
    outcome?;
    Ok(Work { threads: machine.threads, warps: machine.warps, traffic: machine.traffic, reads, writes })
}

/// A launch while it runs.
struct Machine<'a> {
    program: Arc<Program>,
    entry: usize,
    grid: [u32; 3],
    block: [u32; 3],
    params: Vec<u8>,
    fixed: Vec<Vec<Fixed>>,
    dynamic_shared: u32,
    memory: &'a mut Memory,
    tensor_chains: bool,
    watch: Watch,
    threads: Vec<Vec<u64>>,
    warps: Vec<Vec<u64>>,
    traffic: Traffic,
    /// Of the running block.
    shared: Region,
    ctaid: [u32; 3],
    block_number: u32,
    epoch: u32,
    order: BlockOrder,
    no_order: BlockOrder,
    /// The region of global memory that was accessed last.
    hint: usize,
    /// Instructions of warps so far: the clock.
    issued: u64,
}

/// A mistake before it is known where: the lane and what.
type Slip = (u32, FaultKind);

impl<'a> Machine<'a> {
    fn new(job: Job<'a>) -> Machine<'a> {
        let zeros = |program: &Program| program.functions.iter().map(|function| vec![0; function.code.len()]).collect();
        let first = job.memory.begin_launch(job.grid.iter().product());
        let resolve =
            |function: &Function| function.fixed.iter().map(|fixed| resolved(*fixed, &job.addresses)).collect();
        Machine {
            threads: zeros(&job.program),
            warps: zeros(&job.program),
            fixed: job.program.functions.iter().map(resolve).collect(),
            entry: job.entry,
            grid: job.grid,
            block: job.block,
            params: job.params,
            dynamic_shared: job.dynamic_shared,
            shared: Region::new(0, job.shared, job.watch.shared_written),
            memory: job.memory,
            tensor_chains: job.tensor_chains,
            watch: job.watch,
            traffic: Traffic::default(),
            ctaid: [0; 3],
            block_number: first,
            epoch: 0,
            order: BlockOrder { first, ..BlockOrder::default() },
            no_order: BlockOrder::default(),
            hint: 0,
            issued: 0,
            program: job.program,
        }
    }

    fn fault(&self, function: usize, pc: usize, warp: u32, (lane, kind): Slip) -> Box<Fault> {
        let info = &self.program.functions[function].info[pc];
        Box::new(Fault {
            kind,
            kernel: self.program.functions[self.entry].name.clone(),
            line: info.line,
            instruction: info.name.to_string(),
            block: self.ctaid,
            thread: coordinates(warp * 32 + lane, self.block),
        })
    }

    /// The value of a special register in a lane.
    fn special(&self, special: Special, warp: u32, lane: u32) -> u64 {
        let value = match special {
            Special::Tid(axis) => coordinates(warp * 32 + lane, self.block)[axis],
            Special::Ntid(axis) => self.block[axis],
            Special::Ctaid(axis) => self.ctaid[axis],
            Special::Nctaid(axis) => self.grid[axis],
            Special::Lane => lane,
            Special::Warp => warp,
            Special::Warps => self.block_threads().div_ceil(32),
            Special::LanesBetween(from, to) => {
                let between = |other: &u32| (from..=to).contains(&(*other as i32 - lane as i32));
                (0..32).filter(between).fold(0, |mask, other| mask | 1 << other)
            }
            Special::Zero => 0,
            Special::DynamicShared => self.dynamic_shared,
        };
        u64::from(value)
    }

    fn block_threads(&self) -> u32 {
        self.block.iter().product()
    }
}

fn resolved(fixed: Fixed, addresses: &[u64]) -> Fixed {
    match fixed {
        Fixed::Variable(number) => Fixed::Bits(addresses[number]),
        other => other,
    }
}

/// The coordinates of the `number`-th point of a box, x fastest.
pub(crate) fn coordinates(number: u32, extent: [u32; 3]) -> [u32; 3] {
    let plane = number / extent[0];
    [number % extent[0], plane % extent[1], plane / extent[1]]
}

/// The numbers of the set bits.
fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}
