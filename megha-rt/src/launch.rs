//! Running a kernel over its iteration domain: chunks, threads and the decision to use more than one.

mod bounded;
mod domain;
mod shares;

use std::ops::{Deref, DerefMut};

use crate::crew;
use crate::cuts;
use crate::device;
use crate::isa::{AnyKernel, Available, Kernel, Level};
use crate::{trace, watch};

pub use bounded::{launch_within, launch_within_bands};
pub use domain::{Band, Bands, Chunk, Domain, InTiles, Row, Rows, Tiles, in_tiles};
use domain::{Cut, width};
use shares::Shares;

/// Elements in a tile: the piece of a row that a long kernel body processes in several short loops, so that its
/// intermediate values (1 KiB each in double precision) stay in the first-level cache.
pub const TILE: usize = 128;

/// A tile's values of one variable, from a cache line's start on: a load of a 64-byte register that crosses lines is two, and on a
/// processor with such registers a kernel of seven loops took 7 % longer.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Tile<T>([T; TILE]);

macro_rules! cleared {
    ($($class:ty: $zero:expr),*) => {
        $(impl Tile<$class> {
            /// A tile before its first use. A constant, as an unoptimised build would keep the value that a function returns twice.
            pub const CLEAR: Self = Tile([$zero; TILE]);
        })*
    };
}
cleared!(f64: 0.0, f32: 0.0, bool: false, i8: 0, i16: 0, i32: 0, i64: 0, u8: 0, u16: 0, u32: 0, u64: 0);

impl<T> Deref for Tile<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Tile<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// Work (elements times weight) below which a launch stays on one thread: waking the others costs more than it saves.
pub(crate) const PARALLEL_WORK: u64 = 1 << 19;
/// The same while others are awake, from a launch just before: they begin within a microsecond or two.
const AWAKE_WORK: u64 = 1 << 17;
/// Work up to which plain loops are faster than a launch and the vectors of a kernel.
const LITTLE_WORK: u64 = 480;
/// The same of a kernel that packs what its rows share into panels: order 8 of a product.
const LITTLE_TO_PACK: u64 = 2400;
/// Least work of one chunk.
const CHUNK_WORK: u64 = 1 << 16;
/// Least work of a share that is one of as many as there are threads.
const SHARE_WORK: u64 = 1 << 17;
/// Points from which on a launch waits for memory if its points are light: 16 MiB of doubles are in no cache. With fewer the wider registers pay: `min` of 2^18 points in a
/// loop, whose arrays stay in the third-level cache, took three times as long without them.
const STREAMED_POINTS: u64 = 1 << 21;
/// The weight up to which points are light.
const LIGHT: u64 = 12;
/// Chunks for each thread: enough that a thread that starts late, or ends early, waits little for another.
const CHUNKS_PER_THREAD: usize = 16;

/// The weight of a loop inside of a point; no more than what is much for one point anyway, so that sums of weights are weights.
#[inline(always)]
pub fn repeated(weight: u32, times: usize) -> u32 {
    const MUCH: u32 = 1 << 24;
    weight.saturating_mul(u32::try_from(times).unwrap_or(u32::MAX)).min(MUCH)
}

/// Runs `kernel` over `domain`. `weight` is the cost of one point, in simple operations (an addition or a load is 1, an
/// exponential about 20); it decides only how many threads work, never what is computed.
#[inline]
pub fn launch<K: Kernel>(kernel: &K, domain: Domain, weight: u32) {
    whole(kernel, domain, weight);
}

/// [`launch`], for a kernel whose type is forgotten.
pub(crate) fn whole(kernel: &dyn AnyKernel, domain: Domain, weight: u32) {
    if is_short(&domain, weight) {
        return kernel.compute(&domain.whole(), Available::now());
    }
    parts(kernel, domain, &[domain.whole()], weight);
}

/// Whether a launch is too little work for several threads, there is some, and nobody divides or notes launches; it then runs where it is, and is
/// counted here. In a sequential loop a launch of few points takes about as long as this.
fn is_short(domain: &Domain, weight: u32) -> bool {
    let work = (domain.len() as u64).saturating_mul(u64::from(weight.max(1)));
    let short = work.wrapping_sub(1) < PARALLEL_WORK - 1 && !is_parallel(work) && !watch::is_watched();
    if short {
        trace::launched(domain.elements);
    }
    short
}

