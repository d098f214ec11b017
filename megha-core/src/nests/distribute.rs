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
    let part = |group: Range<usize>| match group.len() {
        2..=MOST_UNITS => components(group, &|first, second| {
            let must_follow = together(first, second);
            Edges { there: must_follow || forwards(first, second), back: must_follow || back(first, second) }
        }),
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

/// Whether the second of two units must wait for the first, and the first for the second.
struct Edges {
    there: bool,
    back: bool,
}

/// The strongly connected components of units, each behind those that it waits for and else as the program has them.
fn components(units: Range<usize>, edges: &dyn Fn(usize, usize) -> Edges) -> Vec<Vec<usize>> {
    let (from, count) = (units.start, units.len());
    let mut reaches = vec![vec![false; count]; count];
    for (first, second) in (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second))) {
        let found = edges(from + first, from + second);
        reaches[first][second] = found.there;
        reaches[second][first] = found.back;
    }
    for (through, a, b) in (0..count).flat_map(|t| (0..count).flat_map(move |a| (0..count).map(move |b| (t, a, b)))) {
        reaches[a][b] |= reaches[a][through] && reaches[through][b];
    }
    let mut left: Vec<usize> = (0..count).collect();
    let mut found = Vec::new();
    let is_free =
        |unit: usize, left: &[usize]| left.iter().all(|other| reaches[unit][*other] || !reaches[*other][unit]);
    while let Some(first) = left.iter().copied().find(|unit| is_free(*unit, &left)) {
        let (part, rest) =
            left.into_iter().partition(|unit| *unit == first || reaches[first][*unit] && reaches[*unit][first]);
        let part: Vec<usize> = part;
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
