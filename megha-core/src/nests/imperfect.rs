//! Interchange of imperfect nests: the loop that is to be the outermost may be another one for each statement.
//!
//! ```text
//! for i { for j < i { for k < j { S(i, j, k) }  T(i, j) }  for j >= i { for k < i { U(i, j, k) } } }
//!     becomes     for t { for i > t { T(i, t) }  for i > t { for j in t+1..=i { S(i, j, t) } }  for i > t { for j > i { U(i, j, t) } } }
//! ```
//!
//! The first is an elimination that looks left: each element gathers all that comes before it, and nothing is parallel. The second looks
//! right: what is done is taken from all that lies behind it at once (J. Dongarra, F. Gustavson, A. Karp, "Implementing Linear Algebra
//! Algorithms for Dense Matrices on a Vector Pipeline Machine", 1984). Every statement's instances are numbered by one of the loops around
//! it, its *time*; the new outermost loop goes through the times, and in each the statements come one after the other, each under its other loops in
//! their order. It is the part of affine scheduling that needs no more than loops as rows of a schedule (P. Feautrier, "Some Efficient
//! Solutions to the Affine Scheduling Problem", II, 1992).
//!
//! Legal is a choice if no dependence goes to an earlier time, and those within a time lead from one statement to one behind it; the
//! instances of one statement within a time keep their order. Updates by one operation have none between them ([`super::updates`]). A choice is
//! made where the outermost loop and those around it carry dependences, some statement is under two more loops that were not both parallel
//! and now are, as are all other loops inside, and no loop goes through rows here and columns there (as one would in Cholesky's: one of
//! the two would jump through memory). Else it is made where nothing was parallel inside, and the outer one of the two loops is then:
//! Cholesky's column by column, with a sum in each row, which then gets blocks ([`super::blocks`]).
//! A statement under one more loop is turned if this one goes through rows and columns, and the other does not:
//!
//! ```text
//! for j { T(j)  for k < j { c(j) = max(c(j), t(i, k) + t(k, j)) } }     becomes     for t { T(t)  for j > t { c(j) = max(c(j), t(i, t) + t(t, j)) } }
//! ```
//!
//! What is not turned as a whole may have inner loops that are.
//!
//! The bounds of the other loops follow from that of the time ([`super::ranges`]).

use super::dependence::{Prepared, TIME, carried, pairs};
use super::dimensions::{dimensions, keeps_dimensions};
use super::distribute::{scalar_flow, with_glue};
use super::permute::is_long;
use super::ranges::{Placed, Range, ranges};
use super::tree::{Frame, Loop, Node};
use super::unite::united;
use crate::affine::{self, Direction, Domain, LinExpr};
use crate::hash::HashMap;
use crate::ir::Op;
use crate::kernels::accesses::Counted;
use std::rc::Rc;

/// More groups of statements,
const MOST_LEAVES: usize = 6;
/// loops around one,
const DEEPEST: usize = 4;
/// or accesses in all are not looked at.
const MOST_SITES: usize = 24;

/// Statements that follow each other, with the loops around them.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// The loops without their bodies, outermost first.
    pub loops: Vec<Loop>,
    /// Where in the body of the one before each loop stands.
    path: Vec<usize>,
    /// The statements, with what they need of the loops' own scalar ones.
    pub nodes: Vec<Node>,
}

/// A loop in a nest that is to be turned.
pub(super) struct Turned {
    /// Where in the body of the one before each of the loops around it stands, and it in that of the last; for the outermost none.
    pub path: Vec<usize>,
    /// The groups of statements in the order in which each time does them.
    pub placed: Vec<Placed>,
}

/// The loops of a nest that are to be turned.
pub(super) fn run(frame: &Frame<'_>, outermost: &Loop, outer: &[Counted]) -> Vec<Turned> {
    if let Some(placed) = turned(frame, outermost, outer) {
        return vec![Turned { path: Vec::new(), placed }];
    }
    let here = [outer, &[outermost.counted()]].concat();
    let inside = |(at, node): (usize, &Node)| match node {
        Node::Loop(nested) => {
            let found = run(frame, nested, &here);
            found
                .into_iter()
                .map(|Turned { path, placed }| Turned { path: [&[at], &path[..]].concat(), placed })
                .collect()
        }
        Node::Stmt(_) => Vec::new(),
    };
    outermost.body.iter().enumerate().flat_map(inside).collect()
}

