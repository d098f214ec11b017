//! How the iterations of a part of a kernel lie on threads: blocks and threads for given extents.

use super::SizeExpr;
use super::part::Part;
use crate::tree::{CHUNK, LANES, is_plain};

/// Threads of a block at most, which leaves each of them 255 registers.
pub const THREADS: u32 = 256;
/// Warps of such a block.
const WARPS: u32 = THREADS / LANES as u32;
/// Counters of a module by which the blocks of an entry find out that they are the last one.
pub const MOST_COUNTERS: u32 = 1024;
/// Elements of a tile in shared memory, where a block walks along lines,
pub const TILE: u32 = 1024;
/// and most lines of such a block: a thread of one warp for each.
pub const MOST_ROWS: u32 = 32;
/// Blocks of lines that keep a device busy; with fewer, blocks have fewer lines.
const MANY_BLOCKS: i64 = 512;
/// Processors of a large device,
pub(super) const PROCESSORS: u64 = 132;
/// the blocks of strips that keep one busy,
const BUSY_BLOCKS: u64 = 2;
/// and the most pieces of a strip.
const MOST_PIECES: i64 = 1024;
/// Threads of a reduction that keep a device busy, each with several elements.
const BUSY_THREADS: i64 = 1 << 17;
/// Points that keep a device's threads busy if each has one.
const MANY_POINTS: i64 = 1 << 18;
/// Most blocks along the second and third axis of a grid.
const MOST_BLOCKS: i64 = 65_535;
/// Most blocks along the first axis: enough for every processor; beyond, a thread takes several points.
const MOST_BLOCKS_X: i64 = 1 << 20;

/// Loops of a kernel's domain, by number, the one whose number changes fastest first.
type Loops = Vec<usize>;

