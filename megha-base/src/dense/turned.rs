//! Matrices whose columns are turned by many rotations.
//!
//! Rows do not meet, so a matrix lies as panels of some rows each, and all rotations of many steps are carried out on one panel while it is
//! in the cache.

use super::bidiagonal_qr::{Follower, Side, Turn};
use super::{Machine, Work};
use crate::memory;

/// Rows of a panel.
const ROWS: usize = 16;
/// Rotations that are kept before they are carried out.
const KEPT: usize = 1 << 16;

/// A matrix of so many rows and columns, and rotations of its columns that are still to be carried out.
pub(super) struct Turned {
    rows: usize,
    columns: usize,
    panels: Vec<f64>,
    turns: Vec<Turn>,
}

impl Turned {
    /// A matrix that lies columns first.
    pub(super) fn of(matrix: &[f64], rows: usize) -> Self {
        let columns = matrix.len() / rows.max(1);
        let mut panels = memory::zeros(rows.div_ceil(ROWS) * ROWS * columns);
        for (p, panel) in panels.chunks_exact_mut((ROWS * columns).max(1)).enumerate() {
            for (to, column) in panel.chunks_exact_mut(ROWS).zip(matrix.chunks_exact(rows)) {
                let part = column[p * ROWS..].iter().take(ROWS);
                to.iter_mut().zip(part).for_each(|(to, x)| *to = *x);
            }
        }
        Self { rows, columns, panels, turns: Vec::new() }
    }

    fn turn(&mut self, turns: &[Turn], machine: &impl Machine) {
        memory::extend(
            &mut self.turns,
            turns.iter().filter(|(_, rotation)| rotation.sine != 0.0 || rotation.cosine != 1.0).copied(),
        );
        if self.turns.len() >= KEPT {
            self.carry_out(machine);
        }
    }

    fn carry_out(&mut self, machine: &impl Machine) {
        let panels: Vec<_> = memory::gathered(self.panels.chunks_exact_mut((ROWS * self.columns).max(1)));
        machine.each(panels, 6 * self.turns.len() * self.rows, &Turns(&self.turns));
        self.turns.clear();
    }

    /// Puts a column into `out` and says of what sign.
    pub(super) fn column(&self, number: usize, negative: bool, out: &mut [f64]) {
        let sign = if negative { -1.0 } else { 1.0 };
        for (out, panel) in out.chunks_mut(ROWS).zip(self.panels.chunks_exact(ROWS * self.columns)) {
            out.iter_mut().zip(&panel[number * ROWS..]).for_each(|(out, x)| *out = sign * x);
        }
    }
}

/// Rotations of the columns of a panel.
struct Turns<'a>(&'a [Turn]);

impl Work<&mut [f64]> for Turns<'_> {
    #[inline(always)]
    fn run(&self, panel: &mut [f64]) {
        let (columns, _) = panel.as_chunks_mut::<ROWS>();
        for &(j, rotation) in self.0 {
            let [x, y] = &mut columns[j..j + 2] else { return };
            for i in 0..ROWS {
                let (a, b) = (x[i], y[i]);
                x[i] = rotation.sine * b + rotation.cosine * a;
                y[i] = rotation.cosine * b - rotation.sine * a;
            }
        }
    }
}

/// The singular vectors while values are sought.
pub(super) struct Vectors<'a, M> {
    pub(super) left: Turned,
    pub(super) right: Turned,
    pub(super) machine: &'a M,
}

impl<M: Machine> Follower for Vectors<'_, M> {
    fn turned(&mut self, side: Side, turns: &[Turn]) {
        match side {
            Side::Left => self.left.turn(turns, self.machine),
            Side::Right => self.right.turn(turns, self.machine),
        }
    }
}

impl<M: Machine> Vectors<'_, M> {
    /// Carries out what is left.
    pub(super) fn finish(&mut self) {
        self.left.carry_out(self.machine);
        self.right.carry_out(self.machine);
    }
}
