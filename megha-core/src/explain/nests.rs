//! Loop nests as they are before they get their normal form: loops with their bounds, accesses, and what depends on what.

use std::collections::{BTreeMap, BTreeSet};

use super::names::Names;
use crate::affine::{Access, AccessKind, Certainty, Domain, Order, Pair, Subscript, Var};
use crate::hash::HashMap;
use crate::ir::{Func, Loc, Module, Op, Region, Size, Stmt, Sub, Value};
use crate::kernels::accesses::{AffineView, Atom, Counted, Definitions, counted_loops};
use crate::kernels::doall;
use crate::lower::SpanTable;
use crate::nests::contents::{Contents, Site, contents};
use crate::nests::dependence::domains;
use crate::schedule::LoopId;
use crate::source::SourceMap;

/// The nests of a module that the passes before that over loops have rewritten. Loops are called `i`, `j`, .. and count from zero.
pub fn nests(module: &Module, sources: &SourceMap, spans: &SpanTable) -> String {
    let mut text = String::new();
    for func in &module.funcs {
        let mut func = func.clone();
        doall::prepare(&mut func);
        let defs = Definitions::of(&func);
        let mut page =
            Page { names: Names::new(&func, &[], sources, spans), defs: &defs, number: 0, text: String::new() };
        page.region(&func.body);
        text += &page.text;
    }
    text
}

struct Page<'a> {
    names: Names<'a>,
    defs: &'a Definitions,
    number: usize,
    text: String,
}

/// An access of a nest.
struct Touch {
    site: Site,
    loc: Loc,
    /// What the array is called.
    array: String,
    /// Whether the nest stores into it.
    carried: bool,
    access: Access,
    cases: Vec<Domain>,
}

impl<'a> Page<'a> {
    fn region(&mut self, region: &Region) {
        for stmt in &region.stmts {
            if let Op::For { .. } = &stmt.op {
                self.number += 1;
                self.text += &format!("nest {} of {}{}", self.number, self.names.func.name, self.place(stmt.loc));
                match contents(self.names.func, stmt) {
                    Ok(contents) => {
                        self.text.push('\n');
                        self.nest(stmt, &contents);
                        continue;
                    }
                    Err(why) => self.text += &format!(": no nest of element-wise statements, because {why}\n"),
                }
            }
            stmt.op.regions().into_iter().for_each(|inner| self.region(inner));
        }
    }

    /// `, line 3`
    fn place(&self, loc: Loc) -> String {
        self.names.line(loc).map_or_else(String::new, |line| format!(", line {line}"))
    }

    fn nest(&mut self, stmt: &Stmt, contents: &Contents) {
        let Op::For { body, .. } = &stmt.op else { return };
        let func = self.names.func;
        let view = AffineView::new(&func.symbols, self.defs, self.defs.scope_of(body.params[0]));
        let mut nest = Nest {
            func,
            contents,
            defs: self.defs,
            view,
            names: &self.names,
            loops: Vec::new(),
            guards: Vec::new(),
            touches: Vec::new(),
            lines: Vec::new(),
            called: HashMap::default(),
        };
        nest.stmt(stmt);
        let lines = nest.lines();
        let dependences = nest.dependences();
        self.text += &lines;
        self.text += &dependences;
    }
}

/// A nest while it is read.
struct Nest<'n, 'a> {
    func: &'n Func,
    contents: &'n Contents,
    defs: &'n Definitions,
    view: AffineView<'n>,
    names: &'n Names<'a>,
    loops: Vec<Counted>,
    guards: Vec<(Value, bool)>,
    touches: Vec<Touch>,
    lines: Vec<Line>,
    /// The loops by their counters.
    called: HashMap<Value, String>,
}

/// A line of the nest: a loop with its domain, or an access.
enum Line {
    Loop(Counted, usize, Domain),
    Access(usize),
}

