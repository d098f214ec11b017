//! Memory of the device that somebody else owns: it is used as blocks of the pool are, and its owner frees it. The other way round, blocks of the
//! pool go to somebody else.
//!
//! Nobody's host waits. What the device's queues do with such memory follows what the other's stream held when the memory came, and what that
//! stream holds from the moment on when the memory goes back, or is freed by an owner that frees in a stream, follows what the queues held then. Only before
//! an owner that frees at once the host waits for the queues.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::{Address, Failure, Outcome};
use super::driver::{EventHandle, StreamHandle};
use super::queues::WITHOUT_TIMING;
use super::{CudaDevice, State};

/// Who owns memory that the pool did not allocate.
pub(crate) struct Owner {
    /// Frees the memory when it is dropped.
    pub value: Box<dyn Any + Send>,
    /// The stream in which that frees it; `None`: it is freed at once.
    frees_in: Option<StreamHandle>,
}

/// The memory of others, by address: its bytes and its owner.
#[derive(Default)]
pub(super) struct Foreign(BTreeMap<u64, (u64, Owner)>);

impl Foreign {
    /// Whether a range lies in one of them.
    pub(super) fn holds(&self, address: u64, bytes: u64) -> bool {
        let block = self.0.range(..=address).next_back();
        block.is_some_and(|(start, (length, _))| address - start <= *length && bytes <= length - (address - start))
    }

    /// Whether a range and one of them have a byte in common, or begin at the same address.
    fn meets(&self, address: u64, bytes: u64) -> bool {
        // they have no byte in common with each other, so only the last that begins before the end of the range may reach into it
        let before = self.0.range(..address.saturating_add(bytes.max(1))).next_back();
        before.is_some_and(|(start, (length, _))| *start + (*length).max(1) > address)
    }
}

/// Memory that comes: so many bytes from an address on, which are ready when a stream has passed what it holds. The owner frees it in that stream,
/// or else at once.
pub(crate) struct Coming {
    pub address: Address,
    pub bytes: u64,
    pub stream: *mut c_void,
    pub is_freed_in_stream: bool,
}

impl CudaDevice {
    /// Whether this is the device's context.
    #[cfg(feature = "cudarc")]
    pub(crate) fn has_context(&self, context: *mut c_void) -> bool {
        self.context.0 == context
    }

    /// Takes memory that somebody else owns. It may be used until it is given to [`Device::free`](super::Device::free), or to
    /// [`CudaDevice::hand_over`].
    ///
    /// # Errors
    /// What the driver says, or that it is in use already; with the owner.
    ///
    /// # Safety
    /// The memory is of the device's context, aligned as allocations are, and stays allocated until the owner is dropped; nobody writes there until then. The stream is one of the context.
    /// It lives as long as the owner if that frees in it.
    pub(crate) unsafe fn take_over<O: Any + Send>(&self, coming: &Coming, owner: O) -> Result<(), (Failure, O)> {
        let Coming { address, bytes, .. } = *coming;
        let stream = StreamHandle(coming.stream);
        let _entered = match self.enter("import") {
            Ok(entered) => entered,
            Err(failure) => return Err((failure, owner)),
        };
        let state = &mut *self.state();
        // a block of the pool is a whole allocation, so memory that begins outside of it does not reach into it
        if state.memory.holds(address, bytes.min(1)) || state.memory.foreign.meets(address.0, bytes) {
            let reason = format!("the memory at {:#x} is in use already", address.0);
            return Err((Failure::Operation { operation: "import", reason }, owner));
        }
        if let Err(failure) = self.follow(state, stream) {
            return Err((failure, owner));
        }
        let frees_in = coming.is_freed_in_stream.then_some(stream);
        let owner = Owner { value: Box::new(owner), frees_in };
        state.memory.foreign.0.insert(address.0, (bytes, owner));
        Ok(())
    }

