//! Loop skewing: several rows of a recurrence go together, each a few elements behind the one before.
//!
//! ```text
//! for i { for j { a(i, j) = f(a(i, j-1), a(i-1, j), a(i-1, j+1), ..) } }
//!     becomes   for p { for w { S(6p, w);  S(6p + 1, w - 2);  ..  S(6p + 5, w - 10) } }
//! ```
//!
//! Sweeps of Gauss and Seidel, distances of words, all dynamic programs over two indices: each element waits for its neighbours in both directions, so
//! no loop is parallel, and a processor that could do several operations at once waits for the one before. Let `t = s * i + j` be the time of an
//! instance. If every dependence leads to a later time, instances of the same time are independent, and all that a row needs of the one
//! before is there `s` elements later (M. Wolfe, "Loop skewing: the wavefront method revisited", 1986). Several rows are computed element by element in one
//! loop (unroll-and-jam: D. Callahan, J. Cocke, K. Kennedy, "Estimating interlock and improving balance for pipelined architectures", 1988), the first rows' last
//! elements and the last rows' first ones before and behind it. What a row does keeps its order, and results their bits.
//!
//! Rows may be columns of the nest: where memory order is known to be columns first, since no argument is a matrix, and elements of a row lie in different columns there, rows
//! that go together would read a line of memory for each element, so the loops change places first if every dependence still leads forwards.
//!
//! Where there may be many columns, they are cut into strips, which run on several threads (`strips`).
//!
//! It is done where the inner loop's iterations wait for each other's results, which `rustc` cannot vectorise either, the body is not long, and neither loop is
//! known to be short.

mod strips;

use self::strips::{Range, Strip, Strips};
use super::contents::contents;
use super::dependence::{TIME, pairs};
use super::permute::{chain, is_long};
use super::tree::{Frame, Loop, Node, Trip, uses};
use super::{Jammed, checks, emitted, rename, replace_loops, stores_all, without_checks};
use crate::affine::{self, AccessKind, Direction, LinExpr};
use crate::ir::{Func, Op, Param, Pipelined, Region, Size, Stmt, SymDef, Terminator, Value, Walk};
use crate::kernels::accesses::{Atom, Definitions, new_counter, symbol};
use crate::kernels::doall::not_negative;

/// The farthest that a row may be behind the one before.
const FARTHEST: i64 = 3;
/// Rows that go together, by the statements of a body: those with more do not. With the row before them they may all lie in one set of the nearest cache, whose eight lines
/// they then fit.
const ROWS: [(usize, i64); 2] = [(40, 6), (100, 4)];

/// Rewrites such loops of a function; gives those over rows, in order.
pub(crate) fn run(func: &mut Func) -> Vec<Jammed> {
    let mut found = Vec::new();
    if !func.body.any(|op| matches!(op, Op::For { body, .. } if is_candidate(body))) {
        return found;
    }
    replace_loops(func, |func, defs, stmt| {
        let (new, jammed) = skewed(func, defs, stmt)?;
        found.push(jammed);
        Some(new)
    });
    found
}

/// What takes the place of a loop, if it is one of two around such a body.
fn skewed(func: &mut Func, defs: &Definitions, stmt: &Stmt) -> Option<(Vec<Stmt>, Jammed)> {
    let Op::For { init, body, .. } = &stmt.op else { return None };
    if !is_candidate(body) {
        return None;
    }
    let contents = contents(func, stmt).ok()?;
    if !stores_all(&contents, init.len()) {
        return None;
    }
    let scope = defs.scope_of(body.params[0])?;
    let plan = checks::plan(func, defs, scope, &contents);
    let frame = Frame::new(func, defs, scope, &contents);
    let band = Band::of(&frame, frame.tree(&without_checks(stmt, &plan))?)?;
    let parts = band.parts(func, defs);
    let stmts = emitted(func, stmt, (&contents, &plan), &parts, &mut Vec::new());
    let mut nest = Region { params: Vec::new(), stmts, term: Terminator::Unreachable };
    write_out(func, &mut nest, &[]);
    Some((nest.stmts, band.jammed(parts.len() == 1)))
}

