//! Short loops over the elements of small arrays, written out: `for c in 0..3 { force[c] += pull * distance[c] }`.
//!
//! A small array becomes scalars if all of its elements are named when compiling. Where only the counters of short loops stand in the way, each
//! iteration of these gets a copy in which the counter is a constant (loop unrolling: Muchnick, section 17.4.3). Which arrays gain is asked
//! of [`candidates`] before anything is written: once as if each such counter were the first number, once as if it were the last.

use super::{Known, MOST, candidates};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Class, Const, Func, Op, Region, Size, Stmt, Sub, Sym, SymDef, Terminator, Type, Value, Walk};
use crate::nests::copy::Copy;

/// A loop stays if all its iterations together, those of loops in it written out too, have more statements.
const MOST_STATEMENTS: usize = 512;

/// Writes out the short loops that name elements of arrays which become scalars by it.
pub(super) fn run(func: &mut Func, known: &Known) -> bool {
    let mut short = Short::default();
    short.find(func, known);
    let chosen = loop {
        let chosen = short.useful(func, known);
        let Some(large) = too_large(&func.body, &chosen).filter(|_| !chosen.is_empty()) else { break chosen };
        short.trips.remove(&large);
    };
    if chosen.is_empty() {
        return false;
    }
    let symbols = func.symbols.iter().filter_map(|(sym, data)| match data.def {
        SymDef::Value(value) => Some((value, sym)),
        SymDef::Dim(..) | SymDef::Max(..) | SymDef::Min(..) | SymDef::FloorDiv(..) => None,
    });
    let symbols = symbols.filter(|(value, _)| chosen.contains_key(value)).collect();
    let body = std::mem::take(&mut func.body);
    let mut unroll = Unroll { func, chosen, symbols, renamed: HashMap::default() };
    let body = unroll.region(body);
    func.body = body;
    true
}

/// Loops of at most [`MOST`] iterations, by their counters: how many.
#[derive(Default)]
struct Short {
    trips: HashMap<Value, i64>,
}

impl Short {
    /// The loops of a function that run to their end, and of which no size depends.
    fn find(&mut self, func: &Func, known: &Known) {
        let sized: HashSet<Value> = func.symbols.values().collect();
        func.body.walk(&mut |stmt| {
            let Op::For { trip, body, .. } = &stmt.op else { return };
            let trip = known.values.get(trip).copied().filter(|n| (1..=MOST as i64).contains(n));
            let plain = || body.params[1..].iter().chain(&stmt.results).all(|v| !sized.contains(v));
            if let Some(trip) = trip.filter(|_| plain() && runs_to_its_end(body, 0) && !decides_sizes(func, body)) {
                self.trips.insert(body.params[0], trip);
            }
        });
    }

    /// Those whose counters name elements of arrays that become scalars only if the loops are written out.
    fn useful(&self, func: &Func, known: &Known) -> HashMap<Value, i64> {
        if self.trips.is_empty() {
            return HashMap::default();
        }
        let at = |place: fn(i64) -> i64| {
            let mut all =
                Known { values: self.trips.iter().map(|(v, n)| (*v, place(*n))).collect(), ..Known::default() };
            all.add(func);
            candidates::find(func, &all)
        };
        let (first, last, already) = (at(|_| 0), at(|n| n - 1), candidates::find(func, known));
        let gains = |v: &Value| first.contains(v) && last.contains(v) && !already.contains(v);
        let mut from = Counters { trips: &self.trips, of: HashMap::default() };
        let mut used = HashSet::default();
        func.body.walk(&mut |stmt| match &stmt.op {
            Op::Binary(_, a, b) => from.combined(stmt.results[0], [*a, *b]),
            Op::Index { array, subs, .. } | Op::Store { array, subs, .. } if gains(array) => {
                used.extend(subs.iter().flat_map(|sub| from.of_sub(sub)));
            }
            _ => {}
        });
        used.into_iter().map(|counter| (counter, self.trips[&counter])).collect()
    }
}

/// Which counters values are computed from.
struct Counters<'t> {
    trips: &'t HashMap<Value, i64>,
    of: HashMap<Value, Vec<Value>>,
}

impl Counters<'_> {
    fn combined(&mut self, result: Value, operands: [Value; 2]) {
        let all: Vec<Value> = operands.iter().flat_map(|v| self.of_value(*v)).collect();
        if !all.is_empty() {
            self.of.insert(result, all);
        }
    }

    fn of_value(&self, value: Value) -> Vec<Value> {
        let itself = self.trips.contains_key(&value).then_some(value);
        itself.into_iter().chain(self.of.get(&value).into_iter().flatten().copied()).collect()
    }

    fn of_sub(&self, sub: &Sub) -> Vec<Value> {
        match sub {
            Sub::At(value) | Sub::Range { start: value, .. } => self.of_value(*value),
            Sub::All | Sub::Vector(_) => Vec::new(),
        }
    }
}

