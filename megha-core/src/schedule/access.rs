//! Access maps of kernels: subscripts as affine functions of the iteration numbers.

mod variance;

use crate::hash::HashMap;

use super::domain::{self, Congruence};
use super::masked::ENDLESS;
use crate::ir::{Binary, Class, Const, Func, Kernel, Mem, Op, Region, Size, Stmt, Value, Walk};
use std::cell::OnceCell;

/// A subscript: an integer combination of the iteration numbers and a part that is the same in all iterations.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Affine {
    /// The coefficient of each loop's iteration number, in the order of the kernel's domain.
    pub coeffs: Vec<i64>,
    /// Uniform scalars with their coefficients, in order of the values.
    pub uniform: Vec<(Value, i64)>,
    /// A size; holds the constant term.
    pub size: Size,
}

impl Affine {
    fn constant(loops: usize, size: Size) -> Self {
        Self { coeffs: vec![0; loops], uniform: Vec::new(), size }
    }

    fn number(loops: usize, axis: usize) -> Self {
        let mut number = Self::constant(loops, Size::default());
        number.coeffs[axis] = 1;
        number
    }

    /// The sum with so many times another function; as the program's numbers, coefficients wrap.
    pub(super) fn add(mut self, other: &Self, by: i64) -> Self {
        for (a, b) in self.coeffs.iter_mut().zip(&other.coeffs) {
            *a = a.wrapping_add(by.wrapping_mul(*b));
        }
        for (value, coeff) in &other.uniform {
            match self.uniform.iter_mut().find(|(v, _)| v == value) {
                Some((_, c)) => *c = c.wrapping_add(by.wrapping_mul(*coeff)),
                None => self.uniform.push((*value, by.wrapping_mul(*coeff))),
            }
        }
        self.uniform.retain(|(_, c)| *c != 0);
        self.uniform.sort_unstable();
        self.size = self.size.add(&other.size.scale(by));
        self
    }

    /// The number, if nothing else occurs.
    pub fn as_constant(&self) -> Option<i64> {
        let only = self.coeffs.iter().all(|c| *c == 0) && self.uniform.is_empty();
        if only { self.size.as_constant() } else { None }
    }

    /// Whether the subscript is exactly the iteration number of this loop.
    pub fn is_number(&self, axis: usize) -> bool {
        *self == Self::number(self.coeffs.len(), axis)
    }
}

/// What a kernel's values are, for the analysis of its accesses.
pub struct Maps<'f> {
    func: &'f Func,
    kernel: &'f Kernel,
    defs: HashMap<Value, &'f Op>,
    /// Counters of loops inside the body whose number of iterations is a function of the iteration numbers: as far as points go round, they count alike.
    counters: Vec<Value>,
    /// Values that control flow inside the body carries or joins.
    joined: Vec<Value>,
    /// The kernel's bounds ([`super::domain`]).
    bounds: Vec<Affine>,
    congruence: Option<Congruence>,
    /// The numbers outside of kernels that are constants or sizes, once they are asked for.
    host: OnceCell<HashMap<Value, Size>>,
}

impl<'f> Maps<'f> {
    /// Prepares the analysis of a kernel.
    pub fn of(func: &'f Func, kernel: &'f Kernel) -> Self {
        let (counters, joined, bounds, congruence) = (Vec::new(), Vec::new(), Vec::new(), None);
        let (defs, host) = (HashMap::default(), OnceCell::new());
        let mut maps = Self { func, kernel, defs, counters, joined, bounds, congruence, host };
        match kernel.guard() {
            Some(guard) => {
                maps.enter(guard.before);
                let (bounds, congruence) = domain::bounds(&maps, guard.cond).unwrap_or_default();
                let is_small = bounds.iter().all(|bound| maps.stays_small(bound))
                    && congruence.as_ref().is_none_or(|c| maps.stays_small(&c.largest()));
                // Through loops of the body points go in tiles of neighbours.
                let is_stepped = congruence.is_none() || !guard.then.any(|op| !op.regions().is_empty());
                if is_small && is_stepped {
                    (maps.bounds, maps.congruence) = (bounds, congruence);
                }
                maps.enter(&kernel.body.stmts[guard.before.len()..]);
            }
            None => maps.enter(&kernel.body.stmts),
        }
        maps
    }

