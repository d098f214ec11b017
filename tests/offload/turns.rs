//! Sines, cosines and tangents of angles of any size, beside moderate ones in one vector: Megha's own functions, to the bit.
#![allow(clippy::needless_range_loop, reason = "loops as they are written in numerical code")]

use megha::rt::math;

#[megha::offload]
fn each(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i].sin() + 0.5 * (2.0 * x[i]).tan();
    }
}

#[megha::offload]
fn summed(k: &[f64], x: &[f64], re: &mut [f64], im: &mut [f64]) {
    for v in 0..x.len() {
        for s in 0..k.len() {
            re[v] += (k[s] * x[v]).cos();
            im[v] += (k[s] * x[v]).sin();
        }
    }
}

/// The angle is what the loop has just stored.
#[megha::offload]
fn stored(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] *= x[i];
        y[i] = y[i].cos();
    }
}

#[megha::offload]
fn singles(x: &[f32], y: &mut [f32]) {
    for i in 0..x.len() {
        y[i] = x[i].sin() * 3.0;
    }
}

/// Moderate angles, and one in so many that is not.
fn angles(n: usize, every: usize) -> Vec<f64> {
    let far = [1_099_511_627_776.0_f64, 1_099_511_627_776.5, -2e12, 1e300, f64::INFINITY, f64::NAN, -1.797e308, -0.0];
    let angle = |i: usize| if i % every == every - 1 { far[i % far.len()] } else { 0.37 * i as f64 - 20.0 };
    (0..n).map(angle).collect()
}

#[track_caller]
fn same(found: &[f64], want: &[f64]) {
    let equal = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    assert!(found.iter().zip(want).all(equal), "{found:?}\n{want:?}");
}

#[test]
fn angles_of_any_size_beside_moderate_ones() {
    for n in [0, 1, 7, 31, 32, 33, 150, 700] {
        for every in [1, 3, 50, 1000] {
            let x = angles(n, every);
            let mut y = vec![0.0; n];
            each(&x, &mut y);
            same(&y, &x.iter().map(|x| math::sin(*x) + 0.5 * math::tan(2.0 * x)).collect::<Vec<_>>());
            let mut y: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            stored(&x, &mut y);
            same(&y, &x.iter().enumerate().map(|(i, x)| math::cos((1.0 + i as f64) * x)).collect::<Vec<_>>());
            let k = angles(9, every);
            let (mut re, mut im) = (vec![0.25; n], vec![-0.0; n]);
            summed(&k, &x, &mut re, &mut im);
            let sum = |from: f64, of: fn(f64) -> f64| {
                x.iter().map(|x| k.iter().fold(from, |sum, k| sum + of(k * x))).collect::<Vec<_>>()
            };
            same(&re, &sum(0.25, math::cos));
            same(&im, &sum(-0.0, math::sin));
            let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
            let mut y = vec![0.0; n];
            singles(&single, &mut y);
            let want = single.iter().map(|x| math::sin_single(*x) * 3.0).map(f64::from);
            same(&y.into_iter().map(f64::from).collect::<Vec<_>>(), &want.collect::<Vec<_>>());
        }
    }
}
