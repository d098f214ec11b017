//! Points of lowering to return to: undoing takes back whatever has been lowered since.
//!
//! There are two of them. A [`Checkpoint`] stands before a statement: what has been lowered of it goes, the variables that it assigned
//! and the mistakes that were reported in it stay, for its ways say what follows. A [`Start`] stands before an attempt at a
//! loop, of which nothing stays. What only grows stays in both cases, for attempts learn from each other: spans, specialisations, the names
//! of arrays that grow, the effort.

use super::control::Frame;
use super::env::Env;
use super::facts::Facts;
use super::{Lower, NumberFormat};
use crate::diag::Diagnostics;
use crate::ir::build::Mark;
use crate::ir::{Size, Sym, Value};

/// The state before a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Checkpoint {
    /// Regions, statements, values and symbols.
    mark: Mark,
    /// Values of which something is known.
    known: usize,
    /// Changes of what is known.
    changes: usize,
    /// Open regions that restore facts when they close.
    scopes: usize,
    /// Facts that the innermost of them restores.
    scoped: usize,
    proven: usize,
    ends: usize,
    frames: usize,
    calls: usize,
    context: Context,
}

/// What holds while something around the current statement is lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Context {
    masked_store: bool,
    replaced_store: bool,
    complex_roots: bool,
    peeled: usize,
    again: usize,
    choosing: usize,
    in_prelude_call: bool,
}

impl Checkpoint {
    /// How many regions are open.
    pub fn depth(&self) -> usize {
        self.mark.depth()
    }

    /// Whether all symbols of a size existed here.
    pub fn knows(&self, size: &Size) -> bool {
        size.symbols().all(|sym| self.mark.has_symbol(sym))
    }
}

/// The state before an attempt at a loop.
pub(super) struct Start {
    pub checkpoint: Checkpoint,
    pub env: Env,
    diags: Diagnostics,
    frames: Vec<Frame>,
    number_format: NumberFormat,
    /// What was known of all values, in tests.
    #[cfg(test)]
    facts: Vec<Facts>,
}

impl Lower<'_> {
    /// The current point. Each part of the state is named here, so a new one has to find its place.
    pub fn checkpoint(&self) -> Checkpoint {
        let Lower {
            builder,
            facts,
            known_before,
            proven,
            scoped,
            ends,
            frames,
            calls,
            masked_store,
            replaced_store,
            complex_roots,
            peeled,
            again,
            choosing,
            prelude_call,
            // Parts of a start only.
            env: _,
            diags: _,
            number_format: _,
            // By symbols and values that are forgotten with the regions.
            stretching: _,
            loose: _,
            // How the way ended that is taken back.
            unreachable: _,
            ending: _,
            unsettled: _,
            // What only grows.
            scope: _,
            spans: _,
            specialisations: _,
            growing: _,
            asked_in_parts: _,
            kernels: _,
            expanded: _,
            nest: _,
            versions: _,
        } = self;
        Checkpoint {
            mark: builder.mark(),
            known: facts.len(),
            changes: known_before.len(),
            scopes: scoped.len(),
            scoped: scoped.last().map_or(0, Vec::len),
            proven: proven.len(),
            ends: ends.len(),
            frames: frames.len(),
            calls: calls.len(),
            context: Context {
                masked_store: *masked_store,
                replaced_store: *replaced_store,
                complex_roots: *complex_roots,
                peeled: *peeled,
                again: *again,
                choosing: *choosing,
                in_prelude_call: prelude_call.is_some(),
            },
        }
    }

    /// The current point, variables and reports included.
    pub fn start(&self) -> Start {
        Start {
            checkpoint: self.checkpoint(),
            env: self.env.clone(),
            diags: self.diags.clone(),
            frames: self.frames.clone(),
            number_format: self.number_format.clone(),
            #[cfg(test)]
            facts: self.facts.clone(),
        }
    }

    /// Takes back what has been lowered since, but for assigned variables and reports.
    pub fn take_back(&mut self, to: Checkpoint) {
        self.builder.rollback(to.mark);
        self.unlearn(to.known, to.changes);
        self.scoped.truncate(to.scopes);
        self.scoped.iter_mut().last().into_iter().for_each(|scope| scope.truncate(to.scoped));
        self.proven.truncate(to.proven);
        let forgotten = Sym::new(self.builder.func.symbols.len());
        self.stretching.split_off(&forgotten);
        self.loose.split_off(&forgotten);
        self.leave_calls(to);
        let Context { masked_store, replaced_store, complex_roots, peeled, again, choosing, in_prelude_call } =
            to.context;
        (self.masked_store, self.replaced_store, self.complex_roots) = (masked_store, replaced_store, complex_roots);
        (self.peeled, self.again, self.choosing) = (peeled, again, choosing);
        self.prelude_call.take_if(|_| !in_prelude_call);
        debug_assert_eq!(self.checkpoint(), to, "undoing leaves nothing behind");
    }

    /// Takes back everything.
    pub fn return_to(&mut self, start: Start) {
        self.take_back(start.checkpoint);
        self.env = start.env;
        *self.diags = start.diags;
        self.frames = start.frames;
        self.number_format = start.number_format;
        #[cfg(test)]
        assert!(same(&self.facts, &start.facts), "undoing leaves nothing behind");
    }

    /// Back to the loops and calls around a statement of which what has been lowered stays.
    pub fn leave_calls(&mut self, to: Checkpoint) {
        self.ends.truncate(to.ends);
        self.frames.truncate(to.frames);
        self.calls.truncate(to.calls);
    }

    /// Forgets what has been learned since so many values were known and so many changes made.
    fn unlearn(&mut self, known: usize, changes: usize) {
        for (value, facts) in self.known_before.split_off(changes).into_iter().rev() {
            if value.index() < known {
                self.facts[value.index()] = facts;
            }
        }
        self.facts.truncate(known);
    }

    /// Records what is known of a value.
    pub fn learn(&mut self, value: Value, facts: Facts) {
        if self.facts.len() <= value.index() {
            self.facts.resize(value.index() + 1, Facts::default());
            self.facts[value.index()] = facts;
        } else {
            let before = std::mem::replace(&mut self.facts[value.index()], facts);
            self.known_before.push((value, before));
        }
    }
}

