//! The access maps of a kernel's arguments in closed form, for the run: `megha_base::access`.
//!
//! Subscripts, and how often the loops around an access run, are followed back to the numbers of loops, sizes and scalars that are known
//! at the launch. Unlike [`super::access`], from which code is made, this also takes loops whose length depends on other loops and products
//! with a size, and leaves out what is only computed in the body: that may be any element.

use crate::hash::{HashMap, HashSet};

use super::access::Maps;
use crate::ir::size::Monomial;
use crate::ir::{
    Binary, Class, Const, Func, Kernel, Mem, Op, Out, Region, Size, Stmt, SymDef, Terminator, Unary, Value,
};
use megha_base::access::{Access, AccessMap, Linear, Number};
use megha_base::plan::SizeExpr;
use megha_base::region::MAX_RANK;

/// What a kernel touches.
#[derive(Debug, Clone)]
pub struct Footprint {
    /// Its arrays: the results, then what else it reads, in the order in which it does.
    pub arrays: Vec<Value>,
    /// Its accesses, each once; arrays are numbered as in `arrays`.
    pub maps: Vec<AccessMap>,
}

/// A size in a plan.
pub fn expression(size: &Size) -> SizeExpr {
    SizeExpr { terms: size.terms().map(|(m, c)| (c, m.iter().map(|s| s.index()).collect())).collect() }
}

/// The operations that define a function's values.
pub type Definitions<'f> = HashMap<Value, &'f Op>;

/// The definitions of a function's values.
pub fn definitions(func: &Func) -> Definitions<'_> {
    fn enter<'f>(region: &'f Region, out: &mut Definitions<'f>) {
        for stmt in &region.stmts {
            out.extend(stmt.results.iter().map(|r| (*r, &stmt.op)));
            stmt.op.regions().into_iter().for_each(|r| enter(r, out));
        }
    }
    let mut defs = Definitions::default();
    enter(&func.body, &mut defs);
    defs
}

/// What a kernel touches; `defs` are the definitions of the function's values.
pub fn footprint(func: &Func, stmt: &Stmt, kernel: &Kernel, defs: &Definitions<'_>) -> Footprint {
    let mut inside = HashSet::default();
    kernel.body.defined(&mut inside);
    let mut walk = Walk {
        func,
        kernel,
        defs,
        maps: Maps::of(func, kernel),
        inside,
        counters: HashMap::default(),
        forms: HashMap::default(),
        loops: Vec::new(),
        found: Footprint { arrays: stmt.results.clone(), maps: Vec::new() },
    };
    walk.region(&kernel.body, true);
    let Footprint { arrays, mut maps } = walk.found;
    // What every iteration touches anyway may also be touched where only some do so.
    let sure: HashSet<AccessMap> = maps.iter().filter(|map| map.must).cloned().collect();
    let mut seen = HashSet::default();
    maps.retain(|map| {
        (map.must || !sure.contains(&AccessMap { must: true, ..map.clone() })) && seen.insert(map.clone())
    });
    Footprint { arrays, maps }
}

/// An affine function of loops' numbers, as [`Linear`].
#[derive(Debug, Clone, Default)]
struct Form {
    size: Size,
    scalars: Vec<(Value, i64)>,
    factors: Vec<(usize, Size)>,
}

impl Form {
    fn constant(size: Size) -> Self {
        Self { size, ..Self::default() }
    }

    /// The sum with so many times another form; as the program's numbers, coefficients wrap.
    fn plus(mut self, other: &Self, times: i64) -> Self {
        self.size = self.size.plus(times, &other.size);
        for (value, factor) in &other.scalars {
            match self.scalars.iter_mut().find(|(v, _)| v == value) {
                Some((_, own)) => *own = own.wrapping_add(times.wrapping_mul(*factor)),
                None => self.scalars.push((*value, times.wrapping_mul(*factor))),
            }
        }
        for (at, factor) in &other.factors {
            match self.factors.iter_mut().find(|(own, _)| own == at) {
                Some((_, own)) => *own = own.plus(times, factor),
                None => self.factors.push((*at, factor.scale(times))),
            }
        }
        self.scalars.retain(|(_, factor)| *factor != 0);
        self.factors.retain(|(_, factor)| *factor != Size::default());
        self
    }

    fn times(&self, by: &Size) -> Option<Self> {
        let number = by.as_constant();
        if number.is_none() && !self.scalars.is_empty() {
            return None;
        }
        let scalars =
            self.scalars.iter().map(|(value, factor)| (*value, factor.wrapping_mul(number.unwrap_or(1)))).collect();
        let factors = self.factors.iter().map(|(at, factor)| (*at, factor.mul(by))).collect();
        Some(Self { size: self.size.mul(by), scalars, factors }.plus(&Self::default(), 0))
    }

