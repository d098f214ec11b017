//! bscholes and fdtd at full size: compiled, with ndarray's operators and, where it is installed, in GNU Octave.
//!
//! ```text
//! cargo bench -p megha --bench programs
//! ```
//! All times are medians from this one run, of one call. The forms take turns; Octave comes last, as it runs by itself. A turn of
//! bscholes is as many calls in a row as the thesis has iterations (MEGHA, Table 3.2).

#[path = "comparators/mod.rs"]
#[allow(dead_code, reason = "the comparators of the other programs and the forms with loops are not timed here")]
mod comparators;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use comparators::{bscholes as options, fdtd as field};
use ndarray::Array1;

megha::matlab!(
    file "../examples/matlab/bscholes.m",
    fn bscholes(spot: f64[n, 1], strike: f64[n, 1], rate: f64[n, 1], volatility: f64[n, 1], time: f64[n, 1])
        -> (call: f64[n, 1], put: f64[n, 1])
);
megha::matlab!(
    file "../examples/matlab/fdtd.m",
    fn fdtd(lx: f64, ly: f64, lz: f64, nx: usize, ny: usize, nz: usize, nt: usize) -> (ex, ey, ez, hx, hy, hz)
);

/// Options and iterations of `bscholes`, and sizes of `fdtd`, as `octave_times.m` has them.
const OPTIONS: [(usize, usize); 3] = [(51_200, 100), (102_400, 500), (204_800, 500)];
const CELLS: [[usize; 3]; 3] = [[64, 64, 15], [256, 256, 15], [512, 512, 15]];
/// Time steps of a call of `fdtd`.
const STEPS: usize = 4;

/// A program at one size.
struct Row {
    program: &'static str,
    size: String,
    compiled: f64,
    operators: f64,
}

fn main() {
    let mut rows: Vec<Row> = OPTIONS.into_iter().map(time_bscholes).collect();
    rows.extend(CELLS.into_iter().map(time_fdtd));
    let octave = octave_times();
    println!("{:<10}{:<17}{:>12}{:>12}{:>8}{:>14}{:>8}", "", "", "compiled", "operators", "ratio", "Octave", "ratio");
    for Row { program, size, compiled, operators } in rows {
        print!(
            "{program:<10}{size:<17}{:>9.3} ms{:>9.3} ms{:>8.1}",
            1e3 * compiled,
            1e3 * operators,
            operators / compiled
        );
        match octave.iter().find(|(name, label, _)| (name.as_str(), label) == (program, &size)) {
            Some((_, _, seconds)) => println!("{:>11.3} ms{:>8.1}", 1e3 * seconds, seconds / compiled),
            None => println!("{:>14}{:>8}", "-", "-"),
        }
    }
    if octave.is_empty() {
        println!("Octave's times are left out: octave-cli cannot be run.");
    }
}

/// How often two forms take turns, and how many calls a turn is.
struct Turns {
    turns: usize,
    calls: usize,
}

impl Turns {
    /// Median seconds of a call of each form, after a turn of each that is not counted.
    fn time<A, B>(self, mut first: impl FnMut() -> A, mut second: impl FnMut() -> B) -> (f64, f64) {
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        for turn in 0..=self.turns {
            let (one, other) = (seconds_a_call(self.calls, &mut first), seconds_a_call(self.calls, &mut second));
            if turn > 0 {
                firsts.push(one);
                seconds.push(other);
            }
        }
        (median(firsts), median(seconds))
    }
}

/// Mean seconds of calls in a row, each of which drops its results before the next.
fn seconds_a_call<A>(calls: usize, call: &mut impl FnMut() -> A) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call());
    }
    start.elapsed().as_secs_f64() / calls as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn time_bscholes((n, iterations): (usize, usize)) -> Row {
    // Weyl sequences: plausible markets whose options differ.
    let column = |step: f64, low: f64, high: f64| {
        Array1::from_shape_fn(n, |i| low + (high - low) * (step * (i + 1) as f64).fract())
    };
    let spot = column(0.618_033_988_749_895, 20.0, 200.0);
    let strike = &spot * &column(0.414_213_562_373_095, 0.6, 1.4);
    let rate = column(0.732_050_807_568_877, 0.0, 0.06);
    let volatility = column(0.236_067_977_499_79, 0.05, 0.65);
    let time = column(0.645_751_311_064_591, 0.02, 3.0);
    let market = options::Options {
        spot: spot.view(),
        strike: strike.view(),
        rate: rate.view(),
        volatility: volatility.view(),
        time: time.view(),
    };
    let compiled = || bscholes(&spot, &strike, &rate, &volatility, &time).expect("the sizes agree");
    let turns = Turns { turns: 5, calls: iterations };
    let (compiled, operators) = turns.time(compiled, || options::operators(market));
    Row { program: "bscholes", size: format!("{n}-it{iterations}"), compiled, operators }
}

fn time_fdtd(cells: [usize; 3]) -> Row {
    let [nx, ny, nz] = cells;
    let edges = cells.map(|n| 1e-3 * n as f64);
    let [lx, ly, lz] = edges;
    let compiled = || fdtd(lx, ly, lz, nx, ny, nz, STEPS).expect("the sizes fit in memory");
    let operators = || field::operators(field::Cavity { edges, cells }, STEPS);
    let (compiled, operators) = Turns { turns: 7, calls: 1 }.time(compiled, operators);
    Row { program: "fdtd", size: format!("{nx}x{ny}x{nz}-nt{STEPS}"), compiled, operators }
}

/// Program, size and median seconds of each measurement of `octave_times.m`; none without Octave.
fn octave_times() -> Vec<(String, String, f64)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/octave_times.m");
    let run = Command::new("octave-cli").args(["--quiet", "--norc"]).arg(script).output();
    let printed = run.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&printed).lines().filter_map(measurement).collect()
}

/// `octave PROGRAM SIZE CALLS SECONDS`
fn measurement(line: &str) -> Option<(String, String, f64)> {
    let mut words = line.split_whitespace();
    let ("octave", program, size) = (words.next()?, words.next()?, words.next()?) else { return None };
    Some((program.into(), size.into(), words.nth(1)?.parse().ok()?))
}
