//! Calls on simulated devices whose memory becomes scarce: the same bits, and by the device's clock never longer than on the CPU alone.
//!
//! The CPU's time is that of the same clock, on a device on which nothing is ever worth doing. A plan that is longer than that of the CPU alone is a mistake.
//! A first decision goes by estimates, so such a call may take longer than was planned, and then longer than on the CPU: that is listed, with the reason, and after
//! some calls, whose kernels are measured, it must be over.
//!
//! The usual run takes some of the memory sizes; with `MEGHA_SWEEP=all` all of them, and two devices.

use std::env;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::Run;
use megha_sim::{Checks, Config, Engine};
use ndarray::ArrayD;

/// By how much longer than on the CPU a call may take once its kernels were measured: corrections change where they are off by a quarter, and trials cost a fiftieth.
const UNFORESEEN: f64 = 0.1;
/// After so many calls all that a decision goes by was measured.
const LEARNING: usize = 10;
/// Times that differ by less are equal: decisions are kept by sizes in steps, with the estimates of the first.
const EQUAL: f64 = 0.01;

/// The results of a call, as bits.
pub type Bits = Vec<Vec<u64>>;

/// The bits of arrays; all NaN are alike.
pub fn bits(arrays: &[ArrayD<f64>]) -> Bits {
    let bits = |x: &f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    arrays.iter().map(|array| array.iter().map(bits).collect()).collect()
}

/// A device on which nothing is ever worth doing, so that its clock shows what the CPU is taken to need.
pub fn far(mut config: Config) -> Config {
    (config.model.launch_latency, config.model.copy_latency) = (Duration::from_secs(1), Duration::from_secs(1));
    config
}

/// The standard device, but that what each operation takes to begin is so many times shorter: what is small here is as large arrays are there.
pub fn near(times: u32) -> Config {
    let mut config = SimDevice::standard();
    config.checks = Checks::none();
    let model = &mut config.model;
    for latency in [&mut model.issue, &mut model.allocation, &mut model.launch_latency, &mut model.copy_latency] {
        *latency /= times;
    }
    config
}

/// The time on a device's clock for a call beside two threads, what it did and what it gave.
pub fn timed<R: Send>(
    device: impl Into<Arc<SimDevice>>,
    placement: Placement,
    call: &(dyn Fn() -> R + Sync),
) -> (Duration, Option<Run>, R) {
    let device: Arc<SimDevice> = device.into();
    let begun = device.simulator().now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let (result, run) = pool.install(|| {
        let result = with(device.clone(), placement, call);
        (result, megha::last_run())
    });
    assert_eq!(device.mistakes(), [""; 0]);
    (device.simulator().now() - begun, run, result)
}

/// The time of a call by what was learnt from some before.
fn later(config: Config, call: &(dyn Fn() -> Bits + Sync)) -> Duration {
    let device = Arc::new(SimDevice::new(config));
    (0..LEARNING).map(|_| timed(device.clone(), Placement::Auto, call).0).last().unwrap_or_default()
}

/// Sixteenths of what a call takes.
fn memories() -> &'static [u64] {
    if all() { &[32, 16, 12, 8, 4, 2, 1] } else { &[12, 4] }
}

/// Whether everything is swept.
pub fn all() -> bool {
    env::var_os("MEGHA_SWEEP").is_some_and(|wish| wish == "all")
}

/// Calls by what they take with some memory.
pub struct Sweep {
    text: String,
    /// Plans that are longer than those of the CPU.
    wrong: Vec<String>,
    /// Calls that took longer than planned, and longer than on the CPU.
    unforeseen: Vec<String>,
    /// How many times longer than its bound each call took.
    bounded: Vec<(f64, String)>,
}

/// The time of a call with all on a device below which no memory gets it: what the engine that has most to do needs for what moves and runs where all fits.
fn bound(device: &SimDevice) -> Duration {
    let timeline = device.simulator().timeline();
    let busy = |engine| timeline.iter().filter(|span| span.engine == engine).map(|span| span.end - span.start).sum();
    [Engine::In, Engine::Out, Engine::Compute].map(busy).into_iter().max().unwrap_or_default()
}

fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

impl Sweep {
    /// A table without lines.
    pub fn new() -> Sweep {
        let memories: String = memories().iter().map(|part| format!("{:>9}", format!("{part}/16"))).collect();
        let text = format!("{:<34}    bytes   CPU us{memories}  us with so much of that memory\n", "call");
        Sweep { text, wrong: Vec::new(), unforeseen: Vec::new(), bounded: Vec::new() }
    }

