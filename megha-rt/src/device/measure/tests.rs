use super::super::sim::SimDevice;
use super::*;

/// Enough to run all kernels.
const LITTLE: Effort = Effort { scales: &[1], rounds: 1 };

#[test]
fn the_kernels_do_what_is_counted() {
    let device = SimDevice::new(megha_sim::Config { memory: 1 << 22, ..SimDevice::standard() });
    let rates = measure_with(&device, &LITTLE).unwrap();
    assert!([rates.memory, rates.flops64, rates.flops32, rates.upload, rates.download].iter().all(|rate| *rate > 0.0));
    assert_eq!(device.mistakes(), [""; 0]);
    assert_eq!(device.memory(), Ok((1 << 22, 1 << 22)));
    let sim = device.simulator();
    let module = sim.load(ptx::TEXT).unwrap();
    let out = megha_sim::Arg::Ptr(sim.alloc(256 * 8).unwrap());
    let one = megha_sim::Launch::linear(1, 256);
    let run = |entry: &str| {
        sim.launch(megha_sim::Stream::DEFAULT, &module, entry, one, &[out.clone(), megha_sim::Arg::U32(10)]).unwrap()
    };
    // seven additions of the chains at the end
    let expected = 256 * (10 * ptx::FLOPS_OF_A_TURN + 7);
    assert_eq!((run("fma64").flops64, run("fma32").flops32), (expected, expected));
}

#[test]
fn larger_scales_need_not_fit() {
    let device = SimDevice::new(megha_sim::Config { memory: 2 << 20, ..SimDevice::standard() });
    let mut bench = Bench {
        device: &device,
        module: device.load(ptx::TEXT).unwrap(),
        effort: Effort { scales: &[1, 100], rounds: 1 },
        blocks: Vec::new(),
    };
    let mut seen = Vec::new();
    let rate = bench.rate(|bench, scale| {
        bench.allocate(u64::from(scale) << 20)?;
        seen.push(scale);
        Ok((6.0, Duration::from_micros(2)))
    });
    assert_eq!((rate, seen), (Ok(3e6), vec![1]));
}

#[test]
fn what_fails_is_noted() {
    let device = SimDevice::new(megha_sim::Config { memory: 1 << 12, ..SimDevice::standard() });
    assert!(measure(&device).is_err());
    assert_eq!(device.memory(), Ok((1 << 12, 1 << 12)), "nothing leaks");
}
