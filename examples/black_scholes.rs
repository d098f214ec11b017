//! Prices the options of a CSV file with a MATLAB function.
//!
//! ```text
//! cargo run --release --example black_scholes [FILE.csv]
//! ```
//! Without a file, the 120,000 options of `examples/data/options.csv`. The formulas are in `examples/matlab/bscholes.m`; the
//! same ones written with ndarray's operators (`benches/comparators/bscholes.rs`) are priced and timed beside them.

#[path = "../benches/comparators/bscholes.rs"]
#[allow(dead_code, reason = "of the two Rust forms only the one with operators is compared")]
mod comparator;
#[path = "black_scholes/market.rs"]
mod market;

use std::env;
use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use market::Market;
use megha::rt::ndarray::{Array1, ArrayView1, Axis};

megha::matlab!(
    file "matlab/bscholes.m",
    fn bscholes(spot: f64[n, 1], strike: f64[n, 1], rate: f64[n, 1], volatility: f64[n, 1], time: f64[n, 1])
        -> (call: f64[n, 1], put: f64[n, 1])
);

const USAGE: &str = "\
Prices European options by the formulas of Black and Scholes.

Usage: cargo run --release --example black_scholes [FILE.csv]

FILE.csv has a first line with the columns spot, strike, rate, volatility and
expiry (years), in any order. Without it, examples/data/options.csv is priced.";

/// How many options are shown.
const SHOWN: usize = 8;
/// How often each form is timed.
const RUNS: usize = 15;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let path = match &arguments[..] {
        [] => Path::new(env!("CARGO_MANIFEST_DIR")).join("data/options.csv"),
        [word] if word == "--help" || word == "-h" => {
            return ended(writeln!(io::stdout(), "{USAGE}").map_err(Into::into));
        }
        [file] if !file.starts_with('-') => PathBuf::from(file),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    ended(price_file(&path, &mut io::stdout().lock()))
}

/// How the program ends. A reader of its output that leaves early, as in `black_scholes | head`, has seen enough.
fn ended(done: Result<(), Box<dyn Error>>) -> ExitCode {
    match done {
        Err(error) if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        Ok(()) => ExitCode::SUCCESS,
    }
}

fn price_file(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let explain = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
    let start = Instant::now();
    let size = path.metadata().map_err(|error| explain(&error))?.len();
    let mut progress = Progress::new("reading", size);
    let market = Market::load(path, |bytes| progress.at(bytes)).map_err(|error| explain(&error))?;
    progress.done();
    writeln!(out, "{} options from {}, read in {}", market.len(), path.display(), show_time(start.elapsed()))?;

    let (call, put) = price(&market)?;
    let ran = megha::last_run();
    show_prices(&market, call.view(), put.view(), out)?;
    compare(&market, call.view(), put.view(), out)?;
    if let Some(run) = ran {
        writeln!(out, "what ran where: {run}")?;
    }
    Ok(())
}

/// Call and put prices by the MATLAB function.
fn price(market: &Market) -> megha::Result<(Array1<f64>, Array1<f64>)> {
    let Market { spot, strike, rate, volatility, expiry } = market;
    let (call, put) = bscholes(spot, strike, rate, volatility, expiry)?;
    // Results are matrices, as everything in MATLAB; these have one column.
    Ok((call.remove_axis(Axis(1)), put.remove_axis(Axis(1))))
}

/// The same by ndarray's operators.
fn price_by_operators(market: &Market) -> (Array1<f64>, Array1<f64>) {
    comparator::operators(comparator::Options {
        spot: market.spot.view(),
        strike: market.strike.view(),
        rate: market.rate.view(),
        volatility: market.volatility.view(),
        time: market.expiry.view(),
    })
}

fn show_prices(market: &Market, call: ArrayView1<f64>, put: ArrayView1<f64>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n      spot    strike      rate  volatility    expiry        call         put")?;
    let count = market.len();
    let step = (count / SHOWN).max(1);
    for i in (0..count).step_by(step).take(SHOWN) {
        writeln!(
            out,
            "{:>10.2}{:>10.2}{:>8.2} %{:>10.2} %{:>8.2} y{:>12.4}{:>12.4}",
            market.spot[i],
            market.strike[i],
            100.0 * market.rate[i],
            100.0 * market.volatility[i],
            market.expiry[i],
            call[i],
            put[i],
        )?;
    }
    if count > SHOWN {
        writeln!(out, "{:>10}", format!("... and {} more", count - SHOWN))?;
    }
    Ok(())
}

/// Times both forms in turns, so that whatever else the machine does meets both.
fn compare(
    market: &Market,
    call: ArrayView1<f64>,
    put: ArrayView1<f64>,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let (their_call, their_put) = price_by_operators(market);
    let difference = largest_difference(call, their_call.view()).max(largest_difference(put, their_put.view()));
    let mut progress = Progress::new("timing", RUNS as u64);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for run in 0..RUNS {
        progress.at(run as u64);
        let start = Instant::now();
        std::hint::black_box(price(market)?);
        ours.push(start.elapsed());
        let start = Instant::now();
        std::hint::black_box(price_by_operators(market));
        theirs.push(start.elapsed());
    }
    progress.done();
    let (ours, theirs) = (median(ours), median(theirs));
    writeln!(out, "\ntime of all prices, median of {RUNS} runs")?;
    writeln!(out, "  bscholes.m, compiled  {:>10}", show_time(ours))?;
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    writeln!(out, "  ndarray's operators   {:>10}   {ratio:.1} times as long", show_time(theirs))?;
    writeln!(out, "largest difference of two prices: {difference:.1e}")?;
    Ok(())
}

fn largest_difference(a: ArrayView1<f64>, b: ArrayView1<f64>) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn show_time(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.2} ms", 1e3 * seconds),
        seconds => format!("{seconds:.2} s"),
    }
}

/// A progress bar that shows itself on a terminal when the work turns out to take long.
struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
}

impl Progress {
    /// Work that takes less is done before anybody wonders.
    const PATIENCE: Duration = Duration::from_millis(500);

    fn new(what: &'static str, total: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden()).with_message(what);
        Self { bar, start: Instant::now(), shown: false }
    }

    fn at(&mut self, position: u64) {
        if !self.shown {
            if self.start.elapsed() < Self::PATIENCE {
                return;
            }
            self.shown = true;
            if let Ok(style) = ProgressStyle::with_template("{msg:>8} [{wide_bar}] {percent:>3} %  {eta} left") {
                self.bar.set_style(style);
            }
            // Draws nothing where the standard error is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(position);
    }

    fn done(self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of a reader that leaves after so many writes.
    struct Leaving(usize);

    impl Write for Leaving {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let left = self.0.checked_sub(1).ok_or(ErrorKind::BrokenPipe)?;
            self.0 = left;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_may_leave_early() {
        let path = env::temp_dir().join(format!("megha-options-{}.csv", std::process::id()));
        std::fs::write(&path, "spot,strike,rate,volatility,expiry\n100,95,0.05,0.2,1\n").unwrap();
        let ends: Vec<String> =
            [0, 3, usize::MAX].map(|writes| format!("{:?}", ended(price_file(&path, &mut Leaving(writes))))).into();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(ends, vec![format!("{:?}", ExitCode::SUCCESS); 3]);
    }
}
