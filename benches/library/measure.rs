//! Times of compiled functions.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a function is measured, if that is more than three calls.
const LONG_ENOUGH: Duration = Duration::from_millis(150);

/// Names of functions and median seconds of a call.
pub type Times = Vec<(&'static str, f64)>;

/// The names on the command line: all functions if there is none.
pub struct Wanted(pub Vec<String>);

impl Wanted {
    /// Whether a function, or its group, is among them.
    pub fn contains(&self, group: &str, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|word| word == name || group.ends_with(word.as_str()))
    }
}

/// Functions with their arguments, which are fields of `Arguments`: names and median seconds of those that are wanted.
macro_rules! times {
    ($wanted:expr, $given:expr; $($function:ident($($argument:ident),*))*) => {{
        let mut rows = Vec::new();
        $(if $wanted.contains(module_path!(), stringify!($function)) {
            let call = || $function($(&$given.$argument),*).expect("the sizes agree");
            rows.push((stringify!($function), $crate::measure::median_seconds(call)));
        })*
        rows
    }};
}

/// Median seconds of a call, after one that is not counted.
pub fn median_seconds<T>(call: impl Fn() -> T) -> f64 {
    black_box(call());
    let mut seconds = Vec::new();
    let begin = Instant::now();
    while seconds.len() < 3 || (begin.elapsed() < LONG_ENOUGH && seconds.len() < 1000) {
        let start = Instant::now();
        black_box(call());
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
