//! Nests as linear algebra is written: each element of `y` or `c` gathers sums and products of elements in one inner loop or in several, itself or
//! by a scalar, with statements before, between and behind them.

use super::{Generator, Program, Variable, procedure};
use megha_core::offload::ast::{
    ArrayForm, BinaryOp, Block, Expr, ExprKind, Param, ParamType, Place, Scalar, Stmt, StmtKind,
};

/// The arrays: name, dimensions, whether they are stored into.
const ARRAYS: [(&str, usize, bool); 6] =
    [("a", 2, false), ("b", 2, false), ("x", 1, false), ("y", 1, true), ("c", 2, true), ("z", 1, true)];

/// An element that gathers.
#[derive(Clone, Copy)]
struct Target {
    array: &'static str,
    subs: &'static [&'static str],
}

impl Program {
    /// The program that gathers of a seed.
    pub fn gathered(seed: u64) -> Self {
        let mut generator = Generator::new(seed ^ 0x6a_74e2);
        let class = if generator.random.chance(20) { Scalar::F32 } else { Scalar::F64 };
        let (mut params, mut excess) = (Vec::new(), Vec::new());
        for (name, rank, mutable) in ARRAYS {
            let ty = ParamType::Array { class, rank, mutable, form: ArrayForm::Ndarray };
            params.push(Param { name: generator.ident(name), value: name.to_owned(), ty });
            excess.push((0..rank).map(|_| generator.random.weighted(&[(5, 0), (2, 1), (1, 2)])).collect());
        }
        let ty = ParamType::Scalar(Scalar::Usize, false);
        params.push(Param { name: generator.ident("n"), value: "n".to_owned(), ty });
        excess.push(Vec::new());
        generator.scope.push(Variable { name: "n".into(), scalar: Scalar::Usize, mutable: false, is_counter: false });
        let name = generator.ident(&format!("g{seed}"));
        let nests = generator.random.weighted(&[(4, 1), (2, 2)]);
        let stmts = (0..nests).map(|_| generator.gathering(class)).collect();
        let function = procedure(name, params, stmts);
        Self { seed, function, excess }
    }
}

