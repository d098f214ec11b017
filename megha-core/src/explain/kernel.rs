//! One kernel in words.

use crate::hash::HashSet;
use std::collections::{BTreeMap, BTreeSet};

use super::Records;
use super::copies;
use super::cost;
use super::listing::{Listing, Place};
use super::names::Names;
use super::page::Page;
use super::repeat;
use crate::cpu::storage::Copied;
use crate::ir::{Kernel, Kind, Mem, Op, Out, Region, Size, Stmt, Type, Value};
use crate::kernels::report::{KernelReport, Origin};
use crate::schedule::LoopId;
use crate::schedule::access::Maps;
use crate::schedule::order::{self, Memory};

/// A kernel of the module with what is known of it.
pub(super) struct Subject<'a> {
    /// Its number in the explanation, from one.
    pub number: usize,
    pub stmt: &'a Stmt,
    pub kernel: &'a Kernel,
    /// `None` if the passes left no report.
    pub report: Option<&'a KernelReport>,
    pub listing: Listing,
    /// Results that only tests use, with what the tests say.
    pub tests: Vec<(Value, &'a str)>,
}

/// All kernels of a function, in the order in which they stand.
pub(super) struct Kernels<'a> {
    pub list: Vec<Subject<'a>>,
}

impl Kernels<'_> {
    /// The number of the kernel that makes a value.
    fn maker(&self, value: Value) -> Option<usize> {
        self.list.iter().find(|s| s.stmt.results.contains(&value)).map(|s| s.number)
    }
}

/// What a loop of a kernel is called, as in its schedules.
pub(super) fn letter(axis: usize) -> String {
    LoopId(axis).to_string()
}

/// Writes kernels.
pub(super) struct Writer<'a, 'w> {
    pub names: &'w Names<'a>,
    pub records: &'w Records<'a>,
    /// The copies of arrays that the function makes.
    pub copies: &'w [Copied],
    pub kernels: &'w Kernels<'a>,
    pub page: &'w mut Page,
}