/// Whether a launch of so many points that weigh so much is so little work that host code computes the points itself, one after the other, which
/// a kernel's vectors would not repay. It is then counted as a launch.
#[inline(always)]
pub fn is_little<const N: usize>(extents: [usize; N], weight: u32) -> bool {
    is_at_most(extents, weight, LITTLE_WORK)
}

/// The same of a kernel that packs panels.
#[inline(always)]
pub fn is_little_to_pack<const N: usize>(extents: [usize; N], weight: u32) -> bool {
    is_at_most(extents, weight, LITTLE_TO_PACK)
}

#[inline(always)]
fn is_at_most<const N: usize>(extents: [usize; N], weight: u32, work: u64) -> bool {
    let points = extents.iter().fold(1, |points: u64, extent| points.saturating_mul(*extent as u64));
    let little = points.saturating_mul(u64::from(weight)) <= work && !watch::is_watched();
    if little {
        trace::launched(points as usize);
    }
    little
}

/// Runs `kernel` over these parts of `domain`, which have no point in common. What it makes of a point does not depend on the others, and
/// reductions are combined by the numbers of their chunks, so launches whose parts are all of the domain in the end make what one makes.
#[inline]
pub fn launch_parts<K: Kernel>(kernel: &K, domain: Domain, parts: &[Chunk], weight: u32) {
    self::parts(kernel, domain, parts, weight);
}

fn parts(kernel: &dyn AnyKernel, domain: Domain, parts: &[Chunk], weight: u32) {
    let divide = |part: &Chunk, weight: u64, threads: usize| even(part, &domain, weight, threads);
    spread((domain, parts), weight, &divide, kernel);
}

/// The chunks into which threads divide a part of a domain.
enum Division {
    /// Alike.
    Even(Cut),
    /// One by one; none if one thread is enough, or there is no memory for them.
    Listed(Vec<Chunk>),
}

impl Division {
    fn count(&self) -> usize {
        match self {
            Division::Even(cut) => cut.count(),
            Division::Listed(list) => list.len(),
        }
    }

    fn chunk(&self, index: usize) -> Chunk {
        match self {
            Division::Even(cut) => cut.chunk(index),
            Division::Listed(list) => list[index].clone(),
        }
    }
}

/// How so many threads divide a part of a domain, the points of which weigh so much.
type Divide<'d> = dyn Fn(&Chunk, u64, usize) -> Division + 'd;

/// Chunks of a part of a domain, of whole bands of rows.
fn even(part: &Chunk, domain: &Domain, weight: u64, threads: usize) -> Division {
    let points = (part.outer.len() as u64).saturating_mul(part.inner.len() as u64);
    let runs = part.outer.len().saturating_mul(part.inner.len().div_ceil(domain.run));
    let wanted = domain.sharing(wanted(points.saturating_mul(weight), threads), part, threads);
    Division::Even(part.cut(if domain.run > TILE { wanted.min(runs.max(threads)) } else { wanted }, domain.band))
}

/// How many chunks work is worth: as many for each thread if there are so many, so that each thread's part of an array is the same in the next launch.
fn wanted(work: u64, threads: usize) -> usize {
    let worth = (threads * CHUNKS_PER_THREAD).min((work / CHUNK_WORK) as usize);
    if worth < threads { worth } else { worth.next_multiple_of(threads.max(1)) }
}

/// Whether work is worth several threads now.
pub(crate) fn is_parallel(work: u64) -> bool {
    work >= PARALLEL_WORK || work >= AWAKE_WORK && crew::is_at_hand()
}

/// Into how many shares a kernel that divides its work itself divides so much of it: each is worth a thread, and there are no more than threads.
pub(crate) fn shares(work: u64) -> usize {
    if work < PARALLEL_WORK { 1 } else { rayon::current_num_threads().min((work / SHARE_WORK) as usize) }
}

/// The best instructions for so many points of this weight. What waits for memory does so longer with registers of 64 bytes, most of whose loads cross lines: a sum of two
/// arrays of a caller, aligned to 16 bytes, took 8 to 20 % longer from 32 MB on (Zen 4), and an update in place 5 to 25 %.
fn widest(points: u64, weight: u64) -> Level {
    if points >= STREAMED_POINTS && weight <= LIGHT { Level::Avx2 } else { Level::Avx512 }
}

