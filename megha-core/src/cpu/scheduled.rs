//! What the schedules of a kernel ask of its code, which is one text for both orders of memory.
//!
//! Four nests can be carried out, each with loops of the body outside and inside of the loop along vectors:
//! ```text
//! rows        loops of the domain, the last along vectors
//! pieces      the same, that one cut into pieces
//! tiles       a reduction: results, chunks and tiles of the reduced loops, these along vectors
//! neighbours  a reduction: other results, chunks, a loop of neighbouring results along vectors inside of the reduced loop
//! ```

use crate::ir::Value;
use crate::schedule::default::{CHUNKS, TILE, in_memory};
use crate::schedule::{Fission, Level, LoopId, Place, Schedule, Subject};

/// The loops of a kernel's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops {
    /// Loop orders of the domain, outermost first: columns first, rows first. Not for reductions.
    pub orders: [Vec<usize>; 2],
    /// How a run of points lies: columns first, rows first.
    pub walks: [Walk; 2],
    /// The points of a piece, if rows are cut into pieces.
    pub piece: Option<u32>,
    /// The counters of the loops of the body that stand outside of the loop over points.
    pub outside: Vec<Value>,
    /// Whether and how the loop over points is parted.
    pub fission: Option<Fission>,
}

/// How a run of points lies in one memory order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The loop along which the points lie.
    pub axis: usize,
    /// In a reduction: whether that loop is not a reduced one, so that the points are of neighbouring reductions.
    pub neighbours: bool,
}

/// The part that one schedule has in a kernel's code.
struct Half {
    order: Vec<usize>,
    walk: Walk,
    piece: Option<u32>,
    outside: Vec<Value>,
}

impl Loops {
    /// The loops that the schedules for columns first and rows first ask for.
    ///
    /// # Errors
    /// What is not carried out.
    pub fn of(schedules: [&Schedule; 2], subject: &Subject<'_>) -> Result<Self, String> {
        let mut halves = Vec::new();
        for schedule in schedules {
            let half = Half::of(schedule, subject);
            halves.push(half.map_err(|why| format!("{why}: not carried out by the code for the CPU\n{schedule}"))?);
        }
        let Ok([columns, rows]) = <[Half; 2]>::try_from(halves) else { return Err("not two orders of memory".into()) };
        let alike = columns.piece == rows.piece && columns.outside == rows.outside;
        if !alike || columns.order.len() != rows.order.len() || schedules[0].fission != schedules[1].fission {
            let [columns, rows] = schedules;
            return Err(format!(
                "pieces, loops of the body and fission that differ by the order of memory: not carried out by the code for the CPU\n{columns}{rows}"
            ));
        }
        Ok(Self {
            orders: [columns.order, rows.order],
            walks: [columns.walk, rows.walk],
            piece: columns.piece,
            outside: columns.outside,
            fission: schedules[0].fission,
        })
    }
}

impl Half {
    fn of(schedule: &Schedule, subject: &Subject<'_>) -> Result<Self, String> {
        if let Some(stage) = schedule.stages.first() {
            return Err(format!("{} in {}", stage.what, stage.space));
        }
        if let Some(level) = schedule.levels.iter().find(|l| l.jam != 1 || l.unroll != 1) {
            return Err(format!("iterations of `{level}` at once"));
        }
        if let Some(fission) = schedule.fission.filter(|f| f.tile != TILE) {
            return Err(format!("tiles of {} for parts of a loop", fission.tile));
        }
        let mut nest = Nest { schedule, subject, rest: &schedule.levels };
        if subject.reduced().is_some() { nest.reduction() } else { nest.points() }
    }
}

/// The levels that are still to be understood.
struct Nest<'s, 'f> {
    schedule: &'s Schedule,
    subject: &'s Subject<'f>,
    rest: &'s [Level],
}

impl Nest<'_, '_> {
    /// Takes the next level if it is so.
    fn takes(&mut self, is: impl Fn(&Level) -> bool) -> Option<Level> {
        let (first, rest) = self.rest.split_first().filter(|(first, _)| is(first))?;
        self.rest = rest;
        Some(first.clone())
    }

    /// Takes the level of these loops, cut so and at these places.
    fn expects(&mut self, loops: &[LoopId], tile: Option<u32>, places: &[Place]) -> Result<(), String> {
        let is = |level: &Level| level.loops == loops && level.tile == tile && level.places == places;
        self.takes(is).map(|_| ()).ok_or_else(|| self.other())
    }

