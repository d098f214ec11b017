//! `if let`, `let .. else`, `matches!` and patterns with names.

use super::{SIZES, all, both, form, same};
use ndarray::ArrayView1;

both! {
    pub fn found(x: &[f64], y: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        if let Some(i) = x.iter().position(|&v| v > 0.75) {
            sum += x[i];
            y[i] = 2.0;
        } else {
            sum -= 1.0;
        }
        let first = if let Some(&v) = x.first() { v } else { -1.0 };
        if let Some((i, v)) = x.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)) {
            y[i] += v;
        }
        let Some(last) = y.last() else { return sum };
        sum + first * last
    }

    pub fn classes(x: &[u8], counts: &mut [u32]) -> bool {
        for &c in x {
            if matches!(c, b'a'..=b'z' | b'_') {
                counts[0] += 1;
            }
            let vowel = matches!(c, v if v % 2 == 1 && v > 100);
            match c {
                digit @ b'0'..=b'9' => counts[1] += u32::from(digit - b'0'),
                other @ (b'A' | b'B') if vowel || other == b'B' => counts[2] += 1,
                _ => {}
            }
            if let 200.. = c {
                counts[3] += 1;
            }
        }
        matches!(counts[0], 0)
    }

    pub fn by_keys(x: &[i32], y: ArrayView1<i64>) -> (i32, usize) {
        let far = x.iter().copied().max_by_key(|v| v.abs()).unwrap_or(0);
        let near = (0..y.len()).min_by_key(|&i| y[i] * y[i]).unwrap_or(7);
        (far, near)
    }
}

#[test]
fn what_there_may_be() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1).to_vec(), given.vector(n, 2).to_vec());
            let sum = form!(offloaded, found(&x, &mut y));
            all!(y, [sum])
        },
        &SIZES,
    );
}

#[test]
fn names_in_patterns() {
    same(
        |offloaded, given, n| {
            let text: Vec<u8> = given.vector(10 * n, 1).iter().map(|v| (v * 226.0) as u8).collect();
            let mut counts = [0; 4];
            let none = form!(offloaded, classes(&text, &mut counts));
            let x: Vec<i32> = given.vector(n, 2).iter().map(|v| (v * 9.0) as i32 - 5).collect();
            let y = given.vector(n, 3).mapv(|v| (v * 9.0) as i64 - 5);
            let (far, near) = form!(offloaded, by_keys(&x, y.view()));
            all!(counts, [none], [far], [near])
        },
        &SIZES,
    );
}
