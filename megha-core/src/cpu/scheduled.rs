//! What the schedules of a kernel ask of its code, which is one text for both orders of memory.
//!
//! Six nests can be carried out, each with loops of the body outside and inside of the loop along vectors:
//! ```text
//! rows        loops of the domain, the last along vectors
//! tiled rows  the same, that one cut into tiles, which loops of the body go through; several rows at a time if asked for
//! windows     tiled rows of which several go through the loop together, side by side or each an iteration later than the one before it, their sums in registers; other rows as tiled ones
//! panels      of the points of all rows, packed; several rows at a time, whose sums are in registers; other rows as tiled ones
//! tiles       a reduction: results, chunks and tiles of the reduced loops, these along vectors
//! neighbours  a reduction: other results, chunks, a loop of neighbouring results along vectors inside of the reduced loop
//! ```

use crate::ir::Value;
use crate::schedule::cost::Form;
use crate::schedule::default::{CHUNKS, TILE, in_memory};
use crate::schedule::panels::{self, Panels, Span};
use crate::schedule::sweep;
use crate::schedule::windows::{self, Windows};
use crate::schedule::{Fission, Level, LoopId, Place, Schedule, Space, Staged, Subject};

/// The loops of a kernel's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops {
    /// Loop orders of the domain, outermost first: columns first, rows first. Not for reductions.
    pub orders: [Vec<usize>; 2],
    /// How a run of points lies: columns first, rows first.
    pub walks: [Walk; 2],
    /// How loops of the body go through tiles.
    pub sweeps: Vec<Sweep>,
    /// How many rows run at a time: columns first, rows first.
    pub rows: [usize; 2],
    /// The register tiles: columns first, rows first.
    pub panels: [Option<Panels>; 2],
    /// The windows that rows share: columns first, rows first.
    pub windows: [Option<Windows>; 2],
    /// The counters of the loops of the body that stand outside of the loop over points.
    pub outside: Vec<Value>,
    /// Whether and how the loop over points is parted.
    pub fission: Option<Fission>,
}

/// How a loop that stands directly in the body goes through tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// Its counter.
    pub counter: Value,
    /// How it runs: columns first, rows first.
    pub forms: [Form; 2],
}

/// The most rows, and the most iterations of a loop, that run at a time: each is written out, and has a tile of its own on the stack.
const TOGETHER: usize = 16;

/// How a run of points lies in one memory order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The loop along which the points lie.
    pub axis: usize,
    /// In a reduction: whether that loop is not a reduced one, so that the points are of neighbouring reductions.
    pub neighbours: bool,
    /// How far the numbers of neighbouring points are apart.
    pub step: i64,
}

/// The part that one schedule has in a kernel's code.
struct Half {
    order: Vec<usize>,
    walk: Walk,
    rows: usize,
    panels: Option<Panels>,
    windows: Option<Windows>,
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
        let alike = columns.outside == rows.outside && (columns.rows == rows.rows || columns.rows.min(rows.rows) == 1);
        if !alike || columns.order.len() != rows.order.len() || schedules[0].fission != schedules[1].fission {
            let [columns, rows] = schedules;
            return Err(format!(
                "rows at a time, loops of the body and fission that differ by the order of memory: not carried out by the code for the CPU\n{columns}{rows}"
            ));
        }
        Ok(Self {
            orders: [columns.order, rows.order],
            walks: [columns.walk, rows.walk],
            sweeps: subject
                .body_ids()
                .filter_map(|id| {
                    let counter = subject.direct_loop(id)?.counter;
                    let forms = schedules.map(|schedule| schedule.form(id));
                    columns.outside.contains(&counter).then_some(Sweep { counter, forms })
                })
                .collect(),
            rows: [columns.rows, rows.rows],
            panels: [columns.panels, rows.panels],
            windows: [columns.windows, rows.windows],
            outside: columns.outside,
            fission: schedules[0].fission,
        })
    }
}

