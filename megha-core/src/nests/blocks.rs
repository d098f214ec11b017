//! Blocks of the iterations of a loop each of which gathers, for many rows, from all iterations before it: what comes from before the block
//! is gathered for the whole block at once.
//!
//! ```text
//! for j < n { for i in j+1..n { for k < j { a(i, j) = a(i, j) - a(i, k) * a(j, k) } }  T(j) }
//!     becomes   for b < n/32 { for i in 32b+1..32b+32 { for j in 32b..i { for k < 32b { a(i, j) = a(i, j) - a(i, k) * a(j, k) } } }
//!                   for i in 32b+32..n { for j in 32b..32b+32 { for k < 32b { .. } } }
//!                   for j in 32b..32b+32 { for i in j+1..n { for k in 32b..j { .. } }  T(j) } }
//!               for j in 32*(n/32)..n { .. }
//! ```
//!
//! A factorisation that looks left (Cholesky's, column by column) reads all that it has made for each new column, a number for each
//! operation. The part from before a block is a product of matrices, which has register tiles and reads a number for as many operations as a tile has
//! points (R. Schreiber, "Block algorithms for parallel machines", 1988; J. Dongarra, I. Duff, D. Sorensen, H. van der Vorst, "Numerical Linear
//! Algebra for High-Performance Computers", 1998, section 5.4). Here it is an index-set split of the innermost loop and
//! a tile of the outermost. Each element keeps the order of its operations, and results their bits.
//!
//! Rows are parallel, and as many fewer in each iteration as it is later, from the front, or as many in all. Legal are blocks if nothing that an iteration does touches what
//! a later one of the block gathers from before the block, or where it gathers it. They are made where rows share what they read at one number of the innermost loop,
//! and the iterations of a block share what a row reads there, as in a product.

use super::contents::{Contents, contents};
use super::copy::Copy;
use super::dependence::{Prepared, conflict, none, of_earlier, pairs, with_time};
use super::tree::{Frame, is_movable};
use super::{Copied, checks, replace_loops, stores_all, without_checks};
use crate::affine::{AccessKind, Direction, Subscript};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Class, Func, Loc, Op, Region, Size, Stmt, Sym, SymDef, Terminator, Type, Value};
use crate::kernels::accesses::{Atom, Counted, Definitions, counted_loops, new_counter, symbol};
use crate::kernels::dead::leaves;
use crate::kernels::doall::{is_not_negative, not_negative};
use crate::schedule::cost::is_short;

/// Iterations of a block: the points of a register tile ([`crate::schedule::panels::POINTS`]).
const BLOCK: i64 = 32;

/// Makes blocks of such loops of a function; gives the copies of loops. Tests of bounds that can be made before such a loop are made there.
pub(super) fn run(func: &mut Func) -> Vec<Copied> {
    let mut copies = Vec::new();
    let may_have = |op: &Op| matches!(op, Op::For { body, .. } if is_deep(body));
    if !func.body.any(may_have) {
        return copies;
    }
    // Loops in parallel ones: there are processors for no more.
    let mut inside: HashSet<Value> = HashSet::default();
    replace_loops(func, |func, defs, stmt| {
        let Op::For { body, .. } = &stmt.op else { return None };
        // The form is looked at first: it costs least.
        if inside.contains(&body.params[0]) || !is_deep(body) && !body.any(may_have) {
            return None;
        }
        let contents = contents(func, stmt).ok()?;
        if conflict(func, defs, body.params[0], &contents, 0).is_none() {
            body.walk(&mut |stmt| inside.extend(counted_loops(&stmt.op).iter().map(|l| l.counter)));
            return None;
        }
        if !is_deep(body) {
            return None;
        }
        let plan = checks::plan(func, defs, defs.scope_of(body.params[0])?, &contents);
        let tested = without_checks(stmt, &plan);
        let mut gathering = Gathering::of(func, defs, &contents, &tested)?;
        // There may be fewer than none.
        gathering.trips[0] = not_negative(func, defs, gathering.trips[0].clone());
        let gathering = &gathering;
        let mut out = checks::hoisted(func, &plan.hoisted);
        let (values, symbols) = Default::default();
        out.extend(Making { func, gathering, values, symbols, copies: &mut copies }.loops());
        Some(out)
    });
    copies
}

