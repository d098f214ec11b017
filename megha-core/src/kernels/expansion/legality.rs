//! Whether the iterations of loops are independent but for what can be expanded, whether that pays, and which dimensions the loops become.

use super::pieces::{Pieces, Unit};
use super::work::work;
use crate::affine::AccessKind;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Func, Loc, Mem, Op, Region, Size, Stmt, Value};
use crate::kernels::accesses::{Counted, Definitions, Extent, counted_loops};
use crate::nests::contents::{Contents, Site};
use crate::nests::dependence::conflict;

/// Where the loops' dimensions go among those of domains and expanded arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    First,
    Last,
}

/// So many elements of an expanded array are never too many.
const FEW: i64 = 4096;

/// More accesses than these are not compared with each other.
const MOST_ACCESSES: usize = 200;

/// The dimension that the loops become, if they may be expanded and that pays. Carried arrays that iterations share are made their own.
pub(super) fn axis(func: &Func, defs: &Definitions, pieces: &mut Pieces<'_>) -> Option<Axis> {
    let sizes: Option<Vec<Size>> = pieces.loops.iter().map(|(_, trip)| defs.trip_size(*trip)).collect();
    let trips = sizes?;
    let varies = |trip: &Size| defs.size_is_inside(trip, &func.symbols, pieces.scope);
    if trips.iter().all(|trip| trip.as_constant().is_some_and(|count| count < 2)) || trips.iter().any(varies) {
        return None;
    }
    let found = accesses(pieces);
    if found.iter().filter(|access| access.state.is_some()).count() > MOST_ACCESSES {
        return None;
    }
    let mut works = Vec::new();
    for number in 0..pieces.carried.len() {
        let own: Vec<&Access<'_>> = found.iter().filter(|access| access.state == Some(number)).collect();
        if !is_independent(func, defs, pieces, number, &own) {
            works.push((number, work(func, defs, pieces, number, &own)?));
        }
    }
    drop(found);
    works.into_iter().for_each(|(number, work)| pieces.privatise(number, work));
    let found = accesses(pieces);
    let places = Places::new(func, pieces);
    let pays = pieces.units.iter().all(|unit| fits(func, defs, (pieces, &found, &places), unit, &trips));
    pays.then(|| places.axis(&found))
}

/// An access to an array that is there before the loops.
pub(super) struct Access<'p> {
    pub unit: usize,
    array: Value,
    pub subs: &'p [Value],
    pub loops: Vec<Counted>,
    pub guards: Vec<(Value, bool)>,
    stores: bool,
    /// The number of the carried array that this is a state of.
    state: Option<usize>,
}

impl Access<'_> {
    fn site(&self, array: usize, kind: AccessKind) -> Site {
        let (loops, guards) = (self.loops.clone(), self.guards.clone());
        Site { array, kind, subs: self.subs.to_vec(), loops, guards, update: None, loc: Loc::NONE }
    }
}

/// The accesses of the units to arrays that iterations do not make for themselves.
fn accesses<'p>(pieces: &'p Pieces<'_>) -> Vec<Access<'p>> {
    let made: HashSet<Value> = pieces.units.iter().flat_map(|unit| unit.results.iter().copied()).collect();
    let outer = pieces.loops.iter().map(|(counter, trip)| Counted { counter: *counter, extent: Extent::Trip(*trip) });
    let loops: Vec<Counted> = outer.collect();
    let depth = loops.len();
    let mut walk = Walk { pieces, made, unit: 0, loops, guards: Vec::new(), found: Vec::new() };
    for (number, unit) in pieces.units.iter().enumerate() {
        walk.unit = number;
        walk.loops.truncate(depth);
        let own = unit.kernel.body.params.iter().zip(&unit.kernel.domain);
        walk.loops.extend(own.map(|(c, size)| Counted { counter: *c, extent: Extent::Size(size.clone()) }));
        walk.region(&unit.kernel.body);
    }
    walk.found
}

struct Walk<'p, 's> {
    pieces: &'p Pieces<'s>,
    /// What units compute, states of carried arrays among it.
    made: HashSet<Value>,
    unit: usize,
    loops: Vec<Counted>,
    guards: Vec<(Value, bool)>,
    found: Vec<Access<'p>>,
}

impl<'p> Walk<'p, '_> {
    fn region(&mut self, region: &'p Region) {
        let unit = &self.pieces.units[self.unit];
        for stmt in &region.stmts {
            match &stmt.op {
                Op::Load(Mem::In(array), subs) => self.access(*array, subs, false),
                Op::Load(Mem::Out(out), subs) => self.access(unit.results[*out], subs, false),
                Op::Put(out, subs, _) => self.access(unit.results[*out], subs, true),
                Op::If { cond, then, els } => {
                    for (arm, taken) in [(then, true), (els, false)] {
                        self.guards.push((*cond, taken));
                        self.region(arm);
                        self.guards.pop();
                    }
                }
                op => {
                    let depth = self.loops.len();
                    self.loops.extend(counted_loops(op));
                    op.regions().into_iter().for_each(|inner| self.region(inner));
                    self.loops.truncate(depth);
                }
            }
        }
    }

    fn access(&mut self, array: Value, subs: &'p [Value], stores: bool) {
        let state = self.pieces.states.get(&array).copied();
        if state.is_none() && self.made.contains(&array) {
            return;
        }
        let (loops, guards) = (self.loops.clone(), self.guards.clone());
        self.found.push(Access { unit: self.unit, array, subs, loops, guards, stores, state });
    }
}

