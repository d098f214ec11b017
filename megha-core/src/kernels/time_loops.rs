//! Time loops inside of kernels: the interchange of a sequential loop with the parallel loops in it.
//!
//! `for t, z = z .* z + c; k = k + (z < 2); end` launches a kernel in each iteration, which brings all its arrays through memory. If
//! each point of a kernel touches only its own elements of what the loop changes, no point ever waits for another one, and the loop may
//! be interchanged with the loops over points (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", section 5.2: all
//! dependences have direction `=` in the loops over points). Here the whole body goes inside, kernel by kernel: one kernel over the points, in
//! which the sequential loop carries one scalar for each array that it carried, and the last states are stored once.
//!
//! It applies to a loop that is left only behind its last iteration, and holds nothing but kernels of one domain without reductions,
//! which store their own elements, and scalar code without effects. "The own element" is one and the same list of subscripts for all
//! arrays of the same sizes, in which each loop of the domain stands once. Arrays from before the loop may be read anywhere: the loop does
//! not change them. It pays whenever it applies, unless the scalar code, which each point then computes for itself, costs more than the
//! kernels do.
//!
//! It stands between the kernels of the loop's body, which are final, and those of the block around it, with which the result composes.

use super::body::{Body, Defs};
use super::counters;
use super::dead::leaves;
use super::index_form::{Form, Forms};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Class, Effect, Func, Kernel, Mem, Op, Out, Place, Region, Size, Stmt, Sub, Terminator, Type, Value};
use crate::schedule::cost::exchange_pays;
use crate::schedule::subject::has_checks;
use crate::schedule::weight;

/// The loop as one kernel, if it can be one; `is_used` says which values something behind the loop needs.
pub(crate) fn interchanged(func: &mut Func, defs: &Defs, stmt: &Stmt, is_used: &dyn Fn(Value) -> bool) -> Option<Stmt> {
    let Op::For { trip, init, body } = &stmt.op else { return None };
    let Terminator::Yield(next) = &body.term else { return None };
    let results: Vec<usize> = (0..init.len()).filter(|k| is_used(stmt.results[*k])).collect();
    if leaves(body, 0) || results.is_empty() || results.iter().any(|k| func.ty(stmt.results[*k]).is_scalar()) {
        return None;
    }
    let needed = needed(func, body);
    let domain = common_domain(func, body, &needed)?;
    if !is_cheap(&needed) {
        return None;
    }
    let params: Vec<Value> = domain.iter().map(|_| func.new_value(Type::scalar(Class::Index))).collect();
    let mut points = Points {
        func,
        domain: &domain,
        params: &params,
        own: Vec::new(),
        elements: HashMap::default(),
        renamed: HashMap::default(),
    };
    let mut carried = vec![body.params[0]];
    for param in &body.params[1..] {
        carried.push(points.carried(*param));
    }
    let mut stmts = Vec::new();
    for inner in needed {
        points.stmt(inner, &mut stmts)?;
    }
    points.finish(stmt, defs, (*trip, init, next), (carried, stmts), &results)
}

/// The statements that the next iteration and the results depend on, in order; the others have no effect.
fn needed<'s>(func: &Func, body: &'s Region) -> Vec<&'s Stmt> {
    let mut values: HashSet<Value> = body.term.values().iter().copied().collect();
    let mut stmts = Vec::new();
    for stmt in body.stmts.iter().rev() {
        if !stmt.op.has_effect() && !stmt.results.iter().any(|v| values.contains(v)) {
            continue;
        }
        stmt.op.for_each_operand(&mut |v| values.extend([v]));
        stmt.op.regions().into_iter().for_each(|region| region.for_each_use(&mut |v| values.extend([v])));
        stmt.walk(&mut |s| {
            s.op.for_each_size(&mut |size| func.symbols.for_each_value(size, &mut |v| values.extend([v])))
        });
        stmts.push(stmt);
    }
    stmts.reverse();
    stmts
}

/// The domain of all kernels but for the order of its loops, if it is the same in all iterations.
fn common_domain(func: &Func, body: &Region, stmts: &[&Stmt]) -> Option<Vec<Size>> {
    let mut domains = stmts.iter().filter_map(|s| if let Op::Kernel(k) = &s.op { Some(&k.domain) } else { None });
    let first = domains.next().filter(|d| !d.is_empty())?;
    let mut inside = HashSet::default();
    body.defined(&mut inside);
    let fixed = first.iter().all(|size| func.symbols.is_made_of(size, &|v| !inside.contains(&v)));
    let count = |list: &[Size], size: &Size| list.iter().filter(|other| *other == size).count();
    let alike = |other: &Vec<Size>| first.iter().chain(other).all(|size| count(first, size) == count(other, size));
    (fixed && domains.all(alike)).then(|| first.clone())
}

