//! Reductions fused with the element-wise work that feeds them, several in one pass.

use megha_rt as rt;
use megha_rt::reduce::{Lanes, Max, Partials, PartialsOut, Space, Sum};
use megha_rt::{Isa, Layout, Site};

const SITE: Site = Site { path: "test.m", line: 1, column: 1, text: "sum(x)" };

/// `d = x - y; s = sum(d(:) .* d(:)); m = max(abs(d(:)));` : one pass, two reductions, no array.
pub fn distance<L: Layout, const N: usize>(x: rt::View<'_, L, f64, N>, y: rt::View<'_, L, f64, N>) -> (f64, f64) {
    let space = Space::all(x.len());
    let mut s = Partials::<f64>::new(space);
    let mut m = Partials::<f64>::new(space);
    rt::launch(&Kernel0 { space, x, y, s: s.out(), m: m.out() }, space.domain(), space.weight(5));
    // SAFETY: kernel 0 ran over the whole space.
    unsafe { (s.combine_all::<Sum>(&SITE).unwrap(), m.combine_all::<Max>(&SITE).unwrap()) }
}

struct Kernel0<'a, L: Layout, const N: usize> {
    space: Space,
    x: rt::View<'a, L, f64, N>,
    y: rt::View<'a, L, f64, N>,
    s: PartialsOut<'a, f64>,
    m: PartialsOut<'a, f64>,
}

impl<L: Layout, const N: usize> rt::Kernel for Kernel0<'_, L, N> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &rt::Chunk) {
        let mut squares = rt::Tile::<f64>::CLEAR;
        let mut sizes = rt::Tile::<f64>::CLEAR;
        let (mut x, mut y) = (self.x.columns(), self.y.columns());
        for block in self.space.blocks(chunk) {
            let mut s = Lanes::<f64, Sum>::new(&block);
            let mut m = Lanes::<f64, Max>::new(&block);
            for t in block.tiles() {
                // SAFETY: both have as many elements as the space.
                let (x, y) = unsafe { (x.tile(t.start, t.len()), y.tile(t.start, t.len())) };
                let (squares, sizes) = (&mut squares[..t.len()], &mut sizes[..t.len()]);
                kernel0_loop0(squares, sizes, x, y);
                s.push::<I>(squares);
                m.push::<I>(sizes);
            }
            // SAFETY: a block of this space, which only this thread has.
            unsafe {
                self.s.of(&block)[0] = s.fold();
                self.m.of(&block)[0] = m.fold();
            }
        }
    }
}

#[inline(always)]
fn kernel0_loop0(squares: &mut [f64], sizes: &mut [f64], x: &[f64], y: &[f64]) {
    let len = squares.len();
    let (sizes, x, y) = (&mut sizes[..len], &x[..len], &y[..len]);
    for i in 0..len {
        let d = x[i] - y[i];
        squares[i] = d * d;
        sizes[i] = d.abs();
    }
}

/// `r = sum(x .* x, dim)` for a dimension that the compiler knows; it emits the branch that the layout needs.
pub fn sum_squares<L: Layout, const N: usize>(x: rt::View<'_, L, f64, N>, dim: usize) -> rt::Array<L, f64, N> {
    let space = Space::along::<L, N>(x.shape(), dim);
    let mut r = Partials::<f64>::new(space);
    rt::launch(&Kernel1 { space, x, r: r.out() }, space.domain(), space.weight(3));
    let mut shape = x.shape();
    shape[dim] = 1;
    // SAFETY: kernel 1 ran over the whole space.
    unsafe { r.combine::<Sum, L, N>(shape, &SITE) }.unwrap()
}

struct Kernel1<'a, L: Layout, const N: usize> {
    space: Space,
    x: rt::View<'a, L, f64, N>,
    r: PartialsOut<'a, f64>,
}

impl<L: Layout, const N: usize> rt::Kernel for Kernel1<'_, L, N> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &rt::Chunk) {
        if self.space.contiguous() {
            self.run_contiguous::<I>(chunk);
        } else {
            self.run_strided::<I>(chunk);
        }
    }
}

impl<L: Layout, const N: usize> Kernel1<'_, L, N> {
    /// The reduced dimension is contiguous: lanes lie along it.
    #[inline(always)]
    fn run_contiguous<I: Isa>(&self, chunk: &rt::Chunk) {
        let mut value = rt::Tile::<f64>::CLEAR;
        for block in self.space.blocks(chunk) {
            let mut r = Lanes::<f64, Sum>::new(&block);
            for t in block.tiles() {
                let value = &mut value[..t.len()];
                // SAFETY: the tile lies within the row.
                let x = unsafe { self.x.flat(self.space.offset(block.outer, t.start, 0), t.len()) };
                kernel1_loop0(value, x);
                r.push::<I>(value);
            }
            // SAFETY: a block of this space, which only this thread has.
            unsafe { self.r.of(&block)[0] = r.fold() };
        }
    }

    /// The reduced dimension is strided: the loop runs over neighbours, each with lanes of its own.
    #[inline(always)]
    fn run_strided<I: Isa>(&self, chunk: &rt::Chunk) {
        let mut value = rt::Tile::<f64>::CLEAR;
        for block in self.space.blocks(chunk) {
            // SAFETY: a block of this space, which only this thread has.
            let Some(mut r) = (unsafe { self.r.rows::<Sum>(&block) }) else { return };
            for (e, piece) in block.walk() {
                let value = &mut value[..piece.len()];
                // SAFETY: the run of neighbours lies within the array.
                let x = unsafe { self.x.flat(self.space.offset(block.outer, e, piece.start), piece.len()) };
                kernel1_loop0(value, x);
                r.push(e, piece.start - block.inner.start, value);
            }
            r.fold::<I>();
        }
    }
}

#[inline(always)]
fn kernel1_loop0(value: &mut [f64], x: &[f64]) {
    let len = value.len();
    let x = &x[..len];
    for i in 0..len {
        value[i] = x[i] * x[i];
    }
}