/// How the iterations lie on the threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grid {
    /// Independent points; the loops along x, y and z.
    Points([Loops; 3]),
    /// Independent points, of which each thread has neighbours.
    Vectors {
        /// The loops along x, y and z; that along x is one.
        axes: [Loops; 3],
        /// Points of a thread along x.
        each: u32,
    },
    /// A reduction by the warps of a block.
    Lanes {
        /// The loops that number the results,
        kept: Loops,
        /// and the elements that are combined into each,
        reduced: Loops,
        /// of which a thread computes so many at once.
        ahead: u32,
    },
    /// A reduction of neighbours.
    Neighbours {
        /// The loop that numbers results which lie side by side,
        x: usize,
        /// those that number the others,
        others: Loops,
        /// and the elements that are combined into each,
        reduced: Loops,
        /// of which a thread computes so many at once.
        ahead: u32,
    },
    /// Lines that a block walks along together.
    Rows {
        /// The loops that number them.
        lines: Loops,
    },
    /// Tiles of points, each computed by the threads of a block together.
    Tiles {
        /// The loop along neighbouring threads,
        across: usize,
        /// the other loop of a tile,
        down: usize,
        /// and those that number its layers.
        others: Loops,
        /// Points of a tile along its loops,
        tile: [u32; 2],
        /// and threads that share them.
        threads: [u32; 2],
    },
    /// Tiles of points that read neighbours of each other, of which threads at the sides of a block bring only what the others read.
    Halos {
        /// The loops along x, y and z; that along x is one, that along y one or none.
        axes: [Loops; 3],
        /// Points of a thread along y and z,
        each: [u32; 2],
        /// and threads of a row along x that have none.
        sides: u32,
    },
    /// Some steps of a loop over time at once: each block computes a strip of points in the first of them, a narrower one in the next, and stores
    /// the last. The part is of the elements of the array, not of the kernel's iterations.
    Steps {
        /// The loops along the threads of a block, one or two,
        across: Loops,
        /// and the one along which it walks, if there is another.
        along: Loops,
        /// The array of the state with which they begin, by its number in the plan.
        state: usize,
        /// How many steps.
        steps: u32,
        /// Threads of a block along the first loops,
        threads: [u32; 2],
        /// and how many of their points are stored.
        wide: [u32; 2],
        /// Iterations along the last loop that a block takes more than it stores.
        extra: u32,
    },
    /// The combination of chunks.
    Combine {
        /// The loops that number the results,
        kept: Loops,
        /// and the elements that are combined into each; the chunks are as many as the tree cuts them into.
        reduced: Loops,
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
    /// The launch for a part of the kernel; `None` if there is nothing to do.
    pub fn launch(&self, part: &Part) -> Option<Launch> {
        // Also a loop of one iteration, which the grid leaves out, may have none in this part.
        let empty = |(at, (low, high)): (usize, &(i64, i64))| low >= high && !self.reduced().contains(&at);
        if part.loops.iter().enumerate().any(empty) {
            return None;
        }
        let (chunks, count) = (part.chunks.1 - part.chunks.0, |loops: &Loops| part.count(loops));
        match self {
            Self::Points(axes) => points(axes.each_ref().map(count), MOST_BLOCKS_X),
            Self::Vectors { axes, each } => {
                let [x, y, z] = axes.each_ref().map(count);
                points([groups(x, *each), y, z], MOST_BLOCKS_X / i64::from(*each))
            }
            Self::Lanes { kept, reduced, .. } => {
                let (results, elements) = (count(kept), count(reduced).min(CHUNK as i64));
                lanes(results, elements.min(shared(results, chunks)), (chunks, u32::MAX))
            }
            Self::Neighbours { x, others, reduced, .. } => {
                neighbours(part.count(&[*x]), count(others), (count(reduced), chunks))
            }
            Self::Combine { kept, reduced } => lanes(count(kept), self::chunks(count(reduced)), (chunks, u32::MAX)),
            Self::Rows { lines } => rows(count(lines)),
            Self::Tiles { across, down, others, tile, threads } => {
                tiles([part.count(&[*across]), part.count(&[*down]), count(others)], *tile, *threads)
            }
            Self::Halos { axes, each, sides } => halos(axes.each_ref().map(count), *each, *sides),
            Self::Steps { across, along, threads, wide, extra, .. } => {
                let of = |at: usize| across.get(at).map_or(1, |axis| part.count(&[*axis]));
                strips([of(0), of(1), count(along)], (*threads, *wide), *extra)
            }
        }
    }

    /// Whether the rows of neighbouring points of a part are of whole vectors and begin with one. `strides` are those of the arrays.
    pub(super) fn has_whole_vectors(&self, part: &Part, mut strides: impl Iterator<Item = i64>) -> bool {
        let Self::Vectors { axes, each } = self else { return true };
        let first = axes[0].first().map_or(0, |at| part.loops[*at].0);
        let is_whole = |n: i64| n % i64::from(*each) == 0;
        is_whole(first) && strides.all(is_whole)
    }

    /// For how many points a launch asks for memory, and for how many it computes, those in vain too.
    pub(super) fn points(&self, part: &Part, Launch { grid, block }: &Launch) -> [u64; 2] {
        let product = |of: &[u32]| of.iter().map(|n| u64::from(*n)).product::<u64>();
        let count = |loops: &Loops| part.count(loops).unsigned_abs();
        let all = part.loops.iter().fold(1, |n: i64, (low, high)| n.saturating_mul((high - low).max(0))).unsigned_abs();
        let threads = product(grid) * product(block);
        let of_launch = match self {
            Self::Tiles { tile, .. } => [product(grid) * product(tile); 2],
            Self::Halos { axes, each: [high, deep], .. } => {
                let layers = if *deep > 1 { product(&[grid[2], *deep]) } else { count(&axes[2]) };
                // threads beyond the last along x load what others do
                [count(&axes[0]) * product(&[grid[1], block[1], *high]) * layers, threads * product(&[*high, *deep])]
            }
            Self::Vectors { each, .. } => [all, threads * u64::from(*each)],
            Self::Lanes { reduced, ahead, .. } => {
                let results = product(&[grid[0], block[2]]);
                [all, results.saturating_mul(elements(part, reduced, product(&[block[0], block[1], *ahead])))]
            }
            Self::Neighbours { reduced, ahead, .. } => {
                let results = product(&[grid[0], block[0], grid[2]]);
                [all, results.saturating_mul(elements(part, reduced, product(&[block[1], *ahead])))]
            }
            // All threads of a block share its lines.
            Self::Rows { .. } => [all, product(&[grid[0], block[0]])],
            Self::Points(_) | Self::Steps { .. } | Self::Combine { .. } => [all, threads],
        };
        // a launch of fewer blocks takes several rounds
        of_launch.map(|points| points.max(all))
    }

    /// Whether some steps of a loop over time on so large an array are faster at once: the strips have points for most of their threads, and a device is busy.
    pub fn pays(&self, elements: &Part) -> bool {
        let Self::Steps { across, along, wide, .. } = self else { return false };
        let points = across.iter().chain(along).fold(1i64, |n, axis| n.saturating_mul(elements.count(&[*axis])));
        let filled = across.iter().zip(wide).all(|(axis, wide)| elements.count(&[*axis]) >= i64::from(*wide) / 2);
        filled && points >= MANY_POINTS
    }

    /// Whether the blocks of a reduction that share results have a counter, and each takes one chunk.
    pub(super) fn has_counters(&self, part: &Part) -> bool {
        self.reduces()
            && self.launch(part).is_some_and(|Launch { grid: [x, y, z], .. }| {
                u64::from(x) * u64::from(z) <= MOST_COUNTERS.into() && i64::from(y) == part.chunks.1
            })
    }

    /// The loops that are reduced.
    pub fn reduced(&self) -> &[usize] {
        match self {
            Self::Points(_)
            | Self::Vectors { .. }
            | Self::Rows { .. }
            | Self::Tiles { .. }
            | Self::Halos { .. }
            | Self::Steps { .. } => &[],
            Self::Lanes { reduced, .. } | Self::Neighbours { reduced, .. } | Self::Combine { reduced, .. } => reduced,
        }
    }

    /// Whether it is the grid of a reduction.
    pub fn reduces(&self) -> bool {
        match self {
            Self::Points(_)
            | Self::Vectors { .. }
            | Self::Rows { .. }
            | Self::Tiles { .. }
            | Self::Halos { .. }
            | Self::Steps { .. } => false,
            Self::Lanes { .. } | Self::Neighbours { .. } | Self::Combine { .. } => true,
        }
    }

    /// The loops that number what threads and blocks take apart: those of each axis of the grid.
    pub(super) fn axes(&self) -> Vec<Loops> {
        match self {
            Self::Points(axes) | Self::Vectors { axes, .. } | Self::Halos { axes, .. } => axes.to_vec(),
            Self::Rows { lines } => vec![lines.clone()],
            Self::Tiles { across, down, others, .. } => vec![vec![*across], vec![*down], others.clone()],
            Self::Steps { across, along, .. } => across.iter().map(|axis| vec![*axis]).chain([along.clone()]).collect(),
            Self::Lanes { kept, reduced, .. } | Self::Combine { kept, reduced } => {
                vec![kept.clone(), reduced.clone()]
            }
            Self::Neighbours { x, others, reduced, .. } => {
                vec![[*x].into_iter().chain(others.iter().copied()).collect(), reduced.clone()]
            }
        }
    }

    /// The layout in words for a domain of these extents, with sizes as `text` gives them.
    pub fn text(&self, domain: &[SizeExpr], text: &dyn Fn(&SizeExpr) -> String) -> String {
        let product = |loops: &[usize]| loops.iter().fold(SizeExpr::constant(1), |size, at| size.times(&domain[*at]));
        let text = |loops: &[usize]| text(&product(loops));
        match self {
            Self::Points(axes) | Self::Vectors { axes, .. } | Self::Halos { axes, .. } => {
                let long = axes.iter().rposition(|loops| !loops.is_empty()).map_or(1, |last| last + 1);
                let over = axes[..long].iter().map(|l| text(l)).collect::<Vec<_>>().join(" by ");
                match self {
                    Self::Vectors { each, .. } => format!("points over {over}, {each} neighbours for each thread"),
                    Self::Halos { each: [y, z], .. } => {
                        format!("points over {over}, {} below each other for each thread", y * z)
                    }
                    _ => format!("points over {over}"),
                }
            }
            Self::Lanes { kept, reduced, .. } => {
                let (points, elements) = (text(kept), text(reduced));
                let plural = if points == "1" { "" } else { "s" };
                format!("{points} reduction{plural} of {elements} elements, warps together")
            }
            Self::Neighbours { x, others, reduced, .. } => {
                let (x, z, elements) = (text(&[*x]), text(others), text(reduced));
                format!("{x} by {z} reductions of {elements} elements, neighbours side by side")
            }
            Self::Rows { lines } => {
                let lines = text(lines);
                let plural = if lines == "1" { "" } else { "s" };
                format!("{lines} line{plural}, tiles of them in shared memory")
            }
            Self::Tiles { across, down, others, tile: [x, y], .. } => {
                let layers = if others.is_empty() { String::new() } else { format!(" by {}", text(others)) };
                format!(
                    "points over {} by {}{layers}, tiles of {x} by {y} in shared memory",
                    text(&[*across]),
                    text(&[*down])
                )
            }
            Self::Steps { across, along, steps, wide, .. } => {
                let over: Vec<String> = across.iter().chain(along).map(|axis| text(&[*axis])).collect();
                let strip: Vec<String> = wide[..across.len()].iter().map(u32::to_string).collect();
                let shape = if along.is_empty() { "pieces" } else { "strips" };
                format!(
                    "{steps} steps at once over {}, {shape} of {} in shared memory",
                    over.join(" by "),
                    strip.join(" by ")
                )
            }
            Self::Combine { kept, reduced } => {
                format!("chunks of {} reductions of {} elements", text(kept), text(reduced))
            }
        }
    }
}