/// Whether nothing in a loop's body leaves it or an iteration of it early; `depth` loops of the body are around the region.
fn runs_to_its_end(region: &Region, depth: u32) -> bool {
    let stays = match &region.term {
        Terminator::Yield(_) => true,
        Terminator::Break(d, _) | Terminator::Continue(d, _) => *d < depth,
        Terminator::Return(_) | Terminator::Unreachable => false,
    };
    stays
        && region.stmts.iter().all(|stmt| {
            let is_loop = matches!(stmt.op, Op::For { .. } | Op::While { .. });
            stmt.op.regions().into_iter().all(|inner| runs_to_its_end(inner, depth + u32::from(is_loop)))
        })
}

/// Whether the sizes of arrays in a body depend on its own values. Numbers that are sizes may.
fn decides_sizes(func: &Func, body: &Region) -> bool {
    let mut own: HashSet<Value> = body.params.iter().copied().collect();
    body.defined(&mut own);
    let depends = |size: &Size| {
        let mut found = false;
        func.symbols.for_each_value(size, &mut |v| found |= own.contains(&v));
        found
    };
    !body.walk(&mut |stmt| {
        let mut found = stmt.results.iter().any(|v| func.ty(*v).dims.iter().any(depends));
        if !matches!(stmt.op, Op::Size(_)) {
            stmt.op.for_each_size(&mut |size| found |= depends(size));
        }
        if found { Walk::Interrupt } else { Walk::Advance }
    })
}

/// A chosen loop, by its counter, that would become too long.
fn too_large(region: &Region, chosen: &HashMap<Value, i64>) -> Option<Value> {
    let mut large = None;
    statements(region, chosen, &mut large);
    large
}

/// How many statements a region has when the chosen loops are written out.
fn statements(region: &Region, chosen: &HashMap<Value, i64>, large: &mut Option<Value>) -> usize {
    let mut count = 0;
    for stmt in &region.stmts {
        let inner: usize = stmt.op.regions().into_iter().map(|r| statements(r, chosen, large)).sum();
        count += match &stmt.op {
            Op::For { body, .. } if chosen.contains_key(&body.params[0]) => {
                let all = inner.saturating_mul(chosen[&body.params[0]] as usize);
                if all > MOST_STATEMENTS {
                    large.get_or_insert(body.params[0]);
                }
                all
            }
            _ => inner + 1,
        };
    }
    count
}

/// The walk that writes loops out.
struct Unroll<'f> {
    func: &'f mut Func,
    chosen: HashMap<Value, i64>,
    /// The symbols of counters.
    symbols: HashMap<Value, Sym>,
    /// What the results of loops that are gone have become.
    renamed: HashMap<Value, Value>,
}

impl Unroll<'_> {
    fn region(&mut self, mut region: Region) -> Region {
        let mut out = Vec::with_capacity(region.stmts.len());
        for mut stmt in region.stmts {
            stmt.op.for_each_operand_mut(&mut |v| *v = self.current(*v));
            for inner in stmt.op.regions_mut() {
                *inner = self.region(std::mem::replace(inner, empty()));
            }
            match stmt.op {
                Op::For { init, body, .. } if self.chosen.contains_key(&body.params[0]) => {
                    self.iterations(&stmt.results, init, &body, &mut out);
                }
                _ => out.push(stmt),
            }
        }
        region.stmts = out;
        region.term.values_mut().iter_mut().for_each(|v| *v = self.current(*v));
        region
    }

    fn current(&self, value: Value) -> Value {
        *self.renamed.get(&value).unwrap_or(&value)
    }

    /// One iteration after the other.
    fn iterations(&mut self, results: &[Value], mut carried: Vec<Value>, body: &Region, out: &mut Vec<Stmt>) {
        let counter = body.params[0];
        for number in 0..self.chosen[&counter] {
            let constant = self.func.new_value(Type::scalar(Class::Index));
            let loc = body.stmts.first().map_or(crate::ir::Loc::NONE, |stmt| stmt.loc);
            out.push(Stmt { results: vec![constant], op: Op::Const(Const::Int(number)), loc });
            let mut copy = Copy::new(self.func);
            copy.values.insert(counter, constant);
            copy.values.extend(body.params[1..].iter().copied().zip(carried.iter().copied()));
            copy.symbols.extend(self.symbols.get(&counter).map(|sym| (*sym, Size::constant(number))));
            out.extend(body.stmts.iter().map(|stmt| copy.stmt(stmt)));
            let values = copy.values;
            carried = body.term.values().iter().map(|v| values.get(v).copied().unwrap_or(*v)).collect();
        }
        self.renamed.extend(results.iter().copied().zip(carried));
    }
}

fn empty() -> Region {
    Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable }
}
