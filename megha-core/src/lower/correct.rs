//! Weaker assumptions: what a loop carries after an attempt whose edges did not confirm it.

use super::Lower;
use super::checkpoint::Start;
use super::control::{Carried, Form, FrameKind, Misfit, Trend};
use super::env::Binding;
use super::form::Shape;
use super::hoist::Growth;
use super::loops::Loop;
use super::structs::mentioned_in;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Size, Type};

/// A variable whose values on two edges have no common shape.
struct Clash {
    name: String,
    types: (Class, Type),
}

impl Lower<'_> {
    /// Weakens the assumption by what the edges brought, apart from variables that are prepared before the loop; the
    /// diagnostic if that is impossible.
    pub fn correct(
        &mut self,
        lp: &mut Loop<'_>,
        misfits: &[Misfit],
        before: &Start,
        hoisted: &mut Vec<Growth>,
    ) -> Option<Box<Diagnostic>> {
        let known = |size: &Size| before.checkpoint.knows(size);
        let mut clashes = Vec::new();
        for misfit in misfits {
            match misfit {
                Misfit::Turns(i, now) => {
                    if let Form::Whole { trend, .. } = &mut lp.carried[*i].form {
                        *trend = if *trend == Trend::Rises { *now } else { Trend::Either };
                    }
                }
                Misfit::Parts(dimension) => _ = lp.apart.insert(dimension.clone()),
                Misfit::NotWhole(i) => lp.carried[*i].form = scalar_form(),
                Misfit::Undefined(i) => {
                    let shape = shape_of(&lp.carried[*i].form);
                    lp.carried[*i].form = Form::Value(shape.or_nothing());
                }
                Misfit::Mixed(i) => lp.carried[*i].form = Form::Value(shape_of(&lp.carried[*i].form).mixing(true)),
                Misfit::NotNumber(i, binding) => lp.lost.push((lp.carried[*i].name.clone(), binding.clone())),
                Misfit::Typed(i, ..) if hoisted.iter().any(|g| g.name == lp.carried[*i].name) => {}
                Misfit::Typed(i, ty, text, hollow) => {
                    let shape = self.shape_from(&lp.carried[*i].name, ty, known, *hollow).of_text(*text);
                    clashes.extend(weaken(&mut lp.carried[*i], ty, &shape));
                }
                Misfit::Watched(name, ty, _) if self.is_growing(name) && !before.env.contains(name) => {
                    let created = Growth { name: name.clone(), class: ty.class, reach: Vec::new(), unless_empty: None };
                    if hoisted.iter().all(|g| g.name != *name) {
                        hoisted.push(created);
                    }
                }
                Misfit::Watched(name, ty, nature) => {
                    let shape = self.shape_from(name, ty, known, nature.hollow);
                    // Without a value before the loop numbers and characters are told apart by what follows.
                    let text = lp.is_piece() && nature.text;
                    clashes.extend(lp.watch(name, ty, shape.of_text(text).mixing(lp.is_piece() && nature.mixed)));
                }
            }
        }
        for clash in clashes {
            let class = clash.types.1.class;
            if self.may_become(lp, &clash.name, before.env.get(&clash.name), class) {
                lp.becoming.push((clash.name, class));
                continue;
            }
            let needed = self.liveness().is_some_and(|l| mentioned_in(&l.at_head(lp.span), &clash.name));
            if needed && !lp.is_piece() || matches!(lp.kind, FrameKind::Call { .. }) {
                return Some(Box::new(self.changes_class(lp, &clash)));
            }
            let in_words = |class: Class| format!("of class {}", class.matlab_name());
            let types = (in_words(clash.types.0), in_words(class));
            lp.lost.push((clash.name, Binding::Conflict(Box::new(types))));
        }
        lp.carried.retain(|c| lp.lost.iter().all(|(name, _)| *name != c.name));
        None
    }

    fn changes_class(&self, lp: &Loop<'_>, clash: &Clash) -> Diagnostic {
        let (name, old, new) = (&clash.name, clash.types.0.matlab_name(), self.type_text(&clash.types.1));
        let at = self.env.span(name).unwrap_or(lp.span);
        let what = if lp.kind == FrameKind::Loop { "before the loop and" } else { "at one return and" };
        Diagnostic::error(Code::LoopType, at, format!("`{name}` is of class {old} {what} {new} later"))
            .note_at(lp.span, "in this loop")
            .help(format!(
                "give it one class from the start, for example with {}(..)",
                clash.types.1.class.matlab_name()
            ))
    }
}

impl Loop<'_> {
    /// A variable without a value before the loop has one at an edge.
    fn watch(&mut self, name: &str, ty: &Type, shape: Shape) -> Option<Clash> {
        if self.watched.iter().any(|n| n == name) {
            self.watched.retain(|n| n != name);
            self.carried.push(Carried { name: name.to_owned(), form: Form::Value(shape.or_nothing()) });
            return None;
        }
        // Another edge has brought it already.
        self.carried.iter_mut().find(|c| c.name == name).and_then(|carried| weaken(carried, ty, &shape))
    }
}

/// The carried variable may also be of this type.
fn weaken(carried: &mut Carried, ty: &Type, shape: &Shape) -> Option<Clash> {
    let old = shape_of(&carried.form);
    match old.join(shape) {
        Some(joined) => {
            carried.form = Form::Value(joined);
            None
        }
        None => Some(Clash { name: carried.name.clone(), types: (old.class, ty.clone()) }),
    }
}

fn shape_of(form: &Form) -> Shape {
    match form {
        Form::Value(shape) => shape.clone(),
        Form::Whole { .. } => Shape::of(&Type::scalar(Class::Double), |_| true),
    }
}

fn scalar_form() -> Form {
    Form::Value(Shape::of(&Type::scalar(Class::Double), |_| true))
}
