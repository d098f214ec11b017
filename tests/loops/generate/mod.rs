//! Random loop nests: everything comes from a seed.
//!
//! Sizes of arrays are at least the `n` of a call, so that loops to `n` or to a size, with subscripts near their variables,
//! stay within bounds. A nest that does leave them is mostly replaced by another one ([`Program::new`]).

mod expr;
mod gathered;
mod nest;
mod strided;
mod updates;
mod worked;

use super::call;
use super::plain::{self, Limits};
use super::random::Random;
use super::text;
use megha_core::offload::ast::{
    ArrayForm, Block, Expr, ExprKind, Function, Ident, Param, ParamType, Place, Rounding, Scalar, SpanId, Stmt,
    StmtKind,
};

/// Sizes at which a nest is tried.
const TRIED: [usize; 3] = [2, 5, 7];

/// Statements and iterations of a call at the largest of these sizes.
pub const MOST_STEPS: u64 = 30_000;

/// A generated function.
pub struct Program {
    /// Where it comes from.
    pub seed: u64,
    /// The function.
    pub function: Function,
    /// How much longer than `n` each axis of each array parameter is.
    pub excess: Vec<Vec<usize>>,
}

/// A function without results.
fn procedure(name: Ident, params: Vec<Param>, stmts: Vec<Stmt>) -> Function {
    let (rounding, body) = (Rounding::default(), Block { stmts, value: None });
    Function { name, params, results: Vec::new(), fallible: false, rounding, body }
}

impl Program {
    /// The program of a seed.
    pub fn new(seed: u64) -> Self {
        let mut generator = Generator::new(seed);
        let (params, excess) = generator.params();
        let name = generator.ident(&format!("f{seed}"));
        let function = procedure(name, params, Vec::new());
        let mut program = Self { seed, function, excess };
        let scalars = generator.declarations();
        program.function.body.stmts.extend(scalars);
        let nests = generator.random.weighted(&[(5, 1), (3, 2), (2, 3)]);
        for _ in 0..nests {
            program.add_nest(&mut generator);
        }
        if let Some(total) = generator.result() {
            program.function.results = vec![total.1];
            program.function.body.value = Some(Box::new(total.0));
        }
        program
    }

    /// Adds a nest that stays within bounds, if the tenth at the latest does; one in eight may do as it likes.
    fn add_nest(&mut self, generator: &mut Generator) {
        let free = generator.random.chance(12);
        for _ in 0..10 {
            let before = generator.scope.len();
            generator.wild = false;
            let nest = generator.nest();
            self.function.body.stmts.extend(nest.iter().cloned());
            let ends: Vec<_> = TRIED.iter().map(|n| self.try_call(*n)).collect();
            let too_long = ends.contains(&Some(plain::End::Steps));
            if !too_long && (free || generator.wild || ends.iter().all(Option::is_none)) {
                return;
            }
            self.function.body.stmts.truncate(self.function.body.stmts.len() - nest.len());
            generator.scope.truncate(before);
        }
    }

    fn try_call(&self, n: usize) -> Option<plain::End> {
        let limits = Limits { steps: MOST_STEPS, record: false };
        plain::run(&self.function, call::arguments(self, n, &[]), &limits).err()
    }

    /// The function as Rust.
    pub fn text(&self) -> String {
        text::function(&self.function)
    }
}

/// A scalar in scope.
#[derive(Debug, Clone)]
struct Variable {
    name: String,
    scalar: Scalar,
    mutable: bool,
    is_counter: bool,
}

#[derive(Debug, Clone)]
struct Array {
    name: String,
    class: Scalar,
    rank: usize,
    mutable: bool,
}

/// How all accesses of a nest to arrays that it stores into are alike, so that iterations are independent.
#[derive(Debug, Clone, Copy)]
struct Tidy {
    /// Whether the inner loops' variables are the subscripts.
    inner: bool,
    form: Form,
}

/// The subscript along the first axis: `i`, `n - 1 - i`, `2 * i` or one more.
#[derive(Debug, Clone, Copy)]
enum Form {
    Same,
    Backwards,
    Even,
}

struct Generator {
    random: Random,
    spans: u32,
    scope: Vec<Variable>,
    arrays: Vec<Array>,
    /// Loops around the current place.
    depth: usize,
    /// The sum that the innermost loop of a reduction is to add to.
    pending: Option<Variable>,
    /// The axis whose subscript is made, where each has a loop of its own.
    axis: Option<usize>,
    /// If the nest is a tidy one.
    tidy: Option<Tidy>,
    /// Whether the nest has a subscript that is there to leave the array.
    wild: bool,
    /// Whether tidy nests also touch rows and columns that do not change in some loop, which is to be split there.
    pivots: bool,
}

/// Of other types than those of `NUMBERS` there are no variables.
const OTHER: &str = "the generator knows f64, f32, usize, i64 and bool";

