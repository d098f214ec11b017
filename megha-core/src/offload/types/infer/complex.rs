//! The types of what is done with complex numbers.
//!
//! One operand of an operator may be real. Rust knows that an operand is complex before it comes to the operator, as there is no literal of
//! such a number, so nothing is left to be inferred later.

use super::Infer;
use crate::diag::Code;
use crate::offload::ast::{BinaryOp, Expr, Ident, Scalar, SpanId};
use crate::offload::types::methods::ComplexMethod;
use crate::offload::types::unify::{Kind, Term};

impl Infer {
    /// Whether a type is known to be that of complex numbers.
    pub(super) fn is_complex(&self, term: Term) -> bool {
        self.types.terms.kind(term) == Kind::Known(Scalar::C64)
    }

    /// The type of an operation of which an operand is complex; `None` if none is.
    pub(super) fn complex_arithmetic(
        &mut self,
        op: BinaryOp,
        (a, at): (Term, SpanId),
        (b, right): (Term, &Expr),
    ) -> Option<Term> {
        let complex = [a, b].map(|term| self.is_complex(term));
        if complex == [false, false] {
            return None;
        }
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                for (term, span, is_complex) in [(a, at, complex[0]), (b, right.span, complex[1])] {
                    if !is_complex {
                        let wanted = self.known(Scalar::F64);
                        self.same(term, wanted, span, "the operand beside a complex number");
                    }
                }
                Some(self.known(Scalar::C64))
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                self.same(b, a, right.span, "the right operand");
                Some(self.known(Scalar::Bool))
            }
            other => {
                let what = if other.is_comparison() {
                    "complex numbers have no order"
                } else {
                    "this operator is not taken of complex numbers"
                };
                self.problem(Code::LoopTypes, right.span, what.to_owned(), "compute with the parts `.re` and `.im`");
                Some(self.known(if other.is_comparison() { Scalar::Bool } else { Scalar::C64 }))
            }
        }
    }

    /// The type of what a method of complex numbers gives.
    pub(super) fn complex_method(&mut self, method: &Ident, args: &[Expr]) -> Term {
        let found: Vec<Term> = args.iter().map(|arg| self.expr(arg)).collect();
        let Some(known) = ComplexMethod::from_name(&method.text) else {
            let message = format!("the method `{}` of complex numbers is not taken", method.text);
            self.problem(
                Code::UnsupportedLoop,
                method.span,
                message,
                &format!("these are: {}", ComplexMethod::names()),
            );
            return self.term(Kind::Any);
        };
        if args.len() != known.arguments() {
            let message = format!("`{}` takes {} arguments", method.text, known.arguments());
            self.problem(Code::LoopTypes, method.span, message, "give as many as it takes");
        }
        for (arg, found) in args.iter().zip(found) {
            let wanted = self.known(Scalar::F64);
            self.same(found, wanted, arg.span, "the argument");
        }
        self.known(known.gives())
    }
}
