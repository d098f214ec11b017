//! Schedules from their text (`text.rs`).

use std::fmt;

use super::cost::Form;
use super::levels::{Fission, Level, LoopId, Place, Schedule, Space, Stage, Staged, Sweep, Target};
use super::order::Memory;

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// How many characters are meant.
    pub width: usize,
    /// The line itself.
    pub text: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        let carets = "^".repeat(self.width.max(1));
        write!(f, "  | {}\n  | {}{carets}", self.text, " ".repeat(self.column - 1))
    }
}

impl std::error::Error for Error {}

/// A word or a sign of a line, with its column.
#[derive(Debug, Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    column: usize,
}

fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut start = None;
    for (column, (at, c)) in line.char_indices().enumerate() {
        let sign = "(),/".contains(c);
        if sign || c.is_whitespace() {
            found.extend(start.take().map(|(from, column): (usize, usize)| Token { text: &line[from..at], column }));
        }
        if sign {
            found.push(Token { text: &line[at..at + c.len_utf8()], column: column + 1 });
        } else if !c.is_whitespace() && start.is_none() {
            start = Some((at, column + 1));
        }
    }
    found.extend(start.map(|(from, column)| Token { text: &line[from..], column }));
    found
}

/// A line while it is read.
struct Line<'t> {
    text: &'t str,
    number: usize,
    tokens: Vec<Token<'t>>,
    at: usize,
}

impl<'t> Line<'t> {
    fn new((number, text): (usize, &'t str)) -> Self {
        Self { text, number: number + 1, tokens: tokens(text), at: 0 }
    }

    /// A mistake at the token that was read last.
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        let end = Token { text: "", column: self.text.chars().count() + 1 };
        let token = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).copied().unwrap_or(end);
        let (line, column, width) = (self.number, token.column, token.text.chars().count());
        Err(Error { line, column, width, text: self.text.to_owned(), message: message.into() })
    }

    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).map(|t| t.text)
    }

    fn next(&mut self) -> &'t str {
        self.at += 1;
        self.tokens.get(self.at - 1).map_or("", |t| t.text)
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), Error> {
        if self.next() == word { Ok(()) } else { self.wrong(format!("here stands `{word}`")) }
    }

    fn number(&mut self) -> Result<u32, Error> {
        match self.next().parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => self.wrong("here stands a number above 0"),
        }
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.peek().is_none() {
            return Ok(());
        }
        self.at += 1;
        self.wrong("here the line ends")
    }

    fn loop_id(&mut self) -> Result<LoopId, Error> {
        match LoopId::named(self.next()) {
            Some(id) => Ok(id),
            None => self.wrong("this is the name of no loop: loops are called `i`, `j`, `k` and so on"),
        }
    }

    /// A level, alone: `i`, `i/32`, `(j i)/64`.
    fn level(&mut self) -> Result<Level, Error> {
        let mut loops = Vec::new();
        if self.takes("(") {
            while !self.takes(")") {
                loops.push(self.loop_id()?);
            }
            if loops.len() < 2 {
                return self.wrong("parentheses hold two loops or more");
            }
        } else {
            loops.push(self.loop_id()?);
        }
        let tile = if self.takes("/") { Some(self.number()?) } else { None };
        Ok(Level { tile, ..Level::sequential(loops) })
    }

    /// The number of a level that stands in the order.
    fn level_of(&mut self, levels: &[Level]) -> Result<usize, Error> {
        let first = self.at;
        let level = self.level()?;
        let found = levels.iter().position(|l| (&l.loops, l.tile) == (&level.loops, level.tile));
        match found {
            Some(found) => Ok(found),
            None => {
                self.at = first + 1;
                self.wrong(format!("`{level}` does not stand in the order"))
            }
        }
    }

    fn place(&mut self) -> Result<Place, Error> {
        let name = self.next();
        match Place::ALL.into_iter().find(|place| place.to_string() == name) {
            Some(place) => Ok(place),
            None => self.wrong("here stands `core`, `vector`, `block.x` or `thread.x`, or another axis"),
        }
    }
}

impl std::str::FromStr for Schedule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut lines = text.lines().enumerate().map(Line::new).filter(|line| !line.tokens.is_empty());
        let Some(mut first) = lines.next() else {
            return Line::new((0, "")).wrong("a schedule begins with `schedule on cpu, columns first`");
        };
        let mut schedule = header(&mut first)?;
        lines.try_for_each(|mut line| statement(&mut line, &mut schedule))?;
        if schedule.levels.is_empty() {
            first.at = 1;
            return first.wrong("this schedule has no line `order`");
        }
        Ok(schedule)
    }
}

