//! Copies of elements: who reads a copy reads its source.
//!
//! `r = a(i, :)` is a copy of a row, a new array. In an iteration it costs little; expanded it would be a copy of the matrix.

use super::pieces::Pieces;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Func, Kernel, Mem, Op, Out, Region, Size, Stmt, Type, Value};
use crate::nests::contents::is_pure;
use crate::nests::copy::Copy;
use crate::simplify::drop_outs;

/// An array of one iteration that is a copy.
struct Source {
    /// What is copied, an array that the loop neither makes nor stores into.
    array: Value,
    subs: Vec<Value>,
    /// The dimensions of the copy, and the counter of the loop over each that is no single element.
    rank: usize,
    places: Vec<(Value, usize)>,
    /// What the subscripts are computed by.
    slice: Vec<Stmt>,
}

/// Makes the units of a loop read sources, and takes away what nothing needs any more.
pub(super) fn run(func: &mut Func, pieces: &mut Pieces<'_>) {
    let mut own: HashSet<Value> = pieces.units.iter().flat_map(|unit| unit.results.iter().copied()).collect();
    own.extend(pieces.states.keys().copied());
    own.extend(pieces.carried.iter().map(|array| array.before));
    let mut sources: HashMap<Value, Source> = HashMap::default();
    for unit in &mut pieces.units {
        read_sources(func, &sources, &mut unit.kernel.body);
        for (number, result) in unit.results.iter().enumerate() {
            if unit.kernel.outs[number] == Out::Fresh
                && let Some(source) = source(func.ty(*result), &own, &unit.kernel, number)
            {
                sources.insert(*result, source);
            }
        }
    }
    if sources.iter().next().is_some() {
        drop_unread(pieces);
    }
}

/// What a kernel copies to this out-variable.
fn source(ty: &Type, own: &HashSet<Value>, kernel: &Kernel, out: usize) -> Option<Source> {
    let stmts = &kernel.body.stmts;
    let puts = |op: &Op| matches!(op, Op::Put(number, ..) if *number == out);
    let Op::Put(_, stored, value) = &stmts.iter().find(|stmt| puts(&stmt.op))?.op else { return None };
    let is_place = |(sub, dim): (&Value, &Size)| dim.is_one() || kernel.body.params.contains(sub);
    let is_whole = stored.len() == ty.dims.len() && stored.iter().zip(&ty.dims).all(is_place);
    if ty.is_scalar() || !is_whole || kernel.body.count(puts) > 1 {
        return None;
    }
    let (array, subs) = stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Load(Mem::In(array), subs) if stmt.results == [*value] => Some((*array, subs.clone())),
        _ => None,
    })?;
    let mut slice = Vec::new();
    let mut needed: HashSet<Value> = subs.iter().copied().collect();
    for stmt in stmts.iter().rev() {
        if stmt.results.iter().any(|v| needed.contains(v)) {
            if !is_pure(&stmt.op) {
                return None;
            }
            stmt.op.for_each_operand(&mut |v| _ = needed.insert(v));
            slice.push(stmt.clone());
        }
    }
    slice.reverse();
    let known = kernel.body.params.iter().all(|param| !needed.contains(param) || stored.contains(param));
    let places = stored.iter().enumerate().filter(|(_, sub)| kernel.body.params.contains(sub));
    let places = places.map(|(axis, sub)| (*sub, axis)).collect();
    (!own.contains(&array) && known).then_some(Source { array, subs, rank: stored.len(), places, slice })
}

/// Puts loads of sources in the place of loads of copies.
fn read_sources(func: &mut Func, sources: &HashMap<Value, Source>, body: &mut Region) {
    body.map_regions(&mut |region| {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            if let Op::Load(Mem::In(array), subs) = &stmt.op
                && let Some(source) = sources.get(array).filter(|source| source.rank == subs.len())
            {
                let mut copy = Copy::new(func);
                copy.values.extend(source.places.iter().map(|(counter, axis)| (*counter, subs[*axis])));
                stmts.extend(source.slice.iter().map(|stmt| copy.stmt(stmt)));
                let load = Stmt { op: Op::Load(Mem::In(source.array), source.subs.clone()), ..stmt.clone() };
                let load = copy.stmt(&load);
                stmt.op = load.op;
            }
            stmts.push(stmt);
        }
        region.stmts = stmts;
    });
}

/// Takes away results that nothing reads.
fn drop_unread(pieces: &mut Pieces<'_>) {
    let mut used: HashSet<Value> = pieces.states.keys().copied().collect();
    for stmt in &pieces.glue {
        stmt.op.for_each_operand(&mut |v| _ = used.insert(v));
    }
    if let Some(test) = pieces.computed {
        test.op.for_each_operand(&mut |v| _ = used.insert(v));
    }
    for unit in &pieces.units {
        used.extend(unit.kernel.body.free_values());
        used.extend(unit.kernel.outs.iter().filter_map(Out::updated));
    }
    pieces.units.retain_mut(|unit| {
        drop_outs(&mut unit.kernel, &mut unit.results, &used);
        unit.results.iter().any(|result| used.contains(result))
    });
}
