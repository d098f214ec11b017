//! Memory, streams and clocks, order between streams, failures on demand.

mod common;

use std::time::Duration;

use common::{bytes, download, kernel, load, upload};
use megha_sim::{Arg, Config, Device, Engine, Error, Launch, Model, Module, Operation, Ptr, Stream};

const fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

/// Whole microseconds everywhere: issue 1, allocation 5, launch 10, copies 20 and 1 for each kilobyte in, 2 for each out.
fn model() -> Model {
    Model {
        issue: us(1),
        allocation: us(5),
        launch_latency: us(10),
        flops32: 1e30,
        flops64: 1e30,
        tensor64: 1e30,
        instructions: 1e30,
        memory_bandwidth: 1e30,
        cache_bandwidth: 1e30,
        shared_bandwidth: 1e30,
        resident_threads: 1,
        cached_threads: 1,
        processors: 1,
        busy_threads: 1,
        copy_latency: us(20),
        row: Duration::from_nanos(10),
        to_device: 1e9,
        from_device: 0.5e9,
        peer: 1e9,
    }
}

fn config() -> Config {
    Config { memory: 1 << 20, model: model(), ..Config::default() }
}

const ADD: &str = "ld.global.u64 %l15, [%in]; add.u64 %l15, %l15, 1;";
const ONE: Launch = Launch { grid: [1, 1, 1], block: [1, 1, 1], shared: 0 };

fn start() -> (Device, Module) {
    let device = Device::new(config());
    let module = load(&device, &kernel("", ADD));
    (device, module)
}

fn add(device: &Device, module: &Module, stream: Stream, from: Ptr, to: Ptr) -> Result<(), Error> {
    device.launch(stream, module, "k", ONE, &[Arg::Ptr(from), Arg::Ptr(to)]).map(drop)
}

#[test]
fn memory_is_limited() {
    let device = Device::new(Config { memory: 1024, ..config() });
    let a = device.alloc(300).unwrap();
    assert_eq!(device.memory().used, 512, "in multiples of 256");
    assert_eq!(device.memory().available, 512);
    let full = Error::OutOfMemory { wanted: 513, available: 512, capacity: 1024 };
    assert_eq!(device.alloc(513), Err(full));
    device.alloc(512).unwrap();
    assert!(device.alloc(1).is_err());
    device.free(a).unwrap();
    device.alloc(1).unwrap();
    assert_eq!(device.memory().peak, 1024);
    assert!(device.alloc(usize::MAX).is_err());
}

#[test]
fn copies_and_fills() {
    let device = Device::new(config());
    let a = upload(&device, &[1, 2, 3, 4]);
    device.copy_within(Stream::DEFAULT, a.offset(8), a, 24).unwrap();
    assert_eq!(download(&device, a, 4), [1, 1, 2, 3]);
    device.fill(Stream::DEFAULT, a.offset(8), 0xff, 8).unwrap();
    assert_eq!(download(&device, a, 4), [1, u64::MAX, 2, 3]);
    let beyond = device.copy_in(Stream::DEFAULT, a.offset(16), &[0; 17]).unwrap_err();
    assert!(beyond.to_string().contains("at offset 16 of the allocation of 32 bytes"), "{beyond}");
    assert!(device.copy_out(Stream::DEFAULT, &mut [0; 8], Ptr(8)).is_err());
    assert!(device.free(a.offset(8)).is_err(), "not the start");
}

#[test]
fn variables_of_modules_lie_beside_allocations() {
    let device = Device::new(Config { memory: 1024, ..config() });
    let module = load(&device, &kernel(".global .b8 table[700];", ""));
    assert_eq!(device.memory().used, 0);
    let (table, len) = device.symbol(&module, "table").unwrap();
    assert_eq!(len, 700);
    device.copy_out(Stream::DEFAULT, &mut [1; 700], table).unwrap();
    let other = device.load(&kernel(".global .b8 table[700];", "")).unwrap();
    assert_ne!(device.symbol(&other, "table").unwrap().0, table);
    device.unload(module.clone()).unwrap();
    assert_eq!(device.memory().used, 0);
    assert!(device.unload(module.clone()).is_err());
    let gone = device.launch(Stream::DEFAULT, &module, "k", ONE, &[]);
    assert_eq!(gone.unwrap_err(), Error::Handle { what: "module", number: 0 });
}

#[test]
fn operations_of_a_stream_follow_each_other() {
    let (device, module) = start();
    let a = device.alloc(1000).unwrap();
    let b = device.alloc(8).unwrap();
    assert_eq!(device.now(), us(10));
    device.copy_in(Stream::DEFAULT, a, &[0; 1000]).unwrap();
    assert_eq!(device.now(), us(11), "the host only issues");
    add(&device, &module, Stream::DEFAULT, a, b).unwrap();
    device.copy_out(Stream::DEFAULT, &mut [0; 8], b).unwrap();
    let spans: Vec<_> = device.timeline().into_iter().map(|span| (span.engine, span.start, span.end)).collect();
    // eight bytes take 16 ns
    let end = us(11 + 21 + 10 + 20) + Duration::from_nanos(16);
    assert_eq!(spans, [(Engine::In, us(11), us(32)), (Engine::Compute, us(32), us(42)), (Engine::Out, us(42), end)]);
    assert_eq!(device.now(), us(13));
    device.synchronize(Stream::DEFAULT).unwrap();
    assert_eq!(device.now(), end);
}

