//! The kernels of the papers (`examples/offload/kernels`) equal the plain functions by `==`, in two precisions: in both memory orders and in
//! windows of larger arrays, whose other elements stay as they are; on one and two threads, and on a simulated device. Those with sines
//! and cosines, which are Megha's own, equal themselves so, and the plain functions nearly.

#[path = "../../examples/offload/cases.rs"]
mod cases;
#[path = "../../examples/offload/given.rs"]
mod given;
#[path = "../../examples/offload/kernels/mod.rs"]
mod kernels;
#[path = "../common/swept.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod sweeping;
mod swept;

use std::sync::Arc;

use cases::{Case, cases};
use given::{Given, Lay};
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha_sim::Operation;

mod double_plain {
    super::cases!(crate::kernels::double::plain);
}
mod double_offloaded {
    super::cases!(crate::kernels::double::offloaded);
}
mod single_plain {
    super::cases!(crate::kernels::single::plain);
}
mod single_offloaded {
    super::cases!(crate::kernels::single::offloaded);
}

/// Sizes of calls, the least that a stencil takes among them, and whether the kernel has sines.
fn sizes(name: &str) -> (&'static [usize], bool) {
    match name {
        "reduction" => (&[1, 2, 63, 64, 65, 1000], false),
        "mri-q" | "mri-fhd" => (&[1, 2, 7, 40], true),
        _ => (&[1, 2, 7, 40], false),
    }
}

/// Bits of the results of two calls, so that signs of zeros count.
fn called(case: Case, lay: Lay, n: usize) -> Vec<Vec<u64>> {
    let mut work = case(Given { lay }, n);
    work.call();
    work.call();
    work.results().into_iter().map(|numbers| numbers.into_iter().map(f64::to_bits).collect()).collect()
}

/// Numbers and those that should be nearly the same: sums of at most 40 products with sines of at most 2 ulp.
fn assert_near(found: &[Vec<u64>], wanted: &[Vec<u64>], epsilon: f64, what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert_eq!(found.len(), wanted.len(), "{what}");
        for (x, y) in found.iter().zip(wanted).map(|(x, y)| (f64::from_bits(*x), f64::from_bits(*y))) {
            assert!((x - y).abs() <= 200.0 * epsilon, "{what}: {x} for {y}");
        }
    }
}

fn same(precision: &str, plain: &[(&str, Case)], offloaded: &[(&str, Case)], epsilon: f64) {
    let pools = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads"));
    for ((name, plain), (_, offloaded)) in plain.iter().zip(offloaded) {
        let (sizes, has_sines) = sizes(name);
        for (&n, lay) in sizes.iter().flat_map(|n| [Lay::Rows, Lay::Columns, Lay::Window].map(|lay| (n, lay))) {
            let what = format!("{name} {precision}, size {n}, {lay:?}");
            let mut wanted = called(*plain, lay, n);
            for pool in &pools {
                let found = pool.install(|| called(*offloaded, lay, n));
                if has_sines {
                    assert_near(&found, &wanted, epsilon, &what);
                    wanted = found.clone();
                }
                assert_eq!(found, wanted, "{what}, {} threads", pool.current_num_threads());
            }
            let device = Arc::new(SimDevice::new(SimDevice::standard()));
            assert_eq!(with(device.clone(), Placement::Gpu, || called(*offloaded, lay, n)), wanted, "{what}, device");
            assert_eq!(device.mistakes(), [""; 0], "{what}");
            let launches = device.simulator().operations(Operation::Launch);
            assert!(launches > 0 || n < 7 || *name == "reduction", "{what}: nothing ran on the device");
        }
    }
}

#[test]
fn doubles() {
    same("f64", &double_plain::ALL, &double_offloaded::ALL, f64::EPSILON);
}

#[test]
fn singles() {
    same("f32", &single_plain::ALL, &single_offloaded::ALL, f32::EPSILON.into());
}
