//! Results that are written past the caches, by non-temporal stores.
//!
//! A line of a result is fetched from memory before it is written, for the processor does not know that all of it will be. Of a kernel that reads one array and writes another
//! that is a third of what goes through memory, and a result that is larger than the last cache pushes out of it what the kernel reads. So where
//! a result is large and nothing reads it soon ([`Out::streams`](crate::Out::streams)), four of its lines at a time are computed in the first cache and leave by stores that wait for nothing. With one
//! line at a time a loop is a little faster still, but it is compiled twice, once for a number of points that is known; with 16 the few buffers
//! between processor and memory are full, loads wait, and the loop takes longer than with ordinary stores (`y = a * x + z`, 10⁷ elements, two threads of a Zen 4: 9.3 ms, by one line 7.0, four 7.5, 16 12).
//!
//! The lines at which a run begins and ends belong to other runs too, in part, and are written as usual. The stores are not ordered with others, so a kernel
//! waits for its own before it counts as done ([`Drained`]).

use std::cell::Cell;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::sync::OnceLock;

use crate::cuts;

/// Bytes of a line of the cache.
const LINE: usize = 64;
/// Lines that leave together.
pub const LINES: usize = 4;
/// A run of fewer whole lines is written as usual.
const FEWEST: usize = 2;
/// Fewer bytes than this stay in the last cache of every machine.
const LEAST: usize = 1 << 20;

thread_local! {
    static FORCED: Cell<Option<usize>> = const { Cell::new(None) };
    /// Results of this thread that were written past the caches while a test asked for it.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Runs `body`, in which results of so many bytes and more, made by this thread, are written past the caches: for tests. Results do not change.
/// Also gives how many were.
pub fn within<R>(bytes: usize, body: impl FnOnce() -> R) -> (R, u64) {
    struct Restore(Option<usize>);
    impl Drop for Restore {
        fn drop(&mut self) {
            FORCED.set(self.0);
        }
    }
    let _restore = Restore(FORCED.replace(Some(bytes)));
    let before = COUNT.get();
    (body(), COUNT.get() - before)
}

/// Whether a result of so many bytes, which is not read soon, is better written past the caches: it and what it is made of
/// do not stay in the last of them together.
#[inline]
pub(crate) fn pays(bytes: usize) -> bool {
    if let Some(least) = FORCED.get() {
        COUNT.set(COUNT.get() + u64::from(bytes >= least));
        return bytes >= least;
    }
    is_large(bytes) || cuts::drawn(|cuts| cuts.below(2) == 0).unwrap_or(false)
}

/// Whether so many bytes are better written past the caches, where nothing but they is in them.
pub(crate) fn is_large(bytes: usize) -> bool {
    cfg!(target_arch = "x86_64") && bytes >= LEAST && bytes >= last_cache() / 2
}

/// Makes memory zero, past the caches.
///
/// # Safety
/// `start` is valid for writes of `len` bytes.
pub(crate) unsafe fn zeros(start: *mut u8, len: usize) {
    let head = start.align_offset(LINE).min(len);
    let lines = (len - head) / LINE;
    let _drained = Drained::after(true);
    // SAFETY: these parts make up the `len` bytes, and the lines begin where a line does.
    unsafe {
        start.write_bytes(0, head);
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        x86::zeros(start.add(head), lines);
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        start.add(head).write_bytes(0, lines * LINE);
        let done = head + lines * LINE;
        start.add(done).write_bytes(0, len - done);
    }
}

/// Bytes of the last cache.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn last_cache() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| caches().max().unwrap_or(USUAL))
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn last_cache() -> usize {
    USUAL
}

/// What the last cache has where the processor does not say.
const USUAL: usize = 32 << 20;

/// Bytes of the caches for data, as the processor describes them: AMD's leaf has the form of Intel's.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unused_unsafe, reason = "unsafe in older versions of the standard library")]
fn caches() -> impl Iterator<Item = usize> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const EXTENDED: u32 = 0x8000_0000;
    // SAFETY: every x86-64 processor has the instruction.
    let (most, most_extended) = unsafe { (__cpuid(0).eax, __cpuid(EXTENDED).eax) };
    // SAFETY: as above.
    let has_extended = most_extended >= EXTENDED + 0x1d && unsafe { __cpuid(EXTENDED + 1) }.ecx >> 22 & 1 == 1;
    let leaf = if has_extended { Some(EXTENDED + 0x1d) } else { (most >= 4).then_some(4) };
    let described = leaf.into_iter().flat_map(|leaf| {
        // SAFETY: as above.
        (0..16).map(move |index| unsafe { __cpuid_count(leaf, index) }).take_while(|cache| cache.eax & 31 != 0)
    });
    described.filter(|cache| cache.eax & 31 != 2).map(|cache| {
        let field = |from: u32, bits: u32| (cache.ebx >> from & ((1 << bits) - 1)) as usize + 1;
        field(22, 10) * field(12, 10) * field(0, 12) * (cache.ecx as usize + 1)
    })
}

