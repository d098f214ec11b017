//! What has been found out about the loops of a nest: a loop inside another is lowered again with each attempt at that one, and would find
//! out the same each time, so that attempts would double with each level.
//!
//! A loop that begins as it began before, as far as types tell, takes the last assumption of then as its first one, or is known to have
//! none. An assumption that is weaker than it need be costs knowledge of sizes, never a result: the attempt confirms it anew.

use super::Loop;
use crate::diag::Diagnostic;
use crate::hash::HashMap;
use crate::ir::{Class, Size};
use crate::lower::ambiguous::Kind;
use crate::lower::checkpoint::Checkpoint;
use crate::lower::control::{Carried, Form, FrameKind, Trend};
use crate::lower::env::Binding;
use crate::lower::form::Shape;
use crate::lower::{Lower, Operand};
use crate::source::Span;

/// The loops inside one that stands in no other.
pub(in crate::lower) struct Nest {
    /// Before the outermost loop: sizes of that time mean the same in every attempt.
    start: Checkpoint,
    settled: HashMap<Span, Vec<Settled>>,
}

/// How a loop has begun and ended.
struct Settled {
    began: Beginning,
    first: Vec<Carried>,
    end: End,
}

/// What an attempt assumes.
struct Assumption {
    /// These variables with these types go round the loop,
    carried: Vec<Carried>,
    /// these have no value before it,
    watched: Vec<String>,
    /// and these are no numbers behind it.
    lost: Vec<(String, Binding)>,
    /// Whether what is wrong is left out.
    patient: bool,
}

enum End {
    /// This was the last assumption.
    Assumed(Assumption),
    /// There are no types that fit all edges.
    Conflict(Box<Diagnostic>),
}

/// What a loop begins with, as far as it decides what an attempt finds: sizes that an attempt has made have no names, so they are left out.
#[derive(PartialEq)]
pub(super) struct Beginning {
    variables: Vec<(String, Seen)>,
    carried: Vec<Carried>,
    watched: Vec<String>,
    peeled: usize,
}

/// A variable.
#[derive(PartialEq)]
enum Seen {
    Number { class: Class, dims: Vec<Option<Size>>, constant: Option<u64>, characters: bool },
    Text(String),
    Other(Kind),
}