/// Whether one loop stands in a body, with no loop in it, and beside it nothing that branches.
fn is_candidate(body: &Region) -> bool {
    let mut loops = body.stmts.iter().filter(|stmt| !stmt.op.regions().is_empty());
    let (Some(Stmt { op: Op::For { body, .. }, .. }), None) = (loops.next(), loops.next()) else { return false };
    !body.any(|op| matches!(op, Op::For { .. } | Op::While { .. }))
}

/// Two loops of which rows go together.
struct Band {
    rows: Loop,
    columns: Loop,
    /// What the loop over rows computes for that over columns.
    glue: Vec<Node>,
    body: Vec<Node>,
    /// By how many elements a row is behind the one before.
    behind: i64,
    /// How many rows go together.
    together: i64,
    /// Whether the loop over columns was the outer one.
    exchanged: bool,
    /// Whether a dependence leads to a column before.
    slanted: bool,
}

/// How many rows, columns and blocks of rows there are.
struct Extents {
    rows: Size,
    columns: Size,
    blocks: Size,
}

impl Band {
    fn of(frame: &Frame<'_>, outermost: Loop) -> Option<Self> {
        let (heads, mut glue, body) = chain(frame, outermost);
        let [rows, columns] = <[Loop; 2]>::try_from(heads).ok()?;
        let glue = glue.swap_remove(0);
        let is_even =
            matches!(&columns.trip, Trip::Size(_)) && frame.may_be_exchanged(&columns, std::slice::from_ref(&rows));
        let are_long = is_long(&rows) && is_long(&columns);
        if !is_even || !are_long || !glue.iter().chain(&body).all(Node::is_movable) {
            return None;
        }
        let statements: usize = body.iter().map(statements).sum();
        let (_, together) = ROWS.into_iter().find(|(most, _)| statements <= *most)?;
        let band = Self { rows, columns, glue, body, behind: 0, together, exchanged: false, slanted: true };
        if band.goes_across_memory(frame)
            && let Some(band) = band.exchanged().legal(frame)
        {
            return Some(band);
        }
        band.legal(frame)
    }

    /// With the least that each row can be behind the one before, if there is one.
    fn legal(mut self, frame: &Frame<'_>) -> Option<Self> {
        self.behind = (1..=FARTHEST).find(|behind| self.leads_on(frame, *behind))?;
        self.slanted = !self.keeps_columns(frame);
        self.is_recurrence(frame).then_some(self)
    }

    fn exchanged(&self) -> Self {
        let (rows, columns) = (self.columns.clone(), self.rows.clone());
        let (glue, body) = (self.glue.clone(), self.body.clone());
        Self { rows, columns, glue, body, behind: 0, together: self.together, exchanged: true, slanted: true }
    }

    /// Whether memory order is known to be columns first, and the elements of a row of the nest lie in different columns: more accesses
    /// step to the next element in memory along the nest's columns than along its rows.
    fn goes_across_memory(&self, frame: &Frame<'_>) -> bool {
        let is_matrix = |param: &Param| frame.func.ty(param.value).dims.iter().filter(|dim| !dim.is_one()).count() > 1;
        if frame.func.params.iter().any(is_matrix) {
            return false;
        }
        let loops = [self.rows.counted(), self.columns.counted()];
        let sites = frame.sites(&[&self.glue[..], &self.body].concat(), &loops);
        let mut found = frame.found.borrow_mut();
        let [row, column] = [&self.rows, &self.columns].map(|l| found.view.var(Atom::Value(l.counter)));
        let mut steps = [0; 2];
        for site in sites.iter().filter(|site| site.subs.len() > 1) {
            let Some(first) = found.view.expr(site.subs[0]) else { continue };
            for (count, counter) in steps.iter_mut().zip([row, column]) {
                *count += usize::from(first.coefficient(counter) != 0);
            }
        }
        steps[0] > steps[1]
    }

