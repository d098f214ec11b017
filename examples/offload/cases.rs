//! Calls of the kernels: their arguments for a size, and which of them are results.

use super::given::{Given, Held, Real};
use megha::rt::ndarray::{Array, Dimension};

/// A kernel with its arguments. It can be called again and again, and goes on with what the last call has made.
pub struct Work {
    step: Box<dyn FnMut(Ask) -> Vec<Vec<f64>> + Send>,
}

/// What is asked of a kernel with its arguments.
#[derive(Clone, Copy, PartialEq)]
pub enum Ask {
    /// To be called, which gives nothing.
    Call,
    /// The numbers of its results, and those in memory around them.
    Results,
}

impl Work {
    /// A kernel that does what it is asked.
    pub fn new(step: impl FnMut(Ask) -> Vec<Vec<f64>> + Send + 'static) -> Work {
        Work { step: Box::new(step) }
    }

    /// Calls it.
    pub fn call(&mut self) {
        (self.step)(Ask::Call);
    }

    /// The numbers of its results, and those in memory around them.
    pub fn results(&mut self) -> Vec<Vec<f64>> {
        (self.step)(Ask::Results)
    }
}

/// Makes arguments of a size and the call with them.
pub type Case = fn(Given, usize) -> Work;

/// What a kernel changes.
pub trait Changed {
    /// Its numbers.
    fn changed(&self) -> Vec<f64>;
}

impl<T: Real, D: Dimension> Changed for Held<T, D> {
    fn changed(&self) -> Vec<f64> {
        self.numbers()
    }
}

impl<T: Real, D: Dimension> Changed for Array<T, D> {
    fn changed(&self) -> Vec<f64> {
        self.iter().map(|x| x.wide()).collect()
    }
}

impl<T: Real> Changed for Vec<T> {
    fn changed(&self) -> Vec<f64> {
        self.iter().map(|x| x.wide()).collect()
    }
}

/// A call and the variables that it changes.
macro_rules! work {
    ($kernel:path, ($($argument:expr),*) => $($changed:ident)*) => {
        Work::new(move |ask| match ask {
            Ask::Call => {
                $kernel($($argument),*);
                Vec::new()
            }
            Ask::Results => vec![$($changed.changed()),*],
        })
    };
}
pub(crate) use work;

