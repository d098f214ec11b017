//! Each single allocation of a call fails once, as those of a host without memory do: the call is an error or gives the right result, and the
//! next one works. In a process of its own, since the allocator is that of all.

#![allow(unsafe_code, reason = "an allocator is made of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use megha::rt::memory;
use ndarray::{Array2, ShapeBuilder};

/// Allocations of fewer bytes succeed: errors, names, and what a thread needs for a piece of work.
const LEAST: usize = 1 << 8;

/// How many large allocations there are until one fails; 0: none does.
static LEFT: AtomicUsize = AtomicUsize::new(0);
/// Whether all that come after the one that fails do too, on whichever thread.
static ONWARD: AtomicBool = AtomicBool::new(false);
/// How many there were.
static SEEN: AtomicUsize = AtomicUsize::new(0);
/// How many failed, and how many would have in libraries that cannot be refused memory.
static FAILED: AtomicUsize = AtomicUsize::new(0);
static EXCUSED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether this thread looks who asks for memory.
    static LOOKING: Cell<bool> = const { Cell::new(false) };
}

/// The system's allocator, but for the chosen failure.
struct Failing;

impl Failing {
    fn fails(&self, bytes: usize) -> bool {
        if bytes < LEAST || LOOKING.try_with(Cell::get).unwrap_or(true) {
            return false;
        }
        SEEN.fetch_add(1, SeqCst);
        let onward = ONWARD.load(SeqCst);
        let less = |left: usize| if left == 1 && onward { Some(1) } else { left.checked_sub(1) };
        if LEFT.fetch_update(SeqCst, SeqCst, less) != Ok(1) {
            return false;
        }
        LOOKING.set(true);
        let who = Backtrace::force_capture().to_string();
        let excused = asked_by_a_library(&who);
        LOOKING.set(false);
        if excused { &EXCUSED } else { &FAILED }.fetch_add(1, SeqCst);
        !excused
    }
}

/// Whether who asks for memory is a library that cannot be refused it: the tables of `rustfft` are tested before, the queues of
/// `rayon` are small.
fn asked_by_a_library(trace: &str) -> bool {
    let places = trace.lines().filter_map(|line| line.trim().strip_prefix("at "));
    let mut foreign = places.filter(|p| !["/rustc/", "rustlib/src", "no_memory.rs"].iter().any(|s| p.contains(s)));
    let libraries = ["/rustfft", "/rayon", "/crossbeam"];
    foreign.next().is_some_and(|place| place.contains("registry/src") && libraries.iter().any(|l| place.contains(l)))
}

// SAFETY: what the system's allocator promises, which also may refuse.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        if self.fails(layout.size()) { null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        if self.fails(layout.size()) { null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        if self.fails(size) { null_mut() } else { unsafe { System.realloc(start, layout, size) } }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

megha::matlab! {
    function y = elementwise(x)
    arguments
        x (n,m) double
    end
    y = transpose(x) .* 2 + 1;
    end

    function [s, p, m, k] = reductions(x)
    arguments
        x (n,m) double
    end
    s = sum(x, 1); p = prod(x, 2); [m, k] = max(x);
    end

    function [s, k, u, q] = ordered(x)
    arguments
        x (n,m) double
    end
    [s, k] = sort(x, 2); u = unique(round(x(:))); q = median(x);
    end

    function [n, c] = texts(x)
    arguments
        x (n,m) double
    end
    t = sprintf("%g,", x); n = length(t); c = length(num2str(x(1, :))) + length(mat2str(x));
    end

    function [y, z] = products(x)
    arguments
        x (n,m) double
    end
    y = x * transpose(x); z = y * x;
    end

    function [a, b, c, d] = factors(x)
    arguments
        x (n,n) double
    end
    a = mldivide(x, x(:, 1)); b = inv(x); [q, c] = qr(x); d = det(x);
    end

    function [e, v, s, r] = spectra(x)
    arguments
        x (n,n) double
    end
    [v, w] = eig(x + transpose(x)); e = diag(w); s = svd(x); r = mldivide(x(:, 1:3), x(:, 4));
    end

    function [y, z] = waves(x)
    arguments
        x (n,m) double
    end
    y = abs(fft(x)); z = real(ifft(fft(x, [], 2), [], 2));
    end

    function [g, h, f, c] = chosen(x)
    arguments
        x (n,m) double
    end
    k = round(mod(x(:), 5)) + 1;
    g = x(k, 1:2:end); h = x; h(k) = 3; f = find(x > 1); c = [x; x(end:-1:1, :)]; c(2, :) = [];
    end

    function [y, a, s] = grown(x)
    arguments
        x (n,m) double
    end
    y = [];
    for i = 1:numel(x)
        if x(i) > 1, y(end + 1) = x(i); end
    end
    a = accumarray(round(mod(x(:), 5)) + 1, x(:)); s = cumsum(x, 2);
    end

    function z = complexes(x)
    arguments
        x (n,m) double
    end
    z = exp(1i * x) * 2;
    end

    function y = shuffled(x)
    arguments
        x (n,m) double
    end
    r = rand(size(x)); p = randperm(numel(x)); y = sum(p) + 0 * sum(r(:)) + numel(reshape(x, [], 1));
    end
}

