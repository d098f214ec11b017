//! Whether the iterations of a loop are independent but for what can be expanded, whether that pays, and which dimension the loop becomes.

use super::pieces::{Pieces, Unit};
use crate::affine::AccessKind;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Func, Mem, Op, Region, Size, Value};
use crate::kernels::accesses::{Counted, Definitions, Extent, counted_loops};
use crate::nests::contents::{Contents, Site};
use crate::nests::dependence::conflict;

/// Where the loop's dimension goes among those of domains and expanded arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    First,
    Last,
}

/// So many elements of an expanded array are never too many.
const FEW: i64 = 4096;

/// More accesses than these are not compared with each other.
const MOST_SITES: usize = 200;

/// The dimension that the loop becomes, if it may be expanded and that pays.
pub(super) fn axis(func: &Func, defs: &Definitions, pieces: &Pieces<'_>) -> Option<Axis> {
    let trip = defs.trip_size(pieces.trip)?;
    if trip.as_constant().is_some_and(|count| count < 2) || defs.size_is_inside(&trip, &func.symbols, pieces.scope) {
        return None;
    }
    let accesses = accesses(pieces);
    let sites: Vec<Site> = accesses.iter().filter_map(|access| access.site.clone()).collect();
    if sites.len() > MOST_SITES || carries(func, defs, pieces, sites) {
        return None;
    }
    let places = Places::new(pieces);
    let fits = pieces.units.iter().all(|unit| fits(func, defs, pieces, &accesses, &places, unit, &trip));
    fits.then(|| places.axis(&accesses))
}

/// An access to an array that is there before the loop.
struct Access<'p> {
    unit: usize,
    array: Value,
    subs: &'p [Value],
    loops: Vec<Counted>,
    guards: Vec<(Value, bool)>,
    stores: bool,
    /// Of an array that the loop carries.
    site: Option<Site>,
}

/// The accesses of the units to arrays that the loop does not make.
fn accesses<'p>(pieces: &'p Pieces<'_>) -> Vec<Access<'p>> {
    let made: HashSet<Value> = pieces.units.iter().flat_map(|unit| unit.results.iter().copied()).collect();
    let outer = Counted { counter: pieces.counter, extent: Extent::Trip(pieces.trip) };
    let mut walk = Walk { pieces, made, unit: 0, loops: vec![outer], guards: Vec::new(), found: Vec::new() };
    for (number, unit) in pieces.units.iter().enumerate() {
        walk.unit = number;
        walk.loops.truncate(1);
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
        let kind = if stores { AccessKind::Write } else { AccessKind::Read };
        let site = state.map(|number| Site {
            array: number,
            kind,
            subs: subs.to_vec(),
            loops: self.loops.clone(),
            guards: self.guards.clone(),
            loc: self.pieces.units[self.unit].stmt.loc,
        });
        let (loops, guards) = (self.loops.clone(), self.guards.clone());
        self.found.push(Access { unit: self.unit, array, subs, loops, guards, stores, site });
    }
}

/// Whether one iteration touches what another stores.
fn carries(func: &Func, defs: &Definitions, pieces: &Pieces<'_>, sites: Vec<Site>) -> bool {
    let mut contents = Contents::default();
    sites.into_iter().for_each(|site| site.add_to(&mut contents.sites));
    contents.version = pieces.carried.iter().enumerate().map(|(number, [_, param, _])| (*param, number)).collect();
    conflict(func, defs, pieces.counter, &contents, 0).is_some()
}

/// Whether no two iterations come to the same element by this access.
fn is_apart(func: &Func, defs: &Definitions, pieces: &Pieces<'_>, access: &Access<'_>) -> bool {
    if access.stores {
        return true;
    }
    let site = Site {
        array: 0,
        kind: AccessKind::Write,
        subs: access.subs.to_vec(),
        loops: access.loops.clone(),
        guards: access.guards.clone(),
        loc: pieces.units[access.unit].stmt.loc,
    };
    let version = HashMap::from_iter([(access.array, 0)]);
    let contents = Contents { sites: vec![site], version, ..Contents::default() };
    conflict(func, defs, pieces.counter, &contents, 0).is_none()
}

/// Whether what a unit computes can be expanded and takes no more memory than something that the loop touches.
fn fits(
    func: &Func,
    defs: &Definitions,
    pieces: &Pieces<'_>,
    accesses: &[Access<'_>],
    places: &Places,
    unit: &Unit,
    trip: &Size,
) -> bool {
    let is_small = |dims: &[Size]| {
        let numbers = dims.iter().chain([trip]).map(Size::as_constant);
        numbers.collect::<Option<Vec<_>>>().is_some_and(|all| all.iter().product::<i64>() <= FEW)
    };
    let is_covered = |dims: &[Size]| {
        accesses.iter().any(|access| places.spans(pieces, access, dims) && is_apart(func, defs, pieces, access))
    };
    let own = unit.results.iter().filter(|result| !pieces.states.contains_key(result));
    own.into_iter().all(|result| {
        let dims: Vec<Size> = func.ty(*result).dims.iter().filter(|d| !d.is_one()).cloned().collect();
        is_small(&dims) || is_covered(&dims)
    })
}

/// From which counters values follow.
struct Places {
    counter: Value,
    sources: HashMap<Value, Vec<Value>>,
}

impl Places {
    fn new(pieces: &Pieces<'_>) -> Self {
        let mut this = Self { counter: pieces.counter, sources: HashMap::default() };
        this.sources.insert(pieces.counter, vec![pieces.counter]);
        pieces.glue.iter().for_each(|stmt| this.stmt(stmt, pieces));
        for unit in &pieces.units {
            this.sources.extend(unit.kernel.body.params.iter().map(|param| (*param, vec![*param])));
            unit.kernel.body.walk(&mut |stmt| this.stmt(stmt, pieces));
        }
        this
    }

    fn stmt(&mut self, stmt: &crate::ir::Stmt, pieces: &Pieces<'_>) {
        let mut from: Vec<Value> = Vec::new();
        stmt.op.for_each_operand(&mut |v| from.extend(self.sources.get(&v).into_iter().flatten()));
        if let Op::Size(_) = &stmt.op {
            // A size of the loop's own number; others do not change within it.
            from.push(pieces.counter);
        }
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
        moves(self.counter)
            && dims.iter().all(|dim| {
                let of = |axis: &usize| kernel.domain[*axis] == *dim && moves(kernel.body.params[*axis]);
                let found = free.iter().position(of);
                found.map(|at| free.remove(at)).is_some()
            })
    }

    /// Where the loop's number stands in subscripts, above all in those that are stored to.
    fn axis(&self, accesses: &[Access<'_>]) -> Axis {
        let (mut first, mut last) = (0, 0);
        for access in accesses {
            let ([begin, .., end], weight) = (access.subs, if access.stores { 2 } else { 1 }) else { continue };
            first += weight * usize::from(self.follows(*begin, self.counter));
            last += weight * usize::from(self.follows(*end, self.counter));
        }
        if last > first { Axis::Last } else { Axis::First }
    }
}