/// Elements of a chunk that are worth a thread each, of so many results and chunks: with many of these few warps for each keep a device busy, and each warp begins
/// and ends by itself. Blocks are whole all the same, and take one chunk of a few results.
fn shared(results: i64, chunks: i64) -> i64 {
    let threads = BUSY_THREADS.unsigned_abs().div_ceil(results.saturating_mul(chunks).max(1).unsigned_abs());
    (threads as i64).max((THREADS / fitting(results, WARPS)).into())
}

/// The elements of a result in a part, for all chunks, whose threads take so many in a round.
fn elements(part: &Part, reduced: &Loops, round: u64) -> u64 {
    let all = part.count(reduced).unsigned_abs();
    let (chunks, last) = ((part.chunks.1 - part.chunks.0).max(0).unsigned_abs(), all % CHUNK as u64);
    let whole = (CHUNK as u64).next_multiple_of(round);
    // the last chunk of all may be shorter
    let rest =
        if part.chunks.1 == self::chunks(all as i64) && last > 0 { whole - last.next_multiple_of(round) } else { 0 };
    chunks.saturating_mul(whole).saturating_sub(rest)
}

/// A launch for results of which each block takes some, but no more than so many: warps share the elements of one as far as there are enough for each of them.
pub(super) fn lanes(points: i64, elements: i64, (chunks, most): (i64, u32)) -> Option<Launch> {
    let warps = fitting(elements.max(1).unsigned_abs().div_ceil(LANES as u64) as i64, WARPS);
    let side = fitting(points, (WARPS / warps).min(most.checked_ilog2().map_or(1, |n| 1 << n)));
    let grid = [blocks(points, side, MOST_BLOCKS_X), blocks(chunks, 1, MOST_BLOCKS), 1];
    (points > 0 && chunks > 0).then_some(Launch { grid, block: [LANES as u32, warps, side] })
}

