//! Where kernels run while memory becomes scarce: by the clock of the simulated device, never longer than on the better side by more than a part.

use std::time::Duration;

use expect_test::expect;
use megha::device::Placement;
use megha::device::sim::SimDevice;
use megha::matlab;
use megha::rt::Run;

use super::programs::{PROGRAMS, field};
use super::sweeping::{self, far};

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
fn timed(memory: u64, is_far: bool, placement: Placement, call: &(dyn Fn() + Sync)) -> (Duration, Run) {
    let mut config = SimDevice::standard();
    config.memory = memory;
    let config = if is_far { far(config) } else { config };
    let (time, run, ()) = sweeping::timed(SimDevice::new(config), placement, call);
    (time, run.expect("a call"))
}

/// Memory from twice what all takes to a sixteenth, as a table.
fn sweep(name: &str, call: &(dyn Fn() + Sync), most: f64) -> String {
    let timed = |memory, is_far, placement| timed(memory, is_far, placement, call);
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
        32/16            839        288        290        242             40        0      0
        16/16            839        288        290        242             40        0      0
        12/16            839        747        541        500             30        0      0
        8/16             839       1201        704        640             22        2      0
        4/16             839       5785        839        786              0        0      0
        2/16             839       9619        839        786              0        0      0
        1/16             839      18570        839        786              0        0      0
        sums          CPU us  device us  chosen us  scheduled  kernels there  spilled  parts
        32/16            696        360        319        577             21        0      0
        16/16            696        381        320        577             21        0      0
        12/16            696        691        696        696              0        0      0
        8/16             696        691        696        696              0        0      0
        4/16             696       2498        696        696              0        0      0
        2/16             696       3966        696        696              0        0      0
        1/16             696       7626        696        696              0        0      0
        heavy         CPU us  device us  chosen us  scheduled  kernels there  spilled  parts
        32/16            824         53         50         64              1        0      0
        16/16            824         53         50         64              1        0      0
        12/16            824        130        130        125              1        0      5
        8/16             824        162        162        166              1        0      7
        4/16             824        274        274        292              1        0     14
        2/16             824        513        513        544              1        0     29
        1/16             824       1330        824        824              0        0      0
    "#]]
    .assert_eq(&all);
}
