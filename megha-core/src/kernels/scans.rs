//! Running sums, products and extremes as kernels, so that they run wherever kernels do; the order of additions is that of
//! [`megha_base::scan`].
//!
//! A line along the scanned dimension is a loop inside an iteration of a kernel, so many lines are many iterations. Sums of
//! floating-point numbers, and extremes, are cut into runs, which are iterations of their own: one kernel adds up the whole runs, a second makes
//! carries of these totals, a third the running sums of each run on its carry. A line that is shorter than a run has no whole
//! one, so the first two kernels have no iterations and are not launched. Where the length is a small constant one kernel goes through the runs.

use super::body::{Body, Defs};
use crate::ir::size::{SymData, SymDef};
use crate::ir::{
    Binary, Class, Const, Func, Kernel, Mem, Op, Out, ReduceOp, Region, Size, Stmt, Terminator, Type, Value,
};
use megha_base::scan::RUN;

/// A run as a number of elements.
const LENGTH: i64 = RUN as i64;

/// The length up to which, if it is a constant, one kernel goes through the runs of a line.
const SHORT: i64 = 4 * LENGTH;

/// Makes kernels of all running sums, products and extremes of a function.
pub fn run(func: &mut Func) {
    let defs = Defs::of(func);
    let mut body = std::mem::take(&mut func.body);
    let next_id = body.free_kernel_id();
    let mut scans = Scans { func, defs: &defs, next_id };
    body.rewrite(&mut |stmt, out| match stmt.op {
        Op::Scan(op, array, axis) => {
            let scan = Scan { op, array, axis, ty: scans.func.ty(array).clone() };
            scans.replace(&scan, &stmt, out);
        }
        _ => out.push(stmt),
    });
    func.body = body;
}

struct Scans<'f> {
    func: &'f mut Func,
    defs: &'f Defs,
    next_id: u32,
}

impl Scans<'_> {
    /// Kernels in the place of a statement.
    fn replace(&mut self, scan: &Scan, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let result = stmt.results[0];
        let length = scan.ty.dim(scan.axis);
        let in_runs = match scan.op {
            ReduceOp::Sum => scan.ty.class.is_float(),
            op => op != ReduceOp::Prod,
        };
        let constant = length.as_constant();
        if !in_runs || constant.is_some_and(|length| length <= LENGTH) {
            out.push(self.kernel(stmt, result, &scan.one(), |body, subs| scan.line(body, subs)));
            return;
        }
        if let Some(length) = constant.filter(|length| *length <= SHORT) {
            out.push(self.kernel(stmt, result, &scan.one(), |body, subs| scan.line_of_runs(body, subs, length)));
            return;
        }
        let run = Size::constant(LENGTH);
        let [whole, longest] = match constant {
            Some(length) => [Size::constant(length / LENGTH), run],
            None => {
                [SymDef::FloorDiv(length.clone(), run.clone()), SymDef::Min(length, run)].map(|def| self.symbol(def))
            }
        };
        let ty = scan.along(&whole);
        let [totals, carries] = [(); 2].map(|()| self.func.new_value(ty.clone()));
        out.push(self.kernel(stmt, totals, &ty.dims, |body, subs| scan.total(body, subs)));
        let of_totals = Scan { array: totals, ty, ..*scan };
        // a line without whole runs is no iteration
        let some = match whole.as_constant() {
            Some(_) => Size::constant(1),
            None => self.symbol(SymDef::Min(whole.clone(), Size::constant(1))),
        };
        let lines = scan.along(&some).dims;
        out.push(self.kernel(stmt, carries, &lines, |body, subs| of_totals.line(body, subs)));
        let runs = scan.along(&whole.add_const(1)).dims;
        out.push(self.kernel(stmt, result, &runs, |body, subs| scan.run(body, subs, carries, &longest)));
    }

    /// A size of this definition.
    fn symbol(&mut self, def: SymDef) -> Size {
        let symbols = &mut self.func.symbols;
        let free = |name: &String| symbols.by_name(name).is_none();
        let name = (symbols.len()..).map(|number| format!("run{number}")).find(free).unwrap_or_default();
        Size::sym(symbols.define(SymData { name, def, at_least: vec![Size::default()], at_most: Vec::new() }))
    }

    /// A kernel that makes `result`, with iterations over `dims`; the body is given subscripts for each of them.
    fn kernel(
        &mut self,
        stmt: &Stmt,
        result: Value,
        dims: &[Size],
        write: impl FnOnce(&mut Body<'_>, &[Value]),
    ) -> Stmt {
        let mut body = Body::new(self.func, self.defs, stmt.loc);
        // Here, because what is first asked for inside a loop is known there only.
        let zero = body.int(0);
        let (mut domain, mut params, mut subs) = (Vec::new(), Vec::new(), Vec::new());
        for size in dims {
            if size.is_one() {
                subs.push(zero);
                continue;
            }
            let number = body.func.new_value(Type::scalar(Class::Index));
            domain.push(size.clone());
            params.push(number);
            subs.push(number);
        }
        if domain.is_empty() {
            // A single line. Kernels have at least one loop.
            domain.push(Size::constant(1));
            params.push(body.func.new_value(Type::scalar(Class::Index)));
        }
        write(&mut body, &subs);
        let body = Region { params, stmts: body.stmts, term: Terminator::Yield(Vec::new()) };
        let kernel = Kernel { id: self.next_id, domain, outs: vec![Out::Fresh], body };
        self.next_id += 1;
        Stmt { results: vec![result], op: Op::Kernel(Box::new(kernel)), loc: stmt.loc }
    }
}

