//! Loop nests in two forms, plain and offloaded, and how they are timed against each other.

use std::hint::black_box;
use std::time::Instant;

/// The same functions twice: as they are, and offloaded.
macro_rules! both {
    ($($item:item)*) => {
        mod plain {
            use super::*;
            $(#[inline(never)] $item)*
        }
        mod fast {
            use super::*;
            $(#[megha::offload] $item)*
        }
    };
}

/// Whether the command line has a part of this name, or no name.
pub fn is_wanted(name: &str) -> bool {
    std::env::args().skip(1).all(|arg| arg.starts_with('-') || name.contains(&arg))
}

/// Median seconds of the plain and the offloaded form, which take turns until it is `enough` of seconds and turns; each works on a fresh copy
/// of `state`, and they must do the same.
pub fn in_turns<S: Clone + PartialEq>(
    name: &str,
    state: &S,
    forms: [&dyn Fn(&mut S); 2],
    enough: impl Fn(f64, usize) -> bool,
) -> [f64; 2] {
    let [expected, found] = forms.map(|form| {
        let mut own = state.clone();
        form(&mut own);
        own
    });
    assert!(expected == found, "{name}");
    let mut times = [Vec::new(), Vec::new()];
    let begin = Instant::now();
    while !enough(begin.elapsed().as_secs_f64(), times[0].len()) {
        for (form, times) in forms.into_iter().zip(&mut times) {
            let mut own = state.clone();
            let start = Instant::now();
            form(black_box(&mut own));
            times.push(start.elapsed().as_secs_f64());
            black_box(&own);
        }
    }
    times.map(median)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
