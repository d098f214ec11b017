//! How large this thread's stack is.

use std::cell::Cell;

/// What calls and kernels need at most in unoptimised code, many times over.
const ENOUGH: usize = 256 << 10;

thread_local! {
    /// Whether this thread's stack is small, once that is known.
    static SMALL: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Whether this thread's stack may be too small for kernels: a call then runs on a thread of the pool. The least stack of a thread is 16 KiB.
pub fn is_small() -> bool {
    SMALL.get().unwrap_or_else(|| {
        let small = size().is_some_and(|size| size < ENOUGH);
        SMALL.set(Some(small));
        small
    })
}

/// The size in bytes, if the system tells.
#[cfg(all(target_os = "linux", not(miri)))]
fn size() -> Option<usize> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut base, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the first call makes the attributes of this thread, or fails; the second one reads them, and the third one gives them back.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let outcome = libc::pthread_attr_getstack(attributes.as_ptr(), &mut base, &mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        (outcome == 0).then_some(size)
    }
}

/// The size in bytes, which is not known here.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn size() -> Option<usize> {
    None
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn small_stacks_are_known() {
        let is_small = |bytes: usize| thread::Builder::new().stack_size(bytes).spawn(is_small).unwrap().join().unwrap();
        assert_eq!([16 << 10, 128 << 10, 1 << 20].map(is_small), [true, true, false]);
    }
}
