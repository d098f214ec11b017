//! Electromagnetic waves in two dimensions by finite differences in the time domain: Baskaran, Bondhugula and others (8.3.3), after PolyBench.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn fdtd(
            source: ArrayView1<$real>,
            mut ex: ArrayViewMut2<$real>,
            mut ey: ArrayViewMut2<$real>,
            mut hz: ArrayViewMut2<$real>,
        ) {
            let (nx, ny) = hz.dim();
            for t in 0..source.len() {
                for j in 0..ny {
                    ey[[0, j]] = source[t];
                }
                for i in 1..nx {
                    for j in 0..ny {
                        ey[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i - 1, j]]);
                    }
                }
                for i in 0..nx {
                    for j in 1..ny {
                        ex[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i, j - 1]]);
                    }
                }
                for i in 0..nx - 1 {
                    for j in 0..ny - 1 {
                        hz[[i, j]] -= 0.7 * (ex[[i, j + 1]] - ex[[i, j]] + ey[[i + 1, j]] - ey[[i, j]]);
                    }
                }
            }
        }
    };
}
pub(super) use kernel;
