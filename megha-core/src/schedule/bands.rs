//! Loops over time whose launches can run band by band: which ones, and how far each launch is behind (`megha_rt::bands` has the idea).
//!
//! A sequential loop launches kernels in each iteration, a *step*. What it does besides is scalar code that reads no array. Of each array that a
//! step changes, *rows* are the elements with one subscript along the dimension that is outermost in memory; all states of such an array that the
//! loop hands on or updates count as one piece of memory. A kernel fits if it touches rows only at constant distances from its own, `r`: the number
//! of an iteration of one of its loops, from a first row on, which may be another one in each step; or all of it belongs to one row, the same in all steps.
//!
//! Launch `k` of step `t` computes in band `b` of width `W` the rows `r` with `b W <= r + shift < (b + 1) W`, where its shift is
//! `slope t + offset(k)`. Bands run in order, and in a band the launches in the program's. So what a row of a launch shares with a row of a later one
//! happens in the right order if `r + shift` does not fall: for two accesses to row `r + a` of the earlier and `r' + b` of the later,
//! one of them a write, `shift' - shift >= r - r' = b - a`. Within a step these are differences of two offsets; from one step to the next, of which the
//! tightest is the very next, the slope is added. The least slope for which there are offsets is taken, and the least offsets for it: longest paths
//! (Bellman and Ford), since a difference constraint is an edge.
//!
//! Loops that do nothing but run such a loop are part of it: their iterations are runs of steps, one behind the other (the colours of a sweep, within
//! sweeps).
//!
//! Of arrays of three dimensions and more, rows may also be the elements with one subscript along the dimension *inside* of that one: where a plane is larger than the caches, a band of lines in all planes
//! is not.
//!
//! Which points of the rows meet is not asked, nor whether domains do: a launch that is further behind than it need be is right all the same.

use std::fmt;

use super::Memory;
use super::access::Affine;
use super::footprint::{Definitions, definitions};
use super::subject::Subject;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Const, Func, Loc, Mem, Op, Out, Region, Size, Stmt, SymDef, Terminator, Type, Value};

/// Slopes up to which bands pay: each step of a block needs as many rows more.
const STEEPEST: i64 = 8;
/// Launches in a step at most: all pairs are compared.
const MOST: usize = 48;

/// A loop that launches kernels.
#[derive(Debug, Clone)]
pub struct TimeLoop<'f> {
    /// The loop.
    pub stmt: &'f Stmt,
    /// The loops around it that are part of it, outermost first.
    pub around: Vec<&'f Stmt>,
    /// Its counter.
    pub counter: Value,
    /// The arrays that it changes; values that may share memory have one number.
    pub arrays: HashMap<Value, usize>,
    /// How its launches run in bands, with columns first and with rows first, or why they do not.
    pub bands: [Result<Bands, Obstacle>; 2],
    /// The same along the dimension inside of that one, if they can run so too.
    pub inside: [Option<Bands>; 2],
    /// What may differ from step to step.
    moving: HashSet<Value>,
}

impl TimeLoop<'_> {
    /// Whether a kernel's subscript is the same function of the iteration numbers in all steps.
    pub fn repeats(&self, func: &Func, subscript: &Affine) -> bool {
        let uniform = &subscript.uniform;
        self.stays(func, &subscript.size) && uniform.iter().all(|(value, _)| !self.moving.contains(value))
    }

    /// Whether a value may differ from step to step.
    pub fn moves(&self, value: Value) -> bool {
        self.moving.contains(&value)
    }

    /// Whether a size is the same in all steps.
    pub fn stays(&self, func: &Func, size: &Size) -> bool {
        stays(func, &self.moving, size)
    }
}

/// Whether a size does not depend on these values.
fn stays(func: &Func, moving: &HashSet<Value>, size: &Size) -> bool {
    func.symbols.is_made_of(size, &|value| !moving.contains(&value))
}

/// The values of a loop's body that may differ from step to step: what is handed on, and what is computed of such values.
fn moving(func: &Func, body: &Region) -> HashSet<Value> {
    let mut found: HashSet<Value> = body.params.iter().copied().collect();
    for stmt in &body.stmts {
        let mut moves = stmt.op.has_effect() || !stmt.op.regions().is_empty();
        stmt.op.for_each_operand(&mut |value| moves |= found.contains(&value));
        stmt.op.for_each_size(&mut |size| moves |= !stays(func, &found, size));
        if moves {
            found.extend(&stmt.results);
        }
        stmt.op.regions().into_iter().for_each(|region| region.defined(&mut found));
    }
    found
}

