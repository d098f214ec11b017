//! Kernel formation: each MATLAB basic block becomes kernels and host statements (MEGHA 3.2.1).
//!
//! Every GPU-friendly statement becomes a unit kernel, composition clusters them (Algorithm 1), each cluster becomes
//! one kernel, and the clusters are placed in a topological order of their dependences.

mod fusion;

use super::body::Defs;
use super::compose::{self, ArrayInfo, Graph, Node, Params, Space, Statement, Stop};
use super::merge::merge;
use super::report::{Apart, BlockReport, KernelReport, Origin, Origins, Why};
use super::time_loops::interchanged;
use super::unit::{Unit, unit};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Func, Kernel, Lib, Op, Out, Region, Size, Stmt, Sym, SymData, SymDef, Value};
use crate::schedule::domain::{self, Narrowed};
use std::collections::{BTreeMap, BTreeSet};

/// Forms the kernels of a function.
pub fn run(func: &mut Func, params: &Params) -> Vec<BlockReport> {
    let defs = Defs::of(func);
    let origins = Origins::of(func);
    let mut body = std::mem::take(&mut func.body);
    let mut uses = HashMap::default();
    body.for_each_use(&mut |v| *uses.entry(v).or_insert(0) += 1);
    let of_value = |(sym, data): (Sym, &SymData)| if let SymDef::Value(v) = data.def { Some((v, sym)) } else { None };
    let symbol_of = func.symbols.iter().filter_map(of_value).collect();
    let mut former = Former {
        func,
        defs,
        symbol_of,
        origins,
        params,
        uses,
        of_loops: HashSet::default(),
        next_id: 0,
        reports: Vec::new(),
    };
    former.region(&mut body);
    let reports = former.reports;
    func.body = body;
    reports
}

struct Former<'f> {
    func: &'f mut Func,
    defs: Defs,
    /// The symbols that stand for scalars.
    symbol_of: HashMap<Value, Sym>,
    origins: Origins,
    params: &'f Params,
    uses: HashMap<Value, usize>,
    /// What loops give that are inside of kernels.
    of_loops: HashSet<Value>,
    next_id: u32,
    reports: Vec<BlockReport>,
}

/// A statement of a block.
struct Item {
    stmt: Stmt,
    unit: Option<Unit>,
    /// All values that it uses, also inside its kernel.
    uses: Vec<Value>,
}

