//! The statements that take the place of expanded loops: what does not change before it, and a kernel for each statement.

use super::legality::Axis;
use super::pieces::{Carried, Pieces, Unit, When};
use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Binary, Class, Const, Func, Kernel, Loc, Mem, Op, Out, ReduceOp, Region, Size, Stmt, Terminator, Type, Unary,
    Value, Walk,
};
use crate::kernels::accesses::{Counted, Definitions, Extent};
use crate::kernels::doall::extent;
use crate::nests::copy::Copy;

/// The statements, and what stands for the loops' results; of work arrays only where `needed` says so.
pub(super) fn run(
    func: &mut Func,
    defs: &Definitions,
    pieces: &Pieces<'_>,
    axis: Axis,
    needed: &dyn Fn(usize) -> bool,
) -> Option<(Vec<Stmt>, Vec<Value>)> {
    let counted = |(counter, trip): &(Value, Value)| Counted { counter: *counter, extent: Extent::Trip(*trip) };
    let extents = pieces.loops.iter().map(|head| extent(func, defs, &counted(head))).collect();
    let to_before = |array: &'_ Carried| array.params.iter().map(|param| (*param, array.before)).collect::<Vec<_>>();
    let values = pieces.carried.iter().flat_map(to_before).collect();
    let mut build = Build { func, pieces, axis, extents, values, forms: HashMap::default(), out: Vec::new() };
    build.out.extend(pieces.invariant.iter().map(|stmt| (*stmt).clone()));
    build.tests();
    pieces.units.iter().try_for_each(|unit| build.unit(unit))?;
    if let Some(Stmt { op: Op::Assert(cond, check), loc, .. }) = pieces.computed {
        let holds = build.all(*cond, *loc);
        build.out.push(Stmt { results: Vec::new(), op: Op::Assert(holds, check.clone()), loc: *loc });
    }
    let results = pieces.carried.iter().enumerate().map(|(number, array)| match array.is_work {
        true if needed(number) => build.last(array),
        true => array.before,
        false => build.values.get(&array.next).copied().unwrap_or(array.next),
    });
    let results = results.collect();
    Some((build.out, results))
}

/// How an array or scalar of one iteration lies in that of all.
#[derive(Debug, Clone)]
struct Form {
    /// Its number of dimensions, none of a scalar.
    rank: usize,
    /// A dimension of size one that the loop takes.
    dropped: Option<usize>,
}

struct Build<'f, 'p> {
    func: &'f mut Func,
    pieces: &'p Pieces<'p>,
    axis: Axis,
    /// The number of iterations of each loop.
    extents: Vec<Size>,
    /// What stands for values of the body.
    values: HashMap<Value, Value>,
    /// The form of each expanded array.
    forms: HashMap<Value, Form>,
    out: Vec<Stmt>,
}

impl Build<'_, '_> {
    fn push(&mut self, op: Op, class: Class, loc: Loc) -> Value {
        let value = self.func.new_value(Type::scalar(class));
        self.out.push(Stmt { results: vec![value], op, loc });
        value
    }

    /// Whether there is an iteration.
    fn runs(&mut self, loc: Loc) -> Value {
        let zero = self.push(Op::Const(Const::Int(0)), Class::Index, loc);
        let mut runs = None;
        for (_, trip) in &self.pieces.loops {
            let more = self.push(Op::Binary(Binary::Gt, *trip, zero), Class::Logical, loc);
            runs = Some(match runs {
                None => more,
                Some(outer) => self.push(Op::Binary(Binary::And, outer, more), Class::Logical, loc),
            });
        }
        runs.unwrap_or(zero)
    }

    /// The tests, made where there is an iteration.
    fn tests(&mut self) {
        for (stmt, when) in &self.pieces.tests {
            let runs = self.runs(stmt.loc);
            match &stmt.op {
                Op::Assert(cond, check) => {
                    let holds = if *when == When::Each { self.all(*cond, stmt.loc) } else { *cond };
                    let none = self.push(Op::Unary(Unary::Not, runs), Class::Logical, stmt.loc);
                    let fine = self.push(Op::Binary(Binary::Or, none, holds), Class::Logical, stmt.loc);
                    self.out.push(Stmt { results: Vec::new(), op: Op::Assert(fine, check.clone()), loc: stmt.loc });
                }
                _ => self.out.push(guarded(runs, vec![(*stmt).clone()], stmt.loc)),
            }
        }
    }