/// How far the launches of a loop are behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bands {
    /// How far a step is behind the one before.
    pub slope: Slope,
    /// The launches of a step, in order.
    pub launches: Vec<Launch>,
}

/// How far a step is behind the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slope {
    /// Not at all: no row depends on another one.
    Apart,
    /// By so many rows.
    Rows(u32),
}

impl Slope {
    /// The rows.
    pub fn rows(self) -> u32 {
        match self {
            Self::Apart => 0,
            Self::Rows(rows) => rows,
        }
    }
}

/// A launch of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The kernel's number.
    pub kernel: u32,
    /// The loop over rows; none if all of it belongs to one row.
    pub axis: Option<usize>,
    /// The first row.
    pub first: Size,
    /// By how many rows it is behind.
    pub offset: u32,
}

/// Why the launches of a loop do not run in bands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// A statement that branches, fails or works on whole arrays.
    Statement(Loc),
    /// The loop may be left early.
    Left,
    /// Too many launches.
    Many,
    /// A kernel reduces.
    Reduces(u32),
    /// A kernel has bounds within its box.
    Bounded(u32),
    /// A kernel may fail.
    Fails(u32),
    /// The sizes of an array change in the loop.
    Resized,
    /// A kernel reaches rows other than at constant distances from its own.
    Far(u32),
    /// A row waits for rows too far ahead.
    Steep,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Statement(_) => f.write_str("it does more than launch kernels and compute numbers"),
            Self::Left => f.write_str("it may be left early"),
            Self::Many => write!(f, "it launches more than {MOST} kernels"),
            Self::Reduces(kernel) => write!(f, "kernel {} combines elements", kernel + 1),
            Self::Bounded(kernel) => write!(f, "kernel {} is no box", kernel + 1),
            Self::Fails(kernel) => write!(f, "kernel {} may fail", kernel + 1),
            Self::Resized => f.write_str("sizes change in it"),
            Self::Far(kernel) => write!(f, "kernel {} reaches rows at distances that are not constant", kernel + 1),
            Self::Steep => write!(f, "rows wait for rows of the step before that are more than {STEEPEST} ahead"),
        }
    }
}

impl<'f> TimeLoop<'f> {
    /// The counter of the outermost loop that is part of it.
    pub fn outermost(&self) -> Value {
        let of = |stmt: &&'f Stmt| if let Op::For { body, .. } = &stmt.op { Some(body.params[0]) } else { None };
        self.around.first().and_then(of).unwrap_or(self.counter)
    }

    /// How often the loops inside of the outermost one run, each known before that one.
    pub fn inner_trips(&self) -> Vec<Value> {
        let of = |stmt: &&'f Stmt| if let Op::For { trip, .. } = &stmt.op { Some(*trip) } else { None };
        self.around.iter().chain([&self.stmt]).skip(1).filter_map(of).collect()
    }
}

/// The loops of a function that launch kernels themselves.
pub fn time_loops(func: &Func) -> Vec<TimeLoop<'_>> {
    let mut found = Vec::new();
    collect(func, &func.body, &mut Vec::new(), &mut found);
    if found.is_empty() {
        return Vec::new();
    }
    let defs = definitions(func);
    found.into_iter().map(|(around, stmt, body)| time_loop((func, &defs), around, stmt, body)).collect()
}

/// A loop that launches kernels, with its body, and the loops around it that do nothing else.
type Found<'f> = (Vec<&'f Stmt>, &'f Stmt, &'f Region);

fn collect<'f>(func: &Func, region: &'f Region, around: &mut Vec<&'f Stmt>, found: &mut Vec<Found<'f>>) {
    for stmt in &region.stmts {
        let Op::For { init, body, .. } = &stmt.op else {
            if !matches!(stmt.op, Op::Kernel(_)) {
                stmt.op.regions().into_iter().for_each(|nested| collect(func, nested, &mut Vec::new(), found));
            }
            continue;
        };
        let is_rest = |other: &Stmt| std::ptr::eq(other, stmt) || other.is_scalar_code(func);
        let is_all = around.last().is_some_and(|outer| hands_through(outer, init, &stmt.results))
            && region.stmts.iter().all(is_rest);
        let mut outer = if is_all { around.clone() } else { Vec::new() };
        if body.stmts.iter().any(|inner| matches!(inner.op, Op::Kernel(_))) {
            found.push((outer.clone(), stmt, &**body));
        }
        outer.push(stmt);
        collect(func, body, &mut outer, found);
    }
}

