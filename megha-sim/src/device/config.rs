//! What a device is like.

use std::time::Duration;

/// The properties of a simulated device.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Bytes of device memory. Allocations take them in multiples of 256.
    pub memory: u64,
    /// The compute capability, 90 for `sm_90`. Modules for newer ones are refused.
    pub compute_capability: u32,
    /// The most shared memory of a block in bytes, static and dynamic.
    pub shared_per_block: u32,
    /// Whether `mma` adds the products of an element one after the other, as hardware was seen to do; else in pairs.
    pub tensor_chains: bool,
    /// Which mistakes are looked for.
    pub checks: Checks,
    /// The most instructions that a warp may execute in a launch; more are taken for an endless loop.
    pub instruction_limit: u64,
    /// How long operations take.
    pub model: Model,
}

impl Default for Config {
    /// A device with 16 GiB, all checks and the times of a large data-centre card.
    fn default() -> Config {
        Config {
            memory: 16 << 30,
            compute_capability: 90,
            shared_per_block: 48 * 1024,
            tensor_chains: true,
            checks: Checks::all(),
            instruction_limit: 100_000_000,
            model: Model::default(),
        }
    }
}

/// Which mistakes are looked for. Bounds, alignment, division by zero, masks of `.sync` instructions and endless loops always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Data races in shared memory between barriers, and in global memory within a launch.
    pub races: bool,
    /// Reads of shared memory in which the block wrote nothing.
    pub uninitialised_shared: bool,
    /// Reads of allocations in which nothing was written.
    pub uninitialised_global: bool,
    /// Barriers in divergent code or after threads have ended.
    pub barriers: bool,
    /// Operations in different streams on the same allocation without an event or synchronisation between them.
    pub stream_order: bool,
    /// `add`, `sub` and `mul` of floats without `.rn`, which the assembler may contract to `fma`.
    pub contraction: bool,
}

impl Checks {
    /// All of them.
    pub fn all() -> Checks {
        Checks {
            races: true,
            uninitialised_shared: true,
            uninitialised_global: true,
            barriers: true,
            stream_order: true,
            contraction: true,
        }
    }

    /// None: the fastest.
    pub fn none() -> Checks {
        Checks {
            races: false,
            uninitialised_shared: false,
            uninitialised_global: false,
            barriers: false,
            stream_order: false,
            contraction: false,
        }
    }
}

/// How long operations take. Rates are per second.
///
/// A kernel takes `launch_latency` plus the longest of: arithmetic over peak, for each precision; instructions over `instructions`; passes over the
/// banks of shared memory over `shared_bandwidth`; all sectors over `cache_bandwidth`; different sectors over `memory_bandwidth`. Warps take the time of
/// all their lanes, and an addition or a multiplication that of a fused multiply-add, which counts twice in the peaks.
///
/// With fewer threads than `resident_threads` the rate of memory shrinks in proportion, and that of the caches with fewer than `cached_threads`: so many requests are under way,
/// those of more than 8 bytes a thread counting more, and not those of `cp.async`, which nobody waits for. What a processor does by itself, all but
/// these, shrinks by the processors that have no block, or one block less than others, and where each has fewer threads than `busy_threads`. A copy takes `copy_latency` plus bytes over bandwidth,
/// and one of several rows `row` for each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Host time to issue any asynchronous operation.
    pub issue: Duration,
    /// Host time of an allocation or a `free`.
    pub allocation: Duration,
    /// From the start of a kernel on the device to its first instruction.
    pub launch_latency: Duration,
    /// Peak operations in single precision.
    pub flops32: f64,
    /// Peak operations in double precision.
    pub flops64: f64,
    /// Peak operations of tensor cores in double precision.
    pub tensor64: f64,
    /// Peak instructions of threads.
    pub instructions: f64,
    /// Bytes from device memory.
    pub memory_bandwidth: f64,
    /// Bytes from the caches.
    pub cache_bandwidth: f64,
    /// Bytes of shared memory, 128 in each pass.
    pub shared_bandwidth: f64,
    /// Threads that it takes to reach the peak of memory.
    pub resident_threads: u64,
    /// Threads that it takes to reach the peak of the caches.
    pub cached_threads: u64,
    /// Processors (streaming multiprocessors), among which blocks are shared.
    pub processors: u64,
    /// Threads of a processor that hide how long arithmetic takes.
    pub busy_threads: u64,
    /// From the start of a copy to its first byte.
    pub copy_latency: Duration,
    /// From a row of a two-dimensional copy to the next, beside the time of its bytes.
    pub row: Duration,
    /// Bytes from the host.
    pub to_device: f64,
    /// Bytes to the host.
    pub from_device: f64,
    /// Bytes from another device.
    pub peer: f64,
}

impl Default for Model {
    /// Round figures of an H100 with PCIe 5. Arithmetic takes 4 cycles, so each of a processor's four schedulers needs four warps.
    fn default() -> Model {
        Model {
            issue: Duration::from_nanos(2_000),
            allocation: Duration::from_micros(10),
            launch_latency: Duration::from_micros(3),
            flops32: 60e12,
            flops64: 30e12,
            tensor64: 60e12,
            instructions: 28e12,
            memory_bandwidth: 3e12,
            cache_bandwidth: 6e12,
            shared_bandwidth: 29e12,
            resident_threads: 132 * 1024,
            cached_threads: 132 * 1024,
            processors: 132,
            busy_threads: 512,
            copy_latency: Duration::from_micros(8),
            row: Duration::from_nanos(20),
            to_device: 50e9,
            from_device: 50e9,
            peer: 300e9,
        }
    }
}

impl Model {
    /// `amount` at `rate`; at most a century, which also stands for a rate of 0.
    pub(crate) fn at_rate(amount: u64, rate: f64) -> Duration {
        const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
        if amount == 0 {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64(amount as f64 / rate).map_or(CENTURY, |time| time.min(CENTURY))
    }
}
