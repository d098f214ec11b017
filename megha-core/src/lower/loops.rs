//! Loops: assumptions about the carried variables, tried and corrected until the body confirms them.

mod alike;
mod attempt;
mod bind;
mod columns;
mod peel;
mod settled;
mod slices;
mod unroll;

use super::ambiguous::Kind;
use super::control::{Carried, Flow, Form, Frame, FrameKind, Misfit, Trend};
use super::env::Binding;
use super::hoist::Growth;
use super::lists::List;
use super::live::Liveness;
use super::range::Bounds;
use super::structs::mentioned_in;
use super::{Lower, Lowered, Operand};
use crate::diag::Code;
use crate::ir::{Class, Op, Size, Sym, Terminator, Value};
use crate::matlab::ast::{Expr, Function, LValue, Stmt};
use crate::source::Span;
pub(super) use alike::{Alike, Dimension};
pub(super) use settled::Nest;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A loop is tried at most this often; every correction makes an assumption weaker, so this is never reached.
const MAX_ATTEMPTS: usize = 64;

/// What makes a loop go round.
enum Head<'e> {
    /// A known number of times; the loop variable takes what the source says.
    Count { trip: Size, variable: Option<(&'e LValue, Source)> },
    /// While the condition holds.
    While(&'e Expr),
    /// Until the condition holds, at least once.
    Until(&'e Expr),
    /// One pass that makes so many iterations one after the other, from the one with the number `first` on (`unroll.rs`).
    Passes { trip: i64, first: i64, variable: Option<(&'e LValue, Source)> },
}

/// Where the loop variable's values come from.
#[derive(Clone)]
enum Source {
    Range(Bounds),
    Columns(Value),
    List(List),
}

/// A loop that is being lowered.
pub(super) struct Loop<'e> {
    pub span: Span,
    pub body: &'e [Stmt],
    head: Head<'e>,
    pub kind: FrameKind,
    pub carried: Vec<Carried>,
    pub watched: Vec<String>,
    /// The number of the first iteration that the loop makes: those before stand apart (`peel.rs`).
    first: i64,
    /// Whether what is wrong is left out (`Frame::patient`).
    patient: bool,
    /// Variables that have no one type at the end of the loop, and what they are bound to behind it.
    pub lost: Vec<(String, Binding)>,
    /// Variables that are no numbers at any edge of the last attempt, and the same at all.
    left: BTreeMap<String, Binding>,
    /// Of which kinds these are.
    kinds: BTreeMap<String, Kind>,
    /// How many edges of the last attempt lead on or to the end of the loop.
    edges: usize,
    /// Variables to convert before the loop to a class that the body gives them.
    pub becoming: Vec<(String, Class)>,
    /// Arrays that have been created or enlarged before the loop.
    pub prepared: Vec<Growth>,
    /// Of these the variables that are `[]` if there is no iteration.
    pub brackets: Vec<String>,
    /// Sizes that are not negative if there is an iteration, because of what has been prepared.
    pub room: Vec<Size>,
    /// Dimensions whose sizes are not those of others that they are equal to before the loop (`alike.rs`).
    pub apart: BTreeSet<Dimension>,
    /// The symbol of the iteration number.
    pub counter: Option<Sym>,
    /// The analysis of the function, where the loop stands for its whole body.
    live: Option<Rc<Liveness>>,
}

/// What an attempt found at the edges of the loop.
#[derive(Default)]
struct Edges {
    misfits: Vec<Misfit>,
    growths: Vec<Growth>,
    /// Something was left out.
    waits: bool,
}

impl<'e> Loop<'e> {
    fn new(span: Span, body: &'e [Stmt], head: Head<'e>, kind: FrameKind) -> Self {
        Self {
            span,
            body,
            head,
            kind,
            carried: Vec::new(),
            watched: Vec::new(),
            first: 0,
            patient: true,
            lost: Vec::new(),
            left: BTreeMap::new(),
            kinds: BTreeMap::new(),
            edges: 0,
            becoming: Vec::new(),
            prepared: Vec::new(),
            brackets: Vec::new(),
            room: Vec::new(),
            apart: BTreeSet::new(),
            counter: None,
            live: None,
        }
    }

    /// Whether it is a part of a loop in pieces: one pass, which takes variables as they are before it and says what they are behind it.
    pub fn is_piece(&self) -> bool {
        self.kind == FrameKind::Iteration || matches!(self.head, Head::Passes { .. })
    }

    /// The number of iterations of a counted loop.
    pub fn trip(&self) -> Option<&Size> {
        match &self.head {
            Head::Count { trip, .. } => Some(trip),
            _ => None,
        }
    }
}

impl Lower<'_> {
    /// `for target = range … end`
    pub fn for_stmt(&mut self, target: &LValue, range: &Expr, body: &[Stmt], span: Span) -> Lowered<Flow> {
        if !target.accesses.is_empty() {
            return self.stop(Code::Unsupported, target.span, "the loop variable must be a plain name");
        }
        let (trip, source) = match Self::as_range(range) {
            Some((start, step, stop)) => {
                let bounds = self.range_bounds(start, step, stop, range.span)?;
                self.counts(&bounds, range.span);
                (bounds.len.clone(), Source::Range(bounds))
            }
            None => {
                let source = self.loop_columns(range)?;
                let trip = match &source {
                    Source::Columns(array) => self.column_count(*array),
                    Source::Range(bounds) => bounds.len.clone(),
                    Source::List(list) => Size::constant(list.columns() as i64),
                };
                (trip, source)
            }
        };
        // After no iterations the variable is empty: a value from before the loop is not the variable's.
        self.env.remove(&target.name.text);
        if trip.as_constant().is_some_and(|n| n <= 0) {
            // What stands in a loop of no iterations need not make sense: its bounds are empty.
            let none = match source {
                Source::Range(bounds) => {
                    Operand::Value(self.filled(0.0, bounds.class, vec![Size::constant(1), Size::constant(0)]))
                }
                Source::Columns(array) if self.facts(array).characters => Operand::Text(String::new()),
                Source::Columns(array) => Operand::Value(array),
                Source::List(list) => Operand::List(list),
            };
            self.env.set(&target.name.text, Binding::Is(none), target.span);
            return Ok(Flow::Through);
        }
        let characters = matches!(&source, Source::Columns(array) if self.facts(*array).characters);
        let flow = self.plain_loop(span, body, Head::Count { trip, variable: Some((target, source)) })?;
        if characters {
            self.last_character(&target.name.text, body);
        }
        Ok(flow)
    }

    /// `while cond … end`
    pub fn while_stmt(&mut self, cond: &Expr, body: &[Stmt], span: Span) -> Lowered<Flow> {
        self.plain_loop(span, body, Head::While(cond))
    }

    /// `do … until cond`
    pub fn until_stmt(&mut self, body: &[Stmt], cond: &Expr, span: Span) -> Lowered<Flow> {
        self.plain_loop(span, body, Head::Until(cond))
    }

    fn plain_loop(&mut self, span: Span, body: &[Stmt], head: Head<'_>) -> Lowered<Flow> {
        if let Some(flow) = self.in_pieces(body, &head, span)? {
            return Ok(flow);
        }
        self.run_loop(Loop::new(span, body, head, FrameKind::Loop))
    }

    fn run_loop(&mut self, lp: Loop<'_>) -> Lowered<Flow> {
        self.in_nest(|this| this.run_loop_of_nest(lp))
    }

    fn run_loop_of_nest(&mut self, mut lp: Loop<'_>) -> Lowered<Flow> {
        let span = lp.span;
        let mut names = super::live::Names::new();
        super::live::assigned(lp.body, &mut names);
        if let Head::Count { variable: Some((target, _)), .. } | Head::Passes { variable: Some((target, _)), .. } =
            &lp.head
        {
            names.insert(target.name.text.clone());
        }
        // Of a struct all fields may be another.
        let names: BTreeSet<String> = names.iter().flat_map(|name| self.env.parts(name)).collect();
        let live = self.liveness();
        let after = live.as_ref().map(|l| l.after(span)).unwrap_or_default();
        let at_head = live.map(|l| l.at_head(span)).unwrap_or_default();
        let needed: Vec<String> =
            names.iter().filter(|n| mentioned_in(&after, n) || mentioned_in(&at_head, n)).cloned().collect();
        self.first_assumption(&mut lp, needed);
        let unchanged = self.env.clone();
        let began = self.beginning(&lp);
        if let Some(conflict) = began.as_ref().and_then(|began| self.recall(&mut lp, began)) {
            return self.first_apart(lp, *conflict);
        }
        let first = lp.carried.clone();
        let done = self.attempts(&mut lp);
        if let Some(began) = began {
            self.settle(&lp, began, first, done.as_ref().ok().and_then(|conflict| conflict.as_deref()));
        }
        if let Some(conflict) = done? {
            return self.first_apart(lp, *conflict);
        }
        if lp.kind == FrameKind::Iteration && lp.edges == 0 {
            // All ways leave the loop around it.
            let (identifier, format) = (String::new(), "unreachable".to_owned());
            self.builder.effect(Op::Raise { identifier, format, args: Vec::new() });
            return Ok(Flow::Left(Terminator::Unreachable));
        }
        // What the body assigned and nobody needs is gone; the entry value is no longer the variable's.
        for name in names {
            let kept = lp.carried.iter().any(|c| c.name == name);
            if let Some((_, binding)) = lp.lost.iter().find(|(n, _)| *n == name).filter(|_| mentioned_in(&after, &name))
            {
                self.env.set(&name, binding.clone(), span);
            } else if !kept && self.env.get(&name) != Some(&Binding::Poison) {
                let outlives =
                    |b: &&Binding| matches!(b, Binding::Is(Operand::Text(_))) || unchanged.get(&name) == Some(b);
                if let Some(binding) = lp.left.get(&name).filter(outlives).filter(|_| lp.is_piece()) {
                    self.env.set(&name, binding.clone(), unchanged.span(&name).unwrap_or(span));
                    continue;
                }
                // What is needed and is no value is a text or a function, which may be another one after each iteration; or
                // only ways that leave the function assign it.
                let (needed, at) = (mentioned_in(&after, &name), self.env.span(&name).unwrap_or(span));
                let assigned = lp.left.contains_key(&name) || unchanged.contains(&name);
                let kinds = lp.kinds.get(&name).copied().into_iter().chain(self.env.get(&name).map(Kind::of));
                let kind = kinds.reduce(Kind::or).unwrap_or(Kind::Any);
                let wrong = lp.left.get(&name) == Some(&Binding::Poison);
                self.env.remove(&name);
                if needed && assigned {
                    let binding = if wrong { Binding::Poison } else { Binding::Ambiguous(kind) };
                    self.env.set(&name, binding, at);
                }
            }
        }
        Ok(Flow::Through)
    }

    /// The statements of a function that returns early, as a loop of one pass that `return` leaves.
    pub fn body_with_returns(&mut self, function: &Function) -> Lowered<()> {
        let Some(Frame { kind: FrameKind::Call { given, wanted, .. }, live, .. }) = self.frames.pop() else {
            return self.stop(Code::OutsideLoop, function.signature, "a function body stands outside a call");
        };
        let outputs: Vec<String> = function.outputs.iter().take(wanted.max(1)).map(|o| o.text.clone()).collect();
        let head = Head::Count { trip: Size::constant(1), variable: None };
        let kind = FrameKind::Call { given, wanted, in_loop: true };
        let mut lp = Loop { live, ..Loop::new(function.signature, &function.body, head, kind) };
        self.first_assumption(&mut lp, outputs);
        if let Some(conflict) = self.attempts(&mut lp)? {
            return self.report(*conflict);
        }
        // Of a function without results nothing says whether a way returns: it is taken to have one.
        let silent = |this: &Self| !function.outputs.iter().any(|o| this.env.contains(&o.text));
        if self.unsettled && !function.outputs.is_empty() && silent(self) {
            self.unreachable = true;
            return Err(super::Stop);
        }
        for (name, binding) in &lp.lost {
            self.env.set(name, binding.clone(), function.signature);
        }
        Ok(())
    }

    fn first_assumption(&mut self, lp: &mut Loop<'_>, names: Vec<String>) {
        for name in names {
            if let Some(Binding::Is(Operand::Message(pieces))) = self.env.get(&name).cloned() {
                let at = self.env.span(&name).unwrap_or(lp.span);
                let codes = self.message_codes(&pieces, at);
                self.env.set_value(&name, codes, at);
            }
            let form = match self.env.get(&name) {
                _ if lp.is_piece() => {
                    lp.watched.push(name);
                    continue;
                }
                None => {
                    lp.watched.push(name);
                    continue;
                }
                Some(Binding::Is(Operand::Value(v))) => {
                    let ty = self.builder.func.ty(*v).clone();
                    let whole = ty.is_scalar() && ty.class == Class::Double && self.whole_of(*v).is_some();
                    let in_call = lp.kind != FrameKind::Loop;
                    let text = self.facts(*v).characters;
                    if whole && !in_call && !text {
                        Form::Whole { symbol: Size::default(), trend: Trend::Rises }
                    } else {
                        let shape = self.shape_of(&name, &ty, |_| true).of_text(text).mixing(self.facts(*v).mixed);
                        Form::Value(shape.hollow(self.hollow(*v)))
                    }
                }
                Some(Binding::Is(Operand::Text(text))) => {
                    Form::Value(self.shape_of(&name, &Self::text_type(text), |_| true).of_text(true))
                }
                // A function of before the loop may be another one in its second iteration.
                Some(binding @ Binding::Is(_)) => {
                    let (kind, at) = (Kind::of(binding), self.env.span(&name).unwrap_or(lp.span));
                    self.env.set(&name, Binding::Ambiguous(kind), at);
                    continue;
                }
                Some(Binding::Maybe(v, _)) => {
                    Form::Value(self.shape_of(&name, self.builder.func.ty(*v), |_| true).or_nothing())
                }
                Some(_) => continue,
            };
            lp.carried.push(Carried { name, form });
        }
    }

    /// Leaves the innermost loop where the condition holds.
    pub fn leave_if(&mut self, cond: &Expr) -> Lowered<()> {
        let done = self.condition(cond)?;
        let (inner, _) = self.open_region(Vec::new());
        let values = self.edge_values(self.frames.len() - 1);
        let leave = self.close_region(inner, Terminator::Break(0, values));
        let stay = crate::ir::Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Yield(Vec::new()) };
        self.builder.effect(Op::If { cond: done, then: Box::new(leave), els: Box::new(stay) });
        Ok(())
    }

    fn end_of_body(&mut self, flow: Flow) -> Terminator {
        match flow {
            Flow::Left(term) => term,
            Flow::Through => Terminator::Yield(self.edge_values(self.frames.len() - 1)),
        }
    }
}
