//! Loops inside of points that run as often as the point says, in tiles along the loops along which they run alike: all bits are those of the plain loops.

use super::{base, both, cut, cut_mut, lay};
use megha::rt::{Level, panels};
use ndarray::{Array2, Array3, ArrayView2, ArrayViewMut2, ArrayViewMut3};
use proptest::prelude::*;

both! {
    /// A product with a lower triangle.
    pub fn lower(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0.0;
                for k in 0..=i {
                    sum += a[[i, k]] * b[[k, j]];
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// With an upper one, in the element itself.
    pub fn upper(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..b.ncols() {
                for k in i + 1..n {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }

    /// From the other side: columns have their own lengths.
    pub fn from_the_right(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..b.ncols() {
            for j in 0..n {
                for k in 0..j {
                    c[[j, i]] -= b[[k, i]] * a[[k, j]];
                }
            }
        }
    }

    /// One loop as long as the row says, one as the column.
    pub fn both_ways(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0.5;
                for k in 0..i {
                    sum += a[[i, k]] * b[[k, j]];
                }
                for k in 0..j {
                    sum -= b[[i, k]] * 0.25;
                }
                c[[i, j]] += sum;
            }
        }
    }

    /// A band, with a loop inside whose length is that of the one around.
    pub fn nested(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0.0;
                for k in i.saturating_sub(3)..i {
                    for l in 0..k {
                        sum += a[[i, l]] * b[[k, j]];
                    }
                }
                c[[i, j]] += sum;
            }
        }
    }

    /// Few columns, along which nothing is gained.
    pub fn few(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        if b.ncols() < 2 {
            return;
        }
        for i in 0..a.nrows() {
            for j in 0..2 {
                for k in 0..i {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }

    /// A condition, and a loop that is left.
    pub fn left_early(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0.0;
                for k in 0..=i {
                    if sum > 1.5 {
                        break;
                    }
                    if b[[k, j]] > 0.25 {
                        sum += a[[i, k]];
                    }
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// What a loop of no rounds would read decides nothing about what stands beside it.
    pub fn beside_no_rounds(a: &[f64], mut c: ArrayViewMut2<f64>, rounds: usize, from: usize) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let mut sum = 0.0;
                for k in 0..i {
                    for l in 0..rounds {
                        sum += a[k + from] * a[l];
                    }
                    if k + from < a.len() {
                        sum += a[k + from];
                    }
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// The same under loops that are as long everywhere.
    pub fn beside_none_anywhere(a: &[f64], mut c: ArrayViewMut2<f64>, rounds: usize, from: usize) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let mut sum = 0.0;
                for k in 0..c.nrows() {
                    for l in 0..rounds {
                        sum += a[k + from] * a[l];
                    }
                    if k + from < a.len() {
                        sum += a[k + from];
                    }
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// Inside of a loop whose length its start decides.
    pub fn inside_no_rounds(a: &[f64], mut c: ArrayViewMut2<f64>, _rounds: usize, from: usize) {
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let mut sum = 0.0;
                for k in 0..c.nrows() {
                    for l in k + from + j..a.len() {
                        sum += a[k + from] * a[l];
                    }
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// A symmetric matrix by its lower triangle: what a loop sums up and what it adds to other rows.
    pub fn symmetric(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() {
            for j in 0..b.ncols() {
                let mut sum = 0.0;
                for k in 0..i {
                    c[[k, j]] += 0.5 * b[[i, j]] * a[[i, k]];
                    sum += b[[k, j]] * a[[i, k]];
                }
                c[[i, j]] = 0.25 * c[[i, j]] + sum;
            }
        }
    }

    /// Each row has some less, backwards; most have none.
    pub fn fewer(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..b.ncols() {
                for k in (3 * i..n).rev() {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }

    /// Twice as many as the row says, up to what there is.
    pub fn twice(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        for i in 0..a.nrows() / 2 {
            for j in 0..b.ncols() {
                let mut sum = c[[i, j]];
                for k in 0..2 * i {
                    sum -= a[[i, k]] * b[[k, j]];
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// Of the last row there is no element that anything touches.
    pub fn all_but_the_last(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let n = a.nrows();
        if n == 0 {
            return;
        }
        let mut c = c.slice_mut(ndarray::s![..n - 1, ..]);
        for i in 0..n {
            for j in 0..b.ncols() {
                for k in i + 1..n {
                    c[[i, j]] += a[[i, k]] * b[[k, j]];
                }
            }
        }
    }

    /// Rows of three indices: those of two of them run alike.
    pub fn of_three(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut3<f64>) {
        let (n, m, p) = c.dim();
        for r in 0..n {
            for q in 0..m {
                for s in 0..p {
                    let mut sum = 0.0;
                    for k in 0..=r {
                        sum += a[[q, k]] * b[[k, s]];
                    }
                    c[[r, q, s]] += sum;
                }
            }
        }
    }
}

megha::matlab! {
    function r = summed(a, c)
        arguments
            a (3,n) double
            c (n,n) double
        end
        b = zeros(3, size(a, 2));
        for i = 1:3
            for j = 1:size(a, 2)
                s = 0;
                for k = 1:j
                    s = s + c(i, k) * c(k, j);
                end
                b(i, j) = s + a(i, j);
            end
        end
        r = sum(b, 1);
    end
}

/// A reduction of points whose loops are as long as the result's column says, in both orders of memory.
#[test]
fn of_what_is_reduced() {
    for n in [3, 4, 17, 130] {
        let number = |i: usize, j: usize| ((i * 7 + j * 3) % 11) as f64 - 4.0;
        let (a, c) = (
            Array2::from_shape_fn((3, n), |(i, j)| number(i, j)),
            Array2::from_shape_fn((n, n), |(i, j)| number(j, i)),
        );
        let of = |i: usize, j: usize| a[[i, j]] + (0..=j).map(|k| c[[i, k]] * c[[k, j]]).sum::<f64>();
        let expected = Array2::from_shape_fn((1, n), |(_, j)| (0..3).map(|i| of(i, j)).sum::<f64>());
        assert_eq!(summed(&a, &c).unwrap(), expected);
        let [a, c] = [&a, &c].map(|of| of.t().as_standard_layout().into_owned().reversed_axes());
        assert_eq!(summed(&a, &c).unwrap(), expected);
    }
}

type Product = fn(ArrayView2<f64>, ArrayView2<f64>, ArrayViewMut2<f64>);

const ALL: [(&str, Product, Product); 11] = [
    ("lower", plain::lower, fast::lower),
    ("upper", plain::upper, fast::upper),
    ("from_the_right", plain::from_the_right, fast::from_the_right),
    ("both_ways", plain::both_ways, fast::both_ways),
    ("nested", plain::nested, fast::nested),
    ("few", plain::few, fast::few),
    ("left_early", plain::left_early, fast::left_early),
    ("symmetric", plain::symmetric, fast::symmetric),
    ("fewer", plain::fewer, fast::fewer),
    ("twice", plain::twice, fast::twice),
    ("all_but_the_last", plain::all_but_the_last, fast::all_but_the_last),
];

fn bits(x: &f64) -> u64 {
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_the_point(n in 0..40usize, m in 0..40usize, lay in lay(), seed in 0..100u64) {
        let (a, b) = (base(n, n, lay, seed), base(n, n.max(m), lay, seed + 1));
        for (name, plain, fast) in ALL {
            let run = |f: Product| {
                let mut c = base(n, n.max(m), lay, seed + 2);
                f(cut(&a, lay), cut(&b, lay), cut_mut(&mut c, lay));
                c.map(bits)
            };
            prop_assert_eq!(run(plain), run(fast), "{} of {} by {}", name, n, m);
        }
    }

    #[test]
    fn of_three_indices(n in 0..12usize, m in 0..12usize, p in 0..40usize, lay in lay(), seed in 0..100u64) {
        let (a, b) = (base(m, n, lay, seed), base(n, p, lay, seed + 1));
        let run = |f: fn(ArrayView2<f64>, ArrayView2<f64>, ArrayViewMut3<f64>)| {
            let mut c = Array3::from_shape_fn((n, m, p), |(i, j, k)| (i * 7 + j * 3 + k) as f64 / 8.0);
            f(cut(&a, lay), cut(&b, lay), c.view_mut());
            c.map(bits)
        };
        prop_assert_eq!(run(plain::of_three), run(fast::of_three));
    }
}

/// Register tiles whose rows have lengths of their own: neither blocks of iterations, rows and points of any size nor instruction sets change a bit.
#[test]
fn of_blocks_of_any_size() {
    for level in Level::available() {
        level.limit();
        for blocks in [[1, 1, 1], [5, 13, 33], [16, 24, 8]] {
            for (lay, n, m) in [(super::Lay::Rows, 23, 37), (super::Lay::Columns, 40, 33), (super::Lay::Rows, 9, 16)] {
                let (a, mut b) = (base(n, n, lay, 1), base(n, n.max(m), lay, 2));
                // What a row must not touch would show.
                b.row_mut(n - 1).fill(f64::INFINITY);
                for (name, plain, fast) in ALL {
                    let run = |f: Product| {
                        let mut c = base(n, n.max(m), lay, 3);
                        c.column_mut(5).fill(-0.0);
                        f(cut(&a, lay), cut(&b, lay), cut_mut(&mut c, lay));
                        c.map(bits)
                    };
                    let found = panels::within(blocks, || run(fast));
                    assert_eq!(run(plain), found, "{name} of {n} by {m}, {blocks:?}");
                }
            }
        }
    }
    Level::Avx512.limit();
}

/// Elements far behind the arrays' ends are touched by no iteration.
#[test]
fn loops_of_no_rounds_touch_nothing() {
    type Guarded = fn(&[f64], ArrayViewMut2<f64>, usize, usize);
    let all: [(Guarded, Guarded); 3] = [
        (plain::beside_no_rounds, fast::beside_no_rounds),
        (plain::beside_none_anywhere, fast::beside_none_anywhere),
        (plain::inside_no_rounds, fast::inside_no_rounds),
    ];
    let a: Vec<f64> = (0..10).map(|i| i as f64 + 0.5).collect();
    for (plain, fast) in all {
        for from in [0, 3, 9, 10, 1 << 36] {
            let run = |f: Guarded| {
                let mut c = Array2::ones((7, 30));
                f(&a, c.view_mut(), 0, from);
                c.map(bits)
            };
            assert_eq!(run(plain), run(fast), "from {from}");
        }
    }
}

#[test]
fn on_several_threads() {
    for lay in [super::Lay::Rows, super::Lay::Columns] {
        let (a, b) = (base(110, 110, lay, 1), base(110, 150, lay, 2));
        for (name, plain, fast) in ALL {
            let run = |f: Product| {
                let mut c = base(110, 150, lay, 3);
                f(cut(&a, lay), cut(&b, lay), cut_mut(&mut c, lay));
                c.map(bits)
            };
            assert_eq!(run(plain), run(fast), "{name}");
        }
    }
}
