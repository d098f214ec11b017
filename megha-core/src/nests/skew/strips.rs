//! Strips of the columns of a recurrence, which run as a pipeline.
//!
//! A strip goes through all rows. Where no dependence leads to a column before, strips have the same columns in each row:
//!
//! ```text
//! for s { for i { for j in W s .. W (s + 1) { a(i, j) = f(a(i, j-1), a(i-1, j), ..) } } }
//! ```
//!
//! Elsewhere they have the same *times* `t = b i + j`, at which every dependence leads forwards: parallelograms. Either way no dependence leads to a strip before or, in the same
//! one, to a row before, so a strip may go through a row as soon as the strip before it has: the loop over strips is a DOACROSS loop (R. Cytron, "Doacross: beyond vectorization for
//! multiprocessors", 1986; M. Wolfe, "Loop skewing", 1986), and its iterations run on several threads, each some rows behind the one before (`rt::pipeline`). On one
//! thread they run one after the other, and the rows of a strip stay in the nearest caches.

use super::{Band, Extents};
use crate::ir::{Func, Size, SymDef};
use crate::kernels::accesses::{Definitions, symbol};
use crate::kernels::doall::not_negative;

/// The least width of a strip in columns: a thread works on some rows of it for microseconds, and to wait takes tenths of one.
const NARROW: i64 = 512;
/// The largest, where that leaves two strips: on one thread narrower ones cost some percent.
const WIDE: i64 = 2 * NARROW;
/// The width of a strip in times. It overlaps with the one before only in those rows that have more columns: 2000 of them, two threads: 7.1 ms, 12.8 with twice the width.
const SLANTED: i64 = NARROW;

/// Which columns a strip has of each row.
pub(super) enum Strip {
    /// All of them: there is one strip.
    All,
    /// From one on.
    Straight { first: Size, columns: Size },
    /// Those with a time in this range.
    Slanted { from: Size, to: Size },
}

/// The strips of a band of loops.
pub(super) struct Strips {
    /// How many there are.
    pub count: Size,
    kind: Kind,
}

enum Kind {
    /// Of so many columns each.
    Straight { width: Size },
    /// Of [`SLANTED`] times each. The last has some more, which nobody needs.
    Slanted { more: Size },
}

/// A range of columns, times or blocks.
pub(super) struct Range {
    pub from: Size,
    pub len: Size,
}

impl Strips {
    /// The strips for so many rows and columns, unless there are known to be too few columns for two.
    pub fn of(func: &mut Func, band: &Band, extents: &Extents) -> Option<Self> {
        let Extents { rows, columns, .. } = extents;
        if columns.as_constant().is_some_and(|columns| columns < 2 * NARROW) {
            return None;
        }
        if !band.slanted {
            let half = quotient(func, columns.add_const(1), 2);
            let half = most(func, [Size::constant(NARROW), half]);
            let width = least_of(func, [Size::constant(WIDE), half], NARROW);
            let most = vec![columns.clone()];
            let count = SymDef::FloorDiv(columns.add(&width).add_const(-1), width.clone());
            let count = Size::sym(symbol(func, count, vec![Size::default()], most));
            return Some(Self { count, kind: Kind::Straight { width } });
        }
        // Fewer columns than two strips have are one: its rows would only begin when those of the one before have ended.
        let strips = quotient(func, columns.clone(), 2 * SLANTED);
        let are_several = least_of(func, [Size::constant(1), strips], 0);
        let times = columns.add(&rows.scale(band.behind));
        let count = quotient(func, times.mul(&are_several), SLANTED).add_const(1);
        let more = times.sub(&times.mul(&are_several));
        Some(Self { count, kind: Kind::Slanted { more } })
    }

    /// The strip with this number.
    pub fn strip(&self, func: &mut Func, number: &Size, columns: &Size) -> Strip {
        match &self.kind {
            Kind::Straight { width } => {
                // One symbol, so that subscripts are sums of it.
                let first = most(func, [Size::default(), width.mul(number)]);
                let columns = least_of(func, [width.clone(), columns.sub(&first)], 0);
                Strip::Straight { first, columns }
            }
            Kind::Slanted { more } => {
                let from = number.scale(SLANTED);
                Strip::Slanted { to: from.add_const(SLANTED).add(more), from }
            }
        }
    }
}

impl Strip {
    /// The columns of a row.
    pub fn of_row(&self, func: &mut Func, defs: &Definitions, band: &Band, [row, columns]: [&Size; 2]) -> Range {
        match self {
            Self::All => Range { from: Size::default(), len: columns.clone() },
            Self::Straight { first, columns } => Range { from: first.clone(), len: columns.clone() },
            Self::Slanted { from, to } => {
                let begin = row.scale(band.behind);
                let first = most(func, [Size::default(), from.sub(&begin)]);
                let end = least(func, [columns.clone(), to.sub(&begin)]);
                let len = not_negative(func, defs, end.sub(&first));
                Range { from: first, len }
            }
        }
    }

    /// The times at which all rows from `first` to `last` have columns.
    pub fn common(
        &self,
        func: &mut Func,
        defs: &Definitions,
        band: &Band,
        ([first, last], columns): ([&Size; 2], &Size),
    ) -> Range {
        let [begin, end] = [last.scale(band.behind), first.scale(band.behind)];
        let (from, to) = match self {
            Self::All => (begin, end.add(columns)),
            Self::Straight { first, columns } => (begin.add(first), end.add(first).add(columns)),
            Self::Slanted { from, to } => {
                (most(func, [from.clone(), begin]), least(func, [to.clone(), end.add(columns)]))
            }
        };
        let len = not_negative(func, defs, to.sub(&from));
        Range { from, len }
    }

    /// The first of the blocks of rows of which the strip has any, and how many there are, of so many.
    pub fn blocks(&self, func: &mut Func, defs: &Definitions, band: &Band, extents: &Extents) -> Range {
        let Extents { blocks, columns, .. } = extents;
        match self {
            Self::All | Self::Straight { .. } => Range { from: Size::default(), len: blocks.clone() },
            Self::Slanted { from, to } => {
                let times = band.behind * band.together;
                let before = most(func, [Size::default(), from.sub(columns)]);
                let first = quotient(func, before, times);
                let behind = quotient(func, to.clone(), times).add_const(1);
                let behind = least(func, [blocks.clone(), behind]);
                let len = not_negative(func, defs, behind.sub(&first));
                Range { from: first, len }
            }
        }
    }
}

fn quotient(func: &mut Func, of: Size, by: i64) -> Size {
    let most = vec![of.clone()];
    Size::sym(symbol(func, SymDef::FloorDiv(of, Size::constant(by)), vec![Size::default()], most))
}

fn least(func: &mut Func, [a, b]: [Size; 2]) -> Size {
    let most = vec![a.clone(), b.clone()];
    Size::sym(symbol(func, SymDef::Min(a, b), Vec::new(), most))
}

/// The smaller of two, neither of which is below a number.
fn least_of(func: &mut Func, [a, b]: [Size; 2], least: i64) -> Size {
    let most = vec![a.clone(), b.clone()];
    Size::sym(symbol(func, SymDef::Min(a, b), vec![Size::constant(least)], most))
}

fn most(func: &mut Func, [a, b]: [Size; 2]) -> Size {
    let least = vec![a.clone(), b.clone()];
    Size::sym(symbol(func, SymDef::Max(a, b), least, Vec::new()))
}
