//! Loops over time whose arrays do not fit the device: some steps go through at once, so each plane crosses the link once for all of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::Run;
use megha_sim::{Config, Operation};
use ndarray::{ArrayD, IxDyn, ShapeBuilder};

use super::failing::{assert_alike, assert_given_back, instant};
use super::reference::equal;

#[path = "../bands/programs.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod loops;

use loops::{PROGRAMS, Program};

/// Numbers without a pattern.
fn filled(shape: &[usize], seed: u64, rows_first: bool) -> ArrayD<f64> {
    let mut array = ArrayD::zeros(IxDyn(shape).set_f(!rows_first));
    for (at, x) in array.indexed_iter_mut() {
        let number = (0..shape.len()).fold(seed as f64, |number, d| number * 1.7 + at[d] as f64 * (0.37 + d as f64));
        *x = number.sin();
    }
    array
}

fn program(name: &str) -> &'static Program {
    PROGRAMS.iter().find(|program| program.name == name).unwrap()
}

/// A call of a program.
struct Call {
    program: &'static Program,
    arguments: Vec<ArrayD<f64>>,
    steps: usize,
}

impl Call {
    fn new(program: &'static Program, shape: &[usize], (steps, rows_first): (usize, bool)) -> Call {
        let arguments = (0..program.arrays).map(|k| filled(shape, k, rows_first)).collect();
        Call { program, arguments, steps }
    }

    fn run(&self) -> Vec<ArrayD<f64>> {
        (self.program.call)(&self.arguments, self.steps as f64)
    }

    /// On a device, with the results of the CPU.
    fn on(&self, device: &Arc<SimDevice>, placement: Placement, wanted: &[ArrayD<f64>]) -> Run {
        let got = with(device.clone(), placement, || self.run());
        let run = megha::last_run().unwrap();
        let what = format!("{} {:?}, {} steps: {run}", self.program.name, self.arguments[0].shape(), self.steps);
        assert_eq!(device.mistakes(), [""; 0], "{what}");
        assert!(got.iter().zip(wanted).all(|(got, wanted)| equal(got, wanted)), "{what}");
        assert_given_back(&what, device);
        assert!(run.device_peak <= device.simulator().config().memory, "{what}: {} bytes", run.device_peak);
        run
    }
}

/// A device of which the link alone takes time.
fn linked() -> Config {
    let mut config = instant().simulator().config().clone();
    (config.model.to_device, config.model.from_device) = (1e8, 1e8);
    config
}

fn of(mut config: Config, memory: u64) -> Arc<SimDevice> {
    config.memory = memory;
    Arc::new(SimDevice::new(config))
}

