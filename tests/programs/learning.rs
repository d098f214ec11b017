//! Estimates that are wrong are corrected by what is measured: on the simulated device, whose clock differs from what is estimated.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Device, Placement, Rates, with};
use megha_sim::Operation;

use super::placement::{bscholes, slow};

/// How many times faster than it is the device claims to be, and how many times slower than estimated the host is.
#[derive(Clone, Copy)]
struct Wrong {
    device: f64,
    host: f64,
}

/// An honest device beside a host as estimated.
const RIGHT: Wrong = Wrong { device: 1.0, host: 1.0 };

/// A device whose kernels take as long as copies do, so that it matters what is thought of them.
fn weak() -> megha_sim::Config {
    let mut config = SimDevice::standard();
    config.model.flops64 /= 24.0;
    config
}

fn device(config: megha_sim::Config, wrong: Wrong) -> SimDevice {
    let device = SimDevice::new(config);
    let rates = device.rates();
    let claims = Rates { memory: rates.memory * wrong.device, flops64: rates.flops64 * wrong.device, ..rates };
    device.claiming(claims).beside_host(wrong.host)
}

/// The time of a call by the device's clock, and whether kernels ran there.
fn timed(device: &Arc<SimDevice>, placement: Placement, options: usize) -> (Duration, bool) {
    let launches = || device.simulator().operations(Operation::Launch);
    let (begun, before) = (device.simulator().now(), launches());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| with(device.clone(), placement, || bscholes(options)));
    (device.simulator().now() - begun, launches() > before)
}

/// Where successive calls run: `d` on the device, `c` on the CPU.
fn sides(device: &Arc<SimDevice>, calls: usize, options: usize) -> String {
    (0..calls).map(|_| if timed(device, Placement::Auto, options).1 { 'd' } else { 'c' }).collect()
}

#[test]
fn a_device_that_is_slower_than_it_claims_is_left() {
    let honest = Arc::new(device(weak(), RIGHT));
    assert_eq!(sides(&honest, 3, 6_200), "ccc");
    let boasting = Arc::new(device(weak(), Wrong { device: 16.0, ..RIGHT }));
    assert_eq!(sides(&boasting, 8, 6_200), "dddccccc");
}

#[test]
fn a_host_that_is_slower_than_estimated_is_left() {
    let device = Arc::new(device(weak(), Wrong { host: 2.5, ..RIGHT }));
    assert_eq!(sides(&device, 8, 4_096), "cccddddd");
    // and what was learnt holds for sizes nearby
    assert_eq!(sides(&device, 1, 3_500), "d");
}

/// A side that was never used is tried where that costs no more than a fiftieth of the time so far: here in about every tenth call, until the
/// third measurement says that it is faster.
#[test]
fn a_host_that_is_faster_than_estimated_is_found() {
    let device = Arc::new(device(weak(), Wrong { device: 8.0, host: 0.5 }));
    let sides = sides(&device, 40, 8_000);
    let last = sides.rfind('d').unwrap_or(0);
    assert!((15..39).contains(&last) && sides[..last].matches('c').count() == 2, "{sides}");
}

/// Copies are measured too: those of a device that seemed to take hardly any time are known after its first call.
#[test]
fn a_device_whose_copies_are_slower_than_it_claims_is_left() {
    let device = SimDevice::new(weak());
    let rates = device.rates();
    let claims = Rates { upload: 16.0 * rates.upload, download: 16.0 * rates.download, copy: rates.copy / 16, ..rates };
    let boasting = Arc::new(device.claiming(claims));
    let sides = sides(&boasting, 24, 4_096);
    // copies to the host are known after three
    assert!(sides.starts_with('d') && sides.ends_with("cccccccc") && sides.matches('d').count() < 5, "{sides}");
}

