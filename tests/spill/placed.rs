//! Where kernels run while memory becomes scarce: by the clock of the simulated device, never longer than on the better side by more than a part.

use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::matlab;
use megha::rt::Run;

use super::programs::{PROGRAMS, field};

matlab! {
    % Much arithmetic for each element.
    function z = heavy(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        z = erf(exp(sin(x) .* cos(y)) ./ (1 + exp(-x))) + erf(sin(y) + log(2 + cos(x))) .* gamma(2 + sin(x .* y));
    end
}

/// The time on the clock of a device with so much memory for a call, and what it did.
fn timed(memory: u64, far: bool, placement: Placement, call: &dyn Fn()) -> (Duration, Run) {
    let mut config = SimDevice::standard();
    config.memory = memory;
    if far {
        // nothing is ever worth doing there, so the clock shows what the CPU is taken to need
        (config.model.launch_latency, config.model.copy_latency) = (Duration::from_secs(1), Duration::from_secs(1));
    }
    let device = Arc::new(SimDevice::new(config));
    with(device.clone(), placement, call);
    assert_eq!(device.mistakes(), [""; 0]);
    (device.simulator().now(), megha::last_run().unwrap())
}

/// Memory from twice what all takes to a sixteenth, as a table.
fn sweep(name: &str, call: &(dyn Fn() + Sync), most: f64) -> String {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let timed = |memory, far, placement| pool.install(|| timed(memory, far, placement, call));
    let all = timed(1 << 30, false, Placement::Gpu).1.device_peak;
    let mut table = format!("{name:<12}  CPU us  device us  chosen us  scheduled  kernels there  spilled  parts\n");
    let mut worse = Vec::new();
    let us = |t: Duration| t.as_secs_f64() * 1e6;
    for sixteenths in [32, 16, 12, 8, 4, 2, 1] {
        let memory = all * sixteenths / 16;
        let (cpu, none) = timed(memory, true, Placement::Auto);
        assert_eq!(none.device_kernels, 0);
        let (gpu, _) = timed(memory, false, Placement::Gpu);
        let (auto, run) = timed(memory, false, Placement::Auto);
        if us(auto) > most * us(cpu).min(us(gpu)) {
            worse.push(sixteenths);
        }
        table += &format!(
            "{:<12}{:>8.0}{:>11.0}{:>11.0}{:>11.0}{:>15}{:>9}{:>7}\n",
            format!("{sixteenths}/16"),
            us(cpu),
            us(gpu),
            us(auto),
            us(run.scheduled),
            run.device_kernels,
            run.spilled.arrays,
            run.spilled.boxes
        );
    }
    assert!(worse.is_empty(), "more than {most} times the better side: {worse:?}\n{table}");
    table
}

#[test]
fn scarce_memory_costs_at_most_so_much_more_than_the_better_side() {
    let program = |name: &str| PROGRAMS.iter().find(|program| program.name == name).unwrap();
    let (turns, sums) = (program("turns"), program("sums"));
    let mut all = String::new();
    all += &sweep("turns", &|| drop((turns.call)(128, 10.0).unwrap()), 1.25);
    all += &sweep("sums", &|| drop((sums.call)(128, 10.0).unwrap()), 1.75);
    let (x, y) = (field(80, 80, 0), field(80, 80, 1));
    all += &sweep("heavy", &|| drop(heavy(&x, &y).unwrap()), 1.25);
    expect![[r#"
        turns         CPU us  device us  chosen us  scheduled  kernels there  spilled  parts
        32/16            786        236        238        269             40        0      0
        16/16            786        236        238        269             40        0      0
        12/16            786        695        687        716             39       18      0
        8/16             786       1149        828        782              3        2      0
        4/16             786       5733        786        786              0        0      0
        2/16             786       9567        786        786              0        0      0
        1/16             786      18517        786        786              0        0      0
        sums          CPU us  device us  chosen us  scheduled  kernels there  spilled  parts
        32/16            669        365        323        596             21        0      0
        16/16            669        385        324        596             21        0      0
        12/16            669        674        761        718             11        0      0
        8/16             669        674        764        718             11        1      0
        4/16             669       2472        669        696              0        0      0
        2/16             669       3940        669        696              0        0      0
        1/16             669       7600        669        696              0        0      0
        heavy         CPU us  device us  chosen us  scheduled  kernels there  spilled  parts
        32/16            824         53         50         64              1        0      0
        16/16            824         53         50         64              1        0      0
        12/16            824        130        130         82              1        0      5
        8/16             824        162        162        122              1        0      7
        4/16             824        274        274        242              1        0     14
        2/16             824        513        513        482              1        0     29
        1/16             824       1330        824        824              0        0      0
    "#]]
    .assert_eq(&all);
}
