//! Sum of each point's distances from all others: the synthetic n-body kernel of Garg and Amaral (5.2.2).

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn distances(
            x: ArrayView1<$real>,
            y: ArrayView1<$real>,
            z: ArrayView1<$real>,
            mut sums: ArrayViewMut1<$real>,
        ) {
            let n = x.len();
            for i in 0..n {
                let mut sum = 0.0;
                for j in 0..n {
                    let (dx, dy, dz) = (x[i] - x[j], y[i] - y[j], z[i] - z[j]);
                    sum += (dx * dx + dy * dy + dz * dz).sqrt();
                }
                sums[i] = sum;
            }
        }
    };
}
pub(super) use kernel;