/// A running sum, product or extreme of an array of this type.
struct Scan {
    op: ReduceOp,
    array: Value,
    axis: usize,
    ty: Type,
}

/// Elements of a line: the first, and how many.
type Stretch = (Value, Value);

impl Scan {
    /// The type with another size along the axis.
    fn along(&self, size: &Size) -> Type {
        let mut ty = self.ty.clone();
        ty.dims[self.axis] = size.clone();
        ty
    }

    /// The lines.
    fn one(&self) -> Vec<Size> {
        self.along(&Size::constant(1)).dims
    }

    /// A line in order.
    fn line(&self, body: &mut Body<'_>, subs: &[Value]) {
        let length = size(body, self.ty.dim(self.axis));
        let first = body.int(0);
        self.sums(body, subs, (first, length), &mut |body, subs, sum| body.effect(Op::Put(0, subs, sum)));
    }

    /// The runs of a line, one after the other.
    fn line_of_runs(&self, body: &mut Body<'_>, subs: &[Value], length: i64) {
        let runs = body.int((length + LENGTH - 1) / LENGTH);
        let start = self.start(body);
        repeat(body, runs, start, |body, run, carry| {
            let stretch = self.stretch(body, run, &Size::constant(LENGTH));
            let total = self.sums_on(body, subs, stretch, carry);
            body.push(Op::Binary(self.op.binary(), carry, total), self.ty.class)
        });
    }

    /// What a whole run comes to.
    fn total(&self, body: &mut Body<'_>, subs: &[Value]) {
        let length = body.int(LENGTH);
        let first = body.push(Op::Binary(Binary::Mul, subs[self.axis], length), Class::Index);
        let total = self.sums(body, subs, (first, length), &mut |_, _, _| {});
        body.effect(Op::Put(0, subs.to_vec(), total));
    }

    /// The running sums of a run, which may be the last and shorter one, on its carry.
    fn run(&self, body: &mut Body<'_>, subs: &[Value], carries: Value, longest: &Size) {
        let (run, zero) = (subs[self.axis], body.int(0));
        let start = self.start(body);
        let later = body.push(Op::Binary(Binary::Gt, run, zero), Class::Logical);
        let outside = std::mem::take(&mut body.stmts);
        let one = body.int(1);
        let mut before = subs.to_vec();
        before[self.axis] = body.push(Op::Binary(Binary::Sub, run, one), Class::Index);
        let carry = body.push(Op::Load(Mem::In(carries), before), self.ty.class);
        let stmts = std::mem::replace(&mut body.stmts, outside);
        let arm = |stmts, value| Box::new(Region { params: Vec::new(), stmts, term: Terminator::Yield(vec![value]) });
        let either = Op::If { cond: later, then: arm(stmts, carry), els: arm(Vec::new(), start) };
        let carry = body.push(either, self.ty.class);
        let stretch = self.stretch(body, run, longest);
        self.sums_on(body, subs, stretch, carry);
    }

