//! Alignment of stores.

/// How many leading elements of `row` to process before its next store falls on a 64-byte line. A stencil whose rows begin
/// there splits no store across two lines; process `row[..head]` and `row[head..]` with the same function.
#[inline(always)]
pub fn align_head<T>(row: &[T]) -> usize {
    row.as_ptr().align_offset(64).min(row.len())
}
