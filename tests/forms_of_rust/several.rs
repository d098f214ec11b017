//! Several numbers at once, and arrays that functions give: tuples at the ends of `if`, `match`, helper functions and closures, lists taken
//! apart, arrays of a fixed size that are assigned.

use super::{SIZES, all, both, form, same};
use ndarray::{Array2, ArrayView1, ArrayViewMut1};

both! {
    pub fn of_branches(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> f64 {
        let (mut low, mut high) = (0.0, 0.0);
        for i in 0..x.len() {
            let (a, b) = if x[i] > 0.5 { (x[i], 1) } else if i % 2 == 0 { (-x[i], 2) } else { (0.25, 3) };
            let (c, d) = match i % 3 {
                0 => (1.0, a),
                1 => {
                    let twice = 2.0 * a;
                    (twice, twice)
                }
                _ => continue,
            };
            y[i] = a * b as f64 + c - d;
            (low, high) = if a < low { (a, high) } else { (low, a.max(high)) };
        }
        high - low
    }

    pub fn of_functions(x: &[f64], y: &mut [f64]) -> (f64, i32) {
        #[inline]
        fn parts(x: f64) -> (f64, i32) {
            if x < 0.25 {
                return (x, 0);
            }
            let whole = (x * 4.0).floor();
            (x * 4.0 - whole, whole as i32)
        }
        let swapped = |a: f64, b: f64| if a < b { (b, a) } else { (a, b) };
        let mut count = 0;
        let mut sum = 0.0;
        for i in 0..x.len() {
            let (rest, whole) = parts(x[i]);
            let (large, small) = swapped(rest, y[i]);
            y[i] = large - 2.0 * small;
            count += whole;
            sum += rest;
        }
        (sum, count)
    }

    pub fn of_arrays(state: &mut Array2<f64>, h: f64) {
        #[inline]
        fn slope(s: [f64; 3], k: f64) -> [f64; 3] {
            let [x, y, z] = s;
            if z > 0.75 {
                return [0.0; 3];
            }
            [k * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z]
        }
        for i in 0..state.nrows() {
            let mut s = [state[[i, 0]], state[[i, 1]], state[[i, 2]]];
            for _ in 0..3 {
                let a = slope(s, 10.0);
                let b = slope([s[0] + h * a[0], s[1] + h * a[1], s[2] + h * a[2]], 10.0);
                let mut next = s;
                for k in 0..3 {
                    next[k] += 0.5 * h * (a[k] + b[k]);
                }
                s = next;
            }
            let [first, second, third] = s;
            state[[i, 0]] = first;
            state[[i, 1]] = second;
            state[[i, 2]] = third;
        }
    }

    pub fn of_lists(x: &[f64], coefficients: &[f64; 3], counts: &mut [u32; 4]) -> f64 {
        let [a, b, c] = *coefficients;
        *counts = [0; 4];
        let mut last = [0.0; 2];
        let mut ones = vec![0.0; x.len()];
        ones = vec![1.0; x.len()];
        for &v in x {
            counts[(v * 4.0) as usize % 4] += 1;
            last = [last[1], a + b * v + c * v * v];
            last = if v > 0.75 { [last[1], last[0]] } else { last };
        }
        last[0] - last[1] + ones.iter().sum::<f64>()
    }

    pub fn of_points(points: &[[f64; 3]], pairs: &[[usize; 2]], sums: &mut [[f64; 3]], grid: &mut [[u32; 4]; 4]) -> f64 {
        #[inline]
        fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
            [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
        }
        let mut length = 0.0;
        for s in sums.iter_mut() {
            *s = [0.25; 3];
        }
        for pair in pairs {
            let [i, j] = *pair;
            let d = difference(points[i], points[j]);
            length += d.iter().map(|v| v * v).sum::<f64>();
            for k in 0..3 {
                sums[i][k] += d[k];
            }
            sums[j] = points[i];
        }
        for p in points {
            let ([x, y, _], turn) = (*p, 1);
            let (i, j) = ((x * 4.0) as i64 - 1, (y * 5.0) as i64);
            if (0..4).contains(&i) && (0..=3).contains(&j) {
                grid[i as usize][j as usize] += turn;
            }
        }
        let first = points[0];
        first[0] + length
    }

    pub fn of_folds(x: ArrayView1<f64>) -> (f64, f64) {
        let (low, high) = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
        let (mean, square, _) = x.iter().fold((0.0, 0.0, 0), |(mean, square, n), v| {
            let d = v - mean;
            let mean = mean + d / (n + 1) as f64;
            (mean, square + d * (v - mean), n + 1)
        });
        (high - low + mean, square)
    }
}

#[test]
fn tuples_at_all_ends() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            let range = form!(offloaded, of_branches(x.view(), y.view_mut()));
            let (a, mut b) = (x.to_vec(), y.to_vec());
            let (sum, count) = form!(offloaded, of_functions(&a, &mut b));
            let (width, square) = form!(offloaded, of_folds(x.view()));
            all!(y, b, [range], [sum], [count], [width], [square])
        },
        &SIZES,
    );
}

#[test]
fn slices_of_arrays() {
    same(
        |offloaded, given, n| {
            let rows = |seed| given.matrix(n, 3, seed).rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect();
            let (points, mut sums): (Vec<[f64; 3]>, Vec<[f64; 3]>) = (rows(1), rows(2));
            let pairs: Vec<[usize; 2]> = (0..2 * n).map(|i| [i % n, 7 * i % n]).collect();
            let mut grid = [[0; 4]; 4];
            let length = form!(offloaded, of_points(&points, &pairs, &mut sums, &mut grid));
            all!(sums.concat(), grid.concat(), [length])
        },
        &SIZES[1..],
    );
}

#[test]
fn arrays_of_a_fixed_size() {
    same(
        |offloaded, given, n| {
            let mut state = given.matrix(n, 3, 1);
            form!(offloaded, of_arrays(&mut state, 0.01));
            let mut counts = [7; 4];
            let difference =
                form!(offloaded, of_lists(given.vector(n, 2).as_slice().unwrap(), &[1.0, -2.0, 0.5], &mut counts));
            all!(state, counts, [difference])
        },
        &SIZES,
    );
}
