//! Who watches the launches of a thread: a call with a device, a test that divides them, a trace. Nearly always nobody, which one test says, so that
//! a launch of little work costs no more than that.

use std::cell::Cell;

use crate::trace;

/// What watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Watch {
    /// The call in progress may use a device.
    Device = 1,
    /// Launches are divided at random.
    Cuts = 2,
}

thread_local! {
    /// The bits of those that watch this thread.
    static WATCHES: Cell<u8> = const { Cell::new(0) };
}

/// Whether somebody watches the launches of this thread.
#[inline(always)]
pub(crate) fn is_watched() -> bool {
    WATCHES.get() != 0 || !trace::is_off()
}

/// Whether this one watches this thread.
#[inline(always)]
pub(crate) fn by(watch: Watch) -> bool {
    WATCHES.get() & watch as u8 != 0
}

/// Says whether this one watches from now on; gives whether it did.
pub(crate) fn replace(watch: Watch, on: bool) -> bool {
    let before = WATCHES.get();
    let others = before & !(watch as u8);
    WATCHES.set(if on { others | watch as u8 } else { others });
    before & watch as u8 != 0
}