/// Whether there is a loop in a loop.
fn is_deep(body: &Region) -> bool {
    until_loop(body).is_some_and(|[_, rest]| until_loop(head(&rest[0]).2).is_some())
}

/// What an iteration does: scalars, the loop over rows with the innermost loop in it, the rest.
struct Parts<'r> {
    before: &'r [Stmt],
    rows: &'r Stmt,
    after: &'r [Stmt],
    /// The body of the loop over rows: scalars, the innermost loop, the rest.
    first: &'r [Stmt],
    columns: &'r Stmt,
    last: &'r [Stmt],
}

impl<'r> Parts<'r> {
    /// The parts of a body, if it has the form.
    fn of(body: &'r Region) -> Option<Self> {
        let [before, rest] = until_loop(body)?;
        let (rows, after) = rest.split_first()?;
        let Op::For { body: of_row, .. } = &rows.op else { return None };
        let [first, rest] = until_loop(of_row)?;
        let (columns, last) = rest.split_first()?;
        let Op::For { body: of_column, .. } = &columns.op else { return None };
        let plain = [before, first, last, &of_column.stmts];
        let regions = [body, &**of_row, &**of_column];
        let ends = regions.iter().all(|region| !leaves(region, 0) && matches!(region.term, Terminator::Yield(_)));
        let fits = ends && plain.iter().all(|stmts| stmts.iter().all(is_movable));
        fits.then_some(Self { before, rows, after, first, columns, last })
    }
}

/// The statements before the first loop of a body, and from there on.
fn until_loop(body: &Region) -> Option<[&[Stmt]; 2]> {
    let at = body.stmts.iter().position(|stmt| matches!(stmt.op, Op::For { .. }))?;
    let (before, rest) = body.stmts.split_at(at);
    Some([before, rest])
}

/// The number of iterations, the carried values and the body of a loop.
fn head(stmt: &Stmt) -> (Value, &[Value], &Region) {
    let Op::For { trip, init, body } = &stmt.op else { unreachable!("it is a loop") };
    (*trip, init, body)
}

/// A loop of which blocks may be made.
struct Gathering<'r> {
    stmt: &'r Stmt,
    parts: Parts<'r>,
    contents: &'r Contents,
    /// Iterations of it, of the loop over rows and of the innermost one in each.
    trips: [Size; 3],
    /// Their counters' symbols.
    symbols: [Option<Sym>; 3],
    /// By how many rows each iteration has fewer than the one before, from the front: 0 or 1.
    fewer: i64,
}

impl<'r> Gathering<'r> {
    fn of(func: &Func, defs: &Definitions, contents: &'r Contents, stmt: &'r Stmt) -> Option<Self> {
        let (trip, init, body) = head(stmt);
        let parts = Parts::of(body)?;
        let loops = [stmt, parts.rows, parts.columns].map(head);
        let [Some(all), Some(rows), Some(columns)] = [trip, loops[1].0, loops[2].0].map(|trip| defs.trip_size(trip))
        else {
            return None;
        };
        let symbols = loops.map(|(_, _, body)| defs.symbol_of(body.params[0]));
        let scope = defs.scope_of(body.params[0])?;
        let own = symbols[0]?;
        let is_fixed = |size: &Size| !defs.size_is_inside(size, &func.symbols, scope);
        let step = |size: &Size| {
            let first = at(size, own, &Size::default());
            let by = at(size, own, &Size::constant(1)).sub(&first).as_constant()?;
            (is_fixed(&first) && *size == first.add(&Size::sym(own).scale(by))).then_some(by)
        };
        let (fewer, more) = (-step(&rows)?, step(&columns)?);
        let is_short = [&all, &rows, &columns].iter().any(|size| size.as_constant().is_some_and(is_short));
        let are_natural = [&rows, &columns].iter().all(|size| is_not_negative(func, defs, size));
        let fits = is_fixed(&all) && (0..=1).contains(&fewer) && more == 1 && are_natural && !is_short;
        let is_array = |value: &Value| contents.version.contains_key(value);
        let all_arrays = loops.iter().all(|(_, _, body)| body.params[1..].iter().all(is_array));
        let touches = |stmt: &Stmt| {
            let mut touches = false;
            stmt.op.for_each_operand(&mut |value| touches |= is_array(&value));
            touches || !stmt.op.regions().is_empty()
        };
        let scalars = [parts.before, parts.first].concat();
        if !fits || !all_arrays || !stores_all(contents, init.len()) || scalars.iter().any(touches) {
            return None;
        }
        let this = Self { stmt, parts, contents, trips: [all, rows, columns], symbols, fewer };
        (this.rows_are_parallel(func, defs) && this.pays_and_is_legal(func, defs)).then_some(this)
    }

