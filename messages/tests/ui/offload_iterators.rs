//! What `#[offload]` refuses of iterators and of parts of arrays.

use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1};

#[megha::offload]
fn compares_in_another_way(x: &[f64]) -> f64 {
    *x.iter().min_by(|a, b| if a < b { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }).unwrap()
}

#[megha::offload]
fn keeps_a_pair(x: &[f64]) -> f64 {
    let largest = x.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap();
    0.0
}

#[megha::offload]
fn keeps_a_row(a: ArrayView2<f64>) -> f64 {
    a.rows().into_iter().max_by(|a, b| a[0].total_cmp(&b[0])).map(|row| row[0]).unwrap()
}

#[megha::offload]
fn finds_by_two_keys(x: &[i32]) -> i32 {
    *x.iter().max_by_key(|v| (v.abs(), v.signum())).unwrap()
}

#[megha::offload]
fn goes_through_what_a_block_gives(x: &[f64], n: usize) -> f64 {
    (0..n).flat_map(|i| { let from = i + 1; x[from..].iter() }).sum::<f64>()
}

#[megha::offload]
fn goes_through_tuples_of_tuples(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in [(1.0, 2.0), 3.0] { s += a * b; }
    s
}

#[megha::offload]
fn goes_on_behind_a_map(x: &[f64], y: &mut [f64]) {
    for (v, w) in y.iter_mut().zip(x.iter().map(|w| w * 2.0)) {
        *v = w;
    }
}

#[megha::offload]
fn tests_an_option(x: &[f64]) -> f64 {
    if let Some(v) = x.iter().nth(1) { *v } else { 0.0 }
}

#[megha::offload]
fn takes_steps(x: ArrayView1<f64>) -> f64 {
    x.slice(s![..;2]).sum()
}

#[megha::offload]
fn cuts_by_signed_numbers(x: ArrayView1<f64>, k: isize) -> f64 {
    x.slice(s![k..]).iter().sum::<f64>()
}

#[megha::offload]
fn cuts_too_few_dimensions(a: ArrayView2<f64>) -> f64 {
    a.slice(s![1..]).iter().sum::<f64>()
}

#[megha::offload]
fn sums_what_is_exchanged<'a>(mut a: ArrayViewMut1<'a, f64>, mut b: ArrayViewMut1<'a, f64>) -> f64 {
    std::mem::swap(&mut a, &mut b);
    a.sum()
}

#[megha::offload]
fn collects_something(x: &[f64]) -> f64 {
    let part = x.iter().map(|v| v * 2.0).collect();
    part[0]
}

#[megha::offload]
fn compares_an_option(x: &[f64]) -> f64 {
    if x.len().checked_sub(1) == None { 0.0 } else { 1.0 }
}

#[megha::offload]
fn collects(x: &[f64], k: usize) -> f64 {
    let part = x[1..k].iter().filter(|v| **v > 0.0).collect::<Vec<f64>>();
    part[0]
}

#[megha::offload]
fn goes_through_tuples_that_differ() -> f64 {
    let mut s = 0.0;
    for (a, b) in [(1.0, 2.0), (3.0, 4.0, 5.0)] { s += a * b; }
    s
}

#[megha::offload]
fn goes_through_nothings() -> f64 {
    let mut s = 0.0;
    for () in [(), ()] { s += 1.0; }
    s
}

fn main() {}