/// Whether a loop hands on what it was handed and what comes of it.
fn hands_through(outer: &Stmt, init: &[Value], results: &[Value]) -> bool {
    let Op::For { body, .. } = &outer.op else { return false };
    body.params[1..] == *init && body.term == Terminator::Yield(results.to_vec())
}

fn time_loop<'f>(
    (func, defs): (&'f Func, &Definitions<'f>),
    mut around: Vec<&'f Stmt>,
    stmt: &'f Stmt,
    body: &'f Region,
) -> TimeLoop<'f> {
    let counter = body.params[0];
    let kernels = match kernels(func, body) {
        Ok(kernels) => kernels,
        Err(obstacle) => {
            let (bands, arrays) = ([Err(obstacle), Err(obstacle)], HashMap::default());
            let (around, inside, moving) = (Vec::new(), [None, None], moving(func, body));
            return TimeLoop { stmt, around, counter, arrays, bands, inside, moving };
        }
    };
    loop {
        let arrays = changed(func, (body, stmt, &around), &kernels);
        let outer = around.first().map_or(body, |outer| body_of(outer));
        let moving = moving(func, outer);
        let steps = Steps { func, defs, body: outer, kernels: &kernels, arrays: &arrays, moving: &moving };
        let bands = Memory::ALL.map(|memory| steps.bands(memory, Along::Outermost));
        let inside = Memory::ALL.map(|memory| steps.bands(memory, Along::Inside).ok());
        let found = TimeLoop { stmt, around, counter, arrays, bands, inside, moving };
        let mut inside = HashSet::default();
        outer.defined(&mut inside);
        // Host code counts the steps before the loop.
        let known = |trip: &Value| match defs.get(trip) {
            Some(Op::Const(_)) => true,
            Some(Op::Size(size)) => stays(func, &inside, size),
            _ => !inside.contains(trip),
        };
        let fits = found.bands.iter().any(Result::is_ok) && found.inner_trips().iter().all(known);
        if fits || found.around.is_empty() {
            return found;
        }
        around = found.around[1..].to_vec();
    }
}

fn body_of(stmt: &Stmt) -> &Region {
    match &stmt.op {
        Op::For { body, .. } => body,
        _ => unreachable!("a loop over time is a `for` loop"),
    }
}

/// The kernels of a loop's body that does nothing else with arrays.
fn kernels<'f>(func: &'f Func, body: &'f Region) -> Result<Vec<Subject<'f>>, Obstacle> {
    let mut found = Vec::new();
    for stmt in &body.stmts {
        let Op::Kernel(kernel) = &stmt.op else {
            if stmt.is_scalar_code(func) {
                continue;
            }
            return Err(Obstacle::Statement(stmt.loc));
        };
        let subject = Subject::of(func, stmt, kernel);
        if stmt.op.has_effect() {
            return Err(Obstacle::Fails(kernel.id));
        } else if kernel.outs.iter().any(|out| matches!(out, Out::Reduce(..))) {
            return Err(Obstacle::Reduces(kernel.id));
        } else if !subject.maps.bounds().is_empty() {
            return Err(Obstacle::Bounded(kernel.id));
        }
        found.push(subject);
    }
    match body.term {
        Terminator::Yield(_) if found.len() <= MOST => Ok(found),
        Terminator::Yield(_) => Err(Obstacle::Many),
        _ => Err(Obstacle::Left),
    }
}

