//! `[call, put] = bscholes(spot, strike, rate, sigma, time)`: one kernel, two outputs, a body long enough for tiles.

use megha_rt as rt;
use megha_rt::{Isa, Layout};

static SITES: [rt::Site; 2] = [
    rt::Site {
        path: "bscholes.m",
        line: 1,
        column: 24,
        text: "function [call, put] = bscholes(spot, strike, rate, sigma, time)",
    },
    rt::Site { path: "bscholes.m", line: 9, column: 1, text: "call = spot .* n1 - discounted .* n2" },
];

/// `[call, put] = bscholes(spot (n,1), strike (n,1), rate, sigma, time (n,1))`
pub fn bscholes(
    spot: impl rt::Input<f64, 2>,
    strike: impl rt::Input<f64, 2>,
    rate: f64,
    sigma: f64,
    time: impl rt::Input<f64, 2>,
) -> rt::Result<(ndarray::Array2<f64>, ndarray::Array2<f64>)> {
    let spot = spot.strided(rt::Vector::Column);
    let strike = strike.strided(rt::Vector::Column);
    let time = time.strided(rt::Vector::Column);
    let n = spot.shape()[0];
    rt::check::argument("spot", "(n,1)", spot.shape(), [n, 1], &SITES[0])?;
    rt::check::argument("strike", "(n,1)", strike.shape(), [n, 1], &SITES[0])?;
    rt::check::argument("time", "(n,1)", time.shape(), [n, 1], &SITES[0])?;
    rt::enter("bscholes", || match rt::decide([spot.order(), strike.order(), time.order()]) {
        rt::Order::ColMajor => body::<rt::ColMajor>(n, spot, strike, rate, sigma, time),
        rt::Order::RowMajor => body::<rt::RowMajor>(n, spot, strike, rate, sigma, time),
    })
}

fn body<L: Layout>(
    n: usize,
    spot: rt::Strided<'_, f64, 2>,
    strike: rt::Strided<'_, f64, 2>,
    rate: f64,
    sigma: f64,
    time: rt::Strided<'_, f64, 2>,
) -> rt::Result<(ndarray::Array2<f64>, ndarray::Array2<f64>)> {
    let (spot, strike, time) = (spot.pack::<L>(), strike.pack::<L>(), time.pack::<L>());
    let mut call = rt::Array::<L, f64, 2>::uninit([n, 1], &SITES[1])?;
    let mut put = rt::Array::<L, f64, 2>::uninit([n, 1], &SITES[1])?;
    rt::launch(
        &Kernel0 {
            spot: spot.view(),
            strike: strike.view(),
            time: time.view(),
            rate,
            sigma,
            call: call.fill(),
            put: put.fill(),
        },
        rt::Domain::flat(n),
        130,
    );
    // SAFETY: kernel 0 wrote every element of both.
    let (call, put) = unsafe { (call.assume_init(), put.assume_init()) };
    Ok((call.into_ndarray(), put.into_ndarray()))
}

/// Statements 3 to 9 of bscholes.m.
struct Kernel0<'a, L: Layout> {
    spot: rt::View<'a, L, f64, 2>,
    strike: rt::View<'a, L, f64, 2>,
    time: rt::View<'a, L, f64, 2>,
    rate: f64,
    sigma: f64,
    call: rt::Out<'a, L, f64, 2>,
    put: rt::Out<'a, L, f64, 2>,
}

impl<L: Layout> rt::Kernel for Kernel0<'_, L> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &rt::Chunk) {
        // Values that live from one loop of the tile to the next; one array for each, 1 KiB.
        let mut d1 = rt::Tile::<f64>::CLEAR;
        let mut d2 = rt::Tile::<f64>::CLEAR;
        let mut discounted = rt::Tile::<f64>::CLEAR;
        for t in chunk.tiles() {
            let (at, len) = (t.start, t.len());
            // SAFETY: every array has the domain's shape, and the chunk's elements are this thread's.
            let (spot, strike, time, call, put) = unsafe {
                (
                    self.spot.flat(at, len),
                    self.strike.flat(at, len),
                    self.time.flat(at, len),
                    self.call.flat(at, len),
                    self.put.flat(at, len),
                )
            };
            let (d1, d2, discounted) = (&mut d1[..len], &mut d2[..len], &mut discounted[..len]);
            kernel0_loop0(d1, d2, spot, strike, time, self.rate, self.sigma);
            kernel0_loop1(discounted, strike, time, self.rate);
            kernel0_loop2(d1);
            kernel0_loop2(d2);
            kernel0_loop3(call, put, spot, discounted, d1, d2);
        }
    }
}

#[inline(always)]
fn kernel0_loop0(d1: &mut [f64], d2: &mut [f64], spot: &[f64], strike: &[f64], time: &[f64], rate: f64, sigma: f64) {
    let len = d1.len();
    let (d2, spot, strike, time) = (&mut d2[..len], &spot[..len], &strike[..len], &time[..len]);
    for i in 0..len {
        let root = sigma * time[i].sqrt();
        let v = (super::math::log(spot[i] / strike[i]) + (rate + sigma * sigma * 0.5) * time[i]) / root;
        d1[i] = v;
        d2[i] = v - root;
    }
}

#[inline(always)]
fn kernel0_loop1(discounted: &mut [f64], strike: &[f64], time: &[f64], rate: f64) {
    let len = discounted.len();
    let (strike, time) = (&strike[..len], &time[..len]);
    for i in 0..len {
        discounted[i] = strike[i] * super::math::exp(-rate * time[i]);
    }
}

/// The cumulative normal distribution, by Abramowitz and Stegun 26.2.17 as the MATLAB source has it.
#[inline(always)]
fn kernel0_loop2(d: &mut [f64]) {
    for x in d.iter_mut() {
        let v = x.abs();
        let k = 1.0 / (1.0 + 0.2316419 * v);
        let poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        let tail = 0.3989422804014327 * super::math::exp(-0.5 * v * v) * poly;
        *x = if *x > 0.0 { 1.0 - tail } else { tail };
    }
}

#[inline(always)]
fn kernel0_loop3(call: &mut [f64], put: &mut [f64], spot: &[f64], discounted: &[f64], n1: &[f64], n2: &[f64]) {
    let len = call.len();
    let (put, spot, discounted, n1, n2) = (&mut put[..len], &spot[..len], &discounted[..len], &n1[..len], &n2[..len]);
    for i in 0..len {
        call[i] = spot[i] * n1[i] - discounted[i] * n2[i];
        put[i] = discounted[i] * (1.0 - n2[i]) - spot[i] * (1.0 - n1[i]);
    }
}
