//! A back end that prints kernels as pseudo-code: `cargo run -- FILE.m`.
//!
//! A back end is a function of a verified module and the schedules of its kernels (`megha_core::schedule::Backend`). It carries out what a schedule says: the order
//! of the loops, tiles, what shares their iterations. This one prints; `megha_core::cpu` and `megha_core::ptx` are the other two.

use megha_core::diag::render_all;
use megha_core::driver::{Job, compile, generate};
use megha_core::ir::verify::Verified;
use megha_core::ir::{FuncId, Mem, Op, Region, Stmt, Value};
use megha_core::schedule::cost::Form;
use megha_core::schedule::{Level, Memory, Place, Schedule, Schedules, Subject, Target, subjects};

/// The pseudo-code of all kernels for a processor, where arrays lie columns first.
fn pseudocode(module: Verified<'_>, schedules: &Schedules) -> String {
    let mut text = String::new();
    for (at, func) in module.module().funcs.iter().enumerate() {
        for subject in subjects(func) {
            let kernel = (FuncId::new(at), subject.kernel.id);
            let Some(schedule) = schedules.get(kernel, Target::Cpu, Memory::ColumnMajor) else { continue };
            let title = format!("kernel {} of {}\n", subject.kernel.id, func.name);
            let mut writer = Writer { subject: &subject, schedule, text: title, depth: 1 };
            writer.nest();
            text += &writer.text;
        }
    }
    text
}

struct Writer<'a> {
    subject: &'a Subject<'a>,
    schedule: &'a Schedule,
    text: String,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.text += &format!("{}{text}\n", "  ".repeat(self.depth));
    }

    /// An assignment, unless both have one name.
    fn assign(&mut self, to: &str, from: &str) {
        if to.trim() != from {
            self.line(&format!("{to} = {from}"));
        }
    }

    /// The loops of the domain as the schedule orders them, then the body.
    fn nest(&mut self) {
        for at in 0..self.schedule.levels.len() {
            let level = &self.schedule.levels[at];
            if level.loops.iter().all(|id| self.subject.axis(*id).is_some()) {
                let head = self.head(at, level);
                self.line(&head);
                self.depth += 1;
            }
        }
        self.subject.kernel.body.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    /// `for i in 0..n, on the cores`, or over tiles, or within one.
    fn head(&self, at: usize, level: &Level) -> String {
        let extents = level.loops.iter().map(|id| self.subject.func.show_size(&self.subject.kernel.domain[id.0]));
        let names: Vec<String> = level.loops.iter().map(ToString::to_string).collect();
        let is_within = self.schedule.levels[..at].iter().any(|outer| outer.loops == level.loops);
        let range = if is_within { "its tile".into() } else { format!("0..{}", extents.collect::<Vec<_>>().join("*")) };
        let head = match level.tile {
            Some(tile) => format!("for tiles of {tile} of {} in {range}", names.join(" ")),
            None => format!("for {} in {range}", names.join(" ")),
        };
        let at = |place, words: &'static str| if level.is_at(place) { words } else { "" };
        let (cores, lanes) = (at(Place::Core, ", on the cores"), at(Place::Vector, ", along vectors"));
        let jam = if level.jam > 1 { format!(", {} of them together", level.jam) } else { String::new() };
        head + cores + lanes + &jam
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let result = stmt.results.first().map(|r| self.name(*r)).unwrap_or_default();
        match &stmt.op {
            Op::Load(mem, subs) => self.assign(&result, &self.element(*mem, subs)),
            Op::Put(out, subs, value) => self.assign(&self.element(Mem::Out(*out), subs), &self.name(*value)),
            Op::Accumulate(out, value) => {
                self.line(&format!("combine {} into {}", self.name(*value), self.array(Mem::Out(*out))));
            }
            Op::For { trip, init, body } => self.counted(stmt, (*trip, init), body),
            Op::Unary(op, a) => self.assign(&result, &format!("{}({})", op.name(), self.name(*a))),
            Op::Binary(op, a, b) => {
                self.assign(&result, &format!("{}({}, {})", op.name(), self.name(*a), self.name(*b)))
            }
            _ => {
                // In the words of the compiler's own form, without the place in the source.
                let text = self.subject.func.show_stmt(stmt);
                let (_, own) = text.split_once(" = ").unwrap_or(("", &text));
                self.assign(&result, own.split(" !").next().unwrap_or(own));
            }
        }
    }

    /// A loop of the body: for all points of a vector together where the schedule has it outside of them.
    fn counted(&mut self, stmt: &Stmt, (trip, init): (Value, &[Value]), body: &Region) {
        for (param, value) in body.params[1..].iter().zip(init) {
            self.assign(&self.name(*param), &self.name(*value));
        }
        let id = self.subject.loop_counted_by(body.params[0]);
        let outside = id.and_then(|id| self.schedule.position(id)) < self.schedule.level_at(Place::Vector);
        let trips = self.subject.maps.trips(trip);
        let length = trips.map_or_else(|| self.name(trip), |size| self.subject.func.show_size(&size));
        let note = match id.filter(|_| outside).map(|id| self.schedule.form(id)) {
            Some(Form::Points(points)) => format!(", whole for {points} points after the other"),
            Some(Form::Steps(steps)) => format!(", {steps} at a time for all points of the tile"),
            None => String::new(),
        };
        self.line(&format!("for {} in 0..{length}{note}", self.name(body.params[0])));
        self.depth += 1;
        body.stmts.iter().for_each(|stmt| self.stmt(stmt));
        self.depth -= 1;
        for ((param, next), result) in body.params[1..].iter().zip(body.term.values()).zip(&stmt.results) {
            self.assign(&format!("  {}", self.name(*param)), &self.name(*next));
            self.assign(&self.name(*result), &self.name(*param));
        }
    }

    fn array(&self, mem: Mem) -> String {
        self.subject.func.name_of(match mem {
            Mem::In(value) => value,
            Mem::Out(out) => self.subject.stmt.results[out],
        })
    }

    fn element(&self, mem: Mem, subs: &[Value]) -> String {
        let subs: Vec<String> = subs.iter().map(|sub| self.name(*sub)).collect();
        format!("{}[{}]", self.array(mem), subs.join(", "))
    }

    /// Counters bear the names that schedules have for their loops.
    fn name(&self, value: Value) -> String {
        let other = || self.subject.func.name_of(value).replace('%', "t");
        self.subject.loop_counted_by(value).map_or_else(other, |id| id.to_string())
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("the name of a MATLAB file");
    let outcome = compile(Job::file(path.as_ref()).unwrap_or_else(|why| panic!("{why}")));
    match generate(&outcome, pseudocode) {
        Some(text) => print!("{text}"),
        None => eprint!("{}", render_all(&outcome.diags, &outcome.sources, false)),
    }
}
