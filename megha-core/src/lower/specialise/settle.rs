//! Making specialisations: rounds of lowering until the types of the results settle.
//!
//! A specialisation that was made while an outer one's assumption was not confirmed depends on that assumption; it goes
//! when the outer one starts another round. Every round that is not the last weakens the assumption, so there are few.

use super::arguments::Passed;
use super::results::unsettled;
use super::{Key, State};
use crate::diag::{Code, Diagnostic, Diagnostics, Severity};
use crate::ir::Terminator;
use crate::lower::complex::split;
use crate::lower::control::Frame;
use crate::lower::form::Shape;
use crate::lower::{Lower, Lowered, Operand, Stop, prelude};
use crate::lower::{masks, slices};
use crate::matlab::ast::Function;
use crate::source::Span;

/// A round weakens the class or a size of a result; this is never reached.
const MAX_ROUNDS: usize = 32;

impl<'a> Lower<'a> {
    /// Calls the specialisation of a function for these arguments.
    pub fn call_specialised(
        &mut self,
        function: &'a Function,
        args: &[Operand],
        span: Span,
        wanted: usize,
    ) -> Lowered<Vec<Operand>> {
        let (index, passed) = self.specialisation(function, args, span, wanted)?;
        let id = self.specialisations.id(index);
        let results = match &mut self.specialisations.entries[index].state {
            State::Open { assumed, used } => {
                *used = true;
                assumed.clone()
            }
            State::Done { results, warnings, .. } => {
                warnings.iter().cloned().for_each(|d| self.diags.push(d));
                results.clone()
            }
            State::Failed(mistakes) => {
                mistakes.clone().into_iter().for_each(|d| self.diags.push(d));
                return Err(Stop);
            }
        };
        let Some(shapes) = results else {
            self.unreachable = true;
            self.unsettled = true;
            return Err(Stop);
        };
        let before = self.here(span);
        let operands = self.push_call(id, passed, &shapes);
        self.builder.set_loc(before);
        operands
    }

    /// Whether a function compiles for arguments of which only the types are known.
    pub fn can_specialise(&mut self, function: &'a Function, args: &[Operand], span: Span, wanted: usize) -> bool {
        if !self.specialisations.has_room() {
            return false;
        }
        let Ok((index, _)) = self.specialisation(function, args, span, wanted) else { return false };
        matches!(self.specialisations.entries[index].state, State::Done { results: Some(_), .. })
    }

    /// The specialisation of a function for these arguments, by its index.
    fn specialisation(
        &mut self,
        function: &'a Function,
        args: &[Operand],
        span: Span,
        wanted: usize,
    ) -> Lowered<(usize, Passed)> {
        let recursive = self.scope.is_recursive(function);
        let any_size = recursive || prelude::contains(function.span);
        let mut passed = Passed { any_size, any_flag: recursive, ..Passed::default() };
        let mut arguments = Vec::new();
        for operand in args {
            arguments.push(self.argument_of(operand, &mut passed, span)?);
        }
        let key = Key { function: function.name.clone(), arguments, wanted, complex_roots: self.complex_roots };
        let index = match self.specialisations.find(&key) {
            Some(index) => index,
            None => self.specialise(function, key, span)?,
        };
        Ok((index, passed))
    }

    /// Makes a specialisation; gives its index.
    fn specialise(&mut self, function: &'a Function, key: Key, span: Span) -> Lowered<usize> {
        if !self.specialisations.has_room() {
            let message =
                format!("`{}` would be compiled for too many different types of arguments", key.function.text);
            let error = Diagnostic::error(Code::Recursion, span, message);
            return self
                .report(error.help("pass arguments of the same classes and numbers of dimensions at each call"));
        }
        let table = &mut self.specialisations.entries;
        let index = table.len();
        table.push(super::Entry { key, state: State::Open { assumed: None, used: false } });
        let mut state = None;
        for _ in 0..MAX_ROUNDS {
            state = self.round(function, index);
            if state.is_some() {
                break;
            }
        }
        let state = state.unwrap_or_else(|| State::Failed(vec![unsettled(function)]));
        self.specialisations.entries[index].state = state;
        Ok(index)
    }

