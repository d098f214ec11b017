//! Offloaded functions on the simulated device: equal to the plain ones to the bit, whatever fails.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Device, Placement, Queue, with};
use megha::rt::cuts;
use megha_sim::Operation;
use ndarray::{Array1, Array2, Array3, ArrayView2};

use super::{Lay, base, cut, cut_mut, fast, noise, plain};

/// One of the two forms of a function.
macro_rules! form {
    ($offloaded:expr, $name:ident($($arg:expr),*)) => {
        if $offloaded { fast::$name($($arg),*) } else { plain::$name($($arg),*) }
    };
}

/// Calls a function, offloaded or plain, and gives the elements of all that it may have changed.
type Case = (&'static str, fn(bool, Lay) -> Vec<f64>);

/// A function of a matrix that updates another one.
fn update(lay: Lay, f: impl Fn(ArrayView2<f64>, ndarray::ArrayViewMut2<f64>)) -> Vec<f64> {
    let (a, mut c) = (base(7, 7, lay, 1), base(7, 7, lay, 2));
    f(cut(&a, lay), cut_mut(&mut c, lay));
    c.into_iter().collect()
}

const CASES: &[Case] = &[
    ("matmul", |offloaded, lay| update(lay, |a, c| form!(offloaded, matmul(a, a, c)))),
    ("accumulate", |offloaded, lay| update(lay, |a, c| form!(offloaded, accumulate(a, a, c)))),
    ("jacobi", |offloaded, lay| update(lay, |a, c| form!(offloaded, jacobi(a, c)))),
    ("triangle", |offloaded, lay| update(lay, |a, c| form!(offloaded, triangle(a, c)))),
    ("clip", |offloaded, lay| update(lay, |a, c| form!(offloaded, clip(a, c, -0.5)))),
    ("both", |offloaded, lay| {
        let (a, mut c, mut d) = (base(7, 7, lay, 1), base(7, 7, lay, 2), base(7, 7, lay, 3));
        form!(offloaded, both(cut(&a, lay), cut_mut(&mut c, lay), cut_mut(&mut d, lay)));
        c.into_iter().chain(d).collect()
    }),
    ("chase", |offloaded, lay| {
        let x = Array1::from(noise(7, 4));
        update(lay, |_, c| form!(offloaded, chase(x.view(), c)))
    }),
    ("sweep", |offloaded, lay| {
        let mut u = cut(&base(7, 7, lay, 3), lay).to_owned();
        form!(offloaded, sweep(&mut u));
        u.into_iter().collect()
    }),
    ("relax", |offloaded, lay| {
        let [mut u, mut v] = [4, 5].map(|seed| cut(&base(7, 7, lay, seed), lay).to_owned());
        form!(offloaded, relax(&mut u, &mut v, 5));
        u.into_iter().chain(v).collect()
    }),
    ("heat", |offloaded, _| {
        let (u, mut v) = (Array3::from_shape_vec((4, 5, 6), noise(120, 4)).unwrap(), Array3::zeros((4, 5, 6)));
        form!(offloaded, heat(u.view(), v.view_mut(), 0.1));
        v.into_iter().collect()
    }),
    ("matmul_single", |offloaded, lay| {
        let a = cut(&base(6, 6, lay, 5), lay).mapv(|x| x as f32);
        let mut c = Array2::zeros((6, 6));
        form!(offloaded, matmul_single(&a, &a, &mut c));
        c.into_iter().map(f64::from).collect()
    }),
    ("dot", |offloaded, _| {
        let x = Array1::from(noise(5000, 6));
        vec![form!(offloaded, dot(x.view(), x.slice(ndarray::s![..;-1])))]
    }),
    ("count", |offloaded, _| vec![form!(offloaded, count(&Array1::from(noise(90, 7)), 0.25)) as f64]),
    ("prefix", |offloaded, _| {
        let mut x = Array1::from(noise(40, 8));
        form!(offloaded, prefix(&mut x, 3));
        x.to_vec()
    }),
    ("scale", |offloaded, _| {
        let mut x = Array1::from(noise(40, 9));
        form!(offloaded, scale(x.slice_mut(ndarray::s![..;2]), 3.0, 3));
        x.to_vec()
    }),
];

/// Functions that are a sequential loop, in which nothing runs in parallel, hence nothing on a device.
const SEQUENTIAL: [&str; 4] = ["count", "dot", "prefix", "sweep"];

const LAYS: [Lay; 4] = [Lay::Rows, Lay::Columns, Lay::Strided, Lay::Reversed];

/// A device on which nothing takes time, so that it is used for any size.
fn instant() -> Arc<SimDevice> {
    let mut config = SimDevice::standard();
    let model = &mut config.model;
    (model.launch_latency, model.copy_latency, model.issue, model.row) = Default::default();
    (model.to_device, model.from_device, model.memory_bandwidth, model.flops64) = (1e30, 1e30, 1e30, 1e30);
    Arc::new(SimDevice::new(config))
}

/// Asserts that a call on a device gives this, that the device found no mistake, and that it got its memory back.
fn assert_same(what: &str, case: &Case, lay: Lay, (device, placement): (&Arc<SimDevice>, Placement), wanted: &[f64]) {
    let got = with(device.clone(), placement, || (case.1)(true, lay));
    assert_eq!(got, wanted, "{what}");
    assert_eq!(device.mistakes(), [""; 0], "{what}");
    let waited = [Queue::Compute, Queue::Upload, Queue::Download].map(|queue| device.record(queue));
    if waited.into_iter().all(|event| event.and_then(|event| device.synchronize(event)).is_ok()) {
        assert_eq!(device.simulator().memory().used, 0, "{what}: memory of the device is not given back");
    }
}

#[test]
fn the_device_gives_what_the_plain_loop_gives() {
    for (case, lay) in CASES.iter().flat_map(|case| LAYS.map(|lay| (case, lay))) {
        let (what, wanted) = (format!("{} {lay:?}", case.0), (case.1)(false, lay));
        for placement in [Placement::Gpu, Placement::Auto] {
            let device = instant();
            assert_same(&what, case, lay, (&device, placement), &wanted);
            let launches = device.simulator().operations(Operation::Launch);
            assert_eq!(launches > 0, !SEQUENTIAL.contains(&case.0), "{what}: {launches} launches");
        }
    }
}

/// A step that copies its result back moves nothing between host and device.
#[test]
fn a_loop_over_time_stays_on_the_device() {
    for lay in [Lay::Columns, Lay::Rows] {
        let device = instant();
        with(device.clone(), Placement::Gpu, || {
            let [mut u, mut v] = [4, 5].map(|seed| cut(&base(30, 20, lay, seed), lay).to_owned());
            fast::relax(&mut u, &mut v, 20);
        });
        let moved = megha::last_run().expect("a call").moved;
        assert!(moved.uploads <= 2 && moved.downloads <= 2, "{lay:?}: {moved:?}");
        assert!(device.simulator().operations(Operation::Launch) >= 20, "{lay:?}");
    }
}

/// Launches that are cut into parts at random, on processors and on the device.
#[test]
fn parts_make_what_the_plain_loop_makes() {
    for (case, lay) in CASES.iter().flat_map(|case| LAYS.map(|lay| (case, lay))) {
        let wanted = (case.1)(false, lay);
        for seed in 0..4 {
            let what = format!("{} {lay:?}, cut by {seed}", case.0);
            cuts::within(seed, || {
                assert_eq!((case.1)(true, lay), wanted, "{what}");
                assert_same(&what, case, lay, (&instant(), Placement::Gpu), &wanted);
            });
        }
    }
}

/// Each operation of the device fails, alone or with the whole device: the caller's arrays are what the loop makes of them.
#[test]
fn a_device_that_fails_changes_nothing() {
    let kinds = [Operation::Allocate, Operation::Copy, Operation::Load, Operation::Launch, Operation::Synchronize];
    for (case, lay) in CASES.iter().flat_map(|case| [Lay::Columns, Lay::Strided].map(|lay| (case, lay))) {
        let (wanted, healthy) = ((case.1)(false, lay), instant());
        assert_same(case.0, case, lay, (&healthy, Placement::Gpu), &wanted);
        let cases = kinds.into_iter().flat_map(|kind| [(kind, false), (kind, true)]);
        for (kind, fragile) in cases {
            for nth in 1..=healthy.simulator().operations(kind) {
                for placement in [Placement::Gpu, Placement::Auto] {
                    let device = instant();
                    if fragile {
                        device.make_fragile();
                    }
                    device.simulator().fail(kind, nth);
                    let what = format!("{} {lay:?}: {kind} {nth}, {placement:?}", case.0);
                    assert_same(&what, case, lay, (&device, placement), &wanted);
                }
            }
        }
    }
}

/// Threads that call the same function at once, on one device.
#[test]
fn threads_share_a_device() {
    let device = instant();
    std::thread::scope(|scope| {
        for lay in LAYS {
            let device = &device;
            scope.spawn(move || {
                for case in CASES {
                    let got = with(device.clone(), Placement::Gpu, || (case.1)(true, lay));
                    assert_eq!(got, (case.1)(false, lay), "{} {lay:?}", case.0);
                }
            });
        }
    });
    assert_eq!(device.mistakes(), [""; 0]);
}
