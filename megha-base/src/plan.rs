//! Plans of kernels for a device: plain data that the compiler writes and the run-time system reads. A plan says what an entry of the PTX
//! text is given, and how its threads are laid out for given sizes; `docs/gpu.md` describes the conventions.

pub mod block;
mod ceilings;
mod compact;
mod cost;
pub(crate) mod encode;
mod grid;
mod in_row;
mod part;
mod slab;
mod window;

pub use ceilings::Ceilings;
pub use cost::{Computation, Cost};
pub use grid::{Grid, Launch, MOST_COUNTERS, MOST_ROWS, THREADS, TILE, chunks, threads_of_lines};
pub use in_row::{InRow, Rows, Share};
pub use part::{Bound, Part};
pub use slab::{Planes, Slab};
pub use window::{STRIDES, Stride, Window};

use crate::access::{Access, AccessMap, Known, touched};
use crate::region::{MAX_RANK, Region};
use std::fmt;

/// The most chunks that one block of the launch combines; more wait for the loads of a launch of their own, which has more of them under way.
const MOST_FINISHED: i64 = 4096;
/// The same of results side by side, each of which one thread of a warp combines, load by load.
const MOST_FINISHED_BESIDE: i64 = 256;

/// Arrays of so many elements and more stay on the CPU: kernels count elements in 32 bits with a sign, and an instruction may add up to
/// 2^20 in either direction.
pub const MOST_ELEMENTS: i64 = (1 << 31) - (1 << 20);

/// An integer polynomial over the symbols of the function.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SizeExpr {
    /// Coefficients and the symbols, by number, whose product they stand before.
    pub terms: Vec<(i64, Vec<usize>)>,
}

impl SizeExpr {
    /// A known number.
    pub fn constant(value: i64) -> Self {
        Self { terms: if value == 0 { Vec::new() } else { vec![(value, Vec::new())] } }
    }

    /// The product with another; factors beyond 64 bits are the largest there are, as those of [`SizeExpr::eval`].
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (a, left) in &self.terms {
            for (b, right) in &other.terms {
                let mut symbols: Vec<usize> = left.iter().chain(right).copied().collect();
                symbols.sort_unstable();
                let by = a.saturating_mul(*b);
                match product.terms.iter_mut().find(|(_, known)| *known == symbols) {
                    Some((factor, _)) => *factor = factor.saturating_add(by),
                    None => product.terms.push((by, symbols)),
                }
            }
        }
        product.terms.retain(|(factor, _)| *factor != 0);
        product
    }

    /// The value, given those of the symbols.
    pub fn eval(&self, symbol: &dyn Fn(usize) -> i64) -> i64 {
        let term = |(c, symbols): &(i64, Vec<usize>)| symbols.iter().fold(*c, |p, s| p.saturating_mul(symbol(*s)));
        self.terms.iter().map(term).fold(0, i64::saturating_add)
    }

    /// The value in words, with the symbols' names.
    pub fn text(&self, names: &[String]) -> String {
        self.with_names(&|symbol| names.get(symbol).map_or("?".into(), String::clone))
    }

    fn with_names(&self, name: &dyn Fn(usize) -> String) -> String {
        let term = |(c, symbols): &(i64, Vec<usize>)| {
            let names: Vec<String> = symbols.iter().map(|s| name(*s)).collect();
            match (c, names.is_empty()) {
                (c, true) => c.to_string(),
                (1, false) => names.join("*"),
                (c, false) => format!("{c}*{}", names.join("*")),
            }
        };
        let terms: Vec<String> = self.terms.iter().map(term).collect();
        if terms.is_empty() { "0".into() } else { terms.join(" + ") }
    }
}

/// The class of an element or scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are Rust's; an index is the compiler's 64-bit integer")]
pub enum Element {
    F64,
    F32,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Bool,
    Index,
}

impl Element {
    /// Bytes in memory.
    pub fn bytes(self) -> u64 {
        match self {
            Self::F64 | Self::I64 | Self::U64 | Self::Index => 8,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::I16 | Self::U16 => 2,
            Self::I8 | Self::U8 | Self::Bool => 1,
        }
    }
}

