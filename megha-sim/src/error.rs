//! Errors of the public interface.

use std::fmt;

pub use crate::ptx::SyntaxError;

/// Why an operation on a device failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The module text is not PTX that the simulator understands.
    #[error("{0}")]
    Ptx(#[from] SyntaxError),
    /// The module asks for a newer device.
    #[error("the module is for sm_{wanted}, this device is sm_{device}")]
    Target {
        /// The compute capability in `.target`.
        wanted: u32,
        /// That of the device.
        device: u32,
    },
    /// Memory is full.
    #[error("out of device memory: {wanted} bytes wanted, {available} of {capacity} available")]
    OutOfMemory {
        /// The bytes asked for.
        wanted: u64,
        /// The bytes that are free.
        available: u64,
        /// All bytes of the device.
        capacity: u64,
    },
    /// A copy or `free` with an address that is not an allocation's.
    #[error("{operation}: {bytes} bytes at {address:#x} lie {place}")]
    Address {
        /// `free`, `copy in`, ...
        operation: &'static str,
        /// The address.
        address: u64,
        /// The bytes that were to be accessed.
        bytes: usize,
        /// What lies there.
        place: String,
    },
    /// A launch that no device would start.
    #[error("launch of `{kernel}`: {reason}")]
    Launch {
        /// The entry.
        kernel: String,
        /// What is wrong.
        reason: String,
    },
    /// A kernel did something wrong.
    #[error("{0}")]
    Kernel(Box<Fault>),
    /// Two operations in different streams touch the same memory, and nothing orders them.
    #[error(
        "{operation} in stream {stream} is not ordered after {earlier} in stream {earlier_stream}: both touch the allocation at {address:#x}"
    )]
    Unordered {
        /// The later operation.
        operation: String,
        /// Its stream.
        stream: usize,
        /// The earlier one.
        earlier: String,
        /// Its stream.
        earlier_stream: usize,
        /// The allocation.
        address: u64,
    },
    /// A handle of another device, or one that is no longer valid.
    #[error("{what} {number} does not exist on this device")]
    Handle {
        /// `stream`, `event` or `module`.
        what: &'static str,
        /// Its number.
        number: usize,
    },
    /// A failure that was asked for.
    #[error("injected failure of {operation} number {number}")]
    Injected {
        /// What failed.
        operation: crate::Operation,
        /// The how many-th of its kind on the device, counted from 1.
        number: u64,
    },
}

/// A mistake that a kernel made, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The entry.
    pub kernel: String,
    /// The line in the PTX text.
    pub line: u32,
    /// The instruction with its modifiers.
    pub instruction: String,
    /// `%ctaid`
    pub block: [u32; 3],
    /// `%tid`
    pub thread: [u32; 3],
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kind, kernel, line, instruction, block, thread } = self;
        write!(f, "kernel `{kernel}`, PTX line {line} (`{instruction}`), block {block:?}, thread {thread:?}: {kind}")
    }
}

impl std::error::Error for Fault {}

/// The mistakes that kernels make.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access outside the memory it may touch.
    #[error("{bytes} bytes of .{space} memory at {address:#x} lie {place}")]
    OutOfBounds {
        /// The state space.
        space: &'static str,
        /// The address.
        address: u64,
        /// The size of the access.
        bytes: usize,
        /// What lies there.
        place: String,
    },
    /// An address that is no multiple of the size of the access.
    #[error("the address {address:#x} in .{space} memory is not a multiple of {bytes}")]
    Misaligned {
        /// The state space.
        space: &'static str,
        /// The address.
        address: u64,
        /// The size of the access.
        bytes: usize,
    },
    /// A read of memory in which nothing was written.
    #[error("{bytes} bytes of .{space} memory at {address:#x} are read and were never written")]
    Uninitialised {
        /// The state space.
        space: &'static str,
        /// The address.
        address: u64,
        /// The size of the access.
        bytes: usize,
    },
    /// Two accesses of different threads that nothing orders, one of which is a write.
    #[error(
        "data race in .{space} memory at {address:#x}: this {this} is not ordered after the {earlier} by thread {thread} of block {block} in PTX line {line}"
    )]
    Race {
        /// The state space.
        space: &'static str,
        /// The address.
        address: u64,
        /// `read` or `write`.
        this: &'static str,
        /// `read` or `write`.
        earlier: &'static str,
        /// The linear number of the other thread in its block.
        thread: u32,
        /// The linear number of its block.
        block: u32,
        /// The line of the earlier access.
        line: u32,
    },
    /// A barrier that only some threads of a warp reach together.
    #[error("barrier in divergent code: thread {missing} of the warp is elsewhere")]
    DivergentBarrier {
        /// A lane that does not take part.
        missing: u32,
    },
    /// A barrier for the whole block after some of its threads have ended.
    #[error("the barrier waits for all threads of the block, but {exited} of them have ended")]
    ExitedBarrier {
        /// How many.
        exited: u32,
    },
    /// All threads wait at barriers, none of which is complete.
    #[error("deadlock: {waiting} threads wait at this barrier, which {expected} must reach")]
    Deadlock {
        /// The threads there.
        waiting: u32,
        /// The threads it needs.
        expected: u32,
    },
    /// A barrier with an impossible number or thread count.
    #[error("barrier {id} with {count} threads: there are 16 barriers, and counts are multiples of 32")]
    BadBarrier {
        /// The barrier.
        id: u64,
        /// The count of threads.
        count: u64,
    },
    /// A `.sync` instruction whose mask does not fit the threads that execute it.
    #[error("the mask {mask:#010x} does not name the threads that execute this, {active:#010x}")]
    Members {
        /// The mask operand.
        mask: u32,
        /// The lanes that execute the instruction.
        active: u32,
    },
    /// `shfl` from a lane that does not execute it.
    #[error("this lane takes the value of lane {source}, which does not execute the instruction", source = .from)]
    InactiveLane {
        /// That lane.
        from: u32,
    },
    /// `bra.uni` or an address that must be uniform is not.
    #[error("threads of the warp disagree in an instruction marked uniform")]
    NotUniform,
    /// Integer division by zero, whose result PTX leaves open.
    #[error("integer division by zero")]
    DivisionByZero,
    /// More instructions than a warp may execute.
    #[error("the warp has executed {limit} instructions: an endless loop?")]
    Endless {
        /// The limit.
        limit: u64,
    },
    /// More nested calls than the stack holds.
    #[error("calls are nested more than {limit} deep")]
    Calls {
        /// The limit.
        limit: usize,
    },
    /// `trap`
    #[error("trap")]
    Trap,
}