    fn counters(&self) -> [Value; 3] {
        [self.stmt, self.parts.rows, self.parts.columns].map(|stmt| head(stmt).2.params[0])
    }

    fn rows_are_parallel(&self, func: &Func, defs: &Definitions) -> bool {
        let Ok(contents) = contents(func, self.parts.rows) else { return false };
        conflict(func, defs, self.counters()[1], &contents, 0).is_none()
    }

    fn pays_and_is_legal(&self, func: &Func, defs: &Definitions) -> bool {
        let Some(scope) = defs.scope_of(self.counters()[0]) else { return false };
        let frame = Frame::new(func, defs, scope, self.contents);
        let counters = self.counters();
        let inside = |loops: &[Counted]| loops.iter().map(|l| l.counter).eq(counters);
        let gathering: Vec<_> = self.contents.sites.iter().filter(|site| inside(&site.loops)).cloned().collect();
        let mut found = frame.found.borrow_mut();
        let [all, gathering] = [&self.contents.sites, &gathering].map(|sites| found.prepared(func, sites));
        let [own, rows, _] = counters.map(|counter| found.view.var(Atom::Value(counter)));
        // Where rows are numbered from the last one on, one row of two iterations is the same.
        let moves = |access: &Prepared| {
            let by = |var| {
                let each = access.access.subscripts.iter().map(|subscript| match subscript {
                    Subscript::Affine(expr) => Some(expr.coefficient(var)),
                    Subscript::Strided(_) | Subscript::Unanalysable => None,
                });
                each.collect::<Option<Vec<i64>>>()
            };
            let (by_own, by_row) = (by(own)?, by(rows)?);
            let by_own = by_own.iter().zip(&by_row).map(|(own, row)| own - self.fewer * row);
            Some((by_own.into_iter().any(|by| by != 0), by_row.into_iter().any(|by| by != 0)))
        };
        let reads: Vec<_> = gathering.iter().filter(|a| a.access.kind == AccessKind::Read).map(|a| moves(a)).collect();
        let is_product = reads.contains(&Some((true, false))) && reads.contains(&Some((false, true)));
        is_product
            && pairs(&all, &gathering, false).all(|(a, b)| {
                let (a, b) = (a.with_cases(|case| with_time(case, own)), b.with_cases(|case| of_earlier(case, own)));
                none(&a, &b, 2, &|directions| {
                    matches!(directions[0], Direction::Less | Direction::Any)
                        && matches!(directions[1], Direction::Equal | Direction::Any)
                })
            })
    }
}

/// A size where the counter with this symbol has this number.
fn at(size: &Size, counter: Sym, number: &Size) -> Size {
    size.substitute(&mut |sym| if sym == counter { number.clone() } else { Size::sym(sym) })
}

/// Blocks in the making.
struct Making<'m, 'r> {
    func: &'m mut Func,
    gathering: &'m Gathering<'r>,
    /// The new values of old ones, and what symbols have become.
    values: HashMap<Value, Value>,
    symbols: HashMap<Sym, Size>,
    copies: &'m mut Vec<Copied>,
}

/// A loop to be made.
struct Head<'h> {
    /// The loop whose place it takes: 0 the outermost, 1 that over rows, 2 the innermost.
    level: usize,
    count: &'h Size,
    /// Whether it is none of the program's, or does what another one of its parts is told to do.
    is_made: bool,
    /// The loop that carries what it does.
    carries: usize,
}

impl<'h> Head<'h> {
    /// A part of the program's loop.
    fn part(level: usize, count: &'h Size) -> Self {
        Self { level, count, is_made: false, carries: level }
    }

    /// A loop over blocks.
    fn blocks(count: &'h Size) -> Self {
        Self { level: 0, count, is_made: true, carries: 0 }
    }

