//! The matrix Q of a reconstruction of magnetic resonance images: MRI-Q of Parboil, Baskaran, Bondhugula and others (8.3.2, Table 4). A
//! row of `k` is a sample's place in the space of frequencies, a row of `x` a voxel's.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn mri_q(
            k: ArrayView2<$real>,
            phi_r: &[$real],
            phi_i: &[$real],
            x: ArrayView2<$real>,
            qr: &mut [$real],
            qi: &mut [$real],
        ) {
            let samples = k.nrows();
            let mut magnitude = vec![0.0; samples];
            for s in 0..samples {
                magnitude[s] = phi_r[s] * phi_r[s] + phi_i[s] * phi_i[s];
            }
            for v in 0..x.nrows() {
                let (mut re, mut im) = (0.0, 0.0);
                for s in 0..samples {
                    let angle = 2.0
                        * std::$real::consts::PI
                        * (k[[s, 0]] * x[[v, 0]] + k[[s, 1]] * x[[v, 1]] + k[[s, 2]] * x[[v, 2]]);
                    re += magnitude[s] * angle.cos();
                    im += magnitude[s] * angle.sin();
                }
                qr[v] = re;
                qi[v] = im;
            }
        }
    };
}
pub(super) use kernel;
