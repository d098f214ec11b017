//! Library functions by themselves, compiled and, where it is installed, in GNU Octave.
//!
//! ```text
//! cargo bench -p megha --bench library [vectors|matrices|small|NAME ...]
//! ```
//! The functions are one line each, in three groups: on vectors of a million elements, on matrices of order 40 to 500 and, a thousand
//! times or more in a loop, on small arrays. All times are medians from this one run; Octave comes last, as it runs by itself. The functions
//! that are slowest against Octave's come first.

use std::path::Path;
use std::process::Command;

#[path = "library/arguments.rs"]
mod arguments;
#[path = "library/measure.rs"]
#[macro_use]
mod measure;
#[path = "library/matrices.rs"]
mod matrices;
#[path = "library/small.rs"]
mod small;
#[path = "library/vectors.rs"]
mod vectors;

use arguments::Arguments;
use measure::{Times, Wanted};

fn main() {
    let wanted = Wanted(std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect());
    let given = Arguments::new();
    let compiled = [vectors::times, matrices::times, small::times].map(|times| times(&wanted, &given)).concat();
    print_rows(compiled, &octave_times(&wanted));
}

/// The functions by Octave's time over that of the compiled form, the lowest first.
fn print_rows(compiled: Times, octave: &[(String, f64)]) {
    let ratio = |(name, seconds): (&str, f64)| octave.iter().find(|(n, _)| n == name).map(|(_, s)| s / seconds);
    let mut rows: Vec<_> = compiled.into_iter().map(|row| (row, ratio(row))).collect();
    rows.sort_by(|(_, a), (_, b)| a.unwrap_or(0.0).total_cmp(&b.unwrap_or(0.0)));
    println!("{:<28}{:>13}{:>14}{:>8}", "", "compiled", "Octave", "ratio");
    for ((name, seconds), ratio) in &rows {
        print!("{name:<28}{:>10.1} us", 1e6 * seconds);
        match ratio {
            Some(ratio) => println!("{:>11.1} us{ratio:>8.2}", 1e6 * seconds * ratio),
            None => println!("{:>14}{:>8}", "-", "-"),
        }
    }
    let slower = rows.iter().filter(|(_, ratio)| ratio.is_some_and(|ratio| ratio < 1.0)).count();
    println!("{} functions, {slower} slower than Octave", rows.len());
}

/// Function and median seconds of each measurement of `octave_times.m`; none without Octave.
fn octave_times(wanted: &Wanted) -> Vec<(String, f64)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/library/octave_times.m");
    let run = Command::new("octave-cli").args(["--quiet", "--norc"]).arg(script).args(&wanted.0).output();
    let printed = run.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&printed).lines().filter_map(measurement).collect()
}

/// `octave FUNCTION SECONDS`
fn measurement(line: &str) -> Option<(String, f64)> {
    let mut words = line.split_whitespace();
    let ("octave", function, seconds) = (words.next()?, words.next()?, words.next()?) else { return None };
    Some((function.into(), seconds.parse().ok()?))
}
