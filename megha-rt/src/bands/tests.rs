//! Two fields that wait for each other, by bands of all shapes, and threads that fail.

use super::*;
use crate::launch::Chunk;
use crate::{Array, ColMajor, Isa, Out, Site, View};

const SITE: Site = Site { path: "", line: 0, column: 0, text: "" };

/// `a(i + own) = a(i + own) + b(i + ahead)` for the rows of `a`, each of `wide` numbers.
struct Add<'a> {
    extents: [usize; 2],
    own: usize,
    ahead: usize,
    a: Out<'a, ColMajor, u64, 2>,
    b: View<'a, ColMajor, u64, 2>,
    /// A row that fails.
    fails: usize,
}

impl Kernel for Add<'_> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        for row in chunk.rows(self.extents) {
            let [j, i] = row.at;
            if j == self.fails {
                std::panic::resume_unwind(Box::new("as told"));
            }
            // SAFETY: rows and rows ahead are within the arrays, and no other thread touches them now.
            let (a, b) = unsafe { (self.a.row([i, j + self.own], row.len), self.b.row([i, j + self.ahead], row.len)) };
            a.iter_mut().zip(b).for_each(|(a, b)| *a = a.wrapping_mul(3).wrapping_add(*b));
        }
    }
}

/// Steps of `a(j) += b(j + 1)`, `b(j) += a(j + 1)`: a step is two behind the one before, the second launch one behind the first.
fn fields(rows: usize, steps: usize, fails: Option<(usize, usize)>) -> Vec<u64> {
    let wide = 3;
    let make = |seed: u64| {
        let mut array = Array::<ColMajor, u64, 2>::filled([wide, rows + 1], 0, &SITE).unwrap();
        array.as_mut_slice().iter_mut().enumerate().for_each(|(at, x)| *x = seed + at as u64);
        array
    };
    let (mut a, mut b) = (make(1), make(100));
    let mut bands = Steps::new::<ColMajor>(&[[Some(Slope::Rows(2)), None]], steps as i64, 0);
    for step in 0..steps {
        let fails = fails.filter(|(at, _)| *at == step).map_or(usize::MAX, |(_, row)| row);
        let (extents, domain) = ([rows, wide], Domain::nest([rows, wide]));
        let behind = |offset| Rows { axis: [0, 0], first: [0, 0], offset: [offset, 0] };
        let first = Add { extents, own: 0, ahead: 1, a: a.out(), b: b.view(), fails };
        // SAFETY: the arrays live until the launches have run, and rows wait for what they depend on.
        unsafe { bands.launch(0, (extents, domain, 1), &[behind(0)], first) };
        let second = Add { extents, own: 0, ahead: 1, a: b.out(), b: a.view(), fails: usize::MAX };
        // SAFETY: as above.
        unsafe { bands.launch(1, (extents, domain, 1), &[behind(1)], second) };
    }
    bands.run();
    [a.as_slice(), b.as_slice()].concat()
}

fn of(width: usize, height: usize) -> Shape {
    Shape { width, height, inside: false }
}

#[test]
fn bands_of_all_shapes_make_the_same() {
    let (sizes, shapes): (&[usize], _) = if cfg!(miri) { (&[3, 8], 1..4) } else { (&[0, 1, 2, 5, 16], 1..7) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for (rows, steps) in sizes.iter().flat_map(|rows| [0, 1, 2, 5].map(|steps| (*rows, steps))) {
        let wanted = fields(rows, steps, None);
        for (width, height) in shapes.clone().flat_map(|width| [1, 2, 3, 9].map(|height| (width, height))) {
            let (got, [noted, _]) = pool.install(|| within(of(width, height), || fields(rows, steps, None)));
            assert_eq!(
                (got, noted),
                (wanted.clone(), 2 * steps as u64),
                "{rows} rows, {steps} steps, {width} {height}"
            );
            assert_eq!(within(of(width, height), || fields(rows, steps, None)).0, wanted);
        }
    }
}

/// Steps of `a(j) += c(j)`, in rows of which none depends on another, from rows on that move on with the steps.
fn sums(rows: usize, steps: usize) -> Vec<u64> {
    let wide = 3;
    let make = |seed: u64, rows: usize| {
        let mut array = Array::<ColMajor, u64, 2>::filled([wide, rows], 0, &SITE).unwrap();
        array.as_mut_slice().iter_mut().enumerate().for_each(|(at, x)| *x = seed + at as u64);
        array
    };
    let (mut a, c) = (make(1, rows + 1), make(100, rows + 1));
    let mut bands = Steps::new::<ColMajor>(&[[Some(Slope::Apart), None]], steps as i64, 0);
    for step in 0..steps {
        let from = step % 2;
        let (extents, domain) = ([rows, wide], Domain::nest([rows, wide]));
        let behind = Rows { axis: [0, 0], first: [from as i64, 0], offset: [0, 0] };
        let add = Add { extents, own: from, ahead: from, a: a.out(), b: c.view(), fails: usize::MAX };
        // SAFETY: the arrays live until the launches have run, and no row depends on another one.
        unsafe { bands.launch(0, (extents, domain, 1), &[behind], add) };
        // One without rows may begin anywhere.
        let nothing = Add { extents: [0, wide], own: 0, ahead: 0, a: a.out(), b: c.view(), fails: usize::MAX };
        let far = Rows { first: [1 << 50, 0], ..behind };
        // SAFETY: it touches nothing.
        unsafe { bands.launch(1, ([0, wide], Domain::nest([0, wide]), 1), &[far], nothing) };
    }
    bands.run();
    a.as_slice().to_vec()
}

#[test]
fn bands_apart_of_all_shapes_make_the_same() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for (rows, steps) in [0, 1, 5, 16].into_iter().flat_map(|rows| [0, 1, 2, 5].map(|steps| (rows, steps))) {
        let wanted = sums(rows, steps);
        for width in 1..4 {
            let (got, [noted, _]) = pool.install(|| within(of(width, 2), || sums(rows, steps)));
            assert_eq!((got, noted), (wanted.clone(), 2 * steps as u64), "{rows} rows, {steps} steps, {width}");
        }
    }
}

