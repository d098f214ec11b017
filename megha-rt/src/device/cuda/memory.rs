//! Device memory: blocks of the driver, kept by size class.

use super::super::{Address, Failure, Outcome};
use super::driver::{Code, OUT_OF_MEMORY};
#[cfg(feature = "interop")]
use super::foreign::Foreign;
use super::pool::{Pool, size_class};
use super::queues::Ends;
use super::{CudaDevice, State};

/// Where so many blocks of a class wait for the queues to leave, the next allocation waits for one of them instead of taking new memory: a host
/// that runs ahead of the device would otherwise take all of it.
const CROWD: usize = 8;

/// The blocks of a device, and how many bytes they may take.
pub(super) struct Memory {
    pool: Pool<Ends>,
    limit: u64,
    /// What others own.
    #[cfg(feature = "interop")]
    pub(super) foreign: Foreign,
}

impl Memory {
    pub(super) fn new(limit: u64) -> Memory {
        Memory {
            pool: Pool::new(),
            limit,
            #[cfg(feature = "interop")]
            foreign: Foreign::default(),
        }
    }

    /// Bytes that all blocks may take.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// So many bytes may be taken from now on.
    pub(super) fn set_limit(&mut self, bytes: u64) {
        self.limit = bytes;
    }

    /// Whether a range lies in a block that was given out, or in memory of others.
    pub(super) fn holds(&self, address: Address, bytes: u64) -> bool {
        #[cfg(feature = "interop")]
        if self.foreign.holds(address.0, bytes) {
            return true;
        }
        self.pool.holds(address.0, bytes)
    }

    /// A block in use is no longer the pool's.
    #[cfg(feature = "interop")]
    pub(super) fn give_up(&mut self, address: Address) {
        if let Some(bytes) = self.pool.end_use(address.0) {
            self.pool.lose(bytes);
        }
    }

    pub(super) fn all(&self) -> Vec<u64> {
        self.pool.all()
    }
}

impl CudaDevice {
    /// Bytes that an allocation may have, and all.
    pub(super) fn memory_use(&self, state: &State) -> Outcome<(u64, u64)> {
        let (mut free, mut total) = (0usize, 0usize);
        // SAFETY: reason 1; both can be written.
        self.check("memory query", unsafe { (self.driver.memory_info)(&raw mut free, &raw mut total) })?;
        let Memory { pool, limit, .. } = &state.memory;
        let kept = pool.reserved() - pool.used();
        let allowed = limit.saturating_sub(pool.used());
        Ok(((free as u64 + kept).min(allowed), (total as u64).min(*limit)))
    }

    /// A block: a free one, one that is about to be, a new one, or whatever is there once all free ones have been given back.
    pub(super) fn take_memory(&self, state: &mut State, bytes: u64) -> Outcome<Address> {
        let class = size_class(bytes);
        self.collect(state)?;
        if let Some(address) = state.memory.pool.take(class) {
            return Ok(Address(address));
        }
        if let Some(ends) = state.memory.pool.crowded(class, CROWD).copied() {
            self.await_ends(state, ends)?;
            self.collect(state)?;
            if let Some(address) = state.memory.pool.take(class) {
                return Ok(Address(address));
            }
        }
        for shortage in [Shortage::None, Shortage::Trim, Shortage::Wait] {
            if shortage == Shortage::Wait
                && let Some(ends) = state.memory.pool.last_point().copied()
            {
                self.await_ends(state, ends)?;
                self.collect(state)?;
            }
            if shortage != Shortage::None {
                self.trim(state)?;
            }
            if let Some(address) = self.new_block(state, class)? {
                return Ok(address);
            }
        }
        Err(Failure::OutOfMemory { wanted: bytes })
    }

    /// Memory from the driver, if there is enough.
    fn new_block(&self, state: &mut State, class: u64) -> Outcome<Option<Address>> {
        let Memory { pool, limit, .. } = &mut state.memory;
        let room = limit.saturating_sub(pool.reserved());
        let (Ok(bytes), true) = (usize::try_from(class), class <= room) else { return Ok(None) };
        let mut address = 0;
        // SAFETY: reason 1; `address` can be written.
        let code: Code = unsafe { (self.driver.allocate)(&raw mut address, bytes) };
        if code == OUT_OF_MEMORY {
            return Ok(None);
        }
        self.check("allocation", code)?;
        pool.add(address, class);
        Ok(Some(Address(address)))
    }

    /// Ends the use of a block; it is free once the queues have passed what they hold now.
    pub(super) fn return_memory(&self, state: &mut State, address: Address) {
        let Some(bytes) = state.memory.pool.end_use(address.0) else { return };
        match self.ends(&mut state.queues) {
            Ok(ends) => state.memory.pool.leave(address.0, bytes, ends),
            Err(_) => {
                state.memory.pool.lose(bytes);
                let _ = self.give_back(address.0);
            }
        }
    }

    /// Gives a block back to the driver, which waits for all work first.
    fn give_back(&self, address: u64) -> Outcome<()> {
        // SAFETY: reason 1; the block came from the driver, and nobody holds its address any more.
        self.check("free", unsafe { (self.driver.free)(address) })
    }

    /// Gives all free blocks back to the driver.
    fn trim(&self, state: &mut State) -> Outcome<()> {
        state.memory.pool.trim().into_iter().try_for_each(|address| self.give_back(address))
    }

    /// Frees the blocks that have left.
    fn collect(&self, state: &mut State) -> Outcome<()> {
        let State { queues, memory, .. } = state;
        memory.pool.collect(|ends| {
            for event in ends.iter().flatten() {
                if !self.has_passed(queues, *event)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn await_ends(&self, state: &State, ends: Ends) -> Outcome<()> {
        ends.into_iter().flatten().try_for_each(|event| self.await_event("allocation", &state.queues, event))
    }
}

/// What is done before memory is asked for again.
#[derive(PartialEq, Eq)]
enum Shortage {
    None,
    Trim,
    Wait,
}