    /// Whether a function of the iteration numbers cannot leave 64 bits, in whatever order its terms are added.
    fn stays_small(&self, bound: &Affine) -> bool {
        let terms = bound.coeffs.iter().copied().zip(&self.kernel.domain).chain([(1, &bound.size)]);
        bound.uniform.is_empty() && self.func.symbols.sum_stays_small(terms)
    }

    fn enter(&mut self, stmts: &'f [Stmt]) {
        for stmt in stmts {
            if stmt.op.regions().is_empty() {
                self.defs.extend(stmt.results.iter().map(|r| (*r, &stmt.op)));
                continue;
            }
            self.joined.extend(&stmt.results);
            for nested in stmt.op.regions() {
                self.joined.extend(&nested.params);
            }
            if let Op::For { trip, body, .. } = &stmt.op
                && self.numbers_in(*trip).is_some()
            {
                self.counters.push(body.params[0]);
            }
            stmt.op.regions().into_iter().for_each(|r| self.enter(&r.stmts));
        }
    }

    /// The bounds of the kernel within the box that its domain is: functions of the iteration numbers that are not negative in exactly those
    /// iterations that do something. None: all do, or do as other conditions say.
    pub fn bounds(&self) -> &[Affine] {
        &self.bounds
    }

    /// The congruence that holds in exactly those iterations within the bounds that do something, if not all of them do.
    pub fn congruence(&self) -> Option<&Congruence> {
        self.congruence.as_ref()
    }

    /// Whether not all iterations of the box do something, and bounds and congruence say which ones.
    pub fn is_narrowed(&self) -> bool {
        !self.bounds.is_empty() || self.congruence.is_some()
    }

