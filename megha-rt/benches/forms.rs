//! Which form of a kernel body is fast: the figures in the table of docs/generated-code.md. One thread, medians.
#![allow(unsafe_code, reason = "kernels write through shared pointers, as generated code does")]

#[path = "../tests/generated/math.rs"]
#[allow(missing_docs, reason = "shared with the tests")]
mod math;

use std::hint::black_box;
use std::time::Instant;

use megha_rt as rt;
use rt::reduce::{Block, Lanes, Max, Partials, Space, Sum};
use rt::{Chunk, Domain, Isa, Kernel};

/// Median nanoseconds for each of `points` points.
fn measure(points: usize, kernel: &impl Kernel, domain: Domain) -> f64 {
    let runs = 15;
    rt::launch(kernel, domain, 1);
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            rt::launch(black_box(kernel), domain, 0);
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2] * 1e9 / points as f64
}

fn report(name: &str, ns: &[(&str, f64)]) {
    print!("{name:<28}");
    for (form, time) in ns {
        print!("  {form} {time:.3} ns ({:.2}x)", ns[0].1 / time);
    }
    println!();
}

/// A kernel whose body is a function of the instruction set and the chunk: the closure inlines into the dispatch.
struct Body<F>(F);

impl<F: Fn(&Chunk) + Sync> Kernel for Body<F> {
    #[inline(always)]
    fn run<I: Isa>(&self, chunk: &Chunk) {
        (self.0)(chunk);
    }
}

fn main() {
    println!("{:?}", rt::Level::current());
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap_or_default();
    long_body();
    stencil(30_000);
    stencil(2_000_000);
    sequential_inside();
    reduction();
}

/// A memory location that each run writes, without borrowing it from the kernel.
#[derive(Clone, Copy)]
struct Place(*mut f64, usize);
// SAFETY: these benchmarks run on one thread.
unsafe impl Sync for Place {}
// SAFETY: as above.
unsafe impl Send for Place {}

impl Place {
    fn of(values: &mut [f64]) -> Place {
        Place(values.as_mut_ptr(), values.len())
    }

    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "one thread, one use at a time")]
    fn get(&self) -> &mut [f64] {
        // SAFETY: the vector outlives the measurement, and its kernel is the only user.
        unsafe { std::slice::from_raw_parts_mut(self.0, self.1) }
    }
}

/// exp, log, a root and two divisions: one loop, or four over a tile.
fn long_body() {
    let n = 200_000;
    let x: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 * 1e-4).collect();
    let mut out = vec![0.0; n];
    let place = Place::of(&mut out);
    let whole = Body(
        #[inline(always)]
        |c: &Chunk| long_row(&mut place.get()[c.inner.clone()], &x[c.inner.clone()]),
    );
    let tiled = Body(
        #[inline(always)]
        |c: &Chunk| {
            let mut a = [0.0; rt::TILE];
            let mut b = [0.0; rt::TILE];
            for t in c.tiles() {
                let (a, b) = (&mut a[..t.len()], &mut b[..t.len()]);
                long_tile(&mut place.get()[t.clone()], &x[t], a, b);
            }
        },
    );
    let closure = Body(
        #[inline(always)]
        |c: &Chunk| {
            let each = |i: usize| place.get()[i] = element(x[i]);
            c.inner.clone().for_each(black_box(each));
        },
    );
    report(
        "long body",
        &[
            ("one loop", measure(n, &whole, Domain::flat(n))),
            ("tiled", measure(n, &tiled, Domain::flat(n))),
            ("opaque closure", measure(n, &closure, Domain::flat(n))),
        ],
    );
}

#[inline(always)]
fn normal(d: f64) -> f64 {
    let v = d.abs();
    let k = 1.0 / (1.0 + 0.2316419 * v);
    let poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    let tail = 0.3989422804014327 * math::exp(-0.5 * v * v) * poly;
    if d > 0.0 { 1.0 - tail } else { tail }
}

#[inline(always)]
fn element(x: f64) -> f64 {
    let root = 0.2 * x.sqrt();
    let d1 = (math::log(x / 7.0) + 0.05 * x) / root;
    x * normal(d1) - 7.0 * math::exp(-0.03 * x) * normal(d1 - root)
}

#[inline(always)]
fn long_row(out: &mut [f64], x: &[f64]) {
    let x = &x[..out.len()];
    for i in 0..out.len() {
        out[i] = element(x[i]);
    }
}

