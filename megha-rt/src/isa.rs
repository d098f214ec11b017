//! The instruction-set dispatch: one kernel body, compiled once per instruction set, chosen at run time.
//!
//! A kernel is a plain Rust value whose [`Kernel::run`] is `#[inline(always)]`. The functions in this file that carry a
//! `#[target_feature]` attribute inline that body, so LLVM vectorises it with the registers of the set. Nothing a kernel computes
//! depends on the set: contraction to multiply-add is written in the kernel (`f64::mul_add`), and LLVM never reorders floating-point sums.
//! An unoptimised build has the baseline alone (`build.rs`): the other copies were 40 % of the lines that LLVM got.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) use megha_base::dense::Work;

use crate::launch::Chunk;
use crate::wide::{Wide, tiles};

/// An instruction set that kernels are compiled for. Another set is one more implementation and one more arm in `dispatch`.
pub trait Isa: 'static {
    /// The set this type stands for.
    const LEVEL: Level;
    /// Whether `f64::mul_add` is one instruction.
    const FMA: bool;
    /// Doubles of a row of a register tile.
    type Doubles: Wide<f64>;
    /// Singles of a row of a register tile.
    type Singles: Wide<f32>;
}

/// The instruction sets in rising order: a machine that has one has those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// What the compilation target guarantees (SSE2 on x86-64, NEON on aarch64).
    Baseline,
    /// AVX2 and FMA: 4 doubles to a register.
    Avx2,
    /// AVX-512 F, BW, DQ and VL: 8 doubles to a register.
    Avx512,
}

/// [`Level::Baseline`] as a type.
pub struct Baseline;
/// [`Level::Avx2`] as a type.
pub struct Avx2;
/// [`Level::Avx512`] as a type.
pub struct Avx512;

impl Isa for Baseline {
    const LEVEL: Level = Level::Baseline;
    const FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
    type Doubles = tiles::BaselineDoubles;
    type Singles = tiles::BaselineSingles;
}
impl Isa for Avx2 {
    const LEVEL: Level = Level::Avx2;
    const FMA: bool = true;
    type Doubles = tiles::Avx2Doubles;
    type Singles = tiles::Avx2Singles;
}
impl Isa for Avx512 {
    const LEVEL: Level = Level::Avx512;
    const FMA: bool = true;
    type Doubles = tiles::Avx512Doubles;
    type Singles = tiles::Avx512Singles;
}

/// The code of a kernel over one chunk of its iteration domain.
///
/// Implementations mark `run`, and everything it calls, `#[inline(always)]`; a call that is not inlined is compiled for
/// the baseline and loses the instruction set. Chunks of one launch run at the same time on several threads, so a kernel
/// writes only elements that belong to its chunk.
pub trait Kernel: Sync {
    /// The highest set worth using.
    const MOST: Level = Level::Avx512;

    /// Computes every point of `chunk`.
    fn run<I: Isa>(&self, chunk: &Chunk);
}

/// Whether a kernel for which this is the most is compiled for a set: a program for some machines only (`-C target-cpu=native`) has no use for a lower one than theirs.
const fn is_for(set: Level, most: Level) -> bool {
    let least = if (Level::TARGET as u8) < most as u8 { Level::TARGET } else { most };
    least as u8 <= set as u8 && set as u8 <= most as u8
}

impl Level {
    /// The set that every machine has which the program is compiled for. None below it is run.
    pub(crate) const TARGET: Level = if cfg!(all(
        not(one_set),
        target_arch = "x86_64",
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512dq",
        target_feature = "avx512vl",
        target_feature = "fma"
    )) {
        Level::Avx512
    } else if cfg!(all(not(one_set), target_arch = "x86_64", target_feature = "avx2", target_feature = "fma")) {
        Level::Avx2
    } else {
        Level::Baseline
    };

    /// The best set this machine has.
    pub fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(detect)
    }

    /// Every set that kernels can run with on this machine, in rising order.
    pub fn available() -> Vec<Level> {
        let all = [Level::Baseline, Level::Avx2, Level::Avx512];
        all.into_iter().filter(|&level| Level::TARGET <= level && level <= Level::best()).collect()
    }

    /// The set kernels run with: the best of this machine, unless the environment variable `MEGHA_ISA` (`baseline`, `avx2` or
    /// `avx512`) or [`Level::limit`] asks for a lower one that the program has.
    #[inline(always)]
    pub fn current() -> Level {
        match CURRENT.load(Ordering::Relaxed) {
            0 => Level::Baseline,
            1 => Level::Avx2,
            2 => Level::Avx512,
            _ => Level::decided(),
        }
    }

    /// The set that is asked for, once and for all unless it is limited.
    #[cold]
    fn decided() -> Level {
        let level = Level::most();
        // A limit that came meanwhile stays.
        let _ = CURRENT.compare_exchange(UNDECIDED, level as u8, Ordering::Relaxed, Ordering::Relaxed);
        level
    }

    /// The best set of this machine that the environment variable allows.
    fn most() -> Level {
        static MOST: OnceLock<Level> = OnceLock::new();
        *MOST.get_or_init(|| {
            let asked = match std::env::var("MEGHA_ISA").as_deref() {
                Ok("baseline") => Level::Baseline,
                Ok("avx2") => Level::Avx2,
                _ => Level::Avx512,
            };
            asked.min(Level::best()).max(Level::TARGET)
        })
    }

    /// Keeps the kernels launched from now on, by any thread, to `self`, or the lowest set that the program has: for tests and measurements. Results do not change.
    pub fn limit(self) {
        CURRENT.store(self.min(Level::most()).max(Level::TARGET) as u8, Ordering::Relaxed);
    }
}

