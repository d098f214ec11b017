use megha_sim::{Engine, Operation};

use super::super::exercise::{DOUBLE, ROWS, bytes, round, rows_around, twice};
use super::*;

fn device(memory: u64) -> SimDevice {
    SimDevice::new(Config { memory, ..SimDevice::standard() })
}

#[test]
fn values_go_around() {
    let device = device(1 << 20);
    assert_eq!(round(&device, &[1.5, -2.0, 1e300]).unwrap(), bytes(&[3.0, -4.0, 2e300]));
    assert_eq!(round(&device, &[4.0; 100]).unwrap(), bytes(&[8.0; 100]));
    let sim = device.simulator();
    assert_eq!(sim.operations(Operation::Load), 1, "the same text is loaded once");
    let engines: Vec<Engine> = sim.timeline().iter().map(|span| span.engine).collect();
    assert_eq!(engines, [Engine::In, Engine::Compute, Engine::Out].repeat(2));
    assert_eq!(device.memory().unwrap(), (1 << 20, 1 << 20));
    assert_eq!(device.mistakes(), [""; 0]);
}

#[test]
fn what_nothing_orders_is_a_mistake() {
    let device = device(1 << 20);
    let module = device.load(DOUBLE).unwrap();
    let data = device.allocate(80).unwrap();
    device.upload(Queue::Upload, data, &[0; 80]).unwrap();
    let Err(Failure::Operation { operation: "launch", reason }) = twice(&device, module, data, 10) else {
        panic!("not ordered")
    };
    assert!(reason.contains("is not ordered after copy in"), "{reason}");
    assert_eq!(device.mistakes().len(), 1);
    let kernel = twice(&device, module, data, 11);
    assert!(matches!(kernel, Err(Failure::Lost { .. })), "out of bounds: {kernel:?}");
    assert!(matches!(device.record(Queue::Compute), Err(Failure::Lost { .. })));
}

#[test]
fn the_host_does_not_wait_for_memory_that_is_freed() {
    let device = device(1 << 20);
    let half = 1 << 19;
    let [a, b] = [(); 2].map(|()| device.allocate(half).unwrap());
    device.upload(Queue::Upload, a, &vec![1; half as usize]).unwrap();
    let busy_until = device.simulator().timeline()[0].end;
    device.free(a);
    assert!(device.simulator().now() < busy_until);
    assert_eq!(device.memory().unwrap().0, 0, "still in use");
    device.free(b);
    let again = device.allocate(1 << 20).unwrap();
    assert!(device.simulator().now() >= busy_until, "the allocation had to wait");
    assert_eq!(device.allocate(1), Err(Failure::OutOfMemory { wanted: 1 }));
    device.free(again);
    device.free(again);
    assert!(device.mistakes()[0].contains("free"), "freed twice");
}

#[test]
fn every_operation_can_fail() {
    use Operation::{Allocate, Copy, Launch, Load, Synchronize};
    for (fragile, operation, times) in [(false, Copy, 2), (true, Copy, 2), (false, Launch, 1), (false, Synchronize, 1)]
        .into_iter()
        .chain([(false, Allocate, 1), (false, Load, 1), (true, Load, 1), (true, Synchronize, 1)])
    {
        for nth in 1..=times {
            let device = device(1 << 20);
            if fragile {
                device.make_fragile();
            }
            device.simulator().fail(operation, nth);
            let failure = round(&device, &[1.0]).unwrap_err();
            assert!(failure.to_string().contains("injected"), "{failure}");
            let again = round(&device, &[1.0]);
            if fragile {
                assert!(matches!(again, Err(Failure::Lost { .. })), "{again:?}");
            } else {
                assert_eq!(again.unwrap(), bytes(&[2.0]), "the device can still be used");
                assert_eq!(device.memory().unwrap().0, 1 << 20, "nothing leaked");
            }
            assert_eq!(device.mistakes(), [""; 0]);
        }
    }
}

#[test]
fn many_events_are_not_kept() {
    let device = device(1 << 20);
    let events: Vec<Event> = (0..2 * POINTS).map(|_| device.record(Queue::Compute).unwrap()).collect();
    assert!(device.state().points.kept(Queue::Compute) <= POINTS);
    for event in [events[0], events[2 * POINTS - 1], Event(u64::MAX)] {
        device.wait(Queue::Upload, event).unwrap();
        device.synchronize(event).unwrap();
    }
}

#[test]
fn rows_go_around() {
    let device = device(1 << 20);
    for rows in ROWS {
        let [arrived, sent] = rows_around(&device, rows).unwrap();
        assert!(arrived == sent, "{rows:?}");
        let before = device.simulator().now();
        rows_around(&device, rows).unwrap();
        let most = device.simulator().config().model.row * 2 * rows.count as u32;
        assert!(device.simulator().now() - before >= most.saturating_sub(Duration::from_nanos(40)), "{rows:?}");
    }
    assert_eq!(device.mistakes(), [""; 0]);
}
