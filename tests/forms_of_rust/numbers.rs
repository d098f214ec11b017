//! Methods of numbers, casts, operators on bits, remainders.

use super::{all, both, form, same};

both! {
    pub fn floats(x: &[f64], y: &[f64], z: &mut [f64]) {
        for i in 0..z.len() {
            let (a, b) = (x[i], y[i]);
            z[i] = match i % 14 {
                0 => a.clamp(-1.0, 1.0),
                1 => a.signum() + b.signum(),
                2 => a.copysign(b),
                3 => a.fract() + b.trunc(),
                4 => a.min(b) * 0.5,
                5 => -a.max(b),
                6 => a - b * (a / b).floor(),
                7 => a.to_radians() - b.to_degrees(),
                8 => f64::max(a, b) - f64::min(b, 0.5),
                9 => f64::abs(a) + f64::sqrt(b.abs()),
                10 => if a.is_sign_negative() { 1.0 } else if b.is_sign_positive() { 2.0 } else { 3.0 },
                11 => a.powi(i as i32 - 20) + b.powi(3),
                12 => a.recip() * 2.0f64.mul_add(a, b),
                _ => if a.is_nan() || b.is_infinite() { 0.0 } else { a.round_ties_even() },
            };
        }
    }

    pub fn singles(x: &[f32], z: &mut [f32]) {
        for i in 0..x.len() {
            let a = x[i];
            z[i] = match i % 6 {
                0 => a.clamp(-0.5, 0.75),
                1 => a.copysign(-1.0) + a.signum(),
                2 => a.max(0.3),
                3 => a.to_degrees() + a.to_radians(),
                4 => (a as f64 * 3.0) as f32,
                _ => a * 0.7 + f32::EPSILON + std::f32::consts::E,
            };
        }
    }

    pub fn turns(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let (s, c) = x[i].sin_cos();
            y[i] = s * s + c * c;
        }
    }

    pub fn signed(x: &[i32], y: &[i32], z: &mut [i32]) {
        for i in 0..z.len() {
            let (a, b) = (x[i], y[i]);
            z[i] = match i % 16 {
                0 => a.wrapping_add(b),
                1 => a.wrapping_mul(b).wrapping_sub(7),
                2 => a.saturating_add(b),
                3 => a.saturating_sub(b),
                4 => if b != 0 { a.wrapping_add(1) / b } else { 0 },
                5 => if b > 0 { a % b } else { -1 },
                6 => if b > 0 { a.rem_euclid(b) } else { -2 },
                7 => if b > 0 { a.div_euclid(b) } else { -3 },
                8 => a & b | 0x55,
                9 => a ^ !b,
                10 => (a << 3) >> 5,
                11 => a >> (b & 31),
                12 => a.min(b).max(-100),
                13 => a.clamp(-1000, 1000).abs() + a.signum(),
                14 => a.count_ones() as i32 + (a.leading_zeros() + a.trailing_zeros()) as i32,
                _ => (a as i8 as i32) + (a as u16 as i32) + (b as u8 as i32),
            };
        }
    }

    pub fn unsigned(x: &[u64], y: &[u64], z: &mut [u64]) {
        for i in 0..z.len() {
            let (a, b) = (x[i], y[i]);
            z[i] = match i % 14 {
                0 => a.wrapping_add(b).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                1 => a.saturating_sub(b),
                2 => a.saturating_add(b),
                3 => if b != 0 { a / b } else { 0 },
                4 => if b != 0 { a % b } else { 0 },
                5 => a / 10 + b % 7,
                6 => a >> 11 | b << 7,
                7 => a >> (b & 63),
                8 => a.max(b) - a.min(b),
                9 => a.abs_diff(b),
                10 => u64::from(a.count_ones()) + u64::from(a.is_power_of_two()),
                11 => if a > b { a as f64 as u64 } else { (b as f32) as u64 },
                12 => a.leading_zeros() as u64 * 100 + b.trailing_zeros() as u64,
                _ => if b != 0 { a.div_ceil(b) } else { !a },
            };
        }
    }

    pub fn casts(x: &[f64], bytes: &mut [u8], shorts: &mut [i16], words: &mut [u32], longs: &mut [i64], flags: &mut [bool]) {
        for i in 0..x.len() {
            bytes[i] = x[i] as u8;
            shorts[i] = x[i] as i16;
            words[i] = x[i] as u32;
            longs[i] = x[i] as i64;
            flags[i] = bytes[i] > 3 && !(shorts[i] < 0) ^ (words[i] == 0);
        }
    }

    pub fn powers(x: &[i64], y: &mut [i64], k: u32) {
        for i in 0..x.len() {
            y[i] = x[i].pow(2) + x[i].pow(k) + i64::MAX / 3 + (x[i] % 7) * (x[i] / 5);
        }
    }

    pub fn hashes(seed: u32, out: &mut [u32]) {
        let mut state = seed;
        for v in out.iter_mut() {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            *v = state;
        }
    }
}

