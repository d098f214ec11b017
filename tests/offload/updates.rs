//! Elements that gather by operations of which any order gives the same, beside others that mind the order: all are those of the plain loops.

use super::{Lay, both, lay};
use ndarray::{Array2, ArrayViewMut2, ShapeBuilder, s};
use proptest::prelude::*;
use std::fmt::Debug;

both! {
    /// The pairs of a chain, as PolyBench's `nussinov` counts them: each element gathers along its row and its column.
    pub fn pairs(mut t: ArrayViewMut2<i32>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] = t[[i, j]].max(t[[i, j - 1]]);
                t[[i, j]] = t[[i, j]].max(t[[i + 1, j]]);
                for k in i + 1..j {
                    t[[i, j]] = t[[i, j]].max(t[[i, k]] + t[[k + 1, j]]);
                }
            }
        }
    }

    /// By the smallest, in a scalar.
    pub fn least(mut t: ArrayViewMut2<i64>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                let mut least = t[[i, j]];
                for k in i + 1..j {
                    least = least.min(t[[i, k]].wrapping_add(t[[k, j]]));
                }
                t[[i, j]] = least;
            }
        }
    }

    /// Sums that wrap around.
    pub fn ways(mut t: ArrayViewMut2<i64>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] = t[[i, j]].wrapping_add(t[[i, j - 1]]);
                for k in i + 1..j {
                    t[[i, j]] = t[[i, j]].wrapping_add(t[[i, k]].wrapping_mul(t[[k, j]]));
                }
            }
        }
    }

    /// Of narrow numbers.
    pub fn narrow_ways(mut t: ArrayViewMut2<i16>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] = t[[i, j]].wrapping_add(t[[i, j - 1]]);
                for k in i + 1..j {
                    t[[i, j]] = t[[i, j]].wrapping_add(t[[i, k]].wrapping_mul(t[[k, j]]));
                }
            }
        }
    }

    /// What can be reached, by one step and by several.
    pub fn bits(mut t: ArrayViewMut2<u32>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] |= t[[i, j - 1]];
                for k in i + 1..j {
                    t[[i, j]] |= t[[i, k]] & t[[k, j]];
                }
            }
        }
    }

    /// Sums that stop at the largest number depend on their order.
    pub fn clamped(mut t: ArrayViewMut2<i32>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] = t[[i, j]].saturating_add(t[[i, j - 1]]);
                for k in i + 1..j {
                    t[[i, j]] = t[[i, j]].saturating_add(t[[i, k]].wrapping_sub(t[[k, j]]));
                }
            }
        }
    }

    /// The largest, and then the smallest: the one must come before the other.
    pub fn by_two(mut t: ArrayViewMut2<i32>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] = t[[i, j]].min(t[[i, j - 1]]);
                for k in i + 1..j {
                    t[[i, j]] = t[[i, j]].max(t[[i, k]] + t[[k, j]]);
                }
            }
        }
    }

    /// What the element is on the way is kept.
    pub fn on_the_way(mut t: ArrayViewMut2<i32>, mut kept: ArrayViewMut2<i32>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] = t[[i, j]].max(t[[i, j - 1]]);
                kept[[i, j]] = t[[i, j]];
                for k in i + 1..j {
                    t[[i, j]] = t[[i, j]].max(t[[i, k]] + t[[k, j]]);
                }
            }
        }
    }

    /// What is gathered depends on the element itself.
    pub fn of_itself(mut t: ArrayViewMut2<i32>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] = t[[i, j]].max(t[[i, j - 1]]);
                for k in i + 1..j {
                    t[[i, j]] = t[[i, j]].max(t[[i, k]] + t[[i, j]] / 2);
                }
            }
        }
    }

    /// Doubles have zeros of two signs, and numbers that are none.
    pub fn of_doubles(mut t: ArrayViewMut2<f64>) {
        for i in (0..t.nrows()).rev() {
            for j in i + 1..t.nrows() {
                t[[i, j]] = t[[i, j]].max(t[[i, j - 1]]);
                for k in i + 1..j {
                    t[[i, j]] = t[[i, j]].max(t[[i, k]] * t[[k, j]]);
                }
            }
        }
    }
}

/// Runs both functions on a square whose elements are made of random bits.
fn same<T: Copy + PartialEq + Debug>(
    (n, lay, seed): (usize, Lay, u64),
    of: impl Fn(u64) -> T,
    plain: impl Fn(ArrayViewMut2<T>),
    fast: impl Fn(ArrayViewMut2<T>),
) {
    let element = |(i, j): (usize, usize)| {
        let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i as u64 * 131 + j as u64 + 7).wrapping_pow(5);
        of((mixed ^ mixed >> 29).wrapping_mul(0xc2b2_ae3d_27d4_eb4f) >> 8)
    };
    let shape = match lay {
        Lay::Rows => (n, n).set_f(false),
        Lay::Columns => (n, n).set_f(true),
        Lay::Strided | Lay::Reversed => (2 * n, 3 * n).set_f(false),
    };
    let mut want = Array2::from_shape_fn(shape, element);
    let mut got = want.clone();
    let cut = |a: &'_ mut Array2<T>, run: &dyn Fn(ArrayViewMut2<T>)| match lay {
        Lay::Rows | Lay::Columns => run(a.view_mut()),
        Lay::Strided => run(a.slice_mut(s![..;2, ..;3])),
        Lay::Reversed => run(a.slice_mut(s![..;-2, n.min(1)..;3])),
    };
    cut(&mut want, &plain);
    cut(&mut got, &fast);
    assert_eq!(want, got);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_squares(n in 0..26usize, lay in lay(), seed in 0..1000u64) {
        let case = (n, lay, seed);
        let small = |bits: u64| (bits % 41) as i32 - 20;
        same(case, small, plain::pairs, fast::pairs);
        same(case, |bits| (bits as i64).wrapping_mul(997), plain::least, fast::least);
        same(case, |bits| (bits as i64).wrapping_mul(997), plain::ways, fast::ways);
        same(case, |bits| bits as i16, plain::narrow_ways, fast::narrow_ways);
        same(case, |bits| bits as u32 & (bits >> 20) as u32, plain::bits, fast::bits);
        same(case, |bits| bits as i32, plain::clamped, fast::clamped);
        same(case, small, plain::by_two, fast::by_two);
        same(case, small, plain::of_itself, fast::of_itself);
        let doubles = [0.0, -0.0, 1.0, -1.5, 0.25, -0.25];
        same(case, |bits| doubles[bits as usize % 6], plain::of_doubles, fast::of_doubles);
    }

    #[test]
    fn what_is_kept_on_the_way(n in 0..20usize, lay in lay(), seed in 0..1000u64) {
        let small = |bits: u64| (bits % 41) as i32 - 20;
        let kept = |f: fn(ArrayViewMut2<i32>, ArrayViewMut2<i32>)| {
            move |t: ArrayViewMut2<i32>| {
                let mut kept = Array2::zeros(t.dim());
                let mut both = t;
                f(both.view_mut(), kept.view_mut());
                both += &kept;
            }
        };
        same((n, lay, seed), small, kept(plain::on_the_way), kept(fast::on_the_way));
    }
}