/// From twice the memory of all arrays to a sixteenth, for several numbers of steps, wherever kernels run: the same bits.
#[test]
fn any_memory_gives_the_same() {
    let mut table = "program    steps at once, at most, by sixteenths of the memory of all\n".to_owned();
    for program in &PROGRAMS {
        let shape: &[usize] = match program.shapes[0].len() {
            1 => &[200],
            2 => &[7, 90],
            _ => &[4, 5, 60],
        };
        let mut most = [0; 7];
        for (steps, rows_first) in [(1, true), (5, false), (13, true)] {
            // planes lie along the slowest dimension
            let shape: Vec<usize> = if rows_first { shape.iter().rev().copied().collect() } else { shape.to_vec() };
            let call = Call::new(program, &shape, (steps, rows_first));
            let wanted = call.run();
            let all = call.on(&of(SimDevice::standard(), 1 << 30), Placement::Gpu, &wanted).device_peak;
            for (sixteenths, most) in [32, 16, 12, 8, 4, 2, 1].into_iter().zip(&mut most) {
                let memory = all * sixteenths / 16;
                let run = call.on(&of(SimDevice::standard(), memory), Placement::Gpu, &wanted);
                *most = run.spilled.steps.max(*most);
                call.on(&of(SimDevice::standard(), memory), Placement::Auto, &wanted);
                let by_lot = SimDevice::new(Config { memory, ..linked() }).by_lot(31 * steps as u64 + sixteenths);
                call.on(&Arc::new(by_lot), Placement::Auto, &wanted);
            }
        }
        table += &format!("{:<9}{}\n", program.name, most.map(|most| format!("{most:>4}")).concat());
    }
    expect![[r#"
        program    steps at once, at most, by sixteenths of the memory of all
        line        0   0   0   0   0   0   0
        rotated     0   01024   0   0   0   0
        heat        0   0   7   5   5   0   0
        colours     0   0   5   4   2   0   0
        wide        0   0   5   4   2   0   0
        edges       0   0   0   0   0   0   0
        cube        0   0   5   3   3   0   0
        cavity      0   0   5   2   2   0   0
        wave        0   0   7   5   4   0   0
        reaction    0   7   7   5   0   0   0
        jacobi      0   0   3   2   2   0   0
        fdtd2       0   0   5   5   2   0   0
    "#]]
    .assert_eq(&table);
}

/// The simulator's standard device with the rates of one that is so much slower, so that small arrays keep it as busy as large ones the standard device.
fn slower(by: u64) -> Config {
    let mut config = SimDevice::standard();
    let (model, factor) = (&mut config.model, by as f64);
    for rate in [
        &mut model.flops32,
        &mut model.flops64,
        &mut model.instructions,
        &mut model.memory_bandwidth,
        &mut model.cache_bandwidth,
        &mut model.shared_bandwidth,
        &mut model.to_device,
        &mut model.from_device,
    ] {
        *rate /= factor;
    }
    (model.resident_threads, model.cached_threads) = (256, 256);
    (model.processors, model.busy_threads) = (1, 256);
    config
}

/// Bytes over the link, and the time on the device's clock.
fn timed(call: &Call, config: Config, memory: u64, wanted: &[ArrayD<f64>]) -> (Duration, Run) {
    let device = of(config, memory);
    let run = call.on(&device, Placement::Gpu, wanted);
    (device.simulator().now(), run)
}

/// With a quarter of the memory a loop takes no longer than with all of it, where copies do not overlap kernels; each plane crosses the link once for many steps, and where the link is the
/// limit at least nine tenths of its time are used.
#[test]
fn a_quarter_of_the_memory_is_no_slower() {
    let mut table = "program   memory  steps  at once  bands      up    down   time us  of link\n".to_owned();
    let (mut links, mut slow) = (Vec::new(), Vec::new());
    for (name, steps) in [("heat", 96), ("jacobi", 64), ("fdtd2", 48)] {
        let call = Call::new(program(name), &[1920, 16], (steps, true));
        let (wanted, config) = (call.run(), slower(10_000));
        let (whole, all) = timed(&call, config.clone(), 1 << 30, &wanted);
        assert_eq!(all.spilled.steps, 0, "{name}: {all}");
        let mut add = |memory: &str, (time, run): (Duration, Run)| {
            let [up, down] = [run.moved.bytes_up, run.moved.bytes_down].map(|bytes| bytes as f64);
            let link = (up / config.model.to_device).max(down / config.model.from_device) / time.as_secs_f64();
            table += &format!(
                "{name:<10}{memory:>6}{steps:>7}{:>9}{:>7}{:>8}{:>8}{:>10.0}{link:>9.2}\n",
                run.spilled.steps,
                run.spilled.bands,
                run.moved.bytes_up,
                run.moved.bytes_down,
                time.as_secs_f64() * 1e6,
            );
            link
        };
        add("all", (whole, all));
        let (time, run) = timed(&call, config.clone(), all.device_peak / 4, &wanted);
        add("1/4", (time, run));
        slow.extend((time > whole).then_some(name));
        // kernels that take no time
        let mut linked = config.clone();
        (linked.model.memory_bandwidth, linked.model.cache_bandwidth) = (1e30, 1e30);
        (linked.model.instructions, linked.model.flops64) = (1e30, 1e30);
        (linked.model.issue, linked.model.launch_latency) = (Duration::ZERO, Duration::ZERO);
        let (time, run) = timed(&call, linked, all.device_peak / 4, &wanted);
        // a step is a plane or more behind the one before, so the last planes cannot leave before the last have come and those behind them are computed
        let passes = steps.div_ceil(run.spilled.steps as usize);
        let behind = (run.spilled.steps - 1) as f64 / (1920 * passes) as f64;
        links.push(add("link", (time, run)) * (1.0 + behind));
    }
    expect![[r#"
        program   memory  steps  at once  bands      up    down   time us  of link
        heat         all     96        0      0  491520  214816    298875     0.33
        heat         1/4     96       48     43  983040  983040    292922     0.67
        heat        link     96       96     58  491520  491520    106064     0.93
        jacobi       all     64        0      0  491520  460576    400487     0.25
        jacobi       1/4     64       64     19  491520  491520    235337     0.42
        jacobi      link     64       64     76  491520  491520    107531     0.91
        fdtd2        all     48        0      0  737280  737280    569413     0.26
        fdtd2        1/4     48       48     21  737280  737280    305096     0.48
        fdtd2       link     48       48     42  737280  737280    155873     0.95
    "#]]
    .assert_eq(&table);
    assert!(slow.is_empty(), "slower than with all memory: {slow:?}\n{table}");
    assert!(links.iter().all(|link| *link >= 0.9), "{links:?} of the link");
}

/// Some steps at once are decided where they are faster than the CPU, and than each step by itself.
#[test]
fn it_is_decided_by_time() {
    let call = Call::new(program("heat"), &[480, 96], (40, true));
    let wanted = call.run();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let mut table = "memory     CPU us  device us  chosen us  at once\n".to_owned();
    pool.install(|| {
        let all = call.on(&of(SimDevice::standard(), 1 << 30), Placement::Gpu, &wanted).device_peak;
        for sixteenths in [32, 8, 4, 2, 1] {
            let timed = |far: bool, placement| {
                let mut config = SimDevice::standard();
                if far {
                    (config.model.launch_latency, config.model.copy_latency) =
                        (Duration::from_secs(1), Duration::from_secs(1));
                }
                let device = of(config, all * sixteenths / 16);
                let run = call.on(&device, placement, &wanted);
                (device.simulator().now().as_secs_f64() * 1e6, run.spilled.steps)
            };
            let (cpu, none) = timed(true, Placement::Auto);
            let ((gpu, _), (auto, steps)) = (timed(false, Placement::Gpu), timed(false, Placement::Auto));
            assert!(none == 0 && auto <= 1.25 * cpu.min(gpu), "{sixteenths}: {cpu} {gpu} {auto}");
            table += &format!("{:<9}{cpu:>8.0}{gpu:>11.0}{auto:>11.0}{steps:>9}\n", format!("{sixteenths}/16"));
        }
    });
    expect![[r#"
        memory     CPU us  device us  chosen us  at once
        32/16        2208        279        281        0
        8/16         2208        966        966       14
        4/16         2208       1981       1981        8
        2/16         2208       5010       2208        0
        1/16         2208      13288       2208        0
    "#]]
    .assert_eq(&table);
}

/// Every operation fails once while steps go through: the results are right, or the device is said to have failed, and nothing is left behind.
#[test]
fn failures_in_the_middle_change_nothing() {
    let mut steps = 0;
    for name in ["heat", "fdtd2"] {
        // planes of 256 bytes
        let call = Call::new(program(name), &[20, 32], (4, true));
        let results = || Ok(call.run());
        let wanted = results();
        let device = || of(linked(), 36 * 256);
        let healthy = device();
        with(healthy.clone(), Placement::Gpu, || call.run());
        let run = megha::last_run().unwrap();
        assert!(run.spilled.steps > 1, "{name}: {run}");
        assert!(run.to_string().contains(&format!("up to {} steps of a loop at once", run.spilled.steps)), "{run}");
        steps += run.spilled.steps;
        for kind in [Operation::Allocate, Operation::Copy, Operation::Load, Operation::Launch, Operation::Synchronize] {
            for nth in 1..=healthy.simulator().operations(kind) {
                for (placement, fragile) in [(Placement::Gpu, false), (Placement::Gpu, true), (Placement::Auto, false)]
                {
                    let what = format!("{name}: {kind} {nth}, fragile: {fragile}");
                    let device = device();
                    if fragile {
                        device.make_fragile();
                    }
                    device.simulator().fail(kind, nth);
                    // a call that the device was to do says so; the programs here take any results
                    let got = catch_unwind(AssertUnwindSafe(|| with(device.clone(), placement, || call.run())));
                    match got {
                        Ok(got) => assert_alike(&what, placement, &Ok(got), &wanted),
                        Err(_) => assert_eq!(placement, Placement::Gpu, "{what}"),
                    }
                    assert_eq!(device.mistakes(), [""; 0], "{what}");
                    assert_given_back(&what, &device);
                }
            }
        }
    }
    assert!(steps > 4, "{steps} steps");
}
