//! Results that may be written past the caches (`megha_rt::stream`): nothing but the end of the function uses them, and a kernel stores each element
//! once, in runs.
//!
//! The loop over points that stores them is called for a few lines of the cache at a time where a result turns out large, and for all points of a run at once where it does not.

use super::{Kind, Outside, Writer};
use crate::cpu::body::{Body, Place};
use crate::cpu::expr::rust_type;
use crate::hash::HashSet;
use crate::ir::{Class, Func, Mem, Op, Out, Terminator, Value};
use crate::schedule::weight;

/// A kernel with more work than this for each point computes while its results go to memory as usual, and would wait for the stores: with logarithms and
/// exponentials it took half as long again.
const MUCH: u32 = 20;
/// Bytes of a line of the cache.
const LINE: usize = 64;

/// A result of a kernel that may be written past the caches.
#[derive(Clone)]
pub(super) struct Streamed {
    /// Which one.
    pub out: usize,
    /// The name of its runs.
    row: String,
    /// The field of the kernel.
    field: String,
    class: Class,
}

/// The values of a function that it returns and does not use otherwise.
pub fn returned(func: &Func) -> HashSet<Value> {
    let Terminator::Return(results) = &func.body.term else { return HashSet::default() };
    let mut uses = vec![0_usize; func.types.len()];
    func.body.for_each_use(&mut |value| uses[value.index()] += 1);
    results.iter().for_each(|value| uses[value.index()] -= 1);
    results.iter().copied().filter(|value| uses[value.index()] == 0).collect()
}

fn bytes(class: Class) -> Option<usize> {
    match class {
        Class::Double | Class::Int64 | Class::UInt64 => Some(8),
        Class::Single | Class::Int32 | Class::UInt32 => Some(4),
        Class::Logical
        | Class::Char
        | Class::Complex
        | Class::Index
        | Class::Int8
        | Class::Int16
        | Class::UInt8
        | Class::UInt16 => None,
    }
}

impl<'n, 'f> Writer<'n, 'f> {
    /// The results that may be written past the caches.
    pub(super) fn streamed(&self, body: &Body<'f>) -> Vec<Streamed> {
        let stmts = &self.nest.kernel.body.stmts;
        let is_straight = stmts.iter().all(|stmt| stmt.op.regions().is_empty());
        if !is_straight || stmts.iter().map(|stmt| weight(&stmt.op)).sum::<u32>() > MUCH {
            return Vec::new();
        }
        let puts =
            stmts.iter().filter_map(|stmt| if let Op::Put(out, ..) = &stmt.op { Some((*out, &stmt.op)) } else { None });
        // Of an array that is updated elements that an iteration fails to compute keep their values.
        let is_result =
            |out: usize| self.nest.returned[out] && (self.nest.kernel.outs[out] == Out::Fresh || !self.nest.checks);
        puts.filter(|(out, _)| is_result(*out)).filter_map(|(out, op)| self.one(body, out, op)).collect()
    }

    /// The result that this store alone writes, in runs.
    fn one(&self, body: &Body<'f>, out: usize, op: &Op) -> Option<Streamed> {
        if self.nest.accesses.iter().filter(|access| access.mem == Mem::Out(out)).count() != 1 {
            return None;
        }
        let class = self.nest.out_types[out].class;
        bytes(class)?;
        let Some(Place::Row(row)) = body.places.get(&std::ptr::from_ref(op)) else { return None };
        let field = self.nest.array(Mem::Out(out))?.name.clone();
        Some(Streamed { out, row: row.clone(), field, class })
    }

    /// The lines at the start of a kernel's run for results that may be written past the caches.
    pub(super) fn stages(&mut self) {
        let line = longest(&self.streamed);
        let streams: Vec<String> = self.streamed.iter().map(|s| format!("self.{}.streams()", s.field)).collect();
        if !streams.is_empty() {
            self.run.line(format!("let _drained = rt::stream::Drained::after({});", streams.join(" || ")));
        }
        for s in &self.streamed {
            let stage = format!("rt::stream::Stage::<{}, {{ {line} * rt::stream::LINES }}>", rust_type(s.class));
            self.run.line(format!("let mut {}_stage = {stage}::clear();", s.row));
        }
    }

    /// The call of a loop over points; where it stores such results, in parts.
    pub(super) fn call(&mut self, name: &str, params: &[Outside]) {
        let stored = |s: &&Streamed| params.iter().any(|o| o.name == s.row);
        let results: Vec<Streamed> = self.streamed.iter().filter(stored).cloned().collect();
        if results.is_empty() {
            let args: Vec<String> = params.iter().map(|o| self.pass(o)).collect();
            return self.run.line(called(name, "len", args));
        }
        let start = |s: &Streamed| format!("rt::stream::start(self.{}.streams(), {})", s.field, s.row);
        let (line, starts) = (longest(&results), results.iter().map(start));
        let starts = starts.collect::<Vec<_>>().join(", ");
        self.run.open(format!("for l_part in rt::stream::parts([{starts}], {line}, len) {{"));
        self.run.line("let (l_from, l_to) = (l_part.from, l_part.from + l_part.len);");
        let axes = self.nest.loops.walks.map(|walk| Some(walk.axis));
        params.iter().filter_map(|o| o.advanced(axes, "l_from")).for_each(|line| self.run.line(line));
        let args: Vec<String> = params.iter().map(|o| self.part(o, &results)).collect();
        self.run.line(called(name, "l_part.len", args));
        results.iter().for_each(|s| self.run.line(format!("{0}_stage.leave(&l_part, {0});", s.row)));
        self.run.close("}");
    }

    /// What is passed for the points from `l_from` to before `l_to`.
    fn part(&self, outside: &Outside, results: &[Streamed]) -> String {
        let (name, text) = (&outside.name, self.pass(outside));
        match outside.kind {
            _ if results.iter().any(|s| s.row == *name) => format!("{name}_stage.of(&l_part, {name})"),
            Kind::RowOut(_) if outside.pass.is_none() => format!("&mut {text}[l_from..l_to]"),
            Kind::RowIn(_) => format!("&{text}[l_from..l_to]"),
            // These begin with a borrow.
            Kind::RowOut(_) | Kind::Lane(_) => format!("{text}[l_from..l_to]"),
            Kind::Number(_) | Kind::Scalar(_) | Kind::View(_) | Kind::Out(_) => text,
        }
    }
}

/// The most elements that a line of one of these has.
fn longest(results: &[Streamed]) -> usize {
    results.iter().filter_map(|s| bytes(s.class)).map(|bytes| LINE / bytes).max().unwrap_or(1)
}

fn called(name: &str, len: &str, args: Vec<String>) -> String {
    let args: Vec<String> = std::iter::once(len.to_owned()).chain(args).collect();
    format!("{name}::<L>({});", args.join(", "))
}