/// A set that this machine has, and none below [`Level::TARGET`].
#[derive(Clone, Copy)]
pub(crate) struct Available(Level);

impl Available {
    /// The set that kernels run with.
    #[inline(always)]
    pub fn now() -> Self {
        Available(Level::current())
    }

    /// The same, or a lower one.
    pub fn at_most(self, most: Level) -> Self {
        Available(self.0.min(most).max(Level::TARGET))
    }
}

/// No set is decided on yet.
const UNDECIDED: u8 = u8::MAX;

/// The set that kernels run with, as a number; never one that this machine does not have.
static CURRENT: AtomicU8 = AtomicU8::new(UNDECIDED);

#[cfg(all(target_arch = "x86_64", not(one_set)))]
fn detect() -> Level {
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => Level::Baseline,
    }
}

#[cfg(not(all(target_arch = "x86_64", not(one_set))))]
fn detect() -> Level {
    Level::Baseline
}

/// A kernel whose type is forgotten: what a launch does beside running it is compiled once, in this crate, and not for each kernel and memory order.
pub(crate) trait AnyKernel: Sync {
    /// Computes every point of a chunk with the instructions of a set.
    fn compute(&self, chunk: &Chunk, set: Available);
    /// The name of its type.
    fn name(&self) -> &'static str;
}

impl<K: Kernel> AnyKernel for K {
    fn compute(&self, chunk: &Chunk, set: Available) {
        dispatch_to(self, chunk, set);
    }

    fn name(&self) -> &'static str {
        std::any::type_name::<K>()
    }
}

/// Runs one chunk of `kernel` with the best instructions that are allowed.
#[inline(always)]
pub(crate) fn dispatch<K: Kernel>(kernel: &K, chunk: &Chunk) {
    dispatch_to(kernel, chunk, Available::now());
}

/// The same with the instructions of a set, or of the highest one below that the kernel is compiled for: the compiler leaves out what stands behind a condition of
/// constants.
#[inline(always)]
pub(crate) fn dispatch_to<K: Kernel>(kernel: &K, chunk: &Chunk, Available(set): Available) {
    #[cfg(not(all(target_arch = "x86_64", not(one_set))))]
    let _ = set;
    #[cfg(all(target_arch = "x86_64", not(one_set)))]
    if const { is_for(Level::Avx512, K::MOST) } && set == Level::Avx512 {
        // SAFETY: the machine has the set.
        return unsafe { run_avx512(kernel, chunk) };
    }
    #[cfg(all(target_arch = "x86_64", not(one_set)))]
    if const { is_for(Level::Avx2, K::MOST) } && set != Level::Baseline {
        // SAFETY: the machine has the set, as it has one no lower.
        return unsafe { run_avx2(kernel, chunk) };
    }
    // Where it is not compiled for this, no set is so low.
    if const { is_for(Level::Baseline, K::MOST) } {
        run_baseline(kernel, chunk);
    }
}

/// Does one item's work, of a factorisation or of a reduction, with the best instructions that are allowed.
pub(crate) fn work<I, W: Work<I>>(work: &W, item: I) {
    match Level::current() {
        #[cfg(all(target_arch = "x86_64", not(one_set)))]
        // SAFETY: as in `dispatch`.
        Level::Avx512 => unsafe { work_avx512(work, item) },
        #[cfg(all(target_arch = "x86_64", not(one_set)))]
        // SAFETY: as above.
        Level::Avx2 => unsafe { work_avx2(work, item) },
        _ => work.run(item),
    }
}

/// Does one item's work for a kernel that runs with the instructions of `S`, with these and in a function of its own.
#[inline(always)]
pub(crate) fn work_apart<S: Isa, I, W: Work<I>>(work: &W, item: I) {
    let is_there = S::LEVEL != Level::Baseline && S::LEVEL <= Level::current();
    #[cfg(not(all(target_arch = "x86_64", not(one_set))))]
    let _ = is_there;
    #[cfg(all(target_arch = "x86_64", not(one_set)))]
    if is_there {
        return match S::LEVEL {
            // SAFETY: as in `dispatch`.
            Level::Avx512 => unsafe { work_avx512(work, item) },
            // SAFETY: as above.
            Level::Avx2 | Level::Baseline => unsafe { work_avx2(work, item) },
        };
    }
    work_baseline(work, item);
}

#[inline(never)]
fn work_baseline<I, W: Work<I>>(work: &W, item: I) {
    work.run(item);
}

#[cfg(all(target_arch = "x86_64", not(one_set)))]
#[target_feature(enable = "avx2,fma")]
fn work_avx2<I, W: Work<I>>(work: &W, item: I) {
    work.run(item);
}

#[cfg(all(target_arch = "x86_64", not(one_set)))]
#[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]
fn work_avx512<I, W: Work<I>>(work: &W, item: I) {
    work.run(item);
}

/// A function of its own, as those of other levels are: what is inlined into [`dispatch`] would have its tiles on the stack beside theirs.
#[inline(never)]
fn run_baseline<K: Kernel>(kernel: &K, chunk: &Chunk) {
    kernel.run::<Baseline>(chunk);
}

#[cfg(all(target_arch = "x86_64", not(one_set)))]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: &K, chunk: &Chunk) {
    kernel.run::<Avx2>(chunk);
}

#[cfg(all(target_arch = "x86_64", not(one_set)))]
#[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]
fn run_avx512<K: Kernel>(kernel: &K, chunk: &Chunk) {
    kernel.run::<Avx512>(chunk);
}