/// Numbers of all magnitudes and signs.
fn bits(n: usize, seed: u64) -> Vec<u64> {
    let mut next = super::random(seed);
    (0..n).map(|_| (next(), next() % 64)).map(|(x, by)| x >> by).collect()
}

fn reals(n: usize, seed: u64) -> Vec<f64> {
    let special = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0, 0.5, 2.5, -3.5, 1e300, -1e-310];
    let number = |x: u64| match x % 5 {
        0 => special[(x / 5 % 12) as usize],
        1 => (x >> 40) as f64 / 1000.0 - 8000.0,
        _ => (x >> 11) as f64 / (1u64 << 50) as f64 - 4.0,
    };
    bits(n, seed).into_iter().map(|x| number(x.wrapping_mul(0x2545_f491_4f6c_dd1d))).collect()
}

#[test]
fn methods_of_floats() {
    same(
        |offloaded, _, n| {
            let (x, y, mut z) = (reals(n, 1), reals(n, 2), vec![0.0; n]);
            form!(offloaded, floats(&x, &y, &mut z));
            let (single, mut w) = (x.iter().map(|x| *x as f32).collect::<Vec<f32>>(), vec![0.0; n]);
            form!(offloaded, singles(&single, &mut w));
            all!(z, w)
        },
        &[0, 7, 300],
    );
}

/// Sines and cosines are Megha's own.
#[test]
fn sines_with_cosines() {
    let (x, mut y) = (reals(50, 3), vec![0.0; 50]);
    fast::turns(&x, &mut y);
    for (x, y) in x.iter().zip(&y) {
        assert!((y - 1.0).abs() < 1e-14 || !x.is_finite(), "{x}: {y}");
    }
    let mut plain = vec![0.0; 50];
    plain::turns(&x, &mut plain);
    assert_eq!(plain.len(), y.len());
}

#[test]
fn methods_of_whole_numbers() {
    same(
        |offloaded, _, n| {
            let [x, y] = [1, 2].map(|seed| bits(n, seed).into_iter().map(|x| x as i32).collect::<Vec<i32>>());
            let y: Vec<i32> = y.into_iter().map(|y| if y == -1 { 3 } else { y }).collect();
            // The least numbers have no absolute value.
            let x: Vec<i32> = x.into_iter().map(|x| x.max(-0x3fff_ffff).min(0x3fff_ffff)).collect();
            let mut z = vec![0; n];
            form!(offloaded, signed(&x, &y, &mut z));
            let [u, v, mut w] = [3, 4, 5].map(|seed| bits(n, seed));
            form!(offloaded, unsigned(&u, &v, &mut w));
            all!(z, w)
        },
        &[0, 7, 320],
    );
}

#[test]
fn casts_are_exact() {
    same(
        |offloaded, _, n| {
            let x: Vec<f64> = reals(n, 1).into_iter().map(|x| x * 37.0).collect();
            let (mut a, mut b, mut c) = (vec![0; n], vec![0; n], vec![0; n]);
            let (mut d, mut e) = (vec![0; n], vec![false; n]);
            form!(offloaded, casts(&x, &mut a, &mut b, &mut c, &mut d, &mut e));
            let (small, mut f) =
                (bits(n, 2).into_iter().map(|x| (x % 2000) as i64 - 1000).collect::<Vec<i64>>(), vec![0; n]);
            form!(offloaded, powers(&small, &mut f, 5));
            let mut g = vec![0; n];
            form!(offloaded, hashes(12345, &mut g));
            all!(a, b, c, d, e, f, g)
        },
        &[0, 7, 300],
    );
}
