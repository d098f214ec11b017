//! Some steps of a loop over time go through the device at once, band by band (`tiles.rs`).
//!
//! In band `b` of `W` rows a launch computes the rows from `b W - s` to before `(b + 1) W - s`, where `s` is its shift, as on the CPU ([`crate::bands`]). So of an
//! array all launches of the band touch planes of one window, which moves by `W` planes from band to band. Each array has memory for two windows. What
//! the next window shares with this one is copied within the device, what is new comes from the host while this band is computed, and planes that no
//! later band touches go back, while the next band is computed. An array that the first launch which touches it makes is not sent.
//!
//! The first planes of the next steps enter while the last ones of these leave: steps that go at once follow each other as bands do, in the same memory.
//!
//! Nothing on the host has changed until the first planes are delivered; before, a failure leaves all launches to the CPU.

mod arrays;
mod division;
mod way;

use std::cell::Cell;

use super::super::later::Waiting;
use super::super::table::Table;
use super::super::tiles::Pace;
use super::super::{Failure, Outcome, Rates};
use super::Scratch;
use crate::trace;
use division::Division;
use way::Way;

/// How launches that waited went.
pub enum Passed {
    /// They are done.
    Done,
    /// None is begun, or none has changed anything on the host.
    Not(Failure),
}

/// Runs launches that wait.
///
/// # Errors
/// The device failed when something on the host was half new.
pub fn pass(table: &mut Table, launches: &[Waiting], (slope, pace): (i64, Pace), rates: &Rates) -> Outcome<Passed> {
    let device = table.device().clone();
    let available = table.available();
    let Some(division) = Division::of((&*device, rates), launches, (slope, pace), available) else {
        let wanted = launches.iter().take(1).flat_map(|waiting| &waiting.arrays).map(|place| place.length()).sum();
        return Ok(Passed::Not(Failure::OutOfMemory { wanted }));
    };
    let ring = division.ring(&*device);
    let delivered = Cell::new(false);
    let run = &mut |table: &mut Table| {
        let mut scratch = Scratch::new(&*device);
        Way::prepared(table, &mut scratch, &division)?.run(table, &delivered)
    };
    match table.with_room(&division.wholes, ring, run) {
        Ok(()) => {
            let (steps, bands) = (division.tiling.steps as u64, division.bands());
            table.spilled.steps = table.spilled.steps.max(steps);
            table.spilled.bands += bands;
            table.moved.naive += launches.iter().filter_map(Waiting::work).map(|work| work.touched()).sum::<u64>();
            trace::at_once(steps, (bands, division.tiling.width));
            Ok(Passed::Done)
        }
        Err(failure) if delivered.get() || failure.is_final() => Err(failure),
        Err(failure) => Ok(Passed::Not(failure)),
    }
}