    /// Whether the inner loop uses what it has stored in an iteration before.
    fn is_recurrence(&self, frame: &Frame<'_>) -> bool {
        let mut waits = false;
        self.each_dependence(frame, None, 1, &mut |kinds, directions| {
            waits |= match kinds {
                [AccessKind::Write, AccessKind::Read] => directions[1] == Direction::Less,
                [AccessKind::Read, AccessKind::Write] => directions[1] == Direction::Greater,
                [AccessKind::Write, AccessKind::Write] | [AccessKind::Read, AccessKind::Read] => false,
            };
        });
        waits
    }

    /// Whether every dependence leads to a later time if each row is so many elements behind the one before.
    fn leads_on(&self, frame: &Frame<'_>, behind: i64) -> bool {
        let mut leads = true;
        self.each_dependence(frame, Some(behind), 0, &mut |_, directions| {
            let [rows, columns, time] = [0, 1, 2].map(|at| directions[at]);
            let first = |one: Direction, other: Direction| if one == Direction::Equal { other } else { one };
            // What comes first in the program does so in the new order of the loops, too.
            let goes = first(rows, columns);
            let kept = !self.exchanged || first(columns, rows) == goes;
            leads &= match goes {
                Direction::Equal => true,
                Direction::Less | Direction::Greater => kept && time == goes,
                Direction::Any => false,
            };
        });
        leads
    }

    /// Whether no dependence leads to a column before.
    fn keeps_columns(&self, frame: &Frame<'_>) -> bool {
        let mut keeps = true;
        self.each_dependence(frame, None, 0, &mut |_, directions| {
            keeps &= match directions[0] {
                Direction::Equal => true,
                goes @ (Direction::Less | Direction::Greater) => [goes, Direction::Equal].contains(&directions[1]),
                Direction::Any => false,
            };
        });
        keeps
    }

    /// Calls `f` on the kinds of two accesses and the directions of each dependence between them, over rows and columns, of which so many are the
    /// same, and over times if rows are so far behind each other.
    fn each_dependence(
        &self,
        frame: &Frame<'_>,
        behind: Option<i64>,
        same: usize,
        f: &mut dyn FnMut([AccessKind; 2], &[Direction]),
    ) {
        let loops = [self.rows.counted(), self.columns.counted()];
        let nodes = [&self.glue[..], &self.body].concat();
        let sites = frame.sites(&nodes, &loops);
        let mut found = frame.found.borrow_mut();
        let accesses = found.prepared(frame.func, &sites);
        let [row, column] = [&self.rows, &self.columns].map(|l| found.view.var(Atom::Value(l.counter)));
        let time = behind.and_then(|behind| LinExpr::from_terms([(row, behind), (column, 1)], 0));
        let timed = |case: &affine::Domain| {
            let mut case = case.clone();
            let time = time.iter().map(|at| affine::Loop { var: TIME, lower: at.clone(), upper: at.clone() });
            case.loops.splice(loops.len()..loops.len(), time);
            case
        };
        let common = loops.len() + usize::from(time.is_some());
        for (a, b) in pairs(&accesses, &accesses, true) {
            a.with_cases(timed).each_pair(&b.with_cases(timed), common, &mut |pair| {
                let kinds = [a.access.kind, b.access.kind];
                pair.dependences_inside(same).iter().for_each(|dependence| f(kinds, &dependence.directions));
            });
        }
    }

