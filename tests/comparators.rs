//! The comparators of the benchmarks compute what the MATLAB programs compute.

mod common;
#[path = "../benches/comparators/mod.rs"]
mod comparators;

use common::golden::{Golden, distance};
use comparators::{bscholes, clos, fdtd, filter, matmul, nb3d};
use ndarray::{Array, Array1, Array2, ArrayD, ArrayView1, ArrayView2, Dimension, Ix1, Ix2, s};
use proptest::prelude::*;

const TOLERANCE: f64 = 1e-12;

fn assert_near<D: Dimension>(call: &str, what: &str, got: &Array<f64, D>, want: &ArrayD<f64>) {
    let error = distance(&got.clone().into_dyn(), want);
    assert!(error <= TOLERANCE, "{call}: {what} is off by {error:e}");
}

fn scalar(golden: &Golden, name: &str) -> f64 {
    golden.input(name)[[0, 0]]
}

fn matrix<'a>(golden: &'a Golden, name: &str) -> ArrayView2<'a, f64> {
    golden.input(name).view().into_dimensionality::<Ix2>().unwrap()
}

fn column<'a>(golden: &'a Golden, name: &str) -> ArrayView1<'a, f64> {
    matrix(golden, name).slice_move(s![.., 0])
}

#[test]
fn bscholes_as_octave() {
    for golden in Golden::all("bscholes") {
        let options = bscholes::Options {
            spot: column(&golden, "spot"),
            strike: column(&golden, "strike"),
            rate: column(&golden, "rate"),
            volatility: column(&golden, "volatility"),
            time: column(&golden, "time"),
        };
        for (call, put) in [bscholes::operators(options), bscholes::loops(options)] {
            let as_column = |x: Array1<f64>| x.insert_axis(ndarray::Axis(1));
            assert_near(&golden.name, "call", &as_column(call), golden.output("call"));
            assert_near(&golden.name, "put", &as_column(put), golden.output("put"));
        }
    }
}

#[test]
fn clos_as_octave() {
    for golden in Golden::all("clos") {
        let adjacency = matrix(&golden, "adjacency");
        for reach in [clos::operators(adjacency), clos::loops(adjacency)] {
            assert_eq!(reach.into_dyn(), *golden.output("reach"), "{}", golden.name);
        }
    }
}

#[test]
fn fdtd_as_octave() {
    for golden in Golden::all("fdtd") {
        let cavity = fdtd::Cavity {
            edges: ["lx", "ly", "lz"].map(|name| scalar(&golden, name)),
            cells: ["nx", "ny", "nz"].map(|name| scalar(&golden, name) as usize),
        };
        let steps = scalar(&golden, "nt") as usize;
        for field in [fdtd::operators(cavity, steps), fdtd::loops(cavity, steps)] {
            let fdtd::Field { ex, ey, ez, hx, hy, hz } = field;
            let named = [("ex", ex), ("ey", ey), ("ez", ez), ("hx", hx), ("hy", hy), ("hz", hz)];
            for (name, component) in named {
                assert_near(&golden.name, name, &component, golden.output(name));
            }
        }
    }
}

#[test]
fn filter_as_octave() {
    for golden in Golden::all("filter_bank") {
        let (signal, taps) = (column(&golden, "signal"), matrix(&golden, "taps"));
        for out in [filter::operators(signal, taps), filter::loops(signal, taps)] {
            assert_near(&golden.name, "out", &out, golden.output("out"));
        }
    }
}

#[test]
fn matmul_as_octave() {
    for golden in Golden::all("matmul") {
        let (a, b) = (matrix(&golden, "a"), matrix(&golden, "b"));
        for c in [matmul::operators(a, b), matmul::loops(a, b)] {
            assert_near(&golden.name, "c", &c, golden.output("c"));
        }
    }
}

#[test]
fn nb3d_as_octave() {
    for golden in Golden::all("nb3d") {
        for run in [nb3d::operators, nb3d::loops] {
            let mut bodies = nb3d::Bodies {
                position: matrix(&golden, "position").to_owned(),
                velocity: matrix(&golden, "velocity").to_owned(),
                mass: column(&golden, "mass").to_owned(),
                softening: scalar(&golden, "softening"),
                dt: scalar(&golden, "dt"),
            };
            run(&mut bodies, scalar(&golden, "nt") as usize);
            assert_near(&golden.name, "position", &bodies.position, golden.output("position"));
            assert_near(&golden.name, "velocity", &bodies.velocity, golden.output("velocity"));
        }
    }
}

