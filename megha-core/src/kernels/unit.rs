//! Unit kernels: each GPU-friendly statement as a kernel of its own (MEGHA 3.2.1.1 and 3.2.1.5).
//!
//! The surrounding loops run over the dimensions of the statement's iteration space that are not of size one. Composition
//! then merges kernels over the same space.

use super::body::{Body, Defs, is_elementwise};
use crate::ir::{
    Binary, Class, Const, Func, Kernel, Loc, Op, Out, ReduceOp, Region, Size, Stmt, Sub, Terminator, Type, Value,
};

/// A statement as a kernel.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    /// The kernel; its number is given when it is placed.
    pub kernel: Kernel,
    /// The arrays (and reduced scalars) that it gives.
    pub results: Vec<Value>,
    /// Host statements that come before it: tests of bounds.
    pub before: Vec<Stmt>,
    /// Index arrays that became expressions.
    pub eliminated: Vec<Value>,
    pub loc: Loc,
}

/// The statement as a kernel, or `None` if it is not GPU-friendly.
pub(crate) fn unit(func: &mut Func, defs: &Defs, stmt: &Stmt) -> Option<Unit> {
    if let Op::Kernel(kernel) = &stmt.op {
        return Some(Unit {
            kernel: (**kernel).clone(),
            results: stmt.results.clone(),
            before: Vec::new(),
            eliminated: Vec::new(),
            loc: stmt.loc,
        });
    }
    let [result] = stmt.results[..] else { return None };
    let arrays = is_array(func, result) || matches!(&stmt.op, Op::Reduce(_, a, _) if is_array(func, *a));
    if !arrays {
        return None;
    }
    let mut maker = Maker::new(func, defs, stmt, result);
    match &stmt.op {
        op if is_elementwise(op) => maker.elementwise(op),
        Op::Range { .. } | Op::Linspace(..) => maker.index_array(),
        // A repeated array is looked through like an index array.
        Op::Fill(a) if is_array(maker.body.func, *a) => maker.index_array(),
        Op::Eye => maker.eye(),
        Op::Transpose(a) => maker.transpose(*a),
        Op::Index { array, subs, checked } => maker.index(*array, subs, *checked),
        Op::Store { array, subs, value, checked } => maker.store(*array, subs, *value, *checked)?,
        Op::Reduce(op, array, axes) => maker.reduce(*op, *array, axes),
        _ => return None,
    }
    Some(maker.finish(stmt))
}

fn is_array(func: &Func, value: Value) -> bool {
    !func.ty(value).is_scalar()
}

struct Maker<'f> {
    body: Body<'f>,
    result: Value,
    ty: Type,
    domain: Vec<Size>,
    params: Vec<Value>,
    out: Out,
    before: Vec<Stmt>,
}

impl<'f> Maker<'f> {
    fn new(func: &'f mut Func, defs: &'f Defs, stmt: &Stmt, result: Value) -> Self {
        let ty = func.ty(result).clone();
        let body = Body::new(func, defs, stmt.loc);
        Self { body, result, ty, domain: Vec::new(), params: Vec::new(), out: Out::Fresh, before: Vec::new() }
    }

    /// Opens loops over the long dimensions and gives a subscript for every dimension.
    fn loops(&mut self, dims: &[Size]) -> Vec<Value> {
        let mut subs = Vec::new();
        for d in dims {
            if d.is_one() {
                subs.push(self.body.int(0));
            } else {
                let param = self.body.func.new_value(Type::scalar(Class::Index));
                self.domain.push(d.clone());
                self.params.push(param);
                subs.push(param);
            }
        }
        subs
    }

    fn put(&mut self, subs: Vec<Value>, value: Value) {
        self.body.effect(Op::Put(0, subs, value));
    }

    fn elementwise(&mut self, op: &Op) {
        let dims = self.ty.dims.clone();
        let subs = self.loops(&dims);
        let mut operands = Vec::new();
        op.for_each_operand(&mut |v| operands.push(v));
        let elements: Vec<Value> = operands
            .into_iter()
            .map(|v| {
                let own = self.body.func.ty(v).clone();
                let own_subs = self.body.clamped(&own, &subs);
                self.body.element(v, &own_subs)
            })
            .collect();
        let value = self.body.apply(op, &elements, self.ty.class);
        self.put(subs, value);
    }