/// The threads of a launch for so many lines.
pub fn threads_of_lines(lines: i64) -> u64 {
    let product = |of: [u32; 3]| of.iter().map(|n| u64::from(*n)).product::<u64>();
    rows(lines).map_or(0, |launch| product(launch.grid) * product(launch.block))
}

/// A launch for lines of which each block takes some, the more the more there are.
fn rows(lines: i64) -> Option<Launch> {
    let each = fitting(lines.saturating_add(MANY_BLOCKS - 1) / MANY_BLOCKS, MOST_ROWS);
    let grid = [blocks(lines, each, MOST_BLOCKS_X), 1, 1];
    (lines > 0).then_some(Launch { grid, block: [each, THREADS / each, 1] })
}

/// A launch for results that lie side by side along x: a thread for each lane, or one where elements are combined in the plain order, and
/// neighbours as a block has threads left.
fn neighbours(x: i64, z: i64, (elements, chunks): (i64, i64)) -> Option<Launch> {
    let plain = usize::try_from(elements).is_ok_and(is_plain);
    let deep = if plain { 1 } else { LANES as u32 };
    let wide = fitting(x, THREADS / deep);
    let grid = [blocks(x, wide, MOST_BLOCKS_X), blocks(chunks, 1, MOST_BLOCKS), blocks(z, 1, MOST_BLOCKS)];
    (x > 0 && z > 0 && chunks > 0).then_some(Launch { grid, block: [wide, deep, 1] })
}

