//! Plans of kernels for a device: plain data that the compiler writes and the run-time system reads. A plan says what an entry of the PTX
//! text is given, and how its threads are laid out for given sizes; `docs/gpu.md` describes the conventions.

pub mod block;
mod compact;
pub(crate) mod encode;

use crate::access::{Access, AccessMap, Known, touched};
use crate::region::{MAX_RANK, Region};
use crate::tree::{CHUNK, LANES, is_plain};
use std::fmt;

/// Threads of a block at most, which leaves each of them 255 registers.
pub const THREADS: u32 = 256;
/// Elements of a tile in shared memory, where a block walks along lines,
pub const TILE: u32 = 1024;
/// and most lines of such a block: a thread of one warp for each.
pub const MOST_ROWS: u32 = 32;
/// Blocks of lines that keep a device busy; with fewer, blocks have fewer lines.
const MANY_BLOCKS: i64 = 256;
/// Most blocks along the second and third axis of a grid.
const MOST_BLOCKS: i64 = 65_535;
/// Most blocks along the first axis: enough for every processor; beyond, a thread takes several points.
const MOST_BLOCKS_X: i64 = 1 << 20;

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

    /// The value, given those of the symbols.
    pub fn eval(&self, symbol: &dyn Fn(usize) -> i64) -> i64 {
        let term = |(c, symbols): &(i64, Vec<usize>)| symbols.iter().fold(*c, |p, s| p.saturating_mul(symbol(*s)));
        self.terms.iter().map(term).fold(0, i64::saturating_add)
    }

    /// The value in words, with the symbols' names.
    pub fn text(&self, names: &[String]) -> String {
        let term = |(c, symbols): &(i64, Vec<usize>)| {
            let names: Vec<&str> = symbols.iter().map(|s| names.get(*s).map_or("?", String::as_str)).collect();
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Param {
    /// The address of an array, by its number in the plan.
    Array(usize),
    /// The address of the partial results of the reduction into this array.
    Partials(usize),
    /// A size.
    Size(SizeExpr),
    /// The scalar of this value.
    Scalar(usize, Element),
    /// The address of the word that says which check failed.
    Fault,
}

/// How the iterations lie on the threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grid {
    /// Independent points; the extents along x, y and z.
    Points([SizeExpr; 3]),
    /// A reduction by the warps of a block: how many results, of how many elements each.
    Lanes {
        /// Results.
        points: SizeExpr,
        /// Elements that are combined into each.
        elements: SizeExpr,
    },
    /// A reduction of neighbours: results along x and along the other axes, of how many elements each.
    Neighbours {
        /// Results that lie side by side.
        x: SizeExpr,
        /// The other results.
        z: SizeExpr,
        /// Elements that are combined into each.
        elements: SizeExpr,
    },
    /// Lines that a block walks along together: how many.
    Rows {
        /// Lines.
        lines: SizeExpr,
    },
    /// The combination of chunks: how many results, of how many elements each.
    Combine {
        /// Results.
        points: SizeExpr,
        /// Elements that are combined into each; the chunks are as many as the tree cuts them into.
        elements: SizeExpr,
    },
}

/// Blocks of a grid and threads of a block, along x, y and z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads.
    pub block: [u32; 3],
}

/// The number of partial results of a reduction of so many elements.
pub fn chunks(elements: i64) -> i64 {
    elements.max(1).unsigned_abs().div_ceil(CHUNK as u64) as i64
}

impl Grid {
    /// The launch for given values of the symbols; `None` if there is nothing to do.
    pub fn launch(&self, symbol: &dyn Fn(usize) -> i64) -> Option<Launch> {
        let value = |size: &SizeExpr| size.eval(symbol);
        match self {
            Self::Points(axes) => points(axes.each_ref().map(value)),
            Self::Lanes { points, elements } => {
                let elements = value(elements);
                lanes(value(points), elements.min(CHUNK as i64), chunks(elements))
            }
            Self::Neighbours { x, z, elements } => neighbours(value(x), value(z), value(elements)),
            Self::Combine { points, elements } => lanes(value(points), chunks(value(elements)), 1),
            Self::Rows { lines } => rows(value(lines)),
        }
    }
}

