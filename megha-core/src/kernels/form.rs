//! Kernel formation: each MATLAB basic block becomes kernels and host statements (MEGHA 3.2.1).
//!
//! Every GPU-friendly statement becomes a unit kernel, composition clusters them (Algorithm 1), each cluster becomes
//! one kernel, and the clusters are placed in a topological order of their dependences.

use super::body::Defs;
use super::compose::{self, ArrayInfo, Graph, Node, Params, Space, Statement, Stop};
use super::index_form::{Form, Forms, never_same, same_element};
use super::merge::merge;
use super::report::{Apart, BlockReport, KernelReport, Origin, Origins, Why};
use super::unit::{Unit, unit};
use crate::ir::{Func, Mem, Op, Out, Region, Size, Stmt, Terminator, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Forms the kernels of a function.
pub fn run(func: &mut Func, params: &Params) -> Vec<BlockReport> {
    let defs = Defs::of(func);
    let origins = Origins::of(func);
    let empty = Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable };
    let mut body = std::mem::replace(&mut func.body, empty);
    let mut uses = HashMap::new();
    count_uses(&body, &mut uses);
    let mut former = Former { func, defs, origins, params, uses, next_id: 0, reports: Vec::new() };
    former.region(&mut body);
    let reports = former.reports;
    func.body = body;
    reports
}

fn count_uses(region: &Region, uses: &mut HashMap<Value, usize>) {
    for stmt in &region.stmts {
        stmt.op.for_each_operand(&mut |v| *uses.entry(v).or_insert(0) += 1);
        stmt.op.regions().into_iter().for_each(|r| count_uses(r, uses));
    }
    for v in region.term.values() {
        *uses.entry(*v).or_insert(0) += 1;
    }
}

struct Former<'f> {
    func: &'f mut Func,
    defs: Defs,
    origins: Origins,
    params: &'f Params,
    uses: HashMap<Value, usize>,
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

/// What a kernel does to an array.
struct Touch {
    array: Value,
    element: Vec<Form>,
    writes: bool,
}