/// Computes parts of a domain, by several threads if that pays.
fn spread((domain, parts): (Domain, &[Chunk]), weight: u32, divide: &Divide<'_>, kernel: &dyn AnyKernel) {
    let drawn = device::rest().or_else(|| cuts::drawn(|cuts| cuts::chunks(cuts, parts)));
    let parts = drawn.as_deref().unwrap_or(parts);
    // Kernels touch memory without tests.
    let fits = |part: &Chunk| part.outer.end <= domain.outer && part.inner.end <= domain.inner;
    assert!(parts.iter().all(fits), "parts of another launch");
    let weight = u64::from(weight.max(1));
    let points = |chunk: &Chunk| (chunk.outer.len() as u64).saturating_mul(chunk.inner.len() as u64);
    let all = parts.iter().fold(0, |sum: u64, chunk| sum.saturating_add(points(chunk)));
    let work = all.saturating_mul(weight);
    let set = Available::now().at_most(widest(all, weight));
    let run = |chunk: &Chunk| kernel.compute(chunk, set);
    let threads = if is_parallel(work) { rayon::current_num_threads() } else { 1 };
    trace::kernel(domain.elements, threads);
    let begun = trace::begin();
    for chunk in parts.iter().filter(|chunk| !chunk.is_empty()) {
        let division = if threads == 1 { Division::Listed(Vec::new()) } else { divide(chunk, weight, threads) };
        match division.count() {
            0 | 1 => run(chunk),
            count => share(count, threads, &|index| run(&division.chunk(index))),
        }
    }
    device::kernel_ended();
    if let Some(begun) = begun.filter(|_| !domain.is_empty()) {
        trace::ran(begun, short(kernel.name()), domain.elements, threads);
    }
}

/// Does so many things, numbered from 0, on several threads if there are. This thread works too: it need not wait for others to wake.
pub(crate) fn share(count: usize, threads: usize, each: &(dyn Fn(usize) + Sync)) {
    share_out(count, threads, &|next| {
        while let Some(index) = next() {
            each(index);
        }
    });
}

/// What a thread does with numbers that it gets one after the other, until there is none.
type Taker<'t> = dyn Fn(&mut dyn FnMut() -> Option<usize>) + Sync + 't;

/// As [`share`]; each thread asks for one number after the other until there is none.
pub(crate) fn share_out(count: usize, threads: usize, work: &Taker<'_>) {
    if threads == 1 || count <= 1 {
        let mut all = 0..count;
        return work(&mut || all.next());
    }
    let shares = Shares::of(count, threads);
    crew::together(threads - 1, &|member| {
        work(&mut || {
            member.keep_apart();
            shares.take(member.number())
        });
    });
}