/// A launch for results of which each block takes some: warps share the elements of one as far as there are enough for each of them.
fn lanes(points: i64, elements: i64, chunks: i64) -> Option<Launch> {
    const WARPS: u32 = THREADS / LANES as u32;
    let warps = fitting(elements.max(1).unsigned_abs().div_ceil(LANES as u64) as i64, WARPS);
    let side = fitting(points, WARPS / warps);
    let grid = [blocks(points, side, MOST_BLOCKS_X), blocks(chunks, 1, MOST_BLOCKS), 1];
    (points > 0).then_some(Launch { grid, block: [LANES as u32, warps, side] })
}

/// The threads of a launch for so many lines.
pub fn threads_of_lines(lines: i64) -> u64 {
    let product = |of: [u32; 3]| of.iter().map(|n| u64::from(*n)).product::<u64>();
    rows(lines).map_or(0, |launch| product(launch.grid) * product(launch.block))
}

/// A launch for lines of which each block takes some, the more the more there are.
fn rows(lines: i64) -> Option<Launch> {
    let each = fitting(lines / MANY_BLOCKS, MOST_ROWS);
    let grid = [blocks(lines, each, MOST_BLOCKS_X), 1, 1];
    (lines > 0).then_some(Launch { grid, block: [each, THREADS / each, 1] })
}

/// A launch for results that lie side by side along x: a thread for each lane, or one where elements are combined in the plain order, and
/// neighbours as a block has threads left.
fn neighbours(x: i64, z: i64, elements: i64) -> Option<Launch> {
    let plain = usize::try_from(elements).is_ok_and(is_plain);
    let deep = if plain { 1 } else { LANES as u32 };
    let wide = fitting(x, THREADS / deep);
    let chunks = blocks(chunks(elements), 1, MOST_BLOCKS);
    let grid = [blocks(x, wide, MOST_BLOCKS_X), chunks, blocks(z, 1, MOST_BLOCKS)];
    (x > 0 && z > 0).then_some(Launch { grid, block: [wide, deep, 1] })
}

impl Grid {
    /// How many elements a reduction combines into each result.
    pub fn elements(&self) -> Option<&SizeExpr> {
        match self {
            Self::Points(_) | Self::Rows { .. } | Self::Combine { .. } => None,
            Self::Lanes { elements, .. } | Self::Neighbours { elements, .. } => Some(elements),
        }
    }

    /// For the first entry of a reduction: the number of results, and of partial results for each of them. With more than one of these
    /// the entry that combines them is to be launched too.
    pub fn partials(&self, symbol: &dyn Fn(usize) -> i64) -> Option<(i64, i64)> {
        match self {
            Self::Points(_) | Self::Rows { .. } | Self::Combine { .. } => None,
            Self::Lanes { points, elements } => Some((points.eval(symbol), chunks(elements.eval(symbol)))),
            Self::Neighbours { x, z, elements } => {
                Some((x.eval(symbol).saturating_mul(z.eval(symbol)), chunks(elements.eval(symbol))))
            }
        }
    }
}

/// A launch for independent points: blocks are as wide along x as the loop is long, and take further axes where that is short.
fn points(extents: [i64; 3]) -> Option<Launch> {
    let x = fitting(extents[0], THREADS);
    let y = fitting(extents[1], THREADS / x);
    let z = fitting(extents[2], THREADS / x / y).min(64);
    let grid =
        [blocks(extents[0], x, MOST_BLOCKS_X), blocks(extents[1], y, MOST_BLOCKS), blocks(extents[2], z, MOST_BLOCKS)];
    extents.iter().all(|e| *e > 0).then_some(Launch { grid, block: [x, y, z] })
}

/// The least power of two that is not below the extent, at most `most`.
fn fitting(extent: i64, most: u32) -> u32 {
    (extent.clamp(1, most.into()) as u32).next_power_of_two().min(most.max(1))
}

fn blocks(extent: i64, threads: u32, most: i64) -> u32 {
    (extent.max(1).unsigned_abs().div_ceil(threads.into()) as i64).min(most) as u32
}

/// One entry of the PTX text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it is given, in order.
    pub params: Vec<Param>,
    /// Its threads.
    pub grid: Grid,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u64,
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
    /// The entry that combines the partial results of more than one chunk.
    pub combine: Option<Entry>,
    /// What can fail, by number.
    pub checks: Vec<Check>,
}

