//! Statements and loops.

use super::{Array, Form, Generator, OTHER, Tidy, Variable};
use megha_core::offload::ast::{BinaryOp, Block, Expr, ExprKind, Place, Scalar, Stmt, StmtKind};

/// The names of loop variables, the outermost first.
const COUNTERS: [&str; 4] = ["i", "j", "k", "l"];

/// What a statement is to be.
#[derive(Clone, Copy)]
enum Kind {
    Store,
    Guarded,
    Let,
    Assign,
    If,
    For,
    Reduction,
    Block,
}

impl Generator {
    /// A loop nest with what has to stand before it.
    pub(super) fn nest(&mut self) -> Vec<Stmt> {
        let levels = self.random.weighted(&[(4, 1), (6, 2), (3, 3), (1, 4)]);
        let form = self.random.weighted(&[(8, Form::Same), (1, Form::Backwards), (1, Form::Even)]);
        let inner = self.random.chance(40);
        self.tidy = self.random.chance(55).then_some(Tidy { inner, form });
        let mut stmts = Vec::new();
        if self.random.chance(12) {
            stmts.push(self.declare(false));
        }
        stmts.push(self.for_loop(levels));
        if self.random.chance(8) {
            self.store(&mut stmts);
        }
        stmts
    }

    /// A loop with so many levels, itself included.
    fn for_loop(&mut self, levels: usize) -> Stmt {
        let scalar = if self.random.chance(14) { Scalar::I64 } else { Scalar::Usize };
        let (from, to, inclusive) = if scalar == Scalar::I64 { self.signed_range() } else { self.range() };
        let before = self.scope.len();
        let name = COUNTERS[self.depth];
        self.scope.push(Variable { name: name.to_owned(), scalar, mutable: false, is_counter: true });
        self.depth += 1;
        let body = self.body(levels - 1);
        self.depth -= 1;
        self.scope.truncate(before);
        let variable = self.ident(name);
        self.stmt(StmtKind::For { variable, from, to, inclusive, adaptors: Vec::new(), body })
    }

    fn int_range(&mut self, from: i64, to: i64, inclusive: bool) -> (Expr, Expr, bool) {
        // Rust's default would be `i32`.
        (self.int(from, Scalar::Usize), self.int(to, Scalar::Usize), inclusive)
    }

    fn range(&mut self) -> (Expr, Expr, bool) {
        let zero = self.expr(ExprKind::Int(0, None));
        let one = self.expr(ExprKind::Int(1, None));
        let counter = self.visible(|v| v.is_counter && v.scalar == Scalar::Usize);
        let counter = (!counter.is_empty()).then(|| self.random.pick(&counter).name);
        let counter = counter.map(|name| self.expr(ExprKind::Variable(name)));
        let bound = self.bound();
        match (self.random.below(100), counter) {
            (0..=44, _) => (zero, bound, false),
            (45..=52, Some(i)) => (i, bound, false),
            (53..=56, Some(i)) => {
                let from = self.binary(BinaryOp::Add, i, one);
                (from, bound, false)
            }
            (57..=64, Some(i)) => (zero, i, self.random.chance(50)),
            (65..=67, Some(i)) => {
                let first = self.method(i.clone(), "saturating_sub", vec![one]);
                let Expr { kind, .. } = i;
                let (again, two) = (self.expr(kind), self.expr(ExprKind::Int(2, None)));
                let end = self.binary(BinaryOp::Add, again, two);
                let end = self.method(end, "min", vec![bound]);
                (first, end, false)
            }
            (68..=75, _) => {
                let by = self.expr(ExprKind::Int(1, None));
                let to = self.method(bound, "saturating_sub", vec![by]);
                (one, to, false)
            }
            (76..=79, _) => {
                let by = self.expr(ExprKind::Int(1, None));
                let to = self.binary(BinaryOp::Sub, bound, by);
                (one, to, self.random.chance(15))
            }
            (80..=85, _) => {
                let (method, other) = (self.random.pick(&["min", "min", "max"]), self.bound());
                let to = self.method(bound, method, vec![other]);
                (zero, to, false)
            }
            (86..=89, _) => {
                let to = self.int_range(0, 3, false).1;
                (zero, to, self.random.chance(30))
            }
            (90..=93, _) => {
                let start = self.bound();
                (start, bound, false)
            }
            (94..=95, _) => {
                let to = self.value(Scalar::Usize, 2);
                let seven = self.int(7, Scalar::Usize);
                let to = self.method(to, "min", vec![seven]);
                (zero, to, false)
            }
            (96..=97, _) => {
                let two = self.expr(ExprKind::Int(2, None));
                let half = self.binary(BinaryOp::Div, bound, two);
                (zero, half, false)
            }
            _ => (one, bound, false),
        }
    }