    /// What the kernel does in the iterations that do something: its body, without the guard that its bounds stand for.
    pub fn inside<'k>(&self, kernel: &'k Kernel) -> &'k Region {
        let guard = kernel.guard().filter(|_| self.is_narrowed());
        guard.map_or(&kernel.body, |guard| guard.then)
    }

    /// The operation that defines a value in the body.
    pub fn def(&self, value: Value) -> Option<&'f Op> {
        self.defs.get(&value).copied()
    }

    /// The class of a value.
    pub fn class(&self, value: Value) -> Class {
        self.func.ty(value).class
    }

    /// The loop whose iteration number the value is.
    pub fn number(&self, value: Value) -> Option<usize> {
        self.kernel.body.params.iter().position(|p| *p == value)
    }

    /// How many iterations a loop has, or has at most, if that is one size for all points.
    pub fn trips(&self, trip: Value) -> Option<Size> {
        let constant = |affine: &Affine| affine.uniform.is_empty() && affine.coeffs.iter().all(|c| *c == 0);
        let ends = |size: &Size| size.as_constant() != Some(ENDLESS);
        let size = |value: Value| self.sized(value).filter(constant).map(|affine| affine.size).filter(ends);
        size(trip).or_else(|| match self.def(trip)? {
            Op::Binary(Binary::Min, a, b) => size(*a).or_else(|| size(*b)),
            _ => None,
        })
    }

    /// How many iterations a loop has, if that is one number.
    pub fn fixed_trips(&self, trip: Value) -> Option<i64> {
        self.affine(trip)?.as_constant()
    }

    /// The value as an affine function of the iteration numbers, if it is one.
    pub fn affine(&self, value: Value) -> Option<Affine> {
        let loops = self.kernel.domain.len();
        if let Some(axis) = self.number(value) {
            let one = self.kernel.domain[axis].is_one();
            return Some(if one { Affine::constant(loops, Size::default()) } else { Affine::number(loops, axis) });
        }
        if self.func.ty(value).class != Class::Index {
            return None;
        }
        let found = self.def(value).and_then(|op| match op {
            Op::Const(Const::Int(n)) => Some(Affine::constant(loops, Size::constant(*n))),
            Op::Size(size) => Some(Affine::constant(loops, size.clone())),
            Op::Binary(Binary::Add, a, b) => Some(self.affine(*a)?.add(&self.affine(*b)?, 1)),
            Op::Binary(Binary::Sub, a, b) => Some(self.affine(*a)?.add(&self.affine(*b)?, -1)),
            Op::Binary(Binary::Mul, a, b) => {
                let (a, b) = (self.affine(*a)?, self.affine(*b)?);
                let (by, of) = match (a.as_constant(), b.as_constant()) {
                    (Some(n), _) => (n, b),
                    (_, Some(n)) => (n, a),
                    _ => return None,
                };
                Some(Affine::constant(loops, Size::default()).add(&of, by))
            }
            _ => None,
        });
        if found.is_some() || !self.is_uniform(value) {
            return found;
        }
        Some(Affine { uniform: vec![(value, 1)], ..Affine::constant(loops, Size::default()) })
    }

    /// The functions that subscripts are, where some are `i - s`, and the extent more where this is negative, as those of a rotated array.
    /// Only for arrays that a straight body reads, in which no test keeps a point from its element.
    fn turned(&self, mem: Mem, subs: &[Value]) -> Option<Vec<Affine>> {
        let straight = |op: &Op| op.regions().is_empty() && (!op.has_effect() || matches!(op, Op::Put(..)));
        let Mem::In(array) = mem else { return None };
        let dims = &self.func.ty(array).dims;
        if subs.len() != dims.len() || self.kernel.body.any(|op| !straight(op)) {
            return None;
        }
        subs.iter().zip(dims).map(|(sub, extent)| self.affine(*sub).or_else(|| self.turning(*sub, extent))).collect()
    }

    /// `a` of `select(a < 0, a + extent, a)`.
    fn turning(&self, sub: Value, extent: &Size) -> Option<Affine> {
        let Op::Select(cond, wrapped, plain) = self.def(sub)? else { return None };
        let Op::Binary(Binary::Lt, tested, bound) = self.def(*cond)? else { return None };
        let plain = self.sized(*plain)?;
        let more = plain.clone().add(&Affine::constant(plain.coeffs.len(), extent.clone()), 1);
        let below_zero = self.sized(*bound)?.as_constant() == Some(0) && self.sized(*tested)? == plain;
        (below_zero && self.sized(*wrapped)? == more).then_some(plain)
    }

    /// The value as an affine function in which numbers of the host are not values but the sizes that they are, if they are.
    pub(super) fn sized(&self, value: Value) -> Option<Affine> {
        let mut affine = self.affine(value)?;
        if affine.uniform.is_empty() {
            return Some(affine);
        }
        let host = self.host.get_or_init(|| host_sizes(self.func));
        for (value, by) in std::mem::take(&mut affine.uniform) {
            match host.get(&value) {
                Some(size) => affine.size = affine.size.add(&size.scale(by)),
                None => affine.uniform.push((value, by)),
            }
        }
        Some(affine)
    }

    /// The accesses of the body in program order.
    pub fn accesses(&self) -> Vec<Access<'f>> {
        let mut list = Vec::new();
        // Iterations outside the bounds are none, as far as code is concerned.
        self.collect(self.inside(self.kernel), &Nesting::Always, &mut list);
        // An element that every iteration touches anyway may also be reached where only some do so.
        let always: Vec<(Mem, Vec<Affine>)> =
            list.iter().filter(|a| !a.conditional).filter_map(|a| Some((a.mem, a.map.clone()?))).collect();
        for access in list.iter_mut().filter(|a| a.conditional) {
            access.conditional =
                !always.iter().any(|(mem, map)| *mem == access.mem && Some(map) == access.map.as_ref());
        }
        list
    }

    /// What stands around the regions of an operation that stands in there.
    fn inside_of(&self, op: &Op, nesting: &Nesting) -> Nesting {
        let Op::For { trip, body, .. } = op else { return Nesting::Branch };
        let (counter, iterations) = (body.params[0], self.fixed_trips(*trip));
        match nesting {
            Nesting::Branch => Nesting::Branch,
            Nesting::Loops(certain) if iterations.is_some_and(|n| n > 0) => {
                Nesting::Loops([&certain[..], &[counter]].concat())
            }
            Nesting::Always | Nesting::Loops(_) => Nesting::Loops(vec![counter]),
        }
    }

    fn collect(&self, region: &'f Region, nesting: &Nesting, list: &mut Vec<Access<'f>>) {
        for stmt in &region.stmts {
            let (mem, subs) = match &stmt.op {
                Op::Load(mem, subs) => (*mem, subs),
                Op::Put(out, subs, _) => (Mem::Out(*out), subs),
                op => {
                    let inner = self.inside_of(op, nesting);
                    op.regions().into_iter().for_each(|r| self.collect(r, &inner, list));
                    continue;
                }
            };
            let map: Option<Vec<Affine>> = subs.iter().map(|s| self.affine(*s)).collect();
            let conditional = match nesting {
                Nesting::Always => false,
                Nesting::Loops(certain) => {
                    // What moves with a counter is reached inside its loop only; a loop deeper inside may have no iterations.
                    let mut counters = Vec::new();
                    let uniform = map.iter().flatten().flat_map(|a| &a.uniform);
                    uniform.for_each(|(v, _)| self.counters_in(*v, &mut counters));
                    !counters.iter().any(|counter| certain.contains(counter))
                }
                Nesting::Branch => true,
            };
            let turned = if map.is_none() && !conditional { self.turned(mem, subs) } else { None };
            let result = stmt.results.first().copied();
            list.push(Access { op: &stmt.op, result, mem, map, turned, conditional, unwritten: false });
        }
    }
}

