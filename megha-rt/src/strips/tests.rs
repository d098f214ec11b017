//! Sums of rows and what is made of them, by strips of all widths.

use super::*;
use crate::reduce::{Lanes, Sum};
use crate::{ColMajor, RowMajor, View};

const SITE: Site = Site { path: "", line: 0, column: 0, text: "" };

/// The sums of the rows of a matrix.
struct Sums<'a, L: Layout> {
    space: Space,
    a: View<'a, L, f64, 2>,
    sums: PartialsOut<'a, f64>,
}

impl<L: Layout> Kernel for Sums<'_, L> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        for block in self.space.blocks(chunk) {
            // SAFETY: blocks are within the matrix, and each has its partial results to itself.
            unsafe {
                if self.space.contiguous() {
                    let mut lanes = Lanes::<f64, Sum>::new(&block);
                    block.tiles().for_each(|tile| lanes.push::<I>(self.a.row([block.outer, tile.start], tile.len())));
                    self.sums.of(&block)[0] = lanes.fold();
                } else {
                    let Some(mut rows) = self.sums.rows::<Sum>(&block) else { return };
                    for (e, at) in block.walk() {
                        rows.push(e, at.start - block.inner.start, self.a.row([at.start, e], at.len()));
                    }
                    rows.fold::<I>();
                }
            }
        }
    }
}

/// `y(r) = 2 * s(r)`.
struct Twice<'a, L: Layout> {
    extents: [usize; 1],
    s: View<'a, L, f64, 2>,
    y: Out<'a, L, f64, 2>,
}

impl<L: Layout> Kernel for Twice<'_, L> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        for row in chunk.rows(self.extents) {
            for r in row.at[0]..row.at[0] + row.len {
                // SAFETY: the row is within the vectors.
                unsafe { self.y.set([r, 0], 2.0 * self.s.get_unchecked([r, 0])) };
            }
        }
    }
}

fn doubled<L: Layout>(rows: usize, columns: usize) -> Vec<f64> {
    let mut a = Array::<L, f64, 2>::filled([rows, columns], 0.0, &SITE).unwrap();
    for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
        // SAFETY: within the matrix.
        unsafe { a.set_unchecked([i, j], 1.0 / (1 + i * 31 + j) as f64) };
    }
    let shared = Shared { rows, adjacent: L::ORDER == Order::ColMajor };
    let mut strips = Strips::new::<L>([Some(shared); 2], 8 * rows * columns);
    let space = Space::along::<L, 2>([rows, columns], 1);
    let along = match L::ORDER {
        Order::ColMajor => Along::Neighbours,
        Order::RowMajor => Along::Outer { before: 1, rows },
    };
    let mut partials = strips.partials::<f64>(space);
    let mut y = Array::<L, f64, 2>::uninit([rows, 1], &SITE).unwrap();
    let kernel = Sums { space, a: a.view(), sums: partials.out() };
    // SAFETY: all arrays live until the launches have run, and each row is made of the same row.
    unsafe {
        strips.reduce((space, 1), along, kernel);
        let s = strips.combine::<Sum, f64, L, 2>(&mut partials, along, [rows, 1], &SITE).unwrap();
        let kernel = Twice { extents: [rows], s: s.view(), y: y.fill() };
        let rows = Rows { axis: [0, 0], first: [0, 0] };
        strips.launch((kernel.extents, Domain::nest(kernel.extents), 1), rows, kernel);
        strips.run();
        partials.complete(&SITE).unwrap();
        y.assume_init().as_slice().to_vec()
    }
}

/// Rows of no chunk, one and several, for neighbours and for rows apart.
#[test]
fn strips_of_all_widths_make_the_same() {
    let shapes: &[(usize, usize)] =
        if cfg!(miri) { &[(3, 5)] } else { &[(0, 3), (1, 1), (5, 0), (7, 40), (9, 5000), (3, 150_000)] };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for (rows, columns) in shapes.iter().copied() {
        let wanted = doubled::<RowMajor>(rows, columns);
        assert_eq!(doubled::<ColMajor>(rows, columns), wanted);
        for width in [1, 2, 5, 100] {
            // Launches without points are not noted.
            let noted = match rows * columns {
                0 => u64::from(rows > 0),
                _ if columns > 4096 => 3,
                _ => 2,
            };
            let (got, count) = pool.install(|| within(width, || doubled::<RowMajor>(rows, columns)));
            assert_eq!((got, count), (wanted.clone(), noted), "{rows} by {columns}, {width}");
            let (got, count) = within(width, || doubled::<ColMajor>(rows, columns));
            assert_eq!((got, count), (wanted.clone(), noted), "{rows} by {columns}, {width}");
        }
    }
}

