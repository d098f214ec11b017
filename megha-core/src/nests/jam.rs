//! Unroll-and-jam of rows that wait for rows before them: several gather together what the rows before all of them give.
//!
//! ```text
//! for i { s = b(i);  for j < i { s = s - l(i, j) * x(j) }  x(i) = s / l(i, i) }
//!     becomes   for p { s0 = b(8p);  ..  s7 = b(8p + 7)
//!                       for j < 8p { s0 = s0 - l(8p, j) * x(j);  ..  s7 = s7 - l(8p + 7, j) * x(j) }
//!                       x(8p) = s0 / l(8p, 8p);  for 8p <= j < 8p + 1 { s1 = s1 - .. }  x(8p + 1) = s1 / ..  .. }
//! ```
//!
//! Triangular systems and the like: no loop is parallel, and a row's sum is one chain of operations, each of which waits for the one before. Eight
//! chains keep a processor busy, and what rows share is read once (D. Callahan, J. Cocke, K. Kennedy, "Estimating interlock and improving balance
//! for pipelined architectures", 1988; of triangular loops S. Carr, K. Kennedy, "Improving the ratio of memory operations to floating-point operations
//! in loops", 1994). Each sum keeps its order, and results their bits.
//!
//! The inner loop hands on scalars alone (what gathers in an element has been put into one before, [`super::held`]) and has as many iterations as the row's number
//! says, or more. A row has three parts: what is before its inner loop, the loop, and what is behind. Legal is the new order if no row's first part waits for
//! a later part of a row before it in the block, and the loop, in the iterations that all rows of the block have, reads nothing that rows of the block store.

use super::contents::{Contents, contents};
use super::copy::Copy;
use super::dependence::{Prepared, none, of_earlier, pairs, with_time};
use super::tree::{Frame, Node, is_movable};
use super::{Jammed, replace_loops, stores_all};
use crate::affine::Direction;
use crate::hash::HashMap;
use crate::ir::{Class, Func, Loc, Op, Region, Size, Stmt, Sym, SymDef, Terminator, Type, Value};
use crate::kernels::accesses::{Atom, Counted, Definitions, counted_loops, new_counter, symbol};
use crate::kernels::dead::leaves;
use crate::kernels::doall::not_negative;
use crate::schedule::cost::is_short;
use std::rc::Rc;

/// Rows that go together, by the scalars that a loop hands on and the statements of its body: those with more do not.
const ROWS: [(usize, usize, i64); 2] = [(1, 12, 8), (2, 24, 4)];
/// Statements beside the loop, at most: there are as many copies as rows.
const BESIDE: usize = 40;

/// Rewrites such loops of a function; gives those over rows, in order.
pub(crate) fn run(func: &mut Func) -> Vec<Jammed> {
    let mut found = Vec::new();
    if !func.body.any(|op| matches!(op, Op::For { body, .. } if parts(body).is_some())) {
        return found;
    }
    replace_loops(func, |func, defs, stmt| {
        let (new, jammed) = jammed(func, defs, stmt)?;
        found.push(jammed);
        Some(new)
    });
    found
}

/// The parts of a row: the statements before the loop in it, the loop, those behind.
pub(super) struct Parts<'r> {
    before: &'r [Stmt],
    inner: &'r Stmt,
    after: &'r [Stmt],
    /// How many rows go together.
    together: i64,
}

/// The parts of such a body.
pub(super) fn parts(body: &Region) -> Option<Parts<'_>> {
    let at = body.stmts.iter().position(|stmt| matches!(stmt.op, Op::For { .. }))?;
    let (before, inner, after) = (&body.stmts[..at], &body.stmts[at], &body.stmts[at + 1..]);
    let Op::For { init, body: columns, .. } = &inner.op else { return None };
    let is_plain = |stmts: &[Stmt]| stmts.iter().all(is_movable);
    let ends =
        [body, &**columns].iter().all(|region| !leaves(region, 0) && matches!(region.term, Terminator::Yield(_)));
    if !ends || !is_plain(before) || !is_plain(after) || !is_plain(&columns.stmts) {
        return None;
    }
    let fits = |(scalars, most, _): &&(usize, usize, i64)| init.len() <= *scalars && columns.stmts.len() <= *most;
    let (_, _, together) = ROWS.iter().find(fits)?;
    let is_worth_it = !init.is_empty() && before.len() + after.len() <= BESIDE;
    is_worth_it.then_some(Parts { before, inner, after, together: *together })
}

