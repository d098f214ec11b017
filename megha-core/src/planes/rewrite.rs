//! Replaces the arrays by their planes.

use super::candidates::{combines, plane_of};
use super::{axis_of, plane_type};
use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Binary, Class, Const, Func, Kernel, Loc, Mem, Op, Out, ReduceOp, Region, Stmt, Sub, Terminator, Type, Value,
};

/// The walk that replaces arrays.
pub(super) struct Rewrite<'r> {
    func: &'r mut Func,
    known: &'r HashMap<Value, i64>,
    parted: &'r HashSet<Value>,
    /// The planes of each array that is replaced.
    planes: HashMap<Value, Vec<Value>>,
    /// Values that are planes.
    renamed: HashMap<Value, Value>,
    /// For each loop around the place, which of its carried values are replaced.
    loops: Vec<Vec<bool>>,
    /// The new statements of the region, up to the place.
    out: Vec<Stmt>,
    /// Where the current statement comes from.
    loc: Loc,
    next_kernel: u32,
}

impl<'r> Rewrite<'r> {
    pub fn new(func: &'r mut Func, known: &'r HashMap<Value, i64>, parted: &'r HashSet<Value>) -> Self {
        Self {
            func,
            known,
            parted,
            planes: HashMap::default(),
            renamed: HashMap::default(),
            loops: Vec::new(),
            out: Vec::new(),
            loc: Loc::NONE,
            next_kernel: 0,
        }
    }

    /// The function's body.
    pub fn body(&mut self, body: Region) -> Region {
        self.next_kernel = body.free_kernel_id();
        self.region(body, &[])
    }

