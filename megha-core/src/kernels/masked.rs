//! Loops that each point leaves when it likes, in a form in which many points go through them together.
//!
//! A sequential loop in a kernel with a `break`, or with a condition, runs as long as its point says, so code for vectors has nothing to
//! hold on to. If-conversion (Allen, Kennedy, Porterfield, Warren, "Conversion of Control Dependence to Data Dependence", POPL 1983) makes
//! what a `break` decides a value that the loop carries: a mark that is one while the point still goes round. What the loop carries for
//! something behind it changes only where the mark is one; what nothing behind it needs goes on changing, which saves a choice.
//!
//! ```text
//! for q = 1:200                            for q = 1:200, carrying a, c and mark = 1
//!   if a > 4, break; end                     go = mark ~= 0 & ~(a > 4)
//!   c = c + 1; a = a * a + b;        →       c' = select(go, c + 1, c); a' = a * a + b; mark' = select(go, 1, 0)
//! end                                        if ~go, break with these; end
//! ```
//!
//! Everything in the loop is then done by points that have left it too, if they go round with others. So it applies only where that is
//! neither noticed nor dear: arithmetic of floating-point numbers, comparisons, choices, sums of indices, and loads of elements that surely
//! exist; no stores, no loops inside, nothing that may fail or trap. A loop with a condition counts to a number that it does not reach. The last `if`
//! keeps the loop's meaning for one point alone. Whoever runs points together ([`crate::schedule::masked`]) leaves it out, and leaves the loop when no mark is
//! one. A kernel in which that cannot be, as the loop is not the same at all points but for the place where they leave it, stays as it is.

use super::dead::leaves;
use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Binary, Class, Const, Func, Kernel, Loc, Mem, Op, Out, Region, Size, Stmt, Terminator, Type, Unary, Value,
};
use crate::schedule::masked::ENDLESS;
use crate::schedule::{Subject, weight};

/// Converts the loops of a function's kernels.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    body.walk_mut(&mut |stmt| {
        if let Op::Kernel(kernel) = &stmt.op
            && let Some(masked) = converted(func, stmt, kernel)
        {
            *stmt = masked;
        }
    });
    func.body = body;
}

/// The kernel with the loops converted that points can go through together, if there are any.
fn converted(func: &mut Func, stmt: &Stmt, kernel: &Kernel) -> Option<Stmt> {
    if kernel.outs.iter().any(|out| matches!(out, Out::Reduce(..))) || !has_candidates(&kernel.body) {
        return None;
    }
    let mut used = HashSet::default();
    kernel.body.for_each_use(&mut |v| used.extend([v]));
    let outs = stmt.results.iter().map(|v| func.ty(*v).clone()).collect();
    let mut zeros = HashSet::default();
    kernel.body.walk(&mut |s| zeros.extend(s.results.iter().copied().filter(|_| s.op == Op::Const(Const::Int(0)))));
    let (domain, params) = (&kernel.domain, &kernel.body.params);
    let mut pass = Pass { func, domain, params, outs, zeros, used, made: Vec::new() };
    let mut kernel = kernel.clone();
    let guarded = kernel.guard().is_some();
    let region = match kernel.body.stmts.last_mut() {
        Some(Stmt { op: Op::If { then, .. }, .. }) if guarded => &mut **then,
        _ => &mut kernel.body,
    };
    pass.region(region);
    let made = std::mem::take(&mut pass.made);
    let masked = Stmt { op: Op::Kernel(Box::new(kernel)), ..stmt.clone() };
    let Op::Kernel(kernel) = &masked.op else { return None };
    let subject = Subject::of(func, &masked, kernel);
    let runs = |counter: &Value| subject.body_loops.iter().any(|l| l.counter == *counter && l.mark.is_some());
    (!made.is_empty() && made.iter().all(runs)).then_some(masked)
}

