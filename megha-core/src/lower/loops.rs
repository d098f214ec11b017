//! Loops: assumptions about the carried variables, tried and corrected until the body confirms them.

use super::control::{Carried, Flow, Form, Frame, FrameKind, Misfit, form_types, join_classes, join_types};
use super::env::{Binding, Env};
use super::facts::Facts;
use super::live::Liveness;
use super::range::Bounds;
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::ir::build::Mark;
use crate::ir::{Class, Op, Size, Terminator, Type, Value};
use crate::matlab::ast::{Expr, Function, LValue, Stmt, StmtKind};
use crate::source::Span;
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
}

/// Where the loop variable's values come from.
enum Source {
    Range(Bounds),
    Columns(Value),
}

/// A loop that is being lowered.
struct Loop<'e> {
    span: Span,
    body: &'e [Stmt],
    head: Head<'e>,
    kind: FrameKind,
    carried: Vec<Carried>,
    watched: Vec<String>,
    /// Variables whose type is lost at the end of the loop.
    lost: Vec<String>,
    /// The analysis of the function, where the loop stands for its whole body.
    live: Option<Rc<Liveness>>,
}

/// The state to which a failed attempt returns.
struct Before {
    mark: Mark,
    env: Env,
    diags: Diagnostics,
    facts: Vec<Facts>,
    equal: usize,
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
                (bounds.len.clone(), Source::Range(bounds))
            }
            None => {
                let array = self.expr_value(range)?;
                let ty = self.builder.func.ty(array).clone();
                if ty.dims.len() > 2 {
                    return self.stop(
                        Code::Unsupported,
                        range.span,
                        "a loop over an array of three dimensions is not supported",
                    );
                }
                (ty.dim(1), Source::Columns(array))
            }
        };
        self.run_loop(span, body, Head::Count { trip, variable: Some((target, source)) })
    }

    /// `while cond … end`
    pub fn while_stmt(&mut self, cond: &Expr, body: &[Stmt], span: Span) -> Lowered<Flow> {
        self.run_loop(span, body, Head::While(cond))
    }

    /// `do … until cond`
    pub fn until_stmt(&mut self, body: &[Stmt], cond: &Expr, span: Span) -> Lowered<Flow> {
        if has_continue(body) {
            return self.stop(Code::Unsupported, span, "`continue` inside do .. until is not supported; use while");
        }
        self.run_loop(span, body, Head::Until(cond))
    }

    fn run_loop(&mut self, span: Span, body: &[Stmt], head: Head<'_>) -> Lowered<Flow> {
        let mut names = Default::default();
        super::live::assigned(body, &mut names);
        if let Head::Count { variable: Some((target, _)), .. } = &head {
            names.insert(target.name.text.clone());
        }
        let live = self.liveness();
        let after = live.as_ref().map(|l| l.after(span)).unwrap_or_default();
        let at_head = live.map(|l| l.at_head(span)).unwrap_or_default();
        let needed: Vec<String> =
            names.iter().filter(|n| after.contains(*n) || at_head.contains(*n)).cloned().collect();
        let mut lp = Loop {
            span,
            body,
            head,
            kind: FrameKind::Loop,
            carried: Vec::new(),
            watched: Vec::new(),
            lost: Vec::new(),
            live: None,
        };
        self.first_assumption(&mut lp, needed);
        self.attempts(&mut lp)?;
        // What the body assigned and nobody needs is gone; the entry value is no longer the variable's.
        for name in names {
            let kept = lp.carried.iter().any(|c| c.name == name);
            if lp.lost.contains(&name) && after.contains(&name) {
                self.env.set(&name, Binding::Lost, span);
            } else if !kept && self.env.get(&name) != Some(&Binding::Poison) {
                self.env.remove(&name);
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
        let mut lp = Loop {
            span: function.signature,
            body: &function.body,
            head,
            kind,
            carried: Vec::new(),
            watched: Vec::new(),
            lost: Vec::new(),
            live,
        };
        self.first_assumption(&mut lp, outputs);
        self.attempts(&mut lp)?;
        for name in &lp.lost {
            self.env.set(name, Binding::Lost, function.signature);
        }
        Ok(())
    }

    fn first_assumption(&mut self, lp: &mut Loop<'_>, names: Vec<String>) {
        for name in names {
            let form = match self.env.get(&name) {
                None => {
                    lp.watched.push(name);
                    continue;
                }
                Some(Binding::Is(Operand::Value(v))) => {
                    let ty = self.builder.func.ty(*v).clone();
                    let whole = ty.is_scalar() && ty.class == Class::Double && self.whole_of(*v).is_some();
                    let in_call = lp.kind != FrameKind::Loop;
                    if whole && !in_call {
                        Form::Whole { symbol: Size::default(), growing: true }
                    } else {
                        Form::Typed(ty)
                    }
                }
                Some(Binding::Maybe(v, _)) => Form::Maybe(self.builder.func.ty(*v).clone()),
                Some(_) => continue,
            };
            lp.carried.push(Carried { name, form });
        }
    }

    fn attempts(&mut self, lp: &mut Loop<'_>) -> Lowered<()> {
        for _ in 0..MAX_ATTEMPTS {
            let before = Before {
                mark: self.builder.mark(),
                env: self.env.clone(),
                diags: self.diags.clone(),
                facts: self.facts.clone(),
                equal: self.equal.len(),
            };
            let misfits = self.attempt(lp)?;
            if misfits.is_empty() {
                return Ok(());
            }
            let conflict = self.correct(lp, &misfits, &before);
            self.builder.rollback(before.mark);
            self.env = before.env;
            *self.diags = before.diags;
            self.facts = before.facts;
            self.equal.truncate(before.equal);
            self.scoped.truncate(self.builder.depth());
            if let Some(diagnostic) = conflict {
                return self.report(*diagnostic);
            }
        }
        self.stop(Code::LoopType, lp.span, "the types in this loop do not settle")
    }

    /// Lowers the loop under the current assumption.
    fn attempt(&mut self, lp: &mut Loop<'_>) -> Lowered<Vec<Misfit>> {
        let init = self.initial_values(lp);
        let types: Vec<Type> = lp.carried.iter().flat_map(|c| form_types(&c.form)).collect();
        let entry = self.env.clone();
        let at = self.here(lp.span);
        self.frames.push(Frame {
            kind: lp.kind.clone(),
            carried: Vec::new(),
            watched: lp.watched.clone(),
            misfits: Vec::new(),
            live: lp.live.clone(),
        });
        let op = match &lp.head {
            Head::Count { trip, .. } => {
                let trip = trip.clone();
                let count = self.index_value(&trip);
                let body = self.count_body(lp, &types, &trip)?;
                Op::For { trip: count, init: init.clone(), body: Box::new(body) }
            }
            Head::While(cond) => {
                let cond = *cond;
                let (mark, params) = self.open_region(types.clone());
                self.bind_params(lp, &params);
                let holds = self.condition(cond);
                let test = self.close_region(mark, Terminator::Yield(holds.into_iter().collect()));
                if holds.is_err() {
                    self.frames.pop();
                    return Err(super::Stop);
                }
                self.env = entry.clone();
                let body = self.while_body(lp, &types, None)?;
                Op::While { init: init.clone(), cond: Box::new(test), body: Box::new(body) }
            }
            Head::Until(cond) => {
                let cond = *cond;
                let (mark, _) = self.open_region(types.clone());
                let always = self.truth_constant(true);
                let test = self.close_region(mark, Terminator::Yield(vec![always]));
                let body = self.while_body(lp, &types, Some(cond))?;
                Op::While { init: init.clone(), cond: Box::new(test), body: Box::new(body) }
            }
        };
        let frame = self.frames.pop();
        self.env = entry;
        let results = self.builder.push_many(op, types);
        self.builder.set_loc(at);
        self.bind_results(lp, &results, &init);
        Ok(frame.map(|f| f.misfits).unwrap_or_default())
    }

    fn count_body(&mut self, lp: &mut Loop<'_>, types: &[Type], trip: &Size) -> Lowered<crate::ir::Region> {
        let mut params = vec![Type::scalar(Class::Index)];
        params.extend(types.iter().cloned());
        let (mark, values) = self.open_region(params);
        let (k, carried) = (values[0], &values[1..]);
        // Inside the body there is at least one iteration.
        let last = self.nonempty(trip).add_const(-1);
        let k_size = self.symbol_for(k, vec![Size::constant(0)], vec![last]);
        self.learn(k, Facts::whole(k_size.clone(), true));
        self.bind_params(lp, carried);
        if let Head::Count { variable: Some((target, source)), .. } = &lp.head {
            let value = match source {
                Source::Range(bounds) => self.range_element(&bounds.clone(), k, &k_size)?,
                Source::Columns(array) => self.column(*array, k),
            };
            self.builder.func.names[value.index()] = Some(target.name.text.clone());
            self.env.set_value(&target.name.text, value, target.span);
        }
        let flow = self.block(lp.body);
        let term = self.end_of_body(flow);
        Ok(self.close_region(mark, term))
    }

    fn while_body(&mut self, lp: &mut Loop<'_>, types: &[Type], until: Option<&Expr>) -> Lowered<crate::ir::Region> {
        let (mark, params) = self.open_region(types.to_vec());
        self.bind_params(lp, &params);
        let mut flow = self.block(lp.body);
        if let (Flow::Through, Some(until)) = (&flow, until)
            && let Ok(done) = self.condition(until)
        {
            let (inner, _) = self.open_region(Vec::new());
            let values = self.edge_values(self.frames.len() - 1);
            let leave = self.close_region(inner, Terminator::Break(0, values));
            let stay = crate::ir::Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Yield(Vec::new()) };
            self.builder.effect(Op::If { cond: done, then: Box::new(leave), els: Box::new(stay) });
            flow = Flow::Through;
        }
        let term = self.end_of_body(flow);
        Ok(self.close_region(mark, term))
    }

    fn end_of_body(&mut self, flow: Flow) -> Terminator {
        match flow {
            Flow::Left(term) => term,
            Flow::Through => Terminator::Yield(self.edge_values(self.frames.len() - 1)),
        }
    }

    /// Column `k` of a matrix, `x(k)` of a row, the scalar itself.
    fn column(&mut self, array: Value, k: Value) -> Value {
        let ty = self.builder.func.ty(array).clone();
        if ty.is_scalar() {
            return array;
        }
        let old = self.facts(array);
        let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
        let subs = vec![crate::ir::Sub::All, crate::ir::Sub::At(k)];
        let result = Type::array(ty.class, vec![ty.dim(0), Size::constant(1)]);
        let subs = if result.is_scalar() { vec![crate::ir::Sub::At(k)] } else { subs };
        self.emit(Op::Index { array, subs, checked: false }, result, facts)
    }

    /// The carried values of the first iteration, before the loop.
    fn initial_values(&mut self, lp: &Loop<'_>) -> Vec<Value> {
        let mut values = Vec::new();
        for carried in &lp.carried {
            let binding = self.env.get(&carried.name).cloned();
            match (&carried.form, binding) {
                (Form::Typed(ty), Some(Binding::Is(Operand::Value(v)))) => values.push(self.convert(v, ty.class)),
                (Form::Whole { .. }, Some(Binding::Is(Operand::Value(v)))) => {
                    let size = self.whole_of(v).unwrap_or_default();
                    values.push(self.index_value(&size));
                }
                (Form::Maybe(ty), Some(Binding::Is(Operand::Value(v)))) => {
                    let value = self.convert(v, ty.class);
                    let flag = self.truth_constant(true);
                    values.extend([value, flag]);
                }
                (Form::Maybe(ty), Some(Binding::Maybe(v, flag))) => {
                    let value = self.convert(v, ty.class);
                    values.extend([value, flag]);
                }
                (form, _) => {
                    let ty = match form {
                        Form::Typed(ty) | Form::Maybe(ty) => ty.clone(),
                        Form::Whole { .. } => Type::scalar(Class::Double),
                    };
                    values.push(self.filled(0.0, ty.class, ty.dims.clone()));
                    if matches!(form, Form::Maybe(_)) {
                        values.push(self.truth_constant(false));
                    }
                }
            }
        }
        values
    }

    /// Binds the carried variables to the parameters of a region of the loop.
    fn bind_params(&mut self, lp: &mut Loop<'_>, params: &[Value]) {
        let mut next = params.iter().copied();
        for carried in &mut lp.carried {
            let Some(param) = next.next() else { break };
            let at = self.env.span(&carried.name).unwrap_or(lp.span);
            self.builder.func.names[param.index()] = Some(carried.name.clone());
            match &mut carried.form {
                Form::Typed(_) => self.env.set_value(&carried.name, param, at),
                Form::Whole { symbol, growing } => {
                    let start = match self.env_before_whole(&carried.name) {
                        Some(start) if *growing => vec![start],
                        _ => Vec::new(),
                    };
                    *symbol = self.symbol_for(param, start, Vec::new());
                    let size = symbol.clone();
                    let nonnegative = self.never_negative(&size);
                    self.learn(param, Facts::whole(size.clone(), nonnegative));
                    let facts = Facts::whole(size, nonnegative);
                    let double = self.emit(Op::Convert(param), Type::scalar(Class::Double), facts);
                    self.env.set_value(&carried.name, double, at);
                }
                Form::Maybe(_) => {
                    let flag = next.next().unwrap_or(param);
                    self.env.set(&carried.name, Binding::Maybe(param, flag), at);
                }
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.carried = lp.carried.clone();
        }
    }

    /// The whole number that a carried variable has before the loop.
    fn env_before_whole(&self, name: &str) -> Option<Size> {
        match self.env.get(name) {
            Some(Binding::Is(Operand::Value(v))) => self.whole_of(*v),
            _ => None,
        }
    }

    /// The values of the carried variables at an edge to the next iteration or out of the loop.
    pub fn edge_values(&mut self, frame: usize) -> Vec<Value> {
        let carried = self.frames[frame].carried.clone();
        let mut values = Vec::new();
        let mut misfits = Vec::new();
        let symbols: Vec<Size> = carried
            .iter()
            .filter_map(|c| if let Form::Whole { symbol, .. } = &c.form { Some(symbol.clone()) } else { None })
            .collect();
        for (index, c) in carried.iter().enumerate() {
            let binding = self.env.get(&c.name).cloned();
            if binding == Some(Binding::Poison) {
                self.poison_edge(&c.form, &mut values);
                continue;
            }
            if let Err(misfit) = self.edge_value(index, &c.form, binding, &symbols, &mut values) {
                misfits.push(misfit);
                self.poison_edge(&c.form, &mut values);
            }
        }
        for name in self.frames[frame].watched.clone() {
            if let Some(Binding::Is(Operand::Value(v)) | Binding::Maybe(v, _)) = self.env.get(&name) {
                misfits.push(Misfit::Watched(name, self.builder.func.ty(*v).clone()));
            }
        }
        self.frames[frame].misfits.extend(misfits);
        values
    }

    /// Stands in for a value after a mistake: this code is never generated.
    fn poison_edge(&mut self, form: &Form, values: &mut Vec<Value>) {
        let zero = self.builder.int(0);
        values.extend(form_types(form).iter().map(|_| zero));
    }

    fn edge_value(
        &mut self,
        index: usize,
        form: &Form,
        binding: Option<Binding>,
        symbols: &[Size],
        values: &mut Vec<Value>,
    ) -> Result<(), Misfit> {
        let (value, flag) = match binding {
            Some(Binding::Is(Operand::Value(v))) => (Some(v), None),
            Some(Binding::Maybe(v, flag)) => (Some(v), Some(flag)),
            None => (None, None),
            Some(_) => return Err(Misfit::NotNumber(index)),
        };
        match (form, value) {
            (Form::Typed(_) | Form::Whole { .. }, None) => Err(Misfit::Undefined(index)),
            (Form::Typed(_) | Form::Whole { .. }, Some(_)) if flag.is_some() => Err(Misfit::Undefined(index)),
            (Form::Whole { symbol, growing }, Some(v)) => {
                let size = self
                    .step_of(v, symbol, *growing, symbols)
                    .map_err(|whole| if whole { Misfit::Shrinks(index) } else { Misfit::NotWhole(index) })?;
                values.push(self.index_value(&size));
                Ok(())
            }
            (Form::Typed(ty), Some(v)) => {
                values.push(self.coerce(v, ty).ok_or_else(|| Misfit::Typed(index, self.builder.func.ty(v).clone()))?);
                Ok(())
            }
            (Form::Maybe(ty), Some(v)) => {
                let value = self.coerce(v, ty).ok_or_else(|| Misfit::Typed(index, self.builder.func.ty(v).clone()))?;
                let flag = match flag {
                    Some(flag) => flag,
                    None => self.truth_constant(true),
                };
                values.extend([value, flag]);
                Ok(())
            }
            (Form::Maybe(ty), None) => {
                let value = self.filled(0.0, ty.class, ty.dims.clone());
                let flag = self.truth_constant(false);
                values.extend([value, flag]);
                Ok(())
            }
        }
    }

    /// The value as one of this type, if that loses nothing.
    fn coerce(&mut self, value: Value, ty: &Type) -> Option<Value> {
        let own = self.builder.func.ty(value).clone();
        if join_classes(own.class, ty.class) != Some(ty.class) {
            return None;
        }
        if own.dims == ty.dims {
            return Some(self.convert(value, ty.class));
        }
        if !own.dims.iter().zip(&ty.dims).all(|(a, b)| self.same_size(a, b)) || own.dims.len() != ty.dims.len() {
            return None;
        }
        let fitted = self.recast(value, &ty.dims);
        Some(self.convert(fitted, ty.class))
    }

    /// The next value of a whole carried variable: it steps by a constant, or is set to something that does not itself go
    /// round the loop. `Err(true)`: it decreases.
    fn step_of(&mut self, value: Value, symbol: &Size, growing: bool, symbols: &[Size]) -> Result<Size, bool> {
        let size = self.whole_of(value).ok_or(false)?;
        let step = size.sub(symbol);
        if let Some(step) = step.as_constant() {
            return if growing && step < 0 { Err(true) } else { Ok(size) };
        }
        let goes_round = symbols.iter().filter_map(Size::as_sym).any(|s| size.symbols().any(|t| t == s));
        if goes_round {
            return Err(false);
        }
        if growing {
            return Err(true);
        }
        Ok(size)
    }

    /// Binds the carried variables after the loop.
    fn bind_results(&mut self, lp: &Loop<'_>, results: &[Value], init: &[Value]) {
        let at_least_once = match &lp.head {
            Head::Count { trip, .. } => self.never_negative(&trip.add_const(-1)),
            Head::While(_) => false,
            Head::Until(_) => true,
        };
        let mut next = results.iter().copied().zip(init.iter().copied());
        for carried in &lp.carried {
            let Some((result, first)) = next.next() else { break };
            let at = self.env.span(&carried.name).unwrap_or(lp.span);
            self.builder.func.names[result.index()] = Some(carried.name.clone());
            match &carried.form {
                Form::Typed(_) => self.env.set_value(&carried.name, result, at),
                Form::Whole { growing, .. } => {
                    let low = self.whole_of(first).filter(|_| *growing).into_iter().collect();
                    let size = self.symbol_for(result, low, Vec::new());
                    let facts = Facts::whole(size, false);
                    self.learn(result, facts.clone());
                    let double = self.emit(Op::Convert(result), Type::scalar(Class::Double), facts);
                    self.env.set_value(&carried.name, double, at);
                }
                Form::Maybe(_) => {
                    let Some((flag, _)) = next.next() else { break };
                    if at_least_once && lp.kind != FrameKind::Loop {
                        self.env.set_value(&carried.name, result, at);
                    } else {
                        self.env.set(&carried.name, Binding::Maybe(result, flag), at);
                    }
                }
            }
        }
    }

    /// Weakens the assumption by what the edges brought; the diagnostic if that is impossible.
    fn correct(&mut self, lp: &mut Loop<'_>, misfits: &[Misfit], before: &Before) -> Option<Box<Diagnostic>> {
        let mut gone: Vec<usize> = Vec::new();
        for misfit in misfits {
            match misfit {
                Misfit::Shrinks(i) => {
                    if let Form::Whole { growing, .. } = &mut lp.carried[*i].form {
                        *growing = false;
                    }
                }
                Misfit::NotWhole(i) => lp.carried[*i].form = Form::Typed(Type::scalar(Class::Double)),
                Misfit::Undefined(i) => {
                    let ty = match &lp.carried[*i].form {
                        Form::Typed(ty) | Form::Maybe(ty) => ty.clone(),
                        Form::Whole { .. } => Type::scalar(Class::Double),
                    };
                    lp.carried[*i].form = Form::Maybe(ty);
                }
                Misfit::NotNumber(i) => gone.push(*i),
                Misfit::Typed(i, ty) => {
                    let (Form::Typed(old) | Form::Maybe(old)) = &mut lp.carried[*i].form else { continue };
                    match join_types(old, ty) {
                        Some(joined) => *old = joined,
                        None => {
                            let (old, name) = (old.clone(), lp.carried[*i].name.clone());
                            if self.liveness().is_some_and(|l| l.at_head(lp.span).contains(&name))
                                || lp.kind != FrameKind::Loop
                            {
                                return Some(Box::new(self.changes_type(lp, &name, &old, ty)));
                            }
                            gone.push(*i);
                        }
                    }
                }
                Misfit::Watched(name, ty) => {
                    if !lp.watched.contains(name) {
                        if let Some(c) = lp.carried.iter_mut().find(|c| c.name == *name)
                            && let Form::Maybe(old) = &mut c.form
                        {
                            match join_types(old, ty) {
                                Some(joined) => *old = joined,
                                None => lp.lost.push(name.clone()),
                            }
                        }
                        continue;
                    }
                    lp.watched.retain(|n| n != name);
                    if ty.dims.iter().flat_map(Size::symbols).all(|s| before.mark.has_symbol(s)) {
                        lp.carried.push(Carried { name: name.clone(), form: Form::Maybe(ty.clone()) });
                    } else {
                        lp.lost.push(name.clone());
                    }
                }
            }
        }
        gone.sort_unstable();
        gone.dedup();
        for i in gone.into_iter().rev() {
            lp.lost.push(lp.carried.remove(i).name);
        }
        lp.carried.retain(|c| !lp.lost.contains(&c.name));
        None
    }

    fn changes_type(&self, lp: &Loop<'_>, name: &str, old: &Type, new: &Type) -> Diagnostic {
        let (a, b) = (self.type_text(old), self.type_text(new));
        let at = self.env.span(name).unwrap_or(lp.span);
        let what = if lp.kind == FrameKind::Loop { "before the loop and" } else { "at one return and" };
        Diagnostic::error(Code::LoopType, at, format!("`{name}` is {a} {what} {b} later"))
            .note_at(lp.span, "in this loop")
            .help("give it its final class and size before, for example with zeros(..)")
    }
}

fn has_continue(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Continue => true,
        StmtKind::If { branches, otherwise } => {
            branches.iter().any(|b| has_continue(&b.body)) || otherwise.as_deref().is_some_and(has_continue)
        }
        StmtKind::Switch { cases, otherwise, .. } => {
            cases.iter().any(|c| has_continue(&c.body)) || otherwise.as_deref().is_some_and(has_continue)
        }
        _ => false,
    })
}