/// The arrays that kernels change, numbered by what may share memory: an array with its updated states, and what the loop hands on with what it was handed.
fn changed(
    func: &Func,
    (body, stmt, around): (&Region, &Stmt, &[&Stmt]),
    kernels: &[Subject<'_>],
) -> HashMap<Value, usize> {
    let mut number: HashMap<Value, usize> = HashMap::default();
    let mut changes = HashSet::default();
    let mut next = 0;
    let mut join = |number: &mut HashMap<Value, usize>, values: [Value; 2]| {
        let [a, b] = values.map(|value| {
            next += 1;
            *number.entry(value).or_insert(next)
        });
        number.values_mut().filter(|own| **own == b).for_each(|own| *own = a);
    };
    for subject in kernels {
        for (out, result) in subject.kernel.outs.iter().zip(&subject.stmt.results) {
            join(&mut number, [out.updated().unwrap_or(*result), *result]);
            changes.insert(*result);
        }
    }
    for (param, value) in body.params[1..].iter().zip(body.term.values()) {
        if !func.ty(*param).is_scalar() {
            join(&mut number, [*param, *value]);
        }
    }
    // What loops around hand through.
    for outer in around {
        let of_outer = body_of(outer).params[1..].iter().zip(&stmt.results).zip(&body.params[1..]);
        for ((param, result), own) in of_outer {
            if !func.ty(*param).is_scalar() {
                join(&mut number, [*own, *param]);
                join(&mut number, [*own, *result]);
            }
        }
    }
    let changing: HashSet<usize> = changes.iter().map(|value| number[value]).collect();
    number.retain(|_, own| changing.contains(own));
    number
}

/// A row of one piece of memory that a kernel touches, as a distance from its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Touch {
    array: usize,
    at: i64,
    write: bool,
}

impl Touch {
    /// Whether the order of two touches of one row matters.
    fn meets(&self, other: &Touch) -> bool {
        self.array == other.array && (self.write || other.write)
    }
}

struct Steps<'s, 'f> {
    func: &'f Func,
    defs: &'s Definitions<'f>,
    /// The body of the outermost loop.
    body: &'f Region,
    kernels: &'s [Subject<'f>],
    arrays: &'s HashMap<Value, usize>,
    /// What may differ from step to step.
    moving: &'s HashSet<Value>,
}

/// The dimension with whose subscripts rows are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Along {
    /// The outermost in memory.
    Outermost,
    /// The one inside of it.
    Inside,
}

impl Steps<'_, '_> {
    fn bands(&self, memory: Memory, along: Along) -> Result<Bands, Obstacle> {
        self.sizes_stay()?;
        let placed: Vec<(Option<usize>, Size, Vec<Touch>)> =
            self.kernels.iter().map(|subject| self.rows(subject, (memory, along))).collect::<Result<_, _>>()?;
        let touches: Vec<&[Touch]> = placed.iter().map(|(_, _, touches)| &touches[..]).collect();
        let (slope, offsets) = shifts(&touches).ok_or(Obstacle::Steep)?;
        let launches = self.kernels.iter().zip(&placed).zip(offsets);
        let launches = launches.map(|((subject, (axis, first, _)), offset)| Launch {
            kernel: subject.kernel.id,
            axis: *axis,
            first: first.clone(),
            offset,
        });
        let slope = if are_apart(&touches) { Slope::Apart } else { Slope::Rows(slope) };
        Ok(Bands { slope, launches: launches.collect() })
    }

    /// What the loop computes, or what was before it, as a size.
    fn size(&self, value: Value) -> Option<Size> {
        match self.defs.get(&value) {
            Some(Op::Const(Const::Int(number))) => Some(Size::constant(*number)),
            Some(Op::Size(size)) => Some(size.clone()),
            Some(Op::Binary(Binary::Add, a, b)) => Some(self.size(*a)?.add(&self.size(*b)?)),
            Some(Op::Binary(Binary::Sub, a, b)) => Some(self.size(*a)?.sub(&self.size(*b)?)),
            _ => {
                let own = self.func.symbols.iter().find(|(_, data)| data.def == SymDef::Value(value));
                own.map(|(sym, _)| Size::sym(sym))
            }
        }
    }

    fn sizes_stay(&self) -> Result<(), Obstacle> {
        let mut types: HashMap<usize, &Type> = HashMap::default();
        // Host code counts bytes before the loop: it is not enough that the loop computes the same number in each step.
        let mut inside = HashSet::default();
        self.body.defined(&mut inside);
        let known = self.arrays.iter().all(|(value, number)| {
            let ty = self.func.ty(*value);
            ty.dims.iter().all(|dim| stays(self.func, &inside, dim)) && **types.entry(*number).or_insert(ty) == *ty
        });
        if known { Ok(()) } else { Err(Obstacle::Resized) }
    }