/// What a kernel does with an array. Values are numbers of the function's intermediate form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Only read.
    In,
    /// Made: every element is stored.
    Fresh,
    /// The array of this value, of which some elements are stored.
    Update(usize),
    /// The results of a reduction.
    Reduced,
    /// Whether something holds for all iterations, or for any: it begins as this, and iterations that decide otherwise store the opposite.
    Flag(bool),
}

/// An array that a kernel reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// The value that it is.
    pub value: usize,
    /// Its name in the source, or its number.
    pub name: String,
    /// Its class.
    pub element: Element,
    /// Its sizes; none for the result of a reduction that is a scalar.
    pub dims: Vec<SizeExpr>,
    /// What happens to it.
    pub role: Role,
}

/// What a parameter of an entry is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Param {
    /// The address of an array, by its number in the plan.
    Array(usize),
    /// The address of the partial results of the reduction into this array.
    Partials(usize),
    /// A size, which may mention strides.
    Size(SizeExpr),
    /// A number that bounds the part which a launch computes.
    Bound(Bound),
    /// The scalar of this value.
    Scalar(usize, Element),
    /// The address of the word that says which check failed.
    Fault,
}

/// One entry of the PTX text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it is given, in order.
    pub params: Vec<Param>,
    /// The strides of arrays that its sizes mention, from number [`STRIDES`] on.
    pub strides: Vec<Stride>,
    /// Its threads.
    pub grid: Grid,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u64,
    /// What it does for a point, if there are others to choose from.
    pub cost: Option<Cost>,
}

/// A check that can fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The number of its place in the source.
    pub place: usize,
    /// What is wrong if it fails.
    pub text: String,
}

/// A kernel of a function for a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelPlan {
    /// The function's name; several may have the same.
    pub function: String,
    /// The function's number in the module.
    pub function_number: usize,
    /// The kernel's number in the function.
    pub number: u32,
    /// The names of the function's symbols, by number.
    pub symbols: Vec<String>,
    /// The extent of each loop of its domain.
    pub domain: Vec<SizeExpr>,
    /// What its iterations do with which elements of its arrays.
    pub accesses: Vec<AccessMap>,
    /// The arrays that it touches; its out-variables first, in order.
    pub arrays: Vec<Array>,
    /// The entry where arrays lie columns first, and where they lie rows first.
    pub entries: [Entry; 2],
    /// Other ways to run it, those first that are faster where there are enough points: in tiles ([`Grid::Tiles`]), with neighbouring points for each
    /// thread ([`Grid::Vectors`]), or the other form of a reduction, for both orders.
    pub variants: Vec<[Entry; 2]>,
    /// Ways to run some steps of the loop over time of which it is the only kernel ([`Grid::Steps`]), those of most steps first, for both orders.
    pub steps: Vec<[Entry; 2]>,
    /// The entries that combine the partial results of more than one chunk, for both orders.
    pub combine: Option<[Entry; 2]>,
    /// Those that do both in one launch, of few chunks of all elements: the block that comes to its end last combines the partial results. There is one
    /// for each way to run it, the plain one first, or there is none.
    pub finish: Vec<[Entry; 2]>,
    /// What it does in an entry that runs several kernels row by row, if there is one.
    pub in_row: Option<InRow>,
    /// What can fail, by number.
    pub checks: Vec<Check>,
    /// How processors go through the domain where arrays lie columns first, and where they lie rows first, if that is known.
    pub host: Option<[Nest; 2]>,
}

/// How the code for processors goes through a kernel's domain: rows of points.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nest {
    /// The loops that number the rows, outermost first; in a reduction those that are kept, and its chunks are inside of them.
    pub outer: Vec<usize>,
    /// The loop that numbers the points of a row; there is one point if there is none.
    pub inner: Option<usize>,
}

impl Array {
    /// The sizes under which regions name its elements: its own, or the number of all where it has more than these have.
    pub fn sizes(&self, symbol: &dyn Fn(usize) -> i64) -> Vec<i64> {
        let sizes: Vec<i64> = self.dims.iter().map(|d| d.eval(symbol)).collect();
        if sizes.len() <= MAX_RANK { sizes } else { vec![sizes.iter().product()] }
    }
}

impl KernelPlan {
    /// The elements of an array that iterations from the first to before the second number along each loop of the domain access in one
    /// way.
    pub fn touched(&self, (array, access): (usize, Access), iterations: &[(i64, i64)], known: &Known<'_>) -> Region {
        let sizes = self.arrays[array].sizes(known.symbol);
        touched(&self.accesses, (array, access), iterations, &sizes, known)
    }

