//! The programs: the MATLAB files of `m/`, a Rust loop nest and the thesis's programs, each with the arguments that `workloads/` gives it.

use megha::{Result, matlab};
use ndarray::{ArrayD, ArrayView2, ArrayViewMut2, IxDyn, ShapeBuilder};
use std::cell::RefCell;
use std::rc::Rc;

use crate::arrays::{Argument, Results};

matlab!(file "../m/black_scholes.m", fn black_scholes(s: f64[n, 1], k: f64[n, 1], r: f64[n, 1], v: f64[n, 1], t: f64[n, 1])
    -> (c: f64[n, 1], p: f64[n, 1]));
matlab!(file "../m/black_scholes_erf.m", fn black_scholes_erf(s: f64[n, 1], k: f64[n, 1], r: f64[n, 1], v: f64[n, 1], t: f64[n, 1])
    -> (c: f64[n, 1], p: f64[n, 1]));
matlab!(file "../m/heat.m", fn heat(u: f64[n, m], steps: f64) -> (u));
matlab!(file "../m/heat_copy.m", fn heat_copy(u: f64[n, m], steps: f64) -> (u));
matlab!(file "../m/heat_loops.m", fn heat_loops(u: f64[n, m], steps: f64) -> (u));
matlab!(file "../m/heat3.m", fn heat3(u: f64[n, m, k], steps: f64) -> (u));
matlab!(file "../m/contracted.m", fn heat3_contracted(u: f64[n, m, k], steps: f64)
    -> (u));
matlab!(file "../m/fdtd.m", fn fdtd(e0: f64[n, m, k], steps: f64) -> (ex, ey, ez, hx));
matlab!(file "../m/nbody.m", fn nbody(x: f64[n, 1], y: f64[n, 1], z: f64[n, 1], m: f64[n, 1])
    -> (ax: f64[n, 1], ay: f64[n, 1], az: f64[n, 1]));
matlab!(file "../m/nbody_loops.m", fn nbody_loops(x: f64[n, 1], y: f64[n, 1], z: f64[n, 1], m: f64[n, 1])
    -> (ax: f64[n, 1], ay: f64[n, 1], az: f64[n, 1]));
matlab!(file "../m/mandelbrot.m", fn mandelbrot(cr: f64[1, m], ci: f64[n, 1]) -> (k));
matlab!(file "../m/mandelbrot_loops.m", fn mandelbrot_loops(cr: f64[1, m], ci: f64[n, 1]) -> (k));
matlab!(file "../m/contracted.m", fn mandelbrot_loops_contracted(cr: f64[1, m], ci: f64[n, 1])
    -> (k));
matlab!(file "../m/summary.m", fn summary(v: f64[n, 1]) -> (s, m, x));
matlab!(file "../m/fir_conv.m", fn fir_conv(x: f64[n, 1], h: f64[t, 1]) -> (y: f64[:, 1]));
matlab!(file "../m/fir_filter.m", fn fir_filter(x: f64[n, 1], h: f64[t, 1]) -> (y: f64[:, 1]));
matlab!(file "../m/fir_loops.m", fn fir_loops(x: f64[n, 1], h: f64[t, 1]) -> (y: f64[:, 1]));
matlab!(file "../m/contracted.m", fn fir_loops_contracted(x: f64[n, 1], h: f64[t, 1])
    -> (y: f64[:, 1]));
matlab!(file "../m/fir_slices.m", fn fir_slices(x: f64[n, 1], h: f64[t, 1]) -> (y: f64[:, 1]));
matlab!(file "../m/product.m", fn product(a: f64[n, k], b: f64[k, m]) -> (c));
matlab!(file "../m/closure.m", fn closure(a: f64[n, n]) -> (a));
matlab!(file "../m/row_sums.m", fn row_sums(a: f64[n, m]) -> (y: f64[n, 1]));
matlab!(file "../m/column_sums.m", fn column_sums(a: f64[n, m]) -> (y: f64[1, m]));
matlab!(file "../m/matrix_vector.m", fn matrix_vector(a: f64[n, m], x: f64[m, 1]) -> (y: f64[n, 1]));
matlab!(file "../m/transposed_vector.m", fn transposed_vector(a: f64[n, m], x: f64[n, 1]) -> (y: f64[m, 1]));
matlab!(file "../m/softmax.m", fn softmax(a: f64[n, m]) -> (y));
matlab!(file "../m/softmax_rows.m", fn softmax_rows(a: f64[n, m]) -> (y));
matlab!(file "../m/layernorm.m", fn layernorm(a: f64[n, m], g: f64[1, m], b: f64[1, m]) -> (y));
matlab!(file "../m/kmeans.m", fn kmeans(x: f64[n, d], c: f64[k, d]) -> (label: f64[n, 1], c: f64[k, d]));
matlab!(file "../m/sor.m", fn sor(u: f64[n, m], sweeps: f64) -> (u));
matlab!(file "../m/contracted.m", fn sor_contracted(u: f64[n, m], sweeps: f64)
    -> (u));
matlab!(file "../m/floyd.m", fn floyd(d: f64[n, n]) -> (d));
matlab!(file "../m/floyd_loops.m", fn floyd_loops(d: f64[n, n]) -> (d));
matlab!(file "../m/lattice.m", fn lattice(f: f64[n, m, 9], steps: f64) -> (f));
matlab!(file "../m/contracted.m", fn lattice_contracted(f: f64[n, m, 9], steps: f64)
    -> (f));
