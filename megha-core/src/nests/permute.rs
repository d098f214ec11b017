//! The order of the loops of a perfect nest: those that can run in parallel come first, those that carry dependences last.
//!
//! An order is legal if every dependence still goes forwards: its direction vector, permuted, begins with `<`
//! (M. Wolfe, "Optimizing Supercompilers for Supercomputers", 1989, chapter 4). Of the legal orders the one with the most leading
//! loops that carry nothing is taken, and of these the one nearest to the program's. One that has costly scalar statements computed more
//! often is not ([`crate::schedule::cost`]), nor is one in which a loop leaves those that its bounds depend on.

use super::dependence::vectors;
use super::tree::{Frame, Loop, Node, Trip};
use crate::affine::Direction;
use crate::hash::HashMap;
use crate::ir::Value;
use crate::kernels::accesses::Counted;
use crate::schedule::cost::{exchange_pays, is_short};
use crate::schedule::weight;

/// Of more loops there are too many orders.
pub(super) const DEEPEST: usize = 5;

/// Orders a loop and those inside it; says whether one has moved.
pub(super) fn run(frame: &Frame<'_>, outermost: Loop, outer: &[Counted], moved: &mut bool) -> Loop {
    let (mut heads, mut levels, body) = chain(frame, outermost);
    let loops: Vec<Counted> = heads.iter().map(Loop::counted).collect();
    let here = [outer, &loops].concat();
    let order = match heads.len() {
        2..=DEEPEST => best_order(frame, &heads, &levels, &body, (outer.len(), &here)),
        _ => None,
    };
    let ordered = |node, moved: &mut bool| match node {
        Node::Loop(nested) => Node::Loop(run(frame, nested, &here, moved)),
        Node::Stmt(_) => node,
    };
    let body: Vec<Node> = body.into_iter().map(|node| ordered(node, moved)).collect();
    if let Some(order) = order {
        *moved = true;
        let copied = heads.iter().any(|head| head.copied);
        levels = placed(frame, &heads, &levels, &order);
        heads = order.into_iter().map(|at| heads[at].clone()).collect();
        heads[0].copied = copied;
    }
    levels.last_mut().into_iter().for_each(|innermost| innermost.extend(body.iter().cloned()));
    rebuild(heads, levels)
}

/// How many leading loops of the perfect nest that begins here carry nothing in its best order, and are not known to be short: parting
/// a loop for the sake of three iterations would not pay.
pub(super) fn parallel_loops(frame: &Frame<'_>, outermost: Loop, outer: &[Counted]) -> usize {
    let (heads, glue, body) = chain(frame, outermost);
    if heads.len() > DEEPEST {
        return 0;
    }
    let loops: Vec<Counted> = heads.iter().map(Loop::counted).collect();
    let here = [outer, &loops].concat();
    best(frame, &heads, &glue, &body, (outer.len(), &here))
        .map_or(0, |(parallel, order)| order[..parallel].iter().filter(|at| is_long(&heads[**at])).count())
}

/// The loops of a perfect nest without their bodies, the glue of each, and the body of the innermost one.
pub(super) fn chain(frame: &Frame<'_>, outermost: Loop) -> (Vec<Loop>, Vec<Vec<Node>>, Vec<Node>) {
    let (mut heads, mut glue) = (Vec::new(), Vec::new());
    let mut next = outermost;
    loop {
        let body = std::mem::take(&mut next.body);
        heads.push(next);
        let mut rest = body.iter().filter(|node| !node.is_glue(frame));
        let inner = match (rest.next(), rest.next()) {
            (Some(Node::Loop(inner)), None) if frame.may_be_exchanged(inner, &heads) => inner.clone(),
            _ => {
                glue.push(Vec::new());
                return (heads, glue, body);
            }
        };
        glue.push(body.into_iter().filter(|node| node.is_glue(frame)).collect());
        next = inner;
    }
}

fn rebuild(heads: Vec<Loop>, levels: Vec<Vec<Node>>) -> Loop {
    let mut inner: Option<Loop> = None;
    for (mut head, mut nodes) in heads.into_iter().zip(levels).rev() {
        nodes.extend(inner.take().map(Node::Loop));
        head.body = nodes;
        inner = Some(head);
    }
    inner.unwrap_or_else(|| unreachable!("a nest has a loop"))
}

/// The best order if it is not the program's: for each place the loop's number.
fn best_order(
    frame: &Frame<'_>,
    heads: &[Loop],
    glue: &[Vec<Node>],
    body: &[Node],
    around: (usize, &[Counted]),
) -> Option<Vec<usize>> {
    best(frame, heads, glue, body, around).map(|(_, order)| order).filter(|order| !order.is_sorted())
}

