//! The loop AST executed plainly, as Rust does in a release build: whole numbers wrap, a subscript out of bounds is a panic.
//!
//! Types are those of the values; a literal without a suffix has the type that is wanted at its place. So nothing of the compiler
//! has a part in this.

mod number;
mod record;

pub use number::{Number, float, whole};
pub use record::Record;

use megha_core::offload::ast::{BinaryOp, Block, Expr, ExprKind, Function, Ident, Place, Scalar, Stmt, StmtKind};
use record::{Source, Turn, Turns};
use std::rc::Rc;

/// An array, columns first.
#[derive(Debug, Clone)]
pub struct Array {
    pub class: Scalar,
    pub dims: Vec<usize>,
    pub elements: Vec<Number>,
}

/// What a function is called with.
#[derive(Debug, Clone)]
pub enum Argument {
    Number(Number),
    Array(Array),
}

/// How far to run.
pub struct Limits {
    /// Statements and iterations.
    pub steps: u64,
    /// Whether accesses are recorded.
    pub record: bool,
}

/// Why a run did not come to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// A panic.
    OutOfBounds,
    /// The limit was reached.
    Steps,
}

/// A run that came to its end.
pub struct Ran {
    /// The arguments afterwards.
    pub arguments: Vec<Argument>,
    /// The value.
    pub result: Option<Number>,
    /// Whether a whole number wrapped, which is a panic in a debug build.
    pub wrapped: bool,
    /// What was accessed.
    pub record: Record,
}

type Run<T> = Result<T, End>;

/// Calls a function.
///
/// # Errors
/// See [`End`].
pub fn run(function: &Function, arguments: Vec<Argument>, limits: &Limits) -> Run<Ran> {
    let turns: Turns = Rc::from([]);
    let names = function.params.iter().map(|p| p.name.text.as_str());
    let slot = |(name, argument)| match argument {
        Argument::Number(number) => {
            Slot { name, held: Held::Number(Value { number, source: 0 }), written: Rc::clone(&turns) }
        }
        Argument::Array(array) => Slot { name, held: Held::Array(array), written: Rc::clone(&turns) },
    };
    let scope = names.zip(arguments).map(slot).collect();
    let mut machine = Machine {
        scope,
        turns,
        control: 0,
        steps: limits.steps,
        runs: 0,
        wrapped: false,
        recording: limits.record,
        record: Record::default(),
    };
    let value = machine.block(&function.body, function.results.first().copied())?;
    let result = value.map(|value| {
        machine.record.matters(value.source);
        value.number
    });
    let params = machine.scope.into_iter().take(function.params.len());
    let arguments = params.map(|slot| match slot.held {
        Held::Number(value) => Argument::Number(value.number),
        Held::Array(array) => Argument::Array(array),
    });
    Ok(Ran { arguments: arguments.collect(), result, wrapped: machine.wrapped, record: machine.record })
}

/// What functions have that the generator does not make.
fn made_by_nobody() -> ! {
    unreachable!("the generator makes none")
}

#[derive(Clone, Copy)]
struct Value {
    number: Number,
    source: Source,
}

enum Held {
    Number(Value),
    Array(Array),
}

struct Slot<'f> {
    name: &'f str,
    held: Held,
    /// The iterations in which it was written.
    written: Turns,
}

struct Machine<'f> {
    scope: Vec<Slot<'f>>,
    turns: Turns,
    /// The source of the conditions around the current place.
    control: Source,
    steps: u64,
    runs: u32,
    wrapped: bool,
    recording: bool,
    record: Record,
}

impl<'f> Machine<'f> {
    fn step(&mut self) -> Run<()> {
        self.steps = self.steps.checked_sub(1).ok_or(End::Steps)?;
        Ok(())
    }

    fn find(&self, name: &str) -> usize {
        self.scope.iter().rposition(|slot| slot.name == name).unwrap_or_else(|| unreachable!("no variable {name}"))
    }

    fn declare(&mut self, name: &'f str, value: Value) {
        let source = self.record.join(value.source, self.control);
        let held = Held::Number(Value { source, ..value });
        self.scope.push(Slot { name, held, written: Rc::clone(&self.turns) });
    }

    fn block(&mut self, block: &'f Block, want: Option<Scalar>) -> Run<Option<Value>> {
        let depth = self.scope.len();
        for stmt in &block.stmts {
            self.stmt(stmt)?;
        }
        let value = block.value.as_ref().map(|value| self.expr(value, want)).transpose()?;
        self.scope.truncate(depth);
        Ok(value)
    }