/// What takes the place of a loop over rows.
fn jammed(func: &mut Func, defs: &Definitions, stmt: &Stmt) -> Option<(Vec<Stmt>, Jammed)> {
    let Op::For { trip, init, body } = &stmt.op else { return None };
    let parts = parts(body)?;
    let Op::For { trip: columns, init: scalars, .. } = &parts.inner.op else { return None };
    if !scalars.iter().all(|value| func.ty(*value).is_scalar()) {
        return None;
    }
    let contents = contents(func, stmt).ok()?;
    if !stores_all(&contents, init.len()) {
        return None;
    }
    let scope = defs.scope_of(body.params[0])?;
    let [rows, columns] = [*trip, *columns].map(|trip| defs.trip_size(trip));
    let (rows, columns) = (rows?, columns?);
    let own = defs.symbol_of(body.params[0]);
    let of_row =
        |number: &Size| columns.substitute(&mut |sym| if Some(sym) == own { number.clone() } else { Size::sym(sym) });
    let is_fixed = |size: &Size| !defs.size_is_inside(size, &func.symbols, scope);
    let longer = of_row(&Size::constant(1)).sub(&of_row(&Size::default()));
    let is_linear = of_row(&Size::constant(2)).sub(&of_row(&Size::constant(1))) == longer;
    let longer = longer.as_constant().filter(|longer| *longer >= 0 && is_linear)?;
    let are_known = is_fixed(&rows) && is_fixed(&of_row(&Size::default()));
    let are_short = [&rows, &columns].iter().any(|size| size.as_constant().is_some_and(is_short));
    if !are_known || are_short {
        return None;
    }
    let frame = Frame::new(func, defs, scope, &contents);
    if !is_legal(&frame, &counted_loops(&stmt.op)[0], &parts) {
        return None;
    }
    let jammed = Jammed { loc: stmt.loc, rows: parts.together, behind: 0, in_strips: false };
    let block = Block { parts, body, columns: (columns, own, longer), contents: &contents };
    Some((block.loops(func, defs, (stmt, &rows)), jammed))
}

/// Whether the parts of rows may be done in the new order.
fn is_legal(frame: &Frame<'_>, rows: &Counted, parts: &Parts<'_>) -> bool {
    let nodes = |stmts: &[Stmt]| stmts.iter().cloned().map(Node::Stmt).collect::<Vec<Node>>();
    let here = [rows.clone()];
    let [before, inner, after] =
        [parts.before, std::slice::from_ref(parts.inner), parts.after].map(|stmts| frame.sites(&nodes(stmts), &here));
    let mut found = frame.found.borrow_mut();
    let row = found.view.var(Atom::Value(rows.counter));
    let [before, inner, after] = [before, inner, after].map(|sites| found.prepared(frame.func, &sites));
    let later = |of: &[Rc<Prepared>]| {
        pairs(of, &before, false)
            .all(|(a, b)| none(a, b, 1, &|directions| matches!(directions[0], Direction::Less | Direction::Any)))
    };
    // An iteration that the row has which stores reads nothing of that row.
    let is_apart = pairs(&after, &inner, false).all(|(a, b)| {
        let (a, b) = (a.with_cases(|case| with_time(case, row)), b.with_cases(|case| of_earlier(case, row)));
        none(&a, &b, 2, &|directions| {
            matches!(directions[0], Direction::Less | Direction::Any)
                && matches!(directions[1], Direction::Equal | Direction::Any)
        })
    });
    later(&inner) && later(&after) && is_apart
}