    /// The entries for both orders, then the variants, then those of several steps and those that combine.
    pub fn all_entries(&self) -> impl Iterator<Item = &Entry> {
        self.ways()
            .flatten()
            .chain(self.steps.iter().flatten())
            .chain(self.combine.iter().flatten())
            .chain(self.finish.iter().flatten())
    }

    /// Its shares of entries that run several kernels row by row.
    fn shares(&self) -> impl Iterator<Item = &Share> {
        self.in_row.iter().flat_map(|in_row| in_row.orders.iter().flatten())
    }

    /// The ways to run it, each for both orders.
    fn ways(&self) -> impl Iterator<Item = &[Entry; 2]> {
        [&self.entries].into_iter().chain(&self.variants)
    }

    /// The entry of an order of memory with which a part runs best on whole arrays on a device, as the model has it ([`Cost`]).
    pub fn entry_for(&self, part: &Part, order: usize, symbol: &dyn Fn(usize) -> i64, ceilings: &Ceilings) -> &Entry {
        self.way(self.way_for(part, order, symbol, ceilings), order)
    }

    /// An entry of an order of memory by the number of its way: the plain one is 0, then come the variants. There is no other number.
    pub fn way(&self, number: usize, order: usize) -> &Entry {
        let both = number.checked_sub(1).map_or(&self.entries, |variant| &self.variants[variant]);
        &both[order]
    }

    /// The number of [`KernelPlan::entry_for`]. It depends on the plan, the part, the order, the symbols' values and the device's ceilings alone.
    pub fn way_for(&self, part: &Part, order: usize, symbol: &dyn Fn(usize) -> i64, ceilings: &Ceilings) -> usize {
        let first = || self.ways_for(part, order, symbol, ceilings).first().map_or(0, |(way, _)| *way);
        if self.variants.is_empty() { 0 } else { first() }
    }

    /// The ways that can run a part on whole arrays, by number, with the picoseconds that the model gives each, the least first; of two that are as fast the first comes first.
    pub fn ways_for(
        &self,
        part: &Part,
        order: usize,
        symbol: &dyn Fn(usize) -> i64,
        ceilings: &Ceilings,
    ) -> Vec<(usize, f64)> {
        let elements = |array: &Array| array.dims.iter().map(|dim| dim.eval(symbol).max(0) as f64).product::<f64>();
        let all: f64 = self.arrays.iter().map(|array| elements(array) * array.element.bytes() as f64).sum();
        // a part is taken to touch its share of all arrays
        let points = |part: &Part| part.loops.iter().map(|(low, high)| (high - low).max(0) as f64).product::<f64>();
        let bytes = all * (points(part) / points(&self.whole(symbol)).max(1.0)).min(1.0);
        let time = |entry: &Entry| {
            let strides = entry.strides.iter().map(|stride| stride.of_whole(symbol));
            let is_fit = entry.grid.has_whole_vectors(part, strides);
            entry.cost.filter(|_| is_fit)?.time(&entry.grid, part, bytes, ceilings)
        };
        let timed = self.ways().enumerate().filter_map(|(way, both)| Some((way, time(&both[order])?)));
        let mut ways: Vec<(usize, f64)> = timed.collect();
        ways.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        ways
    }

    /// Whether no way to run it reads elements that only points of other parts read, as tiles do.
    pub fn reads_only_for_points(&self) -> bool {
        self.variants.is_empty() || self.entries[0].grid.reduces()
    }

    /// The entry that goes a way ([`KernelPlan::way_for`]) and makes all results of several chunks in one launch, if there is one and these are few.
    pub fn finish_for(&self, way: usize, part: &Part, order: usize) -> Option<&Entry> {
        let few = |entry: &&Entry| {
            let most = if matches!(entry.grid, Grid::Neighbours { .. }) { MOST_FINISHED_BESIDE } else { MOST_FINISHED };
            entry.grid.has_counters(part) && (2..=most).contains(&part.chunks.1)
        };
        self.finish.get(way).map(|both| &both[order]).filter(few)
    }

    /// The array that an entry of several steps begins with, by its number: what the kernel reads of the array that it stores into.
    pub fn state(&self) -> Option<usize> {
        self.steps.first().and_then(|[entry, _]| match entry.grid {
            Grid::Steps { state, .. } => Some(state),
            _ => None,
        })
    }

