//! Which kernels over one space must not be one: fusion-preventing and sibling edges of the graph.

use super::super::compose::{Graph, Node};
use super::super::index_form::{Form, Forms, never_same, same_element};
use super::super::report::Why;
use super::super::unit::Unit;
use super::{Former, Item, Reasons};
use crate::hash::HashMap;
use crate::ir::{Mem, Op, Out, Region, Value};
use std::collections::BTreeSet;

/// What a kernel does to an array.
struct Touch {
    array: Value,
    element: Vec<Form>,
    writes: bool,
}

impl Former<'_> {
    /// Fusion-preventing edges between kernels over one space, and sibling edges.
    pub(super) fn pairs(&self, items: &[Item], graph: &mut Graph) -> Reasons {
        let mut reasons = Reasons::new();
        let touches: Vec<Vec<Touch>> =
            items.iter().map(|i| i.unit.as_ref().map_or_else(Vec::new, |u| self.touches(u))).collect();
        let read = |list: &Vec<Touch>| list.iter().filter(|t| !t.writes).map(|t| t.array).collect::<BTreeSet<Value>>();
        let reads: Vec<BTreeSet<Value>> = touches.iter().map(read).collect();
        // The memory behind the versions of an updated array.
        let mut root: HashMap<Value, Value> = HashMap::default();
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
                let (na, nb) = (Node(a as u32), Node(b as u32));
                let shared = reads[a].intersection(&reads[b]).count() as u32;
                if one.kernel.domain != two.kernel.domain {
                    // Their spaces keep them apart; the edge is there to say so.
                    if shared > 0 {
                        graph.add_sibling(na, nb, shared);
                    }
                    continue;
                }
                if let Some(reason) = self.prevents(one, two, &touches[a], &touches[b], &root_of) {
                    graph.prevent_fusion(na, nb, reason.to_string());
                    reasons.insert((na, nb), reason);
                } else if shared > 0 {
                    graph.add_sibling(na, nb, shared);
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
        let scalars = if reduced.is_empty() { BTreeSet::new() } else { free_values(&two.kernel.body) };
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
pub(super) fn free_values(region: &Region) -> BTreeSet<Value> {
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