impl Former<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut out = Vec::new();
        let mut block = Vec::new();
        for mut stmt in std::mem::take(&mut region.stmts) {
            if matches!(stmt.op, Op::If { .. } | Op::For { .. } | Op::While { .. }) {
                stmt.op.regions_mut().into_iter().for_each(|r| self.region(r));
                match self.interchanged(&stmt) {
                    Some(kernel) => block.push(kernel),
                    None => {
                        self.block(std::mem::take(&mut block), &mut out);
                        out.push(stmt);
                    }
                }
            } else {
                block.push(stmt);
            }
        }
        self.block(block, &mut out);
        region.stmts = out;
    }

    /// A loop around kernels as one kernel, if it can be one.
    fn interchanged(&mut self, stmt: &Stmt) -> Option<Stmt> {
        let uses = &self.uses;
        let kernel = interchanged(self.func, &self.defs, stmt, &|v| uses.get(&v).is_some_and(|n| *n > 0))?;
        self.of_loops.extend(&kernel.results);
        self.count(stmt, usize::saturating_sub);
        self.count(&kernel, usize::saturating_add);
        Some(kernel)
    }

    /// Counts the uses in a statement.
    fn count(&mut self, stmt: &Stmt, by: fn(usize, usize) -> usize) {
        let mut each = |v: Value| {
            let uses = self.uses.entry(v).or_insert(0);
            *uses = by(*uses, 1);
        };
        stmt.op.for_each_operand(&mut each);
        stmt.op.regions().into_iter().for_each(|region| region.for_each_use(&mut each));
    }

    fn block(&mut self, stmts: Vec<Stmt>, out: &mut Vec<Stmt>) {
        let items: Vec<Item> = stmts.into_iter().map(|stmt| self.item(stmt)).collect();
        if items.iter().all(|i| i.unit.is_none()) {
            out.extend(items.into_iter().map(|i| i.stmt));
            return;
        }
        let (graph, reasons) = self.graph(&items);
        let clusters = match compose::compose(&graph, self.params) {
            Ok(clusters) => clusters,
            Err(error) => {
                // A mistake in `graph`. Composition is an improvement: without it each statement is a kernel of its own.
                debug_assert!(false, "the graph of a block is malformed: {error}");
                for item in items {
                    self.place(vec![item], out, None);
                }
                return;
            }
        };
        let labels: Vec<Origin> = items.iter().map(|i| self.origin(i)).collect();
        let mut report = BlockReport { kernels: Vec::new(), stopped: Vec::new() };
        let mut items: Vec<Option<Item>> = items.into_iter().map(Some).collect();
        let mut ids = Vec::new();
        for cluster in &clusters.clusters {
            let members = cluster.nodes.iter().filter_map(|n| items[n.0 as usize].take()).collect();
            ids.push(self.place(members, out, Some((&mut report, cluster))));
        }
        let kernel_of = |node: Node| ids[clusters.cluster_of[node.0 as usize]];
        report.stopped = apart(&clusters.stopped, &kernel_of, &reasons, &labels);
        self.reports.push(report);
    }

    fn item(&mut self, stmt: Stmt) -> Item {
        let unit = unit(self.func, &self.defs, &stmt);
        let mut uses = Vec::new();
        match &unit {
            None => stmt.op.for_each_operand(&mut |v| uses.push(v)),
            Some(unit) => {
                uses.extend(unit.kernel.outs.iter().filter_map(|o| o.updated()));
                uses.extend(unit.kernel.body.free_values());
                let own: BTreeSet<Value> = unit.before.iter().flat_map(|s| s.results.iter().copied()).collect();
                for s in &unit.before {
                    s.op.for_each_operand(&mut |v| uses.push(v));
                }
                uses.retain(|v| !own.contains(v));
            }
        }
        uses.sort_unstable();
        uses.dedup();
        Item { stmt, unit, uses }
    }

    /// The scalars that the sizes in a statement, its results and its operands are made of.
    fn sizes(&self, item: &Item) -> Vec<Value> {
        let mut sizes: Vec<Size> = Vec::new();
        let results = item.unit.as_ref().map_or(&item.stmt.results, |u| &u.results);
        results.iter().chain(&item.uses).for_each(|v| sizes.extend(self.func.ty(*v).dims.iter().cloned()));
        match &item.unit {
            None => mentioned(std::slice::from_ref(&item.stmt), &mut sizes),
            Some(unit) => {
                sizes.extend(unit.kernel.domain.iter().cloned());
                mentioned(&unit.before, &mut sizes);
                mentioned(&unit.kernel.body.stmts, &mut sizes);
            }
        }
        let mut values = Vec::new();
        sizes.iter().for_each(|size| self.func.symbols.for_each_value(size, &mut |v| values.push(v)));
        values
    }

    /// The augmented data-flow graph of a block.
    fn graph(&self, items: &[Item]) -> (Graph, Reasons) {
        let mut graph = Graph::new();
        let mut spaces: Vec<Option<Shape>> = Vec::new();
        let mut arrays: BTreeMap<Value, compose::Array> = BTreeMap::new();
        let mut array_of = |graph: &mut Graph, v: Value, live_out: bool, func: &Func| {
            *arrays.entry(v).or_insert_with(|| {
                let size = func.ty(v).numel().eval(&|_| NOMINAL_SIZE).max(0) as u64;
                graph.add_array(ArrayInfo { label: func.name_of(v), size, live_out })
            })
        };
        let mut inside: HashMap<Value, usize> = HashMap::default();
        for item in items {
            item.uses.iter().for_each(|v| *inside.entry(*v).or_insert(0) += 1);
        }
        let live_out = |v: Value| self.uses.get(&v).copied().unwrap_or(0) > inside.get(&v).copied().unwrap_or(0);
        let is_array = |v: Value| !self.func.ty(v).is_scalar();
        let mut defined: HashMap<Value, Node> = HashMap::default();
        let (mut last_effect, mut last_test): (Option<Node>, Option<Node>) = (None, None);
        let mut found: BTreeSet<Value> = BTreeSet::new();
        for item in items {
            let space = item.unit.as_ref().map(|unit| Shape::of(self.func, &unit.kernel));
            let same = spaces.iter().position(|s| *s == space).filter(|_| !self.is_factor(item, items));
            let space = same.unwrap_or_else(|| {
                spaces.push(space);
                spaces.len() - 1
            });
            let results = item.unit.as_ref().map_or(&item.stmt.results, |u| &u.results);
            let defs = results
                .iter()
                .filter(|v| is_array(**v))
                .map(|v| array_of(&mut graph, *v, live_out(*v), self.func))
                .collect();
            let uses = item
                .uses
                .iter()
                .filter(|v| is_array(**v))
                .map(|v| array_of(&mut graph, *v, live_out(*v), self.func))
                .collect();
            let node = graph.add_statement(Statement {
                label: self.origin(item).name.unwrap_or_default(),
                space: Space(space as u32),
                friendly: item.unit.is_some(),
                reg: item.uses.iter().filter(|v| !is_array(**v)).count() as u32,
                defs,
                uses,
            });
            let scalars = item.uses.iter().filter(|v| !is_array(**v));
            for v in scalars.chain(&self.sizes(item)) {
                if let Some(def) = defined.get(v) {
                    graph.add_dependence(*def, node);
                }
            }
            results.iter().for_each(|v| {
                defined.insert(*v, node);
            });
            let has_effect = match &item.unit {
                None => item.stmt.op.has_effect(),
                Some(unit) => !unit.before.is_empty(),
            };
            // Elements may be within bounds, and sizes equal, only because of a test before.
            if let Some(test) = last_test.filter(|_| item.unit.is_some() || item.uses.iter().any(|v| is_array(*v))) {
                graph.add_dependence(test, node);
            }
            match &item.stmt.op {
                _ if item.unit.is_some() => found.extend(results.iter().copied()),
                // What a kernel found of elements, such as a negative one under a root, bounds no access.
                Op::Assert(condition, _) if found.contains(condition) => {}
                Op::Assert(..) | Op::SameSize(..) => last_test = Some(node),
                _ => {}
            }
            if has_effect {
                if let Some(last) = last_effect {
                    graph.add_dependence(last, node);
                }
                last_effect = Some(node);
            }
        }
        self.reuse_dependences(items, &mut graph);
        let reasons = self.pairs(items, &mut graph);
        (graph, reasons)
    }

    /// Whether a statement takes a part of an array for a product of matrices, which may read it where it lies, as long as the copy is a kernel of its own.
    fn is_factor(&self, item: &Item, items: &[Item]) -> bool {
        let ([result], Op::Transpose(source) | Op::Index { array: source, .. }) =
            (&item.stmt.results[..], &item.stmt.op)
        else {
            return false;
        };
        let multiplies = |user: &Item| {
            matches!(user.stmt.op, Op::Lib(Lib::MatMul, _)) && !self.func.ty(user.stmt.results[0]).is_scalar()
        };
        let is_matrix = self.func.ty(*result).dims.len() == 2 && !self.func.ty(*result).is_vector();
        // What is made for it alone is made in its form.
        let made = || self.uses.get(source) == Some(&1) && items.iter().any(|i| i.stmt.results.contains(source));
        let is_used_once = self.uses.get(result) == Some(&1);
        is_matrix && is_used_once && items.iter().any(|i| i.uses.contains(result) && multiplies(i)) && !made()
    }

    /// An update in place comes after the readers of the old array.
    fn reuse_dependences(&self, items: &[Item], graph: &mut Graph) {
        for (w, writer) in items.iter().enumerate() {
            let updated: Vec<Value> = match (&writer.unit, &writer.stmt.op) {
                (Some(unit), _) => unit.kernel.outs.iter().filter_map(|o| o.updated()).collect(),
                (None, Op::Store { array, .. }) => vec![*array],
                _ => Vec::new(),
            };
            for (r, reader) in items.iter().enumerate().take(w) {
                if updated.iter().any(|v| reader.uses.contains(v)) {
                    graph.add_dependence(Node(r as u32), Node(w as u32));
                }
            }
        }
    }

    /// Puts the statements of a cluster at the end of the block; gives the number of the kernel, if it is one.
    fn place(
        &mut self,
        members: Vec<Item>,
        out: &mut Vec<Stmt>,
        report: Option<(&mut BlockReport, &compose::Cluster)>,
    ) -> Option<u32> {
        let statements: Vec<Origin> = members.iter().map(|i| self.origin(i)).collect();
        let indices: BTreeSet<Value> = members.iter().filter_map(index_array).collect();
        let mut units = Vec::new();
        for item in members {
            match item.unit {
                Some(unit) => units.push(unit),
                None => out.push(item.stmt),
            }
        }
        if units.is_empty() {
            return None;
        }
        let defs = &self.defs;
        let bounded = units.len() > 1 && units.iter().all(|unit| !domain::of(self.func, &unit.kernel).is_box());
        let mut unit = merge(units, bounded, &|v| defs.get(v).cloned());
        unit.kernel.id = self.next_id;
        self.next_id += 1;
        out.append(&mut unit.before);
        if let Some((report, cluster)) = report {
            let origin = |v: &Value| self.origins.get(self.func, *v);
            let fresh = unit.kernel.outs.iter().zip(&unit.results).filter(|(o, _)| matches!(o, Out::Fresh));
            report.kernels.push(KernelReport {
                id: unit.kernel.id,
                statements,
                eliminated: fresh.map(|(_, v)| v).filter(|v| !indices.contains(v)).map(origin).collect(),
                index_arrays: unit.eliminated.iter().map(origin).collect(),
                registers: cluster.regs,
                memory: cluster.memory(),
                benefit: cluster.benefit,
            });
        }
        let id = unit.kernel.id;
        out.push(Stmt { results: unit.results, op: Op::Kernel(Box::new(unit.kernel)), loc: unit.loc });
        Some(id)
    }

    /// A statement by what it computes first.
    fn origin(&self, item: &Item) -> Origin {
        match item.stmt.results.first() {
            Some(result) => self.origins.get(self.func, *result),
            None => Origin { name: None, loc: item.stmt.loc, value: Value::new(0) },
        }
    }
}

