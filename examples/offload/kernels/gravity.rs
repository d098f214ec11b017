//! Point masses under gravity, velocities first and then positions: `n-body` of Mekong (5.2.3), semi-implicit Euler steps.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn gravity(
            steps: usize,
            dt: $real,
            mass: ArrayView1<$real>,
            mut position: ArrayViewMut2<$real>,
            mut velocity: ArrayViewMut2<$real>,
        ) {
            let n = mass.len();
            let softening: $real = 1e-3;
            for _ in 0..steps {
                for i in 0..n {
                    let mut force = [0.0; 3];
                    for j in 0..n {
                        let mut distance = [0.0; 3];
                        let mut square = softening;
                        for c in 0..3 {
                            distance[c] = position[[j, c]] - position[[i, c]];
                            square += distance[c] * distance[c];
                        }
                        let pull = mass[j] / (square * square.sqrt());
                        for c in 0..3 {
                            force[c] += pull * distance[c];
                        }
                    }
                    for c in 0..3 {
                        velocity[[i, c]] += dt * force[c];
                    }
                }
                for i in 0..n {
                    for c in 0..3 {
                        position[[i, c]] += dt * velocity[[i, c]];
                    }
                }
            }
        }
    };
}
pub(super) use kernel;