/// Strips fit the cache, threads get some each, and neighbouring rows are not cut into short runs.
#[test]
fn widths_fit_the_cache() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let of = |rows: usize, adjacent: bool, bytes: usize| pool.install(|| width(Shared { rows, adjacent }, bytes));
    assert_eq!(of(4096, false, 4096 * 65_536), Some(3));
    assert_eq!(of(4096, true, 4096 * 65_536), None);
    assert_eq!(of(100_000, true, 100_000 * 64), Some(4032));
    assert_eq!(of(100, false, 100 << 20), None);
    assert_eq!(of(100, false, 100 << 12), Some(12));
    assert_eq!(of(3, false, 3 << 17), Some(1));
}

/// Threads keep what fits their own caches, in whole cache lines, if each has enough neighbours.
#[test]
fn widths_fit_the_caches_of_all_threads() {
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let of = |rows: usize, adjacent: bool, bytes: usize| own_width(Shared { rows, adjacent }, bytes);
    pool(2).install(|| {
        assert_eq!([383, 128, 127].map(|rows| of(rows, true, 383 * 6144)), [Some(64), Some(64), None]);
        assert_eq!([4, 5].map(|mb| of(1000, true, mb << 20)), [Some(128), None]);
        assert_eq!(of(383, false, 383 * 6144), None);
    });
    assert_eq!(pool(1).install(|| of(383, true, 383 * 6144)), None);
}

/// A step of an elimination: rows behind `k`, each of its own elements and row `k`.
struct Eliminated<'a, L: Layout> {
    extents: [usize; 2],
    k: usize,
    a: Out<'a, L, f64, 2>,
}

impl<L: Layout> Kernel for Eliminated<'_, L> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        for row in chunk.rows(self.extents) {
            for j in row.at[1]..row.at[1] + row.len {
                let (i, j, k) = (self.k + 1 + row.at[0], self.k + 1 + j, self.k);
                // SAFETY: within the matrix; no other launch or thread stores row `k`, or element `(i, j)`.
                unsafe {
                    let at = |i: usize, j: usize| self.a.at([i as i64, j as i64]);
                    self.a.set([i, j], at(i, j) - at(i, k) / at(k, k) * at(k, j));
                }
            }
        }
    }
}

fn eliminated<L: Layout>(n: usize) -> Vec<f64> {
    let mut a = Array::<L, f64, 2>::filled([n, n], 0.0, &SITE).unwrap();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        // SAFETY: within the matrix.
        unsafe { a.set_unchecked([i, j], if i == j { n as f64 } else { 1.0 / (1 + i * 31 + j) as f64 }) };
    }
    let mut strips = Strips::over_steps::<L>([Some(Shared { rows: n, adjacent: false }); 2], 8 * n * n);
    for k in 0..n {
        let kernel = Eliminated { extents: [n - k - 1, n - k - 1], k, a: a.out() };
        let rows = Rows { axis: [0, 0], first: [k as i64 + 1; 2] };
        // SAFETY: the array lives until all has run, and row `k` is before those of this step and all later ones.
        unsafe { strips.launch((kernel.extents, Domain::nest(kernel.extents), 6), rows, kernel) };
        strips.step();
    }
    strips.run();
    a.as_slice().to_vec()
}

/// Steps go together: as many as the first strip has rows, whatever their number, on one thread and on several.
#[test]
fn steps_that_read_rows_before_their_own_make_the_same() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for n in if cfg!(miri) { vec![0, 5] } else { vec![0, 1, 2, 7, 40] } {
        let (wanted, turned) = (eliminated::<RowMajor>(n), eliminated::<ColMajor>(n));
        for width in [1, 2, 5, 100] {
            let (got, count) = pool.install(|| within(width, || eliminated::<RowMajor>(n)));
            assert_eq!((got, count), (wanted.clone(), n.saturating_sub(1) as u64), "order {n}, {width}");
            assert_eq!(within(width, || eliminated::<ColMajor>(n)).0, turned, "order {n}, {width}");
        }
    }
}