/// Where a run of a result begins, in elements, if it may be written past the caches.
#[inline(always)]
pub fn start<T>(streams: bool, run: &[T]) -> Option<usize> {
    streams.then_some(run.as_ptr().addr() / size_of::<T>())
}

/// The parts of a run of `len` points of one or more results, which begin there ([`start`]): those that are whole lines of all of them, of `line` elements each, a few at a time,
/// and what is left.
#[inline(always)]
pub fn parts<const N: usize>(starts: [Option<usize>; N], line: usize, len: usize) -> Parts {
    let whole = Parts { at: 0, line, head: len, len };
    let Some(head) = starts[0].map(|first| first.wrapping_neg() % line) else { return whole };
    let agree = starts.iter().all(|start| start.is_some_and(|start| start.wrapping_add(head).is_multiple_of(line)));
    if agree && head + FEWEST * line <= len { Parts { head, ..whole } } else { whole }
}

/// Iterator over parts of a run, made by [`parts`].
pub struct Parts {
    at: usize,
    line: usize,
    /// Points before the first whole line; all where nothing is written past the caches.
    head: usize,
    len: usize,
}

/// A part of a run.
pub struct Part {
    /// The first point.
    pub from: usize,
    /// How many points.
    pub len: usize,
    /// Whether they are whole lines.
    pub is_lines: bool,
}

impl Iterator for Parts {
    type Item = Part;

    #[inline(always)]
    fn next(&mut self) -> Option<Part> {
        let from = self.at;
        let left = self.len - from;
        if left == 0 {
            return None;
        }
        let is_lines = from >= self.head && left >= self.line;
        let len = match is_lines {
            true => (left / self.line).min(LINES) * self.line,
            false if from < self.head => self.head,
            false => left,
        };
        self.at = from + len;
        Some(Part { from, len, is_lines })
    }
}

/// A few lines of a result on their way to memory.
#[repr(align(64))]
pub struct Stage<T, const N: usize>([T; N]);

impl<T: Copy + Default, const N: usize> Stage<T, N> {
    /// An empty one, for whole lines: as many elements as [`parts`] has in a part.
    #[inline(always)]
    pub fn clear() -> Self {
        const { assert!(size_of::<[T; N]>().is_multiple_of(LINE)) };
        Stage([T::default(); N])
    }

    /// Where the elements of a part of a run are computed: here if they are whole lines.
    #[inline(always)]
    pub fn of<'s>(&'s mut self, part: &Part, run: &'s mut [T]) -> &'s mut [T] {
        if part.is_lines { &mut self.0[..part.len] } else { &mut run[part.from..part.from + part.len] }
    }

    /// Lets the elements of a part of a run leave, if they have been computed here. A [`Drained`] must live until the run counts as written.
    #[inline(always)]
    pub fn leave(&self, part: &Part, run: &mut [T]) {
        if part.is_lines {
            past_caches(&self.0[..part.len], &mut run[part.from..part.from + part.len]);
        }
    }
}

