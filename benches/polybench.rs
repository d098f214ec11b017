//! PolyBench's thirty kernels as they are naturally written in Rust (`tests/polybench`): plain, offloaded, and by hand with rayon, on one and two
//! threads, and on the simulated device.
//!
//! ```text
//! cargo bench -p megha --bench polybench [NAME|=WHOLE NAME] [--results=FOLDER]
//! ```
//! With `--results`, those of the first call of the plain form are written, and nothing is timed.
//!
//! Rows first. Times are medians of one run in which all forms take turns; results are compared first. The plain loop has one thread. Of the
//! device it is the time by the simulator's clock, at the smaller size: of the kernels, and of all with copies there and back.
#![allow(clippy::all, unused_imports, unused_macros, reason = "functions as they may be written, and their tests")]

#[path = "../tests/polybench/blas.rs"]
mod blas;
#[path = "polybench/by_hand.rs"]
mod by_hand;
#[path = "../examples/offload/cases.rs"]
#[allow(dead_code, reason = "of the papers' kernels")]
mod cases;
#[path = "../tests/polybench/data.rs"]
mod data;
#[path = "../examples/offload/given.rs"]
#[allow(dead_code, reason = "of the papers' kernels")]
mod given;
#[path = "../tests/polybench/kernels.rs"]
mod kernels;
#[path = "../tests/polybench/medley.rs"]
mod medley;
#[path = "../tests/polybench/solvers.rs"]
mod solvers;
#[path = "../tests/polybench/stencils.rs"]
mod stencils;
#[path = "papers/turns.rs"]
mod turns;
#[path = "../tests/common/twice.rs"]
#[allow(dead_code, reason = "what compares the forms in tests")]
mod twice;

use turns::{Forms, Table};
use twice::{Given, all, both, form, same};

/// Numbers that follow from a seed, rows first.
const GIVEN: Given = Given { columns_first: false };

