//! The run-time system of Megha: what compiled functions call.

pub mod math;
