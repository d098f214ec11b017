//! Calls: of the program's own functions, of function values, of builtins.

use super::control::{Flow, Frame};
use super::env::{Binding, Env, Handle};
use super::{Lower, Lowered, Operand, Stop, builtin, prelude};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{Expr, ExprKind, Function, Param, Stmt, StmtKind};
use crate::source::Span;

/// Calls nest at most this deep while they are expanded.
const MAX_CALL_DEPTH: usize = 32;

impl<'a> Lower<'a> {
    /// `callee(args)` with `wanted` results.
    pub fn apply_many(&mut self, callee: &Expr, args: &[Expr], span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        let ExprKind::Ident(name) = &callee.kind else {
            // f(..)(..): index what the call gives.
            let array = self.expr_value(callee)?;
            return Ok(vec![Operand::Value(self.index(array, args, span)?)]);
        };
        if !self.env.contains(name) {
            return self.call_name(name, args, span, wanted);
        }
        match self.name(name, callee.span)? {
            Operand::Value(array) => Ok(vec![Operand::Value(self.index(array, args, span)?)]),
            Operand::Function(handle) => self.call_handle(&handle, args, span, wanted),
            Operand::Text(_) => self.stop(Code::TextValue, span, "indexing a text is not supported"),
        }
    }

    /// A call of the function of this name.
    pub fn call_name(&mut self, name: &str, args: &[Expr], span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        if let Some(function) = self.scope.find(name).filter(|_| !prelude::contains(span)) {
            let operands = self.arguments(args)?;
            return self.call_function(function, operands, span, wanted);
        }
        if let Some(function) = prelude::find(name, span) {
            let operands = self.arguments(args)?;
            return self.call_prelude(function, operands, span, wanted);
        }
        builtin::call(self, name, args, span, wanted)
    }

    /// The values of arguments; all are lowered before the first failure counts.
    pub fn arguments(&mut self, args: &[Expr]) -> Lowered<Vec<Operand>> {
        let operands: Vec<Lowered<Operand>> = args.iter().map(|a| self.expr(a)).collect();
        operands.into_iter().collect()
    }

    /// A call of a function value.
    pub fn call_handle(&mut self, handle: &Handle, args: &[Expr], span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        match handle {
            Handle::Named(name) => match self.scope.find(name) {
                // Also where the prelude calls it: the name is the program's.
                Some(function) => {
                    let operands = self.arguments(args)?;
                    self.call_function(function, operands, span, wanted)
                }
                None => self.call_name(name, args, span, wanted),
            },
            Handle::Anonymous { params, body, captured } => {
                if params.len() != args.len() {
                    let message = format!("this function takes {} arguments, not {}", params.len(), args.len());
                    return self.stop(Code::ArgumentCount, span, message);
                }
                let operands = self.arguments(args)?;
                self.enter_call("@", span)?;
                let mut env = captured.clone();
                for (param, operand) in params.iter().zip(operands) {
                    if let Param::Named(name) = param {
                        env.set(&name.text, Binding::Is(operand), name.span);
                    }
                }
                let outer = std::mem::replace(&mut self.env, env);
                let ends = std::mem::take(&mut self.ends);
                let result = self.expr(body);
                self.ends = ends;
                self.env = outer;
                self.calls.pop();
                Ok(vec![result?])
            }
        }
    }

    fn enter_call(&mut self, name: &str, span: Span) -> Lowered<()> {
        if name != "@" && self.calls.iter().any(|c| c == name) {
            return self.report(
                Diagnostic::error(
                    Code::Recursion,
                    span,
                    format!("`{name}` calls itself; recursion is not supported yet"),
                )
                .help("write it as a loop"),
            );
        }
        if self.calls.len() >= MAX_CALL_DEPTH {
            return self.stop(Code::Recursion, span, "calls nest too deep here");
        }
        self.calls.push(name.to_owned());
        Ok(())
    }

