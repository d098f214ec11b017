//! Expressions of each type.

use super::{Array, Form, Generator, OTHER, Tidy};
use megha_core::offload::ast::{BinaryOp, Block, Expr, ExprKind, Scalar};

impl Generator {
    pub(super) fn binary(&mut self, op: BinaryOp, a: Expr, mut b: Expr) -> Expr {
        let typed = !matches!(a.kind, ExprKind::Int(..) | ExprKind::Float(..));
        if typed && self.random.chance(80) {
            // As one writes it: the left operand says what the literal is.
            match &mut b.kind {
                ExprKind::Int(_, suffix) | ExprKind::Float(_, _, suffix) => *suffix = None,
                _ => {}
            }
        }
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    pub(super) fn method(&mut self, receiver: Expr, name: &str, args: Vec<Expr>) -> Expr {
        let method = self.ident(name);
        self.expr(ExprKind::Method { receiver: Box::new(receiver), method, args })
    }

    pub(super) fn cast(&mut self, x: Expr, to: Scalar) -> Expr {
        self.expr(ExprKind::Cast(Box::new(x), to))
    }

    pub(super) fn int(&mut self, x: i64, scalar: Scalar) -> Expr {
        self.expr(ExprKind::Int(x.into(), Some(scalar)))
    }

    /// A literal subscript, without a suffix.
    fn small(&mut self, x: i64) -> Expr {
        self.expr(ExprKind::Int(x.into(), None))
    }

    pub(super) fn literal(&mut self, scalar: Scalar) -> Expr {
        match scalar {
            Scalar::F64 | Scalar::F32 => {
                let x = self.random.pick(&[0.0, 1.0, 0.5, 2.0, 3.25, 0.1]);
                self.expr(ExprKind::Float(x, x as f32, Some(scalar)))
            }
            Scalar::I64 | Scalar::Usize => {
                let x = match self.random.chance(4) {
                    true => self.random.pick(&[i64::MAX, 1 << 62, 1 << 40, (1 << 53) + 1]),
                    false => self.random.weighted(&[(5, 0), (6, 1), (4, 2), (2, 3), (1, 5), (1, 7)]),
                };
                self.int(x, scalar)
            }
            Scalar::Bool => {
                let x = self.random.chance(50);
                self.expr(ExprKind::Bool(x))
            }
            _ => unreachable!("{OTHER}"),
        }
    }

    /// A variable of a type; a loop's rather than another.
    pub(super) fn variable(&mut self, scalar: Scalar) -> Option<Expr> {
        let known = self.visible(|v| v.scalar == scalar);
        let counters: Vec<_> = known.iter().filter(|v| v.is_counter).cloned().collect();
        let from = if !counters.is_empty() && self.random.chance(75) { counters } else { known };
        if from.is_empty() {
            return None;
        }
        let name = self.random.pick(&from).name;
        Some(self.expr(ExprKind::Variable(name)))
    }

    /// A loop's variable: that of the current axis, or any.
    fn counter(&mut self) -> Option<Expr> {
        let known = self.visible(|v| v.scalar == Scalar::Usize && v.is_counter);
        if known.is_empty() {
            return None;
        }
        let name = match self.axis {
            Some(axis) if self.random.chance(90) => known[axis % known.len()].name.clone(),
            _ => self.random.pick(&known).name,
        };
        Some(self.expr(ExprKind::Variable(name)))
    }

    /// Subscripts of an array by a function that makes one; mostly each axis has a loop of its own.
    pub(super) fn subscripts(&mut self, array: &Array, one: fn(&mut Self) -> Expr) -> Vec<Expr> {
        if let Some(tidy) = self.tidy
            && array.mutable
            && self.random.chance(93)
        {
            return (0..array.rank).map(|axis| self.tidy_subscript(array, axis, tidy)).collect();
        }
        let outer = self.axis;
        let loops = self.visible(|v| v.scalar == Scalar::Usize && v.is_counter).len();
        let in_order = self.random.chance(75);
        let start = if self.random.chance(80) { loops.saturating_sub(array.rank) } else { self.random.below(4) };
        let mut subs = Vec::new();
        for axis in 0..array.rank {
            self.axis = in_order.then_some(start + axis);
            subs.push(one(self));
        }
        self.axis = outer;
        subs
    }

    /// The subscript that all accesses to an array have along an axis.
    fn tidy_subscript(&mut self, array: &Array, axis: usize, tidy: Tidy) -> Expr {
        if self.pivots && self.random.chance(20) {
            return self.pivot();
        }
        let known = self.visible(|v| v.scalar == Scalar::Usize && v.is_counter);
        let start = if tidy.inner { known.len().saturating_sub(array.rank) } else { 0 };
        let Some(counter) = known.get(start + axis) else { return self.small(axis as i64) };
        let counter = self.expr(ExprKind::Variable(counter.name.clone()));
        match tidy.form {
            _ if axis > 0 => counter,
            Form::Same => counter,
            Form::Backwards => {
                let size = self.size(array, Some(axis));
                let one = self.small(1);
                let last = self.binary(BinaryOp::Sub, size, one);
                self.binary(BinaryOp::Sub, last, counter)
            }
            Form::Even => {
                let two = self.small(2);
                let even = self.binary(BinaryOp::Mul, counter, two);
                if self.random.chance(30) { self.plus(even, BinaryOp::Add) } else { even }
            }
        }
    }

    /// The number of a row or column: that of a loop, the last one, or one of the first.
    fn pivot(&mut self) -> Expr {
        match self.random.below(4) {
            0..=1 => self.counter_or_small(),
            2 => {
                let bound = self.bound();
                let one = self.small(1);
                self.binary(BinaryOp::Sub, bound, one)
            }
            _ => {
                let x = self.random.below(3) as i64;
                self.small(x)
            }
        }
    }

    pub(super) fn counter_or_small(&mut self) -> Expr {
        match self.counter() {
            Some(counter) => counter,
            None => {
                let x = self.random.below(3) as i64;
                self.int(x, Scalar::Usize)
            }
        }
    }

    /// The size of an array along an axis, now and then all of its elements.
    pub(super) fn extent(&mut self) -> Expr {
        let arrays = self.arrays.clone();
        let array = self.random.pick(&arrays);
        let axis = self.random.below(array.rank);
        let axis = (!(array.rank > 1 && self.random.chance(4))).then_some(axis);
        self.size(&array, axis)
    }

    pub(super) fn size(&mut self, array: &Array, axis: Option<usize>) -> Expr {
        let array = self.ident(&array.name);
        self.expr(ExprKind::Extent { array, axis })
    }

    /// What subscripts and loops are compared with: a size or a parameter.
    pub(super) fn bound(&mut self) -> Expr {
        let params = self.visible(|v| v.scalar == Scalar::Usize && !v.is_counter);
        if params.is_empty() || self.random.chance(50) {
            return self.extent();
        }
        let name = self.random.pick(&params).name;
        self.expr(ExprKind::Variable(name))
    }

    /// A subscript.
    pub(super) fn subscript(&mut self) -> Expr {
        let Some(i) = self.counter() else {
            return if self.random.chance(50) { self.value(Scalar::Usize, 1) } else { self.small(0) };
        };
        let j = self.counter_or_small();
        match self.random.below(100) {
            0..=54 => i,
            55..=61 => self.plus(i, BinaryOp::Add),
            62..=67 => self.plus(i, BinaryOp::Sub),
            68..=71 => {
                let bound = self.bound();
                let last = self.plus(bound, BinaryOp::Sub);
                self.binary(BinaryOp::Sub, last, i)
            }
            72..=74 => {
                let two = self.small(2);
                let twice = if self.random.chance(50) { (i, two) } else { (two, i) };
                let twice = self.expr(ExprKind::Binary(BinaryOp::Mul, Box::new(twice.0), Box::new(twice.1)));
                if self.random.chance(50) { self.plus(twice, BinaryOp::Add) } else { twice }
            }
            75..=77 => self.binary(BinaryOp::Add, i, j),
            78..=79 => {
                let bound = self.bound();
                let rows = self.binary(BinaryOp::Mul, i, bound);
                self.binary(BinaryOp::Add, rows, j)
            }
            80..=83 => {
                let x = self.random.below(3) as i64;
                self.small(x)
            }
            84..=86 => self.quotient(i),
            87 => {
                let same = i.kind.clone();
                let same = self.expr(same);
                self.binary(BinaryOp::Mul, i, same)
            }
            88..=91 => self.data_subscript(),
            92 => self.value(Scalar::Usize, 2),
            93 => self.wrapping(i),
            _ => self.clamped(i),
        }
    }

    /// `i + 1`
    fn plus(&mut self, i: Expr, op: BinaryOp) -> Expr {
        let by = self.random.weighted(&[(8, 1), (2, 2)]);
        let by = self.small(by);
        self.binary(op, i, by)
    }

    /// `i % 2`, `i / 2`
    fn quotient(&mut self, i: Expr) -> Expr {
        let op = self.random.pick(&[BinaryOp::Rem, BinaryOp::Div]);
        let by = self.random.weighted(&[(4, 2), (2, 3), (1, 1), (1, 4)]);
        let by = self.small(by);
        self.binary(op, i, by)
    }

    /// `x[i] as usize`
    fn data_subscript(&mut self) -> Expr {
        let arrays = self.arrays.clone();
        let array = self.random.pick(&arrays);
        let element = self.element(&array, true);
        self.cast(element, Scalar::Usize)
    }

    /// `i * 4611686018427387904`: out of bounds for most `i`, though perhaps not for the last one.
    fn wrapping(&mut self, i: Expr) -> Expr {
        self.wild = true;
        let by = self.random.pick(&[1 << 62, 6148914691236517206, i64::MAX, (1 << 62) + 1]);
        let by = self.small(by);
        self.binary(BinaryOp::Mul, i, by)
    }

    fn clamped(&mut self, i: Expr) -> Expr {
        let other = if self.random.chance(50) { self.literal(Scalar::Usize) } else { self.counter_or_small() };
        let method = self.random.pick(&["min", "max", "saturating_sub"]);
        self.method(i, method, vec![other])
    }

    /// An element; of a plain one the subscripts are loop variables and small numbers.
    pub(super) fn element(&mut self, array: &Array, plain: bool) -> Expr {
        let subs = self.subscripts(array, if plain { Self::counter_or_small } else { Self::subscript });
        let array = self.ident(&array.name);
        self.expr(ExprKind::Element { array, subs })
    }

    /// A value of a type, so many operators deep.
    pub(super) fn value(&mut self, scalar: Scalar, depth: usize) -> Expr {
        match scalar {
            Scalar::F64 | Scalar::F32 => self.float(scalar, depth),
            Scalar::Usize => self.natural(depth),
            Scalar::I64 => self.whole(depth),
            Scalar::Bool => self.cond(depth),
            _ => unreachable!("{OTHER}"),
        }
    }

    fn float(&mut self, scalar: Scalar, depth: usize) -> Expr {
        if depth == 0 {
            return self.float_leaf(scalar);
        }
        match self.random.below(20) {
            0..=10 => {
                let ops = [(6, BinaryOp::Add), (3, BinaryOp::Sub), (5, BinaryOp::Mul), (1, BinaryOp::Div)];
                let op = self.random.weighted(&ops);
                let (a, b) = (self.float(scalar, depth - 1), self.float(scalar, depth - 1));
                self.binary(op, a, b)
            }
            11 => {
                let a = self.float(scalar, depth - 1);
                self.expr(ExprKind::Neg(Box::new(a)))
            }
            12 => {
                let a = self.float(scalar, depth - 1);
                let method = self.random.pick(&["abs", "floor", "round", "sqrt", "recip", "trunc", "ceil"]);
                self.method(a, method, Vec::new())
            }
            13 => {
                let (a, b) = (self.float(scalar, depth - 1), self.float(scalar, depth - 1));
                let method = self.random.pick(&["min", "max"]);
                self.method(a, method, vec![b])
            }
            14 => {
                let (a, b, c) = (self.float_leaf(scalar), self.float_leaf(scalar), self.float(scalar, depth - 1));
                self.method(a, "mul_add", vec![b, c])
            }
            15 => self.choice(scalar, depth),
            16 => {
                let from = self.random.pick(&[Scalar::Usize, Scalar::I64, Scalar::F64, Scalar::F32]);
                let x = self.value(from, depth - 1);
                self.cast(x, scalar)
            }
            _ => self.float_leaf(scalar),
        }
    }

    fn float_leaf(&mut self, scalar: Scalar) -> Expr {
        match self.random.below(20) {
            0..=10 => self.read(scalar),
            11..=14 => match self.variable(scalar) {
                Some(variable) => variable,
                None => self.read(scalar),
            },
            15..=17 => self.literal(scalar),
            _ => {
                let from = self.random.pick(&[Scalar::Usize, Scalar::Usize, Scalar::I64]);
                let x = self.variable(from);
                let x = x.unwrap_or_else(|| self.literal(from));
                self.cast(x, scalar)
            }
        }
    }

    /// An element as a number of this type.
    fn read(&mut self, scalar: Scalar) -> Expr {
        let mut arrays = self.arrays.clone();
        if !arrays[0].mutable && self.random.chance(65) {
            arrays.retain(|a| !a.mutable);
        }
        let array = self.random.pick(&arrays);
        let element = self.element(&array, false);
        if array.class == scalar { element } else { self.cast(element, scalar) }
    }

    /// `if cond { a } else { b }`
    fn choice(&mut self, scalar: Scalar, depth: usize) -> Expr {
        let cond = self.cond(1);
        let [then, els] = [0, 1].map(|_| {
            let value = self.value(scalar, depth - 1);
            Block { stmts: Vec::new(), value: Some(Box::new(value)) }
        });
        self.expr(ExprKind::If(Box::new(cond), then, els))
    }

    fn natural(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            let bound = self.random.chance(20);
            return match self.variable(Scalar::Usize) {
                Some(variable) if !bound => variable,
                _ if bound => self.extent(),
                _ => self.literal(Scalar::Usize),
            };
        }
        match self.random.below(14) {
            0..=4 => {
                let op = self.random.weighted(&[(4, BinaryOp::Add), (2, BinaryOp::Sub), (2, BinaryOp::Mul)]);
                let (a, b) = (self.natural(depth - 1), self.natural(depth - 1));
                self.binary(op, a, b)
            }
            5 => {
                let a = self.natural(depth - 1);
                self.quotient(a)
            }
            6..=7 => {
                let (a, b) = (self.natural(depth - 1), self.natural(depth - 1));
                let method = self.random.pick(&["min", "max", "saturating_sub"]);
                self.method(a, method, vec![b])
            }
            8 => self.data_subscript(),
            9 => {
                let from = self.random.pick(&[Scalar::I64, Scalar::F64, Scalar::F32, Scalar::Bool]);
                let x = self.value(from, depth - 1);
                self.cast(x, Scalar::Usize)
            }
            10 => self.choice(Scalar::Usize, depth),
            _ => self.natural(0),
        }
    }

