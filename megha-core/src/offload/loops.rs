//! What became of each loop of an offloaded function, where it stands in the source.

use super::ast::{Block, Child, Function, SpanId, StmtKind};
use crate::ir::Loc;
use crate::kernels::doall::{LoopReport, Outcome, Reason};

/// What became of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopNote {
    /// Where it stands.
    pub span: SpanId,
    /// In words.
    pub text: String,
    /// Whether its iterations are independent, or it runs inside of iterations that are.
    pub parallel: bool,
}

/// What is said of all loops, in the order of the source. `line` gives the line of a position.
pub(super) fn notes(
    function: &Function,
    reports: &[LoopReport],
    line: &dyn Fn(SpanId) -> Option<u32>,
) -> Vec<LoopNote> {
    let mut notes: Vec<LoopNote> = Vec::new();
    for report in reports {
        let Some(span) = position(report.loc) else { continue };
        let note = LoopNote { span, text: text(report, line), parallel: is_parallel(&report.outcome) };
        // A loop that was taken apart is as good as its worst part.
        match notes.iter_mut().find(|known| known.span == span) {
            Some(known) if known.parallel && !note.parallel => *known = note,
            Some(_) => {}
            None => notes.push(note),
        }
    }
    let mut conditional = Vec::new();
    whiles(&function.body, &mut conditional);
    conditional.retain(|span| notes.iter().all(|note| note.span != *span));
    for span in conditional {
        let text = "loop: in order: only its last iteration knows that it is the last".to_owned();
        notes.push(LoopNote { span, text, parallel: false });
    }
    notes.sort_by_key(|note| note.span);
    notes
}

fn position(loc: Loc) -> Option<SpanId> {
    loc.index().checked_sub(1).map(|number| SpanId(number as u32))
}

fn is_parallel(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Parallel { .. } | Outcome::Expanded | Outcome::InKernel { .. } => true,
        Outcome::Sequential(_) => false,
    }
}

fn text(report: &LoopReport, line: &dyn Fn(SpanId) -> Option<u32>) -> String {
    let said = report.to_string();
    let (Outcome::InKernel { reason, .. } | Outcome::Sequential(reason)) = &report.outcome else { return said };
    let Reason::Dependence { sites, .. } = reason else { return said };
    match sites.map(|site| position(site).and_then(line)) {
        [Some(a), Some(b)] if a == b => format!("{said} (line {a})"),
        [Some(a), Some(b)] => format!("{said} (lines {} and {})", a.min(b), a.max(b)),
        [None, _] | [_, None] => said,
    }
}

/// The loops with conditions.
fn whiles(block: &Block, found: &mut Vec<SpanId>) {
    for stmt in &block.stmts {
        if let StmtKind::While { .. } = stmt.kind {
            found.push(stmt.span);
        }
        stmt.children(&mut |child| whiles_in(child, found));
    }
    if let Some(value) = &block.value {
        whiles_in(Child::Expr(value), found);
    }
}

fn whiles_in(child: Child<'_>, found: &mut Vec<SpanId>) {
    match child {
        Child::Block(block) => whiles(block, found),
        Child::Expr(expr) => expr.children(&mut |child| whiles_in(child, found)),
    }
}
