//! What a device can do at most, as far as the choice among a kernel's entries depends on it ([`super::Cost`]).

use super::grid::PROCESSORS;

/// The ceilings of a device. Rates are per picosecond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceilings {
    /// Processors (streaming multiprocessors), among which blocks are shared.
    pub processors: u64,
    /// Threads of a processor that hide how long arithmetic takes.
    pub busy: u64,
    /// Threads that it takes to reach the peak of memory.
    pub resident: f64,
    /// Threads that it takes to reach the peak of the caches.
    pub cached: f64,
    /// Bytes from memory.
    pub memory: f64,
    /// Bytes from the caches.
    pub caches: f64,
    /// Instructions of threads.
    pub instructions: f64,
    /// Operations on doubles, of which a fused multiply-add is one.
    pub doubles: f64,
    /// The same on singles.
    pub singles: f64,
    /// Bytes of shared memory.
    pub shared: f64,
}

impl Default for Ceilings {
    /// Round figures of a large device, an H100, as the simulated device has them.
    fn default() -> Self {
        Self {
            processors: PROCESSORS,
            busy: 512,
            resident: PROCESSORS as f64 * 1024.0,
            cached: PROCESSORS as f64 * 1024.0,
            memory: 3.0,
            caches: 6.0,
            instructions: 28.0,
            doubles: 15.0,
            singles: 30.0,
            shared: 29.0,
        }
    }
}
