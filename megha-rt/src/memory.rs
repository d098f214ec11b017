//! Array memory: counted, and reused from one call to the next.
//!
//! A large fresh allocation costs a page fault for each 4 KiB, as much as computing a simple kernel's result. Blocks are
//! therefore kept in a cache by size class when an array dies, as many as an eighth of the machine's memory holds, the last ones. A block has the natural alignment of its element type and
//! no more: only then may a result become a `Vec`, and so an ndarray array, without a copy.
//!
//! The caller may give the memory of arrays back too ([`recycle`]), small ones to the thread that asks next.
//!
//! A block that the machine does not have (`megha_base::memory::room`) is refused, as one is that the allocator refuses.

mod recycled;

use std::alloc::{self, Layout};
use std::any::Any;
use std::cell::Cell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use megha_base::memory::{Exhausted, copied, exhausted, room};
pub use recycled::recycle;

use crate::{Error, ErrorKind, Result, Site, calls, copy, pages, trace};

/// Blocks smaller than this go straight to the allocator, which is fast for them and touches no fresh page.
const SMALLEST_CACHED: usize = 1 << 15;
/// Bytes that the cache may hold on any machine,
const CACHED: usize = 1 << 28;
/// and the share of the memory that was there when the first block was kept, where that is more.
const CACHED_SHARE: u64 = 8;
/// Most blocks, all of which are looked through.
const CACHED_BLOCKS: usize = 1024;

static CURRENT: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    /// The bytes that the limit last refused this thread, and those that it left.
    static REFUSED: Cell<Option<(usize, u64)>> = const { Cell::new(None) };
}
static CACHE: Mutex<Cache> = Mutex::new(Cache { blocks: Vec::new(), bytes: 0 });

/// Bytes of arrays alive now. An array given to the caller of a compiled function no longer counts.
pub fn current() -> usize {
    CURRENT.load(Ordering::Relaxed)
}

/// Most bytes of arrays alive at one time since the start or [`reset_peak`].
pub fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// Makes [`peak`] start again from [`current`].
pub fn reset_peak() {
    PEAK.store(current(), Ordering::Relaxed);
}

/// Gives the cached blocks back to the allocator; returns their bytes. Small ones of this thread go too, and do not count.
pub fn trim() -> usize {
    let (blocks, bytes) = {
        let mut cache = lock();
        (std::mem::take(&mut cache.blocks), std::mem::take(&mut cache.bytes))
    };
    blocks.into_iter().for_each(Block::free);
    recycled::trim();
    bytes
}

/// Bounds the bytes of arrays alive at one time, as if the machine had no more: `MEGHA_MEMORY=512M` in a program.
pub fn set_limit(bytes: Option<u64>) {
    room::set_limit(bytes);
}

/// Where arrays could not have so many bytes more, what they could: when this thread was refused them, whatever others have freed since.
pub(crate) fn lacking(bytes: usize) -> Option<u64> {
    let refused = REFUSED.take().filter(|(wanted, _)| *wanted == bytes).map(|(_, left)| left);
    refused.or_else(|| room::beyond_limit(bytes, current())).or_else(|| beyond_machine(bytes, current()))
}

/// Where the machine does not have so many bytes beside those that arrays hold and those that are kept, what it has.
fn beyond_machine(bytes: usize, held: usize) -> Option<u64> {
    // what a device computes may never be touched here
    let held = if crate::device::active() { 0 } else { held + lock().bytes };
    room::beyond_machine(bytes, held)
}

/// Runs the body of a compiled function: where memory for a copy or a workspace is wanting, the work unwinds to here.
///
/// # Errors
/// Those of the body; [`ErrorKind::OutOfMemory`].
pub(crate) fn caught(name: &'static str, body: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    let depth = calls::depth();
    // What unwinds leaves arrays of the call, which die with it, and locks, whose data is whole at each allocation.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(unwound(name, depth, panic)))
}

