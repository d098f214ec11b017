//! Kernels that walk along lines: an iteration has one loop, whose body is straight-line code that combines one value in order: one that the loop
//! carries, or an element of the iteration that it updates.
//!
//! Lines lie along memory if whatever the body reads or writes at its own iteration moves by one element with it. They lie side by side if it reads
//! neighbours in iterations of the kernel that follow each other (`y(i) = y(i) + a(i, j) * x(j)`, columns first): a thread for each would do, but there may be few.

use crate::hash::HashSet;

use super::access::Access;
use super::default::in_memory;
use super::levels::LoopId;
use super::order::{Memory, is_neighbouring, strides};
use super::subject::Subject;
use super::sweep::kept;
use crate::ir::{Binary, Class, Kind, Mem, Op, Out, ReduceOp, Region, Size, Stmt, Terminator, Value};

/// Where the carried value is before the first iteration.
#[derive(Debug, Clone, Copy)]
pub enum Start<'f> {
    /// It is a value.
    Value(Value),
    /// It is an element of this out-variable, which there is if the loop has iterations, and which takes the last value.
    Element(usize, &'f [Value]),
}

/// The loop of a kernel that walks along lines, one in each iteration.
pub struct Lines<'f> {
    /// The loop.
    pub stmt: &'f Stmt,
    /// Its iterations.
    pub trip: Value,
    /// How many these are at most, in all lines.
    pub longest: Size,
    /// The number of an iteration.
    pub number: Value,
    /// The carried value before the first iteration.
    pub start: Start<'f>,
    /// Whether lines lie along memory, and not side by side.
    pub along: bool,
    /// How it is combined with each term.
    pub op: ReduceOp,
    /// Its class.
    pub class: Class,
    /// What an iteration contributes,
    pub term: Value,
    /// and what that takes.
    pub before: Vec<&'f Stmt>,
    /// The carried value behind an iteration,
    pub next: Value,
    /// and what the body does with it: stores, and what these take.
    pub after: Vec<&'f Stmt>,
    /// What these take that differs between lines and is computed before the loop.
    pub outer: Vec<Value>,
}

impl<'f> Lines<'f> {
    /// The lines of a kernel along memory in this order; `None` if it does not walk along it.
    pub fn of(subject: &Subject<'f>, memory: Memory) -> Option<Self> {
        Self::in_tiles(subject, memory).filter(|lines| lines.along)
    }

    /// The lines of a kernel that lie side by side in this order.
    pub fn side_by_side(subject: &Subject<'f>, memory: Memory) -> Option<Self> {
        Self::in_tiles(subject, memory).filter(|lines| !lines.along)
    }

    /// The lines of a kernel that a block can walk along in tiles.
    pub fn in_tiles(subject: &Subject<'f>, memory: Memory) -> Option<Self> {
        let (mut lines, body) = Self::found(subject)?;
        lines.along = lines.moves_along(subject, body, memory);
        (lines.along || lines.are_neighbours(subject, body, memory)).then_some(lines)
    }

    /// The loop, whatever it reads, and its body.
    fn found(subject: &Subject<'f>) -> Option<(Self, &'f Region)> {
        let kernel = subject.kernel;
        let mut loops = kernel.body.stmts.iter().filter(|s| matches!(s.op, Op::For { .. }));
        let (Some(stmt), None) = (loops.next(), loops.next()) else { return None };
        let Op::For { trip, init, body } = &stmt.op else { return None };
        let mut others = kernel.body.stmts.iter().filter(|s| !std::ptr::eq(*s, stmt));
        let reduces = kernel.outs.iter().any(|out| matches!(out, Out::Reduce(..)));
        if reduces || !others.all(|s| is_plain(s, subject)) || !body.stmts.iter().all(is_straight) {
            return None;
        }
        let Carried { start, sum, next } = Carried::of(subject, init, body)?;
        let (op, term) = body.stmts.iter().find(|s| s.results == [next]).and_then(|s| combination(s, sum))?;
        let class = subject.func.ty(next).class;
        if matches!(class, Class::Logical | Class::Char | Class::Complex) {
            return None;
        }
        let is_start =
            |stmt: &&Stmt| matches!((&stmt.op, start), (Op::Put(out, ..), Start::Element(own, _)) if *out == own);
        let mut lines = Lines {
            stmt,
            trip: *trip,
            longest: subject.maps.trips(*trip)?,
            number: body.params[0],
            start,
            along: false,
            op,
            class,
            term,
            before: slice(body, &[term], next),
            next,
            after: effects(body, next).into_iter().filter(|stmt| !is_start(stmt)).collect(),
            outer: Vec::new(),
        };
        lines.outer = lines.differing(subject, body);
        let once = body.stmts.iter().flat_map(operands).filter(|v| *v == sum).count() == 1;
        (once && lines.stores_apart(&kernel.body)).then_some((lines, body))
    }