/// Whether there is a loop that a point leaves when it likes.
fn has_candidates(body: &Region) -> bool {
    body.any(|op| match op {
        Op::While { .. } => true,
        Op::For { body, .. } => leaves(body, 0),
        _ => false,
    })
}

struct Pass<'p> {
    func: &'p mut Func,
    domain: &'p [Size],
    params: &'p [Value],
    /// The types of the kernel's out-variables.
    outs: Vec<Type>,
    /// The constants 0 in it.
    zeros: HashSet<Value>,
    /// What something in the kernel uses.
    used: HashSet<Value>,
    /// The counters of the loops that were converted.
    made: Vec<Value>,
}

impl Pass<'_> {
    /// Converts the loops that stand directly in a region, or in counted loops there.
    fn region(&mut self, region: &mut Region) {
        for mut stmt in std::mem::take(&mut region.stmts) {
            if let Some(mut masked) = self.masked(&stmt) {
                region.stmts.append(&mut masked);
                continue;
            }
            if let Op::For { body, .. } = &mut stmt.op {
                self.region(body);
            }
            region.stmts.push(stmt);
        }
    }

    /// The loop with a mark, behind the constants that it takes.
    fn masked(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let (trip, init, cond, body) = match &stmt.op {
            Op::For { trip, init, body } if leaves(body, 0) => (Some(*trip), init, None, body),
            Op::While { init, cond, body } => (None, init, Some(cond), body),
            _ => return None,
        };
        let Terminator::Yield(next) = &body.term else { return None };
        let mut before = Code::new(stmt.loc);
        let (zero, one) = (before.int(self.func, 0), before.int(self.func, 1));
        let endless = trip.is_none().then(|| before.int(self.func, ENDLESS));
        let mark = self.func.new_value(Type::scalar(Class::Index));
        let mut params = body.params.clone();
        if trip.is_none() {
            params.insert(0, self.func.new_value(Type::scalar(Class::Index)));
        }
        let mut inside =
            Inside { code: Code::new(stmt.loc), go: mark, here: None, exits: Vec::new(), renamed: HashMap::default() };
        inside.go = inside.code.push(self.func, Op::Binary(Binary::Ne, mark, zero), Class::Logical);
        let was = inside.go;
        if let Some(cond) = cond {
            inside.renamed.extend(cond.params.iter().copied().zip(body.params.iter().copied()));
            self.stmts(&mut inside, cond)?;
            let holds = inside.new_name(*cond.term.values().first()?);
            let leaving = inside.code.push(self.func, Op::Unary(Unary::Not, holds), Class::Logical);
            inside.exit(self.func, leaving, body.params.clone(), true);
        }
        self.stmts(&mut inside, body)?;
        let mut last = Vec::new();
        for (at, value) in next.iter().enumerate() {
            let (value, old) = (inside.new_name(*value), params[at + 1]);
            let needed = self.used.contains(&stmt.results[at]);
            last.push(inside.last(self.func, at, value, (old, needed.then_some(was))));
        }
        let go = inside.go;
        last.push(inside.code.push(self.func, Op::Select(go, one, zero), Class::Index));
        inside.code.stmts.push(end(go, &last, stmt.loc));
        self.made.push(params[0]);
        params.push(mark);
        let mut results = stmt.results.clone();
        results.push(self.func.new_value(Type::scalar(Class::Index)));
        let init = init.iter().copied().chain([one]).collect();
        let body = Box::new(Region { params, stmts: inside.code.stmts, term: Terminator::Yield(last) });
        let trip = trip.or(endless)?;
        before.stmts.push(Stmt { results, op: Op::For { trip, init, body }, loc: stmt.loc });
        Some(before.stmts)
    }

    /// The statements of a region of the loop as straight-line code.
    fn stmts(&mut self, inside: &mut Inside, region: &Region) -> Option<()> {
        for stmt in &region.stmts {
            let mut stmt = stmt.clone();
            stmt.op.for_each_operand_mut(&mut |v| *v = inside.new_name(*v));
            match &stmt.op {
                Op::If { cond, then, els } => self.branch(inside, &stmt, *cond, [then, els])?,
                op if self.is_harmless(op, &stmt.results) => inside.code.stmts.push(stmt),
                _ => return None,
            }
        }
        Some(())
    }

    /// A choice, or a place where points leave the loop.
    fn branch(&mut self, inside: &mut Inside, stmt: &Stmt, cond: Value, arms: [&Region; 2]) -> Option<()> {
        let mut ends = Vec::new();
        for arm in arms {
            // Only the loop's own statements let points leave.
            if arm.stmts.iter().any(|s| s.op.regions().into_iter().any(|r| leaves(r, 0))) {
                return None;
            }
            self.stmts(inside, arm)?;
            ends.push(arm.term.values().iter().map(|v| inside.new_name(*v)).collect::<Vec<Value>>());
        }
        let els = ends.pop()?;
        let then = ends.pop()?;
        match arms.map(|arm| &arm.term) {
            [Terminator::Yield(_), Terminator::Yield(_)] => {
                for (result, (a, b)) in stmt.results.iter().zip(then.into_iter().zip(els)) {
                    inside.code.stmts.push(Stmt { results: vec![*result], op: Op::Select(cond, a, b), loc: stmt.loc });
                }
            }
            [Terminator::Break(0, _) | Terminator::Continue(0, _), Terminator::Yield(_)] => {
                inside.exit(self.func, cond, then, matches!(arms[0].term, Terminator::Break(..)));
                inside.renamed.extend(stmt.results.iter().copied().zip(els));
            }
            [Terminator::Yield(_), Terminator::Break(0, _) | Terminator::Continue(0, _)] => {
                let other = inside.code.push(self.func, Op::Unary(Unary::Not, cond), Class::Logical);
                inside.exit(self.func, other, els, matches!(arms[1].term, Terminator::Break(..)));
                inside.renamed.extend(stmt.results.iter().copied().zip(then));
            }
            _ => return None,
        }
        Some(())
    }

    fn is_harmless(&self, op: &Op, results: &[Value]) -> bool {
        match op {
            Op::Load(mem, subs) => is_plain(self.func, op, results) && self.exists(*mem, subs),
            op => is_harmless(self.func, op, results),
        }
    }

    /// Whether an array has the element that a point reads, whatever the loop does.
    fn exists(&self, mem: Mem, subs: &[Value]) -> bool {
        let ty = match mem {
            Mem::In(array) => self.func.ty(array),
            Mem::Out(out) => &self.outs[out],
        };
        let number = |sub: &Value| self.params.iter().position(|p| p == sub);
        let within = |(sub, size): (&Value, &Size)| match number(sub) {
            Some(axis) => self.domain[axis] == *size,
            None => size.is_one() && self.zeros.contains(sub),
        };
        match subs {
            [one] if ty.dims.len() > 1 => number(one).is_some_and(|axis| self.domain[axis] == ty.numel()),
            subs => subs.len() == ty.dims.len() && subs.iter().zip(&ty.dims).all(within),
        }
    }
}