/// The error of a call that unwound for lack of memory.
#[cold]
fn unwound(name: &'static str, depth: usize, panic: Box<dyn Any + Send>) -> Error {
    calls::restore_depth(depth);
    match panic.downcast::<Exhausted>() {
        Ok(lack) => {
            let Exhausted { bytes, available } = *lack;
            let shape = vec![bytes.div_ceil(size_of::<f64>())];
            let kind = ErrorKind::OutOfMemory { shape, bytes: bytes as u64, available };
            Error::new(kind, &Site { path: "", line: 0, column: 0, text: name })
        }
        Err(panic) => resume_unwind(panic),
    }
}

struct Cache {
    blocks: Vec<Block>,
    bytes: usize,
}

/// One allocation, owned.
struct Block {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a block is memory without a type; nothing ties it to a thread.
unsafe impl Send for Block {}

impl Block {
    fn free(self) {
        // SAFETY: `start` was allocated by the global allocator with this layout, and `self` owns it.
        unsafe { alloc::dealloc(self.start.as_ptr(), self.layout) }
    }
}

fn lock() -> std::sync::MutexGuard<'static, Cache> {
    CACHE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// `bytes` rounded up so that its binary form has at most six significant digits: at most 3 % more, and few classes.
#[inline]
fn size_class(bytes: usize) -> usize {
    if bytes < SMALLEST_CACHED {
        return bytes;
    }
    let step = 1 << (bytes.ilog2() - 5);
    bytes.next_multiple_of(step)
}

/// What a fresh block of memory holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Anything,
    Zeros,
}

/// A memory block from the cache or the allocator. Zeros that the operating system provides are not written again, and cost
/// nothing before a kernel's threads touch them.
#[inline]
fn acquire(layout: Layout, content: Content, is_counted: bool) -> Option<NonNull<u8>> {
    if layout.size() >= SMALLEST_CACHED {
        return acquire_large(layout, content, is_counted);
    }
    if let Some(block) = recycled::take_spare(layout) {
        if content == Content::Zeros {
            // SAFETY: the block is owned and of this size.
            unsafe { block.start.write_bytes(0, layout.size()) };
        }
        return Some(block.start);
    }
    // SAFETY: callers pass a layout of more than 0 bytes.
    NonNull::new(unsafe {
        match content {
            Content::Anything => alloc::alloc(layout),
            Content::Zeros => alloc::alloc_zeroed(layout),
        }
    })
}

/// As [`acquire`], for blocks that are cached.
fn acquire_large(layout: Layout, content: Content, is_counted: bool) -> Option<NonNull<u8>> {
    pages::keep_freed();
    if let Some(block) = take_cached(layout) {
        if content == Content::Zeros {
            // SAFETY: the block is owned and of this size.
            unsafe { copy::zeros(block.start.as_ptr(), layout.size()) };
        }
        return Some(block.start);
    }
    // what is kept may be what is wanting
    let fresh = || fresh(layout, content, is_counted);
    fresh().or_else(|| (trim() > 0).then(fresh).flatten())
}

/// A large block from the allocator, if the machine has it.
fn fresh(layout: Layout, content: Content, is_counted: bool) -> Option<NonNull<u8>> {
    let others = current().saturating_sub(if is_counted { layout.size() } else { 0 });
    if beyond_machine(layout.size(), others).is_some() {
        return None;
    }
    // SAFETY: callers pass a layout of more than 0 bytes.
    let start = NonNull::new(unsafe {
        match content {
            Content::Anything => alloc::alloc(layout),
            Content::Zeros => alloc::alloc_zeroed(layout),
        }
    })?;
    pages::prefer_huge(start, layout.size());
    Some(start)
}

fn is_cached(layout: Layout) -> bool {
    lock().blocks.iter().any(|block| block.layout == layout)
}

fn take_cached(layout: Layout) -> Option<Block> {
    let mut cache = lock();
    let found = cache.blocks.iter().rposition(|b| b.layout == layout)?;
    cache.bytes -= layout.size();
    // in the order in which they were kept
    Some(cache.blocks.remove(found))
}

