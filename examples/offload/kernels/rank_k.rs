//! Rank-k update of the lower triangle of a symmetric matrix: Garg and Amaral (5.2.4), BLAS's `syrk`.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn rank_k(alpha: $real, a: ArrayView2<$real>, mut c: ArrayViewMut2<$real>) {
            let (n, m) = a.dim();
            for i in 0..n {
                for j in 0..=i {
                    let mut sum = 0.0;
                    for k in 0..m {
                        sum += a[[i, k]] * a[[j, k]];
                    }
                    c[[i, j]] += alpha * sum;
                }
            }
        }
    };
}
pub(super) use kernel;