    /// Expands a call of one of the program's own functions.
    pub fn call_function(
        &mut self,
        function: &'a Function,
        args: Vec<Operand>,
        span: Span,
        wanted: usize,
    ) -> Lowered<Vec<Operand>> {
        let name = &function.name.text;
        if args.len() > function.inputs.len() {
            let message = format!("`{name}` takes {} arguments, but {} are given", function.inputs.len(), args.len());
            return self.report(
                Diagnostic::error(Code::ArgumentCount, span, message).note_at(function.signature, "defined here"),
            );
        }
        if wanted.max(1) > function.outputs.len().max(1) {
            let message = format!("`{name}` has {} results, but {wanted} are asked for", function.outputs.len());
            return self.report(
                Diagnostic::error(Code::ResultCount, span, message).note_at(function.signature, "defined here"),
            );
        }
        self.enter_call(prelude::recursion_name(function), span)?;
        let mut env = Env::default();
        let given = args.len();
        for (param, operand) in function.inputs.iter().zip(args) {
            if let Param::Named(param) = param {
                env.set(&param.text, Binding::Is(operand), param.span);
            }
        }
        let result = self.expand_body(function, env, given, wanted, span);
        self.calls.pop();
        result
    }

    fn expand_body(
        &mut self,
        function: &'a Function,
        env: Env,
        given: usize,
        wanted: usize,
        span: Span,
    ) -> Lowered<Vec<Operand>> {
        let outer = std::mem::replace(&mut self.env, env);
        let ends = std::mem::take(&mut self.ends);
        let frames = std::mem::take(&mut self.frames);
        self.frames.extend(frames.iter().cloned());
        self.frames.push(Frame::call(function, given, wanted));
        let lowered = self.function_body(function);
        self.frames = frames;
        let env = std::mem::replace(&mut self.env, outer);
        self.ends = ends;
        lowered?;
        self.results_of(function, &env, wanted, span)
    }

    /// The statements of a function; a `return` at the very end has nothing to skip.
    pub fn function_body(&mut self, function: &Function) -> Lowered<()> {
        let body = match function.body.split_last() {
            Some((last, rest)) if last.kind == StmtKind::Return => rest,
            _ => &function.body,
        };
        if returns(body) {
            return self.body_with_returns(function);
        }
        match self.block(body) {
            Flow::Through => Ok(()),
            Flow::Left(_) => self.always_fails(function),
        }
    }

    /// Every way through the function ends in `error(..)`: there is no result to go on with.
    fn always_fails(&mut self, function: &Function) -> Lowered<()> {
        let message = format!("`{}` ends in an error on every way", function.name.text);
        self.stop(Code::AlwaysFails, function.signature, message)
    }

    fn results_of(&mut self, function: &Function, env: &Env, wanted: usize, span: Span) -> Lowered<Vec<Operand>> {
        let mut results = Vec::new();
        let caller = std::mem::replace(&mut self.env, env.clone());
        for output in function.outputs.iter().take(wanted.max(1)) {
            let operand = match self.env.get(&output.text).cloned() {
                Some(_) => self.name(&output.text, span),
                None if wanted == 0 => break,
                None => {
                    let message = format!("the result `{}` of `{}` is never assigned", output.text, function.name.text);
                    self.report(Diagnostic::error(Code::Unassigned, output.span, message))
                }
            };
            match operand {
                Ok(operand) => results.push(operand),
                Err(Stop) => {
                    self.env = caller;
                    return Err(Stop);
                }
            }
        }
        self.env = caller;
        Ok(results)
    }
}

/// Whether a `return` occurs in the statements.
fn returns(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return => true,
        StmtKind::If { branches, otherwise } => {
            branches.iter().any(|b| returns(&b.body)) || otherwise.as_deref().is_some_and(returns)
        }
        StmtKind::Switch { cases, otherwise, .. } => {
            cases.iter().any(|c| returns(&c.body)) || otherwise.as_deref().is_some_and(returns)
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoUntil { body, .. } => returns(body),
        _ => false,
    })
}