/// The groups of statements of a nest in the order in which each time does them, if it is to be turned.
fn turned(frame: &Frame<'_>, outermost: &Loop, outer: &[Counted]) -> Option<Vec<Placed>> {
    if !is_long(outermost) {
        return None;
    }
    let leaves = candidates(frame, outermost, outer)?;
    let here = [outer, &[outermost.counted()]].concat();
    if carried(frame, &frame.sites(&outermost.body, &here), here.len()).contains(&false) {
        return None;
    }
    let accesses: Vec<_> = leaves.iter().map(|leaf| accesses(frame, leaf, outer)).collect();
    let mut search = Search::new(&leaves, &accesses, outer.len());
    let (times, edges) = [Inside::Parallel, Inside::FirstParallel].into_iter().find_map(|inside| {
        leaves.iter().any(|leaf| gains(frame, leaf, outer, inside)).then(|| search.run(frame, inside)).flatten()
    })?;
    let ranges_of = |at: usize| ranges(frame, (outer, outermost), &leaves[at].loops, times[at]);
    let ranges: Vec<Vec<Range>> = (0..leaves.len()).map(ranges_of).collect::<Option<_>>()?;
    let mut placed: Vec<Option<(Leaf, Vec<Range>)>> = leaves.into_iter().zip(ranges).map(Some).collect();
    let mut groups: Vec<(Vec<usize>, Placed)> = Vec::new();
    for at in in_order(&edges, placed.len())? {
        let (Leaf { loops, nodes, .. }, ranges) = placed[at].take()?;
        let own = Placed { loops, nodes, time: times[at], ranges };
        // It may come before those that it does not wait for.
        let waits_for =
            |(leaves, _): &&mut (Vec<usize>, Placed)| leaves.iter().any(|leaf| edges.contains(&(*leaf, at)));
        let mut before = groups.iter_mut().rev().take_while(|group| !waits_for(group));
        let both = before.find_map(|group| Some((united(frame, (outer, outermost), &group.1, &own)?, group)));
        match both {
            Some((both, group)) => {
                group.0.push(at);
                group.1 = both;
            }
            None => groups.push((vec![at], own)),
        }
    }
    Some(groups.into_iter().map(|(_, placed)| placed).collect())
}

/// The leaves of a nest that may be turned, one at least in two loops; one alone in more is the part of [`super::permute`] and [`super::triangular`].
fn candidates(frame: &Frame<'_>, outermost: &Loop, outer: &[Counted]) -> Option<Vec<Leaf>> {
    let mut leaves = Vec::new();
    gather(frame, outermost, (&[], &[], &[]), &mut leaves)?;
    let depth = leaves.iter().map(|leaf| leaf.loops.len()).max()?;
    // The time of statements under the outermost loop alone has nothing inside, in which they could be renamed.
    let bare = leaves.iter().filter(|leaf| leaf.loops.len() == 1);
    let sites: usize = leaves.iter().map(|leaf| frame.sites(&leaf.nodes, outer).len()).sum();
    let fewest = if depth == 2 { 1 } else { 2 };
    let fits = (fewest..=MOST_LEAVES).contains(&leaves.len()) && (2..=DEEPEST).contains(&depth) && sites <= MOST_SITES;
    (fits && bare.count() < 2).then_some(leaves)
}

/// What is around a part of a nest: the loops, the place of each, and their scalar statements.
type Around<'a> = (&'a [Loop], &'a [usize], &'a [Node]);

/// Finds the leaves under a loop; `None` if a scalar goes from one to another, or a statement is none that may be moved.
fn gather(frame: &Frame<'_>, inner: &Loop, (loops, path, glue): Around<'_>, found: &mut Vec<Leaf>) -> Option<()> {
    let head = Loop { body: Vec::new(), ..inner.clone() };
    let loops = [loops, &[head]].concat();
    let all = [glue, &inner.body].concat();
    let is_unit = |node: &Node| !node.is_glue(frame) && !is_test(frame, node);
    let units: Vec<usize> = (0..all.len()).filter(|at| is_unit(&all[*at])).collect();
    let is_loop = |unit: usize| matches!(all[units[unit]], Node::Loop(_));
    let groups: Vec<Vec<usize>> = groups(units.len(), &is_loop);
    let together = |a: usize, b: usize| groups.iter().any(|group| group.contains(&a) && group.contains(&b));
    if scalar_flow(frame, &all, &units).iter().any(|(from, to)| !together(*from, *to)) {
        return None;
    }
    let scalars: Vec<Node> = all.iter().filter(|node| node.is_glue(frame)).cloned().collect();
    for group in groups {
        let part: Vec<usize> = group.iter().map(|unit| units[*unit]).collect();
        if let (Node::Loop(nested), [at]) = (&all[part[0]], &part[..]) {
            gather(frame, nested, (&loops, &[path, &[*at]].concat(), &scalars), found)?;
            continue;
        }
        let nodes = with_glue(frame, &all, &part);
        if !nodes.iter().all(Node::is_movable) {
            return None;
        }
        found.push(Leaf { loops: loops.clone(), path: [path, &[part[0]]].concat(), nodes });
    }
    Some(())
}

