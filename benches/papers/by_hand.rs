//! The kernels of the papers parallel by hand: rayon over rows, slices, loops in the order that suits rows in memory. They add up in the order of
//! the plain loops, as those who write them so would: nothing here changes a result.

#![allow(clippy::too_many_arguments, reason = "those of the kernels")]

macro_rules! by_hand {
    ($real:ident) => {
        use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};
        use rayon::prelude::*;

        /// Columns of a piece, so that a piece of a sum stays in the nearest cache.
        const PIECE: usize = 512;

        /// A product of matrices, rows first.
        fn multiply(a: &[$real], b: &[$real], c: &mut [$real], inner: usize) {
            let width = b.len() / inner;
            c.par_chunks_mut(width).zip(a.par_chunks(inner)).for_each(|(c, a)| {
                c.fill(0.0);
                for (a, b) in a.iter().zip(b.chunks(width)) {
                    for (c, b) in c.iter_mut().zip(b) {
                        *c += a * b;
                    }
                }
            });
        }

        /// What a matrix's rows make of a vector, added to what there is.
        fn add_rows(a: &[$real], x: &[$real], y: &mut [$real]) {
            y.par_iter_mut().zip(a.par_chunks(x.len())).for_each(|(y, a)| {
                for (a, x) in a.iter().zip(x) {
                    *y += a * x;
                }
            });
        }

        /// The same for its columns.
        fn add_columns(a: &[$real], x: &[$real], y: &mut [$real]) {
            let width = y.len();
            y.par_chunks_mut(PIECE).enumerate().for_each(|(piece, y)| {
                for (a, x) in a.chunks(width).zip(x) {
                    for (y, a) in y.iter_mut().zip(&a[piece * PIECE..]) {
                        *y += a * x;
                    }
                }
            });
        }

        pub fn product(a: ArrayView2<$real>, b: ArrayView2<$real>, mut c: ArrayViewMut2<$real>) {
            let (Some(a_), Some(b), Some(c)) = (a.as_slice(), b.as_slice(), c.as_slice_mut()) else { unreachable!() };
            multiply(a_, b, c, a.ncols());
        }

        pub fn mv(a: ArrayView2<$real>, x: ArrayView1<$real>, mut y: ArrayViewMut1<$real>) {
            y.fill(0.0);
            add_rows(a.as_slice().unwrap(), x.as_slice().unwrap(), y.as_slice_mut().unwrap());
        }

        pub fn tmv(a: ArrayView2<$real>, x: ArrayView1<$real>, mut y: ArrayViewMut1<$real>) {
            y.fill(0.0);
            add_columns(a.as_slice().unwrap(), x.as_slice().unwrap(), y.as_slice_mut().unwrap());
        }

        pub fn mvt(
            a: ArrayView2<$real>,
            y1: ArrayView1<$real>,
            y2: ArrayView1<$real>,
            mut x1: ArrayViewMut1<$real>,
            mut x2: ArrayViewMut1<$real>,
        ) {
            add_rows(a.as_slice().unwrap(), y1.as_slice().unwrap(), x1.as_slice_mut().unwrap());
            add_columns(a.as_slice().unwrap(), y2.as_slice().unwrap(), x2.as_slice_mut().unwrap());
        }

        pub fn rank_k(alpha: $real, a: ArrayView2<$real>, mut c: ArrayViewMut2<$real>) {
            let (n, m) = a.dim();
            let a = a.as_slice().unwrap();
            c.as_slice_mut().unwrap().par_chunks_mut(n).enumerate().for_each(|(i, c)| {
                let row = &a[i * m..][..m];
                for (c, other) in c[..=i].iter_mut().zip(a.chunks(m)) {
                    let mut sum = 0.0;
                    for (x, y) in row.iter().zip(other) {
                        sum += x * y;
                    }
                    *c += alpha * sum;
                }
            });
        }

        pub fn rank_2k(alpha: $real, a: ArrayView2<$real>, b: ArrayView2<$real>, mut c: ArrayViewMut2<$real>) {
            let (n, m) = a.dim();
            let (a, b) = (a.as_slice().unwrap(), b.as_slice().unwrap());
            c.as_slice_mut().unwrap().par_chunks_mut(n).enumerate().for_each(|(i, c)| {
                let (a_i, b_i) = (&a[i * m..][..m], &b[i * m..][..m]);
                for (c, (a_j, b_j)) in c[..=i].iter_mut().zip(a.chunks(m).zip(b.chunks(m))) {
                    let mut sum = 0.0;
                    for k in 0..m {
                        sum += a_i[k] * b_j[k] + b_i[k] * a_j[k];
                    }
                    *c += alpha * sum;
                }
            });
        }

        pub fn distances(
            x: ArrayView1<$real>,
            y: ArrayView1<$real>,
            z: ArrayView1<$real>,
            mut sums: ArrayViewMut1<$real>,
        ) {
            let (x, y, z) = (x.as_slice().unwrap(), y.as_slice().unwrap(), z.as_slice().unwrap());
            // Points of a piece together, so that their sums are vectors.
            sums.as_slice_mut().unwrap().par_chunks_mut(64).enumerate().for_each(|(piece, sums)| {
                sums.fill(0.0);
                let own = piece * 64..piece * 64 + sums.len();
                let (own_x, own_y, own_z) = (&x[own.clone()], &y[own.clone()], &z[own]);
                for ((x, y), z) in x.iter().zip(y).zip(z) {
                    for i in 0..sums.len() {
                        let (dx, dy, dz) = (own_x[i] - x, own_y[i] - y, own_z[i] - z);
                        sums[i] += (dx * dx + dy * dy + dz * dz).sqrt();
                    }
                }
            });
        }

        pub fn cp(spacing: $real, atoms: ArrayView2<$real>, mut energy: ArrayViewMut2<$real>) {
            let width = energy.ncols();
            let atoms = atoms.as_slice().unwrap();
            energy.as_slice_mut().unwrap().par_chunks_mut(width).enumerate().for_each(|(j, energy)| {
                let y = spacing * j as $real;
                let mut sums = vec![0.0; width];
                for atom in atoms.chunks(4) {
                    let dy = y - atom[1];
                    for (i, sum) in sums.iter_mut().enumerate() {
                        let dx = spacing * i as $real - atom[0];
                        *sum += atom[3] / (dx * dx + dy * dy + atom[2]).sqrt();
                    }
                }
                for (energy, sum) in energy.iter_mut().zip(sums) {
                    *energy += sum;
                }
            });
        }

        /// A step from one grid to the other, by what each point makes of the one above, its row's three, and the one below.
        fn relax(
            a: &ArrayView2<$real>,
            b: &mut ArrayViewMut2<$real>,
            point: impl Fn($real, &[$real], $real) -> $real + Sync,
        ) {
            let (n, m) = a.dim();
            let a = a.as_slice().unwrap();
            b.as_slice_mut().unwrap()[m..(n - 1) * m].par_chunks_mut(m).enumerate().for_each(|(i, b)| {
                let (above, below) = (&a[i * m + 1..][..m - 2], &a[(i + 2) * m + 1..][..m - 2]);
                let row = a[(i + 1) * m..][..m].windows(3);
                for (((b, above), below), row) in b[1..m - 1].iter_mut().zip(above).zip(below).zip(row) {
                    *b = point(*above, row, *below);
                }
            });
        }

        pub fn stencil(centre: $real, side: $real, a: ArrayView2<$real>, mut b: ArrayViewMut2<$real>) {
            relax(&a, &mut b, |above, row, below| centre * row[1] + side * (above + below + row[0] + row[2]));
        }

        pub fn hotspot(steps: usize, rate: $real, mut a: ArrayViewMut2<$real>, mut b: ArrayViewMut2<$real>) {
            let point = |above: $real, row: &[$real], below: $real| {
                let flow = above + below + row[0] + row[2] - 4.0 * row[1];
                row[1] + rate * flow
            };
            for _ in 0..steps / 2 {
                relax(&a.view(), &mut b, point);
                relax(&b.view(), &mut a, point);
            }
        }

        pub fn mri_q(
            k: ArrayView2<$real>,
            phi_r: &[$real],
            phi_i: &[$real],
            x: ArrayView2<$real>,
            qr: &mut [$real],
            qi: &mut [$real],
        ) {
            let magnitude: Vec<$real> = phi_r.iter().zip(phi_i).map(|(r, i)| r * r + i * i).collect();
            let (k, x) = (k.as_slice().unwrap(), x.as_slice().unwrap());
            qr.par_iter_mut().zip(qi).zip(x.par_chunks(3)).for_each(|((qr, qi), x)| {
                let (mut re, mut im) = (0.0, 0.0);
                for (k, magnitude) in k.chunks(3).zip(&magnitude) {
                    let angle = 2.0 * std::$real::consts::PI * (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]);
                    re += magnitude * angle.cos();
                    im += magnitude * angle.sin();
                }
                (*qr, *qi) = (re, im);
            });
        }

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
            let mu: Vec<[$real; 2]> = phi
                .rows()
                .into_iter()
                .zip(d.rows())
                .map(|(phi, d)| [phi[0] * d[0] + phi[1] * d[1], phi[0] * d[1] - phi[1] * d[0]])
                .collect();
            fhd.as_slice_mut().unwrap().par_chunks_mut(2).enumerate().for_each(|(v, fhd)| {
                let (mut re, mut im) = (fhd[0], fhd[1]);
                for (s, [mu_r, mu_i]) in mu.iter().enumerate() {
                    let angle = 2.0 * std::$real::consts::PI * (kx[s] * x[v] + ky[s] * y[v] + kz[s] * z[v]);
                    let (sin, cos) = angle.sin_cos();
                    re += mu_r * cos - mu_i * sin;
                    im += mu_i * cos + mu_r * sin;
                }
                (fhd[0], fhd[1]) = (re, im);
            });
        }

        pub fn fdtd(
            source: ArrayView1<$real>,
            mut ex: ArrayViewMut2<$real>,
            mut ey: ArrayViewMut2<$real>,
            mut hz: ArrayViewMut2<$real>,
        ) {
            let (nx, ny) = hz.dim();
            let (ex, ey, hz) = (ex.as_slice_mut().unwrap(), ey.as_slice_mut().unwrap(), hz.as_slice_mut().unwrap());
            for &source in source {
                ey[..ny].fill(source);
                ey[ny..].par_chunks_mut(ny).zip(hz[ny..].par_chunks(ny)).zip(hz.par_chunks(ny)).for_each(
                    |((ey, hz), above)| {
                        for ((ey, hz), above) in ey.iter_mut().zip(hz).zip(above) {
                            *ey -= 0.5 * (hz - above);
                        }
                    },
                );
                ex.par_chunks_mut(ny).zip(hz.par_chunks(ny)).for_each(|(ex, hz)| {
                    for j in 1..ny {
                        ex[j] -= 0.5 * (hz[j] - hz[j - 1]);
                    }
                });
                hz[..(nx - 1) * ny].par_chunks_mut(ny).enumerate().for_each(|(i, hz)| {
                    let (ex, ey, below) = (&ex[i * ny..][..ny], &ey[i * ny..][..ny], &ey[(i + 1) * ny..][..ny]);
                    for j in 0..ny - 1 {
                        hz[j] -= 0.7 * (ex[j + 1] - ex[j] + below[j] - ey[j]);
                    }
                });
            }
        }

        pub fn two_products(
            a: ArrayView2<$real>,
            b: ArrayView2<$real>,
            d: ArrayView2<$real>,
            mut c: ArrayViewMut2<$real>,
            mut e: ArrayViewMut2<$real>,
        ) {
            multiply(a.as_slice().unwrap(), b.as_slice().unwrap(), c.as_slice_mut().unwrap(), a.ncols());
            multiply(c.as_slice().unwrap(), d.as_slice().unwrap(), e.as_slice_mut().unwrap(), d.nrows());
        }

        pub fn gravity(
            steps: usize,
            dt: $real,
            mass: ArrayView1<$real>,
            mut position: ArrayViewMut2<$real>,
            mut velocity: ArrayViewMut2<$real>,
        ) {
            let (x, v) = (position.as_slice_mut().unwrap(), velocity.as_slice_mut().unwrap());
            let mass = mass.as_slice().unwrap();
            for _ in 0..steps {
                v.par_chunks_mut(3).zip(x.par_chunks(3)).for_each(|(v, own)| {
                    let mut force = [0.0; 3];
                    for (other, mass) in x.chunks(3).zip(mass) {
                        let d = [other[0] - own[0], other[1] - own[1], other[2] - own[2]];
                        let square = 1e-3 + d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                        let pull = mass / (square * square.sqrt());
                        for (force, d) in force.iter_mut().zip(d) {
                            *force += pull * d;
                        }
                    }
                    for (v, force) in v.iter_mut().zip(force) {
                        *v += dt * force;
                    }
                });
                x.par_iter_mut().zip(&*v).for_each(|(x, v)| *x += dt * v);
            }
        }

        pub fn reduction(threshold: usize, x: &mut [$real]) -> $real {
            let mut n = x.len();
            while n > threshold && n > 1 {
                let half = n.div_ceil(2);
                let (low, high) = x[..n].split_at_mut(half);
                let pairs = low.par_chunks_mut(1 << 14).zip(high.par_chunks(1 << 14));
                pairs.for_each(|(low, high)| low.iter_mut().zip(high).for_each(|(low, high)| *low += high));
                n = half;
            }
            x[..n].iter().fold(0.0, |sum, x| sum + x)
        }
    };
}

/// Numbers of 64 bits.
pub mod double {
    by_hand!(f64);
}

/// Numbers of 32 bits.
pub mod single {
    by_hand!(f32);
}
