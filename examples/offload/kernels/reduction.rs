//! Sum of a vector in place, in two phases: `reduction` of Mekong (3.3). Halves are added up while they are long, then what is left one by one.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn reduction(threshold: usize, x: &mut [$real]) -> $real {
            let mut n = x.len();
            while n > threshold && n > 1 {
                let half = n.div_ceil(2);
                for i in 0..n / 2 {
                    x[i] += x[half + i];
                }
                n = half;
            }
            let mut sum = 0.0;
            for i in 0..n {
                sum += x[i];
            }
            sum
        }
    };
}
pub(super) use kernel;
