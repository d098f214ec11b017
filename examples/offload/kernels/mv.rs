//! Matrix times vector: `mv` of Baskaran, Bondhugula and others (Figure 5, Table 2).

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn mv(a: ArrayView2<$real>, x: ArrayView1<$real>, mut y: ArrayViewMut1<$real>) {
            for i in 0..a.nrows() {
                y[i] = 0.0;
                for j in 0..a.ncols() {
                    y[i] += a[[i, j]] * x[j];
                }
            }
        }
    };
}
pub(super) use kernel;
