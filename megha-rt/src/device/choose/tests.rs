use std::process::Command;

use super::*;

fn absent(why: &str) -> Arc<dyn Device> {
    Arc::new(Absent::new(why.into()))
}

#[test]
fn values_of_the_variable() {
    let parsed = |value: &str| parse(value).ok().map(|builder| (builder.kind, builder.ordinal));
    assert_eq!(["cpu", "gpu", "auto", "", "sim"].map(parsed), {
        [Kind::Cpu, Kind::Gpu, Kind::Auto, Kind::Auto, Kind::Sim].map(|kind| Some((kind, 0)))
    });
    assert_eq!(["gpu:3", "auto:0"].map(parsed), [Some((Kind::Gpu, 3)), Some((Kind::Auto, 0))]);
    // A build without the simulated device knows no cards.
    let no_card = if cfg!(feature = "sim") { Some("sim:0") } else { None };
    for wrong in ["GPU0", "cpu:1", "gpu:", "gpu:x", "gpu:-1", ":1"].into_iter().chain(no_card) {
        let message = parse(wrong).unwrap_err();
        assert!(message.starts_with(&format!("MEGHA_DEVICE is `{wrong}`, which is none of cpu, gpu,")), "{message}");
    }
}

#[test]
fn scopes_end_also_by_panics() {
    let name = || {
        SCOPED
            .with(|scoped| scoped.with(|now| now.as_ref().map(|(device, placement)| (device.allocate(1), *placement))))
    };
    let seen = |why: &str, placement| {
        let reason = why.to_string();
        Some((Err(Failure::Absent { reason }), placement))
    };
    with(absent("a"), Placement::Gpu, || {
        assert_eq!(name(), seen("a", Placement::Gpu));
        let inner = std::panic::catch_unwind(|| {
            with(absent("b"), Placement::Auto, || {
                assert_eq!(name(), seen("b", Placement::Auto));
                std::panic::resume_unwind(Box::new(()));
            });
        });
        assert!(inner.is_err());
        assert_eq!(name(), seen("a", Placement::Gpu));
        assert_eq!(current().map(|c| c.1), Some(Placement::Gpu));
        std::thread::scope(|scope| {
            scope.spawn(|| assert_eq!(name(), None));
        });
    });
    assert_eq!(name(), None);
}

#[test]
fn what_is_missing_says_so() {
    let builder = Builder::new(Kind::Gpu).ordinal(1000);
    let Err(why) = builder.open() else { panic!("there are no thousand GPUs") };
    let process = Process::of(&builder);
    let (device, placement) = process.chosen.expect("a device that fails");
    assert_eq!(placement, Placement::Gpu);
    assert_eq!(device.allocate(1), Err(Failure::Absent { reason: why.to_string() }));
    let process = Process::of(&Builder::new(Kind::Auto).ordinal(1000));
    assert!(process.chosen.is_none());
    assert_eq!(process.unavailable, Some(why.to_string()));
    let process = Process::of(&Builder::new(Kind::Cpu));
    assert!(process.chosen.is_none() && process.unavailable.is_none());
}

/// Cards have names; numbers are none.
#[cfg(feature = "sim")]
#[test]
fn simulated_cards() {
    use super::super::sim::SimDevice;
    for name in megha_sim::Config::NAMES {
        let builder = parse(&format!("sim:{name}")).unwrap();
        assert_eq!((builder.kind, Some(builder.simulator)), (Kind::Sim, SimDevice::card(name)));
    }
    assert_eq!(SimDevice::card("h100"), Some(SimDevice::standard()));
    let (device, _) = parse("sim:l4").unwrap().open().unwrap().unwrap();
    assert_eq!((device.ptx().target, device.rates().memory), (89, megha_sim::Model::l4().memory_bandwidth));
    for wrong in ["sim:4", "sim:v100", "sim:L4"] {
        let message = parse(wrong).unwrap_err();
        assert!(message.contains(" sim, sim:h100, sim:a100, sim:l4, sim:rtx_4090, gpu:1"), "{message}");
    }
}

