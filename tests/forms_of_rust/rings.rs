//! Quotients and remainders of numbers without sign: neighbours on a ring and on a torus, and operands of all 64 bits.

use super::{all, both, form, same};
use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3};
use std::panic::{AssertUnwindSafe, catch_unwind};

both! {
    /// The game of life on a torus, of which the neighbours are in lists.
    pub fn life(board: ArrayView2<bool>, mut next: ArrayViewMut2<bool>) {
        let (rows, cols) = (board.nrows(), board.ncols());
        for r in 0..rows {
            for c in 0..cols {
                let mut alive = 0;
                for dr in [rows - 1, 0, 1] {
                    for dc in [cols - 1, 0, 1] {
                        if dr == 0 && dc == 0 {
                            continue;
                        }
                        if board[[(r + dr) % rows, (c + dc) % cols]] {
                            alive += 1;
                        }
                    }
                }
                next[[r, c]] = matches!((board[[r, c]], alive), (true, 2) | (_, 3));
            }
        }
    }

    /// What streams to the neighbours: no two points go to one place.
    pub fn stream(f: ArrayView3<f64>, mut g: ArrayViewMut3<f64>) {
        const DY: [i64; 3] = [0, 1, -1];
        let (_, h, w) = f.dim();
        for y in 0..h {
            for x in 0..w {
                for q in 0..3 {
                    let to = (y as i64 + DY[q] + h as i64) as usize % h;
                    g[[q, to, (x + 2 * w - 1) % w]] = f[[q, y, x]];
                }
            }
        }
    }

    /// Two places of `x` for one of `n`, so the order counts; another extent than the array's.
    pub fn folded(x: &[f64], y: &mut [f64], n: usize) {
        for i in 0..x.len() {
            y[(i + 3) % n] = x[i] + y[i % n];
        }
    }

    /// One red or black point after the other.
    pub fn sweep(spin: &mut Array2<i8>) {
        let (n, m) = spin.dim();
        for colour in 0..2 {
            for i in 0..n {
                for j in ((i + colour) % 2..m).step_by(2) {
                    let sum = spin[[(i + 1) % n, j]] + spin[[(i + n - 1) % n, j]] + spin[[i, (j + 1) % m]] + spin[[i, (j + m - 1) % m]];
                    if sum <= 0 {
                        spin[[i, j]] = -spin[[i, j]];
                    }
                }
            }
        }
    }

    pub fn divided(x: &[u64], y: &[u64], q: &mut [u64], r: &mut [u64]) {
        for i in 0..q.len() {
            q[i] = x[i] / y[i];
            r[i] = x[i] % y[i];
        }
    }

    /// Numbers that are below `n` or not, in a ring that may be of 2^63 and more.
    pub fn moved(x: &[u64], n: u64, by: u64, y: &mut [u64]) {
        for i in 0..y.len() {
            y[i] = (x[i] + by) % n + (i as u64 + by) / n;
        }
    }
}

#[test]
fn neighbours_on_rings() {
    same(
        |offloaded, given, n| {
            let m = n + n / 2;
            let board = given.matrix(n, m, 1).mapv(|x| x > 0.3);
            let mut next = board.clone();
            form!(offloaded, life(board.view(), next.view_mut()));
            let f = Array3::from_shape_fn((3, n, m), |(q, y, x)| (q * 1000 + y * 50 + x) as f64);
            let mut g = f.mapv(|x| -x);
            form!(offloaded, stream(f.view(), g.view_mut()));
            let (x, mut y) = (given.vector(3 * n, 2).to_vec(), vec![0.5; n + 1]);
            form!(offloaded, folded(&x, &mut y, n + 1));
            let mut spin = given.matrix(n, m, 3).mapv(|x| if x > 0.0 { 1 } else { -1 });
            form!(offloaded, sweep(&mut spin));
            all!(next, g, y, spin)
        },
        &[0, 1, 2, 3, 7, 40],
    );
}

/// Numbers about the ends of the range and about 2^63.
const ENDS: [u64; 10] = [1, 2, 3, 7, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX, 1 << 32];

#[test]
fn operands_of_all_bits() {
    same(
        |offloaded, _, n| {
            let pairs = ENDS.iter().flat_map(|a| ENDS.iter().map(|b| (*a - 1, *b)));
            let (x, y): (Vec<u64>, Vec<u64>) = pairs.cycle().take(n).unzip();
            let (mut q, mut r) = (vec![0; n], vec![0; n]);
            form!(offloaded, divided(&x, &y, &mut q, &mut r));
            let small: Vec<u64> = x.iter().map(|x| x / 2).collect();
            let mut moves = vec![vec![0; n]; 2 * ENDS.len()];
            for (at, to) in ENDS.iter().enumerate() {
                form!(offloaded, moved(&small, *to, 5, &mut moves[at]));
                form!(offloaded, moved(&small, *to, 1 << 62, &mut moves[ENDS.len() + at]));
            }
            let moves = moves.concat();
            all!(q, r, moves)
        },
        &[0, 1, 100, 300],
    );
}

#[test]
fn a_divisor_of_zero_panics() {
    let said = |offloaded: bool, call: &dyn Fn(bool)| {
        let panic = catch_unwind(AssertUnwindSafe(|| call(offloaded))).expect_err("a panic");
        panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()))
    };
    let calls: [&dyn Fn(bool); 3] = [
        &|offloaded| form!(offloaded, divided(&[5, 6], &[2, 0], &mut [0; 2], &mut [0; 2])),
        &|offloaded| form!(offloaded, moved(&[5, 6], 0, 1, &mut [0; 2])),
        &|offloaded| form!(offloaded, folded(&[5.0, 6.0], &mut [0.0; 2], 0)),
    ];
    for call in calls {
        let found = said(true, call);
        let words = ["divide by zero", "remainder with a divisor of zero"];
        assert!(found.iter().any(|text| words.iter().any(|words| text.contains(words))), "{found:?}");
        assert!(said(false, call).is_some());
    }
}
