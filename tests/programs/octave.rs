//! Results against those of GNU Octave, for every way in which arguments may lie in memory.

use ndarray::{ArrayBase, ArrayD, ArrayViewD, Axis, IxDyn, RawData, Slice};

use super::common::golden::{Golden, distance};
use super::{PROGRAMS, Program, bscholes, filter_bank, nb3d, views};

/// The inputs of a call in order.
pub fn inputs(program: &Program, golden: &Golden) -> Vec<ArrayD<f64>> {
    program.inputs.iter().map(|name| golden.input(name).clone()).collect()
}

/// Calls the program and compares its results with Octave's.
fn check(program: &Program, golden: &Golden, how: &str, arguments: &[ArrayViewD<f64>]) -> Vec<ArrayD<f64>> {
    let results = (program.call)(arguments).unwrap_or_else(|error| panic!("{} {how}: {error}", golden.name));
    assert_eq!(results.len(), program.outputs.len());
    for (name, result) in program.outputs.iter().zip(&results) {
        let error = distance(result, golden.output(name));
        assert!(error <= program.tolerance, "{} {how}: `{name}` is off by {error:e}", golden.name);
    }
    results
}

/// The elements with `gap - 1` others between neighbours along each axis.
fn spread(array: &ArrayD<f64>, gap: usize) -> ArrayD<f64> {
    let sizes: Vec<usize> = array.shape().iter().map(|n| n * gap).collect();
    let mut wide = ArrayD::from_elem(IxDyn(&sizes), f64::NAN);
    every(wide.view_mut(), gap as isize).assign(array);
    wide
}

/// Every `step`-th element along each axis.
fn every<S: RawData>(mut view: ArrayBase<S, IxDyn>, step: isize) -> ArrayBase<S, IxDyn> {
    (0..view.ndim()).for_each(|axis| view.slice_axis_inplace(Axis(axis), Slice::new(0, None, step)));
    view
}

/// The same array, its rows stored in the opposite order.
fn backwards(array: &ArrayD<f64>) -> ArrayD<f64> {
    let mut flipped = array.clone();
    flipped.invert_axis(Axis(0));
    flipped = flipped.as_standard_layout().into_owned();
    flipped.invert_axis(Axis(0));
    flipped
}

/// Whether the array has elements side by side along more than one axis, and so a memory order.
fn has_order(array: &ArrayD<f64>) -> bool {
    array.shape().iter().filter(|&&n| n > 1).count() > 1
}

#[test]
fn columns_first() {
    for program in &PROGRAMS {
        for golden in Golden::all(program.name) {
            let inputs = inputs(program, &golden);
            let views = views(&inputs);
            let results = check(program, &golden, "columns first", &views);
            for result in results.iter().filter(|r| has_order(r) && inputs.iter().any(has_order)) {
                assert_eq!(result.strides()[0], 1, "{}: the results are in the order of the arguments", golden.name);
            }
        }
    }
}

#[test]
fn rows_first() {
    for program in &PROGRAMS {
        for golden in Golden::all(program.name) {
            let inputs: Vec<_> = inputs(program, &golden).iter().map(|a| a.as_standard_layout().into_owned()).collect();
            let views = views(&inputs);
            let results = check(program, &golden, "rows first", &views);
            for result in results.iter().filter(|_| inputs.iter().any(has_order)) {
                assert!(result.is_standard_layout(), "{}: the results are in the order of the arguments", golden.name);
            }
        }
    }
}

#[test]
fn with_gaps_and_backwards() {
    for program in &PROGRAMS {
        for golden in Golden::all(program.name) {
            let inputs = inputs(program, &golden);
            let wide: Vec<ArrayD<f64>> = inputs.iter().map(|a| spread(a, 3)).collect();
            let spread: Vec<ArrayViewD<f64>> = wide.iter().map(|a| every(a.view(), 3)).collect();
            check(program, &golden, "with gaps", &spread);

            let flipped: Vec<ArrayD<f64>> = inputs.iter().map(backwards).collect();
            let views = views(&flipped);
            check(program, &golden, "backwards", &views);
        }
    }
}

#[test]
fn columns_may_be_vectors() {
    for golden in Golden::all("bscholes") {
        let column = |name| golden.input(name).index_axis(Axis(1), 0).into_dimensionality::<ndarray::Ix1>().unwrap();
        let [spot, strike, rate] = ["spot", "strike", "rate"].map(column);
        // An owned vector, a `Vec` and a slice, too.
        let (volatility, time) = (column("volatility").to_owned(), column("time").to_vec());
        let (call, put) = bscholes(spot, strike, rate, &volatility, &time[..]).unwrap();
        assert!(distance(&call.into_dyn(), golden.output("call")) <= 1e-12, "{}", golden.name);
        assert!(distance(&put.into_dyn(), golden.output("put")) <= 1e-12, "{}", golden.name);
    }
    for golden in Golden::all("filter_bank") {
        let signal: Vec<f64> = golden.input("signal").iter().copied().collect();
        let taps = golden.input("taps").view().into_dimensionality::<ndarray::Ix2>().unwrap();
        let out = filter_bank(signal, taps).unwrap();
        assert!(distance(&out.into_dyn(), golden.output("out")) <= 1e-12, "{}", golden.name);
    }
    for golden in Golden::all("nb3d") {
        let matrix = |name| golden.input(name).view().into_dimensionality::<ndarray::Ix2>().unwrap();
        let mass: Vec<f64> = golden.input("mass").iter().copied().collect();
        let number = |name| golden.input(name)[[0, 0]];
        let (softening, dt, nt) = (number("softening"), number("dt"), number("nt") as usize);
        let (position, _) = nb3d(matrix("position"), matrix("velocity"), mass, softening, dt, nt).unwrap();
        assert!(distance(&position.into_dyn(), golden.output("position")) <= 1e-10, "{}", golden.name);
    }
}