    /// Sweeps a call on the devices.
    pub fn add(&mut self, name: &str, call: &(dyn Fn() -> Bits + Sync)) {
        self.add_on(name, &near(16), call);
        if all() {
            self.add_on(&format!("{name}, standard"), &near(1), call);
        }
    }

    /// Sweeps a call on a device.
    fn add_on(&mut self, name: &str, config: &Config, call: &(dyn Fn() -> Bits + Sync)) {
        let whole = Arc::new(SimDevice::new(config.clone()));
        let (_, run, wanted) = timed(whole.clone(), Placement::Gpu, call);
        // some have no kernels
        let Some(peak) = run.filter(|run| run.device_kernels > 0).map(|run| run.device_peak) else { return };
        let (cpu, alone, on_cpu) = timed(SimDevice::new(far(config.clone())), Placement::Auto, call);
        let alone = alone.expect("a call");
        assert!(on_cpu == wanted, "{name}: the device gives other bits");
        assert_eq!(alone.device_kernels, 0, "{name}");
        let _ = write!(self.text, "{name:<34}{peak:>9}{:>9.1}", us(cpu));
        let least = cpu.min(bound(&whole));
        for sixteenths in memories() {
            let mut config = config.clone();
            config.memory = (peak * sixteenths / 16).max(256);
            let (time, run, got) = timed(SimDevice::new(config.clone()), Placement::Auto, call);
            let run = run.expect("a call");
            assert!(got == wanted, "{name} with {sixteenths}/16: other bits: {run}");
            let _ = write!(self.text, "{:>9.1}", us(time));
            let (times, there) = (us(time) / us(least), run.device_kernels);
            self.bounded.push((times, format!("{name} with {sixteenths}/16: {times:.2}, {there} kernels there")));
            if time > cpu.mul_f64(1.0 + EQUAL) {
                let name = format!("{name} with {sixteenths}/16");
                self.judge(&name, [(time, &run), (cpu, &alone)], later(config, call));
            }
        }
        self.text.push('\n');
    }

    /// Notes why a call took longer than on the CPU alone, and what it takes later.
    fn judge(&mut self, name: &str, [(time, run), (cpu, alone)]: [(Duration, &Run); 2], later: Duration) {
        let [planned, planned_alone] = [run.scheduled, alone.scheduled].map(us);
        let Run { device_kernels: there, spilled, .. } = run;
        let what = format!(
            "{name}: {:.1} us for {:.1}, later {:.1}, planned {planned:.1} for {planned_alone:.1}, {there} kernels there, {} spilled, {} parts",
            us(time),
            us(cpu),
            us(later),
            spilled.arrays,
            spilled.boxes
        );
        let was_planned = run.scheduled > alone.scheduled.mul_f64(1.0 + EQUAL);
        let is_wrong = was_planned || later > cpu.mul_f64(1.0 + UNFORESEEN);
        if is_wrong { &mut self.wrong } else { &mut self.unforeseen }.push(what);
    }

    /// Prints the table, and asserts that nothing was chosen that was planned to take longer than the CPU alone, or took much longer.
    pub fn check(self) {
        println!("{}", self.text);
        self.check_bounds();
        println!(
            "{} took longer than the CPU alone before their kernels were measured:\n{}",
            self.unforeseen.len(),
            self.unforeseen.join("\n")
        );
        assert!(
            self.wrong.is_empty(),
            "{} are slower than the CPU alone:\n{}",
            self.wrong.len(),
            self.wrong.join("\n")
        );
    }

    /// Prints how many times longer calls took than the better of the CPU alone and of the bound.
    fn check_bounds(&self) {
        let mut bounded: Vec<&(f64, String)> = self.bounded.iter().collect();
        bounded.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(last) = bounded.len().checked_sub(1) else { return };
        let parts = [0.5, 0.75, 0.9, 1.0].map(|part| format!("{:.2}", bounded[(last as f64 * part) as usize].0));
        println!("times the better of the CPU and the bound: {} (half, 75, 90 and 100 of 100)", parts.join(" "));
        bounded.iter().filter(|(times, _)| *times > 1.5).for_each(|(_, what)| println!("  {what}"));
    }
}
