//! Calls between compiled functions: how deep they nest, and the stack for that.
//!
//! A function that calls itself runs on a thread of its own pool, whose stacks hold [`MAX_DEPTH`] frames of any size that
//! occurs (half a MiB each). Kernels in it use the threads of this pool: a caller that is itself a thread of a pool goes on
//! with other work meanwhile, so that no pool waits for itself.

use std::cell::Cell;
use std::sync::LazyLock;

use megha_base::recursion::{EXCEEDED, MAX_DEPTH};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::enter::{Insist, attempts, kept};
use crate::{Result, Site, device, fault, trace};

/// The stack of a thread. The system gives memory only to the part that is used.
const STACK: usize = MAX_DEPTH << 19;

static DEEP: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let name = |at| format!("megha-deep-{at}");
    let threads = rayon::current_num_threads();
    ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).thread_name(name).build().ok()
});

thread_local! {
    /// How many calls are active on this thread, within the one that Rust made.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// How many calls are active on this thread.
pub(crate) fn depth() -> usize {
    DEPTH.get()
}

/// Says so after calls that have unwound.
pub(crate) fn restore_depth(depth: usize) {
    DEPTH.set(depth);
}

/// Runs the body of a compiled function that calls itself, or one that does. Kernels may run on a device, as those of [`crate::enter()`].
///
/// # Errors
/// Those of the body; and if the system has no room for the stacks.
pub fn deep<R: Send>(name: &'static str, site: &Site, mut body: impl FnMut() -> Result<R> + Send) -> Result<R> {
    let mut result = None;
    let on = |run: &mut (dyn FnMut() + Send)| on_deep_stack(name, site, run);
    attempts(name, Insist::AsAsked, &on, &mut || kept(&mut body, &mut result))?;
    Ok(result.expect("the body has run"))
}

/// Runs a part of a call where there is room for the deepest nesting.
fn on_deep_stack(name: &'static str, site: &Site, body: &mut (dyn FnMut() + Send)) -> Result<()> {
    let Some(pool) = DEEP.as_ref() else {
        return Err(fault::failed(
            fault::Cause::Other,
            "the system has no room for the stack of a function that calls itself",
            site,
        ));
    };
    let counted = pool.install(|| {
        // While this thread waits for a kernel, it may take up another such call.
        let outer = DEPTH.replace(1);
        // As in [`crate::enter()`].
        let counted = trace::record(name, || device::within(None, body));
        DEPTH.set(outer);
        counted
    });
    counted.publish();
    Ok(())
}

/// A call of one compiled function by another. What goes wrong in a function of the library goes wrong here: the call is its place.
///
/// # Errors
/// Those of the function; and if calls nest too deep.
#[inline(always)]
pub fn nested<R>(site: &Site, call: impl FnOnce() -> Result<R>) -> Result<R> {
    let depth = DEPTH.get();
    if depth >= MAX_DEPTH {
        return Err(fault::failed(fault::Cause::Other, EXCEEDED, site));
    }
    DEPTH.set(depth + 1);
    let result = call();
    DEPTH.set(depth);
    result.map_err(|error| error.placed(site))
}

/// Does what a loop of a compiled function does in a function of its own, so that what the loop carries is in registers whatever is around it.
///
/// # Errors
///
/// Those of the work.
#[inline(never)]
pub fn apart<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Site = Site { path: "", line: 1, column: 1, text: "" };

    /// One frame with a large array on the stack, and as many more.
    fn descend(left: usize) -> Result<f64> {
        let large = std::hint::black_box([left as f64; 8000]);
        if left == 0 { Ok(large[0]) } else { nested(&HERE, || descend(left - 1)).map(|x| x + large[7999]) }
    }

    #[test]
    fn the_deepest_call_has_room_and_the_next_is_refused() {
        let sum = |n: usize| deep("descend", &HERE, || descend(n));
        assert_eq!(sum(MAX_DEPTH - 1).unwrap(), (0..MAX_DEPTH).sum::<usize>() as f64);
        assert!(sum(MAX_DEPTH).unwrap_err().to_string().starts_with(EXCEEDED));
        // A failure leaves the count as it was.
        assert!(sum(MAX_DEPTH - 1).is_ok());
    }

    #[test]
    fn errors_of_the_library_are_at_the_call() {
        let call = Site { path: "f.m", line: 3, column: 5, text: "eig(A)" };
        let own = Site { path: "f.m", line: 9, column: 1, text: "x(k)" };
        let fails =
            |site: &Site| nested(&call, || Err::<(), _>(fault::failed(fault::Cause::Other, "no", site))).unwrap_err();
        assert_eq!(*fails(&Site::NOWHERE).site(), call);
        assert_eq!(*fails(&own).site(), own);
    }

    #[test]
    fn callers_in_a_pool_do_not_wait_for_themselves() {
        use rayon::prelude::*;
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let nested = |n: usize| {
            deep("outer", &HERE, || Ok((0..n).into_par_iter().map(|k| deep("inner", &HERE, || descend(k))).count()))
        };
        let counts: Vec<usize> = pool.install(|| (0..50).into_par_iter().map(|n| nested(n).unwrap()).collect());
        assert_eq!(counts, (0..50).collect::<Vec<_>>());
    }
}
