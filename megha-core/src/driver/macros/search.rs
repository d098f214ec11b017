//! Where a macro call stands, if its tokens do not tell.
//!
//! Language servers (rust-analyzer among them) run macros too, and tell neither the file nor lines and columns: all positions are the
//! same. Blanks and line breaks mean something in MATLAB, so the call is searched for in the Rust files of its package. A
//! call with the same tokens is believed. A file that an editor has not saved holds another text; then nothing is found.

use std::path::{Path, PathBuf};

use super::recover::{Input, Token, after_gap};
use crate::source::{FileId, SourceFile};

/// Whether the positions of the tokens say nothing.
pub fn is_unplaced(tokens: &[Token]) -> bool {
    let Some(first) = tokens.first() else { return true };
    let same = |t: &Token| (t.start, t.end) == (first.start, first.end);
    tokens.iter().all(same) && (tokens.len() > 1 || first.start == first.end)
}

/// The same input with the file and the positions that a search finds.
pub fn placed(input: &Input) -> Option<Input> {
    if input.file.is_some() || !is_unplaced(&input.tokens) {
        return None;
    }
    rust_files(input.package.as_deref()?).into_iter().find_map(|path| in_file(input, path))
}

fn in_file(input: &Input, path: PathBuf) -> Option<Input> {
    let text = std::fs::read_to_string(&path).ok()?;
    let calls = text.match_indices("matlab!").map(|(at, name)| at + name.len());
    let (start, places) = calls.into_iter().find_map(|at| {
        let gap = text.get(at..)?.trim_start();
        let body = gap.strip_prefix(['(', '[', '{'])?;
        let start = text.len() - body.len();
        Some((start, places(&text, start, &input.tokens)?))
    })?;
    let file = SourceFile::new(FileId(0), path.display().to_string(), text);
    let place = |at: usize| file.line_col(at as u32);
    let tokens = input.tokens.iter().zip(places);
    let tokens =
        tokens.map(|(t, at)| Token { text: t.text.clone(), start: place(at), end: place(at + t.text.len()) }).collect();
    let (start, name) = (Some(place(start)), path.display().to_string());
    Some(Input { call: None, start, file: Some(path), name, tokens, ..input.clone() })
}

/// Where each token stands in the text from `start` on, if it holds these tokens up to a closing bracket.
fn places(text: &str, start: usize, tokens: &[Token]) -> Option<Vec<usize>> {
    let mut rest = &text[start..];
    let mut found = Vec::with_capacity(tokens.len());
    for token in tokens {
        let at = after_gap(rest);
        found.push(text.len() - at.len());
        rest = at.strip_prefix(token.text.as_str())?;
    }
    after_gap(rest).starts_with([')', ']', '}']).then_some(found)
}

/// The Rust files of a package, those of packages inside it excepted, in a fixed order.
fn rust_files(package: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![package.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let hidden = name.to_string_lossy().starts_with('.') || name == "target";
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !hidden && !path.join("Cargo.toml").exists() => folders.push(path),
                Ok(kind) if kind.is_file() && path.extension().is_some_and(|e| e == "rs") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::LineCol;

    #[test]
    fn a_call_is_found_by_its_tokens() {
        let folder = std::env::temp_dir().join(format!("megha-search-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("src/inner")).unwrap();
        std::fs::write(folder.join("Cargo.toml"), "").unwrap();
        std::fs::write(folder.join("src/lib.rs"), "megha::matlab! { b = 1 }\n").unwrap();
        let path = folder.join("src/inner/mod.rs");
        std::fs::write(&path, "\nmatlab! {\n  a = 1 // one\n  b = 2\n}").unwrap();
        let at = LineCol { line: 1, col: 1 };
        let token = |text: &&str| Token { text: (*text).to_owned(), start: at, end: at };
        let tokens = |list: &[&str]| list.iter().map(token).collect::<Vec<_>>();
        let input = |list| Input { tokens: tokens(list), package: Some(folder.clone()), ..Input::default() };
        let found = placed(&input(&["a", "=", "1", "b", "=", "2"])).unwrap();
        assert_eq!((found.file.as_ref(), found.tokens[3].start), (Some(&path), LineCol { line: 4, col: 3 }));
        assert_eq!(super::super::recover(&found).text, "a = 1 // one\n  b = 2");
        assert!(placed(&input(&["a", "=", "1", "b", "=", "3"])).is_none(), "not saved");
        assert!(placed(&input(&["a", "=", "1", "b", "="])).is_none(), "a part");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
