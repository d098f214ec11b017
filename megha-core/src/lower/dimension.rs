//! Calls along a dimension that only the run knows: `sum(x, dim)` where `dim` is a parameter or is counted.
//!
//! Which dimension an array is combined along decides the sizes of the result, so each is a case of its own.

use super::env::Binding;
use super::{Lower, Lowered, Operand, Stop, builtin};
use crate::ir::{Binary, Unary, Value};
use crate::matlab::ast::{Expr, ExprKind};
use crate::source::Span;

/// Builtins that work along a dimension and which of their arguments names it, from zero.
const PLACES: &[(&str, usize)] = &[
    ("sum", 1),
    ("prod", 1),
    ("any", 1),
    ("all", 1),
    ("mean", 1),
    ("sumsq", 1),
    ("cumsum", 1),
    ("cumprod", 1),
    ("size", 1),
    ("sort", 1),
    ("max", 2),
    ("min", 2),
    ("diff", 2),
];

/// The name of the variable that holds the array meanwhile: none that a program can write.
const ARRAY: &str = "(array)";

impl Lower<'_> {
    /// Calls a builtin for each dimension that it may have to work along; `None` if that is known or not named.
    pub fn builtin_by_dimension(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
        wanted: usize,
    ) -> Lowered<Option<Vec<Operand>>> {
        let Some((at, dimension)) = named_dimension(name, args) else { return Ok(None) };
        let Operand::Value(number) = self.expr(dimension)? else { return Ok(None) };
        let number = self.only_element(number, "a dimension", span);
        if self.constant_of(number).is_some() || !self.is_scalar(number) {
            return Ok(None);
        }
        let array = self.expr_value(&args[0])?;
        let rank = self.builder.func.ty(array).ndims();
        // `diff` knows no dimension behind the last.
        let bounded = name == "diff";
        if bounded {
            let last = self.number(rank as f64);
            let fine = self.binary(Binary::Le, number, last, "the dimension", span)?;
            self.assert_all(fine, "diff: DIM must be a valid dimension", span);
        }
        let mut args = args.to_vec();
        args[0].kind = ExprKind::Ident(ARRAY.to_owned());
        let outer = self.env.get(ARRAY).cloned();
        self.env.set(ARRAY, Binding::Is(Operand::Value(array)), span);
        let mut call = |this: &mut Self, dim: usize| {
            let mut args = args.clone();
            args[at].kind = ExprKind::Number { value: dim as f64, imaginary: false };
            builtin::call(this, name, &args, span, wanted)?.into_iter().take(wanted.max(1)).map(as_value).collect()
        };
        let results = self.along(number, 1, rank - usize::from(bounded), span, &mut call);
        match outer {
            Some(binding) => self.env.set(ARRAY, binding, span),
            None => self.env.remove(ARRAY),
        }
        Ok(Some(results?.into_iter().map(Operand::Value).collect()))
    }

    /// The calls from one dimension on.
    fn along(
        &mut self,
        number: Value,
        dim: usize,
        rank: usize,
        span: Span,
        call: &mut dyn FnMut(&mut Self, usize) -> Lowered<Vec<Value>>,
    ) -> Lowered<Vec<Value>> {
        let this = self.number(dim as f64);
        if dim > rank {
            // All of these are alike: along each the array has one element.
            let whole = self.unary(Unary::Floor, number, span)?;
            let whole = self.binary(Binary::Eq, number, whole, "the dimension", span)?;
            let positive = self.binary(Binary::Ge, number, this, "the dimension", span)?;
            let fine = self.binary(Binary::And, whole, positive, "the dimension", span)?;
            self.assert_all(fine, "the dimension must be a whole number from 1", span);
            return call(self, dim);
        }
        let here = self.binary(Binary::Eq, number, this, "the dimension", span)?;
        let call = std::cell::RefCell::new(call);
        self.either(
            here,
            &mut |lower| (call.borrow_mut())(lower, dim),
            &mut |lower| lower.along(number, dim + 1, rank, span, &mut **call.borrow_mut()),
            span,
        )
    }
}

/// Which argument names the dimension, and that argument; a literal needs no cases.
fn named_dimension<'e>(name: &str, args: &'e [Expr]) -> Option<(usize, &'e Expr)> {
    let (_, at) = PLACES.iter().find(|(known, _)| *known == name)?;
    let dimension = args.get(*at)?;
    let literal = matches!(dimension.kind, ExprKind::Str { .. } | ExprKind::Number { .. } | ExprKind::Colon);
    (!literal).then_some((*at, dimension))
}

fn as_value(operand: Operand) -> Lowered<Value> {
    if let Operand::Value(value) = operand { Ok(value) } else { Err(Stop) }
}
