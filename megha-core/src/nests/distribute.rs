//! Maximal loop distribution: a loop around statements of which none must wait for a later iteration of one before it
//! becomes one loop for each (K. Kennedy, K. McKinley, "Loop Distribution with Arbitrary Control Flow", 1990; as the first half of a
//! normal form: L. Trümper et al., "A Priori Loop Nest Normalization", 2023).
//!
//! Inner loops first. Statements stay together where a scalar goes from one to the other or dependences lead there and back; where they only lead
//! back, the later one's loop comes first. A loop is parted only if some part can then run more loops in parallel: composition would have to
//! fuse the rest again.

use super::contents::Site;
use super::dependence::{carried, leads_back, leads_forwards};
use super::permute::parallel_loops;
use super::tree::{Frame, Loop, Node};
use crate::affine::AccessKind;
use crate::hash::HashSet;
use crate::ir::Value;
use crate::kernels::accesses::Counted;
use std::ops::Range;

/// More statements that depend on each other stay as they are.
const MOST_UNITS: usize = 8;

/// The loops that take the place of a loop under these outer ones.
pub(super) fn run(frame: &Frame<'_>, inner: Loop, outer: &[Counted]) -> Vec<Loop> {
    let here = [outer, &[inner.counted()]].concat();
    let mut body = Vec::with_capacity(inner.body.len());
    for node in inner.body {
        match node {
            Node::Loop(nested) => body.extend(run(frame, nested, &here).into_iter().map(Node::Loop)),
            Node::Stmt(_) => body.push(node),
        }
    }
    let parts = parts(frame, &body, &here);
    let head = Loop { body: Vec::new(), ..inner };
    let of_part = |(number, part): (usize, &Vec<usize>)| Loop {
        body: with_glue(frame, &body, part),
        copied: head.copied || number > 0,
        ..head.clone()
    };
    let parted: Vec<Loop> = parts.iter().enumerate().map(of_part).collect();
    let whole = Loop { body, ..head };
    if parted.len() > 1 && pays(frame, &whole, &parted, outer) { parted } else { vec![whole] }
}

/// The nodes that are no glue, in groups that must stay together, in an order in which they may run.
fn parts(frame: &Frame<'_>, body: &[Node], here: &[Counted]) -> Vec<Vec<usize>> {
    let units: Vec<usize> = (0..body.len()).filter(|at| !body[*at].is_glue(frame)).collect();
    let flows = scalar_flow(frame, body, &units);
    let sites: Vec<_> = units.iter().map(|at| frame.sites(&body[*at..=*at], here)).collect();
    // What stores nothing, such as a test, is no work for a loop of its own: it stays with what comes next, or with what came last.
    let is_idle = |first: usize, second: usize| {
        second == first + 1 && (!stores(&sites[first]) || second + 1 == units.len() && !stores(&sites[second]))
    };
    let together = |first: usize, second: usize| is_idle(first, second) || flows.contains(&(first, second));
    let back = |first: usize, second: usize| leads_back(frame, &sites[first], &sites[second], here.len());
    let forwards = |first: usize, second: usize| leads_forwards(frame, &sites[first], &sites[second], here.len());
    let groups = in_program_order(units.len(), &|first, second| together(first, second) || back(first, second));
    let waits = |unit: usize, other: usize| match unit < other {
        true => together(unit, other) || back(unit, other),
        false => together(other, unit) || forwards(other, unit),
    };
    let part = |group: Range<usize>| match group.len() {
        2..=MOST_UNITS => components(group, &waits),
        _ => vec![group.collect()],
    };
    let parts = groups.into_iter().flat_map(part);
    parts.map(|part| part.into_iter().map(|unit| units[unit]).collect()).collect()
}