    /// The loop over strips, or those over blocks of rows and over the rows that are left.
    fn parts(&self, func: &mut Func, defs: &Definitions) -> Vec<Loop> {
        let [rows, columns] = [&self.rows, &self.columns].map(|head| {
            let trip = head.trip.size(func, defs);
            not_negative(func, defs, trip)
        });
        let most = vec![rows.clone()];
        let blocks = SymDef::FloorDiv(rows.clone(), Size::constant(self.together));
        let blocks = Size::sym(symbol(func, blocks, vec![Size::default()], most));
        let extents = Extents { rows, columns, blocks };
        let Some(strips) = Strips::of(func, self, &extents) else {
            return self.in_strip(func, defs, (&extents, &Strip::All)).1.into();
        };
        let (counter, number) = new_counter(func, self.columns.counter, &strips.count);
        let strip = strips.strip(func, &Size::sym(number), &extents.columns);
        let (first, parts) = self.in_strip(func, defs, (&extents, &strip));
        func.pipelined.insert(counter, self.pipelined(&extents, first));
        let trip = Trip::Size(strips.count);
        vec![Loop { counter, trip, body: parts.map(Node::Loop).into(), ..self.rows.clone() }]
    }

    /// The loop over blocks of rows, with the first, and that over the rows that are left.
    fn in_strip(&self, func: &mut Func, defs: &Definitions, (extents, strip): (&Extents, &Strip)) -> (Size, [Loop; 2]) {
        let Extents { rows, columns, blocks } = extents;
        let together = Size::constant(self.together);
        let range = strip.blocks(func, defs, self, extents);
        let (block, number) = new_counter(func, self.rows.counter, &range.len);
        let first = together.mul(&range.from.add(&Size::sym(number)));
        let body = self.block(func, defs, (&first, columns), strip);
        let done = together.mul(blocks);
        let left = rows.sub(&done);
        let (rest, number) = new_counter(func, self.rows.counter, &left);
        let row = done.add(&Size::sym(number));
        let of_row = strip.of_row(func, defs, self, [&row, columns]);
        let whole = self.row(func, &row, &of_row);
        let parts = [
            Loop { counter: block, trip: Trip::Size(range.len), body, ..self.rows.clone() },
            Loop { counter: rest, trip: Trip::Size(left), body: whole, copied: true, ..self.rows.clone() },
        ];
        (range.from, parts)
    }

    /// The rows from the first on that go together, in a strip: the beginning of each, what they have in common, the end of each.
    fn block(&self, func: &mut Func, defs: &Definitions, (first, columns): (&Size, &Size), strip: &Strip) -> Vec<Node> {
        let last = first.add_const(self.together - 1);
        let common = strip.common(func, defs, self, ([first, &last], columns));
        let [begin, end] = [false, true].map(|is_end| {
            let (counter, number) = new_counter(func, self.rows.counter, &Size::constant(self.together));
            let row = first.add(&Size::sym(number));
            let of_row = strip.of_row(func, defs, self, [&row, columns]);
            // The row begins by as much earlier as others are behind it.
            let alone = common.from.sub(&row.scale(self.behind)).sub(&of_row.from);
            let most = vec![alone.clone(), of_row.len.clone()];
            let alone = Size::sym(symbol(func, SymDef::Min(alone, of_row.len.clone()), vec![Size::default()], most));
            let part = match is_end {
                false => Range { from: of_row.from, len: alone },
                true => {
                    let done = alone.add(&common.len);
                    Range { from: of_row.from.add(&done), len: of_row.len.sub(&done) }
                }
            };
            let body = self.row(func, &row, &part);
            let trip = Trip::Size(Size::constant(self.together));
            Node::Loop(Loop { counter, trip, body, copied: is_end, ..self.rows.clone() })
        });
        let (counter, number) = new_counter(func, self.columns.counter, &common.len);
        let once = |row: i64| {
            let (counter, _) = new_counter(func, self.rows.counter, &Size::constant(1));
            let row = first.add_const(row);
            let column = common.from.add(&Size::sym(number)).sub(&row.scale(self.behind));
            let body = self.instance(&row, column);
            Node::Loop(Loop { counter, trip: Trip::Size(Size::constant(1)), body, copied: true, ..self.rows.clone() })
        };
        let body = (0..self.together).map(once).collect();
        let middle = Loop { counter, trip: Trip::Size(common.len), body, copied: true, ..self.columns.clone() };
        vec![begin, Node::Loop(middle), end]
    }