#[test]
fn streams_overlap_copies_and_kernels() {
    let (device, module) = start();
    let halves: Vec<(Stream, Ptr, Ptr)> =
        (0..2).map(|_| (device.stream(), device.alloc(10_000).unwrap(), device.alloc(8).unwrap())).collect();
    for (stream, a, b) in &halves {
        device.copy_in(*stream, *a, &[0; 10_000]).unwrap();
        add(&device, &module, *stream, *a, *b).unwrap();
    }
    device.synchronize_all().unwrap();
    let spans: Vec<_> = device.timeline().into_iter().map(|span| (span.start, span.end)).collect();
    // the second copy waits for the engine of the first, and runs beside the first kernel
    assert_eq!(spans, [(us(21), us(51)), (us(51), us(61)), (us(51), us(81)), (us(81), us(91))]);
    assert_eq!(device.now(), us(91));
}

#[test]
fn kernels_take_the_time_of_their_bottleneck() {
    let slow = |change: fn(&mut Model)| {
        let mut config = config();
        change(&mut config.model);
        let device = Device::new(config);
        let body = "ld.global.f64 %d0, [%in]; fma.rn.f64 %d0, %d0, %d0, %d0; mov.b64 %l15, %d0;";
        let module = load(&device, &kernel("", body));
        let a = upload(&device, &[0; 64]);
        let args = [Arg::Ptr(a), Arg::Ptr(a)];
        device.launch(Stream::DEFAULT, &module, "k", Launch::linear(1, 64), &args).unwrap()
    };
    assert_eq!(slow(|_| {}).time, us(10));
    assert_eq!(slow(|model| model.flops64 = 128.0 / 7e-6).time, us(17));
    // 64 words of 8 bytes: 16 sectors, once in and once out
    assert_eq!(slow(|model| model.memory_bandwidth = 512.0 / 3e-6).time, us(13));
    assert_eq!(slow(|model| model.cache_bandwidth = 1024.0 / 4e-6).time, us(14));
    let half = slow(|model| {
        model.memory_bandwidth = 512.0 / 7e-6;
        model.resident_threads = 128;
    });
    assert_eq!(half.time, us(24), "half of the threads that it takes, half of the speed");
    let quarter = slow(|model| {
        model.cache_bandwidth = 1024.0 / 4e-6;
        (model.resident_threads, model.cached_threads) = (128, 256);
    });
    assert_eq!(quarter.time, us(26), "caches want their own number of threads");
    let few = slow(|model| {
        model.flops64 = 128.0 / 7e-6;
        (model.processors, model.busy_threads) = (3, 128);
    });
    assert_eq!(few.time, us(10 + 6 * 7), "one of three processors, and that with half of the threads that it takes");
    assert!(slow(|model| model.flops64 = 0.0).time > Duration::from_secs(1 << 30), "a rate of 0 takes very long");
    let issue = slow(|model| model.instructions = 64.0 / 1e-6);
    assert_eq!(issue.time, us(10) + us(1) * issue.warp_instructions as u32 / 2);
    assert!(issue.to_string().contains("fma.rn.f64"), "{issue}");
}

#[test]
fn events_order_streams() {
    let (device, module) = start();
    let (a, b, c) = (device.alloc(8).unwrap(), device.alloc(8).unwrap(), device.alloc(8).unwrap());
    let (first, second) = (device.stream(), device.stream());
    device.copy_in(first, a, &bytes(&[1])).unwrap();
    add(&device, &module, first, a, b).unwrap();
    let unordered = add(&device, &module, second, b, c).unwrap_err();
    let Error::Unordered { operation, earlier, address, .. } = &unordered else { panic!("{unordered}") };
    assert_eq!((operation.as_str(), earlier.as_str(), *address), ("k", "k", b.0));
    let event = device.record(first).unwrap();
    device.wait(second, &event).unwrap();
    add(&device, &module, second, b, c).unwrap();
    let span = device.timeline().pop().unwrap();
    assert!(span.start >= event.time());
    // reads do not conflict with each other, a write does with the read in the other stream
    add(&device, &module, first, b, a).unwrap();
    assert!(matches!(device.copy_in(first, b, &[0; 8]), Err(Error::Unordered { .. })));
    device.synchronize(second).unwrap();
    device.copy_in(first, b, &[0; 8]).unwrap();
    assert!(device.copy_out(Stream::DEFAULT, &mut [0; 8], a).is_err(), "the host has waited only for `second`");
    device.synchronize_event(&device.record(first).unwrap()).unwrap();
    device.copy_out(Stream::DEFAULT, &mut [0; 8], a).unwrap();
}

