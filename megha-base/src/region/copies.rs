//! The copies that move a region from one memory to another, and which way of copying costs least.
//!
//! A section is in memory a nest of strides, as jit4GPU's descriptors have it (Garg & Amaral 2010, section 4.3.3: strides in descending
//! order, none overlapping): what lies side by side on both sides is a run, equally spaced runs are one two-dimensional copy, as drivers
//! have it, and further strides repeat that. Where rows are short, copying what lies between them too may cost less.

use super::section::{MAX_RANK, Section};
use super::{Region, Triplet};

/// Where the elements of an array, or of a part of it, are: from the byte of the element with all subscripts zero on, so many bytes from an
/// element to the next in each dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The byte of the element with all subscripts zero; negative if that is not there.
    pub base: i64,
    /// Bytes between neighbours in each dimension.
    pub strides: [i64; MAX_RANK],
    /// Bytes of an element.
    pub element: i64,
}

impl Layout {
    /// An array of these sizes, the first dimension's neighbours side by side.
    pub fn columns_first(sizes: &[i64], element: i64) -> Self {
        Self::packed(sizes, element, &mut (0..sizes.len()))
    }

    /// An array of these sizes, the last dimension's neighbours side by side.
    pub fn rows_first(sizes: &[i64], element: i64) -> Self {
        Self::packed(sizes, element, &mut (0..sizes.len()).rev())
    }

    fn packed(sizes: &[i64], element: i64, order: &mut dyn Iterator<Item = usize>) -> Self {
        let mut layout = Self { base: 0, strides: [0; MAX_RANK], element };
        let mut stride = element;
        for d in order {
            layout.strides[d] = stride;
            stride = stride.saturating_mul(sizes[d].max(1));
        }
        layout
    }

    /// The same array where only the elements from these on are held: a window of it, whose first element is at byte 0.
    #[must_use]
    pub fn from(mut self, first: &[i64]) -> Self {
        self.base = -self.strides.iter().zip(first).map(|(stride, at)| stride * at).sum::<i64>();
        self
    }

    /// The byte where an element is.
    pub fn at(&self, subscripts: &[i64]) -> i64 {
        self.base + self.strides.iter().zip(subscripts).map(|(stride, at)| stride * at).sum::<i64>()
    }
}

/// A two-dimensional copy: rows of bytes, equally far apart on either side. A single run has one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copy {
    /// The first byte where it is copied from.
    pub from: i64,
    /// The first byte where it is copied to.
    pub to: i64,
    /// Bytes of a row.
    pub bytes: i64,
    /// How many rows.
    pub rows: i64,
    /// Bytes between the beginnings of rows where it is copied from.
    pub from_pitch: i64,
    /// Bytes between the beginnings of rows where it is copied to.
    pub to_pitch: i64,
}

impl Copy {
    /// Its rows, each as a copy.
    fn each_row(self) -> impl Iterator<Item = Self> {
        let Self { from, to, from_pitch, to_pitch, rows, .. } = self;
        (0..rows).map(move |k| Self { from: from + k * from_pitch, to: to + k * to_pitch, rows: 1, ..self })
    }

    /// All its bytes.
    pub fn length(&self) -> i64 {
        self.bytes * self.rows
    }
}

/// How a region moves from one memory to another.
#[derive(Debug, Clone)]
pub struct Transfer {
    /// The copies.
    pub copies: Vec<Copy>,
    /// The elements that they move: those of the region, and others of the spare ones where that is cheaper.
    pub moved: Region,
    /// What they cost.
    pub cost: f64,
}

/// What copies cost, in any unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// Of a copy, whatever it moves.
    pub copy: f64,
    /// Of a row of a copy that has several.
    pub row: f64,
    /// Of a byte.
    pub byte: f64,
}

/// How a section is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By two-dimensional copies, [`Section::copies`].
    Strided,
    /// Run by run: those copies, a row at a time.
    Runs,
    /// With what lies between its elements, in one run: this section.
    Hull(Section),
}

/// A loop of a copy: so many steps of so many bytes on either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Level {
    count: i64,
    from: i64,
    to: i64,
}

/// A section in two memories.
#[derive(Debug, Clone, Copy)]
struct Nest {
    /// Bytes of a run.
    run: i64,
    /// The loops around it, the smallest strides first.
    levels: [Level; MAX_RANK],
    len: usize,
}

impl Section {
    fn nest(&self, from: &Layout, to: &Layout) -> Nest {
        let mut levels = [Level::default(); MAX_RANK];
        let mut len = 0;
        for (d, triplet) in self.dims().iter().enumerate().filter(|(_, t)| t.count() > 1) {
            let [from, to] = [from, to].map(|layout| layout.strides[d] * triplet.step());
            levels[len] = Level { count: triplet.count(), from, to };
            len += 1;
        }
        levels[..len].sort_unstable_by_key(|level| level.from);
        let mut nest = Nest { run: from.element, levels: [Level::default(); MAX_RANK], len: 0 };
        for level in &levels[..len] {
            let outer = &mut nest.levels[..nest.len];
            match outer.last_mut() {
                None if level.from == nest.run && level.to == nest.run => nest.run *= level.count,
                // Where a loop goes on at the end of the one within, both are one.
                Some(within)
                    if [(level.from, within.from), (level.to, within.to)]
                        .iter()
                        .all(|(a, b)| *a == b * within.count) =>
                {
                    within.count *= level.count;
                }
                _ => {
                    nest.levels[nest.len] = *level;
                    nest.len += 1;
                }
            }
        }
        // The loop with the most iterations is the two-dimensional copy's.
        if let Some(longest) = (0..nest.len).max_by_key(|l| nest.levels[*l].count) {
            nest.levels.swap(0, longest);
        }
        nest
    }

