//! How expressions are grouped. The table was checked against Octave by `grouping_check.m`.

use super::parse_text;
use crate::diag::render_all;
use crate::matlab::ast::StmtKind;
use crate::matlab::print::grouped;

/// The expression of `v = source;` with all its parentheses, or the first error's code.
fn group(source: &str) -> String {
    let (program, diagnostics, sources) = parse_text(&format!("v = {source};\n"));
    if let Some(first) = diagnostics.sorted().first() {
        return format!("{}", first.code);
    }
    match program.script.first().map(|s| &s.kind) {
        Some(StmtKind::Assign { value, .. }) => grouped(value),
        other => format!("{other:?} {}", render_all(&diagnostics, &sources, false)),
    }
}

#[test]
fn expressions_group_as_in_octave() {
    for line in include_str!("grouping.txt").lines().filter(|line| !line.starts_with('%')) {
        let (source, expected) = line.split_once(" => ").unwrap();
        let (source, expected) = (source.trim_end().replace("\\n", "\n"), expected.trim_start());
        assert_eq!(group(&source), expected, "{source}");
    }
}

#[test]
fn dump_table() {
    for line in std::fs::read_to_string("/tmp/exprs.txt").unwrap().lines() {
        println!("{line:<24} => {}", group(&line.replace("\\n", "\n")));
    }
}