    /// A region whose `Yield` gives, at the places in `parted`, planes in place of arrays.
    fn region(&mut self, mut region: Region, parted: &[bool]) -> Region {
        let outer = (std::mem::take(&mut self.out), self.loc);
        for stmt in std::mem::take(&mut region.stmts) {
            self.loc = stmt.loc;
            self.stmt(stmt);
        }
        region.term = match region.term {
            Terminator::Yield(values) => Terminator::Yield(self.spread(&values, parted)),
            Terminator::Break(d, values) => Terminator::Break(d, self.spread(&values, &self.carried(d))),
            Terminator::Continue(d, values) => Terminator::Continue(d, self.spread(&values, &self.carried(d))),
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

    /// The values with the planes of those that are replaced.
    fn spread(&self, values: &[Value], parted: &[bool]) -> Vec<Value> {
        let mut all = Vec::new();
        for (at, value) in values.iter().enumerate() {
            match (parted.get(at), self.planes.get(value)) {
                (Some(true), Some(planes)) => all.extend(planes),
                _ => all.push(self.current(*value)),
            }
        }
        all
    }

    fn current(&self, value: Value) -> Value {
        *self.renamed.get(&value).unwrap_or(&value)
    }

    fn stmt(&mut self, mut stmt: Stmt) {
        stmt.op.for_each_operand_mut(&mut |v| *v = self.current(*v));
        match stmt.op {
            Op::If { cond, then, els } => {
                let parted: Vec<bool> = stmt.results.iter().map(|r| self.parted.contains(r)).collect();
                let (then, els) = (Box::new(self.region(*then, &parted)), Box::new(self.region(*els, &parted)));
                let (results, after) = self.results(&stmt.results, &parted);
                self.out.push(Stmt { results, op: Op::If { cond, then, els }, loc: self.loc });
                self.out.extend(after);
            }
            Op::For { trip, init, mut body } => {
                let parted: Vec<bool> = body.params[1..].iter().map(|p| self.parted.contains(p)).collect();
                let init = self.initial(&init, &parted);
                body.params = self.params(&body.params);
                let body = Box::new(self.loop_body(*body, &parted));
                let (results, after) = self.results(&stmt.results, &parted);
                self.out.push(Stmt { results, op: Op::For { trip, init, body }, loc: self.loc });
                self.out.extend(after);
            }
            Op::While { init, mut cond, mut body } => {
                let parted: Vec<bool> = body.params.iter().map(|p| self.parted.contains(p)).collect();
                let init = self.initial(&init, &parted);
                (cond.params, body.params) = (self.params(&cond.params), self.params(&body.params));
                let cond = Box::new(self.region(*cond, &[]));
                let body = Box::new(self.loop_body(*body, &parted));
                let (results, after) = self.results(&stmt.results, &parted);
                self.out.push(Stmt { results, op: Op::While { init, cond, body }, loc: self.loc });
                self.out.extend(after);
            }
            _ => self.plain(stmt),
        }
    }

    fn loop_body(&mut self, body: Region, parted: &[bool]) -> Region {
        self.loops.push(parted.to_vec());
        let body = self.region(body, parted);
        self.loops.pop();
        body
    }

    /// A statement without regions, or a kernel.
    fn plain(&mut self, mut stmt: Stmt) {
        let result = stmt.results.first().copied();
        let new = match (&stmt.op, result) {
            (Op::Index { array, subs, checked }, Some(result)) if self.planes.contains_key(array) => {
                self.taken(*array, subs, *checked, result).map(|plane| self.renamed.insert(result, plane));
                return;
            }
            (Op::Reduce(how, array, _), Some(result))
                if self.planes.contains_key(array) && combines(self.func, &stmt.op) =>
            {
                return self.combined(*how, *array, result);
            }
            (Op::Store { array, subs, value, checked }, Some(result)) if self.parted.contains(&result) => {
                self.stored(*array, subs, *value, *checked)
            }
            (Op::Fill(number), Some(result)) if self.parted.contains(&result) => {
                let (ty, count) = self.plane(result);
                let number = *number;
                Some((0..count).map(|_| self.emit(Op::Fill(number), ty.clone())).collect())
            }
            _ => None,
        };
        match (new, result) {
            (Some(planes), Some(result)) => _ = self.planes.insert(result, planes),
            _ => {
                stmt.op.regions_mut().into_iter().for_each(|body| self.rename_in(body));
                self.out.push(stmt);
            }
        }
    }

    /// The type and number of an array's planes.
    fn plane(&self, array: Value) -> (Type, usize) {
        let ty = self.func.ty(array);
        let (axis, count) = axis_of(ty).unwrap_or((0, 0));
        (plane_type(ty, axis), count)
    }

    fn emit(&mut self, op: Op, ty: Type) -> Value {
        let result = self.func.new_value(ty);
        self.out.push(Stmt { results: vec![result], op, loc: self.loc });
        result
    }

    fn int(&mut self, number: i64) -> Value {
        self.emit(Op::Const(Const::Int(number)), Type::scalar(Class::Index))
    }

    /// Subscripts of a plane in place of those of its array.
    fn within(&mut self, array: Value, subs: &[Sub]) -> Vec<Sub> {
        let ty = self.func.ty(array);
        let (axis, rank) = (axis_of(ty).map_or(0, |(axis, _)| axis), plane_rank(ty));
        let mut subs = subs.to_vec();
        subs[axis] = Sub::At(self.int(0));
        subs.truncate(rank);
        subs
    }

    /// What an index expression takes of a plane: the plane, which is given, or a statement for the result.
    fn taken(&mut self, array: Value, subs: &[Sub], checked: bool, result: Value) -> Option<Value> {
        let plane = self.planes[&array][plane_of(self.func, self.known, array, subs)?];
        if self.is_whole(array, subs) && self.func.ty(plane) == self.func.ty(result) {
            return Some(plane);
        }
        let subs = self.within(array, subs);
        self.out.push(Stmt { results: vec![result], op: Op::Index { array: plane, subs, checked }, loc: self.loc });
        None
    }

    /// Whether subscripts stand for a whole plane.
    fn is_whole(&self, array: Value, subs: &[Sub]) -> bool {
        let axis = axis_of(self.func.ty(array)).map(|(axis, _)| axis);
        subs.iter().enumerate().all(|(at, sub)| Some(at) == axis || *sub == Sub::All)
    }

    fn stored(&mut self, array: Value, subs: &[Sub], value: Value, checked: bool) -> Option<Vec<Value>> {
        let number = plane_of(self.func, self.known, array, subs)?;
        let mut planes = self.planes.get(&array)?.clone();
        let ty = self.func.ty(planes[number]).clone();
        let given = self.func.ty(value);
        planes[number] = if self.is_whole(array, subs) && *given == ty {
            value
        } else if self.is_whole(array, subs) && given.is_scalar() && given.class == ty.class {
            self.emit(Op::Fill(value), ty)
        } else {
            let subs = self.within(array, subs);
            self.emit(Op::Store { array: planes[number], subs, value, checked }, ty)
        };
        Some(planes)
    }

    /// The planes combined one after the other; a sum begins at +0, so that of negative zeros it is +0.
    fn combined(&mut self, how: ReduceOp, array: Value, result: Value) {
        let (ty, _) = self.plane(array);
        let planes = self.planes[&array].clone();
        let mut all = planes[0];
        for plane in &planes[1..] {
            all = self.emit(Op::Binary(how.binary(), all, *plane), ty.clone());
        }
        if how == ReduceOp::Sum && ty.class.is_float() {
            let zero = self.emit(Op::Const(Const::Float(0.0)), Type::scalar(ty.class));
            all = self.emit(Op::Binary(Binary::Add, zero, all), ty.clone());
        }
        if *self.func.ty(result) == ty {
            self.renamed.insert(result, all);
        } else {
            self.out.push(Stmt { results: vec![result], op: Op::Reshape(all), loc: self.loc });
        }
    }

    /// The first values of what a loop carries; what is whole before it is taken apart, for this loop alone: it is whole in other branches too.
    fn initial(&mut self, init: &[Value], parted: &[bool]) -> Vec<Value> {
        let mut all = Vec::new();
        for (value, parted) in init.iter().zip(parted) {
            match self.planes.get(value) {
                _ if !parted => all.push(self.current(*value)),
                Some(planes) => all.extend(planes),
                None => all.extend(self.taken_apart(*value)),
            }
        }
        all
    }

    /// The planes of an array that is whole so far.
    fn taken_apart(&mut self, value: Value) -> Vec<Value> {
        let ((ty, count), full) = (self.plane(value), self.func.ty(value).clone());
        let (axis, array) = (axis_of(&full).map_or(0, |(axis, _)| axis), self.current(value));
        let plane = |number| {
            let mut subs = vec![Sub::All; full.dims.len()];
            subs[axis] = Sub::At(self.int(number));
            self.emit(Op::Index { array, subs, checked: false }, ty.clone())
        };
        (0..count as i64).map(plane).collect()
    }

    fn new_planes(&mut self, array: Value) -> Vec<Value> {
        let (ty, count) = self.plane(array);
        let name = self.func.names[array.index()].clone();
        let planes: Vec<Value> = (0..count).map(|_| self.func.new_value(ty.clone())).collect();
        for (plane, number) in planes.iter().zip(1..) {
            self.func.names[plane.index()] = name.as_ref().map(|name| format!("{name}({number})"));
        }
        planes
    }

    fn params(&mut self, params: &[Value]) -> Vec<Value> {
        let mut all = Vec::new();
        for param in params {
            if !self.parted.contains(param) {
                all.push(*param);
                continue;
            }
            let planes = self.new_planes(*param);
            all.extend(&planes);
            self.planes.insert(*param, planes);
        }
        all
    }

    /// Results with planes in place of arrays, and the statements that put together what is needed whole.
    fn results(&mut self, results: &[Value], parted: &[bool]) -> (Vec<Value>, Vec<Stmt>) {
        let (mut all, mut after) = (Vec::new(), Vec::new());
        for (result, parted) in results.iter().zip(parted) {
            if !parted {
                all.push(*result);
                continue;
            }
            let planes = self.new_planes(*result);
            all.extend(&planes);
            if self.parted.contains(result) {
                self.planes.insert(*result, planes);
            } else {
                after.push(self.joined(&planes, *result));
            }
        }
        (all, after)
    }

    /// One kernel that stores the elements of all planes.
    fn joined(&mut self, planes: &[Value], result: Value) -> Stmt {
        let (full, loc) = (self.func.ty(result).clone(), self.loc);
        let axis = axis_of(&full).map_or(0, |(axis, _)| axis);
        let outer = std::mem::take(&mut self.out);
        let (mut domain, mut params, mut subs) = (Vec::new(), Vec::new(), Vec::new());
        for (at, dim) in full.dims.iter().enumerate() {
            if at == axis || dim.is_one() {
                subs.push(self.int(0));
                continue;
            }
            let number = self.func.new_value(Type::scalar(Class::Index));
            domain.push(dim.clone());
            params.push(number);
            subs.push(number);
        }
        for (plane, number) in planes.iter().zip(0..) {
            let mut own = subs.clone();
            own.truncate(plane_rank(&full));
            let element = self.emit(Op::Load(Mem::In(*plane), own), Type::scalar(full.class));
            let mut whole = subs.clone();
            whole[axis] = self.int(number);
            self.out.push(Stmt { results: Vec::new(), op: Op::Put(0, whole, element), loc });
        }
        let stmts = std::mem::replace(&mut self.out, outer);
        let body = Region { params, stmts, term: Terminator::Yield(Vec::new()) };
        let kernel = Kernel { id: self.next_kernel, domain, outs: vec![Out::Fresh], body };
        self.next_kernel += 1;
        Stmt { results: vec![result], op: Op::Kernel(Box::new(kernel)), loc }
    }

    /// The body of a kernel, which uses values of the function around it.
    fn rename_in(&self, region: &mut Region) {
        region.map_regions(&mut |region| {
            for stmt in &mut region.stmts {
                stmt.op.for_each_operand_mut(&mut |v| *v = self.current(*v));
            }
            region.term.values_mut().iter_mut().for_each(|v| *v = self.current(*v));
        });
    }
}

/// How many dimensions the planes of an array have.
fn plane_rank(ty: &Type) -> usize {
    axis_of(ty).map_or(0, |(axis, _)| plane_type(ty, axis).dims.len())
}