    /// Where a run of this number begins, and its length, which is that of the longest or what is left.
    fn stretch(&self, body: &mut Body<'_>, run: Value, longest: &Size) -> Stretch {
        let each = body.int(LENGTH);
        let first = body.push(Op::Binary(Binary::Mul, run, each), Class::Index);
        let longest = size(body, longest.clone());
        let length = size(body, self.ty.dim(self.axis));
        let left = body.push(Op::Binary(Binary::Sub, length, first), Class::Index);
        (first, body.push(Op::Binary(Binary::Min, left, longest), Class::Index))
    }

    /// Stores the running sums of a stretch on a carry; gives their total without it.
    fn sums_on(&self, body: &mut Body<'_>, subs: &[Value], stretch: Stretch, carry: Value) -> Value {
        self.sums(body, subs, stretch, &mut |body, subs, sum| {
            let sum = body.push(Op::Binary(self.op.binary(), carry, sum), self.ty.class);
            body.effect(Op::Put(0, subs, sum));
        })
    }

    /// Adds up a stretch; `each` is given the subscripts of every element and the sum up to there.
    fn sums(
        &self,
        body: &mut Body<'_>,
        subs: &[Value],
        (first, length): Stretch,
        each: &mut dyn FnMut(&mut Body<'_>, Vec<Value>, Value),
    ) -> Value {
        let start = self.start(body);
        let from_zero = first == body.int(0);
        repeat(body, length, start, |body, k, sum| {
            let mut subs = subs.to_vec();
            subs[self.axis] = if from_zero { k } else { body.push(Op::Binary(Binary::Add, first, k), Class::Index) };
            let element = body.element(self.array, &subs);
            let sum = body.push(Op::Binary(self.op.binary(), sum, element), self.ty.class);
            each(body, subs, sum);
            sum
        })
    }

    /// What combines with every number to that number: of floating-point sums it is the negative zero, of extremes NaN.
    fn start(&self, body: &mut Body<'_>) -> Value {
        let start = match (self.op, self.ty.class.is_float()) {
            (ReduceOp::Sum, true) => Const::Float(-0.0),
            (ReduceOp::Prod, true) => Const::Float(1.0),
            (_, true) => Const::Float(f64::NAN),
            (ReduceOp::Min, false) => return self.bound(body, f64::INFINITY),
            (ReduceOp::Max, false) => return self.bound(body, f64::NEG_INFINITY),
            (op, false) => Const::Int(i64::from(op != ReduceOp::Sum)),
        };
        body.push(Op::Const(start), self.ty.class)
    }

    /// The integer of the class that is nearest to an infinity.
    fn bound(&self, body: &mut Body<'_>, infinity: f64) -> Value {
        let infinity = body.push(Op::Const(Const::Float(infinity)), Class::Double);
        body.push(Op::Convert(infinity), self.ty.class)
    }
}

/// A size in a body.
fn size(body: &mut Body<'_>, size: Size) -> Value {
    match size.as_constant() {
        Some(size) => body.int(size),
        None => body.push(Op::Size(size), Class::Index),
    }
}

/// A loop that hands on one value from `start`; the body is given the number of the iteration and the value.
fn repeat(
    body: &mut Body<'_>,
    trip: Value,
    start: Value,
    write: impl FnOnce(&mut Body<'_>, Value, Value) -> Value,
) -> Value {
    let ty = body.func.ty(start).clone();
    let (number, carried) = (body.func.new_value(Type::scalar(Class::Index)), body.func.new_value(ty.clone()));
    let outside = std::mem::take(&mut body.stmts);
    let next = write(body, number, carried);
    let stmts = std::mem::replace(&mut body.stmts, outside);
    let region = Region { params: vec![number, carried], stmts, term: Terminator::Yield(vec![next]) };
    body.push(Op::For { trip, init: vec![start], body: Box::new(region) }, ty.class)
}
