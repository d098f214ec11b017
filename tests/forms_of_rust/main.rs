//! The forms of Rust that `#[offload]` takes: functions with the attribute equal the plain ones, by `==`, in both memory orders, with and without a
//! simulated device.
#![allow(clippy::all, unused_qualifications, non_upper_case_globals, reason = "functions as they may be written")]

#[path = "../common/twice.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod twice;

mod arrays;
mod checked;
mod classes;
mod closures;
mod complex;
mod copies;
mod edges;
mod exchange;
mod flow;
mod generic;
mod guards;
mod helpers;
mod iterators;
mod locals;
mod made;
mod mixed;
mod names;
mod nested;
mod numbers;
mod options;
mod params;
mod parts;
mod ranges;
mod remainders;
mod results;
mod rings;
mod several;
mod staged;
mod stretches;
mod tables;
mod tuples;
mod zipped;

use twice::{all, both, form, same};

/// Sizes of calls, the empty one among them.
const SIZES: [usize; 5] = [0, 1, 2, 7, 20];

/// Random bits (xorshift: G. Marsaglia, 2003).
fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}
