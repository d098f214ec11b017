//! The text of schedules: one line for each kind of statement.
//!
//! ```text
//! schedule on cpu, columns first
//!   order    j i/128 k i
//!   bind     core j i/128, vector i
//!   jam      j 4
//!   sweep    k steps 4
//!   fission  above 90 into 60 operations 48 tile 128
//! ```
//! Loops are named by letters: those of the domain `i`, `j`, .., then those of the body. `(j i)` counts through both, `i` fastest;
//! `i/128` goes over tiles of 128. `sweep k steps 4` takes four iterations of `k` at a time through a tile, `sweep k points 8` all of them
//! through eight points after the other. `stage array 1 at i/32 in cache` packs what the loop reads of an array at 32 points, for the rows that are
//! jammed; other rows run as `sweep` says, through tiles of 128. Six rows that are jammed and go through a loop by `points` share windows of it ([`super::windows`]). Behind `bind`, `jam`, `unroll` and `stage` levels are named as they stand in the order.

use std::fmt;

use super::cost::Form;
use super::levels::{Axis, Fission, Level, LoopId, Place, Schedule, Space, Stage, Staged, Sweep, Target};
use super::order::Memory;

/// The letters of the first loops; more have numbers behind them.
const LETTERS: [char; 18] = ['i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z'];

impl fmt::Display for LoopId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", LETTERS[self.0 % LETTERS.len()])?;
        match self.0 / LETTERS.len() {
            0 => Ok(()),
            round => write!(f, "{round}"),
        }
    }
}

impl LoopId {
    /// The loop of this name.
    pub fn named(name: &str) -> Option<Self> {
        let mut characters = name.chars();
        let letter = characters.next()?;
        let place = LETTERS.iter().position(|l| *l == letter)?;
        let rest = characters.as_str();
        let round = if rest.is_empty() { 0 } else { rest.parse::<u16>().ok().filter(|n| n.to_string() == rest)? };
        let id = Self(place + usize::from(round) * LETTERS.len());
        (id.to_string() == name).then_some(id)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.loops[..] {
            [one] => write!(f, "{one}")?,
            several => {
                let names: Vec<String> = several.iter().map(ToString::to_string).collect();
                write!(f, "({})", names.join(" "))?;
            }
        }
        self.tile.map_or(Ok(()), |tile| write!(f, "/{tile}"))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        })
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ColumnMajor => "columns first",
            Self::RowMajor => "rows first",
        })
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Core => f.write_str("core"),
            Self::Vector => f.write_str("vector"),
            Self::Block(axis) => write!(f, "block.{axis}"),
            Self::Thread(axis) => write!(f, "thread.{axis}"),
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shared => "shared",
            Self::Constant => "constant",
            Self::Registers => "registers",
            Self::Cache => "cache",
        })
    }
}

impl fmt::Display for Staged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(number) => write!(f, "array {number}"),
            Self::Terms => f.write_str("terms"),
        }
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form {
            Form::Points(points) => write!(f, "{} points {points}", self.of),
            Form::Steps(steps) => write!(f, "{} steps {steps}", self.of),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "schedule on {}, {}", self.target, self.memory)?;
        let line = |f: &mut fmt::Formatter<'_>, name: &str, list: &[String], between: &str| match list {
            [] => Ok(()),
            list => writeln!(f, "  {name:<8} {}", list.join(between)),
        };
        let names: Vec<String> = self.levels.iter().map(ToString::to_string).collect();
        line(f, "order", &names, " ")?;
        let bound = |place: &Place| {
            let here = (0..names.len()).filter(|at| self.levels[*at].is_at(*place));
            let here: Vec<&str> = here.map(|at| names[at].as_str()).collect();
            (!here.is_empty()).then(|| format!("{place} {}", here.join(" ")))
        };
        line(f, "bind", &Place::ALL.iter().filter_map(bound).collect::<Vec<_>>(), ", ")?;
        let counts = |of: &dyn Fn(&Level) -> u32| -> Vec<String> {
            let several = self.levels.iter().zip(&names).filter(|(level, _)| of(level) != 1);
            several.map(|(level, name)| format!("{name} {}", of(level))).collect()
        };
        line(f, "jam", &counts(&|level| level.jam), ", ")?;
        line(f, "unroll", &counts(&|level| level.unroll), ", ")?;
        line(f, "sweep", &self.sweeps.iter().map(ToString::to_string).collect::<Vec<_>>(), ", ")?;
        for Stage { what, level, space, pad, vector } in &self.stages {
            let at = names.get(*level).map_or("?", String::as_str);
            let pad = if *pad == 0 { String::new() } else { format!(" pad {pad}") };
            let vector = if *vector == 1 { String::new() } else { format!(" vector {vector}") };
            writeln!(f, "  stage    {what} at {at} in {space}{pad}{vector}")?;
        }
        if let Some(Fission { above, cycles, operations, tile }) = self.fission {
            writeln!(f, "  fission  above {above} into {cycles} operations {operations} tile {tile}")?;
        }
        self.combine.map_or(Ok(()), |combine| writeln!(f, "  combine  {combine}"))
    }
}
