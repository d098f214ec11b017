//! Nests over arrays of one dimension that hold matrices and solids: subscripts `i*m + j` and the like, of rows that mostly stay apart.

use super::{Generator, Program, Variable, procedure};
use megha_core::offload::ast::{
    ArrayForm, BinaryOp, Block, Expr, ExprKind, Param, ParamType, Place, Scalar, Stmt, StmtKind,
};

/// The names of loop variables and of the sizes of their axes, the outermost axis first.
const AXES: [(&str, &str); 3] = [("i", "n"), ("j", "m"), ("k", "p")];

/// How a nest goes through its arrays.
struct Shape {
    /// How many axes.
    axes: usize,
    /// What each axis but the first is longer than its size.
    padding: Vec<i64>,
    /// The places of the loops, the outermost first.
    order: Vec<usize>,
}

impl Program {
    /// The strided program of a seed.
    pub fn strided(seed: u64) -> Self {
        let mut generator = Generator::new(seed ^ 0x57_21de);
        let mut params = Vec::new();
        for (name, mutable) in [("x", false), ("y", true), ("z", true)] {
            let ty = ParamType::Array { class: Scalar::F64, rank: 1, mutable, form: ArrayForm::Ndarray };
            params.push(Param { name: generator.ident(name), value: name.to_owned(), ty });
        }
        for (_, name) in AXES {
            params.push(Param {
                name: generator.ident(name),
                value: name.to_owned(),
                ty: ParamType::Scalar(Scalar::Usize, false),
            });
            let variable = Variable { name: name.into(), scalar: Scalar::Usize, mutable: false, is_counter: false };
            generator.scope.push(variable);
        }
        // The largest solid at which nests are tried, with its padding.
        let excess = params.iter().map(|_| vec![1100]).collect();
        let name = generator.ident(&format!("s{seed}"));
        let nests = generator.random.weighted(&[(3, 1), (1, 2)]);
        let stmts = (0..nests).map(|_| generator.strided_nest()).collect();
        let function = procedure(name, params, stmts);
        Self { seed, function, excess }
    }
}

impl Generator {
    fn strided_nest(&mut self) -> Stmt {
        let axes = self.random.weighted(&[(3, 2), (2, 3)]);
        let padding = (1..axes).map(|_| self.random.weighted(&[(6, 0), (2, 1), (1, 2)])).collect();
        let mut order: Vec<usize> = (0..axes).collect();
        if self.random.chance(25) {
            order.swap(0, axes - 1);
        }
        let shape = Shape { axes, padding, order };
        self.axis_loop(&shape, 0)
    }

    fn axis_loop(&mut self, shape: &Shape, level: usize) -> Stmt {
        let Some(axis) = shape.order.get(level) else { return self.strided_store(shape) };
        let (counter, size) = AXES[*axis];
        let padding = if *axis == 0 { 0 } else { shape.padding[*axis - 1] };
        let from = self.random.weighted(&[(6, 0), (3, 1)]);
        let from = self.int(from, Scalar::Usize);
        let size = self.expr(ExprKind::Variable(size.into()));
        let to = match self.random.below(10) {
            0..=5 => self.moved(size, padding),
            6..=7 => {
                let one = self.int(1, Scalar::Usize);
                self.method(size, "saturating_sub", vec![one])
            }
            8 => self.moved(size, padding + 1),
            _ => self.moved(size, 0),
        };
        let mut stmts = vec![self.axis_loop(shape, level + 1)];
        if level + 1 == shape.axes && self.random.chance(35) {
            stmts.push(self.strided_store(shape));
        }
        let (variable, body) = (self.ident(counter), Block { stmts, value: None });
        self.stmt(StmtKind::For { variable, from, to, inclusive: false, adaptors: Vec::new(), body })
    }

    /// `x + by`
    fn moved(&mut self, x: Expr, by: i64) -> Expr {
        let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        match by.unsigned_abs() {
            0 => x,
            by => {
                let by = self.int(by as i64, Scalar::Usize);
                self.binary(op, x, by)
            }
        }
    }

    /// `((i + a)*(m + padding) + j + b)*p + k`, by Horner's rule or as a sum of products; now and then with other sizes.
    fn strided_subscript(&mut self, shape: &Shape, usual: bool) -> Expr {
        let mut sum: Option<Expr> = None;
        for axis in 0..shape.axes {
            let counter = self.expr(ExprKind::Variable(AXES[axis].0.into()));
            let by = if usual { 0 } else { self.random.weighted(&[(5, 0), (2, 1), (2, -1)]) };
            let at = self.moved(counter, by);
            sum = Some(match sum {
                None => at,
                Some(rows) => {
                    let strange = self.random.chance(4);
                    let size = AXES[if strange { self.random.below(3) } else { axis }].1;
                    let size = self.expr(ExprKind::Variable(size.into()));
                    let stride = self.moved(size, shape.padding[axis - 1]);
                    let rows = self.binary(BinaryOp::Mul, rows, stride);
                    self.binary(BinaryOp::Add, rows, at)
                }
            });
        }
        sum.unwrap_or_else(|| unreachable!("a nest has axes"))
    }

    fn strided_element(&mut self, name: &str, shape: &Shape, usual: bool) -> Expr {
        let subs = vec![self.strided_subscript(shape, usual)];
        let array = self.ident(name);
        self.expr(ExprKind::Element { array, subs })
    }

    fn strided_store(&mut self, shape: &Shape) -> Stmt {
        let (array, usual) = (self.random.pick(&["y", "y", "z"]), self.random.chance(80));
        let subs = vec![self.strided_subscript(shape, usual)];
        let (from, same) = (self.random.pick(&["x", "x", "y", "z"]), self.random.chance(60));
        let read = self.strided_element(from, shape, same);
        let half = self.expr(ExprKind::Float(0.5, 0.5, Some(Scalar::F64)));
        let value = self.binary(BinaryOp::Mul, read, half);
        let op = self.random.chance(40).then_some(BinaryOp::Add);
        let place = Place::Element { array: self.ident(array), subs };
        let store = self.assign(place, op, value);
        if !self.random.chance(15) {
            return store;
        }
        let (a, b) = (AXES[0].0.to_owned(), AXES[shape.axes - 1].0.to_owned());
        let (a, b) = (self.expr(ExprKind::Variable(a)), self.expr(ExprKind::Variable(b)));
        let cond = self.binary(BinaryOp::Le, a, b);
        let then = Block { stmts: vec![store], value: None };
        self.stmt(StmtKind::If { cond, then, els: Block::default() })
    }
}