/// Counted memory for at least `len` elements of the layout `each`, and for how many it is; `None` if there is not as much. What allocates and
/// frees is the same for all types, so it is compiled once.
fn claimed(len: usize, each: Layout, content: Content) -> Option<(NonNull<u8>, usize)> {
    if len == 0 || each.size() == 0 {
        // SAFETY: an alignment is not 0.
        return Some((unsafe { NonNull::new_unchecked(std::ptr::without_provenance_mut(each.align())) }, 0));
    }
    let bytes = len.checked_mul(each.size()).filter(|&b| b <= isize::MAX as usize / 2)?;
    // small blocks have no classes, and a division takes as long as all else
    let capacity = if bytes < SMALLEST_CACHED { len } else { size_class(bytes) / each.size() };
    let layout = layout_of(capacity, each);
    // Without a limit a block is counted when it is there: for those that ask meanwhile, what cannot be had is not held.
    let reserved = match bytes >= SMALLEST_CACHED && room::is_limited() {
        true => Some(reserve(bytes, layout.size())?),
        false => None,
    };
    let Some(start) = acquire(layout, content, reserved.is_some()) else {
        CURRENT.fetch_sub(reserved.map_or(0, |_| layout.size()), Ordering::Relaxed);
        return None;
    };
    let now = reserved.unwrap_or_else(|| CURRENT.fetch_add(layout.size(), Ordering::Relaxed) + layout.size());
    // A read is cheaper than a write that changes nothing.
    if now > PEAK.load(Ordering::Relaxed) {
        PEAK.fetch_max(now, Ordering::Relaxed);
    }
    trace::allocated(layout.size());
    Some((start, capacity))
}

/// Counts a block of this size, which holds so many bytes, and gives what arrays then have, unless that is beyond the limit. Threads that ask at one time do
/// not get together what each could have alone.
#[cold]
fn reserve(bytes: usize, size: usize) -> Option<usize> {
    let mut refused = None;
    let within = |held: usize| {
        refused = room::beyond_limit(bytes, held).map(|left| (bytes, left));
        refused.is_none().then_some(held + size)
    };
    let counted = CURRENT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within);
    REFUSED.set(refused);
    counted.ok().map(|held| held + size)
}

/// Gives back what [`claimed`] gave, if it gave something: a function has many places where arrays end, so nothing is asked there.
fn returned(start: NonNull<u8>, capacity: usize, each: Layout) {
    if capacity == 0 {
        return;
    }
    crate::device::forget(start.as_ptr());
    let layout = layout_of(capacity, each);
    CURRENT.fetch_sub(layout.size(), Ordering::Relaxed);
    release(Block { start, layout });
}

fn layout_of(capacity: usize, each: Layout) -> Layout {
    // SAFETY: `claimed` bounds the size far below `isize::MAX`, and a type's alignment is a power of two.
    unsafe { Layout::from_size_align_unchecked(capacity * each.size(), each.align()) }
}

#[inline]
fn release(block: Block) {
    if block.layout.size() >= SMALLEST_CACHED { release_large(block) } else { block.free() }
}

/// Keeps a block, for which those that were kept first go, if there is room for it at all.
fn release_large(block: Block) {
    let most = most_cached();
    // Others do not wait while pages go back to the system.
    let gone = lock().keep(block, most);
    gone.into_iter().for_each(Block::free);
}

/// Most bytes that the cache holds: a limit is the memory of a smaller machine.
fn most_cached() -> usize {
    static THERE: OnceLock<u64> = OnceLock::new();
    let there = *THERE.get_or_init(|| room::available().unwrap_or(0));
    share_of(room::beyond_limit(usize::MAX, 0).map_or(there, |limit| limit.min(there)))
}

/// What is kept of so much memory.
fn share_of(there: u64) -> usize {
    CACHED.max((there / CACHED_SHARE) as usize)
}