    fn index_array(&mut self) {
        let dims = self.ty.dims.clone();
        let subs = self.loops(&dims);
        let value = self.body.element(self.result, &subs);
        self.body.eliminated.clear();
        self.put(subs, value);
    }

    fn eye(&mut self) {
        let dims = self.ty.dims.clone();
        let subs = self.loops(&dims);
        let same = self.body.push(Op::Binary(Binary::Eq, subs[0], subs[1]), Class::Logical);
        let value =
            if self.ty.class == Class::Logical { same } else { self.body.push(Op::Convert(same), self.ty.class) };
        self.put(subs, value);
    }

    fn transpose(&mut self, source: Value) {
        let dims = self.ty.dims.clone();
        let subs = self.loops(&dims);
        let value = self.body.element(source, &[subs[1], subs[0]]);
        self.put(subs, value);
    }

    fn index(&mut self, array: Value, subs: &[Sub], checked: bool) {
        let dims = self.ty.dims.clone();
        let own = self.loops(&dims);
        let source = self.body.func.ty(array).clone();
        let mapped = self.mapped(&source, subs, &own, &dims, checked);
        let value = match mapped.len() == source.dims.len() {
            true => self.body.element(array, &mapped),
            false => self.body.push(Op::Load(crate::ir::Mem::In(array), mapped), source.class),
        };
        self.put(own, value);
    }

    fn store(&mut self, array: Value, subs: &[Sub], value: Value, checked: bool) -> Option<()> {
        if subs.iter().any(|s| matches!(s, Sub::Vector(_))) || subs.iter().all(|s| matches!(s, Sub::At(_))) {
            // Repeated subscripts would make iterations depend on each other; a single element is no loop.
            return None;
        }
        let dims: Vec<Size> = subs.iter().zip(0..).map(|(s, axis)| self.sub_len(s, axis, subs.len())).collect();
        let own = self.loops(&dims);
        let target = self.ty.clone();
        let mapped = self.mapped(&target, subs, &own, &dims, checked);
        let given = self.body.func.ty(value).clone();
        let value_subs = self.value_subs(&given, &dims, &own);
        let element = self.body.element(value, &value_subs);
        self.put(mapped, element);
        self.out = Out::Update(array);
        Some(())
    }

    /// How many elements a subscript selects along an axis of the array that is stored into.
    fn sub_len(&self, sub: &Sub, axis: usize, count: usize) -> Size {
        match sub {
            Sub::All if count == 1 => self.ty.numel(),
            Sub::All => self.ty.dim(axis),
            Sub::At(_) => Size::constant(1),
            Sub::Range { len, .. } => len.clone(),
            Sub::Vector(v) => self.body.func.ty(*v).numel(),
        }
    }

    /// Subscripts into the stored value: its long dimensions correspond to the loops in order.
    fn value_subs(&mut self, given: &Type, dims: &[Size], own: &[Value]) -> Vec<Value> {
        let mut long = dims.iter().zip(own).filter(|(d, _)| !d.is_one()).map(|(_, s)| *s);
        let subs: Vec<Option<Value>> = given.dims.iter().map(|d| if d.is_one() { None } else { long.next() }).collect();
        subs.into_iter().map(|s| s.unwrap_or_else(|| self.body.int(0))).collect()
    }

    /// The subscripts into the array that is read or written, for the iteration `own` over sizes `dims`.
    fn mapped(&mut self, array: &Type, subs: &[Sub], own: &[Value], dims: &[Size], checked: bool) -> Vec<Value> {
        let linear = subs.len() == 1;
        let mut mapped = Vec::new();
        for (axis, sub) in subs.iter().enumerate() {
            let extent = if linear { array.numel() } else { array.dim(axis) };
            // With one subscript the result may be a row or a column; its long dimension is the subscript's.
            let k = match linear {
                true => dims.iter().zip(own).find(|(d, _)| !d.is_one()).map(|(_, s)| *s),
                false => own.get(axis).copied(),
            };
            let k = k.unwrap_or_else(|| self.body.int(0));
            mapped.push(match sub {
                Sub::All => k,
                Sub::At(v) => {
                    if checked {
                        self.test_bounds(*v, *v, &extent);
                    }
                    *v
                }
                Sub::Range { start, step, len } => {
                    if checked {
                        self.test_range(*start, *step, len, &extent);
                    }
                    self.body.affine(*start, *step, k)
                }
                Sub::Vector(v) => {
                    let ty = self.body.func.ty(*v).clone();
                    let vector_subs = if linear { self.vector_subs(&ty, own, dims) } else { self.spread(&ty, k) };
                    self.body.gathered(*v, &vector_subs, &extent, checked)
                }
            });
        }
        mapped
    }