/// Whether a node reads an element for the sake of a test that has been made.
fn is_test(frame: &Frame<'_>, node: &Node) -> bool {
    let Node::Stmt(stmt) = node else { return false };
    matches!(stmt.op, Op::Index { checked: false, .. }) && frame.contents.unused.contains(&stmt.results[0])
}

/// Numbers of units in groups: each loop alone, statements with those next to them.
fn groups(count: usize, is_loop: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for unit in 0..count {
        match groups.last_mut() {
            Some(group) if !is_loop(unit) && !is_loop(unit - 1) => group.push(unit),
            _ => groups.push(vec![unit]),
        }
    }
    groups
}

/// What is asked of the loops of a leaf that are not its time, of two and more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// All are parallel.
    Parallel,
    /// The outermost of them is.
    FirstParallel,
}

/// Whether a leaf has less than this inside of the outermost loop as it is.
fn gains(frame: &Frame<'_>, leaf: &Leaf, outer: &[Counted], inside: Inside) -> bool {
    let here = around(leaf, outer);
    let carries = carried(frame, &frame.sites(&leaf.nodes, &here), here.len());
    let mut within = carries[outer.len() + 1..].iter();
    match (&leaf.loops[..], inside) {
        ([] | [_], _) | ([_, _], Inside::FirstParallel) => false,
        ([first, second], Inside::Parallel) => {
            let dimensions = |head: &Loop| dimensions(frame, &leaf.nodes, head.counter).map_or(0, |found| found.len());
            carries[outer.len() + 1] && dimensions(first) == 1 && dimensions(second) > 1
        }
        (_, Inside::Parallel) => within.any(|carries| *carries),
        (_, Inside::FirstParallel) => within.all(|carries| *carries),
    }
}

fn around(leaf: &Leaf, outer: &[Counted]) -> Vec<Counted> {
    outer.iter().cloned().chain(leaf.loops.iter().map(Loop::counted)).collect()
}

fn accesses(frame: &Frame<'_>, leaf: &Leaf, outer: &[Counted]) -> Vec<Rc<Prepared>> {
    let sites = frame.sites(&leaf.nodes, &around(leaf, outer));
    frame.found.borrow_mut().prepared(frame.func, &sites)
}

/// The search for a time for each leaf.
struct Search<'s> {
    leaves: &'s [Leaf],
    accesses: &'s [Vec<Rc<Prepared>>],
    /// The number of loops around the nest.
    outer: usize,
    /// For each leaf the loops that may be its time as far as it alone is concerned, the innermost first: elements gather over that one.
    choices: Vec<Vec<usize>>,
    /// What has been found of two leaves with their times: each pair is compared once, however many choices it is part of.
    known: HashMap<[Timed; 2], Option<Edges>>,
}

/// A leaf with the loop that is its time.
type Timed = (usize, usize);

/// Pairs of leaves of which within a time the first must come before the second.
type Edges = Vec<(usize, usize)>;

impl<'s> Search<'s> {
    fn new(leaves: &'s [Leaf], accesses: &'s [Vec<Rc<Prepared>>], outer: usize) -> Self {
        Self { leaves, accesses, outer, choices: Vec::new(), known: HashMap::default() }
    }

    /// Times for the leaves, and which of these must come before others within a time; there is an order in which they do.
    fn run(&mut self, frame: &Frame<'_>, inside: Inside) -> Option<(Vec<usize>, Edges)> {
        let may_be = |at: usize, time: &usize| {
            keeps_dimensions(frame, &self.leaves[at], *time) && self.keeps_parallel((at, *time), inside)
        };
        let of_leaf = |at: usize| (0..self.leaves[at].loops.len()).rev().filter(|time| may_be(at, time)).collect();
        self.choices = (0..self.leaves.len()).map(of_leaf).collect();
        let (times, edges) = self.complete(Vec::new())?;
        in_order(&edges, self.leaves.len()).map(|_| (times, edges))
    }

    /// Times for all leaves, of which the first have theirs, and the edges of those that follow with all before them.
    fn complete(&mut self, times: Vec<usize>) -> Option<(Vec<usize>, Edges)> {
        let next = times.len();
        let Some(choices) = self.choices.get(next).cloned() else { return Some((times, Edges::new())) };
        choices.into_iter().find_map(|time| {
            let mut edges = Edges::new();
            for (before, its_time) in times.iter().enumerate() {
                edges.extend(self.between((before, *its_time), (next, time))?);
            }
            let (all, rest) = self.complete([&times[..], &[time]].concat())?;
            Some((all, [edges, rest].concat()))
        })
    }