/// Runs of so many units, such that two of which this is true are in one run.
fn in_program_order(count: usize, together: &dyn Fn(usize, usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut open_until = 0;
    for unit in 0..count {
        match runs.last_mut() {
            Some(run) if unit <= open_until => run.end = unit + 1,
            _ => runs.push(unit..unit + 1),
        }
        let last = (unit + 1..count).rev().find(|later| together(unit, *later));
        open_until = open_until.max(last.unwrap_or(unit));
    }
    runs
}

/// The strongly connected components of units, each behind those that it waits for and else as the program has them; `waits` says whether one must
/// wait for another, at some cost, so it is not asked what is known by way of others.
fn components(units: Range<usize>, waits: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let (from, count) = (units.start, units.len());
    // What each waits for, perhaps by way of others; it is closed after each new pair.
    let mut behind = vec![vec![false; count]; count];
    let mut pairs: Vec<(usize, usize)> = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
    // Where all are one circle, neighbours and the two ends are mostly enough to see it.
    pairs.sort_by_key(|(a, b)| if b - a == 1 { 0 } else { count - (b - a) });
    for (unit, other) in pairs.into_iter().flat_map(|(a, b)| [(b, a), (a, b)]) {
        if behind[unit][other] || !waits(from + unit, from + other) {
            continue;
        }
        for a in (0..count).filter(|a| *a == unit || behind[*a][unit]).collect::<Vec<_>>() {
            for b in (0..count).filter(|b| *b == other || behind[other][*b]).collect::<Vec<_>>() {
                behind[a][b] = true;
            }
        }
    }
    let mut left: Vec<usize> = (0..count).collect();
    let mut found = Vec::new();
    let is_free = |unit: usize, left: &[usize]| left.iter().all(|other| behind[*other][unit] || !behind[unit][*other]);
    while let Some(first) = left.iter().copied().find(|unit| is_free(*unit, &left)) {
        let is_with = |unit: &usize| *unit == first || behind[first][*unit] && behind[*unit][first];
        let (part, rest): (Vec<usize>, Vec<usize>) = left.into_iter().partition(is_with);
        found.push(part.into_iter().map(|unit| from + unit).collect());
        left = rest;
    }
    found
}

fn stores(sites: &[Site]) -> bool {
    sites.iter().any(|site| site.kind == AccessKind::Write)
}

/// Pairs of units of which the second uses a scalar of the first, perhaps by way of glue.
pub(super) fn scalar_flow(frame: &Frame<'_>, body: &[Node], units: &[usize]) -> HashSet<(usize, usize)> {
    let mut from: crate::hash::HashMap<Value, Vec<usize>> = Default::default();
    let mut flows = HashSet::default();
    for (at, node) in body.iter().enumerate() {
        let mut sources: Vec<usize> = Vec::new();
        node.uses(frame.func, &mut |value| sources.extend(from.get(&value).into_iter().flatten()));
        let unit = units.iter().position(|u| *u == at);
        if let Some(unit) = unit {
            flows.extend(sources.iter().map(|source| (*source, unit)));
            sources = vec![unit];
        }
        let scalars = node.defines().iter().filter(|v| frame.func.ty(**v).is_scalar());
        from.extend(scalars.map(|v| (*v, sources.clone())));
    }
    flows
}

/// Whether parting the loop lets loops run in parallel that could not before.
fn pays(frame: &Frame<'_>, whole: &Loop, parted: &[Loop], outer: &[Counted]) -> bool {
    if whole.body.iter().any(|node| matches!(node, Node::Loop(_))) {
        let together = parallel_loops(frame, whole.clone(), outer);
        return parted.iter().any(|part| parallel_loops(frame, part.clone(), outer) > together);
    }
    let here = [outer, &[whole.counted()]].concat();
    let of = |part: &Loop| carried(frame, &frame.sites(&part.body, &here), here.len());
    let together = of(whole);
    parted.iter().any(|part| of(part) != together)
}

/// The nodes of a part with the glue that they need, in order.
pub(super) fn with_glue(frame: &Frame<'_>, body: &[Node], part: &[usize]) -> Vec<Node> {
    let mut needed: HashSet<Value> = HashSet::default();
    let mut chosen = Vec::new();
    for (at, node) in body.iter().enumerate().rev() {
        let is_glue = node.is_glue(frame);
        if part.contains(&at) || is_glue && node.defines().iter().any(|v| needed.contains(v)) {
            node.uses(frame.func, &mut |value| {
                needed.insert(value);
            });
            chosen.push(node.clone());
        }
    }
    chosen.reverse();
    chosen
}
