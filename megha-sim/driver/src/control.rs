//! What tests ask and tell the machine, beside the driver's interface.

use crate::machine::{Code, Machine, lock};

/// A new machine; what was made on the old one is forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn simulated_reset(memory: u64, version: i32, devices: i32, capability: i32) {
    let mut machine = Machine::new(memory);
    (machine.version, machine.devices, machine.capability) = (version, devices, capability);
    *lock() = Some(machine);
}

/// Lets the `nth` call from now on return `code` and do nothing, 1 being the next.
#[unsafe(no_mangle)]
pub extern "C" fn simulated_fail(nth: u64, code: Code) {
    if let Some(machine) = lock().as_mut() {
        machine.planned = Some((machine.calls + nth, code));
    }
}

/// How many calls there were.
#[unsafe(no_mangle)]
pub extern "C" fn simulated_calls() -> u64 {
    lock().as_ref().map_or(0, |machine| machine.calls)
}

/// How many kernels were started.
#[unsafe(no_mangle)]
pub extern "C" fn simulated_launches() -> u64 {
    lock().as_ref().map_or(0, |machine| machine.launches)
}

/// How many matrix products were started.
#[unsafe(no_mangle)]
pub extern "C" fn simulated_products() -> u64 {
    lock().as_ref().map_or(0, |machine| machine.products)
}

/// How many copies there were between host and device.
#[unsafe(no_mangle)]
pub extern "C" fn simulated_copies() -> u64 {
    lock().as_ref().map_or(0, |machine| machine.copies)
}

/// How many things were made and not destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn simulated_live() -> u64 {
    lock().as_ref().map_or(0, |machine| machine.live() as u64)
}

/// How many mistakes callers and kernels made; their texts are on standard error.
#[unsafe(no_mangle)]
pub extern "C" fn simulated_mistakes() -> u64 {
    lock().as_ref().map_or(0, |machine| machine.mistakes.len() as u64)
}
