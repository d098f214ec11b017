//! The product of two matrices by the gemm crates, on any strides.

use gemm_common::Parallelism;
use gemm_common::gemm::L2_SLAB;

use super::Real;

/// A matrix: its start and its strides along rows and columns.
type Factor<T> = (*const T, [isize; 2]);

/// `c = keep * c + scale * a * b` on so many threads; the three extents are those of `c`, and the inner one.
///
/// # Safety
/// Each pointer with its strides reaches all elements of its matrix; `c` overlaps neither factor, and nothing else refers to it.
pub unsafe fn accumulate<T: Real>(
    [m, n, p]: [usize; 3],
    (c, [c_row, c_column]): (*mut T, [isize; 2]),
    keep: T,
    a: Factor<T>,
    b: Factor<T>,
    scale: T,
    threads: usize,
) {
    // The routine wants columns of the product to be the more distant ones; else the transposed product is made.
    let flip = |(start, [row, column]): Factor<T>| (start, [column, row]);
    let (m, n, [c_row, c_column], a, b) = match c_column.abs() < c_row.abs() {
        true => (n, m, [c_column, c_row], flip(b), flip(a)),
        false => (m, n, [c_row, c_column], a, b),
    };
    let ((a, [a_row, a_column]), (b, [b_row, b_column])) = backward(p, a, b);
    let threads = if threads > 1 { Parallelism::Rayon(threads) } else { Parallelism::None };
    let routine = T::routine();
    // SAFETY: the caller's promise; nothing is conjugated, and `c` is read.
    let run = || unsafe {
        routine(
            m, n, p, c, c_column, c_row, true, a, a_column, a_row, b, b_column, b_row, keep, scale, false, false,
            false, threads,
        );
    };
    if L2_SLAB.try_with(|_| ()).is_ok() { run() } else { elsewhere(run) }
}

/// Runs a product on a thread of the pool: where a destructor of a thread-local asks for one, the memory that the crate `gemm` keeps for each
/// thread may be gone, and it would panic.
#[cold]
fn elsewhere(run: impl FnOnce()) {
    struct Sent<F>(F);
    // SAFETY: what is sent are pointers to matrices of numbers, which nobody else touches: this thread waits.
    unsafe impl<F> Send for Sent<F> {}
    impl<F: FnOnce()> Sent<F> {
        fn run(self) {
            (self.0)();
        }
    }
    let sent = Sent(run);
    rayon::in_place_scope(|scope| scope.spawn(|_| sent.run()));
}

/// The same factors of an inner extent, whose terms are taken from the other end if the left one's columns lie backwards.
fn backward<T>(inner: usize, a: Factor<T>, b: Factor<T>) -> (Factor<T>, Factor<T>) {
    let ((a, [a_row, a_column]), (b, [b_row, b_column])) = (a, b);
    if a_column >= 0 || inner == 0 {
        return ((a, [a_row, a_column]), (b, [b_row, b_column]));
    }
    let last = (inner - 1) as isize;
    let (a, b) = (a.wrapping_offset(last * a_column), b.wrapping_offset(last * b_row));
    ((a, [a_row, -a_column]), (b, [-b_row, b_column]))
}