impl Nest<'_, '_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::Index { array, subs, .. } => self.access(stmt.loc, *array, subs, AccessKind::Read),
            Op::Store { array, subs, .. } => self.access(stmt.loc, *array, subs, AccessKind::Write),
            Op::If { cond, then, els } => {
                for (arm, taken) in [(then, true), (els, false)] {
                    self.guards.push((*cond, taken));
                    arm.stmts.iter().for_each(|s| self.stmt(s));
                    self.guards.pop();
                }
            }
            op => {
                let depth = self.loops.len();
                for counted in counted_loops(op) {
                    self.called.insert(counted.counter, LoopId(self.called.len()).to_string());
                    self.loops.push(counted.clone());
                    let domain = self.view.domain(&self.loops, []);
                    self.lines.push(Line::Loop(counted, depth, domain));
                }
                op.regions().into_iter().flat_map(|region| &region.stmts).for_each(|s| self.stmt(s));
                self.loops.truncate(depth);
            }
        }
    }

    fn access(&mut self, loc: Loc, array: Value, subs: &[Sub], kind: AccessKind) {
        let subs: Vec<Value> = subs.iter().filter_map(Sub::value).collect();
        let carried = self.contents.version.get(&array).copied();
        let site = Site {
            array: carried.unwrap_or(usize::MAX),
            kind,
            subs,
            loops: self.loops.clone(),
            guards: self.guards.clone(),
            update: None,
            loc,
        };
        let access = self.view.access(kind, self.func.ty(array), &site.subs);
        let cases = domains(&mut self.view, &site, &access);
        self.lines.push(Line::Access(self.touches.len()));
        let array = self.names.value(array);
        self.touches.push(Touch { site, loc, array, carried: carried.is_some(), access, cases });
    }

    fn var(&self, var: Var) -> String {
        match self.view.atom(var) {
            Atom::Value(value) => {
                let outside = || match self.defs.symbol_of(*value) {
                    Some(sym) => self.names.size(&Size::sym(sym)),
                    None => self.names.value(*value),
                };
                self.called.get(value).cloned().unwrap_or_else(outside)
            }
            Atom::Symbol(sym) => self.names.size(&Size::sym(*sym)),
            Atom::Product(list) => {
                list.iter().map(|sym| self.names.size(&Size::sym(*sym))).collect::<Vec<_>>().join("*")
            }
            Atom::Quotient(of, by) => format!("floor(({})/{by})", of.display_with(&|var| self.var(var))),
            Atom::Trip(counter) => {
                let name = self.called.get(counter).cloned().unwrap_or_else(|| self.names.value(*counter));
                format!("iterations of {name}")
            }
        }
    }

    fn lines(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            match line {
                Line::Loop(counted, depth, domain) => {
                    let name = self.called.get(&counted.counter).map_or("", String::as_str);
                    let upper = domain.loops.get(*depth).and_then(|l| l.upper.checked_offset(1));
                    let upper = upper.map_or_else(|| "?".into(), |upper| upper.display_with(&|var| self.var(var)));
                    text += &format!("  {}for {name} below {upper}\n", "  ".repeat(*depth));
                }
                Line::Access(at) => {
                    let touch = &self.touches[*at];
                    let indent = "  ".repeat(touch.site.loops.len());
                    let some = if touch.site.guards.is_empty() { "" } else { " in some iterations" };
                    text += &format!("  {indent}{}{some}{}\n", self.element(touch), self.place(touch.loc));
                }
            }
        }
        text
    }

    /// `read a[i, k]`
    fn element(&self, touch: &Touch) -> String {
        let sub = |sub: &Subscript| match sub {
            Subscript::Affine(expr) => expr.display_with(&|var| self.var(var)),
            Subscript::Strided(sum) => sum.display_with(&|var| self.var(var)),
            Subscript::Unanalysable => ":".into(),
        };
        let subs: Vec<String> = touch.access.subscripts.iter().map(sub).collect();
        format!("{} {}[{}]", word(touch.access.kind), touch.array, subs.join(", "))
    }

    fn place(&self, loc: Loc) -> String {
        self.names.line(loc).map_or_else(String::new, |line| format!(", line {line}"))
    }

    /// What depends on what, with the distances or directions of each pair of accesses.
    fn dependences(&self) -> String {
        let mut found = BTreeMap::new();
        let carried: Vec<&Touch> = self.touches.iter().filter(|touch| touch.carried).collect();
        for (at, first) in carried.iter().enumerate() {
            for second in carried[at..].iter().filter(|second| second.site.array == first.site.array) {
                self.pair(first, second, &mut found);
            }
        }
        if found.is_empty() {
            return "  no dependences\n".into();
        }
        let line = |(pair, kinds): (String, BTreeSet<String>)| {
            format!("  {pair}: {}\n", kinds.into_iter().collect::<Vec<_>>().join("; "))
        };
        found.into_iter().map(line).collect()
    }

    fn pair(&self, first: &Touch, second: &Touch, found: &mut BTreeMap<String, BTreeSet<String>>) {
        let loops = first.site.loops.iter().zip(&second.site.loops);
        let common = loops.take_while(|(a, b)| a.counter == b.counter).count();
        let same = std::ptr::eq(first, second);
        for (one, other) in first.cases.iter().flat_map(|one| second.cases.iter().map(move |other| (one, other))) {
            for dependence in Pair::new((one, &first.access), (other, &second.access), common).dependences() {
                let (from, to, dependence) = match dependence.order() {
                    Order::FirstThenSecond | Order::Undetermined => (first, second, dependence),
                    Order::SecondThenFirst => (second, first, dependence.reversed()),
                    Order::SameIteration if same => continue,
                    Order::SameIteration => (first, second, dependence),
                };
                let sure = if dependence.certainty == Certainty::Proven { "" } else { ", assumed" };
                let [from, to] = [from, to].map(|touch| format!("{}{}", self.element(touch), self.place(touch.loc)));
                let kinds = found.entry(format!("{to} after {from}")).or_default();
                kinds.insert(format!("{dependence}{sure}"));
            }
        }
    }
}

fn word(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    }
}