    /// The entry of most steps, not more than these, and how many it has.
    pub fn steps_of(&self, most: usize, order: usize) -> Option<(&Entry, usize)> {
        let fits = |both: &'_ [Entry; 2]| match both[order].grid {
            Grid::Steps { steps, .. } => Some(steps as usize).filter(|steps| *steps <= most),
            _ => None,
        };
        self.steps.iter().find_map(|both| Some((&both[order], fits(both)?)))
    }

    /// All elements of the array that the kernel stores into, as a part for an entry of several steps: numbers of iterations, which go on beyond the kernel's.
    pub fn all_elements(&self, entry: &Entry, known: &Known<'_>) -> Option<Part> {
        let Grid::Steps { across, along, .. } = &entry.grid else { return None };
        let mut part = self.whole(known.symbol);
        let stored = self.accesses.iter().find(|map| map.array == 0 && map.access == Access::Write)?;
        let subscripts: Vec<(i64, Vec<(usize, i64)>)> =
            stored.subscripts.iter().map(|sub| Some(sub.as_ref()?.evaluated(known))).collect::<Option<_>>()?;
        for axis in across.iter().chain(along) {
            let dim =
                subscripts.iter().position(|(_, factors)| factors.iter().any(|(at, by)| at == axis && *by == 1))?;
            let extents: Vec<i64> = self.arrays.first()?.dims.iter().map(|dim| dim.eval(known.symbol)).collect();
            // one subscript counts all elements
            let extent = if subscripts.len() < extents.len() { extents.iter().product() } else { extents[dim] };
            let before = subscripts[dim].0;
            part.loops[*axis] = (-before, extent - before);
        }
        Some(part)
    }

    /// Whether all loops that it names are loops of its domain.
    fn names_its_loops(&self) -> bool {
        let known = |at: &usize| *at < self.domain.len();
        let param = |param: &Param| match param {
            Param::Bound(Bound::First(at)) => known(at),
            Param::Bound(Bound::Count(loops)) => loops.iter().all(known),
            Param::Bound(Bound::FirstChunk | Bound::Chunks)
            | Param::Array(_)
            | Param::Partials(_)
            | Param::Size(_)
            | Param::Scalar(..)
            | Param::Fault => true,
        };
        let entry = |entry: &Entry| entry.grid.axes().iter().flatten().all(known) && entry.params.iter().all(param);
        let nest = |nest: &Nest| nest.outer.iter().chain(&nest.inner).all(known);
        let in_row = |of: &InRow| of.arrays.len() == self.arrays.len();
        let shares = self.shares().all(|share| known(&share.axis) && entry(&share.entry));
        self.in_row.iter().all(in_row)
            && shares
            && self.all_entries().all(entry)
            && self.host.iter().flatten().all(nest)
    }

    /// For a reduction: the number of results, and of partial results for each of them. With more than one of these the entry that
    /// combines them is to be launched too.
    pub fn partials(&self, whole: &Part) -> Option<(i64, i64)> {
        let grid = &self.entries[0].grid;
        let kept: Vec<usize> = (0..whole.loops.len()).filter(|at| !grid.reduced().contains(at)).collect();
        grid.reduces().then(|| (whole.count(&kept), whole.chunks.1))
    }

    /// Whether 32 bits number the elements of each array, the iterations along each axis of the grid, and the partial results.
    pub fn fits(&self, symbol: &dyn Fn(usize) -> i64) -> bool {
        let whole = self.whole(symbol);
        let below = |array: &Array| {
            array.dims.iter().fold(1i64, |n, d| n.saturating_mul(d.eval(symbol).max(0))) < MOST_ELEMENTS
        };
        let grid = |entry: &Entry| entry.grid.axes().iter().all(|loops| whole.count(loops) < MOST_ELEMENTS);
        let partials =
            self.partials(&whole).is_none_or(|(points, chunks)| points.saturating_mul(chunks) < MOST_ELEMENTS);
        self.arrays.iter().all(below) && self.ways().flatten().all(grid) && partials
    }

    /// The name of a symbol of an entry's sizes.
    fn name(&self, entry: &Entry, number: usize) -> String {
        let stride = number.checked_sub(STRIDES).and_then(|stride| entry.strides.get(stride));
        let Some(Stride { faster }) = stride else { return self.symbols.get(number).map_or("?".into(), String::clone) };
        let sizes: Vec<String> = faster.iter().map(|size| size.text(&self.symbols)).collect();
        format!("stride({})", sizes.join(", "))
    }

    /// An entry in words: its layout, then a line for each parameter.
    pub fn describe(&self, entry: &Entry) -> String {
        let array = |number: &usize| self.arrays.get(*number).map_or("?", |a| a.name.as_str());
        let mut text = entry.grid.text(&self.domain, &|size| size.text(&self.symbols));
        for (number, param) in entry.params.iter().enumerate() {
            let what = match param {
                Param::Array(a) => format!("array {}", array(a)),
                Param::Partials(a) => format!("partial results of {}", array(a)),
                Param::Size(size) => format!("size {}", size.with_names(&|number| self.name(entry, number))),
                Param::Bound(bound) => bound.text(),
                Param::Scalar(value, _) => format!("scalar %{value}"),
                Param::Fault => "the word for failed checks".into(),
            };
            text += &format!("\np{number}: {what}");
        }
        text
    }
}

