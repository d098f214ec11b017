//! Syntax tree to MATLAB text.
//!
//! The text is canonical: the same tree always prints the same, and parsing the text gives the tree back.

mod expression;

use std::fmt::Write;

use super::ast::{
    Access, AccessKind, ArgumentsBlock, ArgumentsKind, Declared, Function, IfBranch, LValue, Name, OutTarget, Param,
    Program, Stmt, StmtKind,
};
#[cfg(test)]
pub(super) use expression::grouped;
pub use expression::print_expression;
use expression::{arguments, escaped, expression, quoted};

/// A program as MATLAB text: its script first, then its functions, each with `end`.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.statements(&program.script);
    for function in &program.functions {
        if !printer.out.is_empty() {
            printer.out.push('\n');
        }
        printer.function(function);
    }
    printer.out
}

struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, text: impl AsRef<str>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{:1$}{2}", "", self.indent * 4, text.as_ref());
    }

    fn indented(&mut self, body: impl FnOnce(&mut Self)) {
        self.indent += 1;
        body(self);
        self.indent -= 1;
    }

    fn block(&mut self, body: &[Stmt]) {
        self.indented(|printer| printer.statements(body));
    }

    fn statements(&mut self, body: &[Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn function(&mut self, function: &Function) {
        let outputs: Vec<&str> = function.outputs.iter().map(|name| name.text.as_str()).collect();
        let results = match outputs.as_slice() {
            [] => String::new(),
            [one] => format!("{one} = "),
            several => format!("[{}] = ", several.join(", ")),
        };
        self.line(format!("function {results}{}({})", function.name.text, params(&function.inputs)));
        self.indented(|printer| {
            for block in &function.arguments {
                printer.arguments(block);
            }
            printer.statements(&function.body);
            for nested in &function.nested {
                printer.function(nested);
            }
        });
        self.line("end");
    }

    fn arguments(&mut self, block: &ArgumentsBlock) {
        self.line(match block.kind {
            ArgumentsKind::Input => "arguments",
            ArgumentsKind::Output => "arguments (Output)",
            ArgumentsKind::Repeating => "arguments (Repeating)",
            ArgumentsKind::RepeatingOutput => "arguments (Output, Repeating)",
        });
        self.indented(|printer| {
            for declaration in &block.declarations {
                let mut line = declaration.name.text.clone();
                if let Some(size) = &declaration.size {
                    line += &format!(" ({})", arguments(size));
                }
                if let Some(class) = &declaration.class {
                    line += &format!(" {}", class.text);
                }
                if !declaration.validators.is_empty() {
                    line += &format!(" {{{}}}", arguments(&declaration.validators));
                }
                if let Some(default) = &declaration.default {
                    line += &format!(" = {}", expression(default));
                }
                printer.line(line);
            }
        });
        self.line("end");
    }

    fn statement(&mut self, statement: &Stmt) {
        let end = if statement.prints { "" } else { ";" };
        match &statement.kind {
            StmtKind::Expr(value) => self.line(format!("{}{end}", apart_from_keywords(expression(value), false))),
            StmtKind::Assign { target, op, value } => {
                let op = op.map_or("", |op| op.symbol());
                let place = apart_from_keywords(place(target), target.accesses.is_empty() && op.is_empty());
                self.line(format!("{place} {op}= {}{end}", expression(value)));
            }
            StmtKind::MultiAssign { targets, value } => {
                let targets: Vec<String> = targets.iter().map(out_target).collect();
                self.line(format!("[{}] = {}{end}", targets.join(", "), expression(value)));
            }
            StmtKind::Break => self.line("break;"),
            StmtKind::Continue => self.line("continue;"),
            StmtKind::Return => self.line("return;"),
            StmtKind::Global(names) => self.line(format!("global{};", declared(names))),
            StmtKind::Persistent(names) => self.line(format!("persistent{};", declared(names))),
            StmtKind::Command { name, words } => {
                let words: String = words.iter().map(|w| format!(" {}", word(w))).collect();
                self.line(format!("{}{words};", name.text));
            }
            _ => self.block_statement(&statement.kind),
        }
    }

    fn block_statement(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::If { branches, otherwise } => self.if_block(branches, otherwise.as_deref()),
            StmtKind::For { target, range, body, parallel } => {
                let word = if *parallel { "parfor" } else { "for" };
                self.line(format!("{word} {} = {}", place(target), expression(range)));
                self.block(body);
            }
            StmtKind::While { cond, body } => {
                self.line(format!("while {}", expression(cond)));
                self.block(body);
            }
            StmtKind::DoUntil { body, cond } => {
                self.line("do");
                self.block(body);
                return self.line(format!("until {}", expression(cond)));
            }
            StmtKind::Switch { subject, cases, otherwise } => {
                self.line(format!("switch {}", expression(subject)));
                self.indented(|printer| {
                    for case in cases {
                        printer.line(format!("case {}", expression(&case.pattern)));
                        printer.block(&case.body);
                    }
                    if let Some(body) = otherwise {
                        printer.line("otherwise");
                        printer.block(body);
                    }
                });
            }
            StmtKind::Try { body, error, handler } => {
                self.line("try");
                self.block(body);
                self.line(error.as_ref().map_or("catch".into(), |e| format!("catch {}", e.text)));
                self.block(handler);
            }
            StmtKind::UnwindProtect { body, cleanup } => {
                self.line("unwind_protect");
                self.block(body);
                self.line("unwind_protect_cleanup");
                self.block(cleanup);
                return self.line("end_unwind_protect");
            }
            _ => return,
        }
        self.line("end");
    }

    fn if_block(&mut self, branches: &[IfBranch], otherwise: Option<&[Stmt]>) {
        for (index, branch) in branches.iter().enumerate() {
            let word = if index == 0 { "if" } else { "elseif" };
            self.line(format!("{word} {}", expression(&branch.cond)));
            self.block(&branch.body);
        }
        if let Some(body) = otherwise {
            self.line("else");
            self.block(body);
        }
    }
}

