//! What a loop goes through: ranges, the elements, rows and columns of arrays, several of them at once.

use super::Converter;
use super::expr::plain;
use super::iterate::adaptor;
use super::local_arrays::Made;
use super::scope::{Form, View};
use super::stretches::{Cut, Len, cut};
use crate::offload::ast::{Adaptor, Expr as Ast, ExprKind, Neutral, Stmt};
use syn::{Expr, ExprArray, ExprMethodCall, ExprTuple};

const LOOPS: &str = "ranges, `iter`, `iter_mut`, `rows`, `columns`, `axis_iter`, `indexed_iter`, `windows`, `chunks_exact` are taken, with `rev`, `step_by`, \
                     `skip`, `take`, `enumerate`, `zip` and `chain` where they make one loop, and `map`, `flat_map`, `filter`, `skip_while` and `take_while` behind them";

/// What a loop goes through, before adaptors.
pub enum Source {
    /// A range.
    Range(Ast, Ast, bool),
    /// All elements of a part of an array; they may be assigned to.
    Elements(View, bool),
    /// With their subscripts.
    Indexed(View, bool),
    /// The parts at each position along a dimension.
    Lines(View, usize),
    /// Stretches of a part of one dimension.
    Stretches(View, Cut, Len),
    /// Two at once.
    Zip(Box<Course>, Box<Course>),
    /// With their numbers.
    Enumerate(Box<Course>),
    /// One behind the other.
    Chain(Box<Course>, Box<Course>),
    /// The elements of arrays of one length, as tuples.
    Tuples(Vec<View>),
}

/// What a loop goes through.
pub struct Course {
    pub source: Source,
    pub adaptors: Vec<Adaptor>,
}