    /// Lowers the body under the current assumption. `None` if that was not confirmed; the assumption is weaker then.
    fn round(&mut self, function: &'a Function, index: usize) -> Option<State> {
        let entry = &self.specialisations.entries[index];
        let (key, State::Open { assumed, .. }) = (entry.key.clone(), &entry.state) else { return None };
        let assumed = assumed.clone();
        let (expanded, around) = (self.expanded, (self.again, self.choosing));
        let mut diags = Diagnostics::new();
        let mut inner = Lower::new(&function.name.text, self.scope, self.spans, &mut diags, self.specialisations);
        inner.complex_roots = key.complex_roots;
        inner.expanded = expanded;
        (inner.again, inner.choosing) = around;
        if prelude::contains(function.span) {
            // Each call says where what goes wrong in it stands.
            inner.prelude_call = Some(prelude::Call::anywhere(function));
        }
        let done = inner.specialised_body(function, &key, assumed.as_deref());
        let mut func = Box::new(inner.builder.func);
        let results = match done {
            Ok(results) if !diags.has_errors() => results,
            _ => return Some(State::Failed(diags.sorted().into_iter().cloned().collect())),
        };
        if let Err(refused) = split::run(&mut func) {
            return Some(State::Failed(refused.iter().map(|r| r.diagnostic(self.spans)).collect()));
        }
        masks::run(&mut func);
        slices::run(&mut func);
        let used = matches!(self.specialisations.entries[index].state, State::Open { used: true, .. });
        match results {
            None if used && !self.waits_for_outer(index) => {
                // Ways that end in a mistake would have returned without it.
                let error = |d: &Diagnostic| Diagnostic { severity: Severity::Error, ..d.clone() };
                let mistakes: Vec<Diagnostic> = diags.sorted().into_iter().map(error).collect();
                Some(State::Failed(if mistakes.is_empty() { vec![endless(function)] } else { mistakes }))
            }
            Some(results) if used && assumed.as_ref() != Some(&results) => {
                self.specialisations.entries.truncate(index + 1);
                self.specialisations.entries[index].state = State::Open { assumed: Some(results), used: false };
                None
            }
            results => {
                let own = !prelude::contains(function.span);
                let warnings = diags.sorted().into_iter().filter(|_| own).cloned().collect();
                Some(State::Done { func, results, warnings })
            }
        }
    }

    /// Whether a specialisation around this one is not known to return yet.
    fn waits_for_outer(&self, index: usize) -> bool {
        let outer = &self.specialisations.entries[..index];
        outer.iter().any(|e| matches!(e.state, State::Open { assumed: None, used: true }))
    }

    /// The body of a specialisation; gives the shapes of its results, `None` if no way returns.
    fn specialised_body(
        &mut self,
        function: &'a Function,
        key: &Key,
        assumed: Option<&[Shape]>,
    ) -> Lowered<Option<Vec<Shape>>> {
        let mark = self.open_body(function, &key.arguments);
        self.here(function.signature);
        let sizes = self.builder.func.symbols.len();
        self.calls.push(prelude::recursion_name(function).to_owned());
        self.frames.push(Frame::call(function, key.arguments.len(), key.wanted));
        let body = self.function_body(function);
        self.frames.clear();
        if body.is_err() && std::mem::take(&mut self.unreachable) {
            self.builder.func.body = self.close_region(mark, Terminator::Unreachable);
            return Ok(None);
        }
        body?;
        let env = self.env.clone();
        let mut values = Vec::new();
        for operand in self.results_of(function, &env, key.wanted, function.signature)? {
            let Operand::Value(value) = operand else {
                let message = "a function that calls itself gives numbers and arrays only";
                return self.stop(Code::TextValue, function.signature, message);
            };
            values.push(value);
        }
        let shapes = self.result_shapes(function, &values, sizes, assumed)?;
        let (mut returned, mut names) = (Vec::new(), Vec::new());
        for ((value, shape), output) in values.into_iter().zip(&shapes).zip(&function.outputs) {
            let one = self.returned_values(value, shape)?;
            names.extend((1..one.len()).map(|n| format!("{}_size_{n}", output.text)));
            names.push(output.text.clone());
            returned.extend(one);
        }
        let types = returned.iter().map(|v| self.builder.func.ty(*v).clone()).collect();
        self.builder.func.results = types;
        self.builder.func.result_names = names;
        self.builder.func.body = self.close_region(mark, Terminator::Return(returned));
        Ok(Some(shapes))
    }
}

fn endless(function: &Function) -> Diagnostic {
    let message = format!("`{}` calls itself on every way, so it never returns", function.name.text);
    Diagnostic::error(Code::Recursion, function.signature, message)
        .help("test first for the case that needs no further call")
}
