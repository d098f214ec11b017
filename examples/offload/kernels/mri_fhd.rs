//! The vector F^H d of a reconstruction of magnetic resonance images: MRI-FHD of Parboil, Baskaran, Bondhugula and others (8.3.2, Table 4).
//! Places of samples and voxels are three arrays each, as in Parboil.

macro_rules! kernel {
    ($real:ident $(#[$offload:meta])?) => {
        $(#[$offload])?
        pub fn mri_fhd(
            kx: &[$real],
            ky: &[$real],
            kz: &[$real],
            phi: ArrayView2<$real>,
            d: ArrayView2<$real>,
            x: &[$real],
            y: &[$real],
            z: &[$real],
            mut fhd: ArrayViewMut2<$real>,
        ) {
            let samples = kx.len();
            let mut mu_r = vec![0.0; samples];
            let mut mu_i = vec![0.0; samples];
            for s in 0..samples {
                mu_r[s] = phi[[s, 0]] * d[[s, 0]] + phi[[s, 1]] * d[[s, 1]];
                mu_i[s] = phi[[s, 0]] * d[[s, 1]] - phi[[s, 1]] * d[[s, 0]];
            }
            for v in 0..x.len() {
                for s in 0..samples {
                    let angle = 2.0 * std::$real::consts::PI * (kx[s] * x[v] + ky[s] * y[v] + kz[s] * z[v]);
                    let (sin, cos) = angle.sin_cos();
                    fhd[[v, 0]] += mu_r[s] * cos - mu_i[s] * sin;
                    fhd[[v, 1]] += mu_i[s] * cos + mu_r[s] * sin;
                }
            }
        }
    };
}
pub(super) use kernel;
