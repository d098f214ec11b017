//! Reductions of a few chunks take one launch on a device, whose last block combines what all have left: the CPU's bits, launch after launch, on several
//! devices and from several threads.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::matlab;
use megha_sim::Operation;
use ndarray::{Array2, ArrayView2, ShapeBuilder};

matlab! {
    function s = total(a)
        arguments
            a (n,m) double
        end
        s = sum(a(:) .* a(:));
    end

    function s = columns(a)
        arguments
            a (n,m) double
        end
        s = sum(a, 1);
    end

    function s = rows(a)
        arguments
            a (n,m) double
        end
        s = sum(a, 2);
    end
}

fn device() -> Arc<SimDevice> {
    Arc::new(SimDevice::new(SimDevice::standard()))
}

fn filled(shape: [usize; 2], rows_first: bool) -> Array2<f64> {
    let of = |(i, j): (usize, usize)| (((i * 31 + j * 17) % 1009) as f64 - 300.3) / (1.0 + ((i + j) % 7) as f64);
    Array2::from_shape_fn(shape.set_f(!rows_first), of)
}

/// The bits of what all programs give.
fn bits(a: ArrayView2<'_, f64>) -> [Vec<u64>; 3] {
    let all = |of: &mut dyn Iterator<Item = &f64>| of.map(|x| x.to_bits()).collect();
    let (columns, rows) = (columns(a).unwrap(), rows(a).unwrap());
    [vec![total(a).unwrap().to_bits()], all(&mut columns.iter()), all(&mut rows.iter())]
}

const SHAPES: [[usize; 2]; 5] = [[4097, 1], [1, 9000], [20_000, 3], [3, 20_000], [70, 8193]];

#[test]
fn one_launch_for_each() {
    for (shape, rows_first) in SHAPES.into_iter().flat_map(|shape| [(shape, false), (shape, true)]) {
        let a = filled(shape, rows_first);
        let wanted = with(device(), Placement::Cpu, || bits(a.view()));
        let device = device();
        for round in 1..4 {
            let got = with(device.clone(), Placement::Gpu, || bits(a.view()));
            assert_eq!(got, wanted, "{shape:?}, rows first {rows_first}");
            assert_eq!(
                device.simulator().operations(Operation::Launch),
                3 * round,
                "{shape:?}, rows first {rows_first}"
            );
        }
        assert_eq!(device.mistakes(), [""; 0], "{shape:?}");
    }
}

#[test]
fn threads_and_devices() {
    let shared = [device(), device()];
    std::thread::scope(|scope| {
        for number in 0..4 {
            let device = shared[number % 2].clone();
            scope.spawn(move || {
                for shape in SHAPES {
                    let a = filled(shape, number > 1);
                    let wanted = with(device.clone(), Placement::Cpu, || bits(a.view()));
                    assert_eq!(with(device.clone(), Placement::Gpu, || bits(a.view())), wanted, "{shape:?}");
                }
            });
        }
    });
    shared.iter().for_each(|device| assert_eq!(device.mistakes(), [""; 0]));
}
