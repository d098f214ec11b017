//! Finite impulse response filters over one signal.

use ndarray::{Array2, ArrayView1, ArrayView2, ShapeBuilder, s};

/// Responses (n-k+1,f) of `f` filters, the columns of `taps` (k,f), to `signal` (n): the sum
/// over the taps of shifted and scaled signals.
pub fn operators(signal: ArrayView1<f64>, taps: ArrayView2<f64>) -> Array2<f64> {
    let (order, filters) = taps.dim();
    let samples = (signal.len() + 1).saturating_sub(order);
    // Each response is contiguous, as its signal is.
    let mut out = Array2::zeros((samples, filters).f());
    if samples == 0 {
        return out;
    }
    for ((k, f), &tap) in taps.indexed_iter() {
        let first = order - 1 - k;
        out.column_mut(f).scaled_add(tap, &signal.slice(s![first..first + samples]));
    }
    out
}

/// The same, one sample of one filter at a time.
pub fn loops(signal: ArrayView1<f64>, taps: ArrayView2<f64>) -> Array2<f64> {
    let (order, filters) = taps.dim();
    let samples = (signal.len() + 1).saturating_sub(order);
    let mut out = Array2::zeros((samples, filters).f());
    for f in 0..filters {
        for s in 0..samples {
            let mut response = 0.0;
            for k in 0..order {
                response += taps[[k, f]] * signal[s + order - 1 - k];
            }
            out[[s, f]] = response;
        }
    }
    out
}
