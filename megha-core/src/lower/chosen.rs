//! Texts and functions that depend on the way taken: `if x, s = 'a'; else s = 'b'; end`.
//!
//! They exist only while compiling, so no value of the IR says which one it is. But the condition does: a statement that
//! mentions such a variable is lowered for each of them, in the branches of an `if` over the same condition. A loop over such a
//! function is so a choice between two loops.

use super::control::{Flow, Joined};
use super::env::{Binding, Env, Handle};
use super::form::Shape;
use super::text::Piece;
use super::{Lower, Lowered, Operand, live};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Op, Size, Terminator, Type, Value};
use crate::matlab::ast::{Expr, Stmt};
use crate::matlab::mentions;
use crate::source::Span;

/// One of two texts or functions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    /// A `Logical` scalar: whether it is the first one.
    pub cond: Value,
    pub then: Operand,
    pub els: Operand,
}

impl Lower<'_> {
    /// What a variable is behind a branch of which both ways give it a text or function. `values` is the number of values
    /// before the branch: of what was made on the way, only conditions can be had behind it.
    pub fn chosen(&self, cond: Value, a: Option<&Binding>, b: Option<&Binding>, values: usize) -> Option<Chosen> {
        let (Some(Binding::Is(then)), Some(Binding::Is(els))) = (a, b) else { return None };
        let kept = |operand: &Operand| !matches!(operand, Operand::Value(_)) && outlives(operand, values);
        (kept(then) && kept(els)).then(|| Chosen { cond, then: then.clone(), els: els.clone() })
    }

    /// Joins the conditions inside of choices that were computed on one of two ways, under names that no variable has. On the
    /// other way they do not matter.
    pub fn join_conditions(
        &mut self,
        choices: &[(String, Chosen, Span)],
        values: usize,
        envs: [&mut Env; 2],
        joins: &mut Vec<Joined>,
    ) {
        let shape = Shape::of(&Type::scalar(Class::Logical), |_| true);
        for (_, chosen, at) in choices {
            for (way, operand) in [&chosen.then, &chosen.els].into_iter().enumerate() {
                let mut conditions = Vec::new();
                inner_conditions(operand, values, &mut conditions);
                for cond in conditions {
                    let name = cond.to_string();
                    if joins.iter().all(|join| join.name != name) {
                        let other = self.truth_constant(false);
                        envs[way].set_value(&name, cond, *at);
                        envs[1 - way].set_value(&name, other, *at);
                        joins.push(Joined { name, shape: shape.clone(), at: *at });
                    }
                }
            }
        }
    }

    /// Binds variables that depend on the way; conditions inside are those that have been joined.
    pub fn bind_choices(&mut self, choices: Vec<(String, Chosen, Span)>, values: usize) {
        let mut joined = Vec::new();
        for (name, mut chosen, at) in choices {
            let mut outer = |cond: &mut Value| {
                let hidden = cond.to_string();
                if cond.index() >= values
                    && let Some(Binding::Is(Operand::Value(value))) = self.env.get(&hidden)
                {
                    *cond = *value;
                    joined.push((hidden, *value));
                }
            };
            for_each_condition(&mut chosen.then, &mut outer);
            for_each_condition(&mut chosen.els, &mut outer);
            self.env.set(&name, Binding::Is(Operand::Chosen(Box::new(chosen))), at);
        }
        for (hidden, value) in joined {
            self.env.remove(&hidden);
            self.builder.func.names[value.index()] = None;
        }
    }

    /// The condition on which a text or function that a statement mentions depends.
    pub fn choice_in(&self, stmt: &Stmt) -> Option<Value> {
        let chosen = |name: &str| match self.env.get(name) {
            Some(Binding::Is(Operand::Chosen(chosen))) => Some(chosen.cond),
            _ => None,
        };
        if !self.env.names().any(|name| chosen(name).is_some()) {
            return None;
        }
        mentions::of_block(std::slice::from_ref(stmt)).iter().find_map(|name| chosen(name))
    }

    /// A statement for each way on which the texts and functions that it mentions depend.
    pub fn stmt_by_choice(&mut self, cond: Value, stmt: &Stmt) -> Lowered<Flow> {
        let way = |first: bool| {
            move |this: &mut Self| {
                this.choose_way(cond, first);
                this.choosing += 1;
                let flow = this.stmt(stmt);
                this.choosing -= 1;
                flow
            }
        };
        self.branch(cond, &mut way(true), &mut way(false), stmt.span)
    }

    /// The codes of a text that may depend on the way taken, for Rust: a row whose length only the run knows.
    pub fn codes_by_choice(&mut self, operand: Operand, name: &str, span: Span) -> Lowered<Value> {
        let Operand::Chosen(chosen) = operand else { return self.operand_value(operand, span) };
        let row = Type::array(Class::Double, vec![Size::constant(1), Size::constant(2)]);
        let shape = Shape::of(&row, Size::is_one).of_text(true);
        let mut way = |operand: Operand| {
            let (mark, _) = self.open_region(Vec::new());
            let codes = self.codes_by_choice(operand, name, span).map(|codes| self.as_characters(codes));
            let carried = codes.map(|codes| self.carry(Some(&Binding::Is(Operand::Value(codes))), &shape));
            let values = carried.as_ref().ok().cloned().flatten().unwrap_or_default();
            let region = self.close_region(mark, Terminator::Yield(values));
            carried.map(|_| Box::new(region))
        };
        let (then, els) = (way(chosen.then), way(chosen.els));
        let op = Op::If { cond: chosen.cond, then: then?, els: els? };
        let results = self.builder.push_many(op, shape.types());
        match self.receive(&shape, name, &mut results.into_iter()) {
            Some(Binding::Is(Operand::Value(codes))) => Ok(codes),
            _ => self.chosen_refused(span),
        }
    }

    /// Reports that a text or function that depends on the way taken stands inside an expression.
    pub fn chosen_refused<T>(&mut self, span: Span) -> Lowered<T> {
        self.report(
            Diagnostic::error(Code::TextValue, span, "which text or function this is depends on the way taken")
                .help("assign it to a variable first: what uses the variable is compiled for each of them"),
        )
    }

    /// Gives all variables that depend on a condition what they are where it is true, or false.
    fn choose_way(&mut self, cond: Value, first: bool) {
        let names: Vec<String> = self.env.names().map(str::to_owned).collect();
        for name in names {
            if let Some(Binding::Is(Operand::Chosen(chosen))) = self.env.get(&name)
                && chosen.cond == cond
            {
                let operand = if first { chosen.then.clone() } else { chosen.els.clone() };
                let span = self.env.span(&name).unwrap_or_default();
                self.env.set(&name, Binding::Is(operand), span);
            }
        }
    }
}

