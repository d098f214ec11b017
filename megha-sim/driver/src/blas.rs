//! The entries of cuBLAS that `megha-rt` calls: the same library serves under that name too.

use megha_sim::{Product, Ptr};

use crate::entries::{entries, put};
use crate::machine::{Code, Machine, in_context};
use crate::streams::Operation;

/// `CUBLAS_STATUS_NOT_INITIALIZED`
const NOT_INITIALIZED: Code = 1;
/// `CUBLAS_STATUS_INVALID_VALUE`
const INVALID: Code = 7;

/// What `cublas?gemm` is called with, apart from the numbers that scale.
struct Gemm {
    transposed: [i32; 2],
    extents: [i32; 3],
    starts: [u64; 3],
    /// The distances of columns.
    leading: [i32; 3],
}

entries! {
    in_context fn cublasCreate_v2(handle: *mut usize) |m| {
        let number = m.handle();
        m.libraries.insert(number, 0);
        put(handle, number)
    };
    in_context fn cublasDestroy_v2(handle: usize) |m| {
        m.run_everything()?;
        m.libraries.remove(&handle).map(drop).ok_or(NOT_INITIALIZED)
    };
    in_context fn cublasSetStream_v2(handle: usize, stream: usize) |m| {
        if !m.streams.contains_key(&stream) {
            return Err(INVALID);
        }
        *m.libraries.get_mut(&handle).ok_or(NOT_INITIALIZED)? = stream;
        Ok(())
    };
    in_context fn cublasDgemm_v2(
        handle: usize, ta: i32, tb: i32, m: i32, n: i32, k: i32, alpha: *const f64,
        a: u64, lda: i32, b: u64, ldb: i32, beta: *const f64, c: u64, ldc: i32
    ) |machine| {
        // SAFETY: the caller gives addresses of numbers.
        let scales = unsafe { [*alpha, *beta] };
        let gemm = Gemm { transposed: [ta, tb], extents: [m, n, k], starts: [a, b, c], leading: [lda, ldb, ldc] };
        issue(machine, handle, false, scales, &gemm)
    };
    in_context fn cublasSgemm_v2(
        handle: usize, ta: i32, tb: i32, m: i32, n: i32, k: i32, alpha: *const f32,
        a: u64, lda: i32, b: u64, ldb: i32, beta: *const f32, c: u64, ldc: i32
    ) |machine| {
        // SAFETY: as above.
        let scales = unsafe { [*alpha, *beta] };
        let gemm = Gemm { transposed: [ta, tb], extents: [m, n, k], starts: [a, b, c], leading: [lda, ldb, ldc] };
        issue(machine, handle, true, scales.map(f64::from), &gemm)
    };
}

/// Puts a product into the handle's stream: a dense one that is not scaled, as `megha-rt` makes no other.
fn issue(machine: &mut Machine, handle: usize, single: bool, scales: [f64; 2], gemm: &Gemm) -> Result<(), Code> {
    let stream = *machine.libraries.get(&handle).ok_or(NOT_INITIALIZED)?;
    let [m, n, k] = gemm.extents;
    let dense = gemm.leading == [m, k, m] && gemm.extents.iter().all(|extent| *extent > 0);
    if !dense || gemm.transposed != [0, 0] || scales != [1.0, 0.0] {
        machine.mistake(format!("a product of {m} by {k} and {k} by {n} that is not dense, or scaled"));
        return Err(INVALID);
    }
    let extents = gemm.extents.map(|extent| extent as usize);
    let [a, b, product] = gemm.starts.map(Ptr);
    machine.issue(stream, Operation::Product(Product { single, extents, factors: [a, b], product }))
}