/// The iterations of a kernel: kernels of one shape can be one.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    domain: Vec<Size>,
    narrowed: Narrowed,
}

impl Shape {
    fn of(func: &Func, kernel: &Kernel) -> Self {
        Self { domain: kernel.domain.clone(), narrowed: domain::of(func, kernel) }
    }
}

/// Why pairs of statements must not share a kernel.
type Reasons = BTreeMap<(Node, Node), Why>;

/// The sizes that statements mention, in their regions too.
fn mentioned(stmts: &[Stmt], sizes: &mut Vec<Size>) {
    for stmt in stmts {
        stmt.walk(&mut |stmt| stmt.op.for_each_size(&mut |size| sizes.push(size.clone())));
    }
}

/// The array of subscripts that a statement makes.
fn index_array(item: &Item) -> Option<Value> {
    let makes = matches!(item.stmt.op, Op::Range { .. } | Op::Linspace(..));
    item.stmt.results.first().copied().filter(|_| makes)
}

/// Pairs of kernels from pairs of statements; of several reasons for a pair the first is kept. Host statements around kernels are no news.
fn apart(
    stopped: &[compose::Stopped],
    kernel_of: &dyn Fn(Node) -> Option<u32>,
    reasons: &Reasons,
    labels: &[Origin],
) -> Vec<Apart> {
    let mut pairs: BTreeMap<(u32, u32), Why> = BTreeMap::new();
    for s in stopped {
        let why = match &s.stop {
            Stop::NotFriendly(_) => continue,
            Stop::Spaces(..) => Why::Sizes,
            Stop::Prevented(a, b, _) => match reasons.get(&(*a, *b)) {
                Some(why) => why.clone(),
                None => continue,
            },
            Stop::Cycle(node) => Why::Waits(labels[node.0 as usize].clone()),
            Stop::Registers { needed, limit } => Why::Registers { needed: *needed, limit: *limit },
            Stop::Memory { needed, limit } => Why::Memory { needed: *needed, limit: *limit },
            Stop::NoBenefit(_) => Why::NoGain,
        };
        if let (Some(a), Some(b)) = (kernel_of(s.from), kernel_of(s.to)) {
            pairs.entry((a.min(b), a.max(b))).or_insert(why);
        }
    }
    pairs.into_iter().map(|((first, second), why)| Apart { first, second, why }).collect()
}

/// Every symbol's value when memory is estimated.
const NOMINAL_SIZE: i64 = 1000;