#[cfg(feature = "sim")]
#[test]
fn simulated_devices() {
    let config = megha_sim::Config { memory: 1 << 30, ..megha_sim::Config::default() };
    let (device, placement) = Builder::new(Kind::Sim)
        .simulator(config)
        .memory_limit(1 << 20)
        .placement(Placement::Auto)
        .open()
        .unwrap()
        .unwrap();
    assert_eq!(device.memory(), Ok((1 << 20, 1 << 20)));
    assert_eq!(placement, Placement::Auto);
}

/// Not a test by itself: what a process with the variable sees.
#[test]
fn child() {
    let Ok(want) = std::env::var("MEGHA_TEST_CHILD") else { return };
    let seen = current().map(|(device, placement)| format!("{} {placement:?}", device.name()));
    println!("seen: {seen:?}, {:?}", unavailable().is_some());
    assert!(current().is_none() || want != "auto");
    assert!(Builder::new(Kind::Cpu).install().unwrap_err().to_string().contains("already chosen"));
    if let Some((device, _)) = current() {
        abandon(&absent("another"), &Failure::OutOfMemory { wanted: 1 });
        assert!(current().is_some());
        abandon(&device, &Failure::Lost { operation: "copy", reason: "illegal address".into() });
        assert!(current().is_none());
        assert_eq!(unavailable().unwrap(), "copy failed and the device is lost: illegal address");
    }
}

/// Standard output and standard error of a process with this value of the variable.
fn process(value: &str) -> (String, String) {
    process_with("child", &[("MEGHA_DEVICE", value), ("MEGHA_TEST_CHILD", value)])
}

/// The same of one of the tests here, with these variables.
fn process_with(test: &str, variables: &[(&str, &str)]) -> (String, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let test = format!("device::choose::tests::{test}");
    command.args(["--exact", &test, "--nocapture", "--test-threads=1"]);
    // a driver of the machine is not asked
    command.envs(variables.iter().copied()).env("CUDA_VISIBLE_DEVICES", "");
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

/// Not a test by itself: how much memory a process with the variable gives to devices.
#[cfg(feature = "sim")]
#[test]
fn budgets() {
    if std::env::var_os("MEGHA_TEST_CHILD").is_none() {
        return;
    }
    let budget = |builder: Builder| builder.open().unwrap().unwrap().0.budget();
    let (asked, own) = (budget(Builder::new(Kind::Sim)), budget(Builder::new(Kind::Sim).memory_limit(1 << 20)));
    println!("budgets: {asked} {own} {}", current().map_or(0, |(device, _)| device.budget()));
}

#[cfg(feature = "sim")]
#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn the_environment_bounds_memory() {
    let seen = |memory: &str| {
        let variables = [("MEGHA_GPU_MEMORY", memory), ("MEGHA_DEVICE", "sim"), ("MEGHA_TEST_CHILD", "1")];
        process_with("budgets", &variables)
    };
    let (out, err) = seen("512M");
    assert!(out.contains("budgets: 536870912 1048576 536870912") && !err.contains("MEGHA"), "{out}{err}");
    let (out, err) = seen("much");
    assert!(out.contains(&format!("budgets: {0} 1048576 {0}", 16u64 << 30)), "{out}");
    assert!(err.contains("MEGHA_GPU_MEMORY is `much`, which is no number of bytes"), "{err}");
}

#[test]
#[cfg_attr(miri, ignore = "Miri starts no processes")]
fn the_variable_decides() {
    let (out, err) = process("cpu");
    assert!(out.contains("seen: None, false") && !err.contains("MEGHA_DEVICE"), "{out}{err}");
    let (out, err) = process("auto");
    assert!(out.contains("seen: None, true") && !err.contains("MEGHA_DEVICE"), "{out}{err}");
    let (out, _) = process("gpu");
    assert!(out.contains("seen: Some(\"no device Gpu\"), true"), "{out}");
    let (out, err) = process("cuda");
    assert!(out.contains("seen: None, true"), "{out}");
    assert_eq!(err.matches("MEGHA_DEVICE is `cuda`").count(), 1, "{err}");
    if cfg!(feature = "sim") {
        assert!(process("sim").0.contains("seen: Some(\"simulated GPU, sm_90, 16 GiB Gpu\"), false"));
    }
}
