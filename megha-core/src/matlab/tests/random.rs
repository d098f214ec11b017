//! Random programs: printing and parsing are inverse; random text never panics.

use proptest::prelude::*;

use super::generate::program;
use super::{parse_correct, parse_text, without_spans};
use crate::matlab::print;

/// Pieces that between them reach every state of lexer and parser.
const PIECES: &[&str] = &[
    "a",
    " ",
    "b ",
    "1",
    ".5",
    "'",
    "\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    "\n",
    "=",
    "==",
    "+",
    " -",
    "++",
    "*",
    ".^",
    "^",
    ".'",
    ":",
    "@",
    "@(x)",
    ".",
    "~",
    "!",
    "&&",
    "|",
    "end",
    "end\n",
    "if ",
    "else ",
    "elseif ",
    "for i=1:3\n",
    "while ",
    "do ",
    "until ",
    "switch ",
    "case ",
    "otherwise ",
    "function ",
    "function y = f(x)\n",
    "arguments\n",
    "try ",
    "catch ",
    "global ",
    "break ",
    "endif ",
    "...",
    "...\n",
    "%",
    "%{\n",
    "%}\n",
    "//",
    "/*",
    "é",
    "$",
    "\t",
    "\\",
    "0x",
    "1e",
    "hold on",
    "unwind_protect ",
    "spmd ",
    "unwind_protect_cleanup ",
    "classdef ",
    "\r\n",
    "\0",
];

#[test]
fn names_that_could_be_keywords_survive_printing() {
    let text = "x = do + 1;\n(do + x);\n(until)\n(do)(1) = 3;\n(until) += 2;\n(do)++;\n(do)(2)\n(do).^2\ndo = 4;\n";
    let program = parse_correct(&format!("{text}function f()\n(arguments)\nend\n"));
    let text = print(&program);
    assert_eq!(without_spans(&parse_correct(&text)), without_spans(&program), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_programs_parse_to_the_same_tree(program in program()) {
        let text = print(&program);
        let parsed = parse_correct(&text);
        prop_assert_eq!(without_spans(&parsed), without_spans(&program), "{}", text);
    }

    #[test]
    fn any_text_is_parsed_without_panic(text in any::<String>()) {
        let (program, diagnostics, _) = parse_text(&text);
        prop_assert!(!diagnostics.has_errors() || program.script.len() <= text.len());
    }

    #[test]
    fn token_soup_is_parsed_and_what_is_accepted_round_trips(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)
    ) {
        let (program, diagnostics, sources) = parse_text(&pieces.concat());
        for d in diagnostics.sorted() {
            let text = crate::diag::render(d, &sources, false);
            prop_assert!(text.contains('^'), "{}", text);
        }
        if diagnostics.is_empty() {
            let text = print(&program);
            prop_assert_eq!(without_spans(&parse_correct(&text)), without_spans(&program), "{}", text);
        }
    }

    #[test]
    fn mutated_programs_are_parsed_without_panic(
        program in program(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(PIECES), 0usize..4), 1..4)
    ) {
        let mut text: Vec<char> = print(&program).chars().collect();
        for (at, piece, removed) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + removed).min(text.len());
            text.splice(at..end, piece.chars());
        }
        let text: String = text.into_iter().collect();
        let (program, diagnostics, _) = parse_text(&text);
        if diagnostics.is_empty() {
            let text = print(&program);
            prop_assert_eq!(without_spans(&parse_correct(&text)), without_spans(&program), "{}", text);
        }
    }
}
