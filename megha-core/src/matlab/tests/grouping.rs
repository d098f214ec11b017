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

/// Where MATLAB and Octave differ: Octave reads `++` as its increment (before a name it is refused) and refuses a range of ranges, and
/// lets a row start with a comma.
#[test]
fn expressions_group_as_in_matlab_where_octave_differs() {
    for (source, expected) in [
        ("a++b", "a + (+b)"),
        ("a--b", "a - (-b)"),
        ("[a ++b]", "M0012"),
        ("[a -- b]", "[a, -(-b)]"),
        ("1:2:3:4", "(1:2:3):4"),
        ("[,1]", "M0009"),
    ] {
        assert_eq!(group(source), expected, "{source}");
    }
}

#[test]
fn literals() {
    for (source, expected) in [
        ("0x1F", "0x1Fu8"),
        ("0xFFFF", "0xFFFFu16"),
        ("0x0FFFF", "0xFFFFu32"),
        ("0b101s16", "0x5s16"),
        ("0xFFFFu8", "M0005"),
        ("0x1G", "M0005"),
        ("1e400", "1e999"),
        (".5e+1D0", "M0005"),
        ("1D-2", "0.01"),
        ("2x", "M0005"),
        ("1e", "M0005"),
        ("1_000", "M0005"),
        ("3J", "3i"),
        ("'it''s'", "'it''s'"),
        (r#""a\tb\"c\101\x41""#, r#""a\tb\"cAA""#),
        (r#""say ""hi""""#, r#""say \"hi\"""#),
        (r#"'no\nescape'"#, r#"'no\nescape'"#),
    ] {
        assert_eq!(group(source), expected, "{source}");
    }
}