matlab!(file "../m/convolution.m", fn convolution(a: f64[n, m], h: f64[p, q]) -> (y: f64[:, :]));
matlab!(file "../m/convolution_loops.m", fn convolution_loops(a: f64[n, m], h: f64[p, q]) -> (y: f64[:, :]));

#[megha::offload]
fn product_nest(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
    for i in 0..a.nrows() {
        for j in 0..b.ncols() {
            let mut sum = 0.0;
            for k in 0..a.ncols() {
                sum += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = sum;
        }
    }
}

#[megha::offload(contract)]
fn product_nest_contracted(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
    for i in 0..a.nrows() {
        for j in 0..b.ncols() {
            let mut sum = 0.0;
            for k in 0..a.ncols() {
                sum += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = sum;
        }
    }
}

/// A program on its arguments.
pub type Call = Box<dyn Fn() -> Result<Results>>;

macro_rules! call {
    ($program:ident, $arguments:ident: $($argument:ident),*) => {
        Box::new(move || {
            let mut places = 0..;
            let mut next = || &$arguments[places.next().expect("places without end")];
            $program($(next().$argument()),*).map(Results::from)
        })
    };
}

// Below the macro, which it calls.
mod thesis;

/// A loop nest in Rust that writes into an array of its caller, each time the same one.
fn nest(product: fn(ArrayView2<f64>, ArrayView2<f64>, ArrayViewMut2<f64>), arguments: Vec<Argument>) -> Call {
    let (rows, columns) = (arguments[0].matrix().nrows(), arguments[1].matrix().ncols());
    let order = !arguments[0].matrix().is_standard_layout();
    let kept = RefCell::new(Rc::new(ArrayD::zeros(IxDyn(&[rows, columns]).set_f(order))));
    Box::new(move || {
        let mut kept = kept.borrow_mut();
        // Results of the call before are gone by now, or stay as they are.
        let c = Rc::make_mut(&mut kept).view_mut().into_dimensionality().expect("a matrix");
        product(arguments[0].matrix(), arguments[1].matrix(), c);
        Ok(Results::shared(kept.clone()))
    })
}

/// The program of this name.
pub fn find(name: &str, arguments: Vec<Argument>) -> Option<Call> {
    if let Some(name) = name.strip_prefix("thesis.") {
        return thesis::find(name, arguments);
    }
    Some(match name {
        "black_scholes" => call!(black_scholes, arguments: vector, vector, vector, vector, vector),
        "black_scholes_erf" => call!(black_scholes_erf, arguments: vector, vector, vector, vector, vector),
        "heat" => call!(heat, arguments: matrix, number),
        "heat_copy" => call!(heat_copy, arguments: matrix, number),
        "heat_loops" => call!(heat_loops, arguments: matrix, number),
        "heat3" => call!(heat3, arguments: cube, number),
        "heat3_contracted" => call!(heat3_contracted, arguments: cube, number),
        "fdtd" => Box::new(move || {
            let (ex, ey, ez, hx) = fdtd(arguments[0].cube(), arguments[1].number())?;
            Ok(Results::from([ex, ey, ez, hx]))
        }),
        "nbody" => call!(nbody, arguments: vector, vector, vector, vector),
        "nbody_loops" => call!(nbody_loops, arguments: vector, vector, vector, vector),
        "mandelbrot" => call!(mandelbrot, arguments: vector, vector),
        "mandelbrot_loops" => call!(mandelbrot_loops, arguments: vector, vector),
        "mandelbrot_loops_contracted" => call!(mandelbrot_loops_contracted, arguments: vector, vector),
        "summary" => call!(summary, arguments: vector),
        "fir_conv" => call!(fir_conv, arguments: vector, vector),
        "fir_filter" => call!(fir_filter, arguments: vector, vector),
        "fir_loops" => call!(fir_loops, arguments: vector, vector),
        "fir_loops_contracted" => call!(fir_loops_contracted, arguments: vector, vector),
        "fir_slices" => call!(fir_slices, arguments: vector, vector),
        "product" => call!(product, arguments: matrix, matrix),
        "closure" => call!(closure, arguments: matrix),
        "row_sums" => call!(row_sums, arguments: matrix),
        "column_sums" => call!(column_sums, arguments: matrix),
        "matrix_vector" => call!(matrix_vector, arguments: matrix, vector),
        "transposed_vector" => call!(transposed_vector, arguments: matrix, vector),
        "softmax" => call!(softmax, arguments: matrix),
        "softmax_rows" => call!(softmax_rows, arguments: matrix),
        "layernorm" => call!(layernorm, arguments: matrix, vector, vector),
        "kmeans" => call!(kmeans, arguments: matrix, matrix),
        "sor" => call!(sor, arguments: matrix, number),
        "sor_contracted" => call!(sor_contracted, arguments: matrix, number),
        "floyd" => call!(floyd, arguments: matrix),
        "floyd_loops" => call!(floyd_loops, arguments: matrix),
        "lattice" => call!(lattice, arguments: cube, number),
        "lattice_contracted" => call!(lattice_contracted, arguments: cube, number),
        "convolution" => call!(convolution, arguments: matrix, matrix),
        "convolution_loops" => call!(convolution_loops, arguments: matrix, matrix),
        "product_nest" => nest(product_nest, arguments),
        "product_nest_contracted" => nest(product_nest_contracted, arguments),
        _ => return None,
    })
}