impl Loops {
    /// The iterations of each row, where register tiles have rows with iterations of their own.
    pub fn spans(&self) -> impl Iterator<Item = &Span> {
        self.panels.iter().flatten().filter_map(|panels| panels.span.as_ref())
    }

    /// Whether both orders of memory have the same schedule.
    pub fn are_alike(&self) -> bool {
        let Self { orders, walks, sweeps, rows, panels, windows, outside: _, fission: _ } = self;
        let halves = orders[0] == orders[1] && walks[0] == walks[1] && rows[0] == rows[1];
        let tiles = panels[0] == panels[1] && windows[0] == windows[1];
        halves && tiles && sweeps.iter().all(|sweep| sweep.forms[0] == sweep.forms[1])
    }

    /// How the loop with this counter goes through tiles, if it stands directly in the body.
    pub fn sweep(&self, counter: Value) -> Option<&Sweep> {
        self.sweeps.iter().find(|sweep| sweep.counter == counter)
    }
}

impl Half {
    fn of(schedule: &Schedule, subject: &Subject<'_>) -> Result<Self, String> {
        if schedule.stages.iter().any(|stage| stage.space == Space::Cache) {
            return Nest { schedule, subject, rest: &schedule.levels }.panels();
        }
        if let Some(stage) = schedule.stages.first() {
            return Err(format!("{} in {}", stage.what, stage.space));
        }
        // Rows of tiles alone run at once.
        let tiles = schedule.levels.iter().position(|level| level.tile.is_some());
        let row = tiles.filter(|_| subject.reduced().is_none()).and_then(|at| at.checked_sub(1));
        let at_once = |(at, level): &(usize, &Level)| level.unroll != 1 || level.jam != 1 && Some(*at) != row;
        if let Some((_, level)) = schedule.levels.iter().enumerate().find(at_once) {
            return Err(format!("iterations of `{level}` at once"));
        }
        if let Some(fission) = schedule.fission.filter(|f| f.tile != TILE) {
            return Err(format!("tiles of {} for parts of a loop", fission.tile));
        }
        let mut nest = Nest { schedule, subject, rest: &schedule.levels };
        if subject.reduced().is_some() && !schedule.sweeps.is_empty() {
            return Err("`sweep` in a reduction".into());
        }
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
        let mut rows = 1;
        while let Some(level) = self.takes(|level| level.tile.is_none() && level.places == [Place::Core]) {
            rows = level.jam as usize;
            order.push(self.axis(&level).ok_or_else(|| format!("`{level}`, several loops as one"))?);
        }
        let tile = self.takes(|level| level.tile.is_some() && level.places == [Place::Core]);
        if let Some(level) = tile.as_ref().filter(|level| level.tile != Some(TILE)) {
            return Err(format!("`{level}`, tiles of another size than {TILE}"));
        }
        let outside = self.counters();
        if tile.is_some() == outside.is_empty() {
            return Err(
                "loops of the body outside of a loop that is not cut into tiles, or tiles without such loops".into()
            );
        }
        let along: &[Place] = if tile.is_some() { &[Place::Vector] } else { &[Place::Core, Place::Vector] };
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
        let row = order.iter().rev().nth(1).filter(|_| rows > 1);
        if row.is_some_and(|row| !self.subject.is_even(*row)) {
            return Err("several rows at a time, in which loops of the body have lengths of their own".into());
        }
        let windows = self.windows(&order, rows, &outside)?;
        let rows = if windows.is_some() { 1 } else { rows };
        self.forms(&outside, rows)?;
        let step = self.subject.maps.congruence().map_or(1, |congruence| congruence.step(axis));
        Ok(Half { order, walk: Walk { axis, neighbours: false, step }, rows, panels: None, windows, outside })
    }

