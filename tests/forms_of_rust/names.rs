//! Names mean what Rust has them mean: helper functions and constants of other modules, of blocks, of macros.

use super::{SIZES, all, form, same};
use ndarray::{ArrayView1, ArrayViewMut1};

const SCALE: f64 = 2.0;
#[allow(non_upper_case_globals)]
const limit: usize = 3;

#[inline]
fn scaled(x: f64) -> f64 {
    x * SCALE
}

mod other {
    pub const SCALE: f64 = 5.0;
    pub const WIDE: u8 = 200;

    #[inline]
    pub fn scaled(x: f64) -> f64 {
        x * SCALE
    }

    #[inline]
    pub fn distant(x: f64) -> f64 {
        scaled(x) + inner::shifted(x) * SCALE
    }

    #[inline]
    pub fn twice(x: f64) -> f64 {
        2.0 * x
    }

    pub mod inner {
        #[inline]
        pub fn shifted(x: f64) -> f64 {
            x + super::twice(1.0)
        }
    }
}

mod globs {
    pub use super::other::twice as doubled;
    #[inline]
    pub fn halved(x: f64) -> f64 {
        x / 2.0
    }
}

const LEAST: i64 = i64::MIN + 3;
const MOST: u64 = u64::MAX - 3;

mod plain {
    use super::globs::*;
    use super::*;
    pub fn by_modules(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        use super::other::SCALE as FIVE;
        use super::other::twice;
        use num_complex::Complex64;
        use std::f64::consts::{PI, TAU as ROUND};
        for i in 0..x.len() {
            y[i] = scaled(x[i]) + doubled(halved(x[i])) + FIVE * PI - ROUND + twice(SCALE);
            y[i] += super::other::distant(x[i]);
            y[i] -= Complex64::new(x[i], 0.5).norm_sqr();
        }
    }

    pub fn by_blocks(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> usize {
        let mut count = 0;
        for i in 0..x.len() {
            const FOURTH: usize = HALF / 2;
            const HALF: usize = EIGHT / 2;
            const EIGHT: usize = 8;
            if i % 2 == 0 {
                fn part(x: f64) -> f64 {
                    const SHIFT: f64 = EIGHT as f64;
                    x + SHIFT + later(x)
                }
                fn later(x: f64) -> f64 {
                    x * SCALE
                }
                y[i] = part(x[i]);
            } else {
                const EIGHT: usize = 80;
                fn part(x: f64) -> f64 {
                    x - EIGHT as f64
                }
                y[i] = part(x[i]) + SCALE;
            }
            count += FOURTH + HALF;
        }
        count
    }

    pub fn by_patterns(mut y: ArrayViewMut1<f64>) -> usize {
        #[allow(non_upper_case_globals)]
        const two: usize = 2;
        let mut sum = 0;
        for i in 0..y.len() {
            sum += match i {
                two => 100,
                limit => 1000,
                other => other,
            };
            y[i] += sum as f64;
        }
        sum
    }

    pub fn of_wide_constants(x: ArrayView1<f64>) -> (u8, i64, u32) {
        const ALL: u64 = u64::MAX;
        let n = x.len() as u8;
        (super::other::WIDE.wrapping_add(n), super::LEAST + n as i64, (super::MOST >> 40) as u32 + (ALL >> 50) as u32)
    }
}

mod fast {
    use super::globs::*;
    use super::*;

    #[megha::offload]
    pub fn by_modules(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
        use super::other::SCALE as FIVE;
        use super::other::twice;
        use num_complex::Complex64;
        use std::f64::consts::{PI, TAU as ROUND};
        for i in 0..x.len() {
            y[i] = scaled(x[i]) + doubled(halved(x[i])) + FIVE * PI - ROUND + twice(SCALE);
            y[i] += super::other::distant(x[i]);
            y[i] -= Complex64::new(x[i], 0.5).norm_sqr();
        }
    }

    #[megha::offload]
    pub fn by_blocks(x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) -> usize {
        let mut count = 0;
        for i in 0..x.len() {
            const FOURTH: usize = HALF / 2;
            const HALF: usize = EIGHT / 2;
            const EIGHT: usize = 8;
            if i % 2 == 0 {
                fn part(x: f64) -> f64 {
                    const SHIFT: f64 = EIGHT as f64;
                    x + SHIFT + later(x)
                }
                fn later(x: f64) -> f64 {
                    x * SCALE
                }
                y[i] = part(x[i]);
            } else {
                const EIGHT: usize = 80;
                fn part(x: f64) -> f64 {
                    x - EIGHT as f64
                }
                y[i] = part(x[i]) + SCALE;
            }
            count += FOURTH + HALF;
        }
        count
    }

    #[megha::offload]
    pub fn by_patterns(mut y: ArrayViewMut1<f64>) -> usize {
        #[allow(non_upper_case_globals)]
        const two: usize = 2;
        let mut sum = 0;
        for i in 0..y.len() {
            sum += match i {
                two => 100,
                limit => 1000,
                other => other,
            };
            y[i] += sum as f64;
        }
        sum
    }

    #[megha::offload]
    pub fn of_wide_constants(x: ArrayView1<f64>) -> (u8, i64, u32) {
        const ALL: u64 = u64::MAX;
        let n = x.len() as u8;
        (super::other::WIDE.wrapping_add(n), super::LEAST + n as i64, (super::MOST >> 40) as u32 + (ALL >> 50) as u32)
    }
}

/// Two names of one text, of which one comes from the call of the macro.
macro_rules! hygienic {
    ($(#[$offload:meta])* $name:ident, $x:ident, $value:expr) => {
        $(#[$offload])*
        pub fn $name($x: f64, mut y: ArrayViewMut1<f64>) -> f64 {
            let x = 2.0;
            let mut sum = 0.0;
            for i in 0..y.len() {
                y[i] += x * $value;
                let x = y[i];
                sum += x - $x;
            }
            sum
        }
    };
}
hygienic!(hygienic_plain, x, x + 1.0);
hygienic!(
    #[megha::offload]
    hygienic_fast,
    x,
    x + 1.0
);

#[test]
fn helpers_and_constants_of_other_modules() {
    same(
        |offloaded, given, n| {
            let (x, mut y) = (given.vector(n, 1), given.vector(n, 2));
            form!(offloaded, by_modules(x.view(), y.view_mut()));
            let count = form!(offloaded, by_blocks(x.view(), y.view_mut()));
            let sum = form!(offloaded, by_patterns(y.view_mut()));
            let (a, b, c) = form!(offloaded, of_wide_constants(x.view()));
            all!(y, [count, sum], [a], [b], [c])
        },
        &SIZES,
    );
}

#[test]
fn names_of_macros() {
    for n in SIZES {
        let (mut y, mut z) = (ndarray::Array1::from_elem(n, 0.5), ndarray::Array1::from_elem(n, 0.5));
        assert_eq!(hygienic_plain(3.0, y.view_mut()), hygienic_fast(3.0, z.view_mut()));
        assert_eq!(y, z);
    }
}