/// Who waits for a thread that fails does not wait for ever.
#[test]
fn a_failure_reaches_the_caller() {
    for (step, row) in [(0, 0), (0, 7), (3, 2)] {
        let failed = std::panic::catch_unwind(|| within(of(2, 1), || fields(8, 6, Some((step, row)))));
        assert_eq!(failed.unwrap_err().downcast_ref::<&str>(), Some(&"as told"));
        assert_eq!(within(of(2, 1), || fields(8, 6, None)).0, fields(8, 6, None));
    }
}

/// Rows along the dimension inside are taken where planes are large, if these are more, threads can follow each other along them, and nothing is lost by it.
#[test]
fn large_planes_are_cut() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let goes_inside = |slopes: &[Slope], extents: [usize; 3], bytes: usize| {
        let slopes: Vec<[Option<Slope>; 2]> = slopes.iter().map(|slope| [Some(*slope), None]).collect();
        let mut bands = Steps::new::<ColMajor>(&slopes, 100, bytes);
        let along = |axis: usize| Rows { axis: [axis, 0], first: [0; 2], offset: [0; 2] };
        let rows: Vec<Rows> = (0..slopes.len()).map(along).collect();
        pool.install(|| bands.choose(&extents, &rows));
        (bands.goes_inside, bands.slope)
    };
    let (one, two, nine) = (Slope::Rows(1), Slope::Rows(2), Slope::Rows(9));
    let large = 1 << 30;
    assert_eq!(goes_inside(&[one, two], [32, 1024, 1024], large), (true, Some(2)));
    assert_eq!(goes_inside(&[one, two], [32, 1024, 1024], 32 << 20), (false, Some(1)), "planes of a megabyte");
    assert_eq!(goes_inside(&[one, two], [1024, 1024, 1024], large), (false, Some(1)), "as many planes as lines");
    assert_eq!(goes_inside(&[one, nine], [32, 128, 1024], large), (false, Some(1)), "lines for seven bands");
    assert_eq!(goes_inside(&[Slope::Apart, two], [32, 1024, 1024], large), (false, Some(0)), "planes are apart");
    assert_eq!(goes_inside(&[one, Slope::Apart], [32, 1024, 1024], large), (true, Some(0)));
    assert_eq!(goes_inside(&[one], [32, 1024, 1024], large), (false, Some(1)), "two dimensions");
}

/// Bands are no wider than leaves work for all threads, and blocks come out even.
#[test]
fn shapes_fit_the_caches() {
    let shape = |rows: usize, bytes: usize, (steps, threads): (usize, usize)| {
        let mut bands = Steps::new::<ColMajor>(&[[Some(Slope::Rows(1)); 2]], 100, bytes);
        bands.rows = rows;
        bands.shape(steps, threads)
    };
    assert_eq!(shape(2048, 64 << 20, (100, 2)), (13, 10));
    assert_eq!(shape(128, 32 << 20, (20, 2)), (8, 10));
    assert_eq!(shape(8, 1 << 30, (20, 2)), (1, 2));
    assert_eq!(shape(1 << 20, 16 << 20, (64, 4)), (32768, 16));
}