impl Grid {
    /// The layout in words, with sizes as `text` gives them.
    pub fn text(&self, text: &dyn Fn(&SizeExpr) -> String) -> String {
        match self {
            Self::Points(axes) => {
                let one = SizeExpr::constant(1);
                let long = axes.iter().rposition(|a| *a != one).map_or(1, |last| last + 1);
                format!("points over {}", axes[..long].iter().map(text).collect::<Vec<_>>().join(" by "))
            }
            Self::Lanes { points, elements } => {
                let (points, elements) = (text(points), text(elements));
                let plural = if points == "1" { "" } else { "s" };
                format!("{points} reduction{plural} of {elements} elements, warps together")
            }
            Self::Neighbours { x, z, elements } => {
                let (x, z, elements) = (text(x), text(z), text(elements));
                format!("{x} by {z} reductions of {elements} elements, neighbours side by side")
            }
            Self::Rows { lines } => {
                let lines = text(lines);
                let plural = if lines == "1" { "" } else { "s" };
                format!("{lines} line{plural}, tiles of them in shared memory")
            }
            Self::Combine { points, elements } => {
                format!("chunks of {} reductions of {} elements", text(points), text(elements))
            }
        }
    }
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

    /// Whether 32 bits number the elements of each array, the iterations along each axis of the grid, and the partial results.
    pub fn fits(&self, symbol: &dyn Fn(usize) -> i64) -> bool {
        let product = |dims: &[&SizeExpr]| dims.iter().fold(1i64, |n, d| n.saturating_mul(d.eval(symbol).max(0)));
        let below = |dims: &[&SizeExpr]| product(dims) < MOST_ELEMENTS;
        let grid = |entry: &Entry| match &entry.grid {
            Grid::Points(axes) => axes.iter().all(|a| below(&[a])),
            Grid::Lanes { points, elements } => below(&[points]) && below(&[elements]),
            Grid::Neighbours { x, z, elements } => below(&[x, z]) && below(&[elements]),
            Grid::Combine { points, .. } => below(&[points]),
            Grid::Rows { lines } => below(&[lines]),
        };
        let partials = |entry: &Entry| {
            entry.grid.partials(symbol).is_none_or(|(points, chunks)| points.saturating_mul(chunks) < MOST_ELEMENTS)
        };
        self.arrays.iter().all(|array| below(&array.dims.iter().collect::<Vec<_>>()))
            && self.entries.iter().all(|entry| grid(entry) && partials(entry))
    }

