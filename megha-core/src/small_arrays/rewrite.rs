//! Replaces the arrays by their elements.

use super::elements::{Scalars, expanded};
use super::{Known, count, shape};
use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Binary, Class, Const, Func, Lib, Loc, Op, ReduceOp, Region, Size, Stmt, Sub, Terminator, Type, Value, typing,
};

/// The walk that replaces arrays.
pub(super) struct Rewrite<'r> {
    func: &'r mut Func,
    known: &'r Known,
    split: &'r HashSet<Value>,
    /// The elements of each array that is replaced, columns first.
    elements: HashMap<Value, Vec<Value>>,
    /// Scalars that are elements of such arrays.
    renamed: HashMap<Value, Value>,
    /// For each loop around the place, which of its carried values are replaced.
    loops: Vec<Vec<bool>>,
    /// The new statements of the region, up to the place.
    out: Vec<Stmt>,
    /// Where the current statement comes from.
    loc: Loc,
}

impl<'r> Rewrite<'r> {
    pub fn new(func: &'r mut Func, known: &'r Known, split: &'r HashSet<Value>) -> Self {
        Self {
            func,
            known,
            split,
            elements: HashMap::default(),
            renamed: HashMap::default(),
            loops: Vec::new(),
            out: Vec::new(),
            loc: Loc::NONE,
        }
    }

    /// The function's body.
    pub fn body(&mut self, body: Region) -> Region {
        self.region(body, &[])
    }

    /// A region whose `Yield` gives, at the places in `split`, elements in place of arrays.
    fn region(&mut self, mut region: Region, split: &[bool]) -> Region {
        let outer = (std::mem::take(&mut self.out), self.loc);
        for stmt in std::mem::take(&mut region.stmts) {
            self.loc = stmt.loc;
            self.stmt(stmt);
        }
        region.term = match region.term {
            Terminator::Yield(values) => Terminator::Yield(self.spread(&values, split)),
            Terminator::Break(d, values) => {
                let split = self.carried(d);
                Terminator::Break(d, self.spread(&values, &split))
            }
            Terminator::Continue(d, values) => {
                let split = self.carried(d);
                Terminator::Continue(d, self.spread(&values, &split))
            }
            Terminator::Return(values) => Terminator::Return(values.into_iter().map(|v| self.current(v)).collect()),
            Terminator::Unreachable => Terminator::Unreachable,
        };
        let (out, loc) = outer;
        region.stmts = std::mem::replace(&mut self.out, out);
        self.loc = loc;
        region
    }

    fn carried(&self, depth: u32) -> Vec<bool> {
        self.loops.len().checked_sub(1 + depth as usize).map_or_else(Vec::new, |at| self.loops[at].clone())
    }

    /// The values with the elements of those that are replaced.
    fn spread(&mut self, values: &[Value], split: &[bool]) -> Vec<Value> {
        let mut all = Vec::new();
        for (at, value) in values.iter().enumerate() {
            match split.get(at) {
                Some(true) => all.extend(self.elements_of(*value)),
                _ => all.push(self.current(*value)),
            }
        }
        all
    }