    fn stmt(&mut self, stmt: &'f Stmt) -> Run<()> {
        self.step()?;
        match &stmt.kind {
            StmtKind::Let { name, ty, value, .. } => {
                let Some(value) = value else { unreachable!("a `let` has a value") };
                let value = self.expr(value, *ty)?;
                self.declare(&name.text, value);
            }
            StmtKind::Assign { place: Place::Variable(name), op, value } => self.assign(name, *op, value)?,
            StmtKind::Assign { place: Place::Element { array, subs }, op, value } => {
                self.store(array, subs, *op, value)?
            }
            StmtKind::For { variable, from, to, inclusive, body, .. } => {
                let control = self.control;
                let range = self.range(from, to, *inclusive)?;
                self.looped(stmt, variable, range, body)?;
                self.control = control;
            }
            StmtKind::If { cond, then, els } => {
                let control = self.control;
                let taken = if self.decides(cond)? { then } else { els };
                self.block(taken, None)?;
                self.control = control;
            }
            StmtKind::Block(block) => drop(self.block(block, None)?),
            StmtKind::LetArray { .. } | StmtKind::While { .. } | StmtKind::Break(_) | StmtKind::Continue(_) => {
                made_by_nobody()
            }
            StmtKind::Return(_) | StmtKind::Assert { .. } | StmtKind::Alike(..) | StmtKind::Swap(..) => {
                made_by_nobody()
            }
        }
        Ok(())
    }

    /// Whether a condition holds, on which what follows depends.
    fn decides(&mut self, cond: &'f Expr) -> Run<bool> {
        let value = self.expr(cond, Some(Scalar::Bool))?;
        self.control = self.record.join(self.control, value.source);
        Ok(value.number == Number::Bool(true))
    }

    fn assign(&mut self, name: &'f Ident, op: Option<BinaryOp>, value: &'f Expr) -> Run<()> {
        let at = self.find(&name.text);
        let Held::Number(before) = self.scope[at].held else { unreachable!("an array is assigned to") };
        let mut value = self.expr(value, Some(before.number.scalar()))?;
        if let Some(op) = op {
            let before = self.read(at);
            value = self.operate(op, before, value);
        }
        value.source = self.record.join(value.source, self.control);
        self.scope[at].held = Held::Number(value);
        self.scope[at].written = Rc::clone(&self.turns);
        Ok(())
    }

    fn read(&mut self, at: usize) -> Value {
        let slot = &self.scope[at];
        let Held::Number(value) = slot.held else { unreachable!("an array as a number") };
        if self.recording {
            self.record.read_scalar(&slot.written, &self.turns);
        }
        value
    }

    fn store(&mut self, array: &'f Ident, subs: &'f [Expr], op: Option<BinaryOp>, value: &'f Expr) -> Run<()> {
        let number = self.find(&array.text);
        let class = self.array(number).class;
        let mut value = self.expr(value, Some(class))?;
        let at = self.offset(number, subs)?;
        if let Some(op) = op {
            let before = self.load(number, at);
            value = self.operate(op, before, value);
        }
        if self.recording {
            self.record.matters(value.source);
            self.record.matters(self.control);
            self.record.store(number, at, &self.turns);
            self.record.made.insert(array.span);
        }
        let Held::Array(array) = &mut self.scope[number].held else { unreachable!("a number as an array") };
        array.elements[at] = value.number;
        Ok(())
    }

    fn array(&self, number: usize) -> &Array {
        match &self.scope[number].held {
            Held::Array(array) => array,
            Held::Number(_) => unreachable!("a number as an array"),
        }
    }

    fn load(&mut self, number: usize, at: usize) -> Value {
        let source = if self.recording { self.record.load(number, at, &self.turns) } else { 0 };
        Value { number: self.array(number).elements[at], source }
    }

    /// The number of an element, columns first.
    fn offset(&mut self, number: usize, subs: &'f [Expr]) -> Run<usize> {
        let mut list = Vec::with_capacity(subs.len());
        for sub in subs {
            let sub = self.expr(sub, Some(Scalar::Usize))?;
            self.record.matters(sub.source);
            list.push(sub.number.wide() as usize);
        }
        let dims = &self.array(number).dims;
        let mut offset = 0;
        for (at, dim) in list.iter().zip(dims).rev() {
            if at >= dim {
                return Err(End::OutOfBounds);
            }
            offset = offset * dim + at;
        }
        Ok(offset)
    }

    fn range(&mut self, from: &'f Expr, to: &'f Expr, inclusive: bool) -> Run<(i128, i128, Scalar)> {
        let (first, end) = self.alike(from, to, None)?;
        for source in [first.source, end.source] {
            self.control = self.record.join(self.control, source);
        }
        Ok((first.number.wide(), end.number.wide() + i128::from(inclusive), first.number.scalar()))
    }