    /// The two-dimensional copies that move it, as few as loops of strides give.
    pub fn copies(&self, from: &Layout, to: &Layout) -> impl Iterator<Item = Copy> + use<> {
        let Nest { run, levels, len } = self.nest(from, to);
        let first: [i64; MAX_RANK] = std::array::from_fn(|d| self.dims()[d].start());
        let rows = if len == 0 { Level { count: 1, ..Level::default() } } else { levels[0] };
        let start = Copy {
            from: from.at(&first),
            to: to.at(&first),
            bytes: run,
            rows: rows.count,
            from_pitch: rows.from,
            to_pitch: rows.to,
        };
        let count: i64 = if self.is_empty() { 0 } else { levels[..len].iter().skip(1).map(|l| l.count).product() };
        (0..count).map(move |mut number| {
            let mut copy = start;
            for level in levels[..len].iter().skip(1) {
                let k = number % level.count;
                number /= level.count;
                copy.from += k * level.from;
                copy.to += k * level.to;
            }
            copy
        })
    }

    /// The cheapest way to copy it, and what that costs. `sizes` are the array's; elements in `spare` may be copied although nobody asked for them.
    pub fn way(&self, (from, to): (&Layout, &Layout), sizes: &[i64], costs: &Costs, spare: &Region) -> (Way, f64) {
        let nest = self.nest(from, to);
        let rows = if nest.len == 0 { 1 } else { nest.levels[0].count };
        let copies: i64 = nest.levels[..nest.len].iter().skip(1).map(|l| l.count).product();
        let bytes = |count: i64| count as f64 * from.element as f64 * costs.byte;
        let own = bytes(self.count());
        let strided = copies as f64 * (costs.copy + if rows > 1 { rows as f64 * costs.row } else { 0.0 }) + own;
        let runs = (copies * rows) as f64 * costs.copy + own;
        let mut best = if strided <= runs { (Way::Strided, strided) } else { (Way::Runs, runs) };
        if nest.len > 0 {
            let hull = self.run_around(from, sizes);
            let alone = costs.copy + bytes(hull.count());
            let one = hull.nest(from, to).len == 0;
            if one && alone < best.1 && spare.covers(&hull.into()) {
                best = (Way::Hull(hull), alone);
            }
        }
        best
    }

    /// The copies of a way.
    fn copies_by(&self, way: Way, from: &Layout, to: &Layout) -> Vec<Copy> {
        match way {
            Way::Strided => self.copies(from, to).collect(),
            Way::Runs => self.copies(from, to).flat_map(Copy::each_row).collect(),
            Way::Hull(hull) => hull.copies(from, to).collect(),
        }
    }

    /// The least box around it that is one run of an array of these sizes: whole in all dimensions but the one with the largest stride.
    fn run_around(&self, layout: &Layout, sizes: &[i64]) -> Self {
        let several = (0..sizes.len()).filter(|d| self.dims()[*d].count() > 1);
        let outer = several.max_by_key(|d| layout.strides[*d]).unwrap_or(0);
        let mut hull = *self;
        for (d, size) in sizes.iter().enumerate() {
            let own = self.dims()[d];
            if d == outer {
                hull = hull.with(d, Triplet::range(own.start(), own.last() + 1));
            } else if layout.strides[d] < layout.strides[outer] {
                hull = hull.with(d, Triplet::range(0, *size));
            }
        }
        hull
    }
}

impl Region {
    /// The two-dimensional copies that move it from one memory to another.
    pub fn copies<'r>(&'r self, from: &'r Layout, to: &'r Layout) -> impl Iterator<Item = Copy> + 'r {
        self.sections().iter().flat_map(move |section| section.copies(from, to))
    }

    /// The cheapest way to move it: each section by itself, or all that is between the first element and the last. `sizes` are the array's;
    /// elements in `spare` may be moved although nobody asked for them.
    pub fn transfer(&self, (from, to): (&Layout, &Layout), sizes: &[i64], costs: &Costs, spare: &Self) -> Transfer {
        let by = |sections: &[Section], spare: &Self| {
            let mut transfer = Transfer { copies: Vec::new(), moved: self.clone().as_it_is(), cost: 0.0 };
            for section in sections {
                let (way, cost) = section.way((from, to), sizes, costs, spare);
                transfer.copies.extend(section.copies_by(way, from, to));
                transfer.cost += cost;
                let hull = if let Way::Hull(hull) = way { hull } else { *section };
                let moved = transfer.moved.union(&hull.into());
                // too many sections: what is more than was asked for is not noted
                transfer.moved = if moved.is_exact() { moved } else { transfer.moved };
            }
            transfer
        };
        let apart = by(self.sections(), spare);
        let around = self.hull().filter(|hull| self.sections().len() > 1 && spare.covers(&(*hull).into()));
        match around.map(|hull| by(&[hull], spare)) {
            Some(together) if together.cost < apart.cost => together,
            Some(_) | None => apart,
        }
    }

    /// Its runs in one memory: the first byte and the number of bytes of each, in order of the sections.
    pub fn runs<'r>(&'r self, layout: &'r Layout) -> impl Iterator<Item = (i64, i64)> + 'r {
        let rows = |copy: Copy| (0..copy.rows).map(move |row| (copy.from + row * copy.from_pitch, copy.bytes));
        self.copies(layout, layout).flat_map(rows)
    }
}