    /// Whether a condition holds in all iterations.
    fn all(&mut self, cond: Value, loc: Loc) -> Value {
        let counters = self.counters();
        let zero = self.func.new_value(Type::scalar(Class::Index));
        let stmts = vec![Stmt { results: Vec::new(), op: Op::Accumulate(0, cond), loc }];
        let body = Region { params: Vec::new(), stmts, term: Terminator::Yield(Vec::new()) };
        let mut body = self.body(body, &counters, zero, loc);
        let place = Place { axis: self.axis, counters: &counters, zero };
        place.expand_all(&self.forms, &[], &mut body);
        body.params = counters;
        let outs = vec![Out::Reduce(ReduceOp::All, (0..self.extents.len()).collect())];
        let kernel = Kernel { id: 0, domain: self.extents.clone(), outs, body };
        let holds = self.func.new_value(Type::scalar(Class::Logical));
        self.out.push(Stmt { results: vec![holds], op: Op::Kernel(Box::new(kernel)), loc });
        holds
    }

    /// What a work array holds behind the loops: what the last iteration has stored, over what was there before.
    fn last(&mut self, array: &Carried) -> Value {
        let loc = Loc::NONE;
        let runs = self.runs(loc);
        let expanded = self.values[&array.next];
        let form = self.forms[&expanded].clone();
        let dims = self.pieces.dims(self.func, array.next).to_vec();
        let mut body = Vec::new();
        let counters: Vec<Value> = self
            .extents
            .clone()
            .iter()
            .map(|extent| {
                let last = self.func.new_value(Type::scalar(Class::Index));
                body.push(Stmt { results: vec![last], op: Op::Size(extent.add_const(-1)), loc });
                last
            })
            .collect();
        let zero = self.func.new_value(Type::scalar(Class::Index));
        body.push(Stmt { results: vec![zero], op: Op::Const(Const::Int(0)), loc });
        let (mut params, mut domain) = (Vec::new(), Vec::new());
        let subs: Vec<Value> = dims
            .iter()
            .map(|dim| {
                if dim.is_one() {
                    return zero;
                }
                let param = self.func.new_value(Type::scalar(Class::Index));
                params.push(param);
                domain.push(dim.clone());
                param
            })
            .collect();
        let mut from = subs.clone();
        Place { axis: self.axis, counters: &counters, zero }.expand(&form, &mut from);
        let ty = self.func.ty(array.before).clone();
        let element = self.func.new_value(Type::scalar(ty.class));
        let load = Stmt { results: vec![element], op: Op::Load(Mem::In(expanded), from), loc };
        let put = Stmt { results: Vec::new(), op: Op::Put(0, subs, element), loc };
        body.push(guarded(runs, vec![load, put], loc));
        let body = Region { params, stmts: body, term: Terminator::Yield(Vec::new()) };
        let kernel = Kernel { id: 0, domain, outs: vec![Out::Update(array.before)], body };
        let result = self.func.new_value(ty);
        self.func.names[result.index()] = self.func.names[array.next.index()].clone();
        self.out.push(Stmt { results: vec![result], op: Op::Kernel(Box::new(kernel)), loc });
        result
    }

    /// A unit as a kernel with one more loop.
    fn unit(&mut self, unit: &Unit) -> Option<()> {
        let loc = unit.loc;
        let mut kernel = unit.kernel.clone();
        for out in &mut kernel.outs {
            if let Some(array) = out.updated_mut() {
                *array = self.values.get(array).copied().unwrap_or(*array);
            }
            if let Out::Reduce(_, axes) = out
                && self.axis == Axis::First
            {
                axes.iter_mut().for_each(|axis| *axis += self.extents.len());
            }
        }
        let results: Vec<Value> = unit.results.iter().map(|result| self.expanded(*result)).collect();
        let counters = self.counters();
        let zero = self.func.new_value(Type::scalar(Class::Index));
        let body = std::mem::take(&mut kernel.body);
        let mut body = self.body(body, &counters, zero, loc);
        let at = if self.axis == Axis::First { 0 } else { kernel.domain.len() };
        body.params.splice(at..at, counters.iter().copied());
        kernel.domain.splice(at..at, self.extents.iter().cloned());
        let place = Place { axis: self.axis, counters: &counters, zero };
        if !place.expand_all(&self.forms, &results, &mut body) {
            return None;
        }
        kernel.body = body;
        let kernel = Kernel { id: 0, ..kernel };
        self.out.push(Stmt { results, op: Op::Kernel(Box::new(kernel)), loc });
        Some(())
    }

    /// New counters for the loops.
    fn counters(&mut self) -> Vec<Value> {
        let mut new = Vec::new();
        for like in self.pieces.counters() {
            let counter = self.func.new_value(Type::scalar(Class::Index));
            self.func.names[counter.index()] = self.func.names[like.index()].clone();
            new.push(counter);
        }
        new
    }

