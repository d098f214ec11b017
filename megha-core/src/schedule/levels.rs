//! A schedule: the nest of loops that carries out a kernel, and what runs each of them.
//!
//! A kernel says what its iterations do, and that they may run in any order. A schedule says in which they do: it names every loop of
//! the finished code, outermost first, as Halide's and Exo's schedules do. A loop of the kernel that is cut into tiles stands twice, `i/32` over
//! the tiles and `i` within one, so the order says how tiles of several loops nest, whatever their levels. Several loops may count as one,
//! `(j i)`, the last of them fastest. What a schedule may say is in [`super::verify`](mod@super::verify), what today's code says in [`super::default`](mod@super::default).

use super::cost::Form;
use super::order::Memory;

/// A loop of a kernel: those of its domain by number, then the counted loops of its body in the order of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub usize);

/// What runs a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// The cores of a processor, with vectors.
    Cpu,
    /// Blocks of threads.
    Gpu,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Cpu, Self::Gpu];
}

/// An axis of a grid of blocks, and of the threads of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// The one along which neighbouring threads lie.
    X,
    /// The next.
    Y,
    /// The last.
    Z,
}

/// What shares the iterations of a loop. Without a place they run one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The cores; how many iterations each takes at a time is decided when the kernel runs.
    Core,
    /// The lanes of vectors.
    Vector,
    /// The blocks along an axis of the grid.
    Block(Axis),
    /// The threads of a block along an axis.
    Thread(Axis),
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Core,
        Self::Vector,
        Self::Block(Axis::X),
        Self::Block(Axis::Y),
        Self::Block(Axis::Z),
        Self::Thread(Axis::X),
        Self::Thread(Axis::Y),
        Self::Thread(Axis::Z),
    ];

    /// What has it.
    pub fn target(self) -> Target {
        match self {
            Self::Core | Self::Vector => Target::Cpu,
            Self::Block(_) | Self::Thread(_) => Target::Gpu,
        }
    }
}

/// A loop of the finished code.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Level {
    /// The loops of the kernel that it counts through as one, the last fastest.
    pub loops: Vec<LoopId>,
    /// If it is a loop over tiles: how many iterations each holds.
    pub tile: Option<u32>,
    /// What shares its iterations, in order.
    pub places: Vec<Place>,
    /// So many of its iterations are computed together, statement by statement (unroll-and-jam).
    pub jam: u32,
    /// So many of its iterations are written out one after the other.
    pub unroll: u32,
}

impl Level {
    /// A loop whose iterations run one after the other.
    pub fn sequential(loops: Vec<LoopId>) -> Self {
        Self { loops, tile: None, places: Vec::new(), jam: 1, unroll: 1 }
    }

    /// The loop over its tiles of so many iterations.
    pub fn tiles(&self, tile: u32) -> Self {
        Self { tile: Some(tile), ..Self::sequential(self.loops.clone()) }
    }

    /// The same loop at these places.
    pub fn at(self, places: &[Place]) -> Self {
        let mut places = places.to_vec();
        places.sort_unstable();
        Self { places, ..self }
    }

    /// The same loop with so many iterations computed together.
    pub fn jammed(self, jam: u32) -> Self {
        Self { jam, ..self }
    }

    /// Whether something of this kind shares its iterations.
    pub fn is_at(&self, place: Place) -> bool {
        self.places.contains(&place)
    }

    /// The loop, if it is one of the kernel's and whole.
    pub fn single(&self) -> Option<LoopId> {
        match self.loops[..] {
            [only] if self.tile.is_none() => Some(only),
            _ => None,
        }
    }
}

/// What is kept nearer than the memory of the arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Staged {
    /// The elements of an array, by its number in the kernel's footprint.
    Array(usize),
    /// The terms of reductions and of sums in order: many threads compute them, and one combines them.
    Terms,
}

/// Where it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// The memory that the threads of a block share.
    Shared,
    /// Memory that is read only, and fast where all threads of a warp read one element.
    Constant,
    /// Registers.
    Registers,
    /// The second-level cache of a core: a panel, whose elements are packed in the order in which they are read
    /// ([`super::panels`]). Rows that are jammed read it, and keep what a loop of the body carries in registers.
    Cache,
}

/// Something that is kept nearer while a loop runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stage {
    /// What.
    pub what: Staged,
    /// The number of the level in each of whose iterations it is filled anew.
    pub level: usize,
    /// Where.
    pub space: Space,
    /// Elements that are left free behind each of its rows, so that threads meet different banks.
    pub pad: u32,
    /// Elements that are copied by one instruction.
    pub vector: u32,
}

/// How a loop of the body runs through a tile of points.
///
/// It stands around the loop along vectors, directly in the kernel's body; those inside of it go with it. Without a sweep it runs one
/// iteration at a time for the whole tile. Rows of which it runs so are taken together by `jam` of the loop over rows; so are those that share windows of what a loop reads for a few
/// points after the other ([`super::windows`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sweep {
    /// The loop.
    pub of: LoopId,
    /// Whole for a few points after the other, or a few iterations at a time for all of them.
    pub form: Form,
}

/// The loop over lanes is parted where the operations of an iteration wait for each other too long.
///
/// The parts run tile by tile; what lives from one to the next lies in the first-level cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fission {
    /// Chains of dependent operations of more cycles are parted,
    pub above: u32,
    /// into parts of at most so many cycles
    pub cycles: u32,
    /// and so many operations.
    pub operations: u32,
    /// Iterations of a tile, where the parts are not inside a tile of the schedule already.
    pub tile: u32,
}

/// How a kernel runs where its arrays lie in one order of memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// What runs it.
    pub target: Target,
    /// How its arrays lie.
    pub memory: Memory,
    /// The loops, outermost first. Loops of one iteration may be left out.
    pub levels: Vec<Level>,
    /// How loops of the body go through tiles.
    pub sweeps: Vec<Sweep>,
    /// What is kept nearer.
    pub stages: Vec<Stage>,
    /// Whether and how the loop over lanes is parted.
    pub fission: Option<Fission>,
    /// For a reduction on a device: the partial results that a thread reads at once when they are combined.
    pub combine: Option<u32>,
}

impl Schedule {
    /// One that says nothing yet.
    pub fn empty(target: Target, memory: Memory) -> Self {
        let (levels, sweeps, stages) = (Vec::new(), Vec::new(), Vec::new());
        Self { target, memory, levels, sweeps, stages, fission: None, combine: None }
    }

    /// The level that has a place.
    pub fn level_at(&self, place: Place) -> Option<usize> {
        self.levels.iter().position(|level| level.is_at(place))
    }

    /// How a loop of the body goes through a tile.
    pub fn form(&self, of: LoopId) -> Form {
        self.sweeps.iter().find(|sweep| sweep.of == of).map_or(Form::Steps(1), |sweep| sweep.form)
    }

    /// Where the kernel's loop itself stands, not one over its tiles.
    pub fn position(&self, of: LoopId) -> Option<usize> {
        self.levels.iter().position(|level| level.tile.is_none() && level.loops.contains(&of))
    }
}
