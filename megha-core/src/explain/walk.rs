//! Follows a function's statements and writes what matters about each.

use crate::hash::HashMap;
use std::collections::{BTreeMap, BTreeSet};

use super::Records;
use super::host::Note;
use super::kernel::{Kernels, Subject, Writer, and};
use super::listing::{self, Listing};
use super::names::Names;
use super::page::Page;
use super::repeat;
use crate::cpu::storage::Copied;
use crate::ir::{Check, Const, Loc, Op, Region, Stmt, Value};
use crate::kernels::report::{KernelReport, Why};

/// The way through a function.
pub(super) struct Walk<'a, 'w> {
    names: &'w Names<'a>,
    records: &'w Records<'a>,
    copies: &'w [Copied],
    page: &'w mut Page,
    kernels: Kernels<'a>,
    constants: HashMap<Value, String>,
    /// Values that kernels compute for tests.
    tested: BTreeSet<Value>,
    pending: Option<Note>,
}

impl<'a, 'w> Walk<'a, 'w> {
    pub fn new(names: &'w Names<'a>, records: &'w Records<'a>, copies: &'w [Copied], page: &'w mut Page) -> Self {
        let mut facts = Facts::default();
        facts.region(&names.func.body);
        let mut kernels = Kernels { list: Vec::new() };
        collect(names, records, &facts, &names.func.body, &mut kernels.list);
        let tested = kernels.list.iter().flat_map(|s| s.tests.iter().map(|(v, _)| *v)).collect();
        Self { names, records, copies, page, kernels, constants: facts.constants, tested, pending: None }
    }

    /// The whole function.
    pub fn function(&mut self) {
        if !self.page.options.brief && self.kernels.list.iter().any(|s| s.kernel.domain.len() > 1) {
            self.page.blank();
            self.page.line("Below, i, j, k, ... are the loops of a kernel: along its first, second, third, ... size.");
        }
        self.page.blank();
        let body = &self.names.func.body;
        self.region(body);
    }

    fn region(&mut self, region: &'a Region) {
        for (at, stmt) in region.stmts.iter().enumerate() {
            // Of a loop whose iterations go together it is said once what an iteration does: where those that are left over do it.
            let is_again = |later: &Stmt| later.loc == stmt.loc && matches!(later.op, Op::For { .. });
            if repeat::jammed(self.records.loops, stmt).is_some() && region.stmts[at + 1..].iter().any(is_again) {
                continue;
            }
            match &stmt.op {
                Op::Kernel(kernel) => {
                    self.flush();
                    self.kernel(kernel.id);
                }
                // A loop over strips, which the program does not have.
                Op::For { body, .. } if self.names.func.pipelined.contains_key(&body.params[0]) => self.region(body),
                Op::For { body, .. } => self.repeated(stmt, &[body]),
                Op::While { cond, body, .. } => self.repeated(stmt, &[cond, body]),
                Op::If { then, els, .. } => self.branches(stmt, then, els),
                _ => self.host(stmt),
            }
        }
        self.flush();
    }

    fn kernel(&mut self, id: u32) {
        let Some(at) = self.kernels.list.iter().position(|s| s.kernel.id == id) else { return };
        let kernels = std::mem::replace(&mut self.kernels, Kernels { list: Vec::new() });
        let (names, records, copies) = (self.names, self.records, self.copies);
        let mut writer = Writer { names, records, copies, kernels: &kernels, page: self.page };
        writer.kernel(&kernels.list[at]);
        self.kernels = kernels;
    }

    fn host(&mut self, stmt: &'a Stmt) {
        if self.page.options.brief || matches!(stmt.op, Op::Assert(v, _) if self.tested.contains(&v)) {
            return;
        }
        let constant = |v: Value| self.constants.get(&v).cloned();
        let Some(note) = Note::of(self.names, stmt, &constant) else { return };
        match &mut self.pending {
            Some(pending) if pending.kind == note.kind => pending.join(note),
            _ => {
                self.flush();
                self.pending = Some(note);
            }
        }
    }

    fn flush(&mut self) {
        if let Some(note) = self.pending.take() {
            self.page.line(&note.text());
        }
    }