fn header(line: &mut Line<'_>) -> Result<Schedule, Error> {
    line.expect("schedule")?;
    line.expect("on")?;
    let target = match line.next() {
        "cpu" => Target::Cpu,
        "gpu" => Target::Gpu,
        _ => return line.wrong("here stands `cpu` or `gpu`"),
    };
    line.expect(",")?;
    let memory = match line.next() {
        "columns" => Memory::ColumnMajor,
        "rows" => Memory::RowMajor,
        _ => return line.wrong("here stands `columns` or `rows`"),
    };
    line.expect("first")?;
    line.end()?;
    Ok(Schedule::empty(target, memory))
}

fn statement(line: &mut Line<'_>, schedule: &mut Schedule) -> Result<(), Error> {
    let word = line.next();
    if word != "order" && schedule.levels.is_empty() {
        return line.wrong("the first line of a schedule is its `order`");
    }
    match word {
        "order" if schedule.levels.is_empty() => order(line, schedule)?,
        "order" => return line.wrong("the order stands here already"),
        "bind" => bind(line, schedule)?,
        "jam" => counts(line, schedule, |level, count| level.jam = count)?,
        "unroll" => counts(line, schedule, |level, count| level.unroll = count)?,
        "sweep" => sweep(line, schedule)?,
        "stage" => stage(line, schedule)?,
        "fission" => schedule.fission = Some(fission(line)?),
        "combine" => schedule.combine = Some(line.number()?),
        _ => return line.wrong("here stands `bind`, `jam`, `unroll`, `sweep`, `stage`, `fission` or `combine`"),
    }
    line.end()
}

fn order(line: &mut Line<'_>, schedule: &mut Schedule) -> Result<(), Error> {
    while line.peek().is_some() {
        let first = line.at;
        let level = line.level()?;
        if schedule.levels.contains(&level) {
            line.at = first + 1;
            return line.wrong(format!("`{level}` stands in the order twice"));
        }
        schedule.levels.push(level);
    }
    if schedule.levels.is_empty() {
        line.at += 1;
        return line.wrong("here stand the loops, outermost first");
    }
    Ok(())
}

fn bind(line: &mut Line<'_>, schedule: &mut Schedule) -> Result<(), Error> {
    loop {
        let place = line.place()?;
        while line.peek().is_some_and(|t| t != ",") {
            let level = line.level_of(&schedule.levels)?;
            let places = &mut schedule.levels[level].places;
            if places.contains(&place) {
                return line.wrong(format!("`{}` is at `{place}` already", schedule.levels[level]));
            }
            places.push(place);
            places.sort_unstable();
        }
        if !line.takes(",") {
            return Ok(());
        }
    }
}

fn counts(line: &mut Line<'_>, schedule: &mut Schedule, set: fn(&mut Level, u32)) -> Result<(), Error> {
    loop {
        let level = line.level_of(&schedule.levels)?;
        set(&mut schedule.levels[level], line.number()?);
        if !line.takes(",") {
            return Ok(());
        }
    }
}

fn sweep(line: &mut Line<'_>, schedule: &mut Schedule) -> Result<(), Error> {
    loop {
        let of = line.loop_id()?;
        if schedule.sweeps.iter().any(|sweep| sweep.of == of) {
            return line.wrong(format!("how `{of}` goes through tiles stands here already"));
        }
        let form: fn(usize) -> Form = match line.next() {
            "points" => Form::Points,
            "steps" => Form::Steps,
            _ => return line.wrong("here stands `points` or `steps`, and how many at a time"),
        };
        schedule.sweeps.push(Sweep { of, form: form(line.number()? as usize) });
        if !line.takes(",") {
            return Ok(());
        }
    }
}

fn stage(line: &mut Line<'_>, schedule: &mut Schedule) -> Result<(), Error> {
    let what = match line.next() {
        "terms" => Staged::Terms,
        "array" => match line.next().parse() {
            Ok(number) => Staged::Array(number),
            Err(_) => return line.wrong("here stands the number of an array"),
        },
        _ => return line.wrong("here stands `terms`, or `array` and its number"),
    };
    line.expect("at")?;
    let level = line.level_of(&schedule.levels)?;
    line.expect("in")?;
    let space = match line.next() {
        "shared" => Space::Shared,
        "constant" => Space::Constant,
        "registers" => Space::Registers,
        "cache" => Space::Cache,
        _ => return line.wrong("here stands `shared`, `constant`, `registers` or `cache`"),
    };
    let pad = if line.takes("pad") { line.number()? } else { 0 };
    let vector = if line.takes("vector") { line.number()? } else { 1 };
    schedule.stages.push(Stage { what, level, space, pad, vector });
    Ok(())
}

