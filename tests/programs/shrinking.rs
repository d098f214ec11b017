//! Arrays that a mask makes shorter together, and counts by places: what is equal in size stays so, and what is counted comes in any order.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha_core::diag::render_all;
use megha_core::driver::{Job, compile};
use megha_core::source::SourceMap;
use ndarray::{Array1, Array2, Axis};

use super::lowered::kernels;

megha::matlab! {
    function [left, z, at] = escaping(c, limit, steps)
    arguments
        c (n,1) double
        limit (1,1) double
        steps (1,1) double
    end
    z = zeros(size(c));
    at = cumsum(ones(size(c)));
    left = zeros(size(c));
    for k = 1:steps
        z = z .* z + c;
        out = z > limit;
        left(at(out)) = k;
        in = ~out;
        z = z(in);
        c = c(in);
        at = at(in);
    end
    end

    function s = parting(c, d, steps)
    arguments
        c (n,1) double
        d (n,1) double
        steps (1,1) double
    end
    for k = 1:steps
        c = c(c > k);
        d = d(d > k + 1);
    end
    s = sum(c + d);
    end

    function [mean, counts, bin] = rings(data, radius, n)
    arguments
        data (m,1) double
        radius (m,1) double
        n (1,1) double
    end
    edges = linspace(min(radius), max(radius), n + 1);
    [~, bin] = histc(radius, edges);
    bin(bin == n + 1) = n;
    counts = accumarray(bin, 1, [n, 1]);
    mean = accumarray(bin, data, [n, 1]) ./ counts;
    end
}

fn numbers(n: usize, factor: f64) -> Array1<f64> {
    Array1::from_shape_fn(n, |k| (k as f64 * factor).fract())
}

fn column(list: Array1<f64>) -> Array2<f64> {
    list.insert_axis(Axis(1))
}

fn on_device<R: Send>(call: impl Fn() -> R + Send + Sync) -> R {
    let device = Arc::new(SimDevice::new(SimDevice::standard()));
    let result = with(device.clone(), Placement::Gpu, call);
    assert_eq!(device.mistakes(), [""; 0]);
    result
}

#[test]
fn what_one_mask_shortens_is_that_of_each_point() {
    for n in [0, 1, 2, 700, 30_000] {
        let c = numbers(n, 0.618);
        let (mut left, mut z, mut at) = (Array1::zeros(n), Vec::new(), Vec::new());
        for (number, c) in c.iter().enumerate() {
            let mut own = 0.0;
            let out = (1..=9).find(|_| {
                own = own * own + c;
                own > 2.0
            });
            match out {
                Some(step) => left[number] = f64::from(step),
                None => {
                    z.push(own);
                    at.push((number + 1) as f64);
                }
            }
        }
        let wanted = (column(left), column(Array1::from(z)), column(Array1::from(at)));
        assert_eq!(escaping(&c, 2.0, 9.0).unwrap(), wanted, "{n}");
        assert_eq!(on_device(|| escaping(&c, 2.0, 9.0).unwrap()), wanted, "{n}");
    }
}

/// Sizes that are equal before a loop and part in it are two.
#[test]
fn what_two_masks_shorten_may_part() {
    let list = |list: &[f64]| Array1::from(list.to_vec());
    assert_eq!(parting(list(&[1.0, 2.0, 3.5]), list(&[1.0, 4.0, 2.5]), 1.0).unwrap(), 2.0 + 4.0 + 3.5 + 2.5);
    assert!(parting(list(&[1.0, 2.0, 3.5]), list(&[1.0, 2.0, 0.0]), 1.0).is_err());
}

/// The arrays have one size in the loop: a step computes and counts in one kernel, and picks in another.
#[test]
fn equal_sizes_go_round_a_loop_as_one() {
    let text = "function [z, c, d] = f(c, d, steps)\narguments\n c (n,1) double\n d (n,1) double\n steps (1,1) double\nend\n\
                z = zeros(size(c));\nfor k = 1:steps\n z = z .* z + c .* d;\n m = z < 4;\n z = z(m);\n c = c(m);\n d = d(m);\nend\nend\n";
    let mut sources = SourceMap::new();
    let main = sources.add("program.m", text.to_owned());
    let outcome = compile(Job::text(sources, main));
    assert!(outcome.is_ok(), "{}", render_all(&outcome.diags, &outcome.sources, false));
    assert_eq!(kernels(&outcome.module.funcs[0].body).1, 2, "{}", outcome.module);
    let text = outcome.module.to_string();
    assert!(!text.contains("same_size"), "{text}");
}

#[test]
fn means_of_rings_add_in_the_order_of_the_points() {
    let (data, radius) = (numbers(60_000, 0.377), numbers(60_000, 0.7548));
    let n = 97_i32;
    let least = radius.fold(f64::INFINITY, |a, b| a.min(*b));
    let most = radius.fold(0.0_f64, |a, b| a.max(*b));
    let step = (most - least) / f64::from(n);
    let edges: Vec<f64> = (0..=n)
        .map(|k| match k {
            k if k == n => most,
            k if 2 * k < n => least + f64::from(k) * step,
            k => most - f64::from(n - k) * step,
        })
        .collect();
    let place = |x: f64| edges.iter().filter(|e| **e <= x).count().min(n as usize);
    let (mut sums, mut counts) = (vec![0.0; n as usize], vec![0.0; n as usize]);
    for (value, x) in data.iter().zip(&radius) {
        sums[place(*x) - 1] += value;
        counts[place(*x) - 1] += 1.0;
    }
    let means: Vec<f64> = sums.iter().zip(&counts).map(|(sum, count)| sum / count).collect();
    let bins = radius.mapv(|x| place(x) as f64);
    let wanted = (column(Array1::from(means)), column(Array1::from(counts)), column(bins));
    assert_eq!(rings(&data, &radius, f64::from(n)).unwrap(), wanted);
    assert_eq!(on_device(|| rings(&data, &radius, f64::from(n)).unwrap()), wanted);
}

/// What nobody asks for is not counted: of `histc` the places alone.
#[test]
fn counts_that_nobody_needs_are_not_made() {
    let text = "function bin = f(x, edges)\narguments\n x (n,1) double\n edges (1,m) double\nend\n[~, bin] = histc(x, edges);\nend\n";
    let code = super::lowered::generated(text);
    assert!(code.contains("rt::order::lookup") && !code.contains("counts_at"), "{code}");
}