    /// An entry in words: its layout, then a line for each parameter.
    pub fn describe(&self, entry: &Entry) -> String {
        let array = |number: &usize| self.arrays.get(*number).map_or("?", |a| a.name.as_str());
        let mut text = entry.grid.text(&|size| size.text(&self.symbols));
        for (number, param) in entry.params.iter().enumerate() {
            let what = match param {
                Param::Array(a) => format!("array {}", array(a)),
                Param::Partials(a) => format!("partial results of {}", array(a)),
                Param::Size(size) => format!("size {}", size.text(&self.symbols)),
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
        let [columns, rows] = &self.entries;
        let once = [columns].into_iter().chain(Some(rows).filter(|r| r.name != columns.name));
        for entry in once.chain(&self.combine) {
            writeln!(f, "{}: {}", entry.name, self.describe(entry))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(grid: &Grid, sizes: &[i64]) -> Option<([u32; 3], [u32; 3])> {
        grid.launch(&|s| sizes[s]).map(|l| (l.grid, l.block))
    }

    fn sym(number: usize) -> SizeExpr {
        SizeExpr { terms: vec![(1, vec![number])] }
    }

    #[test]
    fn blocks_follow_the_extents() {
        let one = SizeExpr::constant(1);
        let grid = Grid::Points([sym(0), sym(1), one]);
        assert_eq!(launch(&grid, &[1000, 7]), Some(([4, 7, 1], [256, 1, 1])));
        assert_eq!(launch(&grid, &[3, 1000]), Some(([1, 16, 1], [4, 64, 1])));
        assert_eq!(launch(&grid, &[0, 7]), None);
        let huge = launch(&grid, &[1 << 40, 1 << 40]).map(|l| l.0);
        assert_eq!(huge, Some([1 << 20, 65_535, 1]));
    }

    #[test]
    fn blocks_take_more_lines_where_there_are_many() {
        let grid = Grid::Rows { lines: sym(0) };
        assert_eq!(launch(&grid, &[1]), Some(([1, 1, 1], [1, 256, 1])));
        assert_eq!(launch(&grid, &[511]), Some(([511, 1, 1], [1, 256, 1])));
        assert_eq!(launch(&grid, &[1000]), Some(([250, 1, 1], [4, 64, 1])));
        assert_eq!(launch(&grid, &[100_001]), Some(([3126, 1, 1], [32, 8, 1])));
        assert_eq!(launch(&grid, &[0]), None);
        assert_eq!([0, 1, 1000].map(threads_of_lines), [0, 256, 64_000]);
    }

    #[test]
    fn warps_share_the_elements_of_a_result() {
        let grid = Grid::Lanes { points: SizeExpr::constant(1), elements: sym(0) };
        assert_eq!(launch(&grid, &[4097]), Some(([1, 2, 1], [32, 8, 1])));
        assert_eq!(launch(&grid, &[1 << 20]), Some(([1, 256, 1], [32, 8, 1])));
        assert_eq!(launch(&grid, &[0]), Some(([1, 1, 1], [32, 1, 1])));
        // Where a result has few elements, a block takes several.
        let rows = Grid::Lanes { points: sym(0), elements: sym(1) };
        assert_eq!(launch(&rows, &[1000, 40]), Some(([250, 1, 1], [32, 2, 4])));
        assert_eq!(launch(&rows, &[3, 5]), Some(([1, 1, 1], [32, 1, 4])));
        // Chunks are combined like elements, whatever their number.
        let combine = Grid::Combine { points: sym(0), elements: sym(1) };
        assert_eq!(launch(&combine, &[1, 100_000_000]), Some(([1, 1, 1], [32, 8, 1])));
        assert_eq!(launch(&combine, &[100, 5000]), Some(([13, 1, 1], [32, 1, 8])));
    }

    #[test]
    fn neighbours_have_a_thread_for_each_lane() {
        let rows = Grid::Neighbours { x: sym(0), z: SizeExpr::constant(2), elements: sym(1) };
        assert_eq!(launch(&rows, &[100, 5000]), Some(([13, 2, 2], [8, 32, 1])));
        assert_eq!(launch(&rows, &[2, 33]), Some(([1, 1, 2], [2, 32, 1])));
        // In the plain order one thread combines all.
        assert_eq!(launch(&rows, &[1000, 32]), Some(([4, 1, 2], [256, 1, 1])));
        assert_eq!(launch(&rows, &[2, 3]), Some(([1, 1, 2], [2, 1, 1])));
        assert_eq!((chunks(0), chunks(4096), chunks(4097)), (1, 1, 2));
        assert_eq!(rows.partials(&|s| [100, 5000][s]), Some((200, 2)));
    }

    #[test]
    fn sizes() {
        let size = SizeExpr { terms: vec![(2, vec![0, 1]), (-1, vec![])] };
        assert_eq!(size.eval(&|s| [3, 5][s]), 29);
        assert_eq!(size.text(&["n".into(), "m".into()]), "2*n*m + -1");
    }

    #[test]
    fn what_32_bits_number() {
        let array = |dims| Array { value: 0, name: "a".into(), element: Element::F64, dims, role: Role::In };
        let entry = |grid| Entry { name: "k".into(), params: Vec::new(), grid, shared_bytes: 0 };
        let plan = |grid: Grid| KernelPlan {
            function: "f".into(),
            function_number: 0,
            number: 0,
            symbols: vec!["n".into(), "m".into()],
            domain: Vec::new(),
            accesses: Vec::new(),
            arrays: vec![array(vec![sym(0), sym(1)])],
            entries: [entry(grid.clone()), entry(grid)],
            combine: None,
            checks: Vec::new(),
        };
        let one = SizeExpr::constant(1);
        let points = plan(Grid::Points([sym(0), sym(1), one.clone()]));
        let fits = |plan: &KernelPlan, sizes: [i64; 2]| plan.fits(&|s| sizes[s]);
        assert!(fits(&points, [1 << 15, 1 << 15]) && fits(&points, [MOST_ELEMENTS - 1, 1]));
        assert!(!fits(&points, [1 << 16, 1 << 15]) && !fits(&points, [MOST_ELEMENTS, 1]));
        // The loops may be longer than the arrays, and the partial results more.
        assert!(!fits(&points, [MOST_ELEMENTS, 0]) && !fits(&points, [1 << 40, 1 << 40]));
        assert!(!fits(&plan(Grid::Lanes { points: sym(0), elements: sym(0) }), [1 << 30, 0]));
        assert!(fits(&plan(Grid::Neighbours { x: sym(0), z: one, elements: sym(1) }), [1 << 20, 1 << 10]));
    }
}
