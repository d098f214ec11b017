//! Frames: the loops and expanded calls around a statement, what is assumed of the variables that go round them, and what their edges brought.

use crate::ir::{Size, Type};
use crate::lower::ambiguous::Kind;
use crate::lower::brackets::Hollow;
use crate::lower::env::Binding;
use crate::lower::form::Shape;
use crate::lower::hoist::Growth;
use crate::lower::live::Liveness;
use crate::lower::loops::{Alike, Dimension};
use crate::matlab::ast::{Expr, Function};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A loop or an expanded call around the current statement.
#[derive(Debug, Clone)]
pub(in crate::lower) struct Frame {
    pub kind: FrameKind,
    /// Variables that go round the loop.
    pub carried: Vec<Carried>,
    /// Variables without a value before the loop, whose types the edges tell.
    pub watched: Vec<String>,
    /// Whether what is wrong is left out: statements, because the assumption may be too strong, and ways that read a watched
    /// variable, because it may be that only later iterations take them.
    pub patient: bool,
    /// Whether something was left out.
    pub waits: bool,
    /// Sizes that are taken to go round the loop together.
    pub alike: Alike,
    /// What an edge brought that does not fit the assumption.
    pub misfits: Vec<Misfit>,
    /// The condition at the end of a loop `do … until`.
    pub until: Option<Rc<Expr>>,
    /// What the edges brought of the carried variables.
    pub brought: Brought,
    /// Stores that made arrays larger, of those that every iteration executes.
    pub growths: Vec<Growth>,
    /// Branches around the current statement, inside the loop.
    pub conditions: usize,
    /// Whether the function's variables have been analysed.
    pub live: Option<Rc<Liveness>>,
    /// How an iteration of an unrolled loop ended.
    pub jump: Option<Jump>,
}

/// How control leaves an iteration that is lowered on its own (`loops/unroll.rs`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::lower) enum Jump {
    Break,
    Continue,
    /// Whether it does is known only at run time.
    Perhaps,
}

/// Carried variables by what an edge of the loop brought.
#[derive(Debug, Clone, Default)]
pub(in crate::lower) struct Brought {
    /// How many edges there are.
    pub edges: usize,
    /// Perhaps no value.
    pub unsure: BTreeSet<String>,
    /// Something that is no truth value.
    pub numbers: BTreeSet<String>,
    /// Of watched variables what is no number, if it is the same at all edges.
    pub others: BTreeMap<String, Option<Binding>>,
    /// Of which kind it is.
    pub kinds: BTreeMap<String, Kind>,
}

#[derive(Debug, Clone, PartialEq)]
pub(in crate::lower) enum FrameKind {
    /// A loop of the program.
    Loop,
    /// A loop of the program whose iterations are lowered one after the other: no loop of the IR.
    Unrolled,
    /// One iteration of a loop whose iterations are lowered one after the other, as a loop of one pass that `continue` leaves, inside
    /// of one that `break` leaves.
    Iteration,
    /// An expanded call; `in_loop` if it is wrapped in a loop of one pass that an early `return` leaves.
    Call { given: usize, wanted: usize, in_loop: bool },
}

/// A variable that goes round a loop and the assumption about its values.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::lower) struct Carried {
    pub name: String,
    pub form: Form,
}

#[derive(Debug, Clone, PartialEq)]
pub(in crate::lower) enum Form {
    /// Whole numbers, carried as `Index`: the symbol of this iteration's value.
    Whole { symbol: Size, trend: Trend },
    /// Values of this shape.
    Value(Shape),
}

/// How a whole number changes from iteration to iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::lower) enum Trend {
    /// It never decreases.
    Rises,
    /// It never increases.
    Falls,
    Either,
}

impl Trend {
    /// The bounds of a number that was `start` before the loop: at least, at most.
    pub fn bounds(self, start: Option<Size>) -> (Vec<Size>, Vec<Size>) {
        let start = start.into_iter().collect();
        match self {
            Trend::Rises => (start, Vec::new()),
            Trend::Falls => (Vec::new(), start),
            Trend::Either => (Vec::new(), Vec::new()),
        }
    }
}

/// An assumption that an edge did not confirm.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::lower) enum Misfit {
    /// The carried variable has this type here, is a text or not, and this if it has no elements.
    Typed(usize, Type, bool, Hollow),
    /// It is no whole number, or not one that steps by a constant.
    NotWhole(usize),
    /// It does not change as was assumed, but perhaps so.
    Turns(usize, Trend),
    /// It has no value here.
    Undefined(usize),
    /// It is a truth value here and a number elsewhere.
    Mixed(usize),
    /// It has no one type here: it is a text or a function, or of different types on the ways that lead here. What it is bound to then.
    NotNumber(usize, Binding),
    /// Its size is not that of another variable that it was like before the loop.
    Parts(Dimension),
    /// A watched variable has this type here, and is of this nature.
    Watched(String, Type, Nature),
}

/// What Octave can tell apart in values of one type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::lower) struct Nature {
    /// It is a text.
    pub text: bool,
    /// It may be a truth value as well as a number.
    pub mixed: bool,
    /// What it is if it has no elements.
    pub hollow: Hollow,
}

impl Frame {
    /// The frame of a call of this function.
    pub fn call(function: &Function, given: usize, wanted: usize) -> Self {
        let live = Some(Rc::new(Liveness::of(function)));
        Self { live, ..Self::new(FrameKind::Call { given, wanted, in_loop: false }) }
    }

    /// A frame of this kind about which nothing is known yet.
    pub fn new(kind: FrameKind) -> Self {
        Self {
            kind,
            carried: Vec::new(),
            watched: Vec::new(),
            patient: false,
            waits: false,
            alike: Alike::default(),
            misfits: Vec::new(),
            until: None,
            brought: Brought::default(),
            growths: Vec::new(),
            conditions: 0,
            live: None,
            jump: None,
        }
    }

    pub fn is_ir_loop(&self) -> bool {
        matches!(self.kind, FrameKind::Loop | FrameKind::Iteration | FrameKind::Call { in_loop: true, .. })
    }

    /// Whether it is a loop, or a part of one, and no call.
    pub fn is_of_loop(&self) -> bool {
        !matches!(self.kind, FrameKind::Call { .. })
    }
}
