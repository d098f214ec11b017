//! deriche, floyd-warshall, nussinov.

use super::{Given, all, both, form, same};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

both! {
    pub fn deriche(
        alpha: f64,
        img_in: ArrayView2<f64>,
        mut img_out: ArrayViewMut2<f64>,
        mut y1: ArrayViewMut2<f64>,
        mut y2: ArrayViewMut2<f64>,
    ) {
        let (w, h) = img_in.dim();
        let k = (1.0 - (-alpha).exp()) * (1.0 - (-alpha).exp())
            / (1.0 + 2.0 * alpha * (-alpha).exp() - (2.0 * alpha).exp());
        let (a1, a5) = (k, k);
        let a2 = k * (-alpha).exp() * (alpha - 1.0);
        let a6 = a2;
        let a3 = k * (-alpha).exp() * (alpha + 1.0);
        let a7 = a3;
        let a4 = -k * (-2.0 * alpha).exp();
        let a8 = a4;
        let b1 = 2.0_f64.powf(-alpha);
        let b2 = -(-2.0 * alpha).exp();
        let (c1, c2) = (1.0, 1.0);
        for i in 0..w {
            let mut ym1 = 0.0;
            let mut ym2 = 0.0;
            let mut xm1 = 0.0;
            for j in 0..h {
                y1[[i, j]] = a1 * img_in[[i, j]] + a2 * xm1 + b1 * ym1 + b2 * ym2;
                xm1 = img_in[[i, j]];
                ym2 = ym1;
                ym1 = y1[[i, j]];
            }
        }
        for i in 0..w {
            let (mut yp1, mut yp2, mut xp1, mut xp2) = (0.0, 0.0, 0.0, 0.0);
            for j in (0..h).rev() {
                y2[[i, j]] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
                xp2 = xp1;
                xp1 = img_in[[i, j]];
                yp2 = yp1;
                yp1 = y2[[i, j]];
            }
        }
        for i in 0..w {
            for j in 0..h {
                img_out[[i, j]] = c1 * (y1[[i, j]] + y2[[i, j]]);
            }
        }
        for j in 0..h {
            let mut tm1 = 0.0;
            let mut ym1 = 0.0;
            let mut ym2 = 0.0;
            for i in 0..w {
                y1[[i, j]] = a5 * img_out[[i, j]] + a6 * tm1 + b1 * ym1 + b2 * ym2;
                tm1 = img_out[[i, j]];
                ym2 = ym1;
                ym1 = y1[[i, j]];
            }
        }
        for j in 0..h {
            let (mut tp1, mut tp2, mut yp1, mut yp2) = (0.0, 0.0, 0.0, 0.0);
            for i in (0..w).rev() {
                y2[[i, j]] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
                tp2 = tp1;
                tp1 = img_out[[i, j]];
                yp2 = yp1;
                yp1 = y2[[i, j]];
            }
        }
        for i in 0..w {
            for j in 0..h {
                img_out[[i, j]] = c2 * (y1[[i, j]] + y2[[i, j]]);
            }
        }
    }

    pub fn floyd_warshall(path: &mut Array2<f64>) {
        let n = path.nrows();
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    path[[i, j]] = if path[[i, j]] < path[[i, k]] + path[[k, j]] {
                        path[[i, j]]
                    } else {
                        path[[i, k]] + path[[k, j]]
                    };
                }
            }
        }
    }

    pub fn nussinov(seq: &[u8], table: &mut Array2<i32>) {
        let n = seq.len();
        for i in (0..n).rev() {
            for j in i + 1..n {
                if j >= 1 {
                    table[[i, j]] = table[[i, j]].max(table[[i, j - 1]]);
                }
                if i + 1 < n {
                    table[[i, j]] = table[[i, j]].max(table[[i + 1, j]]);
                }
                if j >= 1 && i + 1 < n {
                    if i < j - 1 {
                        let matched = if seq[i] + seq[j] == 3 { 1 } else { 0 };
                        table[[i, j]] = table[[i, j]].max(table[[i + 1, j - 1]] + matched);
                    } else {
                        table[[i, j]] = table[[i, j]].max(table[[i + 1, j - 1]]);
                    }
                }
                for k in i + 1..j {
                    table[[i, j]] = table[[i, j]].max(table[[i, k]] + table[[k + 1, j]]);
                }
            }
        }
    }
}

#[test]
fn shortest_paths() {
    same(
        |offloaded, given, n| {
            let mut path = given.matrix(n, n, 1).mapv(|x| (x * 100.0).floor());
            form!(offloaded, floyd_warshall(&mut path));
            all!(path)
        },
        &[0, 1, 5, 23],
    );
}

#[test]
fn pairs_of_bases() {
    same(
        |offloaded, given, n| {
            let seq: Vec<u8> = given.vector(n, 1).iter().map(|x| (x * 16.0) as u8 % 4).collect();
            let mut table = Array2::zeros((n, n));
            form!(offloaded, nussinov(&seq, &mut table));
            all!(table)
        },
        &[0, 1, 5, 23],
    );
}

/// Megha's `exp` and `powf` may differ from the standard library's in their last bits, and so may what is computed from them.
#[test]
fn a_recursive_filter() {
    for columns_first in [false, true] {
        let given = Given { columns_first };
        let [want, found] = [false, true].map(|offloaded| {
            let (input, mut output) = (given.matrix(17, 23, 1), given.matrix(17, 23, 2));
            let (mut y1, mut y2) = (given.matrix(17, 23, 3), given.matrix(17, 23, 4));
            form!(offloaded, deriche(0.25, input.view(), output.view_mut(), y1.view_mut(), y2.view_mut()));
            output
        });
        for (want, found) in want.iter().zip(&found) {
            assert!((want - found).abs() <= 1e-13 * want.abs().max(1.0), "{want} {found}");
        }
    }
}
