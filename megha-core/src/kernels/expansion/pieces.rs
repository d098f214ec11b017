//! The body of a loop in pieces: what is the same in all iterations, what follows from the iteration's number, and what computes.

use super::work::Work;
use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Cause, Class, Const, Effect, Func, Kernel, Loc, Mem, Op, Out, Region, Size, Stmt, Sub, Terminator, Value,
};
use crate::kernels::accesses::{Definitions, Scope};
use crate::nests::contents::is_pure;

/// The statements of a nest of loops that may be expanded, in order within each list.
pub(super) struct Pieces<'s> {
    /// Counter and number of iterations of each loop, the outermost first.
    pub loops: Vec<(Value, Value)>,
    /// Where the loops stand.
    pub locs: Vec<Loc>,
    /// The outermost loop.
    pub scope: Scope,
    pub carried: Vec<Carried>,
    /// Which carried array a value is a state of.
    pub states: HashMap<Value, usize>,
    /// Scalar statements whose values do not change in the loops.
    pub invariant: Vec<&'s Stmt>,
    /// Tests that can be made before the loops: they come out alike in all iterations, or follow from the iteration's numbers.
    pub tests: Vec<(&'s Stmt, When)>,
    /// A test of what an iteration computes, the last of its tests.
    pub computed: Option<&'s Stmt>,
    /// Cheap scalar statements that follow from the iteration's numbers.
    pub glue: Vec<Stmt>,
    /// What computes, as kernels.
    pub units: Vec<Unit>,
    /// How many elements of an array an iteration makes along each dimension, where that is not the array's type.
    pub sizes: HashMap<Value, Vec<Size>>,
}

/// Whether a test comes out alike in all iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Once,
    Each,
}

/// An array that the loops carry.
pub(super) struct Carried {
    /// Before the loops.
    pub before: Value,
    /// As a parameter of each loop's body.
    pub params: Vec<Value>,
    /// After an iteration of the innermost loop.
    pub next: Value,
    /// Whether each iteration makes it for itself.
    pub is_work: bool,
}

/// A statement as a kernel over the loops inside those that are expanded. Its results may be scalars.
pub(super) struct Unit {
    pub results: Vec<Value>,
    pub kernel: Kernel,
    pub loc: Loc,
}

impl<'s> Pieces<'s> {
    /// Of a loop, and of those that fill it, that do nothing but compute arrays and cannot fail but in their tests.
    pub fn of(func: &Func, defs: &Definitions, stmt: &'s Stmt) -> Option<Self> {
        let Op::For { init, body, .. } = &stmt.op else { return None };
        if init.iter().any(|array| func.ty(*array).is_scalar()) {
            return None;
        }
        let carried = |before: &Value| Carried { before: *before, params: Vec::new(), next: *before, is_work: false };
        let pieces = Self {
            loops: Vec::new(),
            locs: Vec::new(),
            scope: defs.scope_of(*body.params.first()?)?,
            carried: init.iter().map(carried).collect(),
            states: HashMap::default(),
            invariant: Vec::new(),
            tests: Vec::new(),
            computed: None,
            glue: Vec::new(),
            units: Vec::new(),
            sizes: HashMap::default(),
        };
        let mut sorter = Sorter { func, defs, pieces, varies: HashSet::default(), computed: HashSet::default() };
        sorter.nest(stmt)?;
        let pieces = sorter.pieces;
        let mut all = pieces.carried.iter().enumerate();
        let handed_on = all.all(|(number, array)| pieces.states.get(&array.next) == Some(&number));
        (handed_on && !pieces.units.is_empty()).then_some(pieces)
    }

    /// The counters of the loops.
    pub fn counters(&self) -> Vec<Value> {
        self.loops.iter().map(|(counter, _)| *counter).collect()
    }

    /// The sizes of what an iteration makes.
    pub fn dims<'a>(&'a self, func: &'a Func, result: Value) -> &'a [Size] {
        self.sizes.get(&result).map_or(&func.ty(result).dims, |dims| dims)
    }

    /// Makes a carried array one that each iteration makes for itself.
    pub fn privatise(&mut self, number: usize, work: Work) {
        self.carried[number].is_work = true;
        self.units[work.unit].kernel.outs[work.out] = Out::Fresh;
        let states: Vec<Value> = self.states.iter().filter(|(_, of)| **of == number).map(|(state, _)| *state).collect();
        for state in states {
            self.states.remove(&state);
            self.sizes.insert(state, work.dims.clone());
        }
    }
}