/// The weight of the most costly operations that points may do in vain: divisions and roots.
const COSTLY: u32 = 6;

/// Whether points may do this in vain, at no great cost and whatever numbers they have. Loads are for others to judge.
pub(crate) fn is_harmless(func: &Func, op: &Op, results: &[Value]) -> bool {
    let class = |v: Value| func.ty(v).class;
    is_plain(func, op, results)
        && match op {
            Op::Const(_) | Op::Size(_) | Op::Select(..) | Op::Fma(..) | Op::Convert(_) => true,
            Op::Unary(_, a) => weight(op) <= COSTLY && class(*a) != Class::Index,
            Op::Binary(Binary::Mod | Binary::Rem | Binary::Divu | Binary::Remu, ..) => false,
            Op::Binary(Binary::Shl | Binary::Shr | Binary::Shru | Binary::Philox, ..) => false,
            Op::Binary(Binary::Div | Binary::Mul, a, _) => class(*a) != Class::Index,
            Op::Binary(..) => weight(op) <= COSTLY,
            _ => false,
        }
}

/// Whether an operation has to do with numbers of which lanes hold many.
fn is_plain(func: &Func, op: &Op, results: &[Value]) -> bool {
    let plain = |v: &Value| matches!(func.ty(*v).class, Class::Double | Class::Single | Class::Logical | Class::Index);
    let mut fits = results.iter().all(plain);
    op.for_each_operand(&mut |v| fits &= plain(&v));
    fits
}