/// A reproducible (rows,columns) matrix with elements in (-0.5, 0.5) that follow no pattern.
fn noise(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        // Weyl sequence, scrambled as in SplitMix64 (Steele, Lea and Flood, 2014).
        let mut x = (seed << 40 ^ (i as u64) << 20 ^ j as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn bscholes_forms_agree(n in 0..300_usize, seed in 0..1000_u64) {
        let draw = noise(5, n, seed);
        let market = [(100.0, 80.0), (100.0, 80.0), (0.03, 0.06), (0.4, 0.6), (1.5, 2.8)];
        let [spot, strike, rate, volatility, time]: [Array1<f64>; 5] = std::array::from_fn(|k| {
            let (middle, width) = market[k];
            draw.row(k).mapv(|x| middle + width * x)
        });
        let options = bscholes::Options {
            spot: spot.view(),
            strike: strike.view(),
            rate: rate.view(),
            volatility: volatility.view(),
            time: time.view(),
        };
        let ((call, put), (call_loops, put_loops)) =
            (bscholes::operators(options), bscholes::loops(options));
        assert_near("bscholes", "call", &call, &call_loops.into_dyn());
        assert_near("bscholes", "put", &put, &put_loops.into_dyn());
    }

    #[test]
    fn clos_forms_agree(n in 0..20_usize, density in 0.0..0.3, seed in 0..1000_u64) {
        let adjacency = noise(n, n, seed).mapv(|x| if x + 0.5 < density { x } else { 0.0 });
        prop_assert_eq!(clos::operators(adjacency.view()), clos::loops(adjacency.view()));
    }

    #[test]
    fn fdtd_forms_agree(nx in 1..8_usize, ny in 1..8_usize, nz in 1..8_usize, steps in 0..6_usize) {
        let cavity = fdtd::Cavity { edges: [1.0, 0.7, 1.3], cells: [nx, ny, nz] };
        let (got, want) = (fdtd::operators(cavity, steps), fdtd::loops(cavity, steps));
        assert_near("fdtd", "ex", &got.ex, &want.ex.into_dyn());
        assert_near("fdtd", "ez", &got.ez, &want.ez.into_dyn());
        assert_near("fdtd", "hy", &got.hy, &want.hy.into_dyn());
    }

    #[test]
    fn filter_forms_agree(n in 0..60_usize, order in 1..20_usize, filters in 0..5_usize, seed in 0..1000_u64) {
        let signal = noise(n, 1, seed).into_shape_with_order(Ix1(n)).unwrap();
        let taps = noise(order, filters, seed + 1);
        let want = filter::loops(signal.view(), taps.view()).into_dyn();
        assert_near("filter", "out", &filter::operators(signal.view(), taps.view()), &want);
    }

    #[test]
    fn matmul_forms_agree(m in 0..20_usize, terms in 0..20_usize, n in 0..20_usize, seed in 0..1000_u64) {
        let (a, b) = (noise(m, terms, seed), noise(terms, n, seed + 1));
        let want = matmul::loops(a.view(), b.view()).into_dyn();
        assert_near("matmul", "c", &matmul::operators(a.view(), b.view()), &want);
    }

    #[test]
    fn nb3d_forms_agree(n in 0..20_usize, steps in 0..6_usize, seed in 0..1000_u64) {
        let mut got = nb3d::Bodies {
            position: noise(n, 3, seed),
            velocity: noise(n, 3, seed + 1),
            mass: noise(n, 1, seed + 2).column(0).mapv(|x| x + 0.6),
            softening: 0.1,
            dt: 0.01,
        };
        let mut want = got.clone();
        nb3d::operators(&mut got, steps);
        nb3d::loops(&mut want, steps);
        assert_near("nb3d", "position", &got.position, &want.position.into_dyn());
        assert_near("nb3d", "velocity", &got.velocity, &want.velocity.into_dyn());
    }
}
