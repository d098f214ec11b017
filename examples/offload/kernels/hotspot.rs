//! Heat on a plate, step by step, from one buffer to the other and back: `hotspot` of Mekong (5.2.2).

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn hotspot(steps: usize, rate: $real, mut a: ArrayViewMut2<$real>, mut b: ArrayViewMut2<$real>) {
            let (n, m) = a.dim();
            for _ in 0..steps / 2 {
                for i in 1..n - 1 {
                    for j in 1..m - 1 {
                        let flow = a[[i - 1, j]] + a[[i + 1, j]] + a[[i, j - 1]] + a[[i, j + 1]] - 4.0 * a[[i, j]];
                        b[[i, j]] = a[[i, j]] + rate * flow;
                    }
                }
                for i in 1..n - 1 {
                    for j in 1..m - 1 {
                        let flow = b[[i - 1, j]] + b[[i + 1, j]] + b[[i, j - 1]] + b[[i, j + 1]] - 4.0 * b[[i, j]];
                        a[[i, j]] = b[[i, j]] + rate * flow;
                    }
                }
            }
        }
    };
}
pub(super) use kernel;
