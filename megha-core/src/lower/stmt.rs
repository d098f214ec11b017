//! Statements.

use super::control::{Flow, FrameKind};
use super::env::Binding;
use super::structs::field_of;
use super::{Lower, Lowered, NumberFormat, prelude};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{Declared, Expr, ExprKind, LValue, Name, OutTarget, Quote, Stmt, StmtKind};
use crate::source::Span;

/// Commands that forget variables.
const CLEAR: &[&str] = &["clear", "clearvars"];

/// Commands that change nothing a compiled function can see.
const HARMLESS_COMMANDS: &[&str] =
    &["clc", "close", "hold", "more", "warning", "figure", "pkg", "drawnow", "graphics_toolkit", "echo", "beep", "clf"];

/// Functions that programs also call as commands, `error 'no data'`.
const CALLED_WITH_WORDS: &[&str] = &["disp", "error"];

impl Lower<'_> {
    /// One statement.
    pub fn stmt(&mut self, stmt: &Stmt) -> Lowered<Flow> {
        let span = stmt.span;
        self.spend_statement()?;
        self.expanded += usize::from(self.calls.len() > 1 && !prelude::contains(span));
        if let Some(cond) = self.choice_in(stmt) {
            return self.stmt_by_choice(cond, stmt);
        }
        if let Some(pick) = self.pick_in(stmt) {
            return self.stmt_by_element(&pick, stmt);
        }
        match &stmt.kind {
            StmtKind::Expr(expr) => self.expr_stmt(expr, stmt.prints)?,
            StmtKind::Assign { target, op, value } => self.assign(target, *op, value, stmt)?,
            StmtKind::MultiAssign { targets, value } => self.multi_assign(targets, value, stmt)?,
            StmtKind::If { branches, otherwise } => return self.if_stmt(branches, otherwise.as_deref(), span),
            StmtKind::For { target, range, body, .. } => return self.for_stmt(target, range, body, span),
            StmtKind::While { cond, body } => return self.while_stmt(cond, body, span),
            StmtKind::DoUntil { body, cond } => return self.until_stmt(body, cond, span),
            StmtKind::Switch { subject, cases, otherwise } => {
                return self.switch_stmt(subject, cases, otherwise.as_deref(), span);
            }
            StmtKind::Break | StmtKind::Continue => return self.leave_loop(stmt),
            StmtKind::Return => return Ok(Flow::Left(self.leave_call(span)?)),
            StmtKind::Global(list) => return self.not_local("global", list, span),
            StmtKind::Persistent(list) => return self.persistent(list, span),
            StmtKind::UnwindProtect { body, cleanup } => return self.unwind_protect(body, cleanup, span),
            StmtKind::Try { .. } => {
                return self.report(
                    Diagnostic::error(Code::Try, span, "try .. catch is not supported")
                        .note("an error ends a compiled function and reaches the Rust caller as Err")
                        .help("test for the condition with if before the operation that may fail"),
                );
            }
            StmtKind::Command { name, words } => self.command(name, words, span)?,
        }
        self.bounded(stmt)?;
        Ok(if self.unreachable { self.take_unreachable() } else { Flow::Through })
    }

    /// The cleanup runs behind the body. After an error in the body, which ends the program, nothing can tell that it did not.
    fn unwind_protect(&mut self, body: &[Stmt], cleanup: &[Stmt], span: Span) -> Lowered<Flow> {
        if super::hoist::jumps(body) {
            return self.report(
                Diagnostic::error(Code::Try, span, "unwind_protect around return, break or continue is not supported")
                    .help("put the statement behind the block"),
            );
        }
        match self.block(body) {
            Flow::Through => Ok(self.block(cleanup)),
            left => Ok(left),
        }
    }

    fn take_unreachable(&mut self) -> Flow {
        self.unreachable = false;
        Flow::Left(crate::ir::Terminator::Unreachable)
    }

    /// Variables that keep constants start each call as `[]`.
    fn persistent(&mut self, list: &[Declared], span: Span) -> Lowered<Flow> {
        if !list.iter().all(|declared| self.scope.keeps_constant(declared.name.span)) {
            return self.not_local("persistent", list, span);
        }
        for Declared { name, value } in list {
            let none = Expr { kind: ExprKind::Matrix { rows: Vec::new() }, span };
            let value = value.clone().unwrap_or(none);
            let target = LValue { name: name.clone(), accesses: Vec::new(), span: name.span };
            let kind = StmtKind::Assign { target, op: None, value };
            self.stmt(&Stmt { kind, prints: false, span })?;
        }
        Ok(Flow::Through)
    }

    fn not_local(&mut self, what: &str, list: &[Declared], span: Span) -> Lowered<Flow> {
        let names: Vec<&str> = list.iter().map(|d| d.name.text.as_str()).collect();
        for declared in list {
            self.env.set(&declared.name.text, Binding::Poison, declared.name.span);
        }
        let (code, help) = match what {
            "global" => (Code::Global, "pass them as arguments and return them as results"),
            _ => (
                Code::Persistent,
                "pass them as arguments and return them as results; a persistent variable may keep constants, which only statements \
                 under `if isempty(x)` make, from constants",
            ),
        };
        self.report(
            Diagnostic::error(code, span, format!("{what} variables are not supported: {}", names.join(", ")))
                .note("a compiled function depends on its arguments only, so that it can run anywhere and in parallel")
                .help(help),
        )
    }

    fn command(&mut self, name: &Name, words: &[Name], span: Span) -> Lowered<()> {
        if CLEAR.contains(&name.text.as_str()) {
            self.clear(words);
            return Ok(());
        }
        if name.text == "format" {
            let words: Vec<String> = words.iter().map(|w| w.text.clone()).collect();
            return self.set_number_format(&words, span);
        }
        if HARMLESS_COMMANDS.contains(&name.text.as_str()) {
            return Ok(());
        }
        if CALLED_WITH_WORDS.contains(&name.text.as_str()) {
            let text = |word: &Name| ExprKind::Str { text: word.text.clone(), quote: Quote::Single };
            let args: Vec<Expr> = words.iter().map(|word| Expr { kind: text(word), span: word.span }).collect();
            return self.call_name(&name.text, &args, span, 0).map(|_| ());
        }
        self.stop(Code::Unsupported, span, format!("the command `{}` is not supported in compiled code", name.text))
    }

    /// `clear x y` forgets these variables, `clear` and `clear all` every one.
    fn clear(&mut self, words: &[Name]) {
        let every = words.is_empty() || words.iter().any(|w| matches!(w.text.as_str(), "all" | "-all" | "variables"));
        let names: Vec<String> = match every {
            true => self.env.names().map(str::to_owned).collect(),
            false => words.iter().map(|w| w.text.clone()).collect(),
        };
        names.iter().for_each(|name| self.env.remove(name));
    }

    /// `format`, `format long`: how the statements that follow display numbers. It is a matter of the text, so it must not depend on
    /// the way taken.
    pub fn set_number_format(&mut self, words: &[String], span: Span) -> Lowered<()> {
        let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let format = match words.join(" ").as_str() {
            "" | "short" => NumberFormat::Short,
            "long" => NumberFormat::Long,
            other => NumberFormat::Other(other.to_owned()),
        };
        let depends = self.frames.iter().any(|frame| frame.kind == FrameKind::Loop || frame.conditions > 0);
        if depends && format != self.number_format {
            return self.report(
                Diagnostic::error(Code::Unsupported, span, "`format` in a loop or branch is not supported")
                    .help("put it before the loop or branch, or print the numbers with fprintf"),
            );
        }
        self.number_format = format;
        Ok(())
    }

    fn expr_stmt(&mut self, expr: &Expr, prints: bool) -> Lowered<()> {
        let results = match &expr.kind {
            ExprKind::Ident(name) if !self.env.contains(name) && !self.env.is_struct(name) => {
                if CLEAR.contains(&name.as_str()) {
                    self.clear(&[]);
                    return Ok(());
                }
                if HARMLESS_COMMANDS.contains(&name.as_str()) {
                    return Ok(());
                }
                self.call_name(name, &[], expr.span, 0)?
            }
            ExprKind::Apply { callee, args } => self.apply_many(callee, args, expr.span, 0)?,
            _ => match self.spread_elements(expr)? {
                Some(list) => list.items,
                None => vec![self.expr(expr)?],
            },
        };
        let one = !matches!(expr.kind, ExprKind::BraceIndex { .. });
        let variable = match &expr.kind {
            ExprKind::Ident(name) if self.env.contains(name) && field_of(name).is_none() => Some(name.as_str()),
            _ => None,
        };
        for operand in results.into_iter().take(if one { 1 } else { usize::MAX }) {
            if prints {
                self.display(variable.unwrap_or("ans"), &operand, expr.span)?;
            }
            if variable.is_none() {
                self.env.bind("ans", operand, expr.span);
            }
        }
        Ok(())
    }

    fn multi_assign(&mut self, targets: &[OutTarget], value: &Expr, stmt: &Stmt) -> Lowered<()> {
        let span = stmt.span;
        let results = match &value.kind {
            ExprKind::Apply { callee, args } => self.apply_many(callee, args, value.span, targets.len())?,
            ExprKind::Ident(name) if !self.env.contains(name) && !self.env.is_struct(name) => {
                self.call_name(name, &[], value.span, targets.len())?
            }
            _ => match self.spread_elements(value)? {
                Some(list) => list.items,
                None => vec![self.expr(value)?],
            },
        };
        if results.len() < targets.len() {
            let message = format!("{} results are assigned, but this gives {}", targets.len(), results.len());
            return self.stop(Code::ResultCount, span, message);
        }
        for (target, operand) in targets.iter().zip(results) {
            if let OutTarget::Place(place) = target {
                self.assign_operand(place, operand, span)?;
                self.display_assigned(place, stmt)?;
            }
        }
        Ok(())
    }
}