fn fission(line: &mut Line<'_>) -> Result<Fission, Error> {
    let mut value = |word: &str| {
        line.expect(word)?;
        line.number()
    };
    Ok(Fission {
        above: value("above")?,
        cycles: value("into")?,
        operations: value("operations")?,
        tile: value("tile")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Axis;

    const TEXT: &str = "schedule on gpu, rows first
  order    (j i) l/4096 k/16 l/32 l k m2
  bind     block.x (j i), block.y l/4096, thread.x l, thread.y l/32, thread.z (j i)
  jam      l/32 4
  unroll   k 2
  sweep    k steps 4, m2 points 8
  stage    terms at l/4096 in shared
  stage    array 2 at k/16 in shared pad 1 vector 2
  fission  above 90 into 60 operations 48 tile 128
  combine  8
";

    #[test]
    fn text_and_data_are_the_same() {
        let schedule: Schedule = TEXT.parse().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(schedule.to_string(), TEXT);
        assert_eq!(schedule.levels[6].loops, [LoopId(40)]);
        assert_eq!(schedule.level_at(Place::Thread(Axis::Y)), Some(3));
    }

    /// Schedules at random: `Display` and the parser undo each other.
    #[test]
    fn random_schedules_survive_their_text() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let mut levels: Vec<Level> = Vec::new();
            for _ in 0..=random(6) {
                let loops = (0..=random(2)).map(|_| LoopId(random(50) as usize)).collect();
                let tile = (random(2) == 0).then(|| 1 + random(5000) as u32);
                let level = Level { tile, ..Level::sequential(loops) };
                if !levels.iter().any(|l| (&l.loops, l.tile) == (&level.loops, level.tile)) {
                    let places: Vec<Place> = Place::ALL.into_iter().filter(|_| random(4) == 0).collect();
                    let (jam, unroll) = (1 + random(3) as u32, 1 + random(3) as u32);
                    levels.push(Level { jam, unroll, ..level.at(&places) });
                }
            }
            let mut sweeps: Vec<Sweep> = Vec::new();
            for _ in 0..random(3) {
                let (of, count) = (LoopId(random(50) as usize), 1 + random(40) as usize);
                let form = if random(2) == 0 { Form::Points(count) } else { Form::Steps(count) };
                if sweeps.iter().all(|sweep| sweep.of != of) {
                    sweeps.push(Sweep { of, form });
                }
            }
            let mut stages = Vec::new();
            for _ in 0..random(3) {
                stages.push(Stage {
                    what: if random(2) == 0 { Staged::Terms } else { Staged::Array(random(9) as usize) },
                    level: random(levels.len() as u64) as usize,
                    space: [Space::Shared, Space::Constant, Space::Registers][random(3) as usize],
                    pad: random(3) as u32,
                    vector: 1 + random(4) as u32,
                });
            }
            let number = |n: u64| 1 + n as u32;
            let fission = Fission { above: number(random(99)), cycles: 6, operations: number(random(99)), tile: 128 };
            let schedule = Schedule {
                target: Target::ALL[random(2) as usize],
                memory: if random(2) == 0 { Memory::ColumnMajor } else { Memory::RowMajor },
                levels,
                sweeps,
                stages,
                fission: (random(2) == 0).then_some(fission),
                combine: (random(2) == 0).then(|| number(random(9))),
            };
            let text = schedule.to_string();
            assert_eq!(text.parse::<Schedule>().unwrap_or_else(|e| panic!("{e}\n{text}")), schedule, "{text}");
        }
    }

    #[test]
    fn mistakes_are_shown_with_carets() {
        let said = |text: &str| text.parse::<Schedule>().map_or_else(|e| e.to_string(), |s| s.to_string());
        assert_eq!(
            said("schedule on cpu, columns first\n  order    j i\n  bind     vector k"),
            "3:19: `k` does not stand in the order\n  |   bind     vector k\n  |                   ^"
        );
        assert_eq!(
            said("schedule on tpu, columns first"),
            "1:13: here stands `cpu` or `gpu`\n  | schedule on tpu, columns first\n  |             ^^^"
        );
        assert!(said("").starts_with("1:1: a schedule begins"));
        assert!(said("schedule on cpu, rows first").contains("has no line `order`"));
        assert!(said("schedule on cpu, rows first\norder i i").contains("2:9: `i` stands in the order twice"));
        assert!(said("schedule on cpu, rows first\norder i/0").contains("2:9: here stands a number above 0"));
        assert!(said("schedule on cpu, rows first\norder i\norder i").contains("3:1: the order stands here already"));
        let swept = |line: &str| said(&format!("schedule on cpu, rows first\norder i j\n{line}"));
        assert!(swept("sweep j").contains("3:8: here stands `points` or `steps`"), "{}", swept("sweep j"));
        assert!(swept("sweep j steps 0").contains("3:15: here stands a number above 0"));
        assert!(swept("sweep j steps 2, j points 2").contains("3:18: how `j` goes through tiles stands here already"));
        assert!(said("schedule on cpu, rows first\norder i\njam i").contains("3:6: here stands a number"));
    }
}