impl Cache {
    /// Keeps a block, and gives those for which there is no room of `most` bytes then.
    fn keep(&mut self, block: Block, most: usize) -> Vec<Block> {
        let size = block.layout.size();
        if size > most {
            return vec![block];
        }
        let mut gone = 0;
        while self.bytes + size > most || self.blocks.len() - gone >= CACHED_BLOCKS {
            self.bytes -= self.blocks[gone].layout.size();
            gone += 1;
        }
        self.bytes += size;
        self.blocks.push(block);
        self.blocks.drain(..gone).collect()
    }
}

/// Numbers whose zero (`false`) is all zero bytes, as fresh memory of the operating system is.
///
/// # Safety
/// A value of the type may be made of zero bytes.
pub unsafe trait ZeroBytes: Copy + Send + Sync {}

macro_rules! zero_bytes {
    ($($t:ty)*) => {$(
        // SAFETY: zero bytes are the number 0, or `false`.
        unsafe impl ZeroBytes for $t {}
    )*};
}
zero_bytes!(f64 f32 i8 i16 i32 i64 u8 u16 u32 u64 bool);

/// Memory of `len` elements, owned. Dropping it returns it to the cache. Memory lent by somebody else has a capacity of 0.
pub struct Buf<T: Copy> {
    start: NonNull<T>,
    len: usize,
    capacity: usize,
}

// SAFETY: a `Buf` owns its elements as a `Vec` does, and gives access to them through `&self` and `&mut self` only.
unsafe impl<T: Copy + Send> Send for Buf<T> {}
// SAFETY: as above.
unsafe impl<T: Copy + Sync> Sync for Buf<T> {}

impl<T: Copy> Buf<T> {
    /// The buffer, to be written again.
    pub fn into_uninit(self) -> Buf<MaybeUninit<T>> {
        let this = ManuallyDrop::new(self);
        Buf { start: this.start.cast(), len: this.len, capacity: this.capacity }
    }

    /// Memory whose elements are not yet written, or `None` if there is not as much; write every element before reading it or calling
    /// [`Buf::assume_init`].
    #[inline]
    pub fn try_uninit(len: usize) -> Option<Buf<MaybeUninit<T>>> {
        Buf::allocate(len, Content::Anything)
    }

    /// As [`Buf::try_uninit`]; without memory the work unwinds to the function's entry (`caught`).
    #[inline]
    pub fn uninit(len: usize) -> Buf<MaybeUninit<T>> {
        Buf::try_uninit(len).unwrap_or_else(|| {
            let bytes = len.saturating_mul(size_of::<T>());
            exhausted(bytes, lacking(bytes))
        })
    }

    /// `len` copies of `value`.
    pub fn filled(len: usize, value: T) -> Buf<T> {
        Buf::<T>::uninit(len).fill(value)
    }

    /// `len` zeros, or `None` if there is not as much memory.
    pub fn try_zeros(len: usize) -> Option<Buf<T>>
    where
        T: ZeroBytes,
    {
        Buf::allocate(len, Content::Zeros)
    }

    /// Whether memory for so many elements would be a block that held something before.
    pub(crate) fn is_kept(len: usize) -> bool {
        let bytes = len.saturating_mul(size_of::<T>()).min(isize::MAX as usize / 2);
        let capacity = size_class(bytes) / size_of::<T>().max(1);
        bytes >= SMALLEST_CACHED && is_cached(layout_of(capacity, Layout::new::<T>()))
    }

    /// A copy of `values`.
    #[inline]
    pub fn copied(values: &[T]) -> Buf<T> {
        let buf = Buf::<T>::uninit(values.len());
        // SAFETY: both are `values.len()` long, and a fresh buffer overlaps nothing.
        unsafe {
            copy::bytes(values.as_ptr().cast(), buf.start.as_ptr().cast(), size_of_val(values));
            buf.assume_init()
        }
    }

