//! Running sums and products, on the CPU and on devices, against the one definition of their order.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha_base::scan::{RUN, reference};
use ndarray::{Array1, Array2, Axis, ShapeBuilder};

use super::failing;

megha::matlab! {
    function y = running(x)
    arguments
        x (n,1) double
    end
    y = cumsum(x);
    end

    function [down, across, products] = along(a)
    arguments
        a (n,m) double
    end
    down = cumsum(a, 1);
    across = cumsum(a, 2);
    products = cumprod(a, 1);
    end

    function [s, k] = classes(x, counts)
    arguments
        x (1,n) single
        counts (n,m) int16
    end
    s = cumsum(x);
    k = cumsum(counts, 2);
    end

    function p = shares(w)
    arguments
        w (n,1) double
    end
    c = cumsum(w .* w);
    p = c / sum(w .* w) + 1;
    end
}

/// A call of `shares`.
pub fn of_shares(n: usize) {
    drop(shares(terms(n)).unwrap());
}

/// Numbers whose order of summation rounding tells apart.
fn terms(n: usize) -> Array1<f64> {
    Array1::from_shape_fn(n, |k| if k % 3 == 0 { 1.0 } else { -0.6 } / (k as f64 + 0.3))
}

/// What `f` gives on one and on three threads, which is the same.
fn on_pools<R: PartialEq + std::fmt::Debug + Send>(f: impl Fn() -> R + Sync) -> R {
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(&f);
    let one = on(1);
    assert_eq!(one, on(3));
    one
}

/// On a device that must do everything.
fn on_device<R: Send>(f: impl Fn() -> R + Sync + Send) -> R {
    let device = Arc::new(SimDevice::new(SimDevice::standard()));
    let result = with(device.clone(), Placement::Gpu, f);
    assert_eq!(device.mistakes(), [""; 0]);
    result
}

#[test]
fn vectors_follow_the_definition() {
    for n in [0, 1, 2, RUN, RUN + 1, 3 * RUN - 1, 70_001] {
        let x = terms(n);
        let wanted = reference(x.iter().copied(), RUN, |a, b| a + b);
        let got = on_pools(|| running(&x).unwrap());
        assert_eq!(got.column(0).to_vec(), wanted, "{n}");
        assert_eq!(on_device(|| running(&x).unwrap()), got, "{n} on the device");
    }
}

#[test]
fn matrices_in_both_memory_orders() {
    for (n, m) in [(0, 3), (3, 0), (1, 1), (1, 2050), (2050, 1), (40, 33), (1003, 5), (5, 1003)] {
        let a = Array2::from_shape_vec((n, m), terms(n * m).to_vec()).unwrap();
        let mut columns = Array2::zeros((n, m).f());
        columns.assign(&a);
        let got = on_pools(|| along(&a).unwrap());
        assert_eq!(on_pools(|| along(&columns).unwrap()), got);
        for (axis, sums) in [(0, &got.0), (1, &got.1)] {
            for (line, given) in sums.lanes(Axis(axis)).into_iter().zip(a.lanes(Axis(axis))) {
                assert_eq!(line.to_vec(), reference(given.iter().copied(), RUN, |a, b| a + b));
            }
        }
        for (line, given) in got.2.lanes(Axis(0)).into_iter().zip(a.lanes(Axis(0))) {
            assert_eq!(line.to_vec(), reference(given.iter().copied(), usize::MAX, |a, b| a * b));
        }
        assert_eq!(on_device(|| along(&a).unwrap()), got);
        assert_eq!(on_device(|| along(&columns).unwrap()), got);
    }
}

#[test]
fn single_precision_and_integers() {
    for n in [0, 1, 7, 2 * RUN + 3] {
        let x = terms(n).mapv(|x| x as f32);
        let counts = Array2::from_shape_fn((n, 3), |(i, j)| ((i * 7919 + j) % 40_000) as i32 as i16);
        let (s, k) = on_pools(|| classes(&x, &counts).unwrap());
        assert_eq!(s.row(0).to_vec(), reference(x.iter().copied(), RUN, |a, b| a + b));
        for (line, given) in k.rows().into_iter().zip(counts.rows()) {
            // As in Octave, running sums of integers are doubles.
            assert_eq!(line.to_vec(), reference(given.iter().map(|k| f64::from(*k)), RUN, |a, b| a + b));
        }
        assert_eq!(on_device(|| classes(&x, &counts).unwrap()), (s, k));
    }
}

/// Three kernels of a long line: totals of runs, their running sums, and the running sums of each run. A short line has no totals, so the
/// first two have no threads.
#[test]
fn launches_are_counted() {
    let launches = |n| {
        on_device(|| running(terms(n)).unwrap());
        megha::last_run().unwrap().device_kernels
    };
    assert_eq!([RUN - 1, 3 * RUN, 70_001].map(launches), [1, 3, 3]);
}

/// Nothing but the arguments and the results moves; whatever fails, the result is the same.
#[test]
fn arrays_stay_on_the_device() {
    let w = terms(3 * RUN);
    let wanted = shares(&w).unwrap();
    assert_eq!(on_device(|| shares(&w).unwrap()), wanted);
    let moved = megha::last_run().unwrap().moved;
    let bytes = 8 * w.len() as u64;
    assert!((moved.uploads, moved.bytes_up) == (1, bytes) && moved.bytes_down <= bytes + 8, "{moved:?}");
    let few = terms(5);
    failing::each_operation_if_any("shares", &|| shares(&few).map(|p| vec![p.into_dyn()]));
}