/// The loop's end: a point for itself leaves here.
fn end(go: Value, last: &[Value], loc: Loc) -> Stmt {
    let region = |term| Box::new(Region { params: Vec::new(), stmts: Vec::new(), term });
    let (then, els) = (region(Terminator::Yield(Vec::new())), region(Terminator::Break(0, last.to_vec())));
    Stmt { results: Vec::new(), op: Op::If { cond: go, then, els }, loc }
}

/// Statements under construction.
struct Code {
    stmts: Vec<Stmt>,
    loc: Loc,
}

impl Code {
    fn new(loc: Loc) -> Self {
        Self { stmts: Vec::new(), loc }
    }

    fn push(&mut self, func: &mut Func, op: Op, class: Class) -> Value {
        let value = func.new_value(Type::scalar(class));
        self.stmts.push(Stmt { results: vec![value], op, loc: self.loc });
        value
    }

    fn int(&mut self, func: &mut Func, number: i64) -> Value {
        self.push(func, Op::Const(Const::Int(number)), Class::Index)
    }
}

/// A place where points leave an iteration.
struct Exit {
    /// Whether they do.
    given: Value,
    /// What the loop then gives, or carries on.
    values: Vec<Value>,
    /// Whether it is the loop that they leave.
    leaves: bool,
}

/// The body of a loop while it becomes straight-line code.
struct Inside {
    code: Code,
    /// Whether the point still goes round.
    go: Value,
    /// Whether the point is in this part of the iteration; if not said, wherever it still goes round.
    here: Option<Value>,
    /// Where points leave the iteration, in order.
    exits: Vec<Exit>,
    renamed: HashMap<Value, Value>,
}

impl Inside {
    fn new_name(&self, value: Value) -> Value {
        self.renamed.get(&value).copied().unwrap_or(value)
    }

    /// A place where points leave the loop, or go on with its next iteration.
    fn exit(&mut self, func: &mut Func, cond: Value, values: Vec<Value>, leaves: bool) {
        let given = match self.here {
            Some(here) => self.code.push(func, Op::Binary(Binary::And, here, cond), Class::Logical),
            None => cond,
        };
        let stays = self.code.push(func, Op::Unary(Unary::Not, given), Class::Logical);
        let mut but = |of: Value| self.code.push(func, Op::Binary(Binary::And, of, stays), Class::Logical);
        self.here = match self.here {
            Some(here) => Some(but(here)),
            None if leaves => None,
            None => Some(but(self.go)),
        };
        if leaves {
            self.go = but(self.go);
        }
        self.exits.push(Exit { given, values, leaves });
    }

    /// What a point carries on: the next value, or what it had when it left; where nothing needs that, whatever comes.
    fn last(&mut self, func: &mut Func, at: usize, next: Value, (old, was): (Value, Option<Value>)) -> Value {
        let class = func.ty(next).class;
        if was.is_some() && self.exits.iter().all(|exit| exit.leaves && exit.values[at] == old) {
            return self.code.push(func, Op::Select(self.go, next, old), class);
        }
        let mut value = next;
        for exit in self.exits.iter().rev().filter(|exit| was.is_some() || !exit.leaves) {
            value = self.code.push(func, Op::Select(exit.given, exit.values[at], value), class);
        }
        was.map_or(value, |was| self.code.push(func, Op::Select(was, value, old), class))
    }
}

#[cfg(test)]
mod tests;
