//! What became of the program's own loops, and what keeps the sequential ones in order.

use super::kernel::{Subject, and, distinct, letter};
use super::names::Names;
use crate::ir::{Op, Stmt};
use crate::kernels::dead::leaves;
use crate::kernels::doall::{LoopReport, Outcome, Reason, together};

/// Why this loop of the program runs one iteration after the other, as a clause.
pub(super) fn why(names: &Names<'_>, reports: &[LoopReport], stmt: &Stmt) -> Option<String> {
    if matches!(stmt.op, Op::While { .. }) {
        return Some("because each iteration decides whether there is another".to_owned());
    }
    let report = reports.iter().find(|r| r.loc == stmt.loc)?;
    let (Outcome::Sequential(reason) | Outcome::Jammed { reason, .. }) = &report.outcome else { return None };
    match carried(names, stmt) {
        Some(list) if !matches!(reason, Reason::Dependence { .. }) => {
            let Op::For { body, .. } = &stmt.op else { return None };
            let decides = if leaves(body, 0) { ", which may also be the last" } else { "" };
            Some(format!("because each iteration goes on from the {list} of the one before{decides}"))
        }
        _ => Some(clause(names, reason)),
    }
}

/// How a loop of the program runs of which several iterations go together.
pub(super) fn jammed(reports: &[LoopReport], stmt: &Stmt) -> Option<String> {
    let outcome = reports.iter().find(|report| report.loc == stmt.loc).map(|report| &report.outcome)?;
    match outcome {
        Outcome::Jammed { rows, behind, in_strips, .. } if matches!(stmt.op, Op::For { .. }) => {
            Some(together(*rows, *behind, *in_strips))
        }
        _ => None,
    }
}

/// The variables that go from one iteration to the next.
fn carried(names: &Names<'_>, stmt: &Stmt) -> Option<String> {
    let Op::For { body, .. } = &stmt.op else { return None };
    let list = distinct(body.params.iter().skip(1).filter_map(|v| names.given(*v)).map(str::to_owned));
    (!list.is_empty()).then(|| and(&list))
}

/// The program's loops that became part of this kernel, each with what became of it.
pub(super) fn inside(names: &Names<'_>, reports: &[LoopReport], subject: &Subject<'_>) -> Vec<String> {
    let held = |report: &&LoopReport| {
        let Some(span) = names.span(report.loc) else { return false };
        let within = |part: &crate::source::Span| {
            part.file == span.file
                && (part.start <= span.start && span.end <= part.end
                    || span.start <= part.start && part.end <= span.end)
        };
        subject.listing.parts.values().flatten().any(within)
    };
    reports.iter().filter(held).filter_map(|report| line(names, report, subject.kernel.domain.len())).collect()
}

fn line(names: &Names<'_>, report: &LoopReport, loops: usize) -> Option<String> {
    let header = names.header(report.loc)?;
    match &report.outcome {
        Outcome::Parallel { axis, .. } => {
            let which = if loops > 1 { format!(" (loop {} of the kernel)", letter(*axis)) } else { String::new() };
            Some(format!("{header}: its iterations are independent and run in parallel{which}"))
        }
        Outcome::Expanded => Some(format!("{header}: its iterations are independent and run in parallel")),
        Outcome::InKernel { reason, .. } => {
            Some(format!("{header}: in order inside each point, {}", clause(names, reason)))
        }
        Outcome::Jammed { .. } | Outcome::Sequential(_) => None,
    }
}

fn clause(names: &Names<'_>, reason: &Reason) -> String {
    match reason {
        Reason::Dependence { explanation, unknown: Some(unknown), .. } => {
            let place = names.line(unknown.loc).map_or_else(String::new, |line| format!("in line {line} "));
            format!("because {explanation}: {place}{}", unknown.why)
        }
        Reason::Dependence { explanation, unknown: None, .. } => format!("because {explanation}"),
        Reason::Construct(text) => format!("because {text}"),
    }
}
