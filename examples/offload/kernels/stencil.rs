//! Weighted average of five neighbours, out of place: the 5-point stencil of Garg and Amaral (5.2.5).

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn stencil(centre: $real, side: $real, a: ArrayView2<$real>, mut b: ArrayViewMut2<$real>) {
            let (n, m) = a.dim();
            for i in 1..n - 1 {
                for j in 1..m - 1 {
                    b[[i, j]] = centre * a[[i, j]]
                        + side * (a[[i - 1, j]] + a[[i + 1, j]] + a[[i, j - 1]] + a[[i, j + 1]]);
                }
            }
        }
    };
}
pub(super) use kernel;