/// The calls of all kernels of a module.
macro_rules! cases {
    ($($kernels:ident)::+) => {
        use $crate::cases::{Ask, Case, Changed, Work, work};
        use $crate::given::Given;
        use $($kernels)::+ as kernels;

        /// All of them by name.
        pub const ALL: [(&str, Case); 16] = [
            ("product", product),
            ("mv", mv),
            ("tmv", tmv),
            ("mvt", mvt),
            ("rank-k", rank_k),
            ("rank-2k", rank_2k),
            ("distances", distances),
            ("cp", cp),
            ("stencil", stencil),
            ("mri-q", mri_q),
            ("mri-fhd", mri_fhd),
            ("fdtd", fdtd),
            ("2mm", two_products),
            ("hotspot", hotspot),
            ("gravity", gravity),
            ("reduction", reduction),
        ];

        fn product(given: Given, n: usize) -> Work {
            let (a, b, mut c) = (given.matrix(n, n + 1, 1), given.matrix(n + 1, n + 2, 2), given.matrix(n, n + 2, 3));
            work!(kernels::product, (a.view(), b.view(), c.view_mut()) => c)
        }

        fn mv(given: Given, n: usize) -> Work {
            let (a, x, mut y) = (given.matrix(n + 1, n, 1), given.vector(n, 2), given.vector(n + 1, 3));
            work!(kernels::mv, (a.view(), x.view(), y.view_mut()) => y)
        }

        fn tmv(given: Given, n: usize) -> Work {
            let (a, x, mut y) = (given.matrix(n + 1, n, 1), given.vector(n + 1, 2), given.vector(n, 3));
            work!(kernels::tmv, (a.view(), x.view(), y.view_mut()) => y)
        }

        fn mvt(given: Given, n: usize) -> Work {
            let a = given.matrix(n, n, 1);
            let [y1, y2, mut x1, mut x2] = [2, 3, 4, 5].map(|seed| given.vector(n, seed));
            work!(kernels::mvt, (a.view(), y1.view(), y2.view(), x1.view_mut(), x2.view_mut()) => x1 x2)
        }

        fn rank_k(given: Given, n: usize) -> Work {
            let (a, mut c) = (given.matrix(n, n + 2, 1), given.matrix(n, n, 2));
            work!(kernels::rank_k, (1.5, a.view(), c.view_mut()) => c)
        }

        fn rank_2k(given: Given, n: usize) -> Work {
            let (a, b, mut c) = (given.matrix(n, n + 2, 1), given.matrix(n, n + 2, 2), given.matrix(n, n, 3));
            work!(kernels::rank_2k, (1.5, a.view(), b.view(), c.view_mut()) => c)
        }

        fn distances(given: Given, n: usize) -> Work {
            let [x, y, z, mut sums] = [1, 2, 3, 4].map(|seed| given.vector(n, seed));
            work!(kernels::distances, (x.view(), y.view(), z.view(), sums.view_mut()) => sums)
        }

        fn cp(given: Given, n: usize) -> Work {
            let (atoms, mut energy) = (given.matrix(n, 4, 1), given.matrix(n, n + 1, 2));
            work!(kernels::cp, (0.1, atoms.view(), energy.view_mut()) => energy)
        }

        fn stencil(given: Given, n: usize) -> Work {
            let (a, mut b) = (given.matrix(n, n + 2, 1), given.matrix(n, n + 2, 2));
            work!(kernels::stencil, (0.5, 0.125, a.view(), b.view_mut()) => b)
        }

        fn mri_q(given: Given, n: usize) -> Work {
            let (k, x) = (given.matrix(n, 3, 1), given.matrix(n + 3, 3, 2));
            let (phi_r, phi_i) = (given.list(n, 3), given.list(n, 4));
            let (mut qr, mut qi) = (given.list(n + 3, 5), given.list(n + 3, 6));
            work!(kernels::mri_q, (k.view(), &phi_r, &phi_i, x.view(), &mut qr, &mut qi) => qr qi)
        }

        fn mri_fhd(given: Given, n: usize) -> Work {
            let [kx, ky, kz] = [1, 2, 3].map(|seed| given.list(n, seed));
            let [x, y, z] = [4, 5, 6].map(|seed| given.list(n + 3, seed));
            let (phi, d, mut fhd) = (given.matrix(n, 2, 7), given.matrix(n, 2, 8), given.matrix(n + 3, 2, 9));
            work!(
                kernels::mri_fhd,
                (&kx, &ky, &kz, phi.view(), d.view(), &x, &y, &z, fhd.view_mut()) => fhd
            )
        }

        fn fdtd(given: Given, n: usize) -> Work {
            let source = given.vector(10, 1);
            let [mut ex, mut ey, mut hz] = [2, 3, 4].map(|seed| given.matrix(n, n + 2, seed));
            work!(kernels::fdtd, (source.view(), ex.view_mut(), ey.view_mut(), hz.view_mut()) => ex ey hz)
        }

        fn two_products(given: Given, n: usize) -> Work {
            let (a, b, d) = (given.matrix(n, n + 1, 1), given.matrix(n + 1, n + 2, 2), given.matrix(n + 2, n + 3, 3));
            let (mut c, mut e) = (given.matrix(n, n + 2, 4), given.matrix(n, n + 3, 5));
            work!(kernels::two_products, (a.view(), b.view(), d.view(), c.view_mut(), e.view_mut()) => c e)
        }

        fn hotspot(given: Given, n: usize) -> Work {
            let (mut a, mut b) = (given.matrix(n, n + 2, 1), given.matrix(n, n + 2, 2));
            work!(kernels::hotspot, (10, 0.1, a.view_mut(), b.view_mut()) => a b)
        }

        fn gravity(given: Given, n: usize) -> Work {
            let mass = given.vector(n, 1);
            let (mut position, mut velocity) = (given.matrix(n, 3, 2), given.matrix(n, 3, 3));
            work!(
                kernels::gravity,
                (3, 1e-3, mass.view(), position.view_mut(), velocity.view_mut()) => position velocity
            )
        }

        fn reduction(given: Given, n: usize) -> Work {
            let (mut x, mut sum) = (given.list(n, 1), given.list(1, 2));
            Work::new(move |ask| match ask {
                Ask::Call => {
                    sum[0] = kernels::reduction(64, &mut x);
                    Vec::new()
                }
                Ask::Results => vec![x.changed(), sum.changed()],
            })
        }
    };
}
pub(crate) use cases;
