//! Runs the six programs of `examples/matlab` at the sizes of MEGHA's Table 3.2.
//!
//! ```text
//! cargo run --release --example programs [--large] [PROGRAM ...]
//! ```
//! For each size: the time of one run, the 2-norm of all results (a check value: it is the same on every machine and with
//! any number of threads), and what ran where. `--large` adds the
//! sizes that take long.

use std::env;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use megha::rt::ndarray::{Array, Array1, Array2, ArrayD, Dimension};

megha::matlab!(
    file "matlab/bscholes.m",
    fn bscholes(spot: f64[n, 1], strike: f64[n, 1], rate: f64[n, 1], volatility: f64[n, 1], time: f64[n, 1])
        -> (call: f64[n, 1], put: f64[n, 1])
);
megha::matlab!(file "matlab/clos.m", fn clos(adjacency: f64[n, n]) -> reach: f64[n, n]);
megha::matlab!(
    file "matlab/fdtd.m",
    fn fdtd(lx: f64, ly: f64, lz: f64, nx: usize, ny: usize, nz: usize, nt: usize)
        -> (ex: f64[nx, ny + 1, nz + 1], ey, ez, hx, hy, hz)
);
megha::matlab!(
    file "matlab/nb3d.m",
    fn nb3d(position: f64[n, 3], velocity: f64[n, 3], mass: f64[n, 1], softening: f64, dt: f64, nt: usize)
        -> (position: f64[n, 3], velocity: f64[n, 3])
);
megha::matlab!(file "matlab/matmul.m", fn matmul(a: f64[m, k], b: f64[k, n]) -> c: f64[m, n]);
megha::matlab!(file "matlab/filter_bank.m", fn filter_bank(signal: f64[n, 1], taps: f64[k, f]) -> out: f64[:, f]);

