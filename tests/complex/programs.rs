//! The programs, compiled with the signatures in their files.

use ndarray::{Array, Array2, ArrayD, Dimension, Ix2};

use super::common::golden::Golden;
use megha::c64;

/// A compiled program on the arguments of a golden call; complex results come as their two parts.
pub type Call = fn(&Golden) -> megha::Result<Vec<ArrayD<f64>>>;

/// Compiles programs and lists them: `name(parameter: kind, ..) in "file"`, where a kind is one of the functions below.
macro_rules! programs {
    ($($name:ident($($parameter:ident: $kind:ident),*) in $file:tt;)*) => {
        $(megha::matlab!(file $file);)*

        /// All programs, by name.
        pub const PROGRAMS: &[(&str, Call)] = &[$((stringify!($name), |golden| {
            $name($($kind(golden, stringify!($parameter))),*).map(Results::parts)
        })),*];
    };
}

programs! {
    ac_circuit(R: number, L: number, C: number, f: matrix, V: number) in "matlab/ac_circuit.m";
    algebra(A: complex_matrix, B: matrix, b: matrix) in "matlab/algebra.m";
    dft_loops(x: matrix) in "matlab/dft_loops.m";
    durand(p: matrix, maxit: count) in "matlab/durand.m";
    edges(x: matrix) in "matlab/edges.m";
    eigen(p: matrix, q: complex_matrix, A: matrix, Z: complex_matrix) in "matlab/eigen.m";
    fft_iter(x: matrix) in "matlab/fft_iter.m";
    freqresp(b: matrix, a: matrix, w: matrix) in "matlab/freqresp.m";
    growing(m: count) in "matlab/growing.m";
    hermit(A: complex_matrix) in "matlab/hermit.m";
    julia(n: count, maxit: count) in "matlab/julia.m";
    mandel_count(n: count, maxit: count) in "matlab/mandel_count.m";
    mandel_vec(n: count, maxit: count) in "matlab/mandel_vec.m";
    mesh_solve(n: count, w: number) in "matlab/mesh_solve.m";
    muller(x0: number, x1: number, x2: number, maxit: count) in "matlab/muller.m";
    nbody2d(z: complex_matrix, m: matrix, dt: number, nt: count) in "matlab/nbody2d.m";
    newton_fractal(n: count, maxit: count) in "matlab/newton_fractal.m";
    quad_roots(a: number, b: number, c: number) in "matlab/quad_roots.m";
    rabi(omega: number, delta: number, dt: number, nt: count) in "matlab/rabi.m";
    schroed(n: count, nt: count, dt: number) in "matlab/schroed.m";
    spectra(x: matrix, z: complex_matrix) in "matlab/spectra.m";
    table(z: complex_matrix, w: complex_number) in "matlab/table.m";
    transforms(A: matrix, z: complex_matrix, e: matrix) in "matlab/transforms.m";
}

fn matrix(golden: &Golden, name: &str) -> Array2<f64> {
    golden.input(name).clone().into_dimensionality::<Ix2>().unwrap()
}

fn number(golden: &Golden, name: &str) -> f64 {
    golden.input(name)[[0, 0]]
}

fn count(golden: &Golden, name: &str) -> usize {
    number(golden, name) as usize
}

fn complex_matrix(golden: &Golden, name: &str) -> Array2<c64> {
    let [re, im] = ["real", "imag"].map(|part| matrix(golden, &format!("{part}({name})")));
    ndarray::Zip::from(&re).and(&im).map_collect(|re, im| c64::new(*re, *im))
}

fn complex_number(golden: &Golden, name: &str) -> c64 {
    complex_matrix(golden, name)[[0, 0]]
}

/// One result, as one array or as the two of a complex one.
trait Parts {
    fn parts(self) -> Vec<ArrayD<f64>>;
}

impl Parts for f64 {
    fn parts(self) -> Vec<ArrayD<f64>> {
        vec![ArrayD::from_elem(vec![1, 1], self)]
    }
}

impl Parts for c64 {
    fn parts(self) -> Vec<ArrayD<f64>> {
        vec![ArrayD::from_elem(vec![1, 1], self.re), ArrayD::from_elem(vec![1, 1], self.im)]
    }
}

impl<D: Dimension> Parts for Array<f64, D> {
    fn parts(self) -> Vec<ArrayD<f64>> {
        vec![self.into_dyn()]
    }
}

impl<D: Dimension> Parts for Array<c64, D> {
    fn parts(self) -> Vec<ArrayD<f64>> {
        vec![self.mapv(|z| z.re).into_dyn(), self.mapv(|z| z.im).into_dyn()]
    }
}

/// All results of a call.
trait Results {
    fn parts(self) -> Vec<ArrayD<f64>>;
}

impl<P: Parts> Results for P {
    fn parts(self) -> Vec<ArrayD<f64>> {
        Parts::parts(self)
    }
}

macro_rules! several {
    ($($field:ident: $type:ident),*) => {
        impl<$($type: Parts),*> Results for ($($type,)*) {
            fn parts(self) -> Vec<ArrayD<f64>> {
                let ($($field,)*) = self;
                [$($field.parts()),*].concat()
            }
        }
    };
}

several!(a: A, b: B);
several!(a: A, b: B, c: C);
several!(a: A, b: B, c: C, d: D);
several!(a: A, b: B, c: C, d: D, e: E, f: F, g: G);