impl Former<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut out = Vec::new();
        let mut block = Vec::new();
        for mut stmt in std::mem::take(&mut region.stmts) {
            if matches!(stmt.op, Op::If { .. } | Op::For { .. } | Op::While { .. }) {
                self.block(std::mem::take(&mut block), &mut out);
                stmt.op.regions_mut().into_iter().for_each(|r| self.region(r));
                out.push(stmt);
            } else {
                block.push(stmt);
            }
        }
        self.block(block, &mut out);
        region.stmts = out;
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
            Err(_) => {
                // Composition is an improvement: without it each statement is a kernel of its own.
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
                uses.extend(free_values(&unit.kernel.body));
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
        let mut spaces: Vec<Vec<Size>> = Vec::new();
        let mut arrays: BTreeMap<Value, compose::Array> = BTreeMap::new();
        let mut array_of = |graph: &mut Graph, v: Value, live_out: bool, func: &Func| {
            *arrays.entry(v).or_insert_with(|| {
                let size = func.ty(v).numel().eval(&|_| NOMINAL_SIZE).max(0) as u64;
                graph.add_array(ArrayInfo { label: func.name_of(v), size, live_out })
            })
        };
        let mut inside: HashMap<Value, usize> = HashMap::new();
        for item in items {
            item.uses.iter().for_each(|v| *inside.entry(*v).or_insert(0) += 1);
        }
        let live_out = |v: Value| self.uses.get(&v).copied().unwrap_or(0) > inside.get(&v).copied().unwrap_or(0);
        let is_array = |v: Value| !self.func.ty(v).is_scalar();
        let mut defined: HashMap<Value, Node> = HashMap::new();
        let mut last_effect: Option<Node> = None;
        for item in items {
            let space = item.unit.as_ref().map(|u| &u.kernel.domain).cloned().unwrap_or_default();
            let space = spaces.iter().position(|s| *s == space).unwrap_or_else(|| {
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

    /// Fusion-preventing and sibling edges between kernels over one space.
    fn pairs(&self, items: &[Item], graph: &mut Graph) -> Reasons {
        let mut reasons = Reasons::new();
        let touches: Vec<Vec<Touch>> =
            items.iter().map(|i| i.unit.as_ref().map_or_else(Vec::new, |u| self.touches(u))).collect();
        // The memory behind the versions of an updated array.
        let mut root: HashMap<Value, Value> = HashMap::new();
        for item in items {
            if let Some(unit) = &item.unit {
                for (out, result) in unit.kernel.outs.iter().zip(&unit.results) {
                    if let Some(old) = out.updated() {
                        let base = *root.get(&old).unwrap_or(&old);
                        root.insert(*result, base);
                    }
                }
            }
        }
        let root_of = |v: Value| *root.get(&v).unwrap_or(&v);
        for (a, first) in items.iter().enumerate() {
            let Some(one) = &first.unit else { continue };
            for (b, second) in items.iter().enumerate().skip(a + 1) {
                let Some(two) = &second.unit else { continue };
                if one.kernel.domain != two.kernel.domain {
                    continue;
                }
                let (na, nb) = (Node(a as u32), Node(b as u32));
                if let Some(reason) = self.prevents(one, two, &touches[a], &touches[b], &root_of) {
                    graph.prevent_fusion(na, nb, reason.to_string());
                    reasons.insert((na, nb), reason);
                } else {
                    let shared = shared_reads(&touches[a], &touches[b]);
                    if shared > 0 {
                        graph.add_sibling(na, nb, shared);
                    }
                }
            }
        }
        reasons
    }

    /// Why the second kernel cannot follow the first in the same iteration.
    fn prevents(&self, one: &Unit, two: &Unit, a: &[Touch], b: &[Touch], root: &dyn Fn(Value) -> Value) -> Option<Why> {
        let origin = |v: Value| self.origins.get(self.func, v);
        let reduced: Vec<Value> = reductions(one);
        if let (Some(a), Some(b)) = (reduced_axes(one), reduced_axes(two))
            && a != b
        {
            return Some(Why::Axes);
        }
        let scalars = free_values(&two.kernel.body);
        if let Some(v) = reduced.iter().find(|v| scalars.contains(v) || b.iter().any(|t| t.array == **v)) {
            return Some(Why::Reduction(origin(*v)));
        }
        for x in a {
            for y in b {
                if root(x.array) != root(y.array) || !(x.writes || y.writes) {
                    continue;
                }
                if x.writes && !y.writes && y.array != x.array && !made_by(one, y.array) {
                    return Some(Why::OldVersion(origin(y.array)));
                }
                if !same_element(&x.element, &y.element) && !never_same(&x.element, &y.element) {
                    return Some(Why::OtherElement(origin(root(x.array))));
                }
            }
        }
        // The version in between would have to be kept.
        let between = one.results.iter().find(|r| two.kernel.outs.iter().any(|o| o.updated() == Some(**r)));
        if let Some(v) = between
            && self.uses.get(v).copied().unwrap_or(0) > 1 + usize::from(b.iter().any(|t| t.array == *v && !t.writes))
        {
            return Some(Why::Between(origin(*v)));
        }
        None
    }

    fn touches(&self, unit: &Unit) -> Vec<Touch> {
        let outer = |v: Value| self.defs.get(v).cloned();
        let forms = Forms::of(&unit.kernel.body.params, &outer, &unit.kernel.body.stmts);
        let mut touches = Vec::new();
        collect_touches(&unit.kernel.body, unit, &forms, &outer, &mut touches);
        touches
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
        let mut unit = merge(units, &|v| defs.get(v).cloned());
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

/// Why pairs of statements must not share a kernel.
type Reasons = BTreeMap<(Node, Node), Why>;

/// The sizes that statements mention, in their regions too.
fn mentioned(stmts: &[Stmt], sizes: &mut Vec<Size>) {
    for stmt in stmts {
        stmt.op.for_each_size(&mut |size| sizes.push(size.clone()));
        stmt.op.regions().into_iter().for_each(|r| mentioned(&r.stmts, sizes));
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

fn reductions(unit: &Unit) -> Vec<Value> {
    let reduced = |o: &Out| matches!(o, Out::Reduce(..));
    unit.kernel.outs.iter().zip(&unit.results).filter(|(o, _)| reduced(o)).map(|(_, r)| *r).collect()
}

/// The axes that a kernel's reductions combine: those of one kernel have them in common.
fn reduced_axes(unit: &Unit) -> Option<&[usize]> {
    unit.kernel.outs.iter().find_map(|out| match out {
        Out::Reduce(_, axes) => Some(axes.as_slice()),
        Out::Fresh | Out::Update(_) => None,
    })
}

fn made_by(unit: &Unit, array: Value) -> bool {
    unit.results.contains(&array)
}

fn shared_reads(a: &[Touch], b: &[Touch]) -> u32 {
    let reads = |t: &[Touch]| -> BTreeSet<Value> { t.iter().filter(|t| !t.writes).map(|t| t.array).collect() };
    reads(a).intersection(&reads(b)).count() as u32
}

fn collect_touches(
    region: &Region,
    unit: &Unit,
    forms: &Forms,
    outer: &dyn Fn(Value) -> Option<Op>,
    touches: &mut Vec<Touch>,
) {
    for stmt in &region.stmts {
        match &stmt.op {
            Op::Load(mem, subs) => {
                let array = match mem {
                    Mem::In(v) => *v,
                    Mem::Out(o) => unit.results[*o],
                };
                touches.push(Touch { array, element: forms.all(subs, outer), writes: false });
            }
            Op::Put(o, subs, _) => {
                touches.push(Touch { array: unit.results[*o], element: forms.all(subs, outer), writes: true });
            }
            op => op.regions().into_iter().for_each(|r| collect_touches(r, unit, forms, outer, touches)),
        }
    }
}

/// The values that a body uses and does not define.
fn free_values(region: &Region) -> BTreeSet<Value> {
    let mut defined = BTreeSet::new();
    let mut used = BTreeSet::new();
    fn walk(region: &Region, defined: &mut BTreeSet<Value>, used: &mut BTreeSet<Value>) {
        defined.extend(region.params.iter().copied());
        for stmt in &region.stmts {
            stmt.op.for_each_operand(&mut |v| {
                used.insert(v);
            });
            defined.extend(stmt.results.iter().copied());
            stmt.op.regions().into_iter().for_each(|r| walk(r, defined, used));
        }
        used.extend(region.term.values().iter().copied());
    }
    walk(region, &mut defined, &mut used);
    used.difference(&defined).copied().collect()
}
