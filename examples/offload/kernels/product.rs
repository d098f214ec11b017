//! Matrix product: `MMult` of Garg and Amaral (5.2.1), `mm` of Baskaran, Bondhugula and others (8.3.1), `MatrixMul` of MEGHA (Table 3.1).

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn product(a: ArrayView2<$real>, b: ArrayView2<$real>, mut c: ArrayViewMut2<$real>) {
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    let mut sum = 0.0;
                    for k in 0..a.ncols() {
                        sum += a[[i, k]] * b[[k, j]];
                    }
                    c[[i, j]] = sum;
                }
            }
        }
    };
}
pub(super) use kernel;