/// Rows that go together, in the making.
struct Block<'r> {
    parts: Parts<'r>,
    /// What a row does.
    body: &'r Region,
    /// How many iterations the inner loop has, the symbol of the row's number in that, and by how many more it has in the next row.
    columns: (Size, Option<Sym>, i64),
    contents: &'r Contents,
}

/// One of the rows: the new values of those of the row as it was, and what symbols have become.
#[derive(Default)]
struct Row {
    values: HashMap<Value, Value>,
    symbols: HashMap<Sym, Size>,
}

impl Block<'_> {
    /// The loop over blocks, and that over the rows that are left.
    fn loops(&self, func: &mut Func, defs: &Definitions, (stmt, rows): (&Stmt, &Size)) -> Vec<Stmt> {
        let Op::For { init, .. } = &stmt.op else { unreachable!("rows are those of a loop") };
        let (rows, together) = (not_negative(func, defs, rows.clone()), Size::constant(self.parts.together));
        let most = vec![rows.clone()];
        let def = SymDef::FloorDiv(rows.clone(), together.clone());
        let blocks = Size::sym(symbol(func, def, vec![Size::default()], most));
        let counter = self.body.params[0];
        let (block, number) = new_counter(func, counter, &blocks);
        let mut states: Vec<Value> = init.iter().map(|array| func.new_like(*array)).collect();
        let params = [&[block], &states[..]].concat();
        let mut out = Vec::new();
        let trip = size(func, &blocks, &mut out);
        let stmts = self.block(func, defs, &together.mul(&Size::sym(number)), &mut states);
        let body = Box::new(Region { params, stmts, term: Terminator::Yield(states) });
        let results: Vec<Value> = init.iter().map(|array| func.new_like(*array)).collect();
        out.push(Stmt { results: results.clone(), op: Op::For { trip, init: init.clone(), body }, loc: stmt.loc });
        let done = together.mul(&blocks);
        let (rest, number) = new_counter(func, counter, &rows.sub(&done));
        let trip = size(func, &rows.sub(&done), &mut out);
        let mut body = Box::new(self.body.clone());
        body.params[0] = rest;
        let own = Op::Size(done.add(&Size::sym(number)));
        body.stmts.insert(0, Stmt { results: vec![counter], op: own, loc: Loc::NONE });
        out.push(Stmt { results: stmt.results.clone(), op: Op::For { trip, init: results, body }, loc: stmt.loc });
        out
    }

    /// What a block does, its first row given, with these states of the arrays, which become those at its end.
    fn block(&self, func: &mut Func, defs: &Definitions, first: &Size, states: &mut [Value]) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut rows: Vec<Row> = (0..self.parts.together).map(|_| Row::default()).collect();
        let number = |row: usize| first.add_const(row as i64);
        for (at, row) in rows.iter_mut().enumerate() {
            row.symbols.extend(self.columns.1.map(|sym| (sym, number(at))));
            let own = Stmt { results: vec![self.body.params[0]], op: Op::Size(number(at)), loc: Loc::NONE };
            self.copy(func, (row, states), &own, &mut out);
            self.parts.before.iter().for_each(|stmt| self.copy(func, (row, states), stmt, &mut out));
        }
        // Rows do not become shorter.
        let shortest = self.length(&Size::default());
        let is_natural = not_negative(func, defs, shortest.clone()) == shortest;
        let length = |func: &mut Func, row: &Size| {
            let length = self.length(row);
            if is_natural { length } else { not_negative(func, defs, length) }
        };
        let common = length(func, first);
        self.together(func, defs, (&mut rows, states), &common, &mut out);
        for (at, row) in rows.iter_mut().enumerate() {
            if at > 0 && self.columns.2 > 0 {
                let more = length(func, &number(at)).sub(&common);
                self.rest(func, (row, states), (&common, &more), &mut out);
            }
            self.parts.after.iter().for_each(|stmt| self.copy(func, (row, states), stmt, &mut out));
        }
        out
    }

    /// How many iterations the inner loop of a row has.
    fn length(&self, row: &Size) -> Size {
        let (size, own, _) = &self.columns;
        size.substitute(&mut |sym| if Some(sym) == *own { row.clone() } else { Size::sym(sym) })
    }

    /// Copies a statement of a row, which uses the newest states of arrays.
    fn copy(&self, func: &mut Func, (row, states): (&mut Row, &mut [Value]), stmt: &Stmt, out: &mut Vec<Stmt>) {
        row.values.extend(self.contents.version.iter().map(|(state, array)| (*state, states[*array])));
        let mut copy = Copy::going_on(func, std::mem::take(&mut row.values), std::mem::take(&mut row.symbols));
        let new = copy.stmt(stmt);
        (row.values, row.symbols) = (copy.values, copy.symbols);
        for (old, new) in stmt.results.iter().zip(&new.results) {
            if let Some(array) = self.contents.version.get(old) {
                states[*array] = *new;
            }
        }
        out.push(new);
    }

    /// The loop over the iterations that all rows have.
    fn together(
        &self,
        func: &mut Func,
        defs: &Definitions,
        (rows, states): (&mut [Row], &mut [Value]),
        common: &Size,
        out: &mut Vec<Stmt>,
    ) {
        let Op::For { init, body, .. } = &self.parts.inner.op else { unreachable!("it is a loop") };
        let of = |row: &Row, value: &Value| row.values.get(value).copied().unwrap_or(*value);
        let all: Vec<Value> = rows.iter().flat_map(|row| init.iter().map(move |value| of(row, value))).collect();
        let trip = size(func, common, out);
        let (column, number) = new_counter(func, body.params[0], common);
        let (mut params, mut stmts, mut next, mut results) = (vec![column], Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let known = row.symbols.clone();
            row.values.insert(body.params[0], column);
            row.symbols.extend(defs.symbol_of(body.params[0]).map(|sym| (sym, Size::sym(number))));
            for param in &body.params[1..] {
                let new = func.new_like(*param);
                row.values.insert(*param, new);
                params.push(new);
            }
            body.stmts.iter().for_each(|stmt| self.copy(func, (row, states), stmt, &mut stmts));
            next.extend(body.term.values().iter().map(|value| of(row, value)));
            for result in &self.parts.inner.results {
                let new = func.new_like(*result);
                row.values.insert(*result, new);
                results.push(new);
            }
            // Those of the loop are others in the loop over the rest.
            row.symbols = known;
        }
        let body = Box::new(Region { params, stmts, term: Terminator::Yield(next) });
        out.push(Stmt { results, op: Op::For { trip, init: all, body }, loc: self.parts.inner.loc });
    }

    /// The iterations that a row has beside those of all: so many, from a number on.
    fn rest(
        &self,
        func: &mut Func,
        (row, states): (&mut Row, &mut [Value]),
        (from, more): (&Size, &Size),
        out: &mut Vec<Stmt>,
    ) {
        let mut inner = self.parts.inner.clone();
        let now = |value: &Value| row.values.get(value).copied().unwrap_or(*value);
        let Op::For { trip, init, body } = &mut inner.op else { unreachable!("it is a loop") };
        *init = inner.results.iter().map(now).collect();
        *trip = size(func, more, out);
        let column = body.params[0];
        let (counter, number) = new_counter(func, column, more);
        body.params[0] = counter;
        let own = Op::Size(from.add(&Size::sym(number)));
        body.stmts.insert(0, Stmt { results: vec![column], op: own, loc: Loc::NONE });
        let known = row.symbols.clone();
        self.copy(func, (row, states), &inner, out);
        row.symbols = known;
    }
}

/// A size as a value.
fn size(func: &mut Func, size: &Size, out: &mut Vec<Stmt>) -> Value {
    let value = func.new_value(Type::scalar(Class::Index));
    out.push(Stmt { results: vec![value], op: Op::Size(size.clone()), loc: Loc::NONE });
    value
}