struct Sorter<'f, 's> {
    func: &'f Func,
    defs: &'f Definitions,
    pieces: Pieces<'s>,
    /// The counter and what glue computes.
    varies: HashSet<Value>,
    /// What units compute, and states of arrays.
    computed: HashSet<Value>,
}

impl<'s> Sorter<'_, 's> {
    /// A loop and its body, which another loop may fill.
    fn nest(&mut self, stmt: &'s Stmt) -> Option<()> {
        let Op::For { trip, body, .. } = &stmt.op else { return None };
        let Terminator::Yield(next) = &body.term else { return None };
        let (counter, params) = body.params.split_first()?;
        self.pieces.loops.push((*counter, *trip));
        self.pieces.locs.push(stmt.loc);
        self.varies.insert(*counter);
        self.computed.extend(params);
        for (number, param) in params.iter().enumerate() {
            self.pieces.states.insert(*param, number);
            self.pieces.carried[number].params.push(*param);
            self.pieces.carried[number].next = next[number];
        }
        let inner = body.stmts.iter().find(|stmt| fills(stmt, body));
        let scalars = |stmt: &'s Stmt| is_pure(&stmt.op) && stmt.results.iter().all(|v| self.func.ty(*v).is_scalar());
        match inner.filter(|inner| body.stmts.iter().all(|stmt| std::ptr::eq(stmt, *inner) || scalars(stmt))) {
            Some(inner) => {
                body.stmts.iter().filter(|stmt| !std::ptr::eq(*stmt, inner)).try_for_each(|stmt| self.stmt(stmt))?;
                self.nest(inner)
            }
            None => body.stmts.iter().try_for_each(|stmt| self.stmt(stmt)),
        }
    }

    fn stmt(&mut self, stmt: &'s Stmt) -> Option<()> {
        match &stmt.op {
            Op::Kernel(kernel) => return self.kernel(stmt, kernel),
            Op::Assert(..) | Op::SameSize(..) => return self.test(stmt),
            _ => {}
        }
        if !is_scalar(self.func, stmt) {
            return self.store(stmt);
        }
        if is_pure(&stmt.op) && self.is_invariant(stmt) {
            self.pieces.invariant.push(stmt);
        } else if self.is_glue(stmt) {
            self.varies.extend(&stmt.results);
            let mut glue = stmt.clone();
            to_memory(&mut glue);
            self.pieces.glue.push(glue);
        } else {
            self.scalars(stmt)?;
        }
        Some(())
    }

    /// A test. Of several that fail the program reports the first of the first iteration; only of tests of bounds, which may be made
    /// before a nest, it may be another.
    fn test(&mut self, stmt: &'s Stmt) -> Option<()> {
        let once = self.is_invariant(stmt);
        let is_bounds = matches!(&stmt.op, Op::Assert(_, check) if check.cause == Cause::Bounds);
        let has_each = self.pieces.tests.iter().any(|(_, when)| *when == When::Each);
        match &stmt.op {
            _ if self.pieces.computed.is_some() => return None,
            _ if once && (is_bounds || !has_each) => self.pieces.tests.push((stmt, When::Once)),
            Op::Assert(cond, _) if is_bounds && self.varies.contains(cond) => {
                self.pieces.tests.push((stmt, When::Each))
            }
            Op::Assert(cond, _) if !is_bounds && !has_each && self.computed.contains(cond) => {
                self.pieces.computed = Some(stmt);
            }
            _ => return None,
        }
        Some(())
    }

    fn is_invariant(&self, stmt: &Stmt) -> bool {
        let mut invariant = true;
        let mut same = |v: Value| invariant &= !self.varies.contains(&v) && !self.computed.contains(&v);
        stmt.op.for_each_operand(&mut same);
        stmt.op.for_each_size(&mut |size| self.func.symbols.for_each_value(size, &mut same));
        invariant
    }

    /// Whether a statement is cheap enough to be repeated at each point.
    fn is_glue(&self, stmt: &Stmt) -> bool {
        let class = |v: Value| self.func.ty(v).class;
        let mut uncomputed = true;
        stmt.op.for_each_operand(&mut |v| uncomputed &= !self.computed.contains(&v));
        let is_subscript = |v: Value| matches!(class(v), Class::Index | Class::Logical);
        let cheap = match &stmt.op {
            Op::Index { .. } | Op::Const(_) | Op::Size(_) => true,
            Op::Convert(of) => is_subscript(*of),
            op => is_pure(op) && stmt.results.iter().all(|v| is_subscript(*v)),
        };
        uncomputed && cheap
    }

    fn kernel(&mut self, stmt: &Stmt, kernel: &Kernel) -> Option<()> {
        let inside = |size| self.defs.size_is_inside(size, &self.func.symbols, self.pieces.scope);
        let sized = |v: &Value| self.func.ty(*v).dims.iter().any(inside);
        if stmt.op.has_effect() || kernel.domain.iter().any(inside) || stmt.results.iter().any(sized) {
            return None;
        }
        for (out, result) in kernel.outs.iter().zip(&stmt.results) {
            match out {
                Out::Update(array) => match self.pieces.states.get(array).copied() {
                    Some(number) => _ = self.pieces.states.insert(*result, number),
                    // An array from before the loop would have to be copied for each iteration.
                    None => self.computed.contains(array).then_some(())?,
                },
                Out::Fresh | Out::Reduce(..) => {}
            }
        }
        self.unit(stmt, kernel.clone())
    }

    fn unit(&mut self, stmt: &Stmt, kernel: Kernel) -> Option<()> {
        let has_element = |v: &Value| !matches!(self.func.ty(*v).class, Class::Index | Class::Char | Class::Complex);
        if !stmt.results.iter().all(has_element) {
            return None;
        }
        self.computed.extend(&stmt.results);
        self.pieces.units.push(Unit { results: stmt.results.clone(), kernel, loc: stmt.loc });
        Some(())
    }

    /// A store of one element.
    fn store(&mut self, stmt: &Stmt) -> Option<()> {
        let Op::Store { array, subs, value, checked: false } = &stmt.op else { return None };
        let subs = at(subs)?;
        if !self.func.ty(*value).is_scalar() || !self.computed.contains(array) {
            return None;
        }
        if let Some(number) = self.pieces.states.get(array).copied() {
            self.pieces.states.insert(stmt.results[0], number);
        }
        let put = Stmt { results: Vec::new(), op: Op::Put(0, subs, *value), loc: stmt.loc };
        self.unit(stmt, point(vec![put], vec![Out::Update(*array)]))
    }

    /// A scalar statement as a kernel of one point.
    fn scalars(&mut self, stmt: &Stmt) -> Option<()> {
        let mut own = stmt.clone();
        to_memory(&mut own);
        let put = |(out, value): (usize, &Value)| Stmt {
            results: Vec::new(),
            op: Op::Put(out, Vec::new(), *value),
            loc: stmt.loc,
        };
        let puts: Vec<Stmt> = stmt.results.iter().enumerate().map(put).collect();
        let outs = vec![Out::Fresh; stmt.results.len()];
        self.unit(stmt, point([vec![own], puts].concat(), outs))
    }
}