    /// Whether no two statements store into one array, so that it does not matter which of the threads is first.
    fn stores_apart(&self, region: &Region) -> bool {
        let mut stored = HashSet::default();
        let out = |stmt: &Stmt| if let Op::Put(out, ..) = &stmt.op { Some(*out) } else { None };
        if let Start::Element(out, _) = self.start {
            stored.insert(out);
        }
        region.stmts.iter().chain(self.after.iter().copied()).filter_map(out).all(|out| stored.insert(out))
    }

    /// What the parts of the loop take that is computed before it and not the same everywhere.
    fn differing(&self, subject: &Subject<'_>, body: &Region) -> Vec<Value> {
        let mut inside = HashSet::default();
        body.defined(&mut inside);
        let used = self.before.iter().chain(&self.after).flat_map(|s| operands(s)).chain([self.term]);
        let mut list: Vec<Value> = Vec::new();
        for value in used {
            let own = !inside.contains(&value) && !body.params.contains(&value);
            let differs = subject.maps.number(value).is_none() && !subject.maps.is_uniform(value);
            if own && differs && !list.contains(&value) {
                list.push(value);
            }
        }
        list
    }

    /// Whether the loop goes through neighbouring elements, and no element is read behind the iteration that writes it.
    fn moves_along(&self, subject: &Subject<'_>, body: &Region, memory: Memory) -> bool {
        let moving = moving(body, self.number);
        let mut along = 0;
        for stmt in self.before.iter().chain(&self.after) {
            let (mem, subs) = match &stmt.op {
                Op::Load(mem, subs) => (*mem, subs),
                Op::Put(out, subs, _) => (Mem::Out(*out), subs),
                _ => continue,
            };
            if matches!(stmt.op, Op::Load(..)) && !self.may_read(subject, body, (stmt, mem, subs)) {
                return false;
            }
            let strides = strides(&subject.ty(mem), memory);
            if subs.len() != strides.len() {
                return false;
            }
            let moved: Vec<usize> = (0..subs.len()).filter(|axis| moving.contains(&subs[*axis])).collect();
            match (&moved[..], &stmt.op) {
                ([], Op::Load(..)) => {}
                ([axis], _)
                    if strides[*axis].as_constant() == Some(1) && self.steps_by_one(body, &moving, subs[*axis]) =>
                {
                    along += 1;
                }
                _ => return false,
            }
        }
        along > 0
    }

    /// Whether the loop reads neighbours in iterations of the kernel that follow each other, stores nothing, and may read what it reads.
    fn are_neighbours(&self, subject: &Subject<'_>, body: &Region, memory: Memory) -> bool {
        let long = subject.kept_ids().into_iter().filter(|id| subject.is_long(id.0)).collect();
        let Some(LoopId(axis)) = in_memory(long, memory).last().copied() else { return false };
        let mut neighbours = 0;
        for stmt in &self.before {
            let Op::Load(mem, subs) = &stmt.op else { continue };
            let access = subject.accesses.iter().find(|access| std::ptr::eq(access.op, &stmt.op));
            let step = access.and_then(|access| access.step(axis));
            let dims = &subject.ty(*mem).dims;
            neighbours += usize::from(step.is_some_and(|step| is_neighbouring(&step, dims, memory)));
            if !self.may_read(subject, body, (stmt, *mem, subs)) {
                return false;
            }
        }
        neighbours > 0 && self.after.is_empty()
    }

    /// Whether neighbours along a loop of the domain touch the same elements in the loop, or some that lie side by side: a warp that has a line for each of its threads
    /// asks for few sectors.
    pub fn are_read_together(&self, subject: &Subject<'_>, memory: Memory, axis: usize) -> bool {
        let is_together = |access: &Access<'_>| {
            let step = access.step(axis).unwrap_or_default();
            let is_same = !step.is_empty() && step.iter().all(|by| *by == 0);
            is_same || is_neighbouring(&step, &subject.ty(access.mem).dims, memory)
        };
        let inside = self.before.iter().chain(&self.after);
        let accesses = inside.filter(|stmt| matches!(stmt.op, Op::Load(..) | Op::Put(..)));
        let access = |stmt: &&Stmt| subject.accesses.iter().find(|access| std::ptr::eq(access.op, &stmt.op));
        accesses.map(access).all(|access| access.is_some_and(is_together))
    }

    /// Whether a subscript is the iteration's number plus what stands still.
    fn steps_by_one(&self, body: &Region, moving: &HashSet<Value>, sub: Value) -> bool {
        let definition = body.stmts.iter().find(|s| s.results == [sub]).map(|s| &s.op);
        sub == self.number
            || matches!(definition, Some(Op::Binary(Binary::Add, a, b))
                if (*a == self.number && !moving.contains(b)) || (*b == self.number && !moving.contains(a)))
    }

    /// Whether an array that is read is written by nobody, or only where and after it is read, in the same iteration. What is stored before the loop one thread of a
    /// block stores, and the others do not wait for it.
    fn may_read(&self, subject: &Subject<'_>, body: &Region, (stmt, mem, subs): (&Stmt, Mem, &[Value])) -> bool {
        let out = match mem {
            Mem::In(value) => return subject.is_constant(value),
            Mem::Out(out) => out,
        };
        let outside = &subject.kernel.body.stmts;
        if outside.iter().any(|other| matches!(&other.op, Op::Put(to, ..) if *to == out)) {
            return false;
        }
        let mut before = true;
        body.stmts.iter().all(|other| {
            before &= !std::ptr::eq(other, stmt);
            !matches!(&other.op, Op::Put(to, at, _) if *to == out && (before || at != subs))
        })
    }
}