    fn signed_range(&mut self) -> (Expr, Expr, bool) {
        let one = self.int(1, Scalar::I64);
        let minus = self.expr(ExprKind::Neg(Box::new(one)));
        let bound = self.bound();
        let bound = self.cast(bound, Scalar::I64);
        match self.random.below(8) {
            0..=2 => {
                let to = self.int(1, Scalar::I64);
                (minus, to, true)
            }
            3..=5 => {
                let zero = self.int(0, Scalar::I64);
                (zero, bound, false)
            }
            6 => (minus, bound, false),
            _ => {
                let to = self.value(Scalar::I64, 1);
                let seven = self.int(7, Scalar::I64);
                let to = self.method(to, "min", vec![seven]);
                (minus, to, self.random.chance(30))
            }
        }
    }

    /// The body of a loop or branch with room for so many more levels of loops.
    fn body(&mut self, levels: usize) -> Block {
        let before = self.scope.len();
        let mut stmts = Vec::new();
        let perfect = levels > 0 && self.random.chance(55);
        if perfect {
            stmts.push(self.for_loop(levels));
        } else {
            for _ in 0..self.random.weighted(&[(3, 1), (4, 2), (2, 3)]) {
                self.statement(levels, &mut stmts);
            }
            let works = |s: &Stmt| !matches!(s.kind, StmtKind::Let { .. });
            if !stmts.iter().any(works) || self.random.chance(25) {
                self.store(&mut stmts);
            }
        }
        if let Some(sum) = self.pending.take_if(|_| levels == 0)
            && self.visible(|v| v.name == sum.name && v.mutable && v.scalar == sum.scalar).len() == 1
        {
            stmts.push(self.assign_to(&sum));
        }
        self.scope.truncate(before);
        Block { stmts, value: None }
    }

    fn statement(&mut self, levels: usize, stmts: &mut Vec<Stmt>) {
        let inner = if levels > 0 { 1 } else { 0 };
        let kinds = [
            (34, Kind::Store),
            (6, Kind::Guarded),
            (16, Kind::Let),
            (6, Kind::Assign),
            (12, Kind::If),
            (20 * inner, Kind::For),
            (14 * inner, Kind::Reduction),
            (1, Kind::Block),
        ];
        match self.random.weighted(&kinds) {
            Kind::Store => self.store(stmts),
            Kind::Guarded => self.guarded(stmts),
            Kind::Let => {
                let mutable = self.random.chance(20);
                stmts.push(self.declare(mutable));
            }
            Kind::Assign => match self.assignment() {
                Some(stmt) => stmts.push(stmt),
                None => self.store(stmts),
            },
            Kind::If => stmts.push(self.branch(levels)),
            Kind::For => stmts.push(self.for_loop(levels)),
            Kind::Reduction => self.reduction(levels, stmts),
            Kind::Block => {
                let block = self.body(levels);
                stmts.push(self.stmt(StmtKind::Block(block)));
            }
        }
    }

    fn branch(&mut self, levels: usize) -> Stmt {
        let cond = self.cond(1);
        let then = self.body(levels.min(1));
        let els = if self.random.chance(30) { self.body(levels.min(1)) } else { Block::default() };
        self.stmt(StmtKind::If { cond, then, els })
    }

    fn target(&mut self) -> Array {
        let mutable: Vec<Array> = self.arrays.iter().filter(|a| a.mutable).cloned().collect();
        self.random.pick(&mutable)
    }

    fn store(&mut self, stmts: &mut Vec<Stmt>) {
        let array = self.target();
        let subs = self.subscripts(&array, Self::subscript);
        let subs = self.outside(&array, subs, stmts);
        let value = self.value(array.class, 2);
        let place = Place::Element { array: self.ident(&array.name), subs };
        let op = self.compound(35);
        stmts.push(self.assign(place, op, value));
    }

    /// Subscripts with which an array can be stored into: Rust lends it once, so what reads it itself is to be a scalar.
    fn outside(&mut self, array: &Array, subs: Vec<Expr>, stmts: &mut Vec<Stmt>) -> Vec<Expr> {
        let mut list = Vec::new();
        for sub in subs {
            list.push(match mentions(&sub, &array.name) {
                true => {
                    let ty = self.random.chance(30).then_some(Scalar::Usize);
                    let name = format!("p{}", self.spans);
                    stmts.push(self.bind_as(&name, (Scalar::Usize, false), ty, sub));
                    self.expr(ExprKind::Variable(name))
                }
                false => sub,
            });
        }
        list
    }