/// Runs a call with each of its allocations failing.
fn each_fails<R: PartialEq + std::fmt::Debug>(name: &str, call: impl Fn() -> megha::Result<R>) {
    let expected = call().unwrap();
    memory::trim();
    SEEN.store(0, SeqCst);
    assert_eq!(call().unwrap(), expected, "{name}");
    let count = SEEN.load(SeqCst);
    let failed_before = FAILED.load(SeqCst);
    for k in 1..=count + 2 {
        memory::trim();
        LEFT.store(k, SeqCst);
        let result = call();
        LEFT.store(0, SeqCst);
        match result {
            Ok(result) => assert_eq!(result, expected, "{name}, allocation {k} of {count}"),
            Err(error) => {
                assert!(error.to_string().starts_with("there is no memory"), "{name}, {k} of {count}: {error}")
            }
        }
        assert_eq!(call().unwrap(), expected, "{name} after allocation {k} failed");
    }
    assert!(FAILED.load(SeqCst) > failed_before, "{name} has asked for no memory");
}

fn numbers(rows: usize, columns: usize, first: bool) -> Array2<f64> {
    let at = |(i, j): (usize, usize)| ((i * 7 + j * 13 + 3) % 17) as f64 / 4.0 + if i == j { 9.0 } else { 0.0 };
    let shape = (rows, columns);
    if first { Array2::from_shape_fn(shape.f(), at) } else { Array2::from_shape_fn(shape, at) }
}

#[test]
fn calls_without_memory_are_errors() {
    // In one test: which allocation fails is counted over all threads.
    impossible_sizes_are_errors();
    for columns_first in [true, false] {
        let x = &numbers(40, 36, columns_first);
        let square = &numbers(36, 36, columns_first);
        each_fails("elementwise", || elementwise(x));
        each_fails("elementwise of a part", || elementwise(x.slice(ndarray::s![..;-1, ..])));
        each_fails("reductions", || reductions(x));
        each_fails("ordered", || ordered(x));
        each_fails("texts", || texts(x));
        each_fails("products", || products(x));
        each_fails("factors", || factors(square));
        each_fails("spectra", || spectra(square));
        each_fails("waves", || waves(x));
        each_fails("chosen", || chosen(x));
        each_fails("grown", || grown(x));
        each_fails("complexes", || complexes(x));
        each_fails("shuffled", || shuffled(x));
    }
    let large = &numbers(700, 600, false);
    each_fails("work of several threads", || elementwise(large));
    // Each thread packs what it needs of the factors.
    let factor = &numbers(130, 130, false);
    for onward in [false, true] {
        ONWARD.store(onward, SeqCst);
        each_fails("products by several threads", || products(factor));
    }
    ONWARD.store(false, SeqCst);
    let long = &numbers(2, 40_000, false);
    each_fails("order by several threads", || ordered(long));
    println!("{} failures, {} excused", FAILED.load(SeqCst), EXCUSED.load(SeqCst));
}

/// More than there is, of sizes that are empty or whose product is beyond all numbers.
fn impossible_sizes_are_errors() {
    let huge = 2f64.powi(40);
    for result in [empty_sums(0.0, huge), empty_sums(huge, huge), empty_sums(huge, 2f64.powi(24))] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("no memory") || error.contains("is not a size"), "{error}");
    }
}

megha::matlab! {
    function y = empty_sums(n, m)
    arguments
        n (1,1) double
        m (1,1) double
    end
    x = zeros(n, m);
    s = sum(x, 1);
    y = s(end) + prod(s);
    end
}
