//! The source lines that a kernel covers.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Loc, Region};
use crate::source::{FileId, SourceFile, Span};

use super::names::Names;

/// A statement of the source: its file, its first line and its last.
pub(super) type Place = (FileId, u32, u32);

/// The statements that some places belong to, each with the part that the places cover.
#[derive(Debug, Default, Clone)]
pub(super) struct Listing {
    /// The largest expressions of each statement that are covered.
    pub parts: BTreeMap<Place, Vec<Span>>,
}

impl Listing {
    pub fn of(names: &Names<'_>, locs: &BTreeSet<Loc>) -> Self {
        let mut listing = Self::default();
        for span in locs.iter().filter_map(|loc| names.span(*loc)) {
            let Some(file) = names.sources.get(span.file) else { continue };
            let place = statement(file, span);
            add(listing.parts.entry(place).or_default(), span);
        }
        listing.join();
        listing
    }

    /// Joins statements that lie in others, as the lines of a loop do.
    fn join(&mut self) {
        let places: Vec<Place> = self.parts.keys().copied().collect();
        let inside = |a: &Place, b: &Place| a != b && a.0 == b.0 && b.1 <= a.1 && a.2 <= b.2;
        self.parts.retain(|place, _| !places.iter().any(|around| inside(place, around)));
    }

    /// `line 4` or `lines 4-6, 9`
    pub fn lines(&self, names: &Names<'_>) -> String {
        let mut ranges: Vec<Place> = Vec::new();
        for place in self.parts.keys() {
            match ranges.last_mut() {
                Some(last) if last.0 == place.0 && place.1 <= last.2 + 1 => last.2 = last.2.max(place.2),
                _ => ranges.push(*place),
            }
        }
        let main = names.main_file().map(SourceFile::id);
        let text = |(file, from, to): &Place| {
            let lines = if from == to { from.to_string() } else { format!("{from}-{to}") };
            match names.sources.get(*file) {
                Some(other) if Some(*file) != main => format!("{lines} of {}", other.name()),
                _ => lines,
            }
        };
        let one = matches!(ranges[..], [(_, from, to)] if from == to);
        let texts: Vec<String> = ranges.iter().map(text).collect();
        format!("{} {}", if one { "line" } else { "lines" }, texts.join(", "))
    }
}

/// Adds a span to those of which none lies in another.
fn add(parts: &mut Vec<Span>, span: Span) {
    let inside = |a: &Span, b: &Span| b.start <= a.start && a.end <= b.end;
    if parts.iter().any(|p| inside(&span, p)) {
        return;
    }
    parts.retain(|p| !inside(p, &span));
    parts.push(span);
    parts.sort_unstable();
}

/// All places of the statements in a region.
pub(super) fn locs(region: &Region, found: &mut BTreeSet<Loc>) {
    region.walk(&mut |stmt| {
        // Constants are shared between statements and keep the place of the first.
        if !matches!(stmt.op, crate::ir::Op::Const(_)) {
            found.insert(stmt.loc);
        }
    });
}

/// The lines of the statement around a span: those that `...` joins.
fn statement(file: &SourceFile, span: Span) -> Place {
    let mut first = file.line_col(span.start).line;
    let mut last = file.line_col(span.end.saturating_sub(1).max(span.start)).line;
    while first > 1 && continues(file.line_text(first - 1)) {
        first -= 1;
    }
    while last < file.line_count() && continues(file.line_text(last)) {
        last += 1;
    }
    (file.id(), first, last)
}

fn continues(line: &str) -> bool {
    line.split('%').next().is_some_and(|code| code.contains("..."))
}