/// A launch for tiles of points, whose number of points along both loops is known.
fn tiles(extents: [i64; 3], [x, y]: [u32; 2], [wide, deep]: [u32; 2]) -> Option<Launch> {
    let grid =
        [blocks(extents[0], x, MOST_BLOCKS_X), blocks(extents[1], y, MOST_BLOCKS), blocks(extents[2], 1, MOST_BLOCKS)];
    extents.iter().all(|e| *e > 0).then_some(Launch { grid, block: [wide, deep, 1] })
}

/// A launch for tiles with halos: blocks of rows of threads that are as long as leaves fewest threads without points, of as many longer ones.
fn halos(extents: [i64; 3], each: [u32; 2], sides: u32) -> Option<Launch> {
    let shape = |wide: u32| {
        let high = THREADS / wide;
        let of =
            |at: usize, points: u32| blocks(extents[at], points, if at == 0 { MOST_BLOCKS_X } else { MOST_BLOCKS });
        let grid = [of(0, wide - sides), of(1, high * each[0]), of(2, each[1])];
        Launch { grid, block: [wide, high, 1] }
    };
    let widths = [THREADS, THREADS / 2, THREADS / 4, THREADS / 8].into_iter().filter(|wide| *wide >= 2 * sides);
    let all_blocks = |launch: &Launch| launch.grid.iter().map(|n| u64::from(*n)).product::<u64>();
    let launch = widths.map(shape).min_by_key(all_blocks);
    launch.filter(|_| extents.iter().all(|e| *e > 0))
}

/// A launch for strips: as wide as blocks store, and along the last loop in as many pieces as end first on a device of some processors. Each piece takes
/// some iterations more than it has.
fn strips(extents: [i64; 3], (threads, wide): ([u32; 2], [u32; 2]), extra: u32) -> Option<Launch> {
    let [x, y] = [0, 1].map(|at| extents[at].max(1).unsigned_abs().div_ceil(wide[at].max(1).into()) as i64);
    let most = MOST_BLOCKS / y.max(1);
    if extents.iter().any(|e| *e <= 0) || x > MOST_BLOCKS_X || most == 0 {
        return None;
    }
    let rounds = |pieces: i64| {
        let blocks = x.saturating_mul(y).saturating_mul(pieces);
        let each = (extents[2].unsigned_abs().div_ceil(pieces.unsigned_abs()) as i64).saturating_add(extra.into());
        (blocks.unsigned_abs().div_ceil(PROCESSORS).max(BUSY_BLOCKS) as i64).saturating_mul(each)
    };
    let pieces = (1..=most.min(extents[2]).min(MOST_PIECES)).min_by_key(|pieces| rounds(*pieces)).unwrap_or(1);
    Some(Launch { grid: [x as u32, y as u32, pieces as u32], block: [threads[0], threads[1], 1] })
}