/// The constants and sizes among the `Index` values outside of kernels.
fn host_sizes(func: &Func) -> HashMap<Value, Size> {
    let mut sizes = HashMap::default();
    func.body.walk(&mut |stmt| {
        let size = match &stmt.op {
            Op::Kernel(_) => return Walk::Skip,
            Op::Const(Const::Int(number)) => Some(Size::constant(*number)),
            Op::Size(size) => Some(size.clone()),
            _ => None,
        };
        sizes.extend(stmt.results.first().copied().zip(size));
        Walk::Advance
    });
    sizes
}

/// What stands between an access and the body of its kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Nesting {
    Always,
    /// A loop, perhaps of no iterations, and inside of it some that have as many as is known, one at least: their counters.
    Loops(Vec<Value>),
    /// An `If` or a `While`.
    Branch,
}

/// A load or store in a kernel with its access map.
#[derive(Debug, Clone)]
pub struct Access<'f> {
    /// The load or store.
    pub op: &'f Op,
    /// The value that a load defines.
    pub result: Option<Value>,
    /// What it accesses.
    pub mem: Mem,
    /// One affine function per subscript; `None` if a subscript depends on data.
    pub map: Option<Vec<Affine>>,
    /// Where the map is `None`: one affine function per subscript, which counts from the end of its dimension where it is negative.
    pub turned: Option<Vec<Affine>>,
    /// Whether some iterations leave it out, and the element with it: only those that make it may touch the element.
    pub conditional: bool,
    /// Whether it loads an element of a written array that no iteration stores, as far as the dependence test proves it.
    pub unwritten: bool,
}

impl Access<'_> {
    /// By how much the access moves along each dimension of the array from one iteration of loop `axis` to the next.
    pub fn step(&self, axis: usize) -> Option<Vec<i64>> {
        self.map.as_ref().map(|map| map.iter().map(|a| a.coeffs[axis]).collect())
    }

    /// By how much it moves from one iteration of a loop of the body to the next, whose counter this is.
    pub fn body_step(&self, counter: Value) -> Option<Vec<i64>> {
        let by = |affine: &Affine| affine.uniform.iter().find(|(v, _)| *v == counter).map_or(0, |(_, by)| *by);
        self.map.as_ref().map(|map| map.iter().map(by).collect())
    }
}