/// Whether no iteration touches an element of a carried array that another stores.
fn is_independent(
    func: &Func,
    defs: &Definitions,
    pieces: &Pieces<'_>,
    number: usize,
    accesses: &[&Access<'_>],
) -> bool {
    let mut contents = Contents::default();
    for access in accesses {
        access.site(0, if access.stores { AccessKind::Write } else { AccessKind::Read }).add_to(&mut contents.sites);
    }
    contents.version.insert(pieces.carried[number].before, 0);
    is_free(func, defs, pieces, &contents)
}

/// Whether none of the loops carries a conflict.
fn is_free(func: &Func, defs: &Definitions, pieces: &Pieces<'_>, contents: &Contents) -> bool {
    (0..pieces.loops.len()).all(|level| conflict(func, defs, pieces.loops[0].0, contents, level).is_none())
}

/// Whether no two iterations come to the same element by this access.
fn is_apart(func: &Func, defs: &Definitions, pieces: &Pieces<'_>, access: &Access<'_>) -> bool {
    let mut contents = Contents { sites: vec![access.site(0, AccessKind::Write)], ..Contents::default() };
    contents.version.insert(access.array, 0);
    access.stores || is_free(func, defs, pieces, &contents)
}

/// Whether what a unit computes can be expanded and takes no more memory than something that the loops touch.
fn fits(
    func: &Func,
    defs: &Definitions,
    (pieces, accesses, places): (&Pieces<'_>, &[Access<'_>], &Places),
    unit: &Unit,
    trips: &[Size],
) -> bool {
    let is_small = |dims: &[Size]| {
        let numbers = dims.iter().chain(trips).map(Size::as_constant);
        numbers.collect::<Option<Vec<_>>>().is_some_and(|all| all.iter().product::<i64>() <= FEW)
    };
    let is_covered = |dims: &[Size]| {
        accesses.iter().any(|access| places.spans(pieces, access, dims) && is_apart(func, defs, pieces, access))
    };
    let own = unit.results.iter().filter(|result| !pieces.states.contains_key(result));
    own.into_iter().all(|result| {
        let dims: Vec<Size> = pieces.dims(func, *result).iter().filter(|d| !d.is_one()).cloned().collect();
        is_small(&dims) || is_covered(&dims)
    })
}

/// From which counters values follow.
struct Places {
    counters: Vec<Value>,
    sources: HashMap<Value, Vec<Value>>,
}

impl Places {
    fn new(func: &Func, pieces: &Pieces<'_>) -> Self {
        let mut this = Self { counters: pieces.counters(), sources: HashMap::default() };
        this.sources.extend(pieces.loops.iter().map(|(counter, _)| (*counter, vec![*counter])));
        pieces.glue.iter().for_each(|stmt| this.stmt(func, stmt));
        for unit in &pieces.units {
            this.sources.extend(unit.kernel.body.params.iter().map(|param| (*param, vec![*param])));
            unit.kernel.body.walk(&mut |stmt| this.stmt(func, stmt));
        }
        this
    }

    fn stmt(&mut self, func: &Func, stmt: &Stmt) {
        let mut from: Vec<Value> = Vec::new();
        let mut add = |v: Value| from.extend(self.sources.get(&v).into_iter().flatten());
        stmt.op.for_each_operand(&mut add);
        stmt.op.for_each_size(&mut |size| func.symbols.for_each_value(size, &mut add));
        from.sort_unstable();
        from.dedup();
        self.sources.extend(stmt.results.iter().map(|v| (*v, from.clone())));
    }

    fn follows(&self, value: Value, counter: Value) -> bool {
        self.sources.get(&value).is_some_and(|from| from.contains(&counter))
    }

    /// Whether an access comes to an element of its own for each iteration and each point of an array of these sizes.
    fn spans(&self, pieces: &Pieces<'_>, access: &Access<'_>, dims: &[Size]) -> bool {
        let kernel = &pieces.units[access.unit].kernel;
        let mut free: Vec<usize> = (0..kernel.domain.len()).collect();
        let moves = |counter: Value| access.subs.iter().any(|sub| self.follows(*sub, counter));
        self.counters.iter().all(|counter| moves(*counter))
            && dims.iter().all(|dim| {
                let of = |axis: &usize| kernel.domain[*axis] == *dim && moves(kernel.body.params[*axis]);
                let found = free.iter().position(of);
                found.map(|at| free.remove(at)).is_some()
            })
    }

    /// Where the loops' numbers stand in subscripts, above all in those that are stored to.
    fn axis(&self, accesses: &[Access<'_>]) -> Axis {
        let (mut first, mut last) = (0, 0);
        for access in accesses {
            let ([begin, .., end], weight) = (access.subs, if access.stores { 2 } else { 1 }) else { continue };
            let follows = |sub: Value| self.counters.iter().any(|counter| self.follows(sub, *counter));
            first += weight * usize::from(follows(*begin));
            last += weight * usize::from(follows(*end));
        }
        if last > first { Axis::Last } else { Axis::First }
    }
}
