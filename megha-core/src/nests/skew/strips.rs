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

/// The width of a strip in columns: a thread works on some rows of it for microseconds, and to wait takes tenths of one.
const STRAIGHT: i64 = 1024;
/// That of one in times, which overlaps with the one before in those rows only whose columns are more: 2000 columns, two threads: 7.1 ms, 12.8 with twice the width.
const SLANTED: i64 = 512;

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
    /// If they have the same times instead of the same columns: how many times the last has that nobody needs.
    slanted: Option<Size>,
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
        let width = if band.slanted { SLANTED } else { STRAIGHT };
        if columns.as_constant().is_some_and(|columns| columns < 2 * width) {
            return None;
        }
        if !band.slanted {
            return Some(Self { count: quotient(func, columns.add_const(width - 1), width), slanted: None });
        }
        // Fewer columns than two strips have are one: its rows would only begin when those of the one before have ended.
        let strips = quotient(func, columns.clone(), 2 * width);
        let are_several = natural(func, [Size::constant(1), strips]);
        let times = columns.add(&rows.scale(band.behind));
        let count = quotient(func, times.mul(&are_several), width).add_const(1);
        Some(Self { count, slanted: Some(times.sub(&times.mul(&are_several))) })
    }

    /// The strip with this number.
    pub fn strip(&self, func: &mut Func, number: &Size, columns: &Size) -> Strip {
        match &self.slanted {
            Some(more) => {
                let from = number.scale(SLANTED);
                Strip::Slanted { to: from.add_const(SLANTED).add(more), from }
            }
            None => {
                let first = number.scale(STRAIGHT);
                let columns = natural(func, [Size::constant(STRAIGHT), columns.sub(&first)]);
                Strip::Straight { first, columns }
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

/// The smaller of two that are not negative.
fn natural(func: &mut Func, [a, b]: [Size; 2]) -> Size {
    let most = vec![a.clone(), b.clone()];
    Size::sym(symbol(func, SymDef::Min(a, b), vec![Size::default()], most))
}

fn most(func: &mut Func, [a, b]: [Size; 2]) -> Size {
    let least = vec![a.clone(), b.clone()];
    Size::sym(symbol(func, SymDef::Max(a, b), least, Vec::new()))
}
