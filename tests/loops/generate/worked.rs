//! Loops with a work array: each iteration stores an array `w`, mostly all of what it then reads of it.

use super::{Generator, Program, Variable, procedure};
use megha_core::offload::ast::{
    ArrayForm, BinaryOp, Block, Expr, ExprKind, Param, ParamType, Place, Scalar, Stmt, StmtKind,
};

impl Program {
    /// The program with a work array of a seed.
    pub fn worked(seed: u64) -> Self {
        let mut generator = Generator::new(seed ^ 0x0070_3b1d);
        let (mut params, mut excess) = (Vec::new(), Vec::new());
        for (name, rank, mutable) in [("x", 2, false), ("y", 2, true), ("w", 1, true), ("z", 1, true)] {
            let ty = ParamType::Array { class: Scalar::F64, rank, mutable, form: ArrayForm::Ndarray };
            params.push(Param { name: generator.ident(name), value: name.to_owned(), ty });
            excess.push((0..rank).map(|_| generator.random.weighted(&[(4, 0), (2, 1), (1, 2)])).collect());
        }
        params.push(Param {
            name: generator.ident("n"),
            value: "n".to_owned(),
            ty: ParamType::Scalar(Scalar::Usize, false),
        });
        excess.push(Vec::new());
        generator.scope.push(Variable { name: "n".into(), scalar: Scalar::Usize, mutable: false, is_counter: false });
        let name = generator.ident(&format!("w{seed}"));
        let mut stmts = vec![generator.worked_rows()];
        if generator.random.chance(40) {
            // What the last iteration has left is needed.
            let store = generator.put("z", &["k"], "w", &["k"], false);
            stmts.push(generator.worked_loop("k", 0, 0, vec![store]));
        }
        let function = procedure(name, params, stmts);
        Self { seed, function, excess }
    }
}

impl Generator {
    fn name(&mut self, name: &str) -> Expr {
        self.expr(ExprKind::Variable(name.into()))
    }

    /// `name[subs]`; one of the subscripts may be another counter's, or move.
    fn at(&mut self, subs: &[&str], exact: bool) -> Vec<Expr> {
        let mut list = Vec::new();
        for sub in subs {
            let counter = self.name(sub);
            list.push(match self.random.below(if exact { 1 } else { 12 }) {
                0..=8 => counter,
                9 => {
                    let (n, one) = (self.name("n"), self.int(1, Scalar::Usize));
                    let last = self.binary(BinaryOp::Sub, n, one);
                    self.binary(BinaryOp::Sub, last, counter)
                }
                10 => {
                    let zero = self.int(1, Scalar::Usize);
                    self.method(counter, "saturating_sub", vec![zero])
                }
                _ => self.int(0, Scalar::Usize),
            });
        }
        list
    }

    /// `to[..] = from[..] * 0.5`, or `+=`
    fn put(&mut self, to: &str, to_subs: &[&str], from: &str, from_subs: &[&str], adds: bool) -> Stmt {
        let (exact, read_exact) = (self.random.chance(92), self.random.chance(75));
        let subs = self.at(to_subs, exact);
        let read = self.at(from_subs, read_exact);
        let array = self.ident(from);
        let read = self.expr(ExprKind::Element { array, subs: read });
        let half = self.expr(ExprKind::Float(0.5, 0.5, Some(Scalar::F64)));
        let value = self.binary(BinaryOp::Mul, read, half);
        let place = Place::Element { array: self.ident(to), subs };
        self.assign(place, adds.then_some(BinaryOp::Add), value)
    }

    /// A loop from a number to `n` less another.
    fn worked_loop(&mut self, counter: &str, from: i64, less: i64, stmts: Vec<Stmt>) -> Stmt {
        let from = self.int(from, Scalar::Usize);
        let mut to = self.name("n");
        if less > 0 {
            let less = self.int(less, Scalar::Usize);
            to = self.method(to, "saturating_sub", vec![less]);
        }
        let (variable, body) = (self.ident(counter), Block { stmts, value: None });
        self.stmt(StmtKind::For { variable, from, to, inclusive: false, adaptors: Vec::new(), body })
    }

    /// The loop over `i`, perhaps around one over `q`.
    fn worked_rows(&mut self) -> Stmt {
        let mut stmts = vec![self.filled()];
        if self.random.chance(35) {
            let store = self.put("w", &["j"], "x", &["i", "j"], true);
            let from = self.random.weighted(&[(3, 0), (1, 1)]);
            stmts.push(self.worked_loop("j", from, 0, vec![store]));
        }
        if self.random.chance(35) {
            // A sum that is kept in order.
            let store = self.put("w", &["j"], "x", &["k", "j"], true);
            let inner = self.worked_loop("k", 0, 0, vec![store]);
            stmts.push(self.worked_loop("j", 0, 0, vec![inner]));
        }
        let adds = self.random.chance(25);
        let store = self.put("y", &["i", "j"], "w", &["j"], adds);
        let less = self.random.weighted(&[(3, 0), (1, 1)]);
        stmts.push(self.worked_loop("j", 0, less, vec![store]));
        if self.random.chance(15) {
            let store = self.put("z", &["i"], "w", &["i"], false);
            stmts.push(store);
        }
        let from = self.random.weighted(&[(4, 0), (1, 1)]);
        self.worked_loop("i", from, 0, stmts)
    }

    /// The loop that stores the work array first: all of it, a part, or where a condition holds.
    fn filled(&mut self) -> Stmt {
        let adds = self.random.chance(6);
        let mut store = self.put("w", &["j"], "x", &["i", "j"], adds);
        if self.random.chance(8) {
            let (i, j) = (self.name("i"), self.name("j"));
            let cond = self.binary(BinaryOp::Le, i, j);
            let then = Block { stmts: vec![store], value: None };
            store = self.stmt(StmtKind::If { cond, then, els: Block::default() });
        }
        let mut stmts = vec![store];
        if self.random.chance(30) {
            let store = self.put("w", &["j"], "x", &["j", "k"], true);
            stmts.push(self.worked_loop("k", 0, 0, vec![store]));
        }
        let (from, less) = (self.random.weighted(&[(12, 0), (1, 1)]), self.random.weighted(&[(12, 0), (1, 1)]));
        self.worked_loop("j", from, less, stmts)
    }
}
