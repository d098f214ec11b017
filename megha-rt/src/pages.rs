//! Pages of large blocks of memory.

use std::ptr::NonNull;

/// Blocks smaller than this have too few whole huge pages for the call to pay.
#[cfg(all(target_os = "linux", not(miri)))]
const LEAST: usize = 4 << 20;

/// Lets the allocator keep the pages of freed blocks of up to 32 MiB.
///
/// Results belong to the caller, who drops them into the global allocator. That of glibc begins by giving each block of 128 KiB and more back to
/// the system at once, and adapts: it keeps blocks as large as the largest that was freed so far, and twice as many bytes of free
/// memory. A program whose only large arrays are two results of a call stays just at that border and pays a page fault for every 4 KiB of them,
/// more than it takes to compute them. One block freed here, never touched, moves the border as far as glibc lets it. Other allocators have
/// caches of their own.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
pub(crate) fn keep_freed() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let mut block = Vec::<u8>::new();
        // Without so much memory the border stays where it is.
        drop(block.try_reserve_exact(KEPT));
        drop(std::hint::black_box(block));
    });
}

/// Whether a block of so many bytes that an allocator gives holds zeros, since the operating system has just cleared it: glibc keeps none of those
/// from 32 MiB on.
pub(crate) fn is_cleared(bytes: usize) -> bool {
    bytes >= 32 << 20
}

/// The largest block that glibc learns from, with room for its header: 32 MiB.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
const KEPT: usize = (32 << 20) - (64 << 10);

/// No allocator known to need it here.
#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
pub(crate) fn keep_freed() {}

/// Asks the operating system for huge pages in a fresh block: one page fault for each 2 MiB in place of 512, and as many fewer entries in the
/// translation buffer while a kernel walks several arrays. Without effect on small blocks and where the system has no such pages.
#[cfg(all(target_os = "linux", not(miri)))]
pub(crate) fn prefer_huge(start: NonNull<u8>, bytes: usize) {
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        /// `madvise(2)`.
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }
    /// `MADV_HUGEPAGE` of `<linux/mman.h>`.
    const HUGE: c_int = 14;
    /// The call wants a whole number of the smallest pages, which are at most this large on any machine.
    const PAGE: usize = 1 << 16;

    if bytes < LEAST {
        return;
    }
    let skipped = start.as_ptr().align_offset(PAGE);
    let whole = bytes.saturating_sub(skipped) / PAGE * PAGE;
    // SAFETY: the range lies within the block, whose content the advice does not change. A refusal has no consequence.
    unsafe { madvise(start.as_ptr().wrapping_add(skipped).cast(), whole, HUGE) };
}

/// No huge pages here, and no such call in Miri.
#[cfg(any(not(target_os = "linux"), miri))]
pub(crate) fn prefer_huge(_: NonNull<u8>, _: usize) {}
