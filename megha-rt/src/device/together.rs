//! Launches that wait in a session because one entry may run them together with those behind them: steps of a loop over time (`steps.rs`), or kernels that
//! go through the same rows (`in_rows.rs`).
//!
//! The table counts what they make as made. Whatever but the next of them is asked of the session runs those that wait first ([`Session::with`]), so what others see of the
//! device is always as if each had been started when it came.

use super::Outcome;
use super::in_rows::InRows;
use super::session::Session;
use super::steps::Pending;

/// Launches that wait.
pub(super) enum Together {
    /// Steps of a loop over time.
    Steps(Pending),
    /// Kernels that go through the same rows.
    Rows(InRows),
}

impl Session {
    /// Runs what waits.
    pub(super) fn settle(&mut self) -> Outcome<()> {
        let done = match self.together.take() {
            None => return Ok(()),
            Some(Together::Steps(steps)) => steps.settle(&mut self.table),
            Some(Together::Rows(rows)) => rows.one_by_one(&mut self.table, &self.placements),
        };
        done.inspect_err(|failure| self.lost(failure))
    }
}
