//! How much a list, struct, function or text holds. They exist only while compiling, so a program whose lines each put one into another
//! twice, as in `c = {c, c}`, would take twice the memory and time of the compiler with every line.

use super::env::{Binding, Env, Handle};
use super::{Lower, Lowered, Operand, live};
use crate::diag::{Code, Diagnostic};
use crate::matlab::ast::{Stmt, StmtKind};

/// A variable holds at most so many operands, nested ones included; some characters of a text count as one.
const MOST: usize = 4_000;
/// It holds operands in operands at most so deep. Calls of handles that call each other nest less deep anyway.
const DEEPEST: usize = 60;
/// Characters of a text that count as much as an operand.
const CHARACTERS: usize = 32;

/// What may still be held, and how deep.
struct Room {
    parts: usize,
    depth: usize,
}

impl Room {
    /// `None` if it is more.
    fn take(&mut self, parts: usize) -> Option<()> {
        self.parts = self.parts.checked_sub(parts)?;
        Some(())
    }

    fn operand(&mut self, operand: &Operand) -> Option<()> {
        self.take(1)?;
        self.depth = self.depth.checked_sub(1)?;
        let inside = self.inside(operand);
        self.depth += 1;
        inside
    }

    fn inside(&mut self, operand: &Operand) -> Option<()> {
        match operand {
            Operand::Value(_) => Some(()),
            Operand::Text(text) => self.take(text.len() / CHARACTERS),
            Operand::Message(pieces) => self.take(pieces.len()),
            Operand::List(list) => list.items.iter().try_for_each(|item| self.operand(item)),
            Operand::Struct(whole) => whole.fields.iter().try_for_each(|(_, operand)| self.operand(operand)),
            Operand::Chosen(chosen) => [&chosen.then, &chosen.els].into_iter().try_for_each(|one| self.operand(one)),
            Operand::Function(handle) => match &**handle {
                Handle::Named(_) => Some(()),
                Handle::Anonymous { captured, .. } => captured.bindings().try_for_each(|one| self.binding(one)),
            },
        }
    }

    fn binding(&mut self, binding: &Binding) -> Option<()> {
        match binding {
            Binding::Is(operand) => self.operand(operand),
            Binding::Maybe(..) | Binding::Conflict(_) | Binding::Lost(_) | Binding::Ambiguous(_) | Binding::Poison => {
                self.take(1)
            }
        }
    }

    /// A variable, with all fields if it is a struct.
    fn variable(&mut self, env: &Env, name: &str) -> Option<()> {
        match env.get(name) {
            Some(binding) => self.binding(binding),
            None => env.bindings_in(name).try_for_each(|binding| self.binding(binding)),
        }
    }
}

impl Lower<'_> {
    /// Refuses that a variable which the statement has assigned holds too much.
    pub fn bounded(&mut self, stmt: &Stmt) -> Lowered<()> {
        if !matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::MultiAssign { .. }) {
            return Ok(());
        }
        let mut names = live::Names::new();
        live::assigned(std::slice::from_ref(stmt), &mut names);
        for name in names {
            let root = name.split('.').next().unwrap_or(&name);
            if (Room { parts: MOST, depth: DEEPEST }).variable(&self.env, root).is_none() {
                let message = format!(
                    "`{root}` becomes too large: it holds more than {MOST} values, texts and functions, or more than {DEEPEST} in each other"
                );
                self.env.remove(root);
                self.env.set(root, Binding::Poison, stmt.span);
                return self.report(
                    Diagnostic::error(Code::TooLong, stmt.span, message)
                        .note("lists, structs, functions and texts exist only while compiling, each with all that is in it")
                        .help("keep numbers in matrices, and do not put a list, struct or function into another one twice"),
                );
            }
        }
        Ok(())
    }
}