fn params(params: &[Param]) -> String {
    let texts = params.iter().map(|param| match param {
        Param::Named(name) => name.text.as_str(),
        Param::Ignored(_) => "~",
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn declared(names: &[Declared]) -> String {
    let one = |d: &Declared| match &d.value {
        Some(value) => format!(" {} = {}", d.name.text, expression(value)),
        None => format!(" {}", d.name.text),
    };
    names.iter().map(one).collect()
}

fn out_target(target: &OutTarget) -> String {
    match target {
        OutTarget::Place(target) => place(target),
        OutTarget::Ignored(_) => String::from("~"),
    }
}

fn place(target: &LValue) -> String {
    target.accesses.iter().fold(target.name.text.clone(), |text, access| text + &step(access))
}

fn step(access: &Access) -> String {
    match &access.kind {
        AccessKind::Paren(args) => format!("({})", arguments(args)),
        AccessKind::Brace(args) => format!("{{{}}}", arguments(args)),
        AccessKind::Field(name) => format!(".{}", name.text),
        AccessKind::DynamicField(field) => format!(".({})", expression(field)),
    }
}

/// A word of a command, in quotes unless it is a plain name or option.
fn word(word: &Name) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let text = &word.text;
    let option = text.strip_prefix('-').unwrap_or(text);
    let starts = option.starts_with(|c: char| c.is_ascii_alphanumeric());
    if starts && text.chars().all(plain) {
        text.clone()
    } else if text.contains(char::is_control) {
        escaped(text)
    } else {
        quoted(text)
    }
}

/// What begins a statement: `do`, `until` and `arguments` are names, but keywords there unless `=` follows.
fn apart_from_keywords(text: String, assigned: bool) -> String {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if matches!(word, "do" | "until" | "arguments") && !assigned { format!("({word}){rest}") } else { text }
}
