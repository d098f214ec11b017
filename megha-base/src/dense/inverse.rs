//! The inverse of a matrix that has been factored: the solutions for the columns of the identity, which have zeros above the
//! diagonal until the back substitution.

use super::substitution::Factors;
use super::tile::{TALL, WIDE};
use super::{Machine, Work};
use crate::memory;

/// The panels of a triangle are as tall as right sides are wide.
const _: () = assert!(TALL == WIDE);

/// Puts the inverse into `out`, given the factors of a matrix of order n and the order of its rows.
pub fn inverse(factors: &[f64], order: &[usize], out: &mut [f64], machine: &impl Machine) {
    let n = order.len();
    // Column j of the solutions is column order[j] of the inverse.
    let mut columns: Vec<Option<&mut [f64]>> = memory::gathered(out.chunks_exact_mut(n.max(1)).map(Some));
    let mut ordered: Vec<&mut [f64]> = memory::gathered(order.iter().filter_map(|&j| columns[j].take()));
    let items: Vec<_> = memory::gathered(ordered.chunks_mut(TALL).enumerate());
    let unordered: Vec<usize> = memory::gathered(0..n);
    machine.each(items, 4 * n * n * n / 3, &Factors::new(factors, &unordered));
}

impl Work<(usize, &mut [&mut [f64]])> for Factors<'_> {
    #[inline(always)]
    fn run(&self, (panel, columns): (usize, &mut [&mut [f64]])) {
        let n = columns[0].len();
        let mut packed = memory::zeros(n * WIDE);
        (0..columns.len()).for_each(|j| packed[(panel * TALL + j) * WIDE + j] = 1.0);
        self.solve(&mut packed, panel);
        for (j, column) in columns.iter_mut().enumerate() {
            column.iter_mut().zip(packed.chunks_exact(WIDE)).for_each(|(x, row)| *x = row[j]);
        }
    }
}
