//! A memory plan as a chart of characters: a row for each array, a column for each statement.

use std::fmt;

use super::{Plan, Program, cliques, words};
use megha_base::plan::block::Task;
use megha_base::ranges::{Gap, Priority, User};
use megha_core::cpu::SizedBlock;

/// What an array is at a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Not on the device.
    Away,
    /// There, and used by what the device does.
    Used,
    /// There until its next use.
    Kept,
    /// It has left for others.
    Spilled,
    /// The host uses it.
    Host,
}

impl Cell {
    fn sign(self) -> char {
        match self {
            Cell::Away => '.',
            Cell::Used => '#',
            Cell::Kept => '=',
            Cell::Spilled => '-',
            Cell::Host => 'h',
        }
    }
}

/// The plan of a block.
pub struct Chart {
    /// What it is of.
    pub title: String,
    /// What there is.
    pub budget: u64,
    /// The statements.
    pub statements: Vec<String>,
    /// Names, bytes and what they are at each statement.
    pub rows: Vec<(String, u64, Vec<Cell>)>,
    /// Bytes at each statement without and with what leaves.
    pub live: Vec<[u64; 2]>,
    cliques: Vec<String>,
    leaves: Vec<String>,
    parts: Vec<usize>,
    summary: String,
    /// By how many rows steps are apart that can go through the device at once, if not all fits.
    slope: Option<u32>,
}

impl Chart {
    /// The chart of a plan.
    pub fn new(at: usize, sized: &SizedBlock, program: &Program, plan: Plan) -> Chart {
        let name = |array: usize| sized.arrays[array].clone().unwrap_or_else(|| format!("array {}", array + 1));
        let points = sized.nodes.len();
        let rows: Vec<(String, u64, Vec<Cell>)> = (0..program.arrays.len())
            .map(|a| (name(a), program.arrays[a].bytes, cells(program, a, &plan.spills)))
            .collect();
        let bytes = |point: usize, spills: &[Gap]| {
            let there = |array: &usize| program.there(*array, spills)[point];
            (0..rows.len()).filter(there).map(|array| rows[array].1).fold(0, u64::saturating_add)
        };
        let live = (0..points).map(|point| [bytes(point, &[]), bytes(point, &plan.spills)]).collect();
        let cliques = cliques(program, &[]).into_iter().map(|clique| {
            let names: Vec<String> = clique.arrays.iter().map(|array| name(*array)).collect();
            let over = if clique.bytes > program.budget { ", too much" } else { "" };
            format!("statement {}: {} ({}{over})", clique.point + 1, names.join(", "), words(clique.bytes))
        });
        let again = program.computed_again(&plan);
        let leaves = plan.spills.iter().map(|gap| {
            let point =
                |point: Option<usize>, end: &str| point.map_or(end.to_owned(), |p| format!("statement {}", p + 1));
            let (after, before) = (point(gap.after, "the start"), point(gap.before, "the end"));
            let bytes = words(program.arrays[gap.array].bytes);
            let again = again.iter().find(|(again, _)| again == gap);
            let how =
                again.map_or(String::new(), |(_, seconds)| format!(", computed again in {:.3} ms", 1e3 * seconds));
            format!("{} ({bytes}) from {after} to {before}{how}", name(gap.array))
        });
        let of = if sized.repeats { ", in a loop" } else { "" };
        let title = format!("{}, block {}{of}: {} statements, {} arrays", sized.function, at + 1, points, rows.len());
        let (cliques, leaves) = (cliques.collect(), leaves.collect());
        let parts: Vec<usize> = (0..points).filter(|point| program.scratch[*point] > 0).collect();
        let by = match plan.by {
            Priority::Transfers => "size over transfers",
            Priority::NextUse => "the next use",
            Priority::Trial => "trying choices",
        };
        let summary = match plan.spills.is_empty() {
            true => "nothing leaves".to_owned(),
            false if again.is_empty() => format!("chosen by {by}; copies take {:.3} ms more", 1e3 * plan.extra),
            false => format!("chosen by {by}; copies and computing again take {:.3} ms more", 1e3 * plan.extra),
        };
        let fits = plan.spills.is_empty() && plan.over.is_empty() && parts.is_empty();
        let slope = sized.slope.filter(|_| !fits);
        let nodes = sized.nodes.iter().zip(&sized.block.nodes);
        let statements =
            nodes.map(|(name, node)| if node.task == Task::Host { "host".to_owned() } else { name.clone() });
        Chart {
            title,
            budget: program.budget,
            statements: statements.collect(),
            rows,
            live,
            cliques,
            leaves,
            parts,
            summary,
            slope,
        }
    }
}

/// What an array is at each statement.
fn cells(program: &Program, array: usize, spills: &[Gap]) -> Vec<Cell> {
    let (there, without) = (program.there(array, spills), program.there(array, &[]));
    let user = |point: usize| program.arrays[array].uses.iter().find(|u| u.point == point).map(|u| u.user);
    let cell = |point: usize| match (user(point), there[point], without[point]) {
        (Some(User::Device), _, _) => Cell::Used,
        (Some(User::Host), _, _) => Cell::Host,
        (None, true, _) => Cell::Kept,
        (None, false, true) => Cell::Spilled,
        (None, false, false) => Cell::Away,
    };
    (0..there.len()).map(cell).collect()
}

impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; {} of memory", self.title, words(self.budget))?;
        let width = self.rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0).max(4);
        for (name, bytes, cells) in &self.rows {
            let signs: String = cells.iter().map(|cell| cell.sign()).collect();
            writeln!(f, "  {name:<width$} {:>9}  {signs}", words(*bytes))?;
        }
        writeln!(f, "  # used on the device, = kept there, - left for others, h used by the host, . not there")?;
        for (number, (statement, [all, left])) in self.statements.iter().zip(&self.live).enumerate() {
            let (parts, part) = (self.parts.contains(&number), " does not fit alone: in parts");
            let fewer = if left == all { String::new() } else { format!(", {} once arrays have left", words(*left)) };
            writeln!(f, "  {:>3} {statement}: {}{fewer}{}", number + 1, words(*all), if parts { part } else { "" })?;
        }
        writeln!(f, "together on the device, if nothing left:")?;
        self.cliques.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        writeln!(f, "leaves: {}", self.summary)?;
        self.leaves.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        let Some(slope) = self.slope else { return Ok(()) };
        let behind = match slope {
            0 => "on the same rows".to_owned(),
            1 => "each a row behind the one before".to_owned(),
            rows => format!("each {rows} rows behind the one before"),
        };
        writeln!(
            f,
            "or, where that is faster: some steps at once, {behind}, so that a plane is copied once for all of them"
        )
    }
}