/// Copies whole lines, past the caches.
fn past_caches<T: Copy>(from: &[T], to: &mut [T]) {
    let bytes = size_of_val(to);
    assert!(
        from.len() == to.len()
            && bytes.is_multiple_of(LINE)
            && to.as_ptr().addr().is_multiple_of(LINE)
            && from.as_ptr().addr().is_multiple_of(LINE)
    );
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: both have so many whole lines, and no reference to the one that is written overlaps the other.
    unsafe {
        x86::lines(from.as_ptr().cast(), to.as_mut_ptr().cast(), bytes / LINE);
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    to.copy_from_slice(from);
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86 {
    //! The stores, as wide as the processor has them: narrower ones take more of the places in which it keeps stores.

    use std::arch::x86_64::*;

    use super::LINE;
    use crate::isa::Level;

    /// Copies so many lines.
    ///
    /// # Safety
    /// Both pointers lead to as many lines, at their starts, and these do not overlap.
    pub(super) unsafe fn lines(from: *const u8, to: *mut u8, count: usize) {
        // SAFETY: the caller's promise; `Level::current` is at most what this machine has.
        unsafe {
            match Level::current() {
                #[cfg(not(one_set))]
                Level::Avx512 => avx512(from, to, count),
                #[cfg(not(one_set))]
                Level::Avx2 => avx2(from, to, count),
                _ => sse2(from, to, count),
            }
        }
    }

    /// Makes so many lines zero. Wider stores are no faster where nothing is read.
    ///
    /// # Safety
    /// The pointer leads to as many lines, at the start of one.
    pub(super) unsafe fn zeros(to: *mut u8, count: usize) {
        let to: *mut __m128i = to.cast();
        for at in 0..count * LINE / size_of::<__m128i>() {
            // SAFETY: the caller's promise; a line's parts lie at multiples of their size.
            unsafe { _mm_stream_si128(to.add(at), _mm_setzero_si128()) };
        }
    }

    macro_rules! copies {
        ($(#[$feature:meta])* $name:ident, $vector:ty, $load:ident, $store:ident) => {
            $(#[$feature])*
            unsafe fn $name(from: *const u8, to: *mut u8, count: usize) {
                let (from, to): (*const $vector, *mut $vector) = (from.cast(), to.cast());
                for at in 0..count * LINE / size_of::<$vector>() {
                    // SAFETY: the promise of `lines`; a line's parts lie at multiples of their size.
                    unsafe { $store(to.add(at), $load(from.add(at))) };
                }
            }
        };
    }
    copies!(sse2, __m128i, _mm_load_si128, _mm_stream_si128);
    #[cfg(not(one_set))]
    copies!(
        #[target_feature(enable = "avx2")]
        avx2,
        __m256i,
        _mm256_load_si256,
        _mm256_stream_si256
    );
    #[cfg(not(one_set))]
    copies!(
        #[target_feature(enable = "avx512f")]
        avx512,
        __m512i,
        _mm512_load_si512,
        _mm512_stream_si512
    );
}

/// Ends with all that this thread has written past the caches where others see it.
pub struct Drained(bool);

impl Drained {
    /// For the rest of a kernel's chunk, if it writes so.
    #[inline(always)]
    pub fn after(streams: bool) -> Self {
        Drained(streams)
    }
}

impl Drop for Drained {
    #[inline(always)]
    fn drop(&mut self) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if self.0 {
            // SAFETY: SSE is part of the instruction set.
            #[allow(unused_unsafe, reason = "unsafe in older versions of the standard library")]
            unsafe {
                std::arch::x86_64::_mm_sfence();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_up_a_run() {
        for (first, len) in (0..20).flat_map(|first| (0..150).map(move |len| (first, len))) {
            let (mut next, mut lines) = (0, 0);
            for part in parts([Some(first), Some(first + 16)], 8, len) {
                assert!(part.from == next && part.len > 0);
                let whole = (first + part.from).is_multiple_of(8) && part.len.is_multiple_of(8);
                assert!(!part.is_lines || whole && part.len <= 8 * LINES);
                lines += part.len / 8 * usize::from(part.is_lines);
                next += part.len;
            }
            let head = (8 - first % 8) % 8;
            assert_eq!((next, lines), (len, if head + 8 * FEWEST <= len { (len - head) / 8 } else { 0 }));
        }
    }

    #[test]
    fn zeros_of_all_sizes_and_places() {
        for (at, len) in (0..130).step_by(7).flat_map(|at| [0, 1, 15, 63, 64, 65, 200, 640].map(|len| (at, len))) {
            let mut bytes = vec![1_u8; at + len + 100];
            // SAFETY: so many bytes are there.
            unsafe { zeros(bytes.as_mut_ptr().add(at), len) };
            let is_right = |(place, byte): (usize, &u8)| *byte == u8::from(!(at..at + len).contains(&place));
            assert!(bytes.iter().enumerate().all(is_right), "{len} from {at}");
        }
    }

    #[test]
    fn runs_that_do_not_agree_stay_whole() {
        let whole = |starts: [Option<usize>; 2]| {
            let list: Vec<Part> = parts(starts, 8, 100).collect();
            list.len() == 1 && list[0].len == 100 && !list[0].is_lines
        };
        assert!(whole([Some(8), Some(9)]) && whole([None, Some(8)]) && whole([Some(8), None]));
        assert!(!whole([Some(3), Some(11)]));
    }

    /// Of every run in memory that begins anywhere each element gets its value, once, and nothing beside it is touched.
    #[test]
    fn a_run_is_written_and_nothing_beside_it() {
        let mut all = vec![-1.0_f32; 400];
        for (from, len) in (0..40).flat_map(|from| [0, 1, 15, 16, 63, 64, 80, 250, 333].map(|len| (from, len))) {
            all.fill(-1.0);
            let run = &mut all[from..from + len];
            {
                let _drained = Drained::after(true);
                let mut stage = Stage::<f32, 64>::clear();
                for part in parts([start(true, run)], 16, len) {
                    for (l, value) in stage.of(&part, run).iter_mut().enumerate() {
                        *value = (part.from + l) as f32;
                    }
                    stage.leave(&part, run);
                }
            }
            for (at, value) in all.iter().enumerate() {
                let inside = (from..from + len).contains(&at);
                assert_eq!(*value, if inside { (at - from) as f32 } else { -1.0 }, "{from} {len}");
            }
        }
    }

    #[test]
    fn small_results_stay_in_the_caches() {
        assert!(!pays(LEAST - 1));
        assert!((LEAST..1 << 31).contains(&last_cache()), "{}", last_cache());
        assert_eq!(within(0, || pays(0)), (true, 1));
        assert_eq!(within(usize::MAX, || pays(1 << 40)), (false, 0));
    }
}
