//! A matrix and its transposed, each times a vector: `mvt` of Baskaran, Bondhugula and others (8.3.1), after PolyBench.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn mvt(
            a: ArrayView2<$real>,
            y1: ArrayView1<$real>,
            y2: ArrayView1<$real>,
            mut x1: ArrayViewMut1<$real>,
            mut x2: ArrayViewMut1<$real>,
        ) {
            let n = a.nrows();
            for i in 0..n {
                for j in 0..n {
                    x1[i] += a[[i, j]] * y1[j];
                }
            }
            for i in 0..n {
                for j in 0..n {
                    x2[i] += a[[j, i]] * y2[j];
                }
            }
        }
    };
}
pub(super) use kernel;
