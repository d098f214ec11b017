//! What the functions of one generated module share: names, positions for errors, the kernels so far.

use crate::hash::HashMap;

use super::device::Kernels;
use super::source::{Code, Names};
use crate::ir::{Func, Loc, Stmt};
use crate::schedule::Schedules;

/// A place in the source text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// Path of the file.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The operation as written.
    pub text: String,
}

/// Finds the place that a position number stands for.
pub type Positions<'p> = &'p dyn Fn(Loc) -> Option<Position>;

/// State common to the functions of a module.
pub struct Shared {
    /// Kernels and their loops.
    pub items: Code,
    /// Names of the module's items.
    pub names: Names,
    /// The kernels that devices can run.
    pub device: Kernels,
    /// The schedules of the kernels.
    pub schedules: Schedules,
    positions: HashMap<Loc, Position>,
    sites: Vec<Position>,
    functions: Vec<String>,
    problems: Vec<String>,
}

impl Shared {
    /// The state before the first function; `functions` are the names of the functions' bodies.
    pub fn new(
        functions: Vec<String>,
        names: Names,
        positions: HashMap<Loc, Position>,
        (device, schedules): (Kernels, &Schedules),
    ) -> Self {
        Self {
            items: Code::default(),
            names,
            device,
            schedules: schedules.clone(),
            positions,
            sites: Vec::new(),
            functions,
            problems: Vec::new(),
        }
    }

    /// The text for the place of a statement: `&SITES[3]`.
    pub fn site(&mut self, loc: Loc) -> String {
        let nowhere = || Position { path: String::new(), line: 0, column: 0, text: String::new() };
        let position = self.positions.get(&loc).cloned().unwrap_or_else(nowhere);
        self.site_at(position)
    }

    /// The text for a place.
    pub fn site_at(&mut self, position: Position) -> String {
        let found = self.sites.iter().position(|s| *s == position);
        let at = found.unwrap_or_else(|| {
            self.sites.push(position);
            self.sites.len() - 1
        });
        format!("&SITES[{at}]")
    }

    /// The name of a function's body.
    pub fn function(&self, index: usize) -> &str {
        &self.functions[index]
    }

    /// Notes a statement for which there is no code.
    pub fn unsupported(&mut self, func: &Func, stmt: &Stmt) {
        let full = format!("{:?}", stmt.op);
        let operation = full.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
        self.problem(format!("`{}`: no CPU code for the operation {operation} on whole arrays", func.name));
    }

    /// Notes something for which there is no code.
    pub fn problem(&mut self, what: String) {
        self.problems.push(what);
    }

    /// What there is no code for.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// The table of places.
    pub fn write_sites(&self, code: &mut Code) {
        if self.sites.is_empty() {
            return;
        }
        code.open(format!("static SITES: [rt::Site; {}] = [", self.sites.len()));
        for Position { path, line, column, text } in &self.sites {
            code.line(format!("rt::Site {{ path: {path:?}, line: {line}, column: {column}, text: {text:?} }},"));
        }
        code.close("];");
    }
}
