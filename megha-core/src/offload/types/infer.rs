//! The walk that resolves names and unifies types.

use super::methods::{MAX_POWER, Method};
use super::unify::{Kind, Term, Terms, is_float, is_int};
use super::{Shape, Types, Variable};
use crate::diag::Code;
use crate::hash::HashMap;
use crate::offload::Problem;
use crate::offload::ast::{
    BinaryOp, Block, Expr, ExprKind, Function, Ident, ParamType, Place, Scalar, SpanId, Stmt, StmtKind,
};

/// Types a function; see [`Types::of`].
pub(super) fn run(function: &Function) -> Result<Types, Vec<Problem>> {
    let types =
        Types { variables: Vec::new(), uses: HashMap::default(), exprs: HashMap::default(), terms: Terms::default() };
    let mut infer = Infer { types, scope: Vec::new(), problems: Vec::new(), late: Vec::new() };
    for param in &function.params {
        let (shape, mutable) = match param.ty {
            ParamType::Scalar(scalar, mutable) => (Shape::Scalar(infer.known(scalar)), mutable),
            ParamType::Array { class, rank, mutable } => (Shape::Array(class, rank), mutable),
        };
        infer.declare(&param.name, shape, mutable);
    }
    infer.body(function);
    infer.check_late();
    if infer.problems.is_empty() { Ok(infer.types) } else { Err(infer.problems) }
}