/// What a loop hands from an iteration to the next.
struct Carried<'f> {
    start: Start<'f>,
    /// In an iteration before it is combined,
    sum: Value,
    /// and behind that.
    next: Value,
}

impl<'f> Carried<'f> {
    fn of(subject: &Subject<'f>, init: &[Value], body: &'f Region) -> Option<Self> {
        let Terminator::Yield(yielded) = &body.term else { return None };
        if let ([init], [_, sum], [next]) = (init, &body.params[..], &yielded[..]) {
            return Some(Self { start: Start::Value(*init), sum: *sum, next: *next });
        }
        let ([], [Mem::Out(out)]) = (init, &kept(&subject.maps, &subject.accesses, body)[..]) else { return None };
        let mut loads = body.stmts.iter().filter(|s| matches!(&s.op, Op::Load(Mem::Out(from), _) if from == out));
        let mut puts = body.stmts.iter().filter(|s| matches!(&s.op, Op::Put(to, ..) if to == out));
        let (Some(load), None, Some(put), None) = (loads.next(), loads.next(), puts.next(), puts.next()) else {
            return None;
        };
        let Op::Put(_, subs, next) = &put.op else { return None };
        let mut inside = HashSet::default();
        body.defined(&mut inside);
        let known = subs.iter().all(|sub| !inside.contains(sub) && !body.params.contains(sub));
        known.then_some(Self { start: Start::Element(*out, subs), sum: load.results[0], next: *next })
    }
}

fn operands(stmt: &Stmt) -> Vec<Value> {
    let mut list = Vec::new();
    stmt.op.for_each_operand(&mut |value| list.push(value));
    list
}

/// What a statement combines with the carried value.
fn combination(stmt: &Stmt, sum: Value) -> Option<(ReduceOp, Value)> {
    let Op::Binary(op, a, b) = stmt.op else { return None };
    let op = match op {
        Binary::Add => ReduceOp::Sum,
        Binary::Mul => ReduceOp::Prod,
        Binary::Min => ReduceOp::Min,
        Binary::Max => ReduceOp::Max,
        _ => return None,
    };
    (a == sum && b != sum).then_some((op, b))
}

/// The statements that values take, in order, up to a value that is there.
fn slice<'f>(body: &'f Region, values: &[Value], known: Value) -> Vec<&'f Stmt> {
    let mut needed: HashSet<Value> = values.iter().copied().collect();
    let mut list = Vec::new();
    for stmt in body.stmts.iter().rev() {
        if stmt.results.iter().any(|r| *r != known && needed.contains(r)) {
            needed.extend(operands(stmt));
            list.push(stmt);
        }
    }
    list.reverse();
    list
}

/// The stores of a loop's body and what these take, in order, up to a value that is there.
fn effects(body: &Region, known: Value) -> Vec<&Stmt> {
    let is_put = |stmt: &&Stmt| matches!(stmt.op, Op::Put(..));
    let stored: Vec<Value> = body.stmts.iter().filter(is_put).flat_map(operands).collect();
    let needed = slice(body, &stored, known);
    body.stmts.iter().filter(|s| is_put(s) || needed.iter().any(|n| std::ptr::eq(*n, *s))).collect()
}

/// The values of the body that its number goes into.
fn moving(body: &Region, number: Value) -> HashSet<Value> {
    let mut all = HashSet::from_iter([number]);
    for stmt in &body.stmts {
        if operands(stmt).iter().any(|v| all.contains(v)) {
            all.extend(&stmt.results);
        }
    }
    all
}

/// Whether a statement computes, reads or writes and does nothing else.
fn is_straight(stmt: &Stmt) -> bool {
    stmt.op.kind() == Kind::Elementwise || matches!(stmt.op, Op::Const(_) | Op::Size(_) | Op::Load(..) | Op::Put(..))
}

/// Whether a statement outside of the loop may be executed by several threads: it reads only what nobody writes, and cannot fail.
fn is_plain(stmt: &Stmt, subject: &Subject<'_>) -> bool {
    match &stmt.op {
        Op::If { then, els, .. } => [then, els].into_iter().all(|arm| {
            let stores = arm.stmts.iter().any(|s| matches!(s.op, Op::Put(..)));
            let yields = matches!(arm.term, Terminator::Yield(_));
            !stores && yields && arm.stmts.iter().all(|s| is_plain(s, subject))
        }),
        Op::Load(Mem::In(value), _) => subject.is_constant(*value),
        Op::Load(Mem::Out(_), _) => false,
        _ => is_straight(stmt),
    }
}
