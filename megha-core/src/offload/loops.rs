//! What became of each loop of an offloaded function, where it stands in the source: data, and what is said of it.

use super::ast::{Block, Child, Function, Param, ParamType, SpanId, StmtKind, shown};
use super::lower::loc;
use crate::affine::Explanation;
use crate::ir::Loc;
use crate::kernels::doall::{LoopReport, Outcome, Reason, Unknown};
use std::fmt;

/// What became of a loop. Its `Display` is one sentence without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopNote {
    /// Where it stands.
    pub span: SpanId,
    /// What became of it, with elements as Rust writes them.
    pub report: LoopReport,
    /// The lines of the two accesses that keep it in order.
    pub lines: Option<[u32; 2]>,
    /// What becomes of it where a test of the arguments holds.
    pub guarded: Option<Guarded>,
}

/// What becomes of a loop where a test holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarded {
    /// The test, in the program's words.
    pub test: String,
    /// What becomes of the loop then.
    pub outcome: Outcome,
}

impl LoopNote {
    /// Whether its iterations are independent, or it runs inside of iterations that are; perhaps only where a test holds.
    pub fn is_parallel(&self) -> bool {
        self.guarded.is_some() || is_parallel(&self.report.outcome)
    }
}

impl fmt::Display for LoopNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.guarded {
            Some(Guarded { test, outcome }) => {
                let better = LoopReport { outcome: outcome.clone(), ..self.report.clone() };
                write!(f, "{better}, if {test}; else {}", self.report.outcome)?;
            }
            None => write!(f, "{}", self.report)?,
        }
        match self.lines {
            Some([a, b]) if a == b => write!(f, " (line {a})"),
            Some([a, b]) => write!(f, " (lines {a} and {b})"),
            None => Ok(()),
        }
    }
}

/// What is said of all loops, in the order of the source. `line` gives the line of a position.
pub(super) fn notes(
    function: &Function,
    reports: &[LoopReport],
    line: &dyn Fn(SpanId) -> Option<u32>,
) -> Vec<LoopNote> {
    let mut notes: Vec<LoopNote> = Vec::new();
    let arrays = arrays(function);
    for report in reports {
        let Some(span) = position(report.loc) else { continue };
        let lines = lines(&report.outcome, line);
        let note = LoopNote { span, report: in_rust(report, &arrays), lines, guarded: None };
        // A loop that was taken apart is as good as its worst part.
        match notes.iter_mut().find(|known| known.span == span) {
            Some(known) if known.is_parallel() && !note.is_parallel() => *known = note,
            Some(_) => {}
            None => notes.push(note),
        }
    }
    let mut conditional = Vec::new();
    whiles(&function.body, &mut conditional);
    conditional.retain(|span| notes.iter().all(|note| note.span != *span));
    notes.extend(conditional.into_iter().map(conditional_note));
    notes.sort_by_key(|note| note.span);
    notes
}

/// What is said of a loop with a condition.
fn conditional_note(span: SpanId) -> LoopNote {
    let reason = Reason::Construct("only its last iteration knows that it is the last".to_owned());
    let report = LoopReport { variable: None, loc: loc(span), outcome: Outcome::Sequential(reason) };
    LoopNote { span, report, lines: None, guarded: None }
}

/// Says of loops that are parallel where a test holds that they are.
pub(super) fn with_guard(notes: &mut [LoopNote], guarded: &[LoopNote], test: &str) {
    for note in notes.iter_mut().filter(|note| !note.is_parallel()) {
        if let Some(better) = guarded.iter().find(|better| better.span == note.span && better.is_parallel()) {
            note.guarded = Some(Guarded { test: test.to_owned(), outcome: better.report.outcome.clone() });
        }
    }
}

fn position(loc: Loc) -> Option<SpanId> {
    loc.index().checked_sub(1).map(|number| SpanId(number as u32))
}

fn is_parallel(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Parallel { .. } | Outcome::Expanded | Outcome::InKernel { .. } => true,
        Outcome::Jammed { .. } | Outcome::Sequential(_) => false,
    }
}

