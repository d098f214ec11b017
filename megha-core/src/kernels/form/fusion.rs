//! Which kernels over one space must not be one: fusion-preventing and sibling edges of the graph.

use super::super::compose::{Graph, Node};
use super::super::index_form::{Form, Forms, extents, lie_apart, never_same, same_element};
use super::super::report::Why;
use super::super::second_place::covers_most;
use super::super::unit::Unit;
use super::{Former, Item, Reasons, Shape};
use crate::hash::HashMap;
use crate::ir::{Mem, Op, Out, Region, Size, Value};
use std::collections::BTreeSet;

/// What a kernel does to an array.
struct Touch {
    array: Value,
    /// The array whose memory it has.
    memory: Value,
    element: Vec<Form>,
    writes: bool,
}

/// What pairs of kernels are asked about.
struct Asked<'a> {
    unit: &'a Unit,
    shape: Shape,
    /// The numbers of iterations of its loops.
    extents: Vec<Form>,
    touches: Vec<Touch>,
    /// The arrays that it reads.
    reads: BTreeSet<Value>,
    /// The results of its reductions.
    reduced: Vec<Value>,
    /// The values from outside in its body, if some kernel reduces.
    scalars: BTreeSet<Value>,
}

impl Former<'_> {
    /// Fusion-preventing edges between kernels over one space, and sibling edges.
    pub(super) fn pairs(&self, items: &[Item], graph: &mut Graph) -> Reasons {
        let mut reasons = Reasons::new();
        let asked = self.asked(items);
        let mut readers: HashMap<Value, Vec<usize>> = HashMap::default();
        for (number, kernel) in asked.iter().enumerate() {
            for array in kernel.iter().flat_map(|k| &k.reads) {
                readers.entry(*array).or_default().push(number);
            }
        }
        for (a, one) in asked.iter().enumerate() {
            let Some(one) = one else { continue };
            // For each kernel how many arrays it reads that this one reads too.
            let mut shared = vec![0; asked.len()];
            one.reads.iter().flat_map(|array| &readers[array]).for_each(|b| shared[*b] += 1);
            for (b, two) in asked.iter().enumerate().skip(a + 1) {
                let Some(two) = two else { continue };
                let (na, nb, shared) = (Node(a as u32), Node(b as u32), shared[b]);
                // Kernels over other spaces are apart in any case; the edge is there to say so.
                let met = one.shape == two.shape;
                if let Some(reason) = met.then(|| self.prevents(one, two)).flatten() {
                    graph.prevent_fusion(na, nb, reason.to_string());
                    reasons.insert((na, nb), reason);
                } else if shared > 0 {
                    graph.add_sibling(na, nb, shared);
                }
            }
        }
        reasons
    }

    fn asked<'a>(&self, items: &'a [Item]) -> Vec<Option<Asked<'a>>> {
        let units = || items.iter().filter_map(|item| item.unit.as_ref());
        // The memory behind the versions of an updated array.
        let mut root: HashMap<Value, Value> = HashMap::default();
        for unit in units() {
            for (out, result) in unit.kernel.outs.iter().zip(&unit.results) {
                if let Some(old) = out.updated() {
                    let base = *root.get(&old).unwrap_or(&old);
                    root.insert(*result, base);
                }
            }
        }
        let some_reduce = units().any(|unit| reduced_axes(unit).is_some());
        let ask = |unit: &'a Unit| {
            let touches = self.touches(unit, &root);
            let reads = touches.iter().filter(|t| !t.writes).map(|t| t.array).collect();
            let scalars =
                if some_reduce { unit.kernel.body.free_values().into_iter().collect() } else { BTreeSet::new() };
            Asked {
                unit,
                shape: Shape::of(self.func, &unit.kernel),
                extents: extents(&self.func.symbols, &unit.kernel.domain),
                touches,
                reads,
                reduced: reductions(unit),
                scalars,
            }
        };
        items.iter().map(|item| item.unit.as_ref().map(ask)).collect()
    }

    /// Why the second kernel cannot follow the first in the same iteration.
    fn prevents(&self, one: &Asked<'_>, two: &Asked<'_>) -> Option<Why> {
        let origin = |v: Value| self.origins.get(self.func, v);
        if let (Some(a), Some(b)) = (reduced_axes(one.unit), reduced_axes(two.unit))
            && a != b
        {
            return Some(Why::Axes);
        }
        // In a reduction what a loop carries would lie in tiles, not in registers.
        let loops = |asked: &Asked<'_>| asked.unit.results.iter().any(|v| self.of_loops.contains(v));
        let reduces = |asked: &Asked<'_>| reduced_axes(asked.unit).is_some();
        if loops(one) && reduces(two) || reduces(one) && loops(two) {
            return Some(Why::NoGain);
        }
        let (a, b) = (&one.touches, &two.touches);
        if let Some(v) = one.reduced.iter().find(|v| two.scalars.contains(v) || b.iter().any(|t| t.array == **v)) {
            return Some(Why::Reduction(origin(*v)));
        }
        for x in a {
            for y in b {
                if x.memory != y.memory || !(x.writes || y.writes) {
                    continue;
                }
                if x.writes && !y.writes && y.array != x.array && !made_by(one.unit, y.array) {
                    return Some(Why::OldVersion(origin(y.array)));
                }
                let (e, f) = (&x.element, &y.element);
                let within = same_element(e, f) || never_same(e, f) || lie_apart(e, f, &one.extents);
                if !within && !self.reads_old_state((one, x), (two, y)) {
                    return Some(Why::OtherElement(origin(x.memory)));
                }
            }
        }
        // The version in between would have to be kept.
        let updates = |r: &Value| two.unit.kernel.outs.iter().any(|o| o.updated() == Some(*r));
        if let Some(v) = one.unit.results.iter().find(|r| updates(r))
            && self.uses.get(v).copied().unwrap_or(0) > 1 + usize::from(b.iter().any(|t| t.array == *v && !t.writes))
        {
            return Some(Why::Between(origin(*v)));
        }
        None
    }

    /// Whether the first only reads the state of an array that the second updates, nearly all of it: then one kernel reads that state
    /// and stores the next in another place, where else what is read would be a new array.
    fn reads_old_state(&self, (one, x): (&Asked<'_>, &Touch), (two, y): (&Asked<'_>, &Touch)) -> bool {
        let mut outs = two.unit.kernel.outs.iter().zip(&two.unit.results);
        let updates = outs.any(|(out, result)| *result == y.array && out.updated() == Some(x.array));
        y.writes
            && !x.writes
            && updates
            && !made_by(one.unit, x.array)
            && covers_most(self.func, &two.unit.kernel, y.array)
    }

    fn touches(&self, unit: &Unit, root: &HashMap<Value, Value>) -> Vec<Touch> {
        let counted = |v: Value| self.symbol_of.get(&v).map(|sym| Op::Size(Size::sym(*sym)));
        let outer = |v: Value| self.defs.get(v).cloned().or_else(|| counted(v));
        let forms = Forms::of(&unit.kernel.body.params, &outer, &unit.kernel.body.stmts);
        let mut touches = Vec::new();
        collect_touches(&unit.kernel.body, unit, &forms, &outer, &mut touches);
        for touch in &mut touches {
            touch.memory = *root.get(&touch.array).unwrap_or(&touch.array);
        }
        touches
    }
}

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

fn collect_touches(
    region: &Region,
    unit: &Unit,
    forms: &Forms,
    outer: &dyn Fn(Value) -> Option<Op>,
    touches: &mut Vec<Touch>,
) {
    region.walk(&mut |stmt| {
        let (array, subs, writes) = match &stmt.op {
            Op::Load(Mem::In(array), subs) => (*array, subs, false),
            Op::Load(Mem::Out(out), subs) => (unit.results[*out], subs, false),
            Op::Put(out, subs, _) => (unit.results[*out], subs, true),
            _ => return,
        };
        touches.push(Touch { array, memory: array, element: forms.all(subs, outer), writes });
    });
}