/// After a few calls the choice is never worse than the better of both sides by more than a tenth.
#[test]
fn what_is_chosen_is_right_after_some_calls() {
    let wrongs = [Wrong { device: 16.0, ..RIGHT }, Wrong { host: 2.5, ..RIGHT }, Wrong { device: 8.0, host: 0.5 }];
    let mut table = "device   host    size   CPU us   device us   first   then   on\n".to_owned();
    for wrong in wrongs {
        for options in [2048, 4096, 6_200, 16_384] {
            let (cpu, used) = timed(&Arc::new(device(slow(), wrong)), Placement::Auto, options);
            assert!(!used, "the slow device was used for {options}");
            let (gpu, _) = timed(&Arc::new(device(weak(), wrong)), Placement::Gpu, options);
            let device = Arc::new(device(weak(), wrong));
            let (first, _) = timed(&device, Placement::Auto, options);
            (0..8).for_each(|_| _ = timed(&device, Placement::Auto, options));
            let (then, used) = timed(&device, Placement::Auto, options);
            let us = |t: Duration| t.as_secs_f64() * 1e6;
            assert!(us(then) <= 1.1 * us(cpu).min(us(gpu)), "{options}: {then:?}, but {cpu:?} and {gpu:?}");
            table += &format!(
                "{:<9}{:<5}{options:>7}{:>9.0}{:>12.0}{:>8.0}{:>7.0}   {}\n",
                wrong.device,
                wrong.host,
                us(cpu),
                us(gpu),
                us(first),
                us(then),
                if used { "device" } else { "CPU" }
            );
        }
    }
    expect![[r#"
        device   host    size   CPU us   device us   first   then   on
        16       1       2048       35         121      35     35   CPU
        16       1       4096       71         123      71     71   CPU
        16       1       6200      107         125     117    107   CPU
        16       1      16384      284         137     129    129   device
        1        2.5     2048       89         121      89     89   CPU
        1        2.5     4096      177         123     177    115   device
        1        2.5     6200      268         125     268    117   device
        1        2.5    16384      709         137     129    129   device
        8        0.5     2048       18         121      18     18   CPU
        8        0.5     4096       35         123      35     35   CPU
        8        0.5     6200       54         125      54     54   CPU
        8        0.5    16384      142         137     129    129   device
    "#]]
    .assert_eq(&table);
}

/// Says to `child` that it is one.
const CHILD: &str = "MEGHA_TEST_LEARNING";

/// Not a test by itself: some calls in a process of its own.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_some() {
        let boasting = device(weak(), Wrong { device: 16.0, ..RIGHT }).kept_as("boasting");
        println!("sides: {}", sides(&Arc::new(boasting), 5, 6_200));
        println!("notes: {:?}", megha::device::notes());
    }
}

/// Where the calls of a process run that keeps what it learns in this folder.
fn process(folder: &Path) -> (String, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "learning::child", "--nocapture"]).env(CHILD, "1").env("MEGHA_CACHE", folder);
    let output = command.output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    let line = |name: &str| out.lines().find_map(|line| Some(line.split_once(name)?.1.to_owned())).unwrap_or_default();
    (line("sides: "), line("notes: "))
}

#[test]
fn what_was_learnt_outlives_the_process() {
    let folder = std::env::temp_dir().join(format!("megha-learning-{}", std::process::id()));
    let none = "[]".to_owned();
    assert_eq!(process(&folder), ("dddcc".into(), none.clone()));
    assert_eq!(process(&folder), ("ccccc".into(), none.clone()));
    // a file that is none is noted, ignored and replaced
    let file = folder.join("times-boasting-2.txt");
    std::fs::write(&file, "something else").unwrap();
    let (sides, notes) = process(&folder);
    assert_eq!(sides, "dddcc");
    assert!(notes.contains("times-boasting-2.txt: not a file of measured times"), "{notes}");
    assert_eq!(process(&folder), ("ccccc".into(), none));
    std::fs::remove_dir_all(folder).unwrap();
}
