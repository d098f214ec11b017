//! Calls: of the program's own functions, of function values, of builtins.

use super::control::{Flow, Frame, FrameKind};
use super::env::{Binding, Env, Handle};
use super::facts::Stored;
use super::reached::Ending;
use super::{Lower, Lowered, Operand, Stop, builtin, lists, live, prelude};
use crate::diag::{Code, Diagnostic};
use crate::ir::Op;
use crate::matlab::ast::{Expr, ExprKind, Function, Name, Param, Stmt, StmtKind};
use crate::source::Span;

/// Calls nest at most this deep while they are expanded.
const MAX_CALL_DEPTH: usize = 32;
/// After so many statements of expanded calls, calls of the program's functions stay calls where they can: code that calls a
/// function in many places would grow without bound.
const EXPAND_FREELY: usize = 1500;

/// A result that no statement of its function assigns.
pub(super) fn never_assigned(output: &Name, function: &Function) -> Diagnostic {
    let message = format!("the result `{}` of `{}` is never assigned", output.text, function.name.text);
    Diagnostic::error(Code::Unassigned, output.span, message).help("assign it, or take it out of the list of results")
}

impl<'a> Lower<'a> {
    /// `callee(args)` with `wanted` results.
    pub fn apply_many(&mut self, callee: &Expr, args: &[Expr], span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        let ExprKind::Ident(name) = &callee.kind else {
            // f(..)(..): index what the call gives.
            let array = match self.expr(callee)? {
                Operand::Function(handle) => return self.call_handle(&handle, args, span, wanted),
                Operand::Text(text) => return Ok(vec![self.text_index(&text, args, span)?]),
                operand => self.operand_value(operand, callee.span)?,
            };
            let result = self.index(array, args, span)?;
            self.stored_by_index(array, args, result);
            return Ok(vec![Operand::Value(result)]);
        };
        let args = &self.spread_lists(args)?;
        if !self.env.contains(name) && !self.env.is_struct(name) {
            return self.call_name(name, args, span, wanted);
        }
        match self.name(name, callee.span)? {
            Operand::Value(array) => {
                let result = self.index(array, args, span)?;
                self.stored_by_index(array, args, result);
                Ok(vec![Operand::Value(result)])
            }
            Operand::Function(handle) => self.call_handle(&handle, args, span, wanted),
            Operand::Text(text) => Ok(vec![self.text_index(&text, args, span)?]),
            Operand::Message(pieces) => {
                let codes = self.message_codes(&pieces, span);
                Ok(vec![Operand::Value(self.index(codes, args, span)?)])
            }
            Operand::List(list) => Ok(vec![Operand::List(self.part_of_list(&list, args, span)?)]),
            Operand::Struct(_) => self.struct_refused(span),
            Operand::Chosen(_) => self.chosen_refused(span),
        }
    }

    /// A call of the function of this name.
    pub fn call_name(&mut self, name: &str, args: &[Expr], span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        let args = &self.name_lists(args)?;
        if let Some(measure) = self.measure_of_list(name, args) {
            return Ok(vec![measure]);
        }
        if let Some(function) = self.own_function(name, span) {
            let operands = self.arguments(args)?;
            return self.call_function(function, operands, span, wanted);
        }
        let results = self.about_structs(name, args, span).or_else(|| self.about_options(name, args, span));
        if let Some(results) = results {
            return results;
        }
        if let Some(results) = builtin::about_lists(self, name, args, span, wanted) {
            return results;
        }
        if let Some(list) = args.iter().find(|arg| self.is_list(arg))
            && !lists::ASK_FOR_CLASS.contains(&name)
        {
            return builtin::of_lists(self, name, args, (list.span, span), wanted);
        }
        if let Some(function) = prelude::find(name, span) {
            let operands = self.arguments(args)?;
            if let ("inv", [Operand::Value(x)]) = (name, &operands[..])
                && self.facts(*x).stored == Stored::Diagonal
            {
                let inverse = self.call_inner_value("inverse_of_diagonal", vec![*x], span)?;
                self.is_stored(inverse, Stored::Diagonal);
                return Ok(vec![Operand::Value(inverse)]);
            }
            let roots = self.complex_roots;
            self.complex_roots |= self.asked_in_parts.contains(&span);
            let results = self.call_prelude(function, operands.clone(), span, wanted);
            self.complex_roots = roots;
            let results = self.all_computed(results?);
            self.stored_by_call(name, &operands, &results);
            return Ok(results);
        }
        builtin::call(self, name, args, span, wanted)
    }

