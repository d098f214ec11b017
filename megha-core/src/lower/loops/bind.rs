//! What variables are at the start of a loop's body and after the loop.

use super::{Alike, Head, Loop};
use crate::ir::{Class, Op, Size, Type, Value};
use crate::lower::control::{Brought, Form, FrameKind};
use crate::lower::env::Binding;
use crate::lower::facts::Facts;
use crate::lower::{Lower, Operand};

impl Lower<'_> {
    /// The carried values of the first iteration, before the loop.
    pub(super) fn initial_values(&mut self, lp: &Loop<'_>) -> Vec<Value> {
        let mut values = Vec::new();
        for carried in &lp.carried {
            let mut binding = self.env.get(&carried.name).cloned();
            if matches!(binding, Some(Binding::Is(Operand::Text(_)))) {
                binding = self.spelled_out(binding, lp.span);
            }
            match (&carried.form, binding) {
                (Form::Whole { .. }, Some(Binding::Is(Operand::Value(v)))) => {
                    let size = self.whole_of(v).unwrap_or_default();
                    values.push(self.index_value(&size));
                }
                (Form::Whole { .. }, _) => values.push(self.builder.int(0)),
                (Form::Value(shape), binding) => {
                    let binding = binding.filter(|_| !lp.is_piece());
                    values.extend(self.carry(binding.as_ref(), shape).unwrap_or_default());
                }
            }
        }
        values
    }

    /// Binds the carried variables to the parameters of a region of the loop.
    pub(super) fn bind_params(&mut self, lp: &mut Loop<'_>, params: &[Value]) {
        let mut next = params.iter().copied();
        // What is made once begins with what is before it.
        let mut alike = self.frames.last().map(|frame| frame.alike.clone()).unwrap_or_default();
        let once = lp.is_piece() || matches!(lp.kind, FrameKind::Call { .. });
        for carried in &mut lp.carried {
            let at = self.env.span(&carried.name).unwrap_or(lp.span);
            match &mut carried.form {
                Form::Whole { symbol, trend } => {
                    let Some(param) = next.next() else { break };
                    self.give_name(param, &carried.name);
                    let (low, high) = trend.bounds(self.env_before_whole(&carried.name));
                    *symbol = self.symbol_for(param, low, high);
                    let size = symbol.clone();
                    self.loosen(&size);
                    let nonnegative = self.never_negative(&size);
                    self.learn(param, Facts::whole(size.clone(), nonnegative));
                    let facts = Facts::whole(size, nonnegative);
                    let double = self.emit(Op::Convert(param), Type::scalar(Class::Double), facts);
                    self.env.set_value(&carried.name, double, at);
                }
                Form::Value(shape) => {
                    let Some(binding) = self.receive_alike(shape, &carried.name, &mut next, &mut alike) else {
                        break;
                    };
                    if !once {
                        self.env.set(&carried.name, binding, at);
                    }
                }
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.carried = lp.carried.clone();
        }
    }

    /// The whole number that a carried variable has before the loop.
    pub(super) fn env_before_whole(&self, name: &str) -> Option<Size> {
        match self.env.get(name) {
            Some(Binding::Is(Operand::Value(v))) => self.whole_of(*v),
            _ => None,
        }
    }

    /// Binds the carried variables after the loop.
    pub(super) fn bind_results(&mut self, lp: &Loop<'_>, results: &[Value], brought: &Brought, mut alike: Alike) {
        let at_least_once = match &lp.head {
            Head::Count { trip, .. } => self.never_negative(&trip.add_const(-1)),
            Head::While(_) => false,
            Head::Until(_) | Head::Passes { .. } => true,
        };
        let mut next = results.iter().copied();
        for carried in &lp.carried {
            let at = self.env.span(&carried.name).unwrap_or(lp.span);
            match &carried.form {
                Form::Whole { trend, .. } => {
                    let Some(result) = next.next() else { break };
                    self.give_name(result, &carried.name);
                    let (low, high) = trend.bounds(self.env_before_whole(&carried.name));
                    let size = self.symbol_for(result, low, high);
                    self.loosen(&size);
                    let facts = Facts::whole(size, false);
                    self.learn(result, facts.clone());
                    let double = self.emit(Op::Convert(result), Type::scalar(Class::Double), facts);
                    self.env.set_value(&carried.name, double, at);
                }
                Form::Value(shape) => {
                    let binding = match self.receive_alike(shape, &carried.name, &mut next, &mut alike) {
                        // The last edge has assigned it, whichever that was.
                        Some(Binding::Maybe(v, _)) if at_least_once && !brought.unsure.contains(&carried.name) => {
                            Binding::Is(Operand::Value(v))
                        }
                        // A number before the loop, a truth value at its end.
                        Some(Binding::Is(Operand::Value(v)))
                            if at_least_once
                                && self.class(v) == Class::Double
                                && !brought.numbers.contains(&carried.name) =>
                        {
                            Binding::Is(Operand::Value(self.convert(v, Class::Logical)))
                        }
                        Some(binding) => binding,
                        None => break,
                    };
                    if let (Binding::Is(Operand::Value(v)), true) = (&binding, lp.brackets.contains(&carried.name)) {
                        self.is_brackets_if_empty(*v);
                    }
                    self.env.set(&carried.name, binding, at);
                }
            }
        }
    }
}