/// Copies of different bytes need no order, kernels are ordered with all copies of what they touch.
#[test]
fn copies_are_ordered_by_their_bytes() {
    let (device, module) = start();
    let (a, b) = (device.alloc(32).unwrap(), device.alloc(32).unwrap());
    let (first, second) = (device.stream(), device.stream());
    let behind = |ptr: Ptr, bytes: u64| Ptr(ptr.0 + bytes);
    device.copy_in(first, a, &bytes(&[1, 2])).unwrap();
    device.copy_in(second, behind(a, 16), &bytes(&[3, 4])).unwrap();
    device.copy_out(first, &mut [0; 16], a).unwrap();
    assert!(device.copy_out(first, &mut [0; 17], a).is_err(), "the last byte is the other stream's");
    assert!(device.copy_in(second, behind(a, 8), &[0; 8]).is_err(), "which is being copied out");
    assert!(add(&device, &module, first, a, b).is_err(), "a kernel may read all of it");
    device.wait(first, &device.record(second).unwrap()).unwrap();
    add(&device, &module, first, a, b).unwrap();
    assert!(device.copy_in(second, behind(a, 16), &[0; 8]).is_err(), "the kernel may still read");
    device.copy_in(first, behind(a, 16), &[0; 8]).unwrap();
}

#[test]
fn several_devices_share_the_host() {
    let mut devices = Device::several(2, &config());
    let (two, one) = (devices.pop().unwrap(), devices.pop().unwrap());
    let a = upload(&one, &[1, 2, 3]);
    let b = two.alloc(24).unwrap();
    assert_eq!(one.now(), two.now());
    two.wait(Stream::DEFAULT, &one.record(Stream::DEFAULT).unwrap()).unwrap();
    two.copy_from(Stream::DEFAULT, b, &one, a, 24).unwrap();
    assert_eq!(download(&two, b, 3), [1, 2, 3]);
    let spans = (one.timeline(), two.timeline());
    assert!(spans.1[0].start >= spans.0[0].end, "{spans:?}");
    // without the event the copy would not be ordered after what filled its source
    let stream = two.stream();
    assert!(matches!(one.fill(Stream::DEFAULT, a, 0, 24), Err(Error::Unordered { .. })), "the copy may still read");
    two.synchronize(Stream::DEFAULT).unwrap();
    one.fill(Stream::DEFAULT, a, 0, 24).unwrap();
    let unordered = two.copy_from(stream, b, &one, a, 24).unwrap_err();
    assert!(matches!(unordered, Error::Unordered { .. }), "{unordered}");
}

#[test]
fn planned_failures() {
    let (device, module) = start();
    device.fail(Operation::Allocate, 2);
    let a = upload(&device, &[5]);
    assert_eq!(device.alloc(8), Err(Error::Injected { operation: Operation::Allocate, number: 2 }));
    let b = upload(&device, &[5]);
    device.fail(Operation::Copy, 1);
    let failed = device.copy_in(Stream::DEFAULT, a, &bytes(&[9])).unwrap_err();
    assert_eq!(failed.to_string(), "injected failure of copy number 3");
    assert_eq!(download(&device, a, 1), [5], "a failed operation has no effect");
    device.fail(Operation::Launch, 2);
    add(&device, &module, Stream::DEFAULT, a, b).unwrap();
    assert!(add(&device, &module, Stream::DEFAULT, b, a).is_err());
    add(&device, &module, Stream::DEFAULT, b, a).unwrap();
    device.fail(Operation::Load, 1);
    device.fail(Operation::Synchronize, 1);
    assert!(device.load(&kernel("", ADD)).is_err());
    assert!(device.synchronize(Stream::DEFAULT).is_err());
    device.synchronize_all().unwrap();
    assert_eq!(device.operations(Operation::Launch), 3);
    assert_eq!(download(&device, a, 1), [7]);
}

#[test]
fn newer_targets_are_refused() {
    let device = Device::new(Config { compute_capability: 60, ..config() });
    assert_eq!(device.load(&kernel("", "")).unwrap_err(), Error::Target { wanted: 70, device: 60 });
}

#[test]
fn memory_leaves_when_its_streams_are_done() {
    let device = Device::new(config());
    let full = device.alloc(1 << 20).unwrap();
    device.copy_in(Stream::DEFAULT, full, &vec![0; 100_000]).unwrap();
    device.free_later(full).unwrap();
    assert_eq!(device.now(), us(11), "the host did not wait");
    assert_eq!(device.memory().used, 1 << 20);
    assert!(device.copy_in(Stream::DEFAULT, full, &[0]).is_err(), "the address is invalid at once");
    assert!(device.free_later(full).is_err());
    device.host_works(us(50));
    assert_eq!(device.memory().used, 1 << 20);
    device.alloc(256).unwrap();
    assert_eq!(device.now(), us(126), "an allocation waits for the copy, which ends 120 us after its issue");
    assert_eq!(device.memory().used, 256);
}
