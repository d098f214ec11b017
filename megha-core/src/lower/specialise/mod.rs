//! Calls that stay calls: functions of the IR, each specialised for the types of its arguments.
//!
//! Most calls are expanded where they stand, so that sizes and constants flow through them. A function that calls itself
//! cannot be, and long ones should not be where nothing fuses with them; such a function becomes one of the IR for each kind of
//! arguments ([`Argument`]): class and rank, which sizes are equal, known logicals, texts and function values. The variables
//! that a function value captured are arguments too (closure conversion).
//!
//! The types of the results are a least fixed point (`settle`): at first nothing is known, and a way through the body that
//! calls the function itself is taken not to return; what the other ways give is the next assumption, until the body
//! confirms it. A size that does not follow from the arguments' sizes is a result too (`results`).

mod abandon;
mod arguments;
mod results;
mod settle;

use super::effort::Effort;
use super::form::Shape;
use crate::diag::Diagnostic;
use crate::ir::{Assumptions, Builder, Func, FuncId, Module, Op, Region, Version};
use crate::matlab::ast::Name;
use arguments::Argument;

/// A program has at most so many specialisations; more are made only by a function whose arguments get new types at each
/// call of itself.
const MAX_SPECIALISATIONS: usize = 100;
/// At most so many are being made at once: each waits for the next.
const MAX_OPEN: usize = 16;

/// The functions that are called rather than expanded, of all exported functions of a program.
#[derive(Debug, Default)]
pub struct Specialisations {
    /// How many exported functions stand before these in the module.
    exported: usize,
    entries: Vec<Entry>,
    /// What has been lowered for the exported function at hand.
    pub(super) effort: Effort,
}

#[derive(Debug)]
struct Entry {
    key: Key,
    state: State,
}

/// What a specialisation is made for.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    function: Name,
    arguments: Vec<Argument>,
    /// How many results are used.
    wanted: usize,
    /// Whether roots of negative numbers are complex.
    complex_roots: bool,
}

#[derive(Debug)]
enum State {
    /// Its body is being lowered under this assumption; `used` if a call in the body has asked for it.
    Open { assumed: Option<Vec<Shape>>, used: bool },
    /// `None`: it returns on no way, as far as is known.
    Done { func: Box<Func>, results: Option<Vec<Shape>>, warnings: Vec<Diagnostic> },
    /// These mistakes are in it.
    Failed(Vec<Diagnostic>),
}

impl Specialisations {
    /// None yet, of a module that begins with so many exported functions.
    pub fn after(exported: usize) -> Self {
        Self { exported, entries: Vec::new(), effort: Effort::default() }
    }

    /// Puts the functions that are called behind the exported ones, and behind them the general forms of exported ones.
    pub fn append_to(self, module: &mut Module, general: Vec<(FuncId, Assumptions, Func)>) {
        let first = self.exported;
        // Specialisations that only failed attempts called go again; until then the numbers stand.
        let empty = || Builder::new("").func;
        module.funcs.extend(self.entries.into_iter().map(|e| e.func().unwrap_or_else(empty)));
        for (func, assumes, form) in general {
            let general = FuncId::new(module.funcs.len());
            module.versions.push(Version { func, assumes, general });
            module.funcs.push(form);
        }
        let mut kept: Vec<usize> = (0..first).flat_map(|f| module.reached(FuncId::new(f))).map(FuncId::index).collect();
        kept.sort_unstable();
        kept.dedup();
        let mut at = 0..;
        module.funcs.retain(|_| at.next().is_some_and(|at| at < first || kept.contains(&at)));
        let number = |old: usize| kept.iter().position(|id| *id == old).map_or(old, |at| first + at);
        module.funcs.iter_mut().for_each(|f| renumber(&mut f.body, &number));
        module.versions.iter_mut().for_each(|v| v.general = FuncId::new(number(v.general.index())));
    }

    fn id(&self, index: usize) -> FuncId {
        FuncId::new(self.exported + index)
    }

    fn find(&self, key: &Key) -> Option<usize> {
        self.entries.iter().position(|e| e.key == *key)
    }

    /// Whether another one may be made.
    fn has_room(&self) -> bool {
        let open = self.entries.iter().filter(|e| matches!(e.state, State::Open { .. })).count();
        self.entries.len() < MAX_SPECIALISATIONS && open < MAX_OPEN
    }
}

impl Entry {
    fn func(self) -> Option<Func> {
        match self.state {
            State::Done { func, .. } => Some(*func),
            State::Open { .. } | State::Failed(_) => None,
        }
    }
}

fn renumber(region: &mut Region, number: &impl Fn(usize) -> usize) {
    region.walk_mut(&mut |stmt| {
        if let Op::Call(id, _) = &mut stmt.op {
            *id = FuncId::new(number(id.index()));
        }
    });
}