    #[inline]
    fn allocate(len: usize, content: Content) -> Option<Buf<T>> {
        let (start, capacity) = claimed(len, Layout::new::<T>(), content)?;
        Some(Buf { start: start.cast(), len, capacity })
    }

    /// Makes the buffer `len >= self.len()` elements long, the new ones `value`; takes half as much again where memory must move, so that a
    /// loop that appends one element at a time copies each a bounded number of times. `None`, and no change, without memory.
    pub(crate) fn extend(&mut self, len: usize, value: T) -> Option<()> {
        debug_assert!(len >= self.len);
        if len > self.capacity {
            let spacious = Buf::<T>::allocate(len.max(self.len + self.len / 2), Content::Anything);
            let mut larger = spacious.or_else(|| Buf::allocate(len, Content::Anything))?;
            // SAFETY: `larger` has room for at least `self.len` elements and is a separate allocation.
            unsafe { larger.start.copy_from_nonoverlapping(self.start, self.len) };
            larger.len = self.len;
            *self = larger;
        }
        for at in self.len..len {
            // SAFETY: `len` does not exceed the capacity.
            unsafe { self.start.add(at).write(value) };
        }
        self.len = len;
        Some(())
    }

    /// Where the first element lies, for accesses that no reference covers.
    #[inline(always)]
    pub(crate) fn start(&self) -> *mut T {
        self.start.as_ptr()
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: `start` owns `len` elements; `MaybeUninit` stands for those not yet written.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The elements, for writing.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as in `as_slice`, borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    /// Memory that somebody lends: never freed, moved from when it must grow.
    ///
    /// # Safety
    /// `start` leads to `len` initialised elements, which nobody else touches as long as the buffer lives.
    pub(crate) unsafe fn lent(start: NonNull<T>, len: usize) -> Buf<T> {
        Buf { start, len, capacity: 0 }
    }

    /// Whether somebody lends the memory.
    pub(crate) fn is_lent(&self) -> bool {
        self.capacity == 0 && self.len > 0
    }

    /// The first `len` elements, or all.
    pub(crate) fn shortened(mut self, len: usize) -> Buf<T> {
        self.len = self.len.min(len);
        self
    }

    /// The elements as a `Vec`, without a copy unless the memory is lent.
    #[inline]
    pub fn into_vec(self) -> Vec<T> {
        if self.capacity == 0 {
            return copied(self.as_slice());
        }
        let this = ManuallyDrop::new(self);
        crate::device::forget(this.start.as_ptr());
        CURRENT.fetch_sub(this.capacity * size_of::<T>(), Ordering::Relaxed);
        // SAFETY: `start` was allocated by the global allocator with the layout of `capacity` elements of `T`, `len` of them
        // are initialised, and `ManuallyDrop` gives up our ownership.
        unsafe { Vec::from_raw_parts(this.start.as_ptr(), this.len, this.capacity) }
    }
}

impl<T: Copy> Buf<MaybeUninit<T>> {
    /// The buffer with every element `value`.
    pub fn fill(mut self, value: T) -> Buf<T> {
        self.as_mut_slice().fill(MaybeUninit::new(value));
        // SAFETY: every element was just written.
        unsafe { self.assume_init() }
    }