    fn looped(
        &mut self,
        stmt: &Stmt,
        variable: &'f Ident,
        (from, to, scalar): (i128, i128, Scalar),
        body: &'f Block,
    ) -> Run<()> {
        self.runs += 1;
        let (run, outer) = (self.runs, Rc::clone(&self.turns));
        if to - from > 1 {
            self.record.repeated.insert(stmt.span);
        }
        for (number, iteration) in (from..to).zip(0..) {
            self.step()?;
            let turn = Turn { run, span: stmt.span, iteration };
            self.turns = outer.iter().copied().chain([turn]).collect();
            self.declare(&variable.text, Value { number: whole(number, scalar), source: 0 });
            self.block(body, None)?;
            self.scope.pop();
        }
        self.turns = outer;
        Ok(())
    }

    fn expr(&mut self, expr: &'f Expr, want: Option<Scalar>) -> Run<Value> {
        let known = |number| Ok(Value { number, source: 0 });
        match &expr.kind {
            ExprKind::Float(x, _, suffix) => known(float(*x, suffix.or(want).unwrap_or(Scalar::F64))),
            ExprKind::Int(x, suffix) => known(whole(*x, suffix.or(want).unwrap_or(Scalar::I64))),
            ExprKind::Bool(x) => known(Number::Bool(*x)),
            ExprKind::Variable(name) => {
                let at = self.find(name);
                Ok(self.read(at))
            }
            ExprKind::Element { array, subs } => {
                let number = self.find(&array.text);
                let at = self.offset(number, subs)?;
                if self.recording {
                    self.record.made.insert(array.span);
                }
                Ok(self.load(number, at))
            }
            ExprKind::Extent { array, axis } => {
                let dims = &self.array(self.find(&array.text)).dims;
                known(Number::Usize(axis.map_or_else(|| dims.iter().product(), |axis| dims[axis])))
            }
            ExprKind::Neg(operand) => {
                let value = self.expr(operand, want)?;
                let (number, wrapped) = value.number.negative();
                self.wrapped |= wrapped;
                Ok(Value { number, ..value })
            }
            ExprKind::Not(operand) => {
                let value = self.expr(operand, Some(Scalar::Bool))?;
                Ok(Value { number: Number::Bool(value.number == Number::Bool(false)), ..value })
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => self.logical(*op, a, b),
            ExprKind::Binary(op, a, b) => {
                let want = want.filter(|_| !op.is_comparison());
                let (a, b) = self.alike(a, b, want)?;
                Ok(self.operate(*op, a, b))
            }
            ExprKind::Method { receiver, method, args } => {
                let receiver = self.expr(receiver, want)?;
                let mut source = receiver.source;
                let mut numbers = Vec::with_capacity(args.len());
                for arg in args {
                    let arg = self.expr(arg, Some(receiver.number.scalar()))?;
                    source = self.record.join(source, arg.source);
                    numbers.push(arg.number);
                }
                let (number, wrapped) = receiver.number.method(&method.text, &numbers);
                self.wrapped |= wrapped;
                Ok(Value { number, source })
            }
            ExprKind::Cast(operand, to) => {
                let value = self.expr(operand, None)?;
                Ok(Value { number: value.number.cast(*to), ..value })
            }
            ExprKind::If(cond, then, els) => {
                let cond = self.expr(cond, Some(Scalar::Bool))?;
                let taken = if cond.number == Number::Bool(true) { then } else { els };
                let value = self.block(taken, want)?;
                let Some(value) = value else { unreachable!("a branch has a value") };
                let source = self.record.join(value.source, cond.source);
                Ok(Value { source, ..value })
            }
            ExprKind::Block(_)
            | ExprKind::Never
            | ExprKind::Neutral(_)
            | ExprKind::Typed(..)
            | ExprKind::Complex(..)
            | ExprKind::Part(..) => made_by_nobody(),
        }
    }

    /// Two values of one type, of which a literal takes that of the other.
    fn alike(&mut self, a: &'f Expr, b: &'f Expr, want: Option<Scalar>) -> Run<(Value, Value)> {
        if matches!(a.kind, ExprKind::Int(_, None) | ExprKind::Float(_, _, None)) {
            let b = self.expr(b, want)?;
            return Ok((self.expr(a, Some(b.number.scalar()))?, b));
        }
        let a = self.expr(a, want)?;
        Ok((a, self.expr(b, Some(a.number.scalar()))?))
    }

    fn logical(&mut self, op: BinaryOp, a: &'f Expr, b: &'f Expr) -> Run<Value> {
        let a = self.expr(a, Some(Scalar::Bool))?;
        if a.number == Number::Bool(op == BinaryOp::Or) {
            return Ok(a);
        }
        let b = self.expr(b, Some(Scalar::Bool))?;
        let source = self.record.join(a.source, b.source);
        Ok(Value { number: b.number, source })
    }

    fn operate(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let (number, wrapped) = a.number.binary(op, b.number);
        self.wrapped |= wrapped;
        Value { number, source: self.record.join(a.source, b.source) }
    }
}