/// Whether a loop begins with what a body gets, and gives what that ends with.
fn fills(stmt: &Stmt, body: &Region) -> bool {
    let Op::For { init, .. } = &stmt.op else { return false };
    init[..] == body.params[1..] && body.term == Terminator::Yield(stmt.results.clone())
}

fn point(stmts: Vec<Stmt>, outs: Vec<Out>) -> Kernel {
    let body = Region { params: Vec::new(), stmts, term: Terminator::Yield(Vec::new()) };
    Kernel { id: 0, domain: Vec::new(), outs, body }
}

/// The subscripts of one element.
fn at(subs: &[Sub]) -> Option<Vec<Value>> {
    subs.iter().map(|sub| if let Sub::At(v) = sub { Some(*v) } else { None }).collect()
}

/// Whether a statement computes scalars, of scalars and elements of arrays that are known to be there, and always comes to its end.
fn is_scalar(func: &Func, stmt: &Stmt) -> bool {
    let scalar = |v: &Value| func.ty(*v).is_scalar();
    let mut fits = !stmt.results.is_empty();
    stmt.walk(&mut |inner| {
        fits &= inner.results.iter().all(scalar);
        fits &= match &inner.op {
            Op::Index { subs, checked, .. } => !checked && at(subs).is_some(),
            Op::If { .. } | Op::For { .. } => inner.op.effect() <= Effect::Leaves,
            Op::Const(Const::Text(_)) => false,
            op => is_pure(op),
        };
        for region in inner.op.regions() {
            fits &= region.params.iter().all(scalar) && region.term.values().iter().all(scalar);
        }
    });
    fits && stmt.op.effect() == Effect::None
}

/// Reads of elements as loads from memory.
fn to_memory(stmt: &mut Stmt) {
    stmt.walk_mut(&mut |inner| {
        if let Op::Index { array, subs, .. } = &inner.op
            && let Some(subs) = at(subs)
        {
            inner.op = Op::Load(Mem::In(*array), subs);
        }
    });
}
