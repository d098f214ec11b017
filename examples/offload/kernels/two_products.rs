//! Two products of matrices, one after the other: `2mm` of Mekong (5.2.1), C = A B, E = C D.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn two_products(
            a: ArrayView2<$real>,
            b: ArrayView2<$real>,
            d: ArrayView2<$real>,
            mut c: ArrayViewMut2<$real>,
            mut e: ArrayViewMut2<$real>,
        ) {
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    c[[i, j]] = 0.0;
                    for k in 0..a.ncols() {
                        c[[i, j]] += a[[i, k]] * b[[k, j]];
                    }
                }
            }
            for i in 0..e.nrows() {
                for j in 0..e.ncols() {
                    e[[i, j]] = 0.0;
                    for k in 0..c.ncols() {
                        e[[i, j]] += c[[i, k]] * d[[k, j]];
                    }
                }
            }
        }
    };
}
pub(super) use kernel;