impl fmt::Display for KernelPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for [columns, rows] in self.ways().chain(&self.steps).chain(&self.combine).chain(&self.finish) {
            for entry in [columns].into_iter().chain(Some(rows).filter(|r| r.name != columns.name)) {
                writeln!(f, "{}: {}", entry.name, self.describe(entry))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sym(number: usize) -> SizeExpr {
        SizeExpr { terms: vec![(1, vec![number])] }
    }

    #[test]
    fn sizes() {
        let size = SizeExpr { terms: vec![(2, vec![0, 1]), (-1, vec![])] };
        assert_eq!(size.eval(&|s| [3, 5][s]), 29);
        assert_eq!(size.text(&["n".into(), "m".into()]), "2*n*m + -1");
        let (sum, difference) = (
            SizeExpr { terms: vec![(1, vec![1]), (1, vec![0])] },
            SizeExpr { terms: vec![(1, vec![0]), (-1, vec![1])] },
        );
        assert_eq!(sum.times(&difference).text(&["n".into(), "m".into()]), "-1*m*m + n*n");
    }

    #[test]
    fn what_32_bits_number() {
        let array = |dims| Array { value: 0, name: "a".into(), element: Element::F64, dims, role: Role::In };
        let entry = |grid| Entry {
            name: "k".into(),
            params: Vec::new(),
            strides: Vec::new(),
            grid,
            shared_bytes: 0,
            cost: None,
        };
        let plan = |grid: Grid| KernelPlan {
            function: "f".into(),
            function_number: 0,
            number: 0,
            symbols: vec!["n".into(), "m".into()],
            domain: vec![sym(0), sym(1)],
            accesses: Vec::new(),
            arrays: vec![array(vec![sym(0), sym(1)])],
            entries: [entry(grid.clone()), entry(grid)],
            variants: Vec::new(),
            steps: Vec::new(),
            combine: None,
            finish: Vec::new(),
            in_row: None,
            checks: Vec::new(),
            host: None,
        };
        let points = plan(Grid::Points([vec![0], vec![1], vec![]]));
        let fits = |plan: &KernelPlan, sizes: [i64; 2]| plan.fits(&|s| sizes[s]);
        assert!(fits(&points, [1 << 15, 1 << 15]) && fits(&points, [MOST_ELEMENTS - 1, 1]));
        assert!(!fits(&points, [1 << 16, 1 << 15]) && !fits(&points, [MOST_ELEMENTS, 1]));
        // The loops may be longer than the arrays, and the partial results more.
        assert!(!fits(&points, [MOST_ELEMENTS, 0]) && !fits(&points, [1 << 40, 1 << 40]));
        let mut squares = plan(Grid::Lanes { kept: vec![1], reduced: vec![0], ahead: 1 });
        squares.arrays[0].dims[1] = SizeExpr::constant(1);
        squares.domain[1] = sym(0);
        assert!(fits(&squares, [1 << 21, 0]) && !fits(&squares, [1 << 23, 0]));
        assert!(fits(&plan(Grid::Neighbours { x: 0, others: vec![], reduced: vec![1], ahead: 1 }), [1 << 20, 1 << 10]));
    }
}