/// Whether the scalar code costs no more than the kernels.
fn is_cheap(stmts: &[&Stmt]) -> bool {
    let (mut scalars, mut points) = (0, 0);
    for stmt in stmts {
        let sum = if matches!(stmt.op, Op::Kernel(_)) { &mut points } else { &mut scalars };
        stmt.walk(&mut |s| *sum += weight(&s.op));
    }
    exchange_pays(scalars, points)
}

/// The subscripts of the own element: for each dimension the loop of the domain, or none where its size is one.
type Own = Vec<Option<usize>>;

/// A point of the kernel that is made.
struct Points<'s> {
    func: &'s mut Func,
    domain: &'s [Size],
    params: &'s [Value],
    /// The own elements of arrays of these sizes.
    own: Vec<(Vec<Size>, Own)>,
    /// The own elements of the arrays that the loop changes, as scalars.
    elements: HashMap<Value, Value>,
    /// What stands for values of the kernels that were.
    renamed: HashMap<Value, Value>,
}

impl Points<'_> {
    /// What the loop carries instead of a value.
    fn carried(&mut self, value: Value) -> Value {
        let ty = self.func.ty(value);
        if ty.is_scalar() {
            return value;
        }
        let scalar = Type::scalar(ty.class);
        let element = self.func.new_value(scalar);
        self.func.names[element.index()] = self.func.names[value.index()].clone();
        self.elements.insert(value, element);
        element
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        match &stmt.op {
            Op::Kernel(kernel) => return self.kernel(stmt, kernel, out),
            Op::Fill(value) if self.func.ty(*value).is_scalar() => {
                self.elements.insert(stmt.results[0], *value);
            }
            Op::Index { array, subs, checked: false } => {
                let at = subs.iter().map(|sub| if let Sub::At(v) = sub { Some(*v) } else { None });
                let at: Vec<Value> = at.collect::<Option<_>>()?;
                if self.elements.contains_key(array) || !self.func.ty(stmt.results[0]).is_scalar() {
                    return None;
                }
                out.push(Stmt { op: Op::Load(Mem::In(*array), at), ..stmt.clone() });
            }
            _ => {
                let alone = stmt.walk(&mut |s| {
                    let fits = s.op.place() == Place::Anywhere && s.op.effect() == Effect::None;
                    let mut scalar = s.results.iter().all(|v| self.func.ty(*v).is_scalar());
                    s.op.for_each_operand(&mut |v| scalar &= self.func.ty(v).is_scalar());
                    let is_call = matches!(s.op, Op::Call(..));
                    if fits && scalar && !is_call { crate::ir::Walk::Advance } else { crate::ir::Walk::Interrupt }
                });
                out.push(alone.then(|| stmt.clone())?);
            }
        }
        Some(())
    }

    fn kernel(&mut self, stmt: &Stmt, kernel: &Kernel, out: &mut Vec<Stmt>) -> Option<()> {
        if has_checks(&kernel.body) || kernel.outs.iter().any(|o| matches!(o, Out::Reduce(..))) {
            return None;
        }
        let forms = Forms::of(&kernel.body.params, &|_| None, &kernel.body.stmts);
        let axes = self.axes(stmt, kernel, &forms)?;
        let mut numbers = vec![Form::default(); axes.len()];
        for (param, axis) in kernel.body.params.iter().zip(axes) {
            numbers[axis] = forms.get(*param, &|_| None);
            self.renamed.insert(*param, self.params[axis]);
        }
        let mut states = Vec::new();
        for updated in &kernel.outs {
            states.push(match updated.updated() {
                Some(array) => State::Old(array),
                None => State::Nothing,
            });
        }
        let mut inner = Inner { forms, numbers, states, types: stmt.results.clone() };
        self.stmts(&mut inner, &kernel.body.stmts, true, out)?;
        for (result, state) in stmt.results.iter().zip(inner.states) {
            let element = self.state(state)?;
            self.elements.insert(*result, element);
        }
        Some(())
    }

    /// Which loop of the domain each of a kernel's loops is: those that count through an array whose own elements are known, else the first
    /// the first.
    fn axes(&self, stmt: &Stmt, kernel: &Kernel, forms: &Forms) -> Option<Vec<usize>> {
        let numbers = forms.all(&kernel.body.params, &|_| None);
        let mut found = None;
        kernel.body.walk(&mut |s| {
            let (array, subs) = match &s.op {
                Op::Load(Mem::In(array), subs) => (*array, subs),
                Op::Put(out, subs, _) => (stmt.results[*out], subs),
                _ => return,
            };
            let dims = &self.func.ty(array).dims;
            let Some((_, own)) = self.own.iter().find(|(sizes, _)| sizes == dims) else { return };
            let at = |axis: usize| {
                let dim = own.iter().position(|o| *o == Some(axis))?;
                let form = forms.get(*subs.get(dim)?, &|_| None);
                numbers.iter().position(|number| *number == form)
            };
            let order: Option<Vec<usize>> = (0..numbers.len()).map(at).collect();
            found = found.take().or(order);
        });
        let order = found.unwrap_or_else(|| (0..numbers.len()).collect());
        let axes: Option<Vec<usize>> = (0..numbers.len()).map(|k| order.iter().position(|o| *o == k)).collect();
        axes.filter(|axes| axes.iter().zip(&kernel.domain).all(|(axis, size)| self.domain[*axis] == *size))
    }

    /// Statements of a kernel's body, or of a region in it, over scalars; `outermost` where no loop stands around them.
    fn stmts(&mut self, inner: &mut Inner, stmts: &[Stmt], outermost: bool, out: &mut Vec<Stmt>) -> Option<()> {
        for stmt in stmts {
            match &stmt.op {
                Op::Put(k, subs, value) => {
                    if !outermost || !self.is_own(inner, inner.types[*k], subs) {
                        return None;
                    }
                    inner.states[*k] = State::Stored(self.new_name(*value));
                }
                Op::Accumulate(..) => return None,
                Op::Load(mem, subs) => {
                    if let Some(stmt) = self.load(inner, stmt, *mem, subs)? {
                        out.push(stmt);
                    }
                }
                Op::If { .. } => out.push(self.choice(inner, stmt, outermost)?),
                op => {
                    let mut op = op.clone();
                    op.for_each_operand_mut(&mut |v| *v = self.new_name(*v));
                    for region in op.regions_mut() {
                        let mut list = Vec::new();
                        self.stmts(inner, &region.stmts, false, &mut list)?;
                        region.stmts = list;
                        region.term.values_mut().iter_mut().for_each(|v| *v = self.new_name(*v));
                    }
                    out.push(Stmt { op, ..stmt.clone() });
                }
            }
        }
        Some(())
    }

    /// An `if`, which also gives the elements that it stores.
    fn choice(&mut self, inner: &mut Inner, stmt: &Stmt, outermost: bool) -> Option<Stmt> {
        let mut op = stmt.op.clone();
        op.for_each_operand_mut(&mut |v| *v = self.new_name(*v));
        let before = inner.states.clone();
        let mut ends = Vec::new();
        for region in op.regions_mut() {
            inner.states.clone_from(&before);
            let mut list = Vec::new();
            self.stmts(inner, &region.stmts, outermost, &mut list)?;
            region.stmts = list;
            region.term.values_mut().iter_mut().for_each(|v| *v = self.new_name(*v));
            ends.push(std::mem::take(&mut inner.states));
        }
        let mut results = stmt.results.clone();
        inner.states.clone_from(&before);
        for (k, was) in before.iter().enumerate() {
            if ends.iter().all(|states| states[k] == *was) {
                continue;
            }
            let class = self.func.ty(inner.types[k]).class;
            let result = self.func.new_value(Type::scalar(class));
            for (region, states) in op.regions_mut().into_iter().zip(&ends) {
                let Terminator::Yield(values) = &mut region.term else { return None };
                values.push(self.state(states[k])?);
            }
            results.push(result);
            inner.states[k] = State::Stored(result);
        }
        Some(Stmt { results, op, loc: stmt.loc })
    }

    /// The element that a state is.
    fn state(&self, state: State) -> Option<Value> {
        match state {
            State::Stored(value) => Some(value),
            State::Old(array) => self.elements.get(&array).copied(),
            State::Nothing => None,
        }
    }

    /// A load: of the own element nothing is left but a name.
    fn load(&mut self, inner: &Inner, stmt: &Stmt, mem: Mem, subs: &[Value]) -> Option<Option<Stmt>> {
        let array = match mem {
            Mem::In(array) => array,
            Mem::Out(k) => match inner.states[k] {
                State::Old(array) => array,
                State::Stored(value) => {
                    self.renamed.insert(stmt.results[0], value);
                    return self.is_own(inner, inner.types[k], subs).then_some(None);
                }
                State::Nothing => return None,
            },
        };
        let Some(element) = self.elements.get(&array).copied() else {
            let subs = subs.iter().map(|v| self.new_name(*v)).collect();
            return Some(Some(Stmt { op: Op::Load(Mem::In(array), subs), ..stmt.clone() }));
        };
        self.renamed.insert(stmt.results[0], element);
        self.is_own(inner, array, subs).then_some(None)
    }

    fn new_name(&self, value: Value) -> Value {
        self.renamed.get(&value).copied().unwrap_or(value)
    }

    /// Whether these are the subscripts of the own element; the first of an array of its sizes say which these are.
    fn is_own(&mut self, inner: &Inner, array: Value, subs: &[Value]) -> bool {
        let dims = &self.func.ty(array).dims;
        let at = |(sub, size): (&Value, &Size)| {
            let form = inner.forms.get(*sub, &|_| None);
            if size.is_one() && form == Form::default() {
                return Some(None);
            }
            inner.numbers.iter().position(|number| *number == form).filter(|p| self.domain[*p] == *size).map(Some)
        };
        let Some(own) = subs.iter().zip(dims).map(at).collect::<Option<Own>>() else { return false };
        if let Some((_, known)) = self.own.iter().find(|(sizes, _)| sizes == dims) {
            return *known == own;
        }
        let once = (0..self.domain.len()).all(|p| own.iter().filter(|o| **o == Some(p)).count() == 1);
        if once && subs.len() == dims.len() {
            self.own.push((dims.clone(), own));
        }
        once && subs.len() == dims.len()
    }

    /// The kernel: first states, the loop, last states.
    fn finish(
        self,
        stmt: &Stmt,
        defs: &Defs,
        (trip, init, next): (Value, &[Value], &[Value]),
        (carried, mut stmts): (Vec<Value>, Vec<Stmt>),
        results: &[usize],
    ) -> Option<Stmt> {
        let own = |points: &Self, array: Value| {
            let dims = &points.func.ty(array).dims;
            points.own.iter().find(|(sizes, _)| sizes == dims).map(|(_, own)| own.clone())
        };
        let arrays = init.iter().chain(next).filter(|v| !self.func.ty(**v).is_scalar());
        let owns: HashMap<Value, Own> = arrays.map(|v| Some((*v, own(&self, *v)?))).collect::<Option<_>>()?;
        let mut before = Body::new(self.func, defs, stmt.loc);
        let subscripts = |own: &Own, before: &mut Body<'_>| -> Vec<Value> {
            own.iter().map(|axis| axis.map_or_else(|| before.int(0), |p| self.params[p])).collect()
        };
        let mut first = Vec::new();
        for value in init {
            first.push(match owns.get(value) {
                Some(own) => {
                    let subs = subscripts(own, &mut before);
                    before.element(*value, &subs)
                }
                None => *value,
            });
        }
        let mut last = Vec::new();
        for value in next {
            last.push(match (owns.get(value), self.elements.get(value)) {
                (Some(_), Some(element)) => *element,
                (Some(own), None) => {
                    let subs = subscripts(own, &mut before);
                    before.element(*value, &subs)
                }
                (None, _) => *value,
            });
        }
        let places: Vec<Vec<Value>> = results.iter().map(|k| subscripts(&owns[&init[*k]], &mut before)).collect();
        let mut outer = std::mem::take(&mut before.stmts);
        let states: Vec<Value> = carried[1..].iter().map(|v| self.func.new_value(self.func.ty(*v).clone())).collect();
        let region = |params, stmts, last| Region { params, stmts, term: Terminator::Yield(last) };
        let body = Box::new(region(carried, std::mem::take(&mut stmts), last));
        outer.push(Stmt { results: states.clone(), op: Op::For { trip, init: first, body }, loc: stmt.loc });
        for (out, (k, subs)) in results.iter().zip(places).enumerate() {
            outer.push(Stmt { results: Vec::new(), op: Op::Put(out, subs, states[*k]), loc: stmt.loc });
        }
        let outs = vec![Out::Fresh; results.len()];
        let body = region(self.params.to_vec(), outer, Vec::new());
        let mut kernel = Kernel { id: 0, domain: self.domain.to_vec(), outs, body };
        counters::expand(self.func, &mut kernel);
        let results = results.iter().map(|k| stmt.results[*k]).collect();
        Some(Stmt { results, op: Op::Kernel(Box::new(kernel)), loc: stmt.loc })
    }
}

/// An out-variable's own element while a kernel's body is gone through.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Nothing has been stored into a new array.
    Nothing,
    /// That of the array that is updated.
    Old(Value),
    /// This has been stored.
    Stored(Value),
}

/// A kernel of the loop's body.
struct Inner {
    forms: Forms,
    /// The forms of its iteration numbers.
    numbers: Vec<Form>,
    states: Vec<State>,
    /// Values of the types of its out-variables.
    types: Vec<Value>,
}

#[cfg(test)]
mod tests;
