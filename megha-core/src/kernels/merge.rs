//! Merging the kernels of a cluster into one, and scalarization (MEGHA 3.2.1.4).
//!
//! The bodies stand one after the other over the same iteration numbers. A load of what an earlier statement of the same
//! iteration has put is replaced by the value itself; an array that then is neither an in-variable nor an out-variable has
//! become a scalar.

use super::index_form::{Form, Forms, never_same, same_element};
use super::unit::Unit;
use crate::hash::HashMap;
use crate::ir::{Kernel, Mem, Op, Out, Region, Stmt, Terminator, Value};

/// Merges kernels over one domain, given in program order. If it is bounded, all have the same guard, and it is put around all they do.
pub(crate) fn merge(mut units: Vec<Unit>, bounded: bool, outer: &dyn Fn(Value) -> Option<Op>) -> Unit {
    let mut guard = None;
    for unit in units.iter_mut().filter(|_| bounded) {
        let own = without_guard(&mut unit.kernel);
        guard = match (guard, own) {
            (None, own) => own,
            (first, Some((before, _))) => {
                // The body may use what the guard is computed by.
                unit.kernel.body.stmts.splice(0..0, before);
                first
            }
            (first, None) => first,
        };
    }
    let mut units = units.into_iter();
    let Some(first) = units.next() else { unreachable!("a cluster has at least one kernel") };
    let mut merged = Merged {
        params: first.kernel.body.params.clone(),
        stmts: Vec::new(),
        outs: Vec::new(),
        results: Vec::new(),
        made: HashMap::default(),
    };
    let (domain, loc) = (first.kernel.domain.clone(), first.loc);
    let mut before = first.before.clone();
    let mut eliminated = first.eliminated.clone();
    merged.take(first);
    for unit in units {
        before.extend(unit.before.iter().cloned());
        eliminated.extend(unit.eliminated.iter().copied());
        merged.take(unit);
    }
    forward(&mut merged.stmts, &merged.params, outer);
    let region = |params, stmts| Region { params, stmts, term: Terminator::Yield(Vec::new()) };
    if let Some((mut before, cond)) = guard {
        let then = Box::new(region(Vec::new(), std::mem::take(&mut merged.stmts)));
        let op = Op::If { cond, then, els: Box::new(region(Vec::new(), Vec::new())) };
        before.push(Stmt { results: Vec::new(), op, loc });
        merged.stmts = before;
    }
    let body = region(merged.params, merged.stmts);
    let kernel = Kernel { id: 0, domain, outs: merged.outs, body };
    Unit { kernel, results: merged.results, before, eliminated, loc }
}

/// Takes the guard off a kernel: what it is computed by, and the condition.
fn without_guard(kernel: &mut Kernel) -> Option<(Vec<Stmt>, Value)> {
    let cond = kernel.guard()?.cond;
    let Some(Stmt { op: Op::If { then, .. }, .. }) = kernel.body.stmts.pop() else { return None };
    Some((std::mem::replace(&mut kernel.body.stmts, then.stmts), cond))
}

struct Merged {
    params: Vec<Value>,
    stmts: Vec<Stmt>,
    outs: Vec<Out>,
    results: Vec<Value>,
    /// Arrays that the kernel makes, and the numbers of their out-variables.
    made: HashMap<Value, usize>,
}

impl Merged {
    fn take(&mut self, unit: Unit) {
        let mut numbers = Vec::new();
        for (out, result) in unit.kernel.outs.into_iter().zip(&unit.results) {
            // An update of what this kernel makes goes on with the same memory.
            let number = match out.updated().and_then(|v| self.made.get(&v).copied()) {
                Some(number) => {
                    self.results[number] = *result;
                    number
                }
                None => {
                    self.outs.push(out);
                    self.results.push(*result);
                    self.outs.len() - 1
                }
            };
            numbers.push(number);
        }
        let renamed: HashMap<Value, Value> =
            unit.kernel.body.params.iter().copied().zip(self.params.iter().copied()).collect();
        let mut stmts = unit.kernel.body.stmts;
        self.rewrite(&mut stmts, &renamed, &numbers);
        self.stmts.extend(stmts);
        for (result, number) in unit.results.iter().zip(numbers) {
            self.made.insert(*result, number);
        }
    }

    fn rewrite(&self, stmts: &mut [Stmt], renamed: &HashMap<Value, Value>, numbers: &[usize]) {
        for stmt in stmts {
            stmt.op.for_each_operand_mut(&mut |v| *v = *renamed.get(v).unwrap_or(v));
            match &mut stmt.op {
                Op::Put(o, ..) | Op::Accumulate(o, _) | Op::Load(Mem::Out(o), _) => *o = numbers[*o],
                Op::Load(mem, _) => {
                    if let Mem::In(array) = *mem
                        && let Some(number) = self.made.get(&array)
                    {
                        *mem = Mem::Out(*number);
                    }
                }
                _ => {}
            }
            for region in stmt.op.regions_mut() {
                self.rewrite(&mut region.stmts, renamed, numbers);
                for value in region.term.values_mut() {
                    *value = *renamed.get(value).unwrap_or(value);
                }
            }
        }
    }
}

/// Replaces loads by the values that the same iteration has put there before.
fn forward(stmts: &mut Vec<Stmt>, params: &[Value], outer: &dyn Fn(Value) -> Option<Op>) {
    let forms = Forms::of(params, outer, stmts);
    let mut known: Vec<(usize, Vec<Form>, Value)> = Vec::new();
    let mut renamed: HashMap<Value, Value> = HashMap::default();
    forward_in(stmts, &forms, outer, &mut known, &mut renamed);
}

fn forward_in(
    stmts: &mut Vec<Stmt>,
    forms: &Forms,
    outer: &dyn Fn(Value) -> Option<Op>,
    known: &mut Vec<(usize, Vec<Form>, Value)>,
    renamed: &mut HashMap<Value, Value>,
) {
    for mut stmt in std::mem::take(stmts) {
        stmt.op.for_each_operand_mut(&mut |v| *v = *renamed.get(v).unwrap_or(v));
        if let Op::Load(Mem::Out(out), subs) = &stmt.op {
            let element = forms.all(subs, outer);
            if let Some((_, _, value)) = known.iter().rev().find(|(o, e, _)| o == out && same_element(e, &element)) {
                renamed.insert(stmt.results[0], *value);
                continue;
            }
        }
        if let Op::Put(out, subs, value) = &stmt.op {
            let element = forms.all(subs, outer);
            known.retain(|(o, e, _)| o != out || never_same(e, &element));
            known.push((*out, element, *value));
        }
        if stmt.op.regions().is_empty() {
            stmts.push(stmt);
            continue;
        }
        let mut put = Vec::new();
        stmt.walk(&mut |stmt| {
            if let Op::Put(out, ..) = stmt.op {
                put.push(out);
            }
        });
        let mut inside = known.clone();
        if matches!(stmt.op, Op::For { .. } | Op::While { .. }) {
            // An iteration also sees what the one before it has put.
            inside.retain(|(o, ..)| !put.contains(o));
        }
        for region in stmt.op.regions_mut() {
            forward_in(&mut region.stmts, forms, outer, &mut inside.clone(), renamed);
            for value in region.term.values_mut() {
                *value = *renamed.get(value).unwrap_or(value);
            }
        }
        // Values of a region's own puts do not leave it.
        known.retain(|(o, ..)| !put.contains(o));
        stmts.push(stmt);
    }
}