#[inline(always)]
fn long_tile(out: &mut [f64], x: &[f64], a: &mut [f64], b: &mut [f64]) {
    let len = out.len();
    let (x, a, b) = (&x[..len], &mut a[..len], &mut b[..len]);
    for i in 0..len {
        let root = 0.2 * x[i].sqrt();
        a[i] = (math::log(x[i] / 7.0) + 0.05 * x[i]) / root;
        b[i] = a[i] - root;
    }
    for v in a.iter_mut() {
        *v = normal(*v);
    }
    for v in b.iter_mut() {
        *v = normal(*v);
    }
    for i in 0..len {
        out[i] = x[i] * a[i] - 7.0 * math::exp(-0.03 * x[i]) * b[i];
    }
}

/// An update from four neighbouring rows: plain, and with the stores peeled to a cache line.
fn stencil(n: usize) {
    let row = 500;
    let n = n / row * row;
    let fields: Vec<Vec<f64>> = (0..4).map(|f| (0..n + 8).map(|i| (i * f) as f64).collect()).collect();
    let mut out = vec![0.0; n + 8];
    let place = Place::of(&mut out);
    let plain = Body(
        #[inline(always)]
        |c: &Chunk| rows::<false>(c, row, place.get(), &fields),
    );
    let peeled = Body(
        #[inline(always)]
        |c: &Chunk| rows::<true>(c, row, place.get(), &fields),
    );
    let domain = Domain::nest([n / row, 1]);
    report(
        &format!("stencil, {n} points"),
        &[("plain", measure(n, &plain, domain)), ("peeled", measure(n, &peeled, domain))],
    );
}

#[inline(always)]
fn rows<const PEEL: bool>(c: &Chunk, width: usize, out: &mut [f64], fields: &[Vec<f64>]) {
    for at in c.outer.clone().map(|r| r * width) {
        let out = &mut out[at + 3..at + 3 + width];
        let [a1, a0, b1, b0] = [1, 2, 1, 3].map(|d| &fields[d][at + d..at + d + width]);
        let head = if PEEL { out.as_ptr().align_offset(64).min(width) } else { 0 };
        if head > 0 {
            update(&mut out[..head], &a1[..head], &a0[..head], &b1[..head], &b0[..head]);
        }
        update(&mut out[head..], &a1[head..], &a0[head..], &b1[head..], &b0[head..]);
    }
}

#[inline(always)]
fn update(out: &mut [f64], a1: &[f64], a0: &[f64], b1: &[f64], b0: &[f64]) {
    let len = out.len();
    let (a1, a0, b1, b0) = (&a1[..len], &a0[..len], &b1[..len], &b0[..len]);
    for i in 0..len {
        out[i] = out[i] + 0.1 * (a1[i] - a0[i]) - 0.2 * (b1[i] - b0[i]);
    }
}

/// The product's sequential loop under lane arrays of several widths, and with four uniform operands at once.
fn sequential_inside() {
    let (m, p, n) = (256, 256, 64);
    let a: Vec<f64> = (0..m * p).map(|i| (i % 17) as f64).collect();
    let b: Vec<f64> = (0..p * n).map(|i| (i % 13) as f64).collect();
    let mut c = vec![0.0; m * n];
    let place = Place::of(&mut c);
    let scalar = Body(
        #[inline(always)]
        |chunk: &Chunk| {
            for j in chunk.outer.clone() {
                for i in 0..m {
                    place.get()[j * m + i] = (0..p).fold(0.0, |s, k| s + a[k * m + i] * b[j * p + k]);
                }
            }
        },
    );
    let domain = Domain::nest([n, 1]);
    let points = m * p * n;
    let lanes16 = Body(
        #[inline(always)]
        |c: &Chunk| lanes::<16>(c, &a, &b, place.get(), m, p),
    );
    let lanes32 = Body(
        #[inline(always)]
        |c: &Chunk| lanes::<32>(c, &a, &b, place.get(), m, p),
    );
    let lanes64 = Body(
        #[inline(always)]
        |c: &Chunk| lanes::<64>(c, &a, &b, place.get(), m, p),
    );
    let jammed = Body(
        #[inline(always)]
        |c: &Chunk| jam::<8>(c, &a, &b, place.get(), m, p),
    );
    let jammed16 = Body(
        #[inline(always)]
        |c: &Chunk| jam::<16>(c, &a, &b, place.get(), m, p),
    );
    report(
        "sequential inner loop",
        &[
            ("scalar", measure(points, &scalar, domain)),
            ("16 lanes", measure(points, &lanes16, domain)),
            ("32 lanes", measure(points, &lanes32, domain)),
            ("64 lanes", measure(points, &lanes64, domain)),
            ("8 lanes by 4", measure(points, &jammed, Domain::nest([n / 4, 1]))),
            ("16 lanes by 4", measure(points, &jammed16, Domain::nest([n / 4, 1]))),
        ],
    );
}

