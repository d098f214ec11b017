//! What variables are after the arms of a branch meet.

use std::collections::BTreeSet;

use super::{Joined, common_facts};
use crate::ir::build::Suspended;
use crate::ir::{Op, Region, Size, Terminator, Type, Value};
use crate::lower::ambiguous::Kind;
use crate::lower::env::{Binding, Env};
use crate::lower::facts::Facts;
use crate::lower::form::Shape;
use crate::lower::structs::mentioned_in;
use crate::lower::{Lower, Operand};
use crate::source::Span;

impl Lower<'_> {
    pub fn push_if(&mut self, cond: Value, then: Region, els: Region, span: Span) {
        let at = self.here(span);
        self.builder.effect(Op::If { cond, then: Box::new(then), els: Box::new(els) });
        self.builder.set_loc(at);
    }

    /// Ends both ways of a branch and joins the variables that are live after it. The current variables are those of the
    /// second way.
    pub(super) fn join(
        &mut self,
        cond: Value,
        before: &Env,
        (then, mut then_env): (Suspended, Env),
        els: Suspended,
        (values, span): (usize, Span),
    ) {
        let mut else_env = std::mem::replace(&mut self.env, before.clone());
        let live = self.live_after(span);
        let names: BTreeSet<String> = then_env.names().chain(else_env.names()).map(str::to_owned).collect();
        let (mut joins, mut choices) = (Vec::new(), Vec::new());
        for name in names {
            let (a, b) = (then_env.get(&name), else_env.get(&name));
            if a == b {
                if let Some(binding) = a {
                    let at = then_env.span(&name).unwrap_or(span);
                    self.env.set(&name, binding.clone(), at);
                }
                continue;
            }
            if !mentioned_in(&live, &name) {
                self.env.remove(&name);
                continue;
            }
            let at = then_env.span(&name).or(else_env.span(&name)).unwrap_or(span);
            if let Some(chosen) = self.chosen(cond, a, b, values) {
                choices.push((name, chosen, at));
                continue;
            }
            match self.join_shape(&name, a, b, values) {
                Ok(shape) => joins.push(Joined { name, shape, at }),
                Err(binding) => self.env.set(&name, binding, at),
            }
        }
        self.join_conditions(&choices, values, [&mut then_env, &mut else_env], &mut joins);
        let results = self.push_joined(cond, (then, &then_env), (els, &else_env), &joins, span);
        self.bind_joined(&joins, &results);
        self.bind_choices(choices, values);
    }

    /// The statement that two ways make up, and what their variables have in common.
    pub fn push_joined(
        &mut self,
        cond: Value,
        then: (Suspended, &Env),
        els: (Suspended, &Env),
        joins: &[Joined],
        span: Span,
    ) -> Vec<Value> {
        let (then, then_values) = self.finish_arm(then.0, then.1, joins);
        let (els, else_values) = self.finish_arm(els.0, els.1, joins);
        if joins.is_empty() && then.stmts.is_empty() && els.stmts.is_empty() {
            return Vec::new();
        }
        let types = joins.iter().flat_map(|j| j.shape.types()).collect();
        let at = self.here(span);
        let results = self.builder.push_many(Op::If { cond, then: Box::new(then), els: Box::new(els) }, types);
        self.builder.set_loc(at);
        for (i, result) in results.iter().enumerate() {
            let facts = common_facts(&then_values[i], &else_values[i]);
            self.learn(*result, facts);
        }
        results
    }

    pub(super) fn bind_joined(&mut self, joins: &[Joined], results: &[Value]) {
        let mut next = results.iter().copied();
        for Joined { name, shape, at } in joins {
            if let Some(binding) = self.receive(shape, name, &mut next) {
                self.env.set(name, binding, *at);
            }
        }
    }

    /// What two bindings have in common, or the binding that says that they have nothing.
    pub fn join_shape(
        &self,
        name: &str,
        a: Option<&Binding>,
        b: Option<&Binding>,
        values: usize,
    ) -> Result<Shape, Binding> {
        for binding in [a, b].into_iter().flatten() {
            if let Binding::Poison | Binding::Conflict(_) | Binding::Lost(_) | Binding::Ambiguous(_) = binding {
                return Err(binding.clone());
            }
        }
        let is_number = |b: &Binding| match b {
            Binding::Is(Operand::Value(v)) | Binding::Maybe(v, _) => !self.facts(*v).characters,
            _ => false,
        };
        let is_value = |b: &Binding| matches!(b, Binding::Is(Operand::Value(_)) | Binding::Maybe(..));
        let both = || [a, b].into_iter().flatten();
        let ambiguous = || {
            let kind = both().filter(|b| !is_value(b)).map(Kind::of).reduce(Kind::or).unwrap_or(Kind::Any);
            if both().any(is_number) { Binding::Lost(kind) } else { Binding::Ambiguous(kind) }
        };
        let typed = |binding: Option<&Binding>| match binding {
            Some(Binding::Is(Operand::Value(v))) => Ok(Some((self.builder.func.ty(*v).clone(), false, Some(*v)))),
            Some(Binding::Is(Operand::Text(text))) => Ok(Some((Self::text_type(text), false, None))),
            Some(Binding::Maybe(v, _)) => Ok(Some((self.builder.func.ty(*v).clone(), true, Some(*v)))),
            None => Ok(None),
            Some(_) => Err(ambiguous()),
        };
        let shape = |(ty, maybe, value): &(Type, bool, Option<Value>)| {
            let text = value.is_none_or(|v| self.facts(v).characters);
            let mixed = value.is_some_and(|v| self.facts(v).mixed);
            let shape = self.shape_of(name, ty, |size| self.outer_size(size, values)).of_text(text).mixing(mixed);
            let shape = if let Some(v) = value { shape.hollow(self.hollow(*v)) } else { shape };
            if *maybe { shape.or_nothing() } else { shape }
        };
        match (typed(a)?, typed(b)?) {
            // A text known when compiling meets characters, not numbers.
            (Some(x), Some(y)) if (x.2.is_none() || y.2.is_none()) && !(shape(&x).text && shape(&y).text) => {
                Err(ambiguous())
            }
            (Some((.., None)), None) | (None, Some((.., None))) => Err(ambiguous()),
            (Some(x), Some(y)) => {
                let joined = shape(&x).join(&shape(&y));
                joined.ok_or_else(|| Binding::Conflict(Box::new((self.type_text(&x.0), self.type_text(&y.0)))))
            }
            (Some(x), None) | (None, Some(x)) if self.is_growing(name) => Ok(shape(&x).or_brackets()),
            (Some(x), None) | (None, Some(x)) => Ok(shape(&x).or_nothing()),
            (None, None) => Err(Binding::Lost(Kind::Any)),
        }
    }

    /// Whether a size is made of the first so many values: those that were there before a branch.
    pub(super) fn outer_size(&self, size: &Size, values: usize) -> bool {
        self.builder.func.symbols.is_made_of(size, &|v| v.index() < values)
    }

    pub(super) fn finish_arm(&mut self, arm: Suspended, env: &Env, joins: &[Joined]) -> (Region, Vec<Facts>) {
        self.builder.resume(arm);
        let mut values = Vec::new();
        for Joined { name, shape, .. } in joins {
            let mut binding = env.get(name).cloned();
            if shape.text {
                binding = self.spelled_out(binding, env.span(name).unwrap_or_default());
            }
            values.extend(self.carry(binding.as_ref(), shape).unwrap_or_default());
        }
        let facts = values.iter().map(|v| self.facts(*v)).collect();
        (self.builder.close(Terminator::Yield(values)), facts)
    }
}
