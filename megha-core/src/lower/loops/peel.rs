//! The first iteration apart: a loop whose variable has one class before it and another after an iteration, as in
//! `x = 1; for k = 1:n, x = single(x) / 3; end`.
//!
//! The first iteration is lowered as statements before the loop; the loop makes the others and begins with the classes that the first
//! has left. Without any iteration the variables would keep their classes, so that there is one is tested where it is not known.

use super::{Head, Loop, Source};
use crate::diag::Diagnostic;
use crate::ir::{Binary, Class, Op, Size, Type};
use crate::lower::control::Flow;
use crate::lower::env::Binding;
use crate::lower::facts::Facts;
use crate::lower::hoist::jumps;
use crate::lower::{Lower, Lowered, Operand};

/// Loops around each other whose first iterations may stand apart: each doubles the statements inside.
const MAX_PEELED: usize = 2;

impl Lower<'_> {
    /// Lowers the loop with its first iteration apart, or reports the conflict that stands in the way of the loop as it is.
    pub(super) fn first_apart(&mut self, lp: Loop<'_>, conflict: Diagnostic) -> Lowered<Flow> {
        if jumps(lp.body) || lp.first > 0 || self.peeled >= MAX_PEELED {
            return self.classes_in_pieces(&lp, conflict);
        }
        let Loop { span, body, head, .. } = lp;
        let head = match head {
            Head::Until(_) | Head::Passes { .. } => return self.report(conflict),
            Head::While(cond) => {
                let holds = self.condition(cond)?;
                self.assert_all(holds, "a variable gets another class in this loop, which has no iteration", span);
                self.assume(cond, true);
                Head::While(cond)
            }
            Head::Count { trip, variable } => {
                self.at_least_one(&trip, span);
                let trip = self.nonempty(&trip);
                if let Some((target, source)) = &variable {
                    let (k, zero) = (self.builder.int(0), Size::constant(0));
                    self.bind_element(target, source, k, &zero);
                }
                Head::Count { trip: trip.add_const(-1), variable }
            }
        };
        self.peeled += 1;
        let flow = self.block(body);
        self.peeled -= 1;
        match (&flow, &head) {
            (Flow::Left(_), _) => return Ok(flow),
            (_, Head::Count { trip, .. }) if trip.as_constant() == Some(0) => return Ok(flow),
            _ => {}
        }
        self.peeled += 1;
        let rest = self.run_loop(Loop { first: 1, ..Loop::new(span, body, head, lp.kind) });
        self.peeled -= 1;
        rest
    }

    fn at_least_one(&mut self, trip: &Size, span: crate::source::Span) {
        if self.never_negative(&trip.add_const(-1)) {
            return;
        }
        let (count, none) = (self.index_value(trip), self.index_value(&Size::constant(0)));
        let some = self.emit(Op::Binary(Binary::Gt, count, none), Type::scalar(Class::Logical), Facts::default());
        self.assert_all(some, "a variable gets another class in this loop, which has no iteration", span);
        self.passed(trip.add_const(-1));
    }

    /// The loop variable's value in the iteration with this number, counted from zero.
    pub(super) fn bind_element(
        &mut self,
        target: &crate::matlab::ast::LValue,
        source: &Source,
        k: crate::ir::Value,
        k_size: &Size,
    ) {
        let value = match source {
            Source::Range(bounds) => self.range_element(&bounds.clone(), k, k_size),
            Source::Columns(array) => self.column(*array, k),
            Source::List(list) => {
                let at = k_size.as_constant().and_then(|k| usize::try_from(k).ok());
                let one = at.and_then(|at| list.items.get(at)).cloned();
                self.env.set(
                    &target.name.text,
                    Binding::Is(Operand::List(one.into_iter().collect::<Vec<_>>().into())),
                    target.span,
                );
                return;
            }
        };
        self.give_name(value, &target.name.text);
        self.env.set_value(&target.name.text, value, target.span);
    }
}
