//! Updates that read the old state of their array, so that the new one needs a place of its own: which of them pay.
//!
//! A stencil stores nearly the whole array. It reads the old state where it is and stores the next one in a second place, and only the
//! border is copied: two streams of memory traffic. The other way, a new array for what is stored, which is then put in place, makes
//! four, but is the better where little of the array is stored.

use crate::ir::{Func, Kernel, Size, Value};

/// Whether a kernel has about as many points as the array has elements: in each dimension all but a constant number.
pub(crate) fn covers_most(func: &Func, kernel: &Kernel, array: Value) -> bool {
    go_through_most(func, &kernel.domain, array)
}

/// Whether loops with these numbers of iterations have about as many points as the array has elements.
pub(crate) fn go_through_most<'s>(func: &Func, loops: impl IntoIterator<Item = &'s Size>, array: Value) -> bool {
    let mut extents: Vec<Size> = loops.into_iter().map(|size| func.symbols.without_maximum(size)).collect();
    func.ty(array).dims.iter().filter(|dim| !dim.is_one()).all(|dim| {
        let near = extents.iter().position(|extent| dim.sub(extent).as_constant().is_some_and(|rest| rest >= 0));
        near.map(|at| extents.swap_remove(at)).is_some()
    })
}
