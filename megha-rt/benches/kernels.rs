//! Generated kernels against the same work in ndarray's operators, in one run. Prints medians and ratios.
//!
//! `cargo bench -p megha-rt`; `MEGHA_ISA` and `RAYON_NUM_THREADS` choose what the kernels may use.

#[path = "../tests/generated/mod.rs"]
#[allow(unsafe_code, missing_docs, dead_code, reason = "as generated code does: it calls unchecked accessors")]
mod generated;

use std::hint::black_box;
use std::time::Instant;

use generated::{bscholes, fdtd, math, matmul, sums};
use megha_rt as rt;
use ndarray::{Array1, Array2, Array3, Zip, s};
use rt::{ColMajor, Input, RowMajor, Vector};

/// Median seconds of `runs` calls after one for warming up.
fn median<R>(runs: usize, mut f: impl FnMut() -> R) -> f64 {
    black_box(f());
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            black_box(f());
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

fn report(name: &str, ours: f64, theirs: f64) {
    println!("{name:<34} {:>9.4} ms {:>9.4} ms {:>7.2}x", ours * 1e3, theirs * 1e3, theirs / ours);
}

fn main() {
    println!("{:?}, {} threads", rt::Level::current(), rayon::current_num_threads());
    println!("{:<34} {:>12} {:>12} {:>8}", "", "generated", "ndarray", "ratio");
    black_scholes(1_000_000);
    cavity([512, 512, 15], 2);
    reductions(4_000_000);
    products(384);
}

fn black_scholes(n: usize) {
    let ramp = |from: f64, to: f64| Array1::linspace(from, to, n);
    let (spot, strike, time) = (ramp(20.0, 100.0), ramp(90.0, 30.0), ramp(0.1, 3.0));
    let ours = median(9, || bscholes::bscholes(&spot, &strike, 0.03, 0.2, &time));
    let theirs = median(3, || operators(&spot, &strike, 0.03, 0.2, &time));
    report("bscholes, 1e6 options", ours, theirs);
    let small = |x: &Array1<f64>| x.slice(s![..16]).to_owned();
    let (spot, strike, time) = (small(&spot), small(&strike), small(&time));
    let ours = median(99, || bscholes::bscholes(&spot, &strike, 0.03, 0.2, &time));
    let theirs = median(99, || operators(&spot, &strike, 0.03, 0.2, &time));
    report("bscholes, 16 options", ours, theirs);
}

/// The formulas as an ndarray user writes them.
fn operators(
    spot: &Array1<f64>,
    strike: &Array1<f64>,
    r: f64,
    v: f64,
    time: &Array1<f64>,
) -> (Array1<f64>, Array1<f64>) {
    let root = time.mapv(f64::sqrt) * v;
    let d1 = ((spot / strike).mapv(f64::ln) + time * (r + v * v / 2.0)) / &root;
    let d2 = &d1 - &root;
    let cdf = |d: &Array1<f64>| {
        let k = 1.0 / (d.mapv(f64::abs) * 0.2316419 + 1.0);
        let poly = &k * (&k * (&k * (&k * (&k * 1.330274429 - 1.821255978) + 1.781477937) - 0.356563782) + 0.319381530);
        let tail = d.mapv(|x| 0.3989422804014327 * (-0.5 * x * x).exp()) * poly;
        Zip::from(d).and(&tail).map_collect(|&d, &t| if d > 0.0 { 1.0 - t } else { t })
    };
    let (n1, n2) = (cdf(&d1), cdf(&d2));
    let paid = strike * time.mapv(|t| (-r * t).exp());
    let call = spot * &n1 - &paid * &n2;
    let put = &paid * (1.0 - n2) - spot * (1.0 - n1);
    (call, put)
}

fn cavity([nx, ny, nz]: [usize; 3], steps: usize) {
    let wave = |shape: [usize; 3]| Array3::from_shape_fn(shape, |(i, j, k)| ((i + 2 * j + 3 * k) as f64).sin());
    let mut a = [
        wave([nx, ny + 1, nz + 1]),
        wave([nx + 1, ny, nz + 1]),
        wave([nx + 1, ny + 1, nz]),
        wave([nx + 1, ny, nz]),
        wave([nx, ny + 1, nz]),
        wave([nx, ny, nz + 1]),
    ];
    let theirs = median(3, || (0..steps).for_each(|_| cavity_operators(&mut a, [nx, ny, nz]))) / steps as f64;
    fn fields<L: rt::Layout>(a: &[Array3<f64>; 6]) -> fdtd::Fields<L> {
        let field = |x: &Array3<f64>| x.strided(Vector::Column).copy::<L>();
        let [ex, ey, ez, hx, hy, hz] = a.each_ref().map(field);
        fdtd::Fields { ex, ey, ez, hx, hy, hz }
    }
    let mut f = fields::<RowMajor>(&a);
    let ours = median(5, || fdtd::steps(&mut f, [nx, ny, nz], 0.1, 0.2, 0.3, steps)) / steps as f64;
    report("fdtd 512x512x15 step, rows first", ours, theirs);
    let mut f = fields::<ColMajor>(&a);
    let ours = median(5, || fdtd::steps(&mut f, [nx, ny, nz], 0.1, 0.2, 0.3, steps)) / steps as f64;
    report("fdtd 512x512x15 step, columns", ours, theirs);
}

fn cavity_operators([ex, ey, ez, hx, hy, hz]: &mut [Array3<f64>; 6], [nx, ny, nz]: [usize; 3]) {
    let (cx, cy, cz) = (0.1, 0.2, 0.3);
    let change = cz * (&ey.slice(s![.., .., 1..]) - &ey.slice(s![.., .., ..nz]))
        - cy * (&ez.slice(s![.., 1.., ..]) - &ez.slice(s![.., ..ny, ..]));
    *hx = &*hx + &change;
    let change = cx * (&ez.slice(s![1.., .., ..]) - &ez.slice(s![..nx, .., ..]))
        - cz * (&ex.slice(s![.., .., 1..]) - &ex.slice(s![.., .., ..nz]));
    *hy = &*hy + &change;
    let change = cy * (&ex.slice(s![.., 1.., ..]) - &ex.slice(s![.., ..ny, ..]))
        - cx * (&ey.slice(s![1.., .., ..]) - &ey.slice(s![..nx, .., ..]));
    *hz = &*hz + &change;
    let change = cy * (&hz.slice(s![.., 1.., 1..nz]) - &hz.slice(s![.., ..ny - 1, 1..nz]))
        - cz * (&hy.slice(s![.., 1..ny, 1..]) - &hy.slice(s![.., 1..ny, ..nz - 1]));
    let inner = &ex.slice(s![.., 1..ny, 1..nz]) + &change;
    ex.slice_mut(s![.., 1..ny, 1..nz]).assign(&inner);
    let change = cz * (&hx.slice(s![1..nx, .., 1..]) - &hx.slice(s![1..nx, .., ..nz - 1]))
        - cx * (&hz.slice(s![1.., .., 1..nz]) - &hz.slice(s![..nx - 1, .., 1..nz]));
    let inner = &ey.slice(s![1..nx, .., 1..nz]) + &change;
    ey.slice_mut(s![1..nx, .., 1..nz]).assign(&inner);
    let change = cx * (&hy.slice(s![1.., 1..ny, ..]) - &hy.slice(s![..nx - 1, 1..ny, ..]))
        - cy * (&hx.slice(s![1..nx, 1.., ..]) - &hx.slice(s![1..nx, ..ny - 1, ..]));
    let inner = &ez.slice(s![1..nx, 1..ny, ..]) + &change;
    ez.slice_mut(s![1..nx, 1..ny, ..]).assign(&inner);
}

fn reductions(n: usize) {
    let side = 2000;
    let x = Array2::from_shape_fn((side, n / side), |(i, j)| math::log(1.0 + (i * 3 + j) as f64));
    let y = &x * 0.5;
    let theirs = median(5, || {
        let d = &x - &y;
        ((&d * &d).sum(), d.mapv(f64::abs).fold(f64::NAN, |a, &b| a.max(b)))
    });
    let squares = [0, 1].map(|dim| median(5, || (&x * &x).sum_axis(ndarray::Axis(dim))));
    for_layout::<RowMajor>("rows first", &x, &y, theirs, squares);
    for_layout::<ColMajor>("columns", &x, &y, theirs, squares);
}

fn for_layout<L: rt::Layout>(name: &str, x: &Array2<f64>, y: &Array2<f64>, theirs: f64, squares: [f64; 2]) {
    let (x, y) = (x.strided(Vector::Column).copy::<L>(), y.strided(Vector::Column).copy::<L>());
    let ours = median(9, || sums::distance(x.view(), y.view()));
    report(&format!("sum and max of x - y, 4e6, {name}"), ours, theirs);
    for (dim, theirs) in squares.into_iter().enumerate() {
        let ours = median(9, || sums::sum_squares(x.view(), dim));
        report(&format!("sum(x.*x, {}), {name}", dim + 1), ours, theirs);
    }
}

fn products(n: usize) {
    let a = Array2::from_shape_fn((n, n), |(i, j)| ((i * 7 + j) as f64).sin());
    let theirs = median(5, || {
        Array2::from_shape_fn((n, n), |(i, j)| {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[[i, k]] * a[[k, j]];
            }
            sum
        })
    });
    let (rows, columns) = (a.strided(Vector::Column).copy::<RowMajor>(), a.strided(Vector::Column).copy::<ColMajor>());
    let ours = median(9, || matmul::matmul(rows.view(), rows.view()));
    report("naive product 384, rows first", ours, theirs);
    let ours = median(9, || matmul::matmul(columns.view(), columns.view()));
    report("naive product 384, columns", ours, theirs);
}