impl<'a> Writer<'a, '_> {
    pub fn kernel(&mut self, subject: &Subject<'a>) {
        if self.page.options.brief {
            self.brief(subject);
            return;
        }
        self.page.blank();
        let heading = format!("kernel {}: {}", subject.number, self.points(subject));
        self.page.heading(&heading);
        self.lines(subject);
        let reads = self.reads(subject);
        let reads = if reads.is_empty() { "no arrays".to_owned() } else { reads.join(", ") };
        self.page.item("reads", &reads);
        self.writes(subject);
        self.saves(subject);
        for (number, text) in repeat::inside(self.names, self.records.loops, subject).iter().enumerate() {
            self.page.item(if number == 0 { "source" } else { "" }, text);
        }
        self.loops(subject);
        self.costs(subject);
    }

    fn brief(&mut self, subject: &Subject<'a>) {
        let (cost, inner) = self.cost(subject);
        let work = format!("per point {} bytes read, {} written, {}", cost.read, cost.written, cost.work());
        let work = if inner == cost::Cost::default() { work } else { format!("{work} and an inner loop") };
        let lines = subject.listing.lines(self.names);
        let text = format!("kernel {}: {lines}: {}; {work}", subject.number, self.points(subject));
        self.page.line(&text);
    }

    fn cost(&self, subject: &Subject<'a>) -> (cost::Cost, cost::Cost) {
        cost::of(self.names.func, &subject.stmt.results, subject.kernel)
    }

    /// What the kernel covers: `all of hx, nx+1 by ny by nz`.
    fn points(&self, subject: &Subject<'a>) -> String {
        let domain = &subject.kernel.domain;
        let size = if domain.is_empty() { "1".to_owned() } else { self.names.dims(domain) };
        let stored = stored(subject);
        let Some(first) = stored.first() else { return format!("{size} points") };
        let list: Vec<String> = distinct(stored.iter().map(|v| self.names.value(*v)));
        let whole = covers(self.names.func.ty(*first), domain);
        let amount = if whole { "all of" } else { "part of" };
        format!("{amount} {}, {size} points", and(&list))
    }

    /// The source lines; where several kernels share a statement, which part of it this one computes.
    fn lines(&mut self, subject: &Subject<'a>) {
        let others: Vec<&Listing> =
            self.kernels.list.iter().filter(|s| s.number != subject.number).map(|s| &s.listing).collect();
        let mut rows: Vec<(u32, String, Option<String>)> = Vec::new();
        let main = self.names.main_file().map(crate::source::SourceFile::id);
        for (place, parts) in &subject.listing.parts {
            let Some(file) = self.names.sources.get(place.0) else { continue };
            let mut note = only(self.names, *place, parts, &others);
            if Some(place.0) != main {
                note = Some(note.map_or(String::new(), |n| n + ", ") + "in " + file.name());
            }
            for line in place.1..=place.2 {
                let note = if line == place.2 { note.take() } else { None };
                rows.push((line, file.line_text(line).trim_end().to_owned(), note));
            }
        }
        let indent = |text: &str| text.len() - text.trim_start().len();
        let margin = rows.iter().filter(|r| !r.1.trim().is_empty()).map(|r| indent(&r.1)).min().unwrap_or(0);
        for (line, text, note) in rows {
            let code = text.get(margin..).unwrap_or("");
            let note = note.map_or(String::new(), |n| format!("   <- {n}"));
            self.page.line(format!("  {line:>5} | {code}{note}").trim_end());
        }
    }

    /// The arrays that are read, each with the number of its elements that one point needs.
    fn reads(&self, subject: &Subject<'a>) -> Vec<String> {
        let mut elements: Vec<(Value, HashSet<Vec<Value>>)> = Vec::new();
        loads(&subject.kernel.body, &mut |mem, subs| {
            let array = match mem {
                Mem::In(array) => Some(array),
                Mem::Out(out) => subject.kernel.outs.get(out).and_then(Out::updated),
            };
            let Some(array) = array else { return };
            match elements.iter_mut().find(|(a, _)| *a == array) {
                Some((_, list)) => {
                    list.insert(subs.to_vec());
                }
                None => elements.push((array, HashSet::from_iter([subs.to_vec()]))),
            }
        });
        let text = |(array, list): &(Value, HashSet<Vec<Value>>)| {
            let mut notes = Vec::new();
            if list.len() > 1 {
                notes.push(format!("{} elements", list.len()));
            }
            if let (None, Some(maker)) = (self.names.given(*array), self.kernels.maker(*array)) {
                notes.push(format!("from kernel {maker}"));
            }
            let name = self.names.value(*array);
            if notes.is_empty() { name } else { format!("{name} ({})", notes.join(", ")) }
        };
        elements.iter().map(text).collect()
    }

    fn writes(&mut self, subject: &Subject<'a>) {
        let mut texts = Vec::new();
        for (out, result) in subject.kernel.outs.iter().zip(&subject.stmt.results) {
            if subject.tests.iter().any(|(v, _)| v == result) {
                continue;
            }
            let name = self.names.value(*result);
            texts.push(match out {
                Out::Fresh => format!("{name} (new)"),
                Out::Reduce(op, axes) => {
                    let along: Vec<String> = axes.iter().map(|a| self.letter(subject, *a)).collect();
                    format!("{name} ({} along {})", op.name(), and(&along))
                }
                Out::Update(old) => match copies::place(self.copies, *old, *result) {
                    Some(place) => format!("{name} ({place})"),
                    None if self.names.value(*old) == name => format!("{name} (in place)"),
                    None => {
                        format!("{name} (in the memory of {}, which is not needed any more)", self.names.value(*old))
                    }
                },
            });
        }
        if !texts.is_empty() {
            self.page.item("writes", &texts.join(", "));
        }
        let messages = distinct(subject.tests.iter().map(|(_, text)| (*text).to_owned()));
        if !messages.is_empty() {
            let text = format!("every point; afterwards it may be an error: {}", messages.join("; "));
            self.page.item("checks", &text);
        }
    }

    /// Arrays that MATLAB would make and the kernel does not.
    fn saves(&mut self, subject: &Subject<'a>) {
        let Some(report) = subject.report else { return };
        if !report.eliminated.is_empty() {
            let list = scalars(self.names, &report.eliminated);
            self.page.item("saves", &format!("memory for {list}"));
        }
        let indices = self.index_arrays(subject, report);
        if !indices.is_empty() {
            let plural = if indices.len() == 1 { "array" } else { "arrays" };
            let text = format!("the index {plural} {} (computed point by point)", and(&indices));
            self.page.item(if report.eliminated.is_empty() { "saves" } else { "" }, &text);
        }
    }

    fn index_arrays(&self, subject: &Subject<'a>, report: &KernelReport) -> Vec<String> {
        let places: BTreeSet<_> = report.statements.iter().map(|s| s.loc).collect();
        let replaced = self.records.replaced.iter().filter(|r| places.contains(&r.user)).map(|r| &r.array);
        let own = report.index_arrays.iter().filter(|v| !subject.stmt.results.contains(&v.value));
        distinct(replaced.chain(own).map(|v| self.names.origin(v).trim_matches('`').to_owned()))
    }

    /// The letter of a loop, or nothing special if there is one loop only.
    fn letter(&self, subject: &Subject<'a>, axis: usize) -> String {
        match subject.kernel.domain.len() {
            1 => "all points".to_owned(),
            _ => letter(axis),
        }
    }

    /// The orders of the loops with the reason: which loop goes through memory in steps of one element.
    fn loops(&mut self, subject: &Subject<'a>) {
        let kernel = subject.kernel;
        if kernel.domain.iter().filter(|d| !d.is_one()).count() < 2 {
            return;
        }
        let func = self.names.func;
        let ty = |mem: Mem| match mem {
            Mem::In(v) => func.ty(v).clone(),
            Mem::Out(out) => func.ty(subject.stmt.results[out]).clone(),
        };
        let accesses = Maps::of(func, kernel).accesses();
        let letters = |axes: &[usize]| {
            let list: Vec<String> = axes.iter().map(|a| self.letter(subject, *a)).collect();
            list.join(", ")
        };
        let reason = |axes: &[usize], memory| {
            let innermost = axes.last().copied().unwrap_or(0);
            let count = order::locality(kernel, &accesses, &ty, memory).get(innermost).copied().unwrap_or(0);
            let letter = self.letter(subject, innermost);
            format!("along {letter}, {count} of {} accesses step to the next element in memory", accesses.len())
        };
        let columns = order::cpu(kernel, &accesses, &ty, Memory::ColumnMajor);
        let rows = order::cpu(kernel, &accesses, &ty, Memory::RowMajor);
        let gpu = order::gpu(kernel, &accesses, &ty, Memory::ColumnMajor);
        let neighbours = gpu.first().map_or_else(String::new, |axis| self.letter(subject, *axis));
        let lines = [
            format!("{} on the CPU (outermost first): {}", letters(&columns), reason(&columns, Memory::ColumnMajor)),
            format!("{} if arrays are stored by rows: {}", letters(&rows), reason(&rows, Memory::RowMajor)),
            format!("{} on the GPU: neighbouring threads take neighbouring {neighbours}", letters(&gpu)),
        ];
        for (number, line) in lines.iter().enumerate() {
            self.page.item(if number == 0 { "loops" } else { "" }, line);
        }
    }

    fn costs(&mut self, subject: &Subject<'a>) {
        let (cost, inner) = self.cost(subject);
        let mut text = format!("per point {} bytes read, {} written, {}", cost.read, cost.written, cost.work());
        if inner != cost::Cost::default() {
            let more = format!("{} bytes read, {} written, {}", inner.read, inner.written, inner.work());
            text += &format!("; in each iteration of the inner loop {more}");
        }
        if let Some(report) = subject.report {
            // The estimate counts what the statements share; each element needs a register too while it is loaded or stored.
            let registers = report.registers.max(elements(&subject.kernel.body));
            let plural = if registers == 1 { "register" } else { "registers" };
            text += &format!("; about {registers} {plural}");
        }
        self.page.item("costs", &text);
        self.page.blank();
    }
}