/// The lines of the two accesses that keep a loop in order.
fn lines(outcome: &Outcome, line: &dyn Fn(SpanId) -> Option<u32>) -> Option<[u32; 2]> {
    let (Outcome::InKernel { reason, .. } | Outcome::Jammed { reason, .. } | Outcome::Sequential(reason)) = outcome
    else {
        return None;
    };
    let Reason::Dependence { sites, .. } = reason else { return None };
    let [a, b] = sites.map(|site| position(site).and_then(line));
    let (a, b) = (a?, b?);
    Some([a.min(b), a.max(b)])
}

/// A report with elements of arrays as Rust writes them.
fn in_rust(report: &LoopReport, arrays: &[&str]) -> LoopReport {
    let outcome = match &report.outcome {
        Outcome::Parallel { .. } | Outcome::Expanded => report.outcome.clone(),
        Outcome::InKernel { kernel, reason } => {
            Outcome::InKernel { kernel: *kernel, reason: reason_in_rust(reason, arrays) }
        }
        Outcome::Jammed { rows, behind, in_strips, reason } => {
            let reason = reason_in_rust(reason, arrays);
            Outcome::Jammed { rows: *rows, behind: *behind, in_strips: *in_strips, reason }
        }
        Outcome::Sequential(reason) => Outcome::Sequential(reason_in_rust(reason, arrays)),
    };
    LoopReport { outcome, ..report.clone() }
}

fn reason_in_rust(reason: &Reason, arrays: &[&str]) -> Reason {
    let text = |text: &String| in_brackets(text, arrays);
    let texts = |list: &[String]| list.iter().map(text).collect();
    match reason {
        Reason::Dependence { array, explanation, unknown, sites } => {
            let explanation = Explanation {
                source_iteration: texts(&explanation.source_iteration),
                source_element: text(&explanation.source_element),
                sink_iteration: texts(&explanation.sink_iteration),
                sink_element: text(&explanation.sink_element),
                conditions: texts(&explanation.conditions),
                ..(**explanation).clone()
            };
            let unknown = unknown.as_ref().map(|unknown| Unknown { why: text(&unknown.why), ..unknown.clone() });
            Reason::Dependence { array: array.clone(), explanation: Box::new(explanation), unknown, sites: *sites }
        }
        Reason::Construct(what) => Reason::Construct(text(what)),
    }
}

/// The names of a function's arrays.
fn arrays(function: &Function) -> Vec<&str> {
    let is_array = |param: &&Param| matches!(param.ty, ParamType::Array { .. });
    let mut found = function.params.iter().filter(is_array).map(|param| &param.name.text[..]).collect();
    local_arrays(&function.body, &mut found);
    found
}

fn local_arrays<'f>(block: &'f Block, found: &mut Vec<&'f str>) {
    for stmt in &block.stmts {
        if let StmtKind::LetArray { name, .. } = &stmt.kind {
            found.push(shown(&name.text));
        }
        stmt.children(&mut |child| match child {
            Child::Block(block) => local_arrays(block, found),
            Child::Expr(_) => {}
        });
    }
}

/// A text with elements of arrays as Rust has them: `x[i]`, `a[[i, j]]`.
fn in_brackets(text: &str, arrays: &[&str]) -> String {
    let mut said = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let (before, inner) = rest.split_at(open);
        let word = before.rsplit(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or_default();
        said.push_str(before);
        let end = closing(inner).filter(|_| arrays.contains(&word));
        let Some(end) = end else {
            said.push('(');
            rest = &inner[1..];
            continue;
        };
        let subs = in_brackets(&inner[1..end], arrays);
        let several = subs.contains(',');
        said.push_str(&if several { format!("[[{subs}]]") } else { format!("[{subs}]") });
        rest = &inner[end + 1..];
    }
    said + rest
}

/// Where the bracket that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    })
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

#[cfg(test)]
mod tests {
    use super::in_brackets;

    #[test]
    fn elements_are_written_as_in_rust() {
        let text = "iteration i writes a(i, j), iteration i + 1 reads a(p(i), j - (1)) (lines 3 and 4) of x(i)";
        let want = "iteration i writes a[[i, j]], iteration i + 1 reads a[[p[i], j - (1)]] (lines 3 and 4) of x[i]";
        assert_eq!(in_brackets(text, &["a", "p", "x"]), want);
        assert_eq!(in_brackets("a(i", &["a"]), "a(i");
    }
}
