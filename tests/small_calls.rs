//! A call on small arrays asks for memory once, for its result. In a process of its own, since the allocator is that of all.

#![allow(unsafe_code, reason = "an allocator is made of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ndarray::{Array, Array1, Array2, ArrayView1, ArrayViewMut1, ShapeBuilder};

thread_local! {
    /// How often this thread asked for memory.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts.
struct Counting;

// SAFETY: what the system's allocator promises.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

megha::matlab! {
    function y = saxpy(a, x, y0)
    arguments
        a  (1,1) double
        x  (n,1) double
        y0 (n,1) double
    end
    y = a .* x + y0;
    end

    function c = total(a, b)
    arguments
        a (n,m) double
        b (n,m) double
    end
    c = a + b;
    end
}

#[megha::offload]
fn add_to(a: f64, x: ArrayView1<f64>, mut y: ArrayViewMut1<f64>) {
    for i in 0..x.len() {
        y[i] += a * x[i];
    }
}

/// How often a call asks for memory, after one that opens what the process keeps.
fn asked<R>(mut call: impl FnMut() -> R) -> usize {
    drop(call());
    let before = ASKED.get();
    let result = call();
    let asked = ASKED.get() - before;
    drop(result);
    asked
}

#[test]
fn small_calls_ask_for_their_results_alone() {
    let x = Array1::from_iter((0..10).map(f64::from));
    let columns: Array2<f64> = Array::ones((3, 4).f());
    let rows: Array2<f64> = Array::ones((3, 4));
    assert_eq!(asked(|| saxpy(2.0, &x, &x).unwrap()), 1);
    assert_eq!(asked(|| saxpy(2.0, [1.0, 2.0], [3.0, 4.0]).unwrap()), 1);
    assert_eq!([&columns, &rows].map(|a| asked(|| total(a, a).unwrap())), [1, 1]);
    let mut again = saxpy(2.0, &x, &x).unwrap();
    assert_eq!(asked(|| saxpy_into(2.0, &x, &x, &mut again).unwrap()), 0);
    assert_eq!(again, saxpy(2.0, &x, &x).unwrap());
    let mut y = x.clone();
    assert_eq!(asked(|| add_to(2.0, x.view(), y.view_mut())), 0);
}