/// The groups that hold so many points.
fn groups(points: i64, each: u32) -> i64 {
    points.max(0).unsigned_abs().div_ceil(each.into()) as i64
}

/// A launch for independent points: blocks are as wide along x as the loop is long, and take further axes where that is short.
fn points(extents: [i64; 3], most: i64) -> Option<Launch> {
    let x = fitting(extents[0], THREADS);
    let y = fitting(extents[1], THREADS / x);
    let z = fitting(extents[2], THREADS / x / y).min(64);
    let grid = [blocks(extents[0], x, most), blocks(extents[1], y, MOST_BLOCKS), blocks(extents[2], z, MOST_BLOCKS)];
    extents.iter().all(|e| *e > 0).then_some(Launch { grid, block: [x, y, z] })
}

/// The least power of two that is not below the extent, at most `most`.
fn fitting(extent: i64, most: u32) -> u32 {
    (extent.clamp(1, most.into()) as u32).next_power_of_two().min(most.max(1))
}

fn blocks(extent: i64, threads: u32, most: i64) -> u32 {
    (extent.max(1).unsigned_abs().div_ceil(threads.into()) as i64).min(most) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The launch of all of a domain of these extents.
    fn launch(grid: &Grid, extents: &[i64]) -> Option<([u32; 3], [u32; 3])> {
        let whole = Part::whole(extents, grid);
        grid.launch(&whole).map(|l| (l.grid, l.block))
    }

    /// The points that a launch of all of them asks for and computes.
    fn points_of(grid: &Grid, extents: &[i64]) -> [u64; 2] {
        let whole = Part::whole(extents, grid);
        grid.launch(&whole).map_or([0; 2], |launch| grid.points(&whole, &launch))
    }

    #[test]
    fn blocks_follow_the_extents() {
        let grid = Grid::Points([vec![0], vec![1], vec![]]);
        assert_eq!(launch(&grid, &[1000, 7]), Some(([4, 7, 1], [256, 1, 1])));
        assert_eq!(launch(&grid, &[3, 1000]), Some(([1, 16, 1], [4, 64, 1])));
        assert_eq!(launch(&grid, &[0, 7]), None);
        let huge = launch(&grid, &[1 << 40, 1 << 40]).map(|l| l.0);
        assert_eq!(huge, Some([1 << 20, 65_535, 1]));
    }

    #[test]
    fn neighbours_are_for_rows_of_whole_vectors() {
        let grid = Grid::Vectors { axes: [vec![0], vec![1], vec![]], each: 4 };
        assert_eq!(launch(&grid, &[1001, 7]), Some(([1, 7, 1], [256, 1, 1])));
        assert_eq!(launch(&grid, &[1025, 7]), Some(([2, 7, 1], [256, 1, 1])));
        assert_eq!(launch(&grid, &[3, 1000]), Some(([1, 4, 1], [1, 256, 1])));
        assert_eq!(launch(&grid, &[0, 7]), None);
        // A counter that has passed its limit has not wrapped.
        assert_eq!(launch(&grid, &[1 << 40, 1]), Some(([1 << 18, 1, 1], [256, 1, 1])));
        let whole = |loops: [(i64, i64); 2], strides: &[i64]| {
            let part = Part { loops: loops.to_vec(), chunks: (0, 1) };
            grid.has_whole_vectors(&part, strides.iter().copied())
        };
        assert!(whole([(0, 1 << 18), (0, 1)], &[]) && whole([(8, 1 << 19), (3, 4)], &[4, 1 << 20]));
        assert!(!whole([(2, 1 << 19), (0, 1)], &[]) && !whole([(0, 1 << 19), (0, 9)], &[4, 6]));
    }

    #[test]
    fn blocks_take_more_lines_where_there_are_many() {
        let grid = Grid::Rows { lines: vec![0] };
        assert_eq!(launch(&grid, &[1]), Some(([1, 1, 1], [1, 256, 1])));
        assert_eq!(launch(&grid, &[511]), Some(([511, 1, 1], [1, 256, 1])));
        assert_eq!(launch(&grid, &[513]), Some(([257, 1, 1], [2, 128, 1])));
        assert_eq!(launch(&grid, &[2000]), Some(([500, 1, 1], [4, 64, 1])));
        assert_eq!(launch(&grid, &[100_001]), Some(([3126, 1, 1], [32, 8, 1])));
        assert_eq!(launch(&grid, &[0]), None);
        assert_eq!([0, 1, 2000].map(threads_of_lines), [0, 256, 128_000]);
    }

    #[test]
    fn warps_share_the_elements_of_a_result() {
        let grid = Grid::Lanes { kept: vec![], reduced: vec![0], ahead: 4 };
        assert_eq!(launch(&grid, &[4097]), Some(([1, 2, 1], [32, 8, 1])));
        assert_eq!(launch(&grid, &[1 << 20]), Some(([1, 256, 1], [32, 8, 1])));
        assert_eq!(launch(&grid, &[0]), Some(([1, 1, 1], [32, 1, 1])));
        // Where a result has few elements, a block takes several.
        let rows = Grid::Lanes { kept: vec![0], reduced: vec![1], ahead: 4 };
        assert_eq!(launch(&rows, &[1000, 40]), Some(([250, 1, 1], [32, 2, 4])));
        assert_eq!(launch(&rows, &[3, 5]), Some(([1, 1, 1], [32, 1, 4])));
        // Chunks are combined like elements, whatever their number.
        let combine = Grid::Combine { kept: vec![0], reduced: vec![1] };
        let combined = |extents: &[i64]| {
            let results = Part::whole(extents, &combine).results();
            combine.launch(&results).map(|l| (l.grid, l.block))
        };
        assert_eq!(combined(&[1, 100_000_000]), Some(([1, 1, 1], [32, 8, 1])));
        assert_eq!(combined(&[100, 5000]), Some(([13, 1, 1], [32, 1, 8])));
    }

    /// With many results few warps for each keep a device busy.
    #[test]
    fn many_results_have_a_warp_each() {
        let rows = Grid::Lanes { kept: vec![0], reduced: vec![1], ahead: 4 };
        assert_eq!(launch(&rows, &[1 << 17, 4096]), Some(([1 << 14, 1, 1], [32, 1, 8])));
        assert_eq!(launch(&rows, &[1 << 10, 4096]), Some(([512, 1, 1], [32, 4, 2])));
        assert_eq!(launch(&rows, &[1 << 9, 4096]), Some(([512, 1, 1], [32, 8, 1])));
        // chunks are results too
        assert_eq!(launch(&rows, &[1 << 5, 1 << 24]), Some(([4, 4096, 1], [32, 1, 8])));
        assert_eq!(launch(&rows, &[2, 1 << 28]), Some(([1, 65_535, 1], [32, 4, 2])));
    }

    /// Threads compute whole rounds of elements, of the last chunk too.
    #[test]
    fn elements_of_reductions_are_whole_rounds() {
        let lanes = Grid::Lanes { kept: vec![0], reduced: vec![1], ahead: 4 };
        assert_eq!(points_of(&lanes, &[1000, 40]), [40_000, 1000 * 256]);
        let rows = Grid::Neighbours { x: 0, others: vec![2], reduced: vec![1], ahead: 4 };
        assert_eq!(points_of(&rows, &[100, 5000, 2]), [1_000_000, 13 * 8 * 2 * (4096 + 1024)]);
        assert_eq!(points_of(&rows, &[1000, 3, 1]), [3000, 1024 * 4]);
    }

    #[test]
    fn tiles_are_whole() {
        let tiles = Grid::Tiles { across: 1, down: 0, others: vec![2], tile: [64, 32], threads: [16, 8] };
        assert_eq!(launch(&tiles, &[33, 65, 3]), Some(([2, 2, 3], [16, 8, 1])));
        assert_eq!(launch(&tiles, &[33, 65, 0]), None);
        // whole tiles are computed
        assert_eq!(points_of(&tiles, &[33, 65, 3]), [12 * 64 * 32; 2]);
    }

    #[test]
    fn halos_leave_few_threads_without_points() {
        let halos = Grid::Halos { axes: [vec![0], vec![1], vec![2]], each: [4, 2], sides: 2 };
        assert_eq!(launch(&halos, &[254, 8, 4]), Some(([1, 2, 2], [256, 1, 1])));
        assert_eq!(launch(&halos, &[255, 8, 4]), Some(([3, 1, 2], [128, 2, 1])));
        assert_eq!(launch(&halos, &[3, 64, 1]), Some(([1, 2, 1], [32, 8, 1])));
        assert_eq!(launch(&halos, &[0, 8, 4]), None);
        // rows behind the last are asked for, columns are not
        assert_eq!(points_of(&halos, &[254, 8, 4]), [254 * 8 * 4, 256 * 8 * 4]);
        assert_eq!(points_of(&halos, &[3, 64, 1]), [3 * 64 * 2, 2 * 256 * 8]);
    }

    #[test]
    fn strips_end_together() {
        let strips = |across: Vec<usize>, along: Vec<usize>| {
            let (threads, wide) = if across.len() == 1 { ([256, 1], [240, 1]) } else { ([32, 32], [26, 26]) };
            Grid::Steps { across, along, state: 1, steps: 8, threads, wide, extra: 16 }
        };
        let plane = strips(vec![0], vec![1]);
        // two blocks for each processor of 132
        assert_eq!(launch(&plane, &[2048, 2048]), Some(([9, 1, 29], [256, 1, 1])));
        assert_eq!(launch(&plane, &[240, 1]), Some(([1, 1, 1], [256, 1, 1])));
        assert_eq!(launch(&plane, &[0, 5]), None);
        assert_eq!(launch(&strips(vec![0], vec![]), &[1000]), Some(([5, 1, 1], [256, 1, 1])));
        assert_eq!(launch(&strips(vec![2, 1], vec![0]), &[9, 27, 26]).map(|l| l.1), Some([32, 32, 1]));
        let pays = |extents: [i64; 2]| plane.pays(&Part::whole(&extents, &plane));
        assert!(pays([512, 512]) && pays([120, 1 << 20]) && !pays([512, 511]) && !pays([119, 1 << 20]));
    }

    #[test]
    fn neighbours_have_a_thread_for_each_lane() {
        let rows = Grid::Neighbours { x: 0, others: vec![2], reduced: vec![1], ahead: 4 };
        assert_eq!(launch(&rows, &[100, 5000, 2]), Some(([13, 2, 2], [8, 32, 1])));
        assert_eq!(launch(&rows, &[2, 33, 2]), Some(([1, 1, 2], [2, 32, 1])));
        // In the plain order one thread combines all.
        assert_eq!(launch(&rows, &[1000, 32, 2]), Some(([4, 1, 2], [256, 1, 1])));
        assert_eq!(launch(&rows, &[2, 3, 2]), Some(([1, 1, 2], [2, 1, 1])));
        assert_eq!((chunks(0), chunks(4096), chunks(4097)), (1, 1, 2));
    }

    #[test]
    fn a_part_has_the_blocks_of_its_extents() {
        let rows = Grid::Neighbours { x: 0, others: vec![], reduced: vec![1], ahead: 4 };
        let part = Part { loops: vec![(90, 100), (0, 20_000)], chunks: (2, 4) };
        assert_eq!(rows.launch(&part).map(|l| (l.grid, l.block)), Some(([2, 2, 1], [8, 32, 1])));
        assert_eq!(rows.launch(&Part { chunks: (4, 4), ..part.clone() }), None);
        assert_eq!(rows.launch(&Part { loops: vec![(5, 5), (0, 20_000)], ..part }), None);
        let point = Grid::Points([vec![], vec![], vec![]]);
        let part = |low| Part { loops: vec![(low, 1)], chunks: (0, 1) };
        assert_eq!([0, 1].map(|low| point.launch(&part(low)).is_some()), [true, false]);
    }
}