impl Converter {
    /// What an expression goes through.
    pub fn course(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Option<Course> {
        let plain_source = |source| Some(Course { source, adaptors: Vec::new() });
        match plain(expr) {
            Expr::Range(range) => {
                let (from, to, inclusive) = self.bounds(range)?;
                let [from, to] = [from, to].map(|bound| self.in_place(bound, range, out));
                plain_source(Source::Range(from, to, inclusive))
            }
            Expr::MethodCall(call) if adaptor(call).is_some() => {
                let mut course = self.course(&call.receiver, out)?;
                let adaptor = match self.adaptor(call)? {
                    Adaptor::Rev => Adaptor::Rev,
                    Adaptor::StepBy(by) => Adaptor::StepBy(self.in_place(by, call, out)),
                    Adaptor::Take(count) => Adaptor::Take(self.in_place(count, call, out)),
                    Adaptor::Skip(count) => Adaptor::Skip(self.in_place(count, call, out)),
                };
                course.adaptors.push(adaptor);
                Some(course)
            }
            other if self.is_array(other) && !matches!(other, Expr::Reference(_)) => {
                let view = self.known_view(other, &mut Some(out))?;
                // Rust goes over a copy.
                let view = match view.is_copied() && view.changes {
                    true => self.copy_of(&view, view.form, other, false, out)?,
                    false => view,
                };
                let mutable = view.lent && view.mutable;
                plain_source(elements(view, mutable))
            }
            Expr::MethodCall(call) => self.course_of(call, out),
            Expr::Array(list) => plain_source(self.listed_course(list, out)?),
            Expr::Reference(reference) if matches!(plain(&reference.expr), Expr::Array(_)) => {
                self.course(&reference.expr, out)
            }
            Expr::Reference(reference) if self.is_array(&reference.expr) => {
                let view = self.known_view(&reference.expr, &mut Some(out))?;
                plain_source(elements(view, reference.mutability.is_some()))
            }
            other => self.no_course(other),
        }
    }

    /// A number that is computed here if that does more than give it.
    fn in_place(&mut self, value: Ast, at: &impl quote::ToTokens, out: &mut Vec<Stmt>) -> Ast {
        if !value.any(&super::stmt::has_statements) {
            return value;
        }
        let held = self.hold(value, "held", at, out);
        self.variable(&held, at)
    }

    fn no_course(&mut self, expr: &Expr) -> Option<Course> {
        self.refuse(expr, "this is no range and no array that a loop is taken over", LOOPS);
        None
    }

    fn course_of(&mut self, call: &ExprMethodCall, out: &mut Vec<Stmt>) -> Option<Course> {
        let method = call.method.to_string();
        let source = match (&method[..], call.args.len()) {
            ("iter", 0) if matches!(plain(&call.receiver), Expr::Array(_)) => return self.course(&call.receiver, out),
            ("into_iter" | "copied" | "cloned", 0) => return self.course(&call.receiver, out),
            ("enumerate", 0) => Source::Enumerate(Box::new(self.course(&call.receiver, out)?)),
            ("chain", 1) => {
                let first = self.course(&call.receiver, out)?;
                Source::Chain(Box::new(first), Box::new(self.course(&call.args[0], out)?))
            }
            ("zip", 1) => {
                let first = self.course(&call.receiver, out)?;
                Source::Zip(Box::new(first), Box::new(self.course(&call.args[0], out)?))
            }
            ("iter" | "iter_mut" | "indexed_iter" | "indexed_iter_mut", 0) if self.is_array(&call.receiver) => {
                let view = self.known_view(&call.receiver, &mut Some(out))?;
                let mutable = method.ends_with("mut");
                if method.starts_with("indexed") {
                    Source::Indexed(view, mutable)
                } else {
                    elements(view.lent(mutable), mutable)
                }
            }
            ("rows" | "rows_mut" | "outer_iter" | "outer_iter_mut" | "columns" | "columns_mut", 0)
                if self.is_array(&call.receiver) =>
            {
                let view = self.known_view(&call.receiver, &mut Some(out))?;
                let axis = usize::from(method.starts_with("columns"));
                if view.free().len() != 2 && !method.starts_with("outer") {
                    self.refuse(call, "rows and columns are those of a matrix", "write the loops out");
                    return None;
                }
                Source::Lines(view.lent(method.ends_with("mut")), axis)
            }
            ("axis_iter" | "axis_iter_mut", 1) if self.is_array(&call.receiver) => {
                let view = self.known_view(&call.receiver, &mut Some(out))?;
                let axis = self.axis(&call.args[0]);
                let Some(axis) = axis.filter(|axis| *axis < view.free().len()) else {
                    self.refuse(
                        &call.args[0],
                        "the axis is `Axis(k)` with a literal below the number of dimensions",
                        "write the loop out",
                    );
                    return None;
                };
                Source::Lines(view.lent(method.ends_with("mut")), axis)
            }
            (method, 1) if self.is_array(&call.receiver) && cut(method).is_some() => {
                self.stretches(call, cut(method)?, out)?
            }
            _ => return self.no_course(&Expr::MethodCall(call.clone())),
        };
        Some(Course { source, adaptors: Vec::new() })
    }

    /// A list that is written where it is gone through: an array of its own, or one for each place of its tuples.
    fn listed_course(&mut self, list: &ExprArray, out: &mut Vec<Stmt>) -> Option<Source> {
        let first = list.elems.first().and_then(tuple).map(|tuple| tuple.elems.len());
        let Some(count) = first.filter(|count| *count > 0) else {
            let whole = Expr::Array(list.clone());
            let made = self.array_of(&whole, None)?;
            let view = self.array_local("list", false, made, list, out)?;
            return Some(elements(view, false));
        };
        let mut columns = vec![Vec::new(); count];
        for elem in &list.elems {
            let Some(tuple) = tuple(elem).filter(|tuple| tuple.elems.len() == count) else {
                self.refuse(elem, "this is no tuple like the others", "write all elements as tuples");
                return None;
            };
            for (column, value) in columns.iter_mut().zip(&tuple.elems) {
                let value = self.expr(value)?;
                let held = self.hold(value, "held", elem, out);
                column.push(self.variable(&held, elem));
            }
        }
        let mut views = Vec::new();
        for elements in columns {
            let len = self.made(ExprKind::Int(list.elems.len() as i128, None), list);
            let fill = self.made(ExprKind::Neutral(Neutral::Zero), list);
            let made = Made::listed(elements, len, fill);
            views.push(self.array_local("list", false, made, list, out)?);
        }
        Some(Source::Tuples(views))
    }

    /// How many loops a source takes.
    pub fn dimensions(&self, source: &Source) -> usize {
        match source {
            Source::Range(..) | Source::Lines(..) | Source::Stretches(..) => 1,
            Source::Elements(view, _) | Source::Indexed(view, _) => view.free().len(),
            Source::Zip(first, _) | Source::Enumerate(first) => self.dimensions(&first.source),
            Source::Chain(..) | Source::Tuples(_) => 1,
        }
    }
}

/// What `iter` goes through: of a vector of vectors it is these.
fn elements(view: View, mutable: bool) -> Source {
    match view.form {
        Form::Vector | Form::Fixed if view.free().len() > 1 => Source::Lines(view, 0),
        Form::Ndarray | Form::Vector | Form::Fixed => Source::Elements(view, mutable),
    }
}

/// A tuple as it is written.
fn tuple(expr: &Expr) -> Option<&ExprTuple> {
    match plain(expr) {
        Expr::Tuple(tuple) => Some(tuple),
        _ => None,
    }
}
