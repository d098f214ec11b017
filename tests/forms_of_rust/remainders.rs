//! Remainders of floats, exact as Rust's, of numbers of all magnitudes; methods of the bits of whole numbers; cube roots and logarithms.

use super::{all, both, form, same};

both! {
    pub fn doubles(x: &[f64], y: &[f64], z: &mut [f64]) {
        for i in 0..z.len() {
            let (a, b) = (x[i], y[i]);
            z[i] = match i % 4 {
                0 => a % b,
                1 => a.rem_euclid(b),
                2 => a.div_euclid(b),
                _ => a % 0.75,
            };
        }
    }

    pub fn singles(x: &[f32], y: &[f32], z: &mut [f32]) {
        for i in 0..z.len() {
            let (mut a, b) = (x[i], y[i]);
            a %= b;
            z[i] = if i % 2 == 0 { a } else { a.rem_euclid(0.1) };
        }
    }

    pub fn turned(bytes: &mut [i8], halves: &mut [u16], words: &mut [i32], longs: &mut [u64], by: &[u32]) {
        for i in 0..by.len() {
            let n = by[i];
            let (a, b, c, d) = (bytes[i], halves[i], words[i], longs[i]);
            bytes[i] = match i % 3 {
                0 => a.rotate_left(n),
                1 => a.rotate_right(n).wrapping_neg(),
                _ => a.wrapping_shl(n) ^ a.wrapping_shr(n),
            };
            halves[i] = b.rotate_right(n) ^ (a.count_zeros() + a.leading_ones() + a.trailing_ones()) as u16;
            words[i] = c.rotate_left(n).wrapping_neg() + if c.is_negative() { 7 } else { c.is_positive() as i32 };
            longs[i] = match i % 3 {
                0 => d.rotate_left(n).wrapping_mul(9),
                1 => d.count_zeros() as u64 + (b.leading_ones() + c.trailing_ones() + c.count_zeros()) as u64,
                _ => if d > 0 { d.ilog2() as u64 } else { d.wrapping_neg() },
            };
        }
    }

    pub fn largest(x: &[i64], y: &[i64], wide: &mut [i64], count: &mut [u64], word: &mut [u32], int: &mut [i32], byte: &mut [i8]) {
        for i in 0..x.len() {
            let (a, b) = (x[i], y[i]);
            wide[i] = a.saturating_mul(b) ^ a.wrapping_abs();
            count[i] = (a as u64).saturating_mul(b as u64);
            word[i] = (a as u32).saturating_mul(b as u32);
            int[i] = (a as i32).saturating_mul(b as i32) ^ (a as i32).wrapping_abs();
            byte[i] = (a as i8).saturating_mul(b as i8) ^ (a as i8).wrapping_abs();
        }
    }

    pub fn roots(x: &[f64], w: &[f32], y: &mut [f64], z: &mut [f32]) {
        for i in 0..y.len() {
            y[i] = x[i].cbrt();
            z[i] = w[i].cbrt();
        }
    }
}

/// Bits of all kinds.
fn bits(n: usize, seed: u64) -> Vec<u64> {
    let mut next = super::random(seed);
    (0..n).map(|_| next()).collect()
}

/// Numbers of all magnitudes, zeros, infinities and NaN among them, and some close to each other.
fn reals(n: usize, seed: u64) -> Vec<f64> {
    let special =
        [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0, f64::MAX, 5e-324, -3.5, 1e300, -1e-310];
    let number = |x: u64| match x % 8 {
        0 => special[(x / 8 % 12) as usize],
        1..=3 => f64::from_bits(x.rotate_left(17)),
        4 => (x >> 50) as f64 - 4000.0,
        _ => (x >> 11) as f64 / (1u64 << 50) as f64 - 4.0,
    };
    bits(n, seed).into_iter().map(number).collect()
}