    /// The size, if nothing else occurs.
    fn as_size(&self) -> Option<&Size> {
        (self.scalars.is_empty() && self.factors.is_empty()).then_some(&self.size)
    }

    fn linear(&self) -> Linear {
        let mut scalars: Vec<(i64, usize)> = self.scalars.iter().map(|(value, c)| (*c, value.index())).collect();
        scalars.sort_unstable_by_key(|(_, value)| *value);
        let mut factors: Vec<(usize, SizeExpr)> = self.factors.iter().map(|(at, f)| (*at, expression(f))).collect();
        factors.sort_unstable_by_key(|(at, _)| *at);
        Linear { constant: Number { size: expression(&self.size), scalars }, factors }
    }
}

struct Walk<'f> {
    func: &'f Func,
    kernel: &'f Kernel,
    defs: &'f Definitions<'f>,
    maps: Maps<'f>,
    /// The values that the body defines.
    inside: HashSet<Value>,
    /// The counters of loops in the body, with their numbers behind those of the domain.
    counters: HashMap<Value, usize>,
    forms: HashMap<Value, Option<Form>>,
    /// The ends of the loops around the place that the walk has reached.
    loops: Vec<Vec<Linear>>,
    found: Footprint,
}

impl Walk<'_> {
    fn region(&mut self, region: &Region, must: bool) {
        for stmt in &region.stmts {
            match &stmt.op {
                Op::Load(mem, subs) => self.access(*mem, Access::Read, subs, must),
                Op::Put(out, subs, _) => self.access(Mem::Out(*out), Access::Write, subs, must),
                Op::Accumulate(out, _) => self.contribution(*out, must),
                Op::For { trip, body, .. } => self.repeated(*trip, body, must),
                Op::If { then, els, .. } => self.either([then, els], must),
                op => op.regions().into_iter().for_each(|inner| self.region(inner, false)),
            }
        }
    }

    /// Two ways, of which each iteration goes one: it does what stands in both.
    fn either(&mut self, ways: [&Region; 2], must: bool) {
        let before = std::mem::take(&mut self.found.maps);
        let [first, second] = ways.map(|way| {
            self.region(way, true);
            std::mem::take(&mut self.found.maps)
        });
        let sure = |maps: &[AccessMap]| maps.iter().filter(|map| map.must).cloned().collect::<HashSet<AccessMap>>();
        let (in_first, in_second) = (sure(&first), sure(&second));
        self.found.maps = before;
        for mut map in first.into_iter().chain(second) {
            map.must = must && in_first.contains(&map) && in_second.contains(&map);
            self.found.maps.push(map);
        }
    }

    fn repeated(&mut self, trip: Value, body: &Region, must: bool) {
        let (ends, all) = self.ends(trip);
        self.counters.insert(body.params[0], self.kernel.domain.len() + self.loops.len());
        self.loops.push(ends);
        self.region(body, must && all && !leaves(body));
        self.loops.pop();
    }

    /// Functions of which the least is how often a loop runs, and whether they are all.
    fn ends(&mut self, trip: Value) -> (Vec<Linear>, bool) {
        if let Some(form) = self.form(trip) {
            return (vec![form.linear()], true);
        }
        match self.maps.def(trip) {
            Some(Op::Binary(Binary::Min, a, b)) => {
                let ((mut ends, first), (more, second)) = (self.ends(*a), self.ends(*b));
                ends.extend(more);
                (ends, first && second)
            }
            // A loop runs as often for a negative number as for zero.
            Some(Op::Binary(Binary::Max, a, b)) => {
                let mut nothing =
                    |v: Value| self.form(v).and_then(|f| f.as_size()?.as_constant()).is_some_and(|n| n <= 0);
                match (nothing(*a), nothing(*b)) {
                    (_, true) => self.ends(*a),
                    (true, _) => self.ends(*b),
                    _ => (Vec::new(), false),
                }
            }
            _ => (Vec::new(), false),
        }
    }

    fn access(&mut self, mem: Mem, access: Access, subs: &[Value], must: bool) {
        let (array, rank) = match mem {
            Mem::Out(out) => (out, self.func.ty(self.found.arrays[out]).dims.len()),
            Mem::In(value) => (self.in_variable(value), self.func.ty(value).dims.len()),
        };
        let mut subscripts: Vec<Option<Linear>> =
            subs.iter().map(|s| self.form(*s).map(|form| form.linear())).collect();
        // The sections of regions have no more dimensions: such an array is one whole.
        if rank > MAX_RANK {
            subscripts = vec![None];
        }
        self.found.maps.push(AccessMap { array, access, must, loops: self.loops.clone(), subscripts });
    }

    fn in_variable(&mut self, value: Value) -> usize {
        let own = self.kernel.outs.len();
        let arrays = &mut self.found.arrays;
        let found = arrays[own..].iter().position(|v| *v == value);
        own + found.unwrap_or_else(|| {
            arrays.push(value);
            arrays.len() - 1 - own
        })
    }

    /// A contribution goes to the element whose numbers are those of the loops that are not reduced, columns first.
    fn contribution(&mut self, out: usize, must: bool) {
        let ty = self.func.ty(self.found.arrays[out]);
        let Out::Reduce(_, along) = &self.kernel.outs[out] else { return };
        let kept = |axis: &usize| !along.contains(axis) && !self.kernel.domain[*axis].is_one();
        let number = |axis: usize, by: &Size| Form { factors: vec![(axis, by.clone())], ..Form::default() };
        let one = Size::constant(1);
        let axes = || (0..self.kernel.domain.len()).filter(kept);
        let result = |axis: usize| if along.contains(&axis) { one.clone() } else { self.kernel.domain[axis].clone() };
        let subscripts: Vec<Option<Linear>> = if ty.is_scalar() {
            Vec::new()
        } else if ty.dims.len() > MAX_RANK {
            vec![None]
        } else if ty.dims.iter().cloned().eq((0..self.kernel.domain.len()).map(result)) {
            let at = |axis: usize| if kept(&axis) { number(axis, &one) } else { Form::default() };
            (0..ty.dims.len()).map(|axis| Some(at(axis).linear())).collect()
        } else {
            let mut stride = one.clone();
            let mut form = Form::default();
            for axis in axes() {
                form = form.plus(&number(axis, &stride), 1);
                stride = stride.mul(&self.kernel.domain[axis]);
            }
            vec![Some(form.linear())]
        };
        self.found.maps.push(AccessMap {
            array: out,
            access: Access::Accumulate,
            must,
            loops: self.loops.clone(),
            subscripts,
        });
    }

    /// The value as a function of loops' numbers, if it is one whose other parts are known at the launch.
    fn form(&mut self, value: Value) -> Option<Form> {
        if let Some(known) = self.forms.get(&value) {
            return known.clone();
        }
        let form = self.form_of(value);
        self.forms.insert(value, form.clone());
        form
    }

    fn form_of(&mut self, value: Value) -> Option<Form> {
        let number = |at| Form { factors: vec![(at, Size::constant(1))], ..Form::default() };
        if let Some(axis) = self.maps.number(value) {
            let one = self.kernel.domain[axis].is_one();
            return Some(if one { Form::default() } else { number(axis) });
        }
        if self.func.ty(value).class != Class::Index {
            return None;
        }
        if let Some(at) = self.counters.get(&value) {
            return Some(number(*at));
        }
        let outside = !self.inside.contains(&value);
        match if outside { self.defs.get(&value).copied() } else { self.maps.def(value) } {
            Some(Op::Const(Const::Int(n))) => Some(Form::constant(Size::constant(*n))),
            Some(Op::Size(size)) => self.size(size),
            // What the kernel itself uses of what was computed before is what it is given.
            _ if outside => Some(Form { scalars: vec![(value, 1)], ..Form::default() }),
            Some(Op::Binary(Binary::Add, a, b)) => Some(self.form(*a)?.plus(&self.form(*b)?, 1)),
            Some(Op::Binary(Binary::Sub, a, b)) => Some(self.form(*a)?.plus(&self.form(*b)?, -1)),
            Some(Op::Unary(Unary::Neg, a)) => Some(Form::default().plus(&self.form(*a)?, -1)),
            Some(Op::Binary(Binary::Mul, a, b)) => {
                let (a, b) = (self.form(*a)?, self.form(*b)?);
                match (a.as_size(), b.as_size()) {
                    (Some(size), _) => b.times(size),
                    (_, Some(size)) => a.times(size),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A size, of which some symbols may stand for values of the body.
    fn size(&mut self, size: &Size) -> Option<Form> {
        let symbols = &self.func.symbols;
        let mut sum = Form::default();
        for (monomial, factor) in size.terms() {
            let known = |s: &crate::ir::Sym| symbols.is_known(*s, &|value| !self.inside.contains(&value));
            let (outer, inner): (Monomial, Monomial) = monomial.iter().partition(|s| known(s));
            let product = outer.iter().fold(Size::constant(factor), |p, s| p.mul(&Size::sym(*s)));
            let term = match inner[..] {
                [] => Form::constant(product),
                [one] => match symbols.get(one).def {
                    SymDef::Value(value) => self.form(value)?.times(&product)?,
                    SymDef::Dim(..) | SymDef::Max(..) | SymDef::Min(..) | SymDef::FloorDiv(..) => return None,
                },
                _ => return None,
            };
            sum = sum.plus(&term, 1);
        }
        Some(sum)
    }
}

/// Whether an iteration of a loop may end early, or the loop.
fn leaves(region: &Region) -> bool {
    matches!(region.term, Terminator::Break(..) | Terminator::Continue(..) | Terminator::Return(_))
        || region.stmts.iter().any(|stmt| stmt.op.regions().into_iter().any(leaves))
}