    /// The buffer as initialised.
    ///
    /// # Safety
    /// Every element has been written.
    #[inline]
    pub unsafe fn assume_init(self) -> Buf<T> {
        let this = ManuallyDrop::new(self);
        Buf { start: this.start.cast(), len: this.len, capacity: this.capacity }
    }
}

impl<T: Copy> Drop for Buf<T> {
    #[inline]
    fn drop(&mut self) {
        returned(self.start.cast(), self.capacity, Layout::new::<T>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most of what the machine has is there under a limit too.
    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn a_limit_counts_no_block_twice() {
        set_limit(Some(1 << 62));
        let there = lacking(1 << 45).expect("no machine has so much") as usize;
        let block = Buf::<u8>::try_zeros(there / 4 * 3);
        set_limit(None);
        assert!(block.is_some(), "of {there}");
    }

    #[test]
    fn classes_waste_little() {
        for bytes in (1..200).map(|i| i * 7919 + 40_000) {
            let class = size_class(bytes);
            assert!(class >= bytes && class <= bytes + bytes / 31, "{bytes} -> {class}");
            assert_eq!(size_class(class), class);
        }
        assert_eq!(size_class(100), 100);
    }

    #[test]
    fn a_buffer_becomes_a_vec_and_back() {
        let mut buf = Buf::filled(5000, 7.0);
        buf.as_mut_slice()[4999] = 1.0;
        let at = buf.as_slice().as_ptr();
        let vec = buf.into_vec();
        assert_eq!((vec.as_ptr(), vec.len(), vec[0], vec[4999]), (at, 5000, 7.0, 1.0));
        assert!(Buf::<f64>::filled(0, 1.0).into_vec().is_empty());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where an allocator refuses")]
    fn impossible_sizes_are_refused() {
        assert!(Buf::<f64>::try_uninit(usize::MAX / 4).is_none());
        assert!(Buf::<f64>::try_uninit(1 << 58).is_none());
    }

    #[test]
    fn memory_is_reused_and_counted() {
        let first = Buf::filled(123_457, f64::NAN);
        assert!(current() >= 8 * 123_457 && peak() >= current());
        let at = first.as_slice().as_ptr();
        drop(first);
        let again = Buf::filled(123_457, 0.0);
        assert_eq!(again.as_slice().as_ptr(), at);
        assert!(again.as_slice().iter().all(|&x| x == 0.0));
    }

    #[test]
    fn the_blocks_that_were_kept_first_go() {
        let block = |bytes: usize| {
            let layout = Layout::from_size_align(bytes, 8).unwrap();
            // SAFETY: the layout is not empty.
            Block { start: NonNull::new(unsafe { alloc::alloc(layout) }).unwrap(), layout }
        };
        let mut cache = Cache { blocks: Vec::new(), bytes: 0 };
        let mut keep = |bytes: usize| {
            let gone = cache.keep(block(bytes), 2000);
            let sizes = |blocks: &[Block]| blocks.iter().map(|block| block.layout.size()).collect::<Vec<_>>();
            let (left, kept) = (sizes(&gone), sizes(&cache.blocks));
            assert_eq!(cache.bytes, kept.iter().sum::<usize>());
            gone.into_iter().for_each(Block::free);
            (left, kept)
        };
        assert_eq!(keep(800), (vec![], vec![800]));
        assert_eq!(keep(1200), (vec![], vec![800, 1200]));
        assert_eq!(keep(2001), (vec![2001], vec![800, 1200]));
        assert_eq!(keep(600), (vec![800], vec![1200, 600]));
        assert_eq!(keep(900), (vec![1200], vec![600, 900]));
        let counts = [CACHED_BLOCKS, 1].map(|many| (0..many).map(|_| keep(1).0.len()).sum::<usize>());
        assert_eq!(counts, [2, 1]);
        cache.blocks.into_iter().for_each(Block::free);
    }

    #[test]
    fn a_share_of_the_memory_is_kept() {
        assert_eq!([0, 1 << 20, 1 << 33].map(share_of), [CACHED, CACHED, 1 << 30]);
        assert!(most_cached() >= CACHED);
    }

    #[test]
    fn zeros_are_zeros_also_in_used_memory() {
        let len = if cfg!(miri) { 3000 } else { (5 << 20) / 8 + 3 };
        drop(Buf::filled(len, f64::NAN));
        for _ in 0..2 {
            let zeros = Buf::<f64>::try_zeros(len).unwrap();
            assert!(zeros.len() == len && zeros.as_slice().iter().all(|x| x.to_bits() == 0));
            trim();
        }
        assert!(Buf::<bool>::try_zeros(0).unwrap().is_empty());
    }
}