#[test]
fn remainders_of_floats() {
    same(
        |offloaded, _, n| {
            let (x, y, mut z) = (reals(n, 1), reals(n, 2), vec![0.0; n]);
            form!(offloaded, doubles(&x, &y, &mut z));
            let single = |x: Vec<f64>| x.into_iter().map(|x| x as f32).collect::<Vec<f32>>();
            let mut w = vec![0.0; n];
            form!(offloaded, singles(&single(x), &single(y), &mut w));
            all!(z, w)
        },
        &[0, 7, 400],
    );
    // Far more of them on the processor.
    let (x, y, mut z, mut w) = (reals(200_000, 3), reals(200_000, 4), vec![0.0; 200_000], vec![0.0; 200_000]);
    plain::doubles(&x, &y, &mut z);
    fast::doubles(&x, &y, &mut w);
    for i in 0..z.len() {
        assert!(
            z[i].to_bits() == w[i].to_bits() || z[i].is_nan() && w[i].is_nan(),
            "{} {}: {} {}",
            x[i],
            y[i],
            z[i],
            w[i]
        );
    }
}

#[test]
fn bits_of_whole_numbers() {
    same(
        |offloaded, _, n| {
            let given = bits(n, 5);
            let by: Vec<u32> = given.iter().map(|x| (x >> 20) as u32 % 100).collect();
            let (mut a, mut b): (Vec<i8>, Vec<u16>) = given.iter().map(|x| (*x as i8, (x >> 8) as u16)).unzip();
            let (mut c, mut d): (Vec<i32>, Vec<u64>) = given.iter().map(|x| ((x >> 16) as i32, x >> (x % 61))).unzip();
            form!(offloaded, turned(&mut a, &mut b, &mut c, &mut d, &by));
            all!(a, b, c, d)
        },
        &[0, 7, 300],
    );
}

/// Products at the ends of the ranges, and close to where they begin to leave them.
#[test]
fn products_that_stay_in_the_range() {
    const ENDS: [i64; 14] =
        [0, 1, -1, 2, -2, 3, i64::MIN, i64::MAX, i64::MIN + 1, 1 << 31, 1 << 32, -1 << 31, u32::MAX as i64, 0x80];
    same(
        |offloaded, _, n| {
            let any = |seed| bits(n, seed).into_iter().map(|x| (x as i64) >> (x % 64));
            let pairs = ENDS.iter().flat_map(|a| ENDS.iter().map(|b| (*a, *b))).chain(any(7).zip(any(8)));
            let (x, y): (Vec<i64>, Vec<i64>) = pairs.take(if n == 0 { 0 } else { 196 + n }).unzip();
            let (mut wide, mut count, mut word) = (vec![0; x.len()], vec![0; x.len()], vec![0; x.len()]);
            let (mut int, mut byte) = (vec![0; x.len()], vec![0; x.len()]);
            form!(offloaded, largest(&x, &y, &mut wide, &mut count, &mut word, &mut int, &mut byte));
            all!(wide, count, word, int, byte)
        },
        &[0, 7, 400],
    );
}

/// Cube roots are Megha's own.
#[test]
fn cube_roots() {
    let x = reals(100_000, 6);
    let w: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let (mut y, mut z, mut u, mut v) = (vec![0.0; x.len()], vec![0.0; x.len()], vec![0.0; x.len()], vec![0.0; x.len()]);
    plain::roots(&x, &w, &mut y, &mut z);
    fast::roots(&x, &w, &mut u, &mut v);
    for i in 0..x.len() {
        let near = (y[i].to_bits() as i64 - u[i].to_bits() as i64).abs() <= 2;
        assert!(near || y[i].is_nan() && u[i].is_nan(), "{}: {} {}", x[i], y[i], u[i]);
        let near = (i64::from(z[i].to_bits()) - i64::from(v[i].to_bits())).abs() <= 2;
        assert!(near || z[i].is_nan() && v[i].is_nan(), "{}: {} {}", w[i], z[i], v[i]);
    }
}
