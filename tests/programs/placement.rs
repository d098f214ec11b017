//! Where kernels are put: a sweep over sizes with the clock of the simulated device.

use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha_sim::Operation;
use ndarray::{Array2, ArrayD};

/// A call of a compiled function for a size.
type Call = fn(usize);

fn column(n: usize, low: f64, high: f64) -> Array2<f64> {
    Array2::from_shape_fn((n, 1), |(i, _)| low + (high - low) * (i as f64 * 0.618_034).fract())
}

/// One kernel on five arrays: a copy of each, then much arithmetic.
pub fn bscholes(n: usize) {
    let [spot, strike] = [0, 1].map(|k| column(n + k, 20.0, 200.0).slice_move(ndarray::s![..n, ..]));
    let (rate, volatility, time) = (column(n, 0.0, 0.06), column(n, 0.05, 0.65), column(n, 0.02, 3.0));
    drop(super::bscholes(&spot, &strike, &rate, &volatility, &time).unwrap());
}

/// A loop of kernels on the same arrays.
fn nb3d(n: usize) {
    let three = |seed: usize| ArrayD::from_shape_fn(vec![n, 3], |i| ((i[0] * 3 + i[1] + seed) as f64 * 0.377).fract());
    let [position, velocity] = [1, 2].map(|seed| three(seed).into_dimensionality::<ndarray::Ix2>().unwrap());
    drop(super::nb3d(&position, &velocity, column(n, 0.5, 1.5), 0.05, 0.01, 8).unwrap());
}

/// The closure of a cycle: in each step a matrix product and a kernel.
fn clos(n: usize) {
    drop(super::clos(Array2::from_shape_fn((n, n), |(i, j)| f64::from(u8::from((i + 1) % n == j)))).unwrap());
}

/// The time on the device's clock for a call, and whether kernels ran there.
fn timed(config: megha_sim::Config, placement: Placement, call: Call, n: usize) -> (Duration, bool) {
    let device = Arc::new(SimDevice::new(config).multiplying());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| with(device.clone(), placement, || call(n)));
    (device.simulator().now(), device.simulator().operations(Operation::Launch) > 0)
}

/// A device on which nothing is ever worth doing, so that its clock shows what the CPU is taken to need.
pub fn slow() -> megha_sim::Config {
    super::sweeping::far(SimDevice::standard())
}

/// The sweep as a table; the decision is never worse than the better of both sides by more than a factor.
fn sweep(call: Call, sizes: &[usize], most: f64) -> String {
    let mut table = "size      CPU us   device us   chosen us   on\n".to_owned();
    let mut worse = Vec::new();
    for &n in sizes {
        let (cpu, used) = timed(slow(), Placement::Auto, call, n);
        assert!(!used, "the slow device was used for {n}");
        let (gpu, _) = timed(SimDevice::standard(), Placement::Gpu, call, n);
        let (auto, used) = timed(SimDevice::standard(), Placement::Auto, call, n);
        let us = |t: Duration| t.as_secs_f64() * 1e6;
        if us(auto) > most * us(cpu).min(us(gpu)) {
            worse.push(n);
        }
        let side = if used { "device" } else { "CPU" };
        table += &format!("{n:<6}{:>10.0}{:>12.0}{:>12.0}   {side}\n", us(cpu), us(gpu), us(auto));
    }
    assert!(worse.is_empty(), "more than {most} times the better side: {worse:?}\n{table}");
    table
}

#[test]
fn kernels_move_to_the_device_at_the_crossover() {
    let sizes: Vec<usize> = (6..16).map(|k| 1 << k).collect();
    expect![[r#"
        size      CPU us   device us   chosen us   on
        64             1         102           1   CPU
        128            2         102           2   CPU
        256            4         102           4   CPU
        512            9         102           9   CPU
        1024          18         103          18   CPU
        2048          35         104          35   CPU
        4096          71         106          71   CPU
        8192         142         111         103   device
        16384        284         120         112   device
        32768        567         138         130   device
    "#]]
    .assert_eq(&sweep(bscholes, &sizes, 1.1));
    let sizes: Vec<usize> = (3..9).map(|k| 1 << k).collect();
    expect![[r#"
        size      CPU us   device us   chosen us   on
        8              2         253           2   CPU
        16             6         257           6   CPU
        32            22         266          22   CPU
        64            79         252          79   CPU
        128          302         252         302   CPU
        256         1178         253         255   device
    "#]]
    .assert_eq(&sweep(nb3d, &sizes, 1.2));
    let sizes: Vec<usize> = (5..10).map(|k| 1 << (2 * k)).collect();
    expect![[r#"
        size      CPU us   device us   chosen us   on
        1024           3          56           3   CPU
        4096          11          66          11   CPU
        16384         46          70          46   CPU
        65536        184          86          74   device
        262144       734         150         138   device
    "#]]
    .assert_eq(&sweep(super::scans::of_shares, &sizes, 1.1));
}

/// Blocks of a product and a kernel, on a device with a library. The block before the loop knows of it, and leaves the first matrix where the
/// loop is better off.
#[test]
fn products_move_with_the_kernels_around_them() {
    let sizes = [8, 16, 32, 48, 56, 64, 72, 80, 96, 128];
    expect![[r#"
        size      CPU us   device us   chosen us   on
        8              0          48           0   CPU
        16             2          56           2   CPU
        32            12          64          12   CPU
        48            39          71          39   CPU
        56            58          72          58   CPU
        64            82          73          75   device
        72           129          78          80   device
        80           171          79          81   device
        96           278          81          83   device
        128          609          85          87   device
    "#]]
    .assert_eq(&sweep(clos, &sizes, 1.1));
}
