//! Loops whose iterations are lowered one after the other, where each has types, lists or functions of its own:
//! `for k = 1:numel(varargin), x = varargin{k}; … end`, loops in which a variable changes its class, and short ones over slices
//! (`slices.rs`).
//!
//! How often such a loop runs must be known. Where `break` and `continue` are decided while compiling, nothing of the loop is left;
//! where the run decides, `break` leaves a loop of one pass around all iterations, and `continue` one around its iteration.

use super::{Head, Loop, Source, slices};
use crate::diag::Diagnostic;
use crate::ir::{Class, Region, Size, Terminator, Type};
use crate::lower::control::{Flow, Frame, FrameKind, Jump};
use crate::lower::env::Binding;
use crate::lower::facts::Facts;
use crate::lower::live::assigned;
use crate::lower::{Lower, Lowered, Operand, Stop};
use crate::matlab::ast::{AccessKind, Expr, ExprKind, LValue, Stmt, StmtKind};
use crate::matlab::walk::{self, Visitor};
use crate::source::Span;

/// A loop over a list has at most so many iterations.
const MAX_ITERATIONS: i64 = 100;
/// A loop in which a variable changes its class is taken apart if it has at most so many.
const FEW_ITERATIONS: i64 = 16;

impl Lower<'_> {
    /// The loop in pieces, if that is how it is to be lowered and how often it runs is known.
    pub(super) fn in_pieces(&mut self, body: &[Stmt], head: &Head<'_>, span: Span) -> Lowered<Option<Flow>> {
        if !self.needs_pieces(body, head, span) {
            return if over_slices(body, head) { self.written_out(body, head) } else { Ok(None) };
        }
        let known = |n: &i64| (0..=MAX_ITERATIONS).contains(n);
        match head {
            Head::Count { trip, .. } if trip.as_constant().as_ref().is_some_and(known) => {
                self.pieces(body, head, span).map(Some)
            }
            Head::Count { .. } | Head::Passes { .. } => Ok(None),
            Head::While(_) | Head::Until(_) => self.decided(body, head, 0),
        }
    }

    /// The loop in pieces in place of the `conflict` that stands in the way of it as a whole, if it has few iterations.
    pub(super) fn classes_in_pieces(&mut self, lp: &Loop<'_>, conflict: Diagnostic) -> Lowered<Flow> {
        let few = lp.trip().and_then(Size::as_constant).is_some_and(|n| n <= FEW_ITERATIONS);
        if !few || lp.kind != FrameKind::Loop || matches!(lp.head, Head::Passes { .. }) {
            return self.report(conflict);
        }
        self.pieces_from(lp.body, &lp.head, lp.first, lp.span)
    }

    /// The iterations one after the other where that is not necessary: what is wrong in one of them alone is left to the loop.
    fn written_out(&mut self, body: &[Stmt], head: &Head<'_>) -> Lowered<Option<Flow>> {
        let (before, wrong) = (self.start(), self.diags.has_errors());
        let flow = self.decided(body, head, 0)?;
        if !wrong && self.diags.has_errors() {
            self.return_to(before);
            return Ok(None);
        }
        Ok(flow)
    }

    fn pieces(&mut self, body: &[Stmt], head: &Head<'_>, span: Span) -> Lowered<Flow> {
        self.pieces_from(body, head, 0, span)
    }

    fn pieces_from(&mut self, body: &[Stmt], head: &Head<'_>, first: i64, span: Span) -> Lowered<Flow> {
        if let Some(flow) = self.decided(body, head, first)? {
            return Ok(flow);
        }
        let Head::Count { trip, variable } = head else { return Err(Stop) };
        let passes = Head::Passes { trip: trip.as_constant().unwrap_or(0), first, variable: variable.clone() };
        self.run_loop(Loop::new(span, body, passes, FrameKind::Loop))
    }

    /// The iterations one after the other, if the condition, `break` and `continue` are decided while compiling.
    fn decided(&mut self, body: &[Stmt], head: &Head<'_>, first: i64) -> Lowered<Option<Flow>> {
        let before = self.start();
        let depth = self.frames.len();
        self.frames.push(Frame::new(FrameKind::Unrolled));
        let mut flow = None;
        for k in 0..=MAX_ITERATIONS {
            match self.goes_on(head, first, k) {
                Some(true) if k < MAX_ITERATIONS => {}
                Some(false) => {
                    flow = Some(Flow::Through);
                    break;
                }
                _ => break,
            }
            let left = self.block(body);
            match (self.frames[depth].jump.take(), left) {
                (Some(Jump::Perhaps), _) => break,
                (Some(Jump::Break), _) => {
                    flow = Some(Flow::Through);
                    break;
                }
                (Some(Jump::Continue), _) | (None, Flow::Through) => {}
                (None, left) => {
                    flow = Some(left);
                    break;
                }
            }
            if let Head::Until(cond) = head {
                match self.condition(cond).ok().and_then(|done| self.constant_of(done)) {
                    Some(0.0) => {}
                    Some(_) => {
                        flow = Some(Flow::Through);
                        break;
                    }
                    None => break,
                }
            }
        }
        self.frames.truncate(depth);
        if flow.is_none() {
            self.return_to(before);
        }
        Ok(flow)
    }

    /// Whether iteration `k` takes place, whose loop variable is bound then; `None` if only the run knows.
    fn goes_on(&mut self, head: &Head<'_>, first: i64, k: i64) -> Option<bool> {
        match head {
            Head::Count { trip, variable } => {
                if Some(k) >= trip.as_constant() {
                    return Some(false);
                }
                self.bind_iteration(variable.as_ref(), first + k);
                Some(true)
            }
            Head::While(cond) => {
                let holds = self.condition(cond).ok()?;
                self.constant_of(holds).map(|c| c != 0.0)
            }
            _ => Some(true),
        }
    }

    fn bind_iteration(&mut self, variable: Option<&(&LValue, Source)>, k: i64) {
        if let Some((target, source)) = variable {
            let value = self.builder.int(k);
            self.bind_element(target, source, value, &Size::constant(k));
        }
    }

    /// The body of a loop of one pass that makes all iterations.
    pub(super) fn passes_body(&mut self, lp: &mut Loop<'_>, types: &[Type]) -> Region {
        let mut params = vec![Type::scalar(Class::Index)];
        params.extend(types.iter().cloned());
        let (mark, values) = self.open_region(params);
        self.learn(values[0], Facts::whole(Size::constant(0), true));
        self.bind_params(lp, &values[1..]);
        let mut left = Flow::Through;
        if let Head::Passes { trip, first, variable } = &lp.head {
            for k in 0..*trip {
                self.bind_iteration(variable.as_ref(), first + k);
                let head = Head::Count { trip: Size::constant(1), variable: None };
                left = match self.run_loop(Loop::new(lp.span, lp.body, head, FrameKind::Iteration)) {
                    Ok(flow) => flow,
                    Err(Stop) => break,
                };
                if left != Flow::Through {
                    break;
                }
            }
        }
        let term = self.end_of_body(left);
        self.close_region(mark, term)
    }

    /// `break` and `continue` in an iteration that is lowered on its own.
    pub fn leave_iteration(&mut self, frame: usize, breaks: bool) -> Lowered<Terminator> {
        match self.frames[frame].kind {
            FrameKind::Unrolled => {
                let jump = if breaks { Jump::Break } else { Jump::Continue };
                let decided = self.frames[frame].conditions == 0;
                self.frames[frame].jump = Some(if decided { jump } else { Jump::Perhaps });
                if decided { Ok(Terminator::Unreachable) } else { Err(Stop) }
            }
            _ if breaks => Ok(Terminator::Break(1, self.edge_values(frame - 1))),
            _ => Ok(Terminator::Continue(0, self.edge_values(frame))),
        }
    }

    /// Whether the iterations differ in what exists while compiling only: they take elements of lists that their number tells,
    /// change lists or functions, or run over a list.
    fn needs_pieces(&self, body: &[Stmt], head: &Head<'_>, span: Span) -> bool {
        let over_list = matches!(head, Head::Count { variable: Some((_, Source::List(_))), .. });
        let mut search = Search::default();
        walk::stmts(body, &mut search);
        if over_list || search.elements {
            return true;
        }
        let mut names = Default::default();
        assigned(body, &mut names);
        let is_function = |name: &String| {
            matches!(
                self.env.get(name),
                Some(Binding::Is(Operand::Function(_) | Operand::List(_) | Operand::Chosen(_)))
            )
        };
        let live = self.liveness();
        let used = |name: &String| {
            live.as_ref().is_some_and(|l| l.after(span).contains(name) || l.at_head(span).contains(name))
        };
        names.iter().any(is_function) || search.functions.iter().any(used)
    }
}

/// Whether it is a short loop over slices.
fn over_slices(body: &[Stmt], head: &Head<'_>) -> bool {
    let Head::Count { trip, variable: Some((target, Source::Range(_))) } = head else { return false };
    trip.as_constant().is_some_and(|trip| slices::worth_unrolling(body, &target.name.text, trip))
}

/// Looks for elements of lists whose numbers are computed, stores into lists, and variables that get functions or lists.
#[derive(Default)]
struct Search {
    elements: bool,
    functions: Vec<String>,
}

fn is_written(subscript: &Expr) -> bool {
    matches!(subscript.kind, ExprKind::Number { .. } | ExprKind::Colon | ExprKind::End)
}

impl Visitor for Search {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::BraceIndex { args, .. } = &expr.kind {
            self.elements |= !args.iter().all(is_written);
        }
    }

    fn target(&mut self, target: &LValue) {
        self.elements |= target.accesses.iter().any(|a| matches!(a.kind, AccessKind::Brace(_)));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Assign { target, value, .. } = &stmt.kind
            && matches!(value.kind, ExprKind::AnonFn { .. } | ExprKind::FuncHandle(_) | ExprKind::Cell { .. })
        {
            self.functions.push(target.name.text.clone());
        }
    }
}
