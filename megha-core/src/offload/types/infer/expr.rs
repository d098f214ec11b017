//! The types of expressions.

use super::Infer;
use super::demand::Demand;
use crate::diag::Code;
use crate::offload::ast::{BinaryOp, Expr, ExprKind, Ident, Scalar, SpanId};
use crate::offload::types::Shape;
use crate::offload::types::methods::{Gives, Method, NumberMethod, WholeMethod};
use crate::offload::types::unify::{Kind, Term};

impl Infer {
    pub(super) fn variable(&mut self, name: &str, span: SpanId) -> Term {
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

    fn array(&mut self, array: &Ident) -> Option<(Term, usize)> {
        let number = self.find(&array.text, array.span)?;
        match self.types.variables[number].shape {
            Shape::Array(class, rank) => Some((class, rank)),
            Shape::Scalar(_) => {
                let message = format!("`{}` is a number, not an array", array.text);
                self.problem(Code::LoopTypes, array.span, message, "use the number itself");
                None
            }
        }
    }

    pub(super) fn element(&mut self, array: &Ident, subs: &[Expr]) -> Term {
        for sub in subs {
            let (found, wanted) = (self.expr(sub), self.known(Scalar::Usize));
            self.same(found, wanted, sub.span, "the subscript");
        }
        let Some((class, rank)) = self.array(array) else { return self.term(Kind::Any) };
        if subs.len() != rank {
            let message = format!("`{}` has {rank} dimensions, but {} subscripts", array.text, subs.len());
            self.problem(Code::LoopTypes, array.span, message, "write `a[i]`, `a[[i, j]]` or `a[[i, j, k]]`");
        }
        class
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Term {
        let term = self.expr_kind(expr);
        self.types.exprs.insert(expr.span, term);
        term
    }

    fn expr_kind(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Float(_, _, suffix) => self.term(suffix.map_or(Kind::Float, Kind::Known)),
            ExprKind::Int(_, suffix) => self.term(suffix.map_or(Kind::Int, Kind::Known)),
            ExprKind::Bool(_) => self.known(Scalar::Bool),
            ExprKind::Variable(name) => self.variable(name, expr.span),
            ExprKind::Element { array, subs } => self.element(array, subs),
            ExprKind::Extent { array, axis } => self.extent(array, *axis, expr.span),
            ExprKind::Neg(operand) => {
                let term = self.expr(operand);
                self.late.push((term, operand.span, Demand::Negated));
                term
            }
            ExprKind::Not(operand) => {
                let term = self.expr(operand);
                self.late.push((term, operand.span, Demand::Bits("`!`")));
                term
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a), self.expr(b));
                self.arithmetic(*op, (left, a.span), (right, b))
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
                    _ => self.no_value(expr.span, "a branch of this `if` has no value"),
                }
            }
            ExprKind::Block(block) => match self.block(block) {
                Some(term) => term,
                None => self.no_value(expr.span, "this block has no value"),
            },
            ExprKind::Complex(re, im) => {
                for part in [re, im] {
                    let (found, wanted) = (self.expr(part), self.known(Scalar::F64));
                    self.same(found, wanted, part.span, "a part of a complex number");
                }
                self.known(Scalar::C64)
            }
            ExprKind::Part(_, z) => {
                let (found, wanted) = (self.expr(z), self.known(Scalar::C64));
                self.same(found, wanted, z.span, "what has this field");
                self.known(Scalar::F64)
            }
            ExprKind::Typed(inner, ty) => {
                let (found, wanted) = (self.expr(inner), self.known(*ty));
                self.same(found, wanted, inner.span, "the value");
                wanted
            }
            ExprKind::Never | ExprKind::Neutral(_) => self.term(Kind::Any),
        }
    }

    fn no_value(&mut self, span: SpanId, message: &str) -> Term {
        self.problem(Code::LoopTypes, span, message.to_owned(), "end it in an expression without a semicolon");
        self.term(Kind::Any)
    }

    fn extent(&mut self, array: &Ident, axis: Option<usize>, span: SpanId) -> Term {
        if let (Some((_, rank)), Some(axis)) = (self.array(array), axis)
            && axis >= rank
        {
            let message = format!("`{}` has no dimension {axis}: it has {rank}, counted from 0", array.text);
            self.problem(Code::LoopTypes, span, message, "ask for a dimension that it has");
        }
        self.known(Scalar::Usize)
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, (a, at): (Term, SpanId), (b, right): (Term, &Expr)) -> Term {
        if op.is_logical() {
            let bool = self.known(Scalar::Bool);
            self.same(a, bool, at, "the left operand");
            self.same(b, bool, right.span, "the right operand");
            return bool;
        }
        if op.is_shift() {
            self.late.push((a, at, Demand::Whole("a shift".into())));
            self.late.push((b, right.span, Demand::Whole("a shift".into())));
            return a;
        }
        if let Some(complex) = self.complex_arithmetic(op, (a, at), (b, right)) {
            return complex;
        }
        self.same(b, a, right.span, "the right operand");
        if op.is_comparison() {
            return self.known(Scalar::Bool);
        }
        let demand = match op {
            _ if op.is_bitwise() => Demand::Bits("this operator"),
            _ => Demand::Number("arithmetic".into()),
        };
        self.late.push((a, at, demand));
        a
    }

    fn method(&mut self, receiver: &Expr, method: &Ident, args: &[Expr]) -> Term {
        let of = self.expr(receiver);
        if self.is_complex(of) {
            return self.complex_method(method, args);
        }
        let Some(known) = Method::from_name(&method.text) else {
            for arg in args {
                self.expr(arg);
            }
            let message = format!("the method `{}` is not taken", method.text);
            let help = format!("of numbers these are: {}", Method::names());
            self.problem(Code::UnsupportedLoop, method.span, message, &help);
            return self.term(Kind::Any);
        };
        if args.len() != known.arguments() {
            let message = format!("`{}` takes {} arguments", method.text, known.arguments());
            self.problem(Code::LoopTypes, method.span, message, "give as many as it takes");
            return of;
        }
        let exponent = match known {
            Method::Powi => Some(Scalar::I32),
            Method::Whole(WholeMethod::Pow) => Some(Scalar::U32),
            Method::Whole(WholeMethod::RotateLeft | WholeMethod::RotateRight) => Some(Scalar::U32),
            Method::Whole(WholeMethod::WrappingShl | WholeMethod::WrappingShr) => Some(Scalar::U32),
            _ => None,
        };
        for arg in args {
            let found = self.expr(arg);
            match exponent {
                Some(class) => {
                    let wanted = self.known(class);
                    self.same(found, wanted, arg.span, "the argument");
                }
                None => self.same(found, of, arg.span, "the argument"),
            }
        }
        self.late.push((of, receiver.span, demanded(known, &method.text)));
        match known.gives() {
            Gives::Same => of,
            Gives::Bool => self.known(Scalar::Bool),
            Gives::Count => self.known(Scalar::U32),
            Gives::Unsigned => match self.types.terms.kind(of) {
                Kind::Known(scalar) => self.known(scalar.without_sign()),
                // Rust knows the type of a receiver; where it is not known here, it is one without sign.
                Kind::Float | Kind::Int | Kind::Any => {
                    self.late.push((of, receiver.span, Demand::Unsigned(format!("`{}`", method.text))));
                    of
                }
            },
        }
    }
}

/// What a method demands of its receiver.
fn demanded(method: Method, name: &str) -> Demand {
    let name = format!("`{name}`");
    match method {
        Method::Extremum(_) => Demand::Number(name),
        Method::Number(NumberMethod::Abs | NumberMethod::Signum) => Demand::Signed(name),
        Method::Number(NumberMethod::Clamp) => Demand::Number(name),
        Method::Whole(WholeMethod::IsPositive | WholeMethod::IsNegative) => Demand::Negative(name),
        Method::Whole(WholeMethod::DivEuclid | WholeMethod::RemEuclid) => Demand::Number(name),
        Method::Whole(WholeMethod::IsPowerOfTwo | WholeMethod::DivCeil) => Demand::Unsigned(name),
        Method::Whole(WholeMethod::UnsignedAbs) => Demand::Negative(name),
        Method::Whole(_) | Method::Wrapping(_) | Method::Fits(_) => Demand::Whole(name),
        Method::Unary(_)
        | Method::Predicate(_)
        | Method::Binary(_)
        | Method::Float(_)
        | Method::MulAdd
        | Method::Powi => Demand::Float(name),
    }
}