impl Generator {
    /// A nest of one loop or two, or with the inner loop outside of them.
    fn gathering(&mut self, class: Scalar) -> Stmt {
        if self.random.chance(40) {
            let body = self.gathers(class, &[("y", &["i"]), ("z", &["i"])], &["i"]);
            return self.gathered_loop("i", &[], body);
        }
        let rows_first = self.random.chance(70);
        let (outer, inner) = if rows_first { ("i", "j") } else { ("j", "i") };
        if self.random.chance(25) {
            let product = self.term(class, Target { array: "c", subs: &["i", "j"] }, &["i", "j"]);
            let innermost = self.gathered_loop(inner, &[outer], vec![product]);
            let middle = self.gathered_loop(outer, &[], vec![innermost]);
            return self.gathered_loop("k", &[], vec![middle]);
        }
        let of_rows: &[(&'static str, &'static [&'static str])] = &[("y", &["i"]), ("z", &["i"])];
        let mut stmts = Vec::new();
        if rows_first && self.random.chance(25) {
            stmts.extend(self.gathers(class, of_rows, &["i"]));
        }
        let body = self.gathers(class, &[("c", &["i", "j"])], &["i", "j"]);
        stmts.push(self.gathered_loop(inner, &[outer], body));
        if rows_first && self.random.chance(15) {
            stmts.extend(self.gathers(class, of_rows, &["i"]));
        }
        self.gathered_loop(outer, &[], stmts)
    }

    /// What one iteration gathers into some of these elements.
    fn gathers(
        &mut self,
        class: Scalar,
        targets: &[(&'static str, &'static [&'static str])],
        counters: &[&'static str],
    ) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for number in 0..self.random.weighted(&[(3, 1), (4, 2), (3, 3), (1, 4)]) {
            let (array, subs) = self.random.pick(targets);
            let target = Target { array, subs };
            match self.random.below(10) {
                0..=4 => {
                    let count = self.random.weighted(&[(5, 1), (2, 2)]);
                    let body = (0..count)
                        .map(|_| {
                            let (array, subs) = self.random.pick(targets);
                            self.term(class, Target { array, subs }, counters)
                        })
                        .collect();
                    stmts.push(self.gathered_loop("k", counters, body));
                }
                5..=7 => stmts.extend(self.by_scalar(class, target, counters, number)),
                _ => stmts.push(self.scaled(class, target)),
            }
        }
        stmts
    }

    /// A scalar that gathers, and goes to the element.
    fn by_scalar(&mut self, class: Scalar, target: Target, counters: &[&'static str], number: usize) -> Vec<Stmt> {
        let name = format!("t{number}");
        let start = self.literal(class);
        let first = StmtKind::Let { name: self.ident(&name), ty: Some(class), mutable: true, value: Some(start) };
        let first = self.stmt(first);
        let product = self.product(counters);
        let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub]);
        let place = Place::Variable(self.ident(&name));
        let mut body = vec![self.assign(place, Some(op), product)];
        if self.random.chance(20) {
            body.push(self.term(class, target, counters));
        }
        let inner = self.gathered_loop("k", counters, body);
        let sum = self.expr(ExprKind::Variable(name));
        let op = self.random.pick(&[None, Some(BinaryOp::Add), Some(BinaryOp::Mul)]);
        let place = self.gathered_place(target);
        vec![first, inner, self.assign(place, op, sum)]
    }

    /// `target op= a * b`
    fn term(&mut self, class: Scalar, target: Target, counters: &[&'static str]) -> Stmt {
        let mut value = self.product(counters);
        if self.random.chance(20) {
            let literal = self.literal(class);
            value = self.binary(BinaryOp::Add, value, literal);
        }
        let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub]);
        let place = self.gathered_place(target);
        self.assign(place, Some(op), value)
    }

    /// `target *= 0.5`
    fn scaled(&mut self, class: Scalar, target: Target) -> Stmt {
        let literal = self.literal(class);
        let op = self.random.pick(&[None, Some(BinaryOp::Mul), Some(BinaryOp::Add)]);
        let place = self.gathered_place(target);
        self.assign(place, op, literal)
    }

    /// One element, or the product of two.
    fn product(&mut self, counters: &[&'static str]) -> Expr {
        let first = self.factor(counters);
        if self.random.chance(25) {
            return first;
        }
        let second = self.factor(counters);
        self.binary(BinaryOp::Mul, first, second)
    }

    /// An element of a row or a column that the innermost loop goes through; now and then one of what is stored.
    fn factor(&mut self, counters: &[&'static str]) -> Expr {
        let other = self.random.pick(counters);
        let (array, subs): (_, &[&str]) = match self.random.below(20) {
            0..=5 => ("a", &[other, "k"]),
            6..=8 => ("a", &["k", other]),
            9..=12 => ("b", &["k", other]),
            13..=14 => ("b", &[other, "k"]),
            15..=16 => ("x", &["k"]),
            17 => ("x", &[other]),
            18 => ("y", &["k"]),
            _ => ("c", &["k", other]),
        };
        let subs = subs.iter().map(|sub| self.expr(ExprKind::Variable((*sub).into()))).collect();
        let array = self.ident(array);
        self.expr(ExprKind::Element { array, subs })
    }

    fn gathered_place(&mut self, target: Target) -> Place {
        let subs = target.subs.iter().map(|sub| self.expr(ExprKind::Variable((*sub).into()))).collect();
        Place::Element { array: self.ident(target.array), subs }
    }

    /// A loop to `n`, or a part of that which a loop around it says.
    fn gathered_loop(&mut self, counter: &str, around: &[&'static str], stmts: Vec<Stmt>) -> Stmt {
        let zero = self.int(0, Scalar::Usize);
        let n = self.expr(ExprKind::Variable("n".into()));
        let outer = around.first().map(|name| self.expr(ExprKind::Variable((*name).into())));
        let (from, to, inclusive) = match (self.random.below(10), outer) {
            (0, Some(outer)) => (outer, n, false),
            (1, Some(outer)) => (zero, outer, false),
            (2, Some(outer)) => (zero, outer, true),
            (3, Some(outer)) => {
                let one = self.int(1, Scalar::Usize);
                (self.binary(BinaryOp::Add, outer, one), n, false)
            }
            _ => (zero, n, false),
        };
        let (variable, body) = (self.ident(counter), Block { stmts, value: None });
        self.stmt(StmtKind::For { variable, from, to, inclusive, adaptors: Vec::new(), body })
    }
}