    /// What a unit gives in all iterations.
    fn expanded(&mut self, result: Value) -> Value {
        if self.pieces.states.contains_key(&result) {
            return result;
        }
        let mut dims = self.pieces.dims(self.func, result).to_vec();
        let rank = dims.len();
        let dropped = dims.iter().position(Size::is_one);
        if let Some(axis) = dropped {
            dims.remove(axis);
        }
        let at = if self.axis == Axis::First { 0 } else { dims.len() };
        dims.splice(at..at, self.extents.iter().cloned());
        let class = self.func.ty(result).class;
        let new = self.func.new_value(Type::array(class, dims));
        self.func.names[new.index()] = self.func.names[result.index()].clone();
        self.values.insert(result, new);
        self.forms.insert(new, Form { rank, dropped });
        new
    }

    /// The body of a unit for the iteration that the counter says, with the glue that it needs.
    fn body(&mut self, body: Region, counters: &[Value], zero: Value, loc: Loc) -> Region {
        let needed = self.needed(&body);
        let mut before = vec![Stmt { results: vec![zero], op: Op::Const(Const::Int(0)), loc }];
        let mut copy = Copy::new(self.func);
        copy.values = self.values.clone();
        copy.values.extend(self.pieces.counters().into_iter().zip(counters.iter().copied()));
        for stmt in self.pieces.glue.iter().filter(|stmt| stmt.results.iter().any(|v| needed.contains(v))) {
            before.push(copy.stmt(stmt));
        }
        for (scalar, array) in &self.values {
            if needed.contains(scalar) && copy.is_scalar(*scalar) {
                let load = Stmt { results: vec![*scalar], op: Op::Load(Mem::In(*array), Vec::new()), loc };
                before.push(copy.stmt(&load));
            }
        }
        let mut body = body;
        copy.region(&mut body);
        body.stmts.splice(0..0, before);
        body
    }

    /// The values of the loop's body that a kernel's body needs, by way of glue too.
    fn needed(&self, body: &Region) -> HashSet<Value> {
        let symbols = &self.func.symbols;
        let mut needed: HashSet<Value> = body.free_values().into_iter().collect();
        body.walk(&mut |stmt| {
            stmt.op.for_each_size(&mut |size| symbols.for_each_value(size, &mut |v| _ = needed.insert(v)));
        });
        for stmt in self.pieces.glue.iter().rev() {
            if stmt.results.iter().any(|v| needed.contains(v)) {
                stmt.op.for_each_operand(&mut |v| _ = needed.insert(v));
                stmt.op.for_each_size(&mut |size| symbols.for_each_value(size, &mut |v| _ = needed.insert(v)));
            }
        }
        needed
    }
}

/// A statement that does something where a condition holds.
fn guarded(cond: Value, stmts: Vec<Stmt>, loc: Loc) -> Stmt {
    let arm = |stmts| Box::new(Region { params: Vec::new(), stmts, term: Terminator::Yield(Vec::new()) });
    Stmt { results: Vec::new(), op: Op::If { cond, then: arm(stmts), els: arm(Vec::new()) }, loc }
}

/// Where the loops' numbers go in subscripts.
struct Place<'c> {
    axis: Axis,
    counters: &'c [Value],
    zero: Value,
}

impl Place<'_> {
    /// Expands the subscripts of a body's accesses to arrays of these forms; whether all have some.
    fn expand_all(&self, forms: &HashMap<Value, Form>, results: &[Value], body: &mut Region) -> bool {
        body.walk_mut(&mut |stmt| {
            let (array, subs) = match &mut stmt.op {
                Op::Load(Mem::In(array), subs) => (*array, subs),
                Op::Load(Mem::Out(out), subs) | Op::Put(out, subs, _) => (results[*out], subs),
                _ => return Walk::Advance,
            };
            match forms.get(&array) {
                Some(form) if !self.expand(form, subs) => Walk::Interrupt,
                _ => Walk::Advance,
            }
        })
    }

    /// The subscripts of an element of an expanded array; whether there are any.
    fn expand(&self, form: &Form, subs: &mut Vec<Value>) -> bool {
        match (subs.len() == form.rank, form.dropped) {
            (true, Some(axis)) => _ = subs.remove(axis),
            (true, None) => {}
            // One subscript of a row or column.
            (false, Some(_)) if form.rank == 2 => {}
            (false, _) => return false,
        }
        let at = if self.axis == Axis::First { 0 } else { subs.len() };
        subs.splice(at..at, self.counters.iter().copied());
        if subs.len() < 2 {
            subs.push(self.zero);
        }
        true
    }
}
