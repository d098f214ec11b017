//! The files of a compilation: the one that is named, and those beside it whose functions it calls.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{included, nested};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::matlab::ast::Program;
use crate::matlab::{fields, mentions, parse};
use crate::source::{FileId, SourceMap, Span};

/// A parsed file.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Its text.
    pub file: FileId,
    /// Where it was read from; `None` for text that was given.
    pub path: Option<PathBuf>,
    /// Its functions and statements.
    pub program: Program,
}

/// Reads a source file into `sources`. A byte-order mark is left out.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read(path: &Path, sources: &mut SourceMap) -> Result<FileId, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("`{}` cannot be read: {e}", path.display()))?;
    let text = decoded(bytes);
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    let text = with_line_feeds(text);
    Ok(sources.add(path.display().to_string(), text))
}

/// The text of a file. What is no UTF-8 was written with a code page of one byte to a letter, mostly in comments.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().into_iter().map(char::from).collect())
}

/// The same text where lines ended in a carriage return alone, as they once did on a Macintosh.
fn with_line_feeds(text: String) -> String {
    if !text.contains('\r') || text.contains('\n') { text } else { text.replace('\r', "\n") }
}

/// Parses `main` and, for a file, those files in its folder whose functions are called, directly or through others.
///
/// A file `f.m` beside it is read if a file mentions the name `f` and none of its own functions bears it.
pub fn gather(main: FileId, path: Option<&Path>, sources: &mut SourceMap, diags: &mut Diagnostics) -> Vec<Unit> {
    let mut units = vec![unit(main, path.map(Path::to_owned), sources, diags)];
    let folder = path.map(|p| p.parent().unwrap_or(Path::new("")));
    let mut read_already: BTreeSet<PathBuf> = path.map(Path::to_owned).into_iter().collect();
    let mut next = 0;
    while let (Some(folder), true) = (folder, next < units.len()) {
        let program = &units[next].program;
        let own = |name: &String| program.functions.iter().any(|f| f.name.text == *name);
        let foreign: Vec<String> = mentioned(program).into_iter().filter(|name| !own(name) && is_name(name)).collect();
        for name in foreign {
            let beside = folder.join(format!("{name}.m"));
            if !beside.is_file() || !read_already.insert(beside.clone()) {
                continue;
            }
            match read(&beside, sources) {
                Ok(file) => units.push(beside_unit(&name, file, beside, sources, diags)),
                Err(message) => diags.push(Diagnostic::error(Code::UnreadableFile, Span::new(main, 0, 0), message)),
            }
        }
        next += 1;
    }
    units.iter_mut().for_each(|unit| nested::lift(&mut unit.program, diags));
    included::put_in_place(&mut units);
    units.iter_mut().for_each(|unit| fields::as_variables(&mut unit.program));
    units.iter().for_each(|unit| report_twins(&unit.program, diags));
    units
}

/// Whether a text that occurs in a program can be the name of a function.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A file beside the main one. Its first function is called by the file's name, whatever name it bears.
fn beside_unit(name: &str, file: FileId, path: PathBuf, sources: &SourceMap, diags: &mut Diagnostics) -> Unit {
    let mut unit = unit(file, Some(path), sources, diags);
    if let Some(first) = unit.program.functions.first_mut() {
        name.clone_into(&mut first.name.text);
    }
    unit
}

fn unit(file: FileId, path: Option<PathBuf>, sources: &SourceMap, diags: &mut Diagnostics) -> Unit {
    let program = sources.get(file).map(|f| parse(f, diags)).unwrap_or_default();
    Unit { file, path, program }
}

fn mentioned(program: &Program) -> BTreeSet<String> {
    program.functions.iter().flat_map(mentions::of_function).chain(mentions::of_block(&program.script)).collect()
}

/// Two functions of one name in one file. Those of different files do not see each other.
fn report_twins(program: &Program, diags: &mut Diagnostics) {
    for (at, function) in program.functions.iter().enumerate() {
        if let Some(first) = program.functions[..at].iter().find(|f| f.name.text == function.name.text) {
            let message = format!("`{}` is defined twice", function.name.text);
            let error = Diagnostic::error(Code::NameClash, function.name.span, message);
            diags.push(error.note_at(first.name.span, "here first").help("give one of them another name"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{decoded, with_line_feeds};

    #[test]
    fn carriage_returns_alone_end_lines() {
        assert_eq!(with_line_feeds("% a\ry = 1;\r".into()), "% a\ny = 1;\n");
        assert_eq!(with_line_feeds("% a\r\ny = 1;\r\n".into()), "% a\r\ny = 1;\r\n");
    }

    #[test]
    fn letters_of_one_byte_are_read() {
        assert_eq!(decoded(b"% caf\xe9\ny = 1;".to_vec()), "% caf\u{e9}\ny = 1;");
        assert_eq!(decoded("% caf\u{e9}".as_bytes().to_vec()), "% caf\u{e9}");
    }
}
