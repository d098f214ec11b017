//! Constant arrays of the file and of its modules.

use super::{SIZES, all, form, same};

const KERNEL: [f64; 3] = [0.25, HALF, 0.25];
const HALF: f64 = 0.5;
static TURNS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];
const POWERS: &[f64] = &[1.0, 10.0, 100.0];
const SQUARES: [u64; 9] = squares();

const fn squares() -> [u64; 9] {
    let mut all = [0; 9];
    let mut i = 0;
    while i < 9 {
        all[i] = (i * i) as u64;
        i += 1;
    }
    all
}

mod deep {
    pub const OFFSETS: [usize; 2] = [1, 2];
}

#[inline]
fn weighted(x: &[f64], i: usize) -> f64 {
    KERNEL[0] * x[i] + KERNEL[1] * x[i + 1] + KERNEL[2] * x[i + 2]
}

mod fast {
    use super::*;

    #[megha::offload]
    pub fn tables(x: &[f64], y: &mut [f64], turn: usize) -> (i32, u64) {
        for i in 0..y.len() {
            let mut sum = weighted(x, i);
            for (k, w) in KERNEL.iter().enumerate() {
                sum += w * x[i + k] * POWERS[k];
            }
            y[i] = sum + x[i + deep::OFFSETS[1]];
        }
        let turns = TURNS[turn];
        (turns[0] * 3 + turns[1], SQUARES[turn + SQUARES.len() - 4])
    }
}

mod plain {
    use super::*;

    pub fn tables(x: &[f64], y: &mut [f64], turn: usize) -> (i32, u64) {
        for i in 0..y.len() {
            let mut sum = weighted(x, i);
            for (k, w) in KERNEL.iter().enumerate() {
                sum += w * x[i + k] * POWERS[k];
            }
            y[i] = sum + x[i + deep::OFFSETS[1]];
        }
        let turns = TURNS[turn];
        (turns[0] * 3 + turns[1], SQUARES[turn + SQUARES.len() - 4])
    }
}

#[test]
fn tables_of_the_file() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n + 2, 1).to_vec(), vec![0.0; n]);
            let (turned, square) = form!(offloaded, tables(&x, &mut y, n % 4));
            all!(y, [turned], [square])
        },
        &SIZES,
    );
}
