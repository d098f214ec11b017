//! The six programs of `examples/matlab`, compiled, against GNU Octave and against the reference interpreter.

mod bits;
#[path = "../common/mod.rs"]
mod common;
#[cfg(target_os = "linux")]
mod contractions;
mod cuda;
mod device;
#[cfg(target_os = "linux")]
#[path = "../common/driver.rs"]
mod driver;
mod elements;
mod exactness;
mod factors;
#[path = "../common/failing.rs"]
mod failing;
#[cfg(target_os = "linux")]
mod interop;
mod learning;
mod linear;
mod lowered;
mod neighbours;
mod octave;
mod overlap;
#[path = "../common/parts.rs"]
mod parting;
mod parts;
mod placement;
mod pressed;
mod products;
#[path = "../common/reference.rs"]
mod reference;
mod scans;
mod shrinking;
mod structure;
#[path = "../common/swept.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod sweeping;
mod swept;
#[path = "../common/transfers.rs"]
mod transfers;
mod transforms;
mod tuned;
mod versions;

use ndarray::{ArrayD, ArrayView2, ArrayViewD, Ix2};

megha::matlab!(
    file "../../examples/matlab/bscholes.m",
    fn bscholes(spot: f64[n, 1], strike: f64[n, 1], rate: f64[n, 1], volatility: f64[n, 1], time: f64[n, 1])
        -> (call: f64[n, 1], put: f64[n, 1])
);
megha::matlab!(file "../../examples/matlab/clos.m", fn clos(adjacency: f64[n, n]) -> reach: f64[n, n]);
megha::matlab!(
    file "../../examples/matlab/fdtd.m",
    fn fdtd(lx: f64, ly: f64, lz: f64, nx: usize, ny: usize, nz: usize, nt: usize) -> (ex, ey, ez, hx, hy, hz)
);
megha::matlab!(
    file "../../examples/matlab/filter_bank.m",
    fn filter_bank(signal: f64[n, 1], taps: f64[k, f]) -> out: f64[:, f]
);
megha::matlab!(file "../../examples/matlab/matmul.m", fn matmul(a: f64[m, k], b: f64[k, n]) -> c: f64[m, n]);
megha::matlab!(
    file "../../examples/matlab/nb3d.m",
    fn nb3d(position: f64[n, 3], velocity: f64[n, 3], mass: f64[n, 1], softening: f64, dt: f64, nt: usize)
        -> (position: f64[n, 3], velocity: f64[n, 3])
);

/// A program, compiled and for the interpreter.
pub struct Program {
    /// The function and its file.
    pub name: &'static str,
    /// The signature that it is compiled with above.
    pub signature: &'static str,
    /// The parameters in order.
    pub inputs: &'static [&'static str],
    /// The results in order.
    pub outputs: &'static [&'static str],
    /// The largest distance from Octave's results.
    pub tolerance: f64,
    /// The compiled function; a single number is a 1-by-1 array.
    pub call: fn(&[ArrayViewD<f64>]) -> Results,
}

/// The results of a program.
pub type Results = megha::Result<Vec<ArrayD<f64>>>;

/// The six programs.
pub const PROGRAMS: [Program; 6] = [
    Program {
        name: "bscholes",
        signature: "fn bscholes(spot: f64[n, 1], strike: f64[n, 1], rate: f64[n, 1], volatility: f64[n, 1], time: f64[n, 1])",
        inputs: &["spot", "strike", "rate", "volatility", "time"],
        outputs: &["call", "put"],
        tolerance: 1e-12,
        call: |a| {
            let (call, put) = bscholes(matrix(&a[0]), matrix(&a[1]), matrix(&a[2]), matrix(&a[3]), matrix(&a[4]))?;
            Ok([call, put].map(ndarray::Array::into_dyn).into())
        },
    },
    Program {
        name: "clos",
        signature: "fn clos(adjacency: f64[n, n])",
        inputs: &["adjacency"],
        outputs: &["reach"],
        tolerance: 0.0,
        call: |a| Ok(vec![clos(matrix(&a[0]))?.into_dyn()]),
    },
    Program {
        name: "fdtd",
        signature: "fn fdtd(lx: f64, ly: f64, lz: f64, nx: usize, ny: usize, nz: usize, nt: usize)",
        inputs: &["lx", "ly", "lz", "nx", "ny", "nz", "nt"],
        outputs: &["ex", "ey", "ez", "hx", "hy", "hz"],
        tolerance: 1e-10,
        call: |a| {
            let [nx, ny, nz, nt] = [3, 4, 5, 6].map(|at| number(&a[at]) as usize);
            let (ex, ey, ez, hx, hy, hz) = fdtd(number(&a[0]), number(&a[1]), number(&a[2]), nx, ny, nz, nt)?;
            Ok([ex, ey, ez, hx, hy, hz].map(ndarray::Array::into_dyn).into())
        },
    },
    Program {
        name: "filter_bank",
        signature: "fn filter_bank(signal: f64[n, 1], taps: f64[k, f])",
        inputs: &["signal", "taps"],
        outputs: &["out"],
        tolerance: 1e-12,
        call: |a| Ok(vec![filter_bank(matrix(&a[0]), matrix(&a[1]))?.into_dyn()]),
    },
    Program {
        name: "matmul",
        signature: "fn matmul(a: f64[m, k], b: f64[k, n])",
        inputs: &["a", "b"],
        outputs: &["c"],
        tolerance: 1e-12,
        call: |a| Ok(vec![matmul(matrix(&a[0]), matrix(&a[1]))?.into_dyn()]),
    },
    Program {
        name: "nb3d",
        signature: "fn nb3d(position: f64[n, 3], velocity: f64[n, 3], mass: f64[n, 1], softening: f64, dt: f64, nt: usize)",
        inputs: &["position", "velocity", "mass", "softening", "dt", "nt"],
        outputs: &["position", "velocity"],
        tolerance: 1e-10,
        call: |a| {
            let (softening, dt, nt) = (number(&a[3]), number(&a[4]), number(&a[5]) as usize);
            let (position, velocity) = nb3d(matrix(&a[0]), matrix(&a[1]), matrix(&a[2]), softening, dt, nt)?;
            Ok([position, velocity].map(ndarray::Array::into_dyn).into())
        },
    },
];

impl Program {
    /// The program of that name.
    pub fn named(name: &str) -> &'static Program {
        PROGRAMS.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("there is no program `{name}`"))
    }
}

/// All of the arrays as they lie.
fn views(arrays: &[ArrayD<f64>]) -> Vec<ArrayViewD<'_, f64>> {
    arrays.iter().map(|array| array.view()).collect()
}

fn matrix<'a>(array: &'a ArrayViewD<f64>) -> ArrayView2<'a, f64> {
    array.view().into_dimensionality::<Ix2>().expect("arguments are matrices")
}

fn number(array: &ArrayViewD<f64>) -> f64 {
    array[[0, 0]]
}
