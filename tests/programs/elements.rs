//! Single elements that host code reads of arrays on a device.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::rt::device::Moved;
use ndarray::{Array1, Array2, ShapeBuilder};

use super::failing;

megha::matlab! {
    function [s, t] = ends(x)
    arguments
        x (n,1) double
    end
    y = exp(-x) + x;
    s = y(3) - 2 * y(end);
    t = 1;
    if y(2) > 0.5
        t = y(2);
    end
    end

    function s = picked(x, k)
    arguments
        x (n,1) double
        k (m,1) double
    end
    y = 2 * x + 1;
    p = k + 1;
    s = y(p(2));
    end

    function s = many(x)
    arguments
        x (n,1) double
    end
    y = 2 * x + 1;
    s = y(1) * y(2) + y(3) * y(4) + y(5) * y(6) + y(7);
    end

    function [steps, s] = halved(x, limit)
    arguments
        x (n,1) double
        limit (1,1) double
    end
    steps = 0;
    while x(2) > limit
        x = x / 2;
        steps = steps + 1;
    end
    s = x(3);
    end

    function u = relaxed(u, steps)
    arguments
        u (n,m) double
        steps (1,1) double
    end
    for t = 1:steps
        v = u;
        v(2:end-1, 2:end-1) = 0.25 * ((u(1:end-2, 2:end-1) + u(3:end, 2:end-1)) + (u(2:end-1, 1:end-2) + u(2:end-1, 3:end)));
        v(1, :) = v(2, :);
        u = v;
    end
    end

    function s = corners(a)
    arguments
        a (n,m) single
    end
    b = 2 * a + 1;
    s = b(2, 3) - b(5) / 4 + b(end, 1);
    end
}

/// More than is copied with one of its elements.
const LONG: usize = 9000;

fn column(n: usize) -> Array1<f64> {
    Array1::from_shape_fn(n, |k| 1.0 + (k as f64 * 0.618).fract())
}

/// Two states of an array in a loop over time take turns where they are.
#[test]
fn states_of_an_array_stay_on_the_device() {
    let u = Array2::from_shape_fn((30, 20).f(), |(i, j)| ((3 * i + 7 * j * j) % 11) as f64);
    let (got, copies) = moved(|| relaxed(&u, 20.0).unwrap());
    assert_eq!(got, relaxed(&u, 20.0).unwrap());
    assert_eq!((copies.uploads, copies.downloads), (2, 1), "both places before the first step, the result: {copies:?}");
}

/// What a call gives and moves on a device that does everything.
fn moved<R: Send>(call: impl Fn() -> R + Send + Sync) -> (R, Moved) {
    let device = Arc::new(SimDevice::new(SimDevice::standard()));
    let result = with(device.clone(), Placement::Gpu, call);
    assert_eq!(device.mistakes(), [""; 0]);
    (result, megha::last_run().unwrap().moved)
}

#[test]
fn elements_are_copied_alone() {
    let x = column(LONG);
    let (got, copies) = moved(|| ends(&x).unwrap());
    assert_eq!(
        (got, copies.downloads, copies.bytes_down),
        (ends(&x).unwrap(), 4, 32),
        "the second element is read twice"
    );
    let k = column(LONG).mapv(|k| (k * 100.0).floor());
    let (got, copies) = moved(|| picked(&x, &k).unwrap());
    assert_eq!((got, copies.downloads, copies.bytes_down), (picked(&x, &k).unwrap(), 2, 16));
    let wrong = Array1::from_elem(LONG, LONG as f64);
    let (got, _) = moved(|| picked(&x, &wrong));
    assert_eq!(got, picked(&x, &wrong));
    assert!(got.is_err());
}

#[test]
fn whoever_reads_many_elements_gets_the_array() {
    let x = column(LONG);
    let (got, copies) = moved(|| many(&x).unwrap());
    let whole = 8 * LONG as u64;
    assert_eq!((got, copies.downloads, copies.bytes_down), (many(&x).unwrap(), 5, 32 + whole));
    // Of a short array all comes at once.
    let x = column(100);
    let (got, copies) = moved(|| many(&x).unwrap());
    assert_eq!((got, copies.downloads, copies.bytes_down), (many(&x).unwrap(), 1, 800));
}

/// What a kernel has made anew is asked for anew.
#[test]
fn conditions_of_loops_read_one_element() {
    let x = column(LONG);
    let (got, copies) = moved(|| halved(&x, 1e-3).unwrap());
    assert_eq!(got, halved(&x, 1e-3).unwrap());
    assert!(got.0 > 8.0 && copies.bytes_down == 8 * copies.downloads, "{copies:?}");
    assert!((copies.uploads, copies.downloads) == (1, got.0 as u64 + 1), "{copies:?}");
}

#[test]
fn both_memory_orders() {
    let a = Array2::from_shape_fn((120, 90), |(i, j)| ((i * 31 + j * 7) as f32 * 0.1).sin());
    let mut columns = Array2::zeros((120, 90).f());
    columns.assign(&a);
    let wanted = corners(&a).unwrap();
    for (got, copies) in [moved(|| corners(&a).unwrap()), moved(|| corners(&columns).unwrap())] {
        assert_eq!((got, copies.downloads, copies.bytes_down), (wanted, 3, 12));
    }
}

#[test]
fn every_failure_in_turn() {
    let x = column(LONG);
    let one = |s: f64| ndarray::Array::from_elem(ndarray::IxDyn(&[1]), s);
    failing::each_operation("ends", &|| ends(&x).map(|(s, t)| vec![one(s), one(t)]));
    failing::each_operation("halved", &|| halved(&x, 0.2).map(|(steps, s)| vec![one(steps), one(s)]));
}