    /// The windows through which so many rows go, if they go through their loop a few points at a time.
    fn windows(&self, order: &[usize], rows: usize, outside: &[Value]) -> Result<Option<Windows>, String> {
        let few = |id: &LoopId| {
            let direct = self.subject.direct_loop(*id).is_some_and(|l| outside.contains(&l.counter));
            direct && matches!(self.schedule.form(*id), Form::Points(_))
        };
        let Some(of) = self.subject.body_ids().find(few).filter(|_| rows > 1) else { return Ok(None) };
        let found = Windows::of(self.subject, self.schedule.memory, order).filter(|windows| windows.of == of);
        match found.filter(|_| rows == windows::TOGETHER as usize) {
            Some(windows) => Ok(Some(windows)),
            None => Err(format!("few points of several rows for `{of}`, which share no windows")),
        }
    }

    /// Panels outside, of what the loop of the body reads there; then rows, of which the innermost run together.
    fn panels(&mut self) -> Result<Half, String> {
        let is_panel = |level: &Level| level.tile == Some(panels::POINTS) && level.places == [Place::Core];
        let panel = self.takes(is_panel).ok_or_else(|| self.other())?;
        let (mut order, mut jams) = (Vec::new(), Vec::new());
        while let Some(level) = self.takes(|level| level.tile.is_none() && level.places == [Place::Core]) {
            jams.push(level.jam);
            order.push(self.axis(&level).ok_or_else(|| format!("`{level}`, several loops as one"))?);
        }
        let outside = self.counters();
        self.expects(&panel.loops, None, &[Place::Vector])?;
        self.end()?;
        order.extend(panel.loops.iter().map(|id| id.0));
        let together = jams.pop() == Some(panels::ROWS) && jams.iter().all(|jam| *jam == 1);
        let found = Panels::of(self.subject, self.schedule.memory, &order);
        let panels =
            found.filter(|_| together).ok_or("panels of a kernel whose rows share nothing that can be packed")?;
        let arrays = self.subject.arrays();
        let packed = panels.packed.iter().filter_map(|p| arrays.iter().position(|mem| *mem == p.mem));
        if !packed.map(Staged::Array).eq(self.schedule.stages.iter().map(|stage| stage.what)) {
            return Err("panels of other arrays than those that rows share".into());
        }
        self.forms(&outside, 1)?;
        let axis = order.last().copied().unwrap_or_default();
        Ok(Half {
            order,
            walk: Walk { axis, neighbours: false, step: 1 },
            rows: 1,
            panels: Some(panels),
            windows: None,
            outside,
        })
    }

    /// Whether loops can go through tiles so, and so many rows at a time.
    fn forms(&self, outside: &[Value], rows: usize) -> Result<(), String> {
        for id in self.subject.body_ids() {
            let Some(direct) = self.subject.direct_loop(id).filter(|l| outside.contains(&l.counter)) else { continue };
            match self.schedule.form(id) {
                Form::Points(points) if points > TILE as usize => {
                    return Err(format!("more points at a time than {TILE}"));
                }
                Form::Points(_) => {}
                Form::Steps(steps) if steps > TOGETHER => {
                    return Err(format!("more iterations at a time than {TOGETHER}"));
                }
                Form::Steps(_) if sweep::runs_alone(self.subject, direct) => {
                    return Err(format!(
                        "iterations at a time of `{id}`, which branches, or stores into rows that it reads"
                    ));
                }
                Form::Steps(_) => {}
            }
        }
        if rows > 1 && self.subject.maps.is_narrowed() {
            return Err("several rows at a time, which have lengths of their own".into());
        }
        if rows > TOGETHER { Err(format!("more rows at a time than {TOGETHER}")) } else { Ok(()) }
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
                (Walk { axis: along.0, neighbours: true, step: 1 }, outside)
            }
            None => {
                self.expects(&reduced, Some(TILE), &[])?;
                let outside = self.counters();
                self.expects(&reduced, None, &[Place::Vector])?;
                {
                    let axis = reduced.last().map_or(0, |id| id.0);
                    (Walk { axis, neighbours: false, step: 1 }, outside)
                }
            }
        };
        self.end()?;
        Ok(Half { order: Vec::new(), walk, rows: 1, panels: None, windows: None, outside })
    }
}