#[inline(always)]
fn lanes<const W: usize>(chunk: &Chunk, a: &[f64], b: &[f64], c: &mut [f64], m: usize, p: usize) {
    for j in chunk.outer.clone() {
        for i in (0..m).step_by(W) {
            let mut s = [0.0; W];
            for k in 0..p {
                let (a, b) = (&a[k * m + i..][..W], b[j * p + k]);
                for l in 0..W {
                    s[l] += a[l] * b;
                }
            }
            c[j * m + i..][..W].copy_from_slice(&s);
        }
    }
}

#[inline(always)]
fn jam<const W: usize>(chunk: &Chunk, a: &[f64], b: &[f64], c: &mut [f64], m: usize, p: usize) {
    for j in chunk.outer.clone().map(|j| 4 * j) {
        for i in (0..m).step_by(W) {
            let mut s = [[0.0; W]; 4];
            for k in 0..p {
                let a = &a[k * m + i..][..W];
                for u in 0..4 {
                    let b = b[(j + u) * p + k];
                    for l in 0..W {
                        s[u][l] += a[l] * b;
                    }
                }
            }
            for (u, s) in s.iter().enumerate() {
                c[(j + u) * m + i..][..W].copy_from_slice(s);
            }
        }
    }
}

/// A sum and a maximum of squares: a plain loop, lanes fed from a tile, and lanes of neighbouring sums.
fn reduction() {
    let n = 64 * 256;
    let x: Vec<f64> = (0..n).map(|i| (i % 101) as f64).collect();
    let mut out = vec![0.0; 64];
    let place = Place::of(&mut out);
    let plain = Body(
        #[inline(always)]
        |_: &Chunk| place.get()[0] = x.iter().fold(0.0, |s, v| s + v * v),
    );
    let tiled = Body(
        #[inline(always)]
        |_: &Chunk| place.get()[0] = tiles(&x).0,
    );
    let direct = Body(
        #[inline(always)]
        |_: &Chunk| {
            let mut s = Lanes::<f64, Sum>::new(&one_chunk());
            s.push::<rt::Avx512>(&x);
            place.get()[0] = s.fold();
        },
    );
    let both = Body(
        #[inline(always)]
        |_: &Chunk| {
            let (s, m) = tiles(&x);
            place.get()[0] = s + m;
        },
    );
    let neighbours = Space::new(1, n / 64, 64);
    let mut partials = Partials::<f64>::new(neighbours);
    let rows = partials.out();
    let strided = Body(
        #[inline(always)]
        |_: &Chunk| {
            let block = first(neighbours);
            // SAFETY: the one block of the space, which only this thread has.
            let Some(mut r) = (unsafe { rows.rows::<Sum>(&block) }) else { return };
            let mut v = [0.0; 64];
            for (e, row) in x.chunks_exact(64).enumerate() {
                for l in 0..64 {
                    v[l] = row[l] * row[l];
                }
                r.push(e, 0, &v);
            }
            r.fold::<rt::Avx512>();
        },
    );
    let domain = Domain::nest([1, 1]);
    report(
        "sum of squares in cache",
        &[
            ("plain", measure(n, &plain, domain)),
            ("lanes, no tile", measure(n, &direct, domain)),
            ("lanes", measure(n, &tiled, domain)),
            ("lanes, sum and max", measure(n, &both, domain)),
            ("strided", measure(n, &strided, domain)),
        ],
    );
}

/// The first block of a space.
#[inline(always)]
fn first(space: Space) -> Block {
    space.blocks(&space.domain().whole()).next().expect("the space is not empty")
}

/// A block whose elements combine by lanes.
#[inline(always)]
fn one_chunk() -> Block {
    first(Space::all(4096))
}

#[inline(always)]
fn tiles(x: &[f64]) -> (f64, f64) {
    let mut s = Lanes::<f64, Sum>::new(&one_chunk());
    let mut m = Lanes::<f64, Max>::new(&one_chunk());
    let mut value = [0.0; rt::TILE];
    for x in x.chunks(rt::TILE) {
        let value = &mut value[..x.len()];
        for i in 0..x.len() {
            value[i] = x[i] * x[i];
        }
        s.push::<rt::Avx512>(value);
        m.push::<rt::Avx512>(value);
    }
    (s.fold(), m.fold())
}