    fn between(&mut self, first: Timed, second: Timed) -> Option<Edges> {
        if let Some(known) = self.known.get(&[first, second]) {
            return known.clone();
        }
        let mut edges = Edges::new();
        let is_legal = self.all(first, second, &mut |relation| match relation {
            Relation::Forward => true,
            Relation::Within(edge) => {
                edges.push(edge);
                true
            }
            Relation::Carried(_) | Relation::Back => false,
        });
        let edges = is_legal.then_some(edges);
        self.known.insert([first, second], edges.clone());
        edges
    }

    /// Whether the dependences of a leaf with itself lead to no earlier time, and those within one leave its loops as parallel as they must be.
    fn keeps_parallel(&self, timed: Timed, inside: Inside) -> bool {
        let (leaf, time) = timed;
        let first = usize::from(time == 0);
        let may_carry = |at: usize| match inside {
            Inside::Parallel => false,
            Inside::FirstParallel => self.leaves[leaf].loops.len() < 3 || at > first,
        };
        self.all(timed, timed, &mut |relation| match relation {
            Relation::Forward => true,
            Relation::Carried(at) => may_carry(at),
            Relation::Within(_) | Relation::Back => false,
        })
    }

    /// Whether `f` is true of each dependence between two leaves.
    fn all(&self, first: Timed, second: Timed, f: &mut dyn FnMut(Relation) -> bool) -> bool {
        pairs(&self.accesses[first.0], &self.accesses[second.0], first == second).all(|(a, b)| {
            let (mut holds, is_ordered) = (true, a.is_ordered_with(b));
            self.compare((first, a), (second, b), &mut |relation| {
                // What may change places may still not run at once.
                holds &= !is_ordered && !matches!(relation, Relation::Carried(_)) || f(relation);
            });
            holds
        })
    }

    /// Calls `f` on how the times of two accesses relate in each dependence between them.
    fn compare(&self, (first, a): (Timed, &Prepared), (second, b): (Timed, &Prepared), f: &mut dyn FnMut(Relation)) {
        let (p, q) = (first.0, second.0);
        let path = |leaf: usize| &self.leaves[leaf].path;
        let shared = 1 + path(p).iter().zip(path(q)).take_while(|(a, b)| a == b).count();
        let common = self.outer + shared.min(self.leaves[p].loops.len()).min(self.leaves[q].loops.len());
        let timed = |leaf: Timed, access: &Prepared| access.with_cases(|case| self.timed(leaf, case, common));
        timed(first, a).each_pair(&timed(second, b), common + 1, &mut |pair| {
            for dependence in pair.dependences_inside(self.outer) {
                let (time, program) = (dependence.directions[common], &dependence.directions[self.outer..common]);
                let carrier = program.iter().position(|direction| *direction != Direction::Equal);
                let direction = carrier.map(|at| program[at]);
                f(match (direction, time) {
                    (None, _) if p == q => continue,
                    (Some(Direction::Less | Direction::Greater), Direction::Equal) if p == q => {
                        Relation::Carried(carrier.unwrap_or_default())
                    }
                    (Some(Direction::Less), Direction::Less) | (Some(Direction::Greater), Direction::Greater) => {
                        Relation::Forward
                    }
                    // Of two in one iteration of all common loops that comes first which stands first.
                    (None, Direction::Less) => Relation::Forward,
                    (Some(Direction::Less) | None, Direction::Equal) => Relation::Within((p, q)),
                    (Some(Direction::Greater), Direction::Equal) => Relation::Within((q, p)),
                    (Some(Direction::Any | Direction::Equal), _) | (_, Direction::Any) => Relation::Back,
                    (Some(Direction::Less) | None, Direction::Greater) => Relation::Back,
                    (Some(Direction::Greater), Direction::Less) => Relation::Back,
                });
            }
        });
    }

    /// The iterations of a leaf with their time as one more common loop.
    fn timed(&self, (_, time): Timed, case: &Domain, common: usize) -> Domain {
        let mut case = case.clone();
        let own = LinExpr::var(case.loops[self.outer + time].var);
        case.loops.insert(common, affine::Loop { var: TIME, lower: own.clone(), upper: own });
        case
    }
}

/// How a dependence goes through the times.
enum Relation {
    /// To a later one.
    Forward,
    /// To the same, of one leaf, carried by this of its loops.
    Carried(usize),
    /// To the same, from the first leaf to the second.
    Within((usize, usize)),
    /// To an earlier one, or this is not known.
    Back,
}

/// So many leaves in an order in which all edges lead forwards, as near to the program's as they permit.
fn in_order(edges: &Edges, count: usize) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::with_capacity(count);
    while order.len() < count {
        let waits = |at: usize| edges.iter().any(|(from, to)| *to == at && !order.contains(from));
        order.push((0..count).find(|at| !order.contains(at) && !waits(*at))?);
    }
    Some(order)
}