    fn spread(&mut self, vector: &Type, k: Value) -> Vec<Value> {
        vector.dims.iter().map(|d| if d.is_one() { self.body.int(0) } else { k }).collect()
    }

    /// A subscript matrix has the result's sizes; a subscript vector may lie across.
    fn vector_subs(&mut self, ty: &Type, own: &[Value], dims: &[Size]) -> Vec<Value> {
        let mut long = dims.iter().zip(own).filter(|(d, _)| !d.is_one()).map(|(_, s)| *s);
        let subs: Vec<Option<Value>> = ty.dims.iter().map(|d| if d.is_one() { None } else { long.next() }).collect();
        subs.into_iter().map(|s| s.unwrap_or_else(|| self.body.int(0))).collect()
    }

    fn host(&mut self, op: Op, class: Class) -> Value {
        let value = self.body.func.new_value(Type::scalar(class));
        self.before.push(Stmt { results: vec![value], op, loc: self.body.loc });
        value
    }

    fn test_range(&mut self, start: Value, step: i64, len: &Size, extent: &Size) {
        let steps = self.host(Op::Size(len.add_const(-1).scale(step)), Class::Index);
        let last = self.host(Op::Binary(Binary::Add, start, steps), Class::Index);
        let (low, high) = if step > 0 { (start, last) } else { (last, start) };
        let fine = self.bounds(low, high, extent);
        let count = self.host(Op::Size(len.clone()), Class::Index);
        let zero = self.host(Op::Const(Const::Int(0)), Class::Index);
        let none = self.host(Op::Binary(Binary::Le, count, zero), Class::Logical);
        let fine = self.host(Op::Binary(Binary::Or, fine, none), Class::Logical);
        self.assert(fine);
    }

    fn test_bounds(&mut self, low: Value, high: Value, extent: &Size) {
        let fine = self.bounds(low, high, extent);
        self.assert(fine);
    }

    fn bounds(&mut self, low: Value, high: Value, extent: &Size) -> Value {
        let zero = self.host(Op::Const(Const::Int(0)), Class::Index);
        let extent = self.host(Op::Size(extent.clone()), Class::Index);
        let from = self.host(Op::Binary(Binary::Ge, low, zero), Class::Logical);
        let to = self.host(Op::Binary(Binary::Lt, high, extent), Class::Logical);
        self.host(Op::Binary(Binary::And, from, to), Class::Logical)
    }

    fn assert(&mut self, fine: Value) {
        let text = "a subscript is out of bounds".to_owned();
        self.before.push(Stmt { results: Vec::new(), op: Op::Assert(fine, text), loc: self.body.loc });
    }

    fn reduce(&mut self, op: ReduceOp, array: Value, axes: &[usize]) {
        let dims = self.body.func.ty(array).dims.clone();
        let subs = self.loops(&dims);
        let element = self.body.element(array, &subs);
        let long: Vec<usize> = (0..dims.len()).filter(|a| !dims[*a].is_one()).collect();
        let positions: Vec<usize> = (0..long.len()).filter(|p| axes.contains(&long[*p])).collect();
        if positions.is_empty() {
            // One element each: a copy, but that a sum begins at +0 and so has no -0.
            let class = self.body.func.ty(array).class;
            let starts = op == ReduceOp::Sum && class.is_float();
            let combined = if starts { self.added_to_zero(element, class) } else { element };
            self.put(subs, combined);
            return;
        }
        self.body.effect(Op::Accumulate(0, element));
        self.out = Out::Reduce(op, positions);
    }

    fn added_to_zero(&mut self, element: Value, class: Class) -> Value {
        let zero = self.body.push(Op::Const(Const::Float(0.0)), class);
        self.body.push(Op::Binary(Binary::Add, zero, element), class)
    }

    fn finish(self, stmt: &Stmt) -> Unit {
        let body = Region { params: self.params, stmts: self.body.stmts, term: Terminator::Yield(Vec::new()) };
        let kernel = Kernel { id: 0, domain: self.domain, outs: vec![self.out], body };
        Unit {
            kernel,
            results: vec![self.result],
            before: self.before,
            eliminated: self.body.eliminated,
            loc: stmt.loc,
        }
    }
}
