//! What became of each loop of an offloaded function, where it stands in the source.

use super::ast::{Block, Child, Function, Param, ParamType, SpanId, StmtKind, shown};
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
    let arrays = arrays(function);
    for report in reports {
        let Some(span) = position(report.loc) else { continue };
        let note =
            LoopNote { span, text: in_brackets(&text(report, line), &arrays), parallel: is_parallel(&report.outcome) };
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

/// Says of loops that are parallel where a test holds that they are.
pub(super) fn with_guard(notes: &mut [LoopNote], guarded: &[LoopNote], test: &str) {
    for note in notes.iter_mut().filter(|note| !note.parallel) {
        if let Some(better) = guarded.iter().find(|better| better.span == note.span && better.parallel) {
            let otherwise = note.text.split_once(": ").map_or(&note.text[..], |(_, rest)| rest);
            note.text = format!("{}, if {test}; else {otherwise}", better.text);
            note.parallel = true;
        }
    }
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