    fn whole(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            if self.random.chance(25) {
                let x = self.natural(0);
                return self.cast(x, Scalar::I64);
            }
            return match self.variable(Scalar::I64) {
                Some(variable) => variable,
                None => self.literal(Scalar::I64),
            };
        }
        match self.random.below(12) {
            0..=3 => {
                let op = self.random.weighted(&[(4, BinaryOp::Add), (3, BinaryOp::Sub), (2, BinaryOp::Mul)]);
                let (a, b) = (self.whole(depth - 1), self.whole(depth - 1));
                self.binary(op, a, b)
            }
            4 => {
                let (a, b) = (self.whole(depth - 1), self.whole(depth - 1));
                let method = self.random.pick(&["min", "max"]);
                self.method(a, method, vec![b])
            }
            5 => {
                let a = self.whole(depth - 1);
                if self.random.chance(50) {
                    self.method(a, "abs", Vec::new())
                } else {
                    self.expr(ExprKind::Neg(Box::new(a)))
                }
            }
            6 => {
                let from = self.random.pick(&[Scalar::Usize, Scalar::F64, Scalar::F32, Scalar::Bool]);
                let x = self.value(from, depth - 1);
                self.cast(x, Scalar::I64)
            }
            7 => self.choice(Scalar::I64, depth),
            _ => self.whole(0),
        }
    }

    pub(super) fn cond(&mut self, depth: usize) -> Expr {
        match self.random.below(20) {
            0..=2 => self.parity(),
            3..=10 => {
                let (a, b) = (
                    self.counter_or_small(),
                    if self.random.chance(50) { self.bound() } else { self.counter_or_small() },
                );
                self.comparison(a, b)
            }
            11..=12 => {
                let scalar = self.random.pick(&[Scalar::Usize, Scalar::I64]);
                let (a, b) = (self.value(scalar, 1), self.value(scalar, 1));
                self.comparison(a, b)
            }
            13..=15 => {
                let scalar = self.random.pick(&[Scalar::F64, Scalar::F64, Scalar::F32]);
                let (a, b) = (self.float_leaf(scalar), self.float_leaf(scalar));
                self.comparison(a, b)
            }
            16 => {
                let a = self.cond(0);
                self.expr(ExprKind::Not(Box::new(a)))
            }
            17..=18 if depth > 0 => {
                let op = self.random.pick(&[BinaryOp::And, BinaryOp::Or]);
                let (a, b) = (self.cond(depth - 1), self.cond(depth - 1));
                self.binary(op, a, b)
            }
            _ => match self.variable(Scalar::Bool) {
                Some(variable) => variable,
                None => self.parity(),
            },
        }
    }

    /// `i % 2 == 0`
    fn parity(&mut self) -> Expr {
        let i = self.counter_or_small();
        let (two, zero) = (self.small(2), self.small(0));
        let rest = self.binary(BinaryOp::Rem, i, two);
        self.comparison(rest, zero)
    }

    fn comparison(&mut self, a: Expr, b: Expr) -> Expr {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let op = self.random.weighted(&[(4, Lt), (2, Le), (2, Gt), (1, Ge), (3, Ne), (2, Eq)]);
        self.binary(op, a, b)
    }
}
