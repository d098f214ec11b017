//! Dense factorisations of matrices of doubles, columns first: LU, Cholesky, QR, and what is solved with them; eigenvalues and eigenvectors,
//! and singular values and vectors.
//!
//! Blocked, so that nearly all work is done by one small matrix product (`tile.rs`) on operands that lie as it wants them. Multiplications and
//! additions are rounded one by one and in an order that depends on the sizes alone, so results are the same on any number of
//! threads, with any instruction set, in compiled code and in the interpreter. Who runs the independent parts of a factorisation,
//! and with which instructions, is up to a [`Machine`].

mod balance;
mod bidiagonal;
mod bidiagonal_qr;
mod cholesky;
mod eigen;
mod francis;
mod hessenberg;
mod inverse;
mod least_squares;
mod lu;
mod number;
mod pair;
mod pencil;
mod pencil_block;
mod pencil_vectors;
mod qd;
mod qr;
mod qz;
mod qz_double;
mod reflection;
mod rotation;
mod schur_block;
mod singular;
mod square;
mod substitution;
mod symmetric;
mod symmetric_vectors;
mod tile;
mod triangle_vectors;
mod turned;
mod unblocked;

pub use cholesky::cholesky;
pub use eigen::{eigenvalues, eigenvectors};
pub use inverse::inverse;
pub use least_squares::least_squares;
pub use lu::{factor, row_order, zero_pivot};
pub use pair::{pair_eigenvalues, pair_eigenvectors};
pub use qr::{Block, orthogonal, reflect};
pub use singular::singular_values;
pub use substitution::solve;
pub use symmetric::symmetric_eigenvalues;

/// Order below which a factorisation is not blocked.
const UNBLOCKED: usize = 64;
/// Columns that are factored together.
const PANEL: usize = 32;

/// Carries out the independent parts of a factorisation.
pub trait Machine {
    /// Does the work for all items, in any order and on any threads. `operations` is how many additions and multiplications there
    /// are about, by which to judge whether other threads pay.
    fn each<I: Send, W: Work<I>>(&self, items: Vec<I>, operations: usize, work: &W);
}

/// What is done for each item. Implementations, and what they call, are `#[inline(always)]`, so that a machine can compile them for its
/// instruction set.
pub trait Work<I>: Sync {
    /// The work for one item.
    fn run(&self, item: I);
}

/// Does everything on the calling thread with the instructions that the compiler may assume.
pub struct Plain;

impl Machine for Plain {
    fn each<I: Send, W: Work<I>>(&self, items: Vec<I>, _: usize, work: &W) {
        items.into_iter().for_each(|item| work.run(item));
    }
}
