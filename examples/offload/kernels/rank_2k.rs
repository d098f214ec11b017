//! Rank-2k update of the lower triangle of a symmetric matrix: Garg and Amaral (5.2.4), BLAS's `syr2k`.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn rank_2k(alpha: $real, a: ArrayView2<$real>, b: ArrayView2<$real>, mut c: ArrayViewMut2<$real>) {
            let (n, m) = a.dim();
            for i in 0..n {
                for j in 0..=i {
                    let mut sum = 0.0;
                    for k in 0..m {
                        sum += a[[i, k]] * b[[j, k]] + b[[i, k]] * a[[j, k]];
                    }
                    c[[i, j]] += alpha * sum;
                }
            }
        }
    };
}
pub(super) use kernel;
