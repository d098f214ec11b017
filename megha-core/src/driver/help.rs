//! What editors and rustdoc show of a function: the help of its MATLAB text.

use super::directive;
use crate::matlab::ast::Function;
use crate::source::{SourceFile, SourceMap};

/// The documentation of a function in Rust, in Markdown. The help stands in a block of plain text: its layout counts, and nothing in it
/// is an example that rustdoc should run.
pub fn document(function: &Function, sources: &SourceMap) -> String {
    let mut text = format!("Compiled from the MATLAB function `{}`.", function.name.text);
    let help = sources.get(function.signature.file).map(|file| comment(function, file)).unwrap_or_default();
    if !help.is_empty() {
        text += &format!("\n\n```text\n{}\n```", help.join("\n").replace("```", "\'\'\'"));
    }
    text
}

/// What MATLAB's `help` shows: the comment lines below the signature, else those above it.
fn comment<'f>(function: &Function, file: &'f SourceFile) -> Vec<&'f str> {
    let signatures = directive::ranges(file.text());
    let is_signature = |(start, line): &(usize, &str)| {
        signatures.iter().any(|range| range.start <= start + line.len() && *start < range.end)
    };
    let lines: Vec<(usize, &str)> = directive::lines(file.text()).collect();
    let number = |offset: u32| (file.line_col(offset).line as usize).min(lines.len());
    let (first, last) = (number(function.signature.start) - 1, number(function.signature.end));
    let text = |line: &(usize, &'f str)| line.1.trim_start().strip_prefix(['%', '#']);
    let shown = |line: &(usize, &'f str)| text(line).filter(|_| !is_signature(line));
    let mut found: Vec<&str> = lines[last..].iter().take_while(|l| text(l).is_some()).filter_map(shown).collect();
    if found.is_empty() {
        found = lines[..first].iter().rev().take_while(|l| text(l).is_some()).filter_map(shown).collect();
        found.reverse();
    }
    let found: Vec<&str> = found.into_iter().map(|line| line.trim_start_matches(['%', '#']).trim_end()).collect();
    let blanks = |line: &&&str| line.len() - line.trim_start().len();
    let margin = found.iter().filter(|line| !line.is_empty()).map(|line| blanks(&line)).min().unwrap_or(0);
    let found: Vec<&str> = found.into_iter().map(|line| line.get(margin..).unwrap_or("")).collect();
    let is_text = |line: &&str| !line.is_empty();
    match (found.iter().position(is_text), found.iter().rposition(is_text)) {
        (Some(from), Some(to)) => found[from..=to].to_vec(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Diagnostics;
    use crate::matlab::parse;

    fn help(text: &str) -> String {
        let mut sources = SourceMap::new();
        let id = sources.add("f.m", text);
        let program = parse(sources.get(id).unwrap(), &mut Diagnostics::new());
        document(&program.functions[0], &sources)
    }

    #[test]
    fn the_comment_below_the_signature_is_shown_or_the_one_above() {
        let shown = "Compiled from the MATLAB function `f`.\n\n```text\nF  Doubles.\n\n   y = f(x)\n```";
        let body = "y = 2 * x; % not this\nend\n";
        assert_eq!(help(&format!("function y = f(x)\n  %F  Doubles.\n  %\n  %   y = f(x)\n{body}")), shown);
        let above =
            "% not this\n\n%% F  Doubles.\n%\n%    y = f(x)\n% megha: fn f(x: f64) ->\n%   y\nfunction y = f(x)\n";
        assert_eq!(help(&format!("{above}{body}")), shown);
        assert_eq!(help(&format!("function y = f(x)\n{body}")), "Compiled from the MATLAB function `f`.");
        assert!(help(&format!("function y = f(x)\n% ```rust\n{body}")).contains("\n\'\'\'rust\n"));
    }
}
