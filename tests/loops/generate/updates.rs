//! Nests of whole numbers in which elements gather extremes and sums, which may come in any order: dynamic programs of rows and columns, each with statements that
//! do mind the order.

use super::{Generator, Program, Variable, procedure};
use megha_core::offload::ast::{
    ArrayForm, BinaryOp, Block, Expr, ExprKind, Param, ParamType, Place, Scalar, Stmt, StmtKind,
};

/// The arrays: name, dimensions, whether they are stored into.
const ARRAYS: [(&str, usize, bool); 4] = [("t", 2, true), ("c", 1, true), ("a", 2, false), ("x", 1, false)];

impl Program {
    /// The program of updates of a seed.
    pub fn updates(seed: u64) -> Self {
        let mut generator = Generator::new(seed ^ 0x0b_da7e);
        let (mut params, mut excess) = (Vec::new(), Vec::new());
        for (name, rank, mutable) in ARRAYS {
            let ty = ParamType::Array { class: Scalar::I64, rank, mutable, form: ArrayForm::Ndarray };
            params.push(Param { name: generator.ident(name), value: name.to_owned(), ty });
            // Subscripts may be one behind a counter.
            excess.push((0..rank).map(|_| generator.random.weighted(&[(5, 1), (2, 2)])).collect());
        }
        let ty = ParamType::Scalar(Scalar::Usize, false);
        params.push(Param { name: generator.ident("n"), value: "n".to_owned(), ty });
        excess.push(Vec::new());
        generator.scope.push(Variable { name: "n".into(), scalar: Scalar::Usize, mutable: false, is_counter: false });
        let name = generator.ident(&format!("u{seed}"));
        let stmts = vec![generator.program_of_updates()];
        let function = procedure(name, params, stmts);
        Self { seed, function, excess }
    }
}

impl Generator {
    fn program_of_updates(&mut self) -> Stmt {
        let op = self.random.pick(&["max", "max", "min", "add"]);
        let is_alone = self.random.chance(25);
        let counters: &[&'static str] = if is_alone { &["j"] } else { &["i", "j"] };
        let mut body = Vec::new();
        for _ in 0..self.random.weighted(&[(3, 0), (4, 1), (2, 2)]) {
            body.push(self.update(op, counters, counters));
        }
        let within = [counters, &["k"]].concat();
        let inner = (0..self.random.weighted(&[(5, 1), (2, 2)])).map(|_| self.update(op, counters, &within)).collect();
        body.push(self.counting("k", &["j", "i"][..counters.len()], inner));
        if self.random.chance(30) {
            body.push(self.update(op, counters, counters));
        }
        let row = self.counting("j", &counters[..counters.len() - 1], body);
        if is_alone { row } else { self.counting("i", &[], vec![row]) }
    }

    /// An element that gathers one more number, which is of elements by any of these counters; or else something that minds the order.
    fn update(&mut self, op: &'static str, counters: &[&'static str], known: &[&'static str]) -> Stmt {
        let (array, subs): (_, &[&str]) = match self.random.below(8) {
            0 => ("c", &["j"]),
            1 if known.contains(&"k") => ("t", &["k", "j"]),
            _ if counters.contains(&"i") => ("t", &["i", "j"]),
            _ => ("c", &["j"]),
        };
        let element = |of: &mut Self| {
            let subs = subs.iter().map(|sub| of.expr(ExprKind::Variable((*sub).into()))).collect();
            (of.ident(array), subs)
        };
        let mut value = self.element_of(known);
        if self.random.chance(60) {
            let other = self.element_of(known);
            value = self.expr(ExprKind::Binary(BinaryOp::Add, Box::new(value), Box::new(other)));
        }
        let op = if self.random.chance(8) { self.random.pick(&["max", "min", "add", "store", "sub"]) } else { op };
        let (array, subs) = element(self);
        let assign = match op {
            "add" => self.assign(Place::Element { array, subs }, Some(BinaryOp::Add), value),
            "sub" => {
                let (of, at) = element(self);
                let old = self.expr(ExprKind::Element { array: of, subs: at });
                let value = self.expr(ExprKind::Binary(BinaryOp::Sub, Box::new(value), Box::new(old)));
                self.assign(Place::Element { array, subs }, None, value)
            }
            "store" => self.assign(Place::Element { array, subs }, None, value),
            extreme => {
                let (of, at) = element(self);
                let old = self.expr(ExprKind::Element { array: of, subs: at });
                let value = if self.random.chance(80) {
                    self.method(old, extreme, vec![value])
                } else {
                    self.method(value, extreme, vec![old])
                };
                self.assign(Place::Element { array, subs }, None, value)
            }
        };
        if self.random.chance(85) {
            return assign;
        }
        let [a, b] = [self.element_of(known), self.element_of(known)];
        let cond = self.expr(ExprKind::Binary(BinaryOp::Lt, Box::new(a), Box::new(b)));
        let then = Block { stmts: vec![assign], value: None };
        self.stmt(StmtKind::If { cond, then, els: Block::default() })
    }

    /// An element in a row and a column by these counters or the ones behind.
    fn element_of(&mut self, known: &[&'static str]) -> Expr {
        let (array, rank) = self.random.pick(&[("t", 2), ("t", 2), ("a", 2), ("c", 1), ("x", 1)]);
        let mut subs = Vec::new();
        for _ in 0..rank {
            let name = self.random.pick(known);
            let counter = self.expr(ExprKind::Variable(name.into()));
            let one = self.int(1, Scalar::Usize);
            subs.push(match self.random.chance(25) {
                true => self.expr(ExprKind::Binary(BinaryOp::Add, Box::new(counter), Box::new(one))),
                false => counter,
            });
        }
        let array = self.ident(array);
        self.expr(ExprKind::Element { array, subs })
    }

    /// A loop to `n`, or a part of that which one of the loops around it says.
    fn counting(&mut self, counter: &str, around: &[&'static str], stmts: Vec<Stmt>) -> Stmt {
        let zero = self.int(0, Scalar::Usize);
        let n = self.expr(ExprKind::Variable("n".into()));
        let outer = match around {
            [] => None,
            names => {
                let name = self.random.pick(names);
                Some(self.expr(ExprKind::Variable(name.into())))
            }
        };
        let (from, to) = match (self.random.below(8), outer) {
            (0, Some(outer)) => (outer, n),
            (1..=3, Some(outer)) => (zero, outer),
            (4, Some(outer)) => {
                let one = self.int(1, Scalar::Usize);
                (self.binary(BinaryOp::Add, outer, one), n)
            }
            _ => (zero, n),
        };
        let (variable, body) = (self.ident(counter), Block { stmts, value: None });
        self.stmt(StmtKind::For { variable, from, to, inclusive: false, adaptors: Vec::new(), body })
    }
}