/// A variable's name with its class, and whether a function may assign to it.
const NUMBERS: [(&str, Scalar); 6] = [
    ("n", Scalar::Usize),
    ("m", Scalar::Usize),
    ("start", Scalar::Usize),
    ("q", Scalar::I64),
    ("r", Scalar::I64),
    ("s", Scalar::F64),
];

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            spans: 0,
            scope: Vec::new(),
            arrays: Vec::new(),
            depth: 0,
            pending: None,
            axis: None,
            tidy: None,
            wild: false,
            // The others stay what they were, those that went wrong once among them.
            pivots: seed.is_multiple_of(5),
        }
    }

    fn span(&mut self) -> SpanId {
        self.spans += 1;
        SpanId(self.spans)
    }

    fn ident(&mut self, text: &str) -> Ident {
        Ident { text: text.to_owned(), span: self.span() }
    }

    fn expr(&mut self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span() }
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.span() }
    }

    fn params(&mut self) -> (Vec<Param>, Vec<Vec<usize>>) {
        let (mut params, mut excess) = (Vec::new(), Vec::new());
        let reads = self.random.weighted(&[(3, 0), (5, 1), (3, 2)]);
        let writes = self.random.weighted(&[(6, 1), (4, 2), (1, 3)]);
        let reads = ["x", "a", "b"][..reads].iter().map(|name| (*name, false));
        for (name, mutable) in reads.chain(["y", "c", "w"][..writes].iter().map(|name| (*name, true))) {
            let class = if self.random.chance(25) { Scalar::F32 } else { Scalar::F64 };
            let rank = self.random.weighted(&[(5, 1), (5, 2), (2, 3)]);
            self.arrays.push(Array { name: name.to_owned(), class, rank, mutable });
            let (name, value) = (self.ident(name), name.to_owned());
            params.push(Param { name, value, ty: ParamType::Array { class, rank, mutable, form: ArrayForm::Ndarray } });
            excess.push((0..rank).map(|_| self.random.weighted(&[(6, 0), (2, 1), (1, 2)])).collect());
        }
        for (name, scalar) in NUMBERS {
            if self.random.chance(if name == "n" { 70 } else { 30 }) {
                let mutable = self.random.chance(8);
                self.scope.push(Variable { name: name.to_owned(), scalar, mutable, is_counter: false });
                let (name, value) = (self.ident(name), name.to_owned());
                params.push(Param { name, value, ty: ParamType::Scalar(scalar, mutable) });
                excess.push(Vec::new());
            }
        }
        (params, excess)
    }

    /// Scalars that live as long as the function.
    fn declarations(&mut self) -> Vec<Stmt> {
        let count = self.random.weighted(&[(6, 0), (3, 1), (1, 2)]);
        (0..count).map(|_| self.declare(true)).collect()
    }

    /// The value of the function.
    fn result(&mut self) -> Option<(Expr, Scalar)> {
        let known: Vec<Variable> = self.visible(|v| v.mutable && v.scalar != Scalar::Bool);
        if known.is_empty() || self.random.chance(30) {
            return None;
        }
        let variable = self.random.pick(&known);
        Some((self.expr(ExprKind::Variable(variable.name)), variable.scalar))
    }

    /// The scalars that a name leads to and for which something holds.
    fn visible(&self, holds: impl Fn(&Variable) -> bool) -> Vec<Variable> {
        let hidden = |at: usize| self.scope[at + 1..].iter().any(|v| v.name == self.scope[at].name);
        let numbers = 0..self.scope.len();
        numbers.filter(|at| !hidden(*at) && holds(&self.scope[*at])).map(|at| self.scope[at].clone()).collect()
    }

    /// `let name: scalar = value;`
    fn declare(&mut self, mutable: bool) -> Stmt {
        let scalars = [
            (6, Scalar::F64),
            (2, Scalar::F32),
            (3, Scalar::Usize),
            (2, Scalar::I64),
            (if mutable { 0 } else { 1 }, Scalar::Bool),
        ];
        let scalar = self.random.weighted(&scalars);
        let start_simple = mutable && self.random.chance(70);
        let value = if start_simple { self.literal(scalar) } else { self.value(scalar, 2) };
        let ty = self.random.chance(50).then_some(scalar);
        self.bind(scalar, mutable, ty, value)
    }

    /// A `let` of a value, under a new name or, now and then, one that hides another.
    fn bind(&mut self, scalar: Scalar, mutable: bool, ty: Option<Scalar>, value: Expr) -> Stmt {
        let old = self.visible(|v| !v.is_counter);
        let letter = if mutable { "sum" } else { "t" };
        let name = match self.random.chance(4) && !old.is_empty() {
            true => self.random.pick(&old).name,
            false => format!("{letter}{}", self.spans),
        };
        self.bind_as(&name, (scalar, mutable), ty, value)
    }

    fn bind_as(&mut self, name: &str, (scalar, mutable): (Scalar, bool), ty: Option<Scalar>, value: Expr) -> Stmt {
        self.scope.push(Variable { name: name.to_owned(), scalar, mutable, is_counter: false });
        let name = self.ident(name);
        self.stmt(StmtKind::Let { name, ty, mutable, value: Some(value) })
    }

    fn assign(&mut self, place: Place, op: Option<megha_core::offload::ast::BinaryOp>, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign { place, op, value })
    }
}