/// Calls `f` on the conditions on which an operand depends.
fn for_each_condition(operand: &mut Operand, f: &mut impl FnMut(&mut Value)) {
    if let Operand::Chosen(chosen) = operand {
        f(&mut chosen.cond);
        for_each_condition(&mut chosen.then, f);
        for_each_condition(&mut chosen.els, f);
    }
}

/// The conditions on which an operand depends, without the first so many values.
fn inner_conditions(operand: &Operand, values: usize, found: &mut Vec<Value>) {
    if let Operand::Chosen(chosen) = operand {
        found.extend((chosen.cond.index() >= values).then_some(chosen.cond));
        inner_conditions(&chosen.then, values, found);
        inner_conditions(&chosen.els, values, found);
    }
}

/// Whether an operand needs, conditions aside, only the first so many values.
fn outlives(operand: &Operand, values: usize) -> bool {
    match operand {
        Operand::Value(value) => value.index() < values,
        Operand::Text(_) => true,
        Operand::Message(pieces) => {
            pieces.iter().all(|p| if let Piece::Made(value) = p { value.index() < values } else { true })
        }
        Operand::List(list) => list.items.iter().all(|operand| outlives(operand, values)),
        Operand::Struct(whole) => whole.fields.iter().all(|(_, operand)| outlives(operand, values)),
        Operand::Function(handle) => match &**handle {
            Handle::Named(_) => true,
            Handle::Anonymous { body, captured, .. } => captures_outlive(body, captured, values),
        },
        Operand::Chosen(chosen) => outlives(&chosen.then, values) && outlives(&chosen.els, values),
    }
}

/// Whether the variables that the body of a function value mentions need only the first so many values.
fn captures_outlive(body: &Expr, captured: &Env, values: usize) -> bool {
    let mut names = live::Names::new();
    live::uses(body, &mut names);
    names.iter().flat_map(|name| captured.parts(name)).all(|name| match captured.get(&name) {
        None => true,
        Some(Binding::Is(operand)) => outlives(operand, values),
        Some(_) => false,
    })
}
