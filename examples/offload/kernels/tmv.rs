//! Transposed matrix times vector: `tmv` of Baskaran, Bondhugula and others (Figure 5, Table 3).

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn tmv(a: ArrayView2<$real>, x: ArrayView1<$real>, mut y: ArrayViewMut1<$real>) {
            for i in 0..a.ncols() {
                y[i] = 0.0;
                for j in 0..a.nrows() {
                    y[i] += a[[j, i]] * x[j];
                }
            }
        }
    };
}
pub(super) use kernel;
