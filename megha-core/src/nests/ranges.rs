//! The bounds of the loops of an imperfect nest in which another loop has become the outermost ([`super::imperfect`]), and the new nest.
//!
//! Let `t < e` be the end of the loop that has become the time, all loops counting from zero. Where `e` is `l + r`, with the counter `l` of
//! another loop, that loop begins at `t - r + 1`; where it is `r - l`, it ends before `r - t`. A loop whose end is then not known to
//! lie behind its beginning, as that of `j < i` with `j > t`, has the loop around it begin later. Iterations are neither lost nor won:
//! what begins later had no iterations inside.

use super::Copied;
use super::points::is_known;
use super::tree::{Frame, Loop, Node, Trip};
use crate::affine::{LinExpr, System, Var};
use crate::hash::HashMap;
use crate::ir::{Func, Op, Size, Stmt, Sym, Value};
use crate::kernels::accesses::{AffineView, Atom, Counted, Definitions, Sum, new_counter, symbol_of};

/// The iterations of a loop: those from `start` to before `start + trip`, in counters of the loops around it, the time among them.
#[derive(Debug)]
pub(super) struct Range {
    pub start: Sum,
    pub trip: Sum,
}

impl Range {
    /// So many iterations from a start on, if the numbers are so small that nothing wraps around.
    pub fn of(view: &AffineView<'_>, start: &LinExpr, trip: &LinExpr) -> Option<Self> {
        let is_exact = |expr: &LinExpr| expr.checked_scale(4).is_some_and(|expr| view.is_exact(&expr));
        (is_exact(start) && is_exact(trip)).then(|| Self { start: Sum::of(view, start), trip: Sum::of(view, trip) })
    }
}

/// Statements in a nest that has another outermost loop.
#[derive(Debug)]
pub(super) struct Placed {
    /// The loops without their bodies, outermost first.
    pub loops: Vec<Loop>,
    pub nodes: Vec<Node>,
    /// Which of the loops has become the outermost, whose iterations are times.
    pub time: usize,
    /// The iterations of each of the others, which depend on those around it and on the time.
    pub ranges: Vec<Range>,
}

/// The ranges of these loops but that at `time`, which goes through the iterations of the `outermost`; this one stands under the `outer` ones.
pub(super) fn ranges(
    frame: &Frame<'_>,
    (outer, outermost): (&[Counted], &Loop),
    loops: &[Loop],
    time: usize,
) -> Option<Vec<Range>> {
    let mut found = frame.found.borrow_mut();
    let mut bounds = Bounds::new(frame, &mut found.view, (outer, outermost, loops), time)?;
    bounds.by_time()?;
    bounds.with_iterations()?;
    bounds.ranges()
}

/// Makes a counter one of the numbers from a start to before an end.
pub(super) fn within(system: &mut System, var: Var, (start, end): (&LinExpr, &LinExpr)) {
    let var = LinExpr::var(var);
    let sides = [var.checked_sub(start), end.checked_sub(&var).and_then(|room| room.checked_offset(-1))];
    sides.into_iter().flatten().for_each(|side| {
        system.require_nonnegative(side);
    });
}

/// What is known of all that is no counter of these loops, of which the outermost has so many iterations, under these outer ones.
pub(super) fn facts(view: &mut AffineView<'_>, (outer, loops): (&[Counted], &[Counted]), times: &LinExpr) -> System {
    let domain = view.domain(&[outer, loops].concat(), [times]);
    let mut known = System::new();
    let (around, inside) = domain.loops.split_at(outer.len().min(domain.loops.len()));
    for around in around {
        let var = LinExpr::var(around.var);
        let sides = [var.checked_sub(&around.lower), around.upper.checked_sub(&var)];
        sides.into_iter().flatten().for_each(|side| {
            known.require_nonnegative(side);
        });
    }
    let is_free = |fact: &LinExpr| inside.iter().all(|l| fact.coefficient(l.var) == 0);
    for (fact, is_zero) in domain.assumptions.constraints().filter(|(fact, _)| is_free(fact)) {
        if is_zero {
            known.require_zero(fact.clone())
        } else {
            known.require_nonnegative(fact.clone())
        };
    }
    known
}