    /// A loop of the program.
    fn repeated(&mut self, stmt: &'a Stmt, regions: &[&'a Region]) {
        self.flush();
        let header = self.names.header(stmt.loc).unwrap_or_else(|| "a loop".to_owned());
        let line = self.names.line(stmt.loc).map_or_else(String::new, |line| format!(" (line {line})"));
        let start = self.page.len();
        self.page.blank();
        let how = repeat::jammed(self.records.loops, stmt);
        let how = how.map_or_else(|| "one iteration after the other".to_owned(), |how| format!("in order, {how}"));
        self.page.heading(&format!("{header}{line}: {how}"));
        if let Some(why) = repeat::why(self.names, self.records.loops, stmt) {
            self.page.paragraph(&why);
        }
        let inside = self.page.len();
        self.page.indent();
        regions.iter().for_each(|r| self.region(r));
        self.page.dedent();
        if self.page.options.brief && self.page.len() == inside {
            self.page.take_back(start);
        }
        self.page.blank();
    }

    /// The two ways of an `if`, as far as something is to be said of them.
    fn branches(&mut self, stmt: &'a Stmt, then: &'a Region, els: &'a Region) {
        self.flush();
        if stmt.loc == Loc::NONE {
            // A test that the program does not have.
            return [then, els].into_iter().for_each(|arm| self.region(arm));
        }
        let header = self.names.header(stmt.loc).unwrap_or_else(|| "if".to_owned());
        let line = self.names.line(stmt.loc).map_or_else(String::new, |line| format!(" (line {line})"));
        for (text, region) in [(format!("{header}{line}:"), then), (format!("otherwise{line}:"), els)] {
            let start = self.page.len();
            self.page.line(&text);
            let after = self.page.len();
            self.page.indent();
            self.region(region);
            self.page.dedent();
            if self.page.len() == after {
                self.page.take_back(start);
            }
        }
    }

    /// Why kernels that share data are not one.
    pub fn apart(&mut self) {
        let numbers: BTreeMap<u32, usize> = self.kernels.list.iter().map(|s| (s.kernel.id, s.number)).collect();
        let mut sizes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let mut lines = Vec::new();
        for apart in self.records.blocks.iter().flat_map(|b| &b.stopped) {
            let (Some(first), Some(second)) = (numbers.get(&apart.first), numbers.get(&apart.second)) else { continue };
            match &apart.why {
                Why::Sizes => sizes.entry(*first).or_default().push(second.to_string()),
                why => {
                    let why = why.text(&|origin| self.names.origin(origin));
                    lines.push(format!("kernels {first} and {second}: {why}"));
                }
            }
        }
        if lines.is_empty() && sizes.is_empty() {
            return;
        }
        self.page.blank();
        self.page.heading("Kernels that share arrays and stay apart");
        if !sizes.is_empty() {
            let pairs: Vec<String> = sizes.iter().map(|(first, list)| format!("{first} from {}", and(list))).collect();
            self.page.paragraph(&format!("because they run over different numbers of points: {}", pairs.join(", ")));
        }
        lines.iter().for_each(|line| self.page.paragraph(line));
    }
}

/// What is to be known of values before writing starts.
#[derive(Default)]
struct Facts<'a> {
    constants: HashMap<Value, String>,
    asserts: Vec<(Value, &'a str)>,
}

impl<'a> Facts<'a> {
    fn region(&mut self, region: &'a Region) {
        region.walk(&mut |stmt| match (&stmt.op, stmt.results.first()) {
            (Op::Const(Const::Float(x)), Some(v)) => {
                self.constants.insert(*v, format!("{x}"));
            }
            (Op::Const(Const::Int(x)), Some(v)) => {
                self.constants.insert(*v, format!("{x}"));
            }
            (Op::Const(Const::Bool(x)), Some(v)) => {
                self.constants.insert(*v, format!("{x}"));
            }
            (Op::Assert(v, Check { text, .. }), _) => self.asserts.push((*v, text)),
            _ => {}
        });
    }
}

fn collect<'a>(
    names: &Names<'a>,
    records: &Records<'a>,
    facts: &Facts<'a>,
    region: &'a Region,
    list: &mut Vec<Subject<'a>>,
) {
    for (stmt, kernel) in region.kernels() {
        let report: Option<&'a KernelReport> =
            records.blocks.iter().flat_map(|b| &b.kernels).find(|r| r.id == kernel.id);
        let mut locs = BTreeSet::new();
        listing::locs(&kernel.body, &mut locs);
        locs.extend(report.iter().flat_map(|r| r.statements.iter().map(|s| s.loc)));
        let tests = facts.asserts.iter().filter(|(v, _)| stmt.results.contains(v)).copied().collect();
        let listing = Listing::of(names, &locs);
        list.push(Subject { number: list.len() + 1, stmt, kernel, report, listing, tests });
    }
}
