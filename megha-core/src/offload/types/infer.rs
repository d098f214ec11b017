//! The walk that resolves names and unifies types: statements. [`expr`] has expressions, [`complex`] those of complex numbers, [`demand`] what is tested when all types are known.

mod complex;
mod demand;
mod expr;

use super::unify::{Kind, Term, Terms};
use super::{Shape, Types, Variable};
use crate::diag::Code;
use crate::hash::HashMap;
use crate::offload::Problem;
use crate::offload::ast::{
    Adaptor, BinaryOp, Block, Expr, ExprKind, Function, Ident, ParamType, Place, Scalar, SpanId, Stmt, StmtKind,
};
use demand::Demand;

/// Types a function; see [`Types::of`].
pub(super) fn run(function: &Function) -> Result<Types, Vec<Problem>> {
    let types =
        Types { variables: Vec::new(), uses: HashMap::default(), exprs: HashMap::default(), terms: Terms::default() };
    let mut infer =
        Infer { types, scope: Vec::new(), problems: Vec::new(), late: Vec::new(), results: function.results.clone() };
    for param in &function.params {
        let (shape, mutable) = match param.ty {
            ParamType::Scalar(scalar, mutable) => (Shape::Scalar(infer.known(scalar)), mutable),
            ParamType::Array { class, rank, mutable, .. } => (Shape::Array(infer.known(class), rank), mutable),
            ParamType::Constant(ty) => (Shape::Scalar(infer.constant(&param.name, ty)), false),
        };
        infer.declare(&param.name, shape, mutable);
    }
    infer.body(function);
    infer.check_late();
    if infer.problems.is_empty() { Ok(infer.types) } else { Err(infer.problems) }
}

struct Infer {
    types: Types,
    /// The variables in scope, the innermost last.
    scope: Vec<usize>,
    problems: Vec<Problem>,
    late: Vec<(Term, SpanId, Demand)>,
    /// The types of the function's results.
    results: Vec<Scalar>,
}

impl Infer {
    fn known(&mut self, scalar: Scalar) -> Term {
        self.term(Kind::Known(scalar))
    }

    fn term(&mut self, kind: Kind) -> Term {
        self.types.terms.new_term(kind)
    }

    fn constant(&mut self, name: &Ident, ty: Option<Scalar>) -> Term {
        let term = self.term(ty.map_or(Kind::Any, Kind::Known));
        self.late.push((term, name.span, Demand::Inferred(name.text.clone())));
        term
    }