struct Bounds<'b, 'f> {
    view: &'b mut AffineView<'f>,
    loops: Vec<Counted>,
    vars: Vec<Var>,
    /// Where each loop begins and ends.
    starts: Vec<LinExpr>,
    ends: Vec<LinExpr>,
    time: usize,
    /// How many times there are.
    times: LinExpr,
    /// What is known of all that is no counter.
    known: System,
}

impl<'b, 'f> Bounds<'b, 'f> {
    fn new(
        frame: &Frame<'_>,
        view: &'b mut AffineView<'f>,
        (outer, outermost, loops): (&[Counted], &Loop, &[Loop]),
        time: usize,
    ) -> Option<Self> {
        let times = outermost.trip.expr(view)?;
        let ends: Vec<LinExpr> = loops.iter().map(|head| head.trip.expr(view)).collect::<Option<_>>()?;
        let vars: Vec<Var> = loops.iter().map(|head| view.var(Atom::Value(head.counter))).collect();
        let counted: Vec<Counted> = loops.iter().map(Loop::counted).collect();
        let around = [outer, &counted].concat();
        // No minimum, for one, of something that varies: its symbol would go on to stand for the old numbers.
        if !ends.iter().flat_map(LinExpr::terms).all(|(var, _)| is_known(frame, view, &around, var)) {
            return None;
        }
        // Every iteration has its time.
        let left = times.checked_sub(&ends[time])?;
        if !view.never_negative(&around[..outer.len() + time], &left) {
            return None;
        }
        let known = facts(view, (outer, &counted), &times);
        let starts = vec![LinExpr::default(); loops.len()];
        Some(Self { view, loops: counted, vars, starts, ends, time, times, known })
    }

    /// The loop whose counter, once, is all that varies in an expression, and how often it is in there; `Err` if it is something else.
    fn only(&self, expr: &LinExpr) -> Result<Option<(usize, i64)>, ()> {
        let mut counters =
            (0..self.vars.len()).map(|at| (at, expr.coefficient(self.vars[at]))).filter(|(_, c)| *c != 0);
        match (counters.next(), counters.next()) {
            (None, _) => Ok(None),
            (Some((at, by @ (1 | -1))), None) => Ok(Some((at, by))),
            _ => Err(()),
        }
    }

    /// Narrows the loop that the end of the time depends on.
    fn by_time(&mut self) -> Option<()> {
        let end = self.ends[self.time].clone();
        let now = LinExpr::var(self.vars[self.time]);
        let Some((at, by)) = self.only(&end).ok()? else { return (end == self.times).then_some(()) };
        let rest = end.checked_sub(&LinExpr::from_terms([(self.vars[at], by)], 0)?)?;
        if by == 1 {
            return self.begin(at, now.checked_sub(&rest)?.checked_offset(1)?);
        }
        let end = rest.checked_sub(&now)?;
        let narrowed = self.ends[at].checked_sub(&end)?;
        self.is_natural(at, &narrowed).then(|| self.ends[at] = end)
    }

    /// Makes a loop begin no earlier than this.
    fn begin(&mut self, at: usize, start: LinExpr) -> Option<()> {
        let later = start.checked_sub(&self.starts[at])?;
        if self.is_natural(at, &later) {
            self.starts[at] = start;
            return Some(());
        }
        self.is_natural(at, &later.checked_scale(-1)?).then_some(())
    }

    /// Makes loops begin where those inside of them have no negative number of iterations.
    fn with_iterations(&mut self) -> Option<()> {
        for at in (0..self.vars.len()).rev().filter(|at| *at != self.time).collect::<Vec<_>>() {
            let trip = self.ends[at].checked_sub(&self.starts[at])?;
            if self.is_natural(at, &trip) {
                continue;
            }
            let (around, 1) = self.only(&self.ends[at]).ok()?? else { return None };
            if around == self.time {
                return None;
            }
            let start = LinExpr::var(self.vars[around]).checked_sub(&trip)?;
            self.begin(around, start)?;
        }
        // What begins later now may leave others without.
        let is_whole = |at: usize| {
            let trip = self.ends[at].checked_sub(&self.starts[at]);
            at == self.time || trip.is_some_and(|trip| self.is_natural(at, &trip))
        };
        (0..self.vars.len()).all(is_whole).then_some(())
    }