    fn scalars(&mut self) -> Scalars<'_> {
        Scalars { func: self.func, out: &mut self.out, loc: self.loc }
    }

    fn current(&self, value: Value) -> Value {
        *self.renamed.get(&value).unwrap_or(&value)
    }

    fn stmt(&mut self, mut stmt: Stmt) {
        stmt.op.for_each_operand_mut(&mut |v| *v = self.current(*v));
        match stmt.op {
            Op::If { cond, then, els } => {
                let split: Vec<bool> = stmt.results.iter().map(|r| self.split.contains(r)).collect();
                let (then, els) = (Box::new(self.region(*then, &split)), Box::new(self.region(*els, &split)));
                let (results, after) = self.results(&stmt.results, &split);
                self.out.push(Stmt { results, op: Op::If { cond, then, els }, loc: self.loc });
                self.out.extend(after);
            }
            Op::For { trip, init, mut body } => {
                let split: Vec<bool> = body.params[1..].iter().map(|p| self.split.contains(p)).collect();
                let init = self.spread(&init, &split);
                body.params = self.params(&body.params);
                let body = Box::new(self.loop_body(*body, &split));
                let (results, after) = self.results(&stmt.results, &split);
                self.out.push(Stmt { results, op: Op::For { trip, init, body }, loc: self.loc });
                self.out.extend(after);
            }
            Op::While { init, mut cond, mut body } => {
                let split: Vec<bool> = body.params.iter().map(|p| self.split.contains(p)).collect();
                let init = self.spread(&init, &split);
                (cond.params, body.params) = (self.params(&cond.params), self.params(&body.params));
                let cond = Box::new(self.region(*cond, &[]));
                let body = Box::new(self.loop_body(*body, &split));
                let (results, after) = self.results(&stmt.results, &split);
                self.out.push(Stmt { results, op: Op::While { init, cond, body }, loc: self.loc });
                self.out.extend(after);
            }
            ref op => match self.replaced(op, &stmt.results) {
                Some(elements) => {
                    if let [result] = stmt.results[..] {
                        self.elements.insert(result, elements);
                    }
                }
                None => self.kept(stmt),
            },
        }
    }

    fn loop_body(&mut self, body: Region, split: &[bool]) -> Region {
        self.loops.push(split.to_vec());
        let body = self.region(body, split);
        self.loops.pop();
        body
    }

    fn new_elements(&mut self, array: Value) -> Vec<Value> {
        let ty = self.func.ty(array).clone();
        let n = shape(&ty).map_or(0, |[rows, columns]| rows * columns);
        let name = self.func.names[array.index()].clone();
        (1..=n)
            .map(|k| {
                let element = self.func.new_value(Type::scalar(ty.class));
                self.func.names[element.index()] = name.as_ref().map(|name| format!("{name}({k})"));
                element
            })
            .collect()
    }

    fn params(&mut self, params: &[Value]) -> Vec<Value> {
        let mut all = Vec::new();
        for param in params {
            if !self.split.contains(param) {
                all.push(*param);
                continue;
            }
            let elements = self.new_elements(*param);
            all.extend(&elements);
            self.elements.insert(*param, elements);
        }
        all
    }

    /// Results with elements in place of arrays, and the statements that put together what is needed whole.
    fn results(&mut self, results: &[Value], split: &[bool]) -> (Vec<Value>, Vec<Stmt>) {
        let (mut all, mut after) = (Vec::new(), Vec::new());
        for (result, split) in results.iter().zip(split) {
            if !split {
                all.push(*result);
                continue;
            }
            let elements = self.new_elements(*result);
            all.extend(&elements);
            if self.split.contains(result) {
                self.elements.insert(*result, elements);
            } else {
                let ty = self.func.ty(*result).clone();
                Scalars { func: self.func, out: &mut after, loc: self.loc }.array(&elements, &ty, *result);
            }
        }
        (all, after)
    }

    /// The elements of an array of constant sizes, which need not be replaced itself; of a scalar, itself.
    fn elements_of(&mut self, value: Value) -> Vec<Value> {
        if let Some(elements) = self.elements.get(&value) {
            return elements.clone();
        }
        let ty = self.func.ty(value).clone();
        let Some([rows, columns]) = shape(&ty) else { return vec![value] };
        let mut scalars = self.scalars();
        let mut elements = Vec::new();
        for j in 0..columns {
            for i in 0..rows {
                let subs = [i, j].map(|s| Sub::At(scalars.emit(Op::Const(Const::Int(s as i64)), Class::Index)));
                elements.push(scalars.emit(Op::Index { array: value, subs: subs.to_vec(), checked: false }, ty.class));
            }
        }
        elements
    }

    /// The elements of the result, if it is an array that is replaced.
    fn replaced(&mut self, op: &Op, results: &[Value]) -> Option<Vec<Value>> {
        let [result] = results[..] else { return None };
        if !self.split.contains(&result) {
            return None;
        }
        let ty = self.func.ty(result).clone();
        let dims = shape(&ty)?;
        Some(match op {
            Op::Fill(a) | Op::Unary(_, a) | Op::Convert(a) => self.each(op, &[*a], dims, ty.class),
            Op::Binary(_, a, b) => self.each(op, &[*a, *b], dims, ty.class),
            Op::Select(a, b, c) => self.each(op, &[*a, *b, *c], dims, ty.class),
            Op::Reshape(a) => self.elements_of(*a),
            Op::Transpose(a) => {
                let from = self.elements_of(*a);
                let [rows, columns] = dims;
                (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j))).map(|(i, j)| from[i * columns + j]).collect()
            }
            Op::Concat(axis, parts) => self.concat(*axis, parts, dims[1]),
            Op::Index { array, subs, .. } => self.part(*array, subs),
            Op::Store { array, subs, value, .. } => {
                let mut elements = self.elements_of(*array);
                let new = self.elements_of(*value);
                let places = self.known.selected(dims, subs)?;
                for (k, place) in places.into_iter().enumerate() {
                    elements[place] = if new.len() == 1 { new[0] } else { new[k] };
                }
                elements
            }
            Op::Reduce(op, a, axes) => self.reduce(*op, *a, axes),
            Op::Lib(Lib::MatMul, factors) => self.product(factors, dims),
            _ => return None,
        })
    }

    /// An element-wise operation.
    fn each(&mut self, op: &Op, operands: &[Value], [rows, columns]: [usize; 2], class: Class) -> Vec<Value> {
        let from: Vec<([usize; 2], Vec<Value>)> =
            operands.iter().map(|v| (shape(self.func.ty(*v)).unwrap_or([1, 1]), self.elements_of(*v))).collect();
        let mut scalars = self.scalars();
        let mut elements = Vec::new();
        for j in 0..columns {
            for i in 0..rows {
                let mut args = from.iter().map(|(dims, list)| list[expanded(*dims, i, j)]);
                if matches!(op, Op::Fill(_)) {
                    elements.extend(args.next());
                    continue;
                }
                let mut scalar = op.clone();
                scalar.for_each_operand_mut(&mut |v| *v = args.next().unwrap_or(*v));
                elements.push(scalars.emit(scalar, class));
            }
        }
        elements
    }

    fn concat(&mut self, axis: usize, parts: &[Value], columns: usize) -> Vec<Value> {
        let parts: Vec<([usize; 2], Vec<Value>)> =
            parts.iter().map(|v| (shape(self.func.ty(*v)).unwrap_or([1, 1]), self.elements_of(*v))).collect();
        if axis == 1 {
            return parts.into_iter().flat_map(|(_, list)| list).collect();
        }
        let column = |j: usize| parts.iter().flat_map(move |([r, _], list)| list[j * r..(j + 1) * r].iter().copied());
        (0..columns).flat_map(column).collect()
    }

    /// Elements of an array, small or not.
    fn part(&mut self, array: Value, subs: &[Sub]) -> Vec<Value> {
        if let Some(dims) = shape(self.func.ty(array))
            && let Some(places) = self.known.selected(dims, subs)
        {
            let elements = self.elements_of(array);
            return places.into_iter().map(|p| elements[p]).collect();
        }
        let ty = self.func.ty(array).clone();
        let mut scalars = self.scalars();
        places(&mut scalars, subs, &ty.dims)
            .into_iter()
            .map(|subs| scalars.emit(Op::Index { array, subs, checked: false }, ty.class))
            .collect()
    }

    fn reduce(&mut self, op: ReduceOp, array: Value, axes: &[usize]) -> Vec<Value> {
        let ty = self.func.ty(array).clone();
        let elements = self.elements_of(array);
        let [rows, columns] = shape(&ty).unwrap_or([1, 1]);
        let groups: Vec<Vec<Value>> = match (axes.contains(&0), axes.contains(&1)) {
            (true, true) => vec![elements],
            (true, false) => elements.chunks(rows).map(<[Value]>::to_vec).collect(),
            (false, true) => (0..rows).map(|i| (0..columns).map(|j| elements[j * rows + i]).collect()).collect(),
            (false, false) => elements.into_iter().map(|e| vec![e]).collect(),
        };
        let class = typing::reduced_class(op, ty.class);
        let mut scalars = self.scalars();
        groups.iter().map(|group| scalars.combined(op, group, class)).collect()
    }

    /// A matrix product, added up in order.
    fn product(&mut self, factors: &[Value], [rows, columns]: [usize; 2]) -> Vec<Value> {
        let class = self.func.ty(factors[0]).class;
        let [a, b] = [0, 1].map(|k| self.elements_of(factors[k]));
        let inner = a.len() / rows;
        let mut scalars = self.scalars();
        let mut elements = Vec::new();
        for j in 0..columns {
            for i in 0..rows {
                let mut sum = None;
                for k in 0..inner {
                    let term = scalars.emit(Op::Binary(Binary::Mul, a[k * rows + i], b[j * inner + k]), class);
                    sum = Some(sum.map_or(term, |s| scalars.emit(Op::Binary(Binary::Add, s, term), class)));
                }
                elements.extend(sum.map(|sum| scalars.started_at_zero(sum, class)));
            }
        }
        elements
    }

    /// A statement whose result is a scalar or stays an array. One that only names an element goes.
    fn kept(&mut self, mut stmt: Stmt) {
        stmt.op.regions_mut().into_iter().for_each(|body| self.rename_in(body));
        let mut uses = false;
        stmt.op.for_each_operand(&mut |v| uses |= self.elements.contains_key(&v));
        if !uses {
            self.out.push(stmt);
            return;
        }
        let elements = match stmt.op.clone() {
            Op::Index { array, subs, .. } => self.part(array, &subs),
            Op::Reshape(a) => self.elements_of(a),
            Op::Reduce(op, array, axes) => self.reduce(op, array, &axes),
            Op::Lib(Lib::MatMul, factors) => self.product(&factors, [1, 1]),
            Op::Store { array, subs, value, .. } => {
                self.store(&mut stmt, array, &subs, value);
                self.out.push(stmt);
                return;
            }
            _ => Vec::new(),
        };
        if let ([result], [element]) = (&stmt.results[..], &elements[..]) {
            self.renamed.insert(*result, *element);
        }
    }

    /// The body of a kernel, which uses scalars of the function around it.
    fn rename_in(&self, region: &mut Region) {
        region.map_regions(&mut |region| {
            for stmt in &mut region.stmts {
                stmt.op.for_each_operand_mut(&mut |v| *v = self.current(*v));
            }
            region.term.values_mut().iter_mut().for_each(|v| *v = self.current(*v));
        });
    }

    /// Elements stored one by one into an array that stays; the last store is the statement itself.
    fn store(&mut self, stmt: &mut Stmt, mut array: Value, subs: &[Sub], value: Value) {
        let new = self.elements_of(value);
        let ty = self.func.ty(array).clone();
        let mut scalars = self.scalars();
        let places = places(&mut scalars, subs, &ty.dims);
        let last = places.len() - 1;
        for (k, subs) in places.into_iter().enumerate() {
            let op = Op::Store { array, subs, value: new[k], checked: false };
            if k == last {
                stmt.op = op;
            } else {
                array = self.func.new_value(ty.clone());
                self.out.push(Stmt { results: vec![array], op, loc: stmt.loc });
            }
        }
    }
}

/// The subscripts of the single elements that subscripts select, columns first.
fn places(scalars: &mut Scalars<'_>, subs: &[Sub], dims: &[Size]) -> Vec<Vec<Sub>> {
    let mut all = vec![Vec::new()];
    for (sub, dim) in subs.iter().zip(dims) {
        let along: Vec<Sub> = match sub {
            Sub::At(v) => vec![Sub::At(*v)],
            Sub::All => (0..count(dim).unwrap_or(0) as i64)
                .map(|k| Sub::At(scalars.emit(Op::Const(Const::Int(k)), Class::Index)))
                .collect(),
            Sub::Range { start, step, len } => (0..count(len).unwrap_or(0) as i64)
                .map(|k| {
                    let shift = scalars.emit(Op::Const(Const::Int(k * step)), Class::Index);
                    Sub::At(scalars.emit(Op::Binary(Binary::Add, *start, shift), Class::Index))
                })
                .collect(),
            Sub::Vector(_) => Vec::new(),
        };
        all = along.iter().flat_map(|a| all.iter().map(|s| [s.as_slice(), std::slice::from_ref(a)].concat())).collect();
    }
    all
}
