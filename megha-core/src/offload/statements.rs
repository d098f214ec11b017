//! Statements of the loop AST as IR.

use super::ast::{BinaryOp, Block, Expr, Ident, Place, Scalar, Stmt, StmtKind};
use super::lower::{Lower, loc, stored};
use crate::ir::{Class, Const, Op, Region, Size, Terminator, Type, Value};

/// How control leaves a block that does not run to its end.
pub(super) type Left = Option<Terminator>;

/// A range that a loop goes through: how often, from where, and by how much.
pub(super) struct Course {
    pub trip: Value,
    pub first: Value,
    pub step: Value,
}

impl Lower<'_> {
    /// The value of a block, and how control leaves it if it does.
    pub(super) fn block(&mut self, block: &Block) -> (Option<Value>, Left) {
        for stmt in &block.stmts {
            let left = self.stmt(stmt);
            if left.is_some() {
                return (None, left);
            }
        }
        (block.value.as_ref().map(|value| self.expr(value)), None)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Left {
        let outer = self.builder.set_loc(loc(stmt.span));
        let mut left = None;
        match &stmt.kind {
            StmtKind::Let { name, value, .. } => self.declaration(name, value.as_ref()),
            StmtKind::LetArray { name, dims, fill, .. } => self.local_array(name, dims, fill),
            StmtKind::Assign { place: Place::Variable(name), op, value } => self.assignment(name, *op, value),
            StmtKind::Assign { place: Place::Element { array, subs }, op, value } => {
                self.element_assignment((array, subs), *op, value);
            }
            StmtKind::For { variable, from, to, inclusive, adaptors, body } => {
                let course = self.course((from, to), *inclusive, adaptors);
                self.counted(variable, &course, body);
            }
            StmtKind::While { cond, body } => self.conditional_loop(cond, body),
            StmtKind::If { cond, then, els } => {
                let cond = self.expr(cond);
                left = self.branch(cond, then, els);
            }
            StmtKind::Block(block) => left = self.block(block).1,
            StmtKind::Break(depth) => left = Some(Terminator::Break(*depth, self.round(*depth))),
            StmtKind::Continue(depth) => left = Some(Terminator::Continue(*depth, self.round(*depth))),
            StmtKind::Return(values) => {
                let values = values.iter().map(|value| self.expr(value)).collect();
                left = Some(self.returned(values));
            }
            StmtKind::Assert { cond, message } => {
                let cond = self.expr(cond);
                self.builder.effect(Op::Assert(cond, message.clone().into()));
            }
            StmtKind::Alike(a, b) => self.alike(a, b),
            StmtKind::Swap(a, b) => self.swap(a, b),
        }
        self.builder.set_loc(outer);
        left
    }

    /// The values that go round the loop that is so many levels out.
    fn round(&self, depth: u32) -> Vec<Value> {
        let variables = self.loops.iter().rev().nth(depth as usize);
        variables.into_iter().flatten().map(|v| self.env[v]).collect()
    }

    fn declaration(&mut self, name: &Ident, value: Option<&Expr>) {
        let number = self.types.variable(name.span);
        let value = match value {
            Some(value) => self.expr(value),
            // It is assigned to before it is read.
            None => self.zero(self.types.class(number)),
        };
        self.assign(number, value);
    }

    /// A zero of a type.
    pub(super) fn zero(&mut self, scalar: Scalar) -> Value {
        match scalar {
            Scalar::Bool => self.scalar(Op::Const(Const::Bool(false)), Class::Logical),
            Scalar::C64 => {
                let zero = self.float(0.0, Scalar::F64);
                self.complex(zero, zero)
            }
            scalar if scalar.is_float() => self.float(0.0, scalar),
            _ => self.whole(Size::constant(0)),
        }
    }

    fn local_array(&mut self, name: &Ident, dims: &[Expr], fill: &Expr) {
        let number = self.types.variable(name.span);
        let dims: Vec<Size> = dims.iter().map(|size| self.size_of(size)).collect();
        let of = self.types.scalar(fill.span);
        let fill = self.expr(fill);
        let fill = self.stored_form(fill, of);
        let mut padded = dims.clone();
        padded.resize(dims.len().max(2), Size::constant(1));
        // An array of one element would be a number, which nothing can be stored into.
        if padded.iter().all(Size::is_one) {
            padded[0] = Size::constant(2);
        }
        let array = self.builder.push(Op::Fill(fill), Type::array(stored(of), padded));
        self.dims.insert(number, dims);
        self.assign(number, array);
    }

    /// The value of an expression as a size.
    fn size_of(&mut self, expr: &Expr) -> Size {
        let value = self.expr(expr);
        if let (true, Some(size)) = (self.is_natural(value), self.known_size(value)) {
            return size.clone();
        }
        let zero = self.whole(Size::constant(0));
        let is_natural = self.scalar(Op::Binary(crate::ir::Binary::Ge, value, zero), Class::Logical);
        self.builder.effect(Op::Assert(is_natural, "an array of 2^63 or more elements".into()));
        let value = self.scalar(Op::Binary(crate::ir::Binary::Max, value, zero), Class::Index);
        self.symbol(value, "size", vec![Size::constant(0)], Vec::new())
    }

    fn assignment(&mut self, name: &Ident, op: Option<BinaryOp>, value: &Expr) {
        let number = self.types.variable(name.span);
        let by = self.types.scalar(value.span);
        let mut value = self.expr(value);
        if let Some(op) = op {
            value = self.binary(op, (self.env[&number], value), (self.types.class(number), by));
        }
        self.assign(number, value);
    }

    fn element_assignment(&mut self, (array, subs): (&Ident, &[Expr]), op: Option<BinaryOp>, value: &Expr) {
        let by = self.types.scalar(value.span);
        let mut value = self.expr(value);
        let subs: Vec<Value> = subs.iter().map(|s| self.expr(s)).collect();
        if let Some(op) = op {
            let before = self.load(array, &subs);
            let of = self.types.class(self.types.variable(array.span));
            value = self.binary(op, (before, value), (of, by));
        }
        self.store(array, &subs, value);
    }

    pub(super) fn assign(&mut self, variable: usize, value: Value) {
        let name = self.types.variables()[variable].name.clone();
        self.name(value, &name);
        self.env.insert(variable, value);
    }

    fn counted(&mut self, variable: &Ident, course: &Course, body: &Block) {
        let number = self.types.variable(variable.span);
        let carried: Vec<usize> = self.carried(&[body]).into_iter().filter(|v| *v != number).collect();
        let shrinking = self.shrinking(body, &carried);
        self.loop_over(&variable.text, course, &carried, |lower, counter| {
            lower.assign(number, counter);
            lower.bound(&shrinking);
            lower.block(body).1
        });
        self.bound(&shrinking);
    }

    /// A loop over a range that carries these variables; `body` is given the number of the range.
    pub(super) fn loop_over(
        &mut self,
        name: &str,
        course: &Course,
        carried: &[usize],
        body: impl FnOnce(&mut Self, Value) -> Left,
    ) {
        let init: Vec<Value> = carried.iter().map(|v| self.env[v]).collect();
        let types: Vec<Type> = init.iter().map(|v| self.builder.func.ty(*v).clone()).collect();
        let params = self.builder.open([vec![Type::scalar(Class::Index)], types.clone()].concat());
        self.counters.insert(params[0]);
        let last = self.known_size(course.trip).map(|trip| trip.add_const(-1));
        let outside = self.reached.len();
        self.reached.extend(last.clone());
        self.symbol(params[0], name, vec![Size::constant(0)], last.into_iter().collect());
        for (variable, value) in carried.iter().zip(&params[1..]) {
            self.assign(*variable, *value);
        }
        let counter = self.nth(course, params[0]);
        self.loops.push(carried.to_vec());
        let left = body(self, counter);
        let next = left.unwrap_or_else(|| Terminator::Yield(self.round(0)));
        self.loops.pop();
        self.reached.truncate(outside);
        let body = Box::new(self.builder.close(next));
        self.join(Op::For { trip: course.trip, init, body }, types, carried);
    }

    fn conditional_loop(&mut self, cond: &Expr, body: &Block) {
        if self.counting_loop(cond, body) {
            return;
        }
        let carried = self.carried(&[body]);
        let shrinking = self.shrinking(body, &carried);
        let init: Vec<Value> = carried.iter().map(|v| self.env[v]).collect();
        let types: Vec<Type> = init.iter().map(|v| self.builder.func.ty(*v).clone()).collect();
        let enter = |lower: &mut Self| {
            let params = lower.builder.open(types.clone());
            for (variable, value) in carried.iter().zip(&params) {
                lower.assign(*variable, *value);
            }
            lower.bound(&shrinking);
        };
        enter(self);
        let holds = self.expr(cond);
        let cond = Box::new(self.builder.close(Terminator::Yield(vec![holds])));
        enter(self);
        self.loops.push(carried.clone());
        let left = self.block(body).1;
        let next = left.unwrap_or_else(|| Terminator::Yield(self.round(0)));
        self.loops.pop();
        let body = Box::new(self.builder.close(next));
        self.join(Op::While { init, cond, body }, types, &carried);
        self.bound(&shrinking);
    }

    fn join(&mut self, op: Op, types: Vec<Type>, variables: &[usize]) {
        let results = self.builder.push_many(op, types);
        for (variable, value) in variables.iter().zip(results) {
            self.assign(*variable, value);
        }
    }

    fn branch(&mut self, cond: Value, then: &Block, els: &Block) -> Left {
        let joined = self.carried(&[then, els]);
        let types = joined.iter().map(|v| self.builder.func.ty(self.env[v]).clone()).collect();
        let [then, els] = [then, els].map(|arm| self.arm(arm, &joined).0);
        let ends = [&then, &els].iter().all(|arm| !matches!(arm.term, Terminator::Yield(_)));
        self.join(Op::If { cond, then: Box::new(then), els: Box::new(els) }, types, &joined);
        ends.then_some(Terminator::Unreachable)
    }

    /// One arm of an `if` that yields these variables and then its value, whose class is given back.
    pub(super) fn arm(&mut self, block: &Block, joined: &[usize]) -> (Region, Option<Type>) {
        let before = self.env.clone();
        self.builder.open(Vec::new());
        let (value, left) = self.block(block);
        let yielded = joined.iter().map(|v| self.env[v]).chain(value).collect();
        let ty = value.map(|v| self.builder.func.ty(v).clone());
        self.env = before;
        (self.builder.close(left.unwrap_or(Terminator::Yield(yielded))), ty)
    }
}
