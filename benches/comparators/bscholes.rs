//! Black–Scholes prices of European options.

use std::f64::consts::FRAC_1_SQRT_2;

use ndarray::{Array1, ArrayView1};

/// Market data of `n` options, an array of `n` elements for each quantity.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Price of the underlying.
    pub spot: ArrayView1<'a, f64>,
    /// Exercise price.
    pub strike: ArrayView1<'a, f64>,
    /// Risk-free rate per year.
    pub rate: ArrayView1<'a, f64>,
    /// Volatility per square root of a year.
    pub volatility: ArrayView1<'a, f64>,
    /// Time to expiry in years.
    pub time: ArrayView1<'a, f64>,
}

/// Call and put prices by whole-array operators, whose temporaries are used again where
/// ndarray's operators on owned arrays allow it.
pub fn operators(options: Options) -> (Array1<f64>, Array1<f64>) {
    let Options { spot, strike, rate, volatility, time } = options;
    let spread = &volatility * &time.sqrt();
    let drift = (&volatility * &volatility * 0.5 + rate) * time;
    let d1 = ((&spot / &strike).ln() + drift) / &spread;
    let d2 = &d1 - &spread;
    let nd1 = d1.mapv_into(normal);
    let nd2 = d2.mapv_into(normal);

    let discounted = &strike * &(-&rate * time).exp();
    let call = &spot * &nd1 - &discounted * &nd2;
    let put = discounted * (1.0 - nd2) - &spot * (1.0 - nd1);
    (call, put)
}

/// Call and put prices, one option at a time.
pub fn loops(options: Options) -> (Array1<f64>, Array1<f64>) {
    let Options { spot, strike, rate, volatility, time } = options;
    let mut call = Array1::zeros(spot.len());
    let mut put = Array1::zeros(spot.len());
    for i in 0..spot.len() {
        let spread = volatility[i] * time[i].sqrt();
        let drift = (rate[i] + 0.5 * volatility[i] * volatility[i]) * time[i];
        let d1 = ((spot[i] / strike[i]).ln() + drift) / spread;
        let (nd1, nd2) = (normal(d1), normal(d1 - spread));
        let discounted = strike[i] * (-rate[i] * time[i]).exp();
        call[i] = spot[i] * nd1 - discounted * nd2;
        put[i] = discounted * (1.0 - nd2) - spot[i] * (1.0 - nd1);
    }
    (call, put)
}

/// Distribution function of the standard normal.
fn normal(x: f64) -> f64 {
    0.5 * (1.0 + libm::erf(x * FRAC_1_SQRT_2))
}