/// A demand on a type that is tested when all types are known.
enum Demand {
    /// Floating point, for this operation.
    Float(String),
    /// A number, for this operation.
    Number(&'static str),
    /// A number with a sign, for this operation.
    Signed(&'static str),
    /// A cast from a number or `bool` to this type.
    CastTo(Scalar),
    /// A divisor of whole numbers; the flag says that it is a literal above zero.
    Divisor(bool),
}

struct Infer {
    types: Types,
    /// The variables in scope, the innermost last.
    scope: Vec<usize>,
    problems: Vec<Problem>,
    late: Vec<(Term, SpanId, Demand)>,
}

impl Infer {
    fn known(&mut self, scalar: Scalar) -> Term {
        self.term(Kind::Known(scalar))
    }

    fn term(&mut self, kind: Kind) -> Term {
        self.types.terms.new_term(kind)
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
                "pass it as a parameter; constants and statics from outside are not taken",
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
        match (function.result, &function.body.value, value) {
            (Some(wanted), Some(expr), Some(found)) => {
                let wanted = self.known(wanted);
                self.same(found, wanted, expr.span, "the result");
            }
            (Some(wanted), None, _) => {
                let message = format!("the function ends without a value of type {}", wanted.name());
                let help = "end the body in an expression without a semicolon; `return` is not taken";
                self.problem(Code::LoopTypes, function.name.span, message, help);
            }
            (None, Some(expr), _) => {
                let message = "this value is the function's result, but the function has no result type".to_owned();
                self.problem(Code::LoopTypes, expr.span, message, "");
            }
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) -> Option<Term> {
        let depth = self.scope.len();
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        let value = block.value.as_ref().map(|value| self.expr(value));
        self.scope.truncate(depth);
        value
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { name, ty, mutable, value } => {
                let mut term = ty.map(|ty| self.known(ty));
                match value {
                    Some(value) => {
                        let found = self.expr(value);
                        match term {
                            Some(term) => self.same(found, term, value.span, "the value"),
                            None => term = Some(found),
                        }
                    }
                    None => self.problem(
                        Code::UnsupportedLoop,
                        name.span,
                        format!("`{}` has no first value", name.text),
                        "write `let mut x = 0.0;`",
                    ),
                }
                let term = term.unwrap_or_else(|| self.term(Kind::Any));
                self.declare(name, Shape::Scalar(term), *mutable);
            }
            StmtKind::Assign { place, op, value } => self.assign(place, *op, value),
            StmtKind::For { variable, from, to, body, .. } => {
                let (first, end) = (self.expr(from), self.expr(to));
                self.same(end, first, to.span, "the end of the range");
                let whole = self.term(Kind::Int);
                self.same(first, whole, from.span, "the start of the range");
                let depth = self.scope.len();
                self.declare(variable, Shape::Scalar(first), false);
                if self.block(body).is_some() {
                    self.no_value(body);
                }
                self.scope.truncate(depth);
            }
            StmtKind::If { cond, then, els } => {
                self.condition(cond);
                for arm in [then, els] {
                    if self.block(arm).is_some() {
                        self.no_value(arm);
                    }
                }
            }
            StmtKind::Block(block) => {
                if self.block(block).is_some() {
                    self.no_value(block);
                }
            }
        }
    }

    fn no_value(&mut self, block: &Block) {
        if let Some(value) = &block.value {
            let message = "this value is not used".to_owned();
            self.problem(Code::LoopTypes, value.span, message, "a loop body or branch that stands alone has no value");
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
            Some(op) => drop(self.arithmetic(op, (target, span), (found, value), span)),
        }
    }

    /// Whether a variable may be assigned to (an array: stored into).
    fn target(&mut self, name: &Ident, element: bool) -> Option<()> {
        let number = self.find(&name.text, name.span)?;
        let variable = self.types.variables[number].clone();
        let is_array = matches!(variable.shape, Shape::Array(..));
        if is_array && !element {
            let message = format!("`{}` is assigned as a whole", name.text);
            self.problem(Code::UnsupportedLoop, name.span, message, "assign its elements in a loop");
            return None;
        }
        if !variable.mutable {
            let what = if is_array { "stored into" } else { "assigned to" };
            let help = match is_array {
                true => "take it as `mut x: ArrayViewMut2<f64>` or `x: &mut Array2<f64>`",
                false => "declare it with `mut`",
            };
            let message = format!("`{}` is {what}, but is not mutable", name.text);
            self.problem(Code::LoopName, name.span, message, help);
            return None;
        }
        Some(())
    }

    fn variable(&mut self, name: &str, span: SpanId) -> Term {
        match self.find(name, span).map(|v| self.types.variables[v].shape) {
            Some(Shape::Scalar(term)) => term,
            Some(Shape::Array(..)) => {
                let message = format!("the array `{name}` is used as a whole");
                self.problem(Code::UnsupportedLoop, span, message, "use its elements, `a[[i, j]]`");
                self.term(Kind::Any)
            }
            None => self.term(Kind::Any),
        }
    }

    fn array(&mut self, array: &Ident) -> Option<(Scalar, usize)> {
        let number = self.find(&array.text, array.span)?;
        match self.types.variables[number].shape {
            Shape::Array(class, rank) => Some((class, rank)),
            Shape::Scalar(_) => {
                let message = format!("`{}` is a number, not an array", array.text);
                self.problem(Code::LoopTypes, array.span, message, "");
                None
            }
        }
    }

    fn element(&mut self, array: &Ident, subs: &[Expr]) -> Term {
        for sub in subs {
            let (found, wanted) = (self.expr(sub), self.known(Scalar::Usize));
            self.same(found, wanted, sub.span, "the subscript");
        }
        let Some((class, rank)) = self.array(array) else { return self.term(Kind::Any) };
        if subs.len() != rank {
            let message = format!("`{}` has {rank} dimensions, but {} subscripts", array.text, subs.len());
            self.problem(Code::LoopTypes, array.span, message, "write `a[i]`, `a[[i, j]]` or `a[[i, j, k]]`");
        }
        self.known(class)
    }

    fn expr(&mut self, expr: &Expr) -> Term {
        let term = self.expr_kind(expr);
        self.types.exprs.insert(expr.span, term);
        term
    }

    fn expr_kind(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Float(_, suffix) => self.term(suffix.map_or(Kind::Float, Kind::Known)),
            ExprKind::Int(_, suffix) => self.term(suffix.map_or(Kind::Int, Kind::Known)),
            ExprKind::Bool(_) => self.known(Scalar::Bool),
            ExprKind::Variable(name) => self.variable(name, expr.span),
            ExprKind::Element { array, subs } => self.element(array, subs),
            ExprKind::Extent { array, axis } => {
                if let (Some((_, rank)), Some(axis)) = (self.array(array), axis)
                    && *axis >= rank
                {
                    let message = format!("`{}` has no dimension {axis}: it has {rank}, counted from 0", array.text);
                    self.problem(Code::LoopTypes, expr.span, message, "");
                }
                self.known(Scalar::Usize)
            }
            ExprKind::Neg(operand) => {
                let term = self.expr(operand);
                self.late.push((term, operand.span, Demand::Signed("`-`")));
                term
            }
            ExprKind::Not(operand) => {
                let (found, wanted) = (self.expr(operand), self.known(Scalar::Bool));
                self.same(found, wanted, operand.span, "the operand of `!`");
                wanted
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a), self.expr(b));
                self.arithmetic(*op, (left, a.span), (right, b), expr.span)
            }
            ExprKind::Method { receiver, method, args } => self.method(receiver, method, args),
            ExprKind::Cast(operand, to) => {
                let term = self.expr(operand);
                self.late.push((term, operand.span, Demand::CastTo(*to)));
                self.known(*to)
            }
            ExprKind::If(cond, then, els) => {
                self.condition(cond);
                let (left, right) = (self.block(then), self.block(els));
                match (left, right, &els.value) {
                    (Some(left), Some(right), Some(value)) => {
                        self.same(right, left, value.span, "the value of `else`");
                        left
                    }
                    _ => {
                        let message = "a branch of this `if` has no value".to_owned();
                        self.problem(Code::LoopTypes, expr.span, message, "");
                        self.term(Kind::Any)
                    }
                }
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, (a, at): (Term, SpanId), (b, right): (Term, &Expr), span: SpanId) -> Term {
        if op.is_logical() {
            let bool = self.known(Scalar::Bool);
            self.same(a, bool, at, "the left operand");
            self.same(b, bool, right.span, "the right operand");
            return bool;
        }
        self.same(b, a, right.span, "the right operand");
        if op.is_comparison() {
            return self.known(Scalar::Bool);
        }
        self.late.push((a, at, Demand::Number("arithmetic")));
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            let literal = matches!(right.kind, ExprKind::Int(1.., _));
            self.late.push((a, right.span, Demand::Divisor(literal)));
        }
        if op == BinaryOp::Rem {
            let kind = self.types.terms.kind(a);
            if matches!(kind, Kind::Float) || matches!(kind, Kind::Known(s) if is_float(s)) {
                self.problem(Code::UnsupportedLoop, span, "`%` of floating-point numbers is not taken".into(), "");
            }
        }
        a
    }