/// Whether these say the same; unlike `==` also of NaN.
#[cfg(test)]
fn same(now: &[Facts], then: &[Facts]) -> bool {
    let text = |facts| format!("{facts:?}");
    now.len() == then.len() && now.iter().zip(then).all(|(a, b)| a == b || text(a) == text(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Class, Terminator, Type};
    use crate::lower::env::Binding;
    use crate::lower::{Scope, SpanTable, Specialisations};
    use crate::source::Span;

    /// A function with one value, of which something is known, in an open region.
    fn with_lowered(test: impl FnOnce(&mut Lower<'_>, Value)) {
        let (scope, mut spans, mut diags) = (Scope::default(), SpanTable::default(), Diagnostics::new());
        let mut specialisations = Specialisations::after(1);
        let mut lower = Lower::new("f", &scope, &mut spans, &mut diags, &mut specialisations);
        let (_, params) = lower.open_region(vec![Type::scalar(Class::Double)]);
        lower.learn(params[0], Facts::whole(Size::constant(3), true));
        test(&mut lower, params[0]);
    }

    /// Leaves something in every part of the state that undoing restores.
    fn change_everything(lower: &mut Lower<'_>, old: Value) {
        let new = lower.builder.int(5);
        let size = lower.symbol_for(new, Vec::new(), Vec::new());
        lower.loosen(&size);
        lower.stretching.extend(size.as_sym());
        lower.learn(new, Facts::whole(size.clone(), false));
        lower.learn(old, Facts::default());
        lower.learn_scoped(old, Facts::whole(size.clone(), false));
        lower.passed(size);
        lower.open_region(Vec::new());
        lower.learn_scoped(old, Facts::constant(7.0));
        lower.calls.push("g".to_owned());
        lower.masked_store = true;
        lower.peeled += 1;
        lower.env.set_value("x", new, Span::default());
        lower.number_format = NumberFormat::Long;
    }

    #[test]
    fn a_statement_is_taken_back_but_for_its_variables() {
        with_lowered(|lower, old| {
            let (start, facts) = (lower.checkpoint(), lower.facts.clone());
            change_everything(lower, old);
            lower.take_back(start);
            assert_eq!((lower.checkpoint(), &lower.facts), (start, &facts));
            assert!(lower.loose.is_empty() && lower.stretching.is_empty());
            assert!(matches!(lower.env.get("x"), Some(Binding::Is(_))));
            // Facts that were scoped since are not restored when the region closes.
            lower.close_region(0, Terminator::Unreachable);
            assert_eq!(lower.facts, facts);
        });
    }

    #[test]
    fn of_an_attempt_nothing_stays() {
        with_lowered(|lower, old| {
            let (start, facts) = (lower.start(), lower.facts.clone());
            let at = start.checkpoint;
            change_everything(lower, old);
            lower.return_to(start);
            assert_eq!((lower.checkpoint(), &lower.facts), (at, &facts));
            assert!(lower.env.get("x").is_none());
            assert_eq!(lower.number_format, NumberFormat::Short);
        });
    }
}