    /// A kernel's loop over rows, its first row, and what it touches.
    fn rows(
        &self,
        subject: &Subject<'_>,
        along: (Memory, Along),
    ) -> Result<(Option<usize>, Size, Vec<Touch>), Obstacle> {
        let far = Obstacle::Far(subject.kernel.id);
        let mut found: Option<(Vec<i64>, Size)> = None;
        let mut touches = Vec::new();
        // Writes say which rows are the kernel's own.
        let (writes, reads): (Vec<_>, Vec<_>) = subject.accesses.iter().partition(|a| matches!(a.op, Op::Put(..)));
        for access in writes.into_iter().chain(reads) {
            let value = match access.mem {
                Mem::In(value) => value,
                Mem::Out(out) => subject.stmt.results[out],
            };
            let Some(array) = self.arrays.get(&value).copied() else { continue };
            let (Op::Load(_, subs) | Op::Put(_, subs, _)) = access.op else { return Err(far) };
            let row = row_subscript(self.func.ty(value), subs, along).ok_or(far)?;
            let Affine { coeffs, uniform, size } = subject.maps.affine(row).ok_or(far)?;
            let known = uniform.iter().try_fold(size, |sum, (value, by)| Some(sum.plus(*by, &self.size(*value)?)));
            let size = known.ok_or(far)?;
            let (own, first) = found.get_or_insert_with(|| (coeffs.clone(), size.clone()));
            let at = size.sub(first).as_constant().filter(|_| coeffs == *own).ok_or(far)?;
            touches.push(Touch { array, at, write: matches!(access.op, Op::Put(..)) });
        }
        let (coeffs, first) = found.ok_or(far)?;
        let moving: Vec<usize> = (0..coeffs.len()).filter(|axis| coeffs[*axis] != 0).collect();
        match moving[..] {
            // Of steps that go from row to row each has a row, which its threads share.
            [] if !stays(self.func, self.moving, &first) => Err(far),
            [] => Ok((None, first, touches)),
            [axis] if coeffs[axis] == 1 => Ok((Some(axis), first, touches)),
            _ => Err(far),
        }
    }
}

/// The subscript along a dimension. None if the one inside is the innermost too: it stays whole, for vectors.
fn row_subscript(ty: &Type, subs: &[Value], (memory, along): (Memory, Along)) -> Option<Value> {
    let mut long: Vec<usize> = (0..ty.dims.len()).filter(|axis| !ty.dims[*axis].is_one()).collect();
    if memory == Memory::ColumnMajor {
        long.reverse();
    }
    let row = match along {
        Along::Outermost => *long.first()?,
        Along::Inside => *long.get(1).filter(|_| long.len() > 2)?,
    };
    match subs {
        [only] if long.len() == 1 => Some(*only),
        _ if subs.len() == ty.dims.len() => Some(subs[row]),
        _ => None,
    }
}

/// Whether two of these launches meet in an array, one of them writing, in a row of both only.
fn are_apart(launches: &[&[Touch]]) -> bool {
    let all = || launches.iter().copied().flatten();
    all().all(|a| all().all(|b| !a.meets(b) || a.at == b.at))
}

/// The least slope and the least offsets for the launches of a step that touch these rows; none if there is no slope that is small.
fn shifts(launches: &[&[Touch]]) -> Option<(u32, Vec<u32>)> {
    let mut edges = Vec::new();
    for (from, earlier) in launches.iter().enumerate() {
        for (to, later) in launches.iter().enumerate() {
            let pairs = earlier.iter().flat_map(|a| later.iter().filter(|b| a.meets(b)).map(|b| b.at - a.at));
            if let Some(behind) = pairs.max() {
                edges.push((from, to, behind));
            }
        }
    }
    (0..=STEEPEST).find_map(|slope| {
        // In the same step a launch waits for those before it, in the next one for all.
        let within = edges.iter().copied().filter(|(from, to, _)| from < to);
        let across = edges.iter().map(|(from, to, behind)| (*from, *to, behind - slope));
        let offsets = longest(launches.len(), &within.chain(across).collect::<Vec<_>>())?;
        Some((slope as u32, offsets.into_iter().map(|offset| offset as u32).collect()))
    })
}

/// The longest paths to all places from any; none if there is a circle that grows.
fn longest(places: usize, edges: &[(usize, usize, i64)]) -> Option<Vec<i64>> {
    let mut lengths = vec![0; places];
    for _ in 0..=places {
        let mut settled = true;
        for (from, to, length) in edges {
            if lengths[*from] + length > lengths[*to] {
                lengths[*to] = lengths[*from] + length;
                settled = false;
            }
        }
        if settled {
            return Some(lengths);
        }
    }
    None
}

#[cfg(test)]
mod tests;