impl Lower<'_> {
    /// Lowers a loop that may be the outermost of a nest.
    pub(super) fn in_nest<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outermost = self.nest.is_none();
        if outermost {
            self.nest = Some(Nest { start: self.checkpoint(), settled: HashMap::default() });
        }
        let result = lower(self);
        if outermost {
            self.nest = None;
        }
        result
    }

    /// How the loop begins, if it stands in another: only then it may begin so again.
    pub(super) fn beginning(&self, lp: &Loop<'_>) -> Option<Beginning> {
        let nest = self.nest.as_ref().filter(|_| lp.kind == FrameKind::Loop && !lp.is_piece() && self.in_loop())?;
        let lasting = |size: &Size| nest.start.knows(size);
        let seen = |name: &str| match self.env.get(name)? {
            Binding::Is(Operand::Value(value)) => {
                let ty = self.builder.func.ty(*value);
                let dims = ty.dims.iter().map(|d| lasting(d).then(|| d.clone())).collect();
                let constant = self.constant_of(*value).map(f64::to_bits);
                Some(Seen::Number { class: ty.class, dims, constant, characters: self.facts(*value).characters })
            }
            Binding::Is(Operand::Text(text)) => Some(Seen::Text(text.clone())),
            other => Some(Seen::Other(Kind::of(other))),
        };
        let variables = self.env.names().filter_map(|name| Some((name.to_owned(), seen(name)?))).collect();
        let outline = |c: &Carried| Carried { name: c.name.clone(), form: outline(&c.form, &lasting) };
        let carried = lp.carried.iter().map(outline).collect();
        Some(Beginning { variables, carried, watched: lp.watched.clone(), peeled: self.peeled })
    }

    fn in_loop(&self) -> bool {
        self.frames.iter().any(|frame| frame.kind == FrameKind::Loop)
    }

    /// Gives the loop the last assumption of when it began so before; the conflict if there was none.
    pub(super) fn recall(&self, lp: &mut Loop<'_>, began: &Beginning) -> Option<Box<Diagnostic>> {
        let nest = self.nest.as_ref()?;
        let lasting = |size: &Size| nest.start.knows(size);
        let settled = nest.settled.get(&lp.span)?.iter().find(|settled| settled.began == *began)?;
        match &settled.end {
            End::Conflict(conflict) => return Some(conflict.clone()),
            End::Assumed(Assumption { carried, watched, lost, patient }) => {
                let form_of =
                    |list: &[Carried], name: &str| list.iter().find(|c| c.name == name).map(|c| c.form.clone());
                let retold = carried.iter().map(|c| {
                    let (then, now) = (form_of(&settled.first, &c.name), form_of(&lp.carried, &c.name));
                    Some(Carried {
                        name: c.name.clone(),
                        form: retold(&c.form, then.as_ref(), now.as_ref(), &lasting)?,
                    })
                });
                if let Some(retold) = retold.collect() {
                    (lp.carried, lp.watched, lp.lost) = (retold, watched.clone(), lost.clone());
                    lp.patient = *patient;
                }
            }
        }
        None
    }

    /// Remembers what an attempt came to.
    pub(super) fn settle(
        &mut self,
        lp: &Loop<'_>,
        began: Beginning,
        first: Vec<Carried>,
        conflict: Option<&Diagnostic>,
    ) {
        let holds_nothing = |binding: &Binding| match binding {
            Binding::Conflict(_) | Binding::Lost(_) | Binding::Ambiguous(_) | Binding::Poison => true,
            Binding::Is(_) | Binding::Maybe(..) => false,
        };
        let plain = lp.prepared.is_empty() && lp.becoming.is_empty() && lp.lost.iter().all(|(_, b)| holds_nothing(b));
        let end = match conflict {
            Some(conflict) => End::Conflict(Box::new(conflict.clone())),
            None if plain => End::Assumed(Assumption {
                carried: lp.carried.clone(),
                watched: lp.watched.clone(),
                lost: lp.lost.clone(),
                patient: lp.patient,
            }),
            None => return,
        };
        let known = self.nest.as_mut().map(|nest| nest.settled.entry(lp.span).or_default());
        if let Some(known) = known.filter(|known| known.iter().all(|settled| settled.began != began)) {
            known.push(Settled { began, first, end });
        }
    }
}

/// A form without sizes that do not last and without the symbol of an attempt.
fn outline(form: &Form, lasting: &impl Fn(&Size) -> bool) -> Form {
    match form {
        Form::Whole { trend, .. } => Form::Whole { symbol: Size::default(), trend: *trend },
        Form::Value(shape) => Form::Value(shape.freed(|size| !lasting(size))),
    }
}

/// A confirmed form in the words of another attempt: what was as it had been `then` is as it is `now`.
fn retold(form: &Form, then: Option<&Form>, now: Option<&Form>, lasting: &impl Fn(&Size) -> bool) -> Option<Form> {
    let shape_of = |form: Option<&Form>| match form {
        Some(Form::Value(shape)) => Some(shape.clone()),
        Some(Form::Whole { .. }) | None => None,
    };
    match form {
        Form::Whole { trend: Trend::Rises, .. } => now.cloned(),
        Form::Whole { trend, .. } => Some(Form::Whole { symbol: Size::default(), trend: *trend }),
        Form::Value(shape) => {
            let (then, now): (Option<Shape>, Option<Shape>) = (shape_of(then), shape_of(now));
            shape.retold(then.as_ref(), now.as_ref(), lasting).map(Form::Value)
        }
    }
}