    /// A loop of a nest that gathers for a block: all of them carry the same, in the same order.
    fn gathering(level: usize, count: &'h Size) -> Self {
        Self { level, count, is_made: true, carries: 2 }
    }
}

/// Where a statement goes, and the newest states of arrays there.
struct Place<'p> {
    states: &'p mut Vec<Value>,
    out: &'p mut Vec<Stmt>,
}

impl Making<'_, '_> {
    /// The loop over blocks, and that over the iterations that are left.
    fn loops(mut self) -> Vec<Stmt> {
        let Gathering { stmt, trips: [all, ..], .. } = self.gathering;
        let (mut states, mut out) = (self.arrays_of(stmt), Vec::new());
        let def = SymDef::FloorDiv(all.clone(), Size::constant(BLOCK));
        let blocks = Size::sym(symbol(self.func, def, vec![Size::default()], vec![all.clone()]));
        let mut place = Place { states: &mut states, out: &mut out };
        self.nest(Head::blocks(&blocks), &mut place, &mut |this, block, place| this.block(&block.scale(BLOCK), place));
        let done = blocks.scale(BLOCK);
        self.nest(Head::part(0, &all.sub(&done)), &mut place, &mut |this, number, place| {
            this.define(0, &done.add(&number), place.out);
            head(this.gathering.stmt).2.stmts.iter().for_each(|stmt| this.copy(stmt, place));
        });
        // Those behind know the last states by the names that the loop gave them.
        let named: HashMap<Value, Value> = states.into_iter().zip(stmt.results.iter().copied()).collect();
        let last = out.last_mut().expect("the loop over the rest");
        last.results.iter_mut().for_each(|result| *result = named[result]);
        out
    }

    /// The first states of the arrays, by their numbers.
    fn arrays_of(&self, stmt: &Stmt) -> Vec<Value> {
        let (_, init, body) = head(stmt);
        let mut states = init.to_vec();
        for (param, init) in body.params[1..].iter().zip(init) {
            states[self.gathering.contents.version[param]] = *init;
        }
        states
    }

    /// What a block does whose first iteration this is.
    fn block(&mut self, first: &Size, place: &mut Place<'_>) {
        let Gathering { trips: [_, rows, columns], symbols, fewer, .. } = self.gathering;
        let own = symbols[0].expect("the loop's counter has a symbol");
        let (least, common) = (at(rows, own, &first.add_const(BLOCK - 1)), at(columns, own, first));
        // Rows are numbered as in the first iteration: each iteration has one fewer from the front, or all.
        let before = (BLOCK - 1) * fewer;
        if before > 0 {
            self.nest(Head::gathering(1, &Size::constant(before)), place, &mut |this, row, place| {
                this.gathered((&row.add_const(1), &row), (first, &common), place);
            });
        }
        self.nest(Head::gathering(1, &least), place, &mut |this, row, place| {
            this.gathered((&Size::constant(BLOCK), &row.add_const(before)), (first, &common), place);
        });
        self.nest(Head::part(0, &Size::constant(BLOCK)), place, &mut |this, number, place| {
            let now = first.add(&number);
            this.define(0, &now, place.out);
            let parts = &this.gathering.parts;
            parts.before.iter().for_each(|stmt| this.copy(stmt, place));
            this.rows(&at(rows, own, &now), (&common, &number), place);
            parts.after.iter().for_each(|stmt| this.copy(stmt, place));
        });
    }

    /// What comes to a row, numbered as in the first iteration, from before the block, in so many iterations of it.
    fn gathered(&mut self, (iterations, row): (&Size, &Size), (first, common): (&Size, &Size), place: &mut Place<'_>) {
        self.nest(Head::gathering(0, iterations), place, &mut |this, number, place| {
            this.define(0, &first.add(&number), place.out);
            this.define(1, &row.sub(&number.scale(this.gathering.fewer)), place.out);
            let parts = &this.gathering.parts;
            [parts.before, parts.first].concat().iter().for_each(|stmt| this.copy(stmt, place));
            this.columns(Head::gathering(2, common), &Size::default(), place);
        });
    }