/// Results that are stored point by point.
fn stored(subject: &Subject<'_>) -> Vec<Value> {
    let outs = subject.kernel.outs.iter().zip(&subject.stmt.results);
    outs.filter(|(out, _)| !matches!(out, Out::Reduce(..))).map(|(_, v)| *v).collect()
}

/// Whether the loops run over all elements of an array.
fn covers(ty: &Type, domain: &[Size]) -> bool {
    ty.dims.iter().filter(|d| !d.is_one()).eq(domain.iter().filter(|d| !d.is_one()))
}

/// The part of a statement that these parts are, if other kernels compute more of it.
fn only(names: &Names<'_>, place: Place, parts: &[crate::source::Span], others: &[&Listing]) -> Option<String> {
    let theirs: Vec<_> = others.iter().filter_map(|l| l.parts.get(&place)).flatten().collect();
    let covered = |span: &crate::source::Span| parts.iter().any(|p| p.start <= span.start && span.end <= p.end);
    if theirs.iter().all(|span| covered(span)) {
        return None;
    }
    let texts = distinct(parts.iter().filter_map(|p| names.span_text(*p)).map(|t| format!("`{t}`")));
    (!texts.is_empty()).then(|| format!("only {}", and(&texts)))
}

/// How many elements an iteration loads and gives.
fn elements(region: &Region) -> u64 {
    region.count(|op| op.kind() == Kind::Access) as u64
}

fn loads(region: &Region, found: &mut dyn FnMut(Mem, &[Value])) {
    region.walk(&mut |stmt| {
        if let Op::Load(mem, subs) = &stmt.op {
            found(*mem, subs);
        }
    });
}

/// `7 intermediate arrays: d1, d2 and 5 without a name`. What the compiler adds to an expression, such as tests, is not counted.
fn scalars(names: &Names<'_>, list: &[Origin]) -> String {
    let (named, unnamed): (Vec<&Origin>, Vec<&Origin>) = list.iter().partition(|v| v.name.is_some());
    let unnamed: BTreeSet<_> = unnamed.iter().map(|v| v.loc).filter(|loc| names.span(*loc).is_some()).collect();
    let (named_count, unnamed) = (named.len(), unnamed.len());
    let mut names = distinct(named.iter().filter_map(|v| v.name.clone()));
    let count = named_count + unnamed;
    let plural = if count == 1 { "array" } else { "arrays" };
    let count = format!("{count} intermediate {plural}");
    if names.is_empty() {
        return count;
    }
    if unnamed > 0 {
        names.push(format!("{unnamed} without a name"));
    }
    format!("{count}: {}", and(&names))
}

/// The texts without repetitions, in order.
pub(super) fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen: BTreeMap<String, ()> = BTreeMap::new();
    texts.filter(|t| seen.insert(t.clone(), ()).is_none()).collect()
}

/// `a, b and c`
pub(super) fn and(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