    /// Lets what follows in the queue of kernels wait for what another's stream holds now.
    fn follow(&self, state: &mut State, stream: StreamHandle) -> Outcome<()> {
        let mut event = EventHandle::NULL;
        // SAFETY: reason 1; `event` can be written.
        self.check("import", unsafe { (self.driver.create_event)(&raw mut event, WITHOUT_TIMING) })?;
        // SAFETY: reason 1; the event was just created, and the caller says that the stream is one of this context.
        let recorded = self.check("import", unsafe { (self.driver.record_event)(event, stream) });
        let waits = recorded.and_then(|()| {
            self.issue(state, "import", super::Queue::Compute, |driver, own| {
                // SAFETY: as above; the flags must be 0.
                unsafe { (driver.wait_for_event)(own, event, 0) }
            })
        });
        // SAFETY: as above. What waits for an event goes on waiting when it is destroyed.
        unsafe { (self.driver.destroy_event)(event) };
        waits
    }

    /// Lets what follows in another's streams wait for what the queues hold now.
    fn precede(&self, state: &mut State, streams: impl IntoIterator<Item = StreamHandle>) -> Outcome<()> {
        let ends = self.ends(&mut state.queues)?;
        for stream in streams {
            for point in ends.into_iter().flatten().filter_map(|end| state.queues.get(end)) {
                // SAFETY: reasons 1 and 2, and the caller says that the stream is one of this context; the flags must be 0.
                self.check("export", unsafe { (self.driver.wait_for_event)(stream, point, 0) })?;
            }
        }
        Ok(())
    }

    /// Whether the memory at an address is owned by an `O`; `None` if the pool owns it.
    #[cfg(feature = "cudarc")]
    pub(crate) fn is_owned_by<O: Any>(&self, address: Address) -> Option<bool> {
        self.state().memory.foreign.0.get(&address.0).map(|(_, owner)| owner.value.is::<O>())
    }

    /// Gives memory away: what follows in `stream`, and in the one that its owner frees it in, comes after all that the queues hold now. Memory of the pool has no
    /// owner and is then the caller's, as if he had it from `cuMemAlloc`.
    ///
    /// # Errors
    /// What the driver says. The memory then stays.
    ///
    /// # Safety
    /// The stream is one of the context.
    pub(crate) unsafe fn hand_over(&self, address: Address, stream: *mut c_void) -> Outcome<Option<Owner>> {
        let _entered = self.enter("export")?;
        let state = &mut *self.state();
        let frees_in = state.memory.foreign.0.get(&address.0).and_then(|(_, owner)| owner.frees_in);
        self.precede(state, [StreamHandle(stream)].into_iter().chain(frees_in))?;
        let owner = state.memory.foreign.0.remove(&address.0).map(|(_, owner)| owner);
        if owner.is_none() {
            state.memory.give_up(address);
        }
        Ok(owner)
    }

    /// Lets the owner of memory free it, if it is somebody else's; whether it was.
    pub(super) fn release(&self, address: Address) -> bool {
        let Some((_, owner)) = self.state().memory.foreign.0.remove(&address.0) else { return false };
        // Dropping it asks the driver, which needs the context. On a lost device nothing runs any more.
        let entered = self.enter("free");
        let preceded = owner.frees_in.is_some_and(|stream| self.precede(&mut self.state(), [stream]).is_ok());
        let passed = preceded || entered.is_ok() && self.await_queues().is_ok();
        if !passed && self.lost.get().is_none() {
            // Nobody knows when the queues will have passed it.
            std::mem::forget(owner);
            return true;
        }
        // What a panic there leaves is the owner's.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(owner)));
        true
    }

    /// Lets the host wait for all queues.
    fn await_queues(&self) -> Outcome<()> {
        let wait = |stream: StreamHandle| {
            // SAFETY: reasons 1 and 2.
            self.check("free", unsafe { (self.driver.synchronize_stream)(stream) })
        };
        self.streams.into_iter().try_for_each(wait)
    }
}