    fn method(&mut self, receiver: &Expr, method: &Ident, args: &[Expr]) -> Term {
        let of = self.expr(receiver);
        let Some(known) = Method::from_name(&method.text) else {
            for arg in args {
                self.expr(arg);
            }
            let message = format!("the method `{}` is not taken", method.text);
            self.problem(
                Code::UnsupportedLoop,
                method.span,
                message,
                &format!("of numbers these are: {}", Method::names()),
            );
            return self.term(Kind::Any);
        };
        if args.len() != known.arguments() {
            let message = format!("`{}` takes {} arguments", method.text, known.arguments());
            self.problem(Code::LoopTypes, method.span, message, "");
            return of;
        }
        if known == Method::Powi {
            self.power(&args[0]);
        } else {
            for arg in args {
                let found = self.expr(arg);
                self.same(found, of, arg.span, "the argument");
            }
        }
        match known {
            Method::SaturatingSub => {
                let wanted = self.known(Scalar::Usize);
                self.same(of, wanted, receiver.span, "the receiver of `saturating_sub`");
            }
            Method::Extremum(_) => self.late.push((of, receiver.span, Demand::Number("`min` and `max`"))),
            Method::Abs => self.late.push((of, receiver.span, Demand::Signed("`abs`"))),
            _ => self.late.push((of, receiver.span, Demand::Float(format!("`{}`", method.text)))),
        }
        if matches!(known, Method::Predicate(_)) { self.known(Scalar::Bool) } else { of }
    }

    fn power(&mut self, exponent: &Expr) {
        let literal = match &exponent.kind {
            ExprKind::Int(n, _) => Some(*n),
            ExprKind::Neg(inner) => match inner.kind {
                ExprKind::Int(n, _) => Some(-n),
                _ => None,
            },
            _ => None,
        };
        if literal.is_none_or(|n| n.abs() > MAX_POWER) {
            let message = format!("the exponent of `powi` must be a literal from -{MAX_POWER} to {MAX_POWER}");
            self.problem(Code::UnsupportedLoop, exponent.span, message, "use `powf`, or a loop");
        }
    }

    fn check_late(&mut self) {
        for (term, span, demand) in std::mem::take(&mut self.late) {
            if self.types.terms.kind(term) == Kind::Any {
                continue;
            }
            let scalar = self.types.terms.scalar(term);
            let name = scalar.name();
            let message = match demand {
                Demand::Float(what) if !is_float(scalar) => {
                    format!("{what} is of floating-point numbers, not of {name}")
                }
                Demand::Number(what) if scalar == Scalar::Bool => format!("{what} is of numbers, not of bool"),
                Demand::Signed(what) if !is_float(scalar) && scalar != Scalar::I64 => {
                    format!("{what} is not defined on {name}")
                }
                Demand::CastTo(Scalar::Bool) => "nothing is cast to bool".to_owned(),
                Demand::CastTo(to) if scalar == Scalar::Bool && is_float(to) => {
                    format!("bool is not cast to {} in one step", to.name())
                }
                Demand::Divisor(literal) if is_int(scalar) && !(literal && scalar == Scalar::Usize) => {
                    let message = "whole numbers are divided only where they are usize and the divisor is a literal";
                    self.problem(Code::UnsupportedLoop, span, message.to_owned(), "");
                    continue;
                }
                _ => continue,
            };
            self.problem(Code::LoopTypes, span, message, "");
        }
    }
}