/// The last part of the name of a kernel's type: `Kernel3` of `program::f::Kernel3<'_, ColMajor>`.
fn short(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use proptest::prelude::*;

    use super::*;
    use crate::isa::Isa;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 256 }))]

        /// Every point belongs to exactly one chunk, and rows decode to the indices of nested loops.
        #[test]
        fn chunks_cover_the_nest_once(
            (a, b, c) in (1usize..7, 1usize..7, 1usize..600),
            wanted in 1usize..20,
            most in 1usize..5,
        ) {
            let domain = Domain::nest([a, b, c]);
            let cut = domain.whole().cut(wanted, most);
            let mut seen = vec![0u8; domain.len()];
            for chunk in (0..cut.count()).map(|i| cut.chunk(i)) {
                let rows = chunk.bands([a, b, c], most).flat_map(|Band { first, rows }| {
                    (0..rows).map(move |above| Row { at: [first.at[0], first.at[1] + above, first.at[2]], ..first })
                });
                prop_assert!(chunk.rows([a, b, c]).eq(rows.clone()));
                let some: Vec<Band<3>> = chunk.some_rows([a, b, c], most).collect();
                prop_assert!(some.iter().all(|band| (1..=most).contains(&band.rows)));
                prop_assert!(some.into_iter().flat_map(Band::each).eq(rows.clone()));
                for row in rows {
                    for piece in row.tiles() {
                        prop_assert!(piece.len <= TILE);
                        let [i, j, k] = piece.at;
                        for l in 0..piece.len {
                            seen[(i * b + j) * c + k + l] += 1;
                        }
                    }
                }
            }
            prop_assert!(seen.iter().all(|&n| n == 1));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 256 }))]

        /// The chunks of a box have its points and no others, each once, whatever loops they cut.
        #[test]
        fn boxes_are_lists_of_chunks(
            extents in [0usize..5, 0usize..5, 0usize..5, 0usize..5],
            cuts in [(0usize..6, 0usize..6), (0usize..6, 0usize..6), (0usize..6, 0usize..6), (0usize..6, 0usize..6)],
        ) {
            let numbers: [(usize, usize); 4] =
                std::array::from_fn(|k| (cuts[k].0.min(extents[k]), cuts[k].1.min(extents[k])));
            let mut seen = Vec::new();
            for chunk in Chunk::of_box(&extents, &numbers) {
                for row in chunk.rows(extents) {
                    seen.extend((0..row.len).map(|l| [row.at[0], row.at[1], row.at[2], row.at[3] + l]));
                }
            }
            let inside = |p: &[usize; 4]| p.iter().zip(&numbers).all(|(n, (low, high))| (low..high).contains(&n));
            let all = |k: usize| 0..extents[k];
            let wanted = all(0).flat_map(|i| all(1).flat_map(move |j| all(2).flat_map(move |k| all(3).map(move |l| [i, j, k, l]))));
            prop_assert_eq!(seen, wanted.filter(inside).collect::<Vec<_>>());
        }
    }

    #[test]
    fn boxes_of_few_loops() {
        assert_eq!(Chunk::of_box(&[7], &[(2, 5)]), [Chunk { outer: 0..1, inner: 2..5 }]);
        assert_eq!(Chunk::of_box(&[3, 4], &[(1, 3), (0, 4)]), [Chunk { outer: 1..3, inner: 0..4 }]);
        assert_eq!(Chunk::of_box(&[3, 5, 4], &[(1, 3), (0, 5), (1, 2)]), [Chunk { outer: 5..15, inner: 1..2 }]);
        assert_eq!(Chunk::of_box(&[], &[]), [Domain::nest([]).whole()]);
        assert_eq!(Chunk::of_box(&[7], &[(5, 5)]), []);
    }

    #[test]
    fn names_of_kernels_are_short() {
        assert_eq!(short("a::b::Kernel3<'_, c::ColMajor, 2>"), "Kernel3");
        assert_eq!(short("Kernel"), "Kernel");
    }

    #[test]
    fn tiles_of_a_flat_chunk() {
        let tiles: Vec<_> = Domain::flat(300).whole().tiles().collect();
        assert_eq!(tiles, [0..128, 128..256, 256..300]);
    }

    /// Chunks of few rows hold whole runs, unless threads would get none.
    #[test]
    fn rows_are_read_at_a_stretch() {
        let widths = |inner, threads| {
            let domain = Domain::nest([1, inner]).in_runs(512);
            let division = even(&domain.whole(), &domain, 1 << 20, threads);
            (0..division.count()).map(|at| division.chunk(at).inner.len()).collect::<Vec<_>>()
        };
        assert_eq!(widths(4096, 2), [512; 8]);
        assert_eq!(widths(4096, 16), [256; 16]);
        assert_eq!(widths(1000, 2), [512, 488]);
    }

    /// Launches over much memory use no wider registers than help, and no others are kept from them.
    #[test]
    fn light_points_of_large_arrays_have_narrower_registers() {
        struct Noting(AtomicU8);
        impl Kernel for Noting {
            fn run<I: Isa>(&self, _: &Chunk) {
                self.0.fetch_max(I::LEVEL as u8, Ordering::Relaxed);
            }
        }
        let used = |points: u64, weight| {
            let kernel = Noting(AtomicU8::new(0));
            launch(&kernel, Domain::flat(points as usize), weight);
            kernel.0.into_inner()
        };
        let of = |most: Level| Level::current().min(most).max(Level::TARGET) as u8;
        assert_eq!(used(STREAMED_POINTS, LIGHT as u32), of(Level::Avx2));
        assert_eq!(used(STREAMED_POINTS - 1, LIGHT as u32), of(Level::Avx512));
        assert_eq!(used(STREAMED_POINTS, LIGHT as u32 + 1), of(Level::Avx512));
    }

    /// What a launch leaves to one thread is not divided, and what is divided is worth it.
    #[test]
    fn little_work_has_few_shares() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(64).build().unwrap();
        let given = |work| pool.install(|| shares(work));
        assert_eq!([0, PARALLEL_WORK - 1, PARALLEL_WORK, 1 << 30].map(given), [1, 1, 4, 64]);
    }

    #[test]
    fn empty_domains_have_no_points() {
        assert!(Domain::nest([3, 0, 5]).is_empty());
        assert!(Domain::flat(0).is_empty());
        assert_eq!(Domain::nest([]).len(), 1);
    }
}