    /// The rows of an iteration, with some iterations of the innermost loop.
    fn rows(&mut self, count: &Size, columns: (&Size, &Size), place: &mut Place<'_>) {
        self.nest(Head::part(1, count), place, &mut |this, number, place| {
            this.define(1, &number, place.out);
            let parts = &this.gathering.parts;
            parts.first.iter().for_each(|stmt| this.copy(stmt, place));
            this.columns(Head::part(2, columns.1), columns.0, place);
            parts.last.iter().for_each(|stmt| this.copy(stmt, place));
        });
    }

    /// Some iterations of the innermost loop, from one on.
    fn columns(&mut self, of: Head<'_>, from: &Size, place: &mut Place<'_>) {
        self.nest(of, place, &mut |this, number, place| {
            this.define(2, &from.add(&number), place.out);
            head(this.gathering.parts.columns).2.stmts.iter().for_each(|stmt| this.copy(stmt, place));
        });
    }

    /// A loop of so many iterations in the place of the one of this level; `inside` makes what it does of its counter.
    fn nest(
        &mut self,
        Head { level, count, is_made, carries }: Head<'_>,
        place: &mut Place<'_>,
        inside: &mut dyn FnMut(&mut Self, Size, &mut Place<'_>),
    ) {
        let loops = [self.gathering.stmt, self.gathering.parts.rows, self.gathering.parts.columns];
        let old = self.gathering.counters()[level];
        let trip = self.func.new_value(Type::scalar(Class::Index));
        place.out.push(Stmt { results: vec![trip], op: Op::Size(count.clone()), loc: Loc::NONE });
        let (counter, number) = new_counter(self.func, old, count);
        let carried = head(loops[carries]).2;
        let arrays: Vec<usize> = carried.params[1..].iter().map(|p| self.gathering.contents.version[p]).collect();
        let init: Vec<Value> = arrays.iter().map(|array| place.states[*array]).collect();
        let mut states = place.states.clone();
        arrays.iter().for_each(|array| states[*array] = self.func.new_like(states[*array]));
        let params: Vec<Value> = [counter].into_iter().chain(arrays.iter().map(|array| states[*array])).collect();
        let (known, mut stmts) = ((self.values.clone(), self.symbols.clone()), Vec::new());
        inside(self, Size::sym(number), &mut Place { states: &mut states, out: &mut stmts });
        let copied = Copied { symbols: self.symbols.clone(), ..Copied::default() };
        self.copies.push(match is_made {
            true => Copied { made: vec![counter], ..copied },
            false => Copied { values: [(old, counter)].into_iter().collect(), ..copied },
        });
        (self.values, self.symbols) = known;
        let term = Terminator::Yield(arrays.iter().map(|array| states[*array]).collect());
        let results: Vec<Value> = arrays.iter().map(|array| self.func.new_like(place.states[*array])).collect();
        arrays.iter().zip(&results).for_each(|(array, result)| place.states[*array] = *result);
        let body = Box::new(Region { params, stmts, term });
        place.out.push(Stmt { results, op: Op::For { trip, init, body }, loc: loops[level].loc });
    }

    /// Says which iteration of the loop of this level it is.
    fn define(&mut self, level: usize, number: &Size, out: &mut Vec<Stmt>) {
        let value = self.func.new_value(Type::scalar(Class::Index));
        out.push(Stmt { results: vec![value], op: Op::Size(number.clone()), loc: Loc::NONE });
        self.values.insert(self.gathering.counters()[level], value);
        self.symbols.extend(self.gathering.symbols[level].map(|sym| (sym, number.clone())));
    }

    /// Copies a statement, which uses the newest states of arrays.
    fn copy(&mut self, stmt: &Stmt, place: &mut Place<'_>) {
        let version = &self.gathering.contents.version;
        self.values.extend(version.iter().map(|(state, array)| (*state, place.states[*array])));
        let mut copy = Copy::going_on(self.func, std::mem::take(&mut self.values), std::mem::take(&mut self.symbols));
        let new = copy.stmt(stmt);
        (self.values, self.symbols) = (copy.values, copy.symbols);
        for (old, new) in stmt.results.iter().zip(&new.results) {
            if let Some(array) = version.get(old) {
                place.states[*array] = *new;
            }
        }
        if !new.op.regions().is_empty() {
            self.copies.push(Copied { values: self.values.clone(), symbols: self.symbols.clone(), made: Vec::new() });
        }
        place.out.push(new);
    }
}

#[cfg(test)]
mod tests;