    /// The program's function that a name means at this place; in the prelude names mean MATLAB's functions.
    pub fn own_function(&self, name: &str, at: Span) -> Option<&'a Function> {
        self.scope.find(name, at.file).filter(|_| !prelude::contains(at))
    }

    /// The values of arguments; all are lowered before the first failure counts.
    pub fn arguments(&mut self, args: &[Expr]) -> Lowered<Vec<Operand>> {
        let operands: Vec<Lowered<Operand>> = args.iter().map(|a| self.expr(a)).collect();
        operands.into_iter().collect()
    }

    /// A call of a function value.
    pub fn call_handle(&mut self, handle: &Handle, args: &[Expr], span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        match handle {
            Handle::Named(name) => self.call_named(name, args, span, wanted),
            Handle::Anonymous { params, body, captured } => {
                self.spend_handle()?;
                let any = lists::takes_rest(params);
                if params.len() < args.len() && !any || needs_more(params, body, args.len()) {
                    let message = format!("this function takes {} arguments, not {}", params.len(), args.len());
                    return self.stop(Code::ArgumentCount, span, message);
                }
                let operands = self.arguments(args)?;
                self.enter_call(prelude::NO_NAME, span)?;
                let mut env = captured.clone();
                for param in params {
                    if let Param::Named(name) = param {
                        env.remove(&name.text);
                    }
                }
                let mut operands = operands.into_iter();
                for (k, param) in params.iter().enumerate() {
                    let Param::Named(name) = param else {
                        operands.next();
                        continue;
                    };
                    let operand = match any && k + 1 == params.len() {
                        true => Some(Operand::List(operands.by_ref().collect::<Vec<_>>().into())),
                        false => operands.next(),
                    };
                    if let Some(operand) = operand {
                        env.bind(&name.text, operand, name.span);
                    }
                }
                let outer = std::mem::replace(&mut self.env, env);
                let ends = std::mem::take(&mut self.ends);
                let results = match &body.kind {
                    ExprKind::Apply { callee, args } if wanted > 1 => self.apply_many(callee, args, body.span, wanted),
                    _ => self.expr_or_choice(body).map(|result| vec![result]),
                };
                self.ends = ends;
                self.env = outer;
                self.calls.pop();
                results
            }
        }
    }

    fn enter_call(&mut self, name: &str, span: Span) -> Lowered<()> {
        if self.calls.len() >= MAX_CALL_DEPTH || self.calls.iter().any(|c| c == name && name != prelude::NO_NAME) {
            return self.stop(Code::Recursion, span, "calls nest too deep here to be expanded");
        }
        self.calls.push(name.to_owned());
        Ok(())
    }

    /// A call of a function by its name where the handle was made.
    pub fn call_named(&mut self, name: &Name, args: &[Expr], span: Span, wanted: usize) -> Lowered<Vec<Operand>> {
        match self.own_function(&name.text, name.span) {
            Some(function) => {
                let operands = self.arguments(args)?;
                self.call_function(function, operands, span, wanted)
            }
            None => self.call_name(&name.text, args, span, wanted),
        }
    }

    /// A call of one of the program's own functions: expanded, unless it calls itself or so much has been expanded already.
    pub fn call_function(
        &mut self,
        function: &'a Function,
        args: Vec<Operand>,
        span: Span,
        wanted: usize,
    ) -> Lowered<Vec<Operand>> {
        self.check_counts(function, args.len(), wanted, span)?;
        if self.unreachable {
            // An operand on the left has ended the way: the statements of the function must not take its end for theirs.
            return Err(Stop);
        }
        if self.scope.is_recursive(function) {
            return self.call_specialised(function, &args, span, wanted);
        }
        if prelude::is_called(function) && self.can_specialise(function, &args, span, wanted) {
            return self.call_specialised(function, &args, span, wanted);
        }
        if !prelude::contains(function.span) {
            let counted = !lists::takes_any(function) && !lists::gives_any(function);
            let may_stay = self.expanded > EXPAND_FREELY && counted;
            if may_stay && self.can_specialise(function, &args, span, wanted) {
                return self.call_specialised(function, &args, span, wanted);
            }
        }
        self.enter_call(prelude::recursion_name(function), span)?;
        let mut env = Env::default();
        let given = args.len();
        let mut args = args.into_iter();
        let named = function.inputs.len() - usize::from(lists::takes_any(function));
        for (param, operand) in function.inputs.iter().take(named).zip(args.by_ref()) {
            if let Param::Named(param) = param {
                env.bind(&param.text, operand, param.span);
            }
        }
        if lists::takes_any(function) {
            env.set("varargin", Binding::Is(Operand::List(args.collect::<Vec<_>>().into())), function.signature);
        }
        let result = self.expand_body(function, env, given, wanted, span);
        self.calls.pop();
        result
    }

    /// The function that is being lowered and the number of its arguments, if this is a parameter beyond them.
    pub fn without_argument(&self, name: &str, at: Span) -> Option<(&'a Function, usize)> {
        let given = self.frames.iter().rev().find_map(|frame| match frame.kind {
            FrameKind::Call { given, .. } => Some(given),
            _ => None,
        })?;
        let function = self.own_function(self.calls.last()?, at)?;
        let mut missing = function.inputs.iter().skip(given);
        missing.any(|param| matches!(param, Param::Named(n) if n.text == name)).then_some((function, given))
    }

    fn check_counts(&mut self, function: &Function, given: usize, wanted: usize, span: Span) -> Lowered<()> {
        if self.scope.is_recursive(function) {
            self.check_variadic(function)?;
        }
        let name = &function.name.text;
        let (takes, gives) = (function.inputs.len(), function.outputs.len());
        let (code, message, said) = if given > takes && !lists::takes_any(function) {
            (Code::ArgumentCount, format!("`{name}` takes {takes} arguments, but {given} are given"), "inputs")
        } else if wanted.max(1) > gives.max(1) && !lists::gives_any(function) {
            (Code::ResultCount, format!("`{name}` has {gives} results, but {wanted} are asked for"), "outputs")
        } else {
            return Ok(());
        };
        let mistake = Diagnostic::error(code, span, message).note_at(function.signature, "defined here");
        let message = format!("{name}: function called with too many {said}");
        self.report_if_reached(mistake, "Octave:invalid-fun-call", message)
    }

    /// Refuses a function with any number of arguments or results where it is not expanded at a call that tells how many.
    pub fn check_variadic(&mut self, function: &Function) -> Lowered<()> {
        let inputs = function.inputs.iter().filter_map(|p| if let Param::Named(name) = p { Some(name) } else { None });
        let variadic = |n: &&Name| n.text == "varargin" || n.text == "varargout";
        match inputs.chain(&function.outputs).find(variadic) {
            None => Ok(()),
            Some(name) => self.report(
                Diagnostic::error(Code::Variadic, name.span, format!("`{}` is not supported", name.text))
                    .note("how many arguments and results there are is not known for a function that Rust or the function itself calls")
                    .help("name the parameters and results; nargin tells how many arguments were given"),
            ),
        }
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
        self.note_parts(function);
        let body = match function.body.split_last() {
            Some((last, rest)) if last.kind == StmtKind::Return => rest,
            _ => &function.body,
        };
        if returns(body) {
            return self.body_with_returns(function);
        }
        match self.block(body) {
            Flow::Through => Ok(()),
            Flow::Left(_) if self.unsettled => {
                self.unreachable = true;
                Err(Stop)
            }
            // Of a function without results nothing is missed: the way ends where it is called.
            Flow::Left(_) if function.outputs.is_empty() => {
                self.unreachable = true;
                Ok(())
            }
            Flow::Left(_) => self.always_fails(function),
        }
    }

    /// Every way through the function ends in `error(..)`: there is no result to go on with. Where the program calls such a
    /// function of its own the way ends; for Rust, and of the library, it is a mistake.
    fn always_fails(&mut self, function: &Function) -> Lowered<()> {
        let library = prelude::contains(function.name.span);
        let who = if library { "it".to_owned() } else { format!("`{}`", function.name.text) };
        if !library && self.calls.len() > 1 {
            self.unreachable = true;
            let message = format!("{who} ends in an error on every way");
            let raised = Some(self.builder.depth());
            self.ending = Some(Ending { identifier: "", message, at: function.signature, raised });
            return Err(Stop);
        }
        let message = match self.builder.stmts().last().map(|stmt| &stmt.op) {
            Some(Op::Raise { format, args, .. }) if args.is_empty() => {
                format!("{who} ends in an error on every way: \"{}\"", format.trim_end())
            }
            _ => format!("{who} ends in an error on every way"),
        };
        self.stop(Code::AlwaysFails, function.signature, message)
    }

    pub fn results_of(&mut self, function: &Function, env: &Env, wanted: usize, span: Span) -> Lowered<Vec<Operand>> {
        let mut results = Vec::new();
        let caller = std::mem::replace(&mut self.env, env.clone());
        for output in function.outputs.iter().take(wanted.max(1)) {
            if output.text == "varargout" {
                results.extend(self.list_in("varargout", wanted.max(1) - results.len()));
                break;
            }
            let operand = match self.env.get(&output.text).cloned() {
                Some(_) => self.name(&output.text, span),
                None if self.env.is_struct(&output.text) => self.name(&output.text, span),
                None if wanted == 0 => break,
                // After another mistake what would assign it may not have been reached.
                None if self.diags.has_errors() => Err(Stop),
                None => self.report(never_assigned(output, function)),
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

/// Whether the body of an anonymous function uses a parameter behind the first so many.
fn needs_more(params: &[Param], body: &Expr, given: usize) -> bool {
    let mut used = live::Names::new();
    live::uses(body, &mut used);
    let fixed = params.len() - usize::from(lists::takes_rest(params));
    params.iter().take(fixed).skip(given).any(|param| matches!(param, Param::Named(name) if used.contains(&name.text)))
}
