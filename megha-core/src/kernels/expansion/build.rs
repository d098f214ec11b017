//! The statements that take the place of an expanded loop: what does not change before it, and a kernel for each statement.

use super::legality::Axis;
use super::pieces::{Pieces, Unit};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Class, Const, Func, Kernel, Loc, Mem, Op, Out, Region, Size, Stmt, Terminator, Type, Value};
use crate::kernels::accesses::{Counted, Definitions, Extent};
use crate::kernels::doall::extent;
use crate::nests::copy::Copy;

/// The statements, and what stands for the loop's results.
pub(super) fn run(
    func: &mut Func,
    defs: &Definitions,
    pieces: &Pieces<'_>,
    axis: Axis,
) -> Option<(Vec<Stmt>, Vec<Value>)> {
    let counted = Counted { counter: pieces.counter, extent: Extent::Trip(pieces.trip) };
    let extent = extent(func, defs, &counted);
    let values = pieces.carried.iter().map(|[before, param, _]| (*param, *before)).collect();
    let mut build = Build { func, pieces, axis, extent, values, forms: HashMap::default(), out: Vec::new() };
    build.out.extend(pieces.invariant.iter().map(|stmt| (*stmt).clone()));
    build.tests();
    pieces.units.iter().try_for_each(|unit| build.unit(unit))?;
    let (values, out) = (build.values, build.out);
    let results = pieces.carried.iter().map(|[.., next]| values.get(next).copied().unwrap_or(*next));
    let results = results.collect();
    Some((out, results))
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
    /// The number of iterations.
    extent: Size,
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

    /// The tests, made where there is an iteration.
    fn tests(&mut self) {
        for stmt in &self.pieces.tests {
            let loc = stmt.loc;
            let zero = self.push(Op::Const(Const::Int(0)), Class::Index, loc);
            match &stmt.op {
                Op::Assert(holds, check) => {
                    let none = self.push(Op::Binary(Binary::Le, self.pieces.trip, zero), Class::Logical, loc);
                    let fine = self.push(Op::Binary(Binary::Or, none, *holds), Class::Logical, loc);
                    self.out.push(Stmt { results: Vec::new(), op: Op::Assert(fine, check.clone()), loc });
                }
                _ => {
                    let cond = self.push(Op::Binary(Binary::Gt, self.pieces.trip, zero), Class::Logical, loc);
                    let arm = |stmts| Region { params: Vec::new(), stmts, term: Terminator::Yield(Vec::new()) };
                    let (then, els) = (Box::new(arm(vec![(*stmt).clone()])), Box::new(arm(Vec::new())));
                    self.out.push(Stmt { results: Vec::new(), op: Op::If { cond, then, els }, loc });
                }
            }
        }
    }

    /// A unit as a kernel with one more loop.
    fn unit(&mut self, unit: &Unit) -> Option<()> {
        let loc = unit.stmt.loc;
        let mut kernel = unit.kernel.clone();
        for out in &mut kernel.outs {
            if let Some(array) = out.updated_mut() {
                *array = self.values.get(array).copied().unwrap_or(*array);
            }
            if let Out::Reduce(_, axes) = out
                && self.axis == Axis::First
            {
                axes.iter_mut().for_each(|axis| *axis += 1);
            }
        }
        let results: Vec<Value> = unit.results.iter().map(|result| self.expanded(*result)).collect();
        let counter = self.func.new_value(Type::scalar(Class::Index));
        self.func.names[counter.index()] = self.func.names[self.pieces.counter.index()].clone();
        let zero = self.func.new_value(Type::scalar(Class::Index));
        let body = std::mem::take(&mut kernel.body);
        let mut body = self.body(body, counter, zero, loc);
        let at = if self.axis == Axis::First { 0 } else { kernel.domain.len() };
        body.params.insert(at, counter);
        kernel.domain.insert(at, self.extent.clone());
        let place = Place { axis: self.axis, counter, zero };
        let forms = &self.forms;
        let mut fits = true;
        body.walk_mut(&mut |stmt| {
            let (array, subs) = match &mut stmt.op {
                Op::Load(Mem::In(array), subs) => (*array, subs),
                Op::Load(Mem::Out(out), subs) | Op::Put(out, subs, _) => (results[*out], subs),
                _ => return,
            };
            if let Some(form) = forms.get(&array) {
                fits &= place.expand(form, subs);
            }
        });
        if !fits {
            return None;
        }
        kernel.body = body;
        let kernel = Kernel { id: 0, ..kernel };
        self.out.push(Stmt { results, op: Op::Kernel(Box::new(kernel)), loc });
        Some(())
    }

    /// What a unit gives in all iterations.
    fn expanded(&mut self, result: Value) -> Value {
        if self.pieces.states.contains_key(&result) {
            return result;
        }
        let ty = self.func.ty(result).clone();
        let dropped = ty.dims.iter().position(Size::is_one);
        let mut dims = ty.dims.clone();
        if let Some(axis) = dropped {
            dims.remove(axis);
        }
        match self.axis {
            _ if dims.is_empty() => dims.push(self.extent.clone()),
            Axis::First => dims.insert(0, self.extent.clone()),
            Axis::Last => dims.push(self.extent.clone()),
        }
        let new = self.func.new_value(Type::array(ty.class, dims));
        self.func.names[new.index()] = self.func.names[result.index()].clone();
        self.values.insert(result, new);
        self.forms.insert(new, Form { rank: ty.dims.len(), dropped });
        new
    }

    /// The body of a unit for the iteration that the counter says, with the glue that it needs.
    fn body(&mut self, body: Region, counter: Value, zero: Value, loc: Loc) -> Region {
        let needed = self.needed(&body);
        let mut before = vec![Stmt { results: vec![zero], op: Op::Const(Const::Int(0)), loc }];
        let mut copy = Copy::new(self.func);
        copy.values = self.values.clone();
        copy.values.insert(self.pieces.counter, counter);
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

/// Where the loop's number goes in subscripts.
struct Place {
    axis: Axis,
    counter: Value,
    zero: Value,
}

impl Place {
    /// The subscripts of an element of an expanded array; whether there are any.
    fn expand(&self, form: &Form, subs: &mut Vec<Value>) -> bool {
        match (subs.len() == form.rank, form.dropped) {
            (true, Some(axis)) => _ = subs.remove(axis),
            (true, None) => {}
            // One subscript of a row or column.
            (false, Some(_)) if form.rank == 2 => {}
            (false, _) => return false,
        }
        match self.axis {
            _ if subs.is_empty() => subs.extend([self.counter, self.zero]),
            Axis::First => subs.insert(0, self.counter),
            Axis::Last => subs.push(self.counter),
        }
        true
    }
}
