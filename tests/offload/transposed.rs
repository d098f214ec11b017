//! Recurrences along rows that lie in memory as they run: vectors of rows, whose elements are transposed a few iterations at a time. All bits are those
//! of the plain loops, and nothing beside what they store changes.

use super::{Lay, both, cut, cut_mut, noise};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

both! {
    /// What the iteration before has stored.
    pub fn smoothed(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, _d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 1..m {
                c[[i, j]] = 0.25 * a[[i, j]] + 0.75 * c[[i, j - 1]];
            }
        }
    }

    /// Five and two iterations before, backwards, and three ahead of another array.
    pub fn farther(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, _d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in (3..m - 5).rev() {
                c[[i, j]] = a[[i, j - 3]] - 0.5 * c[[i, j + 5]] * c[[i, j + 2]] / a[[i, j]];
            }
        }
    }

    /// Nine iterations before, farther than a block.
    pub fn farthest(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, _d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 9..m {
                c[[i, j]] = a[[i, j]] + c[[i, j - 9]] * c[[i, j - 1]];
            }
        }
    }

    /// What was there before, of this iteration, of the next ones, and after it is stored.
    pub fn before_and_after(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, mut d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 1..m - 2 {
                let own = c[[i, j]];
                c[[i, j]] = own * a[[i, j]] + c[[i, j + 2]] - c[[i, j - 1]];
                d[[i, j]] = c[[i, j]] + own;
            }
        }
    }

    /// Numbers that rows carry, and one of the iteration.
    pub fn carried(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, mut d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            let (mut last, mut before, mut other) = (a[[i, m - 1]], 0.0, -0.0);
            for j in 0..m {
                let next = 0.5 * a[[i, j]] + last * 0.5 - before * a[[0, j]];
                c[[i, j]] = next;
                (before, last) = (last, next);
                other = -other + next;
            }
            d[[i, 0]] = last - before + other;
        }
    }

    /// Besides, one of the row: not so.
    pub fn of_the_row(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, mut d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            let gain = a[[i, 0]] + 0.5;
            let (mut last, mut before, mut other) = (a[[i, m - 1]], 0.0, -0.0);
            for j in 0..m {
                let next = gain * a[[i, j]] + last * 0.5 - before * a[[0, j]];
                c[[i, j]] = next;
                (before, last) = (last, next);
                other = -other + next;
            }
            d[[i, 0]] = last - before + other;
        }
    }

    /// Rows and columns, and rows beside each other.
    pub fn crossed(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, mut d: ArrayViewMut2<f64>) {
        let n = c.nrows().min(c.ncols());
        for i in 1..n - 1 {
            c[[i, 0]] = 0.5;
            d[[0, i]] = 1.0;
            for j in 1..n - 1 {
                c[[i, j]] = a[[i - 1, j]] - a[[j, i]] + a[[i + 1, j + 1]] * c[[i, j - 1]];
            }
            for j in (1..n).rev() {
                d[[j, i]] = c[[i, j]] * a[[j, i - 1]];
            }
        }
    }

    /// Two that wait for each other.
    pub fn coupled(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, mut d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 1..m {
                c[[i, j]] = -0.5 / (0.25 * c[[i, j - 1]] + 2.0);
                d[[i, j]] = (a[[i, j]] - d[[i, j - 1]]) / (0.25 * c[[i, j - 1]] + 2.0);
            }
            for j in (0..m - 1).rev() {
                d[[i, j]] += c[[i, j]] * d[[i, j + 1]];
            }
        }
    }

    /// Two places of one array: not so.
    pub fn two_places(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, _d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 1..m - 1 {
                c[[i, j]] = a[[i, j]] + c[[i, j - 1]];
                c[[i, j + 1]] = c[[i, j]] * 0.5;
            }
        }
    }

    /// A diagonal of its own for each row.
    pub fn skewed(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, _d: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 0..n {
            for j in 1..m {
                c[[i, j]] = a[[i, i + j]] + 0.5 * c[[i, j - 1]];
            }
        }
    }
}

mod singles {
    use super::*;

    both! {
        /// Numbers of which a vector has twice as many.
        pub fn smoothed(a: ArrayView2<f32>, mut c: ArrayViewMut2<f32>) {
            let (n, m) = c.dim();
            for i in 0..n {
                let mut carried = a[[i, 0]];
                for j in 1..m {
                    carried = carried * 0.5 - a[[i, j]];
                    c[[i, j]] = 0.25 * carried + 0.75 * c[[i, j - 1]];
                }
            }
        }
    }

    #[test]
    fn they_do_what_the_loops_do() {
        for (n, m) in [(1, 1), (3, 9), (16, 8), (17, 40), (150, 21)] {
            let make = |seed| Array2::from_shape_vec((n, m), noise(n * m, seed)).unwrap().mapv(|x| x as f32);
            let (a, mut want) = (make(1), make(2));
            let mut got = want.clone();
            plain::smoothed(a.view(), want.view_mut());
            fast::smoothed(a.view(), got.view_mut());
            assert!(want.iter().zip(&got).all(|(want, got)| want.to_bits() == got.to_bits()), "{n} by {m}");
        }
    }
}

type Form = fn(ArrayView2<f64>, ArrayViewMut2<f64>, ArrayViewMut2<f64>);

const FORMS: [(&str, Form, Form); 10] = [
    ("smoothed", plain::smoothed, fast::smoothed),
    ("farther", plain::farther, fast::farther),
    ("farthest", plain::farthest, fast::farthest),
    ("before_and_after", plain::before_and_after, fast::before_and_after),
    ("carried", plain::carried, fast::carried),
    ("of_the_row", plain::of_the_row, fast::of_the_row),
    ("crossed", plain::crossed, fast::crossed),
    ("coupled", plain::coupled, fast::coupled),
    ("two_places", plain::two_places, fast::two_places),
    ("skewed", plain::skewed, fast::skewed),
];

fn made(n: usize, m: usize, lay: Lay, seed: u64) -> Array2<f64> {
    let mut made = super::base(n, m, lay, seed);
    let special = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 8.0];
    let len = made.len();
    made.iter_mut().step_by(len / 5 + 7).zip(special).for_each(|(to, value)| *to = value);
    made
}

fn bits(array: &Array2<f64>) -> Vec<u64> {
    array.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

/// From fewer rows than a vector has to more than a tile, and from fewer iterations than a block has to several.
#[test]
fn they_do_what_the_loops_do() {
    for (n, m) in [(9, 9), (11, 10), (3, 41), (8, 16), (13, 17), (40, 12), (131, 25)] {
        for lay in [Lay::Rows, Lay::Columns, Lay::Strided, Lay::Reversed] {
            let side = n + m;
            let (a, c, d) = (made(side, side, lay, 1), made(n, m, lay, 2), made(n, m.max(n), lay, 3));
            for (name, plain, fast) in FORMS {
                let [want, got] = [plain, fast].map(|form| {
                    let (mut c, mut d) = (c.clone(), d.clone());
                    form(cut(&a, lay), cut_mut(&mut c, lay), cut_mut(&mut d, lay));
                    (bits(&c), bits(&d))
                });
                assert!(want == got, "{name} of {n} by {m}");
            }
        }
    }
}