    /// Whether an expression is not negative in all iterations of the loops around this one, at every time.
    fn is_natural(&self, at: usize, expr: &LinExpr) -> bool {
        let mut system = self.known.clone();
        within(&mut system, self.vars[self.time], (&LinExpr::default(), &self.times));
        (0..at)
            .filter(|around| *around != self.time)
            .for_each(|around| within(&mut system, self.vars[around], (&self.starts[around], &self.ends[around])));
        system.implies(expr) == Some(true)
    }

    fn ranges(self) -> Option<Vec<Range>> {
        let others = (0..self.loops.len()).filter(|at| *at != self.time);
        let range = |at: usize| Range::of(self.view, &self.starts[at], &self.ends[at].checked_sub(&self.starts[at])?);
        others.map(range).collect()
    }
}

/// Builds the nest.
pub(super) struct Turning<'f> {
    pub func: &'f mut Func,
    pub defs: &'f Definitions,
    /// What loops have become.
    pub copies: Vec<Copied>,
}

impl Turning<'_> {
    /// The loop over the times.
    pub fn nest(&mut self, outermost: &Loop, placed: Vec<Placed>) -> Loop {
        let trip = outermost.trip.size(self.func, self.defs);
        let deepest = placed.iter().max_by_key(|placed| placed.loops.len());
        let named = deepest.map_or(outermost, |placed| &placed.loops[placed.time]);
        let (loc, name) = (named.loc, named.counter);
        let (counter, number) = new_counter(self.func, name, &trip);
        let (now, from) = (Size::sym(number), self.copies.len());
        let body = placed.into_iter().flat_map(|placed| self.placed(placed, (counter, &now))).collect();
        // Of the loops that are now one, the last copy's gives it its name.
        self.copies[from..].sort_by_key(|copy| copy.values.contains_key(&name));
        Loop { counter, trip: Trip::Size(trip), loc, body, ..outermost.clone() }
    }

    /// What a time does of these statements.
    fn placed(&mut self, placed: Placed, (counter, now): (Value, &Size)) -> Vec<Node> {
        let Placed { loops, nodes, time, ranges } = placed;
        let mut numbers = Numbers::default();
        let own = self.define(&mut numbers, &loops[time], (counter, now.clone()));
        let others = loops.into_iter().enumerate().filter(|(at, _)| *at != time).map(|(_, head)| head);
        let (mut defined, mut heads): (Vec<Node>, Vec<Loop>) = Default::default();
        for (head, range) in others.zip(&ranges) {
            let [start, trip] = [&range.start, &range.trip].map(|sum| {
                let size = sum.size(self.func, self.defs);
                size.substitute(&mut |sym| numbers.get(&sym).cloned().unwrap_or_else(|| Size::sym(sym)))
            });
            let (counter, number) = new_counter(self.func, head.counter, &trip);
            defined.push(self.define(&mut numbers, &head, (counter, start.add(&Size::sym(number)))));
            heads.push(Loop { counter, trip: Trip::Size(trip), copied: heads.is_empty(), ..head });
        }
        // What is known of a counter is so in terms of those around it, which are defined before.
        defined.insert(time, own);
        let nodes = [defined, nodes].concat();
        heads.into_iter().rev().fold(nodes, |body, head| vec![Node::Loop(Loop { body, ..head })])
    }

    /// The statement that gives the old counter of a loop its value, in terms of a new one that takes its place.
    fn define(&mut self, numbers: &mut Numbers, head: &Loop, (counter, value): (Value, Size)) -> Node {
        let sym = symbol_of(self.func, self.defs, head.counter);
        numbers.insert(sym, value.clone());
        let mut copy = Copied::default();
        copy.values.insert(head.counter, counter);
        copy.symbols.clone_from(numbers);
        self.copies.push(copy);
        Node::Stmt(Stmt { results: vec![head.counter], op: Op::Size(value), loc: head.loc })
    }
}

/// What the symbols of old counters are.
type Numbers = HashMap<Sym, Size>;
