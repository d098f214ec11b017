//! Signatures in comments of a MATLAB file: `% megha: fn name(x: f64[n, 1]) -> y`.
//!
//! MATLAB and Octave skip them. A signature may go on over further comment lines until its parentheses are closed.
//!
//! `% megha: contract` lets products be rounded with the sums that need them, in all that its functions compute, those of other files that they call
//! included; in a file that is only called it says nothing: `contract`.
//!
//! `% megha: late names` makes names that nothing defines Octave's error when the run gets there, where that is not certain.

use super::signature::{Signature, parse};
use crate::diag::Diagnostics;
use crate::source::SourceFile;
use std::ops::Range;

/// All signatures in the comments of a file, in order; malformed ones are reported and left out.
pub fn signatures(file: &SourceFile, diags: &mut Diagnostics) -> Vec<Signature> {
    ranges(file.text()).into_iter().filter_map(|range| parse(file, range, diags)).collect()
}

/// Whether a name that nothing defines is an error only when the run gets there.
pub fn late_names(text: &str) -> bool {
    has(text, LATE_NAMES)
}

/// Whether products may be rounded with the sums that need them.
pub fn contracts(text: &str) -> bool {
    has(text, CONTRACT)
}

fn has(text: &str, directive: &str) -> bool {
    lines(text).any(|(_, line)| body(line).is_some_and(|body| body.trim() == directive))
}

const LATE_NAMES: &str = "late names";
const CONTRACT: &str = "contract";

/// The bytes of each signature, without the `megha:` in front.
pub fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut lines = lines(text).peekable();
    while let Some((start, line)) = lines.next() {
        let Some(at) = marker(line) else { continue };
        let from = start + at;
        let mut to = start + line.len();
        while let Some((next, more)) = lines.peek()
            && open(&text[from..to])
            && more.trim_start().starts_with('%')
            && marker(more).is_none()
        {
            to = next + more.len();
            lines.next();
        }
        found.push(from..to);
    }
    found
}

/// Lines and the offsets at which they start.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// Where the signature starts in a line `% megha: fn …`.
fn marker(line: &str) -> Option<usize> {
    let body = body(line).filter(|body| ![LATE_NAMES, CONTRACT].contains(&body.trim()))?;
    Some(line.len() - body.len())
}

/// What stands behind `% megha:`.
fn body(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('%')?.trim_start().strip_prefix("megha:")
}

/// Whether a signature that is cut off here goes on.
fn open(text: &str) -> bool {
    let count = |c: char| text.matches(c).count();
    count('(') > count(')') || count('[') > count(']') || text.trim_end().ends_with("->")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    #[test]
    fn comments_on_one_and_several_lines() {
        let text = "function y = f(x)\n% F  does.\n%  megha: fn f(x: f64[n, 1],\n%      k: usize) -> y\n% more (text\n%megha: fn g()\ny = x;\n";
        let mut sources = SourceMap::new();
        let id = sources.add("f.m", text);
        let mut diags = Diagnostics::new();
        let found = signatures(sources.get(id).unwrap(), &mut diags);
        assert!(diags.is_empty(), "{diags:?}");
        let names: Vec<(&str, usize)> = found.iter().map(|s| (s.function.text.as_str(), s.params.len())).collect();
        assert_eq!(names, [("f", 2), ("g", 0)]);
    }

    #[test]
    fn a_malformed_one_is_reported_where_it_stands() {
        let mut sources = SourceMap::new();
        let id = sources.add("f.m", "% megha: fn f(x: real)\n");
        let mut diags = Diagnostics::new();
        assert!(signatures(sources.get(id).unwrap(), &mut diags).is_empty());
        assert_eq!(diags.sorted()[0].span.start, 17);
    }
}
