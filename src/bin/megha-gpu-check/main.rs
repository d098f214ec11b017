//! The GPU check suite: runs the twelve programs of MEGHA's Table 3.1 and kernels of every kind on a device, compares them with the CPU bit
//! for bit, and prints a table of times and rates against the ceilings that it measures. On a CUDA device arrays then go from and to slices of cudarc.
//!
//! ```text
//! cargo build --release --features check --bin megha-gpu-check
//! target/release/megha-gpu-check [--sim] [--size small|usual|large] [--repeat N] [--kernels] [NAME ...]
//! ```
//! The binary is all that a machine with a GPU needs: no Rust, no CUDA toolkit, no files. Without a device it says so and succeeds. Under
//! compute-sanitizer use `--size small --repeat 1`.

mod cases;
mod kernels;
mod programs;
mod slices;
mod table;
mod watched;

use std::process::ExitCode;
use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Builder, Device, Failure, Kind, Placement, Queue, with};

use cases::{Case, Size, doubles, same};
use table::{Line, Table};
use watched::Watched;

/// What the command line asks for.
struct Options {
    sim: bool,
    size: Option<Size>,
    repeat: usize,
    /// Whether each kernel has a line.
    kernels: bool,
    names: Vec<String>,
}

impl Options {
    fn parse(words: impl IntoIterator<Item = String>) -> Result<Options, String> {
        let mut options = Options { sim: false, size: None, repeat: 5, kernels: false, names: Vec::new() };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--sim" => options.sim = true,
                "--kernels" => options.kernels = true,
                "--size" => {
                    let size = words.next().unwrap_or_default();
                    let known = Size::of(&size).ok_or_else(|| format!("`{size}` is none of small, usual and large"));
                    options.size = Some(known?);
                }
                "--repeat" => {
                    let count = words.next().unwrap_or_default();
                    let known = count.parse().ok().filter(|count| *count > 0);
                    options.repeat = known.ok_or_else(|| format!("`{count}` is no count"))?;
                }
                name if !name.starts_with('-') && cases::names().contains(&name) => options.names.push(word),
                _ => return Err(format!("`{word}` is neither an option nor one of {}", cases::names().join(", "))),
            }
        }
        Ok(options)
    }

    /// The simulated device executes thread after thread: little is asked of it.
    fn size(&self) -> Size {
        self.size.unwrap_or(if self.sim { Size::Small } else { Size::Usual })
    }
}

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!(
                "error: {message}\n\nUsage: megha-gpu-check [--sim] [--size small|usual|large] [--repeat N] [--kernels] [NAME ...]"
            );
            return ExitCode::from(2);
        }
    };
    // what is not put on the device below runs on the CPU
    if let Err(why) = Builder::new(Kind::Cpu).install() {
        eprintln!("error: {why}");
        return ExitCode::FAILURE;
    }
    if options.sim {
        let device = Arc::new(SimDevice::new(SimDevice::standard()));
        return run(&options, device.clone(), Some(device));
    }
    match Builder::new(Kind::Gpu).open() {
        Ok(Some((device, _))) => run(&options, device, None),
        Ok(None) => ExitCode::SUCCESS,
        Err(why) => {
            println!("skipped: no CUDA device ({why})");
            ExitCode::SUCCESS
        }
    }
}

fn run(options: &Options, device: Arc<dyn Device>, sim: Option<Arc<SimDevice>>) -> ExitCode {
    println!("device: {}", device.name());
    let mut table = Table::new(device.rates());
    println!("{}\n{}", table.ceilings(), Table::head());
    let mut failed = Vec::new();
    for case in cases::all(options.size()) {
        if !options.names.is_empty() && !options.names.iter().any(|name| name == case.name) {
            continue;
        }
        match check(&case, options, &device, sim.as_ref()) {
            Ok(line) => {
                let kernels = options.kernels.then(|| table::kernels(&line.log));
                println!("{}{}", table.add(&case, line), kernels.unwrap_or_default());
            }
            Err(why) => {
                println!("{:<12} {:<18} FAILED: {why}", case.name, case.size);
                failed.push(case.name);
            }
        }
    }
    if sim.is_none() && options.names.is_empty() {
        match slices::check(&device, options.size()) {
            Ok(()) => println!("arrays go from and to cudarc"),
            Err(why) => {
                println!("cudarc: FAILED: {why}");
                failed.push("cudarc");
            }
        }
    }
    for mistake in sim.iter().flat_map(|sim| sim.mistakes()) {
        println!("mistake: {mistake}");
        failed.push("the simulator's checks");
    }
    if failed.is_empty() {
        println!("all {} are equal to the CPU to the bit", table.lines());
        ExitCode::SUCCESS
    } else {
        println!("FAILED: {}", failed.join(", "));
        ExitCode::FAILURE
    }
}

/// Runs a case on both, compares, and times the device.
fn check(
    case: &Case,
    options: &Options,
    device: &Arc<dyn Device>,
    sim: Option<&Arc<SimDevice>>,
) -> Result<Line, String> {
    let wanted = doubles((case.run)());
    // once more, when its memory has been touched and its threads are there
    let start = std::time::Instant::now();
    (case.run)().ok();
    let cpu = start.elapsed().as_secs_f64();
    let watched = Arc::new(Watched::new(device.clone(), sim.cloned()));
    let got = doubles(with(watched.clone(), Placement::Gpu, || (case.run)()));
    if let Some(difference) = same(&got, &wanted) {
        return Err(difference);
    }
    // once more, after the modules are loaded, with each kernel by itself
    watched.restart(true);
    with(watched.clone(), Placement::Gpu, || (case.run)()).ok();
    let alone = watched.log();
    watched.restart(false);
    let mut times = Vec::new();
    for _ in 0..if sim.is_some() { 1 } else { options.repeat } {
        let start = watched.now();
        with(watched.clone(), Placement::Gpu, || (case.run)()).ok();
        wait(&**device).map_err(|failure| failure.to_string())?;
        times.push((watched.now() - start).as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(Line { cpu, device: times[times.len() / 2], log: alone })
}

/// Waits for all queues.
fn wait(device: &dyn Device) -> Result<(), Failure> {
    let queues = [Queue::Compute, Queue::Upload, Queue::Download];
    queues.into_iter().try_for_each(|queue| device.synchronize(device.record(queue)?))
}
