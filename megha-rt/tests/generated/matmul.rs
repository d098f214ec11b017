//! The naive matrix product: DOALL loops `i` and `j`, a sequential loop `k` inside.

use megha_rt as rt;
use megha_rt::{ColMajor, Isa, Layout, RowMajor};

static SITE: rt::Site = rt::Site { path: "matmul.m", line: 7, column: 13, text: "c(i, j) = s" };

/// Points of the innermost DOALL loop whose sums are carried through the sequential loop together.
const LANES: usize = 32;

/// `for i .. for j .. s = 0; for k .. s = s + a(i,k) * b(k,j); end; c(i,j) = s; end end`
pub fn matmul<L: Layout>(a: rt::View<'_, L, f64, 2>, b: rt::View<'_, L, f64, 2>) -> rt::Result<rt::Array<L, f64, 2>>
where
    for<'a> Kernel0<'a, L>: rt::Kernel,
{
    let [m, p] = a.shape();
    let n = b.shape()[1];
    let mut c = rt::Array::<L, f64, 2>::uninit([m, n], &SITE)?;
    let by_loop = L::permute([m, n]);
    rt::launch(&Kernel0 { by_loop, p, a, b, c: c.fill() }, rt::Domain::nest(by_loop), 2 * p as u32);
    // SAFETY: kernel 0 wrote every element.
    Ok(unsafe { c.assume_init() })
}

pub struct Kernel0<'a, L: Layout> {
    by_loop: [usize; 2],
    p: usize,
    a: rt::View<'a, L, f64, 2>,
    b: rt::View<'a, L, f64, 2>,
    c: rt::Out<'a, L, f64, 2>,
}

/// Columns first: loop order j, i, k; `a` runs along i, `b` is uniform.
impl rt::Kernel for Kernel0<'_, ColMajor> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &rt::Chunk) {
        for row in chunk.rows(self.by_loop) {
            for piece in row.pieces(LANES) {
                let [j, i] = piece.at;
                let mut s = [0.0; LANES];
                if piece.len == LANES {
                    for k in 0..self.p {
                        // SAFETY: a is m by p, b is p by n.
                        let (a, b) = unsafe { (self.a.row([i, k], LANES), self.b.get_unchecked([k, j])) };
                        kernel0_lanes(&mut s, a, b);
                    }
                } else {
                    for k in 0..self.p {
                        // SAFETY: as above.
                        let (a, b) = unsafe { (self.a.row([i, k], piece.len), self.b.get_unchecked([k, j])) };
                        kernel0_rest(&mut s[..piece.len], a, b);
                    }
                }
                // SAFETY: c is m by n; this thread alone has these points.
                unsafe { self.c.row([i, j], piece.len) }.copy_from_slice(&s[..piece.len]);
            }
        }
    }
}

/// Rows first: loop order i, j, k; `b` runs along j, `a` is uniform.
impl rt::Kernel for Kernel0<'_, RowMajor> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &rt::Chunk) {
        for row in chunk.rows(self.by_loop) {
            for piece in row.pieces(LANES) {
                let [i, j] = piece.at;
                let mut s = [0.0; LANES];
                if piece.len == LANES {
                    for k in 0..self.p {
                        // SAFETY: a is m by p, b is p by n.
                        let (a, b) = unsafe { (self.a.get_unchecked([i, k]), self.b.row([k, j], LANES)) };
                        kernel0_lanes(&mut s, b, a);
                    }
                } else {
                    for k in 0..self.p {
                        // SAFETY: as above.
                        let (a, b) = unsafe { (self.a.get_unchecked([i, k]), self.b.row([k, j], piece.len)) };
                        kernel0_rest(&mut s[..piece.len], b, a);
                    }
                }
                // SAFETY: c is m by n; this thread alone has these points.
                unsafe { self.c.row([i, j], piece.len) }.copy_from_slice(&s[..piece.len]);
            }
        }
    }
}

#[inline(always)]
fn kernel0_lanes(s: &mut [f64; LANES], along: &[f64], uniform: f64) {
    let along = &along[..LANES];
    for l in 0..LANES {
        s[l] += along[l] * uniform;
    }
}

#[inline(always)]
fn kernel0_rest(s: &mut [f64], along: &[f64], uniform: f64) {
    let along = &along[..s.len()];
    for l in 0..s.len() {
        s[l] += along[l] * uniform;
    }
}