    /// What stands where something else is expected.
    fn other(&self) -> String {
        self.rest.first().map_or_else(|| "a loop that is missing".into(), |level| format!("`{level}` at its place"))
    }

    fn body_loops(&mut self) -> Vec<LoopId> {
        let subject = self.subject;
        let is = |level: &Level| level.places.is_empty() && level.single().is_some_and(|id| subject.axis(id).is_none());
        std::iter::from_fn(|| self.takes(is)?.single()).collect()
    }

    fn counters(&mut self) -> Vec<Value> {
        let ids = self.body_loops();
        ids.into_iter().filter_map(|id| self.subject.body_loop(id)).map(|l| l.counter).collect()
    }

    /// The loops inside of that along vectors, and nothing else.
    fn end(&mut self) -> Result<(), String> {
        self.body_loops();
        if self.rest.is_empty() { Ok(()) } else { Err(self.other()) }
    }

    fn axis(&self, level: &Level) -> Option<usize> {
        level.single().and_then(|id| self.subject.axis(id))
    }

    fn points(&mut self) -> Result<Half, String> {
        let mut order = Vec::new();
        while let Some(level) = self.takes(|level| level.tile.is_none() && level.places == [Place::Core]) {
            order.push(self.axis(&level).ok_or_else(|| format!("`{level}`, several loops as one"))?);
        }
        let tile = self.takes(|level| level.tile.is_some() && level.places == [Place::Core]);
        let piece = tile.as_ref().and_then(|level| level.tile);
        if piece.is_some_and(|points| points > TILE) {
            return Err(format!("pieces of more than {TILE} points"));
        }
        let outside = self.counters();
        if piece.is_none() && !outside.is_empty() {
            return Err("loops of the body outside of a loop that is not cut into pieces".into());
        }
        let along: &[Place] = if piece.is_some() { &[Place::Vector] } else { &[Place::Core, Place::Vector] };
        let vector = self.takes(|level| level.tile.is_none() && level.places == along).ok_or_else(|| self.other())?;
        if tile.is_some_and(|tile| tile.loops != vector.loops) {
            return Err(format!("tiles of another loop than `{vector}`"));
        }
        let axis = self.axis(&vector).ok_or_else(|| format!("`{vector}`, several loops as one"))?;
        self.end()?;
        order.push(axis);
        // Loops of one iteration are none, but one that is alone stands for the point.
        let long: Vec<usize> = order.iter().copied().filter(|a| self.subject.is_long(*a)).collect();
        let order = if long.is_empty() { vec![axis] } else { long };
        let axis = order.last().copied().unwrap_or(axis);
        Ok(Half { order, walk: Walk { axis, neighbours: false }, piece, outside })
    }

    fn reduction(&mut self) -> Result<Half, String> {
        let reduced = self.subject.reduced_ids();
        let kept = self.subject.kept_ids();
        let along = self.schedule.level_at(Place::Vector).and_then(|at| self.schedule.levels[at].single());
        let along = along.filter(|id| kept.contains(id));
        let others: Vec<LoopId> = kept.into_iter().filter(|id| along != Some(*id)).collect();
        if !others.is_empty() {
            self.expects(&in_memory(others, self.schedule.memory), None, &[Place::Core])?;
        }
        self.expects(&reduced, Some(CHUNKS), &[Place::Core])?;
        let (walk, outside) = match along {
            Some(along) => {
                if reduced.len() > 1 {
                    return Err("neighbouring results of several reduced loops".into());
                }
                self.expects(&[along], Some(TILE), &[Place::Core])?;
                self.expects(&reduced, None, &[])?;
                let outside = self.counters();
                self.expects(&[along], None, &[Place::Vector])?;
                (Walk { axis: along.0, neighbours: true }, outside)
            }
            None => {
                self.expects(&reduced, Some(TILE), &[])?;
                let outside = self.counters();
                self.expects(&reduced, None, &[Place::Vector])?;
                (Walk { axis: reduced.last().map_or(0, |id| id.0), neighbours: false }, outside)
            }
        };
        self.end()?;
        Ok(Half { order: Vec::new(), walk, piece: None, outside })
    }
}