/// The calls of all kernels, which are in scope.
macro_rules! calls {
    () => {
        use crate::GIVEN;
        use crate::cases::{Ask, Changed, Work, work};
        use ndarray::{Array2, Array3};

        /// All of them by name, with their sizes on processors and on the device.
        pub const ALL: [(&str, fn(usize) -> Work, [usize; 2]); 30] = [
            ("gemm", gemm_, [512, 128]),
            ("gemver", gemver_, [2048, 512]),
            ("gesummv", gesummv_, [2048, 512]),
            ("symm", symm_, [512, 128]),
            ("syr2k", syr2k_, [512, 128]),
            ("syrk", syrk_, [512, 128]),
            ("trmm", trmm_, [512, 128]),
            ("correlation", correlation_, [512, 128]),
            ("covariance", covariance_, [512, 128]),
            ("2mm", two_products_, [512, 128]),
            ("3mm", three_products_, [512, 128]),
            ("atax", atax_, [2048, 512]),
            ("bicg", bicg_, [2048, 512]),
            ("doitgen", doitgen_, [128, 32]),
            ("mvt", mvt_, [2048, 512]),
            ("cholesky", cholesky_, [512, 64]),
            ("durbin", durbin_, [2048, 128]),
            ("gramschmidt", gramschmidt_, [384, 64]),
            ("lu", lu_, [512, 64]),
            ("ludcmp", ludcmp_, [512, 64]),
            ("trisolv", trisolv_, [2048, 128]),
            ("adi", adi_, [512, 64]),
            ("fdtd-2d", fdtd_2d_, [1024, 128]),
            ("heat-3d", heat_3d_, [128, 32]),
            ("jacobi-1d", jacobi_1d_, [1 << 18, 1 << 12]),
            ("jacobi-2d", jacobi_2d_, [1024, 128]),
            ("seidel-2d", seidel_2d_, [512, 32]),
            ("deriche", deriche_, [1024, 128]),
            ("floyd-warshall", floyd_warshall_, [512, 64]),
            ("nussinov", nussinov_, [512, 64]),
        ];

        fn matrices<const N: usize>(n: usize) -> [Array2<f64>; N] {
            std::array::from_fn(|seed| GIVEN.matrix(n, n, seed + 1))
        }

        fn vectors<const N: usize>(n: usize) -> [ndarray::Array1<f64>; N] {
            std::array::from_fn(|seed| GIVEN.vector(n, seed + 7))
        }

        fn gemm_(n: usize) -> Work {
            let [mut c, a, b] = matrices(n);
            work!(gemm, (1.5, 1.2, c.view_mut(), a.view(), b.view()) => c)
        }

        fn gemver_(n: usize) -> Work {
            let ([mut a], [u1, v1, u2, v2, mut w, mut x, y, z]) = (matrices(n), vectors(n));
            work!(gemver, (
                1.5, 1.2, a.view_mut(), u1.view(), v1.view(), u2.view(), v2.view(), w.view_mut(), x.view_mut(),
                y.view(), z.view()
            ) => a w x)
        }

        fn gesummv_(n: usize) -> Work {
            let ([a, b], [mut tmp, x, mut y]) = (matrices(n), vectors(n));
            work!(gesummv, (1.5, 1.2, a.view(), b.view(), tmp.view_mut(), x.view(), y.view_mut()) => tmp y)
        }

        fn symm_(n: usize) -> Work {
            let [mut c, a, b] = matrices(n);
            work!(symm, (1.5, 1.2, c.view_mut(), a.view(), b.view()) => c)
        }

        fn syr2k_(n: usize) -> Work {
            let [mut c, a, b] = matrices(n);
            work!(syr2k, (1.5, 1.2, c.view_mut(), a.view(), b.view()) => c)
        }

        fn syrk_(n: usize) -> Work {
            let [mut c, a] = matrices(n);
            work!(syrk, (1.5, 1.2, c.view_mut(), a.view()) => c)
        }

        fn trmm_(n: usize) -> Work {
            let [a, mut b] = matrices(n);
            work!(trmm, (1.5, a.view(), b.view_mut()) => b)
        }

        fn correlation_(n: usize) -> Work {
            let ([mut data, mut corr], [mut mean, mut stddev]) = (matrices(n), vectors(n));
            work!(
                correlation,
                (data.view_mut(), corr.view_mut(), mean.view_mut(), stddev.view_mut()) => data corr mean stddev
            )
        }

        fn covariance_(n: usize) -> Work {
            let [mut data, mut cov] = matrices(n);
            work!(covariance, (&mut data, &mut cov) => data cov)
        }

        fn two_products_(n: usize) -> Work {
            let [a, b, c, mut d] = matrices(n);
            work!(two_products, (1.5, 1.2, &a, &b, &c, &mut d) => d)
        }

        fn three_products_(n: usize) -> Work {
            let [a, b, c, d, mut e, mut f, mut g] = matrices(n);
            work!(
                three_products,
                (a.view(), b.view(), c.view(), d.view(), e.view_mut(), f.view_mut(), g.view_mut()) => e f g
            )
        }

        fn atax_(n: usize) -> Work {
            let ([a], [x, mut y, mut tmp]) = (matrices(n), vectors(n));
            work!(atax, (a.view(), x.view(), y.view_mut(), tmp.view_mut()) => y tmp)
        }

        fn bicg_(n: usize) -> Work {
            let ([a], [mut s, mut q, p, r]) = (matrices(n), vectors(n));
            work!(bicg, (&a, &mut s, &mut q, &p, &r) => s q)
        }

        fn doitgen_(n: usize) -> Work {
            let (mut a, [c4]) = (GIVEN.solid([n / 2, n / 2, n], 9), matrices(n));
            work!(doitgen, (&mut a, &c4) => a)
        }

        fn mvt_(n: usize) -> Work {
            let ([a], vectors) = (matrices(n), vectors(n));
            let [mut x1, mut x2, y1, y2] = vectors.map(|v| v.to_vec());
            work!(mvt, (&mut x1, &mut x2, &y1, &y2, &a) => x1 x2)
        }

        fn cholesky_(n: usize) -> Work {
            let mut a = GIVEN.dominant(n, 1);
            work!(cholesky, (a.view_mut()) => a)
        }

        fn durbin_(n: usize) -> Work {
            let [r, mut y] = vectors(n);
            let r = r.mapv(|x| 0.3 * x / n as f64);
            work!(durbin, (r.view(), y.view_mut()) => y)
        }

        fn gramschmidt_(n: usize) -> Work {
            let [mut a, mut r, mut q] = matrices(n);
            work!(gramschmidt, (&mut a, &mut r, &mut q) => a r q)
        }

        fn lu_(n: usize) -> Work {
            let mut a = GIVEN.dominant(n, 1);
            work!(lu, (&mut a) => a)
        }

        fn ludcmp_(n: usize) -> Work {
            let (mut a, [b, mut x, mut y]) = (GIVEN.dominant(n, 1), vectors(n));
            work!(ludcmp, (&mut a, &b, &mut x, &mut y) => a x y)
        }

        fn trisolv_(n: usize) -> Work {
            let (l, [b, mut x]) = (GIVEN.dominant(n, 1), vectors(n));
            work!(trisolv, (l.view(), x.view_mut(), b.view()) => x)
        }

        fn adi_(n: usize) -> Work {
            let [mut u, mut v, mut p, mut q] = matrices(n);
            work!(adi, (5, &mut u, &mut v, &mut p, &mut q) => u v p q)
        }

        fn fdtd_2d_(n: usize) -> Work {
            let ([mut ex, mut ey, mut hz], [fict]) = (matrices(n), vectors(10));
            work!(fdtd_2d, (&mut ex, &mut ey, &mut hz, &fict) => ex ey hz)
        }

        fn heat_3d_(n: usize) -> Work {
            let [mut a, mut b]: [Array3<f64>; 2] = [1, 2].map(|seed| GIVEN.solid([n, n, n], seed));
            work!(heat_3d, (5, &mut a, &mut b) => a b)
        }

        fn jacobi_1d_(n: usize) -> Work {
            let [mut a, mut b] = vectors(n).map(|v: ndarray::Array1<f64>| v.to_vec());
            work!(jacobi_1d, (10, &mut a, &mut b) => a b)
        }

        fn jacobi_2d_(n: usize) -> Work {
            let [mut a, mut b] = matrices(n);
            work!(jacobi_2d, (10, &mut a, &mut b) => a b)
        }

        fn seidel_2d_(n: usize) -> Work {
            let [mut a] = matrices(n);
            work!(seidel_2d, (5, &mut a) => a)
        }

        fn deriche_(n: usize) -> Work {
            let [input, mut output, mut y1, mut y2] = matrices(n);
            work!(deriche, (0.25, input.view(), output.view_mut(), y1.view_mut(), y2.view_mut()) => output)
        }

        fn floyd_warshall_(n: usize) -> Work {
            let [path] = matrices(n);
            let mut path = path.mapv(|x| (x * 100.0).floor());
            work!(floyd_warshall, (&mut path) => path)
        }

        fn nussinov_(n: usize) -> Work {
            let [seq] = vectors(n);
            let seq: Vec<u8> = seq.iter().map(|x| (x * 16.0) as u8 % 4).collect();
            let mut table = Array2::<i32>::zeros((n, n));
            work!(nussinov, (&seq, &mut table) => table)
        }
    };
}

mod plain {
    pub use super::{
        blas::plain::*, data::plain::*, kernels::plain::*, medley::plain::*, solvers::plain::*, stencils::plain::*,
    };
    calls!();
}
mod offloaded {
    pub use super::{
        blas::fast::*, data::fast::*, kernels::fast::*, medley::fast::*, solvers::fast::*, stencils::fast::*,
    };
    calls!();
}
mod hand {
    pub use super::by_hand::*;
    calls!();
}

fn main() {
    let table = Table::new();
    for ((plain, offloaded), by_hand) in plain::ALL.into_iter().zip(offloaded::ALL).zip(hand::ALL) {
        let (name, plain, [size, on_device]) = plain;
        let forms = || Forms { plain: plain(size), offloaded: offloaded.1(size), by_hand: by_hand.1(size) };
        // `exp` and `powf` are Megha's own.
        let epsilon = if name == "deriche" { 1e-12 } else { 0.0 };
        table.row(name, epsilon, forms, || offloaded.1(on_device));
    }
}