    fn compound(&mut self, percent: usize) -> Option<BinaryOp> {
        let ops = [(6, BinaryOp::Add), (2, BinaryOp::Sub), (2, BinaryOp::Mul), (1, BinaryOp::Div)];
        self.random.chance(percent).then(|| self.random.weighted(&ops))
    }

    /// `if i + 1 < y.len() { y[i + 1] = .. }`
    fn guarded(&mut self, stmts: &mut Vec<Stmt>) {
        let array = self.target();
        let state = self.random.clone();
        let subs = self.subscripts(&array, Self::subscript);
        self.random = state;
        let tested = self.subscripts(&array, Self::subscript);
        let mut cond: Option<Expr> = None;
        let mut stored = Vec::new();
        for (axis, (sub, mut tested)) in subs.into_iter().zip(tested).enumerate() {
            let sub = self.outside(&array, vec![sub], stmts).remove(0);
            match (&sub.kind, &mut tested.kind) {
                (ExprKind::Variable(name), _) => tested = self.expr(ExprKind::Variable(name.clone())),
                (_, ExprKind::Int(_, suffix)) => *suffix = Some(Scalar::Usize),
                _ => {}
            }
            let size = self.size(&array, Some(axis));
            let test = self.binary(BinaryOp::Lt, tested, size);
            cond = Some(match cond {
                None => test,
                Some(cond) => self.binary(BinaryOp::And, cond, test),
            });
            stored.push(sub);
        }
        let Some(cond) = cond else { return };
        let value = self.value(array.class, 1);
        let place = Place::Element { array: self.ident(&array.name), subs: stored };
        let op = self.compound(50);
        let then = Block { stmts: vec![self.assign(place, op, value)], value: None };
        stmts.push(self.stmt(StmtKind::If { cond, then, els: Block::default() }));
    }

    /// An assignment to a scalar, if there is one.
    fn assignment(&mut self) -> Option<Stmt> {
        let known = self.visible(|v| v.mutable);
        if known.is_empty() {
            return None;
        }
        let variable = self.random.pick(&known);
        Some(self.assign_to(&variable))
    }

    fn assign_to(&mut self, variable: &Variable) -> Stmt {
        let op = match variable.scalar {
            Scalar::Usize | Scalar::I64 => {
                let ops = [BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul];
                self.random.chance(70).then(|| self.random.pick(&ops))
            }
            Scalar::F64 | Scalar::F32 => self.compound(70),
            Scalar::Bool => None,
            _ => unreachable!("{OTHER}"),
        };
        let value = self.value(variable.scalar, 2);
        let place = Place::Variable(self.ident(&variable.name));
        self.assign(place, op, value)
    }

    /// `let mut sum = 0.0; for .. { sum += .. } y[i] = sum;`
    fn reduction(&mut self, levels: usize, stmts: &mut Vec<Stmt>) {
        let array = self.target();
        let start = self.literal(array.class);
        stmts.push(self.bind(array.class, true, None, start));
        let Some(sum) = self.scope.last().cloned() else { return };
        self.pending = Some(sum.clone());
        let looped = self.for_loop(levels);
        self.pending = None;
        stmts.push(looped);
        let subs = self.subscripts(&array, Self::counter_or_small);
        let subs = self.outside(&array, subs, stmts);
        let value = self.expr(ExprKind::Variable(sum.name));
        let place = Place::Element { array: self.ident(&array.name), subs };
        let op = self.compound(30);
        stmts.push(self.assign(place, op, value));
    }
}

/// Whether an expression is about an array.
fn mentions(expr: &Expr, name: &str) -> bool {
    match &expr.kind {
        ExprKind::Float(..) | ExprKind::Int(..) | ExprKind::Bool(_) | ExprKind::Variable(_) => false,
        ExprKind::Element { array, subs } => array.text == name || subs.iter().any(|s| mentions(s, name)),
        ExprKind::Extent { array, .. } => array.text == name,
        ExprKind::Neg(a) | ExprKind::Not(a) | ExprKind::Cast(a, _) => mentions(a, name),
        ExprKind::Binary(_, a, b) => mentions(a, name) || mentions(b, name),
        ExprKind::Method { receiver, args, .. } => mentions(receiver, name) || args.iter().any(|a| mentions(a, name)),
        ExprKind::If(cond, then, els) => {
            let value = |block: &Block| block.value.as_ref().is_some_and(|value| mentions(value, name));
            mentions(cond, name) || value(then) || value(els)
        }
        ExprKind::Block(_)
        | ExprKind::Never
        | ExprKind::Neutral(_)
        | ExprKind::Typed(..)
        | ExprKind::Complex(..)
        | ExprKind::Part(..) => {
            unreachable!("the generator makes none")
        }
    }
}