/// The best order, and how many of its leading loops carry nothing; `None` if not all dependences are known.
pub(super) fn best(
    frame: &Frame<'_>,
    heads: &[Loop],
    glue: &[Vec<Node>],
    body: &[Node],
    (outer, here): (usize, &[Counted]),
) -> Option<(usize, Vec<usize>)> {
    let nodes: Vec<Node> = glue.iter().flatten().chain(body).cloned().collect();
    let vectors = vectors(frame, &frame.sites(&nodes, here), outer, here.len())?;
    let program: Vec<usize> = (0..heads.len()).collect();
    let mut best = (leading(&vectors, &program), program);
    for order in orders(heads.len()) {
        let parallel = leading(&vectors, &order);
        let pays = || exchange_pays(repeated(frame, heads, glue, &order), body.iter().map(work).sum());
        if parallel > best.0 && is_legal(&vectors, &order) && has_bounds(frame, heads, glue, &order) && pays() {
            best = (parallel, order);
        }
    }
    Some(best)
}

/// The glue of each level in another order of the loops: each statement stands outside of all loops that it does not depend on. A read
/// stays inside of those that it stands in: that its element exists may be known only because they run.
fn placed(frame: &Frame<'_>, heads: &[Loop], glue: &[Vec<Node>], order: &[usize]) -> Vec<Vec<Node>> {
    let mut levels = vec![Vec::new(); heads.len()];
    let mut level_of: HashMap<Value, usize> = HashMap::default();
    level_of.extend(order.iter().enumerate().map(|(level, at)| (heads[*at].counter, level)));
    let nodes = glue.iter().enumerate().flat_map(|(own, nodes)| nodes.iter().map(move |node| (own, node)));
    for (own, node) in nodes {
        let within = order.iter().rposition(|at| *at <= own);
        let mut level = within.filter(|_| node.reads()).unwrap_or(0);
        node.uses(frame.func, &mut |value| level = level.max(level_of.get(&value).copied().unwrap_or(0)));
        level_of.extend(node.defines().iter().map(|value| (*value, level)));
        levels[level].push(node.clone());
    }
    levels
}

/// Whether in another order of the loops each still stands inside of those that its bounds depend on.
pub(super) fn has_bounds(frame: &Frame<'_>, heads: &[Loop], glue: &[Vec<Node>], order: &[usize]) -> bool {
    let levels = placed(frame, heads, glue, order);
    let level_of = |value: Value| levels.iter().position(|nodes| nodes.iter().any(|n| n.defines().contains(&value)));
    order.iter().enumerate().all(|(at, head)| match heads[*head].trip {
        Trip::Size(_) => true,
        // The bound may be the counter of a loop around it, which no statement computes.
        Trip::Bounded(trip) | Trip::Value(trip) => {
            let outside = |inner: &usize| heads[*inner].counter != trip;
            order[at..].iter().all(outside) && level_of(trip).is_none_or(|level| level < at)
        }
    })
}

/// The weight of the glue that another order computes in more loops than the program does.
pub(super) fn repeated(frame: &Frame<'_>, heads: &[Loop], glue: &[Vec<Node>], order: &[usize]) -> u32 {
    let loops_of = |levels: &[Vec<Node>], order: &[usize]| -> HashMap<Value, Vec<usize>> {
        let within = |level: usize| order[..=level].to_vec();
        let each = levels.iter().enumerate();
        each.flat_map(|(level, nodes)| nodes.iter().flat_map(Node::defines).map(move |v| (*v, within(level)))).collect()
    };
    let program: Vec<usize> = (0..heads.len()).collect();
    let before = loops_of(glue, &program);
    let after = loops_of(&placed(frame, heads, glue, order), order);
    let is_repeated = |value: &Value| {
        before
            .get(value)
            .zip(after.get(value))
            .is_some_and(|(before, after)| after.iter().any(|at| !before.contains(at)))
    };
    glue.iter().flatten().filter(|node| node.defines().iter().any(is_repeated)).map(work).sum()
}

/// What a part of a nest costs each time; loops in it count once.
pub(super) fn work(node: &Node) -> u32 {
    match node {
        Node::Loop(inner) => inner.body.iter().map(work).sum(),
        Node::Stmt(stmt) => {
            let within = stmt.op.regions().into_iter().flat_map(|region| &region.stmts);
            weight(&stmt.op) + within.map(|stmt| weight(&stmt.op)).sum::<u32>()
        }
    }
}

pub(super) fn is_legal(vectors: &[Vec<Direction>], order: &[usize]) -> bool {
    vectors.iter().all(|vector| {
        let first = order.iter().map(|at| vector[*at]).find(|d| *d != Direction::Equal);
        first.is_none_or(|d| d == Direction::Less)
    })
}

/// How many leading loops carry no dependence.
pub(super) fn leading(vectors: &[Vec<Direction>], order: &[usize]) -> usize {
    order.iter().take_while(|at| vectors.iter().all(|vector| vector[**at] == Direction::Equal)).count()
}

/// Whether a loop is not known to be short.
pub(super) fn is_long(head: &Loop) -> bool {
    match &head.trip {
        Trip::Size(size) => !size.as_constant().is_some_and(is_short),
        Trip::Bounded(_) | Trip::Value(_) => true,
    }
}

/// All orders of so many loops, in lexicographic order.
pub(super) fn orders(depth: usize) -> Vec<Vec<usize>> {
    if depth == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in orders(depth - 1) {
        for at in 0..depth {
            let mut order = shorter.clone();
            order.insert(at, depth - 1);
            all.push(order);
        }
    }
    all.sort_unstable();
    all
}