    /// Some columns of a row.
    fn row(&self, func: &mut Func, row: &Size, columns: &Range) -> Vec<Node> {
        let (counter, number) = new_counter(func, self.columns.counter, &columns.len);
        let body = self.instance(row, columns.from.add(&Size::sym(number)));
        vec![Node::Loop(Loop { counter, trip: Trip::Size(columns.len.clone()), body, ..self.columns.clone() })]
    }

    fn jammed(&self, in_strips: bool) -> Jammed {
        Jammed { loc: self.rows.loc, rows: self.together, behind: self.behind, in_strips }
    }

    /// What the loop over strips is, each of which begins with this block of rows.
    fn pipelined(&self, extents: &Extents, first: Size) -> Pipelined {
        let statements: usize = self.body.iter().map(statements).sum();
        let work = vec![extents.rows.clone(), extents.columns.clone(), Size::constant(statements as i64)];
        Pipelined { starts: vec![first, extents.blocks.clone()], work }
    }

    /// The statements of one element.
    fn instance(&self, row: &Size, column: Size) -> Vec<Node> {
        let define = |head: &Loop, number: Size| {
            vec![Node::Stmt(Stmt { results: vec![head.counter], op: Op::Size(number), loc: head.loc })]
        };
        let counters = [define(&self.rows, row.clone()), define(&self.columns, column)].concat();
        [counters, self.glue.clone(), self.body.clone()].concat()
    }
}

/// How many statements there are in a part of a nest.
fn statements(node: &Node) -> usize {
    match node {
        Node::Loop(inner) => inner.body.iter().map(statements).sum(),
        Node::Stmt(stmt) => {
            let mut count = 0;
            stmt.walk(&mut |_| {
                count += 1;
                Walk::Advance
            });
            count
        }
    }
}

/// Puts the bodies of loops of one iteration, whose counters nothing uses, in their places; these values are one.
fn write_out(func: &Func, region: &mut Region, ones: &[Value]) {
    let mut ones = ones.to_vec();
    let mut known: Vec<(Value, Value)> = Vec::new();
    let mut stmts = Vec::with_capacity(region.stmts.len());
    for mut stmt in std::mem::take(&mut region.stmts) {
        rename(&mut stmt, &known);
        match stmt.op {
            Op::For { trip, init, body } if ones.contains(&trip) && !counts(func, &body) => {
                let Region { params, stmts: inner, term } = *body;
                let own: Vec<(Value, Value)> = params.into_iter().skip(1).zip(init).collect();
                let of = |value: &Value| own.iter().find(|(param, _)| param == value).map_or(*value, |(_, init)| *init);
                known.extend(stmt.results.into_iter().zip(term.values().iter().map(of)));
                stmts.extend(inner.into_iter().map(|mut stmt| {
                    rename(&mut stmt, &own);
                    stmt
                }));
                continue;
            }
            Op::Size(ref size) if size.as_constant() == Some(1) => ones.extend(&stmt.results),
            ref mut op => op.regions_mut().into_iter().for_each(|nested| write_out(func, nested, &ones)),
        }
        stmts.push(stmt);
    }
    region.term.values_mut().iter_mut().for_each(|value| {
        if let Some((_, new)) = known.iter().find(|(old, _)| old == value) {
            *value = *new;
        }
    });
    region.stmts = stmts;
}

/// Whether something in a loop's body uses its counter.
fn counts(func: &Func, body: &Region) -> bool {
    let mut counts = false;
    body.stmts.iter().for_each(|stmt| uses(func, stmt, &mut |value| counts |= value == body.params[0]));
    counts
}
