//! The electric-field updates of fdtd, in place: a 3-D stencil over part of an array, three statements in one kernel.

use megha_rt as rt;
use megha_rt::{Isa, Layout};

/// The fields of a cavity of `nx` by `ny` by `nz` cells (`ex` is `nx` by `ny+1` by `nz+1`, `hx` is `nx+1` by `ny` by `nz`, and so on).
pub struct Fields<L: Layout> {
    pub ex: rt::Array<L, f64, 3>,
    pub ey: rt::Array<L, f64, 3>,
    pub ez: rt::Array<L, f64, 3>,
    pub hx: rt::Array<L, f64, 3>,
    pub hy: rt::Array<L, f64, 3>,
    pub hz: rt::Array<L, f64, 3>,
}

/// The body of the time loop. `c` are the coefficients along x, y and z.
pub fn steps<L: Layout>(f: &mut Fields<L>, [nx, ny, nz]: [usize; 3], cx: f64, cy: f64, cz: f64, times: usize) {
    let entered = rt::enter_in_place("fdtd", || {
        for _ in 0..times {
            // hx(:, :, :) = hx + cz * diff(ey, 1, 3) - cy * diff(ez, 1, 2), and so on
            let by_loop = L::permute([nx + 1, ny, nz]);
            let k = Kernel0::<L> { by_loop, out: f.hx.out(), a: f.ey.view(), b: f.ez.view(), ca: cz, cb: cy };
            rt::launch(&k, rt::Domain::nest(by_loop), 9);
            let by_loop = L::permute([nx, ny + 1, nz]);
            let k = Kernel1::<L> { by_loop, out: f.hy.out(), a: f.ez.view(), b: f.ex.view(), ca: cx, cb: cz };
            rt::launch(&k, rt::Domain::nest(by_loop), 9);
            let by_loop = L::permute([nx, ny, nz + 1]);
            let k = Kernel2::<L> { by_loop, out: f.hz.out(), a: f.ex.view(), b: f.ey.view(), ca: cy, cb: cx };
            rt::launch(&k, rt::Domain::nest(by_loop), 9);
            // ex(:, 2:ny, 2:nz) = ex(:, 2:ny, 2:nz) + cy * diff(hz(:, :, 2:nz), 1, 2) - cz * diff(hy(:, 2:ny, :), 1, 3), ..
            let by_loop = L::permute([nx, ny - 1, nz - 1]);
            let k = Kernel3::<L> { by_loop, out: f.ex.out(), a: f.hz.view(), b: f.hy.view(), ca: cy, cb: cz };
            rt::launch(&k, rt::Domain::nest(by_loop), 9);
            let by_loop = L::permute([nx - 1, ny, nz - 1]);
            let k = Kernel4::<L> { by_loop, out: f.ey.out(), a: f.hx.view(), b: f.hz.view(), ca: cz, cb: cx };
            rt::launch(&k, rt::Domain::nest(by_loop), 9);
            let by_loop = L::permute([nx - 1, ny - 1, nz]);
            let k = Kernel5::<L> { by_loop, out: f.ez.out(), a: f.hy.view(), b: f.hx.view(), ca: cx, cb: cy };
            rt::launch(&k, rt::Domain::nest(by_loop), 9);
        }
        Ok(())
    });
    entered.expect("none of it can fail");
}

// One kernel of six; the others differ only in the offsets of their accesses.
macro_rules! curl {
    ($name:ident: out $o:expr, a $a0:expr, $a1:expr, b $b0:expr, $b1:expr) => {
        struct $name<'a, L: Layout> {
            by_loop: [usize; 3],
            out: rt::Out<'a, L, f64, 3>,
            a: rt::View<'a, L, f64, 3>,
            b: rt::View<'a, L, f64, 3>,
            ca: f64,
            cb: f64,
        }

        impl<L: Layout> rt::Kernel for $name<'_, L> {
            #[inline(always)]
            fn run<I: Isa>(&self, chunk: &rt::Chunk) {
                for row in chunk.rows(self.by_loop) {
                    let [i, j, k] = L::permute(row.at);
                    let at = |[di, dj, dk]: [usize; 3]| [i + di, j + dj, k + dk];
                    // SAFETY: the host checked each access map against its array's shape; rows of one launch are disjoint.
                    let (out, a1, a0, b1, b0) = unsafe {
                        (
                            self.out.row(at($o), row.len),
                            self.a.row(at($a1), row.len),
                            self.a.row(at($a0), row.len),
                            self.b.row(at($b1), row.len),
                            self.b.row(at($b0), row.len),
                        )
                    };
                    curl_row(out, a1, a0, b1, b0, self.ca, self.cb);
                }
            }
        }
    };
}
curl!(Kernel0: out [0, 0, 0], a [0, 0, 0], [0, 0, 1], b [0, 0, 0], [0, 1, 0]);
curl!(Kernel1: out [0, 0, 0], a [0, 0, 0], [1, 0, 0], b [0, 0, 0], [0, 0, 1]);
curl!(Kernel2: out [0, 0, 0], a [0, 0, 0], [0, 1, 0], b [0, 0, 0], [1, 0, 0]);
curl!(Kernel3: out [0, 1, 1], a [0, 0, 1], [0, 1, 1], b [0, 1, 0], [0, 1, 1]);
curl!(Kernel4: out [1, 0, 1], a [1, 0, 0], [1, 0, 1], b [0, 0, 1], [1, 0, 1]);
curl!(Kernel5: out [1, 1, 0], a [0, 1, 0], [1, 1, 0], b [1, 0, 0], [1, 1, 0]);

#[inline(always)]
fn curl_row(out: &mut [f64], a1: &[f64], a0: &[f64], b1: &[f64], b0: &[f64], ca: f64, cb: f64) {
    let len = out.len();
    let (a1, a0, b1, b0) = (&a1[..len], &a0[..len], &b1[..len], &b0[..len]);
    for i in 0..len {
        out[i] = out[i] + ca * (a1[i] - a0[i]) - cb * (b1[i] - b0[i]);
    }
}