    fn problem(&mut self, code: Code, span: SpanId, message: String, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_owned());
        self.problems.push(Problem { code, span, message, help });
    }

    fn declare(&mut self, name: &Ident, shape: Shape, mutable: bool) {
        let number = self.types.variables.len();
        self.types.variables.push(Variable { name: name.text.clone(), mutable, span: name.span, shape });
        self.types.uses.insert(name.span, number);
        self.scope.push(number);
    }

    fn find(&mut self, name: &str, span: SpanId) -> Option<usize> {
        let found = self.scope.iter().rev().copied().find(|v| self.types.variables[*v].name == name);
        match found {
            Some(number) => drop(self.types.uses.insert(span, number)),
            None => self.problem(
                Code::LoopName,
                span,
                format!("`{name}` is no parameter and no local variable of this function"),
                "pass it as a parameter",
            ),
        }
        found
    }

    /// Demands that an expression of type `found` at `span` has the type `wanted`.
    fn same(&mut self, found: Term, wanted: Term, span: SpanId, what: &str) {
        let (is, must) = (self.types.terms.kind(found), self.types.terms.kind(wanted));
        if !self.types.terms.unify(found, wanted) {
            let message = format!("{what} is {is}, but must be {must}");
            self.problem(Code::LoopTypes, span, message, "convert with `as`");
        }
    }

    fn body(&mut self, function: &Function) {
        let value = self.block(&function.body);
        let ends = leaves(&function.body);
        match (&function.results[..], &function.body.value, value) {
            ([wanted], Some(expr), Some(found)) => {
                let wanted = self.known(*wanted);
                self.same(found, wanted, expr.span, "the result");
            }
            ([], Some(expr), _) => {
                let message = "this value is the function's result, but the function has no result type".to_owned();
                self.problem(Code::LoopTypes, expr.span, message, "name the type after the parameters, as in `-> f64`");
            }
            ([], None, _) => {}
            _ if ends => {}
            (wanted, ..) => {
                let names: Vec<&str> = wanted.iter().map(|scalar| scalar.name()).collect();
                let message = format!("the function ends without a value of type {}", names.join(", "));
                let help = "end the body in an expression without a semicolon, or in `return`";
                self.problem(Code::LoopTypes, function.name.span, message, help);
            }
        }
    }

    fn block(&mut self, block: &Block) -> Option<Term> {
        let depth = self.scope.len();
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        let value = block.value.as_ref().map(|value| self.expr(value));
        self.scope.truncate(depth);
        value
    }

    /// A block that stands alone, and so has no value.
    fn alone(&mut self, block: &Block) {
        if self.block(block).is_some()
            && let Some(value) = &block.value
        {
            let message = "this value is not used".to_owned();
            self.problem(Code::LoopTypes, value.span, message, "a loop body or branch that stands alone has no value");
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { name, ty, mutable, value } => self.declaration(name, *ty, *mutable, value.as_ref()),
            StmtKind::LetArray { name, ty, mutable, dims, fill } => {
                for size in dims {
                    let (found, wanted) = (self.expr(size), self.known(Scalar::Usize));
                    self.same(found, wanted, size.span, "the size");
                }
                let found = self.expr(fill);
                if let Some(ty) = ty {
                    let wanted = self.known(*ty);
                    self.same(found, wanted, fill.span, "the value");
                }
                self.declare(name, Shape::Array(found, dims.len()), *mutable);
            }
            StmtKind::Assign { place, op, value } => self.assign(place, *op, value),
            StmtKind::For { variable, from, to, adaptors, body, .. } => {
                self.counted(variable, (from, to), adaptors, body);
            }
            StmtKind::While { cond, body } => {
                self.condition(cond);
                self.alone(body);
            }
            StmtKind::If { cond, then, els } => {
                self.condition(cond);
                self.alone(then);
                self.alone(els);
            }
            StmtKind::Block(block) => self.alone(block),
            StmtKind::Break(_) | StmtKind::Continue(_) => {}
            StmtKind::Return(values) => self.returned(values, stmt.span),
            StmtKind::Assert { cond, .. } => self.condition(cond),
            StmtKind::Swap(a, b) => self.swapped(a, b),
            StmtKind::Alike(a, b) => {
                self.expr(a);
                self.expr(b);
            }
        }
    }

    /// Two arrays whose contents are exchanged: of one class and rank, which Rust has checked.
    fn swapped(&mut self, a: &Ident, b: &Ident) {
        for name in [a, b] {
            self.target(name, true);
        }
        let (Some(first), Some(second)) = (self.find(&a.text, a.span), self.find(&b.text, b.span)) else { return };
        let shapes = [first, second].map(|number| self.types.variables[number].shape);
        match shapes {
            [Shape::Array(x, rank), Shape::Array(y, other)] if rank == other => self.same(y, x, b.span, "the array"),
            _ => {
                let message = format!("`{}` and `{}` are no arrays of one number of dimensions", a.text, b.text);
                self.problem(Code::LoopTypes, b.span, message, "swap arrays that are alike");
            }
        }
    }

    fn declaration(&mut self, name: &Ident, ty: Option<Scalar>, mutable: bool, value: Option<&Expr>) {
        let mut term = ty.map(|ty| self.known(ty));
        if let Some(value) = value {
            let found = self.expr(value);
            match term {
                Some(term) => self.same(found, term, value.span, "the value"),
                None => term = Some(found),
            }
        }
        let term = term.unwrap_or_else(|| self.term(Kind::Any));
        // Without a first value it is assigned to once, which Rust checks.
        self.declare(name, Shape::Scalar(term), mutable || value.is_none());
    }

    fn counted(&mut self, variable: &Ident, (from, to): (&Expr, &Expr), adaptors: &[Adaptor], body: &Block) {
        let (first, end) = (self.expr(from), self.expr(to));
        self.same(end, first, to.span, "the end of the range");
        let whole = self.term(Kind::Int);
        self.same(first, whole, from.span, "the start of the range");
        for adaptor in adaptors {
            let (Adaptor::StepBy(count) | Adaptor::Take(count) | Adaptor::Skip(count)) = adaptor else { continue };
            let (found, wanted) = (self.expr(count), self.known(Scalar::Usize));
            self.same(found, wanted, count.span, "the argument");
        }
        let depth = self.scope.len();
        self.declare(variable, Shape::Scalar(first), true);
        self.alone(body);
        self.scope.truncate(depth);
    }

    fn returned(&mut self, values: &[Expr], span: SpanId) {
        if values.len() != self.results.len() {
            let message = format!("`return` gives {} values, the function {}", values.len(), self.results.len());
            self.problem(Code::LoopTypes, span, message, "give as many as the function's type says");
        }
        for (value, wanted) in values.iter().zip(self.results.clone()) {
            let (found, wanted) = (self.expr(value), self.known(wanted));
            self.same(found, wanted, value.span, "the result");
        }
    }

    fn condition(&mut self, cond: &Expr) {
        let (found, wanted) = (self.expr(cond), self.known(Scalar::Bool));
        self.same(found, wanted, cond.span, "the condition");
    }

    fn assign(&mut self, place: &Place, op: Option<BinaryOp>, value: &Expr) {
        let found = self.expr(value);
        let (target, span) = match place {
            Place::Variable(name) => {
                (self.target(name, false).map(|_| self.variable(&name.text, name.span)), name.span)
            }
            Place::Element { array, subs } => {
                let term = self.element(array, subs);
                (self.target(array, true).map(|()| term), array.span)
            }
        };
        let Some(target) = target else { return };
        match op {
            None => self.same(found, target, value.span, "the value"),
            Some(op) => {
                let found = self.arithmetic(op, (target, span), (found, value));
                self.same(found, target, value.span, "the value");
            }
        }
    }

    /// Whether a variable may be assigned to (an array: stored into).
    fn target(&mut self, name: &Ident, element: bool) -> Option<()> {
        let number = self.find(&name.text, name.span)?;
        let variable = self.types.variables[number].clone();
        let is_array = matches!(variable.shape, Shape::Array(..));
        if is_array && !element {
            let message = format!("`{}` is assigned as a whole", name.text);
            self.problem(Code::UnsupportedLoop, name.span, message, "assign its elements in a loop, or use `.assign`");
            return None;
        }
        if !variable.mutable {
            let what = if is_array { "stored into" } else { "assigned to" };
            let help = match is_array {
                true => "take it as `mut x: ArrayViewMut2<f64>`, `x: &mut Array2<f64>` or `x: &mut [f64]`",
                false => "declare it with `mut`",
            };
            let message = format!("`{}` is {what}, but is not mutable", name.text);
            self.problem(Code::LoopName, name.span, message, help);
            return None;
        }
        Some(())
    }
}

/// Whether control does not come to the end of a block.
fn leaves(block: &Block) -> bool {
    match block.stmts.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::Return(_)) => true,
        Some(StmtKind::If { then, els, .. }) => leaves(then) && leaves(els),
        Some(StmtKind::Block(inner)) => leaves(inner),
        Some(StmtKind::Let { .. } | StmtKind::LetArray { .. } | StmtKind::Assign { .. } | StmtKind::For { .. }) => {
            false
        }
        Some(StmtKind::While { .. } | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Alike(..)) => false,
        Some(StmtKind::Swap(..)) | None => false,
        // A failed one does, which is what the end of a `match` may be.
        Some(StmtKind::Assert { cond, .. }) => cond.kind == ExprKind::Bool(false),
    }
}