/// A program's name and what runs it at all its sizes, the large ones too if asked for.
type Program = (&'static str, fn(bool) -> megha::Result<()>);

const PROGRAMS: [Program; 6] = [
    ("bscholes", run_bscholes),
    ("clos", run_clos),
    ("fdtd", run_fdtd),
    ("nb3d", run_nb3d),
    ("matmul", run_matmul),
    ("filter_bank", run_filter_bank),
];

/// Time steps of `fdtd` and `nb3d`; the thesis does not say how many it took.
const STEPS: usize = 10;

fn main() -> ExitCode {
    let mut large = false;
    let mut chosen = Vec::new();
    for word in env::args().skip(1) {
        match PROGRAMS.iter().find(|(name, _)| *name == word) {
            Some(program) => chosen.push(*program),
            None if word == "--large" => large = true,
            None => return usage(&word),
        }
    }
    if chosen.is_empty() {
        chosen.extend(PROGRAMS);
    }
    for (name, run) in chosen {
        if let Err(error) = run(large) {
            eprintln!("{name}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn usage(word: &str) -> ExitCode {
    let names = PROGRAMS.map(|(name, _)| name).join(", ");
    let text = format!("Usage: cargo run --release --example programs [--large] [PROGRAM ...]\n\nPrograms: {names}.");
    if word == "--help" || word == "-h" {
        say(format_args!("{text}"));
        return ExitCode::SUCCESS;
    }
    eprintln!("error: `{word}` is neither a program nor an option\n\n{text}");
    ExitCode::from(2)
}

/// Writes a line. A reader that leaves early, as in `programs | head`, has seen enough.
fn say(line: std::fmt::Arguments<'_>) {
    if writeln!(std::io::stdout(), "{line}").is_err() {
        std::process::exit(0);
    }
}

/// The sizes of a program: always the first ones, and the others if asked for.
fn sizes<T: Copy>(large: bool, usual: &[T], others: &[T]) -> Vec<T> {
    if large { [usual, others].concat() } else { usual.to_vec() }
}

/// Runs a program `calls` times and prints what came of it.
fn report<const R: usize>(
    name: &str,
    size: &str,
    calls: usize,
    call: impl Fn() -> megha::Result<[ArrayD<f64>; R]>,
) -> megha::Result<()> {
    let start = Instant::now();
    for _ in 1..calls {
        call()?;
    }
    let results = call()?;
    let seconds = start.elapsed().as_secs_f64();
    say(format_args!("{name} {size}: {seconds:.3} s, norm {:.15e}", norm(&results)));
    // A program without kernels leaves the report of the one before.
    if let Some(run) = megha::last_run().filter(|run| run.function == name) {
        let each = if calls > 1 { " (each call)" } else { "" };
        say(format_args!("    {run}{each}"));
    }
    Ok(())
}

/// The 2-norm of all elements together.
fn norm(arrays: &[ArrayD<f64>]) -> f64 {
    arrays.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
}

fn dynamic<D: Dimension>(array: Array<f64, D>) -> ArrayD<f64> {
    array.into_dyn()
}

/// Numbers that follow no pattern and are the same in every run (SplitMix64: Steele, Lea and Flood, Fast Splittable
/// Pseudorandom Number Generators, 2014).
struct Noise(u64);

impl Noise {
    /// The next number, in [0, 1).
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn column(&mut self, n: usize, low: f64, high: f64) -> Array1<f64> {
        Array1::from_shape_simple_fn(n, || low + (high - low) * self.next())
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Array2<f64> {
        Array2::from_shape_simple_fn((rows, columns), || 2.0 * self.next() - 1.0)
    }
}

fn run_bscholes(large: bool) -> megha::Result<()> {
    for (n, calls) in sizes(large, &[(51_200, 100), (102_400, 500), (204_800, 500)], &[]) {
        let mut noise = Noise(1);
        let spot = noise.column(n, 20.0, 200.0);
        let strike = &spot * &noise.column(n, 0.6, 1.4);
        let [rate, volatility, time] = [(0.0, 0.06), (0.05, 0.65), (0.02, 3.0)].map(|(a, b)| noise.column(n, a, b));
        report("bscholes", &format!("{n} options, {calls} iterations"), calls, || {
            let (call, put) = bscholes(&spot, &strike, &rate, &volatility, &time)?;
            Ok([call, put].map(dynamic))
        })?;
    }
    Ok(())
}

fn run_clos(large: bool) -> megha::Result<()> {
    for n in sizes(large, &[1024, 2048], &[4096]) {
        let mut noise = Noise(2);
        let edge = 1.5 / n as f64;
        let adjacency = Array2::from_shape_simple_fn((n, n), || f64::from(u8::from(noise.next() < edge)));
        report("clos", &format!("{n} vertices"), 1, || Ok([dynamic(clos(&adjacency)?)]))?;
    }
    Ok(())
}

fn run_fdtd(large: bool) -> megha::Result<()> {
    for [nx, ny, nz] in sizes(large, &[[512, 512, 15]], &[[512, 512, 32], [1024, 1024, 32]]) {
        let [lx, ly, lz] = [nx, ny, nz].map(|cells| 1e-3 * cells as f64);
        report("fdtd", &format!("{nx}x{ny}x{nz} cells, {STEPS} steps"), 1, || {
            let (ex, ey, ez, hx, hy, hz) = fdtd(lx, ly, lz, nx, ny, nz, STEPS)?;
            Ok([ex, ey, ez, hx, hy, hz].map(dynamic))
        })?;
    }
    Ok(())
}

fn run_nb3d(large: bool) -> megha::Result<()> {
    for n in sizes(large, &[512, 1024, 1536], &[]) {
        let mut noise = Noise(3);
        let (position, velocity) = (noise.matrix(n, 3), 0.3 * noise.matrix(n, 3));
        let mass = noise.column(n, 0.5, 1.5) / n as f64;
        report("nb3d", &format!("{n} bodies, {STEPS} steps"), 1, || {
            let (position, velocity) = nb3d(&position, &velocity, &mass, 0.05, 0.01, STEPS)?;
            Ok([position, velocity].map(dynamic))
        })?;
    }
    Ok(())
}

fn run_matmul(large: bool) -> megha::Result<()> {
    for n in sizes(large, &[1024], &[2048]) {
        let mut noise = Noise(4);
        let (a, b) = (noise.matrix(n, n), noise.matrix(n, n));
        report("matmul", &format!("{n}x{n}"), 1, || Ok([dynamic(matmul(&a, &b)?)]))?;
    }
    Ok(())
}

fn run_filter_bank(large: bool) -> megha::Result<()> {
    let usual = [(1_000_000, 128), (1_500_000, 128)];
    for (n, order) in sizes(large, &usual, &[(1_000_000, 256), (1_500_000, 256)]) {
        let mut noise = Noise(5);
        let (signal, taps) = (noise.column(n, -1.0, 1.0), noise.matrix(order, 4));
        let size = format!("4x{order} taps, {n} samples");
        report("filter_bank", &size, 1, || Ok([dynamic(filter_bank(&signal, &taps)?)]))?;
    }
    Ok(())
}
