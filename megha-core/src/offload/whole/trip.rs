//! Ranges of loops, and loops with a condition that count.

use crate::ir::{Binary, Op, Size, Unary, Value};
use crate::offload::ast::{
    Adaptor, BinaryOp, Block, Child, Expr, ExprKind, Ident, Place, Scalar, SpanId, Stmt, StmtKind,
};
use crate::offload::lower::Lower;
use crate::offload::statements::Course;

impl Lower<'_> {
    /// What a loop over a range goes through.
    pub(in crate::offload) fn course(
        &mut self,
        range: (&Expr, &Expr),
        inclusive: bool,
        adaptors: &[Adaptor],
    ) -> Course {
        let of = self.types.scalar(range.0.span);
        let (from, to) = (self.expr(range.0), self.expr(range.1));
        let trip = self.trip((from, to), of, inclusive);
        let mut course = Course { trip, first: from, step: self.whole(Size::constant(1)) };
        for adaptor in adaptors {
            match adaptor {
                Adaptor::Rev => self.reverse(&mut course),
                Adaptor::StepBy(by) => {
                    let by = self.expr(by);
                    self.step_by(&mut course, by);
                }
                Adaptor::Take(count) => {
                    let count = self.count(count);
                    course.trip = self.smaller(course.trip, count);
                }
                Adaptor::Skip(count) => {
                    let count = self.count(count);
                    let count = self.smaller(count, course.trip);
                    course.first = self.nth(&course, count);
                    course.trip = self.whole_binary(BinaryOp::Sub, course.trip, count, Scalar::I64);
                }
            }
        }
        course
    }

    /// The number of a range that comes after so many others.
    pub(in crate::offload) fn nth(&mut self, course: &Course, at: Value) -> Value {
        let constant = |lower: &Self, value| lower.known_size(value).and_then(Size::as_constant);
        let moved = match constant(self, course.step) {
            Some(1) => at,
            _ => self.whole_binary(BinaryOp::Mul, course.step, at, Scalar::I64),
        };
        match constant(self, course.first) {
            Some(0) => moved,
            _ => self.whole_binary(BinaryOp::Add, course.first, moved, Scalar::I64),
        }
    }

    fn reverse(&mut self, course: &mut Course) {
        let (zero, one) = (self.whole(Size::constant(0)), self.whole(Size::constant(1)));
        let last = self.whole_binary(BinaryOp::Sub, course.trip, one, Scalar::I64);
        course.first = self.nth(course, last);
        course.step = self.whole_binary(BinaryOp::Sub, zero, course.step, Scalar::I64);
    }

    fn step_by(&mut self, course: &mut Course, by: Value) {
        let known = self.known_size(by).and_then(Size::as_constant);
        let by = match known {
            Some(1) => return,
            Some(2..) => by,
            _ => {
                let (zero, one) = (self.int(0), self.int(1));
                let is_step = self.logic(Binary::Ne, by, zero);
                self.builder.effect(Op::Assert(is_step, "assertion failed: step != 0".into()));
                // A step from 2^63 on leaves any range.
                let (most, is_large) = (self.int(i64::MAX), self.logic(Binary::Lt, by, zero));
                let size = self.known_size(by).cloned();
                let tested = self.select(is_step, by, one);
                let tested = self.select(is_large, most, tested);
                if let Some(size) = size.filter(|_| self.is_natural(by)) {
                    self.steps(course, tested, Some(size));
                    return;
                }
                tested
            }
        };
        let size = self.known_size(by).cloned();
        self.steps(course, by, size);
    }

    /// Takes each so manieth number; as a size if it is one.
    fn steps(&mut self, course: &mut Course, by: Value, size: Option<Size>) {
        course.trip = self.rounded_up(course.trip, by);
        let step = size.map_or(by, |size| self.whole(size));
        course.step = self.whole_binary(BinaryOp::Mul, course.step, step, Scalar::I64);
    }

    /// A number of iterations divided by a positive number, rounded up; none stays none.
    fn rounded_up(&mut self, trip: Value, by: Value) -> Value {
        if let (Some(size), Some(by)) =
            (self.known_size(trip).cloned(), self.known_size(by).and_then(Size::as_constant))
        {
            let symbols = &self.builder.func.symbols;
            let decided = symbols.is_made_of(&size, &|v| self.parameters.contains_key(&v));
            if decided {
                let size =
                    if symbols.never_negative(&size) { size } else { self.extremum(true, Size::constant(0), size) };
                let quotient = self.floor_quotient(size.add_const(by - 1), by);
                return self.whole(quotient);
            }
        }
        let (zero, one) = (self.int(0), self.int(1));
        let before = self.index(Binary::Sub, trip, one);
        let quotient = self.index(Binary::Div, before, by);
        let count = self.index(Binary::Add, quotient, one);
        let count = self.index(Binary::Max, count, zero);
        self.symbol(count, "trip", vec![Size::constant(0)], Vec::new());
        count
    }

    /// A `usize` as a number with sign: one from 2^63 on is as large as can be.
    fn count(&mut self, count: &Expr) -> Value {
        let value = self.expr(count);
        if self.is_natural(value) {
            return value;
        }
        let (zero, most) = (self.int(0), self.int(i64::MAX));
        let is_large = self.logic(Binary::Lt, value, zero);
        self.select(is_large, most, value)
    }

    fn smaller(&mut self, a: Value, b: Value) -> Value {
        let zero = self.whole(Size::constant(0));
        let least = self.whole_extremum(false, a, b, Scalar::I64);
        self.whole_extremum(true, least, zero, Scalar::I64)
    }

    /// The number of iterations of `from..to`, or `from..=to`.
    fn trip(&mut self, (from, to): (Value, Value), of: Scalar, inclusive: bool) -> Value {
        let signed = !of.is_wide_unsigned() || self.is_natural_pair(from, to);
        if let (true, Some(size)) = (signed, self.polynomial(BinaryOp::Sub, (to, from), Scalar::I64)) {
            return self.whole(size.add_const(i64::from(inclusive)));
        }
        let op = if inclusive { BinaryOp::Le } else { BinaryOp::Lt };
        let any = self.whole_binary(op, from, to, of);
        let (zero, one) = (self.int(0), self.int(1));
        let mut count = self.index(Binary::Sub, to, from);
        if inclusive {
            count = self.index(Binary::Add, count, one);
        }
        let trip = self.select(any, count, zero);
        let ends = match inclusive {
            false => self.logic(Binary::Ge, trip, zero),
            // That of all numbers of 64 bits has a count of zero.
            true => {
                let (some, none) = (self.logic(Binary::Gt, trip, zero), self.unary(Unary::Not, any));
                self.logic(Binary::Or, some, none)
            }
        };
        let message = "a range of 2^63 or more numbers: an operand of a subtraction may have been too large";
        self.builder.effect(Op::Assert(ends, message.into()));
        // What the symbol says holds whether or not the test has been made.
        let trip = self.index(Binary::Max, trip, zero);
        self.symbol(trip, "trip", vec![Size::constant(0)], Vec::new());
        trip
    }

    /// `while i < end { ..; i += k; .. }` as a counted loop, if it surely is one.
    pub(in crate::offload) fn counting_loop(&mut self, cond: &Expr, body: &Block) -> bool {
        let Some(found) = self.counting(cond, body) else { return false };
        let (of, number) = (self.types.class(found.variable), found.variable);
        let (first, end) = (self.env[&number], self.expr(found.end));
        let natural = !of.is_wide_unsigned() || self.is_natural_pair(first, end);
        let (low, high) = if found.up { (first, end) } else { (end, first) };
        let Some(count) = self.polynomial(BinaryOp::Sub, (high, low), Scalar::I64).filter(|_| natural) else {
            return false;
        };
        // What the variable is at last must not leave its type, where it would begin anew.
        let past = found.by - i64::from(!found.inclusive);
        let beyond = self.known_size(end).map(|end| end.add_const(if found.up { past } else { -past }));
        if !beyond.is_some_and(|size| self.fits(&size, of)) {
            return false;
        }
        let count = self.whole(count.add_const(i64::from(found.inclusive)));
        let by = self.whole(Size::constant(found.by));
        let trip = if found.by == 1 { count } else { self.rounded_up(count, by) };
        let step = self.whole(Size::constant(if found.up { found.by } else { -found.by }));
        let course = Course { trip, first, step };
        let carried: Vec<usize> = self.carried(&[body]).into_iter().filter(|v| *v != number).collect();
        self.loop_over(&found.name, &course, &carried, |lower, counter| {
            lower.assign(number, counter);
            lower.block(body).1
        });
        let size = self.known_size(trip).cloned();
        let trip = match size {
            Some(size) if !self.builder.func.symbols.never_negative(&size) => {
                let size = self.extremum(true, Size::constant(0), size);
                self.whole(size)
            }
            _ => trip,
        };
        let last = self.nth(&course, trip);
        self.assign(number, last);
        true
    }

    fn counting<'a>(&self, cond: &'a Expr, body: &'a Block) -> Option<Counting<'a>> {
        let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
        let (variable, op, end) = match (&a.kind, &b.kind) {
            (ExprKind::Variable(_), _) if self.assigns(body, self.types.variable(a.span)) => (a, *op, b),
            (_, ExprKind::Variable(_)) => (b, super::mirrored(*op), a),
            _ => return None,
        };
        let number = self.types.variable(variable.span);
        let of = self.types.class(number);
        let mut steps = body.stmts.iter().filter_map(|stmt| self.step_of(stmt, number));
        let (name, up, by) = steps.next().filter(|_| of.is_whole())?;
        let elsewhere =
            body.stmts.iter().any(|stmt| self.step_of(stmt, number).is_none() && self.changes(stmt, number));
        let (inclusive, fits) = match (op, up) {
            (BinaryOp::Lt, true) => (false, true),
            (BinaryOp::Le, true) => (true, true),
            (BinaryOp::Gt, false) => (false, by == 1 || !of.is_unsigned()),
            (BinaryOp::Ge, false) => (true, !of.is_unsigned()),
            _ => (false, false),
        };
        let stays = self.is_fixed(end, &self.carried(&[body])) && self.env.contains_key(&number);
        let once = steps.next().is_none() && !elsewhere && !may_leave(body, 0);
        (fits && stays && once).then(|| Counting { name: name.text.clone(), variable: number, end, up, inclusive, by })
    }

    /// The step of `i += k` or `i -= k`.
    fn step_of<'a>(&self, stmt: &'a Stmt, number: usize) -> Option<(&'a Ident, bool, i64)> {
        let StmtKind::Assign { place: Place::Variable(name), op: Some(op), value } = &stmt.kind else { return None };
        let ExprKind::Int(by @ 1..=0xffff_ffff, _) = value.kind else { return None };
        let up = match op {
            BinaryOp::Add => true,
            BinaryOp::Sub => false,
            _ => return None,
        };
        (self.types.variable(name.span) == number).then_some((name, up, by as i64))
    }

    fn changes(&self, stmt: &Stmt, number: usize) -> bool {
        self.assigns(&Block { stmts: vec![stmt.clone()], value: None }, number)
    }

    /// Whether an expression has one value while these variables change.
    fn is_fixed(&self, expr: &Expr, changing: &[usize]) -> bool {
        let mut fixed = match &expr.kind {
            ExprKind::Int(..) | ExprKind::Extent { .. } | ExprKind::Cast(..) => true,
            ExprKind::Variable(_) => !changing.contains(&self.types.variable(expr.span)),
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
            ExprKind::Float(..) | ExprKind::Bool(_) | ExprKind::Element { .. } | ExprKind::Neg(_) => false,
            ExprKind::Not(_) | ExprKind::Method { .. } | ExprKind::If(..) | ExprKind::Block(_) => false,
            ExprKind::Never | ExprKind::Neutral(_) | ExprKind::Complex(..) | ExprKind::Part(..) => false,
            ExprKind::Typed(..) => true,
        };
        expr.children(&mut |child| {
            fixed &= matches!(child, Child::Expr(expr) if self.is_fixed(expr, changing));
        });
        fixed
    }

    /// Makes two extents equal, by a condition of the entry. Where the arguments do not decide it, nothing could be done in a call that has
    /// begun: arrays of other shapes are repeated, cut off or a panic, as the method has it.
    pub(in crate::offload) fn alike(&mut self, a: &Expr, b: &Expr) {
        let at = a.span;
        let (a, b) = (self.expr(a), self.expr(b));
        let (Some(x), Some(y)) = (self.known_size(a).cloned(), self.known_size(b).cloned()) else {
            return self.undecided(at);
        };
        if x == y {
            return;
        }
        let made = |size: &Size| self.builder.func.symbols.is_made_of(size, &|v| self.parameters.contains_key(&v));
        if made(&x) && made(&y) {
            self.entry.extend([x.sub(&y), y.sub(&x)]);
            for (this, other) in [(&x, &y), (&y, &x)] {
                if let Some(sym) = this.as_sym() {
                    let data = self.builder.func.symbols.get_mut(sym);
                    data.at_least.push(other.clone());
                    data.at_most.push(other.clone());
                }
            }
            return;
        }
        self.undecided(at);
    }

    fn undecided(&mut self, at: SpanId) {
        let message = "whether these arrays have one shape is known only when this is reached".to_owned();
        self.refuse(at, message, "write the loops over the elements out");
    }
}

/// A loop with a condition that counts.
struct Counting<'a> {
    name: String,
    variable: usize,
    end: &'a Expr,
    up: bool,
    inclusive: bool,
    by: i64,
}

/// Whether something in a loop's body, so many loops further in, leaves the loop or an iteration of it.
fn may_leave(block: &Block, depth: u32) -> bool {
    block.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break(out) | StmtKind::Continue(out) => *out >= depth,
        StmtKind::Return(_) => true,
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => may_leave(body, depth + 1),
        StmtKind::If { then, els, .. } => may_leave(then, depth) || may_leave(els, depth),
        StmtKind::Block(block) => may_leave(block, depth),
        StmtKind::Let { .. } | StmtKind::LetArray { .. } | StmtKind::Assign { .. } => false,
        StmtKind::Assert { .. } | StmtKind::Alike(..) | StmtKind::Swap(..) => false,
    })
}
